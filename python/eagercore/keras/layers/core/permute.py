"""Permute: another order of the axes."""

from __future__ import annotations

from typing import Any

from ....base.shapes import as_shape
from ....core.coerce import as_ints
from ....ops.shape import transpose
from ..base import Layer
from ..input_spec import InputSpec


class Permute(Layer):
    """Puts the axes of each example in another order.

    Args:
        dims: Axes in their new order, counted from 1, without the batch.
        **kwargs: See `Layer`.

    Raises:
        ValueError: If `dims` is no permutation of 1, 2, ...

    >>> Permute((2, 1))([[[1.0, 2.0, 3.0]]]).shape
    TensorShape([1, 3, 1])
    """

    _casts_inputs = False

    def __init__(self, dims: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.dims = tuple(as_ints(dims, "Permute", "dims"))
        if sorted(self.dims) != list(range(1, len(self.dims) + 1)):
            raise ValueError(
                f"Invalid permutation argument `dims` for Permute Layer. The set of indices in `dims` must be "
                f"consecutive and start from 1. Received dims={self.dims}"
            )
        self.input_spec = InputSpec(ndim=len(self.dims) + 1)

    def call(self, inputs: Any) -> Any:
        """The result for `inputs`."""
        return transpose(inputs, (0, *self.dims))

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for an input of this shape."""
        shape = as_shape(input_shape)
        return as_shape([shape[0], *(shape[d] for d in self.dims)])

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "dims": self.dims}


Permute.__module__ = "eagercore.keras.layers"
