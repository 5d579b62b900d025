"""Pooling: the reference against a slow obvious twin, and TensorFlow's functions."""

from itertools import product

import numpy as np
import pytest

from eagercore.base.errors import InvalidArgumentError
from eagercore.core.tensor import convert
from eagercore.ops import pool, pooling


@pytest.fixture
def rng():
    return np.random.default_rng(11)


def windows(shape, window, strides, padding):
    """For each output place the input places its window covers, by the definition."""
    sizes = shape[1:-1]
    spans = [
        (size + sum(pair) - extent) // stride + 1
        for size, extent, stride, pair in zip(sizes, window, strides, padding, strict=True)
    ]
    for place in product(*map(range, spans)):
        lines = [
            [i for i in range(p * s - before, p * s - before + w) if 0 <= i < size]
            for p, s, w, size, (before, _) in zip(
                place, strides, window, sizes, padding, strict=True
            )
        ]
        yield tuple(spans), place, list(product(*lines))


def slow_pooling(x, dy, window, strides, padding):
    """Maximum and average with their gradients, one window at a time."""
    spans = next(windows(x.shape, window, strides, padding))[0]
    shape = (x.shape[0], *spans, x.shape[-1])
    largest, average = np.zeros(shape), np.zeros(shape)
    d_largest, d_average = np.zeros(x.shape), np.zeros(x.shape)
    for _, place, covered in windows(x.shape, window, strides, padding):
        for n, c in product(range(x.shape[0]), range(x.shape[-1])):
            values = [x[(n, *at, c)] for at in covered]
            first = values.index(max(values))
            largest[(n, *place, c)] = values[first]
            average[(n, *place, c)] = sum(values) / len(values)
            d_largest[(n, *covered[first], c)] += dy[(n, *place, c)]
            for at in covered:
                d_average[(n, *at, c)] += dy[(n, *place, c)] / len(values)
    return largest, average, d_largest, d_average


CASES = [
    ((2, 6, 3), (2,), (2,), ((0, 0),)),
    ((2, 7, 1), (3,), (1,), ((1, 1),)),
    ((2, 5, 7, 2), (3, 2), (2, 2), ((1, 1), (0, 1))),
    ((1, 4, 4, 3), (2, 2), (3, 3), ((0, 0), (0, 0))),
    ((1, 3, 4, 5, 1), (2, 2, 3), (1, 2, 2), ((0, 0), (0, 0), (1, 1))),
    ((1, 1, 1, 1), (1, 1), (1, 1), ((0, 0), (0, 0))),
]


def out_shape(shape, window, strides, padding):
    spans = next(windows(shape, window, strides, padding))[0]
    return (shape[0], *spans, shape[-1])


@pytest.mark.parametrize(("shape", "window", "strides", "padding"), CASES)
@pytest.mark.parametrize("ties", [False, True])
def test_reference_equals_the_definition(rng, shape, window, strides, padding, ties):
    x = rng.integers(-2, 2, shape).astype(float) if ties else rng.standard_normal(shape)
    geometry = {"window": window, "strides": strides, "padding": padding}
    dy = rng.standard_normal(out_shape(shape, **geometry))
    largest, average, d_largest, d_average = slow_pooling(x, dy, **geometry)
    y = pooling.max_pool.forward(np, x, **geometry)
    np.testing.assert_array_equal(y, largest)
    np.testing.assert_allclose(pooling.avg_pool.forward(np, x, **geometry), average, atol=1e-14)
    np.testing.assert_allclose(
        pooling.max_pool_gradient.forward(np, dy, x, y, **geometry), d_largest, atol=1e-14
    )
    np.testing.assert_allclose(
        pooling.avg_pool_gradient.forward(np, dy, input_shape=shape, **geometry),
        d_average,
        atol=1e-14,
    )
    # The selection is the transpose of the gradient: <select(g), dy> = <g, gradient(dy)>.
    g = rng.standard_normal(shape)
    picked = pooling.max_pool_select.forward(np, g, x, y, **geometry)
    np.testing.assert_allclose((picked * dy).sum(), (g * d_largest).sum(), atol=1e-12)
    values, where = pooling.max_pool_argmax.forward(np, x, **geometry)
    flat = x.reshape(shape[0], -1)
    found = np.take_along_axis(flat, where.reshape(shape[0], -1), 1).reshape(y.shape)
    np.testing.assert_array_equal(found, values)


def test_a_window_of_minus_infinity_has_its_gradient_inside():
    x = np.full((1, 3, 1), -np.inf)
    geometry = {"window": (3,), "strides": (1,), "padding": ((1, 1),)}
    y = pooling.max_pool.forward(np, x, **geometry)
    assert np.isneginf(y).all()
    dx = pooling.max_pool_gradient.forward(np, np.ones(y.shape), x, y, **geometry)
    np.testing.assert_array_equal(dx.ravel(), [2, 1, 0])


