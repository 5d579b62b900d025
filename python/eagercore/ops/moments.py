"""Means, variances and what is made of them: statistics of tensors, normalization."""

from __future__ import annotations

from ..base import dtypes, errors
from ..core import coerce
from ..core.tensor import Tensor, convert
from .arithmetic import add, multiply, real_divide, square, subtract
from .compare import not_equal
from .create import cast, ones, shape_of, stop_gradient, zeros_like
from .division import divide_no_nan, squared_difference
from .exponential import rsqrt, sqrt
from .linalg import matmul
from .reduce import reduce_mean, reduce_sum
from .shape import reshape, squeeze, transpose


def reduce_variance(input_tensor, axis=None, keepdims=False, name=None):
    """Variance over the axes in `axis`: mean squared distance from the mean.

    Args:
        input_tensor: Floating or complex tensor.
        axis: Axis or axes, 0-based. Default all.
        keepdims: Whether reduced axes stay, with size 1.
        name: Accepted for TensorFlow's sake.

    Returns:
        Real tensor.

    Raises:
        TypeError: If the input holds whole numbers.

    >>> reduce_variance([1.0, 3.0]).numpy()
    np.float32(1.0)
    """
    x = convert(input_tensor)
    if x.dtype.is_integer:
        raise TypeError(
            f"Input must be either real or complex. Received integer type {x.dtype}: use tf.cast."
        )
    distance = squared_difference(x, reduce_mean(x, axis=axis, keepdims=True))
    if x.dtype.is_complex:
        from .complexes import real

        distance = real(distance)
    return reduce_mean(distance, axis=axis, keepdims=keepdims)


def reduce_std(input_tensor, axis=None, keepdims=False, name=None):
    """Standard deviation over the axes in `axis`.

    Args:
        input_tensor: Floating or complex tensor.
        axis: Axis or axes, 0-based. Default all.
        keepdims: Whether reduced axes stay, with size 1.
        name: Accepted for TensorFlow's sake.

    Returns:
        Real tensor. The gradient where it is 0 is nan.

    Raises:
        TypeError: If the input holds whole numbers.

    >>> reduce_std([1.0, 3.0]).numpy()
    np.float32(1.0)
    """
    return sqrt(reduce_variance(input_tensor, axis=axis, keepdims=keepdims))


def reduce_euclidean_norm(input_tensor, axis=None, keepdims=False, name=None):
    """Root of the sum of squares over the axes in `axis`.

    Args:
        input_tensor: Tensor of numbers.
        axis: Axis or axes, 0-based. Default all.
        keepdims: Whether reduced axes stay, with size 1.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the dtype of `input_tensor`; whole numbers are rounded down.

    >>> reduce_euclidean_norm([3.0, 4.0]).numpy()
    np.float32(5.0)
    """
    x = convert(input_tensor)
    if x.dtype.is_integer:
        return cast(reduce_euclidean_norm(cast(x, dtypes.float64), axis, keepdims), x.dtype)
    squares = square(x)
    if x.dtype.is_complex:
        from .arithmetic import conj

        squares = multiply(x, conj(x))
    return sqrt(reduce_sum(squares, axis=axis, keepdims=keepdims))


def count_nonzero(
    input=None, axis=None, keepdims=None, dtype=dtypes.int64, name=None, input_tensor=None, keep_dims=None,
    reduction_indices=None,
):  # fmt: skip
    """How many elements over the axes in `axis` are not 0 (for strings: not empty).

    Args:
        input: Tensor of numbers, bools or strings.
        axis: Axis or axes, 0-based. Default all.
        keepdims: Whether reduced axes stay, with size 1.
        dtype: Type of the result. Default int64.
        name: Accepted for TensorFlow's sake.
        input_tensor: TensorFlow 1's name of `input`.
        keep_dims: TensorFlow 1's name of `keepdims`.
        reduction_indices: TensorFlow 1's name of `axis`.

    Returns:
        Integer tensor.

    >>> count_nonzero([0, 1, 2]).numpy()
    np.int64(2)
    """
    x = convert(input if input_tensor is None else input_tensor)
    axis = reduction_indices if axis is None else axis
    keep = bool(keep_dims if keepdims is None else keepdims)
    hits = cast(not_equal(x, zeros_like(x)), dtypes.int64)
    return cast(reduce_sum(hits, axis=axis, keepdims=keep), dtype)


def zero_fraction(value, name=None):
    """Share of the elements that are 0.

    Args:
        value: Tensor of numbers.
        name: Accepted for TensorFlow's sake.

    Returns:
        Scalar float32 tensor; nan for an empty tensor.

    >>> zero_fraction([0.0, 1.0]).numpy()
    np.float32(0.5)
    """
    from .compare import equal

    value = convert(value)
    return reduce_mean(cast(equal(value, zeros_like(value)), dtypes.float32))


