"""Images of another size: every method is a weighted mean of a few pixels along each of the two directions.

The weights of a method are found once for each pair of sizes, as TensorFlow computes them; the
rest is the same for all, and so is the gradient: the same weights the other way round.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ..base import dtypes, errors
from ..base.shapes import TensorSpec
from ..core import coerce
from ..core.coerce import Ints
from ..core.op import contraction
from ..core.tensor import convert
from .create import cast
from .shape import expand_dims, squeeze


class ResizeMethod:
    """Names of the methods of `tf.image.resize`."""

    BILINEAR = "bilinear"
    NEAREST_NEIGHBOR = "nearest"
    BICUBIC = "bicubic"
    AREA = "area"
    LANCZOS3 = "lanczos3"
    LANCZOS5 = "lanczos5"
    GAUSSIAN = "gaussian"
    MITCHELLCUBIC = "mitchellcubic"


class ResizeMethodV1:
    """Numbers of the methods of TensorFlow 1's `tf.image.resize_images`."""

    BILINEAR = 0
    NEAREST_NEIGHBOR = 1
    BICUBIC = 2
    AREA = 3


# ------------------------------------------------------------------------------------------ weights


def _lanczos(radius: float) -> Callable[[Any], Any]:
    def kernel(x: Any) -> Any:
        near = x < 1e-3
        safe = np.where(near, 1.0, x)
        value = radius * np.sin(np.pi * safe) * np.sin(np.pi * safe / radius) / (np.pi**2 * safe**2)
        return np.where(x > radius, 0.0, np.where(near, 1.0, value))

    return kernel


def _triangle(x: Any) -> Any:
    return np.maximum(1.0 - x, 0.0)


def _gaussian(x: Any) -> Any:
    return np.where(x < 1.5, np.exp(-(x**2) / (2.0 * 0.5**2)), 0.0)


def _keys(x: Any) -> Any:
    near = ((1.5 * x - 2.5) * x) * x + 1.0
    far = ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0
    return np.where(x >= 2.0, 0.0, np.where(x >= 1.0, far, near))


def _mitchell(x: Any) -> Any:
    near = (((7.0 / 6.0) * x - 2.0) * x) * x + 16.0 / 18.0
    far = (((-7.0 / 18.0) * x + 2.0) * x - 10.0 / 3.0) * x + 16.0 / 9.0
    return np.where(x >= 2.0, 0.0, np.where(x >= 1.0, far, near))


#: method -> (kernel, radius) of the general form, which is used with `antialias` and by the methods that have no other.
_KERNELS: dict[str, tuple[Callable[[Any], Any], float]] = {
    "bilinear": (_triangle, 1.0), "bicubic": (_keys, 2.0), "lanczos3": (_lanczos(3.0), 3.0),
    "lanczos5": (_lanczos(5.0), 5.0),
    "gaussian": (_gaussian, 1.5), "mitchellcubic": (_mitchell, 2.0),
}  # fmt: skip


@functools.lru_cache(maxsize=256)
def weights(
    before: int, after: int, method: str, antialias: bool, align: bool, half: bool
) -> tuple[Any, Any]:
    """Which pixels of a line of `before` make each of `after` pixels, and their weights: two arrays [after, k].

    Computed in float32 where TensorFlow does, so that the same pixels are met.
    """
    if method == "nearest":
        return _nearest(before, after, align, half)
    if method == "area":
        return _area(before, after, align)
    if antialias or method not in ("bilinear", "bicubic"):
        return _spans(before, after, *_KERNELS[method], antialias)
    if method == "bicubic":
        return _bicubic(before, after, align, half)
    return _bilinear(before, after, align, half)


def _scale(before: int, after: int, align: bool) -> np.float32:
    if align and after > 1:
        return np.float32(before - 1) / np.float32(after - 1)
    return np.float32(before) / np.float32(after)


def _places(before: int, after: int, align: bool, half: bool) -> Any:
    line = np.arange(after, dtype=np.float32)
    scale = _scale(before, after, align)
    return (line + np.float32(0.5)) * scale - np.float32(0.5) if half else line * scale


