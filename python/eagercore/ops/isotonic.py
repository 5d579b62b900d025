"""Isotonic regression: the nearest sequence that never rises (or never falls)."""

from __future__ import annotations

import numpy as np

from ..base import dtypes, errors
from ..base.shapes import TensorSpec
from ..core.op import op
from ..core.tensor import convert
from .arithmetic import negative
from .shape import check_axis, reshape, transpose


def _pool_adjacent(values):
    """The nearest non-increasing sequence, and which run of equal values each element belongs to."""
    sums, counts = [], []
    for v in values:
        total, count = float(v), 1
        while sums and sums[-1] * count < total * counts[-1]:
            total, count = total + sums.pop(), count + counts.pop()
        sums.append(total)
        counts.append(count)
    means = [s / c for s, c in zip(sums, counts, strict=True)]
    return np.repeat(means, counts), np.repeat(np.arange(len(counts)), counts)


@op(kinds="f", outputs=2, label="IsotonicRegression")
def isotonic_op(xp, input):
    """The nearest non-increasing rows, and the runs of equal values they are made of.

    Args:
        input: Floating tensor [rows, n].

    Returns:
        List of two tensors [rows, n]: values, and int32 numbers of the runs.

    >>> isotonic_op([[3.0, 1.0, 2.0]])[0].numpy()
    array([[3. , 1.5, 1.5]], dtype=float32)
    """
    if input.ndim != 2:
        raise errors.shape_error(
            "IsotonicRegression", f"the input must have rank 2, got {list(input.shape)}."
        )
    found = [_pool_adjacent(row) for row in input]
    values = np.array([f[0] for f in found], input.dtype).reshape(input.shape)
    return values, np.array([f[1] for f in found], np.int32).reshape(input.shape)


@isotonic_op.vjp
def isotonic_vjp(dy, y, _x):
    return mean_of_runs(dy[0], y[1])


@op(kinds="f", free=("runs",))
def mean_of_runs(xp, x, runs):
    """Each element replaced by the mean of its run.

    Args:
        x: Floating tensor [rows, n].
        runs: Integer tensor [rows, n]: numbers of the runs, which never fall.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> mean_of_runs([[1.0, 3.0, 5.0]], [[0, 0, 1]]).numpy()
    array([[2., 2., 5.]], dtype=float32)
    """
    out = np.empty_like(x)
    for row, ids, made in zip(x, runs, out, strict=True):
        totals, counts = np.bincount(ids, weights=row), np.bincount(ids)
        made[:] = (totals / np.maximum(counts, 1))[ids]
    return out


@mean_of_runs.vjp
def mean_of_runs_vjp(dy, _y, _x, runs):
    return mean_of_runs(dy, runs), None


@mean_of_runs.shape_rule
def mean_of_runs_rule(x, runs):
    return x


@mean_of_runs.samples
def mean_of_runs_samples(rng):
    yield (rng.normal(size=(2, 4)), np.array([[0, 0, 1, 1], [0, 1, 1, 1]])), {}


@isotonic_op.samples
def isotonic_samples(rng):
    yield (rng.normal(size=(2, 5)),), {}


@isotonic_op.shape_rule
def isotonic_rule(input):
    return input, TensorSpec(input.shape, dtypes.int32)


def isotonic_regression(inputs, decreasing=True, axis=-1):
    """The nearest sequence, in the sum of squares, that never rises (or never falls).

    Args:
        inputs: Floating tensor.
        decreasing: Whether it never rises (default), else it never falls.
        axis: Axis, 0-based. Default last.

    Returns:
        Tuple (tensor of the shape of `inputs`, int32 tensor of the numbers of the runs of equal values).

    >>> isotonic_regression([3.0, 1.0, 2.0])[0].numpy()
    array([3. , 1.5, 1.5], dtype=float32)
    """
    x = convert(inputs)
    rank = x.shape.rank
    axis = check_axis(rank, int(axis), "IsotonicRegression")
    order = [i for i in range(rank) if i != axis] + [axis]
    back = [order.index(i) for i in range(rank)]
    moved = transpose(x, order)
    flat = reshape(moved if decreasing else negative(moved), (-1, x.shape[axis]))
    values, runs = isotonic_op(flat)
    shape = tuple(moved.shape)
    values = transpose(reshape(values, shape), back)
    return (values if decreasing else negative(values)), transpose(reshape(runs, shape), back)
