"""Convolution and its two gradients, in 1, 2 and 3 spatial dimensions.

Arrays lie channels last and filters as (*window, inputs / groups, outputs); both are shown to
oneDNN through strides, so that nothing is transposed here. The layout of the filters is left to the
primitive, which costs a small reorder in each call and makes the convolution itself much faster.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...base.windows import output_size, resolve_padding
from ...base.windows import taps as taps_of
from .. import kernel
from . import columns
from .binary import rectify_in_place
from .program import (
    BIAS,
    DATA_FLOAT32,
    DESTINATION,
    DIFF_DESTINATION,
    DIFF_SOURCE,
    DIFF_WEIGHTS,
    FLOAT32,
    FORWARD_TRAINING,
    QUERY_DIFF_DESTINATION,
    QUERY_DIFF_WEIGHTS,
    QUERY_SOURCE,
    QUERY_WEIGHTS,
    SOURCE,
    WEIGHTS,
    Attributes,
    Descriptor,
    Primitive,
    Program,
    anyhow,
    channels_last,
    contiguous_strides,
    dense,
    empty,
    kind_of,
    packed,
    programs,
    strided,
)

DIRECT = 1

SINGLE = 1 << 21
"""Multiplications up to which one thread does them all."""

FEW_CHANNELS = 4
"""Input channels up to which the gradient of the data is better made by a matrix product."""

LEAST_FREE = 16
"""Channels of a single image from which on another order of the data pays for its filters' gradient."""

LEAST_EXAMPLES = 16
"""Examples from which on sums over the last axis of a batch pay."""

Kernel = Callable[..., Any]
Pairs = tuple[tuple[int, int], ...]
Ints = tuple[int, ...]


def widening(function: Kernel) -> Kernel:
    """Lets a kernel work on two-byte floats that it declines: in float32, rounded at the end."""

    @functools.wraps(function)
    def run(a: np.ndarray, b: np.ndarray, **attrs: Any) -> Any:
        made = function(a, b, **attrs)
        half = a.dtype is b.dtype and a.dtype.itemsize == 2 and a.dtype.kind in "fV"
        if made is not NotImplemented or not half:
            return made
        made = function(a.astype(FLOAT32), b.astype(FLOAT32), **attrs)
        return made if made is NotImplemented else made.astype(a.dtype)

    return run


@kernel("convolution")
@widening
def convolution(
    x: np.ndarray,
    filters: np.ndarray,
    *,
    strides: Ints,
    padding: Pairs,
    dilations: Ints,
    groups: int = 1,
) -> Any:
    """Convolution of `x` [N, *spatial, inputs] with `filters` [*window, inputs/groups, outputs]."""
    return run_convolution(
        x, filters, strides=strides, padding=padding, dilations=dilations, groups=groups
    )


def run_convolution(
    x: np.ndarray,
    filters: np.ndarray,
    bias: np.ndarray | None = None,
    *,
    strides: Ints,
    padding: Pairs,
    dilations: Ints,
    groups: int = 1,
    activation: str | None = None,
    alpha: float = 0.0,
) -> Any:
    """Convolution with a bias and an elementwise function applied on the way out.

    Args:
        x: Array [N, *spatial, inputs].
        filters: Array [*window, inputs / groups, outputs].
        bias: None or an array [outputs].
        strides: Step of the window for each spatial dimension.
        padding: Zeros (before, after) for each spatial dimension.
        dilations: Distance of the window's elements for each spatial dimension.
        groups: Number of groups the channels are split into.
        activation: None or a name of :data:`.program.ELTWISE`.
        alpha: Parameter of the activation.

    Returns:
        Array [N, *output, outputs], or NotImplemented.
    """
    kind = kind_of(x, filters) if bias is None else kind_of(x, filters, bias)
    if kind is None:
        return NotImplemented
    padding = _resolved(padding, x.shape, filters.shape, strides, dilations)
    shape = _output_shape(x.shape, filters.shape, strides, padding, dilations)
    if shape is None or not _fits(x.shape, filters.shape, groups):
        return NotImplemented
    if kind == DATA_FLOAT32 and columns.suits(filters.shape, shape, groups):
        geometry = (strides, padding, dilations)
        return columns.forward(x, dense(filters), bias, geometry, shape, (activation, alpha))
    # OneDNN's own rectifier turns NaN into 0, so that it is not fused.
    rectified = activation == "relu" and not alpha
    if kind != DATA_FLOAT32:
        if rectified:
            return NotImplemented
        alpha = float(x.dtype.type(alpha))
    fused = (bias is not None, None if rectified else activation, alpha)
    whole = (strides, padding, dilations, groups)
    key = ("convolution", kind, x.shape, filters.shape, whole, fused)
    program = programs.get(key, _forward, kind, x.shape, filters.shape, shape, whole, fused)
    if program is None:
        return NotImplemented
    y = empty(shape, x.dtype)
    if bias is None:
        program.run(dense(x), dense(filters), y)
    else:
        program.run(dense(x), dense(filters), y, dense(bias))
    if rectified:
        rectify_in_place(y)
    return y


