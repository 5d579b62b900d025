"""Movement: shapes change, numbers stay."""

from __future__ import annotations

import math

import numpy as np

from ..base import dtypes, errors
from ..base.shapes import TensorSpec
from ..core import coerce
from ..core.coerce import Axis, DType, Ints, Shape
from ..core.op import movement, op
from ..core.tensor import PACK, EagerTensor, convert
from .create import constant, shape_of
from .slicing import strided_slice_op


def check_axis(rank, axis, op_name, extra=0):
    """`axis` made positive, or an error that names the op and the range."""
    low, high = -rank - extra, rank + extra
    if not low <= axis < high:
        raise errors.index_error(
            op_name, f"axis = {axis} not in [{low}, {high}) for a tensor of rank {rank}."
        )
    return axis % (rank + extra) if rank + extra else 0


@movement(label="Reshape", aliases={"input": "tensor"})
def reshape(xp, tensor, *, shape: Shape):
    """The same elements, row by row, in another shape.

    Args:
        tensor: Tensor.
        shape: New shape; one entry may be -1 and is then computed.

    Returns:
        Tensor of shape `shape`.

    Raises:
        InvalidArgumentError: If the number of elements does not fit.

    >>> reshape([1, 2, 3, 4], [2, -1]).numpy()
    array([[1, 2],
           [3, 4]], dtype=int32)
    """
    try:
        if min(shape, default=0) < -1:
            raise ValueError(shape)
        if tensor.size == 0 and 0 in shape and -1 in shape:
            # What is missing is told by the extents that are not 0.
            missing = math.prod(d for d in tensor.shape if d) // math.prod(
                d for d in shape if d > 0
            )
            shape = [missing if d == -1 else d for d in shape]
        return tensor.reshape(shape)
    except (ValueError, TypeError):
        raise errors.shape_error("Reshape", _reshape_message(tensor, shape)) from None


def _reshape_message(tensor, shape):
    negative = [i for i, d in enumerate(shape) if d < -1]
    if negative:
        return f"Size {negative[0]} must be non-negative, not {shape[negative[0]]}, in shape {list(shape)}."
    if sum(d == -1 for d in shape) > 1:
        return f"Only one input size may be -1, not both, in shape {list(shape)}."
    if -1 in shape:
        known = int(np.prod([d for d in shape if d != -1]))
        return (
            f"Input to reshape is a tensor with {tensor.size} values, but the requested shape "
            f"{list(shape)} requires a "
            f"multiple of {known}. Its shape is {list(tensor.shape)}."
        )
    return (
        f"Input to reshape is a tensor with {tensor.size} values, but the requested shape has "
        f"{int(np.prod(shape))}: {list(tensor.shape)} does not fit {list(shape)}."
    )


@reshape.vjp
def reshape_vjp(dy, _y, _x, *, shape):
    return reshape(dy, shape=shape_of(_x))


@reshape.vjp_of_arrays
def reshape_arrays(dy, _y, x, *, shape):
    return dy.reshape(x._array.shape if type(x) is EagerTensor else tuple(x.shape_))


@reshape.shape_rule
def reshape_rule(tensor, *, shape):
    if coerce.is_symbolic(shape):
        if not isinstance(shape, tuple):
            count = shape.shape[0] if shape.shape.rank == 1 else None
            return TensorSpec(None if count is None else [None] * count, tensor.dtype)
        return TensorSpec(
            [None if coerce.is_symbolic(d) or d == -1 else d for d in shape], tensor.dtype
        )
    dims = list(shape)
    if min(dims, default=0) < -1:
        raise errors.shape_error("Reshape", _reshape_message(None, shape))
    total = tensor.shape.num_elements()
    if -1 in dims:
        known = int(np.prod([d for d in dims if d != -1]))
        fill = None
        if total is not None and known:
            if total % known or dims.count(-1) > 1:
                raise errors.shape_error(
                    "Reshape", _reshape_message(np.broadcast_to(0, tuple(tensor.shape)), shape)
                )
            fill = total // known
        dims[dims.index(-1)] = fill
    elif total is not None and total != int(np.prod(dims)):
        raise errors.shape_error(
            "Reshape", _reshape_message(np.broadcast_to(0, tuple(tensor.shape)), shape)
        )
    return TensorSpec(dims, tensor.dtype)


