"""Softmax along the last axis, its logarithm, the cross entropies made of it, and what goes back through them.

Short rows are left to oneDNN's softmax. Many long ones are done in steps, in blocks that stay in the cache, which is
faster than its own: the largest number of each row, the exponentials of the differences, their sum, the quotient.

OneDNN's largest number passes over NaN and its `exp` makes infinity of it; a row of -inf has no sum. The sums tell, and
such arrays are left to the reference.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import kernel
from .program import (
    BINARY,
    DESTINATION,
    DIFF_DESTINATION,
    DIFF_SOURCE,
    ELTWISE,
    FLOAT32,
    FORWARD_INFERENCE,
    FORWARD_TRAINING,
    REDUCTIONS,
    SOURCE,
    SOURCE_1,
    Attributes,
    Primitive,
    Program,
    dense,
    empty,
    packed,
    programs,
)
from .reduction import run_rows

ACCURATE, LOGARITHM = 0x30000, 0x30001

LEAST = 1 << 8
"""With fewer elements the reference is as fast."""

LEAST_PARTS = 1 << 14
"""The same for what is more than one pass here."""

LEAST_LOSSES = 1 << 12
"""The same for losses."""

SINGLE = 1 << 16
"""Elements up to which one thread does them all."""

LONG, MANY = 1 << 8, 1 << 18
"""Numbers of a row, and of all, from which on the steps are faster than oneDNN's softmax."""

BLOCK = 1 << 20
"""Elements of a block of rows: it and its result stay in the last-level cache from one step to the next."""

Array = np.ndarray[Any, Any]
Ints = tuple[int, ...]


def _rows(x: Array, axis: Any = -1) -> Any:
    """The array as a matrix of rows along the axis; None where it is another, or another dtype."""
    if x.dtype is not FLOAT32 or not isinstance(axis, int):
        return None
    shape = x.shape
    axis += len(shape) if axis < 0 else 0
    if not 0 <= axis < len(shape) or math.prod(shape[axis + 1 :]) != 1 or shape[axis] < 2:
        return None
    return dense(x).reshape(-1, shape[axis])


@kernel("softmax_op", least=LEAST)
def softmax(logits: Array, *, axis: Any = -1) -> Any:
    """``exp(x) / sum(exp(x))`` along an axis that no other follows (but such of size 1)."""
    x = _rows(logits, axis) if logits.size >= LEAST else None
    if x is None:
        return NotImplemented
    made = _shares(x) if x.shape[1] >= LONG and x.size >= MANY else _short(x)
    return NotImplemented if made is None else made[0].reshape(logits.shape)


def _short(x: Array) -> Any:
    """The softmax of rows by oneDNN's own; None where it may be wrong."""
    program = programs.get(("softmax", x.shape), _build_short, x.shape)
    if program is None:
        return None
    y = empty(x.shape)
    program.run(x, y)
    # Beside a NaN it leaves zeros where the whole row is NaN.
    return None if np.isnan(np.maximum.reduce(y, axis=None)) else (y,)


