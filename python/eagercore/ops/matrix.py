"""Matrices as arrangements of numbers: diagonals, bands, transposes, norms and products with vectors."""

from __future__ import annotations

import numpy as np

from ..base import dtypes, errors
from ..core import coerce
from ..core.op import movement
from ..core.tensor import convert
from .arithmetic import _conj, multiply, real_divide, square
from .complexes import abs as absolute
from .create import cast, shape_of
from .exponential import sqrt
from .linalg import matmul
from .reduce import reduce_max, reduce_sum
from .shape import expand_dims, squeeze, stack, transpose


@movement(label="MatrixBandPart")
def band_part_op(xp, input, *, lower: int, upper: int):
    """A band around the diagonal of matrices; the rest is 0.

    Args:
        input: Tensor [..., rows, columns].
        lower: Number of diagonals below the main one; negative for all.
        upper: Number of diagonals above the main one; negative for all.

    Returns:
        Tensor of the same shape and dtype.

    >>> band_part_op([[1, 2], [3, 4]], lower=0, upper=-1).numpy()
    array([[1, 2],
           [0, 4]], dtype=int32)
    """
    if input.ndim < 2:
        raise errors.shape_error(
            "MatrixBandPart", f"input must be at least 2-dim, received shape: {list(input.shape)}"
        )
    rows, columns = input.shape[-2:]
    i, j = np.arange(rows)[:, None], np.arange(columns)
    keep = ((lower < 0) | (i - j <= lower)) & ((upper < 0) | (j - i <= upper))
    return xp.where(keep, input, xp.zeros((), input.dtype))


@band_part_op.vjp
def band_part_vjp(dy, _y, _x, *, lower, upper):
    return band_part_op(dy, lower=lower, upper=upper)


@band_part_op.samples
def band_part_samples(rng):
    yield (rng.normal(size=(3, 4)),), {"lower": 1, "upper": 0}
    yield (rng.normal(size=(2, 3, 3)),), {"lower": -1, "upper": 1}


def band_part(input, num_lower, num_upper, name=None):
    """A band around the diagonal of matrices; the rest is 0.

    Args:
        input: Tensor [..., rows, columns].
        num_lower: Number of diagonals below the main one; negative for all.
        num_upper: Number of diagonals above the main one; negative for all.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the same shape and dtype: `band_part(x, -1, 0)` is the lower triangle.

    >>> band_part([[1, 2], [3, 4]], -1, 0).numpy()
    array([[1, 0],
           [3, 4]], dtype=int32)
    """
    return band_part_op(input, lower=num_lower, upper=num_upper)


def _padded_diagonals(k, rows, columns, align):
    """For each diagonal of the band k = (low, high), highest first: (offset, length, start in its padded row)."""
    low, high = k
    right_sup, right_sub = align.split("_")[0] == "RIGHT", align.split("_")[1] == "RIGHT"
    found = []
    for offset in range(high, low - 1, -1):
        length = min(rows + min(offset, 0), columns - max(offset, 0))
        found.append((offset, max(length, 0)))
    longest = max(length for _, length in found)
    placed = []
    for offset, length in found:
        # The main diagonal counts as a super-diagonal.
        right = right_sup if offset >= 0 else right_sub
        placed.append((offset, length, longest - length if right else 0))
    return placed, longest


def _band(k, name):
    band = coerce.as_ints(k, name, "k")
    band = (band[0], band[0]) if len(band) == 1 else band
    if len(band) != 2 or band[0] > band[1]:
        raise errors.value_error(name, f"k must be one offset or a pair (low, high), got {k}.")
    return band


