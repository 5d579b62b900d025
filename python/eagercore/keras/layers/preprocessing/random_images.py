"""Images changed at random while training: flipped, moved, turned, zoomed, cropped, lighter or darker."""

from __future__ import annotations

import math
from typing import Any

from ....base import dtypes
from ....base.shapes import as_shape
from ....core.coerce import as_int
from ....ops import random
from ....ops.arithmetic import add, maximum, minimum, multiply, subtract
from ....ops.create import cast, shape_of, zeros_like
from ....ops.image_transform import FILL_MODES, projective_transform
from ....ops.rearrange import reverse
from ....ops.reduce import reduce_mean
from ....ops.resize import resize
from ....ops.select import where
from ....ops.shape import expand_dims, reshape, squeeze, stack
from ....ops.trigonometric import cos, sin
from ..base import Layer
from .rescaling import CenterCrop


class RandomImages(Layer):
    """Base of the layers that change images at random: write `_change(images)` for a batch.

    Args:
        seed: Seed, or None to follow the global one.
        **kwargs: See `Layer`.
    """

    def __init__(self, seed: int | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.seed = seed

    def call(self, inputs: Any, training: Any = True) -> Any:
        """The result for `inputs`; with `training=False` the input."""
        if not inputs.dtype.is_floating:
            inputs = cast(inputs, self.dtype)
        if not training:
            return self._unchanged(inputs)
        single = inputs.shape.rank == 3
        made = self._change(expand_dims(inputs, axis=0) if single else inputs)
        return squeeze(made, axis=0) if single else made

    def _unchanged(self, images: Any) -> Any:
        return images

    def _change(self, images: Any) -> Any:
        raise NotImplementedError

    def _drawn(self, images: Any, low: float, high: float, count: Any = None) -> Any:
        """Random numbers, one for each image."""
        shape = (shape_of(images)[0],) if count is None else count
        return random.uniform(shape, low, high, dtype=images.dtype, seed=self.seed)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The input's shape."""
        return input_shape

    def _output_dtype(self, input_dtype: Any) -> Any:
        return input_dtype if input_dtype.is_floating else dtypes.as_dtype(self.dtype)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "seed": self.seed}


def limits(factor: Any, name: str, signed: bool = True) -> tuple[float, float]:
    """Lower and upper end of a range: a pair, or a number for both sides.

    Raises:
        ValueError: If it is no range.
    """
    pair = tuple(factor) if isinstance(factor, list | tuple) else (-factor if signed else factor, factor)
    if len(pair) != 2 or pair[0] > pair[1]:
        raise ValueError(
            f"`{name}` must be a number, or a pair whose first is not larger than the second. Received: {factor}"
        )
    return float(pair[0]), float(pair[1])


def plain(factor: Any) -> Any:
    """A range as it stands in configurations."""
    return list(factor) if isinstance(factor, tuple) else factor


class RandomFlip(RandomImages):
    """Mirrors images, or turns them upside down, each at random.

    Args:
        mode: "horizontal", "vertical" or "horizontal_and_vertical" (default).
        seed: Seed, or None to follow the global one.
        **kwargs: See `Layer`.

    Raises:
        ValueError: If the mode has no meaning.

    >>> import eagercore as tf
    >>> RandomFlip()(tf.ones([1, 2, 2, 1]), training=False).shape
    TensorShape([1, 2, 2, 1])
    """

    def __init__(self, mode: str = "horizontal_and_vertical", seed: int | None = None, **kwargs: Any) -> None:
        super().__init__(seed, **kwargs)
        if mode not in ("horizontal", "vertical", "horizontal_and_vertical"):
            raise ValueError(
                f"RandomFlip layer {self.name} received an unknown mode argument {mode}: it can be 'horizontal', "
                "'vertical' "
                "or 'horizontal_and_vertical'."
            )
        self.mode = mode

    def _change(self, images: Any) -> Any:
        for name, axis in (("horizontal", 2), ("vertical", 1)):
            if name in self.mode:
                chosen = reshape(self._drawn(images, 0.0, 1.0) < 0.5, (-1, 1, 1, 1))
                images = where(chosen, reverse(images, axis=(axis,)), images)
        return images

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "mode": self.mode}


