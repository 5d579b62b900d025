"""Counts of right and wrong positives and negatives, and what is computed from them."""

from __future__ import annotations

import inspect
from typing import Any

from ...base import dtypes
from ...core.tensor import convert
from ...ops.arithmetic import maximum, minimum, multiply
from ...ops.compare import greater
from ...ops.create import cast, ones_like, zeros_like
from ...ops.exponential import log
from ...ops.index import one_hot, scatter_nd
from ...ops.reduce import argmax, reduce_max, reduce_mean, reduce_sum
from ...ops.select import where
from ...ops.shape import concat, expand_dims, reshape, stack
from ..losses.reduction import aligned, fit_weights
from ..settings import settings
from .base import Metric, divide_no_nan

COUNTS = ("true_positives", "true_negatives", "false_positives", "false_negatives")


def _threshold_list(thresholds: Any, default: float = 0.5) -> list[float]:
    if thresholds is None:
        thresholds = default
    values = list(thresholds) if isinstance(thresholds, list | tuple) else [float(thresholds)]
    if any(t is None or t < 0 or t > 1 for t in values):
        raise ValueError(f"Threshold values must be in [0, 1]. Received: {values}")
    return [float(t) for t in values]


def confusion_counts(
    y_true: Any,
    y_pred: Any,
    thresholds: Any,
    sample_weight: Any = None,
    top_k: int | None = None,
    class_id: int | None = None,
) -> dict[str, Any]:
    """Weighted counts at each threshold.

    Args:
        y_true: Targets, 0 or 1.
        y_pred: Predictions in [0, 1].
        thresholds: List of numbers.
        sample_weight: Weights, or None.
        top_k: Only the largest `k` predictions of each example count as positive; or None.
        class_id: Only this class counts; or None for all.

    Returns:
        Dictionary of the counts `COUNTS`, tensors [thresholds].
    """
    y_true, y_pred = aligned(y_true, y_pred)
    if top_k is not None:
        y_pred = _only_top(y_pred, int(top_k))
    weights = (
        None if sample_weight is None else fit_weights(y_pred, sample_weight) + zeros_like(y_pred)
    )
    if class_id is not None:
        y_true, y_pred = y_true[..., class_id], y_pred[..., class_id]
        weights = None if weights is None else weights[..., class_id]
    label = reshape(cast(y_true > 0, dtypes.float32), (1, -1))
    bounds = reshape(convert(list(thresholds), dtypes.float32), (-1, 1))
    positive = cast(greater(reshape(cast(y_pred, dtypes.float32), (1, -1)), bounds), dtypes.float32)
    weight = (
        ones_like(label) if weights is None else reshape(cast(weights, dtypes.float32), (1, -1))
    )
    marked, unmarked = multiply(label, weight), multiply(1.0 - label, weight)
    true_positives = reduce_sum(multiply(positive, marked), axis=1)
    false_positives = reduce_sum(multiply(positive, unmarked), axis=1)
    return {
        "true_positives": true_positives,
        "false_positives": false_positives,
        "false_negatives": reduce_sum(marked) - true_positives,
        "true_negatives": reduce_sum(unmarked) - false_positives,
    }


def _only_top(y_pred: Any, k: int) -> Any:
    """Predictions outside of the largest `k` of each example as minus infinity."""
    remaining = y_pred
    for _ in range(k - 1):
        top = one_hot(argmax(remaining, axis=-1), y_pred.shape[-1], dtype=dtypes.float32)
        remaining = where(top > 0, zeros_like(y_pred) - float("inf"), remaining)
    bound = reduce_max(remaining, axis=-1, keepdims=True)
    return where(y_pred >= bound, y_pred, zeros_like(y_pred) - float("inf"))


