"""Linear operators: matrices known by their structure.

`LinearOperator` does everything through the dense matrix; a kind of operator says what that matrix is, and
overrides what its structure makes cheaper.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtypes
from ..base.shapes import TensorShape
from ..core.tensor import convert
from .arithmetic import conj, multiply, real_divide
from .complexes import abs as absolute
from .complexes import real
from .create import cast, constant, eye, ones, shape_of, zeros
from .decompositions import cholesky, eigvals, eigvalsh, svd
from .exponential import log
from .linalg import matmul
from .linear_equations import det, slogdet, solve, triangular_solve
from .matrix import adjoint, band_part, diag, diag_part, matrix_transpose
from .products import reduce_prod
from .reduce import reduce_max, reduce_min, reduce_sum
from .shape import concat, expand_dims, pad, reshape, squeeze
from .slicing import getitem
from .sum_to import broadcast_to


def _dense(x: Any) -> Any:
    return x.to_dense() if isinstance(x, LinearOperator) else convert(x)


class LinearOperator:
    """A linear map, or a batch of them, from vectors of length n to vectors of length m.

    Args:
        dtype: Type of the elements.
        is_non_singular: Whether it has an inverse, when that is known.
        is_self_adjoint: Whether it is its own adjoint, when that is known.
        is_positive_definite: Whether it is positive definite, when that is known.
        is_square: Whether m = n, when that is known.
        name: Name.

    >>> LinearOperatorDiag([1.0, 2.0]).matvec([1.0, 1.0]).numpy()
    array([1., 2.], dtype=float32)
    """

    def __init__(
        self, dtype: Any = dtypes.float32, is_non_singular: Any = None, is_self_adjoint: Any = None,
        is_positive_definite: Any = None, is_square: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        self.dtype = dtypes.as_dtype(dtype)
        self.is_non_singular = is_non_singular
        self.is_self_adjoint = is_self_adjoint
        self.is_positive_definite = is_positive_definite
        self._square = is_square
        self.name = name or type(self).__name__

    def _matrix(self) -> Any:
        raise NotImplementedError(f"{type(self).__name__} does not say what its matrix is.")

    # -------------------------------------------------------------------------------------------------------- shape

    @property
    def shape(self) -> TensorShape:
        """Shape of the matrices."""
        return self._matrix().shape

    @property
    def batch_shape(self) -> TensorShape:
        """Shape of the batch."""
        return self.shape[:-2]

    @property
    def domain_dimension(self) -> Any:
        """Length of the vectors that go in."""
        return self.shape[-1]

    @property
    def range_dimension(self) -> Any:
        """Length of the vectors that come out."""
        return self.shape[-2]

    @property
    def tensor_rank(self) -> Any:
        """Rank of the dense tensor."""
        return self.shape.rank

    @property
    def is_square(self) -> bool:
        """Whether as many numbers come out as go in."""
        return bool(self._square) if self._square is not None else self.shape[-1] == self.shape[-2]

    def shape_tensor(self) -> Any:
        """Shape as an int32 tensor."""
        return constant(np.array(self.shape.as_list(), np.int32))

    # ------------------------------------------------------------------------------------------------------- algebra

    def to_dense(self) -> Any:
        """The dense matrices."""
        return self._matrix()

    def matmul(
        self, x: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str | None = None
    ) -> Any:
        """Product with matrices (or with another operator).

        Args:
            x: Tensor [..., n, k] or `LinearOperator`.
            adjoint: Whether the operator's adjoint is meant.
            adjoint_arg: Whether the adjoint of `x` is meant.
            name: Accepted for TensorFlow's sake.
        """
        own = self.adjoint() if adjoint else self
        if isinstance(x, LinearOperator):
            return LinearOperatorComposition([own, x.adjoint() if adjoint_arg else x])
        x = x if hasattr(x, "_key") else convert(x, self.dtype)
        return own._times(_adjoint_of(x) if adjoint_arg else x)

    def _times(self, x: Any) -> Any:
        return matmul(self._matrix(), x)

    def matvec(self, x: Any, adjoint: bool = False, name: str | None = None) -> Any:
        """Product with vectors [..., n]."""
        x = x if hasattr(x, "_key") else convert(x, self.dtype)
        return squeeze(self.matmul(expand_dims(x, -1), adjoint=adjoint), axis=-1)

    def solve(
        self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str | None = None
    ) -> Any:
        """The x for which `operator @ x = rhs`.

        Args:
            rhs: Tensor [..., m, k].
            adjoint: Whether the operator's adjoint is meant.
            adjoint_arg: Whether the adjoint of `rhs` is meant.
            name: Accepted for TensorFlow's sake.
        """
        own = self.adjoint() if adjoint else self
        if isinstance(rhs, LinearOperator):
            return LinearOperatorComposition([own.inverse(), rhs.adjoint() if adjoint_arg else rhs])
        rhs = rhs if hasattr(rhs, "_key") else convert(rhs, self.dtype)
        return own._solved(_adjoint_of(rhs) if adjoint_arg else rhs)

    def _solved(self, rhs: Any) -> Any:
        return solve(self._matrix(), rhs)

    def solvevec(self, rhs: Any, adjoint: bool = False, name: str | None = None) -> Any:
        """The x for which `operator @ x = rhs`, for vectors [..., m]."""
        rhs = rhs if hasattr(rhs, "_key") else convert(rhs, self.dtype)
        return squeeze(self.solve(expand_dims(rhs, -1), adjoint=adjoint), axis=-1)

    def adjoint(self, name: str | None = None) -> LinearOperator:
        """The adjoint operator."""
        return LinearOperatorAdjoint(self)

    H = property(lambda self: self.adjoint())

    def inverse(self, name: str | None = None) -> LinearOperator:
        """The inverse operator."""
        return LinearOperatorInversion(self)

    def determinant(self, name: str | None = None) -> Any:
        """Determinant."""
        return det(self._matrix())

    def log_abs_determinant(self, name: str | None = None) -> Any:
        """Logarithm of the absolute value of the determinant."""
        return real(slogdet(self._matrix())[1])

    def trace(self, name: str | None = None) -> Any:
        """Sum of the diagonal."""
        return reduce_sum(self.diag_part(), axis=-1)

    def diag_part(self, name: str | None = None) -> Any:
        """The diagonal."""
        return diag_part(self._matrix())

    def add_to_tensor(self, x: Any, name: str | None = None) -> Any:
        """The dense matrices plus a tensor."""
        return self._matrix() + x

    def cholesky(self, name: str | None = None) -> LinearOperator:
        """Cholesky factor, as an operator."""
        return LinearOperatorLowerTriangular(cholesky(self._matrix()))

    def eigvals(self, name: str | None = None) -> Any:
        """Eigenvalues: real ones of a self-adjoint operator."""
        return eigvalsh(self._matrix()) if self.is_self_adjoint else eigvals(self._matrix())

    def cond(self, name: str | None = None) -> Any:
        """Largest over smallest singular value."""
        s = svd(self._matrix(), compute_uv=False)
        return real_divide(reduce_max(s, axis=-1), reduce_min(s, axis=-1))

    def assert_non_singular(self, name: str | None = None) -> None:
        """Raises ValueError unless there is an inverse."""
        if not (np.abs(np.asarray(self.determinant())) > 0).all():
            raise ValueError("Singular matrix encountered.")

    def assert_self_adjoint(self, name: str | None = None) -> None:
        """Raises ValueError unless the operator is its own adjoint."""
        matrix = self._matrix()
        if not np.allclose(np.asarray(matrix), np.asarray(_adjoint_of(matrix))):
            raise ValueError("Matrix was not equal to its adjoint.")

    def assert_positive_definite(self, name: str | None = None) -> None:
        """Raises InvalidArgumentError unless the operator is positive definite."""
        cholesky(self._matrix())

    def __matmul__(self, other: Any) -> Any:
        return self.matmul(other)

    def __add__(self, other: Any) -> Any:
        return LinearOperatorFullMatrix(self._matrix() + _dense(other))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} shape={self.shape} dtype={self.dtype.name}>"


def _adjoint_of(x: Any) -> Any:
    return adjoint(x) if x.dtype.is_complex else matrix_transpose(x)


class LinearOperatorFullMatrix(LinearOperator):
    """A dense matrix.

    Args:
        matrix: Tensor [..., m, n].
        **hints: See `LinearOperator`.

    >>> LinearOperatorFullMatrix([[1.0, 2.0], [3.0, 4.0]]).trace().numpy()
    np.float32(5.0)
    """

    def __init__(self, matrix: Any, **hints: Any) -> None:
        self.matrix = convert(matrix)
        super().__init__(self.matrix.dtype, **hints)

    def _matrix(self) -> Any:
        return self.matrix


class LinearOperatorDiag(LinearOperator):
    """A diagonal matrix.

    Args:
        diag: Tensor [..., n].
        **hints: See `LinearOperator`.

    >>> LinearOperatorDiag([1.0, 2.0]).solvevec([1.0, 1.0]).numpy()
    array([1. , 0.5], dtype=float32)
    """

    def __init__(self, diag: Any, **hints: Any) -> None:
        self.diag = convert(diag)
        super().__init__(self.diag.dtype, **{"is_square": True, **hints})

    def _matrix(self) -> Any:
        return diag(self.diag)

    @property
    def shape(self) -> TensorShape:
        """Shape of the matrices."""
        return self.diag.shape.concatenate([self.diag.shape[-1]])

    def _times(self, x: Any) -> Any:
        return multiply(expand_dims(self.diag, -1), x)

    def _solved(self, rhs: Any) -> Any:
        return real_divide(rhs, expand_dims(self.diag, -1))

    def adjoint(self, name: str | None = None) -> LinearOperator:
        """The adjoint operator."""
        return LinearOperatorDiag(conj(self.diag))

    def inverse(self, name: str | None = None) -> LinearOperator:
        """The inverse operator."""
        return LinearOperatorDiag(real_divide(1.0, self.diag))

    def determinant(self, name: str | None = None) -> Any:
        """Determinant."""
        return reduce_prod(self.diag, axis=-1)

    def log_abs_determinant(self, name: str | None = None) -> Any:
        """Logarithm of the absolute value of the determinant."""
        return reduce_sum(log(absolute(self.diag)), axis=-1)

    def diag_part(self, name: str | None = None) -> Any:
        """The diagonal."""
        return self.diag

    def eigvals(self, name: str | None = None) -> Any:
        """Eigenvalues."""
        return self.diag


class LinearOperatorScaledIdentity(LinearOperatorDiag):
    """A multiple of the identity.

    Args:
        num_rows: Number of rows.
        multiplier: Tensor [...]: the factor.
        **hints: See `LinearOperator`.

    >>> LinearOperatorScaledIdentity(2, 3.0).to_dense().numpy()
    array([[3., 0.],
           [0., 3.]], dtype=float32)
    """

    def __init__(self, num_rows: Any, multiplier: Any, **hints: Any) -> None:
        hints.pop("assert_proper_shapes", None)
        self.multiplier = convert(multiplier)
        rows = int(num_rows)
        super().__init__(
            broadcast_to(
                expand_dims(self.multiplier, -1), shape=(*shape_of(self.multiplier), rows)
            ),
            **hints,
        )


class LinearOperatorIdentity(LinearOperatorDiag):
    """The identity.

    Args:
        num_rows: Number of rows.
        batch_shape: Shape of the batch, or None.
        dtype: Type of the elements. Default float32.
        **hints: See `LinearOperator`.

    >>> LinearOperatorIdentity(2).matvec([1.0, 2.0]).numpy()
    array([1., 2.], dtype=float32)
    """

    def __init__(
        self, num_rows: Any, batch_shape: Any = None, dtype: Any = None, **hints: Any
    ) -> None:
        hints.pop("assert_proper_shapes", None)
        lead = tuple(int(d) for d in TensorShape(batch_shape)) if batch_shape is not None else ()
        super().__init__(
            ones((*lead, int(num_rows)), dtype or dtypes.float32),
            **{"is_self_adjoint": True, **hints},
        )


class LinearOperatorZeros(LinearOperator):
    """The map to 0.

    Args:
        num_rows: Number of rows.
        num_columns: Number of columns; default `num_rows`.
        batch_shape: Shape of the batch, or None.
        dtype: Type of the elements. Default float32.
        **hints: See `LinearOperator`.

    >>> LinearOperatorZeros(2).to_dense().numpy()
    array([[0., 0.],
           [0., 0.]], dtype=float32)
    """

    def __init__(
        self,
        num_rows: Any,
        num_columns: Any = None,
        batch_shape: Any = None,
        dtype: Any = None,
        **hints: Any,
    ) -> None:
        hints.pop("assert_proper_shapes", None)
        lead = tuple(int(d) for d in TensorShape(batch_shape)) if batch_shape is not None else ()
        self._dims = (*lead, int(num_rows), int(num_rows if num_columns is None else num_columns))
        super().__init__(dtype or dtypes.float32, **hints)

    def _matrix(self) -> Any:
        return zeros(self._dims, self.dtype)


class LinearOperatorLowerTriangular(LinearOperator):
    """A lower triangle; what stands above the diagonal is not read.

    Args:
        tril: Tensor [..., n, n].
        **hints: See `LinearOperator`.

    >>> LinearOperatorLowerTriangular([[2.0, 9.0], [1.0, 1.0]]).solvevec([2.0, 2.0]).numpy()
    array([1., 1.], dtype=float32)
    """

    def __init__(self, tril: Any, **hints: Any) -> None:
        self.tril = convert(tril)
        super().__init__(self.tril.dtype, **{"is_square": True, **hints})

    def _matrix(self) -> Any:
        return band_part(self.tril, -1, 0)

    def _solved(self, rhs: Any) -> Any:
        return triangular_solve(self.tril, rhs)

    def determinant(self, name: str | None = None) -> Any:
        """Determinant."""
        return reduce_prod(diag_part(self.tril), axis=-1)

    def log_abs_determinant(self, name: str | None = None) -> Any:
        """Logarithm of the absolute value of the determinant."""
        return reduce_sum(log(absolute(diag_part(self.tril))), axis=-1)


class LinearOperatorAdjoint(LinearOperator):
    """The adjoint of an operator.

    Args:
        operator: `LinearOperator`.
        **hints: See `LinearOperator`.

    >>> LinearOperatorAdjoint(LinearOperatorFullMatrix([[1.0, 2.0]])).shape
    TensorShape([2, 1])
    """

    def __init__(self, operator: LinearOperator, **hints: Any) -> None:
        self.operator = operator
        super().__init__(operator.dtype, **hints)

    def _matrix(self) -> Any:
        return _adjoint_of(self.operator.to_dense())

    def _solved(self, rhs: Any) -> Any:
        if isinstance(self.operator, LinearOperatorLowerTriangular):
            return triangular_solve(self.operator.tril, rhs, adjoint=True)
        return solve(self.operator.to_dense(), rhs, adjoint=True)

    def adjoint(self, name: str | None = None) -> LinearOperator:
        """The operator itself."""
        return self.operator


class LinearOperatorInversion(LinearOperator):
    """The inverse of an operator.

    Args:
        operator: `LinearOperator`.
        **hints: See `LinearOperator`.

    >>> LinearOperatorInversion(LinearOperatorDiag([2.0])).matvec([1.0]).numpy()
    array([0.5], dtype=float32)
    """

    def __init__(self, operator: LinearOperator, **hints: Any) -> None:
        self.operator = operator
        super().__init__(operator.dtype, **hints)

    def _matrix(self) -> Any:
        return self.operator.solve(eye(self.operator.domain_dimension, dtype=self.dtype))

    def _times(self, x: Any) -> Any:
        return self.operator.solve(x)

    def _solved(self, rhs: Any) -> Any:
        return self.operator.matmul(rhs)

    def inverse(self, name: str | None = None) -> LinearOperator:
        """The operator itself."""
        return self.operator


class LinearOperatorComposition(LinearOperator):
    """One operator after another: the last is applied first.

    Args:
        operators: List of `LinearOperator`s.
        **hints: See `LinearOperator`.

    >>> LinearOperatorComposition([LinearOperatorDiag([2.0]), LinearOperatorDiag([3.0])]).matvec([1.0]).numpy()
    array([6.], dtype=float32)
    """

    def __init__(self, operators: Any, **hints: Any) -> None:
        self.operators = list(operators)
        super().__init__(self.operators[0].dtype, **hints)

    def _matrix(self) -> Any:
        made = self.operators[-1].to_dense()
        for one in reversed(self.operators[:-1]):
            made = one.matmul(made)
        return made

    def _times(self, x: Any) -> Any:
        for one in reversed(self.operators):
            x = one.matmul(x)
        return x

    def _solved(self, rhs: Any) -> Any:
        for one in self.operators:
            rhs = one.solve(rhs)
        return rhs

    def adjoint(self, name: str | None = None) -> LinearOperator:
        """The adjoint operator."""
        return LinearOperatorComposition([one.adjoint() for one in reversed(self.operators)])


class LinearOperatorBlockDiag(LinearOperator):
    """Operators side by side on the diagonal.

    Args:
        operators: List of `LinearOperator`s.
        **hints: See `LinearOperator`.

    >>> LinearOperatorBlockDiag([LinearOperatorIdentity(1), LinearOperatorDiag([3.0])]).to_dense().numpy()
    array([[1., 0.],
           [0., 3.]], dtype=float32)
    """

    def __init__(self, operators: Any, **hints: Any) -> None:
        self.operators = list(operators)
        super().__init__(self.operators[0].dtype, **hints)

    def _matrix(self) -> Any:
        blocks = [one.to_dense() for one in self.operators]
        width = sum(b.shape[-1] for b in blocks)
        rows, before = [], 0
        for block in blocks:
            after = width - before - block.shape[-1]
            rows.append(pad(block, [[0, 0]] * (block.shape.rank - 1) + [[before, after]]))
            before += block.shape[-1]
        return concat(rows, axis=-2)


class LinearOperatorBlockLowerTriangular(LinearOperator):
    """Operators as the blocks of a lower triangle.

    Args:
        operators: List of rows: row i is a list of i + 1 `LinearOperator`s.
        **hints: See `LinearOperator`.

    >>> one = LinearOperatorIdentity(1)
    >>> LinearOperatorBlockLowerTriangular([[one], [one, one]]).to_dense().numpy()
    array([[1., 0.],
           [1., 1.]], dtype=float32)
    """

    def __init__(self, operators: Any, **hints: Any) -> None:
        self.operators = [list(row) for row in operators]
        super().__init__(self.operators[0][0].dtype, **hints)

    def _matrix(self) -> Any:
        width = sum(block.shape[-1] for block in self.operators[-1])
        rows = []
        for row in self.operators:
            joined = concat([block.to_dense() for block in row], axis=-1)
            rows.append(
                pad(joined, [[0, 0]] * (joined.shape.rank - 1) + [[0, width - joined.shape[-1]]])
            )
        return concat(rows, axis=-2)


class LinearOperatorKronecker(LinearOperator):
    """The Kronecker product of operators.

    Args:
        operators: List of `LinearOperator`s.
        **hints: See `LinearOperator`.

    >>> LinearOperatorKronecker([LinearOperatorIdentity(2), LinearOperatorDiag([3.0])]).diag_part().numpy()
    array([3., 3.], dtype=float32)
    """

    def __init__(self, operators: Any, **hints: Any) -> None:
        self.operators = list(operators)
        super().__init__(self.operators[0].dtype, **hints)

    def _matrix(self) -> Any:
        made = self.operators[0].to_dense()
        for one in self.operators[1:]:
            other = one.to_dense()
            (m, n), (p, q) = made.shape[-2:], other.shape[-2:]
            left = reshape(made, (*made.shape[:-2], m, 1, n, 1))
            product = multiply(left, reshape(other, (*other.shape[:-2], 1, p, 1, q)))
            made = reshape(product, (*product.shape[:-4], m * p, n * q))
        return made


class LinearOperatorPermutation(LinearOperator):
    """A permutation of the elements.

    Args:
        perm: Integer tensor [..., n]: element i of the result is element `perm[i]` of the vector.
        dtype: Type of the elements. Default float32.
        **hints: See `LinearOperator`.

    >>> LinearOperatorPermutation([1, 0]).matvec([1.0, 2.0]).numpy()
    array([2., 1.], dtype=float32)
    """

    def __init__(self, perm: Any, dtype: Any = dtypes.float32, **hints: Any) -> None:
        self.perm = convert(perm)
        super().__init__(dtype, **{"is_square": True, "is_non_singular": True, **hints})

    def _matrix(self) -> Any:
        from .index import one_hot

        return one_hot(self.perm, self.perm.shape[-1], dtype=self.dtype)


class LinearOperatorHouseholder(LinearOperator):
    """A reflection at the plane that is orthogonal to a vector.

    Args:
        reflection_axis: Tensor [..., n]: the vector.
        **hints: See `LinearOperator`.

    >>> LinearOperatorHouseholder([1.0, 0.0]).matvec([1.0, 2.0]).numpy()
    array([-1.,  2.], dtype=float32)
    """

    def __init__(self, reflection_axis: Any, **hints: Any) -> None:
        self.reflection_axis = convert(reflection_axis)
        super().__init__(
            self.reflection_axis.dtype, **{"is_square": True, "is_self_adjoint": True, **hints}
        )

    def _unit(self) -> Any:
        from .moments import l2_normalize

        return expand_dims(l2_normalize(self.reflection_axis, axis=-1), -1)

    def _matrix(self) -> Any:
        unit = self._unit()
        return eye(self.reflection_axis.shape[-1], dtype=self.dtype) - multiply(
            matmul(unit, unit, adjoint_b=True), 2
        )

    def _times(self, x: Any) -> Any:
        unit = self._unit()
        return x - multiply(matmul(unit, matmul(unit, x, adjoint_a=True)), 2)

    def _solved(self, rhs: Any) -> Any:
        return self._times(rhs)


class LinearOperatorLowRankUpdate(LinearOperator):
    """An operator plus `u @ diag(d) @ adjoint(v)` of low rank.

    Args:
        base_operator: `LinearOperator`.
        u: Tensor [..., m, k].
        diag_update: Tensor [..., k], or None for ones.
        v: Tensor [..., n, k], or None for `u`.
        **hints: See `LinearOperator`.

    >>> LinearOperatorLowRankUpdate(LinearOperatorIdentity(1), [[2.0]]).to_dense().numpy()
    array([[5.]], dtype=float32)
    """

    def __init__(
        self,
        base_operator: LinearOperator,
        u: Any,
        diag_update: Any = None,
        v: Any = None,
        **hints: Any,
    ) -> None:
        hints.pop("is_diag_update_positive", None)
        self.base_operator = base_operator
        self.u = convert(u)
        self.v = self.u if v is None else convert(v)
        self.diag_update = None if diag_update is None else convert(diag_update)
        super().__init__(base_operator.dtype, **hints)

    def _scaled(self) -> Any:
        return (
            self.u
            if self.diag_update is None
            else multiply(self.u, expand_dims(self.diag_update, -2))
        )

    def _matrix(self) -> Any:
        return self.base_operator.to_dense() + matmul(self._scaled(), self.v, adjoint_b=True)

    def _times(self, x: Any) -> Any:
        return self.base_operator.matmul(x) + matmul(
            self._scaled(), matmul(self.v, x, adjoint_a=True)
        )


class LinearOperatorToeplitz(LinearOperator):
    """A matrix that is constant along its diagonals.

    Args:
        col: Tensor [..., n]: the first column.
        row: Tensor [..., n]: the first row; its first element is not read.
        **hints: See `LinearOperator`.

    >>> LinearOperatorToeplitz([1.0, 2.0], [1.0, 3.0]).to_dense().numpy()
    array([[1., 3.],
           [2., 1.]], dtype=float32)
    """

    def __init__(self, col: Any, row: Any, **hints: Any) -> None:
        self.col, self.row = convert(col), convert(row)
        super().__init__(self.col.dtype, **{"is_square": True, **hints})

    def _matrix(self) -> Any:
        from .index import gather_op

        n = self.col.shape[-1]
        # Both in one vector, from the last of the column to the last of the row.
        joined = concat(
            [
                getitem(self.col, (..., slice(None, None, -1))),
                getitem(self.row, (..., slice(1, None))),
            ],
            axis=-1,
        )
        places = (n - 1) + np.arange(n) - np.arange(n)[:, None]
        return gather_op(joined, constant(places.astype(np.int64)), axis=joined.shape.rank - 1)


class LinearOperatorCirculant(LinearOperator):
    """A circulant matrix, given by its spectrum: a product is a convolution.

    Args:
        spectrum: Tensor [..., n].
        input_output_dtype: Type of the vectors. Default complex64.
        **hints: See `LinearOperator`.

    >>> LinearOperatorCirculant([2.0, 2.0], input_output_dtype="float32").to_dense().numpy()
    array([[2., 0.],
           [0., 2.]], dtype=float32)
    """

    def __init__(
        self, spectrum: Any, input_output_dtype: Any = dtypes.complex64, **hints: Any
    ) -> None:
        self.spectrum = convert(spectrum)
        super().__init__(input_output_dtype, **{"is_square": True, **hints})

    def _filtered(self, x: Any, spectrum: Any) -> Any:
        from .fourier import fft, ifft

        kind = dtypes.complex128 if self.dtype.real_dtype == dtypes.float64 else dtypes.complex64
        moved = fft(matrix_transpose(cast(x, kind)))
        made = matrix_transpose(ifft(multiply(moved, expand_dims(cast(spectrum, kind), -2))))
        return made if self.dtype.is_complex else real(made)

    def _times(self, x: Any) -> Any:
        return self._filtered(x, self.spectrum)

    def _solved(self, rhs: Any) -> Any:
        return self._filtered(rhs, real_divide(1.0, self.spectrum))

    def _matrix(self) -> Any:
        return self._times(eye(self.spectrum.shape[-1], dtype=self.dtype))

    @property
    def shape(self) -> TensorShape:
        """Shape of the matrices."""
        return self.spectrum.shape.concatenate([self.spectrum.shape[-1]])

    def determinant(self, name: str | None = None) -> Any:
        """Determinant."""
        return cast(reduce_prod(self.spectrum, axis=-1), self.dtype)

    def log_abs_determinant(self, name: str | None = None) -> Any:
        """Logarithm of the absolute value of the determinant."""
        return reduce_sum(log(absolute(self.spectrum)), axis=-1)


class LinearOperatorTridiag(LinearOperator):
    """A matrix with three diagonals.

    Args:
        diagonals: Upper, main and lower diagonal: a tensor [..., 3, n], or three tensors for "sequence".
        diagonals_format: "compact" (default), "sequence" or "matrix".
        **hints: See `LinearOperator`.

    >>> LinearOperatorTridiag([[1.0, 0.0], [2.0, 4.0], [0.0, 3.0]]).to_dense().numpy()
    array([[2., 1.],
           [3., 4.]], dtype=float32)
    """

    def __init__(self, diagonals: Any, diagonals_format: str = "compact", **hints: Any) -> None:
        from .matrix_functions import _tridiagonal

        self.diagonals, self.diagonals_format = diagonals, diagonals_format
        self._whole = _tridiagonal(diagonals, diagonals_format, "LinearOperatorTridiag")
        super().__init__(self._whole.dtype, **{"is_square": True, **hints})

    def _matrix(self) -> Any:
        return self._whole


for _cls in list(globals().values()):
    if isinstance(_cls, type) and issubclass(_cls, LinearOperator):
        _cls.__module__ = "eagercore"
