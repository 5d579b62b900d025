"""custom_gradient and recompute_grad."""

import weakref

import numpy as np
import pytest

import eagercore as tf


def grad(f, *args):
    with tf.GradientTape() as tape:
        for a in args:
            tape.watch(a)
        y = f(*args)
    return tape.gradient(y, list(args))


X, Z = tf.constant(2.0), tf.constant(3.0)


def test_one_and_several_inputs():
    @tf.custom_gradient
    def one(a):
        return a * a, lambda dy: dy * 100.0

    @tf.custom_gradient
    def two(a, b):
        return a * b, lambda dy: (dy * 7.0, dy * 8.0)

    assert float(one(X)) == 4 and [float(g) for g in grad(one, X)] == [100]
    assert [float(g) for g in grad(two, X, Z)] == [7, 8]
    assert one.__name__ == "one"


def test_several_outputs_and_structures():
    @tf.custom_gradient
    def f(a):
        return (a * a, a * 3.0), lambda d1, d2: d1 * 10.0 + d2

    first, second = f(X)
    assert (float(first), float(second)) == (4, 6)
    assert [float(g) for g in grad(f, X)] == [11]

    @tf.custom_gradient
    def named(a):
        return {"square": a * a, "more": [a, a]}, lambda m1, m2, s: s * 100.0 + m1 + m2

    made = named(X)
    assert float(made["square"]) == 4 and len(made["more"]) == 2
    with tf.GradientTape() as tape:
        tape.watch(X)
        y = named(X)["square"]
    assert float(tape.gradient(y, X)) == 100


def test_nested_arguments():
    @tf.custom_gradient
    def f(pair, scale):
        a, b = pair
        return a * b * scale, lambda dy: (dy * 1.0, dy * 2.0, dy * 3.0)

    with tf.GradientTape() as tape:
        tape.watch([X, Z])
        y = f([X, Z], 2.0)
    assert float(y) == 12
    assert [float(g) for g in tape.gradient(y, [X, Z])] == [1, 2]


def test_keywords_are_passed_and_not_differentiated():
    @tf.custom_gradient
    def f(a, k=1.0):
        return a * k, lambda dy: dy * k

    assert float(f(X, k=4.0)) == 8
    assert [float(g) for g in grad(lambda q: f(q, k=4.0), X)] == [4]
    assert float(f(2.0)) == 2


def test_none_is_no_gradient():
    @tf.custom_gradient
    def f(a):
        return a * a, lambda dy: None

    assert grad(f, X) == [None]


def test_wrong_counts_and_shapes_are_errors():
    @tf.custom_gradient
    def too_few(a, b):
        return a * b, lambda dy: dy

    with pytest.raises(ValueError, match="expected to return 2 gradients, but returned 1 instead"):
        grad(too_few, X, Z)

    @tf.custom_gradient
    def too_many(a):
        return tf.identity(a), lambda dy: [dy, dy, dy]

    with pytest.raises(ValueError, match="expected to return 1 gradients, but returned 3"):
        grad(too_many, X)

    @tf.custom_gradient
    def wrong_shape(a):
        return a * a, lambda dy: dy * tf.constant([1.0, 2.0])

    with pytest.raises(
        ValueError, match=r"wrong_shape returned a gradient of shape \(2,\) for input 0"
    ):
        grad(wrong_shape, X)

    @tf.custom_gradient
    def wrong_dtype(a):
        return a * a, lambda dy: tf.cast(dy, tf.float64)

    with pytest.raises(TypeError, match="float64 gradient for input 0, which is float32"):
        grad(wrong_dtype, X)

    @tf.custom_gradient
    def no_pair(a):
        return a * a

    with pytest.raises(TypeError, match=r"no_pair must return two things, \(value, grad_fn\)"):
        no_pair(X)


def test_variables_that_are_read():
    v = tf.Variable(5.0)

    @tf.custom_gradient
    def f(a):
        def g(dy, variables=None):
            return dy, [dy * 50.0 for _ in variables]

        return a * v, g

    assert [float(g) for g in grad(f, X)] == [1]
    with tf.GradientTape() as tape:
        tape.watch(X)
        y = f(X)
    assert [float(g) for g in tape.gradient(y, [X, v])] == [1, 50]

    @tf.custom_gradient
    def without(a):
        return a * v, lambda dy: dy

    with pytest.raises(TypeError, match="must accept keyword argument 'variables'"):
        without(X)

    @tf.custom_gradient
    def wrong_shape(a):
        return a * v, lambda dy, variables=None: (dy, [tf.ones([3])])

    with pytest.raises(ValueError, match="for variable 'Variable:0', which has shape"):
        with tf.GradientTape() as tape:
            y = wrong_shape(X)
        tape.gradient(y, v)

    @tf.custom_gradient
    def not_two(a):
        return a * v, lambda dy, variables=None: dy

    with pytest.raises(TypeError, match="must return two things"):
        grad(not_two, X)


