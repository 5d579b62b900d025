"""Accuracies: how often predictions are right."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...core.tensor import Tensor, convert
from ...ops.compare import equal, greater
from ...ops.create import cast
from ...ops.index import one_hot
from ...ops.reduce import argmax, reduce_mean, reduce_sum
from ...ops.shape import reshape, squeeze
from ..losses.reduction import aligned, as_prediction
from ..settings import settings
from .mean import MeanMetricWrapper


def _tensor(value: Any) -> Any:
    return value if isinstance(value, Tensor) else convert(value)


def _truth(right: Any) -> Any:
    return cast(right, settings.floatx)


def accuracy(y_true: Any, y_pred: Any) -> Any:
    """1 where prediction and target are equal, else 0.

    Args:
        y_true: Targets.
        y_pred: Predictions of the same shape.

    >>> accuracy([1, 2], [1, 3]).numpy()
    array([1., 0.], dtype=float32)
    """
    y_true, y_pred = _tensor(y_true), _tensor(y_pred)
    if y_true.shape.rank == y_pred.shape.rank + 1 and y_true.shape[-1] == 1:
        y_true = squeeze(y_true, axis=-1)
    elif y_pred.shape.rank == y_true.shape.rank + 1 and y_pred.shape[-1] == 1:
        y_pred = squeeze(y_pred, axis=-1)
    if not y_true.shape.is_compatible_with(y_pred.shape):
        raise ValueError(f"Shapes {y_true.shape} and {y_pred.shape} are incompatible.")
    return _truth(equal(cast(y_true, y_pred.dtype), y_pred))


def binary_accuracy(y_true: Any, y_pred: Any, threshold: float = 0.5) -> Any:
    """How often predicted probabilities are on the right side of a threshold, the mean along the last axis.

    Args:
        y_true: Targets, 0 or 1.
        y_pred: Predicted probabilities of the same shape.
        threshold: Above it the prediction is 1. Default 0.5.

    >>> binary_accuracy([[1.0], [0.0]], [[0.9], [0.8]]).numpy()
    array([1., 0.], dtype=float32)
    """
    y_true, y_pred = aligned(y_true, y_pred)
    above = cast(greater(y_pred, float(threshold)), y_pred.dtype)
    return reduce_mean(_truth(equal(y_true, above)), axis=-1)


def categorical_accuracy(y_true: Any, y_pred: Any) -> Any:
    """1 where the most likely class is the one that the target marks.

    Args:
        y_true: Targets: one-hot rows.
        y_pred: Predictions of the same shape.

    >>> categorical_accuracy([[0.0, 1.0]], [[0.2, 0.8]]).numpy()
    array([1.], dtype=float32)
    """
    return _truth(equal(argmax(_tensor(y_true), axis=-1), argmax(_tensor(y_pred), axis=-1)))


def _class_numbers(y_true: Any, y_pred: Any) -> Any:
    """Targets as class numbers in the shape of the predictions without their last axis."""
    y_true = cast(_tensor(y_true), dtypes.int64)
    if y_true.shape.rank == y_pred.shape.rank and y_true.shape[-1] == 1:
        y_true = squeeze(y_true, axis=-1)
    return y_true


def sparse_categorical_accuracy(y_true: Any, y_pred: Any) -> Any:
    """1 where the most likely class is the target.

    Args:
        y_true: Class numbers [...] (or [..., 1]).
        y_pred: Predictions [..., classes].

    >>> sparse_categorical_accuracy([1], [[0.2, 0.8]]).numpy()
    array([1.], dtype=float32)
    """
    y_pred = _tensor(y_pred)
    return _truth(equal(_class_numbers(y_true, y_pred), argmax(y_pred, axis=-1)))


def _in_top(labels: Any, y_pred: Any, k: int) -> Any:
    """Whether fewer than `k` predictions are above that of the label."""
    marked = one_hot(labels, y_pred.shape[-1], dtype=y_pred.dtype)
    own = reduce_sum(marked * y_pred, axis=-1, keepdims=True)
    above = reduce_sum(cast(greater(y_pred, own), dtypes.int32), axis=-1)
    return _truth(above < int(k))


def sparse_top_k_categorical_accuracy(y_true: Any, y_pred: Any, k: int = 5) -> Any:
    """1 where the target is among the `k` most likely classes.

    Args:
        y_true: Class numbers [n] (or [n, 1]).
        y_pred: Predictions [n, classes].
        k: How many. Default 5.

    >>> sparse_top_k_categorical_accuracy([2], [[0.5, 0.3, 0.2]], k=2).numpy()
    array([0.], dtype=float32)
    """
    y_pred = as_prediction(y_pred)
    labels = _class_numbers(y_true, y_pred)
    if y_pred.shape.rank == 2:
        return _in_top(labels, y_pred, k)
    flat = _in_top(reshape(labels, (-1,)), reshape(y_pred, (-1, y_pred.shape[-1])), k)
    return reshape(flat, tuple(labels.shape))


def top_k_categorical_accuracy(y_true: Any, y_pred: Any, k: int = 5) -> Any:
    """1 where the class that the target marks is among the `k` most likely ones.

    Args:
        y_true: Targets: one-hot rows.
        y_pred: Predictions of the same shape.
        k: How many. Default 5.

    >>> top_k_categorical_accuracy([[0.0, 1.0, 0.0]], [[0.5, 0.3, 0.2]], k=2).numpy()
    array([1.], dtype=float32)
    """
    return sparse_top_k_categorical_accuracy(argmax(_tensor(y_true), axis=-1), y_pred, k)


class Accuracy(MeanMetricWrapper):
    """How often predictions equal targets.

    Args:
        name: Name. Default "accuracy".
        dtype: Type of the result. Default the default float type.

    >>> float(Accuracy()([1, 2], [1, 3]))
    0.5
    """

    def __init__(self, name: str | None = "accuracy", dtype: Any = None) -> None:
        super().__init__(accuracy, name, dtype)


class BinaryAccuracy(MeanMetricWrapper):
    """How often predicted probabilities are on the right side of a threshold.

    Args:
        name: Name. Default "binary_accuracy".
        dtype: Type of the result. Default the default float type.
        threshold: Above it the prediction is 1. Default 0.5.

    >>> float(BinaryAccuracy()([[1.0], [0.0]], [[0.9], [0.8]]))
    0.5
    """

    def __init__(
        self, name: str | None = "binary_accuracy", dtype: Any = None, threshold: float = 0.5
    ) -> None:
        super().__init__(binary_accuracy, name, dtype, threshold=threshold)


class CategoricalAccuracy(MeanMetricWrapper):
    """How often the most likely class is the one that a one-hot target marks.

    Args:
        name: Name. Default "categorical_accuracy".
        dtype: Type of the result. Default the default float type.

    >>> float(CategoricalAccuracy()([[0.0, 1.0]], [[0.2, 0.8]]))
    1.0
    """

    def __init__(self, name: str | None = "categorical_accuracy", dtype: Any = None) -> None:
        super().__init__(categorical_accuracy, name, dtype)


class SparseCategoricalAccuracy(MeanMetricWrapper):
    """How often the most likely class is the target's number.

    Args:
        name: Name. Default "sparse_categorical_accuracy".
        dtype: Type of the result. Default the default float type.

    >>> float(SparseCategoricalAccuracy()([1], [[0.2, 0.8]]))
    1.0
    """

    def __init__(self, name: str | None = "sparse_categorical_accuracy", dtype: Any = None) -> None:
        super().__init__(sparse_categorical_accuracy, name, dtype)


class TopKCategoricalAccuracy(MeanMetricWrapper):
    """How often the class that a one-hot target marks is among the `k` most likely ones.

    Args:
        k: How many. Default 5.
        name: Name. Default "top_k_categorical_accuracy".
        dtype: Type of the result. Default the default float type.

    >>> float(TopKCategoricalAccuracy(2)([[0.0, 1.0, 0.0]], [[0.5, 0.3, 0.2]]))
    1.0
    """

    def __init__(
        self, k: int = 5, name: str | None = "top_k_categorical_accuracy", dtype: Any = None
    ) -> None:
        super().__init__(top_k_categorical_accuracy, name, dtype, k=k)


class SparseTopKCategoricalAccuracy(MeanMetricWrapper):
    """How often the target's number is among the `k` most likely classes.

    Args:
        k: How many. Default 5.
        name: Name. Default "sparse_top_k_categorical_accuracy".
        dtype: Type of the result. Default the default float type.

    >>> float(SparseTopKCategoricalAccuracy(2)([2], [[0.5, 0.3, 0.2]]))
    0.0
    """

    def __init__(
        self, k: int = 5, name: str | None = "sparse_top_k_categorical_accuracy", dtype: Any = None
    ) -> None:
        super().__init__(sparse_top_k_categorical_accuracy, name, dtype, k=k)
