"""Special functions in plain NumPy, to double precision.

Piecewise Chebyshev series (from `special_tables`) where a function has no short form; recurrences, asymptotic
series and continued fractions where it has. Every function takes a float64 array and gives one; the ops cast.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import special_tables as tables

Array = Any
SQRT_PI = 1.7724538509055159
EULER = 0.5772156649015329
LOG_ROOT_2PI = 0.9189385332046727
#: Bernoulli numbers B2, B4, ... B24.
BERNOULLI = (
    1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330,
    854513 / 138, -236364091 / 2730,
)  # fmt: skip


def chebyshev(coefficients: tuple[float, ...], x: Array, low: float, high: float) -> Array:
    """A Chebyshev series on [low, high], summed by Clenshaw's rule."""
    s = (2 * x - (low + high)) / (high - low)
    twice = 2 * s
    one = np.full_like(s, coefficients[-1])
    two = np.zeros_like(s)
    for c in coefficients[-2:0:-1]:
        one, two = twice * one - two + c, one
    return s * one - two + coefficients[0] if len(coefficients) > 1 else one


def pieces(x: Array, *parts: tuple[Any, Callable[[Array], Array]]) -> Array:
    """A function put together from (mask, function) pairs; nan where no mask holds."""
    out = np.full(x.shape, np.nan)
    for mask, function in parts:
        if mask.any():
            out[mask] = function(x[mask])
    return out


# ------------------------------------------------------------------------------------------------- error function


def _gauss(x: Array) -> Array:
    """`exp(-x * x)`, with the rounding error of the square made good."""
    high = np.round(x * 16) / 16
    return np.exp(-high * high) * np.exp(-(x - high) * (x + high))


def erf(x: Array) -> Array:
    """Error function."""
    size = np.abs(x)
    out = pieces(
        size,
        (size <= 1, lambda v: v * chebyshev(tables.ERF, v * v, 0, 1)),
        (size > 1, lambda v: 1 - _erfc_positive(v)),
    )
    return np.copysign(out, x)


def erfcx(x: Array) -> Array:
    """`exp(x * x) * erfc(x)` for x >= 0."""
    with np.errstate(all="ignore"):
        s = np.where(np.isinf(x), 1.0, (x - 3.5) / (x + 3.5))
    return chebyshev(tables.ERFCX, s, -1, 1) / (1 + 2 * x)


def _erfc_positive(x: Array) -> Array:
    return np.where(x > 27.5, 0.0, _gauss(np.minimum(x, 28)) * erfcx(x))


def erfc(x: Array) -> Array:
    """`1 - erf(x)`, exact for large x too."""
    return pieces(
        x,
        (x > 0.5, _erfc_positive),
        ((x <= 0.5) & (x >= -1), lambda v: 1 - erf(v)),
        (x < -1, lambda v: 2 - _erfc_positive(-v)),
    )


def erfcinv(p: Array) -> Array:
    """Where erfc is p."""
    small = p <= 1
    q = np.where(small, p, 2 - p)
    inside = (q > 0) & (q <= 1)
    out = np.where(q == 0, np.inf, np.where(q == 1, 0.0, np.nan))
    if inside.any():
        out[inside] = _erfcinv_upper(q[inside])
    return np.where(small, out, -out)


def _erfcinv_upper(q: Array) -> Array:
    """Newton's method for log erfc(y) = log q, which is concave, from a start that is near."""
    wanted = np.log(q)
    t = np.sqrt(-2 * np.log(q / 2))
    y = (t - (2.30753 + 0.27061 * t) / (1 + t * (0.99229 + 0.04481 * t))) / np.sqrt(2)
    y = np.maximum(y, 0.0)
    for _ in range(4):
        scaled = erfcx(y)
        y = np.maximum(y + (np.log(scaled) - y * y - wanted) * SQRT_PI / 2 * scaled, 0.0)
    near = q > 0.5
    if near.any():
        y[near] = _erfinv_small(1 - q[near])
    return y


def _erfinv_small(x: Array) -> Array:
    """Where erf is x, for |x| <= 0.75."""
    y = x * SQRT_PI / 2 * (1 + np.pi * x * x / 12 * (1 + 7 * np.pi * x * x / 40))
    for _ in range(4):
        step = (erf(y) - x) * SQRT_PI / 2 * np.exp(y * y)
        y = y - step / (1 + y * step)
    return y


