"""Gradients at the points where conventions differ: TensorFlow's, in all its releases."""

import numpy as np
import pytest

import eagercore as tf

NAN, INF = np.nan, np.inf


def grad(f, *values):
    arguments = [tf.constant(v) for v in values]
    with tf.GradientTape() as tape:
        tape.watch(arguments)
        y = f(*arguments)
    found = tape.gradient(y, arguments)
    return [None if g is None else tf.convert_to_tensor(g).numpy() for g in found]


ONE = {
    "relu at 0": (tf.nn.relu, 0.0, 0.0),
    "relu6 at 0": (tf.nn.relu6, 0.0, 0.0),
    "relu6 at 6": (tf.nn.relu6, 6.0, 0.0),
    "elu at 0": (tf.nn.elu, 0.0, 1.0),
    "selu at 0": (tf.nn.selu, 0.0, 1.0507009),
    "leaky_relu at 0": (lambda x: tf.nn.leaky_relu(x, 0.2), 0.0, 0.2),
    "abs at 0": (tf.abs, 0.0, 0.0),
    "sqrt at 0": (tf.sqrt, 0.0, INF),
    "sign": (tf.sign, 2.0, 0.0),
    "log at 0": (tf.math.log, 0.0, INF),
    "1/x at 0": (lambda x: 1.0 / x, 0.0, -INF),
    "x/x at 0": (lambda x: x / x, 0.0, NAN),
    "x**0 at 0": (lambda x: x**0.0, 0.0, NAN),
    "sigmoid at 1000": (tf.sigmoid, 1000.0, 0.0),
    "softplus at 100": (tf.math.softplus, 100.0, 1.0),
    "log1p at -1": (tf.math.log1p, -1.0, INF),
    "norm at 0": (lambda x: tf.norm(tf.stack([x, x])), 0.0, NAN),
    "square at 0": (tf.square, 0.0, 0.0),
    "tanh at 50": (tf.tanh, 50.0, 0.0),
    "clip at its bound": (lambda x: tf.clip_by_value(x, -1.0, 1.0), 1.0, 1.0),
    "clip beyond its bound": (lambda x: tf.clip_by_value(x, -1.0, 1.0), 1.5, 0.0),
}


@pytest.mark.parametrize("name", ONE)
def test_one_argument(name):
    function, at, wanted = ONE[name]
    np.testing.assert_allclose(grad(function, at)[0], wanted, rtol=1e-4)


@pytest.mark.parametrize(
    "function",
    [tf.math.floor, tf.math.ceil, tf.round, lambda x: tf.cast(tf.cast(x, tf.int32), tf.float32)],
)
def test_steps_have_no_gradient(function):
    assert grad(function, [0.3, 1.0]) == [None]


MANY = {
    "reduce_max ties": (tf.reduce_max, [[2.0, 2.0, 1.0]], [[0.5, 0.5, 0]]),
    "reduce_min ties": (tf.reduce_min, [[1.0, 2.0, 1.0]], [[0.5, 0, 0.5]]),
    "maximum tie": (tf.maximum, [1.0, 1.0], [1, 0]),
    "minimum tie": (tf.minimum, [1.0, 1.0], [1, 0]),
    "pow of a negative": (tf.pow, [-2.0, 3.0], [12, 0]),
    "reduce_prod one zero": (tf.reduce_prod, [[0.0, 2.0, 3.0]], [[6, 0, 0]]),
    "reduce_prod two zeros": (tf.reduce_prod, [[0.0, 0.0, 3.0]], [[0, 0, 0]]),
    "atan2": (tf.atan2, [1.0, 1.0], [0.5, -0.5]),
    "floormod": (tf.math.floormod, [7.0, -3.0], [1, 3]),
    "logsumexp": (tf.reduce_logsumexp, [[1000.0, 1000.0]], [[0.5, 0.5]]),
}


@pytest.mark.parametrize("name", MANY)
def test_several_arguments(name):
    function, at, wanted = MANY[name]
    for found, right in zip(grad(function, *at), wanted, strict=True):
        np.testing.assert_allclose(found, right, rtol=1e-5, atol=1e-7)


def test_pow_of_zero_by_zero():
    first, second = grad(tf.pow, 0.0, 0.0)
    assert np.isnan(first) and second == 0


def test_max_pool_gives_a_tie_to_the_first():
    x = tf.ones([1, 2, 2, 1])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.max_pool2d(x, 2, 2, "VALID")
    np.testing.assert_array_equal(tape.gradient(y, x)[0, :, :, 0], [[1, 0], [0, 0]])


def test_softmax_cross_entropy_of_labels():
    labels, logits = tf.constant([[0.5, 0.5]]), tf.constant([[1.0, 2.0]])
    with tf.GradientTape() as tape:
        tape.watch(labels)
        y = tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    np.testing.assert_allclose(
        tape.gradient(y, labels), -tf.nn.log_softmax(logits).numpy(), rtol=1e-6
    )


def test_l2_normalize_at_zero_is_large_and_finite():
    with np.errstate(all="ignore"):
        (found,) = grad(lambda x: tf.math.l2_normalize(x), [0.0, 0.0])
    np.testing.assert_allclose(found, [1e6, 1e6], rtol=1e-3)


def test_what_gives_no_gradient_at_all():
    x = [1.0, 3.0]
    for function in (
        lambda x: tf.cast(tf.argmax(x), tf.float32),
        lambda x: tf.one_hot(tf.cast(x, tf.int32), 4),
        lambda x: tf.cast(tf.equal(x, 1.0), tf.float32),
        tf.zeros_like,
        tf.ones_like,
        lambda x: tf.cast(tf.shape(x), tf.float32),
    ):
        assert grad(function, x) == [None]


def second_order(function, at):
    """All second derivatives, by a tape over a tape."""
    x = tf.constant(at)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = function(x)
        slope = inner.gradient(y, x)
    return outer.jacobian(slope, x).numpy()


def test_a_product_has_right_derivatives_beside_zeros_and_what_is_not_finite():
    np.testing.assert_array_equal(
        second_order(tf.reduce_prod, [0.0, 2.0, 3.0]), [[0, 3, 2], [3, 0, 0], [2, 0, 0]]
    )
    matrix = second_order(tf.reduce_prod, [[0.0, 2.0], [3.0, 4.0]]).reshape(4, 4)
    np.testing.assert_array_equal(
        matrix, [[0, 12, 8, 6], [12, 0, 0, 0], [8, 0, 0, 0], [6, 0, 0, 0]]
    )
    infinite, unknown = float("inf"), float("nan")
    (slope,) = grad(tf.reduce_prod, [infinite, 2.0, 3.0])
    np.testing.assert_array_equal(slope, [6, infinite, infinite])
    (slope,) = grad(tf.reduce_prod, [unknown, 0.0, 3.0])
    np.testing.assert_array_equal(slope, [0, unknown, unknown])
    # The product is too large for float32, two of its factors' gradients are not.
    (slope,) = grad(tf.reduce_prod, [1e20, 1e20, 1e-20, 1e-10])
    np.testing.assert_allclose(slope[:2], 1e-10, rtol=1e-6)
