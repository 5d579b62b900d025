"""Elementwise kernels give the reference's numbers, NaN and infinity included."""

import numpy as np
import pytest

from eagercore import backend
from eagercore.backend import blocks, threads
from eagercore.ops import activations, arithmetic, exponential, nn
from eagercore.ops.dropout import masked
from eagercore.ops.select import select

SIZE = (1 << 18) + 4321  # a multiple of 5
SPECIAL = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-40, -1e-40, 3e38, -3e38, 88.9, -104.0]

OPS = [
    (exponential.exp, {}, 1e-6),
    (exponential.expm1, {}, 0),
    (exponential.log, {}, 0),
    (exponential.log1p, {}, 0),
    (exponential.tanh, {}, 4e-7),
    (exponential.sqrt, {}, 0),
    (exponential.rsqrt, {}, 0),
    (exponential.sigmoid, {}, 1e-6),
    (exponential.softplus, {}, 1e-6),
    (nn.relu, {}, 0),
    (nn.leaky_relu_op, {"alpha": 0.2}, 0),
    (activations.elu, {"alpha": 1.3}, 1e-6),
    (activations.selu, {}, 1e-6),
    (activations.gelu_op, {}, 5e-6),
]


@pytest.fixture
def rng():
    return np.random.default_rng(5)


def numbers(rng, dtype=np.float32):
    x = (rng.standard_normal(SIZE) * rng.choice([1e-3, 1, 30], SIZE)).astype(dtype)
    x[100 : 100 + len(SPECIAL)] = SPECIAL
    return x.reshape(5, -1)


def reference(op, *arrays, **attrs):
    with np.errstate(all="ignore"):
        return op.forward(np, *arrays, **attrs)


@pytest.mark.parametrize(("op", "attrs", "tolerance"), OPS, ids=lambda v: getattr(v, "name", ""))
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_functions(rng, op, attrs, tolerance, dtype):
    x = numbers(rng, dtype)
    result = backend.find(op.name)(x, **attrs)
    if result is NotImplemented:
        assert op.name in ("sigmoid", "sqrt", "gelu_op")
        assert dtype is np.float64 or not backend.onednn.available()
        return
    assert result.dtype == dtype
    np.testing.assert_allclose(
        result, reference(op, x, **attrs), rtol=tolerance, atol=tolerance * 1e-1
    )


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("y", [2, 3, 4, -1, 0.5, 2.7, np.nan, np.inf])
def test_powers(rng, dtype, y):
    x = numbers(rng, dtype)
    y = np.asarray(y, dtype)
    made, wanted = backend.find("pow")(x, y), reference(arithmetic.pow_, x, y)
    np.testing.assert_allclose(made, wanted, rtol=4 * np.finfo(dtype).eps, atol=2e-45)
    assert backend.find("pow")(x, x) is NotImplemented


@pytest.mark.skipif(not backend.onednn.available(), reason="oneDNN is not installed")
@pytest.mark.parametrize(
    ("op", "attrs", "tolerance", "least"),
    [
        (activations.silu_op, {}, 2e-6, 2e-36),
        (activations.gelu_op, {"approximate": True}, 1e-6, 4e-7),
    ],
    ids=["silu", "gelu"],
)
def test_what_the_reference_has_fewer_digits_of(rng, op, attrs, tolerance, least):
    # One plus a hyperbolic tangent near -1 keeps few digits: float64 has enough left.
    x = numbers(rng)
    made, wanted = backend.find(op.name)(x, **attrs), x.astype(np.float64)
    with np.errstate(all="ignore"):
        wanted = (
            wanted / (1 + np.exp(-wanted))
            if op is activations.silu_op
            else reference(op, wanted, **attrs)
        )
        single = reference(op, x, **attrs)
    finite = np.isfinite(single)
    np.testing.assert_array_equal(made[~finite], single[~finite])
    np.testing.assert_allclose(made[finite], wanted[finite], rtol=tolerance, atol=least)


@pytest.mark.skipif(not backend.onednn.available(), reason="oneDNN is not installed")
def test_gelu_has_digits_in_its_tail(rng):
    # Laplace's asymptotic series is good to 1e-6 at 8, its terms falling like 1 / z ** 2.
    x = -rng.uniform(8, 12.5, 1 << 17)
    z = -x.astype(np.float32).astype(np.float64)
    terms = sum(c * z ** -(2 * k) for k, c in enumerate([1, -1, 3, -15, 105, -945, 10395]))
    density = np.exp(-z * z / 2) / np.sqrt(2 * np.pi)
    x = x.astype(np.float32)
    made = backend.find("gelu_op")(x)
    np.testing.assert_allclose(made, -density * terms, rtol=2e-6)
    slope = backend.find("gelu_gradient")(np.ones_like(x), x)
    np.testing.assert_allclose(slope, density * (terms / z - z), rtol=2e-6)


