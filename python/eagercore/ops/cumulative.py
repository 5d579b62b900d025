"""Running sums, products and recurrences along an axis."""

from __future__ import annotations

import numpy as np

from ..core import coerce
from ..core.op import op
from ..core.tensor import convert
from .arithmetic import _conj, multiply, subtract
from .exponential import exp
from .shape import check_axis, pad
from .slicing import strided_slice_op


def _accumulate(function, x, axis, exclusive, reverse, first):
    """`function.accumulate` from either end; exclusive ones begin with `first` and leave the last out."""
    axis = check_axis(x.ndim, axis, "Cumulative")
    if reverse:
        x = np.flip(x, axis)
    if exclusive:
        start = np.full_like(np.take(x, range(min(1, x.shape[axis])), axis), first)
        x = np.concatenate([start, x[(slice(None),) * axis + (slice(None, -1),)]], axis=axis)
    out = function.accumulate(x, axis=axis, dtype=x.dtype)
    return np.flip(out, axis) if reverse else out


@op(kinds="iufc", label="Cumsum")
def cumsum_op(xp, x, *, axis: int = 0, exclusive: bool = False, reverse: bool = False):
    """Running sum along an axis.

    Args:
        x: Tensor of numbers.
        axis: Axis, 0-based. Default 0.
        exclusive: Whether each sum leaves its own element out.
        reverse: Whether to sum from the end.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> cumsum_op([1, 2, 3], exclusive=True).numpy()
    array([0, 1, 3], dtype=int32)
    """
    return _accumulate(np.add, x, axis, exclusive, reverse, 0)


@cumsum_op.vjp
def cumsum_vjp(dy, _y, _x, *, axis, exclusive, reverse):
    return cumsum_op(dy, axis=axis, exclusive=exclusive, reverse=not reverse)


@cumsum_op.samples
def cumsum_samples(rng):
    yield (rng.normal(size=(2, 3)),), {"axis": 1}
    yield (rng.normal(size=(4,)),), {"exclusive": True}
    yield (rng.normal(size=(2, 3)),), {"axis": -1, "exclusive": True, "reverse": True}
    yield (rng.normal(size=(0,)),), {}


@op(kinds="iufc", label="Cumprod")
def cumprod_op(xp, x, *, axis: int = 0, exclusive: bool = False, reverse: bool = False):
    """Running product along an axis.

    Args:
        x: Tensor of numbers.
        axis: Axis, 0-based. Default 0.
        exclusive: Whether each product leaves its own element out.
        reverse: Whether to multiply from the end.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> cumprod_op([1, 2, 3]).numpy()
    array([1, 2, 6], dtype=int32)
    """
    return _accumulate(np.multiply, x, axis, exclusive, reverse, 1)


def _shift(x, axis, reverse):
    """Each element's successor (predecessor when reversed), 0 beyond the end."""
    rank = x.shape.rank
    axis = axis % rank
    border = [[0, 0]] * axis + [[1, 0] if reverse else [0, 1]] + [[0, 0]] * (rank - axis - 1)
    part = ("s", None, -1, None) if reverse else ("s", 1, None, None)
    key = (("s", None, None, None),) * axis + (part,)
    return strided_slice_op(pad(x, border), key=key)


@cumprod_op.vjp
def cumprod_vjp(dy, _y, x, *, axis, exclusive, reverse):
    # Without a division: before each element the product of those before it, and behind it a recurrence.
    x = _conj(x)
    before = cumprod_op(x, axis=axis, exclusive=True, reverse=reverse)
    weights = _shift(x, axis, reverse)
    terms = _shift(dy, axis, reverse) if exclusive else dy
    return multiply(before, linear_scan(terms, weights, axis=axis, reverse=not reverse))


@cumprod_op.samples
def cumprod_samples(rng):
    yield (rng.normal(size=(2, 3)),), {"axis": 1}
    yield (np.array([2.0, 0.0, 3.0, 0.5]),), {}
    yield (rng.normal(size=(4,)),), {"exclusive": True}
    yield (rng.normal(size=(2, 3)),), {"axis": 1, "exclusive": True, "reverse": True}
    yield (rng.normal(size=(3,)) + 1j,), {"reverse": True}


@op(kinds="fc")
def linear_scan(xp, terms, weights, *, axis: int = 0, reverse: bool = False):
    """The recurrence `s[k] = terms[k] + weights[k] * s[k - 1]` along an axis, with `s[-1] = 0`.

    Args:
        terms: Floating or complex tensor.
        weights: Tensor of the same shape and dtype.
        axis: Axis, 0-based. Default 0.
        reverse: Whether to run from the end: `s[k] = terms[k] + weights[k] * s[k + 1]`.

    Returns:
        Tensor of the shape and dtype of `terms`.

    >>> linear_scan([1.0, 1.0, 1.0], [0.5, 0.5, 0.5]).numpy()
    array([1.  , 1.5 , 1.75], dtype=float32)
    """
    axis = check_axis(terms.ndim, axis, "LinearScan")
    t, w = np.moveaxis(terms, axis, 0), np.moveaxis(weights, axis, 0)
    out = np.empty(t.shape, terms.dtype)
    last = np.zeros(t.shape[1:], terms.dtype)
    steps = range(len(t) - 1, -1, -1) if reverse else range(len(t))
    for k in steps:
        last = out[k] = t[k] + w[k] * last
    return np.moveaxis(out, 0, axis)


