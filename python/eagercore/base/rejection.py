"""Distributions drawn by rejection: gamma, Poisson, binomial, normal between bounds.

Every output has a region of the stream of its own, so that none depends on how often another one was
rejected.  All outputs are worked on at once, and then those that were rejected again.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import errors
from .draws import (
    RESERVED,
    Array,
    Regions,
    by_c_library,
    log32,
    normal,
    normal64,
    uniform,
    uniform64,
)
from .philox import CHUNK, Philox, Words


class _Hand:
    """Numbers dealt one by one to each row; a block's numbers are handed out from the last to the first."""

    def __init__(
        self, regions: Regions, rows: int, convert: Callable[[Words], Array], size: int, dtype: Any
    ) -> None:
        self._regions = regions
        self._convert = convert
        self._values = np.empty((rows, size), dtype)
        self._left = np.zeros(rows, np.int64)

    def take(self, rows: Array) -> Array:
        """The next number of each of the rows."""
        empty = rows[self._left[rows] == 0]
        if empty.size:
            self._values[empty] = self._convert(self._regions.blocks(empty))
            self._left[empty] = self._values.shape[1]
        self._left[rows] -= 1
        return self._values[rows, self._left[rows]]


def _in_parts(size: int, work: Callable[[Array], Array], dtype: Any) -> Array:
    """`work` on the outputs 0 ... size - 1, as many at a time as the cache likes."""
    out = np.empty(size, dtype)
    for start in range(0, size, 4 * CHUNK):
        part = np.arange(start, min(start + 4 * CHUNK, size))
        out[start : start + part.size] = work(part)
    return out


