"""Graphs as JSON and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base import errors
from ..base.context import context
from ..base.shapes import TensorSpec
from ..core.tensor import NOTHING, convert
from ..graph.autograph import user_place
from ..graph.build import FuncGraph, building
from ..graph.function import Structure
from ..graph.inline import inline
from ..graph.ir import ASSIGN, READ, SPECIALS, Node, find_op
from ..graph.lists import rows
from .values import Decoder, Encoder, Unsavable, own_module, spec_from_json, spec_to_json

_REASONS = {
    "python_call": "it calls a Python function (py_function, numpy_function)",
    "python_gradient": "it calls a Python function (py_function, numpy_function)",
    "make_cursor": "it goes through a dataset",
    "next_elements": "it goes through a dataset",
    "make_iterator": "it goes through a dataset",
}


class GraphWriter:
    """Writes one graph.

    Args:
        graph: The graph.
        writers: An `Encoder` without `at`, whose other parts are used.
    """

    def __init__(self, graph: FuncGraph, encoder: Encoder) -> None:
        self.graph = graph
        self.places: dict[int, list[int]] = {}
        self.numbers: dict[int, int] = {}
        self.encode = Encoder(encoder.variable, encoder.graph, encoder.constant, self.place)

    def place(self, tensor: Any) -> list[int]:
        """[node, output] of one of the graph's tensors."""
        found = self.places.get(id(tensor))
        if found is None:
            raise Unsavable(f"{tensor!r} of another graph cannot be stored in a file")
        return found

    def write(self) -> dict[str, Any]:
        """The JSON of the graph.

        Raises:
            UnimplementedError: If a node has no form in a file; names it and its line.
        """
        nodes = [self._node(number, node) for number, node in enumerate(self.graph.nodes)]
        graph = self.graph
        made = {
            "label": graph.label,
            "kind": graph.kind,
            "nodes": nodes,
            "inputs": [self.place(t) for t in graph.inputs],
            "captures": [self.place(t) for t in graph.captures],
            "outputs": [self.place(t) for t in graph.outputs],
            "saved": [self.place(t) for t in graph.saved],
            "assigned": [self.encode.variable(v) for v in graph.assigned.values()],
        }
        if graph.structure is not None:
            made["structure"] = self._structure(graph.structure)
        return made

    def _node(self, number: int, node: Node) -> dict[str, Any]:
        name = node.op.name
        if name in _REASONS or node.op.extra.get("unsavable"):
            raise errors.UnimplementedError(
                f"The operation {name}{user_place(node.where)} cannot be saved: "
                f"{_REASONS.get(name, 'it depends on objects of this process')}."
            )
        made: dict[str, Any] = {"op": name, "name": node.name}
        if name not in SPECIALS:
            made["module"] = node.op.__module__
        if node.inputs:
            made["inputs"] = [None if t is NOTHING else self.place(t) for t in node.inputs]
        if node.attrs:
            made["attrs"] = {
                key: self._attribute(node, key, value) for key, value in node.attrs.items()
            }
        if node.control:
            made["control"] = [self.numbers[id(n)] for n in node.control if id(n) in self.numbers]
        made["outputs"] = [spec_to_json(t) for t in node.outputs]
        self.numbers[id(node)] = number
        for index, tensor in enumerate(node.outputs):
            self.places[id(tensor)] = [number, index]
        return made

    def _attribute(self, node: Node, key: str, value: Any) -> Any:
        if callable(value) and hasattr(value, "function_name") and node.op.name == "with_gradient":
            graph, present = trace_gradient(node)
            return {
                "gradient": value.function_name,
                "graph": self.encode.graph(graph),
                "captured": [self.place(t) for t in graph.captured],
                "present": present,
            }
        try:
            return self.encode(value)
        except Unsavable as error:
            raise errors.UnimplementedError(
                f"The operation {node.op.name}{user_place(node.where)} cannot be saved: {error.message} "
                f"(its attribute {key})."
            ) from None

    def _structure(self, structure: Structure) -> Any:
        parts = []
        for part in structure.parts:
            if isinstance(part, tuple):
                if part[1] is not rows:
                    raise errors.UnimplementedError(
                        f"{self.graph.label} returns a TensorArray, which cannot be saved: return its stack()."
                    )
                parts.append({"rows": part[0]})
            else:
                parts.append(part)
        return {
            "template": self.encode(structure.template),
            "parts": parts,
            "single": structure.single,
        }


