"""Matrices taken apart: Cholesky, QR, SVD, eigenvalues, LU."""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np

from ..base import dtypes, errors
from ..base.shapes import TensorSpec
from ..core.op import op
from ..core.tensor import convert
from .arithmetic import _conj, divide_no_nan, multiply, square, subtract
from .complexes import real, real_part
from .create import cast, eye, shape_of, zeros_like
from .exponential import log
from .linear_equations import (
    _adjoint,
    _computed,
    _matrices,
    _positive,
    _square_rule,
    _times,
    _well_conditioned,
    solve_op,
    triangular_solve_op,
)
from .matrix import band_part_op, diag, diag_part, set_diag
from .reduce import reduce_sum
from .shape import concat, expand_dims
from .slicing import getitem
from .sum_to import broadcast_to

Eig = namedtuple("Eig", ("e", "v"))
Lu = namedtuple("Lu", ("lu", "p"))
Qr = namedtuple("Qr", ("q", "r"))
Svd = namedtuple("Svd", ("s", "u", "v"))
# TensorFlow gives tuples without names here: these print as such.
Eig.__repr__ = Svd.__repr__ = tuple.__repr__


# --------------------------------------------------------------------------------------------------------- Cholesky


@op(kinds="fc", label="Cholesky", symmetric=True, tolerance=1e-4)
def cholesky(xp, input):
    """Cholesky factor of positive definite matrices: lower triangles L with `L @ adjoint(L) = input`.

    Args:
        input: Floating or complex tensor [..., n, n], symmetric (Hermitian) and positive definite; only the
            lower triangle is read.

    Returns:
        Tensor of the same shape and dtype. The gradient is symmetric.

    Raises:
        InvalidArgumentError: If a matrix is not positive definite or not square.

    >>> cholesky([[4.0, 2.0], [2.0, 2.0]]).numpy()
    array([[2., 0.],
           [1., 1.]], dtype=float32)
    """
    _matrices(input, "Cholesky")
    problem = (
        "Cholesky decomposition was not successful. The input might not be valid: "
        "a matrix is not positive definite. Add a small multiple of tf.eye(n) to its diagonal."
    )
    if input.dtype.kind in "fc" and not np.isfinite(input).all():
        raise errors.value_error("Cholesky", problem)
    return _computed(np.linalg.cholesky, "Cholesky", problem, input)


@cholesky.vjp
def cholesky_vjp(dy, y, _x):
    # phi(L^H dL): its lower triangle with the diagonal halved.
    middle = _times(_adjoint(y), dy)
    middle = band_part_op(set_diag(middle, multiply(diag_part(middle), 0.5)), lower=-1, upper=0)
    half = triangular_solve_op(y, middle, adjoint=True)
    whole = _adjoint(triangular_solve_op(y, _adjoint(half), adjoint=True))
    return multiply(whole + _adjoint(whole), 0.5)


cholesky.shape_rule(_square_rule)


@cholesky.samples
def cholesky_samples(rng):
    yield (_positive(rng, 3, 3),), {}
    yield (_positive(rng, 2, 2, 2),), {}
    a = rng.normal(size=(2, 2)) + 1j * rng.normal(size=(2, 2))
    yield (a @ np.conj(a.T) + np.eye(2),), {}


def cholesky_solve(chol, rhs, name=None):
    """Solves `A @ x = rhs` from the Cholesky factor of A.

    Args:
        chol: Tensor [..., n, n]: what `cholesky(A)` gave.
        rhs: Tensor [..., n, k] of the same dtype.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [..., n, k].

    >>> cholesky_solve(cholesky([[4.0, 0.0], [0.0, 2.0]]), [[4.0], [4.0]]).numpy().round(4)
    array([[1.],
           [2.]], dtype=float32)
    """
    return triangular_solve_op(chol, triangular_solve_op(chol, rhs), adjoint=True)


