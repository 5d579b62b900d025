"""`tf.linalg`: linear algebra."""

from .ops.clip import global_norm
from .ops.create import eye
from .ops.decompositions import (
    cholesky,
    cholesky_solve,
    eig,
    eigh,
    eigvals,
    eigvalsh,
    logdet,
    lu,
    lu_matrix_inverse,
    lu_reconstruct,
    lu_solve,
    qr,
    svd,
)
from .ops.einsum import einsum, tensordot
from .ops.linalg import matmul
from .ops.linear_equations import det, inv, slogdet, solve, triangular_solve
from .ops.linear_operators import (
    LinearOperator,
    LinearOperatorAdjoint,
    LinearOperatorBlockDiag,
    LinearOperatorBlockLowerTriangular,
    LinearOperatorCirculant,
    LinearOperatorComposition,
    LinearOperatorDiag,
    LinearOperatorFullMatrix,
    LinearOperatorHouseholder,
    LinearOperatorIdentity,
    LinearOperatorInversion,
    LinearOperatorKronecker,
    LinearOperatorLowerTriangular,
    LinearOperatorLowRankUpdate,
    LinearOperatorPermutation,
    LinearOperatorScaledIdentity,
    LinearOperatorToeplitz,
    LinearOperatorTridiag,
    LinearOperatorZeros,
)
from .ops.matrix import (
    adjoint,
    band_part,
    cross,
    diag,
    diag_part,
    matrix_transpose,
    matvec,
    norm,
    normalize,
    set_diag,
    tensor_diag,
    tensor_diag_part,
    trace,
)
from .ops.matrix_functions import (
    banded_triangular_solve,
    eigh_tridiagonal,
    expm,
    logm,
    lstsq,
    matrix_rank,
    pinv,
    sqrtm,
    tridiagonal_matmul,
    tridiagonal_solve,
)
from .ops.moments import l2_normalize
from .ops.shape import transpose
