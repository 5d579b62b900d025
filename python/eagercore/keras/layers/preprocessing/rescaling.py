"""Rescaling, Resizing, CenterCrop: images of another range or size."""

from __future__ import annotations

from typing import Any

from ....base import dtypes
from ....base.shapes import as_shape
from ....core.coerce import as_int
from ....ops.arithmetic import add, multiply
from ....ops.create import cast, constant
from ....ops.resize import resize
from ..base import Layer


class Rescaling(Layer):
    """`inputs * scale + offset`.

    Args:
        scale: Factor: a number, or one for each channel.
        offset: What is added. Default 0.
        **kwargs: See `Layer`.

    >>> Rescaling(1.0 / 255)([[0, 255]]).numpy()
    array([[0., 1.]], dtype=float32)
    """

    def __init__(self, scale: Any, offset: Any = 0.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.scale, self.offset = scale, offset
        self.supports_masking = True

    def call(self, inputs: Any) -> Any:
        """The result for `inputs`."""
        if not inputs.dtype.is_floating:
            inputs = cast(inputs, self.dtype)
        return add(multiply(inputs, constant(self.scale, inputs.dtype)), constant(self.offset, inputs.dtype))

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The input's shape."""
        return input_shape

    def _output_dtype(self, input_dtype: Any) -> Any:
        return input_dtype if input_dtype.is_floating else dtypes.as_dtype(self.dtype)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "scale": self.scale, "offset": self.offset}


class _Sized(Layer):
    """Base of the layers that give images of a fixed size."""

    def __init__(self, height: int, width: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.height = int(as_int(height, type(self).__name__, "height"))
        self.width = int(as_int(width, type(self).__name__, "width"))

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for an input of this shape."""
        shape = list(as_shape(input_shape))
        shape[-3:-1] = [self.height, self.width]
        return as_shape(shape)

    def _output_dtype(self, input_dtype: Any) -> Any:
        return dtypes.as_dtype(self.dtype)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "height": self.height, "width": self.width}


class Resizing(_Sized):
    """Images of another size: `[batch, height, width, channels]`, or one without a batch.

    Args:
        height: New height.
        width: New width.
        interpolation: Method of `tf.image.resize`. Default "bilinear".
        crop_to_aspect_ratio: Whether images are cropped rather than distorted. Default False.
        **kwargs: See `Layer`.

    >>> import eagercore as tf
    >>> Resizing(2, 3)(tf.ones([1, 4, 4, 1])).shape
    TensorShape([1, 2, 3, 1])
    """

    def __init__(
        self,
        height: int,
        width: int,
        interpolation: str = "bilinear",
        crop_to_aspect_ratio: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(height, width, **kwargs)
        self.interpolation, self.crop_to_aspect_ratio = str(interpolation).lower(), bool(crop_to_aspect_ratio)

    def call(self, inputs: Any) -> Any:
        """The result for `inputs`."""
        if self.crop_to_aspect_ratio:
            from ...preprocessing.image import smart_resize

            made = smart_resize(inputs, (self.height, self.width), self.interpolation)
        else:
            made = resize(inputs, (self.height, self.width), self.interpolation)
        return made if made.dtype.name == self.dtype else cast(made, self.dtype)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {
            **super().get_config(),
            "interpolation": self.interpolation,
            "crop_to_aspect_ratio": self.crop_to_aspect_ratio,
        }


class CenterCrop(_Sized):
    """The middle of images; those that are smaller are made larger first.

    Args:
        height: Height of the part.
        width: Width of the part.
        **kwargs: See `Layer`.

    >>> import eagercore as tf
    >>> CenterCrop(2, 2)(tf.ones([1, 4, 4, 1])).shape
    TensorShape([1, 2, 2, 1])
    """

    def call(self, inputs: Any) -> Any:
        """The result for `inputs`."""
        if not inputs.dtype.is_floating:
            inputs = cast(inputs, self.dtype)
        rows, columns = inputs.shape[-3], inputs.shape[-2]
        if rows < self.height or columns < self.width:
            from ...preprocessing.image import smart_resize

            return cast(smart_resize(inputs, (self.height, self.width)), self.dtype)
        top, left = (rows - self.height) // 2, (columns - self.width) // 2
        return inputs[..., top : top + self.height, left : left + self.width, :]


for _cls in (Rescaling, Resizing, CenterCrop):
    _cls.__module__ = "eagercore.keras.layers"
