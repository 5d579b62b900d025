"""Functional models as dictionaries, and back: layers, and how they are connected."""

from __future__ import annotations

import json
from typing import Any

from ...base import nest
from ...base.seeds import Stream
from ...base.shapes import TensorShape, as_shape
from ...core.tensor import NOTHING, EagerTensor
from ...core.variable import Variable
from ...ops.create import constant
from ..layers.core.input_layer import InputLayer
from ..layers.operation import OperationLayer
from ..serialization import custom_object_scope
from ..symbolic import KerasTensor


def network_config(model: Any) -> dict[str, Any]:
    """A functional model as a dictionary, in Keras's form."""
    from ..layers import serialize

    network = model._network
    numbers = _node_numbers(network)
    layers = []
    for layer in network.layers:
        nodes = [n for n in layer._inbound_nodes if id(n) in numbers and n.inputs]
        layers.append(
            {
                "name": layer.name,
                **serialize(layer),
                "inbound_nodes": [_node_config(layer, node, numbers) for node in nodes],
            }
        )
    return {
        "name": model.name,
        "layers": layers,
        "input_layers": _places(network.inputs, network.flat_inputs, numbers),
        "output_layers": _places(network.outputs, network.flat_outputs, numbers),
    }


def _node_numbers(network: Any) -> dict[int, int]:
    """Number of each node among those of its layer that belong to the network."""
    inside = {id(n) for n in network.nodes} | {id(t.node) for t in network.flat_inputs}
    numbers = {}
    for layer in network.layers:
        own = [n for n in layer._inbound_nodes if id(n) in inside]
        numbers.update({id(n): i for i, n in enumerate(own)})
    for tensor in network.flat_inputs:
        numbers.setdefault(id(tensor.node), 0)
    return numbers


def _place(tensor: KerasTensor, numbers: dict[int, int]) -> list[Any]:
    node, position = tensor._origin  # type: ignore[misc]
    return [node.layer.name, numbers[id(node)], position]


def _places(structure: Any, flat: list[Any], numbers: dict[int, int]) -> Any:
    if isinstance(structure, dict):
        return {key: _place(t, numbers) for key, t in structure.items()}
    return [_place(t, numbers) for t in flat]


def _node_config(layer: Any, node: Any, numbers: dict[int, int]) -> Any:
    first = node.args[0] if node.args else None
    plain = (
        isinstance(first, KerasTensor)
        or isinstance(first, list)
        and all(isinstance(t, KerasTensor) for t in first)
    )
    if isinstance(layer, OperationLayer) or not plain or len(node.args) > 1:
        return {
            "args": _encoded(list(node.args), numbers),
            "kwargs": {key: _encoded(value, numbers) for key, value in node.kwargs.items()},
        }
    kwargs = {key: _encoded(value, numbers) for key, value in node.kwargs.items()}
    tensors = first if isinstance(first, list) else [first]
    return [[*_place(t, numbers), kwargs] for t in tensors]


def _encoded(value: Any, numbers: dict[int, int]) -> Any:
    """An argument in what JSON can hold."""
    if isinstance(value, KerasTensor):
        return {"class_name": "__tensor__", "config": _place(value, numbers)}
    if isinstance(value, Variable | EagerTensor):
        return {
            "class_name": "__constant__",
            "config": {"dtype": value.dtype.name, "value": value.numpy().tolist()},
        }
    if isinstance(value, tuple):
        return {"class_name": "__tuple__", "config": [_encoded(v, numbers) for v in value]}
    if isinstance(value, list):
        return [_encoded(v, numbers) for v in value]
    if isinstance(value, dict):
        return {key: _encoded(v, numbers) for key, v in value.items()}
    if isinstance(value, slice):
        parts = [_encoded(v, numbers) for v in (value.start, value.stop, value.step)]
        return {"class_name": "__slice__", "config": parts}
    if value is Ellipsis:
        return {"class_name": "__ellipsis__", "config": None}
    if isinstance(value, Stream):
        return {"class_name": "__stream__", "config": list(value.seeds)}
    if hasattr(value, "as_numpy_dtype"):
        return {"class_name": "__dtype__", "config": value.name}
    if value is NOTHING:
        return None
    return value


