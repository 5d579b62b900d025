"""Activations and losses of neural networks that want numerics of their own."""

from __future__ import annotations

import numpy as np

from ..base import dtypes, errors
from ..base.shapes import TensorSpec
from ..core.coerce import Axis, as_float
from ..core.op import elementwise, number, op
from ..core.tensor import EagerTensor, Tensor, convert
from .arithmetic import add, multiply, negative, subtract
from .compare import greater
from .create import cast, shape_of
from .exponential import exp
from .reduce import reduce_sum, reducers
from .select import select
from .shape import expand_dims, reshape


@elementwise(kinds="iuf", domain=(0.1, 3))
def relu(xp, features):
    """`max(features, 0)`, element by element; nan stays nan.

    Args:
        features: Real tensor.

    Returns:
        Tensor of the shape and dtype of `features`. The gradient at 0 is 0.

    >>> relu([-1.0, 2.0]).numpy()
    array([0., 2.], dtype=float32)
    """
    return xp.maximum(features, number(0, features.dtype))


@relu.vjp
def relu_vjp(dy, y, _x):
    return relu_gradient(dy, y)


@relu.vjp_of_arrays
def relu_arrays(dy, y, _x):
    return relu_gradient.run(dy, y._array)


@elementwise(kinds="iuf", domain=(0.1, 3))
def relu_gradient(xp, dy, y):
    """`dy` where `y` is positive, else 0: what goes back through `y = relu(x)`.

    Args:
        dy: Gradient with respect to `y`.
        y: Result (or argument) of the forward pass.

    Returns:
        Tensor of the shape and dtype of `y`.

    >>> relu_gradient([1.0, 1.0], [0.0, 2.0]).numpy()
    array([0., 1.], dtype=float32)
    """
    return xp.multiply(dy, xp.greater(y, number(0, y.dtype)))


@relu_gradient.vjp
def relu_gradient_vjp(ddx, _dx, _dy, y):
    return relu_gradient(ddx, y), None


@elementwise(kinds="f", domain=(0.1, 3))
def leaky_relu_op(xp, features, *, alpha: float = 0.2):
    """`features` where positive, else `alpha * features`.

    Args:
        features: Floating tensor.
        alpha: Slope for negative numbers, 0 or more, so that the result has the sign of the features: the way back
            needs only the result. Default 0.2.

    Returns:
        Tensor of the shape and dtype of `features`. The gradient at 0 is `alpha`.

    Raises:
        ValueError: If `alpha` is negative.

    >>> leaky_relu_op([-1.0, 2.0]).numpy()
    array([-0.2,  2. ], dtype=float32)
    """
    if alpha < 0:
        raise errors.value_error(
            "LeakyRelu", f"`alpha` must not be negative here, got {alpha}: call `leaky_relu`."
        )
    scaled = xp.multiply(features, features.dtype.type(alpha))
    return xp.maximum(features, scaled) if alpha <= 1 else xp.where(features > 0, features, scaled)


@leaky_relu_op.vjp
def leaky_relu_op_vjp(dy, y, _x, *, alpha):
    return leaky_relu_gradient(dy, y, alpha=alpha)


@elementwise(kinds="f", domain=(0.1, 3))
def leaky_relu_gradient(xp, dy, x, *, alpha: float):
    """`dy` where `x` is positive, else `alpha * dy`.

    Args:
        dy: Gradient of the result.
        x: Argument, or result, of the forward pass: they have the same sign.
        alpha: Slope for negative numbers.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> leaky_relu_gradient([1.0, 1.0], [-1.0, 2.0], alpha=0.5).numpy()
    array([0.5, 1. ], dtype=float32)
    """
    return xp.multiply(dy, xp.where(x > 0, x.dtype.type(1), x.dtype.type(alpha)))


@leaky_relu_gradient.vjp
def leaky_relu_gradient_vjp(ddx, _dx, _dy, x, *, alpha):
    return leaky_relu_gradient(ddx, x, alpha=alpha), None


@leaky_relu_gradient.samples
def leaky_relu_gradient_samples(rng):
    yield (rng.normal(size=(2, 3)), rng.normal(size=(2, 3))), {"alpha": 0.3}


