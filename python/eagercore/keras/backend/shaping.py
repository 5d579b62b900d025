"""Shapes: joining, cutting, turning, repeating, padding."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...core.tensor import convert
from ...core.variable import Variable
from ...ops import create
from ...ops.create import stop_gradient as _stop_gradient
from ...ops.index import gather as _gather
from ...ops.index import one_hot as _one_hot
from ...ops.rearrange import repeat as _repeat
from ...ops.rearrange import reverse as _reverse
from ...ops.resize import resize
from ...ops.shape import concat, pad, reshape, shape, transpose, unstack
from ...ops.shape import expand_dims as _expand_dims
from ...ops.shape import squeeze as _squeeze
from ...ops.shape import stack as _stack
from ...ops.shape import tile as _tile
from ..settings import checked_data_format, settings

__all__ = [
    "arange", "concatenate", "expand_dims", "eye", "gather", "identity", "one_hot", "ones", "ones_like",
    "permute_dimensions", "repeat", "repeat_elements", "reshape", "resize_images", "resize_volumes", "reverse", "shape",
    "spatial_2d_padding", "spatial_3d_padding", "squeeze", "stack", "stop_gradient", "temporal_padding", "tile",
    "transpose", "unstack", "zeros", "zeros_like",
]  # fmt: skip


def concatenate(tensors: Any, axis: int = -1) -> Any:
    """Tensors joined along an axis (the last by default)."""
    return concat(list(tensors), axis=axis)


def expand_dims(x: Any, axis: int = -1) -> Any:
    """`x` with an axis of extent 1 more (the last by default)."""
    return _expand_dims(x, axis=axis)


def squeeze(x: Any, axis: Any) -> Any:
    """`x` without an axis of extent 1."""
    return _squeeze(x, axis=axis)


def stack(x: Any, axis: int = 0) -> Any:
    """Tensors stacked along a new axis."""
    return _stack(list(x), axis=axis)


def permute_dimensions(x: Any, pattern: Any) -> Any:
    """`x` with its axes in another order."""
    return transpose(x, perm=pattern)


def tile(x: Any, n: Any) -> Any:
    """`x` repeated `n` times along each axis."""
    x = convert(x)
    n = [n] * x.shape.rank if isinstance(n, int) else n
    return _tile(x, n)


def repeat(x: Any, n: int) -> Any:
    """[batch, features] as [batch, n, features]."""
    x = convert(x)
    if x.shape.rank != 2:
        raise ValueError(f"K.repeat takes a tensor of rank 2, got shape {x.shape}.")
    return _tile(_expand_dims(x, axis=1), (1, int(n), 1))


def repeat_elements(x: Any, rep: int, axis: int) -> Any:
    """Each element along an axis `rep` times."""
    return _repeat(x, int(rep), axis=axis)


def reverse(x: Any, axes: Any) -> Any:
    """`x` with the order along axes turned around."""
    return _reverse(x, axis=axes)


def gather(reference: Any, indices: Any) -> Any:
    """The rows `indices`."""
    return _gather(reference, indices)


def one_hot(indices: Any, num_classes: int) -> Any:
    """Whole numbers as rows with a 1 in their place."""
    return _one_hot(indices, num_classes, axis=-1)


def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = "int32") -> Any:
    """Whole numbers from `start` up to `stop`."""
    if stop is None:
        start, stop = 0, max(start, 0)
    found = create.range_(start, stop, step)
    return found if found.dtype.name == dtype else create.cast(found, dtype)


def _variable(value: Any, name: Any) -> Any:
    return Variable(value, name=name)


def zeros(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A variable of zeros."""
    return _variable(create.zeros(shape, dtypes.as_dtype(dtype or settings.floatx)), name)


def ones(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A variable of ones."""
    return _variable(create.ones(shape, dtypes.as_dtype(dtype or settings.floatx)), name)


def eye(size: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A variable: the identity matrix."""
    rows, columns = size if isinstance(size, list | tuple) else (size, size)
    return _variable(
        create.eye(rows, columns, dtype=dtypes.as_dtype(dtype or settings.floatx)), name
    )


def zeros_like(x: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Zeros in the shape of `x`."""
    return create.zeros_like(x, dtype=dtype)


def ones_like(x: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Ones in the shape of `x`."""
    return create.ones_like(x, dtype=dtype)


def identity(x: Any, name: str | None = None) -> Any:
    """`x` itself, as a tensor of its own."""
    return create.identity(x)


def stop_gradient(variables: Any) -> Any:
    """The same values, through which no gradient flows; a list of tensors gives a list."""
    if isinstance(variables, list | tuple):
        return [_stop_gradient(v) for v in variables]
    return _stop_gradient(variables)


def temporal_padding(x: Any, padding: Any = (1, 1)) -> Any:
    """Zeros before and after the time steps of [batch, steps, features]."""
    return pad(x, [[0, 0], list(padding), [0, 0]])


def _around(x: Any, padding: Any, data_format: Any) -> Any:
    pairs = [list(p) for p in padding]
    if checked_data_format(data_format) == "channels_first":
        return pad(x, [[0, 0], [0, 0], *pairs])
    return pad(x, [[0, 0], *pairs, [0, 0]])


def spatial_2d_padding(
    x: Any, padding: Any = ((1, 1), (1, 1)), data_format: str | None = None
) -> Any:
    """Zeros around images."""
    return _around(x, padding, data_format)


def spatial_3d_padding(
    x: Any, padding: Any = ((1, 1), (1, 1), (1, 1)), data_format: str | None = None
) -> Any:
    """Zeros around volumes."""
    return _around(x, padding, data_format)


def resize_images(
    x: Any, height_factor: int, width_factor: int, data_format: str, interpolation: str = "nearest"
) -> Any:
    """Images enlarged by whole factors.

    Args:
        x: Tensor of images.
        height_factor: Factor of the height.
        width_factor: Factor of the width.
        data_format: "channels_last" or "channels_first".
        interpolation: "nearest" or "bilinear". Default "nearest".
    """
    first = checked_data_format(data_format) == "channels_first"
    x = transpose(x, (0, 2, 3, 1)) if first else convert(x)
    if interpolation == "nearest":
        made = _repeat(_repeat(x, int(height_factor), axis=1), int(width_factor), axis=2)
    elif interpolation == "bilinear":
        made = resize(
            x, [x.shape[1] * int(height_factor), x.shape[2] * int(width_factor)], method="bilinear"
        )
    else:
        raise ValueError(
            f"interpolation should be one of 'nearest' or 'bilinear'. Received: {interpolation!r}"
        )
    return transpose(made, (0, 3, 1, 2)) if first else made


def resize_volumes(
    x: Any, depth_factor: int, height_factor: int, width_factor: int, data_format: str
) -> Any:
    """Volumes enlarged by whole factors."""
    start = 2 if checked_data_format(data_format) == "channels_first" else 1
    for axis, factor in enumerate((depth_factor, height_factor, width_factor)):
        x = _repeat(x, int(factor), axis=start + axis)
    return x