def _shares(x: Array) -> Any:
    """The softmax of rows, the largest number of each and the sum of its exponentials; None where it may be wrong."""
    y, top, total = empty(x.shape), np.empty(len(x), FLOAT32), np.empty(len(x), FLOAT32)
    step = max(BLOCK // x.shape[1], 1)
    for at in range(0, len(x), step):
        block = x[at : at + step]
        program = programs.get(("shares", block.shape), _build_shares, block.shape)
        if program is None:
            return None
        end = at + step
        program.run(block, y[at:end], top[at:end], total[at:end])
    return (y, top, total) if _are_sums(total) else None


def _are_sums(total: Array) -> bool:
    """Whether all are finite and positive: sums of numbers of which the largest is 1."""
    return bool(np.minimum.reduce(total) > 0 and np.add.reduce(total) < np.inf)


@kernel("softmax_gradient", least=LEAST_PARTS)
def softmax_gradient(dy: Array, y: Array, *, axis: Any = -1) -> Any:
    """``(dy - sum(dy * y)) * y``."""
    back, rows = (_rows(dy, axis), _rows(y, axis)) if y.size >= LEAST_PARTS else (None, None)
    if back is None or rows is None or dy.shape != y.shape:
        return NotImplemented
    made = _gradient(back, rows, ACCURATE)
    return made if made is NotImplemented else made.reshape(y.shape)


def _gradient(dy: Array, y: Array, algorithm: int) -> Any:
    program = programs.get(
        ("softmax_gradient", algorithm, y.shape), _build_gradient, y.shape, algorithm
    )
    if program is None:
        return NotImplemented
    dx = empty(y.shape)
    program.run(y, dy, dx)
    return dx


@kernel("log_softmax_op", least=LEAST_PARTS)
def log_softmax(logits: Array, *, axis: Any = -1) -> Any:
    """``x - max(x) - log(sum(exp(x - max(x))))`` along an axis that no other follows."""
    x = _rows(logits, axis) if logits.size >= LEAST_PARTS else None
    if x is None:
        return NotImplemented
    y = empty(x.shape)
    done = _with_logarithms(x, "log_softmax", _build_difference, lambda at, end: (y[at:end],))
    return y.reshape(logits.shape) if done else NotImplemented


@kernel("log_softmax_gradient", least=LEAST_PARTS)
def log_softmax_gradient(dy: Array, y: Array, *, axis: Any = -1) -> Any:
    """``dy - exp(y) * sum(dy)``."""
    back, rows = (_rows(dy, axis), _rows(y, axis)) if y.size >= LEAST_PARTS else (None, None)
    if back is None or rows is None or dy.shape != y.shape:
        return NotImplemented
    made = _gradient(back, rows, LOGARITHM)
    # The exponential of NaN is infinite here: nothing is lost where the result is finite.
    if made is NotImplemented or not _is_finite(made):
        return NotImplemented
    return made.reshape(y.shape)


def _is_finite(rows: Array) -> bool:
    """Whether the sums of rows are finite, and so all numbers in them."""
    sums = run_rows(rows, "sum")
    return sums is not NotImplemented and bool(np.isfinite(sums).all())


@kernel("softmax_cross_entropy_op", least=LEAST_PARTS)
def softmax_cross_entropy(labels: Array, logits: Array) -> Any:
    """``-sum(labels * log_softmax(logits))`` of rows."""
    x, z = (_rows(logits), _rows(labels)) if logits.size >= LEAST_PARTS else (None, None)
    if x is None or z is None or labels.shape != logits.shape:
        return NotImplemented
    losses = np.empty(len(x), FLOAT32)
    done = _with_logarithms(
        x, "cross_entropy", _build_entropy, lambda at, end: (z[at:end], losses[at:end])
    )
    # Where a class has no label, an infinite logarithm does not count: that is left to the reference.
    if not done or np.isnan(np.add.reduce(losses)):
        return NotImplemented
    return np.negative(losses, out=losses).reshape(logits.shape[:-1])


@kernel("softmax_cross_entropy_gradient")
def softmax_cross_entropy_gradient(dy: Array, labels: Array, logits: Array) -> Any:
    """``dy * (softmax(logits) * sum(labels) - labels)``."""
    x, z = (_rows(logits), _rows(labels)) if logits.size >= LEAST_PARTS else (None, None)
    if x is None or z is None or labels.shape != logits.shape or dy.shape != logits.shape[:-1]:
        return NotImplemented
    if dy.dtype is not FLOAT32:
        return NotImplemented
    y, back = empty(x.shape), dense(dy).reshape(-1)
    top, total, weight = (np.empty(len(x), FLOAT32) for _ in range(3))
    step = max(BLOCK // x.shape[1], 1)
    for at in range(0, len(x), step):
        end = at + step
        block = x[at:end]
        program = programs.get(("entropy_gradient", block.shape), _build_back, block.shape)
        if program is None:
            return NotImplemented
        numbers = (array[at:end] for array in (top, total, weight, back))
        program.run(block, y[at:end], z[at:end], *numbers)
    return y.reshape(logits.shape) if _are_sums(total) else NotImplemented


def _with_logarithms(x: Array, name: str, build: Any, others: Any) -> bool:
    """Run a program on blocks of rows.

    Args:
        x: The rows.
        name: Name of the program.
        build: Makes it. It takes the block, each row's largest number, the logarithm of its sum and the others.
        others: `others(at, end)` gives the other arrays of a block.

    Returns:
        Whether all could be done.
    """
    step = max(BLOCK // x.shape[1], 1)
    for at in range(0, len(x), step):
        block = x[at : at + step]
        first = programs.get(("sums", block.shape), _build_sums, block.shape)
        second = programs.get((name, block.shape), build, block.shape)
        if first is None or second is None:
            return False
        top, total = np.empty(len(block), FLOAT32), np.empty(len(block), FLOAT32)
        first.run(block, top, total)
        if not _are_sums(total):
            return False
        second.run(block, top, np.log(total, out=total), *others(at, at + step))
    return True


@kernel("sparse_softmax_cross_entropy_op")
def sparse_softmax_cross_entropy(labels: Array, logits: Array) -> Any:
    """Losses of rows, and their softmax."""
    x = _rows(logits) if logits.ndim == 2 and logits.size >= LEAST_LOSSES else None
    if x is None or not _are_classes(labels, logits):
        return NotImplemented
    made = _shares(x)
    if made is None:
        return NotImplemented
    share, top, total = made
    own = x[np.arange(len(x)), labels]
    own -= top
    return np.subtract(np.log(total, out=total), own, out=own), share


def _are_classes(labels: Array, logits: Array) -> bool:
    """Whether each row has a label; of what is wrong with others the reference tells."""
    if labels.shape != logits.shape[:1] or labels.dtype.kind not in "iu":
        return False
    return bool(labels.min() >= 0 and labels.max() < logits.shape[1])


# ------------------------------------------------------------------------------------------------------------ programs


def _build_short(shape: Ints) -> Program:
    program = Program(single=math.prod(shape) < SINGLE)
    rows = packed(shape)
    primitive = Primitive("softmax_forward", FORWARD_INFERENCE, ACCURATE, rows, rows, 1)
    x, y = program.array(rows), program.array(rows)
    program.step(primitive, {SOURCE: x, DESTINATION: y})
    return program


def _build_gradient(shape: Ints, algorithm: int) -> Program:
    program = Program(single=math.prod(shape) < SINGLE)
    rows = packed(shape)
    forward = Primitive("softmax_forward", FORWARD_TRAINING, algorithm, rows, rows, 1)
    backward = Primitive("softmax_backward", algorithm, rows, rows, rows, 1, forward)
    y, dy, dx = (program.array(rows) for _ in range(3))
    program.step(backward, {DESTINATION: y, DIFF_DESTINATION: dy, DIFF_SOURCE: dx})
    return program


class _Steps:
    """A program over a block of rows, and numbers of its rows."""

    def __init__(self, shape: Ints) -> None:
        self.program = Program(single=math.prod(shape) < SINGLE)
        self.rows, self.column = packed(shape), packed((shape[0], 1))

    def array(self) -> int:
        return self.program.array(self.rows)

    def numbers(self) -> int:
        return self.program.array(self.column)

    def scratch(self) -> int:
        self.program.keep(self.rows)
        return self.program.scratch(self.rows.handle)

    def reduce(self, kind: str, x: int, result: int) -> None:
        primitive = Primitive("reduction", REDUCTIONS[kind], self.rows, self.column, 0.0, 0.0)
        self.program.step(primitive, {SOURCE: x, DESTINATION: result})

    def combine(
        self, name: str, x: int, y: int, result: int, *, after: Any = (), rows: bool = False
    ) -> None:
        """A binary operation of rows with a number for each, or (with `rows`) with rows."""
        attributes = Attributes().fuse(*after) if after else None
        other = self.rows if rows else self.column
        primitive = Primitive(
            "binary", BINARY[name], self.rows, other, self.rows, attributes=attributes
        )
        self.program.step(primitive, {SOURCE: x, SOURCE_1: y, DESTINATION: result})

    def inverse(self, numbers: int) -> int:
        """One over numbers of the rows, in scratch memory."""
        made = self.program.scratch(self.column.handle)
        primitive = Primitive(
            "eltwise_forward",
            FORWARD_INFERENCE,
            ELTWISE["pow"],
            self.column,
            self.column,
            1.0,
            -1.0,
        )
        self.program.step(primitive, {SOURCE: numbers, DESTINATION: made})
        return made

    def shares(self, x: int, y: int, top: int, total: int) -> None:
        """The exponentials of the differences from the row's largest number, and their sum."""
        self.reduce("max", x, top)
        self.combine("subtract", x, top, y, after=[("exp", 0.0, 0.0)])
        self.reduce("sum", y, total)


def _build_shares(shape: Ints) -> Program:
    steps = _Steps(shape)
    x, y, top, total = steps.array(), steps.array(), steps.numbers(), steps.numbers()
    steps.shares(x, y, top, total)
    steps.combine("multiply", y, steps.inverse(total), y)
    return steps.program


def _build_back(shape: Ints) -> Program:
    steps = _Steps(shape)
    x, y, labels = steps.array(), steps.array(), steps.array()
    top, total, weight, dy = (steps.numbers() for _ in range(4))
    steps.shares(x, y, top, total)
    steps.reduce("sum", labels, weight)
    factor = steps.inverse(total)
    column = steps.column
    primitive = Primitive("binary", BINARY["multiply"], column, column, column)
    steps.program.step(primitive, {SOURCE: factor, SOURCE_1: weight, DESTINATION: factor})
    steps.combine("multiply", y, factor, y)
    steps.combine("subtract", y, labels, y, rows=True)
    steps.combine("multiply", y, dy, y)
    return steps.program


def _build_sums(shape: Ints) -> Program:
    steps = _Steps(shape)
    x, top, total = steps.array(), steps.numbers(), steps.numbers()
    steps.shares(x, steps.scratch(), top, total)
    return steps.program


def _build_difference(shape: Ints) -> Program:
    steps = _Steps(shape)
    x, top, logarithm, y = steps.array(), steps.numbers(), steps.numbers(), steps.array()
    steps.combine("subtract", x, top, y)
    steps.combine("subtract", y, logarithm, y)
    return steps.program


def _build_entropy(shape: Ints) -> Program:
    steps = _Steps(shape)
    x, top, logarithm = steps.array(), steps.numbers(), steps.numbers()
    labels, losses, t = steps.array(), steps.numbers(), steps.scratch()
    steps.combine("subtract", x, top, t)
    steps.combine("subtract", t, logarithm, t)
    steps.combine("multiply", t, labels, t, rows=True)
    steps.reduce("sum", t, losses)
    return steps.program
