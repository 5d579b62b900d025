"""tf.function: when it traces, what it captures, what it gives back, and gradients through it."""

import gc
import weakref

import numpy as np
import pytest

import eagercore as tf
from eagercore.graph.function import MAXIMUM_TRACES, RetracingWarning


def near(one, two, tolerance=1e-5):
    np.testing.assert_allclose(np.asarray(one), np.asarray(two), rtol=tolerance, atol=tolerance)


def counted(**options):
    traces = []

    @tf.function(**options)
    def function(x, k=1):
        traces.append((x, k))
        return x * k

    return function, traces


# ----------------------------------------------------------------------------------------------------------- tracing


def test_a_trace_for_each_dtype_shape_and_python_value():
    function, traces = counted()
    for value in (1.0, 2.0):
        assert float(function(tf.constant(value))) == value
    assert len(traces) == 1
    function(tf.constant([1.0])), function(tf.constant(1)), function(np.array([1.0], np.float32))
    assert len(traces) == 3
    function(tf.constant(1.0), 2), function(tf.constant(2.0), k=2), function(tf.constant(1.0), 3)
    assert len(traces) == 5


def test_one_and_one_point_zero_and_true_have_traces_of_their_own():
    kinds = tf.function(lambda x: {int: 10, float: 20, bool: 30}[type(x)])
    assert [int(kinds(x)) for x in (1, 1.0, True, 1)] == [10, 20, 30, 10]


def test_python_code_runs_once_for_a_trace():
    function, traces = counted()
    for _ in range(3):
        function(tf.ones([2]))
    assert len(traces) == 1 and function.experimental_get_tracing_count() == 1


def test_input_signature_gives_one_trace_for_all_lengths():
    function, traces = counted(input_signature=[tf.TensorSpec([None], tf.float32)])
    for n in (1, 5, 3):
        assert function(tf.ones([n])).shape == [n]
    assert len(traces) == 1
    function([1.0, 2.0])
    assert len(traces) == 1


@pytest.mark.parametrize("argument", [tf.constant(1.0), tf.constant([1])], ids=["rank", "dtype"])
def test_input_signature_refuses_what_does_not_fit(argument):
    function, _ = counted(input_signature=[tf.TensorSpec([None], tf.float32)])
    with pytest.raises(TypeError, match="Can not cast TensorSpec"):
        function(argument)


def test_missing_and_unknown_arguments_are_named():
    function, _ = counted()
    with pytest.raises(TypeError, match="missing a required argument: 'x'"):
        function()
    with pytest.raises(TypeError, match="unexpected keyword argument 'z'"):
        function(1.0, z=2)


def test_reduce_retracing_traces_a_second_shape_for_all():
    function, traces = counted(reduce_retracing=True)
    for n in (1, 2, 3, 4):
        assert function(tf.ones([n])).shape == [n]
    assert len(traces) == 2
    assert traces[1][0].shape.as_list() == [None]


def test_many_shapes_end_in_one_trace_and_the_cache_is_bounded():
    function, traces = counted()
    for n in range(1, 400):
        function(tf.ones([n]))
    assert len(traces) < 40
    assert len(function._traces) <= MAXIMUM_TRACES


def test_code_that_needs_the_shape_is_traced_for_each():
    traces = []

    @tf.function
    def rows(x):
        traces.append(1)
        return (
            tf.add_n([x[i] for i in range(x.shape[0])])
            if hasattr(tf, "add_n")
            else sum(x[i] for i in range(x.shape[0]))
        )

    for n in range(1, 30):
        assert float(rows(tf.ones([n]))) == n


def test_retracing_for_python_values_is_told_once_with_the_reason():
    function, _ = counted()
    with pytest.warns(
        RetracingWarning, match=r"the Python value \d became \d+: each value of a Python argument"
    ):
        for i in range(12):
            function(tf.constant(1.0), i)


def test_retracing_for_shapes_is_no_reason_to_warn(recwarn):
    function, _ = counted()
    for n in range(1, 12):
        function(tf.ones([n]))
    assert not [w for w in recwarn if issubclass(w.category, RetracingWarning)]


