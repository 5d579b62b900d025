"""Named arrays to files and back, by the file's ending or what the file says it is."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..base import errors
from ..core import array_files
from ..core.bundle import GRAPH_KEY, CheckpointReader, write_bundle
from ..core.tensor import convert


def _h5py() -> Any:
    try:
        import h5py
    except ImportError:
        raise errors.missing_extra("h5py", "saving", "Reading and writing HDF5 files") from None
    return h5py


def save_arrays(path: Any, arrays: Mapping[str, Any]) -> None:
    """Writes named arrays to a file.

    Args:
        path: Path. ".safetensors", ".npz" and ".h5" give those formats, anything else a
            checkpoint in TensorFlow's format (`path.index` and `path.data-00000-of-00001`).
        arrays: name -> tensor, variable or array. Names may hold "/".

    Raises:
        MissingExtraError: If HDF5 is asked for and h5py is not installed.

    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "a.safetensors")
    >>> save_arrays(path, {"w": [1.0, 2.0]})
    >>> load_arrays(path)["w"]
    array([1., 2.], dtype=float32)
    """
    where = os.fspath(path)
    found = {name: _array(value) for name, value in arrays.items()}
    kind = os.path.splitext(where)[1]
    if kind == ".safetensors":
        array_files.write_whole(where, lambda file: array_files.write_safetensors(file, found))
    elif kind == ".npz":
        array_files.write_whole(where, lambda file: array_files.write_npz(file, found))
    elif kind in (".h5", ".hdf5"):
        array_files.write_whole(where, lambda file: _write_hdf5(file, found))
    else:
        write_bundle(where, found)


def _array(value: Any) -> np.ndarray:
    return value if isinstance(value, np.ndarray) else convert(value)._read_array()


def _write_hdf5(file: Any, arrays: Mapping[str, np.ndarray]) -> None:
    with _h5py().File(file, "w") as inside:
        for name, array in arrays.items():
            inside.create_dataset(name, data=array)


def load_arrays(path: Any) -> dict[str, np.ndarray]:
    """The named arrays of a file.

    Args:
        path: Path of a safetensors, .npz or HDF5 file, or of a checkpoint (without ending).

    Returns:
        name -> array.

    Raises:
        NotFoundError: If there is no such file.
        DataLossError: If it is of none of these formats, or damaged.
    """
    where = os.fspath(path)
    if os.path.exists(where + ".index"):
        reader = CheckpointReader(where)
        return {
            key: reader.read(key) for key in reader.get_variable_to_shape_map() if key != GRAPH_KEY
        }
    if not os.path.isfile(where):
        raise errors.NotFoundError(f"{where}; No such file or directory")
    kind = array_files.sniff(where)
    if kind == "safetensors":
        with open(where, "rb") as file:
            return dict(array_files.read_safetensors(file))
    if kind == "npz":
        return dict(array_files.read_npz(where))
    if kind == "hdf5":
        return _read_hdf5(where)
    raise errors.DataLossError(
        f"{where} is no file of arrays: expected safetensors, .npz, HDF5 or a checkpoint."
    )


def _read_hdf5(path: str) -> dict[str, np.ndarray]:
    h5py = _h5py()
    found: dict[str, np.ndarray] = {}

    def visit(name: str, item: Any) -> None:
        if isinstance(item, h5py.Dataset):
            found[name] = np.asarray(item)

    with array_files.reading(path), h5py.File(path, "r") as file:
        file.visititems(visit)
    return found
