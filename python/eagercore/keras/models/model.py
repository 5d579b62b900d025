"""Model: layers that are called, trained and saved together."""

from __future__ import annotations

from typing import Any

from ...base import nest
from ...graph.model_trace import any_batch
from ..calls import calls
from ..layers.base import Layer, _as_shapes
from ..metrics.base import Metric
from ..naming import unique_name
from ..settings import settings
from ..symbolic import KerasTensor
from ..tracking import deduplicated
from .network import Network
from .saving import Saving
from .training import Training


class Model(Training, Saving, Layer):
    """Layers that are called, trained and saved together.

    There are two ways to make one. Functional: `Model(inputs, outputs)` with symbolic tensors. Subclassing: layers are
    set in `__init__`, and `call` uses them.

    Args:
        *args: `inputs` and `outputs`: symbolic tensors or structures of them; and `name`.
        **kwargs: `inputs`, `outputs`, `name`, `trainable`, `dtype`.

    >>> from eagercore import keras
    >>> x = keras.Input((2,))
    >>> model = Model(x, keras.layers.Dense(1)(x))
    >>> model([[1.0, 2.0]]).shape
    TensorShape([1, 1])
    """

    _casts_inputs = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        names = ("inputs", "outputs", "name")
        given = dict(zip(names, args, strict=False))
        if (
            args
            and "outputs" not in given
            and "outputs" not in kwargs
            and not isinstance(args[0], KerasTensor | list | dict)
        ):
            given = {"name": args[0]}
        inputs, outputs = (
            kwargs.pop("inputs", given.get("inputs")),
            kwargs.pop("outputs", given.get("outputs")),
        )
        name = kwargs.pop("name", given.get("name"))
        self.__dict__["_network"] = None
        Layer.__init__(self, name=name, **kwargs)
        self._init_training()
        if inputs is not None or outputs is not None:
            if inputs is None or outputs is None:
                raise TypeError("A functional Model takes both `inputs` and `outputs`.")
            self._set_network(inputs, outputs)

    def _set_network(self, inputs: Any, outputs: Any) -> None:
        network = Network(inputs, outputs, self.name)
        names = [layer.name for layer in network.layers]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(
                    f'The name "{name}" is used {names.count(name)} times in the model. '
                    "All layer names should be unique."
                )
        self.__dict__["_network"] = network
        self.built = True

    # -------------------------------------------------------------------------------------------------- calling

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """The model's work: for a functional model its layers in order; written by each subclass.

        Args:
            inputs: Tensor, or a structure of tensors.
            training: Whether this is training; passed on to the layers inside that are not given it.
            mask: Mask of the inputs, or None.
        """
        network = self.__dict__["_network"]
        if network is None:
            raise NotImplementedError(
                f"Model {self.name} has no forward pass: a subclass of Model must override its `call()` method."
            )
        outputs, extra = network.run(inputs)
        for (_, what), value in zip(network.extra, extra, strict=True):
            if what is None:
                Layer.add_loss(self, value)
            else:
                Layer.add_metric(self, value, name=what)
        return outputs

    def _set_masks(self, inputs: Any, outputs: Any, mask: Any) -> None:
        """Nothing: the layers inside have masked their own results."""

    def _build_for(self, inputs: Any) -> None:
        if self.__dict__["_network"] is None and inputs is not None:
            # Whoever saves the model traces it for such inputs.
            self.__dict__["_first_inputs"] = any_batch(inputs)
        if type(self).build is not Model.build and inputs is not None:
            Layer._build_for(self, inputs)
            return
        if self.__dict__["_network"] is None and not all(
            getattr(layer, "built", True) for layer in self._sublayers()
        ):
            # Keras draws such a model once: a symbolic tensor stands for each input and takes a number.
            for _ in nest.flatten(inputs):
                unique_name("keras_tensor")
        self._finish_build()

    def build(self, input_shape: Any = None) -> None:
        """Makes the variables of all layers, by calling the model on symbolic tensors.

        Args:
            input_shape: Shape with the batch, or a structure of shapes.

        Raises:
            ValueError: If the shape is missing, or `call` cannot run without values.
        """
        if self.__dict__["_network"] is not None or self.built and input_shape is None:
            self.built = True
            return
        if input_shape is None:
            raise ValueError(
                f"Input shape must be defined when calling `build()` on the model {self.name}: build((None, features))."
            )
        self.__dict__["_built_with"] = input_shape
        spec = nest.map_structure(
            lambda s: KerasTensor(s, settings.floatx), _as_shapes(input_shape)
        )
        try:
            self._inferred((spec,), {})
        except (TypeError, NotImplementedError) as error:
            raise ValueError(
                f"You cannot build model {self.name} by calling `build` with {input_shape}: {error}. Call "
                f"the model on data "
                "instead."
            ) from error
        self.built = True

    def compute_output_spec(self, *args: Any, **kwargs: Any) -> Any:
        """Shapes and dtypes of the results of a call on symbolic tensors."""
        from ..layers.inference import by_running

        if self.__dict__["_call_spec"] is None:
            from ..layers.call_spec import CallSpec

            self.__dict__["_call_spec"] = CallSpec(self.call)
        return by_running(self, args, kwargs)

    # --------------------------------------------------------------------------------------------------
    # layers, variables

    def _sublayers(self) -> list[Any]:
        network = self.__dict__.get("_network")
        if network is None:
            return Layer._sublayers(self)
        return deduplicated([*network.layers, *Layer._sublayers(self)])

    @property
    def layers(self) -> list[Any]:
        """The layers set on the model, or those of the functional model, in order."""
        return [
            layer
            for layer in self._sublayers()
            if isinstance(layer, Layer) and not isinstance(layer, Metric)
        ]

    def _checkpoint_children(self) -> dict[str, Any]:
        """What a checkpoint saves: what was set on the model, and a functional model's layers by number."""
        found = Layer._checkpoint_children(self)
        network = self.__dict__["_network"]
        return found if network is None else {**numbered_layers(network.layers), **found}

    def get_layer(self, name: Any = None, index: int | None = None) -> Any:
        """A layer by its name, or by its position.

        Args:
            name: Name.
            index: Position among `layers`, from 0.

        Raises:
            ValueError: If there is no such layer.
        """
        layers = self.layers
        if isinstance(name, int | float) and index is None:
            name, index = None, int(name)
        if index is not None and name is not None:
            raise ValueError(
                f"Provide only a layer name or a layer index. Received: index={index}, name={name}."
            )
        if index is not None:
            if not -len(layers) <= index < len(layers):
                raise ValueError(
                    f"Was asked to retrieve layer at index {index} but model only has {len(layers)} layers."
                )
            return layers[int(index)]
        if name is None:
            raise ValueError("Provide either a layer name or layer index at `get_layer`.")
        for layer in layers:
            if layer.name == name:
                return layer
        raise ValueError(
            f"No such layer: {name}. Existing layers are: {[layer.name for layer in layers]}."
        )

    def _ordered(self, what: str, own: Any) -> list[Any]:
        found: list[Any] = []
        for layer in self._sublayers():
            found += getattr(layer, what)
        return deduplicated(found + own)

    @property
    def trainable_weights(self) -> list[Any]:
        """The variables to be trained, layer by layer."""
        self._assert_weights_exist()
        if not self.trainable:
            return []
        return self._ordered("trainable_weights", [v for v in self._own_variables() if v.trainable])

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The variables that are not to be trained."""
        self._assert_weights_exist()
        own = self._own_variables()
        if self.trainable:
            return self._ordered("non_trainable_weights", [v for v in own if not v.trainable])
        trainable = self._ordered("weights", own)
        return [v for v in trainable if v.trainable] + [v for v in trainable if not v.trainable]

    @property
    def weights(self) -> list[Any]:
        """All variables, layer by layer."""
        self._assert_weights_exist()
        own = self._own_variables()
        return self._ordered(
            "weights", [v for v in own if v.trainable] + [v for v in own if not v.trainable]
        )

    def _assert_weights_exist(self) -> None:
        """A model that is not built yet has no weights, which is no error for a subclass."""

    @property
    def state_updates(self) -> list[Any]:
        """Empty: state is updated at once."""
        return []

    # -------------------------------------------------------------------------------------------------- graph

    @property
    def inputs(self) -> Any:
        """Symbolic inputs, as a list; None for a subclassed model."""
        network = self.__dict__["_network"]
        return None if network is None else list(network.flat_inputs)

    @property
    def outputs(self) -> Any:
        """Symbolic results, as a list; None for a subclassed model."""
        network = self.__dict__["_network"]
        return None if network is None else list(network.flat_outputs)

    @property
    def input(self) -> Any:
        """Symbolic input, or the structure of them."""
        network = self.__dict__["_network"]
        if network is None:
            raise AttributeError(
                f"Layer {self.name} is not connected, no input to return: it is not a functional model."
            )
        return network.inputs

    @property
    def output(self) -> Any:
        """Symbolic result, or the structure of them."""
        network = self.__dict__["_network"]
        if network is None:
            raise AttributeError(
                f"Layer {self.name} has no inbound nodes, no output to return: it is not a functional model."
            )
        return network.outputs

    @property
    def input_shape(self) -> Any:
        """Shape of the input, as a tuple."""
        return nest.map_structure(lambda t: tuple(t.shape), self.input)

    @property
    def output_shape(self) -> Any:
        """Shape of the result, as a tuple."""
        return nest.map_structure(lambda t: tuple(t.shape), self.output)

    @property
    def input_names(self) -> list[str]:
        """Names of the inputs."""
        return [t.node.layer.name for t in self.inputs or []]

    @property
    def output_names(self) -> list[str]:
        """Names of the layers that make the results."""
        network = self.__dict__["_network"]
        if network is None:
            return list(self.__dict__.get("_found_output_names") or ["output_1"])
        return _numbered([t.node.layer.name for t in network.flat_outputs])

    def _add_symbolic_loss(self, loss: Any) -> None:
        if calls.inferring:
            return
        network = self.__dict__["_network"]
        if network is None:
            Layer._add_symbolic_loss(self, loss)
        network.extra.append((loss, None))
        network.arrange()

    def add_metric(self, value: Any, aggregation: Any = None, name: Any = None) -> None:
        """Adds a metric: the mean of `value`, a tensor or (in a functional model) a symbolic one."""
        if isinstance(value, KerasTensor) and not calls.inferring:
            if isinstance(aggregation, str) and aggregation != "mean":
                name = aggregation
            network = self.__dict__["_network"]
            network.extra.append((value, name))
            network.arrange()
            return
        Layer.add_metric(self, value, aggregation, name)

    # -------------------------------------------------------------------------------------------------- the rest

    def summary(
        self,
        line_length: int | None = None,
        positions: Any = None,
        print_fn: Any = None,
        **kwargs: Any,
    ) -> None:
        """Prints the layers, the shapes of their results and the numbers of their parameters.

        Args:
            line_length: Characters a line. Default 65 (98 with a column of connections).
            positions: Ends of the columns, as parts of the line.
            print_fn: Function that is given each line. Default `print`.
            **kwargs: `expand_nested`, `show_trainable`: accepted for Keras's sake.

        Raises:
            ValueError: If the model has not been built.
        """
        from .summary import print_summary

        if not self.built:
            raise ValueError(
                "This model has not yet been built. Build the model first by calling `build()` or calling "
                "`fit()` with some "
                "data, or specify an `input_shape` argument in the first layer(s) for automatic build."
            )
        print_summary(self, line_length, positions, print_fn)

    def count_params(self) -> int:
        """Number of values in all variables.

        Raises:
            ValueError: If the model has not been built.
        """
        return Layer.count_params(self)

    def get_config(self) -> dict[str, Any]:
        """What a functional model consists of, as a dictionary without the weights.

        Raises:
            NotImplementedError: For a subclass that does not define it.
        """
        if self.__dict__["_network"] is None:
            raise NotImplementedError(
                f"Model {self.name} is a subclass of Model: it must define get_config() to be saved as a whole. "
                "save_weights() works for every model."
            )
        from .configuration import network_config

        return network_config(self)

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """The model that `get_config` described, with fresh weights."""
        if "layers" in config and "input_layers" in config:
            from .configuration import network_from_config

            return network_from_config(cls, config, custom_objects)
        return cls(**config)


def numbered_layers(layers: list[Any]) -> dict[str, Any]:
    """Layers under the names that they have in TensorFlow's checkpoints."""
    with_weights = [layer for layer in layers if layer.weights]
    return {
        **{f"layer-{i}": layer for i, layer in enumerate(layers)},
        **{f"layer_with_weights-{i}": layer for i, layer in enumerate(with_weights)},
    }


def _numbered(names: list[str]) -> list[str]:
    seen: dict[str, int] = {}
    found = []
    for name in names:
        count = seen.get(name, 0)
        seen[name] = count + 1
        found.append(name if not count else f"{name}_{count}")
    return found


Model.__module__ = "eagercore.keras"
