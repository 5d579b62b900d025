"""Seeds, and what random operations remember between calls.

An operation's stream follows from two seeds: the global one and its own.  Where only the global one
is set, own seeds are dealt out: by Python's generator in eager execution, by counting inside a graph.
Where none is set, numbers are different in each run.

The same operation with the same seeds goes on where it stopped when it is called again.  How far it has
come is kept in a `Streams` object: one for eager execution, emptied when the global seed is set; a
session, or an iterator over a dataset, uses one of its own (`with Streams().active(): ...`).
"""

from __future__ import annotations

import contextlib
import copy
import operator
import os
import random
import threading
import weakref
from collections.abc import Callable, Hashable, Iterator
from typing import Any

import numpy as np

from . import errors
from .context import context
from .philox import Philox, Unforeseen

#: The global seed of operations that have a seed of their own while none is set globally.
DEFAULT_SEED = 87654321
_LIMIT = 2**31 - 1


class Stream:
    """A random operation's place in the world: its seeds, and who it is.

    Args:
        seeds: The pair of seeds, or `(None, None)` for numbers that nobody can foresee.
        key: What tells this stream from others of the same seeds: the operation and its attributes.
            None makes it a stream of its own, as a node of a graph has.
        passing: Whether it will be used only once, so that its position need not be kept.
    """

    __slots__ = ("seeds", "key", "passing", "__weakref__")

    def __init__(
        self, seeds: tuple[int | None, int | None], key: Hashable = None, passing: bool = False
    ) -> None:
        self.seeds = seeds
        self.key = key
        self.passing = passing

    def start(self) -> Philox:
        """The first position."""
        seed, seed2 = self.seeds
        if seed is None or seed2 is None:
            return Unforeseen(entropy(64), entropy(128))
        return Philox.from_seeds(seed, seed2)

    def reserve(self, blocks: int) -> Philox:
        """The present position in the streams that are active, which then moves on by `blocks`."""
        return active_streams().reserve(self, blocks)

    def __repr__(self) -> str:
        return f"Stream(seeds={self.seeds}, key={self.key!r})"


