"""tf.nn.rnn_cell of TensorFlow 1: cells with its variables, gates and state tuples."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from ...base import nest
from ...base.shapes import TensorShape, as_shape
from ...core.tensor import convert
from ...ops.arithmetic import add, multiply, subtract
from ...ops.create import zeros
from ...ops.exponential import sigmoid, tanh
from ...ops.linalg import matmul
from ...ops.shape import concat, split
from .layers import _LegacyLayer as Layer

LSTMStateTuple = namedtuple("LSTMStateTuple", ("c", "h"))
LSTMStateTuple.__doc__ = (
    "State of an LSTM: `c`, what the cell remembers, and `h`, what it gave last."
)
LSTMStateTuple.__module__ = "eagercore"


def state_like(size: Any, batch_size: Any, dtype: Any) -> Any:
    """Zeros of shape [batch, ...] in the structure of a cell's `state_size`."""
    if isinstance(size, tuple | list) and not isinstance(size, TensorShape):
        made = [state_like(one, batch_size, dtype) for one in size]
        return type(size)(*made) if hasattr(size, "_fields") else type(size)(made)
    dims = [size] if isinstance(size, int) else as_shape(size).as_list()
    return zeros([batch_size, *dims], dtype)


class RNNCell(Layer):
    """Base of cells: write `state_size`, `output_size` and `call(inputs, state)`.

    `call` returns (output, new state).

    Args:
        trainable: Whether the variables are to be trained.
        name: Name.
        dtype: Type of the variables.
        **kwargs: As for `tf.keras.layers.Layer`.
    """

    def __call__(self, inputs: Any, state: Any = None, scope: Any = None, **kwargs: Any) -> Any:
        """One step.

        Args:
            inputs: Tensor [batch, inputs].
            state: State in the structure of `state_size`.
            scope: Accepted for TensorFlow's sake.
            **kwargs: Given to `call`.

        Returns:
            (output, new state).
        """
        return super().__call__(inputs, state, **kwargs)

    @property
    def state_size(self) -> Any:
        """Sizes of the state: an int, a shape, or a tuple of these."""
        raise NotImplementedError("A cell must say its state_size.")

    @property
    def output_size(self) -> Any:
        """Size of the output."""
        raise NotImplementedError("A cell must say its output_size.")

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """The state to begin with: zeros.

        Args:
            batch_size: Number of sequences.
            dtype: Type of the elements.
        """
        size = (
            int(batch_size)
            if hasattr(batch_size, "_array") and batch_size._array is not None
            else batch_size
        )
        return state_like(self.state_size, size, dtype)

    def get_initial_state(
        self, inputs: Any = None, batch_size: Any = None, dtype: Any = None
    ) -> Any:
        """The state to begin with, for `inputs` or for a batch size and dtype.

        Args:
            inputs: Tensor [batch, ...], or None.
            batch_size: Number of sequences.
            dtype: Type of the elements.
        """
        if inputs is not None:
            inputs = convert(inputs)
            batch_size, dtype = inputs.shape[0], inputs.dtype
        return self.zero_state(batch_size, dtype)


class _Units(RNNCell):
    """A cell of so many units."""

    def __init__(
        self, num_units: int, activation: Any, reuse: Any, name: Any, dtype: Any, **kwargs: Any
    ) -> None:
        super().__init__(name=name, dtype=dtype, _reuse=reuse, **kwargs)
        self._num_units = int(num_units)
        self._activation = _function(activation)

    @property
    def state_size(self) -> Any:
        """Number of units."""
        return self._num_units

    @property
    def output_size(self) -> int:
        """Number of units."""
        return self._num_units

    def _depth(self, input_shape: Any) -> int:
        depth = as_shape(input_shape)[-1]
        if depth is None:
            raise ValueError(f"Expected inputs.shape[-1] to be known, saw shape: {input_shape}")
        return depth


def _function(activation: Any) -> Any:
    if activation is None:
        return tanh
    if callable(activation):
        return activation
    from ...keras import activations

    return activations.get(activation)


