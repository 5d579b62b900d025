"""Layers under a policy compute in bfloat16, keep variables and losses in float32, and come near what float32 gives."""

import numpy as np
import pytest

import eagercore as tf

pytest.importorskip("ml_dtypes")

L = tf.keras.layers
mixed_precision = tf.keras.mixed_precision

UNIT = 2.0**-8
"""Largest relative error of one rounding to bfloat16."""


@pytest.fixture(autouse=True)
def plain_policy():
    yield
    mixed_precision.set_global_policy(None)


LAYERS = [
    (lambda **o: L.Dense(8, activation="relu", **o), (4, 16)),
    (lambda **o: L.Conv2D(8, 3, **o), (2, 8, 8, 3)),
    (lambda **o: L.Conv2DTranspose(8, 3, strides=2, **o), (2, 8, 8, 3)),
    (lambda **o: L.DepthwiseConv2D(3, **o), (2, 8, 8, 3)),
    (lambda **o: L.SeparableConv2D(4, 3, **o), (2, 8, 8, 3)),
    (lambda **o: L.BatchNormalization(**o), (16, 6)),
    (lambda **o: L.LayerNormalization(**o), (4, 6)),
    (lambda **o: L.LSTM(5, **o), (2, 4, 3)),
    (lambda **o: L.GRU(5, **o), (2, 4, 3)),
    (lambda **o: L.SimpleRNN(5, **o), (2, 4, 3)),
    (lambda **o: L.MaxPooling2D(**o), (2, 8, 8, 3)),
    (lambda **o: L.LeakyReLU(**o), (3, 4)),
    (lambda **o: L.Softmax(**o), (3, 4)),
]


@pytest.mark.parametrize("number", range(len(LAYERS)))
@pytest.mark.parametrize("traced", [False, True])
def test_layers_come_near_float32(number, traced):
    make, shape = LAYERS[number]
    x = tf.constant(np.random.default_rng(number).standard_normal(shape).astype(np.float32))
    tf.random.set_seed(1)
    exact = make()
    mixed = make(dtype="mixed_bfloat16")
    weights = np.random.default_rng(0).standard_normal(exact(x).shape).astype(np.float32)
    mixed(x)
    mixed.set_weights(exact.get_weights())

    def run(layer):
        def step(x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = layer(x, training=True)
                loss = tf.reduce_sum(tf.cast(y, tf.float32) * weights)
            return y, tape.gradient(loss, [x, *layer.trainable_variables])

        return tf.function(step)(x) if traced else step(x)

    (y, gradients), (expected, slopes) = run(mixed), run(exact)
    assert y.dtype == tf.bfloat16 and mixed.compute_dtype == "bfloat16"
    assert all(w.dtype == tf.float32 for w in mixed.weights)
    assert all(g.dtype == tf.float32 for g in gradients)
    # Inputs, weights and results are each rounded, some of them a few times on the way.
    for found, wanted in zip([y, *gradients], [expected, *slopes], strict=True):
        wanted = wanted.numpy()
        np.testing.assert_allclose(
            found.numpy().astype(np.float32), wanted, rtol=16 * UNIT, atol=8 * UNIT * np.abs(wanted).max()
        )  # fmt: skip


def test_the_global_policy_is_that_of_new_layers():
    assert mixed_precision.global_policy().name == "float32"
    mixed_precision.set_global_policy("mixed_bfloat16")
    mixed, plain = L.Dense(2), L.Dense(2, dtype="float32")
    mixed_precision.set_global_policy("float32")
    late = L.Dense(2)
    x = tf.ones([3, 4])
    assert [layer(x).dtype.name for layer in (mixed, plain, late)] == [
        "bfloat16",
        "float32",
        "float32",
    ]
    assert (mixed.dtype, mixed.variable_dtype, mixed.compute_dtype) == (
        "float32",
        "float32",
        "bfloat16",
    )
    assert mixed.dtype_policy == mixed_precision.Policy("mixed_bfloat16")
    again = L.Dense.from_config(mixed.get_config())
    assert again.dtype_policy.name == "mixed_bfloat16"
    assert L.Dense(2, dtype={"name": "mixed_bfloat16"}).compute_dtype == "bfloat16"
    assert mixed.kernel.value().dtype == tf.float32, "outside of a call it is what it is"


def test_unknown_policies_are_named():
    with pytest.raises(ValueError, match="mixed_bfloat17"):
        mixed_precision.set_global_policy("mixed_bfloat17")
    with pytest.raises(ValueError, match="use 'mixed_bfloat16'"):
        mixed_precision.Policy("mixed_float16")


def test_losses_are_of_float32():
    y_true, y_pred = tf.constant([0.0, 1.0]), tf.constant([0.3, 0.6])
    narrow = tf.cast(y_pred, tf.bfloat16)
    loss = tf.keras.losses.MeanSquaredError()(y_true, narrow)
    assert loss.dtype == tf.float32
    exact = np.mean((np.array([0, 1]) - narrow.numpy().astype(np.float64)) ** 2)
    np.testing.assert_allclose(loss.numpy(), exact, rtol=1e-6)


def test_a_model_learns():
    mixed_precision.set_global_policy("mixed_bfloat16")
    tf.random.set_seed(0)
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 256)
    x = rng.standard_normal((256, 8, 8, 1)).astype(np.float32) * 0.3
    x[labels == 1, 2:5, 2:5] += 1
    model = tf.keras.Sequential(
        [L.Conv2D(8, 3, activation="relu"), L.BatchNormalization(), L.Flatten(), L.Dense(2)]
    )
    model.compile(
        tf.keras.optimizers.Adam(0.01),
        tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    history = model.fit(x, labels, epochs=4, verbose=0).history
    assert history["accuracy"][-1] > 0.95
    assert model.predict(x[:3], verbose=0).dtype.name == "bfloat16"
    assert all(w.dtype == tf.float32 for w in model.weights)
