"""What cells share: arguments, weights, and masks of dropout that last for a whole sequence."""

from __future__ import annotations

import functools
import inspect
from typing import Any

from ....base.shapes import TensorShape
from ....ops import random
from ....ops.arithmetic import multiply
from ....ops.create import cast, ones_like, shape_of, zeros
from ... import activations, constraints, initializers, regularizers
from ...settings import settings
from ..base import Layer
from ..core.dense import positive_int

ARGUMENTS = {
    "units": "Number of outputs.",
    "activation": 'Activation function, its name, or None for none. Default "tanh".',
    "recurrent_activation": 'The gates\' activation function. Default "sigmoid".',
    "use_bias": "Whether there is a bias. Default True.",
    "kernel_initializer": 'Initializer of the kernel, which the inputs meet. Default "glorot_uniform".',
    "recurrent_initializer": 'Initializer of the recurrent kernel, which the state meets. Default "orthogonal".',
    "bias_initializer": 'Initializer of the bias. Default "zeros".',
    "unit_forget_bias": "Whether the forget gate's bias begins at 1. Default True.",
    "kernel_regularizer": "Regularizer of the kernel, or None.",
    "recurrent_regularizer": "Regularizer of the recurrent kernel, or None.",
    "bias_regularizer": "Regularizer of the bias, or None.",
    "activity_regularizer": "Regularizer of the output, or None.",
    "kernel_constraint": "Constraint of the kernel, or None.",
    "recurrent_constraint": "Constraint of the recurrent kernel, or None.",
    "bias_constraint": "Constraint of the bias, or None.",
    "dropout": "Part of the inputs that is left out in training. Default 0.",
    "recurrent_dropout": "Part of the state that is left out in training. Default 0.",
    "return_sequences": "Whether the result holds all time steps rather than the last. Default False.",
    "return_state": "Whether the last states are returned too. Default False.",
    "go_backwards": "Whether to begin at the last time step. Default False.",
    "stateful": "Whether the last states are the first of the next batch. Default False.",
    "unroll": "Accepted for Keras's sake.",
    "time_major": "Whether time comes first in inputs and outputs. Default False.",
    "reset_after": "Whether the reset gate is applied after the product with the recurrent kernel. Default True.",
    "kwargs": "See `Layer`.",
}
"""What cells and their layers say of their arguments."""


def documented(cls: Any) -> Any:
    """Decorator: lists the arguments of a cell or a layer where its docstring says `{arguments}`."""
    names = [*argument_names(cls), "kwargs"]
    lines = [f"{'**' * (n == 'kwargs')}{n}: {ARGUMENTS[n]}" for n in names]
    # From Python 3.13 on docstrings come without the indentation that all their lines share.
    before, mark, after = (cls.__doc__ or "").partition("{arguments}")
    indent = before[before.rfind("\n") + 1 :]
    cls.__doc__ = before + (f"\n{indent}".join(lines) if mark else "") + after
    cls.__module__ = "eagercore.keras.layers"
    return cls


@functools.cache
def argument_names(cls: Any) -> tuple[str, ...]:
    """Names of the arguments of a class, but for further keywords."""
    # Of `__init__`: early releases of Python 3.11 take a class's own signature from `__new__` where there is one.
    parameters = inspect.signature(cls.__init__).parameters
    return tuple(n for n in parameters if n not in ("self", "kwargs"))


def arguments_of(cls: Any, given: dict[str, Any]) -> dict[str, Any]:
    """Those of the arguments in `given`, the `locals()` of an `__init__`, that `cls` takes."""
    return {name: given[name] for name in argument_names(cls)}


def rate(value: Any) -> float:
    """A rate of dropout, cut to [0, 1]; None is 0."""
    return min(1.0, max(0.0, float(value or 0.0)))


