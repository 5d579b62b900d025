"""Gradients checked against central differences: for tests of one's own ops, layers and custom gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..base import nest
from ..core.tensor import Tensor, convert
from ..core.variable import Variable
from ..ops.create import constant, zeros_like
from ..ops.reduce import reduce_sum
from .backward import dense
from .tape import GradientTape


def compute_gradient(
    f: Callable[..., Any], x: Any, delta: float | None = None
) -> tuple[list[Any], list[Any]]:
    """Jacobians of `f` as the tape gives them, and as central differences give them.

    Args:
        f: Function of tensors that gives one tensor.
        x: List of arguments.
        delta: Step of the differences. Default 2 ** -10 (2 ** -17 for float64).

    Returns:
        (by the tape, by differences): for each argument an array [size of the value, size of the argument].

    Raises:
        ValueError: If `x` is not a list.

    >>> by_tape, by_differences = compute_gradient(lambda x: x * x, [3.0])
    >>> float(by_tape[0][0, 0])
    6.0
    """
    if not isinstance(x, list | tuple):
        raise ValueError(f"`x` must be a list or tuple of values, got {x!r}.")
    arguments = [convert(a) if not isinstance(a, Tensor) else a for a in x]
    return (
        [_by_tape(f, arguments, i) for i in range(len(arguments))],
        [_by_differences(f, arguments, i, delta) for i in range(len(arguments))],
    )


def max_error(grad1: Any, grad2: Any) -> float:
    """Largest absolute difference between two lists of Jacobians.

    >>> max_error([np.ones(2)], [np.zeros(2)])
    1.0
    """
    errors_found = [np.abs(a - b).max() for a, b in zip(grad1, grad2, strict=True) if a.size]
    return float(max(errors_found, default=0.0))


def _array(value: Any) -> np.ndarray:
    return np.asarray(dense(value).numpy())


def _by_tape(f: Any, arguments: list[Any], i: int) -> np.ndarray:
    with GradientTape() as tape:
        tape.watch(arguments[i])
        value = f(*arguments)
    found = tape.jacobian(value, arguments[i], unconnected_gradients="zero")
    return found.numpy().reshape(int(np.prod(value.shape)), -1)


def _by_differences(f: Any, arguments: list[Any], i: int, delta: float | None) -> np.ndarray:
    array = np.array(arguments[i].numpy())
    wide = array.dtype in (np.float64, np.complex128)
    step = delta or (2.0**-17 if wide else 2.0**-10)
    columns = []
    for position in np.ndindex(array.shape):
        values = []
        for sign in (1, -1):
            moved = array.copy()
            moved[position] += sign * step
            values.append(
                _array(f(*arguments[:i], constant(moved), *arguments[i + 1 :])).reshape(-1)
            )
        columns.append((values[0] - values[1]) / (2 * step))
    if not columns:
        return np.zeros((_array(f(*arguments)).size, 0), array.dtype)
    return np.stack(columns, axis=1)


def check_gradients(
    f: Callable[..., Any],
    *args: Any,
    order: int = 2,
    step: float = 1e-5,
    tolerance: float = 1e-5,
    seed: int = 0,
) -> None:
    """Raises unless the gradients of `f` at `args` are right, up to an order.

    Each argument is moved along a random direction and the change of a random projection of the value is compared
    with what the tape says. Arguments should be float64: differences of float32 are too coarse to judge by.

    Args:
        f: Function of tensors that gives a tensor or a structure of tensors.
        args: Arguments: tensors, variables or arrays; floating ones are checked.
        order: 1 for the gradient, 2 for the gradient's gradient too, and so on.
        step: Step of the central differences.
        tolerance: Relative and absolute tolerance.
        seed: Seed of the random directions.

    Raises:
        AssertionError: If a gradient is wrong: it names the order and the argument and gives both values.

    >>> check_gradients(lambda x: x * x * x, np.array([1.0, 2.0]))
    """
    rng = np.random.default_rng(seed)
    arguments = [a if isinstance(a, Variable | Tensor) else convert(a) for a in args]
    _check_order(f, arguments, 1, order, step, tolerance, rng)


def _check_order(
    f: Any, arguments: Any, now: int, last: int, step: float, tolerance: float, rng: Any
) -> None:
    weights = [
        rng.normal(size=tuple(v.shape)) for v in nest.flatten(f(*arguments)) if v.dtype.kind in "fc"
    ]

    def projected(*values: Any) -> Any:
        parts = [dense(v) for v in nest.flatten(f(*values))]
        total: Any = 0.0
        floating = [p for p in parts if p.dtype.kind in "fc"]
        for part, weight in zip(floating, weights, strict=True):
            total = reduce_sum(part * constant(np.asarray(weight), part.dtype)) + total
        return total

    def gradients(*values: Any) -> Any:
        checked = [v for v in values if v.dtype.kind in "fc"]
        with GradientTape() as tape:
            tape.watch(checked)
            value = projected(*values)
        found = [dense(g) for g in tape.gradient(value, checked)]
        return [zeros_like(v) if g is None else g for v, g in zip(checked, found, strict=True)]

    by_tape = gradients(*arguments)
    positions = [i for i, a in enumerate(arguments) if a.dtype.kind in "fc"]
    for i, gradient in zip(positions, by_tape, strict=True):
        _compare(projected, arguments, i, gradient, now, step, tolerance, rng)
    if now < last:
        _check_order(gradients, arguments, now + 1, last, step, tolerance, rng)


def _compare(
    f: Any, arguments: Any, i: int, gradient: Any, now: int, step: float, tolerance: float, rng: Any
) -> None:
    array = np.array(arguments[i].numpy())
    direction = rng.normal(size=array.shape)
    values = []
    for sign in (1, -1):
        moved = constant((array + sign * step * direction).astype(array.dtype))
        values.append(_array(f(*arguments[:i], moved, *arguments[i + 1 :])))
    expected = (values[0] - values[1]) / (2 * step)
    found = np.sum(gradient.numpy() * direction)
    if not np.allclose(found, expected, rtol=tolerance, atol=tolerance):
        raise AssertionError(
            f"The gradient of order {now} with respect to argument {i} (shape {array.shape}) is wrong: along a random "
            f"direction the tape says {found!r}, central differences say {expected!r}."
        )
