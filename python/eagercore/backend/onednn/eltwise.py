"""Elementwise functions in which oneDNN agrees with NumPy for every number, NaN and infinity.

Its `relu` makes zero of NaN, its `log` is inexact near 1: those are not here. Its `exp` makes infinity of NaN, and zero
of what is less than the least normal number: such results are noticed, and made again by NumPy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .program import (
    DESTINATION,
    DIFF_DESTINATION,
    DIFF_SOURCE,
    ELTWISE,
    FLOAT32,
    FORWARD_INFERENCE,
    FORWARD_TRAINING,
    REDUCTIONS,
    SOURCE,
    Primitive,
    Program,
    dense,
    empty,
    packed,
    programs,
)

SINGLE = 1 << 16
"""Elements up to which one thread does them all."""

TAIL, TERMS = -2.5, 10
"""Below this oneDNN's error function leaves too few digits of `gelu`; terms of a fraction that are enough there."""

HUGE = 1e18
"""A number to which `gelu` does nothing, and whose double is finite."""

EXP_BLOCK, EXP_ROWS = 1 << 19, 512
"""Elements and rows of a block of exponentials: what each thread makes stays in its second-level cache."""


def run_eltwise(name: str, x: np.ndarray, alpha: float = 0.0) -> Any:
    """Apply a function of :data:`.program.ELTWISE` to an array of any shape.

    Args:
        name: "sqrt", "sigmoid", "tanh", or "relu" with a slope other than 0.
        x: Array.
        alpha: Slope of "relu" for negative numbers.

    Returns:
        Array of the shape of `x`, or NotImplemented.
    """
    if x.dtype is not FLOAT32 or not x.size:
        return NotImplemented
    program = programs.get(("eltwise", name, x.size, alpha), _build, name, x.size, alpha)
    if program is None:
        return NotImplemented
    y = empty(x.shape)
    program.run(dense(x), y)
    return y


def run_exp(x: np.ndarray) -> Any:
    """``exp(x)`` of an array of any shape.

    Args:
        x: Array.

    Returns:
        Array of the shape of `x`, or NotImplemented.
    """
    if x.dtype is not FLOAT32 or not x.flags.c_contiguous:
        return NotImplemented
    y = empty(x.shape)
    given, made = x.reshape(-1), y.reshape(-1)
    least, total = np.empty(EXP_ROWS, FLOAT32), np.empty(EXP_ROWS, FLOAT32)
    for at in range(0, x.size, EXP_BLOCK):
        arguments, results = given[at : at + EXP_BLOCK], made[at : at + EXP_BLOCK]
        if arguments.size < SINGLE:
            with np.errstate(all="ignore"):
                np.exp(arguments, out=results)
            break
        rows = EXP_ROWS if arguments.size == EXP_BLOCK else 1
        program = programs.get(("exp", arguments.size), _build_exp, arguments.size, rows)
        if program is None:
            return NotImplemented
        program.run(arguments, results, least[:rows], total[:rows])
        if np.minimum.reduce(least[:rows]) == 0 or np.add.reduce(total[:rows]) == np.inf:
            wrong = np.flatnonzero((results == 0) | (results == np.inf))
            with np.errstate(all="ignore"):
                results[wrong] = np.exp(arguments[wrong])
    return y


def run_gelu(x: np.ndarray) -> Any:
    """``x`` times the chance that a standard normal number is smaller.

    Args:
        x: Contiguous array.

    Returns:
        Array of the shape of `x`, or NotImplemented.
    """
    y = run_eltwise("gelu", x)
    if y is not NotImplemented:
        given, made = x.reshape(-1), y.reshape(-1)
        # One half of 1 + erf keeps few digits where it is small, and x times 2 overflows before x does.
        far = np.flatnonzero(given < TAIL)
        if far.size:
            made[far] = _tail(given[far])[0]
        if not given.max() < HUGE:
            large = np.flatnonzero(given >= HUGE)
            made[large] = given[large]
    return y


