"""Comparisons and truth values, element by element. Nothing here has a gradient."""

from __future__ import annotations

from ..core.op import elementwise

REALS = "iuf"


@elementwise(differentiable=False, label="Equal")
def equal(xp, x, y):
    """Whether `x == y`, element by element.

    Args:
        x: Tensor of any dtype.
        y: Tensor of the same dtype; shapes broadcast.

    Returns:
        Boolean tensor of the broadcast shape.

    >>> equal([1, 2], 2).numpy()
    array([False,  True])
    """
    return xp.equal(x, y)


@elementwise(differentiable=False, label="NotEqual")
def not_equal(xp, x, y):
    """Whether `x != y`, element by element.

    Args:
        x: Tensor of any dtype.
        y: Tensor of the same dtype; shapes broadcast.

    Returns:
        Boolean tensor of the broadcast shape.

    >>> not_equal([1, 2], 2).numpy()
    array([ True, False])
    """
    return xp.not_equal(x, y)


@elementwise(differentiable=False, kinds=REALS)
def less(xp, x, y):
    """Whether `x < y`, element by element.

    Args:
        x: Real tensor.
        y: Tensor of the same dtype; shapes broadcast.

    Returns:
        Boolean tensor of the broadcast shape.

    >>> less([1, 2], 2).numpy()
    array([ True, False])
    """
    return xp.less(x, y)


@elementwise(differentiable=False, kinds=REALS)
def less_equal(xp, x, y):
    """Whether `x <= y`, element by element.

    Args:
        x: Real tensor.
        y: Tensor of the same dtype; shapes broadcast.

    Returns:
        Boolean tensor of the broadcast shape.

    >>> less_equal([1, 3], 2).numpy()
    array([ True, False])
    """
    return xp.less_equal(x, y)


@elementwise(differentiable=False, kinds=REALS)
def greater(xp, x, y):
    """Whether `x > y`, element by element.

    Args:
        x: Real tensor.
        y: Tensor of the same dtype; shapes broadcast.

    Returns:
        Boolean tensor of the broadcast shape.

    >>> greater([1, 3], 2).numpy()
    array([False,  True])
    """
    return xp.greater(x, y)


@elementwise(differentiable=False, kinds=REALS)
def greater_equal(xp, x, y):
    """Whether `x >= y`, element by element.

    Args:
        x: Real tensor.
        y: Tensor of the same dtype; shapes broadcast.

    Returns:
        Boolean tensor of the broadcast shape.

    >>> greater_equal([1, 3], 2).numpy()
    array([False,  True])
    """
    return xp.greater_equal(x, y)


@elementwise(differentiable=False, kinds="b")
def logical_and(xp, x, y):
    """Whether both are true, element by element.

    Args:
        x: Boolean tensor.
        y: Boolean tensor; shapes broadcast.

    Returns:
        Boolean tensor of the broadcast shape.

    >>> logical_and([True, False], True).numpy()
    array([ True, False])
    """
    return xp.logical_and(x, y)


@elementwise(differentiable=False, kinds="b")
def logical_or(xp, x, y):
    """Whether either is true, element by element.

    Args:
        x: Boolean tensor.
        y: Boolean tensor; shapes broadcast.

    Returns:
        Boolean tensor of the broadcast shape.

    >>> logical_or([True, False], False).numpy()
    array([ True, False])
    """
    return xp.logical_or(x, y)


@elementwise(differentiable=False, kinds="b")
def logical_not(xp, x):
    """Whether each element is false.

    Args:
        x: Boolean tensor.

    Returns:
        Boolean tensor of the shape of `x`.

    >>> logical_not([True, False]).numpy()
    array([False,  True])
    """
    return xp.logical_not(x)


@elementwise(differentiable=False, kinds="f", domain=(-3, 3))
def is_nan(xp, x):
    """Whether each element is nan.

    Args:
        x: Floating tensor.

    Returns:
        Boolean tensor of the shape of `x`.

    >>> is_nan([1.0, float("nan")]).numpy()
    array([False,  True])
    """
    return xp.isnan(x)


@elementwise(differentiable=False, kinds="f", domain=(-3, 3))
def is_inf(xp, x):
    """Whether each element is infinite.

    Args:
        x: Floating tensor.

    Returns:
        Boolean tensor of the shape of `x`.

    >>> is_inf([1.0, float("inf")]).numpy()
    array([False,  True])
    """
    return xp.isinf(x)


@elementwise(differentiable=False, kinds="f", domain=(-3, 3))
def is_finite(xp, x):
    """Whether each element is neither infinite nor nan.

    Args:
        x: Floating tensor.

    Returns:
        Boolean tensor of the shape of `x`.

    >>> is_finite([1.0, float("inf")]).numpy()
    array([ True, False])
    """
    return xp.isfinite(x)


def logical_xor(x, y, name="LogicalXor"):
    """Whether just one is true, element by element.

    Args:
        x: Boolean tensor.
        y: Boolean tensor; shapes broadcast.
        name: Accepted for TensorFlow's sake.

    Returns:
        Boolean tensor of the broadcast shape.

    >>> logical_xor([True, False], True).numpy()
    array([False,  True])
    """
    return logical_and(logical_or(x, y), logical_not(logical_and(x, y)))
