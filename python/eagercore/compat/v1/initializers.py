"""tf.initializers of TensorFlow 1: its names, arguments and defaults over the initializers of keras."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...keras import initializers as modern
from ...keras.initializers import Initializer


class _Typed(Initializer):
    """An initializer with a dtype of its own, which holds when none is asked for."""

    def __init__(self, inner: Any, dtype: Any, given: dict[str, Any]) -> None:
        self._inner = inner
        self._dtype = dtypes.as_dtype(dtype)
        self._given = given

    def __call__(
        self, shape: Any, dtype: Any = None, partition_info: Any = None, **kwargs: Any
    ) -> Any:
        """A tensor of this shape and dtype."""
        return self._inner(shape, dtype=self._dtype if dtype is None else dtype)

    def get_config(self) -> dict[str, Any]:
        """The arguments."""
        return {**self._given, "dtype": self._dtype.name}

    @property
    def dtype(self) -> Any:
        """The dtype that holds when none is asked for."""
        return self._dtype


class Zeros(_Typed):
    """Zeros.

    Args:
        dtype: Dtype when none is asked for.

    >>> Zeros()([2]).numpy()
    array([0., 0.], dtype=float32)
    """

    def __init__(self, dtype: Any = dtypes.float32) -> None:
        super().__init__(modern.Zeros(), dtype, {})


class Ones(_Typed):
    """Ones.

    Args:
        dtype: Dtype when none is asked for.

    >>> Ones()([2]).numpy()
    array([1., 1.], dtype=float32)
    """

    def __init__(self, dtype: Any = dtypes.float32) -> None:
        super().__init__(modern.Ones(), dtype, {})


class Constant(_Typed):
    """A constant.

    Args:
        value: Number, or values in the order of the elements (the last one is repeated where there are too few).
        dtype: Dtype when none is asked for.
        verify_shape: Accepted for TensorFlow's sake.

    Raises:
        TypeError: If the value is of no fitting type.

    >>> Constant(3.0)([2]).numpy()
    array([3., 3.], dtype=float32)
    """

    def __init__(
        self, value: Any = 0, dtype: Any = dtypes.float32, verify_shape: bool = False
    ) -> None:
        super().__init__(self._fill, dtype, {"value": value})
        self.value = value

    def _fill(self, shape: Any, dtype: Any) -> Any:
        import numpy as np

        from ...ops.create import constant

        size = tuple(
            int(d)
            for d in (
                shape.as_list() if hasattr(shape, "as_list") else np.asarray(shape).reshape(-1)
            )
        )
        values = np.asarray(self.value, dtypes.as_dtype(dtype)._numpy())
        count = int(np.prod(size))
        if values.size > count:
            raise ValueError(
                f"Too many elements provided. Needed at most {count}, but received {values.size}"
            )
        flat = values.reshape(-1)
        filled = (
            np.concatenate([flat, np.repeat(flat[-1:], count - flat.size)])
            if flat.size
            else np.zeros(count, values.dtype)
        )
        return constant(filled.reshape(size))


class RandomUniform(_Typed):
    """Draws from a uniform distribution.

    Args:
        minval: Lower bound.
        maxval: Upper bound; None is 1 for floating dtypes.
        seed: Seed.
        dtype: Dtype when none is asked for.

    >>> RandomUniform(0, 1)([2]).shape
    TensorShape([2])
    """

    def __init__(
        self, minval: Any = 0, maxval: Any = None, seed: Any = None, dtype: Any = dtypes.float32
    ) -> None:
        top = 1 if maxval is None else maxval
        given = {"minval": minval, "maxval": maxval, "seed": seed}
        super().__init__(_Drawn("uniform", minval, top, seed), dtype, given)


class RandomNormal(_Typed):
    """Draws from a normal distribution.

    Args:
        mean: Mean.
        stddev: Standard deviation. Default 1.
        seed: Seed.
        dtype: Dtype when none is asked for.

    >>> RandomNormal()([2]).shape
    TensorShape([2])
    """

    def __init__(
        self, mean: Any = 0.0, stddev: Any = 1.0, seed: Any = None, dtype: Any = dtypes.float32
    ) -> None:
        given = {"mean": mean, "stddev": stddev, "seed": seed}
        super().__init__(_Drawn("normal", mean, stddev, seed), dtype, given)


class TruncatedNormal(_Typed):
    """Draws from a normal distribution without what lies more than two deviations from the mean.

    Args:
        mean: Mean.
        stddev: Standard deviation before the cut. Default 1.
        seed: Seed.
        dtype: Dtype when none is asked for.

    >>> TruncatedNormal()([2]).shape
    TensorShape([2])
    """

    def __init__(
        self, mean: Any = 0.0, stddev: Any = 1.0, seed: Any = None, dtype: Any = dtypes.float32
    ) -> None:
        given = {"mean": mean, "stddev": stddev, "seed": seed}
        super().__init__(_Drawn("truncated_normal", mean, stddev, seed), dtype, given)


class _Drawn:
    """A distribution of TensorFlow 1: its seed is an op seed, so that two calls differ."""

    def __init__(self, kind: str, one: Any, two: Any, seed: Any) -> None:
        self.kind, self.one, self.two, self.seed = kind, one, two, seed

    def __call__(self, shape: Any, dtype: Any = None) -> Any:
        from ...ops import random

        return getattr(random, self.kind)(shape, self.one, self.two, dtype, seed=self.seed)


class VarianceScaling(_Typed):
    """Draws with a deviation that follows from the shape.

    Args:
        scale: Factor of the variance.
        mode: "fan_in", "fan_out" or "fan_avg".
        distribution: "truncated_normal" ("normal" means that too), "untruncated_normal" or "uniform".
        seed: Seed.
        dtype: Dtype when none is asked for.

    >>> VarianceScaling()([2, 3]).shape
    TensorShape([2, 3])
    """

    def __init__(
        self,
        scale: float = 1.0,
        mode: str = "fan_in",
        distribution: str = "truncated_normal",
        seed: Any = None,
        dtype: Any = dtypes.float32,
    ) -> None:
        kind = "truncated_normal" if distribution == "normal" else distribution
        inner = modern.VarianceScaling(scale=scale, mode=mode, distribution=kind, seed=seed)
        super().__init__(
            inner, dtype, {"scale": scale, "mode": mode, "distribution": distribution, "seed": seed}
        )


class UniformUnitScaling(_Typed):
    """Draws uniformly so that the variance of what is multiplied stays.

    Args:
        factor: Factor.
        seed: Seed.
        dtype: Dtype when none is asked for.

    >>> UniformUnitScaling()([2, 3]).shape
    TensorShape([2, 3])
    """

    def __init__(self, factor: float = 1.0, seed: Any = None, dtype: Any = dtypes.float32) -> None:
        super().__init__(self._draw, dtype, {"factor": factor, "seed": seed})
        self.factor, self.seed = factor, seed

    def _draw(self, shape: Any, dtype: Any) -> Any:
        import math

        sizes = [int(d) for d in shape]
        inputs = 1.0
        for d in sizes[:-1]:
            inputs *= d
        bound = math.sqrt(3 / max(inputs, 1.0)) * self.factor
        return _Drawn("uniform", -bound, bound, self.seed)(shape, dtype)


def _scaled(name: str, scale: float, mode: str, distribution: str) -> Any:
    class Scaled(VarianceScaling):
        def __init__(self, seed: Any = None, dtype: Any = dtypes.float32) -> None:
            super().__init__(scale, mode, distribution, seed, dtype)

    Scaled.__name__ = Scaled.__qualname__ = name
    Scaled.__doc__ = f"""{name}: draws with variance {scale:g} / {mode} ({distribution}).

    Args:
        seed: Seed.
        dtype: Dtype when none is asked for.
    """
    return Scaled


GlorotUniform = _scaled("GlorotUniform", 1.0, "fan_avg", "uniform")
GlorotNormal = _scaled("GlorotNormal", 1.0, "fan_avg", "truncated_normal")
HeNormal = _scaled("HeNormal", 2.0, "fan_in", "truncated_normal")
HeUniform = _scaled("HeUniform", 2.0, "fan_in", "uniform")
LecunNormal = _scaled("LecunNormal", 1.0, "fan_in", "truncated_normal")
LecunUniform = _scaled("LecunUniform", 1.0, "fan_in", "uniform")


class Orthogonal(_Typed):
    """Orthogonal matrices.

    Args:
        gain: Factor.
        seed: Seed.
        dtype: Dtype when none is asked for.

    >>> Orthogonal()([2, 2]).shape
    TensorShape([2, 2])
    """

    def __init__(self, gain: float = 1.0, seed: Any = None, dtype: Any = dtypes.float32) -> None:
        super().__init__(
            modern.Orthogonal(gain=gain, seed=seed), dtype, {"gain": gain, "seed": seed}
        )


class Identity(_Typed):
    """The identity matrix.

    Args:
        gain: Factor.
        dtype: Dtype when none is asked for.

    >>> Identity()([2, 2]).numpy()
    array([[1., 0.],
           [0., 1.]], dtype=float32)
    """

    def __init__(self, gain: float = 1.0, dtype: Any = dtypes.float32) -> None:
        super().__init__(modern.Identity(gain=gain), dtype, {"gain": gain})


def global_variables() -> Any:
    """Nothing in eager execution; in graph mode the operation that gives variables their first values."""
    from . import global_variables_initializer

    return global_variables_initializer()


variables = local_variables = tables_initializer = global_variables

zeros, zeros_initializer = Zeros, Zeros
ones, ones_initializer = Ones, Ones
constant, constant_initializer = Constant, Constant
random_uniform, random_uniform_initializer = RandomUniform, RandomUniform
random_normal, random_normal_initializer = RandomNormal, RandomNormal
truncated_normal, truncated_normal_initializer = TruncatedNormal, TruncatedNormal
variance_scaling, variance_scaling_initializer = VarianceScaling, VarianceScaling
uniform_unit_scaling, uniform_unit_scaling_initializer = UniformUnitScaling, UniformUnitScaling
orthogonal, orthogonal_initializer = Orthogonal, Orthogonal
identity = Identity
glorot_uniform, glorot_uniform_initializer = GlorotUniform, GlorotUniform
glorot_normal, glorot_normal_initializer = GlorotNormal, GlorotNormal
he_normal, he_uniform, lecun_normal, lecun_uniform = HeNormal, HeUniform, LecunNormal, LecunUniform

for _cls in list(globals().values()):
    if isinstance(_cls, type) and issubclass(_cls, _Typed):
        _cls.__module__ = "eagercore"
