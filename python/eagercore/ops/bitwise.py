"""Whole numbers bit by bit. Nothing here has a gradient."""

from __future__ import annotations

from ..core.op import elementwise

WHOLE = "iu"


@elementwise(differentiable=False, kinds=WHOLE)
def bitwise_and(xp, x, y):
    """Bits set in both, element by element.

    Args:
        x: Integer tensor.
        y: Tensor of the same dtype; shapes broadcast.

    Returns:
        Tensor of the common dtype.

    >>> bitwise_and([6], 3).numpy()
    array([2], dtype=int32)
    """
    return xp.bitwise_and(x, y)


@elementwise(differentiable=False, kinds=WHOLE)
def bitwise_or(xp, x, y):
    """Bits set in either, element by element.

    Args:
        x: Integer tensor.
        y: Tensor of the same dtype; shapes broadcast.

    Returns:
        Tensor of the common dtype.

    >>> bitwise_or([6], 3).numpy()
    array([7], dtype=int32)
    """
    return xp.bitwise_or(x, y)


@elementwise(differentiable=False, kinds=WHOLE)
def bitwise_xor(xp, x, y):
    """Bits set in just one, element by element.

    Args:
        x: Integer tensor.
        y: Tensor of the same dtype; shapes broadcast.

    Returns:
        Tensor of the common dtype.

    >>> bitwise_xor([6], 3).numpy()
    array([5], dtype=int32)
    """
    return xp.bitwise_xor(x, y)


@elementwise(differentiable=False, kinds=WHOLE)
def invert(xp, x):
    """Every bit flipped, element by element.

    Args:
        x: Integer tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> invert([0]).numpy()
    array([-1], dtype=int32)
    """
    return xp.invert(x)


def _within(xp, x, y):
    """Shifts out of range are taken to the nearest in it, as in TensorFlow."""
    kind = y.dtype.type
    return xp.clip(y, kind(0), kind(8 * x.dtype.itemsize - 1))


@elementwise(differentiable=False, kinds=WHOLE)
def left_shift(xp, x, y):
    """`x << y`, element by element.

    Args:
        x: Integer tensor.
        y: Tensor of the same dtype; shapes broadcast. Below 0 it counts as 0, and from the number
            of bits on as one less.

    Returns:
        Tensor of the common dtype.

    >>> left_shift([1], 3).numpy()
    array([8], dtype=int32)
    """
    return xp.left_shift(x, _within(xp, x, y))


@elementwise(differentiable=False, kinds=WHOLE)
def right_shift(xp, x, y):
    """`x >> y`, element by element.

    Args:
        x: Integer tensor.
        y: Tensor of the same dtype; shapes broadcast. Below 0 it counts as 0, and from the number
            of bits on as one less.

    Returns:
        Tensor of the common dtype.

    >>> right_shift([8], 3).numpy()
    array([1], dtype=int32)
    """
    return xp.right_shift(x, _within(xp, x, y))
