"""Means and sums over batches."""

from __future__ import annotations

from typing import Any

from ...core.tensor import EagerTensor
from ...ops.arithmetic import multiply, square, subtract
from ...ops.complexes import abs as absolute
from ...ops.create import cast, zeros_like
from ...ops.exponential import sqrt
from ...ops.reduce import reduce_sum
from ...ops.shape import size
from ..losses.reduction import aligned, fit_weights
from .base import Metric, divide_no_nan


class Sum(Metric):
    """Sum of all values.

    Args:
        name: Name. Default "sum".
        dtype: Type of the result. Default the default float type.

    >>> m = Sum()
    >>> float(m([1.0, 2.0]))
    3.0
    """

    def __init__(self, name: str | None = "sum", dtype: Any = None) -> None:
        super().__init__(name, dtype)
        self.total = self.add_weight("total")

    def update_state(self, values: Any, sample_weight: Any = None) -> Any:
        """Adds values, weighted where weights are given."""
        values = self._float(values)
        if sample_weight is not None:
            values = multiply(values, fit_weights(values, sample_weight))
        return self.total.assign_add(reduce_sum(values))

    def result(self) -> Any:
        """The sum so far."""
        return self.total.value()


class Mean(Metric):
    """Weighted mean of all values.

    Args:
        name: Name. Default "mean".
        dtype: Type of the result. Default the default float type.

    >>> m = Mean()
    >>> float(m(1.0)), float(m(3.0))
    (1.0, 2.0)
    """

    def __init__(self, name: str | None = "mean", dtype: Any = None) -> None:
        super().__init__(name, dtype)
        self.total = self.add_weight("total")
        self.count = self.add_weight("count")

    def update_state(self, values: Any, sample_weight: Any = None) -> Any:
        """Adds values, weighted where weights are given."""
        values = self._float(values)
        if type(values) is EagerTensor and type(sample_weight) is float and values.ndim == 0:
            # The mean of a batch that counts as often as it has examples: what fit keeps of the loss.
            self.total.assign_add(multiply(values, sample_weight))
            return self.count.assign_add(sample_weight)
        if sample_weight is None:
            number = values.shape.num_elements()
            count = float(number) if number is not None else cast(size(values), self.dtype)
        else:
            weights = fit_weights(values, sample_weight)
            values = multiply(values, weights)
            count = reduce_sum(weights + zeros_like(values))
        self.total.assign_add(reduce_sum(values))
        return self.count.assign_add(count)

    def result(self) -> Any:
        """The mean so far; 0 before the first value."""
        return divide_no_nan(self.total.value(), self.count.value())


class MeanMetricWrapper(Mean):
    """Mean of a function of targets and predictions.

    Args:
        fn: Function of `(y_true, y_pred)` that gives one number for each example.
        name: Name. Default that of the function.
        dtype: Type of the result. Default the default float type.
        **kwargs: Further arguments of the function.

    >>> from eagercore.keras.losses import mean_squared_error
    >>> m = MeanMetricWrapper(mean_squared_error)
    >>> float(m([1.0], [3.0]))
    4.0
    """

    def __init__(self, fn: Any, name: str | None = None, dtype: Any = None, **kwargs: Any) -> None:
        super().__init__(name or getattr(fn, "__name__", "metric"), dtype)
        self._fn, self._fn_kwargs = fn, kwargs

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Adds the function's values for a batch."""
        return super().update_state(self._fn(y_true, y_pred, **self._fn_kwargs), sample_weight)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a metric like this one."""
        config = {**super().get_config(), **self._fn_kwargs}
        if type(self) is MeanMetricWrapper:
            from ..serialization import get_registered_name

            config["fn"] = get_registered_name(self._fn)
        return config

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """The metric that `get_config` described."""
        config = dict(config)
        fn = config.pop("fn", None)
        if cls is MeanMetricWrapper:
            from . import get_function

            return cls(get_function(fn), **config)
        return cls(**config)


class RootMeanSquaredError(Mean):
    """Root of the mean squared difference of targets and predictions.

    Args:
        name: Name. Default "root_mean_squared_error".
        dtype: Type of the result. Default the default float type.

    >>> float(RootMeanSquaredError()([0.0, 0.0], [2.0, 2.0]))
    2.0
    """

    def __init__(self, name: str | None = "root_mean_squared_error", dtype: Any = None) -> None:
        super().__init__(name, dtype)

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Adds the squared differences of a batch."""
        y_true, y_pred = aligned(y_true, y_pred)
        return super().update_state(square(subtract(y_pred, y_true)), sample_weight)

    def result(self) -> Any:
        """The root of the mean so far."""
        return sqrt(divide_no_nan(self.total.value(), self.count.value()))


class MeanRelativeError(Mean):
    """Mean of the absolute differences over a normalizer.

    Args:
        normalizer: What differences are divided by.
        name: Name. Default "mean_relative_error".
        dtype: Type of the result. Default the default float type.

    >>> float(MeanRelativeError([2.0])([1.0], [2.0]))
    0.5
    """

    def __init__(
        self, normalizer: Any, name: str | None = "mean_relative_error", dtype: Any = None
    ) -> None:
        super().__init__(name, dtype)
        self.normalizer = self._float(normalizer)

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        """Adds the relative differences of a batch."""
        y_true, y_pred = aligned(y_true, y_pred)
        error = absolute(subtract(y_true, y_pred))
        return super().update_state(
            divide_no_nan(error, self.normalizer + zeros_like(error)), sample_weight
        )

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a metric like this one."""
        return {**super().get_config(), "normalizer": self.normalizer.numpy().tolist()}


class MeanTensor(Metric):
    """Mean of each element over tensors of one shape.

    Args:
        name: Name. Default "mean_tensor".
        dtype: Type of the result. Default the default float type.
        shape: Shape; default that of the first value.

    >>> m = MeanTensor()
    >>> m.update_state([1.0, 2.0])
    >>> m([3.0, 4.0]).numpy()
    array([2., 3.], dtype=float32)
    """

    def __init__(
        self, name: str | None = "mean_tensor", dtype: Any = None, shape: Any = None
    ) -> None:
        super().__init__(name, dtype)
        self.total: Any = None
        if shape is not None:
            self._make(shape)

    def _make(self, shape: Any) -> None:
        self.total = self.add_weight("total", shape=shape)
        self.count = self.add_weight("count", shape=shape)

    def update_state(self, values: Any, sample_weight: Any = None) -> None:
        """Adds values, weighted where weights are given."""
        values = self._float(values)
        if self.total is None:
            self._make(values.shape)
        if not values.shape.is_compatible_with(self.total.shape):
            raise ValueError(
                f"MeanTensor values must always have the same shape. Expected shape (set during the first call): "
                f"{self.total.shape}. Got: {values.shape}."
            )
        ones = zeros_like(values) + 1
        weights = ones if sample_weight is None else fit_weights(values, sample_weight) * ones
        self.total.assign_add(values * weights)
        self.count.assign_add(weights)

    def result(self) -> Any:
        """The means so far."""
        if self.total is None:
            raise ValueError(
                "MeanTensor does not have any result yet. Please call it or use update_state(value) first."
            )
        return divide_no_nan(self.total.value(), self.count.value())
