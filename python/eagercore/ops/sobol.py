"""Sobol sequences: points that fill a cube more evenly than random ones."""

from __future__ import annotations

import functools

import numpy as np

from ..base import dtypes, errors
from ..core import coerce
from .create import constant

BITS = 32


@functools.lru_cache(8)
def _directions(dim):
    """The direction numbers of `dim` dimensions, as an array [dim, 32]."""
    import base64
    import zlib

    from .sobol_table import DIMENSIONS, PACKED

    whole = np.frombuffer(zlib.decompress(base64.b85decode(PACKED)), "<u2").tolist()
    polynomials, first = whole[:DIMENSIONS], whole[DIMENSIONS:]
    made, at = np.empty((dim, BITS), np.uint64), 0
    for d in range(dim):
        degree = polynomials[d].bit_length() - 1
        numbers = first[at : at + max(degree, 1)]
        at += len(numbers)
        if not degree:
            numbers = [1] * BITS
        for i in range(len(numbers), BITS):
            new = numbers[i - degree] ^ (numbers[i - degree] << degree)
            for k in range(1, degree):
                if polynomials[d] >> (degree - k) & 1:
                    new ^= numbers[i - k] << k
            numbers.append(new)
        made[d] = [n << (BITS - 1 - i) for i, n in enumerate(numbers)]
    return made


def sobol_sample(dim, num_results, skip=0, dtype=dtypes.float32, name=None):
    """Points of a Sobol sequence in the unit cube.

    Args:
        dim: Number of dimensions, 1111 at most.
        num_results: Number of points.
        skip: Number of points left out at the beginning. Default 0.
        dtype: float32 (default) or float64.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [num_results, dim] of numbers in [0, 1).

    Raises:
        InvalidArgumentError: If a number is out of range.

    >>> sobol_sample(2, 3).numpy().tolist()
    [[0.5, 0.5], [0.75, 0.25], [0.25, 0.75]]
    """
    from .sobol_table import DIMENSIONS

    dim = coerce.as_int(dim, "SobolSample", "dim")
    count = coerce.as_int(num_results, "SobolSample", "num_results")
    skip = coerce.as_int(skip, "SobolSample", "skip")
    kind = dtypes.as_dtype(dtype)
    if kind not in (dtypes.float32, dtypes.float64):
        raise errors.dtype_error(
            "SobolSample", f"dtype must be float32 or float64, got {kind.name}."
        )
    for what, value, least, most in (
        ("dim", dim, 1, DIMENSIONS), ("num_results", count, 1, 2**31), ("skip", skip, 0, 2**31),
    ):  # fmt: skip
        if not least <= value <= most:
            raise errors.value_error(
                "SobolSample", f"{what} must be at least {least} and at most {most}, got {value}."
            )
    directions = _directions(dim)
    places = np.arange(skip + 1, skip + 1 + count, dtype=np.uint64)
    gray = places ^ (places >> np.uint64(1))
    whole = np.zeros((count, dim), np.uint64)
    for bit in range(min(BITS, int(gray.max()).bit_length())):
        chosen = (gray >> np.uint64(bit) & np.uint64(1)).astype(bool)
        whole[chosen] ^= directions[:, bit]
    return constant((whole * 2.0**-BITS).astype(kind._numpy()))


__all__ = ["sobol_sample"]