def gamma(stream: Philox, alpha: Array, samples: int) -> Array:
    """Gamma numbers of rate 1 (Marsaglia and Tsang), computed in float64.

    Output `i` of parameter `j` uses region `j * samples + i`.

    Args:
        stream: Where to take the words from.
        alpha: (n,) shape parameters.
        samples: How many for each.

    Returns:
        Array (samples, n) of the dtype of `alpha`.
    """
    shape = alpha.astype(np.float64)

    def work(index: Array) -> Array:
        return _gamma(Regions(stream, index, RESERVED), shape[index // samples])

    drawn = _in_parts(samples * alpha.size, work, np.float64).reshape(alpha.size, samples).T
    # The half precision types are rounded by way of float32.
    return (drawn if alpha.dtype.itemsize > 2 else drawn.astype(np.float32)).astype(alpha.dtype)


def _gamma(regions: Regions, alpha: NDArray[np.float64]) -> NDArray[np.float64]:
    result = np.full(alpha.size, np.nan)
    normals = _Hand(regions, alpha.size, normal64, 2, np.float64)
    uniforms = _Hand(regions, alpha.size, uniform64, 2, np.float64)
    # A parameter of one is the exponential distribution, drawn by inversion.
    single = np.flatnonzero(alpha == 1)
    result[single] = -by_c_library(math.log1p, -uniforms.take(single))
    small = alpha < 1
    d = alpha + np.where(small, 2.0 / 3, -1.0 / 3)
    with np.errstate(invalid="ignore", divide="ignore"):
        c = 1.0 / 3 / np.sqrt(d)
    rows = np.flatnonzero((alpha != 1) & (alpha > 0))
    while rows.size:
        x = normals.take(rows)
        v = 1 + c[rows] * x
        positive = v > 0
        tried, x, v = rows[positive], x[positive], v[positive]
        v = v * v * v
        u = uniforms.take(tried)
        with np.errstate(divide="ignore"):
            good = (u < 1 - 0.0331 * (x * x) * (x * x)) | (
                np.log(u) < 0.5 * x * x + d[tried] * (1 - v + np.log(v))
            )
        accepted = tried[good]
        result[accepted] = d[accepted] * v[good]
        boosted = accepted[small[accepted]]
        result[boosted] *= by_c_library(math.pow, uniforms.take(boosted), 1 / alpha[boosted])
        done = np.zeros(alpha.size, bool)
        done[accepted] = True
        rows = rows[~done[rows]]
    return result


# From here on the distribution is as good as that of a cubed normal number (Wilson and Hilferty).
_LARGE_ALPHA = 2.0e4


def gamma_slope(alpha: Any, sample: Any) -> NDArray[np.float64]:
    """Derivative of gamma samples in the shape parameter, at fixed cumulative probability.

    It is minus the derivative of the distribution function in the parameter, over the density
    (Figurnov et al., "Implicit reparameterization gradients", 2018).

    Args:
        alpha: Shape parameters.
        sample: Samples of rate 1; both broadcast.

    Returns:
        float64 array of the broadcast shape.

    >>> float(np.round(gamma_slope(1.0, 1.0), 6))
    1.173563
    """
    alpha, sample = np.broadcast_arrays(np.asarray(alpha, float), np.asarray(sample, float))
    a, x = alpha.reshape(-1), sample.reshape(-1)
    result = np.full(a.size, np.nan)
    small = (a > 0) & (a < _LARGE_ALPHA) & (x > 0)
    result[small] = _slope_by_series(a[small], x[small])
    large = (a >= _LARGE_ALPHA) & (x > 0)
    result[large] = _slope_of_cubed_normal(a[large], x[large])
    result[(a > 0) & (x == 0)] = 0.0
    return result.reshape(alpha.shape)


def _slope_by_series(a: Array, x: Array) -> Array:
    """The distribution function is x**a * exp(-x) / gamma(a + 1) times the sum of x**n / (a+1)...(a+n)."""
    term, total = np.ones_like(a), np.ones_like(a)
    term_slope, total_slope = np.zeros_like(a), np.zeros_like(a)
    rows = np.arange(a.size)
    step = 0
    while rows.size:
        step += 1
        at = a[rows] + step
        # Product rule on the factor x / (a + n).
        term_slope[rows] = (term_slope[rows] - term[rows] / at) * (x[rows] / at)
        term[rows] *= x[rows] / at
        total[rows] += term[rows]
        total_slope[rows] += term_slope[rows]
        rows = rows[np.abs(term_slope[rows]) > 1e-17 * np.abs(total_slope[rows])]
    # Over the density x**(a-1) * exp(-x) / gamma(a), the common factor leaves x / a.
    return -(x / a) * (total * (np.log(x) - _digamma(a + 1)) + total_slope)


def _slope_of_cubed_normal(a: Array, x: Array) -> Array:
    root = np.cbrt(x / a)
    normal_number = 3 * np.sqrt(a) * (root - 1 + 1 / (9 * a))
    inner_slope = 1 / (9 * a * a) - normal_number / (6 * a * np.sqrt(a))
    return root**3 + 3 * a * root * root * inner_slope


def _digamma(x: Array) -> Array:
    """Derivative of log gamma for positive numbers: recurrence up to 10, then the asymptotic series."""
    x = np.array(x, np.float64)
    result = np.zeros_like(x)
    while (x < 10).any():
        below = x < 10
        result[below] -= 1 / x[below]
        x[below] += 1
    square = 1 / (x * x)
    series = square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square / 240)))
    return result + np.log(x) - 0.5 / x - series


