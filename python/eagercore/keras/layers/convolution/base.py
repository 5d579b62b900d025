"""What convolution layers share: geometry, kernel and bias, configuration."""

from __future__ import annotations

from typing import Any

from ....base.shapes import as_shape
from ....base.windows import output_size
from ....core.coerce import as_ints
from ....ops import convolution as primitives
from ....ops.arithmetic import add
from ....ops.shape import transpose
from ... import activations, constraints, initializers, regularizers
from ...settings import checked_data_format
from ..base import Layer
from ..core.dense import positive_int
from ..input_spec import InputSpec


def per_dimension(value: Any, rank: int, name: str) -> tuple[int, ...]:
    """One positive int for each spatial dimension.

    Raises:
        ValueError: If it is something else.
    """
    try:
        numbers = as_ints(value, "Conv", name)
    except (TypeError, ValueError):
        numbers = ()
    if numbers is not None and len(numbers) == 1:
        numbers = numbers * rank
    if numbers is None or len(numbers) != rank or min(numbers) < 1:
        raise ValueError(
            f"The `{name}` argument must be a tuple of {rank} positive integers. Received: {value}"
        )
    return tuple(int(n) for n in numbers)


def checked_padding(padding: Any, causal: bool = False) -> str:
    """A padding in lower case.

    Raises:
        ValueError: If it has no meaning.
    """
    value = str(padding).lower()
    allowed = ("valid", "same", "causal") if causal else ("valid", "same")
    if value not in allowed:
        names = ", ".join(f'"{a}"' for a in allowed)
        raise ValueError(f"The `padding` argument must be one of {names}. Received: {padding}")
    return value


