"""SGD: gradient descent, with momentum where it is wanted."""

from __future__ import annotations

from typing import Any

from .base import Optimizer


class SGD(Optimizer):
    """Gradient descent: `w -= rate * g`, with momentum `m = momentum * m - rate * g`, `w += m`.

    Args:
        learning_rate: Learning rate or schedule. Default 0.01.
        momentum: How much of the last step is kept. Default 0.
        nesterov: Whether momentum looks ahead. Default False.
        name: Name. Default "SGD".
        **kwargs: `clipnorm`, `clipvalue`, `global_clipnorm`, `decay`, `weight_decay`, `lr`.

    Raises:
        ValueError: If `momentum` is outside [0, 1].

    >>> import eagercore as tf
    >>> v = tf.Variable(1.0)
    >>> step = SGD(0.1).minimize(lambda: v * v / 2.0, [v])
    >>> round(float(v), 4)
    0.9
    """

    def __init__(
        self,
        learning_rate: Any = 0.01,
        momentum: float = 0.0,
        nesterov: bool = False,
        name: str | None = "SGD",
        **kwargs: Any,
    ) -> None:
        super().__init__(name, learning_rate, **kwargs)
        if isinstance(momentum, int | float) and not 0 <= momentum <= 1:
            raise ValueError(f"`momentum` must be between [0, 1]. Received: momentum={momentum}")
        self.momentum, self.nesterov = float(momentum or 0.0), bool(nesterov)

    def _algorithm(self) -> str:
        return "momentum" if self.momentum else "sgd"

    def _numbers(self) -> tuple[Any, ...]:
        return (self.momentum, self.nesterov) if self.momentum else ()

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an optimizer like this one."""
        return {**super().get_config(), "momentum": self.momentum, "nesterov": self.nesterov}


SGD.__module__ = "eagercore.keras.optimizers"
