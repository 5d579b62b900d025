"""Each oneDNN kernel is held to the reference of its op."""

import itertools

import numpy as np
import pytest

from eagercore import backend
from eagercore.backend import onednn, threads
from eagercore.ops import pooling
from eagercore.ops.convolution import (
    convolution,
    convolution_data_gradient,
    convolution_filter_gradient,
)
from eagercore.ops.linalg import matmul_op

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
        # A single image.
        ((1, 15, 14, 24), (3, 4, 24, 40), (2, 1), ((1, 0), (2, 1)), (1, 1), 1),
        ((1, 9, 7, 32), (3, 2, 16, 20), (1, 1), ((1, 1), (0, 1)), (1, 2), 2),
        # Few places and many filters.
        ((1, 4, 5, 32), (4, 3, 32, 256), (2, 2), ((1, 1), (1, 1)), (1, 1), 1),
        ((3, 1, 1, 300), (2, 2, 300, 200), (1, 1), ((0, 1), (1, 0)), (1, 1), 1),
        ((2, 9, 64), (3, 64, 500), (2,), ((0, 2),), (2,), 1),
        ((1, 2, 2, 2, 100), (2, 2, 2, 100, 90), (1, 1, 1), ((0, 0),) * 3, (1, 1, 1), 1),
        # One filter a channel.
        ((2, 9, 7, 16), (3, 2, 1, 16), (1, 1), ((2, 0), (0, 1)), (1, 2), 16),
        ((2, 9, 8), (3, 1, 8), (1,), ((0, 3),), (1,), 8),
        # One channel and many examples.
        ((40, 12, 11, 1), (5, 5, 1, 72), (2, 2), ((1, 2), (2, 2)), (1, 1), 1),
        ((64, 50, 1), (7, 1, 128), (1,), ((3, 3),), (2,), 1),
        ((17, 8, 30, 1), (3, 2, 1, 400), (3, 1), ((0, 0), (0, 1)), (1, 1), 1),
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
    result = backend.find("convolution_data_gradient")(dy, filters, input_shape=x_shape, **geometry)
    assert (result is NotImplemented) == (x_shape[-1] == 1 and x_shape[0] < 16)
    if result is not NotImplemented:
        same(
            result,
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


@pytest.mark.parametrize("dtype", [np.float64, np.int32, ">f4"])
def test_other_dtypes_are_declined(dtype):
    x, filters = np.ones((1, 3, 3, 1), dtype), np.ones((2, 2, 1, 1), dtype)
    assert backend.find("convolution")(x, filters, **PLAIN) is NotImplemented


def test_empty_arrays_are_declined(rng):
    x, filters = floats(rng, 0, 3, 3, 1), floats(rng, 2, 2, 1, 1)
    assert backend.find("convolution")(x, filters, **PLAIN) is NotImplemented
    too_small = {**PLAIN, "padding": ((0, 0), (0, 0))}
    assert (
        backend.find("convolution")(floats(rng, 1, 1, 1, 1), filters, **too_small) is NotImplemented
    )


def test_nan_and_infinity_reach_the_result(rng):
    x, filters = floats(rng, 1, 5, 5, 2), floats(rng, 3, 3, 2, 4)
    x[0, 0, 0, 0], x[0, 4, 4, 1] = np.nan, np.inf
    with np.errstate(invalid="ignore"):
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
    ("with_bias", "activation"),
    list(itertools.product([False, True], [None, "tanh", "sigmoid", "relu"])),
)
def test_bias_and_activation_are_applied_on_the_way_out(rng, with_bias, activation):
    from eagercore.backend.onednn.convolution import run_convolution

    x, filters = floats(rng, 2, 7, 7, 3), floats(rng, 3, 3, 3, 5)
    bias = floats(rng, 5) if with_bias else None
    plain = convolution.forward(np, x, filters, **PLAIN) + (0 if bias is None else bias)
    functions = {
        None: lambda v: v,
        "tanh": np.tanh,
        "sigmoid": lambda v: 1 / (1 + np.exp(-v)),
        "relu": lambda v: np.maximum(v, 0),
    }
    result = run_convolution(x, filters, bias, activation=activation, **PLAIN)
    same(result, functions[activation](plain), rtol=1e-4)


