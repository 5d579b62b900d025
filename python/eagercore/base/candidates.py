"""Sampling of classes for losses over many classes, and shuffled positions without a table."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import errors
from .draws import by_c_library
from .philox import Philox, SingleWords

Array = NDArray[Any]


class UniformClasses:
    """Every class in `[0, size)` is as likely as any other.

    Args:
        size: Number of classes.

    >>> float(UniformClasses(4).probability(np.array([2]))[0])
    0.25
    """

    def __init__(self, size: int) -> None:
        self.size = size

    def draw(self, words: SingleWords) -> int:
        """One class."""
        return words.below(self.size, bits=64)

    def probability(self, classes: Array) -> NDArray[np.float32]:
        """How likely each of the classes is."""
        return np.full(classes.shape, 1.0 / self.size, np.float32)

    def learn(self, classes: Array) -> None:
        """Nothing is learned from the classes seen."""


class LogUniformClasses(UniformClasses):
    """Classes ordered by falling frequency, as words of a lexicon are (Zipf's law)."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self._log_size = math.log1p(size)

    def draw(self, words: SingleWords) -> int:
        """One class."""
        return (int(math.exp(words.float64() * self._log_size)) - 1) % self.size

    def probability(self, classes: Array) -> NDArray[np.float32]:
        """How likely each of the classes is."""
        classes = classes.astype(np.float64)
        return (np.log((classes + 2.0) / (classes + 1.0)) / self._log_size).astype(np.float32)


class LearnedClasses(UniformClasses):
    """Classes as frequent as they were among those seen; each begins with one sight."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self._sights = np.ones(size, np.int64)
        self._sums: Array | None = None

    def draw(self, words: SingleWords) -> int:
        """One class."""
        if self._sums is None:
            self._sums = np.cumsum(self._sights)
        position = words.below(int(self._sums[-1]))
        return int(np.searchsorted(self._sums, position, side="right"))

    def probability(self, classes: Array) -> NDArray[np.float32]:
        """How likely each of the classes is."""
        return self._sights[classes].astype(np.float32) / np.float32(self._sights.sum())

    def learn(self, classes: Array) -> None:
        """Counts the classes seen."""
        np.add.at(self._sights, classes.reshape(-1), 1)
        self._sums = None


class FixedClasses(UniformClasses):
    """Classes of given weights, drawn by Walker's aliases.

    Args:
        size: Number of classes, which must be that of the weights of this shard.
        weights: A count or relative probability for each class after the reserved ones.
        distortion: Power that the weights are raised to.
        num_reserved_ids: Number of classes before the first weight, of probability 0.
        num_shards: Number of parts the classes are dealt into.
        shard: Which of the parts this is.

    Raises:
        InvalidArgumentError: If the number of weights is not `size`.
    """

    def __init__(
        self,
        size: int,
        weights: Iterable[float],
        distortion: float = 1.0,
        num_reserved_ids: int = 0,
        num_shards: int = 1,
        shard: int = 0,
    ) -> None:
        super().__init__(size)
        own = [np.float32(0)] * len([i for i in range(num_reserved_ids) if i % num_shards == shard])
        for number, weight in enumerate(weights, start=len(own)):
            if number % num_shards == shard:
                own.append(np.float32(float(np.float32(weight)) ** distortion))
        if len(own) != size:
            raise errors.InvalidArgumentError(
                f"fixed_unigram_candidate_sampler: range_max is {size}, but there are weights for {len(own)} classes "
                "(reserved ones included). Make them equal."
            )
        self._weights = np.array(own, np.float32)
        self._total = np.float32(0)
        for own_weight in own:
            self._total += own_weight
        self._keep, self._alias = _aliases(self._weights)

    def draw(self, words: SingleWords) -> int:
        """One class."""
        chance = words.float32()
        index = words.below(self.size)
        return index if chance < self._keep[index] else self._alias[index]

    def probability(self, classes: Array) -> NDArray[np.float32]:
        """How likely each of the classes is."""
        return self._weights[classes] / self._total


def _aliases(weights: NDArray[np.float32]) -> tuple[list[float], list[int]]:
    """For each class the chance to stay, and the class to go to otherwise."""
    size = weights.size
    total = float(np.cumsum(weights.astype(np.float64))[-1])
    # The product is rounded to single precision before it is divided.
    chance = [float(np.float32(w * np.float32(size))) / total for w in weights]
    alias = list(range(size))
    poor = [i for i, c in enumerate(chance) if c < 1.0]
    rich = [i for i, c in enumerate(chance) if c >= 1.0]
    while poor and rich:
        low, high = poor.pop(), rich.pop()
        alias[low] = high
        chance[high] -= 1.0 - chance[low]
        (poor if chance[high] < 1.0 else rich).append(high)
    for index in poor + rich:
        chance[index], alias[index] = 1.0, index
    return [float(np.float32(c)) for c in chance], alias


def sample_classes(
    stream: Philox, classes: UniformClasses, true_classes: Array, num_sampled: int, unique: bool
) -> tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.float32]]:
    """Draws classes, and how often the true and the drawn ones are expected in such a draw.

    Args:
        stream: Where to take the words from.
        classes: The distribution.
        true_classes: int64 array of any shape.
        num_sampled: How many to draw.
        unique: Whether a class may come only once.

    Returns:
        The classes drawn (num_sampled,), the expected counts of the true ones and of the drawn ones.

    Raises:
        InvalidArgumentError: If a true class is out of range, or `unique` asks for more classes than exist.
    """
    wrong = true_classes[(true_classes < 0) | (true_classes >= classes.size)]
    if wrong.size:
        raise errors.InvalidArgumentError(
            f"`true_classes` out of range [0, {classes.size}), received {int(wrong[0])}."
        )
    if unique and num_sampled > classes.size:
        raise errors.InvalidArgumentError(
            f"Sampler's range is too small: {num_sampled} unique classes were asked for, but range_max "
            f"is {classes.size}."
        )
    words = SingleWords(stream)
    drawn: list[int] = []
    seen: set[int] = set()
    tries = 0
    while len(drawn) < num_sampled:
        tries += 1
        value = classes.draw(words)
        if not unique or value not in seen:
            seen.add(value)
            drawn.append(value)
    sampled = np.array(drawn, np.int64)
    counts = [
        _expected(classes.probability(c), num_sampled, tries) for c in (true_classes, sampled)
    ]
    classes.learn(true_classes)
    return sampled, counts[0], counts[1]


def _expected(probability: NDArray[np.float32], size: int, tries: int) -> NDArray[np.float32]:
    if tries == size:
        return probability * np.float32(size)
    log = by_c_library(math.log1p, -probability).astype(np.float32) * np.float32(tries)
    return -by_c_library(math.expm1, log).astype(np.float32)


# ------------------------------------------------------------------------------------ index shuffling


def index_shuffle(
    index: Array, key: Array, max_index: Array, rounds: int = 4
) -> NDArray[np.uint64]:
    """Where each index goes in a random order of `0 ... max_index`, without making the order.

    A small Simon block cipher is applied until the result lies in range (a cycle walk).

    Args:
        index: (n,) integers in `[0, max_index]`.
        key: (n, 3) or (1, 3) 32-bit keys.
        max_index: (n,) largest index.
        rounds: Even number of rounds, at least 4.

    Returns:
        uint64 array (n,).
    """
    index, key, max_index = (np.asarray(a).astype(np.uint64) for a in (index, key, max_index))
    key = np.broadcast_to(key & np.uint64(0xFFFFFFFF), (index.size, 3))
    result = np.zeros(index.size, np.uint64)
    for bits in sorted({_word_bits(int(m)) for m in np.unique(max_index)}):
        rows = np.array([_word_bits(int(m)) == bits for m in max_index.tolist()])
        rows &= max_index > 0
        result[rows] = _walk(index[rows], key[rows], max_index[rows], bits, rounds)
    return result


def _word_bits(max_index: int) -> int:
    """Half the block: enough for the largest index, at least 8 bits."""
    bits = (max_index - 1).bit_length() if max_index > 1 else 0
    return max(bits + bits % 2, 16) // 2


def _walk(index: Array, key: Array, max_index: Array, bits: int, rounds: int) -> Array:
    mask = np.uint64((1 << bits) - 1)
    shift = np.uint64(bits)

    def turn(x: Array, left: int) -> Array:
        left %= bits
        return ((x << np.uint64(left)) | (x >> np.uint64(bits - left))) & mask

    keys = _round_keys(key, rounds, bits, turn)
    current = index.copy()
    rows = np.arange(index.size)
    while rows.size:
        left, right = (current[rows] >> shift) & mask, current[rows] & mask
        for first, second in zip(keys[0::2], keys[1::2], strict=True):
            left ^= _mixed(right, turn) ^ first[rows]
            right ^= _mixed(left, turn) ^ second[rows]
        current[rows] = (left << shift) | right
        rows = rows[current[rows] > max_index[rows]]
    return current


def _mixed(x: Array, turn: Callable[[Array, int], Array]) -> Array:
    return (turn(x, 1) & turn(x, 8)) ^ turn(x, 2)


def _round_keys(
    key: Array, rounds: int, bits: int, turn: Callable[[Array, int], Array]
) -> list[Array]:
    mask = (1 << bits) - 1
    constant, sequence = 0xFFFFFFFC & mask, 0x7369F885192C0EF5 & mask
    keys = [key[:, i] & np.uint64(mask) for i in range(3)]
    for number in range(3, rounds):
        last = keys[-1]
        keys.append(
            np.uint64(constant ^ (sequence >> (number - 3) & 1))
            ^ keys[number - 3]
            ^ turn(last, -3)
            ^ turn(last, -4)
        )
    return keys
