"""InceptionV3: convolutions of several sizes side by side."""

from __future__ import annotations

from typing import Any

from .. import layers as L
from .builder import Builder, described
from .imagenet_utils import preprocessing

preprocess_input, decode_predictions = preprocessing("tf", "InceptionV3")
_HASHES = ("9a0d58056eeedaa3f26cb7ebd46da564", "bcbd6486424b2319ff4ef7d526e38f63")


class _Parts:
    """The pieces of the network."""

    def __init__(self, axis: int) -> None:
        self.axis = axis

    def conv(self, x: Any, filters: int, rows: int, columns: int, strides: int = 1, padding: str = "same") -> Any:
        """Convolution, normalization, rectifier."""
        x = L.Conv2D(filters, (rows, columns), strides=strides, padding=padding, use_bias=False)(x)
        x = L.BatchNormalization(axis=self.axis, scale=False)(x)
        return L.Activation("relu")(x)

    def chain(self, x: Any, *steps: Any) -> Any:
        """Several of them, one behind the other: (filters, rows, columns)."""
        for step in steps:
            x = self.conv(x, *step)
        return x

    def pooled(self, x: Any, filters: int) -> Any:
        """The mean of neighbours, and a convolution of single pixels."""
        return self.conv(L.AveragePooling2D(3, strides=1, padding="same")(x), filters, 1, 1)

    def joined(self, parts: list[Any], name: str | None = None) -> Any:
        """Feature maps side by side."""
        return L.concatenate(parts, axis=self.axis, name=name)


def _narrow(p: _Parts, x: Any, filters: int, name: str) -> Any:
    one = p.conv(x, 64, 1, 1)
    five = p.chain(x, (48, 1, 1), (64, 5, 5))
    three = p.chain(x, (64, 1, 1), (96, 3, 3), (96, 3, 3))
    return p.joined([one, five, three, p.pooled(x, filters)], name)


def _long(p: _Parts, x: Any, width: int, name: str) -> Any:
    one = p.conv(x, 192, 1, 1)
    once = p.chain(x, (width, 1, 1), (width, 1, 7), (192, 7, 1))
    twice = p.chain(x, (width, 1, 1), (width, 7, 1), (width, 1, 7), (width, 7, 1), (192, 1, 7))
    return p.joined([one, once, twice, p.pooled(x, 192)], name)


def _wide(p: _Parts, x: Any, number: int) -> Any:
    one = p.conv(x, 320, 1, 1)
    three = p.conv(x, 384, 1, 1)
    three = p.joined([p.conv(three, 384, 1, 3), p.conv(three, 384, 3, 1)], f"mixed9_{number}")
    deep = p.chain(x, (448, 1, 1), (384, 3, 3))
    deep = p.joined([p.conv(deep, 384, 1, 3), p.conv(deep, 384, 3, 1)])
    return p.joined([one, three, deep, p.pooled(x, 192)], f"mixed{9 + number}")


def InceptionV3(
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
        "inception_v3", include_top, weights, input_tensor, input_shape, pooling, classes, classifier_activation,
        size=299, smallest=75,
    )  # fmt: skip
    p = _Parts(make.axis)
    x = p.conv(make.input, 32, 3, 3, 2, "valid")
    x = p.conv(x, 32, 3, 3, 1, "valid")
    x = p.conv(x, 64, 3, 3)
    x = L.MaxPooling2D(3, strides=2)(x)
    x = p.conv(x, 80, 1, 1, 1, "valid")
    x = p.conv(x, 192, 3, 3, 1, "valid")
    x = L.MaxPooling2D(3, strides=2)(x)
    for number, filters in enumerate((32, 64, 64)):
        x = _narrow(p, x, filters, f"mixed{number}")
    large = p.conv(x, 384, 3, 3, 2, "valid")
    deep = p.chain(x, (64, 1, 1), (96, 3, 3), (96, 3, 3, 2, "valid"))
    x = p.joined([large, deep, L.MaxPooling2D(3, strides=2)(x)], "mixed3")
    for number, width in enumerate((128, 160, 160, 192)):
        x = _long(p, x, width, f"mixed{4 + number}")
    large = p.chain(x, (192, 1, 1), (320, 3, 3, 2, "valid"))
    deep = p.chain(x, (192, 1, 1), (192, 1, 7), (192, 7, 1), (192, 3, 3, 2, "valid"))
    x = p.joined([large, deep, L.MaxPooling2D(3, strides=2)(x)], "mixed8")
    for number in range(2):
        x = _wide(p, x, number)
    x = make.top(x, ("avg_pool" if make.include_top else None, None))
    return make.model(x, "inception_v3/", "inception_v3", _HASHES)


described(
    InceptionV3,
    "InceptionV3 (Szegedy and others): images of 299 by 299; sizes from 75 on without the top.",
    """
    >>> InceptionV3(include_top=False, weights=None, input_shape=(75, 75, 3), pooling="avg").output_shape
    (None, 2048)
    """,
)
