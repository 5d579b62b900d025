"""Images seen through a projective map: turned, moved, sheared, made larger or smaller."""

from __future__ import annotations

import numpy as np

from ..base import errors
from ..base.shapes import TensorSpec
from ..core.coerce import Ints
from ..core.op import op

#: What lies outside of an image. The last two are SciPy's: no mixing with what lies outside, and a wrap that takes
#: the first and the last row for one.
FILL_MODES = ("constant", "reflect", "wrap", "nearest", "border", "period")


def _inside(place, size, mode):
    """Coordinates brought into an image of this size."""
    if mode in ("constant", "border"):
        return place
    if mode == "nearest" or size <= 1:
        return np.clip(place, 0, max(size - 1, 0))
    below, above = place < 0, place > size - 1
    if mode == "period":
        span = size - 1
        made = np.where(below, place + span * (np.trunc(-place / span) + 1), place)
        return np.where(above, place - span * np.trunc(place / span), made)
    if mode == "wrap":
        span = size - 1
        made = np.where(below, place + size * (np.trunc(-place / span) + 1), place)
        made = np.where(above, place - size * np.trunc(place / span), made)
        return np.clip(made, 0, size - 1)
    double = 2 * size
    low = np.where(below, place + double * np.trunc(-place / double), place)
    low = np.where(low < -size, low + double, -low - 1)
    high = place - double * np.trunc(place / double)
    high = np.where(high >= size, double - high - 1, high)
    return np.clip(np.where(below, low, np.where(above, high, place)), 0, size - 1)


def _rounded(place):
    """The nearest whole number; halves go away from zero."""
    return np.copysign(np.floor(np.abs(place) + 0.5), place)


def _sources(shape, transforms, size, interpolation, mode):
    """For each pixel of the result the pixels it is made of: pairs of flat numbers (-1 outside) and weights."""
    count, height, width = shape[:3]
    kind = transforms.dtype if transforms.dtype.kind == "f" else np.dtype(np.float32)
    rows, columns = np.mgrid[0 : size[0], 0 : size[1]].astype(kind)
    t = np.asarray(transforms, kind)[:, :, None, None]
    scale = t[:, 6] * columns + t[:, 7] * rows + kind.type(1)
    scale = np.where(scale == 0, kind.type(np.inf), scale)
    x = _inside((t[:, 0] * columns + t[:, 1] * rows + t[:, 2]) / scale, width, mode)
    y = _inside((t[:, 3] * columns + t[:, 4] * rows + t[:, 5]) / scale, height, mode)
    outside = None
    if mode == "border":
        outside = (x < 0) | (x > width - 1) | (y < 0) | (y > height - 1)
    if interpolation == "nearest":
        parts = [(_rounded(y), _rounded(x), np.ones_like(x))]
    else:
        top, left = np.floor(y), np.floor(x)
        down, right = y - top, x - left
        parts = [
            (top + i, left + j, (down if i else 1 - down) * (right if j else 1 - right))
            for i in (0, 1)
            for j in (0, 1)
        ]
    base = np.arange(count)[:, None, None] * (height * width)
    found = []
    for row, column, weight in parts:
        lost = (row < 0) | (row > height - 1) | (column < 0) | (column > width - 1)
        if mode == "border":
            lost = outside
        elif mode != "constant":
            lost = False
        row, column = np.clip(row, 0, height - 1), np.clip(column, 0, width - 1)
        place = base + (row * width + column).astype(np.int64)
        found.append(
            (
                np.where(lost, -1, place).reshape(-1),
                np.broadcast_to(weight, place.shape).reshape(-1),
            )
        )
    return found


def _check(images, transforms, interpolation, fill_mode):
    if images.ndim != 4:
        raise errors.shape_error(
            "ImageProjectiveTransformV3",
            f"images must be [batch, height, width, channels], got {list(images.shape)}.",
        )
    if (
        transforms.ndim != 2
        or transforms.shape[1] != 8
        or transforms.shape[0] not in (1, images.shape[0])
    ):
        raise errors.shape_error(
            "ImageProjectiveTransformV3",
            f"transforms must be [1 or {images.shape[0]}, 8], got {list(transforms.shape)}.",
        )
    if interpolation not in ("nearest", "bilinear") or fill_mode not in FILL_MODES:
        raise errors.value_error(
            "ImageProjectiveTransformV3",
            f"interpolation must be 'nearest' or 'bilinear' and fill_mode one of {', '.join(FILL_MODES)}, got "
            f"{interpolation!r} and {fill_mode!r}.",
        )


