"""ModelCheckpoint: the model is saved while it is trained."""

from __future__ import annotations

import os
from typing import Any

from .monitoring import Monitoring


class ModelCheckpoint(Monitoring):
    """Saves the model after each epoch, or after a number of batches.

    Args:
        filepath: Path, which may hold "{epoch:02d}" and names of metrics such as "{val_loss:.2f}".
        monitor: Metric by which the best is found. Default "val_loss".
        verbose: Whether to say so. Default 0.
        save_best_only: Whether to save only what is better than before. Default False.
        save_weights_only: Whether to save the weights alone. Default False.
        mode: "min", "max" or "auto". Default "auto".
        save_freq: "epoch", or a number of batches. Default "epoch".
        options: Accepted for Keras's sake.
        initial_value_threshold: Value that has to be beaten first, or None.
        **kwargs: `period`: save every so many epochs (the older form).

    Raises:
        TypeError: If a keyword is not understood.
    """

    def __init__(
        self,
        filepath: Any,
        monitor: str = "val_loss",
        verbose: int = 0,
        save_best_only: bool = False,
        save_weights_only: bool = False,
        mode: str = "auto",
        save_freq: Any = "epoch",
        options: Any = None,
        initial_value_threshold: float | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(monitor, mode)
        self.filepath = os.fspath(filepath)
        self.verbose, self.save_best_only, self.save_weights_only = (
            verbose,
            save_best_only,
            save_weights_only,
        )
        self.save_freq = "epoch" if save_freq is None else save_freq
        self.period = int(kwargs.pop("period", 1) or 1)
        if kwargs:
            raise TypeError(
                f"Unrecognized keyword arguments passed to ModelCheckpoint: {list(kwargs)}"
            )
        self.best = self.worst if initial_value_threshold is None else initial_value_threshold
        self.epochs_since_last_save = self._batches = self._epoch = 0

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Remembers the epoch."""
        self._epoch = epoch

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Saves after a number of batches."""
        if self.save_freq != "epoch":
            self._batches += 1
            if self._batches >= int(self.save_freq):
                self._batches = 0
                self._save(self._epoch, logs)

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Saves after the epoch."""
        if self.save_freq == "epoch":
            self.epochs_since_last_save += 1
            if self.epochs_since_last_save >= self.period:
                self.epochs_since_last_save = 0
                self._save(epoch, logs)

    def _save(self, epoch: int, logs: Any) -> None:
        path = self._path(epoch, logs)
        if self.save_best_only:
            current = self.value(logs)
            if current is None:
                return
            if not self.better(current, self.best):
                if self.verbose:
                    print(
                        f"\nEpoch {epoch + 1}: {self.monitor} did not improve from {self.best:.5f}"
                    )
                return
            if self.verbose:
                print(
                    f"\nEpoch {epoch + 1}: {self.monitor} improved from {self.best:.5f} to {current:.5f}, "
                    f"saving to {path}"
                )
            self.best = current
        elif self.verbose:
            print(f"\nEpoch {epoch + 1}: saving model to {path}")
        folder = os.path.dirname(path)
        if folder:
            os.makedirs(folder, exist_ok=True)
        if self.save_weights_only:
            self.model.save_weights(path, overwrite=True)
        else:
            self.model.save(path, overwrite=True)

    def _path(self, epoch: int, logs: Any) -> str:
        values = {k: v for k, v in (logs or {}).items() if k != "size"}
        try:
            return self.filepath.format(epoch=epoch + 1, **values)
        except KeyError as error:
            raise KeyError(
                f'Failed to format this callback filepath: "{self.filepath}". Reason: {error}. '
                f"Known: epoch, {', '.join(values)}"
            ) from None


ModelCheckpoint.__module__ = "eagercore.keras.callbacks"
