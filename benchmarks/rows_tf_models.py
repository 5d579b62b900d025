"""Training steps of models in TensorFlow's API, eager and traced: one source for eagercore and for TensorFlow."""

import numpy as np


def models(tf):
    """Row -> function that sets the step up and returns it."""
    keras, L = tf.keras, tf.keras.layers
    rng = np.random.default_rng(0)
    table = {}

    def normal(*shape):
        return tf.constant(rng.standard_normal(shape).astype(np.float32))

    def keras_step():
        model = keras.Sequential([L.Dense(16, activation="relu"), L.Dense(1)])
        optimizer = keras.optimizers.SGD(0.01)
        x, y = normal(64, 10), normal(64, 1)
        model(x)

        def step():
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(x) - y))
            variables = model.trainable_variables
            optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
            return loss

        return step

    table["keras_step_64x10"] = keras_step
    table["keras_step_64x10_traced"] = lambda: tf.function(keras_step())

    def cross_entropy(labels, logits):
        return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits))

    def dcgan():
        generator = keras.Sequential([
            L.Dense(3136, use_bias=False), L.BatchNormalization(), L.ReLU(), L.Reshape((7, 7, 64)),
            L.Conv2DTranspose(64, 5, strides=1, padding="same", use_bias=False), L.BatchNormalization(), L.ReLU(),
            L.Conv2DTranspose(32, 5, strides=2, padding="same", use_bias=False), L.BatchNormalization(), L.ReLU(),
            L.Conv2DTranspose(1, 5, strides=2, padding="same", use_bias=False, activation="tanh"),
        ])  # fmt: skip
        discriminator = keras.Sequential([
            L.Conv2D(64, 5, strides=2, padding="same"), L.LeakyReLU(), L.Dropout(0.3),
            L.Conv2D(128, 5, strides=2, padding="same"), L.LeakyReLU(), L.Flatten(), L.Dense(1),
        ])  # fmt: skip
        g_opt, d_opt = keras.optimizers.Adam(1e-4), keras.optimizers.Adam(1e-4)
        images = normal(256, 28, 28, 1)
        generator(normal(2, 100), training=True), discriminator(images[:2], training=True)

        def step():
            noise = tf.random.normal([256, 100])
            with tf.GradientTape() as gen_tape, tf.GradientTape() as disc_tape:
                fake = generator(noise, training=True)
                real_out = discriminator(images, training=True)
                fake_out = discriminator(fake, training=True)
                gen_loss = cross_entropy(tf.ones_like(fake_out), fake_out)
                disc_loss = cross_entropy(tf.ones_like(real_out), real_out)
                disc_loss = disc_loss + cross_entropy(tf.zeros_like(fake_out), fake_out)
            g_vars, d_vars = generator.trainable_variables, discriminator.trainable_variables
            g_opt.apply_gradients(zip(gen_tape.gradient(gen_loss, g_vars), g_vars))
            d_opt.apply_gradients(zip(disc_tape.gradient(disc_loss, d_vars), d_vars))

        return step

    table["dcgan_step"] = dcgan
    table["dcgan_step_traced"] = lambda: tf.function(dcgan())

    def in_bfloat16(make):
        """What is made while layers compute in bfloat16."""
        keras.mixed_precision.set_global_policy("mixed_bfloat16")
        try:
            return make()
        finally:
            keras.mixed_precision.set_global_policy("float32")

    table["bfloat16_dcgan_step"] = lambda: in_bfloat16(dcgan)
    table["bfloat16_dcgan_step_traced"] = lambda: tf.function(in_bfloat16(dcgan))

    def pix2pix():
        def down(filters, norm=True):
            parts = [L.Conv2D(filters, 4, strides=2, padding="same", use_bias=False)]
            if norm:
                parts.append(L.BatchNormalization())
            return keras.Sequential([*parts, L.LeakyReLU()])

        def up(filters, dropout=False):
            parts = [
                L.Conv2DTranspose(filters, 4, strides=2, padding="same", use_bias=False),
                L.BatchNormalization(),
            ]
            if dropout:
                parts.append(L.Dropout(0.5))
            return keras.Sequential([*parts, L.ReLU()])

        downs = [
            down(64, False),
            down(128),
            down(256),
            down(512),
            down(512),
            down(512),
            down(512),
            down(512),
        ]
        ups = [up(512, True), up(512, True), up(512, True), up(512), up(256), up(128), up(64)]
        last = L.Conv2DTranspose(3, 4, strides=2, padding="same", activation="tanh")
        critic = keras.Sequential([down(64, False), down(128), down(256), L.Conv2D(512, 4), L.BatchNormalization(),
                                   L.LeakyReLU(), L.Conv2D(1, 4)])  # fmt: skip
        source, target = normal(1, 256, 256, 3), normal(1, 256, 256, 3)
        g_opt, d_opt = keras.optimizers.Adam(2e-4), keras.optimizers.Adam(2e-4)

        def draw(x):
            skips = []
            for layer in downs:
                x = layer(x, training=True)
                skips.append(x)
            for layer, skip in zip(ups, reversed(skips[:-1])):
                x = tf.concat([layer(x, training=True), skip], axis=-1)
            return last(x)

        def step():
            with tf.GradientTape() as gen_tape, tf.GradientTape() as disc_tape:
                fake = draw(source)
                real_out = critic(tf.concat([source, target], -1), training=True)
                fake_out = critic(tf.concat([source, fake], -1), training=True)
                gen_loss = cross_entropy(tf.ones_like(fake_out), fake_out)
                gen_loss = gen_loss + 100.0 * tf.reduce_mean(tf.abs(target - fake))
                disc_loss = cross_entropy(tf.ones_like(real_out), real_out)
                disc_loss = disc_loss + cross_entropy(tf.zeros_like(fake_out), fake_out)
            g_vars = [v for layer in [*downs, *ups, last] for v in layer.trainable_variables]
            d_vars = critic.trainable_variables
            g_opt.apply_gradients(zip(gen_tape.gradient(gen_loss, g_vars), g_vars))
            d_opt.apply_gradients(zip(disc_tape.gradient(disc_loss, d_vars), d_vars))

        return step

    table["pix2pix_step"] = pix2pix
    table["pix2pix_step_traced"] = lambda: tf.function(pix2pix())

    def nmt():
        units, embedding, vocabulary, batch, time = 256, 128, 5000, 64, 16
        enc_embed, dec_embed = (
            L.Embedding(vocabulary, embedding),
            L.Embedding(vocabulary, embedding),
        )
        encoder = L.GRU(units, return_sequences=True, return_state=True)
        decoder = L.GRU(units, return_sequences=True, return_state=True)
        w1, w2, score, out = L.Dense(units), L.Dense(units), L.Dense(1), L.Dense(vocabulary)
        layers = [enc_embed, dec_embed, encoder, decoder, w1, w2, score, out]
        source = tf.constant(rng.integers(1, vocabulary, (batch, time)).astype(np.int32))
        target = tf.constant(rng.integers(1, vocabulary, (batch, time)).astype(np.int32))
        optimizer = keras.optimizers.Adam(1e-3)

        def step():
            with tf.GradientTape() as tape:
                memory, state = encoder(enc_embed(source))
                loss = 0.0
                for t in range(1, time):
                    attention = tf.nn.softmax(
                        score(tf.nn.tanh(w1(memory) + w2(tf.expand_dims(state, 1)))), axis=1
                    )
                    context = tf.reduce_sum(attention * memory, axis=1)
                    x = tf.concat(
                        [tf.expand_dims(context, 1), dec_embed(target[:, t - 1 : t])], axis=-1
                    )
                    output, state = decoder(x, initial_state=state)
                    logits = out(tf.reshape(output, (-1, units)))
                    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(
                        labels=target[:, t], logits=logits
                    )
                    mask = tf.cast(tf.not_equal(target[:, t], 0), tf.float32)
                    loss = loss + tf.reduce_mean(losses * mask)
            variables = [v for layer in layers for v in layer.trainable_variables]
            optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))

        return step

    table["nmt_step"] = nmt
    table["nmt_step_traced"] = lambda: tf.function(nmt())

    return table
