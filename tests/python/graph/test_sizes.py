"""Sizes put together from other tensors' shapes: known while tracing where they can be, differentiable where not."""

import numpy as np
import pytest

import eagercore as tf


def kernel_sum(x, y):
    rows, columns = tf.shape(x)[0], tf.shape(y)[0]
    width = tf.shape(x)[1]
    a = tf.tile(tf.reshape(x, tf.stack([rows, 1, width])), tf.stack([1, columns, 1]))
    b = tf.tile(tf.reshape(y, tf.stack([1, columns, width])), tf.stack([rows, 1, 1]))
    padded = tf.pad(
        a - b, tf.stack([tf.stack([1, columns]), tf.stack([0, rows]), tf.stack([0, 1])])
    )
    return tf.reduce_sum(tf.exp(-tf.reduce_mean(tf.square(padded), axis=2)))


@pytest.mark.parametrize("signature", [None, [tf.TensorSpec([None, 3])] * 2])
def test_gradient_through_sizes_that_are_tensors(signature):
    def gradient(x, y):
        with tf.GradientTape() as tape:
            tape.watch([x, y])
            total = kernel_sum(x, y)
        return tape.gradient(total, [x, y])

    rng = np.random.default_rng(0)
    x, y = (tf.constant(rng.normal(size=(n, 3)), tf.float32) for n in (2, 4))
    for eager, traced in zip(
        gradient(x, y), tf.function(gradient, input_signature=signature)(x, y), strict=True
    ):
        np.testing.assert_allclose(traced, eager, rtol=1e-5, atol=1e-6)


def test_sizes_from_known_shapes_are_known():
    shapes = []

    @tf.function
    def f(x):
        n = tf.shape(x)[0]
        shapes.append(tf.reshape(x, tf.stack([n * 2, -1])).shape.as_list())
        shapes.append(tf.tile(x, tf.stack([n, 1])).shape.as_list())
        shapes.append(tf.zeros(tf.concat([tf.shape(x), [7]], 0)).shape.as_list())
        return x

    f(tf.ones([3, 4]))
    assert shapes == [[6, 2], [9, 4], [3, 4, 7]]


def test_ranks_stay_known_where_sizes_are_not():
    ranks = []

    @tf.function(input_signature=[tf.TensorSpec([None, 3]), tf.TensorSpec([], tf.int32)])
    def f(x, n):
        ranks.append(tf.tile(x, tf.stack([n, 1])).shape.rank)
        ranks.append(tf.pad(x, tf.stack([tf.stack([n, 0]), tf.stack([0, n])])).shape.rank)
        return tf.tile(x, tf.stack([n, 1])), tf.pad(x, [[n, 0], [0, n]])

    tiled, padded = f(tf.ones([2, 3]), 2)
    assert ranks == [2, 2]
    assert tiled.shape == [4, 3] and padded.shape == [4, 5]
