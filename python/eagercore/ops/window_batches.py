"""Windows spread out by moving space into the batch."""

from __future__ import annotations

import numpy as np

from ..core import coerce
from ..core.tensor import convert
from .space import batch_to_space_nd, required_space_to_batch_paddings, space_to_batch_nd


def with_space_to_batch(
    input, dilation_rate, padding, op, filter_shape=None, spatial_dims=None, data_format=None
):
    """An operation on windows, spread out by a dilation rate.

    Args:
        input: Tensor [batch, *space, channels].
        dilation_rate: Distance of the elements of a window along each axis of space.
        padding: "VALID" or "SAME".
        op: Function (input, num_spatial_dims, padding) that works on windows of neighbours.
        filter_shape: Shape of the window, which "SAME" needs.
        spatial_dims: Axes of space; default 1, 2 ...
        data_format: "N...C" (default) or "NC...".

    Returns:
        Tensor.

    Raises:
        ValueError: If the rate is not positive, or the padding is unknown.

    >>> with_space_to_batch([[[1.0], [2.0]]], [2], "VALID", lambda x, n, p: x).numpy().tolist()
    [[[1.0], [2.0]]]
    """
    rates = np.asarray(coerce.as_ints(dilation_rate, "with_space_to_batch", "dilation_rate"))
    if (rates < 1).any():
        raise ValueError(
            f"dilation_rate must be positive. Received: dilation_rate={rates.tolist()}"
        )
    input = convert(input)
    count = len(rates)
    if (rates == 1).all():
        return (
            op(input, num_spatial_dims=count, padding=padding)
            if _named(op)
            else op(input, count, padding)
        )
    first = 2 if data_format is not None and str(data_format).startswith("NC") else 1
    axes = (
        [first + i for i in range(count)]
        if spatial_dims is None
        else sorted(int(d) for d in spatial_dims)
    )
    if first == 2:
        raise ValueError("with_space_to_batch works on channels last: transpose the input first.")
    if padding == "SAME":
        sizes = np.asarray(coerce.as_ints(filter_shape, "with_space_to_batch", "filter_shape"))[
            :count
        ]
        extra = (sizes - 1) * rates
        base = np.stack([extra // 2, extra - extra // 2], axis=1)
    elif padding == "VALID":
        base = np.zeros((count, 2), np.int64)
    else:
        raise ValueError(f"Argument padding must be 'SAME' or 'VALID'. Received: {padding}")
    space = [input.shape[a] for a in axes]
    paddings, crops = required_space_to_batch_paddings(space, rates, base)
    moved = space_to_batch_nd(input, rates, paddings)
    made = (
        op(moved, num_spatial_dims=count, padding="VALID")
        if _named(op)
        else op(moved, count, "VALID")
    )
    return batch_to_space_nd(made, rates, crops)


def _named(op):
    import inspect

    try:
        return "num_spatial_dims" in inspect.signature(op).parameters
    except (TypeError, ValueError):
        return False
