"""Softmax: positive numbers with sum one."""

from __future__ import annotations

from typing import Any

from ....ops import nn
from ....ops.arithmetic import add, multiply, subtract
from ....ops.create import cast
from ....ops.exponential import exp
from ....ops.reduce import reduce_logsumexp
from ..base import Layer


class Softmax(Layer):
    """`exp(x) / sum(exp(x))` along an axis.

    Args:
        axis: Axis, or a list of axes. Default last.
        **kwargs: See `Layer`.

    A mask in the input's shape leaves positions out.

    >>> Softmax()([[1.0, 1.0]]).numpy()
    array([[0.5, 0.5]], dtype=float32)
    """

    def __init__(self, axis: Any = -1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.axis: Any = [int(a) for a in axis] if isinstance(axis, list | tuple) else int(axis)
        self.supports_masking = True

    def call(self, inputs: Any, mask: Any = None) -> Any:
        """The result for `inputs`."""
        if mask is not None:
            least = -6e4 if inputs.dtype.name == "float16" else -1e9
            inputs = add(inputs, multiply(subtract(1.0, cast(mask, inputs.dtype)), least))
        if isinstance(self.axis, int):
            return nn.softmax(inputs, axis=self.axis)
        if len(self.axis) == 1:
            return nn.softmax(inputs, axis=self.axis[0])
        return exp(subtract(inputs, reduce_logsumexp(inputs, axis=self.axis, keepdims=True)))

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The input's shape."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "axis": self.axis}


Softmax.__module__ = "eagercore.keras.layers"
