"""Summaries: numbers, images and histograms of a run, written where the current writer points.

Both generations stand on this: `tf.summary` (the step is an argument) and `tf.contrib.summary` (the step is the global
one, and recording must be switched on).
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..base.context import context
from ..core.op import barrier
from ..core.tensor import convert
from . import events
from .global_step import get_global_step


class _State(threading.local):
    writer: Any = None
    #: True, False, a function, or None: record wherever there is a writer.
    record: Any = None
    step: Any = None


state = _State()


class SummaryWriter:
    """Where summaries go: a folder with an event file.

    Args:
        logdir: Folder, or None for a writer that writes nothing.
        filename_suffix: Put behind the file's name.
    """

    def __init__(self, logdir: Any = None, filename_suffix: str | None = None) -> None:
        self._logdir = logdir
        self._suffix = filename_suffix
        self._file: events.EventWriter | None = None
        self._before: list[Any] = []
        if logdir is not None:
            self._file = events.EventWriter(logdir, filename_suffix)

    @contextmanager
    def as_default(self, step: Any = None) -> Iterator[SummaryWriter]:
        """Inside the `with` block summaries go here.

        Args:
            step: Step of the summaries inside, or None.
        """
        before = state.writer, state.step
        state.writer = self
        if step is not None:
            state.step = step
        try:
            yield self
        finally:
            self.flush()
            state.writer, state.step = before

    def set_as_default(self, step: Any = None) -> None:
        """From here on summaries go here.

        Args:
            step: Step of the summaries, or None.
        """
        state.writer = self
        if step is not None:
            state.step = step

    def __enter__(self) -> SummaryWriter:
        self._before.append(state.writer)
        state.writer = self
        return self

    def __exit__(self, *exc: Any) -> None:
        self.flush()
        state.writer = self._before.pop()

    def init(self) -> Any:
        """Nothing to do: the file is open."""
        return self

    def flush(self) -> None:
        """Hands what was written to the system."""
        if self._file is not None:
            self._file.flush()

    def close(self) -> None:
        """Closes the file."""
        if self._file is not None:
            self._file.close()

    def write(self, value: bytes, step: int | None) -> None:
        """Writes one value of a summary."""
        if self._file is not None:
            self._file.add(events.summary_of(value), step)


def create_file_writer(
    logdir: Any, max_queue: Any = None, flush_millis: Any = None, filename_suffix: str | None = None, name: str |
        None = None,
    experimental_trackable: bool = False, experimental_mesh: Any = None,
) -> SummaryWriter:  # fmt: skip
    """A writer of an event file in a folder.

    Args:
        logdir: Folder; it is made. None gives a writer that writes nothing.
        max_queue: Accepted for TensorFlow's sake.
        flush_millis: Accepted for TensorFlow's sake.
        filename_suffix: Put behind the file's name.
        name: Accepted for TensorFlow's sake.
        experimental_trackable: Accepted for TensorFlow's sake.
        experimental_mesh: Accepted for TensorFlow's sake.
    """
    suffix = (
        filename_suffix
        if filename_suffix is None or isinstance(filename_suffix, str)
        else str(filename_suffix)
    )
    return SummaryWriter(logdir, suffix)


def create_noop_writer() -> SummaryWriter:
    """A writer that writes nothing."""
    return SummaryWriter(None)


def recording(default: bool) -> bool:
    """Whether summaries are written now; `default` holds where nothing was said."""
    choice = state.record
    choice = choice() if callable(choice) else choice
    if choice is None:
        choice = default
    if hasattr(choice, "_read_array"):
        choice = bool(choice._read_array())
    return state.writer is not None and bool(choice)


@contextmanager
def record_if(condition: Any) -> Iterator[None]:
    """Inside the `with` block summaries are written only where `condition` holds.

    Args:
        condition: Boolean, tensor or function of no arguments.
    """
    before, state.record = state.record, condition
    try:
        yield
    finally:
        state.record = before


def should_record_summaries() -> bool:
    """Whether summaries are written now."""
    return recording(True)


def step_of(step: Any, needed: bool) -> int | None:
    """A step as an int: the one given, the writer's, or the global one.

    Raises:
        ValueError: If there is none and one is needed.
    """
    if step is None:
        step = state.step
    if step is None and not needed:
        step = get_global_step()
    if step is None:
        if needed:
            raise ValueError(
                "No step set. Please specify one either through the `step` argument or through "
                "tf.summary.experimental.set_step()."
            )
        return None
    return int(step._read_array()) if hasattr(step, "_read_array") else int(step)


def tag_of(name: str, family: str | None = None) -> str:
    """The tag of a summary: scopes, family and name."""
    parts = [*context.name_scopes, *([family] if family else []), name]
    return "/".join(p for p in parts if p)


def put(
    kind: str,
    name: str,
    data: Any,
    step: Any,
    needed: bool,
    family: str | None = None,
    **options: Any,
) -> bool:
    """Writes a summary where that is asked for; whether it was written."""
    tensor = data if hasattr(data, "_read_array") else convert(data)
    tag = tag_of(name, family)
    if getattr(tensor, "_is_symbolic", False):
        plan = (kind, tag, step if step is not None else state.step, needed, options, state.writer)
        write_summary(tensor, plan=plan)
        return True
    _put_array((kind, tag, step, needed, options, state.writer), np.asarray(tensor._read_array()))
    return True


def _put_array(plan: Any, array: Any) -> None:
    kind, tag, step, needed, options, writer = plan
    when = step_of(step, needed)
    for value in VALUES[kind](tag, array, **options):
        writer.write(value, when)


@barrier(differentiable=False)
def write_summary(xp, value, *, plan: Any):
    """Writes a summary when a graph runs.

    Args:
        value: What is written.
        plan: (kind, tag, step, whether a step is needed, options, writer).

    Returns:
        The value.

    >>> write_summary(1.0, plan=("scalar", "loss", 0, True, {}, SummaryWriter(None))).numpy()
    np.float32(1.0)
    """
    _put_array(plan, np.asarray(value))
    return np.asarray(value)


@write_summary.samples
def write_summary_samples(rng):
    """A number for a writer that writes nothing."""
    yield (np.float64(1.0),), {"plan": ("scalar", "loss", 0, True, {}, SummaryWriter(None))}


def _scalar(tag: str, array: Any) -> list[bytes]:
    if array.ndim:
        raise ValueError(f"A scalar summary takes a scalar, got shape {array.shape}: {tag}.")
    return [events.scalar_value(tag, float(array))]


def _histogram(tag: str, array: Any) -> list[bytes]:
    return [events.histogram_value(tag, array)]


def _images(tag: str, array: Any, most: int = 3) -> list[bytes]:
    if array.ndim != 4:
        raise ValueError(
            f"An image summary takes [batch, height, width, channels], got shape {array.shape}: {tag}."
        )
    shown = array[:most]
    if len(shown) == 1:
        return [events.image_value(f"{tag}/image", shown[0])]
    return [events.image_value(f"{tag}/image/{i}", one) for i, one in enumerate(shown)]


def _text(tag: str, array: Any) -> list[bytes]:
    return [events.tensor_value(tag, array, "text")]


def _tensor(tag: str, array: Any) -> list[bytes]:
    return [events.tensor_value(tag, array, "generic")]


VALUES: dict[str, Any] = {
    "scalar": _scalar, "histogram": _histogram, "image": _images, "text": _text, "tensor": _tensor,
}  # fmt: skip

# -------------------------------------------------------------------------------------------------- tf.summary


def _write(kind: str, name: str, data: Any, step: Any, **options: Any) -> bool:
    return recording(True) and put(kind, name, data, step, True, **options)


def scalar(name: str, data: Any, step: Any = None, description: str | None = None) -> bool:
    """Writes a number.

    Args:
        name: Name.
        data: Scalar.
        step: Step; default the writer's.
        description: Accepted for TensorFlow's sake.

    Returns:
        Whether it was written: False where there is no writer.
    """
    return _write("scalar", name, data, step)


def histogram(
    name: str, data: Any, step: Any = None, buckets: Any = None, description: str | None = None
) -> bool:
    """Writes a histogram of numbers.

    Args:
        name: Name.
        data: Tensor.
        step: Step; default the writer's.
        buckets: Accepted for TensorFlow's sake.
        description: Accepted for TensorFlow's sake.

    Returns:
        Whether it was written.
    """
    return _write("histogram", name, data, step)


def image(
    name: str, data: Any, step: Any = None, max_outputs: int = 3, description: str | None = None
) -> bool:
    """Writes images.

    Args:
        name: Name.
        data: Tensor [batch, height, width, channels]: bytes, or floats between 0 and 1.
        step: Step; default the writer's.
        max_outputs: How many of the batch are written.
        description: Accepted for TensorFlow's sake.

    Returns:
        Whether it was written.
    """
    return _write("image", name, data, step, most=max_outputs)


def text(name: str, data: Any, step: Any = None, description: str | None = None) -> bool:
    """Writes texts.

    Args:
        name: Name.
        data: String tensor.
        step: Step; default the writer's.
        description: Accepted for TensorFlow's sake.

    Returns:
        Whether it was written.
    """
    return _write("text", name, data, step)


def write(
    tag: str, tensor: Any, step: Any = None, metadata: Any = None, name: str | None = None
) -> bool:
    """Writes a tensor.

    Args:
        tag: Name.
        tensor: Tensor.
        step: Step; default the writer's.
        metadata: Accepted for TensorFlow's sake.
        name: Accepted for TensorFlow's sake.

    Returns:
        Whether it was written.
    """
    return _write("tensor", tag, tensor, step)


def flush(writer: SummaryWriter | None = None, name: str | None = None) -> None:
    """Hands what was written to the system.

    Args:
        writer: The writer; default the current one.
        name: Accepted for TensorFlow's sake.
    """
    chosen = writer if writer is not None else state.writer
    if chosen is not None:
        chosen.flush()


def set_step(step: Any) -> None:
    """The step of summaries that are given none.

    Args:
        step: Number, tensor, variable or None.
    """
    state.step = step


def get_step() -> Any:
    """The step of summaries that are given none."""
    return state.step


def trace_on(graph: bool = True, profiler: bool = False, profiler_outdir: Any = None) -> None:
    """Accepted for TensorFlow's sake: graphs are not traced."""


def trace_off() -> None:
    """Accepted for TensorFlow's sake: graphs are not traced."""


def trace_export(name: str, step: Any = None, profiler_outdir: Any = None) -> None:
    """Accepted for TensorFlow's sake: graphs are not traced."""


SummaryWriter.__module__ = "eagercore"
