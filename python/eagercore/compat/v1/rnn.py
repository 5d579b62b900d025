"""Loops over time for TensorFlow 1's cells: dynamic_rnn, static_rnn and their like."""

from __future__ import annotations

from typing import Any

from ...base import dtypes, nest
from ...core.tensor import convert
from ...ops.compare import less
from ...ops.create import cast, zeros_like
from ...ops.select import where
from ...ops.shape import concat, expand_dims, stack, transpose, unstack


def _first_state(cell: Any, initial_state: Any, batch: Any, dtype: Any) -> Any:
    if initial_state is not None:
        return initial_state
    if dtype is None:
        raise ValueError("If there is no initial_state, you must give a dtype.")
    return cell.zero_state(batch, dtype)


def _masked(on: Any, new: Any, old: Any) -> Any:
    """`new` where a sequence still runs, `old` where it has ended."""
    return nest.map_structure(lambda n, o: where(_spread(on, n), n, o), new, old)


def _spread(on: Any, like: Any) -> Any:
    for _ in range(len(like.shape) - 1):
        on = expand_dims(on, -1)
    return on


def _steps(cell: Any, inputs: list[Any], state: Any, lengths: Any) -> tuple[list[Any], Any]:
    outputs = []
    for t, one in enumerate(inputs):
        output, new = cell(one, state)
        if lengths is not None:
            on = less(convert(t, dtypes.int32), lengths)
            output = nest.map_structure(
                lambda o, on=on: where(_spread(on, o), o, zeros_like(o)), output
            )
            new = _masked(on, new, state)
        outputs.append(output)
        state = new
    return outputs, state


def static_rnn(
    cell: Any,
    inputs: Any,
    initial_state: Any = None,
    dtype: Any = None,
    sequence_length: Any = None,
    scope: Any = None,
) -> tuple[list[Any], Any]:
    """A cell along a list of inputs.

    Args:
        cell: The cell.
        inputs: List of tensors [batch, inputs], one for each step.
        initial_state: State to begin with; default zeros.
        dtype: Type of the state where there is no initial one.
        sequence_length: Lengths [batch]; after the end outputs are zero and the state stays.
        scope: Accepted for TensorFlow's sake.

    Returns:
        (list of outputs, last state).

    Raises:
        ValueError: If there is no input.
    """
    if not isinstance(inputs, list | tuple):
        raise TypeError("inputs must be a sequence: use tf.unstack or dynamic_rnn.")
    if not inputs:
        raise ValueError("inputs must not be empty")
    first = convert(nest.flatten(inputs[0])[0])
    state = _first_state(cell, initial_state, first.shape[0], dtype or first.dtype)
    lengths = None if sequence_length is None else cast(convert(sequence_length), dtypes.int32)
    return _steps(cell, list(inputs), state, lengths)


def dynamic_rnn(
    cell: Any, inputs: Any, sequence_length: Any = None, initial_state: Any = None, dtype: Any = None,
    parallel_iterations: Any = None, swap_memory: bool = False, time_major: bool = False, scope: Any = None,
) -> tuple[Any, Any]:  # fmt: skip
    """A cell along the time axis of a tensor.

    Args:
        cell: The cell.
        inputs: Tensor [batch, time, inputs] (or [time, batch, inputs] with `time_major`).
        sequence_length: Lengths [batch]; after the end outputs are zero and the state stays.
        initial_state: State to begin with; default zeros.
        dtype: Type of the state where there is no initial one.
        parallel_iterations: Accepted for TensorFlow's sake.
        swap_memory: Accepted for TensorFlow's sake.
        time_major: Whether time is the first axis.
        scope: Accepted for TensorFlow's sake.

    Returns:
        (outputs in the layout of the inputs, last state).

    Raises:
        ValueError: If the inputs have fewer than three axes, or there is neither state nor dtype.
    """
    given = convert(inputs)
    if given.shape.rank is not None and given.shape.rank < 3:
        raise ValueError(f"dynamic_rnn takes [batch, time, inputs], got shape {given.shape}.")
    by_time = given if time_major else _swap(given)
    batch = by_time.shape[1]
    if batch is None:
        import eagercore

        batch = eagercore.shape(by_time)[1]
    state = _first_state(cell, initial_state, batch, dtype)
    lengths = None if sequence_length is None else cast(convert(sequence_length), dtypes.int32)
    if by_time.shape[0] is None:
        outputs, state = _scanned(cell, by_time, state, lengths)
    else:
        steps, state = _steps(cell, unstack(by_time, by_time.shape[0]), state, lengths)
        outputs = (
            nest.map_structure(lambda *parts: stack(list(parts)), *steps) if steps else by_time
        )
    return (outputs if time_major else nest.map_structure(_swap, outputs)), state


