"""Published models have the layers, weights and results of Keras's (tools/golden_applications.py)."""

import json
import pathlib

import numpy as np
import pytest

import eagercore as tf

A = tf.keras.applications
GOLDEN = json.loads((pathlib.Path(__file__).parent.parent / "golden/applications.json").read_text())


def drawn(number, shape, kind):
    rng = np.random.default_rng(number)
    if len(shape) == 1:
        if kind in ("gamma", "moving_variance"):
            return (1 + 0.1 * rng.uniform(size=shape)).astype("float32")
        return (0.1 * rng.normal(size=shape)).astype("float32")
    return (rng.normal(size=shape) * np.sqrt(2 / np.prod(shape[:-1]))).astype("float32")


@pytest.mark.parametrize("name", list(GOLDEN["models"]))
def test_model_is_as_in_keras(name):
    wanted = GOLDEN["models"][name]
    tf.keras.backend.clear_session()
    size = wanted["size"]
    model = getattr(A, name)(weights=None, include_top=False, input_shape=(size, size, 3))
    # Keras 3 writes conv1_conv for what is conv1/conv in the files of weights, and input_layer for input_1.
    names = [layer.name.replace("/", "_") for layer in model.layers]
    assert names[1:] == wanted["layers"][1:]
    assert model.count_params() == wanted["parameters"][0]
    number = 0
    for layer in model.layers:
        for weight in layer.weights:
            assert list(weight.shape) == wanted["shapes"][number], (layer.name, weight.name)
            kind = weight.name.split("/")[-1].split(":")[0]
            weight.assign(drawn(number, tuple(weight.shape), kind))
            number += 1
    assert number == len(wanted["shapes"])
    image = np.random.default_rng(0).normal(size=(1, size, size, 3)).astype("float32")
    result = model(image, training=False).numpy()
    assert list(result.shape) == wanted["shape"]
    scale = wanted["deviation"]
    np.testing.assert_allclose(result.mean(), wanted["mean"], atol=2e-3 * scale)
    np.testing.assert_allclose(result.std(), scale, rtol=2e-3)
    np.testing.assert_allclose(result.reshape(-1)[:16], wanted["values"], atol=5e-3 * scale)


@pytest.mark.parametrize("name", ["InceptionV3", "MobileNetV2", "ResNet50", "DenseNet121", "Xception"])
def test_parameters_with_the_top(name):
    assert getattr(A, name)(weights=None).count_params() == GOLDEN["models"][name]["parameters"][1]


def test_vgg_with_few_classes():
    model = A.VGG19(weights=None, input_shape=(32, 32, 3), classes=4, classifier_activation=None)
    assert [layer.name for layer in model.layers[-4:]] == ["flatten", "fc1", "fc2", "predictions"]
    assert model.output_shape == (None, 4)
    assert model.get_layer("block5_conv4").output.shape == (None, 2, 2, 512)


def test_options():
    model = A.MobileNetV2(input_shape=(64, 64, 3), weights=None, include_top=False, pooling="max", alpha=0.5)
    assert model.output_shape == (None, 1280) and model.name == "mobilenetv2_0.50_224"
    given = tf.keras.Input((75, 75, 3))
    model = A.InceptionV3(input_tensor=given, weights=None, include_top=False, pooling="avg")
    assert model.inputs[0] is given and model.output_shape == (None, 2048)
    assert A.ResNet50(weights=None, include_top=False).output_shape == (None, None, None, 2048)
    for wrong, message in (
        (lambda: A.VGG16(weights="places"), "weights"),
        (lambda: A.VGG16(classes=10), "classes"),
        (lambda: A.VGG16(weights=None, include_top=False, input_shape=(16, 16, 3)), "at least 32x32"),
        (lambda: A.VGG16(input_shape=(64, 64, 3)), r"input_shape"),
        (lambda: A.VGG16(weights=None, pooling="sum", include_top=False), "pooling"),
        (lambda: A.MobileNetV2(alpha=0.6), "alpha"),
        (lambda: A.ResNet50(weights=None, input_shape=(None, None, 3)), "static"),
    ):
        with pytest.raises(ValueError, match=message):
            wrong()


def test_weights_from_a_file(tmp_path):
    pytest.importorskip("h5py")
    first = A.MobileNetV2(input_shape=(32, 32, 3), weights=None, include_top=False, alpha=0.35)
    path = tmp_path / "weights.h5"
    first.save_weights(str(path))
    second = A.MobileNetV2(input_shape=(32, 32, 3), weights=str(path), include_top=False, alpha=0.35)
    image = tf.ones([1, 32, 32, 3])
    np.testing.assert_allclose(second(image), first(image), rtol=1e-5)


def test_published_weights_come_through_the_cache(monkeypatch):
    asked = {}

    def get_file(name, origin, cache_subdir, file_hash=None):
        asked.update(name=name, origin=origin, folder=cache_subdir, hash=file_hash)
        raise OSError("no network here")

    monkeypatch.setattr("eagercore.keras.applications.builder.get_file", get_file)
    with pytest.raises(OSError, match="no network"):
        A.VGG19(include_top=False)
    assert asked["origin"].endswith("/vgg19/vgg19_weights_tf_dim_ordering_tf_kernels_notop.h5")
    assert asked["hash"] == "253f8cb515780f3b799900260a226db6" and asked["folder"] == "models"


@pytest.mark.parametrize("module", list(GOLDEN["prepared"]))
def test_preprocessing_is_as_in_keras(module):
    images = np.arange(2 * 3 * 3 * 3, dtype="float32").reshape(2, 3, 3, 3) * 4
    before = images.copy()
    prepare = getattr(A, module).preprocess_input
    made = prepare(images)
    assert isinstance(made, np.ndarray)
    np.testing.assert_array_equal(images, before)
    np.testing.assert_allclose(made.reshape(-1), GOLDEN["prepared"][module], rtol=1e-5, atol=1e-5)
    tensor = prepare(tf.constant(images))
    assert isinstance(tensor, tf.Tensor)
    np.testing.assert_allclose(tensor, made, rtol=1e-6)
    np.testing.assert_allclose(prepare(tf.cast(images, tf.uint8)), made, rtol=1e-5, atol=1e-5)
    first = prepare(images.transpose(0, 3, 1, 2), data_format="channels_first")
    np.testing.assert_allclose(first.transpose(0, 2, 3, 1), made, rtol=1e-6)


def test_decode_predictions(tmp_path, monkeypatch):
    table = {str(i): [f"n{i:08d}", f"thing_{i}"] for i in range(1000)}
    path = tmp_path / "imagenet_class_index.json"
    path.write_text(json.dumps(table))
    monkeypatch.setattr(
        "eagercore.keras.applications.imagenet_utils.get_file", lambda *args, **kwargs: str(path)
    )
    A.imagenet_utils._classes.clear()
    shares = np.zeros((1, 1000))
    shares[0, [7, 5]] = 0.7, 0.3
    found = A.vgg16.decode_predictions(shares, top=2)
    assert [f[:2] for f in found[0]] == [("n00000007", "thing_7"), ("n00000005", "thing_5")]
    A.imagenet_utils._classes.clear()
    with pytest.raises(ValueError, match="1000"):
        A.vgg16.decode_predictions(np.zeros((1, 10)))
    with pytest.raises(ValueError, match="mode"):
        A.imagenet_utils.preprocess_input(shares, mode="keras")
