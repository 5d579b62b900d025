"""tf.autograph: conversion of Python's control flow, see `eagercore.graph.autograph`."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from .graph.autograph import ConversionError, set_verbosity, to_code, to_graph, trace
from .graph.autograph import do_not_convert as _do_not_convert

__all__ = ["ConversionError", "experimental", "set_verbosity", "to_code", "to_graph", "trace"]


class _Experimental(SimpleNamespace):
    """tf.autograph.experimental."""

    do_not_convert = staticmethod(_do_not_convert)

    @property
    def set_loop_options(self) -> Any:
        """Options of a loop; the converter knows the function when it is installed."""
        from .graph import autograph

        autograph.load()
        return autograph.set_loop_options

    @property
    def Feature(self) -> Any:
        """The converter's optional features."""
        from .graph import autograph

        return autograph.need().features


experimental = _Experimental()
do_not_convert = _do_not_convert