def leaky_relu(features, alpha=0.2, name=None):
    """`features` where positive, else `alpha * features`.

    Args:
        features: Real tensor; whole numbers become float32.
        alpha: Slope for negative numbers. Default 0.2.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape of `features`. The gradient at 0 is `alpha`.

    >>> leaky_relu([-1.0, 2.0]).numpy()
    array([-0.2,  2. ], dtype=float32)
    """
    features = convert(features)
    if features.dtype.is_integer:
        features = cast(features, dtypes.float32)
    if as_float(alpha, "LeakyRelu", "alpha") < 0:
        return select(greater(features, 0.0), features, multiply(features, alpha))
    return leaky_relu_op(features, alpha=alpha)


def _softmax(xp, x, axis):
    if x.dtype.itemsize == 2:  # the sum of many parts needs float32's digits
        return _softmax(xp, x.astype("float32"), axis).astype(x.dtype)
    largest, _, summed, _ = reducers(xp)
    top = largest(x, axis=axis, keepdims=True) if x.shape[axis] else x
    out = xp.subtract(x, top)
    out = xp.exp(out, out=out) if xp is np else xp.exp(out)
    total = summed(out, axis=axis, keepdims=True, dtype=x.dtype)
    return xp.divide(out, total, out=out) if xp is np else out / total


@op(label="Softmax", kinds="f", aliases={"dim": "axis"})
def softmax_op(xp, logits, *, axis: Axis = -1):
    """`exp(x) / sum(exp(x))` along an axis, without overflow.

    Args:
        logits: Floating tensor of rank 1 at least.
        axis: Axis, 0-based. Default last.

    Returns:
        Tensor of the shape and dtype of `logits`, which sums to 1 along the axis.

    >>> softmax_op([1e4, 1e4]).numpy()
    array([0.5, 0.5], dtype=float32)
    """
    return _softmax(xp, logits, axis)


@softmax_op.vjp
def softmax_op_vjp(dy, y, _x, *, axis):
    return softmax_gradient(dy, y, axis=axis)


@softmax_op.samples
def softmax_op_samples(rng):
    yield (rng.normal(size=(2, 3)),), {}
    yield (rng.normal(size=(2, 3)),), {"axis": 0}


@op(kinds="f")
def softmax_gradient(xp, dy, y, *, axis: Axis = -1):
    """`(dy - sum(dy * y)) * y`: what goes back through `y = softmax(x)`.

    Args:
        dy: Gradient with respect to `y`.
        y: Result of the forward pass.
        axis: Axis.

    Returns:
        Tensor of the shape and dtype of `y`.

    >>> softmax_gradient([1.0, 0.0], [0.5, 0.5]).numpy()
    array([ 0.25, -0.25], dtype=float32)
    """
    total = reducers(xp)[2](dy * y, axis=axis, keepdims=True, dtype=y.dtype)
    return xp.multiply(xp.subtract(dy, total), y)


@softmax_gradient.vjp
def softmax_gradient_vjp(ddx, _dx, dy, y, *, axis):
    total = reduce_sum(multiply(dy, y), axis=axis, keepdims=True)
    inner = reduce_sum(multiply(ddx, y), axis=axis, keepdims=True)
    return (
        softmax_gradient(ddx, y, axis=axis),
        subtract(multiply(ddx, subtract(dy, total)), multiply(dy, inner)),
    )


@softmax_gradient.samples
def softmax_gradient_samples(rng):
    yield (rng.normal(size=(2, 3)), rng.uniform(0.1, 0.5, size=(2, 3))), {}


@op(label="LogSoftmax", kinds="f", aliases={"dim": "axis"})
def log_softmax_op(xp, logits, *, axis: Axis = -1):
    """`x - log(sum(exp(x)))` along an axis, without overflow.

    Args:
        logits: Floating tensor of rank 1 at least.
        axis: Axis, 0-based. Default last.

    Returns:
        Tensor of the shape and dtype of `logits`.

    >>> log_softmax_op([0.0, 0.0]).numpy()
    array([-0.6931472, -0.6931472], dtype=float32)
    """
    if logits.size == 0:
        return logits.copy()
    if logits.dtype.itemsize == 2:  # the sum of many parts needs float32's digits
        return log_softmax_op.forward(xp, logits.astype("float32"), axis=axis).astype(logits.dtype)
    largest, _, summed, _ = reducers(xp)
    moved = logits - largest(logits, axis=axis, keepdims=True)
    return moved - xp.log(summed(xp.exp(moved), axis=axis, keepdims=True, dtype=logits.dtype))


@log_softmax_op.vjp
def log_softmax_op_vjp(dy, y, _x, *, axis):
    return log_softmax_gradient(dy, y, axis=axis)


@log_softmax_op.samples
def log_softmax_op_samples(rng):
    yield (rng.normal(size=(2, 3)),), {}


