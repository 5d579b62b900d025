"""ProgbarLogger: a progress bar while training."""

from __future__ import annotations

from typing import Any

from ..utils.progbar import Progbar
from .base import Callback


class ProgbarLogger(Callback):
    """Prints a progress bar (or, when the model is trained with `verbose=2`, a line for each epoch).

    Args:
        count_mode: "steps" or "samples": what is counted. Default "steps".
        stateful_metrics: Accepted for Keras's sake: metrics are averages already.

    Raises:
        ValueError: If `count_mode` is something else.
    """

    def __init__(self, count_mode: str = "steps", stateful_metrics: Any = None) -> None:
        super().__init__()
        if count_mode not in ("steps", "samples"):
            raise ValueError(
                f'Unknown `count_mode`: "{count_mode}". Expected values are ["samples", "steps"]'
            )
        self.count_mode = count_mode
        self.bar: Any = None
        self._training = False

    @property
    def _verbose(self) -> int:
        return int(self.params.get("verbose", 1) or 0)

    def _begin(self, target: Any) -> None:
        self.seen = 0
        self.bar = Progbar(target, verbose=self._verbose)

    def _target(self) -> Any:
        return self.params.get("samples" if self.count_mode == "samples" else "steps")

    def on_train_begin(self, logs: Any = None) -> None:
        """Remembers that bars are of epochs."""
        self._training = True

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Begins a bar."""
        epochs = self.params.get("epochs", 1)
        if self._verbose and epochs > 1:
            print(f"Epoch {epoch + 1}/{epochs}", flush=True)
        self._begin(self._target())

    def _step(self, logs: Any) -> None:
        logs = dict(logs or {})
        self.seen += logs.pop("size", 1) if self.count_mode == "samples" else 1
        logs.pop("size", None)
        self._logs = logs
        if self._verbose == 1 and (self.bar.target is None or self.seen < self.bar.target):
            self.bar.stateful_metrics.update(logs)
            self.bar.update(self.seen, list(logs.items()), finalize=False)

    def _end(self, logs: Any) -> None:
        logs = dict(logs or {})
        if self._verbose and self.bar is not None and self.seen:
            self.bar.stateful_metrics.update(logs)
            if self.bar.target is None or self.seen < self.bar.target:
                self.bar.target = self.seen
            self.bar.update(self.seen, list(logs.items()), finalize=True)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Goes on by a step."""
        self._step(logs)

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Ends the bar, with the metrics of validation."""
        self._end(logs)

    def on_test_begin(self, logs: Any = None) -> None:
        """Begins a bar of its own, outside of training."""
        if not self._training:
            self._begin(self._target())

    def on_test_batch_end(self, batch: int, logs: Any = None) -> None:
        """Goes on by a step, outside of training."""
        if not self._training:
            self._step(logs)

    def on_test_end(self, logs: Any = None) -> None:
        """Ends the bar, outside of training."""
        if not self._training:
            self._end(logs)

    def on_predict_begin(self, logs: Any = None) -> None:
        """Begins a bar."""
        self._begin(self.params.get("steps"))

    def on_predict_batch_end(self, batch: int, logs: Any = None) -> None:
        """Goes on by a step."""
        self._step({})

    def on_predict_end(self, logs: Any = None) -> None:
        """Ends the bar."""
        self._end({})


ProgbarLogger.__module__ = "eagercore.keras.callbacks"
