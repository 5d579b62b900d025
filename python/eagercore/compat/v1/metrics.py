"""tf.metrics: the classes of tf.keras.metrics, and TensorFlow 1's functions, which need a graph."""

from __future__ import annotations

import importlib
from typing import Any

from ...base.context import context
from ...core.tensor import convert
from ...core.variable import Variable
from ...graph.default import GraphKeys
from ...ops.arithmetic import multiply, square, subtract
from ...ops.compare import equal, greater, logical_and, logical_not, not_equal
from ...ops.complexes import abs as absolute
from ...ops.create import cast, ones_like, zeros_like
from ...ops.exponential import sqrt
from ...ops.operators import truediv
from ...ops.reduce import reduce_sum
from ...ops.select import where

#: The functions of TensorFlow 1; everything else is keras's.
FUNCTIONS = (
    "accuracy", "false_negatives", "false_positives", "mean", "mean_absolute_error", "mean_per_class_accuracy",
    "mean_squared_error", "percentage_below", "precision", "recall", "root_mean_squared_error", "true_negatives",
    "true_positives",
)  # fmt: skip


def _need_graph(name: str) -> None:
    if context.graph is None:
        raise RuntimeError(
            f"tf.metrics.{name} is not supported when eager execution is enabled. Use tf.keras.metrics or tfe.metrics: "
            "objects that are called with each batch."
        )


def _local(name: str) -> Variable:
    """A counter of the graph that is initialized with the local variables."""
    keys = [GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES]
    return Variable(0.0, trainable=False, name=name, collections=keys)


def _quotient(total: Any, count: Any) -> Any:
    some = not_equal(count, 0.0)
    return where(some, truediv(total, where(some, count, ones_like(count))), zeros_like(total))


def _ratio(scope: str, added: Any, counted: Any, after: Any = None) -> tuple[Any, Any]:
    """(value, update): sums of `added` and `counted` over all runs, divided."""
    total, count = _local(f"{scope}/total"), _local(f"{scope}/count")
    finish = after or (lambda x: x)
    value = finish(_quotient(total.value(), count.value()))
    total_now, count_now = total.assign_add(added), count.assign_add(counted)
    return value, finish(_quotient(convert(total_now), convert(count_now)))


def _weights(weights: Any, like: Any) -> Any:
    return (
        ones_like(like) if weights is None else cast(convert(weights), "float32") * ones_like(like)
    )


def _collected(
    pair: tuple[Any, Any], metrics_collections: Any, updates_collections: Any
) -> tuple[Any, Any]:
    for keys, one in ((metrics_collections, pair[0]), (updates_collections, pair[1])):
        for key in [keys] if isinstance(keys, str) else keys or []:
            context.graph.add_to_collection(key, one)
    return pair


