"""Adam: moving means of the gradient and of its square."""

from __future__ import annotations

from typing import Any

from ..settings import settings
from .base import Optimizer


class Adam(Optimizer):
    """Adam: `w -= rate * sqrt(1 - beta_2^t) / (1 - beta_1^t) * m / (sqrt(v) + epsilon)`.

    Args:
        learning_rate: Learning rate or schedule. Default 0.001.
        beta_1: How much of the mean gradient `m` is kept at each step. Default 0.9.
        beta_2: How much of the mean square `v` is kept. Default 0.999.
        epsilon: Added below the fraction. Default 1e-7.
        amsgrad: Whether the largest mean square of all steps is taken. Default False.
        name: Name. Default "Adam".
        **kwargs: `clipnorm`, `clipvalue`, `global_clipnorm`, `decay`, `weight_decay`, `lr`.

    >>> import eagercore as tf
    >>> v = tf.Variable(1.0)
    >>> step = Adam(0.1).minimize(lambda: v * v / 2.0, [v])
    >>> round(float(v), 4)
    0.9
    """

    _updates_rows = False

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float | None = 1e-7,
        amsgrad: bool = False,
        name: str | None = "Adam",
        **kwargs: Any,
    ) -> None:
        super().__init__(name, learning_rate, **kwargs)
        self.beta_1, self.beta_2 = float(beta_1), float(beta_2)
        self.epsilon = settings.epsilon if epsilon is None else float(epsilon)
        self.amsgrad = bool(amsgrad)

    def _algorithm(self) -> str:
        return "amsgrad" if self.amsgrad else "adam"

    def _numbers(self) -> tuple[Any, ...]:
        return self.beta_1, self.beta_2, self.epsilon

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an optimizer like this one."""
        return {
            **super().get_config(), "beta_1": self.beta_1, "beta_2": self.beta_2, "epsilon": self.epsilon,
            "amsgrad": self.amsgrad,
        }  # fmt: skip


class AdamW(Adam):
    """Adam whose variables shrink a little at each step.

    Args:
        learning_rate: Learning rate or schedule. Default 0.001.
        weight_decay: Part of the rate by which variables shrink. Default 0.004.
        beta_1: How much of the mean gradient is kept. Default 0.9.
        beta_2: How much of the mean square is kept. Default 0.999.
        epsilon: Added below the fraction. Default 1e-7.
        amsgrad: Whether the largest mean square of all steps is taken. Default False.
        name: Name. Default "AdamW".
        **kwargs: `clipnorm`, `clipvalue`, `global_clipnorm`, `decay`.

    >>> AdamW().weight_decay
    0.004
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        weight_decay: float = 0.004,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float | None = 1e-7,
        amsgrad: bool = False,
        name: str | None = "AdamW",
        **kwargs: Any,
    ) -> None:
        super().__init__(
            learning_rate,
            beta_1,
            beta_2,
            epsilon,
            amsgrad,
            name,
            weight_decay=weight_decay,
            **kwargs,
        )


AdamW.__module__ = "eagercore.keras.optimizers"


Adam.__module__ = "eagercore.keras.optimizers"
