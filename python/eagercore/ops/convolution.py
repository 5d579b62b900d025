"""The primitives of convolution; `conv.py` has TensorFlow's functions made of them.

Three primitives carry everything, in 1, 2 and 3 spatial dimensions, channels last: the convolution,
its gradient with respect to the data (which is the transposed convolution) and its gradient with
respect to the filters. Each is linear in both inputs, and the gradients of each are the other two,
so that gradients of any order need nothing more.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..base.shapes import TensorSpec
from ..base.windows import output_size
from ..core.coerce import Ints, Shape
from ..core.op import contraction
from . import im2col
from .create import shape_of


@contraction
def convolution(
    xp: Any, x: Any, filters: Any, *, strides: Ints, padding: Any, dilations: Ints, groups: int = 1
) -> Any:
    """Convolution (without flipping the filters), channels last.

    Args:
        x: Tensor [N, *spatial, inputs] with 1, 2 or 3 spatial dimensions.
        filters: Tensor [*window, inputs / groups, outputs].
        strides: Step of the window, an int for each spatial dimension.
        padding: Zeros (before, after) for each spatial dimension; None in place of a pair stands
            for "SAME", worked out from the size.
        dilations: Distance of the window's elements, an int for each spatial dimension.
        groups: Number of groups into which the channels are split.

    Returns:
        Tensor [N, *output, outputs].

    Raises:
        InvalidArgumentError: The channels of `x` and `filters` do not fit each other.

    >>> convolution([[[1.], [2.], [3.]]], [[[1.]], [[1.]]], strides=(1,), padding=((0, 0),),
    ...             dilations=(1,)).numpy().ravel()
    array([3., 5.], dtype=float32)
    """
    plan = im2col.Plan(x.shape, filters.shape, strides, padding, dilations, groups)
    return im2col.in_full_precision(im2col.convolve, plan, x, filters)


@convolution.vjp
def _convolution_vjp(dy, _y, x, filters, *, strides, padding, dilations, groups, needs):
    geometry = {"strides": strides, "padding": padding, "dilations": dilations, "groups": groups}
    dx = df = None
    if needs[0]:
        dx = convolution_data_gradient(dy, filters, input_shape=sizes_of(x), **geometry)
    if needs[1]:
        df = convolution_filter_gradient(x, dy, filter_shape=shape_of(filters), **geometry)
    return dx, df


def sizes_of(x: Any) -> Any:
    """The shape of a tensor as an attribute: a tuple, or in a graph that does not know it a tensor.

    The batch may stay open: gradients of data take it from the gradient they are given.
    """
    if None not in x.shape.as_list()[1:]:
        return tuple(x.shape.as_list())
    from .shape import shape

    return shape(x)


@contraction
def convolution_data_gradient(
    xp: Any,
    dy: Any,
    filters: Any,
    *,
    input_shape: Shape,
    strides: Ints,
    padding: Any,
    dilations: Ints,
    groups: int = 1,
) -> Any:
    """Gradient of `convolution` with respect to its data: the transposed convolution.

    Args:
        dy: Tensor [N, *output, outputs].
        filters: Tensor [*window, inputs / groups, outputs].
        input_shape: Shape of the result; its first entry is taken from `dy`.
        strides: See `convolution`.
        padding: See `convolution`.
        dilations: See `convolution`.
        groups: See `convolution`.

    Returns:
        Tensor of shape `input_shape`.

    Raises:
        InvalidArgumentError: A convolution of `input_shape` would not give the shape of `dy`.

    >>> convolution_data_gradient([[[1.], [1.]]], [[[1.]], [[2.]]], input_shape=(1, 3, 1),
    ...                           strides=(1,), padding=((0, 0),), dilations=(1,)).numpy().ravel()
    array([1., 3., 2.], dtype=float32)
    """
    shape = (dy.shape[0], *(int(size) for size in input_shape[1:]))
    plan = im2col.Plan(shape, filters.shape, strides, padding, dilations, groups)
    plan.expect("convolution_data_gradient", dy.shape)
    return im2col.in_full_precision(im2col.scatter, plan, dy, filters)


@convolution_data_gradient.vjp
def _convolution_data_gradient_vjp(
    g, _dx, dy, filters, *, input_shape, strides, padding, dilations, groups, needs
):
    geometry = {"strides": strides, "padding": padding, "dilations": dilations, "groups": groups}
    ddy = df = None
    if needs[0]:
        ddy = convolution(g, filters, **geometry)
    if needs[1]:
        df = convolution_filter_gradient(g, dy, filter_shape=shape_of(filters), **geometry)
    return ddy, df


@contraction
def convolution_filter_gradient(
    xp: Any,
    x: Any,
    dy: Any,
    *,
    filter_shape: Shape,
    strides: Ints,
    padding: Any,
    dilations: Ints,
    groups: int = 1,
) -> Any:
    """Gradient of `convolution` with respect to its filters.

    Args:
        x: Tensor [N, *spatial, inputs].
        dy: Tensor [N, *output, outputs].
        filter_shape: Shape [*window, inputs / groups, outputs] of the result.
        strides: See `convolution`.
        padding: See `convolution`.
        dilations: See `convolution`.
        groups: See `convolution`.

    Returns:
        Tensor of shape `filter_shape`.

    Raises:
        InvalidArgumentError: A convolution of `x` would not give the shape of `dy`.

    >>> convolution_filter_gradient([[[1.], [2.], [3.]]], [[[1.], [1.]]], filter_shape=(2, 1, 1),
    ...                             strides=(1,), padding=((0, 0),), dilations=(1,)).numpy().ravel()
    array([3., 5.], dtype=float32)
    """
    plan = im2col.Plan(x.shape, tuple(map(int, filter_shape)), strides, padding, dilations, groups)
    plan.expect("convolution_filter_gradient", dy.shape)
    return im2col.in_full_precision(im2col.correlate, plan, x, dy)


@convolution_filter_gradient.vjp
def _convolution_filter_gradient_vjp(
    g, _df, x, dy, *, filter_shape, strides, padding, dilations, groups, needs
):
    geometry = {"strides": strides, "padding": padding, "dilations": dilations, "groups": groups}
    dx = ddy = None
    if needs[0]:
        dx = convolution_data_gradient(dy, g, input_shape=sizes_of(x), **geometry)
    if needs[1]:
        ddy = convolution(x, g, **geometry)
    return dx, ddy


@convolution.shape_rule
def _convolution_rule(x, filters, *, strides, padding, dilations, groups):
    rank = len(strides)
    if x.shape.rank is None or filters.shape.rank is None:
        return TensorSpec(None, x.dtype)
    known = [1 if size is None else size for size in filters.shape]
    im2col.check_ranks("Conv", x.shape.as_list(), filters.shape.as_list(), rank)
    if x.shape[-1] is not None and None not in filters.shape.as_list()[-2:]:
        im2col.check_channels("Conv", x.shape.as_list(), known, groups)
    sizes = [
        None if extent is None else output_size(size, extent, stride, dilation, pair)
        for size, extent, stride, dilation, pair in zip(
            x.shape[1:-1], filters.shape[:-2], strides, dilations, padding
        )
    ]
    return TensorSpec([x.shape[0], *sizes, filters.shape[-1]], x.dtype)


@convolution_data_gradient.shape_rule
def _data_gradient_rule(dy, filters, *, input_shape, **_geometry):
    if not isinstance(input_shape, tuple):
        return TensorSpec([None] * dy.shape.rank if dy.shape.rank else None, dy.dtype)
    batch = dy.shape[0] if dy.shape.rank else None
    return TensorSpec([batch, *input_shape[1:]], dy.dtype)


@convolution_filter_gradient.shape_rule
def _filter_gradient_rule(x, dy, *, filter_shape, **_geometry):
    if not isinstance(filter_shape, tuple | list):
        return TensorSpec(None, x.dtype)
    return TensorSpec([d if isinstance(d, int) else None for d in filter_shape], x.dtype)


_SAMPLES = (
    # x, filters, strides, padding, dilations, groups
    ((2, 5, 3), (3, 3, 2), (1,), ((1, 1),), (1,), 1),
    ((2, 6, 5, 2), (3, 2, 2, 3), (2, 1), ((0, 1), (1, 0)), (1, 1), 1),
    ((1, 7, 6, 4), (2, 3, 2, 4), (1, 2), ((0, 0), (1, 1)), (2, 1), 2),
    ((2, 5, 5, 3), (3, 3, 1, 6), (2, 2), ((1, 1), (0, 2)), (1, 1), 3),
    ((2, 4, 4, 3), (1, 1, 3, 2), (1, 1), ((0, 0), (0, 0)), (1, 1), 1),
    ((1, 4, 3, 4, 2), (2, 2, 3, 2, 1), (1, 2, 1), ((0, 0), (0, 1), (1, 1)), (1, 1, 1), 1),
    ((1, 1, 1, 1), (3, 3, 1, 1), (1, 1), ((1, 1), (1, 1)), (1, 1), 1),
)


def _sampled(rng: Any) -> Iterator[tuple[Any, ...]]:
    for x_shape, filter_shape, *rest in _SAMPLES:
        geometry = dict(zip(("strides", "padding", "dilations", "groups"), rest, strict=True))
        plan = im2col.Plan(x_shape, filter_shape, *rest)
        x, f, dy = (rng.standard_normal(s) for s in (x_shape, filter_shape, plan.y_shape))
        yield x, f, dy, geometry


@convolution.samples
def _convolution_samples(rng):
    for x, filters, _, geometry in _sampled(rng):
        yield (x, filters), geometry


@convolution_data_gradient.samples
def _data_gradient_samples(rng):
    for x, filters, dy, geometry in _sampled(rng):
        yield (dy, filters), {"input_shape": x.shape, **geometry}


@convolution_filter_gradient.samples
def _filter_gradient_samples(rng):
    for x, filters, dy, geometry in _sampled(rng):
        yield (x, dy), {"filter_shape": filters.shape, **geometry}
