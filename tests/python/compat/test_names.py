"""Every name that TensorFlow's own eager examples use is there, and what the top level says of those that are not."""

import pathlib
import re

import numpy as np
import pytest

import eagercore as tf
import eagercore.contrib.eager as tfe

NAMES = (pathlib.Path(__file__).parent / "eager_example_names.txt").read_text().split()
#: Parts that need machines, downloads or a service that is not there.
EXEMPT = re.compile(r"tf\.(contrib\.tpu|contrib\.cluster_resolver|estimator\.(?!ModeKeys))")


@pytest.mark.parametrize("name", [n for n in NAMES if not EXEMPT.match(n)])
def test_name_resolves(name):
    found = {"tf": tf, "tfe": tfe}[name.split(".")[0]]
    for part in name.split(".")[1:]:
        found = getattr(found, part)
    assert found is not None


@pytest.mark.parametrize("name", [n for n in NAMES if EXEMPT.match(n)])
def test_what_is_exempt_says_why(name):
    found = tf
    with pytest.raises(AttributeError, match="not part of eagercore|no TPUs|no cluster"):
        for part in name.split(".")[1:]:
            found = getattr(found, part)


def test_old_spellings():
    x = tf.constant([1.0, 4.0])
    np.testing.assert_allclose(tf.log(x), np.log([1, 4]), rtol=1e-6)
    assert tf.to_int32(x).dtype == tf.int32 and tf.to_float(1).dtype == tf.float32
    assert int(tf.div(7, 2)) == 3
    np.testing.assert_array_equal(tf.lin_space(0.0, 1.0, 3), [0, 0.5, 1])
    np.testing.assert_array_equal(
        tf.reduce_sum([[1, 2], [3, 4]], reduction_indices=1, keep_dims=True), [[3], [7]]
    )
    assert int(tf.arg_max([1, 3, 2], 0)) == 1


def test_get_variable_makes_a_new_one_in_eager_execution():
    assert tf.get_variable("q", [2]) is not tf.get_variable("q", [2])
    with tf.variable_scope("s") as scope:
        assert scope.name == "s"
        assert tf.get_variable("v", [2], initializer=tf.zeros_initializer()).name == "s/v:0"
        with tf.variable_scope("t", initializer=tf.ones_initializer()):
            v = tf.get_variable("v", [2])
    assert v.name == "s/t/v:0" and v.numpy().tolist() == [1, 1]
    assert tf.get_variable("c", initializer=[1, 2]).dtype == tf.int32
    with pytest.raises(ValueError, match="must be fully defined"):
        tf.get_variable("q")
    with pytest.raises(ValueError, match="fully defined"):
        tf.get_variable("q", [None, 2])
    assert (
        tf.compat.v1.global_variables() == []
        and tf.compat.v1.global_variables_initializer() is None
    )


def test_scopes_share_variables_in_a_graph():
    v1 = tf.compat.v1
    with tf.Graph().as_default():
        with v1.variable_scope("a"):
            v = v1.get_variable("v", [2])
        with v1.variable_scope("a", reuse=True):
            assert v1.get_variable("v", [2]) is v
            with pytest.raises(ValueError, match="does not exist"):
                v1.get_variable("new", [2])
            with pytest.raises(ValueError, match="specified shape"):
                v1.get_variable("v", [3])
        with v1.variable_scope("a"), pytest.raises(ValueError, match="already exists, disallowed"):
            v1.get_variable("v", [2])
        with v1.variable_scope("a", reuse=tf.AUTO_REUSE):
            assert v1.get_variable("v", [2]) is v and v1.get_variable("w", [2]) is not v
        for _ in range(2):
            y = v1.layers.dense(tf.ones([1, 2]), 3, name="shared", reuse=tf.AUTO_REUSE)
        assert y.shape == (1, 3) and len(v1.trainable_variables()) == 4


def test_assignments_by_function():
    v = tf.Variable([1.0, 2.0])
    tf.assign(v, [3.0, 4.0])
    tf.assign_add(v, [1.0, 1.0])
    tf.assign_sub(v, [0.5, 0.5])
    tf.scatter_update(v, [0], [9.0])
    tf.scatter_add(v, [1, 1], [1.0, 1.0])
    np.testing.assert_array_equal(v, [9, 6.5])
    step = tf.Variable(0)
    assert [int(tf.count_up_to(step, 2)) for _ in range(2)] == [0, 1]
    with pytest.raises(tf.errors.OutOfRangeError):
        tf.count_up_to(step, 2)


