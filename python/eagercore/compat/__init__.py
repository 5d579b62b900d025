"""tf.compat: TensorFlow 1's names (`v1`), TensorFlow 2's own (`v2`), and helpers for text and numbers."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from . import v1
from .v1 import forward_compatible

integral_types = (numbers.Integral, np.integer)
real_types = (numbers.Real, np.integer, np.floating)
complex_types = (numbers.Complex, np.number)
bytes_or_text_types = (bytes, str)


def as_bytes(bytes_or_text: Any, encoding: str = "utf-8") -> bytes:
    """Text as bytes.

    Args:
        bytes_or_text: str, bytes or bytearray.
        encoding: How text is encoded.

    Raises:
        TypeError: If it is something else.

    >>> as_bytes("a")
    b'a'
    """
    if isinstance(bytes_or_text, bytearray | bytes):
        return bytes(bytes_or_text)
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(encoding)
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


def as_text(bytes_or_text: Any, encoding: str = "utf-8") -> str:
    """Bytes as text.

    Args:
        bytes_or_text: str, bytes or bytearray.
        encoding: How the bytes are encoded.

    Raises:
        TypeError: If it is something else.

    >>> as_text(b"a")
    'a'
    """
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    if isinstance(bytes_or_text, bytes | bytearray):
        return bytes(bytes_or_text).decode(encoding)
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


as_str = as_text


def as_str_any(value: Any, encoding: str = "utf-8") -> str:
    """Anything as text: bytes are decoded, the rest is given to `str`."""
    return as_text(value, encoding) if isinstance(value, bytes) else str(value)


def path_to_str(path: Any) -> str:
    """A path-like object as text."""
    return path.__fspath__() if hasattr(path, "__fspath__") else path


def dimension_at_index(shape: Any, index: int) -> Any:
    """One size of a shape.

    Args:
        shape: Shape.
        index: Which.
    """
    from ..base.shapes import Dimension, as_shape

    shape = as_shape(shape)
    return Dimension(None if shape.rank is None else shape.as_list()[index])


def dimension_value(dimension: Any) -> Any:
    """A size as an int or None, also where it is a `Dimension`."""
    return getattr(dimension, "value", dimension)


def __getattr__(name: str) -> Any:
    if name == "v2":
        import eagercore

        return eagercore
    raise AttributeError(f"module 'eagercore.compat' has no attribute '{name}'.")


__all__ = [
    "as_bytes",
    "as_str",
    "as_str_any",
    "as_text",
    "bytes_or_text_types",
    "complex_types",
    "dimension_at_index",
    "dimension_value",
    "forward_compatible",
    "integral_types",
    "path_to_str",
    "real_types",
    "v1",
]
