"""Sparse tensors: the entries that are not zero, with their places."""

from __future__ import annotations

import numpy as np

from ..base import dtypes, errors
from ..core import coerce
from ..core.sparse import SparseTensor
from ..core.tensor import convert
from .arithmetic import _conj, multiply, real_divide
from .arithmetic import add as add_tensors
from .create import cast, constant, zeros_like
from .exponential import exp
from .index import _whole, gather, gather_nd, gather_op
from .ragged import place_rows
from .reduce import reduce_sum as sum_dense
from .segment import (
    unsorted_segment_max,
    unsorted_segment_mean,
    unsorted_segment_sqrt_n,
    unsorted_segment_sum,
)
from .shape import concat as concat_dense
from .shape import expand_dims as expand_dense
from .shape import reshape as reshape_dense


def _parts(sp):
    """(indices, values as a tensor, shape) of a sparse tensor."""
    if not hasattr(sp, "dense_shape"):
        raise TypeError(f"Input must be a SparseTensor, got {type(sp).__name__}.")
    return np.asarray(sp.indices), sp.values, tuple(int(d) for d in np.asarray(sp.dense_shape))


def _made(indices, values, shape):
    shape = np.asarray(shape, np.int64)
    return SparseTensor(
        constant(np.asarray(indices, np.int64).reshape(-1, len(shape))), values, constant(shape)
    )


def _flat(indices, shape):
    """Places as numbers, row by row."""
    out = np.zeros(len(indices), np.int64)
    for axis, size in enumerate(shape):
        out = out * size + indices[:, axis]
    return out


def _placed(flat, shape):
    """Numbers as places."""
    return (
        np.stack(np.unravel_index(flat, shape), axis=1) if len(shape) else np.zeros((len(flat), 0))
    )


def from_dense(tensor, name=None):
    """The entries of a tensor that are not 0 (or not empty strings).

    Args:
        tensor: Tensor.
        name: Accepted for TensorFlow's sake.

    Returns:
        `SparseTensor`.

    >>> from_dense([[0, 5]]).values.numpy()
    array([5], dtype=int32)
    """
    tensor = convert(tensor)
    array = coerce.plain(tensor)
    places = np.argwhere(array != (b"" if array.dtype == object else 0))
    return _made(places, gather_nd(tensor, constant(places)), array.shape)


def to_dense(sp_input, default_value=None, validate_indices=True, name=None):
    """The whole tensor, with a default where there is no entry.

    Args:
        sp_input: `SparseTensor`.
        default_value: What stands elsewhere. Default 0 (or the empty string).
        validate_indices: Whether entries must be sorted and different.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor; gradients flow to the values.

    Raises:
        InvalidArgumentError: If an entry lies outside, or comes twice.

    >>> to_dense(from_dense([[0, 5]])).numpy()
    array([[0, 5]], dtype=int32)
    """
    indices, values, shape = _parts(sp_input)
    for axis, size in enumerate(shape):
        if len(indices) and (indices[:, axis].min() < 0 or indices[:, axis].max() >= size):
            raise errors.index_error(
                "SparseToDense", f"an index along axis {axis} is not in [0, {size})."
            )
    flat = _flat(indices, shape)
    if validate_indices and len(np.unique(flat)) < len(flat):
        raise errors.value_error(
            "SparseToDense", "indices are repeated: give validate_indices=False, or sum them first."
        )
    if default_value is None:
        default_value = constant(b"" if values.dtype == dtypes.string else 0, values.dtype)
    else:
        default_value = (
            cast(convert(default_value), values.dtype)
            if values.dtype != dtypes.string
            else convert(default_value)
        )
    total = int(np.prod(shape, dtype=np.int64))
    return reshape_dense(place_rows(values, constant(flat), default_value, count=total), shape)


def sparse_to_dense(
    sparse_indices, output_shape, sparse_values, default_value=0, validate_indices=True, name=None
):
    """A tensor with given entries (TensorFlow 1).

    Args:
        sparse_indices: Integer tensor [n, rank], [n] or scalar.
        output_shape: Shape.
        sparse_values: Tensor [n], or a scalar for all.
        default_value: What stands elsewhere. Default 0.
        validate_indices: Whether entries must be different.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor.

    >>> sparse_to_dense([[0], [2]], [3], 7).numpy()
    array([7, 0, 7], dtype=int32)
    """
    shape = coerce.as_shape(output_shape, "sparse_to_dense", "output_shape")
    indices = np.asarray(coerce.plain(_whole(sparse_indices))).reshape(-1, len(shape))
    values = convert(sparse_values)
    if values.shape.rank == 0:
        from .create import fill

        values = fill([len(indices)], values)
    return to_dense(_made(indices, values, shape), default_value, validate_indices)


