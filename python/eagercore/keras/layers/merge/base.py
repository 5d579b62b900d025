"""What layers of several inputs share."""

from __future__ import annotations

from typing import Any

from ....base.shapes import as_shape, broadcast_shapes
from ....ops.compare import logical_and
from ....ops.shape import expand_dims
from ..base import Layer


class Merge(Layer):
    """Base of the merging layers: write `_merge(inputs)`; inputs of lower rank are expanded behind the batch.

    Args:
        **kwargs: See `Layer`.
    """

    _at_least = 1

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.supports_masking = True

    def _merge(self, inputs: list[Any]) -> Any:
        raise NotImplementedError

    def build(self, input_shape: Any) -> None:
        """Checks that there are several inputs, and that they broadcast."""
        if (
            not isinstance(input_shape, list | tuple)
            or not input_shape
            or isinstance(input_shape[0], int | None)
        ):
            raise ValueError(
                f"A merge layer should be called on a list of at least {self._at_least} input(s). Layer "
                f"{self.name} got "
                f"input_shape={input_shape}"
            )
        if len(input_shape) < self._at_least:
            raise ValueError(
                f"A merge layer should be called on a list of at least {self._at_least} inputs. Layer {self.name} got "
                f"{len(input_shape)} inputs."
            )
        self.compute_output_shape(input_shape)
        self.built = True

    def call(self, inputs: Any) -> Any:
        """The result for a list of inputs."""
        if not isinstance(inputs, list | tuple):
            raise ValueError(
                f"Layer {self.name}: a merge layer should be called on a list of inputs. Received: {inputs}"
            )
        rank = max(x.shape.rank for x in inputs)
        made = []
        for x in inputs:
            while x.shape.rank < rank:
                x = expand_dims(x, axis=1)
            made.append(x)
        return self._merge(made)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for inputs of these shapes.

        Raises:
            ValueError: If they do not broadcast.
        """
        shapes = [as_shape(s) for s in input_shape]
        rank = max(len(s) for s in shapes)
        full = [as_shape([s[0], *[1] * (rank - len(s)), *s[1:]]) if len(s) else s for s in shapes]
        try:
            return broadcast_shapes(*full)
        except ValueError:
            raise ValueError(
                f"Inputs have incompatible shapes. Layer {self.name} received shapes "
                f"{' and '.join(str(s) for s in shapes)}"
            ) from None

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """What counts in every input that has a mask."""
        if mask is None:
            return None
        known = [m for m in mask if m is not None]
        result = None
        for one in known:
            result = one if result is None else logical_and(result, one)
        return result
