"""Geometry of windows that slide over an array, in plain integers (for convolution, pooling).

Per spatial dimension there is a size, a window, a stride, a dilation (distance of the window's
elements) and a padding pair (before, after). A pair of None stands for TensorFlow's "SAME" where
the size is not known yet: it is worked out when the array is there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

Pair = tuple[int, int]
Ints = tuple[int, ...]


def reach(window: int, dilation: int) -> int:
    """How many elements a window spans."""
    return (window - 1) * dilation + 1


def same_pair(size: int, window: int, stride: int, dilation: int = 1) -> Pair:
    """Padding that makes the output's size that of the input over the stride, rounded up.

    Where the total is odd the extra element goes after, as in TensorFlow.

    >>> same_pair(5, 4, 2)
    (1, 2)
    """
    output = -(-size // stride)
    total = max((output - 1) * stride + reach(window, dilation) - size, 0)
    return total // 2, total - total // 2


def resolve_padding(
    padding: Sequence[Pair | None], sizes: Ints, window: Ints, strides: Ints, dilations: Ints
) -> tuple[Pair, ...]:
    """Padding with each None replaced by the pair of "SAME"."""
    return tuple(
        same_pair(size, extent, stride, dilation) if pair is None else pair
        for pair, size, extent, stride, dilation in zip(
            padding, sizes, window, strides, dilations, strict=True
        )
    )


def output_size(
    size: int | None, window: int, stride: int, dilation: int, pair: Pair | None
) -> int | None:
    """Size of the output in one dimension; None if it is not known, negative never."""
    if size is None:
        return None
    if pair is None:
        return -(-size // stride)
    room = size + pair[0] + pair[1] - reach(window, dilation)
    return max(room // stride + 1, 0)


def output_sizes(
    sizes: Sequence[int],
    window: Ints,
    strides: Ints,
    dilations: Ints,
    padding: Sequence[Pair | None],
) -> Ints:
    """Sizes of the output where all sizes are known."""
    return tuple(
        output_size(*each) or 0
        for each in zip(sizes, window, strides, dilations, padding, strict=True)
    )


def taps(
    sizes: Ints,
    outputs: Ints,
    window: Ints,
    strides: Ints,
    dilations: Ints,
    padding: Sequence[Pair],
) -> Iterator[tuple[Ints, tuple[slice, ...], tuple[slice, ...]]]:
    """Each element of the window with the slices of input and output that it connects.

    Padding is never touched: the slices leave out what would lie outside. Elements that lie outside
    everywhere are skipped. In row-major order of the window.
    """
    lines = [
        list(_taps_of_line(*each))
        for each in zip(sizes, outputs, window, strides, dilations, padding, strict=True)
    ]
    for combination in product(*lines):
        yield (
            tuple(tap for tap, _, _ in combination),
            tuple(source for _, source, _ in combination),
            tuple(target for _, _, target in combination),
        )


def _taps_of_line(
    size: int, output: int, window: int, stride: int, dilation: int, pair: Pair
) -> Iterator[tuple[int, slice, slice]]:
    for tap in range(window):
        offset = tap * dilation - pair[0]
        first = max(0, -(offset // stride)) if offset < 0 else 0
        last = min(output - 1, (size - 1 - offset) // stride)
        if first > last:
            continue
        start = first * stride + offset
        yield (
            tap,
            slice(start, last * stride + offset + 1, stride),
            slice(first, last + 1),
        )
