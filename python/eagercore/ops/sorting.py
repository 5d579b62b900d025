"""Order: sorting, the largest, the different ones, and where numbers fall."""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np

from ..base import dtypes, errors
from ..base.shapes import TensorSpec
from ..core import coerce
from ..core.coerce import DType
from ..core.op import op
from ..core.tensor import convert
from .create import shape_of
from .shape import check_axis, reshape

TopKV2 = namedtuple("TopKV2", ("values", "indices"))
Unique = namedtuple("Unique", ("y", "idx"))
UniqueWithCounts = namedtuple("UniqueWithCounts", ("y", "idx", "count"))
ListDiff = namedtuple("ListDiff", ("out", "idx"))


@op(free=("indices",), label="TakeAlongAxis")
def take_along(xp, x, indices, *, axis: int = -1):
    """Elements of `x` at the positions `indices` along an axis, row by row.

    Args:
        x: Tensor.
        indices: Integer tensor whose shape is that of `x` but along `axis`.
        axis: Axis, 0-based. Default last.

    Returns:
        Tensor of the shape of `indices`.

    >>> take_along([[10, 20], [30, 40]], [[1], [0]]).numpy()
    array([[20],
           [30]], dtype=int32)
    """
    return xp.take_along_axis(x, indices.astype(np.int64), axis=axis)


@take_along.vjp
def take_along_vjp(dy, _y, _x, indices, *, axis):
    return add_along(dy, indices, size=shape_of(_x)[axis], axis=axis), None


@take_along.samples
def take_along_samples(rng):
    yield (rng.normal(size=(2, 4)), np.array([[3, 0, 0], [1, 2, 1]])), {}
    yield (rng.normal(size=(4, 2)), np.array([[3, 0], [1, 2]])), {"axis": 0}


@op(free=("indices",))
def add_along(xp, dy, indices, *, size: int, axis: int = -1):
    """Zeros to which `dy` is added at the positions `indices` along an axis, row by row.

    Args:
        dy: Tensor.
        indices: Integer tensor of the shape of `dy`.
        size: Size of the axis of the result.
        axis: Axis, 0-based. Default last.

    Returns:
        Tensor of the dtype of `dy`.

    >>> add_along([[5.0, 6.0]], [[1, 1]], size=3).numpy()
    array([[ 0., 11.,  0.]], dtype=float32)
    """
    last, places = np.moveaxis(dy, axis, -1), np.moveaxis(indices, axis, -1)
    lead = last.shape[:-1]
    rows = int(np.prod(lead, dtype=np.int64))
    out = np.zeros((rows, size), dy.dtype)
    row = np.repeat(np.arange(rows), last.shape[-1])
    np.add.at(out, (row, places.reshape(-1)), last.reshape(-1))
    return np.moveaxis(out.reshape(*lead, size), -1, axis)


@add_along.vjp
def add_along_vjp(ddx, _dx, _dy, indices, *, size, axis):
    return take_along(ddx, indices, axis=axis), None


@add_along.samples
def add_along_samples(rng):
    yield (rng.normal(size=(2, 3)), np.array([[3, 0, 0], [1, 2, 1]])), {"size": 4}


@op(differentiable=False, kinds="iufb", label="ArgSort")
def argsort_op(xp, values, *, axis: int = -1, descending: bool = False):
    """Positions that sort a tensor along an axis; equal elements keep their order.

    Args:
        values: Real tensor.
        axis: Axis, 0-based. Default last.
        descending: Whether the largest comes first.

    Returns:
        int32 tensor of the shape of `values`.

    >>> argsort_op([3, 1, 2]).numpy()
    array([1, 2, 0], dtype=int32)
    """
    if not descending:
        return np.argsort(values, axis=axis, kind="stable").astype(np.int32)
    size = values.shape[axis]
    backwards = np.argsort(np.flip(values, axis), axis=axis, kind="stable")
    return (size - 1 - np.flip(backwards, axis)).astype(np.int32)


@argsort_op.samples
def argsort_samples(rng):
    yield (rng.normal(size=(2, 4)),), {}
    yield (rng.normal(size=(4, 2)),), {"axis": 0, "descending": True}


