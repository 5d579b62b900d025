"""The tutorials' models, made small: a training step gives the same numbers eagerly, traced and compiled by XLA."""

import numpy as np
import pytest

import eagercore as tf

keras = tf.keras
L = tf.keras.layers


def normal(*shape, seed=0):
    return tf.constant(np.random.default_rng(seed).normal(size=shape).astype("float32"))


def trained(loss_of, variables_of, optimizer):
    """A step that lowers a loss; `variables_of` is asked after the loss was worked out once."""

    def step(*batch):
        with tf.GradientTape() as tape:
            loss = loss_of(*batch)
        variables = variables_of()
        gradients = tape.gradient(loss, variables)
        assert all(g is not None for g in gradients)
        optimizer.apply_gradients(zip(gradients, variables, strict=True))
        return loss

    return step


def classifier():
    model = keras.Sequential(
        [L.Conv2D(4, 3, activation="relu", input_shape=(10, 10, 1)), L.MaxPooling2D(), L.Flatten(),
         L.Dense(8, activation="relu"), L.BatchNormalization(), L.Dense(3)]
    )  # fmt: skip

    def loss(x, y):
        logits = model(x, training=True)
        return tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
        )

    y = tf.constant([0, 2, 1, 1])
    return trained(loss, lambda: model.trainable_variables, keras.optimizers.Adam(0.01)), [
        normal(4, 10, 10, 1),
        y,
    ]


def regression():
    w, b = tf.Variable(5.0), tf.Variable(0.0)

    def loss(x):
        return tf.reduce_mean(tf.square(x * 3.0 + 2.0 - (x * w + b)))

    return trained(loss, lambda: [w, b], keras.optimizers.SGD(0.1)), [normal(20)]


def gan():
    generator = keras.Sequential(
        [L.Dense(4 * 4 * 6, use_bias=False, input_shape=(5,)), L.BatchNormalization(), L.ReLU(), L.Reshape((4, 4, 6)),
         L.Conv2DTranspose(4, 5, strides=2, padding="same", use_bias=False), L.BatchNormalization(), L.ReLU(),
         L.Conv2DTranspose(1, 5, strides=2, padding="same", activation="tanh")]
    )  # fmt: skip
    critic = keras.Sequential(
        [
            L.Conv2D(4, 5, strides=2, padding="same", input_shape=(16, 16, 1)),
            L.LeakyReLU(),
            L.Flatten(),
            L.Dense(1),
        ]
    )
    entropy = keras.losses.BinaryCrossentropy(from_logits=True)
    first, second = keras.optimizers.Adam(1e-3), keras.optimizers.Adam(1e-3)

    def step(noise, images):
        with tf.GradientTape() as one, tf.GradientTape() as two:
            made = generator(noise, training=True)
            real, fake = critic(images, training=True), critic(made, training=True)
            g_loss = entropy(tf.ones_like(fake), fake)
            c_loss = entropy(tf.ones_like(real), real) + entropy(tf.zeros_like(fake), fake)
        for tape, loss, model, optimizer in (
            (one, g_loss, generator, first),
            (two, c_loss, critic, second),
        ):
            variables = model.trainable_variables
            optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))
        return g_loss + c_loss

    return step, [normal(3, 5), normal(3, 16, 16, 1, seed=1)]


def translation_of_images():
    downs = [
        keras.Sequential(
            [L.Conv2D(n, 4, strides=2, padding="same"), L.BatchNormalization(), L.LeakyReLU()]
        )
        for n in (4, 6, 6)
    ]
    ups = [
        keras.Sequential(
            [L.Conv2DTranspose(n, 4, strides=2, padding="same"), L.BatchNormalization(), L.ReLU()]
        )
        for n in (6, 4)
    ]
    last = L.Conv2DTranspose(1, 4, strides=2, padding="same", activation="tanh")

    def loss(source, target):
        x, skips = source, []
        for layer in downs:
            x = layer(x, training=True)
            skips.append(x)
        for layer, skip in zip(ups, reversed(skips[:-1]), strict=True):
            x = tf.concat([layer(x, training=True), skip], axis=-1)
        return tf.reduce_mean(tf.abs(target - last(x)))

    def variables():
        return [v for layer in [*downs, *ups, last] for v in layer.trainable_variables]

    return trained(loss, variables, keras.optimizers.Adam(1e-3)), [
        normal(2, 16, 16, 1),
        normal(2, 16, 16, 1, seed=1),
    ]


class Attention(keras.Model):
    def __init__(self, units):
        super().__init__()
        self.one, self.two, self.score = L.Dense(units), L.Dense(units), L.Dense(1)

    def call(self, query, values):
        scores = self.score(tf.nn.tanh(self.one(values) + self.two(tf.expand_dims(query, 1))))
        weights = tf.nn.softmax(scores, axis=1)
        return tf.reduce_sum(weights * values, axis=1), weights