def erfinv(x: Array) -> Array:
    """Where erf is x."""
    size = np.abs(x)
    out = pieces(size, (size <= 0.5, _erfinv_small), (size > 0.5, lambda v: erfcinv(1 - v)))
    return np.copysign(out, x)


def ndtri(p: Array) -> Array:
    """Quantile of the standard normal distribution."""
    return -np.sqrt(2) * erfcinv(2 * p)


# --------------------------------------------------------------------------------------------------------- gamma


def _stirling(x: Array) -> Array:
    """log(gamma(x)) for x >= 8."""
    inverse = 1 / x
    square = inverse * inverse
    total = np.zeros_like(x)
    for k in range(7, 0, -1):
        total = total * square + BERNOULLI[k - 1] / (2 * k * (2 * k - 1))
    large = np.where(np.isinf(x), np.inf, (x - 0.5) * (np.log(x) - 1) - 0.5 + LOG_ROOT_2PI)
    return large + total * inverse


def _lgamma_middle(x: Array) -> Array:
    """For 3 < x < 10: shifted up to where Stirling's series is good."""
    product = np.ones_like(x)
    for k in range(8):
        product = product * (x + k)
    return _stirling(x + 8) - np.log(product)


def _lgamma_reflected(x: Array) -> Array:
    with np.errstate(divide="ignore"):
        sine = np.abs(np.sin(np.pi * (x - np.round(x))))
        return np.where(sine == 0, np.inf, np.log(np.pi / sine) - lgamma(1 - x))


def lgamma(x: Array) -> Array:
    """Logarithm of the absolute value of the gamma function."""
    return pieces(
        x,
        (x == -np.inf, lambda v: np.full_like(v, np.inf)),
        ((x < 0) & (x > -np.inf), _lgamma_reflected),
        ((x >= 0) & (x < 0.5), lambda v: lgamma(v + 1) - np.log(v)),
        (
            (x >= 0.5) & (x <= 3),
            lambda v: (v - 1) * (v - 2) * chebyshev(tables.LGAMMA, v, 0.5, 3) + 0.0,
        ),
        ((x > 3) & (x < 10), _lgamma_middle),
        (x >= 10, _stirling),
    )


def digamma(x: Array) -> Array:
    """Derivative of lgamma."""

    def reflected(v: Array) -> Array:
        fraction = v - np.round(v)
        with np.errstate(all="ignore"):
            return np.where(
                fraction == 0, np.nan, digamma(1 - v) - np.pi / np.tan(np.pi * fraction)
            )

    def small(v: Array) -> Array:
        return digamma(v + 1) - 1 / v

    def central(v: Array) -> Array:
        root, rest = tables.DIGAMMA_ROOT
        return ((v - root) - rest) * chebyshev(tables.DIGAMMA, v, 1, 2)

    def large(v: Array) -> Array:
        shifted, total = v, np.zeros_like(v)
        for _ in range(8):
            low = shifted < 10
            total = np.where(low, total - 1 / shifted, total)
            shifted = np.where(low, shifted + 1, shifted)
        square = 1 / (shifted * shifted)
        series = np.zeros_like(v)
        for k in range(7, 0, -1):
            series = series * square + BERNOULLI[k - 1] / (2 * k)
        return np.log(shifted) - 0.5 / shifted - series * square + total

    return pieces(
        x,
        (x < 0, reflected),
        ((x > 0) & (x < 1), small),
        ((x >= 1) & (x <= 2), central),
        (x > 2, large),
    )


def zeta(x: Array, q: Array) -> Array:
    """Hurwitz zeta: the sum of (q + k) ** -x over k = 0, 1, ... (Euler and Maclaurin)."""
    x, q = np.broadcast_arrays(x, q)
    whole = q == np.floor(q)
    out = np.full(x.shape, np.nan)
    out[x == 1] = np.inf
    out[(x > 1) & (q <= 0) & whole] = np.inf
    # Below 0 only whole exponents have real powers.
    good = (x > 1) & ((q > 0) | (~whole & (x == np.floor(x))))
    if good.any():
        out[good] = _zeta(x[good], q[good])
    return out


