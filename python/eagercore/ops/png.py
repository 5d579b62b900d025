"""PNG files in NumPy and zlib alone: writing, and reading of all but interlaced ones."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np

from ..base import errors

SIGNATURE = b"\x89PNG\r\n\x1a\n"
#: Colour type -> number of channels in the file.
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_COLOUR_TYPES = {1: 0, 2: 4, 3: 2, 4: 6}


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def encode(image: np.ndarray, level: int = -1) -> bytes:
    """A PNG file of an image.

    Args:
        image: uint8 or uint16 array [height, width, 1 to 4 channels].
        level: Compression, 0 to 9, or -1.
    """
    height, width, channels = image.shape
    size = image.dtype.itemsize
    rows = (
        np.ascontiguousarray(image.astype(image.dtype.newbyteorder(">")))
        .view(np.uint8)
        .reshape(height, -1)
    )
    # Each byte less its left neighbour of the same channel: smooth images compress better.
    step = channels * size
    filtered = np.empty((height, rows.shape[1] + 1), np.uint8)
    filtered[:, 0] = 1
    filtered[:, 1 : step + 1] = rows[:, :step]
    np.subtract(rows[:, step:], rows[:, :-step], out=filtered[:, step + 1 :])
    header = struct.pack(">IIBBBBB", width, height, 8 * size, _COLOUR_TYPES[channels], 0, 0, 0)
    body = zlib.compress(filtered.tobytes(), level)
    return SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", body) + _chunk(b"IEND", b"")


def _chunks(data: bytes) -> Any:
    place = len(SIGNATURE)
    while place + 12 <= len(data):
        size = struct.unpack(">I", data[place : place + 4])[0]
        yield data[place + 4 : place + 8], data[place + 8 : place + 8 + size]
        place += size + 12


def decode(data: bytes) -> np.ndarray:
    """The image in a PNG file, with the channels that it has: palettes become colours.

    Args:
        data: The file.

    Returns:
        uint8 or uint16 array [height, width, channels].

    Raises:
        InvalidArgumentError: If it is no PNG file, or damaged.
        UnimplementedError: If it is interlaced.
    """
    if not data.startswith(SIGNATURE):
        raise errors.value_error("DecodePng", "Invalid PNG data: the signature is missing.")
    parts: dict[bytes, bytes] = {}
    body = []
    for kind, content in _chunks(data):
        if kind == b"IDAT":
            body.append(content)
        else:
            parts[kind] = content
    try:
        width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", parts[b"IHDR"])
        if interlaced:
            raise errors.UnimplementedError(
                "Interlaced PNG files are read by Pillow: pip install 'eagercore[image]'."
            )
        raw = zlib.decompress(b"".join(body))
        channels = _CHANNELS[colour]
        stride = (width * channels * depth + 7) // 8
        rows = _unfiltered(
            np.frombuffer(raw, np.uint8).reshape(height, stride + 1), max(1, channels * depth // 8)
        )
    except (KeyError, ValueError, struct.error, zlib.error) as error:
        raise errors.value_error("DecodePng", f"Invalid PNG data: {error!r}.") from None
    samples = _samples(rows, width, channels, depth)
    if colour == 3:
        return _palette(samples[..., 0], parts)
    if depth < 8:
        samples = samples * np.uint8(255 // (2**depth - 1))
    return samples


def _unfiltered(rows: np.ndarray, step: int) -> np.ndarray:
    """The bytes before each row was filtered by its left and upper neighbours."""
    out = np.zeros((len(rows) + 1, rows.shape[1] - 1), np.uint8)
    for number, row in enumerate(rows, 1):
        kind, line, above = int(row[0]), row[1:], out[number - 1]
        if kind == 0:
            out[number] = line
        elif kind == 1:
            folded = np.zeros(-(-len(line) // step) * step, np.uint8)
            folded[: len(line)] = line
            out[number] = np.cumsum(folded.reshape(-1, step), 0, dtype=np.uint8).reshape(-1)[
                : len(line)
            ]
        elif kind == 2:
            np.add(line, above, out=out[number])
        elif kind in (3, 4):
            out[number] = _by_pixels(kind, line.tolist(), above.tolist(), step)
        else:
            raise ValueError(f"filter {kind}")
    return out[1:]


def _by_pixels(kind: int, line: list[int], above: list[int], step: int) -> list[int]:
    made: list[int] = []
    for place, byte in enumerate(line):
        left = made[place - step] if place >= step else 0
        up = above[place]
        if kind == 3:
            guess = (left + up) // 2
        else:
            corner = above[place - step] if place >= step else 0
            p = left + up - corner
            a, b, c = abs(p - left), abs(p - up), abs(p - corner)
            guess = left if a <= b and a <= c else up if b <= c else corner
        made.append(byte + guess & 0xFF)
    return made


def _samples(rows: np.ndarray, width: int, channels: int, depth: int) -> np.ndarray:
    height = len(rows)
    if depth == 16:
        return rows.copy().view(">u2").astype(np.uint16).reshape(height, width, channels)
    if depth == 8:
        return rows.reshape(height, width, channels)
    bits = np.unpackbits(rows, axis=1).reshape(height, -1, depth)
    weights = (1 << np.arange(depth - 1, -1, -1)).astype(np.uint8)
    return (bits * weights).sum(-1, dtype=np.uint8)[:, :width, None]


def _palette(numbers: np.ndarray, parts: dict[bytes, bytes]) -> np.ndarray:
    table = np.frombuffer(parts.get(b"PLTE", b""), np.uint8).reshape(-1, 3)
    if not len(table) or numbers.max(initial=0) >= len(table):
        raise errors.value_error("DecodePng", "Invalid PNG data: a colour is not in the palette.")
    if b"tRNS" in parts:
        alpha = np.full(len(table), 255, np.uint8)
        given = np.frombuffer(parts[b"tRNS"], np.uint8)
        alpha[: len(given)] = given
        table = np.concatenate([table, alpha[:, None]], 1)
    return table[numbers]
