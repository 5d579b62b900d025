"""tf.debugging, tf.print, and what finds the first NaN."""

import io
import re
import sys

import numpy as np
import pytest

import eagercore as tf

D = tf.debugging


@pytest.fixture()
def checking():
    D.enable_check_numerics()
    yield
    D.disable_check_numerics()


def test_the_first_nan_stops_with_op_ranges_and_line(checking):
    x = tf.constant([-1.0, 0.0, 1.0])
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tf.exp(tf.log(x) * 2.0)
    text = str(caught.value)
    assert 'output 0 of eagerly-executing op "Log" (# of outputs: 1)' in text
    assert "forward pass" in text
    assert "-Inf: 1 of 3" in text and "NaN: 1 of 3" in text
    assert "dtype: float32, shape: (3,), finite values from -1 to 1" in text
    assert re.search(r"Line \d+ of .*test_debugging.py", text)


def test_a_nan_of_the_backward_pass_names_the_op_it_goes_back_through(checking):
    x = tf.constant([0.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.sqrt(x))
    with pytest.raises(tf.errors.InvalidArgumentError, match="backward pass of op 'sqrt'"):
        tape.gradient(y, x)


def test_inside_a_function_the_op_is_named_too(checking):
    @tf.function
    def f(x):
        return tf.exp(x) - tf.math.log(x)

    with pytest.raises(tf.errors.InvalidArgumentError, match='eagerly-executing op "Log"'):
        f(tf.constant(-1.0))


def test_infinite_constants_may_pass_through_choices(checking):
    mask = tf.constant([-np.inf, 0.0])
    chosen = tf.where(tf.constant([False, True]), tf.constant([1.0, 2.0]), mask)
    tf.reshape(tf.maximum(chosen, tf.constant(0.0)), [2, 1])


def test_switched_off_nothing_is_checked():
    D.disable_check_numerics()
    assert np.isnan(float(tf.log(tf.constant(-1.0))))


def test_check_numerics():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = D.check_numerics(x, "x") * 2.0
    np.testing.assert_array_equal(tape.gradient(y, x), [2, 2])
    for value, word in (([np.nan], "NaN"), ([np.inf], "Inf"), ([-np.inf, np.nan], "Inf and NaN")):
        with pytest.raises(tf.errors.InvalidArgumentError, match=f"msg : Tensor had {word} values"):
            D.check_numerics(tf.constant(value), "msg")
    x = tf.constant(0.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.sqrt(D.check_numerics(x, "x"))
    with pytest.raises(tf.errors.InvalidArgumentError, match="detected in gradient"):
        tape.gradient(y, x)


MESSAGES = {
    "assert_equal": (
        lambda: D.assert_equal([1, 2, 3], [1, 2, 4], message="msg"),
        "msg\nCondition x == y did not hold.\nIndices of first 1 different values:\n[[2]]\nCorresponding "
        "x values:\n[3]\n"
        "Corresponding y values:\n[4]\nFirst 3 elements of x:\n[1 2 3]\nFirst 3 elements of y:\n[1 2 4]",
    ),
    "assert_less": (
        lambda: D.assert_less(tf.constant([[1.0, 2.0], [3.0, 4.0]]), 2.5, summarize=2),
        "Condition x < y did not hold.\nFirst 2 elements of x:\n[1. 2.]\nFirst 1 elements of y:\n[2.5]",
    ),
    "assert_none_equal": (
        lambda: D.assert_none_equal([1, 2], [2, 2]),
        "Condition x != y did not hold.\nIndices of first 1 different values:\n[[1]]\nCorresponding x values:\n[2]\n"
        "Corresponding y values:\n[2]\nFirst 2 elements of x:\n[1 2]\nFirst 2 elements of y:\n[2 2]",
    ),
    "assert_positive": (
        lambda: D.assert_positive([1, 0]),
        "\nCondition x > 0 did not hold element-wise:\nx (shape=(2,) dtype=int32) = \n['1', '0']",
    ),
    "v1": (
        lambda: tf.compat.v1.assert_equal([1, 2], [1, 3], data=[tf.constant(5)], message="hi"),
        "hi\n5",
    ),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_assertions_speak_as_tensorflow(name):
    call, wanted = MESSAGES[name]
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        call()
    assert str(caught.value) == wanted


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        (lambda: D.assert_greater([2], [1]), lambda: D.assert_greater([1], [1])),
        (lambda: D.assert_greater_equal([1], [1]), lambda: D.assert_greater_equal([0], [1])),
        (lambda: D.assert_less_equal([1], [1]), lambda: D.assert_less_equal([2], [1])),
        (lambda: D.assert_negative([-1]), lambda: D.assert_negative([0])),
        (lambda: D.assert_non_negative([0]), lambda: D.assert_non_negative([-1])),
        (lambda: D.assert_non_positive([0]), lambda: D.assert_non_positive([1])),
        (lambda: D.assert_near([1.0], [1.0 + 1e-7]), lambda: D.assert_near([1.0], [1.1])),
        (lambda: tf.Assert(True, ["x"]), lambda: tf.Assert(False, ["x"])),
    ],
)
def test_assertions_hold_or_raise(good, bad):
    assert good() is None
    with pytest.raises(tf.errors.InvalidArgumentError):
        bad()


def test_assertions_about_shapes_and_dtypes():
    x = tf.constant([[1.0, 2.0]])
    (
        D.assert_rank(x, 2),
        D.assert_rank_at_least(x, 1),
        D.assert_rank_in(x, [1, 2]),
        D.assert_type(x, tf.float32),
    )
    D.assert_shapes([(x, ("N", "D")), (tf.ones([2, 5]), ("D", None))])
    D.assert_shapes([(x, ("...", 2))])
    assert D.assert_same_float_dtype([x]) is tf.float32 and D.assert_scalar(1.0).shape == ()
    with pytest.raises(ValueError, match=r"must have rank 3.  Received rank 2, shape \(1, 2\)"):
        D.assert_rank(x, 3)
    with pytest.raises(ValueError, match="rank at least 3"):
        D.assert_rank_at_least(x, 3)
    with pytest.raises(ValueError, match=r"rank in \(3, 4\)"):
        D.assert_rank_in(x, [3, 4])
    with pytest.raises(TypeError, match="must be of type tf.int32; got tf.float32"):
        D.assert_type(x, tf.int32)
    with pytest.raises(TypeError, match="to be integer type"):
        D.assert_integer(x)
    with pytest.raises(ValueError, match=r"Expected scalar shape, saw shape: \(1, 2\)"):
        D.assert_scalar(x)
    with pytest.raises(ValueError, match="dimension 1 must have size 1.  Received size 2"):
        D.assert_shapes([(x, ("N", "N"))])
    with pytest.raises(ValueError, match="Specified explicitly.*must have size 3"):
        D.assert_shapes([(x, (1, 3))])
    with pytest.raises(ValueError, match="must be an iterable"):
        D.assert_shapes([(x, 1)])
    with pytest.raises(ValueError, match="must be of the same type"):
        D.assert_same_float_dtype([x, tf.constant(1.0, tf.float64)])
    with pytest.raises(TypeError, match="proper"):
        D.assert_proper_iterable(x)
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="is not compatible with expected shape"
    ):
        tf.ensure_shape(x, [3])


