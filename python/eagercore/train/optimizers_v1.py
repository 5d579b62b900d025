"""TensorFlow 1's optimizers: `tf.train.GradientDescentOptimizer` and its kin.

The base class knows gradients, slots and the global step; a member says its slots and its formula. A formula changes
arrays in place; for `IndexedSlices` it is given the touched rows alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from ..autodiff.tape import GradientTape
from ..backend import fused
from ..base import errors
from ..base.context import context
from ..base.shapes import TensorSpec
from ..core.op import op
from ..core.slices import IndexedSlices
from ..core.tensor import EagerTensor, Tensor, convert
from ..core.variable import Variable
from ..graph.build import name_scope

Array = Any


@op(free=("values",), outputs="count", differentiable=False)
def optimizer_step(xp, *values, optimizer: Any, count: int, names: Any, sparse: bool = False):
    """One step of an optimizer on copies of its variables, as a node of a graph; assignments follow it.

    Args:
        values: The variable and its slots, the gradient (of rows: the rows and their indices), the hyperparameters.
        optimizer: The optimizer.
        count: How many of the values are the variable and its slots.
        names: Names of the hyperparameters.
        sparse: Whether the gradient is one of rows.

    Returns:
        The new values of the variable and its slots.

    >>> sgd = GradientDescentOptimizer(0.5)
    >>> values = [convert(1.0), convert(1.0), convert(0.5)]
    >>> optimizer_step(values, optimizer=sgd, count=1, names=("learning_rate",))[0].numpy()
    np.float32(0.5)
    """
    arrays = [np.array(v, order="C") for v in values[:count]]
    hyper = dict(zip(names, (float(v) for v in values[-len(names) :]), strict=True))
    if sparse:
        slices = IndexedSlices(EagerTensor(values[count]), EagerTensor(values[count + 1]))
        optimizer._rows_formula(arrays, slices, hyper)
    else:
        optimizer._formula(arrays[0], np.ascontiguousarray(values[count]), arrays[1:], hyper)
    return tuple(arrays)


@optimizer_step.shape_rule
def optimizer_step_rule(*specs, optimizer, count, names, sparse):
    """The results are like the first of the values."""
    return tuple(TensorSpec(s.shape, s.dtype) for s in specs[:count])


@optimizer_step.samples
def optimizer_step_samples(rng):
    """A step of plain gradient descent."""
    optimizer = GradientDescentOptimizer(0.5)
    values = (rng.normal(size=3), rng.normal(size=3), np.array(2))
    yield values, {"optimizer": optimizer, "count": 1, "names": ("learning_rate",)}


class Optimizer:
    """Base of TensorFlow 1's optimizers.

    Args:
        use_locking: Accepted for TensorFlow's sake.
        name: Name; slots are named after it.

    Raises:
        ValueError: If `name` is empty.
    """

    GATE_NONE = 0
    GATE_OP = 1
    GATE_GRAPH = 2

    #: Names of a member's slots, in the order in which its formula takes them.
    _slot_names: tuple[str, ...] = ()

    def __init__(self, use_locking: bool, name: str) -> None:
        if not name:
            raise ValueError("Must specify the optimizer name.")
        self._name = name
        self._use_locking = use_locking
        self._hyper: dict[str, Any] = {}
        #: slot -> id of a variable -> (variable, slot variable)
        self._slots: dict[str, dict[int, tuple[Variable, Variable]]] = {}
        #: Variables of the optimizer itself, such as Adam's powers of beta.
        self._own: dict[str, Variable] = {}
        self._listener: Callable[..., Any] | None = None
        self._slot_listener: Callable[..., Any] | None = None

    # ------------------------------------------------------------------------------------------------- gradients

    def minimize(
        self,
        loss: Any,
        global_step: Any = None,
        var_list: Any = None,
        gate_gradients: int = GATE_OP,
        aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False,
        name: str | None = None,
        grad_loss: Any = None,
    ) -> Any:
        """Computes gradients of `loss` and applies them.

        Args:
            loss: Function of no arguments that gives the loss; in graph mode, a tensor.
            global_step: Variable that counts the steps, or None.
            var_list: Variables to change; default the trainable ones that the function reads.
            gate_gradients: Accepted for TensorFlow's sake.
            aggregation_method: Accepted for TensorFlow's sake.
            colocate_gradients_with_ops: Accepted for TensorFlow's sake.
            name: Name of the operation in a graph.
            grad_loss: Upstream gradient of the loss, or None for ones.

        Returns:
            None in eager execution; in graph mode the operation.

        Raises:
            ValueError: If no variable gets a gradient.
            RuntimeError: If `loss` is a tensor in eager execution.
        """
        pairs = self.compute_gradients(
            loss,
            var_list,
            gate_gradients,
            aggregation_method,
            colocate_gradients_with_ops,
            grad_loss,
        )
        if all(g is None for g, _ in pairs):
            raise ValueError(
                "No gradients provided for any variable, check your graph for ops that do not support gradients, "
                f"between variables {[str(v) for _, v in pairs]} and loss {loss}. "
                "A GradientTape's explain(target, source) says where a path breaks."
            )
        return self.apply_gradients(pairs, global_step=global_step, name=name)

    def compute_gradients(
        self,
        loss: Any,
        var_list: Any = None,
        gate_gradients: int = GATE_OP,
        aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False,
        grad_loss: Any = None,
    ) -> list[tuple[Any, Variable]]:
        """Gradients of `loss` with respect to variables.

        Args:
            loss: Function of no arguments that gives the loss; in graph mode, a tensor.
            var_list: Variables; default the trainable ones that the function reads.
            gate_gradients: Accepted for TensorFlow's sake.
            aggregation_method: Accepted for TensorFlow's sake.
            colocate_gradients_with_ops: Accepted for TensorFlow's sake.
            grad_loss: Upstream gradient of the loss, or None for ones.

        Returns:
            List of (gradient, variable); a gradient may be None.

        Raises:
            RuntimeError: If `loss` is a tensor in eager execution.
        """
        variables = None if var_list is None else _listed(var_list)
        if callable(loss):
            with GradientTape() as tape:
                if variables is not None:
                    tape.watch(variables)
                value = loss()
            variables = list(tape.watched_variables()) if variables is None else variables
            return list(zip(tape.gradient(value, variables, grad_loss), variables, strict=True))
        if context.graph is None and not getattr(loss, "_is_symbolic", False):
            raise RuntimeError(
                "`loss` passed to Optimizer.compute_gradients should be a function when eager execution is enabled: "
                "minimize(lambda: loss(x)). Or record it: with tf.GradientTape() as tape: ..., and then "
                "apply_gradients(zip(tape.gradient(loss, variables), variables))."
            )
        from ..autodiff.gradients import gradients

        graph = context.graph if context.graph is not None else loss.graph
        variables = _listed(graph.trainable_variables()) if variables is None else variables
        return list(zip(gradients(loss, variables, grad_ys=grad_loss), variables, strict=True))

    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None
    ) -> Any:
        """Changes variables by their gradients.

        Args:
            grads_and_vars: Pairs (gradient, variable); where the gradient is None the variable stays as it is.
            global_step: Variable that is increased by one, or None.
            name: Name of the operation in a graph.

        Returns:
            None in eager execution; in graph mode the operation.

        Raises:
            ValueError: If there are no pairs, or no gradient at all.
            TypeError: If a gradient's dtype is not the variable's.
        """
        pairs = [self._pair(pair) for pair in _pairs(grads_and_vars)]
        if not pairs:
            raise ValueError("No variables provided.")
        if all(g is None for g, _ in pairs):
            raise ValueError(
                f"No gradients provided for any variable: {[str(v) for _, v in pairs]}."
            )
        used = [(g, v) for g, v in pairs if g is not None]
        self._create_slots([v for _, v in used])
        if context.graph is not None:
            return self._apply_in_graph(used, global_step, name)
        values = self._read_values()
        for gradient, variable in used:
            if type(gradient) is IndexedSlices:
                self._sparse_step(variable, gradient, values)
            else:
                self._dense_step(variable, gradient._array, values)
        self._finish(values)
        if global_step is not None:
            global_step.assign_add(1)
        return None

    def _pair(self, pair: Any) -> tuple[Any, Variable]:
        gradient, variable = pair
        if not isinstance(variable, Variable):
            raise NotImplementedError(
                "Trying to update a Tensor ",
                variable,
                ": only a tf.Variable can be changed by an optimizer.",
            )
        variable = getattr(variable, "_origin", variable)
        if gradient is None:
            return None, variable
        if not isinstance(gradient, Tensor | IndexedSlices):
            gradient = convert(gradient, None if isinstance(gradient, Variable) else variable.dtype)
        if gradient.dtype is not variable.dtype:
            raise errors.dtype_error(
                self._name,
                f"the gradient of variable '{variable.name}' is {gradient.dtype.name}, the variable is "
                f"{variable.dtype.name}: tf.cast(gradient, tf.{variable.dtype.name}).",
            )
        if not isinstance(gradient, IndexedSlices) and not gradient.shape.is_compatible_with(
            variable.shape
        ):
            raise errors.shape_error(
                self._name,
                f"the gradient of variable '{variable.name}' has shape {gradient.shape}, the variable "
                f"{variable.shape}.",
            )
        return gradient, variable

    def _apply_in_graph(self, used: list[Any], global_step: Any, name: str | None) -> Any:
        """The step as nodes: reads, the formula, assignments, and an operation that stands for all."""
        names = tuple(self._hyper)
        kind = type(self).__name__.removesuffix("Optimizer")
        with name_scope(name or self._name) as scope:
            values = [convert(v() if callable(v) else v) for v in self._hyper.values()]
            done = []
            for gradient, variable in used:
                variables = [variable, *(self._slot(variable, slot) for slot in self._slot_names)]
                sparse = isinstance(gradient, IndexedSlices)
                parts = [gradient.values, gradient.indices] if sparse else [gradient]
                with name_scope(f"update_{variable._name}"):
                    made = optimizer_step(
                        [*(v.value() for v in variables), *parts, *values],
                        optimizer=self, count=len(variables), names=names, sparse=sparse,
                    )  # fmt: skip
                    context.graph.suggest(f"Resource{'Sparse' * sparse}Apply{kind}")
                    done += [v.assign(new) for v, new in zip(variables, made, strict=True)]
            done += self._finish_in_graph(done)
        return train_op(done, global_step, scope)

    def _finish_in_graph(self, done: list[Any]) -> list[Any]:
        """What is done once after all variables, as nodes."""
        return []

    # ------------------------------------------------------------------------------------------- state and formulas

    def _read_values(self) -> dict[str, Any]:
        """The hyperparameters of this step as Python floats: functions are called, variables read."""
        return {name: _number(value) for name, value in self._hyper.items()}

    def _create_slots(self, variables: Iterable[Variable]) -> None:
        for variable in variables:
            for name in self._slot_names:
                self._slot(variable, name)

    def _first_value(self, slot: str, variable: Variable) -> Array:
        """What a slot holds at first: zeros, unless a member says otherwise."""
        return np.zeros(_shape(variable), variable.dtype._numpy())

    def _slot_label(self, slot: str) -> str:
        """Name under which a slot's variable is shown: `v/Adam`, `v/Adam_1`."""
        position = self._slot_names.index(slot)
        return self._name if position == 0 else f"{self._name}_{position}"

    def _slot(self, variable: Variable, slot: str) -> Variable:
        shelf = self._slots.setdefault(slot, {})
        known = shelf.get(id(variable))
        if known is None:
            made = _new_variable(
                self._first_value(slot, variable), f"{variable._name}/{self._slot_label(slot)}"
            )
            known = shelf[id(variable)] = (variable, made)
            if self._slot_listener is not None:
                self._slot_listener(self, variable, slot, made)
        return known[1]

    def _own_variable(self, name: str, value: float) -> Variable:
        known = self._own.get(name)
        if known is None:
            known = self._own[name] = _new_variable(np.float32(value), name)
            if self._listener is not None:
                self._listener(self, name, known)
        return known

    def _dense_step(self, variable: Variable, gradient: Array, values: dict[str, Any]) -> None:
        slots = [self._slot(variable, name).exclusive_array() for name in self._slot_names]
        parameter = variable.exclusive_array()
        self._formula(parameter, np.ascontiguousarray(gradient), slots, values)
        _constrain(variable)

    def _sparse_step(
        self, variable: Variable, gradient: IndexedSlices, values: dict[str, Any]
    ) -> None:
        variables = [variable, *(self._slot(variable, name) for name in self._slot_names)]
        _check_rows(gradient.indices._read_array(), variable)
        self._rows_formula([v.exclusive_array() for v in variables], gradient, values)
        _constrain(variable)

    def _rows_formula(
        self, arrays: list[Array], gradient: IndexedSlices, values: dict[str, Any]
    ) -> None:
        """The formula on the touched rows alone, each once."""
        indices, rows = gradient.merged()
        parts = [np.ascontiguousarray(array[indices]) for array in arrays]
        self._formula(parts[0], np.ascontiguousarray(rows), parts[1:], values)
        for array, part in zip(arrays, parts, strict=True):
            array[indices] = part

    def _formula(
        self, parameter: Array, gradient: Array, slots: list[Array], values: dict[str, Any]
    ) -> None:
        """Changes `parameter` and `slots` in place."""
        raise NotImplementedError(f"{type(self).__name__} does not define its formula.")

    def _finish(self, values: dict[str, Any]) -> None:
        """What is done once after all variables."""

    # ------------------------------------------------------------------------------------------------------ outside

    def get_name(self) -> str:
        """The optimizer's name."""
        return self._name

    def get_slot(self, var: Any, name: str) -> Variable | None:
        """The slot `name` of a variable, or None where there is none.

        Args:
            var: The variable.
            name: Such as "m" and "v" for Adam, "momentum" for Momentum.
        """
        known = self._slots.get(name, {}).get(id(getattr(var, "_origin", var)))
        return None if known is None else known[1]

    def get_slot_names(self) -> list[str]:
        """The names of the slots that were made."""
        return sorted(self._slots)

    def variables(self) -> list[Variable]:
        """All variables of the optimizer, sorted by name."""
        slots = [pair[1] for shelf in self._slots.values() for pair in shelf.values()]
        return sorted([*self._own.values(), *slots], key=lambda v: v.name)

    def _checkpoint_children(self) -> dict[str, Any]:
        """What a checkpoint saves beside the slots."""
        return dict(self._own)

    def _slot_variables(self) -> list[tuple[Variable, str, Variable]]:
        """(variable, slot, slot variable): what a checkpoint saves under the variables."""
        return [
            (v, slot, made) for slot, shelf in self._slots.items() for v, made in shelf.values()
        ]


