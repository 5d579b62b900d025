import numpy as np
import pytest

import eagercore as tf

K = tf.keras
L = K.layers


def small():
    x = K.Input((4,), name="x")
    h = L.Dense(3, activation="relu", name="h")(x)
    return K.Model(x, [L.Dense(1, name="a")(h), tf.reduce_mean(h + 1.0, axis=1)])


def test_functional_model_runs_and_is_drawn_once():
    model = small()
    a, b = model(np.ones((2, 4)))
    assert a.shape == (2, 1) and b.shape == (2,)
    assert model.input_names == ["x"] and model.inputs[0].shape.as_list() == [None, 4]
    h = K.Model(model.input, model.get_layer("h").output)(np.ones((2, 4)))
    assert np.allclose(tf.reduce_mean(h + 1.0, axis=1), b)
    assert [layer.name for layer in model.layers][:2] == ["x", "h"]


def test_shared_layers_share_their_weights():
    shared = L.Dense(2)
    one, two = K.Input((3,)), K.Input((3,))
    model = K.Model([one, two], L.subtract([shared(one), shared(two)]))
    x = np.random.default_rng(0).normal(size=(2, 3)).astype("f")
    assert np.allclose(model([x, x]), 0.0) and len(model.weights) == 2
    with pytest.raises(AttributeError, match="multiple inbound nodes"):
        _ = shared.output
    assert shared.get_output_at(1).shape.as_list() == [None, 2]


def test_structures_of_inputs_and_outputs():
    inputs = {"a": K.Input((2,), name="a"), "b": K.Input((2,), name="b")}
    model = K.Model(inputs, {"sum": inputs["a"] + inputs["b"], "a": inputs["a"] * 2.0})
    found = model({"b": tf.ones([1, 2]), "a": tf.zeros([1, 2])})
    assert found["sum"].numpy().tolist() == [[1.0, 1.0]] and found["a"].numpy().tolist() == [
        [0.0, 0.0]
    ]


def test_operations_on_symbolic_tensors():
    x = K.Input((3,))
    w = tf.Variable([[1.0], [2.0], [3.0]])
    cases = {
        "index": (x[:, 1], lambda a: a[:, 1]),
        "scalar": (1.0 - x * 2.0, lambda a: 1.0 - a * 2.0),
        "concat": (tf.concat([x, x], axis=1), lambda a: np.concatenate([a, a], 1)),
        "reshape": (tf.reshape(x, [-1, 3, 1]), lambda a: a.reshape(-1, 3, 1)),
        "variable": (tf.matmul(x, w), lambda a: a @ np.array([[1.0], [2.0], [3.0]], "f")),
        "compare": (tf.where(x > 0.0, x, 0.0 * x), lambda a: np.where(a > 0, a, 0)),
        "shape": (tf.zeros(tf.shape(x)) + x, lambda a: a),
        "split": (tf.split(x, 3, axis=1)[2], lambda a: a[:, 2:]),
    }
    a = np.random.default_rng(0).normal(size=(2, 3)).astype("f")
    for name, (y, expected) in cases.items():
        model = K.Model(x, y)
        assert np.allclose(model(a), expected(a)), name
        again = K.models.model_from_json(model.to_json())
        if name != "variable":
            assert np.allclose(again(a), expected(a)), name
    model = K.Model(x, cases["variable"][0])
    assert len(model.trainable_weights) == 1
    w.assign(w * 2.0)
    assert np.allclose(model(a), a @ np.array([[2.0], [4.0], [6.0]], "f")), (
        "the variable is read at each call"
    )


@pytest.mark.parametrize("seed", [None, 3])
def test_random_operations_draw_at_each_call(seed):
    tf.random.set_seed(seed)
    x = K.Input((2,))
    model = K.Model(x, x + tf.random.normal(tf.shape(x)))
    a = np.zeros((3, 2), "f")
    assert not np.allclose(model(a), model(a))
    again = K.models.model_from_json(model.to_json())
    assert again(a).shape == (3, 2)


