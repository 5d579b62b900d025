"""GaussianNoise and GaussianDropout: normal noise while training."""

from __future__ import annotations

import math
from typing import Any

from ....ops import random
from ....ops.arithmetic import add, multiply
from ....ops.create import shape_of
from ..base import Layer


class GaussianNoise(Layer):
    """Adds normal noise in training.

    Args:
        stddev: Standard deviation of the noise.
        seed: Seed, or None to follow the global one.
        **kwargs: See `Layer`.

    >>> GaussianNoise(0.1)([1.0]).numpy()
    array([1.], dtype=float32)
    """

    def __init__(self, stddev: float, seed: int | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.stddev, self.seed = float(stddev), seed
        self.supports_masking = True

    def call(self, inputs: Any, training: Any = None) -> Any:
        """The result for `inputs`."""
        if not training:
            return inputs
        drawn = random.normal(shape_of(inputs), 0.0, self.stddev, dtype=inputs.dtype, seed=self.seed)
        return add(inputs, drawn)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The input's shape."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "stddev": self.stddev, "seed": self.seed}


class GaussianDropout(Layer):
    """Multiplies by normal noise around 1 in training; its variance is that of dropout.

    Args:
        rate: Rate of the dropout that it stands for: the noise has standard deviation `sqrt(rate / (1 - rate))`.
        seed: Seed, or None to follow the global one.
        **kwargs: See `Layer`.

    Raises:
        ValueError: If `rate` is outside [0, 1].

    >>> GaussianDropout(0.1)([1.0]).numpy()
    array([1.], dtype=float32)
    """

    def __init__(self, rate: float, seed: int | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.rate, self.seed = checked_rate(rate), seed
        self.supports_masking = True

    def call(self, inputs: Any, training: Any = None) -> Any:
        """The result for `inputs`."""
        if not training or not 0 < self.rate < 1:
            return inputs
        width = math.sqrt(self.rate / (1.0 - self.rate))
        return multiply(
            inputs, random.normal(shape_of(inputs), 1.0, width, dtype=inputs.dtype, seed=self.seed)
        )

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The input's shape."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "rate": self.rate, "seed": self.seed}


def checked_rate(rate: Any) -> float:
    """A rate of dropout.

    Raises:
        ValueError: If it is outside [0, 1].
    """
    if not isinstance(rate, int | float) or not 0 <= rate <= 1:
        raise ValueError(f"Invalid value {rate} received for `rate`, expected a value between 0 and 1.")
    return float(rate)


GaussianNoise.__module__ = GaussianDropout.__module__ = "eagercore.keras.layers"
