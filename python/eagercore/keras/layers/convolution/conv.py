"""Conv1D, Conv2D, Conv3D: the convolution of `Conv` over one, two and three spatial dimensions."""

from __future__ import annotations

from typing import Any

from .base import Conv

_ARGUMENTS = """
    Args:
        filters: Number of outputs.
        kernel_size: Size of the window: an int, or one for each spatial dimension.
        strides: Step of the window, as `kernel_size`. Default 1.
        padding: {padding}. Default "valid".
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
        ValueError: If an argument has no meaning, or the input is smaller than the window.
"""


class _Ranked(Conv):
    """A `Conv` of a fixed rank."""

    _rank = 2

    def __init__(
        self,
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
        super().__init__(
            self._rank, filters, kernel_size, strides, padding, data_format, dilation_rate, groups, activation,
            use_bias,
            kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer,
            kernel_constraint, bias_constraint, **kwargs,
        )  # fmt: skip


class Conv1D(_Ranked):
    """Convolution over time: [batch, steps, channels] to [batch, steps, filters]."""

    _rank, _causal = 1, True


class Conv2D(_Ranked):
    """Convolution over images: [batch, height, width, channels] to [batch, height, width, filters]."""

    _rank = 2


class Conv3D(_Ranked):
    """Convolution over volumes: [batch, depth, height, width, channels] to the like with `filters` channels."""

    _rank = 3


_EXAMPLES = {
    Conv1D: """
    >>> import eagercore as tf
    >>> Conv1D(2, 3, padding="same")(tf.ones([1, 5, 1])).shape
    TensorShape([1, 5, 2])
    """,
    Conv2D: """
    >>> import eagercore as tf
    >>> Conv2D(2, 3)(tf.ones([1, 5, 5, 1])).shape
    TensorShape([1, 3, 3, 2])
    """,
    Conv3D: """
    >>> import eagercore as tf
    >>> Conv3D(2, 3)(tf.ones([1, 5, 5, 5, 1])).shape
    TensorShape([1, 3, 3, 3, 2])
    """,
}
for _cls, _example in _EXAMPLES.items():
    _padding = (
        '"valid", "same" or "causal" (nothing of the future)'
        if _cls is Conv1D
        else '"valid" or "same"'
    )
    _cls.__doc__ = f"{_cls.__doc__}\n{_ARGUMENTS.format(padding=_padding)}{_example}"
    _cls.__module__ = "eagercore.keras.layers"

Convolution1D, Convolution2D, Convolution3D = Conv1D, Conv2D, Conv3D
