"""The rows in JAX do what the rows in TensorFlow's API do: their pieces give eagercore's numbers."""

import importlib
import pathlib

import numpy as np
import pytest

import eagercore as tf

pytest.importorskip("jax")

BENCHMARKS = pathlib.Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def rows_jax(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("rows_jax")


@pytest.fixture
def floats():
    rng = np.random.default_rng(4)
    return lambda *shape: rng.standard_normal(shape).astype(np.float32)


def close(ours, theirs):
    # Sums of at most some hundred float32 products, in different orders.
    np.testing.assert_allclose(np.asarray(theirs), ours.numpy(), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(("size", "kernel", "stride"), [(7, 5, 1), (7, 5, 2), (4, 4, 2)])
def test_convolutions(rows_jax, floats, size, kernel, stride):
    x, w = floats(2, size, size, 3), floats(kernel, kernel, 3, 4)
    close(tf.nn.conv2d(x, w, stride, "SAME"), rows_jax.conv(x, w, stride))
    w = floats(kernel, kernel, 4, 3)
    shape = [2, size * stride, size * stride, 4]
    close(
        tf.nn.conv2d_transpose(x, w, shape, stride, "SAME"), rows_jax.conv_transpose(x, w, stride)
    )


def test_batch_norm(rows_jax, floats):
    x = 3 * floats(8, 5) + 1
    layer = tf.keras.layers.BatchNormalization()
    y, moving = rows_jax.batch_norm(x, rows_jax.norm_weights(5), rows_jax.norm_moving(5))
    close(layer(tf.constant(x), training=True), y)
    close(layer.moving_mean, moving["mean"])
    close(layer.moving_variance, moving["variance"])


def test_gru(rows_jax, floats):
    x, state = floats(4, 1, 3), floats(4, 6)
    layer = tf.keras.layers.GRU(6)
    layer(tf.constant(x))
    weights = [floats(*w.shape) for w in layer.get_weights()]
    layer.set_weights(weights)
    named = dict(zip(("kernel", "recurrent", "bias"), weights))
    projected = x[:, 0] @ named["kernel"] + named["bias"][0]
    close(
        layer(tf.constant(x), initial_state=tf.constant(state)),
        rows_jax.gru_step(state, projected, named),
    )


def test_losses(rows_jax, floats):
    logits, labels = floats(6, 5), np.array([0, 4, 1, 1, 2, 3])
    close(
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits),
        rows_jax.class_losses(labels, logits),
    )
    for label in (0.0, 1.0):
        ours = tf.nn.sigmoid_cross_entropy_with_logits(
            labels=tf.fill([6, 5], label), logits=tf.constant(logits)
        )
        close(tf.reduce_mean(ours), rows_jax.cross_entropy(label, logits))


def test_adam(rows_jax, floats):
    start, gradients = floats(7), [floats(7) for _ in range(3)]
    variable, optimizer = tf.Variable(start), tf.keras.optimizers.Adam(0.1)
    weights, state = start, rows_jax.adam_state(start)
    for gradient in gradients:
        optimizer.apply_gradients([(tf.constant(gradient), variable)])
        weights, state = rows_jax.adam(weights, gradient, state, 0.1)
    close(variable, weights)
    assert not np.allclose(start, np.asarray(weights), atol=0.05)


@pytest.mark.parametrize("row", ["mlp_step_traced", "keras_step_64x10_traced"])
def test_small_rows_run(rows_jax, row):
    step = rows_jax.rows()[row]()
    step()
    step()
