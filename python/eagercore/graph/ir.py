"""What a graph is: nodes in the order in which they were added, each an op on results of earlier ones.

A graph prints like a program. Whoever builds one goes through `build.py`; whoever runs one through `execute.py`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from ..base import errors
from ..base.context import context
from ..core import coerce
from ..core.op import REGISTRY, Family, Op
from ..core.tensor import NOTHING, EagerTensor, SymbolicTensor, next_key

#: Ops that exist only in graphs: conditionals, loops, lists, prints. Name -> op.
GRAPH_OPS: dict[str, Op] = {}


def graph_op(family: Family, **options: Any) -> Callable[[Any], Op]:
    """Declares an op that exists only in graphs: it is not in the registry of the door."""

    def declare(function: Any) -> Op:
        made = Op(function, family, **options)
        GRAPH_OPS[made.name] = REGISTRY.pop(made.name)
        return made

    return declare


class Special:
    """What the nodes do that are no ops: bring values in, read and change variables, hold others together.

    Attributes:
        name: Lower-case name, as the printed program shows it.
        label: TensorFlow's name of the type.
    """

    gradient = None
    outputs = 1
    rules: dict[str, Any] = {}
    tensor_names: tuple[str, ...] = ()

    def __init__(self, name: str, label: str, effect: bool = False) -> None:
        self.name = name
        self.label = label
        self.extra = {"effect": effect}
        self.family = Family("barrier", pure=False)

    def __repr__(self) -> str:
        return f"<{self.name}>"


PLACEHOLDER = Special("placeholder", "Placeholder")
CONSTANT = Special("constant", "Const")
READ = Special("read_variable", "ReadVariableOp")
ASSIGN = Special("assign_variable", "AssignVariableOp", effect=True)
INITIALIZED = Special("is_initialized", "VarIsInitializedOp")
GROUP = Special("no_op", "NoOp", effect=True)
SPECIALS = {s.name: s for s in (PLACEHOLDER, CONSTANT, READ, ASSIGN, INITIALIZED, GROUP)}


class Node:
    """One operation of a graph.

    Attributes:
        graph: The graph that it belongs to.
        op: An `Op`, or one of the specials above.
        name: Its name, unique in the graph; None until somebody asks for the name of an implicit constant.
        inputs: The tensors that it takes (`NOTHING` for an optional one that was left out).
        attrs: Its attributes; one may hold symbolic tensors, which are then inputs as well (`extra`).
        outputs: Its results.
        control: Nodes that must run before it.
        where: (file, line, function) of the user's code that made it, or None.
    """

    __slots__ = (
        "graph", "op", "_name", "inputs", "attrs", "extra", "outputs", "control", "where", "device", "__weakref__",
    )  # fmt: skip

    def __init__(
        self,
        graph: Graph,
        op: Any,
        name: str | None,
        inputs: Iterable[Any],
        attrs: dict[str, Any],
        specs: Iterable[Any],
        where: Any = None,
    ) -> None:
        self.graph = graph
        self.op = op
        self._name = name
        self.inputs = tuple(inputs)
        self.attrs = attrs
        self.extra = tuple(symbols_in(attrs.values())) if attrs else ()
        self.control: tuple[Node, ...] = ()
        self.where = where
        self.device = ""
        self.outputs = [new_symbol(graph, self, i, s.shape, s.dtype) for i, s in enumerate(specs)]

    @property
    def name(self) -> str:
        """Name of the node, unique in its graph."""
        if self._name is None:
            self._name = self.graph.unique_name(self.op.label)
            self.graph.by_name[self._name] = self
        return self._name

    @property
    def type(self) -> str:
        """TensorFlow's name of what it does."""
        return self.op.label

    @property
    def control_inputs(self) -> list[Node]:
        """Nodes that must run before it."""
        return list(self.control)

    @property
    def effect(self) -> bool:
        """Whether it does something beside computing its results."""
        attrs = self.attrs
        return bool(
            self.op.extra.get("effect") or attrs.get("effect") or "state" in attrs and self.writes()
        )

    def writes(self) -> list[Any]:
        """Variables that it changes, beside those of an assignment: what an optimizer's step says that it writes."""
        return list(getattr(self.attrs.get("state"), "writes", ()))

    def values(self) -> list[Any]:
        """The results."""
        return list(self.outputs)

    def sources(self) -> Iterator[SymbolicTensor]:
        """Every tensor that it depends on, attributes included."""
        for tensor in self.inputs:
            if tensor is not NOTHING:
                yield tensor
        yield from self.extra

    def get_attr(self, name: str) -> Any:
        """An attribute by its name.

        Raises:
            ValueError: If there is no such attribute.
        """
        if name not in self.attrs:
            raise ValueError(f"Operation '{self.name}' has no attr named '{name}'.")
        return self.attrs[name]

    def run(self, feed_dict: Any = None, session: Any = None) -> None:
        """Runs the node in `session` or the default session."""
        self.graph.evaluate(self, feed_dict, session)

    def colocation_groups(self) -> list[Any]:
        """Empty: every node is where its graph is."""
        return []

    def __str__(self) -> str:
        lines = [f'name: "{self.name}"', f'op: "{self.type}"']
        lines += [f'input: "{t.name.removesuffix(":0")}"' for t in self.sources()]
        lines += [f'input: "^{n.name}"' for n in self.control]
        return "\n".join(lines) + "\n"

    def __repr__(self) -> str:
        return f"<tf.Operation '{self.name}' type={self.type}>"


