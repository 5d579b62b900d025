"""ConvLSTM1D, ConvLSTM2D, ConvLSTM3D: long short-term memory whose products are convolutions."""

from __future__ import annotations

from typing import Any

from ....base.shapes import TensorShape, as_shape
from ....base.windows import output_size
from ....ops import convolution as primitives
from ....ops.arithmetic import add, multiply
from ....ops.create import cast, ones, shape_of, zeros
from ....ops.shape import concat, split, transpose
from ... import activations, constraints, initializers, regularizers
from ...settings import checked_data_format
from ..base import Layer
from ..convolution.base import checked_padding, per_dimension
from ..core.dense import positive_int
from ..input_spec import InputSpec
from .base import RNN
from .cell import rate

_ARGUMENTS = """
    Args:
        filters: Number of outputs.
        kernel_size: Size of the window: an int, or one for each spatial dimension.
        strides: Step of the window over the inputs, as `kernel_size`. Default 1.
        padding: "valid" or "same". Default "valid".
        data_format: "channels_last" (default) or "channels_first".
        dilation_rate: Distance of the window's elements, as `kernel_size`. Default 1.
        activation: Activation function. Default "tanh".
        recurrent_activation: The gates' activation function. Default "hard_sigmoid".
        use_bias: Whether there is a bias. Default True.
        kernel_initializer: Initializer of the kernel. Default "glorot_uniform".
        recurrent_initializer: Initializer of the recurrent kernel. Default "orthogonal".
        bias_initializer: Initializer of the bias. Default "zeros".
        unit_forget_bias: Whether the forget gate's bias begins at 1. Default True.
        kernel_regularizer: Regularizer of the kernel, or None.
        recurrent_regularizer: Regularizer of the recurrent kernel, or None.
        bias_regularizer: Regularizer of the bias, or None.
        activity_regularizer: Regularizer of the output, or None.
        kernel_constraint: Constraint of the kernel, or None.
        recurrent_constraint: Constraint of the recurrent kernel, or None.
        bias_constraint: Constraint of the bias, or None.
        return_sequences: Whether the result holds all time steps. Default False.
        return_state: Whether the last states are returned too. Default False.
        go_backwards: Whether to begin at the last time step. Default False.
        stateful: Whether the last states are the first of the next batch. Default False.
        dropout: Part of the inputs that is left out in training. Default 0.
        recurrent_dropout: Part of the state that is left out in training. Default 0.
        **kwargs: See `Layer`.
"""


