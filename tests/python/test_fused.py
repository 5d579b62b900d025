"""Fused optimizer steps: held to the formulas, written plainly in float64."""

import numpy as np
import pytest

from eagercore import backend
from eagercore.backend import fused, memory, parallel, threads
from eagercore.base import seeds

SIZES = [1, 7, 1000, (1 << 14) + 3, (1 << 18) + (1 << 16) + 5]


@pytest.fixture(params=["kernels", "reference"])
def arrays(request):
    """Parameter, gradient and three slots of positive numbers, with kernels and without."""

    def make(size, dtype=np.float32):
        rng = np.random.default_rng(size)
        p, g = (rng.standard_normal(size).astype(dtype) for _ in range(2))
        return [p, g, *(rng.random(size).astype(dtype) for _ in range(3))]

    before = backend.use_reference(request.param == "reference")
    yield make
    backend.use_reference(before)


def close(found, expected):
    tolerance = 3e-6 if found.dtype == np.float32 else 1e-12
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


def wide(values):
    return [value.astype(np.float64) for value in values]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_adam(arrays, size, dtype):
    p, g, m, v, _ = arrays(size, dtype)
    p0, g0, m0, v0 = wide([p, g, m, v])
    fused.adam_step(p, g, m, v, 0.01, 0.9, 0.99, 1e-4)
    m1, v1 = 0.9 * m0 + 0.1 * g0, 0.99 * v0 + 0.01 * g0**2
    close(m, m1)
    close(v, v1)
    close(p, p0 - 0.01 * m1 / (np.sqrt(v1) + 1e-4))
    np.testing.assert_array_equal(g, g0.astype(dtype))


@pytest.mark.parametrize("size", SIZES)
def test_amsgrad(arrays, size):
    p, g, m, v, largest = arrays(size)
    p0, g0, m0, v0, l0 = wide([p, g, m, v, largest])
    fused.adam_step(p, g, m, v, 0.01, 0.9, 0.99, 1e-4, v_hat=largest)
    m1, v1 = 0.9 * m0 + 0.1 * g0, 0.99 * v0 + 0.01 * g0**2
    close(largest, np.maximum(l0, v1))
    close(p, p0 - 0.01 * m1 / (np.sqrt(np.maximum(l0, v1)) + 1e-4))


@pytest.mark.parametrize("size", SIZES)
def test_gradient_descent(arrays, size):
    p, g, *_ = arrays(size)
    p0, g0 = wide([p, g])
    fused.sgd_step(p, g, 0.25)
    close(p, p0 - 0.25 * g0)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("nesterov", [False, True])
def test_momentum(arrays, size, nesterov):
    p, g, velocity, accumulator, _ = arrays(size)
    p0, g0, v0, a0 = wide([p, g, velocity, accumulator])
    q = p.copy()
    fused.momentum_step(p, g, velocity, 0.1, 0.9, nesterov)
    v1 = 0.9 * v0 - 0.1 * g0
    close(velocity, v1)
    close(p, p0 + (0.9 * v1 - 0.1 * g0 if nesterov else v1))
    fused.accumulated_momentum_step(q, g, accumulator, 0.1, 0.9, nesterov)
    a1 = 0.9 * a0 + g0
    close(accumulator, a1)
    close(q, p0 - 0.1 * (0.9 * a1 + g0 if nesterov else a1))


@pytest.mark.parametrize("size", SIZES)
def test_rmsprop(arrays, size):
    p, g, square, velocity, _ = arrays(size)
    p0, g0, s0, v0 = wide([p, g, square, velocity])
    q, square_again = p.copy(), square.copy()
    fused.rmsprop_step(p, g, square, 0.1, 0.9, 1e-3)
    s1 = 0.9 * s0 + 0.1 * g0**2
    close(square, s1)
    close(p, p0 - 0.1 * g0 / (np.sqrt(s1) + 1e-3))
    mean = np.zeros_like(p)
    fused.rmsprop_step(
        q, g, square_again, 0.1, 0.9, 1e-3, momentum=0.5, velocity=velocity,
        mean_gradient=mean, epsilon_inside=True,
    )  # fmt: skip
    v1 = 0.5 * v0 + 0.1 * g0 / np.sqrt(s1 - (0.1 * g0) ** 2 + 1e-3)
    close(velocity, v1)
    close(q, p0 - v1)


