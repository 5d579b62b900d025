"""The file `checkpoint` of a folder: which checkpoints there are, and which is the newest."""

from __future__ import annotations

import glob
import os
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

from ..base import errors
from ..core.bundle import CheckpointReader, write_file


class CheckpointState:
    """What the file `checkpoint` says.

    Attributes:
        model_checkpoint_path: The newest checkpoint.
        all_model_checkpoint_paths: All that are kept, oldest first.
        all_model_checkpoint_timestamps: Their times in seconds.
        last_preserved_timestamp: When one was last kept for good.
    """

    def __init__(
        self, model_checkpoint_path: str = "", all_model_checkpoint_paths: Any = (),
        all_model_checkpoint_timestamps: Any = (),
        last_preserved_timestamp: float = 0.0,
    ) -> None:  # fmt: skip
        self.model_checkpoint_path = model_checkpoint_path
        self.all_model_checkpoint_paths = list(all_model_checkpoint_paths)
        self.all_model_checkpoint_timestamps = list(all_model_checkpoint_timestamps)
        self.last_preserved_timestamp = last_preserved_timestamp

    def __repr__(self) -> str:
        lines = [f'model_checkpoint_path: "{self.model_checkpoint_path}"']
        lines += [
            f'all_model_checkpoint_paths: "{path}"' for path in self.all_model_checkpoint_paths
        ]
        lines += [
            f"all_model_checkpoint_timestamps: {stamp!r}"
            for stamp in self.all_model_checkpoint_timestamps
        ]
        if self.last_preserved_timestamp:
            lines.append(f"last_preserved_timestamp: {self.last_preserved_timestamp!r}")
        return "\n".join(lines) + "\n"


CheckpointState.__module__ = "eagercore"


def text_path(path: Any) -> Any:
    """A path as text: from a string, bytes, a string tensor or a path object; None stays."""
    if hasattr(path, "numpy"):
        path = path.numpy()
    if hasattr(path, "__fspath__"):
        path = path.__fspath__()
    return path.decode() if isinstance(path, bytes) else path


def _relative(path: str, folder: str) -> str:
    return os.path.relpath(path, folder) if os.path.dirname(path) == folder else path


def update_checkpoint_state(
    save_dir: Any, model_checkpoint_path: Any, all_model_checkpoint_paths: Any = None,
    latest_filename: str | None = None,
    all_model_checkpoint_timestamps: Any = None, last_preserved_timestamp: float | None = None,
) -> None:  # fmt: skip
    """Writes the file `checkpoint` of a folder. Paths within the folder are written relative to it.

    Args:
        save_dir: The folder.
        model_checkpoint_path: The newest checkpoint.
        all_model_checkpoint_paths: All that are kept, oldest first; default the newest alone.
        latest_filename: Name of the file; default "checkpoint".
        all_model_checkpoint_timestamps: Times of the checkpoints in seconds.
        last_preserved_timestamp: When one was last kept for good.
    """
    folder = text_path(save_dir)
    newest = text_path(model_checkpoint_path)
    paths = [text_path(p) for p in all_model_checkpoint_paths or []]
    if newest not in paths:
        paths.append(newest)
    state = CheckpointState(
        _relative(newest, folder), [_relative(p, folder) for p in paths], all_model_checkpoint_timestamps or (),
        last_preserved_timestamp or 0.0,
    )  # fmt: skip
    os.makedirs(folder or ".", exist_ok=True)
    write_file(os.path.join(folder, latest_filename or "checkpoint"), [repr(state).encode()])


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def get_checkpoint_state(
    checkpoint_dir: Any, latest_filename: str | None = None
) -> CheckpointState | None:
    """What the file `checkpoint` of a folder says, or None when there is none.

    Args:
        checkpoint_dir: The folder.
        latest_filename: Name of the file; default "checkpoint".
    """
    folder = text_path(checkpoint_dir)
    path = os.path.join(folder, latest_filename or "checkpoint")
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
    state = CheckpointState()
    for line in lines:
        name, _, value = line.partition(":")
        value = value.strip()
        if value.startswith('"'):
            text = _unescape(value[1:-1])
            text = text if os.path.isabs(text) else os.path.join(folder, text)
            if name == "model_checkpoint_path":
                state.model_checkpoint_path = text
            elif name == "all_model_checkpoint_paths":
                state.all_model_checkpoint_paths.append(text)
        elif name == "all_model_checkpoint_timestamps":
            state.all_model_checkpoint_timestamps.append(float(value))
        elif name == "last_preserved_timestamp":
            state.last_preserved_timestamp = float(value)
    return state if state.model_checkpoint_path else None


