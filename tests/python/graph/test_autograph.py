"""AutoGraph: each construct gives, traced, what plain Python gives; what it cannot do is said with the user's line."""

import sys

import numpy as np
import pytest

import eagercore as tf
from eagercore.graph import autograph

pytest.importorskip("malt")


def collatz(a):
    n = 0
    while not tf.equal(a, 1):
        if tf.equal(a % 2, 0):
            a = a // 2
        else:
            a = 3 * a + 1
        n += 1
    return n


def early_return(x):
    if x > 10:
        return x * 2
    if x > 5:
        return x * 3
    return x


def loop_with_break(x):
    total = tf.constant(0)
    for i in tf.range(10):
        if i > x:
            break
        if i % 2 == 0:
            continue
        total += i
    return total


def return_in_a_loop(x):
    for i in tf.range(10):
        if i * i > x:
            return i
    return tf.constant(-1)


def while_true(x):
    s = tf.constant(0)
    while True:
        s += x
        if s > 10:
            break
    return s


def and_or_not(x):
    if x > 0 and x < 5 or not x > -5:
        return 1
    return 0


def conditional_expression(x):
    return 1 if x > 3 else 0


def lists_in_loops(x):
    found = []
    for i in tf.range(x):
        found.append(i * i)
    return tf.stack(found)


def builtins(x):
    v = tf.stack([x, x + 1, x - 1])
    return max(x, 2) + min(x, 3) + len(v) + int(x) + sum(v)


def rows(x):
    total = tf.constant(0)
    for i, row in enumerate(tf.stack([[x, 1], [2, x]])):
        total += i * tf.reduce_sum(row)
    for a, b in zip(tf.range(3), tf.range(1, 4)):
        total += a * b
    return total


def nested_functions(x):
    def helper(y):
        if y > 0:
            return y * 2
        return -y

    return helper(x) + helper(-x)


def ranges_of_tensors(x):
    total = 0
    for i in range(x):
        total += i
    return total


def python_loop_left_by_a_tensor(x):
    total = tf.constant(0)
    for i in [1, 2, 3, 4]:
        if total > x:
            break
        total += i
    return total


def dictionaries(x):
    state = {"a": x, "b": tf.constant(0)}
    while state["b"] < 3:
        state = {"a": state["a"] + state["b"], "b": state["b"] + 1}
    return state["a"]


def while_in_for(x):
    out = tf.constant(0)
    for i in tf.range(x):
        j = i
        while j > 0:
            out += j
            j -= 1
    return out


def short_circuit(x):
    values = tf.constant([1, 2, 3])
    i = tf.constant(0)
    while i < 3 and values[i] < x:
        i += 1
    return i


def defined_in_the_loop(x):
    for i in tf.range(x):
        last = i * 10
    return last


PROGRAMS = [
    collatz, early_return, loop_with_break, return_in_a_loop, while_true, and_or_not,
    conditional_expression, builtins, rows,
    nested_functions, ranges_of_tensors, python_loop_left_by_a_tensor, dictionaries, while_in_for, short_circuit,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
@pytest.mark.parametrize("value", [1, 4, 7, 12])
def test_a_program_gives_what_python_gives(program, value):
    x = tf.constant(value)
    assert int(tf.function(program)(x)) == int(program(x))


@pytest.mark.parametrize("program", [lists_in_loops, defined_in_the_loop], ids=lambda p: p.__name__)
def test_a_program_over_positive_numbers(program):
    np.testing.assert_array_equal(
        tf.function(program)(tf.constant(4)).numpy(), program(tf.constant(4)).numpy()
    )


def test_a_list_that_a_loop_wrote_comes_back_as_a_list():
    @tf.function
    def squares(n):
        found = [tf.constant(-1)]
        for i in tf.range(n):
            found.append(i * i)
        return found

    assert [int(t) for t in squares(tf.constant(3))] == [-1, 0, 1, 4]


def test_datasets_and_iterators():
    data = tf.data.Dataset.range(6)

    @tf.function
    def total(limit):
        s = tf.constant(0, tf.int64)
        for e in data:
            if e > limit:
                break
            s += e
        return s

    assert [int(total(tf.constant(n, tf.int64))) for n in (100, 2, 0)] == [15, 3, 0]

    @tf.function
    def two(iterator):
        return next(iterator) + next(iterator)

    iterator = iter(data)
    assert int(two(iterator)) == 1 and int(two(iterator)) == 5


def test_gradients_through_converted_control_flow():
    def program(x, n):
        y = x
        for i in tf.range(n):
            if i % 2 == 0:
                y = y * x
            else:
                y = tf.sin(y)
        return y

    found = []
    for function in (program, tf.function(program)):
        x = tf.constant(1.3)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x, tf.constant(4))
        found.append(float(tape.gradient(y, x)))
    assert found[0] == pytest.approx(found[1], rel=1e-5)


def test_control_flow_in_a_layer_of_the_user():
    class Signed(tf.keras.layers.Layer):
        def call(self, x):
            if tf.reduce_sum(x) > 0:
                return x
            return -x

    layer = Signed()
    traced = tf.function(lambda x: layer(x))
    run = tf.function(traced.python_function)
    assert run(tf.constant([1.0, -3.0])).numpy().tolist() == [-1.0, 3.0]


