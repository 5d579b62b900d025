"""tf.losses against TensorFlow's numbers, and the shapes that are refused; clipping of gradients."""

import json
import pathlib

import numpy as np
import pytest

import eagercore as tf

GOLDEN = json.loads((pathlib.Path(__file__).parents[1] / "golden" / "v1.json").read_text())
G = GOLDEN["losses"]
L = tf.losses
LABELS, PREDICTIONS, LOGITS, NUMBERS, WEIGHTS = (
    np.array(G["inputs"][k], "f" if k != "numbers" else "i8")
    for k in ("labels", "predictions", "logits", "numbers", "weights")
)


@pytest.mark.parametrize("reduction", [k for k in G if k.startswith("weighted") or k == "none"])
def test_values(reduction):
    o = {"weights": WEIGHTS, "reduction": reduction}
    flat = {"weights": WEIGHTS[:, 0], "reduction": reduction}
    onehot = np.eye(3, dtype="f")[NUMBERS]
    found = {
        "mean_squared_error": L.mean_squared_error(LABELS, PREDICTIONS, **o),
        "absolute_difference": L.absolute_difference(LABELS, PREDICTIONS, **o),
        "huber_loss": L.huber_loss(LABELS, PREDICTIONS, delta=0.3, **o),
        "hinge_loss": L.hinge_loss((LABELS > 0.5).astype("f"), LOGITS, **o),
        "log_loss": L.log_loss(LABELS, PREDICTIONS, **o),
        "cosine_distance": L.cosine_distance(LABELS, PREDICTIONS, axis=1, **o),
        "sigmoid_cross_entropy": L.sigmoid_cross_entropy(LABELS, LOGITS, label_smoothing=0.1, **o),
        "softmax_cross_entropy": L.softmax_cross_entropy(
            onehot, LOGITS, label_smoothing=0.1, **flat
        ),
        "sparse_softmax_cross_entropy": L.sparse_softmax_cross_entropy(NUMBERS, LOGITS, **flat),
    }
    for name, wanted in G[reduction].items():
        np.testing.assert_allclose(found[name], wanted, rtol=2e-6, atol=1e-7, err_msg=name)


def test_pairwise():
    assert float(L.mean_pairwise_squared_error(LABELS, PREDICTIONS)) == pytest.approx(
        G["mean_pairwise_squared_error"], rel=1e-5
    )


def test_shapes_are_not_broadcast():
    y, p = tf.constant([1.0, 2.0, 3.0, 4.0]), tf.constant([[1.0], [2.0], [3.0], [4.0]])
    for loss in (L.mean_squared_error, L.absolute_difference, L.huber_loss, L.log_loss):
        with pytest.raises(ValueError, match="Shapes .4, 1. and .4,. are incompatible"):
            loss(y, p)
    with pytest.raises(ValueError, match="incompatible"):
        L.sigmoid_cross_entropy(multi_class_labels=y, logits=p)
    with pytest.raises(ValueError, match="weights can not be broadcast"):
        L.mean_squared_error(p, p, weights=[1.0, 2.0, 3.0, 4.0])
    with pytest.raises(ValueError, match="Invalid Reduction Key"):
        L.mean_squared_error(p, p, reduction="most")


def test_keywords_of_the_tutorials():
    logits = tf.constant([[0.0], [100.0], [-100.0]])
    ones = tf.ones_like(logits)
    losses = L.sigmoid_cross_entropy(
        multi_class_labels=ones, logits=logits, reduction=L.Reduction.NONE
    )
    np.testing.assert_allclose(losses[:, 0], [0.6931472, 0, 100], rtol=1e-6, atol=1e-30)
    with tf.GradientTape() as tape:
        tape.watch(logits)
        y = L.sigmoid_cross_entropy(ones, logits) * 3.0
    np.testing.assert_allclose(tape.gradient(y, logits)[:, 0], [-0.5, 0, -1], atol=1e-7)


def test_softmax_labels_get_no_gradient_in_the_first_generation():
    labels, logits = tf.constant([[0.3, 0.7]]), tf.constant([[1.0, 2.0]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([labels, logits])
        one = L.softmax_cross_entropy(labels, logits)
        two = tf.compat.v1.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits)
        three = tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    assert tape.gradient(one, labels) is None and tape.gradient(two, labels) is None
    assert tape.gradient(three, labels) is not None
    with pytest.raises(
        ValueError, match="Only call `softmax_cross_entropy_with_logits` with named arguments"
    ):
        tf.compat.v1.nn.softmax_cross_entropy_with_logits(labels, logits)


def test_keras_classes_stand_beside_them():
    y, p = tf.constant([1.0, 2.0, 3.0, 4.0]), tf.constant([[1.0], [2.0], [3.0], [4.0]])
    assert float(tf.losses.MeanSquaredError()(y, p)) == 0
    assert float(tf.reduce_mean(tf.square(y - p))) == 2.5


def test_losses_keep_nothing_in_eager_execution():
    L.mean_squared_error([1.0], [2.0])
    assert L.get_losses() == [] and float(L.get_total_loss()) == 0
    with tf.Graph().as_default():
        one = L.mean_squared_error([1.0], [3.0])
        L.add_loss(tf.constant(1.5))
        total = L.get_total_loss()
        assert len(L.get_losses()) == 2
        with tf.compat.v1.Session() as session:
            assert session.run([one, total]) == [4.0, 5.5]


def test_clipping():
    c = GOLDEN["clipping"]
    a, b = np.array([[3.0, -4.0], [0.5, 1.0]], "f"), np.array([1.0, 12.0], "f")
    clipped, norm = tf.clip_by_global_norm([a, None, b], 5.0)
    assert float(norm) == pytest.approx(c["norm"]) and clipped[1] is None
    np.testing.assert_allclose(clipped[0], c["global"][0], rtol=1e-6)
    np.testing.assert_allclose(clipped[2], c["global"][1], rtol=1e-6)
    np.testing.assert_allclose(tf.clip_by_norm(a, 2.0), c["by_norm"], rtol=1e-6)
    np.testing.assert_allclose(tf.clip_by_norm(a, 2.0, axes=[1]), c["by_norm_axis"], rtol=1e-6)
    np.testing.assert_allclose(tf.compat.v1.clip_by_average_norm(a, 0.5), c["average"], rtol=1e-6)
    assert np.isnan(tf.clip_by_global_norm([tf.constant([np.inf])], 1.0)[0][0]).all()
    with pytest.raises(TypeError, match="sequence of tensors"):
        tf.clip_by_global_norm(tf.constant(1.0), 1.0)
    clipped, norm = tf.clip_by_global_norm([None], 1.0)
    assert clipped == [None] and float(norm) == 0.0


def test_clipping_at_zero_has_a_finite_gradient():
    x = tf.zeros([3])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.clip_by_norm(x, 1.0)
    np.testing.assert_array_equal(tape.gradient(y, x), [1, 1, 1])