@reshape.samples
def reshape_samples(rng):
    yield (rng.normal(size=(2, 6)),), {"shape": (3, -1)}
    yield (rng.normal(size=()),), {"shape": (1,)}


@movement(label="Transpose", aliases={"x": "a"})
def transpose_op(xp, a, *, perm: Ints = None, conjugate: bool = False):
    """The axes in another order.

    Args:
        a: Tensor.
        perm: Order of the axes; default reversed.
        conjugate: Whether complex elements are conjugated too.

    Returns:
        Tensor.

    >>> transpose_op([[1, 2, 3]]).numpy()
    array([[1],
           [2],
           [3]], dtype=int32)
    """
    if perm is not None and sorted(p % a.ndim if a.ndim else p for p in perm) != list(
        range(a.ndim)
    ):
        raise errors.shape_error(
            "Transpose",
            f"perm {list(perm)} is no order of the {a.ndim} axes of shape {list(a.shape)}.",
        )
    out = xp.transpose(a, perm)
    return xp.conjugate(out) if conjugate else out


@transpose_op.vjp
def transpose_op_vjp(dy, _y, _a, *, perm, conjugate):
    if perm is None:
        return transpose_op(dy, conjugate=conjugate)
    rank = len(perm)
    inverse = [0] * rank
    for i, p in enumerate(perm):
        inverse[p % rank] = i
    return transpose_op(dy, perm=tuple(inverse), conjugate=conjugate)


@transpose_op.samples
def transpose_op_samples(rng):
    yield (rng.normal(size=(2, 3, 4)),), {"perm": (1, 2, 0)}
    yield (rng.normal(size=(2, 3)),), {}


def transpose(a, perm=None, conjugate=False, name="transpose"):
    """The axes of `a` in another order.

    Args:
        a: Tensor.
        perm: Order of the axes, 0-based; default reversed.
        conjugate: Whether complex elements are conjugated too.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor whose axis i is the axis `perm[i]` of `a`.

    Raises:
        InvalidArgumentError: If `perm` is no order of all axes.

    >>> transpose([[1, 2, 3]]).shape
    TensorShape([3, 1])
    """
    return transpose_op(a, perm=perm, conjugate=conjugate)


@movement(aliases={"dim": "axis"}, label="ExpandDims")
def expand_dims(xp, input, *, axis: Axis):
    """A new axis of size 1.

    Args:
        input: Tensor.
        axis: Where the new axis stands in the result; -1 is last.

    Returns:
        Tensor of one rank more.

    Raises:
        InvalidArgumentError: If `axis` is out of range.

    >>> expand_dims([1, 2], 0).shape
    TensorShape([1, 2])
    """
    axis = axis if isinstance(axis, int) else axis[0]
    if not -input.ndim - 1 <= axis <= input.ndim:
        raise errors.index_error(
            "ExpandDims",
            f"Tried to expand dim index {axis} for tensor with {input.ndim} dimensions.",
        )
    return xp.expand_dims(input, axis)


@expand_dims.vjp
def expand_dims_vjp(dy, _y, _x, *, axis):
    return reshape(dy, shape=shape_of(_x))


@expand_dims.samples
def expand_dims_samples(rng):
    yield (rng.normal(size=(2, 3)),), {"axis": 1}
    yield (rng.normal(size=(2, 3)),), {"axis": -1}


@movement(aliases={"squeeze_dims": "axis"})
def squeeze(xp, input, *, axis: Axis = None):
    """Without the axes of size 1.

    Args:
        input: Tensor.
        axis: Which axes to drop; default all of size 1.

    Returns:
        Tensor of lower rank.

    Raises:
        InvalidArgumentError: If a named axis has another size than 1.

    >>> squeeze([[1, 2]]).shape
    TensorShape([2])
    """
    if axis is None or axis == ():
        return xp.squeeze(input)
    axes = (axis,) if isinstance(axis, int) else axis
    for a in axes:
        a = check_axis(input.ndim, a, "Squeeze")
        if input.shape[a] != 1:
            raise errors.shape_error(
                "Squeeze",
                f"Can not squeeze dim[{a}], expected a dimension of 1, got {input.shape[a]} in "
                f"shape {list(input.shape)}.",
            )
    return xp.squeeze(input, axis=axes)


