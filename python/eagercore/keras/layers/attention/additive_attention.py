"""AdditiveAttention: scores are sums over `tanh(query + key)`."""

from __future__ import annotations

from typing import Any

from ....base.shapes import as_shape
from ....ops.arithmetic import add, multiply
from ....ops.exponential import tanh
from ....ops.reduce import reduce_sum
from ....ops.shape import expand_dims
from .base import DenseAttention


class AdditiveAttention(DenseAttention):
    """For each query the mean of the values, weighted by `sum(scale * tanh(query + key))`: Bahdanau's attention.

    Args:
        use_scale: Whether there is a trainable factor for each feature. Default True.
        dropout: Part of the weights that is left out in training. Default 0.
        **kwargs: See `Layer`.

    Inputs and masks are those of `Attention`.

    >>> import eagercore as tf
    >>> AdditiveAttention()([tf.ones([1, 2, 3]), tf.ones([1, 4, 3])]).shape
    TensorShape([1, 2, 3])
    """

    def __init__(self, use_scale: bool = True, dropout: float = 0.0, **kwargs: Any) -> None:
        super().__init__(dropout, **kwargs)
        self.use_scale = bool(use_scale)

    def build(self, input_shape: Any) -> None:
        """Makes `scale`, one number for each feature."""
        self.scale = None
        if self.use_scale:
            features = as_shape(input_shape[0])[-1]
            self.scale = self.add_weight("scale", shape=(features,), initializer="glorot_uniform")
        self.built = True

    def _scores(self, query: Any, key: Any) -> Any:
        together = tanh(add(expand_dims(query, axis=-2), expand_dims(key, axis=-3)))
        if self.scale is not None:
            together = multiply(together, self.scale.value())
        return reduce_sum(together, axis=-1)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "use_scale": self.use_scale}


AdditiveAttention.__module__ = "eagercore.keras.layers"
