"""tf.python: the inner modules of TensorFlow that programs reached into."""

from types import SimpleNamespace

from ...train import moving_averages

training = SimpleNamespace(moving_averages=moving_averages)
__all__ = ["training"]
