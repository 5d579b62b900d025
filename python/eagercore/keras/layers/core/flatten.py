"""Flatten: one axis for all but the batch."""

from __future__ import annotations

import math
from typing import Any

from ....base.shapes import as_shape
from ....ops.shape import expand_dims, reshape, transpose
from ...settings import checked_data_format
from ..base import Layer


class Flatten(Layer):
    """Joins all axes but the first.

    Args:
        data_format: "channels_last" (default) or "channels_first": the channels then become the last axis first.
        **kwargs: See `Layer`.

    >>> Flatten()([[[1.0, 2.0], [3.0, 4.0]]]).numpy()
    array([[1., 2., 3., 4.]], dtype=float32)
    """

    _casts_inputs = False

    def __init__(self, data_format: str | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.data_format = checked_data_format(data_format)

    def call(self, inputs: Any) -> Any:
        """The result for `inputs`."""
        shape = inputs.shape
        if shape.rank is not None and shape.rank < 2:
            return expand_dims(inputs, axis=-1)
        if self.data_format == "channels_first" and shape.rank and shape.rank > 2:
            inputs = transpose(inputs, (0, *range(2, shape.rank), 1))
        rest = list(shape)[1:]
        if None not in rest:
            return reshape(inputs, (-1, math.prod(rest)) if math.prod(rest) else (shape[0], 0))
        return reshape(inputs, (shape[0], -1)) if shape[0] is not None else _dynamic(inputs)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for an input of this shape."""
        shape = as_shape(input_shape)
        rest = list(shape)[1:]
        return as_shape([shape[0], None if None in rest else math.prod(rest)])

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "data_format": self.data_format}


def _dynamic(inputs: Any) -> Any:
    from ....ops.shape import shape

    return reshape(inputs, (shape(inputs)[0], -1))


Flatten.__module__ = "eagercore.keras.layers"
