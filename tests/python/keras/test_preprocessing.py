"""Texts, sequences and images on their way to a model, held to what Keras gives (tools/golden_preprocessing.py)."""

import json
import pathlib

import numpy as np
import pytest

import eagercore as tf

image = tf.keras.preprocessing.image
sequence = tf.keras.preprocessing.sequence
text = tf.keras.preprocessing.text
GOLDEN = json.loads(
    (pathlib.Path(__file__).parent.parent / "golden/preprocessing.json").read_text()
)
TEXTS = GOLDEN["texts"]


@pytest.mark.parametrize("case", GOLDEN["tokenizers"], ids=lambda c: str(c["arguments"]))
def test_tokenizer_is_as_in_keras(case):
    made = text.Tokenizer(**case["arguments"])
    made.fit_on_texts(TEXTS)
    assert made.word_index == case["word_index"] and list(made.word_index) == list(
        case["word_index"]
    )
    assert dict(made.word_counts) == case["word_counts"]
    assert made.document_count == case["document_count"]
    numbers = made.texts_to_sequences([*TEXTS, "the unknown bird"])
    assert numbers == case["sequences"]
    assert made.sequences_to_texts(numbers) == case["texts"]
    for mode, wanted in case["matrices"].items():
        np.testing.assert_allclose(
            made.texts_to_matrix([t for t in TEXTS if t], mode), wanted, atol=1e-9
        )
    again = text.tokenizer_from_json(made.to_json())
    assert again.texts_to_sequences(TEXTS) == made.texts_to_sequences(TEXTS)
    assert again.get_config() == made.get_config()


def test_word_index_can_be_assigned_into():
    made = text.Tokenizer(num_words=5, oov_token="<unk>")
    made.fit_on_texts(["a b a"])
    made.word_index["<pad>"] = 0
    made.index_word[0] = "<pad>"
    assert made.texts_to_sequences(["a <pad> c"]) == [[2, 1, 1]]
    assert made.sequences_to_texts([[0, 2]]) == ["<pad> a"]


def test_tokenizer_takes_tensors_bytes_and_lists():
    made = text.Tokenizer()
    made.fit_on_texts(tf.constant(["b a", "a"]))
    made.fit_on_texts([b"a c", ["D", "a"]])
    assert made.word_index == {"a": 1, "b": 2, "c": 3, "d": 4}
    assert made.texts_to_sequences("a d") == [[1, 4]]


def test_tokenizer_messages():
    with pytest.raises(TypeError, match="Unrecognized keyword"):
        text.Tokenizer(words=3)
    with pytest.raises(ValueError, match="num_words"):
        text.Tokenizer().sequences_to_matrix([[1]])
    with pytest.raises(ValueError, match="Unknown vectorization mode"):
        text.Tokenizer(num_words=3).sequences_to_matrix([[1]], "counts")
    with pytest.raises(ValueError, match="tfidf"):
        text.Tokenizer(num_words=3).sequences_to_matrix([[1]], "tfidf")


def test_hashes():
    assert text.hashing_trick("one two one", 50, "md5") == GOLDEN["hashing_trick"]
    first = text.one_hot("one two one", 50)
    assert first[0] == first[2] and all(1 <= n < 50 for n in first)


@pytest.mark.parametrize("case", GOLDEN["paddings"], ids=lambda c: str(c["arguments"]))
def test_pad_sequences_is_as_in_keras(case):
    made = sequence.pad_sequences(case["rows"], **case["arguments"])
    assert made.dtype.name == case["dtype"] and made.tolist() == case["result"]


