"""ImageDataGenerator: images changed at random, batch by batch."""

from __future__ import annotations

import math
import random
from typing import Any

from ...core.host import array, stacked
from ..settings import checked_data_format, settings
from .image import array_to_img, img_to_array


def _product(one: list[list[float]], two: list[list[float]]) -> list[list[float]]:
    return [
        [sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*two, strict=True)]
        for row in one
    ]


def apply_affine_transform(
    x: Any,
    theta: float = 0,
    tx: float = 0,
    ty: float = 0,
    shear: float = 0,
    zx: float = 1,
    zy: float = 1,
    row_axis: int = 1,
    col_axis: int = 2,
    channel_axis: int = 0,
    fill_mode: str = "nearest",
    cval: float = 0.0,
    order: int = 1,
) -> Any:
    """An image turned, moved, sheared and zoomed around its middle.

    Args:
        x: Array of three dimensions.
        theta: Angle of the turn in degrees.
        tx: Shift across.
        ty: Shift down.
        shear: Angle of the shear in degrees.
        zx: Zoom across; below 1 the image grows.
        zy: Zoom down.
        row_axis: Axis of the rows.
        col_axis: Axis of the columns.
        channel_axis: Axis of the channels.
        fill_mode: What lies outside: "nearest", "constant", "reflect" or "wrap".
        cval: The constant outside.
        order: 0 for the nearest pixel, 1 for linear interpolation.

    Returns:
        Array in the shape of `x`.

    Raises:
        ValueError: If an argument has no meaning.
    """
    from ...ops.create import constant
    from ...ops.image_transform import projective_transform

    if order not in (0, 1):
        raise ValueError(f"`order` can be 0 or 1, got {order}.")
    mode = {"constant": "border", "wrap": "period"}.get(fill_mode, fill_mode)
    if mode not in ("nearest", "border", "reflect", "period"):
        raise ValueError(
            f"Invalid `fill_mode` {fill_mode!r}: it can be 'nearest', 'constant', 'reflect' or 'wrap'."
        )
    if (theta, tx, ty, shear, zx, zy) == (0, 0, 0, 0, 1, 1):
        return x
    angle, slant = math.radians(theta), math.radians(shear)
    matrix = [
        [math.cos(angle), -math.sin(angle), 0],
        [math.sin(angle), math.cos(angle), 0],
        [0, 0, 1],
    ]
    matrix = _product(matrix, [[1, 0, tx], [0, 1, ty], [0, 0, 1]])
    matrix = _product(matrix, [[1, -math.sin(slant), 0], [0, math.cos(slant), 0], [0, 0, 1]])
    matrix = _product(matrix, [[zx, 0, 0], [0, zy, 0], [0, 0, 1]])
    values = array(x)
    axes = (row_axis, col_axis, channel_axis)
    moved = values.transpose(axes)
    # As in Keras the middle of images that are not square is taken with height and width exchanged.
    across, down = moved.shape[0] / 2 - 0.5, moved.shape[1] / 2 - 0.5
    matrix = _product([[1, 0, across], [0, 1, down], [0, 0, 1]], matrix)
    matrix = _product(matrix, [[1, 0, -across], [0, 1, -down], [0, 0, 1]])
    (a, b, c), (d, e, f), _ = matrix
    images = constant(moved[None] if values.dtype.kind == "f" else moved[None].astype("float32"))
    made = projective_transform(
        images, constant([[a, b, c, d, e, f, 0.0, 0.0]], "float64"), output_size=moved.shape[:2],
        interpolation="bilinear" if order else "nearest", fill_mode=mode, fill_value=cval,
    )  # fmt: skip
    back = tuple(axes.index(i) for i in range(3))
    return made.numpy()[0].transpose(back).astype(values.dtype)


def apply_channel_shift(x: Any, intensity: float, channel_axis: int = 0) -> Any:
    """The image with a number added to its channels, kept within the range of its values.

    Args:
        x: Array of three dimensions.
        intensity: The number.
        channel_axis: Axis of the channels.

    Returns:
        Array in the shape of `x`.
    """
    values = array(x)
    return (values + intensity).clip(values.min(), values.max()).astype(values.dtype)


