"""tfe.metrics: numbers gathered over batches, as the first generation had them."""

from __future__ import annotations

from typing import Any

from ...base import errors
from ...core.tensor import convert
from ...core.variable import Variable
from ...ops.compare import equal, greater_equal
from ...ops.create import cast, ones_like
from ...ops.operators import truediv
from ...ops.reduce import argmax, reduce_sum
from ...ops.shape import size
from ..summary import scalar


class Metric:
    """Base of metrics: write `build`, `call` and `result`.

    Args:
        name: Name; default the class's.
        use_global_variables: Accepted for TensorFlow's sake.
    """

    def __init__(self, name: str | None = None, use_global_variables: bool = False) -> None:
        self._name = name or type(self).__name__
        self._built = False
        self._vars: list[Variable] = []
        self._first: list[Any] = []
        self._listener: Any = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Takes a batch into account; returns what was given."""
        if not self._built:
            self.build(*args, **kwargs)
            self._built = True
        return self.call(*args, **kwargs)

    name = property(lambda self: self._name, doc="Name.")
    variables = property(lambda self: self._vars, doc="The variables.")

    def init_variables(self) -> Any:
        """Starts anew: the variables get their first values."""
        for variable, value in zip(self._vars, self._first, strict=True):
            variable.assign(value)

    def build(self, *args: Any, **kwargs: Any) -> None:
        """Makes the variables, at the first call."""

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """Takes a batch into account."""
        raise NotImplementedError("Metrics must define a call() member function")

    def result(self) -> Any:
        """The value so far."""
        raise NotImplementedError("Metrics must define a result() member function")

    def value(self) -> Any:
        """The value so far; no summary is written."""
        return self.result()

    def aggregate(self, metrics: Any) -> Any:
        """Adds up the variables of other metrics of this kind.

        Args:
            metrics: The metrics.
        """
        for metric in metrics:
            if type(metric) is not type(self):
                raise TypeError(
                    f"aggregate: all must be {type(self).__name__}, got {type(metric).__name__}."
                )
        for i, variable in enumerate(self._vars):
            for metric in metrics:
                variable.assign_add(metric._vars[i].value())

    def add_variable(
        self, name: str, shape: Any = None, dtype: Any = None, initializer: Any = None
    ) -> Variable:
        """Makes a variable, in `build`.

        Args:
            name: Name.
            shape: Shape.
            dtype: Dtype.
            initializer: Function of shape and dtype. Default zeros.
        """
        from ...compat.v1.initializers import Zeros

        if self._built:
            raise RuntimeError("Can't call add_variable() except in build().")
        fill = initializer or Zeros()
        variable = Variable(
            fill(shape or [], dtype=dtype or "float32"),
            trainable=False,
            name=f"{self._name}/{name}",
        )
        self._vars.append(variable)
        self._first.append(variable.value())
        if self._listener is not None:
            self._listener(self, name, variable)
        return variable

    def _checkpoint_children(self) -> dict[str, Any]:
        return {v._name.rsplit("/", 1)[-1]: v for v in self._vars}


class Mean(Metric):
    """Weighted mean of values.

    Args:
        name: Name.
        dtype: Dtype of the sums. Default float64.
        use_global_variables: Accepted for TensorFlow's sake.

    >>> mean = Mean()
    >>> _ = mean([1.0, 3.0])
    >>> mean.result().numpy()
    np.float64(2.0)
    """

    def __init__(
        self, name: str | None = None, dtype: Any = "float64", use_global_variables: bool = False
    ) -> None:
        super().__init__(name, use_global_variables)
        self.dtype = dtype

    def build(self, *args: Any, **kwargs: Any) -> None:
        """Makes numerator and denominator."""
        self.numer = self.add_variable("numer", shape=(), dtype=self.dtype)
        self.denom = self.add_variable("denom", shape=(), dtype=self.dtype)

    def call(self, values: Any, weights: Any = None) -> Any:
        """Takes values, weighted where weights are given."""
        given = convert(values)
        taken = cast(given, self.dtype)
        if weights is None:
            self.denom.assign_add(cast(size(given), self.dtype))
            self.numer.assign_add(reduce_sum(taken))
            return values
        weights = cast(convert(weights), self.dtype)
        self.denom.assign_add(reduce_sum(ones_like(taken) * weights))
        self.numer.assign_add(reduce_sum(taken * weights))
        return values, weights

    def result(self, write_summary: bool = True) -> Any:
        """The mean so far.

        Args:
            write_summary: Whether it is written as a summary, where these are recorded.
        """
        if not self._built:
            self.build()
            self._built = True
        mean = truediv(self.numer.value(), self.denom.value())
        if write_summary:
            scalar(self.name, mean)
        return mean

    def value(self) -> Any:
        """The mean so far; no summary is written."""
        return self.result(write_summary=False)


def _same_shape(labels: Any, predictions: Any) -> None:
    if not labels.shape.is_compatible_with(predictions.shape):
        raise errors.shape_error(
            None,
            f"Shapes of labels and predictions are unequal: {labels.shape} and {predictions.shape}.",
        )


class Accuracy(Mean):
    """Share of predictions that equal their labels.

    Args:
        name: Name.
        dtype: Dtype of the sums.

    >>> accuracy = Accuracy()
    >>> _ = accuracy([1, 2], [1, 3])
    >>> accuracy.result().numpy()
    np.float64(0.5)
    """

    def __init__(self, name: str | None = None, dtype: Any = "float64") -> None:
        super().__init__(name=name, dtype=dtype)

    def _count(self, labels: Any, predictions: Any, matches: Any, weights: Any) -> Any:
        super().call(cast(matches, self.dtype), weights=weights)
        return (labels, predictions) if weights is None else (labels, predictions, weights)

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:
        """Compares predictions with labels."""
        labels, predictions = convert(labels), convert(predictions)
        _same_shape(labels, predictions)
        return self._count(labels, predictions, equal(labels, predictions), weights)


class CategoricalAccuracy(Accuracy):
    """Share of examples whose largest prediction stands where the label's 1 stands.

    Args:
        name: Name.
        dtype: Dtype of the sums.
    """

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:
        """Compares the positions of the largest entries."""
        labels, predictions = convert(labels), convert(predictions)
        _same_shape(labels, predictions)
        matches = equal(argmax(labels, axis=-1), argmax(predictions, axis=-1))
        return self._count(labels, predictions, matches, weights)


class BinaryAccuracy(Accuracy):
    """Share of predictions on the right side of a threshold.

    Args:
        threshold: The threshold. Default 0.5.
        name: Name.
        dtype: Dtype of the sums.
    """

    def __init__(
        self, threshold: float = 0.5, name: str | None = None, dtype: Any = "float64"
    ) -> None:
        super().__init__(name=name, dtype=dtype)
        self.threshold = threshold

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:
        """Compares predictions, rounded at the threshold, with labels."""
        labels, predictions = convert(labels), convert(predictions)
        _same_shape(labels, predictions)
        sides = cast(greater_equal(predictions, self.threshold), labels.dtype)
        return self._count(labels, predictions, equal(labels, sides), weights)


class SparseAccuracy(Accuracy):
    """Share of examples whose largest prediction stands where the label says.

    Args:
        name: Name.
        dtype: Dtype of the sums.
    """

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:
        """Compares the position of the largest prediction with the label."""
        labels, predictions = convert(labels), convert(predictions)
        if labels.shape.rank == predictions.shape.rank:
            from ...ops.shape import squeeze

            labels = squeeze(labels, -1)
        matches = equal(cast(labels, "int64"), argmax(predictions, axis=-1))
        return self._count(labels, predictions, matches, weights)


for _cls in (Metric, Mean, Accuracy, CategoricalAccuracy, BinaryAccuracy, SparseAccuracy):
    _cls.__module__ = "eagercore"
