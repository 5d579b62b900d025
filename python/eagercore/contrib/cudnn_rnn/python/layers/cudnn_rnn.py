"""The layers of tf.contrib.cudnn_rnn."""

from ... import CudnnGRU, CudnnLSTM, CudnnRNNRelu, CudnnRNNTanh

__all__ = ["CudnnGRU", "CudnnLSTM", "CudnnRNNRelu", "CudnnRNNTanh"]
