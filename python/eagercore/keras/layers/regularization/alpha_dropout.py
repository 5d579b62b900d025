"""AlphaDropout: dropout that keeps mean and variance, for networks of SELU."""

from __future__ import annotations

import math
from typing import Any

from ....ops import random
from ....ops.arithmetic import add, multiply, subtract
from ....ops.create import cast, shape_of
from ...activations import SELU_ALPHA, SELU_SCALE
from ..base import Layer
from .gaussian import checked_rate


class AlphaDropout(Layer):
    """In training sets a part of the values to SELU's limit, then brings mean and variance back to what they were.

    Args:
        rate: Part that is left out.
        noise_shape: Shape of the choice, which broadcasts with the input; None in it stands for the input's extent.
        seed: Seed, or None to follow the global one.
        **kwargs: See `Layer`.

    Raises:
        ValueError: If `rate` is outside [0, 1].

    >>> AlphaDropout(0.1)([1.0]).numpy()
    array([1.], dtype=float32)
    """

    def __init__(self, rate: float, noise_shape: Any = None, seed: int | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.rate, self.noise_shape, self.seed = checked_rate(rate), noise_shape, seed
        self.supports_masking = True

    def call(self, inputs: Any, training: Any = None) -> Any:
        """The result for `inputs`."""
        if not training or not 0 < self.rate < 1:
            return inputs
        limit = -SELU_ALPHA * SELU_SCALE
        sizes = shape_of(inputs)
        if self.noise_shape is not None:
            sizes = tuple(sizes[i] if n is None else n for i, n in enumerate(self.noise_shape))
        drawn = random.uniform(sizes, dtype=inputs.dtype, seed=self.seed)
        kept = cast(drawn >= self.rate, inputs.dtype)
        scale = 1.0 / math.sqrt((1 - self.rate) * (1 + self.rate * limit**2))
        mixed = add(multiply(inputs, kept), multiply(subtract(1.0, kept), limit))
        return add(multiply(mixed, scale), -scale * limit * self.rate)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The input's shape."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "rate": self.rate, "noise_shape": self.noise_shape, "seed": self.seed}


AlphaDropout.__module__ = "eagercore.keras.layers"