@pytest.mark.parametrize(
    ("act", "error", "message"),
    [
        (
            lambda: K.Model(K.Input((2,)), L.Dense(1)(K.Input((3,)))),
            ValueError,
            "Graph disconnected",
        ),
        (
            lambda: small()(tf.ones([2, 5])),
            ValueError,
            r"expected shape=\(None, 4\), found shape=\(2, 5\)",
        ),
        (lambda: small()([tf.ones([2, 4]), tf.ones([2, 4])]), ValueError, "expects 1 input"),
        (lambda: bool(K.Input((2,))), TypeError, "cannot be used as a boolean"),
        (lambda: small().get_layer("nope"), ValueError, "No such layer: nope"),
        (lambda: small().get_layer(index=9), ValueError, "only has"),
        (lambda: K.Input(), ValueError, "provide to Input a `shape`"),
        (lambda: L.Dense(1).output, AttributeError, "never been called"),
        (
            lambda: K.Sequential([L.Dense(1, name="a"), L.Dense(1, name="a")]),
            ValueError,
            "unique names",
        ),
        (lambda: K.Sequential([3]), TypeError, "must be an instance of class Layer"),
        (lambda: K.Sequential([L.Dense(1)]).summary(), ValueError, "not yet been built"),
        (lambda: K.Model()(tf.ones([1])), NotImplementedError, "must override its `call"),
    ],
)
def test_messages(act, error, message):
    with pytest.raises(error, match=message):
        act()


def test_sequential_grows_and_shrinks():
    model = K.Sequential([L.Dense(3, input_shape=(4,))])
    model.add(L.Dense(2))
    assert model.output_shape == (None, 2) and model.built and len(model.weights) == 4
    model.pop()
    assert model.output_shape == (None, 3) and len(model.layers) == 1
    later = K.Sequential([L.Dense(3)])
    assert not later.built and later.weights == []
    later(tf.ones([2, 5]))
    assert later.built and later.output_shape == (None, 3)
    later.add(L.Dense(1))
    assert later(tf.ones([2, 5])).shape == (2, 1)
    built = K.Sequential([L.Dense(3), L.Dense(1)])
    built.build((None, 2))
    assert built.count_params() == 13
    nested = K.Sequential([built, L.Dense(2)])
    assert nested(tf.ones([1, 2])).shape == (1, 2) and len(nested.weights) == 6


def test_summary_text(capsys):
    K.backend.clear_session()
    model = K.Sequential([L.Dense(3, input_shape=(4,)), L.BatchNormalization(), L.Dense(1)])
    model.summary()
    assert capsys.readouterr().out == (
        'Model: "sequential"\n'
        "_________________________________________________________________\n"
        "Layer (type)                 Output Shape              Param #   \n"
        "=================================================================\n"
        "dense (Dense)                (None, 3)                 15        \n"
        "_________________________________________________________________\n"
        "batch_normalization (BatchNo (None, 3)                 12        \n"
        "_________________________________________________________________\n"
        "dense_1 (Dense)              (None, 1)                 4         \n"
        "=================================================================\n"
        "Total params: 31\n"
        "Trainable params: 25\n"
        "Non-trainable params: 6\n"
        "_________________________________________________________________\n"
    )
    lines = []
    small().summary(print_fn=lines.append)
    assert any("x[0][0]" in line for line in lines) and lines[2].rstrip().endswith("Connected to")


def test_subclass_summary_counts_late_layers(capsys):
    class M(K.Model):
        def build(self, input_shape):
            self.inner = L.Dense(1)

        def call(self, x):
            return self.inner(x)

    model = M()
    with pytest.raises(ValueError, match="not yet been built"):
        model.summary()
    model(tf.ones([5, 10]))
    model.summary()
    assert "Total params: 11" in capsys.readouterr().out


def test_build_of_a_subclass_makes_all_variables():
    class M(K.Model):
        def __init__(self):
            super().__init__()
            self.parts = [L.Dense(2), L.Dropout(0.5), L.Dense(3)]

        def call(self, x, training=None):
            for part in self.parts:
                x = part(x)
            return tf.nn.softmax(x)

    model = M()
    assert model.variables == [] and not model.built
    model.build((None, 4))
    assert model.built and len(model.variables) == 4 and len(model.layers) == 3
    assert M.__name__.lower() == model.name.split("_")[0]


