"""Dropout: leaves out values at random while training."""

from __future__ import annotations

from typing import Any

from ....ops.arithmetic import multiply
from ....ops.create import shape_of
from ....ops.dropout import kept, masked
from ..base import Layer


class Dropout(Layer):
    """In training sets a part of the values to zero, and scales the others so that the sum is kept on average.

    Args:
        rate: Part that is left out, in [0, 1).
        noise_shape: Shape of the choice, which broadcasts with the input: None in it stands for the input's extent.
        seed: Seed, or None to follow the global one.
        **kwargs: See `Layer`.

    Without `training=True` (given here, or to the model around it) the input passes unchanged.

    Raises:
        ValueError: If `rate` is outside [0, 1].

    >>> Dropout(0.5)([1.0, 2.0]).numpy()
    array([1., 2.], dtype=float32)
    """

    def __init__(
        self, rate: float, noise_shape: Any = None, seed: int | None = None, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        if not isinstance(rate, int | float) or not 0 <= rate <= 1:
            raise ValueError(
                f"Invalid value {rate} received for `rate`, expected a value between 0 and 1."
            )
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed
        self.supports_masking = True

    def _noise_shape(self, inputs: Any) -> Any:
        if self.noise_shape is None:
            return shape_of(inputs)
        sizes = shape_of(inputs)
        return tuple(sizes[i] if n is None else n for i, n in enumerate(self.noise_shape))

    def call(self, inputs: Any, training: Any = None) -> Any:
        """The result for `inputs`."""
        if not training or self.rate == 0:
            return inputs
        if self.rate == 1:
            return multiply(inputs, 0.0)
        keep = kept(self._noise_shape(inputs), self.rate, inputs.dtype, self.seed)
        return masked(inputs, keep, scale=1.0 / (1.0 - self.rate))

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The input's shape."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {
            **super().get_config(), "rate": self.rate, "noise_shape": self.noise_shape, "seed": self.seed,
        }  # fmt: skip


Dropout.__module__ = "eagercore.keras.layers"