POOLINGS = [
    ((2, 40, 64), (2,), (2,), ((0, 0),)),
    ((2, 17, 19, 24), (3, 2), (2, 2), ((1, 1), (0, 1))),
    ((2, 16, 16, 9), (3, 3), (1, 1), ((1, 1), (1, 1))),
    ((1, 20, 20, 16), (2, 2), (3, 3), ((0, 0), (0, 0))),
    ((2, 9, 9, 9, 8), (2, 3, 2), (2, 2, 1), ((0, 1), (1, 1), (0, 0))),
]


def pooled(kind, *arrays, **geometry):
    """The results of a kernel and of the reference."""
    reference = getattr(pooling, kind).forward(np, *arrays, **geometry)
    return backend.find(kind)(*arrays, **geometry), reference


@pytest.mark.parametrize(("shape", "window", "strides", "padding"), POOLINGS)
@pytest.mark.parametrize("ties", [False, True])
def test_pooling_equals_the_reference(rng, shape, window, strides, padding, ties):
    x = rng.integers(-2, 2, shape).astype(np.float32) if ties else floats(rng, *shape)
    geometry = {"window": window, "strides": strides, "padding": padding}
    largest, expected = pooled("max_pool", x, **geometry)
    np.testing.assert_array_equal(largest, expected)
    dy = floats(rng, *expected.shape)
    same(*pooled("max_pool_gradient", dy, x, expected, **geometry))
    same(*pooled("avg_pool", x, **geometry))
    same(*pooled("avg_pool_gradient", dy, input_shape=shape, **geometry))


@pytest.mark.parametrize("bad", [np.nan, -np.inf])
def test_a_maximum_that_onednn_would_miss_is_left_to_the_reference(rng, bad):
    x = floats(rng, 1, 32, 16, 16)
    x[0, :4, :4] = bad
    geometry = {"window": (2, 2), "strides": (2, 2), "padding": ((0, 0), (0, 0))}
    largest, expected = pooled("max_pool", x, **geometry)
    assert largest is NotImplemented
    gradient, _ = pooled("max_pool_gradient", expected, x, expected, **geometry)
    assert gradient is NotImplemented


def test_infinity_is_the_largest(rng):
    x = floats(rng, 1, 32, 16, 16)
    x[0, 3, 3] = np.inf
    geometry = {"window": (2, 2), "strides": (2, 2), "padding": ((0, 0), (0, 0))}
    np.testing.assert_array_equal(*pooled("max_pool", x, **geometry))


@pytest.mark.parametrize(
    ("a_shape", "b_shape"),
    [
        ((130, 120), (120, 110)),
        ((1, 900), (900, 900)),
        ((900, 900), (900, 1)),
        ((5, 500), (500, 300)),
        ((8, 40, 200), (200, 30)),
        ((9, 64, 70), (9, 70, 64)),
        ((3, 1, 80, 90), (5, 90, 80)),
        ((4, 8, 64, 64), (8, 64, 80)),
    ],
)
@pytest.mark.parametrize(("turn_a", "turn_b"), [(False, False), (True, False), (False, True)])
def test_products_equal_the_reference_or_are_declined(rng, a_shape, b_shape, turn_a, turn_b):
    a, b = floats(rng, *a_shape), floats(rng, *b_shape)
    a = np.ascontiguousarray(a.swapaxes(-1, -2)) if turn_a else a
    b = np.ascontiguousarray(b.swapaxes(-1, -2)) if turn_b else b
    turns = {"transpose_a": turn_a, "transpose_b": turn_b}
    result = backend.find("matmul_op")(a, b, **turns)
    thin = 1 in (a_shape[-2], b_shape[-1])
    assert (result is NotImplemented) == thin
    if not thin:
        same(result, matmul_op.forward(np, a, b, **turns))


def test_products_of_views(rng):
    a, b = floats(rng, 200, 300)[::2, ::3], floats(rng, 120, 100)[:, 10:90].T
    a, b = np.tile(a, (2, 1)), b[:, ::-1][:, :100]
    result = backend.find("matmul_op")(a.T[:80].T, b)
    same(result, a[:, :80] @ b)


