"""Work ahead of the consumer: a map over several threads, and a buffer that a thread keeps filled.

Neither is used when a function of the chain may only be called in the thread that iterates. An iterator that is
dropped takes its threads with it.
"""

from __future__ import annotations

import atexit
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from .selections import Selection
from .step import UNKNOWN, Step

#: A call that takes less than this many seconds is not worth handing to another thread.
WORTH_A_THREAD = 2e-4
#: Calls that take less are handed over several at a time.
CHUNK_SECONDS = 2e-3
#: Elements after which it is judged whether threads help.
TRIAL = 32
#: Elements that `prefetch(AUTOTUNE)` holds ready.
DEFAULT_BUFFER = 2


def _run(call: Callable[[Any], Any], elements: list[Any]) -> tuple[list[tuple[bool, Any]], float]:
    """The outcomes of a chunk of calls, and the seconds that one took."""
    began = time.perf_counter()
    outcomes: list[tuple[bool, Any]] = []
    for element in elements:
        try:
            outcomes.append((True, call(element)))
        except Exception as error:
            outcomes.append((False, error))
    return outcomes, (time.perf_counter() - began) / len(elements)


class OrderedMap(Iterator[Any]):
    """The results of calls made by several threads, in the order of the elements.

    While calls are quick they are made in the calling thread, where they cost least; so they are
    when threads turn out not to shorten the waiting, as with functions that hold the interpreter's
    lock. An error is raised in its place, with the traceback of the user's function; the iterator
    then goes on.

    Args:
        call: Function of one element.
        source: Elements; they are taken in the calling thread.
        workers: Number of threads.
    """

    def __init__(self, call: Callable[[Any], Any], source: Iterator[Any], workers: int) -> None:
        self._call, self._source = call, source
        self._workers = max(1, min(workers, 64))
        self._threshold = WORTH_A_THREAD
        #: Seconds of a call, alone at first.
        self._seconds = 0.0
        self._alone = 0.0
        self._calls = 0
        self._waited = 0.0
        self._trial = TRIAL
        self._pool: ThreadPoolExecutor | None = None
        self._pending: deque[Future[Any]] = deque()
        self._ready: deque[tuple[bool, Any]] = deque()
        self._more = True

    def __next__(self) -> Any:
        if self._pool is None and not self._ready:
            if self._calls < 2 or self._seconds < self._threshold:
                return self._inline()
            self._pool = ThreadPoolExecutor(self._workers, thread_name_prefix="eagercore-map")
            self._alone = self._seconds
        began = time.perf_counter()
        while not self._ready:
            if self._trial >= 0:
                self._fill()
            if not self._pending:
                self.close()
                if self._trial >= 0:
                    raise StopIteration
                self._pool, self._threshold = None, float("inf")
                return self._inline()
            outcomes, seconds = self._pending.popleft().result()
            self._seconds = 0.7 * self._seconds + 0.3 * seconds
            self._ready.extend(outcomes)
        good, value = self._ready.popleft()
        if self._trial > 0:
            self._judge(time.perf_counter() - began)
        if good:
            return value
        raise value

    def _judge(self, waited: float) -> None:
        """After a few elements: do threads shorten the waiting? If not, what is pending is the last."""
        self._waited += waited
        self._trial -= 1
        if self._trial == 0 and self._waited / TRIAL > 0.95 * self._alone:
            self._trial = -1

    def _inline(self) -> Any:
        if not self._more:
            raise StopIteration
        element = next(self._source)
        began = time.perf_counter()
        try:
            return self._call(element)
        finally:
            seconds = time.perf_counter() - began
            self._calls += 1
            # The first calls may load modules: the quickest of them counts.
            early = self._calls <= 3
            known = min(self._seconds, seconds) if early else 0.9 * self._seconds + 0.1 * seconds
            self._seconds = seconds if self._calls == 1 else known

    def _fill(self) -> None:
        size = max(1, min(64, int(CHUNK_SECONDS / max(self._seconds, 1e-6))))
        while self._more and len(self._pending) < self._workers + 1:
            chunk: list[Any] = []
            failed = None
            while len(chunk) < size:
                try:
                    chunk.append(next(self._source))
                except StopIteration:
                    self._more = False
                    break
                except Exception as error:
                    failed = error
                    break
            if chunk and self._pool is not None:
                self._pending.append(self._pool.submit(_run, self._call, chunk))
            if failed is not None:
                outcome: Future[Any] = Future()
                outcome.set_result(([(False, failed)], self._seconds))
                self._pending.append(outcome)

    def close(self) -> None:
        """Ends the threads; calls that wait are dropped."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    def __del__(self) -> None:
        self.close()


class _Buffer:
    """What a filling thread and its consumer share."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.items: deque[tuple[bool, Any]] = deque()
        self.changed = threading.Condition()
        self.closed = False

    def close(self) -> None:
        """Tells the filling thread to stop."""
        with self.changed:
            self.closed = True
            self.items.clear()
            self.changed.notify_all()


_buffers: weakref.WeakSet[_Buffer] = weakref.WeakSet()


@atexit.register
def _close_buffers() -> None:
    for buffer in list(_buffers):
        buffer.close()


def _keep_filled(source: Iterator[Any], buffer: _Buffer) -> None:
    """What the filling thread does. It knows the buffer but not its consumer, so that the consumer can be dropped."""
    while True:
        try:
            item = (True, next(source))
        except Exception as error:
            item = (False, error)
        with buffer.changed:
            while len(buffer.items) >= buffer.size and not buffer.closed:
                buffer.changed.wait()
            if buffer.closed:
                return
            buffer.items.append(item)
            buffer.changed.notify_all()
        if not item[0] and isinstance(item[1], StopIteration):
            return


class Prefetched(Iterator[Any]):
    """Elements that a thread takes from `source` ahead of the consumer.

    Args:
        source: Elements.
        size: How many are held ready at most.
    """

    def __init__(self, source: Iterator[Any], size: int) -> None:
        self._source: Iterator[Any] | None = source
        self._buffer = _Buffer(size)
        self._over = False

    def __next__(self) -> Any:
        if self._over:
            raise StopIteration
        buffer = self._buffer
        if self._source is not None:
            _buffers.add(buffer)
            arguments = (self._source, buffer)
            threading.Thread(
                target=_keep_filled, args=arguments, name="eagercore-prefetch", daemon=True
            ).start()
            self._source = None
        with buffer.changed:
            while not buffer.items:
                buffer.changed.wait()
            good, value = buffer.items.popleft()
            buffer.changed.notify_all()
        if good:
            return value
        self._over = isinstance(value, StopIteration)
        raise value

    def __del__(self) -> None:
        self._buffer.close()


class Prefetch(Selection):
    """The input, a few elements ahead of the consumer.

    Where the input only reads arrays in memory there is nothing to gain, and no thread is begun.
    """

    label = "PrefetchDataset"

    def __init__(self, source: Step, buffer_size: int) -> None:
        super().__init__(source)
        self.buffer_size = buffer_size

    def select(self, begin: Callable[[], Iterator[Any]]) -> Iterator[Any]:
        """A pass, in a thread of its own where that helps."""
        if self.buffer_size == 0 or self.main_thread_only or not self.is_costly:
            return begin()
        return Prefetched(
            begin(), DEFAULT_BUFFER if self.buffer_size == UNKNOWN + 1 else self.buffer_size
        )

    def cardinality(self) -> int:
        """As many as the input has."""
        return self.inputs[0].cardinality()
