"""Initializers whose spread follows from the number of inputs and outputs of a layer."""

from __future__ import annotations

import math
from typing import Any

from .base import Initializer, dims, float_type
from .random import draw

#: Standard deviation of a standard normal distribution that is cut at two deviations.
TRUNCATED_DEVIATION = 0.87962566103423978


def fans(shape: tuple[int, ...]) -> tuple[int, int]:
    """Numbers of inputs and outputs that a kernel of this shape joins.

    >>> fans((3, 3, 16, 32))
    (144, 288)
    """
    if not shape:
        return 1, 1
    if len(shape) == 1:
        return shape[0], shape[0]
    if len(shape) == 2:
        return shape[0], shape[1]
    window = math.prod(shape[:-2])
    return shape[-2] * window, shape[-1] * window


class VarianceScaling(Initializer):
    """Draws with a variance of `scale / n`, n being the number of inputs, of outputs, or their mean.

    Args:
        scale: Factor. Default 1.
        mode: "fan_in", "fan_out" or "fan_avg". Default "fan_in".
        distribution: "truncated_normal", "untruncated_normal" or "uniform". Default "truncated_normal".
        seed: Seed, or None to follow the global one.

    Raises:
        ValueError: If an argument has no meaning.

    >>> VarianceScaling()([4, 3]).shape
    TensorShape([4, 3])
    """

    def __init__(
        self,
        scale: float = 1.0,
        mode: str = "fan_in",
        distribution: str = "truncated_normal",
        seed: int | None = None,
    ) -> None:
        if scale <= 0.0:
            raise ValueError(f"`scale` must be positive float, got {scale!r}.")
        mode, distribution = mode.lower(), distribution.lower()
        if mode not in ("fan_in", "fan_out", "fan_avg"):
            raise ValueError(
                f"Invalid `mode` argument: {mode!r}. Use 'fan_in', 'fan_out' or 'fan_avg'."
            )
        distribution = "truncated_normal" if distribution == "normal" else distribution
        if distribution not in ("uniform", "truncated_normal", "untruncated_normal"):
            raise ValueError(
                f"Invalid `distribution` argument: {distribution!r}. Use 'truncated_normal', 'untruncated_normal' or "
                "'uniform'."
            )
        self.scale, self.mode, self.distribution, self.seed = scale, mode, distribution, seed

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Any:
        """Numbers of this shape and dtype."""
        size, kind = dims(shape), float_type(dtype)
        fan_in, fan_out = fans(size)
        count = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2.0}[
            self.mode
        ]
        scale = self.scale / max(1.0, count)
        if self.distribution == "uniform":
            limit = math.sqrt(3.0 * scale)
            return draw("uniform", size, -limit, limit, self.seed, kind)
        if self.distribution == "untruncated_normal":
            return draw("normal", size, 0.0, math.sqrt(scale), self.seed, kind)
        return draw(
            "truncated_normal", size, 0.0, math.sqrt(scale) / TRUNCATED_DEVIATION, self.seed, kind
        )

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an initializer like this one."""
        return {
            "scale": self.scale, "mode": self.mode, "distribution": self.distribution, "seed": self.seed,
        }  # fmt: skip


class _Fixed(VarianceScaling):
    """A `VarianceScaling` of which only the seed is free."""

    _scale, _mode, _distribution = 1.0, "fan_in", "truncated_normal"

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(self._scale, self._mode, self._distribution, seed)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an initializer like this one."""
        return {"seed": self.seed}


class GlorotUniform(_Fixed):
    """Uniform between -l and l, l = sqrt(6 / (inputs + outputs)).

    Args:
        seed: Seed, or None to follow the global one.

    >>> GlorotUniform()([4, 3]).shape
    TensorShape([4, 3])
    """

    _mode, _distribution = "fan_avg", "uniform"


class GlorotNormal(_Fixed):
    """Normal with deviation sqrt(2 / (inputs + outputs)), cut at two deviations.

    Args:
        seed: Seed, or None to follow the global one.

    >>> GlorotNormal()([4, 3]).shape
    TensorShape([4, 3])
    """

    _mode = "fan_avg"


class HeNormal(_Fixed):
    """Normal with deviation sqrt(2 / inputs), cut at two deviations.

    Args:
        seed: Seed, or None to follow the global one.

    >>> HeNormal()([4, 3]).shape
    TensorShape([4, 3])
    """

    _scale = 2.0


class HeUniform(_Fixed):
    """Uniform between -l and l, l = sqrt(6 / inputs).

    Args:
        seed: Seed, or None to follow the global one.

    >>> HeUniform()([4, 3]).shape
    TensorShape([4, 3])
    """

    _scale, _distribution = 2.0, "uniform"


class LecunNormal(_Fixed):
    """Normal with deviation sqrt(1 / inputs), cut at two deviations.

    Args:
        seed: Seed, or None to follow the global one.

    >>> LecunNormal()([4, 3]).shape
    TensorShape([4, 3])
    """


class LecunUniform(_Fixed):
    """Uniform between -l and l, l = sqrt(3 / inputs).

    Args:
        seed: Seed, or None to follow the global one.

    >>> LecunUniform()([4, 3]).shape
    TensorShape([4, 3])
    """

    _distribution = "uniform"
