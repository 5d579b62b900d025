"""A step function over all time steps: what runs any cell that is not one of the fused ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....base import nest
from ....base.context import context
from ....ops.create import shape_of, zeros_like
from ....ops.rearrange import reverse
from ....ops.select import where
from ....ops.shape import expand_dims, reshape, stack, transpose_op, unstack

Step = Callable[[Any, Any], tuple[Any, Any]]


def exchanged(x: Any) -> Any:
    """The tensor with its first two axes, batch and time, exchanged."""
    return transpose_op(x, perm=(1, 0, *range(2, x.shape.rank)))


def over_time(
    step: Step,
    inputs: Any,
    states: Any,
    mask: Any = None,
    go_backwards: bool = False,
    time_major: bool = False,
    zero_output_for_mask: bool = False,
    return_all_outputs: bool = True,
) -> tuple[Any, Any, Any]:
    """Runs `step(inputs at t, states)`, which gives (output, new states), over time.

    Args:
        step: The step function.
        inputs: Tensor [batch, time, ...], or a structure of them.
        states: First states: a structure of tensors.
        mask: Bool tensor [batch, time]: where it is False, states and output stay as they are.
        go_backwards: Whether to begin at the last time step.
        time_major: Whether time comes first in inputs and outputs.
        zero_output_for_mask: Whether the output is zero where the mask is False.
        return_all_outputs: Whether all outputs are wanted, rather than the last alone.

    Returns:
        Last output, all outputs [batch, time, ...] (or the last as one step), and the last states.

    Raises:
        ValueError: If there is no time step.
    """
    if not time_major:
        inputs = nest.map_structure(exchanged, inputs)
    if mask is not None:
        mask = time_first(mask, time_major)
    if go_backwards:
        inputs = nest.map_structure(lambda x: reverse(x, axis=(0,)), inputs)
        mask = None if mask is None else reverse(mask, axis=(0,))
    count = nest.flatten(inputs)[0].shape[0]
    if count == 0:
        raise ValueError("A recurrent layer needs one time step at least, got inputs with none.")
    if count is None and context.graph is not None:
        last, outputs, states = _in_a_loop(step, inputs, states, mask, zero_output_for_mask)
    else:
        last, outputs, states = _one_by_one(step, inputs, states, mask, count, zero_output_for_mask)
        outputs = outputs if return_all_outputs else [last]
        outputs = nest.map_structure(lambda *each: stack(list(each)), *outputs)
    if not time_major:
        outputs = nest.map_structure(exchanged, outputs)
    return last, outputs, states


def time_first(mask: Any, time_major: bool) -> Any:
    """A mask of time steps as [time, batch]."""
    if mask.shape.rank == 3:
        mask = mask[:, :, 0]
    return mask if time_major else exchanged(mask)


def _one_by_one(
    step: Step, inputs: Any, states: Any, mask: Any, count: Any, zero: bool
) -> tuple[Any, list[Any], Any]:
    parts = [unstack(x, num=count) for x in nest.flatten(inputs)]
    rows = None if mask is None else unstack(mask, num=count)
    outputs: list[Any] = []
    for t, values in enumerate(zip(*parts, strict=True)):
        output, following = step(nest.pack_sequence_as(inputs, list(values)), states)
        if rows is not None:
            before = nest.map_structure(zeros_like, output) if zero or not outputs else outputs[-1]
            output = _held(rows[t], output, before)
            following = _held(rows[t], following, states)
        states = following
        outputs.append(output)
    return outputs[-1], outputs, states


def _held(row: Any, new: Any, old: Any) -> Any:
    """The new values where the row's mask is True, else the old ones."""

    def choose(value: Any, before: Any) -> Any:
        condition = row
        while condition.shape.rank < value.shape.rank:
            condition = expand_dims(condition, axis=-1)
        return where(condition, value, before)

    made = [choose(a, b) for a, b in zip(nest.flatten(new), nest.flatten(old), strict=True)]
    return nest.pack_sequence_as(new, made)


def _in_a_loop(step: Step, inputs: Any, states: Any, mask: Any, zero: bool) -> tuple[Any, Any, Any]:
    """A loop of the graph, where the number of time steps is known only when it runs."""
    from ....graph.control import while_loop
    from ....graph.tensor_array import TensorArray
    from ....ops.create import constant

    first = nest.flatten(inputs)[0]
    count = shape_of(first)[0]
    sample, _ = step(nest.map_structure(lambda x: x[0], inputs), states)
    before = nest.map_structure(zeros_like, sample)
    arrays = [TensorArray(t.dtype, size=count, element_shape=t.shape) for t in nest.flatten(sample)]

    def body(t: Any, arrays: Any, last: Any, states: Any) -> Any:
        output, following = step(nest.map_structure(lambda x: x[t], inputs), states)
        if mask is not None:
            output = _held(mask[t], output, before if zero else last)
            following = _held(mask[t], following, states)
        arrays = [a.write(t, v) for a, v in zip(arrays, nest.flatten(output), strict=True)]
        return t + 1, arrays, output, following

    _, arrays, last, states = while_loop(
        lambda t, *rest: t < count, body, (constant(0), arrays, before, states)
    )
    stacked = nest.pack_sequence_as(sample, [a.stack() for a in arrays])
    return last, stacked, states


def as_rows(x: Any) -> Any:
    """[batch, time, ...] as [batch * time, ...], and a function that takes results back."""
    sizes = shape_of(x)
    flat = reshape(x, (-1, *sizes[2:]))

    def back(y: Any) -> Any:
        return reshape(
            y, (-1 if not isinstance(sizes[0], int) else sizes[0], sizes[1], *shape_of(y)[1:])
        )

    return flat, back
