"""GRU: gated recurrent units."""

from __future__ import annotations

from typing import Any

from ....ops import rnn
from ....ops.arithmetic import add, multiply, subtract
from ....ops.linalg import matmul_op
from ....ops.shape import split
from ... import activations
from .base import SHOWN, FusedRNN, forward_to_cell
from .cell import Cell


class GRUCell(Cell):
    """One step of a `GRU`.

    Args:
        units: Number of outputs.
        activation: Activation function, its name, or None for none. Default "tanh".
        recurrent_activation: The gates' activation function. Default "sigmoid".
        use_bias: Whether there is a bias. Default True.
        kernel_initializer: Initializer of the kernel, which the inputs meet. Default "glorot_uniform".
        recurrent_initializer: Initializer of the recurrent kernel, which the state meets. Default "orthogonal".
        bias_initializer: Initializer of the bias. Default "zeros".
        kernel_regularizer: Regularizer of the kernel, or None.
        recurrent_regularizer: Regularizer of the recurrent kernel, or None.
        bias_regularizer: Regularizer of the bias, or None.
        kernel_constraint: Constraint of the kernel, or None.
        recurrent_constraint: Constraint of the recurrent kernel, or None.
        bias_constraint: Constraint of the bias, or None.
        dropout: Part of the inputs that is left out in training. Default 0.
        recurrent_dropout: Part of the state that is left out in training. Default 0.
        reset_after: Whether the reset gate is applied after the product with the recurrent kernel. Default True.
        **kwargs: See `Layer`.

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
        super().__init__(
            units, activation, use_bias, kernel_initializer, recurrent_initializer, bias_initializer,
            kernel_regularizer,
            recurrent_regularizer, bias_regularizer, kernel_constraint, recurrent_constraint, bias_constraint, dropout,
            recurrent_dropout, **kwargs,
        )  # fmt: skip
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


class GRU(FusedRNN):
    """Gated recurrent units: gates say how much of the state is replaced, and what of it the new one sees.

    Args:
        units: Number of outputs.
        activation: Activation function, its name, or None for none. Default "tanh".
        recurrent_activation: The gates' activation function. Default "sigmoid".
        use_bias: Whether there is a bias. Default True.
        kernel_initializer: Initializer of the kernel, which the inputs meet. Default "glorot_uniform".
        recurrent_initializer: Initializer of the recurrent kernel, which the state meets. Default "orthogonal".
        bias_initializer: Initializer of the bias. Default "zeros".
        kernel_regularizer: Regularizer of the kernel, or None.
        recurrent_regularizer: Regularizer of the recurrent kernel, or None.
        bias_regularizer: Regularizer of the bias, or None.
        activity_regularizer: Regularizer of the output, or None.
        kernel_constraint: Constraint of the kernel, or None.
        recurrent_constraint: Constraint of the recurrent kernel, or None.
        bias_constraint: Constraint of the bias, or None.
        dropout: Part of the inputs that is left out in training. Default 0.
        recurrent_dropout: Part of the state that is left out in training. Default 0.
        return_sequences: Whether the result holds all time steps rather than the last. Default False.
        return_state: Whether the last states are returned too. Default False.
        go_backwards: Whether to begin at the last time step. Default False.
        stateful: Whether the last states are the first of the next batch. Default False.
        unroll: Accepted for Keras's sake.
        time_major: Whether time comes first in inputs and outputs. Default False.
        reset_after: Whether the reset gate is applied after the product with the recurrent kernel. Default True.
        **kwargs: See `Layer`.

    Inputs are `[batch, time, features]`, the result is `[batch, units]`, or `[batch, time, units]` with
    `return_sequences`; with `return_state` a list of that and the last state. The first state is given by
    `layer(x, initial_state=h)`. Time steps that a mask leaves out do not change the state.

    >>> import eagercore as tf
    >>> output, state = GRU(3, return_sequences=True, return_state=True)(tf.ones([2, 4, 5]))
    >>> output.shape, state.shape
    (TensorShape([2, 4, 3]), TensorShape([2, 3]))
    """

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
        cell = GRUCell(
            units, activation, recurrent_activation, use_bias, kernel_initializer, recurrent_initializer,
            bias_initializer,
            kernel_regularizer, recurrent_regularizer, bias_regularizer, kernel_constraint, recurrent_constraint,
            bias_constraint, dropout, recurrent_dropout, reset_after,
            name="gru_cell", dtype=kwargs.get("dtype"), trainable=kwargs.get("trainable", True),
        )  # fmt: skip
        super().__init__(
            cell,
            activity_regularizer=activity_regularizer, return_sequences=return_sequences, return_state=return_state,
            go_backwards=go_backwards, stateful=stateful, unroll=unroll, time_major=time_major, **kwargs,
        )  # fmt: skip

    def _fused(self, x: Any, states: Any, mask: Any, names: list[str]) -> Any:
        cell = self.cell
        sequence, last, _ = rnn.gru(
            x, states[0], *cell.weights_of_step(), mask,
            activation=names[0], recurrent_activation=names[1], reset_after=cell.reset_after,
        )  # fmt: skip
        return sequence, [last]


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


forward_to_cell(GRU, (*SHOWN, "recurrent_activation", "reset_after"))
for _cls in (GRUCell, GRU, CuDNNGRU):
    _cls.__module__ = "eagercore.keras.layers"
