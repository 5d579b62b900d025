"""What stopped a person who typed in TensorFlow's tutorials and guides."""

import numpy as np
import pytest

import eagercore as tf


def test_a_variable_that_is_the_target_has_the_gradient_one():
    x, v0, v1 = tf.constant(1.0), tf.Variable(2.0), tf.Variable(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        result = v0 if x > 0.0 else v1**2
    dv0, dv1 = tape.gradient(result, [v0, v1])
    assert dv0.numpy() == 1.0 and dv1 is None
    assert tape.gradient(result, x) is None


def test_a_variable_target_adds_to_what_was_computed_from_it():
    v, w = tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])
    with tf.GradientTape() as tape:
        y = v * 5.0
    one, two = tape.gradient([y, v, w], [v, w])
    np.testing.assert_array_equal(one.numpy(), [6.0, 6.0])
    np.testing.assert_array_equal(two.numpy(), [1.0, 1.0])


def test_optimizers_apply_as_keras_3_spells_it():
    v = tf.Variable([1.0, 2.0])
    optimizer = tf.keras.optimizers.SGD(0.5)
    optimizer.apply([tf.constant([1.0, 1.0])], [v])
    optimizer.apply([tf.constant([1.0, 1.0])])
    np.testing.assert_array_equal(v.numpy(), [0.0, 1.0])
    with pytest.raises(ValueError, match="SGD.apply takes a gradient for each variable, got 2"):
        optimizer.apply([None, None], [v])
    with pytest.raises(ValueError, match="does not know the variables"):
        tf.keras.optimizers.SGD(0.5).apply([tf.constant([1.0, 1.0])])


@pytest.mark.parametrize("op", [tf.maximum, tf.minimum])
def test_a_fused_maximum_warns_of_nothing(op):
    """New NumPys warn of a result that is passed to maximum by its place; warnings are errors here."""
    x = tf.constant(np.linspace(-1, 1, 2048 * 1024, dtype=np.float32).reshape(2048, 1024))
    function = tf.function(lambda x: op(x * 2.0, 0.25 * x) + 1.0)
    for _ in range(3):
        made = function(x)
    expected = getattr(np, op.__name__)(x.numpy() * 2, np.float32(0.25) * x.numpy()) + 1
    np.testing.assert_array_equal(made.numpy(), expected)


def test_the_graph_of_a_function_can_be_read_node_by_node():
    traced = tf.function(lambda x: x + x).get_concrete_function(tf.TensorSpec([], tf.string))
    nodes = traced.graph.as_graph_def().node
    assert [list(node.input) for node in nodes if node.name == "add"] == [["x", "x"]]
