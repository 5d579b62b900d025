"""IndexedSlices: the rows of a large tensor that a gradient touches, without the zeros of the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.shapes import TensorShape
from .tensor import CONVERTERS, Tensor, convert


class IndexedSlices:
    """Rows `values` at the positions `indices` of a tensor that is zero elsewhere.

    Repeated indices add up when it is made dense (`tf.convert_to_tensor`).

    Args:
        values: Tensor [n, ...].
        indices: Integer tensor [n].
        dense_shape: Shape of the dense tensor, as a tensor, or None.
    """

    def __init__(self, values: Any, indices: Any, dense_shape: Any = None) -> None:
        self._values, self._indices = _as_tensor(values), _as_tensor(indices)
        self._dense_shape = dense_shape if dense_shape is None else _as_tensor(dense_shape)

    @property
    def values(self) -> Any:
        """The rows."""
        return self._values

    @property
    def indices(self) -> Any:
        """Which rows of the dense tensor they are."""
        return self._indices

    @property
    def dense_shape(self) -> Any:
        """Shape of the dense tensor, or None."""
        return self._dense_shape

    @property
    def dtype(self) -> Any:
        """Type of the elements."""
        return self._values.dtype

    @property
    def shape(self) -> TensorShape:
        """Shape of the dense tensor, as far as it is known."""
        if self._dense_shape is None:
            return TensorShape(None)
        return TensorShape([int(d) for d in np.asarray(self._dense_shape)])

    @property
    def device(self) -> str:
        """Where the values are."""
        return self._values.device

    def merged(self) -> tuple[np.ndarray, np.ndarray]:
        """Each index once, and the sum of its rows: (indices, rows)."""
        indices, values = self._indices._array.reshape(-1), self._values._array
        return merge_rows(indices, values) if indices.size else (indices, values)

    def dense(self) -> Any:
        """The dense tensor."""
        if self._dense_shape is None:
            raise ValueError(
                "IndexedSlices without dense_shape cannot be made a dense tensor: give it dense_shape."
            )
        return DENSIFY[0](self)

    def __neg__(self) -> IndexedSlices:
        return IndexedSlices(-self._values, self._indices, self._dense_shape)

    def __str__(self) -> str:
        return f"IndexedSlices(indices={self._indices!s}, values={self._values!s}" + (
            f", dense_shape={self._dense_shape!s})" if self._dense_shape is not None else ")"
        )

    def numpy(self) -> Any:
        """The dense values as a NumPy array."""
        return self.dense().numpy()


#: Makes slices dense by an op, so that tapes see it; set by ops/index.py.
DENSIFY: list[Callable[[IndexedSlices], Any]] = []


def segment_sum(values: np.ndarray, positions: np.ndarray, count: int) -> np.ndarray:
    """Sums the rows of `values` that share a position: an array [count, ...]."""
    result = np.zeros((count, *values.shape[1:]), values.dtype)
    if positions.size:
        targets, sums = merge_rows(positions, values)
        result[targets] = sums
    return result


ROUNDS = 8
"""Rows of one position that are added to those of other positions in one go; from there on they are added in a run."""


def merge_rows(positions: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each position once, in increasing order, and the sum of its rows in the order in which they stand.

    Args:
        positions: Integer array [n], n > 0.
        values: Array [n, ...].
    """
    ordered, order = _sorted(positions)
    new = np.empty(ordered.size, bool)
    new[0] = True
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    starts = np.flatnonzero(new)
    if len(starts) == len(ordered):
        return ordered, values.take(order, axis=0)
    targets = ordered[starts]
    if len(starts) * ROUNDS < len(ordered):
        return targets, np.add.reduceat(values.take(order, axis=0), starts, axis=0)
    # Most positions have few rows: the first of all, then the second of those that have two ...
    sums = values.take(order[starts], axis=0)
    lengths = np.diff(starts, append=len(ordered))
    left, taken = np.flatnonzero(lengths > 1), 1
    while left.size and taken < ROUNDS:
        sums[left] += values.take(order[starts[left] + taken], axis=0)
        taken += 1
        left = left[lengths[left] > taken]
    if left.size:
        rest = lengths[left] - taken
        begins = np.cumsum(rest) - rest
        places = np.repeat(starts[left] + taken - begins, rest) + np.arange(rest.sum())
        sums[left] += np.add.reduceat(values.take(order[places], axis=0), begins, axis=0)
    return targets, sums


def _sorted(positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The positions in order, and where each stood; equal ones stay in the order they had."""
    if positions.max() < 1 << 31 and positions.min() >= -(1 << 31):
        # One number tells both: sorting numbers is several times as fast as sorting places by them.
        keys = positions.astype(np.int64)
        keys <<= 32
        keys |= np.arange(keys.size)
        keys.sort()
        return keys >> 32, keys & 0xFFFFFFFF
    order = np.argsort(positions, kind="stable")
    return positions[order], order


def _as_tensor(value: Any) -> Any:
    return value if isinstance(value, Tensor) or hasattr(value, "_read_array") else convert(value)


def _to_dense(slices: IndexedSlices, dtype: Any) -> Any:
    dense = slices.dense()
    if dtype is not None and dense.dtype is not dtype:
        raise ValueError(
            f"IndexedSlices of dtype {dense.dtype.name} where {dtype.name} is wanted: use tf.cast."
        )
    return dense


CONVERTERS.append((IndexedSlices, _to_dense))
IndexedSlices.__module__ = "eagercore"
