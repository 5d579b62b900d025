"""The programs of the articles that introduced eager execution, with the numbers that they print."""

import io
from contextlib import redirect_stdout

import numpy as np
import pytest

import eagercore as tf
import eagercore.contrib.eager as tfe

TRAIN_X = [
    3.3,
    4.4,
    5.5,
    6.71,
    6.93,
    4.168,
    9.779,
    6.182,
    7.59,
    2.167,
    7.042,
    10.791,
    5.313,
    7.997,
    5.654,
    9.27,
    3.1,
]
TRAIN_Y = [
    1.7,
    2.76,
    2.09,
    3.19,
    1.694,
    1.573,
    3.366,
    2.596,
    2.53,
    1.221,
    2.827,
    3.465,
    1.65,
    2.904,
    2.42,
    2.94,
    1.3,
]


def printed(function):
    with redirect_stdout(io.StringIO()) as out:
        function()
    return out.getvalue()


def test_matmul_of_lists():
    tfe.enable_eager_execution()
    x = [[2.0]]
    assert str(tf.matmul(x, x)) == "tf.Tensor([[4.]], shape=(1, 1), dtype=float32)"


def test_collatz_goes_float64_at_the_first_division():
    a, seen = tf.constant(12), []
    while not tf.equal(a, 1):
        if tf.equal(a % 2, 0):
            a = a / 2
        else:
            a = 3 * a + 1
        seen.append(float(a))
    assert seen == [6, 3, 10, 5, 16, 8, 4, 2, 1]
    assert str(a) == "tf.Tensor(1.0, shape=(), dtype=float64)"


def test_gradients_of_square():
    def square(x):
        return tf.multiply(x, x)

    grad = tfe.gradients_function(square)
    assert str(square(3.0)) == "tf.Tensor(9.0, shape=(), dtype=float32)"
    assert repr(grad(3.0)) == "[<tf.Tensor: shape=(), dtype=float32, numpy=6.0>]"
    gradgrad = tfe.gradients_function(lambda x: grad(x)[0])
    assert [float(g) for g in gradgrad(3.0)] == [2]
    third = tfe.gradients_function(lambda x: gradgrad(x)[0])
    assert third(3.0) == [None]


def test_abs_by_python():
    def absolute(x):
        return x if x > 0.0 else -x

    grad = tfe.gradients_function(absolute)
    assert [float(g) for g in grad(2.0) + grad(-2.0)] == [1, -1]


def test_log1pexp_without_and_with_a_custom_gradient():
    def log1pexp(x):
        return tf.log(1 + tf.exp(x))

    grad = tfe.gradients_function(log1pexp)
    assert float(grad(0.0)[0]) == 0.5
    assert np.isnan(float(grad(100.0)[0]))

    @tfe.custom_gradient
    def stable(x):
        e = tf.exp(x)

        def grad(dy):
            return dy * (1 - 1 / (1 + e))

        return tf.log(1 + e), grad

    grad = tfe.gradients_function(stable)
    assert float(grad(0.0)[0]) == 0.5
    assert float(grad(100.0)[0]) == 1.0
    assert float(stable(tf.constant(100.0))) == np.inf


class MNISTModel(tfe.Network):
    def __init__(self):
        super().__init__()
        self.layer1 = self.track_layer(tf.layers.Dense(units=10))
        self.layer2 = self.track_layer(tf.layers.Dense(units=10))

    def call(self, input):
        return self.layer2(self.layer1(input))


def loss_function(model, x, y):
    return tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=model(x))


def test_mnist_model_prints_and_trains():
    tf.set_random_seed(1)
    model = MNISTModel()
    batch = tf.zeros([1, 1, 784])
    assert str(batch.shape) == "(1, 1, 784)"
    assert (
        str(model(batch))
        == "tf.Tensor([[[0. 0. 0. 0. 0. 0. 0. 0. 0. 0.]]], shape=(1, 1, 10), dtype=float32)"
    )
    assert model.variables[0].name.startswith("mnist_model")
    names = [v.name.split("/", 1)[1] for v in model.variables]
    assert names == ["dense/kernel:0", "dense/bias:0", "dense_1/kernel:0", "dense_1/bias:0"]
    rng = np.random.RandomState(0)
    images, labels = (
        rng.uniform(size=(64, 784)).astype("f"),
        np.eye(10, dtype="f")[rng.randint(10, size=64)],
    )
    dataset = tf.data.Dataset.from_tensor_slices((images, labels)).batch(16)
    optimizer = tf.train.GradientDescentOptimizer(learning_rate=0.001)
    losses = []
    with tf.device("/gpu:0"):
        for _ in range(20):
            for x, y in tfe.Iterator(dataset):
                optimizer.apply_gradients(tfe.implicit_gradients(loss_function)(model, x, y))
            optimizer.minimize(lambda x=x, y=y: loss_function(model, x, y))
            losses.append(float(tf.reduce_mean(loss_function(model, images, labels))))
    assert losses[-1] < 0.6 * losses[0]


def linear_regression(w, b, steps=1000):
    n_samples = len(TRAIN_X)

    def model(inputs):
        return inputs * w + b

    def mean_square_fn(model_fn, inputs, labels):
        return tf.reduce_sum(tf.pow(model_fn(inputs) - labels, 2)) / (2 * n_samples)

    first = f"{mean_square_fn(model, TRAIN_X, TRAIN_Y):.9f}"
    optimizer = tf.train.GradientDescentOptimizer(learning_rate=0.01)
    grad = tfe.implicit_gradients(mean_square_fn)
    for _ in range(steps):
        optimizer.apply_gradients(grad(model, TRAIN_X, TRAIN_Y))
    return first, f"{mean_square_fn(model, TRAIN_X, TRAIN_Y):.9f}"


def test_linear_regression_from_seed_zero_bit_for_bit():
    np.random.seed(0)
    w, b = tfe.Variable(np.random.randn()), tfe.Variable(np.random.randn())
    first, last = linear_regression(w, b)
    assert first == "47.046512604"
    assert last == "0.078892559"
    assert (str(w.numpy()), str(b.numpy())) == ("0.27675837", "0.6206874")
    np.testing.assert_allclose(
        np.array(w * TRAIN_X + b)[0], 0.27675837 * 3.3 + 0.6206874, rtol=1e-6
    )


def test_linear_regression_from_zero():
    w, b = tfe.Variable(0.0), tfe.Variable(0.0)
    _, last = linear_regression(w, b)
    assert float(w) == pytest.approx(0.28297, abs=1e-5)
    assert float(b) == pytest.approx(0.57664, abs=1e-5)
    assert float(last) == pytest.approx(0.079984, abs=1e-6)


def test_integer_matrices_as_r_gives_them():
    m1 = np.arange(1, 9, dtype="i4").reshape(4, 2).T
    m2 = np.arange(1, 9, dtype="i4").reshape(2, 4).T
    assert (
        str(tf.matmul(m1, m2)) == "tf.Tensor(\n[[ 50 114]\n [ 60 140]], shape=(2, 2), dtype=int32)"
    )


def test_two_dimensional_tensors_print_on_lines_of_their_own():
    assert (
        str(tf.constant([[1, 2], [3, 4]]))
        == "tf.Tensor(\n[[1 2]\n [3 4]], shape=(2, 2), dtype=int32)"
    )
    assert printed(lambda: print("W=", tf.Variable(2.0).numpy())) == "W= 2.0\n"
