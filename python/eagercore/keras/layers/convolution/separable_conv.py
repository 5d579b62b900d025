"""SeparableConv1D and SeparableConv2D: every channel by itself, then all channels point by point."""

from __future__ import annotations

from typing import Any

from ....ops import convolution as primitives
from ....ops.shape import reshape
from ... import constraints, initializers, regularizers
from ..core.dense import positive_int
from ..input_spec import InputSpec
from .base import Conv

_ARGUMENTS = '''
    Args:
        filters: Number of outputs.
        kernel_size: Size of the window: an int, or one for each spatial dimension.
        strides: Step of the window, as `kernel_size`. Default 1.
        padding: {padding}. Default "valid".
        data_format: "channels_last" (default) or "channels_first".
        dilation_rate: Distance of the window's elements, as `kernel_size`. Default 1.
        depth_multiplier: Number of outputs of each channel in the first step. Default 1.
        activation: Activation function, its name, or None.
        use_bias: Whether there is a bias. Default True.
        depthwise_initializer: Initializer of the depthwise kernel. Default "glorot_uniform".
        pointwise_initializer: Initializer of the pointwise kernel. Default "glorot_uniform".
        bias_initializer: Initializer of the bias. Default "zeros".
        depthwise_regularizer: Regularizer of the depthwise kernel, or None.
        pointwise_regularizer: Regularizer of the pointwise kernel, or None.
        bias_regularizer: Regularizer of the bias, or None.
        activity_regularizer: Regularizer of the output, or None.
        depthwise_constraint: Constraint of the depthwise kernel, or None.
        pointwise_constraint: Constraint of the pointwise kernel, or None.
        bias_constraint: Constraint of the bias, or None.
        **kwargs: See `Layer`.

    Raises:
        ValueError: If an argument has no meaning, or the input is smaller than the window.
'''


class SeparableConv(Conv):
    """Base of the separable convolutions: `_rank` spatial dimensions."""

    _rank = 2

    def __init__(
        self,
        filters: int,
        kernel_size: Any,
        strides: Any = 1,
        padding: str = "valid",
        data_format: str | None = None,
        dilation_rate: Any = 1,
        depth_multiplier: int = 1,
        activation: Any = None,
        use_bias: bool = True,
        depthwise_initializer: Any = "glorot_uniform",
        pointwise_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        depthwise_regularizer: Any = None,
        pointwise_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        depthwise_constraint: Any = None,
        pointwise_constraint: Any = None,
        bias_constraint: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            self._rank, filters, kernel_size, strides, padding, data_format, dilation_rate, 1, activation, use_bias,
            "glorot_uniform", bias_initializer, None, bias_regularizer, activity_regularizer, None, bias_constraint,
            **kwargs,
        )  # fmt: skip
        self.depth_multiplier = positive_int("depth_multiplier", depth_multiplier)
        self.depthwise_initializer = initializers.get(depthwise_initializer)
        self.pointwise_initializer = initializers.get(pointwise_initializer)
        self.depthwise_regularizer = regularizers.get(depthwise_regularizer)
        self.pointwise_regularizer = regularizers.get(pointwise_regularizer)
        self.depthwise_constraint = constraints.get(depthwise_constraint)
        self.pointwise_constraint = constraints.get(pointwise_constraint)

    def build(self, input_shape: Any) -> None:
        """Makes `depthwise_kernel`, `pointwise_kernel` and `bias`."""
        channels = self._channels(input_shape)
        self.depthwise_kernel = self.add_weight(
            "depthwise_kernel", shape=(*self.kernel_size, channels, self.depth_multiplier),
            initializer=self.depthwise_initializer, regularizer=self.depthwise_regularizer,
            constraint=self.depthwise_constraint,
        )  # fmt: skip
        self.pointwise_kernel = self.add_weight(
            "pointwise_kernel", shape=(*[1] * self.rank, channels * self.depth_multiplier, self.filters),
            initializer=self.pointwise_initializer, regularizer=self.pointwise_regularizer,
            constraint=self.pointwise_constraint,
        )  # fmt: skip
        self.kernel = self.depthwise_kernel
        self._add_bias()
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={self._channel_axis: channels})
        self.built = True

    def _convolve(self, inputs: Any) -> Any:
        self._check_size(inputs.shape)
        kernel = self.depthwise_kernel.value()
        channels = kernel.shape[-2]
        filters = reshape(kernel, (*self.kernel_size, 1, channels * self.depth_multiplier))
        made = primitives.convolution(
            inputs, filters, strides=self.strides, padding=self._pairs, dilations=self.dilation_rate, groups=channels
        )
        ones = (1,) * self.rank
        return primitives.convolution(
            made, self.pointwise_kernel.value(), strides=ones, padding=((0, 0),) * self.rank, dilations=ones, groups=1
        )

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        config = super().get_config()
        for name in ("groups", "kernel_initializer", "kernel_regularizer", "kernel_constraint"):
            config.pop(name)
        return {
            **config,
            "depth_multiplier": self.depth_multiplier,
            "depthwise_initializer": initializers.serialize(self.depthwise_initializer),
            "pointwise_initializer": initializers.serialize(self.pointwise_initializer),
            "depthwise_regularizer": regularizers.serialize(self.depthwise_regularizer),
            "pointwise_regularizer": regularizers.serialize(self.pointwise_regularizer),
            "depthwise_constraint": constraints.serialize(self.depthwise_constraint),
            "pointwise_constraint": constraints.serialize(self.pointwise_constraint),
        }


class SeparableConv1D(SeparableConv):
    """Convolution in two steps over time: [batch, steps, channels] to [batch, steps, filters]."""

    _rank, _causal = 1, True


class SeparableConv2D(SeparableConv):
    """Convolution in two steps over images: [batch, height, width, channels] to the like with `filters` channels."""

    _rank = 2


for _cls in (SeparableConv1D, SeparableConv2D):
    _dims = ", ".join(["1", *["5"] * _cls._rank, "2"])
    _result = ", ".join(["1", *["3"] * _cls._rank, "4"])
    _padding = '"valid", "same" or "causal"' if _cls._causal else '"valid" or "same"'
    _cls.__doc__ = (
        f"{_cls.__doc__}\n{_ARGUMENTS.format(padding=_padding)}\n    >>> import eagercore as tf\n"
        f"    >>> {_cls.__name__}(4, 3)(tf.ones([{_dims}])).shape\n    TensorShape([{_result}])\n    "
    )
    _cls.__module__ = "eagercore.keras.layers"

SeparableConvolution1D, SeparableConvolution2D = SeparableConv1D, SeparableConv2D
