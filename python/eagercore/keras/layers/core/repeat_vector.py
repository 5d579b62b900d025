"""RepeatVector: the same vector at each time step."""

from __future__ import annotations

from typing import Any

from ....base.shapes import as_shape
from ....ops.shape import expand_dims, tile
from ..base import Layer
from ..input_spec import InputSpec
from .dense import positive_int


class RepeatVector(Layer):
    """Repeats its input: [batch, features] becomes [batch, n, features].

    Args:
        n: How often.
        **kwargs: See `Layer`.

    >>> RepeatVector(3)([[1.0, 2.0]]).shape
    TensorShape([1, 3, 2])
    """

    _casts_inputs = False

    def __init__(self, n: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.n = positive_int("n", n)
        self.input_spec = InputSpec(ndim=2)

    def call(self, inputs: Any) -> Any:
        """The result for `inputs`."""
        return tile(expand_dims(inputs, axis=1), (1, self.n, 1))

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for an input of this shape."""
        shape = as_shape(input_shape)
        return as_shape([shape[0], self.n, shape[1]])

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "n": self.n}


RepeatVector.__module__ = "eagercore.keras.layers"
