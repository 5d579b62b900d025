"""Optimizers, and schedules of their learning rates."""

from __future__ import annotations

from typing import Any

from . import schedules
from .adadelta import Adadelta
from .adafactor import Adafactor
from .adagrad import Adagrad
from .adam import Adam, AdamW
from .adamax import Adamax
from .base import Optimizer
from .ftrl import Ftrl
from .lamb import Lamb
from .lion import Lion
from .muon import Muon
from .nadam import Nadam
from .rmsprop import RMSprop
from .sgd import SGD

OBJECTS: dict[str, Any] = {
    cls.__name__: cls
    for cls in (
        Adadelta,
        Adafactor,
        Adagrad,
        Adam,
        AdamW,
        Adamax,
        Ftrl,
        Lamb,
        Lion,
        Muon,
        Nadam,
        RMSprop,
        SGD,
    )  # fmt: skip
}
_BY_LOWER = {name.lower(): cls for name, cls in OBJECTS.items()}


def get(identifier: Any) -> Any:
    """The optimizer that `identifier` stands for.

    Args:
        identifier: Optimizer, name in any case, or dictionary.

    Raises:
        ValueError: If it cannot be understood.

    >>> get("adam").name
    'Adam'
    """
    if isinstance(identifier, Optimizer):
        return identifier
    if isinstance(identifier, str):
        cls = _BY_LOWER.get(identifier.lower())
        if cls is None:
            raise ValueError(
                f"Unknown optimizer: {identifier}. Known ones: {', '.join(sorted(OBJECTS))}."
            )
        return cls()
    if isinstance(identifier, dict):
        return deserialize(identifier)
    if hasattr(identifier, "apply_gradients"):
        return identifier
    raise ValueError(f"Could not interpret optimizer identifier: {identifier!r}")


def serialize(optimizer: Any) -> Any:
    """A dictionary from which `deserialize` makes the optimizer again."""
    from ..serialization import serialize_keras_object

    return serialize_keras_object(optimizer)


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """The optimizer that a dictionary describes."""
    from ..serialization import deserialize_keras_object

    known = {**OBJECTS, **_BY_LOWER}
    return deserialize_keras_object(config, known, custom_objects, "optimizer")


__all__ = [
    "SGD", "Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "Ftrl", "Lamb", "Lion", "Muon", "Nadam",
    "Optimizer", "RMSprop",
    "deserialize", "get",
    "schedules", "serialize",
]  # fmt: skip