@kernel("convolution_data_gradient")
@widening
def convolution_data_gradient(
    dy: np.ndarray,
    filters: np.ndarray,
    *,
    input_shape: Ints,
    strides: Ints,
    padding: Pairs,
    dilations: Ints,
    groups: int = 1,
) -> Any:
    """Gradient of a convolution with respect to its input, which is a transposed convolution."""
    input_shape = (dy.shape[0], *map(int, input_shape[1:]))
    kind = kind_of(dy, filters)
    if kind is None or 0 in input_shape:
        return NotImplemented
    padding = _resolved(padding, input_shape, filters.shape, strides, dilations)
    if _output_shape(input_shape, filters.shape, strides, padding, dilations) != dy.shape:
        return NotImplemented
    if not _fits(input_shape, filters.shape, groups):
        return NotImplemented
    if kind == DATA_FLOAT32 and columns.suits(filters.shape, dy.shape, groups):
        geometry = (strides, padding, dilations)
        return columns.data_gradient(dense(dy), dense(filters), geometry, input_shape)
    if input_shape[-1] == 1:
        if kind != DATA_FLOAT32:
            return NotImplemented
        return _data_of_one_channel(dy, filters, input_shape, (strides, dilations, padding))
    if groups == filters.shape[-1] and set(strides) == {1}:
        # A convolution with the filters turned round is faster than oneDNN's own gradient.
        turned = filters[(slice(None, None, -1),) * len(strides)]
        around = _around(filters.shape, padding, dilations)
        dx = run_convolution(
            dy, turned, strides=strides, padding=around, dilations=dilations, groups=groups
        )
        if dx is not NotImplemented:
            return dx
    whole = (strides, padding, dilations, groups)
    key = ("data", kind, input_shape, filters.shape, whole)
    program = programs.get(key, _data, kind, input_shape, filters.shape, dy.shape, whole)
    if program is None:
        return NotImplemented
    dx = empty(input_shape, dy.dtype)
    program.run(dense(dy), dense(filters), dx)
    return dx


def _around(filter_shape: Ints, padding: Pairs, dilations: Ints) -> Pairs:
    """The padding of the gradient that stands for the padding of the data, without strides."""
    reaches = [(n - 1) * dilation for n, dilation in zip(filter_shape, dilations, strict=False)]
    return tuple((r - a, r - b) for r, (a, b) in zip(reaches, padding, strict=True))


def _data_of_one_channel(dy: Any, filters: Any, shape: Ints, geometry: Any) -> Any:
    """One product for all taps, which are then added up with the examples as the last axis.

    OneDNN's own gradient would use one lane of sixteen. A batch of few examples is left to the
    reference, which adds along the image's rows.
    """
    batch, *output, outputs = dy.shape
    window = filters.shape[:-2]
    taps, places = math.prod(window), math.prod(output)
    if batch < LEAST_EXAMPLES or taps * places * batch * outputs < SINGLE:
        return NotImplemented
    key = ("one_channel", dy.shape, taps)
    program = programs.get(key, _products_of_taps, batch, places, taps, outputs)
    back = programs.get(("turned", shape), _turned, math.prod(shape[1:]), batch)
    if program is None or back is None:
        return NotImplemented
    products: Any = empty((*output, *window, batch))
    program.run(dense(dy), dense(filters), products)
    total = np.zeros((*shape[1:-1], batch), FLOAT32)
    for tap, source, target in taps_of(shape[1:-1], tuple(output), window, *geometry):
        total[source] += products[(*target, *tap)]
    dx = empty(shape)
    back.run(total, dx)
    return dx


