"""Why a gradient is None: what the tape knows of the path from a source to a target, in plain words."""

from __future__ import annotations

import os
import sys
from typing import Any

from ..core.tensor import Tensor
from ..core.variable import Variable

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


class Break:
    """A place where a path ended: what happened, the user's line, and the keys of what went in."""

    __slots__ = ("what", "line", "keys")

    def __init__(self, what: str, line: tuple[str, int] | None, keys: list[int]) -> None:
        self.what = what
        self.line = line
        self.keys = keys

    def where(self) -> str:
        """The user's line in words, or nothing when it is not known."""
        return f" (line {self.line[1]} of {self.line[0]})" if self.line else ""


def user_line() -> tuple[str, int] | None:
    """(file, line) of the nearest caller outside the engine."""
    frame: Any = sys._getframe(1)
    while frame is not None:
        if not frame.f_code.co_filename.startswith(PACKAGE):
            return frame.f_code.co_filename, frame.f_lineno
        frame = frame.f_back
    return None


#: What to say of the ops that people meet most.
REASONS = {
    "stop_gradient": "tf.stop_gradient lets no gradient through",
    "cast_op": "tf.cast to a type that is not floating has no gradient",
    "argmax": "positions are whole numbers: tf.argmax has no gradient (a softmax has one)",
    "argmin": "positions are whole numbers: tf.argmin has no gradient (a softmax has one)",
    "round_op": "tf.round is constant between its jumps and has no gradient",
    "floor": "tf.floor is constant between its jumps and has no gradient",
    "ceil": "tf.ceil is constant between its jumps and has no gradient",
    "numpy": "the value left the engine through .numpy() or a NumPy function: NumPy is not recorded",
    "python": "the value became a Python number, which is not recorded",
    "assign": "it was assigned to a variable: assignments are not differentiated",
}


def explain(tape: Any, target: Any, source: Any) -> str:
    """Says why the gradient of `target` with respect to `source` is, or is not, None.

    Args:
        tape: The tape, before or after it was asked for the gradient.
        target: What was to be differentiated.
        source: What it was to be differentiated by.

    Returns:
        One or two sentences that name the op at which the path breaks and the line that called it.
    """
    wrong = _no_tensor(target, "target") or _no_tensor(source, "source")
    if wrong:
        return wrong
    if source.dtype.kind not in "fc":
        return (
            f"The gradient is None: the source is {source.dtype.name}, and no gradient flows through "
            "whole numbers. Cast it before the computation: tf.cast(x, tf.float32)."
        )
    keys = _watched_keys(tape, source)
    if isinstance(keys, str):
        return keys
    key = getattr(target, "_value", target)._key
    steps = [(r[0], r[2], r[5]) for r in tape._records] or list(reversed(tape._played))
    reached = _reached(steps, keys)
    if key in reached or key in keys:
        return _connected(steps, keys, key)
    return _broken(tape, target, key, reached)


def _no_tensor(value: Any, what: str) -> str:
    if isinstance(value, Tensor | Variable):
        return ""
    return (
        f"There is no gradient: the {what} is {value!r} of type {type(value).__name__}, no tensor. "
        "A value that left the engine (through float(), .numpy() or a NumPy function) is not recorded."
    )


def _watched_keys(tape: Any, source: Any) -> Any:
    """The keys of the source, or the reason why it has none on this tape."""
    if isinstance(source, Variable):
        origin = getattr(source, "_origin", source)
        entry = tape._variables.get(id(origin))
        if entry is not None and entry[1]:
            return set(entry[1])
        if entry is not None or (origin.trainable and tape._watch_variables):
            return (
                f"The gradient is None: variable '{source.name}' was not read inside the tape. Use it inside "
                "the `with` block (not a value that was read from it before)."
            )
        if not origin.trainable:
            return (
                f"The gradient is None: variable '{source.name}' has trainable=False, so the tape does not "
                "watch it by itself. Call tape.watch(variable) first."
            )
        return (
            f"The gradient is None: the tape was made with watch_accessed_variables=False and '{source.name}' "
            "was not watched. Call tape.watch(variable) first."
        )
    if source._key in tape._watched:
        return {source._key}
    return (
        "The gradient is None: the source was never watched. Tensors are watched only when asked: "
        "call tape.watch(x) inside the `with` block, before x is used"
        + (
            " (another tensor of the same values does not count)."
            if tape._watched
            else " (nothing is watched by this tape)."
        )
    )


def _reached(steps: list[Any], keys: set[int]) -> set[int]:
    reached = set(keys)
    for _, inputs, out in steps:
        if not reached.isdisjoint(inputs):
            reached.update((out,) if type(out) is int else out)
    return reached


def _connected(steps: list[Any], keys: set[int], key: int) -> str:
    """The names of the ops on one path, from the target back to the source."""
    made_by: dict[int, Any] = {}
    for op, inputs, out in steps:
        for one in (out,) if type(out) is int else out:
            made_by[one] = (op.name, inputs)
    reached = _reached(steps, keys)
    names: list[str] = []
    while key not in keys and key in made_by and len(names) < 1000:
        name, inputs = made_by[key]
        names.append(name)
        key = next((k for k in inputs if k in reached), 0)
    names.reverse()
    if len(names) > 8:
        names = [*names[:4], f"... {len(names) - 8} more ...", *names[-4:]]
    path = " -> ".join(["source", *names, "target"]) if names else "they are the same"
    return f"The gradient is not None: target and source are connected ({path})."


def _broken(tape: Any, target: Any, key: int, reached: set[int]) -> str:
    lost = tape._lost.get(key)
    if lost is not None and not reached.isdisjoint(lost.keys):
        return _say(lost)
    exits = [b for b in tape._left.values() if not reached.isdisjoint(b.keys)]
    losses = [b for b in dict.fromkeys(tape._lost.values()) if not reached.isdisjoint(b.keys)]
    if exits:
        return _say(exits[-1])
    if losses and target.dtype.kind in "fc":
        named = "; ".join(dict.fromkeys(b.what.removesuffix("_op") + b.where() for b in losses[:4]))
        return (
            "The gradient is None: no recorded op leads from the source to the target. "
            f"On the way from the source a path ended at: {named}."
        )
    if len(reached) > 1:
        return (
            "The gradient is None: the source is used on this tape, but nothing that was made of it leads to "
            "the target. Was the target computed from something else, outside the `with` block, or while "
            "recording was stopped?"
        )
    return (
        "The gradient is None: the source is watched, but no recorded op uses it. Compute the target from it "
        "inside the `with` block, after tape.watch."
    )


def _say(found: Break) -> str:
    reason = REASONS.get(found.what)
    if reason is None:
        reason = f"the op {found.what} has no gradient"
    return f"The gradient is None: the path breaks at {found.what.removesuffix('_op')}{found.where()}: {reason}."
