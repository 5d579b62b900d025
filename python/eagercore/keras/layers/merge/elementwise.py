"""Add, Subtract, Multiply, Average, Maximum, Minimum: element by element over several inputs."""

from __future__ import annotations

import functools
from typing import Any

from ....ops import arithmetic
from .base import Merge


class Add(Merge):
    """The sum of its inputs.

    Args:
        **kwargs: See `Layer`.

    >>> import eagercore as tf
    >>> Add()([tf.constant([[1.0]]), tf.constant([[2.0]])]).numpy()
    array([[3.]], dtype=float32)
    """

    def _merge(self, inputs: list[Any]) -> Any:
        return functools.reduce(arithmetic.add, inputs)


class Subtract(Merge):
    """The first of two inputs less the second.

    Args:
        **kwargs: See `Layer`.

    >>> import eagercore as tf
    >>> Subtract()([tf.constant([[3.0]]), tf.constant([[2.0]])]).numpy()
    array([[1.]], dtype=float32)
    """

    _at_least = 2

    def build(self, input_shape: Any) -> None:
        """Checks that there are two inputs."""
        super().build(input_shape)
        if len(input_shape) != 2:
            raise ValueError(
                f"A `Subtract` layer should be called on exactly 2 inputs. Received: input_shape={input_shape}"
            )

    def _merge(self, inputs: list[Any]) -> Any:
        return arithmetic.subtract(inputs[0], inputs[1])


class Multiply(Merge):
    """The product of its inputs.

    Args:
        **kwargs: See `Layer`.

    >>> import eagercore as tf
    >>> Multiply()([tf.constant([[3.0]]), tf.constant([[2.0]])]).numpy()
    array([[6.]], dtype=float32)
    """

    def _merge(self, inputs: list[Any]) -> Any:
        return functools.reduce(arithmetic.multiply, inputs)


class Average(Merge):
    """The mean of its inputs.

    Args:
        **kwargs: See `Layer`.

    >>> import eagercore as tf
    >>> Average()([tf.constant([[3.0]]), tf.constant([[2.0]])]).numpy()
    array([[2.5]], dtype=float32)
    """

    def _merge(self, inputs: list[Any]) -> Any:
        return functools.reduce(arithmetic.add, inputs) / len(inputs)


class Maximum(Merge):
    """The larger of its inputs.

    Args:
        **kwargs: See `Layer`.

    >>> import eagercore as tf
    >>> Maximum()([tf.constant([[3.0]]), tf.constant([[2.0]])]).numpy()
    array([[3.]], dtype=float32)
    """

    def _merge(self, inputs: list[Any]) -> Any:
        return functools.reduce(arithmetic.maximum, inputs)


class Minimum(Merge):
    """The smaller of its inputs.

    Args:
        **kwargs: See `Layer`.

    >>> import eagercore as tf
    >>> Minimum()([tf.constant([[3.0]]), tf.constant([[2.0]])]).numpy()
    array([[2.]], dtype=float32)
    """

    def _merge(self, inputs: list[Any]) -> Any:
        return functools.reduce(arithmetic.minimum, inputs)


def add(inputs: Any, **kwargs: Any) -> Any:
    """The sum of a list of tensors, as a new `Add` layer."""
    return Add(**kwargs)(inputs)


def subtract(inputs: Any, **kwargs: Any) -> Any:
    """The difference of two tensors, as a new `Subtract` layer."""
    return Subtract(**kwargs)(inputs)


def multiply(inputs: Any, **kwargs: Any) -> Any:
    """The product of a list of tensors, as a new `Multiply` layer."""
    return Multiply(**kwargs)(inputs)


def average(inputs: Any, **kwargs: Any) -> Any:
    """The mean of a list of tensors, as a new `Average` layer."""
    return Average(**kwargs)(inputs)


def maximum(inputs: Any, **kwargs: Any) -> Any:
    """The larger of a list of tensors, as a new `Maximum` layer."""
    return Maximum(**kwargs)(inputs)


def minimum(inputs: Any, **kwargs: Any) -> Any:
    """The smaller of a list of tensors, as a new `Minimum` layer."""
    return Minimum(**kwargs)(inputs)


for _cls in (Add, Subtract, Multiply, Average, Maximum, Minimum):
    _cls.__module__ = "eagercore.keras.layers"
