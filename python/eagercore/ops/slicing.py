"""Slices. A key is a tuple of ints, ("s", start, stop, step), "new" for a new axis and "..." for the rest."""

from __future__ import annotations

import numpy as np

from ..base import dtypes, errors
from ..base.context import context
from ..base.shapes import TensorSpec
from ..core import coerce
from ..core.coerce import Shape
from ..core.op import movement
from ..core.tensor import EagerTensor, convert
from .create import shape_of


def _slices(key):
    return tuple(
        slice(k[1], k[2], k[3])
        if isinstance(k, tuple)
        else np.newaxis
        if k == "new"
        else Ellipsis
        if k == "..."
        else k
        for k in key
    )


@movement(label="StridedSlice")
def strided_slice_op(xp, input, *, key):
    """A part of a tensor: what `tensor[key]` gives.

    Args:
        input: Tensor.
        key: Tuple of ints, ("s", start, stop, step), "new" and "...".

    Returns:
        Tensor.

    >>> strided_slice_op([1, 2, 3], key=(("s", 1, None, None),)).numpy()
    array([2, 3], dtype=int32)
    """
    try:
        if len(key) == 1 and type(key[0]) is int:
            return input[key[0]]
        return input[_slices(key)]
    except IndexError:
        raise _index_message(input, key) from None


def _index_message(x, key):
    used = [k for k in key if k not in ("new", "...")]
    if len(used) > x.ndim:
        return errors.index_error(
            "StridedSlice",
            f"Index out of range using input dim {x.ndim}; input has only {x.ndim} dims.",
        )
    after = "..." in key
    for position, k in enumerate(used):
        dim = (
            position if not after or key.index("...") > position else position + x.ndim - len(used)
        )
        if isinstance(k, int) and not -x.shape[dim] <= k < x.shape[dim]:
            return errors.index_error(
                "StridedSlice",
                f"slice index {k} of dimension {dim} out of bounds: shape {list(x.shape)}.",
            )
    return errors.index_error("StridedSlice", f"index {key} does not fit shape {list(x.shape)}.")


@strided_slice_op.vjp
def strided_slice_op_vjp(dy, _y, _x, *, key):
    return strided_slice_gradient(dy, key=key, shape=shape_of(_x))


@strided_slice_op.shape_rule
def strided_slice_rule(input, *, key):
    if not coerce.is_symbolic(list(key)) and not any(
        coerce.is_symbolic(list(k)) for k in key if isinstance(k, tuple)
    ):
        return None
    if input.shape.rank is None:
        return TensorSpec(None, input.dtype)
    dims, left = [], list(input.shape)
    used = sum(k not in ("new", "...") if isinstance(k, str) else True for k in key)
    for k in (*key, *(() if "..." in [k for k in key if isinstance(k, str)] else ("...",))):
        if isinstance(k, str) and k == "new":
            dims.append(1)
        elif isinstance(k, str):
            rest = len(left) - used
            dims.extend(left[:rest])
            left = left[rest:]
        else:
            used -= 1
            size = left.pop(0)
            if isinstance(k, tuple):
                dims.append(_sliced(size, k))
    return TensorSpec(dims, input.dtype)


def _sliced(size, part):
    """Size of a slice, or None where a bound is known only when the graph runs."""
    if size is None or coerce.is_symbolic(list(part)):
        return None
    return len(range(*slice(part[1], part[2], part[3]).indices(size)))


@strided_slice_op.samples
def strided_slice_op_samples(rng):
    yield (rng.normal(size=(3, 4)),), {"key": (1, ("s", None, None, 2))}
    yield (rng.normal(size=(3, 4)),), {"key": ("...", "new", ("s", None, None, -1))}


@movement
def strided_slice_gradient(xp, dy, *, key, shape: Shape):
    """Zeros of shape `shape` that hold `dy` where `key` points.

    Args:
        dy: Gradient of the part.
        key: Tuple of ints, ("s", start, stop, step), "new" and "...".
        shape: Shape of the whole.

    Returns:
        Tensor of shape `shape`.

    >>> strided_slice_gradient([1.0], key=(("s", 1, None, None),), shape=(2,)).numpy()
    array([0., 1.], dtype=float32)
    """
    out = np.zeros(shape, dy.dtype)
    out[_slices(key)] = dy
    return out