@op(kinds="f")
def log_softmax_gradient(xp, dy, y, *, axis: Axis = -1):
    """`dy - exp(y) * sum(dy)`: what goes back through `y = log_softmax(x)`.

    Args:
        dy: Gradient with respect to `y`.
        y: Result of the forward pass.
        axis: Axis.

    Returns:
        Tensor of the shape and dtype of `y`.

    >>> log_softmax_gradient([1.0, 0.0], [0.0, -100.0]).numpy().tolist()
    [0.0, 0.0]
    """
    total = reducers(xp)[2](dy, axis=axis, keepdims=True, dtype=y.dtype)
    return xp.subtract(dy, xp.multiply(xp.exp(y), total))


@log_softmax_gradient.vjp
def log_softmax_gradient_vjp(ddx, _dx, dy, y, *, axis):
    weighted = multiply(ddx, exp(y))
    total = reduce_sum(dy, axis=axis, keepdims=True)
    return (
        subtract(ddx, reduce_sum(weighted, axis=axis, keepdims=True)),
        negative(multiply(weighted, total)),
    )


@log_softmax_gradient.samples
def log_softmax_gradient_samples(rng):
    yield (rng.normal(size=(2, 3)), rng.normal(size=(2, 3)) - 1), {}
    yield (rng.normal(size=(2, 3)), rng.normal(size=(2, 3)) - 1), {"axis": 0}


def softmax(logits, axis=None, name=None, dim=None):
    """`exp(x) / sum(exp(x))` along an axis, without overflow.

    Args:
        logits: Floating tensor of rank 1 at least.
        axis: Axis, 0-based. Default last.
        name: Accepted for TensorFlow's sake.
        dim: TensorFlow 1's name of `axis`.

    Returns:
        Tensor of the shape and dtype of `logits`, which sums to 1 along the axis.

    Raises:
        InvalidArgumentError: If the axis is out of range.

    >>> softmax([1e4, 1e4]).numpy()
    array([0.5, 0.5], dtype=float32)
    """
    logits = convert(logits)
    return softmax_op(logits, axis=_known_axis(logits, axis, dim, "softmax"))


def log_softmax(logits, axis=None, name=None, dim=None):
    """`log(softmax(logits))` along an axis, without overflow.

    Args:
        logits: Floating tensor of rank 1 at least.
        axis: Axis, 0-based. Default last.
        name: Accepted for TensorFlow's sake.
        dim: TensorFlow 1's name of `axis`.

    Returns:
        Tensor of the shape and dtype of `logits`.

    >>> log_softmax([0.0, 0.0]).numpy()
    array([-0.6931472, -0.6931472], dtype=float32)
    """
    logits = convert(logits)
    return log_softmax_op(logits, axis=_known_axis(logits, axis, dim, "log_softmax"))


def _known_axis(x, axis, dim, op_name):
    axis = dim if axis is None else axis
    axis = -1 if axis is None else int(axis)
    rank = x.shape.rank
    if rank is not None and not -rank <= axis < rank:
        raise errors.index_error(
            op_name,
            f"`axis` must be in the range [{-rank}, {rank}) where {rank} is the number of "
            f"dimensions of the input. Received: {axis}.",
        )
    return axis


@elementwise(kinds="f", domain=(-3, 3))
def sigmoid_cross_entropy_op(xp, labels, logits):
    """`max(x, 0) - x * z + log(1 + exp(-|x|))` for logits x and labels z.

    Args:
        labels: Floating tensor of targets in [0, 1].
        logits: Tensor of the same shape and dtype.

    Returns:
        Tensor of the shape of `logits`.

    >>> sigmoid_cross_entropy_op([1.0, 1.0], [0.0, 100.0]).numpy()
    array([0.6931472, 0.       ], dtype=float32)
    """
    loss = xp.log1p(xp.exp(-xp.abs(logits)))
    return xp.maximum(logits, logits.dtype.type(0)) - logits * labels + loss


@sigmoid_cross_entropy_op.vjp
def sigmoid_cross_entropy_op_vjp(dy, _y, labels, logits, needs):
    from .exponential import sigmoid

    return (
        multiply(dy, negative(logits)) if needs[0] else None,
        multiply(dy, subtract(sigmoid(logits), labels)) if needs[1] else None,
    )


