"""One setting for the threads of everything that computes: NumPy's BLAS and the kernels.

The kernels ask :func:`now` and bring the calling thread's OpenMP team up to date, since OpenMP keeps
that number for each thread; the BLAS libraries are told at once.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any

from ..base.seeds import global_seed, is_deterministic

_SETTERS = (
    "scipy_openblas_set_num_threads64_",
    "openblas_set_num_threads64_",
    "scipy_openblas_set_num_threads",
    "openblas_set_num_threads",
    "MKL_Set_Num_Threads",
    "bli_thread_set_num_threads",
)
_TIMEOUT = "OPENBLAS_THREAD_TIMEOUT"
_RESTART = ("openblas_read_env", "blas_thread_shutdown_", "blas_thread_init")


def available() -> int:
    """The number of cores this process may run on, or fewer where ``OMP_NUM_THREADS`` says so."""
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    limit = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    return max(1, min(cores, int(limit))) if limit.isdigit() and int(limit) else max(1, cores)


current = available()
"""The number of threads that compute."""


def count() -> int:
    """The number of threads that compute: what was asked for, else the cores this process has."""
    return current


def _waited() -> int | None:
    """Nanoseconds that this thread was ready and had no core (Linux; None where that is not told)."""
    try:
        with open("/proc/thread-self/schedstat", "rb") as account:
            return int(account.read().split()[1])
    except (OSError, IndexError, ValueError):
        return None


class _Crowd:
    """Whether other work on the machine keeps this process waiting for a core.

    Work that is split between threads ends when the last of them has had a core. Where other programs
    want the cores too, each of those waits takes several milliseconds, and one thread is several times
    as fast as all. The kernel of the system tells how long a thread has been kept waiting; that is
    looked at a few times a second.
    """

    INTERVAL = 0.25
    """Seconds between two looks."""
    BEGINS, ENDS = 0.2, 0.08
    """Part of the time spent waiting above which there is a crowd, and below which it is gone."""

    def __init__(self) -> None:
        self.here = False
        self.due = 0.0
        self._last: tuple[int, float, int] | None = None

    def look(self, time: float) -> None:
        """Reads the system's account of the calling thread."""
        waited = _waited()
        if waited is None:
            self.due = float("inf")
            return
        self.due = time + self.INTERVAL
        thread = threading.get_ident()
        last, self._last = self._last, (thread, time, waited)
        # Of a thread that seldom computes nothing can be said.
        if last is not None and last[0] == thread and time - last[1] < 4 * self.INTERVAL:
            part = (waited - last[2]) * 1e-9 / (time - last[1])
            self.here = part > (self.ENDS if self.here else self.BEGINS)


_crowd = _Crowd()


def now() -> int:
    """The number of threads that is worth using at this moment: one where the machine is crowded.

    Who has set a seed, or asked for determinism, wants the same numbers again: sums are then split alike however
    crowded the machine is.
    """
    if current == 1 or global_seed() is not None or is_deterministic():
        return current
    time = monotonic()
    if time > _crowd.due:
        _crowd.look(time)
    return 1 if _crowd.here else current


def set_num_threads(number: int) -> list[str]:
    """Use this many threads from now on.

    Args:
        number: At least 1; 0 goes back to one thread for each core.

    Returns:
        The file names of the BLAS libraries that took the setting.

    Raises:
        ValueError: `number` is negative.
    """
    global current
    if number < 0:
        raise ValueError(f"set_num_threads expects a number of threads of 0 or more, got {number}.")
    current = number or available()
    return [os.path.basename(path) for path, setter in _blas() if _told(setter, current)]


def _told(setter: Any, number: int) -> bool:
    setter(number)
    return True


def mapped_libraries() -> list[str]:
    """The shared libraries mapped into this process (Linux; elsewhere an empty list)."""
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
            fields = (line.split(None, 5) for line in maps)
            paths = {entry[5].strip() for entry in fields if len(entry) == 6}
    except OSError:
        return []
    return sorted(path for path in paths if ".so" in path)


def _blas_handles(loader: Callable[..., Any] = ctypes.CDLL) -> Iterator[tuple[str, Any]]:
    """The BLAS libraries mapped into this process; nothing is loaded that is not there already."""
    for path in mapped_libraries():
        name = os.path.basename(path).lower()
        if any(mark in name for mark in ("blas", "mkl_rt", "blis")):
            # A library that was deleted under the process, by an upgrade say, does not open.
            with contextlib.suppress(OSError):
                yield path, loader(path, mode=getattr(os, "RTLD_NOLOAD", 4) | os.RTLD_LAZY)


def _others_compute() -> bool:
    """Whether another Python thread is at work, as far as the system tells (Linux)."""
    own = threading.get_ident()
    return any(not _asleep(t.native_id) for t in threading.enumerate() if t.ident != own)


def _asleep(native: int | None) -> bool:
    try:
        with open(f"/proc/self/task/{native}/stat", "rb") as account:
            return account.read().rpartition(b")")[2].split()[0] == b"S"
    except (OSError, IndexError):
        return False


def _blas() -> Iterator[tuple[str, Any]]:
    """The BLAS libraries, each with its function that sets the number of threads."""
    for path, handle in _blas_handles():
        for symbol in _SETTERS:
            setter = getattr(handle, symbol, None)
            if setter is not None:
                setter.argtypes, setter.restype = [ctypes.c_int], None
                yield path, setter
                break


def quiet_blas() -> int:
    """Let OpenBLAS's idle threads sleep after microseconds instead of spinning for 26 milliseconds.

    After each product that used several threads they would keep every core busy and halve the speed
    of the kernels that come next. OpenBLAS reads the time from ``OPENBLAS_THREAD_TIMEOUT`` once, so
    that a library that is loaded already is made to read it again and to start its threads anew.
    That is done only while every other Python thread sleeps (a notebook has several that wait for
    messages): the interpreter's lock is held meanwhile, so that none of them can begin a product.
    Never against a value that the user has set.

    Returns:
        The number of libraries that were told.
    """
    if _TIMEOUT in os.environ or _others_compute():
        return 0
    told = 0
    os.environ[_TIMEOUT] = "14"
    try:
        for _, handle in _blas_handles(ctypes.PyDLL):
            if all(hasattr(handle, symbol) for symbol in _RESTART):
                for symbol in _RESTART:
                    getattr(handle, symbol)()
                told += 1
    finally:
        del os.environ[_TIMEOUT]
    return told


def _after_fork() -> None:
    """A forked child has none of its parent's OpenMP workers and would wait for them for ever."""
    global current
    current = 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
