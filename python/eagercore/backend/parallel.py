"""Splitting work on large arrays between threads: NumPy lets go of the interpreter while it computes.

The pool is made on first use and has as many workers as :func:`.threads.count` says, less one: the
calling thread does its share.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from . import threads

LINE = 64
"""Parts are made of so many elements, whole cache lines: no two threads write to one."""

_lock = threading.Lock()
_pool: ThreadPoolExecutor | None = None
_workers = 0
_inside = threading.local()


def run(function: Callable[[int, int], None], count: int, least: int) -> None:
    """Call `function(start, stop)` on parts that together cover `range(count)`.

    Args:
        function: Works on one part; it must not depend on the order of the parts.
        count: Number of elements.
        least: Fewest elements that are worth a thread of their own.

    Raises:
        Exception: Whatever the function raised, once all parts have ended.
    """
    parts = min(threads.now(), count // max(least, 1))
    if parts <= 1 or getattr(_inside, "worker", False):
        function(0, count)
        return
    step = -(-count // parts // LINE) * LINE
    starts = range(0, count, step)
    pool = _executor(parts - 1)
    futures = [pool.submit(_work, function, at, min(at + step, count)) for at in starts[1:]]
    try:
        function(0, min(step, count))
    finally:
        _wait(futures)
    for future in futures:
        future.result()


def _wait(futures: list[Future[None]]) -> None:
    for future in futures:
        future.exception()


def _work(function: Callable[[int, int], None], start: int, stop: int) -> None:
    _inside.worker = True
    function(start, stop)


def _executor(workers: int) -> ThreadPoolExecutor:
    global _pool, _workers
    with _lock:
        if _pool is None or _workers < workers:
            if _pool is not None:
                _pool.shutdown(wait=False)
            _pool, _workers = ThreadPoolExecutor(workers, "eagercore-compute"), workers
        return _pool


def _after_fork() -> None:
    """The child has none of its parent's threads; its pool is made anew when it is needed."""
    global _pool, _workers, _lock
    _pool, _workers, _lock = None, 0, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
