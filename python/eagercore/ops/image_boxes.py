"""Boxes in images: crops of boxes, non-maximum suppression, drawing, boxes at random."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtypes, errors, seeds
from ..base.philox import Philox, SingleWords
from ..base.shapes import TensorSpec
from ..core import coerce
from ..core.op import op
from ..core.tensor import EagerTensor, convert
from .create import cast
from .index import gather_nd
from .rounding import clip_by_value, floor
from .select import where
from .shape import expand_dims, reshape, stack
from .sum_to import broadcast_to


def crop_and_resize(
    image,
    boxes,
    box_indices=None,
    crop_size=None,
    method="bilinear",
    extrapolation_value=0.0,
    name=None,
    box_ind=None,
):
    """Parts of images, each made of one size.

    Args:
        image: Tensor [batch, height, width, channels].
        boxes: float32 tensor [boxes, 4]: top, left, bottom, right, where 0 and 1 are the image's
            edges; may lie outside, and be the other way round, which flips.
        box_indices: int32 tensor [boxes]: the image of each box.
        crop_size: Height and width of the results.
        method: "bilinear" or "nearest".
        extrapolation_value: Value of what lies outside.
        name: Accepted for TensorFlow's sake.
        box_ind: TensorFlow 1's spelling of `box_indices`.

    Returns:
        float32 tensor [boxes, height, width, channels]. Gradients flow to the images and the boxes.
    """
    image, boxes = cast(convert(image), dtypes.float32), cast(convert(boxes), dtypes.float32)
    which = convert(box_indices if box_indices is not None else box_ind, None)
    rows, columns = coerce.as_ints(crop_size, "crop_and_resize", "crop_size")
    if method not in ("bilinear", "nearest"):
        raise ValueError(
            f"crop_and_resize: `method` must be 'bilinear' or 'nearest', got {method!r}."
        )
    if boxes.shape.rank != 2 or boxes.shape[1] != 4:
        raise errors.shape_error(
            "CropAndResize", f"boxes must be [boxes, 4], got shape {boxes.shape}."
        )
    count, height, width = boxes.shape[0], image.shape[1], image.shape[2]
    known = which._array if isinstance(which, EagerTensor) else np.zeros(0)
    if known.size and (known.min() < 0 or known.max() >= image.shape[0]):
        raise errors.index_error(
            "CropAndResize", f"box_index has values outside [0, {image.shape[0]})"
        )
    y = _line(boxes[:, 0], boxes[:, 2], rows, height)
    x = _line(boxes[:, 1], boxes[:, 3], columns, width)
    grid_y = broadcast_to(expand_dims(y, 2), [count, rows, columns])
    grid_x = broadcast_to(expand_dims(x, 1), [count, rows, columns])
    inside = (
        (grid_y >= 0.0)
        & (grid_y <= float(height - 1))
        & (grid_x >= 0.0)
        & (grid_x <= float(width - 1))
    )
    number = broadcast_to(reshape(cast(which, dtypes.int32), [-1, 1, 1]), [count, rows, columns])

    def pixel(down: Any, across: Any) -> Any:
        down = cast(clip_by_value(down, 0.0, float(height - 1)), dtypes.int32)
        across = cast(clip_by_value(across, 0.0, float(width - 1)), dtypes.int32)
        return gather_nd(image, stack([number, down, across], axis=-1))

    if method == "nearest":
        # A place between two pixels goes to the farther one: no rounding to even here.
        made = pixel(floor(grid_y + 0.5), floor(grid_x + 0.5))
    else:
        top, left = floor(grid_y), floor(grid_x)
        down, across = expand_dims(grid_y - top, -1), expand_dims(grid_x - left, -1)
        upper = pixel(top, left) + (pixel(top, left + 1.0) - pixel(top, left)) * across
        lower = (
            pixel(top + 1.0, left)
            + (pixel(top + 1.0, left + 1.0) - pixel(top + 1.0, left)) * across
        )
        made = upper + (lower - upper) * down
    outside = cast(float(coerce.plain(extrapolation_value)), dtypes.float32)
    return where(expand_dims(inside, -1), made, outside)


def _line(begin: Any, end: Any, count: int, size: int) -> Any:
    """Where the pixels of the results lie in the image: [boxes, count]."""
    if count == 1:
        return expand_dims((begin + end) * (0.5 * (size - 1)), 1)
    step = (end - begin) * ((size - 1) / (count - 1))
    places = EagerTensor(np.arange(count, dtype=np.float32)[None])
    return expand_dims(begin * float(size - 1), 1) + expand_dims(step, 1) * places


# -------------------------------------------------------------------------- non-maximum suppression


def _corners(boxes: np.ndarray) -> np.ndarray:
    return np.stack(
        [
            np.minimum(boxes[..., 0], boxes[..., 2]), np.minimum(boxes[..., 1], boxes[..., 3]),
            np.maximum(boxes[..., 0], boxes[..., 2]), np.maximum(boxes[..., 1], boxes[..., 3]),
        ],
        -1,
    )  # fmt: skip


def _overlap(box: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Intersection over union of one box with others."""
    tall = np.minimum(box[2], others[:, 2]) - np.maximum(box[0], others[:, 0])
    wide = np.minimum(box[3], others[:, 3]) - np.maximum(box[1], others[:, 1])
    common = np.maximum(tall, 0) * np.maximum(wide, 0)
    area = (box[2] - box[0]) * (box[3] - box[1])
    areas = (others[:, 2] - others[:, 0]) * (others[:, 3] - others[:, 1])
    union = area + areas - common
    good = (area > 0) & (areas > 0)
    return np.where(good, common / np.where(union > 0, union, 1), 0).astype(np.float32)