Node.__name__ = Node.__qualname__ = "Operation"
Node.__module__ = "eagercore"


def new_symbol(graph: Any, node: Node, index: int, shape: Any, dtype: Any) -> SymbolicTensor:
    """A symbolic tensor that tapes can follow."""
    made = SymbolicTensor(graph, node, index, shape, dtype)
    made._key = next_key()
    return made


def symbols_in(values: Any) -> Iterator[SymbolicTensor]:
    """The symbolic tensors inside attributes."""
    for value in values:
        if isinstance(value, tuple | list):
            yield from symbols_in(value)
        elif getattr(value, "_is_symbolic", False):
            yield value


def substitute(value: Any, change: Callable[[Any], Any]) -> Any:
    """An attribute with each symbolic tensor inside replaced by `change(tensor)`."""
    if isinstance(value, tuple | list):
        return tuple(substitute(v, change) for v in value)
    return change(value) if getattr(value, "_is_symbolic", False) else value


class Graph:
    """A program of ops: nodes in order, with names, collections and, inside a function, inputs and outputs.

    `with Graph().as_default():` lets every op add a node instead of computing; `tf.compat.v1.Session` runs them.

    >>> graph = Graph()
    >>> graph.nodes
    []
    """

    #: Whether the graph is a function's (or a branch's) body; tf.Graph itself is not.
    building_function = False

    def __init__(self) -> None:
        from .observe import GraphTape

        self.nodes: list[Node] = []
        self.by_name: dict[str, Node] = {}
        self.inputs: list[SymbolicTensor] = []
        self.outputs: list[Any] = []
        self.label = "graph"
        self.tape = GraphTape(self)
        self.collections: dict[str, list[Any]] = {}
        self.finalized = False
        self._names: dict[str, int] = {}
        self._control: tuple[Node, ...] = ()
        self._group: Any = None
        self._pending: Any = None
        self._suggested: str | None = None
        self._lock = threading.RLock()
        self.devices: tuple[str, ...] = ()

    # ----------------------------------------------------------------------------------------------------- building

    def add(self, node: Node) -> Node:
        """Appends a node.

        Raises:
            RuntimeError: If the graph is finalized.
        """
        if self.finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")
        if self._control:
            node.control = self._control
        if self.devices:
            node.device = self.devices[-1]
        self.nodes.append(node)
        if node._name is not None:
            self.by_name[node._name] = node
        return node

    def static_value(self, tensor: Any) -> Any:
        """The value of a tensor that does not depend on a run, or None."""
        return folded_value(tensor)

    def finalize(self) -> None:
        """From here on nothing can be added."""
        self.finalized = True

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """`name` inside the name scopes that are open, with a number behind it when it is taken.

        A name that ends with a slash is a scope's whole name: the node takes it as it is.
        """
        if name.endswith("/"):
            return name[:-1]
        full = "/".join([*context.name_scopes, name])
        return self.numbered(full, mark_as_used)

    def numbered(self, full: str, mark_as_used: bool = True) -> str:
        """A full name, with a number behind it when it is taken (letters' case does not tell names apart)."""
        key = full.lower()
        count = self._names.get(key, 0)
        if mark_as_used:
            self._names[key] = count + 1
        if not count:
            return full
        candidate = f"{full}_{count}"
        while candidate.lower() in self._names:
            count += 1
            candidate = f"{full}_{count}"
        if mark_as_used:
            self._names[key] = count + 1
            self._names[candidate.lower()] = 1
        return candidate

    # ---------------------------------------------------------------------------------------------------- looking up

    def get_operations(self) -> list[Node]:
        """The nodes in the order in which they were added."""
        return list(self.nodes)

    def get_operation_by_name(self, name: str) -> Node:
        """The node of that name.

        Raises:
            KeyError: If there is none.
            TypeError: If `name` is no string.
        """
        if not isinstance(name, str):
            raise TypeError(f"Operation names are strings (or similar), not {type(name).__name__}.")
        node = self.by_name.get(name) or self._named_late(name)
        if node is None:
            variable = self.variable_named(name)
            if variable is None:
                raise KeyError(f"The name {name!r} refers to an Operation not in the graph.")
            return variable.op
        return node

    def variable_named(self, name: str) -> Any:
        """The variable of a graph of graph mode that bears the name, or None."""
        return None

    def _named_late(self, name: str) -> Node | None:
        for node in self.nodes:
            if node._name is None and node.name == name:
                return node
        return None

    def get_tensor_by_name(self, name: str) -> SymbolicTensor:
        """The tensor of that name, such as "add:0".

        Raises:
            KeyError: If the operation or the result does not exist.
            ValueError: If `name` is not "operation:number".
        """
        if not isinstance(name, str):
            raise TypeError(f"Tensor names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_tensor=True, allow_operation=False)

    def as_graph_element(
        self, obj: Any, allow_tensor: bool = True, allow_operation: bool = True
    ) -> Any:
        """The tensor or node that `obj` (itself, a variable or a name) stands for.

        Raises:
            KeyError: If a name is not in the graph.
            ValueError: If a name is malformed, or `obj` belongs to another graph.
            TypeError: If `obj` is nothing of the kind.
        """
        if isinstance(obj, str):
            return self._element_by_name(obj, allow_tensor, allow_operation)
        graph_form = getattr(obj, "_as_graph_element", None)
        if graph_form is not None and not getattr(obj, "_is_symbolic", False):
            obj = graph_form()
        if getattr(obj, "_is_symbolic", False) and allow_tensor:
            if obj.graph is not self:
                raise ValueError(f"Tensor {obj} is not an element of this graph.")
            return obj
        if isinstance(obj, Node) and allow_operation:
            if obj.graph is not self:
                raise ValueError(f"Operation {obj.name} is not an element of this graph.")
            return obj
        wanted = (
            "a Tensor"
            if not allow_operation
            else "an Operation"
            if not allow_tensor
            else "a Tensor or Operation"
        )
        raise TypeError(f"Can not convert a {type(obj).__name__} into {wanted}.")

    def _element_by_name(self, name: str, allow_tensor: bool, allow_operation: bool) -> Any:
        if ":" in name and allow_tensor:
            op_name, _, number = name.partition(":")
            if not op_name or not number.isdigit():
                raise ValueError(
                    f"The name {name!r} looks a like a Tensor name, but is not a valid one. "
                    'Tensor names must be of the form "<op_name>:<output_index>".'
                )
            node = self.by_name.get(op_name) or self._named_late(op_name)
            if node is None:
                variable = self.variable_named(op_name)
                if variable is not None and number == "0":
                    return variable._as_graph_element()
                raise KeyError(
                    f"The name {name!r} refers to a Tensor which does not exist. The operation, {op_name!r}, "
                    "does not exist in the graph."
                )
            if int(number) >= len(node.outputs):
                raise KeyError(
                    f"The name {name!r} refers to a Tensor which does not exist. The operation, {op_name!r}, "
                    f"exists but only has {len(node.outputs)} outputs."
                )
            return node.outputs[int(number)]
        if ":" in name:
            raise ValueError(f"Name {name!r} appears to refer to a Tensor, not a Operation.")
        node = self.by_name.get(name) or self._named_late(name)
        if not allow_operation:
            raise ValueError(
                f"The name {name!r} looks like an (invalid) Operation name, not a Tensor. "
                'Tensor names must be of the form "<op_name>:<output_index>".'
            )
        if node is None:
            raise KeyError(f"The name {name!r} refers to an Operation not in the graph.")
        return node

    # ---------------------------------------------------------------------------------------------------- collections

    def add_to_collection(self, name: str, value: Any) -> None:
        """Appends `value` to the collection of that name."""
        self.collections.setdefault(name, []).append(value)

    def add_to_collections(self, names: Any, value: Any) -> None:
        """Appends `value` to each of the collections."""
        for name in (names,) if isinstance(names, str) else set(names):
            self.add_to_collection(name, value)

    def get_collection(self, name: str, scope: str | None = None) -> list[Any]:
        """A copy of the collection; with `scope` only what has a name that begins so."""
        found = self.collections.get(name, [])
        if scope is None:
            return list(found)
        import re

        return [v for v in found if hasattr(v, "name") and re.match(scope, v.name)]

    def get_collection_ref(self, name: str) -> list[Any]:
        """The collection itself: changing the list changes the graph's."""
        return self.collections.setdefault(name, [])

    def get_all_collection_keys(self) -> list[str]:
        """Names of the collections."""
        return list(self.collections)

    def clear_collection(self, name: str) -> None:
        """Empties a collection."""
        self.collections.pop(name, None)

    # -------------------------------------------------------------------------------------------------------- showing

    @property
    def version(self) -> int:
        """Number of nodes: it grows when the graph does."""
        return len(self.nodes)

    def refusal_hint(self) -> str:
        """What to say, further, where Python asks a tensor of this graph for its value."""
        from .autograph import refusal_hint

        return refusal_hint(self)

    def is_feedable(self, tensor: Any) -> bool:
        """Whether a session may be fed a value for `tensor`: any tensor of this graph."""
        return getattr(tensor, "graph", None) is self

    is_fetchable = is_feedable

    def prevent_feeding(self, tensor: Any) -> None:
        """Accepted for TensorFlow's sake."""

    def __str__(self) -> str:
        from .show import program_text

        return program_text(self)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.label!r}: {len(self.nodes)} nodes>"

    def dot(self) -> str:
        """The graph in Graphviz's language."""
        from .show import dot_text

        return dot_text(self)

    def mermaid(self) -> str:
        """The graph in Mermaid's language, as notebooks and wikis draw it."""
        from .show import mermaid_text

        return mermaid_text(self)


