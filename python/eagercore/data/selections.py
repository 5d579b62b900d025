"""Steps that choose and order elements without looking at them: shuffle, repeat, take, skip, shard, cache."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from typing import Any

from ..base import errors
from ..base.seeds import seeds_of
from ..base.shuffle import DatasetShuffler
from .step import INFINITE, UNKNOWN, Run, Selection, Step, combine

Begin = Callable[[], Iterator[Any]]


class Shuffle(Selection):
    """Elements drawn at random from a buffer, in TensorFlow's orders."""

    label = "ShuffleDataset"

    def __init__(
        self, source: Step, buffer_size: int, seed: Any, reshuffle_each_iteration: Any
    ) -> None:
        super().__init__(source)
        if buffer_size == UNKNOWN:
            count = source.cardinality()
            if count == INFINITE:
                raise ValueError(
                    "shuffle: the dataset is without end, so `buffer_size` must be given."
                )
            buffer_size = max(count, 1) if count >= 0 else 2**62
        self.shuffler = DatasetShuffler(*seeds_of(seed), buffer_size, reshuffle_each_iteration)

    def select(self, begin: Begin) -> Iterator[Any]:
        """A new order of a pass."""
        return self.shuffler.iterate(begin())

    def cardinality(self) -> int:
        """As many as the input has."""
        return self.inputs[0].cardinality()


class Repeat(Selection):
    """The input so many times, each time a new pass."""

    label = "RepeatDataset"

    def __init__(self, source: Step, count: int) -> None:
        super().__init__(source)
        self.count = count

    def select(self, begin: Begin) -> Iterator[Any]:
        """Pass after pass."""
        passes = itertools.count() if self.count < 0 else range(self.count)
        for number in passes:
            empty = True
            for item in begin():
                empty = False
                yield item
            if empty and number == 0:
                return

    def cardinality(self) -> int:
        """The product."""
        count = self.inputs[0].cardinality()
        if self.count == 0 or count == 0:
            return 0
        if self.count < 0:
            return INFINITE
        return count if count < 0 else count * self.count


class Take(Selection):
    """The first elements."""

    label = "TakeDataset"

    def __init__(self, source: Step, count: int) -> None:
        super().__init__(source)
        self.count = count

    def select(self, begin: Begin) -> Iterator[Any]:
        """The first items of a pass; it is not read further."""
        return begin() if self.count < 0 else itertools.islice(begin(), self.count)

    def cardinality(self) -> int:
        """As many as are taken and there."""
        count = self.inputs[0].cardinality()
        if self.count < 0:
            return count
        return self.count if count == INFINITE else combine(lambda c: min(c, self.count), count)


class Skip(Selection):
    """All but the first elements."""

    label = "SkipDataset"

    def __init__(self, source: Step, count: int) -> None:
        super().__init__(source)
        self.count = count

    def select(self, begin: Begin) -> Iterator[Any]:
        """The items behind the first ones."""
        if self.count < 0:
            return iter(())
        return itertools.islice(begin(), self.count, None)

    def cardinality(self) -> int:
        """What is left."""
        if self.count < 0:
            return 0
        return combine(
            lambda c: INFINITE if c == INFINITE else max(c - self.count, 0),
            self.inputs[0].cardinality(),
        )


class Shard(Selection):
    """Every n-th element.

    Raises:
        InvalidArgumentError: If `index` is not below `num_shards`.
    """

    label = "ShardDataset"

    def __init__(self, source: Step, num_shards: int, index: int) -> None:
        super().__init__(source)
        if num_shards < 1:
            raise errors.value_error(
                "ShardDataset", f"Number of shards must be greater than zero, got {num_shards}."
            )
        if not 0 <= index < num_shards:
            raise errors.value_error(
                "ShardDataset",
                f"Index must be between 0 and {num_shards - 1} (num_shards = {num_shards}), got {index}.",
            )
        self.num_shards, self.index = num_shards, index

    def select(self, begin: Begin) -> Iterator[Any]:
        """Every n-th item."""
        return itertools.islice(begin(), self.index, None, self.num_shards)

    def cardinality(self) -> int:
        """Its share."""
        count = self.inputs[0].cardinality()
        return count if count < 0 else max(0, -(-(count - self.index) // self.num_shards))


class Cache(Step):
    """What the first full pass gave, from memory."""

    label = "CacheDataset"

    def __init__(self, source: Step) -> None:
        super().__init__(source)
        self.store = source.store
        self._kept: list[Any] | None = None

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass; the first one that is not abandoned fills the memory."""
        if self.store is not None:
            return self.store.items(self.indices(run))
        return self._through(lambda: self.inputs[0].iterate(run))

    def indices(self, run: Run) -> Iterator[int]:
        """A new pass over the rows: their order is kept."""
        return self._through(lambda: self.inputs[0].indices(run))

    def _through(self, begin: Begin) -> Iterator[Any]:
        if self._kept is not None:
            return iter(self._kept)
        return self._fill(begin)

    def _fill(self, begin: Begin) -> Iterator[Any]:
        kept = []
        for item in begin():
            kept.append(item)
            yield item
        self._kept = kept

    def example(self, rows: int = 2) -> Any:
        """Some element."""
        return self.inputs[0].example(rows)

    def cardinality(self) -> int:
        """As many as the input has."""
        return self.inputs[0].cardinality()


class FileCache(Step):
    """What the first full pass gave, from a file."""

    label = "CacheDataset"
    costly = True

    def __init__(self, source: Step, filename: str) -> None:
        super().__init__(source)
        self.path = filename + ".data"
        os.makedirs(os.path.dirname(self.path) or ".", exist_ok=True)

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass: from the file when it is complete, else from the input, which is written on the way."""
        from .element_file import ElementWriter, read_elements

        if os.path.exists(self.path):
            yield from read_elements(self.path, lambda: self.spec)
            return
        with ElementWriter(self.path) as writer:
            for element in self.inputs[0].iterate(run):
                writer.write(element)
                yield element
            writer.finish()

    def example(self, rows: int = 2) -> Any:
        """Some element."""
        return self.inputs[0].example(rows)

    def cardinality(self) -> int:
        """As many as the input has."""
        return self.inputs[0].cardinality()
