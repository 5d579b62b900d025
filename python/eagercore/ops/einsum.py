"""Sums of products over named axes."""

from __future__ import annotations

import numpy as np

from ..base import errors
from ..base.shapes import TensorSpec
from ..core import coerce
from ..core.op import contraction
from ..core.tensor import convert
from .arithmetic import _conj
from .create import shape_of
from .shape import reshape, transpose
from .sum_to import broadcast_to, sum_to


@contraction(label="Einsum", kinds="iufc")
def einsum_op(xp, *inputs, equation):
    """Sum of products over named axes.

    Args:
        inputs: Tensors of one dtype.
        equation: Letters of the axes, such as "ij,jk->ik", with `...` written out as capital letters.

    Returns:
        Tensor.

    >>> einsum_op([[[1, 2]], [[3], [4]]], equation="ij,jk->ik").numpy()
    array([[11]], dtype=int32)
    """
    if len(inputs) == 2 and (made := _as_matmul(xp, equation, *inputs)) is not None:
        return made
    return xp.einsum(equation, *inputs, optimize=len(inputs) > 2).astype(inputs[0].dtype)


def _as_matmul(xp, equation, a, b):
    """A contraction of two tensors as one product of matrices, which runs on BLAS; None where it is not one."""
    left, out = equation.split("->")
    one, two = left.split(",")
    if len(set(one)) < len(one) or len(set(two)) < len(two):
        return None
    summed = [c for c in one if c in two and c not in out]
    batch = [c for c in one if c in two and c in out]
    own_a, own_b = [c for c in one if c not in two], [c for c in two if c not in one]
    if not summed or any(c not in out for c in own_a + own_b):
        return None
    sizes = {**dict(zip(one, a.shape)), **dict(zip(two, b.shape))}
    if any(dict(zip(one, a.shape))[c] != dict(zip(two, b.shape))[c] for c in batch + summed):
        return None

    def arranged(x, letters, order, dims):
        return x.transpose([letters.index(c) for c in order]).reshape(dims)

    def size(letters):
        return int(np.prod([sizes[c] for c in letters], dtype=np.int64))

    lead = [sizes[c] for c in batch]
    first = arranged(a, one, batch + own_a + summed, (*lead, size(own_a), size(summed)))
    second = arranged(b, two, batch + summed + own_b, (*lead, size(summed), size(own_b)))
    made = xp.matmul(first, second).astype(a.dtype)
    letters = batch + own_a + own_b
    return made.reshape([sizes[c] for c in letters]).transpose([letters.index(c) for c in out])


@einsum_op.vjp
def einsum_vjp(dy, _y, *inputs, equation, needs):
    left, out = equation.split("->")
    terms = left.split(",")
    return [_back(dy, inputs, terms, out, i) if need else None for i, need in enumerate(needs)]


def _back(dy, inputs, terms, out, position):
    """Gradient of one input: the equation with that input and the result exchanged."""
    own, like = terms[position], inputs[position]
    others = [t for i, t in enumerate(terms) if i != position]
    if len(set(own)) < len(own):
        return _back_repeated(dy, inputs, terms, out, position)
    known = set(out).union(*others)
    # Axes that were summed over in this input alone come back by broadcasting.
    present = "".join(c for c in own if c in known)
    parts = [dy, *(_conj(x) for i, x in enumerate(inputs) if i != position)]
    grad = einsum_op(parts, equation=",".join([out, *others]) + "->" + present)
    dims = shape_of(like)
    if present != own:
        grad = reshape(grad, tuple(dims[own.index(c)] if c in present else 1 for c in own))
    if grad.shape != like.shape:
        full = tuple(dims)
        if any(a != b and a != 1 for a, b in zip(grad.shape, like.shape, strict=True)):
            return sum_to(grad, shape=full)
        grad = broadcast_to(grad, shape=full)
    return grad


