"""Reductions of large arrays over axes that lie together in memory: the last, the first, sums also over those between.

Float32 rows are reduced by oneDNN where it is there, else by NumPy, each thread a part of them. Columns are added by
BLAS, as the product of a row of ones with blocks of them. No running sum has more than some hundreds of terms; what the
blocks give is added by NumPy, pairwise or block by block again, so that the error grows with the logarithm.
"""

from __future__ import annotations

import functools
import importlib
import math
from typing import Any

import numpy as np

from . import kernel, onednn, parallel

Array = np.ndarray[Any, Any]

LEAST = 1 << 14
"""With fewer elements the reference is as fast."""

LEAST_TO = 1 << 17
"""The same where broadcasting is undone, which is plain sums of columns mostly."""

THREADED = 1 << 18
"""Elements that are worth a thread of their own."""

ROWS = 1 << 9
"""Rows of a block whose columns are added at once: BLAS adds four rows to a running sum at a time."""

LONG = 1 << 13
"""Numbers of a row from which on NumPy's own search for the largest is as fast as a search and a test for NaN."""

_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))
_FLOAT32 = np.dtype(np.float32)


@functools.cache
def _library() -> Any:
    """OneDNN's reductions; None where there is no library."""
    return importlib.import_module(".reduction", onednn.__name__) if onednn.available() else None


def _folded(x: Array, axis: Any) -> tuple[int, int, int] | None:
    """The extents before, of and after the reduced axes; None where these do not lie together or x has gaps."""
    if x.dtype not in _FLOATS or not x.flags.c_contiguous:
        return None
    shape, rank = x.shape, x.ndim
    if axis is None:
        return 1, x.size, 1
    if axis == rank - 1 or axis == -1 and rank:
        return x.size // shape[-1], shape[-1], 1
    axes = sorted({a + rank if a < 0 else a for a in (axis if type(axis) is tuple else (axis,))})
    if not axes or axes[0] < 0 or axes[-1] >= rank or len(axes) != axes[-1] - axes[0] + 1:
        return None
    if type(axis) is tuple and len(axes) != len(axis):
        return None
    first, after = axes[0], axes[-1] + 1
    return math.prod(shape[:first]), math.prod(shape[first:after]), math.prod(shape[after:])


def _shaped(made: Array, x: Array, axis: Any, keepdims: bool) -> Array:
    """The result in the shape that the caller asked for."""
    rank = x.ndim
    if axis is None:
        return made.reshape((1,) * rank) if keepdims else made.reshape(())
    gone = [a % rank for a in (axis if type(axis) is tuple else (axis,))]
    ones = [1 if i in gone else n for i, n in enumerate(x.shape) if keepdims or i not in gone]
    return made.reshape(ones)


# ------------------------------------------------------------------------------------------------------------- sums


def _sum(x: Array, axis: Any) -> Any:
    """Sums over axes that lie together, as a vector; NotImplemented for all else."""
    folded = _folded(x, axis)
    if folded is None:
        return NotImplemented
    before, length, after = folded
    if after == 1:
        return _sum_all(x.reshape(-1)) if before == 1 else _sum_rows(x.reshape(before, length))
    if before == 1:
        return _sum_columns(x.reshape(length, after))
    if length <= ROWS:
        return _sum_blocks(x.reshape(before, length, after))
    return NotImplemented


def _sum_rows(rows: Array) -> Array:
    if rows.dtype is _FLOAT32 and (library := _library()) is not None:
        made = library.sum_rows(rows)
        if made is not NotImplemented:
            return made
    return _by_rows(np.add, rows)


