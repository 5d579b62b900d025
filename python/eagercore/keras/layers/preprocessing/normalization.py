"""Normalization: mean 0 and variance 1, learned from data."""

from __future__ import annotations

from typing import Any

from ....base.shapes import as_shape
from ....core.host import array
from ....ops.arithmetic import add, maximum, multiply, real_divide, subtract
from ....ops.create import cast, constant, zeros
from ....ops.exponential import sqrt
from ....ops.shape import reshape
from ...settings import settings
from .base import PreprocessingLayer


class Normalization(PreprocessingLayer):
    """Takes off the mean and divides by the standard deviation, which `adapt` learns or which are given.

    Args:
        axis: Axis or axes of which each place has its own mean; None for one mean of all. Default last.
        mean: The mean, or None to learn it.
        variance: The variance, or None to learn it.
        invert: Whether it goes back from normalized values. Default False.
        **kwargs: See `Layer`.

    Raises:
        ValueError: If only one of `mean` and `variance` is given, or an axis is not known.

    >>> layer = Normalization(axis=None)
    >>> layer.adapt([1.0, 3.0])
    >>> layer([1.0, 5.0]).numpy()
    array([-1.,  3.], dtype=float32)
    """

    def __init__(
        self, axis: Any = -1, mean: Any = None, variance: Any = None, invert: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        if axis is None:
            self.axis: Any = ()
        else:
            self.axis = tuple(int(a) for a in axis) if isinstance(axis, list | tuple) else (int(axis),)
        if (mean is None) != (variance is None):
            raise ValueError(
                f"When setting values directly, both `mean` and `variance` must be set. Got mean: {mean} and variance: "
                f"{variance}"
            )
        self.input_mean = None if mean is None else array(mean)
        self.input_variance = None if variance is None else array(variance)
        self.invert = bool(invert)
        self.__dict__["_ends"] = (None, None)
        self.reset_state()

    def build(self, input_shape: Any) -> None:
        """Makes the variables `mean`, `variance` and `count` where they are to be learned."""
        shape = as_shape(input_shape)
        rank = len(shape)
        kept = sorted(a % rank for a in self.axis) if rank else []
        if any(shape[a] is None for a in kept):
            raise ValueError(
                f"All `axis` values to be kept must have known shape. Got axis: {self.axis}, input shape: {shape}."
            )
        self.__dict__["_kept"] = kept
        self.__dict__["_wide"] = [shape[i] if i in kept else 1 for i in range(rank)]
        if self.input_mean is None:
            own = [shape[i] for i in kept]
            self.adapt_mean = self.add_weight("mean", shape=own, initializer="zeros", trainable=False)
            self.adapt_variance = self.add_weight("variance", shape=own, initializer="ones", trainable=False)
            self.count = self.add_weight("count", shape=(), dtype="int64", initializer="zeros", trainable=False)
        else:
            given = (constant(v, self.dtype) for v in (self.input_mean, self.input_variance))
            self.__dict__["_ends"] = tuple(self._wide_tensor(v) for v in given)
        self.built = True

    def _wide_tensor(self, value: Any) -> Any:
        if value.shape.num_elements() == 1:
            return reshape(value, [1] * len(self._wide))
        if value.shape.rank == len(self._kept):
            return reshape(value, self._wide)
        return add(value, zeros(self._wide, value.dtype))

    def _both(self) -> Any:
        """Mean and variance in shapes that broadcast with the input."""
        if self.input_mean is None and self.built:
            return tuple(self._wide_tensor(v.value()) for v in (self.adapt_mean, self.adapt_variance))
        return self._ends

    @property
    def mean(self) -> Any:
        """The mean, in a shape that broadcasts with the input; None before there is one."""
        return self._both()[0]

    @property
    def variance(self) -> Any:
        """The variance, in a shape that broadcasts with the input; None before there is one."""
        return self._both()[1]

    def reset_state(self) -> None:
        """Forgets what was learned."""
        self.__dict__["_seen"] = (0, 0.0, 0.0)

    def update_state(self, data: Any) -> None:
        """Looks at a batch."""
        if self.input_mean is not None:
            raise ValueError(
                "Cannot `adapt` a Normalization layer that is initialized with static `mean` and `variance`."
            )
        values = array(data, "float64")
        if not self.built:
            if values.ndim and self.axis:
                self._build_once(as_shape([None, *values.shape[1:]]) if 0 not in self.axis else as_shape(values.shape))
            else:
                self._build_once(as_shape([None] * values.ndim))
            self._finish_build()
        others = tuple(i for i in range(values.ndim) if i not in self._kept)
        count = values.size // max(1, int(values.mean(axis=others).size))
        mean, variance = values.mean(axis=others), values.var(axis=others)
        known, old_mean, old_variance = self._seen
        total = known + count
        share = count / total
        merged = old_mean + (mean - old_mean) * share
        spread = (old_variance + (old_mean - merged) ** 2) * (1 - share) + (variance + (mean - merged) ** 2) * share
        self.__dict__["_seen"] = (total, merged, spread)

    def finalize_state(self) -> None:
        """Makes mean and variance of all that was seen."""
        count, mean, variance = self._seen
        self.adapt_mean.assign(array(mean, self.dtype))
        self.adapt_variance.assign(array(variance, self.dtype))
        self.count.assign(count)

    def call(self, inputs: Any) -> Any:
        """The result for `inputs`."""
        if inputs.dtype.name != self.dtype:
            inputs = cast(inputs, self.dtype)
        mean, variance = self._both()
        deviation = maximum(sqrt(variance), settings.epsilon)
        if self.invert:
            return add(mean, multiply(inputs, deviation))
        return real_divide(subtract(inputs, mean), deviation)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The input's shape."""
        return input_shape

    def _output_dtype(self, input_dtype: Any) -> Any:
        from ....base import dtypes

        return dtypes.as_dtype(self.dtype)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {
            **super().get_config(),
            "axis": list(self.axis) or None,
            "mean": None if self.input_mean is None else self.input_mean.tolist(),
            "variance": None if self.input_variance is None else self.input_variance.tolist(),
            "invert": self.invert,
        }


Normalization.__module__ = "eagercore.keras.layers"