@pytest.mark.skipif(not backend.onednn.available(), reason="oneDNN is not installed")
def test_the_slope_of_gelu(rng):
    x, dy = numbers(rng), numbers(rng)[::-1].copy()
    made = backend.find("gelu_gradient")(dy, x)
    wanted = reference(activations.gelu_gradient, dy, x)
    finite = np.isfinite(wanted)
    np.testing.assert_array_equal(made[~finite], wanted[~finite])
    # About -0.75 the slope is 0, and its digits are those of the terms that it is the difference of.
    scale = np.abs(dy[finite])
    assert np.all(np.abs(made[finite] - wanted[finite]) <= 1e-6 * scale)


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("size", [1 << 17, (1 << 18) + 1, (1 << 19) + 70_001])
def test_exponentials_that_are_nothing_or_everything(rng, monkeypatch, count, size):
    monkeypatch.setattr(threads, "current", count)
    x = (rng.standard_normal(size) * 5).astype(np.float32)
    kernel = backend.find("exp")
    for place in (0, size // 2, size - 1):
        for special in [*SPECIAL, -87.3, -87.4, -100.0, -103.9, 88.7, 88.8]:
            changed = x.copy()
            changed[place] = special
            made, wanted = kernel(changed), reference(exponential.exp, changed)
            # One step of the smallest numbers is as much as NumPy's own rounding of them.
            np.testing.assert_allclose(made, wanted, rtol=1e-6, atol=2e-45)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("alpha", [0.2, 0.0, 0.01, 1.0, 1.5])
def test_gradients_of_the_two_slopes(rng, dtype, alpha):
    x = numbers(rng, dtype)
    x[np.isnan(x)] = -2  # whose gradient means nothing
    dy = rng.standard_normal(x.shape).astype(dtype)
    dy[0, 7] = np.nan
    np.testing.assert_array_equal(
        backend.find("leaky_relu_gradient")(dy, x, alpha=alpha),
        reference(nn.leaky_relu_gradient, dy, x, alpha=alpha),
    )
    x[3, 3] = np.nan
    np.testing.assert_array_equal(
        backend.find("relu_gradient")(dy, x), reference(nn.relu_gradient, dy, x)
    )


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize(
    "op", [exponential.tanh_gradient, exponential.sigmoid_gradient, nn.relu_gradient]
)
@pytest.mark.skipif(not backend.onednn.available(), reason="oneDNN is not installed")
def test_gradients_round_as_the_reference_does(rng, monkeypatch, op, count):
    monkeypatch.setattr(threads, "current", count)
    y, dy = numbers(rng), numbers(rng)[::-1].copy()
    made = backend.find(op.name)(dy, y)
    np.testing.assert_array_equal(made, reference(op, dy, y))


@pytest.mark.parametrize("op", [exponential.tanh_gradient, exponential.sigmoid_gradient])
@pytest.mark.parametrize("shape", [(), (1,), (1, 1), (5, 1)])
@pytest.mark.skipif(not backend.onednn.available(), reason="oneDNN is not installed")
def test_gradients_of_another_shape_are_not_read_beyond_their_end(rng, op, shape):
    dy, y = np.full(shape, 0.5, np.float32), numbers(rng)
    assert backend.find(op.name)(dy, y) is NotImplemented
    np.testing.assert_array_equal(op(dy, y).numpy(), reference(op, dy, y))


SHAPES = [
    ((1000, 300), (1000, 300)), ((1000, 300), (300,)), ((1000, 300), (1, 300)), ((1000, 300), (1000, 1)),
    ((1000, 300), ()), ((1000, 300), (1, 1)), ((10, 100, 300), (100, 300)), ((10, 100, 300), (10, 1, 1)),
    ((10, 100, 300), (10, 100, 1)), ((1, 1000, 300), (1, 1000, 1)), ((300_007,), (1,)), ((300_007, 1), (1,)),
]  # fmt: skip


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize(
    "op", [arithmetic.add, arithmetic.subtract, arithmetic.multiply, arithmetic.real_divide]
)
@pytest.mark.parametrize(("shape", "other"), SHAPES)
@pytest.mark.skipif(not backend.onednn.available(), reason="oneDNN is not installed")
def test_arithmetic_is_numpys_bit_by_bit(rng, monkeypatch, op, shape, other, count):
    monkeypatch.setattr(threads, "current", count)
    x, y = (rng.standard_normal(s).astype(np.float32) for s in (shape, other))
    x, y = np.asarray(x), np.asarray(y)
    for i, special in enumerate(SPECIAL):
        x.flat[i * 7 : i * 7 + len(SPECIAL)] = special
    if y.size > 500:
        for i in range(9):
            y.flat[i * 9 : i * 9 + len(SPECIAL)] = SPECIAL
    x.flags.writeable = y.flags.writeable = False
    made, wanted = backend.find(op.name)(x, y), reference(op, x, y)
    assert (made.shape, made.dtype) == (wanted.shape, wanted.dtype)
    np.testing.assert_array_equal(np.isnan(made), np.isnan(wanted))
    number = ~np.isnan(wanted)
    np.testing.assert_array_equal(made.view(np.int32)[number], wanted.view(np.int32)[number])


def test_arithmetic_that_is_broadcast_otherwise_is_declined(rng):
    x = np.ones((1, 1000, 300), np.float32)
    cut = x.reshape(10, 100, 300)
    for a, b in (
        (x, x[:, :, :1].reshape(1000, 1)), (x[0, :, 0], x), (x, x[:, ::2]), (x[:, :, ::2], x[:, :, ::2]),
        (x, x[None]), (x, x.astype(np.float64)), (x, x[:, :0]), (cut, cut[:, :1]),
    ):  # fmt: skip
        assert backend.find("add") is None or backend.find("add")(a, b) is NotImplemented


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64])
@pytest.mark.parametrize("scalar", [None, "x", "y"])
def test_selection(rng, dtype, scalar):
    x, y = (rng.integers(-9, 9, (SIZE, 1)).astype(dtype) for _ in range(2))
    x = dtype(7) + np.zeros((), dtype) if scalar == "x" else x
    y = np.zeros((1,), dtype) if scalar == "y" else y
    condition = rng.random((SIZE, 1)) < 0.5
    result = backend.find("select")(condition, np.asarray(x), np.asarray(y))
    expected = reference(select, condition, np.asarray(x), np.asarray(y))
    assert result.shape == expected.shape and result.dtype == expected.dtype
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_what_is_masked_is_zero_also_where_it_was_not_a_number(rng, dtype):
    x = numbers(rng, dtype)
    keep = rng.random(x.shape) < 0.5
    result = backend.find("masked")(x, keep, scale=1 / 0.7)
    np.testing.assert_array_equal(result, reference(masked, x, keep, scale=1 / 0.7))
    assert not result[~keep].any()


