"""What layers are made of: activations, convolutions, pooling, normalization, dropout."""

from __future__ import annotations

from typing import Any

from ...core.tensor import convert
from ...ops import conv, moments, pool
from ...ops.create import cast
from ...ops.ctc import ctc_loss
from ...ops.dropout import dropout as _dropout
from ...ops.shape import pad, reshape, squeeze
from ...ops.sorting import in_top_k as _in_top_k
from ..activations import elu, hard_sigmoid, relu, selu, sigmoid, softplus, softsign, tanh
from ..activations import softmax as _softmax
from ..settings import checked_data_format, settings

__all__ = [
    "batch_normalization", "bias_add", "conv1d", "conv2d", "conv2d_transpose", "conv3d", "conv3d_transpose",
    "ctc_batch_cost", "ctc_decode", "ctc_label_dense_to_sparse", "depthwise_conv2d", "dropout", "elu",
    "hard_sigmoid", "in_top_k", "local_conv1d", "local_conv2d", "normalize_batch_in_training", "pool2d",
    "pool3d", "relu", "selu", "separable_conv2d", "sigmoid", "softmax", "softplus", "softsign", "tanh",
]  # fmt: skip

_FORMATS = {1: ("NWC", "NCW"), 2: ("NHWC", "NCHW"), 3: ("NDHWC", "NCDHW")}


def _format(data_format: Any, rank: int) -> str:
    return _FORMATS[rank][checked_data_format(data_format) == "channels_first"]


def softmax(x: Any, axis: int = -1) -> Any:
    """`exp(x) / sum(exp(x))` along an axis."""
    return _softmax(x, axis)


def dropout(x: Any, level: float, noise_shape: Any = None, seed: int | None = None) -> Any:
    """A part of the values set to zero, the others scaled.

    Args:
        x: Tensor.
        level: Part that is left out.
        noise_shape: Shape of the choice, or None.
        seed: Seed, or None.
    """
    return _dropout(x, rate=level, noise_shape=noise_shape, seed=seed)


def in_top_k(predictions: Any, targets: Any, k: int) -> Any:
    """Whether the target is among the `k` largest predictions."""
    return _in_top_k(targets, predictions, k)


def bias_add(x: Any, bias: Any, data_format: str | None = None) -> Any:
    """`x` plus a number for each channel."""
    x = convert(x)
    first = checked_data_format(data_format) == "channels_first" and x.shape.rank > 2
    if not first:
        return x + bias
    return x + reshape(bias, [1, -1] + [1] * (x.shape.rank - 2))


def conv1d(
    x: Any,
    kernel: Any,
    strides: int = 1,
    padding: str = "valid",
    data_format: str | None = None,
    dilation_rate: int = 1,
) -> Any:
    """Convolution over time; padding may be "causal".

    Args:
        x: Tensor [batch, steps, channels].
        kernel: Tensor [window, channels, outputs].
        strides: Step of the window. Default 1.
        padding: "valid", "same" or "causal". Default "valid".
        data_format: "channels_last" or "channels_first".
        dilation_rate: Distance of the window's elements. Default 1.
    """
    if padding == "causal":
        left = int(dilation_rate) * (convert(kernel).shape[0] - 1)
        first = checked_data_format(data_format) == "channels_first"
        x = pad(x, [[0, 0], [0, 0], [left, 0]] if first else [[0, 0], [left, 0], [0, 0]])
        padding = "valid"
    return conv.convolution(
        x, kernel, strides, padding.upper(), _format(data_format, 1), dilation_rate
    )


def conv2d(
    x: Any, kernel: Any, strides: Any = (1, 1), padding: str = "valid",
    data_format: str | None = None, dilation_rate: Any = (1, 1),
) -> Any:  # fmt: skip
    """Convolution over images.

    Args:
        x: Tensor [batch, height, width, channels].
        kernel: Tensor [height, width, channels, outputs].
        strides: Steps of the window. Default 1.
        padding: "valid" or "same". Default "valid".
        data_format: "channels_last" or "channels_first".
        dilation_rate: Distances of the window's elements. Default 1.
    """
    return conv.convolution(
        x, kernel, strides, padding.upper(), _format(data_format, 2), dilation_rate
    )


def conv3d(
    x: Any, kernel: Any, strides: Any = (1, 1, 1), padding: str = "valid",
    data_format: str | None = None, dilation_rate: Any = (1, 1, 1),
) -> Any:  # fmt: skip
    """Convolution over volumes; see `conv2d`."""
    return conv.convolution(
        x, kernel, strides, padding.upper(), _format(data_format, 3), dilation_rate
    )


