"""Losses between numbers."""

from __future__ import annotations

import math
from typing import Any

from ...core.tensor import convert
from ...ops.arithmetic import maximum, multiply, negative, square, subtract
from ...ops.complexes import abs as absolute
from ...ops.exponential import log, rsqrt, softplus
from ...ops.reduce import reduce_mean, reduce_sum
from ...ops.select import where
from ..settings import settings
from .reduction import aligned


def mean_squared_error(y_true: Any, y_pred: Any) -> Any:
    """Mean of the squared differences along the last axis.

    Args:
        y_true: Targets.
        y_pred: Predictions of the same shape.

    >>> mean_squared_error([[1.0, 2.0]], [[2.0, 4.0]]).numpy()
    array([2.5], dtype=float32)
    """
    y_true, y_pred = aligned(y_true, y_pred)
    return reduce_mean(square(subtract(y_pred, y_true)), axis=-1)


def mean_absolute_error(y_true: Any, y_pred: Any) -> Any:
    """Mean of the absolute differences along the last axis.

    Args:
        y_true: Targets.
        y_pred: Predictions of the same shape.

    >>> mean_absolute_error([[1.0, 2.0]], [[2.0, 4.0]]).numpy()
    array([1.5], dtype=float32)
    """
    y_true, y_pred = aligned(y_true, y_pred)
    return reduce_mean(absolute(subtract(y_pred, y_true)), axis=-1)


def mean_absolute_percentage_error(y_true: Any, y_pred: Any) -> Any:
    """Mean of the absolute differences in percent of the targets.

    Args:
        y_true: Targets.
        y_pred: Predictions of the same shape.

    >>> mean_absolute_percentage_error([[2.0]], [[1.0]]).numpy()
    array([50.], dtype=float32)
    """
    y_true, y_pred = aligned(y_true, y_pred)
    part = absolute(subtract(y_true, y_pred) / maximum(absolute(y_true), settings.epsilon))
    return 100.0 * reduce_mean(part, axis=-1)


def mean_squared_logarithmic_error(y_true: Any, y_pred: Any) -> Any:
    """Mean of the squared differences of `log(1 + x)`.

    Args:
        y_true: Targets.
        y_pred: Predictions of the same shape.

    >>> mean_squared_logarithmic_error([[0.0]], [[0.0]]).numpy()
    array([0.], dtype=float32)
    """
    y_true, y_pred = aligned(y_true, y_pred)
    first = log(maximum(y_pred, settings.epsilon) + 1.0)
    second = log(maximum(y_true, settings.epsilon) + 1.0)
    return reduce_mean(square(subtract(first, second)), axis=-1)


def logcosh(y_true: Any, y_pred: Any) -> Any:
    """Mean of the logarithms of the hyperbolic cosine of the differences.

    Args:
        y_true: Targets.
        y_pred: Predictions of the same shape.

    >>> logcosh([[0.0]], [[0.0]]).numpy()
    array([0.], dtype=float32)
    """
    y_true, y_pred = aligned(y_true, y_pred)
    x = subtract(y_pred, y_true)
    return reduce_mean(x + softplus(-2.0 * x) - math.log(2.0), axis=-1)


def huber(y_true: Any, y_pred: Any, delta: float = 1.0) -> Any:
    """Squares of small differences, absolute values of large ones.

    Args:
        y_true: Targets.
        y_pred: Predictions of the same shape.
        delta: Where small ends. Default 1.

    >>> huber([[0.0, 0.0]], [[0.5, 2.0]]).numpy()
    array([0.8125], dtype=float32)
    """
    y_true, y_pred = aligned(y_true, y_pred)
    error = subtract(y_pred, y_true)
    size = absolute(error)
    delta = float(delta)
    small, large = 0.5 * square(error), delta * size - 0.5 * delta * delta
    return reduce_mean(where(size <= delta, small, large), axis=-1)


def poisson(y_true: Any, y_pred: Any) -> Any:
    """Mean of `y_pred - y_true log(y_pred)`.

    Args:
        y_true: Targets.
        y_pred: Predictions of the same shape.

    >>> poisson([[0.0]], [[1.0]]).numpy()
    array([1.], dtype=float32)
    """
    y_true, y_pred = aligned(y_true, y_pred)
    return reduce_mean(y_pred - y_true * log(y_pred + settings.epsilon), axis=-1)


def _unit(x: Any, axis: Any) -> Any:
    return x * rsqrt(maximum(reduce_sum(square(x), axis=axis, keepdims=True), 1e-12))


def cosine_similarity(y_true: Any, y_pred: Any, axis: Any = -1) -> Any:
    """Minus the cosine of the angle between target and prediction: -1 where they point in the same direction.

    Args:
        y_true: Targets.
        y_pred: Predictions of the same shape.
        axis: Axis of the vectors. Default last.

    >>> cosine_similarity([[1.0, 0.0]], [[2.0, 0.0]]).numpy()
    array([-1.], dtype=float32)
    """
    y_true, y_pred = aligned(y_true, y_pred)
    return negative(reduce_sum(multiply(_unit(y_true, axis), _unit(y_pred, axis)), axis=axis))


def _signs(y_true: Any) -> Any:
    """Targets of 0 and 1 as -1 and 1."""
    from ...ops.compare import equal, logical_or
    from ...ops.reduce import reduce_all

    binary = reduce_all(logical_or(equal(y_true, 0.0), equal(y_true, 1.0)))
    return where(binary, 2.0 * y_true - 1.0, y_true)


def hinge(y_true: Any, y_pred: Any) -> Any:
    """Mean of `max(1 - y_true y_pred, 0)`; targets are -1 and 1 (or 0 and 1).

    Args:
        y_true: Targets.
        y_pred: Predictions of the same shape.

    >>> hinge([[1.0]], [[0.25]]).numpy()
    array([0.75], dtype=float32)
    """
    y_true, y_pred = aligned(y_true, y_pred)
    return reduce_mean(maximum(1.0 - _signs(y_true) * y_pred, 0.0), axis=-1)


def squared_hinge(y_true: Any, y_pred: Any) -> Any:
    """Mean of the squares of the hinge; targets are -1 and 1 (or 0 and 1).

    Args:
        y_true: Targets.
        y_pred: Predictions of the same shape.

    >>> squared_hinge([[1.0]], [[0.5]]).numpy()
    array([0.25], dtype=float32)
    """
    y_true, y_pred = aligned(y_true, y_pred)
    return reduce_mean(square(maximum(1.0 - _signs(y_true) * y_pred, 0.0)), axis=-1)


def categorical_hinge(y_true: Any, y_pred: Any) -> Any:
    """`max(largest wrong - right + 1, 0)` for targets that mark the right class with 1.

    Args:
        y_true: Targets.
        y_pred: Predictions of the same shape.

    >>> categorical_hinge([[0.0, 1.0]], [[0.5, 1.0]]).numpy()
    array([0.5], dtype=float32)
    """
    from ...ops.reduce import reduce_max

    y_true, y_pred = aligned(y_true, y_pred)
    right = reduce_sum(y_true * y_pred, axis=-1)
    wrong = reduce_max((1.0 - y_true) * y_pred, axis=-1)
    return maximum(wrong - right + 1.0, convert(0.0, y_pred.dtype))
