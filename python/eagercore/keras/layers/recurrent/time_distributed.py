"""TimeDistributed: a layer on every time step."""

from __future__ import annotations

from typing import Any

from ....base import nest
from ....base.shapes import as_shape
from ....ops.create import shape_of
from ....ops.shape import reshape, stack, unstack
from ..call_spec import CallSpec
from .wrapper import Wrapper


class TimeDistributed(Wrapper):
    """Applies a layer to every time step: time and batch become one axis for it.

    Args:
        layer: The layer.
        **kwargs: See `Layer`.

    Inputs are `[batch, time, ...]`.

    Raises:
        ValueError: If `layer` is none, or the input has fewer than three dimensions.

    >>> import eagercore as tf
    >>> TimeDistributed(tf.keras.layers.Dense(3))(tf.ones([2, 4, 5])).shape
    TensorShape([2, 4, 3])
    """

    def __init__(self, layer: Any, **kwargs: Any) -> None:
        super().__init__(layer, **kwargs)
        self.supports_masking = True

    def build(self, input_shape: Any = None) -> None:
        """Builds the layer inside for one time step."""
        if not isinstance(input_shape, list | dict):
            rank = as_shape(input_shape).rank
            if rank is not None and rank < 3:
                raise ValueError(
                    "`TimeDistributed` Layer should be passed an `input_shape` with at least 3 dimensions, received: "
                    f"{list(as_shape(input_shape))}"
                )
        if not self.layer.built:
            super().build(
                nest.map_structure(lambda s: as_shape([s[0], *s[2:]]), _shapes(input_shape))
            )
        self.built = True

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """The result for `inputs`."""
        spec = CallSpec(self.layer.call)
        given = {"training": training} if spec.takes_training and training is not None else {}
        first = nest.flatten(inputs)[0]
        if getattr(self.layer, "stateful", False):
            return self._step_by_step(inputs, given)
        batch, time = shape_of(first)[:2]
        if mask is not None and spec.takes_mask:
            given["mask"] = reshape(mask, (-1, *shape_of(mask)[2:]))
        flat = nest.map_structure(lambda x: reshape(x, (-1, *shape_of(x)[2:])), inputs)
        outputs = self.layer(flat, **given)

        def back(y: Any) -> Any:
            lead = (-1, time) if isinstance(time, int) else (batch, time)
            return reshape(y, (*lead, *shape_of(y)[1:]))

        return nest.map_structure(back, outputs)

    def _step_by_step(self, inputs: Any, given: dict[str, Any]) -> Any:
        parts = [unstack(x, axis=1) for x in nest.flatten(inputs)]
        made = [
            self.layer(nest.pack_sequence_as(inputs, list(each)), **given)
            for each in zip(*parts, strict=True)
        ]
        return nest.map_structure(lambda *each: stack(list(each), axis=1), *made)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for an input of this shape."""
        shapes = _shapes(input_shape)
        inner = self.layer.compute_output_shape(
            nest.map_structure(lambda s: as_shape([s[0], *s[2:]]), shapes)
        )
        time = nest.flatten(shapes)[0][1]
        return nest.map_structure(lambda s: as_shape([s[0], time, *s[1:]]), inner)

    def compute_output_spec(self, *args: Any, **kwargs: Any) -> Any:
        """Shapes and dtypes of the results of a call on symbolic tensors."""
        from ..inference import by_running

        return by_running(self, args, kwargs)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The mask of time steps: of the input, where it has one."""
        return mask


def _shapes(shapes: Any) -> Any:
    if isinstance(shapes, dict):
        return {k: as_shape(v) for k, v in shapes.items()}
    if isinstance(shapes, list | tuple) and shapes and not isinstance(shapes[0], int | None):
        return [as_shape(s) for s in shapes]
    return as_shape(shapes)


TimeDistributed.__module__ = "eagercore.keras.layers"
