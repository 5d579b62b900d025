"""tf.contrib.cudnn_rnn: its recurrent layers over the cells that need no GPU."""

from __future__ import annotations

from typing import Any

from ...compat.v1.layers import _LegacyLayer
from ...compat.v1.rnn import dynamic_rnn
from ...compat.v1.rnn_cell import BasicLSTMCell, BasicRNNCell, GRUCell, LSTMStateTuple
from ...ops.nn import relu
from ...ops.shape import stack

CUDNN_RNN_UNIDIRECTION = "unidirectional"
CUDNN_RNN_BIDIRECTION = "bidirectional"


class _Stacked(_LegacyLayer):
    """Layers of cells along the time axis, which comes first."""

    _has_memory = False

    def __init__(
        self, num_layers: int, num_units: int, input_mode: str = "linear_input", direction: str =
        CUDNN_RNN_UNIDIRECTION,
        dropout: float = 0.0, seed: Any = None, dtype: Any = "float32", kernel_initializer: Any = None,
        bias_initializer: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name=name, dtype=dtype)
        if direction != CUDNN_RNN_UNIDIRECTION:
            raise NotImplementedError(
                "Bidirectional layers of cudnn_rnn are not here: use tf.keras.layers.Bidirectional."
            )
        self._num_layers, self._num_units, self._dropout, self._seed = (
            num_layers,
            num_units,
            dropout,
            seed,
        )
        self.cells = [self._cell(i) for i in range(num_layers)]

    def _cell(self, number: int) -> Any:
        raise NotImplementedError(f"{type(self).__name__} must make its cells.")

    num_layers = property(lambda self: self._num_layers, doc="Number of layers.")
    num_units = property(lambda self: self._num_units, doc="Number of units of a layer.")

    def zero_state(self, batch_size: int) -> Any:
        """States to begin with, for each layer."""
        return [cell.zero_state(batch_size, self.dtype) for cell in self.cells]

    def call(self, inputs: Any, initial_state: Any = None, training: bool = True) -> Any:
        """Runs the layers over [time, batch, inputs]; returns (outputs, states).

        States are stacked: `(h, c)` of shape [layers, batch, units] for an LSTM, `(h,)` for others.
        """
        import eagercore

        states = []
        for i, cell in enumerate(self.cells):
            if i and self._dropout and training:
                inputs = eagercore.nn.dropout(inputs, rate=self._dropout, seed=self._seed)
            first = None if initial_state is None else self._state(initial_state, i)
            inputs, state = dynamic_rnn(
                cell, inputs, initial_state=first, dtype=self.dtype, time_major=True
            )
            states.append(state)
        if self._has_memory:
            return inputs, (stack([s.h for s in states]), stack([s.c for s in states]))
        return inputs, (stack(states),)

    def _state(self, given: Any, layer: int) -> Any:
        if self._has_memory:
            return LSTMStateTuple(given[1][layer], given[0][layer])
        return given[0][layer]


class CudnnLSTM(_Stacked):
    """Layers of long short-term memory over [time, batch, inputs].

    Args:
        num_layers: Number of layers.
        num_units: Number of units of a layer.
        input_mode: Accepted for TensorFlow's sake.
        direction: "unidirectional".
        dropout: Share of values dropped between layers while training.
        seed: Seed of the dropout.
        dtype: Type of the variables.
        kernel_initializer: Accepted for TensorFlow's sake.
        bias_initializer: Accepted for TensorFlow's sake.
        name: Name.
    """

    _has_memory = True

    def _cell(self, number: int) -> Any:
        return BasicLSTMCell(self._num_units, forget_bias=0.0, name=f"cell_{number}")


class CudnnGRU(_Stacked):
    """Layers of gated recurrent units over [time, batch, inputs]; the arguments are those of `CudnnLSTM`."""

    def _cell(self, number: int) -> Any:
        return GRUCell(self._num_units, name=f"cell_{number}")


class CudnnRNNTanh(_Stacked):
    """Layers of simple cells with tanh; the arguments are those of `CudnnLSTM`."""

    def _cell(self, number: int) -> Any:
        return BasicRNNCell(self._num_units, name=f"cell_{number}")


class CudnnRNNRelu(_Stacked):
    """Layers of simple cells with relu; the arguments are those of `CudnnLSTM`."""

    def _cell(self, number: int) -> Any:
        return BasicRNNCell(self._num_units, activation=relu, name=f"cell_{number}")


CudnnCompatibleLSTMCell = BasicLSTMCell
CudnnCompatibleGRUCell = GRUCell
for _cls in (CudnnLSTM, CudnnGRU, CudnnRNNTanh, CudnnRNNRelu):
    _cls.__module__ = "eagercore"


def __getattr__(name: str) -> Any:
    if name == "python":
        import importlib

        return importlib.import_module(".python", __name__)
    raise AttributeError(f"module 'eagercore.contrib.cudnn_rnn' has no attribute '{name}'.")
