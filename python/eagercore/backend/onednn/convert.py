"""Conversion between float32 and bfloat16 by the processor's instructions, on all threads."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import kernel
from .program import (
    DATA_BFLOAT16,
    DATA_FLOAT32,
    DESTINATION,
    FLOAT32,
    SOURCE,
    Primitive,
    Program,
    empty,
    packed,
    programs,
    require,
)

LEAST = 1 << 15
"""With fewer elements one thread of NumPy's is as fast."""


@kernel("cast_op")
def cast(x: np.ndarray, *, dtype: Any) -> Any:
    """The elements as another type: float32 as bfloat16, or back."""
    names = x.dtype.name, dtype.name
    if names not in (("float32", "bfloat16"), ("bfloat16", "float32")) or x.size < LEAST:
        return NotImplemented
    return converted(x, dtype._numpy()) if x.flags.c_contiguous else NotImplemented


cast.least = LEAST  # type: ignore[attr-defined]


def converted(array: np.ndarray, kind: np.dtype[Any]) -> Any:
    """A contiguous array of float32 as bfloat16, or the other way; NotImplemented where the processor cannot."""
    if not require().has_bfloat16 or not array.size:
        return NotImplemented
    narrow = array.dtype is FLOAT32
    program = programs.get(("convert", narrow, array.size), _build, narrow, array.size)
    if program is None:
        return NotImplemented
    made = empty(array.shape, kind if narrow else FLOAT32)
    program.run(array, made)
    return made


def _build(narrow: bool, size: int) -> Program:
    program = Program(single=size < 1 << 16)
    single, half = packed((size,), DATA_FLOAT32), packed((size,), DATA_BFLOAT16)
    given, made = (single, half) if narrow else (half, single)
    source, target = program.array(given), program.array(made)
    program.step(Primitive("reorder", given, made), {SOURCE: source, DESTINATION: target})
    return program
