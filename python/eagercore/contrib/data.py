"""tf.contrib.data: pipeline steps before they moved to tf.data."""

from __future__ import annotations

import importlib
from typing import Any

AUTOTUNE = -1


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(importlib.import_module("eagercore.data").experimental, name)
