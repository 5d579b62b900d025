"""Choosing between two tensors."""

from __future__ import annotations

from ..base import errors
from ..core.op import elementwise, op
from ..core.tensor import convert
from .create import zeros_like


@elementwise(label="SelectV2", free=("condition",), domain=(-3, 3))
def select(xp, condition, x, y):
    """`x` where `condition` is true, else `y`, element by element.

    Args:
        condition: Boolean tensor.
        x: Tensor.
        y: Tensor of the dtype of `x`; all three shapes broadcast.

    Returns:
        Tensor of the dtype of `x` and the broadcast shape.

    >>> select([True, False], [1, 2], [3, 4]).numpy()
    array([1, 4], dtype=int32)
    """
    if condition.dtype != bool:
        raise errors.dtype_error(
            "SelectV2", f"the condition must be a bool tensor, got {condition.dtype}."
        )
    return xp.where(condition, x, y)


@select.vjp
def select_vjp(dy, _z, condition, _x, _y, needs):
    zero = zeros_like(dy)
    return (
        None,
        select(condition, dy, zero) if needs[1] else None,
        select(condition, zero, dy) if needs[2] else None,
    )


@select.samples
def select_samples(rng):
    yield (rng.normal(size=(2, 3)) > 0, rng.normal(size=(2, 3)), rng.normal(size=(2, 3))), {}
    yield (rng.normal(size=(3,)) > 0, rng.normal(size=(2, 1)), rng.normal(size=())), {}


@op(differentiable=False, label="Where", data_dependent=True)
def true_positions(xp, condition):
    """Positions of the elements that are true (or not zero), row by row.

    Args:
        condition: Tensor of any numeric or boolean dtype.

    Returns:
        int64 tensor [number of true elements, rank].

    >>> true_positions([True, False, True]).numpy()
    array([[0],
           [2]])
    """
    return xp.argwhere(condition).astype("int64")


@true_positions.shape_rule
def true_positions_rule(condition):
    from ..base import dtypes
    from ..base.shapes import TensorSpec

    return TensorSpec([None, condition.shape.rank], dtypes.int64)


@true_positions.samples
def true_positions_samples(rng):
    yield (rng.normal(size=(2, 3)) > 0,), {}


def where(condition, x=None, y=None, name=None):
    """`x` where `condition` is true, else `y`; with the condition alone, the positions of what is true.

    The gradient of the branch that is not taken is zero times what flows back through it: where that branch has
    an infinite derivative the product is nan. Guard its argument with a `where` of its own.

    Args:
        condition: Boolean tensor.
        x: Tensor, or None.
        y: Tensor of the dtype of `x`, or None; shapes broadcast.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the dtype of `x`; or int64 positions [n, rank].

    Raises:
        ValueError: If only one of `x` and `y` is given.

    >>> where([True, False], [1.0, 2.0], 0.0).numpy()
    array([1., 0.], dtype=float32)
    """
    if x is None and y is None:
        return true_positions(condition)
    if x is None or y is None:
        raise ValueError("x and y must both be non-None or both be None.")
    condition = convert(condition)
    if condition.shape.rank == 1 and getattr(x, "shape", None) is not None and len(x.shape) > 1:
        condition = _rows(condition, x, y)
    return select(condition, x, y)


def _rows(condition, x, y):
    """TensorFlow 1's rule: a vector condition chooses whole rows when it cannot broadcast."""
    from .shape import reshape

    rank = len(x.shape)
    if (
        condition.shape[0] == x.shape[-1]
        or condition.shape[0] != x.shape[0]
        or condition.shape[0] == 1
    ):
        return condition
    return reshape(condition, (-1, *[1] * (rank - 1)))