def run_gelu_gradient(dy: np.ndarray, x: np.ndarray) -> Any:
    """``dy`` times the slope of :func:`run_gelu`.

    Args:
        dy: Contiguous array.
        x: Contiguous array of the shape of `dy`.

    Returns:
        Array of the shape of `x`, or NotImplemented.
    """
    program = programs.get(("gelu_gradient", x.size), _build_backward, x.size, "gelu", 0.0)
    if program is None:
        return NotImplemented
    dx = empty(x.shape)
    program.run(x, dy, dx)
    given, made = x.reshape(-1), dx.reshape(-1)
    far = np.flatnonzero(given < TAIL)
    if far.size:
        with np.errstate(all="ignore"):
            made[far] = dy.reshape(-1)[far] * _tail(given[far])[1]
    return dx


def _tail(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The function and its slope for numbers below :data:`TAIL`: what Laplace's continued fraction is good for.

    The chance of a normal number beyond z is its density there over z + 1 / (z + 2 / (z + 3 / (z + ...))).
    """
    z = np.negative(x, dtype=np.float64)
    fraction = z.copy()
    with np.errstate(all="ignore"):
        for term in range(TERMS, 0, -1):
            np.divide(term, fraction, out=fraction)
            np.add(fraction, z, out=fraction)
        density = np.exp(-0.5 * z * z) / np.sqrt(2 * np.pi)
        value, slope = -z * (density / fraction), density * (1 / fraction - z)
    return value.astype(FLOAT32), slope.astype(FLOAT32)


def run_slope_gradient(dy: np.ndarray, x: np.ndarray, alpha: float) -> Any:
    """`dy` where `x` is positive (or NaN), else ``alpha * dy``.

    Args:
        dy: Array of the shape of `x`.
        x: Array.
        alpha: Slope, other than 0.

    Returns:
        Array of the shape of `x`, or NotImplemented.
    """
    if x.dtype is not FLOAT32 or dy.dtype is not FLOAT32 or not x.size or dy.shape != x.shape:
        return NotImplemented
    program = programs.get(("slope", x.size, alpha), _build_backward, x.size, "relu", alpha)
    if program is None:
        return NotImplemented
    dx = empty(x.shape)
    program.run(dense(x), dense(dy), dx)
    return dx


def _build_backward(size: int, name: str, alpha: float) -> Program:
    program = Program(single=size < SINGLE)
    vector, kind = packed((size,)), ELTWISE[name]
    forward = Primitive("eltwise_forward", FORWARD_TRAINING, kind, vector, vector, alpha, 0.0)
    backward = Primitive("eltwise_backward", kind, vector, vector, vector, alpha, 0.0, forward)
    x, dy, dx = (program.array(vector) for _ in range(3))
    program.step(backward, {SOURCE: x, DIFF_DESTINATION: dy, DIFF_SOURCE: dx})
    return program


def _build_exp(size: int, rows: int) -> Program:
    """The exponential, and while it is in the cache the least number and the sum of each of its rows."""
    program = Program(single=size < SINGLE)
    matrix, column = packed((rows, size // rows)), packed((rows, 1))
    primitive = Primitive(
        "eltwise_forward", FORWARD_INFERENCE, ELTWISE["exp"], matrix, matrix, 0.0, 0.0
    )
    x, y = program.array(matrix), program.array(matrix)
    program.step(primitive, {SOURCE: x, DESTINATION: y})
    for kind in ("min", "sum"):
        primitive = Primitive("reduction", REDUCTIONS[kind], matrix, column, 0.0, 0.0)
        program.step(primitive, {SOURCE: y, DESTINATION: program.array(column)})
    return program


def _build(name: str, size: int, alpha: float) -> Program:
    program = Program(single=size < SINGLE)
    vector = packed((size,))
    primitive = Primitive(
        "eltwise_forward", FORWARD_INFERENCE, ELTWISE[name], vector, vector, alpha, 0.0
    )
    x, y = program.array(vector), program.array(vector)
    program.step(primitive, {SOURCE: x, DESTINATION: y})
    return program
