"""UpSampling: more of the same along the spatial dimensions."""

from __future__ import annotations

from typing import Any

from ....base.shapes import as_shape
from ....ops.create import shape_of
from ....ops.resize import resample
from ....ops.shape import reshape, tile, transpose
from ...settings import checked_data_format
from ..base import Layer
from ..convolution.base import per_dimension
from ..input_spec import InputSpec

METHODS = ("area", "bicubic", "bilinear", "gaussian", "lanczos3", "lanczos5", "mitchellcubic", "nearest")


class UpSampling(Layer):
    """Base of the up-samplings: `_rank` spatial dimensions.

    Args:
        size: How often each position is repeated: an int, or one for each spatial dimension. Default 2.
        data_format: "channels_last" (default) or "channels_first".
        **kwargs: See `Layer`.
    """

    _rank = 2

    def __init__(self, size: Any = 2, data_format: str | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.size: Any = per_dimension(size, self._rank, "size")
        self.data_format = checked_data_format(data_format)
        self.input_spec = InputSpec(ndim=self._rank + 2)

    @property
    def _first_axis(self) -> int:
        return 2 if self.data_format == "channels_first" and self._rank > 1 else 1

    def call(self, inputs: Any) -> Any:
        """The result for `inputs`."""
        sizes, first = list(shape_of(inputs)), self._first_axis
        apart, times, result = sizes[:first], [1] * first, sizes[:first]
        for n, factor in zip(sizes[first:], self.size, strict=False):
            apart += [n, 1]
            times += [1, factor]
            result.append(n * factor)
        rest = sizes[first + self._rank :]
        spread = tile(reshape(inputs, (*apart, *rest)), (*times, *[1] * len(rest)))
        return reshape(spread, (*result, *rest))

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for an input of this shape."""
        shape, first = list(as_shape(input_shape)), self._first_axis
        for i, times in enumerate(self.size):
            n = shape[first + i]
            shape[first + i] = None if n is None else n * times
        return as_shape(shape)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        size = self.size[0] if self._rank == 1 else self.size
        config = {**super().get_config(), "size": size}
        return config if self._rank == 1 else {**config, "data_format": self.data_format}


class UpSampling1D(UpSampling):
    """Each time step several times: [batch, steps, channels].

    Args:
        size: How often. Default 2.
        **kwargs: See `Layer`.

    >>> UpSampling1D(2)([[[1.0], [2.0]]]).numpy().ravel()
    array([1., 1., 2., 2.], dtype=float32)
    """

    _rank = 1

    def __init__(self, size: int = 2, **kwargs: Any) -> None:
        super().__init__(size, "channels_last", **kwargs)


class UpSampling2D(UpSampling):
    """Images made larger by whole factors: [batch, height, width, channels].

    Args:
        size: Factor, or one for height and one for width. Default 2.
        data_format: "channels_last" (default) or "channels_first".
        interpolation: "nearest" (default), "bilinear", or another method of `tf.image.resize`.
        **kwargs: See `Layer`.

    Raises:
        ValueError: If an argument has no meaning.

    >>> import eagercore as tf
    >>> UpSampling2D(2)(tf.ones([1, 2, 3, 1])).shape
    TensorShape([1, 4, 6, 1])
    """

    _rank = 2

    def __init__(
        self, size: Any = (2, 2), data_format: str | None = None, interpolation: str = "nearest", **kwargs: Any
    ) -> None:
        super().__init__(size, data_format, **kwargs)
        self.interpolation = str(interpolation).lower()
        if self.interpolation not in METHODS:
            raise ValueError(
                f"`interpolation` argument should be one of: {', '.join(METHODS)}. Received: {interpolation!r}."
            )

    def call(self, inputs: Any) -> Any:
        """The result for `inputs`."""
        if self.interpolation == "nearest":
            return super().call(inputs)
        first = self.data_format == "channels_first"
        if first:
            inputs = transpose(inputs, (0, 2, 3, 1))
        sizes = shape_of(inputs)
        made = resample(
            inputs, size=(sizes[1] * self.size[0], sizes[2] * self.size[1]), method=self.interpolation,
            half_pixel_centers=self.interpolation != "area",
        )  # fmt: skip
        return transpose(made, (0, 3, 1, 2)) if first else made

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "interpolation": self.interpolation}


class UpSampling3D(UpSampling):
    """Each position of volumes several times: [batch, depth, height, width, channels].

    Args:
        size: How often, or one number for each dimension. Default 2.
        data_format: "channels_last" (default) or "channels_first".
        **kwargs: See `Layer`.

    >>> import eagercore as tf
    >>> UpSampling3D(2)(tf.ones([1, 2, 2, 2, 1])).shape
    TensorShape([1, 4, 4, 4, 1])
    """

    _rank = 3


for _cls in (UpSampling1D, UpSampling2D, UpSampling3D):
    _cls.__module__ = "eagercore.keras.layers"