def reorder(sp_input, name=None):
    """The entries in order, row by row.

    Args:
        sp_input: `SparseTensor`.
        name: Accepted for TensorFlow's sake.

    Returns:
        `SparseTensor`.

    >>> reorder(SparseTensor([[1], [0]], [5, 6], [2])).values.numpy()
    array([6, 5], dtype=int32)
    """
    indices, values, shape = _parts(sp_input)
    order = np.argsort(_flat(indices, shape), kind="stable")
    return _made(indices[order], gather(values, constant(order)), shape)


def reshape(sp_input, shape, name=None):
    """The same entries in another shape.

    Args:
        sp_input: `SparseTensor`.
        shape: New shape; one entry may be -1.
        name: Accepted for TensorFlow's sake.

    Returns:
        `SparseTensor`.

    Raises:
        InvalidArgumentError: If the number of elements does not fit.

    >>> reshape(from_dense([[0, 5]]), [2, 1]).indices.numpy()
    array([[1, 0]])
    """
    indices, values, old = _parts(sp_input)
    new = list(coerce.as_shape(shape, "SparseReshape", "shape"))
    total = int(np.prod(old, dtype=np.int64))
    if -1 in new:
        known = int(np.prod([d for d in new if d != -1], dtype=np.int64))
        new[new.index(-1)] = total // max(known, 1)
    if int(np.prod(new, dtype=np.int64)) != total:
        raise errors.shape_error(
            "SparseReshape",
            f"a shape of {total} elements, {list(old)}, cannot become {list(shape)}.",
        )
    return _made(_placed(_flat(indices, old), tuple(new)), values, new)


def retain(sp_input, to_retain):
    """The entries for which a mask is true.

    Args:
        sp_input: `SparseTensor`.
        to_retain: Boolean tensor [entries].

    Returns:
        `SparseTensor`.

    >>> retain(from_dense([5, 6]), [False, True]).values.numpy()
    array([6], dtype=int32)
    """
    indices, values, shape = _parts(sp_input)
    keep = np.flatnonzero(np.asarray(coerce.plain(convert(to_retain))))
    return _made(indices[keep], gather(values, constant(keep)), shape)


def transpose(sp_input, perm=None, name=None):
    """The axes in another order.

    Args:
        sp_input: `SparseTensor`.
        perm: Order of the axes; default reversed.
        name: Accepted for TensorFlow's sake.

    Returns:
        `SparseTensor`.

    >>> transpose(from_dense([[0, 5]])).dense_shape.numpy()
    array([2, 1])
    """
    indices, values, shape = _parts(sp_input)
    order = (
        list(range(len(shape)))[::-1]
        if perm is None
        else list(coerce.as_ints(perm, "SparseTranspose", "perm"))
    )
    return reorder(_made(indices[:, order], values, [shape[i] for i in order]))


def expand_dims(sp_input, axis=None, name=None):
    """A new axis of size 1.

    Args:
        sp_input: `SparseTensor`.
        axis: Where the new axis stands. Default last.
        name: Accepted for TensorFlow's sake.

    Returns:
        `SparseTensor` of one rank more.

    >>> expand_dims(from_dense([5]), 0).dense_shape.numpy()
    array([1, 1])
    """
    indices, values, shape = _parts(sp_input)
    axis = -1 if axis is None else int(axis)
    axis = axis + len(shape) + 1 if axis < 0 else axis
    return _made(np.insert(indices, axis, 0, axis=1), values, [*shape[:axis], 1, *shape[axis:]])


