"""tf.losses of TensorFlow 1: each loss is a scalar, weighted, and refuses what would broadcast by mistake."""

from __future__ import annotations

from typing import Any

from ...base import errors
from ...base.context import context
from ...core.tensor import convert
from ...ops.arithmetic import add, maximum, minimum, multiply, negative, square, subtract
from ...ops.compare import not_equal
from ...ops.complexes import abs as absolute
from ...ops.create import cast, ones_like, stop_gradient, zeros_like
from ...ops.exponential import log
from ...ops.nn import (
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
)
from ...ops.operators import truediv
from ...ops.reduce import reduce_sum
from ...ops.select import where
from ...ops.shape import expand_dims, squeeze
from ...ops.sum_to import broadcast_to


class Reduction:
    """How the losses of the examples become one number."""

    NONE = "none"
    SUM = "weighted_sum"
    SUM_OVER_BATCH_SIZE = "weighted_sum_over_batch_size"
    MEAN = "weighted_mean"
    SUM_BY_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"
    SUM_OVER_NONZERO_WEIGHTS = SUM_BY_NONZERO_WEIGHTS

    @classmethod
    def all(cls) -> tuple[str, ...]:
        """All the ways."""
        return cls.NONE, cls.SUM, cls.MEAN, cls.SUM_OVER_BATCH_SIZE, cls.SUM_BY_NONZERO_WEIGHTS

    @classmethod
    def validate(cls, key: str) -> None:
        """Raises ValueError unless `key` is one of them."""
        if key not in cls.all():
            raise ValueError(f"Invalid Reduction Key {key}. Choose one of {cls.all()}.")


LOSSES = "losses"
DEFAULT = Reduction.SUM_BY_NONZERO_WEIGHTS


def add_loss(loss: Any, loss_collection: str | None = LOSSES) -> None:
    """Adds a loss to a graph's collection; in eager execution nothing is kept.

    Args:
        loss: Scalar tensor.
        loss_collection: Name of the collection, or None.
    """
    if (
        loss_collection
        and context.graph is not None
        and hasattr(context.graph, "add_to_collection")
    ):
        context.graph.add_to_collection(loss_collection, loss)


def get_losses(scope: str | None = None, loss_collection: str = LOSSES) -> list[Any]:
    """The losses of the graph; in eager execution an empty list.

    Args:
        scope: Only losses whose names begin with this.
        loss_collection: Name of the collection.
    """
    graph = context.graph
    return (
        []
        if graph is None or not hasattr(graph, "get_collection")
        else graph.get_collection(loss_collection, scope)
    )


def get_regularization_losses(scope: str | None = None) -> list[Any]:
    """The penalties of the graph; in eager execution an empty list (ask the layers).

    Args:
        scope: Only losses whose names begin with this.
    """
    return get_losses(scope, "regularization_losses")


def get_regularization_loss(
    scope: str | None = None, name: str = "total_regularization_loss"
) -> Any:
    """The sum of the graph's penalties; 0 where there are none.

    Args:
        scope: Only losses whose names begin with this.
        name: Accepted for TensorFlow's sake.
    """
    return _total(get_regularization_losses(scope))


def get_total_loss(
    add_regularization_losses: bool = True, name: str = "total_loss", scope: str | None = None
) -> Any:
    """The sum of the graph's losses, penalties included.

    Args:
        add_regularization_losses: Whether penalties are added.
        name: Accepted for TensorFlow's sake.
        scope: Only losses whose names begin with this.
    """
    losses = get_losses(scope)
    return _total(
        losses + get_regularization_losses(scope) if add_regularization_losses else losses
    )


def _total(losses: list[Any]) -> Any:
    total = convert(0.0)
    for loss in losses:
        total = add(total, loss)
    return total


# ------------------------------------------------------------------------------------------------- one number of many


def _check_weights(weights: Any, losses: Any) -> None:
    """TensorFlow 1's rule: weights are a scalar, or have the losses' rank and sizes equal or 1."""
    ws, ls = weights.shape, losses.shape
    if ws.rank in (0, None) or ls.rank is None:
        return
    fits = ws.rank == ls.rank and all(
        w in (1, None) or d is None or w == d for w, d in zip(ws, ls, strict=True)
    )
    if not fits:
        raise ValueError(
            f"weights can not be broadcast to values: weights have shape {ws}, the losses {ls}. Weights "
            f"must be a scalar, "
            "or have the rank of the losses and sizes that are equal or 1."
        )


