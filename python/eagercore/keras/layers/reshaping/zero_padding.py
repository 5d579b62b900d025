"""Zero padding: zeros around the spatial dimensions."""

from __future__ import annotations

from typing import Any

from ....base.shapes import as_shape
from ....core.coerce import as_ints
from ....ops.shape import pad
from ...settings import checked_data_format
from ..base import Layer
from ..input_spec import InputSpec


def pairs(value: Any, rank: int, name: str) -> tuple[tuple[int, int], ...]:
    """A pair (before, after) for each spatial dimension.

    Args:
        value: An int, one int for each dimension, or a pair for each (for one dimension: a pair).
        rank: Number of spatial dimensions.
        name: Name of the argument, for the message.

    Raises:
        ValueError: If it is something else.
    """
    try:
        if isinstance(value, list | tuple) and any(isinstance(v, list | tuple) for v in value):
            made = tuple(
                tuple(as_ints(v, "Layer", name)) * (2 if not isinstance(v, list | tuple) else 1)
                for v in value
            )
        else:
            numbers = as_ints(value, "Layer", name)
            if rank == 1 and len(numbers) == 2:
                made = (tuple(numbers),)
            else:
                made = tuple((n, n) for n in (numbers * rank if len(numbers) == 1 else numbers))
    except (TypeError, ValueError):
        made = ()
    if len(made) != rank or any(len(p) != 2 or min(p) < 0 for p in made):
        raise ValueError(
            f"`{name}` should be an int, a tuple of {rank} ints, or a tuple of {rank} pairs of ints >= 0. "
            f"Received: {value}"
        )
    return made


class ZeroPadding(Layer):
    """Base of the zero paddings: `_rank` spatial dimensions.

    Args:
        padding: An int, one for each dimension, or a pair (before, after) for each. Default 1.
        data_format: "channels_last" (default) or "channels_first".
        **kwargs: See `Layer`.
    """

    _rank = 2

    def __init__(self, padding: Any = 1, data_format: str | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.padding = pairs(padding, self._rank, "padding")
        self.data_format = checked_data_format(data_format)
        self.input_spec = InputSpec(ndim=self._rank + 2)

    def _all_pairs(self) -> list[tuple[int, int]]:
        first = self.data_format == "channels_first"
        return [(0, 0), (0, 0), *self.padding] if first else [(0, 0), *self.padding, (0, 0)]

    def call(self, inputs: Any) -> Any:
        """The result for `inputs`."""
        return pad(inputs, self._all_pairs())

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for an input of this shape."""
        return as_shape(
            [
                None if n is None else n + sum(pair)
                for n, pair in zip(as_shape(input_shape), self._all_pairs(), strict=True)
            ]
        )

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "padding": self.padding, "data_format": self.data_format}


class ZeroPadding1D(ZeroPadding):
    """Zeros before and after the time steps: [batch, steps, channels]."""

    _rank = 1


class ZeroPadding2D(ZeroPadding):
    """Zeros around images: [batch, height, width, channels]."""

    _rank = 2


class ZeroPadding3D(ZeroPadding):
    """Zeros around volumes: [batch, depth, height, width, channels]."""

    _rank = 3


for _cls in (ZeroPadding1D, ZeroPadding2D, ZeroPadding3D):
    _dims = ", ".join(["1", *["2"] * _cls._rank, "1"])
    _result = ", ".join(["1", *["4"] * _cls._rank, "1"])
    _cls.__doc__ = (
        f"{_cls.__doc__}\n\n    Args:\n        padding: An int, one for each dimension, or a pair (before, "
        f"after) for each. "
        'Default 1.\n        data_format: "channels_last" (default) or "channels_first".\n'
        "        **kwargs: See `Layer`.\n\n    >>> import eagercore as tf\n"
        f"    >>> {_cls.__name__}()(tf.ones([{_dims}])).shape\n    TensorShape([{_result}])\n    "
    )
    _cls.__module__ = "eagercore.keras.layers"