class Conv(Layer):
    """Convolution over `rank` spatial dimensions; base of `Conv1D`, `Conv2D` and `Conv3D`.

    Args:
        rank: Number of spatial dimensions.
        filters: Number of outputs.
        kernel_size: Size of the window: an int, or one for each spatial dimension.
        strides: Step of the window, as `kernel_size`. Default 1.
        padding: "valid" or "same". Default "valid".
        data_format: "channels_last" (default) or "channels_first".
        dilation_rate: Distance of the window's elements, as `kernel_size`. Default 1.
        groups: Number of groups of channels. Default 1.
        activation: Activation function, its name, or None.
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
        ValueError: If an argument has no meaning.
    """

    _causal = False

    def __init__(
        self,
        rank: int,
        filters: int,
        kernel_size: Any,
        strides: Any = 1,
        padding: str = "valid",
        data_format: str | None = None,
        dilation_rate: Any = 1,
        groups: int = 1,
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
        self.rank = rank
        self.filters = None if filters is None else positive_int("filters", filters)
        self.groups = positive_int("groups", groups or 1)
        if self.filters is not None and self.filters % self.groups:
            raise ValueError(
                f"The number of filters must be evenly divisible by the number of groups. Received: groups={groups}, "
                f"filters={filters}"
            )
        self.kernel_size = per_dimension(kernel_size, rank, "kernel_size")
        self.strides = per_dimension(strides, rank, "strides")
        self.padding = checked_padding(padding, self._causal)
        self.data_format = checked_data_format(data_format)
        self.dilation_rate = per_dimension(dilation_rate, rank, "dilation_rate")
        self.activation = activations.get(activation)
        self.use_bias = bool(use_bias)
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.kernel_constraint = constraints.get(kernel_constraint)
        self.bias_constraint = constraints.get(bias_constraint)
        self.input_spec = InputSpec(min_ndim=rank + 2, max_ndim=rank + 2, ndim=rank + 2)
        left = self.dilation_rate[0] * (self.kernel_size[0] - 1)
        pair = {"valid": (0, 0), "same": None, "causal": (left, 0)}[self.padding]
        self._pairs = (pair,) * rank

    @property
    def _channels_first(self) -> bool:
        return self.data_format == "channels_first"

    @property
    def _channel_axis(self) -> int:
        return 1 if self._channels_first else -1

    def _channels(self, input_shape: Any) -> int:
        channels = as_shape(input_shape)[self._channel_axis]
        if channels is None:
            raise ValueError(
                f"Layer {self.name}: the channel dimension of the inputs should be defined. Found `None` in shape "
                f"{as_shape(input_shape)}."
            )
        return int(channels)

    def _kernel_shape(self, channels: int) -> tuple[int, ...]:
        return (*self.kernel_size, channels // self.groups, self.filters)

    def build(self, input_shape: Any) -> None:
        """Makes `kernel` [*kernel_size, channels / groups, filters] and `bias` [filters]."""
        channels = self._channels(input_shape)
        if channels % self.groups:
            raise ValueError(
                f"Layer {self.name}: the number of input channels must be evenly divisible by the number of groups. "
                f"Received groups={self.groups}, but the input has {channels} channels (full input shape is "
                f"{as_shape(input_shape)})."
            )
        self.kernel = self.add_weight(
            "kernel", shape=self._kernel_shape(channels), initializer=self.kernel_initializer,
            regularizer=self.kernel_regularizer, constraint=self.kernel_constraint,
        )  # fmt: skip
        self._add_bias()
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={self._channel_axis: channels})
        self.built = True

    def _add_bias(self) -> None:
        self.bias = (
            self.add_weight(
                "bias", shape=(self.filters,), initializer=self.bias_initializer,
                regularizer=self.bias_regularizer, constraint=self.bias_constraint,
            )
            if self.use_bias
            else None
        )  # fmt: skip

    def call(self, inputs: Any) -> Any:
        """The result for `inputs`."""
        if self._channels_first:
            inputs = transpose(inputs, (0, *range(2, self.rank + 2), 1))
        return self._finish(self._convolve(inputs))

    def _convolve(self, inputs: Any) -> Any:
        """The convolution of an input whose channels are last."""
        self._check_size(inputs._dims())
        return primitives.convolution(
            inputs, self.kernel.value(), strides=self.strides, padding=self._pairs,
            dilations=self.dilation_rate, groups=self.groups,
        )  # fmt: skip

    def _finish(self, outputs: Any) -> Any:
        if self.bias is not None:
            outputs = add(outputs, self.bias.value())
        if self._channels_first:
            outputs = transpose(outputs, (0, self.rank + 1, *range(1, self.rank + 1)))
        return outputs if self.activation is activations.linear else self.activation(outputs)

    def _check_size(self, shape: Any) -> None:
        if self.padding != "valid" or shape is None:
            return
        for size, window, dilation in zip(
            shape[1:-1], self.kernel_size, self.dilation_rate, strict=True
        ):
            if size is not None and size < (window - 1) * dilation + 1:
                raise ValueError(
                    f"Computed output size would be zero or negative in layer {self.name}. Received inputs shape="
                    f"{tuple(shape)}, kernel shape={tuple(self.kernel.shape)}, dilation_rate={self.dilation_rate}, "
                    f"strides={self.strides}, padding={self.padding}."
                )

    def _spatial(self, sizes: Any) -> list[Any]:
        """Spatial extents of the result."""
        return [
            output_size(*each)
            for each in zip(
                sizes, self.kernel_size, self.strides, self.dilation_rate, self._pairs, strict=True
            )
        ]

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for an input of this shape."""
        shape = as_shape(input_shape)
        if self._channels_first:
            return as_shape([shape[0], self.filters, *self._spatial(shape[2:])])
        return as_shape([shape[0], *self._spatial(shape[1:-1]), self.filters])

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {
            **super().get_config(),
            "filters": self.filters,
            "kernel_size": self.kernel_size,
            "strides": self.strides,
            "padding": self.padding,
            "data_format": self.data_format,
            "dilation_rate": self.dilation_rate,
            "groups": self.groups,
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
