"""Copies of models."""

from __future__ import annotations

from typing import Any

from ..layers.core.input_layer import InputLayer
from .configuration import network_config, network_from_config


def clone_model(model: Any, input_tensors: Any = None, clone_function: Any = None) -> Any:
    """A model of the same layers with weights of its own.

    Args:
        model: Functional or sequential model.
        input_tensors: Symbolic inputs of the copy, or None for new ones.
        clone_function: Function of a layer that gives its copy, or None.

    Raises:
        ValueError: If the model is a subclass that cannot be described.

    >>> from eagercore import keras
    >>> model = keras.Sequential([keras.layers.Dense(1, input_shape=(2,))])
    >>> clone_model(model).count_params()
    3
    """
    from .sequential import Sequential

    copy = clone_function or (lambda layer: type(layer).from_config(layer.get_config()))
    if isinstance(model, Sequential):
        made = Sequential(name=model.name)
        if model._entry is not None:
            entry = model._entry.node.layer
            made.add(type(entry).from_config(entry.get_config()))
        for layer in model.layers:
            made.add(
                copy(layer)
                if not hasattr(layer, "_network")
                else clone_model(layer, None, clone_function)
            )
        return made
    if model.__dict__.get("_network") is None:
        raise ValueError(
            f"Expected a functional or sequential model, got the subclassed model {model.name}: make a new "
            f"one of its class."
        )
    if clone_function is None and input_tensors is None:
        return network_from_config(
            type(model) if type(model).__name__ == "Model" else _plain_model(),
            network_config(model),
        )
    return _by_hand(model, input_tensors, copy)


def _plain_model() -> Any:
    from .model import Model

    return Model


def _by_hand(model: Any, input_tensors: Any, copy: Any) -> Any:
    """A copy whose layers come from a function: the calls of the old model are repeated on new symbolic tensors."""
    from ...base import nest
    from ..layers.core.input_layer import Input
    from ..symbolic import KerasTensor

    network = model._network
    given = nest.flatten(input_tensors) if input_tensors is not None else [
        Input(batch_shape=t.shape, dtype=t.dtype, name=t.node.layer.name) for t in network.flat_inputs
    ]  # fmt: skip
    known: dict[int, Any] = {
        id(old): new for old, new in zip(network.flat_inputs, given, strict=True)
    }
    copies = {
        id(layer): copy(layer) if not isinstance(layer, InputLayer) else layer
        for layer in network.layers
    }

    def renewed(value: Any) -> Any:
        return known[id(value)] if isinstance(value, KerasTensor) else value

    for node in network.nodes:
        args, kwargs = nest.map_structure(renewed, (list(node.args), node.kwargs))
        result = copies[id(node.layer)](*args, **kwargs)
        for old, new in zip(nest.flatten(node.outputs), nest.flatten(result), strict=True):
            known[id(old)] = new
    made_in = nest.pack_sequence_as(network.inputs, given)
    made_out = nest.map_structure(renewed, network.outputs)
    return _plain_model()(made_in, made_out, name=model.name)