def compute_weighted_loss(
    losses: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = DEFAULT,
) -> Any:
    """Losses of the examples, weighted, as one number.

    Args:
        losses: Tensor of losses.
        weights: Scalar, or tensor of the rank of `losses` with sizes equal or 1.
        scope: Accepted for TensorFlow's sake.
        loss_collection: Collection of the graph to which the result is added.
        reduction: A value of `Reduction`; by default the sum divided by the number of weights that are not zero.

    Returns:
        Scalar of the dtype of `losses` (a tensor of their shape for `Reduction.NONE`).

    Raises:
        ValueError: If the weights do not fit.

    >>> compute_weighted_loss([1.0, 3.0], weights=[1.0, 0.0]).numpy()
    np.float32(1.0)
    """
    Reduction.validate(reduction)
    losses = convert(losses)
    kind = losses.dtype
    losses = cast(losses, "float32") if not kind.is_floating else losses
    weights = cast(convert(weights), losses.dtype)
    _check_weights(weights, losses)
    weighted = multiply(losses, weights)
    loss = _reduced(weighted, losses, weights, reduction)
    loss = cast(loss, kind)
    add_loss(loss, loss_collection)
    return loss


def _reduced(weighted: Any, losses: Any, weights: Any, reduction: str) -> Any:
    if reduction == Reduction.NONE:
        return weighted
    total = reduce_sum(weighted)
    if reduction == Reduction.SUM:
        return total
    shape = losses.shape
    spread = (
        broadcast_to(weights, shape=tuple(shape))
        if shape.is_fully_defined()
        else weights * ones_like(losses)
    )
    if reduction == Reduction.MEAN:
        count = reduce_sum(spread)
    elif reduction == Reduction.SUM_BY_NONZERO_WEIGHTS:
        count = reduce_sum(cast(not_equal(spread, zeros_like(spread)), losses.dtype))
    else:
        count = reduce_sum(ones_like(losses))
    return _quotient(total, count)


def _pair(op: str, labels: Any, predictions: Any) -> tuple[Any, Any]:
    """Labels and predictions in float, of one shape."""
    if labels is None:
        raise ValueError(f"{op}: labels must not be None.")
    if predictions is None:
        raise ValueError(f"{op}: predictions must not be None.")
    predictions = convert(predictions)
    if not predictions.dtype.is_floating:
        predictions = cast(predictions, "float32")
    labels = cast(convert(labels), predictions.dtype)
    _same_shape(op, "labels", labels, "predictions", predictions)
    return labels, predictions


def _same_shape(op: str, one_name: str, one: Any, two_name: str, two: Any) -> None:
    if not one.shape.is_compatible_with(two.shape):
        raise errors.shape_error(
            None,
            f"tf.losses.{op}: Shapes {two.shape} and {one.shape} are incompatible: {one_name} and "
            f"{two_name} must have one "
            f"shape, they are not broadcast. Reshape one of them, as in tf.reshape({one_name}, {list(two.shape)}).",
        )


def mean_squared_error(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = DEFAULT,
) -> Any:
    """Mean of `(predictions - labels) ** 2`.

    Args:
        labels: Tensor of the shape of `predictions`.
        predictions: Tensor.
        weights: Scalar, or tensor of the rank of `labels` with sizes equal or 1.
        scope: Accepted for TensorFlow's sake.
        loss_collection: Collection of the graph to which the result is added.
        reduction: See `Reduction`.

    Returns:
        Scalar.

    Raises:
        ValueError: If the shapes differ.

    >>> mean_squared_error([1.0, 2.0], [1.0, 4.0]).numpy()
    np.float32(2.0)
    """
    labels, predictions = _pair("mean_squared_error", labels, predictions)
    losses = square(subtract(predictions, labels))
    return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def absolute_difference(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = DEFAULT,
) -> Any:
    """Mean of `|predictions - labels|`.

    Args:
        labels: Tensor of the shape of `predictions`.
        predictions: Tensor.
        weights: Scalar, or tensor of the rank of `labels` with sizes equal or 1.
        scope: Accepted for TensorFlow's sake.
        loss_collection: Collection of the graph to which the result is added.
        reduction: See `Reduction`.

    Returns:
        Scalar.

    >>> absolute_difference([1.0, 2.0], [1.0, 4.0]).numpy()
    np.float32(1.0)
    """
    labels, predictions = _pair("absolute_difference", labels, predictions)
    return compute_weighted_loss(
        absolute(subtract(predictions, labels)), weights, scope, loss_collection, reduction
    )


