"""Conditionals, loops and TensorArrays: eager equals traced, to the second order."""

import numpy as np
import pytest

import eagercore as tf


def both(function):
    """The function as it is, and traced."""
    return [function, tf.function(function, autograph=False)]


def agree(function, *args):
    one, two = (f(*args) for f in both(function))
    for a, b in zip(tf.nest.flatten(one), tf.nest.flatten(two), strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-5)
    return two


def second_order(function, *args):
    """Value, first and second derivatives with respect to the first argument, for both forms."""
    results = []
    for form in both(function):
        x = args[0]
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = form(*args)
            g = inner.gradient(y, x)
            total = tf.reduce_sum(g * g)
        results.append((y.numpy(), g.numpy(), outer.gradient(total, x).numpy()))
    for a, b in zip(*results, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)
    return results[1]


X = tf.constant(0.7)


@pytest.mark.parametrize("value", [0.7, -0.7])
def test_cond(value):
    second_order(lambda x: tf.cond(x > 0, lambda: x**3, lambda: tf.sin(x) * x), tf.constant(value))


def test_cond_of_structures():
    made = agree(
        lambda x: tf.cond(x > 0, lambda: {"a": (x, x + 1)}, lambda: {"a": (-x, x)}),
        tf.constant(2.0),
    )
    assert float(made["a"][0]) == 2.0 and float(made["a"][1]) == 3.0


def test_cond_refuses_other_structures_and_dtypes():
    with pytest.raises(TypeError, match="same number, type, and overall structure"):
        tf.function(lambda x: tf.cond(x > 0, lambda: (x, x), lambda: x))(X)
    with pytest.raises(TypeError, match="one dtype: got float32 and int32"):
        tf.function(lambda x: tf.cond(x > 0, lambda: x, lambda: 1))(X)
    with pytest.raises(TypeError, match="'true_fn' must be callable"):
        tf.cond(True, 1, 2)


def test_only_the_chosen_branch_acts():
    v = tf.Variable(0)

    def act(x):
        tf.cond(x > 0, lambda: v.assign_add(1), lambda: v.assign_add(10))
        return v.value()

    traced = tf.function(act)
    assert [int(traced(tf.constant(i))) for i in (1, -1, 1)] == [1, 11, 12]


def test_case_and_switch_case():
    def pairs(x):
        return [(x > 2, lambda: x * 10), (x > 0, lambda: x * 100)]

    for value, wanted in ((3, 30), (1, 100), (-1, 1)):
        assert (
            int(agree(lambda x: tf.case(pairs(x), default=lambda: -x), tf.constant(value)))
            == wanted
        )
    for index, wanted in ((0, 1), (1, 2), (5, 9)):
        made = agree(
            lambda i: tf.switch_case(
                i, {0: lambda: i + 1, 1: lambda: i + 1}, default=lambda: i + 4
            ),
            tf.constant(index),
        )
        assert int(made) == wanted


def test_while_loop_to_the_second_order():
    def powers(x, n):
        return tf.while_loop(
            lambda i, y: i < n, lambda i, y: (i + 1, y * x + tf.sin(y)), (tf.constant(0), x)
        )[1]

    second_order(powers, X, tf.constant(4))


def test_a_loop_in_a_loop_in_a_branch():
    def nested(x, n):
        def inner(y):
            return tf.while_loop(
                lambda j, z: j < 2, lambda j, z: (j + 1, z * z + x), (tf.constant(0), y)
            )[1]

        def loop():
            return tf.while_loop(
                lambda i, y: i < n, lambda i, y: (i + 1, inner(y) * 0.5), (tf.constant(0), x)
            )[1]

        return tf.cond(n > 1, loop, lambda: x)

    second_order(nested, X, tf.constant(3))


def test_variables_in_loops():
    w = tf.Variable(1.5)

    def run(n):
        return tf.while_loop(
            lambda i, y: i < n, lambda i, y: (i + 1, y * w), (tf.constant(0), tf.constant(1.0))
        )[1]

    for form in both(run):
        with tf.GradientTape() as tape:
            y = form(tf.constant(3))
        np.testing.assert_allclose(tape.gradient(y, w).numpy(), 3 * 1.5**2, rtol=1e-6)


def test_a_variable_that_the_body_changes_is_read_anew():
    v = tf.Variable(0)

    @tf.function
    def count(n):
        tf.while_loop(lambda i: v < n, lambda i: [i + v.assign_add(2)], [tf.constant(0)])
        return v.value()

    assert int(count(tf.constant(7))) == 8


def test_maximum_iterations_and_shape_invariants():
    def step(i):
        return (i + 1,)

    assert (
        int(
            agree(
                lambda: tf.while_loop(
                    lambda i: i < 10, step, (tf.constant(0),), maximum_iterations=4
                )[0]
            )
        )
        == 4
    )

    def grow(n):
        return tf.while_loop(
            lambda i, x: i < n, lambda i, x: (i + 1, tf.concat([x, [i]], 0)), (tf.constant(0), tf.constant([7])),
            shape_invariants=(tf.TensorShape([]), tf.TensorShape([None])),
        )[1]  # fmt: skip

    assert agree(grow, tf.constant(3)).numpy().tolist() == [7, 0, 1, 2]
    with pytest.raises(
        ValueError, match=r"has shape \(1,\) before the loop, but shape \(2,\) after one iteration"
    ):
        tf.function(lambda x: tf.while_loop(lambda x: True, lambda x: tf.concat([x, x], 0), [x]))(
            tf.constant([1])
        )
    with pytest.raises(TypeError, match="has dtype int32 before the loop, but dtype float64"):
        tf.function(
            lambda x: tf.while_loop(lambda x: x > 0, lambda x: x / 2, [x]), autograph=False
        )(tf.constant(1))


