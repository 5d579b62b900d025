"""What a layer's `call` takes: found once by its signature."""

from __future__ import annotations

import inspect
from typing import Any


class CallSpec:
    """Which of the arguments that layers pass on a `call` takes.

    Args:
        function: The `call` method, or the function set in its place.
    """

    __slots__ = (
        "names",
        "takes_training",
        "takes_mask",
        "default_training",
        "requires_training",
        "training_at",
        "mask_at",
    )

    def __init__(self, function: Any) -> None:
        try:
            parameters = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):
            parameters = []
        plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        self.names = [p.name for p in parameters if p.kind in plain]
        by_name = {p.name: p for p in parameters}
        any_keyword = any(p.kind is p.VAR_KEYWORD for p in parameters)
        self.takes_training = "training" in by_name or any_keyword
        self.takes_mask = "mask" in by_name
        default = by_name["training"].default if "training" in by_name else None
        self.requires_training = default is inspect.Parameter.empty
        self.default_training = None if self.requires_training else default
        self.training_at = self.names.index("training") - 1 if "training" in self.names else -1
        self.mask_at = self.names.index("mask") - 1 if "mask" in self.names else -1
