"""Batch normalization in one pass, with its gradient: the mean and variance are those of the batch itself.

The composition of mean, variance, difference and product keeps five arrays of the input's size for the way back and
goes over them a dozen times; these primitives keep the input alone.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..base import dtypes
from ..core.coerce import Axis
from ..core.op import op
from .arithmetic import add, multiply, negative, real_divide, subtract
from .create import count_of, shape_of
from .exponential import rsqrt
from .reduce import reduce_sum
from .shape import reshape
from .sum_to import broadcast_to


def _rows(xp: Any, x: Any, axis: int) -> Any:
    """`x` as [..., channels] with the channels last, without a copy where they are last already."""
    return x if axis == x.ndim - 1 else xp.moveaxis(x, axis, -1)


def _axes(rank: int, axis: int) -> tuple[int, ...]:
    return tuple(i for i in range(rank) if i != axis)


def _along(value: Any, rank: int, axis: int) -> Any:
    """A vector of the channels in a shape that broadcasts with the input."""
    return (
        value if axis == rank - 1 else value.reshape([-1 if i == axis else 1 for i in range(rank)])
    )


def _mean(xp: Any, x: Any, axes: tuple[int, ...]) -> Any:
    """Mean over `axes`; long sums are taken in rows, so that float32 keeps its digits."""
    return xp.mean(x, axis=axes, dtype=np.float32 if x.dtype.itemsize < 4 else x.dtype)


@op(label="FusedBatchNormV3", kinds="f", outputs=3, free=("gamma", "beta"))
def batch_normalization(xp, x, gamma, beta, *, axis: Axis = -1, epsilon: float = 0.001):
    """Each channel of `x` with mean `beta` and standard deviation `gamma`, over the batch that is given.

    Args:
        x: Floating tensor of rank 2 at least.
        gamma: Scale of each channel.
        beta: Shift of each channel.
        axis: Axis of the channels. Default last.
        epsilon: Added to the variance. Default 0.001.

    Returns:
        List of three tensors: the result in the shape of `x`, and the mean and the variance of each channel.

    >>> y, mean, variance = batch_normalization([[1.0], [3.0]], [1.0], [0.0])
    >>> y.numpy().round(4).tolist(), float(mean[0]), float(variance[0])
    ([[-0.9994999766349792], [0.9994999766349792]], 2.0, 1.0)
    """
    axis %= x.ndim
    axes = _axes(x.ndim, axis)
    mean = _mean(xp, x, axes)
    moved = x - _along(mean.astype(x.dtype), x.ndim, axis)
    variance = _mean(xp, xp.square(moved), axes)
    scale = gamma * (1.0 / xp.sqrt(variance + xp.asarray(epsilon, variance.dtype)))
    moved *= _along(scale.astype(x.dtype), x.ndim, axis)
    moved += _along(beta.astype(x.dtype), x.ndim, axis)
    return moved, mean, variance


@batch_normalization.vjp
def batch_normalization_vjp(dy, result, x, gamma, _beta, *, axis, epsilon):
    _, mean, variance = result
    back, of_mean, of_variance = dy
    dx = dgamma = dbeta = None
    if back is not None:
        dx, dgamma, dbeta = batch_normalization_gradient(
            back, x, gamma, mean, variance, axis=axis, epsilon=epsilon
        )
    rank = len(x.shape)
    axis %= rank
    count = count_of(x, _axes(rank, axis))
    shape = [-1 if i == axis else 1 for i in range(rank)]
    shares = []
    if of_mean is not None:
        shares.append(broadcast_to(real_divide(reshape(of_mean, shape), count), shape=shape_of(x)))
    if of_variance is not None:
        slope = real_divide(multiply(reshape(of_variance, shape), 2.0), count)
        shares.append(multiply(subtract(x, reshape(mean, shape)), slope))
    for share in shares:
        dx = share if dx is None else add(dx, share)
    return dx, dgamma, dbeta


#: Nobody asks for the gradients of the mean and the variance that go into the moving averages.
batch_normalization.takes_none = True


@batch_normalization.shape_rule
def batch_normalization_rule(x, gamma, beta, *, axis, epsilon):
    from ..base.shapes import TensorSpec

    channels = TensorSpec([x.shape[axis]], dtypes.float32 if x.dtype.size < 4 else x.dtype)
    return x, channels, channels


@batch_normalization.samples
def batch_normalization_samples(rng):
    yield (rng.normal(size=(4, 3)), rng.uniform(0.5, 2, 3), rng.normal(size=3)), {}
    yield (rng.normal(size=(2, 3, 2, 2)), rng.uniform(0.5, 2, 3), rng.normal(size=3)), {"axis": 1}


@op(label="FusedBatchNormGradV3", kinds="f", outputs=3, free=("gamma", "mean", "variance"))
def batch_normalization_gradient(
    xp, dy, x, gamma, mean, variance, *, axis: Axis = -1, epsilon: float = 0.001
):
    """Gradient of `batch_normalization` with respect to the input, the scale and the shift.

    Args:
        dy: Gradient of the result.
        x: The input.
        gamma: Scale of each channel.
        mean: Mean of each channel of `x`.
        variance: Variance of each channel of `x`.
        axis: Axis of the channels.
        epsilon: What was added to the variance.

    Returns:
        List of three tensors: gradients of `x`, `gamma` and `beta`.

    >>> dx, dgamma, dbeta = batch_normalization_gradient([[1.0], [1.0]], [[1.0], [3.0]], [1.0], [2.0], [1.0])
    >>> dx.numpy().tolist(), float(dbeta[0])
    ([[0.0], [0.0]], 2.0)
    """
    axis %= x.ndim
    axes, kind = _axes(x.ndim, axis), x.dtype
    count = math.prod(x.shape[i] for i in axes)
    inverse = 1.0 / xp.sqrt(variance + xp.asarray(epsilon, variance.dtype))
    normal = x - _along(mean.astype(kind), x.ndim, axis)
    normal *= _along(inverse.astype(kind), x.ndim, axis)
    product = dy * normal
    dgamma = xp.sum(product, axis=axes, dtype=variance.dtype)
    dbeta = xp.sum(dy, axis=axes, dtype=variance.dtype)
    # dx = gamma / deviation * (dy - mean(dy) - normal * mean(dy * normal))
    normal *= _along((-dgamma / count).astype(kind), x.ndim, axis)
    normal += dy
    normal -= _along((dbeta / count).astype(kind), x.ndim, axis)
    normal *= _along((gamma * inverse).astype(kind), x.ndim, axis)
    return normal, dgamma.astype(gamma.dtype), dbeta.astype(gamma.dtype)


@batch_normalization_gradient.vjp
def batch_normalization_gradient_vjp(dd, _result, dy, x, gamma, mean, variance, *, axis, epsilon):
    ddx, ddgamma, ddbeta = dd
    rank = len(x.shape)
    axis %= rank
    axes = _axes(rank, axis)
    shape = [-1 if i == axis else 1 for i in range(rank)]
    count = count_of(x, axes)

    def total(value):
        return reduce_sum(value, axis=axes, keepdims=True)

    gamma, ddgamma, ddbeta = (reshape(v, shape) for v in (gamma, ddgamma, ddbeta))
    inverse = rsqrt(add(reshape(variance, shape), epsilon))
    normal = multiply(subtract(x, reshape(mean, shape)), inverse)
    scale = multiply(gamma, inverse)
    dgamma, dbeta = total(multiply(dy, normal)), total(dy)
    sum_ddx, along = total(ddx), total(multiply(ddx, normal))
    share = real_divide(add(sum_ddx, multiply(normal, along)), count)
    back_dy = add(multiply(scale, subtract(ddx, share)), add(multiply(ddgamma, normal), ddbeta))
    inner = subtract(
        total(multiply(ddx, dy)),
        real_divide(add(multiply(sum_ddx, dbeta), multiply(along, dgamma)), count),
    )
    crossed = real_divide(add(multiply(ddx, dgamma), multiply(dy, along)), count)
    of_normal = subtract(multiply(ddgamma, dy), multiply(scale, crossed))
    back_x = multiply(of_normal, inverse)
    of_inverse = add(
        multiply(gamma, inner), real_divide(total(multiply(of_normal, normal)), inverse)
    )
    cubed = multiply(multiply(inverse, inverse), inverse)
    return (
        back_dy,
        back_x,
        reshape(multiply(inverse, inner), (-1,)),
        reshape(negative(total(back_x)), (-1,)),
        reshape(multiply(multiply(of_inverse, cubed), -0.5), (-1,)),
    )


@batch_normalization_gradient.shape_rule
def batch_normalization_gradient_rule(dy, x, gamma, mean, variance, *, axis, epsilon):
    from ..base.shapes import TensorSpec

    channels = TensorSpec([x.shape[axis]], gamma.dtype)
    return x, channels, channels


@batch_normalization_gradient.samples
def batch_normalization_gradient_samples(rng):
    x = rng.normal(size=(4, 3))
    yield (
        (rng.normal(size=(4, 3)), x, rng.uniform(0.5, 2, 3), x.mean(0), x.var(0)),
        {},
    )
