"""Class numbers as rows, and rows of length 1."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...core.tensor import convert
from ...ops.arithmetic import square
from ...ops.create import cast
from ...ops.exponential import sqrt
from ...ops.index import one_hot
from ...ops.reduce import reduce_max, reduce_sum
from ...ops.select import where
from ...ops.shape import squeeze


def to_categorical(y: Any, num_classes: int | None = None, dtype: Any = "float32") -> Any:
    """Class numbers as rows with a 1 in the place of the class.

    Args:
        y: Class numbers from 0: array [...] (or [..., 1]).
        num_classes: Number of classes. Default the largest number plus 1.
        dtype: Type of the result. Default "float32".

    Returns:
        NumPy array [..., num_classes].

    Raises:
        ValueError: If a number is outside.

    >>> to_categorical([0, 2]).tolist()
    [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    numbers = cast(convert(y), dtypes.int64)
    if numbers.shape.rank and numbers.shape.rank > 1 and numbers.shape[-1] == 1:
        numbers = squeeze(numbers, axis=-1)
    largest = int(reduce_max(numbers)) if numbers.shape.num_elements() else -1
    count = largest + 1 if num_classes is None else int(num_classes)
    smallest = -int(reduce_max(-numbers)) if numbers.shape.num_elements() else 0
    if smallest < 0:
        raise ValueError(f"Class numbers count from 0, got {smallest}.")
    if largest >= count:
        raise ValueError(
            f"Class numbers must be in [0, {count}), got {largest}. Classes count from 0: subtract 1 from numbers that "
            "count from 1, or give a larger `num_classes`."
        )
    return one_hot(numbers, count, dtype=dtypes.as_dtype(dtype)).numpy()


def normalize(x: Any, axis: int = -1, order: int = 2) -> Any:
    """Rows divided by their norms.

    Args:
        x: Array.
        axis: Axis of the rows. Default last.
        order: Order of the norm. Default 2.

    Returns:
        NumPy array.

    >>> normalize([[3.0, 4.0]]).round(2).tolist()
    [[0.6000000238418579, 0.800000011920929]]
    """
    from ...ops.complexes import abs as absolute

    x = convert(x)
    x = x if x.dtype.is_floating else cast(x, dtypes.float64)
    if order == 2:
        norms = sqrt(reduce_sum(square(x), axis=axis, keepdims=True))
    else:
        norms = reduce_sum(absolute(x) ** float(order), axis=axis, keepdims=True) ** (1.0 / order)
    return (x / where(norms == 0, norms * 0 + 1, norms)).numpy()
