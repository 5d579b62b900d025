"""Saved models: what was saved runs again without its source, and files hold no code."""

import json
import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import eagercore as tf
from eagercore.core.tensor import NOTHING
from eagercore.graph.function import Function
from eagercore.testing import contract
from eagercore.testing.samples import samples_of


def again(obj, folder, **options):
    tf.saved_model.save(obj, folder, **options)
    return tf.saved_model.load(folder)


class Counter(tf.Module):
    def __init__(self):
        super().__init__(name="counter")
        self.w = tf.Variable([[1.0, -2.0], [0.5, 3.0]], name="w")
        self.calls = tf.Variable(0, trainable=False, name="calls")
        self.parts = [tf.Variable(2.0), {"inner": tf.Variable(b"text")}]

    @tf.function
    def __call__(self, x, scale=2.0, training=False):
        self.calls.assign_add(1)
        y = tf.matmul(x, self.w) * scale
        if training:
            y = y + 1.0
        if tf.reduce_sum(y) > 0:
            y = y * self.parts[0]
        for i in tf.range(3):
            y = y * 0.9 + tf.cast(i, tf.float32)
        return {"y": y, "calls": self.calls + 0}

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def greet(self, names):
        return tf.strings.join([["hello "], names]), self.parts[1]["inner"]


@pytest.fixture
def counter():
    module = Counter()
    x = tf.constant([[1.0, 2.0]])
    module(x), module(x, training=True), module(x, scale=3.0)
    return module


def test_every_trace_is_there_and_gives_the_same(counter, tmp_path):
    loaded = again(counter, tmp_path)
    for x in ([[1.0, 2.0]], [[-5.0, -1.0]]):
        for options in ({}, {"training": True}, {"scale": 3.0}):
            wanted = counter(tf.constant(x), **options)["y"].numpy()
            np.testing.assert_array_equal(loaded(tf.constant(x), **options)["y"].numpy(), wanted)
    assert loaded.calls.numpy() == counter.calls.numpy()
    assert int(loaded(tf.constant([[1.0, 2.0]]))["calls"]) == int(loaded.calls)


def test_attributes_keep_their_places(counter, tmp_path):
    loaded = again(counter, tmp_path)
    assert loaded.parts[0].numpy() == 2.0 and loaded.parts[1]["inner"].numpy() == b"text"
    assert [v.name for v in loaded.trainable_variables][:1] and not loaded.calls.trainable
    assert {v.name for v in loaded.variables} == {v.name for v in counter.variables}
    greeting, inner = loaded.greet(tf.constant(["a", "b"]))
    assert greeting.numpy().tolist() == [b"hello a", b"hello b"] and inner.numpy() == b"text"


def test_gradients_flow_to_second_order(counter, tmp_path):
    loaded = again(counter, tmp_path)
    x = tf.constant([[1.0, 2.0]])
    found = []
    for function, w in ((counter, counter.w), (loaded, loaded.w)):
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                loss = tf.reduce_sum(function(x)["y"] ** 3)
            first = inner.gradient(loss, w)
            size = tf.reduce_sum(first**2)
        found.append((first.numpy(), outer.gradient(size, w).numpy()))
    np.testing.assert_array_equal(found[0][0], found[1][0])
    np.testing.assert_array_equal(found[0][1], found[1][1])
    assert np.any(found[0][1] != 0)


def test_a_loaded_function_runs_inside_others(counter, tmp_path):
    loaded = again(counter, tmp_path)

    @tf.function
    def outer(x):
        return loaded(x)["y"] + 1.0

    x = tf.constant([[1.0, 2.0]])
    np.testing.assert_array_equal(outer(x).numpy(), counter(x)["y"].numpy() + 1.0)


def test_an_argument_that_fits_no_trace_is_refused_with_what_there_is(counter, tmp_path):
    loaded = again(counter, tmp_path)
    with pytest.raises(
        ValueError, match=r"Could not find matching concrete function[\s\S]*3 option"
    ) as error:
        loaded(tf.constant([[1.0, 2.0]]), 5.0)
    assert "5.0" in str(error.value) and "3.0" in str(error.value)
    with pytest.raises(ValueError, match="Could not find matching"):
        loaded(tf.constant([[1, 2]]))


