"""Derivatives by central differences, in plain NumPy: what every gradient is held against.

The gradient of a real number L with respect to a complex z is dL/dx + i dL/dy, as TensorFlow has it, so that
dL = Re(conj(gradient) dz).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np


def inner(one: Any, two: Any) -> float:
    """Real inner product of two arrays: `Re(sum(conj(one) * two))`.

    >>> inner([1.0, 2.0], [3.0, 4.0])
    11.0
    """
    return float(np.real(np.vdot(np.asarray(one), np.asarray(two))))


def random_like(rng: np.random.Generator, array: Any) -> np.ndarray:
    """Normal numbers in the shape and dtype (floating or complex) of `array`."""
    array = np.asarray(array)
    drawn = rng.normal(size=array.shape)
    if array.dtype.kind == "c":
        drawn = drawn + 1j * rng.normal(size=array.shape)
    return np.asarray(drawn).astype(array.dtype)


def along(
    function: Callable[..., float],
    arrays: Sequence[Any],
    position: int,
    direction: Any,
    step: float = 2e-4,
) -> float:
    """Derivative of `function(*arrays)`, a number, as the array at `position` moves along `direction`.

    Five points: the error is of the order of step ** 4.

    Args:
        function: Function of the arrays that gives a number.
        arrays: Its arguments, float64 or complex128.
        position: Which of them moves.
        direction: Where to: an array of its shape.
        step: How far.

    Returns:
        The derivative.

    >>> round(along(lambda x: float(x[0] ** 3), [np.array([2.0])], 0, np.array([1.0])), 8)
    12.0
    """
    length = max(1.0, float(np.sqrt(inner(direction, direction))))
    step = step / length

    def at(distance: float) -> float:
        moved = list(arrays)
        moved[position] = np.asarray(arrays[position] + distance * step * np.asarray(direction))
        return function(*moved)

    return (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * step)


def jacobian(
    function: Callable[[np.ndarray], np.ndarray], x: np.ndarray, step: float = 2e-4
) -> np.ndarray:
    """Full Jacobian of a function of one real array: shape `function(x).shape + x.shape`.

    >>> jacobian(lambda x: x * x, np.array([1.0, 3.0])).round(6)
    array([[2., 0.],
           [0., 6.]])
    """
    value = np.asarray(function(x))
    result = np.zeros((*value.shape, x.size))
    for position in range(x.size):
        unit = np.zeros(x.size)
        unit[position] = step
        move = unit.reshape(x.shape)
        near = np.asarray(function(x + move)) - np.asarray(function(x - move))
        far = np.asarray(function(x + 2 * move)) - np.asarray(function(x - 2 * move))
        result[..., position] = (8 * near - far) / (12 * step)
    return result.reshape(*value.shape, *x.shape)
