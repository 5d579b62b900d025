"""tf.examples of TensorFlow 1."""

from . import tutorials

__all__ = ["tutorials"]
