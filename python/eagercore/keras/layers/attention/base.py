"""What attention by products and attention by sums share: masks, dropout, the weighted mean."""

from __future__ import annotations

from typing import Any

from ....base.shapes import as_shape
from ....ops.arithmetic import add, multiply, subtract
from ....ops.compare import logical_and
from ....ops.create import cast, ones, shape_of
from ....ops.linalg import matmul_op
from ....ops.matrix import band_part
from ....ops.nn import softmax
from ....ops.shape import expand_dims
from ..base import Layer
from ..core.dropout import Dropout


class DenseAttention(Layer):
    """Base of `Attention` and `AdditiveAttention`: write `_scores(query, key)`.

    Args:
        dropout: Part of the weights that is left out in training. Default 0.
        **kwargs: See `Layer`; `causal=True` is the old form of `use_causal_mask`.
    """

    def __init__(self, dropout: float = 0.0, **kwargs: Any) -> None:
        self.__dict__["causal"] = bool(kwargs.pop("causal", False))
        super().__init__(**kwargs)
        self.dropout = float(dropout)
        self._dropout_layer = Dropout(dropout) if dropout else None
        self.supports_masking = True

    def _scores(self, query: Any, key: Any) -> Any:
        raise NotImplementedError

    def call(
        self,
        inputs: Any,
        mask: Any = None,
        training: Any = None,
        return_attention_scores: bool = False,
        use_causal_mask: bool = False,
    ) -> Any:
        """The values' mean for each query; with `return_attention_scores` also the weights."""
        query, value, key, masks = self._parts(inputs, mask)
        scores = self._scores(query, key)
        allowed = None if masks[1] is None else expand_dims(masks[1], axis=-2)
        if self.causal or use_causal_mask:
            sizes = shape_of(scores)
            lower = cast(band_part(ones((1, sizes[-2], sizes[-1])), -1, 0), "bool")
            allowed = lower if allowed is None else logical_and(allowed, lower)
        if allowed is not None:
            least = 65504.0 if scores.dtype.name == "float16" else 1.0e9
            scores = add(scores, multiply(subtract(cast(allowed, scores.dtype), 1.0), least))
        weights = softmax(scores)
        if self._dropout_layer is not None:
            weights = self._dropout_layer(weights, training=training)
        made = matmul_op(weights, value)
        if masks[0] is not None:
            made = multiply(made, cast(expand_dims(masks[0], axis=-1), made.dtype))
        return (made, weights) if return_attention_scores else made

    def _parts(self, inputs: Any, mask: Any) -> Any:
        if not isinstance(inputs, list | tuple) or len(inputs) not in (2, 3):
            raise ValueError(
                f"{type(self).__name__} layer must be called on a list of inputs, namely [query, "
                f"value] or [query, value, "
                f"key]. Received: {inputs}."
            )
        masks = list(mask) if mask is not None else [None, None]
        if len(masks) < 2 or len(masks) > len(inputs):
            raise ValueError(
                f"{type(self).__name__} layer mask must be a list of length 2, namely [query_mask, value_mask]. "
                f"Received length: {len(masks)}."
            )
        query, value = inputs[0], inputs[1]
        return query, value, inputs[2] if len(inputs) > 2 else value, masks

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for inputs of these shapes."""
        query, value = (as_shape(s) for s in input_shape[:2])
        return as_shape([*query[:-1], value[-1]])

    def compute_output_spec(self, *args: Any, **kwargs: Any) -> Any:
        """Shapes and dtypes of the results of a call on symbolic tensors."""
        from ..inference import by_running

        return by_running(self, args, kwargs)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The query's mask."""
        return None if mask is None else mask[0]

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        config = {**super().get_config(), "dropout": self.dropout}
        return {**config, "causal": True} if self.causal else config
