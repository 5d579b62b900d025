"""SimpleRNN: the output is the state."""

from __future__ import annotations

from typing import Any

from ....ops import rnn
from ....ops.arithmetic import add
from ....ops.linalg import matmul_op
from .base import SHOWN, FusedRNN, forward_to_cell
from .cell import Cell


class SimpleRNNCell(Cell):
    """One step of a `SimpleRNN`: `activation(x @ kernel + h @ recurrent_kernel + bias)`.

    Args:
        units: Number of outputs.
        activation: Activation function, its name, or None for none. Default "tanh".
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
        **kwargs: See `Layer`.

    It is called with the inputs `[batch, features]` and a list of one state, and gives output and new states.

    >>> import eagercore as tf
    >>> output, states = SimpleRNNCell(3)(tf.ones([2, 4]), [tf.zeros([2, 3])])
    >>> output.shape, len(states)
    (TensorShape([2, 3]), 1)
    """

    def __init__(
        self,
        units: int,
        activation: Any = "tanh",
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
        **kwargs: Any,
    ) -> None:
        super().__init__(
            units, activation, use_bias, kernel_initializer, recurrent_initializer, bias_initializer,
            kernel_regularizer,
            recurrent_regularizer, bias_regularizer, kernel_constraint, recurrent_constraint, bias_constraint, dropout,
            recurrent_dropout, **kwargs,
        )  # fmt: skip

    def call(self, inputs: Any, states: Any, training: Any = None) -> Any:
        """Output and new states of one step."""
        nested = isinstance(states, list | tuple)
        before = states[0] if nested else states
        made = matmul_op(self.thinned_inputs(inputs, training), self.kernel.value())
        if self.bias is not None:
            made = add(made, self.bias.value())
        made = add(
            made, matmul_op(self.thinned_state(before, training), self.recurrent_kernel.value())
        )
        made = self.activation(made)
        return made, [made] if nested else made


class SimpleRNN(FusedRNN):
    """Recurrent layer whose output is its state: `activation(x @ kernel + h @ recurrent_kernel + bias)`.

    Args:
        units: Number of outputs.
        activation: Activation function, its name, or None for none. Default "tanh".
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
        **kwargs: See `Layer`.

    Inputs are `[batch, time, features]`, the result is `[batch, units]`, or `[batch, time, units]` with
    `return_sequences`; with `return_state` a list of that and the last state. The first state is given by
    `layer(x, initial_state=h)`. Time steps that a mask leaves out do not change the state.

    >>> import eagercore as tf
    >>> SimpleRNN(3)(tf.ones([2, 4, 5])).shape
    TensorShape([2, 3])
    """

    def __init__(
        self,
        units: int,
        activation: Any = "tanh",
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
        **kwargs: Any,
    ) -> None:
        cell = SimpleRNNCell(
            units, activation, use_bias, kernel_initializer, recurrent_initializer, bias_initializer,
            kernel_regularizer, recurrent_regularizer, bias_regularizer, kernel_constraint,
            recurrent_constraint, bias_constraint, dropout,
            recurrent_dropout,
            name="simple_rnn_cell", dtype=kwargs.get("dtype"), trainable=kwargs.get("trainable", True),
        )  # fmt: skip
        super().__init__(
            cell,
            activity_regularizer=activity_regularizer, return_sequences=return_sequences, return_state=return_state,
            go_backwards=go_backwards, stateful=stateful, unroll=unroll, time_major=time_major, **kwargs,
        )  # fmt: skip

    def _fused(self, x: Any, states: Any, mask: Any, names: list[str]) -> Any:
        cell = self.cell
        sequence, last, _ = rnn.simple_rnn(
            x, states[0], *cell.weights_of_step(), mask, activation=names[0]
        )
        return sequence, [last]


forward_to_cell(SimpleRNN, SHOWN)
SimpleRNN.__module__ = SimpleRNNCell.__module__ = "eagercore.keras.layers"
