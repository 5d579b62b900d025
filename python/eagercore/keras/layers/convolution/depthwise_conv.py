"""DepthwiseConv1D and DepthwiseConv2D: every channel by itself."""

from __future__ import annotations

from typing import Any

from ....base.shapes import as_shape
from ....ops import convolution as primitives
from ....ops.shape import reshape
from ... import constraints, initializers, regularizers
from ..core.dense import positive_int
from ..input_spec import InputSpec
from .base import Conv

_ARGUMENTS = '''
    Args:
        kernel_size: Size of the window: an int, or one for each spatial dimension.
        strides: Step of the window, as `kernel_size`. Default 1.
        padding: "valid" or "same". Default "valid".
        depth_multiplier: Number of outputs of each channel. Default 1.
        data_format: "channels_last" (default) or "channels_first".
        dilation_rate: Distance of the window's elements, as `kernel_size`. Default 1.
        activation: Activation function, its name, or None.
        use_bias: Whether there is a bias. Default True.
        depthwise_initializer: Initializer of the kernel. Default "glorot_uniform".
        bias_initializer: Initializer of the bias. Default "zeros".
        depthwise_regularizer: Regularizer of the kernel, or None.
        bias_regularizer: Regularizer of the bias, or None.
        activity_regularizer: Regularizer of the output, or None.
        depthwise_constraint: Constraint of the kernel, or None.
        bias_constraint: Constraint of the bias, or None.
        **kwargs: See `Layer`.

    Raises:
        ValueError: If an argument has no meaning, or the input is smaller than the window.
'''


class DepthwiseConv(Conv):
    """Base of the depthwise convolutions: `_rank` spatial dimensions."""

    _rank = 2

    def __init__(
        self,
        kernel_size: Any,
        strides: Any = 1,
        padding: str = "valid",
        depth_multiplier: int = 1,
        data_format: str | None = None,
        dilation_rate: Any = 1,
        activation: Any = None,
        use_bias: bool = True,
        depthwise_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        depthwise_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        depthwise_constraint: Any = None,
        bias_constraint: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            self._rank, None, kernel_size, strides, padding, data_format, dilation_rate, 1, activation, use_bias,
            "glorot_uniform", bias_initializer, None, bias_regularizer, activity_regularizer, None, bias_constraint,
            **kwargs,
        )  # fmt: skip
        self.depth_multiplier = positive_int("depth_multiplier", depth_multiplier)
        self.depthwise_initializer = initializers.get(depthwise_initializer)
        self.depthwise_regularizer = regularizers.get(depthwise_regularizer)
        self.depthwise_constraint = constraints.get(depthwise_constraint)

    def build(self, input_shape: Any) -> None:
        """Makes `depthwise_kernel` [*kernel_size, channels, depth_multiplier] and `bias`."""
        channels = self._channels(input_shape)
        self._make_depthwise_kernel(channels)
        self.filters = channels * self.depth_multiplier
        self._add_bias()
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={self._channel_axis: channels})
        self.built = True

    def _make_depthwise_kernel(self, channels: int) -> None:
        self.depthwise_kernel = self.add_weight(
            "depthwise_kernel", shape=(*self.kernel_size, channels, self.depth_multiplier),
            initializer=self.depthwise_initializer, regularizer=self.depthwise_regularizer,
            constraint=self.depthwise_constraint,
        )  # fmt: skip
        self.kernel = self.depthwise_kernel

    def _convolve(self, inputs: Any) -> Any:
        self._check_size(inputs.shape)
        kernel = self.depthwise_kernel.value()
        channels = kernel.shape[-2]
        filters = reshape(kernel, (*self.kernel_size, 1, channels * self.depth_multiplier))
        return primitives.convolution(
            inputs, filters, strides=self.strides, padding=self._pairs, dilations=self.dilation_rate, groups=channels
        )

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for an input of this shape."""
        shape = as_shape(input_shape)
        channels = self._channels(shape) * self.depth_multiplier
        if self._channels_first:
            return as_shape([shape[0], channels, *self._spatial(shape[2:])])
        return as_shape([shape[0], *self._spatial(shape[1:-1]), channels])

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        config = super().get_config()
        for name in ("filters", "groups", "kernel_initializer", "kernel_regularizer", "kernel_constraint"):
            config.pop(name)
        return {
            **config,
            "depth_multiplier": self.depth_multiplier,
            "depthwise_initializer": initializers.serialize(self.depthwise_initializer),
            "depthwise_regularizer": regularizers.serialize(self.depthwise_regularizer),
            "depthwise_constraint": constraints.serialize(self.depthwise_constraint),
        }


class DepthwiseConv1D(DepthwiseConv):
    """Convolution of each channel by itself over time: [batch, steps, channels]."""

    _rank = 1


class DepthwiseConv2D(DepthwiseConv):
    """Convolution of each channel by itself over images: [batch, height, width, channels]."""

    _rank = 2


for _cls in (DepthwiseConv1D, DepthwiseConv2D):
    _dims = ", ".join(["1", *["5"] * _cls._rank, "2"])
    _result = ", ".join(["1", *["3"] * _cls._rank, "2"])
    _cls.__doc__ = (
        f"{_cls.__doc__}\n{_ARGUMENTS}\n    >>> import eagercore as tf\n"
        f"    >>> {_cls.__name__}(3)(tf.ones([{_dims}])).shape\n    TensorShape([{_result}])\n    "
    )
    _cls.__module__ = "eagercore.keras.layers"