def logdet(matrix, name=None):
    """Logarithm of the determinant of positive definite matrices.

    Args:
        matrix: Floating or complex tensor [..., n, n], symmetric (Hermitian) and positive definite.
        name: Accepted for TensorFlow's sake.

    Returns:
        Real tensor [...].

    Raises:
        InvalidArgumentError: If a matrix is not positive definite.

    >>> logdet([[2.0, 0.0], [0.0, 2.0]]).numpy().round(4)
    np.float32(1.3863)
    """
    return multiply(reduce_sum(log(real(diag_part(cholesky(matrix)))), axis=-1), 2)


# --------------------------------------------------------------------------------------------------------------- QR


@op(kinds="fc", outputs=2, label="Qr", tolerance=1e-4)
def qr_op(xp, input, *, full_matrices: bool = False):
    """QR decomposition: orthonormal columns times an upper triangle.

    Args:
        input: Floating or complex tensor [..., m, n].
        full_matrices: Whether q is square.

    Returns:
        List of two tensors: q [..., m, min(m, n)] and r [..., min(m, n), n].

    >>> [t.shape.as_list() for t in qr_op([[1.0], [2.0]])]
    [[2, 1], [1, 1]]
    """
    _matrices(input, "Qr", square_ones=False)
    q, r = np.linalg.qr(input, mode="complete" if full_matrices else "reduced")
    return q, r


def _over_triangle(x, r):
    """`x @ inverse(adjoint(r))` for an upper triangle r."""
    return _adjoint(triangular_solve_op(r, _adjoint(x), lower=False))


def _qr_deep(q, r, dq, dr):
    inner = _times(_adjoint(q), dq)
    outer = _times(r, _adjoint(dr))
    lower = band_part_op(
        subtract(inner, _adjoint(inner)) + subtract(outer, _adjoint(outer)), lower=-1, upper=0
    )
    first = _times(q, dr + _over_triangle(lower, r))
    made = first + _over_triangle(subtract(dq, _times(q, inner)), r)
    if not q.dtype.is_complex:
        return made
    mixed = diag_part(subtract(outer, _adjoint(inner)))
    only = diag(subtract(mixed, cast(real_part(mixed), mixed.dtype)))
    return made + _over_triangle(_times(q, _adjoint(only)), r)


@qr_op.vjp
def qr_vjp(dy, y, x, *, full_matrices):
    (q, r), (dq, dr) = y, dy
    rows, columns = x.shape[-2:]
    known = rows is not None and columns is not None
    if full_matrices and known and rows > columns:
        raise errors.UnimplementedError(
            "The gradient of qr needs full_matrices=False when there are more rows than columns."
        )
    if known and rows >= columns:
        return _qr_deep(q, r, dq, dr)
    # For a deep matrix what follows is the same with an empty rest.
    rows = shape_of(x)[-2]
    part = (..., slice(None), slice(None, rows))
    rest = (..., slice(None), slice(rows, None))
    tail = getitem(x, rest)
    first = _qr_deep(
        q, getitem(r, part), dq + _times(tail, _adjoint(getitem(dr, rest))), getitem(dr, part)
    )
    return concat([first, _times(q, getitem(dr, rest))], axis=-1)


@qr_op.samples
def qr_samples(rng):
    yield (_well_conditioned(rng, 3, 3),), {}
    yield (rng.normal(size=(2, 4, 2)),), {}
    yield (rng.normal(size=(2, 4)),), {}


@qr_op.shape_rule
def qr_rule(input, *, full_matrices):
    if input.shape.rank is None:
        return TensorSpec(None, input.dtype), TensorSpec(None, input.dtype)
    *lead, m, n = input.shape
    k = m if full_matrices else _smaller(m, n)
    return TensorSpec([*lead, m, k], input.dtype), TensorSpec([*lead, k, n], input.dtype)


def _smaller(m, n):
    return None if m is None or n is None else min(m, n)


def qr(input, full_matrices=False, name=None):
    """QR decomposition of matrices: orthonormal columns times an upper triangle.

    Args:
        input: Floating or complex tensor [..., m, n].
        full_matrices: Whether q is square.
        name: Accepted for TensorFlow's sake.

    Returns:
        Named tuple (q, r): q [..., m, min(m, n)] and r [..., min(m, n), n].

    >>> qr([[1.0], [2.0]]).q.shape
    TensorShape([2, 1])
    """
    return Qr(*qr_op(input, full_matrices=full_matrices))


