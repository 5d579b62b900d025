"""Softmax, cross entropies and their gradients: each kernel is held to its op's reference."""

import numpy as np
import pytest

from eagercore import backend
from eagercore.backend import onednn, threads
from eagercore.ops import nn

pytestmark = pytest.mark.skipif(not onednn.available(), reason="oneDNN is not installed")

SHAPES = [
    (257, 1031),
    (4, 130, 300),
    (3000, 100),
    (40, 411),
    (1700, 10),
    (8193, 2),
    (3, 70001),
    (1, 20000),
]


@pytest.fixture(params=[1, 2])
def rng(request, monkeypatch):
    monkeypatch.setattr(threads, "current", request.param)
    return np.random.default_rng(7)


def logits(rng, shape):
    """Rows of small, of usual and of large numbers."""
    x = rng.standard_normal(shape) * rng.choice([0.1, 1, 10, 1000], (*shape[:-1], 1))
    return x.astype(np.float32)


def held(op, *arrays, tolerance=2e-6, **attrs):
    """Compares kernel and reference, whose exponentials may each be off by some units in the last place."""
    for array in arrays:
        array.flags.writeable = False
    with np.errstate(all="ignore"):
        made = backend.find(op.name)(*arrays, **attrs)
        wanted = op.forward(np, *arrays, **attrs)
    if made is NotImplemented:
        return None
    pairs = zip(made, wanted, strict=True) if isinstance(wanted, tuple) else [(made, wanted)]
    for one, two in pairs:
        assert (one.shape, one.dtype) == (two.shape, two.dtype)
        # 1e-5 of logits of some thousands, which are rounded to 1e-4, is more than their own rounding gives.
        np.testing.assert_allclose(one, two, rtol=1e-5, atol=tolerance)
    return made


@pytest.mark.parametrize("shape", SHAPES)
def test_softmax_and_its_gradient(rng, shape):
    x = logits(rng, shape)
    y = held(nn.softmax_op, x)
    assert y is not None
    np.testing.assert_allclose(y.sum(-1), 1, rtol=1e-5)
    dy = rng.standard_normal(shape).astype(np.float32)
    assert (held(nn.softmax_gradient, dy, y) is None) == (x.size < 1 << 14)


@pytest.mark.parametrize("shape", SHAPES)
def test_logarithms_of_softmax(rng, shape):
    x = logits(rng, shape)
    y = held(nn.log_softmax_op, x)
    assert (y is None) == (x.size < 1 << 14)
    if y is not None:
        dy = rng.standard_normal(shape).astype(np.float32)
        assert held(nn.log_softmax_gradient, dy, y, tolerance=1e-4) is not None
    # The likeliest class's is near 0, and exact to the last digits there.
    sure = np.zeros((1000, 20), np.float32)
    sure[:, 3] = rng.uniform(5, 20, 1000)
    assert held(nn.log_softmax_op, sure, tolerance=5e-7) is not None


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", [np.int32, np.int64, np.uint8])
def test_cross_entropies(rng, shape, kind):
    x = logits(rng, shape)
    z = rng.uniform(0, 1, shape).astype(np.float32)
    z /= z.sum(-1, keepdims=True)
    z[..., :1] = 0
    assert (held(nn.softmax_cross_entropy_op, z, x) is None) == (x.size < 1 << 14)
    dy = rng.standard_normal(shape[:-1]).astype(np.float32)
    assert (held(nn.softmax_cross_entropy_gradient, dy, z, x) is None) == (x.size < 1 << 14)
    rows = x.reshape(-1, shape[-1])
    labels = rng.integers(0, min(shape[-1], 256), len(rows)).astype(kind)
    losses, share = held(nn.sparse_softmax_cross_entropy_op, labels, rows)
    dy = rng.standard_normal(len(rows)).astype(np.float32)
    assert held(nn.sparse_softmax_gradient, dy, labels, share, tolerance=0) is not None


def one_hot(x):
    z = np.zeros_like(x)
    z[..., 0] = 1
    return z


@pytest.mark.parametrize("shape", [(257, 1031), (3000, 100), (1700, 10)])
@pytest.mark.parametrize("special", [np.nan, -np.nan, np.inf, -np.inf, 3e38, -3e38])
@pytest.mark.parametrize("whole", [False, True])
def test_rows_with_what_is_no_number(rng, shape, special, whole):
    x = logits(rng, shape)
    x[5, slice(None) if whole else 3] = special
    x[-1, -1] = special
    labels = np.zeros(len(x), np.int32)
    for op, arrays in (
        (nn.softmax_op, (x,)), (nn.log_softmax_op, (x,)), (nn.softmax_cross_entropy_op, (one_hot(x), x)),
        (nn.sparse_softmax_cross_entropy_op, (labels, x)),
    ):  # fmt: skip
        held(op, *arrays)
        # Through the door the reference takes over: nothing is lost on the way.
        with np.errstate(all="ignore"):
            made, wanted = op(*arrays), op.forward(np, *arrays)
        first = made[0] if isinstance(made, list) else made
        two = wanted[0] if isinstance(wanted, tuple) else wanted
        np.testing.assert_allclose(first.numpy(), two, rtol=1e-5, atol=2e-6)


def test_nan_goes_back(rng):
    y = nn.softmax_op.forward(np, logits(rng, (300, 200)))
    dy = rng.standard_normal(y.shape).astype(np.float32)
    dy[3, 4], dy[7, 8] = np.nan, np.inf
    held(nn.softmax_gradient, dy, y)
    for special in (np.nan, -np.inf, np.inf):
        y = nn.log_softmax_op.forward(np, logits(rng, (300, 200)))
        y[7], y[8, 3] = np.nan, special
        held(nn.log_softmax_gradient, dy, y, tolerance=1e-4)
        z = rng.uniform(0, 1, (300, 200)).astype(np.float32)
        x = logits(rng, (300, 200))
        x[2, 3], z[3, 4] = special, special
        held(nn.softmax_cross_entropy_gradient, dy[:, 1].copy(), z, x, tolerance=1e-4)
    y = nn.softmax_op.forward(np, logits(rng, (300, 200)))
    labels, losses = np.full(300, 4, np.int32), rng.standard_normal(300).astype(np.float32)
    losses[5], losses[6] = np.nan, np.inf
    held(nn.sparse_softmax_gradient, losses, labels, y)


@pytest.mark.parametrize("label", [-1, 100])
def test_labels_that_are_no_classes_are_the_references_to_refuse(rng, label):
    x, labels = logits(rng, (300, 100)), np.zeros(300, np.int32)
    labels[17] = label
    assert backend.find("sparse_softmax_cross_entropy_op")(labels, x) is NotImplemented
    with pytest.raises(Exception, match="outside the valid range"):
        nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=x)


def test_other_axes_and_layouts(rng):
    x = logits(rng, (64, 300, 2))
    for axis in (0, 1):
        assert backend.find("softmax_op")(x, axis=axis) is NotImplemented
        assert backend.find("log_softmax_op")(x, axis=axis) is NotImplemented
    assert held(nn.softmax_op, x[:, :, :1].copy(), axis=1) is not None
    assert held(nn.log_softmax_op, np.asfortranarray(x[:, :, 0]), axis=-1) is not None
    assert held(nn.softmax_gradient, x[:, ::-1, 0], x[:, :, 1], axis=-1) is not None