class GradientDescentOptimizer(Optimizer):
    """Plain gradient descent: `variable -= learning_rate * gradient`.

    Args:
        learning_rate: Number, tensor, variable or function of no arguments; read anew in every step.
        use_locking: Accepted for TensorFlow's sake.
        name: Name.

    >>> v = Variable(1.0)
    >>> GradientDescentOptimizer(0.1).minimize(lambda: v * v)
    >>> v.numpy()
    np.float32(0.8)
    """

    def __init__(
        self, learning_rate: Any, use_locking: bool = False, name: str = "GradientDescent"
    ) -> None:
        super().__init__(use_locking, name)
        self._hyper = {"learning_rate": learning_rate}

    def _formula(self, parameter, gradient, slots, values):
        fused.sgd_step(parameter, gradient, values["learning_rate"])


class MomentumOptimizer(Optimizer):
    """Gradient descent with momentum: `accumulator = momentum * accumulator + gradient`.

    Args:
        learning_rate: Number, tensor, variable or function.
        momentum: Share of the accumulator that is kept.
        use_locking: Accepted for TensorFlow's sake.
        name: Name.
        use_nesterov: Whether to look ahead.

    >>> v = Variable(1.0)
    >>> optimizer = MomentumOptimizer(0.1, 0.9)
    >>> for _ in range(2):
    ...     optimizer.minimize(lambda: v * v / 2)
    >>> v.numpy()
    np.float32(0.72)
    """

    _slot_names = ("momentum",)

    def __init__(
        self,
        learning_rate: Any,
        momentum: Any,
        use_locking: bool = False,
        name: str = "Momentum",
        use_nesterov: bool = False,
    ) -> None:
        super().__init__(use_locking, name)
        self._hyper = {"learning_rate": learning_rate, "momentum": momentum}
        self._use_nesterov = use_nesterov

    def _formula(self, parameter, gradient, slots, values):
        fused.accumulated_momentum_step(
            parameter,
            gradient,
            slots[0],
            values["learning_rate"],
            values["momentum"],
            self._use_nesterov,
        )


