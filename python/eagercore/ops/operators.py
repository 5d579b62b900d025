"""The operators: one table, installed once on tensors and variables."""

from __future__ import annotations

from typing import Any

from ..base import dtypes, errors
from ..core.op import Op
from ..core.tensor import EagerTensor, SymbolicTensor, Tensor, convert
from ..core.variable import Variable, VariableSlice
from . import arithmetic, compare, index, linalg, shape, slicing
from .bitwise import bitwise_and, bitwise_or, bitwise_xor, invert
from .compare import logical_xor
from .create import cast


def truediv(x, y, name=None):
    """Python's `/`: ints become floats first (8 and 16 bits float32, more float64).

    Args:
        x: Tensor of numbers.
        y: Tensor of the same dtype; shapes broadcast.
        name: Accepted for TensorFlow's sake.

    Returns:
        Floating or complex tensor.

    Raises:
        TypeError: If the tensors are boolean.

    >>> truediv([1, 2], 2).numpy()
    array([0.5, 1. ])
    """
    strong = x if type(x) is EagerTensor else y
    if type(strong) is EagerTensor and strong._array.dtype.kind == "f":
        other = y if strong is x else x
        if type(other) is EagerTensor or type(other) in (float, int):
            return arithmetic.real_divide.entry(x, y)
    x, y = pair(x, y, "RealDiv")
    if x.dtype.is_integer:
        wide = dtypes.float32 if x.dtype.size < 4 else dtypes.float64
        x, y = cast(x, wide), cast(y, wide)
    elif x.dtype.kind == "b":
        raise TypeError(
            "Invalid dtype tf.bool in __truediv__: cast it first, tf.cast(x, tf.float32)."
        )
    return arithmetic.real_divide(x, y)


def pair(x, y, label):
    """Two operands as tensors of one dtype: the weak one takes the strong one's."""
    if isinstance(x, Tensor) and isinstance(y, Tensor):
        if x.dtype is not y.dtype:
            raise errors.dtype_error(
                label,
                f"cannot compute {label} as input #1(zero-based) was expected to be a "
                f"{dtypes.spelling(x.dtype)} tensor but "
                f"is a {dtypes.spelling(y.dtype)} tensor (shapes {x.shape} and {y.shape}). Cast "
                f"one of them: tf.cast(x, tf.{x.dtype.name}).",
            )
        return x, y
    return arithmetic.add.admit((x, y)) if not _symbolic(x, y) else _symbolic_pair(x, y)


def _symbolic(x, y):
    return getattr(x, "_is_symbolic", False) or getattr(y, "_is_symbolic", False)


def _symbolic_pair(x, y):
    if isinstance(x, Tensor):
        return x, y if isinstance(y, Tensor) else convert(y, x.dtype)
    return convert(x, y.dtype), y


def tensor_equals(x, y):
    """`==`: element by element; False for what no tensor can be compared with, or whose shape does not fit."""
    if y is None:
        return False
    try:
        return compare.equal(x, y)
    except (TypeError, ValueError) as error:
        if getattr(error, "kind", None) == "shape":
            return convert(False)
        if isinstance(error, errors.InvalidArgumentError) and isinstance(
            y, Tensor | Variable | int | float
        ):
            raise
        if isinstance(error, ValueError) and "unsupported type" in str(error):
            return False
        raise


def tensor_not_equals(x, y):
    """`!=`: element by element; True for what no tensor can be compared with."""
    if y is None:
        return True
    same = tensor_equals(x, y)
    return True if same is False else compare.logical_not(same)


def logical(bool_op, int_op):
    """`&`, `|`, `^`: logical on bools, bit by bit on whole numbers."""

    label = getattr(bool_op, "label", "LogicalXor")

    def operator(x, y):
        x, y = pair(x, y, label)
        return bool_op(x, y) if x.dtype.kind == "b" else int_op(x, y)

    return operator


def _invert(x):
    return compare.logical_not(x) if x.dtype.kind == "b" else invert(x)


def _abs(x):
    from .complexes import abs as absolute

    return absolute(x)


def _iterate(x):
    if x.ndim == 0:
        raise TypeError("Cannot iterate over a scalar tensor.")
    return iter(shape.unstack(x, len(x)))


