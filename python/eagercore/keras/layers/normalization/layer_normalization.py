"""LayerNormalization: every example by itself."""

from __future__ import annotations

from typing import Any

from ....base.shapes import as_shape
from ....ops.create import cast, ones, zeros
from ....ops.layer_normalization import layer_normalization
from ....ops.shape import transpose
from ... import constraints, initializers, regularizers
from ..base import Layer


class LayerNormalization(Layer):
    """Brings each example to mean `beta` and standard deviation `gamma` over some axes.

    Args:
        axis: Axis or axes. Default last.
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
        TypeError: If `axis` is no whole number and no list of them.
        ValueError: If an axis is outside the input's, or given twice.

    >>> LayerNormalization(epsilon=0.0)([[1.0, 3.0]]).numpy()
    array([[-1.,  1.]], dtype=float32)
    """

    def __init__(
        self,
        axis: Any = -1,
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
        if isinstance(axis, float) and axis == int(axis):
            axis = int(axis)
        if isinstance(axis, list | tuple):
            self.axis: Any = [int(a) for a in axis]
        elif isinstance(axis, int):
            self.axis = axis
        else:
            raise TypeError(
                f"Expected an int or a list/tuple of ints for the argument 'axis', but received: {axis!r}"
            )
        self.epsilon, self.center, self.scale = float(epsilon), bool(center), bool(scale)
        self.beta_initializer = initializers.get(beta_initializer)
        self.gamma_initializer = initializers.get(gamma_initializer)
        self.beta_regularizer = regularizers.get(beta_regularizer)
        self.gamma_regularizer = regularizers.get(gamma_regularizer)
        self.beta_constraint = constraints.get(beta_constraint)
        self.gamma_constraint = constraints.get(gamma_constraint)
        self.supports_masking = True

    def build(self, input_shape: Any) -> None:
        """Makes `gamma` and `beta` in the shape of the axes."""
        shape = as_shape(input_shape)
        axes = checked_axes(self.axis, shape, self.name)
        self._axes = tuple(sorted(axes))
        own = [shape[a] for a in self._axes]
        if None in own:
            raise ValueError(
                f"Layer {self.name}: axis {axes} of the input must be known, got shape {shape}."
            )
        self._own_shape = tuple(own)
        self.gamma = self.beta = None
        if self.scale:
            self.gamma = self.add_weight(
                "gamma", shape=own, initializer=self.gamma_initializer, regularizer=self.gamma_regularizer,
                constraint=self.gamma_constraint,
            )  # fmt: skip
        if self.center:
            self.beta = self.add_weight(
                "beta", shape=own, initializer=self.beta_initializer, regularizer=self.beta_regularizer,
                constraint=self.beta_constraint,
            )  # fmt: skip
        self.built = True

    def call(self, inputs: Any) -> Any:
        """The result for `inputs`."""
        if not inputs.dtype.is_floating:
            inputs = cast(inputs, self.dtype)
        rank = inputs.shape.rank
        gamma = ones(self._own_shape, inputs.dtype) if self.gamma is None else self.gamma.value()
        beta = zeros(self._own_shape, inputs.dtype) if self.beta is None else self.beta.value()
        others = tuple(i for i in range(rank) if i not in self._axes)
        order = (*others, *self._axes)
        if order == tuple(range(rank)):
            return layer_normalization(inputs, gamma, beta, epsilon=self.epsilon)[0]
        made = layer_normalization(transpose(inputs, order), gamma, beta, epsilon=self.epsilon)[0]
        return transpose(made, tuple(order.index(i) for i in range(rank)))

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The input's shape."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {
            **super().get_config(),
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


def checked_axes(axis: Any, shape: Any, name: str) -> list[int]:
    """Axes of a shape, none of them negative.

    Raises:
        ValueError: If one is outside, or given twice.
    """
    rank = shape.rank
    if rank is None:
        raise ValueError(f"Layer {name}: input has undefined rank.")
    axes = [axis] if isinstance(axis, int) else list(axis)
    for one in axes:
        if not -rank <= one < rank:
            raise ValueError(
                f"Layer {name}: invalid value for `axis` argument. Expected values in [{-rank}, {rank}) for input of "
                f"shape {shape}. Received: axis={axis}"
            )
    axes = [a % rank for a in axes]
    if len(axes) != len(set(axes)):
        raise ValueError(f"Layer {name}: duplicate axis: {axis}")
    return axes


LayerNormalization.__module__ = "eagercore.keras.layers"