def conv2d_transpose(
    x: Any, kernel: Any, output_shape: Any, strides: Any = (1, 1), padding: str = "valid",
    data_format: str | None = None, dilation_rate: Any = (1, 1),
) -> Any:  # fmt: skip
    """Transposed convolution over images.

    Args:
        x: Tensor [batch, height, width, channels].
        kernel: Tensor [height, width, outputs, channels].
        output_shape: Shape of the result.
        strides: Steps of the window. Default 1.
        padding: "valid" or "same". Default "valid".
        data_format: "channels_last" or "channels_first".
        dilation_rate: Distances of the window's elements. Default 1.
    """
    return conv.conv_transpose(
        x, kernel, output_shape, strides, padding.upper(), _format(data_format, 2), dilation_rate
    )


def conv3d_transpose(
    x: Any, kernel: Any, output_shape: Any, strides: Any = (1, 1, 1), padding: str = "valid",
    data_format: str | None = None,
) -> Any:  # fmt: skip
    """Transposed convolution over volumes; see `conv2d_transpose`."""
    return conv.conv_transpose(
        x, kernel, output_shape, strides, padding.upper(), _format(data_format, 3)
    )


def _four(value: Any, data_format: Any) -> list[int]:
    one, two = (value, value) if isinstance(value, int) else value
    first = checked_data_format(data_format) == "channels_first"
    return [1, 1, one, two] if first else [1, one, two, 1]


def depthwise_conv2d(
    x: Any, depthwise_kernel: Any, strides: Any = (1, 1), padding: str = "valid",
    data_format: str | None = None, dilation_rate: Any = (1, 1),
) -> Any:  # fmt: skip
    """Convolution of each channel by itself.

    Args:
        x: Tensor [batch, height, width, channels].
        depthwise_kernel: Tensor [height, width, channels, multiplier].
        strides: Steps of the window. Default 1.
        padding: "valid" or "same". Default "valid".
        data_format: "channels_last" or "channels_first".
        dilation_rate: Distances of the window's elements. Default 1.
    """
    return conv.depthwise_conv2d(
        x,
        depthwise_kernel,
        _four(strides, data_format),
        padding.upper(),
        _format(data_format, 2),
        dilation_rate,
    )


def separable_conv2d(
    x: Any, depthwise_kernel: Any, pointwise_kernel: Any, strides: Any = (1, 1), padding: str = "valid",
    data_format: str | None = None, dilation_rate: Any = (1, 1),
) -> Any:  # fmt: skip
    """`depthwise_conv2d`, then a convolution with a window of one pixel."""
    return conv.separable_conv2d(
        x, depthwise_kernel, pointwise_kernel, _four(strides, data_format), padding.upper(), _format(data_format, 2),
        dilation_rate,
    )  # fmt: skip


def _pool(
    x: Any, size: Any, strides: Any, padding: str, data_format: Any, mode: str, rank: int
) -> Any:
    if mode not in ("max", "avg"):
        raise ValueError(f"Invalid pooling mode: {mode}")
    function = pool.max_pool if mode == "max" else pool.avg_pool
    return function(x, size, strides, padding.upper(), _format(data_format, rank))


def pool2d(
    x: Any, pool_size: Any, strides: Any = (1, 1), padding: str = "valid", data_format: str | None = None,
    pool_mode: str = "max",
) -> Any:  # fmt: skip
    """The largest ("max") or the mean ("avg") of each window of an image."""
    return _pool(x, pool_size, strides, padding, data_format, pool_mode, 2)


def pool3d(
    x: Any, pool_size: Any, strides: Any = (1, 1, 1), padding: str = "valid", data_format: str | None = None,
    pool_mode: str = "max",
) -> Any:  # fmt: skip
    """The largest ("max") or the mean ("avg") of each window of a volume."""
    return _pool(x, pool_size, strides, padding, data_format, pool_mode, 3)


def batch_normalization(
    x: Any, mean: Any, var: Any, beta: Any, gamma: Any, axis: int = -1, epsilon: float | None = None
) -> Any:
    """`gamma * (x - mean) / sqrt(var + epsilon) + beta`, with one number for each channel.

    Args:
        x: Tensor.
        mean: Means.
        var: Variances.
        beta: Shifts, or None.
        gamma: Factors, or None.
        axis: Axis of the channels. Default last.
        epsilon: Added to the variance. Default 0.001.
    """
    x = convert(x)
    rank = x.shape.rank
    if axis % rank != rank - 1:
        dims = [-1 if i == axis % rank else 1 for i in range(rank)]
        mean, var, beta, gamma = (
            v if v is None else reshape(v, dims) for v in (mean, var, beta, gamma)
        )
    return moments.batch_normalization(
        x, mean, var, beta, gamma, 1e-3 if epsilon is None else epsilon
    )


def normalize_batch_in_training(
    x: Any, gamma: Any, beta: Any, reduction_axes: Any, epsilon: float = 1e-3
) -> tuple[Any, Any, Any]:
    """A batch with mean `beta` and deviation `gamma` over axes, and its mean and variance."""
    mean, variance = moments.moments(x, list(reduction_axes), keepdims=True)
    shaped = [v if v is None else reshape(v, tuple(mean.shape)) for v in (beta, gamma)]
    normal = moments.batch_normalization(x, mean, variance, shaped[0], shaped[1], epsilon)
    axes = tuple(int(a) for a in reduction_axes)
    return normal, squeeze(mean, axis=axes), squeeze(variance, axis=axes)