def _back_repeated(dy, inputs, terms, out, position):
    """An input with a repeated letter is its diagonal: the gradient stands on that diagonal."""
    from .matrix import spread_diagonal

    own = terms[position]
    single = "".join(dict.fromkeys(own))
    like = inputs[position]
    dims = dict(zip(own, shape_of(like)))
    others = [t for i, t in enumerate(terms) if i != position]
    known = set(out).union(*others)
    present = "".join(c for c in single if c in known)
    parts = [dy, *(_conj(x) for i, x in enumerate(inputs) if i != position)]
    grad = einsum_op(parts, equation=",".join([out, *others]) + "->" + present)
    grad = reshape(grad, tuple(dims[c] if c in present else 1 for c in single))
    grad = broadcast_to(grad, shape=tuple(dims[c] for c in single))
    return spread_diagonal(grad, letters=single, target=own)


@einsum_op.shape_rule
def einsum_rule(*inputs, equation):
    left, out = equation.split("->")
    sizes: dict = {}
    for spec, letters in zip(inputs, left.split(","), strict=True):
        if spec.shape.rank is None:
            return TensorSpec([None] * len(out), inputs[0].dtype)
        for c, d in zip(letters, spec.shape, strict=True):
            if sizes.get(c) in (None, 1):
                sizes[c] = d if d is not None or c not in sizes else None
    return TensorSpec([sizes[c] for c in out], inputs[0].dtype)


@einsum_op.samples
def einsum_samples(rng):
    a, b = rng.normal(size=(2, 3)), rng.normal(size=(3, 4))
    yield ([a, b],), {"equation": "ij,jk->ik"}
    yield ([a, b],), {"equation": "ij,jk->ki"}
    yield ([rng.normal(size=(2, 3, 4)), rng.normal(size=(2, 4, 2))],), {"equation": "bij,bjk->bik"}
    yield ([a],), {"equation": "ij->j"}
    yield ([a],), {"equation": "ij->ji"}
    yield ([rng.normal(size=(3, 3))],), {"equation": "ii->i"}
    yield ([rng.normal(size=(3, 3))],), {"equation": "ii->"}
    yield ([a, rng.normal(size=(2,)), b],), {"equation": "ij,i,jk->k"}
    yield ([a, a],), {"equation": "ij,ij->"}
    yield ([a + 1j, b - 2j],), {"equation": "ij,jk->ik"}


def einsum(equation, *inputs, **kwargs):
    """Sum of products over named axes: Einstein's notation.

    Args:
        equation: Letters of the axes of each input, and after `->` those of the result; `...` stands for
            axes that broadcast. Without `->` the result has the letters that come once, in order.
        *inputs: Tensors of one dtype.
        **kwargs: `optimize` and `name`, accepted for TensorFlow's sake.

    Returns:
        Tensor.

    Raises:
        ValueError: If the equation does not fit the inputs.

    >>> einsum("ij,jk->ik", [[1, 2]], [[3], [4]]).numpy()
    array([[11]], dtype=int32)
    """
    kwargs.pop("name", None)
    kwargs.pop("optimize", None)
    if kwargs:
        raise TypeError(
            f"Invalid keyword arguments for einsum: {', '.join(kwargs)}. Expected: optimize, name."
        )
    tensors = (
        list(inputs[0])
        if len(inputs) == 1 and isinstance(inputs[0], list | tuple) and "," in equation
        else list(inputs)
    )
    first = next((t for t in tensors if hasattr(t, "_key")), None)
    tensors = [
        convert(t) if first is None or hasattr(t, "_key") else convert(t, first.dtype)
        for t in tensors
    ]
    return einsum_op(tensors, equation=_written_out(equation, tensors))


