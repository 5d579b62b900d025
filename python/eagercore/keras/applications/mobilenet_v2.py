"""MobileNetV2: narrow layers with wide ones in between, convolved channel by channel."""

from __future__ import annotations

from typing import Any

from .. import layers as L
from .builder import Builder, described
from .imagenet_utils import preprocessing

preprocess_input, decode_predictions = preprocessing("tf", "MobileNetV2")

#: Filters and steps of the blocks.
_BLOCKS = (
    (16, 1), (24, 2), (24, 1), (32, 2), (32, 1), (32, 1), (64, 2), (64, 1), (64, 1), (64, 1), (96, 1), (96, 1), (96, 1),
    (160, 2), (160, 1), (160, 1), (320, 1),
)  # fmt: skip
_SIZES = (96, 128, 160, 192, 224)
_WIDTHS = (0.35, 0.50, 0.75, 1.0, 1.3, 1.4)


def _multiple_of_eight(value: float) -> int:
    """The nearest multiple of 8, never a tenth less than the value."""
    made = max(8, int(value + 4) // 8 * 8)
    return made + 8 if made < 0.9 * value else made


def _halved(shape: Any, first: bool) -> tuple[tuple[int, int], tuple[int, int]]:
    """Padding with which a window of 3 and steps of 2 keep the middle."""
    sizes = tuple(shape[2:4] if first else shape[1:3])
    return tuple((1 if n is None or n % 2 else 0, 1) for n in sizes)  # type: ignore[return-value]


def MobileNetV2(
    input_shape: Any = None,
    alpha: float = 1.0,
    include_top: bool = True,
    weights: Any = "imagenet",
    input_tensor: Any = None,
    pooling: str | None = None,
    classes: int = 1000,
    classifier_activation: Any = "softmax",
    **kwargs: Any,
) -> Any:
    """Described below."""
    if kwargs:
        raise ValueError(f"Unknown argument(s): {', '.join(kwargs)}")
    given = tuple(input_tensor.shape[1:]) if input_tensor is not None else input_shape
    from ..settings import settings

    first = settings.image_data_format == "channels_first"
    rows, columns = (None, None) if given is None else (given[1:3] if first else given[:2])
    size = int(rows) if rows is not None and rows == columns and rows in _SIZES else 224
    if weights == "imagenet" and alpha not in _WIDTHS:
        raise ValueError(
            f"If imagenet weights are being loaded, alpha must be one of {_WIDTHS} only. Received: alpha={alpha}"
        )
    make = Builder(
        f"mobilenetv2_{alpha:0.2f}_{size}", include_top, weights, input_tensor, input_shape, pooling, classes,
        classifier_activation, size=size, smallest=32,
    )  # fmt: skip

    def normalized(x: Any, name: str, rectify: str | None) -> Any:
        x = L.BatchNormalization(axis=make.axis, epsilon=1e-3, momentum=0.999, name=name)(x)
        return x if rectify is None else L.ReLU(6.0, name=rectify)(x)

    def single(x: Any, filters: int, name: str) -> Any:
        return L.Conv2D(filters, 1, padding="same", use_bias=False, name=name)(x)

    x = L.Conv2D(
        _multiple_of_eight(32 * alpha), 3, strides=2, padding="same", use_bias=False, name="Conv1"
    )(make.input)
    x = normalized(x, "bn_Conv1", "Conv1_relu")
    for number, (filters, stride) in enumerate(_BLOCKS):
        before, prefix = x, f"block_{number}_" if number else "expanded_conv_"
        channels = x.shape[make.axis]
        if number:
            x = normalized(single(x, 6 * channels, f"{prefix}expand"), f"{prefix}expand_BN", f"{prefix}expand_relu")
        if stride == 2:
            x = L.ZeroPadding2D(_halved(x.shape, make.first), name=f"{prefix}pad")(x)
        x = L.DepthwiseConv2D(
            3, strides=stride, use_bias=False, padding="same" if stride == 1 else "valid", name=f"{prefix}depthwise"
        )(x)
        x = normalized(x, f"{prefix}depthwise_BN", f"{prefix}depthwise_relu")
        narrow = _multiple_of_eight(int(filters * alpha))
        x = normalized(single(x, narrow, f"{prefix}project"), f"{prefix}project_BN", None)
        if channels == narrow and stride == 1:
            x = L.Add(name=f"{prefix}add")([before, x])
    last = _multiple_of_eight(1280 * alpha) if alpha > 1.0 else 1280
    x = L.Conv2D(last, 1, use_bias=False, name="Conv_1")(x)
    x = normalized(x, "Conv_1_bn", "out_relu")
    return _with_weights(make, make.top(x, (None, None)), alpha, size)


def _with_weights(make: Builder, output: Any, alpha: float, size: int) -> Any:
    if make.weights != "imagenet":
        return make.model(output, "", "", None)
    from ..utils.files import get_file
    from .builder import BASE

    make.weights = None
    made = make.model(output, "", "", None)
    end = "" if make.include_top else "_no_top"
    file = f"mobilenet_v2_weights_tf_dim_ordering_tf_kernels_{float(alpha)}_{size}{end}.h5"
    made.load_weights(get_file(file, f"{BASE}mobilenet_v2/{file}", cache_subdir="models"))
    return made


described(
    MobileNetV2,
    "MobileNetV2 (Sandler and others): images of 224 by 224; sizes from 32 on without the top.",
    """
    >>> MobileNetV2(include_top=False, weights=None, input_shape=(32, 32, 3), alpha=0.35).output_shape
    (None, 1, 1, 1280)
    """,
)
MobileNetV2.__doc__ = (MobileNetV2.__doc__ or "").replace(
    "        include_top:", "        alpha: Factor of the number of filters. Default 1.\n        include_top:", 1
).replace("\n    Returns:", "        **kwargs: None are known.\n\n    Returns:", 1)