class AdamOptimizer(Optimizer):
    """Adam: moving averages of the gradient and of its square.

    Args:
        learning_rate: Number, tensor, variable or function. Default 0.001.
        beta1: Decay of the first moment.
        beta2: Decay of the second moment.
        epsilon: Added to the root ("epsilon hat" in the paper).
        use_locking: Accepted for TensorFlow's sake.
        name: Name.

    >>> v = Variable(1.0)
    >>> AdamOptimizer(0.1).minimize(lambda: v * v)
    >>> v.numpy()
    np.float32(0.9)
    """

    _slot_names = ("m", "v")

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: Any = 1e-8,
        use_locking: bool = False,
        name: str = "Adam",
    ) -> None:
        super().__init__(use_locking, name)
        self._hyper = {
            "learning_rate": learning_rate,
            "beta1": beta1,
            "beta2": beta2,
            "epsilon": epsilon,
        }

    def _create_slots(self, variables):
        for power, beta in (("beta1_power", "beta1"), ("beta2_power", "beta2")):
            self._hyper[power] = self._own_variable(power, _number(self._hyper[beta]))
        super()._create_slots(variables)

    def _formula(self, parameter, gradient, slots, values):
        # The rate with its bias correction, in the variable's dtype. The decays are float32, as their powers are.
        kind = np.float32 if parameter.dtype.itemsize < 4 else parameter.dtype.type
        one = kind(1)
        rate = kind(values["learning_rate"]) * np.sqrt(one - kind(values["beta2_power"]))
        rate = rate / (one - kind(values["beta1_power"]))
        beta1, beta2 = float(np.float32(values["beta1"])), float(np.float32(values["beta2"]))
        fused.adam_step(
            parameter, gradient, slots[0], slots[1], float(rate), beta1, beta2, values["epsilon"]
        )

    def _rows_formula(self, arrays, gradient, values):
        """TensorFlow 1's Adam moves every row: the moments of untouched rows decay and act."""
        indices, rows = gradient.merged()
        dense = np.zeros(arrays[0].shape, arrays[0].dtype)
        dense[indices] = rows
        self._formula(arrays[0], dense, arrays[1:], values)

    def _finish(self, values):
        for power, beta in (("beta1_power", "beta1"), ("beta2_power", "beta2")):
            array = self._own[power].exclusive_array()
            np.multiply(array, np.float32(values[beta]), out=array)

    def _finish_in_graph(self, done):
        with context.graph.control_dependencies(done):
            return [
                self._own[power].assign(
                    self._own[power].value() * np.float32(_number(self._hyper[beta]))
                )
                for power, beta in (("beta1_power", "beta1"), ("beta2_power", "beta2"))
            ]