def _nearest(before: int, after: int, align: bool, half: bool) -> tuple[Any, Any]:
    line = np.arange(after, dtype=np.float32)
    scale = _scale(before, after, align)
    exact = (line + np.float32(0.5)) * scale if half else line * scale
    whole = np.floor(exact + np.float32(0.5)) if align else np.floor(exact)
    index = np.clip(whole.astype(np.int64), 0, before - 1)
    return index[:, None], np.ones((after, 1))


def _bilinear(before: int, after: int, align: bool, half: bool) -> tuple[Any, Any]:
    exact = _places(before, after, align, half)
    floor = np.floor(exact)
    share = (exact - floor).astype(np.float64)
    lower = np.maximum(floor.astype(np.int64), 0)
    upper = np.minimum(np.ceil(exact).astype(np.int64) if half else lower + 1, before - 1)
    return np.stack([lower, upper], 1), np.stack([1.0 - share, share], 1)


@functools.lru_cache(maxsize=2)
def _cubic_table(a: float) -> Any:
    x = np.arange(1025) / 1024.0
    near = ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0
    y = x + 1.0
    return near, ((a * y - 5.0 * a) * y + 8.0 * a) * y - 4.0 * a


def _bicubic(before: int, after: int, align: bool, half: bool) -> tuple[Any, Any]:
    exact = _places(before, after, align, half)
    floor = np.floor(exact)
    step = np.rint((exact - floor) * np.float32(1024)).astype(np.int64)
    near, far = _cubic_table(-0.5 if half else -0.75)
    share = np.stack([far[step], near[step], near[1024 - step], far[1024 - step]], 1)
    wanted = floor.astype(np.int64)[:, None] + np.arange(-1, 3)
    index = np.clip(wanted, 0, before - 1)
    if half:
        share = np.where(index == wanted, share, 0.0)
        share = share / share.sum(1, keepdims=True)
    return index, share


def _area(before: int, after: int, align: bool) -> tuple[Any, Any]:
    scale = _scale(before, after, align)
    start = np.arange(after, dtype=np.float32) * scale
    end = (np.arange(after, dtype=np.float32) + np.float32(1)) * scale
    first = np.floor(start).astype(np.int64)
    count = int((np.ceil(end).astype(np.int64) - first).max())
    wanted = first[:, None] + np.arange(count)
    begin, stop = start[:, None].astype(np.float64), end[:, None].astype(np.float64)
    share = np.clip(np.minimum(wanted + 1.0, stop) - np.maximum(wanted, begin), 0.0, None)
    return np.clip(wanted, 0, before - 1), share / float(scale)


def _spans(
    before: int, after: int, kernel: Callable[[Any], Any], radius: float, antialias: bool
) -> tuple[Any, Any]:
    inverse = np.float32(1) / (np.float32(after) / np.float32(before))
    stretch = float(max(inverse, np.float32(1))) if antialias else 1.0
    centre = (np.arange(after, dtype=np.float32) + np.float32(0.5)) * inverse
    reach = np.float32(radius * stretch)
    first = np.clip(np.ceil(centre - reach - np.float32(0.5)).astype(np.int64), 0, before - 1)
    last = np.clip(np.floor(centre + reach - np.float32(0.5)).astype(np.int64), 0, before - 1)
    wanted = first[:, None] + np.arange(int((last - first).max()) + 1)
    share = kernel(np.abs(wanted + 0.5 - centre[:, None].astype(np.float64)) / stretch)
    share = np.where(wanted <= last[:, None], share, 0.0)
    total = share.sum(1, keepdims=True)
    share = np.where(np.abs(total) > 1e-35, share / np.where(total == 0, 1, total), share)
    return np.minimum(wanted, before - 1), share


@functools.lru_cache(maxsize=64)
def _matrix(*key: Any) -> Any:
    """The weights as a matrix [after, before]."""
    index, share = weights(*key)
    out = np.zeros((key[1], key[0]))
    np.add.at(out, (np.arange(key[1])[:, None], index), share)
    return out


# ---------------------------------------------------------------------------------------------- ops


