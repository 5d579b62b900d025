"""How a running program changes variables: in place where nobody else holds the value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..base import errors
from ..core.tensor import EagerTensor

_SCATTER = {
    "scatter_add": np.add, "scatter_sub": np.subtract, "scatter_mul": np.multiply, "scatter_div": np.divide,
    "scatter_max": np.maximum, "scatter_min": np.minimum, "scatter_update": None,
}  # fmt: skip


def uninitialized(variable: Any) -> errors.FailedPreconditionError:
    """The error for a variable that has no value in this session."""
    return errors.FailedPreconditionError(
        f"Attempting to use uninitialized value {variable._name}. Run its initializer first: "
        "session.run(tf.compat.v1.global_variables_initializer())."
    )


def assign(variable: Any, array: Any) -> Any:
    """Replaces the value."""
    array = np.asarray(array)
    if not variable._shape.is_compatible_with(array.shape):
        raise variable._mismatch(array.shape)
    variable._value = EagerTensor(array)
    return array


def assign_add(variable: Any, delta: Any) -> Any:
    """Adds to the value."""
    if variable._value is None:
        raise uninitialized(variable)
    if delta.shape != variable._value._array.shape:
        raise variable._mismatch(delta.shape)
    target = variable.exclusive_array()
    np.add(target, delta, target)
    return target


def assign_sub(variable: Any, delta: Any) -> Any:
    """Subtracts from the value."""
    if variable._value is None:
        raise uninitialized(variable)
    if delta.shape != variable._value._array.shape:
        raise variable._mismatch(delta.shape)
    target = variable.exclusive_array()
    np.subtract(target, delta, target)
    return target


def _scatter(how: str) -> Callable[..., Any]:
    function = _SCATTER[how]

    def change(variable: Any, indices: Any, updates: Any) -> Any:
        if variable._value is None:
            raise uninitialized(variable)
        variable.scatter_arrays(np.asarray(indices), np.asarray(updates), function)
        return variable._value._array

    return change


def changer(how: str) -> Callable[..., Any]:
    """The function `(variable, *arrays)` that changes a variable in the way that `how` names.

    Raises:
        InternalError: If there is no such way.
    """
    if how in _SCATTER:
        return _scatter(how)
    found = {"assign": assign, "assign_add": assign_add, "assign_sub": assign_sub}.get(how)
    if found is None:
        raise errors.InternalError(f"Variables cannot be changed by {how!r} in a graph.")
    return found