def test_names_of_variables_hold_the_models_around_them():
    K.backend.clear_session()

    class Inside(K.Model):
        def __init__(self):
            super().__init__()
            self.d = L.Dense(1)

        def call(self, x):
            return self.d(x)

    model = Inside()
    model(tf.ones([1, 2]))
    assert [v.name for v in model.variables] == ["inside/dense/kernel:0", "inside/dense/bias:0"]


def test_layers_made_in_call_are_not_tracked():
    class M(K.Model):
        def call(self, x):
            return L.Dense(2)(x)

    model = M()
    with pytest.warns(UserWarning, match="Make it in __init__"):
        model(tf.ones([1, 2]))
    assert model.variables == []


def test_symbolic_losses_and_metrics():
    x = K.Input((3,))
    y = L.Dense(3)(x)
    model = K.Model(x, y)
    model.add_loss(tf.reduce_mean(tf.square(x - y)))
    model.add_metric(tf.reduce_sum(y), name="total")
    model.compile("sgd")
    data = np.random.default_rng(0).normal(size=(32, 3)).astype("f")
    history = model.fit(data, epochs=3, verbose=0).history
    assert history["loss"][-1] < history["loss"][0] and "total" in history


def test_clone_and_json_make_the_same_model():
    model = K.Sequential(
        [
            L.Conv2D(2, 3, input_shape=(6, 6, 1)),
            L.BatchNormalization(),
            L.Flatten(),
            L.Dense(2, activation="softmax"),
        ]
    )
    x = np.random.default_rng(0).normal(size=(3, 6, 6, 1)).astype("f")
    for again in (K.models.clone_model(model), K.models.model_from_json(model.to_json())):
        assert not np.allclose(again(x), model(x))
        again.set_weights(model.get_weights())
        assert np.allclose(again(x), model(x))
    functional = small()
    copy = K.models.clone_model(
        functional, clone_function=lambda layer: type(layer).from_config(layer.get_config())
    )
    assert len(copy.weights) == 4


def test_custom_classes_need_a_name_to_be_loaded():
    class Twice(L.Layer):
        def call(self, x):
            return x * 2.0

    model = K.Sequential([K.Input((2,)), Twice()])
    text = model.to_json()
    with pytest.raises(ValueError, match="Unknown layer: Twice"):
        K.models.model_from_json(text)
    again = K.models.model_from_json(text, {"Twice": Twice})
    assert again(np.ones((1, 2))).numpy().tolist() == [[2.0, 2.0]]
    with K.utils.custom_object_scope({"Twice": Twice}):
        K.models.model_from_json(text)


@pytest.mark.parametrize("ending", ["", ".h5", ".npz", ".safetensors"])
def test_weights_go_through_files(tmp_path, ending):
    model = K.Sequential([L.Dense(3, input_shape=(2,)), L.BatchNormalization(), L.Dense(1)])
    path = str(tmp_path / f"w{ending}")
    model.save_weights(path)
    again = K.models.clone_model(model)
    again.load_weights(path)
    for one, two in zip(model.get_weights(), again.get_weights(), strict=True):
        assert np.array_equal(one, two)
    assert not [f for f in tmp_path.iterdir() if "tmp" in f.name]


def test_weights_by_name(tmp_path):
    first = K.Sequential([L.Dense(3, name="a", input_shape=(2,)), L.Dense(1, name="b")])
    first.save_weights(str(tmp_path / "w.h5"))
    second = K.Sequential([L.Dense(3, name="a", input_shape=(2,)), L.Dense(4, name="c")])
    with pytest.raises(ValueError, match="Shape mismatch"):
        second.load_weights(str(tmp_path / "w.h5"))
    second.load_weights(str(tmp_path / "w.h5"), by_name=True)
    assert np.array_equal(first.get_weights()[0], second.get_weights()[0])
    with pytest.raises(FileNotFoundError):
        second.load_weights(str(tmp_path / "nowhere.h5"))
    with pytest.raises(ValueError, match="no weights yet"):
        K.Sequential([L.Dense(1)]).save_weights(str(tmp_path / "x.h5"))