def test_get_concrete_function_shows_arguments_and_results():
    concrete = tf.function(lambda x: x * 2).get_concrete_function(tf.TensorSpec([None], tf.float32))
    assert repr(concrete).startswith(
        "<ConcreteFunction (x: TensorSpec(shape=(None,), dtype=tf.float32, name=None)) -> TensorSpec("
    )
    assert concrete(tf.constant([1.0, 2.0])).numpy().tolist() == [2.0, 4.0]
    with pytest.raises(TypeError, match="argument 'x' is TensorSpec"):
        concrete(tf.constant([1]))


def test_methods_have_traces_of_their_own_and_die_with_the_object():
    class Scale:
        def __init__(self, factor):
            self.factor = factor

        @tf.function
        def __call__(self, x):
            return x * self.factor

    two, three = Scale(2.0), Scale(3.0)
    assert (float(two(tf.constant(1.0))), float(three(tf.constant(1.0)))) == (2.0, 3.0)
    alive = weakref.ref(two)
    del two
    gc.collect()
    assert alive() is None


def test_run_functions_eagerly():
    function, traces = counted()
    tf.config.run_functions_eagerly(True)
    try:
        function(tf.constant(1.0)), function(tf.constant(1.0))
        assert len(traces) == 2 and hasattr(traces[0][0], "numpy")
    finally:
        tf.config.run_functions_eagerly(False)


# ---------------------------------------------------------------------------------------------------- what comes back


def test_structures_none_and_numbers_come_back():
    Pair = __import__("collections").namedtuple("Pair", "a b")
    function = tf.function(lambda x: {"a": x, "b": (x + 1, None, 3), "c": [Pair(x, [x])]})
    made = function(tf.constant(1))
    assert int(made["b"][0]) == 2 and made["b"][1] is None and int(made["b"][2]) == 3
    assert type(made["c"][0]).__name__ == "Pair" and int(made["c"][0].b[0]) == 1
    assert tf.function(lambda: None)() is None


def test_what_no_tensor_can_hold_cannot_be_returned():
    with pytest.raises(TypeError, match="must return zero or more Tensors"):
        tf.function(lambda: object())()


def test_structures_go_in():
    function = tf.function(lambda a, b: a["x"] + a["y"][0] * b[1])
    made = function({"x": tf.constant(1.0), "y": [tf.constant(2.0)]}, (None, tf.constant(3.0)))
    assert float(made) == 7.0


def test_a_tensor_that_leaves_its_function_cannot_be_used():
    kept = []
    tf.function(lambda x: kept.append(x + 1))(tf.constant(1))
    with pytest.raises(TypeError, match="in eager execution"):
        kept[0] + 1
    with pytest.raises(tf.errors.InaccessibleTensorError, match="out of scope"):
        tf.function(lambda: kept[0] + 1)()


def test_errors_while_running_name_the_node_and_the_line():
    function = tf.function(lambda x, i: tf.gather(x, i))
    with pytest.raises(
        tf.errors.InvalidArgumentError,
        match=r"indices.* = 7 is not in \[0, 2\)[\s\S]*made in .*test_function.py",
    ):
        function(tf.constant([1, 2]), tf.constant(7))


def test_shape_errors_come_while_tracing():
    with pytest.raises(tf.errors.InvalidArgumentError, match="Matrix size-incompatible"):
        tf.function(lambda x: tf.matmul(x, x))(tf.ones([1, 2]))


def test_values_are_not_there_while_tracing():
    with pytest.raises(AttributeError, match="has no attribute 'numpy'"):
        tf.function(lambda x: x.numpy())(tf.constant(1))
    with pytest.raises(NotImplementedError, match="numpy_function"):
        tf.function(lambda x: np.sum(x))(tf.constant(1))


# ------------------------------------------------------------------------------------------------ variables and effects


def test_variables_are_captured_by_reference_and_read_in_order():
    v = tf.Variable(1.0)

    @tf.function
    def steps():
        before = v.value()
        v.assign_add(2.0)
        middle = v.read_value()
        v.assign(middle * 10.0)
        return before, middle, v * 1.0

    assert [float(t) for t in steps()] == [1.0, 3.0, 30.0]
    v.assign(0.0)
    assert [float(t) for t in steps()] == [0.0, 2.0, 20.0]


