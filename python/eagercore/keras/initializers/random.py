"""Initializers that draw numbers. Without a seed they follow the global one; with a seed they always give the same."""

from __future__ import annotations

from typing import Any

from ...ops import random
from .base import Initializer, any_type, dims, float_type


def draw(kind: str, shape: Any, one: Any, two: Any, seed: Any, dtype: Any) -> Any:
    """Numbers of a distribution: from the engine's stream, or, with a seed, always the same.

    Args:
        kind: "uniform" (between `one` and `two`), "normal" or "truncated_normal" (mean `one`, deviation `two`).
        shape: Shape.
        one: First parameter.
        two: Second parameter.
        seed: Seed or None.
        dtype: Type of the numbers.
    """
    if seed is None:
        return getattr(random, kind)(shape, one, two, dtype)
    return getattr(random, "stateless_" + kind)(shape, (int(seed), 0), one, two, dtype)


class RandomNormal(Initializer):
    """Draws from a normal distribution.

    Args:
        mean: Mean. Default 0.
        stddev: Standard deviation. Default 0.05.
        seed: Seed, or None to follow the global one.

    >>> RandomNormal()([2, 3]).shape
    TensorShape([2, 3])
    """

    def __init__(self, mean: float = 0.0, stddev: float = 0.05, seed: int | None = None) -> None:
        self.mean, self.stddev, self.seed = mean, stddev, seed

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Any:
        """Numbers of this shape and dtype."""
        return draw("normal", dims(shape), self.mean, self.stddev, self.seed, float_type(dtype))

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an initializer like this one."""
        return {"mean": self.mean, "stddev": self.stddev, "seed": self.seed}


class TruncatedNormal(RandomNormal):
    """Draws from a normal distribution without what lies more than two deviations from the mean.

    Args:
        mean: Mean. Default 0.
        stddev: Standard deviation before the cut. Default 0.05.
        seed: Seed, or None to follow the global one.

    >>> TruncatedNormal()([2, 3]).shape
    TensorShape([2, 3])
    """

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Any:
        """Numbers of this shape and dtype."""
        return draw(
            "truncated_normal", dims(shape), self.mean, self.stddev, self.seed, float_type(dtype)
        )


class RandomUniform(Initializer):
    """Draws from a uniform distribution.

    Args:
        minval: Lower bound. Default -0.05.
        maxval: Upper bound. Default 0.05.
        seed: Seed, or None to follow the global one.

    >>> RandomUniform()([2, 3]).shape
    TensorShape([2, 3])
    """

    def __init__(
        self, minval: float = -0.05, maxval: float = 0.05, seed: int | None = None
    ) -> None:
        self.minval, self.maxval, self.seed = minval, maxval, seed

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Any:
        """Numbers of this shape and dtype."""
        return draw("uniform", dims(shape), self.minval, self.maxval, self.seed, any_type(dtype))

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an initializer like this one."""
        return {"minval": self.minval, "maxval": self.maxval, "seed": self.seed}
