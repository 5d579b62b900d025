"""Functions of matrices: exponential, logarithm, square root, pseudo-inverse, least squares, bands."""

from __future__ import annotations

import numpy as np

from ..base import dtypes, errors
from ..core import coerce
from ..core.op import op
from ..core.tensor import EagerTensor, convert
from .arithmetic import multiply
from .compare import greater
from .create import cast, constant, eye, shape_of, zeros_like
from .decompositions import cholesky, cholesky_solve, eigh, eigvalsh, svd, svd_op
from .linalg import matmul, matmul_op
from .linear_equations import (
    _adjoint,
    _computed,
    _matrices,
    _square_rule,
    solve_op,
    triangular_solve_op,
)
from .matrix import diag, diag_part, set_diag
from .reduce import reduce_max, reduce_sum
from .select import where
from .shape import concat, expand_dims
from .slicing import getitem

PADE_13 = (
    64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0, 129060195264000.0,
    10559470521600.0, 670442572800.0, 33522128640.0, 1323241920.0, 40840800.0, 960960.0, 16380.0, 182.0, 1.0,
)  # fmt: skip


def _frechet(function, x, dy):
    """What flows back through a function of matrices: its derivative at the adjoint, in the direction `dy`.

    The function of the block triangle [[A, E], [0, A]] holds the derivative in the direction E above its diagonal.
    """
    a = _adjoint(x)
    n = shape_of(a)[-1]
    top, bottom = concat([a, dy], axis=-1), concat([zeros_like(a), a], axis=-1)
    made = function(concat([top, bottom], axis=-2))
    return getitem(made, (..., slice(None, n), slice(n, None)))


def _exponential(a):
    """Padé's approximant of order 13, scaled and squared."""
    n = a.shape[-1]
    norm = np.abs(a).sum(axis=-2).max(axis=-1, initial=0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        doublings = np.ceil(np.log2(norm / 4.25))
    doublings = np.where(np.isfinite(doublings), np.clip(doublings, 0, 1000), 0).astype(int)
    a = a / (2.0 ** doublings[..., None, None])
    one = np.eye(n)
    a2 = a @ a
    a4 = a2 @ a2
    a6 = a4 @ a2
    b = PADE_13
    odd = a @ (
        a6 @ (b[13] * a6 + b[11] * a4 + b[9] * a2) + b[7] * a6 + b[5] * a4 + b[3] * a2 + b[1] * one
    )
    even = (
        a6 @ (b[12] * a6 + b[10] * a4 + b[8] * a2) + b[6] * a6 + b[4] * a4 + b[2] * a2 + b[0] * one
    )
    made = np.linalg.solve(even - odd, even + odd)
    for step in range(int(doublings.max(initial=0))):
        made = np.where((step < doublings)[..., None, None], made @ made, made)
    return made


def _root(a):
    """Principal square root by Denman and Beavers' iteration, scaled by the determinant."""
    n = a.shape[-1]
    y, z = a, np.broadcast_to(np.eye(n, dtype=a.dtype), a.shape)
    for step in range(60):
        inverse_y, inverse_z = np.linalg.inv(y), np.linalg.inv(z)
        if step < 8 and n:
            size = np.abs(np.linalg.det(y)) * np.abs(np.linalg.det(z))
            with np.errstate(all="ignore"):
                scale = size ** (-1 / (2 * n))
            scale = np.where(np.isfinite(scale) & (scale > 0), scale, 1.0)[..., None, None]
        else:
            scale = 1.0
        new = (scale * y + inverse_z / scale) / 2
        z = (scale * z + inverse_y / scale) / 2
        change = np.abs(new - y).max(initial=0.0)
        y = new
        if not change > 1e-14 * np.abs(y).max(initial=1.0):
            break
    return y


def _logarithm(a):
    """Square roots until the matrix is near one, then Gauss and Legendre's rule for the integral."""
    n = a.shape[-1]
    one = np.eye(n)
    halvings = 0
    while halvings < 60 and np.abs(a - one).sum(axis=-2).max(initial=0.0) > 0.25:
        a = _root(a)
        halvings += 1
    nodes, weights = np.polynomial.legendre.leggauss(10)
    x = a - one
    made = np.zeros_like(a)
    for node, weight in zip((nodes + 1) / 2, weights / 2, strict=True):
        made = made + weight * np.linalg.solve(one + node * x, x)
    return made * 2.0**halvings


def _in_double(function, x, name, problem):
    """Computed in double precision."""
    wide = x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)
    return _computed(function, name, problem, wide).astype(x.dtype)