def mean(
    values: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Mean over all runs of a graph.

    Args:
        values: Tensor.
        weights: Weights, or None.
        metrics_collections: Collections to which the value is added.
        updates_collections: Collections to which the update is added.
        name: Scope of the variables.

    Returns:
        (value, operation that takes a batch into account and gives the new value).

    Raises:
        RuntimeError: In eager execution.
    """
    _need_graph("mean")
    values = cast(convert(values), "float32")
    chosen = _weights(weights, values)
    pair = _ratio(name or "mean", reduce_sum(multiply(values, chosen)), reduce_sum(chosen))
    return _collected(pair, metrics_collections, updates_collections)


def accuracy(
    labels: Any, predictions: Any, weights: Any = None, metrics_collections: Any = None, updates_collections: Any =
        None,
    name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Share of predictions that equal their labels, over all runs of a graph.

    Args:
        labels: Tensor.
        predictions: Tensor of the same shape.
        weights: Weights, or None.
        metrics_collections: Collections to which the value is added.
        updates_collections: Collections to which the update is added.
        name: Scope of the variables.

    Returns:
        (value, operation that takes a batch into account and gives the new value).

    Raises:
        RuntimeError: In eager execution.
    """
    _need_graph("accuracy")
    labels, predictions = convert(labels), convert(predictions)
    right = cast(equal(cast(labels, predictions.dtype), predictions), "float32")
    return mean(right, weights, metrics_collections, updates_collections, name or "accuracy")


def _errors(name: str, function: Any, after: Any = None) -> Any:
    def metric(
        labels: Any, predictions: Any, weights: Any = None, metrics_collections: Any = None, updates_collections:
            Any = None,
        name_: str | None = None, **others: Any,
    ) -> tuple[Any, Any]:  # fmt: skip
        _need_graph(name)
        predictions = cast(convert(predictions), "float32")
        labels = cast(convert(labels), "float32")
        values = function(subtract(predictions, labels))
        chosen = _weights(weights, values)
        scope = others.get("name") or name_ or name
        pair = _ratio(scope, reduce_sum(multiply(values, chosen)), reduce_sum(chosen), after)
        return _collected(pair, metrics_collections, updates_collections)

    metric.__name__ = metric.__qualname__ = name
    metric.__doc__ = f"""The {name.replace("_", " ")} over all runs of a graph.

    Args:
        labels: Tensor.
        predictions: Tensor of the same shape.
        weights: Weights, or None.
        metrics_collections: Collections to which the value is added.
        updates_collections: Collections to which the update is added.
        name_: Scope of the variables.
        **others: `name`.

    Returns:
        (value, operation that takes a batch into account and gives the new value).
    """
    return metric


mean_absolute_error = _errors("mean_absolute_error", absolute)
mean_squared_error = _errors("mean_squared_error", square)
root_mean_squared_error = _errors("root_mean_squared_error", square, sqrt)


def _counts(labels: Any, predictions: Any, label: bool, prediction: bool, weights: Any) -> Any:
    labels, predictions = cast(convert(labels), "bool"), cast(convert(predictions), "bool")
    hit = logical_and(
        labels if label else logical_not(labels),
        predictions if prediction else logical_not(predictions),
    )
    counted = cast(hit, "float32")
    return reduce_sum(multiply(counted, _weights(weights, counted)))


def _counter(name: str, label: bool, prediction: bool) -> Any:
    def metric(
        labels: Any, predictions: Any, weights: Any = None, metrics_collections: Any = None, updates_collections:
            Any = None,
        name_: str | None = None, **others: Any,
    ) -> tuple[Any, Any]:  # fmt: skip
        _need_graph(name)
        count = _local(f"{others.get('name') or name_ or name}/count")
        value = count.value()
        pair = (
            value,
            convert(count.assign_add(_counts(labels, predictions, label, prediction, weights))),
        )
        return _collected(pair, metrics_collections, updates_collections)

    metric.__name__ = metric.__qualname__ = name
    metric.__doc__ = f"""Number of {name.replace("_", " ")} over all runs of a graph.

    Args:
        labels: Boolean tensor.
        predictions: Boolean tensor.
        weights: Weights, or None.
        metrics_collections: Collections to which the value is added.
        updates_collections: Collections to which the update is added.
        name_: Scope of the variables.
        **others: `name`.

    Returns:
        (value, operation that takes a batch into account and gives the new value).
    """
    return metric


true_positives = _counter("true_positives", True, True)
true_negatives = _counter("true_negatives", False, False)
false_positives = _counter("false_positives", False, True)
false_negatives = _counter("false_negatives", True, False)


def _share(name: str, label: bool, prediction: bool) -> Any:
    def metric(
        labels: Any, predictions: Any, weights: Any = None, metrics_collections: Any = None, updates_collections:
            Any = None,
        name_: str | None = None, **others: Any,
    ) -> tuple[Any, Any]:  # fmt: skip
        _need_graph(name)
        right = _counts(labels, predictions, True, True, weights)
        wrong = _counts(labels, predictions, label, prediction, weights)
        pair = _ratio(others.get("name") or name_ or name, right, right + wrong)
        return _collected(pair, metrics_collections, updates_collections)

    metric.__name__ = metric.__qualname__ = name
    metric.__doc__ = f"""The {name} over all runs of a graph.

    Args:
        labels: Boolean tensor.
        predictions: Boolean tensor.
        weights: Weights, or None.
        metrics_collections: Collections to which the value is added.
        updates_collections: Collections to which the update is added.
        name_: Scope of the variables.
        **others: `name`.

    Returns:
        (value, operation that takes a batch into account and gives the new value).
    """
    return metric


precision = _share("precision", False, True)
recall = _share("recall", True, False)


def percentage_below(
    values: Any, threshold: Any, weights: Any = None, metrics_collections: Any = None, updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Share of values below a threshold over all runs of a graph.

    Args:
        values: Tensor.
        threshold: The threshold.
        weights: Weights, or None.
        metrics_collections: Collections to which the value is added.
        updates_collections: Collections to which the update is added.
        name: Scope of the variables.
    """
    below = cast(greater(convert(threshold), convert(values)), "float32")
    return mean(
        below,
        weights,
        metrics_collections,
        updates_collections,
        name or "percentage_below_threshold",
    )


def mean_per_class_accuracy(
    labels: Any, predictions: Any, num_classes: int, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """Mean of the classes' accuracies over all runs of a graph.

    Args:
        labels: Integer tensor.
        predictions: Integer tensor of the same shape.
        num_classes: Number of classes.
        weights: Weights, or None.
        metrics_collections: Collections to which the value is added.
        updates_collections: Collections to which the update is added.
        name: Scope of the variables.
    """
    _need_graph("mean_per_class_accuracy")
    labels, predictions = cast(convert(labels), "int64"), cast(convert(predictions), "int64")
    pairs = []
    for number in range(num_classes):
        here = cast(equal(labels, number), "float32")
        chosen = multiply(here, _weights(weights, here))
        right = multiply(cast(equal(predictions, labels), "float32"), chosen)
        pairs.append(
            _ratio(f"{name or 'mean_accuracy'}_{number}", reduce_sum(right), reduce_sum(chosen))
        )
    values = [sum(p[i] for p in pairs) / float(num_classes) for i in (0, 1)]
    return _collected((values[0], values[1]), metrics_collections, updates_collections)


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(importlib.import_module("eagercore.keras.metrics"), name)


def __dir__() -> list[str]:
    return sorted({*FUNCTIONS, *dir(importlib.import_module("eagercore.keras.metrics"))})
