"""tape.explain: where a path breaks, with the line that broke it."""

import re

import numpy as np
import pytest

import eagercore as tf


def explained(build, source=None):
    x = tf.constant([1.0, 2.0]) if source is None else source
    with tf.GradientTape() as tape:
        if isinstance(x, tf.Tensor):
            tape.watch(x)
        y = build(x)
    before = tape.explain(y, x)
    tape.gradient(y, x)
    assert tape.explain(y, x) == before, "the answer is the same after the gradient was taken"
    return before


def test_connected():
    said = explained(lambda x: tf.reduce_sum(tf.exp(x * 2.0)))
    assert said.startswith("The gradient is not None") and "multiply -> exp -> reduce_sum" in said


def test_stop_gradient_is_named_with_its_line():
    said = explained(lambda x: tf.stop_gradient(x) * 2.0)
    assert "the path breaks at stop_gradient" in said
    assert re.search(r"line \d+ of .*test_explain.py", said)


def test_a_cast_to_whole_numbers_is_named():
    said = explained(lambda x: tf.cast(tf.cast(x, tf.int32), tf.float32) * 3.0)
    assert "the path breaks at cast" in said or "cast_op" in said


@pytest.mark.parametrize(
    ("build", "word"),
    [
        (lambda x: tf.cast(tf.argmax(x), tf.float32), "argmax"),
        (lambda x: tf.math.floor(x), "floor"),
        (lambda x: tf.ones_like(x) * 2.0, "ones_like"),
    ],
)
def test_ops_without_a_gradient_are_named(build, word):
    assert word in explained(build)


def test_a_value_that_left_through_numpy():
    said = explained(lambda x: tf.constant(x.numpy()) * 2.0)
    assert "numpy" in said and re.search(r"line \d+ of .*test_explain.py", said)
    said = explained(lambda x: tf.constant(np.sin(x)) * 2.0)
    assert "numpy" in said


def test_a_value_that_became_a_python_number():
    said = explained(lambda x: tf.constant(float(x[0])) * 2.0)
    assert "Python number" in said


def test_a_target_that_is_no_tensor():
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
    assert "of type float" in tape.explain(2.0, x)


def test_never_watched():
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        y = x * 2.0
    assert "never watched" in tape.explain(y, x)


def test_whole_number_source():
    i = tf.constant(1)
    with tf.GradientTape() as tape:
        y = i * 2
    assert "int32" in tape.explain(y, i)


def test_variables():
    v = tf.Variable(1.0, name="v")
    read_before = v * 2.0
    with tf.GradientTape() as tape:
        y = read_before * 3.0
    assert "'v:0' was not read inside the tape" in tape.explain(y, v)
    fixed = tf.Variable(1.0, trainable=False)
    with tf.GradientTape() as tape:
        y = fixed * 3.0
    assert "trainable=False" in tape.explain(y, fixed)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        y = v * 3.0
    assert "watch_accessed_variables=False" in tape.explain(y, v)


def test_assignment_is_not_differentiated():
    v = tf.Variable(0.0)

    def build(x):
        v.assign(tf.reduce_sum(x * x))
        return v * 1.0

    assert "assignments are not differentiated" in explained(build)


def test_no_path_at_all():
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        x * 2.0
        y = tf.constant(3.0) * 2.0
    assert "nothing that was made of it leads to the target" in tape.explain(y, x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.constant(3.0) * 2.0
    assert "no recorded op uses it" in tape.explain(y, x)


def test_the_answer_is_about_this_source():
    x, y = tf.constant(1.0), tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        z = tf.stop_gradient(x) * y
    assert "stop_gradient" in tape.explain(z, x)
    assert "not None" in tape.explain(z, y)
