"""Losses and sampled losses of neural networks."""

from __future__ import annotations

import numpy as np

from ..base import dtypes, errors
from ..core.tensor import Tensor, convert
from .arithmetic import add, multiply, negative, real_divide, square, subtract
from .create import cast, ones_like, stop_gradient, zeros_like
from .exponential import exp, log, softplus
from .linalg import matmul
from .nn import sigmoid_cross_entropy_with_logits, softmax_cross_entropy_with_logits
from .reduce import reduce_sum
from .select import where
from .shape import concat, expand_dims, reshape, shape


def l2_loss(t, name=None):
    """Half the sum of squares.

    Args:
        t: Floating tensor.
        name: Accepted for TensorFlow's sake.

    Returns:
        Scalar tensor.

    >>> l2_loss([3.0, 4.0]).numpy()
    np.float32(12.5)
    """
    return multiply(reduce_sum(square(t)), 0.5)


def weighted_cross_entropy_with_logits(
    labels=None, logits=None, pos_weight=None, name=None, targets=None
):
    """Cross entropy with the sigmoid of logits, in which positive examples weigh `pos_weight` times as much.

    Args:
        labels: Floating tensor of targets in [0, 1].
        logits: Tensor of the same shape and dtype.
        pos_weight: Weight of positive examples.
        name: Accepted for TensorFlow's sake.
        targets: TensorFlow 1's name of `labels`.

    Returns:
        Tensor of the shape of `logits`.

    Raises:
        ValueError: If the shapes differ.

    >>> weighted_cross_entropy_with_logits([1.0], [0.0], 2.0).numpy()
    array([1.3862944], dtype=float32)
    """
    labels = labels if targets is None else targets
    logits = convert(logits)
    labels = labels if isinstance(labels, Tensor) else convert(labels, logits.dtype)
    if not logits.shape.is_compatible_with(labels.shape):
        raise errors.shape_error(
            "weighted_cross_entropy_with_logits",
            f"`logits` and `labels` must have the same shape, received ({logits.shape} vs {labels.shape}).",
        )
    weight = add(multiply(labels, subtract(pos_weight, 1)), 1)
    return add(multiply(subtract(1, labels), logits), multiply(weight, softplus(negative(logits))))


def log_poisson_loss(targets, log_input, compute_full_loss=False, name=None):
    """Negative log-likelihood of counts under Poisson distributions whose rates are `exp(log_input)`.

    Args:
        targets: Floating tensor of counts.
        log_input: Tensor of the same shape and dtype.
        compute_full_loss: Whether Stirling's term, which no parameter moves, is added.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape of `log_input`.

    Raises:
        ValueError: If the shapes differ.

    >>> log_poisson_loss([1.0], [0.0]).numpy()
    array([1.], dtype=float32)
    """
    log_input = convert(log_input)
    targets = targets if isinstance(targets, Tensor) else convert(targets, log_input.dtype)
    if not log_input.shape.is_compatible_with(targets.shape):
        raise errors.shape_error(
            "log_poisson_loss",
            f"`log_input` and `targets` must have the same shape, received ({log_input.shape} vs {targets.shape}).",
        )
    made = subtract(exp(log_input), multiply(log_input, targets))
    if not compute_full_loss:
        return made
    above = targets > 1
    safe = where(above, targets, ones_like(targets))
    term = subtract(multiply(safe, log(safe)), safe) + multiply(log(multiply(safe, 2 * np.pi)), 0.5)
    return add(made, where(above, term, zeros_like(targets)))


def compute_average_loss(per_example_loss, sample_weight=None, global_batch_size=None):
    """Sum of the losses of examples over the size of the whole batch.

    Args:
        per_example_loss: Tensor of losses.
        sample_weight: Weights, or None.
        global_batch_size: Size of the batch over all replicas; default the first dimension.

    Returns:
        Scalar tensor.

    >>> compute_average_loss([1.0, 3.0], global_batch_size=4).numpy()
    np.float32(1.0)
    """
    losses = convert(per_example_loss)
    if sample_weight is not None:
        weight = cast(convert(sample_weight), losses.dtype)
        extra = losses.shape.rank - weight.shape.rank
        losses = multiply(
            losses, reshape(weight, (*shape(weight), *[1] * extra)) if extra > 0 else weight
        )
    if global_batch_size is None:
        global_batch_size = losses.shape[0] if losses.shape.rank else 1
    return real_divide(reduce_sum(losses), cast(convert(global_batch_size), losses.dtype))


def scale_regularization_loss(regularization_loss):
    """The sum of regularization losses over the number of replicas (one here).

    Args:
        regularization_loss: Tensor.

    Returns:
        Scalar tensor.

    >>> scale_regularization_loss([1.0, 2.0]).numpy()
    np.float32(3.0)
    """
    return reduce_sum(convert(regularization_loss))


# -------------------------------------------------------------------------------------------------- sampled classes


