"""What every layer owes, for the layers beyond the frame: recurrent, attention, noise, shapes, normalization."""

import numpy as np
import pytest

import eagercore as tf
from eagercore.testing.layer_gradients import check_gradients_of, check_words
from eagercore.testing.layers import check_layer

L = tf.keras.layers

SEQUENCE, IMAGE, LINE, VOLUME = (2, 4, 3), (2, 6, 5, 3), (2, 7, 3), (1, 4, 5, 4, 2)

CASES = [
    (L.SimpleRNN, {"units": 3}, SEQUENCE, 3),
    (L.SimpleRNN, {"units": 3, "return_sequences": True, "activation": "elu"}, SEQUENCE, 3),
    (L.LSTM, {"units": 3}, SEQUENCE, 3),
    (
        L.LSTM,
        {"units": 3, "return_sequences": True, "go_backwards": True, "use_bias": False},
        SEQUENCE,
        2,
    ),
    (L.LSTM, {"units": 3, "recurrent_activation": "hard_sigmoid", "time_major": True}, SEQUENCE, 3),
    (
        L.LSTM,
        {"units": 3, "activation": "softplus", "dropout": 0.2, "recurrent_dropout": 0.2},
        SEQUENCE,
        3,
    ),
    (L.GRU, {"units": 3}, SEQUENCE, 3),
    (
        L.GRU,
        {"units": 3, "reset_after": False, "return_sequences": True, "unroll": True},
        SEQUENCE,
        3,
    ),
    (L.GRU, {"units": 3, "recurrent_regularizer": "l2", "bias_constraint": "non_neg"}, SEQUENCE, 3),
    (L.CuDNNLSTM, {"units": 3, "return_sequences": True}, SEQUENCE, 3),
    (L.CuDNNGRU, {"units": 3}, SEQUENCE, 3),
    (L.ConvLSTM1D, {"filters": 2, "kernel_size": 2}, (1, 3, 5, 2), 3),
    (
        L.ConvLSTM2D,
        {"filters": 2, "kernel_size": 2, "return_sequences": True, "padding": "same"},
        (1, 3, 5, 4, 2),
        3,
    ),
    (
        L.ConvLSTM2D,
        {"filters": 2, "kernel_size": 2, "data_format": "channels_first"},
        (1, 3, 2, 5, 4),
        3,
    ),
    (L.ConvLSTM3D, {"filters": 2, "kernel_size": 2}, (1, 2, 3, 3, 3, 2), 3),
    (L.SeparableConv1D, {"filters": 3, "kernel_size": 2, "padding": "causal"}, LINE, 3),
    (
        L.SeparableConv2D,
        {"filters": 3, "kernel_size": 2, "depth_multiplier": 2, "strides": 2},
        IMAGE,
        3,
    ),
    (L.DepthwiseConv1D, {"kernel_size": 2, "padding": "same"}, LINE, 2),
    (
        L.DepthwiseConv2D,
        {"kernel_size": 2, "data_format": "channels_first", "depth_multiplier": 2},
        (2, 3, 5, 5),
        2,
    ),
    (L.LocallyConnected1D, {"filters": 2, "kernel_size": 3, "strides": 2}, LINE, 2),
    (L.LocallyConnected2D, {"filters": 2, "kernel_size": (2, 3), "activation": "tanh"}, IMAGE, 2),
    (
        L.LocallyConnected2D,
        {"filters": 2, "kernel_size": 2, "data_format": "channels_first"},
        (2, 3, 5, 4),
        2,
    ),
    (L.UpSampling1D, {"size": 3}, LINE, 0),
    (L.UpSampling2D, {"size": (2, 3)}, IMAGE, 0),
    (
        L.UpSampling2D,
        {"size": 2, "interpolation": "bilinear", "data_format": "channels_first"},
        (2, 3, 5, 4),
        0,
    ),
    (L.UpSampling3D, {"size": (1, 2, 3)}, VOLUME, 0),
    (L.Cropping1D, {"cropping": (1, 2)}, LINE, 0),
    (L.Cropping2D, {"cropping": ((1, 0), (2, 1))}, IMAGE, 0),
    (L.Cropping3D, {"cropping": 1, "data_format": "channels_first"}, (1, 2, 4, 4, 5), 0),
    (L.Dot, {"axes": 1}, [(2, 3), (2, 3)], 0),
    (L.Dot, {"axes": (2, 1), "normalize": True}, [(2, 4, 3), (2, 3, 5)], 0),
    (L.Dot, {"axes": (1, 2)}, [(2, 3, 4, 2), (2, 2, 3)], 0),
    (L.Attention, {"use_scale": True}, [(2, 4, 3), (2, 5, 3)], 1),
    (L.Attention, {"score_mode": "concat", "causal": True}, [(2, 4, 3), (2, 4, 3), (2, 4, 3)], 1),
    (L.AdditiveAttention, {}, [(2, 4, 3), (2, 5, 3)], 1),
    (L.LayerNormalization, {}, (3, 5), 2),
    (L.LayerNormalization, {"axis": (1, 2), "center": False}, (2, 3, 4), 1),
    (L.LayerNormalization, {"axis": 1}, (2, 3, 4), 2),
    (L.GroupNormalization, {"groups": 2}, (2, 3, 3, 4), 2),
    (L.GroupNormalization, {"groups": -1, "axis": 1}, (2, 3, 5), 2),
    (L.UnitNormalization, {}, (2, 5), 0),
    (L.PReLU, {"alpha_initializer": "ones", "shared_axes": [1]}, (2, 4, 3), 1),
    (L.ELU, {"alpha": 0.5}, (2, 5), 0),
    (L.ThresholdedReLU, {"theta": 0.5}, (2, 5), 0),
    (L.Softmax, {"axis": (1, 2)}, (2, 3, 4), 0),
    (
        L.EinsumDense,
        {"equation": "abc,cd->abd", "output_shape": (None, 2), "bias_axes": "d"},
        (2, 3, 4),
        2,
    ),
    (
        L.EinsumDense,
        {"equation": "...x,xy->...y", "output_shape": 2, "activation": "tanh"},
        (2, 3, 4),
        1,
    ),
    (L.Identity, {}, (2, 3), 0),
    (L.GaussianNoise, {"stddev": 0.1}, (2, 5), 0),
    (L.GaussianDropout, {"rate": 0.3}, (2, 5), 0),
    (L.AlphaDropout, {"rate": 0.3, "noise_shape": (None, 1)}, (2, 5), 0),
    (L.SpatialDropout1D, {"rate": 0.3}, LINE, 0),
    (L.SpatialDropout2D, {"rate": 0.3, "data_format": "channels_first"}, IMAGE, 0),
    (L.SpatialDropout3D, {"rate": 0.3}, VOLUME, 0),
]


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c[0].__name__}-{c[1]}")
def test_layer(case):
    cls, arguments, shape, weights = case
    # A frame that cuts its work with batches of zeros needs more than one sample.
    check_layer(cls, input_shape=shape, weights=weights, **arguments)


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c[0].__name__}-{c[1]}")
def test_gradients(case):
    cls, arguments, shape, _ = case
    check_gradients_of(lambda **how: cls(**arguments, **how), shape if isinstance(shape, list) else [shape])


