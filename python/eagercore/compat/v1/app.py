"""tf.app of TensorFlow 1."""

from . import flags
from .flags import run

__all__ = ["flags", "run"]
