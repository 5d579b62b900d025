"""Movement beyond the basics: turning, rolling, repeating, blocks of space, patches."""

from __future__ import annotations

import numpy as np

from ..base import dtypes, errors
from ..base.shapes import TensorSpec, as_shape, broadcast_shapes
from ..core import coerce
from ..core.coerce import DType, Ints, Shape
from ..core.op import movement, op
from ..core.tensor import convert
from .arithmetic import maximum
from .create import cast, constant, identity, shape_of
from .index import _whole
from .shape import check_axis, pad, reshape, stack, strided_slice_op, transpose


@movement(label="ReverseV2", aliases={"dims": "axis"})
def reverse(xp, tensor, *, axis: Ints):
    """The elements in the opposite order along some axes.

    Args:
        tensor: Tensor.
        axis: Axes, 0-based.

    Returns:
        Tensor of the same shape and dtype.

    >>> reverse([1, 2, 3], [0]).numpy()
    array([3, 2, 1], dtype=int32)
    """
    for a in axis:
        check_axis(tensor.ndim, a, "ReverseV2")
    return xp.flip(tensor, axis)


@reverse.vjp
def reverse_vjp(dy, _y, _x, *, axis):
    return reverse(dy, axis=axis)


@reverse.samples
def reverse_samples(rng):
    yield (rng.normal(size=(2, 3)),), {"axis": (1,)}
    yield (rng.normal(size=(2, 3)),), {"axis": (0, -1)}


@movement(label="Roll")
def roll(xp, input, *, shift: Ints, axis: Ints):
    """The elements moved along axes; what falls off one end comes in at the other.

    Args:
        input: Tensor.
        shift: By how much, for each axis.
        axis: Axes, 0-based.

    Returns:
        Tensor of the same shape and dtype.

    >>> roll([1, 2, 3], 1, 0).numpy()
    array([3, 1, 2], dtype=int32)
    """
    return xp.roll(input, shift, axis=axis)


@roll.vjp
def roll_vjp(dy, _y, _x, *, shift, axis):
    return roll(dy, shift=tuple(-s for s in shift), axis=axis)


@roll.samples
def roll_samples(rng):
    yield (rng.normal(size=(2, 3)),), {"shift": (1,), "axis": (1,)}
    yield (rng.normal(size=(2, 3)),), {"shift": (1, -2), "axis": (0, 1)}


@movement(free=("seq_lengths",), label="ReverseSequence")
def reverse_sequence_op(xp, input, seq_lengths, *, seq_axis: int, batch_axis: int = 0):
    """Each example's first `seq_lengths` elements in the opposite order, the rest as they are.

    Args:
        input: Tensor.
        seq_lengths: Integer tensor [batch].
        seq_axis: Axis along which to reverse.
        batch_axis: Axis of the examples. Default 0.

    Returns:
        Tensor of the same shape and dtype.

    >>> reverse_sequence_op([[1, 2, 3]], [2], seq_axis=1).numpy()
    array([[2, 1, 3]], dtype=int32)
    """
    size = input.shape[seq_axis]
    if seq_lengths.size and (seq_lengths.min() < 0 or seq_lengths.max() > size):
        raise errors.value_error(
            "ReverseSequence", f"seq_lens must be between 0 and {size}, got {seq_lengths.tolist()}."
        )
    steps = np.arange(size)
    lengths = seq_lengths[:, None]
    order = np.where(steps < lengths, lengths - 1 - steps, steps)
    moved = np.moveaxis(input, (batch_axis, seq_axis), (0, 1))
    picked = moved[np.arange(len(moved))[:, None], order]
    return np.moveaxis(picked, (0, 1), (batch_axis, seq_axis))


@reverse_sequence_op.vjp
def reverse_sequence_vjp(dy, _y, _x, lengths, *, seq_axis, batch_axis):
    return reverse_sequence_op(dy, lengths, seq_axis=seq_axis, batch_axis=batch_axis), None


@reverse_sequence_op.shape_rule
def reverse_sequence_rule(input, seq_lengths, *, seq_axis, batch_axis):
    return input