@pytest.mark.parametrize("cls", dict.fromkeys(c[0] for c in CASES), ids=lambda c: c.__name__)
def test_words(cls):
    check_words(cls)


@pytest.mark.parametrize("name", ["RNN", "Bidirectional", "TimeDistributed", "StackedRNNCells", "LSTMCell", "GRUCell",
                                  "SimpleRNNCell", "Wrapper", "MultiHeadAttention"])  # fmt: skip
def test_words_of_what_is_wrapped(name):
    check_words(getattr(L, name))


WRAPPED = [
    lambda **how: L.Bidirectional(L.LSTM(2), **how),
    lambda **how: L.Bidirectional(
        L.GRU(2, return_sequences=True, return_state=True), merge_mode="sum", **how
    ),
    lambda **how: L.Bidirectional(L.SimpleRNN(2), merge_mode=None, **how),
    lambda **how: L.TimeDistributed(L.Dense(2), **how),
    lambda **how: L.RNN([L.LSTMCell(2), L.GRUCell(3)], **how),
    lambda **how: L.RNN(L.SimpleRNNCell(3), return_sequences=True, return_state=True, **how),
]


@pytest.mark.parametrize("make", WRAPPED)
def test_wrapped(make):
    check_gradients_of(make, [SEQUENCE])
    first = make()
    x = tf.random.normal(SEQUENCE)
    y = tf.nest.flatten(first(x))
    again = type(first).from_config(first.get_config())
    again(x)
    again.set_weights(first.get_weights())
    for one, two in zip(y, tf.nest.flatten(again(x)), strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-6)
    assert all(v.name.startswith(first.name + "/") for v in first.weights)
    drawn = tf.nest.flatten(make()(tf.keras.Input(SEQUENCE[1:])))
    assert [t.shape[1:] for t in drawn] == [t.shape[1:] for t in y]
    traced = tf.function(lambda x: first(x), autograph=False)
    for one, two in zip(tf.nest.flatten(traced(x)), y, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-5, atol=1e-6)