def test_pad_sequences_of_other_things():
    made = sequence.pad_sequences([["a"], ["b", "c"]], dtype=object, value="")
    assert made.tolist() == [["", "a"], ["b", "c"]]
    made = sequence.pad_sequences([np.ones((1, 2)), np.ones((3, 2))], dtype="float32")
    assert made.shape == (2, 3, 2) and made[0, 0].tolist() == [0, 0]
    made = sequence.pad_sequences([[1.0, 2.0]], maxlen=3.0, dtype=tf.int64)
    assert made.dtype == np.int64 and made.tolist() == [[0, 1, 2]]
    assert sequence.pad_sequences([], maxlen=3).shape == (0, 3)
    with pytest.raises(ValueError, match="iterable"):
        sequence.pad_sequences([1, 2])
    with pytest.raises(ValueError, match="not understood"):
        sequence.pad_sequences([[1]], padding="before")
    with pytest.raises(ValueError, match="dtype=object"):
        sequence.pad_sequences([[1]], value="x")
    with pytest.raises(ValueError, match="different from expected shape"):
        sequence.pad_sequences([np.ones((1, 2)), np.ones((1, 3))])


@pytest.mark.parametrize("case", GOLDEN["windows"], ids=lambda c: str(c["arguments"]))
def test_timeseries_generator_is_as_in_keras(case):
    made = sequence.TimeseriesGenerator(
        np.arange(20).reshape(10, 2), np.arange(10), **case["arguments"]
    )
    assert [[b.tolist() for b in batch] for batch in made] == case["batches"]
    assert json.loads(made.to_json())["config"]["length"] == case["arguments"]["length"]


def test_timeseries_generator_messages():
    with pytest.raises(ValueError, match="same length"):
        sequence.TimeseriesGenerator([1, 2], [1], 1)
    with pytest.raises(ValueError, match="disallowed"):
        sequence.TimeseriesGenerator([1, 2], [1, 2], 3)


def test_skipgrams():
    np.testing.assert_allclose(
        sequence.make_sampling_table(20), GOLDEN["sampling_table"], rtol=1e-12
    )
    made = sequence.skipgrams([1, 2, 3, 0, 4, 1], 6, 2, negative_samples=0, shuffle=False)
    assert list(made) == GOLDEN["skipgrams"]
    couples, labels = sequence.skipgrams([1, 2, 3], 10, negative_samples=2.0, seed=5)
    assert labels.count(1) == 6 and labels.count(0) == 12 and len(couples) == 18
    assert (couples, labels) == sequence.skipgrams([1, 2, 3], 10, negative_samples=2.0, seed=5)
    _, labels = sequence.skipgrams([1, 2], 10, categorical=True, seed=1)
    assert sorted(labels) == [[0, 1], [0, 1], [1, 0], [1, 0]]
    couples, _ = sequence.skipgrams([1, 2], 10, sampling_table=[0, 0, 0], seed=1)
    assert couples == []


# -------------------------------------------------------------------------------------------------------------- images


def picture():
    return (np.arange(6 * 5 * 3) * 37 % 256).reshape(6, 5, 3).astype("float64")


@pytest.mark.parametrize(
    "case", GOLDEN["transformations"], ids=lambda c: f"{c['parameters']}-{c['mode']}"
)
def test_transformations_are_as_in_keras(case):
    made = image.ImageDataGenerator(fill_mode=case["mode"], cval=3.0)
    result = made.apply_transform(picture(), case["parameters"])
    np.testing.assert_allclose(np.ravel(result), case["result"], atol=2e-3)


