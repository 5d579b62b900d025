"""tf.autograph: conversion of Python's control flow, see `eagercore.graph.autograph`."""

from __future__ import annotations

import sys
import types
from typing import Any

from .graph import autograph as _converter
from .graph.autograph import (
    ConversionError,
    do_not_convert,
    set_verbosity,
    to_code,
    to_graph,
    trace,
)

__all__ = [
    "ConversionError",
    "do_not_convert",
    "experimental",
    "set_verbosity",
    "to_code",
    "to_graph",
    "trace",
]


def _experimental(name: str) -> Any:
    """What the converter brings, once it is asked for."""
    if name == "set_loop_options":
        # The converter knows its own function when it reads a loop.
        _converter.load()
        return _converter.set_loop_options
    if name == "Feature":
        return _converter.need().features
    raise AttributeError(f"module 'eagercore.autograph.experimental' has no attribute {name!r}")


experimental = types.ModuleType("eagercore.autograph.experimental", "tf.autograph.experimental")
experimental.do_not_convert = do_not_convert  # type: ignore[attr-defined]
experimental.__getattr__ = _experimental  # type: ignore[method-assign]
sys.modules[experimental.__name__] = experimental
