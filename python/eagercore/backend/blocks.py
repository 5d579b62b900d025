"""Work on large arrays block by block, so that intermediate results never leave the cache.

NumPy evaluates one operation at a time over whole arrays. A formula of several operations on arrays
larger than the cache spends its time on memory; taken in blocks, with scratch memory that each
thread uses again, it reads its inputs once and writes its output once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import parallel

Array = np.ndarray[Any, Any]

LARGE = 1 << 16
"""Bytes of an array from which on it is filled in larger pieces."""

PIECES = 1 << 18
"""Pieces that are worth a thread of their own."""

_FILLED = (np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.float64))


class _Scratch(threading.local):
    """Blocks that belong to the thread."""

    def __init__(self) -> None:
        self._blocks: dict[Any, Array] = {}

    def take(self, size: int, dtypes: Sequence[Any]) -> list[Array]:
        """One block of `size` elements for each dtype."""
        found = []
        for position, dtype in enumerate(dtypes):
            key = position, dtype
            block = self._blocks.get(key)
            if block is None or block.size < size:
                block = self._blocks[key] = np.empty(size, dtype)
            found.append(block[:size])
        return found


_scratch = _Scratch()


def blockwise(
    step: Callable[..., Any],
    arrays: Sequence[Array],
    scratch: Sequence[Any] = (),
    *,
    block: int,
    threaded: int,
) -> None:
    """Run `step(*blocks of the arrays, *scratch blocks)` over all blocks.

    Args:
        step: Works in place on blocks of the same size.
        arrays: Vectors of one size.
        scratch: Dtypes of the scratch blocks.
        block: Elements a block.
        threaded: Fewest elements that are worth a thread of their own.
    """

    size = arrays[0].size
    if size <= block and size < 2 * threaded:
        with np.errstate(all="ignore"):
            step(*arrays, *_scratch.take(size, scratch))
        return

    def work(start: int, stop: int) -> None:
        spare = _scratch.take(min(block, stop - start), scratch)
        # What a formula makes of NaN and infinity is its result, not a reason for a warning.
        with np.errstate(all="ignore"):
            for at in range(start, stop, block):
                end = min(at + block, stop)
                step(*[array[at:end] for array in arrays], *[one[: end - at] for one in spare])

    parallel.run(work, size, threaded)


def ones(shape: tuple[int, ...], dtype: Any) -> Array:
    """An array of ones, a large one of which is filled 16 bytes at a time: NumPy fills number by number.

    Args:
        shape: Extents.
        dtype: NumPy dtype.
    """
    array = np.empty(shape, dtype)
    if array.nbytes < LARGE or not (array.dtype in _FILLED or array.dtype.name == "bfloat16"):
        array.fill(1)
        return array
    vector, wide = array.reshape(-1), np.dtype(np.complex128)
    each = wide.itemsize // array.itemsize
    pattern = np.ones(each, array.dtype).view(wide)[0]
    pieces = vector[: array.size // each * each].view(wide)
    vector[pieces.size * each :] = 1
    parallel.run(lambda start, stop: pieces[start:stop].fill(pattern), pieces.size, PIECES)
    return array
