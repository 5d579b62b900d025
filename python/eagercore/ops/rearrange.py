"""Movement beyond the basics: turning, rolling, repeating, bits and shapes."""

from __future__ import annotations

import numpy as np

from ..base import dtypes, errors
from ..base.shapes import TensorSpec, as_shape, broadcast_shapes
from ..core import coerce
from ..core.coerce import DType, Ints
from ..core.op import movement, op
from ..core.tensor import convert
from .arithmetic import maximum
from .create import cast, constant, identity, shape_of
from .index import _whole
from .shape import check_axis, reshape, stack


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
