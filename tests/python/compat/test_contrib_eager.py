"""tf.contrib.eager as a module: gradient functions, networks, iterators, metrics, savers, switches."""

import numpy as np
import pytest

import eagercore as tf
import eagercore.contrib.eager as tfe


def two(x, y):
    return x * x * y


def values(gradients):
    return [None if g is None else float(g) for g in gradients]


def test_gradients_function_selects_by_position_and_name():
    assert values(tfe.gradients_function(two)(2.0, 3.0)) == [12, 4]
    assert values(tfe.gradients_function(two, params=[0])(2.0, 3.0)) == [12]
    assert values(tfe.gradients_function(two, params=["y"])(2.0, 3.0)) == [4]
    assert values(tfe.gradients_function(two, params=["y", "x"])(2.0, 3.0)) == [4, 12]
    assert values(tfe.gradients_function(two)(2.0, 3.0, dy=10.0)) == [120, 40]
    assert tfe.gradients_function(two).__name__ == "decorated"


def test_gradients_function_says_what_is_wrong():
    with pytest.raises(ValueError, match="cannot receive keyword arguments"):
        tfe.gradients_function(two)(x=2.0, y=3.0)
    with pytest.raises(IndexError, match="takes the arguments x, y, but 1 were given"):
        tfe.gradients_function(two)(2.0)
    with pytest.raises(ValueError, match=r"names of arguments \(x, y\), got \['z'\]"):
        tfe.gradients_function(two, params=["z"])(1.0, 2.0)
    with pytest.raises(IndexError, match="names argument 5"):
        tfe.gradients_function(two, params=[5])(1.0, 2.0)
    with pytest.raises(ValueError, match="all strings or all integers"):
        tfe.gradients_function(two, params=["x", 0])(1.0, 2.0)
    with pytest.raises(ValueError, match="must not repeat"):
        tfe.gradients_function(two, params=["x", "x"])(1.0, 2.0)
    with pytest.raises(ValueError, match="forget to return a value from <lambda>"):
        tfe.gradients_function(lambda x: None)(1.0)


def test_gradients_function_takes_what_python_has():
    assert values(tfe.gradients_function(lambda x: [x * x, x])(3.0)) == [7]
    assert values(tfe.gradients_function(lambda x: {"a": x * x})(3.0)) == [6]
    assert values(tfe.gradients_function(lambda x: 3.0)(1.0)) == [None]
    assert values(tfe.gradients_function(lambda x, y: x * 2.0)(3.0, 4.0)) == [2, None]
    assert tfe.gradients_function(lambda x: x * x)(np.array([1.0, 2.0]))[0].dtype == tf.float64
    v = tfe.Variable(2.0)
    assert values(tfe.gradients_function(lambda x: x * v)(3.0)) == [2]
    assert values(tfe.gradients_function(lambda a: a * a)(v)) == [4]
    with pytest.warns(UserWarning, match="floating"):
        assert tfe.gradients_function(lambda x: x * x)(3) == [None]


def test_value_and_gradients_and_vjp():
    value, gradients = tfe.value_and_gradients_function(two, params=[1])(2.0, 3.0)
    assert float(value) == 12 and values(gradients) == [4]
    value, vjp = tfe.make_vjp(two)(2.0, 3.0)
    assert values(vjp(10.0)) == [120, 40] and values(vjp()) == [12, 4]


def test_implicit_gradients():
    v = tfe.Variable(2.0, name="v")
    w = tfe.Variable(5.0, trainable=False)
    u = tfe.Variable(1.0, name="u")
    ((g, found),) = tfe.implicit_gradients(lambda x: x * v * w)(3.0)
    assert float(g) == 15 and found is v
    pairs = tfe.implicit_gradients(lambda: tf.stop_gradient(u) * v)()
    assert [(None if g is None else float(g), x.name) for g, x in pairs] == [
        (1, "v:0"),
        (None, "u:0"),
    ]
    value, pairs = tfe.implicit_value_and_gradients(lambda: [v * 2.0, v * 3.0])()
    assert len(value) == 2 and float(pairs[0][0]) == 5

    def made_inside():
        z = tfe.Variable(4.0, name="z")
        return z * z

    assert float(tfe.implicit_gradients(made_inside)()[0][0]) == 8
    with pytest.raises(ValueError, match="No trainable variables were accessed"):
        tfe.implicit_gradients(lambda x: x * x)(3.0)
    with pytest.raises(ValueError, match="returns None"):
        tfe.implicit_gradients(lambda: None)()
    with pytest.raises(KeyError, match="boom"):
        tfe.implicit_gradients(lambda: {}["boom"])()


