"""Initializer of orthogonal matrices."""

from __future__ import annotations

import math
from typing import Any

from ...ops.arithmetic import sign
from ...ops.shape import reshape, transpose
from .base import Initializer, dims, float_type
from .random import draw


class Orthogonal(Initializer):
    """Draws a matrix whose rows or columns are orthogonal to each other and of length `gain`.

    Args:
        gain: Factor. Default 1.
        seed: Seed, or None to follow the global one.

    Raises:
        ValueError: If the shape has fewer than two dimensions.

    >>> Orthogonal()([3, 3]).shape
    TensorShape([3, 3])
    """

    def __init__(self, gain: float = 1.0, seed: int | None = None) -> None:
        self.gain, self.seed = gain, seed

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Any:
        """The matrix (leading dimensions are flattened for it) of this shape and dtype."""
        from ...ops.decompositions import qr
        from ...ops.matrix import diag_part

        size, kind = dims(shape), float_type(dtype)
        if len(size) < 2:
            raise ValueError(
                f"The tensor to initialize must be at least two-dimensional. Received: shape={size}"
            )
        rows, columns = math.prod(size[:-1]), size[-1]
        drawn = draw("normal", (max(rows, columns), min(rows, columns)), 0.0, 1.0, self.seed, kind)
        q, r = qr(drawn, full_matrices=False)
        q = q * sign(diag_part(r))
        if rows < columns:
            q = transpose(q)
        return reshape(q, size) * self.gain

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an initializer like this one."""
        return {"gain": self.gain, "seed": self.seed}