def _sampled_logits(
    weights, biases, labels, inputs, num_sampled, num_classes, num_true, sampled_values,
    subtract_log_q, remove_accidental_hits, seed,
):  # fmt: skip
    """Logits of the true and of some sampled classes, and labels that say which are true."""
    from .candidates import compute_accidental_hits, log_uniform_candidate_sampler
    from .embedding import embedding_lookup

    labels = cast(convert(labels), dtypes.int64)
    if labels.shape.rank == 1:
        labels = expand_dims(labels, -1)
    flat = reshape(labels, (-1,))
    if sampled_values is None:
        sampled_values = log_uniform_candidate_sampler(
            true_classes=labels, num_true=num_true, num_sampled=num_sampled, unique=True, range_max=num_classes,
            seed=seed,
        )  # fmt: skip
    sampled, true_counts, sampled_counts = (stop_gradient(v) for v in sampled_values)
    sampled = cast(sampled, dtypes.int64)
    inputs = convert(inputs)
    ids = concat([flat, sampled], axis=0)
    rows = embedding_lookup(weights, ids)
    bias = embedding_lookup(biases, ids)
    count = flat.shape[0]
    true_w, sampled_w = rows[:count], rows[count:]
    true_b, sampled_b = bias[:count], bias[count:]
    width = rows.shape[-1]
    sampled_logits = add(matmul(inputs, sampled_w, transpose_b=True), sampled_b)
    each = multiply(expand_dims(inputs, 1), reshape(true_w, (-1, num_true, width)))
    true_logits = add(reduce_sum(each, axis=-1), reshape(true_b, (-1, num_true)))
    if remove_accidental_hits:
        row, position, weight = compute_accidental_hits(labels, sampled, num_true=num_true)
        from .index import scatter_nd_op
        from .shape import stack

        places = stack([cast(row, dtypes.int64), cast(position, dtypes.int64)], axis=1)
        mask = scatter_nd_op(
            places, cast(weight, sampled_logits.dtype), shape=tuple(sampled_logits.shape)
        )
        sampled_logits = add(sampled_logits, mask)
    if subtract_log_q:
        true_logits = subtract(true_logits, log(cast(true_counts, true_logits.dtype)))
        sampled_logits = subtract(sampled_logits, log(cast(sampled_counts, sampled_logits.dtype)))
    logits = concat([true_logits, sampled_logits], axis=1)
    wanted = concat(
        [multiply(ones_like(true_logits), 1.0 / num_true), zeros_like(sampled_logits)], axis=1
    )
    return logits, stop_gradient(wanted)


def nce_loss(
    weights, biases, labels, inputs, num_sampled, num_classes, num_true=1, sampled_values=None,
    remove_accidental_hits=False, name="nce_loss", partition_strategy="div", seed=None,
):  # fmt: skip
    """Noise-contrastive estimation: a loss over many classes from a sample of them.

    Args:
        weights: Tensor [num_classes, width], or a list of its parts.
        biases: Tensor [num_classes].
        labels: Integer tensor [batch, num_true] of classes.
        inputs: Floating tensor [batch, width].
        num_sampled: How many classes are sampled.
        num_classes: Number of classes.
        num_true: Number of true classes of each example. Default 1.
        sampled_values: What a candidate sampler gave; default: `log_uniform_candidate_sampler`.
        remove_accidental_hits: Whether sampled classes that are true are left out.
        name: Accepted for TensorFlow's sake.
        partition_strategy: Accepted for TensorFlow's sake.
        seed: Seed of the sampler.

    Returns:
        Tensor [batch] of losses.

    >>> sampled = ([0, 1], [[0.5]], [0.5, 0.5])
    >>> nce_loss([[0.0], [0.0]], [0.0, 0.0], [[0]], [[1.0]], 2, 2, sampled_values=sampled).shape
    TensorShape([1])
    """
    logits, wanted = _sampled_logits(
        weights, biases, labels, inputs, num_sampled, num_classes, num_true, _tensors(sampled_values), True,
        remove_accidental_hits, seed,
    )  # fmt: skip
    return reduce_sum(sigmoid_cross_entropy_with_logits(labels=wanted, logits=logits), axis=1)


def _tensors(values):
    return None if values is None else [convert(v) for v in values]


def sampled_softmax_loss(
    weights, biases, labels, inputs, num_sampled, num_classes, num_true=1, sampled_values=None,
    remove_accidental_hits=True, seed=None, name="sampled_softmax_loss", partition_strategy="div",
):  # fmt: skip
    """Softmax cross entropy over the true and some sampled classes.

    Args:
        weights: Tensor [num_classes, width], or a list of its parts.
        biases: Tensor [num_classes].
        labels: Integer tensor [batch, num_true] of classes.
        inputs: Floating tensor [batch, width].
        num_sampled: How many classes are sampled.
        num_classes: Number of classes.
        num_true: Number of true classes of each example. Default 1.
        sampled_values: What a candidate sampler gave; default: `log_uniform_candidate_sampler`.
        remove_accidental_hits: Whether sampled classes that are true are left out. Default True.
        seed: Seed of the sampler.
        name: Accepted for TensorFlow's sake.
        partition_strategy: Accepted for TensorFlow's sake.

    Returns:
        Tensor [batch] of losses.

    >>> sampled = ([0, 1], [[0.5]], [0.5, 0.5])
    >>> sampled_softmax_loss([[0.0], [0.0]], [0.0, 0.0], [[0]], [[1.0]], 2, 2, sampled_values=sampled).shape
    TensorShape([1])
    """
    logits, wanted = _sampled_logits(
        weights, biases, labels, inputs, num_sampled, num_classes, num_true, _tensors(sampled_values), True,
        remove_accidental_hits, seed,
    )  # fmt: skip
    return softmax_cross_entropy_with_logits(labels=wanted, logits=logits)
