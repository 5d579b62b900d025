"""Linear equations, inverses and determinants."""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from ..base import errors
from ..base.shapes import TensorShape, TensorSpec, broadcast_shapes
from ..core.op import op
from .arithmetic import _conj, multiply, negative
from .complexes import complex_of, imaginary_part, real_part
from .linalg import matmul_op
from .matrix import adjoint, band_part_op
from .shape import expand_dims
from .sum_to import sum_to_like

LogMatrixDeterminant = namedtuple("LogMatrixDeterminant", ("sign", "log_abs_determinant"))


def _matrices(x, name, square_ones=True):
    if x.ndim < 2:
        raise errors.shape_error(
            name, f"the input must have rank 2 at least, got shape {list(x.shape)}."
        )
    if square_ones and x.shape[-1] != x.shape[-2]:
        raise errors.shape_error(name, f"Input matrix must be square, got shape {list(x.shape)}.")


def _computed(function, name, problem, *args, **kwargs):
    """A function of numpy.linalg, whose failures become errors that name the op."""
    try:
        return function(*args, **kwargs)
    except np.linalg.LinAlgError as error:
        raise errors.value_error(name, f"{problem} ({error})") from None


def _times(*factors):
    """Product of matrices, left to right."""
    made = factors[0]
    for factor in factors[1:]:
        made = matmul_op(made, factor)
    return made


def _well_conditioned(rng, *shape):
    n = shape[-1]
    return rng.normal(size=shape) + 3 * np.eye(n)


def _positive(rng, *shape):
    a = rng.normal(size=shape)
    return a @ np.swapaxes(a, -1, -2) + 2 * np.eye(shape[-1])


# ------------------------------------------------------------------------------------------- inverse and determinant


@op(kinds="fc", label="MatrixInverse", tolerance=1e-4)
def matrix_inverse_op(xp, input, *, adjoint: bool = False):
    """Inverse of square matrices.

    Args:
        input: Floating or complex tensor [..., n, n].
        adjoint: Whether to give the inverse of the conjugate transpose.

    Returns:
        Tensor of the same shape and dtype.

    Raises:
        InvalidArgumentError: If a matrix is singular or not square.

    >>> matrix_inverse_op([[2.0, 0.0], [0.0, 4.0]]).numpy()
    array([[0.5 , 0.  ],
           [0.  , 0.25]], dtype=float32)
    """
    _matrices(input, "MatrixInverse")
    source = np.conjugate(np.swapaxes(input, -1, -2)) if adjoint else input
    return _computed(np.linalg.inv, "MatrixInverse", "Input is not invertible.", source)


@matrix_inverse_op.vjp
def matrix_inverse_vjp(dy, y, _x, *, adjoint):
    turned = _adjoint(y)
    made = negative(_times(turned, dy, turned))
    return _adjoint(made) if adjoint else made


def _adjoint(x):
    return adjoint(x)


def _square_rule(input, **attrs):
    return input


matrix_inverse_op.shape_rule(_square_rule)


@matrix_inverse_op.samples
def matrix_inverse_samples(rng):
    yield (_well_conditioned(rng, 3, 3),), {}
    yield (_well_conditioned(rng, 2, 2, 2),), {"adjoint": True}
    yield (_well_conditioned(rng, 2, 2) + 1j * rng.normal(size=(2, 2)),), {}


def inv(input, adjoint=False, name=None):
    """Inverse of square matrices.

    Args:
        input: Floating or complex tensor [..., n, n].
        adjoint: Whether to give the inverse of the conjugate transpose.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the same shape and dtype.

    Raises:
        InvalidArgumentError: If a matrix is singular or not square.

    >>> inv([[2.0, 0.0], [0.0, 4.0]]).numpy()
    array([[0.5 , 0.  ],
           [0.  , 0.25]], dtype=float32)
    """
    return matrix_inverse_op(input, adjoint=adjoint)


@op(kinds="fc", label="MatrixDeterminant", tolerance=1e-4)
def det(xp, input):
    """Determinant of square matrices.

    Args:
        input: Floating or complex tensor [..., n, n].

    Returns:
        Tensor [...].

    Raises:
        InvalidArgumentError: If the matrices are not square.

    >>> det([[2.0, 1.0], [1.0, 4.0]]).numpy().round(4)
    np.float32(7.0)
    """
    _matrices(input, "MatrixDeterminant")
    return np.asarray(np.linalg.det(input)).astype(input.dtype)


@det.vjp
def det_vjp(dy, y, x):
    scale = expand_dims(expand_dims(multiply(dy, _conj(y)), -1), -1)
    return multiply(scale, matrix_inverse_op(x, adjoint=True))


@det.shape_rule
def det_rule(input):
    return TensorSpec(None if input.shape.rank is None else input.shape[:-2], input.dtype)


@det.samples
def det_samples(rng):
    yield (_well_conditioned(rng, 3, 3),), {}
    yield (_well_conditioned(rng, 2, 2, 2) + 1j * rng.normal(size=(2, 2, 2)),), {}