@reverse_sequence_op.samples
def reverse_sequence_samples(rng):
    yield (rng.normal(size=(2, 4, 2)), np.array([3, 1])), {"seq_axis": 1}
    yield (rng.normal(size=(4, 2)), np.array([3, 0])), {"seq_axis": 0, "batch_axis": 1}


def reverse_sequence(
    input, seq_lengths, seq_axis=None, batch_axis=None, name=None, seq_dim=None, batch_dim=None
):
    """Each example's first `seq_lengths` elements in the opposite order, the rest as they are.

    Args:
        input: Tensor.
        seq_lengths: Integer tensor [batch].
        seq_axis: Axis along which to reverse.
        batch_axis: Axis of the examples. Default 0.
        name: Accepted for TensorFlow's sake.
        seq_dim: TensorFlow 1's name of `seq_axis`.
        batch_dim: TensorFlow 1's name of `batch_axis`.

    Returns:
        Tensor of the same shape and dtype.

    Raises:
        InvalidArgumentError: If a length is larger than the axis.

    >>> reverse_sequence([[1, 2, 3]], [2], seq_axis=1).numpy()
    array([[2, 1, 3]], dtype=int32)
    """
    input = convert(input)
    seq = seq_dim if seq_axis is None else seq_axis
    batch = batch_dim if batch_axis is None else batch_axis
    if seq is None:
        raise ValueError("reverse_sequence needs seq_axis.")
    rank = input.shape.rank
    return reverse_sequence_op(
        input,
        _whole(seq_lengths),
        seq_axis=check_axis(rank, int(seq), "ReverseSequence"),
        batch_axis=check_axis(rank, int(batch or 0), "ReverseSequence"),
    )


@movement(free=("repeats",), data_dependent=True)
def repeat_op(xp, input, repeats, *, axis: int):
    """Each element repeated along an axis.

    Args:
        input: Tensor.
        repeats: Integer tensor [n]: how often each element along the axis is repeated, or [] for all.
        axis: Axis, 0-based.

    Returns:
        Tensor of the dtype of `input`.

    >>> repeat_op([1, 2], [2, 3], axis=0).numpy()
    array([1, 1, 2, 2, 2], dtype=int32)
    """
    size = input.shape[axis]
    if repeats.size != 1 and repeats.shape != (size,):
        raise errors.shape_error(
            "Repeat",
            f"repeats has {repeats.size} entries, but axis {axis} of shape {list(input.shape)} has size {size}.",
        )
    counts = repeats.reshape(-1).astype(np.int64)
    return xp.repeat(input, counts if counts.size != 1 else int(counts[0]), axis=axis)


@repeat_op.vjp
def repeat_vjp(dy, _y, _input, repeats, *, axis):
    return repeat_gradient(dy, repeats, size=shape_of(_input)[axis], axis=axis), None


@repeat_op.shape_rule
def repeat_rule(input, repeats, *, axis):
    if input.shape.rank is None:
        return TensorSpec(None, input.dtype)
    return TensorSpec([None if i == axis else d for i, d in enumerate(input.shape)], input.dtype)


@repeat_op.samples
def repeat_samples(rng):
    yield (rng.normal(size=(2, 3)), np.array([1, 0, 2])), {"axis": 1}
    yield (rng.normal(size=(2, 3)), np.array(2)), {"axis": 0}


@movement(free=("repeats",))
def repeat_gradient(xp, dy, repeats, *, size: int, axis: int):
    """What goes back through `repeat`: the sum over each element's repetitions.

    Args:
        dy: Gradient of the repeated tensor.
        repeats: Integer tensor [size], or [].
        size: Size of the axis before.
        axis: Axis, 0-based.

    Returns:
        Tensor.

    >>> repeat_gradient([1.0, 2.0, 3.0], [1, 2], size=2, axis=0).numpy()
    array([1., 5.], dtype=float32)
    """
    from ..core.slices import segment_sum

    counts = np.broadcast_to(repeats.reshape(-1), (size,))
    moved = np.moveaxis(dy, axis, 0)
    return np.moveaxis(segment_sum(moved, np.repeat(np.arange(size), counts), size), 0, axis)


