"""TensorBoard's event files: records of protocol buffers, written by hand because two messages are all that "
"is needed."""

from __future__ import annotations

import os
import socket
import struct
import time

from ...base.crc32c import masked_crc32c
from ...base.wire import varint


def _bytes(field: int, data: bytes) -> bytes:
    return varint(field << 3 | 2) + varint(len(data)) + data


def record(data: bytes) -> bytes:
    """A record: length, checksum of the length, data, checksum of the data."""
    length = struct.pack("<Q", len(data))
    return (
        length
        + struct.pack("<I", masked_crc32c(length))
        + data
        + struct.pack("<I", masked_crc32c(data))
    )


class EventFile:
    """A new event file in a folder.

    Args:
        folder: The folder; made where it is not there.
    """

    def __init__(self, folder: str) -> None:
        os.makedirs(folder, exist_ok=True)
        now, host = time.time(), socket.gethostname()
        name = (
            f"events.out.tfevents.{int(now)}.{host}.{os.getpid()}.{time.monotonic_ns() % 10**6}.v2"
        )
        self.path = os.path.join(folder, name)
        self._waiting: list[bytes] = []
        self._write(_bytes(3, b"brain.Event:2"), None)

    def _write(self, what: bytes, step: int | None) -> None:
        event = varint(1 << 3 | 1) + struct.pack("<d", time.time())
        if step is not None:
            event += varint(2 << 3) + varint(step)
        self._waiting.append(record(event + what))

    def scalar(self, tag: str, value: float, step: int) -> None:
        """Writes one number."""
        number = _bytes(1, tag.encode()) + varint(2 << 3 | 5) + struct.pack("<f", float(value))
        self._write(_bytes(5, _bytes(1, number)), int(step))

    def flush(self) -> None:
        """Appends what was written since the last time to the file."""
        waiting, self._waiting = self._waiting, []
        with open(self.path, "ab") as file:
            file.writelines(waiting)

    def close(self) -> None:
        """Writes what is left."""
        self.flush()