def latest_checkpoint(checkpoint_dir: Any, latest_filename: str | None = None) -> str | None:
    """Path of the newest checkpoint of a folder, or None when there is none.

    Args:
        checkpoint_dir: The folder.
        latest_filename: Name of the file that says it; default "checkpoint".
    """
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    if state is None or not checkpoint_exists(state.model_checkpoint_path):
        return None
    return state.model_checkpoint_path


def checkpoint_exists(checkpoint_prefix: Any) -> bool:
    """Whether there is a checkpoint of that path."""
    prefix = text_path(checkpoint_prefix)
    return os.path.exists(prefix + ".index") or bool(
        glob.glob(glob.escape(prefix)) and os.path.isfile(prefix)
    )


def get_checkpoint_mtimes(checkpoint_prefixes: Any) -> list[float]:
    """When the checkpoints were written, in seconds."""
    return [
        os.path.getmtime(text_path(p) + ".index")
        for p in checkpoint_prefixes
        if checkpoint_exists(p)
    ]


def remove_checkpoint(
    checkpoint_prefix: Any, checkpoint_format_version: Any = 2, meta_graph_suffix: str = "meta"
) -> None:
    """Removes the files of a checkpoint."""
    prefix = text_path(checkpoint_prefix)
    for path in [
        prefix + ".index",
        f"{prefix}.{meta_graph_suffix}",
        *glob.glob(glob.escape(prefix) + ".data-?????-of-?????"),
    ]:
        if os.path.exists(path):
            os.remove(path)


def load_checkpoint(ckpt_dir_or_file: Any) -> CheckpointReader:
    """A reader of a checkpoint, or of the newest in a folder.

    Raises:
        ValueError: If the folder has none.
        NotFoundError: If there is no such checkpoint.
    """
    path = text_path(ckpt_dir_or_file)
    if os.path.isdir(path):
        found = latest_checkpoint(path)
        if found is None:
            raise ValueError(
                f"Couldn't find 'checkpoint' file or checkpoints in given directory {path}"
            )
        path = found
    return CheckpointReader(path)


def list_variables(ckpt_dir_or_file: Any) -> list[tuple[str, list[Any]]]:
    """Pairs of key and shape of all tensors of a checkpoint."""
    return list(load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map().items())


def load_variable(ckpt_dir_or_file: Any, name: str) -> Any:
    """The tensor of a key of a checkpoint, as a NumPy array."""
    key = name[:-2] if name.endswith(":0") else name
    return load_checkpoint(ckpt_dir_or_file).get_tensor(key)


def checkpoints_iterator(
    checkpoint_dir: Any,
    min_interval_secs: float = 0,
    timeout: float | None = None,
    timeout_fn: Callable[[], bool] | None = None,
) -> Iterator[str]:
    """The newest checkpoint of a folder, each time that there is a new one.

    Args:
        checkpoint_dir: The folder.
        min_interval_secs: Seconds between two at least.
        timeout: Seconds to wait for a new one; None for without end.
        timeout_fn: Called after a time-out; true ends the iteration.
    """
    last: str | None = None
    while True:
        found = _wait_for(checkpoint_dir, last, timeout)
        if found is None:
            if timeout_fn is None or timeout_fn():
                return
            continue
        began, last = time.time(), found
        yield found
        time.sleep(max(0.0, began + min_interval_secs - time.time()))


def _wait_for(folder: Any, last: str | None, timeout: float | None) -> str | None:
    end = None if timeout is None else time.time() + timeout
    pause = min(1.0, 0.1 if timeout is None else max(timeout / 10, 0.001))
    while True:
        found = latest_checkpoint(folder)
        if found is not None and found != last:
            return found
        if end is not None and time.time() + pause > end:
            return None
        time.sleep(pause)


def generate_checkpoint_state_proto(
    save_dir: Any, model_checkpoint_path: Any, all_model_checkpoint_paths: Any = None,
    all_model_checkpoint_timestamps: Any = None,
    last_preserved_timestamp: float | None = None,
) -> CheckpointState:  # fmt: skip
    """A `CheckpointState`, with paths relative to the folder where they lie in it."""
    paths = list(all_model_checkpoint_paths or [])
    if model_checkpoint_path not in paths:
        paths.append(model_checkpoint_path)
    relative = [_relative(p, save_dir) for p in paths]
    if all_model_checkpoint_timestamps and len(all_model_checkpoint_timestamps) != len(paths):
        raise errors.InvalidArgumentError(
            "Checkpoint timestamps, if provided, must match checkpoint paths."
        )
    return CheckpointState(
        _relative(model_checkpoint_path, save_dir),
        relative,
        all_model_checkpoint_timestamps or (),
        last_preserved_timestamp or 0.0,
    )
