"""AbstractRNNCell: what a cell of one's own has to have."""

from __future__ import annotations

from typing import Any

from ..base import Layer
from .base import _zeros_of


class AbstractRNNCell(Layer):
    """Base of cells of one's own: write `call(inputs, states)`, `state_size` and `output_size`.

    Args:
        **kwargs: See `Layer`.

    >>> import eagercore as tf
    >>> class Sum(AbstractRNNCell):
    ...     state_size = output_size = 1
    ...     def call(self, inputs, states):
    ...         total = states[0] + tf.reduce_sum(inputs, -1, keepdims=True)
    ...         return total, [total]
    >>> tf.keras.layers.RNN(Sum())(tf.ones([1, 3, 2])).numpy()
    array([[6.]], dtype=float32)
    """

    state_size: Any = None
    output_size: Any = None

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)

    def call(self, inputs: Any, states: Any) -> Any:
        """Output and new states of one step."""
        raise NotImplementedError(f"{type(self).__name__} must define call(inputs, states).")

    def get_initial_state(
        self, inputs: Any = None, batch_size: Any = None, dtype: Any = None
    ) -> Any:
        """States of zeros.

        Args:
            inputs: Tensor whose first axis is the batch, or None.
            batch_size: Number of examples, where there are no inputs.
            dtype: Type, where there are no inputs.
        """
        from ....ops.create import shape_of

        if inputs is not None:
            batch_size, dtype = shape_of(inputs)[0], inputs.dtype
        return _zeros_of(self.state_size, batch_size, dtype)


AbstractRNNCell.__module__ = "eagercore.keras.layers"
