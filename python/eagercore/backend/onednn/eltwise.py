"""Elementwise functions in which oneDNN agrees with NumPy for every number, NaN and infinity.

Its `exp` makes infinity of NaN, its `relu` zero, its `log` is inexact near 1: those are not here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .program import (
    BINARY,
    DESTINATION,
    DIFF_DESTINATION,
    DIFF_SOURCE,
    ELTWISE,
    FLOAT32,
    FORWARD_INFERENCE,
    FORWARD_TRAINING,
    SOURCE,
    SOURCE_1,
    Descriptor,
    Primitive,
    Program,
    dense,
    empty,
    packed,
    programs,
)

SINGLE = 1 << 16
"""Elements up to which one thread does them all."""


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


def run_rectifier(x: np.ndarray) -> Any:
    """``max(x, 0)`` that keeps NaN, which the library's own `relu` does not.

    Args:
        x: Array.

    Returns:
        Array of the shape of `x`, or NotImplemented.
    """
    if x.dtype is not FLOAT32 or not x.size:
        return NotImplemented
    program = programs.get(("rectifier", x.size), _build_rectifier, x.size)
    if program is None:
        return NotImplemented
    y = empty(x.shape)
    program.run(dense(x), y)
    return y


def _build_rectifier(size: int) -> Program:
    program = Program(single=size < SINGLE)
    vector = packed((size,))
    x, y = program.array(vector), program.array(vector)
    rectify(program, vector, x, y)
    return program


def rectify(program: Program, layout: Descriptor, source: int, target: int) -> None:
    """Append ``target = max(0, source)``: of two operands the second one's NaN is kept."""
    rank = layout.rank
    zero = packed((1,) * rank)
    primitive = Primitive("binary", BINARY["maximum"], zero, layout, layout)
    constant = program.constant(zero, np.zeros(1, FLOAT32))
    program.step(primitive, {SOURCE: constant, SOURCE_1: source, DESTINATION: target})


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
    program = programs.get(("slope", x.size, alpha), _build_slope, x.size, alpha)
    if program is None:
        return NotImplemented
    dx = empty(x.shape)
    program.run(dense(x), dense(dy), dx)
    return dx


def _build_slope(size: int, alpha: float) -> Program:
    program = Program(single=size < SINGLE)
    vector, relu = packed((size,)), ELTWISE["relu"]
    forward = Primitive("eltwise_forward", FORWARD_TRAINING, relu, vector, vector, alpha, 0.0)
    backward = Primitive("eltwise_backward", relu, vector, vector, vector, alpha, 0.0, forward)
    x, dy, dx = (program.array(vector) for _ in range(3))
    program.step(backward, {SOURCE: x, DIFF_DESTINATION: dy, DIFF_SOURCE: dx})
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
