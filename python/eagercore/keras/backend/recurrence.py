"""A step function over time."""

from __future__ import annotations

from typing import Any

from ..layers.recurrent.loop import over_time

__all__ = ["rnn"]


def rnn(
    step_function: Any,
    inputs: Any,
    initial_states: Any,
    go_backwards: bool = False,
    mask: Any = None,
    constants: Any = None,
    unroll: bool = False,
    input_length: Any = None,
    time_major: bool = False,
    zero_output_for_mask: bool = False,
    return_all_outputs: bool = True,
) -> tuple[Any, Any, Any]:
    """Runs a step function over the time steps of a sequence.

    Args:
        step_function: Function of (inputs at a time step, list of states) that gives (output, list of new states).
        inputs: Tensor [batch, time, ...], or a structure of them.
        initial_states: List of first states.
        go_backwards: Whether to begin at the last time step. Default False.
        mask: Bool tensor [batch, time]: where it is False states and output stay as they are. None for all True.
        constants: Tensors that are put behind the states at each step, or None.
        unroll: Accepted for Keras's sake.
        input_length: Accepted for Keras's sake.
        time_major: Whether time comes first. Default False.
        zero_output_for_mask: Whether the output is zero where the mask is False. Default False.
        return_all_outputs: Whether all outputs are wanted. Default True.

    Returns:
        Last output, all outputs [batch, time, ...], list of the last states.

    >>> import eagercore as tf
    >>> last, outputs, states = rnn(lambda x, s: (x + s[0], [x + s[0]]), tf.ones([1, 3, 1]), [tf.zeros([1, 1])])
    >>> outputs.numpy().ravel().tolist()
    [1.0, 2.0, 3.0]
    """
    extra = list(constants or [])

    def step(x: Any, states: Any) -> tuple[Any, Any]:
        output, following = step_function(x, [*states, *extra])
        return output, list(following)

    return over_time(
        step, inputs, list(initial_states), mask, go_backwards, time_major, zero_output_for_mask, return_all_outputs
    )