def _scanned(cell: Any, by_time: Any, state: Any, lengths: Any) -> tuple[Any, Any]:
    """The loop of a graph in which the number of steps is not known."""
    import eagercore

    def step(carried: Any, packed: Any) -> Any:
        t, one = packed
        before = carried[1]
        output, new = cell(one, before)
        if lengths is not None:
            on = less(t, lengths)
            output, new = (
                where(_spread(on, output), output, zeros_like(output)),
                _masked(on, new, before),
            )
        return output, new

    count = eagercore.shape(by_time)[0]
    first = step((None, state), (convert(0), by_time[0]))
    rest = eagercore.scan(step, (eagercore.range(1, count), by_time[1:]), initializer=first)
    outputs = concat([expand_dims(first[0], 0), rest[0]], 0)
    states = nest.map_structure(
        lambda a, b: concat([expand_dims(a, 0), b], 0)[-1], first[1], rest[1]
    )
    return outputs, states


def _swap(x: Any) -> Any:
    return transpose(x, [1, 0, *range(2, x.shape.rank)])


def bidirectional_dynamic_rnn(
    cell_fw: Any, cell_bw: Any, inputs: Any, sequence_length: Any = None, initial_state_fw: Any = None,
    initial_state_bw: Any = None, dtype: Any = None, parallel_iterations: Any = None, swap_memory: bool = False,
    time_major: bool = False, scope: Any = None,
) -> Any:  # fmt: skip
    """Two cells along the time axis, one from each end.

    Args:
        cell_fw: Cell from the beginning.
        cell_bw: Cell from the end.
        inputs: Tensor [batch, time, inputs] (or [time, batch, inputs] with `time_major`).
        sequence_length: Lengths [batch].
        initial_state_fw: State of the first cell.
        initial_state_bw: State of the second cell.
        dtype: Type of the states where there is no initial one.
        parallel_iterations: Accepted for TensorFlow's sake.
        swap_memory: Accepted for TensorFlow's sake.
        time_major: Whether time is the first axis.
        scope: Accepted for TensorFlow's sake.

    Returns:
        ((outputs, outputs), (last state, last state)).
    """
    given = convert(inputs)
    axis = 0 if time_major else 1
    out_fw, state_fw = dynamic_rnn(
        cell_fw, given, sequence_length, initial_state_fw, dtype, time_major=time_major
    )
    flipped = _flip(given, sequence_length, axis)
    out_bw, state_bw = dynamic_rnn(
        cell_bw, flipped, sequence_length, initial_state_bw, dtype, time_major=time_major
    )
    return (out_fw, _flip(out_bw, sequence_length, axis)), (state_fw, state_bw)


def _flip(x: Any, lengths: Any, axis: int) -> Any:
    import eagercore

    if lengths is None:
        return eagercore.reverse(x, [axis])
    return eagercore.reverse_sequence(x, lengths, seq_axis=axis, batch_axis=1 - axis)


def static_bidirectional_rnn(
    cell_fw: Any, cell_bw: Any, inputs: Any, initial_state_fw: Any = None, initial_state_bw: Any = None, dtype: Any
        = None,
    sequence_length: Any = None, scope: Any = None,
) -> Any:  # fmt: skip
    """Two cells along a list of inputs, one from each end.

    Args:
        cell_fw: Cell from the beginning.
        cell_bw: Cell from the end.
        inputs: List of tensors [batch, inputs].
        initial_state_fw: State of the first cell.
        initial_state_bw: State of the second cell.
        dtype: Type of the states where there is no initial one.
        sequence_length: Refused: use `bidirectional_dynamic_rnn`.
        scope: Accepted for TensorFlow's sake.

    Returns:
        (list of outputs side by side, last state, last state).
    """
    if sequence_length is not None:
        raise NotImplementedError(
            "static_bidirectional_rnn takes sequences of one length: use bidirectional_dynamic_rnn."
        )
    out_fw, state_fw = static_rnn(cell_fw, inputs, initial_state_fw, dtype)
    out_bw, state_bw = static_rnn(cell_bw, list(inputs)[::-1], initial_state_bw, dtype)
    pairs = zip(out_fw, out_bw[::-1], strict=True)
    return [concat([f, b], 1) for f, b in pairs], state_fw, state_bw


def raw_rnn(
    cell: Any,
    loop_fn: Any,
    parallel_iterations: Any = None,
    swap_memory: bool = False,
    scope: Any = None,
) -> Any:
    """A cell whose inputs a function gives step by step.

    Args:
        cell: The cell.
        loop_fn: Function of (time, output, state, loop state) that gives (finished, next input, next
            state, emitted output, loop state).
        parallel_iterations: Accepted for TensorFlow's sake.
        swap_memory: Accepted for TensorFlow's sake.
        scope: Accepted for TensorFlow's sake.

    Returns:
        (list of emitted outputs, last state, last loop state).
    """
    from ...ops.reduce import reduce_all

    time = 0
    finished, inputs, state, _, loop_state = loop_fn(convert(time), None, None, None)
    emitted = []
    while not bool(reduce_all(convert(finished))):
        output, new = cell(inputs, state)
        time += 1
        done, inputs, after, emit, loop_state = loop_fn(convert(time), output, new, loop_state)
        running = finished
        emit = nest.map_structure(lambda e, r=running: where(_spread(r, e), zeros_like(e), e), emit)
        state = nest.map_structure(lambda a, s, r=running: where(_spread(r, a), s, a), after, state)
        emitted.append(emit)
        finished = running | done
    return emitted, state, loop_state
