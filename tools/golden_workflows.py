"""Golden values of the pieces that the published R workflows are made of, computed with TensorFlow.

    python tools/golden_workflows.py

writes tests/testthat/golden/workflows.json. TensorFlow is needed for this script only; its version is recorded.
Arrays are stored row by row with their shape, as double precision numbers.
"""

from __future__ import annotations

import json
import os
import pathlib

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow as tf

TARGET = pathlib.Path(__file__).parents[1] / "tests" / "testthat" / "golden" / "workflows.json"


def stored(value):
    array = np.asarray(value, np.float64)
    return {"shape": list(array.shape), "data": [float(v) for v in array.reshape(-1)]}


def gan(rng):
    """Losses of the DCGAN, with smoothed labels, and their gradients."""
    real = tf.constant(rng.normal(size=(5, 1)) * 3, tf.float32)
    fake = tf.constant(rng.normal(size=(5, 1)) * 3, tf.float32)
    loss = tf.compat.v1.losses.sigmoid_cross_entropy
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([real, fake])
        real_loss = loss(tf.ones_like(real), real, label_smoothing=0.1)
        disc_loss = real_loss + loss(tf.zeros_like(fake), fake)
        gen_loss = loss(tf.ones_like(fake), fake)
    return {
        "real": real, "fake": fake, "disc_loss": disc_loss, "gen_loss": gen_loss,
        "disc_real_gradient": tape.gradient(disc_loss, real), "disc_fake_gradient": tape.gradient(disc_loss, fake),
        "gen_gradient": tape.gradient(gen_loss, fake),
    }  # fmt: skip


def elbo(rng):
    """The bound of the variational autoencoder from one draw, in float64, and its gradients."""
    mean, logvar, noise = (tf.constant(rng.normal(size=(4, 2))) for _ in range(3))
    picture = tf.constant(rng.uniform(size=(4, 3, 3, 1)))
    weight = tf.constant(rng.normal(size=(2, 9)))

    def loglik(sample, mean, logvar):
        return -tf.reduce_sum(0.5 * np.log(2 * np.pi) + 0.5 * logvar + 0.5 * tf.exp(-logvar) * (sample - mean) ** 2, 1)

    with tf.GradientTape(persistent=True) as tape:
        tape.watch([mean, logvar, weight])
        z = noise * tf.exp(logvar * 0.5) + mean
        logits = tf.reshape(z @ weight, [4, 3, 3, 1])
        crossentropy = tf.nn.sigmoid_cross_entropy_with_logits(logits=logits, labels=picture)
        logpx_z = -tf.reduce_sum(crossentropy, [1, 2, 3])
        zero = tf.constant(0.0, tf.float64)
        logpz, logqz_x = loglik(z, zero, zero), loglik(z, mean, logvar)
        loss = -tf.reduce_mean(logpx_z + logpz - logqz_x)
    return {
        "mean": mean, "logvar": logvar, "noise": noise, "picture": picture, "weight": weight, "z": z,
        "logpx_z": logpx_z, "logpz": logpz, "logqz_x": logqz_x, "loss": loss,
        "mean_gradient": tape.gradient(loss, mean), "logvar_gradient": tape.gradient(loss, logvar),
        "weight_gradient": tape.gradient(loss, weight),
    }  # fmt: skip


def mmd(rng):
    """Maximum mean discrepancy with the kernel of the published script."""
    x = tf.constant(rng.normal(size=(5, 3)))
    y = tf.constant(rng.normal(size=(4, 3)) + 0.5)

    def kernel(x, y):
        tiled_x = tf.tile(x[:, None, :], [1, y.shape[0], 1])
        tiled_y = tf.tile(y[None, :, :], [x.shape[0], 1, 1])
        return tf.exp(-tf.reduce_mean(tf.square(tiled_x - tiled_y), axis=2) / 3.0)

    with tf.GradientTape() as tape:
        tape.watch(y)
        value = tf.reduce_mean(kernel(x, x)) + tf.reduce_mean(kernel(y, y)) - 2 * tf.reduce_mean(kernel(x, y))
    return {"x": x, "y": y, "kernel": kernel(x, y), "mmd": value, "gradient": tape.gradient(value, y)}


