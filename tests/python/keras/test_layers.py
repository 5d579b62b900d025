import math

import numpy as np
import pytest

import eagercore as tf
from eagercore.testing.layers import check_layer

L = tf.keras.layers

CASES = [
    (L.Dense, {"units": 3, "weights": 2}),
    (
        L.Dense,
        {
            "units": 3,
            "use_bias": False,
            "activation": "tanh",
            "input_shape": (2, 4, 5),
            "weights": 1,
        },
    ),
    (L.Dense, {"units": 2, "kernel_regularizer": "l2", "bias_constraint": "non_neg"}),
    (L.Activation, {"activation": "softplus"}),
    (L.ActivityRegularization, {"l2": 0.1}),
    (L.Dropout, {"rate": 0.3}),
    (L.Dropout, {"rate": 0.3, "training": True}),
    (L.Embedding, {"input_dim": 5, "output_dim": 3, "input_dtype": "int32", "weights": 1}),
    (L.Flatten, {"input_shape": (2, 3, 4)}),
    (L.Flatten, {"input_shape": (2, 3, 4, 2), "data_format": "channels_first"}),
    (L.Reshape, {"target_shape": (-1, 2), "input_shape": (3, 4, 2)}),
    (L.Permute, {"dims": (2, 1), "input_shape": (2, 3, 4)}),
    (L.RepeatVector, {"n": 3}),
    (L.Masking, {"input_shape": (2, 3, 4)}),
    (L.LeakyReLU, {"alpha": 0.2}),
    (L.ReLU, {"max_value": 1.0, "negative_slope": 0.1, "threshold": 0.2}),
    (
        L.Conv1D,
        {
            "filters": 3,
            "kernel_size": 2,
            "input_shape": (2, 6, 4),
            "padding": "causal",
            "weights": 2,
        },
    ),
    (
        L.Conv2D,
        {
            "filters": 3,
            "kernel_size": 3,
            "input_shape": (2, 6, 5, 4),
            "strides": 2,
            "padding": "same",
        },
    ),
    (L.Conv2D, {"filters": 4, "kernel_size": (2, 3), "input_shape": (2, 6, 5, 4), "groups": 2}),
    (
        L.Conv2D,
        {
            "filters": 3,
            "kernel_size": 3,
            "input_shape": (2, 4, 6, 5),
            "data_format": "channels_first",
        },
    ),
    (
        L.Conv3D,
        {"filters": 2, "kernel_size": 2, "input_shape": (1, 3, 4, 3, 2), "dilation_rate": 2},
    ),
    (L.Conv1DTranspose, {"filters": 3, "kernel_size": 3, "input_shape": (2, 4, 2), "strides": 2}),
    (
        L.Conv2DTranspose,
        {
            "filters": 3,
            "kernel_size": 5,
            "input_shape": (2, 3, 3, 2),
            "strides": 2,
            "padding": "same",
        },
    ),
    (
        L.Conv2DTranspose,
        {"filters": 3, "kernel_size": 2, "input_shape": (2, 3, 3, 2), "strides": 3},
    ),
    (
        L.Conv3DTranspose,
        {"filters": 2, "kernel_size": 2, "input_shape": (1, 2, 2, 3, 2), "strides": 2},
    ),
    (L.BatchNormalization, {"input_shape": (6, 3), "weights": 4}),
    (L.BatchNormalization, {"input_shape": (6, 3, 2), "axis": 1, "scale": False, "weights": 3}),
    (L.BatchNormalization, {"input_shape": (6, 2, 2, 3), "center": False, "weights": 3}),
    (L.MaxPooling1D, {"input_shape": (2, 5, 3)}),
    (L.MaxPooling2D, {"input_shape": (2, 5, 4, 3), "padding": "same", "strides": 1}),
    (L.MaxPooling2D, {"input_shape": (2, 3, 5, 4), "data_format": "channels_first"}),
    (L.MaxPooling3D, {"input_shape": (1, 4, 4, 4, 2)}),
    (L.AveragePooling1D, {"input_shape": (2, 5, 3), "pool_size": 3, "padding": "same"}),
    (L.AveragePooling2D, {"input_shape": (2, 5, 4, 3)}),
    (L.AveragePooling3D, {"input_shape": (1, 4, 4, 4, 2)}),
    (L.GlobalMaxPooling1D, {"input_shape": (2, 5, 3)}),
    (L.GlobalMaxPooling2D, {"input_shape": (2, 5, 4, 3), "keepdims": True}),
    (L.GlobalMaxPooling3D, {"input_shape": (1, 3, 3, 3, 2)}),
    (L.GlobalAveragePooling1D, {"input_shape": (2, 5, 3)}),
    (L.GlobalAveragePooling2D, {"input_shape": (2, 3, 5, 4), "data_format": "channels_first"}),
    (L.GlobalAveragePooling3D, {"input_shape": (1, 3, 3, 3, 2)}),
    (L.ZeroPadding1D, {"input_shape": (2, 5, 3), "padding": (1, 2)}),
    (L.ZeroPadding2D, {"input_shape": (2, 5, 4, 3), "padding": ((1, 0), (2, 3))}),
    (L.ZeroPadding3D, {"input_shape": (1, 3, 3, 3, 2)}),
    (L.Add, {"input_shape": [(2, 3), (2, 3), (2, 3)]}),
    (L.Subtract, {"input_shape": [(2, 3), (2, 3)]}),
    (L.Multiply, {"input_shape": [(2, 3), (2, 3)]}),
    (L.Average, {"input_shape": [(2, 3), (2, 1)]}),
    (L.Maximum, {"input_shape": [(2, 3), (2, 3)]}),
    (L.Minimum, {"input_shape": [(2, 3), (2, 3)]}),
    (L.Concatenate, {"input_shape": [(2, 3), (2, 4)]}),
]


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c[0].__name__}-{len(c[1])}")
def test_layer(case):
    cls, options = case
    check_layer(cls, **options)


