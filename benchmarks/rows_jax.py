"""The traced rows in JAX: plain jax.numpy and lax under jax.jit, the same shapes, losses and Adam."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

rng = np.random.default_rng(0)


def normal(*shape, scale=1.0):
    return jnp.asarray((rng.standard_normal(shape) * scale).astype(np.float32))


def glorot(*shape):
    """Weights whose last two axes are inputs and outputs, spread as Keras spreads them."""
    receptive = int(np.prod(shape[:-2]))
    return normal(*shape, scale=np.sqrt(2.0 / (receptive * (shape[-2] + shape[-1]))))


def step_of(update, state):
    """A function of no arguments that makes one step: `update` is compiled and given its own last state."""
    compiled = jax.jit(update, donate_argnums=0)
    held = [state]

    def step():
        held[0] = jax.block_until_ready(compiled(held[0]))

    return step


# ------------------------------------------------------------------------------------------------------ pieces


def adam_state(weights):
    zeros = jax.tree.map(jnp.zeros_like, weights)
    return {"m": zeros, "v": jax.tree.map(jnp.zeros_like, weights), "t": jnp.zeros((), jnp.int32)}


def adam(weights, gradients, state, rate, beta1=0.9, beta2=0.999, epsilon=1e-7):
    t = state["t"] + 1
    m = jax.tree.map(lambda m, g: beta1 * m + (1 - beta1) * g, state["m"], gradients)
    v = jax.tree.map(lambda v, g: beta2 * v + (1 - beta2) * g * g, state["v"], gradients)
    scale = rate * jnp.sqrt(1 - beta2**t) / (1 - beta1**t)
    weights = jax.tree.map(lambda w, m, v: w - scale * m / (jnp.sqrt(v) + epsilon), weights, m, v)
    return weights, {"m": m, "v": v, "t": t}


def cross_entropy(label, logits):
    """Mean sigmoid cross-entropy against one label, 0 or 1."""
    return jnp.mean(jnp.maximum(logits, 0) - logits * label + jnp.log1p(jnp.exp(-jnp.abs(logits))))


def class_losses(labels, logits):
    chosen = jnp.take_along_axis(logits, labels[:, None], axis=1)[:, 0]
    return jax.nn.logsumexp(logits, axis=1) - chosen


def conv(x, w, stride, padding="SAME"):
    axes = ("NHWC", "HWIO", "NHWC")
    return lax.conv_general_dilated(x, w, (stride, stride), padding, dimension_numbers=axes)


def conv_transpose(x, w, stride):
    """`w` is laid out (height, width, outputs, inputs), as in Keras."""
    axes = ("NHWC", "HWIO", "NHWC")
    return lax.conv_transpose(
        x, w, (stride, stride), "SAME", dimension_numbers=axes, transpose_kernel=True
    )


def leaky(x):
    return jnp.where(x > 0, x, 0.3 * x)


def dropout(x, key, rate):
    return jnp.where(jax.random.bernoulli(key, 1 - rate, x.shape), x / (1 - rate), 0.0)


def norm_weights(channels):
    return {"gamma": jnp.ones(channels), "beta": jnp.zeros(channels)}


def norm_moving(channels):
    return {"mean": jnp.zeros(channels), "variance": jnp.ones(channels)}


def batch_norm(x, weights, moving, epsilon=1e-3, momentum=0.99):
    """The normalised batch and the moving averages after it."""
    axes = tuple(range(x.ndim - 1))
    mean = jnp.mean(x, axes)
    variance = jnp.mean(jnp.square(x - mean), axes)
    y = (x - mean) * (lax.rsqrt(variance + epsilon) * weights["gamma"]) + weights["beta"]
    moving = {
        "mean": momentum * moving["mean"] + (1 - momentum) * mean,
        "variance": momentum * moving["variance"] + (1 - momentum) * variance,
    }
    return y, moving


def gru_weights(inputs, units):
    return {
        "kernel": glorot(inputs, 3 * units),
        "recurrent": glorot(units, 3 * units),
        "bias": jnp.zeros((2, 3 * units)),
    }


def gru_step(state, projected, weights):
    """One step of the GRU whose reset gate follows the product; `projected` is the input times its kernel."""
    inner = state @ weights["recurrent"] + weights["bias"][1]
    xz, xr, xh = jnp.split(projected, 3, axis=-1)
    hz, hr, hh = jnp.split(inner, 3, axis=-1)
    z = jax.nn.sigmoid(xz + hz)
    candidate = jnp.tanh(xh + jax.nn.sigmoid(xr + hr) * hh)
    return z * state + (1 - z) * candidate


# ------------------------------------------------------------------------------------------------------ models


def mlp():
    x, y = normal(64, 784), jnp.asarray(rng.integers(0, 10, 64))
    weights = [normal(784, 128, scale=0.05), jnp.zeros(128), normal(128, 10, scale=0.05)]
    weights.append(jnp.zeros(10))

    def loss(weights):
        w1, b1, w2, b2 = weights
        return jnp.mean(class_losses(y, jax.nn.relu(x @ w1 + b1) @ w2 + b2))

    def update(weights):
        return jax.tree.map(lambda w, g: w - 0.01 * g, weights, jax.grad(loss)(weights))

    return step_of(update, weights)


def small():
    x, y = normal(64, 10), normal(64, 1)
    weights = [glorot(10, 16), jnp.zeros(16), glorot(16, 1), jnp.zeros(1)]

    def loss(weights):
        w1, b1, w2, b2 = weights
        return jnp.mean(jnp.square(jax.nn.relu(x @ w1 + b1) @ w2 + b2 - y))

    def update(weights):
        return jax.tree.map(lambda w, g: w - 0.01 * g, weights, jax.grad(loss)(weights))

    return step_of(update, weights)


def two_players(generate, criticise, g, d, moving, rate, draw, extra=None):
    """The step of a generator and a discriminator, each with an Adam of its own.

    `generate(g, inputs, moving, key)` gives an image and the moving averages, `criticise(d, image, moving, key)` logits
    and theirs; `draw(key)` gives the generator's inputs and a real image; `extra(fake, real)` adds to its loss.
    """

    def update(state):
        key, k_draw, k_fake, k_real, k_critic = jax.random.split(state["key"], 5)
        inputs, real = draw(k_draw)
        fake, pull_g, g_moving = jax.vjp(
            lambda g: generate(g, inputs, state["moving"]["g"], k_fake), state["g"], has_aux=True
        )
        d_moving = state["moving"]["d"]
        real_out, pull_real, d_moving = jax.vjp(
            lambda d: criticise(d, inputs, real, d_moving, k_real), state["d"], has_aux=True
        )
        fake_out, pull_fake, d_moving = jax.vjp(
            lambda d, fake: criticise(d, inputs, fake, d_moving, k_critic),
            state["d"], fake, has_aux=True,
        )  # fmt: skip
        d_fake = pull_fake(jax.grad(lambda out: cross_entropy(1.0, out))(fake_out))[1]
        if extra is not None:
            d_fake = d_fake + jax.grad(extra)(fake, real)
        g_gradients = pull_g(d_fake)[0]
        d_gradients = jax.tree.map(
            jnp.add,
            pull_real(jax.grad(lambda out: cross_entropy(1.0, out))(real_out))[0],
            pull_fake(jax.grad(lambda out: cross_entropy(0.0, out))(fake_out))[0],
        )
        g, g_adam = adam(state["g"], g_gradients, state["g_adam"], rate)
        d, d_adam = adam(state["d"], d_gradients, state["d_adam"], rate)
        moving = {"g": g_moving, "d": d_moving}
        return {"g": g, "d": d, "g_adam": g_adam, "d_adam": d_adam, "moving": moving, "key": key}

    state = {"g": g, "d": d, "g_adam": adam_state(g), "d_adam": adam_state(d)}
    return step_of(update, {**state, "moving": moving, "key": jax.random.key(0)})


def dcgan():
    g = {
        "dense": glorot(100, 3136), "norm0": norm_weights(3136),
        "up1": glorot(5, 5, 64, 64), "norm1": norm_weights(64),
        "up2": glorot(5, 5, 32, 64), "norm2": norm_weights(32), "up3": glorot(5, 5, 1, 32),
    }  # fmt: skip
    d = {
        "conv1": glorot(5, 5, 1, 64), "bias1": jnp.zeros(64), "conv2": glorot(5, 5, 64, 128), "bias2": jnp.zeros(128),
        "dense": glorot(6272, 1), "bias": jnp.zeros(1),
    }  # fmt: skip
    moving = {"g": [norm_moving(3136), norm_moving(64), norm_moving(32)], "d": []}
    images = normal(256, 28, 28, 1)

    def generate(g, noise, moving, key):
        x, m0 = batch_norm(noise @ g["dense"], g["norm0"], moving[0])
        x = jax.nn.relu(x).reshape(-1, 7, 7, 64)
        x, m1 = batch_norm(conv_transpose(x, g["up1"], 1), g["norm1"], moving[1])
        x, m2 = batch_norm(conv_transpose(jax.nn.relu(x), g["up2"], 2), g["norm2"], moving[2])
        return jnp.tanh(conv_transpose(jax.nn.relu(x), g["up3"], 2)), [m0, m1, m2]

    def criticise(d, _, image, moving, key):
        x = dropout(leaky(conv(image, d["conv1"], 2) + d["bias1"]), key, 0.3)
        x = leaky(conv(x, d["conv2"], 2) + d["bias2"])
        return x.reshape(x.shape[0], -1) @ d["dense"] + d["bias"], moving

    return two_players(
        generate, criticise, g, d, moving, 1e-4,
        lambda key: (jax.random.normal(key, (256, 100)), images),
    )  # fmt: skip


def pix2pix():
    def down_weights(cin, filters, norm=True):
        weights = {"conv": glorot(4, 4, cin, filters)}
        return {**weights, "norm": norm_weights(filters)} if norm else weights

    def down(x, weights, moving):
        x = conv(x, weights["conv"], 2)
        if "norm" in weights:
            x, moving = batch_norm(x, weights["norm"], moving)
        return leaky(x), moving

    widths, up_widths = [64, 128, 256, 512, 512, 512, 512, 512], [512, 512, 512, 512, 256, 128, 64]
    g = {"down": [], "up": []}
    cin = 3
    for i, width in enumerate(widths):
        g["down"].append(down_weights(cin, width, i > 0))
        cin = width
    for i, width in enumerate(up_widths):
        g["up"].append({"conv": glorot(4, 4, width, cin), "norm": norm_weights(width)})
        cin = width + widths[6 - i]
    g["last"], g["bias"] = glorot(4, 4, 3, cin), jnp.zeros(3)
    d = {
        "down": [down_weights(6, 64, False), down_weights(64, 128), down_weights(128, 256)],
        "conv": glorot(4, 4, 256, 512), "bias1": jnp.zeros(512), "norm": norm_weights(512),
        "out": glorot(4, 4, 512, 1), "bias2": jnp.zeros(1),
    }  # fmt: skip
    moving = {
        "g": {"down": [norm_moving(w) for w in widths], "up": [norm_moving(w) for w in up_widths]},
        "d": [norm_moving(w) for w in (64, 128, 256, 512)],
    }
    source, target = normal(1, 256, 256, 3), normal(1, 256, 256, 3)

    def generate(g, x, moving, key):
        skips, after = [], {"down": [], "up": []}
        for weights, old in zip(g["down"], moving["down"]):
            x, new = down(x, weights, old)
            skips.append(x)
            after["down"].append(new)
        keys = jax.random.split(key, 3)
        for i, (weights, old, skip) in enumerate(zip(g["up"], moving["up"], skips[-2::-1])):
            x, new = batch_norm(conv_transpose(x, weights["conv"], 2), weights["norm"], old)
            x = jax.nn.relu(dropout(x, keys[i], 0.5) if i < 3 else x)
            x = jnp.concatenate([x, skip], -1)
            after["up"].append(new)
        return jnp.tanh(conv_transpose(x, g["last"], 2) + g["bias"]), after

    def criticise(d, source, image, moving, key):
        x, after = jnp.concatenate([source, image], -1), []
        for weights, old in zip(d["down"], moving):
            x, new = down(x, weights, old)
            after.append(new)
        x = conv(x, d["conv"], 1, "VALID") + d["bias1"]
        x, new = batch_norm(x, d["norm"], moving[3])
        return conv(leaky(x), d["out"], 1, "VALID") + d["bias2"], [*after, new]

    return two_players(
        generate, criticise, g, d, moving, 2e-4, lambda key: (source, target),
        extra=lambda fake, real: 100.0 * jnp.mean(jnp.abs(real - fake)),
    )  # fmt: skip


def nmt():
    units, embedding, vocabulary, batch, time = 256, 128, 5000, 64, 16
    weights = {
        "enc_embed": normal(vocabulary, embedding, scale=0.03),
        "dec_embed": normal(vocabulary, embedding, scale=0.03),
        "encoder": gru_weights(embedding, units), "decoder": gru_weights(embedding + units, units),
        "w1": glorot(units, units), "b1": jnp.zeros(units), "w2": glorot(units, units), "b2": jnp.zeros(units),
        "score": glorot(units, 1), "score_bias": jnp.zeros(1),
        "out": glorot(units, vocabulary), "out_bias": jnp.zeros(vocabulary),
    }  # fmt: skip
    source = jnp.asarray(rng.integers(1, vocabulary, (batch, time)))
    target = jnp.asarray(rng.integers(1, vocabulary, (batch, time)))

    def loss_of(w):
        encoder, decoder = w["encoder"], w["decoder"]
        projected = w["enc_embed"][source] @ encoder["kernel"] + encoder["bias"][0]

        def encode(state, x):
            state = gru_step(state, x, encoder)
            return state, state

        state, memory = lax.scan(encode, jnp.zeros((batch, units)), projected.swapaxes(0, 1))
        memory = memory.swapaxes(0, 1)
        loss = 0.0
        for t in range(1, time):
            query = (state @ w["w2"] + w["b2"])[:, None]
            hidden = jnp.tanh(memory @ w["w1"] + w["b1"] + query)
            attention = jax.nn.softmax(hidden @ w["score"] + w["score_bias"], axis=1)
            context = jnp.sum(attention * memory, axis=1)
            x = jnp.concatenate([context, w["dec_embed"][target[:, t - 1]]], axis=-1)
            state = gru_step(state, x @ decoder["kernel"] + decoder["bias"][0], decoder)
            losses = class_losses(target[:, t], state @ w["out"] + w["out_bias"])
            loss = loss + jnp.mean(losses * (target[:, t] != 0))
        return loss

    def update(state):
        weights, moments = state
        return adam(weights, jax.grad(loss_of)(weights), moments, 1e-3)

    return step_of(update, (weights, adam_state(weights)))


def rows():
    product, m22 = jax.jit(jnp.matmul), normal(2, 2)
    return {
        "matmul_2x2_traced": lambda: lambda: product(m22, m22).block_until_ready(),
        "mlp_step_traced": mlp,
        "keras_step_64x10_traced": small,
        "dcgan_step_traced": dcgan,
        "pix2pix_step_traced": pix2pix,
        "nmt_step_traced": nmt,
    }
