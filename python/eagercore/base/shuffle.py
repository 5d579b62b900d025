"""The order in which `Dataset.shuffle` gives its elements.

A buffer is kept filled from the input, and each element given is drawn from it.  Seeds and buffer follow
TensorFlow's rules, so that the orders are the same.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from typing import Any

from . import errors
from .philox import Philox, SingleWords
from .seeds import entropy


class DatasetShuffler:
    """Orders for the iterations over one shuffled dataset.

    Args:
        seed: First of the operation's seeds, or None.
        seed2: Second of the seeds, or None.  When both are None or 0 the orders cannot be foreseen.
        buffer_size: Number of elements to draw from, at least 1.
        reshuffle_each_iteration: Whether each iteration has an order of its own. Default True.

    Raises:
        InvalidArgumentError: If `buffer_size` is less than 1.

    >>> shuffler = DatasetShuffler(87654321, 1, 10)
    >>> list(shuffler.iterate(range(10)))
    [0, 9, 5, 1, 2, 7, 3, 8, 6, 4]
    """

    def __init__(
        self,
        seed: int | None,
        seed2: int | None,
        buffer_size: int,
        reshuffle_each_iteration: bool | None = True,
    ) -> None:
        if buffer_size < 1:
            raise errors.InvalidArgumentError(
                f"shuffle: `buffer_size` must be greater than zero, got {buffer_size}. The size of "
                "the whole dataset gives a perfect shuffle."
            )
        self.buffer_size = int(buffer_size)
        self.reshuffle_each_iteration = reshuffle_each_iteration in (None, True)
        if not seed and not seed2:
            seed, seed2 = entropy(64), entropy(64)
        self._seeds = (seed or 0, seed2 or 0)
        self._lock = threading.Lock()
        self._dealer = SingleWords(Philox.from_seeds(*self._seeds))

    def next_seeds(self) -> tuple[int, int]:
        """The two seeds of the next iteration."""
        if not self.reshuffle_each_iteration:
            return self._seeds
        with self._lock:
            return self._dealer(), self._dealer()

    @property
    def iterations(self) -> int:
        """How many iterations have been given seeds; set it to go on from there."""
        return self._dealer.drawn // 2

    @iterations.setter
    def iterations(self, count: int) -> None:
        self._dealer.drawn = 2 * count

    @property
    def state(self) -> tuple[int, int, int]:
        """The two seeds, and how many iterations have been given seeds; set it to go on from there."""
        return (*self._seeds, self.iterations)

    @state.setter
    def state(self, state: tuple[int, int, int]) -> None:
        with self._lock:
            self._seeds = state[0], state[1]
            self._dealer = SingleWords(Philox.from_seeds(*self._seeds))
            self.iterations = state[2]

    def iterate(self, source: Iterable[Any]) -> Shuffled:
        """The elements of `source` in the order of a new iteration.

        Args:
            source: The input; it is read no further than the buffer needs.

        Returns:
            An iterator.
        """
        return Shuffled(iter(source), self.buffer_size, self.next_seeds())


class Shuffled(Iterator[Any]):
    """One iteration over a shuffled dataset.

    Args:
        source: The input.
        buffer_size: Number of elements to draw from.
        seeds: The two seeds of this iteration.
    """

    def __init__(self, source: Iterator[Any], buffer_size: int, seeds: tuple[int, int]) -> None:
        self._source: Iterator[Any] | None = source
        self._size = buffer_size
        self._words = SingleWords(Philox.from_seeds(*seeds))
        # A ring: position p is at p modulo the buffer's size.  It grows no larger than what is read.
        self._ring: list[Any] = []
        self._start = self._end = 0

    def __iter__(self) -> Shuffled:
        return self

    def __next__(self) -> Any:
        self._fill()
        held = self._end - self._start
        if not held:
            raise StopIteration
        first = self._start % self._size
        chosen = (self._start + self._words() % held) % self._size
        ring = self._ring
        element, ring[chosen] = ring[chosen], ring[first]
        ring[first] = None
        self._start += 1
        return element

    def _fill(self) -> None:
        while self._source is not None and self._end - self._start < self._size:
            try:
                element = next(self._source)
            except StopIteration:
                self._source = None
                return
            place = self._end % self._size
            if place == len(self._ring):
                self._ring.append(element)
            else:
                self._ring[place] = element
            self._end += 1
