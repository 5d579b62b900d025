"""tf.gradients: gradients of the graph that is being built; in eager execution it says what to use instead."""

from __future__ import annotations

from typing import Any

from ..base import nest
from ..base.context import context


def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: str = "gradients",
    colocate_gradients_with_ops: bool = False,
    gate_gradients: bool = False,
    aggregation_method: Any = None,
    stop_gradients: Any = None,
    unconnected_gradients: Any = "none",
) -> list[Any]:
    """Gradients of the sum of `ys` with respect to each of `xs`, in graph mode or inside tf.function.

    Args:
        ys: Tensor or list of tensors.
        xs: Tensor or variable, or a list of these.
        grad_ys: Upstream gradients of `ys`, or None for ones.
        name: Accepted for TensorFlow's sake.
        colocate_gradients_with_ops: Accepted for TensorFlow's sake.
        gate_gradients: Accepted for TensorFlow's sake.
        aggregation_method: Accepted for TensorFlow's sake.
        stop_gradients: Tensors through which no gradient flows.
        unconnected_gradients: "none" or "zero" for what is not connected.

    Returns:
        List of gradients, one for each of `xs`.

    Raises:
        RuntimeError: In eager execution.
    """
    graph = context.graph
    if graph is None:
        graph = next((y.graph for y in nest.flatten(ys) if getattr(y, "_is_symbolic", False)), None)
    if graph is None:
        raise RuntimeError(
            "tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape instead: "
            "with tf.GradientTape() as tape: tape.watch(x); y = f(x) - and then tape.gradient(y, x)."
        )
    return graph.gradients(ys, xs, grad_ys, stop_gradients, unconnected_gradients)
