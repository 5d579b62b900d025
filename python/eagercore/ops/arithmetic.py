"""Arithmetic, element by element: what + - * / // % ** do."""

from __future__ import annotations

import numpy as np

from ..base import errors
from ..core.op import elementwise, number
from ..core.tensor import EagerTensor

NUMBERS = "iufc"
REALS = "iuf"


@elementwise(label="AddV2", kinds="iufcO", domain=(-3, 3))
def add(xp, x, y):
    """Sum, element by element; strings are joined.

    Args:
        x: Tensor of numbers or strings.
        y: Tensor of the same dtype; shapes broadcast.

    Returns:
        Tensor of the common dtype and the broadcast shape.

    Raises:
        InvalidArgumentError: If the dtypes differ or the shapes do not broadcast.

    >>> add([1, 2], 3).numpy()
    array([4, 5], dtype=int32)
    """
    return xp.add(x, y)


@add.vjp
def add_vjp(dy, _z, _x, _y):
    return dy, dy


@add.vjp_of_arrays
def add_arrays(dy, _z, _x, _y, _needs):
    return dy, dy


@elementwise(label="Sub", kinds=NUMBERS, domain=(-3, 3))
def subtract(xp, x, y):
    """Difference `x - y`, element by element.

    Args:
        x: Tensor of numbers.
        y: Tensor of the same dtype; shapes broadcast.

    Returns:
        Tensor of the common dtype and the broadcast shape.

    >>> subtract([1.0, 2.0], 0.5).numpy()
    array([0.5, 1.5], dtype=float32)
    """
    return xp.subtract(x, y)


@subtract.vjp
def subtract_vjp(dy, _z, _x, _y, needs):
    return dy, negative(dy) if needs[1] else None


@subtract.vjp_of_arrays
def subtract_arrays(dy, _z, _x, _y, needs):
    return dy, np.negative(dy) if needs[1] else None


@elementwise(label="Mul", kinds=NUMBERS, domain=(-3, 3))
def multiply(xp, x, y):
    """Product, element by element.

    Args:
        x: Tensor of numbers.
        y: Tensor of the same dtype; shapes broadcast.

    Returns:
        Tensor of the common dtype and the broadcast shape.

    >>> multiply([1.0, 2.0], 3).numpy()
    array([3., 6.], dtype=float32)
    """
    return xp.multiply(x, y)


@multiply.vjp
def multiply_vjp(dy, _z, x, y, needs):
    return (
        multiply(dy, _conj(y)) if needs[0] else None,
        multiply(dy, _conj(x)) if needs[1] else None,
    )


@multiply.vjp_of_arrays
def multiply_arrays(dy, _z, x, y, needs):
    return (
        np.multiply(dy, y._array) if needs[0] else None,
        np.multiply(dy, x._array) if needs[1] else None,
    )


@elementwise(kinds=NUMBERS, domain=(-3, 3))
def multiply_add(xp, x, factor, shift):
    """`x * factor + shift`, element by element.

    Args:
        x: Tensor of numbers.
        factor: Tensor of the same dtype; shapes broadcast.
        shift: Tensor of the same dtype; shapes broadcast.

    Returns:
        Tensor of the common dtype and the broadcast shape.

    >>> multiply_add([1.0, 2.0], [3.0, 3.0], [0.5, 0.5]).numpy()
    array([3.5, 6.5], dtype=float32)
    """
    return xp.add(xp.multiply(x, factor), shift)


@multiply_add.vjp
def multiply_add_vjp(dy, _z, x, factor, _shift, needs):
    return (
        multiply(dy, _conj(factor)) if needs[0] else None,
        multiply(dy, _conj(x)) if needs[1] else None,
        dy,
    )


def _conj(x):
    return conj(x) if x.dtype.kind == "c" else x


@elementwise(kinds=NUMBERS, domain=(-3, 3))
def conj(xp, x):
    """Complex conjugate (real tensors are given back as they are).

    Args:
        x: Tensor of numbers.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> conj([1 + 2j]).numpy()
    array([1.-2.j])
    """
    return xp.conjugate(x)


@conj.vjp
def conj_vjp(dy, _y, _x):
    return conj(dy)


@elementwise(label="RealDiv", kinds=NUMBERS, domain=(0.5, 3))
def real_divide(xp, x, y):
    """Quotient of two floating or complex tensors, element by element.

    Args:
        x: Floating or complex tensor.
        y: Tensor of the same dtype; shapes broadcast.

    Returns:
        Tensor of the common dtype; division by zero gives inf or nan.

    >>> real_divide([1.0, 2.0], 4.0).numpy()
    array([0.25, 0.5 ], dtype=float32)
    """
    return xp.divide(x, y)


@real_divide.vjp
def real_divide_vjp(dy, _z, x, y, needs):
    first = real_divide(dy, _conj(y)) if needs[0] else None
    if not needs[1]:
        return first, None
    return first, multiply(dy, _conj(real_divide(real_divide(negative(x), y), y)))