@movement(label="MatrixDiagV3", free=("padding_value",), constant=("padding_value",))
def matrix_diag_op(xp, diagonal, padding_value, *, k, num_rows: int, num_cols: int, align: str):
    """Matrices with given diagonals.

    Args:
        diagonal: Tensor [..., n], or [..., diagonals, longest] for a band.
        padding_value: Scalar that stands elsewhere.
        k: Pair (low, high) of offsets of diagonals.
        num_rows: Number of rows, or None.
        num_cols: Number of columns, or None.
        align: How shorter diagonals are aligned: "RIGHT_LEFT" ...

    Returns:
        Tensor [..., rows, columns].

    >>> matrix_diag_op([1, 2], 0, k=(0, 0), num_rows=None, num_cols=None, align="RIGHT_LEFT").numpy()
    array([[1, 0],
           [0, 2]], dtype=int32)
    """
    low, high = k
    single = low == high
    lead = diagonal.shape[:-1] if single else diagonal.shape[:-2]
    if not single and (diagonal.ndim < 2 or diagonal.shape[-2] != high - low + 1):
        raise errors.shape_error(
            "MatrixDiagV3",
            f"The number of rows of `diagonal` must be {high - low + 1} for k = {k}, got shape {list(diagonal.shape)}.",
        )
    longest = diagonal.shape[-1]
    rows = num_rows if num_rows not in (None, -1) else longest - min(high, 0)
    columns = num_cols if num_cols not in (None, -1) else longest + max(low, 0)
    if num_rows in (None, -1) and num_cols in (None, -1):
        rows = columns = max(rows, columns)
    out = np.empty((*lead, rows, columns), diagonal.dtype)
    out[...] = padding_value
    placed, width = _padded_diagonals(k, rows, columns, align)
    if width != longest:
        raise errors.shape_error(
            "MatrixDiagV3",
            f"the longest diagonal of a {rows} x {columns} matrix in the band {k} has {width} elements, got {longest}.",
        )
    for position, (offset, length, start) in enumerate(placed):
        part = diagonal if single else diagonal[..., position, :]
        i = np.arange(length)
        out[..., i - min(offset, 0), i + max(offset, 0)] = part[..., start : start + length]
    return out


@matrix_diag_op.vjp
def matrix_diag_vjp(dy, _y, _diagonal, _padding, *, k, num_rows, num_cols, align):
    from .create import constant

    zero = constant(0, dy.dtype)
    return matrix_diag_part_op(dy, zero, k=k, align=align), None


@matrix_diag_op.samples
def matrix_diag_samples(rng):
    zero = np.float64(0)
    plain = {"num_rows": None, "num_cols": None, "align": "RIGHT_LEFT"}
    yield (rng.normal(size=(2, 3)), zero), {"k": (0, 0), **plain}
    yield (rng.normal(size=(3,)), zero), {"k": (1, 1), **plain}
    band = rng.normal(size=(3, 3))
    band[0, 0] = band[2, 2] = 0
    yield (rng.normal(size=(2, 3, 3)), zero), {"k": (-1, 1), **plain}


@movement(label="MatrixDiagPartV3", free=("padding_value",), constant=("padding_value",))
def matrix_diag_part_op(xp, input, padding_value, *, k, align: str):
    """Diagonals of matrices.

    Args:
        input: Tensor [..., rows, columns].
        padding_value: Scalar that fills up shorter diagonals of a band.
        k: Pair (low, high) of offsets of diagonals.
        align: How shorter diagonals are aligned: "RIGHT_LEFT" ...

    Returns:
        Tensor [..., n], or [..., diagonals, longest] for a band.

    >>> matrix_diag_part_op([[1, 2], [3, 4]], 0, k=(0, 0), align="RIGHT_LEFT").numpy()
    array([1, 4], dtype=int32)
    """
    if input.ndim < 2:
        raise errors.shape_error(
            "MatrixDiagPartV3", f"input must be at least 2-dim, received shape: {list(input.shape)}"
        )
    rows, columns = input.shape[-2:]
    placed, longest = _padded_diagonals(k, rows, columns, align)
    out = np.empty((*input.shape[:-2], len(placed), longest), input.dtype)
    out[...] = padding_value
    for position, (offset, length, start) in enumerate(placed):
        i = np.arange(length)
        out[..., position, start : start + length] = input[
            ..., i - min(offset, 0), i + max(offset, 0)
        ]
    return out[..., 0, :] if k[0] == k[1] else out