def test_gradient_functions_in_a_graph_give_graph_tensors():
    with tf.Graph().as_default():
        (g,) = tfe.gradients_function(lambda x: x * x)(3.0)
        v = tf.compat.v1.get_variable("v", initializer=2.0)
        ((h, _),) = tfe.implicit_gradients(lambda: v * v)()
        with tf.compat.v1.Session() as session:
            session.run(tf.compat.v1.global_variables_initializer())
            assert session.run([g, h]) == [6.0, 4.0]


class Inner(tfe.Network):
    def __init__(self, name=None):
        super().__init__(name=name)
        self.dense = self.track_layer(tf.layers.Dense(2))

    def call(self, x):
        return self.dense(x)


def test_networks_are_named_within_networks():
    class Outer(tfe.Network):
        def __init__(self):
            super().__init__(name="outer_of_test")
            self.a = self.track_layer(Inner("a"))
            self.b = self.track_layer(Inner())
            self.c = self.track_layer(Inner())

        def call(self, x):
            return self.c(self.b(self.a(x)))

    net = Outer()
    with pytest.raises(ValueError, match="does not yet have a final name"):
        _ = net.name
    net(tf.zeros([1, 3]))
    assert net.name == "outer_of_test"
    kernels = [v.name for v in net.variables if "kernel" in v.name]
    assert kernels == [
        "outer_of_test/a/dense/kernel:0",
        "outer_of_test/inner/dense/kernel:0",
        "outer_of_test/inner_1/dense/kernel:0",
    ]
    assert net.get_layer("a") is net.a and net.get_layer(index=1) is net.b
    with pytest.raises(ValueError, match="No such layer: zz"):
        net.get_layer("zz")
    with pytest.raises(ValueError, match="A Network named 'outer_of_test' already exists"):
        Outer()(tf.zeros([1, 3]))


def test_networks_refuse_what_they_cannot_hold():
    net = Inner()
    with pytest.raises(TypeError, match=r"passed type <class 'int'>, not a tf.layers.Layer"):
        net.track_layer(3)
    net.track_layer(tf.layers.Dense(1, name="ee"))
    with pytest.raises(ValueError, match="two Layers with the name 'ee'"):
        net.track_layer(tf.layers.Dense(1, name="ee"))
    with pytest.raises(ValueError, match="Forward slashes"):
        Inner("a/b")

    class Forgot(tfe.Network):
        def __init__(self):
            self.dense = tf.layers.Dense(1)

    with pytest.raises((AttributeError, RuntimeError), match="super"):
        Forgot()


def test_sequential_network_passes_training():
    net = tfe.Sequential(
        [
            tf.layers.Dense(50, use_bias=False, kernel_initializer=tf.ones_initializer()),
            tf.layers.Dropout(0.5),
        ]
    )
    assert set(net(tf.ones([1, 1])).numpy().ravel()) == {1}
    assert set(net(tf.ones([1, 1]), training=True).numpy().ravel()) == {0, 2}


def test_networks_are_saved_under_names_of_their_own(tmp_path):
    x = tf.ones([1, 3])
    first, second, third = Inner(), Inner(), Inner()
    wanted = first(x).numpy()
    path = tfe.save_network_checkpoint(first, str(tmp_path), global_step=3)
    assert path.endswith("-3") and (tmp_path / "checkpoint").exists()
    second(x)
    tfe.restore_network_checkpoint(second, path)
    np.testing.assert_array_equal(second(x), wanted)
    tfe.restore_network_checkpoint(third, path)
    np.testing.assert_array_equal(third(x), wanted)
    with pytest.raises(ValueError, match="before it was first called"):
        tfe.save_network_checkpoint(Inner(), str(tmp_path))


def test_saver_and_restore_on_create(tmp_path):
    v = tfe.Variable([1.0, 2.0], name="weights")
    path = tfe.Saver([v]).save(str(tmp_path / "ck"), global_step=7)
    assert path.endswith("ck-7")
    v.assign([9.0, 9.0])
    tfe.Saver([v]).restore(path)
    np.testing.assert_array_equal(v, [1, 2])
    with tfe.restore_variables_on_create(path):
        made = tfe.Variable([0.0, 0.0], name="weights")
    np.testing.assert_array_equal(made, [1, 2])


