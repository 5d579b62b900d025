"""Gradients of layers against central differences, and what their words promise."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from ..autodiff.tape import GradientTape
from ..base import nest
from ..core.tensor import convert
from ..ops.create import constant
from ..ops.reduce import reduce_sum
from . import contract, numeric


def check_words(cls: Any) -> None:
    """Raises unless the docstring of a layer names its arguments and its example runs.

    Args:
        cls: The layer's class.
    """
    from ..keras import layers

    names = [n for n in inspect.signature(cls.__init__).parameters if n not in ("self", "args")]
    contract.check_docstring(cls.__name__, cls.__doc__, names)
    known = {n: getattr(layers, n) for n in dir(layers) if n[0].isupper()}
    contract.run_examples(cls.__name__, cls.__doc__, known, required=True)


def check_gradients_of(
    make: Any, shapes: Any, call: Any = None, spread: bool = False, seed: int = 0
) -> None:
    """Raises unless the gradients with respect to inputs and weights are central differences in float64.

    Args:
        make: Function that is given `dtype="float64"` and makes the layer.
        shapes: Shapes of the inputs with the batch, or arrays.
        call: Further arguments of the call.
        spread: Whether several inputs are several arguments rather than a list.
        seed: Seed of the numbers.

    >>> from eagercore.keras.layers import Dense
    >>> check_gradients_of(lambda **how: Dense(2, activation="tanh", **how), [(3, 4)])
    """
    rng = np.random.default_rng(seed)
    arrays = [s if isinstance(s, np.ndarray) else rng.normal(size=s) for s in shapes]
    layer = make(dtype="float64")

    def run(tensors: list[Any]) -> list[Any]:
        given = tensors if spread or len(tensors) == 1 else [tensors]
        return [y for y in nest.flatten(layer(*given, **(call or {}))) if y.dtype.is_floating]

    factors = [rng.normal(size=tuple(y.shape)) for y in run([constant(a) for a in arrays])]
    weights = layer.trainable_weights
    for weight in weights:
        weight.assign(weight.numpy() + rng.normal(size=weight.shape) * 0.3)
    values = [*arrays, *(w.numpy() for w in weights)]
    tensors = [constant(a) for a in arrays]
    with GradientTape() as tape:
        tape.watch([t for t in tensors if t.dtype.is_floating])
        total = sum(reduce_sum(y * f) for y, f in zip(run(tensors), factors, strict=True))
    gradients = tape.gradient(total, [*tensors, *weights])

    def loss(*moved: Any) -> float:
        for weight, value in zip(weights, moved[len(arrays) :], strict=True):
            weight.assign(value)
        made = run([constant(a) for a in moved[: len(arrays)]])
        return float(sum((f * y.numpy()).sum() for f, y in zip(factors, made, strict=True)))

    for position, (value, gradient) in enumerate(zip(values, gradients, strict=True)):
        if value.dtype.kind != "f":
            continue
        direction = rng.normal(size=value.shape)
        expected = numeric.along(loss, values, position, direction, step=1e-5)
        found = 0.0 if gradient is None else float((convert(gradient).numpy() * direction).sum())
        what = "input" if position < len(arrays) else "weight"
        assert abs(found - expected) <= 1e-5 * max(1.0, abs(expected)), (
            f"{type(layer).__name__}: the gradient of {what} {position} is {found:.9g} along a direction, central "
            f"difference {expected:.9g}"
        )
