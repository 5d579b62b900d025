"""tf.contrib.metrics: what programs used of it."""

from __future__ import annotations

from typing import Any

from ..ops.compare import equal
from ..ops.create import cast
from ..ops.reduce import reduce_mean


def accuracy(predictions: Any, labels: Any, weights: Any = None, name: str | None = None) -> Any:
    """Share of predictions that are right.

    Args:
        predictions: Tensor.
        labels: Tensor of the same shape and dtype.
        weights: Weights, or None.
        name: Accepted for TensorFlow's sake.
    """
    right = cast(equal(predictions, labels), "float32")
    if weights is None:
        return reduce_mean(right)
    from ..ops.reduce import reduce_sum

    weights = cast(weights, "float32")
    return reduce_sum(right * weights) / reduce_sum(weights)