@kernel("convolution_filter_gradient")
@widening
def convolution_filter_gradient(
    x: np.ndarray,
    dy: np.ndarray,
    *,
    filter_shape: Ints,
    strides: Ints,
    padding: Pairs,
    dilations: Ints,
    groups: int = 1,
) -> Any:
    """Gradient of a convolution with respect to its filters."""
    kind = kind_of(x, dy)
    if kind is None or 0 in filter_shape:
        return NotImplemented
    padding = _resolved(padding, x.shape, filter_shape, strides, dilations)
    if _output_shape(x.shape, filter_shape, strides, padding, dilations) != dy.shape:
        return NotImplemented
    if not _fits(x.shape, filter_shape, groups):
        return NotImplemented
    if kind == DATA_FLOAT32 and columns.suits(filter_shape, dy.shape, groups):
        geometry = (strides, padding, dilations)
        return columns.filter_gradient(x, dense(dy), geometry, filter_shape)
    whole = (strides, padding, dilations, groups)
    key = ("filters", kind, x.shape, filter_shape, whole)
    program = programs.get(key, _filters, kind, x.shape, filter_shape, dy.shape, whole)
    if program is None:
        return NotImplemented
    df = empty(filter_shape, x.dtype)
    program.run(dense(x), dense(dy), df)
    return df


def _resolved(
    padding: Any, shape: Ints, filter_shape: Ints, strides: Ints, dilations: Ints
) -> Pairs:
    """Padding with the sizes of "SAME" filled in where they were left open."""
    if None not in padding:
        return padding
    return resolve_padding(padding, shape[1:-1], filter_shape[:-2], strides, dilations)


def _output_shape(
    shape: Ints, filter_shape: Ints, strides: Ints, padding: Pairs, dilations: Ints
) -> Ints | None:
    """Shape of the result; None if it is empty or the arguments are not what a kernel takes."""
    rank = len(strides)
    if len(shape) != rank + 2 or len(filter_shape) != rank + 2:
        return None
    output = [shape[0]]
    for axis, stride in enumerate(strides):
        pair = padding[axis]
        size = output_size(shape[axis + 1], filter_shape[axis], stride, dilations[axis], pair)
        if not size or min(pair) < 0:
            return None
        output.append(size)
    output.append(filter_shape[-1])
    return tuple(output)


def _fits(shape: Ints, filter_shape: Ints, groups: int) -> bool:
    """Whether the channels agree; where they do not, the reference says so in words."""
    return shape[-1] == filter_shape[-2] * groups and filter_shape[-1] % groups == 0


def _filter_extents(shape: Ints, groups: int) -> tuple[Ints, Ints]:
    """Extents and strides of filters [*window, inputs / groups, outputs] in oneDNN's order."""
    steps = contiguous_strides(shape)
    outputs = shape[-1]
    window, window_steps = shape[:-2], steps[:-2]
    if groups == 1:
        return (outputs, shape[-2], *window), (1, outputs, *window_steps)
    each = outputs // groups
    return (groups, each, shape[-2], *window), (each, 1, outputs, *window_steps)


def _multiplications(filter_shape: Ints, output: Ints) -> int:
    return math.prod(filter_shape) * math.prod(output[:-1])


class _Layouts:
    """The descriptors of one convolution and the geometry as oneDNN wants it."""

    def __init__(
        self, kind: int, shape: Ints, filter_shape: Ints, output: Ints, geometry: Any
    ) -> None:
        strides, padding, dilations, groups = geometry
        extents, steps = _filter_extents(filter_shape, groups)
        self.x = channels_last(shape, kind)
        self.y = channels_last(output, kind)
        self.filters = strided(extents, steps, kind)
        self.free_filters = anyhow(extents, kind)
        self._shapes, self._kind = (shape, output), kind
        self.geometry = (
            tuple(strides),
            tuple(dilation - 1 for dilation in dilations),
            tuple(before for before, _ in padding),
            tuple(after for _, after in padding),
        )

    def free_data(self) -> None:
        """Leaves the order of the data to the primitive as well."""
        self.x, self.y = (anyhow((n, c, *sizes), self._kind) for n, *sizes, c in self._shapes)

    def forward(self, bias: Descriptor | None, attributes: Attributes | None) -> Primitive:
        return Primitive(
            "convolution_forward",
            FORWARD_TRAINING,
            DIRECT,
            self.x,
            self.free_filters,
            bias,
            self.y,
            *self.geometry,
            attributes=attributes,
        )