@squeeze.vjp
def squeeze_vjp(dy, _y, _x, *, axis):
    return reshape(dy, shape=shape_of(_x))


@squeeze.shape_rule
def squeeze_rule(input, *, axis):
    shape = input.shape
    if shape.rank is None:
        return TensorSpec(None, input.dtype)
    if axis is None or axis == ():
        # Whether a dimension that is not known is 1 is not known either.
        dims = None if None in shape.as_list() else [d for d in shape if d != 1]
        return TensorSpec(dims, input.dtype)
    axes = {
        check_axis(shape.rank, a, "Squeeze") for a in ((axis,) if isinstance(axis, int) else axis)
    }
    for a in axes:
        if shape[a] not in (1, None):
            raise errors.shape_error(
                "Squeeze",
                f"Can not squeeze dim[{a}], expected a dimension of 1, got {shape[a]} in shape {shape}.",
            )
    return TensorSpec([d for i, d in enumerate(shape) if i not in axes], input.dtype)


@squeeze.samples
def squeeze_samples(rng):
    yield (rng.normal(size=(2, 1, 3, 1)),), {}
    yield (rng.normal(size=(2, 1, 3, 1)),), {"axis": (1,)}


@movement(label="ConcatV2")
def concat_op(xp, *values, axis: Axis):
    """Tensors joined along an axis.

    Args:
        values: Tensors of one dtype whose shapes differ only along `axis`.
        axis: Axis, 0-based.

    Returns:
        Tensor.

    >>> concat_op([[1], [2]], axis=0).numpy()
    array([1, 2], dtype=int32)
    """
    axis = axis if isinstance(axis, int) else axis[0]
    rank = values[0].ndim
    if rank == 0:
        raise errors.shape_error(
            "ConcatV2", "concat needs tensors of rank 1 at least; use tf.stack for scalars."
        )
    axis = check_axis(rank, axis, "ConcatV2")
    for i, v in enumerate(values):
        if v.ndim != rank or any(
            a != b
            for k, (a, b) in enumerate(zip(v.shape, values[0].shape, strict=True))
            if k != axis
        ):
            raise errors.shape_error(
                "ConcatV2",
                "Dimensions of inputs should match except along the axis: "
                f"shape[0] = {list(values[0].shape)} vs. shape[{i}] = {list(v.shape)}, axis = {axis}.",
            )
    return xp.concatenate(values, axis=axis)


@concat_op.vjp
def concat_op_vjp(dy, _y, *_values, axis, needs):
    rank = dy.shape.rank
    axis = (axis if isinstance(axis, int) else axis[0]) % rank
    parts, start = [], 0
    for value, need in zip(_values, needs, strict=True):
        size = shape_of(value)[axis]
        if need:
            key = [("s", None, None, None)] * axis + [("s", start, start + size, None)]
            parts.append(strided_slice_op(dy, key=tuple(key)))
        else:
            parts.append(None)
        start = start + size
    return parts


@concat_op.samples
def concat_op_samples(rng):
    yield ([rng.normal(size=(2, 3)), rng.normal(size=(2, 1))],), {"axis": 1}


def concat(values, axis=0, name="concat"):
    """Tensors joined along an axis.

    Args:
        values: List of tensors of one dtype whose shapes differ only along `axis`.
        axis: Axis, 0-based; TensorFlow's position for it is the second.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor.

    Raises:
        InvalidArgumentError: If dtypes differ, or shapes elsewhere than along `axis`.

    >>> concat([[1, 2], [3]], 0).numpy()
    array([1, 2, 3], dtype=int32)
    """
    if isinstance(values, int | float) and isinstance(axis, list | tuple):
        values, axis = axis, values  # TensorFlow 0's order (axis, values)
    if not isinstance(values, list | tuple):
        values = [values]
    if not values:
        raise ValueError("concat needs at least one tensor.")
    return concat_op(list(values), axis=axis)


