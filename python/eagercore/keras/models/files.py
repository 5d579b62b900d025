"""Whole models in files: what they consist of as JSON, and their weights as arrays. Files hold no code."""

from __future__ import annotations

import io
import json
import os
import zipfile
from typing import Any

from ...base import errors
from ...core import array_files
from ..serialization import custom_object_scope
from . import hdf5
from .configuration import _json_value, model_config, model_from_config


def _is_hdf5(path: str) -> bool:
    return path.endswith((".h5", ".hdf5", ".hdf"))


def training_config(model: Any) -> Any:
    """What `compile` was given, as a dictionary; None for a model that was not compiled."""
    from .. import losses, metrics, optimizers

    given = model.__dict__.get("_compile_config")
    if given is None:
        return None

    def described(value: Any, serialize: Any) -> Any:
        if isinstance(value, dict):
            return {key: described(v, serialize) for key, v in value.items()}
        if isinstance(value, list | tuple):
            return [described(v, serialize) for v in value]
        return value if value is None or isinstance(value, str | int | float) else serialize(value)

    return {
        "optimizer_config": optimizers.serialize(given["optimizer"]),
        "loss": described(given["loss"], losses.serialize),
        "metrics": described(given["metrics"], metrics.serialize),
        "weighted_metrics": described(given["weighted_metrics"], metrics.serialize),
        "loss_weights": given["loss_weights"],
    }


def compile_from(model: Any, config: Any, custom_objects: Any, optimizer_arrays: list[Any]) -> None:
    """Compiles a model as `training_config` describes, and gives its optimizer its state back."""
    from .. import losses, metrics, optimizers

    def made(value: Any, deserialize: Any) -> Any:
        if isinstance(value, dict) and "class_name" not in value:
            return {key: made(v, deserialize) for key, v in value.items()}
        if isinstance(value, list):
            return [made(v, deserialize) for v in value]
        if value is None or isinstance(value, int | float):
            return value
        if isinstance(value, str) and value.lower() in ("accuracy", "acc", "crossentropy", "ce"):
            return value
        return deserialize(value, custom_objects)

    optimizer = optimizers.deserialize(config["optimizer_config"], custom_objects)
    model.compile(
        optimizer, made(config.get("loss"), losses.deserialize), made(config.get("metrics"), metrics.deserialize),
        config.get("loss_weights"), made(config.get("weighted_metrics"), metrics.deserialize),
    )  # fmt: skip
    if optimizer_arrays:
        _ = optimizer.iterations
        optimizer.build(model.trainable_weights)
        if len(optimizer.weights) == len(optimizer_arrays):
            optimizer.set_weights(optimizer_arrays)


def save_model(
    model: Any,
    filepath: Any,
    overwrite: bool = True,
    include_optimizer: bool = True,
    save_format: Any = None,
    **kwargs: Any,
) -> None:
    """Saves a whole model: layers, weights, and how it was compiled.

    Args:
        model: Functional or sequential model, or one that defines get_config() and from_config().
        filepath: Path. ".h5" and ".hdf5" give Keras's HDF5 format (needs h5py), others a zip file of JSON and arrays.
        overwrite: Whether a file that is there may be replaced. Default True.
        include_optimizer: Whether to save the optimizer's state. Default True.
        save_format: "h5", or None to go by the path.
        **kwargs: Accepted for Keras's sake.

    Raises:
        FileExistsError: If a file is there and `overwrite` is False.
        NotImplementedError: If the model cannot be described.
    """
    path = os.fspath(filepath)
    if os.path.exists(path) and not overwrite:
        raise FileExistsError(f"The file {path} exists already. Give overwrite=True to replace it.")
    config = model_config(model)
    training = training_config(model) if include_optimizer else None
    state = list(model.optimizer.weights) if training is not None else []
    if _is_hdf5(path) or save_format == "h5":
        hdf5.save_model(path, model, config, training, state)
        return
    document = {**config, "training_config": training}
    weights = {f"{i:05d} {v.name}": v for i, v in enumerate(model.weights)}
    slots = {f"{i:05d} {v.name}": v for i, v in enumerate(state)}

    def write(file: Any) -> None:
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("model.json", json.dumps(document, default=_json_value))
            for name, arrays in (("weights.npz", weights), ("optimizer.npz", slots)):
                buffer = io.BytesIO()
                array_files.write_npz(buffer, {_member(k): v for k, v in arrays.items()})
                archive.writestr(name, buffer.getvalue())

    array_files.write_whole(path, write)


def _member(name: str) -> str:
    return name.replace("/", "|")


def load_model(
    filepath: Any, custom_objects: Any = None, compile: bool = True, **kwargs: Any
) -> Any:
    """Loads a model that `save_model` (or Keras, as HDF5) saved.

    Args:
        filepath: Path.
        custom_objects: name -> class or function of one's own: files hold no code.
        compile: Whether to compile it as it was. Default True.
        **kwargs: Accepted for Keras's sake.

    Raises:
        OSError: If there is no such file.
        ValueError: If it holds no model.
    """
    path = os.fspath(filepath)
    if not os.path.exists(path):
        raise OSError(f"No file or directory found at {path}")

    def build(config: Any, training: Any, arrays: list[Any], set_weights: Any) -> Any:
        with custom_object_scope(custom_objects or {}):
            model = model_from_config(config, custom_objects)
            set_weights(model)
            if compile and training is not None:
                compile_from(model, training, custom_objects, arrays)
        return model

    kind = "hdf5" if os.path.isfile(path) and array_files.sniff(path) == "hdf5" else "zip"
    if kind == "hdf5":
        return hdf5.load_model(path, build)
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, IsADirectoryError):
        raise ValueError(
            f"{path} holds no model that can be read: expected an HDF5 file or a zip file with model.json."
        ) from None
    with array_files.reading(path), archive:
        if "model.json" not in archive.namelist():
            with open(path, "rb") as file:
                if b"model.json" in file.read(64):
                    raise errors.damaged_file(path, "its list of contents is missing")
            raise errors.value_error(None, f"{path} holds weights only: make the model, and use load_weights().")
        document = json.loads(archive.read("model.json"))
        weights = array_files.read_npz(io.BytesIO(archive.read("weights.npz")))
        slots = array_files.read_npz(io.BytesIO(archive.read("optimizer.npz")))
    return build(
        document,
        document.get("training_config"),
        list(slots.values()),
        lambda model: model.set_weights(list(weights.values())),
    )
