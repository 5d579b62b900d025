"""Dropout: elements set to 0 at random."""

from __future__ import annotations

import functools

from ..base.context import settings
from ..core import coerce
from ..core.tensor import convert
from .arithmetic import multiply, real_divide, subtract
from .create import cast, shape_of, zeros_like
from .sum_to import broadcast_to


def _second_is_keep_prob(function):
    """In a program of TensorFlow 1 the second argument by position is the chance to be kept."""

    @functools.wraps(function)
    def called(*args, **kwargs):
        if settings.first_generation and len(args) > 1 and args[1] is not None:
            args, kwargs = (args[0], None, *args[2:]), {**kwargs, "keep_prob": args[1]}
        return function(*args, **kwargs)

    return called


@_second_is_keep_prob
def dropout(x, rate=None, noise_shape=None, seed=None, name=None, keep_prob=None):
    """Elements set to 0 at random, the others made larger so that the sum is kept in expectation.

    Args:
        x: Floating tensor.
        rate: Chance of each element to be dropped. After `tf.enable_eager_execution()`, by which programs of
            TensorFlow 1 begin, a second argument by position is `keep_prob`.
        noise_shape: Shape of the random numbers, which broadcast; default that of `x`.
        seed: Seed of this draw.
        name: Accepted for TensorFlow's sake.
        keep_prob: TensorFlow 1's: chance of each element to be kept.

    Returns:
        Tensor of the shape and dtype of `x`.

    Raises:
        ValueError: If the rate is not in [0, 1), or `x` is not floating.

    >>> dropout([1.0, 1.0], rate=0.0).numpy()
    array([1., 1.], dtype=float32)
    """
    from .random import uniform

    return _dropped(
        x,
        _rate(rate, keep_prob),
        noise_shape,
        lambda shape, dtype: uniform(shape, seed=seed, dtype=dtype),
    )


def stateless_dropout(x, rate, seed, rng_alg="auto_select", noise_shape=None, name=None):
    """Dropout whose pattern depends on the seed alone.

    Args:
        x: Floating tensor.
        rate: Chance of each element to be dropped.
        seed: Two integers.
        rng_alg: Algorithm of the random numbers.
        noise_shape: Shape of the random numbers, which broadcast; default that of `x`.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> stateless_dropout([1.0, 1.0], 0.0, [1, 2]).numpy()
    array([1., 1.], dtype=float32)
    """
    from .random import stateless_uniform

    return _dropped(
        x, _rate(rate, None), noise_shape,
        lambda shape, dtype: stateless_uniform(shape, seed=seed, dtype=dtype, alg=rng_alg),
    )  # fmt: skip


def _rate(rate, keep_prob):
    if keep_prob is not None:
        if rate is not None:
            raise ValueError("Only one of rate and keep_prob can be given.")
        rate = 1 - keep_prob
    if rate is None:
        raise ValueError("You must provide a rate to dropout.")
    plain = coerce.plain(rate)
    if not getattr(rate, "_is_symbolic", False) and not 0 <= float(plain) < 1:
        raise ValueError(
            f"`rate` must be a scalar tensor or a float in the range [0, 1). Received: rate={rate}"
        )
    return rate


def _dropped(x, rate, noise_shape, draw):
    from .compare import greater_equal
    from .create import identity
    from .select import where

    x = convert(x)
    if not x.dtype.is_floating:
        raise ValueError(
            f"`x` must be a floating point tensor as it will be scaled. Received: {x.dtype}"
        )
    if not hasattr(rate, "_key") and rate == 0:
        return identity(x)
    shape = shape_of(x) if noise_shape is None else _noise_shape(x, noise_shape)
    drawn = draw(shape, x.dtype)
    if hasattr(rate, "_key"):
        rate = cast(rate, x.dtype)
        scaled = real_divide(x, subtract(1, rate))
    else:
        scaled = multiply(x, 1.0 / (1.0 - float(rate)))
    keep = greater_equal(drawn, rate)
    return where(
        broadcast_to(keep, shape=shape_of(x)) if keep.shape != x.shape else keep,
        scaled,
        zeros_like(x),
    )


def _noise_shape(x, noise_shape):
    if coerce.is_symbolic(noise_shape):
        return noise_shape
    dims = coerce.as_shape(noise_shape, "dropout", "noise_shape")
    own = shape_of(x)
    if len(dims) != len(own):
        return dims
    return tuple(o if d is None else d for d, o in zip(dims, own, strict=True))
