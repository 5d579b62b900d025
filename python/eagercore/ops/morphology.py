"""Grey-scale morphology: the largest and the smallest of sums over a window."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import errors
from ..base.windows import output_sizes, reach
from .arithmetic import add, maximum, negative
from .rearrange import reverse
from .shape import pad
from .window_arguments import (
    aliased,
    channels_first,
    from_channels_last,
    padding_pairs,
    per_dimension,
    spatial_rank,
    tensors,
    to_channels_last,
)


def dilation2d(
    input: Any,
    filters: Any = None,
    strides: Any = 1,
    padding: Any = "VALID",
    data_format: str | None = "NHWC",
    dilations: Any = 1,
    name: str | None = None,
    *,
    filter: Any = None,
    rates: Any = None,
) -> Any:
    """Largest sum of input and filter over each window, channel by channel.

    Args:
        input: Floating tensor [batch, height, width, channels] of known height and width.
        filters: Tensor [height, width, channels].
        strides: Step of the window: an int or a list of 1, 2 or 4.
        padding: "VALID" or "SAME"; padding is never the largest.
        data_format: "NHWC" or "NCHW".
        dilations: Distance of the window's elements, as `strides`.
        name: Ignored.
        filter: TensorFlow 1's name of `filters`.
        rates: TensorFlow 1's name of `dilations`.

    Returns:
        Tensor [batch, height, width, channels].

    Raises:
        InvalidArgumentError: Ranks or channels do not fit, or the size is not known.

    >>> import eagercore as tf
    >>> x = tf.reshape(tf.range(4.), [1, 2, 2, 1])
    >>> dilation2d(x, tf.zeros([2, 2, 1])).numpy().item()
    3.0
    """
    op = "dilation2d"
    filters = aliased(op, "filters", filters, filter=filter)
    dilations = dilations if rates is None else rates
    input, filters = tensors(op, input=input, filters=filters)
    first = channels_first(op, data_format, spatial_rank(op, input, (2,)))
    x = to_channels_last(input, first)
    window = _window(op, x.shape, filters.shape)
    strides = per_dimension(op, "strides", strides, 2, first)
    dilations = per_dimension(op, "dilations", dilations, 2, first)
    sizes = tuple(x.shape[1:-1])
    pairs = padding_pairs(op, padding, sizes, window, strides, dilations, first)
    outputs = output_sizes(sizes, window, strides, dilations, pairs)
    if any(map(any, pairs)):
        x = pad(x, [(0, 0), *pairs, (0, 0)], constant_values=-np.inf)
    largest = None
    for row in range(window[0]):
        for column in range(window[1]):
            top, left = row * dilations[0], column * dilations[1]
            bottom = top + reach(outputs[0], strides[0])
            right = left + reach(outputs[1], strides[1])
            part = x[:, top : bottom : strides[0], left : right : strides[1], :]
            total = add(part, filters[row, column])
            largest = total if largest is None else maximum(largest, total)
    return from_channels_last(largest, first)


def erosion2d(
    value: Any = None,
    filters: Any = None,
    strides: Any = 1,
    padding: Any = "VALID",
    data_format: str | None = "NHWC",
    dilations: Any = 1,
    name: str | None = None,
    *,
    input: Any = None,
    kernel: Any = None,
    rates: Any = None,
) -> Any:
    """Smallest difference of input and reflected filter over each window, channel by channel.

    Args:
        value: Floating tensor [batch, height, width, channels] of known height and width.
        filters: Tensor [height, width, channels].
        strides: Step of the window: an int or a list of 1, 2 or 4.
        padding: "VALID" or "SAME"; padding is never the smallest.
        data_format: "NHWC" or "NCHW".
        dilations: Distance of the window's elements, as `strides`.
        name: Ignored.
        input: Another name of `value`.
        kernel: TensorFlow 1's name of `filters`.
        rates: TensorFlow 1's name of `dilations`.

    Returns:
        Tensor [batch, height, width, channels].

    Raises:
        InvalidArgumentError: Ranks or channels do not fit, or the size is not known.

    >>> import eagercore as tf
    >>> x = tf.reshape(tf.range(4.), [1, 2, 2, 1])
    >>> erosion2d(x, -tf.ones([2, 2, 1])).numpy().item()
    1.0
    """
    op = "erosion2d"
    value = aliased(op, "value", value, input=input)
    filters = aliased(op, "filters", filters, kernel=kernel)
    value, filters = tensors(op, value=value, filters=filters)
    turned = reverse(filters, axis=[0, 1])
    rates = dilations if rates is None else rates
    return negative(dilation2d(negative(value), turned, strides, padding, data_format, rates))


def _window(op: str, shape: Any, filter_shape: Any) -> tuple[int, int]:
    known = filter_shape.rank == 3 and None not in filter_shape.as_list()
    if not known or shape[-1] != filter_shape[-1]:
        raise errors.shape_error(
            op,
            f"{op} takes filters [height, width, channels] with the channels of the input, got an "
            f"input of shape {shape} (channels last) and filters of shape {filter_shape}.",
        )
    if None in shape.as_list()[1:]:
        raise errors.shape_error(
            op,
            f"{op} needs the height and width of its input, got shape {shape}. Give the function "
            "an input_signature that has them.",
        )
    return filter_shape[0], filter_shape[1]
