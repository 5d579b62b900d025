"""tf.config: devices, threads and switches."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from .backend import threads as _threads
from .base import seeds as _seeds
from .graph.devices import (
    LogicalDevice,
    PhysicalDevice,
    list_logical_devices,
    list_physical_devices,
)
from .graph.function import functions_run_eagerly, run_functions_eagerly

__all__ = [
    "LogicalDevice", "LogicalDeviceConfiguration", "PhysicalDevice", "experimental", "experimental_connect_to_cluster",
    "functions_run_eagerly", "get_logical_device_configuration", "get_soft_device_placement", "get_visible_devices",
    "list_logical_devices", "list_physical_devices", "optimizer", "run_functions_eagerly",
    "set_logical_device_configuration", "set_soft_device_placement", "set_visible_devices", "threading",
]  # fmt: skip


class LogicalDeviceConfiguration:
    """How a device is divided.

    Args:
        memory_limit: Accepted for TensorFlow's sake.
        experimental_priority: Accepted for TensorFlow's sake.
    """

    def __init__(self, memory_limit: Any = None, experimental_priority: Any = None) -> None:
        self.memory_limit, self.experimental_priority = memory_limit, experimental_priority


class _Switches:
    soft = True
    visible: dict[str, list[Any]] = {}
    inter = intra = 0
    jit: Any = False
    options: dict[str, Any] = {}


def set_soft_device_placement(enabled: bool) -> None:
    """Remembered: where a device is not there, the CPU is always taken.

    Args:
        enabled: Whether this is wanted.
    """
    _Switches.soft = bool(enabled)


def get_soft_device_placement() -> bool:
    """Whether the CPU is taken where a device is not there."""
    return _Switches.soft


def set_visible_devices(devices: Any, device_type: str | None = None) -> None:
    """Which devices `get_visible_devices` tells of.

    Args:
        devices: Device, list of devices, or an empty list.
        device_type: Kind of the devices; default all kinds.
    """
    found = (
        list(devices) if isinstance(devices, list | tuple) else [] if devices is None else [devices]
    )
    for kind in ("CPU", "GPU", "TPU") if device_type is None else (device_type,):
        _Switches.visible[kind] = [d for d in found if d.device_type == kind]


def get_visible_devices(device_type: str | None = None) -> list[Any]:
    """The devices that were made visible; default all.

    Args:
        device_type: "CPU", "GPU" or "TPU"; default all.
    """
    found = list_physical_devices(device_type)
    return [d for d in found if d in _Switches.visible.get(d.device_type, found)]


def get_logical_device_configuration(device: Any) -> Any:
    """How a device is divided: it is not."""
    return None


def set_logical_device_configuration(device: Any, logical_devices: Any) -> None:
    """Accepted for TensorFlow's sake: devices are not divided."""


def experimental_connect_to_cluster(*args: Any, **kwargs: Any) -> None:
    """Accepted for TensorFlow's sake: there is one process."""


class _Threading:
    """tf.config.threading: how many threads compute."""

    @staticmethod
    def set_intra_op_parallelism_threads(num_threads: int) -> None:
        """Sets the threads of NumPy's BLAS and of the kernels; 0 gives one for each core.

        Args:
            num_threads: Number of threads.
        """
        _threads.set_num_threads(int(num_threads))
        _Switches.intra = int(num_threads)

    @staticmethod
    def get_intra_op_parallelism_threads() -> int:
        """The number of threads that was set; 0 while nobody did."""
        return _Switches.intra

    @staticmethod
    def set_inter_op_parallelism_threads(num_threads: int) -> None:
        """Remembered: ops run one after another."""
        _Switches.inter = int(num_threads)

    @staticmethod
    def get_inter_op_parallelism_threads() -> int:
        """What was remembered."""
        return _Switches.inter


class _Optimizer:
    """tf.config.optimizer: switches of graph optimization."""

    @staticmethod
    def set_jit(enabled: Any) -> None:
        """Remembered: functions are compiled by XLA where they say jit_compile=True."""
        _Switches.jit = enabled

    @staticmethod
    def get_jit() -> Any:
        """What was remembered."""
        return _Switches.jit

    @staticmethod
    def set_experimental_options(options: dict[str, Any]) -> None:
        """Switches passes by TensorFlow's names.

        Args:
            options: "constant_folding" and "common_subgraph_elimination" switch passes; others are remembered.
        """
        from .graph import passes

        names = {"constant_folding": "constants", "common_subgraph_elimination": "common",
        "arithmetic_optimization": "algebra",
                 "remapping": "fuse", "dependency_optimization": "dead"}  # fmt: skip
        for key, value in options.items():
            if key in names:
                passes.switch(names[key], bool(value))
        _Switches.options.update(options)

    @staticmethod
    def get_experimental_options() -> dict[str, Any]:
        """What was set."""
        return dict(_Switches.options)


class _Experimental(SimpleNamespace):
    """tf.config.experimental."""

    list_physical_devices = staticmethod(list_physical_devices)
    list_logical_devices = staticmethod(list_logical_devices)
    get_visible_devices = staticmethod(get_visible_devices)
    set_visible_devices = staticmethod(set_visible_devices)
    get_virtual_device_configuration = staticmethod(get_logical_device_configuration)
    set_virtual_device_configuration = staticmethod(set_logical_device_configuration)
    VirtualDeviceConfiguration = LogicalDeviceConfiguration

    @staticmethod
    def set_memory_growth(device: Any, enable: bool) -> None:
        """Accepted for TensorFlow's sake: memory is taken as it is needed."""

    @staticmethod
    def get_memory_growth(device: Any) -> bool:
        """True: memory is taken as it is needed."""
        return True

    @staticmethod
    def get_device_details(device: Any) -> dict[str, Any]:
        """What is known of a device: nothing."""
        return {}

    @staticmethod
    def get_synchronous_execution() -> bool:
        """True: ops are done when they return."""
        return True

    @staticmethod
    def set_synchronous_execution(enable: bool) -> None:
        """Accepted for TensorFlow's sake."""

    @staticmethod
    def get_device_policy() -> str:
        """ "silent": nothing is copied between devices."""
        return "silent"

    @staticmethod
    def set_device_policy(device_policy: str | None) -> None:
        """Accepted for TensorFlow's sake."""

    @staticmethod
    def enable_op_determinism() -> None:
        """Ops without a seed are refused from here on."""
        _seeds.set_deterministic(True)

    @staticmethod
    def disable_op_determinism() -> None:
        """Ops without a seed are good again."""
        _seeds.set_deterministic(False)

    @staticmethod
    def is_op_determinism_enabled() -> bool:
        """Whether ops without a seed are refused."""
        return _seeds.is_deterministic()

    @staticmethod
    def enable_tensor_float_32_execution(enabled: bool) -> None:
        """Accepted for TensorFlow's sake: products are computed in the precision of their operands."""

    @staticmethod
    def tensor_float_32_execution_enabled() -> bool:
        """False."""
        return False


def experimental_run_functions_eagerly(run_eagerly: bool) -> None:
    """Older name of `run_functions_eagerly`.

    Args:
        run_eagerly: True or False.
    """
    run_functions_eagerly(run_eagerly)


def experimental_functions_run_eagerly() -> bool:
    """Older name of `functions_run_eagerly`."""
    return functions_run_eagerly()


threading = _Threading()
optimizer = _Optimizer()
experimental = _Experimental()
