"""tf.contrib.summary: summaries of eager programs, written at the global step where recording is switched on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...base.context import context
from ...train import summary as base
from ...train.global_step import get_global_step
from ...train.summary import SummaryWriter, create_file_writer, flush, record_if, state
from . import summary_test_util

create_summary_file_writer = create_file_writer


def always_record_summaries() -> Any:
    """Context manager: summaries are written."""
    return record_if(True)


def never_record_summaries() -> Any:
    """Context manager: summaries are not written."""
    return record_if(False)


@contextmanager
def record_summaries_every_n_global_steps(n: int, global_step: Any = None) -> Iterator[None]:
    """Context manager: summaries are written at each `n`-th step.

    Args:
        n: Distance.
        global_step: The step; default the global one.
    """

    def due() -> bool:
        step = get_global_step() if global_step is None else global_step
        return step is not None and int(step) % n == 0

    with record_if(due):
        yield


def should_record_summaries() -> bool:
    """Whether summaries are written now: they are not unless it was switched on."""
    return base.recording(False)


def _write(kind: str, name: str, tensor: Any, family: Any, step: Any, **options: Any) -> Any:
    if base.recording(False):
        base.put(kind, name, tensor, step, False, family, **options)


def scalar(name: str, tensor: Any, family: str | None = None, step: Any = None) -> None:
    """Writes a number.

    Args:
        name: Name.
        tensor: Scalar.
        family: Put in front of the name.
        step: Step; default the global one.
    """
    _write("scalar", name, tensor, family, step)


def histogram(name: str, tensor: Any, family: str | None = None, step: Any = None) -> None:
    """Writes a histogram.

    Args:
        name: Name.
        tensor: Tensor.
        family: Put in front of the name.
        step: Step; default the global one.
    """
    _write("histogram", name, tensor, family, step)


def image(
    name: str,
    tensor: Any,
    bad_color: Any = None,
    max_images: int | None = None,
    family: str | None = None,
    step: Any = None,
) -> None:
    """Writes images.

    Args:
        name: Name.
        tensor: Tensor [batch, height, width, channels].
        bad_color: Accepted for TensorFlow's sake.
        max_images: How many of the batch are written. Default 3.
        family: Put in front of the name.
        step: Step; default the global one.
    """
    _write("image", name, tensor, family, step, most=3 if max_images is None else int(max_images))


def generic(
    name: str, tensor: Any, metadata: Any = None, family: str | None = None, step: Any = None
) -> None:
    """Writes a tensor.

    Args:
        name: Name.
        tensor: Tensor.
        metadata: Accepted for TensorFlow's sake.
        family: Put in front of the name.
        step: Step; default the global one.
    """
    _write("tensor", name, tensor, family, step)


def all_summary_ops() -> Any:
    """None in eager execution: summaries are written when they are called."""
    return None if context.graph is None else []


def summary_writer_initializer_op() -> list[Any]:
    """Nothing to do: writers open their files themselves."""
    return []


def initialize(graph: Any = None, session: Any = None) -> None:
    """Nothing to do: writers open their files themselves."""


def eval_dir(model_dir: str, name: str | None = None) -> str:
    """The folder of an evaluation.

    Args:
        model_dir: Folder of the model.
        name: Name of the evaluation.
    """
    import os

    return os.path.join(model_dir, "eval" if not name else "eval_" + name)


__all__ = [
    "SummaryWriter",
    "all_summary_ops",
    "always_record_summaries",
    "create_file_writer",
    "create_summary_file_writer",
    "eval_dir",
    "flush",
    "generic",
    "histogram",
    "image",
    "initialize",
    "never_record_summaries",
    "record_summaries_every_n_global_steps",
    "scalar",
    "should_record_summaries",
    "state",
    "summary_test_util",
    "summary_writer_initializer_op",
]
