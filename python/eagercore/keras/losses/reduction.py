"""How losses of single examples become one number, and how weights and targets are fitted to predictions."""

from __future__ import annotations

from typing import Any

from ...base.shapes import broadcast_shapes
from ...core.tensor import EagerTensor, Tensor, convert
from ...core.variable import Variable
from ...ops.arithmetic import multiply
from ...ops.create import cast
from ...ops.reduce import reduce_sum
from ...ops.shape import expand_dims, squeeze
from ..settings import settings


class Reduction:
    """How losses of single examples become one number."""

    AUTO = "auto"
    NONE = "none"
    SUM = "sum"
    SUM_OVER_BATCH_SIZE = "sum_over_batch_size"

    @classmethod
    def all(cls) -> tuple[str, ...]:
        """All ways."""
        return cls.AUTO, cls.NONE, cls.SUM, cls.SUM_OVER_BATCH_SIZE

    @classmethod
    def validate(cls, key: Any) -> None:
        """Raises ValueError unless `key` is one of the ways."""
        if key not in cls.all():
            raise ValueError(
                f"Invalid Reduction Key: {key}. Expected keys are {cls.all()}: 'auto' and "
                f"'sum_over_batch_size' give the mean."
            )


def as_prediction(y_pred: Any) -> Any:
    """A prediction as a floating tensor."""
    y_pred = y_pred if isinstance(y_pred, Tensor) else _floats(y_pred)
    return y_pred if y_pred.dtype.is_floating else cast(y_pred, settings.floatx)


def widened(y_pred: Any) -> Any:
    """A prediction of a layer that computes in a narrow type, in the default float type: losses have that."""
    if isinstance(y_pred, Tensor) and y_pred.dtype.is_floating and y_pred.dtype.size == 2:
        return cast(y_pred, settings.floatx)
    return y_pred


def _floats(value: Any) -> Any:
    """Arrays and numbers: double ones take the default float type, as everywhere in layers."""
    tensor = convert(value)
    strong = isinstance(value, Variable)
    if not strong and tensor.dtype.is_floating and tensor.dtype.name != settings.floatx:
        return cast(tensor, settings.floatx)
    return tensor


def as_target(y_true: Any, y_pred: Any) -> Any:
    """A target as a tensor of the prediction's dtype."""
    tensor = y_true if isinstance(y_true, Tensor) else convert(y_true)
    return cast(tensor, y_pred.dtype)


def aligned(y_true: Any, y_pred: Any) -> tuple[Any, Any]:
    """Target and prediction of one rank: a missing last axis of extent 1 is added.

    Without this, targets (N,) against predictions (N, 1) would be compared each with each.
    """
    y_pred = as_prediction(y_pred)
    y_true = as_target(y_true, y_pred)
    if type(y_true) is EagerTensor is type(y_pred) and y_true._array.shape == y_pred._array.shape:
        return y_true, y_pred
    a, b = y_true.shape.rank, y_pred.shape.rank
    if a is not None and b is not None:
        if b - a == 1 and y_pred.shape[-1] == 1:
            y_true = expand_dims(y_true, axis=-1)
        elif a - b == 1 and y_true.shape[-1] == 1:
            y_pred = expand_dims(y_pred, axis=-1)
    try:
        broadcast_shapes(y_true.shape, y_pred.shape)
    except ValueError:
        raise ValueError(
            f"Targets and predictions do not fit: y_true has shape {y_true.shape}, y_pred {y_pred.shape}. "
            "Give targets of the predictions' shape."
        ) from None
    return y_true, y_pred


def fit_weights(values: Any, sample_weight: Any) -> Any:
    """Weights in a shape that broadcasts with the values: axes of extent 1 are added or taken away at the end."""
    weights = sample_weight if isinstance(sample_weight, Tensor) else convert(sample_weight)
    weights = cast(weights, values.dtype)
    own, wanted = weights.shape.rank, values.shape.rank
    if own is None or wanted is None or own == 0:
        return weights
    if own == wanted + 1 and weights.shape[-1] == 1:
        weights = squeeze(weights, axis=-1)
    while weights.shape.rank < wanted:
        weights = expand_dims(weights, axis=-1)
    try:
        broadcast_shapes(weights.shape, values.shape)
    except ValueError:
        raise ValueError(
            f"`sample_weight` of shape {weights.shape} does not fit losses of shape {values.shape}."
        ) from None
    return weights


def compute_weighted_loss(
    losses: Any, sample_weight: Any = None, reduction: str = Reduction.SUM_OVER_BATCH_SIZE
) -> Any:
    """Losses of single examples, weighted and reduced.

    Args:
        losses: Tensor of losses.
        sample_weight: Weights, or None.
        reduction: One of `Reduction`.
    """
    Reduction.validate(reduction)
    if sample_weight is not None:
        losses = multiply(losses, fit_weights(losses, sample_weight))
    if reduction == Reduction.NONE:
        return losses
    total = reduce_sum(losses)
    if reduction == Reduction.SUM:
        return total
    count = losses.shape.num_elements()
    if count is not None:
        return total / float(count) if count else multiply(total, 0.0)
    return total / cast(_size(losses), losses.dtype)


def _size(x: Any) -> Any:
    from ...ops.shape import size

    return size(x)
