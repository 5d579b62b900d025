"""TensorFlow 1's optimizers against TensorFlow's own trajectories, and how they refuse."""

import json
import pathlib

import numpy as np
import pytest

import eagercore as tf

v1 = tf.compat.v1
GOLDEN = json.loads((pathlib.Path(__file__).parents[1] / "golden" / "v1.json").read_text())
OPTIMIZERS = {
    "sgd": lambda: tf.train.GradientDescentOptimizer(0.1),
    "momentum": lambda: tf.train.MomentumOptimizer(0.1, 0.9),
    "nesterov": lambda: tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
    "adam": lambda: tf.train.AdamOptimizer(0.1),
    "adagrad": lambda: tf.train.AdagradOptimizer(0.1),
    "adadelta": lambda: tf.train.AdadeltaOptimizer(0.1),
    "rmsprop": lambda: tf.train.RMSPropOptimizer(0.1),
    "rmsprop_momentum": lambda: tf.train.RMSPropOptimizer(0.1, momentum=0.5),
    "rmsprop_centered": lambda: tf.train.RMSPropOptimizer(0.1, momentum=0.9, centered=True),
    "ftrl": lambda: tf.train.FtrlOptimizer(
        0.1, l1_regularization_strength=0.01, l2_regularization_strength=0.02
    ),
    "ftrl_power": lambda: tf.train.FtrlOptimizer(
        0.1, learning_rate_power=-0.7, l2_shrinkage_regularization_strength=0.1
    ),
    "proximal_sgd": lambda: tf.train.ProximalGradientDescentOptimizer(0.1, 0.2, 0.3),
    "proximal_adagrad": lambda: tf.train.ProximalAdagradOptimizer(0.1, 0.1, 0.2, 0.3),
}
START = [[1.0, -2.0], [0.5, 3.0], [2.0, -1.0]]


@pytest.mark.parametrize("case", [c for c in GOLDEN["optimizers"] if not c.endswith("rows")])
def test_dense_trajectories(case):
    name, dtype = case.split("/")
    q = tf.Variable(np.array(START, dtype), name="q")
    optimizer = OPTIMIZERS[name]()
    for wanted in GOLDEN["optimizers"][case]["steps"]:
        optimizer.minimize(lambda: 0.5 * tf.reduce_sum(q * q))
        np.testing.assert_allclose(q, wanted, rtol=2e-6 if dtype == "float32" else 3e-7, atol=1e-7)


@pytest.mark.parametrize("case", [c for c in GOLDEN["optimizers"] if c.endswith("rows")])
def test_trajectories_of_rows(case):
    table = tf.Variable(np.array(START, "f"))
    optimizer = OPTIMIZERS[case.split("/")[0]]()
    for wanted in GOLDEN["optimizers"][case]["steps"]:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.gather(table, [0, 2, 0]) * [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        optimizer.apply_gradients([(tape.gradient(loss, table), table)])
        np.testing.assert_allclose(table, wanted, rtol=2e-6, atol=1e-6)


def test_a_traced_step_is_the_same_step():
    for name, make in OPTIMIZERS.items():
        eager, traced = (tf.Variable(np.array(START, "f")) for _ in range(2))
        one, two = make(), make()

        @tf.function
        def step(optimizer, variable):
            with tf.GradientTape() as tape:
                loss = 0.5 * tf.reduce_sum(variable * variable)
            optimizer.apply_gradients([(tape.gradient(loss, variable), variable)])

        for _ in range(3):
            one.minimize(lambda v=eager: 0.5 * tf.reduce_sum(v * v))
            step(two, traced)
        np.testing.assert_allclose(traced, eager, rtol=1e-6, err_msg=name)


@pytest.mark.parametrize("name", ["sgd", "momentum", "adam", "rmsprop"])
def test_a_traced_step_takes_variables_of_any_layout(name):
    """Initial values that lie in memory by columns (R's matrices, orthogonal kernels) are no obstacle."""
    start = np.arange(12, dtype=np.float32).reshape(4, 3).T
    assert start.flags.f_contiguous

    def run(wrap):
        variable, optimizer = tf.Variable(start), OPTIMIZERS[name]()

        @wrap
        def step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(variable * variable * x)
            optimizer.apply_gradients([(tape.gradient(loss, variable), variable)])

        for _ in range(2):
            step(tf.constant(0.5))
        return variable.numpy()

    np.testing.assert_allclose(run(tf.function), run(lambda f: f), rtol=1e-6)


def test_graph_mode_minimize_is_an_operation_that_counts():
    with tf.Graph().as_default():
        v = v1.get_variable("v", initializer=[1.0, -2.0])
        step = v1.train.get_or_create_global_step()
        op = v1.train.AdamOptimizer(0.1).minimize(0.5 * tf.reduce_sum(v * v), global_step=step)
        plain = v1.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(v * v))
        assert plain.name == "GradientDescent" and plain.type == "NoOp"
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())
            for _ in range(3):
                session.run(op)
            assert session.run(step) == 3
            np.testing.assert_allclose(session.run(v), [0.70159, -1.70062], rtol=1e-5)