def entropy(bits: int) -> int:
    """A number of `bits` bits from the operating system's source of chance."""
    return int.from_bytes(os.urandom(bits // 8), "little")


class Streams:
    """How far each stream has come.

    Safe to use from several threads.

    >>> streams, stream = Streams(), Stream((1, 2), "uniform")
    >>> first, second = streams.reserve(stream, 256), streams.reserve(stream, 256)
    >>> second.counter - first.counter
    256
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._named: dict[Hashable, Any] = {}
        self._own: weakref.WeakKeyDictionary[Stream, dict[Hashable, Any]] = (
            weakref.WeakKeyDictionary()
        )

    def reserve(self, stream: Stream, blocks: int) -> Philox:
        """The position of `stream` before it moves on by `blocks`."""
        if stream.passing:
            return stream.start()
        with self._lock:
            places, key = self._place(stream)
            position = places.get(key)
            if position is None:
                position = places[key] = stream.start()
            reserved: Philox = position.copy()
            position.skip(blocks)
        return reserved

    def note(self, stream: Stream, make: Callable[[], Any]) -> Any:
        """What an operation keeps beside its position; `make()` gives it the first time."""
        if stream.passing:
            return make()
        with self._lock:
            places, key = self._place(stream)
            if ("note", key) not in places:
                places["note", key] = make()
            return places["note", key]

    def _place(self, stream: Stream) -> tuple[dict[Hashable, Any], Hashable]:
        if stream.key is None:
            return self._own.setdefault(stream, {}), _thread.calls
        return self._named, (_thread.calls, stream.seeds, stream.key)

    def clear(self) -> None:
        """Sends every stream back to its beginning."""
        with self._lock:
            self._named = {}
            self._own.clear()

    def snapshot(self) -> Any:
        """The present positions, for `restore`."""
        with self._lock:
            own = [(weakref.ref(s), copy.deepcopy(places)) for s, places in self._own.items()]
            return copy.deepcopy(self._named), own

    def restore(self, snapshot: Any) -> None:
        """Goes back to the positions of a snapshot; streams that began since then begin again."""
        named, own = snapshot
        with self._lock:
            self._named = copy.deepcopy(named)
            self._own.clear()
            for reference, places in own:
                stream = reference()
                if stream is not None:
                    self._own[stream] = copy.deepcopy(places)

    @contextlib.contextmanager
    def active(self) -> Iterator[Streams]:
        """While the block runs, operations of this thread keep their positions here."""
        before, _thread.streams = _thread.streams, self
        try:
            yield self
        finally:
            _thread.streams = before


class _Thread(threading.local):
    streams: Streams | None = None
    #: The call sites through which the running function was reached.
    calls: tuple[Hashable, ...] = ()
    #: Counter of unseeded operations while Python code runs as if it were a traced function.
    counter: _Counter | None = None


class _Counter:
    """Deals out 0, 1, 2 ... to the unseeded random operations of a graph."""

    __slots__ = ("seed", "used")

    def __init__(self, seed: int | None) -> None:
        self.seed = seed
        self.used = 0

    def take(self) -> int:
        self.used += 1
        return self.used - 1


class _Global:
    """The global seed and the generator that deals out the seeds of eager operations."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.seed: int | None = None
        self.dealer = random.Random()
        self.streams = Streams()
        self.counters: weakref.WeakKeyDictionary[Any, _Counter] = weakref.WeakKeyDictionary()
        self.deterministic = False


_thread = _Thread()
_global = _Global()


def active_streams() -> Streams:
    """The streams' positions that count for the running thread."""
    return _thread.streams or _global.streams


@contextlib.contextmanager
def call_site(site: Hashable) -> Iterator[None]:
    """While the block runs, random nodes keep positions of their own for this call.

    Two calls of one traced function inside another are two copies of it: each begins its streams
    afresh, and each goes on by itself.
    """
    before, _thread.calls = _thread.calls, (*_thread.calls, site)
    try:
        yield
    finally:
        _thread.calls = before


@contextlib.contextmanager
def as_function(streams: Streams) -> Iterator[None]:
    """Runs Python code so that its random numbers are those of a traced function.

    Unseeded operations are counted from 0 at each entry, and each remembers its position in `streams`:
    this is what the function of `Dataset.map` does, with new `Streams` for each iterator.
    """
    before, _thread.counter = _thread.counter, _Counter(_global.seed)
    try:
        with streams.active():
            yield
    finally:
        _thread.counter = before


def as_seed(seed: Any, name: str = "seed") -> int | None:
    """A seed as an int: whole floats and scalars of any kind will do, None stays None."""
    if seed is None:
        return None
    if isinstance(seed, int):
        return int(seed)
    reader = getattr(seed, "_read_array", None)
    value = np.asarray(seed if reader is None else reader())
    if value.size == 1 and value.dtype.kind in "biu":
        return int(value.reshape(()))
    if value.size == 1 and value.dtype.kind == "f" and float(value.reshape(())).is_integer():
        return int(value.reshape(()))
    try:
        return operator.index(seed)
    except TypeError:
        raise errors.dtype_error(
            None, f"`{name}` must be a whole number or None, got {seed!r}."
        ) from None


def set_global_seed(seed: Any) -> None:
    """Sets the global seed, and sends every stream of eager execution back to its beginning.

    Args:
        seed: A whole number, or None for no global seed.

    >>> set_global_seed(1)
    >>> seeds_of(None)
    (1, 577090037)
    """
    value = as_seed(seed)
    with _global.lock:
        _global.seed = value
        _global.dealer = random.Random(value)
    _global.streams.clear()


def global_seed() -> int | None:
    """The global seed, or None."""
    return _global.seed


def set_deterministic(deterministic: bool = True) -> None:
    """Whether operations without any seed are refused."""
    _global.deterministic = deterministic


def is_deterministic() -> bool:
    """Whether operations without any seed are refused."""
    return _global.deterministic


def _counter_of(graph: Any) -> _Counter:
    with _global.lock:
        counter = _global.counters.get(graph)
        if counter is None:
            counter = _global.counters[graph] = _Counter(None)
    return counter


def _seed_around(graph: Any, default: int | None) -> int | None:
    """The seed of a graph, or of the nearest graph around it that has one."""
    while graph is not None:
        for seed in (_counter_of(graph).seed, getattr(graph, "seed", None)):
            if seed is not None:
                return int(seed)
        graph = getattr(graph, "outer", None)
    return default


def set_graph_seed(graph: Any, seed: Any) -> None:
    """Sets the seed of a graph; operations added later follow it.

    Args:
        graph: Any object that stands for the graph.
        seed: A whole number or None.
    """
    _counter_of(graph).seed = as_seed(seed)


def seeds_of(
    op_seed: Any, graph: Any = None, last_id: int | None = None
) -> tuple[int | None, int | None]:
    """The two seeds of a random operation.

    Args:
        op_seed: The operation's own seed, or None.
        graph: The graph the operation is added to, or None in eager execution.  The graph's seed is the
            one set for it (`set_graph_seed`), else its `seed` attribute, else that of the graph around
            it (`outer`), else the global one.
        last_id: The number that an unseeded operation of a graph takes for its own seed, for those who
            number as TensorFlow 1 did (by the graph's nodes); default counts the unseeded operations.

    Returns:
        The pair of seeds; `(None, None)` when no seed is set anywhere.

    Raises:
        RuntimeError: If no seed is set although determinism is asked for.

    >>> set_global_seed(None)
    >>> seeds_of(3), seeds_of(None)
    ((87654321, 3), (None, None))
    """
    own = as_seed(op_seed)
    counter = _thread.counter
    whole = _global.seed
    if graph is not None:
        counter = _counter_of(graph)
        whole = _seed_around(graph, whole)
    elif counter is not None:
        whole = counter.seed
    if whole is None:
        if own is None:
            if _global.deterministic:
                raise RuntimeError(
                    "Random ops require a seed to be set when determinism is enabled. Please set a seed before "
                    "running the op, e.g. by calling tf.random.set_seed(1)."
                )
            return None, None
        pair = DEFAULT_SEED, own % _LIMIT
    else:
        if own is None:
            if counter is None:
                with _global.lock:
                    own = _global.dealer.randint(0, _LIMIT)
            else:
                own = counter.take() if last_id is None else last_id
        pair = whole % _LIMIT, own % _LIMIT
    # A pair of zeros would mean "no seed" to everyone who is given the two numbers alone.
    return (0, _LIMIT) if pair == (0, 0) else pair


def stream_for(op_seed: Any, key: Hashable) -> Stream:
    """The stream of a random operation that is called or traced now.

    Args:
        op_seed: The operation's own seed, or None.
        key: The operation and the attributes that tell its streams apart.
    """
    graph = context.graph
    if graph is not None:
        return Stream(seeds_of(op_seed, graph))
    seeds = seeds_of(op_seed)
    # A seed that was dealt out will not come again: nothing would be found under it later.
    passing = op_seed is None and seeds[0] is not None and _thread.counter is None
    return Stream(seeds, key, passing)