def test_a_function_that_was_never_traced_says_so(tmp_path):
    class Bare(tf.Module):
        @tf.function
        def double(self, x):
            return x * 2

    loaded = again(Bare(), tmp_path)
    with pytest.raises(ValueError, match="never traced before it was saved"):
        loaded.double(tf.constant(1.0))


def test_functions_and_traces_are_saved_as_they_are(tmp_path):
    table = tf.Variable([1.0, 2.0])

    @tf.function
    def add(a, b):
        return a + b * table

    x = tf.constant([1.0, 1.0])
    wanted = add(x, x).numpy()
    loaded = again(add, tmp_path / "function")
    np.testing.assert_array_equal(loaded(x, x).numpy(), wanted)
    np.testing.assert_array_equal(loaded(b=x, a=x).numpy(), wanted)
    assert len(loaded.variables) == 1
    trace = again(add.get_concrete_function(x, x), tmp_path / "trace")
    np.testing.assert_array_equal(trace(x, x).numpy(), wanted)


def test_structures_of_arguments_and_results(tmp_path):
    import collections

    Pair = collections.namedtuple("Pair", "left right")

    @tf.function
    def swap(pair, more, flag=None, kind=tf.float32):
        return Pair(pair.right, tf.cast(pair.left, kind)), [more["a"], None], (tf.constant(1),)

    given = Pair(tf.constant(1), tf.constant(2.0)), {"a": tf.constant([True])}
    swap(*given)
    loaded = again(swap, tmp_path)
    first, second, third = loaded(*given)
    assert (
        type(first).__name__ == "Pair"
        and first.left.numpy() == 2.0
        and first.right.dtype is tf.float32
    )
    assert second[0].numpy().tolist() == [True] and second[1] is None and third[0].numpy() == 1


def test_signatures_take_and_give_names(counter, tmp_path):
    concrete = counter.__call__.get_concrete_function(tf.TensorSpec([None, 2], name="pixels"))
    loaded = again(counter, tmp_path, signatures={"serving_default": concrete})
    serve = loaded.signatures["serving_default"]
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    made = serve(pixels=x)
    assert set(made) == {"y", "calls"}
    np.testing.assert_array_equal(made["y"].numpy(), counter(x)["y"].numpy())
    assert list(serve.structured_input_signature[1]) == ["pixels"]
    assert serve.structured_outputs["y"].dtype is tf.float32
    with pytest.raises(TypeError, match="no tensor argument 'dots'"):
        serve(dots=x)


def test_a_signature_of_several_traces_is_refused(counter, tmp_path):
    with pytest.raises(ValueError, match="3 traces"):
        tf.saved_model.save(counter, tmp_path, signatures=counter.__call__)
    with pytest.raises(ValueError, match=r"must be a tf\.function"):
        tf.saved_model.save(counter, tmp_path, signatures=lambda x: x)


def model():
    layers = tf.keras.layers
    made = tf.keras.Sequential(
        [
            layers.Conv2D(3, 3, activation="relu", input_shape=(6, 6, 2)),
            layers.BatchNormalization(),
            layers.Flatten(),
            layers.Dropout(0.5),
            layers.Dense(4, activation="softmax", name="kind"),
        ]
    )
    made.compile("adam", "mse")
    made.fit(np.ones((4, 6, 6, 2), "float32"), np.zeros((4, 4), "float32"), verbose=0)
    return made


def test_a_model_serves_any_batch_and_trains_on(tmp_path):
    original = model()
    loaded = again(original, tmp_path)
    rng = np.random.default_rng(0)
    for batch in (1, 5):
        images = tf.constant(rng.normal(size=(batch, 6, 6, 2)).astype("float32"))
        wanted = original(images, training=False).numpy()
        np.testing.assert_array_equal(loaded(images).numpy(), wanted)
        served = loaded.signatures["serving_default"](images)
        np.testing.assert_array_equal(served["kind"].numpy(), wanted)
    assert len(loaded.trainable_variables) == len(original.trainable_variables)
    moving = [v for v in loaded.variables if "moving_mean" in v.name][0]
    before = moving.numpy()
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(loaded(images, training=True) ** 2)
    gradients = tape.gradient(loss, loaded.trainable_variables)
    assert all(g is not None for g in gradients) and np.any(moving.numpy() != before)


