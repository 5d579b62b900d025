"""Iterators of graph mode: an initializer to run, and `get_next()` that gives tensors of the graph."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..base import dtypes, errors, nest
from ..base.context import context
from ..base.shapes import TensorShape, TensorSpec
from ..core.op import barrier
from .dataset_loop import Source, iterator_get_next
from .ir import graph_op
from .python_calls import plainly


class GraphIterator(Iterator[Any]):
    """An iterator of a graph; it begins when its initializer is run.

    Args:
        element_spec: Structure of specs of the elements.
        dataset: The dataset that `initializer` begins, or None.
    """

    def __init__(self, element_spec: Any, dataset: Any = None) -> None:
        self.element_spec = element_spec
        self._iterator: Any = None
        self._initializer = None if dataset is None else self.make_initializer(dataset)
        self._source = Source(self)

    @property
    def initializer(self) -> Any:
        """The node that sends the iterator to the beginning of its dataset.

        Raises:
            ValueError: If it was made from a structure: use `make_initializer(dataset)`.
        """
        if self._initializer is None:
            raise ValueError(
                "The iterator does not have an initializer: use make_initializer(dataset)."
            )
        return self._initializer

    def make_initializer(self, dataset: Any, name: str | None = None) -> Any:
        """A node that sends the iterator to the beginning of `dataset`."""
        made = context.graph.emit(begin, (), {"iterator": self, "dataset": dataset})
        return made.node

    def begin(self, dataset: Any) -> None:
        """Goes to the beginning of a dataset."""
        with plainly():
            self._iterator = iter(dataset)

    def __next__(self) -> Any:
        if self._iterator is None:
            raise errors.FailedPreconditionError(
                "GetNext() failed because the iterator has not been initialized. Ensure that you "
                "have run the initializer "
                "operation for this iterator before getting the next element."
            )
        return next(self._iterator)

    def get_next(self, name: str | None = None) -> Any:
        """The next element as tensors of the graph: each run takes one, and raises OutOfRangeError at the end."""
        graph = context.graph
        attrs = {
            "source": self._source,
            "count": len(self._source.specs),
            "effect": graph.building_function,
        }
        return nest.pack_sequence_as(self.element_spec, graph.emit(iterator_get_next, (), attrs))

    @property
    def output_types(self) -> Any:
        """Types of the components."""
        return nest.map_structure(lambda s: s.dtype, self.element_spec)

    @property
    def output_shapes(self) -> Any:
        """Shapes of the components."""
        return nest.map_structure(lambda s: s.shape, self.element_spec)

    @property
    def output_classes(self) -> Any:
        """Classes of the components."""
        from ..core.tensor import Tensor

        return nest.map_structure(lambda s: Tensor, self.element_spec)

    @staticmethod
    def from_structure(
        output_types: Any,
        output_shapes: Any = None,
        shared_name: Any = None,
        output_classes: Any = None,
    ) -> GraphIterator:
        """An iterator for elements of a structure, which `make_initializer(dataset)` begins.

        Args:
            output_types: Structure of dtypes.
            output_shapes: Structure of shapes, or None where nothing is known.
            shared_name: Accepted for TensorFlow's sake.
            output_classes: Accepted for TensorFlow's sake.
        """
        if output_shapes is None:
            spec = nest.map_structure(lambda t: TensorSpec(None, dtypes.as_dtype(t)), output_types)
        else:
            leaves = nest.flatten(output_types)
            shapes: list[Any] = []
            _shapes(output_shapes, output_types, shapes)
            spec = nest.pack_sequence_as(
                output_types,
                [
                    TensorSpec(TensorShape(s), dtypes.as_dtype(t))
                    for s, t in zip(shapes, leaves, strict=True)
                ],
            )
        return GraphIterator(spec)


GraphIterator.__name__ = GraphIterator.__qualname__ = "Iterator"
GraphIterator.__module__ = "eagercore"


def _shapes(shapes: Any, template: Any, found: list[Any]) -> None:
    if isinstance(template, dict):
        for key in nest._keys(template):
            _shapes(shapes[key], template[key], found)
    elif isinstance(template, list | tuple):
        for one, two in zip(shapes, template, strict=True):
            _shapes(one, two, found)
    else:
        found.append(shapes)


@graph_op(barrier, label="MakeIterator", differentiable=False, effect=True, free=("values",))
def begin(xp, *values, iterator: Any, dataset: Any):
    """Sends an iterator to the beginning of a dataset.

    Args:
        values: Nothing.
        iterator: The iterator.
        dataset: The dataset.
    """
    iterator.begin(dataset)
    return np.array(True)


@begin.shape_rule
def begin_rule(*specs, iterator, dataset):
    """A truth value that says the iterator stands at its start."""
    return TensorSpec([], dtypes.bool_)
