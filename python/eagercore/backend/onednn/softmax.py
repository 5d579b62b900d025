"""Softmax along the last axis.

OneDNN leaves zeros beside a NaN where the whole row is NaN; such a result is noticed and left to
the reference.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import kernel
from .program import (
    DESTINATION,
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

ACCURATE = 0x30000

LEAST = 1 << 8
"""With fewer elements the reference is as fast."""

LEAST_LOSSES = 1 << 12
"""The same for losses."""

SINGLE = 1 << 16
"""Elements up to which one thread does them all."""


@kernel("softmax_op")
def softmax(logits: np.ndarray, *, axis: Any = -1) -> Any:
    """``exp(x) / sum(exp(x))`` along an axis that no other follows (but such of size 1)."""
    made = _softmax(logits, axis)
    return NotImplemented if made is NotImplemented or np.isnan(made.max()) else made


@kernel("sparse_softmax_cross_entropy_op")
def sparse_softmax_cross_entropy(labels: np.ndarray, logits: np.ndarray) -> Any:
    """Losses of rows, and their softmax.

    The largest share of a row is one over the sum that the softmax divided by.
    """
    if logits.size < LEAST_LOSSES or logits.ndim != 2 or labels.shape != logits.shape[:1]:
        return NotImplemented
    if labels.dtype.kind not in "iu" or labels.min() < 0 or labels.max() >= logits.shape[1]:
        return NotImplemented
    made = _softmax(logits, -1)
    if made is NotImplemented:
        return NotImplemented
    largest = made.max(axis=-1)
    if np.isnan(largest).any():
        return NotImplemented
    with np.errstate(all="ignore"):
        losses = logits.max(axis=-1)
        losses -= logits[np.arange(len(labels)), labels]
        losses -= np.log(largest)
    return losses, made


def _softmax(logits: np.ndarray, axis: Any) -> Any:
    if logits.size < LEAST or logits.dtype is not FLOAT32 or not isinstance(axis, int):
        return NotImplemented
    shape = logits.shape
    axis += len(shape) if axis < 0 else 0
    if not 0 <= axis < len(shape) or math.prod(shape[axis + 1 :]) != 1:
        return NotImplemented
    length = shape[axis]
    program = programs.get(("softmax", logits.size, length), _build, logits.size, length)
    if program is None:
        return NotImplemented
    y = empty(shape)
    program.run(dense(logits), y)
    return y


def _build(size: int, length: int) -> Program:
    program = Program(single=size < SINGLE)
    rows = packed((size // length, length))
    primitive = Primitive("softmax_forward", FORWARD_INFERENCE, ACCURATE, rows, rows, 1)
    x, y = program.array(rows), program.array(rows)
    program.step(primitive, {SOURCE: x, DESTINATION: y})
    return program