@pytest.mark.parametrize("turn_a", [False, True])
@pytest.mark.parametrize("turn_b", [False, True])
@pytest.mark.parametrize("count", [1, 2])
def test_large_products_copy_blocks(rng, monkeypatch, turn_a, turn_b, count):
    from eagercore.backend.onednn import matmul

    monkeypatch.setattr(matmul, "LARGE", (1 << 20, 64))
    monkeypatch.setattr(threads, "current", count)
    a, b, bias = floats(rng, 110, 130), floats(rng, 130, 96), floats(rng, 96)
    wanted = a @ b
    left = np.asfortranarray(a) if turn_a else a
    right = np.asfortranarray(b) if turn_b else b
    calls = []
    whole = matmul._multiply_large
    monkeypatch.setattr(matmul, "_multiply_large", lambda *g: (calls.append(1), whole(*g)))
    # Every sum of 130 products of about 1: 1e-5 is some thirty units in the last place.
    same(matmul.run_matmul(left, right), wanted, 1e-5)
    out = np.full((110, 96), np.nan, np.float32)
    assert matmul.multiply_into(left, right, out)
    same(out, wanted, 1e-5)
    assert len(calls) == 2
    same(matmul.run_matmul(left, right, bias), wanted + bias, 1e-5)
    # A view with longer rows, as a slice of columns is.
    wide = floats(rng, 110, 400)
    same(matmul.run_matmul(wide[:, 20:150], right), wide[:, 20:150] @ b, 1e-5)
    left[3, 5], right[7, 9], right[8, 11] = np.nan, np.inf, -np.inf
    with np.errstate(all="ignore"):
        wanted = left @ right
    made = matmul.run_matmul(left, right)
    finite = np.isfinite(wanted)
    np.testing.assert_array_equal(made[~finite], wanted[~finite])
    same(made[finite], wanted[finite], 1e-5)


def test_bias_and_activation_of_a_product(rng):
    from eagercore.backend.onednn.matmul import run_matmul

    a, b, bias = floats(rng, 6, 5), floats(rng, 5, 4), floats(rng, 4)
    result = run_matmul(a, b, bias, activation="tanh")
    same(result, np.tanh(a @ b + bias))
    a[0] = np.nan
    result = run_matmul(a, b, bias, activation="relu")
    assert np.isnan(result[0]).all()
    same(result[1:], np.maximum(a[1:] @ b + bias, 0))


def test_sizes_that_do_not_fit_are_left_to_the_reference(rng):
    a, b = floats(rng, 100, 100), floats(rng, 101, 100)
    assert backend.find("matmul_op")(a, b) is NotImplemented
    a, b = floats(rng, 3, 100, 100), floats(rng, 4, 100, 100)
    assert backend.find("matmul_op")(a, b) is NotImplemented


@pytest.mark.parametrize("shape", [(64, 7, 9, 12), (300, 64), (20, 700), (1, 40, 40, 16)])
def test_batch_normalization_equals_the_reference(rng, shape):
    from eagercore.ops.normalization import batch_normalization, batch_normalization_gradient

    x, dy = floats(rng, *shape) + np.float32(1), floats(rng, *shape)
    gamma, beta = floats(rng, shape[-1]), floats(rng, shape[-1])
    how = {"axis": len(shape) - 1, "epsilon": 0.01}
    expected = batch_normalization.forward(np, x, gamma, beta, **how)
    result = backend.find("batch_normalization")(x, gamma, beta, **how)
    for found, reference in zip(result, expected, strict=True):
        same(found, reference)
    arrays = (dy, x, gamma, *expected[1:])
    expected = batch_normalization_gradient.forward(np, *arrays, **how)
    result = backend.find("batch_normalization_gradient")(*arrays, **how)
    for found, reference in zip(result, expected, strict=True):
        same(found, reference, rtol=1e-4)


def test_batch_normalization_declines_channels_that_are_not_last(rng):
    x, gamma = floats(rng, 40, 16, 16), floats(rng, 16)
    kernel = backend.find("batch_normalization")
    assert kernel(x, gamma, gamma, axis=1, epsilon=0.01) is NotImplemented
    assert kernel(x, gamma.astype(float), gamma, epsilon=0.01) is NotImplemented


