"""Attention: scores are products of queries and keys."""

from __future__ import annotations

from typing import Any

from ....ops.arithmetic import add, multiply
from ....ops.exponential import tanh
from ....ops.linalg import matmul_op
from ....ops.reduce import reduce_sum
from ....ops.shape import expand_dims
from .base import DenseAttention


class Attention(DenseAttention):
    """For each query the mean of the values, weighted by the products of the query with the keys.

    Args:
        use_scale: Whether there is a trainable factor of the scores. Default False.
        score_mode: "dot" (default) or "concat": `sum(tanh(query + key))`.
        dropout: Part of the weights that is left out in training. Default 0.
        **kwargs: See `Layer`.

    Inputs are a list `[query, value]` or `[query, value, key]` of `[batch, steps, features]`; a mask is a list
    `[query mask, value mask]` of `[batch, steps]`. The call takes `return_attention_scores` and `use_causal_mask`.

    Raises:
        ValueError: If an argument has no meaning.

    >>> import eagercore as tf
    >>> Attention()([tf.ones([1, 2, 3]), tf.ones([1, 4, 3])]).shape
    TensorShape([1, 2, 3])
    """

    def __init__(
        self, use_scale: bool = False, score_mode: str = "dot", dropout: float = 0.0, **kwargs: Any
    ) -> None:
        super().__init__(dropout, **kwargs)
        self.use_scale, self.score_mode = bool(use_scale), score_mode
        if score_mode not in ("dot", "concat"):
            raise ValueError(
                f"Invalid value for argument score_mode. Expected one of {{'dot', 'concat'}}. Received: {score_mode}"
            )

    def build(self, input_shape: Any) -> None:
        """Makes `scale` (and, for "concat", `concat_score_weight`)."""
        self.scale = (
            self.add_weight("scale", shape=(), initializer="ones") if self.use_scale else None
        )
        self.concat_score_weight = None
        if self.score_mode == "concat":
            self.concat_score_weight = self.add_weight(
                "concat_score_weight", shape=(), initializer="ones"
            )
        self.built = True

    def _scores(self, query: Any, key: Any) -> Any:
        if self.score_mode == "dot":
            scores = matmul_op(query, key, transpose_b=True)
            return scores if self.scale is None else multiply(scores, self.scale.value())
        together = add(expand_dims(query, axis=-2), expand_dims(key, axis=-3))
        if self.scale is not None:
            together = multiply(together, self.scale.value())
        return multiply(reduce_sum(tanh(together), axis=-1), self.concat_score_weight.value())

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "use_scale": self.use_scale, "score_mode": self.score_mode}


Attention.__module__ = "eagercore.keras.layers"
