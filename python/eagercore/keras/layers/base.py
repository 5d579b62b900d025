"""Layer: variables, the layers inside it, and a `call`; built once, when the shape of its input is known."""

from __future__ import annotations

import warnings
from typing import Any

from ...base import dtypes, errors, nest
from ...base.context import context
from ...base.shapes import TensorShape, as_shape
from ...core.tensor import EagerTensor, Tensor, convert
from ...core.variable import Variable
from ...graph.autograph import layer_call
from ...ops.create import cast
from ...ops.shape import reshape
from .. import masks
from ..calls import calls
from ..naming import snake_case, unique_name
from ..settings import settings
from ..symbolic import KerasTensor, Node, any_symbolic, fresh
from ..tracking import Trackable, deduplicated
from .call_spec import CallSpec
from .input_spec import check_inputs

MISSING: Any = type("MISSING", (), {"__repr__": lambda self: "MISSING"})()


class Layer(Trackable):
    """Base class of all layers: write `__init__`, `build(input_shape)` and `call(inputs)`.

    `build` makes the variables with `add_weight`; it runs once, at the first call. Layers and variables that are set on
    a layer, also in lists and dictionaries, belong to it.

    Args:
        trainable: Whether the variables are to be trained. Default True.
        name: Name; default the class's name in snake case, with a number where that is taken.
        dtype: Type of the variables and of the work, or a policy that has one for each (see `keras.mixed_precision`);
            default that of the first floating input.
        dynamic: Accepted for Keras's sake.
        **kwargs: `input_shape`, `batch_input_shape`, `batch_size`, `input_dim`, `weights`, `activity_regularizer`.

    Raises:
        TypeError: If a keyword is not understood.

    >>> class Scale(Layer):
    ...     def build(self, input_shape):
    ...         self.factor = self.add_weight("factor", shape=(), initializer="ones")
    ...     def call(self, inputs):
    ...         return inputs * self.factor
    >>> Scale()([1.0, 2.0]).numpy()
    array([1., 2.], dtype=float32)
    """

    #: Whether floating inputs are cast to the layer's dtype. Models leave theirs as they are.
    _casts_inputs = True
    supports_masking = False
    stateful = False
    input_spec: Any = None
    #: Whether the class has a rule of its own for masks.
    _makes_masks = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._makes_masks = cls.compute_mask is not Layer.compute_mask

    def __init__(
        self,
        trainable: bool = True,
        name: str | None = None,
        dtype: Any = None,
        dynamic: bool = False,
        **kwargs: Any,
    ) -> None:
        fields = self.__dict__
        fields["_built"] = False
        fields["_call_spec"] = None
        fields["_trainable"] = True if trainable is None else bool(trainable)
        fields["_dtype"] = fields["_kept_dtype"] = None
        if dtype is not None or settings.policy is not None:
            self._follow(settings.policy if dtype is None else dtype)
        fields["_regularizers"] = []
        fields["_losses"] = []
        fields["_callable_losses"] = []
        fields["_forward"] = 0
        fields["_inbound_nodes"] = []
        fields["_metric_by_name"] = {}
        fields["dynamic"] = bool(dynamic)
        fields["_initial_weights"] = kwargs.pop("weights", None)
        self._read_input_shape(kwargs)
        (
            kwargs.pop("autocast", None),
            kwargs.pop("implementation", None),
            kwargs.pop("input_dtype", None),
        )
        regularizer = kwargs.pop("activity_regularizer", None)
        if regularizer is not None:
            from ..regularizers import get

            regularizer = get(regularizer)
        fields["activity_regularizer"] = regularizer
        if kwargs:
            key = next(iter(kwargs))
            raise TypeError(
                f"Keyword argument not understood: {key!r}. {type(self).__name__} was given {kwargs}."
            )
        # Last, so that a call that is refused uses up no number.
        fields["_name"] = self._first_name(name)

    def _follow(self, dtype: Any) -> None:
        """Takes its types from a dtype or a policy: that of the variables is kept where it is another."""
        fields = self.__dict__
        name = dtype if isinstance(dtype, str) else getattr(dtype, "name", None)
        if isinstance(dtype, dict) or name is not None and name.startswith("mixed_"):
            from ..mixed_precision import as_policy

            policy = as_policy(dtype)
            fields["_dtype"] = dtypes.as_dtype(policy.compute_dtype)
            if policy.variable_dtype != policy.compute_dtype:
                fields["_kept_dtype"] = dtypes.as_dtype(policy.variable_dtype)
        else:
            fields["_dtype"] = dtypes.as_dtype(dtype if name is None else name)

    def _first_name(self, name: str | None) -> str:
        return unique_name(snake_case(type(self).__name__)) if name is None else str(name)

    def _read_input_shape(self, kwargs: dict[str, Any]) -> None:
        shape, batch = kwargs.pop("input_shape", None), kwargs.pop("batch_size", None)
        full, flat = kwargs.pop("batch_input_shape", None), kwargs.pop("input_dim", None)
        if flat is not None and shape is None:
            shape = (flat,)
        if full is None and shape is not None:
            full = (batch, *as_shape(shape))
        self.__dict__["_batch_input_shape"] = None if full is None else tuple(as_shape(full))

    def __setattr__(self, name: str, value: Any) -> None:
        fields = self.__dict__
        if name == "call":
            fields["_call_spec"] = None
        elif "_built" not in fields and isinstance(value, Trackable | Variable | list | dict):
            raise RuntimeError(
                f"In layer '{type(self).__name__}', you forgot to call `super().__init__()` as the first statement "
                "in the `__init__()` method. Go add it!"
            )
        Trackable.__setattr__(self, name, value)

    # -------------------------------------------------------------------------------------------------- calling

    def __call__(self, inputs: Any = MISSING, *args: Any, **kwargs: Any) -> Any:
        """The layer's result; builds it first where that was not done.

        Args:
            inputs: Tensor, array, list of numbers, or a structure of these.
            *args: Further arguments of `call`.
            **kwargs: Further arguments of `call`; `training` also reaches the layers inside.
        """
        fields = self.__dict__
        try:
            spec = fields["_call_spec"]
        except KeyError:
            raise self._not_initialized() from None
        if spec is None:
            spec = fields["_call_spec"] = CallSpec(self.call)
        if type(inputs) is not EagerTensor or context.graph is not None:
            inputs, kwargs = self._admit(inputs, kwargs, spec)
            if any_symbolic(inputs) or (args or kwargs) and any_symbolic(args, kwargs):
                return self._call_symbolically(inputs, args, kwargs)
        elif (args or kwargs) and any_symbolic(args, kwargs):
            return self._call_symbolically(inputs, args, kwargs)
        if (
            masks.table
            and spec.takes_mask
            and kwargs.get("mask") is None
            and len(args) <= spec.mask_at
        ):
            found = masks.masks_of(inputs)
            if found is not None:
                kwargs["mask"] = found
        training = kwargs.get("training")
        if training is None and 0 <= spec.training_at < len(args):
            training = args[spec.training_at]
        outer = calls.training
        if not spec.takes_training:
            kwargs.pop("training", None)
            if training is None:
                training = outer
        elif training is None:
            training = calls.phase if outer is None else outer
            if training is None:
                training = spec.default_training
                if spec.requires_training and "training" not in kwargs:
                    kwargs["training"] = False
            elif spec.training_at >= len(args) or spec.training_at < 0:
                kwargs["training"] = training
        if not fields["_built"]:
            self._build_for(inputs)
        if self.input_spec is not None:
            check_inputs(self.input_spec, inputs, fields["_name"])
        if self._casts_inputs:
            inputs = self._cast(inputs)
        calls.training = training
        around = calls.compute_dtype
        if fields["_kept_dtype"] is not None:
            calls.compute_dtype = fields["_dtype"]
        stack = calls.stack
        if not stack:
            calls.forward += 1
            fields["_forward"] = calls.forward
        stack.append(self)
        try:
            call = self.call if context.graph is None else layer_call(self.call)
            outputs = (
                call(inputs, *args, **kwargs) if inputs is not MISSING else call(*args, **kwargs)
            )
        except errors.OpError as error:
            raise self._explained(error, inputs) from None
        finally:
            stack.pop()
            calls.training = outer
            calls.compute_dtype = around
        if self.activity_regularizer is not None:
            self._add_activity_loss(outputs)
        if masks.table or self._makes_masks:
            self._set_masks(inputs, outputs, kwargs.get("mask"))
        return outputs

    def _not_initialized(self) -> Exception:
        return RuntimeError(
            f"In layer '{type(self).__name__}', you forgot to call `super().__init__()` as the first statement in the "
            "`__init__()` method. Go add it!"
        )

    def _admit(
        self, inputs: Any, kwargs: dict[str, Any], spec: CallSpec
    ) -> tuple[Any, dict[str, Any]]:
        """Inputs of any kind as tensors, in the structure in which they came."""
        if inputs is MISSING:
            if spec.names and spec.names[0] in kwargs:
                kwargs = dict(kwargs)
                inputs = kwargs.pop(spec.names[0])
            elif spec.names and "inputs" in kwargs:
                kwargs = dict(kwargs)
                inputs = kwargs.pop("inputs")
            else:
                return MISSING, kwargs
        return self._as_tensors(inputs), kwargs

    def _as_tensors(self, inputs: Any) -> Any:
        if isinstance(inputs, Tensor):
            return inputs
        if isinstance(inputs, Variable):
            return inputs.value()
        if isinstance(inputs, list | tuple | dict) and self._is_structure(inputs):
            items = inputs.values() if isinstance(inputs, dict) else inputs
            made = [self._as_tensors(item) for item in items]
            if isinstance(inputs, dict):
                return dict(zip(inputs, made, strict=True))
            return (
                nest.pack_sequence_as([None] * len(made), made)
                if type(inputs) is list
                else _like(inputs, made)
            )
        if inputs is None or isinstance(inputs, str | bytes) and not inputs:
            return inputs
        try:
            return self._weak(inputs)
        except (ValueError, TypeError):
            if isinstance(inputs, list | tuple):
                return inputs
            if not hasattr(inputs, "__array__") and not isinstance(inputs, str | bytes):
                return inputs
            raise

    @staticmethod
    def _is_structure(inputs: Any) -> bool:
        """Whether it is a structure of inputs, rather than numbers of one input."""
        if isinstance(inputs, dict):
            return True
        if not inputs:
            return True
        return any(
            isinstance(i, Tensor | Variable | dict)
            or i is None
            or hasattr(i, "__array__")
            and getattr(i, "ndim", 0) > 0
            or isinstance(i, list | tuple)
            and i
            and Layer._is_structure(i)
            for i in inputs
        )

    def _weak(self, value: Any) -> Any:
        """Arrays and numbers are weak: floats take the layer's dtype, or the default float type."""
        tensor = convert(value)
        wanted = self.__dict__["_dtype"] or dtypes.as_dtype(settings.floatx)
        if (
            tensor.dtype.is_floating
            and tensor.dtype is not wanted
            and self._casts_inputs | (wanted.size < tensor.dtype.size)
        ):
            return cast(tensor, wanted)
        return tensor

    def _cast(self, inputs: Any) -> Any:
        wanted = self.__dict__["_dtype"]
        if wanted is None:
            return inputs
        if isinstance(inputs, Tensor):
            found = inputs.dtype
            return cast(inputs, wanted) if found is not wanted and found.is_floating else inputs
        if isinstance(inputs, list | tuple | dict):
            return nest.map_structure(
                lambda x: (
                    cast(x, wanted)
                    if isinstance(x, Tensor) and x.dtype.is_floating and x.dtype is not wanted
                    else x
                ),
                inputs,
            )
        return inputs

    def _explained(self, error: Any, inputs: Any) -> Any:
        """The error of an op, with the layer that it happened in."""
        if getattr(error, "layer", None) is None:
            error.layer = self.name
            shapes = [
                f"{tuple(t.shape)} {t.dtype.name}"
                for t in nest.flatten(inputs)
                if isinstance(t, Tensor)
            ]
            error.message = (
                f"{error.message} (in layer '{self.name}' of type {type(self).__name__}, "
                f"called on {', '.join(shapes) or 'no tensor'})"
            )
        return error

    def _call_symbolically(self, inputs: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        """A call on symbolic tensors: a node of a functional model."""
        if not self.__dict__["_built"]:
            self._build_for(inputs)
        if self.input_spec is not None and inputs is not MISSING:
            check_inputs(self.input_spec, inputs, self.name)
        given = () if inputs is MISSING else (inputs,)
        training = kwargs.get("training")
        made = self._inferred((*given, *args), kwargs)
        if calls.inferring:
            return made
        if not self.__dict__["_call_spec"].takes_training and training is not None:
            kwargs = {k: v for k, v in kwargs.items() if k != "training"}
        return self._connect((*given, *args), kwargs, made)

    def _connect(self, args: Any, kwargs: dict[str, Any], outputs: Any) -> Any:
        Node(self, args, kwargs, outputs)
        return outputs

    def _inferred(self, args: Any, kwargs: dict[str, Any]) -> Any:
        """Symbolic results of a call, without a history."""
        before, calls.inferring = calls.inferring, True
        try:
            return fresh(self.compute_output_spec(*args, **kwargs))
        finally:
            calls.inferring = before

    def compute_output_spec(self, *args: Any, **kwargs: Any) -> Any:
        """Shapes and dtypes of the results of a call on symbolic tensors.

        Args:
            *args: What `call` is given.
            **kwargs: What `call` is given.

        Returns:
            A structure of things that have a shape and a dtype.
        """
        if type(self).compute_output_shape is not Layer.compute_output_shape and args:
            shapes = nest.map_structure(lambda t: t.shape if isinstance(t, Tensor) else t, args[0])
            try:
                found = self.compute_output_shape(shapes)
            except NotImplementedError:
                found = None
            if found is not None:
                return self._specs(found, args[0])
        from .inference import by_running

        return by_running(self, args, kwargs)

    def _specs(self, shapes: Any, inputs: Any) -> Any:
        first = next((t for t in nest.flatten(inputs) if isinstance(t, Tensor)), None)
        own = self.__dict__["_dtype"] or dtypes.as_dtype(settings.floatx)
        dtype = (
            own if first is None or self._casts_inputs and first.dtype.is_floating else first.dtype
        )
        dtype = self._output_dtype(dtype)
        if (
            isinstance(shapes, list)
            and shapes
            and isinstance(shapes[0], TensorShape | tuple | list)
        ):
            return [KerasTensor(s, dtype) for s in shapes]
        if (
            isinstance(shapes, tuple)
            and shapes
            and isinstance(shapes[0], TensorShape | tuple | list)
        ):
            return tuple(KerasTensor(s, dtype) for s in shapes)
        return KerasTensor(shapes, dtype)

    def _output_dtype(self, input_dtype: Any) -> Any:
        """Type of the result when the input has this type."""
        return input_dtype

    def call(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """The layer's work, written by each layer: the result for `inputs`."""
        return inputs

    # -------------------------------------------------------------------------------------------------- building

    def build(self, input_shape: Any) -> None:
        """Makes the variables; written by layers that have some.

        Args:
            input_shape: `TensorShape` of the input, or a structure of them.
        """
        self.built = True

    def _build_for(self, inputs: Any) -> None:
        fields = self.__dict__
        flat = [t for t in nest.flatten(inputs) if isinstance(t, Tensor)]
        if fields["_dtype"] is None and self._casts_inputs:
            fields["_dtype"] = next((t.dtype for t in flat if t.dtype.is_floating), None)
        if type(self).build is not Layer.build or "build" in fields:
            if self.input_spec is not None and inputs is not MISSING:
                check_inputs(self.input_spec, inputs, self.name)
            shapes = (
                inputs.shape
                if isinstance(inputs, Tensor)
                else None
                if inputs is MISSING
                else nest.map_structure(
                    lambda t: t.shape if isinstance(t, Tensor) else None, inputs
                )
            )
            self._build_once(shapes)
        self._finish_build()
        if calls.stack and not self._is_held() and self.weights:
            outer = type(calls.stack[-1]).__name__
            warnings.warn(
                f"A layer {type(self).__name__} was called inside the call of {outer}, which does not hold it: its "
                f"weights are not among those of {outer}, are not trained or saved with it, and a layer that is made "
                "in call is a new one each time. Make it in __init__ and set it as an attribute.",
                stacklevel=3,
            )

    def _is_held(self) -> bool:
        """Whether a layer that is being called holds this one: at hand, or somewhere within."""
        for outer in reversed(calls.stack):
            for value in vars(outer).values():
                if value is self:
                    return True
                if isinstance(value, list | tuple) and any(part is self for part in value):
                    return True
        weights = self.weights
        return bool(weights) and any(w is weights[0] for w in calls.stack[0].weights)

    def _build_once(self, shapes: Any) -> None:
        before = calls.inferring, calls.training
        calls.inferring, calls.training = False, None
        try:
            self.build(shapes)
        finally:
            calls.inferring, calls.training = before

    def _finish_build(self) -> None:
        fields = self.__dict__
        fields["_built"] = True
        initial = fields["_initial_weights"]
        if initial is not None and self.weights:
            fields["_initial_weights"] = None
            self.set_weights(initial)

    @property
    def built(self) -> bool:
        """Whether the variables have been made."""
        return bool(self.__dict__.get("_built"))

    @built.setter
    def built(self, value: bool) -> None:
        self.__dict__["_built"] = bool(value)

    def add_weight(
        self,
        name: Any = None,
        shape: Any = None,
        dtype: Any = None,
        initializer: Any = None,
        regularizer: Any = None,
        trainable: bool | None = None,
        constraint: Any = None,
        partitioner: Any = None,
        use_resource: Any = None,
        synchronization: Any = None,
        aggregation: Any = None,
        **kwargs: Any,
    ) -> Variable:
        """Makes a variable of this layer.

        Args:
            name: Its name; the layer's name comes before it. Default "Variable".
            shape: Its shape. Default a scalar.
            dtype: Its type. Default the layer's.
            initializer: What fills it: a name, or a function of shape and dtype. Default
                "glorot_uniform" for floats and
                "zeros" for others.
            regularizer: Function of the variable that gives a loss, or None.
            trainable: Whether it is to be trained. Default True.
            constraint: Function that is applied to it after each update, or None.
            partitioner: Accepted for Keras's sake.
            use_resource: Accepted for Keras's sake.
            synchronization: Accepted for Keras's sake.
            aggregation: Accepted for Keras's sake.
            **kwargs: Accepted for Keras's sake: `getter`, `collections`, `experimental_autocast`.

        Returns:
            The variable.

        Raises:
            ValueError: If the shape is not fully known.
        """
        from .. import constraints, initializers, regularizers

        if name is not None and not isinstance(name, str):
            name, shape = shape if isinstance(shape, str) else None, name
        dims = as_shape(() if shape is None else shape)
        if not dims.is_fully_defined():
            raise ValueError(
                f"Layer {self.name}: the shape of variable '{name}' must be fully known, got {dims}. The "
                f"last dimension "
                "of the input must be known when the layer is built."
            )
        kind = dtypes.as_dtype(dtype) if dtype is not None else self._variable_dtype()
        make: Any = Variable
        if self.__dict__["_kept_dtype"] is kind and kwargs.get("experimental_autocast", True):
            from ..mixed_precision import CastVariable

            make = CastVariable
        if initializer is None:
            initializer = "glorot_uniform" if kind.is_floating else "zeros"
        fill = initializers.get(initializer)
        variable = make(
            lambda: fill(tuple(dims), dtype=kind),
            trainable=True if trainable is None else trainable,
            name="/".join(
                [
                    *(layer._variables_scope for layer in calls.stack if layer.name),
                    self._variables_scope,
                    name or "Variable",
                ]
            ),
            dtype=kind,
            constraint=constraints.get(constraint),
        )
        if not variable.shape.is_compatible_with(dims):
            raise ValueError(
                f"Layer {self.name}: the initializer of '{name}' gave shape {variable.shape}, expected {dims}."
            )
        if regularizer is not None:
            self.__dict__["_regularizers"].append((variable, regularizers.get(regularizer)))
        self._track_weight(variable, name or "Variable")
        return variable

    add_variable = add_weight

    def _variable_dtype(self) -> Any:
        fields = self.__dict__
        if fields["_kept_dtype"] is not None:
            return fields["_kept_dtype"]
        if fields["_dtype"] is None:
            if not self._casts_inputs:
                return dtypes.as_dtype(settings.floatx)
            fields["_dtype"] = dtypes.as_dtype(settings.floatx)
        return fields["_dtype"]

    def _track_weight(self, variable: Variable, name: str) -> None:
        key, count = name, 0
        while key in self._tracked:
            count += 1
            key = f"{name}_{count}"
        self._track_variable(variable, key)

    # -------------------------------------------------------------------------------------------------- variables

    @property
    def _variables_scope(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The layer's name."""
        try:
            return self.__dict__["_name"]
        except KeyError:
            raise self._not_initialized() from None

    @property
    def dtype(self) -> str:
        """Name of the type of the variables."""
        found = self.__dict__["_kept_dtype"] or self.__dict__["_dtype"]
        return settings.floatx if found is None else found.name

    variable_dtype = dtype

    @property
    def compute_dtype(self) -> str:
        """Name of the type in which the layer computes."""
        found = self.__dict__["_dtype"]
        return settings.floatx if found is None else found.name

    @property
    def dtype_policy(self) -> Any:
        """The policy of both."""
        from ..mixed_precision import Policy

        mixed = self.__dict__["_kept_dtype"] is not None
        return Policy(f"mixed_{self.compute_dtype}" if mixed else self.compute_dtype)

    @property
    def trainable(self) -> bool:
        """Whether the variables are to be trained; setting it sets it on all layers inside."""
        return self.__dict__["_trainable"]

    @trainable.setter
    def trainable(self, value: bool) -> None:
        for layer in self._walk():
            layer.__dict__["_trainable"] = bool(value)

    @property
    def trainable_weights(self) -> list[Variable]:
        """The variables to be trained: the layer's own, then those of the layers inside."""
        if not self.__dict__["_trainable"]:
            return []
        found = [v for v in self._own_variables() if v.trainable]
        for layer in self._sublayers():
            found += layer.trainable_weights
        return deduplicated(found)

    @property
    def non_trainable_weights(self) -> list[Variable]:
        """The variables that are not to be trained."""
        own = self._own_variables()
        if self.__dict__["_trainable"]:
            found = [v for v in own if not v.trainable]
            for layer in self._sublayers():
                found += layer.non_trainable_weights
        else:
            found = [v for v in own if v.trainable] + [v for v in own if not v.trainable]
            for layer in self._sublayers():
                found += layer.weights
        return deduplicated(found)

    @property
    def weights(self) -> list[Variable]:
        """All variables: those to be trained first."""
        return deduplicated(self.trainable_weights + self.non_trainable_weights)

    @property
    def trainable_variables(self) -> list[Variable]:
        """The variables to be trained."""
        return self.trainable_weights

    @property
    def non_trainable_variables(self) -> list[Variable]:
        """The variables that are not to be trained."""
        return self.non_trainable_weights

    @property
    def variables(self) -> list[Variable]:
        """All variables."""
        return self.weights

    @property
    def submodules(self) -> tuple[Any, ...]:
        """The layers inside, at any depth."""
        return tuple(one for one in self._walk() if one is not self)

    def _flatten_layers(self, recursive: bool = True, include_self: bool = True) -> Any:
        found = list(self._walk()) if recursive else [self, *self._sublayers()]
        return iter(one for one in found if include_self or one is not self)

    def get_weights(self) -> list[Any]:
        """The values of all variables, as a list of NumPy arrays in the order of `weights`."""
        return [variable.numpy() for variable in self.weights]

    def set_weights(self, weights: Any) -> None:
        """Sets all variables.

        Args:
            weights: List of arrays in the order and of the shapes of `get_weights()`.

        Raises:
            ValueError: If number or shapes differ.
        """
        variables = self.weights
        values = list(weights)
        if len(values) != len(variables):
            raise ValueError(
                f'You called `set_weights(weights)` on layer "{self.name}" with a weight list of length {len(values)}, '
                f"but the layer was expecting {len(variables)} weights."
                + (
                    ""
                    if self.built or variables
                    else " It has not been built yet: call it on some data first."
                )
            )
        made = []
        for position, (variable, value) in enumerate(zip(variables, values, strict=True)):
            tensor = value.value() if isinstance(value, Variable) else value
            tensor = cast(convert(tensor), variable.dtype)
            if tensor.shape.rank == 0 and variable.shape.num_elements() == 1:
                # R has no way to tell one number from a vector of one.
                tensor = reshape(tensor, variable.shape)
            if not variable.shape.is_compatible_with(tensor.shape):
                raise ValueError(
                    f"Layer {self.name} weight shape {variable.shape} is not compatible with provided weight shape "
                    f"{tensor.shape} (weight {position}, '{variable.name}')."
                )
            made.append(tensor)
        for variable, tensor in zip(variables, made, strict=True):
            variable.assign(tensor)

    def count_params(self) -> int:
        """Number of values in all variables.

        Raises:
            ValueError: If the layer has not been built.
        """
        if not self.built:
            raise ValueError(
                f"You tried to call `count_params` on {self.name}, but the layer isn't built. You can build "
                f"it manually "
                f"via: `{self.name}.build(batch_input_shape)`."
            )
        return sum(variable.shape.num_elements() for variable in self.weights)

    # -------------------------------------------------------------------------------------------------- losses, metrics

    def add_loss(self, losses: Any, inputs: Any = None) -> None:
        """Adds to the losses that training minimizes.

        Args:
            losses: A scalar tensor, a function of no arguments that gives one, or a list of these.
            inputs: Accepted for Keras's sake.
        """
        fields = self.__dict__
        for loss in nest.flatten(losses):
            if callable(loss) and not isinstance(loss, Tensor):
                fields["_callable_losses"].append(loss)
            elif isinstance(loss, KerasTensor):
                self._add_symbolic_loss(loss)
            elif loss is not None:
                loss = loss if isinstance(loss, Tensor) else convert(loss)
                fields["_losses"] = [p for p in fields["_losses"] if p[0] >= calls.forward]
                fields["_losses"].append((calls.forward, loss))

    def _add_symbolic_loss(self, loss: Any) -> None:
        if not calls.inferring:
            raise ValueError(
                f"Layer {self.name}: a symbolic loss can only be added to a functional model (model.add_loss)."
            )

    def _add_activity_loss(self, outputs: Any) -> None:
        for one in nest.flatten(outputs):
            batch = one.shape[0] if one.shape.rank else 1
            self.add_loss(self.activity_regularizer(one) / float(batch or 1))

    @property
    def losses(self) -> list[Any]:
        """The losses of this layer and all inside it: of regularizers, and those added in the last forward pass."""
        since = self.__dict__["_forward"]
        found = []
        for layer in self._walk():
            fields = layer.__dict__
            found += [loss for forward, loss in fields.get("_losses", ()) if forward >= since]
            if fields.get("_trainable", True):
                found += [regularizer(v) for v, regularizer in fields.get("_regularizers", ())]
            found += [loss() for loss in fields.get("_callable_losses", ())]
        return found

    def add_metric(self, value: Any, aggregation: Any = None, name: Any = None) -> None:
        """Adds a metric: the mean of `value` over the batches.

        Args:
            value: Tensor.
            aggregation: "mean", or None when `value` comes from a metric object.
            name: Name of the metric.

        Raises:
            ValueError: If `name` is missing.
        """
        if isinstance(aggregation, str) and aggregation not in ("mean",):
            name, aggregation = aggregation, name
        if name is None:
            raise ValueError(
                "Please provide a name for your metric like `self.add_metric(tf.reduce_sum(inputs), "
                "name='mean_activation')`"
            )
        known = self.__dict__["_metric_by_name"]
        if name not in known:
            from ..metrics import Mean

            known[name] = Mean(name=name)
        if calls.inferring:
            return
        known[name].update_state(value)

    @property
    def metrics(self) -> list[Any]:
        """The metrics of this layer and all inside it."""
        from ..metrics import Metric

        found = []
        for layer in self._walk():
            if isinstance(layer, Metric):
                found.append(layer)
            found += layer.__dict__.get("_metric_by_name", {}).values()
        return deduplicated(found)

    @property
    def updates(self) -> list[Any]:
        """Empty: state is updated at once, when a layer is called."""
        return []

    # -------------------------------------------------------------------------------------------------- masks

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """Mask of the result.

        Args:
            inputs: Tensor or structure of tensors.
            mask: Its mask, or None.

        Returns:
            The mask itself when the layer supports masking, else None.
        """
        if not self.supports_masking:
            return None
        return mask

    def _set_masks(self, inputs: Any, outputs: Any, mask: Any) -> None:
        if not (self.supports_masking or self._makes_masks):
            return
        if mask is None:
            mask = masks.masks_of(inputs)
        found = self.compute_mask(inputs, mask)
        if found is None:
            return
        flat = nest.flatten(outputs)
        for tensor, one in zip(flat, nest.flatten(found), strict=False):
            if one is not None and isinstance(tensor, Tensor):
                masks.set_mask(tensor, one)

    # -------------------------------------------------------------------------------------------------- graph of layers

    @property
    def inbound_nodes(self) -> list[Node]:
        """The calls of this layer on symbolic tensors."""
        return self.__dict__["_inbound_nodes"]

    def _only_node(self, what: str) -> Node:
        nodes = self.__dict__["_inbound_nodes"]
        if not nodes:
            raise AttributeError(
                f"The layer {self.name} has never been called on a symbolic tensor and thus has no defined {what}."
            )
        if len(nodes) > 1:
            raise AttributeError(
                f"Layer {self.name} has multiple inbound nodes, hence the notion of 'layer {what}' is ill-defined. "
                f"Use `get_{what.replace(' ', '_')}_at(node_index)` instead."
            )
        return nodes[0]

    @property
    def input(self) -> Any:
        """Symbolic input of the layer in a functional model."""
        return self._only_node("input").input_tensors

    @property
    def output(self) -> Any:
        """Symbolic result of the layer in a functional model."""
        return self._only_node("output").output_tensors

    @property
    def input_shape(self) -> Any:
        """Shape of the input, as a tuple."""
        nodes = self.__dict__["_inbound_nodes"]
        if not nodes and self.__dict__["_batch_input_shape"] is not None:
            return self.__dict__["_batch_input_shape"]
        return _shapes(self._only_node("input shape").input_tensors)

    @property
    def output_shape(self) -> Any:
        """Shape of the result, as a tuple."""
        return _shapes(self._only_node("output shape").output_tensors)

    def _node_at(self, node_index: int) -> Node:
        nodes = self.__dict__["_inbound_nodes"]
        if not -len(nodes) <= node_index < len(nodes):
            raise ValueError(
                f"Asked for the call with number {node_index} of layer {self.name}, but it has {len(nodes)} "
                f"inbound nodes."
            )
        return nodes[int(node_index)]

    def get_input_at(self, node_index: int) -> Any:
        """Symbolic input of the call with this number."""
        return self._node_at(node_index).input_tensors

    def get_output_at(self, node_index: int) -> Any:
        """Symbolic result of the call with this number."""
        return self._node_at(node_index).output_tensors

    def get_input_shape_at(self, node_index: int) -> Any:
        """Shape of the input of the call with this number."""
        return _shapes(self.get_input_at(node_index))

    def get_output_shape_at(self, node_index: int) -> Any:
        """Shape of the result of the call with this number."""
        return _shapes(self.get_output_at(node_index))

    def get_input_mask_at(self, node_index: int) -> Any:
        """None: masks exist when a model runs, not before."""
        self._node_at(node_index)
        return None

    get_output_mask_at = get_input_mask_at

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for an input of this shape.

        Args:
            input_shape: Shape with the batch, or a structure of `TensorShape`s.

        Returns:
            `TensorShape`, or a structure of them.
        """
        spec = nest.map_structure(lambda s: KerasTensor(s, self.dtype), _as_shapes(input_shape))
        if not self.built:
            self._build_for(spec)
        return nest.map_structure(lambda t: t.shape, self._inferred((spec,), {}))

    def compute_output_signature(self, input_signature: Any) -> Any:
        """`TensorSpec`s of the result for an input of these `TensorSpec`s."""
        from ...base.shapes import TensorSpec

        shapes = nest.map_structure(lambda s: s.shape, input_signature)
        return nest.map_structure(
            lambda s: TensorSpec(s, self.dtype), self.compute_output_shape(shapes)
        )

    # -------------------------------------------------------------------------------------------------- configuration

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        config: dict[str, Any] = {
            "name": self.name,
            "trainable": self.trainable,
            "dtype": self.dtype if self.__dict__["_kept_dtype"] is None else self.dtype_policy.name,
        }
        if self.__dict__["_batch_input_shape"] is not None:
            config["batch_input_shape"] = self.__dict__["_batch_input_shape"]
        return config

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """The layer that `get_config` described, not built yet."""
        return cls(**config)

    def reset_states(self) -> None:
        """Sets the states of stateful layers inside to zero."""
        for layer in self._sublayers():
            if hasattr(layer, "reset_states"):
                layer.reset_states()

    def __deepcopy__(self, memo: Any) -> Any:
        import copy

        made = type(self).__new__(type(self))
        memo[id(self)] = made
        for key, value in self.__dict__.items():
            shared = key in ("_inbound_nodes", "_losses", "_listener", "_call_spec")
            made.__dict__[key] = (
                value
                if key == "_listener"
                else None
                if key == "_call_spec"
                else ([] if shared else copy.deepcopy(value, memo))
            )
        return made

    def __repr__(self) -> str:
        return f"<{type(self).__module__}.{type(self).__name__} object, name={self.__dict__.get('_name')}>"


def _like(template: Any, made: list[Any]) -> Any:
    return type(template)(*made) if hasattr(template, "_fields") else tuple(made)


def _shapes(tensors: Any) -> Any:
    return nest.map_structure(lambda t: tuple(t.shape), tensors)


def _as_shapes(shapes: Any) -> Any:
    """One shape, or a structure of shapes, as `TensorShape`s."""
    if isinstance(shapes, TensorShape):
        return shapes
    if isinstance(shapes, dict):
        return {k: _as_shapes(v) for k, v in shapes.items()}
    if isinstance(shapes, list | tuple) and any(
        isinstance(s, list | tuple | TensorShape | dict) for s in shapes
    ):
        return [_as_shapes(s) for s in shapes]
    return as_shape(shapes)


Layer.__module__ = "eagercore.keras.layers"
