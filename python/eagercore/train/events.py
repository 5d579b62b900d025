"""Event files, as TensorBoard reads them: numbers, histograms, images and texts by step."""

from __future__ import annotations

import itertools
import os
import socket
import struct
import time
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..base import wire
from ..base.records import frame, read_records
from ..base.tensor_proto import decode_tensor, encode_tensor

_number = itertools.count()


# ------------------------------------------------------------------------------------------------------------ messages


def _double(number: int, value: float) -> bytes:
    return wire.varint(number << 3 | 1) + struct.pack("<d", value)


def _float(number: int, value: float) -> bytes:
    return wire.varint(number << 3 | 5) + struct.pack("<f", value)


def scalar_value(tag: str, value: float) -> bytes:
    """A number."""
    return wire.Writer().text(1, tag).finish() + _float(2, float(value))


def histogram_value(tag: str, values: Any) -> bytes:
    """A histogram of numbers, with TensorBoard's exponential bins."""
    flat = np.asarray(values, np.float64).reshape(-1)
    positive = 1e-12 * 1.1 ** np.arange(0, 776)
    limits = np.concatenate([-positive[::-1], [0.0], positive, [1.7976931348623157e308]])
    counts = np.bincount(np.searchsorted(limits, flat, side="left"), minlength=len(limits))[
        : len(limits)
    ]
    kept = np.flatnonzero(counts)
    kept = np.arange(kept[0] - 1 if kept[0] else 0, kept[-1] + 1) if kept.size else np.arange(0)
    smallest, largest = (flat.min(), flat.max()) if flat.size else (0.0, 0.0)
    parts = [
        _double(1, smallest),
        _double(2, largest),
        _double(3, flat.size),
        _double(4, flat.sum()),
    ]
    parts.append(_double(5, np.square(flat).sum()))
    body = wire.Writer().block(6, np.ascontiguousarray(limits[kept], "<f8"))
    body.block(7, np.ascontiguousarray(counts[kept], "<f8"))
    return wire.Writer().text(1, tag).block(5, b"".join(parts) + body.finish()).finish()


def image_value(tag: str, image: Any) -> bytes:
    """An image [height, width, channels] of bytes, or of floats between 0 and 1."""
    array = np.asarray(image)
    if array.dtype.kind == "f":
        array = np.clip(np.nan_to_num(array.astype(np.float64)) * 255.0, 0, 255).astype(np.uint8)
    height, width, channels = array.shape
    body = wire.Writer().whole(1, height).whole(2, width).whole(3, channels).block(4, png(array))
    return wire.Writer().text(1, tag).block(4, body.finish()).finish()


def tensor_value(tag: str, value: Any, plugin: str) -> bytes:
    """Any tensor, for a plugin of TensorBoard ("text", "scalars" ...)."""
    metadata = wire.Writer().block(1, wire.Writer().text(1, plugin).finish()).finish()
    return (
        wire.Writer()
        .text(1, tag)
        .block(8, encode_tensor(np.asarray(value)))
        .block(9, metadata)
        .finish()
    )


def png(array: Any) -> bytes:
    """A PNG file of bytes [height, width, 1, 3 or 4]."""
    height, width, channels = array.shape
    kind = {1: 0, 2: 4, 3: 2, 4: 6}[channels]
    rows = np.ascontiguousarray(array, np.uint8).reshape(height, -1)
    raw = np.concatenate([np.zeros((height, 1), np.uint8), rows], axis=1).tobytes()

    def chunk(name: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        )

    header = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(raw))
        + chunk(b"IEND", b"")
    )


def summary_of(*values: bytes) -> bytes:
    """A Summary message of values made by the functions above."""
    writer = wire.Writer()
    for value in values:
        writer.block(1, value)
    return writer.finish()


def _opened(path: str) -> Any:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644), "ab")