@matrix_diag_part_op.vjp
def matrix_diag_part_vjp(dy, _y, _x, _padding, *, k, align):
    from .create import constant

    rows, columns = shape_of(_x)[-2:]
    zero = constant(0, dy.dtype)
    return matrix_diag_op(dy, zero, k=k, num_rows=rows, num_cols=columns, align=align), None


@matrix_diag_part_op.samples
def matrix_diag_part_samples(rng):
    zero = np.float64(0)
    yield (rng.normal(size=(3, 3)), zero), {"k": (0, 0), "align": "RIGHT_LEFT"}
    yield (rng.normal(size=(2, 3, 4)), zero), {"k": (-1, 1), "align": "RIGHT_LEFT"}
    yield (rng.normal(size=(3, 4)), zero), {"k": (-1, 2), "align": "LEFT_RIGHT"}
    yield (rng.normal(size=(3, 4)), zero), {"k": (1, 1), "align": "LEFT_LEFT"}


ALIGNMENTS = ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT")


def _alignment(align):
    if align not in ALIGNMENTS:
        raise ValueError(f"align must be one of {ALIGNMENTS}, got {align!r}.")
    return align


def _filler(value, dtype):
    from .create import constant

    return cast(convert(value), dtype) if hasattr(value, "_key") else constant(value, dtype)


def diag(diagonal, name="diag", k=0, num_rows=-1, num_cols=-1, padding_value=0, align="RIGHT_LEFT"):
    """Matrices with given diagonals.

    Args:
        diagonal: Tensor [..., n]; or [..., diagonals, longest] for a band, highest diagonal first.
        name: Accepted for TensorFlow's sake.
        k: Offset of the diagonal (above the main one when positive), or a pair (low, high).
        num_rows: Number of rows; default as few as there can be.
        num_cols: Number of columns; default as few as there can be.
        padding_value: What stands elsewhere. Default 0.
        align: How shorter diagonals are aligned in a band. Default "RIGHT_LEFT".

    Returns:
        Tensor [..., rows, columns].

    Raises:
        InvalidArgumentError: If the diagonals do not fit the matrix.

    >>> diag([1, 2]).numpy()
    array([[1, 0],
           [0, 2]], dtype=int32)
    """
    diagonal = convert(diagonal)
    return matrix_diag_op(
        diagonal,
        _filler(padding_value, diagonal.dtype),
        k=_band(k, "MatrixDiag"),
        num_rows=num_rows,
        num_cols=num_cols,
        align=_alignment(align),
    )


def diag_part(input, name="diag_part", k=0, padding_value=0, align="RIGHT_LEFT"):
    """Diagonals of matrices.

    Args:
        input: Tensor [..., rows, columns].
        name: Accepted for TensorFlow's sake.
        k: Offset of the diagonal (above the main one when positive), or a pair (low, high).
        padding_value: What fills up shorter diagonals of a band. Default 0.
        align: How shorter diagonals are aligned in a band. Default "RIGHT_LEFT".

    Returns:
        Tensor [..., n]; or [..., diagonals, longest] for a band, highest diagonal first.

    >>> diag_part([[1, 2], [3, 4]]).numpy()
    array([1, 4], dtype=int32)
    """
    input = convert(input)
    return matrix_diag_part_op(
        input,
        _filler(padding_value, input.dtype),
        k=_band(k, "MatrixDiagPart"),
        align=_alignment(align),
    )