def _by_rows(function: Any, rows: Array) -> Array:
    """NumPy's own reduction: rows are whole within one thread, as the reference has them."""
    out = np.empty(len(rows), rows.dtype)

    def work(start: int, stop: int) -> None:
        with np.errstate(all="ignore"):
            function.reduce(rows[start:stop], axis=1, out=out[start:stop])

    parallel.run(work, len(rows), max(THREADED // rows.shape[1], 1))
    return out


def _sum_all(vector: Array) -> Array:
    if vector.dtype is _FLOAT32 and (library := _library()) is not None:
        count, rest = divmod(vector.size, library.PART)
        head = vector[:-rest] if rest else vector
        made = library.sum_rows(head.reshape(count, library.PART))
        if made is not NotImplemented:
            found = np.add.reduce(made)
            return np.asarray(found + np.add.reduce(vector[-rest:]) if rest else found)
    return _by_parts(np.add, vector)


def _by_parts(function: Any, vector: Array) -> Array:
    """NumPy's own reduction of a part on each thread, then of the parts' results."""
    parts: dict[int, Any] = {}

    def work(start: int, stop: int) -> None:
        with np.errstate(all="ignore"):
            parts[start] = function.reduce(vector[start:stop])

    parallel.run(work, vector.size, THREADED)
    found = function.reduce(np.array([parts[start] for start in sorted(parts)], vector.dtype))
    return np.asarray(found, vector.dtype)


def _sum_columns(x: Array) -> Array:
    """The sum of each column of a contiguous matrix, in blocks of rows and again of the blocks' sums."""
    while len(x) > ROWS:
        count = len(x) // ROWS
        parts = _sum_blocks(x[: count * ROWS].reshape(count, ROWS, -1))
        rest = x[count * ROWS :]
        if len(rest):
            parts = np.concatenate([parts, _sum_blocks(rest[None])])
        x = parts
    return _sum_blocks(x[None])[0]


def _sum_blocks(blocks: Array) -> Array:
    """[blocks, rows, columns] summed over the rows: a product with ones, to which NaN and infinity are as to a sum."""
    if blocks.size < LEAST:
        return np.add.reduce(blocks, axis=1)
    ones = np.ones((1, blocks.shape[1]), blocks.dtype)
    out = np.empty((len(blocks), 1, blocks.shape[2]), blocks.dtype)

    def work(start: int, stop: int) -> None:
        with np.errstate(all="ignore"):
            np.matmul(ones, blocks[start:stop], out=out[start:stop])

    # BLAS has threads of its own for blocks that are wide.
    alone = blocks[0].size >= THREADED
    parallel.run(work, len(blocks), len(blocks) if alone else 4 * THREADED // blocks[0].size)
    return out[:, 0]


@kernel("reduce_sum", least=LEAST)
def reduce_sum(input_tensor: Array, *, axis: Any = None, keepdims: bool = False) -> Any:
    """Sum over axes that lie together."""
    if input_tensor.size < LEAST:
        return NotImplemented
    made = _sum(input_tensor, axis)
    return made if made is NotImplemented else _shaped(made, input_tensor, axis, keepdims)


@kernel("reduce_mean", least=LEAST)
def reduce_mean(input_tensor: Array, *, axis: Any = None, keepdims: bool = False) -> Any:
    """Mean over axes that lie together."""
    if input_tensor.size < LEAST:
        return NotImplemented
    made = _sum(input_tensor, axis)
    if made is NotImplemented:
        return made
    np.divide(made, made.dtype.type(input_tensor.size // made.size), out=made)
    return _shaped(made, input_tensor, axis, keepdims)


@kernel("sum_to", least=LEAST_TO)
def sum_to(x: Array, *, shape: Any) -> Any:
    """Sum over the dimensions along which `shape` was broadcast."""
    if x.size < LEAST_TO:
        return NotImplemented
    extra = x.ndim - len(shape)
    axes = tuple(range(extra)) + tuple(
        i + extra for i, d in enumerate(shape) if d == 1 and x.shape[i + extra] != 1
    )
    made = _sum(x, axes) if axes else NotImplemented
    return made if made is NotImplemented else made.reshape(shape)


# --------------------------------------------------------------------------------------------------------- extremes


def _extreme(x: Array, axis: Any, keepdims: bool, function: Any, kind: str) -> Any:
    if x.size < LEAST:
        return NotImplemented
    folded = _folded(x, axis)
    if folded is None or folded[2] != 1:
        return NotImplemented
    before, length, _ = folded
    rows = x.reshape(before, length)
    made: Any = NotImplemented
    if before == 1:
        made = _by_parts(function, x.reshape(-1))
    elif length < LONG and x.dtype is _FLOAT32 and (library := _library()) is not None:
        made = library.extreme_rows(rows, kind)
    if made is NotImplemented:
        made = _by_rows(function, rows)
    return _shaped(made, x, axis, keepdims)


@kernel("reduce_max", least=LEAST)
def reduce_max(input_tensor: Array, *, axis: Any = None, keepdims: bool = False) -> Any:
    """Largest value of everything or along the last axes."""
    return _extreme(input_tensor, axis, keepdims, np.maximum, "max")


@kernel("reduce_min", least=LEAST)
def reduce_min(input_tensor: Array, *, axis: Any = None, keepdims: bool = False) -> Any:
    """Smallest value of everything or along the last axes."""
    return _extreme(input_tensor, axis, keepdims, np.minimum, "min")
