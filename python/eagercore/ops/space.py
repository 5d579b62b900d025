"""Space cut into blocks, which go to the batch or to the channels, and into patches."""

from __future__ import annotations

import numpy as np

from ..base import errors
from ..core import coerce
from ..core.coerce import Ints, Shape
from ..core.op import movement
from ..core.tensor import convert
from .create import constant, shape_of
from .shape import pad, reshape, transpose
from .slicing import strided_slice_op


def _blocks(block_shape, name):
    blocks = coerce.as_ints(block_shape, name, "block_shape")
    if any(b < 1 for b in blocks):
        raise errors.value_error(name, f"block_shape must be positive, got {list(blocks)}.")
    return blocks


def space_to_batch_nd(input, block_shape, paddings, name=None):
    """Blocks of space, after padding, moved into the batch.

    Args:
        input: Tensor [batch, *space, ...].
        block_shape: Size of the blocks along each axis of space.
        paddings: For each axis of space a pair: how many zeros before and after.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [batch * product of block_shape, *padded space / block_shape, ...].

    Raises:
        InvalidArgumentError: If a padded size is no multiple of the block's.

    >>> space_to_batch_nd([[[1], [2], [3], [4]]], [2], [[0, 0]]).numpy().tolist()
    [[[1], [3]], [[2], [4]]]
    """
    input = convert(input)
    blocks = _blocks(block_shape, "SpaceToBatchND")
    pairs = [coerce.as_ints(p, "SpaceToBatchND", "paddings") for p in coerce.plain(paddings)]
    count, rank = len(blocks), input.shape.rank
    if len(pairs) != count:
        raise errors.shape_error(
            "SpaceToBatchND", f"paddings must have {count} pairs, got {len(pairs)}."
        )
    padded = pad(input, [[0, 0], *[list(p) for p in pairs], *[[0, 0]] * (rank - 1 - count)])
    dims = shape_of(padded)
    for d, b in zip(dims[1 : 1 + count], blocks, strict=True):
        if isinstance(d, int) and d % b:
            raise errors.shape_error(
                "SpaceToBatchND",
                f"padded shape {list(dims)} is no multiple of the blocks {list(blocks)}.",
            )
    split = [dims[0]]
    for d, b in zip(dims[1 : 1 + count], blocks, strict=True):
        split += [d // b, b]
    rest = dims[1 + count :]
    order = [2 * i + 2 for i in range(count)] + [0] + [2 * i + 1 for i in range(count)]
    order += list(range(2 * count + 1, 2 * count + 1 + len(rest)))
    moved = transpose(reshape(padded, (*split, *rest)), order)
    batch = dims[0]
    for b in blocks:
        batch = batch * b
    space = [d // b for d, b in zip(dims[1 : 1 + count], blocks, strict=True)]
    return reshape(moved, (batch, *space, *rest))


def batch_to_space_nd(input, block_shape, crops, name=None):
    """What `space_to_batch_nd` moved into the batch, back in space, and cropped.

    Args:
        input: Tensor [batch, *space, ...].
        block_shape: Size of the blocks along each axis of space.
        crops: For each axis of space a pair: how many elements to cut off before and after.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [batch / product of block_shape, *space * block_shape - crops, ...].

    Raises:
        InvalidArgumentError: If the batch is no multiple of the product of the blocks.

    >>> batch_to_space_nd([[[1], [3]], [[2], [4]]], [2], [[0, 0]]).numpy().tolist()
    [[[1], [2], [3], [4]]]
    """
    input = convert(input)
    blocks = _blocks(block_shape, "BatchToSpaceND")
    cuts = [coerce.as_ints(c, "BatchToSpaceND", "crops") for c in coerce.plain(crops)]
    count, dims = len(blocks), shape_of(input)
    product = int(np.prod(blocks))
    if isinstance(dims[0], int) and dims[0] % product:
        raise errors.shape_error(
            "BatchToSpaceND", f"batch {dims[0]} is no multiple of the blocks' {product}."
        )
    space, rest = dims[1 : 1 + count], dims[1 + count :]
    split = reshape(input, (*blocks, dims[0] // product, *space, *rest))
    order = [count]
    for i in range(count):
        order += [count + 1 + i, i]
    order += list(range(2 * count + 1, 2 * count + 1 + len(rest)))
    whole = reshape(
        transpose(split, order),
        (dims[0] // product, *[s * b for s, b in zip(space, blocks, strict=True)], *rest),
    )
    key = [("s", None, None, None)]
    for (before, after), s, b in zip(cuts, space, blocks, strict=True):
        key.append(("s", before, s * b - after, None))
    return strided_slice_op(whole, key=tuple(key))


def space_to_batch(input, block_shape=None, paddings=None, name=None, block_size=None):
    """Blocks of space, after padding, moved into the batch.

    Args:
        input: Tensor [batch, *space, ...].
        block_shape: Size of the blocks along each axis of space.
        paddings: For each axis of space a pair: how many zeros before and after.
        name: Accepted for TensorFlow's sake.
        block_size: TensorFlow 1's: one size for height and width.

    Returns:
        Tensor [batch * product of block_shape, *padded space / block_shape, ...].

    >>> space_to_batch([[[1], [2], [3], [4]]], [2], [[0, 0]]).shape
    TensorShape([2, 2, 1])
    """
    if block_size is not None or np.ndim(coerce.plain(block_shape)) == 0:
        size = int(block_shape if block_size is None else block_size)
        block_shape = (size, size)
    return space_to_batch_nd(input, block_shape, paddings)


def batch_to_space(input, block_shape=None, crops=None, name=None, block_size=None):
    """What `space_to_batch` moved into the batch, back in space, and cropped.

    Args:
        input: Tensor [batch, *space, ...].
        block_shape: Size of the blocks along each axis of space.
        crops: For each axis of space a pair: how many elements to cut off before and after.
        name: Accepted for TensorFlow's sake.
        block_size: TensorFlow 1's: one size for height and width.

    Returns:
        Tensor [batch / product of block_shape, *space * block_shape - crops, ...].

    >>> batch_to_space([[[1], [3]], [[2], [4]]], [2], [[0, 0]]).shape
    TensorShape([1, 4, 1])
    """
    if block_size is not None or np.ndim(coerce.plain(block_shape)) == 0:
        size = int(block_shape if block_size is None else block_size)
        block_shape = (size, size)
    return batch_to_space_nd(input, block_shape, crops)


def required_space_to_batch_paddings(input_shape, block_shape, base_paddings=None, name=None):
    """Paddings that make a shape a multiple of blocks, and the crops that undo them.

    Args:
        input_shape: Sizes of space.
        block_shape: Sizes of the blocks.
        base_paddings: Pairs of paddings that are wanted at least, or None.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tuple (paddings, crops) of int32 tensors [n, 2].

    >>> [t.numpy().tolist() for t in required_space_to_batch_paddings([5], [2])]
    [[[0, 1]], [[0, 1]]]
    """
    sizes = np.asarray(coerce.plain(input_shape)).astype(np.int64).reshape(-1)
    blocks = np.asarray(coerce.plain(block_shape)).astype(np.int64).reshape(-1)
    if base_paddings is None:
        base = np.zeros((len(sizes), 2), np.int64)
    else:
        base = np.asarray(coerce.plain(base_paddings)).astype(np.int64)
    extra = (-(sizes + base.sum(axis=1))) % blocks
    paddings = np.stack([base[:, 0], base[:, 1] + extra], axis=1)
    crops = np.stack([np.zeros_like(extra), extra], axis=1)
    return constant(paddings.astype(np.int32)), constant(crops.astype(np.int32))


def _channels_last(x, data_format, name):
    if data_format == "NHWC":
        return convert(x), False
    if data_format == "NCHW":
        return transpose(x, (0, 2, 3, 1)), True
    raise ValueError(f"{name}: data_format must be 'NHWC' or 'NCHW', got {data_format!r}.")


def space_to_depth(input, block_size, data_format="NHWC", name=None):
    """Blocks of height and width moved into the channels.

    Args:
        input: Tensor [batch, height, width, channels].
        block_size: Size of the blocks, 2 at least.
        data_format: "NHWC" (default) or "NCHW".
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [batch, height / block_size, width / block_size, channels * block_size ** 2].

    Raises:
        InvalidArgumentError: If height or width is no multiple of the block size.

    >>> space_to_depth([[[[1], [2]], [[3], [4]]]], 2).numpy().tolist()
    [[[[1, 2, 3, 4]]]]
    """
    x, turned = _channels_last(input, data_format, "space_to_depth")
    b = coerce.as_int(block_size, "space_to_depth", "block_size")
    n, h, w, c = shape_of(x)
    if isinstance(h, int) and isinstance(w, int) and (h % b or w % b):
        raise errors.shape_error(
            "SpaceToDepth", f"height {h} and width {w} must be multiples of block_size {b}."
        )
    split = transpose(reshape(x, (n, h // b, b, w // b, b, c)), (0, 1, 3, 2, 4, 5))
    made = reshape(split, (n, h // b, w // b, b * b * c))
    return transpose(made, (0, 3, 1, 2)) if turned else made


def depth_to_space(input, block_size, data_format="NHWC", name=None):
    """Channels moved into blocks of height and width.

    Args:
        input: Tensor [batch, height, width, channels].
        block_size: Size of the blocks, 2 at least.
        data_format: "NHWC" (default) or "NCHW".
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [batch, height * block_size, width * block_size, channels / block_size ** 2].

    Raises:
        InvalidArgumentError: If the channels are no multiple of the squared block size.

    >>> depth_to_space([[[[1, 2, 3, 4]]]], 2).numpy().tolist()
    [[[[1], [2]], [[3], [4]]]]
    """
    x, turned = _channels_last(input, data_format, "depth_to_space")
    b = coerce.as_int(block_size, "depth_to_space", "block_size")
    n, h, w, c = shape_of(x)
    if isinstance(c, int) and c % (b * b):
        raise errors.shape_error(
            "DepthToSpace", f"depth {c} must be a multiple of block_size squared, {b * b}."
        )
    split = transpose(reshape(x, (n, h, w, b, b, c // (b * b))), (0, 1, 3, 2, 4, 5))
    made = reshape(split, (n, h * b, w * b, c // (b * b)))
    return transpose(made, (0, 3, 1, 2)) if turned else made


@movement(label="ExtractVolumePatches")
def extract_volume_patches_op(xp, input, *, ksizes: Ints, strides: Ints, padding: str):
    """Patches of volumes laid out in the channels.

    Args:
        input: Tensor [batch, planes, rows, columns, channels].
        ksizes: Size of a patch along each of the five axes.
        strides: Steps along each of the five axes.
        padding: "SAME" or "VALID".

    Returns:
        Tensor [batch, planes', rows', columns', size of a patch * channels].

    >>> extract_volume_patches_op([[[[[1.0]]]]], ksizes=(1, 1, 1, 1, 1), strides=(1, 1, 1, 1, 1), padding="VALID").shape
    TensorShape([1, 1, 1, 1, 1])
    """
    sizes, steps = ksizes[1:4], strides[1:4]
    pads = [(0, 0)]
    for d, k, s in zip(input.shape[1:4], sizes, steps, strict=True):
        total = max((-(-d // s) - 1) * s + k - d, 0) if padding.upper() == "SAME" else 0
        pads.append((total // 2, total - total // 2))
    padded = np.pad(input, [*pads, (0, 0)])
    windows = np.lib.stride_tricks.sliding_window_view(padded, sizes, axis=(1, 2, 3))
    windows = windows[:, :: steps[0], :: steps[1], :: steps[2]]
    moved = np.moveaxis(windows, 4, -1)
    return moved.reshape(*moved.shape[:4], -1)


@extract_volume_patches_op.vjp
def extract_volume_patches_vjp(dy, _y, _x, *, ksizes, strides, padding):
    return volume_patches_gradient(
        dy, shape=shape_of(_x), ksizes=ksizes, strides=strides, padding=padding
    )


@movement
def volume_patches_gradient(xp, dy, *, shape: Shape, ksizes: Ints, strides: Ints, padding: str):
    """What goes back through `extract_volume_patches`: each element is added where it came from.

    Args:
        dy: Gradient of the patches.
        shape: Shape of the volumes.
        ksizes: Size of a patch along each of the five axes.
        strides: Steps along each of the five axes.
        padding: "SAME" or "VALID".

    Returns:
        Tensor of shape `shape`.

    >>> ones = (1, 1, 1, 1, 1)
    >>> volume_patches_gradient([[[[[2.0]]]]], shape=ones, ksizes=ones, strides=ones, padding="VALID").numpy().item()
    2.0
    """
    count = int(np.prod(shape, dtype=np.int64))
    # Each element of the patches is one element of the volumes, or padding (0).
    source = np.arange(1, count + 1, dtype=np.float64).reshape(shape)
    forward = extract_volume_patches_op.forward
    places = forward(np, source, ksizes=ksizes, strides=strides, padding=padding)
    out = np.zeros(count + 1, dy.dtype)
    np.add.at(out, places.reshape(-1).astype(np.int64), np.ascontiguousarray(dy).reshape(-1))
    return out[1:].reshape(shape)


@volume_patches_gradient.vjp
def volume_patches_gradient_vjp(ddx, _dx, _dy, *, shape, ksizes, strides, padding):
    return extract_volume_patches_op(ddx, ksizes=ksizes, strides=strides, padding=padding)


@volume_patches_gradient.samples
def volume_patches_gradient_samples(rng):
    attrs = {"ksizes": (1, 2, 2, 1, 1), "strides": (1, 1, 2, 1, 1), "padding": "VALID"}
    yield (rng.normal(size=(1, 2, 2, 2, 8)),), {"shape": (1, 3, 4, 2, 2), **attrs}


@extract_volume_patches_op.samples
def extract_volume_patches_samples(rng):
    attrs = {"ksizes": (1, 2, 2, 1, 1), "strides": (1, 1, 2, 1, 1)}
    yield (rng.normal(size=(1, 3, 4, 2, 2)),), {**attrs, "padding": "VALID"}
    yield (rng.normal(size=(1, 3, 4, 2, 2)),), {**attrs, "padding": "SAME"}


def extract_volume_patches(input, ksizes, strides, padding, name=None):
    """Patches of volumes laid out in the channels.

    Args:
        input: Tensor [batch, planes, rows, columns, channels].
        ksizes: Size of a patch along each of the five axes.
        strides: Steps along each of the five axes.
        padding: "SAME" or "VALID".
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [batch, planes', rows', columns', size of a patch * channels].

    >>> extract_volume_patches([[[[[1.0]]]]], [1] * 5, [1] * 5, "VALID").shape
    TensorShape([1, 1, 1, 1, 1])
    """
    return extract_volume_patches_op(input, ksizes=ksizes, strides=strides, padding=padding)
