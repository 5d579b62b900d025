"""Element types, and the one rule by which values of several types meet.

Tensors are strong: two tensors must agree in dtype. Python numbers, lists and bare arrays are weak: they take
the tensor's dtype where that loses nothing in kind (an int may become a float, a float never an int).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import errors

#: Name of a dtype -> its smallest and largest value.
_LIMITS: dict[str, tuple[Any, Any]] = {}


class DType:
    """Type of the elements of a tensor, such as `tf.float32`.

    Equal to its name and to its NumPy type: `tf.float32 == "float32" == np.float32`.
    """

    __slots__ = ("name", "numpy_dtype", "kind", "_enum")

    def __init__(self, name: str, numpy_dtype: Any, kind: str, enum: int) -> None:
        self.name = name
        self.numpy_dtype = numpy_dtype
        self.kind = kind
        self._enum = enum

    @property
    def as_numpy_dtype(self) -> Any:
        """NumPy scalar type, such as `numpy.float32` (`object` for strings)."""
        return self._numpy().type if self.kind != "S" else np.object_

    def _numpy(self) -> np.dtype:
        if self.numpy_dtype is None:
            raise errors.dtype_error(None, f"{self!r} has no NumPy counterpart.")
        return self.numpy_dtype

    @property
    def as_datatype_enum(self) -> int:
        """TensorFlow's number of this type."""
        return self._enum

    @property
    def base_dtype(self) -> DType:
        """The type itself (reference types do not exist here)."""
        return self

    @property
    def real_dtype(self) -> DType:
        """Type of the real part: float32 for complex64, else the type itself."""
        return {"complex64": float32, "complex128": float64}.get(self.name, self)

    @property
    def is_floating(self) -> bool:
        """Whether it is a real floating type."""
        return self.kind == "f"

    @property
    def is_integer(self) -> bool:
        """Whether it is a signed or unsigned integer type."""
        return self.kind in "iu"

    @property
    def is_complex(self) -> bool:
        """Whether it is a complex type."""
        return self.kind == "c"

    @property
    def is_bool(self) -> bool:
        """Whether it is the type of truth values."""
        return self.kind == "b"

    @property
    def is_unsigned(self) -> bool:
        """Whether it is an unsigned integer type."""
        return self.kind == "u"

    @property
    def is_quantized(self) -> bool:
        """Always False: quantized types do not exist here."""
        return False

    @property
    def is_numpy_compatible(self) -> bool:
        """Whether NumPy has such a type."""
        return self.numpy_dtype is not None

    @property
    def is_differentiable(self) -> bool:
        """Whether gradients flow through tensors of this type."""
        return self.kind in "fc"

    @property
    def size(self) -> int:
        """Bytes of one element (1 for strings, as in TensorFlow)."""
        return 1 if self.kind == "S" else int(self._numpy().itemsize)

    @property
    def min(self) -> Any:
        """Smallest value."""
        return self.limits[0]

    @property
    def max(self) -> Any:
        """Largest value."""
        return self.limits[1]

    @property
    def limits(self) -> tuple[Any, Any]:
        """Smallest and largest value."""
        known = _LIMITS.get(self.name)
        if known is None:
            known = _LIMITS[self.name] = self._find_limits()
        return known

    def _find_limits(self) -> tuple[Any, Any]:
        if self.kind == "f":
            info: Any = _finfo(self._numpy())
            return info.min, info.max
        if self.kind in "iu":
            whole = np.iinfo(self._numpy())
            return whole.min, whole.max
        if self.kind == "b":
            return False, True
        raise TypeError(f"Cannot find the limits of {self!r}.")

    def is_compatible_with(self, other: Any) -> bool:
        """Whether `other` names the same type."""
        return self == other

    def __eq__(self, other: object) -> bool:
        if other is self:
            return True
        if other is None or isinstance(other, DType):
            return False
        found = _lookup(other)
        return found is self

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.name)

    def __int__(self) -> int:
        return self._enum

    def __repr__(self) -> str:
        return f"tf.{self.name}"

    def __str__(self) -> str:
        return f"<dtype: '{self.name}'>"

    def __reduce__(self) -> tuple[Any, ...]:
        return as_dtype, (self.name,)


def _finfo(dtype: np.dtype) -> Any:
    if dtype.name == "bfloat16":
        import ml_dtypes

        finfo: Any = ml_dtypes.finfo
        return finfo(dtype)
    return np.finfo(dtype)