@op(kinds="fc", outputs=2, label="LogMatrixDeterminant", tolerance=1e-4)
def slogdet_op(xp, input):
    """Sign and logarithm of the absolute value of the determinant of square matrices.

    Args:
        input: Floating or complex tensor [..., n, n].

    Returns:
        List of two tensors [...]: sign (of the input's dtype) and logarithm (as complex number for complex input).

    >>> [float(t) for t in slogdet_op([[1.0, 0.0], [0.0, -1.0]])]
    [-1.0, 0.0]
    """
    _matrices(input, "LogMatrixDeterminant")
    sign, size = np.linalg.slogdet(input)
    return np.asarray(sign).astype(input.dtype), np.asarray(size).astype(input.dtype)


@slogdet_op.vjp
def slogdet_vjp(dy, y, x):
    sign, _ = y
    scale = dy[1]
    if x.dtype.is_complex:
        turn = imaginary_part(multiply(_conj(sign), dy[0]))
        scale = complex_of(real_part(dy[1]), turn)
    return multiply(expand_dims(expand_dims(scale, -1), -1), matrix_inverse_op(x, adjoint=True))


@slogdet_op.shape_rule
def slogdet_rule(input):
    shape = None if input.shape.rank is None else input.shape[:-2]
    return TensorSpec(shape, input.dtype), TensorSpec(shape, input.dtype)


@slogdet_op.samples
def slogdet_samples(rng):
    yield (_well_conditioned(rng, 3, 3),), {}
    yield (_well_conditioned(rng, 2, 2, 2) + 1j * rng.normal(size=(2, 2, 2)),), {}


def slogdet(input, name=None):
    """Sign and logarithm of the absolute value of the determinant of square matrices.

    Args:
        input: Floating or complex tensor [..., n, n].
        name: Accepted for TensorFlow's sake.

    Returns:
        Named tuple (sign, log_abs_determinant) of tensors [...].

    >>> slogdet([[1.0, 0.0], [0.0, -1.0]]).sign.numpy()
    np.float32(-1.0)
    """
    return LogMatrixDeterminant(*slogdet_op(input))


# ------------------------------------------------------------------------------------------------------- equations


@op(kinds="fc", label="MatrixSolve", tolerance=1e-4)
def solve_op(xp, matrix, rhs, *, adjoint: bool = False):
    """Solves `matrix @ x = rhs`.

    Args:
        matrix: Floating or complex tensor [..., n, n].
        rhs: Tensor [..., n, k] of the same dtype; leading axes broadcast.
        adjoint: Whether to solve with the conjugate transpose of `matrix`.

    Returns:
        Tensor [..., n, k].

    Raises:
        InvalidArgumentError: If a matrix is singular, or the shapes do not fit.

    >>> solve_op([[2.0, 0.0], [0.0, 4.0]], [[2.0], [2.0]]).numpy()
    array([[1. ],
           [0.5]], dtype=float32)
    """
    _matrices(matrix, "MatrixSolve")
    _right_side(matrix, rhs, "MatrixSolve")
    a = np.conjugate(np.swapaxes(matrix, -1, -2)) if adjoint else matrix
    return _computed(np.linalg.solve, "MatrixSolve", "Input matrix is not invertible.", a, rhs)


def _right_side(matrix, rhs, name):
    if rhs.ndim < 2 or rhs.shape[-2] != matrix.shape[-1]:
        raise errors.shape_error(
            name,
            f"rhs must be [..., {matrix.shape[-1]}, k] for a matrix {list(matrix.shape)}, got {list(rhs.shape)}.",
        )


@solve_op.vjp
def solve_vjp(dy, y, matrix, _rhs, *, adjoint, needs):
    back = solve_op(matrix, dy, adjoint=not adjoint)
    first = None
    if needs[0]:
        product = _times(y, _adjoint(back)) if adjoint else _times(back, _adjoint(y))
        first = sum_to_like(negative(product), matrix)
    return first, sum_to_like(back, _rhs) if needs[1] else None


def _solve_rule(matrix, rhs, **attrs):
    if matrix.shape.rank is None or rhs.shape.rank is None:
        return TensorSpec(None, rhs.dtype)
    batch = broadcast_shapes(TensorShape(matrix.shape[:-2]), TensorShape(rhs.shape[:-2]))
    return TensorSpec([*batch, matrix.shape[-1], rhs.shape[-1]], rhs.dtype)


solve_op.shape_rule(_solve_rule)


@solve_op.samples
def solve_samples(rng):
    yield (_well_conditioned(rng, 3, 3), rng.normal(size=(3, 2))), {}
    yield (_well_conditioned(rng, 2, 2, 2), rng.normal(size=(2, 2, 1))), {"adjoint": True}
    yield (_well_conditioned(rng, 2, 2), rng.normal(size=(3, 2, 1))), {}
    yield (_well_conditioned(rng, 2, 2) + 0.5j, rng.normal(size=(2, 1)) - 1j), {"adjoint": True}


