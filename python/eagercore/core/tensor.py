"""Tensors: an array with a key for the tapes, and the conversion of everything else into one.

A tensor is never changed once it is made. `EagerTensor` holds an array; `SymbolicTensor` stands for the result
of a node in a graph. Operators are installed by `ops/operators.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import numpy as np

from ..base import dtypes, errors
from ..base.context import context, settings
from ..base.dtypes import DType
from ..base.shapes import TensorShape, as_shape

next_key = count(1).__next__
_FLOAT32 = np.dtype(np.float32)


class Tensor:
    """An n-dimensional array of one dtype, whose gradients a `tf.GradientTape` can take.

    Made by `tf.constant`, `tf.convert_to_tensor` and by every op.
    """

    __slots__ = ("__weakref__",)
    __array_priority__ = 100.0
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise TypeError(
            "tf.Tensor cannot be made directly. Use tf.constant or tf.convert_to_tensor."
        )

    def get_shape(self) -> TensorShape:
        """The shape, as TensorFlow 1 spelled it."""
        return self.shape  # type: ignore[attr-defined]

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.shape)  # type: ignore[attr-defined]

    def _dims(self) -> tuple[int | None, ...] | None:
        """The shape as a plain tuple (None where not even the rank is known): for those in a hurry."""
        return self.shape._dims  # type: ignore[attr-defined]

    def ref(self) -> Reference:
        """A hashable handle of this very tensor."""
        return Reference(self)

    experimental_ref = ref


class Reference:
    """Hashable handle of a tensor or variable: equal only to a handle of the same object."""

    __slots__ = ("_referent",)

    def __init__(self, referent: Any) -> None:
        self._referent = referent

    def deref(self) -> Any:
        """The tensor or variable itself."""
        return self._referent

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and self._referent is other._referent

    def __hash__(self) -> int:
        return id(self._referent)

    def __repr__(self) -> str:
        return f"<Reference wrapping {self._referent!r}>"


class EagerTensor(Tensor):
    """A tensor that has its values."""

    __slots__ = ("_array", "_key")
    _array: np.ndarray
    _key: int

    def __init__(self, array: np.ndarray) -> None:
        self._array = array
        self._key = 0

    @property
    def dtype(self) -> DType:
        """Type of the elements."""
        return dtypes.of_array(self._array)

    @property
    def shape(self) -> TensorShape:
        """The shape, fully known."""
        return TensorShape(self._array.shape)

    def _read_array(self) -> np.ndarray:
        return self._array

    def _dims(self) -> tuple[int | None, ...] | None:
        return self._array.shape

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return self._array.ndim

    def numpy(self) -> Any:
        """The values as a NumPy array of their own (a NumPy scalar for a tensor of rank 0; bytes for a string)."""
        if context.tapes:
            _leave(self, "numpy")
        if self._array.ndim == 0:
            return self._array[()]
        return np.array(self._array)

    _numpy = numpy

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if copy is False:
            raise ValueError("A tensor gives its values only as a copy: leave out copy=False.")
        if context.tapes:
            _leave(self, "numpy")
        return np.array(self._array, dtype=dtype)

    @property
    def device(self) -> str:
        """Where the values are, in TensorFlow's full spelling."""
        return "/job:localhost/replica:0/task:0/device:CPU:0"

    backing_device = device

    def cpu(self) -> EagerTensor:
        """The tensor on the CPU: itself."""
        return self

    def gpu(self, gpu_index: int = 0) -> EagerTensor:
        """Raises: there is no GPU behind NumPy arrays."""
        raise RuntimeError(f"GPU:{gpu_index} unknown device.")

    def set_shape(self, shape: Any) -> None:
        """Holds the tensor to `shape`; ValueError when it has another."""
        if not self.shape.is_compatible_with(shape):
            raise ValueError(
                f"Tensor's shape {self.shape} is not compatible with supplied shape {as_shape(shape)}."
            )

    def eval(self, feed_dict: Any = None, session: Any = None) -> Any:
        """Refused: an eager tensor has its value at hand, in `.numpy()`."""
        raise NotImplementedError(
            "eval is not supported when eager execution is enabled, is .numpy() what you're looking for?"
        )

    def consumers(self) -> Any:
        """Refused: eager tensors keep no graph."""
        raise NotImplementedError(
            "consumers is not supported when eager execution is enabled: there is no graph."
        )

    def __dir__(self) -> list[str]:
        return [name for name in object.__dir__(self) if name not in _ABSENT]

    def __len__(self) -> int:
        if self._array.ndim == 0:
            raise TypeError("Scalar tensor has no `len()`.")
        return len(self._array)

    def __bool__(self) -> bool:
        array = self._array
        if array.size == 0:
            return False
        if array.dtype.kind == "O" and array.ndim == 0:
            return bool(array[()])
        return bool(array)

    def __int__(self) -> int:
        if context.tapes:
            _leave(self, "python")
        return int(self._array)

    def __float__(self) -> float:
        if context.tapes:
            _leave(self, "python")
        return float(self._array)

    def __complex__(self) -> complex:
        if context.tapes:
            _leave(self, "python")
        return complex(self._array)

    def __index__(self) -> int:
        return self._array.__index__()

    def __round__(self, ndigits: int | None = None) -> Any:
        return round(self._array.item(), ndigits)

    def __format__(self, spec: str) -> str:
        return self.numpy().__format__(spec)

    def __str__(self) -> str:
        text = text_of(self._array)
        shape = TensorShape(self._array.shape)
        return f"tf.Tensor({chr(10) if chr(10) in text else ''}{text}, shape={shape}, dtype={self.dtype.name})"

    def __repr__(self) -> str:
        return f"<tf.Tensor: shape={self.shape}, dtype={self.dtype.name}, numpy={value_repr(self._array)}>"

    def __copy__(self) -> EagerTensor:
        return self

    def __deepcopy__(self, memo: Any) -> EagerTensor:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_array, (self._array,)


