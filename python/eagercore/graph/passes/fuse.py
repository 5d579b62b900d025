"""Elementwise fusion: a run of ufuncs over large arrays is done block by block, so that intermediate results stay in
the cache instead of going through memory.

Each block sees the same ufuncs in the same order, so results are unchanged to the bit. Blocks are
rows of the first axis; what broadcasts along it is used whole.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...backend import parallel
from ..lower import Call, Register, Storage
from .reuse import last_uses

LARGE = 1 << 19
"""Elements of a result from which on fusing pays: smaller arrays stay in the cache as they are."""
BLOCK = 1 << 17
"""Elements of a block: threads that make shorter calls wait for the interpreter more than they compute."""
ALONE = 1 << 19
"""Elements from which on a single costly ufunc is worth threads."""
_COSTLY = (
    np.exp,
    np.expm1,
    np.log,
    np.log1p,
    np.tanh,
    np.sin,
    np.cos,
    np.tan,
    np.power,
    np.arctan,
    np.sinh,
    np.cosh,
)
_SLOW_WITH_SCALARS = (np.maximum, np.minimum)
"""NumPy is three times as slow when one operand of these is a scalar: it is written out for a block."""
THREADED = 1 << 17
"""Elements that are worth a thread of their own."""


def run(listing: Any) -> None:
    """Replaces runs of large ufuncs by one call each."""
    calls: list[Call] = []
    group: list[Call] = []
    last = last_uses(listing)
    kept = _kept(listing)
    for call in listing.calls:
        if _joins(call, group):
            group.append(call)
            continue
        calls.extend(_closed(group, kept, last))
        group = [call] if _fusible(call) else []
        if not group:
            calls.append(call)
    calls.extend(_closed(group, kept, last))
    listing.calls = calls


def _fusible(call: Call) -> bool:
    if call.kind != "ufunc" or call.kwargs:
        return False
    result = call.results[0]
    return result.known and bool(result.shape) and result.size >= LARGE and result.shape[0] > 1


def _joins(call: Call, group: list[Call]) -> bool:
    return bool(group) and _fusible(call) and call.results[0].shape == group[0].results[0].shape


def _kept(listing: Any) -> dict[int, int]:
    """How many calls (and results) read each register."""
    count: dict[int, int] = {}
    for call in listing.calls:
        for register in call.registers():
            count[id(register)] = count.get(id(register), 0) + 1
    for register in listing.outputs:
        if register is not None:
            count[id(register)] = count.get(id(register), 0) + 1
    return count


def _closed(group: list[Call], kept: dict[int, int], last: dict[int, int]) -> list[Call]:
    if len(group) < 2 and not (
        group and group[0].function in _COSTLY and group[0].results[0].size >= ALONE
    ):
        return group
    return [Fused(group, kept).call]


class Fused:
    """Several ufuncs over one shape, as one function on whole arrays.

    Attributes:
        call: The prepared call that stands for them.
    """

    def __init__(self, group: list[Call], kept: dict[int, int]) -> None:
        made = {id(c.results[0]): c.results[0] for c in group}
        inside: dict[int, int] = {}
        arguments: dict[int, Register] = {}
        for call in group:
            for register in call.registers():
                if id(register) in made:
                    inside[id(register)] = inside.get(id(register), 0) + 1
                else:
                    arguments[id(register)] = register
        self.results = [r for r in made.values() if kept.get(id(r), 0) > inside.get(id(r), 0)]
        self.arguments = list(arguments.values())
        self.shape = group[0].results[0].shape
        self._number(group)
        for register in self.results:
            register.storage = Storage(True)
        several = len(self.results) > 1
        self.call = Call("fresh", self, self.arguments, self.results, group[-1].step, None, several)
        self.dtypes = [r.dtype for r in self.results]

    def _number(self, group: list[Call]) -> None:
        """The program of one block: (ufunc, where the arguments are, where the result goes)."""
        place = {id(r): ("a", i) for i, r in enumerate(self.arguments)}
        place.update({id(r): ("r", i) for i, r in enumerate(self.results)})
        uses = {}
        for position, call in enumerate(group):
            for register in call.registers():
                uses[id(register)] = position
        scratch: list[Any] = []
        free: list[int] = []
        self.program = []
        for position, call in enumerate(group):
            sources = [place[id(a)] if type(a) is Register else ("c", a) for a in call.args]
            result = call.results[0]
            for register in {id(r): r for r in call.registers()}.values():
                where = place[id(register)]
                if where[0] == "t" and uses[id(register)] == position:
                    free.append(where[1])
            if id(result) not in place:
                slot = next((s for s in free if scratch[s] == result.dtype), None)
                if slot is None:
                    slot = len(scratch)
                    scratch.append(result.dtype)
                else:
                    free.remove(slot)
                place[id(result)] = ("t", slot)
            self.program.append((call.function, sources, place[id(result)]))
        self.scratch = scratch

    def __call__(self, *arrays: Any) -> Any:
        """The chain's result, computed block by block."""
        shape = self.shape
        rows = shape[0]
        width = int(np.prod(shape[1:], dtype=np.int64))
        step = max(1, BLOCK // max(width, 1))
        program = [
            (f, [_spread(f, s, arrays, (step, *shape[1:])) for s in sources], t)
            for f, sources, t in self.program
        ]
        results = [np.empty(shape, d) for d in self.dtypes]
        cut = [getattr(a, "ndim", 0) == len(shape) and a.shape[0] == rows for a in arrays]

        def work(start: int, stop: int) -> None:
            scratch = [np.empty((step, *shape[1:]), d) for d in self.scratch]
            with np.errstate(all="ignore"):
                for at in range(start, stop, step):
                    _block(program, at, min(at + step, stop), arrays, cut, results, scratch)

        parallel.run(work, rows, max(1, THREADED // max(width, 1)))
        return results[0] if len(results) == 1 else tuple(results)


def _block(
    program: Any, at: int, end: int, arrays: Any, cut: Any, results: Any, scratch: Any
) -> None:
    """One block of rows."""
    given = [a[at:end] if c else a for a, c in zip(arrays, cut, strict=True)]
    made = [r[at:end] for r in results]
    rooms = [s[: end - at] for s in scratch]
    places = {"a": given, "r": made, "t": rooms}
    for function, sources, target in program:
        inputs = [_operand(s, places, end - at) for s in sources]
        function(*inputs, out=places[target[0]][target[1]])


def _spread(function: Any, source: Any, arrays: Any, shape: Any) -> Any:
    """A scalar operand of a function that is slow with scalars, written out for a block."""
    if function not in _SLOW_WITH_SCALARS or source[0] not in "ac":
        return source
    value = arrays[source[1]] if source[0] == "a" else source[1]
    if not isinstance(value, np.ndarray | np.generic) or value.ndim:
        return source
    return "f", np.full(shape, value, value.dtype)


def _operand(source: Any, places: dict[str, Any], rows: int) -> Any:
    kind, what = source
    if kind == "f":
        return what[:rows]
    return what if kind == "c" else places[kind][what]
