"""Reductions: sums, means, extremes and what else makes many numbers few."""

from __future__ import annotations

import math

import numpy as np

from ..base import dtypes, errors
from ..core.coerce import Axis, DType
from ..core.op import op, reduction
from ..core.tensor import EagerTensor
from .arithmetic import divide_no_nan, multiply, real_divide
from .compare import equal, is_finite
from .create import cast, shape_of, stop_gradient, zeros_like
from .exponential import exp
from .select import where
from .shape import expand_dims, reshape
from .sum_to import broadcast_to
from .summation import total

NAMES = {
    "keep_dims": "keepdims",
    "reduction_indices": "axis",
    "x": "input_tensor",
    "input": "input_tensor",
}


def _axes(x, axis, op):
    """The axis as NumPy takes it, checked."""
    if axis is None:
        return None
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    for a in axes:
        if not -x.ndim <= a < x.ndim:
            raise errors.index_error(
                op, f"Invalid reduction dimension {a} for input with {x.ndim} dimensions."
            )
    return axes


def spread(dy, x, axis, keepdims):
    """A reduction's gradient (or result), with the reduced axes back as ones."""
    rank = x.shape.rank
    if keepdims or rank == 0 or axis is None and rank is None:
        return dy
    if axis is None:
        return reshape(dy, (1,) * rank)
    axes = sorted(a % rank for a in ((axis,) if isinstance(axis, int) else axis))
    for a in axes:
        dy = expand_dims(dy, a)
    return dy


def _add_up(x, dtype=None, **where):
    """The sum; of many parts in half precision it needs float32's digits on the way."""
    if x.dtype.itemsize == 2 and x.dtype.kind not in "iu":
        return np.add.reduce(x, dtype=np.float32, **where).astype(dtype or x.dtype)
    return np.add.reduce(x, dtype=dtype, **where)


def reducers(xp):
    """The maximum, minimum, sum and product along axes. NumPy's are its ufuncs', whose complaints about what is not
    finite count as the engine's own and stay silent; those of its functions would be shown as NumPy's."""
    if xp is np:
        return np.maximum.reduce, np.minimum.reduce, _add_up, np.multiply.reduce
    return xp.max, xp.min, xp.sum, xp.prod


def _count(x, axis):
    if axis is None:
        return x.size
    return int(np.prod([x.shape[a] for a in axis], dtype=np.int64))


@reduction(label="Sum", kinds="iufc", aliases=NAMES)
def reduce_sum(xp, input_tensor, *, axis: Axis = None, keepdims: bool = False):
    """Sum over the axes in `axis` (all of them when it is None).

    Args:
        input_tensor: Tensor of numbers.
        axis: Axis or axes, 0-based; negative ones count from the end. Default all.
        keepdims: Whether summed axes stay, with size 1.

    Returns:
        Tensor of the dtype of `input_tensor`.

    Raises:
        InvalidArgumentError: If an axis is out of range.

    >>> reduce_sum([[1, 2], [3, 4]], axis=0).numpy()
    array([4, 6], dtype=int32)
    """
    return _sum(xp, input_tensor, _axes(input_tensor, axis, "Sum"), keepdims)


def _sum(xp, x, axes, keepdims):
    if xp is np:
        return total(x, axes, keepdims)
    return xp.sum(x, axis=axes, keepdims=keepdims, dtype=x.dtype)


@reduce_sum.vjp
def reduce_sum_vjp(dy, _y, _x, *, axis, keepdims):
    if axis is not None:
        dy = spread(dy, _x, axis, keepdims)
    return broadcast_to(dy, shape=shape_of(_x))


@reduce_sum.vjp_of_arrays
def reduce_sum_arrays(dy, _y, x, *, axis, keepdims):
    return _spread_array(dy, x, axis, keepdims)


def _spread_array(dy, x, axis, keepdims):
    """An array repeated over the axes of `x` that were reduced."""
    shape = x._array.shape if type(x) is EagerTensor else tuple(x.shape_)
    if axis is not None and not keepdims:
        rank = len(shape)
        gone = [a % rank for a in ((axis,) if isinstance(axis, int) else axis)]
        dy = dy.reshape([1 if i in gone else d for i, d in enumerate(shape)])
    return broadcast_to.forward(np, dy, shape=shape)


