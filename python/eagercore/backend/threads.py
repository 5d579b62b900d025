"""One setting for the threads of everything that computes: NumPy's BLAS and the kernels.

The kernels read :data:`generation` and bring the calling thread's OpenMP team up to date, since
OpenMP keeps that number for each thread; the BLAS libraries are told at once.
"""

from __future__ import annotations

import ctypes
import os
from typing import Any

generation = 0
"""Grows with each change of the setting."""

_requested: int | None = None

_SETTERS = (
    "scipy_openblas_set_num_threads64_",
    "openblas_set_num_threads64_",
    "scipy_openblas_set_num_threads",
    "openblas_set_num_threads",
    "MKL_Set_Num_Threads",
    "bli_thread_set_num_threads",
)


def requested() -> int | None:
    """The number of threads that was asked for; None while nobody did."""
    return _requested


def count() -> int:
    """The number of threads that compute: what was asked for, else the cores this process has."""
    return _requested or available()


def available() -> int:
    """The number of cores this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return max(1, os.cpu_count() or 1)


def set_num_threads(number: int) -> list[str]:
    """Use this many threads from now on.

    Args:
        number: At least 1; 0 goes back to one thread for each core.

    Returns:
        The file names of the BLAS libraries that took the setting.

    Raises:
        ValueError: `number` is negative.
    """
    global _requested, generation
    if number < 0:
        raise ValueError(f"set_num_threads expects a number of threads of 0 or more, got {number}.")
    _requested = number or available()
    generation += 1
    return [os.path.basename(path) for path, setter in _blas() if _told(setter, _requested)]


def _told(setter: Any, number: int) -> bool:
    setter(number)
    return True


def _blas() -> list[tuple[str, Any]]:
    """The BLAS libraries mapped into this process, each with its function that sets threads."""
    from .onednn.library import mapped_libraries

    found = []
    for path in mapped_libraries():
        name = os.path.basename(path).lower()
        if not any(mark in name for mark in ("blas", "mkl_rt", "blis")):
            continue
        try:
            handle = ctypes.CDLL(path, mode=getattr(os, "RTLD_NOLOAD", 4) | os.RTLD_LAZY)
        except OSError:
            continue
        for symbol in _SETTERS:
            setter = getattr(handle, symbol, None)
            if setter is not None:
                setter.argtypes, setter.restype = [ctypes.c_int], None
                found.append((path, setter))
                break
    return found


def _after_fork() -> None:
    """A forked child has none of its parent's OpenMP workers and would wait for them for ever."""
    global _requested, generation
    _requested = 1
    generation += 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
