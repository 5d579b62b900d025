"""SparseTensor: the entries of a tensor that are not zero, with their places."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtypes, errors
from ..base.shapes import TensorShape
from .tensor import EagerTensor, convert


class SparseTensorSpec:
    """What is known of a sparse tensor.

    Args:
        shape: Shape of the whole; None where it is not known.
        dtype: Type of the entries. Default float32.

    >>> SparseTensor([[0, 1]], [5], [2, 2])._value_spec
    SparseTensorSpec(TensorShape([2, 2]), tf.int32)
    """

    def __init__(self, shape: Any = None, dtype: Any = dtypes.float32) -> None:
        self.shape = TensorShape(shape)
        self.dtype = dtypes.as_dtype(dtype)

    @property
    def value_type(self) -> type:
        """`SparseTensor`."""
        return SparseTensor

    def __repr__(self) -> str:
        return f"SparseTensorSpec({self.shape!r}, {self.dtype!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SparseTensorSpec) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))


class SparseTensor:
    """Values at given places of a tensor that is empty elsewhere.

    Args:
        indices: int64 tensor [entries, rank].
        values: Tensor [entries].
        dense_shape: int64 tensor [rank].

    Raises:
        ValueError: If the three do not fit each other.

    >>> SparseTensor([[0, 1]], [5], [2, 2]).shape
    TensorShape([2, 2])
    """

    def __init__(self, indices: Any, values: Any, dense_shape: Any) -> None:
        self._indices = _int64(indices)
        self._values = convert(values)
        self._dense_shape = _int64(dense_shape)
        places, values_ = self._indices._array, self._values._array
        rank = self._dense_shape._array.size
        if places.size == 0 and places.ndim < 2:
            self._indices = EagerTensor(places.reshape(0, rank))
        elif (
            places.ndim != 2
            or places.shape[1] != rank
            or values_.ndim != 1
            or len(values_) != len(places)
        ):
            raise ValueError(
                f"SparseTensor takes indices [n, rank], values [n] and dense_shape [rank], got shapes {places.shape}, "
                f"{values_.shape} and {self._dense_shape.shape}."
            )

    @property
    def indices(self) -> EagerTensor:
        """Places of the entries, int64 [entries, rank]."""
        return self._indices

    @property
    def values(self) -> EagerTensor:
        """The entries."""
        return self._values

    @property
    def dense_shape(self) -> EagerTensor:
        """Shape of the whole as an int64 tensor."""
        return self._dense_shape

    @property
    def shape(self) -> TensorShape:
        """Shape of the whole."""
        return TensorShape(self._dense_shape._array.tolist())

    @property
    def dtype(self) -> Any:
        """Type of the entries."""
        return self._values.dtype

    # What pipelines ask of a component that is no plain tensor.

    @property
    def _value_spec(self) -> SparseTensorSpec:
        return SparseTensorSpec(self.shape, self.dtype)

    def __len__(self) -> int:
        return int(self._dense_shape._array[0])

    def _row(self, place: int) -> SparseTensor:
        """The entries of one row."""
        places = self._indices._array
        mine = places[:, 0] == place
        return SparseTensor(
            EagerTensor(places[mine, 1:]),
            EagerTensor(self._values._array[mine]),
            EagerTensor(self._dense_shape._array[1:]),
        )

    @classmethod
    def _stacked(cls, parts: list[SparseTensor]) -> SparseTensor:
        """Several as the rows of one, which is as large as the largest of them."""
        places = [np.insert(part._indices._array, 0, row, axis=1) for row, part in enumerate(parts)]
        extents = np.max([part._dense_shape._array for part in parts], axis=0)
        return cls(
            EagerTensor(np.concatenate(places)),
            EagerTensor(np.concatenate([part._values._array for part in parts])),
            EagerTensor(np.concatenate([[len(parts)], extents]).astype(np.int64)),
        )

    def get_shape(self) -> TensorShape:
        """Shape of the whole, as TensorFlow 1 spelled it."""
        return self.shape

    def dense(self, default: Any = None) -> EagerTensor:
        """The whole tensor, with `default` (0 or the empty string) where there is no entry.

        Raises:
            InvalidArgumentError: If a place lies outside.
        """
        shape = tuple(self._dense_shape._array.tolist())
        places, values = self._indices._array, self._values._array
        if places.size and ((places < 0).any() or (places >= np.array(shape)).any()):
            raise errors.index_error(
                "SparseToDense",
                f"A place of the SparseTensor lies outside its shape {list(shape)}.",
            )
        empty = (
            (b"" if values.dtype == object else 0)
            if default is None
            else convert(default)._array[()]
        )
        out = np.full(shape, empty, values.dtype)
        out[tuple(places.T)] = values
        return EagerTensor(out)

    def __repr__(self) -> str:
        return (
            f"SparseTensor(indices={self._indices!s}, values={self._values!s}, "
            f"dense_shape={self._dense_shape!s})"
        )


def _int64(value: Any) -> EagerTensor:
    made = convert(value)
    return EagerTensor(made._array.astype(np.int64))


SparseTensor.__module__ = SparseTensorSpec.__module__ = "eagercore"