@movement(label="MatrixSetDiagV3")
def set_diag_op(xp, input, diagonal, *, k, align: str):
    """Matrices with other diagonals.

    Args:
        input: Tensor [..., rows, columns].
        diagonal: Tensor [..., n] or [..., diagonals, longest] of the same dtype.
        k: Pair (low, high) of offsets of diagonals.
        align: How shorter diagonals are aligned.

    Returns:
        Tensor of the shape of `input`.

    >>> set_diag_op([[1, 2], [3, 4]], [8, 9], k=(0, 0), align="RIGHT_LEFT").numpy()
    array([[8, 2],
           [3, 9]], dtype=int32)
    """
    rows, columns = input.shape[-2:]
    placed, longest = _padded_diagonals(k, rows, columns, align)
    wanted = (
        (*input.shape[:-2], longest) if k[0] == k[1] else (*input.shape[:-2], len(placed), longest)
    )
    if diagonal.shape != wanted:
        raise errors.shape_error(
            "MatrixSetDiagV3",
            f"diagonal must have shape {list(wanted)} for input {list(input.shape)}, got {list(diagonal.shape)}.",
        )
    out = np.array(input)
    for position, (offset, length, start) in enumerate(placed):
        part = diagonal if k[0] == k[1] else diagonal[..., position, :]
        i = np.arange(length)
        out[..., i - min(offset, 0), i + max(offset, 0)] = part[..., start : start + length]
    return out


@set_diag_op.vjp
def set_diag_vjp(dy, _y, _input, _diagonal, *, k, align, needs):
    from .create import constant, zeros_like

    zero = constant(0, dy.dtype)
    return (
        set_diag_op(dy, zeros_like(_diagonal), k=k, align=align) if needs[0] else None,
        matrix_diag_part_op(dy, zero, k=k, align=align) if needs[1] else None,
    )


@set_diag_op.samples
def set_diag_samples(rng):
    yield (rng.normal(size=(3, 3)), rng.normal(size=(3,))), {"k": (0, 0), "align": "RIGHT_LEFT"}
    yield (
        (rng.normal(size=(2, 3, 4)), rng.normal(size=(2, 3, 3))),
        {"k": (-1, 1), "align": "RIGHT_LEFT"},
    )


def set_diag(input, diagonal, name="set_diag", k=0, align="RIGHT_LEFT"):
    """Matrices with other diagonals.

    Args:
        input: Tensor [..., rows, columns].
        diagonal: Tensor [..., n] of the same dtype; or [..., diagonals, longest] for a band.
        name: Accepted for TensorFlow's sake.
        k: Offset of the diagonal, or a pair (low, high).
        align: How shorter diagonals are aligned in a band. Default "RIGHT_LEFT".

    Returns:
        Tensor of the shape of `input`.

    Raises:
        InvalidArgumentError: If the diagonal does not fit.

    >>> set_diag([[1, 2], [3, 4]], [8, 9]).numpy()
    array([[8, 2],
           [3, 9]], dtype=int32)
    """
    return set_diag_op(input, diagonal, k=_band(k, "MatrixSetDiag"), align=_alignment(align))


@movement
def spread_diagonal(xp, x, *, letters: str, target: str):
    """Zeros in whose repeated axes `x` stands on the diagonal: the converse of an einsum such as "ii->i".

    Args:
        x: Tensor with one axis for each letter of `letters`.
        letters: Different letters, one for each axis.
        target: The same letters, some of them repeated.

    Returns:
        Tensor with one axis for each letter of `target`.

    >>> spread_diagonal([1, 2], letters="i", target="ii").numpy()
    array([[1, 0],
           [0, 2]], dtype=int32)
    """
    sizes = dict(zip(letters, x.shape))
    out = np.zeros([sizes[c] for c in target], x.dtype)
    grids = dict(zip(letters, np.ix_(*(np.arange(d) for d in x.shape))))
    out[tuple(grids[c] for c in target)] = x
    return out


@spread_diagonal.vjp
def spread_diagonal_vjp(dy, _y, _x, *, letters, target):
    from .einsum import einsum_op

    return einsum_op([dy], equation=f"{target}->{letters}")


@spread_diagonal.samples
def spread_diagonal_samples(rng):
    yield (rng.normal(size=(2, 3)),), {"letters": "ij", "target": "iji"}


