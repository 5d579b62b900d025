"""Global pooling: one number for each channel."""

from __future__ import annotations

from typing import Any

from ....base.shapes import as_shape
from ....ops.create import cast
from ....ops.reduce import reduce_max, reduce_mean, reduce_sum
from ....ops.shape import expand_dims
from ...settings import checked_data_format
from ..base import Layer
from ..input_spec import InputSpec


class GlobalPooling(Layer):
    """Base of the global pooling layers: `_reduce` over `_rank` spatial dimensions.

    Args:
        data_format: "channels_last" (default) or "channels_first".
        keepdims: Whether the spatial dimensions stay, with extent 1. Default False.
        **kwargs: See `Layer`.
    """

    _rank = 2
    _reduce: Any = None

    def __init__(
        self, data_format: str | None = None, keepdims: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.data_format, self.keepdims = checked_data_format(data_format), bool(keepdims)
        self.input_spec = InputSpec(ndim=self._rank + 2)

    @property
    def _spatial_axes(self) -> tuple[int, ...]:
        start = 2 if self.data_format == "channels_first" else 1
        return tuple(range(start, start + self._rank))

    def call(self, inputs: Any) -> Any:
        """The result for `inputs`."""
        return type(self)._reduce(inputs, axis=self._spatial_axes, keepdims=self.keepdims)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for an input of this shape."""
        axes = self._spatial_axes
        kept = [
            1 if i in axes else n
            for i, n in enumerate(as_shape(input_shape))
            if self.keepdims or i not in axes
        ]
        return as_shape(kept)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "data_format": self.data_format, "keepdims": self.keepdims}


class GlobalMaxPooling1D(GlobalPooling):
    """The largest value of each channel over time."""

    _rank, _reduce = 1, reduce_max


class GlobalMaxPooling2D(GlobalPooling):
    """The largest value of each channel over an image."""

    _rank, _reduce = 2, reduce_max


class GlobalMaxPooling3D(GlobalPooling):
    """The largest value of each channel over a volume."""

    _rank, _reduce = 3, reduce_max


class GlobalAveragePooling1D(GlobalPooling):
    """The mean of each channel over time; masked time steps do not count."""

    _rank, _reduce = 1, reduce_mean

    def __init__(
        self, data_format: str | None = None, keepdims: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(data_format, keepdims, **kwargs)
        self.supports_masking = True

    def call(self, inputs: Any, mask: Any = None) -> Any:
        """The result for `inputs`."""
        if mask is None:
            return GlobalPooling.call(self, inputs)
        axis = self._spatial_axes[0]
        weights = expand_dims(cast(mask, inputs.dtype), axis=2 if axis == 1 else 1)
        total = reduce_sum(inputs * weights, axis=axis, keepdims=self.keepdims)
        return total / reduce_sum(weights, axis=axis, keepdims=self.keepdims)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """None: there is no time axis any more."""
        return None


class GlobalAveragePooling2D(GlobalPooling):
    """The mean of each channel over an image."""

    _rank, _reduce = 2, reduce_mean


class GlobalAveragePooling3D(GlobalPooling):
    """The mean of each channel over a volume."""

    _rank, _reduce = 3, reduce_mean


for _cls in GlobalPooling.__subclasses__():
    _dims = ", ".join(["1", *["4"] * _cls._rank, "3"])
    _cls.__doc__ = (
        f'{_cls.__doc__}\n\n    Args:\n        data_format: "channels_last" (default) or "channels_first".\n'
        "        keepdims: Whether the spatial dimensions stay, with extent 1. Default False.\n"
        "        **kwargs: See `Layer`.\n\n    >>> import eagercore as tf\n"
        f"    >>> {_cls.__name__}()(tf.ones([{_dims}])).shape\n    TensorShape([1, 3])\n    "
    )
    _cls.__module__ = "eagercore.keras.layers"

GlobalMaxPool1D, GlobalMaxPool2D, GlobalMaxPool3D = (
    GlobalMaxPooling1D,
    GlobalMaxPooling2D,
    GlobalMaxPooling3D,
)
GlobalAvgPool1D, GlobalAvgPool2D, GlobalAvgPool3D = (
    GlobalAveragePooling1D, GlobalAveragePooling2D, GlobalAveragePooling3D,
)  # fmt: skip
