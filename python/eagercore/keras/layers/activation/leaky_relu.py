"""LeakyReLU: a small slope below zero."""

from __future__ import annotations

from typing import Any

from ....ops.nn import leaky_relu
from ..base import Layer


class LeakyReLU(Layer):
    """`x` above zero, `alpha x` below.

    Args:
        alpha: Slope below zero. Default 0.3.
        **kwargs: See `Layer`; `negative_slope` is another name of `alpha`.

    >>> LeakyReLU(0.5)([-2.0, 3.0]).numpy()
    array([-1.,  3.], dtype=float32)
    """

    def __init__(self, alpha: float = 0.3, **kwargs: Any) -> None:
        alpha = kwargs.pop("negative_slope", alpha)
        super().__init__(**kwargs)
        if alpha is None:
            raise ValueError(
                "The alpha value of a Leaky ReLU layer cannot be None, needs a float. Got None"
            )
        self.alpha = float(alpha)
        self.supports_masking = True

    def call(self, inputs: Any) -> Any:
        """The result for `inputs`."""
        return leaky_relu(inputs, self.alpha)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The input's shape."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "alpha": self.alpha}


LeakyReLU.__module__ = "eagercore.keras.layers"
