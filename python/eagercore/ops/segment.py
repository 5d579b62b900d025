"""Reductions by groups: each element says to which segment it belongs."""

from __future__ import annotations

import numpy as np

from ..base import dtypes, errors
from ..base.shapes import TensorSpec
from ..core import coerce
from ..core import slices as rows
from ..core.coerce import DType
from ..core.op import op
from ..core.tensor import convert
from .arithmetic import _conj, divide_no_nan, maximum, multiply, real_divide
from .compare import equal, greater_equal
from .create import cast, ones_like, shape_of, zeros_like
from .exponential import sqrt
from .select import where
from .shape import reshape


def _flat(data, segment_ids, name):
    """Data as [n, rest...] and ids as [n], without those that are negative."""
    lead = segment_ids.shape
    if data.shape[: len(lead)] != lead:
        raise errors.shape_error(
            name,
            f"data.shape = {list(data.shape)} does not start with segment_ids.shape = {list(lead)}.",
        )
    ids = segment_ids.reshape(-1)
    values = np.ascontiguousarray(data).reshape(ids.size, *data.shape[len(lead) :])
    keep = ids >= 0
    return (values, ids) if keep.all() else (values[keep], ids[keep])


def _check(ids, num_segments, name):
    if ids.size and ids.max() >= num_segments:
        raise errors.index_error(
            name, f"segment id {int(ids.max())} is not in [0, {num_segments})."
        )


def _grouped(function, data, segment_ids, num_segments, empty, name):
    """`function.reduceat` over the elements of each segment; `empty` where there are none."""
    values, ids = _flat(data, segment_ids, name)
    _check(ids, num_segments, name)
    out = np.full((num_segments, *values.shape[1:]), empty, data.dtype)
    if ids.size:
        order = np.argsort(ids, kind="stable")
        ordered = ids[order]
        starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
        out[ordered[starts]] = function.reduceat(values[order], starts, axis=0)
    return out


def _rule(data, segment_ids, *, num_segments):
    count = num_segments if isinstance(num_segments, int) else None
    if data.shape.rank is None or segment_ids.shape.rank is None:
        return TensorSpec(None, data.dtype)
    return TensorSpec([count, *data.shape[segment_ids.shape.rank :]], data.dtype)


def _samples(rng):
    yield (rng.normal(size=(4, 2)), np.array([0, 2, 0, 0])), {"num_segments": 3}
    yield (rng.normal(size=(4,)), np.array([1, -1, 0, 1])), {"num_segments": 2}
    yield (rng.normal(size=(2, 2, 3)), np.array([[0, 1], [1, 3]])), {"num_segments": 4}


def _pick(values, segment_ids):
    """For each element what its segment has; 0 for elements of no segment."""
    from .index import gather_op

    inside = greater_equal(segment_ids, zeros_like(segment_ids))
    picked = gather_op(values, maximum(segment_ids, zeros_like(segment_ids)), axis=0)
    extra = picked.shape.rank - segment_ids.shape.rank
    if extra:
        inside = reshape(inside, (*shape_of(inside), *[1] * extra))
    return where(inside, picked, zeros_like(picked))


@op(kinds="iufc", free=("segment_ids",), label="UnsortedSegmentSum")
def unsorted_segment_sum(xp, data, segment_ids, *, num_segments: int):
    """Sum of the elements of each segment.

    Args:
        data: Tensor of numbers.
        segment_ids: Integer tensor whose shape is the beginning of that of `data`; negative ones are left out.
        num_segments: Number of segments.

    Returns:
        Tensor [num_segments, rest of the shape of `data`]; 0 for empty segments.

    Raises:
        InvalidArgumentError: If an id is too large, or the shapes do not fit.

    >>> unsorted_segment_sum([1, 2, 3], [0, 1, 0], 2).numpy()
    array([4, 2], dtype=int32)
    """
    values, ids = _flat(data, segment_ids, "UnsortedSegmentSum")
    _check(ids, num_segments, "UnsortedSegmentSum")
    return rows.segment_sum(values, ids, num_segments)


@unsorted_segment_sum.vjp
def unsorted_segment_sum_vjp(dy, _y, _data, segment_ids, *, num_segments):
    return _pick(dy, segment_ids), None


