"""Dilation and erosion against their definitions."""

import numpy as np
import pytest

from eagercore.autodiff.tape import GradientTape
from eagercore.base.errors import InvalidArgumentError
from eagercore.base.windows import same_pair
from eagercore.core.tensor import convert
from eagercore.ops.morphology import dilation2d, erosion2d
from eagercore.ops.reduce import reduce_sum


def slow_dilation(x, filters, stride, hole, pairs):
    height, width, _ = filters.shape
    padded = np.pad(x, [(0, 0), *pairs, (0, 0)], constant_values=-np.inf)
    spans = [
        (size - (extent - 1) * hole - 1) // stride + 1
        for size, extent in zip(padded.shape[1:3], (height, width), strict=True)
    ]
    y = np.full((x.shape[0], *spans, x.shape[-1]), -np.inf)
    for i in range(spans[0]):
        for j in range(spans[1]):
            for u in range(height):
                for v in range(width):
                    at = padded[:, i * stride + u * hole, j * stride + v * hole]
                    y[:, i, j] = np.maximum(y[:, i, j], at + filters[u, v])
    return y


@pytest.mark.parametrize("stride", [1, 2])
@pytest.mark.parametrize("hole", [1, 2])
@pytest.mark.parametrize("padding", ["SAME", "VALID"])
def test_dilation_equals_the_definition(stride, hole, padding):
    rng = np.random.default_rng(0)
    x, filters = rng.standard_normal((2, 7, 6, 3)), rng.standard_normal((3, 2, 3))
    same = [same_pair(s, w, stride, hole) for s, w in ((7, 3), (6, 2))]
    pairs = same if padding == "SAME" else [(0, 0), (0, 0)]
    y = dilation2d(x, filters, [1, stride, stride, 1], padding, "NHWC", hole)
    np.testing.assert_allclose(y.numpy(), slow_dilation(x, filters, stride, hole, pairs))
    turned = dilation2d(x.transpose(0, 3, 1, 2), filters, stride, padding, "NCHW", hole)
    np.testing.assert_allclose(turned.numpy().transpose(0, 2, 3, 1), y.numpy())


def test_erosion_is_the_dual_of_dilation():
    rng = np.random.default_rng(1)
    x, filters = rng.standard_normal((1, 5, 5, 2)), rng.standard_normal((2, 2, 2))
    y = erosion2d(x, filters, padding="VALID").numpy()
    expected = np.full(y.shape, np.inf)
    for u in range(2):
        for v in range(2):
            expected = np.minimum(expected, x[:, u : u + 4, v : v + 4] - filters[1 - u, 1 - v])
    np.testing.assert_allclose(y, expected)


def test_the_gradient_goes_to_the_largest():
    x = convert(np.array([1.0, 5.0, 2.0, 0.0]).reshape(1, 2, 2, 1))
    filters = convert(np.zeros((2, 2, 1)))
    with GradientTape() as tape:
        tape.watch(x)
        tape.watch(filters)
        y = reduce_sum(dilation2d(x, filters))
    dx, df = tape.gradient(y, [x, filters])
    np.testing.assert_array_equal(dx.numpy().ravel(), [0, 1, 0, 0])
    np.testing.assert_array_equal(df.numpy().ravel(), [0, 1, 0, 0])


def test_channels_that_do_not_fit_are_named():
    with pytest.raises(InvalidArgumentError, match="channels"):
        dilation2d(np.ones((1, 4, 4, 2)), np.ones((2, 2, 3)))