def test_layers_of_the_first_generation():
    x = tf.ones([2, 3])
    d = tf.layers.Dense(4, tf.nn.relu, False, tf.ones_initializer())
    np.testing.assert_array_equal(d(x), np.full((2, 4), 3))
    assert tf.layers.dense(x, 4).shape == (2, 4)
    conv = tf.layers.Conv2D(2, 3, (1, 1), "same", "channels_last", (1, 1), tf.nn.relu)
    assert conv(tf.ones([1, 4, 4, 3])).shape == (1, 4, 4, 2)
    assert tf.layers.max_pooling2d(tf.ones([1, 4, 4, 1]), 2, 2).shape == (1, 2, 2, 1)
    assert tf.layers.flatten(tf.ones([2, 3, 4])).shape == (2, 12)
    np.testing.assert_array_equal(tf.layers.dropout(x, 0.5), x)
    assert set(tf.layers.dropout(tf.ones([100]), 0.5, training=True).numpy()) == {0, 2}
    bn = tf.layers.BatchNormalization(fused=True)
    np.testing.assert_allclose(
        bn(tf.constant([[1.0], [3.0]]), training=True), [[-0.9995], [0.9995]], rtol=1e-4
    )
    with pytest.raises(TypeError, match="multiple values"):
        tf.layers.Dense(4, units=4)
    with pytest.raises(TypeError, match="at most"):
        tf.layers.Flatten(1, 2, 3)


def test_cells_and_loops():
    cell = tf.nn.rnn_cell.BasicLSTMCell(1)
    cell.build(tf.TensorShape([1, 1]))
    cell.kernel.assign(tf.ones([2, 4]))
    output, state = cell(tf.constant([[1.0]]), cell.zero_state(1, tf.float32))
    sig, tanh = (lambda z: 1 / (1 + np.exp(-z))), np.tanh
    c = sig(1) * tanh(1)
    np.testing.assert_allclose(state.c, [[c]], rtol=1e-6)
    np.testing.assert_allclose(output, [[tanh(c) * sig(1)]], rtol=1e-6)
    x = tf.constant(np.random.RandomState(0).normal(size=(2, 5, 3)).astype("f"))
    cells = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.LSTMCell(4), tf.nn.rnn_cell.GRUCell(2)])
    outputs, states = tf.nn.dynamic_rnn(cells, x, sequence_length=[2, 5], dtype=tf.float32)
    assert outputs.shape == (2, 5, 2) and states[0].h.shape == (2, 4)
    np.testing.assert_array_equal(outputs[0, 2:], np.zeros((3, 2)))
    np.testing.assert_array_equal(states[1][0], outputs[0, 1])
    listed, _ = tf.nn.static_rnn(cells, tf.unstack(x, axis=1), dtype=tf.float32)
    np.testing.assert_allclose(listed[-1][1], outputs[1, -1], rtol=1e-6)
    with pytest.raises(ValueError, match="must give a dtype"):
        tf.nn.dynamic_rnn(cells, x)


def test_dynamic_rnn_of_unknown_length_in_a_graph():
    v1 = tf.compat.v1
    x = np.random.RandomState(0).normal(size=(2, 5, 3)).astype("f")
    with tf.Graph().as_default():
        feed = v1.placeholder(tf.float32, [2, None, 3])
        cell = v1.nn.rnn_cell.GRUCell(4, kernel_initializer=v1.ones_initializer())
        outputs, state = v1.nn.dynamic_rnn(cell, feed, sequence_length=[3, 5], dtype=tf.float32)
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())
            found, last = session.run([outputs, state], {feed: x})
    eager = tf.nn.rnn_cell.GRUCell(4, kernel_initializer=tf.ones_initializer())
    wanted, wanted_last = tf.nn.dynamic_rnn(
        eager, tf.constant(x), sequence_length=[3, 5], dtype=tf.float32
    )
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(last, wanted_last, rtol=1e-5, atol=1e-6)


