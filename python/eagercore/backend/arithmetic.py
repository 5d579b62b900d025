"""Arithmetic on large arrays, and gradients that are chains of it, by oneDNN where it is there.

The library is loaded by the first array that is large enough, not by the first sum of two numbers.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

import numpy as np

from . import kernel, onednn
from .half import LEAST_PLAIN

Array = np.ndarray[Any, Any]

LEAST = 1 << 18
"""With fewer elements a single operation of NumPy's is as fast."""

LEAST_CHAIN = 1 << 16
"""The same for several."""


def _declines(*_: Any) -> Any:
    return NotImplemented


@functools.cache
def _run() -> Any:
    """What runs one or several operations in one pass; where there is no library, it declines."""
    if not onednn.available():
        return _declines
    return importlib.import_module(".binary", onednn.__name__).run_binary


def _register(name: str, operation: str) -> None:
    """Register an operation as the kernel of the op of a name."""

    def apply(x: Array, y: Array) -> Any:
        return NotImplemented if x.size < LEAST else _run()(operation, x, y)

    apply.__name__ = apply.__qualname__ = name
    apply.__doc__ = (
        f"The `{operation}` of two arrays, of which the second may broadcast to the first."
    )
    kernel(name, least=LEAST_PLAIN)(apply)


for _name, _operation in {
    "add": "add",
    "multiply": "multiply",
    "real_divide": "divide",
    "subtract": "subtract",
}.items():
    _register(_name, _operation)


@kernel("multiply_add", least=LEAST_CHAIN)
def multiply_add(x: Array, factor: Array, shift: Array) -> Any:
    """``x * factor + shift``, both of which are of the last axes of `x`."""
    if x.size < LEAST_CHAIN or not onednn.available():
        return NotImplemented
    from .onednn.binary import run_multiply_add

    return run_multiply_add(x, factor, shift)


@kernel("square", least=LEAST_PLAIN)
def square(x: Array) -> Any:
    """``x * x``."""
    return NotImplemented if x.size < LEAST else _run()("multiply", x, x)


@kernel("tanh_gradient", least=LEAST_CHAIN)
def tanh_gradient(dy: Array, y: Array) -> Any:
    """``dy * (1 - y * y)``."""
    if y.size < LEAST_CHAIN:
        return NotImplemented
    return _run()("multiply", y, y, (("linear", -1.0, 1.0), "multiply"), dy)


ONE = np.ones(1, np.float32)


@kernel("sigmoid_gradient", least=LEAST_CHAIN)
def sigmoid_gradient(dy: Array, y: Array) -> Any:
    """``dy * (y * (1 - y))``; ``-(y - 1)`` is the same as ``1 - y``, since nothing is rounded twice."""
    if y.size < LEAST_CHAIN:
        return NotImplemented
    after = (("linear", -1.0, 0.0), "multiply", "multiply")
    return _run()("subtract", y, ONE, after, y, dy)