def _chosen(
    overlap_of: Any, scores: np.ndarray, most: int, limit: float, least: float, sigma: float
) -> tuple[list[int], list[float]]:
    """Greedy choice of the best, where those that overlap a chosen one are dropped, or lose score (`sigma`)."""
    scores = scores.astype(np.float32).copy()
    alive = scores > least
    order = np.argsort(-scores, kind="stable")
    if sigma <= 0:
        chosen: list[int] = []
        for number in order:
            if len(chosen) >= most:
                break
            if alive[number] and not (
                chosen and (overlap_of(number, np.array(chosen)) > limit).any()
            ):
                chosen.append(int(number))
        return chosen, [float(scores[n]) for n in chosen]
    picked, values = [], []
    scale = np.float32(-0.5 / sigma)
    while len(picked) < most and alive.any():
        number = int(np.flatnonzero(alive)[np.argmax(scores[alive])])
        picked.append(number)
        values.append(float(scores[number]))
        alive[number] = False
        left = np.flatnonzero(alive)
        if left.size:
            shared = overlap_of(number, left)
            factor = np.where(shared <= limit, np.exp(scale * shared * shared), 0).astype(
                np.float32
            )
            scores[left] *= factor
            alive[left] &= scores[left] > least
    return picked, values


@op(differentiable=False, outputs=2, data_dependent=True, single=True)
def suppress(
    xp, boxes, scores, *, max_output_size: int, iou_threshold: float = 0.5, score_threshold: float = -np.inf,
    soft_nms_sigma: float = 0.0,
):  # fmt: skip
    """Boxes chosen by their scores, without those that overlap a better one.

    Args:
        boxes: Tensor [boxes, 4]: two opposite corners each, as y, x, y, x.
        scores: Tensor [boxes].
        max_output_size: How many at most.
        iou_threshold: Overlap (intersection over union) above which a box is dropped.
        score_threshold: Boxes must have more than this.
        soft_nms_sigma: Where it is positive, overlapping boxes lose score instead.

    Returns:
        int32 numbers of the boxes, and their scores.

    >>> suppress([[0.0, 0, 1, 1], [0, 0, 1, 0.9], [2, 2, 3, 3]], [0.9, 0.8, 0.7], max_output_size=3)[0].numpy()
    array([0, 2], dtype=int32)
    """
    _check_boxes(boxes, scores, iou_threshold)
    corners = _corners(np.asarray(boxes, np.float32))
    found, values = _chosen(
        lambda one, others: _overlap(corners[one], corners[others]), np.asarray(scores), max_output_size, iou_threshold,
        score_threshold, soft_nms_sigma,
    )  # fmt: skip
    return np.array(found, np.int32), np.array(values, scores.dtype)


