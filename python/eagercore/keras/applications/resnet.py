"""ResNet50, ResNet101, ResNet152: each block adds to what came in."""

from __future__ import annotations

from typing import Any

from .. import layers as L
from .builder import Builder, described
from .imagenet_utils import preprocessing

preprocess_input, decode_predictions = preprocessing("caffe", "ResNet")
_HASHES = {
    "resnet50": ("2cb95161c43110f7111970584f804107", "4d473c1dd8becc155b73f8504c6f6626"),
    "resnet101": ("f1aeb4b969a6efcfb50fad2f0c20cfc5", "88cf7a10940856eca736dc7b7e228a21"),
    "resnet152": ("100835be76be38e30d865e96f2aaae62", "ee4c566cf9a93f14d82f913c2dc6dd0c"),
}


def _build(name: str, depths: Any, *arguments: Any) -> Any:
    make = Builder(name, *arguments, size=224, smallest=32)

    def normalized(x: Any, filters: int, size: int, name: str, stride: int = 1, padding: str = "valid") -> Any:
        x = L.Conv2D(filters, size, strides=stride, padding=padding, name=f"{name}_conv")(x)
        return L.BatchNormalization(axis=make.axis, epsilon=1.001e-5, name=f"{name}_bn")(x)

    def block(x: Any, filters: int, name: str, stride: int, projected: bool) -> Any:
        around = normalized(x, 4 * filters, 1, f"{name}_0", stride) if projected else x
        x = L.Activation("relu", name=f"{name}_1_relu")(normalized(x, filters, 1, f"{name}_1", stride))
        x = L.Activation("relu", name=f"{name}_2_relu")(normalized(x, filters, 3, f"{name}_2", 1, "same"))
        x = normalized(x, 4 * filters, 1, f"{name}_3")
        x = L.Add(name=f"{name}_add")([around, x])
        return L.Activation("relu", name=f"{name}_out")(x)

    x = L.ZeroPadding2D(3, name="conv1_pad")(make.input)
    x = L.Activation("relu", name="conv1_relu")(normalized(x, 64, 7, "conv1", 2))
    x = L.ZeroPadding2D(1, name="pool1_pad")(x)
    x = L.MaxPooling2D(3, strides=2, name="pool1_pool")(x)
    for stage, (filters, depth) in enumerate(zip((64, 128, 256, 512), depths, strict=True), 2):
        for i in range(1, depth + 1):
            stride = 2 if i == 1 and stage > 2 else 1
            x = block(x, filters, f"conv{stage}_block{i}", stride, i == 1)
    return make.model(make.top(x), "resnet/", name, _HASHES[name])


def ResNet50(
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
        "resnet50", (3, 4, 6, 3), include_top, weights, input_tensor, input_shape, pooling, classes,
        classifier_activation,
    )  # fmt: skip


def ResNet101(
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
        "resnet101", (3, 4, 23, 3), include_top, weights, input_tensor, input_shape, pooling, classes,
        classifier_activation,
    )  # fmt: skip


def ResNet152(
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
        "resnet152", (3, 8, 36, 3), include_top, weights, input_tensor, input_shape, pooling, classes,
        classifier_activation,
    )  # fmt: skip


for _function in (ResNet50, ResNet101, ResNet152):
    described(
        _function,
        f"{_function.__name__} (He and others): images of 224 by 224; sizes from 32 on without the top.",
        "" if _function is not ResNet50 else """
    >>> ResNet50(include_top=False, weights=None, input_shape=(32, 32, 3)).output_shape
    (None, 1, 1, 2048)
    """,
    )
