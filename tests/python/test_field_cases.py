"""What people who do this job ran into: each case with its right answer, and the kind that it stands for."""

import gc
import time
import warnings
import weakref

import numpy as np
import pytest

import eagercore as tf
import eagercore.contrib.eager as tfe

# -------------------------------------------------------------------------- whole-number doubles where ints are meant


def test_f01_whole_doubles_are_axes_and_sizes():
    x = np.array([[1, 3, 5], [2, 4, 6]])
    np.testing.assert_array_equal(tf.reduce_mean(tf.cast(x, tf.float32), axis=1.0), [3, 4])
    joined = tf.concat([tf.constant([[1, 1]]), tf.constant([[2, 2]])], axis=0.0)
    np.testing.assert_array_equal(joined, [[1, 1], [2, 2]])
    np.testing.assert_array_equal(tf.reduce_sum(tf.ones([2, 3, 4]), axis=[0.0, 2.0]), [8, 8, 8])
    with pytest.raises((TypeError, ValueError), match="axis"):
        tf.reduce_mean(tf.cast(x, tf.float32), axis=1.5)
    assert tf.one_hot([1], 3.0).shape == (1, 3)
    assert tf.transpose(tf.ones([2, 3]), perm=[1.0, 0.0]).shape == (3, 2)
    assert tf.reshape(tf.ones([6]), [2.0, 3.0]).shape == (2, 3)
    assert tf.split(tf.ones([4]), 2.0)[0].shape == (2,)


# -------------------------------------------------------------------------------------------- float32 meets float64


def test_f03_bare_arrays_take_the_tensors_dtype_and_tensors_clash_aloud():
    w = tf.Variable(tf.ones([2, 1]))
    x = np.array([[1.0, 3.0], [2.0, 4.0]])
    y = tf.matmul(x, w)
    assert y.dtype == tf.float32
    np.testing.assert_array_equal(y, [[4], [6]])
    assert (tf.constant(x) * 0.5).dtype == tf.float64
    assert (tf.constant([1.0]) * 0.5).dtype == tf.float32
    with pytest.raises(TypeError, match="Mul.*double.*float|float64.*float32"):
        tf.constant(0.5, tf.float64) * tf.constant(1.0)


@pytest.mark.parametrize(
    "function", [tf.add, tf.subtract, tf.multiply, tf.matmul, tf.maximum, tf.pow]
)
def test_f03_every_op_refuses_the_clash_by_name(function):
    a, b = tf.ones([2, 2], tf.float64), tf.ones([2, 2])
    with pytest.raises(TypeError, match="float64.*float32") as caught:
        function(a, b)
    assert "tf.cast" in str(caught.value)


def test_f05_three_axes_keep_their_order():
    a = np.arange(1, 9).reshape(2, 2, 2)
    b = np.arange(1, 5).reshape(2, 2, 1)
    np.testing.assert_array_equal(tf.matmul(a, b)[:, :, 0], [[5, 11], [39, 53]])
    fortran = np.asfortranarray(np.arange(1, 9).reshape(2, 2, 2))
    np.testing.assert_array_equal(tf.constant(fortran), fortran)
    np.testing.assert_array_equal(
        tf.constant([1, 2, 3, 4, 5, 6], shape=[2, 3]), [[1, 2, 3], [4, 5, 6]]
    )


def test_f07_indexing_with_ints_and_tensors_agrees():
    x = tf.constant([10.0, 20.0, 30.0])
    for i in range(3):
        assert (
            float(x[i])
            == float(x[tf.constant(i)])
            == float(tf.gather(x, i))
            == float(x[np.int64(i)])
        )
    with pytest.raises(IndexError, match="out of bounds"):
        x[3]


# ---------------------------------------------------------------------------------------------- unconnected gradients