def _check_boxes(boxes: Any, scores: Any, limit: float) -> None:
    if boxes.ndim != 2 or boxes.shape[1] != 4 or scores.ndim != 1 or len(scores) != len(boxes):
        raise errors.shape_error(
            "NonMaxSuppression",
            f"boxes must be [boxes, 4] and scores [boxes], got shapes {list(boxes.shape)} and {list(scores.shape)}.",
        )
    if not 0 <= limit <= 1:
        raise errors.value_error(
            "NonMaxSuppression", f"iou_threshold must be in [0, 1], got {limit}."
        )


@suppress.shape_rule
def suppress_rule(boxes, scores, **options):
    return TensorSpec([None], dtypes.int32), TensorSpec([None], scores.dtype)


@suppress.samples
def suppress_samples(rng):
    yield (
        (rng.uniform(size=(6, 4)), rng.uniform(size=6)),
        {"max_output_size": 4, "iou_threshold": 0.3},
    )
    yield (
        (rng.uniform(size=(6, 4)), rng.uniform(size=6)),
        {"max_output_size": 4, "soft_nms_sigma": 0.5, "score_threshold": 0.1},
    )


def _whole(value: Any) -> int:
    return coerce.as_int(value, "non_max_suppression", "max_output_size")


def non_max_suppression(
    boxes, scores, max_output_size, iou_threshold=0.5, score_threshold=float("-inf"), name=None
):
    """Numbers of the boxes that are best and do not overlap better ones.

    Args:
        boxes: Tensor [boxes, 4]: two opposite corners each, as y, x, y, x.
        scores: Tensor [boxes].
        max_output_size: How many at most.
        iou_threshold: Overlap (intersection over union) above which a box is dropped.
        score_threshold: Boxes must have more than this.
        name: Accepted for TensorFlow's sake.

    Returns:
        int32 tensor.
    """
    return suppress(boxes, scores, _whole(max_output_size), iou_threshold, score_threshold)[0]


def non_max_suppression_with_scores(
    boxes,
    scores,
    max_output_size,
    iou_threshold=0.5,
    score_threshold=float("-inf"),
    soft_nms_sigma=0.0,
    name=None,
):
    """`non_max_suppression` with the scores of the chosen boxes, which overlapping ones may lose.

    Args:
        boxes: Tensor [boxes, 4].
        scores: Tensor [boxes].
        max_output_size: How many at most.
        iou_threshold: As in `non_max_suppression`.
        score_threshold: As in `non_max_suppression`.
        soft_nms_sigma: Where it is positive, overlapping boxes lose score instead of being dropped.
        name: Accepted for TensorFlow's sake.

    Returns:
        int32 numbers and their scores.
    """
    made = suppress(
        boxes, scores, _whole(max_output_size), iou_threshold, score_threshold, soft_nms_sigma
    )
    return made[0], made[1]


