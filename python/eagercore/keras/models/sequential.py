"""Sequential: layers one after the other."""

from __future__ import annotations

import copy
from typing import Any

from ...base.shapes import as_shape
from ...core.tensor import Tensor
from ...ops.shape import expand_dims
from ..calls import calls
from ..layers.base import Layer
from ..layers.core.input_layer import Input, InputLayer
from ..naming import unique_name
from ..symbolic import KerasTensor
from .model import Model, numbered_layers


class Sequential(Model):
    """Layers one after the other: each is called on the result of the one before.

    Args:
        layers: List of layers, or None.
        name: Name. Default "sequential".
        **kwargs: See `Layer`.

    The shape of the input is taken from the first layer (`input_shape=`), from `build()` or from the first call.

    >>> from eagercore.keras import layers
    >>> model = Sequential([layers.Dense(3, input_shape=(2,)), layers.Dense(1)])
    >>> model.output_shape
    (None, 1)
    """

    def __init__(self, layers: Any = None, name: str | None = None, **kwargs: Any) -> None:
        if isinstance(layers, str) and name is None:
            layers, name = None, layers
        super().__init__(name=name, **kwargs)
        self.__dict__["_stack"] = []
        self.__dict__["_entry"] = None
        self._tracked["layers"] = self._stack
        if layers is not None:
            for layer in layers if isinstance(layers, list | tuple) else [layers]:
                self.add(layer)

    @property
    def layers(self) -> list[Any]:
        """The layers in order."""
        return list(self._stack)

    def _sublayers(self) -> list[Any]:
        return Layer._sublayers(self)

    def _checkpoint_children(self) -> dict[str, Any]:
        found = {k: v for k, v in self._tracked.items() if k != "layers"}
        return {**numbered_layers(self._stack), **found}

    def add(self, layer: Any) -> None:
        """Puts a layer at the end.

        Raises:
            TypeError: If it is no layer.
            ValueError: If a layer of its name is there already.
        """
        if isinstance(layer, KerasTensor):
            layer = layer.node.layer
        if not isinstance(layer, Layer):
            if callable(layer) and not isinstance(layer, type):
                from ..layers import Lambda

                layer = Lambda(layer)
            else:
                raise TypeError(
                    f"The added layer must be an instance of class Layer. Found: {layer!r}"
                )
        if any(one.name == layer.name for one in self._stack):
            raise ValueError(
                f"All layers added to a Sequential model should have unique names. "
                f'Name "{layer.name}" is already the name '
                "of a layer in this model. Update the `name` argument to pass a unique name."
            )
        first = not self._stack
        if isinstance(layer, InputLayer):
            if not first:
                raise ValueError(f"Model {self.name}: an InputLayer can only be the first layer.")
            self.__dict__["_entry"] = layer.output
            self._rebuild()
            return
        self._stack.append(layer)
        self._tell(f"layer-{len(self._stack) - 1}", layer)
        if first and self._entry is None:
            self.__dict__["_entry"] = _entry_of(layer)
        if self._entry is not None:
            outputs = self._network.outputs if self._network is not None else self._entry
            self._connect_to(outputs, [layer])
        elif self.built:
            self.__dict__["_built"] = False

    def _connect_to(self, tensor: Any, layers: list[Any]) -> None:
        for layer in layers:
            tensor = layer(tensor)
            if isinstance(tensor, list | tuple | dict) and layer is not self._stack[-1]:
                raise ValueError(
                    "All layers in a Sequential model should have a single output tensor. For multi-output "
                    "layers, use the "
                    "functional API."
                )
        self._set_network(self._entry, tensor)

    def _set_network(self, inputs: Any, outputs: Any) -> None:
        from .network import Network

        self.__dict__["_network"] = Network(inputs, outputs, self.name)
        self.built = True

    def _rebuild(self) -> None:
        """Draws the network anew from the entry through all layers."""
        self.__dict__["_network"] = None
        if self._entry is not None and self._stack:
            self._connect_to(self._entry, self._stack)

    def pop(self) -> None:
        """Takes the last layer away.

        Raises:
            TypeError: If there is none.
        """
        if not self._stack:
            raise TypeError("There are no layers in the model.")
        gone = self._stack.pop()
        if self._network is not None and gone._inbound_nodes:
            gone._inbound_nodes.pop()
        self.__dict__["_network"] = None
        if not self._stack:
            self.__dict__["_entry"] = None
            self.__dict__["_built"] = False
        elif self._entry is not None:
            self._set_network(self._entry, self._stack[-1]._inbound_nodes[-1].outputs)

    def build(self, input_shape: Any = None) -> None:
        """Makes the variables of all layers.

        Args:
            input_shape: Shape with the batch.
        """
        if self._network is not None:
            self.built = True
            return
        if input_shape is None:
            if self._stack:
                raise ValueError(
                    f"Model {self.name}: build() needs the shape of the input, as in build((None, 4))."
                )
            return
        self.__dict__["_entry"] = Input(batch_shape=as_shape(input_shape))
        self._rebuild()
        self.built = True

    def _build_for(self, inputs: Any) -> None:
        """At the first call without a known shape: the network is drawn where that is possible."""
        shape = getattr(inputs, "shape", None)
        if (
            self._network is None
            and shape is not None
            and shape.rank
            and self._stack
            and not self._drawn_before()
        ):
            before = calls.inferring
            calls.inferring = False
            calls.stack.append(self)
            try:
                self.__dict__["_entry"] = _entry_before(
                    self._stack[0], [None, *shape[1:]], inputs.dtype
                )
                self._rebuild()
            except (TypeError, NotImplementedError, AttributeError):
                # A layer that needs values: the model runs all the same, without symbolic results.
                self.__dict__.update(_entry=None, _network=None)
            finally:
                calls.stack.pop()
                calls.inferring = before
        self._finish_build()

    def _drawn_before(self) -> bool:
        return any(layer._inbound_nodes for layer in self._stack)

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """The result for `inputs`."""
        outputs = inputs
        wanted = self._entry
        if wanted is not None and isinstance(inputs, Tensor):
            # A vector of examples is a column where each example is one number.
            rank = wanted.shape.rank
            if rank is not None and inputs.shape.rank == rank - 1 and wanted.shape[-1] == 1:
                outputs = expand_dims(inputs, axis=-1)
        for layer in self._stack:
            outputs = layer(outputs)
        return outputs

    def summary(
        self, line_length: Any = None, positions: Any = None, print_fn: Any = None, **kwargs: Any
    ) -> None:
        """Prints the layers, the shapes of their results and the numbers of their parameters."""
        if not self._stack:
            raise ValueError("This model has not yet been built: it has no layers.")
        super().summary(line_length, positions, print_fn, **kwargs)

    def get_config(self) -> dict[str, Any]:
        """The layers, as a dictionary without the weights."""
        from ..layers import serialize

        layers = [serialize(layer) for layer in self._stack]
        if self._entry is not None:
            layers.insert(0, serialize(self._entry.node.layer))
        return {"name": self.name, "layers": copy.deepcopy(layers)}

    @classmethod
    def from_config(cls, config: Any, custom_objects: Any = None) -> Any:
        """The model that `get_config` described, with fresh weights."""
        from ..layers import deserialize

        if isinstance(config, list):
            config = {"name": None, "layers": config}
        model = cls(name=config.get("name"))
        for one in config["layers"]:
            model.add(deserialize(one, custom_objects))
        shape = config.get("build_input_shape")
        if not model._network and shape:
            model.build(shape)
        return model


def _entry_of(layer: Any) -> Any:
    """The symbolic input that a first layer asks for, or None."""
    if isinstance(layer, Model) and layer._network is not None:
        first = layer._network.flat_inputs[0]
        return _entry_before(layer, first.shape, first.dtype)
    shape = layer.__dict__.get("_batch_input_shape")
    if shape is None:
        return None
    dtype = layer.__dict__.get("_dtype")
    return _entry_before(layer, shape, dtype)


def _entry_before(layer: Any, shape: Any, dtype: Any) -> Any:
    """The input of a model that begins with `layer`: its layer is named after it, its tensor is numbered."""
    entry = Input(batch_shape=shape, dtype=dtype, name=f"{layer.name}_input")
    entry._name = unique_name("keras_tensor")
    return entry


Sequential.__module__ = "eagercore.keras"
