"""Products of matrices, where they are large enough to use several threads.

NumPy's BLAS stays in charge of small ones and of products with a vector. It also starts threads of
its own for large ones, which would then compete with the kernels' threads: another reason to do
those here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import kernel
from .binary import rectify_in_place
from .library import check
from .program import (
    BIAS,
    DATA_FLOAT32,
    DESTINATION,
    FLOAT32,
    QUERY_WEIGHTS,
    SOURCE,
    WEIGHTS,
    Attributes,
    Primitive,
    Program,
    address,
    anyhow,
    empty,
    kind_of,
    on_threads,
    packed,
    programs,
    strided,
)

LEAST = 1 << 18
"""Multiplications in one product beyond which BLAS uses threads."""

LEAST_BATCHED = 1 << 20
"""Multiplications in a batch of products, which NumPy does one after the other."""

SINGLE = 1 << 22
"""Multiplications up to which one thread does them all."""

LARGE = 1 << 30, 1 << 10
"""Multiplications, and rows and columns, from which copying blocks of both factors pays: rows that lie a multiple of
some kilobytes apart share a few lines of the cache."""

Array = np.ndarray
Ints = tuple[int, ...]


@kernel("matmul_op", least=4 * 4)
def matmul(a: Array, b: Array, *, transpose_a: bool = False, transpose_b: bool = False) -> Any:
    """Product of matrices, or of batches of them that broadcast."""
    shape = b.shape
    if len(shape) < 2 or a.size * shape[-2 if transpose_b else -1] <= LEAST:
        return NotImplemented
    return run_matmul(a, b, transpose_a=transpose_a, transpose_b=transpose_b)


def run_matmul(
    a: Array,
    b: Array,
    bias: Array | None = None,
    *,
    transpose_a: bool = False,
    transpose_b: bool = False,
    activation: str | None = None,
    alpha: float = 0.0,
) -> Any:
    """Product of matrices with a bias and an elementwise function applied on the way out.

    Args:
        a: Array [..., m, k] (with `transpose_a`: [..., k, m]).
        b: Array [..., k, n] (with `transpose_b`: [..., n, k]).
        bias: None or an array [n].
        transpose_a: Whether the last two axes of `a` are exchanged.
        transpose_b: Whether the last two axes of `b` are exchanged.
        activation: None or a name of :data:`.program.ELTWISE`.
        alpha: Parameter of the activation.

    Returns:
        Array [..., m, n], or NotImplemented.
    """
    if a.dtype is not b.dtype or a.ndim < 2 or b.ndim < 2:
        return NotImplemented
    if a.dtype is not FLOAT32 and kind_of(a, b) is None:
        return NotImplemented
    left = a.swapaxes(-1, -2) if transpose_a else a
    right = b.swapaxes(-1, -2) if transpose_b else b
    rows, inner = left.shape[-2:]
    columns = right.shape[-1]
    if inner != right.shape[-2]:
        return NotImplemented
    if left.ndim > 2 and right.ndim == 2 and left.flags.c_contiguous:
        # A batch times one matrix is one taller matrix.
        flat = run_matmul(left.reshape(-1, inner), right, bias, activation=activation, alpha=alpha)
        return flat if flat is NotImplemented else flat.reshape(*left.shape[:-1], columns)
    fused = bias is not None or activation is not None
    if left.ndim == right.ndim == 2:
        work = rows * inner * columns
        if not fused and (work <= LEAST or rows < 4 or columns < 4):
            return NotImplemented
    elif left.size * columns < LEAST_BATCHED or rows < 4 or columns < 4:
        return NotImplemented
    return _multiply(left, right, bias, activation, alpha)


def _multiply(
    left: Array, right: Array, bias: Array | None, activation: str | None, alpha: float
) -> Any:
    batch = _broadcast(left.shape[:-2], right.shape[:-2])
    if batch is None:
        return NotImplemented
    left, right = _readable(left, len(batch) + 2), _readable(right, len(batch) + 2)
    shape = (*batch, left.shape[-2], right.shape[-1])
    single = left.dtype is FLOAT32
    if single and not batch and bias is None and activation is None and _is_large(left, right):
        y = empty(shape)
        _multiply_large(left, right, y)
        return y
    if 0 in shape or 0 in left.shape or (bias is not None and bias.shape != shape[-1:]):
        return NotImplemented
    # OneDNN's own rectifier turns NaN into 0, so that it is not fused.
    rectified = activation == "relu" and not alpha
    if rectified and not single:
        return NotImplemented
    fused = (bias is not None, None if rectified else activation, alpha)
    key = ("matmul", single, left.shape, left.strides, right.shape, right.strides, fused)
    program = programs.get(key, _build, left, right, shape, fused)
    if program is None:
        return NotImplemented
    y = empty(shape, left.dtype)
    if bias is None:
        program.run(left, right, y)
    else:
        program.run(left, right, y, np.ascontiguousarray(bias, FLOAT32))
    if rectified:
        rectify_in_place(y)
    return y


def multiply_into(left: Array, right: Array, out: Array) -> bool:
    """`left @ right` of two float32 matrices into a contiguous array; False where oneDNN does not do it."""
    if left.dtype is not FLOAT32 or right.dtype is not FLOAT32 or not out.flags.c_contiguous:
        return False
    left, right = _readable(left, 2), _readable(right, 2)
    if _is_large(left, right):
        _multiply_large(left, right, out)
        return True
    fused = (False, None, 0.0)
    key = ("matmul", True, left.shape, left.strides, right.shape, right.strides, fused)
    program = programs.get(key, _build, left, right, out.shape, fused)
    if program is None:
        return False
    program.run(left, right, out)
    return True


def _is_large(left: Array, right: Array) -> bool:
    (rows, inner), columns = left.shape[-2:], right.shape[-1]
    work, least = LARGE
    return rows >= least and columns >= least and rows * inner * columns >= work


def _multiply_large(left: Array, right: Array, out: Array) -> None:
    """`left @ right` into a contiguous array by the library's own gemm, which copies blocks of both."""
    rows, inner, columns = *left.shape, right.shape[1]
    first, step = _as_stored(left)
    second, pace = _as_stored(right)
    lib = on_threads()
    status = lib.sgemm(
        *(first, second, rows, columns, inner, 1.0, address(left), step),
        *(address(right), pace, 0.0, address(out), columns),
    )
    check(status, "sgemm")