def _off_the_cut(iteration, scalar):
    """`iteration`, or for eigenvalues on the negative real axis, where it fails, `scalar` of the eigenvalues."""

    def function(a):
        values, vectors = np.linalg.eig(a)
        if not ((values.real < 0) & (np.abs(values.imag) < 1e-9 * np.abs(values.real))).any():
            return iteration(a)
        made = (vectors * scalar(values.astype(complex))[..., None, :]) @ np.linalg.inv(vectors)
        # A real matrix with such eigenvalues has no real result.
        return made if a.dtype.kind == "c" else np.full_like(a, np.nan)

    return function


@op(kinds="fc", label="MatrixExponential", tolerance=1e-4)
def matrix_exponential(xp, input):
    """Exponential of square matrices.

    Args:
        input: Floating or complex tensor [..., n, n].

    Returns:
        Tensor of the same shape and dtype.

    >>> matrix_exponential([[0.0, 0.0], [0.0, 1.0]]).numpy()
    array([[1.       , 0.       ],
           [0.       , 2.7182817]], dtype=float32)
    """
    _matrices(input, "MatrixExponential")
    return _in_double(_exponential, input, "MatrixExponential", "The input may hold nan or inf.")


@matrix_exponential.vjp
def matrix_exponential_vjp(dy, _y, x):
    return _frechet(matrix_exponential, x, dy)


@matrix_exponential.samples
def matrix_exponential_samples(rng):
    yield (rng.normal(size=(3, 3)),), {}
    yield (rng.normal(size=(2, 2, 2)) + 1j * rng.normal(size=(2, 2, 2)),), {}


