"""Convolution: the reference against a slow obvious twin, and TensorFlow's functions."""

import json
import math
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from eagercore import backend
from eagercore.base.errors import InvalidArgumentError
from eagercore.core.tensor import convert
from eagercore.ops import conv, conv_backprop, morphology, pool
from eagercore.ops.convolution import (
    convolution,
    convolution_data_gradient,
    convolution_filter_gradient,
)


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def connections(x_shape, filter_shape, strides, padding, dilations, groups):
    """Every (x index, filter index, y index) that a convolution multiplies, by its definition."""
    sizes, window = x_shape[1:-1], filter_shape[:-2]
    inputs, outputs = filter_shape[-2:]
    each = outputs // groups
    spans = [
        (size + sum(pair) - (extent - 1) * hole - 1) // stride + 1
        for size, extent, stride, hole, pair in zip(
            sizes, window, strides, dilations, padding, strict=True
        )
    ]
    pairs = []
    for place in product(*map(range, spans)):
        for tap in product(*map(range, window)):
            at = [
                p * s + t * d - before
                for p, s, t, d, (before, _) in zip(
                    place, strides, tap, dilations, padding, strict=True
                )
            ]
            if all(0 <= a < size for a, size in zip(at, sizes, strict=True)):
                for n, i, o in product(range(x_shape[0]), range(inputs), range(outputs)):
                    channel = o // each * inputs + i
                    pairs.append(((n, *at, channel), (*tap, i, o), (n, *place, o)))
    return (x_shape[0], *spans, outputs), pairs


def slow_convolutions(x, filters, dy, **geometry):
    """All three primitives, one product at a time."""
    shape, pairs = connections(x.shape, filters.shape, **geometry)
    y, dx, df = np.zeros(shape), np.zeros(x.shape), np.zeros(filters.shape)
    dy = np.ones(shape) if dy is None else dy
    for at_x, at_filter, at_y in pairs:
        y[at_y] += x[at_x] * filters[at_filter]
        dx[at_x] += dy[at_y] * filters[at_filter]
        df[at_filter] += dy[at_y] * x[at_x]
    return y, dx, df


CASES = [
    # x, filters, strides, padding, dilations, groups
    ((2, 5, 3), (3, 3, 2), (1,), ((1, 1),), (1,), 1),
    ((2, 9, 4), (3, 2, 6), (2,), ((0, 1),), (2,), 2),
    ((2, 6, 5, 2), (3, 2, 2, 3), (2, 1), ((0, 1), (1, 0)), (1, 1), 1),
    ((1, 7, 6, 4), (2, 3, 2, 4), (1, 2), ((0, 0), (1, 1)), (2, 1), 2),
    ((2, 5, 5, 3), (3, 3, 1, 6), (2, 2), ((1, 1), (0, 2)), (1, 1), 3),
    ((2, 4, 4, 3), (1, 1, 3, 2), (1, 1), ((0, 0), (0, 0)), (1, 1), 1),
    ((1, 4, 4, 18), (2, 2, 18, 2), (1, 1), ((0, 1), (0, 1)), (1, 1), 1),
    ((2, 4, 4, 3), (1, 1, 3, 2), (3, 2), ((0, 0), (0, 0)), (1, 1), 1),
    ((1, 2, 2, 1), (5, 5, 1, 1), (2, 2), ((2, 2), (1, 2)), (1, 1), 1),
    ((2, 5, 6, 2), (2, 2, 2, 3), (4, 3), ((0, 0), (0, 0)), (1, 1), 1),
    ((1, 4, 3, 4, 2), (2, 2, 3, 2, 1), (1, 2, 1), ((0, 0), (0, 1), (1, 1)), (1, 1, 1), 1),
    ((1, 1, 1, 1), (3, 3, 1, 1), (1, 1), ((1, 1), (1, 1)), (1, 1), 1),
]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("piece_bytes", [1 << 22, 200])
def test_reference_equals_the_definition(rng, monkeypatch, case, piece_bytes):
    monkeypatch.setattr("eagercore.ops.im2col._PATCH_BYTES", piece_bytes)
    x_shape, filter_shape, *rest = case
    geometry = dict(zip(("strides", "padding", "dilations", "groups"), rest, strict=True))
    x, filters = rng.standard_normal(x_shape), rng.standard_normal(filter_shape)
    shape, _ = connections(x_shape, filter_shape, *rest)
    dy = rng.standard_normal(shape)
    y, dx, df = slow_convolutions(x, filters, dy, **geometry)
    close = {"rtol": 1e-12, "atol": 1e-12}
    np.testing.assert_allclose(convolution.forward(np, x, filters, **geometry), y, **close)
    np.testing.assert_allclose(
        convolution_data_gradient.forward(np, dy, filters, input_shape=x_shape, **geometry),
        dx,
        **close,
    )
    np.testing.assert_allclose(
        convolution_filter_gradient.forward(np, x, dy, filter_shape=filter_shape, **geometry),
        df,
        **close,
    )


