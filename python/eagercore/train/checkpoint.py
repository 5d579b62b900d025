"""tf.train.Checkpoint: variables, models and optimizers saved together and restored, also before they are built."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ..base import errors
from ..base.context import context, settings
from ..core.bundle import CheckpointReader, write_bundle
from ..core.module import AutoTrackable
from ..core.tensor import EagerTensor
from ..core.variable import Variable
from .object_graph import (
    GRAPH_KEY,
    LiveGraph,
    check_trackable,
    children_of,
    encode_graph,
    read_graph,
    slots_of,
)
from .restore import (
    CheckpointLoadStatus,
    InitializationOnlyStatus,
    LoadStatus,
    Restoration,
    restore_by_names,
)
from .state import text_path, update_checkpoint_state


class CheckpointOptions:
    """Options of saving and restoring; accepted for TensorFlow's sake."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.__dict__.update(kwargs)


class Checkpoint(AutoTrackable):
    """Things that are saved and restored together.

    What is given by name, or set as an attribute later, is saved under that name: variables,
        models, layers, optimizers,
    `tf.Module` and lists or dictionaries of these. Restoring gives variables that exist their
    values at once, and others when they come into being.

    Args:
        root: Object whose own parts are saved without a name of their own before them, or None.
        **kwargs: The things by name.

    Raises:
        ValueError: If something cannot be saved, such as a number.

    >>> import tempfile
    >>> checkpoint = Checkpoint(v=Variable(1.0))
    >>> path = checkpoint.save(tempfile.mkdtemp() + "/ckpt")
    >>> path.rsplit("/")[-1]
    'ckpt-1'
    >>> checkpoint.v.assign(5.0).numpy()
    np.float32(5.0)
    >>> _ = checkpoint.restore(path)
    >>> checkpoint.v.numpy()
    np.float32(1.0)
    """

    def __init__(self, root: Any = None, **kwargs: Any) -> None:
        self._save_counter: Variable | None = None
        if root is not None:
            check_trackable(root, "root")
        self._root = root
        for name, value in kwargs.items():
            check_trackable(value, name)
            if (
                root is not None
                and name in children_of(root)
                and children_of(root)[name] is not value
            ):
                raise ValueError(
                    f"Cannot create a Checkpoint with keyword argument {name} if the "
                    "root object already has an attribute of "
                    "that name."
                )
            setattr(self, name, value)

    def _checkpoint_children(self) -> dict[str, Any]:
        """What is saved: name -> value."""
        hidden = ("_save_counter", "_root")
        found = {} if self._root is None else dict(children_of(self._root))
        own = super()._checkpoint_children()
        found.update((name, own[name]) for name in sorted(own) if name not in hidden)
        if self._save_counter is not None:
            found["save_counter"] = self._save_counter
        return found

    def _slot_variables(self) -> list[Any]:
        return slots_of(self._root)

    @property
    def save_counter(self) -> Variable:
        """How often it was saved: an int64 variable, whose value is the number behind the next path but one."""
        if self._save_counter is None:
            graph, context.graph = context.graph, None
            scopes, context.name_scopes = context.name_scopes, ()
            try:
                made = Variable(np.int64(0), trainable=False, name="save_counter", dtype="int64")
            finally:
                context.graph, context.name_scopes = graph, scopes
            object.__setattr__(self, "_save_counter", made)
            if self._listener is not None:
                self._listener(self, "save_counter", made)
        return self._save_counter  # type: ignore[return-value]

    def write(self, file_prefix: Any, options: Any = None, session: Any = None) -> str:
        """Writes a checkpoint at exactly this path, without a number.

        Args:
            file_prefix: Path without ending.
            options: Accepted for TensorFlow's sake.
            session: Accepted for TensorFlow's sake.

        Returns:
            The path.
        """
        prefix = str(text_path(file_prefix))
        tensors, nodes = LiveGraph(self).serialize()
        packed = np.empty((), object)
        packed[()] = encode_graph(nodes)
        write_bundle(prefix, {**tensors, GRAPH_KEY: packed})
        return prefix

    def save(self, file_prefix: Any, options: Any = None, session: Any = None) -> str:
        """Saves under the next number.

        Args:
            file_prefix: Path to which "-" and the number are added.
            options: Accepted for TensorFlow's sake.
            session: Accepted for TensorFlow's sake.

        Returns:
            The path of the checkpoint, such as "folder/ckpt-1", which `restore` takes.
        """
        prefix = str(text_path(file_prefix))
        counter = self.save_counter
        number = int(counter._read_array()) + 1
        _set(counter, number)
        try:
            path = self.write(f"{prefix}-{number}")
        except BaseException:
            _set(counter, number - 1)
            raise
        update_checkpoint_state(os.path.dirname(prefix) or ".", path, [path])
        return path

    def restore(self, save_path: Any, options: Any = None) -> LoadStatus:
        """Restores a checkpoint.

        Args:
            save_path: What `save` returned, or `tf.train.latest_checkpoint(folder)`. None restores nothing.
            options: Accepted for TensorFlow's sake.

        Returns:
            A status with `assert_consumed()`, `assert_existing_objects_matched()` and `expect_partial()`.

        Raises:
            NotFoundError: If there is no such checkpoint.
            ValueError: If a shape differs.
        """
        path = text_path(save_path)
        if path is None:
            if settings.tell is not None:
                settings.tell("restore(): no checkpoint was named, so nothing is restored.")
            return InitializationOnlyStatus()
        _ = self.save_counter
        try:
            return self.read(path)
        except errors.NotFoundError as error:
            raise errors.NotFoundError(
                f"Error when restoring from checkpoint or SavedModel at {path}: "
                f"{error}\nPlease double-check that the path is "
                "correct. You may be missing the checkpoint suffix (e.g. the '-1' in 'path/to/ckpt-1')."
            ) from None

    def read(self, save_path: Any, options: Any = None) -> LoadStatus:
        """Restores what `write` wrote; see `restore`."""
        reader = CheckpointReader(str(text_path(save_path)))
        nodes = read_graph(reader)
        if nodes is None:
            return restore_by_names(reader, self)
        restoration = Restoration(reader, nodes)
        restoration.bind(0, self)
        if self._root is not None:
            restoration.also(0, self._root)
        return CheckpointLoadStatus(restoration, self)


def _set(counter: Variable, number: int) -> None:
    graph, context.graph = context.graph, None
    try:
        counter.assign(EagerTensor(np.array(number, np.int64)))
    finally:
        context.graph = graph


for _cls in (Checkpoint, CheckpointOptions):
    _cls.__module__ = "eagercore"