@op(kinds="iufc", free=("segment_ids",), label="UnsortedSegmentProd")
def unsorted_segment_prod(xp, data, segment_ids, *, num_segments: int):
    """Product of the elements of each segment.

    Args:
        data: Tensor of numbers.
        segment_ids: Integer tensor whose shape is the beginning of that of `data`; negative ones are left out.
        num_segments: Number of segments.

    Returns:
        Tensor [num_segments, rest of the shape of `data`]; 1 for empty segments.

    >>> unsorted_segment_prod([1, 2, 3], [0, 1, 0], 2).numpy()
    array([3, 2], dtype=int32)
    """
    return _grouped(np.multiply, data, segment_ids, num_segments, 1, "UnsortedSegmentProd")


@unsorted_segment_prod.vjp
def unsorted_segment_prod_vjp(dy, _y, data, segment_ids, *, num_segments):
    # The product of the others, right where one or more of a segment are 0.
    data = _conj(data)
    zero = equal(data, zeros_like(data))
    safe = where(zero, ones_like(data), data)
    product = unsorted_segment_prod(safe, segment_ids, num_segments=num_segments)
    zeros = unsorted_segment_sum(cast(zero, data.dtype), segment_ids, num_segments=num_segments)
    product, zeros = _pick(product, segment_ids), _pick(zeros, segment_ids)
    others = where(equal(zeros, zeros_like(zeros)), real_divide(product, safe), zeros_like(data))
    single = where(equal(zeros, ones_like(zeros)), product, zeros_like(data))
    return multiply(_pick(dy, segment_ids), where(zero, single, others)), None


@op(kinds="iuf", free=("segment_ids",), label="UnsortedSegmentMax")
def unsorted_segment_max(xp, data, segment_ids, *, num_segments: int):
    """Largest element of each segment.

    Args:
        data: Real tensor.
        segment_ids: Integer tensor whose shape is the beginning of that of `data`; negative ones are left out.
        num_segments: Number of segments.

    Returns:
        Tensor [num_segments, rest of the shape of `data`]; the dtype's smallest number for empty segments.

    >>> unsorted_segment_max([1, 2, 3], [0, 1, 0], 2).numpy()
    array([3, 2], dtype=int32)
    """
    empty = dtypes.of_array(data).min
    return _grouped(np.maximum, data, segment_ids, num_segments, empty, "UnsortedSegmentMax")


@op(kinds="iuf", free=("segment_ids",), label="UnsortedSegmentMin")
def unsorted_segment_min(xp, data, segment_ids, *, num_segments: int):
    """Smallest element of each segment.

    Args:
        data: Real tensor.
        segment_ids: Integer tensor whose shape is the beginning of that of `data`; negative ones are left out.
        num_segments: Number of segments.

    Returns:
        Tensor [num_segments, rest of the shape of `data`]; the dtype's largest number for empty segments.

    >>> unsorted_segment_min([1, 2, 3], [0, 1, 0], 2).numpy()
    array([1, 2], dtype=int32)
    """
    empty = dtypes.of_array(data).max
    return _grouped(np.minimum, data, segment_ids, num_segments, empty, "UnsortedSegmentMin")


def _extreme_vjp(dy, y, data, segment_ids, *, num_segments):
    """Ties share evenly."""
    hit = cast(equal(data, _pick(y, segment_ids)), data.dtype)
    inside = reshape_mask(segment_ids, hit)
    hit = multiply(hit, inside)
    ties = unsorted_segment_sum(hit, segment_ids, num_segments=num_segments)
    return multiply(divide_no_nan(hit, _pick(ties, segment_ids)), _pick(dy, segment_ids)), None


def reshape_mask(segment_ids, like):
    """1 where an element belongs to a segment, in the dtype and rank of `like`."""
    inside = cast(greater_equal(segment_ids, zeros_like(segment_ids)), like.dtype)
    return reshape(inside, (*shape_of(inside), *[1] * (like.shape.rank - inside.shape.rank)))


unsorted_segment_max.vjp(
    lambda dy, y, x, ids, *, num_segments: _extreme_vjp(dy, y, x, ids, num_segments=num_segments)
)
unsorted_segment_min.vjp(
    lambda dy, y, x, ids, *, num_segments: _extreme_vjp(dy, y, x, ids, num_segments=num_segments)
)
for _op in (
    unsorted_segment_sum,
    unsorted_segment_prod,
    unsorted_segment_max,
    unsorted_segment_min,
):
    _op.shape_rule(_rule)
    _op.samples(_samples)