class AdagradOptimizer(Optimizer):
    """Adagrad: the rate falls with the sum of squared gradients.

    Args:
        learning_rate: Number, tensor, variable or function.
        initial_accumulator_value: First value of the sums.
        use_locking: Accepted for TensorFlow's sake.
        name: Name.

    >>> v = Variable(1.0)
    >>> AdagradOptimizer(0.1).minimize(lambda: v * v / 2)
    >>> round(float(v), 4)
    0.9047
    """

    _slot_names = ("accumulator",)

    def __init__(
        self,
        learning_rate: Any,
        initial_accumulator_value: float = 0.1,
        use_locking: bool = False,
        name: str = "Adagrad",
    ) -> None:
        if initial_accumulator_value <= 0:
            raise ValueError(
                f"initial_accumulator_value must be positive: {initial_accumulator_value}"
            )
        super().__init__(use_locking, name)
        self._hyper = {"learning_rate": learning_rate}
        self._initial = initial_accumulator_value

    def _first_value(self, slot, variable):
        return np.full(_shape(variable), self._initial, variable.dtype._numpy())

    def _formula(self, parameter, gradient, slots, values):
        fused.adagrad_step(parameter, gradient, slots[0], values["learning_rate"], 0.0)


class AdadeltaOptimizer(Optimizer):
    """Adadelta: steps in the unit of the parameters.

    Args:
        learning_rate: Number, tensor, variable or function. Default 0.001.
        rho: Decay of the averages.
        epsilon: Added under the roots.
        use_locking: Accepted for TensorFlow's sake.
        name: Name.

    >>> v = Variable(1.0)
    >>> AdadeltaOptimizer(1.0).minimize(lambda: v * v / 2)
    >>> bool(v < 1.0)
    True
    """

    _slot_names = ("accum", "accum_update")

    def __init__(
        self,
        learning_rate: Any = 0.001,
        rho: Any = 0.95,
        epsilon: Any = 1e-8,
        use_locking: bool = False,
        name: str = "Adadelta",
    ) -> None:
        super().__init__(use_locking, name)
        self._hyper = {"learning_rate": learning_rate, "rho": rho, "epsilon": epsilon}

    def _formula(self, parameter, gradient, slots, values):
        kind = parameter.dtype.type
        rho, epsilon = kind(values["rho"]), kind(values["epsilon"])
        keep = kind(1) - rho
        accum, accum_update = slots
        accum *= rho
        accum += gradient * gradient * keep
        update = np.sqrt(accum_update + epsilon) / np.sqrt(accum + epsilon) * gradient
        parameter -= update * kind(values["learning_rate"])
        accum_update *= rho
        accum_update += update * update * keep