@strided_slice_gradient.vjp
def strided_slice_gradient_vjp(ddx, _dx, _dy, *, key, shape):
    return strided_slice_op(ddx, key=key)


@strided_slice_gradient.shape_rule
def strided_slice_gradient_rule(dy, *, key, shape):
    if coerce.is_symbolic(shape) and not isinstance(shape, tuple | list):
        return TensorSpec(None, dy.dtype)
    return TensorSpec([None if coerce.is_symbolic(d) else d for d in shape], dy.dtype)


@strided_slice_gradient.samples
def strided_slice_gradient_samples(rng):
    yield (rng.normal(size=(2,)),), {"key": (1, ("s", None, None, 2)), "shape": (3, 4)}


def getitem(tensor, key):
    """`tensor[key]`: ints, slices, `...`, `tf.newaxis`, scalar integer tensors, or a boolean mask.

    Args:
        tensor: Tensor.
        key: What stands in the brackets; a list is read as a tuple, as in TensorFlow.

    Returns:
        Tensor.

    Raises:
        InvalidArgumentError: If an index is out of range (it is an IndexError too).
        TypeError: If an index is no whole number, slice, `...`, `None` or mask.

    >>> import eagercore as tf
    >>> int(getitem(tf.constant([1, 2, 3]), -1))
    3
    """
    if type(key) is int:
        if type(tensor) is EagerTensor and context.graph is None and not context.tapes:
            array = tensor._array
            if array.ndim and -len(array) <= key < len(array):
                return EagerTensor(array[key, ...])
        return strided_slice_op(tensor, key=(key,))
    dtype = getattr(key, "dtype", None)
    if dtype is not None and dtype == dtypes.bool_ and getattr(key, "shape", None) is not None:
        from .index import boolean_mask

        return boolean_mask(tensor, key)
    parts = key if isinstance(key, tuple | list) else (key,)
    return strided_slice_op(tensor, key=tuple(_index(k) for k in parts))


def _index(k):
    if type(k) is int:
        return k
    if isinstance(k, slice):
        return ("s", _bound(k.start), _bound(k.stop), _bound(k.step))
    if k is None:
        return "new"
    if k is Ellipsis:
        return "..."
    return _bound(k)


def _bound(k):
    if k is None or type(k) is int or coerce.is_symbolic(k):
        return k
    kind = getattr(k, "dtype", None)
    whole = isinstance(k, int | np.integer) and not isinstance(k, bool)
    if not whole and (
        kind is None or not dtypes.as_dtype(kind).is_integer or getattr(k, "ndim", 0)
    ):
        raise TypeError(
            "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "
            "tf.int32/tf.int64 tensors are "
            f"valid indices, got {k!r}"
        )
    return int(k)


def slice_(input_, begin, size, name=None):
    """The part of a tensor that begins at `begin` and has the size `size`.

    Args:
        input_: Tensor.
        begin: First position along each axis, 0-based.
        size: Size along each axis; -1 takes the rest.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of rank equal to that of `input_`.

    >>> slice_([1, 2, 3], [1], [-1]).numpy()
    array([2, 3], dtype=int32)
    """
    begin = coerce.as_ints(begin, "slice", "begin")
    size = coerce.as_ints(size, "slice", "size")
    input_ = convert(input_)
    for axis, (b, s, d) in enumerate(zip(begin, size, input_.shape, strict=True)):
        if all(type(v) is int for v in (b, s, d)) and not (0 <= b <= d and b + max(s, 0) <= d):
            raise errors.index_error(
                "Slice",
                f"Expected begin[{axis}] in [0, {d}] and size[{axis}] in [0, {d - b}], but got "
                f"begin {b} and size {s}.",
            )
    key = tuple(
        ("s", b, None if type(s) is int and s == -1 else b + s, None)
        for b, s in zip(begin, size, strict=True)
    )
    return strided_slice_op(input_, key=key)


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
