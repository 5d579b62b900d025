"""tf.nn of TensorFlow 1: where it differs from the engine's own."""

from __future__ import annotations

import importlib
from typing import Any

from ...ops.create import stop_gradient
from ...ops.nn import softmax_cross_entropy_with_logits as _with_logits
from . import rnn_cell
from .rnn import (
    bidirectional_dynamic_rnn,
    dynamic_rnn,
    raw_rnn,
    static_bidirectional_rnn,
    static_rnn,
)


def softmax_cross_entropy_with_logits(
    _sentinel: Any = None,
    labels: Any = None,
    logits: Any = None,
    dim: int = -1,
    name: str | None = None,
    axis: int | None = None,
) -> Any:
    """Cross entropy of classes that exclude each other; the labels get no gradient.

    Args:
        _sentinel: Not to be used: labels and logits are given by name.
        labels: Probabilities [..., classes].
        logits: Tensor of the shape of `labels`.
        dim: Axis of the classes.
        name: Accepted for TensorFlow's sake.
        axis: New name of `dim`.

    Returns:
        Tensor without the axis of the classes.

    Raises:
        ValueError: If labels and logits are given by position.

    >>> round(float(softmax_cross_entropy_with_logits(labels=[1.0, 0.0], logits=[0.0, 0.0])), 4)
    0.6931
    """
    _by_name("softmax_cross_entropy_with_logits", _sentinel, labels, logits)
    return _with_logits(
        labels=stop_gradient(labels), logits=logits, axis=dim if axis is None else axis
    )


def softmax_cross_entropy_with_logits_v2(
    labels: Any = None,
    logits: Any = None,
    axis: int | None = None,
    name: str | None = None,
    dim: int | None = None,
) -> Any:
    """Cross entropy of classes that exclude each other; gradients flow to the labels too.

    Args:
        labels: Probabilities [..., classes].
        logits: Tensor of the shape of `labels`.
        axis: Axis of the classes. Default the last.
        name: Accepted for TensorFlow's sake.
        dim: Old name of `axis`.
    """
    where = axis if axis is not None else dim
    return _with_logits(labels=labels, logits=logits, axis=-1 if where is None else where)


def _by_name(op: str, sentinel: Any, labels: Any, logits: Any) -> None:
    if sentinel is not None:
        raise ValueError(f"Only call `{op}` with named arguments (labels=..., logits=..., ...)")
    if labels is None or logits is None:
        raise ValueError("Both labels and logits must be provided.")


def sparse_softmax_cross_entropy_with_logits(
    _sentinel: Any = None, labels: Any = None, logits: Any = None, name: str | None = None
) -> Any:
    """Cross entropy of classes that exclude each other, the right one given by its number.

    Args:
        _sentinel: Not to be used: labels and logits are given by name.
        labels: Integer tensor [...].
        logits: Tensor [..., classes].
        name: Accepted for TensorFlow's sake.
    """
    from ...ops.nn import sparse_softmax_cross_entropy_with_logits as modern

    _by_name("sparse_softmax_cross_entropy_with_logits", _sentinel, labels, logits)
    return modern(labels=labels, logits=logits)


def sigmoid_cross_entropy_with_logits(
    _sentinel: Any = None, labels: Any = None, logits: Any = None, name: str | None = None
) -> Any:
    """Cross entropy of independent classes.

    Args:
        _sentinel: Not to be used: labels and logits are given by name.
        labels: Tensor of the shape of `logits`.
        logits: Tensor.
        name: Accepted for TensorFlow's sake.
    """
    from ...ops.nn import sigmoid_cross_entropy_with_logits as modern

    _by_name("sigmoid_cross_entropy_with_logits", _sentinel, labels, logits)
    return modern(labels=labels, logits=logits)


def dropout(
    x: Any,
    keep_prob: Any = None,
    noise_shape: Any = None,
    seed: Any = None,
    name: str | None = None,
    rate: Any = None,
) -> Any:
    """Sets elements to zero at random, and scales the others so that the sum stays.

    Args:
        x: Floating tensor.
        keep_prob: Probability that an element is kept.
        noise_shape: Shape of the draw; it broadcasts to `x`.
        seed: Seed.
        name: Accepted for TensorFlow's sake.
        rate: Probability that an element is dropped.

    Raises:
        ValueError: If neither or both probabilities are given.
    """
    import eagercore

    if (keep_prob is None) == (rate is None):
        raise ValueError("dropout: give keep_prob or rate, and only one of them.")
    return eagercore.nn.dropout(
        x, rate=1 - keep_prob if rate is None else rate, noise_shape=noise_shape, seed=seed
    )


def embedding_lookup(
    params: Any,
    ids: Any,
    partition_strategy: str = "mod",
    name: str | None = None,
    validate_indices: bool = True,
    max_norm: Any = None,
) -> Any:
    """Rows of a table.

    Args:
        params: Tensor, variable, or list of parts of the table.
        ids: Integer tensor.
        partition_strategy: "mod" or "div": how a list of parts is laid out.
        name: Accepted for TensorFlow's sake.
        validate_indices: Accepted for TensorFlow's sake.
        max_norm: Largest norm of a row, or None.
    """
    import eagercore

    return eagercore.nn.embedding_lookup(params, ids, max_norm=max_norm)


