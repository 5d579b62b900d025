"""Reductions of large arrays on several threads: NumPy's own, each on a part of the array.

Sums stay pairwise within a part; rows are whole within one thread, so that they are the reference's to the last bit.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import kernel, parallel

Array = np.ndarray[Any, Any]

LEAST = 1 << 18
"""Elements that are worth a thread of their own."""

_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


def _reduce(function: Any, x: Array, axis: Any, keepdims: bool) -> Any:
    """`function.reduce` over everything or over the last axis; NotImplemented for all else."""
    if x.size < 2 * LEAST or x.dtype not in _FLOATS or not x.flags.c_contiguous:
        return NotImplemented
    if type(axis) is tuple:
        if len(axis) != 1:
            return NotImplemented
        axis = axis[0]
    if axis is None or x.ndim == 1 and axis in (0, -1):
        return _over_all(function, x, keepdims)
    if axis not in (-1, x.ndim - 1):
        return NotImplemented
    length = x.shape[-1]
    rows = x.reshape(-1, length)
    out = np.empty(rows.shape[0], x.dtype)

    def work(start: int, stop: int) -> None:
        function.reduce(rows[start:stop], axis=1, out=out[start:stop])

    parallel.run(work, rows.shape[0], max(LEAST // length, 1))
    return out.reshape(*x.shape[:-1], 1) if keepdims else out.reshape(x.shape[:-1])


def _over_all(function: Any, x: Array, keepdims: bool) -> Array:
    vector, parts = x.reshape(-1), {}

    def work(start: int, stop: int) -> None:
        parts[start] = function.reduce(vector[start:stop])

    parallel.run(work, vector.size, LEAST)
    found = function.reduce(np.array([parts[start] for start in sorted(parts)], x.dtype))
    return np.asarray(found, x.dtype).reshape((1,) * x.ndim if keepdims else ())


@kernel("reduce_sum")
def reduce_sum(input_tensor: Array, *, axis: Any = None, keepdims: bool = False) -> Any:
    """Sum over everything or the last axis."""
    return _reduce(np.add, input_tensor, axis, keepdims)


@kernel("reduce_mean")
def reduce_mean(input_tensor: Array, *, axis: Any = None, keepdims: bool = False) -> Any:
    """Mean over everything or the last axis."""
    made = _reduce(np.add, input_tensor, axis, keepdims)
    if made is not NotImplemented:
        count = input_tensor.size // max(made.size, 1)
        np.divide(made, input_tensor.dtype.type(count), out=made)
    return made


@kernel("reduce_max")
def reduce_max(input_tensor: Array, *, axis: Any = None, keepdims: bool = False) -> Any:
    """Largest value of everything or along the last axis."""
    return _reduce(np.maximum, input_tensor, axis, keepdims)


_one: Any
for _one in (reduce_sum, reduce_mean, reduce_max):
    _one.least = 2 * LEAST
