"""Polynomials."""

from __future__ import annotations

from ..core.tensor import convert
from .arithmetic import add, multiply
from .create import zeros_like


def polyval(coeffs, x, name=None):
    """A polynomial at `x`, by Horner's rule.

    Args:
        coeffs: List of coefficients, that of the highest power first.
        x: Tensor.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape of `x` (broadcast with the coefficients').

    Raises:
        ValueError: If `coeffs` is no list.

    >>> polyval([1.0, 0.0, -1.0], [2.0, 3.0]).numpy()
    array([3., 8.], dtype=float32)
    """
    if not isinstance(coeffs, list):
        raise ValueError(f"Argument coeffs must be list type. Received type {type(coeffs)}.")
    x = convert(x)
    if not coeffs:
        return zeros_like(x)
    total = convert(coeffs[0], None if hasattr(coeffs[0], "_key") else x.dtype)
    for c in coeffs[1:]:
        total = add(multiply(total, x), c)
    return total if len(coeffs) > 1 else add(zeros_like(x), total)
