"""ActivityRegularization: a loss on what passes."""

from __future__ import annotations

from typing import Any

from ... import regularizers
from ..base import Layer


class ActivityRegularization(Layer):
    """Passes its input on, and adds a loss that depends on it.

    Args:
        l1: Factor of the absolute values. Default 0.
        l2: Factor of the squares. Default 0.
        **kwargs: See `Layer`.

    >>> layer = ActivityRegularization(l2=0.5)
    >>> y = layer([[2.0]])
    >>> float(layer.losses[0])
    2.0
    """

    def __init__(self, l1: float = 0.0, l2: float = 0.0, **kwargs: Any) -> None:
        super().__init__(activity_regularizer=regularizers.L1L2(l1=l1, l2=l2), **kwargs)
        self.l1, self.l2 = l1, l2
        self.supports_masking = True

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The input's shape."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "l1": self.l1, "l2": self.l2}


ActivityRegularization.__module__ = "eagercore.keras.layers"
