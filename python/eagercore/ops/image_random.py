"""Images changed at random, by TensorFlow's own streams, and the same by given seeds (`stateless_...`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..base import dtypes, errors
from ..core import coerce
from ..core.tensor import convert
from . import random
from .arithmetic import floormod
from .compare import less
from .create import cast
from .image_color import adjust_brightness, adjust_contrast, adjust_hue, adjust_saturation
from .image_files import adjust_jpeg_quality
from .image_geometry import flip_left_right, flip_up_down
from .rounding import round_
from .select import where
from .shape import reshape, shape
from .slicing import slice_

Draw = Callable[..., Any]


def _by_op(seed: Any) -> Draw:
    """Numbers of an operation with that seed."""
    return lambda extent, low, high, dtype=dtypes.float32: random.uniform(
        extent, low, high, dtype, seed
    )


def _by_seed(seed: Any) -> Draw:
    """Numbers that follow from the seed alone."""
    return lambda extent, low, high, dtype=dtypes.float32: random.stateless_uniform(
        extent, seed, low, high, dtype
    )


def random_crop(value, size, seed=None, name=None):
    """A part of a tensor at a random place.

    Args:
        value: Tensor.
        size: Shape of the part.
        seed: Seed of this operation.
        name: Accepted for TensorFlow's sake.

    Raises:
        InvalidArgumentError: If the part is larger than the tensor.

    >>> random_crop([[1, 2], [3, 4]], [1, 2]).shape
    TensorShape([1, 2])
    """
    return _random_crop(value, size, _by_op(seed))


def stateless_random_crop(value, size, seed, name=None):
    """`random_crop` whose place follows from two seeds alone.

    Args:
        value: Tensor.
        size: Shape of the part.
        seed: Two whole numbers.
        name: Accepted for TensorFlow's sake.
    """
    return _random_crop(value, size, _by_seed(seed))


def _random_crop(value: Any, size: Any, draw: Draw) -> Any:
    value = convert(value)
    wanted = coerce.as_ints(size, "random_crop", "size")
    if value.shape.is_fully_defined():
        have = tuple(value.shape)
        if len(have) != len(wanted) or any(h < w for h, w in zip(have, wanted)):
            raise errors.shape_error(
                "random_crop", f"Need value.shape >= size, got {list(have)} and {list(wanted)}."
            )
    limit = shape(value) - np.array(wanted, np.int32) + 1
    drawn = draw([len(wanted)], 0, dtypes.int32.max, dtypes.int32)
    return slice_(value, floormod(drawn, limit), list(wanted))


def _random_flip(image: Any, flip: Callable[[Any], Any], draw: Draw) -> Any:
    image = convert(image)
    if image.shape.rank == 3:
        return where(less(draw([], 0.0, 1.0), 0.5), flip(image), image)
    if image.shape.rank != 4:
        raise ValueError(f"'image' (shape {image.shape}) must have either 3 or 4 dimensions.")
    batch = image.shape[0] if image.shape[0] is not None else shape(image)[0]
    flips = round_(reshape(draw([batch], 0.0, 1.0), [-1, 1, 1, 1]))
    return where(cast(flips, dtypes.bool_), flip(image), image)


def random_flip_left_right(image, seed=None):
    """Images flipped left to right with probability 1/2, each of a batch by itself.

    Args:
        image: Tensor [batch, height, width, channels] or [height, width, channels].
        seed: Seed of this operation.
    """
    return _random_flip(image, flip_left_right, _by_op(seed))


def random_flip_up_down(image, seed=None):
    """Images flipped upside down with probability 1/2, each of a batch by itself.

    Args:
        image: Tensor [batch, height, width, channels] or [height, width, channels].
        seed: Seed of this operation.
    """
    return _random_flip(image, flip_up_down, _by_op(seed))


def stateless_random_flip_left_right(image, seed):
    """`random_flip_left_right` that follows from two seeds alone.

    Args:
        image: Tensor [batch, height, width, channels] or [height, width, channels].
        seed: Two whole numbers.
    """
    return _random_flip(image, flip_left_right, _by_seed(seed))


def stateless_random_flip_up_down(image, seed):
    """`random_flip_up_down` that follows from two seeds alone.

    Args:
        image: Tensor [batch, height, width, channels] or [height, width, channels].
        seed: Two whole numbers.
    """
    return _random_flip(image, flip_up_down, _by_seed(seed))


def _within(value: Any, name: str, most: float | None = None) -> float:
    number = float(coerce.plain(value))
    if number < 0 or (most is not None and number > most):
        limits = "non-negative" if most is None else f"between 0 and {most}"
        raise ValueError(f"{name} must be {limits}, got {number}.")
    return number


def _ordered(lower: Any, upper: Any) -> tuple[float, float]:
    low, high = _within(lower, "lower"), float(coerce.plain(upper))
    if high <= low:
        raise ValueError(f"upper must be > lower, got lower={low} and upper={high}.")
    return low, high


def random_brightness(image, max_delta, seed=None):
    """Images with a random number of [-max_delta, max_delta) added; see `adjust_brightness`.

    Args:
        image: Tensor.
        max_delta: Not negative.
        seed: Seed of this operation.
    """
    most = _within(max_delta, "max_delta")
    return adjust_brightness(image, _by_op(seed)([], -most, most))


def stateless_random_brightness(image, max_delta, seed):
    """`random_brightness` that follows from two seeds alone.

    Args:
        image: Tensor.
        max_delta: Not negative.
        seed: Two whole numbers.
    """
    most = _within(max_delta, "max_delta")
    return adjust_brightness(image, _by_seed(seed)([], -most, most))


def random_contrast(image, lower, upper, seed=None):
    """Images of a random contrast; see `adjust_contrast`.

    Args:
        image: Tensor.
        lower: Smallest factor.
        upper: Largest factor.
        seed: Seed of this operation.
    """
    return adjust_contrast(image, _by_op(seed)([], *_ordered(lower, upper)))


def stateless_random_contrast(image, lower, upper, seed):
    """`random_contrast` that follows from two seeds alone.

    Args:
        image: Tensor.
        lower: Smallest factor.
        upper: Largest factor.
        seed: Two whole numbers.
    """
    return adjust_contrast(image, _by_seed(seed)([], *_ordered(lower, upper)))


def random_hue(image, max_delta, seed=None):
    """Images of a random hue; see `adjust_hue`.

    Args:
        image: Tensor with three channels last.
        max_delta: In [0, 0.5].
        seed: Seed of this operation.
    """
    most = _within(max_delta, "max_delta", 0.5)
    return adjust_hue(image, _by_op(seed)([], -most, most))


def stateless_random_hue(image, max_delta, seed):
    """`random_hue` that follows from two seeds alone.

    Args:
        image: Tensor with three channels last.
        max_delta: In [0, 0.5].
        seed: Two whole numbers.
    """
    most = _within(max_delta, "max_delta", 0.5)
    return adjust_hue(image, _by_seed(seed)([], -most, most))


def random_saturation(image, lower, upper, seed=None):
    """Images of a random saturation; see `adjust_saturation`.

    Args:
        image: Tensor with three channels last.
        lower: Smallest factor.
        upper: Largest factor.
        seed: Seed of this operation.
    """
    return adjust_saturation(image, _by_op(seed)([], *_ordered(lower, upper)))


def stateless_random_saturation(image, lower, upper, seed=None):
    """`random_saturation` that follows from two seeds alone.

    Args:
        image: Tensor with three channels last.
        lower: Smallest factor.
        upper: Largest factor.
        seed: Two whole numbers.
    """
    return adjust_saturation(image, _by_seed(seed)([], *_ordered(lower, upper)))


def _qualities(least: Any, most: Any) -> tuple[int, int]:
    low = coerce.as_int(least, "random_jpeg_quality", "min_jpeg_quality")
    high = coerce.as_int(most, "random_jpeg_quality", "max_jpeg_quality")
    if not 0 <= low < high <= 100:
        raise ValueError(
            f"Qualities must be 0 <= min_jpeg_quality < max_jpeg_quality <= 100, got {low} and {high}."
        )
    return low, high


def random_jpeg_quality(image, min_jpeg_quality, max_jpeg_quality, seed=None):
    """Images as a JPEG of a random quality leaves them.

    Args:
        image: Tensor [height, width, channels].
        min_jpeg_quality: Lowest quality.
        max_jpeg_quality: Quality above the highest.
        seed: Seed of this operation.
    """
    drawn = _by_op(seed)([], *_qualities(min_jpeg_quality, max_jpeg_quality), dtypes.int32)
    return adjust_jpeg_quality(image, drawn)


def stateless_random_jpeg_quality(image, min_jpeg_quality, max_jpeg_quality, seed):
    """`random_jpeg_quality` that follows from two seeds alone.

    Args:
        image: Tensor [height, width, channels].
        min_jpeg_quality: Lowest quality.
        max_jpeg_quality: Quality above the highest.
        seed: Two whole numbers.
    """
    drawn = _by_seed(seed)([], *_qualities(min_jpeg_quality, max_jpeg_quality), dtypes.int32)
    return adjust_jpeg_quality(image, drawn)