def test_flags_and_app(monkeypatch):
    from eagercore.compat.v1.flags import FlagValues

    flags = FlagValues()
    f = tf.flags
    f.DEFINE_integer("steps", 10, "steps", flag_values=flags)
    f.DEFINE_bool("fast", False, "fast", flag_values=flags)
    f.DEFINE_string("dir", None, "folder", flag_values=flags)
    f.DEFINE_enum("mode", "train", ["train", "eval"], "mode", flag_values=flags)
    assert flags(["program", "--steps=3", "rest", "--fast", "-dir", "/tmp"]) == ["program", "rest"]
    assert (flags.steps, flags.fast, flags.dir, flags.mode) == (3, True, "/tmp", "train")
    flags(["program", "--nofast"])
    assert flags.fast is False
    with pytest.raises(Exception, match="Unknown command line flag 'zz'"):
        flags(["program", "--zz"])
    with pytest.raises(Exception, match="steps=many"):
        flags(["program", "--steps=many"])
    with pytest.raises(AttributeError, match="Unknown command line flag"):
        _ = flags.nothing
    with pytest.raises(SystemExit) as stop:
        tf.app.run(main=lambda argv: len(argv), argv=["program", "a", "b"])
    assert stop.value.code == 3


def test_logging(capsys):
    tf.logging.set_verbosity(tf.logging.INFO)
    try:
        assert tf.logging.get_verbosity() == tf.logging.INFO
        tf.logging.info("step %d", 3)
        for _ in range(3):
            tf.logging.log_first_n(tf.logging.INFO, "once", 1)
    finally:
        tf.logging.set_verbosity(tf.logging.WARN)
    tf.logging.info("quiet")


def test_settings():
    config = tf.ConfigProto(allow_soft_placement=True)
    config.gpu_options.allow_growth = True
    config.graph_options.optimizer_options.global_jit_level = tf.OptimizerOptions.ON_1
    assert config.gpu_options.allow_growth and not tf.ConfigProto().gpu_options.allow_growth
    assert (
        tf.DeviceSpec.from_string("/job:w/task:1/gpu:0").to_string() == "/job:w/task:1/device:GPU:0"
    )
    with pytest.raises(ValueError, match="Unknown attribute: 'bogus' in 'bogus'"):
        tf.DeviceSpec.from_string("bogus")
    with tf.device("/gpu:0"):
        assert float(tf.constant(1.0) + 1.0) == 2
    with (
        pytest.raises(RuntimeError, match="does not support functions"),
        tf.device(lambda op: "/cpu:0"),
    ):
        pass


def test_gradients_point_to_the_tape():
    x = tf.constant(1.0)
    with pytest.raises(
        RuntimeError,
        match="tf.gradients is not supported when eager execution is enabled.*GradientTape",
    ):
        tf.gradients(x * x, x)


def test_string_split_and_to_number():
    made = tf.string_split(["a b", "c"])
    np.testing.assert_array_equal(made.values, [b"a", b"b", b"c"])
    np.testing.assert_array_equal(made.indices, [[0, 0], [0, 1], [1, 0]])
    np.testing.assert_array_equal(tf.string_to_number(["1.5", "2"]), [1.5, 2])


def test_metrics_of_a_graph():
    v1 = tf.compat.v1
    with pytest.raises(
        RuntimeError, match="tf.metrics.accuracy is not supported when eager execution is enabled"
    ):
        v1.metrics.accuracy([1], [1])
    with tf.Graph().as_default():
        labels, predictions = v1.placeholder(tf.int64, [None]), v1.placeholder(tf.int64, [None])
        value, update = v1.metrics.accuracy(labels, predictions)
        recall = v1.metrics.recall(labels, predictions)
        with v1.Session() as session:
            session.run([v1.global_variables_initializer(), v1.local_variables_initializer()])
            feed = {labels: [1, 0, 1], predictions: [1, 0, 0]}
            assert session.run(update, feed) == pytest.approx(2 / 3)
            assert session.run(update, {labels: [1], predictions: [1]}) == 0.75
            assert session.run(value) == 0.75
            assert session.run(recall[1], feed) == 0.5
            # Counters are local variables: a new epoch begins by initializing these, and nothing else.
            session.run(v1.local_variables_initializer())
            assert session.run(value) == 0
        assert v1.global_variables() == [] and v1.local_variables()
        assert v1.local_variables() == v1.get_collection(v1.GraphKeys.METRIC_VARIABLES)
    assert float(tf.metrics.MeanSquaredError()([1.0], [3.0])) == 4


