"""How much images differ: peak signal-to-noise ratio, structural similarity, total variation."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtypes
from ..core import coerce
from ..core.tensor import convert
from .arithmetic import multiply, pow_, square
from .complexes import abs as absolute
from .create import cast
from .exponential import log
from .image_color import convert_image_dtype
from .nn import relu
from .pool import avg_pool2d
from .reduce import reduce_mean, reduce_sum
from .shape import pad, stack
from .slicing import getitem


def total_variation(images, name=None):
    """Sum of the absolute differences of neighbouring pixels.

    Args:
        images: Tensor [batch, height, width, channels] or [height, width, channels].
        name: Accepted for TensorFlow's sake.

    Returns:
        A number for each image.

    >>> total_variation([[[1.0], [3.0]], [[1.0], [0.0]]]).numpy()
    np.float32(6.0)
    """
    images = convert(images)
    rank = images.shape.rank
    if rank not in (3, 4):
        raise ValueError(f"'images' must be either 3 or 4-dimensional, got shape {images.shape}.")
    front = (slice(None),) * (rank - 3)
    all_ = slice(None)
    down = getitem(images, (*front, slice(1, None))) - getitem(images, (*front, slice(None, -1)))
    across = getitem(images, (*front, all_, slice(1, None))) - getitem(
        images, (*front, all_, slice(None, -1))
    )
    axes = None if rank == 3 else [1, 2, 3]
    return reduce_sum(absolute(down), axes) + reduce_sum(absolute(across), axes)


def _pair(first: Any, second: Any, max_val: Any, names: str) -> tuple[Any, Any, Any]:
    first, second = convert(first), convert(second)
    for image in (first, second):
        if image.shape.rank is not None and image.shape.rank < 3:
            raise ValueError(
                f"{names} must have shape [..., height, width, channels], got {first.shape} and {second.shape}."
            )
    if not first.shape.is_compatible_with(second.shape):
        raise ValueError(f"{names} must be of one shape, got {first.shape} and {second.shape}.")
    most = cast(max_val, first.dtype)
    made = [
        convert_image_dtype(value, dtypes.float32) if not first.dtype.is_floating else value
        for value in (most, first, second)
    ]
    return made[1], made[2], made[0]


def psnr(a, b, max_val, name=None):
    """Peak signal-to-noise ratio in decibels.

    Args:
        a: Tensor [..., height, width, channels].
        b: Tensor of the same shape and dtype.
        max_val: Largest value that pixels can have.
        name: Accepted for TensorFlow's sake.

    Returns:
        A number for each image.
    """
    a, b, most = _pair(a, b, max_val, "a and b")
    error = reduce_mean(square(a - b), [-3, -2, -1])
    return multiply(log(most) * 20.0 - log(error) * 10.0, float(np.float32(1 / np.log(10))))


def _gaussian(size: int, sigma: float) -> list[float]:
    places = np.arange(size, dtype=np.float64) - (size - 1) / 2.0
    weights = np.exp(-(places**2) / (2.0 * sigma**2))
    return (weights / weights.sum()).tolist()


def _blurred(images: Any, weights: list[float]) -> Any:
    """Weighted means of neighbourhoods that lie within the image."""
    for axis in (-3, -2):
        after = (slice(None),) * (-axis - 1)
        count = len(weights)
        extent = tuple(images.shape)[axis] - count + 1
        total = None
        for place, weight in enumerate(weights):
            part = getitem(images, (Ellipsis, slice(place, place + extent), *after)) * weight
            total = part if total is None else total + part
        images = total
    return images


def _similarity(
    first: Any, second: Any, most: Any, size: int, sigma: float, k1: float, k2: float
) -> tuple[Any, Any]:
    """Maps of structural similarity, and of contrast and structure alone."""
    for image in (first, second):
        if min(tuple(image.shape)[-3:-1]) < size:
            raise ValueError(
                f"Images of shape {image.shape} are smaller than the filter of size {size}: give a smaller filter_size."
            )
    weights = _gaussian(size, sigma)
    c1, c2 = square(most * k1), square(most * k2)
    mean1, mean2 = _blurred(first, weights), _blurred(second, weights)
    product = mean1 * mean2 * 2.0
    squares = square(mean1) + square(mean2)
    luminance = (product + c1) / (squares + c1)
    cross = _blurred(first * second, weights) * 2.0
    power = _blurred(square(first) + square(second), weights)
    structure = (cross - product + c2) / (power - squares + c2)
    return luminance * structure, structure


def ssim(
    img1, img2, max_val, filter_size=11, filter_sigma=1.5, k1=0.01, k2=0.03, return_index_map=False
):
    """Structural similarity: 1 for equal images.

    Args:
        img1: Tensor [..., height, width, channels].
        img2: Tensor of the same shape and dtype.
        max_val: Largest value that pixels can have.
        filter_size: Size of the Gaussian window.
        filter_sigma: Its width.
        k1: Constant that steadies the means.
        k2: Constant that steadies the variances.
        return_index_map: Whether to give the similarity of each place instead of the mean.

    Returns:
        A number for each image.
    """
    first, second, most = _pair(img1, img2, max_val, "img1 and img2")
    size = coerce.as_int(filter_size, "ssim", "filter_size")
    whole, _ = _similarity(first, second, most, size, float(filter_sigma), float(k1), float(k2))
    return (
        reduce_mean(whole, -1)
        if return_index_map
        else reduce_mean(reduce_mean(whole, [-3, -2]), -1)
    )


def ssim_multiscale(
    img1,
    img2,
    max_val,
    power_factors=(0.0448, 0.2856, 0.3001, 0.2363, 0.1333),
    filter_size=11,
    filter_sigma=1.5,
    k1=0.01,
    k2=0.03,
):
    """Structural similarity over several sizes of the images, each half the one before.

    Args:
        img1: Tensor [..., height, width, channels].
        img2: Tensor of the same shape and dtype.
        max_val: Largest value that pixels can have.
        power_factors: Exponent of each size, the first for the full one.
        filter_size: Size of the Gaussian window.
        filter_sigma: Its width.
        k1: Constant that steadies the means.
        k2: Constant that steadies the variances.

    Returns:
        A number for each image.
    """
    first, second, most = _pair(img1, img2, max_val, "img1 and img2")
    size = coerce.as_int(filter_size, "ssim_multiscale", "filter_size")
    parts = []
    for number, factor in enumerate(power_factors):
        if number:
            first, second = _halved(first), _halved(second)
        whole, structure = _similarity(
            first, second, most, size, float(filter_sigma), float(k1), float(k2)
        )
        chosen = whole if number == len(power_factors) - 1 else structure
        parts.append(pow_(relu(reduce_mean(chosen, [-3, -2])), float(factor)))
    product = parts[0]
    for part in parts[1:]:
        product = product * part
    return reduce_mean(product, -1)


def _halved(images: Any) -> Any:
    odd = [tuple(images.shape)[axis] % 2 for axis in (-3, -2)]
    if any(odd):
        rank = images.shape.rank
        images = pad(
            images, [[0, 0]] * (rank - 3) + [[0, odd[0]], [0, odd[1]], [0, 0]], mode="SYMMETRIC"
        )
    if images.shape.rank == 3:
        return getitem(avg_pool2d(stack([images]), 2, 2, "VALID"), 0)
    return avg_pool2d(images, 2, 2, "VALID")
