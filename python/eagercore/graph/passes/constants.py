"""Constant folding: what depends on constants alone is computed once, when the graph is prepared.

The op's own code computes it, so results are unchanged to the bit. Large results are left to be computed: a graph
should not carry a zero matrix of a gigabyte.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.tensor import NOTHING
from ..ir import CONSTANT, GRAPH_OPS

LIMIT = 1 << 20
"""Bytes of a result that is worth carrying."""


def run(draft: Any) -> None:
    """Replaces steps whose inputs are all constants."""
    change: dict[int, Any] = {}
    steps = []
    for step in draft.steps:
        step.inputs = [v if v is NOTHING else change.get(id(v), v) for v in step.inputs]
        made = _folded(step) if _can_fold(step) else None
        if made is None:
            steps.append(step)
            continue
        for value, array in zip(step.outputs, made, strict=True):
            constant, new = draft.constant(array, value)
            steps.append(constant)
            change[id(value)] = new
    draft.steps = steps
    draft.replace(change)


def _can_fold(step: Any) -> bool:
    if step.op is CONSTANT or not step.pure or step.op.name in GRAPH_OPS or not step.inputs:
        return False
    for value in step.inputs:
        if value is not NOTHING and (value.step is None or value.step.op is not CONSTANT):
            return False
    if any(getattr(a, "step", None) is not None for a in step.attrs.values()) or _holds_value(step):
        return False
    sizes = [v.shape.num_elements() for v in step.outputs]
    if (
        step.op.family.name == "movement"
        and None not in sizes
        and _thin(step.inputs[0].step.constant)
    ):
        return step.op.name in ("reshape", "broadcast_to", "expand_dims", "squeeze", "transpose_op")
    return all(
        s is not None and s * v.dtype.size <= LIMIT
        for s, v in zip(sizes, step.outputs, strict=True)
    )


def _thin(array: np.ndarray) -> bool:
    """Whether an array repeats one number without taking memory: views of it are as thin."""
    return array.size > 1 and not any(array.strides)


def _holds_value(step: Any) -> bool:
    from ..draft import values_in

    return any(True for _ in values_in(step.attrs.values()))


def _folded(step: Any) -> list[np.ndarray] | None:
    arrays = [None if v is NOTHING else v.step.constant for v in step.inputs]
    try:
        with np.errstate(all="ignore"):
            out = step.op.run(*arrays, **step.attrs)
    except Exception:  # what fails here fails again when the graph runs, with its message
        return None
    found = [np.asarray(o) for o in out] if isinstance(out, tuple | list) else [np.asarray(out)]
    return found if len(found) == len(step.outputs) else None