class _Counting(Metric):
    """Counts at thresholds: `_counts` names those that are kept."""

    _counts: tuple[str, ...] = ()

    def __init__(
        self, thresholds: Any = None, top_k: int | None = None, class_id: int | None = None,
        name: str | None = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(name, dtype)
        self.init_thresholds, self.top_k, self.class_id = thresholds, top_k, class_id
        default = 0.5 if top_k is None else 0.0
        self.thresholds = (
            _threshold_list(thresholds, default)
            if top_k is None or thresholds is not None
            else [float("-inf")]
        )
        for count in self._counts:
            setattr(self, count, self.add_weight(count, shape=(len(self.thresholds),)))

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Adds the counts of a batch."""
        found = confusion_counts(
            y_true, y_pred, self.thresholds, sample_weight, self.top_k, self.class_id
        )
        for count in self._counts:
            getattr(self, count).assign_add(cast(found[count], self.dtype))

    def _shown(self, values: Any) -> Any:
        return values[0] if len(self.thresholds) == 1 else values

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a metric like this one."""
        return {
            **super().get_config(), "thresholds": self.init_thresholds, "top_k": self.top_k, "class_id": self.class_id,
        }  # fmt: skip


class _Count(_Counting):
    """One count."""

    def __init__(self, thresholds: Any = None, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(thresholds, None, None, name, dtype)

    def result(self) -> Any:
        """The count so far: a number, or one for each threshold."""
        return self._shown(getattr(self, self._counts[0]).value())

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a metric like this one."""
        config = super().get_config()
        return {k: v for k, v in config.items() if k not in ("top_k", "class_id")}


class TruePositives(_Count):
    """Number of targets 1 that are predicted as 1.

    Args:
        thresholds: Number or list of numbers in [0, 1]: above it the prediction is 1. Default 0.5.
        name: Name.
        dtype: Type of the result. Default the default float type.

    >>> float(TruePositives()([0, 1, 1, 1], [1, 0, 1, 1]))
    2.0
    """

    _counts = ("true_positives",)


class TrueNegatives(_Count):
    """Number of targets 0 that are predicted as 0.

    Args:
        thresholds: Number or list of numbers in [0, 1]: above it the prediction is 1. Default 0.5.
        name: Name.
        dtype: Type of the result. Default the default float type.

    >>> float(TrueNegatives()([0, 1, 0, 0], [1, 1, 0, 0]))
    2.0
    """

    _counts = ("true_negatives",)


class FalsePositives(_Count):
    """Number of targets 0 that are predicted as 1.

    Args:
        thresholds: Number or list of numbers in [0, 1]: above it the prediction is 1. Default 0.5.
        name: Name.
        dtype: Type of the result. Default the default float type.

    >>> float(FalsePositives()([0, 1, 0, 0], [0, 0, 1, 1]))
    2.0
    """

    _counts = ("false_positives",)


class FalseNegatives(_Count):
    """Number of targets 1 that are predicted as 0.

    Args:
        thresholds: Number or list of numbers in [0, 1]: above it the prediction is 1. Default 0.5.
        name: Name.
        dtype: Type of the result. Default the default float type.

    >>> float(FalseNegatives()([0, 1, 1, 1], [0, 1, 0, 0]))
    2.0
    """

    _counts = ("false_negatives",)


class Precision(_Counting):
    """How many of the predicted positives are right.

    Args:
        thresholds: Number or list of numbers in [0, 1]: above it the prediction is 1. Default 0.5.
        top_k: Only the largest `k` predictions of each example count as positive.
        class_id: Only this class counts.
        name: Name.
        dtype: Type of the result. Default the default float type.

    >>> round(float(Precision()([0, 1, 1, 1], [1, 0, 1, 1])), 4)
    0.6667
    """

    _counts = ("true_positives", "false_positives")

    def result(self) -> Any:
        """The precision so far: a number, or one for each threshold."""
        right = self.true_positives.value()
        return self._shown(divide_no_nan(right, right + self.false_positives.value()))


class Recall(_Counting):
    """How many of the positives are found.

    Args:
        thresholds: Number or list of numbers in [0, 1]: above it the prediction is 1. Default 0.5.
        top_k: Only the largest `k` predictions of each example count as positive.
        class_id: Only this class counts.
        name: Name.
        dtype: Type of the result. Default the default float type.

    >>> round(float(Recall()([0, 1, 1, 1], [1, 0, 1, 1])), 4)
    0.6667
    """

    _counts = ("true_positives", "false_negatives")

    def result(self) -> Any:
        """The recall so far: a number, or one for each threshold."""
        right = self.true_positives.value()
        return self._shown(divide_no_nan(right, right + self.false_negatives.value()))


def _grid(count: int) -> list[float]:
    """Thresholds between 0 and 1, with one a little below and one a little above."""
    inner = [(i + 1) / (count - 1) for i in range(count - 2)]
    return [0.0 - settings.epsilon, *inner, 1.0 + settings.epsilon]


class _Curve(Metric):
    """All four counts on a grid of thresholds."""

    def __init__(self, thresholds: list[float], name: str | None, dtype: Any) -> None:
        super().__init__(name, dtype)
        self.thresholds = thresholds
        for count in COUNTS:
            setattr(self, count, self.add_weight(count, shape=(len(thresholds),)))

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Adds the counts of a batch."""
        found = confusion_counts(y_true, y_pred, self.thresholds, sample_weight)
        for count in COUNTS:
            getattr(self, count).assign_add(cast(found[count], self.dtype))

    def _rates(self) -> tuple[Any, Any, Any]:
        """Sensitivity, specificity and precision at each threshold."""
        tp, tn = self.true_positives.value(), self.true_negatives.value()
        fp, fn = self.false_positives.value(), self.false_negatives.value()
        return divide_no_nan(tp, tp + fn), divide_no_nan(tn, tn + fp), divide_no_nan(tp, tp + fp)


class AUC(_Curve):
    """Area under a curve of rates, by a sum over thresholds.

    Args:
        num_thresholds: How many thresholds. Default 200.
        curve: "ROC" (true against false positives) or "PR" (precision against recall). Default "ROC".
        summation_method: "interpolation", "minoring" or "majoring". Default "interpolation".
        name: Name. Default auc, auc_1 ...
        dtype: Type of the result. Default the default float type.
        thresholds: Thresholds between 0 and 1 instead of a regular grid.
        multi_label: Whether the area is the mean of those of the labels. Default False.
        num_labels: Accepted for Keras's sake: the predictions say how many labels there are.
        label_weights: Weights of the labels in that mean, or None.
        from_logits: Whether predictions are logits. Default False.

    Raises:
        ValueError: If an argument has no meaning.

    >>> float(AUC(num_thresholds=3)([0, 0, 1, 1], [0.0, 0.5, 0.3, 0.9]))
    0.75
    """

    def __init__(
        self,
        num_thresholds: int = 200,
        curve: str = "ROC",
        summation_method: str = "interpolation",
        name: str | None = None,
        dtype: Any = None,
        thresholds: Any = None,
        multi_label: bool = False,
        num_labels: int | None = None,
        label_weights: Any = None,
        from_logits: bool = False,
    ) -> None:
        curve, summation_method = (
            str(getattr(curve, "value", curve)).upper(),
            str(summation_method).lower(),
        )
        if curve not in ("ROC", "PR"):
            raise ValueError(f'Invalid AUC curve value: "{curve}". Use "ROC" or "PR".')
        if summation_method not in ("interpolation", "minoring", "majoring"):
            raise ValueError(f'Invalid AUC summation method value: "{summation_method}".')
        if thresholds is not None:
            grid = [
                0.0 - settings.epsilon,
                *sorted(float(t) for t in thresholds),
                1.0 + settings.epsilon,
            ]
        else:
            if num_thresholds <= 1:
                raise ValueError(f"`num_thresholds` must be > 1, got {num_thresholds}.")
            grid = _grid(int(num_thresholds))
        super().__init__(grid, name, dtype)
        self.num_thresholds, self.curve, self.summation_method = len(grid), curve, summation_method
        self.multi_label, self.num_labels, self.label_weights = (
            bool(multi_label),
            num_labels,
            label_weights,
        )
        self._from_logits = bool(from_logits)
        self._given_thresholds = None if thresholds is None else [float(t) for t in thresholds]
        self._labels: list[AUC] = []

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Adds the counts of a batch."""
        y_true, y_pred = aligned(y_true, y_pred)
        if self._from_logits:
            from ...ops.exponential import sigmoid

            y_pred = sigmoid(y_pred)
        if not self.multi_label:
            super().update_state(y_true, y_pred, sample_weight)
            return
        while len(self._labels) < y_pred.shape[-1]:
            one = AUC(
                curve=self.curve,
                summation_method=self.summation_method,
                thresholds=self.thresholds[1:-1],
            )
            self._labels.append(one)
        for label, one in enumerate(self._labels):
            one.update_state(y_true[..., label], y_pred[..., label], sample_weight)

    def reset_state(self) -> None:
        """Starts anew."""
        super().reset_state()
        for one in self._labels:
            one.reset_state()

    def result(self) -> Any:
        """The area so far."""
        if self.multi_label:
            areas = stack([one.result() for one in self._labels])
            if self.label_weights is None:
                return reduce_mean(areas)
            weights = convert(list(self.label_weights), areas.dtype)
            return reduce_sum(areas * weights) / reduce_sum(weights)
        if self.curve == "PR" and self.summation_method == "interpolation":
            return self._interpolated()
        sensitivity, specificity, precision = self._rates()
        x, y = (1.0 - specificity, sensitivity) if self.curve == "ROC" else (sensitivity, precision)
        first, second = y[:-1], y[1:]
        if self.summation_method == "interpolation":
            heights = (first + second) / 2.0
        elif self.summation_method == "minoring":
            heights = minimum(first, second)
        else:
            heights = maximum(first, second)
        return reduce_sum((x[:-1] - x[1:]) * heights)

    def _interpolated(self) -> Any:
        """Area below precision against recall; between thresholds true positives grow linearly with all positives."""
        tp, fp = self.true_positives.value(), self.false_positives.value()
        fn = self.false_negatives.value()
        step = tp[:-1] - tp[1:]
        positives = tp + fp
        slope = divide_no_nan(step, maximum(positives[:-1] - positives[1:], 0.0))
        intercept = tp[1:] - slope * positives[1:]
        good = (positives[:-1] > 0) & (positives[1:] > 0)
        ratio = where(
            good,
            divide_no_nan(positives[:-1], maximum(positives[1:], 0.0)),
            ones_like(positives[1:]),
        )
        area = divide_no_nan(slope * (step + intercept * log(ratio)), maximum(tp[1:] + fn[1:], 0.0))
        return reduce_sum(area)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a metric like this one."""
        return {
            **super().get_config(), "num_thresholds": self.num_thresholds, "curve": self.curve,
            "summation_method": self.summation_method, "thresholds": self._given_thresholds,
            "multi_label": self.multi_label, "num_labels": self.num_labels, "label_weights": self.label_weights,
            "from_logits": self._from_logits,
        }  # fmt: skip


class _AtBound(_Curve):
    """The best of one rate where another is at least a bound."""

    _keep, _best = 0, 1

    def __init__(
        self, value: float, num_thresholds: int = 200, class_id: int | None = None, name: str | None = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        if not 0 <= value <= 1:
            raise ValueError(f"The bound must be in the range [0, 1], got {value}.")
        grid = [0.5] if num_thresholds == 1 else [0.0, *_grid(int(num_thresholds))[1:-1], 1.0]
        super().__init__(grid, name, dtype)
        self.value, self.num_thresholds, self.class_id = float(value), int(num_thresholds), class_id

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Adds the counts of a batch."""
        if self.class_id is not None:
            y_true, y_pred = aligned(y_true, y_pred)
            y_true, y_pred = y_true[..., self.class_id], y_pred[..., self.class_id]
        super().update_state(y_true, y_pred, sample_weight)

    def result(self) -> Any:
        """The best rate so far; 0 where the bound is never met."""
        rates = self._rates()
        enough = rates[self._keep] >= self.value
        return reduce_max(where(enough, rates[self._best], zeros_like(rates[self._best])))

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a metric like this one."""
        return {
            **super().get_config(),
            "num_thresholds": self.num_thresholds,
            "class_id": self.class_id,
        }


_DOC = """{title}

    Args:
        {argument}: The bound, in [0, 1].
        num_thresholds: How many thresholds are tried. Default 200.
        class_id: Only this class counts.
        name: Name.
        dtype: Type of the result. Default the default float type.

    Raises:
        ValueError: If the bound is outside [0, 1].

    >>> float({name}(0.5)([0, 0, 1, 1], [0.0, 0.5, 0.3, 0.9])) > 0
    True
    """


def _at_bound(name: str, title: str, argument: str, keep: int, best: int) -> type:
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        _AtBound.__init__(*bound.args)

    signature = inspect.signature(_AtBound.__init__)
    parameters = [
        p.replace(name=argument) if n == "value" else p for n, p in signature.parameters.items()
    ]
    signature = signature.replace(parameters=parameters)
    __init__.__signature__ = signature  # type: ignore[attr-defined]

    def get_config(self: Any) -> dict[str, Any]:
        return {**_AtBound.get_config(self), argument: self.value}

    get_config.__doc__ = "The arguments that make a metric like this one."
    made = type(
        name, (_AtBound,),
        {
            "__init__": __init__, "get_config": get_config, "_keep": keep, "_best": best,
            "__doc__": _DOC.format(title=title, argument=argument, name=name),
        },
    )  # fmt: skip
    made.__module__ = "eagercore.keras.metrics"
    return made


SensitivityAtSpecificity: Any = _at_bound(
    "SensitivityAtSpecificity",
    "The best sensitivity where the specificity is at least a bound.",
    "specificity",
    1,
    0,
)
SpecificityAtSensitivity: Any = _at_bound(
    "SpecificityAtSensitivity",
    "The best specificity where the sensitivity is at least a bound.",
    "sensitivity",
    0,
    1,
)
PrecisionAtRecall: Any = _at_bound(
    "PrecisionAtRecall", "The best precision where the recall is at least a bound.", "recall", 0, 2
)
RecallAtPrecision: Any = _at_bound(
    "RecallAtPrecision",
    "The best recall where the precision is at least a bound.",
    "precision",
    2,
    0,
)


class MeanIoU(Metric):
    """Mean over classes of intersection over union of predicted and true places.

    Args:
        num_classes: Number of classes.
        name: Name. Default "mean_io_u".
        dtype: Type of the result. Default the default float type.

    >>> round(float(MeanIoU(2)([0, 0, 1, 1], [0, 1, 0, 1])), 4)
    0.3333
    """

    def __init__(self, num_classes: int, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(name, dtype)
        self.num_classes = int(num_classes)
        self.total_cm = self.add_weight(
            "total_confusion_matrix", shape=(self.num_classes, self.num_classes)
        )

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Adds the confusion matrix of a batch."""
        rows = reshape(cast(self._whole(y_true), dtypes.int64), (-1,))
        columns = reshape(cast(self._whole(y_pred), dtypes.int64), (-1,))
        if sample_weight is None:
            weights = ones_like(rows, dtype=self.dtype)
        else:
            weights = reshape(cast(convert(sample_weight), self.dtype), (-1,))
        places = concat([expand_dims(rows, axis=1), expand_dims(columns, axis=1)], axis=1)
        self.total_cm.assign_add(scatter_nd(places, weights, (self.num_classes, self.num_classes)))

    @staticmethod
    def _whole(values: Any) -> Any:
        from ...core.tensor import Tensor

        return values if isinstance(values, Tensor) else convert(values)

    def result(self) -> Any:
        """The mean so far, over the classes that occurred."""
        matrix = self.total_cm.value()
        right = stack([matrix[i, i] for i in range(self.num_classes)])
        union = reduce_sum(matrix, axis=0) + reduce_sum(matrix, axis=1) - right
        present = reduce_sum(cast(union > 0, self.dtype))
        return divide_no_nan(reduce_sum(divide_no_nan(right, union)), present)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a metric like this one."""
        return {**super().get_config(), "num_classes": self.num_classes}
