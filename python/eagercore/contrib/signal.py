"""tf.contrib.signal: signal processing before it moved to tf.signal."""

from __future__ import annotations

import importlib
from typing import Any


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(importlib.import_module("eagercore.signal"), name)
