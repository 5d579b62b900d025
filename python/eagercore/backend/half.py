"""bfloat16 by way of float32: kernels of float32 work on large arrays of it, and what they give is rounded once.

NumPy has no loops of its own for bfloat16; those of ml_dtypes take a nanosecond and more for each element, several
times what float32 takes. Converting there and back costs a tenth of that.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Kernel = Callable[..., Any]

LEAST = 1 << 12
"""Elements from which on it pays."""

LEAST_PLAIN = 1 << 15
"""The same for a single operation of arithmetic, which converting costs more than."""

LEAST_THREADED = 1 << 15
"""Elements from which on oneDNN converts: it starts threads."""


def _matmul(a: Array, b: Array, transpose_a: bool = False, transpose_b: bool = False) -> Any:
    return np.matmul(
        a.swapaxes(-1, -2) if transpose_a else a, b.swapaxes(-1, -2) if transpose_b else b
    )


PLAIN: dict[str, Any] = {
    "add": np.add,
    "exp": np.exp,
    "log": np.log,
    "matmul_op": _matmul,
    "multiply": np.multiply,
    "real_divide": np.divide,
    "sqrt": np.sqrt,
    "square": np.square,
    "subtract": np.subtract,
    "tanh": np.tanh,
}
"""Functions of NumPy for the arrays that a kernel finds too small."""

NAMES = frozenset(
    (
        *PLAIN, "avg_pool", "avg_pool_gradient", "batch_normalization", "batch_normalization_gradient",
        "gelu_gradient", "gelu_op", "layer_normalization", "layer_normalization_gradient", "leaky_relu_gradient",
        "leaky_relu_op", "masked", "max_pool", "max_pool_gradient", "relu", "relu_gradient", "rsqrt", "sigmoid",
        "sigmoid_gradient", "silu_op", "softmax_gradient", "softmax_op", "softplus", "tanh_gradient",
    )
)  # fmt: skip
"""Ops whose results have the type of their inputs: these are widened."""


ONE_PASS = {
    "leaky_relu_gradient": "leaky_relu_gradient",
    "leaky_relu_op": "leaky_relu",
    "masked": "masked",
}
"""Op to the function of :mod:`.onednn.convert` that needs no conversion."""


def is_half(array: Any) -> bool:
    """Whether an array is of bfloat16."""
    return array.dtype.kind == "V" and array.dtype.name == "bfloat16"


def widening(name: str, kernel: Kernel) -> Kernel:
    """Lets a kernel of float32 work on bfloat16.

    Args:
        name: Name of the op; others than :data:`NAMES` are left alone.
        kernel: The kernel, which declines what is not float32.

    Returns:
        The kernel to use.
    """
    if name not in NAMES:
        return kernel
    plain = PLAIN.get(name)

    @functools.wraps(kernel)
    def run(*arrays: Any, **attrs: Any) -> Any:
        made = kernel(*arrays, **attrs)
        first = arrays[0]
        if made is not NotImplemented or first.dtype.itemsize != 2 or first.size < LEAST:
            return made
        if not is_half(first):
            return made
        kind = first.dtype
        # Numbers that the op multiplies by have the type of its arrays.
        given = {k: float(kind.type(v)) if type(v) is float else v for k, v in attrs.items()}
        given.update((k, attrs[k]) for k in ("epsilon",) if k in attrs)
        made = _in_one_pass(name, arrays, given)
        if made is not NotImplemented:
            return made
        wide = [to_single(a) if a is not None and a.dtype == kind else a for a in arrays]
        made = kernel(*wide, **given)
        if made is NotImplemented and plain is not None:
            with np.errstate(all="ignore"):
                made = plain(*wide, **given)
        if made is NotImplemented:
            return made
        if isinstance(made, tuple | list):
            return _narrowed(name, made, arrays, kind)
        return to_half(made, kind)

    return run


def _in_one_pass(name: str, arrays: Any, given: dict[str, Any]) -> Any:
    """What oneDNN does on bfloat16 itself."""
    from .onednn import available

    number = given.get("scale" if name == "masked" else "alpha")
    if name not in ONE_PASS or not number or not available():
        return NotImplemented
    from .onednn import convert

    return getattr(convert, ONE_PASS[name])(*arrays, number)


def _narrowed(name: str, made: Any, arrays: Any, kind: Any) -> Any:
    """Several results: means and variances stay wide, and the gradient of a scale has the type of the scale."""
    if name == "batch_normalization":
        return (to_half(made[0], kind), *made[1:])
    if name == "batch_normalization_gradient":
        kinds = (kind, arrays[2].dtype, arrays[2].dtype)
        return tuple(
            to_half(m, k) if k == kind else m.astype(k) for m, k in zip(made, kinds, strict=True)
        )
    return tuple(to_half(m, kind) for m in made)


def to_single(array: Array) -> Array:
    """An array of bfloat16 as float32."""
    return _converted(array, np.dtype(np.float32))


def to_half(array: Array, kind: Any) -> Array:
    """An array of float32 as bfloat16, rounded to the nearest, ties to even.

    Where the processor's own instruction does it, numbers below 2**-126 become 0, as its products take them.
    """
    return _converted(array, kind)


def _converted(array: Array, kind: Any) -> Array:
    if array.size >= LEAST_THREADED and array.flags.c_contiguous:
        from .onednn import available

        if available():
            from .onednn.convert import converted

            made = converted(array, kind)
            if made is not NotImplemented:
                return made
    return array.astype(kind)
