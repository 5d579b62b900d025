"""Common subexpressions: what is computed twice from the same values is computed once.

Random and stateful steps are never merged; two reads of a variable are, unless it is changed between them.
Results are unchanged to the bit.
"""

from __future__ import annotations

from typing import Any

from ...core.tensor import NOTHING
from ..ir import ASSIGN, CONSTANT, READ

SMALL = 64
"""Constants of at most so many elements are compared by their values."""


def run(draft: Any) -> None:
    """Merges equal steps."""
    change: dict[int, Any] = {}
    seen: dict[Any, Any] = {}
    version: dict[int, int] = {}
    everything = 0
    steps = []
    for step in draft.steps:
        step.inputs = [v if v is NOTHING else change.get(id(v), v) for v in step.inputs]
        if step.op is ASSIGN:
            variable = id(step.attrs["variable"])
            version[variable] = version.get(variable, 0) + 1
        elif step.effect:
            everything += 1
        key = _key(step, version, everything, change)
        known = seen.get(key) if key is not None else None
        if known is None:
            if key is not None:
                seen[key] = step
            steps.append(step)
            continue
        for mine, theirs in zip(step.outputs, known.outputs, strict=True):
            change[id(mine)] = theirs
    draft.steps = steps
    draft.replace(change)


def _key(step: Any, version: dict[int, int], everything: int, change: dict[int, Any]) -> Any:
    if step.op is READ:
        variable = id(step.attrs["variable"])
        return "read", variable, version.get(variable, 0), everything
    if step.op is CONSTANT:
        array = step.constant
        if array.size > SMALL or array.dtype == object:
            return "constant", id(array)
        return "constant", array.dtype.str, array.shape, array.tobytes()
    if not step.pure:
        return None
    attrs = tuple((k, _frozen(v, change)) for k, v in sorted(step.attrs.items()))
    key = (step.op.name, id(step.op), tuple(id(v) for v in step.inputs), attrs)
    try:
        hash(key)
    except TypeError:
        return None
    return key


def _frozen(attribute: Any, change: dict[int, Any]) -> Any:
    """An attribute as a part of a key: 1, 1.0 and True differ."""
    if isinstance(attribute, tuple):
        return tuple(_frozen(a, change) for a in attribute)
    if hasattr(attribute, "step"):
        return "value", id(change.get(id(attribute), attribute))
    if isinstance(attribute, bool | int | float | str | None) or hasattr(attribute, "numpy_dtype"):
        return type(attribute).__name__, attribute, str(attribute)
    return "object", id(attribute)
