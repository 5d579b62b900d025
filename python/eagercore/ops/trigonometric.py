"""Circular and hyperbolic functions and their inverses, element by element."""

from __future__ import annotations

from ..core.op import elementwise
from .arithmetic import _conj, add, multiply, negative, real_divide, square, subtract
from .exponential import FLOATS, sqrt


@elementwise(kinds=FLOATS, domain=(-3, 3))
def sin(xp, x):
    """Sine of angles in radians.

    Args:
        x: Floating or complex tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> sin([0.0, 1.5707964]).numpy()
    array([0., 1.], dtype=float32)
    """
    return xp.sin(x)


@sin.vjp
def sin_vjp(dy, _y, x):
    return multiply(dy, cos(_conj(x)))


@elementwise(kinds=FLOATS, domain=(-3, 3))
def cos(xp, x):
    """Cosine of angles in radians.

    Args:
        x: Floating or complex tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> cos([0.0]).numpy()
    array([1.], dtype=float32)
    """
    return xp.cos(x)


@cos.vjp
def cos_vjp(dy, _y, x):
    return negative(multiply(dy, sin(_conj(x))))


@elementwise(kinds=FLOATS, domain=(-1, 1))
def tan(xp, x):
    """Tangent of angles in radians.

    Args:
        x: Floating or complex tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> tan([0.0]).numpy()
    array([0.], dtype=float32)
    """
    return xp.tan(x)


@tan.vjp
def tan_vjp(dy, y, _x):
    return multiply(dy, add(square(_conj(y)), 1))


@elementwise(kinds=FLOATS, domain=(-0.8, 0.8))
def asin(xp, x):
    """Angle, in radians, whose sine is `x`.

    Args:
        x: Floating or complex tensor; real numbers outside [-1, 1] give nan.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> asin([0.0, 1.0]).numpy().round(4)
    array([0.    , 1.5708], dtype=float32)
    """
    return xp.arcsin(x)


@asin.vjp
def asin_vjp(dy, _y, x):
    return real_divide(dy, sqrt(subtract(1, square(_conj(x)))))


@elementwise(kinds=FLOATS, domain=(-0.8, 0.8))
def acos(xp, x):
    """Angle, in radians, whose cosine is `x`.

    Args:
        x: Floating or complex tensor; real numbers outside [-1, 1] give nan.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> acos([1.0]).numpy()
    array([0.], dtype=float32)
    """
    return xp.arccos(x)


@acos.vjp
def acos_vjp(dy, _y, x):
    return negative(real_divide(dy, sqrt(subtract(1, square(_conj(x))))))


@elementwise(kinds=FLOATS, domain=(-3, 3))
def atan(xp, x):
    """Angle, in radians, whose tangent is `x`.

    Args:
        x: Floating or complex tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> atan([0.0, 1.0]).numpy().round(4)
    array([0.    , 0.7854], dtype=float32)
    """
    return xp.arctan(x)


@atan.vjp
def atan_vjp(dy, _y, x):
    return real_divide(dy, add(square(_conj(x)), 1))


@elementwise(kinds="f", domain=(0.3, 3))
def atan2(xp, y, x):
    """Angle of the point (x, y), in radians, in the right quadrant.

    Args:
        y: Floating tensor.
        x: Tensor of the same dtype; shapes broadcast.

    Returns:
        Tensor of the common dtype, in [-pi, pi].

    >>> atan2([1.0, -1.0], [0.0, 0.0]).numpy().round(4)
    array([ 1.5708, -1.5708], dtype=float32)
    """
    return xp.arctan2(y, x)


@atan2.vjp
def atan2_vjp(dz, _z, y, x, needs):
    part = real_divide(dz, add(square(x), square(y)))
    return (
        multiply(x, part) if needs[0] else None,
        negative(multiply(y, part)) if needs[1] else None,
    )


@elementwise(kinds=FLOATS, domain=(-3, 3))
def sinh(xp, x):
    """Hyperbolic sine.

    Args:
        x: Floating or complex tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> sinh([0.0]).numpy()
    array([0.], dtype=float32)
    """
    return xp.sinh(x)


@sinh.vjp
def sinh_vjp(dy, _y, x):
    return multiply(dy, cosh(_conj(x)))


@elementwise(kinds=FLOATS, domain=(-3, 3))
def cosh(xp, x):
    """Hyperbolic cosine.

    Args:
        x: Floating or complex tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> cosh([0.0]).numpy()
    array([1.], dtype=float32)
    """
    return xp.cosh(x)


@cosh.vjp
def cosh_vjp(dy, _y, x):
    return multiply(dy, sinh(_conj(x)))


@elementwise(kinds=FLOATS, domain=(-3, 3))
def asinh(xp, x):
    """Number whose hyperbolic sine is `x`.

    Args:
        x: Floating or complex tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> asinh([0.0]).numpy()
    array([0.], dtype=float32)
    """
    return xp.arcsinh(x)


@asinh.vjp
def asinh_vjp(dy, y, _x):
    return real_divide(dy, cosh(_conj(y)))


@elementwise(kinds=FLOATS, domain=(1.2, 3))
def acosh(xp, x):
    """Number whose hyperbolic cosine is `x`.

    Args:
        x: Floating or complex tensor; real numbers below 1 give nan.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> acosh([1.0]).numpy()
    array([0.], dtype=float32)
    """
    return xp.arccosh(x)


@acosh.vjp
def acosh_vjp(dy, y, _x):
    return real_divide(dy, sinh(_conj(y)))


@elementwise(kinds=FLOATS, domain=(-0.8, 0.8))
def atanh(xp, x):
    """Number whose hyperbolic tangent is `x`.

    Args:
        x: Floating or complex tensor; real numbers outside [-1, 1] give nan.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> atanh([0.0]).numpy()
    array([0.], dtype=float32)
    """
    return xp.arctanh(x)


@atanh.vjp
def atanh_vjp(dy, _y, x):
    return real_divide(dy, subtract(1, square(_conj(x))))
