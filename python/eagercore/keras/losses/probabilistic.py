"""Losses between probabilities."""

from __future__ import annotations

from typing import Any

from ...core.tensor import Tensor, convert
from ...ops import nn
from ...ops.arithmetic import maximum, minimum, multiply, negative, subtract
from ...ops.create import cast
from ...ops.exponential import log
from ...ops.reduce import reduce_mean, reduce_sum
from ...ops.shape import reshape, squeeze
from ..settings import settings
from .reduction import aligned, as_prediction


def _inside(x: Any) -> Any:
    """Probabilities kept away from 0 and 1."""
    return maximum(minimum(x, 1.0 - settings.epsilon), settings.epsilon)


def binary_crossentropy(
    y_true: Any,
    y_pred: Any,
    from_logits: bool = False,
    label_smoothing: float = 0.0,
    axis: int = -1,
) -> Any:
    """Cross entropy of yes-or-no targets, the mean along the last axis.

    Args:
        y_true: Targets in [0, 1].
        y_pred: Predicted probabilities, or logits, of the same shape.
        from_logits: Whether the predictions are logits. Default False.
        label_smoothing: How far targets are moved towards 0.5, in [0, 1]. Default 0.
        axis: Axis of the mean. Default last.

    >>> binary_crossentropy([[1.0]], [[0.0]], from_logits=True).numpy()
    array([0.6931472], dtype=float32)
    """
    y_true, y_pred = aligned(y_true, y_pred)
    if label_smoothing:
        y_true = y_true * (1.0 - label_smoothing) + 0.5 * label_smoothing
    return reduce_mean(elementwise_binary(y_true, y_pred, from_logits), axis=axis)


def elementwise_binary(y_true: Any, y_pred: Any, from_logits: bool) -> Any:
    """Cross entropy of yes-or-no targets, element by element."""
    if from_logits:
        return nn.sigmoid_cross_entropy_op(y_true, y_pred)
    y_pred = _inside(y_pred)
    return negative(y_true * log(y_pred) + (1.0 - y_true) * log(1.0 - y_pred))


def binary_focal_crossentropy(
    y_true: Any,
    y_pred: Any,
    apply_class_balancing: bool = False,
    alpha: float = 0.25,
    gamma: float = 2.0,
    from_logits: bool = False,
    label_smoothing: float = 0.0,
    axis: int = -1,
) -> Any:
    """`binary_crossentropy` in which well-predicted examples count less.

    Args:
        y_true: Targets in [0, 1].
        y_pred: Predicted probabilities, or logits.
        apply_class_balancing: Whether to weight the classes by `alpha`. Default False.
        alpha: Weight of class 1. Default 0.25.
        gamma: How much less. Default 2.
        from_logits: Whether the predictions are logits. Default False.
        label_smoothing: How far targets are moved towards 0.5. Default 0.
        axis: Axis of the mean. Default last.

    >>> binary_focal_crossentropy([[1.0]], [[0.5]]).numpy().round(4)
    array([0.1733], dtype=float32)
    """
    y_true, y_pred = aligned(y_true, y_pred)
    if label_smoothing:
        y_true = y_true * (1.0 - label_smoothing) + 0.5 * label_smoothing
    from ...ops.exponential import sigmoid

    p = sigmoid(y_pred) if from_logits else y_pred
    right = y_true * p + (1.0 - y_true) * (1.0 - p)
    loss = (1.0 - right) ** gamma * elementwise_binary(y_true, y_pred, from_logits)
    if apply_class_balancing:
        loss = (y_true * alpha + (1.0 - y_true) * (1.0 - alpha)) * loss
    return reduce_mean(loss, axis=axis)