def test_assertions_in_a_function_run_with_it():
    @tf.function
    def f(x):
        D.assert_positive(x, message="negative!")
        tf.Assert(tf.reduce_all(x < 10.0), [x])
        return x * 2.0

    assert float(f(tf.constant(2.0))) == 4
    with pytest.raises(tf.errors.InvalidArgumentError, match="negative!"):
        f(tf.constant(-1.0))
    with pytest.raises(tf.errors.InvalidArgumentError, match="to be true"):
        f(tf.constant(20.0))


PRINTED = [
    ((1.0,), {}, "1.0\n"),
    ((tf.constant(1.0),), {}, "1\n"),
    ((tf.constant([1.0, 2.5, 1 / 3]),), {}, "[1 2.5 0.333333343]\n"),
    ((tf.constant([[1, 2], [3, 4]]),), {}, "[[1 2]\n [3 4]]\n"),
    ((tf.range(10),), {}, "[0 1 2 ... 7 8 9]\n"),
    ((tf.range(10),), {"summarize": -1}, "[0 1 2 3 4 5 6 7 8 9]\n"),
    ((tf.range(10),), {"summarize": 2}, "[0 1 ... 8 9]\n"),
    ((tf.reshape(tf.range(8), [2, 2, 2]),), {}, "[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]]\n"),
    (("a", tf.constant("b"), tf.constant(["x", "y"])), {}, 'a "b" ["x" "y"]\n'),
    ((tf.constant("single"),), {}, "single\n"),
    ((tf.constant(True), tf.constant([True, False])), {}, "1 [1 0]\n"),
    (([tf.constant(1), tf.constant([2, 3])],), {}, "[1, [2 3]]\n"),
    (({"a": tf.constant(1), "b": (tf.constant(2.0), 3)},), {}, "{'a': 1, 'b': (2, 3)}\n"),
    ((tf.constant(1), tf.constant(2)), {"sep": ","}, "1,2\n"),
    ((tf.constant(1),), {"end": "!\n"}, "1!\n"),
    ((tf.Variable(2.0),), {}, "2\n"),
    ((tf.constant(1 / 3, tf.float64), tf.constant(1e-10), tf.constant(np.nan), tf.constant(123456789.0)), {},
     "0.33333333333333331 1e-10 nan 123456792\n"),
    ((None, "q", 3, True, 1.5), {}, "None q 3 True 1.5\n"),
    ((tf.ones([0, 3]),), {}, "[]\n"),
    (("{}", tf.constant(1), "{} {}"), {}, "{} 1 {} {}\n"),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(PRINTED)))
def test_print_prints_as_tensorflow(number, capsys):
    values, options, wanted = PRINTED[number]
    assert tf.print(*values, **options) is None
    assert capsys.readouterr().err == wanted
    tf.print(*values, output_stream=sys.stdout, **options)
    assert capsys.readouterr().out == wanted
    stream = io.StringIO()
    tf.print(*values, output_stream=stream, **options)
    assert stream.getvalue() == wanted


def test_print_in_a_function_prints_when_it_runs(capsys, tmp_path):
    @tf.function
    def f(x):
        tf.print("x is", x, "{}", [x, 1])
        return x

    f(tf.constant(1))
    f(tf.constant(2))
    assert capsys.readouterr().err == "x is 1 {} [1, 1]\nx is 2 {} [2, 1]\n"
    path = tmp_path / "log"
    tf.print(tf.constant(1), output_stream=f"file://{path}")
    assert path.read_text() == "1\n"
    lines = []
    tf.print(tf.constant(1), output_stream=lines.append)
    assert lines == ["1\n"]
    tf.print("e", output_stream=sys.stderr)
    assert capsys.readouterr().err == "e\n"


def test_questions():
    assert tf.is_tensor(tf.constant(1)) and tf.is_tensor(tf.Variable(1)) and not tf.is_tensor(1)
    np.testing.assert_array_equal(tf.get_static_value(tf.constant([1, 2])), [1, 2])
    D.set_log_device_placement(True)
    assert D.get_log_device_placement()
    D.set_log_device_placement(False)
    assert tf.Print(tf.constant(1.0), [tf.constant(2)], "m ").numpy() == 1