def concat(axis, sp_inputs, expand_nonconcat_dims=False, name=None):
    """Sparse tensors joined along an axis.

    Args:
        axis: Axis, 0-based.
        sp_inputs: List of `SparseTensor`s.
        expand_nonconcat_dims: Whether the other dimensions may differ; the largest counts.
        name: Accepted for TensorFlow's sake.

    Returns:
        `SparseTensor`.

    Raises:
        InvalidArgumentError: If other dimensions differ.

    >>> concat(0, [from_dense([1]), from_dense([0, 2])]).indices.numpy()
    array([[0],
           [2]])
    """
    parts = [_parts(sp) for sp in sp_inputs]
    rank = len(parts[0][2])
    axis = int(axis) % rank
    shape = [max(p[2][i] for p in parts) for i in range(rank)]
    if not expand_nonconcat_dims and any(
        p[2][i] != shape[i] for p in parts for i in range(rank) if i != axis
    ):
        raise errors.shape_error(
            "SparseConcat",
            f"shapes {[list(p[2]) for p in parts]} differ elsewhere than along axis {axis}.",
        )
    moved, start = [], 0
    for indices, _, own in parts:
        shifted = indices.copy()
        shifted[:, axis] += start
        start += own[axis]
        moved.append(shifted)
    shape[axis] = start
    values = concat_dense([p[1] for p in parts], axis=0)
    return reorder(_made(np.concatenate(moved), values, shape))


def slice(sp_input, start, size, name=None):
    """A part of a sparse tensor.

    Args:
        sp_input: `SparseTensor`.
        start: First index of each axis.
        size: Size of each axis.
        name: Accepted for TensorFlow's sake.

    Returns:
        `SparseTensor`.

    >>> slice(from_dense([1, 2, 3]), [1], [2]).values.numpy()
    array([2, 3], dtype=int32)
    """
    indices, values, shape = _parts(sp_input)
    begin = np.array(coerce.as_ints(start, "SparseSlice", "start"))
    count = np.array(coerce.as_ints(size, "SparseSlice", "size"))
    end = np.minimum(begin + count, shape)
    keep = np.flatnonzero(((indices >= begin) & (indices < end)).all(axis=1))
    return _made(indices[keep] - begin, gather(values, constant(keep)), np.maximum(end - begin, 0))


def split(
    sp_input=None, num_split=None, axis=None, name=None, split_dim=None, keyword_required=None
):
    """A sparse tensor cut into parts along an axis.

    Args:
        sp_input: `SparseTensor`.
        num_split: Number of parts; the first ones are one longer where it does not divide.
        axis: Axis, 0-based.
        name: Accepted for TensorFlow's sake.
        split_dim: TensorFlow 1's name of `axis`.
        keyword_required: Accepted for TensorFlow's sake.

    Returns:
        List of `SparseTensor`s.

    >>> [p.values.numpy().tolist() for p in split(from_dense([1, 2, 3]), 2, 0)]
    [[1, 2], [3]]
    """
    _, _, shape = _parts(sp_input)
    axis = int(split_dim if axis is None else axis) % len(shape)
    made, begin = [], 0
    for part in range(int(num_split)):
        length = shape[axis] // num_split + (part < shape[axis] % num_split)
        start, size = [0] * len(shape), list(shape)
        start[axis], size[axis] = begin, length
        made.append(slice(sp_input, start, size))
        begin += length
    return made


def add(a, b, threshold=0, name=None):
    """Sum of two sparse tensors, or of a sparse and a dense one.

    Args:
        a: `SparseTensor` or tensor.
        b: `SparseTensor` or tensor of the same shape and dtype.
        threshold: Sums whose size is below this are left out.
        name: Accepted for TensorFlow's sake.

    Returns:
        `SparseTensor`, or a tensor when one of them is dense.

    >>> add(from_dense([1, 0]), from_dense([2, 3])).values.numpy()
    array([3, 3], dtype=int32)
    """
    if not (hasattr(a, "dense_shape") and hasattr(b, "dense_shape")):
        one, two = (
            to_dense(x, validate_indices=False) if hasattr(x, "dense_shape") else convert(x)
            for x in (a, b)
        )
        return add_tensors(one, two)
    (i, v, shape), (j, w, other) = _parts(a), _parts(b)
    if shape != other:
        raise errors.shape_error(
            "SparseAdd", f"Operands' shapes do not match: {list(shape)} and {list(other)}."
        )
    flat, inverse = np.unique(
        np.concatenate([_flat(i, shape), _flat(j, shape)]), return_inverse=True
    )
    total = unsorted_segment_sum(
        concat_dense([v, w], axis=0), constant(inverse.reshape(-1)), num_segments=len(flat)
    )
    made = _made(_placed(flat, shape), total, shape)
    if threshold:
        made = retain(made, constant(np.abs(coerce.plain(total)) >= threshold))
    return made


