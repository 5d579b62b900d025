"""Graph mode of TensorFlow 1 by its functions: placeholders, collections, initializers, groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..base import dtypes, errors, nest, seeds
from ..base.context import context
from ..base.shapes import TensorSpec, as_shape
from ..core.slices import IndexedSlices
from ..core.tensor import Tensor, convert
from ..core.variable import Variable
from ..ops.create import identity
from .build import name_scope as _name_scope
from .default import (
    Graph,
    GraphDef,
    GraphKeys,
    disable_eager_execution,
    enable_eager_execution,
    executing_eagerly,
    get_default_graph,
    init_scope,
    reset_default_graph,
)
from .ir import GROUP, Node
from .ir import Node as Operation
from .names import find_caller
from .session import InteractiveSession, Session, default_session

__all__ = [
    "Graph", "GraphDef", "GraphKeys", "InteractiveSession", "Operation", "Session", "SessionLog",
    "add_check_numerics_ops", "add_to_collection", "add_to_collections", "all_variables", "colocate_with",
    "container", "control_dependencies", "delete_session_tensor", "device", "disable_eager_execution",
    "enable_eager_execution", "executing_eagerly", "get_collection", "get_collection_ref",
    "get_default_graph", "get_default_session", "get_seed", "get_session_handle", "get_session_tensor",
    "global_variables", "global_variables_initializer", "group", "hessians", "import_graph_def",
    "init_scope", "initialize_all_tables", "initialize_all_variables", "initialize_local_variables",
    "initialize_variables", "local_variables", "local_variables_initializer", "model_variables",
    "moving_average_variables", "name_scope", "no_op", "op_scope", "placeholder",
    "placeholder_with_default", "report_uninitialized_variables", "reset_default_graph",
    "tables_initializer", "trainable_variables", "tuple", "variables_initializer", "wrap_function",
]  # fmt: skip


def _building() -> Any:
    """The graph that is being built, or None in eager execution."""
    return context.graph


# ------------------------------------------------------------------------------------------------------ placeholders


def placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> Any:
    """A tensor whose value each `session.run` is given in `feed_dict`.

    Args:
        dtype: Dtype.
        shape: Shape; None in it, or as a whole, stands for what is not known.
        name: Name of the node.

    Returns:
        Symbolic tensor.

    Raises:
        RuntimeError: In eager execution.
    """
    graph = _building()
    if graph is None:
        raise RuntimeError(
            "tf.placeholder() is not compatible with eager execution: pass the value to your "
            "function, or build a graph "
            "(with tf.Graph().as_default():, tf.compat.v1.disable_eager_execution())."
        )
    return graph.placeholder(
        TensorSpec(as_shape(shape), dtypes.as_dtype(dtype)), name or "Placeholder"
    )


def placeholder_with_default(input: Any, shape: Any, name: str | None = None) -> Any:
    """A tensor that has the value `input` unless `session.run` is given another.

    Args:
        input: The default.
        shape: Shape, as far as every value has it.
        name: Name of the node.

    Returns:
        Symbolic tensor; in eager execution `input` as a tensor.
    """
    graph = _building()
    if graph is None:
        return convert(input)
    default = convert(input)
    made = identity(default, name=name or "PlaceholderWithDefault")
    made._shape = as_shape(shape)
    return made


# ------------------------------------------------------------------------------------------------------- collections


def add_to_collection(name: str, value: Any) -> None:
    """Appends `value` to a collection of the default graph; in eager execution nothing is kept."""
    if _building() is not None:
        get_default_graph().add_to_collection(name, value)


def add_to_collections(names: Any, value: Any) -> None:
    """Appends `value` to several collections of the default graph."""
    if _building() is not None:
        get_default_graph().add_to_collections(names, value)


def get_collection(key: str, scope: str | None = None) -> list[Any]:
    """What is in a collection of the default graph."""
    return get_default_graph().get_collection(key, scope)


def get_collection_ref(key: str) -> list[Any]:
    """A collection of the default graph itself."""
    return get_default_graph().get_collection_ref(key)


def global_variables(scope: str | None = None) -> list[Any]:
    """The variables of the default graph; in eager execution an empty list."""
    return get_collection(GraphKeys.GLOBAL_VARIABLES, scope)


all_variables = global_variables


def trainable_variables(scope: str | None = None) -> list[Any]:
    """The trainable variables of the default graph; in eager execution an empty list."""
    return get_collection(GraphKeys.TRAINABLE_VARIABLES, scope)


def local_variables(scope: str | None = None) -> list[Any]:
    """The local variables of the default graph."""
    return get_collection(GraphKeys.LOCAL_VARIABLES, scope)


def model_variables(scope: str | None = None) -> list[Any]:
    """The model variables of the default graph."""
    return get_collection(GraphKeys.MODEL_VARIABLES, scope)


def moving_average_variables(scope: str | None = None) -> list[Any]:
    """The variables of the default graph whose moving averages are kept."""
    return get_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, scope)


# ------------------------------------------------------------------------------------------------------- initializers


def variables_initializer(var_list: Any, name: str = "init") -> Any:
    """A node that gives variables their first values.

    Args:
        var_list: Variables.
        name: Name of the node.

    Returns:
        Operation; None in eager execution, where variables have their values from the start.
    """
    if _building() is None:
        return None
    return group(*[v.initializer for v in var_list], name=name)


initialize_variables = variables_initializer


def global_variables_initializer() -> Any:
    """A node that gives all variables of the default graph their first values; None in eager execution."""
    if _building() is None:
        return None
    return variables_initializer(global_variables())


initialize_all_variables = global_variables_initializer


def local_variables_initializer() -> Any:
    """A node that gives the local variables their first values; None in eager execution."""
    if _building() is None:
        return None
    return variables_initializer(local_variables(), "init")


initialize_local_variables = local_variables_initializer


def tables_initializer(name: str = "init_all_tables") -> Any:
    """A node that does nothing: tables are filled when they are made."""
    return no_op(name)


initialize_all_tables = tables_initializer


def report_uninitialized_variables(
    var_list: Any = None, name: str = "report_uninitialized_variables"
) -> Any:
    """A string tensor with the names of the variables that have no value yet.

    Args:
        var_list: Variables; default the global and local ones.
        name: Accepted for TensorFlow's sake.
    """
    from ..ops.compare import logical_not
    from ..ops.index import boolean_mask
    from ..ops.shape import stack

    variables = list(global_variables() + local_variables() if var_list is None else var_list)
    if not variables:
        return convert([], dtypes.string)
    known = stack([v.is_initialized() for v in variables])
    return boolean_mask(convert([v._name for v in variables]), logical_not(known))


# -------------------------------------------------------------------------------------------------- groups and order


def no_op(name: str | None = None) -> Any:
    """A node that does nothing, for others to wait for.

    Args:
        name: Name of the node.

    Returns:
        Operation; None in eager execution.
    """
    graph = _building()
    if graph is None:
        return None
    return graph.add(
        Node(graph, GROUP, graph.unique_name(name or "NoOp"), (), {}, [], find_caller(1).where)
    )


def group(*inputs: Any, **kwargs: Any) -> Any:
    """A node that runs all of `inputs`.

    Args:
        inputs: Operations, tensors, or lists of these.
        kwargs: `name` of the node.

    Returns:
        Operation; None in eager execution, where everything has run.

    Raises:
        TypeError: If something else is given.
    """
    name = kwargs.pop("name", None)
    if kwargs:
        raise ValueError(f"group: unknown keyword arguments: {', '.join(kwargs)}.")
    graph = _building()
    if graph is None:
        return None
    nodes = []
    for item in nest.flatten(list(inputs)):
        if item is None:
            continue
        if not isinstance(item, Node | Tensor | Variable | IndexedSlices):
            raise TypeError(
                f"'inputs' should be zero or more (nested) Tensors or Operations, got {item!r} of type {type(item)}."
            )
        found = graph._control_node(item.values if isinstance(item, IndexedSlices) else item)
        if found is not None and found not in nodes:
            nodes.append(found)
    made = Node(
        graph, GROUP, graph.unique_name(name or "group_deps"), (), {}, [], find_caller(1).where
    )
    graph.add(made)
    made.control = made.control + builtin_tuple(nodes)
    return made


builtin_tuple = type(())


def tuple(tensors: Any, name: str | None = None, control_inputs: Any = None) -> list[Any]:
    """The tensors, each only after all of them are there.

    Args:
        tensors: List of tensors, `IndexedSlices` or None.
        name: Accepted for TensorFlow's sake.
        control_inputs: Further operations to wait for.

    Returns:
        List like `tensors`.
    """
    if _building() is None:
        return list(tensors)
    given = [t for t in tensors if t is not None]
    with control_dependencies([*given, *(control_inputs or ())]):
        return [None if t is None else identity(convert(t)) for t in tensors]


@contextmanager
def control_dependencies(control_inputs: Any) -> Iterator[None]:
    """Nodes added inside the `with` block run after `control_inputs`.

    Args:
        control_inputs: List of operations and tensors (in eager execution functions are called), or None to forget
            the dependencies of outer blocks.
    """
    graph = _building()
    if graph is None:
        for item in control_inputs or ():
            if callable(item) and not isinstance(item, Tensor | Variable):
                item()
        yield
        return
    with graph.control_dependencies(control_inputs):
        yield


@contextmanager
def name_scope(name: Any = None, default_name: Any = None, values: Any = None) -> Iterator[str]:
    """Names made inside the `with` block begin with `name`; see `tf.name_scope`.

    Args:
        name: Name of the scope.
        default_name: Used when `name` is None.
        values: Accepted for TensorFlow's sake.
    """
    if name is None and default_name is None and values is not None:
        raise TypeError(
            "name_scope: at least one of name (None) and default_name (None) must be a string."
        )
    with _name_scope(name, default_name, values) as scope:
        yield scope


@contextmanager
def op_scope(values: Any, name: Any, default_name: Any = None) -> Iterator[str]:
    """As `name_scope`, with the arguments in an older order.

    Args:
        values: Accepted for TensorFlow's sake.
        name: Name of the scope.
        default_name: Used when `name` is None.
    """
    with _name_scope(name, default_name) as scope:
        yield scope


@contextmanager
def colocate_with(op: Any, ignore_existing: bool = False) -> Iterator[None]:
    """Accepted for TensorFlow's sake: everything is in one place."""
    yield


