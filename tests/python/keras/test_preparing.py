"""Layers that prepare data give what Keras's give (tools/golden_preparing.py), and change images as they say."""

import json
import pathlib

import numpy as np
import pytest

import eagercore as tf
from eagercore.testing.layer_gradients import check_words

L = tf.keras.layers
GOLDEN = json.loads((pathlib.Path(__file__).parent.parent / "golden/preparing.json").read_text())


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda c: f"{c['layer']}-{c['arguments']}")
def test_layer_is_as_in_keras(case):
    layer = getattr(L, case["layer"])(**case["arguments"])
    picture = case["layer"] in ("Rescaling", "Resizing", "CenterCrop")
    inputs = tf.constant(case["inputs"], "float32") if picture else tf.constant(case["inputs"])
    if case["data"] is not None:
        layer.adapt(tf.constant(case["data"]))
        assert layer.is_adapted
    if "vocabulary" in case:
        assert layer.get_vocabulary() == case["vocabulary"]
    made = layer(inputs)
    assert list(made.shape) == case["shape"]
    # Keras 3 gives whole numbers of other types here; these are Keras 2's.
    whole = case["arguments"].get("output_mode", "int") == "int" and case["dtype"].startswith("int")
    assert made.dtype.name == ("int64" if whole else "string" if case["dtype"] == "string" else "float32")
    flat = made.numpy().reshape(-1).tolist()
    if made.dtype == tf.string:
        assert [v.decode() for v in flat] == case["values"]
    else:
        np.testing.assert_allclose(flat, case["values"], rtol=1e-4, atol=1e-4)
    traced = tf.function(lambda x: layer(x), autograph=False)(inputs).numpy().reshape(-1).tolist()
    assert traced == flat
    again = type(layer).from_config(json.loads(json.dumps(layer.get_config())))
    if not (case["layer"] == "Normalization" and case["data"]):
        assert again(inputs).numpy().reshape(-1).tolist() == flat
    if case["arguments"].get("axis", -1) == 0:
        return
    drawn = type(layer).from_config(layer.get_config())(tf.keras.Input(inputs.shape[1:], dtype=inputs.dtype))
    assert drawn.dtype == made.dtype and drawn.shape[1:].is_compatible_with(made.shape[1:])


