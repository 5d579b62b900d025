"""Scores of whole data sets: F, R squared, correlations."""

from __future__ import annotations

from typing import Any

from ...core.tensor import Tensor, convert
from ...ops.arithmetic import multiply, square
from ...ops.compare import is_inf, logical_and
from ...ops.complexes import abs as absolute
from ...ops.create import cast, zeros_like
from ...ops.exponential import sqrt
from ...ops.reduce import reduce_max, reduce_mean, reduce_sum
from ...ops.select import where
from ...ops.shape import expand_dims, size
from ...ops.sum_to import broadcast_to
from ..losses.reduction import aligned
from ..settings import settings
from .base import Metric
from .mean import MeanMetricWrapper


class FBetaScore(Metric):
    """F score: the harmonic mean of precision and recall, recall weighted by `beta`.

    Args:
        average: None (a score for each class), "micro" (over all decisions), "macro" (the mean of the classes) or
            "weighted" (weighted by how often each class comes). Default None.
        beta: How much more recall counts than precision. Default 1.
        threshold: Probabilities above it are a yes; default None: the largest of each row is.
        name: Name. Default "fbeta_score".
        dtype: Type of the result. Default the default float type.

    Raises:
        ValueError: If an argument is out of range, or the values are not [batch, classes].

    >>> FBetaScore(beta=2.0, threshold=0.5)([[1.0, 1.0]], [[0.9, 0.2]]).numpy().round(4)
    array([1., 0.], dtype=float32)
    """

    def __init__(
        self,
        average: str | None = None,
        beta: float = 1.0,
        threshold: float | None = None,
        name: str | None = "fbeta_score",
        dtype: Any = None,
    ) -> None:
        super().__init__(name, dtype)
        if average not in (None, "micro", "macro", "weighted"):
            raise ValueError(
                "Invalid `average` argument value. Expected one of: {None, 'micro', 'macro', 'weighted'}. "
                f"Received: average={average}"
            )
        if beta <= 0.0:
            raise ValueError(
                f"Invalid `beta` argument value. It should be > 0. Received: beta={beta}"
            )
        if threshold is not None and not 0.0 < threshold <= 1.0:
            raise ValueError(
                "Invalid `threshold` argument value. It should verify 0 < threshold <= 1. "
                f"Received: threshold={threshold}"
            )
        self.average, self.beta, self.threshold = average, float(beta), threshold
        self._counts: Any = None

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Counts a batch."""
        y_true, y_pred = self._float(y_true), self._float(y_pred)
        if y_true.shape.rank != 2 or y_pred.shape.rank != 2:
            raise ValueError(
                f"{type(self).__name__} expects 2D inputs with shape (batch_size, output_dim). Received input shapes: "
                f"y_pred.shape={tuple(y_pred.shape)} and y_true.shape={tuple(y_true.shape)}."
            )
        if self._counts is None:
            shape = () if self.average == "micro" else (int(y_pred.shape[-1]),)
            names = ("true_positives", "false_positives", "false_negatives", "intermediate_weights")
            self._counts = [self.add_weight(n, shape=shape) for n in names]
        if self.threshold is None:
            top = reduce_max(y_pred, axis=-1, keepdims=True)
            found = logical_and(y_pred >= top, absolute(y_pred) > 1e-9)
        else:
            found = y_pred > self.threshold
        found = cast(found, y_true.dtype)
        weights = None if sample_weight is None else expand_dims(self._float(sample_weight), 1)
        axis = None if self.average == "micro" else 0
        made = (found * y_true, found * (1.0 - y_true), (1.0 - found) * y_true, y_true)
        for count, one in zip(self._counts, made, strict=True):
            one = one if weights is None else multiply(one, weights)
            count.assign_add(reduce_sum(one, axis=axis))

    def result(self) -> Any:
        """The score so far."""
        if self._counts is None:
            return self._float(0.0)
        right, extra, missed, weights = (c.value() for c in self._counts)
        small = settings.epsilon
        precision = right / (right + extra + small)
        recall = right / (right + missed + small)
        part = self.beta**2
        score = (1.0 + part) * (precision * recall / (part * precision + recall + small))
        if self.average == "weighted":
            return reduce_sum(score * weights / (reduce_sum(weights) + small))
        return score if self.average is None else reduce_mean(score)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a metric like this one."""
        return {
            **super().get_config(), "average": self.average, "beta": self.beta, "threshold": self.threshold,
        }  # fmt: skip