def _zeta(x: Array, q: Array) -> Array:
    total = np.zeros_like(x)
    shift = q.copy()
    while (low := shift < 9).any():
        total = np.where(low, total + np.power(shift, -x), total)
        shift = np.where(low, shift + 1, shift)
    with np.errstate(under="ignore"):
        total = total + np.power(shift, 1 - x) / (x - 1) + 0.5 * np.power(shift, -x)
        factor = x * np.power(shift, -x - 1) / 2
    for k, bernoulli in enumerate(BERNOULLI):
        total = total + bernoulli * factor
        a = x + 2 * k + 1
        factor = factor * a * (a + 1) / (shift * shift * (2 * k + 3) * (2 * k + 4))
    return total


def polygamma(n: Array, x: Array) -> Array:
    """n-th derivative of digamma (n a whole number >= 0)."""
    n, x = np.broadcast_arrays(n, x)
    bad = (n < 0) | (n != np.floor(n))
    first = n == 0
    out = np.full(x.shape, np.nan)
    if first.any():
        out[first] = digamma(x[first])
    rest = ~first & ~bad
    if rest.any():
        m = n[rest]
        sign = np.where(m % 2 == 0, -1.0, 1.0)
        out[rest] = sign * np.exp(lgamma(m + 1)) * zeta(m + 1, x[rest])
    return out


# --------------------------------------------------------------------------------------------- incomplete functions


def igamma(a: Array, x: Array, upper: bool = False) -> Array:
    """Regularised incomplete gamma function: the lower one, or the upper one."""
    a, x = np.broadcast_arrays(a, x)
    out = np.full(x.shape, np.nan)
    good = (a > 0) & (x >= 0)
    out[good & (x == 0)] = 1.0 if upper else 0.0
    out[(a == 0) & (x >= 0)] = 0.0 if upper else 1.0
    out[good & np.isinf(x)] = 0.0 if upper else 1.0
    good &= (x > 0) & np.isfinite(x) & np.isfinite(a)
    if good.any():
        out[good] = _igamma(a[good], x[good], upper)
    return out


def _log_density(a: Array, x: Array) -> Array:
    """log(x ** a exp(-x) / gamma(a)), without cancellation for large a near x."""
    large = a > 20
    plain = a * np.log(x) - x - lgamma(a)
    if not large.any():
        return plain
    t = (x - a) / a
    log_part = np.where(
        np.abs(t) < 0.5, np.log1p(np.where(np.abs(t) < 0.5, t, 0)) - t, np.log(x / a) - t
    )
    correction = _stirling(np.maximum(a, 8)) - ((a - 0.5) * np.log(a) - a + LOG_ROOT_2PI)
    return np.where(large, a * log_part + 0.5 * np.log(a) - LOG_ROOT_2PI - correction, plain)


def _igamma(a: Array, x: Array, upper: bool) -> Array:
    by_series = x < a + 1
    out = np.empty_like(x)
    density = np.exp(_log_density(a, x))
    if by_series.any():
        value = density[by_series] * _gamma_series(a[by_series], x[by_series])
        out[by_series] = 1 - value if upper else value
    rest = ~by_series
    if rest.any():
        value = density[rest] * _gamma_fraction(a[rest], x[rest])
        out[rest] = value if upper else 1 - value
    return out


def _gamma_series(a: Array, x: Array) -> Array:
    """Sum of x ** k / (a (a + 1) ... (a + k))."""
    term = 1 / a
    total = term.copy()
    index = a.copy()
    for _ in range(5000):
        index = index + 1
        term = term * x / index
        total = total + term
        if (term < total * 1e-17).all():
            break
    return total


def _gamma_fraction(a: Array, x: Array) -> Array:
    """Legendre's continued fraction of the upper function, by Lentz's method."""
    tiny = 1e-300
    b = x + 1 - a
    c = np.full_like(x, 1 / tiny)
    d = 1 / b
    h = d.copy()
    for k in range(1, 5000):
        step = -k * (k - a)
        b = b + 2
        d = step * d + b
        d = 1 / np.where(np.abs(d) < tiny, tiny, d)
        c = b + step / c
        c = np.where(np.abs(c) < tiny, tiny, c)
        change = d * c
        h = h * change
        if (np.abs(change - 1) < 1e-16).all():
            break
    return h


