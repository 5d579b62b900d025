"""SimpleRNN: the output is the state."""

from __future__ import annotations

from typing import Any

from ....ops import rnn
from ....ops.arithmetic import add
from ....ops.linalg import matmul_op
from .cell import Cell, documented
from .fused import FusedRNN, forward_to_cell


@documented
class SimpleRNNCell(Cell):
    """One step of a `SimpleRNN`: `activation(x @ kernel + h @ recurrent_kernel + bias)`.

    Args:
        {arguments}

    It is called with the inputs `[batch, features]` and a list of one state, and gives output and new states.

    >>> import eagercore as tf
    >>> output, states = SimpleRNNCell(3)(tf.ones([2, 4]), [tf.zeros([2, 3])])
    >>> output.shape, len(states)
    (TensorShape([2, 3]), 1)
    """

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


@documented
class SimpleRNN(FusedRNN):
    """Recurrent layer whose output is its state: `activation(x @ kernel + h @ recurrent_kernel + bias)`.

    Args:
        {arguments}

    Inputs are `[batch, time, features]`, the result is `[batch, units]`, or `[batch, time, units]` with
    `return_sequences`; with `return_state` a list of that and the last state. The first state is given by
    `layer(x, initial_state=h)`. Time steps that a mask leaves out do not change the state.

    >>> import eagercore as tf
    >>> SimpleRNN(3)(tf.ones([2, 4, 5])).shape
    TensorShape([2, 3])
    """

    _network = staticmethod(rnn.simple_rnn)

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
        super().__init__(SimpleRNNCell, locals(), kwargs)


forward_to_cell(SimpleRNN, SimpleRNNCell)