def test_a_value_that_was_read_does_not_change_afterwards():
    v = tf.Variable(np.ones(100, np.float32))

    @tf.function
    def swap():
        old = v.value()
        v.assign_sub(tf.ones([100]))
        return old

    assert swap().numpy().sum() == 100 and v.numpy().sum() == 0


def test_variables_are_made_once():
    class Model:
        v = None

        @tf.function
        def __call__(self, x):
            if self.v is None:
                self.v = tf.Variable(tf.ones([2]) * 3.0)
            return self.v * x

    model = Model()
    near(model(2.0), [6.0, 6.0])
    near(model(tf.constant(1.0)), [3.0, 3.0])

    @tf.function
    def again(x):
        return tf.Variable(1.0) * x

    with pytest.raises(ValueError, match="singleton tf.Variables created on the first call"):
        again(2.0)


def test_a_first_value_that_depends_on_an_argument_is_refused():
    kept = {}

    @tf.function
    def make(x):
        kept["v"] = tf.Variable(x * 2)
        return kept["v"]

    with pytest.raises(ValueError, match="depends on the function's arguments"):
        make(tf.constant(1.0))


def test_prints_run_each_time_and_in_order(capsys):
    @tf.function
    def talk(x):
        tf.print("a", x)
        tf.print("b", x + 1)
        return x

    talk(tf.constant(1)), talk(tf.constant(5))
    assert capsys.readouterr().err == "a 1\nb 2\na 5\nb 6\n"


def test_assertions_run_although_nobody_reads_them():
    @tf.function
    def positive(x):
        tf.debugging.assert_positive(x)
        return x

    positive(tf.constant(1.0))
    with pytest.raises(tf.errors.InvalidArgumentError):
        positive(tf.constant(-1.0))


def test_python_code_in_a_graph():
    seen = []
    function = tf.function(
        lambda x: tf.py_function(lambda t: seen.append(float(t)) or t * t, [x], tf.float32)
    )
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    assert float(y) == 9.0 and float(tape.gradient(y, x)) == 6.0 and seen == [3.0]
    double = tf.function(lambda x: tf.numpy_function(lambda a: a * 2, [x], tf.float32))
    assert double(tf.constant([3.0])).numpy().tolist() == [6.0]
    with pytest.raises(tf.errors.InvalidArgumentError, match="Tout says float32"):
        tf.function(lambda x: tf.numpy_function(lambda a: np.float64(a), [x], tf.float32))(x)


def test_random_numbers_are_fresh_at_each_call_and_follow_the_seed():
    draw = tf.function(lambda: tf.random.uniform([3]))
    tf.random.set_seed(1)
    one, two = draw().numpy(), draw().numpy()
    assert not np.array_equal(one, two)
    tf.random.set_seed(1)
    again = tf.function(lambda: tf.random.uniform([3]))
    np.testing.assert_array_equal(again().numpy(), one)
    np.testing.assert_array_equal(again().numpy(), two)


# ------------------------------------------------------------------------------------------------------------ gradients


def loss(x, w):
    return tf.reduce_sum(tf.tanh(tf.matmul(x, w)) ** 2)


def test_gradients_through_a_function_equal_those_of_its_code():
    x, w = tf.constant(np.random.randn(3, 4)), tf.Variable(np.random.randn(4, 2))
    found = []
    for function in (loss, tf.function(loss)):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x, w)
        found.append(tape.gradient(y, [x, w]))
    near(found[0][0], found[1][0], 1e-12)
    near(found[0][1], found[1][1], 1e-12)


@pytest.mark.parametrize("where", ["outside", "inside", "one of each"])
def test_second_order(where):
    x = tf.constant([1.5, -0.5])
    cube = tf.function(lambda x: tf.reduce_sum(x * x * x * tf.sin(x)))

    def second(function):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = function(x)
            g = tf.reduce_sum(inner.gradient(y, x))
        return outer.gradient(g, x)

    def first(x):
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = cube(x)
        return tf.reduce_sum(inner.gradient(y, x))

    wanted = second(cube.python_function)
    if where == "outside":
        near(second(cube), wanted)
    elif where == "inside":
        near(tf.function(lambda: second(cube))(), wanted)
    else:
        traced = tf.function(first)
        with tf.GradientTape() as outer:
            outer.watch(x)
            g = traced(x)
        near(outer.gradient(g, x), wanted)