def tensor_diag(diagonal, name=None):
    """A tensor on whose diagonal `diagonal` stands: of shape D + D for a shape D.

    Args:
        diagonal: Tensor.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of twice the rank.

    >>> tensor_diag([1, 2]).numpy()
    array([[1, 0],
           [0, 2]], dtype=int32)
    """
    diagonal = convert(diagonal)
    letters = "abcdefghijklm"[: diagonal.shape.rank]
    return spread_diagonal(diagonal, letters=letters, target=letters + letters)


def tensor_diag_part(input, name=None):
    """Diagonal of a tensor of shape D + D.

    Args:
        input: Tensor of even rank.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of shape D.

    Raises:
        InvalidArgumentError: If the shape is not of the form D + D.

    >>> tensor_diag_part([[1, 2], [3, 4]]).numpy()
    array([1, 4], dtype=int32)
    """
    from .einsum import einsum_op

    input = convert(input)
    half = input.shape.rank // 2
    if input.shape.rank % 2 or list(input.shape[:half]) != list(input.shape[half:]) or not half:
        raise errors.shape_error(
            "DiagPart", f"the input must have a shape of the form D + D, got {input.shape}."
        )
    letters = "abcdefghijklm"[:half]
    return einsum_op([input], equation=f"{letters + letters}->{letters}")


def trace(x, name=None):
    """Sum of the diagonal of matrices.

    Args:
        x: Tensor [..., rows, columns].
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [...].

    >>> trace([[1, 2], [3, 4]]).numpy()
    np.int32(5)
    """
    return reduce_sum(diag_part(x), axis=-1)


def matrix_transpose(a, name="matrix_transpose", conjugate=False):
    """Matrices with rows and columns exchanged.

    Args:
        a: Tensor [..., rows, columns].
        name: Accepted for TensorFlow's sake.
        conjugate: Whether elements are conjugated too.

    Returns:
        Tensor [..., columns, rows].

    Raises:
        ValueError: If the rank is less than 2.

    >>> matrix_transpose([[1, 2]]).numpy()
    array([[1],
           [2]], dtype=int32)
    """
    a = convert(a)
    rank = a.shape.rank
    if rank is None or rank < 2:
        raise ValueError(
            f"Argument `a` should be a (batch) matrix with rank >= 2. Received `a` = {a} with shape: {a.shape}"
        )
    order = [*range(rank - 2), rank - 1, rank - 2]
    return transpose(a, order, conjugate=conjugate)


def adjoint(matrix, name=None):
    """Matrices transposed and conjugated.

    Args:
        matrix: Tensor [..., rows, columns].
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [..., columns, rows].

    >>> adjoint([[1 + 2j]]).numpy()
    array([[1.-2.j]])
    """
    return matrix_transpose(matrix, conjugate=True)


def matvec(
    a, b, transpose_a=False, adjoint_a=False, a_is_sparse=False, b_is_sparse=False, name=None
):
    """Product of matrices with vectors.

    Args:
        a: Tensor [..., n, k].
        b: Tensor [..., k] of the same dtype.
        transpose_a: Whether `a` is transposed first.
        adjoint_a: Whether `a` is conjugated and transposed first.
        a_is_sparse: Accepted for TensorFlow's sake.
        b_is_sparse: Accepted for TensorFlow's sake.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [..., n].

    >>> matvec([[1, 2], [3, 4]], [1, 1]).numpy()
    array([3, 7], dtype=int32)
    """
    a = convert(a)
    b = b if hasattr(b, "_key") else convert(b, a.dtype)
    made = matmul(a, expand_dims(b, -1), transpose_a=transpose_a, adjoint_a=adjoint_a)
    return squeeze(made, axis=-1)


