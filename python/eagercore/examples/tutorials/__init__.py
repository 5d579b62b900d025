"""What TensorFlow 1's tutorials import."""

from . import mnist

__all__ = ["mnist"]
