"""Restoring: values of a checkpoint find their variables, those that exist and those that come later.

Objects are matched with the checkpoint's nodes by the names under which they are reached. An object that was matched
tells when something more is set on it, and an optimizer when it makes a slot; what waits for that gets its value then.
"""

from __future__ import annotations

import logging
from typing import Any

from ..base import errors
from ..base.context import context
from ..core.bundle import CheckpointReader
from ..core.tensor import EagerTensor
from ..core.variable import Variable
from .object_graph import VALUE, LiveGraph, Node, children_of, origin, slots_of

_SHOWN = 10


def set_value(variable: Variable, array: Any, key: str, session: Any = None) -> None:
    """Gives a variable the value of a checkpoint (one of a graph in `session` or the default session).

    Raises:
        ValueError: If the shapes differ.
        InvalidArgumentError: If the dtypes differ.
    """
    made = EagerTensor(array)
    if not variable.shape.is_compatible_with(array.shape):
        raise ValueError(
            f"Received incompatible tensor with shape {made.shape} when attempting to restore variable with shape "
            f"{variable.shape} and name {variable.name}."
        )
    if made.dtype is not variable.dtype:
        raise errors.dtype_error(
            "RestoreV2",
            f"tensor_name = {key}; expected dtype {variable.dtype.name} does not equal "
            f"original dtype {made.dtype.name}",
        )
    if variable._graph is not None:
        variable._graph.session_for(session, "restore").load(variable, made)
        return
    graph, context.graph = context.graph, None
    try:
        variable.assign(made)
    finally:
        context.graph = graph


class Restoration:
    """One restore, as long as somebody waits for values.

    Args:
        reader: Reads the checkpoint.
        nodes: Its graph of objects.
    """

    def __init__(self, reader: CheckpointReader, nodes: list[Node]) -> None:
        self.reader, self.nodes = reader, nodes
        self.bound: dict[int, Any] = {}
        self.number: dict[int, int] = {}
        self._others: list[Any] = []
        #: Number of a node with slots -> the optimizer that was matched with it.
        self._optimizers: dict[int, Any] = {}
        self.quiet = False
        self._slot_nodes = {number for node in nodes for _, _, number in node.slots}

    def also(self, number: int, value: Any) -> None:
        """Makes `value` stand for a node beside the object that was matched with it: the root of a checkpoint."""
        self.number[id(value)] = number
        self._others.append(value)
        self._listen(value, self.nodes[number])

    def bind(self, number: int, value: Any) -> None:
        """Matches an object, and what is reached from it, with a node; what is matched already stays so."""
        stack = [(number, value)]
        seen: set[int] = set()
        while stack:
            place, item = stack.pop()
            if place in seen or self.bound.get(place, item) is not item:
                continue
            seen.add(place)
            if place not in self.bound:
                self.bound[place] = item
                self.number[id(item)] = place
                self._give(place, item)
            node = self.nodes[place]
            for name, child in children_of(item).items():
                if name in node.children:
                    stack.append((node.children[name], child))
            self._listen(item, node)
            if node.slots:
                self._optimizers[place] = item
        self._bind_slots()

    def _give(self, place: int, item: Any) -> None:
        attribute = self.nodes[place].attributes.get(VALUE)
        if attribute is not None and isinstance(item, Variable):
            set_value(item, self.reader.read(attribute[1]), attribute[1])

    def _listen(self, item: Any, node: Node) -> None:
        if isinstance(item, Variable) or not hasattr(item, "_listener"):
            return
        waits = any(number not in self.bound for number in node.children.values())
        if waits or isinstance(item._listener, _Ear):
            object.__setattr__(item, "_listener", _Ear(self))

    def heard(self, owner: Any, name: str, value: Any) -> None:
        """Something was set on an object that was matched."""
        place = self.number.get(id(owner))
        if place is None or name not in self.nodes[place].children:
            return
        wanted = self.nodes[place].children[name]
        if wanted not in self.bound:
            self.bind(wanted, origin(value))

    # ---------------------------------------------------------------------------------------- slots

    def _bind_slots(self) -> None:
        """Gives slots that are there their values, and listens for the others."""
        for place, optimizer in self._optimizers.items():
            waiting = [slot for slot in self.nodes[place].slots if slot[2] not in self.bound]
            if not waiting:
                continue
            there = {(id(variable), slot): made for variable, slot, made in slots_of(optimizer)}
            for original, slot, number in waiting:
                made = there.get((id(self.bound.get(original)), slot))
                if made is not None:
                    self._bind_slot(number, made)
            if hasattr(optimizer, "_slot_listener"):
                object.__setattr__(optimizer, "_slot_listener", _SlotEar(self, place))

    def _bind_slot(self, number: int, made: Any) -> None:
        self.bound[number] = made
        self.number[id(made)] = number
        self._give(number, made)

    def heard_slot(self, place: int, variable: Any, slot: str, made: Any) -> None:
        """An optimizer made a slot."""
        for original, name, number in self.nodes[place].slots:
            if (
                name == slot
                and number not in self.bound
                and self.bound.get(original) is origin(variable)
            ):
                self._bind_slot(number, made)

    # ------------------------------------------------------------------------------------ questions

    def unresolved(self) -> list[int]:
        """Numbers of the nodes whose values nobody took."""
        return [n for n, node in enumerate(self.nodes) if node.attributes and n not in self.bound]

    def path_of(self, number: int) -> str:
        """How a node is reached from the root, for messages."""
        for place, node in enumerate(self.nodes):
            for original, slot, made in node.slots:
                if made == number:
                    return f"{self.path_of(original)} (slot {slot} of {self.path_of(place)})"
        queue: list[tuple[int, str]] = [(0, "(root)")]
        seen = {0}
        while queue:
            place, path = queue.pop(0)
            if place == number:
                return path
            for name, child in self.nodes[place].children.items():
                if child not in seen:
                    seen.add(child)
                    queue.append((child, f"{path}.{name}"))
        return f"(node {number})"

    def __del__(self) -> None:
        if self.quiet:
            return
        left = [n for n in self.unresolved() if n not in self._slot_nodes]
        if not left:
            return
        shown = ", ".join(self.path_of(n) for n in left[:_SHOWN])
        logging.getLogger("eagercore").warning(
            "%s: %d values of the checkpoint found no variable: %s%s. Use status.expect_partial() when this is meant, "
            "status.assert_consumed() to make it an error.",
            self.reader.prefix, len(left), shown, ", ..." if len(left) > _SHOWN else "",
        )  # fmt: skip