def test_multi_head_attention():
    check_gradients_of(lambda **how: L.MultiHeadAttention(2, 3, **how), [(2, 4, 3), (2, 5, 3)], spread=True)
    layer = L.MultiHeadAttention(2, 3)
    query, value = tf.random.normal([2, 4, 3]), tf.random.normal([2, 5, 3])
    mask = tf.constant(np.arange(40).reshape(2, 4, 5) % 3 > 0)
    made, weights = layer(query, value, attention_mask=mask, return_attention_scores=True)
    assert made.shape == (2, 4, 3) and weights.shape == (2, 2, 4, 5)
    assert np.abs(weights.numpy()[:, 0][~mask.numpy()]).max() < 1e-6
    np.testing.assert_allclose(tf.reduce_sum(weights, -1), np.ones((2, 2, 4)), rtol=1e-5)
    again = L.MultiHeadAttention.from_config(layer.get_config())
    again(query, value)
    again.set_weights(layer.get_weights())
    np.testing.assert_allclose(again(query, value), layer(query, value), rtol=1e-6)
    drawn = L.MultiHeadAttention(2, 3)(tf.keras.Input((4, 3)), tf.keras.Input((5, 3)))
    assert drawn.shape == (None, 4, 3)


def test_spectral_normalization():
    check_words(L.SpectralNormalization)
    layer = L.SpectralNormalization(L.Dense(4, use_bias=False), power_iterations=50)
    x = tf.random.normal([3, 6])
    before = layer(x)
    kernel = layer.layer.kernel.numpy()
    after = layer(x, training=True)
    largest = np.linalg.svd(kernel)[1][0]
    np.testing.assert_allclose(layer.layer.kernel, kernel / largest, rtol=1e-3)
    np.testing.assert_allclose(after, before / largest, rtol=1e-3, atol=1e-5)
    assert len(layer.trainable_weights) == 1 and len(layer.weights) == 2
    again = L.SpectralNormalization.from_config(layer.get_config())
    assert again(x).shape == (3, 4) and again.power_iterations == 50
    with pytest.raises(ValueError, match="kernel"):
        L.SpectralNormalization(L.Flatten())(x)


def test_cells_and_crossings():
    check_words(L.AbstractRNNCell)
    check_words(L.HashedCrossing)
    crossed = L.HashedCrossing(7)([tf.constant(["a", "b", "a"]), tf.constant([1, 1, 1])]).numpy()
    assert crossed[0] == crossed[2] and crossed.max() < 7
    rows = L.HashedCrossing(7, output_mode="one_hot")([tf.constant([["a"]]), tf.constant([[1]])])
    assert rows.shape == (1, 7) and rows.numpy()[0, crossed[0]] == 1
    with pytest.raises(ValueError, match="two inputs"):
        L.HashedCrossing(7)([tf.constant(["a"])])
    with pytest.raises(NotImplementedError):
        L.AbstractRNNCell().call(None, None)
    assert L.experimental.preprocessing.Rescaling is L.Rescaling
    assert L.experimental.SyncBatchNormalization is L.BatchNormalization