def non_max_suppression_padded(
    boxes, scores, max_output_size, iou_threshold=0.5, score_threshold=float("-inf"),
    pad_to_max_output_size=False, name=None,
    sorted_input=False, canonicalized_coordinates=False, tile_size=512,
):  # fmt: skip
    """`non_max_suppression` whose result may be filled to its full size, and its number.

    Args:
        boxes: Tensor [boxes, 4], or [batch, boxes, 4].
        scores: Tensor [boxes], or [batch, boxes].
        max_output_size: How many at most.
        iou_threshold: As in `non_max_suppression`.
        score_threshold: As in `non_max_suppression`.
        pad_to_max_output_size: Whether the result is filled with zeros.
        name: Accepted for TensorFlow's sake.
        sorted_input: Accepted for TensorFlow's sake.
        canonicalized_coordinates: Accepted for TensorFlow's sake.
        tile_size: Accepted for TensorFlow's sake.

    Returns:
        int32 numbers of boxes, and how many of them are good.
    """
    boxes, scores, most = convert(boxes), convert(scores), _whole(max_output_size)
    if boxes.shape.rank == 3:
        rows, counts = [], []
        for number in range(boxes.shape[0]):
            found, count = non_max_suppression_padded(
                boxes[number], scores[number], most, iou_threshold, score_threshold, True
            )
            rows.append(found)
            counts.append(count)
        return stack(rows), stack(counts)
    found = suppress(boxes, scores, most, iou_threshold, score_threshold)[0]
    count = EagerTensor(np.array(len(found._array), np.int32))
    if pad_to_max_output_size:
        filled = np.zeros(most, np.int32)
        filled[: len(found._array)] = found._array
        found = EagerTensor(filled)
    return found, count


def non_max_suppression_overlaps(
    overlaps,
    scores,
    max_output_size,
    overlap_threshold=0.5,
    score_threshold=float("-inf"),
    name=None,
):
    """`non_max_suppression` by a matrix of overlaps.

    Args:
        overlaps: Tensor [boxes, boxes].
        scores: Tensor [boxes].
        max_output_size: How many at most.
        overlap_threshold: Overlap above which a box is dropped.
        score_threshold: Boxes must have more than this.
        name: Accepted for TensorFlow's sake.

    Returns:
        int32 tensor.
    """
    table, values = convert(overlaps)._array, convert(scores)._array
    if table.ndim != 2 or table.shape[0] != table.shape[1] or len(values) != len(table):
        raise errors.shape_error(
            "NonMaxSuppressionWithOverlaps",
            f"overlaps must be [boxes, boxes] and scores [boxes], got {table.shape} and {values.shape}.",
        )
    found, _ = _chosen(
        lambda one, others: table[one, others], values, _whole(max_output_size), float(coerce.plain(overlap_threshold)),
        float(coerce.plain(score_threshold)), 0.0,
    )  # fmt: skip
    return EagerTensor(np.array(found, np.int32))


def combined_non_max_suppression(
    boxes, scores, max_output_size_per_class, max_total_size, iou_threshold=0.5, score_threshold=float("-inf"),
    pad_per_class=False, clip_boxes=True, name=None,
):  # fmt: skip
    """Non-maximum suppression of each class of each image, and the best of all classes.

    Args:
        boxes: Tensor [batch, boxes, classes or 1, 4].
        scores: Tensor [batch, boxes, classes].
        max_output_size_per_class: How many of a class at most.
        max_total_size: How many of an image at most.
        iou_threshold: As in `non_max_suppression`.
        score_threshold: As in `non_max_suppression`.
        pad_per_class: Whether results are filled to classes times boxes only.
        clip_boxes: Whether boxes are held to [0, 1].
        name: Accepted for TensorFlow's sake.

    Returns:
        Boxes [batch, n, 4], scores [batch, n], classes [batch, n] and how many of them are good [batch].
    """
    places, values = convert(boxes)._array, convert(scores)._array
    batch, _, classes = values.shape
    per_class = coerce.as_int(
        max_output_size_per_class, "combined_non_max_suppression", "max_output_size_per_class"
    )
    total = coerce.as_int(max_total_size, "combined_non_max_suppression", "max_total_size")
    size = min(total, per_class * classes) if pad_per_class else total
    out = (
        np.zeros((batch, size, 4), np.float32),
        np.zeros((batch, size), np.float32),
        np.zeros((batch, size), np.float32),
    )
    counts = np.zeros(batch, np.int32)
    for image in range(batch):
        found: list[tuple[float, int, np.ndarray]] = []
        for kind in range(classes):
            own = places[image, :, kind if places.shape[2] > 1 else 0]
            chosen = suppress(
                EagerTensor(own),
                EagerTensor(values[image, :, kind].copy()),
                per_class,
                iou_threshold,
                score_threshold,
            )
            found += [(float(s), kind, own[n]) for n, s in zip(chosen[0]._array, chosen[1]._array)]
        found.sort(key=lambda item: -item[0])
        counts[image] = min(len(found), size)
        for row, (score, kind, box) in enumerate(found[:size]):
            out[0][image, row] = np.clip(box, 0, 1) if clip_boxes else box
            out[1][image, row], out[2][image, row] = score, kind
    from collections import namedtuple

    kind_of = namedtuple(
        "CombinedNonMaxSuppression",
        ["nmsed_boxes", "nmsed_scores", "nmsed_classes", "valid_detections"],
    )
    return kind_of(*map(EagerTensor, out), EagerTensor(counts))