def test_back_prop_false_stops_gradients():
    for form in both(
        lambda x: tf.while_loop(lambda z: z < 5.0, lambda z: z * 2.0, [x], back_prop=False)[0]
    ):
        with tf.GradientTape() as tape:
            tape.watch(X)
            y = form(X)
        assert tape.gradient(y, X) is None


def test_dropout_in_a_loop_uses_one_mask_forward_and_back():
    x = tf.ones([50])

    @tf.function
    def run(x, n):
        return tf.while_loop(
            lambda i, y: i < n, lambda i, y: (i + 1, tf.nn.dropout(y, 0.3)), (tf.constant(0), x)
        )[1]

    with tf.GradientTape() as tape:
        tape.watch(x)
        y = run(x, tf.constant(2))
    np.testing.assert_allclose(tape.gradient(y, x).numpy(), y.numpy(), rtol=1e-6)


# ----------------------------------------------------------------------------------------------------- over the rows

ROWS = tf.constant(np.linspace(-1, 1, 36).reshape(12, 3).astype(np.float32))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: tf.map_fn(lambda r: tf.reduce_sum(r) * r, x),
        lambda x: tf.map_fn(lambda r: tf.reduce_sum(r * r), x[:4]),
        lambda x: tf.vectorized_map(lambda r: tf.sin(r), x),
        lambda x: tf.scan(lambda a, r: a * 0.5 + r * r, x),
        lambda x: tf.scan(lambda a, r: a * 0.5 + r * r, x, initializer=tf.ones([3]), reverse=True),
        lambda x: tf.foldl(lambda a, r: tf.tanh(a + r), x),
        lambda x: tf.foldr(lambda a, r: a * r + r, x, initializer=tf.ones([3])),
    ],
    ids=["map_fn", "map_fn short", "vectorized_map", "scan", "scan reverse", "foldl", "foldr"],
)
def test_over_rows_to_the_second_order(function):
    second_order(lambda x: tf.reduce_sum(function(x) ** 2), ROWS)
    agree(function, ROWS)


def test_rows_of_unknown_number():
    @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
    def sums(x):
        return tf.map_fn(tf.reduce_sum, x, fn_output_signature=tf.float32), tf.scan(
            lambda a, r: a + r, x
        )

    for n in (1, 5):
        one, two = sums(ROWS[:n])
        np.testing.assert_allclose(one.numpy(), ROWS.numpy()[:n].sum(1), rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(two.numpy(), ROWS.numpy()[:n].cumsum(0), rtol=1e-5, atol=1e-6)


def test_map_fn_over_structures_and_other_dtypes():
    def function(x):
        return tf.map_fn(
            lambda t: (t[0] + t[1], t[0] > 0), (x, x * 2), fn_output_signature=(tf.float32, tf.bool)
        )

    one, two = agree(function, ROWS)
    assert one.dtype == tf.float32 and two.dtype == tf.bool
    with pytest.raises(TypeError, match="fn_output_signature"):
        tf.function(lambda x: tf.map_fn(lambda r: r > 0, x))(ROWS)


def test_map_fn_refuses_scalars():
    with pytest.raises(ValueError, match="1\\+ dimensional"):
        tf.map_fn(lambda x: x, tf.constant(1.0))


# -------------------------------------------------------------------------------------------------------- TensorArray


def test_tensor_array_in_a_loop():
    def squares(x, n):
        array = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
        _, array, _ = tf.while_loop(
            lambda i, a, y: i < n,
            lambda i, a, y: (i + 1, a.write(i, y * y), y + x),
            (tf.constant(0), array, x),
        )
        return tf.reduce_sum(array.stack() * array.gather([2, 1, 0]))

    second_order(squares, X, tf.constant(3))


def test_tensor_array_reads_splits_and_joins():
    def work(x):
        array = tf.TensorArray(tf.float32, size=3, clear_after_read=False).unstack(x)
        parts = tf.TensorArray(tf.float32, size=2).split(x, [1, 2])
        return array.read(1) + tf.reduce_sum(parts.concat()), parts.read(1), array.size()

    one, two, three = agree(work, ROWS[:3])
    assert two.shape == [2, 3] and int(three) == 3


def test_tensor_array_errors():
    array = tf.TensorArray(tf.float32, size=2, element_shape=[2])
    with pytest.raises(tf.errors.OutOfRangeError, match="not resizeable and size is: 2"):
        array.write(2, [1.0, 2.0])
    with pytest.raises(ValueError, match="Inconsistent shapes"):
        array.write(0, [1.0])
    with pytest.raises(
        tf.errors.InvalidArgumentError,
        match="dtype is float32 but op is trying to write dtype int32",
    ):
        array.write(0, tf.constant([1, 2]))
    with pytest.raises(tf.errors.OutOfRangeError, match="array size is: 2"):
        array.read(5)
    with pytest.raises(tf.errors.InvalidArgumentError, match="index 9 but array size is: 2"):
        tf.function(lambda i: tf.TensorArray(tf.float32, size=2).write(i, 1.0).stack())(
            tf.constant(9)
        )
