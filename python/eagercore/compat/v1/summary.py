"""tf.summary of TensorFlow 1: summaries are tensors of text, which a FileWriter is given."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.context import context
from ...core.op import op
from ...core.tensor import convert
from ...ops.create import constant
from ...train import events
from ...train.events import Event, Summary
from ...train.summary import VALUES, tag_of

_COLLECTION = "summaries"


@op(free=("values",), differentiable=False)
def summary_message(xp, *values, kind: str, tag: str, most: int = 3):
    """A stored summary of a tensor, or of several summaries.

    Args:
        values: The tensor, or (for the kind "merge") stored summaries.
        kind: "scalar", "histogram", "image", "text", "tensor" or "merge".
        tag: Name.
        most: How many images of a batch are stored.

    Returns:
        String scalar.

    >>> len(summary_message([convert(1.0)], kind="scalar", tag="loss").numpy()) > 4
    True
    """
    if kind == "merge":
        # Messages one after another are one message.
        made = b"".join(bytes(v.reshape(())[()]) for v in values)
    else:
        options = {"most": most} if kind == "image" else {}
        made = events.summary_of(*VALUES[kind](tag, np.asarray(values[0]), **options))
    out = np.empty((), object)
    out[()] = made
    return out


@summary_message.shape_rule
def summary_message_rule(*specs, kind, tag, most):
    from ...base import dtypes
    from ...base.shapes import TensorSpec

    return TensorSpec([], dtypes.string)


@summary_message.samples
def summary_message_samples(rng):
    yield (np.float64(1.0),), {"kind": "scalar", "tag": "loss"}


def _made(
    kind: str, name: str, tensor: Any, collections: Any, family: str | None, most: int = 3
) -> Any:
    if context.graph is None:
        return constant(b"")
    made = summary_message([convert(tensor)], kind=kind, tag=tag_of(name, family), most=most)
    for key in [_COLLECTION] if collections is None else collections:
        context.graph.add_to_collection(key, made)
    return made


def scalar(name: str, tensor: Any, collections: Any = None, family: str | None = None) -> Any:
    """A summary of a number.

    Args:
        name: Name.
        tensor: Scalar.
        collections: Collections of the graph to which it is added.
        family: Put in front of the name.

    Returns:
        String tensor for a `FileWriter`; empty in eager execution, where `tf.contrib.summary` and `tf.summary` write.
    """
    return _made("scalar", name, tensor, collections, family)


def histogram(name: str, values: Any, collections: Any = None, family: str | None = None) -> Any:
    """A summary of the distribution of numbers.

    Args:
        name: Name.
        values: Tensor.
        collections: Collections of the graph to which it is added.
        family: Put in front of the name.
    """
    return _made("histogram", name, values, collections, family)


def image(
    name: str, tensor: Any, max_outputs: int = 3, collections: Any = None, family: str | None = None
) -> Any:
    """A summary of images.

    Args:
        name: Name.
        tensor: Tensor [batch, height, width, channels].
        max_outputs: How many of the batch are stored.
        collections: Collections of the graph to which it is added.
        family: Put in front of the name.
    """
    return _made("image", name, tensor, collections, family, max_outputs)


def text(name: str, tensor: Any, collections: Any = None) -> Any:
    """A summary of texts.

    Args:
        name: Name.
        tensor: String tensor.
        collections: Collections of the graph to which it is added.
    """
    return _made("text", name, tensor, collections, None)


def tensor_summary(
    name: str, tensor: Any, summary_description: Any = None, collections: Any = None, **others: Any
) -> Any:
    """A summary of any tensor.

    Args:
        name: Name.
        tensor: Tensor.
        summary_description: Accepted for TensorFlow's sake.
        collections: Collections of the graph to which it is added.
        **others: Accepted for TensorFlow's sake.
    """
    return _made("tensor", name, tensor, collections, None)


def merge(inputs: Any, collections: Any = None, name: str | None = None) -> Any:
    """Several summaries as one.

    Args:
        inputs: List of summaries.
        collections: Collections of the graph to which it is added.
        name: Accepted for TensorFlow's sake.
    """
    made = summary_message([convert(one) for one in inputs], kind="merge", tag="")
    for key in collections or []:
        context.graph.add_to_collection(key, made)
    return made


def merge_all(key: str = _COLLECTION, scope: str | None = None, name: str | None = None) -> Any:
    """All summaries of the graph as one; None where there are none.

    Args:
        key: Name of the collection.
        scope: Only summaries whose names begin with this.
        name: Accepted for TensorFlow's sake.

    Raises:
        RuntimeError: In eager execution.
    """
    if context.graph is None:
        raise RuntimeError(
            "Merging tf.summary.* ops is not compatible with eager execution. Use tf.contrib.summary or "
            "tf.summary instead."
        )
    found = context.graph.get_collection(key, scope)
    return merge(found) if found else None


class FileWriter:
    """Writes summaries into an event file.

    Args:
        logdir: Folder; it is made.
        graph: Accepted for TensorFlow's sake: graphs are not stored.
        max_queue: Accepted for TensorFlow's sake.
        flush_secs: Accepted for TensorFlow's sake.
        graph_def: Accepted for TensorFlow's sake.
        filename_suffix: Put behind the file's name.
        session: Accepted for TensorFlow's sake.
    """

    def __init__(
        self, logdir: Any, graph: Any = None, max_queue: int = 10, flush_secs: int = 120, graph_def: Any = None,
        filename_suffix: str | None = None, session: Any = None,
    ) -> None:  # fmt: skip
        self._logdir = logdir
        self._file = events.EventWriter(logdir, filename_suffix)

    def get_logdir(self) -> Any:
        """The folder."""
        return self._logdir

    def add_summary(self, summary: Any, global_step: Any = None) -> None:
        """Writes a summary.

        Args:
            summary: What running a summary's tensor gave.
            global_step: The step.
        """
        data = summary.numpy() if hasattr(summary, "numpy") else summary
        self._file.add(bytes(data), None if global_step is None else int(global_step))

    def add_graph(self, graph: Any, global_step: Any = None, graph_def: Any = None) -> None:
        """Accepted for TensorFlow's sake: graphs are not stored."""

    add_meta_graph = add_run_metadata = add_session_log = add_graph

    def flush(self) -> None:
        """Hands what was written to the system."""
        self._file.flush()

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def reopen(self) -> None:
        """Nothing to do: a closed file is opened when something is written."""

    def __enter__(self) -> FileWriter:
        return self

    def __exit__(self, *exc: Any) -> None:
        self.close()


class FileWriterCache:
    """One FileWriter a folder."""

    _cache: dict[str, FileWriter] = {}

    @classmethod
    def get(cls, logdir: Any) -> FileWriter:
        """The writer of a folder."""
        return cls._cache.setdefault(str(logdir), FileWriter(logdir))

    @classmethod
    def clear(cls) -> None:
        """Closes all writers."""
        for writer in cls._cache.values():
            writer.close()
        cls._cache.clear()


def initialize(graph: Any = None, session: Any = None) -> None:
    """Nothing to do: writers open their files themselves."""


def all_v2_summary_ops() -> Any:
    """None in eager execution: summaries are written when they are called."""
    return None if context.graph is None else []


for _cls in (FileWriter, FileWriterCache):
    _cls.__module__ = "eagercore"
__all__ = [
    "Event",
    "FileWriter",
    "FileWriterCache",
    "Summary",
    "all_v2_summary_ops",
    "histogram",
    "image",
    "initialize",
    "merge",
    "merge_all",
    "scalar",
    "tensor_summary",
    "text",
]
