"""SpatialDropout1D, 2D, 3D: dropout of whole channels."""

from __future__ import annotations

from typing import Any

from ....ops.create import shape_of
from ...settings import checked_data_format
from ..core.dropout import Dropout
from ..input_spec import InputSpec


class SpatialDropout(Dropout):
    """Base of the dropouts of whole channels: `_rank` spatial dimensions."""

    _rank = 2

    def __init__(self, rate: float, data_format: str | None = None, seed: int | None = None, **kwargs: Any) -> None:
        super().__init__(rate, seed=seed, **kwargs)
        self.data_format = checked_data_format(data_format)
        self.input_spec = InputSpec(ndim=self._rank + 2)

    def _noise_shape(self, inputs: Any) -> Any:
        sizes = shape_of(inputs)
        middle = (1,) * self._rank
        if self.data_format == "channels_first" and self._rank > 1:
            return (sizes[0], sizes[1], *middle)
        return (sizes[0], *middle, sizes[-1])

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        config = super().get_config()
        config.pop("noise_shape")
        return {**config, "data_format": self.data_format}


class SpatialDropout1D(SpatialDropout):
    """In training leaves out whole channels of sequences: [batch, time, channels]."""

    _rank = 1


class SpatialDropout2D(SpatialDropout):
    """In training leaves out whole channels of images: [batch, height, width, channels]."""

    _rank = 2


class SpatialDropout3D(SpatialDropout):
    """In training leaves out whole channels of volumes: [batch, depth, height, width, channels]."""

    _rank = 3


for _cls in (SpatialDropout1D, SpatialDropout2D, SpatialDropout3D):
    _dims = ", ".join(["1", *["2"] * _cls._rank, "3"])
    _cls.__doc__ = (
        f"{_cls.__doc__}\n\n    Args:\n        rate: Part of the channels that is left out.\n"
        '        data_format: "channels_last" (default) or "channels_first".\n'
        "        seed: Seed, or None to follow the global one.\n        **kwargs: See `Layer`.\n\n"
        "    >>> import eagercore as tf\n"
        f"    >>> {_cls.__name__}(0.5)(tf.ones([{_dims}])).shape\n    TensorShape([{_dims}])\n    "
    )
    _cls.__module__ = "eagercore.keras.layers"
