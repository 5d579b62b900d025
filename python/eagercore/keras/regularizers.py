"""Regularizers: functions of a variable, or of a layer's output, that give a loss."""

from __future__ import annotations

import math
from typing import Any

from ..core.tensor import convert
from ..ops.arithmetic import square
from ..ops.complexes import abs as absolute
from ..ops.reduce import reduce_sum
from .serialization import lookup, serialize_keras_object


class Regularizer:
    """Base of regularizers: write `__call__(x)` and `get_config()`."""

    def __call__(self, x: Any) -> Any:
        """The loss for `x`."""
        return 0.0

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a regularizer like this one."""
        return {}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """The regularizer that `get_config` described."""
        return cls(**config)


def _number(value: Any, name: str) -> float:
    value = 0.0 if value is None else float(value)
    if math.isnan(value) or math.isinf(value):
        raise ValueError(
            f"Invalid value for regularizer: {name}={value}. Expected a finite number."
        )
    return value


def _also_called_l(kwargs: dict[str, float], value: float) -> float:
    value = kwargs.pop("l", value)
    if kwargs:
        raise TypeError(f"Argument(s) not recognized: {kwargs}")
    return value


class L1L2(Regularizer):
    """`l1 * sum(|x|) + l2 * sum(x^2)`.

    Args:
        l1: Factor of the absolute values. Default 0.
        l2: Factor of the squares. Default 0.

    >>> float(L1L2(l1=0.5, l2=0.25)([1.0, -2.0]))
    2.75
    """

    def __init__(self, l1: float = 0.0, l2: float = 0.0) -> None:
        self.l1, self.l2 = _number(l1, "l1"), _number(l2, "l2")

    def __call__(self, x: Any) -> Any:
        """The loss for `x`."""
        x = convert(x)
        loss = None
        if self.l1:
            loss = self.l1 * reduce_sum(absolute(x))
        if self.l2:
            squares = self.l2 * reduce_sum(square(x))
            loss = squares if loss is None else loss + squares
        return convert(0.0, x.dtype) if loss is None else loss

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a regularizer like this one."""
        return {"l1": self.l1, "l2": self.l2}


class L1(L1L2):
    """`l1 * sum(|x|)`.

    Args:
        l1: Factor. Default 0.01.
        **kwargs: `l`, another name of `l1`.

    >>> float(L1(0.5)([1.0, -2.0]))
    1.5
    """

    def __init__(self, l1: float = 0.01, **kwargs: float) -> None:
        super().__init__(l1=_also_called_l(kwargs, l1))

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a regularizer like this one."""
        return {"l1": self.l1}


class L2(L1L2):
    """`l2 * sum(x^2)`.

    Args:
        l2: Factor. Default 0.01.
        **kwargs: `l`, another name of `l2`.

    >>> float(L2(0.5)([1.0, -2.0]))
    2.5
    """

    def __init__(self, l2: float = 0.01, **kwargs: float) -> None:
        super().__init__(l2=_also_called_l(kwargs, l2))

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a regularizer like this one."""
        return {"l2": self.l2}


def l1(l1: float = 0.01, **kwargs: float) -> L1L2:
    """A regularizer of absolute values (`l` is another name of the factor)."""
    return L1L2(l1=_also_called_l(kwargs, l1))


def l2(l2: float = 0.01, **kwargs: float) -> L1L2:
    """A regularizer of squares (`l` is another name of the factor)."""
    return L1L2(l2=_also_called_l(kwargs, l2))


def l1_l2(l1: float = 0.01, l2: float = 0.01) -> L1L2:
    """A regularizer of absolute values and squares."""
    return L1L2(l1=l1, l2=l2)


OBJECTS: dict[str, Any] = {
    "L1L2": L1L2, "L1": L1, "L2": L2, "l1_l2": L1L2, "l1": L1, "l2": L2,
}  # fmt: skip


def get(identifier: Any) -> Any:
    """The regularizer that `identifier` stands for.

    Args:
        identifier: Name, dictionary, regularizer, function of a tensor, or None.

    Raises:
        ValueError: If it cannot be understood.

    >>> get("l2").l2
    0.01
    """
    return lookup(identifier, OBJECTS, "regularizer")


def serialize(regularizer: Any) -> Any:
    """A dictionary from which `deserialize` makes the regularizer again."""
    return serialize_keras_object(regularizer)


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """The regularizer that a dictionary or name stands for."""
    from .serialization import deserialize_keras_object

    return deserialize_keras_object(config, OBJECTS, custom_objects, "regularizer")