def test_lambda():
    layer = L.Lambda(lambda x, training: x + (1.0 if training else 0.0))
    assert float(layer([1.0], training=True)[0]) == 2.0 and float(layer([1.0])[0]) == 1.0
    x = tf.keras.Input((3,))
    assert L.Lambda(lambda t: tf.reduce_sum(t, axis=1))(x).shape.as_list() == [None]
    assert L.Lambda(lambda t: t.numpy() * 2)(x).shape.as_list() == [None, 3]


def test_names_and_numbers():
    tf.keras.backend.clear_session()
    names = [
        L.Dense(1).name,
        L.Dense(1).name,
        L.Dense(1, name="mine").name,
        L.Conv2DTranspose(1, 1).name,
    ]
    assert names == ["dense", "dense_1", "mine", "conv2d_transpose"]
    layer = L.Dense(2)
    layer(tf.ones([1, 3]))
    assert [v.name for v in layer.weights] == ["dense_2/kernel:0", "dense_2/bias:0"]


def test_wrong_last_axis_names_the_layer():
    tf.keras.backend.clear_session()
    L.Dense(1)
    layer = L.Dense(2)
    layer(tf.ones([2, 4]))
    with pytest.raises(ValueError) as caught:
        layer(tf.ones([2, 5]))
    assert str(caught.value) == (
        "Input 0 of layer dense_1 is incompatible with the layer: expected axis -1 of input shape to have value 4 but "
        "received input with shape (2, 5)"
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: L.Conv2D(2, 3)(tf.ones([4, 4, 3])), "expected"),
        (lambda: L.Conv2D(2, 3)(tf.ones([1, 2, 2, 3])), "zero or negative"),
        (lambda: L.Conv2D(2, 3, padding="bogus"), 'one of "valid", "same". Received: bogus'),
        (lambda: L.Dense("a"), "expected a positive integer. Received: units=a"),
        (lambda: L.Dense(-1), "expected a positive integer. Received: units=-1"),
        (lambda: L.Dense(1.5), "expected a positive integer. Received: units=1.5"),
        (lambda: L.Dense(3, activation="nope"), "nope"),
        (lambda: L.Dropout(2.0), "between 0 and 1"),
        (lambda: L.Dense(3).count_params(), "isn't built"),
        (lambda: L.Reshape((5,))(tf.ones([2, 4])), "total size"),
        (lambda: L.Concatenate()([tf.ones([2, 3]), tf.ones([3, 3])]), "matching shapes"),
        (lambda: L.Add()([tf.ones([2, 3]), tf.ones([2, 4])]), "incompatible shapes"),
        (lambda: L.BatchNormalization(axis=5)(tf.ones([2, 3])), "invalid axis"),
        (lambda: L.Conv2D(3, 3, groups=2), "evenly divisible"),
        (lambda: L.LeakyReLU(alpha=None), "cannot be None"),
    ],
)
def test_messages(make, message):
    with pytest.raises(ValueError, match=".") as caught:
        make()
    assert message in str(caught.value)