def translation():
    words = 11
    embed, encoder = L.Embedding(words, 5), L.GRU(6, return_sequences=True, return_state=True)
    target, decoder = L.Embedding(words, 5), L.GRU(6, return_sequences=True, return_state=True)
    attention, out = Attention(4), L.Dense(words)
    entropy = keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")
    parts = [embed, encoder, target, decoder, attention, out]

    def loss(source, wanted):
        values, state = encoder(embed(source))
        total = 0.0
        word = wanted[:, :1]
        for t in range(1, wanted.shape[1]):
            context, _ = attention(state, values)
            x = tf.concat([tf.expand_dims(context, 1), target(word)], axis=-1)
            made, state = decoder(x, initial_state=state)
            logits = out(tf.reshape(made, (-1, made.shape[2])))
            mask = tf.cast(tf.not_equal(wanted[:, t], 0), tf.float32)
            total += tf.reduce_mean(entropy(wanted[:, t], logits) * mask)
            word = tf.expand_dims(wanted[:, t], 1)
        return total

    rng = np.random.default_rng(0)
    given = [
        tf.constant(rng.integers(0, words, (3, 4))),
        tf.constant(rng.integers(0, words, (3, 5))),
    ]
    return trained(
        loss, lambda: [v for p in parts for v in p.trainable_variables], keras.optimizers.Adam(0.01)
    ), given


def text():
    model = keras.Sequential([L.Embedding(7, 4), L.GRU(5, return_sequences=True), L.Dense(7)])
    entropy = keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    def loss(x, y):
        return entropy(y, model(x))

    rng = np.random.default_rng(0)
    given = [tf.constant(rng.integers(0, 7, (3, 6))) for _ in range(2)]
    return trained(loss, lambda: model.trainable_variables, keras.optimizers.RMSprop(0.01)), given


def autoencoder():
    encoder = keras.Sequential([L.Dense(8, activation="relu", input_shape=(12,)), L.Dense(4)])
    decoder = keras.Sequential([L.Dense(8, activation="relu", input_shape=(2,)), L.Dense(12)])

    def loss(x, noise):
        mean, log_variance = tf.split(encoder(x), 2, axis=1)
        z = mean + noise * tf.exp(0.5 * log_variance)
        entropy = tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.sigmoid(x), logits=decoder(z))
        divergence = -0.5 * tf.reduce_sum(1 + log_variance - mean**2 - tf.exp(log_variance), axis=1)
        return tf.reduce_mean(tf.reduce_sum(entropy, axis=1) + divergence)

    def variables():
        return encoder.trainable_variables + decoder.trainable_variables

    return trained(loss, variables, keras.optimizers.Adam(1e-2)), [
        normal(5, 12),
        normal(5, 2, seed=1),
    ]


def codes():
    encoder = keras.Sequential([L.Dense(4, input_shape=(6,))])
    decoder = keras.Sequential([L.Dense(6, input_shape=(4,))])
    book = tf.Variable(normal(5, 4, seed=2))

    def loss(x):
        z = encoder(x)
        distance = tf.reduce_sum(tf.square(tf.expand_dims(z, 1) - book), axis=2)
        nearest = tf.gather(book, tf.argmin(distance, axis=1))
        straight = z + tf.stop_gradient(nearest - z)
        commitment = tf.reduce_mean(tf.square(tf.stop_gradient(nearest) - z))
        return (
            tf.reduce_mean(tf.square(decoder(straight) - x))
            + commitment
            + tf.reduce_mean(tf.square(nearest - tf.stop_gradient(z)))
        )

    def variables():
        return [*encoder.trainable_variables, *decoder.trainable_variables, book]

    return trained(loss, variables, keras.optimizers.SGD(0.05)), [normal(7, 6)]


def style():
    network = keras.Sequential(
        [
            L.Conv2D(4, 3, activation="relu", input_shape=(8, 8, 3)),
            L.AveragePooling2D(),
            L.Conv2D(5, 3),
        ]
    )
    image = tf.Variable(normal(1, 8, 8, 3, seed=3))

    def gram(x):
        return tf.einsum("bijc,bijd->bcd", x, x) / tf.cast(x.shape[1] * x.shape[2], tf.float32)

    def loss(content, painting):
        made = network(image)
        varied = tf.reduce_mean(tf.image.total_variation(image))
        look = tf.reduce_mean((gram(made) - gram(network(painting))) ** 2)
        return tf.reduce_mean((made - network(content)) ** 2) + look + 1e-3 * varied

    return trained(loss, lambda: [image], keras.optimizers.Adam(0.02)), [
        normal(1, 8, 8, 3),
        normal(1, 8, 8, 3, seed=1),
    ]


MODELS = {
    "regression": regression, "classifier": classifier, "gan": gan, "translation of images": translation_of_images,
    "translation": translation, "text": text, "autoencoder": autoencoder, "codes": codes, "style": style,
}  # fmt: skip


def run(build, options, steps=3):
    """Losses of some steps: each but the first depends on what those before it did to the variables."""
    tf.random.set_seed(1)
    keras.backend.clear_session()
    step, batch = build()
    if options is not None:
        step = tf.function(step, **options)
    return [step(*batch).numpy() for _ in range(steps)]


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("options", [{}, {"jit_compile": True}], ids=["traced", "xla"])
def test_a_training_step_gives_the_same_numbers(name, options):
    if options:
        pytest.importorskip("jax")
    eager = run(MODELS[name], None)
    made = run(MODELS[name], options)
    assert eager[0] != eager[-1]
    np.testing.assert_allclose(made, eager, rtol=2e-4, atol=1e-5)