def _written_out(equation, tensors):
    text = "".join(equation.split())
    left, arrow, right = text.partition("->")
    terms = left.split(",")
    if len(terms) != len(tensors):
        raise ValueError(
            f'Got {len(tensors)} arguments for equation "{equation}", expecting {len(terms)}.'
        )
    plain = [t.replace("...", "") for t in terms]
    for letters in [*plain, right.replace("...", "")]:
        if letters and not letters.isalpha():
            raise ValueError(f'Invalid equation "{equation}": axes are named by letters.')
    used = set("".join(plain) + right)
    spare = [c for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" if c not in used]
    ranks = [
        t.shape.rank - len(p) if "..." in term else 0
        for t, p, term in zip(tensors, plain, terms, strict=True)
    ]
    for t, p, term, extra in zip(tensors, plain, terms, ranks, strict=True):
        if extra < 0 or "..." not in term and t.shape.rank is not None and t.shape.rank != len(p):
            raise ValueError(
                f'Expected the operand of the subscripts "{term}" to have rank {len(p)}, got shape {t.shape}.'
            )
    longest = "".join(spare[: max(ranks, default=0)])
    done = [
        term.replace("...", longest[len(longest) - n :] if n else "")
        for term, n in zip(terms, ranks, strict=True)
    ]
    if not arrow:
        joined = "".join(plain)
        right = ("..." if "..." in left else "") + "".join(
            c for c in sorted(set(joined)) if joined.count(c) == 1
        )
    out = right.replace("...", longest)
    missing = [c for c in out if c not in "".join(done)]
    if missing or len(set(out)) < len(out):
        raise ValueError(
            f'Invalid equation "{equation}": each letter of the result must come once, and in an input.'
        )
    return ",".join(done) + "->" + out


def tensordot(a, b, axes, name=None):
    """Sum of products over some axes of both tensors.

    Args:
        a: Tensor.
        b: Tensor of the same dtype.
        axes: A number n (the last n axes of `a` with the first n of `b`), or two lists of axes.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of the axes of `a` and of `b` that are left.

    Raises:
        ValueError: If there are not as many axes for both.
        InvalidArgumentError: If the sizes differ.

    >>> tensordot([[1, 2]], [[3], [4]], axes=1).numpy()
    array([[11]], dtype=int32)
    """
    from .linalg import matmul_op

    a = convert(a)
    b = b if hasattr(b, "_key") else convert(b, a.dtype)
    first, second = _axes_of(axes, a.shape.rank, b.shape.rank)
    dims_a, dims_b = shape_of(a), shape_of(b)
    for i, j in zip(first, second, strict=True):
        if isinstance(dims_a[i], int) and isinstance(dims_b[j], int) and dims_a[i] != dims_b[j]:
            raise errors.shape_error(
                "Tensordot",
                f"axis {i} of shape {a.shape} has size {dims_a[i]}, axis {j} of shape {b.shape} has size {dims_b[j]}.",
            )
    free_a = [i for i in range(len(dims_a)) if i not in first]
    free_b = [i for i in range(len(dims_b)) if i not in second]
    inner = _product([dims_a[i] for i in first])
    left = reshape(transpose(a, free_a + first), (_product([dims_a[i] for i in free_a]), inner))
    right = reshape(transpose(b, second + free_b), (inner, _product([dims_b[i] for i in free_b])))
    return reshape(
        matmul_op(left, right), (*(dims_a[i] for i in free_a), *(dims_b[i] for i in free_b))
    )


def _product(sizes):
    total = 1
    for s in sizes:
        total = total * s
    return total


def _axes_of(axes, rank_a, rank_b):
    axes = coerce.plain(axes)
    if np.ndim(axes) == 0 and not isinstance(axes, list | tuple):
        n = int(axes)
        if not 0 <= n <= min(rank_a, rank_b):
            raise ValueError(f"`axes` must be between 0 and {min(rank_a, rank_b)}, got {n}.")
        return list(range(rank_a - n, rank_a)), list(range(n))
    if len(axes) != 2:
        raise ValueError(f"`axes` must be an integer or have length 2. Received {axes}.")
    first, second = (
        [int(v) for v in np.atleast_1d(np.asarray(coerce.plain(part)))] for part in axes
    )
    if len(first) != len(second):
        raise ValueError(
            f"Different number of contraction axes `a` and `b`, {len(first)} != {len(second)}."
        )
    return [i % rank_a for i in first], [j % rank_b for j in second]
