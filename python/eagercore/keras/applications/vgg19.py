"""VGG19: 19 layers of small convolutions and dense layers."""

from __future__ import annotations

from typing import Any

from .builder import described
from .imagenet_utils import preprocessing
from .vgg import build

preprocess_input, decode_predictions = preprocessing("caffe", "VGG19")


def VGG19(
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
        "vgg19", (2, 2, 4, 4, 4), ("cbe5617147190e668d6c5d5026f83318", "253f8cb515780f3b799900260a226db6"),
        include_top, weights, input_tensor, input_shape, pooling, classes, classifier_activation,
    )  # fmt: skip


described(
    VGG19,
    "VGG19 (Simonyan and Zisserman): images of 224 by 224; sizes from 32 on without the top.",
    """
    >>> VGG19(include_top=False, weights=None, input_shape=(32, 32, 3)).output_shape
    (None, 1, 1, 512)
    """,
)
