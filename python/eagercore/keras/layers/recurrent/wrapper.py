"""Wrapper: base of the layers around another layer."""

from __future__ import annotations

from typing import Any

from ..base import Layer


class Wrapper(Layer):
    """Base of the layers that hold another one in `layer`.

    Args:
        layer: The layer inside.
        **kwargs: See `Layer`.

    Raises:
        ValueError: If `layer` is none.

    >>> Wrapper(Layer(name="inside")).layer.name
    'inside'
    """

    _casts_inputs = False

    def __init__(self, layer: Any, **kwargs: Any) -> None:
        if not isinstance(layer, Layer):
            raise ValueError(
                f"Please initialize `{type(self).__name__}` layer with a `Layer` instance. Received: {layer}"
            )
        super().__init__(**kwargs)
        self.layer = layer

    def build(self, input_shape: Any = None) -> None:
        """Builds the layer inside."""
        build_inner(self.layer, input_shape, self)
        self.built = True

    def call(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """The result of the layer inside."""
        return self.layer(inputs, *args, **kwargs)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        from ...serialization import serialize_keras_object

        return {**super().get_config(), "layer": serialize_keras_object(self.layer)}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """The layer that `get_config` described, not built yet."""
        from .. import deserialize

        config = dict(config)
        layer = config.pop("layer")
        return cls(
            deserialize(layer, custom_objects) if isinstance(layer, dict) else layer, **config
        )


def build_inner(layer: Any, shape: Any, outer: Any) -> None:
    """Builds a layer that has not been built yet, in the dtype and under the name of the one around it."""
    if layer.built:
        return
    if layer.__dict__["_dtype"] is None:
        layer.__dict__["_dtype"] = outer.__dict__["_dtype"]
    layer._build_once(shape)
    layer._finish_build()
    for variable in layer.weights:
        if not variable._name.startswith(outer.name + "/"):
            variable._name = f"{outer.name}/{variable._name}"


Wrapper.__module__ = "eagercore.keras.layers"
