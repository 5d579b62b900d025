"""RMSprop: gradients over their root mean square."""

from __future__ import annotations

from typing import Any

from ..settings import settings
from .base import Optimizer


class RMSprop(Optimizer):
    """RMSprop: `w -= rate * g / (sqrt(rms) + epsilon)`.

    Args:
        learning_rate: Learning rate or schedule. Default 0.001.
        rho: How much of the mean square is kept at each step. Default 0.9.
        momentum: How much of the last step is kept. Default 0.
        epsilon: Added below the fraction. Default 1e-7.
        centered: Whether the variance is taken instead of the mean square. Default False.
        name: Name. Default "RMSprop".
        **kwargs: `clipnorm`, `clipvalue`, `global_clipnorm`, `decay`, `weight_decay`, `lr`.

    >>> import eagercore as tf
    >>> v = tf.Variable(1.0)
    >>> step = RMSprop(0.1).minimize(lambda: v * v / 2.0, [v])
    >>> round(float(v), 4)
    0.6838
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        rho: float = 0.9,
        momentum: float = 0.0,
        epsilon: float | None = 1e-7,
        centered: bool = False,
        name: str | None = "RMSprop",
        **kwargs: Any,
    ) -> None:
        super().__init__(name, learning_rate, **kwargs)
        if isinstance(momentum, int | float) and not 0 <= momentum <= 1:
            raise ValueError(f"`momentum` must be between [0, 1]. Received: momentum={momentum}")
        self.rho, self.momentum, self.centered = float(rho), float(momentum or 0.0), bool(centered)
        self.epsilon = settings.epsilon if epsilon is None else float(epsilon)

    @property
    def _updates_rows(self) -> bool:
        return bool(self.momentum)

    def _algorithm(self) -> str:
        return (
            ("centered_" if self.centered else "")
            + ("momentum_" if self.momentum else "")
            + "rmsprop"
        )

    def _numbers(self) -> tuple[Any, ...]:
        return self.rho, self.epsilon, self.momentum if self.momentum else False

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an optimizer like this one."""
        return {
            **super().get_config(), "rho": self.rho, "momentum": self.momentum, "epsilon": self.epsilon,
            "centered": self.centered,
        }  # fmt: skip


RMSprop.__module__ = "eagercore.keras.optimizers"