# -------------------------------------------------------------------------------------------------------------- SVD


@op(kinds="fc", outputs=3, label="Svd", tolerance=1e-4)
def svd_op(xp, tensor, *, full_matrices: bool = False):
    """Singular values and vectors: `tensor = u @ diag(s) @ adjoint(v)`.

    Args:
        tensor: Floating or complex tensor [..., m, n].
        full_matrices: Whether u and v are square.

    Returns:
        List of three tensors: s [..., k], u [..., m, k], v [..., n, k] with k = min(m, n).

    >>> [t.shape.as_list() for t in svd_op([[3.0], [4.0]])]
    [[1], [2, 1], [1, 1]]
    """
    _matrices(tensor, "Svd", square_ones=False)
    problem = "the singular value decomposition did not converge: the input may hold nan or inf."
    u, s, vh = _computed(np.linalg.svd, "Svd", problem, tensor, full_matrices=full_matrices)
    return s, u, np.conjugate(np.swapaxes(vh, -1, -2))


def _gaps(values):
    """`1 / (values[j] - values[i])`, 0 where they are equal."""
    return divide_no_nan(
        cast(1, values.dtype), subtract(expand_dims(values, -2), expand_dims(values, -1))
    )


@svd_op.vjp
def svd_vjp(dy, y, x, *, full_matrices, needs):
    (s, u, v), (ds, du, dv) = y, dy
    m, n = x.shape[-2:]
    if full_matrices and m != n:
        raise errors.UnimplementedError(
            "The gradient of svd needs full_matrices=False for matrices that are not square."
        )
    if x.dtype.is_complex:
        raise errors.UnimplementedError(
            "The gradient of svd with vectors is not defined for complex matrices: use compute_uv=False."
        )
    gaps = _gaps(square(s))
    row, inverse = expand_dims(s, -2), expand_dims(divide_no_nan(cast(1, s.dtype), s), -2)
    turn_u, turn_v = _times(_adjoint(u), du), _times(_adjoint(v), dv)
    # u (F * (u'du - du'u)) s + u s (F * (v'dv - dv'v)), both between u and v'.
    inner = multiply(multiply(gaps, subtract(turn_u, _adjoint(turn_u))), row)
    inner = inner + multiply(expand_dims(s, -1), multiply(gaps, subtract(turn_v, _adjoint(turn_v))))
    made = _times(u, inner + diag(ds), _adjoint(v))
    known = m is not None and n is not None
    if not known or m > n:
        made = made + _times(multiply(subtract(du, _times(u, turn_u)), inverse), _adjoint(v))
    if not known or n > m:
        made = made + _times(u, _adjoint(multiply(subtract(dv, _times(v, turn_v)), inverse)))
    return made


@svd_op.samples
def svd_samples(rng):
    yield (rng.normal(size=(3, 3)),), {}
    yield (rng.normal(size=(4, 2)),), {}
    yield (rng.normal(size=(2, 2, 3)),), {}


@svd_op.shape_rule
def svd_rule(tensor, *, full_matrices):
    kind = tensor.dtype.real_dtype
    if tensor.shape.rank is None:
        return (
            TensorSpec(None, kind),
            TensorSpec(None, tensor.dtype),
            TensorSpec(None, tensor.dtype),
        )
    *lead, m, n = tensor.shape
    k = _smaller(m, n)
    return (
        TensorSpec([*lead, k], kind),
        TensorSpec([*lead, m, m if full_matrices else k], tensor.dtype),
        TensorSpec([*lead, n, n if full_matrices else k], tensor.dtype),
    )


@op(kinds="fc", label="SingularValues", tolerance=1e-4)
def singular_values(xp, tensor):
    """Singular values of matrices, largest first.

    Args:
        tensor: Floating or complex tensor [..., m, n].

    Returns:
        Real tensor [..., min(m, n)].

    >>> singular_values([[3.0], [4.0]]).numpy()
    array([5.], dtype=float32)
    """
    _matrices(tensor, "Svd", square_ones=False)
    problem = "the singular value decomposition did not converge: the input may hold nan or inf."
    return _computed(np.linalg.svd, "Svd", problem, tensor, compute_uv=False)


