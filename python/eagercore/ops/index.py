"""Reading by position: gather, masks, one-hot."""

from __future__ import annotations

import numpy as np

from ..base import dtypes, errors
from ..base.shapes import TensorSpec
from ..core import coerce
from ..core.coerce import Axis, Shape
from ..core.op import movement, op
from ..core.slices import DENSIFY, IndexedSlices, segment_sum
from ..core.tensor import convert
from .create import cast, constant, shape_of
from .select import true_positions
from .shape import check_axis, reshape


@movement(label="GatherV2", free=("indices",))
def gather_op(xp, params, indices, *, axis: Axis = 0, batch_dims: int = 0):
    """Slices of `params` along an axis, at the positions `indices`.

    Args:
        params: Tensor.
        indices: Integer tensor.
        axis: Axis of `params`, 0-based.
        batch_dims: How many leading axes both share.

    Returns:
        Tensor of shape `params.shape[:axis] + indices.shape[batch_dims:] + params.shape[axis + 1:]`.

    >>> gather_op([10, 20, 30], [2, 0]).numpy()
    array([30, 10], dtype=int32)
    """
    if indices.dtype.kind not in "iu":
        raise errors.dtype_error(
            "GatherV2", f"indices must be int32 or int64, got {indices.dtype}."
        )
    axis = check_axis(params.ndim, axis, "GatherV2")
    size = params.shape[axis]
    if indices.size and (indices.min() < 0 or indices.max() >= size):
        bad = indices[(indices < 0) | (indices >= size)].reshape(-1)[0]
        where = np.argwhere((indices < 0) | (indices >= size))[0].tolist()
        raise errors.index_error("GatherV2", f"indices{where} = {bad} is not in [0, {size}).")
    if not batch_dims:
        return xp.take(params, indices, axis=axis)
    grids = np.meshgrid(*(np.arange(d) for d in indices.shape[:batch_dims]), indexing="ij")
    lead = tuple(g.reshape(g.shape + (1,) * (indices.ndim - batch_dims)) for g in grids)
    moved = np.moveaxis(params, axis, batch_dims)
    picked = moved[(*lead, indices)]
    # The positions stand where the axis stood: behind the axes between batch and axis.
    inner = indices.ndim - batch_dims
    between = axis - batch_dims
    order = list(range(batch_dims)) + list(range(batch_dims + inner, batch_dims + inner + between))
    order += list(range(batch_dims, batch_dims + inner)) + list(
        range(batch_dims + inner + between, picked.ndim)
    )
    return picked.transpose(order)


@gather_op.vjp
def gather_op_vjp(dy, _y, _params, indices, *, axis, batch_dims):
    shape = shape_of(_params)
    if axis == 0 and not batch_dims and isinstance(shape, tuple):
        rows = reshape(dy, shape=(-1, *shape[1:]))
        known = all(type(d) is int for d in shape)
        dense = constant(list(shape)) if known else convert(list(shape), dtypes.int32)
        return IndexedSlices(rows, reshape(indices, shape=(-1,)), dense), None
    return gather_gradient(dy, indices, shape=shape, axis=axis, batch_dims=batch_dims), None


@gather_op.samples
def gather_op_samples(rng):
    yield (rng.normal(size=(4, 3)), np.array([[0, 2], [2, 1]])), {"axis": 1}
    yield (rng.normal(size=(2, 4, 3)), np.array([[0, 2], [2, 1]])), {"axis": 1, "batch_dims": 1}
    yield (rng.normal(size=(4, 3)), np.array([3, 0, 3])), {}


@movement(free=("indices",))
def gather_gradient(xp, dy, indices, *, shape: Shape, axis: int, batch_dims: int):
    """What goes back through `gather`: each slice is added where it came from.

    Args:
        dy: Gradient of the gathered tensor.
        indices: Positions that were gathered.
        shape: Shape of the tensor that was gathered from.
        axis: Axis.
        batch_dims: How many leading axes both share.

    Returns:
        Tensor of shape `shape`.

    >>> gather_gradient([1.0, 2.0], [1, 1], shape=(3,), axis=0, batch_dims=0).numpy()
    array([0., 3., 0.], dtype=float32)
    """
    rank = len(shape)
    axis = axis % rank
    inner = indices.ndim - batch_dims
    # Axis first: [positions..., rest...] for each batch.
    order = (
        list(range(batch_dims)) + list(range(axis, axis + inner)) + list(range(batch_dims, axis))
    )
    order += list(range(axis + inner, dy.ndim))
    rows = dy.transpose(order)
    batch = int(np.prod(shape[:batch_dims], dtype=np.int64))
    rest = tuple(d for i, d in enumerate(shape) if i >= batch_dims and i != axis)
    flat = indices.reshape(batch, -1) + np.arange(batch)[:, None] * shape[axis]
    summed = segment_sum(rows.reshape(flat.size, *rest), flat.reshape(-1), batch * shape[axis])
    summed = summed.reshape(*shape[:batch_dims], shape[axis], *rest)
    return np.moveaxis(summed, batch_dims, axis)


