"""Activation: an activation function as a layer."""

from __future__ import annotations

from typing import Any

from ... import activations
from ..base import Layer


class Activation(Layer):
    """Applies an activation function.

    Args:
        activation: Function, or its name.
        **kwargs: See `Layer`.

    >>> Activation("relu")([-1.0, 2.0]).numpy()
    array([0., 2.], dtype=float32)
    """

    def __init__(self, activation: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.activation = activations.get(activation)
        self.supports_masking = True

    def call(self, inputs: Any) -> Any:
        """The result for `inputs`."""
        return self.activation(inputs)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The input's shape."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {**super().get_config(), "activation": activations.serialize(self.activation)}


Activation.__module__ = "eagercore.keras.layers"
