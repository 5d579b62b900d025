"""The primitives of pooling; `pool.py` has TensorFlow's functions made of them.

Channels last, in any number of spatial dimensions. Padding takes no part: a maximum never falls on
it, an average does not count it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..base import errors
from ..base.shapes import TensorSpec
from ..base.windows import output_size, output_sizes, resolve_padding, taps
from ..core.coerce import Ints, Shape
from ..core.op import op
from .convolution import sizes_of


@op
def max_pool(xp: Any, x: Any, *, window: Ints, strides: Ints, padding: Any) -> Any:
    """Largest element of each window; NaN where the window holds one.

    Args:
        x: Tensor [N, *spatial, channels].
        window: Size of the window for each spatial dimension.
        strides: Step of the window for each spatial dimension.
        padding: (before, after) for each spatial dimension; None in place of a pair stands for
            "SAME", worked out from the size.

    Returns:
        Tensor [N, *output, channels].

    >>> max_pool([[[1.], [3.], [2.]]], window=(2,), strides=(1,), padding=((0, 0),)).numpy().ravel()
    array([3., 3.], dtype=float32)
    """
    plan = _Plan("MaxPool", x.shape, window, strides, padding)
    y = np.full(plan.y_shape, _lowest(x.dtype), x.dtype)
    for _, source, target in plan.taps():
        np.maximum(y[target], x[source], out=y[target])
    return y


@max_pool.vjp
def _max_pool_vjp(dy, y, x, *, window, strides, padding):
    return max_pool_gradient(dy, x, y, window=window, strides=strides, padding=padding)


@op(constant=("x", "y"))
def max_pool_gradient(
    xp: Any, dy: Any, x: Any, y: Any, *, window: Ints, strides: Ints, padding: Any
) -> Any:
    """Gradient of `max_pool`: to the first largest element of each window.

    Args:
        dy: Gradient of the result.
        x: The input of `max_pool`.
        y: The result of `max_pool`.
        window: See `max_pool`.
        strides: See `max_pool`.
        padding: See `max_pool`.

    Returns:
        Tensor of the shape of `x`.

    >>> x, y = [[[1.], [3.], [3.]]], [[[3.]]]
    >>> max_pool_gradient([[[1.]]], x, y, window=(3,), strides=(3,), padding=((0, 0),)
    ...                   ).numpy().ravel()
    array([0., 1., 0.], dtype=float32)
    """
    plan = _Plan("MaxPoolGrad", x.shape, window, strides, padding)
    dx = np.zeros(x.shape, dy.dtype)
    for source, target, chosen in plan.choices(x, y):
        dx[source] += np.where(chosen, dy[target], dy.dtype.type(0))
    return dx


@max_pool_gradient.vjp
def _max_pool_gradient_vjp(g, _dx, _dy, x, y, *, window, strides, padding):
    picked = max_pool_select(g, x, y, window=window, strides=strides, padding=padding)
    return picked, None, None


@op(constant=("x", "y"))
def max_pool_select(
    xp: Any, g: Any, x: Any, y: Any, *, window: Ints, strides: Ints, padding: Any
) -> Any:
    """Elements of `g` from where `max_pool` took those of `x` (its forward-mode derivative).

    Args:
        g: Tensor of the shape of `x`.
        x: The input of `max_pool`.
        y: The result of `max_pool`.
        window: See `max_pool`.
        strides: See `max_pool`.
        padding: See `max_pool`.

    Returns:
        Tensor of the shape of `y`.

    >>> x, y, g = [[[1.], [3.], [2.]]], [[[3.]]], [[[10.], [20.], [30.]]]
    >>> max_pool_select(g, x, y, window=(3,), strides=(3,), padding=((0, 0),)).numpy().item()
    20.0
    """
    plan = _Plan("MaxPoolGradGrad", x.shape, window, strides, padding)
    picked = np.zeros(y.shape, g.dtype)
    for source, target, chosen in plan.choices(x, y):
        np.copyto(picked[target], g[source], where=chosen)
    return picked


@max_pool_select.vjp
def _max_pool_select_vjp(dy, _picked, _g, x, y, *, window, strides, padding):
    spread = max_pool_gradient(dy, x, y, window=window, strides=strides, padding=padding)
    return spread, None, None


@op(outputs=2, differentiable=False)
def max_pool_argmax(xp: Any, x: Any, *, window: Ints, strides: Ints, padding: Any) -> Any:
    """Largest element of each window and where it lies (the first of equals).

    Args:
        x: Tensor [N, *spatial, channels].
        window: See `max_pool`.
        strides: See `max_pool`.
        padding: See `max_pool`.

    Returns:
        The result of `max_pool`, and int64 positions in one flattened element of the batch.

    >>> y, where = max_pool_argmax([[[1.], [3.], [2.]]], window=(3,), strides=(3,),
    ...                            padding=((0, 0),))
    >>> where.numpy().item()
    1
    """
    plan = _Plan("MaxPoolWithArgmax", x.shape, window, strides, padding)
    y = max_pool.forward(np, x, window=window, strides=strides, padding=padding)
    places = np.arange(int(np.prod(x.shape[1:]))).reshape(1, *x.shape[1:])
    where = np.zeros(y.shape, np.int64)
    for source, target, chosen in plan.choices(x, y):
        here = np.broadcast_to(places[source], chosen.shape)
        np.copyto(where[target], here, where=chosen)
    return y, where


@op(kinds="f")
def avg_pool(xp: Any, x: Any, *, window: Ints, strides: Ints, padding: Any) -> Any:
    """Average of each window, over the elements that are not padding.

    Args:
        x: Tensor [N, *spatial, channels].
        window: See `max_pool`.
        strides: See `max_pool`.
        padding: See `max_pool`.

    Returns:
        Tensor [N, *output, channels].

    >>> avg_pool([[[1.], [3.], [5.]]], window=(2,), strides=(2,), padding=((0, 1),)).numpy().ravel()
    array([2., 5.], dtype=float32)
    """
    plan = _Plan("AvgPool", x.shape, window, strides, padding)
    total = np.zeros(plan.y_shape, _accumulator(x.dtype))
    for _, source, target in plan.taps():
        total[target] += x[source]
    total /= plan.counts(total.dtype)
    return total.astype(x.dtype, copy=False)


@avg_pool.vjp
def _avg_pool_vjp(dy, _y, x, *, window, strides, padding):
    return avg_pool_gradient(
        dy, input_shape=sizes_of(x), window=window, strides=strides, padding=padding
    )


@op(kinds="f")
def avg_pool_gradient(
    xp: Any, dy: Any, *, input_shape: Shape, window: Ints, strides: Ints, padding: Any
) -> Any:
    """Gradient of `avg_pool`.

    Args:
        dy: Gradient of the result.
        input_shape: Shape of the input; its first entry is taken from `dy`.
        window: See `max_pool`.
        strides: See `max_pool`.
        padding: See `max_pool`.

    Returns:
        Tensor of shape `input_shape`.

    >>> avg_pool_gradient([[[1.], [1.]]], input_shape=(1, 3, 1), window=(2,), strides=(2,),
    ...                   padding=((0, 1),)).numpy().ravel()
    array([0.5, 0.5, 1. ], dtype=float32)
    """
    shape = (dy.shape[0], *(int(size) for size in input_shape[1:]))
    plan = _Plan("AvgPoolGrad", shape, window, strides, padding)
    share = dy / plan.counts(dy.dtype)
    dx = np.zeros(shape, _accumulator(dy.dtype))
    for _, source, target in plan.taps():
        dx[source] += share[target]
    return dx.astype(dy.dtype, copy=False)


@avg_pool_gradient.vjp
def _avg_pool_gradient_vjp(g, _dx, _dy, *, input_shape, window, strides, padding):
    return avg_pool(g, window=window, strides=strides, padding=padding)


# --------------------------------------------------------------------------------------- shapes


def _pooled(op_name: str, x: Any, window: Any, strides: Any, padding: Any) -> Any:
    if x.shape.rank is None:
        return None
    _check(op_name, x.shape.as_list(), window)
    lines = zip(x.shape[1:-1], window, strides, padding)
    sizes = [output_size(size, extent, stride, 1, pair) for size, extent, stride, pair in lines]
    return [x.shape[0], *sizes, x.shape[-1]]


@max_pool.shape_rule
def _max_pool_rule(x, *, window, strides, padding):
    return TensorSpec(_pooled("MaxPool", x, window, strides, padding), x.dtype)


@avg_pool.shape_rule
def _avg_pool_rule(x, *, window, strides, padding):
    return TensorSpec(_pooled("AvgPool", x, window, strides, padding), x.dtype)


@max_pool_argmax.shape_rule
def _max_pool_argmax_rule(x, *, window, strides, padding):
    shape = _pooled("MaxPoolWithArgmax", x, window, strides, padding)
    return TensorSpec(shape, x.dtype), TensorSpec(shape, "int64")


@max_pool_gradient.shape_rule
def _max_pool_gradient_rule(dy, x, y, **_geometry):
    return TensorSpec(x.shape, dy.dtype)


@max_pool_select.shape_rule
def _max_pool_select_rule(g, x, y, **_geometry):
    return TensorSpec(y.shape, g.dtype)


@avg_pool_gradient.shape_rule
def _avg_pool_gradient_rule(dy, *, input_shape, **_geometry):
    if not isinstance(input_shape, tuple):
        return TensorSpec(None, dy.dtype)
    batch = dy.shape[0] if dy.shape.rank else None
    return TensorSpec([batch, *input_shape[1:]], dy.dtype)


# -------------------------------------------------------------------------------------- samples

_SAMPLES = (
    ((2, 6, 3), (2,), (2,), ((0, 0),)),
    ((2, 5, 7, 2), (3, 2), (2, 2), ((1, 1), (0, 1))),
    ((1, 4, 4, 3), (2, 2), (1, 1), ((0, 1), (0, 1))),
    ((1, 3, 4, 5, 1), (2, 2, 3), (1, 2, 2), ((0, 0), (0, 0), (1, 1))),
    ((1, 1, 1, 1), (1, 1), (1, 1), ((0, 0), (0, 0))),
)


def _sampled(rng: Any) -> Iterator[tuple[Any, dict[str, Any]]]:
    for shape, window, strides, padding in _SAMPLES:
        # Distinct values, well apart: a maximum that changes has no derivative.
        x = rng.permutation(int(np.prod(shape))).reshape(shape) / 4.0
        yield x, {"window": window, "strides": strides, "padding": padding}


@max_pool.samples
def _max_pool_samples(rng):
    for x, geometry in _sampled(rng):
        yield (x,), geometry


@max_pool_argmax.samples
def _max_pool_argmax_samples(rng):
    yield from _max_pool_samples(rng)


@avg_pool.samples
def _avg_pool_samples(rng):
    yield from _max_pool_samples(rng)


@max_pool_gradient.samples
def _max_pool_gradient_samples(rng):
    for x, geometry in _sampled(rng):
        y = max_pool.forward(np, x, **geometry)
        yield (rng.standard_normal(y.shape), x, y), geometry


@max_pool_select.samples
def _max_pool_select_samples(rng):
    for x, geometry in _sampled(rng):
        y = max_pool.forward(np, x, **geometry)
        yield (rng.standard_normal(x.shape), x, y), geometry


@avg_pool_gradient.samples
def _avg_pool_gradient_samples(rng):
    for x, geometry in _sampled(rng):
        y = avg_pool.forward(np, x, **geometry)
        yield (rng.standard_normal(y.shape),), {"input_shape": x.shape, **geometry}


# ------------------------------------------------------------------------------- reference code


class _Plan:
    """Sizes of one pooling, checked."""

    def __init__(
        self,
        op_name: str,
        shape: Sequence[int],
        window: Sequence[int],
        strides: Sequence[int],
        padding: Sequence[Any],
    ) -> None:
        _check(op_name, shape, window)
        self.window, self.strides = tuple(window), tuple(strides)
        self.sizes, ones = tuple(shape[1:-1]), (1,) * len(window)
        self.padding = resolve_padding(padding, self.sizes, self.window, self.strides, ones)
        self.outputs = output_sizes(self.sizes, self.window, self.strides, ones, self.padding)
        self.y_shape = (shape[0], *self.outputs, shape[-1])

    def taps(self) -> Iterator[Any]:
        """The window's elements, with the slices of input and output that they connect."""
        ones, whole = (1,) * len(self.window), slice(None)
        for tap, source, target in taps(
            self.sizes, self.outputs, self.window, self.strides, ones, self.padding
        ):
            yield tap, (whole, *source), (whole, *target)

    def choices(self, x: np.ndarray, y: np.ndarray) -> Iterator[Any]:
        """For each tap the outputs whose maximum it is, each output once.

        An element is the maximum if it is not below it: so a NaN goes to the window's first.
        """
        free = np.ones(y.shape, bool)
        for _, source, target in self.taps():
            chosen = ~np.less(x[source], y[target])
            chosen &= free[target]
            free[target] &= ~chosen
            yield source, target, chosen

    def counts(self, dtype: Any) -> np.ndarray:
        """Number of elements that are not padding, for each output (at least 1)."""
        counts = np.zeros((1, *self.outputs, 1), dtype)
        for _, _, target in self.taps():
            counts[target] += 1
        return np.maximum(counts, 1)


def _lowest(dtype: Any) -> Any:
    if dtype.kind in "iu":
        return np.iinfo(dtype).min
    return False if dtype.kind == "b" else -np.inf


def _accumulator(dtype: Any) -> Any:
    """Half precision is summed in float32."""
    return np.float32 if dtype.itemsize == 2 else dtype


def _check(op_name: str, shape: Sequence[Any], window: Sequence[int]) -> None:
    if len(shape) != len(window) + 2:
        raise errors.shape_error(
            op_name,
            f"Pooling over {len(window)} spatial dimensions takes an input of rank "
            f"{len(window) + 2}, [batch, *spatial, channels], got shape {list(shape)}.",
        )
