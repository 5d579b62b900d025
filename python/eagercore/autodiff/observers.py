"""Observers of the door beside the tapes: who looks at the result of every op, forward and backward.

They stand in `context.tapes` like a tape does and record nothing.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ..base import dtypes, errors
from ..base.context import context
from .explain import user_line


class Observer:
    """Base of what listens at the door."""

    _comes_last = False

    def start(self) -> None:
        """Listens from here on, in this thread."""
        if self not in context.tapes:
            context.tapes = (self, *context.tapes)

    def stop(self) -> None:
        """Listens no more."""
        context.tapes = tuple(tape for tape in context.tapes if tape is not self)

    def record(self, op: Any, inputs: Any, attrs: Any, result: Any) -> None:
        """Called by the door after every op."""

    def leave(self, tensor: Any, how: str) -> None:
        """Called when a value leaves the engine."""

    def read_variable(self, variable: Any, value: Any) -> None:
        """Called when a variable is read."""


#: These only move or choose values: what they hand on was there before.
_MOVERS = frozenset(
    {"maximum", "minimum", "select", "identity", "stop_gradient", "check_numerics_op", "fill"}
)


class NumericsCheck(Observer):
    """Stops the program at the first op whose result is not finite.

    Functions run without their graphs while it listens, so that the op and the line can be named.
    """

    def start(self) -> None:
        """Listens from here on, in this thread."""
        context.functions_eagerly = True
        super().start()

    def stop(self) -> None:
        """Listens no more: what holds for the process holds for this thread again."""
        context.__dict__.pop("functions_eagerly", None)
        super().stop()

    def record(self, op: Any, inputs: Any, attrs: Any, result: Any) -> None:
        """Looks at the results of one op."""
        if op.family.name == "movement" or op.name in _MOVERS:
            return
        for position, one in enumerate(result if type(result) is list else (result,)):
            array = one._array if hasattr(one, "_array") else None
            if array is None or array.dtype.kind not in "fcV":
                continue
            if not np.isfinite(
                array if array.dtype.kind != "V" else array.astype(np.float32)
            ).all():
                count = len(result) if type(result) is list else 1
                raise errors.value_error(op.label, _report(op, inputs, array, position, count))


def _report(op: Any, inputs: Any, array: Any, position: int, count: int) -> str:
    backward = _backward_of()
    phase = f"backward pass of op {backward!r}" if backward else "forward pass"
    lines = [
        "",
        f'!!! Detected Infinity or NaN in output {position} of eagerly-executing op "{op.label}" '
        f"(# of outputs: {count}) !!!",
        f"  In the {phase}.",
        f"  {_described(array)}",
        f"  Input tensors ({len(inputs)}):",
    ]
    for i, tensor in enumerate(inputs):
        lines.append(f"    {i}: {_described(getattr(tensor, '_array', None))}")
    line = user_line()
    if line is not None:
        lines.append(f"  Line {line[1]} of {line[0]}")
    return "\n".join(lines)


def _backward_of() -> str | None:
    """Name of the op whose gradient is being computed, or None in the forward pass."""
    frame: Any = sys._getframe(2)
    while frame is not None:
        if frame.f_code.co_name in ("step_back", "play_backwards"):
            return str(frame.f_locals["op"].name)
        frame = frame.f_back
    return None


def _described(array: Any) -> str:
    """Dtype, shape, range and what is not finite, in one line."""
    if array is None:
        return "not given"
    text = f"dtype: {dtypes.of_array(array).name}, shape: {array.shape}"
    if array.dtype.kind not in "iufcbV" or not array.size:
        return text
    wide = array.astype(np.float64) if array.dtype.kind in "iubV" else array
    wide = np.abs(wide) if wide.dtype.kind == "c" else wide
    finite = wide[np.isfinite(wide)]
    if finite.size:
        text += f", finite values from {finite.min():.6g} to {finite.max():.6g}"
    for word, found in (
        ("-Inf", wide == -np.inf),
        ("+Inf", wide == np.inf),
        ("NaN", np.isnan(wide)),
    ):
        if found.any():
            text += f", {word}: {int(found.sum())} of {array.size}"
    return text


_CHECK = NumericsCheck()


def enable_check_numerics(stack_height_limit: int = 30, path_length_limit: int = 50) -> None:
    """Stops at the first op, forward or backward, whose result holds inf or nan.

    The error names the op, whether it belongs to the backward pass and of which op, the dtypes, shapes and ranges
    of its
    inputs, and your line. It holds for the thread that calls it, until `disable_check_numerics`; `tf.function`s run
    without their graphs as long as it is on.

    Args:
        stack_height_limit: Accepted for TensorFlow's sake.
        path_length_limit: Accepted for TensorFlow's sake.

    >>> enable_check_numerics()
    >>> disable_check_numerics()
    """
    _CHECK.start()


def disable_check_numerics() -> None:
    """Ends what `enable_check_numerics` began.

    >>> disable_check_numerics()
    """
    _CHECK.stop()


# ------------------------------------------------------------------------------- callbacks of the first generation


class InfOrNanError(Exception):
    """An op gave inf or nan and the handler said "raise".

    Args:
        op_type: The op.
        op_name: Its name, None in eager execution.
        output_index: Which of its results it was.
        num_outputs: How many results it has.
        value: The values.
    """

    def __init__(
        self, op_type: str, op_name: Any, output_index: int, num_outputs: int, value: Any
    ) -> None:
        self._op_type, self._op_name = op_type, op_name
        self._output_index, self._num_outputs, self._value = output_index, num_outputs, value
        self._inf_count = int(np.isinf(value).sum())
        self._nan_count = int(np.isnan(value).sum())
        super().__init__(self._text())

    op_type = property(lambda self: self._op_type, doc="The op.")
    op_name = property(lambda self: self._op_name, doc="Its name.")
    output_index = property(lambda self: self._output_index, doc="Which result it was.")
    num_outputs = property(lambda self: self._num_outputs, doc="How many results the op has.")
    value = property(lambda self: self._value, doc="The values.")

    def _text(self) -> str:
        size = int(np.size(self._value))
        shown = f" Tensor value: {self._value}" if size < 10 else ""
        return (
            f"Output {self._output_index + 1} of {self._num_outputs} of TFE operation {self._op_type} (name: "
            f"{self._op_name}) contains {self._inf_count} inf(s) and {self._nan_count} nan(s) out of a total of {size} "
            f"element(s).{shown}"
        )


class ExecutionCallback:
    """What to do about inf and nan: IGNORE, PRINT, RAISE or WARN."""

    IGNORE = "ignore"
    PRINT = "print"
    RAISE = "raise"
    WARN = "warn"


_ACTIONS = ("ignore", "print", "raise", "warn")


def inf_nan_callback(
    op_type: str, inputs: Any, attrs: Any, outputs: Any, op_name: Any,
    check_inf: bool = True, check_nan: bool = True, action: str = "raise",
) -> None:  # fmt: skip
    """An execution callback that looks for inf and nan.

    Args:
        op_type: The op.
        inputs: Its inputs.
        attrs: Its attributes.
        outputs: Its results.
        op_name: Its name.
        check_inf: Whether inf counts.
        check_nan: Whether nan counts.
        action: "ignore", "print", "raise" or "warn".

    Raises:
        InfOrNanError: If something was found and the action is "raise".
    """
    for position, output in enumerate(outputs):
        array = getattr(output, "_array", None)
        if array is None or array.dtype.kind not in "fc":
            continue
        if (check_inf and np.isinf(array).any()) or (check_nan and np.isnan(array).any()):
            _act(InfOrNanError(op_type, op_name, position, len(outputs), array.copy()), action)


def _act(error: InfOrNanError, action: str) -> None:
    if action == "raise":
        raise error
    if action == "warn":
        warnings.warn(str(error), stacklevel=4)
    elif action == "print":
        print(f"Warning: {error}")
    elif action != "ignore":
        raise ValueError(f"Invalid action: {action}. Valid actions are: {', '.join(_ACTIONS)}.")


def inf_callback(
    op_type: str, inputs: Any, attrs: Any, outputs: Any, op_name: Any, action: str = "raise"
) -> None:
    """An execution callback that looks for inf; see `inf_nan_callback`."""
    inf_nan_callback(op_type, inputs, attrs, outputs, op_name, True, False, action)


def nan_callback(
    op_type: str, inputs: Any, attrs: Any, outputs: Any, op_name: Any, action: str = "raise"
) -> None:
    """An execution callback that looks for nan; see `inf_nan_callback`."""
    inf_nan_callback(op_type, inputs, attrs, outputs, op_name, False, True, action)


class _Callbacks(Observer):
    """Calls the users' functions after each op."""

    def __init__(self) -> None:
        self.functions: list[Callable[..., Any]] = []

    def record(self, op: Any, inputs: Any, attrs: Any, result: Any) -> None:
        """Calls the functions, which do not hear of the ops that they use themselves."""
        outputs = tuple(result) if type(result) is list else (result,)
        tapes, context.tapes = context.tapes, ()
        try:
            for function in self.functions:
                function(op.label, list(inputs), dict(attrs), outputs, None)
        finally:
            context.tapes = tapes


