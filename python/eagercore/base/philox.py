"""Philox4x32-10, the counter based generator behind every random number of the engine.

A stream is a 64-bit key and a 128-bit counter.  One step of the counter gives one *block*: four
32-bit words that depend on nothing but key and counter, so any part of a stream can be computed
without the parts before it, in any order, by any number of threads.

The layout (which seed goes where, how words become floats) is TensorFlow's, so that the same seeds
give the same numbers.  Only integer arithmetic, additions and multiplications are used for the
32-bit floats: the results do not depend on the processor or on NumPy's version.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint32]

MASK32 = 0xFFFFFFFF
MASK64 = 0xFFFFFFFFFFFFFFFF
MASK128 = (1 << 128) - 1

# The constants of the published algorithm (Salmon et al., "Parallel random numbers: as easy as
# 1, 2, 3", 2011): two multipliers and the two steps by which the key grows from round to round.
_MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
_KEY_STEPS = (0x9E3779B9, 0xBB67AE85)
_ROUNDS = 10

# The work arrays of a chunk are of 1 MiB: each NumPy call then works long enough for several threads to share the
# interpreter. Shorter ones would stay in a smaller cache, but two threads would wait for each other half of the time.
CHUNK = 65536
# Below this many blocks plain Python integers beat sixty NumPy calls.
_FEW = 14

_MULTIPLIER_COLUMNS = (
    np.array([[_MULTIPLIERS[0]], [_MULTIPLIERS[1]]], np.uint64),
    np.array([[_MULTIPLIERS[1]], [_MULTIPLIERS[0]]], np.uint64),
)
_SHIFT = np.uint64(32)
_LOW = np.uint64(MASK32)


def philox_block(key: int, counter: int) -> tuple[int, int, int, int]:
    """One block of four 32-bit words, in plain Python integers.

    Args:
        key: The 64-bit key.
        counter: The 128-bit counter.

    Returns:
        The four words, each in `[0, 2**32)`.

    >>> [hex(word) for word in philox_block(0, 0)]
    ['0x6627e8d5', '0xe169c58d', '0xbc57ac4c', '0x9b00dbd8']
    """
    c0, c1 = counter & MASK32, (counter >> 32) & MASK32
    c2, c3 = (counter >> 64) & MASK32, (counter >> 96) & MASK32
    k0, k1 = key & MASK32, (key >> 32) & MASK32
    m0, m1 = _MULTIPLIERS
    for _ in range(_ROUNDS):
        first, second = m0 * c0, m1 * c2
        c0, c1, c2, c3 = (
            (second >> 32) ^ c1 ^ k0,
            second & MASK32,
            (first >> 32) ^ c3 ^ k1,
            first & MASK32,
        )
        k0 = (k0 + _KEY_STEPS[0]) & MASK32
        k1 = (k1 + _KEY_STEPS[1]) & MASK32
    return c0, c1, c2, c3


def _round_keys(key: int) -> list[NDArray[np.uint64]]:
    """The key of each round as a column, in the order of the two lanes in that round."""
    k0, k1 = key & MASK32, (key >> 32) & MASK32
    columns = []
    for index in range(_ROUNDS):
        # The lanes trade places in each round (see _mix), so the keys alternate as well.
        pair = (k1, k0) if index % 2 == 0 else (k0, k1)
        columns.append(np.array([[pair[0]], [pair[1]]], np.uint64))
        k0 = (k0 + _KEY_STEPS[0]) & MASK32
        k1 = (k1 + _KEY_STEPS[1]) & MASK32
    return columns


class _Workspace:
    """Buffers for up to `size` blocks, reused from chunk to chunk."""

    __slots__ = ("state", "product", "previous")

    def __init__(self, size: int) -> None:
        self.state = np.empty((2, size), np.uint64)
        self.product = np.empty((2, size), np.uint64)
        self.previous = np.empty((2, size), np.uint64)


def _mix(
    low: Any, high: int, keys: list[NDArray[np.uint64]], out: Words, space: _Workspace
) -> None:
    """Writes the blocks of the counters `high * 2**64 + low` into `out` (n, 4).

    The two words that are multiplied in a round sit in two lanes of one array.  The upper half of a
    product, mixed with a word and a key, is the next word of the *other* lane; instead of moving
    it there the lanes change names, which is why multipliers and keys alternate.
    """
    count = out.shape[0]
    state, product, previous = (
        space.state[:, :count],
        space.product[:, :count],
        space.previous[:, :count],
    )
    np.bitwise_and(low, _LOW, out=state[0])
    state[1] = high & MASK32
    # Words one and three, placed where the low halves of the round before would be.
    np.right_shift(low, _SHIFT, out=previous[0])
    previous[1] = high >> 32
    for index, key in enumerate(keys):
        np.multiply(state, _MULTIPLIER_COLUMNS[index % 2], out=product)
        np.right_shift(product, _SHIFT, out=state)
        np.bitwise_xor(state, previous[::-1], out=state)
        np.bitwise_xor(state, key, out=state)
        np.bitwise_and(state, _LOW, out=state)
        product, previous = previous, product
    # `previous` now holds the last products: their low halves are words one and three.
    np.left_shift(previous, _SHIFT, out=product)
    pairs = out.view(np.uint64)
    if not _LITTLE_ENDIAN:  # pragma: no cover - the word order inside a 64-bit integer
        np.left_shift(state, _SHIFT, out=state)
        np.right_shift(product, _SHIFT, out=product)
    np.bitwise_or(state, product, out=pairs.T)


_LITTLE_ENDIAN = np.array([1], np.uint16).view(np.uint8)[0] == 1


def fill_words(key: int, counter: int, out: Words) -> None:
    """Fills `out` (n, 4), C contiguous, with the blocks `counter`, `counter + 1`, ...

    Args:
        key: The 64-bit key.
        counter: The 128-bit counter of the first block; it wraps at `2**128`.
        out: The array to fill.

    >>> words = np.empty((2, 4), np.uint32)
    >>> fill_words(0, 0, words)
    >>> hex(words[0, 0])
    '0x6627e8d5'
    """
    blocks = out.shape[0]
    if blocks < _FEW:
        for index in range(blocks):
            out[index] = philox_block(key, (counter + index) & MASK128)
        return
    keys = _round_keys(key)
    space = _Workspace(min(blocks, CHUNK))
    start = 0
    while start < blocks:
        position = (counter + start) & MASK128
        low, high = position & MASK64, position >> 64
        # A chunk ends where the lower half of the counter would wrap.
        count = min(CHUNK, blocks - start, MASK64 - low + 1)
        lows = np.arange(count, dtype=np.uint64)
        lows += np.uint64(low)
        _mix(lows, high, keys, out[start : start + count], space)
        start += count


def words_at(key: int, counter: int, offsets: Any) -> Words:
    """The blocks at `counter + offset` for each of the `offsets`: jump-ahead, vectorised.

    Args:
        key: The 64-bit key.
        counter: The 128-bit counter the offsets count from.
        offsets: Integers of any shape, each in `[0, 2**63)`.

    Returns:
        uint32 array of the shape of `offsets` with a last axis of four words.

    >>> words_at(0, 0, [5])[0].tolist() == list(philox_block(0, 5))
    True
    """
    offsets = np.asarray(offsets, np.uint64)
    flat = offsets.reshape(-1)
    out = np.empty((flat.size, 4), np.uint32)
    if flat.size < _FEW:
        for index, offset in enumerate(flat.tolist()):
            out[index] = philox_block(key, (counter + offset) & MASK128)
    else:
        keys = _round_keys(key)
        space = _Workspace(min(flat.size, CHUNK))
        low, high = counter & MASK64, (counter >> 64) & MASK64
        for start in range(0, flat.size, CHUNK):
            part = flat[start : start + CHUNK] + np.uint64(low)
            _mix(part, high, keys, out[start : start + CHUNK], space)
            wrapped = np.flatnonzero(part < np.uint64(low))
            for index in wrapped.tolist():
                full = (counter + int(flat[start + index])) & MASK128
                out[start + index] = philox_block(key, full)
    return out.reshape(*offsets.shape, 4)


class Philox:
    """A position in a stream: a key and a counter, with TensorFlow's rules for making them.

    Args:
        key: The 64-bit key.
        counter: The 128-bit counter.

    >>> stream = Philox.from_seeds(1, 2)
    >>> stream.words(4).tolist() == list(philox_block(1, 2 << 64))
    True
    """

    __slots__ = ("key", "counter")

    def __init__(self, key: int, counter: int = 0) -> None:
        self.key = key & MASK64
        self.counter = counter & MASK128

    @classmethod
    def from_seeds(cls, seed: int, seed2: int = 0) -> Philox:
        """The stream of a pair of seeds: the first is the key, the second half the counter."""
        return cls(seed, (seed2 & MASK64) << 64)

    @classmethod
    def from_state(cls, state: Any) -> Philox:
        """The position written in three 64-bit integers: counter (low, high), then key."""
        low, high, key = (int(value) & MASK64 for value in np.asarray(state).reshape(-1).tolist())
        return cls(key, (high << 64) | low)

    @classmethod
    def from_stateless_seed(cls, seed: Any) -> Philox:
        """The stream of a stateless operation's two seeds, scrambled so that any pair will do.

        Args:
            seed: Two integers.
        """
        first, second = (int(value) & MASK64 for value in np.asarray(seed).reshape(-1).tolist())
        mixed = philox_block(0x02461E293EC8F720, (second << 64) | first)
        return cls((mixed[1] << 32) | mixed[0], ((mixed[3] << 32) | mixed[2]) << 64)

    def state(self) -> NDArray[np.int64]:
        """The position as three int64: counter (low, high), then key."""
        parts = [self.counter & MASK64, self.counter >> 64, self.key]
        return np.array(parts, np.uint64).view(np.int64)

    def skip(self, blocks: int) -> None:
        """Moves on by a number of blocks."""
        self.counter = (self.counter + blocks) & MASK128

    def copy(self) -> Philox:
        """A second, independent position at the same place."""
        return type(self)(self.key, self.counter)

    def reader(self, start: int = 0) -> Callable[[int], Words]:
        """A function that gives the next `count` blocks, as a new array (count, 4); the position stays.

        Args:
            start: Blocks to leave out before the first.

        >>> read = Philox(1).reader(2)
        >>> bool((read(1) == Philox(1).words(4, 2)).all())
        True
        """
        at = self.counter + start

        def read(count: int) -> Words:
            nonlocal at
            out = np.empty((count, 4), np.uint32)
            fill_words(self.key, at, out)
            at += count
            return out

        return read

    def words(self, count: int, offset: int = 0) -> Words:
        """The `count` 32-bit words that start `offset` blocks on; the position stays."""
        out = np.empty((-(-count // 4), 4), np.uint32)
        fill_words(self.key, self.counter + offset, out)
        return out.reshape(-1)[:count]

    def __repr__(self) -> str:
        return f"Philox(key={self.key:#x}, counter={self.counter:#x})"


class Unforeseen(Philox):
    """A position in a stream that nobody has given a seed: :meth:`reader` takes its words from a generator
    that is ten times as fast, and still gives the same words for the same position.

    >>> stream = Unforeseen(1)
    >>> bool((stream.reader()(6)[4:] == stream.reader(4)(2)).all())
    True
    """

    __slots__ = ()

    def reader(self, start: int = 0) -> Callable[[int], Words]:
        """A function that gives the next `count` blocks, as a new array (count, 4); the position stays."""
        generator = np.random.PCG64DXSM([self.key, self.counter & MASK64, self.counter >> 64])
        generator.advance(2 * start)

        def read(count: int) -> Words:
            words: Words = generator.random_raw(2 * count).view(np.uint32).reshape(count, 4)
            return words

        return read


class SingleWords:
    """One word at a time from a stream, for algorithms that draw until they are content.

    Args:
        philox: The position to start from; it is not moved.

    Attributes:
        drawn: How many words have been taken (or left out).

    >>> single = SingleWords(Philox(0))
    >>> hex(single())
    '0x6627e8d5'
    """

    __slots__ = ("drawn", "_start", "_words", "_first", "_blocks")

    def __init__(self, philox: Philox) -> None:
        self.drawn = 0
        self._start = philox.copy()
        self._words: list[int] = []  # the words from number `_first` on
        self._first = 0
        self._blocks = 1

    def __call__(self) -> int:
        """The next word."""
        index = self.drawn - self._first
        if not 0 <= index < len(self._words):
            block, index = divmod(self.drawn, 4)
            self._words = self._start.words(4 * self._blocks, offset=block).tolist()
            self._first = 4 * block
            # Buffers grow, so that a long series of draws costs one array operation now and then.
            self._blocks = min(self._blocks * 4, 1024)
        self.drawn += 1
        return self._words[index]

    def skip(self, count: int) -> None:
        """Leaves out the next `count` words."""
        self.drawn += count

    def float32(self) -> float:
        """The next word as a float32 in `[0, 1)`."""
        return (self() & 0x7FFFFF) * 2.0**-23

    def float64(self) -> float:
        """The next two words as a float64 in `[0, 1)`."""
        high = self() & 0xFFFFF
        return ((high << 32) | self()) * 2.0**-52

    def word64(self) -> int:
        """The next two words as one 64-bit integer, the low word first."""
        low = self()
        return low | (self() << 32)

    def below(self, limit: int, bits: int = 32) -> int:
        """An exactly uniform integer in `[0, limit)`, by rejection."""
        draw = self if bits == 32 else self.word64
        if limit & (limit - 1) == 0:
            return draw() & (limit - 1)
        skewed = ((1 << bits) - 1) % limit + 1
        while True:
            value = draw()
            if value >= skewed:
                return value % limit
