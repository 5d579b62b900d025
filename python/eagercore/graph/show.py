"""A graph as text: a program to read, and the languages of Graphviz and Mermaid."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.tensor import NOTHING
from .ir import ASSIGN, CONSTANT, GROUP, PLACEHOLDER, READ


def spec_text(tensor: Any) -> str:
    """Dtype and shape of a tensor, such as `float32[64, ?]`."""
    shape = tensor.shape
    if shape.rank is None:
        return f"{tensor.dtype.name}[...]"
    return f"{tensor.dtype.name}[{', '.join('?' if d is None else str(d) for d in shape)}]"


def value_text(array: Any) -> str:
    """A constant: its value when it is short, else what is in it."""
    if array.size <= 6:
        return np.array2string(array, separator=", ").replace("\n", "")
    return f"array of {array.size} values"


def attribute_text(value: Any) -> str:
    """An attribute as it stands in the program."""
    if getattr(value, "_is_symbolic", False):
        return short_name(value)
    if isinstance(value, tuple):
        return f"({', '.join(attribute_text(v) for v in value)}{',' if len(value) == 1 else ''})"
    if hasattr(value, "nodes"):
        return f"<{value.label}>"
    if hasattr(value, "numpy_dtype"):
        return value.name
    return repr(value) if not callable(value) else getattr(value, "__name__", "function")


def short_name(tensor: Any) -> str:
    """Name of a tensor without the `:0` of a node that has one result."""
    name = tensor.name
    return name[:-2] if len(tensor.node.outputs) == 1 else name


def call_text(node: Any) -> str:
    """What a node computes, as a call."""
    if node.op is CONSTANT:
        return value_text(node.attrs["value"]._array)
    if node.op is READ:
        return f"read({node.attrs['variable'].name})"
    arguments = ["None" if t is NOTHING else short_name(t) for t in node.inputs]
    if node.op is ASSIGN:
        return f"{node.attrs['how']}({node.attrs['variable'].name}, {', '.join(arguments)})"
    defaults = getattr(node.op, "defaults", {})
    for key, value in node.attrs.items():
        if (
            key not in defaults
            or defaults[key] is not value
            and attribute_text(defaults[key]) != attribute_text(value)
        ):
            arguments.append(f"{key}={attribute_text(value)}")
    return f"{node.op.name}({', '.join(arguments)})"


def line_text(node: Any) -> str:
    """One line of the program."""
    after = f"  # after {', '.join(n.name for n in node.control)}" if node.control else ""
    if node.op is GROUP or not node.outputs:
        return f"{node.name}: {call_text(node)}{after}"
    names = ", ".join(short_name(t) for t in node.outputs)
    kinds = ", ".join(spec_text(t) for t in node.outputs)
    return f"{names}: {kinds} = {call_text(node)}{after}"


def bodies_of(node: Any) -> list[Any]:
    """The graphs that a node holds: branches, a loop's condition and body."""
    found = []
    for value in node.attrs.values():
        for one in value if isinstance(value, tuple) else (value,):
            if hasattr(one, "nodes"):
                found.append(one)
    return found


def program_text(graph: Any, depth: int = 0) -> str:
    """The graph as a program.

    >>> from eagercore.graph.ir import Graph
    >>> print(program_text(Graph()))
    graph():
        pass
    """
    indent = "    " * (depth + 1)
    inputs = ", ".join(f"{short_name(t)}: {spec_text(t)}" for t in graph.inputs)
    lines = ["    " * depth + f"{graph.label}({inputs}):"]
    given = {id(t.node) for t in graph.inputs}
    for node in graph.nodes:
        if id(node) in given and node.op is PLACEHOLDER:
            continue
        for body in bodies_of(node):
            lines.append(program_text(body, depth + 1))
        lines.append(indent + line_text(node))
    if graph.outputs:
        lines.append(indent + "return " + ", ".join(short_name(t) for t in graph.outputs))
    if len(lines) == 1:
        lines.append(indent + "pass")
    return "\n".join(lines)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', "'") + '"'


def _caption(node: Any) -> str:
    kinds = ", ".join(spec_text(t) for t in node.outputs)
    return f"{node.name}\n{node.op.name}" + (f"\n{kinds}" if kinds else "")


def dot_text(graph: Any) -> str:
    """The graph in Graphviz's language: save it and draw it with `dot -Tsvg`."""
    numbers = {id(node): f"n{i}" for i, node in enumerate(graph.nodes)}
    lines = [f"digraph {_quoted(graph.label)} {{", "  node [shape=box, fontname=monospace];"]
    for node in graph.nodes:
        shape = "ellipse" if node.op in (PLACEHOLDER, CONSTANT, READ) else "box"
        caption = _quoted(_caption(node)).replace("\n", "\\n")
        lines.append(f"  {numbers[id(node)]} [label={caption}, shape={shape}];")
        for tensor in node.sources():
            lines.append(f"  {numbers[id(tensor.node)]} -> {numbers[id(node)]};")
        for before in node.control:
            lines.append(f"  {numbers[id(before)]} -> {numbers[id(node)]} [style=dashed];")
    for i, tensor in enumerate(graph.outputs):
        lines.append(f"  out{i} [label={_quoted(f'result {i}')}, shape=ellipse];")
        lines.append(f"  {numbers[id(tensor.node)]} -> out{i};")
    return "\n".join([*lines, "}"])


def mermaid_text(graph: Any) -> str:
    """The graph in Mermaid's language: put it into a block of a notebook or a wiki."""
    numbers = {id(node): f"n{i}" for i, node in enumerate(graph.nodes)}
    lines = ["flowchart TD"]
    for node in graph.nodes:
        text = _quoted(_caption(node)).replace("\n", "<br/>")
        around = ("([", "])") if node.op in (PLACEHOLDER, CONSTANT, READ) else ("[", "]")
        lines.append(f"  {numbers[id(node)]}{around[0]}{text}{around[1]}")
        for tensor in node.sources():
            lines.append(f"  {numbers[id(tensor.node)]} --> {numbers[id(node)]}")
        for before in node.control:
            lines.append(f"  {numbers[id(before)]} -.-> {numbers[id(node)]}")
    for i, tensor in enumerate(graph.outputs):
        lines.append(f"  {numbers[id(tensor.node)]} --> out{i}([result {i}])")
    return "\n".join(lines)
