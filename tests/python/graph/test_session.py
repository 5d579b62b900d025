"""Graph mode of TensorFlow 1: names, sessions, feeding, variables, scopes, training, saving."""

import collections

import numpy as np
import pytest

import eagercore as tf

tf1 = tf.compat.v1


@pytest.fixture
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


@pytest.fixture
def session(graph):
    return tf1.Session(graph=graph)


# -------------------------------------------------------------------------------------------------------------- names


def test_names_are_those_of_tensorflow(graph):
    a = tf.constant([[1, 2], [3, 4]])
    assert str(a) == 'Tensor("Const:0", shape=(2, 2), dtype=int32)'
    assert repr(a) == "<tf.Tensor 'Const:0' shape=(2, 2) dtype=int32>"
    found = [a + 1, a * 2, a - 1, a @ a, tf.matmul(a, a), a / 2, a // 2, a % 2, -a, a > 1, tf.shape(a),
    tf.reduce_sum(a),
             tf.equal(a, 1), tf.cast(a, tf.float32), a[0], tf.add(a, 1), tf.identity(a)]  # fmt: skip
    assert [t.op.name for t in found] == [
        "add", "mul", "sub", "matmul", "MatMul_1", "truediv", "floordiv", "mod", "Neg", "Greater", "Shape",
        "Sum", "Equal", "Cast", "strided_slice", "Add_1", "Identity",
    ]  # fmt: skip
    assert tf.constant(1.0).name == "Const_1:0"


def test_names_of_the_user_and_scopes(graph):
    assert [tf.constant(1.0, name="foo").name for _ in range(2)] == ["foo:0", "foo_1:0"]
    with tf1.name_scope("sc"):
        assert (tf.constant(1.0) + 1.0).name == "sc/add:0"
        with tf.name_scope("inner") as scope:
            assert scope == "sc/inner/" and tf.constant(1).name == "sc/inner/Const:0"
    with tf1.name_scope("sc"):
        assert tf.constant(1).name == "sc_1/Const:0"
    assert tf.reduce_mean([1.0, 2.0], name="loss").name == "loss:0"
    assert tf.nn.softmax([1.0, 2.0], name="probs").name == "probs:0"
    assert tf.add(1, 2, name="three").name == "three:0"


def test_placeholders_and_shapes(graph):
    p = tf1.placeholder(tf.float32, [None, 2])
    assert str(p) == 'Tensor("Placeholder:0", shape=(None, 2), dtype=float32)'
    assert str(tf1.placeholder(tf.float32)) == 'Tensor("Placeholder_1:0", dtype=float32)'
    assert (p @ tf.ones([2, 3])).shape.as_list() == [None, 3]
    assert tf.reshape(p, [-1, 1]).shape.as_list() == [None, 1]
    assert tf.concat([p, p], 1).shape.as_list() == [None, 4]


def test_a_graph_lists_its_nodes(graph):
    tf.constant(1, name="a") + tf.constant(2, name="b")
    assert [o.name for o in graph.get_operations()] == ["a", "b", "add"]
    assert graph.as_graph_def().node[0].op == "Const"
    assert graph.get_tensor_by_name("add:0").op is graph.get_operation_by_name("add")
    assert (
        str(graph.get_operation_by_name("add"))
        == 'name: "add"\nop: "AddV2"\ninput: "a"\ninput: "b"\n'
    )
    with pytest.raises(KeyError, match="not in the graph"):
        graph.get_operation_by_name("c")


@pytest.mark.parametrize(
    "use, words",
    [(bool, "Python `bool`"), (iter, "Iterating over"), (len, "len is not well defined")],
)
def test_values_are_not_there(graph, use, words):
    with pytest.raises(TypeError, match=words):
        use(tf.constant([True]))


# ------------------------------------------------------------------------------------------------------------ fetches


def test_fetches_keep_their_structure(graph, session):
    a = tf.constant([[1, 2], [3, 4]])
    Pair = collections.namedtuple("Pair", "x y")
    made = session.run({"a": a, "b": [a[0], (a[1],)], "c": Pair(a[0, 0], "Const:0"), "d": []})
    assert (
        made["a"].tolist() == [[1, 2], [3, 4]]
        and made["b"][1][0].tolist() == [3, 4]
        and made["d"] == []
    )
    assert made["c"].x == 1 and isinstance(made["c"].x, np.int32) and made["c"].y.shape == (2, 2)
    assert session.run(tf.constant("x")) == b"x" and session.run(a.op) is None


@pytest.mark.parametrize(
    "fetch, kind, words",
    [(3, TypeError, "must be a string or Tensor"), (None, TypeError, "Cannot be None"),
     ("nope:0", ValueError, "does not exist in the graph")],
)  # fmt: skip
def test_what_is_no_fetch(graph, session, fetch, kind, words):
    tf.constant(1)
    with pytest.raises(kind, match=words):
        session.run(fetch)


