"""LocallyConnected1D and LocallyConnected2D: a window with a kernel of its own at every place."""

from __future__ import annotations

import itertools
import math
from typing import Any

from ....base.shapes import as_shape
from ....ops.arithmetic import add
from ....ops.linalg import matmul_op
from ....ops.shape import concat, reshape, stack, transpose
from ... import activations
from ..input_spec import InputSpec
from .base import Conv

_ARGUMENTS = """
    Args:
        filters: Number of outputs.
        kernel_size: Size of the window: an int, or one for each spatial dimension.
        strides: Step of the window, as `kernel_size`. Default 1.
        padding: "valid" only.
        data_format: "channels_last" (default) or "channels_first".
        activation: Activation function, its name, or None.
        use_bias: Whether there is a bias, for each place. Default True.
        kernel_initializer: Initializer of the kernels. Default "glorot_uniform".
        bias_initializer: Initializer of the biases. Default "zeros".
        kernel_regularizer: Regularizer of the kernels, or None.
        bias_regularizer: Regularizer of the biases, or None.
        activity_regularizer: Regularizer of the output, or None.
        kernel_constraint: Constraint of the kernels, or None.
        bias_constraint: Constraint of the biases, or None.
        implementation: Accepted for Keras's sake; weights have the shapes of implementation 1.
        **kwargs: See `Layer`.

    Raises:
        ValueError: If an argument has no meaning, or the input's extents are not known.
"""


def windows_by_place(
    inputs: Any, kernel: Any, size: Any, strides: Any, places: Any, channels_first: bool
) -> Any:
    """Each window of the inputs times the kernel of its place.

    Args:
        inputs: Tensor [batch, *spatial, channels].
        kernel: Kernels [places, window * channels, filters].
        size: Extents of the window.
        strides: Its steps.
        places: Spatial extents of the result.
        channels_first: Whether channels stand before the spatial dimensions, in the result too.
    """
    rank = len(size)
    if channels_first:
        inputs = transpose(inputs, (0, *range(2, rank + 2), 1))
    parts = []
    for offset in itertools.product(*(range(k) for k in size)):
        cut = tuple(
            slice(o, o + (n - 1) * s + 1, s)
            for o, n, s in zip(offset, places, strides, strict=True)
        )
        parts.append(inputs[(slice(None), *cut)])
    windows = stack(parts, axis=-1) if channels_first else concat(parts, axis=-1)
    flat = reshape(windows, (-1, math.prod(places), kernel.shape[1]))
    made = matmul_op(transpose(flat, (1, 0, 2)), kernel)
    made = reshape(transpose(made, (1, 0, 2)), (-1, *places, kernel.shape[-1]))
    return transpose(made, (0, rank + 1, *range(1, rank + 1))) if channels_first else made


class LocallyConnected(Conv):
    """Base of the locally connected layers: `_rank` spatial dimensions."""

    _rank = 2

    def __init__(
        self,
        filters: int,
        kernel_size: Any,
        strides: Any = 1,
        padding: str = "valid",
        data_format: str | None = None,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        implementation: int = 1,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            self._rank, filters, kernel_size, strides, padding, data_format, 1, 1, activation, use_bias,
            kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer,
            kernel_constraint, bias_constraint, **kwargs,
        )  # fmt: skip
        if self.padding != "valid":
            raise ValueError(
                f"Invalid border mode for {type(self).__name__} (only `valid` is supported): {padding!r}"
            )
        self.implementation = implementation

    def build(self, input_shape: Any) -> None:
        """Makes `kernel` [places, window * channels, filters] and `bias` [*places, filters]."""
        shape = as_shape(input_shape)
        channels = self._channels(shape)
        sizes = shape[2:] if self._channels_first else shape[1:-1]
        if None in tuple(sizes):
            raise ValueError(
                f"The spatial dimensions of the inputs to {type(self).__name__} should be "
                f"fully-defined, but layer received "
                f"an input of shape {shape}."
            )
        places = self._spatial(sizes)
        if min(places) < 1:
            raise ValueError(
                f"Layer {self.name}: the input of shape {shape} is smaller than the window {self.kernel_size}."
            )
        self._places = tuple(places)
        self.kernel = self.add_weight(
            "kernel", shape=(math.prod(places), math.prod(self.kernel_size) * channels, self.filters),
            initializer=self.kernel_initializer, regularizer=self.kernel_regularizer,
            constraint=self.kernel_constraint,
        )  # fmt: skip
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                "bias", shape=(*places, self.filters), initializer=self.bias_initializer,
                regularizer=self.bias_regularizer, constraint=self.bias_constraint,
            )  # fmt: skip
        axes = {i: n for i, n in enumerate(shape) if i}
        self.input_spec = InputSpec(ndim=self.rank + 2, axes=axes)
        self.built = True

    def call(self, inputs: Any) -> Any:
        """The result for `inputs`."""
        made = windows_by_place(
            inputs,
            self.kernel.value(),
            self.kernel_size,
            self.strides,
            self._places,
            self._channels_first,
        )
        if self.bias is not None:
            bias = self.bias.value()
            if self._channels_first:
                bias = transpose(bias, (self.rank, *range(self.rank)))
            made = add(made, bias)
        return made if self.activation is activations.linear else self.activation(made)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        config = super().get_config()
        for name in ("dilation_rate", "groups"):
            config.pop(name)
        return {**config, "implementation": self.implementation}


class LocallyConnected1D(LocallyConnected):
    """A kernel of its own for every place in time: [batch, steps, channels] to [batch, steps, filters]."""

    _rank = 1


class LocallyConnected2D(LocallyConnected):
    """A kernel of its own for every place of an image: [batch, height, width, channels]."""

    _rank = 2


for _cls in (LocallyConnected1D, LocallyConnected2D):
    _dims = ", ".join(["1", *["5"] * _cls._rank, "2"])
    _result = ", ".join(["1", *["3"] * _cls._rank, "4"])
    _cls.__doc__ = (
        f"{_cls.__doc__}\n{_ARGUMENTS}\n    >>> import eagercore as tf\n"
        f"    >>> {_cls.__name__}(4, 3)(tf.ones([{_dims}])).shape\n    TensorShape([{_result}])\n    "
    )
    _cls.__module__ = "eagercore.keras.layers"
