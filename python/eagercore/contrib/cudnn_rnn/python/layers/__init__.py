"""The layers of tf.contrib.cudnn_rnn."""

from . import cudnn_rnn

__all__ = ["cudnn_rnn"]