def test_other_graphs_and_closed_sessions(graph, session):
    a = tf.constant(1)
    with tf.Graph().as_default():
        b = tf.constant(1)
    with pytest.raises(ValueError, match="must be from the same graph"):
        a + b
    with pytest.raises(ValueError, match="not an element of this graph"):
        session.run(b)
    session.close()
    with pytest.raises(RuntimeError, match="closed Session"):
        session.run(a)


def test_eval_needs_a_session(graph):
    a = tf.constant(5)
    with pytest.raises(ValueError, match="No default session is registered"):
        a.eval()
    with tf1.Session():
        assert a.eval() == 5
    interactive = tf1.InteractiveSession()
    assert a.eval() == 5
    interactive.close()


# ----------------------------------------------------------------------------------------------------------- feeding


def test_any_tensor_can_be_fed(graph, session):
    p = tf1.placeholder(tf.float32, [2], name="p")
    q = p * 2
    assert session.run(q, {p: [1, 2]}).tolist() == [2, 4]
    assert session.run(q, {"p:0": [1, 2]}).tolist() == [2, 4]
    assert session.run(q + 1, {q: [5, 6]}).tolist() == [6, 7]
    d = tf1.placeholder_with_default([1.0], [None])
    assert session.run(d * 2).tolist() == [2] and session.run(d * 2, {d: [3, 4]}).tolist() == [6, 8]


def test_wrong_feeds(graph, session):
    p = tf1.placeholder(tf.float32, [2], name="p")
    with pytest.raises(
        tf.errors.InvalidArgumentError,
        match=r"You must feed a value for placeholder tensor 'p' with dtype float and shape \[2\]",
    ):
        session.run(p * 2)
    with pytest.raises(
        ValueError,
        match=r"Cannot feed value of shape \(3,\) for Tensor 'p:0', which has shape '\(2,\)'",
    ):
        session.run(p, {p: [1, 2, 3]})
    with pytest.raises(TypeError, match="Cannot interpret feed_dict key as Tensor"):
        session.run(p, {"zz": 1})
    with pytest.raises(TypeError, match="cannot be a tf.Tensor object"):
        session.run(p, {p: tf.constant([1.0, 2.0])})
    with pytest.raises(ValueError, match="could not convert string to float"):
        session.run(p, {p: "a"})


# ---------------------------------------------------------------------------------------------------------- variables


def test_variables_have_values_in_sessions_only(graph):
    v = tf1.get_variable("v", [2], initializer=tf1.zeros_initializer())
    assert repr(v) == "<tf.Variable 'v:0' shape=(2,) dtype=float32>"
    one, two = tf1.Session(), tf1.Session()
    with pytest.raises(
        tf.errors.FailedPreconditionError, match="Attempting to use uninitialized value v"
    ):
        one.run(v)
    one.run(tf1.global_variables_initializer())
    one.run(v.assign([1.0, 2.0]))
    with pytest.raises(tf.errors.FailedPreconditionError):
        two.run(v)
    two.run(v.initializer)
    assert (
        one.run(v).tolist() == [1, 2]
        and two.run(v).tolist() == [0, 0]
        and one.run(v).tolist() == [1, 2]
    )
    assert one.run([v.assign_add([1.0, 1.0]), v * 2])[0].tolist() == [2, 3]


def test_uninitialized_variables_are_reported(graph, session):
    a, b = tf.Variable(1.0, name="a"), tf.Variable(2.0, name="b")
    report = tf1.report_uninitialized_variables()
    session.run(a.initializer)
    assert session.run(report).tolist() == [b"b"]
    assert session.run(b.initialized_value()) == 2.0


def test_scopes_share_variables(graph):
    v = tf1.get_variable("v", [2])
    with pytest.raises(ValueError, match="Variable v already exists, disallowed"):
        tf1.get_variable("v", [2])
    with tf1.variable_scope("", reuse=True):
        assert tf1.get_variable("v", [2]) is v
    with tf1.variable_scope("y", reuse=tf1.AUTO_REUSE):
        assert tf1.get_variable("v", [2]) is tf1.get_variable("v", [2])
        with pytest.raises(ValueError, match="specified shape"):
            tf1.get_variable("v", [3])
    with (
        pytest.raises(ValueError, match="does not exist, or was not created"),
        tf1.variable_scope("x", reuse=True),
    ):
        tf1.get_variable("q", [2])
    assert [x.name for x in tf1.global_variables()] == ["v:0", "y/v:0"]


