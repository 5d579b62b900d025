"""Quotients, remainders and products that mind their zeros."""

from __future__ import annotations

from ..base import dtypes, errors
from ..core.op import elementwise
from ..core.tensor import Tensor, convert
from .arithmetic import (
    NUMBERS,
    REALS,
    _conj,
    _refuse_zero,
    add,
    divide_no_nan,
    floordiv,
    floormod,
    multiply,
    negative,
    real_divide,
    square,
    subtract,
)
from .compare import not_equal
from .create import cast, zeros_like


@elementwise(kinds="fc", label="Reciprocal", domain=(0.4, 3))
def reciprocal(xp, x):
    """`1 / x`, element by element.

    Args:
        x: Floating or complex tensor.

    Returns:
        Tensor of the shape and dtype of `x`; 0 gives inf.

    >>> reciprocal([2.0, 4.0]).numpy()
    array([0.5 , 0.25], dtype=float32)
    """
    return xp.reciprocal(x)


@reciprocal.vjp
def reciprocal_vjp(dy, y, _x):
    return negative(multiply(dy, square(_conj(y))))


@elementwise(kinds="fc", label="MulNoNan", domain=(0.5, 3))
def multiply_no_nan(xp, x, y):
    """Product that is 0 where `y` is 0, even if `x` is infinite or nan there.

    Args:
        x: Floating or complex tensor.
        y: Tensor of the same dtype; shapes broadcast.

    Returns:
        Tensor of the common dtype and the broadcast shape.

    >>> multiply_no_nan([float("inf"), 2.0], [0.0, 3.0]).numpy()
    array([0., 6.], dtype=float32)
    """
    return xp.where(y == 0, xp.zeros((), x.dtype), xp.multiply(x, y))


@multiply_no_nan.vjp
def multiply_no_nan_vjp(dy, _z, x, y, needs):
    return (
        multiply_no_nan(dy, _conj(y)) if needs[0] else None,
        multiply_no_nan(_conj(x), dy) if needs[1] else None,
    )


@elementwise(kinds=NUMBERS, label="SquaredDifference", domain=(-3, 3))
def squared_difference(xp, x, y):
    """`(x - y) ** 2`, element by element (`|x - y| ** 2` for complex numbers).

    Args:
        x: Tensor of numbers.
        y: Tensor of the same dtype; shapes broadcast.

    Returns:
        Tensor of the common dtype and the broadcast shape.

    >>> squared_difference([1.0, 2.0], 4.0).numpy()
    array([9., 4.], dtype=float32)
    """
    difference = xp.subtract(x, y)
    other = xp.conjugate(difference) if difference.dtype.kind == "c" else difference
    return xp.multiply(difference, other)


@squared_difference.vjp
def squared_difference_vjp(dy, _z, x, y, needs):
    difference = subtract(x, y)
    if x.dtype.kind == "c":
        # |d|^2 is real: only the real part of what flows back moves it.
        from .complexes import real_part

        dy = cast(real_part(dy), x.dtype)
    part = multiply(multiply(dy, 2), difference)
    return part, negative(part) if needs[1] else None


@elementwise(kinds=REALS, label="TruncateDiv", differentiable=False, domain=(1, 5))
def truncatediv(xp, x, y):
    """Quotient rounded towards zero, as C does it.

    Args:
        x: Real tensor.
        y: Tensor of the same dtype; shapes broadcast.

    Returns:
        Tensor of the common dtype. It has no gradient.

    Raises:
        InvalidArgumentError: If whole numbers are divided by zero.

    >>> truncatediv([-7, 7], 2).numpy()
    array([-3,  3], dtype=int32)
    """
    if x.dtype.kind not in "iu":
        return xp.trunc(xp.divide(x, y))
    _refuse_zero(xp, y, "TruncateDiv")
    whole = xp.floor_divide(x, y)
    return whole + ((xp.remainder(x, y) != 0) & ((x < 0) != (y < 0))).astype(x.dtype)


@elementwise(kinds=REALS, label="TruncateMod", differentiable=False, domain=(1, 5))
def truncatemod(xp, x, y):
    """Remainder of the quotient rounded towards zero: it has the sign of `x`.

    Args:
        x: Real tensor.
        y: Tensor of the same dtype; shapes broadcast.

    Returns:
        Tensor of the common dtype. It has no gradient.

    Raises:
        InvalidArgumentError: If whole numbers are divided by zero.

    >>> truncatemod([-7, 7], 3).numpy()
    array([-1,  1], dtype=int32)
    """
    _refuse_zero(xp, y, "TruncateMod")
    return xp.fmod(x, y)


