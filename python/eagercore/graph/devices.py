"""Devices: what there is, and `tf.device`. Tensors live where NumPy's arrays do; XLA runs compiled graphs elsewhere."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..base.context import context

_PART = re.compile(r"^(job|replica|task|device|cpu|gpu|tpu)(:(.+))?$", re.IGNORECASE)
_told: set[str] = set()
_NAMES = {"CPU", "GPU", "TPU"}


class PhysicalDevice:
    """A device of the machine.

    Attributes:
        name: Such as "/physical_device:CPU:0".
        device_type: "CPU", "GPU" or "TPU".
    """

    prefix = "/physical_device:"

    def __init__(self, device_type: str, index: int) -> None:
        self.device_type = device_type
        self.name = f"{self.prefix}{device_type}:{index}"

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.name == other.name  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(name='{self.name}', device_type='{self.device_type}')"


class LogicalDevice(PhysicalDevice):
    """A device as programs see it."""

    prefix = "/device:"


def _accelerators() -> list[tuple[str, int]]:
    """What XLA finds, if it is loaded or asked for; importing it only to look would take seconds."""
    from ..backend import xla

    return xla.accelerators()


def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The machine's devices.

    Args:
        device_type: "CPU", "GPU" or "TPU"; default all.

    >>> list_physical_devices("CPU")
    [PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')]
    """
    found = [("CPU", 0)]
    if device_type is None or device_type.upper() != "CPU":
        found += _accelerators()
    return [
        PhysicalDevice(kind, i)
        for kind, i in found
        if device_type is None or kind == device_type.upper()
    ]


def list_logical_devices(device_type: str | None = None) -> list[LogicalDevice]:
    """The devices as programs see them.

    Args:
        device_type: "CPU", "GPU" or "TPU"; default all.

    >>> list_logical_devices("CPU")
    [LogicalDevice(name='/device:CPU:0', device_type='CPU')]
    """
    return [
        LogicalDevice(d.device_type, int(d.name.rpartition(":")[2]))
        for d in list_physical_devices(device_type)
    ]


def parse(name: str) -> tuple[str | None, int]:
    """Kind and number of the device that `name` tells of.

    Raises:
        ValueError: If it is no device's name.

    >>> parse("/job:localhost/device:GPU:1")
    ('GPU', 1)
    """
    kind: str | None = None
    index = 0
    for part in name.strip("/").split("/"):
        if not part:
            continue
        found = _PART.match(part)
        if found is None:
            raise ValueError(f"Unknown attribute: '{part}' in '{name}'")
        key, value = found.group(1).lower(), found.group(3)
        if key == "device":
            kind, _, number = (value or "").partition(":")
            index = _number(number, name)
        elif key.upper() in _NAMES:
            kind, index = key, _number(value, name)
    if kind is not None and kind.upper() not in _NAMES:
        raise ValueError(f"Unknown device type {kind!r} in '{name}': CPU, GPU and TPU are known.")
    return (None if kind is None else kind.upper()), index


def _number(text: str | None, name: str) -> int:
    if not text or text == "*":
        return 0
    if not text.isdigit():
        raise ValueError(f"Could not parse the device number {text!r} in '{name}'.")
    return int(text)


@contextmanager
def device(device_name: Any) -> Iterator[None]:
    """Inside the `with` block ops prefer a device.

    Args:
        device_name: Such as "/cpu:0" or "/device:GPU:0"; None for no preference. Where there is no
            such device the CPU is taken, and a message says so once.

    Raises:
        ValueError: If it is no device's name.
        RuntimeError: If a function is given in eager execution.

    >>> with device("/cpu:0"):
    ...     pass
    """
    if callable(device_name):
        if context.graph is None:
            raise RuntimeError(
                "tf.device does not support functions when eager execution is enabled."
            )
        device_name = ""
    text = "" if device_name is None else str(getattr(device_name, "name", device_name))
    text = text.replace("/physical_device:", "/device:")
    if hasattr(device_name, "to_string"):
        text = device_name.to_string()
    kind, index = parse(text)
    if kind not in (None, "CPU"):
        _soft(kind, index, text)
    before = context.device
    graph = context.graph
    context.device = text or before if device_name is not None else ""
    if graph is not None and hasattr(graph, "devices"):
        kept = graph.devices
        graph.devices = (*kept, text)
    try:
        yield
    finally:
        context.device = before
        if graph is not None and hasattr(graph, "devices"):
            graph.devices = kept


def _soft(kind: str | None, index: int, text: str) -> None:
    if (kind, index) in _accelerators() or text in _told:
        return
    _told.add(text)
    logging.getLogger("eagercore").warning(
        "There is no device %s here: the CPU computes instead. (Said once; "
        "tf.config.list_physical_devices() lists what there is.)",
        text,
    )
