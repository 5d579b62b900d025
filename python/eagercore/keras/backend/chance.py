"""Random tensors and variables."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...core.variable import Variable
from ...ops import random
from ...ops.create import cast
from ..settings import settings

__all__ = [
    "random_bernoulli", "random_binomial", "random_normal", "random_normal_variable", "random_uniform",
    "random_uniform_variable", "truncated_normal",
]  # fmt: skip


def _type(dtype: Any) -> Any:
    return dtypes.as_dtype(dtype or settings.floatx)


def random_normal(
    shape: Any, mean: float = 0.0, stddev: float = 1.0, dtype: Any = None, seed: Any = None
) -> Any:
    """Numbers from a normal distribution."""
    return random.normal(shape, mean, stddev, _type(dtype), seed)


def random_uniform(
    shape: Any, minval: float = 0.0, maxval: float = 1.0, dtype: Any = None, seed: Any = None
) -> Any:
    """Numbers from a uniform distribution."""
    return random.uniform(shape, minval, maxval, _type(dtype), seed)


def truncated_normal(
    shape: Any, mean: float = 0.0, stddev: float = 1.0, dtype: Any = None, seed: Any = None
) -> Any:
    """Numbers from a normal distribution that is cut at two deviations."""
    return random.truncated_normal(shape, mean, stddev, _type(dtype), seed)


def random_bernoulli(shape: Any, p: float = 0.0, dtype: Any = None, seed: Any = None) -> Any:
    """Ones with probability `p`, else zeros."""
    return cast(random.uniform(shape, 0, 1, _type(dtype), seed) <= p, _type(dtype))


random_binomial = random_bernoulli


def random_normal_variable(
    shape: Any,
    mean: float,
    scale: float,
    dtype: Any = None,
    name: str | None = None,
    seed: Any = None,
) -> Any:
    """A variable of numbers from a normal distribution."""
    return Variable(random_normal(shape, mean, scale, dtype, seed), name=name)


def random_uniform_variable(
    shape: Any,
    low: float,
    high: float,
    dtype: Any = None,
    name: str | None = None,
    seed: Any = None,
) -> Any:
    """A variable of numbers from a uniform distribution."""
    return Variable(random_uniform(shape, low, high, dtype, seed), name=name)
