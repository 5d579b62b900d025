"""XLA through JAX: whether it is there, which devices it has, and compiling a function of arrays."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from typing import Any

from ...base import errors


def available() -> bool:
    """Whether JAX is installed."""
    return importlib.util.find_spec("jax") is not None


def load() -> Any:
    """The module `jax`, with 64-bit numbers switched on.

    Raises:
        MissingExtraError: If it is not installed.
    """
    try:
        import jax
    except ImportError:
        raise errors.missing_extra("jax", "xla", "jit_compile=True") from None
    set_option: Any = jax.config.update  # JAX gives it no types
    set_option("jax_enable_x64", True)
    return jax


def accelerators() -> list[tuple[str, int]]:
    """GPUs and TPUs that JAX finds, as (kind, number). JAX is not imported only to look."""
    if "jax" not in sys.modules:
        return []
    found: list[tuple[str, int]] = []
    counts: dict[str, int] = {}
    for device in sys.modules["jax"].devices():
        kind = {"gpu": "GPU", "cuda": "GPU", "rocm": "GPU", "tpu": "TPU"}.get(device.platform)
        if kind is not None:
            found.append((kind, counts.get(kind, 0)))
            counts[kind] = counts.get(kind, 0) + 1
    return found


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of JAX arrays compiled by XLA: it takes and gives NumPy arrays.

    Args:
        function: Takes arrays, gives a tuple of arrays; it is traced by JAX once for each kind of arguments.
    """
    jax = load()
    fast = jax.jit(function)

    def run(*arrays: Any) -> tuple[Any, ...]:
        import numpy as np

        return tuple(None if a is None else np.array(a) for a in fast(*arrays))

    return run


def text(function: Callable[..., Any], specs: list[tuple[tuple[int, ...], Any]]) -> str:
    """The compiler's text for a function of arrays of these shapes and dtypes."""
    jax = load()
    shapes = [jax.ShapeDtypeStruct(shape, dtype) for shape, dtype in specs]
    return str(jax.jit(function).lower(*shapes).as_text())
