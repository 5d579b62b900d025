"""Published image models: layers, their names and the order of weights as in Keras; weights from their own place."""

from __future__ import annotations

import importlib
from typing import Any

_MODULES = (
    "densenet", "imagenet_utils", "inception_v3", "mobilenet_v2", "resnet", "resnet50", "vgg16", "vgg19", "xception",
)  # fmt: skip
#: name -> the module that defines it.
_NAMES = {
    "DenseNet121": "densenet", "DenseNet169": "densenet", "DenseNet201": "densenet", "InceptionV3": "inception_v3",
    "MobileNetV2": "mobilenet_v2", "ResNet50": "resnet", "ResNet101": "resnet", "ResNet152": "resnet", "VGG16": "vgg16",
    "VGG19": "vgg19", "Xception": "xception",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module("." + name, __name__)
    if name in _NAMES:
        return getattr(importlib.import_module("." + _NAMES[name], __name__), name)
    raise AttributeError(f"module 'eagercore.keras.applications' has no attribute '{name}'.")


def __dir__() -> list[str]:
    return sorted([*_MODULES, *_NAMES])