def ctc_batch_cost(y_true: Any, y_pred: Any, input_length: Any, label_length: Any) -> Any:
    """Loss of connectionist temporal classification, one for each example.

    Args:
        y_true: Labels [batch, most labels].
        y_pred: Probabilities [batch, steps, classes + 1], the blank being the last class.
        input_length: Steps of each example [batch, 1].
        label_length: Labels of each example [batch, 1].
    """
    from ...ops.exponential import log
    from ...ops.shape import expand_dims, transpose

    logits = log(transpose(convert(y_pred), (1, 0, 2)) + settings.epsilon)
    lengths = [cast(reshape(convert(v), (-1,)), "int32") for v in (label_length, input_length)]
    losses = ctc_loss(
        labels=cast(convert(y_true), "int32"), logits=logits, label_length=lengths[0], logit_length=lengths[1],
        logits_time_major=True, blank_index=-1,
    )  # fmt: skip
    return expand_dims(losses, axis=1)


def ctc_decode(
    y_pred: Any, input_length: Any, greedy: bool = True, beam_width: int = 100, top_paths: int = 1
) -> tuple[list[Any], Any]:
    """The labels that frames of class probabilities stand for.

    Args:
        y_pred: Probabilities [batch, steps, classes + 1], the blank being the last class.
        input_length: Steps of each example [batch].
        greedy: Whether the likeliest class of each frame is taken. Default True; else a beam search.
        beam_width: How many beginnings the search follows. Default 100.
        top_paths: How many sequences it gives. Default 1.

    Returns:
        List of integer tensors [batch, most labels], filled with -1; and scores [batch, top_paths].

    >>> labels, _ = ctc_decode([[[0.1, 0.8, 0.1], [0.1, 0.8, 0.1], [0.8, 0.1, 0.1]]], [3])
    >>> labels[0].numpy()
    array([[1, 0]])
    """
    from ...ops import ctc
    from ...ops.exponential import log
    from ...ops.shape import transpose
    from ...ops.sparse import to_dense

    logits = log(transpose(convert(y_pred), (1, 0, 2)) + settings.epsilon)
    lengths = cast(reshape(convert(input_length), (-1,)), "int32")
    if greedy:
        found, scores = ctc.ctc_greedy_decoder(logits, lengths)
    else:
        found, scores = ctc.ctc_beam_search_decoder(
            logits, lengths, int(beam_width), int(top_paths)
        )
    return [to_dense(labels, default_value=-1) for labels in found], scores


def ctc_label_dense_to_sparse(labels: Any, label_lengths: Any) -> Any:
    """Rows of labels of which the first `label_lengths` count, as a sparse tensor.

    Args:
        labels: Integer tensor [batch, most labels].
        label_lengths: Integer tensor [batch].

    >>> ctc_label_dense_to_sparse([[1, 0], [3, 4]], [1, 2]).values.numpy()
    array([1, 3, 4], dtype=int32)
    """
    from ...ops.index import boolean_mask
    from ...ops.rearrange import sequence_mask
    from ...ops.select import where
    from ...ops.sparse import SparseTensor

    labels = convert(labels)
    kept = sequence_mask(reshape(convert(label_lengths), (-1,)), labels.shape[1])
    return SparseTensor(where(kept), boolean_mask(labels, kept), labels.shape)


def local_conv1d(
    inputs: Any, kernel: Any, kernel_size: Any, strides: Any, data_format: str | None = None
) -> Any:
    """A kernel of its own for every place in time; see `local_conv2d`."""
    places = (convert(kernel).shape[0],)
    return _local(inputs, kernel, kernel_size, strides, places, data_format)


def local_conv2d(
    inputs: Any,
    kernel: Any,
    kernel_size: Any,
    strides: Any,
    output_shape: Any,
    data_format: str | None = None,
) -> Any:
    """A kernel of its own for every place of an image.

    Args:
        inputs: Tensor [batch, height, width, channels].
        kernel: Kernels [places, window * channels, filters].
        kernel_size: Height and width of the window.
        strides: Its steps.
        output_shape: Height and width of the result, whose product is the number of places.
        data_format: "channels_last" (default) or "channels_first".

    >>> import eagercore as tf
    >>> local_conv2d(tf.ones([1, 2, 2, 1]), tf.ones([2, 2, 3]), (1, 2), (1, 1), (2, 1)).shape
    TensorShape([1, 2, 1, 3])
    """
    return _local(inputs, kernel, kernel_size, strides, tuple(output_shape), data_format)


def _local(inputs: Any, kernel: Any, size: Any, strides: Any, places: Any, data_format: Any) -> Any:
    from ..layers.convolution.locally_connected import windows_by_place

    first = checked_data_format(data_format) == "channels_first"
    return windows_by_place(
        convert(inputs), convert(kernel), tuple(size), tuple(strides), places, first
    )
