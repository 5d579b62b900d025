"""Kernels: faster overrides of ops, found by the op's name.

An op's own forward is the reference. A kernel of the same name gets the same arrays and attributes
and either returns the result or declines by returning ``NotImplemented`` (another dtype, a layout
or size it is not made for); the reference then runs.

Nothing is loaded until an op asks for a kernel that a provider lists.

>>> from eagercore import backend
>>> backend.find("an_op_without_kernels") is None
True
"""

from __future__ import annotations

import importlib
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from . import onednn
from .half import widening
from .threads import set_num_threads

__all__ = ["describe", "find", "kernel", "reference", "set_num_threads", "use_reference"]

Kernel = Callable[..., Any]
F = TypeVar("F", bound=Kernel)

listeners: list[Callable[[], None]] = []
"""Called after :func:`use_reference` changed which kernels are to run."""

_PLACES = {
    ".arithmetic": (
        "add", "multiply", "multiply_add", "real_divide", "sigmoid_gradient", "square", "subtract",
        "tanh_gradient",
    ),
    ".elementwise": (
        "elu", "exp", "expm1", "gelu_gradient", "gelu_op", "leaky_relu_gradient", "leaky_relu_op",
        "log", "log1p", "masked", "pow", "relu", "relu_gradient", "rsqrt", "select", "selu",
        "sigmoid", "silu_op", "softplus", "sqrt", "tanh",
    ),
    ".recurrent": (
        "gru", "gru_gradient", "lstm", "lstm_gradient", "simple_rnn", "simple_rnn_gradient",
    ),
    ".reductions": ("reduce_max", "reduce_mean", "reduce_min", "reduce_sum", "sum_to"),
    ".rows": ("layer_normalization", "layer_normalization_gradient", "sparse_softmax_gradient"),
}  # fmt: skip
"""Module to the ops whose kernels it registers; what needs oneDNN altogether is in :data:`.onednn.KERNELS`."""

_place_of = {name: module for module, names in _PLACES.items() for name in names}

_kernels: dict[str, Kernel] = {}
_resolved: dict[str, Kernel | None] = {}
_lock = threading.RLock()
_reference_only = os.environ.get("EAGERCORE_KERNELS", "").strip().lower() == "reference"


def kernel(name: str, least: int = 0) -> Callable[[F], F]:
    """Decorator: register a function as the kernel of the op of this name.

    Args:
        name: Name of the op.
        least: Elements of the first array below which the kernel always declines, so that it is not asked; the
            function's attribute of that name.

    Returns:
        A decorator that returns the function unchanged.
    """

    def register(function: F) -> F:
        function.__dict__["least"] = least
        with _lock:
            _kernels[name] = _resolved[name] = widening(name, function)
        return function

    return register


def find(name: str) -> Kernel | None:
    """The kernel of an op.

    Args:
        name: Name of the op.

    Returns:
        The kernel, or None if there is none or only reference code is to run.
    """
    if _reference_only:
        return None
    try:
        return _resolved[name]
    except KeyError:
        return _resolve(name)


def _resolve(name: str) -> Kernel | None:
    with _lock:
        if name in _place_of:
            importlib.import_module(_place_of[name], __name__)
        elif name in onednn.KERNELS and onednn.available():
            importlib.import_module(onednn.KERNELS[name], onednn.__name__)
        _resolved[name] = _kernels.get(name)
        return _resolved[name]


def use_reference(enabled: bool = True) -> bool:
    """Run only the reference code of every op (or, with False, kernels again).

    The environment variable ``EAGERCORE_KERNELS=reference`` does the same from the start.

    Args:
        enabled: Whether kernels are to be left out.

    Returns:
        The setting before the call.
    """
    global _reference_only
    before, _reference_only = _reference_only, bool(enabled)
    if before != _reference_only:
        for listener in listeners:
            listener()
    return before


@contextmanager
def reference() -> Iterator[None]:
    """Context in which only the reference code of every op runs."""
    before = use_reference(True)
    try:
        yield
    finally:
        use_reference(before)


def describe() -> dict[str, Any]:
    """What computes here: for situation reports.

    Returns:
        A dictionary with `kernels` ("onednn", "reference"), `library`, `version`,
        `instruction_set`, `threads` and, where kernels are absent, the `reason`.
    """
    from . import threads

    report: dict[str, Any] = {"threads": threads.count(), **onednn.describe()}
    if _reference_only:
        report.update(kernels="reference", reason="kernels are switched off")
    return report
