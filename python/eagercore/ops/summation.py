"""Sums that stay exact to the last digits however long they are.

NumPy adds pairwise along the fastest axis only; across the other axes it keeps one running total, whose error
grows with the number of terms: 1e7 float32 terms along axis 0 lose four digits. Here a long axis is summed in
blocks, and the blocks' sums again, so that the error grows with the logarithm. Nothing is copied: splitting one
axis in two is a view.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..backend.half import to_single

#: Terms of one running total.
BLOCK = 128
#: Types whose running totals lose digits that show; floats of two bytes are added up in float32.
NARROW = frozenset("fF")


def total(x: Any, axes: Any = None, keepdims: bool = False) -> Any:
    """Sum of an array over `axes` (None: all), in its own dtype.

    Args:
        x: Array of numbers.
        axes: None or a tuple of axes.
        keepdims: Whether summed axes stay, with size 1.

    Returns:
        Array.
    """
    kind = x.dtype
    if kind.itemsize == 2 and kind.kind in "fV":
        # A running total of eight bits stands still at 256 times its terms.
        wide = to_single(x) if kind.kind == "V" else x.astype(np.float32)
        return total(wide, axes, keepdims).astype(kind)
    if axes is not None and len(axes) == 1 and x.shape[axes[0]] <= BLOCK:
        return np.add.reduce(x, axes[0], kind, None, keepdims)
    if x.size <= 4 * BLOCK or kind.char not in NARROW or _is_pairwise(x, axes):
        return np.add.reduce(x, axes, kind, None, keepdims)
    chosen = range(x.ndim) if axes is None else [a % x.ndim for a in axes]
    order = sorted(chosen, key=lambda a: -x.shape[a])
    made = x
    for axis in order:
        made = _along(made, axis)
    return made if keepdims else made.reshape([d for i, d in enumerate(x.shape) if i not in order])


def _is_pairwise(x: Any, axes: Any) -> bool:
    """Whether NumPy's own order of adding is good: one fast run, or few runs."""
    if axes is None and x.flags.c_contiguous:
        return True
    chosen = range(x.ndim) if axes is None else [a % x.ndim for a in axes]
    reduced = [a for a in chosen if x.shape[a] > 1]
    if not reduced:
        return True
    fast = min(range(x.ndim), key=lambda a: abs(x.strides[a]) if x.shape[a] > 1 else 1 << 62)
    runs = 1
    for a in reduced:
        if a != fast:
            runs *= x.shape[a]
    return runs <= BLOCK


def _along(x: Any, axis: int) -> Any:
    """Sum along one axis, which stays with size 1."""
    while (n := x.shape[axis]) > BLOCK and x.strides[axis] != x.itemsize:
        count = n // BLOCK
        head = x[(slice(None),) * axis + (slice(0, count * BLOCK),)]
        blocks = head.reshape(*x.shape[:axis], count, BLOCK, *x.shape[axis + 1 :])
        parts = np.add.reduce(blocks, axis=axis + 1, dtype=x.dtype)
        if n % BLOCK:
            rest = x[(slice(None),) * axis + (slice(count * BLOCK, None),)]
            last = np.add.reduce(rest, axis=axis, keepdims=True, dtype=x.dtype)
            parts = np.concatenate([parts, last], axis=axis)
        x = parts
    return np.add.reduce(x, axis=axis, keepdims=True, dtype=x.dtype)