def test_nan_is_selected_bit_by_bit(rng):
    x, y = numbers(rng), numbers(rng)[::-1].copy()
    condition = rng.random(x.shape) < 0.5
    result = backend.find("select")(condition, x, y)
    np.testing.assert_array_equal(result.view(np.int32), np.where(condition, x, y).view(np.int32))


def test_small_strange_and_turned_arrays_are_declined(rng):
    small, turned = np.ones(8, np.float32), np.ones((300, 300), np.float32)[:, ::2]
    for name in ("exp", "relu", "softplus", "rsqrt", "leaky_relu_op"):
        for array in (small, turned, np.ones(SIZE, np.float16), np.ones(SIZE, np.int32)):
            assert backend.find(name)(array) is NotImplemented
    condition = np.ones((300, 300), bool)
    rows = np.ones((300, 1), np.float32)
    assert backend.find("select")(condition, rows, rows) is NotImplemented


@pytest.mark.parametrize(
    "dtype", [np.float16, np.float32, np.float64, np.int32, np.complex64, bool]
)
@pytest.mark.parametrize("shape", [(), (0,), (3,), (1 << 16,), (257, 1031), (70001, 3)])
def test_ones(dtype, shape):
    made = blocks.ones(shape, dtype)
    assert (made.shape, made.dtype) == (shape, dtype)
    np.testing.assert_array_equal(made, np.ones(shape, dtype))


@pytest.mark.skipif(not backend.onednn.available(), reason="oneDNN is not installed")
@pytest.mark.parametrize("size", [SIZE, 4321])
def test_a_rectifier_in_place(rng, size):
    from eagercore.backend.onednn.binary import rectify_in_place

    x = numbers(rng).reshape(-1)[:size].copy()
    wanted = np.maximum(x, np.float32(0))
    rectify_in_place(x)
    np.testing.assert_array_equal(x, wanted)


@pytest.mark.skipif(not backend.onednn.available(), reason="oneDNN is not installed")
@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("shape", [(999, 70), (16, 32, 33, 8), (40, 3000), (70001, 3)])
def test_products_and_sums_of_channels_are_numpys_bit_by_bit(rng, monkeypatch, shape, count):
    monkeypatch.setattr(threads, "current", count)
    x = rng.standard_normal(shape).astype(np.float32)
    factor, shift = rng.standard_normal((2, shape[-1])).astype(np.float32)
    x.flat[: len(SPECIAL)] = SPECIAL
    factor[0], shift[1], shift[2] = np.inf, -np.inf, np.nan
    made = backend.find("multiply_add")(x, factor, shift)
    np.testing.assert_array_equal(made, reference(arithmetic.multiply_add, x, factor, shift))
    for others in (
        (factor, shift[0]),
        (factor[:, None], shift[:, None]),
        (factor[::-1], shift),
        (x, x),
    ):
        assert backend.find("multiply_add")(x, *others) is NotImplemented