@movement(label="Pack")
def stack_op(xp, *values, axis: Axis = 0):
    """Tensors of one shape side by side along a new axis.

    Args:
        values: Tensors of one shape and dtype.
        axis: Where the new axis stands.

    Returns:
        Tensor of one rank more.

    >>> stack_op([1, 2]).numpy()
    array([1, 2], dtype=int32)
    """
    for i, v in enumerate(values):
        if v.shape != values[0].shape:
            raise errors.shape_error(
                "Pack",
                f"Shapes of all inputs must match: values[0].shape = {list(values[0].shape)} != "
                f"values[{i}].shape = {list(v.shape)}.",
            )
    axis = axis if isinstance(axis, int) else axis[0]
    check_axis(values[0].ndim, axis, "Pack", extra=1) if axis != values[0].ndim else None
    made = xp.stack(values, axis=axis)
    return made.astype(object) if made.dtype.kind == "S" else made


@stack_op.vjp
def stack_op_vjp(dy, _y, *_values, axis):
    return unstack(dy, len(_values), axis)


@stack_op.samples
def stack_op_samples(rng):
    yield ([rng.normal(size=(2, 3)), rng.normal(size=(2, 3))],), {"axis": 1}


def stack(values, axis=0, name="stack"):
    """Tensors of one shape side by side along a new axis.

    Args:
        values: List of tensors of one shape and dtype.
        axis: Where the new axis stands. Default 0.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of one rank more.

    Raises:
        InvalidArgumentError: If shapes or dtypes differ.

    >>> stack([[1, 2], [3, 4]], axis=1).numpy()
    array([[1, 3],
           [2, 4]], dtype=int32)
    """
    values = list(values)
    if not values:
        raise ValueError("stack needs at least one tensor.")
    if not _holds(values):
        values = unstack(convert(values), len(values))
    return stack_op(values, axis=axis)


def _holds(values):
    from ..core.tensor import holds_tensor

    return holds_tensor(values)


def _pack(values, dtype):
    items = [v if not isinstance(v, list | tuple) else convert(v, dtype) for v in values]
    if dtype is not None:
        items = [convert(v, dtype) for v in items]
    return stack_op(items, axis=0)


PACK.append(_pack)


@movement(label="Unpack", outputs="num")
def unstack_op(xp, value, *, num: int, axis: Axis = 0):
    """The parts of a tensor along an axis, each without that axis.

    Args:
        value: Tensor of rank 1 at least.
        num: Size of the axis.
        axis: Axis, 0-based.

    Returns:
        List of `num` tensors.

    >>> [int(t) for t in unstack_op([1, 2], num=2)]
    [1, 2]
    """
    return tuple(xp.moveaxis(value, axis, 0)) if num else ()


@unstack_op.vjp
def unstack_op_vjp(dy, _y, _x, *, num, axis):
    return stack_op(dy, axis=axis)


@unstack_op.samples
def unstack_op_samples(rng):
    yield (rng.normal(size=(2, 3)),), {"num": 3, "axis": 1}


def unstack(value, num=None, axis=0, name="unstack"):
    """The parts of a tensor along an axis, each without that axis.

    Args:
        value: Tensor of rank 1 at least.
        num: Size of the axis; default taken from the shape.
        axis: Axis, 0-based. Default 0.
        name: Accepted for TensorFlow's sake.

    Returns:
        List of tensors of one rank less.

    Raises:
        ValueError: If the size is not known, or `num` is another.

    >>> [int(t) for t in unstack([1, 2, 3])]
    [1, 2, 3]
    """
    value = convert(value)
    if value.shape.rank is not None:
        axis = check_axis(value.shape.rank, coerce.as_int(axis, "unstack", "axis"), "Unpack")
        size = value.shape[axis]
        num = coerce.as_int(num, "unstack", "num")
        if num is None:
            num = size
        elif size is not None and size != num:
            raise ValueError(
                f"Input shape axis {axis} must equal {num}, got shape {list(value.shape)}."
            )
    if num is None:
        raise ValueError(f"Cannot infer argument `num` from shape {value.shape}.")
    return unstack_op(value, num=num, axis=axis)


