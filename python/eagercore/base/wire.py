"""Protocol-buffer wire format: reading and writing messages field by field, without schemas."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from . import errors


def varint(value: int) -> bytes:
    """A whole number in groups of seven bits; negative ones as their 64-bit two's complement.

    >>> varint(300).hex()
    'ac02'
    """
    value &= 0xFFFFFFFFFFFFFFFF
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def read_varint(data: Any, position: int) -> tuple[int, int]:
    """The number at `position` and the position behind it.

    Raises:
        DataLossError: If the bytes end first.
    """
    value = shift = 0
    try:
        while True:
            byte = data[position]
            position += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value, position
            shift += 7
            if shift > 63:
                break
    except IndexError:
        pass
    raise errors.DataLossError("The message is cut short or damaged: a number does not end.")


def signed(value: int) -> int:
    """A 64-bit number read as two's complement."""
    return value - (1 << 64) if value >= 1 << 63 else value


class Writer:
    """Collects the fields of a message.

    >>> Writer().whole(1, 150).finish().hex()
    '089601'
    """

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def whole(self, number: int, value: int) -> Writer:
        """A whole number, a bool or an enumeration."""
        self._parts += [varint(number << 3), varint(int(value))]
        return self

    def block(self, number: int, value: Any) -> Writer:
        """Bytes or a message within the message."""
        view = memoryview(value).cast("B")
        self._parts += [varint(number << 3 | 2), varint(len(view)), view]  # type: ignore[list-item]
        return self

    def text(self, number: int, value: str) -> Writer:
        """Text."""
        return self.block(number, value.encode())

    def fixed32(self, number: int, value: int) -> Writer:
        """A number of four bytes."""
        self._parts += [varint(number << 3 | 5), struct.pack("<I", value)]
        return self

    def floats(self, number: int, values: Any) -> Writer:
        """Packed float32 numbers."""
        return self.block(number, np.ascontiguousarray(values, "<f4")) if len(values) else self

    def ints(self, number: int, values: Iterable[int]) -> Writer:
        """Packed whole numbers."""
        body = b"".join(map(varint, values))
        return self.block(number, body) if body else self

    def finish(self) -> bytes:
        """The message."""
        return b"".join(self._parts)


def fields(data: Any) -> Iterator[tuple[int, Any]]:
    """The fields of a message: pairs of number and value.

    Whole numbers come as unsigned ints, fixed ones as bytes of four or eight, the rest as memory views.

    Raises:
        DataLossError: If the message is cut short or damaged.
    """
    view = memoryview(data).cast("B")
    position, end = 0, len(view)
    while position < end:
        key, position = read_varint(view, position)
        kind = key & 7
        if kind == 0:
            value, position = read_varint(view, position)
            yield key >> 3, value
            continue
        if kind == 2:
            size, position = read_varint(view, position)
        elif kind in (1, 5):
            size = 8 if kind == 1 else 4
        else:
            raise errors.DataLossError(f"The message is damaged: there is no wire type {kind}.")
        if position + size > end:
            raise errors.DataLossError("The message is cut short.")
        yield key >> 3, view[position : position + size]
        position += size


def unpack_ints(value: Any) -> list[int]:
    """Whole numbers of a repeated field: packed, or a single one."""
    if isinstance(value, int):
        return [signed(value)]
    found, position = [], 0
    while position < len(value):
        number, position = read_varint(value, position)
        found.append(signed(number))
    return found


def unpack_floats(value: Any) -> Any:
    """float32 numbers of a repeated field: packed, or a single one."""
    return np.frombuffer(value, "<f4")