@singular_values.vjp
def singular_values_vjp(dy, _y, x):
    _, u, v = svd_op(x)
    return _times(u, diag(cast(dy, x.dtype)), _adjoint(v))


@singular_values.shape_rule
def singular_values_rule(tensor):
    if tensor.shape.rank is None:
        return TensorSpec(None, tensor.dtype.real_dtype)
    *lead, m, n = tensor.shape
    return TensorSpec([*lead, _smaller(m, n)], tensor.dtype.real_dtype)


@singular_values.samples
def singular_values_samples(rng):
    yield (rng.normal(size=(3, 3)),), {}
    yield (rng.normal(size=(2, 2, 3)),), {}


def svd(tensor, full_matrices=False, compute_uv=True, name=None):
    """Singular value decomposition: `tensor = u @ diag(s) @ adjoint(v)`.

    Args:
        tensor: Floating or complex tensor [..., m, n].
        full_matrices: Whether u and v are square.
        compute_uv: Whether the vectors are wanted too.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tuple (s, u, v) of tensors, s with the largest first; s alone when `compute_uv` is False.

    Raises:
        InvalidArgumentError: If the input has rank below 2, or holds nan.

    >>> svd([[3.0], [4.0]], compute_uv=False).numpy()
    array([5.], dtype=float32)
    """
    if not compute_uv:
        return singular_values(tensor)
    return Svd(*svd_op(tensor, full_matrices=full_matrices))


# ------------------------------------------------------------------------------------------------------ eigenvalues


@op(kinds="fc", outputs=2, label="SelfAdjointEigV2", symmetric=True, tolerance=1e-4)
def eigh_op(xp, tensor):
    """Eigenvalues, smallest first, and orthonormal eigenvectors of symmetric (Hermitian) matrices.

    Args:
        tensor: Floating or complex tensor [..., n, n]; only the lower triangle is read.

    Returns:
        List of two tensors: values [..., n] and vectors [..., n, n], in columns.

    >>> eigh_op([[2.0, 0.0], [0.0, 1.0]])[0].numpy()
    array([1., 2.], dtype=float32)
    """
    _matrices(tensor, "SelfAdjointEigV2")
    problem = "the eigenvalues did not converge: the input may hold nan or inf."
    values, vectors = _computed(np.linalg.eigh, "SelfAdjointEigV2", problem, tensor)
    return values.astype(tensor.dtype), vectors


@eigh_op.vjp
def eigh_vjp(dy, y, _x):
    (e, v), (de, dv) = y, dy
    inner = diag(de) + multiply(_conj(_gaps(e)), _times(_adjoint(v), dv))
    return _lower_half(_times(v, inner, _adjoint(v)))


def _lower_half(gradient):
    """As only the lower triangle is read, what would go to the upper one goes there too."""
    both = band_part_op(gradient + _adjoint(gradient), lower=-1, upper=0)
    return set_diag(both, multiply(diag_part(both), 0.5))


@eigh_op.samples
def eigh_samples(rng):
    yield (_positive(rng, 3, 3),), {}
    yield (_positive(rng, 2, 2, 2),), {}


@eigh_op.shape_rule
def eigh_rule(tensor):
    shape = None if tensor.shape.rank is None else tensor.shape[:-1]
    return TensorSpec(shape, tensor.dtype), tensor


@op(kinds="fc", label="SelfAdjointEigvals", symmetric=True, tolerance=1e-4)
def eigvalsh_op(xp, tensor):
    """Eigenvalues of symmetric (Hermitian) matrices, smallest first.

    Args:
        tensor: Floating or complex tensor [..., n, n]; only the lower triangle is read.

    Returns:
        Tensor [..., n].

    >>> eigvalsh_op([[2.0, 0.0], [0.0, 1.0]]).numpy()
    array([1., 2.], dtype=float32)
    """
    _matrices(tensor, "SelfAdjointEigV2")
    problem = "the eigenvalues did not converge: the input may hold nan or inf."
    return _computed(np.linalg.eigvalsh, "SelfAdjointEigV2", problem, tensor).astype(tensor.dtype)