@movement(label="Split", outputs="sizes")
def split_op(xp, value, *, sizes: Ints, axis: int = 0):
    """A tensor cut into parts along an axis.

    Args:
        value: Tensor.
        sizes: Size of each part.
        axis: Axis, 0-based.

    Returns:
        List of tensors.

    >>> [t.numpy().tolist() for t in split_op([1, 2, 3], sizes=(1, 2))]
    [[1], [2, 3]]
    """
    return tuple(xp.split(value, np.cumsum(sizes)[:-1].tolist(), axis=axis))


@split_op.vjp
def split_op_vjp(dy, _y, _x, *, sizes, axis):
    return concat_op(dy, axis=axis)


@split_op.samples
def split_op_samples(rng):
    yield (rng.normal(size=(2, 5)),), {"sizes": (2, 3), "axis": 1}


@split_op.shape_rule
def split_rule(value, *, sizes, axis):
    if value.shape.rank is None:
        return tuple(TensorSpec(None, value.dtype) for _ in sizes)
    dims = [value.shape.as_list() for _ in sizes]
    for d, size in zip(dims, sizes, strict=True):
        d[axis] = size
    return tuple(TensorSpec(d, value.dtype) for d in dims)


def split(value, num_or_size_splits, axis=0, num=None, name="split"):
    """A tensor cut into parts along an axis.

    Args:
        value: Tensor.
        num_or_size_splits: Number of equal parts, or the size of each (one may be -1).
        axis: Axis, 0-based. Default 0.
        num: Number of parts when the sizes are a tensor of unknown length.
        name: Accepted for TensorFlow's sake.

    Returns:
        List of tensors.

    Raises:
        InvalidArgumentError: If the axis does not divide so.

    >>> [t.numpy().tolist() for t in split([1, 2, 3, 4], 2)]
    [[1, 2], [3, 4]]
    """
    value = convert(value)
    axis = check_axis(value.shape.rank, coerce.as_int(axis, "split", "axis"), "Split")
    total = value.shape[axis]
    count = num_or_size_splits
    if isinstance(count, list | tuple | np.ndarray) or getattr(count, "ndim", 0) == 1:
        sizes = list(coerce.as_ints(count, "split", "num_or_size_splits"))
        if -1 in sizes:
            sizes[sizes.index(-1)] = total - sum(s for s in sizes if s != -1)
    else:
        count = coerce.as_int(count, "split", "num_or_size_splits")
        if count < 1 or total is None or total % count:
            raise errors.shape_error(
                "Split",
                "Number of ways to split should evenly divide the split dimension, but got "
                f"split_dim {axis} (size = {total}) and num_split {count}.",
            )
        sizes = [total // count] * count
    if total is not None and (sum(sizes) != total or min(sizes) < 0):
        raise errors.shape_error(
            "SplitV", f"The sizes {sizes} do not add up to the {total} along axis {axis}."
        )
    return split_op(value, sizes=tuple(sizes), axis=axis)


@movement(aliases={"x": "input"})
def tile(xp, input, *, multiples: Ints):
    """A tensor repeated along its axes.

    Args:
        input: Tensor.
        multiples: How often, for each axis.

    Returns:
        Tensor whose axis i is `multiples[i]` times as long.

    Raises:
        InvalidArgumentError: If there is not one multiple for each axis.

    >>> tile([1, 2], [2]).numpy()
    array([1, 2, 1, 2], dtype=int32)
    """
    _check_multiples(multiples, input.ndim)
    return xp.tile(input, multiples)


def _check_multiples(multiples, rank):
    if len(multiples) != rank:
        raise errors.shape_error(
            "Tile",
            f"Expected multiples argument to be a vector of length {rank} but got length {len(multiples)}.",
        )


def _entries(values):
    """The numbers of an attribute, one by one, also where a graph knows them only as a tensor."""
    if not getattr(values, "_is_symbolic", False):
        return values
    return [_entries(row) if row.shape.rank else row for row in unstack(values)]


@tile.vjp
def tile_vjp(dy, _y, _x, *, multiples):
    from .reduce import reduce_sum

    dims = []
    for m, d in zip(_entries(multiples), shape_of(_x), strict=True):
        dims += [m, d]
    return reduce_sum(reshape(dy, shape=tuple(dims)), axis=tuple(range(0, len(dims), 2)))


@tile.shape_rule
def tile_rule(input, *, multiples):
    rank = input.shape.rank
    if rank is None or coerce.is_symbolic(multiples):
        return TensorSpec(None if rank is None else [None] * rank, input.dtype)
    _check_multiples(multiples, rank)
    dims = [
        None if d is None else d * m for d, m in zip(input.shape.as_list(), multiples, strict=True)
    ]
    return TensorSpec(dims, input.dtype)


@tile.samples
def tile_samples(rng):
    yield (rng.normal(size=(2, 3)),), {"multiples": (2, 2)}


PAD_MODES = {"CONSTANT": "constant", "REFLECT": "reflect", "SYMMETRIC": "symmetric"}


@movement(label="PadV2")
def pad_op(xp, tensor, *, paddings, mode: str = "CONSTANT", constant_values: float = 0):
    """A tensor with a border.

    Args:
        tensor: Tensor.
        paddings: For each axis a pair: how many elements before and after.
        mode: "CONSTANT", "REFLECT" or "SYMMETRIC".
        constant_values: What a constant border holds.

    Returns:
        Larger tensor.

    >>> pad_op([1, 2], paddings=((1, 1),)).numpy()
    array([0, 1, 2, 0], dtype=int32)
    """
    _check_paddings(paddings, tensor.ndim)
    if mode == "CONSTANT":
        return xp.pad(tensor, paddings, constant_values=constant_values)
    inner = mode == "REFLECT"
    for size, (before, after) in zip(tensor.shape, paddings, strict=True):
        if max(before, after) > size - inner:
            raise errors.shape_error(
                "MirrorPad",
                f"paddings must be {'less than' if inner else 'no greater than'} the dimension size: "
                f"{before}, {after} against {size}.",
            )
    return xp.pad(tensor, paddings, mode=PAD_MODES[mode])


def _check_paddings(paddings, rank):
    if len(paddings) != rank:
        raise errors.shape_error(
            "Pad", f"paddings must have one pair for each of the {rank} axes, got {paddings}."
        )


@pad_op.vjp
def pad_op_vjp(dy, _y, _x, *, paddings, mode, constant_values):
    if mode != "CONSTANT":
        return mirror_pad_gradient(dy, paddings=paddings, mode=mode)
    sizes = shape_of(_x)
    key = tuple(
        ("s", before, before + size, None)
        for (before, _), size in zip(_entries(paddings), sizes, strict=True)
    )
    return strided_slice_op(dy, key=key)


@pad_op.shape_rule
def pad_op_rule(tensor, *, paddings, mode, constant_values):
    rank = tensor.shape.rank
    if rank is None or not isinstance(paddings, tuple | list):
        return TensorSpec(None if rank is None else [None] * rank, tensor.dtype)
    _check_paddings(paddings, rank)
    return TensorSpec(
        [_padded(d, *p) for d, p in zip(tensor.shape.as_list(), paddings, strict=True)],
        tensor.dtype,
    )


def _padded(size, before, after):
    return None if size is None or coerce.is_symbolic((before, after)) else size + before + after


@pad_op.samples
def pad_op_samples(rng):
    yield (rng.normal(size=(2, 3)),), {"paddings": ((1, 0), (2, 1))}
    yield (rng.normal(size=(3, 4)),), {"paddings": ((1, 2), (2, 1)), "mode": "REFLECT"}
    yield (rng.normal(size=(3, 4)),), {"paddings": ((1, 2), (2, 1)), "mode": "SYMMETRIC"}


@movement
def mirror_pad_gradient(xp, dy, *, paddings, mode: str):
    """What goes back through a mirrored border: each border element adds to the one it mirrors.

    Args:
        dy: Gradient of the padded tensor.
        paddings: For each axis a pair: how many elements before and after.
        mode: "REFLECT" or "SYMMETRIC".

    Returns:
        Gradient of the tensor without its border.

    >>> mirror_pad_gradient([1.0, 1.0, 1.0], paddings=((1, 0),), mode="SYMMETRIC").numpy()
    array([2., 1.], dtype=float32)
    """
    for axis, (before, after) in enumerate(paddings):
        size = dy.shape[axis] - before - after
        source = np.pad(np.arange(size), (before, after), mode=PAD_MODES[mode])
        moved = np.moveaxis(dy, axis, 0)
        out = np.zeros((size, *moved.shape[1:]), dy.dtype)
        np.add.at(out, source, moved)
        dy = np.moveaxis(out, 0, axis)
    return dy


@mirror_pad_gradient.vjp
def mirror_pad_gradient_vjp(ddx, _dx, _dy, *, paddings, mode):
    return pad_op(ddx, paddings=paddings, mode=mode)


@mirror_pad_gradient.samples
def mirror_pad_gradient_samples(rng):
    yield (rng.normal(size=(6, 5)),), {"paddings": ((1, 2), (2, 0)), "mode": "REFLECT"}


def pad(tensor, paddings, mode="CONSTANT", constant_values=0, name=None):
    """A tensor with a border.

    Args:
        tensor: Tensor.
        paddings: Integer tensor or list [rank, 2]: how many elements before and after, for each axis.
        mode: "CONSTANT" (default), "REFLECT" or "SYMMETRIC".
        constant_values: What a constant border holds. Default 0.
        name: Accepted for TensorFlow's sake.

    Returns:
        Larger tensor of the same dtype.

    Raises:
        InvalidArgumentError: If there is not one pair for each axis.
        ValueError: If the mode is unknown.

    >>> pad([1, 2], [[1, 1]]).numpy()
    array([0, 1, 2, 0], dtype=int32)
    """
    mode = str(mode).upper()
    if mode not in PAD_MODES:
        raise ValueError(
            f"Value of argument `mode` expected to be one of {list(PAD_MODES)}, got {mode!r}."
        )
    paddings = _entries(coerce.plain(paddings))
    pairs = tuple(
        tuple(coerce.as_int(v, "pad", "paddings") for v in coerce.plain(pair)) for pair in paddings
    )
    return pad_op(tensor, paddings=pairs, mode=mode, constant_values=constant_values)


@op(differentiable=False, label="Shape")
def shape_op(xp, input, *, out_type: DType = dtypes.int32):
    """Shape of a tensor, as a tensor.

    Args:
        input: Tensor.
        out_type: int32 (default) or int64.

    Returns:
        Tensor [rank].

    >>> shape_op([[1, 2]]).numpy()
    array([1, 2], dtype=int32)
    """
    return np.array(input.shape, out_type._numpy())


@shape_op.shape_rule
def shape_op_rule(input, *, out_type):
    return TensorSpec([input.shape.rank], out_type)


@shape_op.samples
def shape_op_samples(rng):
    yield (rng.normal(size=(2, 3)),), {}


def _second_is_type(name, out_type):
    """TensorFlow 2's second argument is the type, TensorFlow 1's the name."""
    return name if isinstance(name, dtypes.DType) else out_type


def shape(input, name=None, out_type=dtypes.int32):
    """Shape of a tensor, as a tensor of rank 1.

    Args:
        input: Tensor.
        name: Accepted for TensorFlow's sake.
        out_type: int32 (default) or int64.

    Returns:
        Tensor [rank of `input`].

    >>> shape([[1, 2, 3]]).numpy()
    array([1, 3], dtype=int32)
    """
    out_type = _second_is_type(name, out_type)
    input = convert(input)
    if getattr(input, "_is_symbolic", False) and input.shape.is_fully_defined():
        known = np.array(input.shape.as_list(), dtypes.as_dtype(out_type)._numpy())
        return constant(known, name=name if isinstance(name, str) and name else "Shape")
    return shape_op(input, out_type=out_type)


def size(input, name=None, out_type=dtypes.int32):
    """Number of elements of a tensor, as a scalar tensor.

    Args:
        input: Tensor.
        name: Accepted for TensorFlow's sake.
        out_type: int32 (default) or int64.

    >>> size([[1, 2, 3]]).numpy()
    np.int32(3)
    """
    from .products import reduce_prod

    return reduce_prod(shape(input, out_type=_second_is_type(name, out_type)))


def rank(input, name=None):
    """Number of dimensions of a tensor, as a scalar int32 tensor.

    Args:
        input: Tensor.
        name: Accepted for TensorFlow's sake.

    >>> rank([[1, 2, 3]]).numpy()
    np.int32(2)
    """
    input = convert(input)
    if input.shape.rank is None:
        return size(shape_op(input))
    return constant(input.shape.rank, dtypes.int32)