def test_checkpoint_restores_before_the_model_is_built(tmp_path):
    class M(K.Model):
        def __init__(self):
            super().__init__()
            self.d = L.Dense(1)

        def call(self, x):
            return self.d(x)

    x = tf.constant([[1.0, 2.0]])

    def step(model, optimizer):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(model(x) ** 2)
        optimizer.apply_gradients(
            zip(tape.gradient(loss, model.variables), model.variables, strict=True)
        )

    first, optimizer = M(), K.optimizers.Adam(0.1)
    first(x)
    first.set_weights([np.array([[7.0], [8.0]]), np.array([0.0])])
    path = tf.train.Checkpoint(model=first, optimizer=optimizer).save(str(tmp_path / "ckpt"))
    fresh = M()
    status = tf.train.Checkpoint(model=fresh, optimizer=K.optimizers.Adam(0.1)).restore(path)
    assert len(fresh.variables) == 0 and float(fresh(x)[0, 0]) == 23.0
    status.assert_existing_objects_matched()
    step(first, optimizer)
    path = tf.train.Checkpoint(model=first, optimizer=optimizer).save(str(tmp_path / "ckpt2"))
    second, other = M(), K.optimizers.Adam(0.1)
    status = tf.train.Checkpoint(model=second, optimizer=other).restore(path)
    step(first, optimizer)
    step(second, other)
    for one, two in zip(first.get_weights(), second.get_weights(), strict=True):
        assert np.array_equal(one, two), "moments and step came back"
    status.assert_consumed()
    first.save_weights(str(tmp_path / "w"))
    third = M()
    third.load_weights(str(tmp_path / "w"))
    assert np.allclose(third(x), first(x))