def test_nan_is_the_largest():
    x = np.array([1, np.nan, 2, 3]).reshape(1, 4, 1)
    geometry = {"window": (2,), "strides": (2,), "padding": ((0, 0),)}
    y = pooling.max_pool.forward(np, x, **geometry)
    np.testing.assert_array_equal(y.ravel(), [np.nan, 3])
    dx = pooling.max_pool_gradient.forward(np, np.ones(y.shape), x, y, **geometry)
    assert dx.sum() == 2


def test_integers_are_pooled():
    x = np.arange(-8, 0, dtype=np.int32).reshape(1, 8, 1)
    y = pooling.max_pool.forward(np, x, window=(3,), strides=(2,), padding=((1, 1),))
    assert y.dtype == np.int32
    np.testing.assert_array_equal(y.ravel(), [-7, -5, -3, -1])


def grid():
    return convert(np.arange(16, dtype=np.float32).reshape(1, 4, 4, 1))


@pytest.mark.parametrize("size", [2, [2], [2, 2], [1, 2, 2, 1], 2.0])
def test_sizes_are_written_in_many_ways(size):
    y = pool.max_pool(grid(), size, size, "VALID")
    np.testing.assert_array_equal(y.numpy().ravel(), [5, 7, 13, 15])


def test_same_padding_is_not_counted():
    y = pool.avg_pool(grid(), 3, 3, "SAME").numpy()[0, :, :, 0]
    # Two rows and columns of padding, one of each before and one after.
    x = np.arange(16.0).reshape(4, 4)
    halves = [slice(0, 2), slice(2, 4)]
    np.testing.assert_array_equal(y, [[x[r, c].mean() for c in halves] for r in halves])


def test_channels_first_equals_channels_last(rng):
    x = rng.standard_normal((2, 6, 5, 3))
    last = pool.max_pool2d(x, [1, 3, 2, 1], [1, 2, 1, 1], "SAME").numpy()
    turned = x.transpose(0, 3, 1, 2)
    first = pool.max_pool2d(turned, [1, 1, 3, 2], [1, 1, 2, 1], "SAME", "NCHW").numpy()
    np.testing.assert_array_equal(first.transpose(0, 2, 3, 1), last)


def test_pool_of_both_kinds_and_orders():
    x = grid()
    new = pool.pool(x, [2, 2], "AVG", [2, 2], "VALID").numpy()
    # In TensorFlow 1 the padding stands before the strides.
    assert pool.pool(x, [2, 2], "AVG", "SAME").shape == (1, 4, 4, 1)
    np.testing.assert_array_equal(new.ravel(), [2.5, 4.5, 10.5, 12.5])
    assert pool.pool(x, 2, "MAX").shape == (1, 3, 3, 1)


def test_argmax_counts_in_one_element_or_the_batch():
    x = np.arange(8.0).reshape(2, 2, 2, 1)
    y, where = pool.max_pool_with_argmax(x, 2, 2, "VALID")
    np.testing.assert_array_equal(y.numpy().ravel(), [3, 7])
    np.testing.assert_array_equal(where.numpy().ravel(), [3, 3])
    _, where = pool.max_pool_with_argmax(x, 2, 2, "VALID", include_batch_in_index=True)
    np.testing.assert_array_equal(where.numpy().ravel(), [3, 7])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: pool.max_pool2d(np.ones((4, 4, 1)), 2, 2, "SAME"), "rank 4"),
        (lambda: pool.avg_pool(np.ones((4, 4)), 2, 2, "SAME"), "rank 3 or 4 or 5"),
        (lambda: pool.max_pool(np.ones((1, 4, 4, 1)), [2, 1, 1, 1], 2, "SAME"), "ksize"),
        (lambda: pool.max_pool(np.ones((1, 4, 4, 1)), 2, 2, "HALF"), "'HALF'"),
        (lambda: pool.pool(np.ones((1, 4, 4, 1)), 2, "MEDIAN"), "'MEDIAN'"),
        (lambda: pool.pool(np.ones((1, 4, 4, 1)), 2, "MAX", dilations=2), "dilations"),
    ],
)
def test_messages_say_what_came_and_what_was_expected(call, words):
    with pytest.raises(InvalidArgumentError) as failure:
        call()
    assert words in str(failure.value)


def test_a_missing_argument_is_named():
    with pytest.raises(TypeError, match="strides"):
        pool.max_pool(grid(), 2, padding="SAME")
