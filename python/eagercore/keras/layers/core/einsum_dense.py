"""EinsumDense: a dense layer whose product is told by an equation."""

from __future__ import annotations

from typing import Any

from ....base.shapes import as_shape
from ....ops.arithmetic import add
from ....ops.einsum import einsum
from ... import activations, constraints, initializers, regularizers
from ..base import Layer


class EinsumDense(Layer):
    """`activation(einsum(equation, inputs, kernel) + bias)`.

    Args:
        equation: Two subscripts and the result's, as "abc,cd->abd" (or "...x,xy->...y").
        output_shape: Shape of the result without the batch; None where an extent is the input's.
        activation: Activation function, its name, or None.
        bias_axes: Letters of the result that the bias has, or None for no bias.
        kernel_initializer: Initializer of the kernel. Default "glorot_uniform".
        bias_initializer: Initializer of the bias. Default "zeros".
        kernel_regularizer: Regularizer of the kernel, or None.
        bias_regularizer: Regularizer of the bias, or None.
        activity_regularizer: Regularizer of the output, or None.
        kernel_constraint: Constraint of the kernel, or None.
        bias_constraint: Constraint of the bias, or None.
        **kwargs: See `Layer`.

    Raises:
        ValueError: If the equation does not fit the input.

    >>> import eagercore as tf
    >>> EinsumDense("abc,cd->abd", output_shape=(None, 3), bias_axes="d")(tf.ones([1, 4, 5])).shape
    TensorShape([1, 4, 3])
    """

    def __init__(
        self,
        equation: str,
        output_shape: Any,
        activation: Any = None,
        bias_axes: str | None = None,
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
        self.equation = str(equation).replace(" ", "")
        self.partial_output_shape = (
            list(output_shape) if isinstance(output_shape, list | tuple) else [output_shape]
        )
        self.activation = activations.get(activation)
        self.bias_axes = bias_axes
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.kernel_constraint = constraints.get(kernel_constraint)
        self.bias_constraint = constraints.get(bias_constraint)

    def build(self, input_shape: Any) -> None:
        """Makes `kernel` and `bias` in the shapes that the equation says."""
        kernel, bias, full = self._shapes(as_shape(input_shape))
        self._full_output_shape = full
        self.kernel = self.add_weight(
            "kernel", shape=kernel, initializer=self.kernel_initializer, regularizer=self.kernel_regularizer,
            constraint=self.kernel_constraint,
        )  # fmt: skip
        self.bias = None
        if bias is not None:
            self.bias = self.add_weight(
                "bias", shape=bias, initializer=self.bias_initializer, regularizer=self.bias_regularizer,
                constraint=self.bias_constraint,
            )  # fmt: skip
        self.built = True

    def _shapes(self, shape: Any) -> tuple[list[int], Any, list[Any]]:
        """Shapes of kernel, bias and result."""
        try:
            left, result = self.equation.split("->")
            given, kernel = left.split(",")
        except ValueError:
            raise ValueError(
                f"Invalid einsum equation '{self.equation}'. Equations must be in the form "
                f"[X],[Y]->[Z], ...[X],[Y]->...[Z], "
                "or [X]...,[Y]->[Z]...."
            ) from None
        leads, trails = given.startswith("..."), given.endswith("...")
        inner, outer = given.replace("...", ""), result.replace("...", "")
        rank = len(shape)
        named = list(shape[rank - len(inner) :] if leads else shape[: len(inner)])
        between = rank - len(inner) if leads or trails else 0
        if not (leads or trails) and len(inner) != rank:
            raise ValueError(
                f"Layer {self.name}: equation '{self.equation}' is for an input of {len(inner)} "
                f"dimensions, got shape {shape}."
            )
        sizes: dict[str, Any] = dict(zip(inner, named, strict=True))
        wanted = list(self.partial_output_shape)
        lead = list(shape[:between]) if leads else []
        trail = list(shape[len(inner) :]) if trails else []
        if not leads:
            wanted = [sizes.get(outer[0]), *wanted]
        elif len(lead) == 0:
            lead = []
        wanted = wanted[-len(outer) :] if leads else wanted[: len(outer)]
        made = {}
        for letter, size in zip(outer, wanted, strict=True):
            known = sizes.get(letter)
            if size is not None and known is not None and size != known:
                raise ValueError(
                    f"Input shape and output shape do not match at shared dimension '{letter}'. "
                    f"Input shape is {known}, and "
                    f"output shape is {size}."
                )
            made[letter] = known if size is None else size
        all_sizes = {**sizes, **{k: v for k, v in made.items() if v is not None}}
        unknown = [c for c in kernel if all_sizes.get(c) is None]
        if unknown:
            raise ValueError(
                f"Layer {self.name}: weight dimension '{unknown[0]}' of equation '{self.equation}' "
                f"has no known extent for an "
                f"input of shape {shape}."
            )
        bias = None
        if self.bias_axes is not None:
            first = min(outer.index(c) for c in self.bias_axes)
            bias = [all_sizes[c] if c in self.bias_axes else 1 for c in outer[first:]] + [1] * len(
                trail
            )
        full = [*lead, *(made[c] for c in outer), *trail]
        return [all_sizes[c] for c in kernel], bias, full

    def call(self, inputs: Any) -> Any:
        """The result for `inputs`."""
        outputs = einsum(self.equation, inputs, self.kernel.value())
        if self.bias is not None:
            outputs = add(outputs, self.bias.value())
        return outputs if self.activation is activations.linear else self.activation(outputs)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for an input of this shape."""
        return as_shape(self._shapes(as_shape(input_shape))[2])

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {
            **super().get_config(),
            "equation": self.equation,
            "output_shape": self.partial_output_shape,
            "activation": activations.serialize(self.activation),
            "bias_axes": self.bias_axes,
            "kernel_initializer": initializers.serialize(self.kernel_initializer),
            "bias_initializer": initializers.serialize(self.bias_initializer),
            "kernel_regularizer": regularizers.serialize(self.kernel_regularizer),
            "bias_regularizer": regularizers.serialize(self.bias_regularizer),
            "activity_regularizer": regularizers.serialize(self.activity_regularizer),
            "kernel_constraint": constraints.serialize(self.kernel_constraint),
            "bias_constraint": constraints.serialize(self.bias_constraint),
        }


EinsumDense.__module__ = "eagercore.keras.layers"