def test_images_to_arrays_and_files(tmp_path):
    values = picture().astype("float32")
    path = tmp_path / "a.png"
    image.save_img(path, values, scale=False)
    loaded = image.load_img(str(path))
    np.testing.assert_array_equal(image.img_to_array(loaded), values)
    assert image.img_to_array(loaded, dtype="uint8").dtype == np.uint8
    assert image.img_to_array(loaded, data_format="channels_first").shape == (3, 6, 5)
    assert image.load_img(path, target_size=(4, 3)).size == (3, 4)
    assert image.load_img(path, target_size=(4.0, 3.0), interpolation="bilinear").size == (3, 4)
    assert image.img_to_array(image.load_img(path, color_mode="grayscale")).shape == (6, 5, 1)
    assert image.img_to_array(image.load_img(path, grayscale=True)).shape == (6, 5, 1)
    assert image.img_to_array(image.load_img(path, color_mode="rgba")).shape == (6, 5, 4)
    assert image.load_img(path, target_size=(2, 2), keep_aspect_ratio=True).size == (2, 2)
    stretched = image.img_to_array(image.array_to_img(values / 2))
    assert stretched.max() == 255 and stretched.min() == 0
    image.save_img(tmp_path / "b.jpg", np.ones((4, 4, 4)))
    assert image.load_img(tmp_path / "b.jpg").mode == "RGB"
    tensor = tf.constant(values)
    np.testing.assert_array_equal(image.img_to_array(tensor), values)
    for wrong, message in (
        (lambda: image.load_img(path, color_mode="cmyk"), "color_mode"),
        (lambda: image.load_img(path, target_size=(2, 2), interpolation="best"), "interpolation"),
        (lambda: image.img_to_array(np.ones(3)), "Unsupported image shape"),
        (lambda: image.array_to_img(np.ones((2, 2))), "rank 3"),
        (lambda: image.array_to_img(np.ones((2, 2, 2))), "channel number"),
    ):
        with pytest.raises(ValueError, match=message):
            wrong()
    with pytest.raises(FileNotFoundError):
        image.load_img(tmp_path / "none.png")


def test_smart_resize_keeps_the_ratio():
    made = image.smart_resize(picture(), (3, 3))
    assert made.shape == (3, 3, 3) and isinstance(made, np.ndarray)
    assert image.smart_resize(tf.ones([2, 4, 8, 3]), (2, 2)).shape == (2, 2, 2, 3)


def test_flow_from_arrays():
    x, y = np.arange(5 * 2 * 2 * 1.0).reshape(5, 2, 2, 1), np.arange(5)
    generator = image.ImageDataGenerator(rescale=0.5)
    flow = generator.flow(x, y, batch_size=2, shuffle=False)
    assert len(flow) == 3
    batches = [next(flow) for _ in range(4)]
    assert [b[1].tolist() for b in batches] == [[0, 1], [2, 3], [4], [0, 1]]
    np.testing.assert_allclose(batches[0][0], x[:2] / 2)
    np.testing.assert_allclose(flow[1][0], x[2:4] / 2)
    seen = [generator.flow(x, y, batch_size=5, seed=3)[0][1].tolist() for _ in range(2)]
    assert seen[0] == seen[1] and sorted(seen[0]) == list(range(5))
    weighted = generator.flow(x, y, batch_size=2, sample_weight=np.ones(5))[0]
    assert len(weighted) == 3
    split = image.ImageDataGenerator(validation_split=0.4)
    sizes = [split.flow(x, y, subset=s).n for s in ("training", "validation")]
    assert sizes == [3, 2]
    with pytest.raises(ValueError, match="same length"):
        generator.flow(x, y[:3])
    with pytest.raises(ValueError, match="rank 4"):
        generator.flow(x[0])


def test_normalization_of_the_data():
    x = np.random.default_rng(0).normal(3, 2, size=(20, 4, 4, 3))
    generator = image.ImageDataGenerator(
        featurewise_std_normalization=True, featurewise_center=True
    )
    with pytest.warns(UserWarning, match="fit"):
        generator.standardize(x[0].copy())
    generator.fit(x)
    made = generator.standardize(x)
    np.testing.assert_allclose(made.mean((0, 1, 2)), 0, atol=1e-5)
    np.testing.assert_allclose(made.std((0, 1, 2)), 1, atol=1e-4)
    own = image.ImageDataGenerator(samplewise_std_normalization=True).standardize(x[0])
    np.testing.assert_allclose([own.mean(), own.std()], [0, 1], atol=1e-4)
    white = image.ImageDataGenerator(zca_whitening=True, dtype="float64")
    small = np.random.default_rng(0).normal(size=(300, 2, 2, 1)) @ np.ones((1, 1))
    white.fit(small)
    flat = np.stack([white.standardize(s) for s in small]).reshape(300, -1)
    np.testing.assert_allclose(flat.T @ flat / 300, np.eye(4), atol=1e-3)


