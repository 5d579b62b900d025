"""VGG16: 16 layers of small convolutions and dense layers."""

from __future__ import annotations

from typing import Any

from .builder import described
from .imagenet_utils import preprocessing
from .vgg import build

preprocess_input, decode_predictions = preprocessing("caffe", "VGG16")


def VGG16(
    include_top: bool = True,
    weights: Any = "imagenet",
    input_tensor: Any = None,
    input_shape: Any = None,
    pooling: str | None = None,
    classes: int = 1000,
    classifier_activation: Any = "softmax",
) -> Any:
    """Described below."""
    return build(
        "vgg16", (2, 2, 3, 3, 3), ("64373286793e3c8b2b4e3219cbf3544b", "6d6bbae143d832006294945121d1f1fc"),
        include_top, weights, input_tensor, input_shape, pooling, classes, classifier_activation,
    )  # fmt: skip


described(
    VGG16,
    "VGG16 (Simonyan and Zisserman): images of 224 by 224; sizes from 32 on without the top.",
    """
    >>> VGG16(include_top=False, weights=None, input_shape=(32, 32, 3)).output_shape
    (None, 1, 1, 512)
    """,
)
