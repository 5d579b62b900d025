"""Initializers without chance: zeros, ones, a constant, the identity matrix."""

from __future__ import annotations

from typing import Any

from ...ops import create
from .base import Initializer, any_type, dims


class Zeros(Initializer):
    """Fills with zeros.

    >>> Zeros()([2]).numpy()
    array([0., 0.], dtype=float32)
    """

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Any:
        """Zeros of this shape and dtype."""
        return create.zeros(dims(shape), any_type(dtype))


class Ones(Initializer):
    """Fills with ones.

    >>> Ones()([2]).numpy()
    array([1., 1.], dtype=float32)
    """

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Any:
        """Ones of this shape and dtype."""
        return create.ones(dims(shape), any_type(dtype))


class Constant(Initializer):
    """Fills with a value.

    Args:
        value: A number, or numbers that fit the shape. Default 0.

    >>> Constant(3.0)([2]).numpy()
    array([3., 3.], dtype=float32)
    """

    def __init__(self, value: Any = 0) -> None:
        self.value = value

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Any:
        """The value in this shape and dtype."""
        return create.constant(self.value, dtype=any_type(dtype), shape=dims(shape))

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an initializer like this one."""
        return {"value": self.value}


class Identity(Initializer):
    """Fills a matrix with ones on the diagonal and zeros elsewhere.

    Args:
        gain: Factor. Default 1.

    >>> Identity()([2, 2]).numpy()
    array([[1., 0.],
           [0., 1.]], dtype=float32)
    """

    def __init__(self, gain: float = 1.0) -> None:
        self.gain = gain

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Any:
        """The matrix of this shape and dtype."""
        size = dims(shape)
        if len(size) != 2:
            raise ValueError(
                f"Identity matrix initializer can only be used for 2D matrices. Received: shape={size}"
            )
        return create.eye(*size, dtype=any_type(dtype)) * self.gain

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an initializer like this one."""
        return {"gain": self.gain}