@documented
class Cell(Layer):
    """Base of the recurrent cells.

    Args:
        {arguments}
    """

    _gates = 1

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
        super().__init__(**kwargs)
        self.units = positive_int("units", units)
        self.activation = activations.get(activation)
        self.use_bias = bool(use_bias)
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.recurrent_initializer = initializers.get(recurrent_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.recurrent_regularizer = regularizers.get(recurrent_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.kernel_constraint = constraints.get(kernel_constraint)
        self.recurrent_constraint = constraints.get(recurrent_constraint)
        self.bias_constraint = constraints.get(bias_constraint)
        self.dropout, self.recurrent_dropout = rate(dropout), rate(recurrent_dropout)
        self.reset_dropout_mask()
        self.reset_recurrent_dropout_mask()

    @property
    def state_size(self) -> Any:
        """Length of each state."""
        return self.units

    @property
    def output_size(self) -> int:
        """Length of the output."""
        return self.units

    def build(self, input_shape: Any) -> None:
        """Makes `kernel`, `recurrent_kernel` and `bias`."""
        inputs = TensorShape(input_shape)[-1]
        if inputs is None:
            raise ValueError(
                f"Layer {self.name}: the last dimension of the inputs should be defined. Found `None`."
            )
        width = self._gates * self.units
        self.kernel = self.add_weight(
            "kernel", shape=(inputs, width), initializer=self.kernel_initializer,
            regularizer=self.kernel_regularizer, constraint=self.kernel_constraint,
        )  # fmt: skip
        self.recurrent_kernel = self.add_weight(
            "recurrent_kernel", shape=(self.units, width), initializer=self.recurrent_initializer,
            regularizer=self.recurrent_regularizer, constraint=self.recurrent_constraint,
        )  # fmt: skip
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                "bias", shape=self._bias_shape(), initializer=self._bias_start(),
                regularizer=self.bias_regularizer, constraint=self.bias_constraint,
            )  # fmt: skip
        self.built = True

    def _bias_shape(self) -> tuple[int, ...]:
        return (self._gates * self.units,)

    def _bias_start(self) -> Any:
        return self.bias_initializer

    def weights_of_step(self) -> tuple[Any, Any, Any]:
        """Values of kernel, recurrent kernel and bias; None where there is no bias."""
        bias = None if self.bias is None else self.bias.value()
        return self.kernel.value(), self.recurrent_kernel.value(), bias

    def get_initial_state(
        self, inputs: Any = None, batch_size: Any = None, dtype: Any = None
    ) -> Any:
        """States of zeros.

        Args:
            inputs: Tensor whose first axis is the batch, or None.
            batch_size: Number of examples, where there are no inputs.
            dtype: Type, where there are no inputs.

        Returns:
            A tensor [batch, units], or a list of them.
        """
        if inputs is not None:
            batch_size, dtype = shape_of(inputs)[0], inputs.dtype
        dtype = dtype or settings.floatx
        if isinstance(self.state_size, list):
            return [zeros((batch_size, size), dtype) for size in self.state_size]
        return zeros((batch_size, self.state_size), dtype)

    # Dropout: one mask for all time steps of a sequence.

    def reset_dropout_mask(self) -> None:
        """Forgets the mask of the inputs; the next call draws another."""
        self.__dict__["_input_mask"] = None

    def reset_recurrent_dropout_mask(self) -> None:
        """Forgets the mask of the state; the next call draws another."""
        self.__dict__["_state_mask"] = None

    def _thinned(self, value: Any, training: Any, part: float, key: str) -> Any:
        if not training or not part:
            return value
        fields = self.__dict__
        if fields[key] is None:
            fields[key] = dropout_mask(value, part)
        return multiply(value, fields[key])

    def thinned_inputs(self, inputs: Any, training: Any) -> Any:
        """The inputs after dropout."""
        return self._thinned(inputs, training, self.dropout, "_input_mask")

    def thinned_state(self, state: Any, training: Any) -> Any:
        """The state after dropout, as it enters the product with the recurrent kernel."""
        return self._thinned(state, training, self.recurrent_dropout, "_state_mask")

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a cell like this one."""
        return {
            **super().get_config(),
            "units": self.units,
            "activation": activations.serialize(self.activation),
            "use_bias": self.use_bias,
            "kernel_initializer": initializers.serialize(self.kernel_initializer),
            "recurrent_initializer": initializers.serialize(self.recurrent_initializer),
            "bias_initializer": initializers.serialize(self.bias_initializer),
            "kernel_regularizer": regularizers.serialize(self.kernel_regularizer),
            "recurrent_regularizer": regularizers.serialize(self.recurrent_regularizer),
            "bias_regularizer": regularizers.serialize(self.bias_regularizer),
            "kernel_constraint": constraints.serialize(self.kernel_constraint),
            "recurrent_constraint": constraints.serialize(self.recurrent_constraint),
            "bias_constraint": constraints.serialize(self.bias_constraint),
            "dropout": self.dropout,
            "recurrent_dropout": self.recurrent_dropout,
        }


def dropout_mask(value: Any, part: float) -> Any:
    """Zeros for the part that is left out, and for the rest what keeps the sum on average.

    Args:
        value: Tensor [batch, features], or [batch, time, features]: then it is the same for all time steps.
        part: Part that is left out.
    """
    sizes = shape_of(value)
    if len(sizes) == 3:
        sizes = (sizes[0], 1, sizes[2])
    if part >= 1.0:
        return multiply(ones_like(value), 0.0)
    drawn = random.uniform(sizes, dtype=value.dtype)
    return multiply(cast(drawn >= part, value.dtype), 1.0 / (1.0 - part))