@pytest.mark.parametrize("size", SIZES)
def test_adagrad(arrays, size):
    p, g, total, *_ = arrays(size)
    p0, g0, t0 = wide([p, g, total])
    fused.adagrad_step(p, g, total, 0.1, 1e-3)
    t1 = t0 + g0**2
    close(total, t1)
    close(p, p0 - 0.1 * g0 / (np.sqrt(t1) + 1e-3))


def test_nan_and_infinity_stay(arrays):
    p, g, m, v, _ = arrays(1 << 15)
    g[3], g[5], p[7] = np.nan, np.inf, np.nan
    fused.adam_step(p, g, m, v, 0.01)
    assert np.isnan(p[[3, 5, 7]]).all()
    assert np.isfinite(np.delete(p, [3, 5, 7])).all()


def test_arrays_of_any_shape_are_changed_in_place(arrays):
    p, g, *_ = (a.reshape(4, 250) for a in arrays(1000))
    p0 = p.copy()
    fused.sgd_step(p, g, 0.5)
    close(p, p0 - np.float32(0.5) * g)


def test_what_cannot_be_done_in_place_is_refused():
    p = np.zeros((4, 4), np.float32)
    with pytest.raises(ValueError, match=r"float32\[4, 4\], float64\[4, 4\]"):
        fused.sgd_step(p, p.astype(np.float64), 0.1)
    with pytest.raises(ValueError, match="contiguous"):
        fused.sgd_step(p.T[:, ::2], p[:, ::2], 0.1)
    with pytest.raises(ValueError, match="size"):
        fused.sgd_step(p, p[0], 0.1)


@pytest.mark.parametrize("count", [0, 1, 100, 1000, 1001])
def test_parts_cover_the_range_once(count):
    hits = np.zeros(count, int)
    parallel.run(lambda a, b: np.add.at(hits, np.arange(a, b), 1), count, 10)
    assert (hits == 1).all()


def test_a_failure_in_a_part_is_raised(monkeypatch):
    def work(start, stop):
        if start:
            raise KeyError(start)

    before = threads.count()
    threads.set_num_threads(2)
    monkeypatch.setattr(threads, "now", lambda: 2)
    try:
        with pytest.raises(KeyError):
            parallel.run(work, 1000, 10)
    finally:
        threads.set_num_threads(before)


def test_who_sets_a_seed_gets_sums_that_are_split_alike_on_a_crowded_machine(monkeypatch):
    monkeypatch.setattr(threads, "current", 2)
    monkeypatch.setattr(threads._crowd, "here", True)
    monkeypatch.setattr(threads._crowd, "due", float("inf"))
    before = seeds.global_seed()
    try:
        seeds.set_global_seed(None)
        assert threads.now() == 1
        seeds.set_global_seed(7)
        assert threads.now() == 2
    finally:
        seeds.set_global_seed(before)


def test_threads_are_counted_and_refused_when_negative():
    before = threads.count()
    threads.set_num_threads(1)
    assert threads.count() == 1
    threads.set_num_threads(0)
    assert threads.count() == threads.available()
    with pytest.raises(ValueError, match="-1"):
        threads.set_num_threads(-1)
    threads.set_num_threads(before)


@pytest.mark.skipif(not memory.supported(), reason="the C library is not glibc")
def test_memory_is_kept_or_given_back():
    before = memory.kept()
    assert memory.keep_freed_memory(True)
    assert memory.kept()
    assert memory.keep_freed_memory(False)
    assert not memory.kept()
    memory.keep_freed_memory(before)
