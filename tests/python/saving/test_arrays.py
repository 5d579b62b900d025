"""Named arrays in files of each format."""

import numpy as np
import pytest

import eagercore as tf
from eagercore.saving import load_arrays, save_arrays


@pytest.mark.parametrize("name", ["a.safetensors", "a.npz", "a.h5", "a"])
def test_there_and_back(tmp_path, name):
    if name.endswith("h5"):
        pytest.importorskip("h5py")
    path = tmp_path / name
    given = {
        "w/kernel": tf.Variable([[1.0, 2.0]]),
        "n": np.arange(3),
        "half": tf.constant([0.5], tf.float16),
        "s": np.float64(3),
    }
    save_arrays(path, given)
    back = load_arrays(path)
    assert set(back) == set(given)
    for key, value in given.items():
        array = np.asarray(value)
        assert back[key].dtype == array.dtype
        assert back[key].shape == array.shape
        assert (back[key] == array).all()


def test_other_libraries_read_what_we_write(tmp_path):
    safetensors = pytest.importorskip("safetensors.numpy")
    save_arrays(
        tmp_path / "a.safetensors", {"b": np.arange(6).reshape(2, 3), "a": np.array([True])}
    )
    back = safetensors.load_file(tmp_path / "a.safetensors")
    assert back["b"].tolist() == [[0, 1, 2], [3, 4, 5]]
    safetensors.save_file({"x": np.ones((2, 2), np.float32)}, tmp_path / "c.safetensors")
    assert load_arrays(tmp_path / "c.safetensors")["x"].tolist() == [[1.0, 1.0], [1.0, 1.0]]


def test_files_that_are_none(tmp_path):
    with pytest.raises(tf.errors.NotFoundError, match="No such file"):
        load_arrays(tmp_path / "none")
    (tmp_path / "text").write_text("no arrays here")
    with pytest.raises(tf.errors.DataLossError, match="no file of arrays"):
        load_arrays(tmp_path / "text")