def find_op(name: str) -> Any:
    """The op (or special) of that name, for whoever reads graphs from a file.

    Raises:
        NotFoundError: If no op has that name.
    """
    found = SPECIALS.get(name) or GRAPH_OPS.get(name) or REGISTRY.get(name)
    if found is None:
        raise errors.NotFoundError(f"There is no op named {name!r} in this version of the engine.")
    return found


def constant_value(tensor: Any) -> Any:
    """The array behind a tensor that is a constant (or eager), else None."""
    if type(tensor) is EagerTensor:
        return tensor._array
    if getattr(tensor, "_is_symbolic", False) and tensor.node.op is CONSTANT:
        return tensor.node.attrs["value"]._array
    return None


FOLDED_ELEMENTS = 64
"""Elements of the largest value that is worked out while a graph is built."""


def folded_value(tensor: Any) -> Any:
    """The array behind a small tensor that depends on constants alone, else None.

    Sizes are often put together from the shapes of other tensors; where those are known, so is the size.
    """
    array = constant_value(tensor)
    if array is not None or not getattr(tensor, "_is_symbolic", False):
        return array
    node = tensor.node
    op = node.op
    count = tensor.shape.num_elements()
    if (
        not isinstance(op, Op)
        or not op.family.pure
        or op.extra.get("stochastic")
        or op.outputs != 1
    ):
        return None
    if not node.inputs or count is None or count > FOLDED_ELEMENTS or op.name in GRAPH_OPS:
        return None
    if any(coerce.is_symbolic(a) for a in node.attrs.values()):
        return None
    arrays = []
    for source in node.inputs:
        arrays.append(None if source is NOTHING else folded_value(source))
        if arrays[-1] is None and source is not NOTHING:
            return None
    try:
        return np.asarray(op.run(*arrays, **node.attrs))
    except (ArithmeticError, LookupError, TypeError, ValueError):
        # What fails here fails again when the graph runs, with its message.
        return None
