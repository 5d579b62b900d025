"""Losses by kernels: the numbers of the reference, with NaN and infinity where it has them."""

import numpy as np
import pytest

import eagercore as tf
from eagercore import backend


def test_cross_entropy_of_class_numbers_is_the_reference_s_with_nan_and_infinity():
    rng = np.random.default_rng(7)
    logits = (4 * rng.normal(size=(40, 300))).astype("float32")
    labels = rng.integers(0, 300, 40)
    logits[1, 2], logits[2, 3], logits[3, labels[3]] = np.nan, np.inf, -np.inf
    logits[4], logits[5, 6] = -np.inf, -np.inf
    dy = rng.normal(size=40).astype("float32")
    found = []
    for use in (False, True):
        backend.use_reference(use)
        try:
            x = tf.constant(logits)
            with tf.GradientTape() as tape:
                tape.watch(x)
                losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=x)
            found.append([losses.numpy(), tape.gradient(losses, x, output_gradients=dy).numpy()])
        finally:
            backend.use_reference(False)
    for one, two in zip(*found, strict=True):
        np.testing.assert_allclose(one, two, rtol=2e-5, atol=1e-6)


def test_losses_of_labels_outside_are_refused_whatever_the_size():
    for count in (2, 2000):
        with pytest.raises(tf.errors.InvalidArgumentError, match="label value of 9"):
            tf.nn.sparse_softmax_cross_entropy_with_logits(
                labels=[9] * count, logits=tf.zeros([count, 9])
            )
