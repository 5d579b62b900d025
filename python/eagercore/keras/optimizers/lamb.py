"""LAMB: Adam whose steps are scaled to the size of each variable."""

from __future__ import annotations

from typing import Any

from ...ops.arithmetic import square
from ...ops.create import cast
from ...ops.exponential import sqrt
from ...ops.reduce import reduce_sum
from ...ops.select import where
from ..settings import settings
from .base import Optimizer


class Lamb(Optimizer):
    """Adam whose step has, for each variable, the variable's own length times the learning rate.

    Args:
        learning_rate: Learning rate or schedule. Default 0.001.
        beta_1: How much of the mean gradient is kept at each step. Default 0.9.
        beta_2: How much of the mean square is kept. Default 0.999.
        epsilon: Added below the fraction. Default 1e-7.
        name: Name. Default "lamb".
        **kwargs: `clipnorm`, `clipvalue`, `global_clipnorm`, `weight_decay`.

    >>> import eagercore as tf
    >>> v = tf.Variable(2.0)
    >>> step = Lamb(0.1).minimize(lambda: v * v / 2.0, [v])
    >>> round(float(v), 4)
    1.8
    """

    _default_rate = 0.001

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float | None = 1e-7,
        name: str | None = "lamb",
        **kwargs: Any,
    ) -> None:
        super().__init__(name, learning_rate, **kwargs)
        self.beta_1, self.beta_2 = float(beta_1), float(beta_2)
        self.epsilon = settings.epsilon if epsilon is None else float(epsilon)

    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        """Changes one variable."""
        step = cast(self.iterations.value() + 1, variable.dtype)
        mean, spread = self.add_slot(variable, "momentum"), self.add_slot(variable, "velocity")
        m = mean.assign_add((gradient - mean.value()) * (1.0 - self.beta_1))
        v = spread.assign_add((square(gradient) - spread.value()) * (1.0 - self.beta_2))
        m, v = (x.value() if hasattr(x, "assign") else x for x in (m, v))
        update = (m / (1.0 - self.beta_1**step)) / (
            sqrt(v / (1.0 - self.beta_2**step)) + self.epsilon
        )
        own, moved = (sqrt(reduce_sum(square(x))) for x in (variable.value(), update))
        moves = (own > 0.0) & (moved > 0.0)
        ratio = where(moves, own / where(moves, moved, 1.0), 1.0)
        variable.assign_sub(ratio * learning_rate * update)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an optimizer like this one."""
        return {
            **super().get_config(), "beta_1": self.beta_1, "beta_2": self.beta_2, "epsilon": self.epsilon,
        }  # fmt: skip


Lamb.__module__ = "eagercore.keras.optimizers"