def sigmoid_cross_entropy_with_logits(labels=None, logits=None, name=None):
    """Cross entropy between targets and the sigmoid of logits, element by element, without overflow.

    Args:
        labels: Floating tensor of targets in [0, 1].
        logits: Tensor of the same shape and dtype.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape of `logits`.

    Raises:
        ValueError: If the shapes differ.

    >>> sigmoid_cross_entropy_with_logits(labels=[1.0], logits=[0.0]).numpy()
    array([0.6931472], dtype=float32)
    """
    if labels is None or logits is None:
        raise ValueError(
            "Only call `sigmoid_cross_entropy_with_logits` with named arguments (labels=..., logits=...)."
        )
    logits = convert(logits)
    labels = labels if isinstance(labels, Tensor) else convert(labels, logits.dtype)
    if not logits.shape.is_compatible_with(labels.shape):
        raise errors.shape_error(
            "SigmoidCrossEntropyWithLogits",
            f"logits and labels must have the same shape, received ({logits.shape} vs {labels.shape}).",
        )
    return sigmoid_cross_entropy_op(labels, logits)


@op(label="SoftmaxCrossEntropyWithLogits", kinds="f")
def softmax_cross_entropy_op(xp, labels, logits):
    """Cross entropy between rows of probabilities and the softmax of rows of logits.

    Args:
        labels: Floating tensor [..., classes].
        logits: Tensor of the same shape and dtype.

    Returns:
        Tensor [...]: one loss for each row.

    >>> softmax_cross_entropy_op([[0.0, 1.0]], [[0.0, 0.0]]).numpy()
    array([0.6931472], dtype=float32)
    """
    if logits.dtype.itemsize == 2:
        wide = labels.astype("float32"), logits.astype("float32")
        return softmax_cross_entropy_op.forward(xp, *wide).astype(logits.dtype)
    largest, _, summed, _ = reducers(xp)
    moved = logits - largest(logits, axis=-1, keepdims=True)
    log_sum = xp.log(summed(xp.exp(moved), axis=-1, keepdims=True, dtype=logits.dtype))
    return -summed(
        xp.where(labels == 0, xp.zeros((), logits.dtype), labels * (moved - log_sum)), axis=-1
    )


@softmax_cross_entropy_op.vjp
def softmax_cross_entropy_op_vjp(dy, _y, labels, logits, needs):
    first = None
    if needs[0]:
        first = multiply(expand_dims(dy, -1), negative(log_softmax_op(logits)))
    return first, softmax_cross_entropy_gradient(dy, labels, logits) if needs[1] else None


@softmax_cross_entropy_op.samples
def softmax_cross_entropy_op_samples(rng):
    p = rng.uniform(0.1, 1, size=(2, 3))
    yield (p / p.sum(1, keepdims=True), rng.normal(size=(2, 3))), {}


@op(kinds="f")
def softmax_cross_entropy_gradient(xp, dy, labels, logits):
    """`dy * (softmax(logits) * sum(labels) - labels)`: what goes back through the cross entropy to the logits.

    Args:
        dy: Gradient of the losses, [...].
        labels: Floating tensor [..., classes].
        logits: Tensor of the shape of `labels`.

    Returns:
        Tensor of the shape of `logits`.

    >>> softmax_cross_entropy_gradient([2.0], [[0.0, 1.0]], [[0.0, 0.0]]).numpy()
    array([[ 1., -1.]], dtype=float32)
    """
    weight = reducers(xp)[2](labels, axis=-1, keepdims=True, dtype=labels.dtype)
    return dy[..., None] * (_softmax(xp, logits, -1) * weight - labels)


@softmax_cross_entropy_gradient.vjp
def softmax_cross_entropy_gradient_vjp(ddx, _dx, dy, labels, logits):
    share, spread = softmax_op(logits), expand_dims(dy, -1)
    weight = reduce_sum(labels, axis=-1, keepdims=True)
    along = reduce_sum(multiply(ddx, share), axis=-1, keepdims=True)
    return (
        reduce_sum(multiply(ddx, subtract(multiply(share, weight), labels)), axis=-1),
        multiply(spread, subtract(along, ddx)),
        multiply(multiply(spread, weight), softmax_gradient(ddx, share)),
    )


@softmax_cross_entropy_gradient.shape_rule
def softmax_cross_entropy_gradient_rule(dy, labels, logits):
    return logits


@softmax_cross_entropy_gradient.samples
def softmax_cross_entropy_gradient_samples(rng):
    yield (rng.normal(size=2), rng.uniform(0.1, 1, size=(2, 3)), rng.normal(size=(2, 3))), {}


