"""`for element in dataset` inside a traced function: the dataset is gone through each time the graph runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..base import dtypes, errors, nest
from ..base.context import context
from ..base.shapes import TensorShape, TensorSpec
from ..core.op import barrier
from ..core.tensor import Tensor, convert
from . import lists
from .ir import graph_op
from .python_calls import plainly


class Source:
    """A dataset or an iterator as an attribute of a node."""

    def __init__(self, iterable: Any) -> None:
        self.iterable = iterable
        self.spec = iterable.element_spec
        self.specs = [TensorSpec(s.shape, s.dtype) for s in nest.flatten(self.spec)]

    def fresh(self) -> Any:
        """An iterator at the beginning (an iterator goes on where it is)."""
        with plainly():
            return iter(self.iterable)


class Cursor:
    """An iterator that a running graph goes through."""

    def __init__(self, iterator: Any, source: Source) -> None:
        self.iterator = iterator
        self.source = source

    def next(self) -> tuple[Any, ...]:
        """Whether there is an element, and its components (zeros where there is none)."""
        with plainly():
            try:
                element = next(self.iterator)
            except (StopIteration, errors.OutOfRangeError):
                empty = [
                    np.zeros([d or 0 for d in (s.shape if s.shape.rank else ())], _numpy(s))
                    for s in self.source.specs
                ]
                return (np.array(False), *empty)
            return (np.array(True), *(convert(leaf)._array for leaf in nest.flatten(element)))


def _numpy(spec: Any) -> Any:
    return object if spec.dtype.kind == "S" else spec.dtype._numpy()


@graph_op(barrier, label="MakeIterator", differentiable=False, effect=True, free=("values",))
def cursor_new(xp, *values, source: Any):
    """An iterator over a dataset, as a list of one.

    Args:
        values: Nothing.
        source: The dataset.
    """
    return lists.list_of([Cursor(source.fresh(), source)])


cursor_new.shape_rule(lists._list_spec)


@graph_op(
    barrier,
    label="IteratorGetNext",
    differentiable=False,
    effect=True,
    outputs="count",
    free=("cursor",),
)
def cursor_next(xp, cursor, *, source: Any, count: int):
    """Whether an iterator has a next element, and its components.

    Args:
        cursor: The iterator.
        source: The dataset.
        count: Number of components.
    """
    return cursor[0].next()


@cursor_next.shape_rule
def cursor_next_rule(cursor, *, source, count):
    """Whether there was an element, and the element."""
    return (TensorSpec([], dtypes.bool_), *source.specs)


def loop_over_dataset(
    iterable: Any,
    extra_test: Any,
    body: Callable[[Any], Any],
    get_state: Any,
    set_state: Any,
    names: Any,
    opts: Any,
) -> None:
    """A loop of the graph over a dataset (or over what is left of an iterator)."""
    from . import ag_operators

    graph = context.graph
    source = Source(iterable)
    cursor = graph.emit(cursor_new, (), {"source": source})

    def turn() -> tuple[Any, Any]:
        there, *components = context.graph.emit(
            cursor_next,
            (context.graph.take(cursor),),
            {"source": source, "count": len(source.specs)},
        )
        return there, nest.pack_sequence_as(source.spec, components)

    def run(_go_on: Any) -> list[Any]:
        there, element = turn()
        ag_operators.if_stmt(
            there, lambda: body(element), lambda: None, get_state, set_state, names, len(names)
        )
        if extra_test is None:
            return [there]
        return [ag_operators.and_(lambda: there, lambda: convert(extra_test()))]

    # A name that only the body defines needs a first value: one dry turn tells which.
    first = get_state()
    if any(ag_operators.is_undefined(v) for v in first):
        _define(source, body, get_state, set_state, names)
    ag_operators.staged_loop(
        lambda go_on: go_on, run, [convert(True)], get_state, set_state, names, opts
    )


def _define(source: Source, body: Any, get_state: Any, set_state: Any, names: Any) -> None:
    from . import ag_operators
    from .build import FuncGraph, building

    first = get_state()
    graph = FuncGraph("probe", context.graph, "loop")
    with building(graph):
        components = [graph.add_input(s, "component") for s in source.specs]
        body(nest.pack_sequence_as(source.spec, components))
        after = get_state()
    made = []
    for old, new in zip(first, after, strict=True):
        known = (
            ag_operators.is_undefined(old)
            and isinstance(new, Tensor)
            and new.shape.is_fully_defined()
        )
        made.append(_zeros(new) if known else old)
    set_state(tuple(made))


def _zeros(tensor: Any) -> Any:
    from ..ops.create import zeros

    return zeros(tuple(tensor.shape), tensor.dtype)


def next_in_graph(iterator: Any) -> Any:
    """The next element of an iterator as tensors of the graph that is built: each run of the graph takes one.

    Args:
        iterator: What `next` gives elements of; it has an `element_spec`.

    Returns:
        Structure of symbolic tensors; the run raises `OutOfRangeError` at the end.
    """
    source = Source(iterator)
    effect = context.graph.building_function
    made = context.graph.emit(
        iterator_get_next, (), {"source": source, "count": len(source.specs), "effect": effect}
    )
    return nest.pack_sequence_as(source.spec, made)


@graph_op(barrier, label="IteratorGetNext", differentiable=False, outputs="count", free=("values",))
def iterator_get_next(xp, *values, source: Any, count: int, effect: bool = False):
    """The next element of an iterator.

    Args:
        values: Nothing.
        source: The iterator.
        count: Number of components.
        effect: Whether it takes an element although nobody reads it.
    """
    with plainly():
        try:
            element = next(source.iterable)
        except StopIteration:
            raise errors.OutOfRangeError(
                "End of sequence [Op:IteratorGetNext]", op="IteratorGetNext"
            ) from None
        return tuple(convert(leaf)._array for leaf in nest.flatten(element))


@iterator_get_next.shape_rule
def iterator_get_next_rule(*specs, source, count, effect):
    """What the source's elements are; a rank that is not known stays so."""
    return tuple(
        TensorSpec(s.shape if s.shape.rank is not None else TensorShape(None), s.dtype)
        for s in source.specs
    )
