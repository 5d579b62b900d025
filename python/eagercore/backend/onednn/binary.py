"""Arithmetic on large arrays, and gradients that are chains of it, each in one pass on all threads.

Every step rounds as NumPy's does, so that results are the reference's bit by bit.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from .library import Unimplemented
from .program import (
    BINARY,
    DESTINATION,
    FLOAT32,
    SOURCE,
    SOURCE_1,
    Attributes,
    Primitive,
    Program,
    empty,
    fused_argument,
    packed,
    programs,
)

RECTIFIED = 1 << 16
"""Elements from which on a rectifier in place is oneDNN's."""

NARROW = 1 << 10
"""Columns below which several rows are taken together."""

Array = np.ndarray[Any, Any]
Ints = tuple[int, ...]

ZERO, MINUS_ONE, INFINITY = (np.full(1, value, np.float32) for value in (0, -1, np.inf))


def run_binary(name: str, x: Array, y: Array, after: tuple[Any, ...] = (), *more: Array) -> Any:
    """An operation of :data:`.program.BINARY` on two arrays, and what follows it, in one pass.

    Args:
        name: The operation.
        x: Array in the shape of the result.
        y: Array that broadcasts to that of `x`: of its shape, one number, its last axes or its first.
        after: What is applied in turn: the name of an operation, whose other operand is the next of `more`; such a name
            in a tuple, where that operand is one number; or ``(name of an eltwise function, alpha, beta)``.
        more: Arrays in the shape of `x`, or of one number, as `after` says.

    Returns:
        Array in the shape of `x`, or NotImplemented.
    """
    if x.dtype is not FLOAT32 or y.dtype is not FLOAT32 or not x.flags.c_contiguous:
        return NotImplemented
    shape = x.shape
    folded = _folded(shape, y.shape)
    if folded is None or not y.flags.c_contiguous:
        return NotImplemented
    whole = [isinstance(one, str) for one in after if isinstance(one, str) or len(one) == 1]
    for array, full in zip(more, whole, strict=True):
        if array.dtype is not FLOAT32 or not array.flags.c_contiguous:
            return NotImplemented
        if array.shape != shape if full else array.size != 1:
            return NotImplemented
    if folded[1][0] == 1 < folded[1][-1] < NARROW and not more:
        folded, y = _widened(*folded, y)
    program = programs.get(("binary", name, folded, after), _build, name, *folded, after)
    if program is None:
        return NotImplemented
    out = empty(shape)
    program.run(x, y, *more, out)
    return out


def run_multiply_add(x: Array, factor: Array, shift: Array) -> Any:
    """``x * factor + shift`` in one pass, rounded twice as NumPy does; both are of the last axes of `x`."""
    shape = x.shape
    for array in (x, factor, shift):
        if array.dtype is not FLOAT32 or not array.flags.c_contiguous:
            return NotImplemented
    folded = _folded(shape, factor.shape) if factor.shape == shift.shape else None
    if folded is None or folded[1][0] != 1 or len(folded[1]) != 2:
        return NotImplemented
    if folded[1][1] < NARROW:
        shift = _widened(*folded, shift)[1]
        folded, factor = _widened(*folded, factor)
    program = programs.get(("multiply_add", folded), _build_multiply_add, *folded)
    if program is None:
        return NotImplemented
    out = empty(shape)
    program.run(x, factor, shift, out)
    return out


@functools.lru_cache(1024)
def _folded(shape: Ints, other: Ints) -> tuple[Ints, Ints] | None:
    """Both shapes with axes taken together; None where the second does not broadcast to the first in one run."""
    size = math.prod(shape)
    if not size:
        return None
    if shape == other:
        return (size,), (size,)
    count = math.prod(other)
    if len(other) > len(shape) or not count:
        return None
    if count == 1:
        return (size,), (1,)
    alike = len(other)
    while other[alike - 1] == 1:
        alike -= 1
    if len(other) == len(shape) and other[:alike] == shape[:alike]:
        return (count, size // count), (count, 1)
    while other[0] == 1:
        other = other[1:]
    return ((size // count, count), (1, count)) if other == shape[-len(other) :] else None


def _widened(shape: Ints, other: Ints, y: Array) -> tuple[tuple[Ints, Ints], Array]:
    """Rows of few columns taken together, and `y` repeated as often: a row costs as much as a hundred numbers."""
    (rows, columns), times = shape, 1
    while rows % (2 * times) == 0 and columns * times < NARROW:
        times *= 2
    if times == 1:
        return (shape, other), y
    wide = columns * times
    y = np.concatenate([y.reshape(-1)] * times)
    return ((rows // times, wide), (1, wide)), y


def _build(name: str, shape: Ints, other: Ints, after: tuple[Any, ...]) -> Program:
    program = Program()
    left, right = packed(shape), packed(other)
    operands = {
        position: left if isinstance(one, str) else packed((1,) * len(shape))
        for position, one in enumerate(after)
        if isinstance(one, str) or len(one) == 1
    }
    attributes = Attributes()
    if after:
        names = [one if isinstance(one, str) else one[0] for one in after]
        attributes.fuse(
            *[(names[i], operands[i]) if i in operands else one for i, one in enumerate(after)]
        )
    primitive = Primitive("binary", BINARY[name], left, right, left, attributes=attributes)
    arguments = {SOURCE: program.array(left), SOURCE_1: program.array(right)}
    for position, operand in operands.items():
        arguments[fused_argument(position)] = program.array(operand)
    program.step(primitive, {**arguments, DESTINATION: program.array(left)})
    return program


def _build_multiply_add(shape: Ints, other: Ints) -> Program:
    program = Program()
    rows, row = packed(shape), packed(other)
    attributes = Attributes().fuse(("add", row))
    primitive = Primitive("binary", BINARY["multiply"], rows, row, rows, attributes=attributes)
    x, factor, shift, out = (program.array(d) for d in (rows, row, row, rows))
    program.step(
        primitive, {SOURCE: x, SOURCE_1: factor, fused_argument(0): shift, DESTINATION: out}
    )
    return program


def rectify(x: Array) -> Any:
    """``max(x, 0)``, where NaN stays NaN: of 0 (as no number is more than infinite) and x, which comes second."""
    return run_binary("greater", x, INFINITY, ("maximum",), x)


def rectify_in_place(x: Array) -> None:
    """``max(x, 0)`` of a contiguous float32 array, written over it; NaN stays NaN."""
    if x.size < RECTIFIED:
        # Three times as fast as the maximum with a number.
        np.maximum(x, np.zeros(x.shape, FLOAT32), out=x)
        return
    shape, after = (x.size,), ("maximum",)
    key = ("binary", "greater", (shape, (1,)), after)
    program = programs.get(key, _build, "greater", shape, (1,), after)
    if program is None:
        raise Unimplemented("binary")
    program.run(x, INFINITY, x, x)


def rectify_gradient(dy: Array, y: Array) -> Any:
    """``dy * (y > 0)``, as ``dy * (-y < 0)``: OneDNN finds that NaN is greater, but not that it is less."""
    return run_binary("multiply", y, MINUS_ONE, (("less",), "multiply"), ZERO, dy)
