"""Steps that put elements together and take them apart: batch, padded_batch, unbatch, window, group_by_window."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..base import errors
from ..base.shapes import TensorShape, TensorSpec, as_shape
from ..core.tensor import EagerTensor, convert
from . import structure
from .sources import Given
from .step import UNKNOWN, Run, Step, as_dataset
from .transforms import dataset_of


def _positive(size: int, name: str, op: str) -> int:
    if size < 1:
        raise errors.value_error(op, f"`{name}` must be greater than zero, got {size}.")
    return size


class _Batches(Step):
    """What batch and padded_batch share."""

    def __init__(self, source: Step, batch_size: int, drop_remainder: bool) -> None:
        super().__init__(source)
        self.batch_size = _positive(batch_size, "batch_size", "BatchDataset")
        self.drop_remainder = drop_remainder

    def chunks(self, items: Iterator[Any]) -> Iterator[list[Any]]:
        """The items in lists of the batch size."""
        while True:
            chunk = list(itertools.islice(items, self.batch_size))
            if not chunk or (self.drop_remainder and len(chunk) < self.batch_size):
                return
            yield chunk

    def cardinality(self) -> int:
        """Number of batches."""
        count, size = self.inputs[0].cardinality(), self.batch_size
        if count < 0:
            return count
        return count // size if self.drop_remainder else -(-count // size)

    @property
    def rows(self) -> int | None:
        """First dimension of a batch, as far as it is known."""
        return self.batch_size if self.drop_remainder else None


class Batch(_Batches):
    """Elements put together along a new first dimension."""

    label = "BatchDataset"

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass."""
        source = self.inputs[0]
        if source.store is not None:
            return map(source.store.gather, self.chunks(source.indices(run)))
        return map(self._together, self.chunks(source.iterate(run)))

    def _together(self, elements: list[Any]) -> Any:
        return together(elements)

    def describe(self) -> Any:
        """The input's specs with a dimension in front."""
        return structure.map_components(self._batched, self.inputs[0].spec)

    def _batched(self, spec: Any) -> Any:
        if isinstance(spec, structure.DatasetSpec):
            return structure.DatasetSpec(spec.element_spec, [self.rows])
        return TensorSpec(TensorShape([self.rows]).concatenate(spec.shape), spec.dtype)

    def example(self, rows: int = 2) -> Any:
        """An example several times."""
        return together([self.inputs[0].example(rows)] * (self.rows or rows))


def together(elements: list[Any]) -> Any:
    """Elements of one structure as one batch."""
    first = elements[0]
    if type(first) is EagerTensor:
        return structure.stacked(elements, 0)
    flatten = structure.flattener(first)
    columns = zip(*map(flatten, elements))
    return structure.packer(first)(
        [structure.stacked(list(c), place) for place, c in enumerate(columns)]
    )