def test_a_variable_as_argument_is_an_input():
    @tf.custom_gradient
    def f(a):
        return tf.identity(a), lambda dy: [dy * 3.0]

    v = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = f(v)
    assert float(tape.gradient(y, v)) == 3

    @tf.custom_gradient
    def gives_itself(a):
        return a, lambda dy: []

    with tf.GradientTape() as tape:
        y = gives_itself(v)
    with pytest.raises(ValueError, match="returned 0"):
        tape.gradient(y, v)


def test_second_order_goes_through_the_gradient_function():
    @tf.custom_gradient
    def log1pexp(x):
        e = tf.exp(x)
        return tf.math.log(1 + e), lambda dy: dy * (1 - 1 / (1 + e))

    x = tf.constant(2.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = log1pexp(x)
        g = inner.gradient(y, x)
    assert float(g) == pytest.approx(0.8807971)
    assert float(outer.gradient(g, x)) == pytest.approx(0.10499358)


def test_inside_another_and_inside_tf_function():
    @tf.custom_gradient
    def inner(x):
        return x * x, lambda dy: dy * 5.0

    @tf.custom_gradient
    def outer(x):
        y = inner(x)

        def g(dy):
            with tf.GradientTape() as tape:
                tape.watch(x)
                z = inner(x)
            return dy * tape.gradient(z, x) * 2.0

        return y, g

    assert [float(g) for g in grad(outer, X)] == [10]
    traced = tf.function(outer)
    assert [float(g) for g in grad(traced, X)] == [10]
    assert float(traced(tf.constant(3.0))) == 9


def test_forward_mode_uses_the_custom_gradient():
    @tf.custom_gradient
    def f(x):
        return x * x, lambda dy: dy * 100.0

    with tf.autodiff.ForwardAccumulator(X, 2.0) as acc:
        y = f(X)
    assert float(acc.jvp(y)) == 200


def test_methods():
    class Layer:
        factor = 3.0

        @tf.custom_gradient
        def double(self, x):
            return x * self.factor, lambda dy: dy * 42.0

    assert [float(g) for g in grad(Layer().double, X)] == [42]


def test_numpy_and_python_arguments_and_results():
    @tf.custom_gradient
    def f(a):
        return np.float32(3.0), lambda dy: dy

    assert float(f(X)) == 3

    @tf.custom_gradient
    def nothing():
        return tf.constant(1.0), lambda dy: ()

    assert float(nothing()) == 1


def test_recompute_grad_gives_the_same_and_keeps_nothing():
    alive = []

    def body(x, w):
        h = tf.tanh(tf.matmul(x, w))
        alive.append(weakref.ref(h))
        return tf.reduce_sum(h * h)

    x, w = tf.constant(np.ones((2, 3), "f") * 0.1), tf.constant(np.ones((3, 4), "f") * 0.2)
    plain = grad(body, x, w)
    alive.clear()
    again = tf.recompute_grad(body)
    with tf.GradientTape() as tape:
        tape.watch([x, w])
        y = again(x, w)
    assert alive[0]() is None, "what the function computed is forgotten"
    for one, two in zip(plain, tape.gradient(y, [x, w]), strict=True):
        np.testing.assert_allclose(one, two)


def test_recompute_grad_with_variables_and_second_order():
    v = tf.Variable(3.0)
    f = tf.recompute_grad(lambda x: v * x**3)
    x = tf.constant(2.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        gx, gv = inner.gradient(y, [x, v])
    assert (float(gx), float(gv)) == (36, 8)
    assert float(outer.gradient(gx, x)) == 36


def test_custom_gradients_leave_no_intermediates_behind():
    """Intermediates of a custom gradient are freed with the tape, step by step."""
    seen = []

    @tf.custom_gradient
    def f(x):
        h = tf.exp(x)
        seen.append(weakref.ref(h))
        return h * 2.0, lambda dy: dy * 2.0

    x = tf.constant(np.ones(10, "f"))
    for _ in range(3):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(f(x))
        tape.gradient(y, x)
        del tape, y
    assert all(ref() is None for ref in seen)
