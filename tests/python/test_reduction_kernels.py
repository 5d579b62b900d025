"""Reductions of large arrays: each kernel is held to its op's reference, and long sums to float64."""

import numpy as np
import pytest

from eagercore import backend, random
from eagercore.backend import reductions, threads
from eagercore.ops import reduce
from eagercore.ops.sum_to import sum_to

SHAPES = [
    ((131, 257), 1), ((131, 257), 0), ((131, 257), None), ((40, 30, 50), (1, 2)), ((40, 30, 50), (0, 1)),
    ((40, 30, 50), (-1,)), ((3, 16384), 1), ((2, 20011), -1), ((20011, 3), 0), ((70001,), None), ((70001,), 0),
    ((30000, 1), 1), ((1, 30000), 0), ((17000, 2), 1), ((300, 5000), 1), ((2000, 700), 0),
    ((256, 20, 64), 1), ((12, 20, 20, 5), (1, 2)),
]  # fmt: skip
OPS = [reduce.reduce_sum, reduce.reduce_mean, reduce.reduce_max, reduce.reduce_min]


@pytest.fixture
def rng():
    return np.random.default_rng(5)


@pytest.fixture(params=[1, 2])
def count(request, monkeypatch):
    """The number of threads."""
    monkeypatch.setattr(threads, "current", request.param)
    random.set_seed(1)
    yield request.param
    random.set_seed(None)


def made_and_wanted(op, x, axis, keepdims):
    with np.errstate(all="ignore"):
        made = backend.find(op.name)(x, axis=axis, keepdims=keepdims)
        wanted = np.asarray(op.forward(np, x, axis=axis, keepdims=keepdims))
    return made, wanted


def same(made, wanted, terms):
    assert made is not NotImplemented
    assert (made.shape, made.dtype) == (wanted.shape, wanted.dtype)
    special = ~np.isfinite(wanted)
    np.testing.assert_array_equal(made[special], wanted[special])
    # Both round in each of some ten additions and, at random, in each term of a running sum of a few hundred.
    tolerance = 30 * np.finfo(made.dtype).eps
    np.testing.assert_allclose(
        made[~special], wanted[~special], rtol=tolerance, atol=tolerance * np.sqrt(terms)
    )


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
@pytest.mark.parametrize(("shape", "axis"), SHAPES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_kernels_give_what_the_reference_gives(rng, count, op, shape, axis, dtype):
    x = rng.standard_normal(shape).astype(dtype)
    x.flags.writeable = False
    for keepdims in (False, True):
        made, wanted = made_and_wanted(op, x, axis, keepdims)
        axes = axis if isinstance(axis, tuple) else (axis,)
        columns = axis is not None and not {-1, len(shape) - 1} & set(axes)
        if columns and op.name in ("reduce_max", "reduce_min"):
            assert made is NotImplemented
        elif op.name in ("reduce_max", "reduce_min"):
            np.testing.assert_array_equal(made, wanted)
            assert made.shape == wanted.shape
        else:
            same(made, wanted, x.size // wanted.size)
            # The same numbers again: parts do not depend on who had a core.
            np.testing.assert_array_equal(made, made_and_wanted(op, x, axis, keepdims)[0])


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
@pytest.mark.parametrize(("shape", "axis"), SHAPES)
@pytest.mark.parametrize(
    "special", [[np.nan], [np.inf], [-np.inf], [np.inf, -np.inf], [-np.nan, np.inf], [-0.0]]
)
def test_nan_and_infinity_are_where_the_reference_has_them(rng, op, shape, axis, special):
    for place in (0, 1, -1):
        x = rng.standard_normal(shape).astype(np.float32)
        x.flat[[(place - i) % x.size for i in range(len(special))]] = special
        made, wanted = made_and_wanted(op, x, axis, False)
        if made is not NotImplemented:
            same(made, wanted, x.size // wanted.size)


@pytest.mark.parametrize("op", OPS[2:], ids=lambda op: op.name)
def test_rows_of_infinities_have_extremes(op):
    x = np.full((300, 100), -np.inf, np.float32)
    x[1::2] = np.inf
    made, wanted = made_and_wanted(op, x, 1, False)
    np.testing.assert_array_equal(made, wanted)


@pytest.mark.parametrize("shape", [(10_000_000,), (10_000_000, 1), (2_500_000, 4), (4, 2_500_000)])
@pytest.mark.parametrize("axis", [0, -1, None])
def test_long_sums_keep_their_digits(shape, axis):
    # A running total in float32 stops growing at 2 ** 24 and is off by tenths.
    x = np.full(shape, 1.1, np.float32)
    made = reduce.reduce_sum(x, axis=axis).numpy()
    wanted = np.float64(np.float32(1.1)) * (x.size // made.size)
    np.testing.assert_allclose(made, wanted, rtol=2e-6)


def test_small_strange_and_turned_arrays_are_declined(rng):
    kernel = backend.find("reduce_sum")
    x = rng.standard_normal((300, 300)).astype(np.float32)
    for given, axis in (
        (x[:100, :100].copy(), 1), (x.T, 1), (x[:, ::2], 1), (x.astype(np.float16), 1), (x.astype(np.int32), 1),
        (x.reshape(30, 10, 300), (0, 2)), (x.reshape(2, 600, 75), 1), (x, 2), (x, (0, 0)), (x, ()),
    ):  # fmt: skip
        assert kernel(given, axis=axis) is NotImplemented


def test_without_the_library_the_numbers_are_the_references(rng, count, monkeypatch):
    monkeypatch.setattr(reductions, "_library", lambda: None)
    x = rng.standard_normal((512, 2048)).astype(np.float32)
    for op in OPS:
        for axis in (None, 1):
            made, wanted = made_and_wanted(op, x, axis, True)
            same(made, wanted, x.size // wanted.size)


@pytest.mark.parametrize(
    ("shape", "to"),
    [
        ((64, 16, 256), (256,)), ((64, 16, 256), (64, 1, 256)), ((64, 16, 256), (64, 16, 1)), ((600, 500), (1, 500)),
        ((20, 30, 16, 32), (30, 1, 32)), ((600, 500), (1, 1)), ((600, 500), ()),
    ],
)  # fmt: skip
@pytest.mark.parametrize("special", [None, np.nan, np.inf])
def test_broadcasting_is_undone_as_the_reference_does(rng, count, shape, to, special):
    x = rng.standard_normal(shape).astype(np.float32)
    if special is not None:
        x.flat[7] = special
    made = sum_to.run(x, shape=to)
    with np.errstate(all="ignore"):
        wanted = sum_to.forward(np, x, shape=to)
    same(np.asarray(made), np.asarray(wanted), x.size // wanted.size)
