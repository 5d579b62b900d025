"""Small helpers of Keras."""

from __future__ import annotations

from typing import Any

from ...ops.random import set_seed
from ..serialization import (
    CustomObjectScope,
    custom_object_scope,
    deserialize_keras_object,
    get_custom_objects,
    get_registered_name,
    get_registered_object,
    register_keras_serializable,
    serialize_keras_object,
)
from .categorical import normalize, to_categorical
from .drawing import model_to_dot, plot_model
from .files import get_file, validate_file
from .hdf5_matrix import HDF5Matrix
from .progbar import Progbar
from .sequence import Sequence


def set_random_seed(seed: int) -> None:
    """Seeds Python's generator and the engine's.

    Args:
        seed: A whole number.
    """
    import random

    random.seed(int(seed))
    set_seed(int(seed))


def get_source_inputs(tensor: Any, layer: Any = None, node_index: Any = None) -> list[Any]:
    """The symbolic inputs that a symbolic tensor depends on."""
    found: list[Any] = []
    seen: set[int] = set()
    stack = [tensor]
    while stack:
        one = stack.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if one.node is None or not one.node.inputs:
            found.append(one)
        else:
            stack.extend(reversed(one.node.inputs))
    return found


def pack_x_y_sample_weight(x: Any, y: Any = None, sample_weight: Any = None) -> Any:
    """Inputs, targets and weights as what a dataset gives."""
    if y is None:
        return x if not isinstance(x, list | tuple) else (x,)
    return (x, y) if sample_weight is None else (x, y, sample_weight)


def unpack_x_y_sample_weight(data: Any) -> tuple[Any, Any, Any]:
    """What a dataset gives as inputs, targets and weights."""
    from ..models.data import unpack

    return unpack(data)


def print_summary(
    model: Any, line_length: Any = None, positions: Any = None, print_fn: Any = None
) -> None:
    """Prints a summary of a model, as `model.summary()` does."""
    model.summary(line_length, positions, print_fn)


__all__ = [
    "CustomObjectScope", "HDF5Matrix", "Progbar", "Sequence", "custom_object_scope", "deserialize_keras_object",
    "get_custom_objects", "get_file", "get_registered_name", "get_registered_object", "get_source_inputs",
    "model_to_dot",
    "normalize", "pack_x_y_sample_weight", "plot_model", "print_summary", "register_keras_serializable",
    "serialize_keras_object", "set_random_seed", "to_categorical", "unpack_x_y_sample_weight", "validate_file",
]  # fmt: skip

#: Names that `keras.preprocessing` defines and that stand here too.
_PREPARING = {
    "array_to_img": "image", "image_dataset_from_directory": "directories", "img_to_array": "image",
    "load_img": "image", "pad_sequences": "sequence", "save_img": "image", "text_dataset_from_directory": "directories",
    "timeseries_dataset_from_array": "timeseries",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _PREPARING:
        import importlib

        return getattr(importlib.import_module(f"..preprocessing.{_PREPARING[name]}", __name__), name)
    raise AttributeError(f"module 'eagercore.keras.utils' has no attribute '{name}'.")
