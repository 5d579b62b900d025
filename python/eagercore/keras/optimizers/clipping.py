"""Clipping of gradients before a step."""

from __future__ import annotations

from typing import Any

from ...core.slices import IndexedSlices
from ...core.tensor import convert
from ...ops.arithmetic import maximum, minimum, square
from ...ops.create import cast
from ...ops.exponential import sqrt
from ...ops.reduce import reduce_sum


class Clipping:
    """Keeps gradients within bounds.

    Args:
        clipnorm: Largest norm of each gradient, or None.
        clipvalue: Largest absolute value, or None.
        global_clipnorm: Largest norm of all gradients together, or None.

    Raises:
        ValueError: If a bound is negative.
    """

    def __init__(self, clipnorm: Any, clipvalue: Any, global_clipnorm: Any) -> None:
        for name, value in (
            ("clipnorm", clipnorm),
            ("clipvalue", clipvalue),
            ("global_clipnorm", global_clipnorm),
        ):
            if value is not None and value < 0:
                raise ValueError(f"Expected {name} >= 0, received: {value}")
        if clipnorm is not None and global_clipnorm is not None:
            raise ValueError(
                f"At most one of `clipnorm` and `global_clipnorm` can be set. Received: {clipnorm}, {global_clipnorm}."
            )
        self.clipnorm, self.clipvalue, self.global_clipnorm = clipnorm, clipvalue, global_clipnorm

    def __call__(self, pairs: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
        """The pairs of gradient and variable with gradients within bounds; sparse ones are made dense for it."""
        if self.clipnorm is None and self.clipvalue is None and self.global_clipnorm is None:
            return pairs
        gradients = [convert(g) if type(g) is IndexedSlices else g for g, _ in pairs]
        if self.clipnorm is not None:
            gradients = [_shortened(g, _norm(g), self.clipnorm) for g in gradients]
        if self.global_clipnorm is not None:
            total = sqrt(sum(cast(reduce_sum(square(g)), "float32") for g in gradients))
            gradients = [
                _shortened(g, cast(total, g.dtype), self.global_clipnorm) for g in gradients
            ]
        if self.clipvalue is not None:
            bound = float(self.clipvalue)
            gradients = [maximum(minimum(g, bound), -bound) for g in gradients]
        return [(g, v) for g, (_, v) in zip(gradients, pairs, strict=True)]

    def get_config(self) -> dict[str, Any]:
        """The bounds that are set."""
        bounds = {
            "clipnorm": self.clipnorm,
            "clipvalue": self.clipvalue,
            "global_clipnorm": self.global_clipnorm,
        }
        return {name: value for name, value in bounds.items() if value is not None}


def _norm(gradient: Any) -> Any:
    return sqrt(reduce_sum(square(gradient)))


def _shortened(gradient: Any, norm: Any, bound: float) -> Any:
    return gradient * float(bound) / maximum(norm, float(bound))