def _axes(axes, rank):
    axes = coerce.as_axis(axes, "moments", "axes")
    if axes is None:
        return list(range(rank))
    return [a % rank for a in ((axes,) if isinstance(axes, int) else axes)]


def moments(x, axes, shift=None, keepdims=False, name=None, keep_dims=None):
    """Mean and variance over axes.

    Args:
        x: Floating tensor.
        axes: Axis or axes, 0-based.
        shift: Accepted for TensorFlow's sake.
        keepdims: Whether reduced axes stay, with size 1.
        name: Accepted for TensorFlow's sake.
        keep_dims: TensorFlow 1's name of `keepdims`.

    Returns:
        Tuple (mean, variance); float16 is summed as float32.

    >>> [float(m) for m in moments([1.0, 3.0], [0])]
    [2.0, 1.0]
    """
    x = convert(x)
    keep = bool(keepdims if keep_dims is None else keep_dims)
    y = cast(x, dtypes.float32) if x.dtype == dtypes.float16 else x
    mean = reduce_mean(y, axis=axes, keepdims=True)
    variance = reduce_mean(squared_difference(y, stop_gradient(mean)), axis=axes, keepdims=True)
    if not keep:
        gone = _axes(axes, x.shape.rank)
        if gone:
            mean, variance = squeeze(mean, axis=gone), squeeze(variance, axis=gone)
    return (cast(mean, x.dtype), cast(variance, x.dtype)) if y is not x else (mean, variance)


def weighted_moments(x, axes, frequency_weights, keepdims=False, name=None, keep_dims=None):
    """Mean and variance over axes, each element counted as often as its weight says.

    Args:
        x: Floating tensor.
        axes: Axis or axes, 0-based.
        frequency_weights: Tensor of weights that broadcasts to the shape of `x`.
        keepdims: Whether reduced axes stay, with size 1.
        name: Accepted for TensorFlow's sake.
        keep_dims: TensorFlow 1's name of `keepdims`.

    Returns:
        Tuple (mean, variance).

    >>> [float(m) for m in weighted_moments([1.0, 4.0], [0], [2.0, 1.0])]
    [2.0, 2.0]
    """
    x = convert(x)
    keep = bool(keepdims if keep_dims is None else keep_dims)
    weights = cast(convert(frequency_weights), x.dtype)
    total = reduce_sum(multiply(weights, x), axis=axes, keepdims=True)
    full = add(weights, zeros_like(x))
    amount = reduce_sum(full, axis=axes, keepdims=True)
    mean = divide_no_nan(total, amount)
    distance = reduce_sum(multiply(weights, squared_difference(x, mean)), axis=axes, keepdims=True)
    variance = divide_no_nan(distance, amount)
    if keep:
        return mean, variance
    gone = _axes(axes, x.shape.rank)
    return squeeze(mean, axis=gone), squeeze(variance, axis=gone)


def sufficient_statistics(x, axes, shift=None, keepdims=None, name=None, keep_dims=None):
    """Number of elements, their sum and the sum of their squares over axes.

    Args:
        x: Floating tensor.
        axes: Axis or axes, 0-based.
        shift: Number that is taken from each element first, or None.
        keepdims: Whether reduced axes stay, with size 1.
        name: Accepted for TensorFlow's sake.
        keep_dims: TensorFlow 1's name of `keepdims`.

    Returns:
        Tuple (count, sum, sum of squares, shift).

    >>> [float(v) for v in sufficient_statistics([1.0, 3.0], [0])[:3]]
    [2.0, 4.0, 10.0]
    """
    x = convert(x)
    keep = bool(keep_dims if keepdims is None else keepdims)
    count = 1
    for a in _axes(axes, x.shape.rank):
        count = count * shape_of(x)[a]
    amount = cast(convert(count), x.dtype)
    moved, squares = (
        (x, square(x)) if shift is None else (subtract(x, shift), squared_difference(x, shift))
    )
    shift = (
        None
        if shift is None
        else convert(shift, x.dtype)
        if not isinstance(shift, Tensor)
        else shift
    )
    return (
        amount,
        reduce_sum(moved, axis=axes, keepdims=keep),
        reduce_sum(squares, axis=axes, keepdims=keep),
        shift,
    )


def normalize_moments(counts, mean_ss, variance_ss, shift, name=None):
    """Mean and variance from what `sufficient_statistics` gave.

    Args:
        counts: Number of elements.
        mean_ss: Sum.
        variance_ss: Sum of squares.
        shift: Number that was taken from each element, or None.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tuple (mean, variance).

    >>> [float(v) for v in normalize_moments(2.0, 4.0, 10.0, None)]
    [2.0, 1.0]
    """
    divisor = real_divide(1.0, convert(counts))
    moved = multiply(mean_ss, divisor)
    mean = moved if shift is None else add(moved, shift)
    return mean, subtract(multiply(variance_ss, divisor), square(moved))