# ------------------------------------------------------------------------------------------ drawing

_COLOURS = np.array(
    [[1, 1, 0, 1], [0, 0, 1, 1], [1, 0, 0, 1], [0, 1, 0, 1], [0.5, 0, 0.5, 1], [0.5, 0.5, 0, 1],
    [0.5, 0, 0, 1], [0, 0, 0.5, 1],
     [0, 1, 1, 1], [1, 0, 1, 1]], np.float32,
)  # fmt: skip


@op(differentiable=False, free=("boxes", "colors"), kinds="f")
def draw_boxes(xp, images, boxes, colors):
    """Images with the outlines of boxes.

    Args:
        images: Tensor [batch, height, width, channels].
        boxes: Tensor [batch, boxes, 4]: top, left, bottom, right in [0, 1].
        colors: Tensor [colours, channels]; they are used in turn.

    Returns:
        Tensor of the shape and dtype of `images`.

    >>> draw_boxes(np.zeros((1, 3, 3, 1), np.float32), [[[0.0, 0, 1, 1]]], [[1.0]]).numpy().sum()
    np.float32(8.0)
    """
    out = images.copy()
    height, width, channels = images.shape[1:]
    for image, own in zip(out, boxes):
        for number, (top, left, bottom, right) in enumerate(own):
            colour = colors[number % len(colors)][:channels].astype(images.dtype)
            first, last = int(top * (height - 1)), int(bottom * (height - 1))
            begin, end = int(left * (width - 1)), int(right * (width - 1))
            if (
                first > last
                or begin > end
                or first >= height
                or last < 0
                or begin >= width
                or end < 0
            ):
                continue
            rows, columns = (
                slice(max(first, 0), min(last, height - 1) + 1),
                slice(max(begin, 0), min(end, width - 1) + 1),
            )
            if first >= 0:
                image[first, columns] = colour
            if last < height:
                image[last, columns] = colour
            if begin >= 0:
                image[rows, begin] = colour
            if end < width:
                image[rows, end] = colour
    return out


@draw_boxes.shape_rule
def draw_boxes_rule(images, boxes, colors):
    return TensorSpec(images.shape, images.dtype)


@draw_boxes.samples
def draw_boxes_samples(rng):
    boxes = np.array([[[0.1, 0.1, 0.8, 0.9], [-0.5, 0.2, 0.5, 1.5]]])
    yield (rng.normal(size=(1, 6, 7, 3)), boxes, np.ones((1, 3))), {}


def draw_bounding_boxes(images, boxes, colors=None, name=None):
    """Images with the outlines of boxes.

    Args:
        images: Tensor [batch, height, width, channels], floating.
        boxes: Tensor [batch, boxes, 4]: top, left, bottom, right in [0, 1].
        colors: Tensor [colours, channels] that are used in turn; default a list of ten.
        name: Accepted for TensorFlow's sake.
    """
    images = convert(images)
    if colors is None:
        channels = images.shape[-1]
        colors = _COLOURS[:, :channels] if channels != 1 else np.ones((1, 1), np.float32)
    return draw_boxes(images, boxes, cast(convert(colors), dtypes.float32))


# ---------------------------------------------------------------------------------------- at random


def _round(value: float) -> int:
    return int(np.rint(np.float32(value)))


