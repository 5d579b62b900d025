"""GroupNormalization: every group of channels of every example by itself."""

from __future__ import annotations

from typing import Any

from ....base.shapes import as_shape
from ....ops.arithmetic import add, multiply, square, subtract
from ....ops.create import shape_of
from ....ops.exponential import rsqrt
from ....ops.reduce import reduce_mean
from ....ops.shape import reshape, transpose
from ... import constraints, initializers, regularizers
from ..base import Layer
from .layer_normalization import checked_axes


class GroupNormalization(Layer):
    """Brings each group of channels of each example to mean 0 and variance 1, then scales and shifts each channel.

    Args:
        groups: Number of groups; -1 for one for each channel. Default 32.
        axis: Axis of the channels. Default last.
        epsilon: Added to the variance. Default 0.001.
        center: Whether there is a trainable shift `beta`. Default True.
        scale: Whether there is a trainable scale `gamma`. Default True.
        beta_initializer: Initializer of `beta`. Default "zeros".
        gamma_initializer: Initializer of `gamma`. Default "ones".
        beta_regularizer: Regularizer of `beta`, or None.
        gamma_regularizer: Regularizer of `gamma`, or None.
        beta_constraint: Constraint of `beta`, or None.
        gamma_constraint: Constraint of `gamma`, or None.
        **kwargs: See `Layer`.

    Raises:
        ValueError: If the channels cannot be divided into the groups.

    >>> GroupNormalization(groups=1, epsilon=0.0)([[1.0, 3.0]]).numpy()
    array([[-1.,  1.]], dtype=float32)
    """

    def __init__(
        self,
        groups: int = 32,
        axis: int = -1,
        epsilon: float = 0.001,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        beta_regularizer: Any = None,
        gamma_regularizer: Any = None,
        beta_constraint: Any = None,
        gamma_constraint: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.groups, self.axis, self.epsilon = int(groups), int(axis), float(epsilon)
        self.center, self.scale = bool(center), bool(scale)
        self.beta_initializer = initializers.get(beta_initializer)
        self.gamma_initializer = initializers.get(gamma_initializer)
        self.beta_regularizer = regularizers.get(beta_regularizer)
        self.gamma_regularizer = regularizers.get(gamma_regularizer)
        self.beta_constraint = constraints.get(beta_constraint)
        self.gamma_constraint = constraints.get(gamma_constraint)
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        """Makes `gamma` and `beta`, one number for each channel."""
        shape = as_shape(input_shape)
        axis = checked_axes(self.axis, shape, self.name)[0]
        channels = shape[axis]
        if channels is None:
            raise ValueError(
                f"Layer {self.name}: axis {self.axis} of the input must be known, got shape {shape}."
            )
        if self.groups == -1:
            self.groups = channels
        if channels < self.groups or channels % self.groups:
            raise ValueError(
                f"Layer {self.name}: number of groups ({self.groups}) must be a divisor of the number of channels "
                f"({channels})."
            )
        self._axis, self._group_shape = axis, (self.groups, channels // self.groups)
        self.gamma = self.beta = None
        if self.scale:
            self.gamma = self.add_weight(
                "gamma", shape=(channels,), initializer=self.gamma_initializer, regularizer=self.gamma_regularizer,
                constraint=self.gamma_constraint,
            )  # fmt: skip
        if self.center:
            self.beta = self.add_weight(
                "beta", shape=(channels,), initializer=self.beta_initializer, regularizer=self.beta_regularizer,
                constraint=self.beta_constraint,
            )  # fmt: skip
        self.built = True

    def call(self, inputs: Any) -> Any:
        """The result for `inputs`."""
        rank = inputs.shape.rank
        # Channels behind the batch, so that a group and its positions are neighbours in memory.
        order = (0, self._axis, *(i for i in range(1, rank) if i != self._axis))
        moved = transpose(inputs, order) if order != tuple(range(rank)) else inputs
        sizes = shape_of(moved)
        flat = reshape(moved, (sizes[0], self.groups, -1))
        groups, width = self._group_shape
        made = _standardized(flat, self.epsilon)
        made = reshape(
            made, (-1 if not isinstance(sizes[0], int) else sizes[0], groups * width, *sizes[2:])
        )
        made = (
            transpose(made, tuple(order.index(i) for i in range(rank)))
            if moved is not inputs
            else made
        )
        shape = [-1 if i == self._axis else 1 for i in range(rank)]
        if self.gamma is not None:
            made = multiply(made, reshape(self.gamma.value(), shape))
        return made if self.beta is None else add(made, reshape(self.beta.value(), shape))

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The input's shape."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {
            **super().get_config(),
            "groups": self.groups,
            "axis": self.axis,
            "epsilon": self.epsilon,
            "center": self.center,
            "scale": self.scale,
            "beta_initializer": initializers.serialize(self.beta_initializer),
            "gamma_initializer": initializers.serialize(self.gamma_initializer),
            "beta_regularizer": regularizers.serialize(self.beta_regularizer),
            "gamma_regularizer": regularizers.serialize(self.gamma_regularizer),
            "beta_constraint": constraints.serialize(self.beta_constraint),
            "gamma_constraint": constraints.serialize(self.gamma_constraint),
        }


def _standardized(flat: Any, epsilon: float) -> Any:
    """Mean 0 and variance 1 along the last axis."""
    moved = subtract(flat, reduce_mean(flat, axis=-1, keepdims=True))
    return multiply(moved, rsqrt(add(reduce_mean(square(moved), axis=-1, keepdims=True), epsilon)))


GroupNormalization.__module__ = "eagercore.keras.layers"