@pytest.mark.parametrize("ending", ["", ".h5", ".keras"])
def test_whole_models_go_through_files(tmp_path, ending):
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(20, 6, 6, 1)).astype("f"), rng.integers(0, 2, 20)
    model = K.Sequential(
        [L.Conv2D(2, 3, input_shape=(6, 6, 1)), L.Flatten(), L.Dense(2, activation="softmax")]
    )
    model.compile(K.optimizers.Adam(0.01), "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(x, y, epochs=2, verbose=0)
    path = str(tmp_path / f"m{ending}")
    model.save(path)
    again = K.models.load_model(path)
    assert np.allclose(again.predict(x), model.predict(x))
    assert again.evaluate(x, y, verbose=0) == model.evaluate(x, y, verbose=0)
    assert int(again.optimizer.iterations) == int(model.optimizer.iterations)
    model.train_on_batch(x, y)
    again.train_on_batch(x, y)
    for one, two in zip(model.get_weights(), again.get_weights(), strict=True):
        assert np.allclose(one, two, atol=1e-6)
    with pytest.raises(FileExistsError):
        model.save(path, overwrite=False)


def test_subclasses_are_not_saved_whole(tmp_path):
    class M(K.Model):
        def call(self, x):
            return x

    with pytest.raises(NotImplementedError, match="get_config"):
        M().save(str(tmp_path / "m.h5"))
    with pytest.raises(OSError, match="No file"):
        K.models.load_model(str(tmp_path / "nowhere"))


def test_lambda_is_found_by_name_only(tmp_path):
    def double(x):
        return x * 2.0

    model = K.Sequential([K.Input((2,)), L.Lambda(double)])
    text = model.to_json()
    with pytest.raises(ValueError, match="Files hold no code"):
        K.models.model_from_json(text)
    again = K.models.model_from_json(text, {"double": double})
    assert again(np.ones((1, 2))).numpy().tolist() == [[2.0, 2.0]]


def test_predict_leaves_the_tape():
    model = K.Sequential([L.Dense(1, kernel_initializer="ones")])
    x = tf.constant([[1.0, 2.0]])
    with tf.GradientTape(persistent=True) as tape:
        left = tf.reduce_sum(model.predict(x))
        right = tf.reduce_sum(model(x))
    kernel, bias = tape.gradient(right, model.trainable_variables)
    assert kernel.numpy().ravel().tolist() == [1.0, 2.0] and bias.numpy() == [1.0]
    assert tape.gradient(left, model.trainable_variables) == [None, None]

    class Own(K.Model):
        def __init__(self):
            super().__init__()
            self.w = self.add_weight("w", shape=(2, 1), initializer="ones")

        def predict(self, x):
            return tf.matmul(x, self.w)

    own = Own()
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(own.predict(x))
    assert tape.gradient(loss, own.trainable_variables)[0].numpy().ravel().tolist() == [1.0, 2.0]


def test_published_training_argument():
    """Batch normalization in training, dropout not, whatever the model is called with."""

    class M(K.Model):
        def __init__(self):
            super().__init__()
            self.bn, self.dp = L.BatchNormalization(), L.Dropout(0.5)

        def call(self, inputs, mask=None, training=True):
            return self.dp(self.bn(inputs, training=training), training=False)

    model = M()
    x = tf.constant([[1.0], [3.0]])
    assert np.allclose(model(x, training=True), [[-0.9995004], [0.9995004]])
    assert np.allclose(model.bn.moving_mean, [0.02]) and np.allclose(
        model.bn.moving_variance, [1.0]
    )
    assert np.allclose(model(x, training=False), [[0.9795104], [2.9785113]])
    drop = K.Sequential([L.Dropout(0.99999)])
    assert float(drop(1.0, training=False)) == 1.0 and float(drop(1.0)) == 1.0
    assert float(drop(1.0, training=True)) == 0.0


def test_unconnected_variables_keep_their_places():
    bn, dense = L.BatchNormalization(), L.Dense(1)
    x = tf.constant([[1.0], [2.0], [3.0], [4.0]])
    with tf.GradientTape() as tape:
        bn(x, training=True)
        loss = tf.reduce_mean(dense(x) ** 2)
    variables = [*dense.variables, *bn.variables]
    gradients = tape.gradient(loss, variables)
    assert [g is None for g in gradients] == [False, False, True, True, True, True]
    optimizer = K.optimizers.Adam(1e-3)
    optimizer.apply_gradients([[g, v] for g, v in zip(gradients, variables, strict=True)])
    assert bn.gamma.numpy() == [1.0] and bn.beta.numpy() == [0.0]
    assert np.allclose(bn.moving_mean, [0.025])


def test_functional_models_with_a_train_step_of_their_own():
    class Own(K.Model):
        def train_step(self, data):
            x, y = data
            with tf.GradientTape() as tape:
                loss = self.compiled_loss(
                    y, self(x, training=True), regularization_losses=self.losses
                )
            self.optimizer.minimize(loss, self.trainable_variables, tape=tape)
            return {m.name: m.result() for m in self.metrics}

    x = K.Input((3,))
    model = Own(x, L.Dense(1)(x))
    model.compile(K.optimizers.SGD(0.1), "mse")
    history = model.fit(np.ones((8, 3)), np.ones((8, 1)), epochs=3, verbose=0).history
    assert history["loss"][-1] < history["loss"][0]

    class Drawn(K.Model):
        def __init__(self):
            x = K.Input((3,))
            super().__init__(inputs=x, outputs=L.Dense(2)(x))

    assert Drawn()(np.ones((1, 3))).shape == (1, 2)


def test_deep_copies_of_models_have_weights_of_their_own():
    import copy

    for model in (small(), K.Sequential([L.Dense(2, input_shape=(4,)), L.Dense(1)])):
        other = copy.deepcopy(model)
        other.set_weights([np.zeros_like(w) for w in other.get_weights()])
        assert any(w.any() for w in model.get_weights())
        found, before = other(np.ones((1, 4))), model(np.ones((1, 4)))
        pairs = zip(tf.nest.flatten(found), tf.nest.flatten(before), strict=True)
        assert not all(np.allclose(a, b) for a, b in pairs)
        assert len(other.weights) == len(model.weights)


def test_training_without_a_default_is_false():
    class Needs(L.Layer):
        def call(self, x, training):
            return x + (1.0 if training else 0.0)

    assert float(Needs()(tf.constant(1.0))) == 1.0
    assert float(Needs()(tf.constant(1.0), training=True)) == 2.0