class _Transformed(RandomImages):
    """Base of the layers that look at images through a map: write `_maps(images)`."""

    def __init__(
        self, fill_mode: str, interpolation: str, seed: int | None, fill_value: float, **kwargs: Any
    ) -> None:
        super().__init__(seed, **kwargs)
        if fill_mode not in FILL_MODES[:4]:
            raise ValueError(f"Unknown `fill_mode` {fill_mode}: it can be one of {FILL_MODES[:4]}.")
        if interpolation not in ("nearest", "bilinear"):
            raise ValueError(f"Unknown `interpolation` {interpolation}: it can be 'nearest' or 'bilinear'.")
        self.fill_mode, self.interpolation, self.fill_value = fill_mode, interpolation, float(fill_value)

    def _maps(self, images: Any) -> list[Any]:
        """The eight numbers of the map of each image; None stands for zeros."""
        raise NotImplementedError

    def _change(self, images: Any) -> Any:
        parts = self._maps(images)
        known = next(p for p in parts if p is not None and not isinstance(p, float))
        nothing = zeros_like(known)
        rows = [nothing if p is None else add(nothing, p) if isinstance(p, float) else p for p in parts]
        return projective_transform(
            images, stack(rows, axis=1), output_size=tuple(images.shape[1:3]), interpolation=self.interpolation,
            fill_mode=self.fill_mode, fill_value=self.fill_value,
        )  # fmt: skip

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {
            **super().get_config(), "fill_mode": self.fill_mode, "fill_value": self.fill_value,
            "interpolation": self.interpolation,
        }  # fmt: skip


class RandomTranslation(_Transformed):
    """Moves images by random parts of their height and width.

    Args:
        height_factor: Largest part of the height, or a pair of parts; positive is down.
        width_factor: Largest part of the width, or a pair of parts; positive is to the right.
        fill_mode: What lies outside: "reflect" (default), "constant", "wrap" or "nearest".
        interpolation: "bilinear" (default) or "nearest".
        seed: Seed, or None to follow the global one.
        fill_value: The constant outside. Default 0.
        **kwargs: See `Layer`.

    Raises:
        ValueError: If an argument has no meaning.

    >>> import eagercore as tf
    >>> RandomTranslation(0.1, 0.1)(tf.ones([1, 4, 4, 1]), training=False).shape
    TensorShape([1, 4, 4, 1])
    """

    def __init__(
        self,
        height_factor: Any,
        width_factor: Any,
        fill_mode: str = "reflect",
        interpolation: str = "bilinear",
        seed: int | None = None,
        fill_value: float = 0.0,
        **kwargs: Any,
    ) -> None:
        super().__init__(fill_mode, interpolation, seed, fill_value, **kwargs)
        self.height_factor, self.width_factor = height_factor, width_factor
        self._height, self._width = limits(height_factor, "height_factor"), limits(width_factor, "width_factor")

    def _maps(self, images: Any) -> list[Any]:
        height, width = images.shape[1], images.shape[2]
        down = multiply(self._drawn(images, *self._height), float(height))
        right = multiply(self._drawn(images, *self._width), float(width))
        return [1.0, None, multiply(right, -1.0), None, 1.0, multiply(down, -1.0), None, None]

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {
            **super().get_config(),
            "height_factor": plain(self.height_factor),
            "width_factor": plain(self.width_factor),
        }


class RandomRotation(_Transformed):
    """Turns images by random angles.

    Args:
        factor: Largest angle as a part of a whole turn, or a pair of parts; positive is against the clock.
        fill_mode: What lies outside: "reflect" (default), "constant", "wrap" or "nearest".
        interpolation: "bilinear" (default) or "nearest".
        seed: Seed, or None to follow the global one.
        fill_value: The constant outside. Default 0.
        **kwargs: See `Layer`.

    Raises:
        ValueError: If an argument has no meaning.

    >>> import eagercore as tf
    >>> RandomRotation(0.1)(tf.ones([1, 4, 4, 1]), training=False).shape
    TensorShape([1, 4, 4, 1])
    """

    def __init__(
        self,
        factor: Any,
        fill_mode: str = "reflect",
        interpolation: str = "bilinear",
        seed: int | None = None,
        fill_value: float = 0.0,
        **kwargs: Any,
    ) -> None:
        super().__init__(fill_mode, interpolation, seed, fill_value, **kwargs)
        self.factor = factor
        self._range = limits(factor, "factor")

    def _maps(self, images: Any) -> list[Any]:
        height, width = float(images.shape[1] - 1), float(images.shape[2] - 1)
        angle = multiply(self._drawn(images, *self._range), 2 * math.pi)
        c, s = cos(angle), sin(angle)
        across = multiply(add(subtract(width, multiply(c, width)), multiply(s, height)), 0.5)
        down = multiply(subtract(subtract(height, multiply(s, width)), multiply(c, height)), 0.5)
        return [c, multiply(s, -1.0), across, s, c, down, None, None]

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "factor": plain(self.factor)}


