"""bfloat16 by the processor's instructions, on all threads: conversions, and the functions that are one pass."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import kernel
from ..blocks import blockwise
from .program import (
    DATA_BFLOAT16,
    DATA_FLOAT32,
    DESTINATION,
    DIFF_DESTINATION,
    DIFF_SOURCE,
    ELTWISE,
    FLOAT32,
    FORWARD_TRAINING,
    SOURCE,
    Primitive,
    Program,
    dense,
    empty,
    kind_of,
    packed,
    programs,
    require,
)

LEAST = 1 << 15
"""With fewer elements one thread of NumPy's is as fast."""


@kernel("cast_op", least=LEAST)
def cast(x: np.ndarray, *, dtype: Any) -> Any:
    """The elements as another type: float32 as bfloat16, or back."""
    names = x.dtype.name, dtype.name
    if names not in (("float32", "bfloat16"), ("bfloat16", "float32")) or x.size < LEAST:
        return NotImplemented
    return converted(x, dtype._numpy()) if x.flags.c_contiguous else NotImplemented


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


def leaky_relu(x: np.ndarray, alpha: float) -> Any:
    """`x` where positive, else ``alpha * x``; `alpha` is not 0."""
    return _applied(("relu", alpha), x)


def leaky_relu_gradient(dy: np.ndarray, x: np.ndarray, alpha: float) -> Any:
    """`dy` where `x` is positive, else ``alpha * dy``; `alpha` is not 0."""
    return _applied(("relu", alpha), x, dy) if x.shape == dy.shape else NotImplemented


def masked(x: np.ndarray, keep: np.ndarray, scale: float) -> Any:
    """``scale * x`` where `keep` is true, else 0."""
    if keep.shape != x.shape or not keep.flags.c_contiguous:
        return NotImplemented
    made = _applied(("linear", scale), x)
    if made is NotImplemented:
        return NotImplemented

    def step(mask: np.ndarray, bits: np.ndarray, small: np.ndarray, wide: np.ndarray) -> None:
        np.negative(mask, out=small)  # -1, all bits, where it is true
        np.copyto(wide, small)
        np.bitwise_and(bits, wide, out=bits)

    vectors = [keep.reshape(-1).view(np.int8), made.reshape(-1).view(np.int16)]
    blockwise(step, vectors, (np.int8, np.int16), block=1 << 18, threaded=1 << 19)
    return made


def _applied(function: tuple[str, float], x: np.ndarray, *dy: np.ndarray) -> Any:
    """An eltwise function of an array, or what goes back through it."""
    if kind_of(x, *dy) != DATA_BFLOAT16:
        return NotImplemented
    program = programs.get(
        ("half", function, x.size, len(dy)), _build_eltwise, function, x.size, bool(dy)
    )
    if program is None:
        return NotImplemented
    made = empty(x.shape, x.dtype)
    program.run(dense(x), *map(dense, dy), made)
    return made


def _build_eltwise(function: tuple[str, float], size: int, back: bool) -> Program:
    program = Program(single=size < 1 << 16)
    vector, (name, alpha) = packed((size,), DATA_BFLOAT16), function
    primitive = Primitive(
        "eltwise_forward", FORWARD_TRAINING, ELTWISE[name], vector, vector, alpha, 0.0
    )
    x = program.array(vector)
    if not back:
        program.step(primitive, {SOURCE: x, DESTINATION: program.array(vector)})
        return program
    primitive = Primitive(
        "eltwise_backward", ELTWISE[name], vector, vector, vector, alpha, 0.0, primitive
    )
    dy, dx = program.array(vector), program.array(vector)
    program.step(primitive, {SOURCE: x, DIFF_DESTINATION: dy, DIFF_SOURCE: dx})
    return program
