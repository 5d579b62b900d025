"""Conv1DTranspose, Conv2DTranspose, Conv3DTranspose: convolutions backwards, from small to large."""

from __future__ import annotations

from typing import Any

from ....base.shapes import as_shape
from ....core.coerce import as_ints
from ....ops import convolution as primitives
from .base import Conv

_ARGUMENTS = """
    Args:
        filters: Number of outputs.
        kernel_size: Size of the window: an int, or one for each spatial dimension.
        strides: How far the window moves in the result, as `kernel_size`. Default 1.
        padding: "valid" or "same". Default "valid".
        output_padding: Extent added at one side of the result, as `kernel_size`; None works it out.
        data_format: "channels_last" (default) or "channels_first".
        dilation_rate: Distance of the window's elements, as `kernel_size`. Default 1.
        activation: Activation function, its name, or None.
        use_bias: Whether there is a bias. Default True.
        kernel_initializer: Initializer of the kernel [*kernel_size, filters, channels]. Default "glorot_uniform".
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


class _Transposed(Conv):
    """A transposed `Conv` of a fixed rank."""

    _rank = 2

    def __init__(
        self,
        filters: int,
        kernel_size: Any,
        strides: Any = 1,
        padding: str = "valid",
        output_padding: Any = None,
        data_format: str | None = None,
        dilation_rate: Any = 1,
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
        super().__init__(
            self._rank, filters, kernel_size, strides, padding, data_format, dilation_rate, 1, activation, use_bias,
            kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer,
            kernel_constraint, bias_constraint, **kwargs,
        )  # fmt: skip
        self.output_padding = (
            None if output_padding is None else self._output_padding(output_padding)
        )

    def _output_padding(self, value: Any) -> tuple[int, ...]:
        numbers = as_ints(value, "ConvTranspose", "output_padding")
        numbers = numbers * self.rank if len(numbers) == 1 else numbers
        if len(numbers) != self.rank or any(
            p < 0 or p >= s for p, s in zip(numbers, self.strides, strict=True)
        ):
            raise ValueError(
                f"Strides must be greater than output padding. Received strides={self.strides}, output_padding={value}."
            )
        return tuple(numbers)

    def _kernel_shape(self, channels: int) -> tuple[int, ...]:
        return (*self.kernel_size, self.filters, channels)

    def _spatial(self, sizes: Any) -> list[Any]:
        extra = self.output_padding or (None,) * self.rank
        return [
            None if size is None else self._extent(size, axis, more)
            for axis, (size, more) in enumerate(zip(sizes, extra, strict=True))
        ]

    def _extent(self, size: int, axis: int, more: int | None) -> int:
        window = (self.kernel_size[axis] - 1) * self.dilation_rate[axis] + 1
        stride = self.strides[axis]
        if more is None:
            return size * stride + (max(window - stride, 0) if self.padding == "valid" else 0)
        back = window // 2 if self.padding == "same" else 0
        return (size - 1) * stride + window - 2 * back + more

    def _convolve(self, inputs: Any) -> Any:
        shape = inputs.shape
        sizes = self._spatial(shape[1:-1])
        target = (shape[0], *sizes, self.filters)
        if None in target:
            return self._dynamic(inputs)
        pairs = self._pairs
        if self.output_padding is not None and self.padding == "same":
            pairs = self._own_pairs(shape[1:-1], sizes)
        return primitives.convolution_data_gradient(
            inputs, self.kernel.value(), input_shape=target, strides=self.strides, padding=pairs,
            dilations=self.dilation_rate, groups=1,
        )  # fmt: skip

    def _own_pairs(self, sizes: Any, results: Any) -> tuple[Any, ...]:
        """Padding that brings the result back to the input's size."""
        pairs = []
        for axis, (size, result) in enumerate(zip(sizes, results, strict=True)):
            window = (self.kernel_size[axis] - 1) * self.dilation_rate[axis] + 1
            total = max((size - 1) * self.strides[axis] + window - result, 0)
            pairs.append((total // 2, total - total // 2))
        return tuple(pairs)

    def _dynamic(self, inputs: Any) -> Any:
        """Where extents are not known yet (in a graph), TensorFlow's function finds the smallest result."""
        from ....ops.conv import conv_transpose

        return conv_transpose(
            inputs,
            self.kernel.value(),
            None,
            self.strides,
            self.padding.upper(),
            None,
            self.dilation_rate,
        )

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        config = {**super().get_config(), "output_padding": self.output_padding}
        config.pop("groups")
        return config

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for an input of this shape."""
        shape = as_shape(input_shape)
        if self._channels_first:
            return as_shape([shape[0], self.filters, *self._spatial(shape[2:])])
        return as_shape([shape[0], *self._spatial(shape[1:-1]), self.filters])


class Conv1DTranspose(_Transposed):
    """Transposed convolution over time: [batch, steps, channels] to [batch, more steps, filters]."""

    _rank = 1


class Conv2DTranspose(_Transposed):
    """Transposed convolution over images: [batch, height, width, channels] to larger images of `filters` channels."""

    _rank = 2


class Conv3DTranspose(_Transposed):
    """Transposed convolution over volumes: to larger volumes of `filters` channels."""

    _rank = 3


_EXAMPLES = {
    Conv1DTranspose: """
    >>> import eagercore as tf
    >>> Conv1DTranspose(2, 3, strides=2, padding="same")(tf.ones([1, 5, 1])).shape
    TensorShape([1, 10, 2])
    """,
    Conv2DTranspose: """
    >>> import eagercore as tf
    >>> Conv2DTranspose(2, 5, strides=2, padding="same")(tf.ones([1, 7, 7, 1])).shape
    TensorShape([1, 14, 14, 2])
    """,
    Conv3DTranspose: """
    >>> import eagercore as tf
    >>> Conv3DTranspose(2, 2, strides=2)(tf.ones([1, 2, 2, 2, 1])).shape
    TensorShape([1, 4, 4, 4, 2])
    """,
}
for _cls, _example in _EXAMPLES.items():
    _cls.__doc__ = f"{_cls.__doc__}\n{_ARGUMENTS}{_example}"
    _cls.__module__ = "eagercore.keras.layers"

Convolution1DTranspose, Convolution2DTranspose, Convolution3DTranspose = (
    Conv1DTranspose,
    Conv2DTranspose,
    Conv3DTranspose,
)
