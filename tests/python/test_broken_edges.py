"""Sizes of zero, shifts out of range, halves: where ops went another way than TensorFlow 2.21, or nowhere."""

import numpy as np
import pytest

import eagercore as tf


def zeros(*shape):
    return np.zeros(shape, np.float32)


NOTHING = {
    "searchsorted": (lambda: tf.searchsorted(zeros(2, 0), zeros(2, 3)), np.zeros((2, 3), np.int32)),
    "searchsorted of nothing": (
        lambda: tf.searchsorted(zeros(2, 3), zeros(2, 0)), np.zeros((2, 0), np.int32)),
    "searchsorted of no rows": (
        lambda: tf.searchsorted(zeros(0, 3), zeros(0, 2)), np.zeros((0, 2), np.int32)),
    "bincount": (lambda: tf.math.bincount(np.zeros(0, np.int32)), np.zeros(0, np.int32)),
    "bincount of rows": (
        lambda: tf.math.bincount(np.zeros((2, 0), np.int32), axis=-1), np.zeros((2, 0), np.int32)),
    "bincount with a least length": (
        lambda: tf.math.bincount(np.zeros(0, np.int32), minlength=3), np.zeros(3, np.int32)),
    "lu": (lambda: tf.linalg.lu(zeros(2, 0, 0)).p, np.zeros((2, 0), np.int32)),
    "log_softmax": (lambda: tf.nn.log_softmax(zeros(0)), zeros(0)),
    "log_softmax of rows": (lambda: tf.nn.log_softmax(zeros(2, 0)), zeros(2, 0)),
    "scan": (lambda: tf.scan(lambda a, x: a + x, zeros(0, 2), zeros(2)), zeros(0, 2)),
    "vectorized_map": (lambda: tf.vectorized_map(lambda x: x * 2, zeros(0, 2)), zeros(0, 2)),
}  # fmt: skip


@pytest.mark.parametrize("name", NOTHING)
def test_nothing_in_gives_nothing_of_the_right_shape(name):
    made, expected = NOTHING[name]
    got = made().numpy()
    assert got.shape == expected.shape and got.dtype == expected.dtype
    np.testing.assert_array_equal(got, expected)


def test_a_log_softmax_of_nothing_has_a_gradient():
    x = tf.constant(zeros(2, 0))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.log_softmax(x)
    assert tape.gradient(y, x).shape == (2, 0)


@pytest.mark.parametrize(
    "shift, dtype, x, by, expected",
    [
        (tf.bitwise.left_shift, np.int32, [1, 1, 1], [-1, 31, 40], [1, -(2**31), -(2**31)]),
        (tf.bitwise.right_shift, np.int8, [-128, 100, -1], [-1, 9, 127], [-128, 0, -1]),
        (tf.bitwise.right_shift, np.uint8, [255, 100], [9, 200], [1, 0]),
    ],
)
def test_shifts_out_of_range_are_taken_to_the_nearest_in_it(shift, dtype, x, by, expected):
    for run in (shift, tf.function(shift)):
        got = run(tf.constant(x, dtype), tf.constant(by, dtype))
        np.testing.assert_array_equal(got.numpy(), np.array(expected, dtype))


def test_crop_and_resize_takes_whole_boxes_and_rounds_halves_up():
    image = np.arange(16, dtype=np.float32).reshape(1, 4, 4, 1)
    box = [[0.2, -0.1, 0.8, 1.3]]
    near = tf.image.crop_and_resize(image, box, [0], [3, 4], method="nearest")
    np.testing.assert_array_equal(
        near.numpy()[0, :, :, 0], [[0, 5, 7, 0], [0, 9, 11, 0], [0, 9, 11, 0]]
    )
    whole = tf.image.crop_and_resize(image, [[1, 1, 0, 0]], [0], [2, 2])
    np.testing.assert_array_equal(whole.numpy()[0, :, :, 0], [[15, 12], [3, 0]])


def test_standardization_of_bytes_does_not_scale_them_first():
    image = (100 + np.arange(18) // 9).astype(np.uint8).reshape(2, 3, 3)
    made = tf.image.per_image_standardization(image)
    assert made.dtype == tf.float32
    np.testing.assert_allclose(made.numpy().ravel(), np.repeat([-1.0, 1.0], 9), rtol=1e-5)