@eigvalsh_op.vjp
def eigvalsh_vjp(dy, _y, x):
    _, v = eigh_op(x)
    return _lower_half(_times(v, diag(dy), _adjoint(v)))


@eigvalsh_op.samples
def eigvalsh_samples(rng):
    yield (_positive(rng, 3, 3),), {}


@eigvalsh_op.shape_rule
def eigvalsh_rule(tensor):
    return TensorSpec(None if tensor.shape.rank is None else tensor.shape[:-1], tensor.dtype)


def eigh(tensor, name=None):
    """Eigenvalues, smallest first, and orthonormal eigenvectors of symmetric (Hermitian) matrices.

    Args:
        tensor: Floating or complex tensor [..., n, n]; only the lower triangle is read.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tuple (e, v): values [..., n] and vectors [..., n, n], in columns.

    >>> eigh([[2.0, 0.0], [0.0, 1.0]])[0].numpy()
    array([1., 2.], dtype=float32)
    """
    return Eig(*eigh_op(tensor))


def eigvalsh(tensor, name=None):
    """Eigenvalues of symmetric (Hermitian) matrices, smallest first.

    Args:
        tensor: Floating or complex tensor [..., n, n]; only the lower triangle is read.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [..., n].

    >>> eigvalsh([[2.0, 0.0], [0.0, 1.0]]).numpy()
    array([1., 2.], dtype=float32)
    """
    return eigvalsh_op(tensor)


@op(kinds="fc", outputs=2, label="Eig", tolerance=1e-4)
def eig_op(xp, tensor, *, compute_v: bool = True):
    """Eigenvalues and eigenvectors of square matrices, as complex numbers.

    Args:
        tensor: Floating or complex tensor [..., n, n].
        compute_v: Whether the vectors are wanted too; else the second result is empty.

    Returns:
        List of two complex tensors: values [..., n] and vectors [..., n, n] of length 1, in columns.

    >>> eig_op([[0.0, 1.0], [-1.0, 0.0]])[0].numpy()
    array([0.+1.j, 0.-1.j], dtype=complex64)
    """
    _matrices(tensor, "Eig")
    kind = np.complex128 if tensor.dtype in (np.float64, np.complex128) else np.complex64
    problem = "the eigenvalues did not converge: the input may hold nan or inf."
    if not compute_v:
        values = _computed(np.linalg.eigvals, "Eig", problem, tensor).astype(kind)
        return values, np.zeros((*tensor.shape[:-2], 0, 0), kind)
    values, vectors = _computed(np.linalg.eig, "Eig", problem, tensor)
    return values.astype(kind), vectors.astype(kind)


@eig_op.vjp
def eig_vjp(dy, y, x, *, compute_v):
    e, v = y if compute_v else eig_op(x)
    turned, inner = _adjoint(v), diag(dy[0])
    if compute_v:
        vgv = _times(turned, dy[1])
        own = diag(cast(real_part(diag_part(vgv)), vgv.dtype))
        inner = inner + multiply(_conj(_gaps(e)), subtract(vgv, _times(turned, v, own)))
    made = solve_op(turned, _times(inner, turned))
    return made if x.dtype.is_complex else real_part(made)


@eig_op.samples
def eig_samples(rng):
    yield (_well_conditioned(rng, 3, 3),), {"compute_v": False}
    yield (np.diag([1.0, 3.0]) + 0.3 * rng.normal(size=(2, 2, 2)),), {"compute_v": False}


@eig_op.shape_rule
def eig_rule(tensor, *, compute_v):
    kind = dtypes.complex128 if tensor.dtype.real_dtype == dtypes.float64 else dtypes.complex64
    if tensor.shape.rank is None:
        return TensorSpec(None, kind), TensorSpec(None, kind)
    vectors = tensor.shape if compute_v else [*tensor.shape[:-2], 0, 0]
    return TensorSpec(tensor.shape[:-1], kind), TensorSpec(vectors, kind)


