"""Functions whose source cannot be read (typed into a shell, made by exec) run as plain Python when they must."""

import warnings

import numpy as np
import pytest

import eagercore as tf

COLLATZ = """
def collatz(a):
    n = 0
    while not tf.equal(a, 1):
        a = a // 2 if tf.equal(a % 2, 0) else 3 * a + 1
        n += 1
    return n
"""


def made_by_exec(code, name):
    names = {"tf": tf}
    exec(code, names)
    return names[name]


def test_control_flow_without_source_runs_at_once_and_says_so_once():
    steps = tf.function(made_by_exec(COLLATZ, "collatz"))
    with pytest.warns(UserWarning, match="collatz decides by the values of tensors.*tf.while_loop"):
        first = steps(tf.constant(12))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        second = steps(tf.constant(27))
    assert (first.dtype, first.numpy(), second.numpy()) == (tf.int32, 9, 111)


@pytest.mark.parametrize(
    ("body", "argument", "expected"),
    [
        ("[i for i in x]", [1, 2], [1, 2]),
        ("max(x, 0)", 1, 1),
        ("int(x) + 1", 1, 2),
        ("x if x > 0 else -x", -3, 3),
    ],
)
def test_what_asks_for_values_is_answered(body, argument, expected):
    function = tf.function(made_by_exec(f"def f(x): return {body}", "f"))
    with pytest.warns(UserWarning, match="runs as plain Python"):
        found = function(tf.constant(argument))
    np.testing.assert_array_equal(found, expected)


def test_code_without_control_flow_on_tensors_is_traced_all_the_same():
    calls = []
    names = {"tf": tf, "calls": calls}
    exec("def f(x):\n    calls.append(1)\n    return x + 1", names)
    function = tf.function(names["f"])
    assert [function(tf.constant(1.0)).numpy(), function(tf.constant(2.0)).numpy()] == [2.0, 3.0]
    assert calls == [1]


def test_where_conversion_is_off_the_error_stays():
    function = tf.function(made_by_exec(COLLATZ, "collatz"), autograph=False)
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match="autograph=False"):
        function(tf.constant(12))
