"""Small programs of the kinds that TensorFlow's own eager examples are: language model, GAN, reversible net, HMC."""

import numpy as np
import pytest

import eagercore as tf
import eagercore.contrib.eager as tfe


class LanguageModel(tf.keras.Model):
    """Cells in a List, loops in Python, an embedding made by a layer of one's own."""

    def __init__(self, words=12, units=8):
        super().__init__()
        self.words, self.units = words, units
        self.cells = tf.contrib.checkpoint.List(
            [tf.nn.rnn_cell.BasicLSTMCell(units) for _ in range(2)]
        )
        self.table = tfe.Variable(
            np.random.RandomState(0).uniform(-0.1, 0.1, (words, units)).astype("f"), name="table"
        )
        self.out = tf.keras.layers.Dense(words)

    def call(self, sequence, training=False):
        steps = tf.unstack(tf.nn.embedding_lookup(self.table, sequence), axis=0)
        for cell in self.cells:
            state, outputs = cell.zero_state(int(sequence.shape[1]), tf.float32), []
            for step in steps:
                output, state = cell(step, state)
                outputs.append(output)
            steps = outputs
        return self.out(tf.reshape(tf.stack(steps, axis=0), [-1, self.units]))


def test_language_model_learns_and_goes_on_after_a_checkpoint(tmp_path):
    sequence = tf.constant([[i % 4, (i + 1) % 4] for i in range(7)], tf.int64)
    inputs, targets = sequence[:-1], tf.reshape(sequence[1:], [-1])

    def loss(model):
        logits = model(inputs, training=True)
        return tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=targets, logits=logits)
        )

    def train(model, optimizer, steps):
        grads = tfe.implicit_gradients(loss)
        for _ in range(steps):
            pairs = grads(model)
            clipped, _ = tf.clip_by_global_norm([g for g, _ in pairs], 1.0)
            optimizer.apply_gradients(zip(clipped, [v for _, v in pairs], strict=True))
        return float(loss(model))

    tf.set_random_seed(1)
    model, optimizer = LanguageModel(), tf.train.AdamOptimizer(0.05)
    first = float(loss(model))
    assert train(model, optimizer, 30) < 0.5 * first
    checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer)
    path = checkpoint.save(str(tmp_path / "ck"))
    wanted = train(model, optimizer, 3)
    again, other = LanguageModel(), tf.train.AdamOptimizer(0.05)
    tf.train.Checkpoint(model=again, optimizer=other).restore(path)
    assert train(again, other, 3) == wanted


def test_gan_of_two_tapes_with_summaries(tmp_path):
    generator = tf.keras.Sequential(
        [tf.keras.layers.Dense(4, activation=tf.tanh), tf.keras.layers.Dense(1)]
    )
    discriminator = tf.keras.Sequential(
        [tf.keras.layers.Dense(4, activation=tf.tanh), tf.keras.layers.Dense(1)]
    )
    step = tf.train.get_or_create_global_step()
    step.assign(0)
    opt_g, opt_d = tf.train.AdamOptimizer(0.01), tf.train.AdamOptimizer(0.01)
    writer = tf.contrib.summary.create_file_writer(str(tmp_path))
    data = tf.data.Dataset.from_tensor_slices(
        np.random.RandomState(0).normal(3, 1, (32, 1)).astype("f")
    ).batch(8)
    with (
        writer.as_default(),
        tf.contrib.summary.record_summaries_every_n_global_steps(2, global_step=step),
    ):
        for real in data:
            noise = tf.random_uniform([8, 2], minval=-1.0, maxval=1.0)
            with tf.GradientTape(persistent=True) as tape:
                fake = generator(noise)
                on_real, on_fake = discriminator(real), discriminator(fake)
                d_loss = tf.losses.sigmoid_cross_entropy(
                    tf.ones_like(on_real), on_real, label_smoothing=0.25
                ) + tf.losses.sigmoid_cross_entropy(tf.zeros_like(on_fake), on_fake)
                g_loss = tf.losses.sigmoid_cross_entropy(tf.ones_like(on_fake), on_fake)
                tf.contrib.summary.scalar("generator_loss", g_loss)
            for loss, net, optimizer in (
                (g_loss, generator, opt_g),
                (d_loss, discriminator, opt_d),
            ):
                gradients = tape.gradient(loss, net.variables)
                assert all(g is not None for g in gradients)
                optimizer.apply_gradients(zip(gradients, net.variables, strict=True))
            tf.assign_add(step, 1)
    events = tf.contrib.summary.summary_test_util.events_from_logdir(str(tmp_path))
    assert [e.step for e in events if e.summary.value] == [0, 2]


