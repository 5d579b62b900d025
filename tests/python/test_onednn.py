"""Each oneDNN kernel is held to the reference of its op."""

import itertools

import numpy as np
import pytest

from eagercore import backend
from eagercore.backend import onednn
from eagercore.ops.convolution import (
    convolution,
    convolution_data_gradient,
    convolution_filter_gradient,
)

pytestmark = pytest.mark.skipif(not onednn.available(), reason="oneDNN is not installed")


@pytest.fixture
def rng():
    return np.random.default_rng(3)


def floats(rng, *shape):
    return rng.standard_normal(shape).astype(np.float32)


def same(kernel_result, reference_result, rtol=2e-5):
    assert kernel_result is not NotImplemented
    assert kernel_result.shape == reference_result.shape
    assert kernel_result.dtype == reference_result.dtype
    scale = np.abs(reference_result).max(initial=1e-3)
    np.testing.assert_allclose(kernel_result, reference_result, rtol=rtol, atol=rtol * scale)


def geometries():
    """Odd sizes, strides, dilations, groups and paddings in 1, 2 and 3 dimensions."""
    return [
        # x, filters, strides, padding, dilations, groups
        ((3, 11, 3), (4, 3, 5), (1,), ((1, 2),), (1,), 1),
        ((2, 9, 4), (3, 2, 6), (2,), ((0, 1),), (2,), 2),
        ((2, 7, 5, 3), (3, 2, 3, 4), (1, 1), ((1, 1), (0, 1)), (1, 1), 1),
        ((5, 14, 13, 17), (5, 5, 17, 33), (2, 2), ((1, 2), (2, 2)), (1, 1), 1),
        ((2, 9, 8, 6), (3, 3, 3, 4), (2, 3), ((2, 0), (1, 3)), (2, 1), 2),
        ((2, 8, 8, 16), (3, 3, 1, 16), (1, 1), ((1, 1), (1, 1)), (1, 1), 16),
        ((2, 8, 8, 5), (3, 3, 1, 10), (2, 2), ((0, 1), (0, 1)), (1, 1), 5),
        ((3, 6, 7, 32), (1, 1, 32, 16), (1, 1), ((0, 0), (0, 0)), (1, 1), 1),
        ((3, 6, 7, 3), (1, 1, 3, 2), (2, 2), ((0, 0), (0, 0)), (1, 1), 1),
        ((1, 1, 1, 1), (1, 1, 1, 1), (1, 1), ((0, 0), (0, 0)), (1, 1), 1),
        ((1, 1, 1, 2), (3, 3, 2, 3), (1, 1), ((1, 1), (1, 1)), (1, 1), 1),
        ((2, 5, 6, 2), (2, 2, 2, 3), (4, 3), ((0, 0), (0, 0)), (1, 1), 1),
        ((2, 10, 10, 1), (5, 5, 1, 8), (2, 2), ((1, 2), (1, 2)), (1, 1), 1),
        ((1, 4, 5, 6, 3), (2, 3, 2, 3, 4), (1, 2, 1), ((0, 1), (1, 1), (0, 0)), (1, 1, 2), 1),
    ]


@pytest.mark.parametrize(
    ("x_shape", "filter_shape", "strides", "padding", "dilations", "groups"), geometries()
)
def test_convolutions_equal_the_reference(
    rng, x_shape, filter_shape, strides, padding, dilations, groups
):
    geometry = {"strides": strides, "padding": padding, "dilations": dilations, "groups": groups}
    x, filters = floats(rng, *x_shape), floats(rng, *filter_shape)
    expected = convolution.forward(np, x, filters, **geometry)
    same(backend.find("convolution")(x, filters, **geometry), expected)
    dy = floats(rng, *expected.shape)
    same(
        backend.find("convolution_data_gradient")(dy, filters, input_shape=x_shape, **geometry),
        convolution_data_gradient.forward(np, dy, filters, input_shape=x_shape, **geometry),
    )
    same(
        backend.find("convolution_filter_gradient")(x, dy, filter_shape=filter_shape, **geometry),
        convolution_filter_gradient.forward(np, x, dy, filter_shape=filter_shape, **geometry),
    )


