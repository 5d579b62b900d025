"""Checkpoint files: a table of what tensors there are, and their bytes, in TensorFlow's own format.

`prefix.index` is the table, `prefix.data-00000-of-00001` the bytes. What TensorFlow wrote is read here, and the other
way round. Both files come into being complete or not at all.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..base import dtypes, errors, wire
from ..base.crc32c import crc32c, masked_crc32c, unmasked
from ..base.shapes import TensorShape
from ..base.tensor_proto import decode_shape, encode_shape
from .table import decode_table, encode_table

#: Key under which a checkpoint keeps the graph of its objects.
GRAPH_KEY = "_CHECKPOINTABLE_OBJECT_GRAPH"


def _mask(value: int) -> int:
    return ((value >> 15 | value << 17) + 0xA282EAD8) & 0xFFFFFFFF


def _encode_strings(array: np.ndarray) -> tuple[bytes, int]:
    """Lengths, their checksum, then the strings; and the checksum of all."""
    items = [bytes(item) for item in array.reshape(-1)]
    lengths = b"".join(wire.varint(len(item)) for item in items)
    plain = b"".join(struct.pack("<I" if len(item) < 2**32 else "<Q", len(item)) for item in items)
    check = crc32c(plain)
    turned = struct.pack("<I", _mask(check))
    body = b"".join(items)
    return lengths + turned + body, _mask(crc32c(body, crc32c(turned, check)))


def _decode_strings(data: bytes, shape: tuple[int, ...], key: str, check: int) -> np.ndarray:
    count = int(np.prod(shape, dtype=np.int64))
    lengths, place = [], 0
    for _ in range(count):
        length, place = wire.read_varint(data, place)
        lengths.append(length)
    plain = b"".join(struct.pack("<I" if n < 2**32 else "<Q", n) for n in lengths)
    turned = data[place : place + 4]
    if struct.pack("<I", _mask(crc32c(plain))) != turned:
        raise errors.DataLossError(f"The checksum of the string lengths of {key} is wrong.")
    if _mask(crc32c(data[place + 4 :], crc32c(turned, crc32c(plain)))) != check:
        raise errors.DataLossError(f"The checksum of the strings of {key} is wrong.")
    place += 4
    out = np.empty(count, object)
    for number, length in enumerate(lengths):
        out[number] = data[place : place + length]
        place += length
    return out.reshape(shape)


def write_file(path: str, parts: Any) -> None:
    """Writes bytes to a file that is replaced only when all of it is on the disk."""
    temporary = f"{path}.{os.getpid()}.tempstate"
    try:
        with open(temporary, "wb") as file:
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        if os.path.exists(temporary):
            os.remove(temporary)
        raise


def data_path(prefix: str, shard: int = 0, shards: int = 1) -> str:
    """Name of a file of bytes."""
    return f"{prefix}.data-{shard:05d}-of-{shards:05d}"


def write_bundle(prefix: str, tensors: Mapping[str, np.ndarray]) -> None:
    """Writes arrays as a checkpoint.

    Args:
        prefix: Path of the files without their endings; the folder is made.
        tensors: key -> array (strings as bytes in object arrays).
    """
    os.makedirs(os.path.dirname(prefix) or ".", exist_ok=True)
    header = wire.Writer().whole(1, 1).block(3, wire.Writer().whole(1, 1).finish()).finish()
    entries = [(b"", header)]
    parts: list[Any] = []
    offset = 0
    for key in sorted(tensors, key=lambda k: k.encode()):
        array = np.asarray(tensors[key])
        dtype = dtypes.of_array(array)
        body: Any
        if dtype.kind == "S":
            body, check = _encode_strings(array)
            size = len(body)
        else:
            if array.dtype.kind in "iufc":
                array = array.astype(array.dtype.newbyteorder("<"), copy=False)
            body = memoryview(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
            check, size = masked_crc32c(body), body.nbytes
        entry = wire.Writer().whole(1, dtype.as_datatype_enum).block(2, encode_shape(array.shape))
        if offset:
            entry.whole(4, offset)
        entries.append((key.encode(), entry.whole(5, size).fixed32(6, check).finish()))
        parts.append(body)
        offset += size
    write_file(data_path(prefix), parts)
    write_file(prefix + ".index", [encode_table(entries)])


class _Entry:
    """Where a tensor is."""

    def __init__(self, data: bytes) -> None:
        self.dtype, self.shape = dtypes.float32, TensorShape([])
        self.shard = self.offset = self.size = self.check = 0
        self.sliced = False
        for number, value in wire.fields(data):
            if number == 1:
                self.dtype = dtypes.as_dtype(value)
            elif number == 2:
                self.shape = decode_shape(value)
            elif number in (3, 4, 5):
                setattr(self, ("shard", "offset", "size")[number - 3], value)
            elif number == 6:
                self.check = struct.unpack("<I", value)[0]
            elif number == 7:
                self.sliced = True


class CheckpointReader:
    """Reads the tensors of a checkpoint.

    Args:
        prefix: Path of the files without their endings.

    Raises:
        NotFoundError: If there is no such checkpoint.
        DataLossError: If it is damaged.
    """

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        try:
            with open(prefix + ".index", "rb") as file:
                table = decode_table(file.read(), prefix + ".index")
        except (FileNotFoundError, NotADirectoryError):
            raise errors.NotFoundError(
                f"Unsuccessful TensorSliceReader constructor: Failed to find any matching files for {prefix}"
            ) from None
        self._shards = next((v for n, v in wire.fields(table.pop(b"", b"")) if n == 1), 1)
        self._entries = {
            key.decode("utf-8", "replace"): _Entry(value) for key, value in table.items()
        }

    def keys(self) -> list[str]:
        """The keys in order."""
        return sorted(self._entries)

    def has_tensor(self, tensor_str: str) -> bool:
        """Whether there is a tensor of that key."""
        return tensor_str in self._entries

    def get_variable_to_shape_map(self) -> dict[str, list[Any]]:
        """key -> shape as a list."""
        return {key: self._entries[key].shape.as_list() for key in self.keys()}

    def get_variable_to_dtype_map(self) -> dict[str, dtypes.DType]:
        """key -> dtype."""
        return {key: self._entries[key].dtype for key in self.keys()}

    def get_tensor(self, tensor_str: str) -> Any:
        """The tensor of a key, as a NumPy array (bytes for a scalar string).

        Raises:
            NotFoundError: If there is none.
            DataLossError: If its bytes are damaged.
        """
        array = self.read(tensor_str)
        return array if array.ndim else array[()]

    def read(self, key: str) -> np.ndarray:
        """The tensor of a key as an array, also for scalars."""
        entry = self._entries.get(key)
        if entry is None:
            raise errors.NotFoundError(f"Key {key} not found in checkpoint {self.prefix}")
        if entry.sliced:
            raise errors.UnimplementedError(
                f"{key} is saved in parts (a partitioned variable), which the engine does not read."
            )
        path = data_path(self.prefix, entry.shard, self._shards)
        try:
            with open(path, "rb") as file:
                file.seek(entry.offset)
                data = file.read(entry.size)
        except FileNotFoundError:
            raise errors.NotFoundError(f"{path}; No such file or directory") from None
        if len(data) < entry.size:
            raise errors.DataLossError(f"{path} is cut short: {key} is not whole.")
        shape = tuple(extent or 0 for extent in entry.shape)
        if entry.dtype.kind == "S":
            return _decode_strings(data, shape, key, entry.check)
        if crc32c(data) != unmasked(entry.check):
            raise errors.DataLossError(f"{path} is damaged: the checksum of {key} is wrong.")
        kind = entry.dtype._numpy()
        stored = kind.newbyteorder("<") if kind.kind in "iufc" else kind
        return np.frombuffer(data, stored).astype(kind).reshape(shape)

    def debug_string(self) -> bytes:
        """One line for each tensor."""
        lines = [
            f"{key} (DT_{entry.dtype.name.upper().replace('FLOAT32', 'FLOAT').replace('FLOAT64', 'DOUBLE')}) "
            f"[{','.join(map(str, entry.shape))}]\n"
            for key, entry in sorted(self._entries.items())
        ]
        return "".join(lines).encode()


CheckpointReader.__module__ = "eagercore"
