"""Special functions: error, gamma, beta, zeta, Bessel and integrals, element by element."""

from __future__ import annotations

import numpy as np

from ..core.op import elementwise
from ..core.tensor import convert
from . import special_numerics as numerics
from .arithmetic import add, divide_no_nan, multiply, negative, real_divide, sign, square, subtract
from .create import ones_like, zeros_like
from .division import xlog1py, xlogy
from .exponential import exp, log
from .reduce import reduce_sum
from .select import where
from .trigonometric import cos, sin

TWO_OVER_ROOT_PI = 1.1283791670955126
ROOT_2PI = 2.5066282746310002


def _wide(function, *arrays):
    """A function of special_numerics, computed in double precision and given back in the arrays' own."""
    kind = arrays[0].dtype
    made = function(*(np.atleast_1d(np.asarray(a, np.float64)) for a in arrays))
    return made.reshape(np.broadcast_shapes(*(a.shape for a in arrays))).astype(kind)


@elementwise(kinds="f", domain=(-2, 2))
def erf(xp, x):
    """Gauss error function.

    Args:
        x: Floating tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> erf([0.0, 1.0]).numpy()
    array([0.       , 0.8427008], dtype=float32)
    """
    return _wide(numerics.erf, x)


@erf.vjp
def erf_vjp(dy, _y, x):
    return multiply(dy, multiply(exp(negative(square(x))), TWO_OVER_ROOT_PI))


@elementwise(kinds="f", domain=(-2, 2))
def erfc(xp, x):
    """`1 - erf(x)`, exact for large `x` too.

    Args:
        x: Floating tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> erfc([0.0, 3.0]).numpy()
    array([1.0000000e+00, 2.2090497e-05], dtype=float32)
    """
    return _wide(numerics.erfc, x)


@erfc.vjp
def erfc_vjp(dy, _y, x):
    return multiply(dy, multiply(exp(negative(square(x))), -TWO_OVER_ROOT_PI))


@elementwise(kinds="f", domain=(-0.9, 0.9))
def erfinv(xp, x):
    """Number whose error function is `x`.

    Args:
        x: Floating tensor.

    Returns:
        Tensor of the shape and dtype of `x`; inf at 1, nan outside [-1, 1].

    >>> erfinv([0.0, 0.5]).numpy()
    array([0.        , 0.47693628], dtype=float32)
    """
    return _wide(numerics.erfinv, x)


@erfinv.vjp
def erfinv_vjp(dy, y, _x):
    return multiply(dy, multiply(exp(square(y)), 1 / TWO_OVER_ROOT_PI))


@elementwise(kinds="f", domain=(0.1, 1.9))
def erfcinv(xp, x):
    """Number whose complementary error function is `x`.

    Args:
        x: Floating tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> erfcinv([1.0, 0.5]).numpy()
    array([0.        , 0.47693628], dtype=float32)
    """
    return _wide(numerics.erfcinv, x)


@erfcinv.vjp
def erfcinv_vjp(dy, y, _x):
    return multiply(dy, multiply(exp(square(y)), -1 / TWO_OVER_ROOT_PI))


@elementwise(kinds="f", domain=(0.05, 0.95))
def ndtri(xp, x):
    """Quantile of the standard normal distribution.

    Args:
        x: Floating tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> ndtri([0.5, 0.975]).numpy()
    array([0.      , 1.959964], dtype=float32)
    """
    return _wide(numerics.ndtri, x)


@ndtri.vjp
def ndtri_vjp(dy, y, _x):
    return multiply(dy, multiply(exp(multiply(square(y), 0.5)), ROOT_2PI))


@elementwise(kinds="f", domain=(0.3, 5))
def lgamma(xp, x):
    """Logarithm of the absolute value of the gamma function.

    Args:
        x: Floating tensor.

    Returns:
        Tensor of the shape and dtype of `x`; inf at 0 and at negative whole numbers.

    >>> lgamma([1.0, 5.0]).numpy()
    array([0.       , 3.1780539], dtype=float32)
    """
    return _wide(numerics.lgamma, x)