class _Ear:
    """What an object that was matched calls when something is set on it."""

    def __init__(self, restoration: Restoration) -> None:
        self._restoration = restoration

    def __call__(self, owner: Any, name: str, value: Any) -> None:
        self._restoration.heard(owner, name, value)

    def __deepcopy__(self, memo: Any) -> _Ear:
        return self


class _SlotEar:
    """What an optimizer that was matched calls when it makes a slot."""

    def __init__(self, restoration: Restoration, place: int) -> None:
        self._restoration, self._place = restoration, place

    def __call__(self, optimizer: Any, variable: Any, slot: str, made: Any) -> None:
        self._restoration.heard_slot(self._place, variable, slot, made)

    def __deepcopy__(self, memo: Any) -> _SlotEar:
        return self


class LoadStatus:
    """What came of a restore."""

    def assert_consumed(self) -> LoadStatus:
        """Raises AssertionError unless every value found its variable and every variable a value."""
        raise NotImplementedError

    def assert_existing_objects_matched(self) -> LoadStatus:
        """Raises AssertionError unless every variable that exists got a value."""
        raise NotImplementedError

    def assert_nontrivial_match(self) -> LoadStatus:
        """Raises AssertionError when nothing but the root was matched."""
        raise NotImplementedError

    def expect_partial(self) -> LoadStatus:
        """No warning about values that nobody takes."""
        return self

    def run_restore_ops(self, session: Any = None) -> None:
        """Nothing to run: values are there already."""

    def initialize_or_restore(self, session: Any = None) -> None:
        """Nothing to run: values are there already."""


