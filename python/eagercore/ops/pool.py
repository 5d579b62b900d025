"""TensorFlow's functions of pooling, made of the primitives in `pooling.py`.

Each accepts the argument names of TensorFlow 1 as well (`value`, `pooling_type` ...).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..base import errors
from ..core.tensor import convert
from . import pooling as primitives
from .window_arguments import (
    aliased,
    channels_first,
    from_channels_last,
    padding_pairs,
    per_dimension,
    spatial_rank,
    to_channels_last,
)


def max_pool(
    input: Any = None,
    ksize: Any = None,
    strides: Any = None,
    padding: Any = None,
    data_format: str | None = None,
    name: str | None = None,
    *,
    value: Any = None,
) -> Any:
    """Largest element of each window, over 1, 2 or 3 spatial dimensions.

    Args:
        input: Tensor [batch, *spatial, channels].
        ksize: Size of the window: an int, or a list with one for each spatial dimension (or with
            1 for batch and channels around them).
        strides: Step of the window, as `ksize`.
        padding: "VALID", "SAME" or a list of [before, after]; padding is never the largest.
        data_format: "NWC", "NHWC", "NDHWC" (default) or "NCW", "NCHW", "NCDHW".
        name: Ignored.
        value: TensorFlow 1's name of `input`.

    Returns:
        Tensor [batch, *output, channels] in the same data format.

    Raises:
        InvalidArgumentError: The rank does not fit, or an argument has no meaning.

    >>> import eagercore as tf
    >>> max_pool(tf.reshape(tf.range(4.), [1, 2, 2, 1]), 2, 2, "VALID").numpy().item()
    3.0
    """
    input = aliased("max_pool", "input", input, value=value)
    return _pool(
        "max_pool", (1, 2, 3), primitives.max_pool, input, ksize, strides, padding, data_format
    )


def max_pool1d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NWC",
    name: str | None = None,
) -> Any:
    """Largest element of each window, over one spatial dimension.

    Args:
        input: Tensor [batch, width, channels].
        ksize: Size of the window.
        strides: Step of the window.
        padding: "VALID", "SAME" or a list of [before, after].
        data_format: "NWC" or "NCW".
        name: Ignored.

    Returns:
        Tensor [batch, output, channels] in the same data format.

    >>> import eagercore as tf
    >>> max_pool1d(tf.ones([1, 4, 1]), 2, 2, "VALID").shape
    TensorShape([1, 2, 1])
    """
    return _pool(
        "max_pool1d", (1,), primitives.max_pool, input, ksize, strides, padding, data_format
    )


def max_pool2d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NHWC",
    name: str | None = None,
) -> Any:
    """Largest element of each window, over two spatial dimensions.

    Args:
        input: Tensor [batch, height, width, channels].
        ksize: Size of the window: an int or a list of 1, 2 or 4.
        strides: Step of the window, as `ksize`.
        padding: "VALID", "SAME" or a list of [before, after].
        data_format: "NHWC" or "NCHW".
        name: Ignored.

    Returns:
        Tensor [batch, height, width, channels] in the same data format.

    >>> import eagercore as tf
    >>> max_pool2d(tf.ones([1, 4, 4, 1]), 2, 2, "VALID").shape
    TensorShape([1, 2, 2, 1])
    """
    return _pool(
        "max_pool2d", (2,), primitives.max_pool, input, ksize, strides, padding, data_format
    )


def max_pool3d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NDHWC",
    name: str | None = None,
) -> Any:
    """Largest element of each window, over three spatial dimensions.

    Args:
        input: Tensor [batch, depth, height, width, channels].
        ksize: Size of the window: an int or a list of 1, 3 or 5.
        strides: Step of the window, as `ksize`.
        padding: "VALID", "SAME" or a list of [before, after].
        data_format: "NDHWC" or "NCDHW".
        name: Ignored.

    Returns:
        Tensor [batch, depth, height, width, channels] in the same data format.

    >>> import eagercore as tf
    >>> max_pool3d(tf.ones([1, 2, 2, 2, 1]), 2, 2, "VALID").shape
    TensorShape([1, 1, 1, 1, 1])
    """
    return _pool(
        "max_pool3d", (3,), primitives.max_pool, input, ksize, strides, padding, data_format
    )


def avg_pool(
    input: Any = None,
    ksize: Any = None,
    strides: Any = None,
    padding: Any = None,
    data_format: str | None = None,
    name: str | None = None,
    *,
    value: Any = None,
) -> Any:
    """Average of each window, over 1, 2 or 3 spatial dimensions; padding is not counted.

    Args:
        input: Tensor [batch, *spatial, channels].
        ksize: Size of the window: an int, or a list with one for each spatial dimension (or with
            1 for batch and channels around them).
        strides: Step of the window, as `ksize`.
        padding: "VALID", "SAME" or a list of [before, after].
        data_format: "NWC", "NHWC", "NDHWC" (default) or "NCW", "NCHW", "NCDHW".
        name: Ignored.
        value: TensorFlow 1's name of `input`.

    Returns:
        Tensor [batch, *output, channels] in the same data format.

    Raises:
        InvalidArgumentError: The rank does not fit, or an argument has no meaning.

    >>> import eagercore as tf
    >>> avg_pool(tf.reshape(tf.range(4.), [1, 2, 2, 1]), 2, 2, "VALID").numpy().item()
    1.5
    """
    input = aliased("avg_pool", "input", input, value=value)
    return _pool(
        "avg_pool", (1, 2, 3), primitives.avg_pool, input, ksize, strides, padding, data_format
    )


def avg_pool1d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NWC",
    name: str | None = None,
) -> Any:
    """Average of each window, over one spatial dimension; padding is not counted.

    Args:
        input: Tensor [batch, width, channels].
        ksize: Size of the window.
        strides: Step of the window.
        padding: "VALID", "SAME" or a list of [before, after].
        data_format: "NWC" or "NCW".
        name: Ignored.

    Returns:
        Tensor [batch, output, channels] in the same data format.

    >>> import eagercore as tf
    >>> avg_pool1d(tf.ones([1, 4, 1]), 2, 2, "VALID").shape
    TensorShape([1, 2, 1])
    """
    return _pool(
        "avg_pool1d", (1,), primitives.avg_pool, input, ksize, strides, padding, data_format
    )


def avg_pool2d(
    input: Any = None,
    ksize: Any = None,
    strides: Any = None,
    padding: Any = None,
    data_format: str | None = "NHWC",
    name: str | None = None,
    *,
    value: Any = None,
) -> Any:
    """Average of each window, over two spatial dimensions; padding is not counted.

    Args:
        input: Tensor [batch, height, width, channels].
        ksize: Size of the window: an int or a list of 1, 2 or 4.
        strides: Step of the window, as `ksize`.
        padding: "VALID", "SAME" or a list of [before, after].
        data_format: "NHWC" or "NCHW".
        name: Ignored.
        value: TensorFlow 1's name of `input`.

    Returns:
        Tensor [batch, height, width, channels] in the same data format.

    >>> import eagercore as tf
    >>> avg_pool2d(tf.ones([1, 4, 4, 1]), 2, 2, "VALID").shape
    TensorShape([1, 2, 2, 1])
    """
    input = aliased("avg_pool2d", "input", input, value=value)
    return _pool(
        "avg_pool2d", (2,), primitives.avg_pool, input, ksize, strides, padding, data_format
    )


def avg_pool3d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NDHWC",
    name: str | None = None,
) -> Any:
    """Average of each window, over three spatial dimensions; padding is not counted.

    Args:
        input: Tensor [batch, depth, height, width, channels].
        ksize: Size of the window: an int or a list of 1, 3 or 5.
        strides: Step of the window, as `ksize`.
        padding: "VALID", "SAME" or a list of [before, after].
        data_format: "NDHWC" or "NCDHW".
        name: Ignored.

    Returns:
        Tensor [batch, depth, height, width, channels] in the same data format.

    >>> import eagercore as tf
    >>> avg_pool3d(tf.ones([1, 2, 2, 2, 1]), 2, 2, "VALID").shape
    TensorShape([1, 1, 1, 1, 1])
    """
    return _pool(
        "avg_pool3d", (3,), primitives.avg_pool, input, ksize, strides, padding, data_format
    )


def max_pool_with_argmax(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NHWC",
    output_dtype: Any = "int64",
    include_batch_in_index: bool = False,
    name: str | None = None,
    *,
    Targmax: Any = None,
) -> Any:
    """Largest element of each window, and where in the input it lies.

    Args:
        input: Tensor [batch, height, width, channels].
        ksize: Size of the window: an int or a list of 1, 2 or 4.
        strides: Step of the window, as `ksize`.
        padding: "VALID", "SAME" or a list of [before, after].
        data_format: "NHWC".
        output_dtype: int32 or int64.
        include_batch_in_index: Whether positions count through the whole batch.
        name: Ignored.
        Targmax: TensorFlow 1's name of `output_dtype`.

    Returns:
        A pair: the largest elements (differentiable), and their positions in the flattened input.

    Raises:
        InvalidArgumentError: The rank does not fit, or an argument has no meaning.

    >>> import eagercore as tf
    >>> y, where = max_pool_with_argmax(tf.reshape(tf.range(4.), [1, 2, 2, 1]), 2, 2, "VALID")
    >>> where.numpy().item()
    3
    """
    from .create import cast, range_
    from .shape import reshape

    op = "max_pool_with_argmax"
    if data_format not in (None, "NHWC", "channels_last"):
        raise errors.value_error(op, f"{op} takes data_format 'NHWC' only, got {data_format!r}.")
    x = convert(input)
    geometry = _geometry(op, x, ksize, strides, padding, spatial_rank(op, x, (2,)), False)
    y = primitives.max_pool(x, **geometry)
    _, where = primitives.max_pool_argmax(x, **geometry)
    where = cast(where, output_dtype if Targmax is None else Targmax)
    if include_batch_in_index:
        _, height, width, channels = x.shape.as_list()
        batch = range_(x.shape[0], dtype=where.dtype)
        where = where + reshape(batch, (-1, 1, 1, 1)) * (height * width * channels)
    return y, where


def pool(
    input: Any,
    window_shape: Any,
    pooling_type: str,
    strides: Any = None,
    padding: Any = "VALID",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
    *,
    dilation_rate: Any = None,
) -> Any:
    """Pooling of either kind, over 1, 2 or 3 spatial dimensions.

    Args:
        input: Tensor [batch, *spatial, channels].
        window_shape: Size of the window.
        pooling_type: "MAX" or "AVG".
        strides: Step of the window, ones by default.
        padding: "VALID", "SAME" or a list of [before, after].
        data_format: "NWC", "NHWC", "NDHWC" (default) or "NCW", "NCHW", "NCDHW".
        dilations: Must be ones.
        name: Ignored.
        dilation_rate: TensorFlow 1's name of `dilations`.

    Returns:
        Tensor [batch, *output, channels] in the same data format.

    Raises:
        InvalidArgumentError: An argument has no meaning.

    >>> import eagercore as tf
    >>> pool(tf.ones([1, 4, 1]), [2], "AVG", [2]).shape
    TensorShape([1, 2, 1])
    """
    if not isinstance(strides, int) and strides is not None and isinstance(strides, str):
        # TensorFlow 1 has the padding before the strides.
        strides, padding = (None if padding == "VALID" else padding), strides
    kinds = {"MAX": primitives.max_pool, "AVG": primitives.avg_pool}
    primitive = kinds.get(str(pooling_type).upper())
    if primitive is None:
        raise errors.value_error(
            "pool", f"pool: `pooling_type` must be 'MAX' or 'AVG', got {pooling_type!r}."
        )
    dilations = dilations if dilation_rate is None else dilation_rate
    x = convert(input)
    rank = spatial_rank("pool", x, (1, 2, 3))
    first = channels_first("pool", data_format, rank)
    if per_dimension("pool", "dilations", dilations, rank, first) != (1,) * rank:
        raise errors.value_error(
            "pool",
            f"pool: `dilations` other than 1 are not supported, got {dilations!r}. Take every n-th "
            "element with strided slices before pooling.",
        )
    strides = 1 if strides is None else strides
    return _pool("pool", (1, 2, 3), primitive, x, window_shape, strides, padding, data_format)


# ------------------------------------------------------------------------------------------------


def _geometry(
    op: str, x: Any, ksize: Any, strides: Any, padding: Any, rank: int, first: bool
) -> dict[str, Any]:
    """The attributes of the primitives from what TensorFlow's functions are given."""
    for name, value in (("ksize", ksize), ("strides", strides), ("padding", padding)):
        if value is None:
            raise TypeError(f"{op}() argument '{name}' is missing.")
    window = per_dimension(op, "ksize", ksize, rank, first)
    strides = per_dimension(op, "strides", strides, rank, first)
    ones = (1,) * rank
    pairs = padding_pairs(op, padding, x.shape[1:-1], window, strides, ones, first)
    return {"window": window, "strides": strides, "padding": pairs}


def _pool(
    op: str,
    ranks: Sequence[int],
    primitive: Any,
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None,
) -> Any:
    x = convert(input)
    rank = spatial_rank(op, x, ranks)
    first = channels_first(op, data_format, rank)
    x = to_channels_last(x, first)
    geometry = _geometry(op, x, ksize, strides, padding, rank, first)
    return from_channels_last(primitive(x, **geometry), first)
