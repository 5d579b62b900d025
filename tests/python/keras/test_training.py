import os

import numpy as np
import pytest

import eagercore as tf

K = tf.keras
L = K.layers
rng = np.random.default_rng(0)
X = rng.normal(size=(64, 4))
Y = X.sum(1, keepdims=True)


def linear(**compile_options):
    model = K.Sequential([L.Dense(1, input_shape=(4,), kernel_initializer="zeros")])
    options = {"optimizer": K.optimizers.SGD(0.1), "loss": "mse", **compile_options}
    model.compile(**options)
    return model


def test_fit_learns_and_tells(capsys):
    model = linear(metrics=["mae"])
    history = model.fit(X, Y, epochs=20, verbose=0, validation_split=0.25)
    assert capsys.readouterr().out == ""
    assert set(history.history) == {"loss", "mae", "val_loss", "val_mae"} and history.epoch == list(
        range(20)
    )
    assert history.history["loss"][-1] < 0.1 * history.history["loss"][0]
    assert np.allclose(model.get_weights()[0], 1.0, atol=0.1)
    loss, mae = model.evaluate(X, Y, verbose=0)
    assert np.isclose(loss, np.mean((model.predict(X) - Y) ** 2), rtol=1e-4) and mae > 0
    assert model.evaluate(X, Y, verbose=0, return_dict=True).keys() == {"loss", "mae"}
    assert model.metrics_names == ["loss", "mae"]


def test_printed_progress(capsys):
    linear().fit(X, Y, epochs=2, batch_size=32, verbose=2)
    out = capsys.readouterr().out.split("\n")
    assert out[0] == "Epoch 1/2" and out[1].startswith("2/2 - 0s - loss: ") and len(out) == 5
    linear().fit(X, Y, batch_size=32, verbose=1)
    assert "2/2 [==============================] - 0s" in capsys.readouterr().out
    linear().evaluate(X, Y, verbose=1)
    assert "2/2 [" in capsys.readouterr().out


def test_loss_of_an_epoch_is_the_mean_over_its_examples():
    model = linear(optimizer=K.optimizers.SGD(0.0))
    history = model.fit(X[:50], Y[:50], batch_size=16, verbose=0)
    assert np.isclose(history.history["loss"][0], np.mean(Y[:50] ** 2), rtol=1e-5)


def test_weights_of_examples_and_classes():
    model = linear(optimizer=K.optimizers.SGD(0.0))
    weight = rng.uniform(size=64)
    loss = model.fit(X, Y, sample_weight=weight, batch_size=64, verbose=0).history["loss"][0]
    assert np.isclose(loss, np.mean(weight[:, None] * Y**2), rtol=1e-5)
    classes = (Y[:, 0] > 0).astype(int)
    loss = model.fit(X, classes, class_weight={0: 1.0, 1: 3.0}, batch_size=64, verbose=0).history[
        "loss"
    ][0]
    assert np.isclose(loss, np.mean(np.where(classes, 3.0, 1.0) * classes**2), rtol=1e-5)
    with pytest.raises(ValueError, match="all classes"):
        model.fit(X, classes, class_weight={0: 1.0}, verbose=0)


def test_several_outputs():
    x = K.Input((4,))
    model = K.Model(x, [L.Dense(1, name="a")(x), L.Dense(3, activation="softmax", name="b")(x)])
    labels = rng.integers(0, 3, 64)
    model.compile(
        "sgd",
        {"a": "mse", "b": "sparse_categorical_crossentropy"},
        metrics={"b": ["accuracy"]},
        loss_weights={"a": 0.5},
    )
    history = model.fit(X, {"a": Y, "b": labels}, epochs=1, batch_size=64, verbose=0).history
    assert list(history) == ["loss", "a_loss", "b_loss", "b_accuracy"]
    assert np.isclose(
        history["loss"][0], 0.5 * history["a_loss"][0] + history["b_loss"][0], rtol=1e-5
    )
    assert [p.shape for p in model.predict(X)] == [(64, 1), (64, 3)]
    with pytest.raises(ValueError, match="Unknown entries in loss"):
        model.compile("sgd", {"c": "mse"})
        model.fit(X, [Y, labels], verbose=0)


