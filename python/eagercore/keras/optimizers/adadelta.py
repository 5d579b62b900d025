"""Adadelta: steps as large as former steps were."""

from __future__ import annotations

from typing import Any

from ..settings import settings
from .base import Optimizer


class Adadelta(Optimizer):
    """Adadelta: gradients scaled by the root mean squares of former updates and of gradients.

    Args:
        learning_rate: Learning rate or schedule. Default 0.001.
        rho: How much of the means is kept at each step. Default 0.95.
        epsilon: Added below the roots. Default 1e-7.
        name: Name. Default "Adadelta".
        **kwargs: `clipnorm`, `clipvalue`, `global_clipnorm`, `decay`, `weight_decay`, `lr`.

    >>> Adadelta().rho
    0.95
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        rho: float = 0.95,
        epsilon: float | None = 1e-7,
        name: str | None = "Adadelta",
        **kwargs: Any,
    ) -> None:
        super().__init__(name, learning_rate, **kwargs)
        self.rho = float(rho)
        self.epsilon = settings.epsilon if epsilon is None else float(epsilon)

    def _algorithm(self) -> str:
        return "adadelta"

    def _numbers(self) -> tuple[Any, ...]:
        return self.rho, self.epsilon

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an optimizer like this one."""
        return {**super().get_config(), "rho": self.rho, "epsilon": self.epsilon}


Adadelta.__module__ = "eagercore.keras.optimizers"