@pytest.mark.parametrize("shape", [(0, 4, 4, 2), (2, 0, 4, 2), (2, 1, 1, 2)])
def test_empty_batches_and_inputs_smaller_than_the_window(shape):
    geometry = {"strides": (1, 1), "padding": ((0, 0),) * 2, "dilations": (1, 1), "groups": 1}
    x, filters = np.ones(shape), np.ones((3, 3, 2, 5))
    y = convolution.forward(np, x, filters, **geometry)
    assert y.shape == (shape[0], max(shape[1] - 2, 0), max(shape[2] - 2, 0), 5)
    dx = convolution_data_gradient.forward(np, y, filters, input_shape=shape, **geometry)
    assert dx.shape == shape and not dx.any()
    df = convolution_filter_gradient.forward(np, x, y, filter_shape=filters.shape, **geometry)
    assert df.shape == filters.shape and not df.any()


def test_half_precision_is_summed_in_float32():
    # 4096 is where float16 stops counting: 4096 + 1 is 4096 there.
    x, filters = np.ones((1, 1, 1, 5000), np.float16), np.ones((1, 1, 5000, 1), np.float16)
    geometry = {"strides": (1, 1), "padding": ((0, 0),) * 2, "dilations": (1, 1), "groups": 1}
    y = convolution.forward(np, x, filters, **geometry)
    assert y.dtype == np.float16
    assert y.item() == 5000


def ones(*shape):
    return convert(np.ones(shape, np.float32))


def test_same_pads_less_before_than_after():
    y = conv.conv2d(ones(1, 5, 5, 1), ones(4, 4, 1, 1), strides=2, padding="SAME")
    np.testing.assert_array_equal(y.numpy()[0, :, :, 0], [[9, 12, 6], [12, 16, 8], [6, 8, 4]])


def test_transposed_convolution_of_ones():
    y = conv.conv2d_transpose(ones(1, 2, 2, 1), ones(5, 5, 1, 1), [1, 4, 4, 1], 2, "SAME")
    expected = [[1, 2, 2, 2], [2, 4, 4, 4], [2, 4, 4, 4], [2, 4, 4, 4]]
    np.testing.assert_array_equal(y.numpy()[0, :, :, 0], expected)


@pytest.mark.parametrize("stride", [1, 2.0, [1, 2, 2, 1], [2]])
def test_transposed_convolution_doubles_sizes(stride):
    factor = 1 if stride == 1 else 2
    y = conv.conv2d_transpose(ones(2, 7, 7, 3), ones(5, 5, 4, 3), None, stride, "SAME")
    assert y.shape == (2, 7 * factor, 7 * factor, 4)


