"""Optimizer: takes gradients, changes variables."""

from __future__ import annotations

from typing import Any

from ...autodiff.tape import GradientTape
from ...base import dtypes, errors, nest
from ...base.context import context
from ...core.slices import IndexedSlices
from ...core.tensor import EagerTensor, Tensor, convert
from ...core.variable import Variable
from ...ops import training
from ...ops.create import cast, fill, zeros
from .clipping import Clipping
from .schedules import LearningRateSchedule


class Optimizer:
    """Base of optimizers: a subclass names its algorithm, its slots and its numbers.

    Args:
        name: Name; default the class's.
        learning_rate: Number, tensor, variable, function of no arguments, or `LearningRateSchedule`.
        **kwargs: `lr` (older name of `learning_rate`), `decay`, `clipnorm`, `clipvalue`, `global_clipnorm`,
            `weight_decay`.

    Raises:
        TypeError: If a keyword is not understood.
        ValueError: If a number is negative.
    """

    #: Name of the learning rate's default.
    _default_rate = 0.01
    #: Whether rows that a sparse gradient leaves out stay as they are; else it is made dense.
    _updates_rows = True

    def __init__(self, name: str | None = None, learning_rate: Any = None, **kwargs: Any) -> None:
        rate = kwargs.pop("lr", learning_rate)
        self._name = name or type(self).__name__
        self._clipping = Clipping(
            kwargs.pop("clipnorm", None),
            kwargs.pop("clipvalue", None),
            kwargs.pop("global_clipnorm", None),
        )
        decay = kwargs.pop("decay", None)
        self.weight_decay = kwargs.pop("weight_decay", None)
        kwargs.pop("jit_compile", None)
        if kwargs:
            raise TypeError(
                f"Unexpected keyword argument passed to optimizer: {next(iter(kwargs))}"
            )
        if decay is not None and decay < 0:
            raise ValueError(f"decay cannot be less than 0, got {decay}.")
        self._decay = float(decay or 0.0)
        self._hyper: dict[str, Any] = {}
        self._iterations: Any = None
        #: slot name -> id of a variable -> slot variable
        self._slots: dict[str, dict[int, Variable]] = {}
        self._slotted: dict[int, Variable] = {}
        self._states: dict[tuple[int, ...], training.State] = {}
        #: The variables that `apply` changes when it is told none.
        self._applied_to: list[Variable] | None = None
        #: The variables that it was built for, in the order by which `update_step` counts them.
        self._built_for: list[Variable] | None = None
        #: Restores that wait for variables of the optimizer itself, and for slots.
        self._listener: Any = None
        self._slot_listener: Any = None
        self._set_rate(self._default_rate if rate is None else rate)

    # ------------------------------------------------------------------------------------------------ learning rate

    def _set_rate(self, rate: Any) -> None:
        if isinstance(rate, LearningRateSchedule | Variable | Tensor) or callable(rate):
            self._rate = rate
            return
        number = float(rate)
        if number < 0:
            raise ValueError(f"Expected learning_rate >= 0, received: learning_rate={rate}")
        known = self.__dict__.get("_rate")
        if isinstance(known, Variable) and self.__dict__.get("_owns_rate"):
            known.assign(number)
        else:
            self._rate = Variable(
                number, dtype=dtypes.float32, trainable=False, name="learning_rate"
            )
            self._owns_rate = True

    @property
    def learning_rate(self) -> Any:
        """The learning rate: a variable (assign a number to change it), or what was given for it."""
        return self._rate

    @learning_rate.setter
    def learning_rate(self, value: Any) -> None:
        self._set_rate(value)

    lr = learning_rate

    @property
    def decay(self) -> float:
        """By how much the learning rate falls: it is divided by `1 + decay * iterations`."""
        return self._decay

    def _current_rate(self) -> Any:
        """The learning rate of this step, as a scalar tensor."""
        rate = self._rate
        if isinstance(rate, LearningRateSchedule):
            rate = rate(cast(self.iterations, dtypes.float32))
        elif isinstance(rate, Variable):
            rate = rate.value()
        elif callable(rate) and not isinstance(rate, Tensor):
            rate = rate()
        rate = convert(rate) if not isinstance(rate, int) else convert(float(rate))
        if self._decay:
            rate = rate / (1.0 + self._decay * cast(self.iterations, rate.dtype))
        return rate

    # ------------------------------------------------------------------------------------------------ state

    @property
    def iterations(self) -> Variable:
        """How many steps were made: an int64 variable."""
        if self._iterations is None:
            self._iterations = Variable(
                0, dtype=dtypes.int64, trainable=False, name=f"{self._name}/iter"
            )
            if self._listener is not None:
                self._listener(self, "iter", self._iterations)
        return self._iterations

    @iterations.setter
    def iterations(self, variable: Variable) -> None:
        if self._iterations is not None:
            raise RuntimeError(
                "Cannot set `iterations` to a new Variable after the Optimizer weights have been created."
            )
        self._iterations = variable

    def _initial_slot(self, slot: str) -> float:
        """What a slot is filled with at first."""
        return 0.0

    def add_slot(
        self, var: Variable, slot_name: str, initializer: Any = None, shape: Any = None
    ) -> Variable:
        """The slot of a variable, made where it is not there yet.

        Args:
            var: The variable.
            slot_name: Name of the slot, such as "m".
            initializer: Function of shape and dtype, or None for the algorithm's own.
            shape: Shape of the slot, or None for the variable's.
        """
        origin = getattr(var, "_origin", var)
        known = self._slots.setdefault(slot_name, {})
        slot = known.get(id(origin))
        if slot is None:
            dims = tuple(origin.shape if shape is None else shape)
            first = self._initial_slot(slot_name)

            def initial() -> Any:
                if initializer is not None:
                    return initializer(dims, dtype=origin.dtype)
                return (
                    zeros(dims, origin.dtype)
                    if not first
                    else cast(fill(dims, first), origin.dtype)
                )

            slot = Variable(
                initial,
                trainable=False,
                name=f"{self._name}/{origin.name.split(':')[0]}/{slot_name}",
            )
            known[id(origin)] = slot
            self._slotted[id(origin)] = origin
            if self._slot_listener is not None:
                self._slot_listener(self, origin, slot_name, slot)
        return slot

    def get_slot(self, var: Variable, slot_name: str) -> Any:
        """The slot of a variable, such as "m" of Adam; None where it does not exist."""
        return self._slots.get(slot_name, {}).get(id(getattr(var, "_origin", var)))

    def get_slot_names(self) -> list[str]:
        """Names of the slots that exist."""
        return list(self._slots)

    @property
    def weights(self) -> list[Variable]:
        """The state: `iterations`, then the slots of each variable."""
        found = [] if self._iterations is None else [self._iterations]
        for key in self._slotted:
            found += [slots[key] for slots in self._slots.values() if key in slots]
        return found

    def variables(self) -> list[Variable]:
        """The state: `iterations`, then the slots of each variable."""
        return self.weights

    def get_weights(self) -> list[Any]:
        """Values of the state, as NumPy arrays."""
        return [v.numpy() for v in self.weights]

    def set_weights(self, weights: Any) -> None:
        """Sets the state.

        Raises:
            ValueError: If number or shapes differ from `weights`.
        """
        values, known = list(weights), self.weights
        if len(values) != len(known):
            raise ValueError(
                f"You called `set_weights(weights)` on optimizer {self._name} with a weight list of length "
                f"{len(values)}, "
                f"but the optimizer was expecting {len(known)} weights. Make a first step before you set its weights."
            )
        for variable, value in zip(known, values, strict=True):
            value = convert(value)
            if not variable.shape.is_compatible_with(value.shape):
                raise ValueError(
                    f"Optimizer weight shape {variable.shape} not compatible with provided weight shape {value.shape}."
                )
            variable.assign(cast(value, variable.dtype))

    def _checkpoint_children(self) -> dict[str, Any]:
        """What a checkpoint saves beside the slots: the counter of steps and the numbers that are variables."""
        found: dict[str, Any] = {"iter": self.iterations}
        if isinstance(self._rate, Variable):
            found["learning_rate"] = self._rate
        return found

    def _slot_variables(self) -> list[tuple[Variable, str, Variable]]:
        """What a checkpoint saves of the slots: (variable, name of the slot, slot)."""
        return [
            (self._slotted[key], name, slot)
            for name, slots in self._slots.items()
            for key, slot in slots.items()
        ]

    def build(self, var_list: Any) -> None:
        """Makes the slots of the variables."""
        self._applied_to = self._built_for = nest.flatten(var_list)
        for var in self._applied_to:
            for slot in self._slot_names():
                self.add_slot(var, slot)

    # ------------------------------------------------------------------------------------------------ the algorithm

    def _algorithm(self) -> str:
        """Name of the algorithm in `ops/training.py`."""
        raise NotImplementedError(
            f"{type(self).__name__} must define update_step(gradient, variable, learning_rate)."
        )

    def _numbers(self) -> tuple[Any, ...]:
        """The numbers that the algorithm takes, in its order."""
        return ()

    def _slot_names(self) -> tuple[str, ...]:
        try:
            return training.ALGORITHMS[self._algorithm()].slots
        except NotImplementedError:
            return ()

    # ------------------------------------------------------------------------------------------------ steps

    def get_gradients(self, loss: Any, params: Any) -> Any:
        """Refused in eager execution: record the loss with a tape."""
        raise RuntimeError(
            "Optimizer.get_gradients needs a graph. In eager execution compute gradients with tf.GradientTape."
        )

    def _compute_gradients(
        self, loss: Any, var_list: Any = None, grad_loss: Any = None, tape: Any = None
    ) -> list[tuple[Any, Variable]]:
        if callable(loss) and not isinstance(loss, Tensor):
            tape = GradientTape() if tape is None else tape
            with tape:
                if not callable(var_list):
                    _watch(tape, var_list)
                loss = loss()
                if callable(var_list):
                    var_list = var_list()
        elif tape is None:
            raise ValueError(
                "`tape` is required when a `Tensor` loss is passed: minimize(loss, var_list, tape=tape), or give a "
                "function of no arguments that computes the loss."
            )
        variables = list(tape.watched_variables()) if var_list is None else nest.flatten(var_list)
        gradients = tape.gradient(loss, variables, grad_loss)
        return list(zip(gradients, variables, strict=True))

    def compute_gradients(
        self,
        loss: Any,
        var_list: Any = None,
        grad_loss: Any = None,
        tape: Any = None,
        **kwargs: Any,
    ) -> list[tuple[Any, Variable]]:
        """Pairs of gradient and variable.

        Args:
            loss: Function of no arguments that computes the loss, or the loss itself with the `tape` that recorded it.
            var_list: Variables, or a function that gives them. Default the trainable ones that were read.
            grad_loss: Gradient of the loss, or None for 1.
            tape: `tf.GradientTape`.
            **kwargs: Accepted for TensorFlow's sake.
        """
        return self._compute_gradients(loss, var_list, grad_loss, tape)

    def minimize(
        self,
        loss: Any,
        var_list: Any = None,
        grad_loss: Any = None,
        name: str | None = None,
        tape: Any = None,
        **kwargs: Any,
    ) -> Any:
        """One step that makes the loss smaller.

        Args:
            loss: Function of no arguments that computes the loss, or the loss itself with the `tape` that recorded it.
            var_list: Variable, list of variables, or a function that gives them. Default the trainable
                ones that were read.
            grad_loss: Gradient of the loss, or None for 1.
            name: Accepted for TensorFlow's sake.
            tape: `tf.GradientTape`.
            **kwargs: Accepted for TensorFlow's sake, but `global_step`.

        Returns:
            `iterations`.

        Raises:
            TypeError: If `global_step` is given: `tf.train`'s optimizers take it.
            ValueError: If no variable has a gradient.
        """
        self._refuse_global_step("minimize", kwargs)
        if isinstance(var_list, GradientTape):
            var_list, tape = None, var_list
        pairs = self._compute_gradients(loss, var_list, grad_loss, tape)
        return self.apply_gradients(pairs)

    def apply_gradients(
        self,
        grads_and_vars: Any,
        name: str | None = None,
        experimental_aggregate_gradients: bool = True,
        **kwargs: Any,
    ) -> Any:
        """Changes the variables by their gradients.

        Args:
            grads_and_vars: Pairs of gradient and variable: a list, zip or generator of pairs (tuples or lists). Pairs
                without a gradient (None) are left out.
            name: Accepted for TensorFlow's sake.
            experimental_aggregate_gradients: Accepted for TensorFlow's sake.
            **kwargs: Accepted for TensorFlow's sake, but `global_step`.

        Returns:
            `iterations`.

        Raises:
            TypeError: If `global_step` is given: `tf.train`'s optimizers take it.
            ValueError: If no variable has a gradient.
            InvalidArgumentError: If dtype or shape of a gradient are not the variable's.
        """
        self._refuse_global_step("apply_gradients", kwargs)
        pairs = self._checked(grads_and_vars)
        if context.strategy is not None:
            pairs = context.strategy.reduce_gradients(pairs)
        pairs = self._clipping(pairs)
        self._decay_weights([v for _, v in pairs])
        self._apply(pairs)
        return self.iterations.assign_add(1)

    def _refuse_global_step(self, method: str, given: dict[str, Any]) -> None:
        if "global_step" in given:
            raise TypeError(
                f"{type(self).__name__}.{method}() got an unexpected keyword argument 'global_step': Keras's "
                "optimizers count their steps in `iterations`; tf.train's optimizers take a global_step."
            )

    def apply(self, grads: Any, trainable_variables: Any = None) -> Any:
        """Changes the variables by their gradients, as Keras 3 spells it.

        Args:
            grads: List of gradients; those that are None are left out.
            trainable_variables: List of the variables, one for each gradient. Default those of the last call, or of
                `build`.

        Returns:
            `iterations`.

        Raises:
            ValueError: If there are not as many variables as gradients, or the variables were never told.
        """
        grads = list(grads)
        if trainable_variables is None:
            trainable_variables = self._applied_to
            if trainable_variables is None:
                raise ValueError(
                    f"{type(self).__name__}.apply does not know the variables: give `trainable_variables`, or call "
                    "build(variables) before."
                )
        variables = list(trainable_variables)
        if len(grads) != len(variables):
            raise ValueError(
                f"{type(self).__name__}.apply takes a gradient for each variable, got {len(grads)} gradients and "
                f"{len(variables)} variables."
            )
        self._applied_to = variables
        return self.apply_gradients(zip(grads, variables, strict=True))

    def _checked(self, grads_and_vars: Any) -> list[tuple[Any, Variable]]:
        given = list(grads_and_vars)
        for i, pair in enumerate(given):
            if pair is None or isinstance(pair, Tensor | Variable | IndexedSlices):
                raise TypeError(
                    f"apply_gradients takes a list of pairs (gradient, variable), and item {i} is a single "
                    f"{type(pair).__name__}. Pair them: zip(gradients, variables)."
                )
        given = [tuple(pair) for pair in given]
        for pair in given:
            if len(pair) != 2:
                raise ValueError(
                    f"apply_gradients takes pairs (gradient, variable), got {len(pair)} values: {pair!r}"
                )
        pairs = [(g, v) for g, v in given if g is not None]
        if not pairs:
            names = [getattr(v, "name", v) for _, v in given]
            raise ValueError(f"No gradients provided for any variable: {names}.")
        return [(_fitting(g, v), v) for g, v in pairs]

    def _decay_weights(self, variables: list[Variable]) -> None:
        if self.weight_decay:
            rate = self._current_rate()
            for variable in variables:
                variable.assign_sub(
                    variable.value() * cast(rate * self.weight_decay, variable.dtype)
                )

    def _step_by_step(self, pairs: list[tuple[Any, Variable]]) -> None:
        """One `update_step` for each variable, as optimizers of Keras 3 are written."""
        rate = self._current_rate()
        if self._built_for is None:
            self._built_for = [v for _, v in pairs]
            self.build(self._built_for)
        for gradient, variable in pairs:
            dense = convert(gradient) if type(gradient) is IndexedSlices else gradient
            self.update_step(dense, variable, cast(rate, variable.dtype))  # type: ignore[attr-defined]

    def _apply(self, pairs: list[tuple[Any, Variable]]) -> None:
        if hasattr(self, "update_step"):
            self._step_by_step(pairs)
            self._constrain(pairs)
            return
        rows = [(g, v) for g, v in pairs if type(g) is IndexedSlices and self._updates_rows]
        dense = [
            (convert(g) if type(g) is IndexedSlices else g, v)
            for g, v in pairs
            if type(g) is not IndexedSlices or not self._updates_rows
        ]
        algorithm, rate = self._algorithm(), self._current_rate()
        step, hyper = self.iterations.value() + 1, self._numbers()
        if dense:
            state = self._state([v for _, v in dense])
            training.dense_step(algorithm)(
                rate, step, [g for g, _ in dense], state=state, hyper=hyper
            )
        for gradient, variable in rows:
            state = self._state([variable])
            training.sparse_step(algorithm)(
                rate, step, gradient.values, gradient.indices, state=state, hyper=hyper
            )
        self._constrain(pairs)

    def _constrain(self, pairs: list[tuple[Any, Variable]]) -> None:
        for _, variable in pairs:
            if variable.constraint is not None:
                variable.assign(variable.constraint(variable.value()))

    # What optimizers of Keras 3 call in `build` and `update_step`.

    def add_variable_from_reference(
        self, reference_variable: Variable, name: str = "state", initializer: Any = None
    ) -> Variable:
        """A state variable of the shape of a variable.

        Args:
            reference_variable: The variable.
            name: Name of the state, such as "momentum".
            initializer: Function of shape and dtype, or None for zeros.
        """
        if isinstance(initializer, str):
            from .. import initializers

            initializer = initializers.get(initializer)
        return self.add_slot(reference_variable, name, initializer)

    def add_optimizer_variables(
        self, trainable_variables: Any, name: Any, initializer: Any = None
    ) -> Any:
        """A state variable for each variable; of several names a list of such lists.

        Args:
            trainable_variables: The variables.
            name: Name of the state, or a list of names.
            initializer: Function of shape and dtype, or None for zeros.
        """
        names = [name] if isinstance(name, str) else list(name)
        made = [
            [self.add_variable_from_reference(v, n, initializer) for v in trainable_variables]
            for n in names
        ]
        return made[0] if isinstance(name, str) else made

    def _get_variable_index(self, variable: Variable) -> int:
        origin = getattr(variable, "_origin", variable)
        for index, known in enumerate(self._built_for or ()):
            if getattr(known, "_origin", known) is origin:
                return index
        raise ValueError(
            f"Optimizer {self._name} was built for other variables than '{variable.name}': its steps take those of "
            "the first step, or of build(variables)."
        )

    def assign(self, variable: Variable, value: Any) -> Any:
        """Sets a variable."""
        return variable.assign(cast(convert(value), variable.dtype))

    def assign_add(self, variable: Variable, value: Any) -> Any:
        """Adds to a variable."""
        return variable.assign_add(cast(convert(value), variable.dtype))

    def assign_sub(self, variable: Variable, value: Any) -> Any:
        """Subtracts from a variable."""
        return variable.assign_sub(cast(convert(value), variable.dtype))

    def _state(self, variables: list[Variable]) -> training.State:
        origins = [getattr(v, "_origin", v) for v in variables]
        key = tuple(map(id, origins))
        known = self._states.get(key)
        if known is None:
            slots = [[self.add_slot(v, name) for v in origins] for name in self._slot_names()]
            known = self._states[key] = training.State(origins, slots)
        return known

    # ------------------------------------------------------------------------------------------------ configuration

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an optimizer like this one."""
        rate = self._rate
        if isinstance(rate, LearningRateSchedule):
            from . import schedules

            rate = schedules.serialize(rate)
        elif isinstance(rate, Variable | Tensor):
            rate = float(rate)
        config = {
            "name": self._name,
            "learning_rate": rate,
            "decay": self._decay,
            **self._clipping.get_config(),
        }
        if self.weight_decay is not None:
            config["weight_decay"] = self.weight_decay
        return config

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """The optimizer that `get_config` described."""
        config = dict(config)
        if "lr" in config:
            config["learning_rate"] = config.pop("lr")
        if isinstance(config.get("learning_rate"), dict):
            from . import schedules

            config["learning_rate"] = schedules.deserialize(config["learning_rate"], custom_objects)
        return cls(**config)

    def __repr__(self) -> str:
        return f"<{type(self).__module__}.{type(self).__name__} object, name={self._name}>"

    @property
    def name(self) -> str:
        """The optimizer's name."""
        return self._name

    def finalize_variable_values(self, var_list: Any) -> None:
        """Nothing: variables have their values after each step."""