@pytest.mark.parametrize(
    ("loss", "outputs", "target", "name"),
    [
        ("binary_crossentropy", 1, (rng.uniform(size=(64, 1)) > 0.5).astype("float32"), "binary"),
        (
            "categorical_crossentropy",
            3,
            np.eye(3, dtype="float32")[rng.integers(0, 3, 64)],
            "categorical",
        ),
        ("sparse_categorical_crossentropy", 3, rng.integers(0, 3, 64), "sparse"),
        ("sparse_categorical_crossentropy", 3, rng.integers(0, 3, (64, 1)), "sparse"),
    ],
)
def test_accuracy_follows_the_shapes(loss, outputs, target, name):
    model = K.Sequential([L.Dense(outputs, activation="sigmoid" if outputs == 1 else "softmax")])
    model.compile("sgd", loss, metrics=["accuracy", "acc"])
    found = model.evaluate(X, target, verbose=0, return_dict=True)
    p = model.predict(X)
    if name == "binary":
        wanted = np.mean((p > 0.5) == target)
    elif name == "categorical":
        wanted = np.mean(p.argmax(1) == target.argmax(1))
    else:
        wanted = np.mean(p.argmax(1) == target.ravel())
    assert np.isclose(found["accuracy"], wanted) and np.isclose(found["acc"], wanted)


def test_losses_and_metrics_of_ones_own():
    def double(y_true, y_pred):
        return 2.0 * tf.reduce_mean(tf.square(y_true - y_pred), axis=-1)

    def bias(y_true, y_pred):
        return y_pred - y_true

    model = linear(loss=double, metrics=[bias, K.metrics.MeanSquaredError(name="m"), "mae"])
    found = model.evaluate(X, Y, verbose=0, return_dict=True)
    assert list(found) == ["loss", "bias", "m", "mae"] and np.isclose(
        found["loss"], 2 * found["m"], rtol=1e-5
    )


def test_added_losses_alone_train():
    class Own(K.Model):
        def __init__(self):
            super().__init__()
            self.d = L.Dense(1)

        def call(self, x):
            y = self.d(x)
            self.add_loss(tf.reduce_mean(tf.square(y)))
            self.add_metric(tf.reduce_sum(y), name="total", aggregation="mean")
            return y

    model = Own()
    model.compile("adam")
    history = model.fit(X, epochs=3, verbose=0).history
    assert history["loss"][-1] < history["loss"][0] and "total" in history
    empty = K.Sequential([L.Dense(1)])
    empty.compile("adam")
    with pytest.raises(ValueError, match="no loss to minimize"):
        empty.fit(X, Y, verbose=0)


def test_own_train_step():
    class Own(K.Model):
        def __init__(self):
            super().__init__()
            self.d, self.seen = L.Dense(1), K.metrics.Mean(name="seen")

        def call(self, x):
            return self.d(x)

        def train_step(self, data):
            x, y = data
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(self(x, training=True) - y))
            gradients = tape.gradient(loss, self.trainable_variables)
            self.optimizer.apply_gradients(zip(gradients, self.trainable_variables, strict=True))
            self.seen.update_state(loss)
            return {"seen": self.seen.result()}

        @property
        def metrics(self):
            return [self.seen]

    model = Own()
    model.compile(K.optimizers.SGD(0.1))
    seen = model.fit(X, Y, epochs=3, verbose=0).history["seen"]
    assert seen[-1] < seen[0], "metrics start anew at each epoch"


