"""Pooling layers: the largest, or the mean, of each window."""

from __future__ import annotations

from typing import Any

from ....base.shapes import as_shape
from ....base.windows import output_size
from ....ops import pooling as primitives
from ....ops.shape import transpose
from ...settings import checked_data_format
from ..base import Layer
from ..convolution.base import checked_padding, per_dimension
from ..input_spec import InputSpec

_ARGUMENTS = """
    Args:
        pool_size: Size of the window: an int, or one for each spatial dimension. Default 2.
        strides: Step of the window, as `pool_size`. Default the size of the window.
        padding: "valid" or "same". Default "valid".
        data_format: "channels_last" (default) or "channels_first".
        **kwargs: See `Layer`.

    Raises:
        ValueError: If an argument has no meaning.
"""


class Pooling(Layer):
    """Base of the pooling layers: `_rank` spatial dimensions, `_primitive` on each window."""

    _rank = 2
    _primitive: Any = None

    def __init__(
        self,
        pool_size: Any = 2,
        strides: Any = None,
        padding: str = "valid",
        data_format: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.pool_size = per_dimension(pool_size, self._rank, "pool_size")
        self.strides = per_dimension(
            pool_size if strides is None else strides, self._rank, "strides"
        )
        self.padding = checked_padding(padding)
        self.data_format = checked_data_format(data_format)
        self.input_spec = InputSpec(ndim=self._rank + 2)
        self._pairs = (None if self.padding == "same" else (0, 0),) * self._rank

    def call(self, inputs: Any) -> Any:
        """The result for `inputs`."""
        rank, first = self._rank, self.data_format == "channels_first"
        if first:
            inputs = transpose(inputs, (0, *range(2, rank + 2), 1))
        outputs = type(self)._primitive(
            inputs, window=self.pool_size, strides=self.strides, padding=self._pairs
        )
        return transpose(outputs, (0, rank + 1, *range(1, rank + 1))) if first else outputs

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for an input of this shape."""
        shape = as_shape(input_shape)
        first = self.data_format == "channels_first"
        sizes = shape[2:] if first else shape[1:-1]
        spatial = [
            output_size(size, window, stride, 1, pair)
            for size, window, stride, pair in zip(
                sizes, self.pool_size, self.strides, self._pairs, strict=True
            )
        ]
        return as_shape(
            [shape[0], shape[1], *spatial] if first else [shape[0], *spatial, shape[-1]]
        )

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {
            **super().get_config(), "pool_size": self.pool_size, "strides": self.strides, "padding": self.padding,
            "data_format": self.data_format,
        }  # fmt: skip


class MaxPooling1D(Pooling):
    """The largest of each window of time steps: [batch, steps, channels]."""

    _rank, _primitive = 1, primitives.max_pool


class MaxPooling2D(Pooling):
    """The largest of each window of an image: [batch, height, width, channels]."""

    _rank, _primitive = 2, primitives.max_pool


class MaxPooling3D(Pooling):
    """The largest of each window of a volume: [batch, depth, height, width, channels]."""

    _rank, _primitive = 3, primitives.max_pool


class AveragePooling1D(Pooling):
    """The mean of each window of time steps: [batch, steps, channels]."""

    _rank, _primitive = 1, primitives.avg_pool


class AveragePooling2D(Pooling):
    """The mean of each window of an image: [batch, height, width, channels]."""

    _rank, _primitive = 2, primitives.avg_pool


class AveragePooling3D(Pooling):
    """The mean of each window of a volume: [batch, depth, height, width, channels]."""

    _rank, _primitive = 3, primitives.avg_pool


for _cls in (
    MaxPooling1D,
    MaxPooling2D,
    MaxPooling3D,
    AveragePooling1D,
    AveragePooling2D,
    AveragePooling3D,
):
    _dims = ", ".join(["1", *["4"] * _cls._rank, "1"])
    _result = ", ".join(["1", *["2"] * _cls._rank, "1"])
    _cls.__doc__ = (
        f"{_cls.__doc__}\n{_ARGUMENTS}\n    >>> import eagercore as tf\n"
        f"    >>> {_cls.__name__}(2)(tf.ones([{_dims}])).shape\n    TensorShape([{_result}])\n    "
    )
    _cls.__module__ = "eagercore.keras.layers"

MaxPool1D, MaxPool2D, MaxPool3D = MaxPooling1D, MaxPooling2D, MaxPooling3D
AvgPool1D, AvgPool2D, AvgPool3D = AveragePooling1D, AveragePooling2D, AveragePooling3D
