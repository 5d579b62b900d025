"""Masking: time steps that do not count."""

from __future__ import annotations

from typing import Any

from ....ops.compare import not_equal
from ....ops.create import cast
from ....ops.reduce import reduce_any
from ..base import Layer


class Masking(Layer):
    """Masks the time steps whose features all equal a value; the layers behind it skip them.

    Args:
        mask_value: The value. Default 0.
        **kwargs: See `Layer`.

    >>> Masking()([[[1.0], [0.0]]]).shape
    TensorShape([1, 2, 1])
    """

    def __init__(self, mask_value: float = 0.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.mask_value = mask_value
        self.supports_masking = True

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """True where a time step counts."""
        return reduce_any(not_equal(inputs, self.mask_value), axis=-1)

    def call(self, inputs: Any) -> Any:
        """The input, with zeros at the masked time steps."""
        kept = reduce_any(not_equal(inputs, self.mask_value), axis=-1, keepdims=True)
        return inputs * cast(kept, inputs.dtype)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The input's shape."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "mask_value": self.mask_value}


Masking.__module__ = "eagercore.keras.layers"
