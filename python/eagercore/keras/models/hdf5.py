"""Weights and models in Keras's HDF5 files (needs h5py)."""

from __future__ import annotations

import json
from typing import Any

from ...base import errors
from ...core import array_files
from ..tracking import deduplicated


def _h5py() -> Any:
    try:
        import h5py
    except ImportError:
        raise errors.missing_extra("h5py", "saving", "Reading and writing HDF5 files") from None
    return h5py


def _open(path: str) -> Any:
    with array_files.reading(path):
        return _h5py().File(path, "r")


def _layers_of(model: Any) -> list[Any]:
    return list(model.layers)


def weights_of(layer: Any) -> list[Any]:
    """The variables of a layer in the order of Keras's files: trainable ones first."""
    return deduplicated(layer.trainable_weights + layer.non_trainable_weights)


def write_weights(group: Any, model: Any) -> None:
    """Writes the weights of all layers into an HDF5 group."""
    layers = _layers_of(model)
    group.attrs["layer_names"] = [layer.name.encode() for layer in layers]
    group.attrs["backend"] = b"tensorflow"
    group.attrs["keras_version"] = b"2.2.4-tf"
    for layer in layers:
        inside = group.create_group(layer.name)
        names = _unique_names(weights_of(layer))
        inside.attrs["weight_names"] = [name.encode() for name in names]
        for name, variable in zip(names, weights_of(layer), strict=True):
            inside.create_dataset(name, data=variable.numpy())
    own = [
        v
        for v in model._own_variables()
        if not any(v is w for one in layers for w in weights_of(one))
    ]
    if own:
        inside = group.create_group("top_level_model_weights")
        names = _unique_names(own)
        inside.attrs["weight_names"] = [name.encode() for name in names]
        for name, variable in zip(names, own, strict=True):
            inside.create_dataset(name, data=variable.numpy())


def _unique_names(variables: list[Any]) -> list[str]:
    seen: dict[str, int] = {}
    names = []
    for variable in variables:
        name = variable.name
        count = seen.get(name, 0)
        seen[name] = count + 1
        names.append(name if not count else f"{name.split(':')[0]}_{count}:0")
    return names


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def _names(group: Any, attribute: str) -> list[str]:
    """A list of names, which large models have in several attributes."""
    if attribute in group.attrs:
        return [_text(n) for n in group.attrs[attribute]]
    names: list[str] = []
    number = 0
    while f"{attribute}{number}" in group.attrs:
        names += [_text(n) for n in group.attrs[f"{attribute}{number}"]]
        number += 1
    return names


def _saved(group: Any) -> list[tuple[str, list[Any]]]:
    """Names of the layers that have weights, and these."""
    found = []
    for name in _names(group, "layer_names"):
        inside = group[name]
        arrays = [inside[w][()] for w in _names(inside, "weight_names")]
        if arrays:
            found.append((name, arrays))
    return found


def read_weights(
    group: Any, model: Any, by_name: bool = False, skip_mismatch: bool = False
) -> None:
    """Sets the weights of a model from an HDF5 group: layer by layer in order, or by the layers' names.

    Raises:
        ValueError: If layers or shapes differ.
    """
    saved = _saved(group)
    layers = [layer for layer in _layers_of(model) if weights_of(layer)]
    if by_name:
        table = dict(saved)
        pairs = [(layer, table[layer.name]) for layer in _layers_of(model) if layer.name in table]
    else:
        if len(saved) != len(layers):
            raise ValueError(
                f"Layer count mismatch when loading weights from file. Model expected {len(layers)} layers, found "
                f"{len(saved)} saved layers."
            )
        pairs = [(layer, arrays) for layer, (_, arrays) in zip(layers, saved, strict=True)]
    # All is looked at before anything is changed: a file that does not fit leaves the model as it was.
    for variable, array in [p for pair in pairs for p in _fitting(*pair, skip_mismatch)]:
        variable.assign(array.astype(variable.dtype.name))
    if "top_level_model_weights" in group:
        inside = group["top_level_model_weights"]
        own = model._own_variables()
        for variable, name in zip(own, _names(inside, "weight_names"), strict=False):
            variable.assign(inside[name][()])


def _fitting(layer: Any, arrays: list[Any], skip_mismatch: bool) -> list[tuple[Any, Any]]:
    """The layer's variables and what each becomes; nothing where they do not fit and may be skipped."""
    variables = weights_of(layer)
    if len(variables) != len(arrays):
        if skip_mismatch:
            return []
        raise ValueError(
            f"Weight count mismatch for layer {layer.name} ({type(layer).__name__}): it has {len(variables)} "
            f"weights, the "
            f"file {len(arrays)}."
        )
    for variable, array in zip(variables, arrays, strict=True):
        if tuple(variable.shape) != tuple(array.shape):
            if skip_mismatch:
                return []
            raise ValueError(
                f"Shape mismatch in layer {layer.name} for weight {variable.name}: the layer has "
                f"{tuple(variable.shape)}, the "
                f"file {tuple(array.shape)}."
            )
    return list(zip(variables, arrays, strict=True))


def save_weights(path: str, model: Any) -> None:
    """Writes the weights of a model into an HDF5 file."""
    _write(path, lambda file: write_weights(file, model))


def load_weights(path: str, model: Any, by_name: bool = False, skip_mismatch: bool = False) -> None:
    """Reads the weights of a model from an HDF5 file (of weights, or of a whole model)."""
    with _open(path) as file:
        group = (
            file["model_weights"]
            if "layer_names" not in file.attrs and "model_weights" in file
            else file
        )
        read_weights(group, model, by_name, skip_mismatch)


def save_model(
    path: str, model: Any, config: dict[str, Any], training: Any, optimizer_weights: list[Any]
) -> None:
    """Writes a whole model into an HDF5 file."""
    from .configuration import _json_value

    def write(file: Any) -> None:
        file.attrs["model_config"] = json.dumps(config, default=_json_value)
        file.attrs["keras_version"] = "2.2.4-tf"
        if training is not None:
            file.attrs["training_config"] = json.dumps(training, default=_json_value)
        write_weights(file.create_group("model_weights"), model)
        if optimizer_weights:
            group = file.create_group("optimizer_weights")
            names = _unique_names(optimizer_weights)
            group.attrs["weight_names"] = [name.encode() for name in names]
            for name, variable in zip(names, optimizer_weights, strict=True):
                group.create_dataset(name, data=variable.numpy())

    _write(path, write)


def load_model(path: str, build: Any) -> Any:
    """Reads a whole model: `build(config, training, optimizer arrays)` makes it, then its weights are set."""
    with _open(path) as file:
        if "model_config" not in file.attrs:
            raise ValueError(
                f"No model config found in the file at {path}: it holds weights only. Use load_weights()."
            )
        config = json.loads(_text(file.attrs["model_config"]))
        training = (
            json.loads(_text(file.attrs["training_config"]))
            if "training_config" in file.attrs
            else None
        )
        arrays: list[Any] = []
        if "optimizer_weights" in file:
            group = file["optimizer_weights"]
            arrays = [group[name][()] for name in _names(group, "weight_names")]
        return build(
            config, training, arrays, lambda model: read_weights(file["model_weights"], model)
        )


def _write(path: str, write: Any) -> None:
    import os

    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        raise FileNotFoundError(
            f"{path} cannot be written: there is no folder {folder}. Make it first."
        )
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with _h5py().File(temporary, "w") as file:
            write(file)
            file.flush()
        os.replace(temporary, path)
    except BaseException:
        if os.path.exists(temporary):
            os.remove(temporary)
        raise