@elementwise(kinds="fc", domain=(0.5, 3))
def xlogy(xp, x, y):
    """`x * log(y)`, and 0 where `x` is 0.

    Args:
        x: Floating or complex tensor.
        y: Tensor of the same dtype; shapes broadcast.

    Returns:
        Tensor of the common dtype.

    >>> xlogy([0.0, 1.0], [0.0, 1.0]).numpy()
    array([0., 0.], dtype=float32)
    """
    return xp.where(x == 0, xp.zeros((), x.dtype), xp.multiply(x, xp.log(y)))


def _one_where_not_zero(x):
    return cast(not_equal(x, zeros_like(x)), x.dtype)


@xlogy.vjp
def xlogy_vjp(dy, _z, x, y, needs):
    return (
        multiply(dy, _conj(xlogy(_one_where_not_zero(x), y))) if needs[0] else None,
        multiply(dy, _conj(xdivy(x, y))) if needs[1] else None,
    )


@elementwise(kinds="fc", domain=(0.5, 3))
def xlog1py(xp, x, y):
    """`x * log(1 + y)`, and 0 where `x` is 0.

    Args:
        x: Floating or complex tensor.
        y: Tensor of the same dtype; shapes broadcast.

    Returns:
        Tensor of the common dtype.

    >>> xlog1py([0.0, 1.0], [-1.0, 0.0]).numpy()
    array([0., 0.], dtype=float32)
    """
    return xp.where(x == 0, xp.zeros((), x.dtype), xp.multiply(x, xp.log1p(y)))


@xlog1py.vjp
def xlog1py_vjp(dy, _z, x, y, needs):
    return (
        multiply(dy, _conj(xlog1py(_one_where_not_zero(x), y))) if needs[0] else None,
        multiply(dy, _conj(xdivy(x, add(y, 1)))) if needs[1] else None,
    )


@elementwise(kinds="fc", domain=(0.5, 3))
def xdivy(xp, x, y):
    """`x / y`, and 0 where `x` is 0.

    Args:
        x: Floating or complex tensor.
        y: Tensor of the same dtype; shapes broadcast.

    Returns:
        Tensor of the common dtype.

    >>> xdivy([0.0, 1.0], [0.0, 2.0]).numpy()
    array([0. , 0.5], dtype=float32)
    """
    return xp.where(x == 0, xp.zeros((), x.dtype), xp.divide(x, y))


@xdivy.vjp
def xdivy_vjp(dy, _z, x, y, needs):
    return (
        multiply(dy, _conj(xdivy(_one_where_not_zero(x), y))) if needs[0] else None,
        multiply(dy, _conj(xdivy(negative(x), square(y)))) if needs[1] else None,
    )


def reciprocal_no_nan(x, name=None):
    """`1 / x`, and 0 where `x` is 0.

    Args:
        x: Floating or complex tensor.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> reciprocal_no_nan([0.0, 4.0]).numpy()
    array([0.  , 0.25], dtype=float32)
    """
    x = convert(x)
    return divide_no_nan(cast(1, x.dtype), x)


def divide(x, y, name=None):
    """Python's `/`: ints become floats first.

    Args:
        x: Tensor of numbers.
        y: Tensor of the same dtype; shapes broadcast.
        name: Accepted for TensorFlow's sake.

    Returns:
        Floating or complex tensor (a Python number for two Python numbers, as in TensorFlow).

    >>> divide([1, 2], 2).numpy()
    array([0.5, 1. ])
    """
    from .operators import truediv

    if isinstance(x, int | float) and isinstance(y, int | float):
        return x / y
    return truediv(x, y)


def div(x, y, name=None):
    """TensorFlow 1's division: whole numbers give a whole quotient, rounded down.

    Args:
        x: Tensor of numbers.
        y: Tensor of the same dtype; shapes broadcast.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the common dtype.

    >>> div(-7, 2).numpy()
    np.int32(-4)
    """
    from .operators import pair

    x, y = pair(x, y, "Div")
    return floordiv(x, y) if x.dtype.is_integer else real_divide(x, y)