def huber_loss(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    delta: float = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = DEFAULT,
) -> Any:
    """Mean of the Huber loss: half the square up to `delta`, then a line.

    Args:
        labels: Tensor of the shape of `predictions`.
        predictions: Tensor.
        weights: Scalar, or tensor of the rank of `labels` with sizes equal or 1.
        delta: Where the line begins.
        scope: Accepted for TensorFlow's sake.
        loss_collection: Collection of the graph to which the result is added.
        reduction: See `Reduction`.

    Returns:
        Scalar.

    >>> huber_loss([0.0, 0.0], [0.5, 3.0]).numpy()
    np.float32(1.3125)
    """
    labels, predictions = _pair("huber_loss", labels, predictions)
    size = absolute(subtract(predictions, labels))
    quadratic = minimum(size, float(delta))
    linear = subtract(size, quadratic)
    losses = add(multiply(multiply(quadratic, quadratic), 0.5), multiply(linear, float(delta)))
    return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def hinge_loss(
    labels: Any,
    logits: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = DEFAULT,
) -> Any:
    """Mean of `max(0, 1 - y * logits)`, where y is -1 for labels 0 and 1 for labels 1.

    Args:
        labels: Tensor of 0 and 1, of the shape of `logits`.
        logits: Tensor.
        weights: Scalar, or tensor of the rank of `labels` with sizes equal or 1.
        scope: Accepted for TensorFlow's sake.
        loss_collection: Collection of the graph to which the result is added.
        reduction: See `Reduction`.

    Returns:
        Scalar.

    >>> hinge_loss([1.0, 0.0], [0.5, -2.0]).numpy()
    np.float32(0.25)
    """
    labels, logits = _pair("hinge_loss", labels, logits)
    signs = subtract(multiply(labels, 2.0), 1.0)
    losses = maximum(subtract(1.0, multiply(signs, logits)), 0.0)
    return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def log_loss(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    epsilon: float = 1e-7,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = DEFAULT,
) -> Any:
    """Mean cross entropy of probabilities.

    Args:
        labels: Tensor of the shape of `predictions`, between 0 and 1.
        predictions: Probabilities.
        weights: Scalar, or tensor of the rank of `labels` with sizes equal or 1.
        epsilon: Added in the logarithms.
        scope: Accepted for TensorFlow's sake.
        loss_collection: Collection of the graph to which the result is added.
        reduction: See `Reduction`.

    Returns:
        Scalar.

    >>> round(float(log_loss([1.0, 0.0], [0.5, 0.5])), 4)
    0.6931
    """
    labels, predictions = _pair("log_loss", labels, predictions)
    one = multiply(labels, log(add(predictions, epsilon)))
    other = multiply(subtract(1.0, labels), log(add(subtract(1.0, predictions), epsilon)))
    return compute_weighted_loss(
        negative(add(one, other)), weights, scope, loss_collection, reduction
    )


def cosine_distance(
    labels: Any,
    predictions: Any,
    axis: int | None = None,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = DEFAULT,
    dim: int | None = None,
) -> Any:
    """Mean of `1 - sum(labels * predictions)` along an axis; both must have length 1 there.

    Args:
        labels: Tensor of the shape of `predictions`.
        predictions: Tensor.
        axis: The axis.
        weights: Scalar, or tensor of the rank of `labels` with sizes equal or 1.
        scope: Accepted for TensorFlow's sake.
        loss_collection: Collection of the graph to which the result is added.
        reduction: See `Reduction`.
        dim: Old name of `axis`.

    Returns:
        Scalar.

    Raises:
        ValueError: If no axis is given.

    >>> cosine_distance([1.0, 0.0], [0.0, 1.0], axis=0).numpy()
    np.float32(1.0)
    """
    axis = dim if axis is None else axis
    if axis is None:
        raise ValueError("You must specify 'axis'.")
    labels, predictions = _pair("cosine_distance", labels, predictions)
    losses = subtract(1.0, reduce_sum(multiply(predictions, labels), axis=axis, keepdims=True))
    return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def mean_pairwise_squared_error(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
) -> Any:
    """Mean squared difference between the differences of pairs, example by example.

    Args:
        labels: Tensor [batch, ...] of the shape of `predictions`.
        predictions: Tensor.
        weights: Scalar, or tensor [batch] or of the rank of `labels`.
        scope: Accepted for TensorFlow's sake.
        loss_collection: Collection of the graph to which the result is added.

    Returns:
        Scalar.

    >>> mean_pairwise_squared_error([[0.0, 1.0]], [[0.0, 3.0]]).numpy()
    np.float32(4.0)
    """
    labels, predictions = _pair("mean_pairwise_squared_error", labels, predictions)
    weights = cast(convert(weights), labels.dtype)
    difference = subtract(predictions, labels)
    axes = list(range(1, difference.shape.rank))
    if weights.shape.rank == 1:
        for _ in axes:
            weights = expand_dims(weights, -1)
    on = cast(not_equal(weights * ones_like(difference), 0.0), labels.dtype)
    # TensorFlow counts all elements of the batch where the weight is one for all.
    count = reduce_sum(on) if weights.shape.rank == 0 else reduce_sum(on, axis=axes, keepdims=True)
    squares = reduce_sum(square(difference) * on, axis=axes, keepdims=True)
    sums = reduce_sum(difference * on, axis=axes, keepdims=True)
    first = _quotient(squares, maximum(subtract(count, 1.0), 0.0))
    second = _quotient(square(sums), multiply(count, subtract(count, 1.0)))
    loss = reduce_sum(multiply(multiply(subtract(first, second), 2.0), weights))
    add_loss(loss, loss_collection)
    return loss


