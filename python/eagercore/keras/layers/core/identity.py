"""Identity: the input as it is."""

from __future__ import annotations

from typing import Any

from ....ops.create import identity
from ..base import Layer


class Identity(Layer):
    """Gives its input.

    Args:
        **kwargs: See `Layer`.

    >>> Identity()([1.0]).numpy()
    array([1.], dtype=float32)
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.supports_masking = True

    def call(self, inputs: Any) -> Any:
        """The input."""
        from ....base import nest

        return nest.map_structure(identity, inputs)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The input's shape."""
        return input_shape


Identity.__module__ = "eagercore.keras.layers"
