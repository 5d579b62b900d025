"""TensorFlow 1's graph: `tf.Graph`, the default graph, and the variables that belong to a graph.

A variable of a graph has no value until a session runs its initializer, and each session has a
value of its own: the session that runs lends its values to the variables (`session.py`).
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..autodiff.backward import play_backwards
from ..base import errors, nest
from ..base.context import Context, context
from ..base.shapes import TensorSpec, as_shape
from ..core.tensor import Tensor, convert
from ..core.variable import ResourceVariable, Variable
from . import build
from .build import building, name_scope
from .ir import ASSIGN, INITIALIZED, Node


class GraphKeys:
    """Names of the collections that the engine itself fills and reads."""

    GLOBAL_VARIABLES = "variables"
    LOCAL_VARIABLES = "local_variables"
    METRIC_VARIABLES = "metric_variables"
    MODEL_VARIABLES = "model_variables"
    TRAINABLE_VARIABLES = "trainable_variables"
    SUMMARIES = "summaries"
    QUEUE_RUNNERS = "queue_runners"
    TABLE_INITIALIZERS = "table_initializer"
    ASSET_FILEPATHS = "asset_filepaths"
    MOVING_AVERAGE_VARIABLES = "moving_average_variables"
    REGULARIZATION_LOSSES = "regularization_losses"
    CONCATENATED_VARIABLES = "concatenated_variables"
    SAVERS = "savers"
    WEIGHTS = "weights"
    BIASES = "biases"
    ACTIVATIONS = "activations"
    UPDATE_OPS = "update_ops"
    LOSSES = "losses"
    SAVEABLE_OBJECTS = "saveable_objects"
    RESOURCES = "resources"
    LOCAL_RESOURCES = "local_resources"
    TRAIN_OP = "train_op"
    INIT_OP = "init_op"
    LOCAL_INIT_OP = "local_init_op"
    READY_OP = "ready_op"
    SUMMARY_OP = "summary_op"
    GLOBAL_STEP = "global_step"
    EVAL_STEP = "eval_step"
    COND_CONTEXT = "cond_context"
    WHILE_CONTEXT = "while_context"


class GraphVariable(ResourceVariable):
    """A variable of a graph: its value is in the sessions that run the graph."""

    def __hash__(self) -> int:  # type: ignore[override]
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    @property
    def graph(self) -> Any:
        """The graph that it belongs to."""
        return self._graph

    @property
    def op(self) -> Any:
        """The node that reads it."""
        return self._as_graph_element().node

    @property
    def initializer(self) -> Any:
        """The node that gives it its first value."""
        return self._initializer

    @property
    def initial_value(self) -> Any:
        """The tensor that is its first value."""
        return self._initial_tensor

    def _as_graph_element(self) -> Any:
        with building(self._graph):
            return self._graph.read_variable(self)

    def value(self) -> Any:
        """The value as a tensor of the graph."""
        if context.graph is not None:
            return context.graph.read_variable(self)
        return self._as_graph_element()

    read_value = value

    def initialized_value(self) -> Any:
        """The value, or the first value where the variable has none yet."""
        from .control import cond

        def value() -> Any:
            # The read must stay inside the branch: outside it there may be nothing to read.
            context.graph.assigned[id(self)] = self
            return self.value()

        with self._graph.as_default():
            return cond(self.is_initialized(), value, lambda: self._initial_tensor)

    def is_initialized(self) -> Any:
        """A boolean tensor: whether the variable has a value in the session."""
        graph = self._graph
        with graph.as_default():
            name = graph.unique_name(f"{self._name}/IsInitialized")
            node = graph.add(
                Node(graph, INITIALIZED, name, (), {"variable": self}, [TensorSpec([], "bool")])
            )
        return node.outputs[0]

    def eval(self, session: Any = None) -> Any:
        """The value in `session` or the default session."""
        return self._graph.evaluate(self, None, session)

    def load(self, value: Any, session: Any = None) -> None:
        """Replaces the value in `session` or the default session."""
        self._graph.session_for(session, "load").load(self, value)

    def _read_array(self) -> np.ndarray:
        if self._value is None:
            raise errors.FailedPreconditionError(
                f"Variable {self.name} belongs to a graph: its value is in a session. Use session.run(variable) or "
                "variable.eval(session=session)."
            )
        return self._value._array

    def numpy(self) -> Any:
        """Refused: the value is in a session."""
        raise NotImplementedError(
            f"numpy() is only available when eager execution is enabled; variable {self.name} belongs to a graph. Use "
            "session.run(variable)."
        )

    def assign(
        self, value: Any, use_locking: bool = False, name: Any = None, read_value: bool = True
    ) -> Any:
        """A node that replaces the value, and whose result is the new one."""
        return self._in_graph("assign", value, name, read_value)

    def assign_add(
        self, delta: Any, use_locking: bool = False, name: Any = None, read_value: bool = True
    ) -> Any:
        """A node that adds to the value, and whose result is the new one."""
        return self._in_graph("assign_add", delta, name, read_value)

    def assign_sub(
        self, delta: Any, use_locking: bool = False, name: Any = None, read_value: bool = True
    ) -> Any:
        """A node that subtracts from the value, and whose result is the new one."""
        return self._in_graph("assign_sub", delta, name, read_value)

    def _in_graph(self, how: str, value: Any, name: Any, read_value: bool) -> Any:
        graph = context.graph
        if graph is None:
            with self._graph.as_default():
                return self._in_graph(how, value, name, read_value)
        if isinstance(name, str):
            graph.suggest(name)
        made = graph.assign_variable(self, value, how)
        return made if read_value else made.node

    def __repr__(self) -> str:
        return f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}>"


GraphVariable.__name__ = GraphVariable.__qualname__ = "ResourceVariable"
GraphVariable.__module__ = "eagercore"


class Graph(build.Graph):
    """A graph to build into, and to run with `tf.compat.v1.Session`.

    >>> graph = Graph()
    >>> with graph.as_default():
    ...     total = convert([1, 2]) + 3
    >>> from eagercore.graph.session import Session
    >>> Session(graph=graph).run(total)
    array([4, 5], dtype=int32)
    """

    outer = None

    def __init__(self) -> None:
        super().__init__()
        self.seed: int | None = None

    @contextmanager
    def as_default(self) -> Iterator[Graph]:
        """Inside the `with` block ops add to this graph."""
        scopes = context.name_scopes
        again = context.graph is self
        if not again:
            context.name_scopes = ()
        listeners = context.tapes if again else None
        try:
            with building(self, listeners):
                yield self
        finally:
            context.name_scopes = scopes

    def as_graph_def(self, from_version: Any = None, add_shapes: bool = False) -> GraphDef:
        """What is in the graph, node by node."""
        return GraphDef(self)

    # ------------------------------------------------------------------------------------------------------- variables

    def create_variable(self, variable: Any, initial_value: Any, dtype: Any, shape: Any) -> None:
        """A variable of this graph: its first value becomes a node."""
        if self.finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")
        variable._name = self.numbered(variable._name)
        control, self._control = self._control, ()
        scopes, context.name_scopes = (
            context.name_scopes,
            (*variable._name.split("/"), "Initializer"),
        )
        try:
            value = initial_value() if callable(initial_value) else initial_value
            if isinstance(value, Variable):
                value = value.initialized_value()
            weak = dtype is not None and not isinstance(value, Tensor | Variable)
            tensor = self.take(convert(value, dtype if weak else None))
        finally:
            self._control, context.name_scopes = control, scopes
        variable._dtype = tensor.dtype
        variable._shape = tensor.shape if shape is None else as_shape(shape)
        variable._value = None
        variable._graph = self
        variable._owner = None
        variable._initial_tensor = tensor
        if type(variable) is ResourceVariable:
            variable.__class__ = GraphVariable
        variable._initializer = self.add(
            Node(
                self,
                ASSIGN,
                self.numbered(f"{variable._name}/Assign"),
                (tensor,),
                {"variable": variable, "how": "assign"},
                [TensorSpec(variable._shape, variable._dtype)],
            )  # fmt: skip
        )
        self._collect(variable)

    def _collect(self, variable: Any) -> None:
        keys = variable.__dict__.pop("_collections", None) or [GraphKeys.GLOBAL_VARIABLES]
        keys = list(keys)
        if variable._trainable and GraphKeys.TRAINABLE_VARIABLES not in keys:
            keys.append(GraphKeys.TRAINABLE_VARIABLES)
        for key in keys:
            self.add_to_collection(key, variable)

    def _check_variable(self, variable: Variable) -> None:
        graph = getattr(variable, "_graph", None)
        if graph is not None and graph is not self:
            raise ValueError(
                f"Variable {variable.name} must be from the same graph: it was made in {graph!r}, not in {self!r}."
            )

    def variable_named(self, name: str) -> Any:
        """The variable that bears the name, or None: TensorFlow 1 finds variables as tensors `name:0`."""
        keys = (
            GraphKeys.GLOBAL_VARIABLES,
            GraphKeys.LOCAL_VARIABLES,
            GraphKeys.TRAINABLE_VARIABLES,
        )
        found = (v for key in keys for v in self.get_collection(key) if v._name == name)
        return next(found, None)

    def global_variables(self, scope: str | None = None) -> list[Any]:
        """The graph's variables."""
        return self.get_collection(GraphKeys.GLOBAL_VARIABLES, scope)

    def trainable_variables(self, scope: str | None = None) -> list[Any]:
        """The graph's trainable variables."""
        return self.get_collection(GraphKeys.TRAINABLE_VARIABLES, scope)

    # ------------------------------------------------------------------------------------------------------- gradients

    def gradients(
        self,
        ys: Any,
        xs: Any,
        grad_ys: Any = None,
        stop_gradients: Any = None,
        unconnected: Any = "none",
    ) -> list[Any]:
        """Gradients as nodes; see `tf.gradients`."""
        return graph_gradients(self, ys, xs, grad_ys, stop_gradients, unconnected)

    # --------------------------------------------------------------------------------------------------------- running

    def session_for(self, session: Any, what: str) -> Any:
        """The session to use: the one given, else the default one.

        Raises:
            ValueError: If there is none, or it runs another graph.
        """
        from .session import default_session

        session = session or default_session()
        if session is None:
            raise ValueError(
                f"Cannot evaluate tensor using `{what}()`: No default session is registered. Use "
                f"`with sess.as_default()` or "
                f"pass an explicit session to `{what}(session=sess)`"
            )
        if session.graph is not self:
            raise ValueError(
                f"Cannot use the default session to evaluate tensor: the tensor's graph is "
                f"different from the session's graph. "
                f"Pass an explicit session to `{what}(session=sess)`."
            )
        return session

    def evaluate(self, what: Any, feed_dict: Any = None, session: Any = None) -> Any:
        """The value of a tensor, or the run of a node, in a session."""
        return self.session_for(session, "eval" if not isinstance(what, Node) else "run").run(
            what, feed_dict
        )


