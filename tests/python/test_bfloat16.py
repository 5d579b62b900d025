"""Products and convolutions of bfloat16 are those of float32, rounded once at the end."""

import numpy as np
import pytest

import eagercore as tf
from eagercore import backend
from eagercore.backend import half, onednn
from eagercore.ops.arithmetic import add, multiply, real_divide, square, subtract
from eagercore.ops.convolution import (
    convolution,
    convolution_data_gradient,
    convolution_filter_gradient,
)
from eagercore.ops.dropout import masked
from eagercore.ops.exponential import exp, log, sqrt, tanh
from eagercore.ops.linalg import matmul_op

pytest.importorskip("ml_dtypes")

HALF_STEP = 2.0**-8
"""Largest relative error of rounding to the 8 bits of bfloat16: half of the last bit, of a number just above 1."""


@pytest.fixture
def rng():
    return np.random.default_rng(5)


def numbers(rng, *shape, dtype=tf.bfloat16):
    return rng.standard_normal(shape).astype(dtype.as_numpy_dtype)


def rounded(result, exact, terms):
    """Whether a result is `exact` rounded; the order of `terms` float32 additions is free."""
    assert result.dtype.name in ("bfloat16", "float16") and result.shape == exact.shape
    slack = terms * 2.0**-24 * np.abs(exact).max()
    np.testing.assert_array_less(
        np.abs(np.asarray(result, np.float64) - exact), HALF_STEP * np.abs(exact) + slack + 1e-30
    )


GEOMETRIES = [
    # x, filters, strides, padding, dilations, groups
    ((4, 15, 14, 16), (5, 5, 16, 32), (2, 2), ((1, 2), (2, 2)), (1, 1), 1),
    ((2, 28, 28, 1), (5, 5, 1, 64), (2, 2), ((1, 2), (1, 2)), (1, 1), 1),
    ((3, 9, 8, 6), (3, 3, 3, 4), (1, 1), ((2, 0), (1, 3)), (2, 1), 2),
    ((2, 8, 8, 16), (3, 3, 1, 16), (1, 1), ((1, 1), (1, 1)), (1, 1), 16),
    ((1, 4, 4, 64), (4, 4, 64, 512), (2, 2), ((1, 1), (1, 1)), (1, 1), 1),
    ((2, 33, 3), (4, 3, 8), (1,), ((1, 2),), (1,), 1),
]


@pytest.mark.parametrize("dtype", [tf.bfloat16, tf.float16])
@pytest.mark.parametrize(
    ("x_shape", "filter_shape", "strides", "padding", "dilations", "groups"), GEOMETRIES
)
def test_convolutions(rng, dtype, x_shape, filter_shape, strides, padding, dilations, groups):
    geometry = {"strides": strides, "padding": padding, "dilations": dilations, "groups": groups}
    x, filters = numbers(rng, *x_shape, dtype=dtype), numbers(rng, *filter_shape, dtype=dtype)
    wide = [a.astype(np.float64) for a in (x, filters)]
    expected = convolution.forward(np, *wide, **geometry)
    terms = np.prod(filter_shape[:-1])
    rounded(convolution(x, filters, **geometry).numpy(), expected, terms)
    dy = numbers(rng, *expected.shape, dtype=dtype)
    terms = np.prod(filter_shape[:-2]) * filter_shape[-1]
    rounded(
        convolution_data_gradient(dy, filters, input_shape=x_shape, **geometry).numpy(),
        convolution_data_gradient.forward(
            np, dy.astype(np.float64), wide[1], input_shape=x_shape, **geometry
        ),
        terms,
    )
    terms = np.prod(expected.shape[:-1])
    rounded(
        convolution_filter_gradient(x, dy, filter_shape=filter_shape, **geometry).numpy(),
        convolution_filter_gradient.forward(
            np, wide[0], dy.astype(np.float64), filter_shape=filter_shape, **geometry
        ),
        terms,
    )


@pytest.mark.parametrize("turn_a", [False, True])
@pytest.mark.parametrize("turn_b", [False, True])
@pytest.mark.parametrize(
    ("a_shape", "b_shape"),
    [((3, 5), (5, 2)), ((130, 257), (257, 65)), ((1100, 1030), (1030, 1040)),
     ((4, 64, 70), (4, 70, 66)), ((6, 40, 70), (70, 90))],
)  # fmt: skip
def test_products(rng, a_shape, b_shape, turn_a, turn_b):
    a, b = numbers(rng, *a_shape), numbers(rng, *b_shape)
    expected = np.matmul(a.astype(np.float64), b.astype(np.float64))
    left = a.swapaxes(-1, -2).copy() if turn_a else a
    right = b.swapaxes(-1, -2).copy() if turn_b else b
    made = matmul_op(left, right, transpose_a=turn_a, transpose_b=turn_b).numpy()
    rounded(made, expected, a_shape[-1])