def test_a_subclassed_model_is_saved_after_its_first_call(tmp_path):
    class Gated(tf.keras.Model):
        def __init__(self):
            super().__init__(name="gated")
            self.dense = tf.keras.layers.Dense(3)

        def call(self, inputs):
            made = self.dense(inputs)
            if tf.reduce_sum(made) > 0:
                return made * 2.0
            return -made

    gated = Gated()
    with pytest.raises(ValueError, match="call it on data first"):
        tf.saved_model.save(gated, tmp_path)
    x = tf.constant([[1.0, 2.0]])
    gated(x)
    loaded = again(gated, tmp_path)
    for sign in (1.0, -1.0):
        np.testing.assert_array_equal(loaded(sign * x).numpy(), gated(sign * x).numpy())
    assert loaded(tf.ones([7, 2])).shape == (7, 3)


def test_models_of_several_inputs_and_outputs(tmp_path):
    one, two = tf.keras.Input((2,), name="one"), tf.keras.Input((3,), name="two")
    joined = tf.keras.layers.Concatenate()([one, two])
    outputs = [
        tf.keras.layers.Dense(1, name="price")(joined),
        tf.keras.layers.Dense(2, name="kind")(joined),
    ]
    original = tf.keras.Model([one, two], outputs)
    loaded = again(original, tmp_path)
    given = [tf.ones([4, 2]), tf.ones([4, 3])]
    for a, b in zip(original(given), loaded(given), strict=True):
        np.testing.assert_array_equal(a.numpy(), b.numpy())
    served = loaded.signatures["serving_default"](one=given[0], two=given[1])
    assert set(served) == {"price", "kind"}


def test_recurrent_models(tmp_path):
    original = tf.keras.Sequential(
        [
            tf.keras.layers.Embedding(10, 4, mask_zero=True),
            tf.keras.layers.LSTM(3),
            tf.keras.layers.Dense(1),
        ]
    )
    tokens = tf.constant([[1, 2, 0], [3, 0, 0]])
    wanted = original(tokens).numpy()
    np.testing.assert_array_equal(again(original, tmp_path)(tokens).numpy(), wanted)


def test_random_numbers_are_fresh_after_loading(tmp_path):
    @tf.function(input_signature=[tf.TensorSpec([2])])
    def noisy(x):
        return x + tf.random.normal([2])

    loaded = again(noisy, tmp_path)
    x = tf.zeros([2])
    assert np.any(loaded(x).numpy() != loaded(x).numpy())


def test_what_cannot_be_saved_is_named_with_its_line(tmp_path):
    @tf.function(input_signature=[tf.TensorSpec([])])
    def calls_python(x):
        return tf.py_function(lambda v: v + 1, [x], tf.float32)

    with pytest.raises(
        tf.errors.UnimplementedError,
        match=r"made in .*.*test_saved_model\.py, line \d+ .*calls a Python",
    ):
        tf.saved_model.save(calls_python, tmp_path)

    @tf.function(input_signature=[tf.TensorSpec([])])
    def array(x):
        return tf.TensorArray(tf.float32, 1).write(0, x)

    with pytest.raises(tf.errors.UnimplementedError, match="TensorArray"):
        tf.saved_model.save(array, tmp_path)
    with pytest.raises(ValueError, match="Expected an object"):
        tf.saved_model.save(3, tmp_path)
    assert not tf.saved_model.contains_saved_model(tmp_path)


