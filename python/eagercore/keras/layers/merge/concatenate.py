"""Concatenate: inputs side by side."""

from __future__ import annotations

from typing import Any

from ....base.shapes import as_shape
from ....ops.create import ones_like
from ....ops.shape import concat, expand_dims
from .base import Merge


class Concatenate(Merge):
    """Joins its inputs along an axis.

    Args:
        axis: Axis. Default last.
        **kwargs: See `Layer`.

    Raises:
        ValueError: If the other axes differ.

    >>> import eagercore as tf
    >>> Concatenate()([tf.ones([1, 2]), tf.ones([1, 3])]).shape
    TensorShape([1, 5])
    """

    def __init__(self, axis: int = -1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.axis = int(axis)

    def call(self, inputs: Any) -> Any:
        """The result for a list of inputs."""
        if not isinstance(inputs, list | tuple):
            raise ValueError(
                f"Layer {self.name}: a `Concatenate` layer should be called on a list of inputs."
            )
        return concat(list(inputs), axis=self.axis)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for inputs of these shapes.

        Raises:
            ValueError: If they do not fit each other.
        """
        shapes = [as_shape(s) for s in input_shape]
        rank = len(shapes[0])
        axis = self.axis % rank if rank else 0
        joined: list[Any] = list(shapes[0])
        for shape in shapes[1:]:
            fits = len(shape) == rank and all(
                i == axis or a is None or b is None or a == b
                for i, (a, b) in enumerate(zip(joined, shape, strict=False))
            )
            if not fits:
                raise ValueError(
                    f"A `Concatenate` layer requires inputs with matching shapes except for the "
                    f"concatenation axis. Layer "
                    f"{self.name} received: input_shape={[tuple(s) for s in shapes]}"
                )
            size = shape[axis]
            joined[axis] = None if joined[axis] is None or size is None else joined[axis] + size
            joined = [
                a if a is not None or i == axis else b
                for i, (a, b) in enumerate(zip(joined, shape, strict=True))
            ]
        return as_shape(joined)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The masks joined in the same way."""
        if mask is None or all(m is None for m in mask):
            return None
        made = []
        for tensor, one in zip(inputs, mask, strict=True):
            if one is None:
                made.append(ones_like(tensor, dtype="bool"))
            else:
                made.append(
                    expand_dims(one, axis=-1) if len(one.shape) < len(tensor.shape) else one
                )
        from ....ops.reduce import reduce_all

        return reduce_all(concat(made, axis=self.axis), axis=-1)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "axis": self.axis}


def concatenate(inputs: Any, axis: int = -1, **kwargs: Any) -> Any:
    """A list of tensors joined along an axis, as a new `Concatenate` layer."""
    return Concatenate(axis=axis, **kwargs)(inputs)


Concatenate.__module__ = "eagercore.keras.layers"