class RMSPropOptimizer(Optimizer):
    """RMSProp: the gradient divided by a moving average of its size.

    Args:
        learning_rate: Number, tensor, variable or function.
        decay: Decay of the averages.
        momentum: Share of the last step that is kept.
        epsilon: Added under the root.
        use_locking: Accepted for TensorFlow's sake.
        centered: Whether the gradient's variance is used in place of its mean square.
        name: Name.

    >>> v = Variable(1.0)
    >>> RMSPropOptimizer(0.1).minimize(lambda: v * v / 2)
    >>> v.numpy()
    np.float32(0.9)
    """

    def __init__(
        self,
        learning_rate: Any,
        decay: Any = 0.9,
        momentum: Any = 0.0,
        epsilon: Any = 1e-10,
        use_locking: bool = False,
        centered: bool = False,
        name: str = "RMSProp",
    ) -> None:
        super().__init__(use_locking, name)
        self._hyper = {
            "learning_rate": learning_rate, "decay": decay, "momentum": momentum, "epsilon": epsilon,
        }  # fmt: skip
        self._centered = centered
        self._slot_names = ("rms", "mg", "momentum") if centered else ("rms", "momentum")

    def _first_value(self, slot, variable):
        filled = np.ones if slot == "rms" else np.zeros
        return filled(_shape(variable), variable.dtype._numpy())

    def _formula(self, parameter, gradient, slots, values):
        kind = parameter.dtype.type
        fused.rmsprop_step(
            parameter, gradient, slots[0], values["learning_rate"], float(kind(values["decay"])), values["epsilon"],
            momentum=values["momentum"], velocity=slots[-1], mean_gradient=slots[1] if self._centered else None,
            epsilon_inside=True,
        )  # fmt: skip


