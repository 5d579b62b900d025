"""tf.train.CheckpointManager: keeps the newest checkpoints of a folder and removes older ones."""

from __future__ import annotations

import os
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from ..core import coerce
from .checkpoint import Checkpoint
from .state import (
    checkpoint_exists,
    get_checkpoint_state,
    remove_checkpoint,
    text_path,
    update_checkpoint_state,
)


class CheckpointManager:
    """Saves a checkpoint again and again, and keeps the newest.

    Args:
        checkpoint: The `tf.train.Checkpoint`.
        directory: Folder for the files; it is made.
        max_to_keep: How many are kept; None keeps all.
        keep_checkpoint_every_n_hours: One in so many hours is kept for good; None for none.
        checkpoint_name: First part of the files' names.
        step_counter: Variable that counts steps, for `checkpoint_interval`.
        checkpoint_interval: Steps between two checkpoints at least.
        init_fn: Called by `restore_or_initialize` when there is no checkpoint.
        last_checkpoint_step: Accepted for TensorFlow's sake.

    Raises:
        ValueError: If `max_to_keep` is not positive.

    >>> import tempfile
    >>> import eagercore as tf
    >>> manager = CheckpointManager(Checkpoint(v=tf.Variable(1.0)), tempfile.mkdtemp(), max_to_keep=2)
    >>> paths = [manager.save() for _ in range(3)]
    >>> [p.rsplit("-")[-1] for p in manager.checkpoints]
    ['2', '3']
    """

    def __init__(
        self, checkpoint: Checkpoint, directory: Any, max_to_keep: Any = None,
        keep_checkpoint_every_n_hours: Any = None,
        checkpoint_name: str = "ckpt", step_counter: Any = None, checkpoint_interval: Any = None,
        init_fn: Callable[[], Any] | None = None, last_checkpoint_step: Any = None,
    ) -> None:  # fmt: skip
        self._checkpoint = checkpoint
        self._directory = str(text_path(directory))
        self._max_to_keep = coerce.as_int(max_to_keep, "CheckpointManager", "max_to_keep")
        if self._max_to_keep is not None and self._max_to_keep < 1:
            raise ValueError(
                f"Expected a positive integer or `None` for `max_to_keep`, got {max_to_keep}."
            )
        if checkpoint_interval is not None and step_counter is None:
            raise ValueError(
                "`step_counter` should be passed if `checkpoint_interval` is not None."
            )
        hours = keep_checkpoint_every_n_hours
        self._keep_every = None if hours is None else float(coerce.plain(hours))
        self._name, self._step_counter, self._interval, self._init_fn = (
            checkpoint_name,
            step_counter,
            checkpoint_interval,
            init_fn,
        )
        self._last_step: int | None = None
        self._latest: str | None = None
        #: path -> time
        self._kept: OrderedDict[str, float] = OrderedDict()
        self._preserved = time.time()
        self._take_up()

    def _take_up(self) -> None:
        state = get_checkpoint_state(self._directory)
        if state is None:
            return
        stamps = state.all_model_checkpoint_timestamps
        paths = state.all_model_checkpoint_paths
        if len(stamps) != len(paths):
            stamps = [time.time()] * len(paths)
        self._latest = state.model_checkpoint_path
        self._preserved = state.last_preserved_timestamp or self._preserved
        self._kept.update((p, s) for p, s in zip(paths, stamps) if checkpoint_exists(p))

    @property
    def directory(self) -> str:
        """The folder."""
        return self._directory

    @property
    def checkpoint(self) -> Checkpoint:
        """What is saved."""
        return self._checkpoint

    @property
    def checkpoint_interval(self) -> Any:
        """Steps between two checkpoints at least."""
        return self._interval

    @property
    def latest_checkpoint(self) -> str | None:
        """Path of the newest checkpoint, or None."""
        return self._latest

    @property
    def checkpoints(self) -> list[str]:
        """Paths of those that are kept, oldest first."""
        return list(self._kept)

    def save(
        self, checkpoint_number: Any = None, check_interval: bool = True, options: Any = None
    ) -> str | None:
        """Saves, and removes what is too old.

        Args:
            checkpoint_number: Number behind the path; default the checkpoint's own counter.
            check_interval: Whether `checkpoint_interval` counts.
            options: Accepted for TensorFlow's sake.

        Returns:
            The path, or None when the interval has not passed.
        """
        if self._step_counter is not None:
            step = int(self._step_counter)
            soon = (
                self._last_step is not None
                and self._interval is not None
                and step < self._last_step + self._interval
            )
            if check_interval and soon:
                return None
            self._last_step = step
        prefix = os.path.join(self._directory, self._name)
        if checkpoint_number is None:
            path = self._checkpoint.save(prefix)
        else:
            number = coerce.as_int(checkpoint_number, "CheckpointManager.save", "checkpoint_number")
            _ = self._checkpoint.save_counter
            path = self._checkpoint.write(f"{prefix}-{number}")
        self._latest = path
        self._kept.pop(path, None)
        self._kept[path] = time.time()
        gone = self._sweep()
        self._record()
        # Files go only when the state no longer names them.
        for old in gone:
            remove_checkpoint(old)
        return path

    def _sweep(self) -> list[str]:
        gone = []
        while self._max_to_keep is not None and len(self._kept) > self._max_to_keep:
            path, stamp = self._kept.popitem(last=False)
            if (
                self._keep_every is not None
                and stamp - self._keep_every * 3600.0 >= self._preserved
            ):
                self._preserved = stamp
                continue
            gone.append(path)
        return gone

    def _record(self) -> None:
        update_checkpoint_state(
            self._directory, self._latest, list(self._kept), all_model_checkpoint_timestamps=list(self._kept.values()),
            last_preserved_timestamp=self._preserved,
        )  # fmt: skip

    def restore_or_initialize(self) -> str | None:
        """Restores the newest checkpoint; without one calls `init_fn`.

        Returns:
            The path restored, or None.
        """
        if self._latest is not None:
            self._checkpoint.restore(self._latest)
            if self._step_counter is not None:
                self._last_step = int(self._step_counter)
            return self._latest
        if self._init_fn is not None:
            self._init_fn()
        return None


CheckpointManager.__module__ = "eagercore"
