"""jit_compile=True: XLA gives what the engine gives."""

import sys

import numpy as np
import pytest
from random_programs import RandomProgram

import eagercore as tf
from eagercore.core.tensor import NOTHING
from eagercore.graph.function import Function
from eagercore.testing import contract
from eagercore.testing.samples import samples_of

jax = pytest.importorskip("jax")


def close(one, two, tolerance=1e-5):
    assert one.dtype is two.dtype
    if one.dtype is tf.string:
        assert np.array_equal(np.asarray(one.numpy()), np.asarray(two.numpy()))
    else:
        np.testing.assert_allclose(one.numpy(), two.numpy(), rtol=tolerance, atol=tolerance * 0.1)


def share(function, *inputs):
    """Part of the steps that XLA runs, after a call."""
    from eagercore.graph.jit import XlaProgram

    graph = function.get_concrete_function(*inputs).graph
    return XlaProgram(graph, [*graph.inputs, *graph.captures], graph.outputs).compiled_share


OPS = [
    op
    for op in contract.all_ops().values()
    if contract.deterministic(op) and not op.extra.get("effect")
]


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_every_op_is_the_same_under_xla(op):
    inputs, attrs = next(iter(samples_of(op)))
    given = [i for i, a in enumerate(inputs) if a is not None]
    tensors = [tf.constant(inputs[i]) for i in given]

    def call(*present):
        every = [NOTHING] * len(inputs)
        for i, tensor in zip(given, present, strict=True):
            every[i] = tensor
        return contract.call(op, every, attrs)

    made = Function(call, autograph=False, jit_compile=True)(*tensors)
    for one, two in zip(tf.nest.flatten(made), tf.nest.flatten(call(*tensors)), strict=True):
        close(one, two)


@pytest.mark.parametrize("seed", range(12))
def test_random_programs_under_xla(seed):
    variables = [tf.Variable(0.5)] if seed % 3 == 0 else []
    program = RandomProgram(5000 + seed, control=seed % 2 == 0, variables=variables)
    inputs = program.inputs()
    before = [v.numpy() for v in variables]
    wanted = program(*inputs)
    after = [v.numpy() for v in variables]
    for v, b in zip(variables, before, strict=True):
        v.assign(b)
    made = tf.function(program, autograph=False, jit_compile=True)(*inputs)
    for one, two in zip(made, wanted, strict=True):
        close(one, two, 1e-4)
    np.testing.assert_allclose([v.numpy() for v in variables], after, rtol=1e-5)


def test_loops_and_conditions_are_compiled_whole():
    @tf.function(jit_compile=True)
    def collatz(n):
        count = tf.constant(0)
        while n > 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            count += 1
        return count

    assert [int(collatz(tf.constant(n))) for n in (1, 6, 27)] == [0, 8, 111]
    assert share(collatz, tf.constant(1)) == 1.0


def test_gradients_are_those_of_the_plain_function():
    rng = np.random.default_rng(0)
    x = tf.constant(rng.normal(size=(4, 3)).astype("float32"))
    w = tf.Variable(rng.normal(size=(3, 2)).astype("float32"))

    def loss(x):
        y = tf.nn.softmax(tf.matmul(x, w))
        for _ in tf.range(3):
            y = tf.tanh(y * 2.0)
        return tf.reduce_sum(y**2)

    found = []
    for options in ({}, {"jit_compile": True}):
        function = tf.function(loss, **options)
        with tf.GradientTape() as tape:
            tape.watch(x)
            value = function(x)
        found.append([value, *tape.gradient(value, [x, w])])
    for one, two in zip(*found, strict=True):
        close(one, two)


@pytest.mark.parametrize("kind", ["SGD", "Adam"])
def test_a_training_step_changes_variables_alike(kind):
    def trained(**options):
        tf.random.set_seed(0)
        model = tf.keras.Sequential(
            [
                tf.keras.layers.Dense(8, activation="tanh", input_shape=(4,)),
                tf.keras.layers.Dense(3),
            ]
        )
        optimizer = getattr(tf.keras.optimizers, kind)(0.05)

        @tf.function(**options)
        def step(x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(
                    tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=model(x))
                )
            variables = model.trainable_variables
            optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))
            return loss

        rng = np.random.default_rng(1)
        x = tf.constant(rng.normal(size=(16, 4)).astype("float32"))
        y = tf.constant(rng.integers(0, 3, 16))
        return [step(x, y).numpy() for _ in range(5)], [v.numpy() for v in model.variables]

    plain, compiled = trained(), trained(jit_compile=True)
    np.testing.assert_allclose(plain[0], compiled[0], rtol=1e-4)
    assert plain[0][-1] < plain[0][0]
    for one, two in zip(plain[1], compiled[1], strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("build", ["convolution", "recurrent", "attention"])
def test_models_give_the_same(build):
    layers = tf.keras.layers
    rng = np.random.default_rng(0)
    if build == "convolution":
        model = tf.keras.Sequential(
            [layers.Conv2D(4, 3, padding="same", activation="relu"), layers.MaxPooling2D(), layers.BatchNormalization(),
             layers.Flatten(), layers.Dense(3, activation="softmax")]
        )  # fmt: skip
        x = rng.normal(size=(2, 8, 8, 3))
    elif build == "recurrent":
        model = tf.keras.Sequential([layers.LSTM(5, return_sequences=True), layers.GRU(4)])
        x = rng.normal(size=(2, 6, 3))
    else:
        inputs = tf.keras.Input((6, 8))
        made = layers.LayerNormalization()(layers.Attention()([inputs, inputs]))
        model = tf.keras.Model(inputs, made)
        x = rng.normal(size=(2, 6, 8))
    x = tf.constant(x.astype("float32"))
    wanted = model(x)
    close(tf.function(lambda x: model(x), jit_compile=True, autograph=False)(x), wanted, 1e-4)


def test_random_numbers_and_python_run_between_compiled_parts():
    seen = []

    @tf.function(jit_compile=True)
    def noisy(x):
        y = tf.tanh(x) + tf.random.stateless_uniform([3], [1, 2])
        y = tf.numpy_function(lambda v: (seen.append(v.shape), v)[1], [y], tf.float32)
        y.set_shape([3])
        return y * 2.0 + tf.random.uniform([3])

    x = tf.constant([1.0, 2.0, 3.0])
    assert np.any(noisy(x).numpy() != noisy(x).numpy())
    assert seen == [(3,), (3,)]


def test_the_compilers_text():
    @tf.function(jit_compile=True)
    def add(x):
        return x + 1.0

    text = add.experimental_get_compiler_ir(tf.constant([1.0, 2.0]))(stage="hlo")
    assert "add" in text and "f32[2]" in text or "tensor<2xf32>" in text


def test_without_the_extra_the_error_names_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "jax", None)

    @tf.function(jit_compile=True)
    def add(x):
        return x + 1.0

    with pytest.raises(ImportError, match=r"jit_compile=True.*eagercore\[xla\]"):
        add(tf.constant(1.0))