def test_sources_of_batches():
    def endless():
        while True:
            yield X[:8], Y[:8]

    class Eight(K.utils.Sequence):
        ended = 0

        def __len__(self):
            return 8

        def __getitem__(self, index):
            return X[index * 8 : index * 8 + 8], Y[index * 8 : index * 8 + 8]

        def on_epoch_end(self):
            self.ended += 1

    model, eight = linear(), Eight()
    assert len(model.fit(endless(), steps_per_epoch=3, epochs=2, verbose=0).history["loss"]) == 2
    model.fit(eight, epochs=2, verbose=0)
    assert eight.ended == 2
    model.fit_generator(endless(), steps_per_epoch=2, epochs=1, verbose=0)
    data = tf.data.Dataset.from_tensor_slices((X.astype("f"), Y.astype("f"))).batch(16)
    history = model.fit(data, epochs=2, validation_data=data, verbose=0)
    assert "val_loss" in history.history and np.isfinite(model.evaluate(data, verbose=0))
    assert model.predict(data.map(lambda x, y: x)).shape == (64, 1)
    count = []
    model.fit(data.repeat(), steps_per_epoch=5, epochs=2, verbose=0, callbacks=[
        K.callbacks.LambdaCallback(on_batch_end=lambda b, logs: count.append(b))
    ])  # fmt: skip
    assert count == [0, 1, 2, 3, 4] * 2
    with pytest.warns(UserWarning, match="ran out of data"):
        model.fit(data, steps_per_epoch=3, epochs=5, verbose=0)
    with pytest.raises(ValueError, match="`y` argument is not supported"):
        model.fit(data, Y)
    assert model.predict(tf.constant(X, tf.float32)).shape == (64, 1)
    assert model.predict(X.tolist()).shape == (64, 1)


def test_data_that_does_not_fit():
    model = linear()
    with pytest.raises(ValueError, match="same number of samples"):
        model.fit(X, Y[:10], verbose=0)
    with pytest.raises(ValueError, match="no samples"):
        model.fit(X[:0], Y[:0], verbose=0)
    with pytest.raises(ValueError, match="not sufficient"):
        model.fit(X[:1], Y[:1], validation_split=0.5, verbose=0)
    with pytest.raises(RuntimeError, match="must compile"):
        K.Sequential([L.Dense(1)]).fit(X, Y)
    with pytest.raises(ValueError, match="nope"):
        linear(loss="nope")
    with pytest.raises(TypeError, match="Invalid keyword"):
        linear(whatever=1)
    with pytest.raises(ValueError, match="Unexpected end"):
        model.fit(tf.data.Dataset.from_tensor_slices((X, Y)).batch(8).take(0), verbose=0)


def test_single_batches():
    model = linear(metrics=["mae"])
    first = model.train_on_batch(X, Y)
    assert len(first) == 2 and model.test_on_batch(X, Y)[0] < first[0]
    assert model.predict_on_batch(X).shape == (64, 1)
    assert model.train_on_batch(X, Y, return_dict=True).keys() == {"loss", "mae"}


def test_predict_classes():
    model = K.Sequential([L.Dense(3, activation="softmax")])
    assert np.array_equal(model.predict_classes(X), model.predict(X).argmax(1))
    one = K.Sequential([L.Dense(1, activation="sigmoid")])
    assert np.array_equal(one.predict_classes(X), (one.predict(X) > 0.5).astype(int))


def test_shuffling_follows_the_seed():
    seen = []

    class Watch(K.Model):
        def __init__(self):
            super().__init__()
            self.d = L.Dense(1)

        def call(self, x):
            seen.append(x.numpy()[:, 0].tolist())
            return self.d(x)

    model = Watch()
    model.compile("sgd", "mse")
    for _ in range(2):
        tf.random.set_seed(3)
        model.fit(X, Y, batch_size=64, verbose=0)
    assert seen[0] == seen[1] and sorted(seen[0]) == sorted(X.astype("f")[:, 0].tolist())
    seen.clear()
    model.fit(X, Y, batch_size=64, verbose=0, shuffle=False)
    assert seen[0] == X.astype("f")[:, 0].tolist()


