"""Elementwise functions in which oneDNN agrees with NumPy for every number, NaN and infinity.

Its `exp` makes infinity of NaN, its `relu` zero, its `log` is inexact near 1: those are not here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .program import (
    DESTINATION,
    ELTWISE,
    FLOAT32,
    FORWARD_INFERENCE,
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


def run_eltwise(name: str, x: np.ndarray) -> Any:
    """Apply a function of :data:`.program.ELTWISE` to an array of any shape.

    Args:
        name: "sqrt", "sigmoid" or "tanh".
        x: Array.

    Returns:
        Array of the shape of `x`, or NotImplemented.
    """
    if x.dtype is not FLOAT32 or not x.size:
        return NotImplemented
    program = programs.get(("eltwise", name, x.size), _build, name, x.size)
    if program is None:
        return NotImplemented
    y = empty(x.shape)
    program.run(dense(x), y)
    return y


def _build(name: str, size: int) -> Program:
    program = Program(single=size < SINGLE)
    vector = packed((size,))
    primitive = Primitive(
        "eltwise_forward", FORWARD_INFERENCE, ELTWISE[name], vector, vector, 0.0, 0.0
    )
    x, y = program.array(vector), program.array(vector)
    program.step(primitive, {SOURCE: x, DESTINATION: y})
    return program