def _counts(segment_ids, num_segments, data):
    """Number of elements of each segment, 1 at least, in a shape that broadcasts over the sums."""
    ones = ones_like(cast(segment_ids, data.dtype))
    counts = unsorted_segment_sum(ones, segment_ids, num_segments=num_segments)
    counts = maximum(counts, ones_like(counts))
    extra = data.shape.rank - segment_ids.shape.rank
    return reshape(counts, (num_segments, *[1] * extra)) if extra else counts


def unsorted_segment_mean(data, segment_ids, num_segments, name=None):
    """Mean of the elements of each segment.

    Args:
        data: Floating tensor.
        segment_ids: Integer tensor whose shape is the beginning of that of `data`; negative ones are left out.
        num_segments: Number of segments.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [num_segments, rest of the shape of `data`]; 0 for empty segments.

    >>> unsorted_segment_mean([1.0, 2.0, 4.0], [0, 1, 0], 2).numpy()
    array([2.5, 2. ], dtype=float32)
    """
    data, segment_ids = convert(data), convert(segment_ids)
    total = unsorted_segment_sum(data, segment_ids, num_segments=num_segments)
    return real_divide(total, _counts(segment_ids, num_segments, data))


def unsorted_segment_sqrt_n(data, segment_ids, num_segments, name=None):
    """Sum of the elements of each segment over the square root of their number.

    Args:
        data: Floating tensor.
        segment_ids: Integer tensor whose shape is the beginning of that of `data`; negative ones are left out.
        num_segments: Number of segments.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [num_segments, rest of the shape of `data`]; 0 for empty segments.

    >>> unsorted_segment_sqrt_n([1.0, 2.0, 3.0, 4.0], [0, 0, 0, 0], 1).numpy()
    array([5.], dtype=float32)
    """
    data, segment_ids = convert(data), convert(segment_ids)
    total = unsorted_segment_sum(data, segment_ids, num_segments=num_segments)
    return real_divide(total, sqrt(_counts(segment_ids, num_segments, data)))


def _sorted_count(segment_ids, name):
    """Number of segments of sorted ids, which are checked."""
    ids = segment_ids._array
    if ids is None:
        return segment_ids[-1] + 1
    if ids.ndim != 1:
        raise errors.shape_error(
            name, f"segment_ids should be a vector, got shape {list(ids.shape)}."
        )
    if ids.size and (ids[0] < 0 or (np.diff(ids) < 0).any()):
        raise errors.value_error(
            name,
            "segment ids are not increasing: sort them, or use tf.math.unsorted_" + _snake(name),
        )
    return int(ids[-1]) + 1 if ids.size else 0


def _snake(name):
    return "segment_" + name[len("Segment") :].lower()


def _sorted(data, segment_ids, function, name):
    data, segment_ids = convert(data), convert(segment_ids)
    return function(data, segment_ids, num_segments=_sorted_count(segment_ids, name))


def segment_sum(data, segment_ids, name=None):
    """Sum of the elements of each segment, where segments follow each other.

    Args:
        data: Tensor of numbers [n, ...].
        segment_ids: Integer tensor [n], sorted.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [last id + 1, ...]; 0 for ids that do not come.

    Raises:
        InvalidArgumentError: If the ids are not sorted.

    >>> segment_sum([1, 2, 3], [0, 0, 1]).numpy()
    array([3, 3], dtype=int32)
    """
    return _sorted(data, segment_ids, unsorted_segment_sum, "SegmentSum")


def segment_mean(data, segment_ids, name=None):
    """Mean of the elements of each segment, where segments follow each other.

    Args:
        data: Floating tensor [n, ...].
        segment_ids: Integer tensor [n], sorted.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [last id + 1, ...]; 0 for ids that do not come.

    Raises:
        InvalidArgumentError: If the ids are not sorted.

    >>> segment_mean([1.0, 2.0, 3.0], [0, 0, 1]).numpy()
    array([1.5, 3. ], dtype=float32)
    """
    data = convert(data)
    if data.dtype.is_integer:
        mean = _sorted(
            cast(data, dtypes.float64), segment_ids, unsorted_segment_mean, "SegmentMean"
        )
        return cast(mean, data.dtype)
    return _sorted(data, segment_ids, unsorted_segment_mean, "SegmentMean")


