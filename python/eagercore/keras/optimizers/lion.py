"""Lion: steps by the sign of a moving mean."""

from __future__ import annotations

from typing import Any

from ...ops.arithmetic import sign
from .base import Optimizer


class Lion(Optimizer):
    """Lion: each number moves by the learning rate, in the direction of a moving mean of its gradients.

    Args:
        learning_rate: Learning rate or schedule. Default 0.001.
        beta_1: How much of the mean decides with the gradient. Default 0.9.
        beta_2: How much of the mean is kept at each step. Default 0.99.
        name: Name. Default "lion".
        **kwargs: `clipnorm`, `clipvalue`, `global_clipnorm`, `weight_decay`.

    Raises:
        ValueError: If `beta_1` is not in (0, 1].

    >>> import eagercore as tf
    >>> v = tf.Variable(1.0)
    >>> step = Lion(0.1).minimize(lambda: v * v / 2.0, [v])
    >>> round(float(v), 4)
    0.9
    """

    _default_rate = 0.001

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.99,
        name: str | None = "lion",
        **kwargs: Any,
    ) -> None:
        super().__init__(name, learning_rate, **kwargs)
        if not 0.0 < beta_1 <= 1.0:
            raise ValueError(
                "Argument `beta_1` must be in the [0, 1] range. Otherwise, the optimizer degenerates to SignSGD. "
                f"Received: beta_1={beta_1}."
            )
        self.beta_1, self.beta_2 = float(beta_1), float(beta_2)

    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        """Changes one variable."""
        mean = self.add_slot(variable, "momentum")
        m = mean.value()
        variable.assign_sub(learning_rate * sign(m * self.beta_1 + gradient * (1.0 - self.beta_1)))
        mean.assign(m * self.beta_2 + gradient * (1.0 - self.beta_2))

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an optimizer like this one."""
        return {**super().get_config(), "beta_1": self.beta_1, "beta_2": self.beta_2}


Lion.__module__ = "eagercore.keras.optimizers"