def _leave(tensor: EagerTensor, how: str) -> None:
    """Tells the tapes that a value leaves the engine, so that they can say why a gradient is None."""
    for tape in context.tapes:
        tape.leave(tensor, how)


def _from_array(array: np.ndarray) -> EagerTensor:
    return EagerTensor(array)


class _Absent:
    """A name that tensors do not have, and what to use instead.

    (A `__getattr__` would say it as well, and make every access to an attribute three times as slow.)
    """

    def __init__(self, message: str) -> None:
        self.message = message

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        raise AttributeError(self.message)


_ABSENT = {
    "append": "tensors cannot grow; collect them in a list and use tf.stack or tf.concat.",
    "assign": "tensors cannot be changed; keep the value in a tf.Variable.",
    "T": "use tf.transpose(x).",
    "astype": "use tf.cast(x, dtype).",
    "reshape": "use tf.reshape(x, shape).",
    "sum": "use tf.reduce_sum(x).",
    "mean": "use tf.reduce_mean(x).",
    "item": "use x.numpy().item() or float(x).",
    "backward": "record the computation with tf.GradientTape and call tape.gradient(target, sources).",
    "grad": "record the computation with tf.GradientTape and call tape.gradient(target, sources).",
    "detach": "use tf.stop_gradient(x).",
    **dict.fromkeys(("op", "graph", "name", "value_index")),
}
for _name, _hint in _ABSENT.items():
    _text = f"'EagerTensor' object has no attribute '{_name}': {_hint}"
    if _hint is None:
        _text = f"Tensor.{_name} is meaningless when eager execution is enabled."
    setattr(EagerTensor, _name, _Absent(_text))


def text_of(array: np.ndarray) -> str:
    """An array's values as `str` shows them."""
    if array.ndim == 0:
        return str(array[()])
    return str(array)


def value_repr(array: np.ndarray) -> str:
    """The `numpy=` part of a repr: as NumPy 1 shows it, scalars without their type."""
    if array.ndim == 0:
        value = array[()]
        return repr(value) if isinstance(value, bytes) else str(value)
    text = repr(array)
    return "\n" + text if "\n" in text else text