def test_f11_none_gradients_keep_their_places_and_are_skipped():
    dense, bn = tf.layers.Dense(1), tf.layers.BatchNormalization()
    x = tf.constant([[1.0], [2.0], [3.0], [4.0]])
    with tf.GradientTape() as tape:
        bn(x, training=True)
        loss = tf.reduce_mean(dense(x) ** 2)
    variables = [*dense.variables, *bn.variables]
    gradients = tape.gradient(loss, variables)
    assert [g is None for g in gradients] == [False, False, True, True, True, True]
    optimizer = tf.train.AdamOptimizer(1e-3)
    optimizer.apply_gradients(
        [[g, v] for g, v in zip(gradients, variables, strict=True)],
        global_step=tf.train.get_or_create_global_step(),
    )
    assert bn.gamma.numpy() == 1 and bn.beta.numpy() == 0
    np.testing.assert_allclose(bn.moving_mean, [0.025], rtol=1e-6)


def test_f13_sensitivity_to_the_inputs():
    w = tf.Variable([[1.0], [-1.0], [0.5]])
    x = tf.constant([[1.0, 2.0, 3.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        p = tf.sigmoid(tf.matmul(x, w))
    assert float(p[0, 0]) == pytest.approx(0.6224593)
    np.testing.assert_allclose(tape.gradient(p, x), [[0.2350037, -0.2350037, 0.1175019]], rtol=1e-6)
    for call in (lambda: tf.gradients(p, x), lambda: tf.compat.v1.gradients(p, x)):
        with pytest.raises(RuntimeError, match="GradientTape"):
            call()


# ---------------------------------------------------------------------------- assignment between forward and backward


def test_f15_assignment_is_not_differentiated_and_corrupts_nothing():
    v, x = tf.Variable(1.0), tf.constant(2.0)
    with tf.GradientTape() as t:
        t.watch(x)
        v.assign_add(x)
        loss = v * v
    assert float(loss) == 9 and t.gradient(loss, x) is None
    v = tf.Variable(3.0)
    with tf.GradientTape() as t:
        loss = v * v
        v.assign(10.0)
    assert float(t.gradient(loss, v)) == 6


@pytest.mark.parametrize(
    "change",
    [
        lambda v: v.assign([[9.0, 9.0], [9.0, 9.0]]),
        lambda v: v.assign_add(tf.ones([2, 2])),
        lambda v: v.assign_sub(tf.ones([2, 2])),
        lambda v: v.scatter_update(tf.IndexedSlices([[9.0, 9.0]], [0])),
        lambda v: v.scatter_nd_add([[0, 0]], [9.0]),
        lambda v: v[0].assign([9.0, 9.0]),
        lambda v: v[:, 1].assign_add([9.0, 9.0]),
        lambda v: tf.train.AdamOptimizer(0.5).apply_gradients([(tf.ones([2, 2]), v)]),
        lambda v: tf.train.GradientDescentOptimizer(0.5).apply_gradients([(tf.ones([2, 2]), v)]),
    ],
)
def test_f15_no_way_of_changing_a_variable_reaches_saved_values(change):
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as t:
        y = tf.reduce_sum(tf.matmul(v, v))
        part = v[0]
        held = v.value()
        array = v.numpy()
        change(v)
    np.testing.assert_array_equal(part, [1, 2])
    np.testing.assert_array_equal(held, [[1, 2], [3, 4]])
    np.testing.assert_array_equal(array, [[1, 2], [3, 4]])
    np.testing.assert_array_equal(t.gradient(y, v), [[7, 11], [9, 13]])
    assert not np.array_equal(v.numpy(), array)


# ---------------------------------------------------------------------------------------- tapes: orders and Jacobians


def test_f17_second_derivatives_from_one_persistent_tape():
    a, b = tf.Variable(2.0), tf.Variable(5.0)
    with tf.GradientTape(persistent=True) as t:
        w = a**3 * b
        g = t.gradient(w, a)
    assert [float(z) for z in (g, t.gradient(g, b), t.gradient(g, a))] == [60, 12, 60]
    with tf.GradientTape(persistent=True) as t:
        w = a**3 * b
    g = t.gradient(w, a)
    assert float(g) == 60 and t.gradient(g, b) is None


def test_f19_vector_targets_are_summed_and_the_jacobian_is_not():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as o:
        o.watch(x)
        with tf.GradientTape() as i:
            i.watch(x)
            f = x[0] ** 2 * x[1] + x[1] ** 3
        g = i.gradient(f, x)
    np.testing.assert_array_equal(g, [4, 13])
    np.testing.assert_array_equal(o.gradient(g, x), [6, 14])
    np.testing.assert_array_equal(o.jacobian(g, x), [[4, 2], [2, 12]])


def test_f21_what_leaves_the_tape_has_no_gradient_and_says_so():
    v = tf.Variable([[1.0], [1.0]])
    x = tf.constant([[1.0, 2.0]])
    with tf.GradientTape(persistent=True) as t:
        y = tf.matmul(x, v)
        left = tf.reduce_sum(tf.constant(y.numpy()))
        kept = tf.reduce_sum(y)
    np.testing.assert_array_equal(t.gradient(kept, v), [[1], [2]])
    assert t.gradient(left, v) is None
    assert "numpy" in t.explain(left, v)
    with pytest.raises(TypeError, match="no gradient"):
        t.gradient(y.numpy(), v)


# --------------------------------------------------------------------------------------------------- custom gradients


def test_f23_custom_gradient_with_inf_inside_and_unwatched_constants():
    @tf.custom_gradient
    def log1pexp(x):
        e = tf.exp(x)
        return tf.log(1 + e), lambda dy: dy * (1 - 1 / (1 + e))

    x = tf.constant(100.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with tf.GradientTape() as t:
            y = log1pexp(x)
        assert t.gradient(y, [x]) == [None]
        with tf.GradientTape() as t:
            t.watch(x)
            y = log1pexp(x)
        assert float(t.gradient(y, x)) == 1.0
        with tf.GradientTape() as t:
            t.watch(x)
            y = tf.log(1 + tf.exp(x))
        assert np.isnan(float(t.gradient(y, x)))


def test_f25_custom_gradient_around_a_variable():
    v = tf.Variable(4.0)

    @tf.custom_gradient
    def f(x):
        def grad(dy, variables=None):
            return dy * v, [dy * x for _ in variables]

        return x * v, grad

    x = tf.constant(3.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = f(x)
    assert [float(g) for g in t.gradient(y, [x, v])] == [4, 3]

    @tf.custom_gradient
    def without(x):
        return x * v, lambda dy: dy * v

    with pytest.raises(TypeError, match="'variables'"):
        without(x)


# -------------------------------------------------------------------------------------------- nan of untaken branches


def test_f27_guarded_where_has_a_finite_gradient():
    x = tf.constant([0.0, 4.0])
    with tf.GradientTape(persistent=True) as t:
        t.watch(x)
        bad = tf.where(x > 0, tf.log(x), tf.zeros_like(x))
        safe = tf.where(x > 0, tf.log(tf.where(x > 0, x, tf.ones_like(x))), tf.zeros_like(x))
    np.testing.assert_array_equal(t.gradient(safe, x), [0, 0.25])
    np.testing.assert_array_equal(t.gradient(bad, x), [np.nan, 0.25])


def test_f27_values_of_a_piecewise_function():
    def f(x):
        return tf.where(x > 0, tf.log(1.0 + x), tf.where(x < 0, -x / (1.0 - x), tf.zeros_like(x)))

    np.testing.assert_allclose(f(tf.constant([1.0, -1.0, 0.0])), [0.6931, 0.5, 0], atol=1e-4)


# ---------------------------------------------------------------------------------------------------- sparse gradients


def test_f29_clipping_gradients_of_an_embedding():
    table = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    with tf.GradientTape() as t:
        rows = tf.nn.embedding_lookup(table, [0, 2, 0])
        loss = tf.reduce_sum(rows * tf.constant([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]))
    g = t.gradient(loss, table)
    np.testing.assert_array_equal(tf.convert_to_tensor(g), [[4, 4], [0, 0], [2, 2]])
    clipped, norm = tf.clip_by_global_norm([g, None], 1.0)
    assert float(norm) == pytest.approx(6.3245554) and clipped[1] is None
    assert isinstance(clipped[0], tf.IndexedSlices)
    assert float(tf.global_norm([clipped[0]])) == pytest.approx(1)
    np.testing.assert_allclose(
        tf.convert_to_tensor(tf.clip_by_norm(g, 1.0)),
        np.array([[4, 4], [0, 0], [2, 2]]) / 6.3245554,
    )
    np.testing.assert_array_equal(
        tf.convert_to_tensor(tf.clip_by_value(g, 0.0, 3.0)), [[3, 3], [0, 0], [2, 2]]
    )
    tf.train.AdamOptimizer(0.1).apply_gradients([(clipped[0], table)])
    assert table.numpy()[1].tolist() == [3, 4] and table.numpy()[0, 0] < 1
    assert "IndexedSlices" in str([g]) and "values=" in str(g)


def test_f57_shapes_of_losses():
    y, p = tf.constant([1.0, 2.0, 3.0, 4.0]), tf.constant([[1.0], [2.0], [3.0], [4.0]])
    assert float(tf.reduce_mean(tf.square(y - p))) == 2.5
    assert float(tf.losses.MeanSquaredError()(y, p)) == 0
    with pytest.raises(ValueError, match="incompatible"):
        tf.losses.mean_squared_error(y, p)


# ---------------------------------------------------------------------------------------------------- seeds


def test_f55_one_seed_one_result():
    def run():
        tf.set_random_seed(7)
        return tf.layers.Dense(3)(tf.random_normal([2, 4])).numpy()

    np.testing.assert_array_equal(run(), run())
    tf.set_random_seed(5)
    a, b = tf.random_normal([2]).numpy(), tf.random_normal([2]).numpy()
    tf.set_random_seed(5)
    c = tf.random_normal([2]).numpy()
    assert (a == c).all() and not (a == b).any()


# ---------------------------------------------------------------- where every version of TensorFlow is silently wrong


def test_trap_truncating_a_float_into_an_int_tensor():
    with pytest.raises(TypeError, match="int32"):
        tf.constant(2) * 1.2
    with pytest.raises(TypeError):
        tf.equal(tf.constant(1), 1.5)
    with pytest.raises((ValueError, TypeError, OverflowError)):
        tf.constant(2**40, tf.int32)


def test_trap_upstream_gradients_with_none():
    x = tf.constant(2.0)
    with tf.GradientTape() as t:
        t.watch(x)
        y = x * x
    assert float(t.gradient([y, y], x, output_gradients=[tf.constant(3.0), None])) == 16


def test_trap_graph_tensor_in_eager_code():
    with tf.Graph().as_default():
        a = tf.compat.v1.placeholder(tf.float32, [])
    with pytest.raises(TypeError, match="graph tensor"):
        tf.constant(1.0) + a


def test_trap_negative_power_of_ints():
    with pytest.raises(tf.errors.InvalidArgumentError, match="negative integer powers"):
        tf.pow(tf.constant(2), tf.constant(-1))


def test_trap_arrays_are_copied_in_and_out():
    source = np.zeros(3, "f")
    tensor, variable = tf.constant(source), tf.Variable(source)
    converted = tf.convert_to_tensor(source)
    source[0] = 5
    for one in (tensor, variable, converted):
        assert float(one[0]) == 0
        out = one.numpy()
        out[0] = 7
        assert float(one[0]) == 0


def test_trap_deepcopy_of_a_variable():
    import copy

    v = tf.Variable([1.0])
    c = copy.deepcopy(v)
    c.assign([9.0])
    assert v.numpy().tolist() == [1]


def test_trap_mean_of_ints_does_not_overflow():
    assert int(tf.reduce_mean(tf.constant([2**31 - 1, 2**31 - 1]))) == 2**31 - 1
    assert int(tf.reduce_mean(tf.constant([1, 2]))) == 1


def test_trap_int_traces():
    g = tf.function(lambda x: x / 2 if isinstance(x, float) else x * 10)
    assert float(g(1)) == 10 and float(g(1.0)) == 0.5 and float(g(True)) == 10


# ------------------------------------------------------------------------------------------------ memory and time


def test_memory_of_old_tensors_is_given_back():
    alive = []
    state = tf.zeros([100])
    for _ in range(5):
        state = tf.concat([state[10:], tf.ones([10])], 0)
        alive.append(weakref.ref(state))
    gc.collect()
    assert sum(ref() is not None for ref in alive) == 1


def test_losses_in_a_loop_keep_nothing():
    layer = tf.layers.Dense(5)
    x, y = tf.zeros([32, 100]), tf.zeros([32], tf.int64)
    alive = []
    for _ in range(20):
        with tf.GradientTape() as tape:
            loss = tf.losses.sparse_softmax_cross_entropy(y, layer(x))
        alive.append(weakref.ref(loss))
        del loss, tape
    assert all(ref() is None for ref in alive)


def test_arrays_of_many_tensors_are_fast():
    ones = [tf.constant(float(i)) for i in range(1000)]
    start = time.perf_counter()
    np.testing.assert_array_equal(np.array(ones), np.arange(1000))
    assert time.perf_counter() - start < 0.1


def test_small_steps_are_fast():
    """A step of the article's regression in eager execution: TensorFlow 2 takes 1.5 ms."""
    w, b = tf.Variable(0.0), tf.Variable(0.0)
    x, y = tf.constant(np.arange(17, dtype="f")), tf.constant(np.arange(17, dtype="f"))
    optimizer = tf.train.GradientDescentOptimizer(0.001)
    grad = tfe.implicit_gradients(lambda: tf.reduce_sum(tf.pow(x * w + b - y, 2)) / 34)
    optimizer.apply_gradients(grad())
    best = min(_timed(lambda: optimizer.apply_gradients(grad())) for _ in range(20))
    assert best < 0.0015


def _timed(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


# ---------------------------------------------------------------------------------------- idioms of real scripts


def test_two_tapes_and_two_optimizers_in_one_step():
    g, d = tf.Variable(1.0), tf.Variable(2.0)
    opt_g, opt_d = tf.train.AdamOptimizer(0.1), tf.train.AdamOptimizer(0.1)
    with tf.GradientTape() as gen_tape, tf.GradientTape() as disc_tape:
        fake = g * 3.0
        gen_loss, disc_loss = -d * fake, d * fake
    opt_g.apply_gradients(zip(gen_tape.gradient(gen_loss, [g]), [g], strict=True))
    opt_d.apply_gradients(zip(disc_tape.gradient(disc_loss, [d]), [d], strict=True))
    assert float(g) == pytest.approx(1.1) and float(d) == pytest.approx(1.9)


def test_one_optimizer_called_twice_a_step_counts_twice():
    a, b = tf.Variable(1.0), tf.Variable(1.0)
    optimizer = tf.train.AdamOptimizer(0.1)
    optimizer.apply_gradients([(1.0, a)])
    optimizer.apply_gradients([(1.0, b)])
    assert float(optimizer._own["beta1_power"]) == pytest.approx(0.9**3)


def test_losses_accumulate_over_batches():
    total = 0
    for value in (1.0, 2.0):
        total = total + tf.constant(value)
    assert total.numpy() / 2 == 1.5 and f"{total:.2f}" == "3.00" and round(float(total), 4) == 3.0


def test_variables_of_several_kinds_of_structure():
    w, b = tf.Variable(2.0), tf.Variable(1.0)
    with tf.GradientTape(persistent=True) as tape:
        y = w * 3.0 + b
    assert {k: float(v) for k, v in tape.gradient(y, {"w": w, "b": b}).items()} == {"w": 3, "b": 1}
    assert [float(v) for v in tape.gradient(y, (w, b))] == [3, 1]
