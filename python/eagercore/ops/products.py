"""Products and running sums and products."""

from __future__ import annotations

import numpy as np

from ..core.coerce import Axis
from ..core.op import op, reduction
from .arithmetic import _conj, multiply
from .reduce import NAMES, _axes, spread


def _others(xp, x, axes):
    """For each element the product of the others along `axes`, exact where some are zero."""
    axes = tuple(range(x.ndim)) if axes is None else axes
    zero = x == 0
    zeros = xp.sum(zero, axis=axes, keepdims=True)
    without = xp.prod(
        xp.where(zero, xp.ones((), x.dtype), x), axis=axes, keepdims=True, dtype=x.dtype
    )
    safe = xp.where(zero, xp.ones((), x.dtype), x)
    some = xp.where(
        zeros == 0,
        without / safe if x.dtype.kind in "fc" else without // safe,
        xp.zeros((), x.dtype),
    )
    return xp.where((zeros == 1) & zero, without, some)


@reduction(label="Prod", kinds="iufc", aliases=NAMES)
def reduce_prod(xp, input_tensor, *, axis: Axis = None, keepdims: bool = False):
    """Product over the axes in `axis` (all of them when it is None).

    Args:
        input_tensor: Tensor of numbers.
        axis: Axis or axes, 0-based. Default all.
        keepdims: Whether reduced axes stay, with size 1.

    Returns:
        Tensor of the dtype of `input_tensor`.

    >>> reduce_prod([1, 2, 3]).numpy()
    np.int32(6)
    """
    return xp.prod(
        input_tensor,
        axis=_axes(input_tensor, axis, "Prod"),
        keepdims=keepdims,
        dtype=input_tensor.dtype,
    )


@reduce_prod.vjp
def reduce_prod_vjp(dy, _y, x, *, axis, keepdims):
    return multiply(spread(dy, x, axis, keepdims), _conj(product_of_others(x, axis=axis)))


@op(kinds="iufc")
def product_of_others(xp, x, *, axis: Axis = None):
    """For each element the product of the other elements along the axes, right where some are zero.

    Args:
        x: Tensor of numbers.
        axis: Axis or axes. Default all.

    Returns:
        Tensor of the shape of `x`.

    >>> product_of_others([1.0, 2.0, 3.0]).numpy()
    array([6., 3., 2.], dtype=float32)
    """
    return _others(np, x, _axes(x, axis, "Prod"))


@product_of_others.vjp
def product_of_others_vjp(dy, _y, x, *, axis):
    from .compare import equal
    from .create import ones_like, zeros_like
    from .reduce import reduce_sum
    from .select import where

    # Away from zeros: d(prod_{k != i} x_k)/dx_j = y_i / x_j for j != i; an exact zero is left out of the sum.
    x = _conj(x)
    zero = equal(x, zeros_like(x))
    safe = where(zero, ones_like(x), x)
    weighted = multiply(dy, product_of_others(x, axis=axis))
    total = reduce_sum(weighted, axis=axis, keepdims=True)
    return where(zero, zeros_like(x), (total - weighted) / safe)


@product_of_others.samples
def product_of_others_samples(rng):
    yield (rng.uniform(0.5, 2, size=(2, 3)),), {"axis": 1}