def test_channels_first_equals_channels_last(rng):
    x, filters = rng.standard_normal((2, 6, 5, 3)), rng.standard_normal((3, 2, 3, 4))
    last = conv.conv2d(x, filters, [1, 2, 1, 1], "SAME")
    first = conv.conv2d(x.transpose(0, 3, 1, 2), filters, [1, 1, 2, 1], "SAME", "NCHW")
    np.testing.assert_allclose(first.numpy().transpose(0, 2, 3, 1), last.numpy())


def test_explicit_padding_in_both_data_formats(rng):
    x, filters = rng.standard_normal((1, 4, 5, 2)), rng.standard_normal((3, 3, 2, 1))
    padded = np.pad(x, ((0, 0), (1, 2), (0, 3), (0, 0)))
    expected = conv.conv2d(padded, filters, 1, "VALID").numpy()
    last = conv.conv2d(x, filters, 1, [[0, 0], [1, 2], [0, 3], [0, 0]])
    np.testing.assert_allclose(last.numpy(), expected)
    swapped = [[0, 0], [0, 0], [1, 2], [0, 3]]
    first = conv.conv2d(x.transpose(0, 3, 1, 2), filters, 1, swapped, "NCHW")
    np.testing.assert_allclose(first.numpy().transpose(0, 2, 3, 1), expected)


def test_depthwise_equals_one_convolution_a_channel(rng):
    x, filters = rng.standard_normal((2, 5, 5, 3)), rng.standard_normal((3, 3, 3, 2))
    y = conv.depthwise_conv2d(x, filters, [1, 1, 1, 1], "SAME").numpy()
    for channel in range(3):
        alone = conv.conv2d(x[..., [channel]], filters[:, :, [channel]], 1, "SAME").numpy()
        np.testing.assert_allclose(y[..., 2 * channel : 2 * channel + 2], alone)


def test_separable_is_depthwise_then_pointwise(rng):
    x, deep = rng.standard_normal((2, 5, 5, 3)), rng.standard_normal((3, 3, 3, 2))
    point = rng.standard_normal((1, 1, 6, 4))
    y = conv.separable_conv2d(x, deep, point, 2, "SAME").numpy()
    middle = conv.depthwise_conv2d(x, deep, 2, "SAME").numpy()
    np.testing.assert_allclose(y, middle @ point[0, 0])


def test_fewer_filter_channels_make_groups(rng):
    x, filters = rng.standard_normal((1, 4, 4, 4)), rng.standard_normal((2, 2, 2, 6))
    y = conv.conv2d(x, filters, 1, "VALID").numpy()
    half = conv.conv2d(x[..., 2:], filters[..., 3:], 1, "VALID").numpy()
    np.testing.assert_allclose(y[..., 3:], half)


def test_names_of_tensorflow_1():
    x, w = ones(1, 4, 1), ones(2, 1, 1)
    new = conv.conv1d(x, w, 1, "VALID").numpy()
    old = conv.conv1d(value=x, filters=w, stride=1, padding="VALID").numpy()
    np.testing.assert_array_equal(new, old)
    # In TensorFlow 1 the padding of tf.nn.convolution stands before the strides.
    np.testing.assert_array_equal(conv.convolution(x, w, "VALID").numpy(), new)
    image = ones(1, 4, 4, 1)
    assert conv.conv2d(image, filter=ones(2, 2, 1, 1), strides=1, padding="SAME").shape[1] == 4
    shape = conv.atrous_conv2d(image, ones(2, 2, 1, 1), 2, "VALID").shape
    assert shape == (1, 2, 2, 1)


