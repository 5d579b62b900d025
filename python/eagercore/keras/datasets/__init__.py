"""Published data sets: loaded once into `~/.keras/datasets`, where a file that is there already is used."""

from __future__ import annotations

import importlib
from typing import Any

_MODULES = ("boston_housing", "cifar10", "cifar100", "fashion_mnist", "imdb", "mnist", "reuters")


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module("." + name, __name__)
    raise AttributeError(f"module 'eagercore.keras.datasets' has no attribute '{name}'.")


def __dir__() -> list[str]:
    return sorted(_MODULES)
