"""Gradients of convolutions by name, for programs that call them."""

from __future__ import annotations

from typing import Any

from ..core import coerce
from . import convolution as primitives
from .conv import _geometry, conv2d_transpose
from .shape import reshape
from .window_arguments import (
    aliased,
    channels_first,
    from_channels_last,
    spatial_rank,
    tensors,
    to_channels_last,
)


def _last(shape: tuple[int, ...], first: bool) -> tuple[int, ...]:
    return (shape[0], *shape[2:], shape[1]) if first else shape


def conv2d_backprop_input(
    input_sizes: Any,
    filter: Any = None,
    out_backprop: Any = None,
    strides: Any = None,
    padding: Any = None,
    use_cudnn_on_gpu: Any = None,
    data_format: str | None = "NHWC",
    dilations: Any = None,
    name: str | None = None,
    *,
    filters: Any = None,
) -> Any:
    """Gradient of `conv2d` with respect to its input (TensorFlow 1).

    Args:
        input_sizes: Shape of the input.
        filter: Tensor [height, width, channels, outputs].
        out_backprop: Gradient of the result.
        strides: Those of `conv2d`.
        padding: That of `conv2d`.
        use_cudnn_on_gpu: Ignored.
        data_format: "NHWC" or "NCHW".
        dilations: Those of `conv2d`.
        name: Ignored.
        filters: Another name of `filter`.

    Returns:
        Tensor of shape `input_sizes`.

    >>> import eagercore as tf
    >>> conv2d_backprop_input([1, 2, 2, 1], tf.ones([1, 1, 1, 1]), tf.ones([1, 2, 2, 1]), 1,
    ...                       "SAME").shape
    TensorShape([1, 2, 2, 1])
    """
    filter = aliased("conv2d_backprop_input", "filter", filter, filters=filters)
    return conv2d_transpose(
        out_backprop, filter, input_sizes, strides, padding, data_format, dilations
    )


