"""The graph's own observer: it records every node, so that gradients of the whole can be asked for later."""

from __future__ import annotations

from typing import Any

from ..core.variable import Variable


class GraphTape:
    """Listens to the ops that are added to a graph, as a `GradientTape` listens to those that run.

    Attributes:
        records: (op, inputs, keys, attributes, result, keys of the results) in order, as tapes keep them.
        variables: id of a variable -> (variable, keys of the values that were read from it).
    """

    _comes_last = False

    def __init__(self, graph: Any) -> None:
        self.records: list[Any] = []
        self.variables: dict[int, tuple[Variable, list[int]]] = {}

    def record(self, op: Any, inputs: Any, attrs: dict[str, Any], result: Any) -> None:
        """Called when a node is added."""
        if op.gradient is None:
            return
        out = [r._key for r in result] if type(result) is list else result._key
        self.records.append((op, tuple(inputs), [t._key for t in inputs], attrs, result, out))

    def read_variable(self, variable: Variable, value: Any) -> None:
        """Called when a variable is read."""
        keys = self.variables.setdefault(id(variable), (variable, []))[1]
        if value._key not in keys:
            keys.append(value._key)

    def leave(self, tensor: Any, how: str) -> None:
        """A graph's tensors have no values that could leave."""

    def keys_of(self, source: Any) -> list[int]:
        """The keys under which gradients of a tensor or variable arrive."""
        if isinstance(source, Variable):
            entry = self.variables.get(id(getattr(source, "_origin", source)))
            return entry[1] if entry else []
        return [source._key]