NAMES = [
    "CategoryEncoding", "CenterCrop", "Discretization", "Hashing", "IntegerLookup", "Normalization", "RandomBrightness",
    "RandomContrast", "RandomCrop", "RandomFlip", "RandomHeight", "RandomRotation", "RandomTranslation", "RandomWidth",
    "RandomZoom", "Rescaling", "Resizing", "StringLookup", "TextVectorization",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_words(name):
    check_words(getattr(L, name))


def test_normalization_learns_batch_by_batch():
    data = np.random.default_rng(0).normal(3, 2, size=(50, 3))
    one, two, three = L.Normalization(), L.Normalization(), L.Normalization()
    one.adapt(data)
    two.adapt(data, batch_size=7)
    three.adapt(tf.data.Dataset.from_tensor_slices(data).batch(8))
    for layer in (one, two, three):
        np.testing.assert_allclose(layer.mean[0], data.mean(0), rtol=1e-5)
        np.testing.assert_allclose(layer.variance[0], data.var(0), rtol=1e-5)
    again = L.Normalization()
    again.build((None, 3))
    again.set_weights(one.get_weights())
    np.testing.assert_allclose(again(data), one(data))
    model = tf.keras.Sequential([one, L.Dense(1)])
    assert model(data).shape == (50, 1) and len(model.trainable_weights) == 2
    with pytest.raises(ValueError, match="both"):
        L.Normalization(mean=1.0)
    with pytest.raises(ValueError, match="static"):
        L.Normalization(mean=1.0, variance=1.0).adapt(data)


def test_discretization_learns_ranges_of_equal_size():
    data = np.random.default_rng(0).normal(size=1000)
    layer = L.Discretization(num_bins=4)
    layer.adapt(data)
    counts = np.bincount(layer(data).numpy())
    assert len(counts) == 4 and abs(counts - 250).max() <= 2
    with pytest.raises(ValueError, match="num_bins"):
        L.Discretization()
    with pytest.raises(RuntimeError, match="adapt"):
        L.Discretization(num_bins=3)(data)


def test_messages():
    with pytest.raises(ValueError, match="num_tokens"):
        L.CategoryEncoding()
    with pytest.raises(ValueError, match="range"):
        L.CategoryEncoding(3)([[5]])
    with pytest.raises(ValueError, match="count_weights"):
        L.CategoryEncoding(3)([[1]], count_weights=[[0.5]])
    with pytest.raises(ValueError, match="repeated"):
        L.StringLookup(vocabulary=["a", "a"])
    with pytest.raises(ValueError, match="reserved"):
        L.StringLookup(vocabulary=["a", "[UNK]"])
    with pytest.raises(ValueError, match="larger than"):
        L.StringLookup(vocabulary=["a", "b"], max_tokens=2)
    with pytest.raises(ValueError, match="idf_weights"):
        L.StringLookup(vocabulary=["a"], output_mode="tf_idf")
    with pytest.raises(RuntimeError, match="vocabulary"):
        L.StringLookup()(tf.constant(["a"]))
    with pytest.raises(ValueError, match="in vocabulary"):
        L.StringLookup(vocabulary=["a"], num_oov_indices=0)(tf.constant(["b"]))
    with pytest.raises(ValueError, match="standardize"):
        L.TextVectorization(standardize="upper")
    with pytest.raises(ValueError, match="num_bins"):
        L.Hashing(0)


def test_count_weights():
    made = L.CategoryEncoding(4, output_mode="count")([[0, 1, 1]], count_weights=[[0.1, 0.2, 0.3]])
    np.testing.assert_allclose(made, [[0.1, 0.5, 0, 0]], rtol=1e-6)


def test_vocabulary_from_a_file_and_back(tmp_path):
    (tmp_path / "words.txt").write_text("one\ntwo\n")
    layer = L.StringLookup(vocabulary=str(tmp_path / "words.txt"))
    assert layer.get_vocabulary() == ["[UNK]", "one", "two"] and layer.vocabulary_size() == 3
    back = L.StringLookup(vocabulary=layer.get_vocabulary(), invert=True)
    assert back(layer(tf.constant(["two", "three"]))).numpy().tolist() == [b"two", b"[UNK]"]
    assert layer.get_vocabulary(include_special_tokens=False) == ["one", "two"]


def test_text_vectorization_with_functions():
    layer = L.TextVectorization(
        standardize=lambda t: tf.strings.lower(t),
        split=lambda t: tf.strings.split(t, sep=","),
        vocabulary=["a", "b"],
    )
    assert layer(tf.constant(["A,B", "C"])).numpy().tolist() == [[2, 3], [1, 0]]
    dataset = tf.data.Dataset.from_tensor_slices(["a b", "a"]).batch(2)
    layer = L.TextVectorization()
    layer.adapt(dataset)
    assert [x.numpy().tolist() for x in dataset.map(layer)] == [[[2, 3], [2, 0]]]


# -------------------------------------------------------------------------------------------------------------- images


def pictures(count=8, height=6, width=5):
    return tf.constant(np.random.default_rng(1).uniform(0, 255, (count, height, width, 3)).astype("float32"))


RANDOM = [
    (L.RandomFlip, {}), (L.RandomTranslation, {"height_factor": 0.3, "width_factor": (-0.2, 0.4)}),
    (L.RandomRotation, {"factor": 0.2}), (L.RandomZoom, {"height_factor": 0.3}),
    (L.RandomZoom, {"height_factor": (-0.3, -0.1), "width_factor": 0.2, "fill_mode": "constant"}),
    (L.RandomContrast, {"factor": 0.5}), (L.RandomBrightness, {"factor": 0.3}),
]  # fmt: skip


@pytest.mark.parametrize(("cls", "arguments"), RANDOM)
def test_random_layers(cls, arguments):
    x = pictures()
    layer = cls(**arguments)
    np.testing.assert_array_equal(layer(x, training=False), x)
    tf.random.set_seed(2)
    made = layer(x, training=True)
    tf.random.set_seed(2)
    np.testing.assert_array_equal(layer(x, training=True), made)
    assert made.shape == x.shape and not np.allclose(made, x)
    assert not np.allclose(layer(x, training=True), made)
    assert layer(x[0], training=True).shape == x[0].shape
    assert layer(tf.cast(x, tf.uint8), training=True).dtype == tf.float32
    again = cls.from_config(json.loads(json.dumps(layer.get_config())))
    assert again.get_config() == layer.get_config()
    traced = tf.function(lambda x: layer(x, training=True), autograph=False)(x)
    assert traced.shape == x.shape and not np.allclose(traced, x)
    assert layer(tf.keras.Input((6, 5, 3))).shape == (None, 6, 5, 3)


def test_flips():
    x = pictures(64)
    made = L.RandomFlip("horizontal")(x, training=True).numpy()
    flipped = [np.array_equal(a, b[:, ::-1]) for a, b in zip(made, x.numpy(), strict=True)]
    same = [np.array_equal(a, b) for a, b in zip(made, x.numpy(), strict=True)]
    assert all(a or b for a, b in zip(flipped, same, strict=True)) and 10 < sum(flipped) < 54
    with pytest.raises(ValueError, match="mode"):
        L.RandomFlip("diagonal")


def test_directions_of_the_maps():
    x = np.zeros((1, 5, 5, 1), "float32")
    x[0, 2, 2] = 1
    moved = L.RandomTranslation((0.2, 0.2), (0.4, 0.4), fill_mode="constant")(x, training=True).numpy()
    assert np.argwhere(moved[0, :, :, 0] > 0.5).tolist() == [[3, 4]]
    x = np.zeros((1, 5, 5, 1), "float32")
    x[0, 2, 4] = 1
    turned = L.RandomRotation((0.25, 0.25), fill_mode="constant")(x, training=True).numpy()
    assert np.argwhere(turned[0, :, :, 0] > 0.5).tolist() == [[0, 2]], "a quarter against the clock"
    small = L.RandomZoom((1.0, 1.0), fill_mode="constant")(
        np.ones((1, 5, 5, 1), "float32"), training=True
    ).numpy()
    assert small[0, 0, 0, 0] == 0 and small[0, 2, 2, 0] == 1


def test_crop_and_stretch():
    x = pictures()
    crop = L.RandomCrop(3, 2)
    made = crop(x, training=True)
    windows = [x[:, i : i + 3, j : j + 2].numpy() for i in range(4) for j in range(4)]
    assert any(np.array_equal(made, w) for w in windows)
    np.testing.assert_array_equal(crop(x, training=False), L.CenterCrop(3, 2)(x))
    assert L.CenterCrop(12, 10)(x).shape == (8, 12, 10, 3)
    assert crop(tf.keras.Input((6, 5, 3))).shape == (None, 3, 2, 3)
    high = {L.RandomHeight(0.5)(x, training=True).shape[1] for _ in range(20)}
    assert len(high) > 2 and min(high) >= 3 and max(high) <= 9
    assert L.RandomWidth(0.5)(tf.keras.Input((6, 5, 3))).shape == (None, 6, None, 3)
    assert L.Resizing(4, 4, crop_to_aspect_ratio=True)(x).shape == (8, 4, 4, 3)
    for wrong in (lambda: L.RandomContrast(1.5), lambda: L.RandomBrightness(2.0), lambda: L.RandomHeight(-1.0),
                  lambda: L.RandomZoom(0.1, fill_mode="mirror"), lambda: L.RandomRotation(0.1, interpolation="cubic")):
                   # fmt: skip
        with pytest.raises(ValueError, match=r"factor|fill_mode|interpolation"):
            wrong()