@lgamma.vjp
def lgamma_vjp(dy, _y, x):
    return multiply(dy, digamma(x))


@elementwise(kinds="f", domain=(0.3, 5))
def digamma(xp, x):
    """Derivative of the logarithm of the gamma function.

    Args:
        x: Floating tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> digamma([1.0]).numpy()
    array([-0.5772157], dtype=float32)
    """
    return _wide(numerics.digamma, x)


@digamma.vjp
def digamma_vjp(dy, _y, x):
    return multiply(dy, polygamma(ones_like(x), x))


@elementwise(kinds="f", domain=(1, 3), constant=("a",))
def polygamma(xp, a, x):
    """`a`-th derivative of `digamma`, at `x`.

    Args:
        a: Floating tensor of whole numbers, 0 at least; it has no gradient.
        x: Tensor of the same dtype; shapes broadcast.

    Returns:
        Tensor of the common dtype; nan where `a` is no whole number.

    >>> polygamma(1.0, 1.0).numpy()
    np.float32(1.644934)
    """
    return _wide(numerics.polygamma, a, x)


@polygamma.vjp
def polygamma_vjp(dy, _z, a, x):
    return None, multiply(dy, polygamma(add(a, 1), x))


@polygamma.samples
def polygamma_samples(rng):
    yield (np.array([[0.0], [1.0], [3.0]]), rng.uniform(0.5, 4, size=(1, 4))), {}
    yield (np.array([2.0, 2.0]), rng.uniform(0.5, 4, size=(2,))), {}


@elementwise(kinds="f", domain=((1.5, 5), (0.5, 5)), constant=("x",))
def zeta(xp, x, q):
    """Hurwitz zeta function: the sum of `(q + k) ** -x` over k = 0, 1, 2 ...

    Args:
        x: Floating tensor above 1; it has no gradient.
        q: Tensor of the same dtype; shapes broadcast.

    Returns:
        Tensor of the common dtype.

    >>> zeta(2.0, 1.0).numpy()
    np.float32(1.644934)
    """
    return _wide(numerics.zeta, x, q)


@zeta.vjp
def zeta_vjp(dy, _z, x, q):
    return None, multiply(dy, negative(multiply(x, zeta(add(x, 1), q))))


@elementwise(kinds="f", label="Igamma", domain=((0.5, 4), (0.5, 4)))
def igamma(xp, a, x):
    """Lower regularised incomplete gamma function P(a, x).

    Args:
        a: Floating tensor above 0.
        x: Tensor of the same dtype, 0 at least; shapes broadcast.

    Returns:
        Tensor of the common dtype, in [0, 1].

    >>> igamma(1.0, 1.0).numpy()
    np.float32(0.63212055)
    """
    return _wide(numerics.igamma, a, x)


def _gamma_density(a, x):
    """Derivative of P(a, x) in x."""
    return exp(subtract(subtract(xlogy(subtract(a, 1), x), x), lgamma(a)))


@igamma.vjp
def igamma_vjp(dy, _z, a, x, needs):
    return (
        multiply(dy, igamma_slope(a, x)) if needs[0] else None,
        multiply(dy, _gamma_density(a, x)) if needs[1] else None,
    )


@elementwise(kinds="f", label="IgammaGradA", domain=((0.5, 4), (0.5, 4)), once=True)
def igamma_slope(xp, a, x):
    """Derivative of `igamma(a, x)` in `a`.

    Args:
        a: Floating tensor above 0.
        x: Tensor of the same dtype, 0 at least; shapes broadcast.

    Returns:
        Tensor of the common dtype.

    >>> igamma_slope(1.0, 1.0).numpy().round(4)
    np.float32(-0.4317)
    """
    return _wide(lambda a, x: numerics.igamma_slopes(a, x)[0], a, x)