def apply_brightness_shift(x: Any, brightness: float, scale: bool = True) -> Any:
    """The image made lighter or darker (needs Pillow).

    Args:
        x: Array [height, width, channels].
        brightness: Factor: 1 leaves it.
        scale: Whether values are stretched to 0 to 255 before, and back after. Default True.

    Returns:
        Array in the shape of `x`.
    """
    from PIL import ImageEnhance

    values = array(x)
    low, high = values.min(), values.max()
    local = not (low >= 0 and high <= 255) if scale is None else scale
    picture = ImageEnhance.Brightness(array_to_img(values, "channels_last", scale=local)).enhance(
        brightness
    )
    made = img_to_array(picture, "channels_last")
    return made / 255 * (high - low) + low if local else made


def random_rotation(
    x: Any, rg: float, row_axis: int = 1, col_axis: int = 2, channel_axis: int = 0, fill_mode: str = "nearest",
    cval: float = 0.0, interpolation_order: int = 1,
) -> Any:  # fmt: skip
    """The image turned by a random angle within `rg` degrees; other arguments as in `apply_affine_transform`."""
    return apply_affine_transform(
        x, random.uniform(-rg, rg), row_axis=row_axis, col_axis=col_axis, channel_axis=channel_axis,
        fill_mode=fill_mode,
        cval=cval, order=interpolation_order,
    )  # fmt: skip


def random_shift(
    x: Any, wrg: float, hrg: float, row_axis: int = 1, col_axis: int = 2, channel_axis: int = 0,
    fill_mode: str = "nearest", cval: float = 0.0, interpolation_order: int = 1,
) -> Any:  # fmt: skip
    """The image moved by random parts, within `wrg`, of its width and, within `hrg`, of its height."""
    shape = array(x).shape
    tx, ty = (
        random.uniform(-wrg, wrg) * shape[col_axis],
        random.uniform(-hrg, hrg) * shape[row_axis],
    )
    return apply_affine_transform(
        x, tx=tx, ty=ty, row_axis=row_axis, col_axis=col_axis, channel_axis=channel_axis,
        fill_mode=fill_mode, cval=cval,
        order=interpolation_order,
    )  # fmt: skip


def random_shear(
    x: Any, intensity: float, row_axis: int = 1, col_axis: int = 2, channel_axis: int = 0, fill_mode: str = "nearest",
    cval: float = 0.0, interpolation_order: int = 1,
) -> Any:  # fmt: skip
    """The image sheared by a random angle within `intensity` degrees."""
    return apply_affine_transform(
        x, shear=random.uniform(-intensity, intensity), row_axis=row_axis, col_axis=col_axis, channel_axis=channel_axis,
        fill_mode=fill_mode, cval=cval, order=interpolation_order,
    )  # fmt: skip


def random_zoom(
    x: Any, zoom_range: Any, row_axis: int = 1, col_axis: int = 2, channel_axis: int = 0, fill_mode: str = "nearest",
    cval: float = 0.0, interpolation_order: int = 1,
) -> Any:  # fmt: skip
    """The image zoomed by random factors within `zoom_range`, a pair of numbers.

    Raises:
        ValueError: If `zoom_range` is no pair.
    """
    if len(zoom_range) != 2:
        raise ValueError(
            f"`zoom_range` should be a tuple or list of two floats. Received: {zoom_range}"
        )
    zx, zy = (
        (random.uniform(*zoom_range), random.uniform(*zoom_range))
        if tuple(zoom_range) != (1, 1)
        else (1, 1)
    )
    return apply_affine_transform(
        x, zx=zx, zy=zy, row_axis=row_axis, col_axis=col_axis, channel_axis=channel_axis,
        fill_mode=fill_mode, cval=cval,
        order=interpolation_order,
    )  # fmt: skip


def random_channel_shift(x: Any, intensity_range: float, channel_axis: int = 0) -> Any:
    """The image with a random number within `intensity_range` added to its channels."""
    return apply_channel_shift(x, random.uniform(-intensity_range, intensity_range), channel_axis)


def random_brightness(x: Any, brightness_range: Any, scale: bool = True) -> Any:
    """The image made lighter or darker by a random factor within `brightness_range`, a pair of numbers.

    Raises:
        ValueError: If `brightness_range` is no pair.
    """
    if len(brightness_range) != 2:
        raise ValueError(
            f"`brightness_range should be tuple or list of two floats. Received: {brightness_range}"
        )
    return apply_brightness_shift(x, random.uniform(*brightness_range), scale)


