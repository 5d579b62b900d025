"""The names that TensorFlow had under `keras.layers.experimental`."""

from __future__ import annotations

import importlib
from typing import Any

preprocessing: Any = importlib.import_module(__package__ or "")


def __getattr__(name: str) -> Any:
    return getattr(preprocessing, {"SyncBatchNormalization": "BatchNormalization"}.get(name, name))
