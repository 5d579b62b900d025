import numpy as np
import pytest

import eagercore as tf

opt = tf.keras.optimizers

#: Three steps on 0.5 |q|^2 from (1, -2) with rate 0.1, the same in all releases of TensorFlow.
TRAJECTORIES = {
    "sgd": (lambda: opt.SGD(0.1), [0.7290, -1.4580]),
    "momentum": (lambda: opt.SGD(0.1, momentum=0.9), [0.4860, -0.9720]),
    "nesterov": (lambda: opt.SGD(0.1, momentum=0.9, nesterov=True), [0.32732, -0.65464]),
    "adam": (lambda: opt.Adam(0.1), [0.70159, -1.70062]),
    "adagrad": (lambda: opt.Adagrad(0.1), [0.78751, -1.77770]),
    "adadelta": (lambda: opt.Adadelta(0.1, epsilon=1e-8), [0.999864, -1.999864]),
}


@pytest.mark.parametrize("name", TRAJECTORIES)
def test_three_steps(name):
    make, wanted = TRAJECTORIES[name]
    optimizer, q = make(), tf.Variable([1.0, -2.0])
    for _ in range(3):
        optimizer.minimize(lambda: 0.5 * tf.reduce_sum(q * q), [q])
    assert np.allclose(q, wanted, atol=2e-5)
    assert int(optimizer.iterations) == 3


def test_minimize_takes_a_list_a_variable_or_nothing():
    v, optimizer = tf.Variable(1.0), opt.SGD(learning_rate=0.1)
    for var_list, wanted in (([v], 0.9), (v, 0.81), (None, 0.729), (lambda: [v], 0.6561)):
        optimizer.minimize(lambda: v**2 / 2, var_list)
        assert np.isclose(v, wanted)
    with tf.GradientTape() as tape:
        loss = v**2 / 2
    optimizer.minimize(loss, [v], tape=tape)
    with pytest.raises(ValueError, match="`tape` is required"):
        optimizer.minimize(loss, [v])


def test_pairs_of_any_kind():
    v, optimizer = tf.Variable(1.0), opt.SGD(0.1)
    one = tf.constant(1.0)
    optimizer.apply_gradients([[one, v]])
    optimizer.apply_gradients(zip([one], [v], strict=True))
    optimizer.apply_gradients(pair for pair in [(1.0, v)])
    done = optimizer.apply_gradients([(np.array(1.0), v), (None, v)])
    assert np.isclose(v, 0.6) and int(done) == 4
    for call in (optimizer.apply_gradients, optimizer.minimize):
        with pytest.raises(TypeError, match="unexpected keyword argument 'global_step'"):
            call([(one, v)], global_step=None)


@pytest.mark.parametrize(
    ("act", "error", "message"),
    [
        (
            lambda o, v: o.apply_gradients([(None, v)]),
            ValueError,
            "No gradients provided for any variable",
        ),
        (lambda o, v: o.apply_gradients([]), ValueError, "No gradients provided"),
        (
            lambda o, v: o.apply_gradients([(tf.constant([1.0, 1.0], tf.float64), v)]),
            TypeError,
            "float64",
        ),
        (
            lambda o, v: o.apply_gradients([(tf.ones([3]), v)]),
            ValueError,
            r"shape \(3,\), the variable \(2,\)",
        ),
        (lambda o, v: o.apply_gradients([(v, tf.constant(1.0))]), TypeError, "changes variables"),
        (lambda o, v: o.minimize(lambda: tf.constant(1.0), [v]), ValueError, "No gradients"),
    ],
)
def test_messages(act, error, message):
    v = tf.Variable([1.0, 2.0], name="v")
    with pytest.raises(error, match=message):
        act(opt.Adam(), v)
    assert v.numpy().tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    "cls",
    [opt.SGD, opt.Adam, opt.Adagrad, opt.RMSprop, opt.Adadelta, opt.Adamax, opt.Nadam, opt.Ftrl],
)
def test_sparse_gradients_add_up(cls):
    """Rows named twice count as their sum; the rows of one step do what the dense gradient does."""
    values = tf.constant([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])
    sparse, dense = tf.Variable(tf.ones([4, 2])), tf.Variable(tf.ones([4, 2]))
    slices = tf.IndexedSlices(values, tf.constant([0, 2, 0]), tf.constant([4, 2]))
    cls(0.1).apply_gradients([(slices, sparse)])
    cls(0.1).apply_gradients([(tf.convert_to_tensor(slices), dense)])
    touched = [0, 2]
    assert np.allclose(sparse.numpy()[touched], dense.numpy()[touched], atol=1e-6)
    assert np.allclose(sparse.numpy()[[1, 3]], 1.0)


def test_clipping_of_an_embedding():
    table = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    with tf.GradientTape() as tape:
        rows = tf.gather(table, [0, 2, 0])
        loss = tf.reduce_sum(rows * tf.constant([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]))
    gradient = tape.gradient(loss, table)
    assert tf.convert_to_tensor(gradient).numpy().tolist() == [[4, 4], [0, 0], [2, 2]]
    before = table.numpy()
    opt.SGD(1.0, clipnorm=1.0).apply_gradients([(gradient, table)])
    assert np.isclose(np.linalg.norm(before - table.numpy()), 1.0)
    opt.Adam(clipnorm=1.0).apply_gradients([(gradient, table)])
    opt.SGD(1.0, clipvalue=0.5).apply_gradients([(gradient, table)])