class ConvLSTMCell(Layer):
    """One step of a `ConvLSTM`.

    Args:
        rank: Number of spatial dimensions.
        arguments: The layer's arguments by name.
        **kwargs: See `Layer`.
    """

    def __init__(self, rank: int, arguments: dict[str, Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.rank = rank
        self.filters = positive_int("filters", arguments["filters"])
        self.kernel_size = per_dimension(arguments["kernel_size"], rank, "kernel_size")
        self.strides = per_dimension(arguments["strides"], rank, "strides")
        self.padding = checked_padding(arguments["padding"])
        self.data_format = checked_data_format(arguments["data_format"])
        self.dilation_rate = per_dimension(arguments["dilation_rate"], rank, "dilation_rate")
        self.activation = activations.get(arguments["activation"])
        self.recurrent_activation = activations.get(arguments["recurrent_activation"])
        self.use_bias = bool(arguments["use_bias"])
        self.unit_forget_bias = bool(arguments["unit_forget_bias"])
        for name in ("kernel", "recurrent", "bias"):
            setattr(self, f"{name}_initializer", initializers.get(arguments[f"{name}_initializer"]))
            setattr(self, f"{name}_regularizer", regularizers.get(arguments[f"{name}_regularizer"]))
            setattr(self, f"{name}_constraint", constraints.get(arguments[f"{name}_constraint"]))
        self.dropout, self.recurrent_dropout = (
            rate(arguments["dropout"]),
            rate(arguments["recurrent_dropout"]),
        )
        self.state_size = [self.filters, self.filters]

    def build(self, input_shape: Any) -> None:
        """Makes `kernel`, `recurrent_kernel` and `bias`; the gates' channels stand in the order i, f, c, o."""
        shape = as_shape(input_shape)
        channels = shape[1 if self.data_format == "channels_first" else -1]
        if channels is None:
            raise ValueError(
                f"Layer {self.name}: the channel dimension of the inputs should be defined. Found {shape}."
            )
        width = 4 * self.filters
        self.kernel = self.add_weight(
            "kernel", shape=(*self.kernel_size, channels, width), initializer=self.kernel_initializer,
            regularizer=self.kernel_regularizer, constraint=self.kernel_constraint,
        )  # fmt: skip
        self.recurrent_kernel = self.add_weight(
            "recurrent_kernel", shape=(*self.kernel_size, self.filters, width), initializer=self.recurrent_initializer,
            regularizer=self.recurrent_regularizer, constraint=self.recurrent_constraint,
        )  # fmt: skip
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                "bias", shape=(width,), initializer=self._bias_start,
                regularizer=self.bias_regularizer, constraint=self.bias_constraint,
            )  # fmt: skip
        self.built = True

    def _bias_start(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Any:
        if not self.unit_forget_bias:
            return self.bias_initializer(shape, dtype=dtype)
        one, two = (self.bias_initializer((n * self.filters,), dtype=dtype) for n in (1, 2))
        return concat([one, ones((self.filters,), dtype), two], axis=0)

    def convolved(self, x: Any) -> Any:
        """The part of the gates that comes from the inputs, channels last."""
        if self.data_format == "channels_first":
            x = transpose(x, (0, *range(2, self.rank + 2), 1))
        made = self._convolution(
            x, self.kernel.value(), self.strides, self.padding, self.dilation_rate
        )
        return made if self.bias is None else add(made, self.bias.value())

    def _convolution(self, x: Any, kernel: Any, strides: Any, padding: str, dilations: Any) -> Any:
        pair = None if padding == "same" else (0, 0)
        return primitives.convolution(
            x, kernel, strides=strides, padding=(pair,) * self.rank, dilations=dilations, groups=1
        )

    def call(self, inputs: Any, states: Any, training: Any = None) -> Any:
        """Output and new states of one step; states and output have their channels last."""
        before, memory = states
        ones_ = (1,) * self.rank
        made = add(
            self.convolved(inputs),
            self._convolution(before, self.recurrent_kernel.value(), ones_, "same", ones_),
        )
        i, f, g, o = split(made, 4, axis=-1)
        gate, function = self.recurrent_activation, self.activation
        memory = add(multiply(gate(f), memory), multiply(gate(i), function(g)))
        output = multiply(gate(o), function(memory))
        return output, [output, memory]


class ConvLSTM(RNN):
    """Base of the convolutional long short-term memories: `_rank` spatial dimensions."""

    _rank = 2

    def __init__(
        self,
        filters: int,
        kernel_size: Any,
        strides: Any = 1,
        padding: str = "valid",
        data_format: str | None = None,
        dilation_rate: Any = 1,
        activation: Any = "tanh",
        recurrent_activation: Any = "hard_sigmoid",
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros",
        unit_forget_bias: bool = True,
        kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        recurrent_constraint: Any = None,
        bias_constraint: Any = None,
        return_sequences: bool = False,
        return_state: bool = False,
        go_backwards: bool = False,
        stateful: bool = False,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        **kwargs: Any,
    ) -> None:
        own = dict(locals())
        arguments = {
            k: v for k, v in own.items()
            if k not in ("self", "kwargs", "__class__", "own", "activity_regularizer", "return_sequences",
                         "return_state", "go_backwards", "stateful")
        }  # fmt: skip
        cell = ConvLSTMCell(
            self._rank, arguments, name=f"conv_lstm{self._rank}d_cell", dtype=kwargs.get("dtype"),
            trainable=kwargs.get("trainable", True),
        )  # fmt: skip
        super().__init__(
            cell, return_sequences=return_sequences, return_state=return_state, go_backwards=go_backwards,
            stateful=stateful, activity_regularizer=activity_regularizer, **kwargs,
        )  # fmt: skip
        self.input_spec = InputSpec(ndim=self._rank + 3)

    def get_initial_state(self, inputs: Any) -> Any:
        """States of zeros for these inputs: a list of two."""
        sizes = shape_of(inputs)
        spatial = sizes[3:] if self.cell.data_format == "channels_first" else sizes[2:-1]
        shape = (sizes[0], *self._spatial(spatial), self.cell.filters)
        return [zeros(shape, inputs.dtype), zeros(shape, inputs.dtype)]

    def _spatial(self, sizes: Any) -> list[Any]:
        cell = self.cell
        pair = None if cell.padding == "same" else (0, 0)
        return [
            output_size(n, k, s, d, pair)
            for n, k, s, d in zip(
                sizes, cell.kernel_size, cell.strides, cell.dilation_rate, strict=True
            )
        ]

    def _given_states(self, inputs: Any, given: Any) -> list[Any]:
        states = list(given) if isinstance(given, list | tuple) else [given]
        if self.cell.data_format == "channels_first":
            states = [transpose(s, (0, *range(2, self._rank + 2), 1)) for s in states]
        return RNN._given_states(self, inputs, states)

    def _run(self, inputs: Any, states: Any, mask: Any, training: Any, constants: Any) -> Any:
        cell = self.cell
        if training and cell.dropout:
            inputs = multiply(inputs, _mask(inputs[:, :1], cell.dropout))
        if training and cell.recurrent_dropout:
            states = [multiply(states[0], _mask(states[0], cell.recurrent_dropout)), states[1]]
        last, outputs, states = RNN._run(self, inputs, states, mask, training, constants)
        if cell.data_format == "channels_first":
            rank = self._rank
            last = transpose(last, (0, rank + 1, *range(1, rank + 1)))
            outputs = transpose(outputs, (0, 1, rank + 2, *range(2, rank + 2)))
            states = [transpose(s, (0, rank + 1, *range(1, rank + 1))) for s in states]
        return last, outputs, states

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for an input of this shape; with `return_state` a list of shapes."""
        shape: Any = as_shape(input_shape)
        cell = self.cell
        if cell.data_format == "channels_first":
            one = [shape[0], cell.filters, *self._spatial(shape[3:])]
        else:
            one = [shape[0], *self._spatial(shape[2:-1]), cell.filters]
        state = TensorShape(one)
        output = as_shape([one[0], shape[1], *one[1:]]) if self.return_sequences else state
        return [output, state, state] if self.return_state else output

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        cell, own = self.cell, self._own_config()
        for name in ("unroll", "time_major"):
            own.pop(name)
        own["activity_regularizer"] = regularizers.serialize(self.activity_regularizer)
        for name in (
            "filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate", "use_bias",
            "unit_forget_bias", "dropout", "recurrent_dropout",
        ):  # fmt: skip
            own[name] = getattr(cell, name)
        own["activation"] = activations.serialize(cell.activation)
        own["recurrent_activation"] = activations.serialize(cell.recurrent_activation)
        for name in ("kernel", "recurrent", "bias"):
            own[f"{name}_initializer"] = initializers.serialize(
                getattr(cell, f"{name}_initializer")
            )
            own[f"{name}_regularizer"] = regularizers.serialize(
                getattr(cell, f"{name}_regularizer")
            )
            own[f"{name}_constraint"] = constraints.serialize(getattr(cell, f"{name}_constraint"))
        return own

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """The layer that `get_config` described, not built yet."""
        return cls(**config)


def _mask(value: Any, part: float) -> Any:
    from ....ops import random

    drawn = random.uniform(shape_of(value), dtype=value.dtype)
    return multiply(cast(drawn >= part, value.dtype), 1.0 / max(1.0 - part, 1e-7))


class ConvLSTM1D(ConvLSTM):
    """Long short-term memory by convolutions over lines: [batch, time, steps, channels]."""

    _rank = 1


class ConvLSTM2D(ConvLSTM):
    """Long short-term memory by convolutions over images: [batch, time, height, width, channels]."""

    _rank = 2


class ConvLSTM3D(ConvLSTM):
    """Long short-term memory by convolutions over volumes: [batch, time, depth, height, width, channels]."""

    _rank = 3


for _cls in (ConvLSTM1D, ConvLSTM2D, ConvLSTM3D):
    _dims, _made = (
        ", ".join(["1", *middle, "4"])
        for middle in (["2", *["5"] * _cls._rank], ["3"] * _cls._rank)
    )
    _cls.__doc__ = (
        f"{_cls.__doc__}\n{_ARGUMENTS}\n    >>> import eagercore as tf\n"
        f"    >>> {_cls.__name__}(4, 3)(tf.ones([{_dims}])).shape\n    TensorShape([{_made}])\n    "
    )
    _cls.__module__ = "eagercore.keras.layers"
