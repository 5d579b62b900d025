"""Saving variables under their names."""

from __future__ import annotations

from typing import Any

from ...train.checkpoint import Checkpoint
from ...train.saver import EagerSaver as Saver
from ...train.saver import restore_variables_on_create


def get_optimizer_variables(optimizer: Any) -> list[Any]:
    """The variables of an optimizer: its slots and its own.

    Args:
        optimizer: The optimizer.
    """
    return list(optimizer.variables() if callable(optimizer.variables) else optimizer.variables)


class CheckpointableSaver:
    """Saves an object and what is set on it.

    Args:
        root_checkpointable: The object.
    """

    def __init__(self, root_checkpointable: Any) -> None:
        self._checkpoint = Checkpoint(root=root_checkpointable)

    def save(self, file_prefix: Any, checkpoint_number: Any = None, session: Any = None) -> str:
        """Saves; returns the file's name without its endings.

        Args:
            file_prefix: Beginning of the file's name.
            checkpoint_number: Number that is put behind it, or None.
            session: Accepted for TensorFlow's sake.
        """
        number = "" if checkpoint_number is None else f"-{int(checkpoint_number)}"
        return self._checkpoint.write(f"{file_prefix}{number}")

    def restore(self, save_path: Any) -> Any:
        """Restores; values wait for variables that are made later.

        Args:
            save_path: What `save` returned.
        """
        return self._checkpoint.read(save_path)


CheckpointableSaver.__module__ = "eagercore"
__all__ = ["CheckpointableSaver", "Saver", "get_optimizer_variables", "restore_variables_on_create"]
