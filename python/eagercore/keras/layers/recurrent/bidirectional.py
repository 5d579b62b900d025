"""Bidirectional: a recurrent layer forwards and another backwards."""

from __future__ import annotations

from typing import Any

from ....base.shapes import as_shape
from ....core.tensor import Tensor
from ....core.variable import Variable
from ....ops.arithmetic import add, multiply
from ....ops.rearrange import reverse
from ....ops.shape import concat
from ..base import MISSING, Layer
from ..call_spec import CallSpec
from .wrapper import Wrapper, build_inner

MODES = ("sum", "mul", "ave", "concat", None)


class Bidirectional(Wrapper):
    """Runs a recurrent layer from the first time step on, another of its kind from the last, and merges both results.

    Args:
        layer: Recurrent layer (`RNN`, `LSTM`, `GRU` ...).
        merge_mode: "concat" (default), "sum", "mul", "ave", or None for a list of both results.
        weights: First weights of both layers, or None.
        backward_layer: The layer for the way back; default a copy of `layer` that goes backwards.
        **kwargs: See `Layer`.

    Inputs are `[batch, time, features]`. With `return_state` of the layer the result is followed by the states of both.

    Raises:
        ValueError: If an argument has no meaning, or the layers go in the same direction.

    >>> import eagercore as tf
    >>> Bidirectional(tf.keras.layers.LSTM(3))(tf.ones([2, 4, 5])).shape
    TensorShape([2, 6])
    """

    def __init__(
        self,
        layer: Any,
        merge_mode: Any = "concat",
        weights: Any = None,
        backward_layer: Any = None,
        **kwargs: Any,
    ) -> None:
        if merge_mode not in MODES:
            raise ValueError(
                f"Invalid merge mode. Received: {merge_mode}. Merge mode should be one of "
                '{"sum", "mul", "ave", "concat", None}'
            )
        if not isinstance(layer, Layer) or not hasattr(layer, "return_sequences"):
            raise ValueError(
                f"Please initialize `Bidirectional` layer with a recurrent layer. Received: {layer}"
            )
        super().__init__(layer, **kwargs)
        self._untrack("layer")
        self.forward_layer = type(layer).from_config(_named(layer, f"forward_{layer.name}"))
        if backward_layer is None:
            config = _named(layer, f"backward_{layer.name}")
            config["go_backwards"] = not config["go_backwards"]
            self.backward_layer = type(layer).from_config(config)
        else:
            self.backward_layer = backward_layer
        self.__dict__["_given_backward"] = backward_layer is not None
        self._check_layers()
        for one in (self.forward_layer, self.backward_layer):
            if hasattr(one, "zero_output_for_mask"):
                # The layer backwards begins where the mask ends: what it would hold there comes from nowhere.
                one.zero_output_for_mask = one.return_sequences
        self.merge_mode = merge_mode
        if weights:
            half = len(weights) // 2
            self.forward_layer.__dict__["_initial_weights"] = weights[:half]
            self.backward_layer.__dict__["_initial_weights"] = weights[half:]
        self.stateful = layer.stateful
        self.return_sequences, self.return_state = layer.return_sequences, layer.return_state
        self.supports_masking = True

    def _check_layers(self) -> None:
        one, two = self.forward_layer, self.backward_layer
        if one.go_backwards == two.go_backwards:
            raise ValueError(
                "Forward layer and backward layer should have different `go_backwards` value. Received: forward_layer."
                f"go_backwards={one.go_backwards}, backward_layer.go_backwards={two.go_backwards}"
            )
        for name in ("stateful", "return_sequences", "return_state"):
            if getattr(one, name) != getattr(two, name):
                raise ValueError(
                    f"Forward layer and backward layer are expected to have the same value for attribute {name!r}, got "
                    f"{getattr(one, name)} and {getattr(two, name)}."
                )

    def build(self, input_shape: Any = None) -> None:
        """Builds both layers."""
        build_inner(self.forward_layer, input_shape, self)
        build_inner(self.backward_layer, input_shape, self)
        self.built = True

    def __call__(
        self, inputs: Any = MISSING, initial_state: Any = None, constants: Any = None, **kwargs: Any
    ) -> Any:
        """The result for `inputs`; states of both layers may also follow the inputs in a list."""
        if (
            isinstance(inputs, list | tuple)
            and initial_state is None
            and len(inputs) > 1
            and all(isinstance(x, Tensor | Variable) or getattr(x, "ndim", 0) > 1 for x in inputs)
        ):
            inputs, initial_state = inputs[0], list(inputs[1:])
        if initial_state is not None:
            kwargs["initial_state"] = initial_state
        if constants is not None:
            kwargs["constants"] = constants
        return Layer.__call__(self, inputs, **kwargs)

    def call(
        self,
        inputs: Any,
        training: Any = None,
        mask: Any = None,
        initial_state: Any = None,
        constants: Any = None,
    ) -> Any:
        """The result for `inputs`."""
        halves: list[Any] = [None, None]
        if initial_state is not None:
            states = list(initial_state)
            if len(states) % 2:
                raise ValueError(
                    "When passing `initial_state` to a Bidirectional RNN, the state should be a "
                    "list containing the states "
                    f"of the underlying RNNs. Found: {len(states)} states."
                )
            halves = [states[: len(states) // 2], states[len(states) // 2 :]]
        results = []
        for layer, state in zip((self.forward_layer, self.backward_layer), halves, strict=True):
            given: dict[str, Any] = {}
            spec = CallSpec(layer.call)
            if spec.takes_training:
                given["training"] = training
            if spec.takes_mask and mask is not None:
                given["mask"] = mask
            if constants is not None:
                given["constants"] = constants
            results.append(layer(inputs, initial_state=state, **given))
        return self._merged(*results)

    def _merged(self, ahead: Any, back: Any) -> Any:
        states: list[Any] = []
        if self.return_state:
            states = [*ahead[1:], *back[1:]]
            ahead, back = ahead[0], back[0]
        if self.return_sequences:
            axis = 0 if getattr(self.forward_layer, "time_major", False) else 1
            back = reverse(back, axis=(axis,))
        mode = self.merge_mode
        if mode == "concat":
            merged = concat([ahead, back], axis=-1)
        elif mode == "sum":
            merged = add(ahead, back)
        elif mode == "ave":
            merged = multiply(add(ahead, back), 0.5)
        elif mode == "mul":
            merged = multiply(ahead, back)
        else:
            merged = [ahead, back]
        if not states:
            return merged
        return [*merged, *states] if isinstance(merged, list) else [merged, *states]

    def reset_states(self) -> None:
        """Sets the states of both layers to zero."""
        self.forward_layer.reset_states()
        self.backward_layer.reset_states()

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for an input of this shape."""
        inner = self.forward_layer.compute_output_shape(input_shape)
        states = inner[1:] if self.return_state else []
        output = inner[0] if self.return_state else inner
        if self.merge_mode == "concat":
            output = as_shape([*output[:-1], None if output[-1] is None else 2 * output[-1]])
        if self.merge_mode is None:
            return [output, output, *states, *states]
        return [output, *states, *states] if self.return_state else output

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The mask, where the result holds all time steps."""
        if isinstance(mask, list | tuple):
            mask = mask[0]
        output = mask if self.return_sequences else None
        outputs = [output, output] if self.merge_mode is None else [output]
        if self.return_state:
            return [*outputs, *[None] * (2 * len(self.forward_layer.states))]
        return outputs if self.merge_mode is None else output

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        from ...serialization import serialize_keras_object

        config = {**super().get_config(), "merge_mode": self.merge_mode}
        if self._given_backward:
            config["backward_layer"] = serialize_keras_object(self.backward_layer)
        return config

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """The layer that `get_config` described, not built yet."""
        from .. import deserialize

        config = dict(config)
        if isinstance(config.get("backward_layer"), dict):
            config["backward_layer"] = deserialize(config["backward_layer"], custom_objects)
        layer = config.pop("layer")
        return cls(
            deserialize(layer, custom_objects) if isinstance(layer, dict) else layer, **config
        )


def _named(layer: Any, name: str) -> dict[str, Any]:
    """Configuration for a copy of a layer; a dtype that was left open stays open."""
    return {**layer.get_config(), "name": name, "dtype": layer.__dict__["_dtype"] and layer.dtype}


Bidirectional.__module__ = "eagercore.keras.layers"
