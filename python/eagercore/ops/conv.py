"""TensorFlow's functions of convolution, made of the primitives in `convolution.py`.

Each accepts the argument names of TensorFlow 1 as well (`filter`, `value`, `rate` ...).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..base import errors
from ..core import coerce
from . import convolution as primitives
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


def convolution(
    input: Any,
    filters: Any = None,
    strides: Any = None,
    padding: Any = "VALID",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
    *,
    filter: Any = None,
    dilation_rate: Any = None,
) -> Any:
    """Convolution over 1, 2 or 3 spatial dimensions (the filters are not flipped).

    Args:
        input: Tensor [batch, *spatial, channels], or channels before the spatial dimensions.
        filters: Tensor [*window, channels / groups, outputs]; fewer channels than the input has
            make a grouped convolution.
        strides: Step of the window: an int, or a list with one for each spatial dimension (or
            with 1 for batch and channels around them).
        padding: "VALID", "SAME", or a list of [before, after].
        data_format: "NWC", "NHWC", "NDHWC" (default) or "NCW", "NCHW", "NCDHW".
        dilations: Distance of the window's elements, as `strides`.
        name: Ignored.
        filter: TensorFlow 1's name of `filters`.
        dilation_rate: TensorFlow 1's name of `dilations`.

    Returns:
        Tensor [batch, *output, outputs] in the same data format.

    Raises:
        InvalidArgumentError: Ranks or channels do not fit, or an argument has no meaning.

    >>> import eagercore as tf
    >>> convolution(tf.ones([1, 4, 1]), tf.ones([3, 1, 1])).numpy().ravel()
    array([3., 3.], dtype=float32)
    """
    if isinstance(strides, str):
        # TensorFlow 1 has the padding before the strides.
        strides, padding = (None if padding == "VALID" else padding), strides
    filters = aliased("convolution", "filters", filters, filter=filter)
    dilations = dilations if dilation_rate is None else dilation_rate
    return _convolve(
        "convolution", (1, 2, 3), input, filters, strides, padding, data_format, dilations
    )


def conv1d(
    input: Any = None,
    filters: Any = None,
    stride: Any = None,
    padding: Any = None,
    data_format: str | None = "NWC",
    dilations: Any = None,
    name: str | None = None,
    *,
    value: Any = None,
    strides: Any = None,
    filter: Any = None,
) -> Any:
    """Convolution over one spatial dimension.

    Args:
        input: Tensor [batch, width, channels].
        filters: Tensor [window, channels / groups, outputs].
        stride: Step of the window: an int or a list.
        padding: "VALID", "SAME" or a list of [before, after].
        data_format: "NWC" or "NCW".
        dilations: Distance of the window's elements.
        name: Ignored.
        value: TensorFlow 1's name of `input`.
        strides: Another name of `stride`.
        filter: TensorFlow 1's name of `filters`.

    Returns:
        Tensor [batch, output, outputs] in the same data format.

    >>> import eagercore as tf
    >>> conv1d(tf.ones([1, 4, 1]), tf.ones([2, 1, 1]), stride=2, padding="VALID").shape
    TensorShape([1, 2, 1])
    """
    op = "conv1d"
    input = aliased(op, "input", input, value=value)
    filters = aliased(op, "filters", filters, filter=filter)
    stride = aliased(op, "stride", stride, strides=strides)
    padding = aliased(op, "padding", padding)
    return _convolve(op, (1,), input, filters, stride, padding, data_format, dilations)


def conv2d(
    input: Any,
    filters: Any = None,
    strides: Any = None,
    padding: Any = None,
    data_format: str | None = "NHWC",
    dilations: Any = None,
    name: str | None = None,
    *,
    filter: Any = None,
    use_cudnn_on_gpu: Any = None,
) -> Any:
    """Convolution over two spatial dimensions.

    Args:
        input: Tensor [batch, height, width, channels].
        filters: Tensor [height, width, channels / groups, outputs].
        strides: Step of the window: an int or a list of 1, 2 or 4.
        padding: "VALID", "SAME" or a list of [before, after] for each of the 4 dimensions.
        data_format: "NHWC" or "NCHW".
        dilations: Distance of the window's elements, as `strides`.
        name: Ignored.
        filter: TensorFlow 1's name of `filters`.
        use_cudnn_on_gpu: Ignored.

    Returns:
        Tensor [batch, height, width, outputs] in the same data format.

    Raises:
        InvalidArgumentError: Ranks or channels do not fit, or an argument has no meaning.

    >>> import eagercore as tf
    >>> x = tf.ones([1, 5, 5, 1])
    >>> conv2d(x, tf.ones([4, 4, 1, 1]), strides=2, padding="SAME").numpy()[0, :, :, 0]
    array([[ 9., 12.,  6.],
           [12., 16.,  8.],
           [ 6.,  8.,  4.]], dtype=float32)
    """
    filters = aliased("conv2d", "filters", filters, filter=filter)
    padding = aliased("conv2d", "padding", padding)
    return _convolve("conv2d", (2,), input, filters, strides, padding, data_format, dilations)


def conv3d(
    input: Any,
    filters: Any = None,
    strides: Any = None,
    padding: Any = None,
    data_format: str | None = "NDHWC",
    dilations: Any = None,
    name: str | None = None,
    *,
    filter: Any = None,
) -> Any:
    """Convolution over three spatial dimensions.

    Args:
        input: Tensor [batch, depth, height, width, channels].
        filters: Tensor [depth, height, width, channels / groups, outputs].
        strides: Step of the window: an int or a list of 1, 3 or 5.
        padding: "VALID", "SAME" or a list of [before, after] for each of the 5 dimensions.
        data_format: "NDHWC" or "NCDHW".
        dilations: Distance of the window's elements, as `strides`.
        name: Ignored.
        filter: TensorFlow 1's name of `filters`.

    Returns:
        Tensor [batch, depth, height, width, outputs] in the same data format.

    >>> import eagercore as tf
    >>> x = tf.ones([1, 2, 2, 2, 1])
    >>> conv3d(x, tf.ones([2, 2, 2, 1, 1]), 1, "VALID").numpy().item()
    8.0
    """
    filters = aliased("conv3d", "filters", filters, filter=filter)
    padding = aliased("conv3d", "padding", padding)
    return _convolve("conv3d", (3,), input, filters, strides, padding, data_format, dilations)


def conv_transpose(
    input: Any,
    filters: Any,
    output_shape: Any = None,
    strides: Any = None,
    padding: Any = "SAME",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """Transposed convolution over 1, 2 or 3 spatial dimensions: the gradient of `convolution`.

    Args:
        input: Tensor [batch, *spatial, channels].
        filters: Tensor [*window, outputs, channels]: outputs before channels.
        output_shape: Shape of the result (with or without batch and channels); None takes the
            smallest one that a convolution would bring back to the input.
        strides: Step of the window, as in `convolution`.
        padding: "SAME", "VALID" or a list of [before, after]: that of the convolution whose
            gradient this is.
        data_format: "NWC", "NHWC", "NDHWC" (default) or "NCW", "NCHW", "NCDHW".
        dilations: Distance of the window's elements, as `strides`.
        name: Ignored.

    Returns:
        Tensor of shape `output_shape`.

    Raises:
        InvalidArgumentError: A convolution of `output_shape` would not give the input's shape.

    >>> import eagercore as tf
    >>> conv_transpose(tf.ones([1, 2, 1]), tf.ones([2, 1, 1]), strides=2).shape
    TensorShape([1, 4, 1])
    """
    return _transposed(
        "conv_transpose",
        (1, 2, 3),
        input,
        filters,
        output_shape,
        strides,
        padding,
        data_format,
        dilations,
    )


def conv1d_transpose(
    input: Any = None,
    filters: Any = None,
    output_shape: Any = None,
    strides: Any = None,
    padding: Any = "SAME",
    data_format: str | None = "NWC",
    dilations: Any = None,
    name: str | None = None,
    *,
    value: Any = None,
    filter: Any = None,
    stride: Any = None,
) -> Any:
    """Transposed convolution over one spatial dimension.

    Args:
        input: Tensor [batch, width, channels].
        filters: Tensor [window, outputs, channels].
        output_shape: See `conv_transpose`.
        strides: Step of the window.
        padding: "SAME", "VALID" or a list of [before, after].
        data_format: "NWC" or "NCW".
        dilations: Distance of the window's elements.
        name: Ignored.
        value: TensorFlow 1's name of `input`.
        filter: TensorFlow 1's name of `filters`.
        stride: TensorFlow 1's name of `strides`.

    Returns:
        Tensor of shape `output_shape`.

    >>> import eagercore as tf
    >>> y = conv1d_transpose(tf.ones([1, 2, 1]), tf.ones([2, 1, 1]), [1, 3, 1], 1, "VALID")
    >>> y.numpy().ravel()
    array([1., 2., 1.], dtype=float32)
    """
    op = "conv1d_transpose"
    input = aliased(op, "input", input, value=value)
    filters = aliased(op, "filters", filters, filter=filter)
    strides = strides if stride is None else stride
    return _transposed(
        op, (1,), input, filters, output_shape, strides, padding, data_format, dilations
    )


def conv2d_transpose(
    input: Any = None,
    filters: Any = None,
    output_shape: Any = None,
    strides: Any = None,
    padding: Any = "SAME",
    data_format: str | None = "NHWC",
    dilations: Any = None,
    name: str | None = None,
    *,
    value: Any = None,
    filter: Any = None,
) -> Any:
    """Transposed convolution over two spatial dimensions ("deconvolution").

    Args:
        input: Tensor [batch, height, width, channels].
        filters: Tensor [height, width, outputs, channels].
        output_shape: See `conv_transpose`.
        strides: Step of the window: an int or a list of 1, 2 or 4.
        padding: "SAME", "VALID" or a list of [before, after].
        data_format: "NHWC" or "NCHW".
        dilations: Distance of the window's elements.
        name: Ignored.
        value: TensorFlow 1's name of `input`.
        filter: TensorFlow 1's name of `filters`.

    Returns:
        Tensor of shape `output_shape`.

    Raises:
        InvalidArgumentError: A convolution of `output_shape` would not give the input's shape.

    >>> import eagercore as tf
    >>> x, w = tf.ones([1, 2, 2, 1]), tf.ones([5, 5, 1, 1])
    >>> conv2d_transpose(x, w, [1, 4, 4, 1], 2).numpy()[0, :, :, 0]
    array([[1., 2., 2., 2.],
           [2., 4., 4., 4.],
           [2., 4., 4., 4.],
           [2., 4., 4., 4.]], dtype=float32)
    """
    op = "conv2d_transpose"
    input = aliased(op, "input", input, value=value)
    filters = aliased(op, "filters", filters, filter=filter)
    return _transposed(
        op, (2,), input, filters, output_shape, strides, padding, data_format, dilations
    )


def conv3d_transpose(
    input: Any = None,
    filters: Any = None,
    output_shape: Any = None,
    strides: Any = None,
    padding: Any = "SAME",
    data_format: str | None = "NDHWC",
    dilations: Any = None,
    name: str | None = None,
    *,
    value: Any = None,
    filter: Any = None,
) -> Any:
    """Transposed convolution over three spatial dimensions.

    Args:
        input: Tensor [batch, depth, height, width, channels].
        filters: Tensor [depth, height, width, outputs, channels].
        output_shape: See `conv_transpose`.
        strides: Step of the window: an int or a list of 1, 3 or 5.
        padding: "SAME", "VALID" or a list of [before, after].
        data_format: "NDHWC" or "NCDHW".
        dilations: Distance of the window's elements.
        name: Ignored.
        value: TensorFlow 1's name of `input`.
        filter: TensorFlow 1's name of `filters`.

    Returns:
        Tensor of shape `output_shape`.

    >>> import eagercore as tf
    >>> conv3d_transpose(tf.ones([1, 1, 1, 1, 2]), tf.ones([2, 2, 2, 3, 2]), strides=2).shape
    TensorShape([1, 2, 2, 2, 3])
    """
    op = "conv3d_transpose"
    input = aliased(op, "input", input, value=value)
    filters = aliased(op, "filters", filters, filter=filter)
    return _transposed(
        op, (3,), input, filters, output_shape, strides, padding, data_format, dilations
    )


def depthwise_conv2d(
    input: Any,
    filter: Any = None,
    strides: Any = None,
    padding: Any = None,
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
    *,
    rate: Any = None,
    filters: Any = None,
) -> Any:
    """Convolution of each channel with filters of its own.

    Args:
        input: Tensor [batch, height, width, channels].
        filter: Tensor [height, width, channels, multiplier].
        strides: Step of the window: an int or a list of 1, 2 or 4.
        padding: "VALID", "SAME" or a list of [before, after] for each of the 4 dimensions.
        data_format: "NHWC" or "NCHW".
        dilations: Distance of the window's elements: an int or a list of 2.
        name: Ignored.
        rate: TensorFlow 1's name of `dilations`.
        filters: Another name of `filter`.

    Returns:
        Tensor [batch, height, width, channels * multiplier]; those of one channel are neighbours.

    >>> import eagercore as tf
    >>> x = tf.ones([1, 3, 3, 2])
    >>> depthwise_conv2d(x, tf.ones([2, 2, 2, 3]), 1, "VALID").shape
    TensorShape([1, 2, 2, 6])
    """
    op = "depthwise_conv2d"
    if rate is not None and not isinstance(data_format, str | None):
        rate, data_format = data_format, None
    filter = aliased(op, "filter", filter, filters=filters)
    padding = aliased(op, "padding", padding)
    dilations = dilations if rate is None else rate
    input, filter = tensors(op, input=input, filter=filter)
    shape = filter.shape.as_list()
    if len(shape) != 4 or None in shape:
        raise errors.shape_error(
            op, f"{op} takes a filter [height, width, channels, multiplier], got {filter.shape}."
        )
    from .shape import reshape

    height, width, channels, multiplier = shape
    first = channels_first(op, data_format, spatial_rank(op, input, (2,)))
    if input.shape[1 if first else 3] not in (None, channels):
        raise errors.shape_error(
            op,
            f"{op} got an input of shape {input.shape} with {input.shape[1 if first else 3]} "
            f"channels and a filter of shape {filter.shape} for {channels}.",
        )
    grouped = reshape(filter, (height, width, 1, channels * multiplier))
    return _convolve(
        op, (2,), input, grouped, strides, padding, data_format, dilations, groups=channels
    )


def separable_conv2d(
    input: Any,
    depthwise_filter: Any,
    pointwise_filter: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
    *,
    rate: Any = None,
) -> Any:
    """A depthwise convolution followed by a pointwise one.

    Args:
        input: Tensor [batch, height, width, channels].
        depthwise_filter: Tensor [height, width, channels, multiplier].
        pointwise_filter: Tensor [1, 1, channels * multiplier, outputs].
        strides: Step of the depthwise window.
        padding: "VALID", "SAME" or a list of [before, after] for each of the 4 dimensions.
        data_format: "NHWC" or "NCHW".
        dilations: Distance of the depthwise window's elements.
        name: Ignored.
        rate: TensorFlow 1's name of `dilations`.

    Returns:
        Tensor [batch, height, width, outputs] in the same data format.

    >>> import eagercore as tf
    >>> x, depthwise = tf.ones([1, 3, 3, 2]), tf.ones([2, 2, 2, 1])
    >>> pointwise = tf.ones([1, 1, 2, 4])
    >>> separable_conv2d(x, depthwise, pointwise, 1, "VALID").numpy()[0, 0, 0]
    array([8., 8., 8., 8.], dtype=float32)
    """
    middle = depthwise_conv2d(
        input, depthwise_filter, strides, padding, data_format, dilations, rate=rate
    )
    return conv2d(middle, pointwise_filter, 1, "VALID", data_format)


def atrous_conv2d(
    value: Any, filters: Any, rate: Any, padding: Any, name: str | None = None
) -> Any:
    """Convolution with holes: the window's elements are `rate` apart.

    Args:
        value: Tensor [batch, height, width, channels].
        filters: Tensor [height, width, channels, outputs].
        rate: Distance of the window's elements, an int.
        padding: "VALID" or "SAME".
        name: Ignored.

    Returns:
        Tensor [batch, height, width, outputs].

    >>> import eagercore as tf
    >>> atrous_conv2d(tf.ones([1, 5, 5, 1]), tf.ones([2, 2, 1, 1]), 2, "VALID").shape
    TensorShape([1, 3, 3, 1])
    """
    return conv2d(value, filters, 1, padding, dilations=rate)


def atrous_conv2d_transpose(
    value: Any,
    filters: Any,
    output_shape: Any,
    rate: Any,
    padding: Any,
    name: str | None = None,
) -> Any:
    """Transpose of `atrous_conv2d`.

    Args:
        value: Tensor [batch, height, width, channels].
        filters: Tensor [height, width, outputs, channels].
        output_shape: Shape of the result.
        rate: Distance of the window's elements, an int.
        padding: "VALID" or "SAME".
        name: Ignored.

    Returns:
        Tensor of shape `output_shape`.

    >>> import eagercore as tf
    >>> x, w = tf.ones([1, 3, 3, 1]), tf.ones([2, 2, 1, 1])
    >>> atrous_conv2d_transpose(x, w, [1, 5, 5, 1], 2, "VALID").shape
    TensorShape([1, 5, 5, 1])
    """
    return conv2d_transpose(value, filters, output_shape, 1, padding, dilations=rate)


# ------------------------------------------------------------------------------------------------


def _geometry(
    op: str,
    sizes: Sequence[int | None],
    window: Sequence[int],
    strides: Any,
    padding: Any,
    dilations: Any,
    groups: int,
    first: bool,
) -> dict[str, Any]:
    """The attributes of the primitives from what TensorFlow's functions are given."""
    rank = len(window)
    strides = per_dimension(op, "strides", strides, rank, first)
    dilations = per_dimension(op, "dilations", dilations, rank, first)
    pairs = padding_pairs(op, padding, sizes, window, strides, dilations, first)
    return {"strides": strides, "padding": pairs, "dilations": dilations, "groups": groups}