class F1Score(FBetaScore):
    """F1 score: the harmonic mean of precision and recall.

    Args:
        average: None (a score for each class), "micro", "macro" or "weighted". Default None.
        threshold: Probabilities above it are a yes; default None: the largest of each row is.
        name: Name. Default "f1_score".
        dtype: Type of the result. Default the default float type.

    >>> F1Score(average="micro", threshold=0.5)([[1.0, 0.0]], [[0.9, 0.8]]).numpy().round(4)
    np.float32(0.6667)
    """

    def __init__(
        self,
        average: str | None = None,
        threshold: float | None = None,
        name: str | None = "f1_score",
        dtype: Any = None,
    ) -> None:
        super().__init__(average, 1.0, threshold, name, dtype)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a metric like this one."""
        config = super().get_config()
        del config["beta"]
        return config


class R2Score(Metric):
    """R squared: what part of the variance the predictions explain.

    Args:
        class_aggregation: "uniform_average" (the mean over columns), "variance_weighted_average" or None (one
            score for each column). Default "uniform_average".
        num_regressors: Number of regressors, for the adjusted R squared; 0 (the default) for the plain one.
        name: Name. Default "r2_score".
        dtype: Type of the result. Default the default float type.

    Raises:
        ValueError: If an argument is out of range, or the values are not [batch, columns].

    >>> R2Score()([[1.0], [2.0], [3.0]], [[1.0], [2.0], [4.0]]).numpy()
    np.float32(0.5)
    """

    def __init__(
        self,
        class_aggregation: str | None = "uniform_average",
        num_regressors: int = 0,
        name: str | None = "r2_score",
        dtype: Any = None,
    ) -> None:
        super().__init__(name, dtype)
        valid = (None, "uniform_average", "variance_weighted_average")
        if class_aggregation not in valid:
            raise ValueError(
                f"Invalid value for argument `class_aggregation`. Expected one of {valid}. "
                f"Received: class_aggregation={class_aggregation}"
            )
        if num_regressors < 0:
            raise ValueError(
                "Invalid value for argument `num_regressors`. Expected a value >= 0. "
                f"Received: num_regressors={num_regressors}"
            )
        self.class_aggregation, self.num_regressors = class_aggregation, int(num_regressors)
        self.num_samples = self.add_weight("num_samples")
        self._sums: Any = None

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Adds a batch."""
        y_true, y_pred = aligned(self._float(y_true), self._float(y_pred))
        if y_true.shape.rank != 2 or y_pred.shape.rank != 2:
            raise ValueError(
                "R2Score expects 2D inputs with shape (batch_size, output_dim). Received input shapes: "
                f"y_pred.shape={tuple(y_pred.shape)} and y_true.shape={tuple(y_true.shape)}."
            )
        if self._sums is None:
            shape = (int(y_pred.shape[-1]),)
            names = ("squared_sum", "sum", "residual", "count")
            self._sums = [self.add_weight(n, shape=shape) for n in names]
        weights = self._float(1.0 if sample_weight is None else sample_weight)
        if weights.shape.rank == 1:
            weights = expand_dims(weights, 1)
        weights = broadcast_to(weights, y_true.shape)
        made = (square(y_true), y_true, square(y_true - y_pred), zeros_like(y_true) + 1.0)
        for total, one in zip(self._sums, made, strict=True):
            total.assign_add(reduce_sum(multiply(one, weights), axis=0))
        return self.num_samples.assign_add(cast(size(y_true), y_true.dtype))

    def result(self) -> Any:
        """The score so far."""
        if self._sums is None:
            return self._float(0.0)
        squares, total, residual, count = (s.value() for s in self._sums)
        spread = squares - total * total / count
        score = 1.0 - residual / spread
        score = where(is_inf(score), zeros_like(score), score)
        if self.class_aggregation == "uniform_average":
            score = reduce_mean(score)
        elif self.class_aggregation == "variance_weighted_average":
            score = reduce_sum(spread * score) / reduce_sum(spread)
        if self.num_regressors:
            n = self.num_samples.value()
            free = n - self.num_regressors - 1.0
            # With no observation to spare the plain score is all that there is.
            adjusted = 1.0 - (1.0 - score) * (n - 1.0) / where(free > 0.0, free, 1.0)
            score = where(free > 0.0, adjusted, score)
        return score

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a metric like this one."""
        return {
            **super().get_config(), "class_aggregation": self.class_aggregation,
            "num_regressors": self.num_regressors,
        }  # fmt: skip


def _centred(x: Tensor, axis: Any) -> tuple[Any, Any, Any]:
    mean = reduce_mean(x, axis=axis, keepdims=True)
    return mean, x - mean, reduce_mean(square(x - mean), axis=axis, keepdims=True)


def pearson_correlation(y_true: Any, y_pred: Any, axis: Any = -1) -> Any:
    """Pearson's correlation of targets and predictions.

    Args:
        y_true: Targets.
        y_pred: Predictions of the same shape.
        axis: Axis or axes along which they are correlated. Default last.

    >>> pearson_correlation([[1.0, 2.0, 3.0]], [[2.0, 4.0, 6.0]]).numpy().round(4)
    array([1.], dtype=float32)
    """
    y_true, y_pred = aligned(convert(y_true), convert(y_pred))
    _, a, va = _centred(y_true, axis)
    _, b, vb = _centred(y_pred, axis)
    return reduce_mean((a / sqrt(va)) * (b / sqrt(vb)), axis=axis)


def concordance_correlation(y_true: Any, y_pred: Any, axis: Any = -1) -> Any:
    """Concordance correlation: how near to equal targets and predictions are.

    Args:
        y_true: Targets.
        y_pred: Predictions of the same shape.
        axis: Axis or axes along which they are correlated. Default last.

    >>> concordance_correlation([[1.0, 2.0, 3.0]], [[1.0, 2.0, 3.0]]).numpy().round(4)
    array([1.], dtype=float32)
    """
    y_true, y_pred = aligned(convert(y_true), convert(y_pred))
    ma, a, va = _centred(y_true, axis)
    mb, b, vb = _centred(y_pred, axis)
    return reduce_mean(2.0 * a * b / (va + vb + square(ma - mb) + settings.epsilon), axis=axis)


class PearsonCorrelation(MeanMetricWrapper):
    """Mean of Pearson's correlations.

    Args:
        name: Name. Default "pearson_correlation".
        dtype: Type of the result. Default the default float type.
        axis: Axis or axes along which values are correlated. Default last.

    >>> PearsonCorrelation()([[1.0, 2.0]], [[4.0, 3.0]]).numpy().round(4)
    np.float32(-1.0)
    """

    def __init__(
        self, name: str | None = "pearson_correlation", dtype: Any = None, axis: Any = -1
    ) -> None:
        super().__init__(pearson_correlation, name, dtype, axis=axis)


class ConcordanceCorrelation(MeanMetricWrapper):
    """Mean of concordance correlations.

    Args:
        name: Name. Default "concordance_correlation".
        dtype: Type of the result. Default the default float type.
        axis: Axis or axes along which values are correlated. Default last.

    >>> ConcordanceCorrelation()([[1.0, 2.0]], [[1.0, 2.0]]).numpy().round(4)
    np.float32(1.0)
    """

    def __init__(
        self, name: str | None = "concordance_correlation", dtype: Any = None, axis: Any = -1
    ) -> None:
        super().__init__(concordance_correlation, name, dtype, axis=axis)