def test_pairs_come_in_many_forms():
    v = tf.Variable(1.0)
    optimizer = tf.train.GradientDescentOptimizer(0.5)
    for pairs in (
        [(1.0, v)],
        [[1.0, v]],
        zip([1.0], [v], strict=True),
        ((1.0, v) for _ in range(1)),
        [{"g": 1.0, "v": v}],
    ):
        v.assign(1.0)
        assert optimizer.apply_gradients(pairs) is None
        assert float(v) == 0.5
    with pytest.raises(ValueError, match="pairs"):
        optimizer.apply_gradients([(1.0, v, 2.0)])


def test_missing_gradients():
    v, w = tf.Variable(1.0), tf.Variable(1.0)
    optimizer = tf.train.AdamOptimizer(0.1)
    optimizer.apply_gradients([(1.0, v), (None, w)])
    assert float(v) == pytest.approx(0.9) and float(w) == 1.0
    with pytest.raises(ValueError, match="No variables provided"):
        optimizer.apply_gradients([])
    with pytest.raises(
        ValueError, match="No gradients provided for any variable: ..<tf.Variable 'Variable:0'"
    ):
        optimizer.apply_gradients([(None, v)])
    with pytest.raises(
        ValueError, match="No gradients provided for any variable, check your graph"
    ):
        optimizer.minimize(lambda: tf.constant(1.0))


def test_what_does_not_fit_is_refused_and_nothing_dies():
    v = tf.Variable([1.0, 2.0])
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    with pytest.raises(TypeError, match="float64, the variable is float32"):
        optimizer.apply_gradients([(tf.constant([1.0, 1.0], tf.float64), v)])
    with pytest.raises(ValueError, match="has shape"):
        optimizer.apply_gradients([(tf.ones([3]), v)])
    with pytest.raises(NotImplementedError, match="Trying to update a Tensor"):
        optimizer.apply_gradients([(1.0, tf.constant(1.0))])
    with pytest.raises(RuntimeError, match="should be a function when eager execution is enabled"):
        optimizer.minimize(v * v)
    with pytest.raises(IndexError, match="indices must be"):
        optimizer.apply_gradients([(tf.IndexedSlices([1.0], [5]), tf.Variable([1.0, 2.0]))])
    np.testing.assert_array_equal(v, [1, 2])


def test_global_step_counts():
    step = tf.train.get_or_create_global_step()
    assert step is tf.train.get_or_create_global_step() is tf.train.get_global_step()
    assert (
        str(step).startswith("<tf.Variable 'global_step:0' shape=() dtype=int64, numpy=")
        and not step.trainable
    )
    before, v = int(step), tf.Variable(1.0)
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    optimizer.minimize(lambda: v * v, global_step=step)
    assert int(step) == before + 1
    with pytest.raises(ValueError, match="already exists"):
        tf.train.create_global_step()
    with tf.Graph().as_default():
        assert tf.train.get_global_step() is None
        assert tf.train.get_or_create_global_step() is not step


def test_learning_rate_is_read_anew():
    rate, v = tf.Variable(0.1), tf.Variable(1.0)
    for given in (rate, lambda: rate, lambda: float(rate)):
        v.assign(1.0)
        rate.assign(0.1)
        optimizer = tf.train.GradientDescentOptimizer(given)
        optimizer.apply_gradients([(1.0, v)])
        rate.assign(0.5)
        optimizer.apply_gradients([(1.0, v)])
        assert float(v) == pytest.approx(0.4)
    step = tf.Variable(0)
    optimizer = tf.train.GradientDescentOptimizer(tf.train.exponential_decay(1.0, step, 1, 0.5))
    v.assign(0.0)
    for _ in range(3):
        optimizer.apply_gradients([(1.0, v)], global_step=step)
    assert float(v) == -1.75


