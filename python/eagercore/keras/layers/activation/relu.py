"""ReLU: nothing below zero."""

from __future__ import annotations

from typing import Any

from ...activations import relu
from ..base import Layer


class ReLU(Layer):
    """`max(x, 0)`, with an optional slope below the threshold and an upper bound.

    Args:
        max_value: Upper bound, or None.
        negative_slope: Slope below the threshold. Default 0.
        threshold: Below it values are damped. Default 0.
        **kwargs: See `Layer`.

    Raises:
        ValueError: If an argument is negative.

    >>> ReLU(max_value=1.0)([-1.0, 0.5, 3.0]).numpy()
    array([0. , 0.5, 1. ], dtype=float32)
    """

    def __init__(
        self,
        max_value: float | None = None,
        negative_slope: float = 0.0,
        threshold: float = 0.0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        for name, value in (
            ("max_value", max_value or 0.0),
            ("negative_slope", negative_slope),
            ("threshold", threshold),
        ):
            if value is None or value < 0.0:
                raise ValueError(
                    f"`{name}` of a ReLU layer cannot be a negative value. Received: {value}"
                )
        self.max_value = None if max_value is None else float(max_value)
        self.negative_slope, self.threshold = float(negative_slope), float(threshold)
        self.supports_masking = True

    def call(self, inputs: Any) -> Any:
        """The result for `inputs`."""
        return relu(
            inputs, alpha=self.negative_slope, max_value=self.max_value, threshold=self.threshold
        )

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The input's shape."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {
            **super().get_config(), "max_value": self.max_value, "negative_slope": self.negative_slope,
            "threshold": self.threshold,
        }  # fmt: skip


ReLU.__module__ = "eagercore.keras.layers"