def test_assertions_become_part_of_the_graph():
    @tf.function
    def positive(x):
        assert x > 0, "x must be positive"
        return x

    positive(tf.constant(1))
    with pytest.raises(
        tf.errors.InvalidArgumentError,
        match="x must be positive[\\s\\S]*in positive, .*test_autograph.py",
    ):
        positive(tf.constant(-1))


def test_loop_options():
    @tf.function
    def grow(n):
        v = tf.constant([0])
        for i in tf.range(n):
            tf.autograph.experimental.set_loop_options(
                shape_invariants=[(v, tf.TensorShape([None]))]
            )
            v = tf.concat([v, [i]], 0)
        return v

    assert grow(tf.constant(3)).numpy().tolist() == [0, 0, 1, 2]


# ------------------------------------------------------------------------------------------------------------- limits


def undefined(x):
    if x > 0:
        y = 1.0
    return y


def two_dtypes(x):
    if x > 0:
        y = 1.0
    else:
        y = 1
    return y


def one_return(x):
    if x > 0:
        return x


def growing(x):
    while tf.reduce_sum(x) < 10:
        x = tf.concat([x, x], 0)
    return x


def changing_dtype(x):
    while x > 1:
        x = x / 2
    return x


def text_in_a_loop(x):
    name = "a"
    for _ in tf.range(x):
        name = name + "b"
    return x


LIMITS = [
    (undefined, 1.0, ValueError, "'y' must also be initialized in the else branch"),
    (
        two_dtypes,
        1.0,
        TypeError,
        "'y' has dtype float32 in the main branch, but dtype int32 in the else branch",
    ),
    (one_return, 1.0, ValueError, "the else branch must also have a return statement"),
    (
        growing,
        [1],
        ValueError,
        r"'x' has shape \(1,\) before the loop, but shape \(2,\) after one iteration",
    ),
    (
        changing_dtype,
        8,
        TypeError,
        "'x' has dtype int32 before the loop, but dtype float64 after one iteration",
    ),
    (text_in_a_loop, 3, TypeError, "'name' must keep its value in a loop over tensors"),
]


@pytest.mark.parametrize(
    "program, value, kind, words", LIMITS, ids=lambda p: getattr(p, "__name__", None)
)
def test_limits_are_told_with_the_line(program, value, kind, words):
    with pytest.raises(kind, match=words) as caught:
        tf.function(program)(tf.constant(value))
    assert f"in {program.__name__}  *" in str(caught.value) and "test_autograph.py" in str(
        caught.value
    )


def test_without_conversion_the_error_tells_what_to_do():
    with pytest.raises(
        tf.errors.OperatorNotAllowedInGraphError, match="AutoGraph is disabled in this function"
    ):
        tf.function(early_return, autograph=False)(tf.constant(1))


def test_without_the_converter_the_extra_is_named(monkeypatch):
    monkeypatch.setattr(autograph._State, "converter", None)
    monkeypatch.setattr(autograph._State, "tried", True)
    with pytest.raises(
        tf.errors.OperatorNotAllowedInGraphError, match=r"pip install 'eagercore\[autograph\]'"
    ):
        tf.function(early_return)(tf.constant(1))
    assert float(tf.function(lambda x: x * 2)(tf.constant(2.0))) == 4.0
    with pytest.raises(ImportError, match="diastatic-malt"):
        tf.autograph.to_code(early_return)


def test_do_not_convert():
    @tf.autograph.experimental.do_not_convert
    def plain(x):
        return 1 if x > 0 else 2

    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError):
        tf.function(lambda x: plain(x))(tf.constant(1))


# --------------------------------------------------------------------------------------------------------------- code


def simpler_nn_layer(x, y):
    return tf.nn.relu(tf.matmul(x, y))


def test_to_code_shows_the_converted_source():
    code = tf.autograph.to_code(tf.function(simpler_nn_layer).python_function)
    assert code.startswith("def tf__simpler_nn_layer(x, y):")
    assert "with ag__.FunctionScope('simpler_nn_layer', 'fscope', ag__.ConversionOptions(" in code
    assert (
        "retval_ = ag__.converted_call(ag__.ld(tf).nn.relu, (ag__.converted_call(ag__.ld(tf).matmul,"
        in code
    )


def test_converted_source_is_the_same_in_every_process():
    def many(a, b, c, d, e, f):
        while tf.equal(a, 1):
            f, e, d, c, b, a = a, b, c, d, e, f
        return a

    code = tf.autograph.to_code(many)
    assert code.count("nonlocal a, b, c, d, e, f") == 2, code


def test_to_code_of_what_is_no_function():
    with pytest.raises(tf.autograph.ConversionError, match="python_function"):
        tf.autograph.to_code(tf.function(simpler_nn_layer))
    with pytest.raises(tf.autograph.ConversionError, match="converting 3"):
        tf.autograph.to_graph(3)


def test_to_graph_gives_a_function_for_any_mode():
    converted = tf.autograph.to_graph(collatz)
    assert int(converted(tf.constant(6))) == 8
    with tf.Graph().as_default():
        steps = converted(tf.constant(6))
        with tf.compat.v1.Session() as session:
            assert session.run(steps) == 8


def test_python_is_not_slowed_by_a_converter_that_nobody_asked_for():
    assert "malt" in sys.modules  # it is, here; importing the engine alone must not load it
    import subprocess

    code = "import sys, eagercore as tf; tf.function; assert 'malt' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": ":".join(sys.path)})