def segment_prod(data, segment_ids, name=None):
    """Product of the elements of each segment, where segments follow each other.

    Args:
        data: Tensor of numbers [n, ...].
        segment_ids: Integer tensor [n], sorted.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [last id + 1, ...]; 1 for ids that do not come.

    Raises:
        InvalidArgumentError: If the ids are not sorted.

    >>> segment_prod([1, 2, 3], [0, 0, 1]).numpy()
    array([2, 3], dtype=int32)
    """
    return _sorted(data, segment_ids, unsorted_segment_prod, "SegmentProd")


def _zero_where_empty(made, data, segment_ids, name):
    segment_ids = convert(segment_ids)
    ones = ones_like(segment_ids)
    counts = unsorted_segment_sum(ones, segment_ids, num_segments=_sorted_count(segment_ids, name))
    empty = reshape(
        equal(counts, zeros_like(counts)), (*shape_of(counts), *[1] * (made.shape.rank - 1))
    )
    return where(empty, zeros_like(made), made)


def segment_max(data, segment_ids, name=None):
    """Largest element of each segment, where segments follow each other.

    Args:
        data: Real tensor [n, ...].
        segment_ids: Integer tensor [n], sorted.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [last id + 1, ...]; 0 for ids that do not come. Ties share the gradient evenly.

    Raises:
        InvalidArgumentError: If the ids are not sorted.

    >>> segment_max([1, 2, 3], [0, 0, 2]).numpy()
    array([2, 0, 3], dtype=int32)
    """
    made = _sorted(data, segment_ids, unsorted_segment_max, "SegmentMax")
    return _zero_where_empty(made, data, segment_ids, "SegmentMax")


def segment_min(data, segment_ids, name=None):
    """Smallest element of each segment, where segments follow each other.

    Args:
        data: Real tensor [n, ...].
        segment_ids: Integer tensor [n], sorted.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [last id + 1, ...]; 0 for ids that do not come. Ties share the gradient evenly.

    Raises:
        InvalidArgumentError: If the ids are not sorted.

    >>> segment_min([1, 2, 3], [0, 0, 2]).numpy()
    array([1, 0, 3], dtype=int32)
    """
    made = _sorted(data, segment_ids, unsorted_segment_min, "SegmentMin")
    return _zero_where_empty(made, data, segment_ids, "SegmentMin")


@op(kinds="iu", differentiable=False, label="Bincount")
def bincount_op(xp, arr, *, size: int, dtype: DType = dtypes.int32, binary: bool = False):
    """How often each whole number from 0 to `size - 1` comes, row by row.

    Args:
        arr: Integer tensor [n] or [rows, n].
        size: Number of counts; larger numbers are not counted.
        dtype: Type of the counts.
        binary: Whether to say only whether a number comes.

    Returns:
        Tensor [size] or [rows, size].

    >>> bincount_op([1, 1, 3], size=4).numpy()
    array([0, 2, 0, 1], dtype=int32)
    """
    table = arr if arr.ndim > 1 else arr.reshape(1, arr.size)
    counted = (table >= 0) & (table < size)
    place = (np.arange(len(table))[:, None] * size + table)[counted]
    counts = np.bincount(place.astype(np.int64), minlength=len(table) * size)
    counts = counts[: len(table) * size].reshape(len(table), size)
    counts = (counts > 0) if binary else counts
    return counts.astype(dtype._numpy()).reshape(
        (*arr.shape[:-1], size) if arr.ndim > 1 else (size,)
    )


@bincount_op.shape_rule
def bincount_rule(arr, *, size, dtype, binary):
    count = size if isinstance(size, int) else None
    if arr.shape.rank is None:
        return TensorSpec(None, dtype)
    return TensorSpec([*arr.shape[:-1], count] if arr.shape.rank > 1 else [count], dtype)


@bincount_op.samples
def bincount_samples(rng):
    yield (np.array([1, 1, 3], np.int32),), {"size": 5}
    yield (np.array([[1, 1, 3], [0, 0, 9]], np.int32),), {"size": 4, "binary": True}


