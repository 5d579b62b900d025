"""Work on rows: their normalization in blocks that stay in the cache, on several threads, and losses' way back."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import kernel, parallel

Array = np.ndarray[Any, Any]

LEAST = 1 << 15
"""With fewer elements the reference is as fast."""

BLOCK = 1 << 15
"""Elements a block: three float32 blocks of this size fit in the second-level cache."""

THREADED = 1 << 17
"""Elements that are worth a thread of their own."""

_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


@kernel("layer_normalization")
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
    ones = x.shape[: x.ndim - gamma.ndim] + (1,) * gamma.ndim
    return out.reshape(x.shape), mean.reshape(ones), inverse.reshape(ones)


layer_normalization.least = LEAST  # type: ignore[attr-defined]


@kernel("sparse_softmax_gradient")
def sparse_softmax_gradient(dy: Array, labels: Array, share: Array) -> Any:
    """The gradient of losses times the shares of the classes, less one for the label."""
    if share.ndim != 2 or dy.shape != labels.shape or labels.shape != share.shape[:1]:
        return NotImplemented
    if not share.size or dy.dtype is not share.dtype or labels.dtype.kind not in "iu":
        return NotImplemented
    own = np.arange(len(labels)), labels
    with np.errstate(all="ignore"):
        out = np.multiply(dy[:, None], share)
        out[own] = dy * (share[own] - share.dtype.type(1))
    return out
