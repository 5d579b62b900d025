"""Convolutions with few places and many filters, as one product of matrices.

OneDNN's own convolutions bring the filters into another order in each call. Where an image is small
and the filters are large, as inside an encoder of images, that takes longer than the convolution.
The patches of the image, written out as rows, are then smaller than the filters, and the filters lie
as the product wants them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...base.windows import taps
from .matmul import run_matmul

LEAST_FILTERS = 1 << 16
"""Fewest elements of the filters for which their order matters."""

Array = np.ndarray[Any, Any]
Ints = tuple[int, ...]


def suits(filter_shape: Ints, output: Ints, groups: int) -> bool:
    """Whether the product is worth it: the patches take at most half of the filters' room."""
    places = math.prod(output[:-1])
    return (
        groups == 1 and 2 * places <= filter_shape[-1] and math.prod(filter_shape) >= LEAST_FILTERS
    )


def forward(
    x: Array, filters: Array, bias: Array | None, geometry: Any, output: Ints, fused: Any
) -> Array:
    """The convolution, with a bias and an elementwise function ``(name, slope)``."""
    rows = _patches(x, filters.shape, geometry, output)
    matrix = filters.reshape(-1, filters.shape[-1])
    name, alpha = fused
    y: Any = NotImplemented
    if bias is not None or name is not None or rows.shape[0] >= 4:
        y = run_matmul(rows, matrix, bias, activation=name, alpha=alpha)
    if y is NotImplemented and bias is None and name is None:
        y = rows @ matrix
    return y if y is NotImplemented else y.reshape(output)


def data_gradient(dy: Array, filters: Array, geometry: Any, shape: Ints) -> Array:
    """The gradient with respect to the data: every tap of each place, added up."""
    strides, padding, dilations = geometry
    window, outputs = filters.shape[:-2], filters.shape[-1]
    matrix = filters.reshape(-1, outputs)
    given = dy.reshape(-1, outputs)
    products = run_matmul(given, matrix, transpose_b=True)
    if products is NotImplemented:
        products = given @ matrix.T
    products = products.reshape(*dy.shape[:-1], *window, shape[-1])
    dx = np.zeros(shape, np.float32)
    whole = slice(None)
    for tap, source, target in taps(
        shape[1:-1], dy.shape[1:-1], window, strides, dilations, padding
    ):
        dx[(whole, *source)] += products[(whole, *target, *tap)]
    return dx


def filter_gradient(x: Array, dy: Array, geometry: Any, filter_shape: Ints) -> Array:
    """The gradient with respect to the filters."""
    rows = _patches(x, filter_shape, geometry, dy.shape)
    given = dy.reshape(-1, filter_shape[-1])
    df = run_matmul(rows, given, transpose_a=True)
    if df is NotImplemented:
        df = rows.T @ given
    return df.reshape(filter_shape)


def _patches(x: Array, filter_shape: Ints, geometry: Any, output: Ints) -> Array:
    """What each place of the output sees, as a row of its own."""
    strides, padding, dilations = geometry
    if any(map(any, padding)):
        x = np.pad(x, ((0, 0), *padding, (0, 0)))
    steps = x.strides
    moves = [step * stride for step, stride in zip(steps[1:-1], strides, strict=True)]
    within = [step * dilation for step, dilation in zip(steps[1:-1], dilations, strict=True)]
    view = np.lib.stride_tricks.as_strided(
        x,
        (*output[:-1], *filter_shape[:-1]),
        (steps[0], *moves, *within, steps[-1]),
        writeable=False,
    )
    return view.reshape(math.prod(output[:-1]), -1)
