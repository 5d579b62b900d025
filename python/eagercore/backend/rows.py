"""Work on rows: their normalization in blocks that stay in the cache, on several threads, and losses' way back."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import kernel, onednn, parallel

Array = np.ndarray[Any, Any]

LEAST = 1 << 12
"""With fewer elements the reference is as fast."""

LEAST_BLOCKS = 1 << 15
"""The same without oneDNN."""

LEAST_PRODUCT = 1 << 16
"""Elements from which on a product with a number for each row is oneDNN's."""

BLOCK = 1 << 15
"""Elements a block: three float32 blocks of this size fit in the second-level cache."""

THREADED = 1 << 17
"""Elements that are worth a thread of their own."""

TINY = 1e-18
"""Numbers not between this and one over it are near the end of what float32 holds the square of."""

_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


@kernel("layer_normalization", least=LEAST)
def layer_normalization(x: Array, gamma: Array, beta: Array, *, epsilon: float = 0.001) -> Any:
    """The normalized examples, and mean and one over the standard deviation of each."""
    kind, length = x.dtype, gamma.size
    if x.size < LEAST or kind not in _FLOATS or not x.flags.c_contiguous or not length:
        return NotImplemented
    if gamma.dtype is not kind or beta.dtype is not kind or beta.shape != gamma.shape:
        return NotImplemented
    if x.shape[x.ndim - gamma.ndim :] != gamma.shape:
        return NotImplemented
    rows = x.reshape(-1, length)
    ones = x.shape[: x.ndim - gamma.ndim] + (1,) * gamma.ndim
    if x.dtype is _FLOATS[0] and length > 1 and onednn.available():
        from .onednn.normalization import normalize_rows

        scales, shifts = (np.ascontiguousarray(v).reshape(-1) for v in (gamma, beta))
        made = normalize_rows(rows, scales, shifts, float(epsilon))
        if made is not None:
            y, mean, variance = made
            with np.errstate(all="ignore"):
                variance += kind.type(epsilon)
                np.sqrt(variance, out=variance)
                np.divide(1, variance, out=variance)
            return y.reshape(x.shape), mean.reshape(ones), variance.reshape(ones)
    if x.size < LEAST_BLOCKS:
        return NotImplemented
    out = np.empty_like(rows)
    mean, inverse = np.empty((len(rows), 1), kind), np.empty((len(rows), 1), kind)
    scale, shift, count, added = (
        gamma.reshape(-1),
        beta.reshape(-1),
        kind.type(length),
        kind.type(epsilon),
    )
    step = max(BLOCK // length, 1)

    def work(start: int, stop: int) -> None:
        scratch = np.empty((min(step, stop - start), length), kind)
        with np.errstate(all="ignore"):
            for at in range(start, stop, step):
                part = slice(at, min(at + step, stop))
                block, y, m, v = rows[part], out[part], mean[part], inverse[part]
                squares = scratch[: len(y)]
                np.add.reduce(block, axis=1, out=m, keepdims=True)
                np.divide(m, count, out=m)
                np.subtract(block, m, out=y)
                np.multiply(y, y, out=squares)
                np.add.reduce(squares, axis=1, out=v, keepdims=True)
                np.divide(v, count, out=v)
                np.add(v, added, out=v)
                np.sqrt(v, out=v)
                np.divide(1, v, out=v)
                np.multiply(y, v, out=y)
                np.multiply(y, scale, out=y)
                np.add(y, shift, out=y)

    parallel.run(work, len(rows), max(THREADED // length, 1))
    return out.reshape(x.shape), mean.reshape(ones), inverse.reshape(ones)


@kernel("layer_normalization_gradient", least=LEAST)
def layer_normalization_gradient(
    dy: Array, x: Array, gamma: Array, mean: Array, inverse: Array
) -> Any:
    """What goes back through `layer_normalization`."""
    kind, length = x.dtype, gamma.size
    arrays = (dy, x, gamma, mean, inverse)
    if x.size < LEAST or kind is not _FLOATS[0] or length < 2 or not onednn.available():
        return NotImplemented
    if any(a.dtype is not kind or not a.flags.c_contiguous for a in arrays):
        return NotImplemented
    count = x.size // length
    if dy.shape != x.shape or x.shape[x.ndim - gamma.ndim :] != gamma.shape:
        return NotImplemented
    if mean.size != count or inverse.size != count:
        return NotImplemented
    # OneDNN takes the variance. What has no square, or is no number, is left to the reference.
    if not (inverse.min() > TINY and inverse.max() < 1 / TINY):
        return NotImplemented
    from .onednn.normalization import normalize_rows_gradient

    variance = np.square(inverse.reshape(-1))
    np.divide(1, variance, out=variance)
    made = normalize_rows_gradient(
        dy.reshape(count, length), x.reshape(count, length), gamma.reshape(-1), mean.reshape(-1), variance,
    )  # fmt: skip
    if made is None:
        return NotImplemented
    dx, dgamma, dbeta = made
    return dx.reshape(x.shape), dgamma.reshape(gamma.shape), dbeta.reshape(gamma.shape)


@kernel("sparse_softmax_gradient")
def sparse_softmax_gradient(dy: Array, labels: Array, share: Array) -> Any:
    """The gradient of losses times the shares of the classes, less one for the label."""
    if share.ndim != 2 or dy.shape != labels.shape or labels.shape != share.shape[:1]:
        return NotImplemented
    if not share.size or dy.dtype is not share.dtype or labels.dtype.kind not in "iu":
        return NotImplemented
    own = np.arange(len(labels)), labels
    out: Any = NotImplemented
    if share.size >= LEAST_PRODUCT and onednn.available():
        from .onednn.binary import run_binary

        out = run_binary("multiply", share, dy[:, None])
    with np.errstate(all="ignore"):
        if out is NotImplemented:
            out = np.multiply(dy[:, None], share)
        out[own] = dy * (share[own] - share.dtype.type(1))
    return out
