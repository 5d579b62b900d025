"""Variables: the tensors that training changes.

A variable holds a tensor and replaces it when it is assigned to. The buffer itself is written in place only when
nobody else holds it (`Variable.exclusive_array`), so a value that was read, or saved for a backward pass, never
changes.
"""

from __future__ import annotations

import copy as copying
import sys
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import numpy as np

from ..base import dtypes, errors, shapes
from ..base.context import context, settings
from ..base.dtypes import DType
from ..base.shapes import TensorShape
from .options import VariableAggregation, VariableSynchronization
from .tensor import CONVERTERS, EagerTensor, Reference, Tensor, convert, value_repr

#: Variables are numbered as they are made: lists of them keep that order.
next_serial = count(1).__next__
#: Functions called with each new variable: the layers and graphs that are being built hear of it here.
CREATED: list[Callable[[Variable], None]] = []


class Variable:
    """A tensor whose value can be replaced, and which tapes watch by themselves.

    Args:
        initial_value: First value: anything that converts to a tensor, or a function of no arguments that gives it.
        trainable: Whether gradient tapes watch it when it is read. Default True.
        validate_shape: Accepted for TensorFlow's sake.
        caching_device: Accepted for TensorFlow's sake.
        name: Name; default "Variable".
        variable_def: Accepted for TensorFlow's sake.
        dtype: Type of the elements; default the initial value's.
        import_scope: Accepted for TensorFlow's sake.
        constraint: Function that an optimizer applies to the value after each step, or None.
        synchronization: Accepted for TensorFlow's sake.
        aggregation: Accepted for TensorFlow's sake.
        shape: Shape that values must have; `tf.TensorShape(None)` lets later values have any shape.

    Raises:
        ValueError: If `initial_value` is missing.

    >>> v = Variable([1.0, 2.0])
    >>> v.assign_add([1.0, 1.0]).numpy()
    array([2., 3.], dtype=float32)
    """

    __array_priority__ = 100.0
    __hash__ = None  # type: ignore[assignment]
    #: The graph of TensorFlow 1's graph mode that it belongs to, and the session whose value it shows.
    _graph: Any = None
    _owner: Any = None

    def __new__(cls, *arguments: Any, **options: Any) -> Variable:
        """What is made is a ResourceVariable, as in TensorFlow."""
        return object.__new__(ResourceVariable if cls is Variable else cls)

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: Any = None,
        import_scope: str | None = None,
        constraint: Any = None,
        synchronization: Any = None,
        aggregation: Any = None,
        shape: Any = None,
        **extra: Any,
    ) -> None:
        if initial_value is None:
            raise ValueError(
                "The `initial_value` arg to `tf.Variable` must be specified: give a value or a function."
            )
        extra.pop("use_resource", None)
        self._collections = extra.pop("collections", None)
        if extra:
            raise TypeError(
                f"tf.Variable got an unexpected keyword argument {next(iter(extra))!r}."
            )
        self._name = "/".join([*context.name_scopes, name or "Variable"])
        self._trainable = True if trainable is None else bool(trainable)
        self.constraint = constraint
        self.synchronization = synchronization or VariableSynchronization.AUTO
        self.aggregation = aggregation or VariableAggregation.NONE
        self._serial = next_serial()
        #: In graph mode the first value is asked for again; in eager execution it would only take memory.
        self._initial = None if context.graph is None else initial_value
        if context.graph is None:
            self._set_first(initial_value, dtype, shape)
        else:
            context.graph.create_variable(self, initial_value, dtype, shape)
        for listener in CREATED:
            listener(self)

    def _set_first(self, initial_value: Any, dtype: Any, shape: Any) -> None:
        graph, context.graph = context.graph, None
        tapes, context.tapes = context.tapes, ()
        try:
            value = initial_value() if callable(initial_value) else initial_value
            if isinstance(value, Variable):
                value = value._value
            first = convert(value, None if dtype is None or isinstance(value, Tensor) else dtype)
            wanted = None if dtype is None else dtypes.as_dtype(dtype)
            of_doubles = settings.double_arrays_are_float32 and first.dtype is dtypes.float64
            if of_doubles and wanted is not None and wanted.is_floating:
                # R's arrays are doubles whatever they hold: the dtype that is asked for decides.
                first = convert(first.numpy(), wanted)
            if wanted is not None and first.dtype is not wanted:
                raise ValueError(
                    f"Initial value of dtype {first.dtype.name} for a variable of dtype {wanted.name}: "
                    "cast it first, as in tf.cast(value, dtype)."
                )
        finally:
            context.graph, context.tapes = graph, tapes
        self._dtype = first.dtype
        if shape is None:
            self._shape = first.shape
        else:
            self._shape = shapes.as_shape(shape)
            if not self._shape.is_compatible_with(first.shape):
                raise ValueError(
                    f"Initial value of shape {first.shape} for a variable of shape {self._shape}."
                )
        self._value: EagerTensor = EagerTensor(first._array)

    # ------------------------------------------------------------------------------------------------------- reading

    @property
    def name(self) -> str:
        """Name, with `:0` behind it."""
        return self._name + ":0"

    @property
    def dtype(self) -> DType:
        """Type of the elements."""
        return self._dtype

    @property
    def shape(self) -> TensorShape:
        """Shape that every value has."""
        return self._shape

    @property
    def trainable(self) -> bool:
        """Whether tapes watch it by themselves."""
        return self._trainable

    @property
    def device(self) -> str:
        """Where the value is."""
        return self._value.device

    def set_shape(self, shape: Any) -> None:
        """Adds what is known of the shape; ValueError when it does not fit."""
        self._shape = self._shape.merge_with(shape)

    @property
    def handle(self) -> Any:
        """What stands for the storage of the variable."""
        return VariableHandle(self)

    @property
    def op(self) -> Any:
        """Refused in eager execution, as for tensors."""
        raise AttributeError("Variable.op is meaningless when eager execution is enabled.")

    def get_shape(self) -> TensorShape:
        """The shape, as TensorFlow 1 spelled it."""
        return self._shape

    def value(self) -> Any:
        """The value as a tensor; tapes that are recording watch it."""
        if context.graph is not None:
            return context.graph.read_variable(self)
        value = self._value
        for tape in context.tapes:
            tape.read_variable(self, value)
        return value

    read_value = value

    def initialized_value(self) -> Any:
        """The value (TensorFlow 1's spelling: variables are born initialized here)."""
        return self.value()

    @property
    def initial_value(self) -> Any:
        """The value given when the variable was made (graph mode)."""
        if self._initial is None:
            raise RuntimeError(
                "Variable.initial_value is not supported when eager execution is enabled: keep the value yourself."
            )
        return self._initial() if callable(self._initial) else convert(self._initial)

    @property
    def initializer(self) -> Any:
        """The operation that gives the first value in graph mode; None in eager execution."""
        return None

    @property
    def graph(self) -> Any:
        """Refused in eager execution, as for tensors."""
        raise AttributeError("Variable.graph is meaningless when eager execution is enabled.")

    def is_initialized(self) -> Any:
        """Always true in eager execution."""
        return convert(True)

    def _read_array(self) -> np.ndarray:
        return self._value._array

    def numpy(self) -> Any:
        """The value as a NumPy array of its own."""
        return self._value.numpy()

    _numpy = numpy

    def eval(self, session: Any = None) -> Any:
        """The value in `session` or the default session (graph mode); refused in eager execution."""
        if context.graph is not None or session is not None:
            return self.value().eval(session=session)
        raise RuntimeError(
            "eval is not supported when eager execution is enabled, is .numpy() what you're looking for?"
        )

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self._value._array, dtype=dtype)

    def ref(self) -> Reference:
        """A hashable handle of this very variable."""
        return Reference(self)

    experimental_ref = ref

    # ------------------------------------------------------------------------------------------------------- writing

    def exclusive_array(self) -> np.ndarray:
        """The buffer, to be written in place: a copy when anybody else holds it."""
        value = self._value
        array = value._array
        # Held by nobody else: the attribute, the local name and getrefcount's own argument make three.
        if sys.getrefcount(value) == 3 and sys.getrefcount(array) == 3:
            flags = array.flags
            if flags.owndata and flags.carray:
                # The tensor goes on as the new value; to tapes that saw the old one it is another.
                value._key = 0
                return array
        array = np.array(array, order="C")
        self._value = EagerTensor(array)
        return array

    def _incoming(self, value: Any) -> np.ndarray:
        if type(value) is EagerTensor and not context.tapes and value.dtype is self._dtype:
            return value._array
        graph, context.graph = context.graph, None
        try:
            tensor = convert(value, self._dtype) if not hasattr(value, "_read_array") else value
        finally:
            context.graph = graph
        if tensor.dtype is not self._dtype:
            raise ValueError(
                f"Tensor conversion requested dtype {self._dtype.name} for Tensor with dtype "
                f"{tensor.dtype.name}: "
                f"{tensor!r}. Variable '{self.name}' holds {self._dtype.name}; use tf.cast."
            )
        if context.tapes and type(tensor) is EagerTensor:
            for tape in context.tapes:
                tape.leave(tensor, "assign")
        return tensor._read_array()

    def _mismatch(self, shape: Any) -> Exception:
        return ValueError(
            f"Shapes {self._shape} and {shapes.as_shape(shape)} are incompatible: variable "
            f"'{self.name}' keeps its shape."
        )

    def assign(
        self,
        value: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Replaces the value.

        Args:
            value: New value, of the variable's shape and dtype.
            use_locking: Accepted for TensorFlow's sake.
            name: Accepted for TensorFlow's sake.
            read_value: Whether to return the variable; False returns None.

        Raises:
            ValueError: If shape or dtype differ.
        """
        if context.graph is not None:
            return context.graph.assign_variable(self, value, "assign")
        array = self._incoming(value)
        if self._shape._dims != array.shape and not self._shape.is_compatible_with(array.shape):
            raise self._mismatch(array.shape)
        self._value = EagerTensor(array)
        return Unread(self) if read_value else None

    def _update(self, delta: Any, function: Any, how: str, read_value: bool = True) -> Any:
        if context.graph is not None:
            return context.graph.assign_variable(self, delta, how)
        array = self._incoming(delta)
        if self._shape._dims != array.shape and not self._shape.is_compatible_with(array.shape):
            raise self._mismatch(array.shape)
        target = self.exclusive_array()
        function(target, array, out=target)
        return Unread(self) if read_value else None

    def assign_add(
        self,
        delta: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Adds `delta` (same shape and dtype) to the value."""
        return self._update(delta, np.add, "assign_add", read_value)

    def assign_sub(
        self,
        delta: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Subtracts `delta` (same shape and dtype) from the value."""
        return self._update(delta, np.subtract, "assign_sub", read_value)

    def load(self, value: Any, session: Any = None) -> None:
        """Replaces the value (TensorFlow 1's spelling)."""
        self.assign(value)

    def _scatter(self, sparse_delta: Any, function: Any, how: str) -> Any:
        if not hasattr(sparse_delta, "indices"):
            raise TypeError(
                f"Argument `sparse_delta` must be a `tf.IndexedSlices`. Received arg: {sparse_delta!r}. "
                "Make one: tf.IndexedSlices(values, indices)."
            )
        indices, values = convert(sparse_delta.indices), convert(sparse_delta.values, None)
        if context.graph is not None:
            return context.graph.assign_variable(self, (indices, values), how)
        self.scatter_arrays(
            indices._array, np.asarray(values._array, self._dtype._numpy()), function
        )
        return Unread(self)

    def scatter_arrays(self, indices: np.ndarray, values: np.ndarray, function: Any) -> None:
        """Applies `function.at` on the rows `indices` in place (None sets the rows)."""
        rows = len(self._value._array)
        if indices.size and (indices.min() < 0 or indices.max() >= rows):
            raise errors.index_error(
                "ScatterUpdate", f"indices must be in [0, {rows}) for variable '{self.name}'."
            )
        target = self.exclusive_array()
        if function is None:
            target[indices] = values
        else:
            function.at(target, indices, values)

    def scatter_add(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Adds `IndexedSlices` to the rows they name; repeated rows add up."""
        return self._scatter(sparse_delta, np.add, "scatter_add")

    def scatter_sub(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Subtracts `IndexedSlices` from the rows they name."""
        return self._scatter(sparse_delta, np.subtract, "scatter_sub")

    def scatter_mul(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Multiplies the named rows by `IndexedSlices`."""
        return self._scatter(sparse_delta, np.multiply, "scatter_mul")

    def scatter_div(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Divides the named rows by `IndexedSlices`."""
        return self._scatter(sparse_delta, np.divide, "scatter_div")

    def scatter_max(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Keeps the larger of each named row and its slice."""
        return self._scatter(sparse_delta, np.maximum, "scatter_max")

    def scatter_min(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Keeps the smaller of each named row and its slice."""
        return self._scatter(sparse_delta, np.minimum, "scatter_min")

    def scatter_update(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Sets the named rows to `IndexedSlices`."""
        return self._scatter(sparse_delta, None, "scatter_update")

    batch_scatter_update = scatter_update

    def _scatter_nd(self, indices: Any, updates: Any, function: Any) -> Any:
        index = convert(indices)._read_array()
        values = self._cast_updates(updates)
        target = self.exclusive_array()
        where = tuple(np.moveaxis(index, -1, 0))
        if function is None:
            target[where] = values
        else:
            function.at(target, where, values)
        return Unread(self)

    def _cast_updates(self, updates: Any) -> np.ndarray:
        return self._incoming(updates)

    def scatter_nd_add(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Adds `updates` at the positions `indices` [..., rank of the index]."""
        return self._scatter_nd(indices, updates, np.add)

    def scatter_nd_sub(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Subtracts `updates` at the positions `indices`."""
        return self._scatter_nd(indices, updates, np.subtract)

    def scatter_nd_update(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Sets the positions `indices` to `updates`."""
        return self._scatter_nd(indices, updates, None)

    def assign_slice(self, key: Any, value: Any, function: Any = None) -> Any:
        """Sets (or, with a ufunc, updates) the part that `key` selects."""
        array = np.asarray(self._incoming(value))
        target = self.exclusive_array()
        if function is None:
            target[key] = array
        else:
            target[key] = function(target[key], array)
        return Unread(self)

    # ------------------------------------------------------------------------------------------------ Python's habits

    def __iadd__(self, other: Any) -> Any:
        raise self._no_inplace("+=", "assign_add", "+")

    def __isub__(self, other: Any) -> Any:
        raise self._no_inplace("-=", "assign_sub", "-")

    def __imul__(self, other: Any) -> Any:
        raise self._no_inplace("*=", "assign(var * value)", "*")

    def __itruediv__(self, other: Any) -> Any:
        raise self._no_inplace("/=", "assign(var / value)", "/")

    @staticmethod
    def _no_inplace(sign: str, method: str, plain: str) -> RuntimeError:
        call = method if "(" in method else f"{method}(value)"
        return RuntimeError(
            f"Variable {sign} value not supported. Use `variable.{call}` to modify the variable value and "
            f"`variable = variable {plain} value` to get a new Tensor object."
        )

    def __setitem__(self, key: Any, value: Any) -> None:
        raise TypeError(
            "'Variable' object does not support item assignment: use variable[...].assign(value)."
        )

    def __bool__(self) -> bool:
        return bool(self.value())

    def __int__(self) -> int:
        return int(self._value)

    def __float__(self) -> float:
        return float(self._value)

    def __index__(self) -> int:
        return self._value.__index__()

    def __iter__(self) -> Iterator[Any]:
        return iter(self.value())

    def __format__(self, spec: str) -> str:
        return self._value.__format__(spec) if spec else str(self)

    def __repr__(self) -> str:
        return (
            f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}, "
            f"numpy={value_repr(self._value._array)}>"
        )

    def __copy__(self) -> Variable:
        return self.__deepcopy__({})

    def __deepcopy__(self, memo: Any) -> Variable:
        made = object.__new__(type(self))
        memo[id(self)] = made
        made.__dict__.update(self.__dict__)
        made._serial = next_serial()
        made._value = EagerTensor(copying.copy(self._value._array))
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_value, (self._value._array, self._trainable, self._name)


def _from_value(array: np.ndarray, trainable: bool, name: str) -> Variable:
    return Variable(array, trainable=trainable, name=name)


class ResourceVariable(Variable):
    """The class of a variable that `tf.Variable` made: TensorFlow's name for it."""


class VariableHandle:
    """What stands for a variable's storage: it says where the variable is and what it holds."""

    dtype = dtypes.resource
    shape = shapes.TensorShape(())

    def __init__(self, variable: Variable) -> None:
        self._variable = variable

    @property
    def device(self) -> str:
        """Where the variable is."""
        return self._variable.device

    def __repr__(self) -> str:
        variable = self._variable
        dims = variable.shape.as_list() if variable.shape.rank is not None else "<unknown>"
        return (
            f'<tf.Tensor: shape=(), dtype=resource, value=<ResourceHandle(name="{variable._name}/0", '
            f'device="{self.device}", container="Anonymous", type="tensorflow::Var", dtype and shapes : '
            f'"[ DType enum: {variable.dtype.as_datatype_enum}, Shape: {dims} ]")>>'
        )


class Unread(Variable):
    """What an assignment returns: the variable, whose value is read when it is asked for."""

    def __init__(self, variable: Variable) -> None:
        self._origin: Variable = variable._origin if isinstance(variable, Unread) else variable

    def __getattr__(self, name: str) -> Any:
        if name == "_origin":
            raise AttributeError(name)
        return getattr(self._origin, name)

    @property
    def _value(self) -> EagerTensor:
        return self._origin._value

    @_value.setter
    def _value(self, value: EagerTensor) -> None:
        self._origin._value = value

    @property
    def name(self) -> str:
        """Name as TensorFlow shows it."""
        return "UnreadVariable"

    def value(self) -> Any:
        """The value as a tensor."""
        return self._origin.value()

    read_value = value

    def exclusive_array(self) -> np.ndarray:
        """The buffer of the variable itself."""
        return self._origin.exclusive_array()


class VariableSlice(EagerTensor):
    """A part of a variable: a tensor that can also be assigned to."""

    __slots__ = ("_variable", "_slice")

    def __init__(self, array: np.ndarray, variable: Variable, key: Any) -> None:
        EagerTensor.__init__(self, array)
        self._variable = variable
        self._slice = key

    def assign(self, value: Any, name: str | None = None) -> Any:
        """Sets this part of the variable to `value` (broadcast as NumPy does)."""
        return self._variable.assign_slice(self._slice, value)

    def assign_add(self, value: Any, name: str | None = None) -> Any:
        """Adds `value` to this part of the variable."""
        return self._variable.assign_slice(self._slice, value, np.add)

    def assign_sub(self, value: Any, name: str | None = None) -> Any:
        """Subtracts `value` from this part of the variable."""
        return self._variable.assign_slice(self._slice, value, np.subtract)


def _convert_variable(variable: Any, dtype: DType | None) -> Any:
    if dtype is not None and variable.dtype is not dtype:
        raise ValueError(
            f"Tensor conversion requested dtype {dtype.name} for Tensor with dtype {variable.dtype.name}: "
            f"{variable!r}. Convert it with tf.cast."
        )
    return variable.value()


CONVERTERS.append((Variable, _convert_variable))
Variable.__module__ = ResourceVariable.__module__ = "eagercore"
VariableHandle.__module__ = "eagercore"
Unread.__module__ = "eagercore"
Unread.__name__ = "_UnreadVariable"
VariableSlice.__module__ = "eagercore"
VariableSlice.__name__ = "EagerTensor"