def test_third_order():
    function = tf.function(lambda x: x**4)
    x = tf.constant(2.0)
    with tf.GradientTape() as a:
        a.watch(x)
        with tf.GradientTape() as b:
            b.watch(x)
            with tf.GradientTape() as c:
                c.watch(x)
                y = function(x)
            y = c.gradient(y, x)
        y = b.gradient(y, x)
    assert float(a.gradient(y, x)) == 48.0


def test_a_captured_tensor_has_a_gradient():
    w = tf.constant(3.0)
    function = tf.function(lambda x: x * w)
    with tf.GradientTape() as tape:
        tape.watch(w)
        y = function(tf.constant(2.0))
    assert float(tape.gradient(y, w)) == 2.0


def test_a_function_called_by_a_function_is_traced_once_and_seen_through():
    calls = []

    @tf.function
    def inner(x):
        calls.append(1)
        return x * 2

    @tf.function
    def outer(x):
        return inner(x) + inner(x + 1)

    assert float(outer(tf.constant(1.0))) == 6.0 and len(calls) == 1
    assert all(n.op.name != "call" for n in outer.graph.nodes)


def test_custom_gradients_inside_functions_inside_functions():
    @tf.custom_gradient
    def clipped(x):
        e = tf.exp(x)
        return tf.math.log(1 + e), lambda dy: dy * (1 - 1 / (1 + e))

    inner = tf.function(clipped)
    outer = tf.function(lambda x: inner(x) * 2)
    x = tf.constant(100.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = outer(x)
    assert float(tape.gradient(y, x)) == 2.0

    @tf.function
    def whole(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = outer(x)
        return tape.gradient(y, x)

    assert float(whole(x)) == 2.0


def test_rows_that_were_gathered_have_sparse_gradients():
    table = tf.Variable(np.ones((5, 2), np.float32))
    look = tf.function(lambda i: tf.reduce_sum(tf.gather(table, i)))
    with tf.GradientTape() as tape:
        y = look(tf.constant([1, 1, 3]))
    gradient = tape.gradient(y, table)
    assert isinstance(gradient, tf.IndexedSlices)
    near(tf.convert_to_tensor(gradient), [[0, 0], [2, 2], [0, 0], [1, 1], [0, 0]])


def test_dropout_has_the_same_mask_forward_and_back():
    x = tf.ones([1000])
    drop = tf.function(lambda x: tf.nn.dropout(x, 0.5) * x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = drop(x)
    near(tape.gradient(y, x), 2 * y.numpy())


def test_a_training_step_gives_the_same_numbers_traced():
    results = []
    for wrap in (lambda f: f, tf.function):
        w = tf.Variable(np.linspace(-1, 1, 12).reshape(4, 3).astype(np.float32))
        x = tf.constant(np.linspace(0, 1, 20).reshape(5, 4).astype(np.float32))

        @wrap
        def step(w=w, x=x):
            with tf.GradientTape() as tape:
                value = loss(x, w)
            w.assign_sub(0.1 * tape.gradient(value, w))
            return value

        results.append([float(step()) for _ in range(10)])
    assert results[0] == results[1]


# ----------------------------------------------------------------------------------------------------------- looking in


def test_a_graph_prints_like_a_program():
    function = tf.function(lambda x: tf.reduce_sum(x * 2.0, axis=0))
    function(tf.ones([3, 2]))
    text = str(function.graph)
    assert "(x: float32[3, 2]):" in text and "mul: float32[3, 2] = multiply(x, mul/y)" in text
    assert "Sum: float32[2] = reduce_sum(mul, axis=0)" in text and text.endswith("return Sum")
    assert function.graph.dot().startswith("digraph") and '"Sum' in function.graph.dot()
    assert function.graph.mermaid().startswith("flowchart TD")


def test_the_function_keeps_its_name_and_words():
    @tf.function
    def tripled(x):
        """Three times x."""
        return x * 3

    assert tripled.__name__ == "tripled" and tripled.__doc__ == "Three times x."
    assert tripled.python_function.__name__ == "tripled" and repr(tripled).startswith(
        "<eagercore.Function object"
    )
