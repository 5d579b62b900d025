"""Computes the values that tests/python/keras/test_golden.py compares with. Run under TensorFlow:

    python tools/golden_keras.py

It writes tests/python/golden/keras.json, with TensorFlow's and Keras's versions in it.
"""

import importlib.util
import json
import os

import numpy as np
import tensorflow as tf

HERE = os.path.dirname(os.path.abspath(__file__))
_SPEC = importlib.util.spec_from_file_location(
    "golden_cases", os.path.join(HERE, "..", "tests", "python", "keras", "golden_cases.py")
)
cases = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(cases)


def plain(value):
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    if hasattr(value, "numpy"):
        value = value.numpy()
    if isinstance(value, np.ndarray | np.generic):
        rounded = (
            np.vectorize(lambda v: float(f"{v:.7g}"), otypes=[float])(value)
            if value.size
            else value
        )
        return rounded.tolist()
    return value


def losses():
    found = {}
    for name, (cls, _, _, options) in cases.LOSSES.items():
        y, p, weight = cases.loss_data(name)
        kind = getattr(tf.keras.losses, cls)
        found[name] = {
            "mean": kind(**options)(y, p),
            "sum": kind(reduction="sum", **options)(y, p),
            "none": kind(reduction=None, **options)(y, p),
            "weighted": kind(reduction="sum", **options)(y, p, sample_weight=weight),
        }
    return found


def activations():
    x = cases.numbers((3, 4), 8) * 2
    return {name: getattr(tf.keras.activations, name)(tf.constant(x)) for name in cases.ACTIVATIONS}


def schedules():
    found = {}
    for name, (cls, options) in cases.SCHEDULES.items():
        schedule = getattr(tf.keras.optimizers.schedules, cls)(**options)
        found[name] = [float(schedule(step)) for step in range(25)]
    return found


def initializers():
    """TensorFlow's own streams, by the initializers of its first generation, which draw from the global seed."""
    v1 = tf.compat.v1
    made = {
        "glorot_uniform": v1.glorot_uniform_initializer(), "glorot_normal": v1.glorot_normal_initializer(),
        "he_uniform": v1.initializers.he_uniform(), "he_normal": v1.initializers.he_normal(),
        "lecun_uniform": v1.initializers.lecun_uniform(), "lecun_normal": v1.initializers.lecun_normal(),
        "random_normal": v1.random_normal_initializer(0.5, 0.2),
        "random_uniform": v1.random_uniform_initializer(-1.0, 2.0),
        "truncated_normal": v1.truncated_normal_initializer(0.0, 0.3),
    }  # fmt: skip
    found = {}
    for name, initializer in made.items():
        tf.random.set_seed(11)
        found[name] = initializer([4, 3], tf.float32)
    return found


def main():
    values = {
        "tensorflow": tf.__version__,
        "keras": tf.keras.__version__,
        "layers": {name: cases.run_layer(tf, name) for name in cases.LAYERS},
        "losses": losses(),
        "activations": activations(),
        "optimizers": {name: cases.run_optimizer(tf, name) for name in cases.OPTIMIZERS},
        "schedules": schedules(),
        "initializers": initializers(),
    }
    path = os.path.join(HERE, "..", "tests", "python", "golden", "keras.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(plain(values), file, separators=(",", ":"))
        file.write("\n")
    print(f"wrote {os.path.normpath(path)} ({os.path.getsize(path)} bytes)")


if __name__ == "__main__":
    main()
