"""Sorted tables of keys and values in one file, as LevelDB and TensorFlow's checkpoint indexes store them.

Blocks of entries, whose keys leave out what they share with the key before; a block that says where the blocks are; a
footer. Each block has a checksum.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator

from ..base import errors
from ..base.crc32c import masked_crc32c
from ..base.wire import read_varint, varint

_MAGIC = 0xDB4775248B80FB57
_RESTART_INTERVAL = 16
_BLOCK_SIZE = 256 * 1024
_FOOTER_SIZE = 48


class _Block:
    """Entries that are being put together."""

    def __init__(self) -> None:
        self.body = bytearray()
        self._restarts = [0]
        self._since = 0
        self._last = b""

    def add(self, key: bytes, value: bytes) -> None:
        """Adds an entry; keys come in order."""
        shared = 0
        if self._since == _RESTART_INTERVAL:
            self._restarts.append(len(self.body))
            self._since = 0
        else:
            while shared < min(len(key), len(self._last)) and key[shared] == self._last[shared]:
                shared += 1
        self.body += (
            varint(shared) + varint(len(key) - shared) + varint(len(value)) + key[shared:] + value
        )
        self._since += 1
        self._last = key

    def finish(self) -> bytes:
        """The block with its checksum."""
        tail = struct.pack(f"<{len(self._restarts) + 1}I", *self._restarts, len(self._restarts))
        whole = bytes(self.body) + tail + b"\x00"
        return whole + struct.pack("<I", masked_crc32c(whole))


def encode_table(entries: Iterable[tuple[bytes, bytes]]) -> bytes:
    """A table of entries in the order of their keys.

    Args:
        entries: Pairs of key and value, sorted.

    Returns:
        The file's bytes.
    """
    out = bytearray()
    index = _Block()

    def put(block: _Block) -> bytes:
        start = len(out)
        out.extend(block.finish())
        return varint(start) + varint(len(out) - start - 5)

    block, last = _Block(), b""
    for key, value in entries:
        if len(block.body) >= _BLOCK_SIZE:
            index.add(last, put(block))
            block = _Block()
        block.add(key, value)
        last = key
    index.add(last, put(block))
    handles = put(_Block()) + put(index)
    return bytes(out) + handles.ljust(40, b"\x00") + struct.pack("<Q", _MAGIC)


def decode_table(data: bytes, path: str) -> dict[bytes, bytes]:
    """The entries of a table.

    Args:
        data: The file's bytes.
        path: Its name, for messages.

    Raises:
        DataLossError: If it is no table, or damaged.
    """
    if len(data) < _FOOTER_SIZE or struct.unpack("<Q", data[-8:])[0] != _MAGIC:
        raise errors.DataLossError(f"{path} is no checkpoint index (an sstable): bad magic number.")
    footer = data[-_FOOTER_SIZE:]
    _, place = read_varint(footer, 0)
    _, place = read_varint(footer, place)
    found: dict[bytes, bytes] = {}
    for _, handle in _entries(_block(data, footer[place:], path), path):
        found.update(_entries(_block(data, handle, path), path))
    return found


def _block(data: bytes, handle: bytes, path: str) -> bytes:
    start, place = read_varint(handle, 0)
    size, _ = read_varint(handle, place)
    whole = data[start : start + size + 5]
    if len(whole) < size + 5 or masked_crc32c(whole[:-4]) != struct.unpack("<I", whole[-4:])[0]:
        raise errors.DataLossError(f"{path} is damaged: the checksum of a block is wrong.")
    if whole[size]:
        raise errors.UnimplementedError(
            f"{path} is compressed, which the engine does not read. Write it uncompressed."
        )
    return whole[:size]


def _entries(block: bytes, path: str) -> Iterator[tuple[bytes, bytes]]:
    count = struct.unpack("<I", block[-4:])[0]
    end = len(block) - 4 - 4 * count
    if end < 0:
        raise errors.DataLossError(f"{path} is damaged: a block is cut short.")
    place, key = 0, b""
    while place < end:
        shared, place = read_varint(block, place)
        own, place = read_varint(block, place)
        size, place = read_varint(block, place)
        key = key[:shared] + block[place : place + own]
        yield key, block[place + own : place + own + size]
        place += own + size
