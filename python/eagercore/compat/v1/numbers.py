"""Casts and older spellings of functions."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...core.tensor import convert
from ...ops.create import cast
from ...ops.reduce import argmax, argmin


def _to(dtype: Any) -> Any:
    def to(x: Any, name: str | None = None) -> Any:
        return cast(x, dtype)

    to.__name__ = to.__qualname__ = (
        f"to_{dtype.name.replace('float64', 'double').replace('float32', 'float')}"
    )
    to.__doc__ = f"""The elements of `x` as {dtype.name}.

    Args:
        x: Tensor or anything that converts to one.
        name: Accepted for TensorFlow's sake.
    """
    return to


to_float, to_double = _to(dtypes.float32), _to(dtypes.float64)
to_int32, to_int64 = _to(dtypes.int32), _to(dtypes.int64)
to_bfloat16, to_complex64, to_complex128 = (
    _to(dtypes.bfloat16),
    _to(dtypes.complex64),
    _to(dtypes.complex128),
)


def arg_max(
    input: Any, dimension: Any, output_type: Any = dtypes.int64, name: str | None = None
) -> Any:
    """Position of the largest element along an axis.

    Args:
        input: Tensor.
        dimension: Axis.
        output_type: int32 or int64.
        name: Accepted for TensorFlow's sake.

    >>> arg_max([1, 3, 2], 0).numpy()
    np.int64(1)
    """
    return argmax(input, axis=dimension, output_type=output_type)


def arg_min(
    input: Any, dimension: Any, output_type: Any = dtypes.int64, name: str | None = None
) -> Any:
    """Position of the smallest element along an axis.

    Args:
        input: Tensor.
        dimension: Axis.
        output_type: int32 or int64.
        name: Accepted for TensorFlow's sake.

    >>> arg_min([2, 3, 1], 0).numpy()
    np.int64(2)
    """
    return argmin(input, axis=dimension, output_type=output_type)


def Print(
    input_: Any, data: Any, message: str | None = None, first_n: int | None = None, summarize: int | None = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """The tensor itself; prints `message` and `data` on the way.

    Args:
        input_: Tensor.
        data: List of tensors to print.
        message: Printed first.
        first_n: Accepted for TensorFlow's sake.
        summarize: How many elements at each end of a dimension are shown.
        name: Accepted for TensorFlow's sake.

    >>> Print(1.0, [2, 3], "values: ").numpy()
    np.float32(1.0)
    """
    from ...ops.create import identity
    from ...ops.debug import print_

    shown = [message or ""]
    for one in data:
        shown += ["[", convert(one), "]"]
    print_(*shown, sep="", summarize=3 if summarize is None else summarize)
    return identity(input_)


def forward_compatible(year: int, month: int, day: int) -> bool:
    """Whether TensorFlow of that day may be assumed: always.

    Args:
        year: Year.
        month: Month.
        day: Day.
    """
    return True
