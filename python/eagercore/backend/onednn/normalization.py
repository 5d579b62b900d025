"""Batch normalization over the statistics of the batch (channels last), layer normalization, and their gradients.

One pass instead of ten, and sums in several parts, which keep more digits than one long one.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import kernel
from .program import (
    BACKWARD,
    DESTINATION,
    DIFF_DESTINATION,
    DIFF_SCALE,
    DIFF_SHIFT,
    DIFF_SOURCE,
    FLOAT32,
    FORWARD_TRAINING,
    MEAN,
    SCALE,
    SHIFT,
    SOURCE,
    VARIANCE,
    Descriptor,
    Primitive,
    Program,
    dense,
    empty,
    packed,
    programs,
    strided,
    usable,
)

USE_SCALE_AND_SHIFT = 6

LEAST = 1 << 12
"""With fewer elements the reference is as fast."""

SINGLE = 1 << 16
"""Elements up to which one thread does them all."""

Array = np.ndarray
Ints = tuple[int, ...]


@kernel("batch_normalization")
def batch_normalization(
    x: Array, gamma: Array, beta: Array, *, axis: int = -1, epsilon: float = 0.001
) -> Any:
    """The normalized batch, and the mean and variance of each channel."""
    if not _fit(x, axis) or not usable(x, gamma, beta):
        return NotImplemented
    channels = x.shape[-1:]
    if gamma.shape != channels or beta.shape != channels:
        return NotImplemented
    key = ("batch_normalization", x.shape, epsilon)
    program = programs.get(key, _forward, x.shape, epsilon)
    if program is None:
        return NotImplemented
    y, mean, variance = empty(x.shape), np.empty(channels, FLOAT32), np.empty(channels, FLOAT32)
    program.run(dense(x), y, dense(gamma), dense(beta), mean, variance)
    return y, mean, variance


@kernel("batch_normalization_gradient")
def batch_normalization_gradient(
    dy: Array,
    x: Array,
    gamma: Array,
    mean: Array,
    variance: Array,
    *,
    axis: int = -1,
    epsilon: float = 0.001,
) -> Any:
    """Gradients of the input, the scale and the shift."""
    if not _fit(x, axis) or not usable(dy, x, gamma, mean, variance) or dy.shape != x.shape:
        return NotImplemented
    channels = x.shape[-1:]
    if any(array.shape != channels for array in (gamma, mean, variance)):
        return NotImplemented
    key = ("batch_normalization_gradient", x.shape, epsilon)
    program = programs.get(key, _backward, x.shape, epsilon)
    if program is None:
        return NotImplemented
    dx, dgamma, dbeta = empty(x.shape), np.empty(channels, FLOAT32), np.empty(channels, FLOAT32)
    vectors = (dense(gamma), dense(mean), dense(variance), dgamma, dbeta)
    program.run(dense(x), dense(dy), dx, *vectors)
    return dx, dgamma, dbeta


def _fit(x: Array, axis: int) -> bool:
    return x.size >= LEAST and x.ndim > 1 and axis in (-1, x.ndim - 1)


def _layout(shape: Ints) -> Descriptor:
    """The array as (batch, channels, places), cut so that the threads have something to share."""
    channels, rows = shape[-1], math.prod(shape[:-1])
    if rows < channels:
        return strided((1, channels, rows), (rows * channels, 1, channels))
    batch = shape[0] if shape[0] >= 8 else rows
    places = rows // batch
    return strided((batch, channels, places), (places * channels, 1, channels))


def _primitives(shape: Ints, epsilon: float) -> tuple[Descriptor, Primitive]:
    data = _layout(shape)
    forward = Primitive(
        "batch_normalization_forward",
        FORWARD_TRAINING,
        data,
        data,
        epsilon,
        USE_SCALE_AND_SHIFT,
    )
    return data, forward


def _forward(shape: Ints, epsilon: float) -> Program:
    program = Program(single=math.prod(shape) < SINGLE)
    data, forward = _primitives(shape, epsilon)
    vector = packed(shape[-1:])
    x, y = program.array(data), program.array(data)
    roles = {role: program.array(vector) for role in (SCALE, SHIFT, MEAN, VARIANCE)}
    program.step(forward, {SOURCE: x, DESTINATION: y, **roles})
    return program


def _backward(shape: Ints, epsilon: float) -> Program:
    program = Program(single=math.prod(shape) < SINGLE)
    data, forward = _primitives(shape, epsilon)
    backward = Primitive(
        "batch_normalization_backward",
        BACKWARD,
        data,
        data,
        data,
        epsilon,
        USE_SCALE_AND_SHIFT,
        forward,
    )
    vector = packed(shape[-1:])
    x, dy, dx = (program.array(data) for _ in range(3))
    vectors = (SCALE, MEAN, VARIANCE, DIFF_SCALE, DIFF_SHIFT)
    roles = {role: program.array(vector) for role in vectors}
    program.step(backward, {SOURCE: x, DIFF_DESTINATION: dy, DIFF_SOURCE: dx, **roles})
    return program


def normalize_rows(x: Array, gamma: Array, beta: Array, epsilon: float) -> Any:
    """Layer normalization of the rows of a matrix.

    Args:
        x: Contiguous float32 matrix.
        gamma: Contiguous vector, the scale of each column.
        beta: Contiguous vector, the shift of each column.
        epsilon: Added to the variance.

    Returns:
        The result, and mean and variance of each row; None where oneDNN does not do it.
    """
    program = programs.get(("rows", x.shape, epsilon), _rows_forward, x.shape, epsilon)
    if program is None:
        return None
    y, mean, variance = empty(x.shape), np.empty(len(x), FLOAT32), np.empty(len(x), FLOAT32)
    program.run(x, y, gamma, beta, mean, variance)
    return y, mean, variance


def normalize_rows_gradient(dy: Array, x: Array, gamma: Array, mean: Array, variance: Array) -> Any:
    """What goes back through :func:`normalize_rows`, with an epsilon that is part of the variance already.

    Returns:
        Gradients of `x`, `gamma` and `beta`; None where oneDNN does not do it.
    """
    program = programs.get(("rows_gradient", x.shape), _rows_backward, x.shape)
    if program is None:
        return None
    dx, dgamma, dbeta = empty(x.shape), np.empty_like(gamma), np.empty_like(gamma)
    program.run(x, dy, dx, gamma, mean, variance, dgamma, dbeta)
    return dx, dgamma, dbeta


def _row_primitives(shape: Ints, epsilon: float) -> tuple[Descriptor, Descriptor, Primitive]:
    rows, numbers = packed(shape), packed(shape[:1])
    forward = Primitive(
        "layer_normalization_forward",
        *(FORWARD_TRAINING, rows, rows, numbers, epsilon, USE_SCALE_AND_SHIFT),
    )
    return rows, numbers, forward


def _rows_forward(shape: Ints, epsilon: float) -> Program:
    program = Program(single=math.prod(shape) < SINGLE)
    rows, numbers, forward = _row_primitives(shape, epsilon)
    x, y = program.array(rows), program.array(rows)
    vector = packed(shape[1:])
    roles = {role: program.array(vector) for role in (SCALE, SHIFT)}
    roles.update({role: program.array(numbers) for role in (MEAN, VARIANCE)})
    program.step(forward, {SOURCE: x, DESTINATION: y, **roles})
    return program


def _rows_backward(shape: Ints) -> Program:
    program = Program(single=math.prod(shape) < SINGLE)
    rows, numbers, forward = _row_primitives(shape, 0.0)
    backward = Primitive(
        "layer_normalization_backward",
        *(BACKWARD, rows, rows, rows, numbers, 0.0, USE_SCALE_AND_SHIFT, forward),
    )
    x, dy, dx = (program.array(rows) for _ in range(3))
    vector = packed(shape[1:])
    roles = {SCALE: program.array(vector)}
    roles.update({role: program.array(numbers) for role in (MEAN, VARIANCE)})
    roles.update({role: program.array(vector) for role in (DIFF_SCALE, DIFF_SHIFT)})
    # The library asks for the shift as well, and does not look at it.
    roles[SHIFT] = roles[SCALE]
    program.step(backward, {SOURCE: x, DIFF_DESTINATION: dy, DIFF_SOURCE: dx, **roles})
    return program
