"""Colours of images: conversion of types and colour spaces, brightness, contrast, hue, saturation."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtypes, errors
from ..core import coerce
from ..core.tensor import convert
from .arithmetic import floordiv, floormod, maximum, multiply, pow_, subtract
from .compare import equal, greater, less
from .complexes import abs as absolute
from .create import cast, zeros_like
from .exponential import rsqrt
from .linalg import matmul
from .reduce import reduce_max, reduce_mean, reduce_min
from .rounding import clip_by_value, saturate_cast
from .select import where
from .shape import concat, reshape, shape, stack
from .slicing import getitem


def convert_image_dtype(image, dtype, saturate=False, name=None):
    """Images of another dtype, with their values scaled: whole numbers fill their range, floats lie in [0, 1].

    Args:
        image: Tensor.
        dtype: New dtype.
        saturate: Whether values are held to the new range first.
        name: Accepted for TensorFlow's sake.

    >>> convert_image_dtype(convert([0, 255], dtypes.uint8), "float32").numpy()
    array([0., 1.], dtype=float32)
    """
    image, dtype = convert(image), dtypes.as_dtype(dtype)
    before = image.dtype
    if not (dtype.is_floating or dtype.is_integer) or not (before.is_floating or before.is_integer):
        raise AttributeError(
            f"dtype must be either floating point or integer, got {before!r} to {dtype!r}."
        )
    if before is dtype:
        return image
    if before.is_floating and dtype.is_floating:
        return cast(image, dtype)
    if before.is_integer and dtype.is_integer:
        return _between_integers(image, dtype, saturate)
    if before.is_integer:
        return multiply(cast(image, dtype), 1.0 / before.max)
    # Half a step is added so that the largest value is reached by an interval as wide as the others'.
    scaled = multiply(image, dtype.max + 0.5)
    return saturate_cast(scaled, dtype) if saturate else cast(scaled, dtype)


def _between_integers(image: Any, dtype: Any, saturate: bool) -> Any:
    low, high = image.dtype.max + 1, dtype.max + 1
    if low > high:
        scaled = floordiv(image, low // high)
        return saturate_cast(scaled, dtype) if saturate else cast(scaled, dtype)
    made = saturate_cast(image, dtype) if saturate else cast(image, dtype)
    return multiply(made, high // low)


def _floating(image: Any) -> tuple[Any, Any]:
    """The image as floats in [0, 1], and its own dtype."""
    image = convert(image)
    return (
        image if image.dtype.is_floating else convert_image_dtype(image, dtypes.float32)
    ), image.dtype


def _rgb(images: Any, op: str) -> Any:
    images = convert(images)
    rank = images.shape.rank
    if rank is not None and (rank < 1 or images.shape[-1] not in (None, 3)):
        raise errors.shape_error(
            op,
            f"input must have 3 channels in the last dimension but input has shape {images.shape}.",
        )
    return images


def _channel(images: Any, number: int) -> Any:
    return getitem(images, (Ellipsis, number))


def rgb_to_hsv(images, name=None):
    """Red, green, blue in [0, 1] as hue, saturation, value in [0, 1].

    Args:
        images: Floating tensor with three channels last.
        name: Accepted for TensorFlow's sake.

    >>> rgb_to_hsv([[0.0, 0.5, 0.0]]).numpy().round(3)
    array([[0.333, 1.   , 0.5  ]], dtype=float32)
    """
    images = _rgb(images, "RGBToHSV")
    red, green, blue = (_channel(images, i) for i in range(3))
    value = reduce_max(images, -1)
    spread = subtract(value, reduce_min(images, -1))
    coloured, bright = greater(spread, 0), greater(value, 0)
    norm = multiply(where(coloured, spread, zeros_like(spread) + 1), 6.0)
    hue = where(
        equal(red, value), (green - blue) / norm,
        where(equal(green, value), (blue - red) / norm + 2.0 / 6.0, (red - green) / norm + 4.0 / 6.0),
    )  # fmt: skip
    hue = where(coloured, where(less(hue, 0), hue + 1.0, hue), zeros_like(hue))
    saturation = where(
        bright, spread / where(bright, value, zeros_like(value) + 1), zeros_like(value)
    )
    return stack([hue, saturation, value], axis=-1)


def hsv_to_rgb(images, name=None):
    """Hue, saturation, value in [0, 1] as red, green, blue in [0, 1].

    Args:
        images: Floating tensor with three channels last.
        name: Accepted for TensorFlow's sake.

    >>> hsv_to_rgb([[0.0, 1.0, 0.5]]).numpy()
    array([[0.5, 0. , 0. ]], dtype=float32)
    """
    images = _rgb(images, "HSVToRGB")
    hue, saturation, value = (_channel(images, i) for i in range(3))
    turn = multiply(hue, 6.0)
    shares = (
        clip_by_value(absolute(turn - 3.0) - 1.0, 0.0, 1.0),
        clip_by_value(2.0 - absolute(turn - 2.0), 0.0, 1.0),
        clip_by_value(2.0 - absolute(turn - 4.0), 0.0, 1.0),
    )
    return stack(
        [multiply(1.0 - saturation + multiply(saturation, share), value) for share in shares],
        axis=-1,
    )


def rgb_to_grayscale(images, name=None):
    """Images of one channel: 0.2989 red + 0.587 green + 0.114 blue.

    Args:
        images: Tensor with three channels last.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor with one channel last, of the same dtype.
    """
    floats, before = _floating(_rgb(images, "rgb_to_grayscale"))
    gray = _mixed(floats, [[0.2989], [0.5870], [0.1140]])
    return convert_image_dtype(gray, before)


def grayscale_to_rgb(images, name=None):
    """Images of one channel as images of three equal ones.

    Args:
        images: Tensor with one channel last.
        name: Accepted for TensorFlow's sake.

    Raises:
        ValueError: If there is not one channel.
    """
    images = convert(images)
    if images.shape.rank is not None and images.shape[-1] != 1:
        raise ValueError(
            f"Last dimension of a grayscale image should be size 1, got shape {images.shape}."
        )
    return concat([images] * 3, axis=-1)


def _mixed(images: Any, matrix: Any) -> Any:
    """The channels times a matrix."""
    kernel = convert(np.array(matrix, images.dtype.as_numpy_dtype))
    if images.shape.is_fully_defined():
        flat = reshape(images, [-1, images.shape[-1]])
        return reshape(matmul(flat, kernel), [*tuple(images.shape)[:-1], kernel.shape[1]])
    flat = reshape(images, [-1, 3])
    return reshape(
        matmul(flat, kernel),
        concat([getitem(shape(images), slice(None, -1)), [kernel.shape[1]]], 0),
    )


def _converter(name: str, words: str, matrix: Any) -> Any:
    def converter(images):
        images = _rgb(images, name)
        if not images.dtype.is_floating:
            raise errors.dtype_error(
                name,
                f"{name} takes floating images, got {images.dtype.name}: use convert_image_dtype.",
            )
        return _mixed(images, matrix)

    converter.__name__ = converter.__qualname__ = name
    converter.__doc__ = f"""{words}

    Args:
        images: Floating tensor with three channels last.
    """
    return converter


rgb_to_yiq = _converter(
    "rgb_to_yiq", "Red, green, blue as luma and two chrominances (YIQ).",
    [[0.299, 0.59590059, 0.2115], [0.587, -0.27455667, -0.52273617], [0.114, -0.32134392, 0.31119955]],
)  # fmt: skip
yiq_to_rgb = _converter(
    "yiq_to_rgb", "Luma and two chrominances (YIQ) as red, green, blue.",
    [[1.0, 1.0, 1.0], [0.95598634, -0.27201283, -1.10674021], [0.6208248, -0.64720424, 1.70423049]],
)  # fmt: skip
rgb_to_yuv = _converter(
    "rgb_to_yuv", "Red, green, blue as luma and two chrominances (YUV).",
    [[0.299, -0.14714119, 0.61497538], [0.587, -0.28886916, -0.51496512], [0.114, 0.43601035, -0.10001026]],
)  # fmt: skip
yuv_to_rgb = _converter(
    "yuv_to_rgb", "Luma and two chrominances (YUV) as red, green, blue.",
    [[1.0, 1.0, 1.0], [0.0, -0.394642334, 2.03206185], [1.13988303, -0.58062185, 0.0]],
)  # fmt: skip


def adjust_brightness(image, delta):
    """Images with `delta` added to floats in [0, 1].

    Args:
        image: Tensor; whole numbers are converted and converted back, held to their range.
        delta: What is added, usually in (-1, 1).

    >>> adjust_brightness(convert([0, 100, 250], dtypes.uint8), 0.1).numpy()
    array([ 25, 125, 255], dtype=uint8)
    """
    floats, before = _floating(image)
    return convert_image_dtype(floats + cast(delta, floats.dtype), before, saturate=True)


def adjust_contrast(images, contrast_factor):
    """Images whose pixels' distance from the mean of their channel is multiplied.

    Args:
        images: Tensor [..., height, width, channels].
        contrast_factor: The factor.
    """
    floats, before = _floating(images)
    if floats.shape.rank is not None and floats.shape.rank < 3:
        raise errors.shape_error(
            "AdjustContrastv2", f"input must be at least 3-D, got shape {floats.shape}."
        )
    mean = reduce_mean(floats, [-3, -2], keepdims=True)
    made = (floats - mean) * cast(contrast_factor, floats.dtype) + mean
    return convert_image_dtype(made, before, saturate=True)


def adjust_gamma(image, gamma=1, gain=1):
    """gain * image ** gamma, of floats in [0, 1].

    Args:
        image: Tensor.
        gamma: Exponent, not negative.
        gain: Factor.

    Raises:
        ValueError: If `gamma` is negative.
    """
    if not getattr(gamma, "_is_symbolic", False) and float(coerce.plain(gamma)) < 0:
        raise ValueError(f"Gamma should be a non-negative real number, got {gamma}.")
    floats, before = _floating(image)
    made = pow_(floats, cast(gamma, floats.dtype)) * cast(gain, floats.dtype)
    return convert_image_dtype(made, before, saturate=True)


def adjust_hue(image, delta, name=None):
    """Images with `delta` added to their hue, which goes round at 1.

    Args:
        image: Tensor with three channels last.
        delta: What is added, in [-1, 1].
        name: Accepted for TensorFlow's sake.
    """
    floats, before = _floating(_rgb(image, "AdjustHue"))
    hsv = rgb_to_hsv(floats)
    hue = floormod(_channel(hsv, 0) + cast(delta, floats.dtype), cast(1.0, floats.dtype))
    made = hsv_to_rgb(stack([hue, _channel(hsv, 1), _channel(hsv, 2)], axis=-1))
    return convert_image_dtype(made, before)


def adjust_saturation(image, saturation_factor, name=None):
    """Images whose saturation is multiplied, and held to [0, 1].

    Args:
        image: Tensor with three channels last.
        saturation_factor: The factor.
        name: Accepted for TensorFlow's sake.
    """
    floats, before = _floating(_rgb(image, "AdjustSaturation"))
    hsv = rgb_to_hsv(floats)
    made = clip_by_value(_channel(hsv, 1) * cast(saturation_factor, floats.dtype), 0.0, 1.0)
    return convert_image_dtype(
        hsv_to_rgb(stack([_channel(hsv, 0), made, _channel(hsv, 2)], axis=-1)), before
    )


def per_image_standardization(image):
    """Each image with mean 0 and standard deviation 1.

    Args:
        image: Tensor [..., height, width, channels].

    Returns:
        Tensor of the same shape: float16 for float16, float32 for all else.
    """
    image = convert(image)
    floats = image if image.dtype in (dtypes.float16, dtypes.float32) else cast(image, "float32")
    if floats.shape.rank is not None and floats.shape.rank < 3:
        raise ValueError(
            f"per_image_standardization: 'image' must have 3 dimensions at least, got shape {floats.shape}."
        )
    axes = [-1, -2, -3]
    mean = reduce_mean(floats, axes, keepdims=True)
    centred = floats - mean
    deviation = pow_(reduce_mean(centred * centred, axes, keepdims=True), 0.5)
    count = int(np.prod(tuple(floats.shape)[-3:]))
    # Where all pixels are equal nothing is divided by zero.
    return centred / maximum(deviation, rsqrt(cast(float(count), floats.dtype)))