def test_learning_rates():
    v = tf.Variable(0.0)
    one = [(tf.constant(1.0), v)]
    optimizer = opt.SGD(lr=0.1)
    optimizer.apply_gradients(one)
    optimizer.learning_rate = 0.2
    optimizer.apply_gradients(one)
    optimizer.lr.assign(0.3)
    optimizer.apply_gradients(one)
    assert np.isclose(v, -0.6)
    rate = tf.Variable(0.5)
    v.assign(0.0)
    by_variable = opt.SGD(rate)
    by_variable.apply_gradients(one)
    rate.assign(0.25)
    by_variable.apply_gradients(one)
    assert np.isclose(v, -0.75)
    v.assign(0.0)
    opt.SGD(lambda: 2.0).apply_gradients(one)
    assert np.isclose(v, -2.0)
    v.assign(0.0)
    falling = opt.SGD(opt.schedules.PiecewiseConstantDecay([0], [1.0, 0.1]))
    falling.apply_gradients(one)
    falling.apply_gradients(one)
    assert np.isclose(v, -1.1)
    v.assign(0.0)
    old = opt.SGD(1.0, decay=1.0)
    old.apply_gradients(one)
    old.apply_gradients(one)
    assert np.isclose(v, -1.5)
    with pytest.raises(ValueError, match=">= 0"):
        opt.SGD(-1.0)
    with pytest.raises(TypeError, match="Unexpected keyword argument passed to optimizer: foo"):
        opt.Adam(foo=1)


def test_state_and_configuration():
    v = tf.Variable(tf.ones([2]), name="v")
    optimizer = opt.Adam(0.1, clipnorm=2.0)
    optimizer.apply_gradients([(tf.ones([2]), v)])
    assert [w.name for w in optimizer.weights] == ["Adam/iter:0", "Adam/v/m:0", "Adam/v/v:0"]
    assert np.allclose(optimizer.get_slot(v, "m"), 0.1) and optimizer.get_slot(v, "x") is None
    again = opt.Adam.from_config(optimizer.get_config())
    assert again.get_config() == optimizer.get_config() and np.isclose(again.learning_rate, 0.1)
    with pytest.raises(ValueError, match="weight list of length 3"):
        again.set_weights(optimizer.get_weights())
    w = tf.Variable(v.numpy())
    _ = again.iterations
    again.build([w])
    again.set_weights(optimizer.get_weights())
    for one, variable in ((optimizer, v), (again, w)):
        one.apply_gradients([(tf.ones([2]), variable)])
    assert np.array_equal(v, w)
    scheduled = opt.SGD(opt.schedules.ExponentialDecay(0.1, 10, 0.5))
    assert opt.deserialize(opt.serialize(scheduled)).learning_rate.decay_steps == 10
    assert type(opt.get("rmsprop")) is opt.RMSprop
    with pytest.raises(ValueError, match="Unknown optimizer: nope"):
        opt.get("nope")


def test_values_read_before_a_step_do_not_change():
    v = tf.Variable(tf.ones([5]))
    before = v.value()
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(v * v)
    optimizer = opt.Adam(0.1)
    optimizer.minimize(loss, [v], tape=tape)
    slot = optimizer.get_slot(v, "m").value()
    optimizer.apply_gradients([(tf.ones([5]), v)])
    assert np.array_equal(before, np.ones(5)) and np.allclose(slot, 0.2)


def test_a_traced_step_is_the_eager_step():
    def make():
        model = tf.keras.Sequential(
            [tf.keras.layers.Dense(4, activation="tanh"), tf.keras.layers.Dense(1)]
        )
        model(tf.ones([1, 3]))
        return model, opt.Adam(0.01)

    (one, first), (two, second) = make(), make()
    two.set_weights(one.get_weights())
    x = tf.constant(np.random.default_rng(0).normal(size=(8, 3)), tf.float32)

    def step(model, optimizer):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x) - 1.0))
        optimizer.apply_gradients(
            zip(tape.gradient(loss, model.variables), model.variables, strict=True)
        )
        return loss

    traced = tf.function(lambda: step(two, second), autograph=False)
    for _ in range(4):
        assert np.allclose(step(one, first), traced(), atol=1e-6)
    for a, b in zip(one.get_weights(), two.get_weights(), strict=True):
        assert np.allclose(a, b, atol=1e-6)
    assert int(second.iterations) == 4


def test_reads_behind_a_traced_step_see_it():
    v, optimizer = tf.Variable([1.0, 2.0]), opt.SGD(0.5)

    @tf.function(autograph=False)
    def run():
        before = v + 0.0
        optimizer.apply_gradients([(tf.ones([2]), v)])
        return before, v + 0.0

    before, after = run()
    assert before.numpy().tolist() == [1.0, 2.0] and after.numpy().tolist() == [0.5, 1.5]


def test_mixed_dtypes_and_large_variables():
    wide, long = tf.Variable(tf.ones([3], tf.float64)), tf.Variable(tf.ones([300_000]))
    optimizer = opt.Adam(0.1)
    optimizer.apply_gradients([(tf.ones([3], tf.float64), wide), (tf.ones([300_000]), long)])
    assert wide.dtype == tf.float64 and np.allclose(wide, 0.9) and np.allclose(long, 0.9)


def test_a_strategy_reduces_gradients_first():
    from eagercore.base.context import context

    class Twice:
        def reduce_gradients(self, pairs):
            return [(2.0 * gradient, variable) for gradient, variable in pairs]

    v = tf.Variable(0.0)
    context.strategy = Twice()
    try:
        opt.SGD(1.0).apply_gradients([(tf.constant(1.0), v)])
    finally:
        context.strategy = None
    assert float(v) == -2.0
