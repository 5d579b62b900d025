"""Exponentials, logarithms, roots and the functions made of them, element by element."""

from __future__ import annotations

import numpy as np

from ..core.op import elementwise, number
from .arithmetic import _conj, add, multiply, negative, real_divide, subtract
from .division import multiply_no_nan

FLOATS = "fc"


@elementwise(kinds=FLOATS, domain=(-4, 4))
def exp(xp, x):
    """Exponential, element by element.

    Args:
        x: Floating or complex tensor of any shape.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> exp([0.0, 1.0]).numpy()
    array([1.       , 2.7182817], dtype=float32)
    """
    return xp.exp(x)


@exp.vjp
def exp_vjp(dy, y, _x):
    return multiply(dy, _conj(y))


@exp.vjp_of_arrays
def exp_arrays(dy, y, _x):
    return np.multiply(dy, y._array)


@elementwise(kinds=FLOATS, domain=(0.2, 4))
def log(xp, x):
    """Natural logarithm, element by element.

    Args:
        x: Floating or complex tensor; 0 gives -inf, a negative number nan.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> log([1.0, 2.0]).numpy()
    array([0.       , 0.6931472], dtype=float32)
    """
    return xp.log(x)


@log.vjp
def log_vjp(dy, _y, x):
    return real_divide(dy, _conj(x))


@log.vjp_of_arrays
def log_arrays(dy, _y, x):
    return np.divide(dy, x._array)


@elementwise(kinds=FLOATS, domain=(-0.8, 4))
def log1p(xp, x):
    """`log(1 + x)`, exact for small `x` too.

    Args:
        x: Floating tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> log1p([0.0, 1e-10]).numpy()
    array([0.e+00, 1.e-10], dtype=float32)
    """
    return xp.log1p(x)


@log1p.vjp
def log1p_vjp(dy, _y, x):
    return real_divide(dy, add(_conj(x), 1))


@elementwise(kinds=FLOATS, domain=(-4, 2))
def expm1(xp, x):
    """`exp(x) - 1`, exact for small `x` too.

    Args:
        x: Floating tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> expm1([0.0, 1e-10]).numpy()
    array([0.e+00, 1.e-10], dtype=float32)
    """
    return xp.expm1(x)


@expm1.vjp
def expm1_vjp(dy, _y, x):
    return multiply(dy, exp(_conj(x)))


@elementwise(kinds=FLOATS, domain=(0.2, 4))
def sqrt(xp, x):
    """Square root, element by element.

    Args:
        x: Floating or complex tensor; negative real numbers give nan.

    Returns:
        Tensor of the shape and dtype of `x`. The gradient at 0 is inf.

    >>> sqrt([4.0, 9.0]).numpy()
    array([2., 3.], dtype=float32)
    """
    return xp.sqrt(x)


@sqrt.vjp
def sqrt_vjp(dy, y, _x):
    # Nothing comes from where nothing is asked, not even at 0, where the slope is infinite.
    return multiply_no_nan(real_divide(0.5, _conj(y)), dy)


@elementwise(kinds=FLOATS, domain=(0.2, 4))
def rsqrt(xp, x):
    """`1 / sqrt(x)`, element by element.

    Args:
        x: Floating or complex tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> rsqrt([4.0]).numpy()
    array([0.5], dtype=float32)
    """
    return xp.reciprocal(xp.sqrt(x))


@rsqrt.vjp
def rsqrt_vjp(dy, y, _x):
    y = _conj(y)
    return multiply(multiply(dy, -0.5), multiply(y, multiply(y, y)))


@elementwise(kinds=FLOATS, domain=(-3, 3))
def tanh(xp, x):
    """Hyperbolic tangent, element by element.

    Args:
        x: Floating or complex tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> tanh([0.0, 100.0]).numpy()
    array([0., 1.], dtype=float32)
    """
    return xp.tanh(x)


@tanh.vjp
def tanh_vjp(dy, y, _x):
    return tanh_gradient(dy, _conj(y))


@tanh.vjp_of_arrays
def tanh_arrays(dy, y, _x):
    return tanh_gradient.run(dy, y._array)


@elementwise(kinds=FLOATS, domain=(-0.9, 0.9))
def tanh_gradient(xp, dy, y):
    """`dy * (1 - y * y)`: what goes back through `y = tanh(x)`.

    Args:
        dy: Gradient with respect to `y`.
        y: Result of the forward pass.

    Returns:
        Tensor of the shape and dtype of `y`.

    >>> tanh_gradient([1.0], [0.5]).numpy()
    array([0.75], dtype=float32)
    """
    return xp.multiply(dy, xp.subtract(number(1, y.dtype), xp.multiply(y, y)))


@tanh_gradient.vjp
def tanh_gradient_vjp(ddx, _dx, dy, y):
    y = _conj(y)
    return tanh_gradient(ddx, y), multiply(multiply(ddx, -2), multiply(_conj(dy), y))


@elementwise(kinds=FLOATS, domain=(-4, 4))
def sigmoid(xp, x):
    """`1 / (1 + exp(-x))`, element by element, without overflow.

    Args:
        x: Floating or complex tensor.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> sigmoid([0.0, 1000.0]).numpy()
    array([0.5, 1. ], dtype=float32)
    """
    kind = x.dtype
    if kind.kind == "c":
        return 1 / (1 + xp.exp(-x))
    if kind.itemsize == 2:
        return sigmoid.forward(xp, x.astype("float32")).astype(kind)
    # With (tanh(x / 2) + 1) / 2, which cannot overflow, nothing would be left where the result is small.
    one = number(1, kind)
    return xp.divide(one, xp.add(xp.exp(xp.negative(x)), one))


@sigmoid.vjp
def sigmoid_vjp(dy, y, _x):
    return sigmoid_gradient(dy, _conj(y))


@sigmoid.vjp_of_arrays
def sigmoid_arrays(dy, y, _x):
    return sigmoid_gradient.run(dy, y._array)


@elementwise(kinds=FLOATS, domain=(0.1, 0.9))
def sigmoid_gradient(xp, dy, y):
    """`dy * y * (1 - y)`: what goes back through `y = sigmoid(x)`.

    Args:
        dy: Gradient with respect to `y`.
        y: Result of the forward pass.

    Returns:
        Tensor of the shape and dtype of `y`.

    >>> sigmoid_gradient([1.0], [0.5]).numpy()
    array([0.25], dtype=float32)
    """
    return xp.multiply(dy, xp.multiply(y, xp.subtract(number(1, y.dtype), y)))


@sigmoid_gradient.vjp
def sigmoid_gradient_vjp(ddx, _dx, dy, y):
    y = _conj(y)
    return sigmoid_gradient(ddx, y), multiply(multiply(ddx, _conj(dy)), subtract(1, multiply(y, 2)))


@elementwise(kinds="f", domain=(-4, 4))
def softplus(xp, features):
    """`log(1 + exp(features))`, element by element, without overflow.

    Args:
        features: Floating tensor.

    Returns:
        Tensor of the shape and dtype of `features`.

    >>> softplus([0.0, 100.0]).numpy()
    array([  0.6931472, 100.       ], dtype=float32)
    """
    return xp.logaddexp(features, xp.zeros((), features.dtype))


@softplus.vjp
def softplus_vjp(dy, _y, features):
    return multiply(dy, sigmoid(features))


def log_sigmoid(x, name=None):
    """`log(sigmoid(x))`, element by element, without overflow.

    Args:
        x: Floating tensor.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> log_sigmoid([0.0]).numpy()
    array([-0.6931472], dtype=float32)
    """
    return negative(softplus(negative(x)))
