"""Buffer reuse: a ufunc writes into an argument's memory when nobody reads that memory afterwards.

Only memory that the program made itself is written to: never an input, a constant, a variable's value, a result, or
what a function that is called as a whole may still hold. Results are unchanged to the bit.
"""

from __future__ import annotations

from typing import Any

from ..lower import Register

SMALL = 64
"""Elements below which a new array costs less than finding an old one."""


def run(listing: Any) -> None:
    """Gives each ufunc an `out` where one is free."""
    last = last_uses(listing)
    for storage in {id(r.storage): r.storage for r in listing.outputs if r is not None}.values():
        storage.shared = True
    for position, call in enumerate(listing.calls):
        if call.kind == "ufunc" and not call.kwargs:
            call.out = _free(call, position, last)
            if call.out is not None:
                result = call.results[0]
                _move(listing, result, call.out.storage, position, last)
        elif call.kind in ("call", "assign"):
            for register in call.registers():
                register.storage.shared = True


def last_uses(listing: Any) -> dict[int, int]:
    """Position of the last call that reads each storage; results are read after the end."""
    last: dict[int, int] = {}
    for position, call in enumerate(listing.calls):
        for register in call.registers():
            last[id(register.storage)] = position
    for register in listing.outputs:
        if register is not None:
            last[id(register.storage)] = len(listing.calls)
    return last


def _free(call: Any, position: int, last: dict[int, int]) -> Register | None:
    result = call.results[0]
    if not result.shape or not result.known or result.size < SMALL:
        return None
    for register in call.args:
        if type(register) is not Register:
            continue
        storage = register.storage
        if (
            storage.owned
            and not storage.shared
            and last.get(id(storage)) == position
            and register.shape == result.shape
            and register.dtype == result.dtype
            and not register.repeats
        ):
            return register
    return None


def _move(
    listing: Any, result: Register, storage: Any, position: int, last: dict[int, int]
) -> None:
    """The result lives where the argument lived."""
    old = result.storage
    last[id(storage)] = max(last.get(id(old), position), position)
    if old.shared:
        storage.shared = True
    for call in listing.calls[position:]:
        for register in call.results:
            if register.storage is old:
                register.storage = storage
    for register in listing.outputs:
        if register is not None and register.storage is old:
            register.storage = storage
    result.storage = storage
