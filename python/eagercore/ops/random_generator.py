"""Generators: random numbers whose position is a variable that one can see, save and set."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import draws, dtypes, errors, seeds
from ..core import coerce
from ..core.tensor import convert
from ..core.variable import Variable
from . import random_draws as kernels
from .create import zeros_like
from .random import (
    Algorithm,
    _bounds,
    _has_dtype,
    _integer_bounds,
    _scaled,
    _stretched,
    algorithm_number,
    create_rng_state,
)
from .shape import stack, unstack


class Generator:
    """A source of random numbers whose state is a variable.

    Made by `from_seed`, `from_non_deterministic_state`, `from_state` or `from_key_counter`.

    Args:
        copy_from: Another generator whose state is copied.
        state: int64 vector of three numbers (two for ThreeFry), or a variable that will be used itself.
        alg: "philox", "threefry" or an `Algorithm`; must be given with `state`.

    Raises:
        ValueError: If neither or both ways are taken, or the state's shape does not fit.

    >>> g = Generator.from_seed(1234)
    >>> g.normal(shape=(2, 3)).numpy()
    array([[ 0.9356609 ,  1.0854305 , -0.93788373],
           [-0.5061547 ,  1.3169702 ,  0.7137579 ]], dtype=float32)
    """

    __module__ = "eagercore"

    def __init__(self, copy_from: Any = None, state: Any = None, alg: Any = None) -> None:
        if copy_from is not None:
            if alg is not None or state is not None:
                raise ValueError("Generator: give `copy_from`, or `state` and `alg`, not both.")
            self._alg = copy_from.algorithm
            self._state_var = self._variable(copy_from.state.read_value())
            return
        if alg is None or state is None:
            raise ValueError("Generator: give `state` and `alg`, or use Generator.from_seed(seed).")
        self._alg = algorithm_number(alg)
        if isinstance(state, Variable):
            self._check(state)
            self._state_var = state
        else:
            self._state_var = self._variable(self._checked(state))

    @classmethod
    def from_state(cls, state: Any, alg: Any) -> Generator:
        """A generator that goes on from a state.

        Args:
            state: int64 vector.
            alg: The algorithm it belongs to.

        >>> Generator.from_state([1234, 0, 0], "philox").state.numpy()
        array([1234,    0,    0])
        """
        return cls(alg=alg, state=state)

    @classmethod
    def from_seed(cls, seed: Any, alg: Any = None) -> Generator:
        """A generator whose numbers follow from a seed.

        Args:
            seed: A whole number of any size, or a vector of them.
            alg: The algorithm. Default Philox.

        >>> float(Generator.from_seed(1).uniform([]))
        0.7874951362609863
        """
        number = algorithm_number(Algorithm.PHILOX if alg is None else alg)
        return cls(state=create_rng_state(seed, number), alg=number)

    @classmethod
    def from_non_deterministic_state(cls, alg: Any = None) -> Generator:
        """A generator whose numbers nobody can foresee.

        Args:
            alg: The algorithm. Default Philox.

        Raises:
            RuntimeError: If determinism was asked for.

        >>> Generator.from_non_deterministic_state().state.shape
        TensorShape([3])
        """
        if seeds.is_deterministic():
            raise RuntimeError(
                '"from_non_deterministic_state" cannot be called when determinism is enabled.'
            )
        return cls.from_seed(seeds.entropy(192), alg)

    @classmethod
    def from_key_counter(cls, key: Any, counter: Any, alg: Any) -> Generator:
        """A generator made from the two parts of its state.

        Args:
            key: Integer scalar.
            counter: Integer vector of two numbers (one for ThreeFry).
            alg: The algorithm.

        >>> Generator.from_key_counter(3, [1, 2], "philox").state.numpy()
        array([1, 2, 3])
        """
        return cls(state=_joined(key, counter), alg=alg)

    def _variable(self, value: Any) -> Variable:
        return Variable(value, dtype=dtypes.int64, trainable=False, name="StateVar")

    def _size(self) -> int:
        return 2 if self._alg == Algorithm.THREEFRY.value else 3

    def _check(self, state: Any) -> None:
        if not state.shape.is_compatible_with([self._size()]):
            raise ValueError(
                f"The state of a generator of algorithm {Algorithm(self._alg).name} has shape ({self._size()},), got "
                f"{state.shape}."
            )

    def _checked(self, state: Any) -> Any:
        if not _has_dtype(state):
            words = [coerce.as_int(s, "Generator", "state") & (2**64 - 1) for s in state]
            state = np.array(words, np.uint64).view(np.int64)
        made = convert(state)
        if made.dtype is not dtypes.int64:
            made = convert(np.asarray(made.numpy()).astype(np.int64))
        self._check(made)
        return made

    # ------------------------------------------------------------------------------------------ its state

    @property
    def state(self) -> Variable:
        """The variable that holds the state: the counter, and behind it the key."""
        return self._state_var

    @property
    def algorithm(self) -> int:
        """The number of the algorithm."""
        return self._alg

    @property
    def key(self) -> Any:
        """The last number of the state."""
        return unstack(self._state_var.read_value(), num=self._size())[-1]

    def reset(self, state: Any) -> None:
        """Sets the state.

        Args:
            state: int64 vector.

        >>> g = Generator.from_seed(1)
        >>> g.reset([5, 0, 0])
        >>> g.state.numpy()
        array([5, 0, 0])
        """
        self._state_var.assign(self._checked(state))

    def reset_from_seed(self, seed: Any) -> None:
        """Begins anew from a seed.

        Args:
            seed: A whole number of any size, or a vector of them.

        >>> g = Generator.from_seed(1)
        >>> g.reset_from_seed(7)
        >>> g.state.numpy()
        array([7, 0, 0])
        """
        self._state_var.assign(create_rng_state(seed, self._alg))

    def reset_from_key_counter(self, key: Any, counter: Any) -> None:
        """Sets the state by its two parts.

        Args:
            key: Integer scalar.
            counter: Integer vector of two numbers (one for ThreeFry).

        >>> g = Generator.from_seed(1)
        >>> g.reset_from_key_counter(3, [1, 2])
        >>> g.state.numpy()
        array([1, 2, 3])
        """
        self.reset(_joined(key, counter))

    def skip(self, delta: Any) -> Any:
        """Moves on as if `delta` numbers had been drawn.

        Args:
            delta: How many.

        Returns:
            The state before.

        >>> g = Generator.from_seed(1)
        >>> g.skip(2).numpy(), g.state.numpy()
        (array([1, 0, 0]), array([513,   0,   0]))
        """
        return self._reserve([delta])

    def _reserve(self, shape: Any, blocks: int = draws.RESERVED) -> Any:
        """The position for a draw of that shape; the state moves on."""
        if self._alg == Algorithm.THREEFRY.value:
            raise errors.UnimplementedError(
                "Non-XLA devices don't support the ThreeFry algorithm: use alg='philox'."
            )
        before = self._state_var.read_value()
        self._state_var.assign(kernels.philox_skip(before, shape=shape, blocks=blocks))
        return before

    # ------------------------------------------------------------------------------------------ its numbers

    def uniform(
        self,
        shape: Any,
        minval: Any = 0,
        maxval: Any = None,
        dtype: Any = dtypes.float32,
        name: str | None = None,
    ) -> Any:
        """Numbers from a uniform distribution over `[minval, maxval)`.

        Args:
            shape: Shape of the result.
            minval: Lower bound, included. Default 0; None (with `maxval` None) for the whole range of
                integers.
            maxval: Upper bound, excluded. Default 1 for floats.
            dtype: float16, bfloat16, float32, float64, int32 or int64; over the whole range also uint32
                and uint64. Default float32.
            name: Accepted for TensorFlow's sake.

        Returns:
            Tensor of that shape and dtype.

        Raises:
            ValueError: If only one bound of integers is given.

        >>> Generator.from_seed(1).uniform([3], maxval=10, dtype="int32").shape
        TensorShape([3])
        """
        dtype = dtypes.as_dtype(dtype)
        if dtype.is_integer:
            if (minval is None) != (maxval is None):
                raise ValueError(
                    f"For integer dtype {dtype!r}, minval and maxval must be both `None` or both non-`None`; got "
                    f"minval={minval} and maxval={maxval}"
                )
            if minval is None:
                return self.uniform_full_int(shape, dtype)
            low, high = _integer_bounds(minval, maxval, dtype)
            return kernels.philox_integers(low, high, self._reserve(shape), shape=shape)
        minval, maxval = _bounds("uniform", dtype, minval, maxval)
        drawn = kernels.philox_uniform(self._reserve(shape), shape=shape, dtype=dtype)
        return _stretched(drawn, minval, maxval, dtype)

    def uniform_full_int(
        self, shape: Any, dtype: Any = dtypes.uint64, name: str | None = None
    ) -> Any:
        """Integers over the whole range of their type.

        Args:
            shape: Shape of the result.
            dtype: int32, uint32, int64 or uint64. Default uint64.
            name: Accepted for TensorFlow's sake.

        Returns:
            Tensor of that shape and dtype.

        >>> Generator.from_seed(1).uniform_full_int([2]).dtype
        tf.uint64
        """
        return kernels.philox_full_integers(
            self._reserve(shape), shape=shape, dtype=dtypes.as_dtype(dtype)
        )

    def normal(
        self,
        shape: Any,
        mean: Any = 0.0,
        stddev: Any = 1.0,
        dtype: Any = dtypes.float32,
        name: str | None = None,
    ) -> Any:
        """Numbers from a normal distribution.

        Args:
            shape: Shape of the result.
            mean: Mean. Default 0.
            stddev: Standard deviation. Default 1.
            dtype: float16, bfloat16, float32 or float64. Default float32.
            name: Accepted for TensorFlow's sake.

        Returns:
            Tensor of that shape and dtype.

        >>> Generator.from_seed(123).normal([2]).numpy()
        array([ 0.8673864 , -0.29899067], dtype=float32)
        """
        dtype = dtypes.as_dtype(dtype)
        drawn = kernels.philox_normal(self._reserve(shape), shape=shape, dtype=dtype)
        return _scaled(drawn, stddev, mean, dtype)

    def truncated_normal(
        self,
        shape: Any,
        mean: Any = 0.0,
        stddev: Any = 1.0,
        dtype: Any = dtypes.float32,
        name: str | None = None,
    ) -> Any:
        """Numbers from a normal distribution, none more than two deviations from the mean.

        Args:
            shape: Shape of the result.
            mean: Mean. Default 0.
            stddev: Standard deviation before truncation. Default 1.
            dtype: float16, bfloat16, float32 or float64. Default float32.
            name: Accepted for TensorFlow's sake.

        Returns:
            Tensor of that shape and dtype.

        >>> Generator.from_seed(123).truncated_normal([2]).shape
        TensorShape([2])
        """
        dtype = dtypes.as_dtype(dtype)
        drawn = kernels.philox_truncated_normal(self._reserve(shape), shape=shape, dtype=dtype)
        return _scaled(drawn, stddev, mean, dtype)

    def binomial(
        self,
        shape: Any,
        counts: Any,
        probs: Any,
        dtype: Any = dtypes.int32,
        name: str | None = None,
    ) -> Any:
        """Numbers from binomial distributions.

        Args:
            shape: Shape of the result; it ends with the shape that `counts` and `probs` broadcast to.
            counts: Numbers of trials.
            probs: Probabilities of success, of the same dtype.
            dtype: float16, float32, float64, int32 or int64. Default int32.
            name: Accepted for TensorFlow's sake.

        Returns:
            Tensor of that shape and dtype.

        >>> Generator.from_seed(234).binomial([2], counts=[10.0, 20.0], probs=[0.8]).shape
        TensorShape([2])
        """
        counts, probs = convert(counts), convert(probs)
        dims = coerce.as_shape(shape, "binomial", "shape")
        rank = max(counts.shape.rank, probs.shape.rank)
        batch, each = (int(np.prod(d, dtype=int)) for d in _parted(dims, rank))
        before = self._reserve([batch * 200 * (each + 3) // 4])
        return kernels.philox_binomial(
            counts, probs, before, shape=dims, dtype=dtypes.as_dtype(dtype)
        )

    def make_seeds(self, count: Any = 1) -> Any:
        """Seeds for stateless operations.

        Args:
            count: How many pairs. Default 1.

        Returns:
            int64 tensor (2, count): a pair in each column.

        >>> Generator.from_seed(1).make_seeds(3).shape
        TensorShape([2, 3])
        """
        count = coerce.as_int(count, "make_seeds", "count")
        keys = self.uniform_full_int([count], dtypes.int64)
        return stack([keys, zeros_like(keys)])

    def split(self, count: Any = 1) -> list[Generator]:
        """New generators that have nothing to do with each other nor with this one.

        Args:
            count: How many. Default 1.

        Returns:
            List of generators; this one has moved on.

        >>> len(Generator.from_seed(1).split(2))
        2
        """
        count = coerce.as_int(count, "split", "count")
        keys = self.uniform_full_int([count], dtypes.int64).numpy().tolist()
        return [Generator(state=[0, 0, key], alg=self._alg) for key in keys]


def _parted(dims: tuple[int, ...], rank: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The parameters' dimensions and the samples'."""
    cut = len(dims) - rank
    return dims[cut:], dims[:cut]


def _joined(key: Any, counter: Any) -> np.ndarray:
    parts = [*np.asarray(coerce.plain(counter)).reshape(-1).tolist(), coerce.plain(key)]
    words = [coerce.as_int(p, "Generator", "key and counter") & (2**64 - 1) for p in parts]
    return np.array(words, np.uint64).view(np.int64)


_shared: list[Generator] = []


def get_global_generator() -> Generator:
    """The generator that the whole program shares, made at the first call.

    Raises:
        RuntimeError: If determinism was asked for and none was set.

    >>> get_global_generator() is get_global_generator()
    True
    """
    if not _shared:
        if seeds.is_deterministic():
            raise RuntimeError(
                '"get_global_generator" cannot be called if determinism is enabled, unless "set_global_generator" '
                'has already been called. Please call "set_global_generator" first.'
            )
        _shared.append(Generator.from_non_deterministic_state())
    return _shared[0]


def set_global_generator(generator: Generator) -> None:
    """Replaces the generator that the whole program shares.

    Args:
        generator: The new one.

    >>> set_global_generator(Generator.from_seed(1))
    >>> get_global_generator().state.numpy()
    array([1, 0, 0])
    """
    _shared[:] = [generator]