def test_shift_ranges_move_in_their_own_direction():
    column = np.zeros((5, 5, 1))
    column[2, 2] = 1.0
    across = image.ImageDataGenerator(width_shift_range=[1], fill_mode="constant").random_transform(
        column
    )
    down = image.ImageDataGenerator(height_shift_range=[1], fill_mode="constant").random_transform(
        column
    )
    assert across[2].sum() == 1 and across[2, 2] == 0
    assert down[:, 2].sum() == 1 and down[2, 2] == 0


def test_random_changes_keep_shape_and_follow_the_seed():
    generator = image.ImageDataGenerator(
        rotation_range=20, width_shift_range=0.2, height_shift_range=2, shear_range=10, zoom_range=0.2,
        channel_shift_range=5, horizontal_flip=True, vertical_flip=True, brightness_range=(0.8, 1.2),
    )  # fmt: skip
    one, two = (generator.random_transform(picture(), seed=4) for _ in range(2))
    assert one.shape == (6, 5, 3)
    np.testing.assert_array_equal(one, two)
    assert not np.array_equal(one, generator.random_transform(picture(), seed=5))


@pytest.fixture
def folder(tmp_path):
    for name, count in (("cats", 3), ("dogs", 2)):
        (tmp_path / name).mkdir()
        for i in range(count):
            image.save_img(tmp_path / name / f"{i}.png", np.full((4, 4, 3), 10.0 * i), scale=False)
            (tmp_path / name / f"{i}.txt").write_text(f"{name} {i}")
    return tmp_path


def test_flow_from_directory(folder, capsys):
    generator = image.ImageDataGenerator()
    flow = generator.flow_from_directory(folder, target_size=(2, 3), batch_size=5, shuffle=False)
    assert "Found 5 images belonging to 2 classes" in capsys.readouterr().out
    assert flow.class_indices == {"cats": 0, "dogs": 1} and flow.classes == [0, 0, 0, 1, 1]
    x, y = next(flow)
    assert x.shape == (5, 2, 3, 3) and y.tolist() == [[1, 0]] * 3 + [[0, 1]] * 2
    assert [x[i, 0, 0, 0] for i in range(5)] == [0, 10, 20, 0, 10]
    sparse = generator.flow_from_directory(folder, class_mode="sparse", batch_size=5, shuffle=False)
    assert next(sparse)[1].tolist() == [0, 0, 0, 1, 1]
    assert (
        next(generator.flow_from_directory(folder, class_mode=None, color_mode="grayscale")).shape[
            -1
        ]
        == 1
    )
    with pytest.raises(ValueError, match="class_mode"):
        generator.flow_from_directory(folder, class_mode="other")


def test_flow_from_dataframe(folder):
    table = {
        "filename": ["cats/0.png", "dogs/1.png", "none.png"],
        "class": ["c", "d", "c"],
        "size": [1.0, 2.0, 3.0],
    }
    generator = image.ImageDataGenerator()
    with pytest.warns(UserWarning, match="1 invalid"):
        flow = generator.flow_from_dataframe(table, folder, target_size=(4, 4), shuffle=False)
    assert next(flow)[1].tolist() == [[1, 0], [0, 1]]
    with pytest.warns(UserWarning):
        raw = generator.flow_from_dataframe(
            table, folder, y_col="size", class_mode="raw", shuffle=False
        )
    assert next(raw)[1].tolist() == [1.0, 2.0]


def test_image_dataset_from_directory(folder):
    dataset = tf.keras.preprocessing.image_dataset_from_directory(
        folder, image_size=(4, 4), batch_size=5, shuffle=False
    )
    assert dataset.class_names == ["cats", "dogs"]
    x, y = next(iter(dataset))
    assert (
        x.shape == (5, 4, 4, 3) and x.dtype == tf.float32 and y.numpy().tolist() == [0, 0, 0, 1, 1]
    )
    assert x.numpy()[:, 0, 0, 0].tolist() == [0, 10, 20, 0, 10]
    one_hot = tf.keras.preprocessing.image_dataset_from_directory(
        folder, label_mode="categorical", image_size=(4, 4)
    )
    assert next(iter(one_hot))[1].shape == (5, 2)
    training, validation = tf.keras.preprocessing.image_dataset_from_directory(
        folder, validation_split=0.4, subset="both", seed=1, image_size=(4, 4)
    )
    assert next(iter(training))[0].shape[0] == 3 and next(iter(validation))[0].shape[0] == 2
    with pytest.raises(ValueError, match="seed"):
        tf.keras.preprocessing.image_dataset_from_directory(
            folder, validation_split=0.4, subset="training"
        )
    with pytest.raises(ValueError, match="label_mode"):
        tf.keras.preprocessing.image_dataset_from_directory(folder, label_mode="one")


