"""How ops add to a graph: the other side of the door.

While `context.graph` is set, `Op.__call__` hands its arguments to `emit`, which types the results by the op's shape
rule and appends a node. Tensors from outside are captured, variables read and changed in order.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..base import dtypes, errors, seeds
from ..base.context import context
from ..base.shapes import TensorSpec
from ..core.op import Op
from ..core.tensor import NOTHING, EagerTensor, SymbolicTensor, convert
from ..core.variable import Variable
from . import ir
from .ir import ASSIGN, CONSTANT, PLACEHOLDER, READ, Node, constant_value, folded_value, substitute
from .names import find_caller, own_name

_OBJECT = np.dtype(object)


class _Stub:
    """What the checks of dtype ask of an array."""

    __slots__ = ("dtype", "shape")

    def __init__(self, tensor: Any) -> None:
        self.dtype = tensor._dtype.numpy_dtype or _OBJECT
        self.shape = tensor._shape


class Graph(ir.Graph):
    """A graph that ops can be added to; see `ir.Graph` for what it holds."""

    def __init__(self) -> None:
        super().__init__()
        self._constants: dict[int, tuple[EagerTensor, SymbolicTensor]] = {}
        self._reads: dict[Any, SymbolicTensor] = {}
        #: Tapes that were listening when this graph was left for an inner one.
        self.listeners: tuple[Any, ...] = (self.tape,)

    def add(self, node: Node) -> Node:
        """Appends a node; what it writes is read anew afterwards."""
        super().add(node)
        if "state" in node.attrs:
            for variable in node.writes():
                self.note_change(variable)
        return node

    # ------------------------------------------------------------------------------------------------ the door's side

    def emit(self, op: Op, args: Any, attrs: dict[str, Any]) -> Any:
        """A node for `op`; returns its result, or the list of its results."""
        if op.name == "add" and getattr(args[0], "_dtype", None) is dtypes.variant:
            from .lists import list_add

            op = list_add
        with self._lock:
            caller = find_caller(2)
            for a in args:
                if type(a) is not SymbolicTensor or a.graph is not self:
                    args = tuple([self.take(t) for t in op.admit(args)])
                    break
            if attrs:
                attrs = {key: self._settled(op, key, value) for key, value in attrs.items()}
            self._check(op, args)
            for variable in getattr(attrs.get("state"), "writes", ()):
                self.changed(variable)
            specs = [None if t is NOTHING else TensorSpec(t._shape, t._dtype) for t in args]
            found = op.infer(specs, attrs)
            node = self.add(
                Node(self, op, self._name_for(op, caller), args, attrs, found, caller.where)
            )
            self._name_constants(node)
        result: Any = list(node.outputs) if op.outputs != 1 else node.outputs[0]
        for tape in context.tapes:
            tape.record(op, node.inputs, attrs, result)
        return result

    def _settled(self, op: Any, key: str, value: Any) -> Any:
        """An attribute: constants become plain values, other symbolic tensors belong to this graph."""
        if not isinstance(value, tuple | list) and not getattr(value, "_is_symbolic", False):
            return value
        known = True

        def change(tensor: Any) -> Any:
            nonlocal known
            array = folded_value(tensor)
            if array is not None:
                return array.item() if array.ndim == 0 else array
            known = False
            return self.take(tensor)

        made = substitute(value, change)
        return op.rules[key](made, op.name, key) if known and key in op.rules else made

    def _check(self, op: Op, tensors: Any) -> None:
        if op.pair is not None or op.many:
            op.check_dtypes([None if t is NOTHING else _Stub(t) for t in tensors])
        if op.kinds is not None and tensors[0]._dtype.kind not in op.kinds.replace("O", "S"):
            op.check_kind(_Stub(tensors[0]))

    def _name_for(self, op: Any, caller: Any) -> str:
        suggested, self._suggested = self._suggested, None
        base = suggested or caller.base or own_name(op)
        group = self._group
        if caller.base and not suggested:
            if group is not None and group[0] is caller.frame:
                self._rename(group[2], f"{group[1]}/{own_name(group[2].op)}", group[1])
                self._group = None
                node_name = group[1]
            else:
                node_name = self.unique_name(base)
            self._pending = (caller.frame, node_name)
            return node_name
        self._pending = None
        return self.unique_name(base)

    def _rename(self, node: Node, name: str, old: str) -> None:
        if self.by_name.get(old) is node:
            del self.by_name[old]
        node._name = self.numbered(name)
        self.by_name[node._name] = node

    def _name_constants(self, node: Node) -> None:
        pending = self._pending
        self._group = None if pending is None else (*pending, node)
        names = node.op.tensor_names
        for i, tensor in enumerate(node.inputs):
            if tensor is not NOTHING and tensor.node._name is None:
                part = names[i] if i < len(names) and not node.op.variadic else f"values_{i}"
                given = self.numbered(f"{node.name}/{part}")
                tensor.node._name = given
                self.by_name[given] = tensor.node

    def suggest(self, name: str) -> None:
        """The name that the next node should have."""
        self._suggested = name

    # ---------------------------------------------------------------------- what comes from outside

    def take(self, tensor: Any) -> Any:
        """`tensor` as a tensor of this graph."""
        if tensor is NOTHING:
            return tensor
        if type(tensor) is SymbolicTensor or isinstance(tensor, SymbolicTensor):
            return tensor if tensor.graph is self else self.take_from(tensor)
        return self.capture(tensor)

    def take_from(self, tensor: SymbolicTensor) -> SymbolicTensor:
        """A tensor of another graph: refused here."""
        mine = self.nodes[-1].outputs[0] if self.nodes and self.nodes[-1].outputs else self
        raise ValueError(
            f"{tensor} must be from the same graph as {mine} (graphs are {tensor.graph!r} and {self!r})."
        )

    def capture(self, tensor: EagerTensor) -> SymbolicTensor:
        """An eager tensor as a constant; tensors never change, so the array itself is used."""
        known = self._constants.get(id(tensor))
        if known is not None:
            return known[1]
        made = self._constant_node(tensor, None)
        # One value, one key: a tape that watches the tensor watches what stands for it here.
        if tensor._key:
            made._key = tensor._key
        else:
            tensor._key = made._key
        self._constants[id(tensor)] = (tensor, made)
        return made

    def constant(self, tensor: EagerTensor, name: str | None = None) -> SymbolicTensor:
        """A constant that the user asked for, with its name."""
        return self._constant_node(tensor, self.unique_name(name or "Const"))

    def _constant_node(self, tensor: EagerTensor, name: str | None) -> SymbolicTensor:
        spec = TensorSpec(tensor.shape, tensor.dtype)
        return self.add(Node(self, CONSTANT, name, (), {"value": tensor}, [spec])).outputs[0]

    def placeholder(self, spec: TensorSpec, name: str) -> SymbolicTensor:
        """A tensor whose value is given when the graph runs."""
        return self.add(
            Node(self, PLACEHOLDER, self.unique_name(name), (), {}, [spec], find_caller(2).where)
        ).outputs[0]

    # -------------------------------------------------------------------------------------------------------- variables

    def read_variable(self, variable: Variable) -> SymbolicTensor:
        """The value that the variable has at this place of the program."""
        variable = getattr(variable, "_origin", variable)
        key = (id(variable), self._control)
        value = self._reads.get(key)
        if value is None:
            self._check_variable(variable)
            name = self.numbered(f"{variable._name}/Read/ReadVariableOp")
            spec = TensorSpec(variable._shape, variable._dtype)
            node = self.add(
                Node(self, READ, name, (), {"variable": variable}, [spec], find_caller(2).where)
            )
            value = self._reads[key] = node.outputs[0]
        for tape in context.tapes:
            tape.read_variable(variable, value)
        return value

    def _check_variable(self, variable: Variable) -> None:
        """Whether this graph may use the variable."""

    def assign_variable(self, variable: Variable, value: Any, how: str) -> SymbolicTensor:
        """A node that changes a variable; its result is the variable's new value."""
        variable = getattr(variable, "_origin", variable)
        self._check_variable(variable)
        inputs = self._assigned(variable, value, how)
        self.note_change(variable)
        label = {"assign": "Assign", "assign_add": "AssignAdd", "assign_sub": "AssignSub"}.get(
            how, how
        )
        suggested, self._suggested = self._suggested, None
        node = self.add(
            Node(
                self,
                ASSIGN,
                self.unique_name(suggested or label),
                inputs,
                {"variable": variable, "how": how},
                [TensorSpec(variable._shape, variable._dtype)],
                find_caller(2).where,
            )  # fmt: skip
        )
        return node.outputs[0]

    def _assigned(self, variable: Variable, value: Any, how: str) -> tuple[Any, ...]:
        if how.startswith("scatter"):
            indices, updates = value
            return self.take(convert(indices)), self.take(convert(updates))
        weak = (
            not hasattr(value, "dtype")
            or not hasattr(value, "_key")
            and not hasattr(value, "_read_array")
        )
        tensor = self.take(convert(value, variable._dtype if weak else None))
        if tensor.dtype is not variable._dtype:
            raise ValueError(
                f"Tensor conversion requested dtype {variable._dtype.name} for Tensor with dtype {tensor.dtype.name}: "
                f"{tensor!r}. Variable '{variable.name}' holds {variable._dtype.name}; use tf.cast."
            )
        if not variable._shape.is_compatible_with(tensor.shape):
            raise variable._mismatch(tensor.shape)
        return (tensor,)

    def changed(self, variable: Variable) -> None:
        """A node of this graph changes the variable."""
        self._check_variable(variable)
        self.forget_read(variable)

    def note_change(self, variable: Variable) -> None:
        """The variable is changed at this place of the program."""
        self.forget_read(variable)

    def forget_read(self, variable: Variable) -> None:
        """The next read of the variable is a new one."""
        for key in [k for k in self._reads if k[0] == id(variable)]:
            del self._reads[key]

    # ------------------------------------------------------------------------------------------------ order and scopes

    @contextmanager
    def control_dependencies(self, control_inputs: Any) -> Iterator[None]:
        """Nodes added inside the `with` block run after `control_inputs` (None forgets outer ones)."""
        before = self._control
        if control_inputs is None:
            self._control = ()
        else:
            found = [
                self._control_node(c)
                for c in control_inputs
                if callable(c) is False or hasattr(c, "op")
            ]
            self._control = before + tuple(n for n in found if n is not None and n not in before)
        try:
            yield
        finally:
            self._control = before

    def _control_node(self, item: Any) -> Node | None:
        if isinstance(item, Node):
            return item
        if isinstance(item, Variable):
            return self.read_variable(item).node
        if isinstance(item, EagerTensor) or item is None:
            return None
        return item.node if item.graph is self else self.take(item).node

    @contextmanager
    def name_scope(self, name: str | None) -> Iterator[str]:
        """Names inside the `with` block begin with `name`."""
        with name_scope(name) as scope:
            yield scope

    @contextmanager
    def device(self, device_name: Any) -> Iterator[None]:
        """Nodes added inside the `with` block bear the device's name."""
        before = self.devices
        self.devices = (*before, str(device_name or ""))
        try:
            yield
        finally:
            self.devices = before

    def evaluate(self, what: Any, feed_dict: Any = None, session: Any = None) -> Any:
        """The value of a tensor: refused inside functions."""
        raise errors.InaccessibleTensorError(
            f"{what!r} is a tensor of a function that is being traced: it has a value only while the function runs. "
            "Return it from the function, or print it with tf.print."
        )