def xw_plus_b(x: Any, weights: Any, biases: Any, name: str | None = None) -> Any:
    """`x @ weights + biases`.

    Args:
        x: Tensor [n, k].
        weights: Tensor [k, m].
        biases: Tensor [m].
        name: Accepted for TensorFlow's sake.
    """
    import eagercore

    return eagercore.matmul(x, weights) + biases


def relu_layer(x: Any, weights: Any, biases: Any, name: str | None = None) -> Any:
    """`relu(x @ weights + biases)`.

    Args:
        x: Tensor [n, k].
        weights: Tensor [k, m].
        biases: Tensor [m].
        name: Accepted for TensorFlow's sake.
    """
    import eagercore

    return eagercore.nn.relu(xw_plus_b(x, weights, biases))


def fractional_max_pool(
    value: Any, pooling_ratio: Any, pseudo_random: bool = False, overlapping: bool = False, deterministic: bool = False,
    seed: int = 0, seed2: int = 0, name: str | None = None,
) -> Any:  # fmt: skip
    """The largest of each region, where extents shrink by a ratio that need not be whole.

    Args:
        value: Floating tensor [batch, rows, columns, channels].
        pooling_ratio: [1, by what rows shrink, by what columns shrink, 1].
        pseudo_random: Whether the sizes of the regions alternate evenly.
        overlapping: Whether regions share their borders.
        deterministic: Whether the two seeds decide the regions.
        seed: First seed.
        seed2: Second seed.
        name: Accepted for TensorFlow's sake.
    """
    return _fractional(
        "FractionalMaxPool",
        value,
        pooling_ratio,
        pseudo_random,
        overlapping,
        deterministic,
        seed,
        seed2,
    )


def fractional_avg_pool(
    value: Any, pooling_ratio: Any, pseudo_random: bool = False, overlapping: bool = False, deterministic: bool = False,
    seed: int = 0, seed2: int = 0, name: str | None = None,
) -> Any:  # fmt: skip
    """The mean of each region, where extents shrink by a ratio that need not be whole.

    Args:
        value: Floating tensor [batch, rows, columns, channels].
        pooling_ratio: [1, by what rows shrink, by what columns shrink, 1].
        pseudo_random: Whether the sizes of the regions alternate evenly.
        overlapping: Whether regions share their borders.
        deterministic: Whether the two seeds decide the regions.
        seed: First seed.
        seed2: Second seed.
        name: Accepted for TensorFlow's sake.
    """
    return _fractional(
        "FractionalAvgPool",
        value,
        pooling_ratio,
        pseudo_random,
        overlapping,
        deterministic,
        seed,
        seed2,
    )


def _fractional(
    kind: str, value: Any, ratio: Any, pseudo_random: bool, overlapping: bool, deterministic: bool, seed: int,
    seed2: int,
) -> Any:  # fmt: skip
    from ...ops import fractional_pool as pools

    if not deterministic and (seed or seed2):
        raise ValueError(f"{kind}: both seed and seed2 should be 0 if deterministic is false.")
    seeds = (seed, seed2) if seed or seed2 else pools._seeds(0)
    made = pools._pooled(
        kind, value, ratio, pseudo_random, overlapping, seeds, kind == "FractionalMaxPool"
    )
    return getattr(pools, kind)(*made)


#: Other names that TensorFlow 1 lists.
_SAME = {
    "avg_pool_v2": "avg_pool", "conv3d_backprop_filter_v2": "conv3d_backprop_filter",
    "ctc_beam_search_decoder_v2": "ctc_beam_search_decoder",
    "depthwise_conv2d_native": "depthwise_conv2d",
    "depthwise_conv2d_native_backprop_filter": "depthwise_conv2d_backprop_filter",
    "depthwise_conv2d_native_backprop_input": "depthwise_conv2d_backprop_input", "max_pool_v2": "max_pool",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    name = _SAME.get(name, name)
    return getattr(importlib.import_module("eagercore.nn"), name)


def __dir__() -> list[str]:
    return sorted(
        {n for n in globals() if not n.startswith("_")}
        | set(_SAME)
        | set(dir(importlib.import_module("eagercore.nn")))
    )


__all__ = [
    "bidirectional_dynamic_rnn",
    "dropout",
    "dynamic_rnn",
    "embedding_lookup",
    "raw_rnn",
    "relu_layer",
    "rnn_cell",
    "sigmoid_cross_entropy_with_logits",
    "softmax_cross_entropy_with_logits",
    "softmax_cross_entropy_with_logits_v2",
    "sparse_softmax_cross_entropy_with_logits",
    "static_bidirectional_rnn",
    "static_rnn",
    "xw_plus_b",
]
