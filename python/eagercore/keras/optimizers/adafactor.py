"""Adafactor: mean squares kept as rows and columns."""

from __future__ import annotations

from typing import Any

from ...ops.arithmetic import maximum, minimum, square
from ...ops.create import cast
from ...ops.exponential import sqrt
from ...ops.reduce import reduce_mean
from ...ops.shape import expand_dims
from .base import Optimizer


def _rms(x: Any) -> Any:
    return sqrt(reduce_mean(square(x)))


class Adafactor(Optimizer):
    """Adafactor: steps by the root of mean squares, of which a matrix keeps only the means of rows and columns.

    Args:
        learning_rate: Learning rate or schedule. Default 0.001.
        beta_2_decay: Exponent of the step's number by which old squares lose weight. Default -0.8.
        epsilon_1: Added to squared gradients. Default 1e-30.
        epsilon_2: Least size that a variable is taken to have. Default 0.001.
        clip_threshold: Root mean square to which steps are cut. Default 1.
        relative_step: Whether the rate is at most one over the root of the step's number. Default True.
        name: Name. Default "adafactor".
        **kwargs: `clipnorm`, `clipvalue`, `global_clipnorm`, `weight_decay`.

    >>> import eagercore as tf
    >>> v = tf.Variable(1.0)
    >>> step = Adafactor(0.1).minimize(lambda: v * v / 2.0, [v])
    >>> round(float(v), 4)
    0.9
    """

    _default_rate = 0.001

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta_2_decay: float = -0.8,
        epsilon_1: float = 1e-30,
        epsilon_2: float = 1e-3,
        clip_threshold: float = 1.0,
        relative_step: bool = True,
        name: str | None = "adafactor",
        **kwargs: Any,
    ) -> None:
        super().__init__(name, learning_rate, **kwargs)
        self.beta_2_decay, self.epsilon_1 = float(beta_2_decay), float(epsilon_1)
        self.epsilon_2, self.clip_threshold = float(epsilon_2), float(clip_threshold)
        self.relative_step = bool(relative_step)

    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        """Changes one variable."""
        step = cast(self.iterations.value() + 1, variable.dtype)
        # Also a rate that is not relative is no larger than this.
        rate = minimum(learning_rate, 1.0 / sqrt(step))
        size = maximum(self.epsilon_2, _rms(variable.value())) * rate
        kept = 1.0 - step**self.beta_2_decay
        squares = square(gradient) + self.epsilon_1
        dims = tuple(variable.shape)
        if len(dims) < 2:
            slot = self.add_slot(variable, "velocity")
            slot.assign(slot.value() * kept + squares * (1.0 - kept))
            mean = slot.value()
        else:
            rows = self.add_slot(variable, "row", shape=dims[:-1])
            columns = self.add_slot(variable, "column", shape=(*dims[:-2], dims[-1]))
            for slot, axis in ((rows, -1), (columns, -2)):
                slot.assign(slot.value() * kept + reduce_mean(squares, axis=axis) * (1.0 - kept))
            r = rows.value()
            share = r / reduce_mean(r, axis=-1, keepdims=True)
            mean = expand_dims(share, -1) * expand_dims(columns.value(), -2)
        update = gradient / sqrt(mean)
        variable.assign_sub(size * update / maximum(1.0, _rms(update) / self.clip_threshold))

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an optimizer like this one."""
        return {
            **super().get_config(), "beta_2_decay": self.beta_2_decay, "epsilon_1": self.epsilon_1,
            "epsilon_2": self.epsilon_2, "clip_threshold": self.clip_threshold, "relative_step": self.relative_step,
        }  # fmt: skip


Adafactor.__module__ = "eagercore.keras.optimizers"
