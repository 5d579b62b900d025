"""The lowest op file: what undoes broadcasting. Every broadcasting gradient ends here."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..base.shapes import TensorSpec
from ..core.coerce import Shape, is_symbolic
from ..core.op import movement
from ..core.tensor import EagerTensor, Ghost
from .summation import total

#: Elements up to which a number is written out, which costs less than a view.
SMALL = 1 << 10


@movement
def sum_to(xp, x, *, shape: Shape):
    """Sums `x` over the dimensions along which `shape` was broadcast.

    Args:
        x: Tensor of any shape to which `shape` broadcasts.
        shape: Shape of the result.

    Returns:
        Tensor of shape `shape` and the dtype of `x`.

    >>> sum_to([[1.0, 2.0], [3.0, 4.0]], shape=(1, 2)).numpy()
    array([[4., 6.]], dtype=float32)
    """
    extra = x.ndim - len(shape)
    axes = tuple(range(extra)) + tuple(
        i + extra for i, d in enumerate(shape) if d == 1 and x.shape[i + extra] != 1
    )
    if axes:
        x = total(x, axes, True) if xp is np else x.sum(axis=axes, keepdims=True, dtype=x.dtype)
    return x.reshape(shape)


@sum_to.vjp
def sum_to_vjp(dy, _y, _x, *, shape):
    from .create import shape_of

    return broadcast_to(dy, shape=shape_of(_x))


@sum_to.samples
def sum_to_samples(rng):
    yield (rng.normal(size=(2, 3, 4)),), {"shape": (3, 1)}
    yield (rng.normal(size=(2, 3)),), {"shape": (2, 3)}


@movement(aliases={"input": "x"})
def broadcast_to(xp, x, *, shape: Shape):
    """`x` repeated along dimensions of size 1 (and new ones in front) to fill `shape`.

    Args:
        x: Tensor that broadcasts to `shape`.
        shape: Shape of the result.

    Returns:
        Tensor of shape `shape` and the dtype of `x`.

    Raises:
        InvalidArgumentError: If `x` does not broadcast to `shape`.

    >>> broadcast_to([1, 2], shape=[2, 2]).numpy()
    array([[1, 2],
           [1, 2]], dtype=int32)
    """
    if xp is np and x.ndim == 0 and -1 not in shape and math.prod(shape) <= SMALL:
        full = np.empty(shape, x.dtype)
        full.fill(x[()])
        return full
    full = [x.shape[i - len(shape)] if d == -1 else d for i, d in enumerate(shape)]
    return xp.broadcast_to(x, tuple(full))


@broadcast_to.vjp
def broadcast_to_vjp(dy, _y, _x, *, shape):
    return sum_to_like(dy, _x)


def _partly_known(x, *, shape):
    """What is known of a result whose shape is partly known: nothing to add where it is known."""
    if not is_symbolic(shape):
        return None
    if not isinstance(shape, tuple | list):
        count = shape.shape[0] if shape.shape.rank == 1 else None
        return TensorSpec(None if count is None else [None] * count, x.dtype)
    return TensorSpec([d if isinstance(d, int) and d >= 0 else None for d in shape], x.dtype)


broadcast_to.shape_rule(_partly_known)
sum_to.shape_rule(_partly_known)


@broadcast_to.samples
def broadcast_to_samples(rng):
    yield (rng.normal(size=(3, 1)),), {"shape": (2, 3, 4)}
    yield (rng.normal(size=()),), {"shape": (2,)}


def sum_to_like(gradient: Any, like: Any) -> Any:
    """`gradient` summed to the shape of `like` (a tensor or the ghost of one)."""
    if type(gradient) is EagerTensor:
        if type(like) is EagerTensor:
            wanted = like._array.shape
        else:
            wanted = like.shape_ if type(like) is Ghost and type(like.shape_) is tuple else None
            wanted = tuple(like.shape) if wanted is None else wanted
        return gradient if gradient._array.shape == wanted else sum_to(gradient, shape=wanted)
    if gradient.shape.is_fully_defined() and gradient.shape == like.shape:
        return gradient
    if like.shape.is_fully_defined():
        return sum_to(gradient, shape=tuple(like.shape))
    return _sum_to_dynamic(gradient, like)


def _sum_to_dynamic(gradient: Any, like: Any) -> Any:
    """In a graph whose shapes are not known yet: the shape is taken when it runs."""
    from .shape import shape as shape_of

    if not is_symbolic(like):
        raise TypeError(f"The shape of {like!r} must be known.")
    return sum_to(gradient, shape=shape_of(like))