@contextmanager
def container(container_name: str) -> Iterator[None]:
    """Accepted for TensorFlow's sake."""
    yield


@contextmanager
def device(device_name: Any) -> Iterator[None]:
    """Nodes (or tensors) made inside the `with` block are on a device; see `tf.device`."""
    from .devices import device as place

    with place(device_name):
        yield


# ------------------------------------------------------------------------------------------------------------ sessions


def get_default_session() -> Any:
    """The session of the innermost `with session.as_default():`, or None."""
    return default_session()


def get_seed(op_seed: Any) -> Any:
    """The two seeds of a random op made here."""
    return seeds.seeds_of(op_seed, context.graph)


class SessionLog:
    """States of a session, as event files record them."""

    STATUS_UNSPECIFIED, START, STOP, CHECKPOINT = 0, 1, 2, 3

    def __init__(self, status: int = 0, checkpoint_path: str = "", msg: str = "") -> None:
        self.status, self.checkpoint_path, self.msg = status, checkpoint_path, msg


def hessians(ys: Any, xs: Any, name: str = "hessians", **options: Any) -> list[Any]:
    """Matrices of second derivatives of the sum of `ys`, in graph mode.

    Args:
        ys: Tensor or list of tensors.
        xs: Tensor or list of tensors of known shape.
        name: Accepted for TensorFlow's sake.
        options: Accepted for TensorFlow's sake.

    Returns:
        List: for each of `xs` a tensor of shape `x.shape + x.shape`.
    """
    from ..autodiff.gradients import gradients
    from ..ops.create import zeros_like
    from ..ops.shape import reshape, stack, unstack

    made = []
    for x in nest.flatten(xs):
        first = gradients(ys, x)[0]
        shape = x.shape.as_list()
        rows = [gradients(entry, x)[0] for entry in unstack(reshape(first, (-1,)))]
        rows = [zeros_like(x) if r is None else r for r in rows]
        made.append(reshape(stack(rows), (*shape, *shape)))
    return made