def _pairwise(a, b, function):
    (i, v, shape), (j, w, _) = _parts(a), _parts(b)
    flat = np.unique(np.concatenate([_flat(i, shape), _flat(j, shape)]))

    def spread(indices, values):
        where = np.searchsorted(flat, _flat(indices, shape))
        return place_rows(values, constant(where), zeros_like(values[:1])[0], count=len(flat))

    return _made(_placed(flat, shape), function(spread(i, v), spread(j, w)), shape)


def maximum(sp_a, sp_b, name=None):
    """The larger of two sparse tensors, element by element.

    Args:
        sp_a: `SparseTensor`.
        sp_b: `SparseTensor` of the same shape.
        name: Accepted for TensorFlow's sake.

    Returns:
        `SparseTensor`.

    >>> maximum(from_dense([1, 0]), from_dense([-2, 3])).values.numpy()
    array([1, 3], dtype=int32)
    """
    from .arithmetic import maximum as larger

    return _pairwise(sp_a, sp_b, larger)


def minimum(sp_a, sp_b, name=None):
    """The smaller of two sparse tensors, element by element.

    Args:
        sp_a: `SparseTensor`.
        sp_b: `SparseTensor` of the same shape.
        name: Accepted for TensorFlow's sake.

    Returns:
        `SparseTensor`.

    >>> minimum(from_dense([1, 0]), from_dense([-2, 3])).values.numpy()
    array([-2,  0], dtype=int32)
    """
    from .arithmetic import minimum as smaller

    return _pairwise(sp_a, sp_b, smaller)


def map_values(op, *args, **kwargs):
    """A function of the values of sparse tensors of one pattern.

    Args:
        op: Function.
        *args: Its arguments; sparse ones are given by their values.
        **kwargs: Likewise.

    Returns:
        `SparseTensor`.

    >>> map_values(lambda x: x * 2, from_dense([0, 5])).values.numpy()
    array([10], dtype=int32)
    """
    found = [a for a in (*args, *kwargs.values()) if hasattr(a, "dense_shape")]
    if not found:
        raise ValueError("No SparseTensor in argument list of map_values")
    made = op(
        *(a.values if hasattr(a, "dense_shape") else a for a in args),
        **{k: a.values if hasattr(a, "dense_shape") else a for k, a in kwargs.items()},
    )
    return SparseTensor(found[0].indices, made, found[0].dense_shape)


def _reduced(sp, axis, keepdims, combine, output_is_sparse):
    indices, values, shape = _parts(sp)
    rank = len(shape)
    axes = (
        range(rank)
        if axis is None
        else [a % rank for a in np.atleast_1d(coerce.plain(axis)).astype(int)]
    )
    kept = [i for i in range(rank) if i not in axes]
    inner = tuple(shape[i] for i in kept)
    ids = _flat(indices[:, kept], inner)
    final = tuple(1 if i in axes else d for i, d in enumerate(shape)) if keepdims else inner
    if output_is_sparse:
        flat, inverse = np.unique(ids, return_inverse=True)
        made = combine(values, constant(inverse.reshape(-1)), num_segments=len(flat))
        return _made(_placed(flat, final), made, final)
    count = int(np.prod(inner, dtype=np.int64))
    made = combine(values, constant(ids), num_segments=count)
    hit = np.zeros(count, bool)
    hit[ids] = True
    from .select import where

    return reshape_dense(where(constant(hit), made, zeros_like(made)), final)


def reduce_sum(sp_input, axis=None, keepdims=None, output_is_sparse=False, name=None):
    """Sum over axes.

    Args:
        sp_input: `SparseTensor`.
        axis: Axis or axes. Default all.
        keepdims: Whether summed axes stay, with size 1.
        output_is_sparse: Whether the result is sparse.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor, or `SparseTensor`.

    >>> reduce_sum(from_dense([[1, 0], [2, 3]]), axis=0).numpy()
    array([3, 3], dtype=int32)
    """
    return _reduced(sp_input, axis, bool(keepdims), unsorted_segment_sum, output_is_sparse)


def reduce_max(sp_input, axis=None, keepdims=None, output_is_sparse=False, name=None):
    """Largest entry over axes.

    Args:
        sp_input: `SparseTensor`.
        axis: Axis or axes. Default all.
        keepdims: Whether reduced axes stay, with size 1.
        output_is_sparse: Whether the result is sparse.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor (0 where there are no entries), or `SparseTensor`.

    >>> reduce_max(from_dense([[1, 0], [2, 3]]), axis=0).numpy()
    array([2, 3], dtype=int32)
    """
    return _reduced(sp_input, axis, bool(keepdims), unsorted_segment_max, output_is_sparse)