def _along(xp: Any, x: Any, axis: int, key: tuple[Any, ...]) -> Any:
    """Weighted means along the rows (axis 1) or columns (axis 2) of [batch, height, width, channels]."""
    index, share = weights(*key)
    if index.shape[1] > 8:
        return _times(xp, _matrix(*key).astype(x.dtype), x, axis)
    batch, height, width, channels = x.shape
    if axis == 2:
        # Numbers are gathered faster one by one than in threes.
        index = (index[:, None, :] * channels + np.arange(channels)[:, None]).reshape(
            -1, index.shape[1]
        )
        share = np.repeat(share, channels, axis=0)[None]
    else:
        share = share[:, None]
    flat = x.reshape(batch, height, width * channels)
    if key[2] == "nearest":
        made = xp.take(flat, index[:, 0], axis=axis)
    elif xp is np:
        made = _blend(flat, index, share.astype(x.dtype), axis - 1)
    else:
        parts = [
            xp.take(flat, index[:, k], axis=axis) * share[..., k].astype(x.dtype)
            for k in range(index.shape[1])
        ]
        made = sum(parts[1:], parts[0])
    return made.reshape(
        (batch, key[1], width, channels) if axis == 1 else (batch, height, key[1], channels)
    )


def _blend(images: Any, index: Any, share: Any, axis: int) -> Any:
    """Weighted sums of gathered rows or columns, image by image so that they stay in the cache."""
    shape = list(images.shape)
    shape[axis + 1] = len(index)
    out = np.empty(shape, images.dtype)
    other = np.empty(shape[1:], images.dtype)
    taps = range(1, index.shape[1])
    for image, total in zip(images, out):
        np.take(image, index[:, 0], axis=axis, out=total, mode="clip")
        if len(taps) == 1:
            np.take(image, index[:, 1], axis=axis, out=other, mode="clip")
            other -= total
            other *= share[..., 1]
            total += other
            continue
        total *= share[..., 0]
        for k in taps:
            np.take(image, index[:, k], axis=axis, out=other, mode="clip")
            other *= share[..., k]
            total += other
    return out


def _times(xp: Any, matrix: Any, x: Any, axis: int) -> Any:
    if axis == 2:
        return xp.matmul(matrix, x)
    batch, height, width, channels = x.shape
    return xp.matmul(matrix, x.reshape(batch, height, width * channels)).reshape(
        batch, len(matrix), width, channels
    )


@contraction
def resample(
    xp, images, *, size: Ints, method: str = "bilinear", antialias: bool = False, align_corners: bool = False,
    half_pixel_centers: bool = True,
):  # fmt: skip
    """Images of another size.

    Args:
        images: Tensor [batch, height, width, channels], floating unless the method is "nearest".
        size: New height and width.
        method: "bilinear", "nearest", "bicubic", "area", "lanczos3", "lanczos5", "gaussian" or "mitchellcubic".
        antialias: Whether the kernel grows with the pixels when the image shrinks.
        align_corners: Whether the corner pixels' centres stay (TensorFlow 1).
        half_pixel_centers: Whether pixels lie at half numbers (TensorFlow 2).

    Returns:
        Tensor [batch, new height, new width, channels] of the same dtype.

    >>> resample([[[[1.0], [3.0]]]], size=(1, 4)).numpy().reshape(-1)
    array([1. , 1.5, 2.5, 3. ], dtype=float32)
    """
    options = (method, antialias, align_corners, half_pixel_centers)
    rows = _along(xp, images, 1, (images.shape[1], size[0], *options))
    return _along(xp, rows, 2, (images.shape[2], size[1], *options))


@resample.vjp
def resample_vjp(dy, _y, _images, *, size, method, antialias, align_corners, half_pixel_centers):
    before = tuple(_images.shape)[1:3]
    return resample_gradient(
        dy, input_size=before, method=method, antialias=antialias, align_corners=align_corners,
        half_pixel_centers=half_pixel_centers,
    )  # fmt: skip


@resample.shape_rule
def resample_rule(images, *, size, **options):
    shape = images.shape.with_rank(4)
    return TensorSpec([shape[0], size[0], size[1], shape[3]], images.dtype)


@resample.samples
def resample_samples(rng):
    for method, size in (
        ("bilinear", (5, 3)),
        ("nearest", (2, 7)),
        ("bicubic", (5, 6)),
        ("area", (2, 3)),
        ("lanczos3", (3, 9)),
    ):
        yield (rng.normal(size=(2, 3, 4, 2)),), {"size": size, "method": method}
    yield (rng.normal(size=(1, 12, 12, 1)),), {"size": (3, 2), "antialias": True}
    yield (
        (rng.normal(size=(1, 3, 4, 1)),),
        {"size": (6, 2), "align_corners": True, "half_pixel_centers": False},
    )


