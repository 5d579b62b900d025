"""What VGG16 and VGG19 share: five blocks of convolutions, three dense layers."""

from __future__ import annotations

from typing import Any

from .. import layers as L
from .builder import Builder

WIDTHS = (64, 128, 256, 512, 512)


def build(name: str, depths: Any, hashes: Any, *arguments: Any) -> Any:
    """The model with this many convolutions in its five blocks."""
    make = Builder(name, *arguments, size=224, smallest=32)
    x = make.input
    for block, (width, depth) in enumerate(zip(WIDTHS, depths, strict=True), 1):
        for i in range(1, depth + 1):
            x = L.Conv2D(width, 3, activation="relu", padding="same", name=f"block{block}_conv{i}")(x)
        x = L.MaxPooling2D(2, strides=2, name=f"block{block}_pool")(x)
    if make.include_top:
        x = L.Flatten(name="flatten")(x)
        x = L.Dense(4096, activation="relu", name="fc1")(x)
        x = L.Dense(4096, activation="relu", name="fc2")(x)
        x = L.Dense(make.classes, activation=make.classifier_activation, name="predictions")(x)
    else:
        x = make.top(x, (None, None))
    return make.model(x, f"{name}/", name, hashes)
