"""The one thread-local of the engine: which modes are on for the code that runs now.

`graph` is the graph being traced, or None when ops run at once. `tapes` is the tuple of gradient tapes that
listen. Both are read at every op, so they are plain attributes and nothing else is looked up on the way.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any


class Context(threading.local):
    """Modes of the running thread."""

    graph: Any = None
    tapes: tuple[Any, ...] = ()
    device: str = ""
    #: Functions called as watcher(op, inputs, attrs, result) after each op (check_numerics and the like).
    watchers: tuple[Any, ...] = ()
    #: `tf.config.run_functions_eagerly(True)`
    functions_eagerly: bool = False
    #: What reduces gradients over replicas: `reduce_gradients(pairs)` before each step of an
    #: optimizer; None does nothing.
    strategy: Any = None
    #: The scopes of names that are open, outermost first.
    name_scopes: tuple[str, ...] = ()


class Settings:
    """Choices that hold for the whole process."""

    #: In an R session every number is a double: a whole one is then as good as an int.
    whole_floats_are_ints: bool = False
    #: In an R session a matrix of doubles is like a vector of doubles: float32 unless a dtype is named.
    double_arrays_are_float32: bool = False
    #: In an R session tf.print writes to R's output, which knitr and capture.output() show.
    prints_to_stdout: bool = False
    #: A program that called tf.enable_eager_execution was written for TensorFlow 1: where an argument by position
    #: changed its meaning (tf.nn.dropout(x, keep_prob)), it has the old one.
    first_generation: bool = False
    #: How a program is told what it may want to know and what is no warning; None for not at all.
    tell: Callable[[str], None] | None = None
    #: Called between the steps of long loops (training, a graph's while, a dataset's reduce), so that the program
    #: around the engine can look at its clock and its events; what it raises ends the loop.
    between_steps: Callable[[], None] | None = None
    #: `drawn_elsewhere(target)` of a program that draws progress bars itself: gives what is to be called as
    #: `draw(current, text, finalize)`, or None for a bar of text.
    drawn_elsewhere: Callable[[int | None], Callable[[int, str, bool], None] | None] | None = None


context = Context()
settings = Settings()