def _descending(direction):
    if direction not in ("ASCENDING", "DESCENDING"):
        raise ValueError(
            f"Unrecognized direction: {direction!r}. It must be 'ASCENDING' or 'DESCENDING'."
        )
    return direction == "DESCENDING"


def argsort(values, axis=-1, direction="ASCENDING", stable=False, name=None):
    """Positions that sort a tensor along an axis.

    Args:
        values: Real tensor of rank 1 at least.
        axis: Axis, 0-based. Default last.
        direction: "ASCENDING" (default) or "DESCENDING".
        stable: Accepted for TensorFlow's sake: equal elements always keep their order.
        name: Accepted for TensorFlow's sake.

    Returns:
        int32 tensor of the shape of `values`.

    Raises:
        ValueError: If the direction is unknown.

    >>> argsort([3, 1, 2], direction="DESCENDING").numpy()
    array([0, 2, 1], dtype=int32)
    """
    values = convert(values)
    axis = check_axis(values.shape.rank, coerce.as_int(axis, "argsort", "axis"), "ArgSort")
    return argsort_op(values, axis=axis, descending=_descending(direction))


def sort(values, axis=-1, direction="ASCENDING", name=None):
    """A tensor sorted along an axis.

    Args:
        values: Real tensor of rank 1 at least.
        axis: Axis, 0-based. Default last.
        direction: "ASCENDING" (default) or "DESCENDING".
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape and dtype of `values`; gradients flow to where the elements came from.

    Raises:
        ValueError: If the direction is unknown.

    >>> sort([3, 1, 2]).numpy()
    array([1, 2, 3], dtype=int32)
    """
    values = convert(values)
    axis = check_axis(values.shape.rank, coerce.as_int(axis, "sort", "axis"), "Sort")
    order = argsort_op(values, axis=axis, descending=_descending(direction))
    return take_along(values, order, axis=axis)


@op(kinds="iuf", outputs=2, label="TopKV2")
def top_k_op(xp, input, *, k: int = 1, index_type: DType = dtypes.int32):
    """The `k` largest elements along the last axis, largest first, and their positions.

    Args:
        input: Real tensor of rank 1 at least.
        k: How many.
        index_type: int32 (default), int64 or int16.

    Returns:
        List of two tensors [..., k]: values and positions; of equal ones the first comes first.

    >>> [t.numpy().tolist() for t in top_k_op([1, 3, 2], k=2)]
    [[3, 2], [1, 2]]
    """
    if input.ndim < 1:
        raise errors.shape_error("TopKV2", "input must be at least rank 1 but is rank 0.")
    size = input.shape[-1]
    if not 0 <= k <= size:
        raise errors.value_error(
            "TopKV2", f"input must have at least k columns. Had {size}, needed {k}."
        )
    backwards = np.argsort(input[..., ::-1], axis=-1, kind="stable")
    places = (size - 1 - backwards[..., ::-1])[..., :k]
    return np.take_along_axis(input, places, axis=-1), places.astype(index_type._numpy())


@top_k_op.vjp
def top_k_vjp(dy, y, _x, *, k, index_type):
    return add_along(dy[0], y[1], size=shape_of(_x)[-1])


@top_k_op.shape_rule
def top_k_rule(input, *, k, index_type):
    if input.shape.rank is None:
        return TensorSpec(None, input.dtype), TensorSpec(None, index_type)
    dims = [*input.shape[:-1], k if isinstance(k, int) else None]
    return TensorSpec(dims, input.dtype), TensorSpec(dims, index_type)


@top_k_op.samples
def top_k_samples(rng):
    yield (rng.normal(size=(2, 5)),), {"k": 3}
    yield (rng.normal(size=(4,)),), {}


def top_k(input, k=1, sorted=True, index_type=dtypes.int32, name=None):
    """The `k` largest elements along the last axis, largest first, and their positions.

    Args:
        input: Real tensor of rank 1 at least.
        k: How many. Default 1.
        sorted: Accepted for TensorFlow's sake: the result is always sorted.
        index_type: int32 (default), int64 or int16.
        name: Accepted for TensorFlow's sake.

    Returns:
        Named tuple (values, indices) of tensors [..., k]; of equal elements the first comes first.

    Raises:
        InvalidArgumentError: If there are fewer than `k` elements.

    >>> top_k([1, 3, 2], k=2).values.numpy()
    array([3, 2], dtype=int32)
    """
    return TopKV2(*top_k_op(input, k=k, index_type=index_type))


