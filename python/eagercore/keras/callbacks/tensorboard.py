"""TensorBoard: metrics in TensorBoard's event files."""

from __future__ import annotations

import os
from typing import Any

from ..utils.event_file import EventFile
from .base import Callback


class TensorBoard(Callback):
    """Writes the metrics into event files that TensorBoard shows.

    Args:
        log_dir: Folder; "train" and "validation" are made in it. Default "logs".
        histogram_freq: Accepted for Keras's sake: histograms are not written.
        write_graph: Accepted for Keras's sake.
        write_images: Accepted for Keras's sake.
        write_steps_per_second: Accepted for Keras's sake.
        update_freq: "epoch", "batch", or a number of batches: how often to write. Default "epoch".
        profile_batch: Accepted for Keras's sake.
        embeddings_freq: Accepted for Keras's sake.
        embeddings_metadata: Accepted for Keras's sake.
        **kwargs: Accepted for Keras's sake.
    """

    def __init__(
        self,
        log_dir: Any = "logs",
        histogram_freq: int = 0,
        write_graph: bool = True,
        write_images: bool = False,
        write_steps_per_second: bool = False,
        update_freq: Any = "epoch",
        profile_batch: Any = 0,
        embeddings_freq: int = 0,
        embeddings_metadata: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__()
        self.log_dir = os.fspath(log_dir)
        self.update_freq: Any = 1 if update_freq == "batch" else update_freq
        self._files: dict[str, EventFile] = {}
        self._step = 0

    def _file(self, kind: str) -> EventFile:
        if kind not in self._files:
            self._files[kind] = EventFile(os.path.join(self.log_dir, kind))
        return self._files[kind]

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Writes every so many batches."""
        self._step += 1
        if self.update_freq != "epoch" and self._step % int(self.update_freq) == 0:
            for name, value in (logs or {}).items():
                if name != "size" and isinstance(value, int | float):
                    self._file("train").scalar(f"batch_{name}", value, self._step)

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Writes the metrics of an epoch."""
        for name, value in (logs or {}).items():
            if isinstance(value, int | float):
                validation = name.startswith("val_")
                kind = "validation" if validation else "train"
                self._file(kind).scalar(f"epoch_{name[4:] if validation else name}", value, epoch)
        for one in self._files.values():
            one.flush()

    def on_train_end(self, logs: Any = None) -> None:
        """Closes the files."""
        for one in self._files.values():
            one.close()
        self._files.clear()


TensorBoard.__module__ = "eagercore.keras.callbacks"