@op(kinds="fc", label="MatrixLogarithm", tolerance=1e-4)
def matrix_logarithm(xp, input):
    """Principal logarithm of square matrices.

    Args:
        input: Complex (or floating, where the logarithm is real) tensor [..., n, n] without eigenvalues on
            the negative real axis.

    Returns:
        Tensor of the same shape and dtype.

    >>> matrix_logarithm([[1.0 + 0j, 0.0], [0.0, 1.0]]).numpy()
    array([[0.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    _matrices(input, "MatrixLogarithm")
    return _in_double(
        _off_the_cut(_logarithm, np.log), input, "MatrixLogarithm", "Input is not invertible."
    )


@matrix_logarithm.vjp
def matrix_logarithm_vjp(dy, _y, x):
    return _frechet(matrix_logarithm, x, dy)


@op(kinds="fc", label="MatrixSquareRoot", tolerance=1e-4)
def matrix_square_root(xp, input):
    """Principal square root of square matrices.

    Args:
        input: Floating or complex tensor [..., n, n], without eigenvalues on the negative real axis.

    Returns:
        Tensor of the same shape and dtype.

    >>> matrix_square_root([[4.0, 0.0], [0.0, 9.0]]).numpy()
    array([[2., 0.],
           [0., 3.]], dtype=float32)
    """
    _matrices(input, "MatrixSquareRoot")
    return _in_double(
        _off_the_cut(_root, np.sqrt), input, "MatrixSquareRoot", "Input is not invertible."
    )


@matrix_square_root.vjp
def matrix_square_root_vjp(dy, _y, x):
    return _frechet(matrix_square_root, x, dy)


def _near_identity(rng):
    yield (rng.normal(size=(3, 3)) * 0.3 + 2 * np.eye(3),), {}
    yield (
        (0.3 * rng.normal(size=(2, 2, 2)) + 0.3j * rng.normal(size=(2, 2, 2)) + 2 * np.eye(2),),
        {},
    )


for _op in (matrix_exponential, matrix_logarithm, matrix_square_root):
    _op.shape_rule(_square_rule)
for _op in (matrix_logarithm, matrix_square_root):
    _op.samples(_near_identity)


def expm(input, name=None):
    """Exponential of square matrices.

    Args:
        input: Floating or complex tensor [..., n, n].
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the same shape and dtype.

    >>> expm([[0.0, 0.0], [0.0, 1.0]]).numpy()
    array([[1.       , 0.       ],
           [0.       , 2.7182817]], dtype=float32)
    """
    return matrix_exponential(input)


def logm(input, name=None):
    """Principal logarithm of square matrices.

    Args:
        input: Complex (or floating, where the logarithm is real) tensor [..., n, n] without eigenvalues on
            the negative real axis.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the same shape and dtype.

    >>> logm([[1.0 + 0j, 0.0], [0.0, 1.0]]).shape
    TensorShape([2, 2])
    """
    return matrix_logarithm(input)


def sqrtm(input, name=None):
    """Principal square root of square matrices.

    Args:
        input: Floating or complex tensor [..., n, n], without eigenvalues on the negative real axis.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the same shape and dtype.

    >>> sqrtm([[4.0, 0.0], [0.0, 9.0]]).numpy()
    array([[2., 0.],
           [0., 3.]], dtype=float32)
    """
    return matrix_square_root(input)


def pinv(a, rcond=None, validate_args=False, name=None):
    """Moore and Penrose's pseudo-inverse.

    Args:
        a: Floating tensor [..., m, n].
        rcond: Singular values below this part of the largest one count as 0; default 10 * max(m, n) * eps.
        validate_args: Accepted for TensorFlow's sake.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [..., n, m].

    >>> pinv([[2.0, 0.0], [0.0, 0.0]]).numpy()
    array([[0.5, 0. ],
           [0. , 0. ]], dtype=float32)
    """
    from .arithmetic import divide_no_nan

    a = convert(a)
    rows, columns = a.shape[-2:]
    if rcond is None:
        rcond = 10.0 * max(rows, columns) * float(np.finfo(a.dtype.real_dtype._numpy()).eps)
    s, u, v = svd_op(a)
    bound = cast(convert(rcond), s.dtype) * reduce_max(s, axis=-1, keepdims=True)
    kept = where(greater(s, bound), s, zeros_like(s))
    inverse = divide_no_nan(constant(1, s.dtype), kept)
    scaled = multiply(v, cast(expand_dims(inverse, -2), v.dtype))
    return matmul(scaled, u, adjoint_b=True)


def matrix_rank(a, tol=None, validate_args=False, name=None):
    """Number of singular values above a bound.

    Args:
        a: Floating tensor [..., m, n].
        tol: Bound; default max(m, n) * largest singular value * eps.
        validate_args: Accepted for TensorFlow's sake.
        name: Accepted for TensorFlow's sake.

    Returns:
        int32 tensor [...].

    >>> matrix_rank([[1.0, 2.0], [2.0, 4.0]]).numpy()
    np.int32(1)
    """
    a = convert(a)
    s = svd(a, compute_uv=False)
    if tol is None:
        eps = float(np.finfo(s.dtype._numpy()).eps)
        tol = reduce_max(s, axis=-1, keepdims=True) * (max(a.shape[-2:]) * eps)
    return reduce_sum(cast(s > tol, dtypes.int32), axis=-1)


def lstsq(matrix, rhs, l2_regularizer=0.0, fast=True, name=None):
    """Least squares: the x for which `|matrix @ x - rhs|` (plus a multiple of `|x|`) is least.

    Args:
        matrix: Floating or complex tensor [..., m, n].
        rhs: Tensor [..., m, k] of the same dtype.
        l2_regularizer: Weight of the squared length of x. Default 0.
        fast: Whether to solve the normal equations (matrices of full rank), else by singular values.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [..., n, k]: for fewer rows than columns, the shortest solution.

    Raises:
        InvalidArgumentError: If `fast` and the matrix has not full rank.

    >>> lstsq([[1.0], [1.0]], [[1.0], [3.0]]).numpy()
    array([[2.]], dtype=float32)
    """
    matrix = convert(matrix)
    rhs = rhs if hasattr(rhs, "_key") else convert(rhs, matrix.dtype)
    if not fast:
        return matmul(pinv(matrix), rhs)
    rows, columns = matrix.shape[-2:]
    weight = cast(convert(l2_regularizer), matrix.dtype)
    if rows >= columns:
        gram = matmul(matrix, matrix, adjoint_a=True) + weight * eye(columns, dtype=matrix.dtype)
        return cholesky_solve(cholesky(gram), matmul(matrix, rhs, adjoint_a=True))
    gram = matmul(matrix, matrix, adjoint_b=True) + weight * eye(rows, dtype=matrix.dtype)
    return matmul(matrix, cholesky_solve(cholesky(gram), rhs), adjoint_a=True)


# ------------------------------------------------------------------------------------------------------------- bands


def _tridiagonal(diagonals, diagonals_format, name):
    """The three diagonals [upper, main, lower], each [..., n], or the matrices themselves."""
    if diagonals_format == "matrix":
        return convert(diagonals)
    if diagonals_format == "sequence":
        upper, main, lower = (convert(d) for d in diagonals)
        n = main.shape[-1]
        if upper.shape[-1] == n - 1:
            zero = zeros_like(getitem(main, (..., slice(0, 1))))
            upper, lower = concat([upper, zero], axis=-1), concat([zero, lower], axis=-1)
    elif diagonals_format == "compact":
        diagonals = convert(diagonals)
        upper, main, lower = (diagonals[..., i, :] for i in range(3))
    else:
        raise ValueError(
            f"{name}: unrecognized diagonals_format {diagonals_format!r}: 'compact', 'matrix' or 'sequence'."
        )
    whole = diag(main)
    if main.shape[-1] > 1:
        whole = set_diag(whole, getitem(upper, (..., slice(None, -1))), k=1)
        whole = set_diag(whole, getitem(lower, (..., slice(1, None))), k=-1)
    return whole


def tridiagonal_solve(
    diagonals, rhs, diagonals_format="compact", transpose_rhs=False, conjugate_rhs=False, name=None,
    partial_pivoting=True, perturb_singular=False,
):  # fmt: skip
    """Solves systems of linear equations with three diagonals.

    Args:
        diagonals: Upper, main and lower diagonal: a tensor [..., 3, n] ("compact"), three tensors ("sequence"), or
            the matrices [..., n, n] ("matrix").
        rhs: Tensor [..., n] or [..., n, k].
        diagonals_format: "compact" (default), "sequence" or "matrix".
        transpose_rhs: Whether `rhs` is transposed first.
        conjugate_rhs: Whether `rhs` is conjugated first.
        name: Accepted for TensorFlow's sake.
        partial_pivoting: Accepted for TensorFlow's sake: rows are always exchanged where needed.
        perturb_singular: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the shape of `rhs`.

    >>> tridiagonal_solve([[0.0, 0.0], [2.0, 4.0], [0.0, 0.0]], [2.0, 2.0]).numpy()
    array([1. , 0.5], dtype=float32)
    """
    from .arithmetic import conj
    from .matrix import matrix_transpose
    from .shape import squeeze

    whole = _tridiagonal(diagonals, diagonals_format, "tridiagonal_solve")
    rhs = rhs if hasattr(rhs, "_key") else convert(rhs, whole.dtype)
    vector = rhs.shape.rank == whole.shape.rank - 1
    if vector:
        rhs = expand_dims(rhs, -1)
    elif transpose_rhs:
        rhs = matrix_transpose(rhs)
    if conjugate_rhs:
        rhs = conj(rhs)
    made = solve_op(whole, rhs)
    return squeeze(made, axis=-1) if vector else made


def tridiagonal_matmul(diagonals, rhs, diagonals_format="compact", name=None):
    """Product of matrices with three diagonals and matrices.

    Args:
        diagonals: Upper, main and lower diagonal: a tensor [..., 3, n] ("compact"), three tensors ("sequence"), or
            the matrices [..., n, n] ("matrix").
        rhs: Tensor [..., n, k].
        diagonals_format: "compact" (default), "sequence" or "matrix".
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [..., n, k].

    >>> tridiagonal_matmul([[1.0, 0.0], [2.0, 4.0], [0.0, 0.0]], [[1.0], [1.0]]).numpy()
    array([[3.],
           [4.]], dtype=float32)
    """
    whole = _tridiagonal(diagonals, diagonals_format, "tridiagonal_matmul")
    rhs = rhs if hasattr(rhs, "_key") else convert(rhs, whole.dtype)
    return matmul_op(whole, rhs)


def banded_triangular_solve(bands, rhs, lower=True, adjoint=False, name=None):
    """Solves systems of linear equations with triangles that have few diagonals.

    Args:
        bands: Tensor [..., k, n] of diagonals; for lower triangles the main one first, for upper ones last.
        rhs: Tensor [..., n, m].
        lower: Whether the triangles are lower ones.
        adjoint: Whether to solve with the conjugate transpose.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [..., n, m].

    >>> banded_triangular_solve([[2.0, 4.0]], [[2.0], [2.0]]).numpy()
    array([[1. ],
           [0.5]], dtype=float32)
    """
    bands = convert(bands)
    count, n = bands.shape[-2:]
    if count == 1:
        whole = diag(bands[..., 0, :])
    elif lower:
        whole = diag(bands, k=(1 - count, 0), num_rows=n, num_cols=n, align="RIGHT_RIGHT")
    else:
        whole = diag(bands, k=(0, count - 1), num_rows=n, num_cols=n, align="LEFT_LEFT")
    rhs = rhs if hasattr(rhs, "_key") else convert(rhs, bands.dtype)
    if isinstance(whole, EagerTensor) and not diag_part(whole)._array.all():
        raise errors.value_error("BandedTriangularSolve", "Input matrix is not invertible.")
    return triangular_solve_op(whole, rhs, lower=lower, adjoint=adjoint)


def eigh_tridiagonal(
    alpha, beta, eigvals_only=True, select="a", select_range=None, tol=None, name=None
):
    """Eigenvalues (and vectors) of symmetric (Hermitian) matrices with three diagonals.

    Args:
        alpha: Tensor [n]: the main diagonal.
        beta: Tensor [n - 1]: the diagonal above it.
        eigvals_only: Whether only the values are wanted. Default True.
        select: "a" (all), "v" (values in `select_range`) or "i" (numbers in `select_range`, both included).
        select_range: Pair of bounds for "v" and "i".
        tol: Accepted for TensorFlow's sake.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of values, smallest first; or a tuple (values, vectors in columns).

    Raises:
        ValueError: If `select` is unknown.

    >>> eigh_tridiagonal([2.0, 1.0], [0.0]).numpy()
    array([1., 2.], dtype=float32)
    """
    from .arithmetic import conj
    from .index import boolean_mask

    alpha, beta = convert(alpha), convert(beta)
    whole = set_diag(set_diag(diag(alpha), beta, k=1), conj(beta), k=-1)
    values, vectors = (eigvalsh(whole), None) if eigvals_only else eigh(whole)
    if select == "i":
        low, high = (coerce.as_int(v, "eigh_tridiagonal", "select_range") for v in select_range)
        values = values[low : high + 1]
        vectors = None if vectors is None else getitem(vectors, (..., slice(low, high + 1)))
    elif select == "v":
        from .compare import logical_and
        from .complexes import real

        plain = real(values)
        mask = logical_and(plain > select_range[0], plain <= select_range[1])
        values = boolean_mask(values, mask)
        vectors = None if vectors is None else boolean_mask(vectors, mask, axis=1)
    elif select != "a":
        raise ValueError(f"'select must have a value in {{'a', 'i', 'v'}}, got {select!r}.")
    return values if eigvals_only else (values, vectors)
