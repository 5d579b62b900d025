"""ThresholdedReLU: nothing up to a threshold."""

from __future__ import annotations

from typing import Any

from ....ops.arithmetic import multiply
from ....ops.compare import greater
from ....ops.create import cast
from ..base import Layer


class ThresholdedReLU(Layer):
    """`x` above `theta`, else 0.

    Args:
        theta: The threshold, not negative. Default 1.
        **kwargs: See `Layer`.

    Raises:
        ValueError: If `theta` is None or negative.

    >>> ThresholdedReLU(1.0)([0.5, 1.0, 3.0]).numpy()
    array([0., 0., 3.], dtype=float32)
    """

    def __init__(self, theta: float = 1.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if theta is None or theta < 0:
            raise ValueError(
                f"Theta of a Thresholded ReLU layer cannot be None or negative, expecting a float "
                f">= 0. Received: {theta}"
            )
        self.theta = float(theta)
        self.supports_masking = True

    def call(self, inputs: Any) -> Any:
        """The result for `inputs`."""
        return multiply(inputs, cast(greater(inputs, self.theta), inputs.dtype))

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The input's shape."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "theta": self.theta}


ThresholdedReLU.__module__ = "eagercore.keras.layers"