@real_divide.vjp_of_arrays
def real_divide_arrays(dy, _z, x, y, needs):
    x, y = x._array, y._array
    first = np.divide(dy, y) if needs[0] else None
    if not needs[1]:
        return first, None
    return first, np.multiply(dy, np.divide(np.divide(np.negative(x), y), y))


@elementwise(label="Neg", kinds=NUMBERS, domain=(-3, 3))
def negative(xp, x):
    """`-x`, element by element.

    Args:
        x: Tensor of numbers.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> negative([1, -2]).numpy()
    array([-1,  2], dtype=int32)
    """
    return xp.negative(x)


@negative.vjp
def negative_vjp(dy, _y, _x):
    return negative(dy)


@negative.vjp_of_arrays
def negative_arrays(dy, _y, _x):
    return np.negative(dy)


@elementwise(kinds=NUMBERS, domain=(-3, 3))
def square(xp, x):
    """`x * x`, element by element.

    Args:
        x: Tensor of numbers.

    Returns:
        Tensor of the shape and dtype of `x`.

    >>> square([1.0, -3.0]).numpy()
    array([1., 9.], dtype=float32)
    """
    return xp.multiply(x, x)


@square.vjp
def square_vjp(dy, _y, x):
    return multiply(dy, _conj(add(x, x)))


@square.vjp_of_arrays
def square_arrays(dy, _y, x):
    x = x._array
    return np.multiply(dy, np.add(x, x))


@elementwise(label="FloorDiv", kinds=REALS, differentiable=False, domain=(1, 5))
def floordiv(xp, x, y):
    """`x // y`, rounded towards minus infinity, element by element.

    Args:
        x: Real tensor.
        y: Tensor of the same dtype; shapes broadcast.

    Returns:
        Tensor of the common dtype. It has no gradient.

    Raises:
        InvalidArgumentError: If whole numbers are divided by zero.

    >>> floordiv([-7, 7], 2).numpy()
    array([-4,  3], dtype=int32)
    """
    _refuse_zero(xp, y, "FloorDiv")
    return xp.floor_divide(x, y)


def _refuse_zero(xp, y, op):
    if y.dtype.kind in "iu" and not (y if y.ndim == 0 else y.all()):
        raise errors.value_error(op, "Integer division by zero: the divisor holds a 0.")


@elementwise(label="FloorMod", kinds=REALS, domain=(1, 5))
def floormod(xp, x, y):
    """Remainder of `x // y`, with the sign of `y`, element by element.

    Args:
        x: Real tensor.
        y: Tensor of the same dtype; shapes broadcast.

    Returns:
        Tensor of the common dtype.

    Raises:
        InvalidArgumentError: If whole numbers are divided by zero.

    >>> floormod([-7, 7], 3).numpy()
    array([2, 1], dtype=int32)
    """
    _refuse_zero(xp, y, "FloorMod")
    return xp.remainder(x, y)


@floormod.vjp
def floormod_vjp(dy, _z, x, y, needs):
    return dy, multiply(dy, negative(floordiv(x, y))) if needs[1] else None


@floormod.samples
def floormod_samples(rng):
    yield (rng.uniform(5.2, 5.8, size=(2, 3)), rng.uniform(2.1, 2.4, size=(2, 3))), {}


@elementwise(label="Maximum", kinds=REALS, domain=(-3, 3))
def maximum(xp, x, y):
    """The larger of the two, element by element; nan when either is nan.

    Args:
        x: Real tensor.
        y: Tensor of the same dtype; shapes broadcast.

    Returns:
        Tensor of the common dtype. The gradient of a tie goes to `x`.

    >>> maximum([1.0, 5.0], 3.0).numpy()
    array([3., 5.], dtype=float32)
    """
    return xp.maximum(x, y)


@maximum.vjp
def maximum_vjp(dy, _z, x, y):
    from .compare import greater_equal

    return _split_by(greater_equal(x, y), dy)


def _split_by(first, dy):
    from .create import zeros_like
    from .select import where

    zero = zeros_like(dy)
    return where(first, dy, zero), where(first, zero, dy)


@elementwise(label="Minimum", kinds=REALS, domain=(-3, 3))
def minimum(xp, x, y):
    """The smaller of the two, element by element; nan when either is nan.

    Args:
        x: Real tensor.
        y: Tensor of the same dtype; shapes broadcast.

    Returns:
        Tensor of the common dtype. The gradient of a tie goes to `x`.

    >>> minimum([1.0, 5.0], 3.0).numpy()
    array([1., 3.], dtype=float32)
    """
    return xp.minimum(x, y)


@minimum.vjp
def minimum_vjp(dy, _z, x, y):
    from .compare import less_equal

    return _split_by(less_equal(x, y), dy)