def test_variables_are_put_in_the_collections_that_are_named():
    v1 = tf.compat.v1
    with tf.Graph().as_default():
        own = v1.get_variable("own", [2], collections=["mine"])
        local = v1.get_local_variable("local", [], initializer=v1.zeros_initializer())
        plain = v1.get_variable("plain", [])
        assert v1.get_collection("mine") == [own] and v1.local_variables() == [local]
        assert v1.global_variables() == [plain] and v1.trainable_variables() == [own, plain]
        with v1.Session() as session:
            session.run(v1.local_variables_initializer())
            assert session.run(local) == 0
            with pytest.raises(tf.errors.FailedPreconditionError, match="plain"):
                session.run(plain)


def test_summaries_of_a_graph(tmp_path):
    v1 = tf.compat.v1
    with tf.Graph().as_default():
        x = v1.placeholder(tf.float32, [])
        v1.summary.scalar("loss", x)
        v1.summary.histogram("h", x * tf.ones([3]))
        merged = v1.summary.merge_all()
        with v1.Session() as session, v1.summary.FileWriter(str(tmp_path), session.graph) as writer:
            writer.add_summary(session.run(merged, {x: 2.0}), 4)
    events = tf.contrib.summary.summary_test_util.events_from_logdir(str(tmp_path))
    assert [(e.step, [v.tag for v in e.summary.value]) for e in events] == [
        (0, []),
        (4, ["loss", "h"]),
    ]


class TestOfTest(tf.test.TestCase):
    def test_comparisons(self):
        self.assertAllEqual(tf.constant([1, 2]), [1, 2])
        self.assertAllClose(
            {"a": tf.constant(1.0), "b": [1.0, 2.0]}, {"a": 1.0, "b": np.array([1, 2])}
        )
        self.assertNotAllClose([1.0], [1.1])
        self.assertAllInRange([1, 2], 1, 2)
        self.assertNear(1.0, tf.constant(1.0), 1e-6)
        self.assertDTypeEqual(tf.constant(1), tf.int32)
        self.assertAllEqual(tf.constant(["a"]), [b"a"])
        self.assertShapeEqual(np.ones((2, 3)), tf.ones([2, 3]))
        self.assertAllCloseAccordingToType(np.float16(1.0), np.float16(1.0005))
        with self.assertRaisesRegex(AssertionError, "Not close at"):
            self.assertAllClose([1.0, 2.0], [1.0, 3.0])
        with self.assertRaisesRegex(AssertionError, "Shape mismatch"):
            self.assertAllEqual([1], [1, 2])
        with self.assertRaisesRegex(AssertionError, "Not equal at"):
            self.assertAllEqual([1, 5], [1, 2])
        with self.assertRaisesOpError("must be equal or 1|Incompatible"):
            tf.constant([1.0, 2.0]) + tf.constant([1.0, 2.0, 3.0])
        assert self.evaluate([tf.constant(1), tf.Variable(2.0)]) == [1, 2.0]
        assert tf.test.gpu_device_name() == "" and not tf.test.is_gpu_available()

    def test_session_in_a_graph(self):
        with tf.Graph().as_default(), self.cached_session():
            assert self.evaluate(tf.constant(2) + 3) == 5


def test_every_name_of_the_table_is_there():
    from eagercore.compat.v1 import NAMES, OWN

    missing = [name for name in NAMES if not hasattr(tf, name)]
    missing += [name for name in OWN if not hasattr(tf.compat.v1, name)]
    assert missing == []


def test_text_and_numbers_of_both_worlds():
    c = tf.compat
    assert c.as_bytes("a") == b"a" and c.as_text(b"a") == "a" and c.as_str_any(1) == "1"
    with pytest.raises(TypeError, match="binary or unicode"):
        c.as_text(1)
    assert c.dimension_value(tf.TensorShape([2])[0]) == 2 and c.v2 is tf
    assert isinstance(np.int32(1), c.integral_types)


def test_wrappers_of_cells_under_their_younger_names():
    cell = tf.nn.rnn_cell.BasicRNNCell(2)
    inputs, state = tf.constant([[1.0, -1.0]]), tf.zeros([1, 2])
    output, new = tf.nn.RNNCellResidualWrapper(cell)(inputs, state)
    assert np.allclose(output - inputs, new) and np.any(new.numpy())
    kept = tf.nn.RNNCellDropoutWrapper(cell, output_keep_prob=1.0)
    assert np.allclose(kept(inputs, state)[0], new)
    assert np.allclose(tf.nn.RNNCellDeviceWrapper(cell, "/cpu:0")(inputs, state)[0], new)