Graph.__module__ = "eagercore"


def graph_gradients(
    graph: Any, ys: Any, xs: Any, grad_ys: Any, stop_gradients: Any, unconnected: Any
) -> list[Any]:
    """Gradients of the sum of `ys`, added to the graph in which they are."""
    from ..ops.create import zeros_like

    sources = nest.flatten(xs)
    stops = {id(t) for t in nest.flatten(stop_gradients)} if stop_gradients is not None else set()
    targets = [t.value() if isinstance(t, Variable) else convert(t) for t in nest.flatten(ys)]
    seeds = [None] * len(targets) if grad_ys is None else nest.flatten(grad_ys)
    seeds = [
        None if s is None else convert(s, t.dtype) for s, t in zip(seeds, targets, strict=True)
    ]
    groups = [graph.tape.keys_of(s) for s in sources]
    records = list(graph.tape.records)
    if stops:
        cut = {t._key for t in nest.flatten(stop_gradients) if hasattr(t, "_key")}
        records = [r for r in records if not _makes(r, cut)]
    scope = "gradients" if graph is context.graph else None
    with name_scope(scope) if scope else building(graph):
        found = play_backwards(records, targets, seeds, groups)
    if getattr(unconnected, "value", unconnected) == "zero":
        found = [
            zeros_like(convert(s)) if g is None else g for g, s in zip(found, sources, strict=True)
        ]
    return found


