"""Weights in files, and models as text."""

from __future__ import annotations

import errno
import os
from typing import Any

from ...base import errors
from ...core import array_files
from ...core.module import SERVICES
from . import hdf5


class Saving:
    """What a model needs to be saved."""

    def save_weights(
        self, filepath: Any, overwrite: bool = True, save_format: Any = None, **kwargs: Any
    ) -> None:
        """Saves the weights.

        Args:
            filepath: Path. ".h5" and ".hdf5" give Keras's HDF5 format (needs h5py), ".safetensors" and
                ".npz" those formats,
                others a checkpoint in TensorFlow's format.
            overwrite: Whether a file that is there may be replaced. Default True.
            save_format: "h5", "tf", "safetensors" or "npz", or None to go by the path.
            **kwargs: Accepted for Keras's sake.

        Raises:
            ValueError: If the model has no weights yet.
            FileExistsError: If a file is there and `overwrite` is False.
        """
        path = os.fspath(filepath)
        if not self.built and not self.weights:
            raise ValueError(
                f"Unable to save weights of model {self.name}: it has no weights yet. Call it on data, or "
                f"build() it, first."
            )
        if os.path.exists(path) and not overwrite:
            raise FileExistsError(
                f"The file {path} exists already. Give overwrite=True to replace it."
            )
        if save_format in ("h5", "hdf5", "keras") or path.endswith((".h5", ".hdf5")):
            hdf5.save_weights(path, self)
            return
        arrays = {f"{i:05d} {v.name}".replace("/", "|"): v for i, v in enumerate(self.weights)}
        if save_format == "safetensors" or path.endswith(".safetensors"):
            array_files.write_whole(path, lambda file: array_files.write_safetensors(file, arrays))
        elif save_format == "npz" or path.endswith(".npz"):
            array_files.write_whole(path, lambda file: array_files.write_npz(file, arrays))
        else:
            checkpoint = SERVICES["checkpoint"]()
            checkpoint.Checkpoint(root=self).write(path)
            checkpoint.update_checkpoint_state(os.path.dirname(path) or ".", path, [path])

    def load_weights(
        self, filepath: Any, by_name: bool = False, skip_mismatch: bool = False, **kwargs: Any
    ) -> Any:
        """Sets the weights from a file that `save_weights` (or Keras) wrote.

        A checkpoint may be loaded before the model is built: the variables get their values when they come into being.

        Args:
            filepath: Path.
            by_name: Whether layers are found by their names (HDF5 only). Default False: by their order.
            skip_mismatch: Whether layers whose shapes differ keep their weights. Default False.
            **kwargs: Accepted for Keras's sake.

        Raises:
            FileNotFoundError: If there is no such file of HDF5.
            NotFoundError: If there is no such checkpoint.
            ValueError: If the weights do not fit, or the model has none yet.
        """
        path = os.fspath(filepath)
        if os.path.exists(path + ".index"):
            status = SERVICES["checkpoint"]().Checkpoint(root=self).read(path)
            return status.expect_partial()
        if not os.path.isfile(path):
            if path.endswith((".h5", ".hdf5", ".keras")):
                raise FileNotFoundError(errno.ENOENT, "Unable to open the file: no such file", path)
            raise errors.NotFoundError(f"Unable to open the file {path}: no such file.")
        if not self.built and not self.weights:
            raise ValueError(
                f"Unable to load weights into model {self.name}, which has not created its variables yet. "
                f"Call it on data, or "
                "build() it, first."
            )
        kind = array_files.sniff(path)
        if kind == "hdf5":
            hdf5.load_weights(path, self, by_name, skip_mismatch)
            return None
        if kind == "safetensors":
            with open(path, "rb") as file:
                arrays = array_files.read_safetensors(file)
        elif kind == "npz":
            arrays = array_files.read_npz(path)
        else:
            raise ValueError(f"{path} is no file of weights: expected HDF5, .npz or safetensors.")
        self.set_weights([arrays[name] for name in sorted(arrays)])
        return None

    def save(
        self, filepath: Any, overwrite: bool = True, include_optimizer: bool = True, **kwargs: Any
    ) -> None:
        """Saves the whole model: layers, weights, and how it was compiled; see `keras.models.save_model`."""
        from .files import save_model

        save_model(self, filepath, overwrite, include_optimizer, **kwargs)

    def to_json(self, **kwargs: Any) -> str:
        """The model without its weights, as JSON text; `keras.models.model_from_json` makes it again."""
        from .configuration import to_json

        return to_json(self, **kwargs)

    def to_yaml(self, **kwargs: Any) -> str:
        """Refused: YAML can hold code. Use `to_json`."""
        raise RuntimeError(
            "Method `model.to_yaml()` has been removed due to security risk. Please use `model.to_json()`."
        )
