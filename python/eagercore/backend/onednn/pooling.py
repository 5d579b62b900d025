"""Maximum and average pooling with their gradients, channels last.

OneDNN's maximum passes over NaN and takes the least finite number for minus infinity; where either
occurs, which one look at the data tells, the reference does the work.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.windows import output_sizes, resolve_padding
from .. import kernel
from .program import (
    DESTINATION,
    DIFF_DESTINATION,
    DIFF_SOURCE,
    FORWARD_INFERENCE,
    FORWARD_TRAINING,
    QUERY_WORKSPACE,
    SOURCE,
    WORKSPACE,
    Primitive,
    Program,
    channels_last,
    dense,
    empty,
    programs,
    usable,
)

MAXIMUM, AVERAGE = 0x1FF, 0x3FF

LEAST = 1 << 12
"""With fewer elements the reference is as fast."""

LEAST_CHANNELS = 8
"""Channels are what a vector register is filled with."""

SINGLE = 1 << 16
"""Elements up to which one thread does them all."""

Array = np.ndarray
Ints = tuple[int, ...]


@kernel("max_pool")
def max_pool(x: Array, *, window: Ints, strides: Ints, padding: Any) -> Any:
    """Largest element of each window."""
    geometry = _geometry(x.shape, window, strides, padding)
    if geometry is None or not usable(x) or np.isnan(x.max()):
        return NotImplemented
    y = _run("max_pool", _forward, MAXIMUM, x.shape, geometry, (dense(x),), geometry[0])
    return NotImplemented if y is NotImplemented or not _finite(y) else y


@kernel("max_pool_gradient")
def max_pool_gradient(
    dy: Array, x: Array, y: Array, *, window: Ints, strides: Ints, padding: Any
) -> Any:
    """Gradient of `max_pool`; where the largest elements lie is found anew."""
    geometry = _geometry(x.shape, window, strides, padding)
    if geometry is None or not usable(dy, x, y) or geometry[0] != dy.shape or not _finite(y):
        return NotImplemented
    arrays = (dense(x), dense(dy))
    return _run("max_pool_gradient", _max_gradient, MAXIMUM, x.shape, geometry, arrays, x.shape)


@kernel("avg_pool")
def avg_pool(x: Array, *, window: Ints, strides: Ints, padding: Any) -> Any:
    """Average of each window, over what is not padding."""
    geometry = _geometry(x.shape, window, strides, padding)
    if geometry is None or not usable(x):
        return NotImplemented
    return _run("avg_pool", _forward, AVERAGE, x.shape, geometry, (dense(x),), geometry[0])


@kernel("avg_pool_gradient")
def avg_pool_gradient(
    dy: Array, *, input_shape: Ints, window: Ints, strides: Ints, padding: Any
) -> Any:
    """Gradient of `avg_pool`."""
    shape = (dy.shape[0], *map(int, input_shape[1:]))
    geometry = _geometry(shape, window, strides, padding)
    if geometry is None or not usable(dy) or geometry[0] != dy.shape:
        return NotImplemented
    arrays = (dense(dy),)
    return _run("avg_pool_gradient", _average_gradient, AVERAGE, shape, geometry, arrays, shape)


def _finite(y: Array) -> bool:
    """Whether all maxima are numbers that oneDNN finds right; False for NaN as well."""
    return bool(y.min() > np.finfo(np.float32).min)


def _geometry(shape: Ints, window: Ints, strides: Ints, padding: Any) -> Any:
    """Shape of the result and the geometry as oneDNN wants it; None if there is little to do."""
    if len(shape) != len(window) + 2 or shape[-1] < LEAST_CHANNELS or len(window) > 3:
        return None
    count = 1
    for extent in shape:
        count *= extent
    if count < LEAST:
        return None
    sizes, ones = shape[1:-1], (1,) * len(window)
    pairs = resolve_padding(padding, sizes, window, strides, ones)
    output = (shape[0], *output_sizes(sizes, window, strides, ones, pairs), shape[-1])
    # A window that lies in the padding altogether has no maximum and no average.
    if 0 in output or any(max(pair) >= extent for pair, extent in zip(pairs, window)):
        return None
    before, after = tuple(pair[0] for pair in pairs), tuple(pair[1] for pair in pairs)
    return output, strides, window, (0,) * len(window), before, after


def _run(
    name: str,
    build: Any,
    algorithm: int,
    shape: Ints,
    geometry: Any,
    arrays: tuple[Array, ...],
    result_shape: Ints,
) -> Any:
    program = programs.get((name, shape, geometry), build, algorithm, shape, geometry)
    if program is None:
        return NotImplemented
    result = empty(result_shape)
    program.run(*arrays, result)
    return result


def _start(shape: Ints) -> Program:
    count = 1
    for extent in shape:
        count *= extent
    return Program(single=count < SINGLE)


def _forward(algorithm: int, shape: Ints, geometry: Any) -> Program:
    output, *rest = geometry
    program = _start(shape)
    source, target = channels_last(shape), channels_last(output)
    primitive = Primitive("pooling_forward", FORWARD_INFERENCE, algorithm, source, target, *rest)
    x, y = program.array(source), program.array(target)
    program.step(primitive, {SOURCE: x, DESTINATION: y})
    return program


def _max_gradient(algorithm: int, shape: Ints, geometry: Any) -> Program:
    output, *rest = geometry
    program = _start(shape)
    source, target = channels_last(shape), channels_last(output)
    forward = Primitive("pooling_forward", FORWARD_TRAINING, algorithm, source, target, *rest)
    backward = Primitive("pooling_backward", algorithm, source, target, *rest, forward)
    x, dy, dx = program.array(source), program.array(target), program.array(source)
    places = program.scratch(forward.layout(QUERY_WORKSPACE))
    y = program.scratch(target.handle)
    program.step(forward, {SOURCE: x, DESTINATION: y, WORKSPACE: places})
    program.step(backward, {DIFF_DESTINATION: dy, DIFF_SOURCE: dx, WORKSPACE: places})
    return program


def _average_gradient(algorithm: int, shape: Ints, geometry: Any) -> Program:
    output, *rest = geometry
    program = _start(shape)
    source, target = channels_last(shape), channels_last(output)
    forward = Primitive("pooling_forward", FORWARD_TRAINING, algorithm, source, target, *rest)
    backward = Primitive("pooling_backward", algorithm, source, target, *rest, forward)
    dy, dx = program.array(target), program.array(source)
    program.step(backward, {DIFF_DESTINATION: dy, DIFF_SOURCE: dx})
    return program