class FtrlOptimizer(Optimizer):
    """FTRL-proximal, for sparse linear models.

    Args:
        learning_rate: Number, tensor, variable or function.
        learning_rate_power: Power of the accumulator by which the rate falls; at most 0.
        initial_accumulator_value: First value of the accumulators.
        l1_regularization_strength: L1 penalty.
        l2_regularization_strength: L2 penalty, of the solution.
        use_locking: Accepted for TensorFlow's sake.
        name: Name.
        accum_name: Suffix of the first slot's name.
        linear_name: Suffix of the second slot's name.
        l2_shrinkage_regularization_strength: L2 penalty, of the gradient's magnitude.

    >>> v = Variable(1.0)
    >>> FtrlOptimizer(0.1).minimize(lambda: v * v / 2)
    >>> bool(v < 1.0)
    True
    """

    _slot_names = ("accum", "linear")

    def __init__(
        self,
        learning_rate: Any,
        learning_rate_power: Any = -0.5,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: Any = 0.0,
        l2_regularization_strength: Any = 0.0,
        use_locking: bool = False,
        name: str = "Ftrl",
        accum_name: str | None = None,
        linear_name: str | None = None,
        l2_shrinkage_regularization_strength: Any = 0.0,
    ) -> None:
        super().__init__(use_locking, name)
        _not_negative("initial_accumulator_value", initial_accumulator_value)
        _not_negative("l1_regularization_strength", l1_regularization_strength)
        _not_negative("l2_regularization_strength", l2_regularization_strength)
        if _number(learning_rate_power) > 0:
            raise ValueError(
                f"learning_rate_power {learning_rate_power} needs to be negative or zero"
            )
        self._hyper = {
            "learning_rate": learning_rate, "power": learning_rate_power, "l1": l1_regularization_strength,
            "l2": l2_regularization_strength, "shrinkage": l2_shrinkage_regularization_strength,
        }  # fmt: skip
        self._initial = initial_accumulator_value
        self._labels = {"accum": accum_name, "linear": linear_name}

    def _slot_label(self, slot):
        return self._labels[slot] or super()._slot_label(slot)

    def _first_value(self, slot, variable):
        value = self._initial if slot == "accum" else 0
        return np.full(_shape(variable), value, variable.dtype._numpy())

    def _formula(self, parameter, gradient, slots, values):
        kind = parameter.dtype.type
        rate, l1, l2 = (kind(values[n]) for n in ("learning_rate", "l1", "l2"))
        power = -kind(values["power"])
        accum, linear = slots
        shrunk = (
            gradient + kind(2 * values["shrinkage"]) * parameter
            if values["shrinkage"]
            else gradient
        )
        grown = accum + gradient * gradient
        linear += shrunk - (grown**power - accum**power) / rate * parameter
        quotient = (np.clip(linear, -l1, l1) - linear) / (grown**power / rate + kind(2) * l2)
        parameter[...] = np.where(np.abs(linear) > l1, quotient, kind(0))
        accum[...] = grown


