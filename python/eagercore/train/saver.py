"""tf.train.Saver: variables saved under their names, as TensorFlow 1 does, and what restores such files."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from ..base import errors
from ..base.context import context
from ..core import coerce
from ..core.bundle import CheckpointReader, write_bundle
from ..core.variable import CREATED, Variable
from .object_graph import VALUE, origin, read_graph
from .restore import set_value
from .state import (
    checkpoint_exists,
    get_checkpoint_state,
    remove_checkpoint,
    text_path,
    update_checkpoint_state,
)


def _named(variables: Any) -> dict[str, Variable]:
    """name -> variable.

    Raises:
        ValueError: If two have one name.
        TypeError: If something is no variable.
    """
    if isinstance(variables, Mapping):
        pairs = list(variables.items())
    else:
        pairs = [
            (v.name.removesuffix(":0") if isinstance(v, Variable) else None, v) for v in variables
        ]
    found: dict[str, Variable] = {}
    for name, variable in pairs:
        variable = origin(variable)
        if not isinstance(variable, Variable):
            raise TypeError(f"Variable to save is not a Variable: {variable!r}")
        if name in found and found[name] is not variable:
            raise ValueError(
                f"At least two variables have the same name: {name}. Give `var_list` as "
                "a dictionary of names and variables, or "
                "use tf.train.Checkpoint, which needs no names."
            )
        found[name] = variable
    return found


def _step(global_step: Any) -> int | None:
    return None if global_step is None else coerce.as_int(global_step, "Saver.save", "global_step")


class Saver:
    """Saves variables under their names and restores them.

    Args:
        var_list: List of variables, or name -> variable. In graph mode default all.
        reshape: Accepted for TensorFlow's sake.
        sharded: Accepted for TensorFlow's sake.
        max_to_keep: How many checkpoints are kept; None or 0 keeps all.
        keep_checkpoint_every_n_hours: One in so many hours is kept for good.
        name: Accepted for TensorFlow's sake.
        restore_sequentially: Accepted for TensorFlow's sake.
        saver_def: Accepted for TensorFlow's sake.
        builder: Accepted for TensorFlow's sake.
        defer_build: Accepted for TensorFlow's sake.
        allow_empty: Whether no variables are good, too.
        write_version: Accepted for TensorFlow's sake.
        pad_step_number: Whether step numbers have eight digits.
        save_relative_paths: Accepted: paths in the state file are relative.
        filename: Accepted for TensorFlow's sake.

    Raises:
        RuntimeError: In eager execution, if `var_list` is not given.
        ValueError: If there are no variables, or two have one name.
    """

    def __init__(
        self, var_list: Any = None, reshape: bool = False, sharded: bool = False, max_to_keep: Any = 5,
        keep_checkpoint_every_n_hours: Any = 10000.0, name: str | None = None, restore_sequentially: bool = False,
        saver_def: Any = None, builder: Any = None, defer_build: bool = False,
        allow_empty: bool = False, write_version: Any = 2,
        pad_step_number: bool = False, save_relative_paths: bool = False, filename: str | None = None,
    ) -> None:  # fmt: skip
        if var_list is None:
            if context.graph is None:
                raise RuntimeError(
                    "When eager execution is enabled, `var_list` must specify a list or dict of variables to save"
                )
            var_list = context.graph.get_collection("variables")
        self._variables = _named(var_list)
        if not self._variables and not allow_empty and not defer_build:
            raise ValueError("No variables to save")
        self._max_to_keep = coerce.as_int(max_to_keep, "Saver", "max_to_keep") or None
        self._keep_hours = float(coerce.plain(keep_checkpoint_every_n_hours))
        self._pad = pad_step_number
        self._kept: list[tuple[str, float]] = []
        self._next_kept_for_good = time.time() + self._keep_hours * 3600

    @property
    def last_checkpoints(self) -> list[str]:
        """Paths of those that are kept, oldest first."""
        return [path for path, _ in self._kept]

    def set_last_checkpoints(self, last_checkpoints: list[str]) -> None:
        """Says which checkpoints there are already."""
        self._kept = [(path, np.inf) for path in last_checkpoints]

    def set_last_checkpoints_with_time(
        self, last_checkpoints_with_time: list[tuple[str, float]]
    ) -> None:
        """Says which checkpoints there are already, and since when."""
        self._kept = list(last_checkpoints_with_time)

    def recover_last_checkpoints(self, checkpoint_paths: list[str]) -> None:
        """Takes up the checkpoints of these paths that exist."""
        self._kept = [
            (p, os.path.getmtime(p + ".index")) for p in checkpoint_paths if checkpoint_exists(p)
        ]

    def save(
        self, sess: Any, save_path: Any, global_step: Any = None, latest_filename: str | None = None,
        meta_graph_suffix: str = "meta", write_meta_graph: bool = True, write_state: bool = True,
        strip_default_attrs: bool = False,
        save_debug_info: bool = False,
    ) -> str:  # fmt: skip
        """Saves the variables.

        Args:
            sess: Session in graph mode; None in eager execution.
            save_path: Path, to which "-" and the step are added.
            global_step: Step: number, tensor or variable; None adds nothing.
            latest_filename: Name of the state file.
            meta_graph_suffix: Accepted for TensorFlow's sake.
            write_meta_graph: Accepted: graphs are not written.
            write_state: Whether the state file is written.
            strip_default_attrs: Accepted for TensorFlow's sake.
            save_debug_info: Accepted for TensorFlow's sake.

        Returns:
            The path of the checkpoint.
        """
        if latest_filename is not None and os.path.dirname(latest_filename):
            raise ValueError("'latest_filename' must not contain path components")
        prefix = str(text_path(save_path))
        step = _value_in(sess, global_step)
        number = _step(step)
        path = (
            prefix
            if number is None
            else f"{prefix}-{number:08d}"
            if self._pad
            else f"{prefix}-{number}"
        )
        write_bundle(
            path, {name: _array_in(sess, variable) for name, variable in self._variables.items()}
        )
        if write_state:
            gone = self._keep(path)
            folder = os.path.dirname(prefix)
            update_checkpoint_state(folder or ".", path, self.last_checkpoints, latest_filename)
            for old in gone:
                remove_checkpoint(old)
        return path

    def _keep(self, path: str) -> list[str]:
        self._kept = [(p, t) for p, t in self._kept if p != path] + [(path, time.time())]
        gone = []
        while self._max_to_keep is not None and len(self._kept) > self._max_to_keep:
            old, stamp = self._kept.pop(0)
            if stamp > self._next_kept_for_good:
                self._next_kept_for_good += self._keep_hours * 3600
                continue
            gone.append(old)
        return gone

    def restore(self, sess: Any, save_path: Any) -> None:
        """Restores the variables.

        Args:
            sess: Session in graph mode; None in eager execution.
            save_path: Path of a checkpoint.

        Raises:
            ValueError: If there is none of that path.
            NotFoundError: If a name is not in it.
        """
        path = text_path(save_path)
        if path is None:
            raise ValueError("Can't load save_path when it is None.")
        if not checkpoint_exists(path):
            raise ValueError(f"The passed save_path is not a valid checkpoint: {path}")
        reader = CheckpointReader(path)
        keys = _keys_by_name(reader)
        for name, variable in self._variables.items():
            key = keys.get(name)
            if key is None:
                raise errors.NotFoundError(
                    "Restoring from checkpoint failed. This is most likely due to a "
                    "Variable name or other graph key that is "
                    "missing from the checkpoint. Please ensure that you have not "
                    "altered the graph expected based on the "
                    f"checkpoint. Original error:\n\nKey {name} not found in checkpoint [Op:RestoreV2]",
                    op="RestoreV2",
                )
            set_value(variable, reader.read(key), key, sess)

    def as_saver_def(self) -> Any:
        """Not kept: there is no graph of saving."""
        raise errors.UnimplementedError(
            "Saver.as_saver_def: saving is no part of a graph in this engine."
        )

    def export_meta_graph(self, *args: Any, **kwargs: Any) -> Any:
        """Not written: graphs are exported as ONNX."""
        raise errors.UnimplementedError(
            "Graphs are not written as MetaGraphDef: export them with eagercore.onnx."
        )


def _array_in(session: Any, variable: Variable) -> Any:
    """The value that a variable has; one of a graph has it in a session."""
    if variable._graph is None:
        return variable._read_array()
    array = variable._graph.session_for(session, "save").value_of(variable)
    if array is None:
        raise errors.FailedPreconditionError(
            f"Attempting to use uninitialized value {variable._name}: run its "
            "initializer, or restore it, before it is saved."
        )
    return array


def _value_in(session: Any, step: Any) -> Any:
    if getattr(step, "_is_symbolic", False):
        return session.run(step)
    return step


def _keys_by_name(reader: CheckpointReader) -> dict[str, str]:
    """Variable's name -> key; a checkpoint of objects knows the variables' names, too."""
    nodes = read_graph(reader)
    keys = {key: key for key in reader.get_variable_to_shape_map()}
    for node in nodes or ():
        for name, (full, key) in node.attributes.items():
            if name == VALUE and full:
                keys.setdefault(full, key)
    return keys


class EagerSaver:
    """tf.contrib.eager.Saver: saves variables under their names, without a session.

    Args:
        var_list: List of variables, or name -> variable.
    """

    def __init__(self, var_list: Any) -> None:
        self._saver = Saver(var_list)

    def save(self, file_prefix: Any, global_step: Any = None) -> str:
        """Saves; returns the path, to which "-" and the step are added."""
        return self._saver.save(None, file_prefix, global_step=global_step)

    def restore(self, file_prefix: Any) -> None:
        """Restores from a path that `save` returned."""
        self._saver.restore(None, file_prefix)


@contextlib.contextmanager
def restore_variables_on_create(
    save_path: Any, map_func: Callable[[str], str] | None = None
) -> Iterator[None]:
    """While the block runs, new variables take their values from a checkpoint.

    Args:
        save_path: Path of a checkpoint, or None to do nothing.
        map_func: Gives the name in the checkpoint from a variable's name.

    Raises:
        ValueError: If `map_func` is no function.
        NotFoundError: If the checkpoint has no value for a new variable.
    """
    path = text_path(save_path)
    if path is None:
        yield
        return
    if map_func is not None and not callable(map_func):
        raise ValueError(f"map_func must be callable, got {map_func!r}.")
    reader = CheckpointReader(path)
    keys = _keys_by_name(reader)

    def give(variable: Variable) -> None:
        name = variable.name.removesuffix(":0")
        wanted = name if map_func is None else map_func(name)
        if wanted not in keys:
            raise errors.NotFoundError(
                f"Key {wanted} not found in checkpoint {path}, for the new variable {name}."
            )
        set_value(variable, reader.read(keys[wanted]), wanted)

    CREATED.append(give)
    try:
        yield
    finally:
        CREATED.remove(give)


def init_from_checkpoint(ckpt_dir_or_file: Any, assignment_map: Any) -> None:
    """Gives variables the values of a checkpoint.

    Args:
        ckpt_dir_or_file: Path of a checkpoint, or a folder with one.
        assignment_map: Name in the checkpoint -> variable.

    Raises:
        ValueError: If a name is not in the checkpoint.
    """
    from .state import load_checkpoint

    reader = load_checkpoint(ckpt_dir_or_file)
    keys = _keys_by_name(reader)
    for name, variable in dict(assignment_map).items():
        if name not in keys or not isinstance(origin(variable), Variable):
            raise ValueError(
                "init_from_checkpoint maps names in the checkpoint to variables: got "
                f"{name!r} -> {variable!r}. The checkpoint "
                f"has {', '.join(list(keys)[:10])}."
            )
        set_value(origin(variable), reader.read(keys[name]), name)


for _cls in (Saver, EagerSaver):
    _cls.__module__ = "eagercore"

__all__ = [
    "EagerSaver",
    "Saver",
    "get_checkpoint_state",
    "init_from_checkpoint",
    "restore_variables_on_create",
]
