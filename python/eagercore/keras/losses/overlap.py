"""Losses of overlap, of unbalanced classes and of wrong labels."""

from __future__ import annotations

from typing import Any

from ...core.tensor import Tensor, convert
from ...ops.arithmetic import maximum, multiply, pow_
from ...ops.compare import equal, logical_and, logical_not, not_equal
from ...ops.create import cast, eye
from ...ops.exponential import log, softplus
from ...ops.index import one_hot
from ...ops.linalg import matmul
from ...ops.nn import softmax
from ...ops.reduce import reduce_logsumexp, reduce_sum
from ...ops.select import where
from ...ops.shape import reshape, size
from ..settings import settings
from .base import as_class
from .probabilistic import _inside
from .reduction import Reduction, as_prediction


def _pair(y_true: Any, y_pred: Any) -> tuple[Any, Any]:
    y_pred = as_prediction(y_pred)
    return cast(y_true if isinstance(y_true, Tensor) else convert(y_true), y_pred.dtype), y_pred


def dice(y_true: Any, y_pred: Any, axis: Any = None) -> Any:
    """One less twice the overlap as a part of both sums (the Dice coefficient).

    Args:
        y_true: Targets in [0, 1].
        y_pred: Predictions of the same shape.
        axis: Axes over which it is computed. Default all: one number for the batch.

    >>> dice([1.0, 0.0], [1.0, 1.0]).numpy().round(4)
    np.float32(0.3333)
    """
    y_true, y_pred = _pair(y_true, y_pred)
    both = reduce_sum(multiply(y_true, y_pred), axis=axis)
    total = reduce_sum(y_true, axis=axis) + reduce_sum(y_pred, axis=axis)
    return 1.0 - 2.0 * both / (total + settings.epsilon)


def tversky(
    y_true: Any, y_pred: Any, alpha: float = 0.5, beta: float = 0.5, axis: Any = None
) -> Any:
    """One less the overlap as a part of itself and of weighted false positives and negatives (the Tversky index).

    Args:
        y_true: Targets in [0, 1].
        y_pred: Predictions of the same shape.
        alpha: Weight of what is predicted and not there. Default 0.5.
        beta: Weight of what is there and not predicted. Default 0.5.
        axis: Axes over which it is computed. Default all: one number for the batch.

    >>> tversky([1.0, 0.0], [1.0, 1.0]).numpy().round(4)
    np.float32(0.3333)
    """
    y_true, y_pred = _pair(y_true, y_pred)
    both = reduce_sum(multiply(y_true, y_pred), axis=axis)
    extra = reduce_sum(multiply(1.0 - y_true, y_pred), axis=axis)
    missed = reduce_sum(multiply(y_true, 1.0 - y_pred), axis=axis)
    return 1.0 - both / (both + extra * alpha + missed * beta + settings.epsilon)


def categorical_focal_crossentropy(
    y_true: Any,
    y_pred: Any,
    alpha: Any = 0.25,
    gamma: float = 2.0,
    from_logits: bool = False,
    label_smoothing: float = 0.0,
    axis: int = -1,
) -> Any:
    """`categorical_crossentropy` in which well-predicted classes count less.

    Args:
        y_true: Targets: one-hot rows, or probabilities.
        y_pred: Predicted probabilities, or logits, of the same shape.
        alpha: Weight, or a weight for each class. Default 0.25.
        gamma: How much less. Default 2.
        from_logits: Whether the predictions are logits. Default False.
        label_smoothing: How far targets are moved towards the uniform distribution. Default 0.
        axis: Axis of the classes. Default last.

    >>> categorical_focal_crossentropy([[0.0, 1.0]], [[0.5, 0.5]]).numpy().round(4)
    array([0.0433], dtype=float32)
    """
    y_true, y_pred = _pair(y_true, y_pred)
    if label_smoothing:
        classes = float(y_pred.shape[axis])
        y_true = y_true * (1.0 - label_smoothing) + label_smoothing / classes
    p = softmax(y_pred, axis=axis) if from_logits else y_pred
    p = _inside(p / reduce_sum(p, axis=axis, keepdims=True))
    weight = convert(alpha, p.dtype) * (1.0 - p) ** gamma
    return reduce_sum(multiply(weight, -y_true * log(p)), axis=axis)


