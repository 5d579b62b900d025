"""Element by element, and sums and the like along axes."""

from __future__ import annotations

from typing import Any

from ...core.tensor import convert
from ...ops.arithmetic import maximum, minimum, sign, square
from ...ops.arithmetic import pow_ as _pow
from ...ops.compare import equal, greater, greater_equal, less, less_equal, not_equal
from ...ops.complexes import abs as _abs
from ...ops.create import cast
from ...ops.cumulative import cumprod, cumsum
from ...ops.exponential import exp, log
from ...ops.exponential import sqrt as _sqrt
from ...ops.moments import l2_normalize as _l2_normalize
from ...ops.moments import reduce_std, reduce_variance
from ...ops.products import reduce_prod
from ...ops.reduce import (
    argmax as _argmax,
)
from ...ops.reduce import (
    argmin as _argmin,
)
from ...ops.reduce import (
    reduce_all,
    reduce_any,
    reduce_logsumexp,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_sum,
)
from ...ops.rounding import clip_by_value, round_
from ...ops.trigonometric import cos, sin
from ..settings import settings

abs = _abs
__all__ = [
    "abs", "all", "any", "argmax", "argmin", "clip", "cos", "cumprod", "cumsum", "equal", "exp", "greater",
    "greater_equal", "l2_normalize", "less", "less_equal", "log", "logsumexp", "max", "maximum", "mean", "min",
    "minimum", "not_equal", "pow", "prod", "round", "sign", "sin", "sqrt", "square", "std", "sum", "var",
]  # fmt: skip


def _numbers(x: Any) -> Any:
    """Truth values as floats: sums and means of them count."""
    x = convert(x)
    return cast(x, settings.floatx) if x.dtype.is_bool else x


def sum(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Sum along axes (all by default)."""
    return reduce_sum(x, axis=axis, keepdims=keepdims)


def mean(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Mean along axes (all by default); of truth values how many are true."""
    return reduce_mean(_numbers(x), axis=axis, keepdims=keepdims)


def prod(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Product along axes (all by default)."""
    return reduce_prod(x, axis=axis, keepdims=keepdims)


def max(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Largest value along axes (all by default)."""
    return reduce_max(x, axis=axis, keepdims=keepdims)


def min(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Smallest value along axes (all by default)."""
    return reduce_min(x, axis=axis, keepdims=keepdims)


def var(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Variance along axes (all by default)."""
    return reduce_variance(_numbers(x), axis=axis, keepdims=keepdims)


def std(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Standard deviation along axes (all by default)."""
    return reduce_std(_numbers(x), axis=axis, keepdims=keepdims)


def logsumexp(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """`log(sum(exp(x)))` along axes, without overflow."""
    return reduce_logsumexp(x, axis=axis, keepdims=keepdims)


def any(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Whether a value along axes is true."""
    return reduce_any(cast(convert(x), "bool"), axis=axis, keepdims=keepdims)


def all(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Whether all values along axes are true."""
    return reduce_all(cast(convert(x), "bool"), axis=axis, keepdims=keepdims)


def argmax(x: Any, axis: int = -1) -> Any:
    """Place of the largest value along an axis."""
    return _argmax(x, axis=axis)


def argmin(x: Any, axis: int = -1) -> Any:
    """Place of the smallest value along an axis."""
    return _argmin(x, axis=axis)


def sqrt(x: Any) -> Any:
    """Square root; 0 for what is negative.

    >>> sqrt([4.0, -1.0]).numpy()
    array([2., 0.], dtype=float32)
    """
    return _sqrt(maximum(convert(x), 0))


def pow(x: Any, a: Any) -> Any:
    """`x` to the power `a`."""
    return _pow(x, a)


def round(x: Any) -> Any:
    """The nearest whole number, of two the even one."""
    return round_(x)


def clip(x: Any, min_value: Any, max_value: Any) -> Any:
    """`x` within bounds; None leaves a side open.

    >>> clip([-2.0, 0.5, 3.0], 0.0, 1.0).numpy()
    array([0. , 0.5, 1. ], dtype=float32)
    """
    low = -float("inf") if min_value is None else min_value
    high = float("inf") if max_value is None else max_value
    if isinstance(low, int | float) and isinstance(high, int | float) and high < low:
        high = low
    return clip_by_value(x, low, high)


def l2_normalize(x: Any, axis: Any = None) -> Any:
    """`x` over its norm along an axis."""
    return _l2_normalize(x, axis=axis)
