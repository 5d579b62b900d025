"""tf.python: the inner modules of TensorFlow that programs reached into."""

from . import training

__all__ = ["training"]
