"""RNN: any cell over a sequence."""

from __future__ import annotations

from typing import Any

from ....base import nest
from ....base.shapes import TensorShape, as_shape
from ....core.tensor import Tensor, convert
from ....core.variable import Variable
from ....ops.create import cast, shape_of, zeros
from ...symbolic import any_symbolic
from ..base import MISSING, Layer
from ..input_spec import InputSpec
from .cell import Cell
from .loop import over_time
from .stacked import StackedRNNCells
from .wrapper import build_inner


class RNN(Layer):
    """Runs a cell over the time steps of a sequence.

    Args:
        cell: A cell: `call(inputs at t, states)` gives (output, new states), and `state_size` says how long states are.
            A list of cells is stacked.
        return_sequences: Whether the result holds all time steps rather than the last. Default False.
        return_state: Whether the last states are returned too. Default False.
        go_backwards: Whether to begin at the last time step. Default False.
        stateful: Whether the last states are the first of the next batch. Default False.
        unroll: Accepted for Keras's sake: every call is unrolled.
        time_major: Whether time comes first in inputs and outputs. Default False.
        **kwargs: See `Layer`; `zero_output_for_mask` says whether masked time steps give zeros.

    Inputs are `[batch, time, features]`, the result is `[batch, units]` or `[batch, time, units]`; with
    `return_state` a list of that and the states. First states are given by `layer(x, initial_state=states)` or
    `layer([x, *states])`.

    Raises:
        ValueError: If `cell` is none.

    >>> import eagercore as tf
    >>> RNN(SimpleRNNCell(3))(tf.ones([2, 4, 5])).shape
    TensorShape([2, 3])
    """

    def __init__(
        self,
        cell: Any,
        return_sequences: bool = False,
        return_state: bool = False,
        go_backwards: bool = False,
        stateful: bool = False,
        unroll: bool = False,
        time_major: bool = False,
        **kwargs: Any,
    ) -> None:
        if isinstance(cell, list | tuple):
            cell = StackedRNNCells(list(cell))
        if not hasattr(cell, "call"):
            raise ValueError(
                f"The `cell` of an RNN layer should have a `call` method. The RNN was passed: {cell}"
            )
        if not hasattr(cell, "state_size"):
            raise ValueError(
                "The `cell` of an RNN layer should have an attribute `state_size` (an int, or a list of ints, one for "
                f"each state). Received: {cell}"
            )
        self.__dict__["zero_output_for_mask"] = bool(kwargs.pop("zero_output_for_mask", False))
        input_length = kwargs.pop("input_length", None)
        if "input_dim" in kwargs and "input_shape" not in kwargs:
            kwargs["input_shape"] = (input_length, kwargs.pop("input_dim"))
        super().__init__(**kwargs)
        self.cell = cell
        self.return_sequences, self.return_state = bool(return_sequences), bool(return_state)
        self.go_backwards, self.stateful = bool(go_backwards), bool(stateful)
        self.unroll, self.time_major = bool(unroll), bool(time_major)
        self.supports_masking = True
        self.input_spec = InputSpec(min_ndim=3)
        self.__dict__["_states"] = None
        self.__dict__["_constants_count"] = None

    # ------------------------------------------------------------------------------------------------------- calling

    def __call__(
        self, inputs: Any = MISSING, initial_state: Any = None, constants: Any = None, **kwargs: Any
    ) -> Any:
        """The result for `inputs`; states may also follow the inputs in a list."""
        if (
            isinstance(inputs, list | tuple)
            and initial_state is None
            and self._is_list_of_states(inputs)
        ):
            count = self.__dict__["_constants_count"] or 0
            rest = list(inputs[1:])
            if count:
                rest, constants = rest[:-count], rest[-count:]
            inputs, initial_state = inputs[0], rest or None
        if initial_state is not None:
            kwargs["initial_state"] = initial_state
        if constants is not None:
            kwargs["constants"] = (
                list(constants) if isinstance(constants, list | tuple) else [constants]
            )
            self.__dict__["_constants_count"] = len(kwargs["constants"])
        return Layer.__call__(self, inputs, **kwargs)

    def _is_list_of_states(self, inputs: Any) -> bool:
        return len(inputs) > 1 and all(
            isinstance(x, Tensor | Variable) or getattr(x, "ndim", 0) > 1 for x in inputs
        )

    def call(
        self,
        inputs: Any,
        mask: Any = None,
        training: Any = None,
        initial_state: Any = None,
        constants: Any = None,
    ) -> Any:
        """The result for `inputs`."""
        if isinstance(mask, list | tuple):
            mask = mask[0]
        inputs = nest.map_structure(self._floating, inputs)
        states = self._first_states(inputs, initial_state)
        last, outputs, states = self._run(inputs, states, mask, training, constants)
        return self._result(last, outputs, states)

    def _floating(self, x: Any) -> Any:
        return x if x.dtype.is_floating else cast(x, self.dtype)

    def _run(self, inputs: Any, states: Any, mask: Any, training: Any, constants: Any) -> Any:
        """Last output, all outputs and last states, one step after the other."""
        cell = self.cell
        self._reset_masks()
        given: dict[str, Any] = {} if constants is None else {"constants": constants}
        if _takes_training(cell):
            given["training"] = training

        def step(x: Any, states: Any) -> tuple[Any, Any]:
            output, following = cell(x, states, **given)
            return output, list(following) if isinstance(following, list | tuple) else [following]

        try:
            return over_time(
                step, inputs, states, mask, self.go_backwards, self.time_major,
                self.zero_output_for_mask, self.return_sequences,
            )  # fmt: skip
        finally:
            self._reset_masks()

    def _reset_masks(self) -> None:
        for layer in self._walk():
            if isinstance(layer, Cell):
                layer.reset_dropout_mask()
                layer.reset_recurrent_dropout_mask()

    def _result(self, last: Any, outputs: Any, states: Any) -> Any:
        if self.stateful:
            for variable, state in zip(
                nest.flatten(self._states), nest.flatten(states), strict=True
            ):
                variable.assign(state, read_value=False)
        result = outputs if self.return_sequences else last
        if not self.return_state:
            return result
        return [result, *states]

    # -------------------------------------------------------------------------------------------------------- states

    @property
    def states(self) -> Any:
        """The states that a stateful layer keeps, else a list of None."""
        if self._states is None:
            return [None] * len(nest.flatten(self.cell.state_size))
        return self._states

    def get_initial_state(self, inputs: Any) -> Any:
        """States of zeros for these inputs: a list."""
        first = nest.flatten(inputs)[0]
        batch = shape_of(first)[1 if self.time_major else 0]
        own = getattr(self.cell, "get_initial_state", None)
        if own is not None:
            made = own(inputs=None, batch_size=batch, dtype=first.dtype)
        else:
            made = _zeros_of(self.cell.state_size, batch, first.dtype)
        return list(made) if isinstance(made, list | tuple) else [made]

    def _first_states(self, inputs: Any, initial_state: Any) -> Any:
        if initial_state is not None:
            return self._given_states(inputs, initial_state)
        if self.stateful:
            if self._states is None:
                self._make_states(inputs)
            return nest.map_structure(lambda v: v.value(), self._states)
        return self.get_initial_state(inputs)

    def _given_states(self, inputs: Any, given: Any) -> list[Any]:
        size = self.cell.state_size
        count = len(size) if isinstance(size, list | tuple) else 1
        states = list(given) if isinstance(given, list | tuple) else [given]
        if len(states) != count and count == 1 and not any(hasattr(s, "dtype") for s in states):
            states = [given]
        if len(states) != count:
            raise ValueError(
                f"Layer {self.name} has {count} states but was passed {len(states)} initial states. It expects "
                f"initial_state of sizes {size}, got shapes {[getattr(s, 'shape', None) for s in states]}."
            )
        dtype = nest.flatten(inputs)[0].dtype
        made = nest.map_structure(lambda s: _as_state(s, dtype), states)
        for one, wanted in zip(nest.flatten(made), nest.flatten(size), strict=True):
            last = one.shape[-1] if one.shape.rank else 0
            if isinstance(wanted, int) and last not in (None, wanted):
                raise ValueError(
                    f"An `initial_state` was passed that is not compatible with `cell.state_size` "
                    f"of layer {self.name}: a "
                    f"state of shape {one.shape}, while state_size={size}."
                )
        return made

    def _make_states(self, inputs: Any) -> None:
        first = nest.flatten(inputs)[0]
        batch = first.shape[1 if self.time_major else 0]
        if batch is None:
            raise ValueError(
                "If a RNN is stateful, it needs to know its batch size. Specify the batch size of "
                "your input tensors: pass "
                "a `batch_input_shape` to your first layer, or `batch_shape` to your Input layer."
            )
        start = nest.map_structure(lambda s: zeros(s.shape, s.dtype), self.get_initial_state(first))
        self.__dict__["_states"] = nest.map_structure(
            lambda s: Variable(
                lambda: s, trainable=False, name=f"{self.name}/state", dtype=s.dtype
            ),
            start,
        )

    def reset_states(self, states: Any = None) -> None:
        """Sets the states of a stateful layer.

        Args:
            states: List of arrays in the shapes of the states; default zeros.

        Raises:
            AttributeError: If the layer is not stateful.
            ValueError: If number or shapes differ.
        """
        if not self.stateful:
            if states is None:
                return Layer.reset_states(self)
            raise AttributeError(f"Layer {self.name} must be stateful.")
        if self._states is None:
            shape = self.__dict__["_batch_input_shape"]
            if states is None:
                return None
            if shape is None:
                values = states if isinstance(states, list | tuple) else [states]
                shape = (len(nest.flatten(values)[0]), None, 1)
            self._make_states(zeros([1 if d is None else d for d in shape], self.dtype))
        own = nest.flatten(self._states)
        if states is None:
            values = [zeros(v.shape, v.dtype) for v in own]
        else:
            values = list(states) if isinstance(states, list | tuple) else [states]
        if len(values) != len(own):
            raise ValueError(
                f"Layer {self.name} expects {len(own)} states, but it received {len(values)} state values."
            )
        for variable, value in zip(own, values, strict=True):
            made = _as_state(value, variable.dtype)
            if made.shape != variable.shape:
                raise ValueError(
                    f"State of layer {self.name} is incompatible: expected shape={variable.shape}, "
                    f"found shape={made.shape}"
                )
            variable.assign(made)
        return None

    # ---------------------------------------------------------------------------------------------------- what it is

    def build(self, input_shape: Any) -> None:
        """Builds the cell."""
        if (
            isinstance(input_shape, list | tuple)
            and input_shape
            and not isinstance(input_shape[0], int | None)
        ):
            steps = [_of_step(as_shape(s)) for s in input_shape]
        else:
            steps = _of_step(as_shape(input_shape))
        if isinstance(self.cell, Layer):
            build_inner(self.cell, steps, self)
        self.built = True

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for an input of this shape; with `return_state` a list of shapes."""
        if (
            isinstance(input_shape, list | tuple)
            and input_shape
            and not isinstance(input_shape[0], int | None)
        ):
            input_shape = input_shape[0]
        shape = as_shape(input_shape)
        batch, time = (shape[1], shape[0]) if self.time_major else (shape[0], shape[1])
        size = getattr(self.cell, "output_size", None)
        state_size = self.cell.state_size
        if size is None:
            size = state_size[0] if isinstance(state_size, list | tuple) else state_size

        def whole(s: Any) -> Any:
            features = list(s) if isinstance(s, list | tuple | TensorShape) else [s]
            if not self.return_sequences:
                return as_shape([batch, *features])
            return as_shape(
                [time, batch, *features] if self.time_major else [batch, time, *features]
            )

        output = whole(size)
        if not self.return_state:
            return output
        states = state_size if isinstance(state_size, list | tuple) else [state_size]
        return [output, *(_state_shape(s, batch) for s in states)]

    def compute_output_spec(self, *args: Any, **kwargs: Any) -> Any:
        """Shapes and dtypes of the results of a call on symbolic tensors."""
        nested = isinstance(self.cell.state_size, list | tuple) and any(
            isinstance(s, list | tuple) for s in self.cell.state_size
        )
        if self.return_state and nested or args and isinstance(args[0], list | tuple | dict):
            from ..inference import by_running

            return by_running(self, args, kwargs)
        return super().compute_output_spec(*args, **kwargs)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The mask, where the result holds all time steps."""
        if isinstance(mask, list | tuple):
            mask = mask[0]
        output = mask if self.return_sequences else None
        if not self.return_state:
            return output
        return [output, *[None] * len(self.states)]

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        from ...serialization import serialize_keras_object

        return {**self._own_config(), "cell": serialize_keras_object(self.cell)}

    def _own_config(self) -> dict[str, Any]:
        config = {
            **Layer.get_config(self),
            "return_sequences": self.return_sequences,
            "return_state": self.return_state,
            "go_backwards": self.go_backwards,
            "stateful": self.stateful,
            "unroll": self.unroll,
            "time_major": self.time_major,
        }
        if self.zero_output_for_mask:
            config["zero_output_for_mask"] = True
        return config

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """The layer that `get_config` described, not built yet."""
        from .. import deserialize

        config = dict(config)
        cell = config.pop("cell")
        return cls(deserialize(cell, custom_objects) if isinstance(cell, dict) else cell, **config)


def _takes_training(cell: Any) -> bool:
    from ..call_spec import CallSpec

    return CallSpec(cell.call).takes_training


def _zeros_of(size: Any, batch: Any, dtype: Any) -> Any:
    if isinstance(size, list | tuple):
        return [_zeros_of(s, batch, dtype) for s in size]
    features = list(size) if isinstance(size, TensorShape) else [size]
    return zeros((batch, *features), dtype)


def _state_shape(size: Any, batch: Any) -> Any:
    if isinstance(size, list | tuple):
        return [_state_shape(s, batch) for s in size]
    return as_shape([batch, *(size if isinstance(size, TensorShape) else [size])])


def _as_state(value: Any, dtype: Any) -> Any:
    if any_symbolic(value):
        return value
    tensor = value.value() if isinstance(value, Variable) else convert(value)
    return tensor if tensor.dtype is dtype else cast(tensor, dtype)


def _of_step(shape: Any) -> Any:
    """Shape of one time step."""
    return as_shape([shape[0], *shape[2:]])


RNN.__module__ = "eagercore.keras.layers"
