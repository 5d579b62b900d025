"""Constraints: functions that put a variable back into bounds after each update."""

from __future__ import annotations

from typing import Any

from ..ops.arithmetic import maximum, minimum, square
from ..ops.exponential import sqrt
from ..ops.reduce import reduce_sum
from .serialization import lookup, serialize_keras_object
from .settings import settings


class Constraint:
    """Base of constraints: write `__call__(w)` and `get_config()`."""

    def __call__(self, w: Any) -> Any:
        """The value that is within bounds."""
        return w

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a constraint like this one."""
        return {}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """The constraint that `get_config` described."""
        return cls(**config)


def _norms(w: Any, axis: Any) -> Any:
    return sqrt(reduce_sum(square(w), axis=axis, keepdims=True))


class MaxNorm(Constraint):
    """No norm above a bound.

    Args:
        max_value: Largest norm. Default 2.
        axis: Axis along which norms are taken. Default 0.

    >>> MaxNorm(1.0)([[3.0], [4.0]]).numpy()
    array([[0.6],
           [0.8]], dtype=float32)
    """

    def __init__(self, max_value: float = 2, axis: Any = 0) -> None:
        self.max_value, self.axis = max_value, axis

    def __call__(self, w: Any) -> Any:
        """The value whose norms are within the bound."""
        norms = _norms(w, self.axis)
        desired = minimum(norms, float(self.max_value))
        return w * (desired / (settings.epsilon + norms))

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a constraint like this one."""
        return {"max_value": self.max_value, "axis": self.axis}


class NonNeg(Constraint):
    """No value below zero.

    >>> import eagercore as tf
    >>> NonNeg()(tf.constant([-1.0, 2.0])).numpy()
    array([0., 2.], dtype=float32)
    """

    def __call__(self, w: Any) -> Any:
        """The value with zeros for what is negative."""
        return maximum(w, 0.0)


class UnitNorm(Constraint):
    """Every norm 1.

    Args:
        axis: Axis along which norms are taken. Default 0.

    >>> UnitNorm()([[3.0], [4.0]]).numpy().round(4)
    array([[0.6],
           [0.8]], dtype=float32)
    """

    def __init__(self, axis: Any = 0) -> None:
        self.axis = axis

    def __call__(self, w: Any) -> Any:
        """The value whose norms are 1."""
        return w / (settings.epsilon + _norms(w, self.axis))

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a constraint like this one."""
        return {"axis": self.axis}


class MinMaxNorm(Constraint):
    """Norms between two bounds.

    Args:
        min_value: Smallest norm. Default 0.
        max_value: Largest norm. Default 1.
        rate: How far to go towards the bounds, 1 being all the way. Default 1.
        axis: Axis along which norms are taken. Default 0.

    >>> MinMaxNorm()([[3.0], [4.0]]).numpy().round(4)
    array([[0.6],
           [0.8]], dtype=float32)
    """

    def __init__(
        self, min_value: float = 0.0, max_value: float = 1.0, rate: float = 1.0, axis: Any = 0
    ) -> None:
        self.min_value, self.max_value, self.rate, self.axis = min_value, max_value, rate, axis

    def __call__(self, w: Any) -> Any:
        """The value whose norms are within the bounds."""
        norms = _norms(w, self.axis)
        inside = maximum(minimum(norms, float(self.max_value)), float(self.min_value))
        desired = self.rate * inside + (1 - self.rate) * norms
        return w * (desired / (settings.epsilon + norms))

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a constraint like this one."""
        return {
            "min_value": self.min_value, "max_value": self.max_value, "rate": self.rate, "axis": self.axis,
        }  # fmt: skip


max_norm, non_neg, unit_norm, min_max_norm = MaxNorm, NonNeg, UnitNorm, MinMaxNorm
maxnorm, nonneg, unitnorm = MaxNorm, NonNeg, UnitNorm
OBJECTS: dict[str, Any] = {
    "MaxNorm": MaxNorm, "NonNeg": NonNeg, "UnitNorm": UnitNorm, "MinMaxNorm": MinMaxNorm, "max_norm": MaxNorm,
    "non_neg": NonNeg, "unit_norm": UnitNorm, "min_max_norm": MinMaxNorm,
}  # fmt: skip


def get(identifier: Any) -> Any:
    """The constraint that `identifier` stands for.

    Args:
        identifier: Name, dictionary, constraint, function of a tensor, or None.

    Raises:
        ValueError: If it cannot be understood.

    >>> get("NonNeg").get_config()
    {}
    """
    return lookup(identifier, OBJECTS, "constraint")


def serialize(constraint: Any) -> Any:
    """A dictionary from which `deserialize` makes the constraint again."""
    return serialize_keras_object(constraint)


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """The constraint that a dictionary or name stands for."""
    from .serialization import deserialize_keras_object

    return deserialize_keras_object(config, OBJECTS, custom_objects, "constraint")
