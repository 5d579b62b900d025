"""The kinds of queues: in order, filled up, by priority, mixed."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtypes
from ..base.context import context
from ..base.philox import Philox, SingleWords
from ..base.seeds import entropy, seeds_of
from .queues import QueueBase, _Contents


class FIFOQueue(QueueBase):
    """A queue: first in, first out.

    Args:
        capacity: How many elements it holds at most.
        dtypes: Dtype of the elements, or list of the dtypes of their components.
        shapes: Shapes of the components, or None where they are not known.
        names: Names of the components, which makes elements dictionaries, or None.
        shared_name: Accepted for TensorFlow's sake.
        name: Name.

    >>> queue = FIFOQueue(3, "int32", shapes=[[]])
    >>> queue.enqueue_many([[1, 2]])
    >>> queue.dequeue().numpy(), queue.size().numpy()
    (np.int32(1), np.int32(1))
    """

    def __init__(
        self, capacity: int, dtypes: Any, shapes: Any = None, names: Any = None, shared_name: Any = None,
        name: str | None = "fifo_queue",
    ) -> None:  # fmt: skip
        super().__init__(capacity, dtypes, shapes, names, shared_name, name)


class PaddingFIFOQueue(QueueBase):
    """A first-in-first-out queue whose stacks fill shorter elements up with zeros.

    Args:
        capacity: How many elements it holds at most.
        dtypes: List of the dtypes of the components.
        shapes: Their shapes; None where extents differ.
        names: Names of the components, which makes elements dictionaries, or None.
        shared_name: Accepted for TensorFlow's sake.
        name: Name.

    >>> queue = PaddingFIFOQueue(3, ["int32"], [[None]])
    >>> queue.enqueue([[1]])
    >>> queue.enqueue([[2, 3]])
    >>> queue.dequeue_many(2).numpy().tolist()
    [[1, 0], [2, 3]]
    """

    _kind, _label = "PaddingFIFOQueue", "padding_fifo_queue"

    def __init__(
        self, capacity: int, dtypes: Any, shapes: Any, names: Any = None, shared_name: Any = None,
        name: str | None = "padding_fifo_queue",
    ) -> None:  # fmt: skip
        super().__init__(capacity, dtypes, shapes, names, shared_name, name)

    def _stacked(self, found: list[Any]) -> tuple[Any, ...]:
        made = []
        for part in zip(*found, strict=True):
            dims = tuple(max(a.shape[i] for a in part) for i in range(part[0].ndim))
            empty = b"" if part[0].dtype == object else 0
            whole = np.full((len(part), *dims), empty, part[0].dtype)
            for i, array in enumerate(part):
                whole[(i, *(slice(d) for d in array.shape))] = array
            made.append(whole)
        return tuple(made)


class PriorityQueue(QueueBase):
    """A queue that gives the element with the smallest number first.

    Args:
        capacity: How many elements it holds at most.
        types: Dtypes of the components beside the number.
        shapes: Their shapes.
        names: Names of the components, or None.
        shared_name: Accepted for TensorFlow's sake.
        name: Name.

    >>> queue = PriorityQueue(3, ["string"], [[]])
    >>> queue.enqueue_many([[2, 1], ["b", "a"]])
    >>> [t.numpy().item() for t in queue.dequeue()]
    [1, b'a']
    """

    _kind, _label = "PriorityQueue", "priority_queue"

    def __init__(
        self, capacity: int, types: Any, shapes: Any = None, names: Any = None, shared_name: Any = None,
        name: str | None = "priority_queue",
    ) -> None:  # fmt: skip
        kinds = list(types) if isinstance(types, list | tuple) else [types]
        more = None if shapes is None else [[], *shapes]
        super().__init__(capacity, [dtypes.int64, *kinds], more, names, shared_name, name)

    def _remove(self, state: _Contents) -> Any:
        first = min(range(len(state.elements)), key=lambda i: int(state.elements[i][0]))
        element = state.elements[first]
        del state.elements[first]
        return element


class RandomShuffleQueue(QueueBase):
    """A queue that gives its elements in random order.

    Args:
        capacity: How many elements it holds at most.
        min_after_dequeue: How many are left in it at least, so that they are well mixed.
        dtypes: Dtype of the elements, or list of the dtypes of their components.
        shapes: Shapes of the components, or None where they are not known.
        names: Names of the components, which makes elements dictionaries, or None.
        seed: Seed.
        shared_name: Accepted for TensorFlow's sake.
        name: Name.

    >>> queue = RandomShuffleQueue(4, 0, "int32", shapes=[[]], seed=1)
    >>> queue.enqueue_many([[1, 2, 3]])
    >>> sorted(queue.dequeue_many(3).numpy().tolist())
    [1, 2, 3]
    """

    _kind, _label = "RandomShuffleQueue", "random_shuffle_queue"

    def __init__(
        self, capacity: int, min_after_dequeue: int, dtypes: Any, shapes: Any = None, names: Any = None,
        seed: Any = None, shared_name: Any = None, name: str | None = "random_shuffle_queue",
    ) -> None:  # fmt: skip
        self._minimum = int(min_after_dequeue)
        self._seeds = seeds_of(seed, context.graph)
        super().__init__(capacity, dtypes, shapes, names, shared_name, name)

    def _words(self) -> Any:
        seeds = self._seeds
        return SingleWords(Philox.from_seeds(*(entropy(64) if s is None else s for s in seeds)))

    def _kept(self) -> int:
        return self._minimum

    def _add(self, state: _Contents, element: Any) -> None:
        state.elements.append(element)

    def _remove(self, state: _Contents) -> Any:
        elements = state.elements
        place = state.words() % len(elements)
        elements[place], elements[-1] = elements[-1], elements[place]
        return elements.pop()


for _cls in (FIFOQueue, PaddingFIFOQueue, PriorityQueue, RandomShuffleQueue):
    _cls.__module__ = "eagercore"