def softmax_cross_entropy_with_logits(labels=None, logits=None, axis=-1, name=None, dim=None):
    """Cross entropy between rows of probabilities and the softmax of rows of logits.

    Args:
        labels: Tensor of probabilities whose shape is that of `logits`; gradients flow into it too.
        logits: Floating tensor.
        axis: Axis of the classes. Default last.
        name: Accepted for TensorFlow's sake.
        dim: TensorFlow 1's name of `axis`.

    Returns:
        Tensor without the axis of the classes.

    Raises:
        ValueError: If an argument is missing.

    >>> softmax_cross_entropy_with_logits(labels=[[0.0, 1.0]], logits=[[0.0, 0.0]]).numpy()
    array([0.6931472], dtype=float32)
    """
    if labels is None or logits is None:
        raise ValueError(
            "Only call `softmax_cross_entropy_with_logits` with named arguments (labels=..., "
            "logits=..., ...)."
        )
    logits = convert(logits)
    labels = labels if isinstance(labels, Tensor) else convert(labels, logits.dtype)
    if labels.dtype != logits.dtype:
        labels = cast(labels, logits.dtype)
    axis = _known_axis(logits, axis, dim, "softmax_cross_entropy_with_logits")
    if not logits.shape.is_compatible_with(labels.shape):
        from .sum_to import broadcast_to

        fits = labels.shape.rank == logits.shape.rank and all(
            one in (1, None) or other is None or one == other
            for one, other in zip(labels.shape, logits.shape, strict=True)
        )
        if not fits:
            raise errors.shape_error(
                "SoftmaxCrossEntropyWithLogits",
                f"logits and labels must be broadcastable: logits_size={logits.shape} "
                f"labels_size={labels.shape}",
            )
        labels = broadcast_to(labels, shape=tuple(logits.shape))
    rank = logits.shape.rank
    if axis % rank != rank - 1:
        from .shape import transpose

        order = [i for i in range(rank) if i != axis % rank] + [axis % rank]
        logits, labels = transpose(logits, order), transpose(labels, order)
    return softmax_cross_entropy_op(labels, logits)


@op(label="SparseSoftmaxCrossEntropyWithLogits", free=("labels",), outputs=2)
def sparse_softmax_cross_entropy_op(xp, labels, logits):
    """Cross entropy between class numbers and the softmax of rows of logits.

    Args:
        labels: Integer tensor [n] in [0, classes).
        logits: Floating tensor [n, classes].

    Returns:
        List of two tensors: the losses [n], and the softmax of the logits, which the gradient needs.

    >>> [t.numpy() for t in sparse_softmax_cross_entropy_op([1], [[0.0, 0.0]])]
    [array([0.6931472], dtype=float32), array([[0.5, 0.5]], dtype=float32)]
    """
    check_labels(labels, logits.shape[-1])
    if logits.dtype.itemsize == 2:
        wide = sparse_softmax_cross_entropy_op.forward(xp, labels, logits.astype("float32"))
        return tuple(one.astype(logits.dtype) for one in wide)
    largest, _, summed, _ = reducers(xp)
    moved = xp.subtract(logits, largest(logits, axis=-1, keepdims=True))
    parts = xp.exp(moved)
    total = summed(parts, axis=-1, dtype=logits.dtype)
    own = moved[np.arange(len(labels)), labels]
    return xp.subtract(xp.log(total), own), xp.divide(parts, total[:, None])


def check_labels(labels, count):
    """Raises unless all labels are classes."""
    if not labels.size:
        return
    # Seen without a sign, numbers below 0 are the largest: one pass for both ends.
    signed = isinstance(labels, np.ndarray) and labels.dtype.kind == "i"
    plain = labels.view(f"u{labels.dtype.itemsize}") if signed else labels
    if plain.max() >= count or not signed and plain.min() < 0:
        bad = labels[(labels < 0) | (labels >= count)][0]
        raise errors.value_error(
            "SparseSoftmaxCrossEntropyWithLogits",
            f"Received a label value of {bad} which is outside the valid range of [0, {count}).  "
            "Label values: " + " ".join(map(str, labels[:20].tolist())),
        )


sparse_softmax_cross_entropy_op.takes_none = True


@sparse_softmax_cross_entropy_op.vjp
def sparse_softmax_cross_entropy_op_vjp(dy, result, labels, _logits):
    losses, share = dy[0], result[1]
    back = None if losses is None else sparse_softmax_gradient(losses, labels, share)
    if dy[1] is not None:
        through = softmax_gradient(dy[1], share)
        back = through if back is None else add(back, through)
    return None, back


