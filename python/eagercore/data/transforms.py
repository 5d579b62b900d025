"""Steps that work on elements one by one: map, filter, flat_map, interleave, zip, concatenate, scan and their like."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..backend import threads
from ..base import dtypes, errors
from ..base.context import settings
from ..base.shapes import TensorSpec
from ..core.tensor import EagerTensor
from . import structure
from .step import INFINITE, UNKNOWN, Run, Step, as_step, function_spec


class Map(Step):
    """A function of each element, called one after the other."""

    label = "MapDataset"
    costly = True

    def __init__(self, source: Step, function: Callable[..., Any]) -> None:
        if not callable(function):
            raise TypeError(f"`map_func` must be a function, got {function!r}.")
        super().__init__(source, functions=[function])

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass. The built-in map goes on after an error, so that ignore_errors can."""
        return map(run.caller(self.functions[0]), self.inputs[0].iterate(run))

    def describe(self) -> Any:
        """Specs of what the function gives, found by calling it on an example."""
        return function_spec(self.functions[0], self.inputs[0])

    def example(self, rows: int = 2) -> Any:
        """The function of an example."""
        return Run().caller(self.functions[0])(self.inputs[0].example(rows))

    def cardinality(self) -> int:
        """As many as the input has."""
        return self.inputs[0].cardinality()


class ParallelMap(Map):
    """A function of each element, called by several threads; the order stays."""

    def __init__(self, source: Step, function: Callable[..., Any], calls: int) -> None:
        super().__init__(source, function)
        self.calls = calls

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass; in the calling thread alone when a function of the chain must stay there."""
        if self.main_thread_only or self.calls == 1:
            return super().iterate(run)
        from .parallel import OrderedMap

        workers = threads.available() if self.calls < 0 else self.calls
        return OrderedMap(run.caller(self.functions[0]), self.inputs[0].iterate(run), workers)


class Filter(Step):
    """The elements for which a function is true."""

    label = "FilterDataset"
    costly = True

    def __init__(self, source: Step, predicate: Callable[..., Any]) -> None:
        super().__init__(source, functions=[predicate])

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass."""
        return filter(run.caller(self.functions[0], truth), self.inputs[0].iterate(run))

    def example(self, rows: int = 2) -> Any:
        """Some element of the input: it has the same specs."""
        return self.inputs[0].example(rows)


def truth(value: Any) -> bool:
    """A predicate's answer.

    Raises:
        ValueError: If it is no scalar of type bool.
    """
    array = value._read_array() if hasattr(value, "_read_array") else np.asarray(value)
    if array.dtype != np.bool_ or array.ndim:
        raise ValueError(
            "A predicate must return a scalar bool, got "
            f"{dtypes.of_array(array).name if array.dtype.kind != 'U' else 'string'} of "
            f"shape {array.shape}. Compare, as in "
            "lambda x: x > 0, or use tf.reduce_all / tf.reduce_any."
        )
    return bool(array)


class TakeWhile(Step):
    """The elements before the first for which a function is false."""

    label = "TakeWhileDataset"
    costly = True

    def __init__(self, source: Step, predicate: Callable[..., Any]) -> None:
        super().__init__(source, functions=[predicate])

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass."""
        return itertools.takewhile(
            run.caller(self.functions[0], truth), self.inputs[0].iterate(run)
        )

    def example(self, rows: int = 2) -> Any:
        """Some element of the input."""
        return self.inputs[0].example(rows)


class FlatMap(Step):
    """The elements of the datasets that a function gives, one dataset after the other."""

    label = "FlatMapDataset"
    costly = True

    def __init__(self, source: Step, function: Callable[..., Any]) -> None:
        super().__init__(source, functions=[function])

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass."""
        call = run.caller(self.functions[0], None)
        for element in self.inputs[0].iterate(run):
            yield from dataset_of(call(element), self.label).iterate(Run())

    def describe(self) -> Any:
        """Specs of the datasets' elements."""
        return self._example_step(2).spec

    def _example_step(self, rows: int) -> Step:
        return dataset_of(
            Run().caller(self.functions[0], None)(self.inputs[0].example(rows)), self.label
        )

    def example(self, rows: int = 2) -> Any:
        """An element of an example's dataset."""
        return self._example_step(rows).example(rows)


def dataset_of(value: Any, label: str) -> Step:
    """The step behind a dataset that a function gave."""
    verb = (
        "flat_map"
        if label == "FlatMapDataset"
        else "interleave"
        if "Interleave" in label
        else label
    )
    if getattr(value, "_step", None) is None:
        raise TypeError(
            f"The `map_func` of {verb} must return a `Dataset` object, got {value!r} of type {type(value).__name__}. "
            "Wrap it: tf.data.Dataset.from_tensors(value)."
        )
    return value._step