@repeat_gradient.vjp
def repeat_gradient_vjp(ddx, _dx, _dy, repeats, *, size, axis):
    return repeat_op(ddx, repeats, axis=axis), None


@repeat_gradient.shape_rule
def repeat_gradient_rule(dy, repeats, *, size, axis):
    if dy.shape.rank is None:
        return TensorSpec(None, dy.dtype)
    length = size if isinstance(size, int) else None
    return TensorSpec([length if i == axis else d for i, d in enumerate(dy.shape)], dy.dtype)


@repeat_gradient.samples
def repeat_gradient_samples(rng):
    yield (rng.normal(size=(2, 3)), np.array([2, 0, 1])), {"size": 3, "axis": 1}


def repeat(input, repeats, axis=None, name=None):
    """Each element repeated along an axis.

    Args:
        input: Tensor.
        repeats: How often: one whole number, or one for each element along the axis.
        axis: Axis, 0-based; default: the tensor is flattened first.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the dtype of `input`.

    Raises:
        InvalidArgumentError: If there is not one count for each element.

    >>> repeat([1, 2], repeats=[2, 3]).numpy()
    array([1, 1, 2, 2, 2], dtype=int32)
    """
    input = convert(input)
    if axis is None or input.shape.rank == 0:
        input, axis = reshape(input, (-1,)), 0
    axis = check_axis(input.shape.rank, coerce.as_int(axis, "repeat", "axis"), "Repeat")
    return repeat_op(input, _whole(repeats), axis=axis)


def meshgrid(*args, **kwargs):
    """Grids of coordinates: for n vectors, n tensors of rank n.

    Args:
        *args: Tensors of rank 1 (or 0).
        **kwargs: `indexing`: "xy" (default: the first two axes are exchanged) or "ij"; `name`.

    Returns:
        List of tensors.

    Raises:
        ValueError: If the indexing is unknown.

    >>> [g.numpy().tolist() for g in meshgrid([1, 2], [3])]
    [[[1, 2]], [[3, 3]]]
    """
    indexing = kwargs.pop("indexing", "xy")
    kwargs.pop("name", None)
    if kwargs:
        raise TypeError(f"'{next(iter(kwargs))}' is an invalid keyword argument for this function")
    if indexing not in ("xy", "ij"):
        raise ValueError(
            f"Argument `indexing` parameter must be either 'xy' or 'ij', got '{indexing}'"
        )
    from .sum_to import broadcast_to

    flat = [reshape(convert(a), (-1,)) for a in args]
    count = len(flat)
    sizes = [shape_of(f)[0] for f in flat]
    swap = indexing == "xy" and count > 1
    order = [1, 0, *range(2, count)] if swap else list(range(count))
    full = tuple(sizes[order[i]] for i in range(count))
    grids = []
    for i, f in enumerate(flat):
        dims = [1] * count
        dims[order.index(i)] = sizes[i]
        grids.append(broadcast_to(reshape(f, tuple(dims)), shape=full))
    return grids


def sequence_mask(lengths, maxlen=None, dtype=dtypes.bool_, name=None):
    """For each length a row that is true that many times.

    Args:
        lengths: Integer tensor.
        maxlen: Length of the rows; default the largest length.
        dtype: Type of the result. Default bool.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of shape `lengths.shape + [maxlen]`.

    >>> sequence_mask([1, 3]).numpy()
    array([[ True, False, False],
           [ True,  True,  True]])
    """
    from .create import range_
    from .reduce import reduce_max
    from .shape import expand_dims

    lengths = _whole(lengths)
    if maxlen is None:
        maxlen = constant(0, lengths.dtype)
        if lengths.shape.num_elements() != 0:
            maxlen = maximum(maxlen, reduce_max(lengths))
    else:
        maxlen = cast(convert(maxlen), lengths.dtype)
        if maxlen.shape.rank not in (0, None):
            raise ValueError(
                f"Argument `maxlen` must be scalar for sequence_mask, got shape {maxlen.shape}."
            )
    steps = range_(constant(0, lengths.dtype), maxlen, constant(1, lengths.dtype))
    mask = steps < expand_dims(lengths, -1)
    return mask if dtypes.as_dtype(dtype) == dtypes.bool_ else cast(mask, dtype)