class PaddedBatch(_Batches):
    """Elements padded to one shape and put together."""

    label = "PaddedBatchDataset"

    def __init__(
        self,
        source: Step,
        batch_size: int,
        padded_shapes: Any,
        padding_values: Any,
        drop_remainder: bool,
    ) -> None:
        super().__init__(source, batch_size, drop_remainder)
        self.padded_shapes, self.padding_values = padded_shapes, padding_values

    def _shapes(self, template: Any, count: int) -> list[Any]:
        if self.padded_shapes is None:
            return [None] * count
        found = structure.flatten_up_to(template, self.padded_shapes, "padded_shapes")
        return [_padded_shape(shape) for shape in found]

    def _values(self, template: Any, count: int) -> list[Any]:
        values = self.padding_values
        if values is None or not structure.is_structure(values):
            return [values] * count
        return structure.flatten_up_to(template, values, "padding_values")

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass."""
        for chunk in self.chunks(self.inputs[0].iterate(run)):
            first = chunk[0]
            columns = list(zip(*map(structure.flattener(first), chunk)))
            shapes = self._shapes(first, len(columns))
            values = self._values(first, len(columns))
            parts = [
                padded(list(c), s, v, i) for i, (c, s, v) in enumerate(zip(columns, shapes, values))
            ]
            yield structure.packer(first)(parts)

    def describe(self) -> Any:
        """The padded shapes with a dimension in front."""
        spec = self.inputs[0].spec
        parts = structure.flatten(spec)
        made = []
        for part, shape in zip(parts, self._shapes(spec, len(parts))):
            if shape is None:
                dims = (
                    None
                    if part.shape.rank is None
                    else [None if d is None else d for d in part.shape]
                )
                made.append(TensorSpec(None if dims is None else [self.rows, *dims], part.dtype))
            else:
                made.append(TensorSpec([self.rows, *shape], part.dtype))
        return structure.packer(spec)(made)

    def example(self, rows: int = 2) -> Any:
        """A batch of an example."""
        return next(PaddedBatch(Given([self.inputs[0].example(rows)] * rows, None), rows, self.padded_shapes,
                                self.padding_values, False).iterate(Run()))  # fmt: skip


def _padded_shape(shape: Any) -> tuple[int | None, ...]:
    if hasattr(shape, "_read_array"):
        shape = shape._read_array()
    if isinstance(shape, np.ndarray):
        shape = shape.reshape(-1).tolist()
    if shape is None:
        return ()
    dims = as_shape([None if d is None or d == -1 else d for d in shape])
    return tuple(dims)


def padded(parts: list[EagerTensor], shape: Any, value: Any, place: int) -> EagerTensor:
    """Tensors padded at their ends to one shape, as one batch.

    Raises:
        InvalidArgumentError: If a tensor is larger than `shape` or of another rank.
    """
    arrays = [part._array for part in parts]
    rank = arrays[0].ndim
    largest = (
        [max(a.shape[d] for a in arrays) for d in range(rank)]
        if all(a.ndim == rank for a in arrays)
        else None
    )
    if largest is None or (shape is not None and len(shape) != rank):
        found = [list(a.shape) for a in arrays[:3]]
        raise errors.shape_error(
            "PaddedBatchDataset",
            "All elements in a batch must have the same rank as the padded shape for "
            f"component {place}: the padded shape "
            f"is {None if shape is None else list(shape)} and elements have shapes {found}.",
        )
    wanted = (
        largest if shape is None else [big if d is None else d for d, big in zip(shape, largest)]
    )
    if any(w < big for w, big in zip(wanted, largest)):
        raise errors.shape_error(
            "PaddedBatchDataset",
            f"Attempted to pad to a smaller size than the input element: component {place} has an element of shape "
            f"{largest} and `padded_shapes` says {list(shape)}.",
        )
    out = np.full([len(arrays), *wanted], _filler(value, parts[0].dtype), arrays[0].dtype)
    for position, array in enumerate(arrays):
        out[(position, *map(slice, array.shape))] = array if rank else array[()]
    return EagerTensor(out)


def _filler(value: Any, dtype: Any) -> Any:
    if value is None:
        return b"" if dtype.kind == "S" else dtype.as_numpy_dtype(0)
    made = convert(value, None if hasattr(value, "_read_array") else dtype)
    if made.dtype is not dtype:
        raise TypeError(
            f"`padding_values` has dtype {made.dtype.name} for a component of dtype {dtype.name}."
        )
    return made._array[()]


class Unbatch(Step):
    """Elements taken apart along their first dimension."""

    label = "_UnbatchDataset"

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass."""
        for element in self.inputs[0].iterate(run):
            pack = structure.packer(element)
            parts = structure.flatten(element)
            lengths = {part.shape[0] if part.shape.rank else -1 for part in parts}
            if len(lengths) != 1 or -1 in lengths:
                raise errors.shape_error(
                    "UnbatchDataset",
                    "unbatch needs components of one first dimension, got shapes "
                    f"{', '.join(str(part.shape) for part in parts)}.",
                )
            for row in range(lengths.pop()):
                yield pack([structure.row_of(part, row) for part in parts])

    def describe(self) -> Any:
        """The input's specs without the first dimension."""
        return structure.map_components(structure.without_rows, self.inputs[0].spec)

    def example(self, rows: int = 2) -> Any:
        """A row of an example."""
        return structure.map_components(
            lambda part: structure.row_of(part, 0), self.inputs[0].example(rows)
        )

    def cardinality(self) -> int:
        """Known when the first dimension is."""
        count = self.inputs[0].cardinality()
        if count < 0:
            return count
        sizes = {
            s.shape[0] if s.shape.rank else None for s in structure.flatten(self.inputs[0].spec)
        }
        size = sizes.pop() if len(sizes) == 1 else None
        return UNKNOWN if size is None else count * size


class Rebatch(Step):
    """Batches of other sizes, taken in turn from a list of sizes."""

    label = "_RebatchDataset"

    def __init__(self, source: Step, sizes: list[int], drop_remainder: bool) -> None:
        super().__init__(source)
        self.sizes = [_positive(size, "batch_size", "RebatchDataset") for size in sizes]
        self.drop_remainder = drop_remainder

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass."""
        rows = Unbatch(self.inputs[0]).iterate(run)
        for size in itertools.cycle(self.sizes):
            chunk = list(itertools.islice(rows, size))
            if not chunk or (self.drop_remainder and len(chunk) < size):
                return
            yield together(chunk)

    def describe(self) -> Any:
        """The input's specs with another first dimension."""
        size = self.sizes[0] if self.drop_remainder and len(set(self.sizes)) == 1 else None
        return structure.map_components(
            lambda s: TensorSpec(TensorShape([size]).concatenate(s.shape[1:]), s.dtype),
            self.inputs[0].spec,
        )


