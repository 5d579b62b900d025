"""tf.summary: numbers, histograms, images and texts of a run, as TensorBoard reads them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from .train.events import Event, Summary, summary_iterator
from .train.summary import (
    SummaryWriter,
    create_file_writer,
    create_noop_writer,
    flush,
    get_step,
    histogram,
    image,
    record_if,
    scalar,
    set_step,
    should_record_summaries,
    text,
    trace_export,
    trace_off,
    trace_on,
    write,
)

experimental = SimpleNamespace(get_step=get_step, set_step=set_step)
__all__ = [
    "Event",
    "Summary",
    "SummaryWriter",
    "create_file_writer",
    "create_noop_writer",
    "experimental",
    "flush",
    "get_step",
    "histogram",
    "image",
    "record_if",
    "scalar",
    "set_step",
    "should_record_summaries",
    "summary_iterator",
    "text",
    "trace_export",
    "trace_off",
    "trace_on",
    "write",
]


def __getattr__(name: str) -> Any:
    if name in (
        "FileWriter",
        "FileWriterCache",
        "merge",
        "merge_all",
        "initialize",
        "all_v2_summary_ops",
        "tensor_summary",
    ):
        from .compat.v1 import summary

        return getattr(summary, name)
    raise AttributeError(f"module 'eagercore.summary' has no attribute '{name}'.")