def test_initializers_draw_anew_at_each_run(graph, session):
    v = tf.Variable(tf.random.normal([4]))
    session.run(v.initializer)
    first = session.run(v)
    session.run(v.initializer)
    assert not np.array_equal(first, session.run(v))


def test_control_dependencies_order_what_runs(graph, session):
    v = tf.Variable(0)
    session.run(v.initializer)
    add = v.assign_add(1)
    with tf.control_dependencies([add]):
        after = v.read_value() + 0
    assert [session.run(after) for _ in range(3)] == [1, 2, 3]
    assert session.run(v) == 3
    both = tf.group(v.assign_add(10), tf.no_op())
    assert session.run(both) is None and session.run(v) == 13


def test_collections(graph):
    tf1.add_to_collection("things", 1), tf1.add_to_collection("things", 2)
    assert tf1.get_collection("things") == [1, 2] and tf1.get_collection("none") == []
    frozen = tf.Variable(1.0, trainable=False)
    assert frozen in tf1.global_variables() and frozen not in tf1.trainable_variables()


# ----------------------------------------------------------------------------------------------------------- training


def test_gradients_are_nodes(graph, session):
    x = tf.constant([1.0, 2.0])
    y = tf.reduce_sum(x * x)
    first = tf1.gradients(y, x)[0]
    second = tf1.gradients(first, x)[0]
    assert session.run([first, second])[0].tolist() == [2, 4] and session.run(second).tolist() == [
        2,
        2,
    ]
    assert first.name.startswith("gradients/") and tf1.gradients(tf.constant(1.0), x) == [None]
    stopped = tf1.gradients(y + tf.reduce_sum(x), x, stop_gradients=[y])[0]
    assert session.run(stopped).tolist() == [1, 1]
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = tf.reduce_sum(x**3)
    assert session.run(tape.gradient(z, x)).tolist() == [3, 12]


@pytest.mark.parametrize(
    "name",
    [
        "GradientDescentOptimizer",
        "MomentumOptimizer",
        "AdamOptimizer",
        "RMSPropOptimizer",
        "AdagradOptimizer",
    ],
)
def test_optimizers_do_the_same_in_both_modes(name):
    arguments = (0.1, 0.9) if name.startswith("Momentum") else (0.1,)
    start, x = np.linspace(-1, 1, 4).astype(np.float32), np.ones(4, np.float32)

    def eager():
        v, optimizer = tf.Variable(start), getattr(tf1.train, name)(*arguments)
        for _ in range(4):
            optimizer.minimize(lambda: tf.reduce_sum((v * x - 1.0) ** 2))
        return v.numpy()

    with tf.Graph().as_default(), tf1.Session() as session:
        v = tf.Variable(start)
        train = getattr(tf1.train, name)(*arguments).minimize(tf.reduce_sum((v * x - 1.0) ** 2))
        assert isinstance(train, tf1.Operation)
        session.run(tf1.global_variables_initializer())
        for _ in range(4):
            session.run(train)
        graph_value = session.run(v)
    np.testing.assert_allclose(graph_value, eager(), rtol=1e-5)


def test_a_loss_without_variables(graph):
    tf.Variable(1.0)
    with pytest.raises(ValueError, match="No gradients provided for any variable"):
        tf1.train.GradientDescentOptimizer(0.1).minimize(tf.constant(1.0))


def test_control_flow(graph, session):
    p = tf1.placeholder(tf.int32, [])
    c = tf.cond(p > 0, lambda: p * 2, lambda: -p)
    w = tf.while_loop(
        lambda i, s: i < p, lambda i, s: (i + 1, s + i), (tf.constant(0), tf.constant(0))
    )
    assert session.run([c, w[1]], {p: 4}) == [8, 6] and session.run(c, {p: -3}) == 3


def test_functions_are_part_of_the_graph(graph, session):
    v = tf.Variable(2.0)
    function = tf.function(lambda x: x * v)
    y = function(tf.constant(3.0))
    session.run(v.initializer)
    assert session.run(y) == 6.0 and session.run(tf1.gradients(y, v)[0]) == 3.0


def test_iterators_end(graph, session):
    data = tf.data.Dataset.range(3)
    element = (
        tf1.data.make_one_shot_iterator(data).get_next()
        if hasattr(tf1, "data")
        else data.make_one_shot_iterator().get_next()
    )
    found = []
    with pytest.raises(tf.errors.OutOfRangeError, match="End of sequence"):
        while True:
            found.append(int(session.run(element)))
    assert found == [0, 1, 2]
    iterator = data.make_initializable_iterator()
    element = iterator.get_next()
    with pytest.raises(tf.errors.FailedPreconditionError, match="not been initialized"):
        session.run(element)
    for _ in range(2):
        session.run(iterator.initializer)
        assert [int(session.run(element)) for _ in range(3)] == [0, 1, 2]