@sparse_softmax_cross_entropy_op.shape_rule
def sparse_softmax_cross_entropy_rule(labels, logits):
    return TensorSpec(labels.shape, logits.dtype), logits


@sparse_softmax_cross_entropy_op.samples
def sparse_softmax_cross_entropy_op_samples(rng):
    yield (np.array([0, 2]), rng.normal(size=(2, 3))), {}


@op(kinds="f", free=("labels",))
def sparse_softmax_gradient(xp, dy, labels, share):
    """`dy * (share - one_hot(labels))`: what goes back through the cross entropy of class numbers.

    Args:
        dy: Gradient of the losses, [n].
        labels: Integer tensor [n].
        share: Softmax of the logits, [n, classes].

    Returns:
        Tensor [n, classes].

    >>> sparse_softmax_gradient([2.0], [1], [[0.5, 0.5]]).numpy()
    array([[ 1., -1.]], dtype=float32)
    """
    if xp is np:
        back = share.copy()
        back[np.arange(len(labels)), labels] -= number(1, share.dtype)
        return np.multiply(dy[:, None], back, back)
    hot = labels[:, None] == xp.arange(share.shape[-1], dtype=labels.dtype)
    return dy[:, None] * xp.where(hot, share - 1, share)


@sparse_softmax_gradient.vjp
def sparse_softmax_gradient_vjp(dd, _d, dy, labels, share):
    from .index import one_hot

    hot = one_hot(labels, shape_of(share)[-1], dtype=share.dtype)
    return (
        reduce_sum(multiply(dd, subtract(share, hot)), axis=-1),
        None,
        multiply(dd, expand_dims(dy, -1)),
    )


@sparse_softmax_gradient.shape_rule
def sparse_softmax_gradient_rule(dy, labels, share):
    return share


@sparse_softmax_gradient.samples
def sparse_softmax_gradient_samples(rng):
    yield (rng.normal(size=2), np.array([0, 2]), rng.uniform(size=(2, 3))), {}


def sparse_softmax_cross_entropy_with_logits(labels=None, logits=None, name=None):
    """Cross entropy between class numbers and the softmax of logits.

    Args:
        labels: Integer tensor [...] of classes in [0, classes).
        logits: Floating tensor [..., classes].
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [...]: one loss for each label.

    Raises:
        ValueError: If an argument is missing or the ranks do not fit.
        InvalidArgumentError: If a label is outside [0, classes).

    >>> sparse_softmax_cross_entropy_with_logits(labels=[1], logits=[[0.0, 0.0]]).numpy()
    array([0.6931472], dtype=float32)
    """
    if labels is None or logits is None:
        raise ValueError(
            "Only call `sparse_softmax_cross_entropy_with_logits` with named arguments "
            "(labels=..., logits=..., ...)."
        )
    if type(labels) is EagerTensor is type(logits):
        numbers, rows = labels._array, logits._array
        if numbers.dtype.kind == "i" and rows.ndim == 2 and rows.shape[:1] == numbers.shape:
            return sparse_softmax_cross_entropy_op(labels, logits)[0]
    from .index import _whole

    labels, logits = _whole(labels), convert(logits)
    if labels.dtype.is_floating:
        raise errors.dtype_error(
            "SparseSoftmaxCrossEntropyWithLogits",
            f"labels must be int32 or int64, got {labels.dtype.name}. Use tf.cast(labels, tf.int32), or "
            "softmax_cross_entropy_with_logits for probabilities.",
        )
    if labels.shape.rank is not None and logits.shape.rank is not None:
        if labels.shape.rank != logits.shape.rank - 1:
            raise errors.shape_error(
                "SparseSoftmaxCrossEntropyWithLogits",
                f"Rank mismatch: Rank of labels (received {labels.shape.rank}) should equal rank "
                f"of logits minus 1 (received {logits.shape.rank}).",
            )
        if not logits.shape[:-1].is_compatible_with(labels.shape):
            raise errors.shape_error(
                "SparseSoftmaxCrossEntropyWithLogits",
                f"Shape mismatch: The shape of labels (received {labels.shape}) should equal the "
                f"shape of logits except for the last dimension (received {logits.shape}).",
            )
    if logits.shape.rank == 2:
        return sparse_softmax_cross_entropy_op(labels, logits)[0]
    from .create import shape_of

    flat = reshape(logits, (-1, logits.shape[-1]))
    losses, _ = sparse_softmax_cross_entropy_op(reshape(labels, (-1,)), flat)
    return reshape(losses, shape_of(labels))