def div_no_nan(x, y, name=None):
    """Quotient, element by element, that is 0 where the divisor is 0; whole numbers become floats.

    Args:
        x: Tensor of numbers.
        y: Tensor of the same dtype; shapes broadcast.
        name: Accepted for TensorFlow's sake.

    Returns:
        Floating or complex tensor.

    >>> div_no_nan([1.0, 2.0], [0.0, 4.0]).numpy()
    array([0. , 0.5], dtype=float32)
    """
    from .operators import pair

    x, y = pair(x, y, "DivNoNan")
    if x.dtype.is_integer:
        wide = dtypes.float32 if x.dtype.size < 4 else dtypes.float64
        x, y = cast(x, wide), cast(y, wide)
    return divide_no_nan(x, y)


def mod(x, y, name=None):
    """Remainder with the sign of `y`, as Python's `%`.

    Args:
        x: Real tensor.
        y: Tensor of the same dtype; shapes broadcast.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the common dtype.

    >>> mod([-7, 7], 3).numpy()
    array([2, 1], dtype=int32)
    """
    return floormod(x, y)


def realdiv(x, y, name=None):
    """Quotient of floating or complex tensors.

    Args:
        x: Floating or complex tensor.
        y: Tensor of the same dtype; shapes broadcast.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the common dtype.

    >>> realdiv([1.0], [4.0]).numpy()
    array([0.25], dtype=float32)
    """
    return real_divide(x, y)


def scalar_mul(scalar, x, name=None):
    """A tensor times a number.

    Args:
        scalar: Number, or tensor of rank 0.
        x: Tensor or `IndexedSlices`.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape and dtype of `x`.

    Raises:
        ValueError: If `scalar` has a rank other than 0.

    >>> scalar_mul(2, [1.0, 2.0]).numpy()
    array([2., 4.], dtype=float32)
    """
    if hasattr(x, "dense_shape") and hasattr(x, "values"):
        return type(x)(scalar_mul(scalar, x.values), x.indices, x.dense_shape)
    x = convert(x)
    if not isinstance(scalar, Tensor):
        scalar = convert(scalar, x.dtype)
    if scalar.shape.rank not in (0, None):
        raise ValueError(f"The input scalar must be a 0-D value. Received shape {scalar.shape}.")
    return multiply(scalar, x)


def add_n(inputs, name=None):
    """Sum of tensors of one shape and dtype.

    Args:
        inputs: List of tensors or `IndexedSlices`.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor.

    Raises:
        ValueError: If the list is empty, or the shapes differ.

    >>> add_n([[1, 2], [3, 4], [5, 6]]).numpy()
    array([ 9, 12], dtype=int32)
    """
    inputs = (
        list(inputs) if isinstance(inputs, list | tuple) or getattr(inputs, "ndim", 0) else [inputs]
    )
    if not inputs:
        raise ValueError(
            "Inputs must be an iterable of at least one Tensor/IndexedSlices with the same dtype and shape."
        )
    total = convert(inputs[0])
    for one in inputs[1:]:
        one = convert(one, total.dtype) if not isinstance(one, Tensor) else one
        if not one.shape.is_compatible_with(total.shape):
            raise errors.shape_error(
                "AddN", f"Inputs to operation AddN must have the same size and shape. {total.shape} != {one.shape}. "
                "Use tf.add, which broadcasts.",
            )  # fmt: skip
        total = add(total, one)
    return total


def accumulate_n(inputs, shape=None, tensor_dtype=None, name=None):
    """Sum of tensors of one shape and dtype.

    Args:
        inputs: List of tensors.
        shape: Shape that they must have, or None.
        tensor_dtype: dtype that they must have, or None.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor.

    Raises:
        ValueError: If the shapes or dtypes differ.

    >>> accumulate_n([[1, 2], [3, 4]]).numpy()
    array([4, 6], dtype=int32)
    """
    total = add_n(inputs)
    if tensor_dtype is not None and total.dtype != tensor_dtype:
        raise TypeError(f"tensor_dtype is {tensor_dtype}, but input is of type {total.dtype.name}")
    if shape is not None and not total.shape.is_compatible_with(shape):
        raise ValueError(f"Shapes {total.shape} and {shape} are incompatible")
    return total
