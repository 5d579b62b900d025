"""Linear algebra: products of matrices first of all."""

from __future__ import annotations

import numpy as np

from ..base import errors
from ..base.shapes import TensorShape, TensorSpec, broadcast_shapes
from ..core.op import contraction
from .sum_to import sum_to_like


def _t(x):
    return np.swapaxes(x, -1, -2)


@contraction(
    label="MatMul",
    kinds="iufc",
    aliases={"adj_x": "adjoint_a", "adj_y": "adjoint_b"},
)
def matmul_op(xp, a, b, *, transpose_a: bool = False, transpose_b: bool = False):
    """Product of matrices, or of batches of them.

    Args:
        a: Tensor [..., n, k].
        b: Tensor [..., k, m] of the same dtype.
        transpose_a: Whether the last two axes of `a` are exchanged first.
        transpose_b: Whether the last two axes of `b` are exchanged first.

    Returns:
        Tensor [..., n, m].

    >>> matmul_op([[1.0, 2.0]], [[3.0], [4.0]]).numpy()
    array([[11.]], dtype=float32)
    """
    if xp is np and a.ndim == 2 and b.ndim == 2 and a.dtype.kind == "f":
        try:
            # The call of BLAS that np.matmul makes, at a third of the cost around it.
            return (a.T if transpose_a else a).dot(b.T if transpose_b else b)
        except ValueError:
            pass  # The sizes: told below.
    if a.ndim < 2 or b.ndim < 2:
        raise errors.shape_error(
            "MatMul",
            f"In[0] and In[1] ndims must be >= 2: got shapes {list(a.shape)} and {list(b.shape)}. "
            "Use tf.expand_dims or tf.linalg.matvec.",
        )
    left, right = (_t(a) if transpose_a else a), (_t(b) if transpose_b else b)
    if left.shape[-1] != right.shape[-2]:
        raise errors.shape_error("MatMul", _sizes(a.shape, b.shape, transpose_a, transpose_b))
    made = xp.matmul(left, right)
    # NumPy has no product of bfloat16 of its own: it gives float32.
    return made if made.dtype is a.dtype or made.dtype == a.dtype else made.astype(a.dtype)


def _sizes(a, b, transpose_a, transpose_b):
    turned = [n for n, t in (("a", transpose_a), ("b", transpose_b)) if t]
    note = f" ({' and '.join(turned)} transposed)" if turned else ""
    inner_a, inner_b = a[-2 if transpose_a else -1], b[-1 if transpose_b else -2]
    return (
        f"Matrix size-incompatible: In[0]: {list(a)}, In[1]: {list(b)}{note}: the inner dimensions "
        "must be equal, "
        f"but {inner_a} != {inner_b}. Transpose one of them (transpose_a=, transpose_b=) or reshape it."
    )


@matmul_op.shape_rule
def matmul_rule(a, b, *, transpose_a, transpose_b):
    if a.dtype != b.dtype:
        raise errors.dtype_error(
            "MatMul",
            f"expected two tensors of one dtype, got {a.dtype.name} {a.shape} and {b.dtype.name} "
            f"{b.shape}. Use tf.cast.",
        )
    if a.shape.rank is None or b.shape.rank is None:
        return TensorSpec(None, a.dtype)
    if a.shape.rank < 2 or b.shape.rank < 2:
        raise errors.shape_error(
            "MatMul", f"In[0] and In[1] ndims must be >= 2: got {a.shape} and {b.shape}."
        )
    inner_a, inner_b = a.shape[-2 if transpose_a else -1], b.shape[-1 if transpose_b else -2]
    if inner_a is not None and inner_b is not None and inner_a != inner_b:
        raise errors.shape_error(
            "MatMul", _sizes(a.shape.as_list(), b.shape.as_list(), transpose_a, transpose_b)
        )
    batch = broadcast_shapes(TensorShape(a.shape[:-2]), TensorShape(b.shape[:-2]))
    return TensorSpec(
        [*batch, a.shape[-1 if transpose_a else -2], b.shape[-2 if transpose_b else -1]], a.dtype
    )


@matmul_op.vjp
def matmul_op_vjp(dy, _y, a, b, *, transpose_a, transpose_b, needs):
    from .arithmetic import _conj

    da = db = None
    if needs[0]:
        b = _conj(b)
        if transpose_a:
            da = matmul_op(b, dy, transpose_a=transpose_b, transpose_b=True)
        else:
            da = matmul_op(dy, b, transpose_b=not transpose_b)
        da = sum_to_like(da, a)
    if needs[1]:
        a = _conj(a)
        if transpose_b:
            db = matmul_op(dy, a, transpose_a=True, transpose_b=transpose_a)
        else:
            db = matmul_op(a, dy, transpose_a=not transpose_a)
        db = sum_to_like(db, b)
    return da, db


@matmul_op.vjp_of_arrays
def matmul_op_arrays(dy, _y, a, b, needs, *, transpose_a, transpose_b):
    a, b, product = a._array, b._array, matmul_op.run
    if a.ndim != 2 or b.ndim != 2:
        return NotImplemented
    da = db = None
    if needs[0]:
        if transpose_a:
            da = product(b, dy, transpose_a=transpose_b, transpose_b=True)
        else:
            da = product(dy, b, transpose_b=not transpose_b)
    if needs[1]:
        if transpose_b:
            db = product(dy, a, transpose_a=True, transpose_b=transpose_a)
        else:
            db = product(a, dy, transpose_a=not transpose_a)
    return da, db


@matmul_op.samples
def matmul_op_samples(rng):
    yield (rng.normal(size=(2, 3)), rng.normal(size=(3, 4))), {}
    yield (
        (rng.normal(size=(3, 2)), rng.normal(size=(4, 3))),
        {"transpose_a": True, "transpose_b": True},
    )
    yield (rng.normal(size=(5, 2, 3)), rng.normal(size=(1, 4, 3))), {"transpose_b": True}
    yield (rng.normal(size=(2, 3, 2)), rng.normal(size=(3, 2))), {"transpose_a": True}


def matmul(
    a, b, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False,
    a_is_sparse=False, b_is_sparse=False, output_type=None, name=None,
):  # fmt: skip
    """Product of matrices, or of batches of them whose leading axes broadcast.

    Args:
        a: Tensor [..., n, k].
        b: Tensor [..., k, m] of the same dtype.
        transpose_a: Whether the last two axes of `a` are exchanged first.
        transpose_b: Whether the last two axes of `b` are exchanged first.
        adjoint_a: Whether `a` is conjugated and transposed first.
        adjoint_b: Whether `b` is conjugated and transposed first.
        a_is_sparse: Accepted for TensorFlow's sake.
        b_is_sparse: Accepted for TensorFlow's sake.
        output_type: Type of the result; default that of the inputs.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor [..., n, m].

    Raises:
        InvalidArgumentError: If the inner dimensions or the dtypes differ.

    >>> matmul([[1.0, 2.0]], [[3.0], [4.0]]).numpy()
    array([[11.]], dtype=float32)
    """
    if not (transpose_a or transpose_b or adjoint_a or adjoint_b or output_type):
        return matmul_op.entry(a, b)
    from .arithmetic import conj
    from .create import cast

    if transpose_a and adjoint_a or transpose_b and adjoint_b:
        raise ValueError("Only one of transpose and adjoint can be True.")
    if adjoint_a:
        a = conj(a)
    if adjoint_b:
        b = conj(b)
    made = matmul_op(
        a, b, transpose_a=transpose_a or adjoint_a, transpose_b=transpose_b or adjoint_b
    )
    return made if output_type is None else cast(made, output_type)
