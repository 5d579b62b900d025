"""Layers, models, training: Keras's names on the engine's operations. Everything is imported when it is "
"first asked for."""

from __future__ import annotations

import importlib
from typing import Any

#: Modules of this name space.
_MODULES = (
    "activations", "applications", "backend", "callbacks", "constraints", "datasets", "initializers",
    "layers", "losses",
    "metrics", "mixed_precision", "models", "optimizers", "preprocessing", "regularizers", "utils",
)  # fmt: skip
#: name -> the module that defines it.
_NAMES = {
    "Model": "models", "Sequential": "models", "Input": "layers", "Layer": "layers", "InputSpec": "layers",
    "KerasTensor": "symbolic", "DTypePolicy": "mixed_precision",
}  # fmt: skip

__version__ = "2.2.4-tf"


def __getattr__(name: str) -> Any:
    if name in _NAMES:
        value = getattr(importlib.import_module("." + _NAMES[name], __name__), name)
        globals()[name] = value
        return value
    if name in _MODULES:
        try:
            return importlib.import_module("." + name, __name__)
        except ModuleNotFoundError as error:
            if error.name != f"{__name__}.{name}":
                raise
    raise AttributeError(f"module 'eagercore.keras' has no attribute '{name}'.")


def __dir__() -> list[str]:
    return sorted([*_MODULES, *_NAMES])
