"""Steps of optimizers, in place, in one pass over memory.

An optimizer's formula touches each element of four arrays; written as whole-array expressions it
would read and write a dozen temporaries of full size. Here the arrays are taken in blocks that stay
in cache, and every intermediate result goes into scratch memory that the thread uses again.

All arrays are contiguous and of one floating dtype; `parameter` and the slots are changed in place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import find
from .blocks import blockwise

BLOCK = 1 << 16
"""Elements a block: six float32 blocks take 1.5 MB, and a block costs a dozen calls of NumPy."""

_THREADED = 1 << 18
"""Fewest elements that are worth a thread of their own."""

Array = np.ndarray[Any, Any]


def _flat(*arrays: Array) -> list[Array]:
    """The arrays as vectors that share their memory.

    Raises:
        ValueError: An array is not contiguous or not of the size or dtype of the first.
    """
    first = arrays[0]
    for array in arrays:
        if not array.flags.c_contiguous or array.size != first.size or array.dtype != first.dtype:
            raise ValueError(
                "A fused step takes contiguous arrays of one size and dtype, got "
                + ", ".join(f"{a.dtype}{list(a.shape)}" for a in arrays)
                + ". Make the gradient contiguous and of the parameter's dtype."
            )
    return [array.reshape(-1) for array in arrays]


def _done(name: str, *arguments: Any) -> bool:
    """Whether a kernel of that name did the step."""
    kernel = find(name)
    return kernel is not None and kernel(*arguments) is not NotImplemented


def _blockwise(step: Callable[..., None], arrays: list[Array]) -> None:
    """Run `step(*blocks, scratch, scratch)` over all blocks, on several threads where it pays."""
    dtype = arrays[0].dtype
    blockwise(step, arrays, (dtype, dtype), block=BLOCK, threaded=_THREADED)


def sgd_step(parameter: Array, gradient: Array, learning_rate: float) -> None:
    """Plain gradient descent: ``parameter -= learning_rate * gradient``.

    Args:
        parameter: Changed in place.
        gradient: Gradient of the loss.
        learning_rate: Step size.

    Raises:
        ValueError: The arrays do not fit each other.

    >>> p = np.ones(2)
    >>> sgd_step(p, np.array([1.0, 2.0]), 0.5)
    >>> p
    array([0.5, 0. ])
    """

    vectors = _flat(parameter, gradient)
    if _done("sgd_step", *vectors, learning_rate):
        return

    def step(p: Array, g: Array, t: Array, _: Array) -> None:
        np.multiply(g, learning_rate, out=t)
        np.subtract(p, t, out=p)

    _blockwise(step, vectors)


def momentum_step(
    parameter: Array,
    gradient: Array,
    velocity: Array,
    learning_rate: float,
    momentum: float,
    nesterov: bool = False,
) -> None:
    """Gradient descent with momentum, as Keras has it.

    ``velocity = momentum * velocity - learning_rate * gradient``, and the velocity is added to the
    parameter (with `nesterov`: the velocity after a further step).

    Args:
        parameter: Changed in place.
        gradient: Gradient of the loss.
        velocity: Slot, changed in place.
        learning_rate: Step size.
        momentum: Share of the velocity that is kept.
        nesterov: Whether to look ahead.

    Raises:
        ValueError: The arrays do not fit each other.

    >>> p, v = np.zeros(1), np.ones(1)
    >>> momentum_step(p, np.ones(1), v, 0.5, 0.9)
    >>> p, v
    (array([0.4]), array([0.4]))
    """

    def step(p: Array, g: Array, v: Array, t: Array, _: Array) -> None:
        np.multiply(g, learning_rate, out=t)
        np.multiply(v, momentum, out=v)
        np.subtract(v, t, out=v)
        if nesterov:
            np.subtract(p, t, out=p)
            np.multiply(v, momentum, out=t)
            np.add(p, t, out=p)
        else:
            np.add(p, v, out=p)

    _blockwise(step, _flat(parameter, gradient, velocity))


def accumulated_momentum_step(
    parameter: Array,
    gradient: Array,
    accumulator: Array,
    learning_rate: float,
    momentum: float,
    nesterov: bool = False,
) -> None:
    """Gradient descent with momentum, as TensorFlow 1's MomentumOptimizer has it.

    ``accumulator = momentum * accumulator + gradient``;
    ``parameter -= learning_rate * accumulator``.

    Args:
        parameter: Changed in place.
        gradient: Gradient of the loss.
        accumulator: Slot, changed in place.
        learning_rate: Step size.
        momentum: Share of the accumulator that is kept.
        nesterov: Whether to look ahead.

    Raises:
        ValueError: The arrays do not fit each other.

    >>> p, a = np.zeros(1), np.ones(1)
    >>> accumulated_momentum_step(p, np.ones(1), a, 0.5, 0.5)
    >>> p, a
    (array([-0.75]), array([1.5]))
    """

    def step(p: Array, g: Array, a: Array, t: Array, _: Array) -> None:
        np.multiply(a, momentum, out=a)
        np.add(a, g, out=a)
        if nesterov:
            np.multiply(a, momentum, out=t)
            np.add(t, g, out=t)
            np.multiply(t, learning_rate, out=t)
        else:
            np.multiply(a, learning_rate, out=t)
        np.subtract(p, t, out=p)

    _blockwise(step, _flat(parameter, gradient, accumulator))


def adam_step(
    parameter: Array,
    gradient: Array,
    m: Array,
    v: Array,
    learning_rate: float,
    beta_1: float = 0.9,
    beta_2: float = 0.999,
    epsilon: float = 1e-7,
    *,
    v_hat: Array | None = None,
) -> None:
    """Adam, with the bias correction in the learning rate.

    Args:
        parameter: Changed in place.
        gradient: Gradient of the loss.
        m: Slot of the first moment, changed in place.
        v: Slot of the second moment, changed in place.
        learning_rate: The rate of this step: ``rate * sqrt(1 - beta_2**t) / (1 - beta_1**t)``.
        beta_1: Decay of the first moment.
        beta_2: Decay of the second moment.
        epsilon: Added to the root of the second moment ("epsilon hat" in the paper).
        v_hat: None, or the slot of AMSGrad's largest second moment, changed in place.

    Raises:
        ValueError: The arrays do not fit each other.

    >>> p, m, v = np.zeros(1), np.zeros(1), np.zeros(1)
    >>> adam_step(p, np.ones(1), m, v, 0.1, epsilon=0.0)
    >>> m, v
    (array([0.1]), array([0.001]))
    """
    slots = [m, v] if v_hat is None else [m, v, v_hat]
    vectors = _flat(parameter, gradient, *slots)
    if v_hat is None and _done("adam_step", *vectors, learning_rate, beta_1, beta_2, epsilon):
        return
    keep_1, keep_2 = 1.0 - beta_1, 1.0 - beta_2

    def step(p: Array, g: Array, m: Array, v: Array, *rest: Array) -> None:
        *largest, t, u = rest
        # m += (g - m) * (1 - beta_1): one multiplication less than the usual form.
        np.subtract(g, m, out=t)
        np.multiply(t, keep_1, out=t)
        np.add(m, t, out=m)
        np.multiply(g, g, out=t)
        np.subtract(t, v, out=t)
        np.multiply(t, keep_2, out=t)
        np.add(v, t, out=v)
        if largest:
            np.maximum(largest[0], v, out=largest[0])
            v = largest[0]
        np.sqrt(v, out=t)
        np.add(t, epsilon, out=t)
        np.multiply(m, learning_rate, out=u)
        np.divide(u, t, out=u)
        np.subtract(p, u, out=p)

    _blockwise(step, vectors)


def rmsprop_step(
    parameter: Array,
    gradient: Array,
    mean_square: Array,
    learning_rate: float,
    rho: float = 0.9,
    epsilon: float = 1e-7,
    *,
    momentum: float = 0.0,
    velocity: Array | None = None,
    mean_gradient: Array | None = None,
    epsilon_inside: bool = False,
) -> None:
    """RMSprop, with momentum and centred where their slots are given.

    Args:
        parameter: Changed in place.
        gradient: Gradient of the loss.
        mean_square: Slot of the squared gradient's mean, changed in place.
        learning_rate: Step size.
        rho: Decay of the means.
        epsilon: Keeps the division finite.
        momentum: Share of the velocity that is kept.
        velocity: None, or the slot of the velocity, changed in place.
        mean_gradient: None, or the slot of the gradient's mean (centred RMSprop).
        epsilon_inside: Whether epsilon is added under the root (TensorFlow 1) or to it (Keras).

    Raises:
        ValueError: The arrays do not fit each other.

    >>> p, s = np.zeros(1), np.zeros(1)
    >>> rmsprop_step(p, np.ones(1), s, 0.1, rho=0.75, epsilon=0.0)
    >>> p, s
    (array([-0.2]), array([0.25]))
    """
    slots = [slot for slot in (velocity, mean_gradient) if slot is not None]
    vectors = _flat(parameter, gradient, mean_square, *slots)
    plain = not slots and not epsilon_inside
    if plain and _done("rmsprop_step", *vectors, learning_rate, rho, epsilon):
        return

    def step(p: Array, g: Array, s: Array, *rest: Array) -> None:
        *given, t, u = rest
        np.multiply(g, g, out=t)
        np.subtract(t, s, out=t)
        np.multiply(t, 1.0 - rho, out=t)
        np.add(s, t, out=s)
        if mean_gradient is None:
            np.copyto(t, s)
        else:
            mean = given[-1]
            np.subtract(g, mean, out=t)
            np.multiply(t, 1.0 - rho, out=t)
            np.add(mean, t, out=mean)
            np.multiply(mean, mean, out=t)
            np.subtract(s, t, out=t)
        if epsilon_inside:
            np.add(t, epsilon, out=t)
            np.sqrt(t, out=t)
        else:
            np.sqrt(t, out=t)
            np.add(t, epsilon, out=t)
        np.multiply(g, learning_rate, out=u)
        np.divide(u, t, out=u)
        if velocity is not None:
            np.multiply(given[0], momentum, out=given[0])
            np.add(given[0], u, out=given[0])
            u = given[0]
        np.subtract(p, u, out=p)

    _blockwise(step, vectors)


def adagrad_step(
    parameter: Array,
    gradient: Array,
    accumulator: Array,
    learning_rate: float,
    epsilon: float = 1e-7,
) -> None:
    """Adagrad: the squared gradients are summed for ever.

    Args:
        parameter: Changed in place.
        gradient: Gradient of the loss.
        accumulator: Slot of the sum, changed in place.
        learning_rate: Step size.
        epsilon: Added to the root of the sum.

    Raises:
        ValueError: The arrays do not fit each other.

    >>> p, a = np.zeros(1), np.zeros(1)
    >>> adagrad_step(p, np.full(1, 2.0), a, 0.5, epsilon=0.0)
    >>> p, a
    (array([-0.5]), array([4.]))
    """

    def step(p: Array, g: Array, a: Array, t: Array, u: Array) -> None:
        np.multiply(g, g, out=t)
        np.add(a, t, out=a)
        np.sqrt(a, out=t)
        np.add(t, epsilon, out=t)
        np.multiply(g, learning_rate, out=u)
        np.divide(u, t, out=u)
        np.subtract(p, u, out=p)

    _blockwise(step, _flat(parameter, gradient, accumulator))