def import_graph_def(
    graph_def: Any, input_map: Any = None, return_elements: Any = None, name: str | None = None
) -> Any:
    """Refused: graphs are stored by `tf.saved_model.save`.

    Raises:
        UnimplementedError: Always.
    """
    raise errors.UnimplementedError(
        "GraphDef protocol buffers are not read. Store functions and their variables with "
        "tf.saved_model.save and read them "
        "with tf.saved_model.load, or exchange models by eagercore.onnx."
    )


def wrap_function(fn: Callable[..., Any], signature: Any, name: str | None = None) -> Any:
    """A Python function of graph mode as a traced function.

    Args:
        fn: The function.
        signature: Specs of its arguments.
        name: Name.

    Returns:
        A traced function.
    """
    from .function import Function

    return Function(fn, signature, name=name)


def add_check_numerics_ops() -> Any:
    """A node that fails where a floating tensor of the graph holds inf or nan."""
    from ..ops.debug import check_numerics

    graph = get_default_graph()
    checks = []
    for node in graph.get_operations():
        for tensor in node.outputs:
            if tensor.dtype.is_floating:
                checks.append(check_numerics(tensor, message=tensor.name))
    return group(*checks)


def get_session_handle(data: Any, name: str | None = None) -> Any:
    """Refused: values are passed to `session.run` as arrays.

    Raises:
        UnimplementedError: Always.
    """
    raise errors.UnimplementedError(
        "Session handles are not needed: keep the array that session.run gave you, and feed it."
    )


get_session_tensor = delete_session_tensor = get_session_handle