def test_iterator():
    it = tfe.Iterator(tf.data.Dataset.range(3))
    assert [int(x) for x in it] == [0, 1, 2]
    it = tfe.Iterator(tf.data.Dataset.range(1))
    assert int(it.next()) == 0
    with pytest.raises(StopIteration):
        it.next()
    with pytest.raises(tf.errors.OutOfRangeError):
        it.get_next()
    with pytest.raises(AttributeError, match="takes a tf.data.Dataset, got list"):
        tfe.Iterator([1, 2])


def test_metrics():
    mean = tfe.metrics.Mean("loss")
    mean([1.0, 3.0])
    mean(8.0, weights=2.0)
    assert float(mean.result()) == 5 and mean.result().dtype == tf.float64
    mean.init_variables()
    mean(1.0)
    assert float(mean.value()) == 1
    accuracy = tfe.metrics.Accuracy()
    accuracy([1, 2, 3, 4], [1, 2, 0, 0])
    assert float(accuracy.result()) == 0.5
    accuracy([1], [1], weights=[4])
    assert float(accuracy.result()) == 0.75
    with pytest.raises(ValueError, match="unequal"):
        accuracy([1, 2], [1])
    other = tfe.metrics.Accuracy()
    other([1], [0])
    accuracy.aggregate([other])
    assert float(accuracy.result()) == pytest.approx(6 / 9)
    categorical = tfe.metrics.CategoricalAccuracy()
    categorical([[0, 1.0]], [[0.2, 0.8]])
    assert float(categorical.result()) == 1
    sparse = tfe.metrics.SparseAccuracy()
    sparse([1, 0], [[0.2, 0.8], [0.1, 0.9]])
    assert float(sparse.result()) == 0.5
    binary = tfe.metrics.BinaryAccuracy()
    binary([1.0, 0.0], [0.6, 0.7])
    assert float(binary.result()) == 0.5


def test_switches_are_accepted():
    tfe.enable_eager_execution(device_policy=tfe.DEVICE_PLACEMENT_SILENT, execution_mode=tfe.SYNC)
    tf.enable_eager_execution()
    assert (
        tf.executing_eagerly() and tfe.num_gpus() == 0 and tfe.list_devices()[0].endswith("CPU:0")
    )
    with tfe.execution_mode(tfe.ASYNC):
        tfe.async_wait()
    with pytest.raises(ValueError, match="execution_mode should be"):
        tfe.set_execution_mode(7)
    assert float(tfe.defun(lambda x: x * 2.0)(tf.constant(3.0))) == 6

    @tfe.defun
    def f(x):
        return x + 1.0

    assert float(f(tf.constant(1.0))) == 2
    assert float(tfe.py_func(lambda x: x * 2.0, [tf.constant(2.0)], tf.float32)) == 4
    with pytest.raises(SystemExit):
        tfe.run(lambda argv: 3, ["program"])


def test_dropout_by_position_keeps_its_first_meaning_in_first_programs():
    x = tf.ones([1000])
    assert float(tf.reduce_mean(tf.cast(tf.nn.dropout(x, 0.1) == 0, tf.float32))) == pytest.approx(
        0.1, abs=0.05
    )
    with pytest.raises(ValueError, match="rate"):
        tf.nn.dropout(x, 1.0)
    tf.enable_eager_execution()
    np.testing.assert_array_equal(tf.nn.dropout(x, 1.0), x)
    assert float(tf.reduce_mean(tf.cast(tf.nn.dropout(x, 0.1) == 0, tf.float32))) == pytest.approx(
        0.9, abs=0.05
    )
    assert float(
        tf.reduce_mean(tf.cast(tf.nn.dropout(x, rate=0.1) == 0, tf.float32))
    ) == pytest.approx(0.1, abs=0.05)


def test_templates_and_stores_share_variables():
    line = tfe.make_template("line", lambda x: x * tf.get_variable("w", initializer=2.0))
    assert float(line(1.0)) + float(line(3.0)) == 8 and len(line.variables) == 1
    store = tfe.EagerVariableStore()
    for _ in range(2):
        with store.as_default():
            y = tf.layers.dense(tf.ones([1, 2]), 3, name="d")
    assert y.shape == (1, 3) and [v.name for v in store.variables()] == ["d/bias:0", "d/kernel:0"]


def test_checkpointable_and_list(tmp_path):
    class Model(tfe.Checkpointable):
        def __init__(self, value):
            super().__init__()
            self.w = tfe.Variable(value)
            self.parts = tf.contrib.checkpoint.List([tfe.Variable(value + 1)])

    a, b = Model(1.0), Model(5.0)
    assert len(a.variables) == 2 and len(a.parts) == 1
    path = tfe.CheckpointableSaver(a).save(str(tmp_path / "x"), 1)
    tfe.CheckpointableSaver(b).restore(path)
    assert [float(v) for v in b.variables] == [1, 2]