def test_unknown_keyword_is_a_type_error():
    with pytest.raises(TypeError, match="foo"):
        L.Dense(3, foo=1)


def test_whole_floats_are_ints():
    assert L.Dense(3.0).units == 3
    assert L.Conv2D(2.0, 3.0, strides=(2.0, 1.0)).strides == (2, 1)
    assert L.Reshape((2.0, -1.0))(tf.ones([1, 4])).shape == (1, 2, 2)


def test_error_in_an_op_names_the_layer():
    class Bad(L.Layer):
        def call(self, x):
            return tf.matmul(x, tf.ones([7, 7]))

    with pytest.raises(tf.errors.InvalidArgumentError, match="in layer 'bad"):
        Bad()(tf.ones([2, 3]))


def test_forgotten_super_init():
    class Forgets(L.Layer):
        def __init__(self):
            self.inner = L.Dense(2)

    with pytest.raises(RuntimeError, match="forgot to call"):
        Forgets()(tf.ones([1, 2]))


def test_dtype_follows_the_first_floating_tensor():
    assert L.Dense(3)(tf.ones([2, 4], tf.float64)).dtype == tf.float64
    assert L.Dense(3)(np.ones((2, 4))).dtype == tf.float32
    assert L.Dense(3)(tf.ones([2, 4], tf.int32)).dtype == tf.float32
    assert L.Dense(3, dtype="float64")(tf.ones([2, 4])).dtype == tf.float64
    layer = L.Dense(3)
    layer(tf.ones([2, 4]))
    assert layer(tf.ones([2, 4], tf.float64)).dtype == tf.float32


def test_tracking_late_and_in_containers():
    class Late(L.Layer):
        def build(self, input_shape):
            self.inner = L.Dense(1)

        def call(self, x):
            if not hasattr(self, "more"):
                self.more = [L.Dense(1)]
            return self.inner(x) + self.more[0](x)

    layer = Late()
    layer(tf.ones([5, 10]))
    assert len(layer.trainable_variables) == 4 and layer.count_params() == 22
    layer.table = {"k": [L.Dense(2)], "same": layer.inner}
    layer.table["k"].append(L.Dense(3))
    for one in layer.table["k"]:
        one(tf.ones([1, 1]))
    assert len(layer.trainable_variables) == 8
    layer.loose = tf.Variable(1.0)
    assert len(layer.trainable_variables) == 9
    del layer.loose
    assert len(layer.trainable_variables) == 8
    layer.inner = None
    assert len(layer.trainable_variables) == 8, "the dictionary still holds it"


def test_order_of_creation_and_each_once():
    class Two(L.Layer):
        def __init__(self):
            super().__init__()
            self.b = L.Dense(1, name="b")
            self.a = L.Dense(1, name="a")
            self.again = self.b

        def call(self, x):
            return self.a(x) + self.b(x)

    layer = Two()
    layer(tf.ones([1, 2]))
    assert [v.name.split("/")[-2] for v in layer.weights] == ["b", "b", "a", "a"]


def test_trainable_moves_variables():
    model = tf.keras.Sequential([L.Dense(2), L.BatchNormalization()])
    model(tf.ones([1, 2]))
    assert (len(model.trainable_weights), len(model.non_trainable_weights)) == (4, 2)
    model.layers[0].trainable = False
    assert (len(model.trainable_weights), len(model.non_trainable_weights)) == (2, 4)
    model.trainable = False
    assert model.trainable_weights == [] and not model.layers[1].trainable
    assert len(model.weights) == 6


