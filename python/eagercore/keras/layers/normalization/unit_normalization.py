"""UnitNormalization: every example to length 1."""

from __future__ import annotations

from typing import Any

from ....ops.arithmetic import maximum, multiply, square
from ....ops.exponential import rsqrt
from ....ops.reduce import reduce_sum
from ..base import Layer


class UnitNormalization(Layer):
    """Brings each example to length 1 along some axes.

    Args:
        axis: Axis or axes. Default last.
        **kwargs: See `Layer`.

    >>> UnitNormalization()([[3.0, 4.0]]).numpy()
    array([[0.6, 0.8]], dtype=float32)
    """

    def __init__(self, axis: Any = -1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.axis: Any = [int(a) for a in axis] if isinstance(axis, list | tuple) else int(axis)
        self.supports_masking = True

    def call(self, inputs: Any) -> Any:
        """The result for `inputs`."""
        total = reduce_sum(square(inputs), axis=self.axis, keepdims=True)
        return multiply(inputs, rsqrt(maximum(total, 1e-12)))

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The input's shape."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "axis": self.axis}


UnitNormalization.__module__ = "eagercore.keras.layers"
