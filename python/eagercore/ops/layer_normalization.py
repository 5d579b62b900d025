"""Layer normalization over the last axes in one pass, with its gradient.

Composed of plain ops it keeps six arrays of the input's size for the way back; this keeps the input and two numbers for
each example.
"""

from __future__ import annotations

import numpy as np

from ..base.shapes import TensorSpec
from ..core.op import op
from .arithmetic import add, multiply, negative, real_divide, subtract
from .create import count_of, zeros_like
from .reduce import reduce_mean, reduce_sum


def _axes(rank, count):
    return tuple(range(rank - count, rank))


def _wide(x):
    return np.float32 if x.dtype.itemsize < 4 else x.dtype


@op(kinds="f", outputs=3)
def layer_normalization(xp, x, gamma, beta, *, epsilon: float = 0.001):
    """Each example of `x` with mean `beta` and standard deviation `gamma`, over the last axes.

    Args:
        x: Floating tensor.
        gamma: Scale, in the shape of the last axes of `x`.
        beta: Shift, in the shape of `gamma`.
        epsilon: Added to the variance. Default 0.001.

    Returns:
        List of three tensors: the result in the shape of `x`; the mean of each example, and one over its standard
        deviation, with extent 1 in the last axes.

    >>> y, mean, inverse = layer_normalization([[1.0, 3.0]], [1.0, 1.0], [0.0, 0.0], epsilon=0.0)
    >>> y.numpy().tolist(), mean.numpy().tolist(), inverse.numpy().tolist()
    ([[-1.0, 1.0]], [[2.0]], [[1.0]])
    """
    axes = _axes(x.ndim, gamma.ndim)
    mean = xp.mean(x, axis=axes, keepdims=True, dtype=_wide(x))
    moved = x - mean.astype(x.dtype)
    variance = xp.mean(xp.square(moved), axis=axes, keepdims=True, dtype=_wide(x))
    inverse = 1.0 / xp.sqrt(variance + xp.asarray(epsilon, variance.dtype))
    moved *= inverse.astype(x.dtype)
    moved *= gamma
    moved += beta
    return moved, mean.astype(x.dtype), inverse.astype(x.dtype)


layer_normalization.takes_none = True


@layer_normalization.vjp
def layer_normalization_vjp(dy, result, x, gamma, beta, *, epsilon):
    _, mean, inverse = result
    first = zeros_like(x) if dy[0] is None else dy[0]
    dx, dgamma, dbeta = layer_normalization_gradient(first, x, gamma, mean, inverse)
    count = count_of(gamma, range(len(gamma.shape)))
    if dy[1] is not None:
        dx = add(dx, real_divide(dy[1], count))
    if dy[2] is not None:
        cubed = multiply(multiply(inverse, inverse), inverse)
        share = real_divide(multiply(dy[2], cubed), count)
        dx = subtract(dx, multiply(share, subtract(x, mean)))
    return dx, dgamma, dbeta


@layer_normalization.shape_rule
def layer_normalization_rule(x, gamma, beta, *, epsilon):
    return (x, *([_numbers(x, gamma)] * 2))


def _numbers(x, gamma):
    if x.shape.rank is None or gamma.shape.rank is None:
        return TensorSpec(None, x.dtype)
    axes = _axes(x.shape.rank, gamma.shape.rank)
    return TensorSpec([1 if i in axes else n for i, n in enumerate(x.shape)], x.dtype)


@layer_normalization.samples
def layer_normalization_samples(rng):
    yield (rng.normal(size=(4, 3)), rng.uniform(0.5, 2, 3), rng.normal(size=3)), {}
    yield (rng.normal(size=(2, 3, 4)), rng.uniform(0.5, 2, (3, 4)), rng.normal(size=(3, 4))), {}


@op(kinds="f", outputs=3)
def layer_normalization_gradient(xp, dy, x, gamma, mean, inverse):
    """What goes back through `layer_normalization`.

    Args:
        dy: Gradient of the result.
        x: The input.
        gamma: Scale.
        mean: Mean of each example.
        inverse: One over the standard deviation of each example.

    Returns:
        List of three tensors: gradients of `x`, `gamma` and `beta`.

    >>> dx, dgamma, dbeta = layer_normalization_gradient([[1.0, 1.0]], [[1.0, 3.0]], [1.0, 1.0], [[2.0]], [[1.0]])
    >>> dx.numpy().tolist(), dgamma.numpy().tolist(), dbeta.numpy().tolist()
    ([[0.0, 0.0]], [-1.0, 1.0], [1.0, 1.0])
    """
    axes = _axes(x.ndim, gamma.ndim)
    others = tuple(range(x.ndim - gamma.ndim))
    normal = x - mean
    normal *= inverse
    dgamma = xp.sum(dy * normal, axis=others, dtype=_wide(x)).astype(gamma.dtype)
    dbeta = xp.sum(dy, axis=others, dtype=_wide(x)).astype(gamma.dtype)
    scaled = dy * gamma
    along = xp.mean(scaled * normal, axis=axes, keepdims=True, dtype=_wide(x)).astype(x.dtype)
    normal *= -along
    normal += scaled
    normal -= xp.mean(scaled, axis=axes, keepdims=True, dtype=_wide(x)).astype(x.dtype)
    normal *= inverse
    return normal, dgamma, dbeta


@layer_normalization_gradient.vjp
def layer_normalization_gradient_vjp(dd, _result, dy, x, gamma, mean, inverse):
    ddx, ddgamma, ddbeta = dd
    rank, count = len(x.shape), len(gamma.shape)
    axes, others = _axes(rank, count), tuple(range(rank - count))

    def middle(value):
        return reduce_mean(value, axis=axes, keepdims=True)

    moved = subtract(x, mean)
    normal, scaled = multiply(moved, inverse), multiply(dy, gamma)
    along, level = middle(multiply(scaled, normal)), middle(scaled)
    inner = subtract(subtract(scaled, level), multiply(normal, along))
    weighted = multiply(ddx, inverse)
    crossed = middle(multiply(weighted, normal))
    back_scaled = subtract(subtract(weighted, middle(weighted)), multiply(normal, crossed))
    back_normal = negative(add(multiply(weighted, along), multiply(scaled, crossed)))
    back_normal = add(back_normal, multiply(dy, ddgamma))
    back_dy = add(multiply(back_scaled, gamma), add(multiply(normal, ddgamma), ddbeta))
    back_gamma = reduce_sum(multiply(back_scaled, dy), axis=others) if others else multiply(back_scaled, dy)
    back_x = multiply(back_normal, inverse)
    back_inverse = add(multiply(ddx, inner), multiply(back_normal, moved))
    return (
        back_dy,
        back_x,
        back_gamma,
        negative(reduce_sum(back_x, axis=axes, keepdims=True)),
        reduce_sum(back_inverse, axis=axes, keepdims=True),
    )


@layer_normalization_gradient.shape_rule
def layer_normalization_gradient_rule(dy, x, gamma, mean, inverse):
    return x, gamma, gamma


@layer_normalization_gradient.samples
def layer_normalization_gradient_samples(rng):
    for shape, last in (((4, 3), (3,)), ((2, 3, 4), (3, 4))):
        lead = (*shape[: len(shape) - len(last)], *[1] * len(last))
        yield (
            (
                rng.normal(size=shape), rng.normal(size=shape), rng.uniform(0.5, 2, last),
                rng.normal(size=lead), rng.uniform(0.5, 2, lead),
            ),
            {},
        )  # fmt: skip