def test_a_users_gradient_is_kept(tmp_path):
    scale = tf.Variable(3.0)

    @tf.custom_gradient
    def odd(x, y):
        z = tf.exp(x)

        def gradient(dz, variables=None):
            return (dz * z * 5.0 + y, None), [dz * 7.0 * scale]

        return z * y * scale, gradient

    @tf.function(input_signature=[tf.TensorSpec([]), tf.TensorSpec([])])
    def call(x, y):
        return odd(x * 2.0, y) + 1.0

    loaded = again(call, tmp_path)
    x, y = tf.constant(0.5), tf.constant(2.0)
    found = []
    for function, variable in ((call, scale), (loaded, loaded.variables[0])):
        with tf.GradientTape() as outer:
            outer.watch([x, y])
            with tf.GradientTape() as tape:
                tape.watch([x, y])
                made = function(x, y)
            first = tape.gradient(made, [x, y, variable])
        assert first[1] is None
        found.append(
            [made.numpy(), first[0].numpy(), first[2].numpy(), outer.gradient(first[0], x).numpy()]
        )
    np.testing.assert_array_equal(found[0], found[1])


def test_optimizers_steps_are_saved(tmp_path):
    class Trainer(tf.Module):
        def __init__(self):
            self.w = tf.Variable([1.0, 2.0])
            self.optimizer = tf.keras.optimizers.Adam(0.1)

        @tf.function(input_signature=[tf.TensorSpec([2])])
        def step(self, x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum((self.w - x) ** 2)
            self.optimizer.apply_gradients(
                zip(tape.gradient(loss, [self.w]), [self.w], strict=True)
            )
            return loss

    trainer = Trainer()
    x = tf.constant([0.0, 0.0])
    trainer.step(x)
    loaded = again(trainer, tmp_path)
    for _ in range(3):
        assert trainer.step(x).numpy() == loaded.step(x).numpy()
    np.testing.assert_array_equal(trainer.w.numpy(), loaded.w.numpy())


def test_it_runs_in_a_process_that_has_no_source(tmp_path):
    original = model()
    tf.saved_model.save(original, tmp_path)
    x = np.linspace(0, 1, 144, dtype="float32").reshape(2, 6, 6, 2)
    code = textwrap.dedent(
        f"""
        import sys
        import numpy as np
        import eagercore as tf
        loaded = tf.saved_model.load({str(tmp_path)!r})
        x = np.linspace(0, 1, 144, dtype="float32").reshape(2, 6, 6, 2)
        sys.stdout.write(" ".join(repr(float(v)) for v in loaded(tf.constant(x)).numpy().reshape(-1)))
        """
    )
    made = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=os.environ, check=True
    )
    found = np.array([float(v) for v in made.stdout.split()], "float32").reshape(2, 4)
    np.testing.assert_allclose(found, original(tf.constant(x)).numpy(), rtol=1e-6)


def test_files_are_json_and_arrays(counter, tmp_path):
    tf.saved_model.save(counter, tmp_path)
    tf.saved_model.save(counter, tmp_path)
    names = sorted(n.split(".")[0] + "." + n.split(".")[-1] for n in os.listdir(tmp_path))
    assert names == ["constants.safetensors", "saved_model.json", "variables.safetensors"]
    document = json.loads((tmp_path / "saved_model.json").read_text())
    assert document["format"] == "eagercore.saved_model"
    safetensors = pytest.importorskip("safetensors.numpy")
    [name] = [n for n in os.listdir(tmp_path) if n.startswith("variables")]
    arrays = safetensors.load_file(tmp_path / name)
    np.testing.assert_array_equal(
        next(a for k, a in arrays.items() if k.endswith(" w")), counter.w.numpy()
    )


def test_layers_that_prepare_texts(tmp_path):
    layers = tf.keras.layers
    words = layers.TextVectorization(output_sequence_length=4)
    words.adapt(["the cat sat", "the dog!"])
    bins = layers.StringLookup(num_oov_indices=3, vocabulary=["a", "b"])
    text, kind = tf.keras.Input((1,), dtype="string"), tf.keras.Input((1,), dtype="string")
    made = [
        layers.Embedding(10, 2)(words(text)),
        bins(kind),
        layers.StringLookup(vocabulary=["a"], output_mode="multi_hot")(kind),
    ]
    original = tf.keras.Model([text, kind], made)
    given = [tf.constant([["A dog, the cat"], ["bird"]]), tf.constant([["b"], ["zebra"]])]
    loaded = again(original, tmp_path)
    for one, two in zip(original(given), loaded(given), strict=True):
        np.testing.assert_array_equal(one.numpy(), two.numpy())
    own = tf.keras.Sequential(
        [
            tf.keras.Input((1,), dtype="string"),
            layers.TextVectorization(standardize=tf.strings.lower, vocabulary=["a"]),
        ]
    )
    with pytest.raises(tf.errors.UnimplementedError, match="rows_of_texts"):
        tf.saved_model.save(own, tmp_path)


