"""Ftrl: follow the regularized leader."""

from __future__ import annotations

from typing import Any

from .base import Optimizer


class Ftrl(Optimizer):
    """Follow the regularized leader, for sparse linear models.

    Args:
        learning_rate: Learning rate or schedule. Default 0.001.
        learning_rate_power: Exponent of the sum of squares, at most 0. Default -0.5.
        initial_accumulator_value: First value of the sum. Default 0.1.
        l1_regularization_strength: Strength of l1. Default 0.
        l2_regularization_strength: Strength of l2. Default 0.
        name: Name. Default "Ftrl".
        l2_shrinkage_regularization_strength: Strength of l2 in the gradient. Default 0.
        beta: Added to the root of the sum of squares. Default 0.
        **kwargs: `clipnorm`, `clipvalue`, `global_clipnorm`, `decay`, `weight_decay`, `lr`.

    Raises:
        ValueError: If a number has the wrong sign.

    >>> Ftrl().learning_rate_power
    -0.5
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        learning_rate_power: float = -0.5,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        name: str | None = "Ftrl",
        l2_shrinkage_regularization_strength: float = 0.0,
        beta: float = 0.0,
        **kwargs: Any,
    ) -> None:
        super().__init__(name, learning_rate, **kwargs)
        checks = {
            "initial_accumulator_value": initial_accumulator_value,
            "l1_regularization_strength": l1_regularization_strength,
            "l2_regularization_strength": l2_regularization_strength,
            "l2_shrinkage_regularization_strength": l2_shrinkage_regularization_strength,
            "-learning_rate_power": -learning_rate_power,
        }
        for what, value in checks.items():
            if value < 0.0:
                raise ValueError(f"{what} needs to be positive or zero, got {value}.")
        self.learning_rate_power = float(learning_rate_power)
        self.initial_accumulator_value = float(initial_accumulator_value)
        self.l1_regularization_strength = float(l1_regularization_strength)
        self.l2_regularization_strength = float(l2_regularization_strength)
        self.l2_shrinkage_regularization_strength = float(l2_shrinkage_regularization_strength)
        self.beta = float(beta)

    def _initial_slot(self, slot: str) -> float:
        return self.initial_accumulator_value if slot == "accumulator" else 0.0

    def _algorithm(self) -> str:
        return "ftrl"

    def _numbers(self) -> tuple[Any, ...]:
        return (
            self.learning_rate_power, self.l1_regularization_strength, self.l2_regularization_strength,
            self.l2_shrinkage_regularization_strength, self.beta,
        )  # fmt: skip

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an optimizer like this one."""
        return {
            **super().get_config(),
            "learning_rate_power": self.learning_rate_power,
            "initial_accumulator_value": self.initial_accumulator_value,
            "l1_regularization_strength": self.l1_regularization_strength,
            "l2_regularization_strength": self.l2_regularization_strength,
            "l2_shrinkage_regularization_strength": self.l2_shrinkage_regularization_strength,
            "beta": self.beta,
        }


Ftrl.__module__ = "eagercore.keras.optimizers"
