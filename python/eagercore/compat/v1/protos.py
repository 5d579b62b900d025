"""Arrays as messages, and conversions with several outcomes."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from ...base.context import context
from ...base.tensor_proto import decode_tensor, encode_tensor
from ...core.slices import IndexedSlices
from ...core.tensor import convert

SparseTensorValue = namedtuple("SparseTensorValue", ("indices", "values", "dense_shape"))
SparseTensorValue.__doc__ = "The values of a `SparseTensor`, as a session gives and takes them."
SparseTensorValue.__module__ = "eagercore"


class TensorProto:
    """An array as a message.

    Args:
        data: The message.
    """

    def __init__(self, data: bytes = b"") -> None:
        self._data = data

    def SerializeToString(self) -> bytes:
        """The message."""
        return self._data

    def ParseFromString(self, data: bytes) -> int:
        """Takes over a message."""
        self._data = bytes(data)
        return len(data)

    @classmethod
    def FromString(cls, data: bytes) -> TensorProto:
        """Reads a message."""
        return cls(data)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TensorProto) and self._data == other._data

    __hash__ = None  # type: ignore[assignment]


def make_tensor_proto(
    values: Any,
    dtype: Any = None,
    shape: Any = None,
    verify_shape: bool = False,
    allow_broadcast: bool = False,
) -> TensorProto:
    """An array as a message.

    Args:
        values: Array, number or nested list.
        dtype: Dtype, or None to take it from the values.
        shape: Shape, or None.
        verify_shape: Accepted for TensorFlow's sake.
        allow_broadcast: Accepted for TensorFlow's sake.

    >>> make_ndarray(make_tensor_proto([1, 2]))
    array([1, 2], dtype=int32)
    """
    from ...ops.create import constant

    return TensorProto(encode_tensor(constant(values, dtype, shape)._read_array()))


def make_ndarray(tensor: Any) -> Any:
    """The array of a message.

    Args:
        tensor: `TensorProto`, or the message as bytes.
    """
    data = tensor if isinstance(tensor, bytes) else tensor.SerializeToString()
    return np.array(decode_tensor(data))


def convert_to_tensor_or_indexed_slices(
    value: Any, dtype: Any = None, name: str | None = None
) -> Any:
    """`IndexedSlices` as they are, everything else as a tensor.

    Args:
        value: Anything that converts to a tensor.
        dtype: Dtype, or None.
        name: Accepted for TensorFlow's sake.
    """
    return value if isinstance(value, IndexedSlices) else convert(value, dtype)


def convert_to_tensor_or_sparse_tensor(
    value: Any, dtype: Any = None, name: str | None = None
) -> Any:
    """A `SparseTensor` as it is, everything else as a tensor.

    Args:
        value: Anything that converts to a tensor.
        dtype: Dtype, or None.
        name: Accepted for TensorFlow's sake.
    """
    from ...core.sparse import SparseTensor

    if isinstance(value, SparseTensorValue):
        return SparseTensor(*value)
    return value if isinstance(value, SparseTensor) else convert(value, dtype)


def executing_eagerly_outside_functions() -> bool:
    """Whether the code around all functions runs eagerly."""
    graph = context.graph
    while getattr(graph, "building_function", False):
        graph = graph.outer
    return graph is None


def assert_variables_initialized(var_list: Any = None) -> None:
    """Nothing to do: variables have their values from the start.

    Args:
        var_list: Accepted for TensorFlow's sake.
    """


TensorProto.__module__ = "eagercore"