class CheckpointLoadStatus(LoadStatus):
    """What came of restoring a checkpoint of objects."""

    def __init__(self, restoration: Restoration, root: Any) -> None:
        self._restoration, self._root = restoration, root

    def _again(self) -> LiveGraph:
        """Looks once more at what is reached from the root: lists may have grown."""
        self._restoration.bind(0, self._root)
        return LiveGraph(self._root)

    def assert_consumed(self) -> CheckpointLoadStatus:
        """Raises AssertionError unless every value found its variable and every variable a value."""
        self.assert_existing_objects_matched()
        restoration = self._restoration
        for number in restoration.unresolved():
            kind = (
                "slot restoration" if number in restoration._slot_nodes else "object in checkpoint"
            )
            raise AssertionError(
                f"Unresolved {kind} {restoration.path_of(number)}: {restoration.nodes[number]}\n"
                "The Python program has no such object (yet)."
            )
        restoration.quiet = True
        return self

    def assert_existing_objects_matched(self) -> CheckpointLoadStatus:
        """Raises AssertionError unless every variable that exists got a value."""
        bound = {id(value) for value in self._restoration.bound.values()}
        # A first look may have matched more than was there at the time of the restore.
        graph = self._again()
        bound |= {id(value) for value in self._restoration.bound.values()}
        unused = [v for v in graph.variables() if id(v) not in bound]
        if unused:
            raise AssertionError(
                f"Found {len(unused)} Python objects that were not bound to "
                "checkpointed values, likely due to changes in the "
                f"Python program. Showing {min(len(unused), _SHOWN)} of {len(unused)} "
                f"unmatched objects: {unused[:_SHOWN]}"
            )
        return self

    def assert_nontrivial_match(self) -> CheckpointLoadStatus:
        """Raises AssertionError when nothing but the root and its counter was matched."""
        self._again()
        matched = [n for n in self._restoration.bound if self._restoration.nodes[n].attributes]
        if not [n for n in matched if n != self._restoration.nodes[0].children.get("save_counter")]:
            raise AssertionError(
                "Nothing except the root object matched a checkpointed value. "
                "Typically this means that the checkpoint does not "
                f"match the Python program. The checkpoint has: {', '.join(self._restoration.nodes[0].children)}."
            )
        return self

    def expect_partial(self) -> CheckpointLoadStatus:
        """No warning about values that nobody takes."""
        self._restoration.quiet = True
        return self


class InitializationOnlyStatus(LoadStatus):
    """What `restore(None)` gives: nothing was restored."""

    def _refuse(self) -> AssertionError:
        return AssertionError(
            "No checkpoint specified (save_path=None); nothing is being restored."
        )

    def assert_consumed(self) -> LoadStatus:
        """Raises AssertionError: nothing was restored."""
        raise self._refuse()

    assert_existing_objects_matched = assert_consumed
    assert_nontrivial_match = assert_consumed


class NameBasedSaverStatus(LoadStatus):
    """What came of restoring a checkpoint that a `tf.train.Saver` wrote, by the variables' names."""

    def __init__(self, used: set[str], unused: list[Any], reader: CheckpointReader) -> None:
        self._used, self._unused, self._reader = used, unused, reader

    def assert_consumed(self) -> NameBasedSaverStatus:
        """Raises AssertionError unless every value found its variable and every variable a value."""
        self.assert_existing_objects_matched()
        left = [
            key for key in sorted(self._reader.get_variable_to_shape_map()) if key not in self._used
        ]
        if left:
            raise AssertionError(f"Some values of the checkpoint were not used: {left[:_SHOWN]}")
        return self

    def assert_existing_objects_matched(self) -> NameBasedSaverStatus:
        """Raises AssertionError unless every variable that exists got a value."""
        if self._unused:
            raise AssertionError(
                f"Some variables are not in the checkpoint: {self._unused[:_SHOWN]}"
            )
        return self

    def assert_nontrivial_match(self) -> NameBasedSaverStatus:
        """Raises AssertionError when nothing was matched."""
        if not self._used:
            raise AssertionError("No variable has a name that is in the checkpoint.")
        return self


def restore_by_names(reader: CheckpointReader, root: Any) -> NameBasedSaverStatus:
    """Gives the variables reached from `root` the values that the checkpoint has under their names."""
    used: set[str] = set()
    unused: list[Any] = []
    for variable in LiveGraph(root).variables():
        name = variable.name.removesuffix(":0")
        if reader.has_tensor(name):
            set_value(variable, reader.read(name), name)
            used.add(name)
        else:
            unused.append(variable)
    return NameBasedSaverStatus(used, unused, reader)


for _cls in (LoadStatus, CheckpointLoadStatus, InitializationOnlyStatus, NameBasedSaverStatus):
    _cls.__module__ = "eagercore"
