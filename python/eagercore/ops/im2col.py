"""Reference code of convolution: patches laid out as rows ("im2col"), then one gemm.

The data is viewed through sliding windows, copied piece by piece into scratch memory that fits the
caches, and multiplied with the filters. Gradients with respect to the data go the other way, one
tap of the window at a time.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..base import errors
from ..base.windows import output_sizes, resolve_padding, taps

_PATCH_BYTES = 1 << 22
"""Patches are laid out in pieces of this many bytes: they are read again while still in cache."""

_FEW_CHANNELS = 16
"""With fewer input channels one gemm for all taps of the window is faster than one for each."""


class Plan:
    """Sizes of one convolution, checked."""

    def __init__(
        self,
        x_shape: Sequence[int],
        filter_shape: Sequence[int],
        strides: Sequence[int],
        padding: Sequence[Any],
        dilations: Sequence[int],
        groups: int,
    ) -> None:
        rank = len(strides)
        check_ranks("Conv", x_shape, filter_shape, rank)
        check_channels("Conv", x_shape, filter_shape, groups)
        self.x_shape, self.filter_shape = tuple(x_shape), tuple(filter_shape)
        self.sizes, self.window = self.x_shape[1:-1], self.filter_shape[:-2]
        self.strides, self.dilations, self.groups = tuple(strides), tuple(dilations), groups
        self.padding = resolve_padding(
            padding, self.sizes, self.window, self.strides, self.dilations
        )
        self.outputs = output_sizes(
            self.sizes, self.window, self.strides, self.dilations, self.padding
        )
        self.y_shape = (self.x_shape[0], *self.outputs, self.filter_shape[-1])

    def expect(self, op: str, dy_shape: Sequence[int]) -> None:
        """Raise unless a convolution of these sizes gives the shape of `dy`."""
        if tuple(dy_shape) != self.y_shape:
            raise errors.shape_error(
                op,
                f"{op} got dy of shape {list(dy_shape)}, but a convolution of data "
                f"{list(self.x_shape)} with filters {list(self.filter_shape)}, strides "
                f"{list(self.strides)} and padding {list(map(list, self.padding))} gives "
                f"{list(self.y_shape)}. Give the shape that the data had (for a transposed "
                "convolution: an output_shape that fits the input and the strides).",
            )

    @property
    def pointwise(self) -> bool:
        """Whether the window is a single element on every element: a matrix product."""
        ones = (1,) * len(self.window)
        return self.window == ones == self.strides and not any(map(any, self.padding))

    @property
    def depthwise(self) -> bool:
        """Whether each channel is a group of its own."""
        return self.groups > 1 and self.filter_shape[-2] == 1

    def taps(self) -> Iterator[Any]:
        """The window's elements, with the slices they connect (batch and channels included)."""
        whole = slice(None)
        for tap, source, target in taps(
            self.sizes, self.outputs, self.window, self.strides, self.dilations, self.padding
        ):
            yield tap, (whole, *source), (whole, *target)

    def pad(self, x: np.ndarray) -> np.ndarray:
        """The data with its padding (itself where there is none)."""
        if not any(map(any, self.padding)):
            return x
        sizes = [n + a + b for n, (a, b) in zip(self.sizes, self.padding)]
        padded = np.zeros((x.shape[0], *sizes, x.shape[-1]), x.dtype)
        padded[self.inside(slice(None))] = x
        return padded

    def inside(self, batch: Any) -> tuple[Any, ...]:
        """The index of the data within its padded form."""
        pairs = zip(self.sizes, self.padding)
        return (batch, *(slice(before, before + size) for size, (before, _) in pairs))

    def windows(self, padded: np.ndarray) -> np.ndarray:
        """View [N, *output, *window, channels] of padded data."""
        steps = padded.strides
        spatial = steps[1:-1]
        moves = tuple(step * stride for step, stride in zip(spatial, self.strides))
        within = tuple(step * dilation for step, dilation in zip(spatial, self.dilations))
        shape = (padded.shape[0], *self.outputs, *self.window, padded.shape[-1])
        return np.lib.stride_tricks.as_strided(
            padded, shape, (steps[0], *moves, *within, steps[-1]), writeable=False
        )

    def patches(self, x: np.ndarray) -> Iterator[tuple[Any, np.ndarray]]:
        """Pieces of the output's rows, each with its patches [rows, window * channels]."""
        views = self.windows(self.pad(x))
        width = int(np.prod(self.window)) * x.shape[-1]
        for piece in self.pieces(width * x.itemsize):
            view = views[piece]
            scratch = _scratch(view.size, x.dtype).reshape(view.shape)
            np.copyto(scratch, view)
            yield piece, scratch.reshape(-1, width)

    def pieces(self, row_bytes: int) -> Iterator[tuple[Any, ...]]:
        """Indices into [N, *output] that cut it into contiguous pieces that caches hold."""
        batch, first = self.y_shape[0], self.outputs[0]
        line = max(int(np.prod(self.outputs[1:])) * row_bytes, 1)
        samples = _PATCH_BYTES // (line * max(first, 1))
        if samples:
            for start in range(0, batch, samples):
                yield (slice(start, min(start + samples, batch)),)
            return
        lines = max(_PATCH_BYTES // line, 1)
        for sample in range(batch):
            for start in range(0, first, lines):
                yield (sample, slice(start, min(start + lines, first)))


class _Scratch(threading.local):
    buffer: np.ndarray | None = None


_local = _Scratch()


def _scratch(count: int, dtype: Any) -> np.ndarray:
    """Memory for `count` elements, kept by the thread and used again by its next call."""
    size = count * dtype.itemsize
    if size > 4 * _PATCH_BYTES:
        return np.empty(count, dtype)
    if _local.buffer is None or _local.buffer.size < size:
        _local.buffer = np.empty(max(size, _PATCH_BYTES), np.uint8)
    return _local.buffer[:size].view(dtype)


def in_full_precision(function: Any, plan: Plan, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Work on half-precision arrays in float32: sums of many products need the digits."""
    if a.dtype.itemsize == 2 and a.dtype.kind in "fV":
        return function(plan, a.astype(np.float32), b.astype(np.float32)).astype(a.dtype)
    return function(plan, a, b)


def convolve(plan: Plan, x: np.ndarray, filters: np.ndarray) -> np.ndarray:
    """Patches times filters: one gemm a piece."""
    inputs, outputs = filters.shape[-2:]
    if 0 in plan.y_shape or 0 in plan.filter_shape or not x.size:
        return np.zeros(plan.y_shape, x.dtype)
    if plan.depthwise:
        return _convolve_channels(plan, x, filters)
    y = np.empty(plan.y_shape, x.dtype)
    if plan.groups > 1:
        each = outputs // plan.groups
        grouped = filters.reshape(-1, inputs, plan.groups, each).transpose(2, 0, 1, 3)
        grouped = grouped.reshape(plan.groups, -1, each)
        for piece, patches in plan.patches(x):
            rows = _by_group(patches, plan.groups, inputs)
            y[piece] = np.matmul(rows, grouped).transpose(1, 0, 2).reshape(y[piece].shape)
        return y
    matrix = filters.reshape(-1, outputs)
    if plan.pointwise:
        np.matmul(x.reshape(-1, inputs), matrix, out=y.reshape(-1, outputs))
        return y
    for piece, patches in plan.patches(x):
        np.matmul(patches, matrix, out=y[piece].reshape(-1, outputs))
    return y


def scatter(plan: Plan, dy: np.ndarray, filters: np.ndarray) -> np.ndarray:
    """Each tap of the window adds its product to the data it was read from."""
    dx = np.zeros(plan.x_shape, dy.dtype)
    inputs, outputs = filters.shape[-2:]
    if 0 in dy.shape or not filters.size:
        return dx
    if plan.depthwise:
        return _scatter_channels(plan, dy, filters, dx)
    if plan.pointwise and plan.groups == 1:
        flat, matrix = dy.reshape(-1, outputs), filters.reshape(inputs, outputs)
        np.matmul(flat, matrix.T, out=dx.reshape(-1, inputs))
        return dx
    if plan.groups > 1:
        return _scatter_groups(plan, dy, filters, dx)
    if inputs < _FEW_CHANNELS:
        return _scatter_few(plan, dy, filters, dx)
    for tap, source, target in plan.taps():
        dx[source] += np.matmul(dy[target], filters[tap].T)
    return dx


def _scatter_few(plan: Plan, dy: np.ndarray, filters: np.ndarray, dx: np.ndarray) -> np.ndarray:
    """As `scatter`, one gemm for all taps: with few channels those of single taps are too thin."""
    inputs, outputs = filters.shape[-2:]
    order = (filters.ndim - 2, *range(filters.ndim - 2), filters.ndim - 1)
    matrix = filters.transpose(order).reshape(-1, outputs)
    row_bytes = matrix.shape[0] * dy.itemsize
    samples = max(1, _PATCH_BYTES // max(row_bytes * int(np.prod(plan.outputs)), 1))
    connections = list(plan.taps())
    for start in range(0, dy.shape[0], samples):
        block = dy[start : start + samples]
        # [inputs * taps, rows]: each line of it is one tap of one channel over all rows.
        products = np.matmul(matrix, block.reshape(-1, outputs).T)
        products = products.reshape(inputs, *plan.window, block.shape[0], *plan.outputs)
        target_block = dx[start : start + samples]
        for tap, source, target in connections:
            for channel in range(inputs):
                target_block[(*source, channel)] += products[(channel, *tap)][target]
    return dx


def _scatter_groups(plan: Plan, dy: np.ndarray, filters: np.ndarray, dx: np.ndarray) -> np.ndarray:
    inputs, outputs = filters.shape[-2:]
    groups, each = plan.groups, outputs // plan.groups
    for tap, source, target in plan.taps():
        piece = dy[target]
        rows = _by_group(piece.reshape(-1, outputs), groups, each)
        matrix = filters[tap].reshape(inputs, groups, each).transpose(1, 2, 0)
        products = np.matmul(rows, matrix).transpose(1, 0, 2)
        dx[source] += products.reshape(*piece.shape[:-1], groups * inputs)
    return dx


def correlate(plan: Plan, x: np.ndarray, dy: np.ndarray) -> np.ndarray:
    """Patches, transposed, times the gradient: summed over the pieces."""
    df = np.zeros(plan.filter_shape, x.dtype)
    inputs, outputs = plan.filter_shape[-2:]
    if 0 in dy.shape or not df.size or not x.size:
        return df
    if plan.depthwise:
        return _correlate_channels(plan, x, dy, df)
    if plan.groups > 1:
        groups, each = plan.groups, outputs // plan.groups
        total = np.zeros((groups, df.size // outputs, each), x.dtype)
        for piece, patches in plan.patches(x):
            rows = _by_group(patches, groups, inputs)
            right = _by_group(dy[piece].reshape(-1, outputs), groups, each)
            total += np.matmul(rows.transpose(0, 2, 1), right)
        parts = total.reshape(groups, -1, inputs, each).transpose(1, 2, 0, 3)
        return parts.reshape(plan.filter_shape)
    matrix = df.reshape(-1, outputs)
    if plan.pointwise:
        np.matmul(x.reshape(-1, inputs).T, dy.reshape(-1, outputs), out=matrix)
        return df
    for piece, patches in plan.patches(x):
        matrix += np.matmul(patches.T, dy[piece].reshape(-1, outputs))
    return df


def _by_group(rows: np.ndarray, groups: int, each: int) -> np.ndarray:
    """Rows [m, k * groups * each] as [groups, m, k * each]."""
    count = rows.shape[0]
    split = rows.reshape(count, -1, groups, each).transpose(2, 0, 1, 3)
    return split.reshape(groups, count, -1)


# Depthwise: no products between channels, so that no gemm helps; whole slices are multiplied.


def _convolve_channels(plan: Plan, x: np.ndarray, filters: np.ndarray) -> np.ndarray:
    channels, multiplier = plan.groups, filters.shape[-1] // plan.groups
    y = np.zeros((*plan.y_shape[:-1], channels, multiplier), x.dtype)
    for tap, source, target in plan.taps():
        y[target] += x[source][..., None] * filters[tap].reshape(channels, multiplier)
    return y.reshape(plan.y_shape)


def _scatter_channels(
    plan: Plan, dy: np.ndarray, filters: np.ndarray, dx: np.ndarray
) -> np.ndarray:
    channels, multiplier = plan.groups, filters.shape[-1] // plan.groups
    split = dy.reshape(*dy.shape[:-1], channels, multiplier)
    for tap, source, target in plan.taps():
        weights = filters[tap].reshape(channels, multiplier)
        dx[source] += np.einsum("...cm,cm->...c", split[target], weights)
    return dx


def _correlate_channels(plan: Plan, x: np.ndarray, dy: np.ndarray, df: np.ndarray) -> np.ndarray:
    channels, multiplier = plan.groups, plan.filter_shape[-1] // plan.groups
    split = dy.reshape(*dy.shape[:-1], channels, multiplier)
    places = "nxyz"[: dy.ndim - 1]
    for tap, source, target in plan.taps():
        sums = np.einsum(f"{places}c,{places}cm->cm", x[source], split[target])
        df[tap] = sums.reshape(1, -1)
    return df


# ------------------------------------------------------------------------------------- checks


def check_ranks(op: str, x_shape: Sequence[Any], filter_shape: Sequence[Any], rank: int) -> None:
    """Raise unless data and filters have a batch, `rank` spatial dimensions and channels."""
    if len(x_shape) != rank + 2 or len(filter_shape) != rank + 2:
        raise errors.shape_error(
            f"{op}{rank}D",
            f"A convolution over {rank} spatial dimensions takes data and filters of rank "
            f"{rank + 2}, got data of shape {list(x_shape)} and filters of shape "
            f"{list(filter_shape)}. Data is [batch, *spatial, channels] (add the missing "
            "dimension with tf.expand_dims).",
        )


def check_channels(
    op: str, x_shape: Sequence[int], filter_shape: Sequence[int], groups: int
) -> None:
    """Raise unless the channels of data and filters fit each other."""
    channels, inputs, outputs = x_shape[-1], filter_shape[-2], filter_shape[-1]
    if groups < 1 or channels != inputs * groups or outputs % groups:
        raise errors.shape_error(
            f"{op}{len(x_shape) - 2}D",
            f"Data of shape {list(x_shape)} has {channels} channels, filters of shape "
            f"{list(filter_shape)} in {groups} group(s) expect {inputs * groups}"
            + (f" and {outputs} outputs do not divide by {groups}" if outputs % groups else "")
            + ". The last dimension of the data must be that of the filters before the last, "
            "times the groups (is the data channels first? say data_format='NCHW').",
        )