def _makes(record: Any, keys: set[int]) -> bool:
    out = record[5]
    return out in keys if type(out) is int else not keys.isdisjoint(out)


build.FuncGraph.gradients = Graph.gradients  # type: ignore[attr-defined]


class GraphDef:
    """A graph's nodes as plain data: `node` is a list of entries with `name`, `op` and `input`."""

    class NodeDef:
        """One node."""

        def __init__(self, node: Any) -> None:
            self.name = node.name
            self.op = node.type
            self.input = [t.name.removesuffix(":0") for t in node.sources()] + [
                f"^{n.name}" for n in node.control
            ]
            self.attr = {k: v for k, v in node.attrs.items() if not callable(v)}
            self.device = node.device

        def __repr__(self) -> str:
            lines = [
                f'  name: "{self.name}"',
                f'  op: "{self.op}"',
                *(f'  input: "{i}"' for i in self.input),
            ]
            return "node {\n" + "\n".join(lines) + "\n}"

    def __init__(self, graph: Any = None) -> None:
        self.graph = graph
        self.node = [] if graph is None else [GraphDef.NodeDef(n) for n in graph.nodes]

    def __repr__(self) -> str:
        return "\n".join(map(repr, self.node)) + ("\n" if self.node else "")


# --------------------------------------------------------------------------------------------------------------------
# The default graph


