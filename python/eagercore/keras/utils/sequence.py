"""Sequence: batches by number."""

from __future__ import annotations

from typing import Any


class Sequence:
    """Batches by number: write `__getitem__(index)` and `__len__()`.

    `on_epoch_end()` is called after each epoch.

    >>> class Squares(Sequence):
    ...     def __len__(self):
    ...         return 2
    ...     def __getitem__(self, index):
    ...         return [[float(index)]], [[float(index) ** 2]]
    >>> Squares()[1]
    ([[1.0]], [[1.0]])
    """

    def __getitem__(self, index: int) -> Any:
        """The batch with this number."""
        raise NotImplementedError(f"{type(self).__name__} must define __getitem__(index).")

    def __len__(self) -> int:
        """Number of batches."""
        raise NotImplementedError(f"{type(self).__name__} must define __len__().")

    def on_epoch_end(self) -> None:
        """Called after each epoch."""

    def __iter__(self) -> Any:
        """The batches in order."""
        return (self[index] for index in range(len(self)))


Sequence.__module__ = "eagercore.keras.utils"
