"""A choice about memory: keep what large temporaries gave back, instead of returning it at once.

The C library hands large blocks to the operating system as soon as they are freed, and every new
one is then mapped and cleared page by page: a fresh array of 64 MB costs more in page faults than
in arithmetic. With higher thresholds the process keeps freed memory and uses it again, at the price
of a resident size that stays near its peak.

The engine makes the choice for glibc on Linux when it loads its kernels; the environment variable
``EAGERCORE_KEEP_MEMORY=0`` leaves the C library as it is, and :func:`keep_freed_memory` switches by
hand. Settings the user made through ``MALLOC_*`` variables are left alone.
"""

from __future__ import annotations

import ctypes
import os
import sys

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # glibc's malloc.h

LIMIT = 1 << 30
"""Blocks up to this size are kept, and this much free memory at the end of the heap."""

_chosen: bool | None = None


def supported() -> bool:
    """Whether the C library is glibc, whose allocator has these settings."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        return "glibc" in (os.confstr("CS_GNU_LIBC_VERSION") or "")
    except (OSError, ValueError):
        return False


def keep_freed_memory(enabled: bool = True) -> bool:
    """Keep freed blocks for the next array (or, with False, give them back as glibc does).

    Args:
        enabled: Whether freed memory is to be kept.

    Returns:
        Whether the setting was made: False where the C library is not glibc.
    """
    global _chosen
    if not supported():
        return False
    libc = ctypes.CDLL(None)
    # glibc's own defaults; setting them also ends its habit of adapting the first to what it sees.
    trim, mmap = (LIMIT, LIMIT) if enabled else (1 << 17, 1 << 17)
    done = bool(libc.mallopt(_TRIM_THRESHOLD, trim)) and bool(libc.mallopt(_MMAP_THRESHOLD, mmap))
    if done:
        _chosen = enabled
        if not enabled:
            libc.malloc_trim(0)
    return done


def keep_by_default() -> bool:
    """Make the default choice, once: only where it is safe and nobody has chosen otherwise.

    Returns:
        Whether freed memory is kept.
    """
    if _chosen is None:
        refused = os.environ.get("EAGERCORE_KEEP_MEMORY", "1").strip() in ("0", "false", "no")
        tuned = any(name.startswith("MALLOC_") for name in os.environ)
        if not refused and not tuned and not os.environ.get("GLIBC_TUNABLES"):
            keep_freed_memory()
    return bool(_chosen)


def kept() -> bool:
    """Whether freed memory is kept now."""
    return bool(_chosen)
