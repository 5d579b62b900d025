"""Images as files and back: JPEG, PNG, GIF, BMP, WebP.

PNG and BMP need nothing but NumPy; JPEG, GIF and WebP are read and written by Pillow, which is
imported when it is used.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from ..base import dtypes, errors
from ..base.shapes import TensorSpec
from ..core import coerce
from ..core.coerce import DType
from ..core.op import op
from ..core.tensor import EagerTensor, convert
from . import png
from .image_color import convert_image_dtype
from .io import one_string


def pillow(purpose: str) -> Any:
    """Pillow's module Image.

    Raises:
        MissingExtraError: If Pillow is not installed.
    """
    try:
        from PIL import Image
    except ImportError:
        raise errors.missing_extra("Pillow", "image", purpose) from None
    return Image


def _opened(data: bytes, op_name: str, kind: str) -> Any:
    try:
        found = pillow(op_name).open(io.BytesIO(data))

        return found
    except OSError as error:
        raise errors.value_error(
            op_name, f"Invalid {kind} data, size {len(data)}: {error}"
        ) from None


def _pixels(image: Any, op_name: str, kind: str) -> np.ndarray:
    try:
        array = np.asarray(image)
    except (OSError, SyntaxError, ValueError) as error:
        raise errors.value_error(op_name, f"Invalid {kind} data: {error}") from None
    return array[..., None] if array.ndim == 2 else array


def _check_channels(channels: int, allowed: tuple[int, ...], op_name: str) -> None:
    if channels not in allowed:
        raise errors.value_error(
            op_name, f"channels must be {', '.join(map(str, allowed))}, got {channels}."
        )


def _image_rule(contents, *, channels=0, dtype=dtypes.uint8, **options):
    return TensorSpec([None, None, channels or None], dtype)


def _strings(data: bytes) -> np.ndarray:
    out = np.empty((), object)
    out[()] = data
    return out


def _sample(channels: int = 3) -> np.ndarray:
    y, x = np.mgrid[0:6, 0:8]
    return np.stack([(40 * y + 7 * x + 30 * c) % 256 for c in range(channels)], -1).astype(np.uint8)


# --------------------------------------------------------------------------------------------- JPEG


@op(differentiable=False, kinds="O", data_dependent=True)
def decode_jpeg(
    xp, contents, *, channels: int = 0, ratio: int = 1, fancy_upscaling: bool = True,
    try_recover_truncated: bool = False,
    acceptable_fraction: float = 1, dct_method: str = "",
):  # fmt: skip
    """The image in a JPEG file (PNG, GIF and BMP files are recognised, too).

    Args:
        contents: The file as a string scalar.
        channels: 1 for gray, 3 for colour, 0 for what the file has.
        ratio: 1, 2, 4 or 8: how many times smaller each side becomes.
        fancy_upscaling: Accepted: colour is always interpolated.
        try_recover_truncated: Whether a file that is cut short gives what there is of it.
        acceptable_fraction: Accepted for TensorFlow's sake.
        dct_method: Accepted: always "INTEGER_ACCURATE".

    Returns:
        uint8 tensor [height, width, channels].

    Raises:
        InvalidArgumentError: If it is no image file.
        MissingExtraError: If Pillow is not installed.

    >>> decode_jpeg(encode_jpeg(np.zeros((2, 3, 1), np.uint8))).shape
    TensorShape([2, 3, 1])
    """
    _check_channels(channels, (0, 1, 3), "DecodeJpeg")
    data = one_string(contents, "contents", "DecodeJpeg")
    if not data.startswith(b"\xff\xd8\xff"):
        return decode_any(data, channels, "DecodeJpeg")
    return read_jpeg(data, channels, ratio, try_recover_truncated)


def read_jpeg(data: bytes, channels: int, ratio: int, recover: bool) -> np.ndarray:
    """The pixels of a JPEG file."""
    if ratio not in (1, 2, 4, 8):
        raise errors.value_error("DecodeJpeg", f"ratio must be 1, 2, 4, or 8, got {ratio}.")
    image = _opened(data, "DecodeJpeg", "JPEG")
    wanted = {0: "L" if image.mode == "L" else "RGB", 1: "L", 3: "RGB"}[channels]
    if image.mode in ("L", "RGB", "YCbCr"):
        size = (-(-image.width // ratio), -(-image.height // ratio))
        image.draft("L" if wanted == "L" else None, size)
    if recover:
        return _recovered(image, wanted)
    try:
        image.load()
    except OSError as error:
        raise errors.value_error(
            "DecodeJpeg", f"Invalid JPEG data or crop window, data size {len(data)}: {error}"
        ) from None
    return _pixels(image if image.mode == wanted else image.convert(wanted), "DecodeJpeg", "JPEG")


def _recovered(image: Any, mode: str) -> np.ndarray:
    from PIL import ImageFile

    before, ImageFile.LOAD_TRUNCATED_IMAGES = ImageFile.LOAD_TRUNCATED_IMAGES, True
    try:
        image.load()
    finally:
        ImageFile.LOAD_TRUNCATED_IMAGES = before
    return _pixels(image if image.mode == mode else image.convert(mode), "DecodeJpeg", "JPEG")


decode_jpeg.shape_rule(_image_rule)


@decode_jpeg.samples
def decode_jpeg_samples(rng):
    yield (_strings(write_jpeg(_sample(), 90)),), {}
    yield (_strings(write_jpeg(_sample(), 90)),), {"channels": 1, "ratio": 2}


@op(differentiable=False, data_dependent=True, free=("crop_window",))
def decode_and_crop_jpeg(
    xp, contents, crop_window, *, channels: int = 0, ratio: int = 1, fancy_upscaling: bool = True,
    try_recover_truncated: bool = False, acceptable_fraction: float = 1, dct_method: str = "",
):  # fmt: skip
    """A part of the image in a JPEG file.

    Args:
        contents: The file as a string scalar.
        crop_window: int32 vector: top, left, height, width.
        channels: As in `decode_jpeg`.
        ratio: As in `decode_jpeg`.
        fancy_upscaling: As in `decode_jpeg`.
        try_recover_truncated: As in `decode_jpeg`.
        acceptable_fraction: As in `decode_jpeg`.
        dct_method: As in `decode_jpeg`.

    Returns:
        uint8 tensor [height, width, channels].

    >>> decode_and_crop_jpeg(encode_jpeg(np.zeros((4, 4, 3), np.uint8)), [1, 1, 2, 3]).shape
    TensorShape([2, 3, 3])
    """
    _check_channels(channels, (0, 1, 3), "DecodeAndCropJpeg")
    whole = read_jpeg(
        one_string(contents, "contents", "DecodeAndCropJpeg"),
        channels,
        ratio,
        try_recover_truncated,
    )
    top, left, height, width = (int(v) for v in crop_window)
    if (
        top < 0
        or left < 0
        or height < 1
        or width < 1
        or top + height > whole.shape[0]
        or left + width > whole.shape[1]
    ):
        raise errors.value_error(
            "DecodeAndCropJpeg",
            f"Invalid JPEG data or crop window {[top, left, height, width]} for an image of {list(whole.shape[:2])}.",
        )
    return np.ascontiguousarray(whole[top : top + height, left : left + width])


@decode_and_crop_jpeg.shape_rule
def decode_and_crop_jpeg_rule(contents, crop_window, *, channels, **options):
    return TensorSpec([None, None, channels or None], dtypes.uint8)


@decode_and_crop_jpeg.samples
def decode_and_crop_jpeg_samples(rng):
    yield (_strings(write_jpeg(_sample(), 90)), np.array([1, 2, 3, 4], np.int32)), {}


def write_jpeg(
    image: np.ndarray, quality: int, mode: str = "", progressive: bool = False,
    optimize: bool = False, downsample: bool = True,
    density: Any = (300, 300),
) -> bytes:  # fmt: skip
    """A JPEG file of a uint8 array [height, width, 1 or 3]."""
    channels = image.shape[-1]
    if image.ndim != 3 or channels not in (1, 3) or image.dtype != np.uint8:
        raise errors.shape_error(
            "EncodeJpeg",
            f"image must be uint8 of shape [height, width, 1 or 3], got {image.dtype} of shape {list(image.shape)}.",
        )
    wanted = {"": 0, "grayscale": 1, "rgb": 3}.get(mode)
    if wanted is None or wanted not in (0, channels):
        raise errors.value_error(
            "EncodeJpeg", f"format {mode!r} does not fit an image of {channels} channels."
        )
    made = pillow("EncodeJpeg").fromarray(
        image[..., 0] if channels == 1 else np.ascontiguousarray(image)
    )
    out = io.BytesIO()
    made.save(
        out,
        "JPEG",
        quality=quality,
        progressive=progressive,
        optimize=optimize,
        subsampling=2 if downsample else 0,
        dpi=density,
    )
    return out.getvalue()


@op(differentiable=False, kinds="u")
def encode_jpeg(
    xp, image, *, format: str = "", quality: int = 95, progressive: bool = False, optimize_size: bool = False,
    chroma_downsampling: bool = True, density_unit: str = "in", x_density: int = 300,
    y_density: int = 300, xmp_metadata: str = "",
):  # fmt: skip
    """An image as a JPEG file.

    Args:
        image: uint8 tensor [height, width, 1 or 3].
        format: "", "grayscale" or "rgb".
        quality: 0 to 100.
        progressive: Whether the file shows coarsely first.
        optimize_size: Whether to spend time on a smaller file.
        chroma_downsampling: Whether colour is stored at half the size.
        density_unit: Accepted for TensorFlow's sake.
        x_density: Pixels per inch across, noted in the file.
        y_density: Pixels per inch down, noted in the file.
        xmp_metadata: Accepted for TensorFlow's sake.

    Returns:
        String scalar.

    Raises:
        MissingExtraError: If Pillow is not installed.

    >>> encode_jpeg(np.zeros((2, 2, 3), np.uint8)).numpy()[:2]
    b'\\xff\\xd8'
    """
    if not 0 <= quality <= 100:
        raise errors.value_error("EncodeJpeg", f"quality must be in [0,100], got {quality}.")
    return _strings(
        write_jpeg(
            image,
            quality,
            format,
            progressive,
            optimize_size,
            chroma_downsampling,
            (x_density, y_density),
        )
    )


@encode_jpeg.shape_rule
def encode_jpeg_rule(image, **options):
    return TensorSpec([], dtypes.string)


@encode_jpeg.samples
def encode_jpeg_samples(rng):
    yield (_sample(),), {}
    yield (_sample(1),), {"quality": 30, "format": "grayscale"}


def extract_jpeg_shape(contents, output_type=dtypes.int32, name=None):
    """Height, width and channels of a JPEG file, read from its head alone.

    Args:
        contents: The file as a string scalar.
        output_type: int32 or int64.
        name: Accepted for TensorFlow's sake.

    >>> extract_jpeg_shape(encode_jpeg(np.zeros((2, 5, 3), np.uint8))).numpy()
    array([2, 5, 3], dtype=int32)
    """
    data = one_string(convert(contents)._array, "contents", "ExtractJpegShape")
    place = 2
    while data[:2] == b"\xff\xd8" and place + 9 <= len(data):
        marker = data[place + 1]
        if data[place] != 0xFF:
            break
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width, channels = struct.unpack(">HHB", data[place + 5 : place + 10])
            return EagerTensor(
                np.array([height, width, channels], dtypes.as_dtype(output_type).as_numpy_dtype)
            )
        place += 2 + struct.unpack(">H", data[place + 2 : place + 4])[0]
    raise errors.value_error("ExtractJpegShape", f"Invalid JPEG data, size {len(data)}")


def is_jpeg(contents, name=None):
    """Whether a string begins as a JPEG file does.

    Args:
        contents: String scalar.
        name: Accepted for TensorFlow's sake.
    """
    return EagerTensor(
        np.array(
            one_string(convert(contents)._array, "contents", "IsJpeg").startswith(b"\xff\xd8\xff")
        )
    )


def adjust_jpeg_quality(image, jpeg_quality, dct_method="", name=None):
    """An image as a JPEG of some quality leaves it.

    Args:
        image: Tensor [height, width, channels].
        jpeg_quality: 0 to 100.
        dct_method: Accepted for TensorFlow's sake.
        name: Accepted for TensorFlow's sake.
    """
    image = convert(image)
    before = image.dtype
    bytes_ = convert_image_dtype(image, dtypes.uint8, saturate=True)
    quality = coerce.as_int(jpeg_quality, "adjust_jpeg_quality", "jpeg_quality")
    return convert_image_dtype(
        decode_jpeg(encode_jpeg(bytes_, quality=quality), channels=image.shape[-1]),
        before,
        saturate=True,
    )


# ---------------------------------------------------------------------------------------------- PNG


@op(differentiable=False, kinds="O", data_dependent=True)
def decode_png(xp, contents, *, channels: int = 0, dtype: DType = dtypes.uint8):
    """The image in a PNG file (JPEG, GIF and BMP files are recognised, too).

    Args:
        contents: The file as a string scalar.
        channels: 1 gray, 2 gray and alpha, 3 colour, 4 colour and alpha; 0 for what the file has.
        dtype: uint8 or uint16.

    Returns:
        Tensor [height, width, channels] of `dtype`.

    Raises:
        InvalidArgumentError: If it is no image file.

    >>> decode_png(encode_png(np.full((1, 2, 1), 7, np.uint8))).numpy().reshape(-1)
    array([7, 7], dtype=uint8)
    """
    _check_channels(channels, (0, 1, 2, 3, 4), "DecodePng")
    if dtype.name not in ("uint8", "uint16"):
        raise errors.dtype_error("DecodePng", f"dtype must be uint8 or uint16, got {dtype.name}.")
    data = one_string(contents, "contents", "DecodePng")
    if not data.startswith(png.SIGNATURE):
        made = decode_any(data, channels, "DecodePng")
    else:
        made = with_channels(read_png(data), channels)
    return _of_depth(made, dtype)


def read_png(data: bytes) -> np.ndarray:
    """The pixels of a PNG file, by Pillow where that is there and keeps all of them."""
    deep = len(data) > 25 and data[24] == 16
    if not deep:
        try:
            image = pillow("DecodePng").open(io.BytesIO(data))
        except errors.MissingExtraError:
            return png.decode(data)
        except OSError as error:
            raise errors.value_error(
                "DecodePng", f"Invalid PNG data, size {len(data)}: {error}"
            ) from None
        if image.mode == "1":
            image = image.convert("L")
        elif image.mode == "P":
            image = image.convert("RGBA" if "transparency" in image.info else "RGB")
        return _pixels(image, "DecodePng", "PNG")
    return png.decode(data)


def _of_depth(pixels: np.ndarray, dtype: dtypes.DType) -> np.ndarray:
    if pixels.dtype == np.uint16 and dtype is dtypes.uint8:
        return (pixels >> 8).astype(np.uint8)
    if pixels.dtype == np.uint8 and dtype is dtypes.uint16:
        return pixels.astype(np.uint16) * np.uint16(257)
    return pixels


def with_channels(pixels: np.ndarray, channels: int) -> np.ndarray:
    """Pixels with as many channels: gray is weighted colour, alpha is full where there was none."""
    have = pixels.shape[-1]
    if channels in (0, have):
        return pixels
    full = np.full((*pixels.shape[:-1], 1), np.iinfo(pixels.dtype).max, pixels.dtype)
    alpha = pixels[..., -1:] if have in (2, 4) else full
    base = pixels[..., : have - 1] if have in (2, 4) else pixels
    if channels in (3, 4):
        colour = np.repeat(base, 3, axis=-1) if base.shape[-1] == 1 else base
        return colour if channels == 3 else np.concatenate([colour, alpha], -1)
    gray = base
    if base.shape[-1] == 3:
        mixed = base.astype(np.uint64) @ np.array([19595, 38470, 7471], np.uint64)
        gray = ((mixed + 32768) >> 16).astype(pixels.dtype)[..., None]
    return gray if channels == 1 else np.concatenate([gray, alpha], -1)


decode_png.shape_rule(_image_rule)


@decode_png.samples
def decode_png_samples(rng):
    yield (_strings(png.encode(_sample(4))),), {}
    yield (
        (_strings(png.encode(_sample(3).astype(np.uint16) * 257)),),
        {"channels": 1, "dtype": dtypes.uint16},
    )


@op(differentiable=False, kinds="u")
def encode_png(xp, image, *, compression: int = -1):
    """An image, or several, as PNG files.

    Args:
        image: uint8 or uint16 tensor [..., height, width, 1 to 4 channels].
        compression: 0 to 9, or -1 for what zlib thinks good.

    Returns:
        String tensor: a scalar for one image.

    >>> encode_png(np.zeros((2, 2, 3), np.uint8)).numpy()[:4]
    b'\\x89PNG'
    """
    if image.ndim < 3 or not 1 <= image.shape[-1] <= 4 or image.dtype.itemsize > 2:
        raise errors.shape_error(
            "EncodePng",
            "image must be uint8 or uint16 of shape [..., height, width, 1 to 4], got "
            f"{image.dtype} of {list(image.shape)}.",
        )
    out = np.empty(image.shape[:-3], object)
    for place in np.ndindex(out.shape):
        out[place] = png.encode(image[place], compression)
    return out


@encode_png.shape_rule
def encode_png_rule(image, *, compression):
    shape = image.shape
    return TensorSpec(None if shape.rank is None else shape[:-3], dtypes.string)


@encode_png.samples
def encode_png_samples(rng):
    yield (_sample(),), {}
    yield (np.stack([_sample(1)] * 2),), {"compression": 9}


# ------------------------------------------------------------------------------ GIF, BMP, WebP, any


def read_bmp(data: bytes, channels: int) -> np.ndarray:
    """The pixels of a BMP file of 8 (gray), 24 or 32 bits.

    Raises:
        InvalidArgumentError: If it is none, or of another kind.
    """
    if len(data) < 32 or data[:2] != b"BM":
        raise errors.value_error("DecodeBmp", "Invalid BMP data: it does not begin with 'BM'.")
    start, _, width, height = struct.unpack("<IIii", data[10:26])
    bits = struct.unpack("<H", data[28:30])[0]
    have = bits // 8
    if bits not in (8, 24, 32) or channels not in (0, have):
        raise errors.value_error(
            "DecodeBmp",
            f"channels attribute {channels} does not match bits per pixel from file {bits}",
        )
    stride = (width * have + 3) // 4 * 4
    rows = abs(height)
    if width <= 0 or rows == 0 or start + stride * rows > len(data):
        raise errors.value_error("DecodeBmp", f"Incomplete bmp content, size {len(data)}.")
    pixels = (
        np.frombuffer(data, np.uint8, stride * rows, start)
        .reshape(rows, stride)[:, : width * have]
        .reshape(rows, width, have)
    )
    if height > 0:
        pixels = pixels[::-1]
    order = {1: [0], 3: [2, 1, 0], 4: [2, 1, 0, 3]}[have]
    return np.ascontiguousarray(pixels[..., order])


@op(differentiable=False, kinds="O", data_dependent=True)
def decode_bmp(xp, contents, *, channels: int = 0):
    """The image in a BMP file.

    Args:
        contents: The file as a string scalar.
        channels: 0, or the number of channels that the file must have: 1, 3 or 4.

    Returns:
        uint8 tensor [height, width, channels].

    >>> head = b"BM" + struct.pack("<IHHIIiiHHIIiiII", 58, 0, 0, 54, 40, 1, 1, 1, 24, 0, 4, 0, 0, 0, 0)
    >>> decode_bmp(head + bytes([1, 2, 3, 0])).numpy().reshape(-1)
    array([3, 2, 1], dtype=uint8)
    """
    return read_bmp(one_string(contents, "contents", "DecodeBmp"), channels)


decode_bmp.shape_rule(_image_rule)


@decode_bmp.samples
def decode_bmp_samples(rng):
    head = b"BM" + struct.pack("<IHHIIiiHHIIiiII", 62, 0, 0, 54, 40, 1, 2, 1, 24, 0, 8, 0, 0, 0, 0)
    yield (_strings(head + bytes([1, 2, 3, 0, 4, 5, 6, 0])),), {}


def read_gif(data: bytes) -> np.ndarray:
    """The frames of a GIF file: uint8 [frames, height, width, 3]."""
    image = _opened(data, "DecodeGif", "GIF")
    frames = []
    for number in range(getattr(image, "n_frames", 1)):
        image.seek(number)
        frames.append(np.asarray(image.convert("RGB")))
    return np.stack(frames)


@op(differentiable=False, kinds="O", data_dependent=True)
def decode_gif(xp, contents):
    """The frames of a GIF file.

    Args:
        contents: The file as a string scalar.

    Returns:
        uint8 tensor [frames, height, width, 3].

    Raises:
        MissingExtraError: If Pillow is not installed.

    >>> head = b"GIF89a" + bytes([1, 0, 1, 0, 128, 0, 0, 9, 8, 7, 0, 0, 0])
    >>> decode_gif(head + bytes([44, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 68, 1, 0, 59])).numpy().reshape(-1)
    array([9, 8, 7], dtype=uint8)
    """
    data = one_string(contents, "contents", "DecodeGif")
    if not data.startswith(b"GIF8"):
        return decode_any(data, 3, "DecodeGif")[None]
    return read_gif(data)


@decode_gif.shape_rule
def decode_gif_rule(contents):
    return TensorSpec([None, None, None, 3], dtypes.uint8)


@decode_gif.samples
def decode_gif_samples(rng):
    head = b"GIF89a" + bytes([1, 0, 1, 0, 128, 0, 0, 9, 8, 7, 0, 0, 0])
    yield (_strings(head + bytes([44, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 68, 1, 0, 59])),), {}


def _read_webp(data: bytes, channels: int) -> np.ndarray:
    image = _opened(data, "DecodeWebP", "WebP")
    mode = {0: image.mode if image.mode in ("RGB", "RGBA") else "RGB", 3: "RGB", 4: "RGBA"}[
        channels
    ]
    return _pixels(image.convert(mode), "DecodeWebP", "WebP")


def decode_webp(contents, channels=0, dtype=dtypes.uint8, name=None):
    """The image in a WebP file.

    Args:
        contents: The file as a string scalar.
        channels: 3 colour, 4 colour and alpha; 0 for what the file has.
        dtype: uint8, or a dtype to convert to.
        name: Accepted for TensorFlow's sake.
    """
    _check_channels(channels, (0, 3, 4), "DecodeWebP")
    data = one_string(convert(contents)._array, "contents", "DecodeWebP")
    return convert_image_dtype(EagerTensor(np.ascontiguousarray(_read_webp(data, channels))), dtype)


def _kind(data: bytes) -> str:
    for kind, begin in (
        ("jpeg", b"\xff\xd8\xff"),
        ("png", png.SIGNATURE),
        ("gif", b"GIF8"),
        ("bmp", b"BM"),
    ):
        if data.startswith(begin):
            return kind
    return "webp" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else ""


def decode_any(data: bytes, channels: int, op_name: str) -> np.ndarray:
    """The pixels of a file of whatever kind; of the first frame when there are several.

    Raises:
        InvalidArgumentError: If it is none of the kinds.
    """
    readers: dict[str, Callable[[], np.ndarray]] = {
        "jpeg": lambda: read_jpeg(data, channels if channels in (0, 1, 3) else 3, 1, False),
        "png": lambda: with_channels(read_png(data), channels), "gif": lambda: read_gif(data)[0],
        "bmp": lambda: with_channels(read_bmp(data, 0), channels), "webp": lambda: _read_webp(data,
        channels if channels in (3, 4) else 0),
    }  # fmt: skip
    reader = readers.get(_kind(data))
    if reader is None:
        raise errors.value_error(
            op_name,
            f"Unknown image file format. One of JPEG, PNG, GIF, BMP required (the data begin with {data[:8]!r}).",
        )
    return np.ascontiguousarray(reader())


@op(differentiable=False, kinds="O", data_dependent=True)
def decode_image_op(
    xp, contents, *, channels: int = 0, dtype: DType = dtypes.uint8, expand_animations: bool = True
):
    """The image in a file of whatever kind; see `decode_image`.

    Args:
        contents: The file as a string scalar.
        channels: Number of channels; 0 for what the file has.
        dtype: uint8 or uint16.
        expand_animations: Whether a GIF gives all its frames, with a dimension more.

    Returns:
        Tensor of `dtype`.

    >>> decode_image_op(png.encode(np.zeros((1, 2, 3), np.uint8))).shape
    TensorShape([1, 2, 3])
    """
    data = one_string(contents, "contents", "DecodeImage")
    if _kind(data) == "gif" and expand_animations:
        return _of_depth(read_gif(data), dtype)
    return _of_depth(decode_any(data, channels, "DecodeImage"), dtype)


@decode_image_op.shape_rule
def decode_image_op_rule(contents, *, channels, dtype, expand_animations):
    return TensorSpec(None if expand_animations else [None, None, channels or None], dtype)


@decode_image_op.samples
def decode_image_op_samples(rng):
    yield (_strings(png.encode(_sample())),), {"channels": 1}


def decode_image(contents, channels=None, dtype=dtypes.uint8, name=None, expand_animations=True):
    """The image in a file: BMP, GIF, JPEG, PNG or WebP.

    Args:
        contents: The file as a string scalar.
        channels: Number of channels; None or 0 for what the file has.
        dtype: uint8, uint16, or a floating dtype for values in [0, 1].
        name: Accepted for TensorFlow's sake.
        expand_animations: Whether a GIF gives all its frames, with a dimension more; False gives the first.

    Returns:
        Tensor [height, width, channels], or [frames, height, width, 3].

    Raises:
        InvalidArgumentError: If it is none of the kinds.

    >>> decode_image(encode_png(np.full((1, 1, 3), 255, np.uint8)), dtype="float32").numpy().max()
    np.float32(1.0)
    """
    dtype = dtypes.as_dtype(dtype)
    count = coerce.as_int(channels, "decode_image", "channels") or 0
    _check_channels(count, (0, 1, 3, 4), "DecodeImage")
    raw = dtype if dtype.name in ("uint8", "uint16") else dtypes.uint8
    return convert_image_dtype(
        decode_image_op(contents, channels=count, dtype=raw, expand_animations=expand_animations),
        dtype,
    )
