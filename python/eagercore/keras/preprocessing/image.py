"""Images as arrays and back, in files, and changed at random for training."""

from __future__ import annotations

from typing import Any

from ...core.host import array
from ...core.tensor import Tensor
from ...core.variable import Variable
from ...ops.image_files import pillow
from ..settings import checked_data_format, settings

#: Names of Pillow's ways to resize.
_RESAMPLING = {
    "nearest": "NEAREST", "bilinear": "BILINEAR", "bicubic": "BICUBIC", "hamming": "HAMMING", "box": "BOX", "lanczos":
    "LANCZOS",
}  # fmt: skip
_MODES = {"grayscale": "L", "rgb": "RGB", "rgba": "RGBA"}


def _resampling(interpolation: str) -> Any:
    name = _RESAMPLING.get(str(interpolation).lower())
    if name is None:
        raise ValueError(
            f"Invalid interpolation method {interpolation} specified. Supported methods are {', '.join(_RESAMPLING)}"
        )
    return getattr(pillow("keras.preprocessing.image").Resampling, name)


def load_img(
    path: Any,
    grayscale: bool = False,
    color_mode: str = "rgb",
    target_size: Any = None,
    interpolation: str = "nearest",
    keep_aspect_ratio: bool = False,
) -> Any:
    """An image from a file (needs Pillow).

    Args:
        path: Path, or an open binary file.
        grayscale: The older form of `color_mode="grayscale"`.
        color_mode: "rgb", "rgba" or "grayscale". Default "rgb".
        target_size: Height and width to resize to, or None.
        interpolation: "nearest", "bilinear", "bicubic", "hamming", "box" or "lanczos". Default "nearest".
        keep_aspect_ratio: Whether it is cropped rather than distorted when it is resized. Default False.

    Returns:
        A Pillow image.

    Raises:
        ValueError: If an argument has no meaning.
        FileNotFoundError: If there is no such file.
    """
    from pathlib import Path

    images = pillow("keras.preprocessing.image.load_img")
    mode = _MODES.get("grayscale" if grayscale else str(color_mode))
    if mode is None:
        raise ValueError(f'color_mode must be "grayscale", "rgb", or "rgba", got {color_mode!r}')
    import io

    if hasattr(path, "read"):
        picture = images.open(io.BytesIO(path.read()))
    else:
        picture = images.open(io.BytesIO(Path(path).expanduser().read_bytes()))
    if mode == "L" and picture.mode in ("I;16", "I", "L"):
        pass
    elif picture.mode != mode:
        picture = picture.convert(mode)
    if target_size is None:
        return picture
    height, width = (int(n) for n in tuple(target_size)[:2])
    method = _resampling(interpolation)
    if (picture.width, picture.height) == (width, height):
        return picture
    if not keep_aspect_ratio:
        return picture.resize((width, height), method)
    crop_height = min(picture.height, picture.width * height // width)
    crop_width = min(picture.width, picture.height * width // height)
    top, left = (picture.height - crop_height) // 2, (picture.width - crop_width) // 2
    return picture.resize(
        (width, height), method, box=[left, top, left + crop_width, top + crop_height]
    )


def img_to_array(img: Any, data_format: str | None = None, dtype: Any = None) -> Any:
    """An image as an array.

    Args:
        img: A Pillow image, or an array of two or three dimensions.
        data_format: "channels_last" (default) or "channels_first".
        dtype: Type of the result. Default the default float type.

    Returns:
        NumPy array [height, width, channels].

    Raises:
        ValueError: If it has another number of dimensions.

    >>> img_to_array([[1, 2], [3, 4]]).shape
    (2, 2, 1)
    """
    first = checked_data_format(data_format) == "channels_first"
    if isinstance(img, Tensor | Variable):
        img = img.numpy()
    made = array(img, settings.floatx if dtype is None else getattr(dtype, "as_numpy_dtype", dtype))
    if made.ndim == 2:
        return made[None] if first else made[:, :, None]
    if made.ndim != 3:
        raise ValueError(f"Unsupported image shape: {made.shape}")
    return made.transpose(2, 0, 1) if first and hasattr(img, "mode") else made


def array_to_img(
    x: Any, data_format: str | None = None, scale: bool = True, dtype: Any = None
) -> Any:
    """An array as an image (needs Pillow).

    Args:
        x: Array [height, width, channels]; one, three or four channels.
        data_format: "channels_last" (default) or "channels_first".
        scale: Whether values are stretched to 0 to 255. Default True.
        dtype: Type to compute in. Default the default float type.

    Returns:
        A Pillow image.

    Raises:
        ValueError: If it is no array of three dimensions, or has another number of channels.
    """
    images = pillow("keras.preprocessing.image.array_to_img")
    first = checked_data_format(data_format) == "channels_first"
    if isinstance(x, Tensor | Variable):
        x = x.numpy()
    values = array(x, settings.floatx if dtype is None else dtype)
    if values.ndim != 3:
        raise ValueError(
            f"Expected image array to have rank 3 (single image). Got array with shape: {values.shape}"
        )
    if first:
        values = values.transpose(1, 2, 0)
    if scale:
        values = values - values.min()
        largest = values.max()
        if largest != 0:
            values = values / largest
        values = values * 255
    channels = values.shape[2]
    if channels == 1:
        flat = values[:, :, 0]
        if flat.max() > 255:
            return images.fromarray(flat.astype("int32"), "I")
        return images.fromarray(flat.astype("uint8"), "L")
    if channels not in (3, 4):
        raise ValueError(f"Unsupported channel number: {channels}")
    return images.fromarray(values.astype("uint8"), "RGB" if channels == 3 else "RGBA")


def save_img(
    path: Any,
    x: Any,
    data_format: str | None = None,
    file_format: str | None = None,
    scale: bool = True,
    **kwargs: Any,
) -> None:
    """Writes an array as an image file (needs Pillow).

    Args:
        path: Path, or an open binary file.
        x: Array [height, width, channels].
        data_format: "channels_last" (default) or "channels_first".
        file_format: Format, when the name does not say it.
        scale: Whether values are stretched to 0 to 255. Default True.
        **kwargs: Arguments of Pillow's `save`.
    """
    picture = array_to_img(x, data_format=data_format, scale=scale)
    if picture.mode == "RGBA" and str(file_format or path).lower().endswith(("jpg", "jpeg")):
        picture = picture.convert("RGB")
    if hasattr(path, "write"):
        picture.save(path, format=file_format, **kwargs)
        return
    import io
    import os

    from ...core.array_files import write_whole

    target = os.path.expanduser(os.fspath(path))
    kind = file_format or os.path.splitext(target)[1].lstrip(".")
    kind = {"jpg": "jpeg", "tif": "tiff"}.get(kind.lower(), kind)
    buffer = io.BytesIO()
    picture.save(buffer, format=kind, **kwargs)
    write_whole(target, lambda file: file.write(buffer.getvalue()))


def smart_resize(
    x: Any,
    size: Any,
    interpolation: str = "bilinear",
    data_format: str = "channels_last",
    backend_module: Any = None,
) -> Any:
    """Images of another size without being distorted: what stands over is cut off.

    Args:
        x: Image [height, width, channels], or a batch of them: array or tensor.
        size: Height and width.
        interpolation: Method of `tf.image.resize`. Default "bilinear".
        data_format: "channels_last" (default) or "channels_first".
        backend_module: Accepted for Keras's sake.

    Returns:
        Images of this size: an array for an array, a tensor for a tensor.

    >>> smart_resize([[[1.0]] * 4] * 2, (2, 2)).shape
    (2, 2, 1)
    """
    from ...core.tensor import convert
    from ...ops.image_geometry import crop_to_bounding_box
    from ...ops.resize import resize
    from ...ops.shape import transpose

    tensor = convert(x)
    first, single = data_format == "channels_first", tensor.shape.rank == 3
    to_last, back = ((1, 2, 0), (2, 0, 1)) if single else ((0, 2, 3, 1), (0, 3, 1, 2))
    moved = transpose(tensor, to_last) if first else tensor
    height, width = (int(n) for n in moved.shape[-3:-1])
    target_height, target_width = (int(n) for n in size)
    crop_height = min(height, width * target_height // target_width)
    crop_width = min(width, height * target_width // target_height)
    cut = crop_to_bounding_box(
        moved, (height - crop_height) // 2, (width - crop_width) // 2, crop_height, crop_width
    )
    made = resize(cut, (target_height, target_width), interpolation)
    made = transpose(made, back) if first else made
    return made if isinstance(x, Tensor) else made.numpy()


_LATER = {
    "ImageDataGenerator": "image_generator", "apply_affine_transform": "image_generator", "apply_brightness_shift":
    "image_generator", "apply_channel_shift": "image_generator", "random_brightness": "image_generator",
    "random_channel_shift": "image_generator", "random_rotation": "image_generator", "random_shear": "image_generator",
    "random_shift": "image_generator", "random_zoom": "image_generator",
    "DirectoryIterator": "image_iterators", "Iterator":
    "image_iterators", "NumpyArrayIterator": "image_iterators", "DataFrameIterator": "image_iterators",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _LATER:
        import importlib

        return getattr(importlib.import_module("." + _LATER[name], __package__), name)
    raise AttributeError(f"module 'eagercore.keras.preprocessing.image' has no attribute '{name}'.")
