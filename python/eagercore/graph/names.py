"""What a node is called: TensorFlow's names, found by looking who asked.

The public function that the user called (`tf.reduce_mean(x, name="loss")`, `a + b`) may be made of several ops; it
knows the name, they do not. So the name is read from the frame of the outermost function of the engine, and the
last node that it adds gets it.
"""

from __future__ import annotations

import sys
from typing import Any

#: Function behind an operator -> what TensorFlow calls the node.
OPERATORS = {
    "add": "add", "subtract": "sub", "multiply": "mul", "truediv": "truediv", "floordiv": "floordiv",
    "floormod": "mod", "pow": "pow", "pow_": "pow", "matmul": "matmul",
}  # fmt: skip
LABELS = {"AddV2": "Add", "StridedSlice": "strided_slice", "ConcatV2": "concat", "Pack": "stack", "Unpack": "unstack",
          "Transpose": "transpose", "Split": "split", "Range": "range", "OneHot": "one_hot",
          "RandomUniform": "random_uniform/RandomUniform", "RandomStandardNormal": "random_normal",
          "TruncatedNormal": "truncated_normal", "RandomUniformInt": "random_uniform",
          "Multinomial": "multinomial/Multinomial"}  # fmt: skip
MAKERS = frozenset(("zeros", "ones", "fill", "eye", "linspace", "zeros_like", "ones_like"))
#: What the function of an operator closes over: the function behind it, or the op.
_BEHIND = frozenset(("function", "op"))
_ROOMS = ("eagercore.ops.", "eagercore.core.", "eagercore.graph.control", "eagercore.graph.loops")
_OWN = "eagercore."


class Caller:
    """Who asked for a node.

    Attributes:
        frame: Frame of the outermost function of the engine's ops.
        base: The name that the node should have, or None for the op's own.
        where: (file, line, function) of the user's code.
    """

    __slots__ = ("frame", "base", "where")

    def __init__(self, frame: Any, base: str | None, where: Any) -> None:
        self.frame = frame
        self.base = base
        self.where = where


def find_caller(depth: int) -> Caller:
    """Looks up the stack, from `depth` frames above."""
    frame: Any = sys._getframe(depth)
    outermost, base = None, None
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module.startswith(_ROOMS):
            outermost = frame
        elif outermost is not None or not module.startswith(_OWN):
            break
        frame = frame.f_back
    if outermost is not None:
        base = _base_of(outermost)
    while frame is not None and frame.f_globals.get("__name__", "").startswith((_OWN, "malt")):
        frame = frame.f_back
    where = (
        None if frame is None else (frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
    )
    return Caller(outermost, base, where)


def _base_of(frame: Any) -> str | None:
    code = frame.f_code
    if code.co_name in ("forward", "reflected", "two") and not _BEHIND.isdisjoint(
        (*code.co_freevars, *code.co_varnames[2:3])
    ):
        # An operator: a function of `ops/operators.py`, or the entry of an op that nobody called by its name.
        function = frame.f_locals.get("function") or frame.f_locals.get("op")
        return OPERATORS.get(getattr(function, "__name__", ""))
    if "name" in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
        name = frame.f_locals.get("name")
        if isinstance(name, str):
            return name
    if code.co_name == "fill":
        return "Fill"
    return code.co_name if code.co_name in MAKERS else None


def own_name(op: Any) -> str:
    """What a node of this op is called when nobody says otherwise."""
    return LABELS.get(op.label, op.label)