_CALLBACKS = _Callbacks()


def add_execution_callback(callback: Callable[..., Any]) -> None:
    """Calls `callback(op_type, inputs, attrs, outputs, op_name)` after each op of this thread.

    Args:
        callback: The function.
    """
    _CALLBACKS.functions.append(callback)
    _CALLBACKS.start()


def clear_execution_callbacks() -> None:
    """Forgets all execution callbacks."""
    _CALLBACKS.functions.clear()
    _CALLBACKS.stop()


_ERR: dict[str, str] = {"inf_or_nan": "ignore"}


def seterr(inf_or_nan: str | None = None) -> dict[str, str]:
    """Says what happens when an op gives inf or nan.

    Args:
        inf_or_nan: "ignore" (the default of the engine), "print", "raise" or "warn"; None changes nothing.

    Returns:
        The choice before.

    Raises:
        ValueError: If it is another word.

    >>> seterr(inf_or_nan="ignore")
    {'inf_or_nan': 'ignore'}
    """
    before = dict(_ERR)
    if inf_or_nan is None:
        return before
    if inf_or_nan not in _ACTIONS:
        raise ValueError(f'"inf_or_nan" must be one of {", ".join(_ACTIONS)}, got {inf_or_nan!r}.')
    _ERR["inf_or_nan"] = inf_or_nan
    _CALLBACKS.functions[:] = [
        f for f in _CALLBACKS.functions if not getattr(f, "_is_seterr", False)
    ]
    if inf_or_nan != "ignore":

        def handler(op_type: str, inputs: Any, attrs: Any, outputs: Any, op_name: Any) -> None:
            inf_nan_callback(op_type, inputs, attrs, outputs, op_name, action=inf_or_nan)

        handler._is_seterr = True  # type: ignore[attr-defined]
        _CALLBACKS.functions.append(handler)
    _CALLBACKS.start() if _CALLBACKS.functions else _CALLBACKS.stop()
    return before


class errstate:
    """Context manager: `seterr` for a `with` block.

    Args:
        inf_or_nan: See `seterr`.
    """

    def __init__(self, inf_or_nan: str | None = None) -> None:
        self._wanted = inf_or_nan
        self._before: dict[str, str] = {}

    def __enter__(self) -> None:
        self._before = seterr(self._wanted)

    def __exit__(self, *exc: Any) -> None:
        seterr(**self._before)


for _cls in (InfOrNanError, ExecutionCallback):
    _cls.__module__ = "eagercore"