def igamma_slopes(a: Array, x: Array) -> tuple[Array, Array]:
    """First and second derivative in `a` of the lower regularised incomplete gamma function.

    Term by term of the series of positive terms t_k = x ** (a + k) exp(-x) / gamma(a + k + 1), whose
    logarithm has the derivative log(x) - digamma(a + k + 1).
    """
    a, x = np.broadcast_arrays(a, x)
    good = (a > 0) & (x > 0) & np.isfinite(x) & np.isfinite(a)
    first = np.where((a > 0) & (x >= 0), 0.0, np.nan)
    second = first.copy()
    if good.any():
        first[good], second[good] = _igamma_slopes(a[good], x[good])
    return first, second


def _igamma_slopes(a: Array, x: Array) -> tuple[Array, Array]:
    log_x = np.log(x)
    log_term = _log_density(a, x) - np.log(a)
    psi = digamma(a + 1)
    psi1 = polygamma(np.ones_like(a), a + 1)
    first, second = np.zeros_like(x), np.zeros_like(x)
    index = a + 1
    peak = x + 40 + 10 * np.sqrt(x)
    for _ in range(20000):
        term = np.exp(log_term)
        slope = log_x - psi
        first = first + term * slope
        second = second + term * (slope * slope - psi1)
        if ((index > peak) & (term < 1e-18)).all():
            break
        log_term = log_term + log_x - np.log(index)
        psi = psi + 1 / index
        psi1 = psi1 - 1 / (index * index)
        index = index + 1
    return first, second


def betainc(a: Array, b: Array, x: Array) -> Array:
    """Regularised incomplete beta function."""
    a, b, x = np.broadcast_arrays(a, b, x)
    out = np.full(x.shape, np.nan)
    good = (a > 0) & (b > 0) & (x >= 0) & (x <= 1)
    out[good & (x == 0)] = 0.0
    out[good & (x == 1)] = 1.0
    good &= (x > 0) & (x < 1)
    if good.any():
        out[good] = _betainc(a[good], b[good], x[good])
    return out


def _betainc(a: Array, b: Array, x: Array) -> Array:
    swap = x > (a + 1) / (a + b + 2)
    p, q, y = np.where(swap, b, a), np.where(swap, a, b), np.where(swap, 1 - x, x)
    front = p * np.log(y) + q * np.log1p(-y) + lgamma(p + q) - lgamma(p) - lgamma(q)
    value = np.exp(front) * _beta_fraction(p, q, y) / p
    return np.where(swap, 1 - value, value)