class SymbolicTensor(Tensor):
    """Result of a node in a graph: a dtype and what is known of the shape, no values.

    Args:
        graph: The graph that it belongs to.
        node: The node that makes it.
        index: Which of the node's results it is.
        shape: What is known of the shape.
        dtype: Type of the elements.
    """

    __slots__ = ("graph", "node", "index", "_shape", "_dtype", "_key", "__dict__")
    _is_symbolic = True

    def __init__(self, graph: Any, node: Any, index: int, shape: Any, dtype: DType) -> None:
        self.graph = graph
        self.node = node
        self.index = index
        self._shape = as_shape(shape)
        self._dtype = dtype
        self._key = 0

    @property
    def value_index(self) -> int:
        """Which of its operation's results it is."""
        return self.index

    @property
    def dtype(self) -> DType:
        """Type of the elements."""
        return self._dtype

    @property
    def shape(self) -> TensorShape:
        """What is known of the shape."""
        return self._shape

    def set_shape(self, shape: Any) -> None:
        """Adds what is known of the shape."""
        self._shape = self._shape.merge_with(shape)

    @property
    def op(self) -> Any:
        """The node that makes this tensor."""
        return self.node

    @property
    def name(self) -> str:
        """Name of the node and number of the result, such as `add:0`."""
        return f"{self.node.name}:{self.index}"

    @property
    def device(self) -> str:
        """Empty: a graph tensor is nowhere yet."""
        return ""

    def eval(self, feed_dict: Any = None, session: Any = None) -> Any:
        """The value, computed by `session` or the default session."""
        return self.graph.evaluate(self, feed_dict, session)

    def __getattr__(self, name: str) -> Any:
        if name in ("numpy", "_numpy"):
            raise AttributeError(
                f"'Tensor' object has no attribute '{name}': it belongs to a graph and has no value yet."
            )
        raise AttributeError(f"'Tensor' object has no attribute '{name}'")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        raise NotImplementedError(
            f"Cannot convert a symbolic tf.Tensor ({self.name}) to a numpy array. Inside tf.function or graph mode "
            "use tf operations, or wrap NumPy code in tf.numpy_function."
        )

    def _refuse(self, use: str) -> Any:
        raise errors.OperatorNotAllowedInGraphError(
            f"{use} is not allowed in Graph execution. Use Eager execution or decorate this function with @tf.function "
            f"(AutoGraph converts `if`, `while` and `for`). Tensor: {self.name}.{self.graph.refusal_hint()}"
        )

    def __bool__(self) -> bool:
        return self._refuse("Using a symbolic `tf.Tensor` as a Python `bool`")

    def __iter__(self) -> Iterator[Any]:
        return self._refuse("Iterating over a symbolic `tf.Tensor`")

    def __len__(self) -> int:
        raise TypeError(
            f"len is not well defined for a symbolic Tensor ({self.name}). Please call `x.shape` rather than "
            "`len(x)` for shape information."
        )

    def __int__(self) -> int:
        raise TypeError(
            f"int() is not allowed on a symbolic tensor ({self.name}): use tf.cast(x, tf.int32)."
        )

    def __float__(self) -> float:
        raise TypeError(
            f"float() is not allowed on a symbolic tensor ({self.name}): use tf.cast(x, tf.float32)."
        )

    def __index__(self) -> int:
        raise errors.OperatorNotAllowedInGraphError(
            f"A symbolic tensor ({self.name}) is no Python index: it has no value yet."
        )

    def __hash__(self) -> int:  # type: ignore[override]
        return id(self)

    def _shape_text(self) -> str:
        return "" if self._shape.rank is None else f", shape={self._shape}"

    def __str__(self) -> str:
        return f'Tensor("{self.name}"{self._shape_text()}, dtype={self.dtype.name})'

    def __repr__(self) -> str:
        return f"<tf.Tensor '{self.name}' shape={self._shape} dtype={self.dtype.name}>"

    def __copy__(self) -> SymbolicTensor:
        return self

    def __deepcopy__(self, memo: Any) -> SymbolicTensor:
        return self


class Ghost:
    """What is left of a tensor whose values a gradient does not need: shape, dtype and key."""

    __slots__ = ("shape_", "dtype_", "_key")

    def __init__(self, shape_: Any, dtype_: Any, key: int) -> None:
        self.shape_ = shape_
        self.dtype_ = dtype_
        self._key = key

    @property
    def shape(self) -> TensorShape:
        """The tensor's shape."""
        return as_shape(self.shape_)

    @property
    def dtype(self) -> DType:
        """The tensor's dtype."""
        return self.dtype_ if isinstance(self.dtype_, DType) else dtypes.as_dtype(self.dtype_)


class _Nothing:
    """An optional tensor that was not given."""

    __slots__ = ()
    _array = None
    _key = 0

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "NOTHING"


NOTHING = _Nothing()

# --------------------------------------------------------------------------------------------------------------------
# Conversion


