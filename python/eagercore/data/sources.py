"""Steps with which a pipeline begins: tensors in memory, ranges, generators, random numbers."""

from __future__ import annotations

import itertools
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..base import dtypes, errors
from ..base.philox import Philox, SingleWords
from ..base.seeds import entropy, seeds_of
from ..base.shapes import TensorShape, TensorSpec, as_shape
from ..core.tensor import EagerTensor, convert
from . import structure
from .step import INFINITE, UNKNOWN, Run, Step


class Rows:
    """Arrays of one length whose rows are elements."""

    def __init__(self, template: Any, arrays: list[np.ndarray]) -> None:
        self.arrays = arrays
        self.pack = structure.packer(template)
        self.single = not structure.is_structure(template)

    def items(self, indices: Iterator[int]) -> Iterator[Any]:
        """The elements at `indices`: views, no copies."""
        arrays, pack = self.arrays, self.pack
        if self.single:
            array = arrays[0]
            return (EagerTensor(array[i, ...]) for i in indices)
        return (pack([EagerTensor(array[i, ...]) for array in arrays]) for i in indices)

    def gather(self, rows: list[int]) -> Any:
        """The elements at `rows` as one batch: a view when they stand in order, else one gather an array."""
        first, count = rows[0], len(rows)
        if rows[-1] - first == count - 1 and rows == list(range(first, first + count)):
            return self.pack([EagerTensor(array[first : first + count]) for array in self.arrays])
        index = np.array(rows)
        return self.pack([EagerTensor(array.take(index, axis=0)) for array in self.arrays])


class Numbers:
    """The numbers of a range as rows that are computed."""

    def __init__(self, numbers: range, dtype: Any) -> None:
        self.numbers, self.dtype = numbers, dtype

    def items(self, indices: Iterator[int]) -> Iterator[Any]:
        """The elements at `indices`."""
        numbers, dtype = self.numbers, self.dtype
        return (EagerTensor(np.array(numbers[i], dtype)) for i in indices)

    def gather(self, rows: list[int]) -> Any:
        """The elements at `rows` as one batch."""
        index = np.array(rows, np.int64)
        return EagerTensor((self.numbers.start + self.numbers.step * index).astype(self.dtype))


class TensorSlices(Step):
    """Slices of tensors along the first dimension.

    Raises:
        ValueError: If a tensor is a scalar or first dimensions differ.
    """

    label = "TensorSliceDataset"

    def __init__(self, tensors: Any) -> None:
        super().__init__()
        self.tensors = structure.to_element(tensors)
        parts = structure.flatten(self.tensors)
        if not parts:
            raise ValueError(
                "from_tensor_slices needs at least one tensor, got an empty structure."
            )
        for part in parts:
            if type(part) is not EagerTensor:
                raise ValueError(f"from_tensor_slices takes tensors and arrays, got {part!r}.")
            if part._array.ndim == 0:
                raise ValueError(
                    "Unbatching a tensor is only supported for rank >= 1: from_tensor_slices slices along the first "
                    "dimension and got a scalar. Use from_tensors for one element."
                )
        self.count = len(parts[0]._array)
        self._check_lengths(parts)
        self.store = Rows(self.tensors, [part._array for part in parts])

    def _check_lengths(self, parts: list[Any]) -> None:
        for part in parts:
            if len(part._array) != self.count:
                shapes = ", ".join(str(p.shape) for p in parts)
                raise ValueError(
                    f"Dimensions {self.count} and {len(part._array)} are not compatible: from_tensor_slices slices all "
                    f"components along their first dimension, which must be the same. Got shapes {shapes}."
                )

    def indices(self, run: Run) -> Iterator[int]:
        """A new pass over the rows."""
        return iter(range(self.count))

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass over the elements."""
        return self.store.items(self.indices(run))

    def describe(self) -> Any:
        """Structure of specs of the elements."""
        return structure.map_components(
            lambda t: TensorSpec(t._array.shape[1:], t.dtype), self.tensors
        )

    def cardinality(self) -> int:
        """Number of elements."""
        return self.count


class ComponentSlices(Step):
    """Slices along the first dimension of tensors of which some are sparse or ragged.

    Raises:
        ValueError: If the numbers of rows differ.
    """

    label = "TensorSliceDataset"

    def __init__(self, tensors: Any) -> None:
        super().__init__()
        self.tensors = structure.to_element(tensors)
        parts = structure.flatten(self.tensors)
        counts = [part.shape[0] if part.shape.rank else None for part in parts]
        if len(set(counts)) != 1 or counts[0] is None:
            shapes = ", ".join(str(p.shape) for p in parts)
            raise ValueError(
                "from_tensor_slices slices all components along their first dimension, which must be the same. "
                f"Got shapes {shapes}."
            )
        self.count = counts[0]

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass over the rows."""
        for place in range(self.count):
            yield structure.map_components(
                lambda part, place=place: structure.row_of(part, place), self.tensors
            )

    def describe(self) -> Any:
        """Structure of specs of the rows."""
        return structure.map_components(structure.row_spec, self.tensors)

    def cardinality(self) -> int:
        """Number of rows."""
        return self.count


