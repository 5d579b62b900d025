"""GRU: gated recurrent units."""

from __future__ import annotations

from typing import Any

from ....ops import rnn
from ....ops.arithmetic import add, multiply, subtract
from ....ops.linalg import matmul_op
from ....ops.shape import split
from ... import activations
from .cell import Cell, arguments_of, documented
from .fused import FusedRNN, forward_to_cell


@documented
class GRUCell(Cell):
    """One step of a `GRU`.

    Args:
        {arguments}

    It is called with the inputs `[batch, features]` and a list of one state, and gives output and new states. The gates
    stand in the kernels in the order update, reset, candidate.

    >>> import eagercore as tf
    >>> output, states = GRUCell(3)(tf.ones([2, 4]), [tf.zeros([2, 3])])
    >>> output.shape, len(states)
    (TensorShape([2, 3]), 1)
    """

    _gates = 3

    def __init__(
        self,
        units: int,
        activation: Any = "tanh",
        recurrent_activation: Any = "sigmoid",
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None,
        bias_regularizer: Any = None,
        kernel_constraint: Any = None,
        recurrent_constraint: Any = None,
        bias_constraint: Any = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        reset_after: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(**arguments_of(Cell, locals()), **kwargs)
        self.recurrent_activation = activations.get(recurrent_activation)
        self.reset_after = bool(reset_after)

    def _bias_shape(self) -> tuple[int, ...]:
        return (2, 3 * self.units) if self.reset_after else (3 * self.units,)

    def biases(self) -> tuple[Any, Any]:
        """The biases of inputs and state, or None."""
        if self.bias is None:
            return None, None
        bias = self.bias.value()
        return (bias[0], bias[1]) if self.reset_after else (bias, None)

    def call(self, inputs: Any, states: Any, training: Any = None) -> Any:
        """Output and new states of one step."""
        nested = isinstance(states, list | tuple)
        before = states[0] if nested else states
        units, kernel = self.units, self.recurrent_kernel.value()
        bias, recurrent_bias = self.biases()
        made = matmul_op(self.thinned_inputs(inputs, training), self.kernel.value())
        if bias is not None:
            made = add(made, bias)
        xz, xr, xg = split(made, 3, axis=-1)
        state = self.thinned_state(before, training)
        if self.reset_after:
            inner = matmul_op(state, kernel)
            if recurrent_bias is not None:
                inner = add(inner, recurrent_bias)
            hz, hr, hg = split(inner, 3, axis=-1)
        else:
            hz, hr = split(matmul_op(state, kernel[:, : 2 * units]), 2, axis=-1)
        z = self.recurrent_activation(add(xz, hz))
        r = self.recurrent_activation(add(xr, hr))
        if self.reset_after:
            candidate = multiply(r, hg)
        else:
            candidate = matmul_op(multiply(r, state), kernel[:, 2 * units :])
        candidate = self.activation(add(xg, candidate))
        output = add(multiply(z, before), multiply(subtract(1.0, z), candidate))
        return output, [output] if nested else output

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a cell like this one."""
        return {
            **super().get_config(),
            "recurrent_activation": activations.serialize(self.recurrent_activation),
            "reset_after": self.reset_after,
        }


@documented
class GRU(FusedRNN):
    """Gated recurrent units: gates say how much of the state is replaced, and what of it the new one sees.

    Args:
        {arguments}

    Inputs are `[batch, time, features]`, the result is `[batch, units]`, or `[batch, time, units]` with
    `return_sequences`; with `return_state` a list of that and the last state. The first state is given by
    `layer(x, initial_state=h)`. Time steps that a mask leaves out do not change the state.

    >>> import eagercore as tf
    >>> output, state = GRU(3, return_sequences=True, return_state=True)(tf.ones([2, 4, 5]))
    >>> output.shape, state.shape
    (TensorShape([2, 4, 3]), TensorShape([2, 3]))
    """

    _network = staticmethod(rnn.gru)

    def __init__(
        self,
        units: int,
        activation: Any = "tanh",
        recurrent_activation: Any = "sigmoid",
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros",
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
        reset_after: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(GRUCell, locals(), kwargs)

    def _attributes(self, names: list[str]) -> dict[str, Any]:
        return {**super()._attributes(names), "reset_after": self.cell.reset_after}


class CuDNNGRU(GRU):
    """`GRU` under the name and with the arguments of the layer for graphics cards; it runs everywhere.

    Args:
        units: Number of outputs.
        kernel_initializer: Initializer of the kernel. Default "glorot_uniform".
        recurrent_initializer: Initializer of the recurrent kernel. Default "orthogonal".
        bias_initializer: Initializer of the bias. Default "zeros".
        **kwargs: See `GRU`.

    >>> import eagercore as tf
    >>> CuDNNGRU(3)(tf.ones([2, 4, 5])).shape
    TensorShape([2, 3])
    """

    def __init__(
        self,
        units: int,
        kernel_initializer: Any = "glorot_uniform",
        recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros",
        **kwargs: Any,
    ) -> None:
        super().__init__(
            units, kernel_initializer=kernel_initializer, recurrent_initializer=recurrent_initializer,
            bias_initializer=bias_initializer, **kwargs,
        )  # fmt: skip


forward_to_cell(GRU, GRUCell)
CuDNNGRU.__module__ = "eagercore.keras.layers"