#: (type, function(value, dtype) -> tensor) pairs of other floors: variables, slices, composite values.
CONVERTERS: list[tuple[type, Callable[[Any, Any], Any]]] = []
#: Packs a list that holds tensors; set by ops/shape.py when the op exists.
PACK: list[Callable[[Any, Any], Any]] = []


def convert(value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """`value` as a tensor.

    Args:
        value: Tensor, variable, NumPy array or scalar, Python number, string, or a nested list of these.
        dtype: Type wanted, or None to take it from the value: Python floats give float32, ints int32 (int64 when
            they are too large), arrays keep their type.
        name: Accepted for TensorFlow's sake.

    Returns:
        A tensor. Arrays are copied: changing yours later changes no tensor.

    Raises:
        ValueError: If the value is ragged, of mixed types or of a type that no tensor can hold.
        TypeError: If the value does not fit `dtype`.
    """
    if type(value) is EagerTensor:
        if dtype is not None and value.dtype is not dtypes.as_dtype(dtype):
            raise _other_dtype(value, dtypes.as_dtype(dtype))
        return value if context.graph is None else context.graph.capture(value)
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    if isinstance(value, Tensor):
        if wanted is not None and value.dtype is not wanted:  # type: ignore[attr-defined]
            raise _other_dtype(value, wanted)
        return value
    for kind, function in CONVERTERS:
        if isinstance(value, kind):
            return function(value, wanted)
    if PACK and isinstance(value, list | tuple) and holds_tensor(value):
        return PACK[0](value, wanted)
    made = EagerTensor(to_array(value, wanted))
    return made if context.graph is None else context.graph.capture(made)


def _other_dtype(value: Any, wanted: DType) -> Exception:
    return ValueError(
        f"Tensor conversion requested dtype {wanted.name} for Tensor with dtype {value.dtype.name}: {value!r}. "
        f"Convert it with tf.cast(x, tf.{wanted.name})."
    )


def holds_tensor(value: Any) -> bool:
    """Whether a nested list holds a tensor or a variable anywhere."""
    for item in value:
        if isinstance(item, list | tuple):
            if holds_tensor(item):
                return True
        elif hasattr(item, "_key") or hasattr(item, "_read_array"):
            return True
    return False


def to_array(value: Any, dtype: DType | None = None) -> np.ndarray:
    """A new array of the values in `value`, by TensorFlow's rules of dtype (see `convert`)."""
    kind = type(value)
    if kind is float or kind is int or kind is bool:
        return _scalar(value, dtype)
    if isinstance(value, np.ndarray):
        return _copy(value, dtype)
    if isinstance(value, np.generic):
        return _copy(np.asarray(value), dtype)
    if isinstance(value, str | bytes):
        return _strings(np.array(_bytes(value), dtype=object), value, dtype)
    if isinstance(value, complex):
        return _checked(np.array(value, np.complex128), value, dtype)
    if isinstance(value, TensorShape):
        return np.array(value.as_list(), (dtype or dtypes.int32)._numpy())
    if isinstance(value, list | tuple | range):
        try:
            return _sequence(value, dtype)
        except RecursionError:
            raise ValueError(
                f"Can't convert this {kind.__name__} to a Tensor: it contains itself, or is nested too deeply."
            ) from None
    if value is None:
        raise ValueError(
            "Attempt to convert a value (None) with an unsupported type (<class 'NoneType'>) to a Tensor. "
            "Functions that return nothing give None, and so do gradients of what is not connected."
        )
    if hasattr(value, "__array__"):
        return _copy(np.asarray(value), dtype)
    raise ValueError(
        f"Attempt to convert a value ({value!r}) with an unsupported type ({type(value)}) to a Tensor."
    )


def _scalar(value: Any, dtype: DType | None) -> np.ndarray:
    if dtype is None:
        if type(value) is float:
            if -3.4e38 < value < 3.4e38:
                return np.array(value, _FLOAT32)
            return _float32(np.array(value))
        if type(value) is bool:
            return np.array(value)
        return np.array(value, _int_type(value, value))
    kind = "f" if type(value) is float else "i" if type(value) is int else "b"
    if kind == "b" and dtype.kind in "iufc" or dtypes.weak_fits(kind, dtype):
        if kind == "i" and dtype.kind in "iu":
            _check_range(value, value, dtype)
        return np.array(value, dtype._numpy())
    if (
        kind == "f"
        and settings.whole_floats_are_ints
        and dtype.kind in "iu"
        and value == value // 1
    ):
        return _scalar(int(value), dtype)
    raise TypeError(_cannot(value, dtype))


def _cannot(value: Any, dtype: DType) -> str:
    text = repr(value)
    if len(text) > 80:
        text = text[:77] + "..."
    hint = ""
    if dtype.kind in "iu" and isinstance(value, float):
        hint = f" An {dtype.name} tensor takes whole numbers: cast the tensor (tf.cast(x, tf.float32)) or the value."
    return f"Cannot convert {text} to EagerTensor of dtype {dtype.name}.{hint}"


def _int_type(low: int, high: int) -> Any:
    if low >= -(2**31) and high < 2**31:
        return np.int32
    if low >= -(2**63) and high < 2**63:
        return np.int64
    raise ValueError("Can't convert Python sequence with out-of-range integer to Tensor.")


def _check_range(low: int, high: int, dtype: DType) -> None:
    if low < dtype.min or high > dtype.max:
        value = low if low < dtype.min else high
        raise TypeError(
            f"Cannot convert {value} to EagerTensor of dtype {dtype.name}: it holds {dtype.min} to {dtype.max}. "
            "Use a wider dtype such as tf.int64."
        )


def _float32(array: np.ndarray) -> np.ndarray:
    if array.size == 1 and -3.4e38 < array.item() < 3.4e38:
        return array.astype(_FLOAT32)
    if array.size and array.min() > -3.4e38 and array.max() < 3.4e38:
        return array.astype(_FLOAT32)
    with np.errstate(over="ignore"):
        result = array.astype(np.float32)
    if np.isinf(result).any() and not np.array_equal(np.isinf(result), np.isinf(array)):
        raise ValueError(
            "Can't convert Python sequence with a value out of range for a single-precision float "
            "(about 3.4e38). Give dtype=tf.float64."
        )
    return result


def _is_of_r(array: np.ndarray) -> bool:
    """Whether the memory is an R vector's, so that its 64 bits say nothing: R has no other numbers.

    The bridge lends R's memory behind a capsule. Arrays of the engine itself, and those that Python
    code made in double precision on purpose, keep it.
    """
    base = array.base
    while isinstance(base, np.ndarray):
        base = base.base
    return type(base).__name__ == "PyCapsule"


def _copy(array: np.ndarray, dtype: DType | None) -> np.ndarray:
    if array.dtype.kind in "SUO":
        return _strings(_object_bytes(array), array, dtype)
    if dtype is None:
        dtypes.of_array(array)
        if settings.double_arrays_are_float32 and array.dtype == np.float64 and _is_of_r(array):
            return array.astype(np.float32, order="C")
        if array.dtype.isnative:
            return np.array(array, order="C")
        return np.array(array, dtype=array.dtype.newbyteorder("="), order="C")
    if dtype.kind == "S":
        raise TypeError(_cannot(array, dtype))
    fractions = settings.whole_floats_are_ints and array.dtype.kind == "f" and dtype.kind in "iu"
    if fractions and not (array == np.floor(array)).all():
        raise TypeError(_cannot(array.tolist(), dtype))
    with np.errstate(all="ignore"):
        return array.astype(dtype._numpy(), order="C", copy=True)


def _bytes(value: Any) -> bytes:
    return value.encode("utf-8") if isinstance(value, str) else bytes(value)


def _object_bytes(array: np.ndarray) -> np.ndarray:
    result = np.empty(array.shape, dtype=object)
    flat, source = result.reshape(-1), array.reshape(-1)
    for position in range(flat.size):
        item = source[position]
        if not isinstance(item, str | bytes):
            holds = ", ".join(sorted({type(i).__name__ for i in source[:1000]}))
            raise ValueError(
                f"Attempt to convert a value ({item!r}) with an unsupported type ({type(item)}) to a Tensor: the "
                f"array has dtype object and holds {holds}. Arrays of numbers need a dtype of numbers, as in "
                "x.astype(np.float32), and no None among them."
            )
        flat[position] = _bytes(item)
    return result


def _strings(array: np.ndarray, value: Any, dtype: DType | None) -> np.ndarray:
    if dtype is not None and dtype.kind != "S":
        raise TypeError(_cannot(value if isinstance(value, str | bytes) else array.tolist(), dtype))
    return array


def _leaves(value: Any) -> Iterator[Any]:
    for item in value:
        if isinstance(item, list | tuple):
            yield from _leaves(item)
        else:
            yield item


def plain_numbers(value: list[Any]) -> np.ndarray | None:
    """A flat list of Python floats, or of ints, as an array at once; None for all others."""
    kinds = set(map(type, value))
    if len(kinds) != 1:
        return None
    kind = kinds.pop()
    if kind is float:
        return _float32(np.array(value))
    if kind is int and min(value) >= -(2**31) and max(value) < 2**31:
        return np.array(value, np.int32)
    return None


def _sequence(value: Any, dtype: DType | None) -> np.ndarray:
    if dtype is None and type(value) is list:
        made = plain_numbers(value)
        if made is not None:
            return made
    try:
        array = np.array(value)
    except (ValueError, OverflowError):
        array = None
    if array is None or array.dtype == object:
        return _awkward(value, dtype)
    kind = array.dtype.kind
    first = next(iter(_leaves(value)), None)
    if kind in "SU":
        if not all(isinstance(leaf, str | bytes) for leaf in _leaves(value)):
            raise ValueError("Can't convert Python sequence with mixed types to Tensor.")
        return _strings(_nested_bytes(value, array.shape), value, dtype)
    if isinstance(first, np.ndarray):
        return _checked(array, value, dtype, strong=True)
    if isinstance(first, np.floating) and kind == "f":
        # The first number decides; whole numbers of NumPy's are as good as Python's in a list.
        return _checked(array.astype(first.dtype), value, dtype, strong=True)
    if kind in "iuf" and isinstance(first, bool):
        raise ValueError("Can't convert Python sequence with mixed types to Tensor.")
    return _checked(array, value, dtype)


def _nested_bytes(value: Any, shape: tuple[int, ...]) -> np.ndarray:
    result = np.empty(shape, dtype=object)
    flat = result.reshape(-1)
    for position, leaf in enumerate(_leaves(value)):
        flat[position] = _bytes(leaf)
    return result


def _checked(
    array: np.ndarray, value: Any, dtype: DType | None, strong: bool = False
) -> np.ndarray:
    kind = array.dtype.kind
    if dtype is None:
        if strong or kind in "bc":
            return array
        if kind in "iu":
            return (
                array.astype(_int_type(int(array.min()), int(array.max()))) if array.size else array
            )
        return _float32(array)
    if array.size == 0:
        return array.astype(dtype._numpy() if dtype.kind != "S" else object)
    if (
        strong
        and kind != "c"
        or dtypes.weak_fits("i" if kind == "u" else kind, dtype)
        or (kind == "b" and dtype.kind in "iufc")
    ):
        if kind in "iu" and dtype.kind in "iu":
            _check_range(int(array.min()), int(array.max()), dtype)
        with np.errstate(all="ignore"):
            return array.astype(dtype._numpy())
    if (
        kind == "f"
        and settings.whole_floats_are_ints
        and dtype.kind in "iu"
        and (array == np.floor(array)).all()
    ):
        return array.astype(dtype._numpy())
    raise TypeError(_cannot(value, dtype))


def _awkward(value: Any, dtype: DType | None) -> np.ndarray:
    """A list that NumPy does not see as an array of numbers: say why, or make strings of it."""
    shapes_seen = {_depth_shape(item) for item in value}
    if len(shapes_seen) > 1:
        raise ValueError("Can't convert non-rectangular Python sequence to Tensor.")
    for leaf in _leaves(value):
        if isinstance(leaf, int) and not -(2**63) <= leaf < 2**63:
            raise ValueError("Can't convert Python sequence with out-of-range integer to Tensor.")
        if not isinstance(
            leaf, str | bytes | bool | int | float | complex | np.generic | np.ndarray
        ):
            raise ValueError(
                f"Attempt to convert a value ({leaf!r}) with an unsupported type ({type(leaf)}) to a Tensor."
            )
    if all(isinstance(leaf, str | bytes) for leaf in _leaves(value)):
        return _strings(_nested_bytes(value, np.array(value, dtype=object).shape), value, dtype)
    raise ValueError("Can't convert Python sequence with mixed types to Tensor.")


def _depth_shape(item: Any) -> tuple[int, ...]:
    if isinstance(item, list | tuple):
        return (len(item), *(_depth_shape(item[0]) if item else ()))
    return np.shape(item) if isinstance(item, np.ndarray) else ()


for _cls in (Tensor, EagerTensor, SymbolicTensor):
    _cls.__module__ = "eagercore"
