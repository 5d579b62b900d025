"""Activations of neural networks, element by element."""

from __future__ import annotations

import numpy as np

from ..core.op import elementwise
from ..core.tensor import convert
from . import special_numerics
from .arithmetic import add, multiply, negative, real_abs, square, subtract
from .compare import greater, less
from .create import cast, ones_like, zeros_like
from .division import reciprocal
from .exponential import exp, sigmoid, sigmoid_gradient, tanh
from .nn import relu
from .select import where
from .shape import concat

SELU_SCALE = 1.0507009873554805
SELU_ALPHA = 1.6732632423543772
ROOT_2_OVER_PI = 0.7978845608028654


@elementwise(kinds="iuf", domain=(0.5, 5))
def relu6(xp, features):
    """`min(max(features, 0), 6)`, element by element.

    Args:
        features: Real tensor.

    Returns:
        Tensor of the shape and dtype of `features`. The gradient at 0 and at 6 is 0.

    >>> relu6([-1.0, 2.0, 8.0]).numpy()
    array([0., 2., 6.], dtype=float32)
    """
    zero, six = xp.zeros((), features.dtype), xp.asarray(6, features.dtype)
    return xp.minimum(xp.maximum(features, zero), six)


@relu6.vjp
def relu6_vjp(dy, _y, x):
    inside = multiply(cast(greater(x, zeros_like(x)), x.dtype), cast(less(x, 6), x.dtype))
    return multiply(dy, inside)


@elementwise(kinds="f", domain=(-3, 3))
def elu(xp, features, *, alpha: float = 1.0):
    """`features` where positive, else `alpha * (exp(features) - 1)`.

    Args:
        features: Floating tensor.
        alpha: Size of what negative numbers tend to. Default 1.

    Returns:
        Tensor of the shape and dtype of `features`. The gradient at 0 is 1.

    >>> elu([-1.0, 2.0]).numpy()
    array([-0.63212055,  2.        ], dtype=float32)
    """
    low = xp.expm1(xp.minimum(features, xp.zeros((), features.dtype)))
    return xp.where(features >= 0, features, low * features.dtype.type(alpha))


@elu.vjp
def elu_vjp(dy, _y, x, *, alpha):
    negative_part = less(x, zeros_like(x))
    low = multiply(exp(where(negative_part, x, zeros_like(x))), alpha)
    return multiply(dy, where(negative_part, low, ones_like(x)))


@elementwise(kinds="f", domain=(-3, 3))
def selu(xp, features):
    """Scaled exponential linear unit, which keeps mean 0 and variance 1.

    Args:
        features: Floating tensor.

    Returns:
        Tensor of the shape and dtype of `features`. The gradient at 0 is 1.0507.

    >>> selu([-1.0, 2.0]).numpy()
    array([-1.1113307,  2.101402 ], dtype=float32)
    """
    kind = features.dtype.type
    low = xp.expm1(xp.minimum(features, xp.zeros((), features.dtype))) * kind(SELU_ALPHA)
    return xp.where(features >= 0, features, low) * kind(SELU_SCALE)


@selu.vjp
def selu_vjp(dy, _y, x):
    negative_part = less(x, zeros_like(x))
    low = multiply(exp(where(negative_part, x, zeros_like(x))), SELU_ALPHA)
    return multiply(dy, multiply(where(negative_part, low, ones_like(x)), SELU_SCALE))


@elementwise(kinds="f", domain=(-3, 3))
def softsign(xp, features):
    """`features / (1 + |features|)`, element by element.

    Args:
        features: Floating tensor.

    Returns:
        Tensor of the shape and dtype of `features`.

    >>> softsign([-1.0, 3.0]).numpy()
    array([-0.5 ,  0.75], dtype=float32)
    """
    return features / (xp.abs(features) + xp.ones((), features.dtype))


@softsign.vjp
def softsign_vjp(dy, _y, x):
    return multiply(dy, square(reciprocal(add(real_abs(x), 1))))


@elementwise(kinds="f", domain=(-3, 3))
def silu_op(xp, features):
    """`features * sigmoid(features)`, element by element.

    Args:
        features: Floating tensor.

    Returns:
        Tensor of the shape and dtype of `features`.

    >>> silu_op([0.0, 1.0]).numpy()
    array([0.       , 0.7310586], dtype=float32)
    """
    return xp.multiply(features, sigmoid.forward(xp, features))