class SavedGradient:
    """A user's gradient function after loading: a graph that is copied to where the gradient is wanted.

    Args:
        name: Name of the function whose gradient it is.
        graph: Its graph, from the results' gradients.
        captured: Tensors of the function's graph that it uses.
        present: Which inputs have a gradient.
    """

    def __init__(
        self, name: str, graph: FuncGraph, captured: list[Any], present: list[bool]
    ) -> None:
        self.function_name = name
        self.graph, self.captured, self.present = graph, captured, present

    def label(self, position: int) -> str:
        """What an error calls the input at a position."""
        return f"input {position}"

    def __call__(self, *dy: Any) -> list[Any]:
        """The gradients of the inputs, as tensors of the graph that is being built."""
        target = context.graph
        values = [target.take(convert(d)) for d in dy] + [target.take(t) for t in self.captured]
        made = iter(inline(self.graph, values, target))
        return [next(made) if present else None for present in self.present]


def trace_gradient(node: Node) -> tuple[FuncGraph, list[bool]]:
    """The graph of a user's gradient function, and which inputs it gives a gradient for."""
    backward, count = node.attrs["backward"], node.attrs["count"]
    graph = FuncGraph(f"gradient_of_{backward.function_name}", node.graph)
    graph.may_create_variables = False
    with building(graph):
        dy = [
            graph.add_input(TensorSpec(t.shape, t.dtype), f"dy_{i}")
            for i, t in enumerate(node.inputs[:count])
        ]
        found = backward(*dy)
        graph.outputs = [graph.take(convert(g)) for g in found if g is not None]
    return graph, [g is not None for g in found]


def op_of(entry: dict[str, Any]) -> Any:
    """The op that a node names.

    Raises:
        NotFoundError: If this version of the engine has no such op.
    """
    name = entry["op"]
    if name in SPECIALS:
        return SPECIALS[name]
    own_module(entry.get("module"))
    return find_op(name)


def read_graph(graph: FuncGraph, document: dict[str, Any], decoder: Decoder) -> None:
    """Fills an empty graph with what a `GraphWriter` wrote.

    Raises:
        ValueError: If the document is damaged.
        NotFoundError: If it uses an op that this version does not have.
    """
    nodes: list[Node] = []

    def at(place: Any) -> Any:
        try:
            number, index = place
            if number < 0 or index < 0:
                raise IndexError
            return nodes[number].outputs[index]
        except (IndexError, TypeError, ValueError):
            raise ValueError(
                f"The saved model is damaged: graph {graph.label!r} has no tensor {place}."
            ) from None

    decode = Decoder(decoder.variable, decoder.graph, decoder.constant, at)
    for entry in document["nodes"]:
        nodes.append(_read_node(graph, entry, decode, at, nodes))
    for name in ("inputs", "captures", "saved"):
        setattr(graph, name, [at(p) for p in document[name]])
    graph.assigned = {id(v): v for v in map(decoder.variable, document["assigned"])}
    graph.outputs = [at(p) for p in document["outputs"]]
    graph.structure = _read_structure(document.get("structure"), decode)


def _read_node(
    graph: FuncGraph, entry: Any, decode: Decoder, at: Callable[[Any], Any], nodes: list[Node]
) -> Node:
    op = op_of(entry)
    inputs = [NOTHING if p is None else at(p) for p in entry.get("inputs", ())]
    attrs = {key: _read_attribute(value, decode) for key, value in entry.get("attrs", {}).items()}
    specs = [spec_from_json(s) for s in entry["outputs"]]
    node = Node(graph, op, graph.numbered(entry["name"]), inputs, attrs, specs)
    graph.add(node)
    node.control = tuple(nodes[i] for i in entry.get("control", ()))
    for inner in attrs.values():
        if isinstance(inner, FuncGraph):
            graph.variables.update(inner.variables)
    if op is READ or op is ASSIGN:
        variable = attrs["variable"]
        graph.variables[id(variable)] = variable
        if op is READ:
            graph.tape.read_variable(variable, node.outputs[0])
    elif op.gradient is not None:
        graph.tape.record(
            op, node.inputs, attrs, list(node.outputs) if op.outputs != 1 else node.outputs[0]
        )
    return node


def _read_attribute(value: Any, decode: Decoder) -> Any:
    if isinstance(value, dict) and "gradient" in value:
        captured = [decode.at(p) for p in value["captured"]]  # type: ignore[misc]
        return SavedGradient(
            str(value["gradient"]), decode.graph(value["graph"]), captured, value["present"]
        )
    return decode(value)


def _read_structure(document: Any, decode: Decoder) -> Structure | None:
    if document is None:
        return None
    made = Structure.__new__(Structure)
    made.template = decode(document["template"])
    made.parts = [(p["rows"], rows) if isinstance(p, dict) else p for p in document["parts"]]
    made.single = bool(document["single"])
    return made


def empty_graph(document: dict[str, Any]) -> FuncGraph:
    """A graph to be filled by `read_graph`."""
    before, context.name_scopes = context.name_scopes, ()
    try:
        return FuncGraph(str(document["label"]), None, str(document["kind"]))
    finally:
        context.name_scopes = before