def batch_normalization(x, mean, variance, offset, scale, variance_epsilon, name=None):
    """`(x - mean) / sqrt(variance + variance_epsilon) * scale + offset`.

    Args:
        x: Floating tensor.
        mean: Tensor that broadcasts.
        variance: Tensor that broadcasts.
        offset: Tensor that broadcasts, or None for 0.
        scale: Tensor that broadcasts, or None for 1.
        variance_epsilon: Small number added to the variance.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> batch_normalization([3.0], 1.0, 4.0, None, None, 0.0).numpy()
    array([1.], dtype=float32)
    """
    x = convert(x)
    factor = rsqrt(add(variance, variance_epsilon))
    if scale is not None:
        factor = multiply(factor, scale)
    rest = multiply(mean, factor)
    rest = subtract(0.0, rest) if offset is None else subtract(offset, rest)
    return add(multiply(x, cast(factor, x.dtype)), cast(rest, x.dtype))


def batch_norm_with_global_normalization(
    input=None, mean=None, variance=None, beta=None, gamma=None, variance_epsilon=None,
    scale_after_normalization=None, name=None, t=None, m=None, v=None,
):  # fmt: skip
    """Batch normalization under its oldest name.

    Args:
        input: Floating tensor [batch, height, width, channels].
        mean: Tensor [channels].
        variance: Tensor [channels].
        beta: Tensor [channels] that is added.
        gamma: Tensor [channels] by which is multiplied.
        variance_epsilon: Small number added to the variance.
        scale_after_normalization: Whether `gamma` is used.
        name: Accepted for TensorFlow's sake.
        t: TensorFlow 1's name of `input`.
        m: TensorFlow 1's name of `mean`.
        v: TensorFlow 1's name of `variance`.

    Returns:
        Tensor of the shape of `input`.

    >>> batch_norm_with_global_normalization([[[[3.0]]]], [1.0], [4.0], [0.0], [2.0], 0.0, True).numpy().item()
    2.0
    """
    x = input if t is None else t
    return batch_normalization(
        x, mean if m is None else m, variance if v is None else v, beta,
        gamma if scale_after_normalization else None, variance_epsilon,
    )  # fmt: skip


def fused_batch_norm(
    x, scale, offset, mean=None, variance=None, epsilon=0.001, data_format="NHWC", is_training=True, name=None,
    exponential_avg_factor=1.0,
):  # fmt: skip
    """Batch normalization of images, with the statistics it used (TensorFlow 1).

    Args:
        x: Floating tensor of rank 4.
        scale: Tensor [channels].
        offset: Tensor [channels].
        mean: Tensor [channels]: the statistics for inference, or what is averaged with in training.
        variance: Tensor [channels].
        epsilon: Small number added to the variance.
        data_format: "NHWC" (default) or "NCHW".
        is_training: Whether the batch's own statistics are taken.
        name: Accepted for TensorFlow's sake.
        exponential_avg_factor: Weight of the batch's statistics in those that are given back.

    Returns:
        Tuple (normalized tensor, mean, variance); in training the variance is the unbiased one.

    >>> fused_batch_norm([[[[1.0]], [[3.0]]]], [1.0], [0.0])[1].numpy()
    array([2.], dtype=float32)
    """
    x = convert(x)
    if data_format == "NCHW":
        y, m, v = fused_batch_norm(
            transpose(x, (0, 2, 3, 1)), scale, offset, mean, variance, epsilon, "NHWC", is_training,
            exponential_avg_factor=exponential_avg_factor,
        )  # fmt: skip
        return transpose(y, (0, 3, 1, 2)), m, v
    if not is_training:
        return (
            batch_normalization(x, mean, variance, offset, scale, epsilon),
            convert(mean),
            convert(variance),
        )
    axes = list(range(x.shape.rank - 1))
    own_mean = reduce_mean(x, axis=axes)
    own_variance = reduce_mean(squared_difference(x, own_mean), axis=axes)
    made = batch_normalization(x, own_mean, own_variance, offset, scale, epsilon)
    count = 1
    for d in shape_of(x)[:-1]:
        count = count * d
    unbiased = multiply(own_variance, count / max(count - 1, 1))
    if exponential_avg_factor != 1.0 and mean is not None:
        f = float(exponential_avg_factor)
        own_mean = add(multiply(own_mean, f), multiply(mean, 1 - f))
        unbiased = add(multiply(unbiased, f), multiply(variance, 1 - f))
    return made, own_mean, unbiased