class ProximalGradientDescentOptimizer(Optimizer):
    """Gradient descent with L1 and L2 penalties that are applied exactly.

    Args:
        learning_rate: Number, tensor, variable or function.
        l1_regularization_strength: L1 penalty.
        l2_regularization_strength: L2 penalty.
        use_locking: Accepted for TensorFlow's sake.
        name: Name.

    >>> v = Variable(1.0)
    >>> ProximalGradientDescentOptimizer(0.1, l1_regularization_strength=1.0).minimize(lambda: v * v / 2)
    >>> round(float(v), 4)
    0.8
    """

    def __init__(
        self,
        learning_rate: Any,
        l1_regularization_strength: Any = 0.0,
        l2_regularization_strength: Any = 0.0,
        use_locking: bool = False,
        name: str = "ProximalGradientDescent",
    ) -> None:
        super().__init__(use_locking, name)
        self._hyper = {
            "learning_rate": learning_rate, "l1": l1_regularization_strength, "l2": l2_regularization_strength,
        }  # fmt: skip

    def _formula(self, parameter, gradient, slots, values):
        rate = parameter.dtype.type(values["learning_rate"])
        _proximal(parameter, gradient, rate, values)


class ProximalAdagradOptimizer(AdagradOptimizer):
    """Adagrad with L1 and L2 penalties that are applied exactly.

    Args:
        learning_rate: Number, tensor, variable or function.
        initial_accumulator_value: First value of the sums.
        l1_regularization_strength: L1 penalty.
        l2_regularization_strength: L2 penalty.
        use_locking: Accepted for TensorFlow's sake.
        name: Name.

    >>> v = Variable(1.0)
    >>> ProximalAdagradOptimizer(0.1).minimize(lambda: v * v / 2)
    >>> round(float(v), 4)
    0.9047
    """

    def __init__(
        self,
        learning_rate: Any,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: Any = 0.0,
        l2_regularization_strength: Any = 0.0,
        use_locking: bool = False,
        name: str = "ProximalAdagrad",
    ) -> None:
        super().__init__(learning_rate, initial_accumulator_value, use_locking, name)
        self._hyper |= {"l1": l1_regularization_strength, "l2": l2_regularization_strength}

    def _formula(self, parameter, gradient, slots, values):
        slots[0] += gradient * gradient
        rate = parameter.dtype.type(values["learning_rate"]) / np.sqrt(slots[0])
        _proximal(parameter, gradient, rate, values)