def bincount(
    arr, weights=None, minlength=None, maxlength=None, dtype=dtypes.int32, name=None, axis=None,
    binary_output=False,
):  # fmt: skip
    """How often each whole number from 0 on comes.

    Args:
        arr: Integer tensor of numbers that are 0 at least.
        weights: Tensor of the shape of `arr` that is summed instead of ones, or None.
        minlength: Length of the result at least.
        maxlength: Length of the result at most: larger numbers are not counted.
        dtype: Type of the counts when there are no weights. Default int32.
        name: Accepted for TensorFlow's sake.
        axis: None or 0 to count in all, -1 to count row by row.
        binary_output: Whether to say only whether a number comes (0 or 1).

    Returns:
        Tensor [length], or [rows, length] when `axis` is -1.

    Raises:
        InvalidArgumentError: If a number is negative.

    >>> bincount([1, 1, 3]).numpy()
    array([0, 2, 0, 1], dtype=int32)
    """
    arr = convert(arr)
    if arr._array is not None and arr._array.size and arr._array.min() < 0:
        raise errors.value_error("Bincount", "Input arr must be non-negative!")
    size = _bins(arr, minlength, maxlength)
    rowwise = axis == -1 and arr.shape.rank == 2
    if weights is None:
        flat = arr if rowwise else reshape(arr, (-1,))
        return bincount_op(flat, size=size, dtype=dtype, binary=binary_output)
    weights = convert(weights)
    if not weights.shape.is_compatible_with(arr.shape):
        raise errors.shape_error(
            "Bincount", f"weights must have the shape of arr: got {weights.shape} and {arr.shape}."
        )
    inside = arr < size
    ids = where(inside, arr, zeros_like(arr) - 1)
    if not rowwise:
        return unsorted_segment_sum(reshape(weights, (-1,)), reshape(ids, (-1,)), num_segments=size)
    count = arr.shape[0]
    shifts = convert(np.arange(count).astype(arr.dtype._numpy())[:, None] * size)
    placed = where(inside, ids + shifts, ids)
    return reshape(unsorted_segment_sum(weights, placed, num_segments=count * size), (count, size))


def _bins(arr, minlength, maxlength):
    low, high = (
        coerce.as_int(minlength, "bincount", "minlength"),
        coerce.as_int(maxlength, "bincount", "maxlength"),
    )
    if arr._array is None:
        if low is not None and low == high:
            return low
        from .reduce import reduce_max

        return reduce_max(arr) + 1
    size = int(arr._array.max()) + 1 if arr._array.size else 0
    size = size if low is None else max(size, low)
    return size if high is None else min(size, high)


def confusion_matrix(
    labels, predictions, num_classes=None, weights=None, dtype=dtypes.int32, name=None
):
    """How often each class was taken for each class: rows are labels, columns predictions.

    Args:
        labels: Integer tensor [n] of classes, 0-based.
        predictions: Integer tensor [n].
        num_classes: Number of classes; default the largest that comes, plus 1.
        weights: Tensor [n] that is summed instead of ones, or None.
        dtype: Type of the result. Default int32.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [num_classes, num_classes].

    Raises:
        InvalidArgumentError: If a class is negative, or not below `num_classes`.

    >>> confusion_matrix([1, 2, 1], [2, 2, 1], num_classes=3).numpy()
    array([[0, 0, 0],
           [0, 1, 1],
           [0, 0, 1]], dtype=int32)
    """
    from .reduce import reduce_max

    labels = cast(_squeezed(labels), dtypes.int64)
    predictions = cast(_squeezed(predictions), dtypes.int64)
    if num_classes is None:
        count = maximum(reduce_max(predictions), reduce_max(labels)) + 1
        num_classes = int(count) if count._array is not None else count
    for what, classes in (("labels", labels), ("predictions", predictions)):
        array = classes._array
        if array is None or not array.size or not isinstance(num_classes, int):
            continue
        if array.min() < 0 or array.max() >= num_classes:
            bad = int(array.min() if array.min() < 0 else array.max())
            raise errors.value_error(
                "confusion_matrix", f"`{what}` contains {bad}, which is not in [0, {num_classes})."
            )
    wanted = dtypes.as_dtype(dtype)
    amounts = ones_like(labels, dtype=wanted) if weights is None else cast(convert(weights), wanted)
    total = unsorted_segment_sum(
        amounts, labels * num_classes + predictions, num_segments=num_classes * num_classes
    )
    return reshape(total, (num_classes, num_classes))


def _squeezed(x):
    x = convert(x)
    return reshape(x, (-1,)) if x.shape.rank == 2 and x.shape[-1] == 1 else x
