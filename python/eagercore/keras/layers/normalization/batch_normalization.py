"""BatchNormalization: every channel with mean 0 and deviation 1, then scaled and shifted."""

from __future__ import annotations

import math
from typing import Any

from ....base.context import context
from ....base.shapes import as_shape
from ....core.coerce import as_axis
from ....ops import normalization as primitives
from ....ops.arithmetic import add, multiply, multiply_add, square, subtract
from ....ops.create import cast, ones, zeros
from ....ops.exponential import rsqrt
from ....ops.reduce import reduce_mean
from ....ops.shape import reshape
from ... import constraints, initializers, regularizers
from ..base import Layer
from ..input_spec import InputSpec


class BatchNormalization(Layer):
    """Normalizes each channel: in training over the batch, else by moving averages of what training saw.

    Args:
        axis: Axis of the channels (or a list of axes). Default last.
        momentum: How much of the moving averages is kept at each step. Default 0.99.
        epsilon: Added to the variance. Default 0.001.
        center: Whether there is a shift `beta`. Default True.
        scale: Whether there is a factor `gamma`. Default True.
        beta_initializer: Initializer of `beta`. Default "zeros".
        gamma_initializer: Initializer of `gamma`. Default "ones".
        moving_mean_initializer: Initializer of the moving mean. Default "zeros".
        moving_variance_initializer: Initializer of the moving variance. Default "ones".
        beta_regularizer: Regularizer of `beta`, or None.
        gamma_regularizer: Regularizer of `gamma`, or None.
        beta_constraint: Constraint of `beta`, or None.
        gamma_constraint: Constraint of `gamma`, or None.
        renorm: Accepted for Keras's sake; batch renormalization is refused.
        fused: Whether the moving variance of images is the unbiased one, as TensorFlow's fused kernel
            has it. Default: so
            for inputs of rank 4.
        **kwargs: See `Layer`.

    With `training=True` (given here, or to the model around it) the moving averages are updated at once. A layer whose
    `trainable` is False does not train: it uses the moving averages.

    >>> layer = BatchNormalization()
    >>> layer([[1.0], [3.0]], training=True).numpy().round(4)
    array([[-0.9995],
           [ 0.9995]], dtype=float32)
    """

    def __init__(
        self,
        axis: Any = -1,
        momentum: float = 0.99,
        epsilon: float = 1e-3,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        moving_mean_initializer: Any = "zeros",
        moving_variance_initializer: Any = "ones",
        beta_regularizer: Any = None,
        gamma_regularizer: Any = None,
        beta_constraint: Any = None,
        gamma_constraint: Any = None,
        renorm: bool = False,
        fused: Any = None,
        **kwargs: Any,
    ) -> None:
        for name in (
            "renorm_clipping",
            "renorm_momentum",
            "virtual_batch_size",
            "adjustment",
            "synchronized",
        ):
            kwargs.pop(name, None)
        super().__init__(**kwargs)
        if renorm:
            raise ValueError(
                f"Layer {self.name}: batch renormalization (renorm=True) is not available."
            )
        axis = as_axis(axis, "BatchNormalization", "axis")
        self.axis = list(axis) if isinstance(axis, tuple) else axis
        self.momentum, self.epsilon = float(momentum), float(epsilon)
        self.center, self.scale, self.fused = bool(center), bool(scale), fused
        self.beta_initializer = initializers.get(beta_initializer)
        self.gamma_initializer = initializers.get(gamma_initializer)
        self.moving_mean_initializer = initializers.get(moving_mean_initializer)
        self.moving_variance_initializer = initializers.get(moving_variance_initializer)
        self.beta_regularizer = regularizers.get(beta_regularizer)
        self.gamma_regularizer = regularizers.get(gamma_regularizer)
        self.beta_constraint = constraints.get(beta_constraint)
        self.gamma_constraint = constraints.get(gamma_constraint)
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        """Makes `gamma`, `beta`, `moving_mean` and `moving_variance`, one number for each channel."""
        shape = as_shape(input_shape)
        rank = shape.rank
        if not rank:
            raise ValueError(f"Layer {self.name}: input has undefined rank.")
        axes = [self.axis] if isinstance(self.axis, int) else list(self.axis)
        for axis in axes:
            if not -rank <= axis < rank:
                raise ValueError(
                    f"Layer {self.name}: invalid axis. Expected an axis in [{-rank}, {rank}) for an input of "
                    f"shape {shape}, "
                    f"got {axis}."
                )
        axes = [axis % rank for axis in axes]
        self._axes = tuple(axes)
        sizes = {axis: shape[axis] for axis in axes}
        if None in sizes.values():
            raise ValueError(
                f"Layer {self.name}: axis {axes} of the input must be known, got shape {shape}."
            )
        self.input_spec = InputSpec(ndim=rank, axes=sizes)
        own = [sizes[axis] for axis in axes]
        if len(axes) > 1:
            own = [sizes.get(i, 1) for i in range(rank)][1:]
            own = [1, *own] if 0 not in axes else [sizes[0], *own]
        self.gamma = self.beta = None
        if self.scale:
            self.gamma = self.add_weight(
                "gamma", shape=own, initializer=self.gamma_initializer, regularizer=self.gamma_regularizer,
                constraint=self.gamma_constraint, experimental_autocast=False,
            )  # fmt: skip
        if self.center:
            self.beta = self.add_weight(
                "beta", shape=own, initializer=self.beta_initializer, regularizer=self.beta_regularizer,
                constraint=self.beta_constraint, experimental_autocast=False,
            )  # fmt: skip
        self.moving_mean = self.add_weight(
            "moving_mean", shape=own, initializer=self.moving_mean_initializer, trainable=False,
            experimental_autocast=False,
        )  # fmt: skip
        self.moving_variance = self.add_weight(
            "moving_variance",
            shape=own,
            initializer=self.moving_variance_initializer,
            trainable=False,
            experimental_autocast=False,
        )
        self.built = True

    def call(self, inputs: Any, training: Any = None) -> Any:
        """The result for `inputs`."""
        if not inputs.dtype.is_floating:
            inputs = cast(inputs, self.moving_mean.dtype)
        plain = not training or not self.trainable
        if plain or len(self._axes) > 1:
            # Averages, scale and shift keep their type where the layer computes in a narrower one.
            wide = cast(inputs, self.moving_mean.dtype)
            made = self._by_averages(wide) if plain else self._over_axes(wide)
            return cast(made, inputs.dtype)
        if 0 in inputs.shape:
            return inputs
        gamma = (
            self.gamma.value()
            if self.gamma is not None
            else ones(self.moving_mean.shape, self.moving_mean.dtype)
        )
        beta = (
            self.beta.value()
            if self.beta is not None
            else zeros(self.moving_mean.shape, self.moving_mean.dtype)
        )
        outputs, mean, variance = primitives.batch_normalization(
            inputs, gamma, beta, axis=self._axes[0], epsilon=self.epsilon
        )
        self._update(mean, self._unbiased(variance, inputs.shape))
        return outputs

    def _unbiased(self, variance: Any, shape: Any) -> Any:
        fused = len(shape) == 4 if self.fused is None else self.fused
        if not fused:
            return variance
        counts = [n for i, n in enumerate(shape) if i not in self._axes]
        if None in counts:
            return variance
        count = math.prod(counts)
        return multiply(variance, count / max(count - 1, 1))

    def _update(self, mean: Any, variance: Any) -> None:
        """Moves the averages; tapes need not know."""
        kept = 1.0 - self.momentum
        tapes, context.tapes = context.tapes, ()
        try:
            for moving, new in ((self.moving_mean, mean), (self.moving_variance, variance)):
                moving.assign_sub(multiply(subtract(moving, new), kept), read_value=False)
        finally:
            context.tapes = tapes

    def _shape_for(self, rank: int) -> Any:
        """Shape in which the channels' numbers broadcast with the input, or None when they do as they are."""
        if len(self._axes) > 1 or self._axes[0] == rank - 1:
            return None
        return [-1 if i == self._axes[0] else 1 for i in range(rank)]

    def _by_averages(self, inputs: Any) -> Any:
        factor = rsqrt(add(self.moving_variance, self.epsilon))
        if self.gamma is not None:
            factor = multiply(factor, self.gamma)
        shift = multiply(self.moving_mean, factor)
        shift = subtract(self.beta, shift) if self.beta is not None else multiply(shift, -1.0)
        shape = self._shape_for(len(inputs.shape))
        if shape is not None:
            factor, shift = reshape(factor, shape), reshape(shift, shape)
        return multiply_add(inputs, factor, shift)

    def _over_axes(self, inputs: Any) -> Any:
        """Normalization over all but several axes, composed of plain operations."""
        others = tuple(i for i in range(len(inputs.shape)) if i not in self._axes)
        mean = reduce_mean(inputs, axis=others, keepdims=True)
        moved = subtract(inputs, mean)
        variance = reduce_mean(square(moved), axis=others, keepdims=True)
        self._update(mean, variance)
        outputs = multiply(moved, rsqrt(add(variance, self.epsilon)))
        if self.gamma is not None:
            outputs = multiply(outputs, self.gamma)
        return outputs if self.beta is None else add(outputs, self.beta)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The input's shape."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {
            **super().get_config(),
            "axis": self.axis,
            "momentum": self.momentum,
            "epsilon": self.epsilon,
            "center": self.center,
            "scale": self.scale,
            "beta_initializer": initializers.serialize(self.beta_initializer),
            "gamma_initializer": initializers.serialize(self.gamma_initializer),
            "moving_mean_initializer": initializers.serialize(self.moving_mean_initializer),
            "moving_variance_initializer": initializers.serialize(self.moving_variance_initializer),
            "beta_regularizer": regularizers.serialize(self.beta_regularizer),
            "gamma_regularizer": regularizers.serialize(self.gamma_regularizer),
            "beta_constraint": constraints.serialize(self.beta_constraint),
            "gamma_constraint": constraints.serialize(self.gamma_constraint),
        }


BatchNormalizationV1 = BatchNormalizationV2 = BatchNormalization
BatchNormalization.__module__ = "eagercore.keras.layers"
