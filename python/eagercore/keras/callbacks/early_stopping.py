"""EarlyStopping: training ends when a metric no longer improves."""

from __future__ import annotations

from typing import Any

from .monitoring import Monitoring


class EarlyStopping(Monitoring):
    """Ends training when a metric no longer improves.

    Args:
        monitor: Name of the metric. Default "val_loss".
        min_delta: Smallest change that counts as better. Default 0.
        patience: Epochs without improvement to wait. Default 0.
        verbose: Whether to say so. Default 0.
        mode: "min", "max" or "auto". Default "auto".
        baseline: Value that has to be beaten, or None.
        restore_best_weights: Whether to go back to the weights of the best epoch. Default False.
        start_from_epoch: Epochs at the beginning that do not count. Default 0.

    >>> EarlyStopping(patience=3).patience
    3
    """

    def __init__(
        self,
        monitor: str = "val_loss",
        min_delta: float = 0,
        patience: int = 0,
        verbose: int = 0,
        mode: str = "auto",
        baseline: float | None = None,
        restore_best_weights: bool = False,
        start_from_epoch: int = 0,
    ) -> None:
        super().__init__(monitor, mode)
        self.min_delta, self.patience, self.verbose = abs(min_delta), int(patience), verbose
        self.baseline, self.restore_best_weights = baseline, restore_best_weights
        self.start_from_epoch = int(start_from_epoch)
        self.stopped_epoch, self.wait, self.best, self.best_weights, self.best_epoch = (
            0,
            0,
            self.worst,
            None,
            0,
        )

    def on_train_begin(self, logs: Any = None) -> None:
        """Starts anew."""
        self.wait, self.stopped_epoch, self.best_weights, self.best_epoch = 0, 0, None, 0
        self.best = self.worst

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Ends training when there was no improvement for long enough."""
        current = self.value(logs)
        if current is None or epoch < self.start_from_epoch:
            return
        if self.restore_best_weights and self.best_weights is None:
            self.best_weights = self.model.get_weights()
        self.wait += 1
        if self.better(current, self.best, self.min_delta):
            self.best, self.best_epoch = current, epoch
            if self.restore_best_weights:
                self.best_weights = self.model.get_weights()
            if self.baseline is None or self.better(current, self.baseline):
                self.wait = 0
            # An epoch that is better than all before never ends training, not even without patience.
            return
        if self.wait >= self.patience and epoch > 0:
            self.stopped_epoch = epoch
            self.model.stop_training = True
            if self.restore_best_weights and self.best_weights is not None:
                if self.verbose:
                    print(
                        f"Restoring model weights from the end of the best epoch: {self.best_epoch + 1}."
                    )
                self.model.set_weights(self.best_weights)

    def on_train_end(self, logs: Any = None) -> None:
        """Says where training ended."""
        if self.stopped_epoch and self.verbose:
            print(f"Epoch {self.stopped_epoch + 1}: early stopping")


EarlyStopping.__module__ = "eagercore.keras.callbacks"