def conv2d_backprop_filter(
    input: Any,
    filter_sizes: Any,
    out_backprop: Any,
    strides: Any,
    padding: Any,
    use_cudnn_on_gpu: Any = None,
    data_format: str | None = "NHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """Gradient of `conv2d` with respect to its filters (TensorFlow 1).

    Args:
        input: The input of `conv2d`.
        filter_sizes: Shape of the filters.
        out_backprop: Gradient of the result.
        strides: Those of `conv2d`.
        padding: That of `conv2d`.
        use_cudnn_on_gpu: Ignored.
        data_format: "NHWC" or "NCHW".
        dilations: Those of `conv2d`.
        name: Ignored.

    Returns:
        Tensor of shape `filter_sizes`.

    >>> import eagercore as tf
    >>> conv2d_backprop_filter(tf.ones([1, 2, 2, 1]), [1, 1, 1, 1], tf.ones([1, 2, 2, 1]), 1,
    ...                        "SAME").numpy().item()
    4.0
    """
    op = "conv2d_backprop_filter"
    input, dy = tensors(op, input=input, out_backprop=out_backprop)
    first = channels_first(op, data_format, spatial_rank(op, input, (2,)))
    x = to_channels_last(input, first)
    shape = coerce.as_shape(filter_sizes, op, "filter_sizes")
    geometry = _geometry(
        op, x.shape[1:-1], shape[:-2], strides, padding, dilations, x.shape[-1] // shape[-2], first
    )
    return primitives.convolution_filter_gradient(
        x, to_channels_last(dy, first), filter_shape=shape, **geometry
    )


def depthwise_conv2d_backprop_input(
    input_sizes: Any,
    filter: Any = None,
    out_backprop: Any = None,
    strides: Any = None,
    padding: Any = None,
    data_format: str | None = "NHWC",
    dilations: Any = None,
    name: str | None = None,
    *,
    filters: Any = None,
) -> Any:
    """Gradient of `depthwise_conv2d` with respect to its input.

    Args:
        input_sizes: Shape of the input.
        filter: Tensor [height, width, channels, multiplier].
        out_backprop: Gradient of the result.
        strides: Those of `depthwise_conv2d`.
        padding: That of `depthwise_conv2d`.
        data_format: "NHWC" or "NCHW".
        dilations: Those of `depthwise_conv2d`.
        name: Ignored.
        filters: Another name of `filter`.

    Returns:
        Tensor of shape `input_sizes`.

    >>> import eagercore as tf
    >>> depthwise_conv2d_backprop_input([1, 2, 2, 1], tf.ones([1, 1, 1, 2]), tf.ones([1, 2, 2, 2]), 1,
    ...                                 "SAME").numpy().ravel()
    array([2., 2., 2., 2.], dtype=float32)
    """
    op = "depthwise_conv2d_backprop_input"
    filter = aliased(op, "filter", filter, filters=filters)
    filter, dy = tensors(op, filter=filter, out_backprop=out_backprop)
    first = channels_first(op, data_format, spatial_rank(op, dy, (2,)))
    shape = _last(coerce.as_shape(input_sizes, op, "input_sizes"), first)
    height, width, channels, multiplier = filter.shape.as_list()
    window = (height, width)
    geometry = _geometry(op, shape[1:-1], window, strides, padding, dilations, channels, first)
    grouped = reshape(filter, (*window, 1, channels * multiplier))
    made = primitives.convolution_data_gradient(
        to_channels_last(dy, first), grouped, input_shape=shape, **geometry
    )
    return from_channels_last(made, first)


def depthwise_conv2d_backprop_filter(
    input: Any,
    filter_sizes: Any,
    out_backprop: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """Gradient of `depthwise_conv2d` with respect to its filter.

    Args:
        input: The input of `depthwise_conv2d`.
        filter_sizes: Shape of the filter.
        out_backprop: Gradient of the result.
        strides: Those of `depthwise_conv2d`.
        padding: That of `depthwise_conv2d`.
        data_format: "NHWC" or "NCHW".
        dilations: Those of `depthwise_conv2d`.
        name: Ignored.

    Returns:
        Tensor of shape `filter_sizes`.

    >>> import eagercore as tf
    >>> depthwise_conv2d_backprop_filter(tf.ones([1, 2, 2, 1]), [1, 1, 1, 2], tf.ones([1, 2, 2, 2]), 1,
    ...                                  "SAME").numpy().ravel()
    array([4., 4.], dtype=float32)
    """
    op = "depthwise_conv2d_backprop_filter"
    input, dy = tensors(op, input=input, out_backprop=out_backprop)
    first = channels_first(op, data_format, spatial_rank(op, input, (2,)))
    shape = coerce.as_shape(filter_sizes, op, "filter_sizes")
    height, width, channels, multiplier = shape
    x, window = to_channels_last(input, first), (height, width)
    geometry = _geometry(op, x.shape[1:-1], window, strides, padding, dilations, channels, first)
    made = primitives.convolution_filter_gradient(
        x,
        to_channels_last(dy, first),
        filter_shape=(*window, 1, channels * multiplier),
        **geometry,
    )
    return reshape(made, shape)


def conv3d_backprop_filter(
    input: Any,
    filter_sizes: Any,
    out_backprop: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NDHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """Gradient of `conv3d` with respect to its filters (TensorFlow 1).

    Args:
        input: The input of `conv3d`.
        filter_sizes: Shape of the filters.
        out_backprop: Gradient of the result.
        strides: Those of `conv3d`.
        padding: That of `conv3d`.
        data_format: "NDHWC" or "NCDHW".
        dilations: Those of `conv3d`.
        name: Ignored.

    Returns:
        Tensor of shape `filter_sizes`.

    >>> import eagercore as tf
    >>> conv3d_backprop_filter(tf.ones([1, 2, 2, 2, 1]), [1, 1, 1, 1, 1], tf.ones([1, 2, 2, 2, 1]), 1,
    ...                        "SAME").numpy().item()
    8.0
    """
    op = "conv3d_backprop_filter"
    input, dy = tensors(op, input=input, out_backprop=out_backprop)
    first = channels_first(op, data_format, spatial_rank(op, input, (3,)))
    x = to_channels_last(input, first)
    shape = coerce.as_shape(filter_sizes, op, "filter_sizes")
    geometry = _geometry(
        op, x.shape[1:-1], shape[:-2], strides, padding, dilations, x.shape[-1] // shape[-2], first
    )
    return primitives.convolution_filter_gradient(
        x, to_channels_last(dy, first), filter_shape=shape, **geometry
    )


__all__ = [
    "conv2d_backprop_filter", "conv2d_backprop_input", "conv3d_backprop_filter", "depthwise_conv2d_backprop_filter",
    "depthwise_conv2d_backprop_input",
]  # fmt: skip