def poisson(stream: Philox, rate: Array, samples: int) -> NDArray[np.float64]:
    """Poisson numbers: Knuth's product of uniforms below a rate of 10, Hormann's rejection above.

    Output `i` of rate `j` uses region `j * samples + i`; the arithmetic is float64.

    Args:
        stream: Where to take the words from.
        rate: (n,) float rates.
        samples: How many for each.

    Returns:
        float64 array (samples, n) of whole numbers.
    """
    rates = rate.astype(np.float64)

    def work(index: Array) -> Array:
        uniforms = _Hand(Regions(stream, index, RESERVED), index.size, uniform64, 2, np.float64)
        own = rates[index // samples]
        result = np.zeros(index.size)
        _poisson_small(uniforms, own, np.flatnonzero(own < 10), result)
        _poisson_large(uniforms, own, np.flatnonzero(own >= 10), result)
        return result

    drawn = _in_parts(samples * rate.size, work, np.float64)
    return drawn.reshape(rate.size, samples).T


def _poisson_small(uniforms: _Hand, rate: Array, rows: Array, result: Array) -> None:
    limit = np.exp(-rate)
    product = np.ones_like(rate)
    while rows.size:
        product[rows] *= uniforms.take(rows)
        rows = rows[product[rows] > limit[rows]]
        result[rows] += 1


def _poisson_large(uniforms: _Hand, rate: Array, rows: Array, result: Array) -> None:
    while rows.size:
        own = rate[rows]
        b = 0.931 + 2.53 * np.sqrt(own)
        a = -0.059 + 0.02483 * b
        u = uniforms.take(rows) - 0.5
        v = uniforms.take(rows)
        shifted = 0.5 - np.abs(u)
        with np.errstate(divide="ignore", invalid="ignore"):
            k = np.floor((2 * a / shifted + b) * u + own + 0.43)
            inside = (shifted >= 0.07) & (v <= 0.9277 - 3.6224 / (b - 2))
            outside = (k < 0) | ((shifted < 0.013) & (v > shifted))
            inverse = 1.1239 + 1.1328 / (b - 3.4)
            left = np.log(v * inverse / (a / (shifted * shifted) + b))
            right = -own + k * np.log(own) - log_factorial(np.maximum(k, 0))
        good = inside | (~outside & (left <= right))
        result[rows[good]] = k[good]
        rows = rows[~good]


_LOG_FACTORIALS = np.array([math.lgamma(k + 1.0) for k in range(128)])


def log_factorial(k: Array) -> NDArray[np.float64]:
    """Logarithm of `k!` for whole numbers `k` of at least 0.

    >>> round(float(log_factorial(np.array([5.0]))[0]), 6)
    4.787492
    """
    k = np.asarray(k, np.float64)
    large = np.maximum(k, 100.0) + 1.0
    inverse = 1.0 / large
    series = inverse * (1 / 12 - inverse * inverse * (1 / 360 - inverse * inverse / 1260))
    stirling = (large - 0.5) * np.log(large) - large + 0.5 * math.log(2 * math.pi) + series
    return np.where(k < 128, _LOG_FACTORIALS[np.minimum(k, 127).astype(np.int64)], stirling)


def binomial(stream: Philox, counts: Array, probs: Array, samples: int) -> NDArray[np.float64]:
    """Binomial numbers: sums of geometric waits when few successes are likely, else Hormann's BTRS.

    Output `i` of pair `j` is number `n = j * samples + i`; it starts at block `256 * n` (BTRS) or
    `42 * n` (waits).

    Args:
        stream: Where to take the words from.
        counts: (n,) numbers of trials.
        probs: (n,) probabilities of success, of the same dtype.
        samples: How many for each.

    Returns:
        float64 array (samples, n) of whole numbers; NaN where the probability is NaN.
    """

    def work(index: Array) -> Array:
        count, prob = counts[index // samples], probs[index // samples]
        result = np.zeros(index.size)
        trials = count.astype(np.float64)
        live = (trials > 0) & (prob > 0)
        result[live & (prob >= 1)] = trials[live & (prob >= 1)]
        result[np.isnan(prob)] = np.nan
        mirrored = prob > prob.dtype.type(0.5)
        rarer = np.where(mirrored, prob.dtype.type(1) - prob, prob)
        live &= prob < 1
        many = count * rarer >= 10
        for rows, stride, method in (
            (np.flatnonzero(live & many), RESERVED, _btrs),
            (np.flatnonzero(live & ~many), 42, _waits),
        ):
            regions = Regions(stream, index[rows], stride)
            uniforms = _Hand(regions, rows.size, uniform64, 2, np.float64)
            drawn = method(uniforms, trials[rows], rarer[rows].astype(np.float64))
            result[rows] = np.where(mirrored[rows], trials[rows] - drawn, drawn)
        return result

    drawn = _in_parts(samples * counts.size, work, np.float64)
    return drawn.reshape(counts.size, samples).T


def _waits(uniforms: _Hand, count: Array, prob: Array) -> Array:
    result = np.zeros(count.size)
    total = np.zeros(count.size)
    rows = np.arange(count.size)
    while rows.size:
        with np.errstate(divide="ignore"):
            total[rows] += np.ceil(np.log(uniforms.take(rows)) / np.log1p(-prob[rows]))
        rows = rows[total[rows] <= count[rows]]
        result[rows] += 1
    return result


_STIRLING_TAIL = np.array([
    0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509, 0.0166446911898211,
    0.0138761288230707, 0.0118967099458917, 0.0104112652619720, 0.00925546218271273, 0.00833056343336287,
])  # fmt: skip


def _stirling_tail(k: Array) -> Array:
    square = (k + 1) * (k + 1)
    series = (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1)
    return np.where(k <= 9, _STIRLING_TAIL[np.clip(k, 0, 9).astype(np.int64)], series)


def _btrs(uniforms: _Hand, count: Array, prob: Array) -> Array:
    result = np.zeros(count.size)
    rows = np.arange(count.size)
    while rows.size:
        n, p = count[rows], prob[rows]
        spread = np.sqrt(n * p * (1 - p))
        b = 1.15 + 2.53 * spread
        a = -0.0873 + 0.0248 * b + 0.01 * p
        u = uniforms.take(rows)
        v = uniforms.take(rows)
        u = u - 0.5
        us = 0.5 - np.abs(u)
        with np.errstate(divide="ignore", invalid="ignore"):
            k = np.floor((2 * a / us + b) * u + (n * p + 0.5))
            inside = (us >= 0.07) & (v <= 0.92 - 4.2 / b)
            outside = (k < 0) | (k > n)
            good = inside | (~outside & (_btrs_ratio(v, us, a, b, spread) <= _btrs_bound(n, p, k)))
        result[rows[good]] = k[good]
        rows = rows[~good]
    return result


def _btrs_ratio(v: Array, us: Array, a: Array, b: Array, spread: Array) -> Array:
    return np.log(v * ((2.83 + 5.1 / b) * spread) / (a / (us * us) + b))


def _btrs_bound(n: Array, p: Array, k: Array) -> Array:
    odds = p / (1 - p)
    mode = np.floor((n + 1) * p)
    return (
        (mode + 0.5) * np.log((mode + 1) / (odds * (n - mode + 1)))
        + (n + 1) * np.log((n - mode + 1) / (n - k + 1))
        + (k + 0.5) * np.log(odds * (n - k + 1) / (k + 1))
        + _stirling_tail(mode)
        + _stirling_tail(n - mode)
        - _stirling_tail(k)
        - _stirling_tail(n - k)
    )


_MOST_TRIES = 1000
#: A normal proposal is used when the bounds reach this many deviations past the mean on one side.
_WIDE = 1.3


def bounded_normal(
    stream: Philox, mean: Array, deviation: Array, low: Array, high: Array, samples: int
) -> Array:
    """Normal numbers between bounds of their own (Robert's method, or plain rejection when they are wide).

    The parameter sets share one run of blocks: each set starts at the block after the last one used.

    Args:
        stream: Where to take the words from.
        mean: (n,) means before truncation.
        deviation: (n,) deviations before truncation, positive.
        low: (n,) lower bounds; may be -inf where the upper bound is finite.
        high: (n,) upper bounds; may be inf where the lower bound is finite.
        samples: How many for each.

    Returns:
        Array (samples, n) of the dtype of `mean`.

    Raises:
        InvalidArgumentError: If a deviation is not positive, or a pair of bounds is empty or both infinite.
        InternalError: If 1000 proposals in a row were rejected.
    """
    good = (deviation > 0) & (low < high) & (np.isfinite(low) | np.isfinite(high))
    if not good.all():
        row = int(np.argmin(good))
        raise errors.InvalidArgumentError(
            "Invalid parameters: a truncated normal needs stddev > 0 and minval < maxval, not both infinite; got "
            f"stddev {deviation[row]}, minval {low[row]}, maxval {high[row]}."
        )
    out = np.empty((samples, mean.size), mean.dtype)
    position = stream.copy()
    for row in range(mean.size):
        out[:, row] = _bounded(position, mean[row], deviation[row], low[row], high[row], samples)
    return out


def _bounded(
    position: Philox, mean: Any, deviation: Any, low: Any, high: Any, samples: int
) -> Array:
    """The samples of one set of parameters; `position` moves on."""
    if np.isneginf(low) or high < mean:
        # Mirrored, so that the bound nearer to the mean is the lower one.
        low, high, deviation = high, low, -deviation
    kind = type(mean)
    least, most = (low - mean) / deviation, (high - mean) / deviation
    root = np.sqrt(least * least + kind(4))
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        cutoff = kind(2) * np.exp(kind(0.5) + (least * (least - root)) / kind(4)) / (least + root)
    if (least < -kind(_WIDE) and most >= 0) or (most > kind(_WIDE) and least <= 0):
        drawn = _accept(position, samples, 1, lambda at, n: _from_normal(at, n, least, most))
    elif most - least < cutoff:
        drawn = _accept(position, samples, 2, lambda at, n: _from_uniform(at, n, least, most))
    else:
        drawn = _accept(position, samples, 1, lambda at, n: _from_exponential(at, n, least, most))
    return drawn * deviation + mean


def _accept(
    position: Philox, samples: int, blocks: int, propose: Callable[[Philox, int], Any]
) -> Array:
    """The first acceptable proposals, in order; `position` moves past the last step they came from.

    `propose(position, steps)` gives values and a mask (steps, per step) from `steps` times `blocks` blocks.
    """
    found: list[Array] = []
    have = failures = 0
    while have < samples:
        steps = max(samples - have, 8)
        values, good = propose(position, steps)
        passed = np.cumsum(good.sum(axis=1))
        enough = int(np.searchsorted(passed, samples - have)) + 1
        used = min(enough, steps)
        failures = 0 if good[:used].any() else failures + good[:used].size
        if failures > _MOST_TRIES:
            raise errors.InternalError(
                "The truncated normal rejection sampler failed to accept a sample in 1000 tries: the bounds hold "
                "too little of the distribution."
            )
        found.append(values[:used][good[:used]][: samples - have])
        have += found[-1].size
        position.skip(used * blocks)
    return np.concatenate(found) if found else np.empty(0, np.float64)


def _per_block(kind: type) -> int:
    return 2 if kind is np.float64 else 4


def _from_normal(position: Philox, steps: int, least: Any, most: Any) -> tuple[Array, Array]:
    size = _per_block(type(least))
    values = normal(position, (steps, size), np.dtype(type(least)))
    return values, (values >= least) & (values <= most)


def _from_uniform(position: Philox, steps: int, least: Any, most: Any) -> tuple[Array, Array]:
    kind = type(least)
    drawn = uniform(position, (steps, 2, _per_block(kind)), np.dtype(kind))
    values = drawn[:, 0] * (most - least) + least
    bonus = kind(0) if least < 0 else least * least
    return values, drawn[:, 1] <= np.exp((bonus - values * values) / kind(2))


def _from_exponential(position: Philox, steps: int, least: Any, most: Any) -> tuple[Array, Array]:
    kind = type(least)
    drawn = uniform(position, (steps, _per_block(kind) // 2, 2), np.dtype(kind))
    alpha = (least + np.sqrt(least * least + kind(4))) / kind(2)
    first = np.ascontiguousarray(drawn[..., 0])
    zero = first == 0
    first = np.where(zero, kind(1), first)
    log = log32(first) if kind is np.float32 else by_c_library(math.log, first).astype(kind)
    values = np.where(zero, kind(np.inf), -log / alpha + least)
    x = alpha - values if least < alpha else least - alpha
    with np.errstate(over="ignore"):
        return values, (drawn[..., 1] <= np.exp(-x * x / kind(2))) & (values < most)
