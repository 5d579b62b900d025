"""Xception: convolutions of channels by themselves, with ways around them."""

from __future__ import annotations

from typing import Any

from .. import layers as L
from .builder import Builder, described
from .imagenet_utils import preprocessing

preprocess_input, decode_predictions = preprocessing("tf", "Xception")
_HASHES = ("0a58e3b7378bc2990ea3b43d5981f1f6", "b0042744bf5b25fce3cb969f33bebb97")


def Xception(
    include_top: bool = True,
    weights: Any = "imagenet",
    input_tensor: Any = None,
    input_shape: Any = None,
    pooling: str | None = None,
    classes: int = 1000,
    classifier_activation: Any = "softmax",
) -> Any:
    """Described below."""
    make = Builder(
        "xception", include_top, weights, input_tensor, input_shape, pooling, classes, classifier_activation, size=299,
        smallest=71,
    )  # fmt: skip

    def normalized(x: Any, name: str | None) -> Any:
        return L.BatchNormalization(axis=make.axis, name=name)(x)

    def separable(x: Any, filters: int, name: str) -> Any:
        x = L.SeparableConv2D(filters, 3, padding="same", use_bias=False, name=name)(x)
        return normalized(x, f"{name}_bn")

    def around(x: Any, filters: int) -> Any:
        return normalized(L.Conv2D(filters, 1, strides=2, padding="same", use_bias=False)(x), None)

    x = make.input
    for i, (filters, stride) in enumerate(((32, 2), (64, 1)), 1):
        x = L.Conv2D(filters, 3, strides=stride, use_bias=False, name=f"block1_conv{i}")(x)
        x = L.Activation("relu", name=f"block1_conv{i}_act")(normalized(x, f"block1_conv{i}_bn"))
    for block, widths in ((2, (128, 128)), (3, (256, 256)), (4, (728, 728))):
        x = _entry(x, block, widths, separable, around(x, widths[1]))
    for block in range(5, 13):
        before = x
        for i in (1, 2, 3):
            x = separable(L.Activation("relu", name=f"block{block}_sepconv{i}_act")(x), 728, f"block{block}_sepconv{i}")
        x = L.add([x, before])
    x = _entry(x, 13, (728, 1024), separable, around(x, 1024))
    for i, filters in enumerate((1536, 2048), 1):
        x = L.Activation("relu", name=f"block14_sepconv{i}_act")(separable(x, filters, f"block14_sepconv{i}"))
    x = make.top(x, ("avg_pool" if make.include_top else None, None))
    return make.model(x, "xception/", "xception", _HASHES)


def _entry(x: Any, block: int, widths: Any, separable: Any, beside: Any) -> Any:
    """Two convolutions and a pooling, with a way around."""
    for i, filters in enumerate(widths, 1):
        if block > 2 or i > 1:
            x = L.Activation("relu", name=f"block{block}_sepconv{i}_act")(x)
        x = separable(x, filters, f"block{block}_sepconv{i}")
    x = L.MaxPooling2D(3, strides=2, padding="same", name=f"block{block}_pool")(x)
    return L.add([x, beside])


described(
    Xception,
    "Xception (Chollet): images of 299 by 299; sizes from 71 on without the top.",
    """
    >>> Xception(include_top=False, weights=None, input_shape=(71, 71, 3), pooling="max").output_shape
    (None, 2048)
    """,
)
