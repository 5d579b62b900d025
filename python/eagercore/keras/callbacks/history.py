"""History: the metrics of each epoch."""

from __future__ import annotations

from typing import Any

from .base import Callback


class History(Callback):
    """Keeps the metrics of each epoch; `fit` gives it back.

    Attributes:
        history: Dictionary of names and one value for each epoch.
        epoch: Numbers of the epochs, from 0.

    >>> History().history
    {}
    """

    def __init__(self) -> None:
        super().__init__()
        self.history: dict[str, list[Any]] = {}
        self.epoch: list[int] = []

    def on_train_begin(self, logs: Any = None) -> None:
        """Starts anew."""
        self.epoch, self.history = [], {}

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Adds the metrics of an epoch."""
        self.epoch.append(epoch)
        for name, value in (logs or {}).items():
            self.history.setdefault(name, []).append(value)
        self.params.setdefault("metrics", list(self.history))

    def __repr__(self) -> str:
        last = {name: values[-1] for name, values in self.history.items()}
        return f"<History of {len(self.epoch)} epochs, last: {last}>"


class BaseLogger(Callback):
    """Accepted for Keras's sake: `logs` holds averages already.

    Args:
        stateful_metrics: Accepted for Keras's sake.
    """

    def __init__(self, stateful_metrics: Any = None) -> None:
        super().__init__()
        self.stateful_metrics = set(stateful_metrics or ())


History.__module__ = BaseLogger.__module__ = "eagercore.keras.callbacks"
