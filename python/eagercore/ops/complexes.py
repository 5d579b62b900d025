"""Complex numbers: parts, size and angle."""

from __future__ import annotations

import numpy as np

from ..base import dtypes, errors
from ..core.op import elementwise
from ..core.tensor import Tensor, convert
from .arithmetic import multiply, negative, real_abs, sign
from .create import cast, zeros_like


@elementwise(kinds="c", label="ComplexAbs")
def complex_abs(xp, x):
    """Size of each complex number.

    Args:
        x: Complex tensor.

    Returns:
        Real tensor of the shape of `x`. Its gradient at 0 is 0.

    >>> complex_abs([3 + 4j]).numpy()
    array([5.])
    """
    return xp.absolute(x)


@complex_abs.vjp
def complex_abs_vjp(dy, _y, x):
    return multiply(cast(dy, x.dtype), sign(x))


@elementwise(kinds="c", label="Real")
def real_part(xp, input):
    """Real part of each complex number.

    Args:
        input: Complex tensor.

    Returns:
        Real tensor of the shape of `input`.

    >>> real_part([1 + 2j]).numpy()
    array([1.])
    """
    return xp.real(input)


@real_part.vjp
def real_part_vjp(dy, _y, _x):
    return complex_of(dy, zeros_like(dy))


@elementwise(kinds="c", label="Imag")
def imaginary_part(xp, input):
    """Imaginary part of each complex number.

    Args:
        input: Complex tensor.

    Returns:
        Real tensor of the shape of `input`.

    >>> imaginary_part([1 + 2j]).numpy()
    array([2.])
    """
    return xp.imag(input)


@imaginary_part.vjp
def imaginary_part_vjp(dy, _y, _x):
    return complex_of(zeros_like(dy), dy)


@elementwise(kinds="f", label="Complex", domain=(-3, 3))
def complex_of(xp, real, imag):
    """Complex numbers from their parts.

    Args:
        real: float32 or float64 tensor.
        imag: Tensor of the same dtype; shapes broadcast.

    Returns:
        complex64 or complex128 tensor of the broadcast shape.

    >>> complex_of([1.0], [2.0]).numpy()
    array([1.+2.j], dtype=complex64)
    """
    kind = "complex128" if real.dtype == "float64" else "complex64"
    if xp is not np:
        return xp.lax.complex(*xp.broadcast_arrays(real, imag))
    # Not real + 1j * imag: that is NaN in both parts where one is not finite.
    made = np.empty(np.broadcast(real, imag).shape, kind)
    made.real, made.imag = real, imag
    return made


@complex_of.vjp
def complex_of_vjp(dy, _z, _x, _y):
    return cast(real_part(dy), _x.dtype), cast(imaginary_part(dy), _y.dtype)


@elementwise(kinds="c", label="Angle", domain=(0.5, 2))
def complex_angle(xp, input):
    """Angle of each complex number, in (-pi, pi].

    Args:
        input: Complex tensor.

    Returns:
        Real tensor of the shape of `input`.

    >>> complex_angle([1j]).numpy().round(4)
    array([1.5708])
    """
    return xp.angle(input)


@complex_angle.vjp
def complex_angle_vjp(dy, _y, x):
    from .arithmetic import real_divide

    # d angle = (re dim - im dre) / |z|^2
    x_re, x_im = real_part(x), imaginary_part(x)
    size = multiply(x_re, x_re) + multiply(x_im, x_im)
    return complex_of(
        real_divide(multiply(dy, negative(x_im)), size), real_divide(multiply(dy, x_re), size)
    )


def abs(x, name=None):
    """Absolute value, element by element: size for complex numbers.

    Args:
        x: Tensor of numbers.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape of `x`; real for complex `x`. The gradient at 0 is 0.

    Raises:
        InvalidArgumentError: If `x` is boolean.

    >>> abs([-1.0, 2.0]).numpy()
    array([1., 2.], dtype=float32)
    """
    x = convert(x)
    return complex_abs(x) if x.dtype.is_complex else real_abs(x)


def real(input, name=None):
    """Real part of each number (real tensors are given back).

    Args:
        input: Tensor of numbers.
        name: Accepted for TensorFlow's sake.

    Returns:
        Real tensor of the shape of `input`.

    >>> real([1 + 2j, 3.0]).numpy()
    array([1., 3.])
    """
    input = convert(input)
    return real_part(input) if input.dtype.is_complex else input


def imag(input, name=None):
    """Imaginary part of each number (zero for real tensors).

    Args:
        input: Tensor of numbers.
        name: Accepted for TensorFlow's sake.

    Returns:
        Real tensor of the shape of `input`.

    >>> imag([1 + 2j, 3.0]).numpy()
    array([2., 0.])
    """
    input = convert(input)
    return imaginary_part(input) if input.dtype.is_complex else zeros_like(input)


def angle(input, name=None):
    """Angle of each number: 0 or pi for real ones.

    Args:
        input: Tensor of numbers.
        name: Accepted for TensorFlow's sake.

    Returns:
        Real tensor of the shape of `input`.

    >>> angle([1.0, -1.0]).numpy().round(4)
    array([0.    , 3.1416], dtype=float32)
    """
    from .select import where

    input = convert(input)
    if input.dtype.is_complex:
        return complex_angle(input)
    if not input.dtype.is_floating:
        raise errors.dtype_error(
            "Angle",
            f"angle takes floating or complex tensors, got {input.dtype.name}. Use tf.cast.",
        )
    return where(input < 0, zeros_like(input) + 3.141592653589793, zeros_like(input))


def complex(real, imag, name=None):
    """Complex numbers from their parts.

    Args:
        real: float32 or float64 tensor.
        imag: Tensor of the same dtype; shapes broadcast.
        name: Accepted for TensorFlow's sake.

    Returns:
        complex64 or complex128 tensor of the broadcast shape.

    Raises:
        TypeError: If the dtypes differ or are neither float32 nor float64.

    >>> complex(1.0, 2.0).numpy()
    np.complex64(1+2j)
    """
    real, imag = _parts(real, imag)
    if real.dtype not in (dtypes.float32, dtypes.float64) or real.dtype != imag.dtype:
        raise errors.dtype_error(
            "Complex",
            f"The real and imag components have incorrect types: {real.dtype.name} {imag.dtype.name}. "
            "They must be consistent, and one of tf.float32 and tf.float64.",
        )
    return complex_of(real, imag)


def _parts(real, imag):
    if isinstance(real, Tensor):
        return real, convert(imag, None if isinstance(imag, Tensor) else real.dtype)
    imag = convert(imag)
    return convert(real, imag.dtype), imag