@contextmanager
def building(graph: Graph, listeners: tuple[Any, ...] | None = None) -> Iterator[Graph]:
    """Inside the `with` block ops add to `graph`, and only its own observer (and `listeners`) hear of them."""
    before = context.graph, context.tapes
    if before[0] is not None:
        before[0].listeners = before[1]
    context.graph = graph
    context.tapes = (graph.tape,) if listeners is None else listeners
    try:
        yield graph
    finally:
        context.graph, context.tapes = before


@contextmanager
def name_scope(
    name: str | None, default_name: str | None = None, values: Any = None
) -> Iterator[str]:
    """Names of nodes and variables made inside the `with` block begin with `name`.

    Args:
        name: Name of the scope; None or "" leaves all scopes.
        default_name: Used when `name` is None.
        values: Accepted for TensorFlow's sake.

    Yields:
        The full name with a slash behind it.

    >>> with name_scope("block") as scope:
    ...     print(scope)
    block/
    """
    before = context.name_scopes
    name = default_name if name is None else name
    if name is not None and not isinstance(name, str):
        raise TypeError(f"A name scope is a string, got {name!r}.")
    if not name:
        context.name_scopes = ()
    elif name.endswith("/"):
        context.name_scopes = tuple(name[:-1].split("/"))
    elif context.graph is not None:
        full = context.graph.unique_name(name)
        context.name_scopes = tuple(full.split("/"))
    else:
        context.name_scopes = (*before, *name.split("/"))
    try:
        yield "".join(part + "/" for part in context.name_scopes)
    finally:
        context.name_scopes = before