def _filter_sizes(op: str, filters: Any, rank: int) -> list[int]:
    shape = filters.shape
    if shape.rank != rank + 2 or None in shape.as_list():
        raise errors.shape_error(
            op,
            f"{op} over {rank} spatial dimension(s) takes filters of rank {rank + 2} and known "
            f"shape, got filters of shape {shape}.",
        )
    return shape.as_list()


def _convolve(
    op: str,
    ranks: Sequence[int],
    input: Any,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: str | None,
    dilations: Any,
    groups: int | None = None,
) -> Any:
    input, filters = tensors(op, input=input, filters=filters)
    rank = spatial_rank(op, input, ranks)
    first = channels_first(op, data_format, rank)
    x = to_channels_last(input, first)
    *window, inputs, _outputs = _filter_sizes(op, filters, rank)
    channels = x.shape[-1]
    if groups is None:
        groups = 1
        if channels is not None and inputs and channels % inputs == 0:
            groups = max(channels // inputs, 1)
    geometry = _geometry(op, x.shape[1:-1], window, strides, padding, dilations, groups, first)
    return from_channels_last(primitives.convolution(x, filters, **geometry), first)


def _transposed(
    op: str,
    ranks: Sequence[int],
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any,
    data_format: str | None,
    dilations: Any,
) -> Any:
    input, filters = tensors(op, input=input, filters=filters)
    rank = spatial_rank(op, input, ranks)
    first = channels_first(op, data_format, rank)
    x = to_channels_last(input, first)
    *window, outputs, inputs = _filter_sizes(op, filters, rank)
    if x.shape[-1] not in (None, inputs):
        raise errors.shape_error(
            op,
            f"{op} got an input of shape {input.shape} with {x.shape[-1]} channels and filters of "
            f"shape {filters.shape}, whose last dimension {inputs} must equal them "
            "([*window, outputs, channels]).",
        )
    steps = per_dimension(op, "strides", strides, rank, first)
    holes = per_dimension(op, "dilations", dilations, rank, first)
    shape = _target_shape(op, output_shape, x.shape, window, steps, holes, padding, outputs, first)
    known = shape if isinstance(shape, tuple) else (None,) * (rank + 2)
    if known[-1] is not None and outputs and known[-1] % outputs:
        raise errors.shape_error(
            op,
            f"{op} got output_shape {list(known)} with {known[-1]} channels, filters of shape "
            f"{filters.shape} make {outputs}.",
        )
    groups = max((known[-1] or outputs) // max(outputs, 1), 1)
    geometry = _geometry(op, known[1:-1], window, strides, padding, dilations, groups, first)
    y = primitives.convolution_data_gradient(x, filters, input_shape=shape, **geometry)
    return from_channels_last(y, first)


def _target_shape(
    op: str,
    output_shape: Any,
    x_shape: Any,
    window: Sequence[int],
    strides: Sequence[int],
    dilations: Sequence[int],
    padding: Any,
    outputs: int,
    first: bool,
) -> Any:
    """Shape [batch, *spatial, outputs] of a transposed convolution; a symbolic tensor as it is."""
    rank = len(window)
    if output_shape is None:
        sizes = [
            _smallest(*each, padding, axis)
            for axis, each in enumerate(zip(x_shape[1:-1], window, strides, dilations))
        ]
        return (x_shape[0], *sizes, outputs)
    if isinstance(output_shape, list | tuple) and coerce.is_symbolic(output_shape):
        # The batch is the input's own; only the other dimensions are needed.
        entries = [None if coerce.is_symbolic(entry) else entry for entry in output_shape]
        if None not in entries[1:]:
            output_shape = entries
    shape = coerce.as_shape(output_shape, op, "output_shape")
    if not isinstance(shape, tuple):
        return shape
    if len(shape) == rank:
        shape = (x_shape[0], *shape, outputs)
    elif len(shape) == rank + 2 and first:
        shape = (shape[0], *shape[2:], shape[1])
    if len(shape) != rank + 2:
        raise errors.shape_error(
            op,
            f"{op}: `output_shape` must have {rank + 2} (or, without batch and channels, {rank}) "
            f"entries, got {list(shape)}.",
        )
    if None not in (shape[0], x_shape[0]) and shape[0] not in (-1, x_shape[0]):
        raise errors.shape_error(
            op, f"{op}: output_shape {list(shape)} has another batch than the input {x_shape}."
        )
    return (x_shape[0], *shape[1:])


def _smallest(
    size: int | None, window: int, stride: int, dilation: int, padding: Any, axis: int
) -> int | None:
    """Size of the transposed convolution's result when nobody says which."""
    if size is None:
        return None
    reach = (window - 1) * dilation + 1
    if isinstance(padding, str):
        same = padding.upper() == "SAME"
        return size * stride if same else (size - 1) * stride + max(reach, stride)
    pair = padding[axis - len(padding) // 2] if len(padding) < 3 else padding[axis]
    return (size - 1) * stride + reach - sum(pair)
