"""Rounding, neighbours and limits, element by element."""

from __future__ import annotations

import numpy as np

from ..base import dtypes
from ..core.op import elementwise
from ..core.tensor import convert
from .arithmetic import maximum, minimum
from .compare import greater, less
from .create import cast, zeros_like


@elementwise(kinds="iuf", differentiable=False)
def floor(xp, x):
    """Largest whole number that is not above `x`.

    Args:
        x: Real tensor.

    Returns:
        Tensor of the shape and dtype of `x`. It has no gradient.

    >>> floor([1.7, -1.2]).numpy()
    array([ 1., -2.], dtype=float32)
    """
    return xp.floor(x) if x.dtype.kind not in "iu" else x


@elementwise(kinds="iuf", differentiable=False)
def ceil(xp, x):
    """Smallest whole number that is not below `x`.

    Args:
        x: Real tensor.

    Returns:
        Tensor of the shape and dtype of `x`. It has no gradient.

    >>> ceil([1.2, -1.7]).numpy()
    array([ 2., -1.], dtype=float32)
    """
    return xp.ceil(x) if x.dtype.kind not in "iu" else x


@elementwise(kinds="iuf", differentiable=False, label="Rint")
def rint(xp, x):
    """Nearest whole number; halves go to the even one.

    Args:
        x: Real tensor.

    Returns:
        Tensor of the shape and dtype of `x`. It has no gradient.

    >>> rint([0.5, 1.5, -1.2]).numpy()
    array([ 0.,  2., -1.], dtype=float32)
    """
    return xp.rint(x) if x.dtype.kind not in "iu" else x


@elementwise(kinds="iufc", differentiable=False, label="Round")
def round_(xp, x):
    """Nearest whole number; halves go to the even one, as in Python.

    Args:
        x: Tensor of numbers.

    Returns:
        Tensor of the shape and dtype of `x`. It has no gradient.

    >>> round_([0.5, 1.5, -1.2]).numpy()
    array([ 0.,  2., -1.], dtype=float32)
    """
    return xp.rint(x) if x.dtype.kind not in "iu" else x


@elementwise(kinds="f", label="NextAfter", single="grid", domain=(0.5, 2))
def nextafter(xp, x1, x2):
    """The next number of the dtype after `x1` in the direction of `x2`.

    Args:
        x1: float32 or float64 tensor.
        x2: Tensor of the same dtype; shapes broadcast.

    Returns:
        Tensor of the common dtype.

    >>> bool(nextafter(1.0, 2.0) > 1.0)
    True
    """
    return xp.nextafter(x1, x2)


@nextafter.vjp
def nextafter_vjp(dy, _y, _x1, _x2):
    return dy, zeros_like(dy)


@elementwise(label="ClipByValue", kinds="iuf", domain=((-3, 3), (-1.5, -1), (1, 1.5)))
def clip_op(xp, t, clip_value_min, clip_value_max):
    """`t` held between two bounds.

    Args:
        t: Real tensor.
        clip_value_min: Lower bound; broadcasts.
        clip_value_max: Upper bound; broadcasts.

    Returns:
        Tensor of the dtype of `t`. The gradient is 1 at the bounds themselves.

    >>> clip_op([-2.0, 0.5, 2.0], -1.0, 1.0).numpy()
    array([-1. ,  0.5,  1. ], dtype=float32)
    """
    return xp.maximum(xp.minimum(t, clip_value_max), clip_value_min)


@clip_op.vjp
def clip_vjp(dy, _y, t, low, high, needs):
    from .compare import logical_or
    from .select import where

    zero = zeros_like(dy)
    below, above = less(t, low), greater(t, high)
    return (
        where(logical_or(below, above), zero, dy) if needs[0] else None,
        where(below, dy, zero) if needs[1] else None,
        where(above, dy, zero) if needs[2] else None,
    )


def clip_by_value(t, clip_value_min, clip_value_max, name=None):
    """`t` held between two bounds, element by element.

    Args:
        t: Real tensor or `IndexedSlices` (rows of one index are added up first).
        clip_value_min: Lower bound: a number, or a tensor that broadcasts to the shape of `t`.
        clip_value_max: Upper bound, likewise.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape and dtype of `t`. The gradient is 1 at the bounds themselves.

    Raises:
        InvalidArgumentError: If a bound does not broadcast to the shape of `t`.

    >>> clip_by_value([-2.0, 0.5, 2.0], -1.0, 1.0).numpy()
    array([-1. ,  0.5,  1. ], dtype=float32)
    """
    if hasattr(t, "dense_shape") and hasattr(t, "values"):
        from .clip import merged

        t = merged(t)
        return type(t)(
            clip_by_value(t.values, clip_value_min, clip_value_max), t.indices, t.dense_shape
        )
    made = clip_op(t, clip_value_min, clip_value_max)
    shape = convert(t).shape
    if not shape.is_compatible_with(made.shape):
        from ..base import errors

        raise errors.shape_error(
            "ClipByValue",
            f"the bounds must broadcast to the shape {shape} of t, but together they give {made.shape}.",
        )
    return made


def saturate_cast(value, dtype, name=None):
    """The elements as another type, held within its limits instead of wrapped around.

    Args:
        value: Tensor of numbers.
        dtype: Type of the result.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape of `value`.

    >>> saturate_cast([300.0, -5.0], "uint8").numpy()
    array([255,   0], dtype=uint8)
    """
    value, wanted = convert(value), dtypes.as_dtype(dtype)
    if value.dtype.kind in "bcS" or wanted.kind in "bcS":
        from .complexes import real

        return cast(real(value) if value.dtype.is_complex and wanted.kind != "c" else value, wanted)
    low, high = float(wanted.min), float(wanted.max)
    if value.dtype.kind == "f":
        held = float(value.dtype.max)
        if float(value.dtype.min) < low or held > high:
            kind = value.dtype._numpy()
            top = kind.type(high)
            # The largest whole number may round up past the limit: the float below it is still in range.
            top = (
                np.nextafter(top, kind.type(0))
                if wanted.is_integer and float(top) > int(wanted.max)
                else top
            )
            value = minimum(maximum(value, kind.type(low)), top)
        return cast(value, wanted)
    if wanted.kind in "iu":
        own_low, own_high = int(value.dtype.min), int(value.dtype.max)
        kind = value.dtype._numpy().type
        if own_low < int(wanted.min):
            value = maximum(value, kind(max(own_low, int(wanted.min))))
        if own_high > int(wanted.max):
            value = minimum(value, kind(int(wanted.max)))
    return cast(value, wanted)
