"""RMSNormalization: every example to root mean square 1."""

from __future__ import annotations

from typing import Any

from ....ops.arithmetic import multiply, square
from ....ops.exponential import rsqrt
from ....ops.reduce import reduce_mean
from ....ops.shape import reshape
from ..base import Layer


class RMSNormalization(Layer):
    """Divides each example by its root mean square along some axes, and multiplies by a trained scale.

    Args:
        axis: Axis or axes. Default last.
        epsilon: Added to the mean square. Default 1e-6.
        **kwargs: See `Layer`.

    Raises:
        ValueError: If an axis is not there.

    >>> RMSNormalization()([[3.0, 4.0]]).numpy().round(4)
    array([[0.8485, 1.1314]], dtype=float32)
    """

    def __init__(self, axis: Any = -1, epsilon: float = 1e-6, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.axis: Any = [int(a) for a in axis] if isinstance(axis, list | tuple) else int(axis)
        self.epsilon = float(epsilon)
        self.supports_masking = True

    def _axes(self, rank: int) -> list[int]:
        axes = self.axis if isinstance(self.axis, list) else [self.axis]
        for axis in axes:
            if not -rank <= axis < rank:
                raise ValueError(
                    f"Axis {axis} is out of bounds for an input of rank {rank}. Received: axis={self.axis}"
                )
        return sorted(axis % rank for axis in axes)

    def build(self, input_shape: Any) -> None:
        """Makes the scale, which starts at 1."""
        dims = list(input_shape)
        shape = [dims[a] for a in self._axes(len(dims))]
        self.scale = self.add_weight("scale", shape=shape, initializer="ones")
        self.built = True

    def call(self, inputs: Any) -> Any:
        """The result for `inputs`."""
        rank = inputs.shape.rank
        axes = self._axes(rank)
        mean = reduce_mean(square(inputs), axis=axes, keepdims=True)
        shape = [inputs.shape[a] if a in axes else 1 for a in range(rank)]
        return multiply(
            multiply(inputs, rsqrt(mean + self.epsilon)), reshape(self.scale.value(), shape)
        )

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The input's shape."""
        self._axes(len(list(input_shape)))
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "axis": self.axis, "epsilon": self.epsilon}


RMSNormalization.__module__ = "eagercore.keras.layers"
