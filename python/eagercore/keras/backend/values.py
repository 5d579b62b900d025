"""`tf.keras.backend`: Keras's own names for what the engine does, and its settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.tensor import Tensor, convert
from ...core.variable import Variable
from ...ops.create import cast as _cast
from ...ops.linalg import matmul
from ...ops.reduce import reduce_sum
from ...ops.shape import reshape as _reshape
from ...ops.shape import transpose as _transpose
from ..calls import calls
from ..losses import probabilistic
from ..naming import get_uid, reset_uids
from ..settings import (
    epsilon,
    floatx,
    image_data_format,
    set_epsilon,
    set_floatx,
    set_image_data_format,
)  # fmt: skip

__all__ = [
    "backend", "batch_dot", "batch_flatten", "batch_get_value", "batch_set_value",
    "binary_crossentropy", "cast", "cast_to_floatx", "categorical_crossentropy", "clear_session",
    "constant", "count_params", "dot", "dtype", "epsilon", "eval", "flatten", "floatx", "get_uid",
    "get_value", "get_variable_shape", "image_data_format", "int_shape", "is_keras_tensor", "ndim", "reset_uids",
    "set_epsilon", "set_floatx", "set_image_data_format", "set_value",
    "sparse_categorical_crossentropy", "update", "update_add", "update_sub", "variable",
]  # fmt: skip


def backend() -> str:
    """Name of the backend.

    >>> backend()
    'eagercore'
    """
    return "eagercore"


def cast(x: Any, dtype: Any) -> Any:
    """`x` in another dtype."""
    return _cast(x, dtype)


def cast_to_floatx(x: Any) -> Any:
    """`x` in the default float type: a tensor for tensors and variables, else an array.

    >>> cast_to_floatx([1, 2]).dtype.name
    'float32'
    """
    made = _cast(convert(x), floatx())
    return made if isinstance(x, Tensor | Variable) else made.numpy()


def constant(value: Any, dtype: Any = None, shape: Any = None, name: str | None = None) -> Any:
    """A constant tensor, of the default float type unless another is named.

    Args:
        value: Number, list or array.
        dtype: Type of the elements, or None.
        shape: Shape that `value` fills row by row, or None for its own.
        name: Accepted for TensorFlow's sake.
    """
    from ...ops.create import constant as make

    return make(value, dtype or floatx(), shape)


def variable(value: Any, dtype: Any = None, name: str | None = None, constraint: Any = None) -> Any:
    """A variable that begins with `value`, of the default float type unless another is named."""
    return Variable(value, dtype=dtype or floatx(), name=name, constraint=constraint)


def get_value(x: Any) -> Any:
    """The values as an array."""
    return x.numpy()


eval = get_value


def batch_get_value(tensors: Sequence[Any]) -> list[Any]:
    """The values of several tensors or variables."""
    return [get_value(x) for x in tensors]


def set_value(x: Any, value: Any) -> None:
    """Sets a variable."""
    x.assign(_cast(convert(value), x.dtype))


def batch_set_value(tuples: Sequence[Any]) -> None:
    """Sets several variables, given as pairs of variable and value."""
    for x, value in tuples:
        set_value(x, value)


def update(x: Any, new_x: Any) -> Any:
    """Sets a variable and gives it back."""
    return x.assign(new_x)


def update_add(x: Any, increment: Any) -> Any:
    """Adds to a variable and gives it back."""
    return x.assign_add(increment)


def update_sub(x: Any, decrement: Any) -> Any:
    """Takes away from a variable and gives it back."""
    return x.assign_sub(decrement)


def ndim(x: Any) -> int:
    """Number of dimensions."""
    return len(x.shape)


def int_shape(x: Any) -> Any:
    """Shape as a tuple of ints and Nones; None when not even the rank is known."""
    return None if x.shape.rank is None else tuple(x.shape.as_list())


get_variable_shape = int_shape


def dtype(x: Any) -> str:
    """Name of the dtype."""
    return str(x.dtype.name)


def count_params(x: Any) -> int:
    """Number of elements."""
    return int(x.shape.num_elements())


def is_keras_tensor(x: Any) -> bool:
    """Whether `x` is a symbolic input or output of layers."""
    from ..symbolic import KerasTensor

    return isinstance(x, KerasTensor)


def flatten(x: Any) -> Any:
    """All elements as a vector, row by row."""
    return _reshape(x, [-1])


def batch_flatten(x: Any) -> Any:
    """A matrix with a row for each example."""
    x = convert(x)
    extents = x.shape.as_list()[1:]
    size = 1
    for extent in extents:
        size *= extent
    return _reshape(x, [-1, size])


def dot(x: Any, y: Any) -> Any:
    """Product of matrices; with more dimensions, of the last axis of `x` and the last but one of `y`.

    >>> dot([[1.0, 2.0]], [[3.0], [4.0]]).numpy()
    array([[11.]], dtype=float32)
    """
    x, y = convert(x), convert(y)
    if x.shape.rank <= 2 and y.shape.rank == 2:
        return matmul(x, y)
    left, right = x.shape.as_list(), y.shape.as_list()
    axis = max(len(right) - 2, 0)
    order = [axis] + [i for i in range(len(right)) if i != axis]
    rest = [right[i] for i in order[1:]]
    product = matmul(_reshape(x, [-1, left[-1]]), _reshape(_transpose(y, order), [right[axis], -1]))
    return _reshape(product, left[:-1] + rest)


def batch_dot(x: Any, y: Any, axes: Any = None) -> Any:
    """Product of each example in `x` with that in `y`.

    Args:
        x: Tensor of at least two dimensions.
        y: Tensor of at least two dimensions.
        axes: The axis, or the pair of axes, that is multiplied and summed; by default the last of
            `x` and the last but one of `y` (its last, when it has two dimensions).

    Returns:
        Tensor of at least two dimensions.
    """
    x, y = convert(x), convert(y)
    first, second = x.shape.rank, y.shape.rank
    if axes is None:
        axes = (first - 1, 1 if second == 2 else second - 2)
    left, right = (axes, axes) if isinstance(axes, int) else tuple(int(a) for a in axes)
    left, right = left % first, right % second
    if first == 2 and second == 2:
        return reduce_sum(x * y, axis=1, keepdims=True)
    a = _transpose(x, [i for i in range(first) if i != left] + [left])
    b = _transpose(y, [0, right] + [i for i in range(1, second) if i != right])
    head, tail = a.shape.as_list(), b.shape.as_list()
    rows = _reshape(a, [head[0], -1, head[-1]])
    columns = _reshape(b, [tail[0], tail[1], -1])
    result = _reshape(matmul(rows, columns), head[:-1] + tail[2:])
    return _reshape(result, [head[0], 1]) if result.shape.rank == 1 else result


def binary_crossentropy(target: Any, output: Any, from_logits: bool = False) -> Any:
    """Cross entropy of yes-or-no targets, element by element."""
    return probabilistic.elementwise_binary(*_aligned(target, output), from_logits)


def categorical_crossentropy(
    target: Any, output: Any, from_logits: bool = False, axis: int = -1
) -> Any:
    """Cross entropy of one-hot targets, one number for each example."""
    return probabilistic.categorical_crossentropy(target, output, from_logits, axis=axis)


def sparse_categorical_crossentropy(
    target: Any, output: Any, from_logits: bool = False, axis: int = -1
) -> Any:
    """Cross entropy of class numbers, one number for each example."""
    return probabilistic.sparse_categorical_crossentropy(target, output, from_logits, axis=axis)


def _aligned(target: Any, output: Any) -> tuple[Any, Any]:
    output = convert(output)
    return _cast(convert(target), output.dtype), output


def clear_session() -> None:
    """Forgets the numbering of layer names, and the learning phase that was set."""
    reset_uids()
    calls.phase = None
