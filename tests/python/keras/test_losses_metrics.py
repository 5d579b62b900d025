import numpy as np
import pytest

import eagercore as tf

K = tf.keras
S, M = K.losses, K.metrics


def test_targets_n_against_predictions_n_1():
    y, p = tf.constant([1.0, 2.0, 3.0, 4.0]), tf.constant([[1.0], [2.0], [3.0], [4.0]])
    assert float(tf.reduce_mean(tf.square(y - p))) == 2.5, "plain operations broadcast"
    for cls in (S.MeanSquaredError, S.MeanAbsoluteError, S.Huber, S.LogCosh):
        assert np.isclose(float(cls()(y, p)), 0.0, atol=1e-6)
        assert np.isclose(float(cls()(p, y)), 0.0, atol=1e-6)
    assert S.mean_squared_error(y, p).shape == (4,)
    for metric in (M.MeanSquaredError(), M.RootMeanSquaredError(), M.MeanAbsoluteError()):
        assert float(metric(y, p)) == 0.0
    assert float(M.BinaryAccuracy()(tf.constant([1.0, 0.0]), tf.constant([[0.9], [0.2]]))) == 1.0
    with pytest.raises(ValueError, match=r"y_true has shape \(3,\), y_pred \(4, 2\)"):
        S.mean_squared_error(tf.ones([3]), tf.ones([4, 2]))


def test_reductions_and_weights():
    y, p = np.zeros((2, 2), "f"), np.array([[1.0, 1.0], [3.0, 3.0]], "f")
    assert float(S.MeanSquaredError()(y, p)) == 5.0
    assert float(S.MeanSquaredError(reduction=S.Reduction.SUM)(y, p)) == 10.0
    assert S.MeanSquaredError(reduction="none")(y, p).numpy().tolist() == [1.0, 9.0]
    assert float(S.MeanSquaredError()(y, p, sample_weight=[2.0, 0.0])) == 1.0
    assert float(S.MeanSquaredError()(y, p, sample_weight=[[2.0], [0.0]])) == 1.0
    with pytest.raises(ValueError, match="Invalid Reduction Key"):
        S.MeanSquaredError(reduction="bogus")
    with pytest.raises(ValueError, match="does not fit"):
        S.MeanSquaredError()(y, p, sample_weight=[1.0, 2.0, 3.0])


def test_crossentropies_at_the_edges():
    assert np.isfinite(float(S.BinaryCrossentropy()([[1.0]], [[0.0]])))
    assert np.isfinite(float(S.CategoricalCrossentropy()([[1.0, 0.0]], [[0.0, 1.0]])))
    assert float(S.BinaryCrossentropy(from_logits=True)([[0.0]], [[1000.0]])) == 1000.0
    with pytest.raises(ValueError, match="sparse_categorical_crossentropy"):
        S.CategoricalCrossentropy()([1, 0], [[0.5, 0.5], [0.5, 0.5]])
    with pytest.raises(tf.errors.InvalidArgumentError, match="outside the valid range"):
        S.SparseCategoricalCrossentropy()([2], [[0.5, 0.5]])
    ignoring = S.sparse_categorical_crossentropy([1, 0], [[0.5, 0.5], [0.1, 0.9]], ignore_class=0)
    assert np.allclose(ignoring, [np.log(2.0), 0.0])