class Window(Step):
    """Neighbouring elements as datasets."""

    label = "WindowDataset"

    def __init__(
        self, source: Step, size: int, shift: int, stride: int, drop_remainder: bool
    ) -> None:
        super().__init__(source)
        self.size = _positive(size, "size", "WindowDataset")
        self.shift = _positive(shift, "shift", "WindowDataset")
        self.stride = _positive(stride, "stride", "WindowDataset")
        self.drop_remainder = drop_remainder

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass; no more than a window's reach is held."""
        source = self.inputs[0].iterate(run)
        reach = (self.size - 1) * self.stride + 1
        held: deque[Any] = deque()
        while True:
            held.extend(itertools.islice(source, reach - len(held)))
            if not held or (self.drop_remainder and len(held) < reach):
                return
            yield self._dataset(list(itertools.islice(held, 0, None, self.stride)))
            for _ in range(self.shift):
                if held:
                    held.popleft()
                elif next(source, self) is self:
                    return

    def _dataset(self, elements: list[Any]) -> Any:
        spec = self.inputs[0].spec
        if structure.is_structure(spec):
            columns = list(zip(*map(self.inputs[0].flatten, elements)))
            parts = structure.flatten(spec)
            made = [as_dataset(Given(list(c), s)) for c, s in zip(columns, parts)]
            return structure.packer(spec)(made)
        return as_dataset(Given(elements, spec))

    def describe(self) -> Any:
        """Datasets of the components."""
        return structure.map_components(structure.DatasetSpec, self.inputs[0].spec)

    def example(self, rows: int = 2) -> Any:
        """A window of an example."""
        return self._dataset([self.inputs[0].example(rows)] * self.size)

    def cardinality(self) -> int:
        """Number of windows."""
        count = self.inputs[0].cardinality()
        if count < 0:
            return count
        reach = (self.size - 1) * self.stride + 1
        if self.drop_remainder:
            return max(0, (count - reach) // self.shift + 1)
        return -(-count // self.shift)


class GroupByWindow(Step):
    """Elements of one key, in windows that a function makes datasets of."""

    label = "_GroupByWindowDataset"
    costly = True

    def __init__(
        self,
        source: Step,
        key_function: Any,
        reduce_function: Any,
        size_function: Callable[[Any], int],
    ) -> None:
        super().__init__(source, functions=[key_function, reduce_function])
        self.size_function = size_function

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass; what is left at the end comes in the order of the keys."""
        key_of = run.caller(self.functions[0])
        reduce = run.caller(self.functions[1], None)
        groups: dict[int, list[Any]] = {}
        for element in self.inputs[0].iterate(run):
            key = _key(key_of(element))
            group = groups.setdefault(key, [])
            group.append(element)
            if len(group) >= _positive(self.size_function(key), "window_size", self.label):
                yield from self._reduced(reduce, key, groups.pop(key))
        for key in sorted(groups):
            yield from self._reduced(reduce, key, groups[key])

    def _reduced(self, reduce: Callable[[Any], Any], key: int, group: list[Any]) -> Iterator[Any]:
        window = as_dataset(Given(group, self.inputs[0].spec))
        result = reduce((EagerTensor(np.array(key, np.int64)), window))
        return dataset_of(result, "group_by_window").iterate(Run())

    def describe(self) -> Any:
        """Specs of what the reducing function's datasets give."""
        return self._result(2).spec

    def _result(self, rows: int) -> Step:
        example = self.inputs[0].example(rows)
        key = _key(Run().caller(self.functions[0])(example))
        window = as_dataset(Given([example] * rows, self.inputs[0].spec))
        pair = (EagerTensor(np.array(key, np.int64)), window)
        return dataset_of(Run().caller(self.functions[1], None)(pair), "group_by_window")

    def example(self, rows: int = 2) -> Any:
        """What the reducing function makes of an example."""
        return self._result(rows).example(rows)


def _key(value: Any) -> int:
    array = value._array
    if array.dtype.kind not in "iu" or array.ndim:
        raise ValueError(
            f"`key_func` must return a single tf.int64 scalar, got {value.dtype.name} of shape {value.shape}. "
            "Cast it: tf.cast(key, tf.int64)."
        )
    return int(array)
