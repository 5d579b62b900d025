"""Layer normalization: its kernels are held to the references, and these to float64."""

import numpy as np
import pytest

from eagercore import backend
from eagercore.backend import onednn, threads
from eagercore.ops.layer_normalization import layer_normalization, layer_normalization_gradient

SHAPES = [
    ((257, 1031), 1),
    ((4, 130, 300), 1),
    ((40, 30, 50), 2),
    ((9, 40, 30, 10), 3),
    ((2000, 10), 1),
    ((3, 70001), 1),
]


@pytest.fixture(params=[1, 2])
def rng(request, monkeypatch):
    monkeypatch.setattr(threads, "current", request.param)
    return np.random.default_rng(11)


def numbers(rng, shape, last):
    x = rng.standard_normal(shape) * rng.choice([0.01, 1, 30], (*shape[:-1], 1)) + 3
    gamma, beta = rng.uniform(0.5, 2, shape[-last:]), rng.standard_normal(shape[-last:])
    return [a.astype(np.float32) for a in (x, gamma, beta)]


def near(made, wanted, tolerance=3e-6):
    """Equal but for some units in the last place of the largest number, which sums of both signs lose."""
    assert (made.shape, made.dtype) == (wanted.shape, np.float32)
    finite = np.isfinite(wanted)
    np.testing.assert_array_equal(np.isnan(made), np.isnan(wanted))
    largest = np.abs(wanted[finite]).max(initial=1.0)
    np.testing.assert_allclose(made[finite], wanted[finite], rtol=1e-5, atol=tolerance * largest)


@pytest.mark.parametrize("library", [True, False])
@pytest.mark.parametrize(("shape", "last"), SHAPES)
def test_results_mean_and_deviation(rng, monkeypatch, shape, last, library):
    library = library and onednn.available()
    if not library:
        monkeypatch.setattr(onednn, "available", lambda: False)
    arrays = numbers(rng, shape, last)
    for array in arrays:
        array.flags.writeable = False
    made = backend.find("layer_normalization")(*arrays, epsilon=1e-3)
    if made is NotImplemented:
        assert not library and arrays[0].size < 1 << 15
        return
    wanted = layer_normalization.forward(np, *[a.astype(np.float64) for a in arrays], epsilon=1e-3)
    for one, two in zip(made, wanted, strict=True):
        # A row with deviation 0.01 about 3 has lost two digits to begin with.
        near(one, two, 3e-5)


@pytest.mark.parametrize(("shape", "last"), SHAPES)
@pytest.mark.skipif(not onednn.available(), reason="oneDNN is not installed")
def test_gradients(rng, shape, last):
    x, gamma, beta = numbers(rng, shape, last)
    dy = rng.standard_normal(shape).astype(np.float32)
    _, mean, inverse = layer_normalization.forward(np, x, gamma, beta)
    arrays = (dy, x, gamma, mean, inverse)
    for array in arrays:
        array.flags.writeable = False
    made = backend.find("layer_normalization_gradient")(*arrays)
    wanted = layer_normalization_gradient.forward(np, *[a.astype(np.float64) for a in arrays])
    for one, two in zip(made, wanted, strict=True):
        near(one, two)


@pytest.mark.parametrize("special", [np.nan, np.inf, -np.inf, 1e25, 1e-40])
@pytest.mark.parametrize("whole", [False, True])
def test_rows_with_what_is_no_number(rng, special, whole):
    x, gamma, beta = numbers(rng, (300, 100), 1)
    x[7, slice(None) if whole else 5] = special
    dy = rng.standard_normal(x.shape).astype(np.float32)
    with np.errstate(all="ignore"):
        wanted = layer_normalization.forward(np, x, gamma, beta)
        made = [t.numpy() for t in layer_normalization(x, gamma, beta)]
        back = layer_normalization_gradient.forward(np, dy, x, gamma, *wanted[1:])
        gradients = [t.numpy() for t in layer_normalization_gradient(dy, x, gamma, *wanted[1:])]
    others = np.arange(300) != 7
    near(made[0][others], wanted[0][others], 3e-5)
    near(gradients[0][others], back[0][others], 3e-5)
    if special != 1e25:
        # Of a row of 1e25 the reference's own mean is rounded, and the rest of its variance is arbitrary.
        near(made[0], wanted[0], 3e-5)
    for one, two in zip(gradients[1:], back[1:], strict=True):
        near(one, two, 3e-5)


def test_a_deviation_without_a_square_is_left_to_the_reference(rng):
    x, gamma, _ = numbers(rng, (300, 100), 1)
    mean, inverse = np.zeros((300, 1), np.float32), np.ones((300, 1), np.float32)
    kernel = backend.find("layer_normalization_gradient")
    for value in (0, 1e-20, 1e20, np.inf, np.nan):
        inverse[5] = value
        assert kernel(x, x, gamma, mean, inverse) is NotImplemented


def test_other_arrays_are_declined(rng):
    x, gamma, beta = numbers(rng, (300, 100), 1)
    forward, backward = (
        backend.find(name) for name in ("layer_normalization", "layer_normalization_gradient")
    )
    ones = np.ones((300, 1), np.float32)
    for given in (x[:30], x.astype(np.float16), x[:, ::-1], np.asfortranarray(x)):
        assert forward(given, gamma, beta) is NotImplemented
        assert (
            backward(given, given, gamma, ones[: len(given)], ones[: len(given)]) is NotImplemented
        )
    assert forward(x, gamma[:50], beta[:50]) is NotImplemented
    assert backward(x[:, :50].copy(), x, gamma, ones, ones) is NotImplemented
    assert forward(x, gamma.astype(np.float64), beta) is NotImplemented
