"""Reshape: another shape for each example."""

from __future__ import annotations

import math
from typing import Any

from ....base.shapes import as_shape
from ....core.coerce import as_ints
from ....ops.shape import reshape
from ..base import Layer


class Reshape(Layer):
    """Gives each example another shape.

    Args:
        target_shape: New shape without the batch; one extent may be -1.
        **kwargs: See `Layer`.

    Raises:
        ValueError: If the number of values does not fit.

    >>> Reshape((2, 2))([[1.0, 2.0, 3.0, 4.0]]).shape
    TensorShape([1, 2, 2])
    """

    _casts_inputs = False

    def __init__(self, target_shape: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.target_shape = tuple(
            -1 if n is None else n for n in as_ints(target_shape, "Reshape", "target_shape")
        )

    def _target(self, rest: list[Any]) -> tuple[Any, ...]:
        """The extents behind the batch, as far as they follow from those of the input."""
        known = [n for n in self.target_shape if n != -1]
        if None in rest:
            return tuple(None if n == -1 else n for n in self.target_shape)
        size, own = math.prod(rest), math.prod(known)
        if len(known) == len(self.target_shape):
            fits = size == own
        else:
            fits = len(known) == len(self.target_shape) - 1 and own > 0 and size % own == 0
        if not fits:
            raise ValueError(
                f"Layer {self.name}: total size of new array must be unchanged, input_shape = {rest}, "
                f"output_shape = {list(self.target_shape)}"
            )
        return tuple(size // own if n == -1 else n for n in self.target_shape)

    def call(self, inputs: Any) -> Any:
        """The result for `inputs`."""
        target = self._target(list(inputs.shape)[1:])
        if None in target:
            from ....ops.shape import shape

            return reshape(inputs, (shape(inputs)[0], *self.target_shape))
        if inputs.shape[0] == 0:
            return reshape(inputs, (0, *target))
        return reshape(inputs, (-1, *target))

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for an input of this shape."""
        shape = as_shape(input_shape)
        return as_shape([shape[0], *self._target(list(shape)[1:])])

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "target_shape": self.target_shape}


Reshape.__module__ = "eagercore.keras.layers"