def test_text_dataset_from_directory(folder):
    dataset = tf.keras.preprocessing.text_dataset_from_directory(
        folder, batch_size=5, shuffle=False, max_length=4
    )
    x, y = next(iter(dataset))
    assert x.numpy().tolist() == [b"cats"] * 3 + [b"dogs"] * 2 and y.numpy().tolist() == [
        0,
        0,
        0,
        1,
        1,
    ]


def test_timeseries_dataset():
    make = tf.keras.preprocessing.timeseries_dataset_from_array
    data = np.arange(10)
    made = [
        (x.numpy().tolist(), y.numpy().tolist())
        for x, y in make(data, data * 10, 3, sampling_rate=2, batch_size=3)
    ]
    assert made[0] == ([[0, 2, 4], [1, 3, 5], [2, 4, 6]], [0, 10, 20])
    assert [len(x) for x, _ in made] == [3, 3]
    found = [
        x.numpy().tolist()
        for x in make(data, None, 2, sequence_stride=3, batch_size=None, start_index=1)
    ]
    assert found == [[1, 2], [4, 5], [7, 8]]
    shuffled = [
        x.numpy().tolist() for x in make(data, None, 1, batch_size=None, shuffle=True, seed=1)
    ]
    assert sorted(shuffled) == [[i] for i in range(10)] and shuffled != sorted(shuffled)
    with pytest.raises(ValueError, match="sequence_stride"):
        make(data, None, 2, sequence_stride=0)


def test_names_in_utils():
    utils = tf.keras.utils
    assert utils.pad_sequences is sequence.pad_sequences and utils.load_img is image.load_img
    assert utils.image_dataset_from_directory is tf.keras.preprocessing.image_dataset_from_directory
    with pytest.raises(AttributeError, match="nothing"):
        _ = utils.nothing


def test_ragged_and_sparse_inputs():
    L = tf.keras.layers
    ragged = tf.ragged.constant([["a", "b"], ["c"], []])
    words = L.StringLookup(vocabulary=["a", "b", "c"])
    assert words(ragged).to_list() == [[1, 2], [3], []]
    learned = L.StringLookup()
    learned.adapt(ragged)
    assert learned.get_vocabulary() == ["[UNK]", "c", "b", "a"]
    assert L.IntegerLookup(vocabulary=[1, 2])(tf.ragged.constant([[1, 5], [2]])).to_list() == [
        [1, 0],
        [2],
    ]
    back = L.StringLookup(vocabulary=["a", "b"], invert=True)
    assert back(tf.ragged.constant([[1, 2], [0]])).to_list() == [[b"a", b"b"], [b"[UNK]"]]
    for mode in ("multi_hot", "count"):
        rows = L.StringLookup(vocabulary=["a", "b"], output_mode=mode)(ragged)
        assert rows.numpy().tolist() == [[0, 1, 1], [1, 0, 0], [0, 0, 0]]
    # TensorFlow 2.21's bins.
    assert L.Hashing(3)(ragged).to_list() == [[0, 1], [1], []]
    sparse = words(tf.sparse.from_dense([["a", ""], ["", "b"]]))
    assert sparse.values.numpy().tolist() == [1, 2] and sparse.indices.numpy().tolist() == [
        [0, 0],
        [1, 1],
    ]
    texts = L.TextVectorization(vocabulary=["foo", "bar"], ragged=True)(
        tf.constant(["foo bar", "bar"])
    )
    assert texts.to_list() == [[2, 3], [3]]