def vector_quantizer(rng):
    """Assignment to the nearest code, the straight-through gradient, and one step of the moving averages."""
    codes = tf.constant(rng.normal(size=(3, 2, 4)), tf.float32)
    book = tf.constant(rng.normal(size=(5, 4)), tf.float32)
    count = tf.constant(rng.uniform(size=(5,)) + 0.5, tf.float32)
    with tf.GradientTape() as tape:
        tape.watch(codes)
        distances = tf.norm(codes[:, :, None, :] - tf.reshape(book, [1, 1, 5, 4]), axis=3)
        one_hot = tf.one_hot(tf.argmin(distances, axis=2), depth=5)
        nearest = tf.reduce_sum(one_hot[..., None] * tf.reshape(book, [1, 1, 5, 4]), axis=2)
        straight = codes + tf.stop_gradient(nearest - codes)
        commitment = tf.reduce_mean(tf.square(codes - tf.stop_gradient(nearest)))
        loss = tf.reduce_sum(straight**3) + 0.25 * commitment
    decay = 0.95
    new_count = count - (1 - decay) * (count - tf.reduce_sum(one_hot, [0, 1]))
    sums = tf.reduce_sum(codes[:, :, None, :] * one_hot[..., None], [0, 1])
    new_means = book - (1 - decay) * (book - sums)
    return {
        "codes": codes, "book": book, "count": count, "distances": distances, "one_hot": one_hot, "nearest": nearest,
        "loss": loss, "gradient": tape.gradient(loss, codes), "new_count": new_count, "new_means": new_means,
        "new_book": new_means / (new_count + 1e-5)[:, None],
    }  # fmt: skip


def gru_step(x, state, kernel, recurrent, bias):
    """One step of a GRU as R's verb makes it: hard sigmoid for the gates, the reset gate before the product."""

    def hard(v):
        return tf.clip_by_value(0.2 * v + 0.5, 0.0, 1.0)

    (kz, kr, kh), (uz, ur, uh) = tf.split(kernel, 3, axis=1), tf.split(recurrent, 3, axis=1)
    bz, br, bh = tf.split(bias, 3)
    update = hard(x @ kz + bz + state @ uz)
    reset = hard(x @ kr + br + state @ ur)
    candidate = tf.tanh(x @ kh + bh + (reset * state) @ uh)
    return update * state + (1 - update) * candidate