@gather_gradient.vjp
def gather_gradient_vjp(ddx, _dx, _dy, indices, *, shape, axis, batch_dims):
    return gather_op(ddx, indices, axis=axis, batch_dims=batch_dims), None


@gather_gradient.samples
def gather_gradient_samples(rng):
    yield (rng.normal(size=(4, 2)), np.array([2, 0])), {"shape": (4, 3), "axis": 1, "batch_dims": 0}


def _densify(slices):
    """`IndexedSlices` as the dense tensor, by an op: rows of the same index add up."""
    wanted = slices.dense_shape
    known = not getattr(wanted, "_is_symbolic", False)
    shape = tuple(int(d) for d in wanted._read_array()) if known else wanted
    return gather_gradient(slices.values, slices.indices, shape=shape, axis=0, batch_dims=0)


DENSIFY.append(_densify)


def gather(params, indices, validate_indices=None, axis=None, batch_dims=0, name=None):
    """Slices of `params` along an axis, at the positions `indices`.

    Args:
        params: Tensor or variable.
        indices: Integer tensor, 0-based.
        validate_indices: Accepted for TensorFlow's sake: indices are always checked.
        axis: Axis of `params`; default `batch_dims`.
        batch_dims: How many leading axes `params` and `indices` share.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor. The gradient with respect to `params` is `IndexedSlices` when `axis` is 0.

    Raises:
        InvalidArgumentError: If an index is out of range (it is an IndexError too).

    >>> gather([10, 20, 30], [2, 0]).numpy()
    array([30, 10], dtype=int32)
    """
    indices = _whole(indices)
    if batch_dims < 0:
        batch_dims += indices.shape.rank
    return gather_op(
        params, indices, axis=batch_dims if axis is None else axis, batch_dims=batch_dims
    )


def _whole(indices):
    """Indices as an integer tensor: whole floats (an R vector, say) are good."""
    from ..core.tensor import Tensor

    if getattr(indices, "dtype", None) is dtypes.string:
        raise errors.dtype_error(None, "Indices are whole numbers, got a tensor of strings.")
    if isinstance(indices, Tensor) or hasattr(indices, "_read_array"):
        return convert(indices)
    made = convert(indices)
    if made.dtype.kind == "S":
        raise errors.dtype_error(None, f"Indices are whole numbers, got strings: {indices!r}.")
    if (
        made.dtype.kind == "f"
        and made._array is not None
        and (made._array == np.floor(made._array)).all()
    ):
        return cast(made, dtypes.int32)
    return made


@op(label="GatherNd", free=("indices",))
def gather_nd_op(xp, params, indices):
    """Elements or slices of `params` at the index vectors in the last axis of `indices`.

    Args:
        params: Tensor.
        indices: Integer tensor [..., n].

    Returns:
        Tensor of shape `indices.shape[:-1] + params.shape[n:]`.

    >>> gather_nd_op([[1, 2], [3, 4]], [[1, 0]]).numpy()
    array([3], dtype=int32)
    """
    n = indices.shape[-1]
    for axis in range(n):
        column = indices[..., axis]
        if column.size and (column.min() < 0 or column.max() >= params.shape[axis]):
            raise errors.index_error(
                "GatherNd",
                f"an index along axis {axis} is not in [0, {params.shape[axis]}): params has shape "
                f"{list(params.shape)}.",
            )
    return params[tuple(np.moveaxis(indices, -1, 0))]


@gather_nd_op.vjp
def gather_nd_op_vjp(dy, _y, _params, indices):
    return scatter_nd_op(indices, dy, shape=shape_of(_params)), None