@op(label="ImageProjectiveTransformV3", kinds="iuf", free=("transforms",), constant=("transforms",))
def projective_transform(
    xp, images, transforms, *, output_size: Ints, interpolation: str = "bilinear",
    fill_mode: str = "constant", fill_value: float = 0.0,
):  # fmt: skip
    """Images seen through projective maps.

    The pixel (x, y) of the result is taken from `((a x + b y + c) / k, (d x + e y + f) / k)` with
    `k = g x + h y + 1`.

    Args:
        images: Tensor [batch, height, width, channels].
        transforms: Tensor [batch or 1, 8]: a, b, c, d, e, f, g, h.
        output_size: Height and width of the result.
        interpolation: "bilinear" (default) or "nearest".
        fill_mode: What lies outside: "constant" (default), "reflect", "wrap", "nearest" (and SciPy's "border" and
            "period").
        fill_value: The constant outside. Default 0.

    Returns:
        Tensor [batch, *output_size, channels] of the dtype of `images`.

    >>> images = [[[[1.0], [2.0], [3.0]]]]
    >>> projective_transform(images, [[1.0, 0, 1, 0, 1, 0, 0, 0]], output_size=(1, 3)).numpy().ravel()
    array([2., 3., 0.], dtype=float32)
    """
    _check(images, transforms, interpolation, fill_mode)
    count, channels = images.shape[0], images.shape[3]
    maps = np.broadcast_to(np.asarray(transforms), (count, 8))
    flat = xp.reshape(images, (-1, channels))
    made = 0
    for place, weight in _sources(images.shape, maps, output_size, interpolation, fill_mode):
        lost = (place < 0)[:, None]
        part = xp.where(lost, xp.asarray(fill_value, flat.dtype), flat[np.maximum(place, 0)])
        made = (
            made
            + part
            * xp.asarray(weight.astype(flat.dtype if flat.dtype.kind == "f" else np.float32))[
                :, None
            ]
        )
    if images.dtype.kind in "iu":
        made = xp.rint(made)
    return xp.reshape(made, (count, *output_size, channels)).astype(images.dtype)


@projective_transform.vjp
def projective_transform_vjp(
    dy, _y, _images, transforms, *, output_size, interpolation, fill_mode, fill_value
):
    return (
        projective_transform_gradient(
            dy,
            transforms,
            input_size=tuple(_images.shape)[1:3],
            interpolation=interpolation,
            fill_mode=fill_mode,
        ),
        None,
    )


@projective_transform.shape_rule
def projective_transform_rule(images, transforms, *, output_size, **options):
    batch, channels = (images.shape[0], images.shape[3]) if images.shape.rank else (None, None)
    return TensorSpec([batch, *output_size, channels], images.dtype)


@projective_transform.samples
def projective_transform_samples(rng):
    images = rng.normal(size=(2, 4, 5, 2))
    turned = np.array(
        [[0.9, 0.2, -0.3, -0.2, 0.8, 0.63, 0.0, 0.0], [1.2, 0, 0.4, 0.1, 0.7, -0.9, 0.01, 0.02]]
    )
    for mode in FILL_MODES:
        yield (images, turned), {"output_size": (4, 5), "fill_mode": mode}
    yield (images, turned[:1]), {"output_size": (3, 2), "interpolation": "nearest"}


@op(kinds="f", free=("transforms",), constant=("transforms",))
def projective_transform_gradient(
    xp,
    dy,
    transforms,
    *,
    input_size: Ints,
    interpolation: str = "bilinear",
    fill_mode: str = "constant",
):
    """What goes back through `projective_transform`: each pixel's gradient to the pixels that it was made of.

    Args:
        dy: Gradient of the result, [batch, height, width, channels].
        transforms: Tensor [batch or 1, 8].
        input_size: Height and width of the images.
        interpolation: "bilinear" or "nearest".
        fill_mode: What lay outside.

    Returns:
        Tensor [batch, *input_size, channels].

    >>> transforms = [[1.0, 0, 1, 0, 1, 0, 0, 0]]
    >>> dy = [[[[5.0], [7.0]]]]
    >>> projective_transform_gradient(dy, transforms, input_size=(1, 2)).numpy().ravel()
    array([0., 5.], dtype=float32)
    """
    _check(dy, transforms, interpolation, fill_mode)
    count, channels = dy.shape[0], dy.shape[3]
    shape = (count, *input_size, channels)
    maps = np.broadcast_to(np.asarray(transforms), (count, 8))
    flat, total = np.asarray(dy).reshape(-1, channels), int(np.prod(shape[:3]))
    made = np.zeros((total, channels), dy.dtype)
    for place, weight in _sources(shape, maps, dy.shape[1:3], interpolation, fill_mode):
        kept = place >= 0
        for channel in range(channels):
            made[:, channel] += np.bincount(
                place[kept], (flat[:, channel] * weight)[kept], minlength=total
            ).astype(dy.dtype)
    return xp.asarray(made.reshape(shape))


@projective_transform_gradient.vjp
def projective_transform_gradient_vjp(
    dd, _dx, _dy, transforms, *, input_size, interpolation, fill_mode
):
    return (
        projective_transform(
            dd,
            transforms,
            output_size=tuple(_dy.shape)[1:3],
            interpolation=interpolation,
            fill_mode=fill_mode,
        ),
        None,
    )


@projective_transform_gradient.shape_rule
def projective_transform_gradient_rule(dy, transforms, *, input_size, **options):
    batch, channels = (dy.shape[0], dy.shape[3]) if dy.shape.rank else (None, None)
    return TensorSpec([batch, *input_size, channels], dy.dtype)


@projective_transform_gradient.samples
def projective_transform_gradient_samples(rng):
    dy = rng.normal(size=(2, 3, 4, 2))
    maps = np.array(
        [[0.9, 0.2, -0.3, -0.2, 0.8, 0.63, 0.0, 0.0], [1.2, 0, 0.4, 0.1, 0.7, -0.9, 0.01, 0.02]]
    )
    yield (dy, maps), {"input_size": (4, 5)}
    yield (dy, maps[:1]), {"input_size": (2, 3), "fill_mode": "reflect"}
