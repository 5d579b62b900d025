"""The global step: one counter for the process, or for the graph that is being built."""

from __future__ import annotations

from typing import Any

from ..base.context import context
from ..core.variable import Variable

_EAGER: list[Variable] = []


def _shelf(graph: Any = None) -> list[Variable]:
    """Where the counter of a graph, or of the process, is kept."""
    graph = context.graph if graph is None else graph
    while getattr(graph, "building_function", False):
        graph = graph.outer
    return _EAGER if graph is None else graph.__dict__.setdefault("_global_step", [])


def get_global_step(graph: Any = None) -> Variable | None:
    """The global step, or None while there is none.

    Args:
        graph: Graph whose step is wanted; default the current one.

    >>> _ = get_or_create_global_step()
    >>> get_global_step().name
    'global_step:0'
    """
    shelf = _shelf(graph)
    return shelf[0] if shelf else None


def create_global_step(graph: Any = None) -> Variable:
    """Makes the global step.

    Args:
        graph: Graph that it is for; default the current one.

    Raises:
        ValueError: If there is one already.
    """
    shelf = _shelf(graph)
    if shelf:
        raise ValueError('"global_step" already exists: use tf.train.get_or_create_global_step.')
    before, context.name_scopes = (context.name_scopes, context.graph), ()
    if getattr(context.graph, "building_function", False):
        context.graph = None
    try:
        shelf.append(Variable(0, trainable=False, name="global_step", dtype="int64"))
    finally:
        context.name_scopes, context.graph = before
    return shelf[0]


def get_or_create_global_step(graph: Any = None) -> Variable:
    """The global step: an int64 variable that counts training steps.

    Args:
        graph: Graph whose step is wanted; default the current one.

    >>> get_or_create_global_step().dtype
    tf.int64
    """
    found = get_global_step(graph)
    return create_global_step(graph) if found is None else found


def assert_global_step(global_step_tensor: Any) -> None:
    """Raises TypeError unless `global_step_tensor` can count steps: a scalar of an integer dtype."""
    if not global_step_tensor.dtype.is_integer:
        raise TypeError(
            f'Existing "global_step" does not have integer type: {global_step_tensor.dtype}'
        )
    if global_step_tensor.shape.rank not in (0, None):
        raise TypeError(f'Existing "global_step" is not scalar: {global_step_tensor.shape}')


def global_step(sess: Any, global_step_tensor: Any) -> int:
    """The number of steps as a Python int.

    Args:
        sess: Session that holds the value; not used in eager execution.
        global_step_tensor: The variable.
    """
    if (
        sess is None
        or not hasattr(sess, "run")
        or context.graph is None
        and not _is_graph(global_step_tensor)
    ):
        return int(global_step_tensor)
    return int(sess.run(global_step_tensor))


def _is_graph(value: Any) -> bool:
    return bool(getattr(value, "_is_symbolic", False))