def _random_rectangle(
    height: int, width: int, least: float, most: float, ratio: np.float32, words: SingleWords
) -> tuple[int, int, int, int] | None:
    """Top, left, height and width of a rectangle of the aspect ratio, or None when none fits:
    TensorFlow's procedure."""
    if most <= 0 or ratio <= 0 or width <= 0 or height <= 0 or least > most:
        return None
    f = np.float32
    smallest, largest = f(least) * f(width) * f(height), f(most) * f(width) * f(height)
    tall = _round(np.sqrt(smallest / ratio))
    tallest = _round(np.sqrt(largest / ratio))
    if _round(f(tallest) * ratio) > width:
        tallest = int((width + 0.5 - 1e-7) / ratio)
        if _round(f(tallest) * ratio) > width:
            tallest -= 1
    tallest = min(tallest, height)
    tall = min(tall, tallest)
    if tall < tallest:
        tall += _below(tallest - tall + 1, words)
    wide = _round(f(tall) * ratio)
    if f(wide * tall) < smallest:
        tall += 1
        wide = _round(f(tall) * ratio)
    if f(wide * tall) > largest:
        tall -= 1
        wide = _round(f(tall) * ratio)
    area = f(wide * tall)
    if area < smallest or area > largest or wide > width or tall > height or wide <= 0 or tall <= 0:
        return None
    top = _below(height - tall, words) if tall < height else 0
    left = _below(width - wide, words) if wide < width else 0
    return top, left, tall, wide


def _below(limit: int, words: SingleWords) -> int:
    """A number of [0, limit), all equally likely."""
    if limit & (limit - 1) == 0:
        return words() & (limit - 1)
    rest = 0xFFFFFFFF % limit + 1
    while True:
        word = words()
        if word >= rest:
            return word % limit


def _covers(rectangle: tuple[int, int, int, int], boxes: np.ndarray, share: float) -> bool:
    """Whether the rectangle covers that share of some box."""
    top, left, tall, wide = rectangle
    for y0, x0, y1, x1 in boxes:
        area = (y1 - y0) * (x1 - x0)
        common = max(0, min(y1, top + tall) - max(y0, top)) * max(
            0, min(x1, left + wide) - max(x0, left)
        )
        # A box that is less than the whole share counts; a rectangle that touches nothing never does.
        if common and area and common / area >= share:
            return True
    return False


def _distorted(
    size: Any, boxes: Any, words: SingleWords, options: Any, attempts: int, whole: bool
) -> Any:
    share, ratios, areas = options
    extent = np.asarray(coerce.plain(convert(size)))
    height, width = int(extent[0]), int(extent[1])
    given = np.asarray(coerce.plain(convert(boxes)), np.float32).reshape(-1, 4)
    if not len(given):
        if not whole:
            raise errors.value_error(
                "SampleDistortedBoundingBox",
                "No bounding boxes provided as input. One must enable "
                "use_image_if_no_bounding_boxes if you wish to not provide "
                "any bounding boxes.",
            )
        given = np.array([[0, 0, 1, 1]], np.float32)
    scale = np.array([height, width, height, width], np.float32)
    pixels = (given * scale).astype(np.int64)
    chosen = (0, 0, height, width)
    low, high = np.float32(ratios[0]), np.float32(ratios[1])
    for _ in range(attempts):
        ratio = np.float32(words.float32()) * (high - low) + low
        found = _random_rectangle(height, width, areas[0], areas[1], ratio, words)
        if found is not None and _covers(found, pixels, share):
            chosen = found
            break
    top, left, tall, wide = chosen
    kind = extent.dtype if extent.dtype.kind in "iu" else np.dtype(np.int32)
    box = np.array(
        [top / height, left / width, (top + tall) / height, (left + wide) / width], np.float32
    )
    return (
        EagerTensor(np.array([top, left, 0], kind)), EagerTensor(np.array([tall, wide, -1], kind)),
        EagerTensor(box.reshape(1, 1, 4)),
    )  # fmt: skip