class EventWriter:
    """Writes an event file into a folder.

    Args:
        logdir: Folder; it is made.
        filename_suffix: Put behind the file's name.
    """

    def __init__(self, logdir: Any, filename_suffix: str | None = None) -> None:
        folder = os.fspath(logdir)
        os.makedirs(folder, exist_ok=True)
        now = int(time.time())
        name = (
            f"events.out.tfevents.{now:010d}.{socket.gethostname()}.{os.getpid()}.{next(_number)}"
        )
        self.path = os.path.join(folder, name + (filename_suffix or ""))
        self._file: Any = _opened(self.path)
        self._write(wire.Writer().text(3, "brain.Event:2").finish())
        self.flush()

    def _write(self, body: bytes) -> None:
        if self._file is None:
            self._file = _opened(self.path)
        self._file.write(frame(_double(1, time.time()) + body))

    def add(self, summary: bytes, step: int | None) -> None:
        """Writes a Summary message for a step."""
        writer = wire.Writer()
        if step:
            writer.whole(2, int(step))
        self._write(writer.block(5, summary).finish())

    def flush(self) -> None:
        """Hands what was written to the system."""
        if self._file is not None:
            self._file.flush()

    def close(self) -> None:
        """Closes the file; a later event opens it again."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __del__(self) -> None:
        if getattr(self, "_file", None) is not None:
            self._file.close()


# -------------------------------------------------------------------------------------------------------------- reading


class Value:
    """One value of a summary: `tag`, and `simple_value`, `image`, `histo` or `tensor`."""

    def __init__(self, data: Any) -> None:
        self.tag, self.simple_value = "", 0.0
        self.image: Any = None
        self.histo: Any = None
        self.tensor: Any = None
        self._kind = ""
        for number, value in wire.fields(data):
            if number == 1:
                self.tag = bytes(value).decode()
            elif number == 2:
                self.simple_value, self._kind = struct.unpack("<f", value)[0], "simple_value"
            elif number == 4:
                self.image, self._kind = Image(value), "image"
            elif number == 5:
                self.histo, self._kind = Histogram(value), "histo"
            elif number == 8:
                self.tensor, self._kind = decode_tensor(value), "tensor"

    def WhichOneof(self, name: str) -> str:
        """Which of its fields is set."""
        return self._kind


class Image:
    """A stored image: `height`, `width`, `colorspace` and `encoded_image_string`, a PNG file."""

    def __init__(self, data: Any) -> None:
        found = dict(wire.fields(data))
        self.height, self.width, self.colorspace = found.get(1, 0), found.get(2, 0), found.get(3, 0)
        self.encoded_image_string = bytes(found.get(4, b""))


class Histogram:
    """A stored histogram: `min`, `max`, `num`, `sum`, `sum_squares`, `bucket_limit`, `bucket`."""

    def __init__(self, data: Any) -> None:
        found = dict(wire.fields(data))
        self.min, self.max, self.num, self.sum, self.sum_squares = (
            struct.unpack("<d", found[i])[0] if i in found else 0.0 for i in range(1, 6)
        )
        self.bucket_limit = np.frombuffer(found.get(6, b""), "<f8").tolist()
        self.bucket = np.frombuffer(found.get(7, b""), "<f8").tolist()


class Summary:
    """A list of values: `value`.

    Args:
        data: The stored message, or None for an empty one.
    """

    def __init__(self, data: Any = None) -> None:
        self.value = [Value(v) for n, v in wire.fields(data or b"") if n == 1]

    @classmethod
    def FromString(cls, data: bytes) -> Summary:
        """Reads a stored message."""
        return cls(data)


class Event:
    """One event: `wall_time`, `step`, `file_version` and `summary`.

    Args:
        data: The stored message.
    """

    def __init__(self, data: Any) -> None:
        self.wall_time, self.step, self.file_version, self.summary = 0.0, 0, "", Summary()
        for number, value in wire.fields(data):
            if number == 1:
                self.wall_time = struct.unpack("<d", value)[0]
            elif number == 2:
                self.step = wire.signed(value)
            elif number == 3:
                self.file_version = bytes(value).decode()
            elif number == 5:
                self.summary = Summary(value)

    def HasField(self, name: str) -> bool:
        """Whether a field is set."""
        return bool(self.summary.value) if name == "summary" else bool(getattr(self, name))


def read_events(path: Any) -> Iterator[Event]:
    """The events of a file, in order (TensorFlow calls it `summary_iterator`).

    Args:
        path: The file.
    """
    for record in read_records(os.fspath(path)):
        yield Event(record)


summary_iterator = read_events


def events_from_logdir(logdir: Any) -> list[Event]:
    """The events of the only event file in a folder.

    Args:
        logdir: The folder.

    Raises:
        ValueError: If there is not exactly one.
    """
    files = [name for name in sorted(os.listdir(logdir)) if "tfevents" in name]
    if len(files) != 1:
        raise ValueError(f"Expected one event file in {logdir}, found {files}.")
    return list(read_events(os.path.join(logdir, files[0])))


for _cls in (Value, Image, Histogram, Summary, Event):
    _cls.__module__ = "eagercore"