def _quotient(total: Any, count: Any) -> Any:
    some = not_equal(count, zeros_like(count))
    return where(some, truediv(total, where(some, count, ones_like(count))), zeros_like(total))


def sigmoid_cross_entropy(
    multi_class_labels: Any,
    logits: Any,
    weights: Any = 1.0,
    label_smoothing: float = 0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = DEFAULT,
) -> Any:
    """Mean cross entropy of independent classes.

    Args:
        multi_class_labels: Tensor of the shape of `logits`, between 0 and 1.
        logits: Tensor [batch, classes].
        weights: Scalar, or tensor of the rank of `labels` with sizes equal or 1.
        label_smoothing: Draws labels towards 1/2 by this share.
        scope: Accepted for TensorFlow's sake.
        loss_collection: Collection of the graph to which the result is added.
        reduction: See `Reduction`.

    Returns:
        Scalar.

    >>> round(float(sigmoid_cross_entropy([[1.0]], [[0.0]])), 4)
    0.6931
    """
    logits = convert(logits)
    labels = cast(convert(multi_class_labels), logits.dtype)
    _same_shape("sigmoid_cross_entropy", "multi_class_labels", labels, "logits", logits)
    if label_smoothing > 0:
        labels = add(multiply(labels, 1 - label_smoothing), 0.5 * label_smoothing)
    losses = sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
    return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def softmax_cross_entropy(
    onehot_labels: Any,
    logits: Any,
    weights: Any = 1.0,
    label_smoothing: float = 0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = DEFAULT,
) -> Any:
    """Mean cross entropy of classes that exclude each other; the labels get no gradient.

    Args:
        onehot_labels: Tensor [batch, classes] of probabilities.
        logits: Tensor [batch, classes].
        weights: Scalar, or tensor [batch].
        label_smoothing: Draws labels towards 1/classes by this share.
        scope: Accepted for TensorFlow's sake.
        loss_collection: Collection of the graph to which the result is added.
        reduction: See `Reduction`.

    Returns:
        Scalar.

    >>> round(float(softmax_cross_entropy([[1.0, 0.0]], [[0.0, 0.0]])), 4)
    0.6931
    """
    logits = convert(logits)
    labels = cast(convert(onehot_labels), logits.dtype)
    _same_shape("softmax_cross_entropy", "onehot_labels", labels, "logits", logits)
    if label_smoothing > 0:
        labels = add(multiply(labels, 1 - label_smoothing), label_smoothing / logits.shape[-1])
    losses = softmax_cross_entropy_with_logits(labels=stop_gradient(labels), logits=logits)
    return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


def sparse_softmax_cross_entropy(
    labels: Any,
    logits: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = DEFAULT,
) -> Any:
    """Mean cross entropy of classes that exclude each other, the right one given by its number.

    Args:
        labels: Integer tensor [batch] or [batch, 1].
        logits: Tensor [batch, classes].
        weights: Scalar, or tensor of the shape of `labels`.
        scope: Accepted for TensorFlow's sake.
        loss_collection: Collection of the graph to which the result is added.
        reduction: See `Reduction`.

    Returns:
        Scalar.

    >>> round(float(sparse_softmax_cross_entropy([0], [[0.0, 0.0]])), 4)
    0.6931
    """
    logits, labels = convert(logits), convert(labels)
    weights = cast(convert(weights), logits.dtype)
    if (
        labels.shape.rank is not None
        and labels.shape.rank == logits.shape.rank
        and labels.shape[-1] == 1
    ):
        labels = squeeze(labels, -1)
        if weights.shape.rank == logits.shape.rank:
            weights = squeeze(weights, -1)
    losses = sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    if weights.shape.rank == 2 and losses.shape.rank == 1 and weights.shape[-1] == 1:
        weights = squeeze(weights, -1)
    return compute_weighted_loss(losses, weights, scope, loss_collection, reduction)


Reduction.__module__ = "eagercore"
