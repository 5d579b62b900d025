"""tf.python.training."""

from . import moving_averages

__all__ = ["moving_averages"]
