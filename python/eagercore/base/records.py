"""Record files: byte strings one after the other, each with its length and two checksums (TensorFlow's TFRecord)."""

from __future__ import annotations

import gzip
import struct
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO

from . import errors
from .crc32c import masked_crc32c

_HEADER = struct.Struct("<QI")
_FOOTER = struct.Struct("<I")


class ZlibReader:
    """The bytes of a zlib-compressed file, for `read(n)`."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._decompressor = zlib.decompressobj()
        self._held = b""

    def read(self, count: int = -1) -> bytes:
        """The next `count` bytes, fewer at the end."""
        parts, have = [self._held], len(self._held)
        while count < 0 or have < count:
            chunk = self._file.read(65536)
            made = self._decompressor.decompress(chunk) if chunk else self._decompressor.flush()
            parts.append(made)
            have += len(made)
            if not chunk:
                break
        whole = b"".join(parts)
        if count < 0:
            self._held = b""
            return whole
        self._held = whole[count:]
        return whole[:count]

    def close(self) -> None:
        """Closes the file."""
        self._file.close()


class ZlibWriter:
    """A file whose bytes are written zlib-compressed."""

    def __init__(self, file: BinaryIO, level: int = -1) -> None:
        self._file = file
        self._compressor = zlib.compressobj(level)

    def write(self, data: bytes) -> int:
        """Writes bytes."""
        self._file.write(self._compressor.compress(data))
        return len(data)

    def flush(self) -> None:
        """Writes what is held back."""
        self._file.write(self._compressor.flush(zlib.Z_SYNC_FLUSH))
        self._file.flush()

    def close(self) -> None:
        """Ends the stream and closes the file."""
        self._file.write(self._compressor.flush())
        self._file.close()


def compression_name(compression: Any) -> str:
    """ "" , "GZIP" or "ZLIB".

    Raises:
        ValueError: For anything else.
    """
    if hasattr(compression, "numpy"):
        compression = compression.numpy()
    if isinstance(compression, bytes):
        compression = compression.decode()
    name = {None: "", 0: "", "NONE": "", 1: "ZLIB", 2: "GZIP"}.get(compression, compression)
    if name not in ("", "GZIP", "ZLIB"):
        raise ValueError(f"`compression_type` must be '', 'GZIP' or 'ZLIB', got {compression!r}.")
    return str(name)


def _opened(path: str, mode: str) -> Any:
    """The file, which its user closes."""
    return open(path, mode)


def open_for_reading(path: str, compression: Any = "") -> Any:
    """A file object that gives the uncompressed bytes.

    Raises:
        NotFoundError: If there is no such file.
    """
    name = compression_name(compression)
    try:
        file = _opened(path, "rb")
    except FileNotFoundError:
        raise errors.NotFoundError(f"{path}; No such file or directory") from None
    except IsADirectoryError:
        raise errors.FailedPreconditionError(f"{path}; Is a directory") from None
    except PermissionError:
        raise errors.PermissionDeniedError(f"{path}; Permission denied") from None
    if name == "GZIP":
        file.close()
        return gzip.open(path, "rb")
    return ZlibReader(file) if name == "ZLIB" else file


def frame(record: bytes) -> bytes:
    """A record as it stands in a file."""
    length = struct.pack("<Q", len(record))
    return b"".join(
        [length, _FOOTER.pack(masked_crc32c(length)), record, _FOOTER.pack(masked_crc32c(record))]
    )


def read_records(path: str, compression: Any = "") -> Iterator[bytes]:
    """The records of a file.

    Args:
        path: The file.
        compression: "", "GZIP" or "ZLIB".

    Raises:
        NotFoundError: If there is no such file.
        DataLossError: If the file is cut short or damaged.
    """
    file = open_for_reading(path, compression)
    offset = 0
    try:
        while True:
            header = file.read(12)
            if not header:
                return
            if len(header) < 12:
                raise errors.DataLossError(f"truncated record at {offset} in {path}")
            length, check = _HEADER.unpack(header)
            if masked_crc32c(header[:8]) != check:
                raise errors.DataLossError(
                    f"corrupted record at {offset} in {path}: the checksum of its "
                    "length is wrong. Is it a TFRecord file, and "
                    "is `compression_type` right?"
                )
            body = file.read(length + 4)
            if len(body) < length + 4:
                raise errors.DataLossError(f"truncated record at {offset} in {path}")
            record = body[:length]
            if masked_crc32c(record) != _FOOTER.unpack(body[length:])[0]:
                raise errors.DataLossError(
                    f"corrupted record at {offset} in {path}: its checksum is wrong"
                )
            offset += length + 16
            yield record
    finally:
        file.close()


class RecordWriter:
    """Writes a record file.

    Args:
        path: The file; it is replaced.
        compression: "", "GZIP" or "ZLIB".
        level: Compression level, or None.
    """

    def __init__(self, path: str, compression: Any = "", level: int | None = None) -> None:
        name = compression_name(compression)
        try:
            file = _opened(path, "wb")
        except FileNotFoundError:
            raise errors.NotFoundError(f"{path}; No such file or directory") from None
        self._file: Any = file
        if name == "GZIP":
            self._inner = file
            self._file = gzip.GzipFile(
                fileobj=file,
                mode="wb",
                compresslevel=9 if level is None or level < 0 else level,
                mtime=0,
            )
        elif name == "ZLIB":
            self._file = ZlibWriter(file, -1 if level is None else level)

    def write(self, record: bytes) -> None:
        """Writes one record."""
        self._file.write(frame(record))

    def flush(self) -> None:
        """Hands what was written to the operating system."""
        self._file.flush()

    def close(self) -> None:
        """Closes the file."""
        self._file.close()
        inner = getattr(self, "_inner", None)
        if inner is not None:
            inner.close()