def test_masked_steps_do_not_count():
    tokens = np.array([[1, 2, 0, 0], [3, 0, 0, 0]])
    targets = np.ones((2, 4, 1), "float32")
    model = K.Sequential([L.Embedding(5, 1, mask_zero=True, embeddings_initializer="zeros")])
    model.compile(K.optimizers.SGD(0.0), "mse", metrics=["mae"])
    found = model.evaluate(tokens, targets, verbose=0)
    assert np.allclose(found, [1.0, 1.0])


# --------------------------------------------------------------------------------------------------------------------


def test_early_stopping_goes_back_to_the_best():
    model = linear(optimizer=K.optimizers.SGD(5.0))
    stop = K.callbacks.EarlyStopping("loss", patience=2, restore_best_weights=True)
    history = model.fit(X, Y, epochs=50, batch_size=64, verbose=0, callbacks=[stop])
    losses = history.history["loss"]
    assert len(losses) < 50 and stop.stopped_epoch == len(losses) - 1
    assert np.argmin(losses) == stop.best_epoch


@pytest.mark.parametrize(
    ("options", "epochs"), [({}, 4), ({"patience": 2}, 5), ({"baseline": 0.1}, 4)]
)
def test_epochs_that_are_better_never_end_training(options, epochs):
    stop = K.callbacks.EarlyStopping("loss", min_delta=0.05, **options)
    model = linear()
    stop.set_model(model)
    model.stop_training = False
    stop.on_train_begin()
    for epoch, loss in enumerate([4.0, 3.0, 2.0, 1.96, 1.95, 1.94]):
        stop.on_epoch_end(epoch, {"loss": loss})
        if model.stop_training:
            break
    assert model.stop_training and epoch + 1 == epochs


def test_monitors_that_are_not_there_say_what_is():
    model = linear()
    with pytest.warns(UserWarning, match="not available. Available metrics are: loss"):
        model.fit(X, Y, verbose=0, callbacks=[K.callbacks.EarlyStopping("val_loss")])


def test_learning_rate_callbacks():
    model = linear()
    rates = []
    model.fit(
        X, Y, epochs=4, verbose=0,
        callbacks=[
            K.callbacks.LearningRateScheduler(lambda epoch, rate: rate / 2),
            K.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: rates.append(logs["lr"])),
        ],
    )  # fmt: skip
    assert np.allclose(rates, [0.05, 0.025, 0.0125, 0.00625])
    model.fit(
        X, Y, epochs=1, verbose=0, callbacks=[K.callbacks.LearningRateScheduler(lambda epoch: 0.3)]
    )
    assert np.isclose(model.optimizer.lr, 0.3)
    flat = linear(optimizer=K.optimizers.SGD(0.5), loss=lambda y, p: 0.0 * p + 1.0)
    history = flat.fit(
        X,
        Y,
        epochs=6,
        verbose=0,
        callbacks=[K.callbacks.ReduceLROnPlateau("loss", factor=0.5, patience=2, min_lr=0.1)],
    )
    assert np.allclose(history.history["lr"], [0.5, 0.5, 0.5, 0.25, 0.25, 0.125])


def test_model_checkpoint(tmp_path):
    model = linear()
    path = str(tmp_path / "m-{epoch:02d}-{loss:.2f}.h5")
    model.fit(
        X,
        Y,
        epochs=2,
        verbose=0,
        callbacks=[K.callbacks.ModelCheckpoint(path, save_weights_only=True)],
    )
    names = sorted(os.listdir(tmp_path))
    assert len(names) == 2 and names[0].startswith("m-01-")
    best = K.callbacks.ModelCheckpoint(str(tmp_path / "best"), monitor="loss", save_best_only=True)
    model.fit(X, Y, epochs=3, verbose=0, callbacks=[best])
    assert np.allclose(K.models.load_model(str(tmp_path / "best")).predict(X), model.predict(X))


