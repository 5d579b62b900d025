"""Passes over a draft, in the order in which they run: each is a file with a function `run(draft)`.

A pass never changes a result: not by a bit, unless its own words say how.
`tests/python/graph/test_passes.py` holds each to that, and a fuzzer of random graphs holds them all together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import algebra, common, constants, dead, epilogue, fuse, products, reuse

#: Passes over steps.
PASSES: tuple[tuple[str, Callable[[Any], None]], ...] = (
    ("dead", dead.run),
    ("algebra", algebra.run),
    ("constants", constants.run),
    ("algebra", algebra.run),
    ("common", common.run),
    ("dead", dead.run),
)
#: Passes over steps that only the engine's own programs have: what they make is run by its kernels.
NATIVE: tuple[tuple[str, Callable[[Any], None]], ...] = (
    ("products", products.run),
    ("epilogue", epilogue.run),
)
#: Passes over the prepared calls that the steps were lowered to.
LATE: tuple[tuple[str, Callable[[Any], None]], ...] = (("fuse", fuse.run), ("reuse", reuse.run))

_switched_off: set[str] = set()


def optimize(draft: Any) -> None:
    """Runs the passes over a draft."""
    for name, run in PASSES:
        if name not in _switched_off:
            run(draft)


def optimize_for_kernels(draft: Any) -> None:
    """Runs the passes that suit a draft to the engine's kernels."""
    for name, run in NATIVE:
        if name not in _switched_off:
            run(draft)


def optimize_calls(listing: Any) -> None:
    """Runs the late passes over prepared calls."""
    for name, run in LATE:
        if name not in _switched_off:
            run(listing)


def switch(name: str, on: bool = True) -> bool:
    """Switches a pass on or off for graphs that are prepared from now on.

    Args:
        name: Name of the pass: its file's.
        on: Whether it is to run.

    Returns:
        Whether it ran before.

    Raises:
        ValueError: If there is no such pass.
    """
    names = {n for n, _ in (*PASSES, *NATIVE, *LATE)}
    if name not in names:
        raise ValueError(
            f"There is no pass named {name!r}: the passes are {', '.join(sorted(names))}."
        )
    before = name not in _switched_off
    (_switched_off.discard if on else _switched_off.add)(name)
    return before