#: Python's operator -> function. R's group generics look their operator up in R_OPERATORS.
BINARY = {
    "add": arithmetic.add,
    "sub": arithmetic.subtract,
    "mul": arithmetic.multiply,
    "truediv": truediv,
    "floordiv": arithmetic.floordiv,
    "mod": arithmetic.floormod,
    "pow": arithmetic.pow_,
    "matmul": linalg.matmul,
    "and": logical(compare.logical_and, bitwise_and),
    "or": logical(compare.logical_or, bitwise_or),
    "xor": logical(logical_xor, bitwise_xor),
}
COMPARISONS = {
    "lt": compare.less,
    "le": compare.less_equal,
    "gt": compare.greater,
    "ge": compare.greater_equal,
    "eq": tensor_equals,
    "ne": tensor_not_equals,
}
UNARY = {"neg": arithmetic.negative, "abs": _abs, "invert": _invert}


def _binary(function: Any) -> tuple[Any, Any]:
    def forward(x: Any, y: Any) -> Any:
        return function(x, y)

    if isinstance(function, Op):
        forward = function.entry

    # The function is an argument for the sake of `graph/names.py`, which finds it there.
    def reflected(x: Any, y: Any, function: Any = function) -> Any:
        return forward(y, x)

    return forward, reflected


def install() -> None:
    """Gives tensors and variables their operators."""
    for cls in (Tensor, Variable):
        for name, function in BINARY.items():
            forward, reflected = _binary(function)
            setattr(cls, f"__{name}__", forward)
            setattr(cls, f"__r{name}__", reflected)
        for name, function in COMPARISONS.items():
            setattr(cls, f"__{name}__", _binary(function)[0])
        for name, function in UNARY.items():
            setattr(cls, f"__{name}__", lambda x, f=function: f(x))
        cls.__hash__ = _unhashable  # type: ignore[assignment, method-assign]
    Tensor.__getitem__ = slicing.getitem  # type: ignore[attr-defined]
    EagerTensor.__iter__ = _iterate  # type: ignore[attr-defined]
    Variable.sparse_read = index.gather  # type: ignore[attr-defined]
    Variable.gather_nd = index.gather_nd  # type: ignore[attr-defined]
    Variable.__getitem__ = _variable_item  # type: ignore[attr-defined]
    Tensor.__setitem__ = _no_item_assignment  # type: ignore[attr-defined]
    Tensor.__delitem__ = _no_item_deletion  # type: ignore[attr-defined]
    SymbolicTensor.__hash__ = _symbolic_hash  # type: ignore[method-assign]
    SymbolicTensor.__eq__ = _symbolic_equals  # type: ignore[method-assign, assignment]
    SymbolicTensor.__ne__ = _symbolic_not_equals  # type: ignore[method-assign, assignment]


def _unhashable(x: Any) -> int:
    kind = "Variable" if isinstance(x, Variable) else "Tensor"
    raise TypeError(f"{kind} is unhashable. Instead, use {kind.lower()}.ref() as the key.")


def _in_graph_mode(x: Any) -> bool:
    """Whether a tensor belongs to a graph of graph mode, where tensors are keys of dictionaries."""
    return not getattr(x.graph, "building_function", True)


def _symbolic_hash(x: Any) -> int:
    return id(x) if _in_graph_mode(x) else _unhashable(x)


def _symbolic_equals(x: Any, y: Any) -> Any:
    return x is y if _in_graph_mode(x) else tensor_equals(x, y)


def _symbolic_not_equals(x: Any, y: Any) -> Any:
    return x is not y if _in_graph_mode(x) else tensor_not_equals(x, y)


def _no_item_deletion(x: Any, key: Any) -> None:
    raise TypeError(
        f"'{type(x).__name__}' object doesn't support item deletion: tensors never change. Use tf.boolean_mask, or "
        "tf.concat of the parts that stay."
    )


def _no_item_assignment(x: Any, key: Any, value: Any) -> None:
    raise TypeError(
        f"'{type(x).__name__}' object does not support item assignment: tensors never change. Use "
        "tf.tensor_scatter_nd_update, tf.where, or a tf.Variable with variable[...].assign(value)."
    )


def _variable_item(variable: Variable, key: Any) -> Any:
    value = slicing.getitem(variable.value(), key)
    if type(value) is not EagerTensor:
        value.assign = lambda v, name=None: variable.assign_slice(key, v)
        return value
    made = VariableSlice(
        value._array,
        variable,
        slicing._slices(
            tuple(slicing._index(k) for k in (key if isinstance(key, tuple | list) else (key,)))
        ),
    )
    made._key = value._key
    return made


install()
