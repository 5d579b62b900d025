"""Layers: one class a file, each imported when it is first asked for.

To add a layer: write `<family>/<layer>.py` and a line in `WHERE`.
"""

from __future__ import annotations

import importlib
from typing import Any

#: module -> the public names that it defines.
WHERE: dict[str, tuple[str, ...]] = {
    "base": ("Layer",),
    "input_spec": ("InputSpec",),
    "core.activation": ("Activation",),
    "core.activity_regularization": ("ActivityRegularization",),
    "core.dense": ("Dense",),
    "core.dropout": ("Dropout",),
    "core.einsum_dense": ("EinsumDense",),
    "core.embedding": ("Embedding",),
    "core.flatten": ("Flatten",),
    "core.identity": ("Identity",),
    "core.input_layer": ("InputLayer", "Input"),
    "core.lambda_layer": ("Lambda",),
    "core.masking": ("Masking",),
    "core.permute": ("Permute",),
    "core.repeat_vector": ("RepeatVector",),
    "core.reshape": ("Reshape",),
    "activation.elu": ("ELU",),
    "activation.leaky_relu": ("LeakyReLU",),
    "activation.prelu": ("PReLU",),
    "activation.relu": ("ReLU",),
    "activation.softmax": ("Softmax",),
    "activation.thresholded_relu": ("ThresholdedReLU",),
    "attention.additive_attention": ("AdditiveAttention",),
    "attention.attention": ("Attention",),
    "attention.multi_head_attention": ("MultiHeadAttention",),
    "convolution.conv": ("Conv1D", "Conv2D", "Conv3D", "Convolution1D", "Convolution2D", "Convolution3D"),
    "convolution.conv_transpose": (
        "Conv1DTranspose", "Conv2DTranspose", "Conv3DTranspose", "Convolution1DTranspose", "Convolution2DTranspose",
        "Convolution3DTranspose",
    ),
    "convolution.depthwise_conv": ("DepthwiseConv1D", "DepthwiseConv2D"),
    "convolution.locally_connected": ("LocallyConnected1D", "LocallyConnected2D"),
    "convolution.separable_conv": (
        "SeparableConv1D", "SeparableConv2D", "SeparableConvolution1D", "SeparableConvolution2D",
    ),
    "merge.base": ("Merge",),
    "merge.concatenate": ("Concatenate", "concatenate"),
    "merge.dot": ("Dot", "dot"),
    "merge.elementwise": (
        "Add", "Average", "Maximum", "Minimum", "Multiply", "Subtract", "add", "average", "maximum",
        "minimum", "multiply",
        "subtract",
    ),
    "normalization.batch_normalization": ("BatchNormalization", "BatchNormalizationV1", "BatchNormalizationV2"),
    "normalization.group_normalization": ("GroupNormalization",),
    "normalization.layer_normalization": ("LayerNormalization",),
    "normalization.spectral_normalization": ("SpectralNormalization",),
    "normalization.rms_normalization": ("RMSNormalization",),
    "normalization.unit_normalization": ("UnitNormalization",),
    "pooling.pooling": (
        "AveragePooling1D", "AveragePooling2D", "AveragePooling3D", "MaxPooling1D", "MaxPooling2D",
        "MaxPooling3D", "AvgPool1D",
        "AvgPool2D", "AvgPool3D", "MaxPool1D", "MaxPool2D", "MaxPool3D",
    ),
    "pooling.global_pooling": (
        "GlobalAveragePooling1D", "GlobalAveragePooling2D", "GlobalAveragePooling3D", "GlobalMaxPooling1D",
        "GlobalMaxPooling2D", "GlobalMaxPooling3D", "GlobalAvgPool1D", "GlobalAvgPool2D", "GlobalAvgPool3D",
        "GlobalMaxPool1D",
        "GlobalMaxPool2D", "GlobalMaxPool3D",
    ),
    "preprocessing.category_encoding": ("CategoryEncoding",),
    "preprocessing.discretization": ("Discretization",),
    "preprocessing.hashed_crossing": ("HashedCrossing",),
    "preprocessing.hashing": ("Hashing",),
    "preprocessing.integer_lookup": ("IntegerLookup",),
    "preprocessing.normalization": ("Normalization",),
    "preprocessing.random_images": (
        "RandomBrightness", "RandomContrast", "RandomCrop", "RandomFlip", "RandomHeight", "RandomRotation",
        "RandomTranslation", "RandomWidth", "RandomZoom",
    ),
    "preprocessing.rescaling": ("CenterCrop", "Rescaling", "Resizing"),
    "preprocessing.string_lookup": ("StringLookup",),
    "preprocessing.text_vectorization": ("TextVectorization",),
    "recurrent.abstract_cell": ("AbstractRNNCell",),
    "recurrent.base": ("RNN",),
    "recurrent.bidirectional": ("Bidirectional",),
    "recurrent.conv_lstm": ("ConvLSTM1D", "ConvLSTM2D", "ConvLSTM3D"),
    "recurrent.gru": ("CuDNNGRU", "GRU", "GRUCell"),
    "recurrent.lstm": ("CuDNNLSTM", "LSTM", "LSTMCell"),
    "recurrent.simple_rnn": ("SimpleRNN", "SimpleRNNCell"),
    "recurrent.stacked": ("StackedRNNCells",),
    "recurrent.time_distributed": ("TimeDistributed",),
    "recurrent.wrapper": ("Wrapper",),
    "regularization.alpha_dropout": ("AlphaDropout",),
    "regularization.gaussian": ("GaussianDropout", "GaussianNoise"),
    "regularization.spatial_dropout": ("SpatialDropout1D", "SpatialDropout2D", "SpatialDropout3D"),
    "reshaping.cropping": ("Cropping1D", "Cropping2D", "Cropping3D"),
    "reshaping.up_sampling": ("UpSampling1D", "UpSampling2D", "UpSampling3D"),
    "reshaping.zero_padding": ("ZeroPadding1D", "ZeroPadding2D", "ZeroPadding3D"),
}  # fmt: skip

_MODULE_OF = {name: module for module, names in WHERE.items() for name in names}


def __getattr__(name: str) -> Any:
    module = _MODULE_OF.get(name)
    if name == "experimental":
        return importlib.import_module(".experimental", __name__)
    if module is None:
        import difflib

        near = difflib.get_close_matches(name, _MODULE_OF, n=1)
        hint = f" Did you mean '{near[0]}'?" if near else ""
        raise AttributeError(f"module 'eagercore.keras.layers' has no attribute '{name}'.{hint}")
    value = getattr(importlib.import_module("." + module, __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(_MODULE_OF) + ["deserialize", "serialize"]


def classes() -> dict[str, Any]:
    """Every layer class by its name, for loading models."""
    found = {name: __getattr__(name) for name in _MODULE_OF}
    return {name: value for name, value in found.items() if isinstance(value, type)}


def serialize(layer: Any) -> dict[str, Any]:
    """A dictionary from which `deserialize` makes the layer again, without its weights."""
    from ..serialization import serialize_keras_object

    return serialize_keras_object(layer)


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """The layer or model that a dictionary describes.

    Raises:
        ValueError: If its class is not known.
    """
    from ..models import Model, Sequential
    from ..serialization import deserialize_keras_object
    from .operation import OperationLayer

    known = {
        **classes(), "Model": Model, "Functional": Model, "Sequential": Sequential, "OperationLayer": OperationLayer,
    }  # fmt: skip
    return deserialize_keras_object(config, known, custom_objects, "layer")
