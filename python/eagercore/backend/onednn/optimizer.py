"""Steps of optimizers, in place: each formula is two or three fused passes over blocks in cache.

Not ops: `backend.fused` looks these up by name, and holds the formulas in plain NumPy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import kernel
from .program import (
    BINARY,
    DESTINATION,
    FLOAT32,
    SOURCE,
    SOURCE_1,
    Attributes,
    Primitive,
    Program,
    fused_argument,
    packed,
    programs,
)

BLOCK = 1 << 19
"""Elements a block: what one pass reads is still in the last-level cache for the next."""

LEAST = 1 << 14
"""With fewer elements NumPy is as fast."""

SINGLE = 1 << 16
"""Elements up to which one thread does them all."""

Array = np.ndarray


@kernel("adam_step")
def adam_step(
    parameter: Array,
    gradient: Array,
    m: Array,
    v: Array,
    learning_rate: float,
    beta_1: float,
    beta_2: float,
    epsilon: float,
) -> Any:
    """See :func:`eagercore.backend.fused.adam_step`; the arrays are vectors here."""
    if not _fit(parameter):
        return NotImplemented
    rate = np.array([-learning_rate], FLOAT32)
    for at in range(0, parameter.size, BLOCK):
        blocks = [array[at : at + BLOCK] for array in (parameter, gradient, m, v)]
        size = blocks[0].size
        key = ("adam_step", size, beta_1, beta_2, epsilon)
        program = programs.get(key, _adam, size, beta_1, beta_2, epsilon)
        if program is None:
            return NotImplemented
        program.run(*blocks, rate)
    return parameter


@kernel("sgd_step")
def sgd_step(parameter: Array, gradient: Array, learning_rate: float) -> Any:
    """See :func:`eagercore.backend.fused.sgd_step`; the arrays are vectors here."""
    if not _fit(parameter):
        return NotImplemented
    program = programs.get(("sgd_step", parameter.size), _descent, parameter.size)
    if program is None:
        return NotImplemented
    program.run(parameter, gradient, np.array([-learning_rate], FLOAT32))
    return parameter


@kernel("rmsprop_step")
def rmsprop_step(
    parameter: Array,
    gradient: Array,
    mean_square: Array,
    learning_rate: float,
    rho: float,
    epsilon: float,
) -> Any:
    """See :func:`eagercore.backend.fused.rmsprop_step`; the arrays are vectors here."""
    if not _fit(parameter):
        return NotImplemented
    rate = np.array([-learning_rate], FLOAT32)
    for at in range(0, parameter.size, BLOCK):
        blocks = [array[at : at + BLOCK] for array in (parameter, gradient, mean_square)]
        size = blocks[0].size
        key = ("rmsprop_step", size, rho, epsilon)
        program = programs.get(key, _rmsprop, size, rho, epsilon)
        if program is None:
            return NotImplemented
        program.run(*blocks, rate)
    return parameter


def _fit(parameter: Array) -> bool:
    """Whether there is enough to do; `fused` has seen to the rest."""
    return parameter.dtype is FLOAT32 and parameter.size >= LEAST


def _adam(size: int, beta_1: float, beta_2: float, epsilon: float) -> Program:
    vector, scalar = packed((size,)), packed((1,))
    program = Program(single=size < SINGLE)
    parameter, gradient, m, v = (program.array(vector) for _ in range(4))
    rate = program.array(scalar)
    one = program.constant(scalar, np.ones(1, FLOAT32))
    _average(program, vector, scalar, gradient, one, m, beta_1)
    _average_of_squares(program, vector, gradient, v, beta_2)
    _descend(program, vector, scalar, (v, m, rate, parameter, one), epsilon)
    return program


def _rmsprop(size: int, rho: float, epsilon: float) -> Program:
    vector, scalar = packed((size,)), packed((1,))
    program = Program(single=size < SINGLE)
    parameter, gradient, mean_square = (program.array(vector) for _ in range(3))
    rate = program.array(scalar)
    one = program.constant(scalar, np.ones(1, FLOAT32))
    _average_of_squares(program, vector, gradient, mean_square, rho)
    _descend(program, vector, scalar, (mean_square, gradient, rate, parameter, one), epsilon)
    return program


def _descent(size: int) -> Program:
    vector, scalar = packed((size,)), packed((1,))
    program = Program(single=size < SINGLE)
    parameter, gradient = program.array(vector), program.array(vector)
    rate = program.array(scalar)
    primitive = _product(vector, scalar, vector, ("sum", 1.0))
    program.step(primitive, {SOURCE: gradient, SOURCE_1: rate, DESTINATION: parameter})
    return program


def _product(first: Any, second: Any, result: Any, *chain: Any) -> Primitive:
    attributes = Attributes().fuse(*chain)
    return Primitive("binary", BINARY["multiply"], first, second, result, attributes=attributes)


def _average(
    program: Program, vector: Any, scalar: Any, x: int, one: int, mean: int, decay: float
) -> None:
    """``mean = decay * mean + (1 - decay) * x``."""
    chain = (("linear", 1.0 - decay, 0.0), ("sum", decay))
    primitive = _product(vector, scalar, vector, *chain)
    program.step(primitive, {SOURCE: x, SOURCE_1: one, DESTINATION: mean})


def _average_of_squares(program: Program, vector: Any, x: int, mean: int, decay: float) -> None:
    """``mean = decay * mean + (1 - decay) * x * x``."""
    chain = (("linear", 1.0 - decay, 0.0), ("sum", decay))
    primitive = _product(vector, vector, vector, *chain)
    program.step(primitive, {SOURCE: x, SOURCE_1: x, DESTINATION: mean})


def _descend(
    program: Program, vector: Any, scalar: Any, slots: tuple[int, ...], epsilon: float
) -> None:
    """``parameter += rate * direction / (sqrt(square) + epsilon)``."""
    square, direction, rate, parameter, one = slots
    primitive = _product(
        vector,
        scalar,
        vector,
        ("sqrt", 0.0, 0.0),
        ("linear", 1.0, epsilon),
        ("pow", 1.0, -1.0),
        ("multiply", vector),
        ("multiply", scalar),
        ("add", vector),
    )
    roles = {
        SOURCE: square,
        SOURCE_1: one,
        DESTINATION: parameter,
        fused_argument(3): direction,
        fused_argument(4): rate,
        fused_argument(5): parameter,
    }
    program.step(primitive, roles)
