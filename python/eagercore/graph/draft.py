"""A working copy of a graph, for the passes: only what is needed for the results that are asked for.

The graph that the user sees is never changed. A draft has steps (nodes) and values (tensors); passes replace values,
drop steps and add new ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from ..base.shapes import TensorShape
from ..core.tensor import NOTHING
from .ir import ASSIGN, CONSTANT, GROUP, PLACEHOLDER, READ, Node


class Value:
    """A tensor of a draft.

    Attributes:
        shape: What is known of the shape, a `TensorShape`.
        dtype: Type of the elements.
        step: The step that makes it, or None for an input.
    """

    __slots__ = ("shape", "dtype", "step", "name")

    def __init__(self, shape: TensorShape, dtype: Any, step: Any = None, name: str = "") -> None:
        self.shape = shape
        self.dtype = dtype
        self.step = step
        self.name = name

    @property
    def known(self) -> tuple[int, ...] | None:
        """The shape as a tuple when it is fully known."""
        return tuple(self.shape) if self.shape.is_fully_defined() else None  # type: ignore[arg-type]

    def __repr__(self) -> str:
        return f"<{self.name} {self.dtype.name}{self.shape}>"


class Step:
    """A node of a draft.

    Attributes:
        op: What it does.
        inputs: Values (`NOTHING` for an optional one that was left out).
        attrs: Attributes; values inside are inputs too.
        outputs: Values that it makes.
        node: The node of the graph that it came from: for messages.
        effect: Whether it must run even when nobody asks for its results.
    """

    __slots__ = ("op", "inputs", "attrs", "outputs", "node", "effect")

    def __init__(
        self,
        op: Any,
        inputs: list[Any],
        attrs: dict[str, Any],
        outputs: list[Value],
        node: Node | None,
        effect: bool,
    ) -> None:
        self.op = op
        self.inputs = inputs
        self.attrs = attrs
        self.outputs = outputs
        self.node = node
        self.effect = effect
        for value in outputs:
            value.step = self

    def sources(self) -> Iterator[Value]:
        """Every value that it depends on."""
        for value in self.inputs:
            if value is not NOTHING:
                yield value
        if self.attrs:
            yield from values_in(self.attrs.values())

    @property
    def pure(self) -> bool:
        """Whether equal inputs give equal results, and nothing else happens."""
        return not self.effect and self.op.family.pure and not self.op.extra.get("stochastic")

    @property
    def constant(self) -> Any:
        """The array of a constant, else None."""
        return self.attrs["value"]._array if self.op is CONSTANT else None


def values_in(attributes: Iterable[Any]) -> Iterator[Value]:
    """The values inside attributes."""
    for one in attributes:
        if isinstance(one, tuple | list):
            yield from values_in(one)
        elif type(one) is Value:
            yield one


def with_values(attribute: Any, change: Callable[[Any], Any]) -> Any:
    """An attribute in which each value is replaced by `change(value)`."""
    if isinstance(attribute, tuple | list):
        return tuple(with_values(a, change) for a in attribute)
    return change(attribute) if type(attribute) is Value else attribute


class Draft:
    """What has to run for `outputs`, in order.

    Args:
        graph: The graph.
        inputs: Tensors whose values are given.
        outputs: Tensors (or nodes, which give nothing) that are asked for.
        effects: Whether steps with side effects run although no result depends on them.
    """

    def __init__(
        self, graph: Any, inputs: list[Any], outputs: list[Any], effects: bool = True
    ) -> None:
        nodes = _needed_nodes(graph, inputs, outputs, effects)
        self.values: dict[int, Value] = {}
        self.inputs = [self._value_of(t) for t in inputs]
        self.steps: list[Step] = []
        self.missing: list[Any] = []
        given = {id(t) for t in inputs}
        for node in nodes:
            self._add(node, given)
        self.outputs: list[Any] = [
            None if isinstance(t, Node) else self.values[id(t)] for t in outputs
        ]

    def _value_of(self, tensor: Any) -> Value:
        made = self.values.get(id(tensor))
        if made is None:
            made = self.values[id(tensor)] = Value(
                tensor.shape, tensor.dtype, None, tensor.node._name or "c"
            )
        return made

    def _add(self, node: Node, given: set[int]) -> None:
        from .ir import substitute

        if node.op is PLACEHOLDER:
            for tensor in node.outputs:
                if id(tensor) not in given:
                    self.missing.append(tensor)
                    self._value_of(tensor)
            return
        inputs = [t if t is NOTHING else self._value_of(t) for t in node.inputs]
        attrs = node.attrs
        if node.extra:
            attrs = {key: substitute(value, self._value_of) for key, value in attrs.items()}
        outputs = [
            Value(t.shape, t.dtype) if id(t) in given else self._value_of(t) for t in node.outputs
        ]
        self.steps.append(Step(node.op, inputs, attrs, outputs, node, node.effect))

    # ------------------------------------------------------------------------------------------------ used by passes

    def replace(self, change: dict[int, Value]) -> None:
        """Uses other values: `change` maps the id of a value to what stands for it."""
        if not change:
            return

        def final(value: Any) -> Any:
            while id(value) in change:
                value = change[id(value)]
            return value

        for step in self.steps:
            step.inputs = [v if v is NOTHING else final(v) for v in step.inputs]
            if step.attrs and any(True for _ in values_in(step.attrs.values())):
                step.attrs = {k: with_values(v, final) for k, v in step.attrs.items()}
        self.outputs = [None if v is None else final(v) for v in self.outputs]

    def uses(self) -> dict[int, int]:
        """How often each value is used, results included."""
        count: dict[int, int] = {}
        for step in self.steps:
            for value in step.sources():
                count[id(value)] = count.get(id(value), 0) + 1
        for value in self.outputs:
            if value is not None:
                count[id(value)] = count.get(id(value), 0) + 1
        return count

    def constant(self, array: np.ndarray, like: Value) -> tuple[Step, Value]:
        """A constant that can stand for `like`."""
        from ..core.tensor import EagerTensor

        value = Value(TensorShape(array.shape), like.dtype, None, like.name)
        step = Step(CONSTANT, [], {"value": EagerTensor(array)}, [value], like.step.node, False)
        return step, value

    def __str__(self) -> str:
        return "\n".join(
            f"{', '.join(o.name for o in s.outputs)} = {s.op.name}"
            f"({', '.join('-' if v is NOTHING else v.name for v in s.inputs)})"
            for s in self.steps
        )


def _needed_nodes(graph: Any, inputs: list[Any], outputs: list[Any], effects: bool) -> list[Node]:
    given = {id(t) for t in inputs}
    wanted: set[int] = set()
    stack: list[Node] = []

    def ask(node: Node) -> None:
        if id(node) not in wanted:
            wanted.add(id(node))
            stack.append(node)

    for tensor in outputs:
        if isinstance(tensor, Node):
            ask(tensor)
        elif id(tensor) not in given:
            ask(tensor.node)
    if effects:
        for node in graph.nodes:
            if node.effect:
                ask(node)
    while stack:
        node = stack.pop()
        for tensor in node.sources():
            if id(tensor) not in given:
                ask(tensor.node)
        for before in node.control:
            ask(before)
    return [node for node in graph.nodes if id(node) in wanted]


__all__ = [
    "ASSIGN",
    "CONSTANT",
    "GROUP",
    "READ",
    "Draft",
    "Step",
    "Value",
    "values_in",
    "with_values",
]