@gather_nd_op.shape_rule
def gather_nd_rule(params, indices):
    known = params.shape.rank is not None and indices.shape.rank is not None
    if not known or indices.shape[-1] is None:
        return TensorSpec(None, params.dtype)
    return TensorSpec([*indices.shape[:-1], *params.shape[indices.shape[-1] :]], params.dtype)


@gather_nd_op.samples
def gather_nd_op_samples(rng):
    yield (rng.normal(size=(3, 4, 2)), np.array([[0, 1], [2, 3], [0, 1]])), {}


@op(label="ScatterNd", free=("indices",))
def scatter_nd_op(xp, indices, updates, *, shape: Shape):
    """Zeros of shape `shape` to which `updates` are added at the index vectors `indices`.

    Args:
        indices: Integer tensor [..., n].
        updates: Tensor of shape `indices.shape[:-1] + shape[n:]`.
        shape: Shape of the result.

    Returns:
        Tensor of shape `shape`; updates at the same place add up.

    >>> scatter_nd_op([[1], [1]], [5, 6], shape=(3,)).numpy()
    array([ 0, 11,  0], dtype=int32)
    """
    n = indices.shape[-1]
    for axis in range(n):
        column = indices[..., axis]
        if column.size and (column.min() < 0 or column.max() >= shape[axis]):
            raise errors.index_error(
                "ScatterNd", f"an index along axis {axis} is not in [0, {shape[axis]})."
            )
    rows = int(np.prod(shape[:n], dtype=np.int64))
    flat = np.zeros(indices.shape[:-1], np.int64)
    for axis in range(n):
        flat = flat * shape[axis] + indices[..., axis]
    flat = flat.reshape(-1)
    values = np.ascontiguousarray(updates).reshape(flat.size, *shape[n:])
    return segment_sum(values, flat, rows).reshape(shape)


@scatter_nd_op.vjp
def scatter_nd_op_vjp(dy, _y, indices, _updates, *, shape):
    return None, gather_nd_op(dy, indices)


@scatter_nd_op.shape_rule
def scatter_nd_rule(indices, updates, *, shape):
    if isinstance(shape, tuple | list):
        return TensorSpec([None if coerce.is_symbolic(d) else d for d in shape], updates.dtype)
    count = shape.shape[0] if shape.shape.rank == 1 else None
    return TensorSpec(None if count is None else [None] * count, updates.dtype)


@scatter_nd_op.samples
def scatter_nd_op_samples(rng):
    yield (np.array([[0, 1], [2, 3], [0, 1]]), rng.normal(size=(3, 2))), {"shape": (3, 4, 2)}


def gather_nd(params, indices, name=None, batch_dims=0):
    """Elements or slices of `params` at the index vectors in the last axis of `indices`.

    Args:
        params: Tensor.
        indices: Integer tensor [..., n], 0-based.
        name: Accepted for TensorFlow's sake.
        batch_dims: How many leading axes both share.

    Returns:
        Tensor of shape `indices.shape[:-1] + params.shape[n:]` (with `batch_dims` 0).

    Raises:
        InvalidArgumentError: If an index is out of range.

    >>> gather_nd([[1, 2], [3, 4]], [[1, 0]]).numpy()
    array([3], dtype=int32)
    """
    indices = _whole(indices)
    if not batch_dims:
        return gather_nd_op(params, indices)
    lead = indices.shape.as_list()[:batch_dims]
    grids = np.stack(np.meshgrid(*(np.arange(d) for d in lead), indexing="ij"), axis=-1)
    middle = indices.shape.as_list()[batch_dims:-1]
    grids = np.broadcast_to(
        grids.reshape(*lead, *[1] * len(middle), batch_dims), (*lead, *middle, batch_dims)
    ).astype(indices.dtype._numpy())
    from .shape import concat

    return gather_nd_op(params, concat([constant(np.array(grids)), indices], axis=-1))


def scatter_nd(indices, updates, shape, name=None):
    """Zeros of shape `shape` to which `updates` are added at the index vectors `indices`.

    Args:
        indices: Integer tensor [..., n], 0-based.
        updates: Tensor of shape `indices.shape[:-1] + shape[n:]`.
        shape: Shape of the result.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor; updates at the same place add up.

    >>> scatter_nd([[1], [1]], [5, 6], [3]).numpy()
    array([ 0, 11,  0], dtype=int32)
    """
    return scatter_nd_op(_whole(indices), updates, shape=shape)


