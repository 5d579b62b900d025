"""Partitions and scattering: elements are sorted into several tensors, put together again, or written at places."""

from __future__ import annotations

import numpy as np

from ..base import errors
from ..base.shapes import TensorSpec
from ..core import coerce
from ..core.op import movement, op
from ..core.tensor import Tensor, convert
from .create import cast, constant, shape_of, zeros_like
from .index import _whole, gather_op, scatter_nd_op
from .select import true_positions
from .shape import reshape


@op(free=("indices",), label="TensorScatterUpdate")
def tensor_scatter_nd_update(xp, tensor, indices, updates):
    """A copy of `tensor` with other elements or slices at the index vectors `indices`.

    Args:
        tensor: Tensor.
        indices: Integer tensor [..., n], 0-based.
        updates: Tensor of shape `indices.shape[:-1] + tensor.shape[n:]`.

    Returns:
        Tensor of the shape of `tensor`; of several updates at one place the last counts.

    Raises:
        InvalidArgumentError: If an index is out of range, or the shapes do not fit.

    >>> tensor_scatter_nd_update([1, 2, 3], [[0], [2]], [7, 9]).numpy()
    array([7, 2, 9], dtype=int32)
    """
    places = _places(tensor, indices, updates, "TensorScatterUpdate")
    out = np.array(tensor)
    out[places] = updates
    return out


def _places(tensor, indices, updates, name):
    n = indices.shape[-1]
    if n > tensor.ndim:
        raise errors.shape_error(
            name, f"indices have {n} entries, the tensor has {tensor.ndim} dimensions."
        )
    for axis in range(n):
        column = indices[..., axis]
        if column.size and (column.min() < 0 or column.max() >= tensor.shape[axis]):
            bad = column[(column < 0) | (column >= tensor.shape[axis])].reshape(-1)[0]
            raise errors.index_error(
                name,
                f"index {bad} along axis {axis} is not in [0, {tensor.shape[axis]}): shape {list(tensor.shape)}.",
            )
    wanted = (*indices.shape[:-1], *tensor.shape[n:])
    if updates.shape != wanted:
        raise errors.shape_error(
            name, f"updates must have shape {list(wanted)}, got {list(updates.shape)}."
        )
    return tuple(np.moveaxis(indices, -1, 0))


@tensor_scatter_nd_update.vjp
def tensor_scatter_update_vjp(dy, _y, _tensor, indices, _updates, needs):
    from .index import gather_nd_op

    return (
        tensor_scatter_nd_update(dy, indices, zeros_like(_updates)) if needs[0] else None,
        None,
        gather_nd_op(dy, indices) if needs[2] else None,
    )


def _scatter_samples(rng):
    yield (rng.normal(size=(4, 2)), np.array([[0], [2]]), rng.normal(size=(2, 2))), {}
    yield (rng.normal(size=(3, 4)), np.array([[0, 1], [2, 3]]), rng.normal(size=(2,))), {}


def _scatter_rule(tensor, indices, updates):
    return tensor


@op(free=("indices",), kinds="iuf", label="TensorScatterMax")
def tensor_scatter_nd_max(xp, tensor, indices, updates):
    """A copy of `tensor` raised to `updates` at the index vectors `indices`.

    Args:
        tensor: Real tensor.
        indices: Integer tensor [..., n], 0-based.
        updates: Tensor of shape `indices.shape[:-1] + tensor.shape[n:]`.

    Returns:
        Tensor of the shape of `tensor`.

    >>> tensor_scatter_nd_max([1, 2, 3], [[0], [2]], [7, 1]).numpy()
    array([7, 2, 3], dtype=int32)
    """
    places = _places(tensor, indices, updates, "TensorScatterMax")
    out = np.array(tensor)
    np.maximum.at(out, places, updates)
    return out


@op(free=("indices",), kinds="iuf", label="TensorScatterMin")
def tensor_scatter_nd_min(xp, tensor, indices, updates):
    """A copy of `tensor` lowered to `updates` at the index vectors `indices`.

    Args:
        tensor: Real tensor.
        indices: Integer tensor [..., n], 0-based.
        updates: Tensor of shape `indices.shape[:-1] + tensor.shape[n:]`.

    Returns:
        Tensor of the shape of `tensor`.

    >>> tensor_scatter_nd_min([1, 2, 3], [[0], [2]], [7, 1]).numpy()
    array([1, 2, 1], dtype=int32)
    """
    places = _places(tensor, indices, updates, "TensorScatterMin")
    out = np.array(tensor)
    np.minimum.at(out, places, updates)
    return out


def _scatter_extreme_vjp(dy, y, tensor, indices, updates):
    """Where the tensor and updates tie, each gets an even share."""
    from .arithmetic import multiply, real_divide
    from .compare import equal
    from .index import gather_nd_op

    own = cast(equal(y, tensor), dy.dtype)
    new = cast(equal(gather_nd_op(y, indices), updates), dy.dtype)
    ties = own + scatter_nd_op(indices, new, shape=shape_of(tensor))
    share = real_divide(dy, ties)
    return multiply(own, share), None, multiply(new, gather_nd_op(share, indices))


tensor_scatter_nd_max.vjp(
    lambda dy, y, tensor, indices, updates: _scatter_extreme_vjp(dy, y, tensor, indices, updates)
)
tensor_scatter_nd_min.vjp(
    lambda dy, y, tensor, indices, updates: _scatter_extreme_vjp(dy, y, tensor, indices, updates)
)
for _op in (tensor_scatter_nd_update, tensor_scatter_nd_max, tensor_scatter_nd_min):
    _op.samples(_scatter_samples)
    _op.shape_rule(_scatter_rule)


