"""Complex numbers: parts, size and angle."""

from __future__ import annotations

from ..core.op import elementwise
from ..core.tensor import convert
from .arithmetic import multiply, real_abs
from .create import cast


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
    from .arithmetic import sign

    return multiply(cast(dy, x.dtype), sign(x))


@complex_abs.samples
def complex_abs_samples(rng):
    yield (rng.normal(size=(2, 3)) + 1j * rng.normal(size=(2, 3)),), {}


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