class Interleave(FlatMap):
    """The elements of the datasets that a function gives, in turn from several of them."""

    label = "InterleaveDataset"

    def __init__(
        self, source: Step, function: Callable[..., Any], cycle_length: int, block_length: int
    ) -> None:
        super().__init__(source, function)
        if cycle_length < 1:
            raise errors.value_error(
                "InterleaveDataset", f"`cycle_length` must be > 0, got {cycle_length}."
            )
        if block_length < 1:
            raise errors.value_error(
                "InterleaveDataset", f"`block_length` must be > 0, got {block_length}."
            )
        self.cycle_length, self.block_length = cycle_length, block_length

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass: a place of the cycle whose dataset ends takes the next one when its turn comes."""
        call = run.caller(self.functions[0], None)
        source = self.inputs[0].iterate(run)
        cycle: list[Iterator[Any] | None] = [None] * self.cycle_length
        place = taken = opened = 0
        more = True
        while more or opened:
            current = cycle[place]
            if current is not None:
                try:
                    element = next(current)
                except StopIteration:
                    cycle[place] = None
                    opened -= 1
                else:
                    yield element
                    taken += 1
                    if taken < self.block_length:
                        continue
            elif more:
                try:
                    cycle[place] = dataset_of(call(next(source)), self.label).iterate(Run())
                    opened += 1
                except StopIteration:
                    more = False
                continue
            place, taken = (place + 1) % self.cycle_length, 0


class Zip(Step):
    """Elements of several datasets side by side, until the shortest ends."""

    label = "ZipDataset"

    def __init__(self, datasets: Any) -> None:
        self.template = structure.map_components(lambda d: as_step(d, "Dataset.zip"), datasets)
        super().__init__(*structure.flatten(self.template))
        self.pack = structure.packer(self.template)

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass."""
        passes = [step.iterate(run) for step in self.inputs]
        return zip(*passes) if self.pack is tuple else map(self.pack, zip(*passes))

    def describe(self) -> Any:
        """Specs side by side."""
        return structure.map_components(lambda step: step.spec, self.template)

    def example(self, rows: int = 2) -> Any:
        """Examples side by side."""
        return structure.map_components(lambda step: step.example(rows), self.template)

    def cardinality(self) -> int:
        """That of the shortest."""
        counts = [step.cardinality() for step in self.inputs]
        if UNKNOWN in counts:
            return UNKNOWN
        return min((c for c in counts if c != INFINITE), default=INFINITE)


class Concatenate(Step):
    """One dataset after another."""

    label = "ConcatenateDataset"

    def __init__(self, *inputs: Step) -> None:
        super().__init__(*inputs)
        # Where it costs no call of a user's function, what does not fit is told at once.
        if not any(step.functions for step in self.walk()):
            _ = self.spec

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass."""
        return itertools.chain.from_iterable(step.iterate(run) for step in self.inputs)

    def describe(self) -> Any:
        """Specs of both."""
        first, second = (step.spec for step in self.inputs)
        types = [structure.legacy_types(s) for s in (first, second)]
        if types[0] != types[1]:
            raise TypeError(
                f"Cannot concatenate datasets of different element types or structures: {types[0]} and {types[1]}."
            )
        return structure.loosen(first, second)

    def cardinality(self) -> int:
        """The sum."""
        counts = [step.cardinality() for step in self.inputs]
        if INFINITE in counts:
            return INFINITE
        return UNKNOWN if UNKNOWN in counts else sum(counts)

    def example(self, rows: int = 2) -> Any:
        """An example of the first, or of the second when it is empty."""
        return self.inputs[0 if self.inputs[0].cardinality() else 1].example(rows)


class Enumerate(Step):
    """Elements with their numbers."""

    label = "EnumerateDataset"

    def __init__(self, source: Step, start: int) -> None:
        super().__init__(source)
        self.start = start

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass."""
        numbers = (EagerTensor(np.array(n, np.int64)) for n in itertools.count(self.start))
        return zip(numbers, self.inputs[0].iterate(run))

    def describe(self) -> Any:
        """A number and the input's specs."""
        return TensorSpec([], dtypes.int64), self.inputs[0].spec

    def example(self, rows: int = 2) -> Any:
        """An example with the first number."""
        return EagerTensor(np.array(self.start, np.int64)), self.inputs[0].example(rows)

    def cardinality(self) -> int:
        """As many as the input has."""
        return self.inputs[0].cardinality()


