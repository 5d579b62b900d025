"""One step of a pipeline: where elements come from, or what is done with those of other steps.

A `Dataset` wraps the last step of a chain. Steps only know each other; each says how it is iterated, what is known
of its elements and how many there are. Nothing runs before it is iterated.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any

from ..base.context import context
from ..base.seeds import Streams, as_function
from . import structure

INFINITE = -1
UNKNOWN = -2


class Step:
    """A step of a pipeline.

    Attributes:
        label: Name that the dataset's repr shows.
        inputs: Steps whose elements this one takes.
        functions: The user's functions that it calls.
        costly: Whether it does work of its own (files, functions) that is worth a thread.
        store: Arrays of which the elements are rows, or None. With a store, `indices` says which rows.
    """

    label = "Dataset"
    costly = False
    store: Any = None

    def __init__(self, *inputs: Step, functions: Iterable[Any] = ()) -> None:
        self.inputs = inputs
        self.functions = tuple(functions)

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass over the elements."""
        raise NotImplementedError

    def indices(self, run: Run) -> Iterator[int]:
        """A new pass over the rows of `store`."""
        raise NotImplementedError

    def describe(self) -> Any:
        """Structure of specs of the elements; see `spec`."""
        return self.inputs[0].spec

    def cardinality(self) -> int:
        """Number of elements, `INFINITE` or `UNKNOWN`."""
        return UNKNOWN

    def example(self, rows: int = 2) -> Any:
        """Some element, to learn from: another one for another number, and batches in it have `rows` rows.

        Raises:
            StopIteration: If there is none.
        """
        found = list(itertools.islice(self.iterate(Run()), rows - 1))
        if not found:
            raise StopIteration
        return found[-1]

    @cached_property
    def spec(self) -> Any:
        """Structure of specs of the elements."""
        return self.describe()

    @cached_property
    def flatten(self) -> Callable[[Any], list[Any]]:
        """Quick function from an element to its components."""
        return structure.flattener(self.spec)

    def walk(self) -> Iterator[Step]:
        """This step and all those it stands on."""
        yield self
        for source in self.inputs:
            yield from source.walk()

    @cached_property
    def main_thread_only(self) -> bool:
        """Whether some function in the chain may only be called in the thread that iterates."""
        return any(is_main_thread_only(f) for step in self.walk() for f in step.functions)

    @cached_property
    def is_costly(self) -> bool:
        """Whether some step of the chain does work that is worth a thread."""
        return any(step.costly for step in self.walk())


class Selection(Step):
    """A step that chooses and orders elements without looking at them.

    When the elements are rows of arrays it works on the row numbers, so that a batch is gathered in one piece.
    """

    def __init__(self, source: Step, **options: Any) -> None:
        super().__init__(source, **options)
        self.store = source.store

    def select(self, begin: Callable[[], Iterator[Any]]) -> Iterator[Any]:
        """The chosen items of passes that `begin()` starts."""
        raise NotImplementedError

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass over the elements."""
        if self.store is not None:
            return self.store.items(self.indices(run))
        return self.select(lambda: self.inputs[0].iterate(run))

    def indices(self, run: Run) -> Iterator[int]:
        """A new pass over the rows."""
        return self.select(lambda: self.inputs[0].indices(run))

    def example(self, rows: int = 2) -> Any:
        """Some element."""
        return self.inputs[0].example(rows)


def is_main_thread_only(function: Any, depth: int = 3) -> bool:
    """Whether `function` may only be called in the thread that iterates.

    So are functions that say it of themselves, R's functions as reticulate wraps them (in another thread they would end
    the whole process), and functions around such functions.
    """
    marked = getattr(function, "__main_thread_only__", None)
    if marked is None:
        marked = getattr(function, "main_thread_only", False)
    module = getattr(function, "__module__", None)
    if marked or (isinstance(module, str) and module.partition(".")[0] == "rpytools"):
        return True
    return depth > 0 and any(is_main_thread_only(f, depth - 1) for f in _functions_within(function))


def _functions_within(function: Any) -> Iterator[Any]:
    """What a function wraps, is bound to or closes over, where that can be called."""
    names = ("__wrapped__", "func", "__func__", "__self__", "python_function")
    found = [getattr(function, name, None) for name in names]
    for cell in getattr(function, "__closure__", None) or ():
        try:
            found.append(cell.cell_contents)
        except ValueError:
            # The variable has no value yet.
            continue
    return (f for f in found if callable(f) and f is not function)


def main_thread_only(function: Callable[..., Any]) -> Callable[..., Any]:
    """Marks a function so that pipelines call it in the thread that iterates, never in a worker.

    Args:
        function: Any callable that takes attributes.

    Returns:
        The same function.

    >>> main_thread_only(lambda x: x).__main_thread_only__
    True
    """
    function.__main_thread_only__ = True  # type: ignore[attr-defined]
    return function


class Run:
    """One iteration by a user: what random ops in functions remember in it, also over the passes of `repeat`."""

    def __init__(self) -> None:
        self._streams: dict[int, tuple[Any, Streams]] = {}

    def caller(
        self,
        function: Callable[..., Any],
        convert: Callable[[Any], Any] | None = structure.to_result,
        owner: Any = None,
    ) -> Callable[[Any], Any]:
        """The user's function as a function of one element.

        Tuples are unpacked into arguments. Tapes do not listen, and random ops in it count as those of a traced
        function: each keeps its own position.
        """
        # What the streams belong to is kept, so that its number stays its own.
        owner = function if owner is None else owner
        _, streams = self._streams.setdefault(id(owner), (owner, Streams()))

        def call(element: Any) -> Any:
            graph, tapes = context.graph, context.tapes
            context.graph, context.tapes = None, ()
            try:
                with as_function(streams):
                    result = function(*element) if isinstance(element, tuple) else function(element)
                    return result if convert is None else convert(result)
            finally:
                context.graph, context.tapes = graph, tapes

        return call


def function_spec(function: Callable[..., Any], source: Step) -> Any:
    """What is known of a function's results on the elements of `source`: it is called on two examples."""
    call = Run().caller(function)
    try:
        made = structure.specs_of(call(source.example(2)))
        return structure.loosen(made, structure.specs_of(call(source.example(3))))
    except StopIteration:
        return None


def as_step(value: Any, verb: str) -> Step:
    """The step behind a dataset.

    Raises:
        TypeError: If `value` is no dataset.
    """
    found = getattr(value, "_step", None)
    if found is None:
        raise TypeError(f"{verb} needs a dataset, got {value!r} of type {type(value).__name__}.")
    return found


def as_dataset(step: Step) -> Any:
    """A dataset around a step, for elements that are datasets."""
    from .dataset import Dataset  # the one place where a step knows the face it wears

    return Dataset(step)


def combine(function: Callable[..., int], *counts: int) -> int:
    """`function` of cardinalities, unless one is unknown."""
    return UNKNOWN if UNKNOWN in counts else function(*counts)
