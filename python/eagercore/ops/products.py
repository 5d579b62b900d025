"""Products and running sums and products."""

from __future__ import annotations

import numpy as np

from ..core.coerce import Axis
from ..core.op import op, reduction
from .arithmetic import _conj, multiply
from .cumulative import cumprod_op, cumprod_vjp
from .reduce import NAMES, _axes, reduce_sum, reducers, spread
from .shape import reshape
from .shape import shape as shape_of


def _others(x, axes):
    """For each element the product of the others along `axes`, also where some are zero, NaN or too large."""
    axes = tuple(range(x.ndim)) if axes is None else tuple(axis % x.ndim for axis in axes)
    if x.dtype.kind in "fc":
        whole = np.multiply.reduce(x, axis=axes, keepdims=True, dtype=x.dtype)
        size = np.abs(whole)
        if np.all(np.isfinite(size) & (size >= np.finfo(size.dtype).tiny)):
            return whole / x
    # Without a division: the product of those before each element, and of those behind it.
    kept = tuple(axis for axis in range(x.ndim) if axis not in axes)
    rows = x.transpose(*kept, *axes)
    shape = rows.shape
    rows = rows.reshape(*shape[: len(kept)], int(np.prod(shape[len(kept) :], dtype=np.int64)))
    before, behind = np.ones_like(rows), np.ones_like(rows)
    np.multiply.accumulate(rows[..., :-1], axis=-1, out=before[..., 1:])
    np.multiply.accumulate(rows[..., :0:-1], axis=-1, out=behind[..., -2::-1])
    made = (before * behind).reshape(shape)
    return made.transpose(np.argsort((*kept, *axes)))


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
    return reducers(xp)[3](
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
    """For each element the product of the other elements along the axes, also where some are zero or not finite.

    Args:
        x: Tensor of numbers.
        axis: Axis or axes. Default all.

    Returns:
        Tensor of the shape of `x`.

    >>> product_of_others([1.0, 2.0, 3.0]).numpy()
    array([6., 3., 2.], dtype=float32)
    """
    return _others(x, _axes(x, axis, "Prod"))


@product_of_others.vjp
def product_of_others_vjp(dy, _y, x, *, axis):
    if axis is None:
        rows = product_of_others_vjp(reshape(dy, (-1,)), None, reshape(x, (-1,)), axis=(0,))
        return reshape(rows, shape_of(x))
    first, *rest = (axis,) if isinstance(axis, int) else axis
    if not rest:
        # What goes back through the running products from both ends, which needs no division.
        left = _conj(cumprod_op(x, axis=first, exclusive=True))
        right = _conj(cumprod_op(x, axis=first, exclusive=True, reverse=True))
        back = cumprod_vjp(multiply(dy, right), None, x, axis=first, exclusive=True, reverse=False)
        return back + cumprod_vjp(
            multiply(dy, left), None, x, axis=first, exclusive=True, reverse=True
        )
    # The others of all axes: those along the first, times those of its products along the rest.
    products = reduce_prod(x, axis=first, keepdims=True)
    along = product_of_others(x, axis=first)
    beyond = product_of_others(products, axis=rest)
    down = product_of_others_vjp(multiply(dy, _conj(beyond)), None, x, axis=first)
    total = reduce_sum(multiply(dy, _conj(along)), axis=first, keepdims=True)
    over = product_of_others_vjp(total, None, products, axis=rest)
    return down + multiply(over, _conj(along))


@product_of_others.samples
def product_of_others_samples(rng):
    yield (rng.uniform(0.5, 2, size=(2, 3)),), {"axis": 1}
    yield (np.array([[2.0, 0.0, 3.0], [0.0, 0.5, 0.0]]),), {"axis": 1}
    yield (rng.uniform(0.5, 2, size=(2, 3, 2)) * [[1.0], [0.0], [1.0]],), {"axis": [0, 1]}
    yield (rng.normal(size=(2, 3)) + 1j,), {}