# ---------------------------------------------------------------------------------------------------- blocks of space


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


# ----------------------------------------------------------------------------------------------------- indices and bits


def parallel_stack(values, name="parallel_stack"):
    """Tensors of one shape side by side along a new first axis.

    Args:
        values: List of tensors of one shape and dtype.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of one rank more.

    >>> parallel_stack([[1, 2], [3, 4]]).shape
    TensorShape([2, 2])
    """
    return stack(values, axis=0)


@op(differentiable=False, kinds="iu", label="UnravelIndex", free=("dims",))
def unravel_index(xp, indices, dims):
    """Positions in a flat tensor as index vectors.

    Args:
        indices: Integer tensor [] or [n].
        dims: Integer tensor [rank]: the shape.

    Returns:
        Tensor [rank] or [rank, n].

    Raises:
        InvalidArgumentError: If an index is out of range.

    >>> unravel_index([3], [2, 2]).numpy()
    array([[1],
           [1]], dtype=int32)
    """
    total = int(np.prod(dims))
    if indices.size and (indices.min() < 0 or indices.max() >= total):
        raise errors.index_error(
            "UnravelIndex", f"index is out of bound as with dims {dims.tolist()}."
        )
    return np.stack(np.unravel_index(indices, tuple(int(d) for d in dims))).astype(indices.dtype)


@unravel_index.shape_rule
def unravel_index_rule(indices, dims):
    return TensorSpec(
        [dims.shape[0] if dims.shape.rank == 1 else None, *indices.shape]
        if indices.shape.rank is not None
        else None,
        indices.dtype,
    )


@unravel_index.samples
def unravel_index_samples(rng):
    yield (np.array([3, 5], np.int32), np.array([2, 3], np.int32)), {}


@op(differentiable=False, label="Bitcast", single="reads bits")
def bitcast_op(xp, input, *, type: DType):
    """The same bits read as another type.

    Args:
        input: Tensor of numbers.
        type: Type of the result.

    Returns:
        Tensor; a smaller type adds a last axis, a larger one takes it away.

    >>> bitcast_op([1.0], type="int32").numpy()
    array([1065353216], dtype=int32)
    """
    kind = type._numpy()
    array = np.ascontiguousarray(input)
    old, new = array.dtype.itemsize, kind.itemsize
    if old == new:
        return array.view(kind).reshape(input.shape)
    if old > new:
        return array.reshape(*array.shape, 1).view(kind)
    if not array.ndim or array.shape[-1] * old != new:
        raise errors.shape_error(
            "Bitcast", f"the last axis of shape {list(array.shape)} must have size {new // old}."
        )
    return array.view(kind).reshape(array.shape[:-1])


@bitcast_op.samples
def bitcast_samples(rng):
    yield (rng.normal(size=(2, 3)),), {"type": dtypes.int64}
    yield (rng.normal(size=(2, 3)),), {"type": dtypes.int32}
    yield (np.zeros((2, 2), np.int32),), {"type": dtypes.float64}


def bitcast(input, type, name=None):
    """The same bits read as another type.

    Args:
        input: Tensor of numbers.
        type: Type of the result.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor; a smaller type adds a last axis, a larger one takes it away.

    Raises:
        InvalidArgumentError: If the last axis does not fit a larger type.

    >>> bitcast([1.0], "int32").numpy()
    array([1065353216], dtype=int32)
    """
    return bitcast_op(input, type=type)


# ------------------------------------------------------------------------------------------------------------- shapes


def broadcast_static_shape(shape_x, shape_y):
    """The shape to which two shapes broadcast.

    Args:
        shape_x: `TensorShape`.
        shape_y: `TensorShape`.

    Returns:
        `TensorShape`.

    Raises:
        ValueError: If they do not broadcast.

    >>> broadcast_static_shape([1, 3], [2, 1])
    TensorShape([2, 3])
    """
    return broadcast_shapes(as_shape(shape_x), as_shape(shape_y))


