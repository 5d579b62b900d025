"""The handwritten digits of TensorFlow 1's tutorials."""

from . import input_data

__all__ = ["input_data"]
