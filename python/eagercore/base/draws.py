"""Random numbers of every distribution, from the words of a Philox stream.

Each function takes a `Philox` position, does not move it, and says in its docstring how the words are
used; the layouts are those of TensorFlow's CPU kernels when they run in one thread.  The distributions that are
drawn by rejection are in `rejection`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .philox import CHUNK, Philox, Words, words_at

Array = NDArray[Any]

#: Blocks that an operation sets aside for each output.
RESERVED = 256


def in_parts(work: Callable[[int, int], None], count: int, least: int) -> None:
    """Calls `work(start, stop)` for `range(count)`; floor 1 puts its threads in this function's place."""
    work(0, count)


_MANTISSA32 = np.uint32(0x7FFFFF)
_ONE32 = np.uint32(0x3F800000)


# ------------------------------------------------------------------------------------- words to floats


def uniform32(words: Words, out: NDArray[np.float32]) -> None:
    """23 bits of each word as a float32 in `[0, 1)`; `out` has one element for each word."""
    bits = out.view(np.uint32)
    np.bitwise_and(words, _MANTISSA32, out=bits)
    np.bitwise_or(bits, _ONE32, out=bits)
    np.subtract(out, np.float32(1), out=out)


def uniform64(words: Words) -> NDArray[np.float64]:
    """52 bits of each pair of words as a float64 in `[0, 1)`: (..., 2n) to (..., n)."""
    bits = (words[..., 0::2] & np.uint32(0xFFFFF)).astype(np.uint64)
    bits <<= np.uint64(32)
    bits |= words[..., 1::2]
    bits |= np.uint64(0x3FF0000000000000)
    result = bits.view(np.float64)
    result -= 1.0
    return result


def _hex(*texts: str) -> list[float]:
    return [float.fromhex(text) for text in texts]


# Single precision log, sin and cos are computed here, in float64, and not by NumPy: its versions round
# differently from each other.  Coefficients and table are those of the C library (from ARM's optimized
# routines), because the last bit of a normal number is decided by them.
_LOG_INVERSE = np.array(_hex(
    "0x1.661ec79f8f3bep+0", "0x1.571ed4aaf883dp+0", "0x1.49539f0f010bp+0", "0x1.3c995b0b80385p+0",
    "0x1.30d190c8864a5p+0", "0x1.25e227b0b8eap+0", "0x1.1bb4a4a1a343fp+0", "0x1.12358f08ae5bap+0",
    "0x1.0953f419900a7p+0", "0x1p+0", "0x1.e608cfd9a47acp-1", "0x1.ca4b31f026aap-1",
    "0x1.b2036576afce6p-1", "0x1.9c2d163a1aa2dp-1", "0x1.886e6037841edp-1", "0x1.767dcf5534862p-1",
))  # fmt: skip
_LOG_OF = np.array(_hex(
    "-0x1.57bf7808caadep-2", "-0x1.2bef0a7c06ddbp-2", "-0x1.01eae7f513a67p-2", "-0x1.b31d8a68224e9p-3",
    "-0x1.6574f0ac07758p-3", "-0x1.1aa2bc79c81p-3", "-0x1.a4e76ce8c0e5ep-4", "-0x1.1973c5a611cccp-4",
    "-0x1.252f438e10c1ep-5", "0x0p+0", "0x1.aa5aa5df25984p-5", "0x1.c5e53aa362eb4p-4",
    "0x1.526e57720db08p-3", "0x1.bc2860d22477p-3", "0x1.1058bc8a07ee1p-2", "0x1.4043057b6ee09p-2",
))  # fmt: skip
_LOG = _hex("-0x1.00ea348b88334p-2", "0x1.5575b0be00b6ap-2", "-0x1.ffffef20a4123p-2")
_COS = _hex(
    "-0x1.ffffffd0c621cp-2",
    "0x1.55553e1068f19p-5",
    "-0x1.6c087e89a359dp-10",
    "0x1.99343027bf8c3p-16",
)
_SIN = _hex("-0x1.555545995a603p-3", "0x1.1107605230bc4p-7", "-0x1.994eb3774cf24p-13")


def log32(x: NDArray[np.float32]) -> NDArray[np.float32]:
    """Natural logarithm of positive normal float32 numbers."""
    bits = x.view(np.int32)
    offset = bits - np.int32(0x3F330000)
    row = (offset >> np.int32(19)) & np.int32(15)
    exponent = (offset >> np.int32(23)).astype(np.float64)
    offset &= np.int32(-0x800000)
    reduced = (bits - offset).view(np.float32).astype(np.float64)
    reduced *= _LOG_INVERSE.take(row)
    reduced -= 1.0
    exponent *= math.log(2.0)
    exponent += _LOG_OF.take(row)
    exponent += reduced
    square = reduced * reduced
    reduced *= _LOG[1]
    reduced += _LOG[2]
    reduced += square * _LOG[0]
    reduced *= square
    reduced += exponent
    return reduced.astype(np.float32)