class _Builder:
    """Makes a model from its dictionary: layers first, then their calls in the order in which they can be made."""

    def __init__(self, config: dict[str, Any], custom_objects: Any) -> None:
        from ..layers import deserialize

        self.layers: dict[str, Any] = {}
        self.made: dict[tuple[str, int], list[Any]] = {}
        self.waiting: list[tuple[str, int, Any]] = []
        for one in config["layers"]:
            layer = deserialize(
                {"class_name": one["class_name"], "config": one["config"]}, custom_objects
            )
            name = one.get("name", layer.name)
            self.layers[name] = layer
            if isinstance(layer, InputLayer):
                self.made[name, 0] = [layer._inbound_nodes[0].outputs]
            self.waiting += [
                (name, number, node) for number, node in enumerate(one["inbound_nodes"])
            ]

    def run(self) -> None:
        """Calls the layers until all calls are made."""
        while self.waiting:
            left = [one for one in self.waiting if not self._call(*one)]
            if len(left) == len(self.waiting):
                raise ValueError(
                    f"The model's layers refer to each other in a circle: {[name for name, _, _ in left]}"
                )
            self.waiting = left

    def _call(self, name: str, number: int, node: Any) -> bool:
        if number and (name, number - 1) not in self.made:
            return False
        layer = self.layers[name]
        try:
            args, kwargs = self._arguments(node)
        except KeyError:
            return False
        if isinstance(layer, OperationLayer):
            result = layer.recreate(args, kwargs)
            layer = nest.flatten(result)[0].node.layer
            layer.__dict__["_name"] = name
            self.layers[name] = layer
        else:
            result = layer(*args, **kwargs)
        self.made[name, number] = nest.flatten(result)
        return True

    def _arguments(self, node: Any) -> tuple[list[Any], dict[str, Any]]:
        if isinstance(node, dict):
            kwargs = {key: self._decoded(value) for key, value in node["kwargs"].items()}
            return self._decoded(node["args"]), kwargs
        if node and isinstance(node[0], str):
            node = [node]
        tensors, kwargs = [], {}
        for entry in node:
            tensors.append(self.tensor(entry))
            if len(entry) > 3 and entry[3]:
                kwargs = {key: self._decoded(value) for key, value in entry[3].items()}
        return [tensors[0] if len(tensors) == 1 else tensors], kwargs

    def tensor(self, place: Any) -> Any:
        """The symbolic tensor at a place; KeyError where it is not made yet."""
        return self.made[place[0], int(place[1])][int(place[2])]

    def _decoded(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._decoded(v) for v in value]
        if not isinstance(value, dict):
            return value
        kind, config = value.get("class_name"), value.get("config")
        if kind == "__tensor__":
            return self.tensor(config)
        if kind == "__constant__":
            return constant(config["value"], dtype=config["dtype"])
        if kind == "__tuple__":
            return tuple(self._decoded(v) for v in config)
        if kind == "__slice__":
            return slice(*(self._decoded(v) for v in config))
        if kind == "__ellipsis__":
            return Ellipsis
        if kind == "__stream__":
            return Stream(tuple(config))
        if kind == "__dtype__":
            return config
        return {key: self._decoded(v) for key, v in value.items()}

    def places(self, given: Any) -> Any:
        """The symbolic tensors of the model's inputs or outputs."""
        if isinstance(given, dict):
            return {key: self.tensor(place) for key, place in given.items()}
        if given and isinstance(given[0], str):
            given = [given]
        found = [self.tensor(place) for place in given]
        return found[0] if len(found) == 1 else found


def network_from_config(cls: Any, config: dict[str, Any], custom_objects: Any = None) -> Any:
    """A functional model from the dictionary of `network_config`."""
    builder = _Builder(config, custom_objects)
    builder.run()
    return cls(
        inputs=builder.places(config["input_layers"]), outputs=builder.places(config["output_layers"]),
        name=config.get("name"),
    )  # fmt: skip


# --------------------------------------------------------------------------------------------------------------------
# JSON


def model_config(model: Any) -> dict[str, Any]:
    """Class and configuration of a model, with Keras's header."""
    from ..serialization import get_registered_name

    return {
        "class_name": get_registered_name(type(model)),
        "config": model.get_config(),
        "keras_version": "2.2.4-tf",
        "backend": "eagercore",
    }


def to_json(model: Any, **kwargs: Any) -> str:
    """A model without its weights, as JSON text."""
    return json.dumps(model_config(model), default=_json_value, **kwargs)


def _json_value(value: Any) -> Any:
    if isinstance(value, TensorShape):
        return list(as_shape(value))
    if hasattr(value, "tolist"):
        return value.tolist()
    if hasattr(value, "numpy"):
        return value.numpy().tolist()
    if hasattr(value, "get_config"):
        return {"class_name": type(value).__name__, "config": value.get_config()}
    if hasattr(value, "name"):
        return value.name
    raise TypeError(f"{value!r} of type {type(value).__name__} cannot be saved as JSON.")


def model_from_config(config: dict[str, Any], custom_objects: Any = None) -> Any:
    """A model from its class and configuration, with fresh weights."""
    from ..layers import deserialize

    if isinstance(config, list):
        raise TypeError(
            "`model_from_config` expects a dictionary, not a list. Use Sequential.from_config(config)."
        )
    with custom_object_scope(custom_objects or {}):
        return deserialize(
            {"class_name": config["class_name"], "config": config["config"]}, custom_objects
        )


def model_from_json(json_string: str, custom_objects: Any = None) -> Any:
    """A model from the JSON text of `to_json`, with fresh weights.

    Args:
        json_string: The text.
        custom_objects: name -> class or function of one's own.

    >>> from eagercore import keras
    >>> model = keras.Sequential([keras.layers.Dense(1, input_shape=(2,))])
    >>> model_from_json(model.to_json()).output_shape
    (None, 1)
    """
    return model_from_config(json.loads(json_string), custom_objects)


def model_from_yaml(yaml_string: str, custom_objects: Any = None) -> Any:
    """Refused: YAML can hold code. Use JSON."""
    raise RuntimeError(
        "Method `model_from_yaml()` has been removed due to security risk. Please use model_from_json()."
    )
