"""Lists of tensors as values of a graph: what TensorArray and the memory of loops are made of.

A list is a NumPy array of objects with one axis. Its elements are arrays of any shapes, other lists, or the number 0
for "nothing, or zeros": so lists of gradients add up element by element.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtypes, errors
from ..base.shapes import TensorSpec
from ..core.coerce import DType, Shape
from ..core.op import op
from .ir import graph_op

LIST = dtypes.variant


def list_of(items: Any) -> np.ndarray:
    """A list (an array of objects) of any values."""
    made = np.empty(len(items), object)
    for i, item in enumerate(items):
        made[i] = item
    return made


def rows(made: list[Any]) -> Any:
    """The rows of a stacked list that a function returned, where their number is known; else the stack."""
    from ..ops.shape import unstack

    stacked = made[0]
    return (
        list(unstack(stacked)) if stacked.shape.rank and stacked.shape[0] is not None else stacked
    )


def zeros_list(count: int) -> np.ndarray:
    """A list of nothing."""
    made = np.empty(count, object)
    made[:] = 0
    return made


def is_nothing(item: Any) -> bool:
    """Whether an element was never written."""
    return type(item) is int


def _list_spec(*specs: Any, **attrs: Any) -> TensorSpec:
    return TensorSpec([None], LIST)


def _position(index: Any, count: int, what: str) -> int:
    position = int(index)
    if not 0 <= position < count:
        raise errors.index_error(
            "TensorArray", f"Tried to {what} index {position} but array size is: {count}."
        )
    return position


@graph_op(op, label="TensorListReserve", differentiable=False)
def list_new(xp, size):
    """A list of `size` elements that are not written yet.

    Args:
        size: Scalar integer tensor.
    """
    return zeros_list(int(size))


list_new.shape_rule(_list_spec)


@graph_op(op, label="TensorListFromTensor", free=("values",))
def list_pack(xp, *values):
    """A list of the given tensors.

    Args:
        values: Tensors of any shapes and dtypes.
    """
    return list_of(values)


@list_pack.vjp
def list_pack_vjp(dy, _y, *values):
    return [
        list_get_like(dy, np.int32(i), v) if v.dtype.kind in "fcv" else None
        for i, v in enumerate(values)
    ]


list_pack.shape_rule(_list_spec)


@graph_op(op, label="TensorListSetItem", free=("items", "index", "value"))
def list_set(xp, items, index, value, *, grow: bool = False):
    """The list with another element at `index`.

    Args:
        items: A list.
        index: Scalar integer tensor.
        value: Tensor.
        grow: Whether the list may become longer.
    """
    count = len(items)
    position = int(index)
    if grow and position >= count:
        made = zeros_list(position + 1)
        made[:count] = items
    else:
        _position(index, count, "write to")
        made = items.copy()
    made[position] = value
    return made


@list_set.vjp
def list_set_vjp(dy, _y, items, index, value, *, grow):
    return list_clear(dy, index, items), None, list_get_like(dy, index, value)


list_set.shape_rule(_list_spec)


@graph_op(op, label="TensorListClear", free=("items", "index", "like"))
def list_clear(xp, items, index, like):
    """The list with nothing at `index`, as long as `like`.

    Args:
        items: A list.
        index: Scalar integer tensor.
        like: A list.
    """
    made = zeros_list(len(like))
    count = min(len(items), len(like))
    made[:count] = items[:count]
    if int(index) < len(made):
        made[int(index)] = 0
    return made


@list_clear.vjp
def list_clear_vjp(ddx, _y, items, index, like):
    return list_clear(ddx, index, items), None, None


list_clear.shape_rule(_list_spec)


@graph_op(op, label="TensorListGetItem", free=("items", "index"))
def list_get(xp, items, index, *, dtype: DType, shape: Shape = None):
    """The element at `index`.

    Args:
        items: A list.
        index: Scalar integer tensor.
        dtype: Its dtype.
        shape: What is known of its shape (None: nothing).
    """
    item = items[_position(index, len(items), "read from")]
    if not is_nothing(item):
        return item
    if dtype.kind == "v":
        return zeros_list(0)
    if shape is None or any(d is None for d in shape):
        raise errors.value_error(
            "TensorArray",
            f"Could not read index {int(index)} twice or before it was written, and its shape is not known.",
        )
    return np.zeros(shape, dtype._numpy())


@list_get.vjp
def list_get_vjp(dy, _y, items, index, *, dtype, shape):
    return list_only(items, index, dy), None


@list_get.shape_rule
def list_get_rule(items, index, *, dtype, shape):
    return TensorSpec(shape, dtype)


@graph_op(op, label="TensorListGetItem", free=("items", "index", "like"))
def list_get_like(xp, items, index, like):
    """The element at `index`, or zeros in the shape of `like` where there is nothing.

    Args:
        items: A list.
        index: Scalar integer tensor.
        like: Tensor.
    """
    position = int(index)
    item = items[position] if position < len(items) else 0
    if not is_nothing(item):
        return item
    return zeros_list(len(like)) if like.dtype == object else np.zeros_like(like)


@list_get_like.vjp
def list_get_like_vjp(dy, _y, items, index, _like):
    return list_only(items, index, dy), None, None


@list_get_like.shape_rule
def list_get_like_rule(items, index, like):
    return TensorSpec(like.shape, like.dtype)


@graph_op(op, label="TensorListScatter", free=("items", "index", "value"))
def list_only(xp, items, index, value):
    """A list as long as `items` with one element, and nothing elsewhere.

    Args:
        items: A list: its length counts.
        index: Scalar integer tensor.
        value: The element.
    """
    made = zeros_list(len(items))
    made[int(index)] = value
    return made


@list_only.vjp
def list_only_vjp(dy, _y, _items, index, value):
    return None, None, list_get_like(dy, index, value)


list_only.shape_rule(_list_spec)


@graph_op(op, label="TensorListStack", free=("items",))
def list_stack(xp, items, *, dtype: DType, shape: Shape = None):
    """The elements along a new first axis.

    Args:
        items: A list.
        dtype: Dtype of the elements.
        shape: What is known of their shape.
    """
    return _stacked(items, dtype._numpy(), shape)


def _stacked(items: Any, dtype: Any, shape: Any) -> np.ndarray:
    written = [np.asarray(i) for i in items if not is_nothing(i)]
    if written:
        shape = written[0].shape
        if any(w.shape != shape for w in written):
            raise errors.shape_error(
                "TensorArray",
                f"Elements of several shapes cannot be stacked: {[list(w.shape) for w in written][:5]}.",
            )
    elif shape is None or any(d is None for d in shape):
        if len(items):
            raise errors.value_error(
                "TensorArray", "nothing was written and the shape of the elements is not known."
            )
        shape = () if shape is None else tuple(0 if d is None else d for d in shape)
    made = np.zeros((len(items), *shape), dtype)
    for i, item in enumerate(items):
        if not is_nothing(item):
            made[i] = item
    return made


@list_stack.vjp
def list_stack_vjp(dy, _y, _items, *, dtype, shape):
    return list_from(dy)


@list_stack.shape_rule
def list_stack_rule(items, *, dtype, shape):
    return TensorSpec(None if shape is None else [items.shape[0], *shape], dtype)


@graph_op(op, label="TensorListStack", free=("items", "like"))
def list_stack_like(xp, items, like):
    """The elements along a new first axis, zeros in the shape of `like` where there is nothing.

    Args:
        items: A list.
        like: Tensor whose rows the elements are.
    """
    made = np.zeros_like(like)
    for i, item in enumerate(items[: len(made)]):
        if not is_nothing(item):
            made[i] = item
    return made


@list_stack_like.vjp
def list_stack_like_vjp(dy, _y, _items, _like):
    return list_from(dy), None


@list_stack_like.shape_rule
def list_stack_like_rule(items, like):
    return TensorSpec(like.shape, like.dtype)


@graph_op(op, label="TensorListFromTensor")
def list_from(xp, value):
    """The rows of a tensor as a list.

    Args:
        value: Tensor of rank 1 at least.
    """
    return list_of([np.asarray(row) for row in value])


@list_from.vjp
def list_from_vjp(dy, _y, value):
    return list_stack_like(dy, value)


@list_from.shape_rule
def list_from_rule(value):
    return TensorSpec([value.shape[0] if value.shape.rank else None], LIST)


@graph_op(op, label="TensorListConcat", free=("items",))
def list_concat(xp, items, *, dtype: DType, shape: Shape = None):
    """The elements joined along their first axis.

    Args:
        items: A list.
        dtype: Dtype of the elements.
        shape: What is known of their shape.
    """
    parts = [np.asarray(i) for i in items if not is_nothing(i)]
    if not parts:
        return np.zeros((0, *[d or 0 for d in (shape or (0,))[1:]]), dtype._numpy())
    return np.concatenate(parts)


@list_concat.vjp
def list_concat_vjp(dy, _y, items, *, dtype, shape):
    return list_cut(dy, items)


@list_concat.shape_rule
def list_concat_rule(items, *, dtype, shape):
    return TensorSpec(None if shape is None else [None, *shape[1:]], dtype)


@graph_op(op, label="TensorListSplit", free=("value", "like"))
def list_cut(xp, value, like):
    """A tensor cut along its first axis into parts as long as the elements of `like`.

    Args:
        value: Tensor.
        like: A list.
    """
    made, at = zeros_list(len(like)), 0
    for i, item in enumerate(like):
        if not is_nothing(item):
            made[i] = value[at : at + len(item)]
            at += len(item)
    return made


@list_cut.vjp
def list_cut_vjp(dy, _y, value, _like):
    return list_concat(dy, dtype=value.dtype, shape=None), None


list_cut.shape_rule(_list_spec)


@graph_op(op, label="TensorListSplit", free=("value", "lengths"))
def list_split(xp, value, lengths):
    """A tensor cut along its first axis into parts of the given lengths.

    Args:
        value: Tensor.
        lengths: Integer tensor [number of parts].
    """
    return list_of(np.split(value, np.cumsum(lengths)[:-1]) if len(lengths) else [])


@list_split.vjp
def list_split_vjp(dy, _y, value, _lengths):
    return list_concat(dy, dtype=value.dtype, shape=None), None


list_split.shape_rule(_list_spec)


@graph_op(op, label="TensorListLength", differentiable=False)
def list_size(xp, items):
    """Number of elements, an int32 scalar.

    Args:
        items: A list.
    """
    return np.array(len(items), np.int32)


@list_size.shape_rule
def list_size_rule(items):
    return TensorSpec([], dtypes.int32)


@graph_op(op, label="TensorListAdd", free=("x", "y"))
def list_add(xp, x, y):
    """Two lists added element by element; nothing counts as zero.

    Args:
        x: A list.
        y: A list of the same length.
    """
    if len(x) != len(y):
        # A list of nothing may be shorter than it need be.
        longer, shorter = (x, y) if len(x) > len(y) else (y, x)
        made = longer.copy()
        made[: len(shorter)] = np.add(made[: len(shorter)], shorter)
        return made
    return np.add(x, y)


@list_add.vjp
def list_add_vjp(dy, _z, _x, _y):
    return dy, dy


list_add.shape_rule(_list_spec)


@graph_op(op, label="TensorListZeros", differentiable=False)
def list_zeros(xp, items):
    """A list of nothing, as long as `items`.

    Args:
        items: A list.
    """
    return zeros_list(len(items))


list_zeros.shape_rule(_list_spec)
