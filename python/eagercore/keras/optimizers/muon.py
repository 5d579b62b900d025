"""Muon: matrices move by orthogonal steps."""

from __future__ import annotations

import math
import re
from typing import Any

from ...ops.arithmetic import square
from ...ops.create import cast
from ...ops.exponential import sqrt
from ...ops.linalg import matmul
from ...ops.reduce import reduce_sum
from ...ops.shape import transpose
from ..settings import settings
from .base import Optimizer


class Muon(Optimizer):
    """Muon: a matrix moves by its momentum made nearly orthogonal; all else, and embeddings, by Adam.

    Args:
        learning_rate: Learning rate or schedule. Default 0.001.
        adam_beta_1: How much of the mean gradient Adam keeps. Default 0.9.
        adam_beta_2: How much of the mean square Adam keeps. Default 0.999.
        adam_weight_decay: Part of the rate by which what Adam moves shrinks. Default 0.004.
        epsilon: Added below Adam's fraction. Default 1e-7.
        weight_decay: Part of the rate by which matrices shrink. Default 0.004.
        name: Name. Default "muon".
        exclude_layers: Patterns of names of variables that Adam moves.
        exclude_embeddings: Whether Adam moves embeddings. Default True.
        muon_a: First number of the iteration that makes a matrix orthogonal. Default 3.4445.
        muon_b: Second number. Default -4.775.
        muon_c: Third number. Default 2.0315.
        adam_lr_ratio: Adam's learning rate as a multiple of `learning_rate`. Default 1.
        momentum: How much of the momentum is kept. Default 0.95.
        ns_steps: Number of iterations. Default 5.
        nesterov: Whether the momentum looks ahead. Default True.
        rms_rate: Scale that gives steps the size of Adam's, or None. Default 0.2.
        **kwargs: `clipnorm`, `clipvalue`, `global_clipnorm`.

    >>> import eagercore as tf
    >>> v = tf.Variable(tf.eye(2))
    >>> step = Muon(0.1, weight_decay=None).minimize(lambda: tf.reduce_sum(v * v) / 2.0, [v])
    >>> bool(v[0, 0] < 1.0)
    True
    """

    _default_rate = 0.001

    def __init__(
        self,
        learning_rate: Any = 0.001,
        adam_beta_1: float = 0.9,
        adam_beta_2: float = 0.999,
        adam_weight_decay: float | None = 0.004,
        epsilon: float = 1e-7,
        weight_decay: float | None = 0.004,
        name: str | None = "muon",
        exclude_layers: Any = None,
        exclude_embeddings: bool = True,
        muon_a: float = 3.4445,
        muon_b: float = -4.7750,
        muon_c: float = 2.0315,
        adam_lr_ratio: float = 1.0,
        momentum: float = 0.95,
        ns_steps: int = 5,
        nesterov: bool = True,
        rms_rate: float | None = 0.2,
        **kwargs: Any,
    ) -> None:
        super().__init__(name, learning_rate, weight_decay=weight_decay, **kwargs)
        self.adam_beta_1, self.adam_beta_2 = float(adam_beta_1), float(adam_beta_2)
        self.adam_weight_decay, self.adam_lr_ratio = adam_weight_decay, float(adam_lr_ratio)
        self.epsilon = settings.epsilon if epsilon is None else float(epsilon)
        self.exclude_layers, self.exclude_embeddings = (
            list(exclude_layers or ()),
            exclude_embeddings,
        )
        self.muon_a, self.muon_b, self.muon_c = float(muon_a), float(muon_b), float(muon_c)
        self.momentum, self.ns_steps = float(momentum), int(ns_steps)
        self.nesterov, self.rms_rate = bool(nesterov), rms_rate

    def _by_adam(self, variable: Any) -> bool:
        name = variable.name
        return (
            len(variable.shape) != 2
            or self.exclude_embeddings
            and "embedding" in name.lower()
            or any(re.search(pattern, name) for pattern in self.exclude_layers)
        )

    def _decay_weights(self, variables: list[Any]) -> None:
        rate = self._current_rate()
        for variable in variables:
            part = self.adam_weight_decay if self._by_adam(variable) else self.weight_decay
            if part:
                variable.assign_sub(variable.value() * cast(rate * part, variable.dtype))

    def update_step(self, gradient: Any, variable: Any, learning_rate: Any) -> None:
        """Changes one variable."""
        mean = self.add_slot(variable, "momentum")
        if self._by_adam(variable):
            self._adam_step(gradient, variable, learning_rate * self.adam_lr_ratio, mean)
            return
        m = mean.value() * self.momentum + gradient
        mean.assign(m)
        update = self._orthogonal(gradient + m * self.momentum if self.nesterov else m)
        if self.rms_rate is not None:
            update = update * (math.sqrt(max(variable.shape)) * self.rms_rate)
        variable.assign_sub(learning_rate * update)

    def _adam_step(self, gradient: Any, variable: Any, rate: Any, mean: Any) -> None:
        step = cast(self.iterations.value() + 1, variable.dtype)
        spread = self.add_slot(variable, "velocity")
        m = mean.value() + (gradient - mean.value()) * (1.0 - self.adam_beta_1)
        v = spread.value() + (square(gradient) - spread.value()) * (1.0 - self.adam_beta_2)
        mean.assign(m)
        spread.assign(v)
        alpha = rate * sqrt(1.0 - self.adam_beta_2**step) / (1.0 - self.adam_beta_1**step)
        variable.assign_sub(m * alpha / (sqrt(v) + self.epsilon))

    def _orthogonal(self, x: Any) -> Any:
        """A matrix with its singular values near 1, by a fifth degree Newton-Schulz iteration."""
        tall = x.shape[0] > x.shape[1]
        x = transpose(x) if tall else x
        x = x / (sqrt(reduce_sum(square(x))) + 1e-7)
        for _ in range(self.ns_steps):
            a = matmul(x, x, transpose_b=True)
            x = self.muon_a * x + matmul(self.muon_b * a + self.muon_c * matmul(a, a), x)
        return transpose(x) if tall else x

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an optimizer like this one."""
        names = (
            "adam_beta_1", "adam_beta_2", "adam_weight_decay", "epsilon", "exclude_layers", "exclude_embeddings",
            "muon_a", "muon_b", "muon_c", "adam_lr_ratio", "momentum", "ns_steps", "nesterov", "rms_rate",
        )  # fmt: skip
        return {**super().get_config(), **{name: getattr(self, name) for name in names}}


Muon.__module__ = "eagercore.keras.optimizers"
