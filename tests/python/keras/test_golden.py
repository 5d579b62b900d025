"""Layers, losses, optimizers, schedules and initializers against TensorFlow (tools/golden_keras.py says how)."""

import json
import pathlib

import golden_cases as cases
import numpy as np
import pytest

import eagercore as tf

GOLDEN = json.loads(
    (pathlib.Path(__file__).parents[1] / "golden" / "keras.json").read_text(encoding="utf-8")
)


def close(found, wanted, tolerance=2e-5):
    found, wanted = np.asarray(found, "float64"), np.asarray(wanted, "float64")
    assert found.shape == wanted.shape
    assert np.allclose(found, wanted, rtol=tolerance, atol=tolerance), (
        f"largest difference {np.abs(found - wanted).max()}"
    )


@pytest.mark.parametrize("name", cases.LAYERS)
def test_layer(name):
    found, wanted = cases.run_layer(tf, name), GOLDEN["layers"][name]
    close(found["output"], wanted["output"])
    assert len(found["gradients"]) == len(wanted["gradients"])
    for one, two in zip(found["gradients"], wanted["gradients"], strict=True):
        close(one, two, 1e-4)
    for one, two in zip(found["weights"], wanted["weights"], strict=True):
        close(one, two)


@pytest.mark.parametrize("name", cases.ACTIVATIONS)
def test_activation(name):
    x = tf.constant(cases.numbers((3, 4), 8) * 2)
    close(getattr(tf.keras.activations, name)(x), GOLDEN["activations"][name])
    close(tf.keras.activations.get(name)(x), GOLDEN["activations"][name])


@pytest.mark.parametrize("name", cases.LOSSES)
def test_loss(name):
    cls, _, _, options = cases.LOSSES[name]
    kind, wanted = getattr(tf.keras.losses, cls), GOLDEN["losses"][name]
    y, p, weight = cases.loss_data(name)
    close(kind(**options)(y, p), wanted["mean"])
    close(kind(reduction="sum", **options)(y, p), wanted["sum"])
    close(kind(reduction=tf.keras.losses.Reduction.NONE, **options)(y, p), wanted["none"])
    close(kind(reduction="sum", **options)(y, p, sample_weight=weight), wanted["weighted"])
    again = kind.from_config(kind(**options).get_config())
    close(again(tf.constant(y), tf.constant(p)), wanted["mean"])


@pytest.mark.parametrize("name", cases.OPTIMIZERS)
def test_optimizer(name):
    for step, (found, wanted) in enumerate(
        zip(cases.run_optimizer(tf, name), GOLDEN["optimizers"][name], strict=True)
    ):
        for one, two in zip(found, wanted, strict=True):
            close(one, two, 1e-5 * (step + 1))


@pytest.mark.parametrize("name", cases.SCHEDULES)
def test_schedule(name):
    cls, options = cases.SCHEDULES[name]
    schedule = getattr(tf.keras.optimizers.schedules, cls)(**options)
    close([float(schedule(step)) for step in range(25)], GOLDEN["schedules"][name], 1e-6)
    again = type(schedule).from_config(schedule.get_config())
    assert float(again(3)) == float(schedule(3))


@pytest.mark.parametrize("name", cases.INITIALIZERS)
def test_initializer_draws_tensorflows_numbers(name):
    made = tf.keras.initializers.get({"class_name": name, "config": cases.INITIALIZERS[name]})
    tf.random.set_seed(11)
    close(made([4, 3]), GOLDEN["initializers"][name], 1e-6)
