"""Sums, largest and smallest numbers of the rows of a matrix.

OneDNN keeps one running value in each lane of a vector register: 16 sums for a row. Long rows are cut in parts of
:data:`PART` numbers, so that no running sum has more than 128 terms, and the parts' sums are added pairwise by NumPy.
Its largest number of a row leaves out what is not a number (the row's sum, taken while the row is in the cache, tells)
and is never less than the least finite number.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .program import DESTINATION, REDUCTIONS, SOURCE, Primitive, Program, packed, programs

PART = 1 << 10
"""Numbers of a part of a row, roughly."""

SINGLE = 1 << 16
"""Elements up to which one thread does them all."""

BLOCK = 1 << 20
"""Elements of the rows that are looked at for NaN while they are in the cache."""

LIMITS = {"max": np.finfo(np.float32).min, "min": np.finfo(np.float32).max}
"""Where its search begins: what it gives for a row of infinities."""

FARTHEST = {"max": np.minimum, "min": np.maximum}

Array = np.ndarray[Any, Any]


def sum_rows(rows: Array) -> Any:
    """The sum of each row of a contiguous float32 matrix, as a vector; NotImplemented where there is none."""
    count, length = rows.shape
    part = _part(length)
    if part is None:
        return NotImplemented
    if part == length:
        return run_rows(rows, "sum")
    made = run_rows(rows.reshape(-1, part), "sum")
    return made if made is NotImplemented else np.add.reduce(made.reshape(count, -1), axis=1)


def extreme_rows(rows: Array, kind: str) -> Any:
    """The largest ("max") or smallest ("min") number of each row; NotImplemented where oneDNN may be wrong."""
    count, length = rows.shape
    if length == 1:
        return NotImplemented
    found = np.empty(count, rows.dtype)
    step = max(BLOCK // length, 1)
    for at in range(0, count, step):
        block = rows[at : at + step]
        made, sums = found[at : at + step], np.empty(len(block), rows.dtype)
        program = programs.get(("extreme", kind, block.shape), _build, block.shape, (kind, "sum"))
        if program is None:
            return NotImplemented
        program.run(block, made, sums)
        # Infinities of both signs give NaN too: such rows are left to the reference.
        # Whatever is NaN or at the limit in one of the rows is so in these.
        total, farthest = np.add.reduce(sums), FARTHEST[kind].reduce(made)
        if total != total or farthest == LIMITS[kind]:
            return NotImplemented
    return found


def _part(length: int) -> int | None:
    """Numbers of the equal parts of a row; None where they would be one number, or too long."""
    if length <= 2 * PART:
        return length if length > 1 else None
    for count in range(length // PART, 4 * length // PART + 1):
        if length % count == 0:
            return length // count
    return None


def run_rows(rows: Array, kind: str) -> Any:
    """Each row of at least two numbers reduced by one of :data:`.program.REDUCTIONS`, as it is."""
    made = np.empty(len(rows), rows.dtype)
    program = programs.get(("reduce", kind, rows.shape), _build, rows.shape, (kind,))
    if program is None:
        return NotImplemented
    program.run(rows, made)
    return made


def _build(shape: tuple[int, int], kinds: tuple[str, ...]) -> Program:
    """One reduction of the rows after the other: the rows, and the result of each."""
    program = Program(single=shape[0] * shape[1] < SINGLE)
    rows, results = packed(shape), packed((shape[0], 1))
    x = program.array(rows)
    for kind in kinds:
        primitive = Primitive("reduction", REDUCTIONS[kind], rows, results, 0.0, 0.0)
        program.step(primitive, {SOURCE: x, DESTINATION: program.array(results)})
    return program