class RandomZoom(_Transformed):
    """Zooms images at random.

    Args:
        height_factor: Largest part by which heights change, or a pair of parts; positive shows more, smaller.
        width_factor: The same for widths; None keeps the ratio.
        fill_mode: What lies outside: "reflect" (default), "constant", "wrap" or "nearest".
        interpolation: "bilinear" (default) or "nearest".
        seed: Seed, or None to follow the global one.
        fill_value: The constant outside. Default 0.
        **kwargs: See `Layer`.

    Raises:
        ValueError: If an argument has no meaning.

    >>> import eagercore as tf
    >>> RandomZoom(0.1)(tf.ones([1, 4, 4, 1]), training=False).shape
    TensorShape([1, 4, 4, 1])
    """

    def __init__(
        self,
        height_factor: Any,
        width_factor: Any = None,
        fill_mode: str = "reflect",
        interpolation: str = "bilinear",
        seed: int | None = None,
        fill_value: float = 0.0,
        **kwargs: Any,
    ) -> None:
        super().__init__(fill_mode, interpolation, seed, fill_value, **kwargs)
        self.height_factor, self.width_factor = height_factor, width_factor
        self._height = limits(height_factor, "height_factor")
        self._width = None if width_factor is None else limits(width_factor, "width_factor")

    def _maps(self, images: Any) -> list[Any]:
        height, width = images.shape[1] - 1, images.shape[2] - 1
        zy = add(self._drawn(images, *self._height), 1.0)
        zx = zy if self._width is None else add(self._drawn(images, *self._width), 1.0)
        across, down = (multiply(subtract(1.0, z), n / 2) for z, n in ((zx, width), (zy, height)))
        return [zx, None, across, None, zy, down, None, None]

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {
            **super().get_config(),
            "height_factor": plain(self.height_factor),
            "width_factor": plain(self.width_factor),
        }


class RandomCrop(RandomImages):
    """A random part of the images; without training the middle.

    Args:
        height: Height of the part.
        width: Width of the part.
        seed: Seed, or None to follow the global one.
        **kwargs: See `Layer`.

    >>> import eagercore as tf
    >>> RandomCrop(2, 2)(tf.ones([1, 4, 4, 1]), training=True).shape
    TensorShape([1, 2, 2, 1])
    """

    def __init__(self, height: int, width: int, seed: int | None = None, **kwargs: Any) -> None:
        super().__init__(seed, **kwargs)
        self.height = int(as_int(height, "RandomCrop", "height"))
        self.width = int(as_int(width, "RandomCrop", "width"))
        self._middle = CenterCrop(self.height, self.width, name=f"{self.name}_middle")

    def _unchanged(self, images: Any) -> Any:
        return self._middle(images)

    def _change(self, images: Any) -> Any:
        rows, columns = images.shape[1] - self.height, images.shape[2] - self.width
        if rows < 0 or columns < 0:
            return self._middle(images)
        drawn = random.uniform((2,), 0.0, 1.0, dtype=dtypes.float32, seed=self.seed)
        top = cast(multiply(drawn[0], float(rows + 1)), dtypes.int32)
        left = cast(multiply(drawn[1], float(columns + 1)), dtypes.int32)
        from ....ops.slicing import slice_

        sizes = shape_of(images)
        return slice_(images, stack([0, top, left, 0]), (sizes[0], self.height, self.width, sizes[3]))

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for an input of this shape."""
        shape = list(as_shape(input_shape))
        shape[-3:-1] = [self.height, self.width]
        return as_shape(shape)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "height": self.height, "width": self.width}


class _Stretched(RandomImages):
    """Base of the layers that change one extent of a batch at random."""

    _axis = 1

    def __init__(self, factor: Any, interpolation: str = "bilinear", seed: int | None = None, **kwargs: Any) -> None:
        super().__init__(seed, **kwargs)
        self.factor, self.interpolation = factor, str(interpolation).lower()
        self._range = limits(factor, "factor")
        if self._range[0] <= -1:
            raise ValueError(f"`factor` cannot have -1.0 or less as its lower end. Received: {factor}")

    def _change(self, images: Any) -> Any:
        drawn = float(random.uniform((), 1 + self._range[0], 1 + self._range[1], seed=self.seed))
        size = [images.shape[1], images.shape[2]]
        size[self._axis - 1] = max(1, int(size[self._axis - 1] * drawn))
        made = resize(images, size, self.interpolation)
        return made if made.dtype is images.dtype else cast(made, images.dtype)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for an input of this shape: the extent that changes is not known."""
        shape = list(as_shape(input_shape))
        shape[len(shape) - 4 + self._axis] = None
        return as_shape(shape)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "factor": plain(self.factor), "interpolation": self.interpolation}