@igamma_slope.vjp
def igamma_slope_vjp(dy, _z, a, x, needs):
    second = multiply(_gamma_density(a, x), subtract(log(x), digamma(a)))
    return (
        multiply(dy, igamma_second_slope(a, x)) if needs[0] else None,
        multiply(dy, second) if needs[1] else None,
    )


@elementwise(kinds="f", differentiable=False, domain=((0.5, 4), (0.5, 4)))
def igamma_second_slope(xp, a, x):
    """Second derivative of `igamma(a, x)` in `a`; it has no gradient.

    Args:
        a: Floating tensor above 0.
        x: Tensor of the same dtype, 0 at least; shapes broadcast.

    Returns:
        Tensor of the common dtype.

    >>> igamma_second_slope(1.0, 1.0).numpy().round(3)
    np.float32(0.034)
    """
    return _wide(lambda a, x: numerics.igamma_slopes(a, x)[1], a, x)


@elementwise(kinds="f", label="Igammac", domain=((0.5, 4), (0.5, 4)))
def igammac(xp, a, x):
    """Upper regularised incomplete gamma function Q(a, x) = 1 - P(a, x), exact where it is small.

    Args:
        a: Floating tensor above 0.
        x: Tensor of the same dtype, 0 at least; shapes broadcast.

    Returns:
        Tensor of the common dtype, in [0, 1].

    >>> igammac(1.0, 1.0).numpy()
    np.float32(0.36787945)
    """
    return _wide(lambda a, x: numerics.igamma(a, x, upper=True), a, x)


@igammac.vjp
def igammac_vjp(dy, _z, a, x, needs):
    return (
        multiply(negative(dy), igamma_slope(a, x)) if needs[0] else None,
        multiply(negative(dy), _gamma_density(a, x)) if needs[1] else None,
    )


@elementwise(kinds="f", domain=((0.8, 4), (0.8, 4), (0.1, 0.9)), constant=("a", "b"))
def betainc(xp, a, b, x):
    """Regularised incomplete beta function I(x; a, b).

    Args:
        a: Floating tensor above 0; it has no gradient.
        b: Tensor of the same dtype above 0; it has no gradient.
        x: Tensor of the same dtype in [0, 1]; all three broadcast.

    Returns:
        Tensor of the common dtype, in [0, 1].

    >>> betainc(2.0, 3.0, 0.5).numpy()
    np.float32(0.6875)
    """
    return _wide(numerics.betainc, a, b, x)


@betainc.vjp
def betainc_vjp(dy, _z, a, b, x):
    log_beta = subtract(add(lgamma(a), lgamma(b)), lgamma(add(a, b)))
    density = add(xlog1py(subtract(b, 1), negative(x)), xlogy(subtract(a, 1), x))
    return None, None, multiply(dy, exp(subtract(density, log_beta)))


@elementwise(kinds="f", domain=(-3, 3))
def bessel_i0(xp, x):
    """Modified Bessel function of the first kind, order 0.

    Args:
        x: Floating tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> bessel_i0([0.0, 1.0]).numpy()
    array([1.       , 1.2660658], dtype=float32)
    """
    return _wide(numerics.i0, x)


@bessel_i0.vjp
def bessel_i0_vjp(dy, _y, x):
    return multiply(dy, bessel_i1(x))


@elementwise(kinds="f", domain=(-3, 3))
def bessel_i0e(xp, x):
    """`exp(-|x|) * bessel_i0(x)`.

    Args:
        x: Floating tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> bessel_i0e([0.0, 1.0]).numpy()
    array([1.        , 0.46575963], dtype=float32)
    """
    return _wide(numerics.i0e, x)


@bessel_i0e.vjp
def bessel_i0e_vjp(dy, y, x):
    return multiply(dy, subtract(bessel_i1e(x), multiply(sign(x), y)))


@elementwise(kinds="f", domain=(0.2, 3))
def bessel_i1(xp, x):
    """Modified Bessel function of the first kind, order 1.

    Args:
        x: Floating tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> bessel_i1([0.0, 1.0]).numpy()
    array([0.        , 0.56515914], dtype=float32)
    """
    return _wide(numerics.i1, x)