def test_gradients_are_finite_where_probabilities_are_zero():
    p = tf.constant([[0.0, 1.0]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(p)
        one = S.BinaryCrossentropy()([[0.0, 1.0]], p)
        two = S.SparseCategoricalCrossentropy()([1], p)
    assert np.isfinite(tape.gradient(one, p)).all() and np.isfinite(tape.gradient(two, p)).all()


def test_own_losses():
    class Half(S.Loss):
        def call(self, y_true, y_pred):
            return tf.reduce_mean(tf.square(y_true - y_pred), axis=-1) / 2.0

    assert float(Half()(tf.zeros([2, 1]), tf.ones([2, 1]))) == 0.5
    assert S.get("mse") is S.mean_squared_error and S.get(None) is None
    assert isinstance(S.get("MeanSquaredError"), S.Loss)
    with pytest.raises(ValueError, match="Unknown loss function: nope"):
        S.get("nope")
    again = S.deserialize(S.serialize(S.Huber(delta=2.0, reduction="sum")))
    assert again.get_config() == {"reduction": "sum", "name": "huber", "delta": 2.0}


def test_metrics_gather_and_start_anew():
    mean = M.Mean(name="m")
    mean(1.0)
    assert float(mean(3.0)) == 2.0
    mean.update_state([10.0, 0.0], sample_weight=[0.0, 1.0])
    assert np.isclose(mean.result(), 4.0 / 3.0)
    mean.reset_states()
    assert float(mean.result()) == 0.0
    total = M.Sum()
    total([1.0, 2.0])
    assert float(total(3.0)) == 6.0
    other = M.Mean()
    other(6.0)
    mean(2.0)
    mean.merge_state([other])
    assert float(mean.result()) == 4.0
    assert repr(M.Accuracy()) == "<Accuracy name=accuracy>"


def test_metrics_begin_with_their_own_values_again():
    class Largest(M.Metric):
        def __init__(self):
            super().__init__(name="largest")
            self.value = self.add_weight("value", initializer=K.initializers.Constant(-5.0))

        def update_state(self, values, sample_weight=None):
            self.value.assign(tf.maximum(self.value, tf.reduce_max(values)))

        def result(self):
            return self.value.value()

    metric = Largest()
    assert float(metric(tf.constant([1.0, 3.0]))) == 3.0
    metric.reset_state()
    assert float(metric.result()) == -5.0


def binary(n=200, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return y, np.clip(y * 0.3 + rng.uniform(size=n) * 0.7, 0, 1), rng.uniform(size=n)


def test_counts_and_rates():
    y, p, _ = binary()
    hard = p > 0.5
    tp, fp, fn = np.sum(hard & (y == 1)), np.sum(hard & (y == 0)), np.sum(~hard & (y == 1))
    assert float(M.TruePositives()(y, p)) == tp and float(M.FalsePositives()(y, p)) == fp
    assert (
        float(M.FalseNegatives()(y, p)) == fn
        and float(M.TrueNegatives()(y, p)) == 200 - tp - fp - fn
    )
    assert np.isclose(M.Precision()(y, p), tp / (tp + fp)) and np.isclose(
        M.Recall()(y, p), tp / (tp + fn)
    )
    assert M.Precision(thresholds=[0.2, 0.8])(y, p).shape == (2,)
    assert float(M.Precision(top_k=2)([0, 0, 1, 1], [1.0, 1.0, 1.0, 1.0])) == 0.5
    assert float(M.Recall(class_id=1)([[0, 1], [1, 0]], [[0.9, 0.8], [0.1, 0.2]])) == 1.0
    with pytest.raises(ValueError, match="Threshold values"):
        M.Precision(thresholds=[2.0])


def test_area_under_the_curve_is_the_rank_statistic():
    y, p, w = binary(2000)
    ranks = np.mean(p[y == 1][:, None] > p[y == 0][None, :])
    assert abs(float(M.AUC(num_thresholds=1000)(y, p)) - ranks) < 2e-3
    assert 0.5 < float(M.AUC(curve="PR")(y, p, sample_weight=w)) < 1.0
    labels = np.stack([y, 1 - y], 1)
    both = M.AUC(multi_label=True)
    assert np.isclose(both(labels, np.stack([p, 1 - p], 1)), float(M.AUC()(y, p)), atol=5e-3)
    with pytest.raises(ValueError, match="Invalid AUC curve"):
        M.AUC(curve="X")


def test_tops_and_overlaps():
    p = [[0.5, 0.3, 0.2], [0.1, 0.5, 0.4]]
    assert float(M.SparseTopKCategoricalAccuracy(2)([2, 1], p)) == 0.5
    assert float(M.TopKCategoricalAccuracy(1)([[1, 0, 0], [0, 0, 1]], p)) == 0.5
    assert np.isclose(M.MeanIoU(3)([0, 1, 2, 2], [0, 1, 1, 2]), (1 + 0.5 + 0.5) / 3)
    assert float(M.CosineSimilarity()([[1.0, 0.0]], [[2.0, 0.0]])) == 1.0
    assert float(M.MeanRelativeError([2.0])([1.0], [2.0])) == 0.5


@pytest.mark.parametrize("name", [n for n, c in M.OBJECTS.items() if isinstance(c, type)])
def test_configurations(name):
    cls = M.OBJECTS[name]
    arguments = {
        "MeanIoU": (3,), "MeanMetricWrapper": (S.mean_squared_error,), "MeanRelativeError": ([1.0],),
        "SensitivityAtSpecificity": (0.5,), "SpecificityAtSensitivity": (0.5,), "PrecisionAtRecall": (0.5,),
        "RecallAtPrecision": (0.5,),
    }.get(name, ())  # fmt: skip
    metric = cls(*arguments)
    again = cls.from_config(metric.get_config())
    assert again.get_config() == metric.get_config()
