"""The graph of objects in a checkpoint: which variables there are and by which names they are reached.

A node is an object; its children are what is set on it. It is stored in the checkpoint beside the tensors, in
TensorFlow's own form, so that values find their variables even when these come into being later.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..base import errors, wire
from ..core.bundle import GRAPH_KEY
from ..core.module import holds_trackable, is_trackable
from ..core.variable import Variable

VALUE = "VARIABLE_VALUE"


class Node:
    """An object of a checkpoint.

    Attributes:
        children: name -> number of the node.
        attributes: name -> (full name, key of the tensor).
        slots: (number of the variable's node, slot name, number of the slot variable's node).
    """

    def __init__(self) -> None:
        self.children: dict[str, int] = {}
        self.attributes: dict[str, tuple[str, str]] = {}
        self.slots: list[tuple[int, str, int]] = []

    def __repr__(self) -> str:
        lines = [
            f'children {{ node_id: {number} local_name: "{name}" }}'
            for name, number in self.children.items()
        ]
        for name, (full, key) in self.attributes.items():
            lines.append(
                f'attributes {{\n  name: "{name}"\n  full_name: "{full}"\n  checkpoint_key: "{key}"\n}}'
            )
        return "\n".join(lines)


def encode_graph(nodes: list[Node]) -> bytes:
    """The nodes as a TrackableObjectGraph."""
    graph = wire.Writer()
    for node in nodes:
        writer = wire.Writer()
        for name, number in node.children.items():
            reference = wire.Writer()
            if number:
                reference.whole(1, number)
            writer.block(1, reference.text(2, name).finish())
        for name, (full, key) in node.attributes.items():
            writer.block(2, wire.Writer().text(1, name).text(2, full).text(3, key).finish())
        for original, slot, number in node.slots:
            writer.block(
                3, wire.Writer().whole(1, original).text(2, slot).whole(3, number).finish()
            )
        writer.block(5, wire.Writer().whole(1, 1).finish())
        graph.block(1, writer.finish())
    return graph.finish()


def decode_graph(data: bytes) -> list[Node]:
    """The nodes in a TrackableObjectGraph."""
    return [_decode_node(value) for number, value in wire.fields(data) if number == 1]


def _decode_node(data: Any) -> Node:
    node = Node()
    for number, value in wire.fields(data):
        if number not in (1, 2, 3):
            continue
        parts = {n: v if isinstance(v, int) else bytes(v).decode() for n, v in wire.fields(value)}
        if number == 1:
            node.children[parts.get(2, "")] = parts.get(1, 0)
        elif number == 2:
            node.attributes[parts.get(1, "")] = (parts.get(2, ""), parts.get(3, ""))
        else:
            node.slots.append((parts.get(1, 0), parts.get(2, ""), parts.get(3, 0)))
    return node


def read_graph(reader: Any) -> list[Node] | None:
    """The graph of a checkpoint, or None when it was saved by names alone."""
    if not reader.has_tensor(GRAPH_KEY):
        return None
    return decode_graph(bytes(reader.read(GRAPH_KEY)[()]))


# ---------------------------------------------------------------------------------- of live objects


def origin(value: Any) -> Any:
    """The variable behind what an assignment returned; anything else as it is."""
    return value._origin if isinstance(value, Variable) and hasattr(value, "_origin") else value


def children_of(value: Any) -> dict[str, Any]:
    """What a checkpoint saves of an object: name -> variable, object, list or dictionary."""
    if isinstance(value, Variable):
        return {}
    if is_trackable(value):
        found = value._checkpoint_children()
    elif isinstance(value, Mapping):
        found = {str(key): item for key, item in value.items()}
    elif isinstance(value, list | tuple):
        found = {str(place): item for place, item in enumerate(value)}
    else:
        return {}
    return {name: origin(item) for name, item in found.items() if holds_trackable(item)}


def check_trackable(value: Any, name: str) -> None:
    """Raises ValueError unless a checkpoint can save `value`."""
    if is_trackable(value) or isinstance(value, list | tuple | Mapping):
        return
    shown = value.numpy() if hasattr(value, "numpy") and not hasattr(value, "_step") else value
    raise ValueError(
        f"`Checkpoint` was expecting {name} to be a trackable object (an object derived "
        f"from `Trackable`), got {shown!r}. "
        "Variables, layers, models, optimizers, tf.Module and lists or dictionaries of "
        "them can be saved; keep a number in a "
        "tf.Variable."
    )


def slots_of(value: Any) -> list[tuple[Variable, str, Variable]]:
    """An optimizer's slots: (variable, name of the slot, slot variable)."""
    found = getattr(value, "_slot_variables", None)
    return (
        []
        if found is None or not callable(found)
        else [(origin(v), slot, s) for v, slot, s in found()]
    )


def escape(name: str) -> str:
    """A child's name as a part of a key."""
    return name.replace(".", "..").replace("/", ".S")


class LiveGraph:
    """The objects reached from a root, each once, nearest first.

    Attributes:
        objects: The objects; the first is the root.
        paths: Names on the way to each.
    """

    def __init__(self, root: Any) -> None:
        self.objects: list[Any] = [root]
        self.paths: list[tuple[str, ...]] = [()]
        self.number: dict[int, int] = {id(root): 0}
        self.children: list[dict[str, Any]] = []
        place = 0
        while place < len(self.objects):
            found = children_of(self.objects[place])
            self.children.append(found)
            for name, child in found.items():
                if id(child) not in self.number:
                    self.number[id(child)] = len(self.objects)
                    self.objects.append(child)
                    self.paths.append((*self.paths[place], name))
            place += 1

    def variables(self) -> list[Variable]:
        """The variables among the objects."""
        return [item for item in self.objects if isinstance(item, Variable)]

    def key(self, place: int) -> str:
        """Key of the tensor of a variable."""
        return "/".join([*map(escape, self.paths[place]), ".ATTRIBUTES", VALUE])

    def slot_key(self, variable: int, optimizer: int, slot: str) -> str:
        """Key of the tensor of a slot variable."""
        parts = [
            *map(escape, self.paths[variable]),
            ".OPTIMIZER_SLOT",
            *map(escape, self.paths[optimizer]),
            escape(slot),
        ]
        return "/".join([*parts, ".ATTRIBUTES", VALUE])

    def serialize(self, roots: Any = ()) -> tuple[dict[str, np.ndarray], list[Node]]:
        """The tensors by their keys, and the nodes.

        Args:
            roots: Pairs of an object and the number of the node that it stands for beside its own.
        """
        tensors: dict[str, np.ndarray] = {}
        nodes = [Node() for _ in self.objects]
        for place, (item, found) in enumerate(zip(self.objects, self.children)):
            nodes[place].children = {name: self.number[id(child)] for name, child in found.items()}
            if isinstance(item, Variable):
                _put(tensors, nodes[place], self.key(place), item)
        owners = [(place, item) for place, item in enumerate(self.objects)] + [
            (place, item) for item, place in roots
        ]
        for place, item in owners:
            for variable, slot, made in slots_of(item):
                number = self.number.get(id(variable))
                if number is None or id(made) in self.number:
                    continue
                nodes[place].slots.append((number, slot, len(nodes)))
                nodes.append(Node())
                _put(tensors, nodes[-1], self.slot_key(number, place, slot), made)
        return tensors, nodes


def _put(tensors: dict[str, np.ndarray], node: Node, key: str, variable: Variable) -> None:
    if key in tensors:
        raise errors.InternalError(f"Two variables have the checkpoint key {key}.")
    tensors[key] = variable._read_array()
    node.attributes[VALUE] = (variable.name.removesuffix(":0"), key)
