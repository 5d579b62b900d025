"""Metric: numbers that are gathered over batches."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...core.tensor import EagerTensor, Tensor, convert
from ...ops import arithmetic
from ...ops.create import cast, zeros_like
from ...ops.select import where
from ..calls import calls
from ..layers.base import Layer


class Metric(Layer):
    """Base of metrics: write `update_state(...)` and `result()`; variables are made by `add_weight(name, initializer)`.

    Args:
        name: Name. Default the class's in snake case.
        dtype: Type of the variables. Default the default float type.
        **kwargs: Accepted for Keras's sake.

    Calling a metric updates it and gives its result.
    """

    _casts_inputs = False
    stateful = True

    def __init__(self, name: str | None = None, dtype: Any = None, **kwargs: Any) -> None:
        super().__init__(name=name, dtype=dtype, **kwargs)
        self.built = True

    def _first_name(self, name: str | None) -> str:
        from ..naming import snake_case, unique_name

        return unique_name(snake_case(type(self).__name__)) if name is None else str(name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Updates the metric, and gives its result."""
        self.update_state(*args, **kwargs)
        return self.result()

    def add_weight(
        self, name: Any = None, shape: Any = (), aggregation: Any = None, synchronization: Any = None,
        initializer: Any = "zeros", dtype: Any = None, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """Makes a variable of the metric, which starts at zero.

        Args:
            name: Its name.
            shape: Its shape. Default a scalar.
            aggregation: Accepted for Keras's sake.
            synchronization: Accepted for Keras's sake.
            initializer: What fills it. Default "zeros".
            dtype: Its type. Default the metric's.
            **kwargs: Accepted for Keras's sake.
        """
        variable = super().add_weight(
            name, shape=shape, dtype=dtype or self.dtype, initializer=initializer, trainable=False
        )
        self._first_values.append((variable, variable.value()))
        return variable

    @property
    def _first_values(self) -> list[Any]:
        return self.__dict__.setdefault("_at_first", [])

    def update_state(self, *args: Any, **kwargs: Any) -> Any:
        """Takes a batch into account."""
        raise NotImplementedError(f"{type(self).__name__} must define update_state().")

    def result(self) -> Any:
        """The metric's value so far, as a tensor."""
        raise NotImplementedError(f"{type(self).__name__} must define result().")

    def reset_state(self) -> None:
        """Starts anew: all variables get the values that they had at first."""
        for variable, value in self._first_values:
            variable.assign(value)

    def reset_states(self) -> None:
        """Starts anew (the older name of `reset_state`)."""
        self.reset_state()

    def merge_state(self, metrics: Any) -> None:
        """Adds the variables of other metrics of this kind to its own."""
        for other in metrics:
            for mine, theirs in zip(self.weights, other.weights, strict=True):
                mine.assign_add(theirs.value())

    @property
    def variables(self) -> list[Any]:
        """The variables of the metric."""
        return self.weights

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a metric like this one."""
        return {"name": self.name, "dtype": self.dtype}

    def _float(self, value: Any) -> Any:
        """A value as a tensor of the metric's type."""
        if calls.inferring and not isinstance(value, Tensor):
            return value
        tensor = value if isinstance(value, Tensor) else convert(value)
        return cast(tensor, dtypes.as_dtype(self.dtype))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}>"


def divide_no_nan(x: Any, y: Any) -> Any:
    """`x / y`, and 0 where y is 0."""
    if type(x) is EagerTensor is type(y) and x.dtype.is_floating:
        return arithmetic.divide_no_nan(x, y)
    zero = y == 0
    return where(zero, zeros_like(x), x / where(zero, zeros_like(y) + 1, y))


Metric.__module__ = "eagercore.keras.metrics"