@pytest.mark.parametrize(
    ("shape", "axis"), [((40, 10), -1), ((8, 9, 33), 2), ((16, 30, 1), 1), ((300, 400), -1)]
)
def test_softmax_equals_the_reference(rng, shape, axis):
    from eagercore.ops.nn import softmax_op

    x = floats(rng, *shape) * np.float32(5)
    x.flat[0], x.flat[50:54] = -np.inf, 1e4
    same(backend.find("softmax_op")(x, axis=axis), softmax_op.forward(np, x, axis=axis))


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_softmax_leaves_nan_to_the_reference(rng, bad):
    x = floats(rng, 40, 10)
    x[3, 4] = bad
    assert backend.find("softmax_op")(x, axis=-1) is NotImplemented
    assert backend.find("softmax_op")(floats(rng, 40, 10), axis=0) is NotImplemented


def test_programs_are_bounded(rng, monkeypatch):
    from eagercore.backend.onednn import program

    monkeypatch.setattr(program.programs, "_size", 4)
    program.programs.clear()
    for width in range(5, 15):
        backend.find("convolution")(floats(rng, 1, width, 5, 2), floats(rng, 3, 3, 2, 2), **PLAIN)
    assert len(program.programs) == 4


def test_threads_share_programs(rng):
    from concurrent.futures import ThreadPoolExecutor

    filters = floats(rng, 3, 3, 8, 16)
    images = [floats(rng, 2, 12, 12, 8) for _ in range(64)]
    expected = [convolution.forward(np, x, filters, **PLAIN) for x in images]
    run = backend.find("convolution")
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda x: run(x, filters, **PLAIN), images))
    for result, reference in zip(results, expected, strict=True):
        same(result, reference)


def test_a_forked_child_computes():
    import subprocess
    import sys

    code = """
import os, numpy as np
from eagercore import backend
a = np.ones((512, 512), np.float32)
product = backend.find("matmul_op")
product(a, a)
child = os.fork()
if child == 0:
    ok = (product(a, a) == 512).all() and (a @ a == 512).all()
    os._exit(0 if ok else 1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
assert (product(a, a) == 512).all()
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True, timeout=60)


def test_blas_is_told_beside_threads_that_sleep_and_not_beside_one_at_work():
    import subprocess
    import sys

    code = """
import threading
import numpy as np
from eagercore.backend import threads
stop = threading.Event()
threading.Thread(target=stop.wait).start()
while threads._others_compute():
    pass
assert threads.quiet_blas() == sum(
    hasattr(handle, "blas_thread_init") for _, handle in threads._blas_handles()
)
def compute():
    while not stop.is_set():
        np.ones((300, 300)) @ np.ones((300, 300))
threading.Thread(target=compute).start()
while not threads._others_compute():
    pass
assert not threads._asleep(None)
stop.set()
assert (np.ones((300, 300)) @ np.ones((300, 300)) == 300).all()
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_importing_the_engine_does_not_load_the_library():
    import subprocess
    import sys

    code = """
import eagercore
assert "libdnnl" not in open("/proc/self/maps").read()
(eagercore.constant([1.0, 2.0]) + 1).numpy()
assert "libdnnl" not in open("/proc/self/maps").read()
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_the_report_names_the_library():
    report = backend.describe()
    assert report["kernels"] == "onednn"
    assert report["version"].startswith("3.")
    assert report["threads"] >= 1
    with backend.reference():
        assert backend.describe()["kernels"] == "reference"
        assert backend.find("convolution") is None


def test_one_thread_while_other_programs_want_the_cores(monkeypatch):
    from eagercore.backend import threads

    waited = 0
    monkeypatch.setattr(threads, "global_seed", lambda: None)
    monkeypatch.setattr(threads, "_waited", lambda: waited)
    monkeypatch.setattr(threads, "current", 2)
    crowd = threads._Crowd()
    monkeypatch.setattr(threads, "_crowd", crowd)
    clock = 100.0
    monkeypatch.setattr(threads, "monotonic", lambda: clock)

    def after(seconds, waiting):
        nonlocal clock, waited
        clock += seconds
        waited += int(waiting * 1e9)
        return threads.now()

    assert after(0.0, 0.0) == 2
    assert after(0.3, 0.01) == 2
    assert after(0.3, 0.2) == 1
    assert after(0.3, 0.04) == 1, "it takes a quiet while to come back"
    assert after(0.3, 0.0) == 2
    after(60.0, 5.0)
    assert threads.now() == 2, "nothing is known of a thread that did not compute"
    monkeypatch.setattr(threads, "_waited", lambda: None)
    assert after(1.0, 0.9) == 2
