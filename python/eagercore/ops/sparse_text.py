"""Sparse tensors as strings, and back."""

from __future__ import annotations

import numpy as np

from ..base import dtypes, errors
from ..core.sparse import SparseTensor
from ..core.tensor import EagerTensor, convert
from .io import parse_tensor, serialize_tensor


def _three(indices, values, shape):
    parts = (np.ascontiguousarray(indices, np.int64), values, np.asarray(shape, np.int64))
    return [serialize_tensor(EagerTensor(p)).numpy() for p in parts]


def _string_type(out_type):
    if dtypes.as_dtype(out_type) is not dtypes.string:
        raise errors.dtype_error(
            "SerializeSparse", f"sparse tensors become strings, got out_type={out_type!r}."
        )


def serialize_sparse(sp_input, name=None, out_type=dtypes.string):
    """A sparse tensor as three strings: its places, its values and its shape.

    Args:
        sp_input: `SparseTensor`.
        name: Accepted for TensorFlow's sake.
        out_type: string.

    Returns:
        String tensor [3].

    >>> from eagercore import sparse
    >>> serialize_sparse(sparse.from_dense([0, 1])).shape
    TensorShape([3])
    """
    _string_type(out_type)
    made = _three(sp_input.indices._array, sp_input.values._array, sp_input.dense_shape._array)
    return convert(made)


def serialize_many_sparse(sp_input, name=None, out_type=dtypes.string):
    """Each row of a sparse tensor as three strings.

    Args:
        sp_input: `SparseTensor` of rank 2 at least; its first axis is that of the rows.
        name: Accepted for TensorFlow's sake.
        out_type: string.

    Returns:
        String tensor [rows, 3].

    Raises:
        InvalidArgumentError: If the rank is less than 2.

    >>> from eagercore import sparse
    >>> serialize_many_sparse(sparse.from_dense([[0, 1], [2, 3]])).shape
    TensorShape([2, 3])
    """
    _string_type(out_type)
    indices, values = sp_input.indices._array, sp_input.values._array
    shape = sp_input.dense_shape._array
    if len(shape) < 2:
        raise errors.shape_error(
            "SerializeManySparse", f"Rank of input should be > 1, but saw rank: {len(shape)}"
        )
    rows = []
    for row in range(int(shape[0])):
        mine = indices[:, 0] == row
        rows.append(_three(indices[mine, 1:], values[mine], shape[1:]))
    return convert(rows, dtypes.string) if rows else EagerTensor(np.empty((0, 3), object))


def deserialize_many_sparse(serialized_sparse, dtype, rank=None, name=None):
    """One sparse tensor of the rows that `serialize_sparse` or `serialize_many_sparse` made strings of.

    Args:
        serialized_sparse: String tensor [rows, 3]; or [3]: one, which gets no axis of rows.
        dtype: Dtype of the values.
        rank: Rank of a row, or None.
        name: Accepted for TensorFlow's sake.

    Returns:
        `SparseTensor` with an axis of rows in front, as large in the others as the largest row.

    Raises:
        InvalidArgumentError: If the strings are of another shape, or rows of another dtype or rank.

    >>> from eagercore import sparse
    >>> rows = serialize_many_sparse(sparse.from_dense([[0, 1], [2, 3]]))
    >>> sparse.to_dense(deserialize_many_sparse(rows, "int32")).numpy().tolist()
    [[0, 1], [2, 3]]
    """
    texts, kind = convert(serialized_sparse), dtypes.as_dtype(dtype)
    if texts.shape.rank == 1 and texts.shape[0] == 3:
        parts = zip(texts._array.tolist(), (dtypes.int64, kind, dtypes.int64), strict=True)
        return SparseTensor(*(parse_tensor(t, k) for t, k in parts))
    if texts.shape.rank != 2 or texts.shape[1] != 3:
        raise errors.shape_error(
            "DeserializeManySparse",
            f"Serialized sparse should have 3 columns: a matrix [rows, 3], got shape {texts.shape}.",
        )
    places, values, shapes = [], [], []
    for number, row in enumerate(texts._array.tolist()):
        one, two, three = (
            parse_tensor(t, k)._array
            for t, k in zip(row, (dtypes.int64, kind, dtypes.int64), strict=True)
        )
        if rank is not None and len(three) != rank or shapes and len(three) != len(shapes[0]):
            raise errors.shape_error(
                "DeserializeManySparse",
                f"row {number} is of rank {len(three)}, expected {rank if rank is not None else len(shapes[0])}.",
            )
        places.append(
            np.column_stack([np.full(len(one), number, np.int64), one.reshape(len(one), -1)])
        )
        values.append(two)
        shapes.append(three)
    if not shapes:
        raise errors.shape_error("DeserializeManySparse", "there are no rows.")
    shape = np.concatenate([[len(shapes)], np.max(shapes, axis=0)]).astype(np.int64)
    return SparseTensor(
        EagerTensor(np.concatenate(places).astype(np.int64)),
        EagerTensor(np.concatenate(values)),
        EagerTensor(shape),
    )


__all__ = ["deserialize_many_sparse", "serialize_many_sparse", "serialize_sparse"]
