"""Jacobians, forward mode, Hessian products."""

import numpy as np
import pytest

import eagercore as tf
from eagercore import autodiff as ad


def function(x):
    return tf.stack([x[0] ** 2 * x[1], tf.sin(x[1]), x[0] * x[1] * 3.0])


def test_jacobian_inside_and_outside_persistent_and_not():
    x = tf.constant([1.0, 2.0])
    wanted = [[4, 1], [0, np.cos(2)], [6, 3]]
    for persistent in (False, True):
        with tf.GradientTape(persistent=persistent) as tape:
            tape.watch(x)
            y = function(x)
            inside = tape.jacobian(y, x) if persistent else None
        np.testing.assert_allclose(tape.jacobian(y, x), wanted, rtol=1e-6)
        if persistent:
            np.testing.assert_allclose(inside, wanted, rtol=1e-6)
            np.testing.assert_allclose(
                tape.jacobian(y, x, experimental_use_pfor=False), wanted, rtol=1e-6
            )
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
        found = tape.jacobian(y, x)
    np.testing.assert_allclose(found, wanted, rtol=1e-6)


def test_jacobian_shapes_structures_and_dtype():
    x, w = tf.constant(np.ones((2, 3))), tf.constant(np.ones((3, 4)))
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, w])
        y = tf.matmul(x, w)
        z = x * 2.0
    found = tape.jacobian(y, {"x": x, "w": w})
    assert found["x"].shape == (2, 4, 2, 3) and found["w"].shape == (2, 4, 3, 4)
    assert found["x"].dtype == tf.float64
    assert tape.jacobian(z, w) is None
    assert tape.jacobian(z, w, unconnected_gradients="zero").shape == (2, 3, 3, 4)
    assert tape.jacobian(y, [x])[0].shape == (2, 4, 2, 3)


def test_hessian_by_a_jacobian_of_a_gradient_in_every_nesting():
    x = tf.constant([1.0, 2.0])

    def f(x):
        return x[0] ** 2 * x[1] + x[1] ** 3

    with tf.GradientTape(persistent=True) as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        g = inner.gradient(y, x)
    np.testing.assert_array_equal(g, [4, 13])
    np.testing.assert_array_equal(outer.gradient(g, x), [6, 14])
    np.testing.assert_array_equal(outer.jacobian(g, x), [[4, 2], [2, 12]])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = function(x)
        j = inner.jacobian(y, x)
    assert outer.jacobian(j, x).shape == (3, 2, 2)
    np.testing.assert_array_equal(ad.hessian(f, x), [[4, 2], [2, 12]])


def test_jacobian_through_gather():
    table = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.gather(table, [1, 1]), axis=0)
    np.testing.assert_array_equal(tape.jacobian(y, table), [[[0, 0], [2, 0]], [[0, 0], [0, 2]]])


def test_batch_jacobian():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        inside = tape.batch_jacobian(y, x)
    wanted = [[[2, 0], [0, 4]], [[6, 0], [0, 8]]]
    np.testing.assert_array_equal(inside, wanted)
    np.testing.assert_array_equal(tape.batch_jacobian(y, x), wanted)
    full = tape.jacobian(y, x).numpy()
    for b in range(2):
        np.testing.assert_array_equal(full[b, :, b, :], wanted[b])


def test_batch_jacobian_twice_is_no_zero():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x**3
        j = inner.batch_jacobian(y, x)
    second = outer.batch_jacobian(j, x)
    assert second.shape == (2, 2, 2, 2)
    np.testing.assert_array_equal(second.numpy()[1, 0, 0], [18, 0])


def test_batch_jacobian_refuses_what_it_cannot_do():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * 2.0
    with pytest.raises(ValueError, match="must have rank at least 2"):
        tape.batch_jacobian(y, x)
    a, b = tf.ones([2, 1]), tf.ones([3, 1])
    with pytest.raises(ValueError, match="first dimension"):
        tape.batch_jacobian(a, b)
    with pytest.raises(RuntimeError, match="persistent=True"):
        tf.GradientTape().jacobian(y, x, experimental_use_pfor=False)