def l2_normalize(x, axis=None, epsilon=1e-12, name=None, dim=None):
    """A tensor over its Euclidean norm along axes.

    Args:
        x: Floating or complex tensor.
        axis: Axis or axes; default all.
        epsilon: Lower bound of the sum of squares.
        name: Accepted for TensorFlow's sake.
        dim: TensorFlow 1's name of `axis`.

    Returns:
        Tensor of the shape and dtype of `x`. At 0 the gradient is 1 / sqrt(epsilon).

    >>> l2_normalize([3.0, 4.0]).numpy()
    array([0.6, 0.8], dtype=float32)
    """
    from .arithmetic import maximum
    from .complexes import complex_of, imag, real

    axis = dim if axis is None else axis
    x = convert(x)
    if x.dtype.is_complex:
        total = reduce_sum(add(square(real(x)), square(imag(x))), axis=axis, keepdims=True)
        factor = rsqrt(maximum(total, epsilon))
        return complex_of(multiply(real(x), factor), multiply(imag(x), factor))
    total = reduce_sum(square(x), axis=axis, keepdims=True)
    return multiply(x, rsqrt(maximum(total, epsilon)))


def local_response_normalization(input, depth_radius=5, bias=1, alpha=1, beta=0.5, name=None):
    """Each element over a power of the sum of squares of its neighbours in the channels.

    Args:
        input: Floating tensor [batch, height, width, channels].
        depth_radius: How many channels on either side count. Default 5.
        bias: Number added to the sum. Default 1.
        alpha: Factor of the sum. Default 1.
        beta: Power. Default 0.5.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape and dtype of `input`.

    >>> local_response_normalization([[[[3.0]]]], bias=7.0).numpy().item()
    0.75
    """
    from .arithmetic import pow_
    from .matrix import band_part

    x = convert(input)
    if x.shape.rank != 4:
        raise errors.shape_error("LRN", f"in must be 4-dimensional, got shape {x.shape}.")
    channels = x.shape[-1]
    radius = coerce.as_int(depth_radius, "lrn", "depth_radius")
    window = band_part(ones((channels, channels), x.dtype), radius, radius)
    total = matmul(reshape(square(x), (-1, channels)), window)
    scale = pow_(add(multiply(reshape(total, shape_of(x)), alpha), bias), -float(beta))
    return multiply(x, scale)


lrn = local_response_normalization


def bias_add(value, bias, data_format=None, name=None):
    """A vector added along the channels.

    Args:
        value: Tensor [..., channels].
        bias: Tensor [channels] of the same dtype.
        data_format: "N...C" (default, channels last) or "NC..." (channels second).
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape of `value`.

    Raises:
        ValueError: If the data format is unknown.
        InvalidArgumentError: If `bias` does not fit the channels.

    >>> bias_add([[1.0, 2.0]], [10.0, 20.0]).numpy()
    array([[11., 22.]], dtype=float32)
    """
    value = convert(value)
    bias = (
        bias
        if hasattr(bias, "_key") or hasattr(bias, "_read_array")
        else convert(bias, value.dtype)
    )
    first = data_format is not None and str(data_format).startswith("NC")
    if (
        data_format is not None
        and not first
        and not (str(data_format).startswith("N") and str(data_format).endswith("C"))
    ):
        raise ValueError(f"`data_format` must be `N...C` or `NC...`, got {data_format}")
    channels = value.shape[1 if first else -1] if value.shape.rank else None
    if bias.shape.rank != 1 or channels is not None and bias.shape[0] not in (None, channels):
        raise errors.shape_error(
            "BiasAdd",
            f"Must provide as many biases as channels: {bias.shape} vs. {value.shape}.",
        )
    if first and value.shape.rank > 2:
        bias = reshape(bias, (-1, *[1] * (value.shape.rank - 2)))
    return add(value, bias)


def xw_plus_b(x, weights, biases, name=None):
    """`x @ weights + biases`.

    Args:
        x: Tensor [batch, in].
        weights: Tensor [in, out].
        biases: Tensor [out].
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [batch, out].

    >>> xw_plus_b([[1.0]], [[2.0]], [3.0]).numpy()
    array([[5.]], dtype=float32)
    """
    return bias_add(matmul(x, weights), biases)


def relu_layer(x, weights, biases, name=None):
    """`relu(x @ weights + biases)`.

    Args:
        x: Tensor [batch, in].
        weights: Tensor [in, out].
        biases: Tensor [out].
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [batch, out].

    >>> relu_layer([[1.0]], [[2.0]], [-3.0]).numpy()
    array([[0.]], dtype=float32)
    """
    from .nn import relu

    return relu(xw_plus_b(x, weights, biases))