def sparse_dense_matmul(sp_a, b, adjoint_a=False, adjoint_b=False, name=None):
    """Product of a sparse and a dense matrix.

    Args:
        sp_a: `SparseTensor` [n, k] (or a dense tensor, when `b` is sparse).
        b: Tensor [k, m] (or a `SparseTensor`).
        adjoint_a: Whether `sp_a` is conjugated and transposed first.
        adjoint_b: Whether `b` is conjugated and transposed first.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [n, m]; gradients flow to both.

    Raises:
        InvalidArgumentError: If the inner dimensions differ.

    >>> sparse_dense_matmul(from_dense([[0.0, 2.0]]), [[1.0], [3.0]]).numpy()
    array([[6.]], dtype=float32)
    """
    from .matrix import adjoint

    if hasattr(b, "dense_shape") and not hasattr(sp_a, "dense_shape"):
        return adjoint(sparse_dense_matmul(b, sp_a, not adjoint_b, not adjoint_a))
    indices, values, shape = _parts(sp_a)
    b = b if hasattr(b, "_key") or hasattr(b, "_read_array") else convert(b, values.dtype)
    b = adjoint(b) if adjoint_b else convert(b)
    rows, columns = (1, 0) if adjoint_a else (0, 1)
    if shape[columns] != b.shape[0]:
        raise errors.shape_error(
            "SparseTensorDenseMatMul", f"inner dimensions differ: sparse {list(shape)}, dense {list(b.shape)} "
            f"(adjoint_a={adjoint_a}, adjoint_b={adjoint_b}).",
        )  # fmt: skip
    values = _conj(values) if adjoint_a else values
    picked = gather_op(b, constant(indices[:, columns]), axis=0)
    terms = multiply(expand_dense(values, -1), picked)
    return unsorted_segment_sum(terms, constant(indices[:, rows]), num_segments=shape[rows])


def sampled_addmm(
    indices, values, dense_shape, mat1, mat2, beta=1.0, alpha=1.0, output_type=dtypes.float32
):
    """`alpha * mat1 @ mat2 + beta * values`, at the given places only.

    Args:
        indices: Integer tensor [n, 2].
        values: Tensor [n].
        dense_shape: Shape [2].
        mat1: Tensor [rows, k].
        mat2: Tensor [k, columns].
        beta: Factor of the values.
        alpha: Factor of the product.
        output_type: Type of the result.

    Returns:
        Tuple (indices, values, dense_shape).

    >>> sampled_addmm([[0, 0]], [1.0], [1, 1], [[2.0]], [[3.0]])[1].numpy()
    array([7.], dtype=float32)
    """
    places = _whole(convert(indices))
    left = gather(convert(mat1), places[:, 0])
    right = gather(convert(mat2), places[:, 1], axis=1)
    from .matrix import matrix_transpose

    product = sum_dense(multiply(left, matrix_transpose(right)), axis=-1)
    made = add_tensors(multiply(product, alpha), multiply(convert(values), beta))
    return places, cast(made, output_type), convert(dense_shape)


def softmax(sp_input, name=None):
    """Softmax over the entries of each row.

    Args:
        sp_input: Floating `SparseTensor` [..., n].
        name: Accepted for TensorFlow's sake.

    Returns:
        `SparseTensor` of the same pattern.

    >>> softmax(from_dense([[1.0, 1.0]])).values.numpy()
    array([0.5, 0.5], dtype=float32)
    """
    indices, values, shape = _parts(sp_input)
    ids = constant(_flat(indices[:, :-1], shape[:-1]))
    rows = int(np.prod(shape[:-1], dtype=np.int64))
    top = gather(unsorted_segment_max(values, ids, num_segments=rows), ids)
    made = exp(values - top)
    total = gather(unsorted_segment_sum(made, ids, num_segments=rows), ids)
    return SparseTensor(sp_input.indices, real_divide(made, total), sp_input.dense_shape)