def approx_max_k(
    operand, k, reduction_dimension=-1, recall_target=0.95, reduction_input_size_override=-1,
    aggregate_to_topk=True, name=None,
):  # fmt: skip
    """The `k` largest elements along an axis and their positions (exact here).

    Args:
        operand: Floating tensor.
        k: How many.
        reduction_dimension: Axis, 0-based. Default last.
        recall_target: Accepted for TensorFlow's sake.
        reduction_input_size_override: Accepted for TensorFlow's sake.
        aggregate_to_topk: Accepted for TensorFlow's sake.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tuple (values, positions).

    >>> approx_max_k([1.0, 3.0, 2.0], 2)[0].numpy()
    array([3., 2.], dtype=float32)
    """
    return _extreme_k(operand, k, reduction_dimension, True)


def approx_min_k(
    operand, k, reduction_dimension=-1, recall_target=0.95, reduction_input_size_override=-1,
    aggregate_to_topk=True, name=None,
):  # fmt: skip
    """The `k` smallest elements along an axis and their positions (exact here).

    Args:
        operand: Floating tensor.
        k: How many.
        reduction_dimension: Axis, 0-based. Default last.
        recall_target: Accepted for TensorFlow's sake.
        reduction_input_size_override: Accepted for TensorFlow's sake.
        aggregate_to_topk: Accepted for TensorFlow's sake.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tuple (values, positions).

    >>> approx_min_k([1.0, 3.0, 2.0], 2)[0].numpy()
    array([1., 2.], dtype=float32)
    """
    return _extreme_k(operand, k, reduction_dimension, False)


def _extreme_k(x, k, axis, largest):
    x = convert(x)
    axis = check_axis(x.shape.rank, axis, "ApproxTopK")
    order = argsort_op(x, axis=axis, descending=largest)
    key = tuple([slice(None)] * axis + [slice(0, int(k))])
    places = order[key]
    return take_along(x, places, axis=axis), places


@op(differentiable=False, free=("targets",), label="InTopKV2")
def in_top_k_op(xp, targets, predictions, *, k: int):
    """Whether each target is among the `k` classes of the largest predictions.

    Args:
        targets: Integer tensor [n] of classes.
        predictions: Floating tensor [n, classes].
        k: How many.

    Returns:
        Boolean tensor [n]; ties count as in, nan and infinite predictions of the target as out.

    >>> in_top_k_op([1], [[0.1, 0.8, 0.1]], k=1).numpy()
    array([ True])
    """
    count = predictions.shape[-1]
    inside = (targets >= 0) & (targets < count)
    own = np.take_along_axis(
        predictions, np.where(inside, targets, 0)[:, None].astype(np.int64), axis=-1
    )
    larger = (predictions > own).sum(axis=-1)
    return inside & (larger < k) & np.isfinite(own[:, 0]) & np.isfinite(predictions).all(axis=-1)


@in_top_k_op.shape_rule
def in_top_k_rule(targets, predictions, *, k):
    return TensorSpec(targets.shape, dtypes.bool_)


@in_top_k_op.samples
def in_top_k_samples(rng):
    yield (np.array([1, 0]), rng.normal(size=(2, 3))), {"k": 2}


def in_top_k(targets, predictions, k, name=None):
    """Whether each target is among the `k` classes of the largest predictions.

    Args:
        targets: Integer tensor [n] of classes.
        predictions: Floating tensor [n, classes].
        k: How many.
        name: Accepted for TensorFlow's sake.

    Returns:
        Boolean tensor [n]; ties count as in.

    >>> in_top_k([1], [[0.1, 0.8, 0.1]], 1).numpy()
    array([ True])
    """
    targets, predictions = convert(targets), convert(predictions)
    if predictions.dtype.is_integer and targets.dtype.is_floating:
        targets, predictions = predictions, targets  # TensorFlow 1's order (predictions, targets)
    return in_top_k_op(targets, predictions, k=k)


