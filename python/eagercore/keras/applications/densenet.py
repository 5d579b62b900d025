"""DenseNet121, DenseNet169, DenseNet201: every layer sees all before it."""

from __future__ import annotations

from typing import Any

from .. import layers as L
from .builder import Builder, described
from .imagenet_utils import preprocessing

preprocess_input, decode_predictions = preprocessing("torch", "DenseNet")
_HASHES = {
    "densenet121": ("9d60b8095a5708f2dcce2bca79d332c7", "30ee3e1110167f948a6b9946edeeb738"),
    "densenet169": ("d699b8f76981ab1b30698df4c175e90b", "b8c4d4c20dd625c148057b9ff1c1176b"),
    "densenet201": ("1ceb130c1ea1b78c3bf6114dbdfd8807", "c13680b51ded0fb44dff2d8f86ac8bb1"),
}
GROWTH = 32


def _build(name: str, depths: Any, *arguments: Any) -> Any:
    make = Builder(name, *arguments, size=224, smallest=32)

    def rectified(x: Any, normalization: str, rectifier: str) -> Any:
        x = L.BatchNormalization(axis=make.axis, epsilon=1.001e-5, name=normalization)(x)
        return L.Activation("relu", name=rectifier)(x)

    def conv(x: Any, filters: int, size: int, name: str, stride: int = 1, padding: str = "valid") -> Any:
        return L.Conv2D(filters, size, strides=stride, padding=padding, use_bias=False, name=name)(x)

    x = L.ZeroPadding2D(3)(make.input)
    x = rectified(conv(x, 64, 7, "conv1/conv", 2), "conv1/bn", "conv1/relu")
    x = L.ZeroPadding2D(1)(x)
    x = L.MaxPooling2D(3, strides=2, name="pool1")(x)
    for stage, depth in enumerate(depths, 2):
        for i in range(1, depth + 1):
            block = f"conv{stage}_block{i}"
            new = conv(rectified(x, f"{block}_0_bn", f"{block}_0_relu"), 4 * GROWTH, 1, f"{block}_1_conv")
            new = rectified(new, f"{block}_1_bn", f"{block}_1_relu")
            new = conv(new, GROWTH, 3, f"{block}_2_conv", 1, "same")
            x = L.Concatenate(axis=make.axis, name=f"{block}_concat")([x, new])
        if stage < 5:
            x = rectified(x, f"pool{stage}_bn", f"pool{stage}_relu")
            x = conv(x, x.shape[make.axis] // 2, 1, f"pool{stage}_conv")
            x = L.AveragePooling2D(2, strides=2, name=f"pool{stage}_pool")(x)
    x = rectified(x, "bn", "relu")
    return make.model(make.top(x), "densenet/", name, _HASHES[name])


def DenseNet121(
    include_top: bool = True,
    weights: Any = "imagenet",
    input_tensor: Any = None,
    input_shape: Any = None,
    pooling: str | None = None,
    classes: int = 1000,
    classifier_activation: Any = "softmax",
) -> Any:
    """Described below."""
    return _build(
        "densenet121", (6, 12, 24, 16), include_top, weights, input_tensor, input_shape, pooling, classes,
        classifier_activation,
    )  # fmt: skip


def DenseNet169(
    include_top: bool = True,
    weights: Any = "imagenet",
    input_tensor: Any = None,
    input_shape: Any = None,
    pooling: str | None = None,
    classes: int = 1000,
    classifier_activation: Any = "softmax",
) -> Any:
    """Described below."""
    return _build(
        "densenet169", (6, 12, 32, 32), include_top, weights, input_tensor, input_shape, pooling, classes,
        classifier_activation,
    )  # fmt: skip


def DenseNet201(
    include_top: bool = True,
    weights: Any = "imagenet",
    input_tensor: Any = None,
    input_shape: Any = None,
    pooling: str | None = None,
    classes: int = 1000,
    classifier_activation: Any = "softmax",
) -> Any:
    """Described below."""
    return _build(
        "densenet201", (6, 12, 48, 32), include_top, weights, input_tensor, input_shape, pooling, classes,
        classifier_activation,
    )  # fmt: skip


for _function in (DenseNet121, DenseNet169, DenseNet201):
    described(
        _function,
        f"{_function.__name__} (Huang and others): images of 224 by 224; sizes from 32 on without the top.",
        "" if _function is not DenseNet121 else """
    >>> DenseNet121(include_top=False, weights=None, input_shape=(32, 32, 3)).output_shape
    (None, 1, 1, 1024)
    """,
    )
