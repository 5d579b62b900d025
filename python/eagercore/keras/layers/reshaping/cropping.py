"""Cropping: less at the borders of the spatial dimensions."""

from __future__ import annotations

from typing import Any

from ....base.shapes import as_shape
from ...settings import checked_data_format
from ..base import Layer
from ..input_spec import InputSpec
from .zero_padding import pairs


class Cropping(Layer):
    """Base of the croppings: `_rank` spatial dimensions."""

    _rank = 2

    def __init__(self, cropping: Any = None, data_format: str | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if cropping is None:
            cropping = (1, 1) if self._rank == 1 else 0 if self._rank == 2 else 1
        self.cropping = pairs(cropping, self._rank, "cropping")
        self.data_format = checked_data_format(data_format)
        self.input_spec = InputSpec(ndim=self._rank + 2)

    def _all_pairs(self) -> list[tuple[int, int]]:
        first = self.data_format == "channels_first" and self._rank > 1
        return [(0, 0), (0, 0), *self.cropping] if first else [(0, 0), *self.cropping, (0, 0)]

    def call(self, inputs: Any) -> Any:
        """The result for `inputs`."""
        self._check(inputs.shape)
        return inputs[tuple(slice(a, -b if b else None) for a, b in self._all_pairs())]

    def _check(self, shape: Any) -> None:
        for size, pair in zip(shape, self._all_pairs(), strict=True):
            if size is not None and sum(pair) and size <= sum(pair):
                raise ValueError(
                    f"Layer {self.name}: argument `cropping` must be less than the size of the input, got cropping="
                    f"{self.cropping} for an input of shape {shape}."
                )

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for an input of this shape."""
        shape = as_shape(input_shape)
        self._check(shape)
        return as_shape(
            [
                None if n is None else n - sum(pair)
                for n, pair in zip(shape, self._all_pairs(), strict=True)
            ]
        )

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        cropping: Any = self.cropping[0] if self._rank == 1 else self.cropping
        config = {**super().get_config(), "cropping": cropping}
        return config if self._rank == 1 else {**config, "data_format": self.data_format}


class Cropping1D(Cropping):
    """Less time steps at both ends: [batch, steps, channels]."""

    _rank = 1


class Cropping2D(Cropping):
    """Less at the borders of images: [batch, height, width, channels]."""

    _rank = 2


class Cropping3D(Cropping):
    """Less at the borders of volumes: [batch, depth, height, width, channels]."""

    _rank = 3


for _cls in (Cropping1D, Cropping2D, Cropping3D):
    _dims = ", ".join(["1", *["4"] * _cls._rank, "1"])
    _result = ", ".join(["1", *["2"] * _cls._rank, "1"])
    _cls.__doc__ = (
        f"{_cls.__doc__}\n\n    Args:\n        cropping: An int, one for each dimension, or a pair "
        f"(before, after) for each. "
        f'Default {0 if _cls._rank == 2 else 1}.\n        data_format: "channels_last" (default) or "channels_first".\n'
        "        **kwargs: See `Layer`.\n\n    Raises:\n        ValueError: If nothing would be left.\n\n"
        "    >>> import eagercore as tf\n"
        f"    >>> {_cls.__name__}(1)(tf.ones([{_dims}])).shape\n    TensorShape([{_result}])\n    "
    )
    _cls.__module__ = "eagercore.keras.layers"