@op(differentiable=False, outputs=3, label="UniqueWithCounts", data_dependent=True)
def unique_op(xp, x, *, out_idx: DType = dtypes.int32):
    """The different elements in the order in which they come first, where each is, and how often. No NaN equals one.

    Args:
        x: Tensor [n].
        out_idx: dtype of positions and counts: int32 (default) or int64.

    Returns:
        List of three tensors: the different elements [m], positions in them [n], counts [m].

    >>> [t.numpy().tolist() for t in unique_op([7, 5, 7])]
    [[7, 5], [0, 1, 0], [2, 1]]
    """
    if x.ndim != 1:
        raise errors.shape_error(
            "Unique", f"unique expects a 1D vector, got shape {list(x.shape)}."
        )
    values, first, inverse, counts = np.unique(
        x, return_index=True, return_inverse=True, return_counts=True, equal_nan=False
    )
    order = np.argsort(first, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    kind = out_idx._numpy()
    return values[order], rank[inverse.reshape(-1)].astype(kind), counts[order].astype(kind)


@unique_op.shape_rule
def unique_rule(x, *, out_idx):
    return TensorSpec([None], x.dtype), TensorSpec(x.shape, out_idx), TensorSpec([None], out_idx)


@unique_op.samples
def unique_samples(rng):
    yield (np.array([3, 1, 3, 2, 1]),), {}
    yield (np.array([b"b", b"a", b"b"], object),), {"out_idx": dtypes.int64}


def unique(x, out_idx=dtypes.int32, name=None):
    """The different elements, in the order in which they come first.

    Args:
        x: Tensor [n].
        out_idx: dtype of the positions: int32 (default) or int64.
        name: Accepted for TensorFlow's sake.

    Returns:
        Named tuple (y, idx): the different elements, and for each element of `x` its position in `y`.

    Raises:
        InvalidArgumentError: If `x` is no vector.

    >>> unique([7, 5, 7]).y.numpy()
    array([7, 5], dtype=int32)
    """
    return Unique(*unique_op(x, out_idx=out_idx)[:2])


def unique_with_counts(x, out_idx=dtypes.int32, name=None):
    """The different elements, in the order in which they come first, and how often each comes.

    Args:
        x: Tensor [n].
        out_idx: dtype of positions and counts: int32 (default) or int64.
        name: Accepted for TensorFlow's sake.

    Returns:
        Named tuple (y, idx, count).

    Raises:
        InvalidArgumentError: If `x` is no vector.

    >>> unique_with_counts([7, 5, 7]).count.numpy()
    array([2, 1], dtype=int32)
    """
    return UniqueWithCounts(*unique_op(x, out_idx=out_idx))


@op(differentiable=False, outputs=2, label="ListDiff", data_dependent=True)
def list_difference(xp, x, y, *, out_idx: DType = dtypes.int32):
    """The elements of `x` that are not in `y`, in order, and where they stand.

    Args:
        x: Tensor [n].
        y: Tensor [m] of the same dtype.
        out_idx: dtype of the positions.

    Returns:
        List of two tensors: elements and positions.

    >>> [t.numpy().tolist() for t in list_difference([1, 2, 3], [2])]
    [[1, 3], [0, 2]]
    """
    keep = np.flatnonzero(~np.isin(x, y))
    return x[keep], keep.astype(out_idx._numpy())


@list_difference.shape_rule
def list_difference_rule(x, y, *, out_idx):
    return TensorSpec([None], x.dtype), TensorSpec([None], out_idx)


@list_difference.samples
def list_difference_samples(rng):
    yield (np.array([3, 1, 3, 2, 1]), np.array([1, 5])), {}


def setdiff1d(x, y, index_dtype=dtypes.int32, name=None):
    """The elements of `x` that are not in `y`, in order, and where they stand.

    Args:
        x: Tensor [n].
        y: Tensor [m] of the same dtype.
        index_dtype: dtype of the positions.
        name: Accepted for TensorFlow's sake.

    Returns:
        Named tuple (out, idx).

    >>> setdiff1d([1, 2, 3], [2]).out.numpy()
    array([1, 3], dtype=int32)
    """
    return ListDiff(*list_difference(x, y, out_idx=index_dtype))


@op(differentiable=False, kinds="iuf", label="SearchSorted")
def searchsorted_op(
    xp, sorted_sequence, values, *, side: str = "left", out_type: DType = dtypes.int32
):
    """Where values would be inserted into sorted rows.

    Args:
        sorted_sequence: Real tensor [..., n], sorted along the last axis.
        values: Tensor [..., m] of the same dtype and leading shape.
        side: "left" (before equal elements) or "right".
        out_type: int32 (default) or int64.

    Returns:
        Tensor of positions of the shape of `values`.

    >>> searchsorted_op([1, 3, 5], [3, 4]).numpy()
    array([1, 2], dtype=int32)
    """
    count = math.prod(sorted_sequence.shape[:-1])
    rows = sorted_sequence.reshape(count, sorted_sequence.shape[-1])
    wanted = values.reshape(count, values.shape[-1])
    found = np.array(
        [np.searchsorted(r, v, side=side) for r, v in zip(rows, wanted, strict=True)],
        out_type._numpy(),
    ).reshape(values.shape)
    if side == "left":
        # No element is less than NaN.
        found[values != values] = 0
    return found


@searchsorted_op.shape_rule
def searchsorted_rule(sorted_sequence, values, *, side, out_type):
    return TensorSpec(values.shape, out_type)


@searchsorted_op.samples
def searchsorted_samples(rng):
    yield (np.sort(rng.normal(size=(2, 5))), rng.normal(size=(2, 3))), {}
    yield (np.array([1.0, 2.0, 2.0]), np.array([2.0])), {"side": "right", "out_type": dtypes.int64}


def searchsorted(sorted_sequence, values, side="left", out_type=dtypes.int32, name=None):
    """Where values would be inserted into sorted rows so that these stay sorted.

    Args:
        sorted_sequence: Real tensor [..., n], sorted along the last axis.
        values: Tensor [..., m] of the same dtype and leading shape.
        side: "left" (before equal elements, default) or "right".
        out_type: int32 (default) or int64.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of positions of the shape of `values`.

    Raises:
        ValueError: If the side is unknown.

    >>> searchsorted([1, 3, 5], [3, 4]).numpy()
    array([1, 2], dtype=int32)
    """
    if side not in ("left", "right"):
        raise ValueError(f"side must be either 'right' or 'left'. Saw: {side}.")
    return searchsorted_op(sorted_sequence, values, side=side, out_type=out_type)


@op(differentiable=False, kinds="i", label="InvertPermutation")
def invert_permutation(xp, x):
    """The permutation that undoes `x`.

    Args:
        x: int32 or int64 tensor [n] that holds each of 0 ... n - 1 once.

    Returns:
        Tensor of the same shape and dtype.

    Raises:
        InvalidArgumentError: If `x` is no permutation.

    >>> invert_permutation([2, 0, 1]).numpy()
    array([1, 2, 0], dtype=int32)
    """
    if x.ndim != 1 or not np.array_equal(np.sort(x), np.arange(x.size)):
        raise errors.value_error(
            "InvertPermutation", f"{x.tolist()} is not a permutation of 0 ... {x.size - 1}."
        )
    out = np.empty_like(x)
    out[x] = np.arange(x.size, dtype=x.dtype)
    return out


@invert_permutation.shape_rule
def invert_permutation_rule(x):
    return x


@invert_permutation.samples
def invert_permutation_samples(rng):
    yield (np.array([2, 0, 3, 1], np.int32),), {}


@op(differentiable=False, kinds="iuf", free=("value_range",), label="HistogramFixedWidthBins")
def histogram_bins(xp, values, value_range, *, nbins: int = 100, dtype: DType = dtypes.int32):
    """The bin, of equal ones between two bounds, into which each number falls.

    Args:
        values: Real tensor.
        value_range: Tensor [2]: lower and upper bound; what lies outside falls into the outer bins.
        nbins: Number of bins. Default 100.
        dtype: int32 (default) or int64.

    Returns:
        Tensor of the shape of `values`.

    >>> histogram_bins([-1.0, 0.4, 2.0], [0.0, 1.0], nbins=4).numpy()
    array([0, 1, 3], dtype=int32)
    """
    low, high = (float(v) for v in value_range)
    if not low < high:
        raise errors.value_error(
            "HistogramFixedWidth",
            f"value_range should satisfy value_range[0] < value_range[1], got [{low}, {high}].",
        )
    place = np.floor(nbins * (values.astype(np.float64) - low) / (high - low))
    return np.clip(place, 0, nbins - 1).astype(dtype._numpy())


@histogram_bins.shape_rule
def histogram_bins_rule(values, value_range, *, nbins, dtype):
    return TensorSpec(values.shape, dtype)


@histogram_bins.samples
def histogram_bins_samples(rng):
    yield (rng.normal(size=(2, 3)), np.array([-1.0, 1.0])), {"nbins": 5}


def histogram_fixed_width_bins(values, value_range, nbins=100, dtype=dtypes.int32, name=None):
    """The bin, of equal ones between two bounds, into which each number falls.

    Args:
        values: Real tensor.
        value_range: Tensor [2]: lower and upper bound; what lies outside falls into the outer bins.
        nbins: Number of bins. Default 100.
        dtype: int32 (default) or int64.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape of `values`.

    >>> histogram_fixed_width_bins([-1.0, 0.4, 2.0], [0.0, 1.0], nbins=4).numpy()
    array([0, 1, 3], dtype=int32)
    """
    return histogram_bins(values, value_range, nbins=nbins, dtype=dtype)


def histogram_fixed_width(values, value_range, nbins=100, dtype=dtypes.int32, name=None):
    """How many numbers fall into each of equal bins between two bounds.

    Args:
        values: Real tensor.
        value_range: Tensor [2]: lower and upper bound; what lies outside falls into the outer bins.
        nbins: Number of bins. Default 100.
        dtype: int32 (default) or int64.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [nbins].

    >>> histogram_fixed_width([-1.0, 0.4, 2.0], [0.0, 1.0], nbins=4).numpy()
    array([1, 1, 0, 1], dtype=int32)
    """
    from .segment import bincount

    bins = reshape(histogram_bins(values, value_range, nbins=nbins), (-1,))
    return bincount(bins, minlength=nbins, maxlength=nbins, dtype=dtype)


def edit_distance(hypothesis, truth, normalize=True, name="edit_distance"):
    """Levenshtein's distance between sequences.

    Args:
        hypothesis: `SparseTensor` of sequences along its last axis.
        truth: `SparseTensor` of the same dtype and rank.
        normalize: Whether distances are divided by the length of the truth.
        name: Accepted for TensorFlow's sake.

    Returns:
        float32 tensor without the last axis.

    >>> from eagercore.ops.sparse import from_dense
    >>> edit_distance(from_dense([[1, 2, 3]]), from_dense([[1, 3]]), normalize=False).numpy()
    array([1.], dtype=float32)
    """
    found, wanted = _sequences(hypothesis), _sequences(truth)
    lead = np.maximum(
        np.asarray(hypothesis.dense_shape)[:-1], np.asarray(truth.dense_shape)[:-1]
    ).astype(int)
    out = np.zeros(tuple(lead), np.float32)
    for place in np.ndindex(*out.shape):
        one, two = found.get(place, []), wanted.get(place, [])
        distance = _levenshtein(one, two)
        if normalize:
            distance = distance / len(two) if two else (np.inf if one else 0.0)
        out[place] = distance
    return convert(out)


def _sequences(sparse):
    found: dict = {}
    indices, values = np.asarray(sparse.indices), np.asarray(sparse.values)
    for place, value in zip(indices, values, strict=True):
        found.setdefault(tuple(int(i) for i in place[:-1]), []).append(value)
    return found


def _levenshtein(one, two):
    row = list(range(len(two) + 1))
    for i, a in enumerate(one, 1):
        corner, row[0] = row[0], i
        for j, b in enumerate(two, 1):
            corner, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, corner + (a != b))
    return row[-1]
