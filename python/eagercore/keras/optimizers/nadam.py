"""Nadam: Adam with Nesterov's momentum."""

from __future__ import annotations

from typing import Any

from ..settings import settings
from .base import Optimizer


class Nadam(Optimizer):
    """Adam with Nesterov's momentum.

    Args:
        learning_rate: Learning rate or schedule. Default 0.001.
        beta_1: How much of the mean gradient is kept at each step. Default 0.9.
        beta_2: How much of the second moment is kept. Default 0.999.
        epsilon: Added below the fraction. Default 1e-7.
        name: Name. Default "Nadam".
        **kwargs: `clipnorm`, `clipvalue`, `global_clipnorm`, `decay`, `weight_decay`, `lr`;
            `schedule_decay`: how fast the
            momentum rises to `beta_1` (the older Keras has 0.004). Default 1.

    >>> Nadam().beta_1
    0.9
    """

    _updates_rows = False

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float | None = 1e-7,
        name: str | None = "Nadam",
        **kwargs: Any,
    ) -> None:
        self.schedule_decay = float(kwargs.pop("schedule_decay", 1.0))
        super().__init__(name, learning_rate, **kwargs)
        self.beta_1, self.beta_2 = float(beta_1), float(beta_2)
        self.epsilon = settings.epsilon if epsilon is None else float(epsilon)

    def _algorithm(self) -> str:
        return "nadam"

    def _numbers(self) -> tuple[Any, ...]:
        return self.beta_1, self.beta_2, self.epsilon, self.schedule_decay

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an optimizer like this one."""
        return {
            **super().get_config(), "beta_1": self.beta_1, "beta_2": self.beta_2, "epsilon": self.epsilon,
            "schedule_decay": self.schedule_decay,
        }  # fmt: skip


Nadam.__module__ = "eagercore.keras.optimizers"