def _watch(tape: GradientTape, var_list: Any) -> None:
    if var_list is not None:
        tape.watch([v for v in nest.flatten(var_list) if isinstance(v, Variable)])


def _fitting(gradient: Any, variable: Any) -> Any:
    """A gradient of the dtype and shape of its variable, or an error that names it."""
    if (
        type(gradient) is EagerTensor
        and isinstance(variable, Variable)
        and gradient.dtype is variable.dtype
        and gradient._dims() == variable.shape._dims
    ):
        return gradient
    if not isinstance(variable, Variable):
        raise TypeError(
            f"apply_gradients changes variables, got {variable!r} of type {type(variable).__name__} to be "
            f"changed. Each pair "
            "is (gradient, variable)."
        )
    if not isinstance(gradient, Tensor | IndexedSlices | Variable):
        gradient = cast(convert(gradient), variable.dtype)
    if gradient.dtype is not variable.dtype:
        raise errors.dtype_error(
            "ApplyGradients",
            f"the gradient of variable '{variable.name}' has dtype {gradient.dtype.name}, the variable "
            f"{variable.dtype.name}. "
            f"Cast it: tf.cast(gradient, tf.{variable.dtype.name}).",
        )
    sparse = type(gradient) is IndexedSlices
    own, given = (
        (variable.shape[1:], gradient.values.shape[1:])
        if sparse
        else (variable.shape, gradient.shape)
    )
    if not own.is_compatible_with(given):
        raise errors.shape_error(
            "ApplyGradients",
            f"the gradient of variable '{variable.name}' has shape "
            f"{gradient.values.shape if sparse else given}, the variable {variable.shape}.",
        )
    return gradient.value() if isinstance(gradient, Variable) else gradient


Optimizer.__module__ = "eagercore.keras.optimizers"
