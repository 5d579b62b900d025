"""LSTM: long short-term memory."""

from __future__ import annotations

from typing import Any

from ....ops import rnn
from ....ops.arithmetic import add, multiply
from ....ops.create import ones
from ....ops.linalg import matmul_op
from ....ops.shape import concat, split
from ... import activations
from .cell import Cell, arguments_of, documented
from .fused import FusedRNN, forward_to_cell


@documented
class LSTMCell(Cell):
    """One step of an `LSTM`.

    Args:
        {arguments}

    It is called with the inputs `[batch, features]` and a list of two states, output and memory, and gives output and
    new states. The gates stand in the kernels in the order input, forget, candidate, output.

    >>> import eagercore as tf
    >>> output, states = LSTMCell(3)(tf.ones([2, 4]), [tf.zeros([2, 3]), tf.zeros([2, 3])])
    >>> output.shape, len(states)
    (TensorShape([2, 3]), 2)
    """

    _gates = 4

    def __init__(
        self,
        units: int,
        activation: Any = "tanh",
        recurrent_activation: Any = "sigmoid",
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros",
        unit_forget_bias: bool = True,
        kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None,
        bias_regularizer: Any = None,
        kernel_constraint: Any = None,
        recurrent_constraint: Any = None,
        bias_constraint: Any = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**arguments_of(Cell, locals()), **kwargs)
        self.recurrent_activation = activations.get(recurrent_activation)
        self.unit_forget_bias = bool(unit_forget_bias)

    @property
    def state_size(self) -> list[int]:
        """Lengths of output and memory."""
        return [self.units, self.units]

    def _bias_start(self) -> Any:
        if not self.unit_forget_bias:
            return self.bias_initializer
        units = self.units

        def start(shape: Any, dtype: Any = None, **kwargs: Any) -> Any:
            rest = [self.bias_initializer((n * units,), dtype=dtype) for n in (1, 2)]
            return concat([rest[0], ones((units,), dtype), rest[1]], axis=0)

        return start

    def call(self, inputs: Any, states: Any, training: Any = None) -> Any:
        """Output and new states of one step."""
        before, memory = states
        made = matmul_op(self.thinned_inputs(inputs, training), self.kernel.value())
        made = add(
            made, matmul_op(self.thinned_state(before, training), self.recurrent_kernel.value())
        )
        if self.bias is not None:
            made = add(made, self.bias.value())
        i, f, g, o = split(made, 4, axis=-1)
        gate, function = self.recurrent_activation, self.activation
        memory = add(multiply(gate(f), memory), multiply(gate(i), function(g)))
        output = multiply(gate(o), function(memory))
        return output, [output, memory]

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a cell like this one."""
        return {
            **super().get_config(),
            "recurrent_activation": activations.serialize(self.recurrent_activation),
            "unit_forget_bias": self.unit_forget_bias,
        }


@documented
class LSTM(FusedRNN):
    """Long short-term memory: a memory that gates write, keep and read.

    Args:
        {arguments}

    Inputs are `[batch, time, features]`, the result is `[batch, units]`, or `[batch, time, units]` with
    `return_sequences`; with `return_state` a list of that and the last output and memory. The first states are given by
    `layer(x, initial_state=[h, c])`. Time steps that a mask leaves out do not change the state.

    >>> import eagercore as tf
    >>> output, h, c = LSTM(3, return_sequences=True, return_state=True)(tf.ones([2, 4, 5]))
    >>> output.shape, h.shape, c.shape
    (TensorShape([2, 4, 3]), TensorShape([2, 3]), TensorShape([2, 3]))
    """

    _network = staticmethod(rnn.lstm)

    def __init__(
        self,
        units: int,
        activation: Any = "tanh",
        recurrent_activation: Any = "sigmoid",
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
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        return_sequences: bool = False,
        return_state: bool = False,
        go_backwards: bool = False,
        stateful: bool = False,
        unroll: bool = False,
        time_major: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(LSTMCell, locals(), kwargs)


class CuDNNLSTM(LSTM):
    """`LSTM` under the name and with the arguments of the layer for graphics cards; it runs everywhere.

    Args:
        units: Number of outputs.
        kernel_initializer: Initializer of the kernel. Default "glorot_uniform".
        recurrent_initializer: Initializer of the recurrent kernel. Default "orthogonal".
        bias_initializer: Initializer of the bias. Default "zeros".
        unit_forget_bias: Whether the forget gate's bias begins at 1. Default True.
        **kwargs: See `LSTM`.

    >>> import eagercore as tf
    >>> CuDNNLSTM(3)(tf.ones([2, 4, 5])).shape
    TensorShape([2, 3])
    """

    def __init__(
        self,
        units: int,
        kernel_initializer: Any = "glorot_uniform",
        recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros",
        unit_forget_bias: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            units, kernel_initializer=kernel_initializer, recurrent_initializer=recurrent_initializer,
            bias_initializer=bias_initializer, unit_forget_bias=unit_forget_bias, **kwargs,
        )  # fmt: skip


forward_to_cell(LSTM, LSTMCell)
CuDNNLSTM.__module__ = "eagercore.keras.layers"
