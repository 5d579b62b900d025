"""tf.contrib.layers: its initializers and regularizers, and the layers that tf.layers took over."""

from __future__ import annotations

import importlib
import math
from typing import Any

from ..base import dtypes
from ..compat.v1.initializers import _Drawn, _Typed


class _FanScaling:
    """Draws with the deviation that contrib's rule gives."""

    def __init__(self, factor: float, mode: str, uniform: bool, seed: Any) -> None:
        self.factor, self.mode, self.uniform, self.seed = factor, mode, uniform, seed

    def __call__(self, shape: Any, dtype: Any = None) -> Any:
        sizes = [float(d) for d in shape]
        fan_in = sizes[-2] if len(sizes) > 1 else sizes[-1] if sizes else 1.0
        fan_out = sizes[-1] if sizes else 1.0
        for d in sizes[:-2]:
            fan_in *= d
            fan_out *= d
        n = {"FAN_IN": fan_in, "FAN_OUT": fan_out, "FAN_AVG": (fan_in + fan_out) / 2.0}[self.mode]
        if self.uniform:
            limit = math.sqrt(3.0 * self.factor / n)
            return _Drawn("uniform", -limit, limit, self.seed)(shape, dtype)
        return _Drawn("truncated_normal", 0.0, math.sqrt(1.3 * self.factor / n), self.seed)(
            shape, dtype
        )


def variance_scaling_initializer(
    factor: float = 2.0,
    mode: str = "FAN_IN",
    uniform: bool = False,
    seed: Any = None,
    dtype: Any = dtypes.float32,
) -> Any:
    """An initializer whose deviation follows from the shape.

    Args:
        factor: Factor of the variance.
        mode: "FAN_IN", "FAN_OUT" or "FAN_AVG".
        uniform: Whether it is uniform rather than a truncated normal distribution.
        seed: Seed.
        dtype: Floating dtype.

    Raises:
        TypeError: If the dtype is not floating, or the mode is unknown.

    >>> variance_scaling_initializer()([2, 3]).shape
    TensorShape([2, 3])
    """
    if not dtypes.as_dtype(dtype).is_floating:
        raise TypeError("Cannot create initializer for non-floating point type.")
    if mode not in ("FAN_IN", "FAN_OUT", "FAN_AVG"):
        raise TypeError(f"Unknown mode {mode} [FAN_IN, FAN_OUT, FAN_AVG]")
    given = {"factor": factor, "mode": mode, "uniform": uniform, "seed": seed}
    return _Typed(_FanScaling(factor, mode, uniform, seed), dtype, given)


def xavier_initializer(uniform: bool = True, seed: Any = None, dtype: Any = dtypes.float32) -> Any:
    """Glorot's initializer.

    Args:
        uniform: Whether it is uniform rather than a truncated normal distribution.
        seed: Seed.
        dtype: Floating dtype.
    """
    return variance_scaling_initializer(1.0, "FAN_AVG", uniform, seed, dtype)


xavier_initializer_conv2d = xavier_initializer


def l2_regularizer(scale: float, scope: str | None = None) -> Any:
    """A penalty: `scale * sum(w ** 2) / 2`.

    Args:
        scale: Factor.
        scope: Accepted for TensorFlow's sake.
    """
    from ..ops.reduce import reduce_sum

    return lambda weights: reduce_sum(weights * weights) * (scale / 2)


def l1_regularizer(scale: float, scope: str | None = None) -> Any:
    """A penalty: `scale * sum(|w|)`.

    Args:
        scale: Factor.
        scope: Accepted for TensorFlow's sake.
    """
    from ..ops.complexes import abs as absolute
    from ..ops.reduce import reduce_sum

    return lambda weights: reduce_sum(absolute(weights)) * scale


def fully_connected(
    inputs: Any, num_outputs: int, activation_fn: Any = "relu", **options: Any
) -> Any:
    """`tf.layers.dense` with contrib's names.

    Args:
        inputs: Tensor.
        num_outputs: Number of units.
        activation_fn: Activation; None for none.
        **options: `weights_initializer`, `biases_initializer`, `weights_regularizer`, `reuse`, `scope`.
    """
    from ..compat.v1 import layers

    names = {
        "weights_initializer": "kernel_initializer", "biases_initializer": "bias_initializer",
        "weights_regularizer": "kernel_regularizer", "scope": "name", "reuse": "reuse",
    }  # fmt: skip
    known = {names[k]: v for k, v in options.items() if k in names}
    return layers.dense(inputs, num_outputs, activation=activation_fn, **known)


def flatten(inputs: Any, outputs_collections: Any = None, scope: str | None = None) -> Any:
    """`tf.layers.flatten`.

    Args:
        inputs: Tensor.
        outputs_collections: Accepted for TensorFlow's sake.
        scope: Accepted for TensorFlow's sake.
    """
    from ..compat.v1 import layers

    return layers.flatten(inputs)


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(importlib.import_module("eagercore.compat.v1.layers"), name)
