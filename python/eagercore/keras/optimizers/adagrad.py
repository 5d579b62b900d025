"""Adagrad: gradients over the root of the sum of their squares."""

from __future__ import annotations

from typing import Any

from ..settings import settings
from .base import Optimizer


class Adagrad(Optimizer):
    """Adagrad: `w -= rate * g / (sqrt(sum of squares) + epsilon)`.

    Args:
        learning_rate: Learning rate or schedule. Default 0.001.
        initial_accumulator_value: First value of the sum. Default 0.1.
        epsilon: Added below the fraction. Default 1e-7.
        name: Name. Default "Adagrad".
        **kwargs: `clipnorm`, `clipvalue`, `global_clipnorm`, `decay`, `weight_decay`, `lr`.

    Raises:
        ValueError: If the first value is negative.

    >>> import eagercore as tf
    >>> v = tf.Variable(1.0)
    >>> step = Adagrad(0.1).minimize(lambda: v * v / 2.0, [v])
    >>> round(float(v), 4)
    0.9047
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        initial_accumulator_value: float = 0.1,
        epsilon: float | None = 1e-7,
        name: str | None = "Adagrad",
        **kwargs: Any,
    ) -> None:
        super().__init__(name, learning_rate, **kwargs)
        if initial_accumulator_value < 0.0:
            raise ValueError(
                f"initial_accumulator_value must be non-negative: {initial_accumulator_value}"
            )
        self.initial_accumulator_value = float(initial_accumulator_value)
        self.epsilon = settings.epsilon if epsilon is None else float(epsilon)

    def _initial_slot(self, slot: str) -> float:
        return self.initial_accumulator_value

    def _algorithm(self) -> str:
        return "adagrad"

    def _numbers(self) -> tuple[Any, ...]:
        return (self.epsilon,)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an optimizer like this one."""
        return {
            **super().get_config(), "initial_accumulator_value": self.initial_accumulator_value,
            "epsilon": self.epsilon,
        }  # fmt: skip


Adagrad.__module__ = "eagercore.keras.optimizers"