@linear_scan.vjp
def linear_scan_vjp(dy, y, _terms, weights, *, axis, reverse):
    back = linear_scan(dy, _conj(_shift(weights, axis, reverse)), axis=axis, reverse=not reverse)
    return back, multiply(back, _conj(_shift(y, axis, not reverse)))


@linear_scan.samples
def linear_scan_samples(rng):
    yield (rng.normal(size=(2, 4)), rng.normal(size=(2, 4))), {"axis": 1}
    yield (rng.normal(size=(4, 2)), rng.normal(size=(4, 2))), {"reverse": True}


@op(kinds="f", label="CumulativeLogsumexp")
def cumulative_logsumexp_op(
    xp, x, *, axis: int = 0, exclusive: bool = False, reverse: bool = False
):
    """`log(cumsum(exp(x)))` along an axis, without overflow.

    Args:
        x: Floating tensor.
        axis: Axis, 0-based. Default 0.
        exclusive: Whether each sum leaves its own element out; the first is then -inf.
        reverse: Whether to sum from the end.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> cumulative_logsumexp_op([0.0, 0.0]).numpy()
    array([0.       , 0.6931472], dtype=float32)
    """
    return _accumulate(np.logaddexp, x, axis, exclusive, reverse, -np.inf)


@cumulative_logsumexp_op.vjp
def cumulative_logsumexp_vjp(dy, y, x, *, axis, exclusive, reverse):
    # dx[k] = sum of dy[i] exp(x[k] - y[i]) over the i that k enters: as a recurrence whose factors are below 1.
    weights = exp(subtract(y, _shift_to_top(y, axis, reverse)))
    total = linear_scan(dy, weights, axis=axis, reverse=not reverse)
    if exclusive:
        y, total = _shift_to_top(y, axis, reverse), _shift(total, axis, reverse)
    return multiply(exp(subtract(x, y)), total)


def _shift_to_top(x, axis, reverse):
    """As `_shift`, with the largest number beyond the end, so that its exponential is 0."""
    rank = x.shape.rank
    axis = axis % rank
    border = [[0, 0]] * axis + [[1, 0] if reverse else [0, 1]] + [[0, 0]] * (rank - axis - 1)
    part = ("s", None, -1, None) if reverse else ("s", 1, None, None)
    key = (("s", None, None, None),) * axis + (part,)
    return strided_slice_op(pad(x, border, constant_values=float("inf")), key=key)


@cumulative_logsumexp_op.samples
def cumulative_logsumexp_samples(rng):
    yield (rng.normal(size=(2, 3)),), {"axis": 1}
    yield (rng.normal(size=(4,)),), {"reverse": True}
    yield (rng.normal(size=(4,)),), {"exclusive": True}


def cumsum(x, axis=0, exclusive=False, reverse=False, name=None):
    """Running sum along an axis.

    Args:
        x: Tensor of numbers.
        axis: Axis, 0-based. Default 0.
        exclusive: Whether each sum leaves its own element out.
        reverse: Whether to sum from the end.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the axis is out of range.

    >>> cumsum([1, 2, 3]).numpy()
    array([1, 3, 6], dtype=int32)
    """
    return cumsum_op(x, axis=axis, exclusive=exclusive, reverse=reverse)


def cumprod(x, axis=0, exclusive=False, reverse=False, name=None):
    """Running product along an axis; its gradient is right where elements are 0.

    Args:
        x: Tensor of numbers.
        axis: Axis, 0-based. Default 0.
        exclusive: Whether each product leaves its own element out.
        reverse: Whether to multiply from the end.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the axis is out of range.

    >>> cumprod([1, 2, 3]).numpy()
    array([1, 2, 6], dtype=int32)
    """
    return cumprod_op(x, axis=axis, exclusive=exclusive, reverse=reverse)


def cumulative_logsumexp(x, axis=0, exclusive=False, reverse=False, name=None):
    """`log(cumsum(exp(x)))` along an axis, without overflow.

    Args:
        x: Floating tensor.
        axis: Axis, 0-based. Default 0.
        exclusive: Whether each sum leaves its own element out; the first is then -inf.
        reverse: Whether to sum from the end.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> cumulative_logsumexp([0.0, 0.0]).numpy()
    array([0.       , 0.6931472], dtype=float32)
    """
    return cumulative_logsumexp_op(
        convert(x),
        axis=coerce.as_int(axis, "cumulative_logsumexp", "axis"),
        exclusive=exclusive,
        reverse=reverse,
    )