def eig(tensor, name=None):
    """Eigenvalues and eigenvectors of square matrices, as complex numbers.

    Args:
        tensor: Floating or complex tensor [..., n, n].
        name: Accepted for TensorFlow's sake.

    Returns:
        Tuple (e, v): values [..., n] and vectors [..., n, n] of length 1, in columns.

    >>> eig([[0.0, 1.0], [-1.0, 0.0]])[0].numpy()
    array([0.+1.j, 0.-1.j], dtype=complex64)
    """
    return Eig(*eig_op(tensor))


def eigvals(tensor, name=None):
    """Eigenvalues of square matrices, as complex numbers.

    Args:
        tensor: Floating or complex tensor [..., n, n].
        name: Accepted for TensorFlow's sake.

    Returns:
        Complex tensor [..., n].

    >>> eigvals([[0.0, 1.0], [-1.0, 0.0]]).numpy()
    array([0.+1.j, 0.-1.j], dtype=complex64)
    """
    return eig_op(tensor, compute_v=False)[0]


# --------------------------------------------------------------------------------------------------------------- LU


def _lu_factors(a):
    """Partial pivoting, all matrices of the batch at once: (packed triangles, permutation)."""
    n = a.shape[-1]
    flat = np.array(a.reshape(math.prod(a.shape[:-2]), n, n))
    order = np.tile(np.arange(n, dtype=np.int32), (len(flat), 1))
    each = np.arange(len(flat))
    for k in range(n):
        pivot = k + np.argmax(np.abs(flat[:, k:, k]), axis=1)
        rows = flat[each, pivot].copy()
        flat[each, pivot], flat[:, k] = flat[:, k].copy(), rows
        places = order[each, pivot].copy()
        order[each, pivot], order[:, k] = order[:, k].copy(), places
        if (flat[:, k, k] == 0).any():
            raise np.linalg.LinAlgError("Singular matrix")
        flat[:, k + 1 :, k] /= flat[:, k, k][:, None]
        flat[:, k + 1 :, k + 1 :] -= flat[:, k + 1 :, k, None] * flat[:, k, None, k + 1 :]
    return flat.reshape(a.shape), order.reshape(a.shape[:-1])


@op(kinds="fc", outputs=2, label="Lu", tolerance=1e-4)
def lu_op(xp, input, *, output_idx_type=dtypes.int32):
    """LU decomposition with partial pivoting.

    Args:
        input: Floating or complex tensor [..., n, n].
        output_idx_type: int32 (default) or int64.

    Returns:
        List of two tensors: both triangles in one [..., n, n] (the lower one has ones on its diagonal), and the
        permutation [..., n] for which `input[p] = L @ U`.

    >>> lu_op([[1.0, 2.0], [3.0, 4.0]])[1].numpy()
    array([1, 0], dtype=int32)
    """
    _matrices(input, "Lu")
    packed, order = _computed(_lu_factors, "Lu", "Input is not invertible.", input)
    return packed, order.astype(dtypes.as_dtype(output_idx_type)._numpy())


@lu_op.vjp
def lu_vjp(dy, y, _x, *, output_idx_type):
    from .index import gather
    from .sorting import argsort

    packed, order = y
    unit = set_diag(band_part_op(packed, lower=-1, upper=0), _ones(packed))
    upper = band_part_op(packed, lower=0, upper=-1)
    left = _times(_adjoint(unit), _strictly_lower(dy[0]))
    right = _times(band_part_op(dy[0], lower=0, upper=-1), _adjoint(upper))
    middle = _strictly_lower(left) + band_part_op(right, lower=0, upper=-1)
    half = triangular_solve_op(unit, middle, adjoint=True)
    made = _adjoint(triangular_solve_op(upper, _adjoint(half), lower=False))
    back = argsort(order, axis=-1)
    return gather(made, back, batch_dims=made.shape.rank - 2)


def _strictly_lower(x):
    low = band_part_op(x, lower=-1, upper=0)
    return set_diag(low, zeros_like(diag_part(low)))


