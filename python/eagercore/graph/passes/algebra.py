"""Algebra: steps that change nothing are left out, pairs that undo each other vanish.

Only laws that hold to the bit for every floating number are used: `x * 1`, `x / 1`, `x - 0`, `--x`, a reshape of a
reshape, two transposes, a cast to the same type, a sum to the shape that is there already. `x + 0` is not among
them (it turns -0 into +0), nor is `x * 0`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.tensor import NOTHING
from ..draft import Value, values_in

#: Ops whose single result is their first input, as far as values go.
SAME = frozenset(("identity", "stop_gradient", "prevent_gradient"))


def run(draft: Any) -> None:
    """Simplifies what can be, in one walk."""
    change: dict[int, Value] = {}
    steps = []
    for step in draft.steps:
        step.inputs = [v if v is NOTHING else _final(v, change) for v in step.inputs]
        if step.effect or _dynamic(step):
            steps.append(step)
            continue
        if step.op.name == "with_gradient":
            for mine, theirs in zip(step.outputs, step.inputs, strict=False):
                change[id(mine)] = theirs
            continue
        if step.op.name in LIKES and _becomes_constant(draft, step, steps, change):
            continue
        rule = RULES.get(step.op.name)
        simpler = (
            step.inputs[0] if step.op.name in SAME else rule(step) if rule is not None else None
        )
        if simpler is None or len(step.outputs) != 1:
            steps.append(step)
        else:
            change[id(step.outputs[0])] = simpler
    draft.steps = steps
    draft.replace(change)


#: Ops that make a tensor of one value in the shape of another.
LIKES = {"zeros_like_op": 0, "ones_like_op": 1}


def _becomes_constant(draft: Any, step: Any, steps: list[Any], change: dict[int, Value]) -> bool:
    """Zeros or ones in a shape that is known: one number, repeated without taking memory."""
    out = step.outputs[0]
    if out.known is None or out.dtype.kind not in "iufcb":
        return False
    number = np.array(LIKES[step.op.name], out.dtype._numpy())
    constant, value = draft.constant(np.broadcast_to(number, out.known), out)
    steps.append(constant)
    change[id(out)] = value
    return True


def _dynamic(step: Any) -> bool:
    return bool(step.attrs) and any(True for _ in values_in(step.attrs.values()))


def _final(value: Value, change: dict[int, Value]) -> Value:
    while id(value) in change:
        value = change[id(value)]
    return value


def _is_all(value: Value, number: float) -> bool:
    step = value.step
    if step is None or step.op.name != "constant":
        return False
    array = step.constant
    if array.dtype.kind not in "iufc" or not array.size:
        return False
    if array.ndim and not any(array.strides):
        array = array[(0,) * array.ndim]
    if array.size > 1 << 16:
        return False
    return bool((array == number).all()) and not (number == 0 and _has_negative_zero(array))


def _has_negative_zero(array: np.ndarray) -> bool:
    return array.dtype.kind == "f" and bool(np.signbit(array).any())


def _fits(kept: Value, step: Any) -> bool:
    """Whether `kept` has the result's shape and dtype: nothing was broadcast."""
    out = step.outputs[0]
    return kept.dtype is out.dtype and kept.known is not None and kept.known == out.known


def _multiply(step: Any) -> Value | None:
    x, y = step.inputs
    if _is_all(y, 1) and _fits(x, step):
        return x
    return y if _is_all(x, 1) and _fits(y, step) else None


def _divide(step: Any) -> Value | None:
    x, y = step.inputs
    return x if _is_all(y, 1) and _fits(x, step) else None


def _subtract(step: Any) -> Value | None:
    x, y = step.inputs
    return x if _is_all(y, 0) and _fits(x, step) else None


def _negative(step: Any) -> Value | None:
    inner = step.inputs[0].step
    return inner.inputs[0] if inner is not None and inner.op.name == "negative" else None


def _reshape(step: Any) -> Value | None:
    x, out = step.inputs[0], step.outputs[0]
    if x.known is not None and x.known == out.known:
        return x
    inner = x.step
    if (
        inner is not None
        and inner.op.name == "reshape"
        and out.known is not None
        and not _dynamic(inner)
    ):
        step.inputs[0] = inner.inputs[0]
        step.attrs = {**step.attrs, "shape": out.known}
        return _reshape(step)
    return None


def _transpose(step: Any) -> Value | None:
    x = step.inputs[0]
    rank = x.shape.rank
    if rank is None or step.attrs.get("conjugate"):
        return None
    perm = _order(step, rank)
    if perm == tuple(range(rank)):
        return x
    inner = x.step
    if (
        inner is not None
        and inner.op is step.op
        and not inner.attrs.get("conjugate")
        and not _dynamic(inner)
    ):
        before = _order(inner, rank)
        if tuple(before[p] for p in perm) == tuple(range(rank)):
            return inner.inputs[0]
    return None


def _order(step: Any, rank: int) -> tuple[int, ...]:
    perm = step.attrs.get("perm")
    return tuple(range(rank))[::-1] if perm is None else tuple(p % rank for p in perm)


def _cast(step: Any) -> Value | None:
    x = step.inputs[0]
    return x if x.dtype is step.outputs[0].dtype else None


def _same_shape(step: Any) -> Value | None:
    return step.inputs[0] if _fits(step.inputs[0], step) else None


RULES = {
    "multiply": _multiply,
    "real_divide": _divide,
    "subtract": _subtract,
    "negative": _negative,
    "reshape": _reshape,
    "transpose_op": _transpose,
    "cast_op": _cast,
    "sum_to": _same_shape,
    "broadcast_to": _same_shape,
}
