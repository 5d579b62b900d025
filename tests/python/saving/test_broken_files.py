"""Files cut short or damaged: the error names the file, and what was in memory stays as it was."""

import os

import numpy as np
import pytest

import eagercore as tf
from eagercore.saving import load_arrays, save_arrays

HURTS = {
    "nothing left": lambda data: b"",
    "half": lambda data: data[: len(data) // 2],
    "without the last byte": lambda data: data[:-1],
    "a head of zeros": lambda data: b"\0" * 16 + data[16:],
}


def model_of(last=1):
    model = tf.keras.Sequential(
        [tf.keras.layers.Dense(4, input_shape=(3,)), tf.keras.layers.Dense(last)]
    )
    model.compile("adam", "mse")
    return model


def hurt(path, how):
    with open(path, "rb") as file:
        data = file.read()
    with open(path, "wb") as file:
        file.write(HURTS[how](data))


@pytest.mark.parametrize("how", HURTS)
@pytest.mark.parametrize("name", ["a.npz", "a.safetensors", "a.h5"])
def test_damaged_arrays(tmp_path, name, how):
    if name.endswith("h5"):
        pytest.importorskip("h5py")
    path = str(tmp_path / name)
    save_arrays(path, {"x": np.arange(100.0)})
    hurt(path, how)
    with pytest.raises(tf.errors.DataLossError, match=name):
        load_arrays(path)


@pytest.mark.parametrize("how", ["half", "without the last byte"])
@pytest.mark.parametrize("name", ["w.h5", "w.npz", "w.safetensors"])
def test_damaged_weights_change_nothing(tmp_path, name, how):
    if name.endswith("h5"):
        pytest.importorskip("h5py")
    path, model, other = str(tmp_path / name), model_of(), model_of()
    model.save_weights(path)
    hurt(path, how)
    before = other.get_weights()
    with pytest.raises((tf.errors.DataLossError, OSError), match=name):
        other.load_weights(path)
    for one, two in zip(before, other.get_weights(), strict=True):
        np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("how", ["half", "without the last byte"])
def test_a_damaged_model_is_refused(tmp_path, how):
    path = str(tmp_path / "m.keras")
    model_of().save(path)
    hurt(path, how)
    with pytest.raises(ValueError, match="m.keras (is cut short or damaged|holds no model)"):
        tf.keras.models.load_model(path)


@pytest.mark.parametrize("name", ["w.h5", "w.npz", "w.weights"])
def test_weights_that_do_not_fit_change_nothing(tmp_path, name):
    if name.endswith("h5"):
        pytest.importorskip("h5py")
    path, other = str(tmp_path / name), model_of(last=2)
    model_of(last=1).save_weights(path)
    before = other.get_weights()
    with pytest.raises(ValueError):
        other.load_weights(path)
    for one, two in zip(before, other.get_weights(), strict=True):
        np.testing.assert_array_equal(one, two)


def test_a_string_of_a_checkpoint_is_held_to_its_checksum(tmp_path):
    prefix = str(tmp_path / "c")
    save_arrays(prefix, {"s": np.array([b"some words", b"more"], dtype=object)})
    data = prefix + ".data-00000-of-00001"
    with open(data, "rb") as file:
        content = file.read()
    with open(data, "wb") as file:
        file.write(content.replace(b"words", b"wards"))
    with pytest.raises(tf.errors.DataLossError, match="checksum of the strings of s"):
        load_arrays(prefix)


def test_a_write_that_fails_leaves_the_old_file(tmp_path):
    path = str(tmp_path / "a.npz")
    save_arrays(path, {"x": [1.0]})

    class Failing:
        def _read_array(self):
            raise KeyboardInterrupt

    from eagercore.core import array_files

    with pytest.raises(KeyboardInterrupt):
        array_files.write_whole(path, lambda file: array_files.write_npz(file, {"x": Failing()}))
    assert load_arrays(path)["x"].tolist() == [1.0] and os.listdir(tmp_path) == ["a.npz"]