def _ones(matrix):
    from .create import ones_like

    return ones_like(diag_part(matrix))


@lu_op.samples
def lu_samples(rng):
    yield (_well_conditioned(rng, 3, 3)[::-1].copy(),), {}
    yield (rng.normal(size=(2, 2, 2)),), {}


@lu_op.shape_rule
def lu_rule(input, *, output_idx_type):
    shape = None if input.shape.rank is None else input.shape[:-1]
    return input, TensorSpec(shape, output_idx_type)


def lu(input, output_idx_type=dtypes.int32, name=None):
    """LU decomposition of square matrices with partial pivoting.

    Args:
        input: Floating or complex tensor [..., n, n].
        output_idx_type: int32 (default) or int64.
        name: Accepted for TensorFlow's sake.

    Returns:
        Named tuple (lu, p): both triangles in one (the lower one has ones on its diagonal), and the permutation
        for which `input[p] = L @ U`.

    Raises:
        InvalidArgumentError: If a matrix is singular or not square.

    >>> lu([[1.0, 2.0], [3.0, 4.0]]).p.numpy()
    array([1, 0], dtype=int32)
    """
    return Lu(*lu_op(input, output_idx_type=output_idx_type))


def lu_solve(lower_upper, perm, rhs, validate_args=False, name=None):
    """Solves `A @ x = rhs` from the LU decomposition of A.

    Args:
        lower_upper: Tensor [..., n, n]: what `lu(A).lu` is.
        perm: Tensor [..., n]: what `lu(A).p` is.
        rhs: Tensor [..., n, k].
        validate_args: Accepted for TensorFlow's sake.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [..., n, k].

    >>> lu_solve(*lu([[2.0, 0.0], [0.0, 4.0]]), [[2.0], [2.0]]).numpy()
    array([[1. ],
           [0.5]], dtype=float32)
    """
    from .index import gather

    packed, perm = convert(lower_upper), convert(perm)
    rhs = rhs if hasattr(rhs, "_key") else convert(rhs, packed.dtype)
    lead = perm.shape.rank - 1
    if rhs.shape.rank - 2 < lead:
        rhs = broadcast_to(rhs, shape=(*shape_of(packed)[:-2], *shape_of(rhs)[-2:]))
    placed = gather(rhs, perm, axis=lead if lead else -2, batch_dims=lead)
    unit = set_diag(packed, _ones(packed))
    return triangular_solve_op(packed, triangular_solve_op(unit, placed), lower=False)


def lu_reconstruct(lower_upper, perm, validate_args=False, name=None):
    """The matrices of which an LU decomposition was made.

    Args:
        lower_upper: Tensor [..., n, n].
        perm: Tensor [..., n].
        validate_args: Accepted for TensorFlow's sake.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [..., n, n].

    >>> lu_reconstruct(*lu([[1.0, 2.0], [3.0, 4.0]])).numpy()
    array([[1., 2.],
           [3., 4.]], dtype=float32)
    """
    from .index import gather
    from .sorting import argsort

    packed, perm = convert(lower_upper), convert(perm)
    unit = set_diag(band_part_op(packed, lower=-1, upper=0), _ones(packed))
    product = _times(unit, band_part_op(packed, lower=0, upper=-1))
    return gather(product, argsort(perm, axis=-1), batch_dims=perm.shape.rank - 1)


def lu_matrix_inverse(lower_upper, perm, validate_args=False, name=None):
    """Inverse of the matrices of which an LU decomposition was made.

    Args:
        lower_upper: Tensor [..., n, n].
        perm: Tensor [..., n].
        validate_args: Accepted for TensorFlow's sake.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [..., n, n].

    >>> lu_matrix_inverse(*lu([[2.0, 0.0], [0.0, 4.0]])).numpy()
    array([[0.5 , 0.  ],
           [0.  , 0.25]], dtype=float32)
    """
    packed = convert(lower_upper)
    unit = eye(packed.shape[-1], dtype=packed.dtype)
    return lu_solve(packed, perm, broadcast_to(unit, shape=shape_of(packed)))
