"""The rows in TensorFlow's API: one source for eagercore and for TensorFlow.

Each row is a function that sets its work up and returns a function of no arguments that does it once.
"""

import numpy as np

from rows_tf_models import models


def rows(tf):
    keras = tf.keras
    rng = np.random.default_rng(0)

    def normal(*shape, scale=1.0):
        return tf.constant((rng.standard_normal(shape) * scale).astype(np.float32))

    def variable(*shape, scale=0.05):
        return tf.Variable((rng.standard_normal(shape) * scale).astype(np.float32))

    table = {}

    def row(name):
        def add(function):
            table[name] = function
            return function

        return add

    # ------------------------------------------------------------------------------------------------ dispatch

    m2 = tf.constant([1.0, 2.0])
    m22 = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    v22 = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    n22 = np.ones((2, 2), np.float32)
    table["const_float"] = lambda: lambda: tf.constant(42.0)
    table["tensor_from_np"] = lambda: lambda: tf.constant(n22)
    table["add_scalars"] = lambda: lambda: tf.add(42.0, 24.0).numpy()
    table["multiply_2"] = lambda: lambda: m2 * m2
    table["identity_2"] = lambda: lambda: tf.identity(m2)
    table["matmul_2x2"] = lambda: lambda: tf.matmul(m22, m22)
    table["index_literal"] = lambda: lambda: tf.constant([3.0])[0]
    table["read_variable"] = lambda: lambda: v22.read_value()

    @row("matmul_100x784_tb")
    def _():
        a = normal(100, 784)
        return lambda: tf.matmul(a, a, transpose_b=True)

    @row("tape_push_pop")
    def _():
        def once():
            with tf.GradientTape():
                pass

        return once

    def gradient_of(function, x):
        def once():
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = function(x)
            return tape.gradient(y, x)

        return once

    table["grad_identity"] = lambda: gradient_of(tf.identity, m2)
    table["grad_matmul_2x2"] = lambda: gradient_of(lambda x: tf.matmul(x, x), m22)

    @row("grad_matmul_var_2x2")
    def _():
        def once():
            with tf.GradientTape() as tape:
                y = tf.matmul(v22, v22)
            return tape.gradient(y, v22)

        return once

    def tanhs(x):
        for _ in range(1000):
            x = tf.tanh(x)
        return x

    table["chain_tanh_1000"] = lambda: lambda: tanhs(m2)
    table["chain_tanh_1000_fwd_bwd"] = lambda: gradient_of(tanhs, m2)

    @row("mlp5_forward_ops_b1")
    def _():
        sizes = [10, 64, 128, 256, 256, 10]
        ws = [variable(a, b) for a, b in zip(sizes, sizes[1:])]
        bs = [tf.Variable(np.zeros(b, np.float32)) for b in sizes[1:]]
        x = normal(1, 10)

        def once():
            h = x
            for w, b in zip(ws, bs):
                h = tf.nn.relu(tf.matmul(h, w) + b)
            return h

        return once

    @row("mlp5_forward_keras_b1")
    def _():
        model = keras.Sequential(
            [keras.layers.Dense(n, activation="relu") for n in (64, 128, 256, 256, 10)]
        )
        x = normal(1, 10)
        model(x)
        return lambda: model(x)

    def mlp_step():
        w1, w2 = variable(784, 128), variable(128, 10)
        b1, b2 = tf.Variable(np.zeros(128, np.float32)), tf.Variable(np.zeros(10, np.float32))
        x = normal(64, 784)
        y = tf.constant(rng.integers(0, 10, 64).astype(np.int32))
        weights = [w1, b1, w2, b2]

        def step():
            with tf.GradientTape() as tape:
                h = tf.nn.relu(tf.matmul(x, w1) + b1)
                logits = tf.matmul(h, w2) + b2
                loss = tf.reduce_mean(
                    tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
                )
            gradients = tape.gradient(loss, weights)
            for weight, gradient in zip(weights, gradients):
                weight.assign_sub(gradient * 0.01)
            return loss

        return step

    table["mlp_step"] = mlp_step
    table["mlp_step_traced"] = lambda: tf.function(mlp_step())

    @row("linreg_step")
    def _():
        x = normal(17)
        y = normal(17)
        w, b = tf.Variable(0.0), tf.Variable(0.0)

        def step():
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(tf.pow(x * w + b - y, 2)) / 34.0
            dw, db = tape.gradient(loss, [w, b])
            w.assign_sub(dw * 0.01)
            b.assign_sub(db * 0.01)

        return step

    @row("collatz27")
    def _():
        def once():
            a = tf.constant(27)
            while not tf.equal(a, 1):
                a = a // 2 if tf.equal(a % 2, 0) else 3 * a + 1

        return once

    @row("log1pexp_custom_grad")
    def _():
        @tf.custom_gradient
        def log1pexp(x):
            e = tf.exp(x)

            def grad(dy):
                return dy * (1.0 - 1.0 / (1.0 + e))

            return tf.math.log(1.0 + e), grad

        return gradient_of(log1pexp, tf.constant(100.0))

    @row("second_derivative")
    def _():
        x = tf.constant(3.0)

        def once():
            with tf.GradientTape() as outer:
                outer.watch(x)
                with tf.GradientTape() as inner:
                    inner.watch(x)
                    y = x * x * x
                g = inner.gradient(y, x)
            return outer.gradient(g, x)

        return once

    @row("dataset_range2000")
    def _():
        dataset = tf.data.Dataset.range(2000)

        def once():
            for _ in dataset:
                pass

        return once

    @row("matmul_2x2_traced")
    def _():
        f = tf.function(lambda x: tf.matmul(x, x))
        return lambda: f(m22)

    # ------------------------------------------------------------------------------------------ large arrays

    for n in (256, 1024, 2048):

        def gemm(n=n):
            a, b = normal(n, n), normal(n, n)
            return lambda: tf.matmul(a, b)

        table[f"gemm_{n}"] = gemm

    @row("bfloat16_gemm_2048")
    def _():
        a, b = (tf.cast(normal(2048, 2048), tf.bfloat16) for _ in range(2))
        return lambda: tf.matmul(a, b)

    large = {
        "add": lambda x: x + x,
        "mul_add": lambda x: x * 2.0 + x,
        "exp": tf.exp,
        "tanh": tf.tanh,
        "sum": tf.reduce_sum,
        "mean_rows": lambda x: tf.reduce_mean(x, axis=1),
        "sum_columns": lambda x: tf.reduce_sum(x, axis=0),
        "max_rows": lambda x: tf.reduce_max(x, axis=1),
        "softmax": lambda x: tf.nn.softmax(x),
    }
    for label, size in (("1m", 1024), ("16m", 4096)):
        for name, function in large.items():

            def elementwise(function=function, size=size):
                x = normal(size, size)
                return lambda: function(x)

            table[f"{name}_{label}"] = elementwise

        def layer_norm(size=size):
            layer = keras.layers.LayerNormalization()
            x = normal(size, size)
            layer(x)
            return lambda: layer(x)

        table[f"layer_norm_{label}"] = layer_norm

    def conv(n, h, cin, cout, k, s, dtype=tf.float32):
        x, w = tf.cast(normal(n, h, h, cin), dtype), tf.cast(normal(k, k, cin, cout), dtype)

        def once():
            with tf.GradientTape() as tape:
                tape.watch([x, w])
                y = tf.nn.conv2d(x, w, strides=[s, s], padding="SAME")
            return tape.gradient(y, [x, w])

        return once

    for shape in (
        (256, 28, 1, 64, 5, 2),
        (256, 14, 64, 128, 5, 2),
        (1, 256, 64, 128, 4, 2),
        (16, 56, 64, 64, 3, 1),
    ):
        table["conv_" + "_".join(map(str, shape))] = lambda shape=shape: conv(*shape)
    table["bfloat16_conv_16_56_64_64_3_1"] = lambda: conv(16, 56, 64, 64, 3, 1, tf.bfloat16)

    @row("depthwise_16_56_64_3")
    def _():
        x, w = normal(16, 56, 56, 64), normal(3, 3, 64, 1)

        def once():
            with tf.GradientTape() as tape:
                tape.watch([x, w])
                y = tf.nn.depthwise_conv2d(x, w, strides=[1, 1, 1, 1], padding="SAME")
            return tape.gradient(y, [x, w])

        return once

    table.update(models(tf))

    L = tf.keras.layers

    @row("lstm_64x50x128")
    def _():
        layer = L.LSTM(128, return_sequences=True)
        x = normal(64, 50, 128)
        layer(x)

        def once():
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(layer(x))
            return tape.gradient(y, layer.trainable_variables)

        return once

    @row("lstm_16x8x32")
    def _():
        layer = L.LSTM(32, return_sequences=True)
        x = normal(8, 16, 32)
        layer(x)

        def once():
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(layer(x))
            return tape.gradient(y, layer.trainable_variables)

        return once

    @row("embedding_100k")
    def _():
        embed, dense = L.Embedding(100_000, 64), L.Dense(1)
        ids = tf.constant(rng.integers(0, 100_000, (256, 20)).astype(np.int32))
        y = normal(256, 1)
        optimizer = keras.optimizers.SGD(0.01)
        dense(tf.reduce_mean(embed(ids), axis=1))

        def once():
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(dense(tf.reduce_mean(embed(ids), axis=1)) - y))
            variables = embed.trainable_variables + dense.trainable_variables
            optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))

        return once

    @row("pipeline_10k_images")
    def _():
        images = rng.integers(0, 256, (10_000, 28, 28, 1)).astype(np.uint8)
        dataset = (
            tf.data.Dataset.from_tensor_slices(images)
            .shuffle(10_000)
            .batch(256)
            .map(lambda x: tf.cast(x, tf.float32) / 127.5 - 1.0)
            .prefetch(2)
        )

        def once():
            for _ in dataset:
                pass

        return once

    @row("keras_fit_1000x10")
    def _():
        model = keras.Sequential(
            [keras.layers.Dense(n, activation="relu") for n in (64, 128, 256, 256, 10)]
        )
        model.compile("sgd", "mse")
        x, y = np.zeros((1000, 10), np.float32), np.ones((1000, 10), np.float32)
        return lambda: model.fit(x, y, epochs=1, verbose=0)

    @row("keras_predict_1000x10")
    def _():
        model = keras.Sequential(
            [keras.layers.Dense(n, activation="relu") for n in (64, 128, 256, 256, 10)]
        )
        x = np.zeros((1000, 10), np.float32)
        return lambda: model.predict(x, verbose=0)

    @row("adam_10m")
    def _():
        v = tf.Variable(np.zeros(10_000_000, np.float32))
        g = normal(10_000_000)
        optimizer = keras.optimizers.Adam(1e-3)
        return lambda: optimizer.apply_gradients([(g, v)])

    return table
