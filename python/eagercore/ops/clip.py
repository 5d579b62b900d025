"""Holding values and gradients within bounds."""

from __future__ import annotations

import numpy as np

from ..core.slices import IndexedSlices
from ..core.tensor import convert
from .arithmetic import maximum, minimum, multiply, real_divide, square
from .compare import greater, less
from .create import cast, constant
from .exponential import sqrt
from .reduce import reduce_sum
from .rounding import clip_by_value
from .select import where
from .shape import stack


def on_rows(gradient, function):
    """`function` of a gradient: of the rows where it is `IndexedSlices`, and None of None."""
    if gradient is None:
        return None
    if isinstance(gradient, IndexedSlices):
        once = merged(gradient)
        return IndexedSlices(function(once.values), once.indices, once.dense_shape)
    return function(gradient)


def merged(slices):
    """`IndexedSlices` in which each index stands once: rows of one index are added up.

    Args:
        slices: `IndexedSlices`; those of a graph are given back as they are.
    """
    if getattr(slices.indices, "_is_symbolic", False):
        return slices
    indices = slices.indices._read_array().reshape(-1)
    unique, inverse = np.unique(indices, return_inverse=True)
    if len(unique) == len(indices):
        return slices
    from .index import gather_gradient

    values = gather_gradient(
        slices.values,
        constant(inverse.reshape(-1)),
        shape=(len(unique), *slices.values.shape[1:]),
        axis=0,
        batch_dims=0,
    )
    return IndexedSlices(values, constant(unique), slices.dense_shape)


def clip_by_norm(t, clip_norm, axes=None, name=None):
    """`t`, made shorter where its Euclidean norm is larger than `clip_norm`.

    Args:
        t: Floating tensor or `IndexedSlices`.
        clip_norm: Largest norm, a positive scalar.
        axes: Axes over which the norm is taken. Default all.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor (or `IndexedSlices`) of the dtype of `t`. None gives None.

    >>> clip_by_norm([3.0, 4.0], 1.0).numpy()
    array([0.6, 0.8], dtype=float32)
    """

    def clip(values):
        values = convert(values)
        total = reduce_sum(multiply(values, values), axis=axes, keepdims=True)
        positive = greater(total, 0)
        norm = where(positive, sqrt(where(positive, total, constant(1, total.dtype))), total)
        limit = cast(convert(clip_norm), values.dtype)
        return real_divide(multiply(values, limit), maximum(norm, limit))

    return on_rows(t, clip)


def clip_by_average_norm(t, clip_norm, name=None):
    """`t`, made shorter where its Euclidean norm divided by the number of elements is larger than `clip_norm`.

    Args:
        t: Floating tensor.
        clip_norm: Largest average norm.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the dtype of `t`.

    >>> clip_by_average_norm([3.0, 4.0], 1.0).numpy()
    array([1.2, 1.6], dtype=float32)
    """
    t = convert(t)
    limit = cast(convert(clip_norm), t.dtype)
    average = real_divide(sqrt(reduce_sum(square(t))), _count(t))
    return multiply(multiply(t, limit), minimum(real_divide(1.0, average), real_divide(1.0, limit)))


def _count(t):
    from .shape import size

    return cast(size(t), t.dtype)


def global_norm(t_list, name=None):
    """Euclidean norm of a list of tensors taken as one vector.

    Args:
        t_list: Floating tensors, `IndexedSlices` (whose repeated indices are added up first) and None, which is
            left out.
        name: Accepted for TensorFlow's sake.

    Returns:
        Scalar; 0 where the list holds no tensor.

    Raises:
        TypeError: If `t_list` is no list.

    >>> global_norm([[3.0], [4.0], None]).numpy()
    np.float32(5.0)
    """
    if not isinstance(t_list, list | tuple):
        raise TypeError(f"`t_list` should be a sequence of tensors. Received {type(t_list)}.")
    sums = []
    for one in t_list:
        if one is not None:
            values = merged(one).values if isinstance(one, IndexedSlices) else convert(one)
            sums.append(reduce_sum(square(values)))
    if not sums:
        return convert(0.0)
    return sqrt(reduce_sum(stack(sums)))


def clip_by_global_norm(t_list, clip_norm, use_norm=None, name=None):
    """Tensors made shorter, all by one factor, where their common norm is larger than `clip_norm`.

    Args:
        t_list: Floating tensors, `IndexedSlices` and None, which stays None.
        clip_norm: Largest norm.
        use_norm: The global norm, if it is known already.
        name: Accepted for TensorFlow's sake.

    Returns:
        (list of clipped tensors, global norm). A norm that is not finite makes all tensors nan. The norm of
        `IndexedSlices` with repeated indices is that of the dense tensor.

    >>> clipped, norm = clip_by_global_norm([[3.0], None, [4.0]], 1.0)
    >>> norm.numpy(), clipped[0].numpy(), clipped[1]
    (np.float32(5.0), array([0.6], dtype=float32), None)
    """
    if not isinstance(t_list, list | tuple):
        raise TypeError(f"`t_list` should be a sequence of tensors. Received {type(t_list)}.")
    norm = global_norm(t_list) if use_norm is None else convert(use_norm)
    if norm is None:
        return list(t_list), None
    limit = cast(convert(clip_norm), norm.dtype)
    scale = multiply(limit, minimum(real_divide(1.0, norm), real_divide(1.0, limit)))
    # An infinite norm would make the scale 0 and hide it: what is not finite becomes nan.
    scale = where(less(norm - norm, 1.0), scale, constant(np.nan, norm.dtype))
    return [
        on_rows(one, lambda values: multiply(convert(values), cast(scale, convert(values).dtype)))
        for one in t_list
    ], norm


__all__ = [
    "clip_by_average_norm",
    "clip_by_global_norm",
    "clip_by_norm",
    "clip_by_value",
    "global_norm",
    "merged",
    "on_rows",
]
