"""Two initializers whose defaults TensorFlow 2 changed, as the top level of TensorFlow 2 has them."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from .initializers import RandomNormal, RandomUniform


class random_uniform_initializer(RandomUniform):
    """Draws from a uniform distribution.

    Args:
        minval: Lower bound. Default -0.05.
        maxval: Upper bound. Default 0.05.
        seed: Seed.
        dtype: Dtype when none is asked for.

    >>> random_uniform_initializer()([2]).shape
    TensorShape([2])
    """

    def __init__(
        self, minval: Any = -0.05, maxval: Any = 0.05, seed: Any = None, dtype: Any = dtypes.float32
    ) -> None:
        super().__init__(minval, maxval, seed, dtype)


class random_normal_initializer(RandomNormal):
    """Draws from a normal distribution.

    Args:
        mean: Mean.
        stddev: Standard deviation. Default 0.05.
        seed: Seed.
        dtype: Dtype when none is asked for.

    >>> random_normal_initializer()([2]).shape
    TensorShape([2])
    """

    def __init__(
        self, mean: Any = 0.0, stddev: Any = 0.05, seed: Any = None, dtype: Any = dtypes.float32
    ) -> None:
        super().__init__(mean, stddev, seed, dtype)


for _cls in (random_uniform_initializer, random_normal_initializer):
    _cls.__module__ = "eagercore"