def test_random_numbers_follow_the_graphs_seed():
    def draw(seed):
        with tf.Graph().as_default(), tf1.Session() as session:
            tf1.set_random_seed(seed)
            a, b = tf.random.uniform([2]), tf.random.uniform([2])
            return [session.run(a).tolist(), session.run(a).tolist(), session.run(b).tolist()]

    one = draw(1)
    assert one == draw(1) and one != draw(2) and one[0] != one[1] and one[0] != one[2]


# ------------------------------------------------------------------------------------------------------ mixing modes


def test_graph_functions_in_eager_execution():
    with pytest.raises(
        RuntimeError, match=r"tf.placeholder\(\) is not compatible with eager execution"
    ):
        tf1.placeholder(tf.float32)
    with pytest.raises(RuntimeError, match="The Session graph is empty"):
        tf1.Session(graph=tf.Graph()).run(tf.constant(1))
    with pytest.raises(RuntimeError, match="Use tf.GradientTape instead"):
        tf1.gradients(tf.constant(1.0), tf.constant(1.0))
    assert tf1.global_variables_initializer() is None and tf1.global_variables() == []


def test_a_graphs_tensor_in_eager_execution():
    with tf.Graph().as_default():
        a = tf.constant(1)
    with pytest.raises(TypeError, match="in eager execution"):
        a + 1


def test_an_eager_tensor_in_a_graph_is_a_constant():
    eager = tf.constant([1.0, 2.0])
    with tf.Graph().as_default(), tf1.Session() as session:
        assert session.run(eager * 2).tolist() == [2, 4]


def test_eager_execution_can_be_switched_off():
    import subprocess
    import sys

    code = """
import eagercore as tf
tf.compat.v1.disable_eager_execution()
assert not tf.executing_eagerly()
a = tf.constant([[1, 2], [3, 4]])
assert str(a) == 'Tensor("Const:0", shape=(2, 2), dtype=int32)', str(a)
v = tf.Variable(1.0)
with tf.compat.v1.Session() as session:
    session.run(tf.compat.v1.global_variables_initializer())
    assert session.run(a).tolist() == [[1, 2], [3, 4]] and session.run(v + 1) == 2.0
import threading
found = []
t = threading.Thread(target=lambda: found.append(tf.executing_eagerly())); t.start(); t.join()
assert found == [False]
tf.compat.v1.reset_default_graph()
assert tf.constant(1).name == "Const:0"
"""
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": ":".join(sys.path)})


# ------------------------------------------------------------------------------------- the same source in both modes


def model_of_the_article(layers):
    class MNISTModel(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.layer1 = layers.Dense(units=10)
            self.layer2 = layers.Dense(units=10)

        def call(self, input):
            return self.layer2(self.layer1(input))

    return MNISTModel()


def loss_function(model, x, y):
    return tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=model(x))


def test_the_articles_model_trains_in_both_modes_and_checkpoints_move(tmp_path):
    rng = np.random.RandomState(0)
    x = rng.randn(32, 784).astype("float32")
    y = np.eye(10)[rng.randint(0, 10, 32)].astype("float32")
    model = model_of_the_article(tf.keras.layers)
    model(x[:1])
    optimizer = tf1.train.GradientDescentOptimizer(0.01)
    names = ["a", "b", "c", "d"]
    saver = tf1.train.Saver(dict(zip(names, model.variables, strict=True)))
    start = saver.save(None, str(tmp_path / "start"))
    for _ in range(5):
        optimizer.minimize(
            lambda: tf.reduce_mean(loss_function(model, x, y)), var_list=model.variables
        )
    eager_loss = float(tf.reduce_mean(loss_function(model, x, y)))
    with tf.Graph().as_default(), tf1.Session() as session:
        twin = model_of_the_article(tf.keras.layers)
        loss = tf.reduce_mean(loss_function(twin, tf.constant(x), tf.constant(y)))
        train = tf1.train.GradientDescentOptimizer(0.01).minimize(loss)
        graph_saver = tf1.train.Saver(dict(zip(names, twin.variables, strict=True)))
        graph_saver.restore(session, start)
        for _ in range(5):
            session.run(train)
        graph_loss = session.run(loss)
        trained = graph_saver.save(session, str(tmp_path / "trained"))
    assert graph_loss == pytest.approx(eager_loss, rel=1e-4)
    saver.restore(None, start)
    assert float(tf.reduce_mean(loss_function(model, x, y))) > graph_loss
    saver.restore(None, trained)
    assert float(tf.reduce_mean(loss_function(model, x, y))) == pytest.approx(graph_loss, rel=1e-4)