class _Default:
    """The graph that is built into where no other was chosen."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.graph: Graph | None = None
        self.used = False

    def get(self) -> Graph:
        with self.lock:
            if self.graph is None:
                self.graph = Graph()
            return self.graph


_default = _Default()


def get_default_graph() -> Any:
    """The graph that ops add to here; in eager execution the one that graph mode would use."""
    return context.graph if context.graph is not None else _default.get()


def reset_default_graph() -> None:
    """Begins a new default graph.

    Raises:
        AssertionError: Inside `with graph.as_default():`.
    """
    from .session import forget_interactive

    before = _default.graph
    if context.graph is not None and context.graph is not before:
        # As TensorFlow 2 does inside `with Graph().as_default()`: the block goes on with a new graph.
        context.graph = Graph()
        context.tapes = (context.graph.tape,)
        forget_interactive()
        return
    _default.graph = None
    forget_interactive()
    if Context.graph is not None:
        Context.graph = _default.get()
    if context.graph is not None:
        context.graph = _default.get()
        context.tapes = (context.graph.tape,)


def disable_eager_execution() -> None:
    """From here on ops add to the default graph instead of computing, in every thread.

    >>> from eagercore.graph.default import disable_eager_execution
    """
    graph = _default.get()
    Context.graph = graph
    Context.tapes = (graph.tape,)
    context.__dict__.pop("graph", None), context.__dict__.pop("tapes", None)


def enable_eager_execution(
    config: Any = None, device_policy: Any = None, execution_mode: Any = None
) -> None:
    """Eager execution is on from the start; this switches it on again after `disable_eager_execution`.

    Args:
        config: Accepted for TensorFlow's sake.
        device_policy: Accepted for TensorFlow's sake.
        execution_mode: Accepted for TensorFlow's sake.

    Raises:
        ValueError: If a graph is being built.
    """
    if context.graph is not None and (context.graph.nodes or context.graph is not _default.graph):
        raise ValueError("tf.enable_eager_execution must be called at program startup.")
    Context.graph = None
    Context.tapes = ()
    context.__dict__.pop("graph", None), context.__dict__.pop("tapes", None)


def executing_eagerly() -> bool:
    """Whether ops compute at once: not in graph mode, nor while a function is traced."""
    return context.graph is None


@contextmanager
def init_scope() -> Iterator[None]:
    """Inside the `with` block ops are not part of the function that is being traced: they run at once (or, in graph
    mode, are added to the graph around the function).
    """
    graph = context.graph
    while getattr(graph, "building_function", False):
        graph = graph.outer
    before = context.graph, context.tapes
    context.graph = graph
    context.tapes = () if graph is None else (graph.tape,)
    try:
        yield
    finally:
        context.graph, context.tapes = before