def boolean_mask(tensor, mask, name="boolean_mask", axis=None):
    """The elements (or slices) of `tensor` where `mask` is true.

    Args:
        tensor: Tensor.
        mask: Boolean tensor whose shape is that of the axes of `tensor` from `axis` on.
        name: Accepted for TensorFlow's sake.
        axis: First axis that the mask covers. Default 0.

    Returns:
        Tensor in which the masked axes became one.

    Raises:
        ValueError: If the mask's shape does not fit.

    >>> boolean_mask([1, 2, 3], [True, False, True]).numpy()
    array([1, 3], dtype=int32)
    """
    tensor, mask = convert(tensor), convert(mask)
    axis = 0 if axis is None else int(axis)
    count = mask.shape.rank
    if not count:
        raise ValueError("mask cannot be scalar.")
    lead = tensor.shape[axis : axis + count]
    if not lead.is_compatible_with(mask.shape):
        raise ValueError(
            f"Shapes {lead} and {mask.shape} are incompatible: the mask must cover axes {axis} on."
        )
    dims = shape_of(tensor)
    flat = reshape(tensor, shape=(*dims[:axis], -1, *dims[axis + count :]))
    positions = reshape(true_positions(reshape(mask, shape=(-1,))), shape=(-1,))
    return gather_op(flat, positions, axis=axis)


@op(label="OneHot", free=("indices",), constant=("on_value", "off_value"))
def one_hot_op(xp, indices, on_value, off_value, *, depth: int, axis: int = -1):
    """`on_value` at the positions that `indices` name along a new axis, else `off_value`.

    Args:
        indices: Integer tensor.
        on_value: Scalar.
        off_value: Scalar.
        depth: Size of the new axis.
        axis: Where the new axis stands.

    Returns:
        Tensor of one rank more than `indices`.

    >>> one_hot_op([1, 0], 1.0, 0.0, depth=2).numpy()
    array([[0., 1.],
           [1., 0.]], dtype=float32)
    """
    if depth < 0:
        raise errors.value_error("OneHot", f"depth must be non-negative, got: {depth}")
    hit = xp.expand_dims(indices, -1) == xp.arange(depth, dtype=indices.dtype)
    out = xp.where(hit, on_value, off_value).astype(on_value.dtype)
    return out if axis in (-1, indices.ndim) else xp.moveaxis(out, -1, axis)


@one_hot_op.vjp
def one_hot_op_vjp(dy, _y, _indices, _on, _off, *, depth, axis):
    return None, None, None


@one_hot_op.samples
def one_hot_op_samples(rng):
    yield (np.array([0, 2]), np.float64(1), np.float64(0)), {"depth": 3}


@one_hot_op.shape_rule
def one_hot_rule(indices, on_value, off_value, *, depth, axis):
    if indices.shape.rank is None:
        return TensorSpec(None, on_value.dtype)
    dims = indices.shape.as_list()
    dims.insert(len(dims) if axis == -1 else axis, depth if type(depth) is int else None)
    return TensorSpec(dims, on_value.dtype)


def one_hot(indices, depth, on_value=None, off_value=None, axis=None, dtype=None, name=None):
    """`on_value` at the position that each index names along a new axis, else `off_value`.

    Args:
        indices: Integer tensor; an index outside [0, depth) gives a row of `off_value`.
        depth: Size of the new axis.
        on_value: Default 1.
        off_value: Default 0.
        axis: Where the new axis stands; default last.
        dtype: Type of the result; default that of the values, else float32.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of one rank more than `indices`.

    >>> one_hot([1, 0], 2).numpy()
    array([[0., 1.],
           [1., 0.]], dtype=float32)
    """
    if dtype is None:
        dtype = next(
            (convert(v).dtype for v in (on_value, off_value) if v is not None), dtypes.float32
        )
    on = convert(1 if on_value is None else on_value, None if on_value is not None else dtype)
    off = convert(0 if off_value is None else off_value, None if off_value is not None else dtype)
    if on.dtype != dtypes.as_dtype(dtype) or off.dtype != dtypes.as_dtype(dtype):
        raise TypeError(
            f"on_value ({on.dtype}) and off_value ({off.dtype}) must have dtype {dtypes.as_dtype(dtype)}."
        )
    return one_hot_op(_whole(indices), on, off, depth=depth, axis=-1 if axis is None else axis)