def test_nan_and_infinity_reach_the_result(rng):
    a, b = numbers(rng, 80, 90), numbers(rng, 90, 100)
    a[3, 4], a[5, 6] = np.nan, np.inf
    found, expected = matmul_op(a, b).numpy(), a.astype(np.float32) @ b.astype(np.float32)
    np.testing.assert_array_equal(np.isnan(found.astype(np.float32)), np.isnan(expected))
    np.testing.assert_array_equal(np.isinf(found.astype(np.float32)), np.isinf(expected))


@pytest.mark.skipif(not onednn.available(), reason="oneDNN is not installed")
def test_the_processor_multiplies_bfloat16_where_it_can(rng):
    from eagercore.backend.onednn.library import library

    a = numbers(rng, 128, 128)
    made = backend.find("matmul_op")(a, a)
    assert (made is NotImplemented) == (not library().has_bfloat16)


@pytest.mark.parametrize("dtype", [tf.bfloat16, tf.float16])
def test_sums_and_means_keep_what_the_narrow_type_would_lose(dtype):
    x = tf.ones([100, 500, 3], dtype)
    kind = dtype.as_numpy_dtype
    assert tf.reduce_sum(x, axis=[0, 1]).numpy()[0] == kind(50000)
    assert tf.reduce_sum(x[0], axis=0).numpy()[0] == kind(500)
    assert tf.reduce_mean(x).numpy() == 1 and tf.reduce_mean(4 * x, axis=[0, 1]).numpy()[1] == 4
    with tf.GradientTape() as tape:
        bias = tf.zeros([3], dtype)
        tape.watch(bias)
        y = x + bias
    assert tape.gradient(y, bias).numpy()[0] == kind(50000)


#: Functions, and how many roundings they make: exponentials of differences of up to 9 have 9 times those of these.
ELEMENTWISE = [
    (lambda x, y: x + y, 1), (lambda x, y: x - y, 1), (lambda x, y: x * y, 1), (lambda x, y: x / (abs(y) + 1), 4),
    (lambda x, y: tf.nn.relu(x), 0), (lambda x, y: tf.nn.leaky_relu(x, 0.3), 1), (lambda x, y: tf.tanh(x), 2),
    (lambda x, y: tf.sigmoid(x), 4), (lambda x, y: tf.square(x), 1), (lambda x, y: tf.nn.softmax(x), 12),
    (lambda x, y: tf.matmul(x, tf.transpose(y[:2])), 64),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(ELEMENTWISE)))
@pytest.mark.parametrize("rows", [40, 5000])
def test_functions_and_their_gradients_are_near_those_of_float64(rng, number, rows):
    function, roundings = ELEMENTWISE[number]
    x, y, dy = (numbers(rng, rows, 60) for _ in range(3))

    def run(dtype):
        a, b = tf.cast(x, dtype), tf.cast(y, dtype)
        with tf.GradientTape() as tape:
            tape.watch(a)
            z = function(a, b)
        weights = tf.cast(dy, dtype)[: z.shape[0], : z.shape[1]]
        return z, tape.gradient(z, a, weights)

    for back, narrow, exact in zip((False, True), run(tf.bfloat16), run(tf.float64), strict=True):
        assert narrow.dtype == tf.bfloat16
        exact = exact.numpy()
        # What goes back is a difference, exact to the digits of the gradients of its row.
        largest = np.abs(dy.astype(np.float64)).max(axis=-1, keepdims=True)
        scale = np.abs(exact) + (largest if back else 0)
        bound = (roundings + 1) * HALF_STEP * scale + 1e-30
        np.testing.assert_array_less(np.abs(narrow.numpy().astype(np.float64) - exact), bound)


@pytest.mark.parametrize(
    ("op", "function", "size"),
    [
        (exp, np.exp, half.LEAST), (log, np.log, half.LEAST), (sqrt, np.sqrt, half.LEAST + 1),
        (tanh, np.tanh, half.LEAST), (square, np.square, half.LEAST_PLAIN), (add, np.add, half.LEAST_PLAIN),
        (multiply, np.multiply, half.LEAST_PLAIN + 1), (subtract, np.subtract, half.LEAST_PLAIN),
        (real_divide, np.divide, half.LEAST_PLAIN),
    ],
)  # fmt: skip
def test_arrays_that_float32_needs_no_kernel_for_are_widened(rng, op, function, size):
    x = [numbers(rng, size), numbers(rng, size)][: op.arity]
    x[0][:4] = np.inf, -np.inf, np.nan, 0
    with np.errstate(all="ignore"):
        wide = function(*(a.astype(np.float32) for a in x))
    made = backend.find(op.name)(*x)
    assert made is not NotImplemented
    np.testing.assert_array_equal(made.astype(np.float32), wide.astype(made.dtype).astype("f"))
    op.choose_kernel()
    assert op.least <= size, "the op goes past the kernel"