def test_unknown_names_say_what_is_near():
    with pytest.raises(AttributeError, match="Did you mean 'gradients_function'"):
        _ = tfe.gradient_function
    with pytest.raises(AttributeError, match="no TPUs"):
        _ = tf.contrib.tpu


def test_execution_callbacks():
    seen = []
    tfe.add_execution_callback(
        lambda op_type, inputs, attrs, outputs, op_name: seen.append(
            (op_type, len(inputs), len(outputs))
        )
    )
    try:
        tf.constant(1.0) + 2.0
    finally:
        tfe.clear_execution_callbacks()
    tf.constant(1.0) + 2.0
    assert seen == [("AddV2", 2, 1)]


def test_seterr():
    with tfe.errstate(inf_or_nan="raise"):
        with pytest.raises(
            tfe.InfOrNanError,
            match=r"operation Log \(name: None\) contains 1 inf.s. and 1 nan.s. out of a total of 3",
        ):
            tf.log(tf.constant([-1.0, 0.0, 1.0]))
        tf.log(tf.constant([1.0]))
    tf.log(tf.constant([0.0]))
    tfe.seterr(inf_or_nan="warn")
    try:
        with pytest.raises(UserWarning, match="operation Log"):
            tf.log(tf.constant([0.0]))
    finally:
        tfe.seterr(inf_or_nan="ignore")
    with pytest.raises(ValueError, match="must be one of"):
        tfe.seterr(inf_or_nan="shout")


def test_summaries_are_written_where_asked(tmp_path):
    summary = tf.contrib.summary
    step = tf.train.get_or_create_global_step()
    writer = summary.create_file_writer(str(tmp_path))
    summary.scalar("nowhere", 1.0)
    with writer.as_default():
        summary.scalar("not_asked", 1.0)
        with summary.always_record_summaries():
            step.assign(3)
            summary.scalar("loss", tf.constant(2.5), family="train")
            summary.image("image", tf.zeros([2, 4, 4, 3]), max_images=1)
            summary.histogram("weights", tf.constant([1.0, 2.0, 2.0]))
            tfe.metrics.Mean("mean")(1.0)
        with summary.record_summaries_every_n_global_steps(2):
            for i in range(4):
                step.assign(i)
                summary.scalar("every_second", float(i))
    events = summary.summary_test_util.events_from_logdir(str(tmp_path))
    found = [(e.step, v.tag, v.simple_value) for e in events for v in e.summary.value]
    assert found == [
        (3, "train/loss", 2.5),
        (3, "image/image", 0.0),
        (3, "weights", 0.0),
        (0, "every_second", 0.0),
        (2, "every_second", 2.0),
    ]
    histogram = events[3].summary.value[0].histo
    assert (histogram.min, histogram.max, histogram.num, sum(histogram.bucket)) == (1, 2, 3, 3)


def test_summaries_of_tensorflow_2(tmp_path):
    writer = tf.summary.create_file_writer(str(tmp_path))
    assert tf.summary.scalar("a", 1.0, step=1) is False
    with writer.as_default(step=5):
        assert tf.summary.scalar("a", 1.0)
        assert tf.summary.text("t", "hello", step=6)
        with tf.summary.record_if(False):
            assert tf.summary.scalar("b", 1.0) is False
    with writer.as_default(), pytest.raises(ValueError, match="No step set"):
        tf.summary.scalar("a", 1.0)
    events = tf.contrib.summary.summary_test_util.events_from_logdir(str(tmp_path))
    assert [(e.step, v.tag) for e in events for v in e.summary.value] == [(5, "a"), (6, "t")]


def test_hparams():
    h = tf.contrib.training.HParams(rate=0.1, units=[10, 20], name="x", on=True)
    h.parse("rate=0.5,units=[1,2,3],on=false")
    assert (h.rate, h.units, h.on, h.get("none", 7)) == (0.5, [1, 2, 3], False, 7)
    assert h.override_from_dict({"rate": 1}).rate == 1.0
    with pytest.raises(ValueError, match="Unknown hyperparameter"):
        h.parse("zz=1")
    with pytest.raises(ValueError, match="Could not parse hparam 'rate'"):
        h.parse("rate=fast")
    with pytest.raises(ValueError, match="Could not cast"):
        h.set_hparam("rate", "fast")
    assert "units" in h and h.values()["name"] == "x"
