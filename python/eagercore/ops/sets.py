"""Sets: the elements along the last axis, each once."""

from __future__ import annotations

import numpy as np

from ..base import dtypes, errors
from ..core import coerce
from ..core.sparse import SparseTensor
from ..core.tensor import convert
from .create import constant


def _rows(x):
    """(shape in front, {place: elements}) of a dense or sparse tensor."""
    if hasattr(x, "dense_shape"):
        indices, values = np.asarray(x.indices), np.asarray(x.values)
        shape = tuple(int(d) for d in np.asarray(x.dense_shape))
        found: dict = {place: [] for place in np.ndindex(shape[:-1])}
        for place, value in zip(indices, values, strict=True):
            found[tuple(int(i) for i in place[:-1])].append(value)
        return shape[:-1], found, values.dtype
    array = coerce.plain(convert(x))
    if array.ndim < 1:
        raise errors.shape_error("DenseToDenseSetOperation", "sets need a last axis: got a scalar.")
    return (
        array.shape[:-1],
        {place: list(array[place]) for place in np.ndindex(array.shape[:-1])},
        array.dtype,
    )


def _combined(a, b, function):
    (lead, one, kind), (other, two, second) = _rows(a), _rows(b)
    if lead != other or kind != second:
        raise errors.shape_error(
            "SetOperation",
            f"both sets must share dtype and all but the last dimension: {lead} {kind} and {other} {second}.",
        )
    indices, values, longest = [], [], 0
    for place in np.ndindex(lead):
        elements = sorted(function(set(one[place]), set(two[place])))
        longest = max(longest, len(elements))
        for i, element in enumerate(elements):
            indices.append([*place, i])
            values.append(element)
    flat = np.empty(len(values), kind)
    flat[:] = values
    return SparseTensor(
        constant(np.array(indices, np.int64).reshape(-1, len(lead) + 1)), constant(flat),
        constant(np.array([*lead, longest], np.int64)),
    )  # fmt: skip


def intersection(a, b, validate_indices=True):
    """The elements that are in both, row by row.

    Args:
        a: Tensor or `SparseTensor` [..., n].
        b: Tensor or `SparseTensor` of the same dtype and leading shape.
        validate_indices: Accepted for TensorFlow's sake.

    Returns:
        `SparseTensor`, sorted along the last axis.

    >>> intersection([[1, 2, 3]], [[3, 1, 5]]).values.numpy()
    array([1, 3], dtype=int32)
    """
    return _combined(a, b, lambda x, y: x & y)


def union(a, b, validate_indices=True):
    """The elements that are in either, row by row.

    Args:
        a: Tensor or `SparseTensor` [..., n].
        b: Tensor or `SparseTensor` of the same dtype and leading shape.
        validate_indices: Accepted for TensorFlow's sake.

    Returns:
        `SparseTensor`, sorted along the last axis.

    >>> union([[1, 2]], [[2, 5]]).values.numpy()
    array([1, 2, 5], dtype=int32)
    """
    return _combined(a, b, lambda x, y: x | y)


def difference(a, b, aminusb=True, validate_indices=True):
    """The elements that are in one and not in the other, row by row.

    Args:
        a: Tensor or `SparseTensor` [..., n].
        b: Tensor or `SparseTensor` of the same dtype and leading shape.
        aminusb: Whether those of `a` are wanted (default), else those of `b`.
        validate_indices: Accepted for TensorFlow's sake.

    Returns:
        `SparseTensor`, sorted along the last axis.

    >>> difference([[1, 2]], [[2, 5]]).values.numpy()
    array([1], dtype=int32)
    """
    return _combined(a, b, (lambda x, y: x - y) if aminusb else (lambda x, y: y - x))


def size(a, validate_indices=True):
    """How many different elements each row has.

    Args:
        a: `SparseTensor` [..., n].
        validate_indices: Accepted for TensorFlow's sake.

    Returns:
        int32 tensor [...].

    >>> from eagercore.ops.sparse import from_dense
    >>> size(from_dense([[1, 1, 2]])).numpy()
    array([2], dtype=int32)
    """
    lead, rows, _ = _rows(a)
    counts = np.zeros(lead, np.int32)
    for place in np.ndindex(lead):
        counts[place] = len(set(rows[place]))
    return constant(counts, dtypes.int32)