class FuncGraph(Graph):
    """The graph of a function, of a branch or of a loop's body: it has inputs, and captures what it uses from outside.

    Args:
        label: Name, for print-outs.
        outer: The graph inside which it is built, or None.
        kind: "function", "branch", "loop" or "backward".
    """

    building_function = True

    def __init__(self, label: str, outer: Graph | None = None, kind: str = "function") -> None:
        super().__init__()
        self.label = label
        self.outer = outer
        self.kind = kind
        #: Outer tensors that are used inside, and what stands for them: in the order of the extra inputs.
        self.captured: list[SymbolicTensor] = []
        self.captures: list[SymbolicTensor] = []
        self._captures_by_id: dict[int, SymbolicTensor] = {}
        #: Tensors of a function whose nodes were copied into this graph -> what they became here.
        self.translations: list[Any] = []
        self.variables: dict[int, Variable] = {}
        self.assigned: dict[int, Variable] = {}
        self.may_create_variables = True
        self.autograph = True
        self.created: list[Any] = []
        self.structure: Any = None
        self.function_name = label
        self.seed = seeds.global_seed()
        #: Tensors that a backward graph wants to find again: see call.py and control.py.
        self.saved: list[SymbolicTensor] = []

    def as_graph_def(self, from_version: Any = None, add_shapes: bool = False) -> Any:
        """What is in the graph, node by node."""
        from .default import GraphDef

        return GraphDef(self)

    @property
    def outer_graph(self) -> Any:
        """The graph around this one."""
        return self.outer

    def root(self) -> FuncGraph:
        """The function inside which this graph is a branch or a body."""
        graph: Any = self
        while graph.outer is not None and graph.outer.building_function:
            graph = graph.outer
        return graph

    def add_input(self, spec: TensorSpec, name: str) -> SymbolicTensor:
        """A new input."""
        tensor = self.placeholder(spec, name)
        self.inputs.append(tensor)
        return tensor

    def take_from(self, tensor: SymbolicTensor) -> SymbolicTensor:
        """A tensor of another graph: of one around this one it becomes an input, others cannot be used here."""
        for translate in reversed(self.translations):
            if translate.knows(tensor):
                return self.take(translate(tensor))
        known = self._captures_by_id.get(id(tensor))
        if known is not None:
            return known
        if not self.is_inside(tensor.graph):
            return self._take_translated(tensor)
        array = constant_value(tensor)
        if array is not None:
            return self.capture(tensor.node.attrs["value"])
        source = tensor if tensor.graph is self.outer else self.outer.take_from(tensor)
        return self._capture_symbol(tensor, source)

    def _take_translated(self, tensor: SymbolicTensor) -> SymbolicTensor:
        """A tensor of a graph that is replayed, or was copied, into one around this one."""
        outer = self.outer
        if not isinstance(outer, FuncGraph) or not outer.translates(tensor):
            raise errors.InaccessibleTensorError(leak_text(tensor, self))
        with building(outer, outer.listeners):
            source = outer.take(outer.take_from(tensor))
        array = constant_value(source)
        return (
            self.capture(source.node.attrs["value"])
            if array is not None
            else self._capture_symbol(tensor, source)
        )

    def translates(self, tensor: SymbolicTensor) -> bool:
        """Whether this graph, or one around it, knows what stands for a tensor of another graph."""
        if any(t.knows(tensor) for t in self.translations):
            return True
        return isinstance(self.outer, FuncGraph) and self.outer.translates(tensor)

    def _capture_symbol(self, tensor: SymbolicTensor, source: SymbolicTensor) -> SymbolicTensor:
        inner = self.placeholder(TensorSpec(tensor.shape, tensor.dtype), "captured")
        inner._key = tensor._key
        self.captured.append(source)
        self.captures.append(inner)
        self._captures_by_id[id(tensor)] = inner
        self._captures_by_id[id(source)] = inner
        return inner

    def is_inside(self, graph: Any) -> bool:
        """Whether `graph` is around this one."""
        around = self.outer
        while around is not None:
            if around is graph:
                return True
            around = getattr(around, "outer", None)
        return False

    # -------------------------------------------------------------------------------------------------------- variables

    def read_variable(self, variable: Variable) -> SymbolicTensor:
        """The variable's value; a branch or body that does not change the variable takes it from outside."""
        variable = getattr(variable, "_origin", variable)
        self.root().variables[id(variable)] = variable
        self.variables[id(variable)] = variable
        if (
            self.kind in ("branch", "loop")
            and id(variable) not in self.assigned
            and self.outer is not None
        ):
            with building(self.outer, self.outer.listeners):
                outside = self.outer.read_variable(variable)
            inside = self.take(outside)
            for tape in context.tapes:
                if tape is not self.tape:
                    tape.read_variable(variable, inside)
            return inside
        return super().read_variable(variable)

    def note_change(self, variable: Variable) -> None:
        """The variable is changed at this place: graphs around this one read it anew afterwards."""
        graph: Any = self
        while isinstance(graph, FuncGraph):
            graph.assigned[id(variable)] = variable
            graph.variables[id(variable)] = variable
            graph.forget_read(variable)
            if graph.kind not in ("branch", "loop"):
                break
            graph = graph.outer

    def create_variable(self, variable: Any, initial_value: Any, dtype: Any, shape: Any) -> None:
        """A variable that is made while the function is traced: allowed the first time only."""
        root = self.root()
        if not root.may_create_variables:
            raise ValueError(
                "tf.function only supports singleton tf.Variables created on the first call. Make "
                "sure the tf.Variable is "
                "only created once or created outside tf.function: tf.function-decorated function tried to create "
                f"variables on non-first call (variable '{variable._name}', function {root.function_name})."
            )
        if root.outer is not None and not root.outer.building_function:
            # Graph mode: the variable belongs to the graph around the function.
            with building(root.outer, root.outer.listeners):
                root.outer.create_variable(variable, initial_value, dtype, shape)
            root.created.append(variable)
            return
        if getattr(initial_value, "_is_symbolic", False):
            initial_value = self.lift(initial_value)
        variable._set_first(initial_value, dtype, shape)
        root.created.append(variable)

    def lift(self, tensor: SymbolicTensor) -> EagerTensor:
        """The value of a tensor that depends on nothing but constants and variables, computed now.

        Raises:
            ValueError: If it depends on the function's arguments.
        """
        from .execute import Program

        graph = tensor.graph
        program = Program(graph, [], [tensor], effects=False)
        if program.missing:
            names = ", ".join(t.name for t in program.missing)
            raise ValueError(
                f"The initial value {tensor!r} of a variable depends on the function's arguments ({names}). "
                "Give tf.Variable a value from outside, or a function of no arguments that makes it."
            )
        saved = context.graph, context.tapes
        context.graph, context.tapes = None, ()
        try:
            return EagerTensor(program.run()[0])
        finally:
            context.graph, context.tapes = saved


def leak_text(tensor: Any, graph: Any) -> str:
    """What to say of a tensor that left its function."""
    from .autograph import user_place

    place = user_place(tensor.node.where)
    place = f" It was{place}." if place else ""
    return (
        f"{tensor!r} is out of scope and cannot be used here: it belongs to the graph {tensor.graph.label!r}, not to "
        f"{graph.label!r}. Use return values, explicit Python locals or TensorFlow collections to access it.{place}"
    )