PLAIN = {"strides": (1, 1), "padding": ((1, 1), (1, 1)), "dilations": (1, 1), "groups": 1}


def test_arrays_that_are_not_contiguous_are_understood(rng):
    x = floats(rng, 8, 6, 2, 3).transpose(2, 0, 1, 3)[:, ::-1]
    filters = floats(rng, 4, 3, 3, 3).transpose(3, 1, 2, 0)
    expected = convolution.forward(np, x, filters, **PLAIN)
    same(backend.find("convolution")(x, filters, **PLAIN), expected)


def test_inputs_are_not_changed_and_may_be_read_only(rng):
    x, filters = floats(rng, 2, 6, 6, 3), floats(rng, 3, 3, 3, 4)
    kept = x.copy(), filters.copy()
    x.flags.writeable = filters.flags.writeable = False
    backend.find("convolution")(x, filters, **PLAIN)
    np.testing.assert_array_equal(x, kept[0])
    np.testing.assert_array_equal(filters, kept[1])


@pytest.mark.parametrize("dtype", [np.float64, np.float16, np.int32, ">f4"])
def test_other_dtypes_are_declined(dtype):
    x, filters = np.ones((1, 3, 3, 1), dtype), np.ones((2, 2, 1, 1), dtype)
    assert backend.find("convolution")(x, filters, **PLAIN) is NotImplemented


def test_empty_arrays_are_declined(rng):
    x, filters = floats(rng, 0, 3, 3, 1), floats(rng, 2, 2, 1, 1)
    assert backend.find("convolution")(x, filters, **PLAIN) is NotImplemented
    too_small = {**PLAIN, "padding": ((0, 0), (0, 0))}
    assert (
        backend.find("convolution")(floats(rng, 1, 1, 1, 1), filters, **too_small)
        is NotImplemented
    )


def test_nan_and_infinity_reach_the_result(rng):
    x, filters = floats(rng, 1, 5, 5, 2), floats(rng, 3, 3, 2, 4)
    x[0, 0, 0, 0], x[0, 4, 4, 1] = np.nan, np.inf
    expected = convolution.forward(np, x, filters, **PLAIN)
    result = backend.find("convolution")(x, filters, **PLAIN)
    np.testing.assert_array_equal(np.isnan(result), np.isnan(expected))
    np.testing.assert_array_equal(np.isinf(result), np.isinf(expected))


def test_padding_left_open_means_same(rng):
    x, filters = floats(rng, 2, 5, 6, 2), floats(rng, 4, 4, 2, 3)
    geometry = {"strides": (2, 2), "padding": (None, None), "dilations": (1, 1), "groups": 1}
    expected = convolution.forward(np, x, filters, **geometry)
    assert expected.shape == (2, 3, 3, 3)
    same(backend.find("convolution")(x, filters, **geometry), expected)


@pytest.mark.parametrize(
    ("with_bias", "activation"), list(itertools.product([False, True], [None, "tanh", "sigmoid"]))
)
def test_bias_and_activation_are_applied_on_the_way_out(rng, with_bias, activation):
    from eagercore.backend.onednn.convolution import run_convolution

    x, filters = floats(rng, 2, 7, 7, 3), floats(rng, 3, 3, 3, 5)
    bias = floats(rng, 5) if with_bias else None
    plain = convolution.forward(np, x, filters, **PLAIN) + (0 if bias is None else bias)
    functions = {None: lambda v: v, "tanh": np.tanh, "sigmoid": lambda v: 1 / (1 + np.exp(-v))}
    result = run_convolution(x, filters, bias, activation=activation, **PLAIN)
    same(result, functions[activation](plain), rtol=1e-4)