def test_noise_has_the_moments_that_it_is_given():
    tf.random.set_seed(0)
    x = tf.ones([400, 300])
    noise = L.GaussianNoise(0.5)(x, training=True).numpy()
    assert abs(noise.mean() - 1) < 0.01 and abs(noise.std() - 0.5) < 0.01
    scaled = L.GaussianDropout(0.2)(x, training=True).numpy()
    assert abs(scaled.mean() - 1) < 0.01 and abs(scaled.std() - 0.5) < 0.01
    normal = tf.random.normal([400, 300])
    kept = L.AlphaDropout(0.3)(normal, training=True).numpy()
    assert abs(kept.mean()) < 0.02 and abs(kept.std() - 1) < 0.02
    dropped = L.SpatialDropout1D(0.5)(tf.ones([200, 5, 30]), training=True).numpy()
    assert (dropped.min(1) == dropped.max(1)).all() and abs((dropped == 0).mean() - 0.5) < 0.05
    for layer in (L.GaussianNoise(0.5), L.GaussianDropout(0.2), L.AlphaDropout(0.3)):
        np.testing.assert_array_equal(layer(x), x)
    with pytest.raises(ValueError, match="rate"):
        L.GaussianDropout(1.5)


def test_attention_leaves_out_what_is_masked():
    query, value = tf.random.normal([1, 2, 3]), tf.random.normal([1, 4, 3])
    mask = tf.constant([[True, True, False, False]])
    for layer in (L.Attention(), L.AdditiveAttention()):
        made, weights = layer([query, value], mask=[None, mask], return_attention_scores=True)
        np.testing.assert_allclose(made, layer([query, value[:, :2]]), rtol=1e-5)
        assert np.abs(weights.numpy()[..., 2:]).max() < 1e-6
        first = layer([query, value], mask=[tf.constant([[True, False]]), None])
        assert np.abs(first.numpy()[0, 1]).max() == 0
        with pytest.raises(ValueError, match="list of inputs"):
            layer(query)
    heads = L.MultiHeadAttention(2, 3)
    embedded = L.Embedding(9, 3, mask_zero=True)
    padded, short = embedded(tf.constant([[4, 5, 0, 0]])), embedded(tf.constant([[4, 5]]))
    np.testing.assert_allclose(heads(query, padded), heads(query, short), rtol=1e-5, atol=1e-6)
    causal = heads(padded, padded, use_causal_mask=True)
    np.testing.assert_allclose(causal[:, :1], heads(short[:, :1], short[:, :1]), rtol=1e-4, atol=1e-5)


def test_messages():
    for wrong, message in (
        (lambda: L.Cropping1D(5)(tf.ones([1, 4, 1])), "cropping"),
        (lambda: L.LocallyConnected1D(2, 3, padding="same"), "valid"),
        (lambda: L.LocallyConnected1D(2, 3)(tf.keras.Input((None, 2))), "fully-defined"),
        (lambda: L.UpSampling2D(2, interpolation="best"), "interpolation"),
        (lambda: L.Dot(axes=1)([tf.ones([1, 2]), tf.ones([1, 3])]), "axis values"),
        (lambda: L.Dot(axes=(1, 2, 3)), "axes"),
        (lambda: L.GroupNormalization(3)(tf.ones([1, 4])), "divisor"),
        (lambda: L.LayerNormalization(axis=3)(tf.ones([1, 4])), "axis"),
        (lambda: L.PReLU()(tf.keras.Input((None,))), "known"),
        (lambda: L.ThresholdedReLU(-1.0), "Theta"),
        (lambda: L.ELU(None), "Alpha"),
        (lambda: L.EinsumDense("ab,bc->ac", 3)(tf.ones([1, 2, 3])), "equation"),
        (lambda: L.Attention(score_mode="sum"), "score_mode"),
        (lambda: L.SeparableConv2D(0, 3), "filters"),
        (lambda: L.DepthwiseConv2D((3, 3, 3)), "kernel_size"),
    ):
        with pytest.raises(ValueError, match=message):
            wrong()