def test_logs_in_files(tmp_path):
    model = linear()
    table = K.callbacks.CSVLogger(str(tmp_path / "log.csv"))
    board = K.callbacks.TensorBoard(str(tmp_path / "logs"))
    model.fit(X, Y, epochs=2, validation_data=(X, Y), verbose=0, callbacks=[table, board])
    lines = (tmp_path / "log.csv").read_text().splitlines()
    assert lines[0] == "epoch,loss,val_loss" and len(lines) == 3
    again = K.callbacks.CSVLogger(str(tmp_path / "log.csv"), append=True)
    model.fit(X, Y, epochs=1, verbose=0, callbacks=[again])
    assert len((tmp_path / "log.csv").read_text().splitlines()) == 4
    events = list((tmp_path / "logs" / "train").iterdir())
    assert len(events) == 1 and b"epoch_loss" in events[0].read_bytes()


def test_nan_ends_training():
    model = linear(loss=lambda y, p: p * float("nan"))
    history = model.fit(X, Y, epochs=5, verbose=0, callbacks=[K.callbacks.TerminateOnNaN()])
    assert len(history.epoch) == 1


def test_hooks_come_in_order():
    seen = []

    class Watch(K.callbacks.Callback):
        def __getattribute__(self, name):
            if name.startswith("on_") and "batch" not in name.replace("on_batch", ""):

                def hook(*args, **kwargs):
                    seen.append(name)

                return hook
            return object.__getattribute__(self, name)

    linear().fit(
        X, Y, epochs=1, batch_size=64, validation_data=(X, Y), verbose=0, callbacks=[Watch()]
    )
    assert [s for s in seen if "batch" not in s] == [
        "on_train_begin", "on_epoch_begin", "on_test_begin", "on_test_end", "on_epoch_end", "on_train_end",
    ]  # fmt: skip


def test_errors_in_callbacks_come_through():
    def fail(epoch, logs):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        linear().fit(X, Y, verbose=0, callbacks=[K.callbacks.LambdaCallback(on_epoch_end=fail)])


def test_initial_epoch_and_frequency_of_validation():
    history = linear().fit(
        X, Y, initial_epoch=3, epochs=7, validation_data=(X, Y), validation_freq=2, verbose=0
    )
    assert history.epoch == [3, 4, 5, 6] and len(history.history["val_loss"]) == 2


def test_hooks_always_get_their_logs():
    seen = {}

    class Listener(tf.keras.callbacks.Callback):
        """Notes what each hook is given."""

    for hook in (
        "on_train_begin", "on_train_end", "on_epoch_begin", "on_epoch_end", "on_train_batch_begin",
        "on_train_batch_end", "on_test_begin", "on_test_end", "on_test_batch_begin", "on_test_batch_end",
        "on_predict_begin", "on_predict_end", "on_predict_batch_begin", "on_predict_batch_end",
    ):  # fmt: skip

        def note(self, *args, _hook=hook):
            seen[_hook] = args

        setattr(Listener, hook, note)
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    x = np.ones((2, 1), "float32")
    model.fit(x, x, epochs=1, verbose=0, callbacks=[Listener()], validation_data=(x, x))
    model.predict(x, verbose=0, callbacks=[Listener()])
    assert len(seen) == 14
    for hook, args in seen.items():
        assert isinstance(args[-1], dict), hook
        assert len(args) == 1 + ("epoch" in hook or "batch" in hook), hook


def test_what_callbacks_add_to_the_logs_is_no_metric():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    x = np.ones((2, 1), "float32")
    rate = tf.keras.callbacks.LearningRateScheduler(lambda epoch: 0.1)
    history = model.fit(x, x, epochs=2, verbose=0, callbacks=[rate], validation_data=(x, x))
    assert "lr" in history.history
    assert history.params["metrics"] == ["loss", "val_loss"]
