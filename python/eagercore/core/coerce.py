"""Attributes of ops: what people write, made into the plain hashable value that an op is given.

The annotation of an op's keyword-only parameter names the rule. Whole-number floats are good wherever an int is
meant (in R every number is a double); 1.5 is refused by name.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ..base import dtypes, errors, shapes

# Names for annotations: what an attribute means.
Axis = Any
Shape = Any
Ints = Any
DType = Any


def as_int(value: Any, op: str, name: str) -> Any:
    """A whole number; symbolic tensors pass as they are (a graph makes them inputs)."""
    if type(value) is int or value is None:
        return value
    if is_symbolic(value):
        return value
    if isinstance(value, bool | np.bool_):
        return int(value)
    value = plain(value)
    if isinstance(value, np.ndarray):
        if value.size != 1:
            raise errors.value_error(
                op, f"`{name}` must be one whole number, got an array of shape {value.shape}."
            )
        value = value.reshape(()).item()
    if isinstance(value, float | np.floating):
        if value != int(value) if np.isfinite(value) else True:
            raise errors.dtype_error(op, f"`{name}` must be a whole number, got {value!r}.")
        return int(value)
    try:
        return operator.index(value)
    except TypeError:
        raise errors.dtype_error(
            op, f"`{name}` must be a whole number, got {value!r} of type {type(value).__name__}."
        ) from None


def as_ints(value: Any, op: str, name: str) -> Any:
    """A tuple of whole numbers (one number gives a tuple of one), or None."""
    if value is None or type(value) is tuple and all(type(v) is int for v in value):
        return value
    if is_symbolic(value):
        return value
    value = plain(value)
    if isinstance(value, np.ndarray):
        value = value.reshape(-1).tolist()
    if isinstance(value, shapes.TensorShape):
        return tuple(value.as_list())
    if isinstance(value, list | tuple | range):
        return tuple(as_int(v, op, name) for v in value)
    return (as_int(value, op, name),)


def as_axis(value: Any, op: str, name: str) -> Any:
    """An axis: None, one int, or a tuple of ints."""
    if value is None or type(value) is int:
        return value
    if is_symbolic(value):
        return value
    value = plain(value)
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, list | tuple | range):
        return tuple(as_int(v, op, name) for v in value)
    return as_int(value, op, name)


def as_shape(value: Any, op: str, name: str) -> Any:
    """A shape as a tuple; -1 and None stay as they are."""
    if type(value) is tuple and all(type(v) is int for v in value):
        return value
    return as_ints(value, op, name)


def as_bool(value: Any, op: str, name: str) -> Any:
    """A truth value."""
    if type(value) is bool or value is None or is_symbolic(value):
        return value
    return bool(plain(value))


def as_float(value: Any, op: str, name: str) -> Any:
    """A Python float."""
    if type(value) is float or value is None or is_symbolic(value):
        return value
    try:
        return float(plain(value))
    except (TypeError, ValueError):
        raise errors.dtype_error(op, f"`{name}` must be a number, got {value!r}.") from None


def as_dtype(value: Any, op: str, name: str) -> Any:
    """A `DType` or None."""
    return None if value is None else dtypes.as_dtype(value)


def as_any(value: Any, op: str, name: str) -> Any:
    """Whatever it is; lists become tuples so that it can be hashed."""
    if isinstance(value, list):
        return tuple(as_any(v, op, name) for v in value)
    return value


RULES: dict[str, Callable[[Any, str, str], Any]] = {
    "int": as_int, "Ints": as_ints, "Axis": as_axis, "Shape": as_shape, "bool": as_bool, "float": as_float,
    "DType": as_dtype, "str": as_any, "Any": as_any,
}  # fmt: skip


def rule(annotation: Any) -> Callable[[Any, str, str], Any]:
    """The coercion that an annotation names (`int | None` is read as `int`)."""
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "Any")
    return RULES.get(text.split("|")[0].strip(), as_any)


def plain(value: Any) -> Any:
    """The array or value behind a tensor or a variable; anything else as it is."""
    reader = getattr(value, "_read_array", None)
    return value if reader is None else reader()


def is_symbolic(value: Any) -> bool:
    """Whether `value` is a tensor of a graph, or a list that holds one."""
    if isinstance(value, list | tuple):
        return any(is_symbolic(v) for v in value)
    return getattr(value, "_is_symbolic", False)