def broadcast_dynamic_shape(shape_x, shape_y):
    """The shape to which two shapes broadcast, as a tensor.

    Args:
        shape_x: Integer tensor of rank 1.
        shape_y: Integer tensor of rank 1.

    Returns:
        int32 (or int64) tensor of rank 1.

    Raises:
        InvalidArgumentError: If they do not broadcast.

    >>> broadcast_dynamic_shape([1, 3], [2, 1]).numpy()
    array([2, 3], dtype=int32)
    """
    one, two = convert(shape_x), convert(shape_y)
    try:
        made = broadcast_shapes(
            as_shape(coerce.plain(one).tolist()), as_shape(coerce.plain(two).tolist())
        )
    except ValueError as error:
        raise errors.shape_error("BroadcastArgs", str(error)) from None
    return constant(np.array(made.as_list(), one.dtype._numpy()))


def shape_n(input, out_type=dtypes.int32, name=None):
    """Shapes of several tensors.

    Args:
        input: List of tensors.
        out_type: int32 (default) or int64.
        name: Accepted for TensorFlow's sake.

    Returns:
        List of tensors of rank 1.

    >>> [s.numpy().tolist() for s in shape_n([[1, 2], [[3]]])]
    [[2], [1, 1]]
    """
    from .shape import shape

    return [shape(x, out_type=out_type) for x in input]


def identity_n(input, name=None):
    """Several tensors as new tensors.

    Args:
        input: List of tensors.
        name: Accepted for TensorFlow's sake.

    Returns:
        List of tensors.

    >>> len(identity_n([1, 2]))
    2
    """
    return [identity(convert(x)) for x in input]


def guarantee_const(input, name=None):
    """The tensor itself.

    Args:
        input: Tensor.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor.

    >>> guarantee_const(1).numpy()
    np.int32(1)
    """
    return identity(convert(input))


def strided_slice(
    input_, begin, end, strides=None, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0,
    shrink_axis_mask=0, var=None, name=None,
):  # fmt: skip
    """A part of a tensor, by TensorFlow's masks (`tensor[...]` is the short way).

    Args:
        input_: Tensor.
        begin: First index of each axis.
        end: Index behind the last of each axis.
        strides: Steps. Default 1.
        begin_mask: Bit i: `begin[i]` is not read, the axis starts at its beginning.
        end_mask: Bit i: `end[i]` is not read, the axis goes to its end.
        ellipsis_mask: Bit i: entry i stands for all axes that are left.
        new_axis_mask: Bit i: entry i is a new axis.
        shrink_axis_mask: Bit i: entry i is one index, and its axis goes.
        var: Variable that is meant, or None.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor.

    >>> strided_slice([1, 2, 3, 4], [1], [4], [2]).numpy()
    array([2, 4], dtype=int32)
    """
    first = coerce.as_ints(begin, "strided_slice", "begin")
    last = coerce.as_ints(end, "strided_slice", "end")
    steps = coerce.as_ints(strides, "strided_slice", "strides") or (1,) * len(first)
    key: list = []
    for i, (b, e, s) in enumerate(zip(first, last, steps, strict=True)):
        bit = 1 << i
        if ellipsis_mask & bit:
            key.append("...")
        elif new_axis_mask & bit:
            key.append("new")
        elif shrink_axis_mask & bit:
            key.append(b)
        else:
            key.append(("s", None if begin_mask & bit else b, None if end_mask & bit else e, s))
    return strided_slice_op(convert(input_), key=tuple(key))


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


def batch_gather(params, indices, name=None):
    """Slices of each example at its own positions (TensorFlow 1).

    Args:
        params: Tensor [batch..., n, ...].
        indices: Integer tensor [batch..., m].
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [batch..., m, ...].

    >>> batch_gather([[1, 2], [3, 4]], [[1], [0]]).numpy()
    array([[2],
           [3]], dtype=int32)
    """
    from .index import gather

    indices = _whole(indices)
    return gather(params, indices, batch_dims=indices.shape.rank - 1)