def _beta_fraction(a: Array, b: Array, x: Array) -> Array:
    tiny = 1e-300

    def kept(v: Array) -> Array:
        return np.where(np.abs(v) < tiny, tiny, v)

    c = np.ones_like(x)
    d = 1 / kept(1 - (a + b) * x / (a + 1))
    h = d.copy()
    for m in range(1, 2000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1 / kept(1 + even * d)
        c = kept(1 + even / c)
        h = h * d * c
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1 / kept(1 + odd * d)
        c = kept(1 + odd / c)
        change = d * c
        h = h * change
        if (np.abs(change - 1) < 1e-16).all():
            break
    return h


# -------------------------------------------------------------------------------------------------------- Bessel


def i0e(x: Array) -> Array:
    """`exp(-|x|) I0(x)`."""
    size = np.abs(x)
    return pieces(
        size,
        (size <= 8, lambda v: chebyshev(tables.I0_SMALL, v, 0, 8)),
        (size > 8, lambda v: chebyshev(tables.I0_LARGE, 1 / v, 0, 0.125) / np.sqrt(v)),
    )


def i1e(x: Array) -> Array:
    """`exp(-|x|) I1(x)`."""
    size = np.abs(x)
    out = pieces(
        size,
        (size <= 8, lambda v: v * chebyshev(tables.I1_SMALL, v, 0, 8)),
        (size > 8, lambda v: chebyshev(tables.I1_LARGE, 1 / v, 0, 0.125) / np.sqrt(v)),
    )
    return np.copysign(out, x)


def i0(x: Array) -> Array:
    """Modified Bessel function of the first kind, order 0."""
    return np.exp(np.abs(x)) * i0e(x)


def i1(x: Array) -> Array:
    """Modified Bessel function of the first kind, order 1."""
    return np.exp(np.abs(x)) * i1e(x)


def _k_parts(x: Array, order: int) -> tuple[Array, Array]:
    """(small, large): K on (0, 2], and sqrt(x) exp(x) K above, each nan elsewhere."""

    def small(v: Array) -> Array:
        log = np.log(v / 2)
        if order == 0:
            return chebyshev(tables.K0_SMALL, v * v, 0, 4) - log * i0(v)
        return chebyshev(tables.K1_SMALL, v * v, 0, 4) / v + log * i1(v)

    table = (tables.K0_LARGE, tables.K1_LARGE)[order]
    return (
        pieces(x, (x == 0, lambda v: np.full_like(v, np.inf)), ((x > 0) & (x <= 2), small)),
        pieces(x, (x > 2, lambda v: chebyshev(table, 1 / v, 0, 0.5) / np.sqrt(v))),
    )


def k0(x: Array) -> Array:
    """Modified Bessel function of the second kind, order 0."""
    small, large = _k_parts(x, 0)
    return np.where(x > 2, large * np.exp(-x), small)


def k0e(x: Array) -> Array:
    """`exp(x) K0(x)`."""
    small, large = _k_parts(x, 0)
    return np.where(x > 2, large, small * np.exp(np.minimum(x, 2)))


def k1(x: Array) -> Array:
    """Modified Bessel function of the second kind, order 1."""
    small, large = _k_parts(x, 1)
    return np.where(x > 2, large * np.exp(-x), small)


def k1e(x: Array) -> Array:
    """`exp(x) K1(x)`."""
    small, large = _k_parts(x, 1)
    return np.where(x > 2, large, small * np.exp(np.minimum(x, 2)))


def _hankel(x: Array, order: int) -> tuple[Array, Array]:
    """J and Y for x > 8."""
    p_table, q_table = ((tables.P0, tables.Q0), (tables.P1, tables.Q1))[order]
    v = 1 / (x * x)
    p = chebyshev(p_table, v, 0, 1 / 64)
    q = chebyshev(q_table, v, 0, 1 / 64) / x
    s, c = np.sin(x), np.cos(x)
    # cos and sin of x - pi/4 or x - 3 pi/4, from those of x: nothing is lost in a subtraction.
    cos, sin = ((s + c), (s - c)) if order == 0 else ((s - c), -(s + c))
    scale = 1 / np.sqrt(np.pi * x)
    return scale * (p * cos - q * sin), scale * (p * sin + q * cos)


def j0(x: Array) -> Array:
    """Bessel function of the first kind, order 0."""
    size = np.abs(x)
    return pieces(
        size,
        (size <= 8, lambda v: chebyshev(tables.J0_SMALL, v * v, 0, 64)),
        ((size > 8) & (size < np.inf), lambda v: _hankel(v, 0)[0]),
        (size == np.inf, np.zeros_like),
    )


def j1(x: Array) -> Array:
    """Bessel function of the first kind, order 1."""
    size = np.abs(x)
    out = pieces(
        size,
        (size <= 8, lambda v: v * chebyshev(tables.J1_SMALL, v * v, 0, 64)),
        ((size > 8) & (size < np.inf), lambda v: _hankel(v, 1)[0]),
        (size == np.inf, np.zeros_like),
    )
    return np.where(x < 0, -out, out)


def y0(x: Array) -> Array:
    """Bessel function of the second kind, order 0."""
    return pieces(
        x,
        (x == 0, lambda v: np.full_like(v, -np.inf)),
        (
            (x > 0) & (x <= 8),
            lambda v: 2 / np.pi * np.log(v) * j0(v) + chebyshev(tables.Y0_SMALL, v * v, 0, 64),
        ),
        ((x > 8) & (x < np.inf), lambda v: _hankel(v, 0)[1]),
        (x == np.inf, np.zeros_like),
    )


def y1(x: Array) -> Array:
    """Bessel function of the second kind, order 1."""
    return pieces(
        x,
        (x == 0, lambda v: np.full_like(v, -np.inf)),
        (
            (x > 0) & (x <= 8),
            lambda v: (
                2 / np.pi * (np.log(v) * j1(v) - 1 / v)
                + v * chebyshev(tables.Y1_SMALL, v * v, 0, 64)
            ),
        ),
        ((x > 8) & (x < np.inf), lambda v: _hankel(v, 1)[1]),
        (x == np.inf, np.zeros_like),
    )


# -------------------------------------------------------------------------------------------------------- integrals


def dawsn(x: Array) -> Array:
    """Dawson's integral: exp(-x^2) times the integral of exp(t^2) from 0 to x."""
    size = np.abs(x)
    out = pieces(
        size,
        (size <= 2, lambda v: v * chebyshev(tables.DAWSON_SMALL, v * v, 0, 4)),
        ((size > 2) & (size <= 5), lambda v: chebyshev(tables.DAWSON_MIDDLE, v, 2, 5)),
        (size > 5, lambda v: chebyshev(tables.DAWSON_LARGE, 1 / v / v, 0, 0.04) / (2 * v)),
    )
    return np.copysign(out, x)


def expint(x: Array) -> Array:
    """Exponential integral Ei(x) for x >= 0."""
    ranges = ((6, 12), (12, 24), (24, 48), (48, np.inf))
    large = [
        (
            (x > low) & (x <= high),
            lambda v, i=i, low=low, high=high: (
                chebyshev(getattr(tables, f"EI_{i}"), 1 / v, 1 / high, 1 / low) * np.exp(v) / v
            ),
        )
        for i, (low, high) in enumerate(ranges)
    ]
    small = (
        (x > 0) & (x <= 6),
        lambda v: EULER + np.log(v) + v * chebyshev(tables.EI_SMALL, v, 0, 6),
    )
    return pieces(x, (x == 0, lambda v: np.full_like(v, -np.inf)), small, *large)


def fresnel(x: Array) -> tuple[Array, Array]:
    """Fresnel's integrals (sine, cosine) of pi t^2 / 2 from 0 to x."""
    size = np.abs(x)
    fourth = np.where(size <= 1.6, size, 1.6) ** 4
    sine = size**3 * chebyshev(tables.FRESNEL_SIN, fourth, 0, 1.6**4)
    cosine = size * chebyshev(tables.FRESNEL_COS, fourth, 0, 1.6**4)
    large = size > 1.6
    if large.any():
        sine[large], cosine[large] = _fresnel_large(size[large])
    return np.copysign(sine, x), np.copysign(cosine, x)


def _fresnel_large(x: Array) -> tuple[Array, Array]:
    v = 1 / x**4
    near = v > 1 / 81

    def auxiliary(name: str) -> Array:
        one, two = getattr(tables, f"FRESNEL_{name}0"), getattr(tables, f"FRESNEL_{name}1")
        return pieces(
            v,
            (near, lambda w: chebyshev(one, w, 1 / 81, 1 / 1.6**4)),
            (~near, lambda w: chebyshev(two, w, 0, 1 / 81)),
        )

    f = auxiliary("F") / (np.pi * x)
    g = auxiliary("G") / (np.pi**2 * x**3)
    with np.errstate(invalid="ignore"):
        # x^2 / 2 in turns of pi, so that no large angle loses its digits.
        turns = np.where(x < 1e8, np.mod(x * x / 2, 2), 0.0)
    s, c = np.sin(np.pi * turns), np.cos(np.pi * turns)
    return 0.5 - f * c - g * s, 0.5 + f * s - g * c


def spence(x: Array) -> Array:
    """Spence's function: the integral of log(t) / (1 - t) from 1 to x."""
    sixth = np.pi**2 / 6

    def central(v: Array) -> Array:
        return (1 - v) * chebyshev(tables.SPENCE, v, 0.5, 1.5)

    return pieces(
        x,
        (x == 0, lambda v: np.full_like(v, sixth)),
        ((x > 0) & (x < 0.5), lambda v: sixth - np.log(v) * np.log1p(-v) - central(1 - v)),
        ((x >= 0.5) & (x <= 1.5), central),
        ((x > 1.5) & (x < 2), lambda v: -spence(1 / v) - 0.5 * np.log(v) ** 2),
        (x >= 2, lambda v: -spence(1 / v) - 0.5 * np.log(v) ** 2),
    )


def fresnel_sine(x: Array) -> Array:
    """Fresnel's sine integral."""
    return fresnel(x)[0]


def fresnel_cosine(x: Array) -> Array:
    """Fresnel's cosine integral."""
    return fresnel(x)[1]