@bessel_i1.vjp
def bessel_i1_vjp(dy, y, x):
    return multiply(dy, subtract(bessel_i0(x), _over(y, x, 0.5)))


@elementwise(kinds="f", domain=(0.2, 3))
def bessel_i1e(xp, x):
    """`exp(-|x|) * bessel_i1(x)`.

    Args:
        x: Floating tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> bessel_i1e([0.0, 1.0]).numpy()
    array([0.        , 0.20791042], dtype=float32)
    """
    return _wide(numerics.i1e, x)


@bessel_i1e.vjp
def bessel_i1e_vjp(dy, y, x):
    return multiply(dy, subtract(subtract(bessel_i0e(x), multiply(sign(x), y)), _over(y, x, 0.5)))


@elementwise(kinds="f", domain=(0.4, 3))
def bessel_k0(xp, x):
    """Modified Bessel function of the second kind, order 0.

    Args:
        x: Floating tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> bessel_k0([1.0]).numpy()
    array([0.42102444], dtype=float32)
    """
    return _wide(numerics.k0, x)


@bessel_k0.vjp
def bessel_k0_vjp(dy, _y, x):
    return negative(multiply(dy, bessel_k1(x)))


@elementwise(kinds="f", domain=(0.4, 3))
def bessel_k0e(xp, x):
    """`exp(x) * bessel_k0(x)`.

    Args:
        x: Floating tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> bessel_k0e([1.0]).numpy()
    array([1.1444631], dtype=float32)
    """
    return _wide(numerics.k0e, x)


@bessel_k0e.vjp
def bessel_k0e_vjp(dy, y, x):
    return multiply(dy, subtract(y, bessel_k1e(x)))


@elementwise(kinds="f", domain=(0.4, 3))
def bessel_k1(xp, x):
    """Modified Bessel function of the second kind, order 1.

    Args:
        x: Floating tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> bessel_k1([1.0]).numpy()
    array([0.6019072], dtype=float32)
    """
    return _wide(numerics.k1, x)


@bessel_k1.vjp
def bessel_k1_vjp(dy, y, x):
    return negative(multiply(dy, add(bessel_k0(x), real_divide(y, x))))


@elementwise(kinds="f", domain=(0.4, 3))
def bessel_k1e(xp, x):
    """`exp(x) * bessel_k1(x)`.

    Args:
        x: Floating tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> bessel_k1e([1.0]).numpy()
    array([1.6361537], dtype=float32)
    """
    return _wide(numerics.k1e, x)


@bessel_k1e.vjp
def bessel_k1e_vjp(dy, y, x):
    return multiply(dy, subtract(subtract(y, real_divide(y, x)), bessel_k0e(x)))


@elementwise(kinds="f", domain=(-3, 3))
def bessel_j0(xp, x):
    """Bessel function of the first kind, order 0.

    Args:
        x: Floating tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> bessel_j0([0.0, 1.0]).numpy()
    array([1.       , 0.7651977], dtype=float32)
    """
    return _wide(numerics.j0, x)


@bessel_j0.vjp
def bessel_j0_vjp(dy, _y, x):
    return negative(multiply(dy, bessel_j1(x)))


@elementwise(kinds="f", domain=(0.2, 3))
def bessel_j1(xp, x):
    """Bessel function of the first kind, order 1.

    Args:
        x: Floating tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> bessel_j1([0.0, 1.0]).numpy()
    array([0.        , 0.44005057], dtype=float32)
    """
    return _wide(numerics.j1, x)


@bessel_j1.vjp
def bessel_j1_vjp(dy, y, x):
    return multiply(dy, subtract(bessel_j0(x), _over(y, x, 0.5)))


@elementwise(kinds="f", domain=(0.4, 3))
def bessel_y0(xp, x):
    """Bessel function of the second kind, order 0.

    Args:
        x: Floating tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> bessel_y0([1.0]).numpy()
    array([0.08825696], dtype=float32)
    """
    return _wide(numerics.y0, x)


