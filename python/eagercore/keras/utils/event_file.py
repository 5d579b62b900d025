"""TensorBoard's event files: records of protocol buffers, written by hand because two messages are all that is needed."""

from __future__ import annotations

import os
import socket
import struct
import time

_TABLE: list[int] = []


def _table() -> list[int]:
    """The table of CRC-32C (Castagnoli)."""
    if not _TABLE:
        for byte in range(256):
            value = byte
            for _ in range(8):
                value = (value >> 1) ^ (0x82F63B78 if value & 1 else 0)
            _TABLE.append(value)
    return _TABLE


def masked_crc(data: bytes) -> int:
    """Checksum of a record, rotated and shifted as the format wants it.

    >>> hex(masked_crc(b""))
    '0xa282ead8'
    """
    table, value = _table(), 0xFFFFFFFF
    for byte in data:
        value = table[(value ^ byte) & 0xFF] ^ (value >> 8)
    value ^= 0xFFFFFFFF
    return ((value >> 15 | value << 17) + 0xA282EAD8) & 0xFFFFFFFF


def _varint(value: int) -> bytes:
    made = bytearray()
    value &= (1 << 64) - 1
    while value > 0x7F:
        made.append(value & 0x7F | 0x80)
        value >>= 7
    made.append(value)
    return bytes(made)


def _bytes(field: int, data: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(data)) + data


def record(data: bytes) -> bytes:
    """A record: length, checksum of the length, data, checksum of the data."""
    length = struct.pack("<Q", len(data))
    return length + struct.pack("<I", masked_crc(length)) + data + struct.pack("<I", masked_crc(data))


class EventFile:
    """A new event file in a folder.

    Args:
        folder: The folder; made where it is not there.
    """

    def __init__(self, folder: str) -> None:
        os.makedirs(folder, exist_ok=True)
        name = f"events.out.tfevents.{int(time.time())}.{socket.gethostname()}.{os.getpid()}.{time.monotonic_ns() % 10**6}.v2"
        self.path = os.path.join(folder, name)
        self._file = open(self.path, "wb")  # closed by close()
        self._write(_bytes(3, b"brain.Event:2"), None)

    def _write(self, what: bytes, step: int | None) -> None:
        event = _varint(1 << 3 | 1) + struct.pack("<d", time.time())
        if step is not None:
            event += _varint(2 << 3) + _varint(step)
        self._file.write(record(event + what))

    def scalar(self, tag: str, value: float, step: int) -> None:
        """Writes one number."""
        number = _bytes(1, tag.encode()) + _varint(2 << 3 | 5) + struct.pack("<f", float(value))
        self._write(_bytes(5, _bytes(1, number)), int(step))

    def flush(self) -> None:
        """Hands what was written to the operating system."""
        self._file.flush()

    def close(self) -> None:
        """Closes the file."""
        self._file.close()
