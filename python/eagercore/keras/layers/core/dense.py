"""Dense: every output sees every input."""

from __future__ import annotations

from typing import Any

from ....base import dtypes
from ....base.shapes import as_shape
from ....core.coerce import as_int
from ....ops.arithmetic import add
from ....ops.create import cast
from ....ops.linalg import matmul_op
from ... import activations, constraints, initializers, regularizers
from ..base import Layer
from ..input_spec import InputSpec


class Dense(Layer):
    """`activation(inputs @ kernel + bias)` on the last axis.

    Args:
        units: Number of outputs.
        activation: Activation function, its name, or None for none.
        use_bias: Whether there is a bias. Default True.
        kernel_initializer: Initializer of the kernel. Default "glorot_uniform".
        bias_initializer: Initializer of the bias. Default "zeros".
        kernel_regularizer: Regularizer of the kernel, or None.
        bias_regularizer: Regularizer of the bias, or None.
        activity_regularizer: Regularizer of the output, or None.
        kernel_constraint: Constraint of the kernel, or None.
        bias_constraint: Constraint of the bias, or None.
        **kwargs: See `Layer`.

    Raises:
        ValueError: If `units` is no positive whole number.

    Inputs are `[batch, ..., inputs]`, the result is `[batch, ..., units]`.

    >>> Dense(2, kernel_initializer="ones")([[1.0, 2.0]]).numpy()
    array([[3., 3.]], dtype=float32)
    """

    def __init__(
        self,
        units: int,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(activity_regularizer=activity_regularizer, **kwargs)
        self.units = positive_int("units", units)
        self.activation = activations.get(activation)
        self.use_bias = bool(use_bias)
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.kernel_constraint = constraints.get(kernel_constraint)
        self.bias_constraint = constraints.get(bias_constraint)
        self.input_spec = InputSpec(min_ndim=2)
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        """Makes `kernel` [inputs, units] and `bias` [units]."""
        inputs = as_shape(input_shape)[-1]
        if inputs is None:
            raise ValueError(
                f"Layer {self.name}: the last dimension of the inputs to `Dense` should be defined. Found `None`."
            )
        self.kernel = self.add_weight(
            "kernel", shape=(inputs, self.units), initializer=self.kernel_initializer,
            regularizer=self.kernel_regularizer, constraint=self.kernel_constraint,
        )  # fmt: skip
        self.bias = (
            self.add_weight(
                "bias", shape=(self.units,), initializer=self.bias_initializer,
                regularizer=self.bias_regularizer, constraint=self.bias_constraint,
            )
            if self.use_bias
            else None
        )  # fmt: skip
        self.input_spec = InputSpec(min_ndim=2, axes={-1: inputs})
        self.built = True

    def call(self, inputs: Any) -> Any:
        """The result for `inputs`."""
        if not inputs.dtype.is_floating:
            inputs = cast(inputs, self.kernel.dtype)
        kernel = self.kernel.value()
        if inputs.ndim == 2:
            outputs = matmul_op(inputs, kernel)
        else:
            outputs = matmul_on_last_axis(inputs, kernel)
        if self.bias is not None:
            outputs = add(outputs, self.bias.value())
        return outputs if self.activation is activations.linear else self.activation(outputs)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for an input of this shape."""
        shape = as_shape(input_shape)
        return as_shape([*shape[:-1], self.units])

    def _output_dtype(self, input_dtype: Any) -> Any:
        return input_dtype if input_dtype.is_floating else dtypes.as_dtype(self.dtype)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {
            **super().get_config(),
            "units": self.units,
            "activation": activations.serialize(self.activation),
            "use_bias": self.use_bias,
            "kernel_initializer": initializers.serialize(self.kernel_initializer),
            "bias_initializer": initializers.serialize(self.bias_initializer),
            "kernel_regularizer": regularizers.serialize(self.kernel_regularizer),
            "bias_regularizer": regularizers.serialize(self.bias_regularizer),
            "activity_regularizer": regularizers.serialize(self.activity_regularizer),
            "kernel_constraint": constraints.serialize(self.kernel_constraint),
            "bias_constraint": constraints.serialize(self.bias_constraint),
        }


def matmul_on_last_axis(inputs: Any, kernel: Any) -> Any:
    """`inputs [..., k] @ kernel [k, m]`, as one product of matrices."""
    from ....ops.shape import reshape

    dims = list(inputs.shape)
    if dims.count(None) > 1:
        return matmul_op(inputs, kernel)
    flat = matmul_op(reshape(inputs, (-1, dims[-1])), kernel)
    return reshape(flat, tuple(-1 if d is None else d for d in dims[:-1]) + (kernel.shape[-1],))


def positive_int(name: str, value: Any) -> int:
    """A positive whole number.

    Raises:
        ValueError: If it is something else.
    """
    try:
        number = as_int(value, "Layer", name)
    except (TypeError, ValueError):
        number = None
    if number is None or number < 1:
        raise ValueError(
            f"Received an invalid value for `{name}`, expected a positive integer. Received: {name}={value}"
        )
    return int(number)


Dense.__module__ = "eagercore.keras.layers"