float16 = half = DType("float16", np.dtype(np.float16), "f", 19)
float32 = DType("float32", np.dtype(np.float32), "f", 1)
float64 = double = DType("float64", np.dtype(np.float64), "f", 2)
int8 = DType("int8", np.dtype(np.int8), "i", 6)
int16 = DType("int16", np.dtype(np.int16), "i", 5)
int32 = DType("int32", np.dtype(np.int32), "i", 3)
int64 = DType("int64", np.dtype(np.int64), "i", 9)
uint8 = DType("uint8", np.dtype(np.uint8), "u", 4)
uint16 = DType("uint16", np.dtype(np.uint16), "u", 17)
uint32 = DType("uint32", np.dtype(np.uint32), "u", 22)
uint64 = DType("uint64", np.dtype(np.uint64), "u", 23)
complex64 = DType("complex64", np.dtype(np.complex64), "c", 8)
complex128 = DType("complex128", np.dtype(np.complex128), "c", 18)
bool_ = DType("bool", np.dtype(np.bool_), "b", 10)
string = DType("string", np.dtype(object), "S", 7)
resource = DType("resource", None, "r", 20)
variant = DType("variant", None, "v", 21)


class _BFloat16(DType):
    """bfloat16 by way of the package ml_dtypes, looked up at first use."""

    __slots__ = ()

    def _numpy(self) -> np.dtype:
        if self.numpy_dtype is None:
            try:
                import ml_dtypes
            except ImportError:
                raise errors.missing_extra("ml_dtypes", "dtypes", "bfloat16") from None
            self.numpy_dtype = np.dtype(ml_dtypes.bfloat16)
            _BY_NUMPY[self.numpy_dtype] = self
        return self.numpy_dtype


bfloat16 = _BFloat16("bfloat16", None, "f", 14)

ALL = (
    float16, float32, float64, bfloat16, int8, int16, int32, int64, uint8, uint16, uint32, uint64,
    complex64, complex128, bool_, string, resource, variant,
)  # fmt: skip
_BY_NAME = {d.name: d for d in ALL} | {
    "half": float16, "float": float32, "double": float64, "str": string, "object": string,
    "logical": bool_, "integer": int32,
}  # fmt: skip
_BY_NUMPY: dict[Any, DType] = {d.numpy_dtype: d for d in ALL if d.numpy_dtype is not None}
_PYTHON: dict[Any, DType] = {
    float: float32,
    int: int32,
    bool: bool_,
    complex: complex128,
    str: string,
    bytes: string,
    object: string,
}
# The C++ spelling that TensorFlow's messages use.
SPELLING = {"float32": "float", "float64": "double", "float16": "half"}


def _lookup(value: Any) -> DType | None:
    if isinstance(value, str):
        return _BY_NAME.get(value) or (bfloat16 if value == "bfloat16" else None)
    try:
        found = _PYTHON.get(value) or _BY_NUMPY.get(value)
    except TypeError:
        return None
    if found is not None:
        return found
    try:
        dtype = np.dtype(value)
    except TypeError:
        return None
    if dtype.kind in "SUO":
        return string
    if dtype.name == "bfloat16":
        bfloat16._numpy()
        return bfloat16
    return _BY_NUMPY.get(dtype.newbyteorder("="))


def as_dtype(value: Any) -> DType:
    """The `DType` that `value` names.

    Args:
        value: A `DType`, a name such as "float32", a NumPy dtype or scalar type, or `float`, `int`, `bool`.

    Returns:
        The `DType`.

    Raises:
        TypeError: If `value` names no type of the engine.

    >>> as_dtype("float32")
    tf.float32
    """
    if isinstance(value, DType):
        return value
    found = _lookup(value)
    if found is None and isinstance(value, int) and not isinstance(value, bool):
        found = next((d for d in ALL if d._enum == value), None)
    if found is None:
        raise TypeError(
            f"Cannot convert the argument `type_value`: {value!r} to a TensorFlow DType. "
            "Give a dtype such as tf.float32 or a name such as 'float32'."
        )
    return found


def of_array(array: Any) -> DType:
    """The `DType` of an array's elements (one dictionary look-up)."""
    found = _BY_NUMPY.get(array.dtype)
    return found if found is not None else as_dtype(array.dtype)


def spelling(dtype: DType) -> str:
    """The dtype's name as TensorFlow's messages spell it ("float" for float32)."""
    return SPELLING.get(dtype.name, dtype.name)


def weak_fits(kind: str, dtype: DType) -> bool:
    """Whether a weak value of NumPy kind `kind` may take `dtype`: nothing of its kind is lost.

    bool fits everything but strings, int fits every number, float fits floating and complex, complex complex.
    """
    order = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}
    if dtype.kind == "S" or kind not in order:
        return dtype.kind == "S" and kind in "SUO"
    if dtype.kind == "b":
        return kind == "b"
    return order[kind] <= order[dtype.kind]


for _d in (DType, _BFloat16):
    _d.__module__ = "eagercore"
_BFloat16.__name__ = "DType"