def eye(num_rows, num_columns=None, dtype=dtypes.float32, name=None):
    """Sparse identity matrix.

    Args:
        num_rows: Number of rows.
        num_columns: Number of columns; default `num_rows`.
        dtype: Type of the entries. Default float32.
        name: Accepted for TensorFlow's sake.

    Returns:
        `SparseTensor`.

    >>> eye(2).values.numpy()
    array([1., 1.], dtype=float32)
    """
    rows = int(num_rows)
    columns = rows if num_columns is None else int(num_columns)
    count = np.arange(min(rows, columns))
    return _made(
        np.stack([count, count], axis=1),
        constant(np.ones(len(count), dtypes.as_dtype(dtype)._numpy())),
        [rows, columns],
    )


def fill_empty_rows(sp_input, default_value, name=None):
    """Rows without entries get one, at their beginning.

    Args:
        sp_input: `SparseTensor` [rows, ...].
        default_value: The new entries.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tuple (`SparseTensor`, boolean tensor [rows] that says which rows were empty).

    >>> fill_empty_rows(from_dense([[1], [0]]), 9)[0].values.numpy()
    array([1, 9], dtype=int32)
    """
    indices, values, shape = _parts(sp_input)
    empty = np.ones(shape[0], bool)
    empty[indices[:, 0]] = False
    rows = np.flatnonzero(empty)
    extra = np.zeros((len(rows), len(shape)), np.int64)
    extra[:, 0] = rows
    filler = (
        cast(convert(default_value), values.dtype)
        if values.dtype != dtypes.string
        else convert(default_value)
    )
    from .create import fill

    joined = concat_dense([values, fill([len(rows)], filler)], axis=0)
    made = _made(np.concatenate([indices, extra]), joined, shape)
    return reorder(made), constant(empty)


def reset_shape(sp_input, new_shape=None):
    """The same entries in a larger shape, or in the smallest that holds them.

    Args:
        sp_input: `SparseTensor`.
        new_shape: New shape, or None for the smallest.

    Returns:
        `SparseTensor`.

    Raises:
        InvalidArgumentError: If the new shape is smaller.

    >>> reset_shape(from_dense([1]), [3]).dense_shape.numpy()
    array([3])
    """
    indices, values, shape = _parts(sp_input)
    if new_shape is None:
        new = indices.max(axis=0) + 1 if len(indices) else np.zeros(len(shape), np.int64)
    else:
        new = np.array(coerce.as_shape(new_shape, "reset_shape", "new_shape"))
        if len(new) != len(shape) or (new < np.array(shape)).any():
            raise errors.shape_error(
                "SparseResetShape",
                f"new_shape {new.tolist()} must not be smaller than {list(shape)}.",
            )
    return _made(indices, values, new)


def to_indicator(sp_input, vocab_size, name=None):
    """For each row a vector that is true at the ids that the row holds.

    Args:
        sp_input: Integer `SparseTensor` [..., n].
        vocab_size: Length of the vectors.
        name: Accepted for TensorFlow's sake.

    Returns:
        Boolean tensor [..., vocab_size].

    >>> to_indicator(from_dense([[1, 2]]), 4).numpy()
    array([[False,  True,  True, False]])
    """
    indices, values, shape = _parts(sp_input)
    out = np.zeros((*shape[:-1], int(vocab_size)), bool)
    out[(*indices[:, :-1].T, coerce.plain(values))] = True
    return constant(out)


def mask(a, mask_indices, name=None):
    """`IndexedSlices` without some of their rows.

    Args:
        a: `IndexedSlices`.
        mask_indices: Indices of the rows that go.
        name: Accepted for TensorFlow's sake.

    Returns:
        `IndexedSlices`.
    """
    keep = np.flatnonzero(~np.isin(coerce.plain(a.indices), coerce.plain(convert(mask_indices))))
    rows = constant(keep)
    return type(a)(gather(a.values, rows), gather(a.indices, rows), a.dense_shape)


def _segments(data, indices, segment_ids, num_segments, combine):
    data, indices, ids = convert(data), _whole(convert(indices)), _whole(convert(segment_ids))
    count = (
        int(coerce.plain(ids).max()) + 1
        if num_segments is None and ids.shape[0]
        else int(num_segments or 0)
    )
    return combine(gather(data, indices), ids, num_segments=count)


