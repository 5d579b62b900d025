"""Moving averages of variables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..base.context import context
from ..core.tensor import Tensor, convert
from ..core.variable import Variable
from ..ops.arithmetic import add, minimum, real_divide, subtract
from ..ops.create import cast, identity


def assign_moving_average(
    variable: Variable, value: Any, decay: Any, zero_debias: bool = False, name: str | None = None
) -> Any:
    """`variable = variable * decay + value * (1 - decay)`, in place.

    Args:
        variable: The average.
        value: New value, of the variable's shape.
        decay: Share of the average that is kept.
        zero_debias: Whether the average, which began at zero, is corrected for that.
        name: Accepted for TensorFlow's sake.

    Returns:
        The variable.

    >>> v = Variable(1.0)
    >>> assign_moving_average(v, 3.0, 0.5).numpy()
    np.float32(2.0)
    """
    rate = subtract(1.0, cast(convert(decay), variable.dtype))
    value = cast(convert(value), variable.dtype)
    if zero_debias:
        return _debiased(variable, value, rate)
    return variable.assign_sub((variable.value() - value) * rate)


def _debiased(variable: Variable, value: Any, rate: Any) -> Any:
    state = variable.__dict__.setdefault("_moving_average", {})
    if not state:
        state["biased"] = Variable(
            variable.value() * 0.0, trainable=False, name=variable._name + "/biased"
        )
        state["power"] = Variable(
            cast(convert(1.0), variable.dtype), trainable=False, name=variable._name + "/power"
        )
    state["biased"].assign_sub((state["biased"].value() - value) * rate)
    state["power"].assign(state["power"].value() * subtract(1.0, rate))
    return variable.assign(
        real_divide(state["biased"].value(), subtract(1.0, state["power"].value()))
    )


class ExponentialMovingAverage:
    """Keeps moving averages of variables: `shadow = shadow * decay + variable * (1 - decay)`.

    Args:
        decay: Share of the average that is kept.
        num_updates: Step count; where given, the decay is at most `(1 + n) / (10 + n)`.
        zero_debias: Whether averages of tensors, which begin at zero, are corrected for that.
        name: Suffix of the shadow variables' names.

    >>> v = Variable(0.0)
    >>> average = ExponentialMovingAverage(decay=0.5)
    >>> _ = average.apply([v])
    >>> _ = v.assign(4.0)
    >>> _ = average.apply([v])
    >>> average.average(v).numpy()
    np.float32(2.0)
    """

    def __init__(
        self,
        decay: Any,
        num_updates: Any = None,
        zero_debias: bool = False,
        name: str = "ExponentialMovingAverage",
    ) -> None:
        self._decay = decay
        self._num_updates = num_updates
        self._zero_debias = zero_debias
        self._name = name
        self._averages: dict[int, tuple[Any, Variable]] = {}

    @property
    def name(self) -> str:
        """Suffix of the shadow variables' names."""
        return self._name

    def apply(self, var_list: Iterable[Any] | None = None) -> Any:
        """Updates the averages, which begin with the values of the first call.

        Args:
            var_list: Variables (or, for averages that begin at zero, tensors).

        Returns:
            None in eager execution; in graph mode the operation.

        Raises:
            ValueError: If there is nothing to average in eager execution.
        """
        if var_list is None:
            if context.graph is None:
                raise ValueError(
                    "ExponentialMovingAverage.apply needs the variables in eager execution."
                )
            var_list = context.graph.trainable_variables()
        decay = (
            convert(self._decay, "float32")
            if not isinstance(self._decay, Tensor | Variable)
            else self._decay
        )
        if self._num_updates is not None:
            count = cast(convert(self._num_updates), "float32")
            decay = minimum(decay, real_divide(add(count, 1.0), add(count, 10.0)))
        steps = []
        for variable in var_list:
            shadow = self._shadow(variable)
            debias = self._zero_debias and not isinstance(variable, Variable)
            value = variable.value() if isinstance(variable, Variable) else variable
            steps.append(assign_moving_average(shadow, value, decay, zero_debias=debias))
        return None if context.graph is None else context.graph.group(steps)

    def _shadow(self, variable: Any) -> Variable:
        known = self._averages.get(id(variable))
        if known is None:
            is_variable = isinstance(variable, Variable)
            value = variable.value() if is_variable else convert(variable) * 0.0
            base = variable._name if is_variable else "average"
            made = Variable(identity(value), trainable=False, name=f"{base}/{self._name}")
            known = self._averages[id(variable)] = (variable, made)
        return known[1]

    def average(self, var: Any) -> Variable | None:
        """The average of a variable, or None where there is none."""
        known = self._averages.get(id(getattr(var, "_origin", var)))
        return None if known is None else known[1]

    def average_name(self, var: Any) -> str:
        """The name of a variable's average."""
        return f"{var._name}/{self._name}"

    def variables_to_restore(self, moving_avg_variables: Any = None) -> dict[str, Any]:
        """Names in a checkpoint -> variables: averages are restored into the variables themselves."""
        chosen = (
            [v for v, _ in self._averages.values()]
            if moving_avg_variables is None
            else moving_avg_variables
        )
        return {self.average_name(v): v for v in chosen}

    def _checkpoint_children(self) -> dict[str, Any]:
        return {shadow._name: shadow for _, shadow in self._averages.values()}


ExponentialMovingAverage.__module__ = "eagercore"