@pytest.mark.parametrize("size", [7, 4000, 100_001])
def test_casts_round_to_the_nearest(rng, size):
    x = rng.standard_normal(size).astype(np.float32) * np.float32(1e3)
    x[:7] = [0.0, -0.0, np.inf, -np.inf, np.nan, 1 + 2**-8, 1 + 3 * 2**-8]
    narrow = tf.cast(x, tf.bfloat16)
    expected = x.astype(tf.bfloat16.as_numpy_dtype)
    np.testing.assert_array_equal(narrow.numpy().view(np.uint16), expected.view(np.uint16))
    np.testing.assert_array_equal(tf.cast(narrow, tf.float32), expected.astype(np.float32))


def test_what_is_masked_is_zero_and_the_rest_rounded_once(rng):
    x = numbers(rng, 300, 200)
    x[:5, :5] = np.nan
    keep = rng.random(x.shape) < 0.5
    made = masked(x, keep, scale=1 / 0.7).numpy()
    expected = masked.forward(np, x, keep, scale=1 / 0.7)
    np.testing.assert_array_equal(made.astype(np.float32), expected.astype(np.float32))
    assert not made[~keep].astype(bool).any()


@pytest.mark.parametrize("slope", [None, 0.0, 0.3])
def test_what_follows_a_convolution_in_a_graph(rng, slope):
    x, filters, bias = numbers(rng, 2, 12, 12, 16), numbers(rng, 3, 3, 16, 32), numbers(rng, 32)

    @tf.function
    def step(x):
        y = tf.nn.conv2d(x, filters, 1, "SAME") + bias
        return y if slope is None else tf.nn.leaky_relu(y, slope) if slope else tf.nn.relu(y)

    found = step(tf.constant(x)).numpy()
    wide = [a.astype(np.float64) for a in (x, filters, bias)]
    sums = tf.nn.conv2d(wide[0], wide[1], 1, "SAME").numpy()
    y = sums + wide[2]
    exact = y if slope is None else np.where(y > 0, y, slope * y)
    # The slope is rounded as well, and each of the three steps may round.
    bound = 2 * HALF_STEP * (np.abs(sums) + np.abs(wide[2])) + 1e-5
    np.testing.assert_array_less(np.abs(found.astype(np.float64) - exact), bound)


@pytest.mark.parametrize("size", [3, 1 << 17, 100_003])
def test_ones(size):
    made = tf.ones_like(tf.zeros([size], tf.bfloat16))
    assert made.dtype == tf.bfloat16 and (made.numpy() == 1).all()


@pytest.mark.parametrize("kind", ["bfloat16", "float16"])
@pytest.mark.parametrize("classes", [5, 1001, 70000])
def test_logarithms_of_softmax_sum_many_parts_exactly(kind, classes):
    rng = np.random.default_rng(0)
    logits = tf.cast(rng.normal(size=(2, classes)), kind)
    labels = tf.cast(np.arange(classes) == np.array([[1], [3]]), kind)
    right = tf.nn.log_softmax(tf.cast(logits, tf.float64)).numpy()
    step = 2.0**-8 if kind == "bfloat16" else 2.0**-11  # half a unit in the last place
    found = tf.cast(tf.nn.log_softmax(logits), tf.float64).numpy()
    np.testing.assert_allclose(found, right, rtol=1.1 * step)
    found = tf.cast(tf.nn.softmax(logits), tf.float64).numpy()
    tiny = 2.0**-24 if kind == "float16" else 0  # float16's subnormal numbers are so far apart
    np.testing.assert_allclose(found, np.exp(right), rtol=1.1 * step, atol=tiny)
    total = tf.reduce_logsumexp(tf.cast(logits, tf.float64), 1)
    np.testing.assert_allclose(
        tf.cast(tf.reduce_logsumexp(logits, 1), tf.float64), total, rtol=1.1 * step
    )
    own = -right[[0, 1], [1, 3]]
    for loss in (
        tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits),
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 3], logits=logits),
    ):
        np.testing.assert_allclose(tf.cast(loss, tf.float64), own, rtol=1.1 * step)


def test_gradients_of_softmax_sum_many_parts_exactly():
    x = tf.cast(np.random.default_rng(0).normal(size=(1, 1001)), "bfloat16")
    for f in (tf.nn.softmax, tf.nn.log_softmax):
        slopes = []
        for logits in (x, tf.cast(x, tf.float64)):
            with tf.GradientTape() as tape:
                tape.watch(logits)
                y = f(logits) * (logits + 3)
            slopes.append(tf.cast(tape.gradient(y, logits), tf.float64).numpy())
        # Some roundings of 2^-9 each; a sum in bfloat16 stops growing at 256 parts, and is wrong by half.
        np.testing.assert_allclose(slopes[0], slopes[1], atol=0.03 * np.abs(slopes[1]).max())
