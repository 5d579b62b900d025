"""ELU: an exponential below zero."""

from __future__ import annotations

from typing import Any

from ...activations import elu
from ..base import Layer


class ELU(Layer):
    """`x` above zero, `alpha (exp(x) - 1)` below.

    Args:
        alpha: What it tends to far below zero, with its sign turned. Default 1.
        **kwargs: See `Layer`.

    Raises:
        ValueError: If `alpha` is None.

    >>> ELU()([-100.0, 3.0]).numpy()
    array([-1.,  3.], dtype=float32)
    """

    def __init__(self, alpha: float = 1.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if alpha is None:
            raise ValueError("Alpha of an ELU layer cannot be None, expecting a float. Received: None")
        self.alpha = float(alpha)
        self.supports_masking = True

    def call(self, inputs: Any) -> Any:
        """The result for `inputs`."""
        return elu(inputs, self.alpha)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The input's shape."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "alpha": self.alpha}


ELU.__module__ = "eagercore.keras.layers"