class AdagradDAOptimizer(Optimizer):
    """Adagrad with dual averaging, for sparse linear models.

    Args:
        learning_rate: Number, tensor, variable or function.
        global_step: Variable that counts the steps from 0.
        initial_gradient_squared_accumulator_value: First value of the sums of squares.
        l1_regularization_strength: L1 penalty.
        l2_regularization_strength: L2 penalty.
        use_locking: Accepted for TensorFlow's sake.
        name: Name.

    >>> v, step = Variable(1.0), Variable(0)
    >>> AdagradDAOptimizer(0.1, step).minimize(lambda: v * v / 2, global_step=step)
    >>> bool(v < 1.0)
    True
    """

    _slot_names = ("gradient_accumulator", "gradient_squared_accumulator")

    def __init__(
        self,
        learning_rate: Any,
        global_step: Any,
        initial_gradient_squared_accumulator_value: float = 0.1,
        l1_regularization_strength: Any = 0.0,
        l2_regularization_strength: Any = 0.0,
        use_locking: bool = False,
        name: str = "AdagradDA",
    ) -> None:
        super().__init__(use_locking, name)
        self._hyper = {
            "learning_rate": learning_rate, "step": global_step, "l1": l1_regularization_strength,
            "l2": l2_regularization_strength,
        }  # fmt: skip
        self._initial = initial_gradient_squared_accumulator_value

    def _first_value(self, slot, variable):
        value = self._initial if slot == "gradient_squared_accumulator" else 0
        return np.full(_shape(variable), value, variable.dtype._numpy())

    def _formula(self, parameter, gradient, slots, values):
        kind = parameter.dtype.type
        rate, step = kind(values["learning_rate"]), kind(values["step"] + 1)
        total, squares = slots
        total += gradient
        squares += gradient * gradient
        l1 = kind(values["l1"])
        kept = np.sign(total) * np.maximum(np.abs(total) - l1 * step, 0) if l1 > 0 else total
        parameter[...] = -rate * kept / (kind(values["l2"]) * step * rate + np.sqrt(squares))


# --------------------------------------------------------------------------------------------------------------------


def _proximal(parameter: Array, gradient: Array, rate: Any, values: dict[str, Any]) -> None:
    kind = parameter.dtype.type
    moved = parameter - gradient * rate
    l1, l2 = kind(values["l1"]), kind(values["l2"])
    if l1 > 0:
        moved = np.sign(moved) * np.maximum(np.abs(moved) - rate * l1, kind(0))
    parameter[...] = moved / (kind(1) + l2 * rate)


def _not_negative(name: str, value: Any) -> None:
    if _number(value) < 0:
        raise ValueError(f"{name} {value} needs to be positive or zero")


def _number(value: Any) -> float:
    """A hyperparameter of this moment."""
    value = value() if callable(value) else value
    value = value._read_array() if hasattr(value, "_read_array") else value
    return float(value)


def _shape(variable: Variable) -> tuple[int, ...]:
    return tuple(variable.shape)


def _check_rows(indices: Array, variable: Variable) -> None:
    rows = _shape(variable)[0] if variable.shape.rank else 0
    if indices.size and (indices.min() < 0 or indices.max() >= rows):
        raise errors.index_error(
            "ScatterUpdate", f"indices must be in [0, {rows}) for variable '{variable.name}'."
        )


def _constrain(variable: Variable) -> None:
    if variable.constraint is not None:
        variable.assign(variable.constraint(variable))


def _new_variable(value: Array, name: str) -> Variable:
    """A variable of the optimizer: of the graph in graph mode, of the process otherwise."""
    scopes, context.name_scopes = context.name_scopes, ()
    graph = context.graph
    if getattr(graph, "building_function", False):
        context.graph = None
    try:
        return Variable(value, trainable=False, name=name)
    finally:
        context.graph, context.name_scopes = graph, scopes


def train_op(steps: list[Any], global_step: Any, name: str) -> Any:
    """The operation that runs when all steps have run, and counts them.

    Args:
        steps: Results of the assignments.
        global_step: Variable that is increased by one, or None.
        name: Name of the operation.
    """
    from ..graph.v1 import no_op

    graph = context.graph
    with graph.control_dependencies(steps):
        if global_step is None:
            return no_op(name=name)
        graph.suggest(name)
        made = global_step.assign_add(1)
        return getattr(made, "op", made)


def _listed(variables: Any) -> list[Variable]:
    found = (
        list(variables) if isinstance(variables, list | tuple | set | frozenset) else [variables]
    )
    for one in found:
        if not isinstance(one, Variable):
            raise TypeError(f"Argument is not a tf.Variable: {one!r}")
    return found


def _pairs(grads_and_vars: Any) -> Iterable[Any]:
    if isinstance(grads_and_vars, Mapping):
        grads_and_vars = grads_and_vars.values()
    for pair in grads_and_vars:
        items = tuple(pair.values()) if isinstance(pair, Mapping) else tuple(pair)
        if len(items) != 2:
            raise ValueError(
                f"apply_gradients takes pairs (gradient, variable), got {len(items)} things: {items!r}. "
                "Use zip(gradients, variables)."
            )
        yield items


for _cls in list(globals().values()):
    if isinstance(_cls, type) and issubclass(_cls, Optimizer):
        _cls.__module__ = "eagercore"