def test_slots():
    q = tf.Variable([1.0], name="q")
    optimizer = tf.train.AdamOptimizer(0.1)
    assert optimizer.get_slot(q, "m") is None
    optimizer.minimize(lambda: tf.reduce_sum(q * q))
    assert optimizer.get_slot_names() == ["m", "v"]
    assert (
        optimizer.get_slot(q, "m").name == "q/Adam:0"
        and optimizer.get_slot(q, "v").name == "q/Adam_1:0"
    )
    assert [v.name for v in optimizer.variables()] == [
        "beta1_power:0",
        "beta2_power:0",
        "q/Adam:0",
        "q/Adam_1:0",
    ]
    assert float(optimizer._own["beta1_power"]) == pytest.approx(0.81)
    momentum = tf.train.MomentumOptimizer(0.1, 0.9)
    momentum.minimize(lambda: tf.reduce_sum(q * q))
    assert momentum.get_slot(q, "momentum").name == "q/Momentum:0"


def test_variable_lists():
    v, w = tf.Variable(1.0), tf.Variable(1.0, trainable=False)
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    pairs = optimizer.compute_gradients(lambda: v * w, var_list=[w])
    assert len(pairs) == 1 and pairs[0][1] is w and float(pairs[0][0]) == 1
    optimizer.minimize(lambda: v * w, var_list=v)
    assert float(v) == pytest.approx(0.9) and float(w) == 1.0
    pairs = optimizer.compute_gradients(lambda: v * w, grad_loss=tf.constant(10.0))
    assert float(pairs[0][0]) == 10
    with pytest.raises(TypeError, match="not a tf.Variable"):
        optimizer.compute_gradients(lambda: v * w, var_list=[tf.constant(1.0)])


def test_constraints_are_kept():
    v = tf.Variable([0.1, 2.0], constraint=lambda x: tf.clip_by_value(x, 0.0, 1.0))
    tf.train.GradientDescentOptimizer(1.0).apply_gradients([(tf.constant([1.0, 0.5]), v)])
    np.testing.assert_array_equal(v, [0, 1])


def test_a_value_that_was_read_survives_the_step():
    v = tf.Variable([1.0, 2.0])
    before = v.value()
    tf.train.AdamOptimizer(0.1).apply_gradients([(tf.ones([2]), v)])
    np.testing.assert_array_equal(before, [1, 2])


@pytest.mark.parametrize("step", list(GOLDEN["decays"]))
def test_schedules(step):
    number, wanted = int(step), GOLDEN["decays"][step]
    t = tf.train
    found = {
        "exponential": t.exponential_decay(0.5, number, 5, 0.9),
        "staircase": t.exponential_decay(0.5, number, 5, 0.9, staircase=True),
        "natural": t.natural_exp_decay(0.5, number, 5, 0.9),
        "inverse": t.inverse_time_decay(0.5, number, 5, 0.9),
        "polynomial": t.polynomial_decay(0.5, number, 10, 0.01, power=2.0),
        "cycle": t.polynomial_decay(0.5, number, 10, 0.01, cycle=True),
        "piecewise": t.piecewise_constant(number, [3, 10], [1.0, 0.5, 0.1]),
        "cosine": t.cosine_decay(0.5, number, 10, alpha=0.1),
        "restarts": t.cosine_decay_restarts(0.5, number, 5, m_mul=0.8),
        "linear_cosine": t.linear_cosine_decay(0.5, number, 10),
    }
    for name, rate in found.items():
        assert float(rate()) == pytest.approx(wanted[name], rel=2e-6, abs=1e-7), name
    with pytest.raises(ValueError, match="1 less than the length of values"):
        t.piecewise_constant(0, [1], [1.0])


def test_moving_averages():
    assign_moving_average = tf.python.training.moving_averages.assign_moving_average

    v = tf.Variable(1.0)
    assign_moving_average(v, 3.0, 0.9)
    assert float(v) == pytest.approx(1.2)
    average = tf.train.ExponentialMovingAverage(0.5, num_updates=0)
    v.assign(0.0)
    average.apply([v])
    v.assign(1.0)
    average.apply([v])
    assert float(average.average(v)) == pytest.approx(0.9)
    assert average.average_name(v) == "Variable/ExponentialMovingAverage"