def test_reversible_block_gives_the_gradients_of_the_plain_one():
    f, g = (tf.keras.layers.Dense(3, activation=tf.tanh) for _ in range(2))

    def forward(x1, x2):
        y1 = x1 + f(x2)
        return y1, x2 + g(y1)

    @tfe.defun
    def backward(y1, y2, d1, d2):
        with tf.GradientTape() as tape:
            tape.watch(y1)
            gy = g(y1)
        x2 = y2 - gy
        found = tape.gradient(gy, [y1, *g.trainable_variables], output_gradients=d2)
        dy1 = d1 + found[0]
        with tf.GradientTape() as tape:
            tape.watch(x2)
            fx = f(x2)
        inner = tape.gradient(fx, [x2, *f.trainable_variables], output_gradients=dy1)
        return y1 - fx, x2, dy1, d2 + inner[0], inner[1:], found[1:]

    x1, x2 = tf.random_normal([4, 3]), tf.random_normal([4, 3])
    y1, y2 = forward(x1, x2)
    variables = [*f.trainable_variables, *g.trainable_variables]
    with tf.GradientTape() as tape:
        tape.watch([x1, x2])
        z1, z2 = forward(x1, x2)
        loss = tf.reduce_sum(z1 * z1) + tf.reduce_sum(z2)
    wanted = tape.gradient(loss, [x1, x2, *variables])
    r1, r2, d1, d2, df, dg = backward(y1, y2, 2.0 * y1, tf.ones_like(y2))
    np.testing.assert_allclose(r1, x1, atol=1e-5)
    np.testing.assert_allclose(r2, x2, atol=1e-5)
    for one, two in zip([d1, d2, *df, *dg], wanted, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("traced", [False, True])
def test_leapfrog_steps_differentiate_an_energy_inside_a_taped_function(traced):
    scale = tfe.Variable(0.1)
    energy = tfe.gradients_function(lambda x: tf.reduce_sum(x**4, axis=1) / 4)

    def leapfrog(position, momentum):
        momentum = momentum - 0.5 * scale * energy(position)[0]
        position = position + scale * momentum
        return position, momentum - 0.5 * scale * energy(position)[0]

    step = tfe.defun(leapfrog) if traced else leapfrog
    x, v = tf.constant([[1.0, 2.0]]), tf.constant([[0.5, -0.5]])
    with tf.GradientTape() as tape:
        position, momentum = step(x, v)
        loss = tf.reduce_sum(position * momentum)
    found = float(tape.gradient(loss, scale))

    def at(eps):
        scale.assign(eps)
        position, momentum = leapfrog(x, v)
        return float(tf.reduce_sum(position * momentum))

    assert found == pytest.approx((at(0.101) - at(0.099)) / 0.002, rel=1e-2)


def test_gradients_of_a_network_in_graph_mode_equal_the_eager_ones():
    rng = np.random.RandomState(0)
    x, y = rng.normal(size=(8, 3)).astype("f"), rng.normal(size=(8, 1)).astype("f")
    kernel = rng.normal(size=(3, 1)).astype("f")
    eager = tf.layers.Dense(1, kernel_initializer=tf.constant_initializer(kernel))
    with tf.GradientTape() as tape:
        loss = tf.losses.mean_squared_error(y, eager(x))
    wanted = tape.gradient(loss, eager.variables)
    v1 = tf.compat.v1
    with tf.Graph().as_default():
        layer = v1.layers.Dense(1, kernel_initializer=v1.constant_initializer(kernel))
        feed = v1.placeholder(tf.float32, [None, 3])
        loss = v1.losses.mean_squared_error(y, layer(feed))
        gradients = v1.gradients(loss, layer.variables)
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())
            found = session.run(gradients, {feed: x})
    for one, two in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-5)