def _sincos32(angle: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Sine and cosine of float32 angles in `[0, 120)`."""
    x = angle.astype(np.float64)
    quarter = x * float.fromhex("0x1.45F306DC9C883p-1")
    quarter += 0.5
    np.floor(quarter, out=quarter)
    x -= quarter * float.fromhex("0x1.921FB54442D18p0")
    turn = quarter.astype(np.int8)
    x2 = x * x
    x3 = x2 * x
    x4 = x2 * x2
    sine = x3 * _SIN[0]
    sine += x
    x3 *= x2
    x3 *= x2 * _SIN[2] + _SIN[1]
    sine += x3
    cosine = x2 * _COS[0]
    cosine += 1.0
    cosine += x4 * _COS[1]
    x4 *= x2
    x2 *= _COS[3]
    x2 += _COS[2]
    x4 *= x2
    cosine += x4
    swap = (turn & 1).astype(bool)
    first = np.where(swap, cosine, sine).astype(np.float32)
    second = np.where(swap, sine, cosine).astype(np.float32)
    np.negative(first, out=first, where=(turn & 2).astype(bool))
    np.negative(second, out=second, where=((turn + 1) & 2).astype(bool))
    return first, second


def _normal32(words: Words, out: NDArray[np.float32]) -> None:
    """Box-Muller: each two words give two normal float32 numbers, radius from the first word."""
    mantissa = words & _MANTISSA32
    uniform = mantissa[0::2].astype(np.float32)
    uniform *= np.float32(2.0**-23)
    # Zero has no logarithm.
    np.maximum(uniform, np.float32(1.0e-7), out=uniform)
    radius = log32(uniform)
    radius *= np.float32(-2)
    np.sqrt(radius, out=radius)
    angle = (mantissa[1::2] * (2.0 * math.pi * 2.0**-23)).astype(np.float32)
    sine, cosine = _sincos32(angle)
    np.multiply(sine, radius, out=out[0::2])
    np.multiply(cosine, radius, out=out[1::2])


def by_c_library(function: Callable[..., float], *arrays: Array) -> NDArray[np.float64]:
    """A function of `math`, element by element: NumPy's own versions round differently on each processor."""
    found = map(function, *(array.reshape(-1).tolist() for array in arrays))
    return np.fromiter(found, np.float64, arrays[0].size).reshape(arrays[0].shape)


def normal64(words: Words) -> NDArray[np.float64]:
    """Box-Muller in float64: four words give two numbers, (..., 4n) to (..., 2n)."""
    uniform = uniform64(words)
    radius = np.sqrt(-2.0 * by_c_library(math.log, np.maximum(uniform[..., 0::2], 1.0e-7)))
    angle = 2.0 * math.pi * uniform[..., 1::2]
    # The exponential of an imaginary number is the C library's sincos.
    turn = np.exp(1j * angle)
    out = np.empty(uniform.shape)
    np.multiply(turn.imag, radius, out=out[..., 0::2])
    np.multiply(turn.real, radius, out=out[..., 1::2])
    return out


# ---------------------------------------------------------------------- a fixed number of words each


def _count(shape: Any) -> int:
    return math.prod(shape)


def _by_chunks(
    stream: Philox, shape: Any, dtype: Any, per_block: int, convert: Callable[[Words], Array]
) -> Array:
    """An array of which each block of words gives `per_block` elements."""
    size = _count(shape)
    out = np.empty(size, dtype)
    blocks, read = -(-size // per_block), stream.reader()
    for start in range(0, blocks, CHUNK):
        words = read(min(CHUNK, blocks - start))
        part = out[start * per_block : (start + words.shape[0]) * per_block]
        part[...] = convert(words).reshape(-1)[: part.size]
    return out.reshape(shape)


def uniform(stream: Philox, shape: Any, dtype: Any) -> Array:
    """Uniform floats in `[0, 1)`: one word each (two for float64).

    Args:
        stream: Where to take the words from.
        shape: Tuple of ints.
        dtype: NumPy dtype: float16, float32, float64 or bfloat16.

    Returns:
        Array of that shape and dtype.

    >>> uniform(Philox.from_seeds(1, 2), (3,), np.dtype(np.float32)).shape
    (3,)
    """
    dtype = np.dtype(dtype)
    if dtype == np.float32:
        size = _count(shape)
        out = np.empty(-(-size // 4) * 4, np.float32)
        _filluniform32(stream, out)
        return out[:size].reshape(shape)
    if dtype == np.float64:
        return _by_chunks(stream, shape, dtype, 2, uniform64)
    bits = {"float16": 10, "bfloat16": 7}[dtype.name]
    mask, scale = np.uint32((1 << bits) - 1), np.float32(2.0**-bits)
    return _by_chunks(stream, shape, dtype, 4, lambda w: ((w & mask) * scale).astype(dtype))


def _filluniform32(stream: Philox, out: NDArray[np.float32]) -> None:
    """Makes floats of the words while they are in the cache."""

    def work(first: int, last: int) -> None:
        read = stream.reader(first)
        for start in range(first, last, CHUNK):
            stop = min(start + CHUNK, last)
            uniform32(read(stop - start).reshape(-1), out[4 * start : 4 * stop])

    in_parts(work, out.size // 4, CHUNK // 4)


def kept(stream: Philox, shape: Any, dtype: Any, rate: float) -> NDArray[np.bool_]:
    """Where the numbers of `uniform` would be `rate` or more.

    Args:
        stream: Where to take the words from.
        shape: Tuple of ints.
        dtype: NumPy dtype of the numbers: float16, float32, float64 or bfloat16.
        rate: Number in `[0, 1)`.

    Returns:
        Boolean array of that shape.

    >>> kept(Philox.from_seeds(1, 2), (3,), np.dtype(np.float32), 0.5).tolist()
    [True, False, True]
    """
    dtype = np.dtype(dtype)
    if dtype == np.float64:
        return np.asarray(uniform(stream, shape, dtype) >= np.asarray(rate, dtype))
    size = _count(shape)
    count = -(-size // 4)
    out = np.empty(4 * count, bool)
    # The bits of a number are compared as a whole number.
    bits = {"float32": 23, "float16": 10, "bfloat16": 7}[dtype.name]
    mask = np.uint32((1 << bits) - 1)
    least = np.uint32(math.ceil(float(np.asarray(rate, dtype)) * 2**bits))

    def work(first: int, last: int) -> None:
        read = stream.reader(first)
        for start in range(first, last, CHUNK):
            part = read(min(CHUNK, last - start))
            np.bitwise_and(part, mask, out=part)
            flat = out[4 * start : 4 * (start + part.shape[0])]
            np.greater_equal(part.reshape(-1), least, out=flat)

    in_parts(work, count, CHUNK // 4)
    return out[:size].reshape(shape)


def full_integers(stream: Philox, shape: Any, dtype: Any) -> Array:
    """Integers over the whole range of a 32- or 64-bit type: one word each (two for 64 bits).

    Args:
        stream: Where to take the words from.
        shape: Tuple of ints.
        dtype: NumPy dtype: int32, uint32, int64 or uint64.

    Returns:
        Array of that shape and dtype.
    """
    dtype = np.dtype(dtype)
    size = _count(shape)
    if dtype.itemsize == 4:
        return stream.words(size).view(dtype).reshape(shape)
    words = stream.words(2 * size).astype(np.uint64)
    return (words[0::2] | words[1::2] << np.uint64(32)).view(dtype).reshape(shape)


def integers(stream: Philox, shape: Any, low: int, high: int, dtype: Any) -> Array:
    """Integers in `[low, high)`: a word (or two) modulo the range, hence very slightly skewed.

    Args:
        stream: Where to take the words from.
        shape: Tuple of ints.
        low: Smallest value.
        high: First value above.
        dtype: NumPy dtype: int32 or int64.

    Returns:
        Array of that shape and dtype.

    >>> integers(Philox(0), (2,), 0, 10, np.dtype(np.int32)).dtype
    dtype('int32')
    """
    dtype = np.dtype(dtype)
    unsigned = np.dtype(f"u{dtype.itemsize}")
    drawn = full_integers(stream, shape, unsigned)
    drawn %= unsigned.type(high - low)
    # Adding in the unsigned type wraps as two's complement does.
    drawn += unsigned.type(low % (1 << (8 * dtype.itemsize)))
    return drawn.view(dtype)


def normal(stream: Philox, shape: Any, dtype: Any) -> Array:
    """Standard normal floats by Box-Muller: two words for two numbers (four for two float64).

    Args:
        stream: Where to take the words from.
        shape: Tuple of ints.
        dtype: NumPy dtype: float16, float32, float64 or bfloat16.

    Returns:
        Array of that shape and dtype.

    >>> normal(Philox.from_seeds(1, 2), (2, 2), np.dtype(np.float32)).shape
    (2, 2)
    """
    dtype = np.dtype(dtype)
    if dtype == np.float64:
        return _by_chunks(stream, shape, dtype, 2, normal64)
    return _by_chunks(stream, shape, dtype, 4, _normals)


def _normals(words: Words) -> NDArray[np.float32]:
    flat = words.reshape(-1)
    out = np.empty(flat.size, np.float32)
    for start in range(0, flat.size, CHUNK):
        _normal32(flat[start : start + CHUNK], out[start : start + CHUNK])
    return out


def permutation(stream: Philox, size: int) -> NDArray[np.int64]:
    """A random order of `range(size)`: `size - 1` words, each choosing who comes next.

    Args:
        stream: Where to take the words from.
        size: How many.

    Returns:
        int64 array of the shape `(size,)`.

    >>> sorted(permutation(Philox(3), 5).tolist())
    [0, 1, 2, 3, 4]
    """
    order = list(range(size))
    if size > 1:
        left = np.arange(size, 1, -1, dtype=np.uint32)
        for place, step in enumerate((stream.words(size - 1) % left).tolist()):
            other = place + step
            order[place], order[other] = order[other], order[place]
    return np.array(order, np.int64)


def categorical(stream: Philox, logits: Array, samples: int) -> NDArray[np.int64]:
    """Class indices: two words for each sample, row after row, looked up in the cumulated weights.

    Args:
        stream: Where to take the words from.
        logits: (batch, classes) unnormalised log probabilities; those not finite are never drawn.
        samples: How many for each row.

    Returns:
        int64 array (batch, samples).
    """
    batch = logits.shape[0]
    finite = np.isfinite(logits)
    exact = logits.astype(np.float64)
    top = np.max(exact, axis=1, keepdims=True, where=finite, initial=-np.inf)
    with np.errstate(invalid="ignore"):
        weights = np.exp(np.where(finite, exact - top, -np.inf))
    sums = np.cumsum(weights, axis=1)
    chosen = uniform64(stream.words(2 * batch * samples)).reshape(batch, samples)
    chosen = chosen * sums[:, -1:]
    out = np.empty((batch, samples), np.int64)
    for row in range(batch):
        out[row] = np.searchsorted(sums[row], chosen[row], side="right")
    return out


# ------------------------------------------------------------------------ a varying number of words each


class Regions:
    """Each output's own run of blocks: row `i` starts `i * stride` blocks after the stream's position."""

    def __init__(self, stream: Philox, rows: Array, stride: int) -> None:
        self._stream = stream
        self._next = rows.astype(np.int64) * stride

    def blocks(self, rows: Array) -> Words:
        """The next block of each of the rows."""
        found = words_at(self._stream.key, self._stream.counter, self._next[rows])
        self._next[rows] += 1
        return found


def truncated_normal(stream: Philox, shape: Any, dtype: Any) -> Array:
    """Standard normal floats between -2 and 2: others are drawn again.

    A group of four outputs (two for float64) takes the acceptable numbers of its region in order.

    Args:
        stream: Where to take the words from.
        shape: Tuple of ints.
        dtype: NumPy dtype: float16, float32, float64 or bfloat16.

    Returns:
        Array of that shape and dtype.

    >>> bool(abs(truncated_normal(Philox(5), (1000,), np.dtype(np.float32))).max() < 2)
    True
    """
    dtype = np.dtype(dtype)
    group = 2 if dtype == np.float64 else 4
    size = _count(shape)
    groups = -(-size // group)
    out = np.empty((groups, group), dtype)
    for start in range(0, groups, CHUNK):
        part = np.arange(start, min(start + CHUNK, groups))
        out[start : start + part.size] = _truncated_groups(stream, part, group)
    return out.reshape(-1)[:size].reshape(shape)


def _truncated_groups(stream: Philox, groups: Array, group: int) -> Array:
    regions = Regions(stream, groups, group * RESERVED // 4)
    convert = normal64 if group == 2 else lambda w: _normals(w).reshape(-1, 4)
    result = np.empty((groups.size, group), np.float64 if group == 2 else np.float32)
    filled = np.zeros(groups.size, np.int64)
    rows = np.arange(groups.size)
    while rows.size:
        drawn = convert(regions.blocks(rows))
        good = np.abs(drawn) < 2
        place = filled[rows, None] + np.cumsum(good, axis=1) - 1
        keep = good & (place < group)
        row, column = np.nonzero(keep)
        result[rows[row], place[row, column]] = drawn[row, column]
        filled[rows] += good.sum(axis=1)
        rows = rows[filled[rows] < group]
    return result
