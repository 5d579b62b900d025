"""Pooling by a ratio that is no whole number: regions of two neighbouring sizes, drawn at random."""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np

from ..base import errors
from ..base.philox import MASK64, Philox, SingleWords
from ..base.seeds import entropy, seeds_of
from ..core import coerce
from ..core.tensor import convert
from .arithmetic import multiply, real_divide
from .create import constant
from .index import gather_op
from .reduce import reduce_max, reduce_sum

FractionalMaxPool = namedtuple(
    "FractionalMaxPool", ("output", "row_pooling_sequence", "col_pooling_sequence")
)
FractionalAvgPool = namedtuple(
    "FractionalAvgPool", ("output", "row_pooling_sequence", "col_pooling_sequence")
)


def _drawn(size, count, position, pseudo_random):
    """Where `count` regions of `size` rows begin, and the end; the stream moves on as TensorFlow's does."""
    words = SingleWords(position)
    if pseudo_random:
        ratio, whole = size / count, size // count
        most = min((whole + 2) / ratio - 1, (size + 1 - whole) / ratio - (count - 1))
        start = words.float64() * most
        cuts = [1, *(math.ceil(ratio * (i + start)) for i in range(1, count)), size + 1]
        sizes = [b - a for a, b in zip(cuts, cuts[1:], strict=False)]
        position.skip(1)
    else:
        sizes = [size // count + (i < size % count) for i in range(count)]
        for i in range(count - 1):
            j = i + words.below(count - i)
            sizes[i], sizes[j] = sizes[j], sizes[i]
        position.skip(-(-count // 4))
    return np.cumsum([0, *sizes])


def _along(x, axis, cuts, overlapping, largest):
    """The largest or the sum of each region along one axis, and the sizes of the regions."""
    size = int(cuts[-1])
    ends = np.minimum(cuts[1:] + (1 if overlapping else 0), size)
    sizes = ends - cuts[:-1]
    places = cuts[:-1, None] + np.arange(sizes.max())
    parts = gather_op(x, constant(np.minimum(places, ends[:, None] - 1)), axis=axis)
    if largest:
        return reduce_max(parts, axis=axis + 1), sizes
    inside = places < ends[:, None]
    shape = [1] * (x.shape.rank + 1)
    shape[axis : axis + 2] = inside.shape
    weights = constant(inside.reshape(shape).astype(x.dtype._numpy()))
    return reduce_sum(multiply(parts, weights), axis=axis + 1), sizes


def _pooled(op, value, pooling_ratio, pseudo_random, overlapping, seeds, largest):
    value = convert(value)
    if value.shape.rank != 4:
        raise errors.shape_error(op, f"value must be 4-dimensional, got shape {value.shape}.")
    if not isinstance(pooling_ratio, list | tuple):
        pooling_ratio = [1.0, pooling_ratio, pooling_ratio, 1.0]
    ratio = [float(r) for r in pooling_ratio]
    if len(ratio) != 4 or ratio[0] != 1.0 or ratio[3] != 1.0:
        raise ValueError(
            f"{op}: the ratios of batch and channels must be 1, got pooling_ratio={pooling_ratio}."
        )
    if min(ratio) < 1.0:
        raise ValueError(f"{op}: pooling_ratio should be >= 1.0, got {pooling_ratio}.")
    rows, columns = (int(d) for d in value.shape[1:3])
    position = Philox.from_seeds(*seeds)
    row_cuts = _drawn(rows, int(rows / ratio[1]), position, pseudo_random)
    column_cuts = _drawn(columns, int(columns / ratio[2]), position, pseudo_random)
    made, heights = _along(value, 1, row_cuts, overlapping, largest)
    made, widths = _along(made, 2, column_cuts, overlapping, largest)
    if not largest:
        counts = (heights[:, None] * widths)[:, :, None].astype(value.dtype._numpy())
        made = real_divide(made, constant(counts))
    return made, *(constant(c.astype(np.int64)) for c in (row_cuts, column_cuts))


def _seeds(seed):
    if not seed:
        return entropy(64) & MASK64, entropy(64) & MASK64
    return seeds_of(coerce.as_int(seed, "fractional_pool", "seed"))


def fractional_max_pool(
    value, pooling_ratio, pseudo_random=False, overlapping=False, seed=0, name=None
):
    """The largest of each region, where extents shrink by a ratio that need not be whole.

    Args:
        value: Floating tensor [batch, rows, columns, channels] of known extents.
        pooling_ratio: By what rows and columns shrink, 1 or more: a number or [1, rows, columns, 1].
        pseudo_random: Whether the sizes of the regions alternate as evenly as a random start allows; else they are
            in random order.
        overlapping: Whether regions share their borders.
        seed: Seed of the regions; 0 draws others in each call (in a graph: in each trace).
        name: Accepted for TensorFlow's sake.

    Returns:
        Named tuple (output, row_pooling_sequence, col_pooling_sequence): the result, and where regions begin, with
        the extent at the end.

    Raises:
        InvalidArgumentError: If `value` has not four axes.
        ValueError: If a ratio is less than 1, or is not 1 for batch or channels.

    >>> fractional_max_pool([[[[1.0], [2.0]], [[3.0], [4.0]]]], 2.0, seed=1).output.numpy().ravel()
    array([4.], dtype=float32)
    """
    return FractionalMaxPool(
        *_pooled(
            "FractionalMaxPool",
            value,
            pooling_ratio,
            pseudo_random,
            overlapping,
            _seeds(seed),
            True,
        )
    )


def fractional_avg_pool(
    value, pooling_ratio, pseudo_random=False, overlapping=False, seed=0, name=None
):
    """The mean of each region, where extents shrink by a ratio that need not be whole.

    Args:
        value: Floating tensor [batch, rows, columns, channels] of known extents.
        pooling_ratio: By what rows and columns shrink, 1 or more: a number or [1, rows, columns, 1].
        pseudo_random: Whether the sizes of the regions alternate as evenly as a random start allows; else they are
            in random order.
        overlapping: Whether regions share their borders.
        seed: Seed of the regions; 0 draws others in each call (in a graph: in each trace).
        name: Accepted for TensorFlow's sake.

    Returns:
        Named tuple (output, row_pooling_sequence, col_pooling_sequence): the result, and where regions begin, with
        the extent at the end.

    Raises:
        InvalidArgumentError: If `value` has not four axes.
        ValueError: If a ratio is less than 1, or is not 1 for batch or channels.

    >>> fractional_avg_pool([[[[1.0], [2.0]], [[3.0], [4.0]]]], 2.0, seed=1).output.numpy().ravel()
    array([2.5], dtype=float32)
    """
    return FractionalAvgPool(
        *_pooled(
            "FractionalAvgPool",
            value,
            pooling_ratio,
            pseudo_random,
            overlapping,
            _seeds(seed),
            False,
        )
    )


__all__ = ["FractionalAvgPool", "FractionalMaxPool", "fractional_avg_pool", "fractional_max_pool"]