def test_batch_jacobian_of_a_constant_keeps_the_dtype():
    c = tf.constant([[1.0], [2.0]], tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(c)
        f = tf.constant([[3.0], [4.0]], tf.float64)
    found = tape.batch_jacobian(f, c)
    assert found.dtype == tf.float64 and found.shape == (2, 1, 1)


OPS = {
    "elementwise": lambda x: tf.exp(tf.sin(x) * x),
    "broadcast": lambda x: x[:, None] * x[None, :] + 1.0,
    "reduction": lambda x: tf.reduce_logsumexp(x) * tf.reduce_max(x),
    "matmul": lambda x: tf.matmul(tf.reshape(x, [1, 3]), tf.reshape(x * x, [3, 1])),
    "movement": lambda x: tf.concat([x[::-1], tf.tile(x, [2])], 0),
    "gather": lambda x: tf.gather(x, [2, 0, 2]) * x,
    "where": lambda x: tf.where(x > 1.0, x * x, -x),
    "softmax": lambda x: tf.nn.softmax(x) * x,
    "split": lambda x: tf.split(x * x, 3)[1],
    "cast": lambda x: tf.cast(tf.cast(x, tf.float32) * 2.0, tf.float64),
}


@pytest.mark.parametrize("name", OPS)
def test_forward_mode_equals_reverse_mode(name):
    rng = np.random.default_rng(3)
    x, t = tf.constant(rng.uniform(0.5, 2, 3)), tf.constant(rng.normal(size=3))
    f = OPS[name]
    value, forward = ad.jvp(f, x, t)
    jacobian = ad.jacobian(f, x).numpy()
    np.testing.assert_allclose(forward, jacobian @ t.numpy(), rtol=1e-5, atol=1e-12)


def test_accumulator_as_tensorflow_documents_it():
    x = tf.constant([[2.0, 3.0], [1.0, 4.0]])
    dense = tf.Variable([[1.0], [2.0]])
    with tf.autodiff.ForwardAccumulator(dense, tf.constant([[1.0], [0.0]])) as acc:
        loss = tf.reduce_sum(tf.matmul(x, dense) ** 2)
        other = tf.constant(1.0) * 2.0
    with tf.GradientTape() as tape:
        again = tf.reduce_sum(tf.matmul(x, dense) ** 2)
    assert float(acc.jvp(loss)) == float(tape.gradient(again, dense)[0, 0])
    assert acc.jvp(other) is None
    assert float(acc.jvp(other, unconnected_gradients="zero")) == 0
    np.testing.assert_array_equal(acc.jvp(dense), [[1], [0]])


def test_accumulators_nest_with_each_other_and_with_tapes():
    x, one = tf.constant(3.0), tf.constant(1.0)
    with tf.autodiff.ForwardAccumulator(x, one) as outer:
        with tf.autodiff.ForwardAccumulator(x, one) as inner:
            y = x**3
        first = inner.jvp(y)
    assert float(first) == 27 and float(outer.jvp(first)) == 18
    with tf.GradientTape() as tape:
        tape.watch(x)
        with tf.autodiff.ForwardAccumulator(x, one) as acc:
            y = x**3
        first = acc.jvp(y)
    assert float(tape.gradient(first, x)) == 18
    with tf.autodiff.ForwardAccumulator(x, one) as acc:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x**3
        g = tape.gradient(y, x)
    assert float(acc.jvp(g)) == 18


def test_accumulator_forgets_tensors_that_are_gone():
    x = tf.constant(1.0)
    with tf.autodiff.ForwardAccumulator(x, 1.0) as acc:
        y = x
        for _ in range(100):
            y = tf.tanh(y)
        assert len(acc._tangents) <= 3


def test_accumulator_refuses_tangents_that_do_not_fit():
    with pytest.raises(ValueError, match="tangent of shape"):
        tf.autodiff.ForwardAccumulator(tf.constant([1.0]), tf.constant([1.0, 2.0]))
    with pytest.raises(TypeError, match="dtype"):
        tf.autodiff.ForwardAccumulator(tf.constant([1.0]), tf.constant([1.0], tf.float64))
    with pytest.raises(TypeError, match="floating"):
        tf.autodiff.ForwardAccumulator(tf.constant([1]), tf.constant([1]))
    with pytest.raises(ValueError, match="tensors or variables"):
        tf.autodiff.ForwardAccumulator(1.0, 1.0)
    acc = tf.autodiff.ForwardAccumulator(tf.constant(1.0), 1.0)
    with acc, pytest.raises(ValueError, match="already recording"):
        acc.__enter__()


def test_hessian_vector_products():
    x = tf.constant([1.0, 2.0])
    value, product = ad.hvp(lambda x: x[0] ** 2 * x[1] + x[1] ** 3, x, [1.0, 10.0])
    assert float(value) == 10
    np.testing.assert_allclose(product, [4 + 20, 2 + 120])
    _, products = ad.hvp(lambda a, b: a * a * b, [tf.constant(2.0), tf.constant(3.0)], [1.0, 1.0])
    assert [float(p) for p in products] == [6 + 4, 4]


def test_vjp():
    value, gradient = ad.vjp(lambda x: x * x, tf.constant([1.0, 2.0]), [1.0, 10.0])
    np.testing.assert_array_equal(gradient, [2, 40])
    with pytest.raises(TypeError, match="floating"):
        ad.vjp(lambda x: x, tf.constant([1]))


def test_checker_finds_wrong_gradients_of_either_order():
    ad.check_gradients(lambda x: tf.sin(x) * x, np.array([0.3, 1.2]))
    ad.check_gradients(lambda x, w: tf.matmul(x, w), np.ones((2, 3)), np.ones((3, 1)))

    @tf.custom_gradient
    def wrong(x):
        return x * x, lambda dy: dy * x

    with pytest.raises(AssertionError, match="order 1 with respect to argument 0"):
        ad.check_gradients(wrong, np.array([1.0, 2.0]))

    @tf.custom_gradient
    def wrong_second(x):
        return x**3, lambda dy: dy * tf.stop_gradient(3.0 * x * x)

    with pytest.raises(AssertionError, match="order 2"):
        ad.check_gradients(wrong_second, np.array([1.0, 2.0]))
    ad.check_gradients(wrong_second, np.array([1.0, 2.0]), order=1)


def test_compute_gradient_gives_both_jacobians():
    by_tape, by_differences = tf.test.compute_gradient(lambda x: tf.sin(x), [np.array([0.5, 1.0])])
    np.testing.assert_allclose(by_tape[0], np.diag(np.cos([0.5, 1.0])))
    assert ad.max_error(by_tape, by_differences) < 1e-8
    with pytest.raises(ValueError, match="must be a list"):
        tf.test.compute_gradient(lambda x: x, tf.constant(1.0))