def cross(a, b, name=None):
    """Cross product of vectors of three elements.

    Args:
        a: Tensor [..., 3].
        b: Tensor of the same shape and dtype.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [..., 3].

    Raises:
        InvalidArgumentError: If the last axis has not size 3.

    >>> cross([1, 0, 0], [0, 1, 0]).numpy()
    array([0, 0, 1], dtype=int32)
    """
    a = convert(a)
    b = b if hasattr(b, "_key") else convert(b, a.dtype)
    if a.shape != b.shape or a.shape.rank == 0 or a.shape[-1] != 3:
        raise errors.shape_error(
            "Cross", f"both inputs must have one shape [..., 3], got {a.shape} and {b.shape}."
        )
    a0, a1, a2 = (a[..., i] for i in range(3))
    b0, b1, b2 = (b[..., i] for i in range(3))
    parts = [a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0]
    return stack(parts, axis=-1)


def norm(tensor, ord="euclidean", axis=None, keepdims=None, name=None, keep_dims=None):
    """Norm of vectors or matrices.

    Args:
        tensor: Floating or complex tensor.
        ord: "euclidean" (default), "fro", 1, 2, `np.inf` or another positive number.
        axis: None for the norm of all elements, an axis for vectors, two axes for matrices.
        keepdims: Whether the axes stay, with size 1.
        name: Accepted for TensorFlow's sake.
        keep_dims: TensorFlow 1's name of `keepdims`.

    Returns:
        Real tensor (the euclidean norm of complex numbers is a complex tensor, as in TensorFlow). Its gradient at
        0 is nan.

    Raises:
        ValueError: If the norm is not known.

    >>> norm([3.0, 4.0]).numpy()
    np.float32(5.0)
    """
    keep = bool(keep_dims if keepdims is None else keepdims)
    tensor = convert(tensor)
    if tensor.dtype.is_integer:
        tensor = cast(tensor, dtypes.float32)
    matrix = isinstance(axis, list | tuple) and len(axis) == 2
    if matrix and ord in (1, 2, np.inf, "fro", "euclidean") and ord not in ("fro", "euclidean"):
        return _matrix_norm(tensor, ord, [int(a) for a in axis], keep)
    if ord in ("fro", "euclidean", 2, 2.0) and (ord != "fro" or matrix):
        squares = multiply(tensor, _conj(tensor)) if tensor.dtype.is_complex else square(tensor)
        return sqrt(reduce_sum(squares, axis=axis, keepdims=keep))
    if isinstance(ord, str) or matrix or not ord > 0:
        raise ValueError(
            f"'ord' must be 'euclidean', 'fro' (for matrices), 1, 2, np.inf or a positive number. Received {ord!r}."
        )
    size = absolute(tensor)
    if ord == 1:
        return reduce_sum(size, axis=axis, keepdims=keep)
    if ord == np.inf:
        return reduce_max(size, axis=axis, keepdims=keep)
    return reduce_sum(size ** float(ord), axis=axis, keepdims=keep) ** (1.0 / float(ord))


def _matrix_norm(x, ord, axis, keep):
    rank = x.shape.rank
    rows, columns = (a % rank for a in axis)
    if ord == 2:
        from .decompositions import svd

        order = [i for i in range(rank) if i not in (rows, columns)] + [rows, columns]
        made = reduce_max(svd(transpose(x, order), compute_uv=False), axis=-1)
    else:
        inner, outer = (rows, columns) if ord == 1 else (columns, rows)
        made = reduce_max(
            reduce_sum(absolute(x), axis=inner, keepdims=True), axis=outer, keepdims=True
        )
        made = squeeze(made, axis=(rows, columns))
    if not keep:
        return made
    for a in sorted((rows, columns)):
        made = expand_dims(made, a)
    return made


def normalize(tensor, ord="euclidean", axis=None, name=None):
    """A tensor over its norm, and the norm.

    Args:
        tensor: Floating or complex tensor.
        ord: Kind of norm, see `norm`.
        axis: Axes, see `norm`.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tuple (tensor / norm, norm with its axes kept).

    >>> normalize([3.0, 4.0])[0].numpy()
    array([0.6, 0.8], dtype=float32)
    """
    tensor = convert(tensor)
    size = norm(tensor, ord=ord, axis=axis, keepdims=True)
    return real_divide(tensor, cast(size, tensor.dtype)), size