@silu_op.vjp
def silu_vjp(dy, _y, x):
    s = sigmoid(x)
    return multiply(dy, add(s, sigmoid_gradient(x, s)))


def silu(features, beta=1.0, name=None):
    """`features * sigmoid(beta * features)`, element by element: SiLU or Swish.

    Args:
        features: Floating tensor.
        beta: Number or tensor. Default 1.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape and dtype of `features`.

    >>> silu([0.0, 1.0]).numpy()
    array([0.       , 0.7310586], dtype=float32)
    """
    features = convert(features)
    if not hasattr(beta, "_key") and not hasattr(beta, "_read_array") and beta == 1:
        return silu_op(features)
    return multiply(features, sigmoid(multiply(features, beta)))


swish = silu


@elementwise(kinds="f", domain=(-3, 3))
def gelu_op(xp, features, *, approximate: bool = False):
    """Gaussian error linear unit: `features` times the chance that a standard normal number is smaller.

    Args:
        features: Floating tensor.
        approximate: Whether to take the approximation by tanh.

    Returns:
        Tensor of the shape and dtype of `features`.

    >>> gelu_op([0.0, 1.0]).numpy()
    array([0.       , 0.8413447], dtype=float32)
    """
    kind = features.dtype.type
    if approximate:
        inner = features + kind(0.044715) * features * features * features
        return kind(0.5) * features * (kind(1) + xp.tanh(kind(ROOT_2_OVER_PI) * inner))
    wide = np.atleast_1d(np.asarray(features, np.float64))
    share = 0.5 * special_numerics.erfc(-wide / np.sqrt(2.0))
    return features * share.reshape(features.shape).astype(features.dtype)


@gelu_op.vjp
def gelu_vjp(dy, _y, x, *, approximate):
    if approximate:
        t = tanh(multiply(add(x, multiply(multiply(square(x), x), 0.044715)), ROOT_2_OVER_PI))
        slope = multiply(add(multiply(square(x), 3 * 0.044715), 1), ROOT_2_OVER_PI)
        own = multiply(add(t, 1), 0.5)
        return multiply(
            dy, add(own, multiply(multiply(x, 0.5), multiply(subtract(1, square(t)), slope)))
        )
    return gelu_gradient(dy, x)


@elementwise(kinds="f", domain=(-3, 3))
def gelu_gradient(xp, dy, x):
    """What goes back through `gelu_op`: `dy` times the share of smaller normal numbers and `x` times their density.

    Args:
        dy: Gradient of the result.
        x: Argument of the forward pass.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> gelu_gradient([1.0, 2.0], [0.0, 0.0]).numpy()
    array([0.5, 1. ], dtype=float32)
    """
    wide = np.atleast_1d(np.asarray(x, np.float64))
    with np.errstate(all="ignore"):
        density = np.exp(-0.5 * wide * wide) * (ROOT_2_OVER_PI / 2)
        slope = 0.5 * special_numerics.erfc(-wide / np.sqrt(2.0)) + wide * density
    return dy * slope.reshape(x.shape).astype(x.dtype)


@gelu_gradient.vjp
def gelu_gradient_vjp(ddx, _dx, dy, x):
    squared = square(x)
    density = multiply(exp(multiply(squared, -0.5)), ROOT_2_OVER_PI / 2)
    return gelu_gradient(ddx, x), multiply(
        ddx, multiply(dy, multiply(density, subtract(2, squared)))
    )


@gelu_op.samples
def gelu_samples(rng):
    yield (rng.normal(size=(2, 3)),), {}
    yield (rng.normal(size=(2, 3)),), {"approximate": True}


def gelu(features, approximate=False, name=None):
    """Gaussian error linear unit: `features` times the chance that a standard normal number is smaller.

    Args:
        features: Floating tensor.
        approximate: Whether to take the approximation by tanh. Default False.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape and dtype of `features`.

    >>> gelu([0.0, 1.0]).numpy()
    array([0.       , 0.8413447], dtype=float32)
    """
    return gelu_op(features, approximate=approximate)


def crelu(features, axis=-1, name=None):
    """The positive parts of `features` and of `-features`, side by side.

    Args:
        features: Real tensor.
        axis: Axis along which they are joined. Default last.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor twice as long along `axis`.

    >>> crelu([-1.0, 2.0]).numpy()
    array([0., 2., 1., 0.], dtype=float32)
    """
    features = convert(features)
    return relu(concat([features, negative(features)], axis=axis))