class Scan(Step):
    """A function of the state and each element, which gives the new state and what comes out."""

    label = "ScanDataset"
    costly = True

    def __init__(self, source: Step, initial_state: Any, function: Callable[..., Any]) -> None:
        super().__init__(source, functions=[function])
        self.initial_state = structure.to_element(initial_state)

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass."""
        state, call = self.initial_state, _with_state(run, self.functions[0])
        for element in self.inputs[0].iterate(run):
            state, output = _pair(call((state, element)), "scan")
            yield output

    def describe(self) -> Any:
        """Specs of what comes out."""
        try:
            return structure.specs_of(self.example())
        except StopIteration:
            return None

    def example(self, rows: int = 2) -> Any:
        """What comes out for an example."""
        return _pair(
            _with_state(Run(), self.functions[0])(
                (self.initial_state, self.inputs[0].example(rows))
            ),
            "scan",
        )[1]

    def cardinality(self) -> int:
        """As many as the input has."""
        return self.inputs[0].cardinality()


def _with_state(run: Run, function: Callable[..., Any]) -> Callable[[Any], Any]:
    """The function of (state, element): neither is unpacked."""
    return run.caller(
        lambda state, element: function(state, element), structure.to_element, owner=function
    )


def _pair(result: Any, verb: str) -> Any:
    if not isinstance(result, tuple) or len(result) != 2:
        raise TypeError(
            f"The function given to {verb} must return (new state, output), got {result!r}."
        )
    return result


def reduce(source: Step, initial_state: Any, function: Callable[..., Any]) -> Any:
    """The last state of `function(state, element)` over all elements."""
    run = Run()
    state, call = structure.to_element(initial_state), _with_state(run, function)
    kinds = structure.map_components(lambda t: t.dtype, state)
    for element in source.iterate(run):
        if settings.between_steps is not None:
            settings.between_steps()
        state = call((state, element))
        found = structure.map_components(lambda t: t.dtype, state)
        if found != kinds:
            raise errors.dtype_error(
                "ReduceDataset",
                f"The element types for the new state must match the initial state. Expected {kinds}, got {found}: "
                "give an initial state of the result's type, as in np.int64(0).",
            )
    return state


class Unique(Step):
    """Each different element once.

    Raises:
        TypeError: If elements are not scalars of int32, int64 or string.
    """

    label = "UniqueDataset"

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass."""
        seen = set()
        for element in self.inputs[0].iterate(run):
            if not isinstance(element, EagerTensor):
                raise TypeError(f"unique works on datasets of one component each, got {element!r}.")
            value = element._array.tolist()
            key = (
                value
                if not isinstance(value, list)
                else (element._array.tobytes(), element._array.shape)
            )
            if key not in seen:
                seen.add(key)
                yield element


class IgnoreErrors(Step):
    """The elements that come without an error."""

    label = "IgnoreErrorsDataset"

    def __init__(self, source: Step, log_warning: bool) -> None:
        super().__init__(source)
        self.log_warning = log_warning

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass."""
        source = self.inputs[0].iterate(run)
        while True:
            try:
                element = next(source)
            except StopIteration:
                return
            except Exception as error:
                if self.log_warning:
                    import logging

                    logging.getLogger("eagercore").warning(
                        "Dataset.ignore_errors left out an element: %s", error
                    )
                continue
            yield element


class AssertCardinality(Step):
    """The input, of which the number of elements is said."""

    label = "_AssertCardinalityDataset"

    def __init__(self, source: Step, count: int) -> None:
        super().__init__(source)
        self.count = count

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass; an error when the number turns out to be wrong."""
        seen = 0
        for element in self.inputs[0].iterate(run):
            seen += 1
            if 0 <= self.count < seen:
                raise self._wrong("more")
            yield element
        if seen < self.count or self.count == INFINITE:
            raise self._wrong(str(seen))

    def _wrong(self, found: str) -> Exception:
        return errors.FailedPreconditionError(
            f"Input dataset was expected to contain {'infinitely many' if self.count < 0 else self.count} elements but "
            f"contained {found}{' than that' if found == 'more' else ''}."
        )

    def cardinality(self) -> int:
        """What was said."""
        return self.count


class Labelled(Step):
    """The input under another name, with options."""

    label = "_OptionsDataset"

    def __init__(self, source: Step, options: Any = None) -> None:
        super().__init__(source)
        self.options = options
        self.store = source.store

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass."""
        return self.inputs[0].iterate(run)

    def indices(self, run: Run) -> Iterator[int]:
        """A new pass over the rows."""
        return self.inputs[0].indices(run)

    def example(self, rows: int = 2) -> Any:
        """Some element."""
        return self.inputs[0].example(rows)

    def cardinality(self) -> int:
        """As many as the input has."""
        return self.inputs[0].cardinality()