def test_training_reaches_inner_layers_that_are_not_given_it():
    seen = []

    class Probe(L.Layer):
        def call(self, x, training=None):
            seen.append(training)
            return x

    class Outer(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.inside = tf.keras.Sequential([Probe()])

        def call(self, x):
            return self.inside(x)

    model = Outer()
    for training in (True, False, None):
        model(tf.ones([1, 1]), training=training)
    assert seen[-3:] == [True, False, None]

    class Explicit(Outer):
        def call(self, x, training=None):
            return self.inside(x, training=False)

    Explicit()(tf.ones([1, 1]), training=True)
    assert seen[-1] is False

    class Default(Outer):
        def call(self, x, training=True):
            return self.inside(x)

    Default()(tf.ones([1, 1]))
    assert seen[-1] is True


def test_batch_normalization_moves_its_averages_at_once():
    layer = L.BatchNormalization(momentum=0.5)
    layer(tf.constant([[1.0], [3.0]]), training=True)
    assert layer.moving_mean.numpy() == [1.0]
    layer(tf.constant([[4.0], [6.0]]), training=True)
    assert layer.moving_mean.numpy() == [3.0]
    layer(tf.constant([[100.0]]))
    assert layer.moving_mean.numpy() == [3.0], "inference changes nothing"
    layer.trainable = False
    layer(tf.constant([[100.0]]), training=True)
    assert layer.moving_mean.numpy() == [3.0], "a frozen layer is in inference"


def test_batch_normalization_of_images_has_the_unbiased_variance():
    layer = L.BatchNormalization(momentum=0.0)
    x = np.random.default_rng(0).normal(size=(2, 2, 2, 1)).astype("f")
    layer(tf.constant(x), training=True)
    assert np.allclose(layer.moving_variance, x.var(ddof=1), rtol=1e-5)


def test_batch_normalization_over_several_axes():
    x = np.random.default_rng(0).normal(size=(5, 2, 3)).astype("f")
    layer = L.BatchNormalization(axis=[1, 2])
    y = layer(tf.constant(x), training=True).numpy()
    assert np.allclose(y, (x - x.mean(0)) / np.sqrt(x.var(0) + 1e-3), atol=1e-5)
    assert layer(tf.constant(x)).shape == (5, 2, 3)


def test_dropout_scales_and_follows_the_seed():
    x = tf.ones([1000])
    tf.random.set_seed(1)
    first = L.Dropout(0.5)(x, training=True).numpy()
    tf.random.set_seed(1)
    assert np.array_equal(first, L.Dropout(0.5)(x, training=True).numpy())
    assert set(np.unique(first)) == {0.0, 2.0} and abs(first.mean() - 1.0) < 0.15
    assert np.array_equal(L.Dropout(0.5)(x), x) and np.array_equal(
        L.Dropout(0.5)(x, training=False), x
    )
    rows = L.Dropout(0.5, noise_shape=(None, 1))(tf.ones([50, 4]), training=True).numpy()
    assert (rows == rows[:, :1]).all()


def test_masks_pass_on():
    emb = L.Embedding(5, 2, mask_zero=True)
    seen = []

    class Wants(L.Layer):
        def call(self, x, mask=None):
            seen.append(mask)
            return x

    x = emb(tf.constant([[1, 0], [2, 3]]))
    Wants()(L.Dropout(0.5)(x))
    assert seen[0].numpy().tolist() == [[True, False], [True, True]]
    Wants()(L.Flatten()(x))
    assert seen[1] is None, "a layer that does not support masks drops them"
    pooled = L.GlobalAveragePooling1D()(x).numpy()
    assert np.allclose(pooled[0], x.numpy()[0, 0])
    masked = L.Masking()(tf.constant([[[1.0], [0.0]]]))
    Wants()(masked)
    assert seen[2].numpy().tolist() == [[True, False]]


def test_regularizers_and_losses():
    layer = L.Dense(2, kernel_initializer="ones", kernel_regularizer=tf.keras.regularizers.l2(0.5))
    x = tf.ones([1, 3])
    with tf.GradientTape() as tape:
        layer(x)
        loss = tf.add_n(layer.losses) if hasattr(tf, "add_n") else sum(layer.losses)
    assert float(loss) == 3.0
    assert np.allclose(tape.gradient(loss, layer.kernel), 1.0)

    class Adds(L.Layer):
        def call(self, inputs):
            self.add_loss(tf.reduce_sum(inputs))
            return inputs

    model = tf.keras.Sequential([Adds(), L.Dense(1, activity_regularizer="l2")])
    model(tf.ones([2, 2]))
    assert len(model.losses) == 2 and float(model.losses[0]) == 4.0
    model(tf.ones([1, 2]))
    assert len(model.losses) == 2 and float(model.losses[0]) == 2.0, (
        "losses are those of the last forward pass"
    )


def test_constraints_hold_after_a_step():
    layer = L.Dense(1, kernel_initializer="ones", kernel_constraint="non_neg", use_bias=False)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(layer(tf.ones([1, 2])) ** 2)
    tf.keras.optimizers.SGD(10.0).minimize(loss, layer.trainable_weights, tape=tape)
    assert layer.kernel.numpy().tolist() == [[0.0], [0.0]]


def test_set_weights_messages():
    layer = L.Dense(2)
    layer(tf.ones([1, 3]))
    with pytest.raises(ValueError, match="weight list of length 1"):
        layer.set_weights([np.ones((3, 2))])
    with pytest.raises(ValueError, match="not compatible with provided weight shape"):
        layer.set_weights([np.ones((2, 2)), np.ones(2)])
    before = layer.get_weights()
    assert all(np.array_equal(a, b) for a, b in zip(before, layer.get_weights(), strict=True))
    given = L.Dense(1, weights=[np.ones((2, 1)), np.zeros(1)])
    assert float(given([[1.0, 2.0]])[0, 0]) == 3.0


def test_embedding_gradient_is_sparse_and_range_is_checked():
    layer = L.Embedding(5, 2)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(layer(tf.constant([[1, 1, 2]])))
    assert isinstance(tape.gradient(loss, layer.embeddings), tf.IndexedSlices)
    with pytest.raises(tf.errors.InvalidArgumentError, match="embedding"):
        layer(tf.constant([[7]]))


def test_variables_are_made_inside_tapes_and_functions():
    layer = L.Dense(2)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(layer(tf.ones([1, 3])))
    assert tape.gradient(y, layer.kernel).shape == (3, 2)
    other = L.Dense(2)
    made = tf.function(lambda x: other(x))
    assert made(tf.ones([1, 3])).shape == (1, 2) and len(other.weights) == 2


def test_numpy_lists_dicts_and_none_pass():
    class Takes(L.Layer):
        def call(self, inputs, extra=None):
            return inputs["a"] + inputs["b"], extra

    total, extra = Takes()({"a": np.ones(2), "b": [1.0, 2.0]}, extra=[1, None])
    assert total.numpy().tolist() == [2.0, 3.0] and extra == [1, None]

    class Pair(tf.keras.Model):
        def call(self, inputs):
            x, hidden = inputs
            return [x, hidden, None]

    x, hidden, nothing = Pair()([tf.ones([3, 4, 5]), tf.zeros([3, 2])])
    assert x.shape == (3, 4, 5) and hidden.shape == (3, 2) and nothing is None


def test_call_replaced_by_assignment():
    class M(tf.keras.Model):
        def call(self, x):
            return x

    model = M()
    model.call = lambda inputs, training=None: inputs * (2.0 if training else 3.0)
    assert float(model(tf.constant(1.0), training=True)) == 2.0
    model.call = lambda inputs: inputs * 5.0
    assert float(model(tf.constant(1.0), training=True)) == 5.0


def test_deepcopy_has_variables_of_its_own():
    import copy

    layer = L.Dense(2)
    layer(tf.ones([1, 3]))
    other = copy.deepcopy(layer)
    other.kernel.assign(tf.zeros([3, 2]))
    assert len(other.variables) == 2 and not np.array_equal(layer.kernel, other.kernel)
    assert math.isclose(float(tf.reduce_sum(other(tf.ones([1, 3])))), 0.0)


def test_same_seed_same_weights():
    tf.random.set_seed(7)
    first = L.Dense(3)
    first(tf.ones([1, 2]))
    tf.random.set_seed(7)
    second = L.Dense(3)
    second(tf.ones([1, 2]))
    assert np.array_equal(first.kernel, second.kernel)