def categorical_generalized_cross_entropy(y_true: Any, y_pred: Any, q: float = 0.5) -> Any:
    """`(1 - p^q) / q` of the probability `p` of the right class: less moved by wrong labels than the cross entropy.

    Args:
        y_true: Class numbers [n] or [n, 1].
        y_pred: Predicted probabilities [n, classes].
        q: Between 0 (the cross entropy) and 1 (the absolute error). Default 0.5.

    >>> categorical_generalized_cross_entropy([1], [[0.75, 0.25]]).numpy()
    array([1.], dtype=float32)
    """
    y_pred = as_prediction(y_pred)
    labels = cast(y_true if isinstance(y_true, Tensor) else convert(y_true), "int64")
    if labels.shape.rank == y_pred.shape.rank:
        labels = reshape(labels, [-1])
    right = one_hot(labels, int(y_pred.shape[-1]), dtype=y_pred.dtype)
    return (1.0 - pow_(reduce_sum(multiply(y_pred, right), axis=-1), q)) / q


def circle(
    y_true: Any,
    y_pred: Any,
    ref_labels: Any = None,
    ref_embeddings: Any = None,
    remove_diagonal: bool = True,
    gamma: float = 80.0,
    margin: float = 0.4,
) -> Any:
    """Circle loss: what one class holds comes near, what different classes hold goes apart.

    Args:
        y_true: Class numbers [n].
        y_pred: Embeddings of length 1 [n, d].
        ref_labels: Class numbers of the examples that they are compared with; default `y_true`.
        ref_embeddings: Embeddings of these; default `y_pred`.
        remove_diagonal: Whether an example is not compared with itself. Default True.
        gamma: Scale. Default 80.
        margin: How far apart is far enough. Default 0.4.

    >>> circle([0, 0, 1, 1], [[0.6, 0.8], [0.8, 0.6], [1.0, 0.0], [0.0, 1.0]], gamma=3.0).numpy().round(3)
    array([1.56 , 1.56 , 4.332, 4.332], dtype=float32)
    """
    y_pred = as_prediction(y_pred)
    labels = reshape(cast(y_true if isinstance(y_true, Tensor) else convert(y_true), "int64"), [-1])
    others = labels if ref_labels is None else reshape(cast(convert(ref_labels), "int64"), [-1])
    centres = y_pred if ref_embeddings is None else as_prediction(ref_embeddings)
    apart = maximum(1.0 - matmul(y_pred, centres, transpose_b=True), 0.0)
    alike = equal(reshape(labels, [-1, 1]), reshape(others, [1, -1]))
    unlike = not_equal(reshape(labels, [-1, 1]), reshape(others, [1, -1]))
    if remove_diagonal:
        itself = cast(eye(size(labels), size(others)), "bool")
        alike, unlike = (logical_and(m, logical_not(itself)) for m in (alike, unlike))
    near = -gamma * maximum(margin + apart, 0.0) * (margin - apart)
    far = gamma * maximum(1.0 + margin - apart, 0.0) * (1.0 - margin - apart)
    never = float("-inf")
    return softplus(
        reduce_logsumexp(where(alike, near, never), axis=1)
        + reduce_logsumexp(where(unlike, far, never), axis=1)
    )


Dice: Any = as_class("Dice", dice)
Tversky: Any = as_class("Tversky", tversky)
CategoricalFocalCrossentropy: Any = as_class(
    "CategoricalFocalCrossentropy", categorical_focal_crossentropy
)
CategoricalGeneralizedCrossEntropy: Any = as_class(
    "CategoricalGeneralizedCrossEntropy", categorical_generalized_cross_entropy
)
Circle: Any = as_class("Circle", circle)


def _circle_call(self: Any, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
    """The loss: of the mean, examples without any loss are left out."""
    from .reduction import compute_weighted_loss

    losses = self.call(y_true, y_pred)
    if self.reduction in (Reduction.NONE, Reduction.SUM):
        return compute_weighted_loss(losses, sample_weight, self.reduction)
    counted = cast(losses > 0.0, losses.dtype)
    total = compute_weighted_loss(losses, sample_weight, Reduction.SUM)
    return total / maximum(reduce_sum(counted), settings.epsilon)


Circle.__call__ = _circle_call
