"""Writes tests/python/golden/applications.json: layers, weights and results of Keras's published models.

Run under TensorFlow: ``python tools/golden_applications.py``. Weights are drawn by NumPy from the number of
the weight, so that no file is loaded.
"""

import json
import os
import pathlib

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np
import tensorflow as tf

MODELS = {
    "VGG16": 32, "VGG19": 32, "InceptionV3": 75, "MobileNetV2": 32, "ResNet50": 32, "DenseNet121": 32, "Xception": 71,
}  # fmt: skip


def drawn(number, shape, kind):
    """Values of a weight that keep results in range."""
    rng = np.random.default_rng(number)
    if len(shape) == 1:
        return (
            1 + 0.1 * rng.uniform(size=shape)
            if kind in ("gamma", "moving_variance")
            else 0.1 * rng.normal(size=shape)
        ).astype("float32")
    return (rng.normal(size=shape) * np.sqrt(2 / np.prod(shape[:-1]))).astype("float32")


def main():
    """Build every model and write the file."""
    made = {}
    for name, size in MODELS.items():
        tf.keras.backend.clear_session()
        model = getattr(tf.keras.applications, name)(
            weights=None, include_top=False, input_shape=(size, size, 3)
        )
        number, shapes = 0, []
        for layer in model.layers:
            for weight in layer.weights:
                shapes.append(list(weight.shape))
                weight.assign(drawn(number, tuple(weight.shape), weight.path.split("/")[-1]))
                number += 1
        image = np.random.default_rng(0).normal(size=(1, size, size, 3)).astype("float32")
        result = model(image, training=False).numpy()
        top = getattr(tf.keras.applications, name)(weights=None)
        made[name] = {
            "size": size,
            "layers": [layer.name for layer in model.layers],
            "shapes": shapes,
            "parameters": [model.count_params(), top.count_params()],
            "shape": list(result.shape),
            "mean": float(result.mean()),
            "deviation": float(result.std()),
            "values": result.reshape(-1)[:16].tolist(),
        }
    images = np.arange(2 * 3 * 3 * 3, dtype="float32").reshape(2, 3, 3, 3) * 4
    prepared = {
        module: getattr(tf.keras.applications, module).preprocess_input(images.copy()).reshape(-1).tolist()
        for module in ("vgg16", "inception_v3", "densenet", "resnet50", "mobilenet_v2", "xception")
    }
    target = pathlib.Path(__file__).parent.parent / "tests/python/golden/applications.json"
    text = json.dumps(
        {"tensorflow": tf.__version__, "keras": tf.keras.__version__, "models": made, "prepared": prepared}
    )
    target.write_text(text + "\n")
    print(len(text), "bytes")


if __name__ == "__main__":
    main()