def categorical_crossentropy(
    y_true: Any,
    y_pred: Any,
    from_logits: bool = False,
    label_smoothing: float = 0.0,
    axis: int = -1,
) -> Any:
    """Cross entropy between distributions over classes.

    Args:
        y_true: Targets: one-hot rows, or probabilities.
        y_pred: Predicted probabilities, or logits, of the same shape.
        from_logits: Whether the predictions are logits. Default False.
        label_smoothing: How far targets are moved towards the uniform distribution, in [0, 1]. Default 0.
        axis: Axis of the classes. Default last.

    >>> categorical_crossentropy([[0.0, 1.0]], [[0.5, 0.5]]).numpy()
    array([0.6931472], dtype=float32)
    """
    y_pred = as_prediction(y_pred)
    y_true = cast(y_true if isinstance(y_true, Tensor) else convert(y_true), y_pred.dtype)
    if not y_true.shape.is_compatible_with(y_pred.shape):
        raise ValueError(
            f"Shapes {y_true.shape} and {y_pred.shape} are incompatible: categorical_crossentropy takes "
            f"one-hot targets of "
            "the predictions' shape. For class numbers use sparse_categorical_crossentropy."
        )
    if label_smoothing:
        classes = float(y_pred.shape[axis])
        y_true = y_true * (1.0 - label_smoothing) + label_smoothing / classes
    if from_logits:
        return nn.softmax_cross_entropy_with_logits(labels=y_true, logits=y_pred, axis=axis)
    y_pred = _inside(y_pred / reduce_sum(y_pred, axis=axis, keepdims=True))
    return negative(reduce_sum(y_true * log(y_pred), axis=axis))


def sparse_categorical_crossentropy(
    y_true: Any, y_pred: Any, from_logits: bool = False, axis: int = -1, ignore_class: Any = None
) -> Any:
    """Cross entropy between class numbers and predicted distributions.

    Args:
        y_true: Class numbers [...] (or [..., 1]).
        y_pred: Predicted probabilities, or logits [..., classes].
        from_logits: Whether the predictions are logits. Default False.
        axis: Axis of the classes. Default last.
        ignore_class: Class whose examples have no loss, or None.

    >>> sparse_categorical_crossentropy([1], [[0.5, 0.5]]).numpy()
    array([0.6931472], dtype=float32)
    """
    y_pred = as_prediction(y_pred)
    labels = cast(y_true if isinstance(y_true, Tensor) else convert(y_true), "int64")
    rank = y_pred.shape.rank
    if axis % rank != rank - 1:
        from ...ops.shape import transpose

        y_pred = transpose(y_pred, [i for i in range(rank) if i != axis % rank] + [axis % rank])
    if labels.shape.rank == rank and labels.shape[-1] == 1:
        labels = squeeze(labels, axis=-1)
    if not labels.shape.is_compatible_with(y_pred.shape[:-1]):
        if labels.shape.num_elements() == y_pred.shape[:-1].num_elements():
            labels = reshape(labels, tuple(y_pred.shape[:-1]))
        else:
            raise ValueError(
                f"Targets of shape {labels.shape} do not fit predictions of shape {y_pred.shape}: "
                "sparse_categorical_crossentropy takes one class number for each row."
            )
    kept = None
    if ignore_class is not None:
        from ...ops.compare import not_equal
        from ...ops.select import where

        kept = not_equal(labels, int(ignore_class))
        labels = where(kept, labels, labels * 0)
    logits = y_pred if from_logits else log(_inside(y_pred))
    loss = nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    return loss if kept is None else multiply(loss, cast(kept, loss.dtype))


def kl_divergence(y_true: Any, y_pred: Any) -> Any:
    """Kullback-Leibler divergence: the sum of `y_true log(y_true / y_pred)`.

    Args:
        y_true: Targets.
        y_pred: Predictions of the same shape.

    >>> kl_divergence([[0.5, 0.5]], [[0.5, 0.5]]).numpy()
    array([0.], dtype=float32)
    """
    y_true, y_pred = aligned(y_true, y_pred)
    y_true, y_pred = (maximum(minimum(p, 1.0), settings.epsilon) for p in (y_true, y_pred))
    return reduce_sum(y_true * subtract(log(y_true), log(y_pred)), axis=-1)
