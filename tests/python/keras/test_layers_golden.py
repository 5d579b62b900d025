"""Layers give the results and gradients that TensorFlow's Keras gives (tools/golden_layers.py)."""

import json
import math
import pathlib

import numpy as np
import pytest

import eagercore as tf

GOLDEN = json.loads((pathlib.Path(__file__).parent.parent / "golden/layers.json").read_text())


def numbers(shape, seed, scale=0.1):
    count = math.prod(shape)
    return (((np.arange(count) * 7919 + 104729 * (seed + 1)) % 23 - 11.0) * scale).reshape(shape)


def made(value):
    """Arguments with the layers that they describe."""
    if (
        isinstance(value, list)
        and len(value) == 2
        and isinstance(value[0], str)
        and isinstance(value[1], dict)
    ):
        return getattr(tf.keras.layers, value[0])(**value[1])
    if isinstance(value, list) and value and isinstance(value[0], list) and isinstance(value[0][0], str):
        return [made(v) for v in value]
    return value


@pytest.fixture(autouse=True)
def double():
    tf.keras.backend.set_floatx("float64")
    yield
    tf.keras.backend.set_floatx("float32")


@pytest.mark.parametrize(
    "case", GOLDEN["cases"], ids=lambda c: f"{c['layer']}-{c['arguments']}-{list(c['call'])}"
)
def test_layer_is_as_in_keras(case):
    layer = getattr(tf.keras.layers, case["layer"])(
        **{k: made(v) for k, v in case["arguments"].items()}, dtype="float64"
    )
    call = dict(case["call"])
    spread = call.pop("spread", False)
    if "mask" in call:
        mask = call["mask"]
        call["mask"] = tf.constant(mask) if np.ndim(mask) < 3 else [tf.constant(m) for m in mask]
    inputs = [tf.constant(numbers(s, i)) for i, s in enumerate(case["shapes"])]
    given = inputs if spread else [inputs[0] if len(inputs) == 1 else inputs]
    layer(*given, **call)
    for i, weight in enumerate(layer.weights):
        values = numbers(tuple(weight.shape), 10 + i)
        weight.assign(np.abs(values) + 0.1 if "variance" in weight.name else values)
    with tf.GradientTape() as tape:
        tape.watch(inputs)
        results = layer(*given, **call)
        results = list(results) if isinstance(results, list | tuple) else [results]
        total = sum(tf.reduce_sum(r * numbers(tuple(r.shape), 20 + i)) for i, r in enumerate(results))
    assert [list(r.shape) for r in results] == case["result_shapes"]
    for found, wanted in zip(results, case["results"], strict=True):
        np.testing.assert_allclose(found.numpy().ravel(), wanted, rtol=1e-6, atol=1e-7)
    gradients = tape.gradient(total, [*inputs, *layer.trainable_weights])
    assert len(gradients) == len(case["gradients"])
    for found, wanted in zip(gradients, case["gradients"], strict=True):
        if wanted is not None:
            np.testing.assert_allclose(
                tf.convert_to_tensor(found).numpy().ravel(), wanted, rtol=1e-5, atol=1e-6
            )
