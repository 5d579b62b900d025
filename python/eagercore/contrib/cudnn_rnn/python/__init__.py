"""The path by which TensorFlow's own examples reach the layers."""

from . import layers

__all__ = ["layers"]