@elementwise(label="Pow", kinds=NUMBERS, domain=(0.5, 2))
def pow_(xp, x, y):
    """`x` to the power `y`, element by element.

    Args:
        x: Tensor of numbers.
        y: Tensor of the same dtype; shapes broadcast.

    Returns:
        Tensor of the common dtype.

    Raises:
        InvalidArgumentError: If a whole number is raised to a negative whole power.

    >>> pow_([1.0, 2.0], 3.0).numpy()
    array([1., 8.], dtype=float32)
    """
    if y.dtype.kind == "i" and (y < 0).any():
        raise errors.value_error(
            "Pow",
            "Integers to negative integer powers are not allowed: cast to a float first, tf.cast(x, tf.float32).",
        )
    if y.ndim == 0 and y.dtype.kind == "f" and y.item() == 2:
        # Faster, and the same digits whatever the C library's pow does.
        return xp.multiply(x, x)
    return xp.power(x, y)


def _one_power_less(x, y):
    """`x ** (y - 1)`; a plain number as the power, which no tape has seen, is lowered at once."""
    if type(y) is EagerTensor and y._key == 0 and y._array.ndim == 0:
        power = y._array
        return x if power == 2 else pow_(x, EagerTensor(np.asarray(power - power.dtype.type(1))))
    from .create import ones_like

    return pow_(x, subtract(y, ones_like(y)))


@pow_.vjp
def pow_vjp(dy, z, x, y, needs):
    first = second = None
    if needs[0]:
        first = multiply(dy, _conj(multiply(y, _one_power_less(x, y))))
    if needs[1]:
        from .compare import greater, not_equal
        from .create import ones_like, zeros_like
        from .exponential import log
        from .select import where

        good = not_equal(x, zeros_like(x)) if x.dtype.kind == "c" else greater(x, zeros_like(x))
        safe = where(good, x, ones_like(x))
        second = multiply(dy, _conj(multiply(z, where(good, log(safe), zeros_like(x)))))
    return first, second


@pow_.vjp_of_arrays
def pow_arrays(dy, _z, x, y, needs):
    x, y = x._array, y._array
    if needs[1]:
        return NotImplemented
    less = x if y.ndim == 0 and y.item() == 2 else np.power(x, np.subtract(y, number(1, y.dtype)))
    return np.multiply(dy, np.multiply(y, less)), None


@elementwise(kinds=REALS, domain=(-3, 3), label="Abs")
def real_abs(xp, x):
    """Absolute value of a real tensor, element by element.

    Args:
        x: Real tensor.

    Returns:
        Tensor of the shape and dtype of `x`. Its gradient at 0 is 0.

    >>> real_abs([-1.0, 2.0]).numpy()
    array([1., 2.], dtype=float32)
    """
    return xp.absolute(x)


@real_abs.vjp
def real_abs_vjp(dy, _y, x):
    return multiply(dy, sign(x))


@elementwise(kinds=NUMBERS, domain=(0.3, 3))
def sign(xp, x):
    """-1, 0 or 1 by the sign of each element (x / |x| for complex ones).

    Args:
        x: Tensor of numbers.

    Returns:
        Tensor of the shape and dtype of `x`. Its gradient is zero for real numbers.

    >>> sign([-2.0, 0.0, 3.0]).numpy()
    array([-1.,  0.,  1.], dtype=float32)
    """
    if x.dtype.kind == "c":
        size = xp.absolute(x)
        return xp.where(size == 0, 0, x / xp.where(size == 0, 1, size)).astype(x.dtype)
    return xp.sign(x)


@sign.vjp
def sign_vjp(dy, y, x):
    from .create import zeros_like

    return _turn(dy, y, x) if x.dtype.kind == "c" else zeros_like(dy)


def _turn(dy, y, x):
    """Only the part of `dy` across the direction of `x` turns it, the more the smaller `x` is."""
    from .complexes import complex_abs, real_part
    from .create import cast

    along = cast(real_part(multiply(conj(y), dy)), x.dtype)
    across = subtract(dy, multiply(y, along))
    return divide_no_nan(across, cast(complex_abs(x), x.dtype))


@elementwise(label="DivNoNan", kinds="fc", domain=(0.5, 3))
def divide_no_nan(xp, x, y):
    """Quotient, element by element, that is 0 where the divisor is 0.

    Args:
        x: Floating or complex tensor.
        y: Tensor of the same dtype; shapes broadcast.

    Returns:
        Tensor of the common dtype and the broadcast shape.

    >>> divide_no_nan([1.0, 2.0], [0.0, 4.0]).numpy()
    array([0. , 0.5], dtype=float32)
    """
    zero = y == 0
    return xp.where(
        zero, xp.zeros((), x.dtype), xp.divide(x, xp.where(zero, xp.ones((), y.dtype), y))
    )


@divide_no_nan.vjp
def divide_no_nan_vjp(dy, z, _x, y, needs):
    y = _conj(y)
    return (
        divide_no_nan(dy, y) if needs[0] else None,
        divide_no_nan(multiply(dy, negative(_conj(z))), y) if needs[1] else None,
    )
