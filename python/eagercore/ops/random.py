"""Random numbers: TensorFlow's functions, whose numbers for the same seeds are TensorFlow's."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np

from ..base import dtypes, errors, seeds
from ..base.context import context
from ..base.philox import MASK64
from ..base.shapes import broadcast_shapes
from ..core import coerce
from ..core.tensor import Tensor, convert
from . import random_draws as kernels
from .arithmetic import add, maximum, multiply, real_divide, subtract
from .create import zeros_like
from .index import gather
from .shape import stack
from .sum_to import broadcast_to


class Algorithm(enum.Enum):
    """Algorithms of random numbers: `PHILOX`, `THREEFRY` or `AUTO_SELECT` (which is Philox)."""

    PHILOX = 1
    THREEFRY = 2
    AUTO_SELECT = 3


Algorithm.__module__ = "eagercore"


def algorithm_number(alg: Any) -> int:
    """The number of an algorithm given as a number, a name or an `Algorithm`."""
    if alg is None:
        return Algorithm.AUTO_SELECT.value
    if isinstance(alg, Algorithm):
        return alg.value
    if isinstance(alg, str):
        name = alg.strip().lower().replace("-", "").replace("_", "")
        known = {"philox": 1, "threefry": 2, "autoselect": 3}
        if name in known:
            return known[name]
    else:
        number = coerce.as_int(alg, "random", "alg")
        if number in (1, 2, 3):
            return number
    raise ValueError(
        f"Argument `alg` got unsupported value {alg!r}. Supported values are 'philox' (1), 'threefry' (2) "
        "and 'auto_select' (3)."
    )


def _only_philox(alg: Any) -> None:
    if algorithm_number(alg) == Algorithm.THREEFRY.value:
        raise errors.UnimplementedError(
            "Non-XLA devices don't support the ThreeFry algorithm: use alg='philox'."
        )


# ------------------------------------------------------------------------------------------------ seeds


def set_seed(seed: Any) -> None:
    """Sets the global seed, and begins every stream of random numbers anew.

    With a global seed alone, operations are dealt seeds of their own in the order of their calls.  With
    an operation's seed too, or alone, both count; the same operation with the same seed goes on with
    other numbers at its next call, until the global seed is set again.

    Args:
        seed: A whole number, or None for no global seed.

    >>> set_seed(1)
    >>> uniform([2]).numpy()
    array([0.16513085, 0.9014813 ], dtype=float32)
    """
    seeds.set_global_seed(seed)
    if context.graph is not None:
        seeds.set_graph_seed(context.graph, seed)


def set_random_seed(seed: Any) -> None:
    """Sets the seed of the graph that is being built, or in eager execution the global one.

    Args:
        seed: A whole number, or None.

    >>> set_random_seed(1)
    >>> normal([2]).numpy()
    array([-1.1012203,  1.5457517], dtype=float32)
    """
    if context.graph is not None:
        seeds.set_graph_seed(context.graph, seed)
    else:
        seeds.set_global_seed(seed)


def get_seed(op_seed: Any) -> tuple[int | None, int | None]:
    """The two seeds that an operation called now would use.

    Args:
        op_seed: The operation's own seed, or None.

    Returns:
        The global and the operation's seed; `(None, None)` when none is set.

    >>> set_seed(1)
    >>> get_seed(5)
    (1, 5)
    """
    return seeds.seeds_of(op_seed, context.graph)


# ---------------------------------------------------------------------------------- from seeds of their own


def shape_kind(shape: Any) -> str:
    """The type that TensorFlow gives the shape: operations of both types have streams of their own."""
    if isinstance(shape, np.ndarray | Tensor) or hasattr(shape, "_read_array"):
        return "int64" if shape.dtype == np.int64 or shape.dtype == dtypes.int64 else "int32"
    return "int32"


def _is_whole(value: Any, number: int) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == number


def _scaled(drawn: Any, scale: Any, shift: Any, dtype: Any) -> Any:
    """`drawn * scale + shift`; nothing is done when they are 1 and 0."""
    if _is_whole(scale, 1) and _is_whole(shift, 0):
        return drawn
    return add(multiply(drawn, convert(scale, dtype)), convert(shift, dtype))


def _bounds(op: str, dtype: Any, minval: Any, maxval: Any) -> tuple[Any, Any]:
    """The bounds of a uniform distribution, checked; a missing upper one is 1 for floats."""
    if not dtype.is_floating and not dtype.is_integer:
        raise ValueError(
            f"Argument `dtype` got invalid value {dtype!r}. {op} gives float16, bfloat16, float32, float64, int32 "
            "or int64."
        )
    if maxval is None:
        if dtype.is_integer:
            raise ValueError(
                f"Must specify maxval for integer dtype {dtype!r}: {op}(shape, minval, maxval, dtype=...)."
            )
        maxval = 1
    return (0 if minval is None else minval), maxval


def _stretched(drawn: Any, minval: Any, maxval: Any, dtype: Any) -> Any:
    """Numbers of `[0, 1)` moved to `[minval, maxval)`."""
    if _is_whole(minval, 0) and _is_whole(maxval, 1):
        return drawn
    low, high = convert(minval, dtype), convert(maxval, dtype)
    return add(multiply(drawn, subtract(high, low)), low)


def _integer_bounds(minval: Any, maxval: Any, dtype: Any) -> tuple[Any, Any]:
    def whole(value: Any, name: str) -> Any:
        if isinstance(value, float | np.floating):
            value = coerce.as_int(value, "RandomUniformInt", name)
        return convert(value, dtype)

    return whole(minval, "minval"), whole(maxval, "maxval")


def uniform(
    shape: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = dtypes.float32,
    seed: Any = None,
    name: str | None = None,
) -> Any:
    """Numbers from a uniform distribution over `[minval, maxval)`.

    Args:
        shape: Shape of the result.
        minval: Lower bound, included: a number or tensor that broadcasts with `shape` (for integers a
            scalar). Default 0.
        maxval: Upper bound, excluded; default 1 for floats, must be given for integers.
        dtype: float16, bfloat16, float32, float64, int32 or int64. Default float32.
        seed: Seed of this operation; see `set_seed`.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of that shape and dtype.  Gradients flow to the bounds of floats.

    Raises:
        ValueError: If integers are asked for without `maxval`, or the dtype is no number's.
        InvalidArgumentError: If the shape has negative dimensions, or a range of integers is empty.

    >>> set_seed(5)
    >>> int(uniform([], maxval=3, dtype="int32", seed=10))
    2
    """
    dtype = dtypes.as_dtype(dtype)
    minval, maxval = _bounds("uniform", dtype, minval, maxval)
    kind = shape_kind(shape)
    if dtype.is_integer:
        low, high = _integer_bounds(minval, maxval, dtype)
        stream = seeds.stream_for(seed, ("RandomUniformInt", dtype.name, kind))
        return kernels.philox_integers(low, high, shape=shape, stream=stream)
    stream = seeds.stream_for(seed, ("RandomUniform", dtype.name, kind))
    drawn = kernels.philox_uniform(shape=shape, dtype=dtype, stream=stream)
    return _stretched(drawn, minval, maxval, dtype)


def normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    seed: Any = None,
    name: str | None = None,
) -> Any:
    """Numbers from a normal distribution.

    Args:
        shape: Shape of the result.
        mean: Mean: a number or tensor that broadcasts with `shape`. Default 0.
        stddev: Standard deviation, likewise. Default 1.
        dtype: float16, bfloat16, float32 or float64. Default float32.
        seed: Seed of this operation; see `set_seed`.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of that shape and dtype.  Gradients flow to `mean` and `stddev`.

    Raises:
        InvalidArgumentError: If the shape has negative dimensions or the dtype is not floating.

    >>> set_seed(5)
    >>> normal([2, 2], 0, 1, seed=1).numpy()
    array([[-1.3768897 , -0.01258316],
           [-0.169515  ,  1.0824056 ]], dtype=float32)
    """
    dtype = dtypes.as_dtype(dtype)
    stream = seeds.stream_for(seed, ("RandomStandardNormal", dtype.name, shape_kind(shape)))
    drawn = kernels.philox_normal(shape=shape, dtype=dtype, stream=stream)
    return _scaled(drawn, stddev, mean, dtype)


def truncated_normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    seed: Any = None,
    name: str | None = None,
) -> Any:
    """Numbers from a normal distribution, none more than two deviations from the mean.

    Args:
        shape: Shape of the result.
        mean: Mean: a number or tensor that broadcasts with `shape`. Default 0.
        stddev: Standard deviation before truncation, likewise. Default 1.
        dtype: float16, bfloat16, float32 or float64. Default float32.
        seed: Seed of this operation; see `set_seed`.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of that shape and dtype.  Gradients flow to `mean` and `stddev`.

    Raises:
        InvalidArgumentError: If the shape has negative dimensions or the dtype is not floating.

    >>> set_seed(0)
    >>> truncated_normal([3], seed=1).numpy()
    array([ 0.6803454 ,  0.87778246, -0.64773595], dtype=float32)
    """
    dtype = dtypes.as_dtype(dtype)
    stream = seeds.stream_for(seed, ("TruncatedNormal", dtype.name, shape_kind(shape)))
    drawn = kernels.philox_truncated_normal(shape=shape, dtype=dtype, stream=stream)
    return _scaled(drawn, stddev, mean, dtype)


def shuffle(value: Any, seed: Any = None, name: str | None = None) -> Any:
    """The slices of a tensor along its first axis in a random order.

    Args:
        value: Tensor of any dtype; a scalar comes back as it is.
        seed: Seed of this operation; see `set_seed`.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape and dtype of `value`.  Gradients flow through it.

    >>> set_seed(1)
    >>> shuffle([1, 2, 3, 4]).numpy().tolist()
    [3, 2, 4, 1]
    """
    value = convert(value)
    stream = seeds.stream_for(seed, ("RandomShuffle", value.dtype.name))
    return _shuffled(value, None, stream)


def _shuffled(value: Any, seed: Any, stream: Any) -> Any:
    if value.shape.rank == 0:
        return value
    arguments = (value,) if seed is None else (value, seed)
    return gather(value, kernels.philox_permutation(*arguments, stream=stream))


def _index_type(dtype: Any) -> Any:
    dtype = dtypes.int64 if dtype is None else dtypes.as_dtype(dtype)
    if dtype.name not in ("int32", "int64"):
        raise ValueError(
            f"Argument `dtype` got invalid value {dtype!r}. Accepted dtypes are (tf.int32, tf.int64)."
        )
    return dtype


def categorical(
    logits: Any, num_samples: Any, dtype: Any = None, seed: Any = None, name: str | None = None
) -> Any:
    """Class indices drawn from unnormalised log probabilities.

    Args:
        logits: Floating tensor (batch, classes); entries that are not finite are never drawn.
        num_samples: Number of draws for each row.
        dtype: int32 or int64. Default int64.
        seed: Seed of this operation; see `set_seed`.
        name: Accepted for TensorFlow's sake.

    Returns:
        Integer tensor (batch, num_samples).

    Raises:
        ValueError: If the dtype is another.
        InvalidArgumentError: If `logits` is no matrix, or `num_samples` is negative.

    >>> set_seed(1)
    >>> categorical([[0.0, 0.0]], 5, seed=1).shape
    TensorShape([1, 5])
    """
    dtype = _index_type(dtype)
    logits = convert(logits)
    stream = seeds.stream_for(seed, ("Multinomial", logits.dtype.name, dtype.name))
    return kernels.philox_categorical(logits, num_samples=num_samples, dtype=dtype, stream=stream)


def multinomial(
    logits: Any,
    num_samples: Any,
    seed: Any = None,
    name: str | None = None,
    output_dtype: Any = None,
) -> Any:
    """`categorical` by its name of TensorFlow 1, with its order of arguments.

    Args:
        logits: Floating tensor (batch, classes).
        num_samples: Number of draws for each row.
        seed: Seed of this operation; see `set_seed`.
        name: Accepted for TensorFlow's sake.
        output_dtype: int32 or int64. Default int64.

    Returns:
        Integer tensor (batch, num_samples).

    >>> multinomial([[0.0, 0.0]], 5.0).shape
    TensorShape([1, 5])
    """
    return categorical(logits, num_samples, output_dtype, seed, name)


def _alike(alpha: Any, beta: Any) -> Any:
    """`alpha` in the shape that it and `beta` broadcast to."""
    if alpha.shape.is_fully_defined() and beta.shape.is_fully_defined():
        both = broadcast_shapes(alpha.shape, beta.shape)
        return alpha if both == alpha.shape else broadcast_to(alpha, shape=tuple(both))
    return add(alpha, zeros_like(beta))


def _at_rate(drawn: Any, beta: Any, dtype: Any) -> Any:
    """Gamma numbers of rate 1 divided by their rates, none of them zero."""
    if beta is not None:
        drawn = real_divide(drawn, beta)
    # Small parameters give numbers below every float: the smallest normal one stands for them.
    return maximum(drawn, convert(float(_tiny(dtype)), dtype))


def _tiny(dtype: Any) -> Any:
    return np.finfo(np.float32).tiny if dtype.name == "bfloat16" else np.finfo(dtype._numpy()).tiny


def gamma(
    shape: Any,
    alpha: Any,
    beta: Any = None,
    dtype: Any = dtypes.float32,
    seed: Any = None,
    name: str | None = None,
) -> Any:
    """Numbers from gamma distributions.

    Args:
        shape: Shape of the samples to draw for each pair of parameters.
        alpha: Shape parameters: number or tensor.
        beta: Rates (inverse scales): number or tensor that broadcasts with `alpha`. Default 1.
        dtype: float16, float32 or float64. Default float32.
        seed: Seed of this operation; see `set_seed`.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape `shape + (alpha + beta).shape`.  Gradients flow to `alpha` (by implicit
        reparameterisation) and `beta`.

    >>> gamma([10], [0.5, 1.5]).shape
    TensorShape([10, 2])
    """
    dtype = dtypes.as_dtype(dtype)
    alpha = convert(alpha, dtype)
    beta = None if beta is None else convert(beta, dtype)
    stream = seeds.stream_for(seed, ("RandomGamma", dtype.name))
    wide = alpha if beta is None else _alike(alpha, beta)
    return _at_rate(kernels.philox_gamma(wide, shape=shape, stream=stream), beta, dtype)


def poisson(
    shape: Any,
    lam: Any,
    dtype: Any = dtypes.float32,
    seed: Any = None,
    name: str | None = None,
) -> Any:
    """Numbers from Poisson distributions.

    Args:
        shape: Shape of the samples to draw for each rate.
        lam: Rates: number or tensor.
        dtype: float16, float32, float64, int32 or int64. Default float32.
        seed: Seed of this operation; see `set_seed`.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape `shape + lam.shape`.

    >>> poisson([10], [0.5, 1.5]).shape
    TensorShape([10, 2])
    """
    dtype = dtypes.as_dtype(dtype)
    lam = convert(lam)
    stream = seeds.stream_for(seed, ("RandomPoissonV2", lam.dtype.name, dtype.name))
    return kernels.philox_poisson(lam, shape=shape, dtype=dtype, stream=stream)


def random_poisson(
    lam: Any,
    shape: Any,
    dtype: Any = dtypes.float32,
    seed: Any = None,
    name: str | None = None,
) -> Any:
    """`poisson` by its name of TensorFlow 1, with its order of arguments.

    Args:
        lam: Rates: number or tensor.
        shape: Shape of the samples to draw for each rate.
        dtype: float16, float32, float64, int32 or int64. Default float32.
        seed: Seed of this operation; see `set_seed`.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape `shape + lam.shape`.

    >>> random_poisson([0.5, 1.5], [10]).shape
    TensorShape([10, 2])
    """
    return poisson(shape, lam, dtype, seed, name)


# The names of TensorFlow 1.
random_uniform = uniform
random_normal = normal
random_shuffle = shuffle
random_gamma = gamma


# ---------------------------------------------------------------------------------------- stateless


def _seed(seed: Any) -> Any:
    seed = convert(_whole_list(seed))
    if not seed.dtype.is_integer:
        raise errors.dtype_error(
            "StatelessRandom",
            f"`seed` must be two int32 or int64 numbers, got {seed.dtype.name}: {seed!r}.",
        )
    return seed


def _whole_list(seed: Any) -> Any:
    """Lists and arrays of whole floats, as other languages write integers, as integers."""
    if isinstance(seed, list | tuple) and any(isinstance(s, float) for s in seed):
        return [coerce.as_int(s, "StatelessRandom", "seed") for s in seed]
    if isinstance(seed, np.ndarray) and seed.dtype.kind == "f" and (seed == np.floor(seed)).all():
        return seed.astype(np.int64)
    return seed


def stateless_seed(seed: Any, alg: Any) -> Any:
    """The seed of a stateless operation, checked, for an algorithm that must be Philox."""
    _only_philox(alg)
    return _seed(seed)


def stateless_uniform(
    shape: Any,
    seed: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Any:
    """Uniform numbers that depend on nothing but the arguments.

    Args:
        shape: Shape of the result.
        seed: Two integers, or an integer tensor of shape (2,).
        minval: Lower bound, included. Default 0; None (with `maxval` None) for the whole range of integers.
        maxval: Upper bound, excluded. Default 1 for floats.
        dtype: float16, bfloat16, float32, float64, int32 or int64; over the whole range also uint32 and
            uint64. Default float32.
        name: Accepted for TensorFlow's sake.
        alg: "philox" or "auto_select".

    Returns:
        Tensor of that shape and dtype.

    Raises:
        ValueError: If only one bound of integers is given.
        InvalidArgumentError: If `seed` is not two integers.

    >>> stateless_uniform([2], seed=[1, 2]).numpy()
    array([0.8440604 , 0.19204533], dtype=float32)
    """
    _only_philox(alg)
    dtype = dtypes.as_dtype(dtype)
    if dtype.is_integer:
        return _stateless_integers(shape, _seed(seed), minval, maxval, dtype)
    minval, maxval = _bounds("stateless_uniform", dtype, minval, maxval)
    drawn = kernels.philox_uniform(_seed(seed), shape=shape, dtype=dtype)
    return _stretched(drawn, minval, maxval, dtype)


def _stateless_integers(shape: Any, seed: Any, minval: Any, maxval: Any, dtype: Any) -> Any:
    if (minval is None) != (maxval is None):
        raise ValueError(
            f"For integer `dtype` argument {dtype!r}, argument `minval` and `maxval` must be both None or not None. "
            f"Got `minval`={minval} and `maxval`={maxval}."
        )
    if minval is None:
        return kernels.philox_full_integers(seed, shape=shape, dtype=dtype)
    if dtype.is_unsigned:
        raise ValueError(
            f"Argument `dtype` got invalid value {dtype!r} when argument `minval` is not None. Please don't use "
            "unsigned integers in this case."
        )
    low, high = _integer_bounds(minval, maxval, dtype)
    return kernels.philox_integers(low, high, seed, shape=shape)


def stateless_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Any:
    """Normal numbers that depend on nothing but the arguments.

    Args:
        shape: Shape of the result.
        seed: Two integers, or an integer tensor of shape (2,).
        mean: Mean. Default 0.
        stddev: Standard deviation. Default 1.
        dtype: float16, bfloat16, float32 or float64. Default float32.
        name: Accepted for TensorFlow's sake.
        alg: "philox" or "auto_select".

    Returns:
        Tensor of that shape and dtype.

    >>> stateless_normal([2], seed=[1, 2]).numpy()
    array([0.5441101 , 0.20738031], dtype=float32)
    """
    _only_philox(alg)
    dtype = dtypes.as_dtype(dtype)
    drawn = kernels.philox_normal(_seed(seed), shape=shape, dtype=dtype)
    return _scaled(drawn, stddev, mean, dtype)


def stateless_truncated_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Any:
    """Truncated normal numbers that depend on nothing but the arguments.

    Args:
        shape: Shape of the result.
        seed: Two integers, or an integer tensor of shape (2,).
        mean: Mean. Default 0.
        stddev: Standard deviation before truncation to two deviations. Default 1.
        dtype: float16, bfloat16, float32 or float64. Default float32.
        name: Accepted for TensorFlow's sake.
        alg: "philox" or "auto_select".

    Returns:
        Tensor of that shape and dtype.

    >>> stateless_truncated_normal([2], seed=[1, 2]).numpy()
    array([0.5441101 , 0.20738031], dtype=float32)
    """
    _only_philox(alg)
    dtype = dtypes.as_dtype(dtype)
    drawn = kernels.philox_truncated_normal(_seed(seed), shape=shape, dtype=dtype)
    return _scaled(drawn, stddev, mean, dtype)


def stateless_categorical(
    logits: Any, num_samples: Any, seed: Any, dtype: Any = dtypes.int64, name: str | None = None
) -> Any:
    """Class indices that depend on nothing but the arguments.

    Args:
        logits: Floating tensor (batch, classes).
        num_samples: Number of draws for each row.
        seed: Two integers, or an integer tensor of shape (2,).
        dtype: int32 or int64. Default int64.
        name: Accepted for TensorFlow's sake.

    Returns:
        Integer tensor (batch, num_samples).

    >>> stateless_categorical([[0.0, 0.0]], 5, seed=[7, 17]).numpy()
    array([[1, 0, 1, 0, 0]])
    """
    return kernels.philox_categorical(
        convert(logits), _seed(seed), num_samples=num_samples, dtype=_index_type(dtype)
    )


def stateless_multinomial(
    logits: Any,
    num_samples: Any,
    seed: Any,
    output_dtype: Any = dtypes.int64,
    name: str | None = None,
) -> Any:
    """`stateless_categorical` by its name of TensorFlow 1.

    Args:
        logits: Floating tensor (batch, classes).
        num_samples: Number of draws for each row.
        seed: Two integers, or an integer tensor of shape (2,).
        output_dtype: int32 or int64. Default int64.
        name: Accepted for TensorFlow's sake.

    Returns:
        Integer tensor (batch, num_samples).

    >>> stateless_multinomial([[0.0, 0.0]], 5, seed=[7, 17]).numpy()
    array([[1, 0, 1, 0, 0]])
    """
    return stateless_categorical(logits, num_samples, seed, output_dtype, name)


def stateless_gamma(
    shape: Any,
    seed: Any,
    alpha: Any,
    beta: Any = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Any:
    """Gamma numbers that depend on nothing but the arguments.

    Args:
        shape: Shape of the result; it ends with the shape that `alpha` and `beta` broadcast to.
        seed: Two integers, or an integer tensor of shape (2,).
        alpha: Shape parameters.
        beta: Rates (inverse scales). Default 1.
        dtype: float16, float32 or float64. Default float32.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of that shape.  Gradients flow to `alpha` and `beta`.

    Raises:
        InvalidArgumentError: If `shape` does not end with the parameters' shape.

    >>> stateless_gamma([10, 2], seed=[12, 34], alpha=[0.5, 1.5]).shape
    TensorShape([10, 2])
    """
    dtype = dtypes.as_dtype(dtype)
    alpha = convert(alpha, dtype)
    beta = None if beta is None else convert(beta, dtype)
    wide = alpha if beta is None else _alike(alpha, beta)
    return _at_rate(kernels.philox_gamma(wide, _seed(seed), shape=shape, whole=True), beta, dtype)


def stateless_poisson(
    shape: Any, seed: Any, lam: Any, dtype: Any = dtypes.int32, name: str | None = None
) -> Any:
    """Poisson numbers that depend on nothing but the arguments.

    Args:
        shape: Shape of the result; it ends with the shape of `lam`.
        seed: Two integers, or an integer tensor of shape (2,).
        lam: Rates.
        dtype: float16, float32, float64, int32 or int64. Default int32.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of that shape and dtype.

    >>> stateless_poisson([10, 2], seed=[12, 34], lam=[5, 15]).shape
    TensorShape([10, 2])
    """
    return kernels.philox_poisson(
        convert(lam), _seed(seed), shape=shape, dtype=dtypes.as_dtype(dtype), whole=True
    )


def stateless_binomial(
    shape: Any,
    seed: Any,
    counts: Any,
    probs: Any,
    output_dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Any:
    """Binomial numbers that depend on nothing but the arguments.

    Args:
        shape: Shape of the result; it ends with the shape that `counts` and `probs` broadcast to.
        seed: Two integers, or an integer tensor of shape (2,).
        counts: Numbers of trials.
        probs: Probabilities of success.
        output_dtype: float16, float32, float64, int32 or int64. Default int32.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of that shape and dtype.

    >>> stateless_binomial([2], seed=[123, 456], counts=[10.0, 20.0], probs=[0.8]).shape
    TensorShape([2])
    """
    probs = convert(probs, None if _has_dtype(probs) else dtypes.float32)
    counts = convert(counts, None if _has_dtype(counts) else probs.dtype)
    return kernels.philox_binomial(
        counts, probs, _seed(seed), shape=shape, dtype=dtypes.as_dtype(output_dtype)
    )


def _has_dtype(value: Any) -> bool:
    return isinstance(value, Tensor | np.ndarray | np.generic) or hasattr(value, "_read_array")


def stateless_parameterized_truncated_normal(
    shape: Any,
    seed: Any,
    means: Any = 0.0,
    stddevs: Any = 1.0,
    minvals: Any = -2.0,
    maxvals: Any = 2.0,
    name: str | None = None,
) -> Any:
    """Normal numbers between bounds, which depend on nothing but the arguments.

    Args:
        shape: Shape of the result; it ends with the shape that the four parameters broadcast to.
        seed: Two integers, or an integer tensor of shape (2,).
        means: Means before truncation. Default 0.
        stddevs: Standard deviations before truncation, positive. Default 1.
        minvals: Lower bounds; -inf is good where the upper one is finite. Default -2.
        maxvals: Upper bounds; inf is good where the lower one is finite. Default 2.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of that shape and of the parameters' dtype.

    Raises:
        InvalidArgumentError: If bounds or deviations are impossible, or `shape` does not end as it must.

    >>> drawn = stateless_parameterized_truncated_normal([10, 2], [7, 17], maxvals=[1.0, 3.0])
    >>> drawn.shape
    TensorShape([10, 2])
    """
    return kernels.philox_bounded_normal(means, stddevs, minvals, maxvals, _seed(seed), shape=shape)


def stateless_shuffle(
    value: Any, seed: Any, alg: Any = "auto_select", name: str | None = None
) -> Any:
    """The slices of a tensor along its first axis in an order that depends on nothing but the seed.

    Args:
        value: Tensor of any dtype.
        seed: Two integers, or an integer tensor of shape (2,).
        alg: "philox" or "auto_select".
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape and dtype of `value`.

    >>> stateless_shuffle([[1, 2], [3, 4], [5, 6]], seed=[8, 9]).numpy().tolist()
    [[5, 6], [1, 2], [3, 4]]
    """
    _only_philox(alg)
    return _shuffled(convert(value), _seed(seed), None)


def split(seed: Any, num: Any = 2, alg: Any = "auto_select") -> Any:
    """Several new seeds made from one.

    Args:
        seed: Two integers, or an integer tensor of shape (2,).
        num: How many. Default 2.
        alg: "philox" or "auto_select".

    Returns:
        Tensor (num, 2) of the dtype of `seed`.

    >>> split([1, 2], num=3).numpy()
    array([[1105988140, 1738052849],
           [-335576002,  370444179],
           [  10670227, -246211131]], dtype=int32)
    """
    seed = _seed(seed)
    num = coerce.as_int(num, "split", "num")
    return stateless_uniform([num, 2], seed, None, None, seed.dtype, alg=alg)


def fold_in(seed: Any, data: Any, alg: Any = "auto_select") -> Any:
    """A new seed made from a seed and a number.

    Args:
        seed: Two integers, or an integer tensor of shape (2,).
        data: int32 or int64 scalar, such as the number of a replica or a step.
        alg: "philox" or "auto_select".

    Returns:
        Tensor (2,) of the dtype of `data`.

    >>> fold_in([1, 2], 3).numpy()
    array([1105988140,          3], dtype=int32)
    """
    data = convert(_whole_list(data))
    return stack([stateless_uniform([], seed, None, None, data.dtype, alg=alg), data])


def index_shuffle(index: Any, seed: Any, max_index: Any) -> Any:
    """Where an index goes in a random order of `0 ... max_index`, without making the order.

    Args:
        index: Integer scalar or vector, in `[0, max_index]`.
        seed: Two integers (or as many pairs as there are indices).
        max_index: Largest index, of the same type.

    Returns:
        Tensor of the type of `index`: each index has another place.

    Raises:
        InvalidArgumentError: If an index is out of range.

    >>> index_shuffle([0, 1, 2, 3], seed=[5, 9], max_index=3).numpy()
    array([2, 0, 1, 3], dtype=int32)
    """
    index = convert(_whole_list(index))
    if not _has_dtype(max_index):
        max_index = convert(_whole_list(max_index), index.dtype)
    return kernels.index_shuffle_op(index, max_index, _seed(seed))


def create_rng_state(seed: Any, alg: Any) -> Any:
    """The state of a `Generator`, made from a seed.

    Args:
        seed: A whole number of any size, or a vector of them.
        alg: "philox" or "threefry", or an `Algorithm`.

    Returns:
        int64 tensor: three numbers for Philox, two for ThreeFry.

    >>> create_rng_state(1234, "philox").numpy()
    array([1234,    0,    0])
    """
    size = 2 if algorithm_number(alg) == Algorithm.THREEFRY.value else 3
    single = coerce.plain(seed)
    if isinstance(single, float) or isinstance(single, np.ndarray) and single.ndim == 0:
        single = coerce.as_int(single, "create_rng_state", "seed")
    if isinstance(single, int):
        parts = [(single >> (64 * i)) & MASK64 for i in range(size)]
    else:
        parts = [coerce.as_int(s, "create_rng_state", "seed") & MASK64 for s in list(single)][:size]
        parts = [0] * (size - len(parts)) + parts
    return convert(np.array(parts, np.uint64).view(np.int64))