class BasicRNNCell(_Units):
    """The simplest cell: `activation([inputs, state] @ kernel + bias)`.

    Args:
        num_units: Number of units.
        activation: Function. Default tanh.
        reuse: Whether variables of the scope are shared.
        name: Name.
        dtype: Type of the variables.
        **kwargs: As for layers.
    """

    def __init__(
        self,
        num_units: int,
        activation: Any = None,
        reuse: Any = None,
        name: Any = None,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(num_units, activation, reuse, name, dtype, **kwargs)

    def build(self, input_shape: Any) -> None:
        """Makes kernel and bias."""
        units = self._num_units
        self.kernel = self.add_weight("kernel", [self._depth(input_shape) + units, units])
        self.bias = self.add_weight("bias", [units], initializer="zeros")
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        """One step."""
        output = self._activation(matmul(concat([inputs, state], 1), self.kernel) + self.bias)
        return output, output


class GRUCell(_Units):
    """Gated recurrent unit.

    Args:
        num_units: Number of units.
        activation: Function. Default tanh.
        reuse: Whether variables of the scope are shared.
        kernel_initializer: What fills the kernels.
        bias_initializer: What fills the biases. Default ones for the gates, zeros for the candidate.
        name: Name.
        dtype: Type of the variables.
        **kwargs: As for layers.
    """

    def __init__(
        self,
        num_units: int,
        activation: Any = None,
        reuse: Any = None,
        kernel_initializer: Any = None,
        bias_initializer: Any = None,
        name: Any = None,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(num_units, activation, reuse, name, dtype, **kwargs)
        self._kernel_initializer, self._bias_initializer = kernel_initializer, bias_initializer

    def build(self, input_shape: Any) -> None:
        """Makes kernels and biases of the gates and of the candidate."""
        units, depth = self._num_units, self._depth(input_shape)
        kernel, bias = self._kernel_initializer, self._bias_initializer
        self._gate_kernel = self.add_weight(
            "gates/kernel", [depth + units, 2 * units], initializer=kernel
        )
        self._gate_bias = self.add_weight("gates/bias", [2 * units], initializer=bias or "ones")
        self._candidate_kernel = self.add_weight(
            "candidate/kernel", [depth + units, units], initializer=kernel
        )
        self._candidate_bias = self.add_weight(
            "candidate/bias", [units], initializer=bias or "zeros"
        )
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        """One step."""
        gates = sigmoid(matmul(concat([inputs, state], 1), self._gate_kernel) + self._gate_bias)
        reset, update = split(gates, 2, axis=1)
        candidate = matmul(concat([inputs, multiply(reset, state)], 1), self._candidate_kernel)
        candidate = self._activation(candidate + self._candidate_bias)
        output = add(multiply(update, state), multiply(subtract(1.0, update), candidate))
        return output, output


class BasicLSTMCell(_Units):
    """Long short-term memory without peepholes.

    Args:
        num_units: Number of units.
        forget_bias: Added to the forget gate.
        state_is_tuple: Whether states are `LSTMStateTuple`s rather than one tensor.
        activation: Function. Default tanh.
        reuse: Whether variables of the scope are shared.
        name: Name.
        dtype: Type of the variables.
        **kwargs: As for layers.

    >>> cell = BasicLSTMCell(2)
    >>> output, state = cell(zeros([1, 3]), cell.zero_state(1, "float32"))
    >>> output.shape, state.c.shape
    (TensorShape([1, 2]), TensorShape([1, 2]))
    """

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        state_is_tuple: bool = True,
        activation: Any = None,
        reuse: Any = None,
        name: Any = None,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(num_units, activation, reuse, name, dtype, **kwargs)
        self._forget_bias = forget_bias
        self._state_is_tuple = state_is_tuple

    @property
    def state_size(self) -> Any:
        """Sizes of `c` and `h`."""
        units = self._num_units
        return LSTMStateTuple(units, units) if self._state_is_tuple else 2 * units

    def build(self, input_shape: Any) -> None:
        """Makes kernel and bias: the gates are input, candidate, forget, output."""
        units = self._num_units
        self.kernel = self.add_weight("kernel", [self._depth(input_shape) + units, 4 * units])
        self.bias = self.add_weight("bias", [4 * units], initializer="zeros")
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        """One step."""
        c, h = state if self._state_is_tuple else split(state, 2, axis=1)
        i, j, f, o = split(matmul(concat([inputs, h], 1), self.kernel) + self.bias, 4, axis=1)
        new_c = multiply(c, sigmoid(add(f, self._forget_bias))) + multiply(
            sigmoid(i), self._activation(j)
        )
        new_h = multiply(self._activation(new_c), sigmoid(o))
        return new_h, LSTMStateTuple(new_c, new_h) if self._state_is_tuple else concat(
            [new_c, new_h], 1
        )


class LSTMCell(_Units):
    """Long short-term memory with peepholes, clipping and projection.

    Args:
        num_units: Number of units.
        use_peepholes: Whether the gates see the memory.
        cell_clip: Largest size of the memory, or None.
        initializer: What fills kernels.
        num_proj: Size of the projected output, or None.
        proj_clip: Largest size of the projected output, or None.
        num_unit_shards: Accepted for TensorFlow's sake.
        num_proj_shards: Accepted for TensorFlow's sake.
        forget_bias: Added to the forget gate.
        state_is_tuple: Whether states are `LSTMStateTuple`s rather than one tensor.
        activation: Function. Default tanh.
        reuse: Whether variables of the scope are shared.
        name: Name.
        dtype: Type of the variables.
        **kwargs: As for layers.
    """

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        cell_clip: float | None = None,
        initializer: Any = None,
        num_proj: int | None = None,
        proj_clip: float | None = None,
        num_unit_shards: Any = None,
        num_proj_shards: Any = None,
        forget_bias: float = 1.0,
        state_is_tuple: bool = True,
        activation: Any = None,
        reuse: Any = None,
        name: Any = None,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(num_units, activation, reuse, name, dtype, **kwargs)
        self._peepholes, self._cell_clip, self._initializer = use_peepholes, cell_clip, initializer
        self._num_proj, self._proj_clip = num_proj, proj_clip
        self._forget_bias, self._state_is_tuple = forget_bias, state_is_tuple

    @property
    def state_size(self) -> Any:
        """Sizes of `c` and `h`."""
        sizes = LSTMStateTuple(self._num_units, self.output_size)
        return sizes if self._state_is_tuple else sum(sizes)

    @property
    def output_size(self) -> int:
        """Number of units, or size of the projection."""
        return self._num_proj or self._num_units

    def build(self, input_shape: Any) -> None:
        """Makes kernel and bias, peepholes and projection."""
        units, depth = self._num_units, self._depth(input_shape)
        fill = self._initializer
        self.kernel = self.add_weight(
            "kernel", [depth + self.output_size, 4 * units], initializer=fill
        )
        self.bias = self.add_weight("bias", [4 * units], initializer="zeros")
        if self._peepholes:
            self._w_f = self.add_weight("w_f_diag", [units], initializer=fill)
            self._w_i = self.add_weight("w_i_diag", [units], initializer=fill)
            self._w_o = self.add_weight("w_o_diag", [units], initializer=fill)
        if self._num_proj is not None:
            self._projection = self.add_weight(
                "projection/kernel", [units, self._num_proj], initializer=fill
            )
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        """One step."""
        from ...ops.clip import clip_by_value

        sizes = [self._num_units, self.output_size]
        c, h = state if self._state_is_tuple else split(state, sizes, axis=1)
        i, j, f, o = split(matmul(concat([inputs, h], 1), self.kernel) + self.bias, 4, axis=1)
        f = add(f, self._forget_bias)
        if self._peepholes:
            f, i = f + self._w_f * c, i + self._w_i * c
        new_c = sigmoid(f) * c + sigmoid(i) * self._activation(j)
        if self._cell_clip is not None:
            new_c = clip_by_value(new_c, -self._cell_clip, self._cell_clip)
        o = o + self._w_o * new_c if self._peepholes else o
        new_h = sigmoid(o) * self._activation(new_c)
        if self._num_proj is not None:
            new_h = matmul(new_h, self._projection)
            if self._proj_clip is not None:
                new_h = clip_by_value(new_h, -self._proj_clip, self._proj_clip)
        return new_h, LSTMStateTuple(new_c, new_h) if self._state_is_tuple else concat(
            [new_c, new_h], 1
        )


class MultiRNNCell(RNNCell):
    """Cells one upon another: each takes what the one below gives.

    Args:
        cells: List of cells.
        state_is_tuple: Whether the state is a tuple of the cells' states.
    """

    def __init__(self, cells: Any, state_is_tuple: bool = True) -> None:
        super().__init__()
        if not cells:
            raise ValueError("Must specify at least one cell for MultiRNNCell.")
        if not isinstance(cells, list | tuple):
            raise TypeError(f"cells must be a list or tuple, but saw: {cells}.")
        self._cells = list(cells)
        self._state_is_tuple = state_is_tuple

    @property
    def state_size(self) -> Any:
        """The cells' sizes."""
        sizes = tuple(cell.state_size for cell in self._cells)
        return sizes if self._state_is_tuple else sum(nest.flatten(sizes))

    @property
    def output_size(self) -> Any:
        """Size of the last cell's output."""
        return self._cells[-1].output_size

    def call(self, inputs: Any, state: Any) -> Any:
        """One step of all cells."""
        parts = (
            state
            if self._state_is_tuple
            else split(state, [c.state_size for c in self._cells], axis=1)
        )
        states = []
        for cell, part in zip(self._cells, parts, strict=True):
            inputs, new = cell(inputs, part)
            states.append(new)
        return inputs, tuple(states) if self._state_is_tuple else concat(states, 1)


class _Wrapper(RNNCell):
    """A cell around another."""

    def __init__(self, cell: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.cell = cell

    @property
    def state_size(self) -> Any:
        """The inner cell's."""
        return self.cell.state_size

    @property
    def output_size(self) -> Any:
        """The inner cell's."""
        return self.cell.output_size

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """The inner cell's."""
        return self.cell.zero_state(batch_size, dtype)


class DropoutWrapper(_Wrapper):
    """Drops inputs, outputs and states of a cell at random.

    Args:
        cell: The cell.
        input_keep_prob: Probability that an input is kept.
        output_keep_prob: Probability that an output is kept.
        state_keep_prob: Probability that a state is kept.
        variational_recurrent: Accepted for TensorFlow's sake: each step draws anew.
        input_size: Accepted for TensorFlow's sake.
        dtype: Accepted for TensorFlow's sake.
        seed: Seed.
        dropout_state_filter_visitor: Accepted for TensorFlow's sake.
    """

    def __init__(
        self, cell: Any, input_keep_prob: Any = 1.0, output_keep_prob: Any = 1.0, state_keep_prob: Any = 1.0,
        variational_recurrent: bool = False, input_size: Any = None, dtype: Any = None, seed: Any = None,
        dropout_state_filter_visitor: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(cell)
        self._keep = input_keep_prob, output_keep_prob, state_keep_prob
        self._seed = seed

    def _dropped(self, value: Any, keep: Any) -> Any:
        import eagercore

        if isinstance(keep, float | int) and keep >= 1:
            return value
        return nest.map_structure(
            lambda v: eagercore.nn.dropout(v, rate=1 - keep, seed=self._seed), value
        )

    def call(self, inputs: Any, state: Any) -> Any:
        """One step."""
        output, new = self.cell(self._dropped(inputs, self._keep[0]), state)
        if isinstance(new, LSTMStateTuple):
            new = LSTMStateTuple(new.c, self._dropped(new.h, self._keep[2]))
        else:
            new = self._dropped(new, self._keep[2])
        return self._dropped(output, self._keep[1]), new


class ResidualWrapper(_Wrapper):
    """Adds a cell's inputs to its outputs.

    Args:
        cell: The cell.
        residual_fn: Function of (inputs, outputs); default their sum.
    """

    def __init__(self, cell: Any, residual_fn: Any = None) -> None:
        super().__init__(cell)
        self._residual = residual_fn

    def call(self, inputs: Any, state: Any) -> Any:
        """One step."""
        output, new = self.cell(inputs, state)
        return (self._residual(inputs, output) if self._residual else inputs + output), new


class DeviceWrapper(_Wrapper):
    """A cell on a device: there is one.

    Args:
        cell: The cell.
        device: Accepted for TensorFlow's sake.
    """

    def __init__(self, cell: Any, device: Any) -> None:
        super().__init__(cell)
        self._device = device

    def call(self, inputs: Any, state: Any) -> Any:
        """One step."""
        return self.cell(inputs, state)


for _cls in list(globals().values()):
    if isinstance(_cls, type) and issubclass(_cls, RNNCell):
        _cls.__module__ = "eagercore"
