"""What callbacks that watch a metric share: whether it is better, and what to say when it is not there."""

from __future__ import annotations

import math
import warnings
from typing import Any

from .base import Callback


class Monitoring(Callback):
    """Base of callbacks that watch a metric.

    Args:
        monitor: Name of the metric.
        mode: "min", "max" or "auto": "auto" takes "max" for accuracies and the like.
    """

    def __init__(self, monitor: str, mode: str) -> None:
        super().__init__()
        if mode not in ("auto", "min", "max"):
            warnings.warn(
                f"{type(self).__name__} mode {mode} is unknown, fallback to auto mode.",
                stacklevel=3,
            )
            mode = "auto"
        self.monitor = monitor
        larger = ("acc", "auc", "precision", "recall", "fmeasure", "iou")
        self.larger_is_better = (
            mode == "max" or mode == "auto" and any(word in monitor.lower() for word in larger)
        )
        self.worst = -math.inf if self.larger_is_better else math.inf

    def better(self, value: float, than: float, by: float = 0.0) -> bool:
        """Whether `value` is better than another by more than a margin."""
        return value > than + abs(by) if self.larger_is_better else value < than - abs(by)

    def value(self, logs: Any) -> Any:
        """The metric's value, or None with a warning that names those that are there."""
        logs = logs or {}
        found = logs.get(self.monitor)
        if found is None:
            warnings.warn(
                f"{type(self).__name__} conditioned on metric `{self.monitor}` which is not available. "
                f"Available metrics "
                f"are: {','.join(logs)}",
                stacklevel=3,
            )
        return found