def _forward(
    kind: int, shape: Ints, filter_shape: Ints, output: Ints, geometry: Any, fused: Any
) -> Program:
    with_bias, activation, alpha = fused
    program = Program(single=_multiplications(filter_shape, output) < SINGLE)
    layouts = _Layouts(kind, shape, filter_shape, output, geometry)
    attributes = Attributes()
    if activation is not None:
        attributes.fuse((activation, alpha, 0.0))
    bias = packed((filter_shape[-1],), kind) if with_bias else None
    primitive = layouts.forward(bias, attributes)
    x, filters, y = (program.array(d) for d in (layouts.x, layouts.filters, layouts.y))
    arguments = {SOURCE: x, DESTINATION: y}
    if bias is not None:
        arguments[BIAS] = program.array(bias)
    arguments[WEIGHTS] = program.reordered_input(filters, primitive.layout(QUERY_WEIGHTS))
    program.step(primitive, arguments)
    return program


def _data(kind: int, shape: Ints, filter_shape: Ints, output: Ints, geometry: Any) -> Program:
    program = Program(single=_multiplications(filter_shape, output) < SINGLE)
    layouts = _Layouts(kind, shape, filter_shape, output, geometry)
    if shape[-1] <= FEW_CHANNELS and max(layouts.geometry[0]) > 1:
        # Filters left as they are make oneDNN take its matrix product, which wastes no lanes.
        layouts.free_filters = layouts.filters
    primitive = Primitive(
        "convolution_backward_data",
        DIRECT,
        layouts.x,
        layouts.free_filters,
        layouts.y,
        *layouts.geometry,
        layouts.forward(None, None),
    )
    dy, filters, dx = (program.array(d) for d in (layouts.y, layouts.filters, layouts.x))
    weights = program.reordered_input(filters, primitive.layout(QUERY_WEIGHTS))
    program.step(primitive, {DIFF_DESTINATION: dy, WEIGHTS: weights, DIFF_SOURCE: dx})
    return program


def _products_of_taps(batch: int, places: int, taps: int, outputs: int) -> Program:
    """Every tap of the filters times every place of the gradient, as [places, taps, batch]."""
    program = Program()
    rows, width = batch * places, places * taps
    gradient, products = packed((rows, outputs)), packed((rows, taps))
    matrix = strided((outputs, taps), (1, outputs))
    by_example, turned = packed((batch, width)), strided((batch, width), (1, batch))
    primitive = Primitive("matmul", gradient, matrix, None, products)
    dy, filters, out = (program.array(d) for d in (gradient, matrix, turned))
    made = program.scratch(products.handle)
    program.keep(products)
    program.step(primitive, {SOURCE: dy, WEIGHTS: filters, DESTINATION: made})
    reorder = Primitive("reorder", by_example, turned)
    program.step(reorder, {SOURCE: program.alias(made, by_example), DESTINATION: out})
    return program


def _turned(rows: int, columns: int) -> Program:
    """A matrix [rows, columns] written as [columns, rows]."""
    program = Program()
    given, turned = packed((rows, columns)), strided((rows, columns), (1, rows))
    source, target = program.array(given), program.array(turned)
    program.step(Primitive("reorder", given, turned), {SOURCE: source, DESTINATION: target})
    return program


def _filters(kind: int, shape: Ints, filter_shape: Ints, output: Ints, geometry: Any) -> Program:
    program = Program(single=_multiplications(filter_shape, output) < SINGLE)
    layouts = _Layouts(kind, shape, filter_shape, output, geometry)
    x, dy, df = (program.array(d) for d in (layouts.x, layouts.y, layouts.filters))
    if shape[0] == 1 and shape[-1] >= LEAST_FREE:
        # The sum over the places of a single image is faster in the library's own order.
        layouts.free_data()
    primitive = Primitive(
        "convolution_backward_weights",
        DIRECT,
        layouts.x,
        layouts.free_filters,
        None,
        layouts.y,
        *layouts.geometry,
        layouts.forward(None, None),
    )
    x = program.reordered_input(x, primitive.layout(QUERY_SOURCE))
    dy = program.reordered_input(dy, primitive.layout(QUERY_DIFF_DESTINATION))
    staged = program.staged_output(df, primitive.layout(QUERY_DIFF_WEIGHTS))
    program.step(primitive, {SOURCE: x, DIFF_DESTINATION: dy, DIFF_WEIGHTS: staged})
    program.unstage(staged, df)
    return program