@contraction
def resample_gradient(
    xp, dy, *, input_size: Ints, method: str = "bilinear", antialias: bool = False, align_corners: bool = False,
    half_pixel_centers: bool = True,
):  # fmt: skip
    """The gradient of `resample`: each pixel gets its shares back.

    Args:
        dy: Gradient [batch, new height, new width, channels].
        input_size: Height and width of the images that were resized.
        method: As in `resample`.
        antialias: As in `resample`.
        align_corners: As in `resample`.
        half_pixel_centers: As in `resample`.

    Returns:
        Tensor [batch, height, width, channels].

    >>> resample_gradient([[[[1.0], [1.0], [1.0], [1.0]]]], input_size=(1, 2)).numpy().reshape(-1)
    array([2., 2.], dtype=float32)
    """
    options = (method, antialias, align_corners, half_pixel_centers)
    rows = _matrix(input_size[0], dy.shape[1], *options).T.astype(dy.dtype)
    columns = _matrix(input_size[1], dy.shape[2], *options).T.astype(dy.dtype)
    return _times(xp, columns, _times(xp, rows, dy, 1), 2)


@resample_gradient.vjp
def resample_gradient_vjp(
    ddx, _dx, _dy, *, input_size, method, antialias, align_corners, half_pixel_centers
):
    return resample(
        ddx, size=tuple(_dy.shape)[1:3], method=method, antialias=antialias, align_corners=align_corners,
        half_pixel_centers=half_pixel_centers,
    )  # fmt: skip


@resample_gradient.shape_rule
def resample_gradient_rule(dy, *, input_size, **options):
    shape = dy.shape.with_rank(4)
    return TensorSpec([shape[0], input_size[0], input_size[1], shape[3]], dy.dtype)


@resample_gradient.samples
def resample_gradient_samples(rng):
    yield (rng.normal(size=(2, 3, 4, 2)),), {"input_size": (5, 2)}
    yield (rng.normal(size=(1, 2, 5, 1)),), {"input_size": (4, 4), "method": "nearest"}


# --------------------------------------------------------------------------------- public functions


def as_batch(images: Any, op: str, name: str = "images") -> tuple[Any, bool]:
    """Images as a batch, and whether there was only one.

    Raises:
        ValueError: If the rank is neither 3 nor 4.
    """
    images = convert(images)
    rank = images.shape.rank
    if rank == 3:
        return expand_dims(images, 0), True
    if rank != 4:
        raise ValueError(
            f"{op}: '{name}' must have 3 dimensions [height, width, channels] or 4 "
            "[batch, height, width, channels], got shape "
            f"{images.shape}."
        )
    return images, False


def _new_size(size: Any, op: str) -> tuple[int, int]:
    found = coerce.as_ints(size, op, "size")
    if len(found) != 2:
        raise ValueError(
            f"{op}: 'size' must be a 1-D Tensor of 2 elements: new_height, new_width, got {list(found)}."
        )
    if min(found) < 1:
        raise errors.value_error(op, f"output dimensions must be positive, got {list(found)}.")
    return found


def _kept_ratio(size: tuple[int, int], height: int, width: int) -> tuple[int, int]:
    factor = min(np.float32(size[0]) / np.float32(height), np.float32(size[1]) / np.float32(width))
    return int(np.rint(np.float32(height) * factor)), int(np.rint(np.float32(width) * factor))


