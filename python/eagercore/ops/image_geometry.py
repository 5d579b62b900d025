"""Parts, frames and turns of images: cropping, padding, flipping, rotating, patches."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import errors
from ..core import coerce
from ..core.tensor import convert
from .rearrange import reverse
from .resize import ResizeMethod, as_batch, resize, resize_images
from .shape import concat, pad, squeeze, stack, transpose
from .slicing import getitem


def _back(batch: Any, single: bool) -> Any:
    return squeeze(batch, 0) if single else batch


def _sizes(op: str, **values: Any) -> list[int]:
    return [coerce.as_int(value, op, name) for name, value in values.items()]


def flip_left_right(image):
    """Images with their columns in reverse order.

    Args:
        image: Tensor [batch, height, width, channels] or [height, width, channels].

    >>> flip_left_right([[[1], [2]]]).numpy().reshape(-1)
    array([2, 1], dtype=int32)
    """
    return _flipped(image, -2, "flip_left_right")


def flip_up_down(image):
    """Images with their rows in reverse order.

    Args:
        image: Tensor [batch, height, width, channels] or [height, width, channels].
    """
    return _flipped(image, -3, "flip_up_down")


def _flipped(image: Any, axis: int, op: str) -> Any:
    image = convert(image)
    if image.shape.rank not in (3, 4):
        raise ValueError(
            f"tf.image.{op}: 'image' (shape {image.shape}) must have either 3 or 4 dimensions."
        )
    return reverse(image, [image.shape.rank + axis])


def transpose_image(image, name=None):
    """Images with rows and columns exchanged.

    Args:
        image: Tensor [batch, height, width, channels] or [height, width, channels].
        name: Accepted for TensorFlow's sake.
    """
    image = convert(image)
    if image.shape.rank not in (3, 4):
        raise ValueError(
            f"tf.image.transpose: 'image' (shape {image.shape}) must have either 3 or 4 dimensions."
        )
    return transpose(image, [1, 0, 2] if image.shape.rank == 3 else [0, 2, 1, 3])


def rot90(image, k=1, name=None):
    """Images turned by 90 degrees against the clock, `k` times.

    Args:
        image: Tensor [batch, height, width, channels] or [height, width, channels].
        k: How often.
        name: Accepted for TensorFlow's sake.

    >>> rot90([[[1], [2]]]).numpy().tolist()
    [[[2]], [[1]]]
    """
    turns = coerce.as_int(k, "rot90", "k") % 4
    if turns == 0:
        return convert(image)
    if turns == 1:
        return transpose_image(flip_left_right(image))
    if turns == 2:
        return flip_up_down(flip_left_right(image))
    return flip_left_right(transpose_image(image))


def crop_to_bounding_box(image, offset_height, offset_width, target_height, target_width):
    """A part of images.

    Args:
        image: Tensor [batch, height, width, channels] or [height, width, channels].
        offset_height: First row.
        offset_width: First column.
        target_height: Number of rows.
        target_width: Number of columns.

    Raises:
        ValueError: If the part does not lie within the image.
    """
    batch, single = as_batch(image, "crop_to_bounding_box", "image")
    top, left, height, width = _sizes(
        "crop_to_bounding_box", offset_height=offset_height, offset_width=offset_width, target_height=target_height,
        target_width=target_width,
    )  # fmt: skip
    rows, columns = batch.shape[1], batch.shape[2]
    for good, message in (
        (top >= 0, "offset_height must be >= 0."),
        (left >= 0, "offset_width must be >= 0."),
        (height > 0, "target_height must be > 0."),
        (width > 0, "target_width must be > 0."),
        (rows is None or top + height <= rows, "height must be >= target + offset."),
        (columns is None or left + width <= columns, "width must be >= target + offset."),
    ):
        if not good:
            raise ValueError(
                f"{message} Got offsets ({top}, {left}), size ({height}, {width}) and an image of shape {batch.shape}."
            )
    return _back(
        getitem(batch, (slice(None), slice(top, top + height), slice(left, left + width))), single
    )


def pad_to_bounding_box(image, offset_height, offset_width, target_height, target_width):
    """Images on a larger ground of zeros.

    Args:
        image: Tensor [batch, height, width, channels] or [height, width, channels].
        offset_height: Rows of zeros above.
        offset_width: Columns of zeros to the left.
        target_height: Number of rows of the result.
        target_width: Number of columns of the result.

    Raises:
        ValueError: If the image does not lie within.
    """
    batch, single = as_batch(image, "pad_to_bounding_box", "image")
    top, left, height, width = _sizes(
        "pad_to_bounding_box", offset_height=offset_height, offset_width=offset_width, target_height=target_height,
        target_width=target_width,
    )  # fmt: skip
    below, right = height - top - batch.shape[1], width - left - batch.shape[2]
    for good, message in (
        (top >= 0, "offset_height must be >= 0."),
        (left >= 0, "offset_width must be >= 0."),
        (right >= 0, "width must be <= target - offset"),
        (below >= 0, "height must be <= target - offset"),
    ):
        if not good:
            raise ValueError(
                f"{message} Got offsets ({top}, {left}), size ({height}, {width}) and an image of shape {batch.shape}."
            )
    return _back(pad(batch, [[0, 0], [top, below], [left, right], [0, 0]]), single)


def central_crop(image, central_fraction):
    """The middle of images.

    Args:
        image: Tensor [batch, height, width, channels] or [height, width, channels].
        central_fraction: Share of each side that is kept, in (0, 1].

    Raises:
        ValueError: If the share lies outside.
    """
    share = float(coerce.plain(central_fraction))
    if not 0.0 < share <= 1.0:
        raise ValueError(f"central_fraction must be within (0, 1], got {share}.")
    if share == 1.0:
        return convert(image)
    batch, single = as_batch(image, "central_crop", "image")
    starts = [int((size - size * share) / 2) for size in (batch.shape[1], batch.shape[2])]
    ends = [size - start for size, start in zip((batch.shape[1], batch.shape[2]), starts)]
    return _back(
        getitem(batch, (slice(None), slice(starts[0], ends[0]), slice(starts[1], ends[1]))), single
    )


def resize_with_crop_or_pad(image, target_height, target_width):
    """Images of another size, cut or framed with zeros evenly on both sides.

    Args:
        image: Tensor [batch, height, width, channels] or [height, width, channels].
        target_height: Number of rows.
        target_width: Number of columns.
    """
    batch, single = as_batch(image, "resize_with_crop_or_pad", "image")
    height, width = _sizes(
        "resize_with_crop_or_pad", target_height=target_height, target_width=target_width
    )
    if height < 1 or width < 1:
        raise ValueError(f"target_height and target_width must be > 0, got {height} and {width}.")
    rows, columns = batch.shape[1], batch.shape[2]
    cropped = crop_to_bounding_box(
        batch, max((rows - height) // 2, 0), max((columns - width) // 2, 0), min(height, rows), min(width, columns),
    )  # fmt: skip
    made = pad_to_bounding_box(
        cropped, max((height - rows) // 2, 0), max((width - columns) // 2, 0), height, width
    )
    return _back(made, single)


resize_image_with_crop_or_pad = resize_with_crop_or_pad


def resize_with_pad(
    image, target_height, target_width, method=ResizeMethod.BILINEAR, antialias=False
):
    """Images made to fit into another size without being distorted, and framed with zeros.

    Args:
        image: Tensor [batch, height, width, channels] or [height, width, channels].
        target_height: Number of rows.
        target_width: Number of columns.
        method: As in `tf.image.resize`.
        antialias: As in `tf.image.resize`.
    """
    return _with_pad(
        image,
        target_height,
        target_width,
        lambda x, size: resize(x, size, method, antialias=antialias),
    )


def resize_image_with_pad(image, target_height, target_width, method=0, align_corners=False):
    """`resize_with_pad` by TensorFlow 1's `resize_images`.

    Args:
        image: Tensor [batch, height, width, channels] or [height, width, channels].
        target_height: Number of rows.
        target_width: Number of columns.
        method: As in `resize_images`.
        align_corners: As in `resize_images`.
    """
    return _with_pad(
        image,
        target_height,
        target_width,
        lambda x, size: resize_images(x, size, method, align_corners),
    )


def _with_pad(image: Any, target_height: Any, target_width: Any, resizing: Any) -> Any:
    batch, single = as_batch(image, "resize_with_pad", "image")
    height, width = _sizes(
        "resize_with_pad", target_height=target_height, target_width=target_width
    )
    if height < 1 or width < 1:
        raise ValueError(f"target_height and target_width must be > 0, got {height} and {width}.")
    rows, columns = batch.shape[1], batch.shape[2]
    ratio = max(rows / height, columns / width)
    exact = (rows / ratio, columns / ratio)
    inner = (int(np.floor(exact[0])), int(np.floor(exact[1])))
    above = max(int(np.floor((height - exact[0]) / 2)), 0)
    left = max(int(np.floor((width - exact[1]) / 2)), 0)
    made = resizing(batch, inner)
    return _back(pad_to_bounding_box(made, above, left, height, width), single)


def extract_patches(images, sizes, strides, rates, padding, name=None):
    """Patches of images, each as one vector.

    Args:
        images: Tensor [batch, height, width, channels].
        sizes: [1, height, width, 1] of a patch.
        strides: [1, rows, columns, 1] between patches.
        rates: [1, rows, columns, 1] between the pixels of a patch.
        padding: "VALID" or "SAME" (with zeros).
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [batch, patches down, patches across, height * width * channels].

    >>> extract_patches([[[[1.0], [2.0], [3.0]]]], [1, 1, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "VALID").numpy().tolist()
    [[[[1.0, 2.0], [2.0, 3.0]]]]
    """
    images = convert(images)
    if images.shape.rank != 4:
        raise ValueError(
            f"extract_patches: `images` must be [batch, height, width, channels], got shape {images.shape}."
        )
    height, width = _middle(sizes, "sizes")
    down, across = _middle(strides, "strides")
    row_rate, column_rate = _middle(rates, "rates")
    reach = ((height - 1) * row_rate + 1, (width - 1) * column_rate + 1)
    kind = padding.decode() if isinstance(padding, bytes) else str(padding)
    if kind.upper() == "SAME":
        frames = []
        for size, span, step in zip((images.shape[1], images.shape[2]), reach, (down, across)):
            total = max((-(-size // step) - 1) * step + span - size, 0)
            frames.append([total // 2, total - total // 2])
        images = pad(images, [[0, 0], *frames, [0, 0]])
    elif kind.upper() != "VALID":
        raise ValueError(f"extract_patches: `padding` must be 'VALID' or 'SAME', got {padding!r}.")
    rows, columns = images.shape[1] - reach[0] + 1, images.shape[2] - reach[1] + 1
    if rows < 1 or columns < 1:
        raise errors.shape_error(
            "ExtractImagePatches",
            f"A patch of {reach} does not lie within images of shape {images.shape}.",
        )
    parts = []
    for i in range(height):
        for j in range(width):
            top, left = i * row_rate, j * column_rate
            parts.append(
                getitem(
                    images,
                    (
                        slice(None),
                        slice(top, top + rows, down),
                        slice(left, left + columns, across),
                    ),
                )
            )
    return concat(parts, axis=-1)


def extract_image_patches(
    images, ksizes=None, strides=None, rates=None, padding=None, name=None, sizes=None
):
    """`extract_patches` as TensorFlow 1 spelled it.

    Args:
        images: Tensor [batch, height, width, channels].
        ksizes: Size of a patch: [1, rows, columns, 1].
        strides: Steps: [1, rows, columns, 1].
        rates: Distances within a patch: [1, rows, columns, 1].
        padding: "VALID" or "SAME".
        name: Accepted for TensorFlow's sake.
        sizes: TensorFlow 2's name of `ksizes`.

    Returns:
        Tensor [batch, rows', columns', patch * channels].
    """
    return extract_patches(images, ksizes if sizes is None else sizes, strides, rates, padding)


def _middle(value: Any, name: str) -> tuple[int, int]:
    found = coerce.as_ints(value, "extract_patches", name)
    if len(found) == 2:
        return found
    if len(found) != 4 or found[0] != 1 or found[3] != 1:
        raise ValueError(
            f"extract_patches: `{name}` must be [1, rows, columns, 1], got {list(found)}."
        )
    return found[1], found[2]


def image_gradients(image):
    """Differences of neighbouring pixels: down and across, with zeros in the last row and column.

    Args:
        image: Tensor [batch, height, width, channels].

    Returns:
        Two tensors of the shape of `image`.
    """
    image = convert(image)
    if image.shape.rank != 4:
        raise ValueError(
            f"image_gradients expects a 4D tensor [batch_size, h, w, d], not {image.shape}."
        )
    down = getitem(image, (slice(None), slice(1, None))) - getitem(
        image, (slice(None), slice(None, -1))
    )
    across = getitem(image, (slice(None), slice(None), slice(1, None))) - getitem(
        image, (slice(None), slice(None), slice(None, -1))
    )
    return (
        pad(down, [[0, 0], [0, 1], [0, 0], [0, 0]]),
        pad(across, [[0, 0], [0, 0], [0, 1], [0, 0]]),
    )


_SOBEL = (((-1, -2, -1), (0, 0, 0), (1, 2, 1)), ((-1, 0, 1), (-2, 0, 2), (-1, 0, 1)))


def sobel_edges(image):
    """Sobel's edge filters: [..., 0] down, [..., 1] across.

    Args:
        image: Tensor [batch, height, width, channels].

    Returns:
        Tensor [batch, height, width, channels, 2].
    """
    image = convert(image)
    framed = pad(image, [[0, 0], [1, 1], [1, 1], [0, 0]], mode="REFLECT")
    height, width = image.shape[1], image.shape[2]
    made = []
    for kernel in _SOBEL:
        total = None
        for i, row in enumerate(kernel):
            for j, factor in enumerate(row):
                if factor:
                    part = getitem(framed, (slice(None), slice(i, i + height), slice(j, j + width)))
                    part = part if factor == 1 else part * factor
                    total = part if total is None else total + part
        made.append(total)
    return stack(made, axis=-1)


def extract_glimpse(
    input, size, offsets, centered=True, normalized=True, noise="uniform", name=None
):
    """Parts of images around given points; what lies outside is filled.

    Args:
        input: Tensor [batch, height, width, channels], float32.
        size: Height and width of a part.
        offsets: Tensor [batch, 2]: row and column of each part's middle.
        centered: Whether offsets count from the image's middle.
        normalized: Whether offsets are in units of half the image.
        noise: "uniform", "gaussian" or "zero": what fills.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [batch, height, width, channels].
    """
    from . import random

    images, points = convert(input), coerce.plain(convert(offsets))
    rows, columns = coerce.as_ints(size, "extract_glimpse", "size")
    frame = [[0, 0], [rows, rows], [columns, columns], [0, 0]]
    height, width = images.shape[1], images.shape[2]
    if noise == "zero":
        ground = pad(images, frame)
    else:
        extent = [images.shape[0], height + 2 * rows, width + 2 * columns, images.shape[3]]
        drawn = random.uniform(extent) if noise == "uniform" else random.normal(extent)
        inside = np.zeros(extent, np.float32)
        inside[:, rows : rows + height, columns : columns + width] = 1
        ground = pad(images, frame) + drawn * (1 - inside)
    parts = []
    for number, (y, x) in enumerate(np.asarray(points, np.float64)):
        if normalized:
            y, x = y * height, x * width
            if centered:
                y, x = y / 2 + height / 2, x / 2 + width / 2
        elif centered:
            y, x = y + height / 2, x + width / 2
        top, left = int(y - rows / 2), int(x - columns / 2)
        top = min(max(top, -rows), height) + rows
        left = min(max(left, -columns), width) + columns
        parts.append(getitem(ground, (number, slice(top, top + rows), slice(left, left + columns))))
    return stack(parts)