class Tensors(Step):
    """One element."""

    label = "TensorDataset"

    def __init__(self, tensors: Any) -> None:
        super().__init__()
        self.element = structure.to_element(tensors)

    def iterate(self, run: Run) -> Iterator[Any]:
        """The one element."""
        return iter([self.element])

    def describe(self) -> Any:
        """Structure of specs of the element."""
        return structure.specs_of(self.element)

    def cardinality(self) -> int:
        """One."""
        return 1


class Range(Step):
    """The numbers of a range."""

    label = "RangeDataset"

    def __init__(self, numbers: range, dtype: dtypes.DType) -> None:
        super().__init__()
        self.numbers, self.dtype = numbers, dtype
        self.store = Numbers(numbers, dtype.as_numpy_dtype)

    def indices(self, run: Run) -> Iterator[int]:
        """A new pass over the places in the range."""
        return iter(range(len(self.numbers)))

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass over the numbers, made a block at a time."""
        kind = self.dtype.as_numpy_dtype
        numbers, block = self.numbers, 1024
        for start in range(0, len(numbers), block):
            part = numbers[start : start + block]
            values = (part.start + part.step * np.arange(len(part), dtype=np.int64)).astype(kind)
            for place in range(len(part)):
                yield EagerTensor(values[place, ...])

    def describe(self) -> Any:
        """Spec of a number."""
        return TensorSpec([], self.dtype)

    def cardinality(self) -> int:
        """Number of elements."""
        return len(self.numbers)


class Generated(Step):
    """What a Python generator yields, held to the declared types and shapes."""

    label = "FlatMapDataset"
    costly = True

    def __init__(self, generator: Callable[..., Any], args: tuple[Any, ...], spec: Any) -> None:
        super().__init__(functions=[generator])
        self.generator, self.args, self._spec = generator, args, spec

    def describe(self) -> Any:
        """The declared specs."""
        return self._spec

    def example(self, rows: int = 2) -> Any:
        """An element of zeros where the shapes are declared, so that the generator is not started; else its first."""
        specs = structure.flatten(self._spec)
        if all(
            isinstance(s, TensorSpec) and s.shape.is_fully_defined() and s.dtype.kind != "S"
            for s in specs
        ):
            return structure.map_components(
                lambda s: EagerTensor(np.zeros(s.shape.as_list(), s.dtype.as_numpy_dtype)),
                self._spec,
            )
        return next(self.iterate(Run()))

    def iterate(self, run: Run) -> Iterator[Any]:
        """Calls the generator function anew."""
        args = [structure.arrays_of(a) if hasattr(a, "numpy") else a for a in self.args]
        try:
            values = iter(self.generator(*args))
        except Exception as error:
            raise _generator_error(error) from error
        while True:
            try:
                value = next(values)
            except StopIteration:
                return
            except Exception as error:
                raise _generator_error(error) from error
            yield self._held(value)

    def _held(self, value: Any) -> Any:
        try:
            parts = structure.flatten_up_to(self._spec, value, "generator")
        except TypeError:
            raise errors.value_error(
                "IteratorGetNext",
                "TypeError: `generator` yielded an element that did not match the expected structure. The expected "
                f"structure was {structure.legacy_types(self._spec)}, but the yielded element was {value!r}.",
            ) from None
        specs = structure.flatten(self._spec)
        return structure.packer(self._spec)([_held_component(p, s) for p, s in zip(parts, specs)])


def _held_component(value: Any, spec: Any) -> Any:
    try:
        made = _as_declared(value, spec.dtype)
    except (TypeError, ValueError) as error:
        raise errors.dtype_error(
            "IteratorGetNext",
            "TypeError: `generator` yielded an element that could not be converted to the expected type. The expected "
            f"type was {spec.dtype.name}, but the yielded element was {value!r}. {error}",
        ) from None
    if not spec.shape.is_compatible_with(made._array.shape):
        raise errors.shape_error(
            "IteratorGetNext",
            f"TypeError: `generator` yielded an element of shape {made.shape} where an "
            f"element of shape {spec.shape} was "
            "expected.",
        )
    return made


def _as_declared(value: Any, dtype: dtypes.DType) -> EagerTensor:
    """The declared type is applied to arrays and tensors too, when they are numbers of the same kind or wider."""
    if hasattr(value, "_read_array"):
        value = value._read_array()
    number = isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "iufcb"
    if number and dtype.kind != "S":
        return EagerTensor(np.array(value, dtype=dtype._numpy()))
    return convert(value, dtype)


def _generator_error(error: Exception) -> Exception:
    if isinstance(error, errors.OpError):
        return error
    lines = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    return errors.InvalidArgumentError(
        f"{type(error).__name__}: {error}\n{lines}\n(raised by the generator given to Dataset.from_generator) "
        "[Op:IteratorGetNext]",
        op="IteratorGetNext",
    )


def generator_spec(output_types: Any, output_shapes: Any, output_signature: Any) -> Any:
    """Specs from the declarations of `from_generator`.

    Raises:
        TypeError: If neither form, or both, are given.
    """
    if output_signature is not None:
        if output_types is not None or output_shapes is not None:
            raise TypeError(
                "from_generator takes `output_signature`, or `output_types` and `output_shapes`, not both."
            )
        return _tuples(output_signature)
    if output_types is None:
        raise TypeError(
            "from_generator needs `output_signature` (or `output_types`): the types of what is yielded."
        )
    types = structure.map_components(dtypes.as_dtype, _tuples(output_types))
    if output_shapes is None:
        return structure.map_components(lambda t: TensorSpec(TensorShape(None), t), types)
    shapes = structure.flatten_up_to(types, output_shapes, "output_shapes")
    kinds = structure.flatten(types)
    return structure.packer(types)([TensorSpec(as_shape(s), t) for s, t in zip(shapes, kinds)])


def _tuples(value: Any) -> Any:
    """Lists of declarations are good for tuples (R's lists arrive as lists)."""
    return tuple(value) if isinstance(value, list) else value


class RandomNumbers(Step):
    """Whole numbers from 0 to 2**32 - 1 without end, by TensorFlow's stream.

    Each iteration gives the same numbers, unless `rerandomize`.
    """

    label = "RandomDataset"

    def __init__(self, seed: Any, rerandomize: bool | None) -> None:
        super().__init__()
        seeds = seeds_of(seed)
        if seeds[0] is None:
            seeds = (entropy(31), entropy(31))
        self.seeds = seeds
        self.dealer = SingleWords(Philox.from_seeds(*seeds)) if rerandomize else None

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass."""
        seeds = self.seeds if self.dealer is None else (self.dealer(), self.dealer())
        words = SingleWords(Philox.from_seeds(*seeds))
        return (EagerTensor(np.array(words(), np.int64)) for _ in itertools.count())

    def describe(self) -> Any:
        """Spec of a number."""
        return TensorSpec([], dtypes.int64)

    def cardinality(self) -> int:
        """Without end."""
        return INFINITE


class Counter(Step):
    """The numbers from `start` without end."""

    label = "CounterDataset"

    def __init__(self, start: int, step: int, dtype: dtypes.DType) -> None:
        super().__init__()
        self.start, self.step, self.dtype = start, step, dtype

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass."""
        kind = self.dtype.as_numpy_dtype
        return (EagerTensor(np.array(n, kind)) for n in itertools.count(self.start, self.step))

    def describe(self) -> Any:
        """Spec of a number."""
        return TensorSpec([], self.dtype)

    def cardinality(self) -> int:
        """Without end."""
        return INFINITE


class Given(Step):
    """Elements at hand, as windows hold them."""

    label = "_VariantDataset"

    def __init__(self, elements: list[Any], spec: Any) -> None:
        super().__init__()
        self.elements, self._spec = elements, spec

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass."""
        return iter(self.elements)

    def describe(self) -> Any:
        """Specs of the elements."""
        if self._spec is None and self.elements:
            return structure.specs_of(self.elements[0])
        return self._spec

    def cardinality(self) -> int:
        """Number of elements."""
        return len(self.elements) if self.elements is not None else UNKNOWN