def resize(
    images,
    size,
    method=ResizeMethod.BILINEAR,
    preserve_aspect_ratio=False,
    antialias=False,
    name=None,
):
    """Images of another size.

    Args:
        images: Tensor [batch, height, width, channels] or [height, width, channels].
        size: New height and width.
        method: "bilinear", "nearest", "bicubic", "area", "lanczos3", "lanczos5", "gaussian" or "mitchellcubic".
        preserve_aspect_ratio: Whether the image is made as large as fits into `size` without being distorted.
        antialias: Whether to smooth when the image shrinks.
        name: Accepted for TensorFlow's sake.

    Returns:
        float32 tensor; with "nearest" of the dtype of `images`.

    Raises:
        ValueError: If a rank, the size or the method does not fit.

    >>> resize([[[1.0], [3.0]]], [1, 4]).numpy().reshape(-1)
    array([1. , 1.5, 2.5, 3. ], dtype=float32)
    """
    batch, single = as_batch(images, "tf.image.resize")
    size = _new_size(size, "tf.image.resize")
    if isinstance(method, int | float) and method in range(4):
        method = ("bilinear", "nearest", "bicubic", "area")[int(method)]
    if method not in ("nearest", "area", *_KERNELS):
        raise ValueError(
            f"Resize method is not implemented: {method!r}. It can be "
            f"{', '.join(sorted(('nearest', 'area', *_KERNELS)))}."
        )
    if preserve_aspect_ratio:
        size = _kept_ratio(size, batch.shape[1], batch.shape[2])
    if method != "nearest":
        batch = cast(batch, dtypes.float32)
    made = resample(
        batch,
        size=size,
        method=method,
        antialias=bool(antialias),
        half_pixel_centers=method != "area",
    )
    return squeeze(made, 0) if single else made


def resize_images(
    images, size, method=0, align_corners=False, preserve_aspect_ratio=False, name=None
):
    """Images of another size, as TensorFlow 1 makes them: pixels lie at whole numbers.

    Args:
        images: Tensor [batch, height, width, channels] or [height, width, channels].
        size: New height and width.
        method: 0 bilinear, 1 nearest, 2 bicubic, 3 area; or a name.
        align_corners: Whether the corner pixels stay where they are.
        preserve_aspect_ratio: Whether the image is made as large as fits into `size` without being distorted.
        name: Accepted for TensorFlow's sake.

    Returns:
        float32 tensor; of the dtype of `images` with method 1, or when the size is what it was.
    """
    batch, single = as_batch(images, "tf.image.resize_images")
    size = _new_size(size, "tf.image.resize_images")
    names = ("bilinear", "nearest", "bicubic", "area")
    if not isinstance(method, str):
        number = coerce.as_int(method, "tf.image.resize_images", "method")
        if number not in range(4):
            raise ValueError(
                "Resize method is not implemented: it can be 0 (bilinear), 1 (nearest), 2 (bicubic) or 3 (area)."
            )
        method = names[number]
    if method not in names:
        return resize(images, size, method, preserve_aspect_ratio)
    if preserve_aspect_ratio:
        size = _kept_ratio(size, batch.shape[1], batch.shape[2])
    if tuple(batch.shape)[1:3] == size:
        return convert(images)
    if method != "nearest":
        batch = cast(batch, dtypes.float32)
    made = resample(
        batch, size=size, method=method, align_corners=bool(align_corners), half_pixel_centers=False
    )
    return squeeze(made, 0) if single else made


def _v1(method: str) -> Callable[..., Any]:
    def resize_by(images, size, align_corners=False, name=None, half_pixel_centers=False):
        batch, single = as_batch(images, f"tf.image.resize_{method}")
        size = _new_size(size, f"tf.image.resize_{method}")
        if align_corners and half_pixel_centers:
            raise errors.value_error(
                "Resize", "If half_pixel_centers is True, align_corners must be False."
            )
        if method != "nearest":
            batch = cast(batch, dtypes.float32)
        made = resample(
            batch,
            size=size,
            method=method,
            align_corners=bool(align_corners),
            half_pixel_centers=bool(half_pixel_centers),
        )
        return squeeze(made, 0) if single else made

    shown = "nearest_neighbor" if method == "nearest" else method
    resize_by.__name__ = resize_by.__qualname__ = f"resize_{shown}"
    resize_by.__doc__ = f"""Images of another size by the method "{method}", as TensorFlow 1's function of this name.

    Args:
        images: Tensor [batch, height, width, channels].
        size: New height and width.
        align_corners: Whether the corner pixels stay where they are.
        name: Accepted for TensorFlow's sake.
        half_pixel_centers: Whether pixels lie at half numbers.
    """
    return resize_by


resize_bilinear, resize_bicubic, resize_area = _v1("bilinear"), _v1("bicubic"), _v1("area")
resize_nearest_neighbor = _v1("nearest")

for _cls in (ResizeMethod, ResizeMethodV1):
    _cls.__module__ = "eagercore"
