"""Calling a traced function inside a graph: its nodes are copied to where it is called.

So passes see through calls, and tapes that listen there hear each op.
"""

from __future__ import annotations

from typing import Any

from ..base.context import context
from ..base.seeds import Stream
from ..base.shapes import TensorSpec
from ..core.tensor import NOTHING
from .ir import ASSIGN, CONSTANT, GROUP, INITIALIZED, PLACEHOLDER, READ, Node, substitute
from .names import own_name


class Mapping:
    """What the tensors of a copied graph became."""

    def __init__(self, mapping: dict[int, Any]) -> None:
        self.mapping = mapping

    def knows(self, tensor: Any) -> bool:
        """Whether `tensor` was copied."""
        return id(tensor) in self.mapping

    def __call__(self, tensor: Any) -> Any:
        """What it became."""
        return self.mapping[id(tensor)]


class Translated:
    """A user's gradient function, called where the function was copied to: it knows the tensors of the original."""

    def __init__(self, function: Any, mapping: dict[int, Any]) -> None:
        self.function = function
        self.mapping = mapping
        self.function_name = getattr(function, "function_name", "the function")

    def __call__(self, *args: Any) -> Any:
        """Put the function's steps into the graph that is being built."""
        graph = context.graph
        if graph is None or not hasattr(graph, "translations"):
            return self.function(*args)
        graph.translations.append(Mapping(self.mapping))
        try:
            return self.function(*args)
        finally:
            graph.translations.pop()


def inline(graph: Any, values: list[Any], target: Any) -> list[Any]:
    """Copies the nodes of a function's graph into `target`.

    Args:
        graph: The function's graph.
        values: Tensors of `target` for its inputs and captures.
        target: The graph that is being built.

    Returns:
        Tensors of `target` for the function's outputs.
    """
    copier = Copier(graph, values, target)
    for node in graph.nodes:
        copier.copy(node)
    return [copier.mapping[id(t)] for t in graph.outputs]


class Copier:
    """Copies nodes from one graph to another.

    Attributes:
        mapping: id of a tensor of the original -> tensor of the target.
    """

    def __init__(self, graph: Any, values: list[Any], target: Any) -> None:
        self.target = target
        inputs = [*graph.inputs, *graph.captures]
        self.mapping: dict[int, Any] = {id(t): v for t, v in zip(inputs, values, strict=True)}
        # The original must live as long as the mapping goes by the ids of its tensors.
        self.mapping[-1] = graph
        self.same = {
            id(t)
            for t, v in zip(inputs, values, strict=True)
            if v.shape == t.shape and v.dtype is t.dtype
        }

    def copy(self, node: Node) -> None:
        """Copies one node."""
        target, mapping = self.target, self.mapping
        if node.op is PLACEHOLDER or node.op is GROUP:
            return
        if node.op is CONSTANT:
            made = [target.capture(node.attrs["value"])]
        elif node.op is READ:
            made = [target.read_variable(node.attrs["variable"])]
        elif node.op is ASSIGN:
            values = [mapping[id(t)] for t in node.inputs]
            how = node.attrs["how"]
            given = tuple(values) if how.startswith("scatter") else values[0]
            made = [target.assign_variable(node.attrs["variable"], given, how)]
        elif node.op is INITIALIZED:
            made = [
                target.add(Node(target, node.op, None, (), node.attrs, node.outputs)).outputs[0]
            ]
        else:
            made = self._copy_op(node)
        for old, new in zip(node.outputs, made, strict=True):
            mapping[id(old)] = new

    def _copy_op(self, node: Node) -> list[Any]:
        target, mapping = self.target, self.mapping
        inputs = tuple([t if t is NOTHING else mapping[id(t)] for t in node.inputs])
        attrs = {k: self._attribute(v) for k, v in node.attrs.items()} if node.attrs else node.attrs
        if all(t is NOTHING or id(t) in self.same for t in node.inputs) and not node.extra:
            specs: Any = node.outputs
            self.same.update(id(t) for t in node.outputs)
        else:
            given = [None if t is NOTHING else TensorSpec(t.shape, t.dtype) for t in inputs]
            specs = node.op.infer(given, attrs)
        name = target.unique_name(own_name(node.op))
        made = target.add(Node(target, node.op, name, inputs, attrs, specs, node.where))
        result: Any = list(made.outputs) if node.op.outputs != 1 else made.outputs[0]
        for tape in context.tapes:
            tape.record(node.op, made.inputs, attrs, result)
        return made.outputs

    def _attribute(self, value: Any) -> Any:
        if type(value) is Stream:
            # Each copy of a random node has a stream of its own that begins afresh.
            return Stream(value.seeds, value.key, value.passing)
        if isinstance(value, tuple | list) or getattr(value, "_is_symbolic", False):
            return substitute(value, lambda t: self.mapping[id(t)])
        if callable(value) and hasattr(value, "function_name"):
            return Translated(value, self.mapping)
        return value
