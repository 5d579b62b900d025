"""The random operations that graphs are made of: each draws numbers of one distribution.

A draw takes its position from one of two places.  With `stream` it is stateful: the stream's position
moves on at each run.  With the tensor `seed` it is stateless: two integers are scrambled into a
position, three are a position (counter low, counter high, key), as a `Generator` keeps it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..backend import parallel
from ..base import candidates, draws, dtypes, errors, rejection
from ..base.philox import Philox
from ..base.seeds import Stream, active_streams
from ..base.shapes import TensorShape, TensorSpec, broadcast_shapes
from ..core import coerce
from ..core.coerce import DType, Shape
from ..core.op import barrier
from .arithmetic import multiply
from .create import shape_of
from .sum_to import sum_to

#: Large draws are made on several threads.
draws.in_parts = parallel.run

FLOATS = ("float16", "bfloat16", "float32", "float64")


def position(op: str, seed: Any, stream: Stream | None, blocks: int) -> Philox:
    """Where to draw from."""
    if seed is None:
        if stream is None:
            raise errors.value_error(op, "neither `seed` nor `stream` was given.")
        return stream.reserve(blocks)
    if seed.dtype.kind not in "iu":
        raise errors.dtype_error(
            op, f"`seed` must be two int32 or int64 numbers, got {dtypes.of_array(seed).name}."
        )
    if seed.shape == (3,):
        return Philox.from_state(seed)
    if seed.shape != (2,):
        raise errors.shape_error(op, f"seed must have shape [2], not {list(seed.shape)}.")
    return Philox.from_stateless_seed(seed)


def checked_shape(op: str, shape: Any) -> tuple[int, ...]:
    """A shape that can be made."""
    if shape is None:
        raise errors.value_error(op, "`shape` must be a list of whole numbers, got None.")
    dims = tuple(int(d) if d is not None else -1 for d in np.asarray(shape, object).reshape(-1))
    if any(d < 0 for d in dims):
        raise errors.shape_error(
            op, f"`shape` must not have negative dimensions, got {list(shape)}."
        )
    return dims


def spec(shape: Any, dtype: Any, *behind: Any) -> TensorSpec:
    """What a result is, as far as `shape` is known; `behind` are further dimensions."""
    if shape is None:
        return TensorSpec(None, dtype)
    if not isinstance(shape, list | tuple):
        # A tensor: how many dimensions there are may still be known.
        rank = shape.shape[0] if shape.shape.rank == 1 else None
        dims = None if rank is None else [*[None] * rank, *behind]
        return TensorSpec(dims, dtype)
    dims = [None if coerce.is_symbolic(d) or d is None or d < 0 else d for d in shape]
    return TensorSpec(TensorShape([*dims, *behind]), dtype)


def _floating(op: str, dtype: Any) -> np.dtype:
    if dtype.name not in FLOATS:
        raise errors.dtype_error(
            op,
            f"Value for attr 'dtype' of {dtype.name} is not in the list of allowed values: {', '.join(FLOATS)}.",
        )
    return dtype._numpy()


def _float_samples(rng):
    yield (np.array([1, 2], np.int32),), {"shape": (2, 3)}
    yield (np.array([3, 0, 4], np.int64),), {"shape": (7,), "dtype": dtypes.float64}


@barrier(label="RandomUniform", free=("seed",), differentiable=False)
def philox_uniform(
    xp, seed=None, *, shape: Shape, dtype: DType = dtypes.float32, stream: Any = None
):
    """Uniform numbers in `[0, 1)`.

    Args:
        seed: Two integers, or three that are a position, or nothing when there is a stream.
        shape: Shape of the result.
        dtype: Floating type of the result.
        stream: The operation's `Stream`, or None.

    Returns:
        Tensor of that shape and dtype.

    >>> philox_uniform([1, 2], shape=[2]).numpy()
    array([0.8440604 , 0.19204533], dtype=float32)
    """
    shape, kind = checked_shape("RandomUniform", shape), _floating("RandomUniform", dtype)
    place = position("RandomUniform", seed, stream, draws.RESERVED * math.prod(shape))
    return draws.uniform(place, shape, kind)


@barrier(label="RandomUniform", free=("seed",), differentiable=False)
def philox_kept(
    xp,
    seed=None,
    *,
    shape: Shape,
    rate: float,
    dtype: DType = dtypes.float32,
    stream: Any = None,
):
    """Where the uniform numbers of `philox_uniform` are `rate` or more.

    Args:
        seed: Two integers, or three that are a position, or nothing when there is a stream.
        shape: Shape of the result.
        rate: Chance of False, in `[0, 1)`.
        dtype: Floating type of the numbers that are compared.
        stream: The operation's `Stream`, or None.

    Returns:
        Boolean tensor of that shape.

    >>> philox_kept([1, 2], shape=[2], rate=0.5).numpy()
    array([ True, False])
    """
    shape, kind = checked_shape("RandomUniform", shape), _floating("RandomUniform", dtype)
    place = position("RandomUniform", seed, stream, draws.RESERVED * math.prod(shape))
    return draws.kept(place, shape, kind, rate)


@philox_kept.shape_rule
def _kept_rule(seed=None, *, shape, rate, dtype, stream):
    return spec(shape, dtypes.bool_)


@philox_kept.samples
def _kept_samples(rng):
    yield (np.array([1, 2], np.int32),), {"shape": (2, 3), "rate": 0.3}
    yield (np.array([3, 0, 4], np.int64),), {"shape": (7,), "rate": 0.5, "dtype": dtypes.float64}


@barrier(label="RandomStandardNormal", free=("seed",), differentiable=False)
def philox_normal(
    xp, seed=None, *, shape: Shape, dtype: DType = dtypes.float32, stream: Any = None
):
    """Standard normal numbers.

    Args:
        seed: Two integers, or three that are a position, or nothing when there is a stream.
        shape: Shape of the result.
        dtype: Floating type of the result.
        stream: The operation's `Stream`, or None.

    Returns:
        Tensor of that shape and dtype.

    >>> philox_normal([1, 2], shape=[2]).numpy()
    array([0.5441101 , 0.20738031], dtype=float32)
    """
    shape = checked_shape("RandomStandardNormal", shape)
    kind = _floating("RandomStandardNormal", dtype)
    place = position("RandomStandardNormal", seed, stream, draws.RESERVED * math.prod(shape))
    return draws.normal(place, shape, kind)


@barrier(label="TruncatedNormal", free=("seed",), differentiable=False)
def philox_truncated_normal(
    xp, seed=None, *, shape: Shape, dtype: DType = dtypes.float32, stream: Any = None
):
    """Standard normal numbers between -2 and 2.

    Args:
        seed: Two integers, or three that are a position, or nothing when there is a stream.
        shape: Shape of the result.
        dtype: Floating type of the result.
        stream: The operation's `Stream`, or None.

    Returns:
        Tensor of that shape and dtype.

    >>> philox_truncated_normal([1, 2], shape=[2]).numpy()
    array([0.5441101 , 0.20738031], dtype=float32)
    """
    shape = checked_shape("TruncatedNormal", shape)
    kind = _floating("TruncatedNormal", dtype)
    place = position("TruncatedNormal", seed, stream, draws.RESERVED * math.prod(shape))
    return draws.truncated_normal(place, shape, kind)


def _float_rule(seed=None, *, shape, dtype, stream):
    return spec(shape, dtype)


for _op in (philox_uniform, philox_normal, philox_truncated_normal):
    _op.shape_rule(_float_rule)
    _op.samples(_float_samples)


@barrier(label="StatelessRandomUniformFullInt", free=("seed",), differentiable=False)
def philox_full_integers(
    xp, seed=None, *, shape: Shape, dtype: DType = dtypes.uint64, stream: Any = None
):
    """Integers over the whole range of their type.

    Args:
        seed: Two integers, or three that are a position, or nothing when there is a stream.
        shape: Shape of the result.
        dtype: int32, uint32, int64 or uint64.
        stream: The operation's `Stream`, or None.

    Returns:
        Tensor of that shape and dtype.

    >>> philox_full_integers([1, 2], shape=[2], dtype="int32").numpy()
    array([1105988140, 1738052849], dtype=int32)
    """
    name = "StatelessRandomUniformFullInt"
    if dtype.name not in ("int32", "uint32", "int64", "uint64"):
        raise errors.dtype_error(
            name, f"`dtype` must be int32, uint32, int64 or uint64, got {dtype.name}."
        )
    shape = checked_shape(name, shape)
    place = position(name, seed, stream, draws.RESERVED * math.prod(shape))
    return draws.full_integers(place, shape, dtype._numpy())


@philox_full_integers.shape_rule
def _full_integers_rule(seed=None, *, shape, dtype, stream):
    return spec(shape, dtype)


@philox_full_integers.samples
def _full_integers_samples(rng):
    yield (np.array([1, 2], np.int32),), {"shape": (2, 3)}


@barrier(label="RandomUniformInt", free=("seed",), kinds="i", differentiable=False)
def philox_integers(xp, minval, maxval, seed=None, *, shape: Shape, stream: Any = None):
    """Integers in `[minval, maxval)`.

    Args:
        minval: Smallest value: int32 or int64 scalar.
        maxval: First value above, of the same type.
        seed: Two integers, or three that are a position, or nothing when there is a stream.
        shape: Shape of the result.
        stream: The operation's `Stream`, or None.

    Returns:
        Tensor of that shape and of the type of the bounds.

    >>> philox_integers(0, 10, [1, 2], shape=[3]).numpy()
    array([0, 9, 4], dtype=int32)
    """
    name = "RandomUniformInt"
    shape = checked_shape(name, shape)
    for label, bound in (("minval", minval), ("maxval", maxval)):
        if bound.ndim:
            raise errors.shape_error(
                name,
                f"{label} must be 0-D, got shape {list(bound.shape)}: integers are drawn from one range.",
            )
    if minval.dtype.itemsize < 4:
        raise errors.dtype_error(name, f"integers are int32 or int64, got {minval.dtype}.")
    low, high = int(minval), int(maxval)
    place = position(name, seed, stream, draws.RESERVED * math.prod(shape))
    if math.prod(shape) and low >= high:
        raise errors.value_error(name, f"Need minval < maxval, got {low} >= {high}.")
    return draws.integers(place, shape, low, max(high, low + 1), minval.dtype)


@philox_integers.shape_rule
def _integers_rule(minval, maxval, seed=None, *, shape, stream):
    return spec(shape, minval.dtype)


@philox_integers.samples
def _integers_samples(rng):
    seed = np.array([1, 2], np.int32)
    yield (np.int32(-3), np.int32(7), seed), {"shape": (2, 3)}
    yield (np.int64(0), np.int64(1), seed), {"shape": (0, 3)}


@barrier(label="RandomShuffle", free=("seed",), differentiable=False)
def philox_permutation(xp, value, seed=None, *, stream: Any = None):
    """A random order of the first axis of a tensor.

    Args:
        value: Tensor; only its length matters.
        seed: Two integers, or three that are a position, or nothing when there is a stream.
        stream: The operation's `Stream`, or None.

    Returns:
        int64 tensor of the shape `value.shape[:1]`: the positions `0 ... n - 1`, shuffled.

    >>> philox_permutation([0, 0, 0], [8, 9]).numpy()
    array([2, 0, 1])
    """
    size = value.shape[0]
    # Nothing is drawn for what cannot be shuffled.
    if size < 2 or value.size < 2:
        return np.arange(size)
    return draws.permutation(position("RandomShuffle", seed, stream, -(-(size - 1) // 4)), size)


@philox_permutation.shape_rule
def _permutation_rule(value, seed=None, *, stream):
    return TensorSpec(value.shape[:1], dtypes.int64)


@philox_permutation.samples
def _permutation_samples(rng):
    yield (rng.normal(size=(5, 2)), np.array([1, 2], np.int32)), {}
    yield (rng.normal(size=(1,)), np.array([1, 2], np.int32)), {}


@barrier(label="Multinomial", free=("seed",), kinds="f", differentiable=False)
def philox_categorical(
    xp, logits, seed=None, *, num_samples: int, dtype: DType = dtypes.int64, stream: Any = None
):
    """Class indices drawn with the weights `exp(logits)`.

    Args:
        logits: Floating tensor (batch, classes).
        seed: Two integers, or three that are a position, or nothing when there is a stream.
        num_samples: Number of draws for each row.
        dtype: int32 or int64.
        stream: The operation's `Stream`, or None.

    Returns:
        Tensor (batch, num_samples) of that type.

    >>> philox_categorical([[0.0, 0.0]], [7, 17], num_samples=5).numpy()
    array([[1, 0, 1, 0, 0]])
    """
    if logits.ndim != 2:
        raise errors.shape_error(
            "Multinomial",
            f"logits should be a matrix (batch, classes), got shape {list(logits.shape)}. "
            "Add the batch axis: logits[tf.newaxis, :].",
        )
    num_samples = int(num_samples)
    if num_samples < 0:
        raise errors.value_error(
            "Multinomial", f"num_samples should be non-negative, got {num_samples}."
        )
    batch, classes = logits.shape
    if not classes:
        raise errors.shape_error("Multinomial", "num_classes should be positive, got 0.")
    if not batch * num_samples:
        return np.zeros((batch, num_samples), dtype._numpy())
    # Two words a sample, and rows of samples are reserved in whole blocks.
    blocks = draws.RESERVED * batch * (-(-num_samples // 4) * 4 * 2)
    place = position("Multinomial", seed, stream, blocks)
    return draws.categorical(place, logits, num_samples).astype(dtype._numpy())


@philox_categorical.shape_rule
def _categorical_rule(logits, seed=None, *, num_samples, dtype, stream):
    batch = logits.shape[0] if logits.shape.rank else None
    return TensorSpec([batch, None if coerce.is_symbolic(num_samples) else num_samples], dtype)


@philox_categorical.samples
def _categorical_samples(rng):
    yield (rng.normal(size=(2, 3)), np.array([1, 2], np.int32)), {"num_samples": 4}
    yield (rng.normal(size=(2, 3)), np.array([1, 2], np.int32)), {"num_samples": 0}


def _sample_shape(op: str, shape: Any, parameter: Any, whole: bool) -> tuple[int, ...]:
    """The shape of the samples that are drawn for each element of the parameter."""
    shape = checked_shape(op, shape)
    if not whole:
        return shape
    own = parameter.shape
    if len(shape) < len(own) or shape[len(shape) - len(own) :] != own:
        raise errors.shape_error(
            op,
            f"Shape passed in must end with broadcasted shape: {list(shape)} does not end with {list(own)}.",
        )
    return shape[: len(shape) - len(own)]


def _parameter_rule(parameter: Any, shape: Any, whole: bool, dtype: Any) -> TensorSpec:
    if whole:
        return spec(shape, dtype)
    if parameter.shape.rank is None:
        return TensorSpec(None, dtype)
    return spec(shape, dtype, *parameter.shape)


@barrier(label="RandomGamma", free=("seed",), kinds="f", stochastic=True)
def philox_gamma(xp, alpha, seed=None, *, shape: Shape, whole: bool = False, stream: Any = None):
    """Gamma numbers of rate 1; the gradient in `alpha` is that of the sample at fixed probability.

    Args:
        alpha: Floating tensor of shape parameters.
        seed: Two integers, or three that are a position, or nothing when there is a stream.
        shape: Shape of the samples for each parameter; with `whole`, shape of the result.
        whole: Whether `shape` ends with the shape of `alpha`.
        stream: The operation's `Stream`, or None.

    Returns:
        Tensor of the dtype of `alpha`, of the samples' shape and behind it that of `alpha`.

    >>> philox_gamma([0.5, 2.0], [12, 34], shape=[3]).shape
    TensorShape([3, 2])
    """
    shape = _sample_shape("RandomGamma", shape, alpha, whole)
    count = math.prod(shape)
    place = position("RandomGamma", seed, stream, draws.RESERVED * count * alpha.size)
    return rejection.gamma(place, alpha.reshape(-1), count).reshape((*shape, *alpha.shape))


@philox_gamma.vjp
def _gamma_vjp(dy, y, alpha, seed=None, *, shape, whole, stream):
    slope = multiply(dy, gamma_gradient(alpha, y))
    return sum_to(slope, shape=shape_of(alpha)), None


@philox_gamma.shape_rule
def _gamma_rule(alpha, seed=None, *, shape, whole, stream):
    return _parameter_rule(alpha, shape, whole, alpha.dtype)


@philox_gamma.samples
def _gamma_samples(rng):
    yield (rng.uniform(0.5, 3, size=(2,)), np.array([1, 2], np.int32)), {"shape": (3,)}
    yield (
        (rng.uniform(0.5, 3, size=(2, 1)), np.array([1, 2], np.int32)),
        {"shape": (3, 2, 1), "whole": True},
    )


@barrier(label="RandomGammaGrad", kinds="f", differentiable=False)
def gamma_gradient(xp, alpha, sample):
    """Derivative of a gamma sample in its shape parameter, the sample's probability held fixed.

    Args:
        alpha: Floating tensor of shape parameters.
        sample: Samples of rate 1; both broadcast.

    Returns:
        Tensor of the broadcast shape.

    >>> float(gamma_gradient(1.0, 1.0)) > 0
    True
    """
    return rejection.gamma_slope(alpha, sample).astype(sample.dtype)


@gamma_gradient.samples
def _gamma_gradient_samples(rng):
    yield (rng.uniform(0.5, 3, size=(2,)), rng.uniform(0.5, 3, size=(4, 2))), {}


@barrier(label="RandomPoissonV2", free=("seed",), differentiable=False)
def philox_poisson(
    xp,
    rate,
    seed=None,
    *,
    shape: Shape,
    dtype: DType = dtypes.float32,
    whole: bool = False,
    stream: Any = None,
):
    """Poisson numbers.

    Args:
        rate: Real tensor of rates.
        seed: Two integers, or three that are a position, or nothing when there is a stream.
        shape: Shape of the samples for each rate; with `whole`, shape of the result.
        dtype: float16, float32, float64, int32 or int64.
        whole: Whether `shape` ends with the shape of `rate`.
        stream: The operation's `Stream`, or None.

    Returns:
        Tensor of that dtype, of the samples' shape and behind it that of `rate`.

    >>> philox_poisson([5.0, 15.0], [12, 34], shape=[3]).shape
    TensorShape([3, 2])
    """
    shape = _sample_shape("RandomPoissonV2", shape, rate, whole)
    count = math.prod(shape)
    flat = rate.reshape(-1).astype(np.float64)
    if not count * flat.size:
        return np.zeros((*shape, *rate.shape), dtype._numpy())
    place = position("RandomPoissonV2", seed, stream, draws.RESERVED * count * flat.size)
    drawn = rejection.poisson(place, flat, count)
    return drawn.reshape((*shape, *rate.shape)).astype(dtype._numpy())


@philox_poisson.shape_rule
def _poisson_rule(rate, seed=None, *, shape, dtype, whole, stream):
    return _parameter_rule(rate, shape, whole, dtype)


@philox_poisson.samples
def _poisson_samples(rng):
    yield (np.array([0.5, 4.0, 40.0]), np.array([1, 2], np.int32)), {"shape": (5,)}


@barrier(label="StatelessRandomBinomial", free=("seed",), differentiable=False)
def philox_binomial(xp, counts, probs, seed, *, shape: Shape, dtype: DType = dtypes.int32):
    """Binomial numbers.

    Args:
        counts: Real tensor of numbers of trials.
        probs: Tensor of probabilities of success, of the same dtype.
        seed: Two integers, or three that are a position.
        shape: Shape of the result; it ends with the shape that `counts` and `probs` broadcast to.
        dtype: float16, float32, float64, int32 or int64.

    Returns:
        Tensor of that shape and dtype.

    >>> philox_binomial([10.0, 20.0], [0.8], [123, 456], shape=[2]).numpy().shape
    (2,)
    """
    name = "StatelessRandomBinomial"
    counts, probs = np.broadcast_arrays(counts, probs)
    lead = _sample_shape(name, shape, counts, True)
    count = math.prod(lead)
    if not count * counts.size:
        return np.zeros((*lead, *counts.shape), dtype._numpy())
    place = position(name, seed, None, 0)
    drawn = rejection.binomial(place, counts.reshape(-1), probs.reshape(-1), count)
    with np.errstate(invalid="ignore"):
        return drawn.reshape((*lead, *counts.shape)).astype(dtype._numpy())


@philox_binomial.shape_rule
def _binomial_rule(counts, probs, seed, *, shape, dtype):
    return spec(shape, dtype)


@philox_binomial.samples
def _binomial_samples(rng):
    seed = np.array([1, 2], np.int32)
    yield (np.array([10.0, 200.0]), np.array([0.2, 0.7]), seed), {"shape": (5, 2)}


@barrier(
    label="StatelessParameterizedTruncatedNormal", free=("seed",), kinds="f", differentiable=False
)
def philox_bounded_normal(xp, means, stddevs, minvals, maxvals, seed, *, shape: Shape):
    """Normal numbers between bounds.

    Args:
        means: Floating tensor of means before truncation.
        stddevs: Deviations before truncation, positive.
        minvals: Lower bounds.
        maxvals: Upper bounds.
        seed: Two integers, or three that are a position.
        shape: Shape of the result; it ends with the shape that the four parameters broadcast to.

    Returns:
        Tensor of that shape.

    >>> drawn = philox_bounded_normal(0.0, 1.0, 1.0, 2.0, [7, 17], shape=[50]).numpy()
    >>> bool((drawn >= 1).all() and (drawn <= 2).all())
    True
    """
    name = "StatelessParameterizedTruncatedNormal"
    parameters = np.broadcast_arrays(means, stddevs, minvals, maxvals)
    lead = _sample_shape(name, shape, parameters[0], True)
    own = parameters[0].shape
    # Half precision is computed in single: its own steps would be too coarse to reject by.
    kind = means.dtype if means.dtype.itemsize > 2 else np.dtype(np.float32)
    flat = [p.reshape(-1).astype(kind) for p in parameters]
    place = position(name, seed, None, 0)
    drawn = rejection.bounded_normal(place, *flat, math.prod(lead))
    return drawn.reshape((*lead, *own)).astype(means.dtype)


@philox_bounded_normal.shape_rule
def _bounded_normal_rule(means, stddevs, minvals, maxvals, seed, *, shape):
    return spec(shape, means.dtype)


@philox_bounded_normal.samples
def _bounded_normal_samples(rng):
    seed = np.array([1, 2], np.int32)
    yield (
        (np.zeros(2), np.ones(2), np.array([-1.0, 2.0]), np.array([1.0, 5.0]), seed),
        {"shape": (3, 2)},
    )


@barrier(label="RngReadAndSkip", differentiable=False)
def philox_skip(xp, state, *, shape: Shape = (), blocks: int = draws.RESERVED):
    """The position after a draw.

    Args:
        state: int64 position of three numbers: counter (low, high), key.
        shape: Shape of what is drawn.
        blocks: Blocks set aside for each number drawn.

    Returns:
        The position that comes behind it.

    >>> philox_skip([1234, 0, 0], shape=[2, 3]).numpy()
    array([2770,    0,    0])
    """
    place = Philox.from_state(state)
    place.skip(int(blocks) * math.prod(checked_shape("RngReadAndSkip", shape)))
    return place.state()


@philox_skip.shape_rule
def _skip_rule(state, *, shape, blocks):
    return TensorSpec([3], dtypes.int64)


@philox_skip.samples
def _skip_samples(rng):
    yield (np.array([5, 6, 7], np.int64),), {"shape": (2, 3)}


@barrier(label="RandomIndexShuffle", free=("seed",), kinds="iu", differentiable=False)
def index_shuffle_op(xp, index, max_index, seed):
    """Where each index goes in a random order of `0 ... max_index`.

    Args:
        index: Integer scalar or vector, in `[0, max_index]`.
        max_index: Largest index: scalar or vector of the same type.
        seed: Integers (2,) or (n, 2).

    Returns:
        Tensor of the type of `index`: a scalar when all are single, else a vector.

    >>> index_shuffle_op([0, 1, 2, 3], 3, [5, 9]).numpy()
    array([2, 0, 1, 3], dtype=int32)
    """
    single = index.ndim == 0 and max_index.ndim == 0 and seed.ndim == 1
    if seed.shape[-1:] != (2,) or seed.ndim > 2 or index.ndim > 1 or max_index.ndim > 1:
        raise errors.shape_error(
            "RandomIndexShuffle",
            "index and max_index must be scalars or vectors and seed of shape [2] or [n, 2], got "
            f"{list(index.shape)}, {list(max_index.shape)} and {list(seed.shape)}.",
        )
    seeds = seed.reshape(-1, 2).astype(np.int64)
    key = np.concatenate([np.full((len(seeds), 1), 498247692), seeds], axis=1)
    size = max(index.size, max_index.size, len(seeds))
    indices, limits = (np.broadcast_to(a.reshape(-1), (size,)) for a in (index, max_index))
    wrong = (indices < 0) | (indices > limits)
    if wrong.any():
        raise errors.index_error(
            "RandomIndexShuffle",
            f"index {indices[wrong][0]} is not in [0, {limits[wrong][0]}].",
        )
    moved = candidates.index_shuffle(indices, key, limits).astype(index.dtype)
    return moved.reshape(()) if single else moved


@index_shuffle_op.shape_rule
def _index_shuffle_rule(index, max_index, seed):
    ranks = index.shape.rank, max_index.shape.rank, seed.shape.rank
    if None in ranks:
        return TensorSpec(None, index.dtype)
    lead = TensorShape(seed.shape[:1] if seed.shape.rank == 2 else [])
    return TensorSpec(broadcast_shapes(index.shape, max_index.shape, lead), index.dtype)


@index_shuffle_op.samples
def _index_shuffle_samples(rng):
    seed = np.array([5, 9], np.int32)
    yield (np.arange(4, dtype=np.int32), np.int32(9), seed), {}
    yield (np.int64(3), np.int64(9), seed), {}


@barrier(label="CandidateSampler", kinds="i", outputs=3, differentiable=False)
def candidate_sampler(
    xp, true_classes, *, num_true: int, num_sampled: int, unique: bool, classes: Any, stream: Any
):
    """Draws classes at random, and tells how often they and the true ones are to be expected.

    Args:
        true_classes: int64 tensor (batch, num_true).
        num_true: Number of true classes of each example.
        num_sampled: Number of classes to draw.
        unique: Whether a class may come only once.
        classes: The distribution: a tuple of a class of `base.candidates` and its arguments, or None
            for all classes.
        stream: The operation's `Stream`.

    Returns:
        The classes drawn, int64 (num_sampled,); the expected counts of the true classes, float32
        (batch, num_true); those of the classes drawn, float32 (num_sampled,).

    >>> drawn = candidate_sampler(
    ...     [[0], [3]], num_true=1, num_sampled=4, unique=True, classes=None, stream=Stream((1, 2))
    ... )
    >>> drawn[0].numpy()
    array([0, 1, 2, 3])
    """
    if true_classes.ndim != 2 or true_classes.shape[1] != num_true:
        raise errors.shape_error(
            "CandidateSampler",
            f"true_classes must be a matrix of num_true = {num_true} columns, got shape "
            f"{list(true_classes.shape)}.",
        )
    true = true_classes.astype(np.int64)
    # Half a block a try and as many tries as anyone should need.
    place = stream.reserve(512 * num_sampled)
    if classes is None:
        ones = np.ones(true.shape, np.float32), np.ones(num_sampled, np.float32)
        return np.arange(num_sampled), *ones
    make, *arguments = classes
    distribution = active_streams().note(stream, lambda: make(*arguments))
    return candidates.sample_classes(place, distribution, true, num_sampled, unique)


@candidate_sampler.shape_rule
def _candidate_rule(true_classes, *, num_true, num_sampled, unique, classes, stream):
    batch = true_classes.shape[0] if true_classes.shape.rank else None
    return (
        TensorSpec([num_sampled], dtypes.int64),
        TensorSpec([batch, num_true], dtypes.float32),
        TensorSpec([num_sampled], dtypes.float32),
    )


@candidate_sampler.samples
def _candidate_samples(rng):
    yield (
        (np.array([[0], [3]]),),
        {
            "num_true": 1,
            "num_sampled": 4,
            "unique": True,
            "classes": (candidates.UniformClasses, 9),
            "stream": Stream((1, 2), passing=True),
        },
    )