def _box_options(covered: Any, ratios: Any, areas: Any, attempts: Any) -> tuple[Any, int]:
    ratios = (0.75, 1.33) if ratios is None else tuple(float(r) for r in ratios)
    areas = (0.05, 1.0) if areas is None else tuple(float(a) for a in areas)
    if len(ratios) != 2 or ratios[0] > ratios[1] or ratios[0] <= 0:
        raise errors.value_error(
            "SampleDistortedBoundingBox", f"Aspect ratio must be positive and ascend, got {ratios}."
        )
    if len(areas) != 2 or not 0 <= areas[0] <= areas[1] <= 1:
        raise errors.value_error(
            "SampleDistortedBoundingBox", f"Area must be in [0, 1] and ascend, got {areas}."
        )
    count = (
        100
        if attempts is None
        else coerce.as_int(attempts, "sample_distorted_bounding_box", "max_attempts")
    )
    return (float(coerce.plain(covered)), ratios, areas), count


def sample_distorted_bounding_box(
    image_size, bounding_boxes, seed=0, min_object_covered=0.1, aspect_ratio_range=None,
    area_range=None, max_attempts=None,
    use_image_if_no_bounding_boxes=None, name=None, seed2=None,
):  # fmt: skip
    """A random part of an image that covers some of an object.

    Args:
        image_size: Height, width and channels of the image.
        bounding_boxes: Tensor [batch, boxes, 4]: top, left, bottom, right in [0, 1].
        seed: Seed of this operation.
        min_object_covered: Share of some box that must be covered.
        aspect_ratio_range: Smallest and largest width / height. Default 0.75 and 1.33.
        area_range: Smallest and largest share of the image. Default 0.05 and 1.
        max_attempts: How often to try before the whole image is taken. Default 100.
        use_image_if_no_bounding_boxes: Whether the image is the object when there are no boxes.
        name: Accepted for TensorFlow's sake.
        seed2: TensorFlow 1's second seed.

    Returns:
        Begin and size for `tf.slice`, and the box [1, 1, 4].
    """
    options, count = _box_options(min_object_covered, aspect_ratio_range, area_range, max_attempts)
    own = coerce.plain(seed)
    if own:
        pair: tuple[Any, Any] = seeds.seeds_of(own)
    else:
        pair = (
            (seeds.entropy(31), seeds.entropy(31))
            if seeds.global_seed() is None
            else seeds.seeds_of(None)
        )
    stream = seeds.Stream(pair, ("SampleDistortedBoundingBoxV2", count))
    words = SingleWords(stream.reserve(count))
    return _distorted(
        image_size, bounding_boxes, words, options, count, bool(use_image_if_no_bounding_boxes)
    )


def stateless_sample_distorted_bounding_box(
    image_size, bounding_boxes, seed, min_object_covered=0.1, aspect_ratio_range=None,
    area_range=None, max_attempts=None,
    use_image_if_no_bounding_boxes=None, name=None,
):  # fmt: skip
    """`sample_distorted_bounding_box` that follows from two seeds alone.

    Args:
        image_size: As in `sample_distorted_bounding_box`.
        bounding_boxes: As in `sample_distorted_bounding_box`.
        seed: Two whole numbers.
        min_object_covered: As in `sample_distorted_bounding_box`.
        aspect_ratio_range: As in `sample_distorted_bounding_box`.
        area_range: As in `sample_distorted_bounding_box`.
        max_attempts: As in `sample_distorted_bounding_box`.
        use_image_if_no_bounding_boxes: As in `sample_distorted_bounding_box`.
        name: Accepted for TensorFlow's sake.
    """
    options, count = _box_options(min_object_covered, aspect_ratio_range, area_range, max_attempts)
    first, second = (int(s) for s in np.asarray(coerce.plain(convert(seed))).reshape(-1))
    words = SingleWords(Philox.from_seeds(first, second))
    return _distorted(
        image_size, bounding_boxes, words, options, count, bool(use_image_if_no_bounding_boxes)
    )