def tensor_scatter_nd_add(tensor, indices, updates, name=None):
    """A copy of `tensor` to which `updates` are added at the index vectors `indices`.

    Args:
        tensor: Tensor of numbers.
        indices: Integer tensor [..., n], 0-based.
        updates: Tensor of shape `indices.shape[:-1] + tensor.shape[n:]`.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape of `tensor`; updates at the same place add up.

    >>> tensor_scatter_nd_add([1, 2, 3], [[0], [0]], [7, 9]).numpy()
    array([17,  2,  3], dtype=int32)
    """
    tensor = convert(tensor)
    updates = updates if isinstance(updates, Tensor) else convert(updates, tensor.dtype)
    return tensor + scatter_nd_op(_whole(indices), updates, shape=shape_of(tensor))


def tensor_scatter_nd_sub(tensor, indices, updates, name=None):
    """A copy of `tensor` from which `updates` are taken at the index vectors `indices`.

    Args:
        tensor: Tensor of numbers.
        indices: Integer tensor [..., n], 0-based.
        updates: Tensor of shape `indices.shape[:-1] + tensor.shape[n:]`.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape of `tensor`; updates at the same place add up.

    >>> tensor_scatter_nd_sub([1, 2, 3], [[0]], [7]).numpy()
    array([-6,  2,  3], dtype=int32)
    """
    tensor = convert(tensor)
    updates = updates if isinstance(updates, Tensor) else convert(updates, tensor.dtype)
    return tensor - scatter_nd_op(_whole(indices), updates, shape=shape_of(tensor))


def dynamic_partition(data, partitions, num_partitions, name=None):
    """The elements of `data` divided into groups.

    Args:
        data: Tensor.
        partitions: Integer tensor whose shape is the beginning of that of `data`: the group of each element.
        num_partitions: Number of groups.
        name: Accepted for TensorFlow's sake.

    Returns:
        List of `num_partitions` tensors.

    Raises:
        InvalidArgumentError: If a group is not in [0, num_partitions).

    >>> [t.numpy().tolist() for t in dynamic_partition([1, 2, 3], [0, 1, 0], 2)]
    [[1, 3], [2]]
    """
    data, partitions = convert(data), _whole(partitions)
    count = coerce.as_int(num_partitions, "dynamic_partition", "num_partitions")
    groups = partitions._array
    if groups is not None and groups.size and (groups.min() < 0 or groups.max() >= count):
        raise errors.index_error(
            "DynamicPartition", f"partitions must be in [0, {count}), got {groups.tolist()}."
        )
    lead = partitions.shape.rank
    if not data.shape[:lead].is_compatible_with(partitions.shape):
        raise errors.shape_error(
            "DynamicPartition",
            f"data.shape {data.shape} must start with partitions.shape {partitions.shape}.",
        )
    rest = shape_of(data)[lead:]
    flat, groups = reshape(data, (-1, *rest)), reshape(partitions, (-1,))
    return [
        gather_op(flat, reshape(true_positions(groups == constant(g, groups.dtype)), (-1,)), axis=0)
        for g in range(count)
    ]


def dynamic_stitch(indices, data, name=None):
    """Elements of several tensors put together at the positions that `indices` give.

    Args:
        indices: List of integer tensors.
        data: List of tensors; the shape of each begins with that of its indices.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [largest index + 1, ...]; of several elements for one position the last counts, positions that
        no index names are 0.

    >>> dynamic_stitch([[0, 2], [1]], [[10, 30], [20]]).numpy()
    array([10, 20, 30], dtype=int32)
    """
    from .shape import concat

    places = [_whole(i) for i in indices]
    parts = [convert(d) for d in data]
    rests = [shape_of(d)[i.shape.rank :] for i, d in zip(places, parts, strict=True)]
    flat = concat([reshape(d, (-1, *r)) for d, r in zip(parts, rests, strict=True)], axis=0)
    return stitch_op(concat([reshape(i, (-1,)) for i in places], axis=0), flat)


@movement(free=("indices",), label="DynamicStitch", data_dependent=True)
def stitch_op(xp, indices, data):
    """Rows at given positions; of several rows for one position the last counts.

    Args:
        indices: Integer tensor [n].
        data: Tensor [n, ...].

    Returns:
        Tensor [largest index + 1, ...].

    >>> stitch_op([2, 0], [5, 6]).numpy()
    array([6, 0, 5], dtype=int32)
    """
    size = int(indices.max()) + 1 if indices.size else 0
    out = np.zeros((size, *data.shape[1:]), data.dtype)
    out[indices] = data
    return out


@stitch_op.vjp
def stitch_vjp(dy, _y, indices, _data):
    from .segment import unsorted_segment_max

    # Only the last row for a position was kept.
    order = range_like(indices)
    last = unsorted_segment_max(order, indices, num_segments=shape_of(dy)[0])
    kept = cast(gather_op(last, indices, axis=0) == order, dy.dtype)
    picked = gather_op(dy, indices, axis=0)
    return None, picked * reshape(kept, (-1, *[1] * (picked.shape.rank - 1)))


def range_like(x):
    """0, 1, 2 ... as many as `x` has elements."""
    from .create import range_

    return range_(constant(0), shape_of(x)[0], constant(1))


@stitch_op.shape_rule
def stitch_rule(indices, data):
    return TensorSpec(None if data.shape.rank is None else [None, *data.shape[1:]], data.dtype)


@stitch_op.samples
def stitch_samples(rng):
    yield (np.array([2, 0, 2]), rng.normal(size=(3, 2))), {}