class ImageDataGenerator:
    """Gives batches of images that are normalized, and changed at random.

    Args:
        featurewise_center: Whether the mean of the data is taken off (see `fit`). Default False.
        samplewise_center: Whether each image's own mean is taken off. Default False.
        featurewise_std_normalization: Whether it is divided by the standard deviation of the data. Default False.
        samplewise_std_normalization: Whether each image is divided by its own standard deviation. Default False.
        zca_whitening: Whether the data is whitened. Default False.
        zca_epsilon: Added to the variances when whitening. Default 1e-6.
        rotation_range: Largest angle of random turns in degrees. Default 0.
        width_shift_range: Largest random shift: a part of the width, or pixels from 1 on, or a list to choose from.
        height_shift_range: The same for the height.
        brightness_range: Pair of factors of the brightness, or None.
        shear_range: Largest angle of random shears in degrees. Default 0.
        zoom_range: Pair of factors, or a number z for [1 - z, 1 + z]. Default 0.
        channel_shift_range: Largest number that is added to the channels. Default 0.
        fill_mode: What lies outside: "nearest" (default), "constant", "reflect" or "wrap".
        cval: The constant outside. Default 0.
        horizontal_flip: Whether images are mirrored at random. Default False.
        vertical_flip: Whether images are turned upside down at random. Default False.
        rescale: Factor that is applied last, or None.
        preprocessing_function: Function of one image, applied after the changes, or None.
        data_format: "channels_last" (default) or "channels_first".
        validation_split: Part that is set aside for `subset="validation"`. Default 0.
        interpolation_order: 0 for the nearest pixel, 1 for linear interpolation. Default 1.
        dtype: Type of the images. Default the default float type.

    Raises:
        ValueError: If an argument has no meaning.

    >>> generator = ImageDataGenerator(rescale=0.5)
    >>> batch = next(generator.flow([[[[2.0]]]], batch_size=1))
    >>> batch.tolist()
    [[[[1.0]]]]
    """

    def __init__(
        self,
        featurewise_center: bool = False,
        samplewise_center: bool = False,
        featurewise_std_normalization: bool = False,
        samplewise_std_normalization: bool = False,
        zca_whitening: bool = False,
        zca_epsilon: float = 1e-6,
        rotation_range: float = 0,
        width_shift_range: Any = 0.0,
        height_shift_range: Any = 0.0,
        brightness_range: Any = None,
        shear_range: float = 0.0,
        zoom_range: Any = 0.0,
        channel_shift_range: float = 0.0,
        fill_mode: str = "nearest",
        cval: float = 0.0,
        horizontal_flip: bool = False,
        vertical_flip: bool = False,
        rescale: float | None = None,
        preprocessing_function: Any = None,
        data_format: str | None = None,
        validation_split: float = 0.0,
        interpolation_order: int = 1,
        dtype: Any = None,
    ) -> None:
        self.featurewise_center = (
            featurewise_center or featurewise_std_normalization or zca_whitening
        )
        self.samplewise_center = samplewise_center or samplewise_std_normalization
        self.featurewise_std_normalization = featurewise_std_normalization
        self.samplewise_std_normalization = samplewise_std_normalization
        self.zca_whitening, self.zca_epsilon = zca_whitening, zca_epsilon
        self.rotation_range, self.shear_range = rotation_range, shear_range
        self.width_shift_range, self.height_shift_range = width_shift_range, height_shift_range
        self.channel_shift_range = channel_shift_range
        self.fill_mode, self.cval = fill_mode, cval
        self.horizontal_flip, self.vertical_flip = horizontal_flip, vertical_flip
        self.rescale, self.preprocessing_function = rescale, preprocessing_function
        self.interpolation_order = int(interpolation_order)
        self.dtype = settings.floatx if dtype is None else dtype
        self.data_format = checked_data_format(data_format)
        if self.data_format == "channels_first":
            self.channel_axis, self.row_axis, self.col_axis = 1, 2, 3
        else:
            self.channel_axis, self.row_axis, self.col_axis = 3, 1, 2
        if validation_split and not 0 < validation_split < 1:
            raise ValueError(
                f"`validation_split` must be strictly between 0 and 1. Received: {validation_split}"
            )
        self._validation_split = validation_split
        self.mean = self.std = self.zca_whitening_matrix = None
        if isinstance(zoom_range, int | float):
            self.zoom_range = [1 - zoom_range, 1 + zoom_range]
        elif len(zoom_range) == 2:
            self.zoom_range = [zoom_range[0], zoom_range[1]]
        else:
            raise ValueError(
                f"`zoom_range` should be a float or a tuple or list of two floats. Received: {zoom_range}"
            )
        if brightness_range is not None and len(brightness_range) != 2:
            raise ValueError(
                f"`brightness_range should be tuple or list of two floats. Received: {brightness_range}"
            )
        self.brightness_range = brightness_range

    def flow(
        self,
        x: Any,
        y: Any = None,
        batch_size: int = 32,
        shuffle: bool = True,
        sample_weight: Any = None,
        seed: int | None = None,
        save_to_dir: Any = None,
        save_prefix: str = "",
        save_format: str = "png",
        ignore_class_split: bool = False,
        subset: str | None = None,
    ) -> Any:
        """Batches of arrays of images.

        Args:
            x: Images [count, height, width, channels]; or a tuple of them and other arrays.
            y: Labels, or None.
            batch_size: Number of images in a batch. Default 32.
            shuffle: Whether they come in random order. Default True.
            sample_weight: Weights, or None.
            seed: Seed of what is random.
            save_to_dir: Folder in which the changed images are written, or None.
            save_prefix: Beginning of their names.
            save_format: Their format. Default "png".
            ignore_class_split: Accepted for Keras's sake.
            subset: "training" or "validation" where a part is set aside.

        Returns:
            An iterator without end, which is a `Sequence` too.
        """
        from .image_iterators import NumpyArrayIterator

        return NumpyArrayIterator(
            x, y, self, batch_size=batch_size, shuffle=shuffle, sample_weight=sample_weight, seed=seed,
            data_format=self.data_format, save_to_dir=save_to_dir, save_prefix=save_prefix, save_format=save_format,
            subset=subset, dtype=self.dtype,
        )  # fmt: skip

    def flow_from_directory(
        self,
        directory: Any,
        target_size: Any = (256, 256),
        color_mode: str = "rgb",
        classes: Any = None,
        class_mode: str | None = "categorical",
        batch_size: int = 32,
        shuffle: bool = True,
        seed: int | None = None,
        save_to_dir: Any = None,
        save_prefix: str = "",
        save_format: str = "png",
        follow_links: bool = False,
        subset: str | None = None,
        interpolation: str = "nearest",
        keep_aspect_ratio: bool = False,
    ) -> Any:
        """Batches of images from the folders of a folder, one for each class.

        Args:
            directory: The folder.
            target_size: Height and width. Default (256, 256).
            color_mode: "rgb" (default), "rgba" or "grayscale".
            classes: Names of the folders, or None for all in order.
            class_mode: "categorical" (default), "binary", "sparse", "input", or None for no labels.
            batch_size: Number of images in a batch. Default 32.
            shuffle: Whether they come in random order. Default True.
            seed: Seed of what is random.
            save_to_dir: Folder in which the changed images are written, or None.
            save_prefix: Beginning of their names.
            save_format: Their format. Default "png".
            follow_links: Whether links to folders are followed. Default False.
            subset: "training" or "validation" where a part is set aside.
            interpolation: How images are resized. Default "nearest".
            keep_aspect_ratio: Whether they are cropped rather than distorted. Default False.

        Returns:
            An iterator without end, which is a `Sequence` too.
        """
        from .image_iterators import DirectoryIterator

        return DirectoryIterator(
            directory, self, target_size=target_size, color_mode=color_mode, classes=classes, class_mode=class_mode,
            data_format=self.data_format, batch_size=batch_size, shuffle=shuffle, seed=seed, save_to_dir=save_to_dir,
            save_prefix=save_prefix, save_format=save_format, follow_links=follow_links, subset=subset,
            interpolation=interpolation, keep_aspect_ratio=keep_aspect_ratio, dtype=self.dtype,
        )  # fmt: skip

    def flow_from_dataframe(
        self,
        dataframe: Any,
        directory: Any = None,
        x_col: str = "filename",
        y_col: Any = "class",
        weight_col: str | None = None,
        target_size: Any = (256, 256),
        color_mode: str = "rgb",
        classes: Any = None,
        class_mode: str | None = "categorical",
        batch_size: int = 32,
        shuffle: bool = True,
        seed: int | None = None,
        save_to_dir: Any = None,
        save_prefix: str = "",
        save_format: str = "png",
        subset: str | None = None,
        interpolation: str = "nearest",
        validate_filenames: bool = True,
        **kwargs: Any,
    ) -> Any:
        """Batches of images whose files and labels stand in a table.

        Args:
            dataframe: A table: a data frame, or a dictionary of columns.
            directory: Folder of the files, or None when they are whole paths.
            x_col: Column of the files' names. Default "filename".
            y_col: Column (or columns) of the labels. Default "class".
            weight_col: Column of the weights, or None.
            target_size: Height and width. Default (256, 256).
            color_mode: "rgb" (default), "rgba" or "grayscale".
            classes: The classes in order, or None for those found.
            class_mode: "categorical" (default), "binary", "sparse", "raw", "multi_output", "input", or None.
            batch_size: Number of images in a batch. Default 32.
            shuffle: Whether they come in random order. Default True.
            seed: Seed of what is random.
            save_to_dir: Folder in which the changed images are written, or None.
            save_prefix: Beginning of their names.
            save_format: Their format. Default "png".
            subset: "training" or "validation" where a part is set aside.
            interpolation: How images are resized. Default "nearest".
            validate_filenames: Whether rows whose file is missing are left out. Default True.
            **kwargs: `keep_aspect_ratio`.

        Returns:
            An iterator without end, which is a `Sequence` too.
        """
        from .image_iterators import DataFrameIterator

        return DataFrameIterator(
            dataframe, directory, self, x_col=x_col, y_col=y_col, weight_col=weight_col, target_size=target_size,
            color_mode=color_mode, classes=classes, class_mode=class_mode, data_format=self.data_format,
            batch_size=batch_size, shuffle=shuffle, seed=seed, save_to_dir=save_to_dir, save_prefix=save_prefix,
            save_format=save_format, subset=subset, interpolation=interpolation, validate_filenames=validate_filenames,
            dtype=self.dtype, **kwargs,
        )  # fmt: skip

    def standardize(self, x: Any) -> Any:
        """An image (or a batch) normalized as the generator was told to.

        Args:
            x: Array.

        Returns:
            Array in the shape of `x`.
        """
        if self.preprocessing_function is not None:
            x = self.preprocessing_function(x)
        if self.rescale:
            x = x * self.rescale
        if self.samplewise_center:
            x = x - x.mean(keepdims=True)
        if self.samplewise_std_normalization:
            x = x / (x.std(keepdims=True) + 1e-6)
        if self.featurewise_center:
            if self.mean is None:
                self._warn("featurewise_center")
            else:
                x = x - self.mean
        if self.featurewise_std_normalization:
            if self.std is None:
                self._warn("featurewise_std_normalization")
            else:
                x = x / (self.std + 1e-6)
        if self.zca_whitening:
            if self.zca_whitening_matrix is None:
                self._warn("zca_whitening")
            else:
                x = (x.reshape(1, -1) @ self.zca_whitening_matrix).reshape(x.shape)
        return x

    def _warn(self, name: str) -> None:
        import warnings

        warnings.warn(
            f"This ImageDataGenerator specifies `{name}`, but it hasn't been fit on any training data. Fit it first by "
            "calling `.fit(numpy_data)`.",
            stacklevel=3,
        )

    def get_random_transform(self, img_shape: Any, seed: int | None = None) -> dict[str, Any]:
        """What a random change does.

        Args:
            img_shape: Shape of the image.
            seed: Seed, or None.

        Returns:
            Dictionary, for `apply_transform`.
        """
        draw: Any = random if seed is None else random.Random(seed)
        rows, columns = img_shape[self.row_axis - 1], img_shape[self.col_axis - 1]
        zx, zy = 1.0, 1.0
        if tuple(self.zoom_range) != (1, 1):
            zx, zy = draw.uniform(*self.zoom_range), draw.uniform(*self.zoom_range)
        return {
            "theta": draw.uniform(-self.rotation_range, self.rotation_range)
            if self.rotation_range
            else 0.0,
            "tx": _shift(draw, self.width_shift_range, columns),
            "ty": _shift(draw, self.height_shift_range, rows),
            "shear": draw.uniform(-self.shear_range, self.shear_range) if self.shear_range else 0.0,
            "zx": zx,
            "zy": zy,
            "flip_horizontal": bool(self.horizontal_flip and draw.random() < 0.5),
            "flip_vertical": bool(self.vertical_flip and draw.random() < 0.5),
            "channel_shift_intensity": draw.uniform(
                -self.channel_shift_range, self.channel_shift_range
            )
            if self.channel_shift_range
            else None,
            "brightness": draw.uniform(*self.brightness_range)
            if self.brightness_range is not None
            else None,
        }

    def apply_transform(self, x: Any, transform_parameters: dict[str, Any]) -> Any:
        """An image changed in a known way.

        Args:
            x: Array of three dimensions.
            transform_parameters: Dictionary of `theta`, `tx`, `ty`, `shear`, `zx`, `zy`, `flip_horizontal`,
                `flip_vertical`, `channel_shift_intensity`, `brightness`; what is missing changes nothing.

        Returns:
            Array in the shape of `x`.
        """
        how = transform_parameters
        rows, columns, channels = self.row_axis - 1, self.col_axis - 1, self.channel_axis - 1
        x = apply_affine_transform(
            x, how.get("theta", 0), how.get("tx", 0), how.get("ty", 0), how.get("shear", 0), how.get("zx", 1),
            how.get("zy", 1), row_axis=rows, col_axis=columns, channel_axis=channels, fill_mode=self.fill_mode,
            cval=self.cval, order=self.interpolation_order,
        )  # fmt: skip
        if how.get("channel_shift_intensity") is not None:
            x = apply_channel_shift(x, how["channel_shift_intensity"], channels)
        if how.get("flip_horizontal", False):
            x = x[tuple(slice(None, None, -1) if i == columns else slice(None) for i in range(3))]
        if how.get("flip_vertical", False):
            x = x[tuple(slice(None, None, -1) if i == rows else slice(None) for i in range(3))]
        if how.get("brightness") is not None:
            x = apply_brightness_shift(x, how["brightness"], False)
        return x

    def random_transform(self, x: Any, seed: int | None = None) -> Any:
        """An image changed at random.

        Args:
            x: Array of three dimensions.
            seed: Seed, or None.

        Returns:
            Array in the shape of `x`.
        """
        return self.apply_transform(x, self.get_random_transform(x.shape, seed))

    def fit(self, x: Any, augment: bool = False, rounds: int = 1, seed: int | None = None) -> None:
        """Learns mean, standard deviation and whitening of data.

        Args:
            x: Images [count, height, width, channels].
            augment: Whether the images are changed at random first. Default False.
            rounds: How often, when they are. Default 1.
            seed: Seed of what is random.

        Raises:
            ValueError: If it is no array of four dimensions.
        """
        values = array(x, self.dtype)
        if values.ndim != 4:
            raise ValueError(
                f"Input to `.fit()` should have rank 4. Got array with shape: {values.shape}"
            )
        if augment:
            if seed is not None:
                random.seed(seed)
            values = stacked(
                (self.random_transform(v) for _ in range(rounds) for v in values), self.dtype
            )
        axes = (0, self.row_axis, self.col_axis)
        shape = [1, 1, 1]
        shape[self.channel_axis - 1] = values.shape[self.channel_axis]
        if self.featurewise_center:
            self.mean = values.mean(axis=axes).reshape(shape)
            values = values - self.mean
        if self.featurewise_std_normalization:
            self.std = values.std(axis=axes).reshape(shape)
            values = values / (self.std + 1e-6)
        if self.zca_whitening:
            self.zca_whitening_matrix = _whitening(
                values.reshape(len(values), -1), self.zca_epsilon
            )


def _whitening(flat: Any, epsilon: float) -> Any:
    """The matrix that makes the columns' covariance the identity."""
    from ...ops.create import constant
    from ...ops.decompositions import svd

    values, _, directions = svd(constant(flat), full_matrices=False)
    scale = (len(flat) ** 0.5) / (values.numpy() ** 2 + epsilon) ** 0.5
    directions = directions.numpy()
    return (directions * scale) @ directions.T


def _shift(draw: Any, limit: Any, size: int) -> float:
    """A random shift in pixels."""
    if not isinstance(limit, int | float):
        options = list(limit)
        return draw.choice(options) * draw.choice([-1, 1])
    if not limit:
        return 0.0
    if isinstance(limit, int) and limit >= 1:
        return float(draw.randint(-limit, limit - 1 if limit > 1 else limit))
    shift = draw.uniform(-limit, limit)
    return shift * size if abs(limit) < 1 else shift


ImageDataGenerator.__module__ = "eagercore.keras.preprocessing.image"
