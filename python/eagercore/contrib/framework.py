"""tf.contrib.framework: structures and checkpoints before they moved."""

from __future__ import annotations

import importlib
from typing import Any

from ..base import nest
from ..ops.debug import is_tensor

_ELSEWHERE = {
    "get_or_create_global_step": "eagercore.train", "get_global_step": "eagercore.train",
    "list_variables": "eagercore.train",
    "load_variable": "eagercore.train", "load_checkpoint": "eagercore.train", "init_from_checkpoint": "eagercore.train",
    "argsort": "eagercore", "sort": "eagercore", "nest": "eagercore",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _ELSEWHERE:
        return getattr(importlib.import_module(_ELSEWHERE[name]), name)
    raise AttributeError(f"module 'eagercore.contrib.framework' has no attribute '{name}'.")


__all__ = ["is_tensor", "nest"]
