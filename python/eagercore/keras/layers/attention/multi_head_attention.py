"""MultiHeadAttention: several attentions side by side, each on projections of its own."""

from __future__ import annotations

import math
from typing import Any

from ....base.shapes import as_shape
from ....core.coerce import as_ints
from ....ops.arithmetic import add, multiply, subtract
from ....ops.compare import logical_and
from ....ops.create import cast, ones, shape_of
from ....ops.einsum import einsum
from ....ops.exponential import exp
from ....ops.matrix import band_part
from ....ops.nn import softmax
from ....ops.reduce import reduce_logsumexp
from ....ops.shape import expand_dims
from ... import constraints, initializers, regularizers
from ..base import Layer
from ..core.dense import positive_int
from ..core.dropout import Dropout
from ..core.einsum_dense import EinsumDense


class MultiHeadAttention(Layer):
    """Attention with several heads: queries, keys and values are projected for each, results projected together.

    Args:
        num_heads: Number of heads.
        key_dim: Features of a head's queries and keys.
        value_dim: Features of a head's values. Default `key_dim`.
        dropout: Part of the weights that is left out in training. Default 0.
        use_bias: Whether the projections have biases. Default True.
        output_shape: Features of the result. Default those of the query.
        attention_axes: Axes over which attention goes. Default all but batch, heads and features.
        kernel_initializer: Initializer of the kernels. Default "glorot_uniform".
        bias_initializer: Initializer of the biases. Default "zeros".
        kernel_regularizer: Regularizer of the kernels, or None.
        bias_regularizer: Regularizer of the biases, or None.
        activity_regularizer: Regularizer of the outputs, or None.
        kernel_constraint: Constraint of the kernels, or None.
        bias_constraint: Constraint of the biases, or None.
        **kwargs: See `Layer`.

    It is called as `layer(query, value, key=None, attention_mask=None, return_attention_scores=False,
    use_causal_mask=False)` on `[batch, steps, features]`; the mask is `[batch, query steps, value steps]`.

    >>> import eagercore as tf
    >>> MultiHeadAttention(num_heads=2, key_dim=3)(tf.ones([1, 4, 5]), tf.ones([1, 6, 5])).shape
    TensorShape([1, 4, 5])
    """

    def __init__(
        self,
        num_heads: int,
        key_dim: int,
        value_dim: int | None = None,
        dropout: float = 0.0,
        use_bias: bool = True,
        output_shape: Any = None,
        attention_axes: Any = None,
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        self.num_heads, self.key_dim = (
            positive_int("num_heads", num_heads),
            positive_int("key_dim", key_dim),
        )
        self.value_dim = positive_int("value_dim", value_dim) if value_dim else self.key_dim
        self.dropout, self.use_bias = float(dropout), bool(use_bias)
        self._result_shape = (
            None
            if output_shape is None
            else as_ints(output_shape, "MultiHeadAttention", "output_shape")
        )
        self.attention_axes = (
            None
            if attention_axes is None
            else as_ints(attention_axes, "MultiHeadAttention", "attention_axes")
        )
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.kernel_constraint = constraints.get(kernel_constraint)
        self.bias_constraint = constraints.get(bias_constraint)
        self.supports_masking = True
        self.__dict__["_projected"] = False

    # ------------------------------------------------------------------------------------------------------ building

    def _projection(
        self, rank: int, features: int, result: Any, name: str, heads_in: bool = False
    ) -> EinsumDense:
        letters = "abcdefghijklmnopqrstuvwxyz"
        lead = letters[: rank - 1]
        rest = letters[rank - 1 :]
        if heads_in:
            summed, made = rest[:2], rest[2 : 2 + len(result)]
        else:
            summed, made = rest[:1], rest[1 : 1 + len(result)]
        from copy import deepcopy

        return EinsumDense(
            f"{lead}{summed},{summed}{made}->{lead}{made}",
            output_shape=[None] * (rank - 2) + list(result),
            bias_axes=made if self.use_bias else None,
            name=name,
            kernel_initializer=deepcopy(self.kernel_initializer),
            bias_initializer=deepcopy(self.bias_initializer),
            kernel_regularizer=self.kernel_regularizer,
            bias_regularizer=self.bias_regularizer,
            kernel_constraint=self.kernel_constraint,
            bias_constraint=self.bias_constraint,
            dtype=self.__dict__["_dtype"],
        )

    def _build_projections(self, query: Any, value: Any, key: Any) -> None:
        fields = self.__dict__
        fields["_projected"] = True
        heads = self.num_heads
        rank = len(query)
        self._query_dense = self._projection(rank, query[-1], (heads, self.key_dim), "query")
        self._key_dense = self._projection(len(key), key[-1], (heads, self.key_dim), "key")
        self._value_dense = self._projection(
            len(value), value[-1], (heads, self.value_dim), "value"
        )
        result = self._result_shape or (query[-1],)
        self._output_dense = self._projection(rank, 0, result, "attention_output", heads_in=True)
        self._dropout_layer = Dropout(self.dropout) if self.dropout else None
        for layer, shape in (
            (self._query_dense, query), (self._key_dense, key), (self._value_dense, value),
            (self._output_dense, as_shape([*query[:-1], heads, self.value_dim])),
        ):  # fmt: skip
            layer._build_once(as_shape(shape))
            layer._finish_build()
        axes = self.attention_axes or tuple(range(1, rank - 1))
        fields["_score_equation"], fields["_value_equation"], fields["_score_axes"] = _equations(
            rank + 1, axes
        )

    # ------------------------------------------------------------------------------------------------------- calling

    def call(
        self,
        query: Any,
        value: Any = None,
        key: Any = None,
        attention_mask: Any = None,
        return_attention_scores: bool = False,
        training: Any = None,
        use_causal_mask: bool = False,
    ) -> Any:
        """The result for a query and values; with `return_attention_scores` also the weights."""
        if value is None:
            raise TypeError(f"Layer {self.name}: call it as layer(query, value).")
        key = value if key is None else key
        if not self._projected:
            from ...calls import calls

            before, calls.inferring = calls.inferring, False
            try:
                self._build_projections(
                    as_shape(query.shape), as_shape(value.shape), as_shape(key.shape)
                )
            finally:
                calls.inferring = before
        attention_mask = self._mask(query, value, key, attention_mask, use_causal_mask)
        query = multiply(self._query_dense(query), 1.0 / math.sqrt(self.key_dim))
        scores = einsum(self._score_equation, self._key_dense(key), query)
        weights = self._softmax(scores, attention_mask)
        used = (
            weights
            if self._dropout_layer is None
            else self._dropout_layer(weights, training=training)
        )
        made = einsum(self._value_equation, used, self._value_dense(value))
        made = self._output_dense(made)
        return (made, weights) if return_attention_scores else made

    def _mask(self, query: Any, value: Any, key: Any, given: Any, causal: bool) -> Any:
        """What each query may look at, from all that says something about it."""
        from ... import masks

        found = []
        for tensor, axis in ((query, -1), (value, -2), (key, -2)):
            mask = masks.get_mask(tensor)
            if mask is not None and not any(mask is one for one, _ in found):
                found.append((mask, axis))
        allowed = None if given is None else cast(given, "bool")
        parts = [expand_dims(mask, axis=axis) for mask, axis in found]
        if causal:
            steps = shape_of(query)[1], shape_of(value)[1]
            parts.append(cast(band_part(ones((1, *steps)), -1, 0), "bool"))
        for part in parts:
            allowed = part if allowed is None else logical_and(allowed, part)
        return allowed

    def _softmax(self, scores: Any, allowed: Any) -> Any:
        axes = self._score_axes
        if allowed is not None:
            while len(allowed.shape) < len(scores.shape):
                allowed = expand_dims(allowed, axis=1)
            least = -6e4 if scores.dtype.name == "float16" else -1e9
            scores = add(scores, multiply(subtract(1.0, cast(allowed, scores.dtype)), least))
        if len(axes) == 1:
            return softmax(scores, axis=axes[0])
        return exp(subtract(scores, reduce_logsumexp(scores, axis=axes, keepdims=True)))

    def compute_output_spec(self, *args: Any, **kwargs: Any) -> Any:
        """Shapes and dtypes of the results of a call on symbolic tensors."""
        from ..inference import by_running

        return by_running(self, args, kwargs)

    def compute_output_shape(
        self, input_shape: Any, value_shape: Any = None, key_shape: Any = None
    ) -> Any:
        """Shape of the result for a query of this shape."""
        shape = as_shape(input_shape)
        return as_shape([*shape[:-1], *(self._result_shape or [shape[-1]])])

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The query's mask."""
        return mask

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {
            **super().get_config(),
            "num_heads": self.num_heads,
            "key_dim": self.key_dim,
            "value_dim": self.value_dim,
            "dropout": self.dropout,
            "use_bias": self.use_bias,
            "output_shape": self._result_shape,
            "attention_axes": self.attention_axes,
            "kernel_initializer": initializers.serialize(self.kernel_initializer),
            "bias_initializer": initializers.serialize(self.bias_initializer),
            "kernel_regularizer": regularizers.serialize(self.kernel_regularizer),
            "bias_regularizer": regularizers.serialize(self.bias_regularizer),
            "activity_regularizer": regularizers.serialize(self.activity_regularizer),
            "kernel_constraint": constraints.serialize(self.kernel_constraint),
            "bias_constraint": constraints.serialize(self.bias_constraint),
        }


def _equations(rank: int, axes: Any) -> tuple[str, str, tuple[int, ...]]:
    """The sums of products for scores and for results; heads stand before the features.

    Args:
        rank: Number of dimensions of projected queries: batch, others, heads, features.
        axes: Axes over which attention goes.
    """
    letters = iter("abcdefghijklmnopqrstuvwxyz")
    query = [next(letters) for _ in range(rank)]
    value = [next(letters) if i in axes else letter for i, letter in enumerate(query)]
    batch = [i for i in range(rank - 1) if i not in axes]
    value[-1] = query[-1]
    scores = [query[i] for i in batch] + [query[i] for i in axes] + [value[i] for i in axes]
    for_scores = f"{''.join(value)},{''.join(query)}->{''.join(scores)}"
    for_values = f"{''.join(scores)},{''.join(value)}->{''.join(query)}"
    return for_scores, for_values, tuple(range(len(scores) - len(axes), len(scores)))


MultiHeadAttention.__module__ = "eagercore.keras.layers"
