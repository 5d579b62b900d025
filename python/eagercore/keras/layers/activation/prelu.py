"""PReLU: a slope below zero that is learned."""

from __future__ import annotations

from typing import Any

from ....base.shapes import as_shape
from ....core.coerce import as_ints
from ....ops.arithmetic import add, multiply, negative
from ....ops.nn import relu
from ... import constraints, initializers, regularizers
from ..base import Layer
from ..input_spec import InputSpec


class PReLU(Layer):
    """`x` above zero, `alpha x` below, with a trainable `alpha` for each feature.

    Args:
        alpha_initializer: Initializer of `alpha`. Default "zeros".
        alpha_regularizer: Regularizer of `alpha`, or None.
        alpha_constraint: Constraint of `alpha`, or None.
        shared_axes: Axes (the batch is 0) along which one `alpha` serves all, or None.
        **kwargs: See `Layer`.

    >>> PReLU(alpha_initializer="ones")([[-2.0, 3.0]]).numpy()
    array([[-2.,  3.]], dtype=float32)
    """

    def __init__(
        self,
        alpha_initializer: Any = "zeros",
        alpha_regularizer: Any = None,
        alpha_constraint: Any = None,
        shared_axes: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.alpha_initializer = initializers.get(alpha_initializer)
        self.alpha_regularizer = regularizers.get(alpha_regularizer)
        self.alpha_constraint = constraints.get(alpha_constraint)
        self.shared_axes = None if shared_axes is None else list(as_ints(shared_axes, "PReLU", "shared_axes"))
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        """Makes `alpha` in the shape of an example, with extent 1 along the shared axes."""
        shape = list(as_shape(input_shape))
        own = [1 if i in (self.shared_axes or ()) else n for i, n in enumerate(shape)][1:]
        self.alpha = self.add_weight(
            "alpha", shape=own, initializer=self.alpha_initializer, regularizer=self.alpha_regularizer,
            constraint=self.alpha_constraint,
        )  # fmt: skip
        shared = self.shared_axes or ()
        self.input_spec = InputSpec(
            ndim=len(shape), axes={i: n for i, n in enumerate(shape) if i and i not in shared}
        )
        self.built = True

    def call(self, inputs: Any) -> Any:
        """The result for `inputs`."""
        below = multiply(negative(self.alpha.value()), relu(negative(inputs)))
        return add(relu(inputs), below)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The input's shape."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {
            **super().get_config(),
            "alpha_initializer": initializers.serialize(self.alpha_initializer),
            "alpha_regularizer": regularizers.serialize(self.alpha_regularizer),
            "alpha_constraint": constraints.serialize(self.alpha_constraint),
            "shared_axes": self.shared_axes,
        }


PReLU.__module__ = "eagercore.keras.layers"