def test_gradient_functions_of_tensorflow_1(rng):
    x, w = rng.standard_normal((2, 5, 5, 2)), rng.standard_normal((3, 3, 2, 4))
    dy = rng.standard_normal((2, 3, 3, 4))
    geometry = {"padding": ((1, 1), (1, 1)), "strides": (2, 2), "dilations": (1, 1), "groups": 1}
    _, dx, df = slow_convolutions(x, w, dy, **geometry)
    np.testing.assert_allclose(
        conv_backprop.conv2d_backprop_input(x.shape, w, dy, 2, "SAME").numpy(), dx, atol=1e-12
    )
    np.testing.assert_allclose(
        conv_backprop.conv2d_backprop_filter(x, w.shape, dy, 2, "SAME").numpy(), df, atol=1e-12
    )


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: conv.conv2d(ones(1, 4, 4, 3), ones(2, 2, 2, 1), 1, "SAME"), "3 channels"),
        (lambda: conv.conv2d(ones(4, 4, 3), ones(2, 2, 3, 1), 1, "SAME"), "rank 4"),
        (lambda: conv.conv2d(ones(1, 4, 4, 3), ones(2, 3, 1), 1, "SAME"), "rank 4"),
        (lambda: conv.conv2d(ones(1, 4, 4, 3), ones(2, 2, 3, 1), 1, "SOME"), "'SOME'"),
        (lambda: conv.conv2d(ones(1, 4, 4, 3), ones(2, 2, 3, 1), [2, 1, 1, 1], "SAME"), "batch"),
        (lambda: conv.conv2d(ones(1, 4, 4, 3), ones(2, 2, 3, 1), 0, "SAME"), "strides"),
        (lambda: conv.conv2d(ones(1, 4, 4, 3), ones(2, 2, 3, 1), 1, "SAME", "NWHC"), "'NHWC'"),
        (
            lambda: conv.conv2d_transpose(ones(1, 2, 2, 3), ones(2, 2, 1, 3), [1, 7, 7, 1], 2),
            "output_shape",
        ),
        (
            lambda: conv.conv2d_transpose(ones(1, 2, 2, 3), ones(2, 2, 3, 1), None, 2),
            "last dimension",
        ),
        (
            lambda: conv.conv2d_transpose(ones(1, 2, 2, 3), ones(2, 2, 1, 3), [4, 4, 4, 1], 2),
            "another batch",
        ),
    ],
)
def test_messages_say_what_came_and_what_was_expected(call, words):
    with pytest.raises(InvalidArgumentError) as failure:
        call()
    assert words in str(failure.value)
    assert isinstance(failure.value, ValueError)


def test_a_missing_or_doubled_argument_is_named():
    with pytest.raises(TypeError, match="filters"):
        conv.conv2d(ones(1, 4, 4, 1), strides=1, padding="SAME")
    with pytest.raises(TypeError, match="filter"):
        conv.conv2d(ones(1, 4, 4, 1), ones(1, 1, 1, 1), 1, "SAME", filter=ones(1, 1, 1, 1))
    with pytest.raises(InvalidArgumentError, match="strides"):
        conv.conv2d(ones(1, 4, 4, 1), ones(1, 1, 1, 1), 1.5, "SAME")


GOLDEN = json.loads((Path(__file__).parent / "golden" / "conv.json").read_text(encoding="utf-8"))


def numbers(shape, seed):
    """The inputs of tools/golden_conv.py."""
    count = math.prod(shape)
    return ((np.arange(count) * 7919 + 104729 * (seed + 1)) % 11 - 5.0).reshape(shape)


@pytest.mark.parametrize("kernels", [True, False], ids=["kernels", "reference"])
@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: case["function"])
def test_results_are_those_of_tensorflow(case, kernels):
    name = case["function"]
    module = next(m for m in (conv, pool, morphology) if hasattr(m, name))
    inputs = [numbers(shape, i).astype(np.float32) for i, shape in enumerate(case["shapes"])]
    before = backend.use_reference(not kernels)
    try:
        result = getattr(module, name)(*map(convert, inputs), **case["arguments"]).numpy()
    finally:
        backend.use_reference(before)
    assert list(result.shape) == case["shape"]
    np.testing.assert_allclose(result.ravel(), case["result"], rtol=1e-6, atol=1e-5)
