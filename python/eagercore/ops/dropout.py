"""Dropout: elements set to 0 at random."""

from __future__ import annotations

import functools

from ..base import dtypes, seeds
from ..base.context import settings
from ..core import coerce
from ..core.op import elementwise
from ..core.tensor import convert
from .arithmetic import real_divide, subtract
from .create import cast, shape_of
from .random_draws import philox_kept
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
        lambda shape, dtype, least: kept(shape, least, dtype, seed),
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
    from .random import stateless_seed, stateless_uniform

    return _dropped(
        x, _rate(rate, None), noise_shape,
        lambda shape, dtype: stateless_uniform(shape, seed=seed, dtype=dtype, alg=rng_alg),
        lambda shape, dtype, least: philox_kept(
            stateless_seed(seed, rng_alg), shape=shape, rate=least, dtype=dtype
        ),
    )  # fmt: skip


def general_dropout(x, rate, uniform_sampler, noise_shape=None, name=None):
    """Dropout by random numbers that the caller draws.

    Args:
        x: Floating tensor.
        rate: Chance of each element to be dropped.
        uniform_sampler: `uniform_sampler(shape=..., dtype=...)`, which gives numbers in [0, 1).
        noise_shape: Shape of the random numbers, which broadcast; default that of `x`.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape and dtype of `x`.

    Raises:
        ValueError: If the rate is not in [0, 1), or `x` is not floating.

    >>> from eagercore import constant
    >>> general_dropout([1.0, 1.0], 0.5, lambda shape, dtype: constant([0.2, 0.7], dtype)).numpy()
    array([0., 2.], dtype=float32)
    """

    from .compare import greater_equal

    def draw(shape, dtype):
        return uniform_sampler(shape=shape, dtype=dtype)

    def keep(shape, dtype, least):
        return greater_equal(draw(shape, dtype), least)

    return _dropped(x, _rate(rate, None), noise_shape, draw, keep)


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


def _dropped(x, rate, noise_shape, draw, keep):
    from .compare import greater_equal
    from .create import identity

    x = convert(x)
    if not x.dtype.is_floating:
        raise ValueError(
            f"`x` must be a floating point tensor as it will be scaled. Received: {x.dtype}"
        )
    if not hasattr(rate, "_key") and rate == 0:
        return identity(x)
    shape = shape_of(x) if noise_shape is None else _noise_shape(x, noise_shape)
    if hasattr(rate, "_key"):
        rate = cast(rate, x.dtype)
        chosen, scale = greater_equal(draw(shape, x.dtype), rate), 1.0
        x = real_divide(x, subtract(1, rate))
    else:
        rate = float(rate)
        chosen, scale = keep(shape, x.dtype, rate), 1.0 / (1.0 - rate)
    if chosen.shape != x.shape:
        chosen = broadcast_to(chosen, shape=shape_of(x))
    return masked(x, chosen, scale=scale)


def kept(shape, rate, dtype, seed=None):
    """True with chance `1 - rate`: where `random.uniform`, called in this place, gives `rate` or more.

    Args:
        shape: Shape of the result.
        rate: Chance of False, in [0, 1).
        dtype: Floating dtype of the numbers.
        seed: Seed of this draw.

    Returns:
        Boolean tensor.

    >>> kept([2], 0.0, "float32").numpy()
    array([ True,  True])
    """
    from .random import shape_kind

    dtype = dtypes.as_dtype(dtype)
    stream = seeds.stream_for(seed, ("RandomUniform", dtype.name, shape_kind(shape)))
    return philox_kept(shape=shape, rate=rate, dtype=dtype, stream=stream)


@elementwise(kinds="f", free=("keep",))
def masked(xp, x, keep, *, scale: float = 1.0):
    """`scale * x` where `keep` is true, else 0.

    Args:
        x: Floating tensor.
        keep: Boolean tensor; both shapes broadcast.
        scale: Factor.

    Returns:
        Tensor of the dtype of `x`.

    >>> masked([1.0, 2.0], [True, False], scale=2.0).numpy()
    array([2., 0.], dtype=float32)
    """
    return xp.where(keep, xp.multiply(x, x.dtype.type(scale)), x.dtype.type(0))


@masked.vjp
def masked_vjp(dy, _y, _x, keep, *, scale):
    return masked(dy, keep, scale=scale), None


@masked.samples
def masked_samples(rng):
    yield (rng.normal(size=(2, 3)), rng.normal(size=(2, 3)) > 0), {"scale": 1.5}
    yield (rng.normal(size=(2, 3)), rng.normal(size=(2, 1)) > 0), {}


def _noise_shape(x, noise_shape):
    if coerce.is_symbolic(noise_shape):
        return noise_shape
    dims = coerce.as_shape(noise_shape, "dropout", "noise_shape")
    own = shape_of(x)
    if len(dims) != len(own):
        return dims
    return tuple(o if d is None else d for d, o in zip(dims, own, strict=True))