def solve(matrix, rhs, adjoint=False, name=None):
    """Solves systems of linear equations `matrix @ x = rhs`.

    Args:
        matrix: Floating or complex tensor [..., n, n].
        rhs: Tensor [..., n, k] of the same dtype.
        adjoint: Whether to solve with the conjugate transpose of `matrix`.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [..., n, k].

    Raises:
        InvalidArgumentError: If a matrix is singular, or the shapes do not fit.

    >>> solve([[2.0, 0.0], [0.0, 4.0]], [[2.0], [2.0]]).numpy()
    array([[1. ],
           [0.5]], dtype=float32)
    """
    return solve_op(matrix, rhs, adjoint=adjoint)


#: Rows that are solved at once; the rest of a triangle is products of matrices.
PANEL = 64


def _substitute(a, b, lower):
    """Blocks of rows one after the other: a small solve, then a product."""
    n = a.shape[-1]
    shape = (*np.broadcast_shapes(a.shape[:-2], b.shape[:-2]), *b.shape[-2:])
    out = np.array(np.broadcast_to(b, shape))
    starts = range(0, n, PANEL) if lower else range((n - 1) // PANEL * PANEL, -1, -PANEL)
    for start in starts:
        end = min(start + PANEL, n)
        block = (np.tril if lower else np.triu)(a[..., start:end, start:end])
        try:
            out[..., start:end, :] = np.linalg.solve(block, out[..., start:end, :])
        except np.linalg.LinAlgError:
            _divide_rows(block, out[..., start:end, :], lower)
        rest = slice(end, n) if lower else slice(0, start)
        out[..., rest, :] -= a[..., rest, start:end] @ out[..., start:end, :]
    return out


def _divide_rows(a, x, lower):
    """Substitution row by row, in place, where a 0 on the diagonal gives infinities as any division by 0 does."""
    n = a.shape[-1]
    with np.errstate(all="ignore"):
        for i in range(n) if lower else reversed(range(n)):
            known = slice(0, i) if lower else slice(i + 1, n)
            row = x[..., i, :] - (a[..., i, None, known] @ x[..., known, :])[..., 0, :]
            x[..., i, :] = row / a[..., i, i, None]


@op(kinds="fc", label="MatrixTriangularSolve", tolerance=1e-4)
def triangular_solve_op(xp, matrix, rhs, *, lower: bool = True, adjoint: bool = False):
    """Solves `matrix @ x = rhs` where only one triangle of `matrix` is read.

    Args:
        matrix: Floating or complex tensor [..., n, n].
        rhs: Tensor [..., n, k] of the same dtype; leading axes broadcast.
        lower: Whether the lower triangle is read (else the upper one).
        adjoint: Whether to solve with the conjugate transpose of that triangle.

    Returns:
        Tensor [..., n, k].

    Raises:
        InvalidArgumentError: If the shapes do not fit.

    >>> triangular_solve_op([[2.0, 9.0], [0.0, 4.0]], [[2.0], [2.0]]).numpy()
    array([[1. ],
           [0.5]], dtype=float32)
    """
    _matrices(matrix, "MatrixTriangularSolve")
    _right_side(matrix, rhs, "MatrixTriangularSolve")
    a = np.conjugate(np.swapaxes(matrix, -1, -2)) if adjoint else matrix
    return _substitute(a, rhs, lower != adjoint)


@triangular_solve_op.vjp
def triangular_solve_vjp(dy, y, matrix, _rhs, *, lower, adjoint, needs):
    back = triangular_solve_op(matrix, dy, lower=lower, adjoint=not adjoint)
    first = None
    if needs[0]:
        product = _times(y, _adjoint(back)) if adjoint else _times(back, _adjoint(y))
        ends = (-1, 0) if lower else (0, -1)
        product = band_part_op(negative(product), lower=ends[0], upper=ends[1])
        first = sum_to_like(product, matrix)
    return first, sum_to_like(back, _rhs) if needs[1] else None


triangular_solve_op.shape_rule(_solve_rule)


@triangular_solve_op.samples
def triangular_solve_samples(rng):
    yield (_well_conditioned(rng, 3, 3), rng.normal(size=(3, 2))), {}
    yield (_well_conditioned(rng, 2, 3, 3), rng.normal(size=(3, 1))), {"lower": False}
    yield (_well_conditioned(rng, 2, 2) + 0.5j, rng.normal(size=(2, 1)) - 1j), {"adjoint": True}
    yield (_well_conditioned(rng, 3, 3), rng.normal(size=(3, 1))), {"lower": False, "adjoint": True}


def triangular_solve(matrix, rhs, lower=True, adjoint=False, name=None):
    """Solves `matrix @ x = rhs` where only one triangle of `matrix` is read.

    Args:
        matrix: Floating or complex tensor [..., n, n].
        rhs: Tensor [..., n, k] of the same dtype.
        lower: Whether the lower triangle is read (default; else the upper one).
        adjoint: Whether to solve with the conjugate transpose of that triangle.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [..., n, k].

    Raises:
        InvalidArgumentError: If the shapes do not fit.

    >>> triangular_solve([[2.0, 9.0], [0.0, 4.0]], [[2.0], [2.0]]).numpy()
    array([[1. ],
           [0.5]], dtype=float32)
    """
    return triangular_solve_op(matrix, rhs, lower=lower, adjoint=adjoint)
