"""A training step that is traced does what it does eagerly: the optimizers' steps are effects, kept and in order."""

import numpy as np
import pytest

import eagercore as tf

OPTIMIZERS = ["SGD", "Adam", "RMSprop", "Adagrad", "Adadelta", "Adamax", "Nadam", "Ftrl"]


def weights_after(name, traced, steps=4):
    tf.random.set_seed(3)
    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [
            layers.Conv2D(4, 3, padding="same"),
            layers.BatchNormalization(),
            layers.Flatten(),
            layers.Dense(1),
        ]
    )
    x = tf.constant(np.random.default_rng(0).standard_normal((8, 6, 6, 1)).astype(np.float32))
    model(x[:2], training=True)
    optimizer = getattr(tf.keras.optimizers, name)(0.05)

    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x, training=True) - 1.0))
        variables = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    run = tf.function(step) if traced else step
    losses = [float(run()) for _ in range(steps)]
    return losses, [v.numpy() for v in model.variables]


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_traced_step_changes_the_variables_as_an_eager_one(name):
    eager, traced = weights_after(name, False), weights_after(name, True)
    assert eager[0] == traced[0]
    assert eager[0][0] != eager[0][-1]
    for one, other in zip(eager[1], traced[1]):
        np.testing.assert_array_equal(one, other)


def test_a_variable_read_after_the_step_has_its_new_value():
    v = tf.Variable([1.0])
    optimizer = tf.keras.optimizers.SGD(0.5)

    @tf.function
    def step():
        before = v + 0.0
        optimizer.apply_gradients([(tf.constant([1.0]), v)])
        return before, v + 0.0

    before, after = step()
    assert (before.numpy(), after.numpy()) == ([1.0], [0.5])