@reduction(label="Mean", kinds="iufc", aliases=NAMES)
def reduce_mean(xp, input_tensor, *, axis: Axis = None, keepdims: bool = False):
    """Mean over the axes in `axis` (all of them when it is None).

    Args:
        input_tensor: Tensor of numbers; whole numbers give a whole mean, rounded towards zero.
        axis: Axis or axes, 0-based. Default all.
        keepdims: Whether averaged axes stay, with size 1.

    Returns:
        Tensor of the dtype of `input_tensor`.

    >>> reduce_mean([[1.0, 2.0], [3.0, 4.0]]).numpy()
    np.float32(2.5)
    """
    axes = _axes(input_tensor, axis, "Mean")
    if input_tensor.dtype.kind in "iu":
        whole = xp.sum(input_tensor, axis=axes, keepdims=keepdims, dtype="int64")
        count = _count(input_tensor, axes)
        if count == 0:
            return whole.astype(input_tensor.dtype)
        return (xp.sign(whole) * (xp.abs(whole) // count)).astype(input_tensor.dtype)
    count, kind = _count(input_tensor, axes), input_tensor.dtype
    if kind.itemsize == 2:
        # The sum may be beyond what the narrow type holds.
        wide = input_tensor.astype("float32")
        return xp.divide(_sum(xp, wide, axes, keepdims), np.float32(count)).astype(kind)
    return xp.divide(_sum(xp, input_tensor, axes, keepdims), kind.type(count))


@reduce_mean.vjp
def reduce_mean_vjp(dy, _y, _x, *, axis, keepdims):
    if axis is not None:
        dy = spread(dy, _x, axis, keepdims)
    # Divided before it is repeated: the same numbers, once each.
    return broadcast_to(real_divide(dy, _number(_x, axis, dy.dtype)), shape=shape_of(_x))


@reduce_mean.vjp_of_arrays
def reduce_mean_arrays(dy, y, x, *, axis, keepdims):
    shape = x._array.shape if type(x) is EagerTensor else tuple(x.shape_)
    axes = range(len(shape)) if axis is None else (axis,) if isinstance(axis, int) else axis
    count = math.prod([shape[a] for a in axes])
    return _spread_array(np.divide(dy, dy.dtype.type(max(count, 1))), x, axis, keepdims)


def _number(x, axis, dtype):
    """How many elements are averaged, as a number or, in a graph of unknown shape, a tensor."""
    shape = shape_of(x)
    axes = range(len(shape)) if axis is None else (axis,) if isinstance(axis, int) else axis
    count = 1
    for a in axes:
        count = shape[a] * count
    return float(max(count, 1)) if isinstance(count, int) else cast(count, dtype)


@reduction(label="Max", kinds="iuf", aliases=NAMES)
def reduce_max(xp, input_tensor, *, axis: Axis = None, keepdims: bool = False):
    """Largest element over the axes in `axis`; nan when there is one.

    Args:
        input_tensor: Real tensor.
        axis: Axis or axes, 0-based. Default all.
        keepdims: Whether reduced axes stay, with size 1.

    Returns:
        Tensor of the dtype of `input_tensor`; over nothing, the smallest value of the dtype (-inf). The gradient of
        a tie is shared evenly.

    >>> reduce_max([[1, 5], [3, 4]], axis=1).numpy()
    array([5, 4], dtype=int32)
    """
    low = -np.inf if input_tensor.dtype.kind not in "iu" else np.iinfo(input_tensor.dtype).min
    return _extreme(reducers(xp)[0], input_tensor, axis, keepdims, low, "Max")


def _extreme(function, x, axis, keepdims, empty, op):
    axes = _axes(x, axis, op)
    if axes == ():
        return x
    if x.size:
        return function(x, axis=axes, keepdims=keepdims)
    return function(x, axis=axes, keepdims=keepdims, initial=empty)


def _extreme_vjp(dy, y, x, axis, keepdims):
    hit = cast(equal(x, spread(y, x, axis, keepdims)), x.dtype)
    ties = reduce_sum(hit, axis=axis, keepdims=True)
    return multiply(real_divide(hit, ties), spread(dy, x, axis, keepdims))


@reduce_max.vjp
def reduce_max_vjp(dy, y, x, *, axis, keepdims):
    return _extreme_vjp(dy, y, x, axis, keepdims)


@reduction(label="Min", kinds="iuf", aliases=NAMES)
def reduce_min(xp, input_tensor, *, axis: Axis = None, keepdims: bool = False):
    """Smallest element over the axes in `axis`; nan when there is one.

    Args:
        input_tensor: Real tensor.
        axis: Axis or axes, 0-based. Default all.
        keepdims: Whether reduced axes stay, with size 1.

    Returns:
        Tensor of the dtype of `input_tensor`. The gradient of a tie is shared evenly.

    >>> reduce_min([[1, 5], [3, 4]], axis=1).numpy()
    array([1, 3], dtype=int32)
    """
    high = np.inf if input_tensor.dtype.kind not in "iu" else np.iinfo(input_tensor.dtype).max
    return _extreme(reducers(xp)[1], input_tensor, axis, keepdims, high, "Min")


@reduce_min.vjp
def reduce_min_vjp(dy, y, x, *, axis, keepdims):
    return _extreme_vjp(dy, y, x, axis, keepdims)


@reduction(label="Any", kinds="b", differentiable=False, aliases=NAMES)
def reduce_any(xp, input_tensor, *, axis: Axis = None, keepdims: bool = False):
    """Whether any element over the axes in `axis` is true.

    Args:
        input_tensor: Boolean tensor.
        axis: Axis or axes, 0-based. Default all.
        keepdims: Whether reduced axes stay, with size 1.

    Returns:
        Boolean tensor.

    >>> reduce_any([True, False]).numpy()
    np.True_
    """
    return xp.any(input_tensor, axis=_axes(input_tensor, axis, "Any"), keepdims=keepdims)


@reduction(label="All", kinds="b", differentiable=False, aliases=NAMES)
def reduce_all(xp, input_tensor, *, axis: Axis = None, keepdims: bool = False):
    """Whether every element over the axes in `axis` is true.

    Args:
        input_tensor: Boolean tensor.
        axis: Axis or axes, 0-based. Default all.
        keepdims: Whether reduced axes stay, with size 1.

    Returns:
        Boolean tensor.

    >>> reduce_all([True, False]).numpy()
    np.False_
    """
    return xp.all(input_tensor, axis=_axes(input_tensor, axis, "All"), keepdims=keepdims)


@reduction(label="LogSumExp", kinds="f", aliases=NAMES)
def reduce_logsumexp(xp, input_tensor, *, axis: Axis = None, keepdims: bool = False):
    """`log(sum(exp(x)))` over the axes in `axis`, without overflow.

    Args:
        input_tensor: Floating tensor.
        axis: Axis or axes, 0-based. Default all.
        keepdims: Whether reduced axes stay, with size 1.

    Returns:
        Tensor of the dtype of `input_tensor`; -inf when all elements are -inf.

    >>> reduce_logsumexp([1000.0, 1000.0]).numpy()
    np.float32(1000.6931)
    """
    axes = _axes(input_tensor, axis, "LogSumExp")
    if not input_tensor.size:
        return xp.log(xp.sum(input_tensor, axis=axes, keepdims=keepdims, dtype=input_tensor.dtype))
    if input_tensor.dtype.itemsize == 2:  # the sum of many parts needs float32's digits
        wide = input_tensor.astype("float32")
        return reduce_logsumexp.forward(xp, wide, axis=axis, keepdims=keepdims).astype(
            input_tensor.dtype
        )
    largest, _, summed, _ = reducers(xp)
    top = largest(input_tensor, axis=axes, keepdims=True)
    top = xp.where(xp.isfinite(top), top, xp.zeros((), input_tensor.dtype))
    total = (
        xp.log(
            summed(xp.exp(input_tensor - top), axis=axes, keepdims=True, dtype=input_tensor.dtype)
        )
        + top
    )
    return total if keepdims else xp.sum(total, axis=axes, dtype=input_tensor.dtype)


@reduce_logsumexp.vjp
def reduce_logsumexp_vjp(dy, _y, x, *, axis, keepdims):
    # The softmax, from the largest element: `exp(x - y)` would lose the digits that y has rounded away.
    top = reduce_max(x, axis=axis, keepdims=True)
    top = stop_gradient(where(is_finite(top), top, zeros_like(top)))
    parts = exp(x - top)
    share = divide_no_nan(parts, reduce_sum(parts, axis=axis, keepdims=True))
    return multiply(spread(dy, x, axis, keepdims), share)


@op(label="ArgMax", kinds="iufb", differentiable=False, aliases={"dimension": "axis"})
def argmax(xp, input, *, axis: Axis = None, output_type: DType = dtypes.int64):
    """Position of the largest element along an axis; of ties, the first. NaN is never the largest.

    Args:
        input: Real tensor.
        axis: Axis, 0-based. Default 0.
        output_type: int64 (default) or int32.

    Returns:
        Tensor of positions, without the axis.

    >>> argmax([1, 5, 3]).numpy()
    np.int64(1)
    """
    return _arg(xp, True, input, axis, output_type)


@op(label="ArgMin", kinds="iufb", differentiable=False, aliases={"dimension": "axis"})
def argmin(xp, input, *, axis: Axis = None, output_type: DType = dtypes.int64):
    """Position of the smallest element along an axis; of ties, the first. NaN is never the smallest.

    Args:
        input: Real tensor.
        axis: Axis, 0-based. Default 0.
        output_type: int64 (default) or int32.

    Returns:
        Tensor of positions, without the axis.

    >>> argmin([4, 1, 3]).numpy()
    np.int64(1)
    """
    return _arg(xp, False, input, axis, output_type)


def _arg(xp, largest, x, axis, output_type):
    op, function = ("ArgMax", xp.argmax) if largest else ("ArgMin", xp.argmin)
    axis = 0 if axis is None else axis
    if not -x.ndim <= axis < x.ndim:
        raise errors.index_error(
            op, f"Expected dimension in the range [{-x.ndim}, {x.ndim}), but got {axis}."
        )
    if x.shape[axis] == 0:
        raise errors.shape_error(op, f"Reduction axis {axis} is empty in shape {list(x.shape)}.")
    found = function(x, axis=axis)
    if x.dtype.kind not in "iub":
        # NaN wins in NumPy. Here it compares with nothing, and loses.
        won = xp.take_along_axis(x, xp.expand_dims(found, axis), axis)
        if xp is not np or np.isnan(won).any():
            worst = xp.asarray(-np.inf if largest else np.inf, x.dtype)
            found = function(xp.where(xp.isnan(x), worst, x), axis=axis)
    return found.astype(output_type._numpy())


@argmax.samples
def argmax_samples(rng):
    yield (rng.normal(size=(3, 4)),), {"axis": 1}


@argmin.samples
def argmin_samples(rng):
    yield (rng.normal(size=(3, 4)),), {}