def segment_sum(data, indices, segment_ids, num_segments=None, name=None, sparse_gradient=False):
    """Sum of picked rows by segment.

    Args:
        data: Tensor.
        indices: Integer tensor [n]: rows of `data`.
        segment_ids: Integer tensor [n], sorted: to which segment each goes.
        num_segments: Number of segments; default the largest id plus 1.
        name: Accepted for TensorFlow's sake.
        sparse_gradient: Accepted for TensorFlow's sake.

    Returns:
        Tensor.

    >>> segment_sum([[1], [2], [3]], [0, 2], [0, 0]).numpy()
    array([[4]], dtype=int32)
    """
    return _segments(data, indices, segment_ids, num_segments, unsorted_segment_sum)


def segment_mean(data, indices, segment_ids, num_segments=None, name=None, sparse_gradient=False):
    """Mean of picked rows by segment.

    Args:
        data: Floating tensor.
        indices: Integer tensor [n]: rows of `data`.
        segment_ids: Integer tensor [n], sorted: to which segment each goes.
        num_segments: Number of segments; default the largest id plus 1.
        name: Accepted for TensorFlow's sake.
        sparse_gradient: Accepted for TensorFlow's sake.

    Returns:
        Tensor.

    >>> segment_mean([[1.0], [2.0], [3.0]], [0, 2], [0, 0]).numpy()
    array([[2.]], dtype=float32)
    """
    return _segments(data, indices, segment_ids, num_segments, unsorted_segment_mean)


def segment_sqrt_n(data, indices, segment_ids, num_segments=None, name=None, sparse_gradient=False):
    """Sum of picked rows by segment, over the square root of their number.

    Args:
        data: Floating tensor.
        indices: Integer tensor [n]: rows of `data`.
        segment_ids: Integer tensor [n], sorted: to which segment each goes.
        num_segments: Number of segments; default the largest id plus 1.
        name: Accepted for TensorFlow's sake.
        sparse_gradient: Accepted for TensorFlow's sake.

    Returns:
        Tensor.

    >>> segment_sqrt_n([[1.0]], [0], [0]).numpy()
    array([[1.]], dtype=float32)
    """
    return _segments(data, indices, segment_ids, num_segments, unsorted_segment_sqrt_n)


def bincount(
    values, weights=None, axis=0, minlength=None, maxlength=None, binary_output=False, name=None
):
    """How often each whole number comes, as a sparse tensor.

    Args:
        values: Integer tensor, `SparseTensor` or `RaggedTensor`.
        weights: Weights of the same form, or None.
        axis: 0 to count in all, -1 to count row by row.
        minlength: Length of the result at least.
        maxlength: Length of the result at most.
        binary_output: Whether to say only whether a number comes.
        name: Accepted for TensorFlow's sake.

    Returns:
        `SparseTensor`.

    >>> bincount([1, 1, 3]).values.numpy()
    array([2, 1])
    """
    if hasattr(values, "dense_shape"):
        indices, flat, shape = _parts(values)
        rows, numbers = (
            indices[:, 0] if len(shape) > 1 else np.zeros(len(indices), int),
            coerce.plain(flat),
        )
        count = shape[0]
    elif hasattr(values, "row_splits"):
        rows, numbers, count = (
            coerce.plain(values.value_rowids()),
            coerce.plain(values.flat_values),
            len(values),
        )
    else:
        array = coerce.plain(convert(values))
        table = array if array.ndim > 1 else array.reshape(1, array.size)
        count = len(table)
        rows, numbers = np.repeat(np.arange(count), table.shape[1]), table.reshape(-1)
    amounts = np.ones(len(numbers), np.int64)
    if weights is not None:
        amounts = np.asarray(coerce.plain(convert(getattr(weights, "values", weights)))).reshape(-1)
    if axis == 0:
        rows, count = np.zeros(len(numbers), int), 1
    size = int(numbers.max()) + 1 if len(numbers) else 0
    size = max(size, minlength or 0)
    size = size if maxlength is None else min(size, maxlength)
    keep = numbers < size
    keys, inverse = np.unique(rows[keep] * max(size, 1) + numbers[keep], return_inverse=True)
    totals = np.zeros(len(keys), amounts.dtype)
    np.add.at(totals, inverse.reshape(-1), amounts[keep])
    if binary_output:
        totals = (totals != 0).astype(np.int64)
    if axis == 0:
        return _made(keys[:, None], constant(totals), [size])
    return _made(
        np.stack([keys // max(size, 1), keys % max(size, 1)], axis=1),
        constant(totals),
        [count, size],
    )
