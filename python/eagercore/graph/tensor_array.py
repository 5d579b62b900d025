"""TensorArray: a list of tensors that loops write and read, and that becomes one tensor in the end."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtypes, errors
from ..base.context import context
from ..base.shapes import TensorShape, as_shape
from ..core.tensor import Tensor, convert
from ..ops.create import zeros
from ..ops.index import gather
from ..ops.shape import concat, split, stack, unstack
from . import lists
from .ir import constant_value

_NOTHING: Any = None


class TensorArray:
    """Tensors of one dtype by position.

    Args:
        dtype: Dtype of the elements.
        size: Number of elements. Default 0.
        dynamic_size: Whether writing behind the end makes it longer. Default False, True when there is no size.
        clear_after_read: Whether an element can be read only once. Default True; pass False to read it again.
        tensor_array_name: Accepted for TensorFlow's sake.
        handle: Accepted for TensorFlow's sake.
        flow: Used internally.
        infer_shape: Whether all elements must have one shape. Default True.
        element_shape: Shape of the elements, as far as it is known.
        colocate_with_first_write_call: Accepted for TensorFlow's sake.
        name: Accepted for TensorFlow's sake.

    >>> array = TensorArray("int32", size=2)
    >>> array = array.write(0, 5).write(1, 6)
    >>> array.stack().numpy()
    array([5, 6], dtype=int32)
    """

    def __init__(
        self,
        dtype: Any,
        size: Any = None,
        dynamic_size: bool | None = None,
        clear_after_read: bool | None = None,
        tensor_array_name: str | None = None,
        handle: Any = None,
        flow: Any = None,
        infer_shape: bool = True,
        element_shape: Any = None,
        colocate_with_first_write_call: bool = True,
        name: str | None = None,
    ) -> None:
        self._dtype = dtypes.as_dtype(dtype)
        self._dynamic = (size is None) if dynamic_size is None else bool(dynamic_size)
        self._infer = infer_shape
        self._clear = clear_after_read
        #: What is known of the elements, shared by all arrays that were made from this one.
        self._about = {"shape": as_shape(element_shape)}
        self._items: list[Any] | None = None
        self._flow: Any = None
        if flow is not None and getattr(flow, "dtype", None) is lists.LIST:
            self._flow = flow
        else:
            self._begin(0 if size is None else size)

    def _begin(self, size: Any) -> None:
        tensor = size if isinstance(size, Tensor) else None
        array = (
            np.asarray(size)
            if tensor is None
            else getattr(tensor, "_array", constant_value(tensor))
        )
        if array is None:
            self._flow = lists.list_new(size)
        else:
            self._items = [_NOTHING] * int(array)

    def _like(
        self, items: list[Any] | None, flow: Any, element: TensorShape | None = None
    ) -> TensorArray:
        made = object.__new__(TensorArray)
        made.__dict__.update(self.__dict__)
        made._items, made._flow = items, flow
        if element is not None:
            if made._infer and made._about["shape"].is_compatible_with(element):
                made._about["shape"] = element
            else:
                made._about = {"shape": element}
        return made

    @property
    def _element_shape(self) -> TensorShape:
        return self._about["shape"]

    @_element_shape.setter
    def _element_shape(self, shape: TensorShape) -> None:
        self._about["shape"] = shape

    # -------------------------------------------------------------------------------------------------- what it is

    @property
    def dtype(self) -> Any:
        """Dtype of the elements."""
        return self._dtype

    @property
    def dynamic_size(self) -> bool:
        """Whether writing behind the end makes it longer."""
        return self._dynamic

    @property
    def element_shape(self) -> TensorShape:
        """What is known of the elements' shape."""
        return self._element_shape

    @property
    def flow(self) -> Any:
        """The list as a tensor of a graph (in eager execution a scalar that says nothing)."""
        return self._as_flow() if context.graph is not None else convert(0.0)

    @property
    def handle(self) -> Any:
        """None: there is nothing behind it."""
        return None

    def size(self, name: str | None = None) -> Any:
        """Number of elements, an int32 scalar."""
        return convert(len(self._items)) if self._items is not None else lists.list_size(self._flow)

    def __len__(self) -> int:
        if self._items is None:
            raise TypeError("len is not well defined for a TensorArray of a graph: use size().")
        return len(self._items)

    # ------------------------------------------------------------------------------------------------------- forms

    def _as_flow(self) -> Any:
        if self._flow is None:
            items = self._items or []
            if all(i is _NOTHING for i in items):
                self._flow = lists.list_new(np.int32(len(items)))
            else:
                flow = lists.list_new(np.int32(len(items)))
                for i, item in enumerate(items):
                    if item is not _NOTHING:
                        flow = lists.list_set(flow, np.int32(i), item)
                self._flow = flow
            self._items = None
        return self._flow

    def _pieces(self) -> tuple[list[Any], Any]:
        """The tensors that a graph's control flow carries, and the way back."""
        flow = self._as_flow()
        # The body may learn the elements' shape while it is traced; the array outside keeps what it knows.
        return [flow], lambda made: self._like(None, made[0])

    def _for_return(self) -> tuple[list[Any], Any]:
        return [self.stack()], lambda made: self._like(unstack(made[0]), None)

    def _static(self, index: Any) -> int | None:
        if isinstance(index, int | np.integer) and not isinstance(index, bool):
            return int(index)
        if isinstance(index, Tensor):
            array = getattr(index, "_array", None)
            array = constant_value(index) if array is None else array
            return None if array is None else int(array)
        return int(index)

    def _shape_tuple(self) -> Any:
        shape = self._element_shape
        return None if shape.rank is None else tuple(shape)

    def _learned(self, value: Any) -> TensorShape:
        if not self._infer:
            return self._element_shape
        if not self._element_shape.is_compatible_with(value.shape):
            raise ValueError(
                f"Inconsistent shapes: saw {value.shape} but expected {self._element_shape}. Give the TensorArray "
                "infer_shape=False for elements of several shapes."
            )
        return self._element_shape.merge_with(value.shape)

    def _admitted(self, value: Any) -> Any:
        tensor = (
            convert(value)
            if isinstance(value, Tensor) or hasattr(value, "_read_array")
            else convert(value, self._dtype)
        )
        if tensor.dtype is not self._dtype:
            raise errors.dtype_error(
                "TensorArray",
                f"TensorArray dtype is {self._dtype.name} but op is trying to write dtype {tensor.dtype.name}.",
            )
        return tensor

    # ------------------------------------------------------------------------------------------- reading and writing

    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with `value` at `index`.

        Raises:
            OutOfRangeError: If `index` is behind the end and the size is fixed.
            ValueError: If the element's shape differs from that of the others.
        """
        tensor = self._admitted(value)
        element = self._learned(tensor)
        position = self._static(index) if self._items is not None else None
        if position is None:
            flow = lists.list_set(self._as_flow(), convert(index), tensor, grow=self._dynamic)
            return self._like(None, flow, element)
        items = self._items if context.graph is None else list(self._items or [])
        assert items is not None
        if position < 0 or position >= len(items) and not self._dynamic:
            raise errors.OutOfRangeError(
                f"Tried to write to index {position} but array is not resizeable and size is: {len(items)}",
                kind="index",
            )
        items.extend([_NOTHING] * (position + 1 - len(items)))
        items[position] = tensor
        if context.graph is None:
            self._element_shape = element
            return self
        return self._like(items, None, element)

    def read(self, index: Any, name: str | None = None) -> Any:
        """The element at `index`.

        Raises:
            OutOfRangeError: If there is none.
        """
        position = self._static(index) if self._items is not None else None
        if position is None:
            return lists.list_get(
                self._as_flow(), convert(index), dtype=self._dtype, shape=self._shape_tuple()
            )
        items = self._items or []
        if not 0 <= position < len(items):
            raise errors.OutOfRangeError(
                f"Tried to read from index {position} but array size is: {len(items)}", kind="index"
            )
        return self._present(items[position], position)

    def _present(self, item: Any, position: int) -> Any:
        if item is not _NOTHING:
            return item
        if self._element_shape.is_fully_defined():
            return zeros(tuple(self._element_shape), self._dtype)
        raise errors.value_error(
            "TensorArray",
            f"Could not read index {position}: it was not written, and its shape is not known.",
        )

    def stack(self, name: str | None = None) -> Any:
        """The elements along a new first axis."""
        if self._items is None:
            return lists.list_stack(self._flow, dtype=self._dtype, shape=self._shape_tuple())
        if not self._items:
            shape = self._element_shape
            return zeros(
                [0, *(0 if d is None else d for d in (shape if shape.rank is not None else ()))],
                self._dtype,
            )
        known = next((TensorShape(i.shape) for i in self._items if i is not _NOTHING), None)
        if (
            known is not None
            and not self._element_shape.is_fully_defined()
            and known.is_fully_defined()
        ):
            self._element_shape = known
        return stack([self._present(item, i) for i, item in enumerate(self._items)])

    def gather(self, indices: Any, name: str | None = None) -> Any:
        """The elements at `indices`, along a new first axis."""
        return gather(self.stack(), indices)

    def concat(self, name: str | None = None) -> Any:
        """The elements joined along their first axis."""
        if self._items is None:
            return lists.list_concat(self._flow, dtype=self._dtype, shape=self._shape_tuple())
        if not self._items:
            return zeros([0], self._dtype)
        return concat([self._present(item, i) for i, item in enumerate(self._items)], axis=0)

    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        """The array filled with the rows of `value`."""
        tensor = self._admitted(value)
        if tensor.shape.rank == 0:
            raise errors.shape_error(
                "TensorArray", "unstack takes a tensor of rank 1 at least, got a scalar."
            )
        element = tensor.shape[1:] if tensor.shape.rank is not None else TensorShape(None)
        if tensor.shape.rank is None or tensor.shape[0] is None:
            return self._like(None, lists.list_from(tensor), element)
        made = self._like(list(unstack(tensor)), None, element)
        if context.graph is None:
            self.__dict__.update(made.__dict__)
            return self
        return made

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with the rows of `value` at `indices`."""
        tensor = self._admitted(value)
        positions = convert(indices)
        array = getattr(positions, "_array", constant_value(positions))
        if array is None:
            raise errors.UnimplementedError(
                "TensorArray.scatter needs indices that are known when the graph is built."
            )
        result = self
        for i, row in zip(array.tolist(), unstack(tensor, len(array)), strict=True):
            result = result.write(i, row)
        return result

    def split(self, value: Any, lengths: Any, name: str | None = None) -> TensorArray:
        """The array filled with parts of `value`, cut along its first axis."""
        tensor = self._admitted(value)
        array = (
            np.asarray(lengths)
            if not isinstance(lengths, Tensor)
            else getattr(lengths, "_array", constant_value(lengths))
        )
        loose = (
            TensorShape(None)
            if tensor.shape.rank is None
            else TensorShape([None, *tensor.shape[1:]])
        )
        if array is None:
            return self._like(None, lists.list_split(tensor, lengths), loose)
        made = self._like(list(split(tensor, array.tolist(), axis=0)), None, loose)
        if context.graph is None:
            self.__dict__.update(made.__dict__)
            return self
        return made

    def grad(self, source: Any, flow: Any = None, name: str | None = None) -> Any:
        """Refused: gradients flow through TensorArrays by themselves."""
        raise NotImplementedError(
            "TensorArray.grad is not needed: take the gradient with a GradientTape."
        )

    def identity(self) -> TensorArray:
        """An array of the same elements."""
        return self._like(None if self._items is None else list(self._items), self._flow)

    def mark_used(self) -> None:
        """Accepted for TensorFlow's sake."""

    def close(self, name: str | None = None) -> None:
        """Forgets the elements."""
        if self._items is not None:
            self._items = [_NOTHING] * len(self._items)

    def __repr__(self) -> str:
        count = "?" if self._items is None else len(self._items)
        return f"<TensorArray dtype={self._dtype.name} size={count} element_shape={self._element_shape}>"


TensorArray.__module__ = "eagercore"
