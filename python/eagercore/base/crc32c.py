"""The checksum CRC-32C (Castagnoli) of byte strings, in NumPy.

Long strings are cut into lanes that run side by side; the lanes' sums are joined by what so many zero bytes would do to
a sum, which is a linear map of its 32 bits.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

_POLYNOMIAL = 0x82F63B78
_MASK_DELTA = 0xA282EAD8


@functools.cache
def _byte_table() -> list[int]:
    table = []
    for byte in range(256):
        value = byte
        for _ in range(8):
            value = value >> 1 ^ (_POLYNOMIAL if value & 1 else 0)
        table.append(value)
    return table


@functools.cache
def _word_tables() -> tuple[Any, Any]:
    """What the low and the high 16 bits of a word become after its four bytes went through."""
    table = np.array(_byte_table(), np.uint32)
    values = np.arange(65536, dtype=np.uint32)
    low, high = values, values << np.uint32(16)
    for _ in range(4):
        low = table[low & 0xFF] ^ low >> np.uint32(8)
        high = table[high & 0xFF] ^ high >> np.uint32(8)
    return low, high


@functools.cache
def _zeros_tables(count: int) -> Any:
    """The map of a sum over `count` zero bytes, as four tables of a byte each: shape (4, 256)."""
    columns = np.left_shift(np.uint32(1), np.arange(32, dtype=np.uint32))
    table = np.array(_byte_table(), np.uint32)
    power, result = table[columns & 0xFF] ^ columns >> np.uint32(8), columns
    while count:
        if count & 1:
            result = _apply(power, result)
        power = _apply(power, power)
        count >>= 1
    bytes_ = np.arange(256, dtype=np.uint32)
    return np.stack([_apply(result, bytes_ << np.uint32(8 * place)) for place in range(4)])


def _apply(columns: Any, values: Any) -> Any:
    """A linear map, given by what it makes of each bit, of an array of sums."""
    result = np.zeros_like(values)
    for bit in range(32):
        result ^= np.where(values >> np.uint32(bit) & np.uint32(1), columns[bit], np.uint32(0))
    return result


def _shift(sums: Any, count: int) -> Any:
    """Sums as they are after `count` zero bytes more."""
    tables = _zeros_tables(count)
    return (
        tables[0][sums & 0xFF]
        ^ tables[1][sums >> np.uint32(8) & 0xFF]
        ^ tables[2][sums >> np.uint32(16) & 0xFF]
        ^ tables[3][sums >> np.uint32(24)]
    )


def _short(data: bytes | memoryview, value: int) -> int:
    table = _byte_table()
    for byte in data:
        value = table[(value ^ byte) & 0xFF] ^ value >> 8
    return value


_LANE_WORDS = 64


def crc32c(data: Any, value: int = 0) -> int:
    """CRC-32C of `data`, continuing from `value`.

    Args:
        data: Bytes, or any contiguous buffer.
        value: Sum of what came before.

    Returns:
        The sum, 0 to 2**32 - 1.

    >>> hex(crc32c(b"123456789"))
    '0xe3069283'
    """
    view = memoryview(data).cast("B")
    state = value ^ 0xFFFFFFFF
    lane = 4 * _LANE_WORDS
    lanes = len(view) // lane
    if lanes >= 8:
        lanes = 1 << (lanes.bit_length() - 1)
        while len(view) >= 8 * lane:
            while lanes * lane > len(view):
                lanes //= 2
            state = _parallel(np.frombuffer(view[: lanes * lane], "<u4").reshape(lanes, -1), state)
            view = view[lanes * lane :]
    return _short(view, state) ^ 0xFFFFFFFF


def _parallel(words: Any, state: int) -> int:
    """The state after all words, a power of two of lanes."""
    low, high = _word_tables()
    sums = np.zeros(len(words), np.uint32)
    sums[0] = state
    columns = np.ascontiguousarray(words.T)
    for column in columns:
        sums ^= column
        sums = low[sums & 0xFFFF] ^ high[sums >> np.uint32(16)]
    count = 4 * words.shape[1]
    while len(sums) > 1:
        sums = _shift(sums[0::2], count) ^ sums[1::2]
        count *= 2
    return int(sums[0])


def masked_crc32c(data: Any) -> int:
    """CRC-32C as record files and tables store it: turned and added to, so that sums of sums stay good sums."""
    value = crc32c(data)
    return ((value >> 15 | value << 17) + _MASK_DELTA) & 0xFFFFFFFF


def unmasked(value: int) -> int:
    """The sum behind a masked one."""
    turned = (value - _MASK_DELTA) & 0xFFFFFFFF
    return (turned >> 17 | turned << 15) & 0xFFFFFFFF