def change(folder, edit):
    path = folder / "saved_model.json"
    document = json.loads(path.read_text())
    edit(document)
    path.write_text(json.dumps(document))


@pytest.mark.parametrize(
    "edit, words",
    [
        (lambda d: d.update(version=99), "version 99"),
        (lambda d: d.update(format="other"), "not a saved model"),
        (lambda d: d["graphs"][0]["outputs"].append([999, 0]), "no tensor"),
        (lambda d: d["graphs"][0]["nodes"][1].update(inputs=[[-1, 0]]), "no tensor"),
        (lambda d: d.pop("objects"), "damaged"),
        (lambda d: d.update(variables_file="gone.safetensors"), "missing"),
        (lambda d: d["variables"][0].update(value={"key": "gone"}), "missing"),
    ],
)
def test_damage_is_found(counter, tmp_path, edit, words):
    tf.saved_model.save(counter, tmp_path)
    change(tmp_path, edit)
    with pytest.raises(ValueError, match=words):
        tf.saved_model.load(tmp_path)


def test_a_file_names_no_code_to_import(counter, tmp_path):
    tf.saved_model.save(counter, tmp_path)
    change(tmp_path, lambda d: d["graphs"][0]["nodes"][2].update(op="system", module="os"))
    with pytest.raises(tf.errors.NotFoundError, match="'system'"):
        tf.saved_model.load(tmp_path)


def test_a_directory_without_a_model(tmp_path):
    with pytest.raises(OSError, match="does not exist"):
        tf.saved_model.load(tmp_path)
    (tmp_path / "saved_model.pb").write_bytes(b"")
    with pytest.raises(OSError, match="ONNX or HDF5"):
        tf.saved_model.load(tmp_path)


OPS = [
    op
    for op in contract.all_ops().values()
    if contract.deterministic(op) and not op.extra.get("effect")
]


def calling(op, attrs, count, given):
    def call(*present):
        every = [NOTHING] * count
        for i, tensor in zip(given, present, strict=True):
            every[i] = tensor
        return contract.call(op, every, attrs)

    return call


def test_traces_for_python_objects_are_left_out(tmp_path):
    @tf.function
    def apply(x, function):
        return function(x)

    x = tf.constant(2.0)
    apply(x, tf.sqrt)
    with pytest.raises(ValueError, match="no trace.*arguments that are no tensors"):
        again(apply, tmp_path)(x, tf.sqrt)


def test_an_object_that_does_not_say_what_it_consists_of_is_named(tmp_path):
    from eagercore.ops.vocabulary import rows_of_texts

    class Rule:
        dtype, width = tf.int64, 1

        def rows(self, texts):
            return np.array([[len(t)] for t in texts], np.int64)

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def lengths(texts):
        return rows_of_texts(texts, rule=Rule())

    with pytest.raises(
        tf.errors.UnimplementedError,
        match="rows_of_texts made in .*of type Rule.*its attribute rule",
    ):
        tf.saved_model.save(lengths, tmp_path)


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_every_op_is_the_same_after_loading(op, tmp_path):
    if op.name == "with_gradient":
        pytest.skip(
            "its sample's gradient function is a bare lambda; test_a_users_gradient_is_kept goes through the decorator"
        )
    for inputs, attrs in samples_of(op):
        given = [i for i, a in enumerate(inputs) if a is not None]
        tensors = [tf.constant(inputs[i]) for i in given]

        traced = Function(calling(op, attrs, len(inputs), given), autograph=False)
        wanted = traced(*tensors)
        loaded = again(traced.get_concrete_function(*tensors), tmp_path)
        for one, two in zip(
            tf.nest.flatten(wanted), tf.nest.flatten(loaded(*tensors)), strict=True
        ):
            assert one.dtype is two.dtype
            np.testing.assert_array_equal(one.numpy(), two.numpy())