class RandomHeight(_Stretched):
    """Batches of images made higher or lower at random.

    Args:
        factor: Largest part by which the height changes, or a pair of parts.
        interpolation: Method of `tf.image.resize`. Default "bilinear".
        seed: Seed, or None to follow the global one.
        **kwargs: See `Layer`.

    Raises:
        ValueError: If `factor` is no range.

    >>> import eagercore as tf
    >>> RandomHeight((0.5, 0.5))(tf.ones([1, 4, 4, 1]), training=True).shape
    TensorShape([1, 6, 4, 1])
    """

    _axis = 1


class RandomWidth(_Stretched):
    """Batches of images made wider or narrower at random.

    Args:
        factor: Largest part by which the width changes, or a pair of parts.
        interpolation: Method of `tf.image.resize`. Default "bilinear".
        seed: Seed, or None to follow the global one.
        **kwargs: See `Layer`.

    Raises:
        ValueError: If `factor` is no range.

    >>> import eagercore as tf
    >>> RandomWidth((0.5, 0.5))(tf.ones([1, 4, 4, 1]), training=True).shape
    TensorShape([1, 4, 6, 1])
    """

    _axis = 2


class RandomContrast(RandomImages):
    """More or less contrast at random: values move from, or to, the mean of each channel.

    Args:
        factor: Largest part by which the contrast changes, or a pair (less, more).
        seed: Seed, or None to follow the global one.
        **kwargs: See `Layer`.

    Results are kept within 0 to 255.

    Raises:
        ValueError: If `factor` is no range.

    >>> import eagercore as tf
    >>> RandomContrast(0.5)(tf.ones([1, 2, 2, 1]), training=True).numpy().ravel()
    array([1., 1., 1., 1.], dtype=float32)
    """

    def __init__(self, factor: Any, seed: int | None = None, **kwargs: Any) -> None:
        super().__init__(seed, **kwargs)
        self.factor = factor
        lower, upper = factor if isinstance(factor, list | tuple) else (factor, factor)
        if lower < 0 or upper < 0 or lower > 1:
            raise ValueError(
                f"`factor` cannot have negative values or a lower part greater than 1.0. Received: factor={factor}"
            )
        self._range = (1.0 - float(lower), 1.0 + float(upper))

    def _change(self, images: Any) -> Any:
        drawn = self._drawn(images, *self._range, count=())
        mean = reduce_mean(images, axis=(1, 2), keepdims=True)
        return minimum(maximum(add(multiply(subtract(images, mean), drawn), mean), 0.0), 255.0)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "factor": plain(self.factor)}


class RandomBrightness(RandomImages):
    """Images lighter or darker at random.

    Args:
        factor: Largest part of the range of values that is added or taken, or a pair of parts in [-1, 1].
        value_range: Range of the values. Default (0, 255).
        seed: Seed, or None to follow the global one.
        **kwargs: See `Layer`.

    Raises:
        ValueError: If an argument is no range.

    >>> import eagercore as tf
    >>> RandomBrightness((1.0, 1.0))(tf.ones([1, 1, 1, 1]), training=True).numpy().ravel()
    array([255.], dtype=float32)
    """

    def __init__(self, factor: Any, value_range: Any = (0, 255), seed: int | None = None, **kwargs: Any) -> None:
        super().__init__(seed, **kwargs)
        self.factor, self.value_range = factor, [float(v) for v in value_range]
        self._range = limits(factor, "factor")
        if self._range[0] < -1 or self._range[1] > 1:
            raise ValueError(
                f"The `factor` argument should be a number (or a pair of them) in [-1, 1]. Received: {factor}"
            )
        if len(self.value_range) != 2 or self.value_range[0] >= self.value_range[1]:
            raise ValueError(f"`value_range` should be a pair (low, high). Received: {value_range}")

    def _change(self, images: Any) -> Any:
        low, high = self.value_range
        added = multiply(reshape(self._drawn(images, *self._range), (-1, 1, 1, 1)), high - low)
        return minimum(maximum(add(images, added), low), high)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "factor": plain(self.factor), "value_range": self.value_range}


for _cls in (
    RandomFlip, RandomTranslation, RandomRotation, RandomZoom, RandomCrop, RandomHeight, RandomWidth, RandomContrast,
    RandomBrightness,
):  # fmt: skip
    _cls.__module__ = "eagercore.keras.layers"
