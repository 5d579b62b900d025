"""Texts, sequences and images on their way to a model."""

from __future__ import annotations

import importlib
from typing import Any

_MODULES = ("image", "sequence", "text")
#: name -> the module that defines it.
_NAMES = {
    "image_dataset_from_directory": "directories",
    "text_dataset_from_directory": "directories",
    "timeseries_dataset_from_array": "timeseries",
}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module("." + name, __name__)
    if name in _NAMES:
        return getattr(importlib.import_module("." + _NAMES[name], __name__), name)
    raise AttributeError(f"module 'eagercore.keras.preprocessing' has no attribute '{name}'.")


def __dir__() -> list[str]:
    return sorted([*_MODULES, *_NAMES])