@bessel_y0.vjp
def bessel_y0_vjp(dy, _y, x):
    return negative(multiply(dy, bessel_y1(x)))


@elementwise(kinds="f", domain=(0.4, 3))
def bessel_y1(xp, x):
    """Bessel function of the second kind, order 1.

    Args:
        x: Floating tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> bessel_y1([1.0]).numpy()
    array([-0.7812128], dtype=float32)
    """
    return _wide(numerics.y1, x)


@bessel_y1.vjp
def bessel_y1_vjp(dy, y, x):
    return multiply(dy, subtract(bessel_y0(x), real_divide(y, x)))


@elementwise(kinds="f", domain=(-3, 3))
def dawsn(xp, x):
    """Dawson's integral: `exp(-x ** 2)` times the integral of `exp(t ** 2)` from 0 to `x`.

    Args:
        x: Floating tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> dawsn([0.0, 1.0]).numpy()
    array([0.       , 0.5380795], dtype=float32)
    """
    return _wide(numerics.dawsn, x)


@dawsn.vjp
def dawsn_vjp(dy, y, x):
    return multiply(dy, subtract(1, multiply(multiply(x, 2), y)))


@elementwise(kinds="f", domain=(0.4, 3))
def expint(xp, x):
    """Exponential integral Ei: the integral of `exp(t) / t` up to `x`.

    Args:
        x: Floating tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> expint([1.0]).numpy()
    array([1.8951179], dtype=float32)
    """
    return _wide(numerics.expint, x)


@expint.vjp
def expint_vjp(dy, _y, x):
    return multiply(dy, real_divide(exp(x), x))


@elementwise(kinds="f", domain=(-3, 3))
def fresnel_cos(xp, x):
    """Fresnel's cosine integral: the integral of `cos(pi t ** 2 / 2)` from 0 to `x`.

    Args:
        x: Floating tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> fresnel_cos([0.0, 1.0]).numpy()
    array([0.        , 0.77989346], dtype=float32)
    """
    return _wide(numerics.fresnel_cosine, x)


@fresnel_cos.vjp
def fresnel_cos_vjp(dy, _y, x):
    return multiply(dy, cos(multiply(square(x), np.pi / 2)))


@elementwise(kinds="f", domain=(-3, 3))
def fresnel_sin(xp, x):
    """Fresnel's sine integral: the integral of `sin(pi t ** 2 / 2)` from 0 to `x`.

    Args:
        x: Floating tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> fresnel_sin([0.0, 1.0]).numpy()
    array([0.       , 0.4382591], dtype=float32)
    """
    return _wide(numerics.fresnel_sine, x)


@fresnel_sin.vjp
def fresnel_sin_vjp(dy, _y, x):
    return multiply(dy, sin(multiply(square(x), np.pi / 2)))


@elementwise(kinds="f", domain=(1.2, 3))
def spence(xp, x):
    """Spence's function: the integral of `log(t) / (1 - t)` from 1 to `x`.

    Args:
        x: Floating tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> spence([1.0, 2.0]).numpy()
    array([ 0.       , -0.8224671], dtype=float32)
    """
    return _wide(numerics.spence, x)


@spence.vjp
def spence_vjp(dy, _y, x):
    return multiply(
        dy,
        where(
            x == 1,
            negative(ones_like(x)),
            real_divide(log(x), subtract(1, where(x == 1, zeros_like(x), x))),
        ),
    )


def _over(y, x, limit):
    """`y / x`, and the limit at 0."""
    return where(x == 0, multiply(ones_like(x), limit), divide_no_nan(y, x))


def lbeta(x, name=None):
    """Logarithm of the beta function of the numbers along the last axis.

    Args:
        x: Floating tensor [..., n].
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [...].

    >>> lbeta([2.0, 3.0]).numpy().round(4)
    np.float32(-2.4849)
    """
    x = convert(x)
    return subtract(reduce_sum(lgamma(x), axis=-1), lgamma(reduce_sum(x, axis=-1)))