def _as_stored(matrix: Array) -> tuple[bytes, int]:
    """Whether a matrix is stored turned, and the elements from one of its stored rows to the next."""
    over, along = matrix.strides
    return (b"N", over // 4) if along == 4 and over >= 4 * matrix.shape[1] else (b"T", along // 4)


def _broadcast(first: Ints, second: Ints) -> Ints | None:
    """Common shape of two batches; None where they do not fit (the reference says so)."""
    if first == second:
        return first
    try:
        return np.broadcast_shapes(first, second)
    except ValueError:
        return None


def _readable(array: Array, rank: int) -> Array:
    """The array with `rank` axes and strides that oneDNN reads without a detour."""
    steps, each = array.strides, array.itemsize
    straight = steps[-1] == each and steps[-2] >= each * array.shape[-1]
    turned = steps[-2] == each and steps[-1] >= each * array.shape[-2]
    if not (straight or turned) or min(steps) <= 0:
        array = np.ascontiguousarray(array)
    return array.reshape((1,) * (rank - array.ndim) + array.shape)


def _build(left: Array, right: Array, shape: Ints, fused: Any) -> Program:
    with_bias, activation, alpha = fused
    program = Program(single=left.size * shape[-1] < SINGLE)
    kind = kind_of(left, right) or DATA_FLOAT32
    first, second = (
        strided(array.shape, tuple(step // array.itemsize for step in array.strides), kind)
        for array in (left, right)
    )
    result = packed(shape, kind)
    bias = packed((1,) * (len(shape) - 1) + shape[-1:]) if with_bias else None
    attributes = Attributes()
    if activation is not None:
        attributes.fuse((activation, alpha, 0.0))
    # Where blocks are not copied, as above, the library is left to choose how the second factor lies.
    copied = len(shape) == 2 and _is_large(left, right)
    chosen = anyhow(right.shape, kind) if copied else second
    primitive = Primitive("matmul", first, chosen, bias, result, attributes=attributes)
    arguments = {
        SOURCE: program.array(first),
        WEIGHTS: program.reordered_input(program.array(second), primitive.layout(QUERY_WEIGHTS)),
        DESTINATION: program.array(result),
    }
    if bias is not None:
        arguments[BIAS] = program.array(bias)
    program.step(primitive, arguments)
    return program
