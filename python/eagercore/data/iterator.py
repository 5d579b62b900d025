"""Iterators over datasets, in the forms of each generation of TensorFlow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..base import errors
from ..base.context import context
from ..core.variable import Variable
from . import structure
from .step import Run


class OwnedIterator(Iterator[Any]):
    """An iterator over a dataset: Python's `next`, or `get_next()` that raises OutOfRangeError at the end.

    Args:
        dataset: The dataset to go through.

    >>> from eagercore.data import Dataset
    >>> iterator = OwnedIterator(Dataset.range(2))
    >>> int(iterator.get_next()), int(next(iterator))
    (0, 1)
    """

    def __init__(self, dataset: Any) -> None:
        self._dataset = dataset
        #: Where it stands, for checkpoints: a variable, and the value of it that is known here.
        self._state: Any = None
        self._known: Any = None
        self._begin()

    def _shufflers(self) -> list[Any]:
        return [s.shuffler for s in self._dataset._step.walk() if hasattr(s, "shuffler")]

    def _begin(self) -> None:
        self._taken = 0
        self._shuffled = [s.state for s in self._shufflers()]
        graph, context.graph = context.graph, None
        try:
            self._next = iter(self._dataset._step.iterate(Run())).__next__
        finally:
            context.graph = graph

    def __iter__(self) -> OwnedIterator:
        return self

    def __next__(self) -> Any:
        if self._state is not None and self._state._value is not self._known:
            self._seek()
        self._taken += 1
        if context.graph is None:
            return self._next()
        graph, context.graph = context.graph, None
        try:
            return self._next()
        finally:
            context.graph = graph

    def _checkpoint_children(self) -> dict[str, Any]:
        """What a checkpoint saves: how many elements were taken, and the seeds of what shuffles."""
        numbers = [self._taken, *(n for state in self._shuffled for n in state)]
        value = np.array(numbers, np.uint64).view(np.int64)
        if self._state is None:
            self._state = Variable(value, trainable=False, name="iterator_state")
            self._known = self._state._value
        elif self._state._value is self._known:
            self._state.assign(value)
            self._known = self._state._value
        return {"state": self._state}

    def _seek(self) -> None:
        """Goes where the restored checkpoint says: from the beginning, past the elements that were taken."""
        self._known = self._state._value
        numbers = self._known._array.view(np.uint64).tolist()
        for i, shuffler in enumerate(self._shufflers()):
            shuffler.state = tuple(numbers[1 + 3 * i : 4 + 3 * i])
        self._begin()
        for _ in range(numbers[0]):
            next(self, None)

    def next(self) -> Any:
        """The next element; StopIteration at the end."""
        return self.__next__()

    def get_next(self, name: str | None = None) -> Any:
        """The next element.

        Args:
            name: Accepted for TensorFlow's sake.

        Raises:
            OutOfRangeError: At the end of the dataset.
        """
        if context.graph is not None:
            from ..graph.dataset_loop import next_in_graph

            return next_in_graph(self)
        try:
            return self.__next__()
        except StopIteration:
            raise errors.OutOfRangeError(
                "End of sequence [Op:IteratorGetNext]", op="IteratorGetNext"
            ) from None

    def get_next_as_optional(self) -> Optional:
        """The next element as an `Optional`, which is empty at the end."""
        try:
            return Optional(self.__next__(), self.element_spec)
        except StopIteration:
            return Optional(None, self.element_spec, False)

    @property
    def element_spec(self) -> Any:
        """Structure of specs of the elements."""
        return self._dataset.element_spec

    @property
    def output_shapes(self) -> Any:
        """Shapes of the components."""
        return structure.legacy_shapes(self.element_spec)

    @property
    def output_types(self) -> Any:
        """Types of the components."""
        return structure.legacy_types(self.element_spec)

    @property
    def output_classes(self) -> Any:
        """Classes of the components."""
        from ..core.tensor import Tensor

        return structure.map_components(lambda s: Tensor, self.element_spec)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} element_spec={self.element_spec}>"


class NumpyIterator(Iterator[Any]):
    """The elements of a dataset as NumPy arrays and scalars."""

    def __init__(self, dataset: Any) -> None:
        self._iterator = OwnedIterator(dataset)

    def __iter__(self) -> NumpyIterator:
        return self

    def __next__(self) -> Any:
        return structure.arrays_of(next(self._iterator))

    next = __next__


class Optional:
    """A value that may be missing, as `get_next_as_optional` gives it."""

    def __init__(self, value: Any, spec: Any, there: bool = True) -> None:
        self._value, self._spec, self._there = value, spec, there

    def has_value(self, name: str | None = None) -> Any:
        """Whether there is a value, as a bool tensor."""
        from ..core.tensor import convert

        return convert(self._there)

    def get_value(self, name: str | None = None) -> Any:
        """The value.

        Raises:
            InvalidArgumentError: If there is none.
        """
        if not self._there:
            raise errors.value_error(
                "OptionalGetValue", "The given optional does not have a value."
            )
        return self._value

    @property
    def element_spec(self) -> Any:
        """Structure of specs of the value."""
        return self._spec

    @staticmethod
    def empty(element_spec: Any) -> Optional:
        """An `Optional` without a value."""
        return Optional(None, element_spec, False)

    @staticmethod
    def from_value(value: Any) -> Optional:
        """An `Optional` of `value`."""
        made = structure.to_element(value)
        return Optional(made, structure.specs_of(made))

    @property
    def _value_spec(self) -> Any:
        return OptionalSpec(self._spec)


class OptionalSpec:
    """What is known of an `Optional`."""

    from ..base.dtypes import variant as dtype
    from ..base.shapes import TensorShape

    shape = TensorShape([])
    del TensorShape

    def __init__(self, element_spec: Any) -> None:
        self._element_spec = element_spec

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OptionalSpec) and self._element_spec == other._element_spec

    def __hash__(self) -> int:
        return hash(str(self._element_spec))

    def __repr__(self) -> str:
        return f"OptionalSpec({self._element_spec!r})"


def make_one_shot_iterator(dataset: Any) -> OwnedIterator:
    """An iterator over `dataset` (TensorFlow 1's spelling of `iter`)."""
    if not hasattr(dataset, "_step"):
        raise TypeError(f"make_one_shot_iterator needs a dataset, got {dataset!r}.")
    return OwnedIterator(dataset)


def make_initializable_iterator(dataset: Any, shared_name: str | None = None) -> Any:
    """Refused in eager execution: iterate the dataset instead.

    Raises:
        RuntimeError: In eager execution.
    """
    if context.graph is None:
        raise RuntimeError(
            "dataset.make_initializable_iterator is not supported when eager execution is enabled. Use `for element in "
            "dataset`, iter(dataset) or make_one_shot_iterator instead."
        )
    from ..graph.iterators import GraphIterator

    return GraphIterator(dataset.element_spec, dataset)


for _cls in (OwnedIterator, NumpyIterator, Optional, OptionalSpec):
    _cls.__module__ = "eagercore"