def attention(rng):
    """One word of the decoder with attention: weights, context, the GRU's step, scores; the masked loss, gradients."""
    batch, places, units, embedding, vocabulary = 2, 3, 4, 5, 6

    def made(*shape):
        return tf.constant(rng.normal(size=shape) * 0.7, tf.float32)

    w1, w2, v = made(units, units), made(units, units), made(units, 1)
    b1, b2, bv = made(units), made(units), made(1)
    table, fc, bfc = made(vocabulary, embedding), made(units, vocabulary), made(vocabulary)
    kernel, recurrent, bias = made(units + embedding, 3 * units), made(units, 3 * units), made(3 * units)
    encoded, hidden = made(batch, places, units), made(batch, units)
    word, truth = tf.constant([[3], [1]]), tf.constant([2, 0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([encoded, hidden, w1])
        score = tf.tanh(encoded @ w1 + b1 + (hidden[:, None, :] @ w2 + b2)) @ v + bv
        weights = tf.nn.softmax(score, axis=1)
        context = tf.reduce_sum(weights * encoded, axis=1)
        x = tf.concat([context, tf.gather(table, word[:, 0])], axis=-1)
        state = gru_step(x, hidden, kernel, recurrent, bias)
        scores = state @ fc + bfc
        each = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=truth, logits=scores)
        loss = tf.reduce_mean(each * tf.cast(truth > 0, tf.float32))
    return {
        "W1": w1, "b1": b1, "W2": w2, "b2": b2, "V": v, "bV": bv, "embedding": table, "kernel": kernel,
        "recurrent": recurrent, "bias": bias, "fc": fc, "bfc": bfc, "encoded": encoded, "hidden": hidden, "word": word,
        "truth": truth, "weights": weights, "context": context, "state": state, "scores": scores, "loss": loss,
        "encoded_gradient": tape.gradient(loss, encoded), "hidden_gradient": tape.gradient(loss, hidden),
        "W1_gradient": tape.gradient(loss, w1),
    }  # fmt: skip


def style(rng):
    """Gram matrix, the losses of style, content and total variation, and the gradient with respect to the picture."""
    picture = tf.constant(rng.normal(size=(6, 6, 3)), tf.float32)
    other = tf.constant(rng.normal(size=(6, 6, 3)), tf.float32)

    def gram(x):
        features = tf.reshape(tf.transpose(x, [2, 0, 1]), [3, -1])
        return features @ tf.transpose(features)

    with tf.GradientTape() as tape:
        tape.watch(picture)
        style_loss = tf.reduce_sum((gram(other) - gram(picture)) ** 2) / (4 * 3.0**2 * 36.0**2)
        content_loss = tf.reduce_sum((other - picture) ** 2)
        down = picture[:-1, :-1] - picture[1:, :-1]
        right = picture[:-1, :-1] - picture[:-1, 1:]
        variation = tf.reduce_sum(down**2 + right**2)
        loss = style_loss + 0.1 * content_loss + 0.01 * variation
    return {
        "picture": picture, "other": other, "gram": gram(picture), "style_loss": style_loss,
        "content_loss": content_loss, "variation": variation, "gradient": tape.gradient(loss, picture),
    }  # fmt: skip


def pix2pix(rng):
    """The generator's loss of an adversarial and an L1 term, the discriminator's, and a step down and one up."""
    judged, real = (tf.constant(rng.normal(size=(1, 3, 3, 1)), tf.float32) for _ in range(2))
    made, target = (tf.constant(rng.uniform(-1, 1, size=(1, 4, 4, 3)), tf.float32) for _ in range(2))
    loss = tf.compat.v1.losses.sigmoid_cross_entropy
    with tf.GradientTape() as tape:
        tape.watch([judged, made])
        generator_loss = loss(tf.ones_like(judged), judged) + 100 * tf.reduce_mean(tf.abs(target - made))
    gradients = tape.gradient(generator_loss, [judged, made])
    down_kernel = tf.constant(rng.normal(size=(4, 4, 3, 2)), tf.float32)
    up_kernel = tf.constant(rng.normal(size=(4, 4, 2, 2)), tf.float32)

    def normalized(x):
        mean, variance = tf.nn.moments(x, [0, 1, 2])
        return (x - mean) * tf.math.rsqrt(variance + 1e-3)

    down = tf.nn.leaky_relu(normalized(tf.nn.conv2d(made, down_kernel, 2, "SAME")), 0.3)
    up = tf.nn.conv2d_transpose(down, up_kernel, [1, 4, 4, 2], 2, "SAME")
    up = tf.concat([tf.nn.relu(normalized(up)), made], axis=-1)
    return {
        "judged": judged, "real": real, "made": made, "target": target, "generator_loss": generator_loss,
        "judged_gradient": gradients[0], "made_gradient": gradients[1],
        "discriminator_loss": loss(tf.ones_like(real), real) + loss(tf.zeros_like(judged), judged),
        "down_kernel": down_kernel, "up_kernel": up_kernel, "down": down, "up": up,
    }  # fmt: skip


def main():
    rng = np.random.default_rng(20)
    pieces = {f.__name__: f(rng) for f in (gan, elbo, mmd, vector_quantizer, attention, style, pix2pix)}
    found = {name: {key: stored(value) for key, value in piece.items()} for name, piece in pieces.items()}
    found["tensorflow"] = tf.__version__
    TARGET.parent.mkdir(exist_ok=True)
    part = TARGET.with_suffix(".part")
    part.write_text(json.dumps(found, indent=0) + "\n")
    os.replace(part, TARGET)


if __name__ == "__main__":
    main()
