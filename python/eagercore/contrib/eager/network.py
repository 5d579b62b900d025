"""tfe.Network: the container of layers that came before tf.keras.Model."""

from __future__ import annotations

import os
import re
from typing import Any

from ...core.variable import Variable
from ...keras.layers.base import Layer
from ...keras.naming import snake_case, unique_name
from ...keras.tracking import deduplicated

_explicit: set[str] = set()


class Network(Layer):
    """A layer made of layers: track them with `track_layer` and write `call`.

    Variables get their names at the first call: the network's name comes before its layers'.

    Args:
        name: Name; default the class's, with a number where that is taken.

    Raises:
        ValueError: If a network of that name was made before.

    >>> from eagercore.compat.v1 import layers
    >>> class Model(Network):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.dense = self.track_layer(layers.Dense(units=2))
    ...     def call(self, inputs):
    ...         return self.dense(inputs)
    >>> model = Model()
    >>> model([[1.0]]).shape, len(model.variables)
    (TensorShape([1, 2]), 2)
    """

    _casts_inputs = False

    def __init__(self, name: str | None = None) -> None:
        if name is not None and "/" in name:
            raise ValueError(
                f"Forward slashes ('/') are not allowed in Network names: {name!r}. Names are put together "
                f"when networks "
                "hold networks."
            )
        super().__init__(name=name)
        fields = self.__dict__
        fields["_given_name"] = name
        fields["_final_name"] = None
        fields["_layers_by_name"] = {}
        fields["_layer_counts"] = {}
        fields["_parent_scope"] = None

    def _first_name(self, name: str | None) -> str:
        return name or snake_case(type(self).__name__)

    # ------------------------------------------------------------------------------------------------------ layers

    def track_layer(self, layer: Any) -> Any:
        """Makes a layer (or network) a part of this one.

        Args:
            layer: The layer.

        Returns:
            The layer.

        Raises:
            TypeError: If it is no layer.
            ValueError: If a layer of that name is there already.
        """
        if not isinstance(layer, Layer):
            raise TypeError(
                f"Network.track_layer() passed type {type(layer)}, not a tf.layers.Layer"
            )
        if "_layers_by_name" not in self.__dict__:
            raise self._not_initialized()
        known = self._layers_by_name
        if any(one is layer for one in known.values()):
            return layer
        if isinstance(layer, Network):
            name = self._name_child(layer)
        else:
            name = self._name_layer(layer)
        if name in known:
            raise ValueError(
                f"Attempt to add two Layers with the name '{name}' to the same Network."
            )
        known[name] = layer
        self._tell(name, layer)
        return layer

    def _name_layer(self, layer: Any) -> str:
        base = snake_case(type(layer).__name__)
        if layer.built or not re.fullmatch(re.escape(base) + r"(_\d+)?", layer.name):
            return layer.name
        # A name that the engine gave counts within this network: the second network's first dense is "dense" too.
        count = self._layer_counts.get(base, 0)
        self._layer_counts[base] = count + 1
        layer.__dict__.pop("_numbered_name", None)
        layer.__dict__["_name"] = base if count == 0 else f"{base}_{count}"
        return layer.name

    def _name_child(self, child: Network) -> str:
        if child._final_name is None:
            base = child._given_name or snake_case(type(child).__name__)
            count = self._layer_counts.get(base, 0)
            if child._given_name is not None and count:
                raise ValueError(
                    f"Attempt to add two Layers with the name '{base}' to the same Network."
                )
            self._layer_counts[base] = count + 1
            child.__dict__["_final_name"] = base if count == 0 else f"{base}_{count}"
            child.__dict__["_parent_scope"] = self
        return child._final_name

    def _settle_name(self) -> str:
        if self._final_name is None:
            given = self._given_name
            if given is not None:
                if given in _explicit:
                    raise ValueError(
                        f"A Network named '{given}' already exists (or a variable_scope was created with this name). "
                        "Names must be unique."
                    )
                _explicit.add(given)
                final = given
            else:
                final = unique_name(snake_case(type(self).__name__))
            self.__dict__["_final_name"] = final
        return self._final_name

    @property
    def name(self) -> str:
        """The network's name.

        Raises:
            ValueError: While it has none: before the first call.
        """
        fields = self.__dict__
        if "_final_name" not in fields:
            raise self._not_initialized()
        if fields["_final_name"] is None:
            raise ValueError(
                "The network does not yet have a final name, but a name was requested for it. Networks "
                "get a name when they "
                "are added to another Network via track_layer, or when they are first called/built."
            )
        return fields["_final_name"]

    @property
    def scope_name(self) -> str:
        """The prefix of the variables' names: the names of the networks around it come before its own."""
        parent = self.__dict__["_parent_scope"]
        return (
            self.name
            if parent is None or parent._final_name is None
            else f"{parent.scope_name}/{self.name}"
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls the network; at the first call it gets its name and its layers their variables."""
        if "_final_name" not in self.__dict__:
            raise self._not_initialized()
        self._settle_name()
        return super().__call__(*args, **kwargs)

    def _not_initialized(self) -> Exception:
        return AttributeError(
            f"'{type(self).__name__}' object was not initialized: call super().__init__() first in its __init__."
        )

    @property
    def layers(self) -> list[Any]:
        """The layers, in the order in which they were tracked."""
        return self._sublayers()

    def _sublayers(self) -> list[Any]:
        tracked = list(self.__dict__.get("_layers_by_name", {}).values())
        others = [one for one in super()._sublayers() if not any(one is t for t in tracked)]
        return tracked + others

    def get_layer(self, name: str | None = None, index: int | None = None) -> Any:
        """One of the layers.

        Args:
            name: Its name.
            index: Its place.

        Raises:
            ValueError: If there is none, or neither or both are given.
        """
        if (name is None) == (index is None):
            raise ValueError(
                "Provide either a layer name or layer index, not both and not neither."
            )
        if index is not None:
            if not -len(self.layers) <= index < len(self.layers):
                raise ValueError(
                    f"Was asked to retrieve layer at index {index} but model only has {len(self.layers)} layers."
                )
            return self.layers[index]
        for layer in self.layers:
            found = layer._final_name if isinstance(layer, Network) else layer.name
            if found == name:
                return layer
        raise ValueError(f"No such layer: {name}")

    @property
    def variables(self) -> list[Variable]:
        """All variables, layer by layer."""
        found = list(self._own_variables())
        for layer in self.layers:
            found += layer.variables
        return deduplicated(found)

    weights = variables

    @property
    def updates(self) -> list[Any]:
        """Empty: updates happen when they are called."""
        return []

    def add_variable(self, *args: Any, **kwargs: Any) -> Any:
        """Refused: variables belong in layers.

        Raises:
            RuntimeError: Always.
        """
        raise RuntimeError(
            "add_variable not supported in Network class yet. Please file an issue; until then make a "
            "tf.layers.Layer that "
            "has the variable and track it."
        )

    def _checkpoint_children(self) -> dict[str, Any]:
        return {**super()._checkpoint_children(), **self._layers_by_name}


class Sequential(Network):
    """Layers one after another.

    Args:
        layers_funcs: Layers and functions of one tensor.
        name: Name.

    >>> from eagercore.compat.v1 import layers
    >>> Sequential([layers.Dense(3), layers.Dense(1)])([[1.0, 2.0]]).shape
    TensorShape([1, 1])
    """

    def __init__(self, layers_funcs: Any = None, name: str | None = None) -> None:
        super().__init__(name)
        self.__dict__["_functions"] = []
        for one in layers_funcs or []:
            self.add(one)

    def add(self, layer_func: Any) -> None:
        """Adds a layer or a function at the end.

        Args:
            layer_func: The layer or function.
        """
        if isinstance(layer_func, Layer):
            layer_func = self.track_layer(layer_func)
        self._functions.append(layer_func)

    add_layer = add

    def call(self, inputs: Any, **kwargs: Any) -> Any:
        """The layers, one after another; keywords go to those that take them."""
        import inspect

        for one in self._functions:
            target = one.call if isinstance(one, Layer) else one
            try:
                taken = inspect.signature(target).parameters
            except (TypeError, ValueError):
                taken = {}
            inputs = one(inputs, **{k: v for k, v in kwargs.items() if k in taken})
        return inputs


# --------------------------------------------------------------------------------------------------- checkpoints


def _mapped(network: Network, map_func: Any) -> dict[str, Variable]:
    """Names in the checkpoint -> variables: the network's own name is left out."""
    prefix = network.scope_name + "/"
    made: dict[str, Variable] = {}
    for variable in network.variables:
        full = variable._name
        name = full.removeprefix(prefix) if map_func is None else map_func(full)
        if name in made:
            raise ValueError(
                f"The map_func passed to save_network_checkpoint for the Network '{network.name}' resulted "
                f"in two variables "
                f"named '{name}' ({made[name].name} and {variable.name})."
            )
        made[name] = variable
    return made


def save_network_checkpoint(
    network: Network, save_path: str, global_step: Any = None, map_func: Any = None
) -> str:
    """Saves the variables of a network under names that do not depend on the network's.

    Args:
        network: The network, which has been called.
        save_path: Folder, or beginning of the file's name.
        global_step: Number that is put behind the name, or None.
        map_func: Function from a variable's name to the name in the file.

    Returns:
        The file's name without its endings.

    Raises:
        ValueError: If the network has not been called.
    """
    from .saver import Saver

    if not network.built:
        raise ValueError(
            "Attempt to save the Network before it was first called. This means variables have not yet "
            "been created, so there "
            "is nothing to save."
        )
    if os.path.isdir(save_path):
        save_path = os.path.join(save_path, network.scope_name.replace("/", "_"))
    return Saver(_mapped(network, map_func)).save(save_path, global_step=global_step)


def restore_network_checkpoint(network: Network, save_path: str, map_func: Any = None) -> None:
    """Restores what `save_network_checkpoint` saved: now, or when the variables are made at the first call.

    Args:
        network: The network.
        save_path: The file's name, or a folder: the last checkpoint in it.
        map_func: Function from a variable's name to the name in the file.
    """
    from ...train import latest_checkpoint
    from .saver import Saver

    path = latest_checkpoint(save_path) if os.path.isdir(save_path) else save_path
    if network.built:
        Saver(_mapped(network, map_func)).restore(path)
        return
    original = network.__class__.__call__

    class Waiting(network.__class__):  # type: ignore[name-defined, misc]
        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            self.__class__ = type(self).__mro__[1]
            # The first call makes the variables; the second one, with their restored values, gives the answer.
            original(self, *args, **kwargs)
            Saver(_mapped(self, map_func)).restore(path)
            return original(self, *args, **kwargs)

    Waiting.__name__ = network.__class__.__name__
    object.__setattr__(network, "__class__", Waiting)


for _cls in (Network, Sequential):
    _cls.__module__ = "eagercore"
