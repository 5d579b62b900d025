"""How images are prepared for models that learned on ImageNet, and what their results mean."""

from __future__ import annotations

import json
from typing import Any

from ...core.host import array
from ...core.tensor import Tensor, convert
from ...core.variable import Variable
from ...ops.create import cast, constant
from ...ops.rearrange import reverse
from ...ops.shape import reshape
from ..settings import checked_data_format, settings
from ..utils.files import get_file

CLASS_INDEX = "https://storage.googleapis.com/download.tensorflow.org/data/imagenet_class_index.json"
CLASS_INDEX_HASH = "c2c37ea517e94d9795004a39431a14cb"

#: mode -> (divisor, whether red and blue are exchanged, means, standard deviations).
_MODES: dict[str, Any] = {
    "tf": (127.5, False, (1.0, 1.0, 1.0), None),
    "torch": (255.0, False, (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)),
    "caffe": (None, True, (103.939, 116.779, 123.68), None),
}


def preprocess_input(x: Any, data_format: str | None = None, mode: str = "caffe") -> Any:
    """Images with values from 0 to 255 as a model wants them.

    Args:
        x: Images [batch, height, width, 3], or one of them: array or tensor.
        data_format: "channels_last" (default) or "channels_first".
        mode: "caffe" (default): blue first, less the means of ImageNet's channels; "tf": from -1 to 1; "torch": from 0
            to 1, less the means, divided by the standard deviations.

    Returns:
        An array for an array, a tensor for a tensor; `x` stays as it is.

    Raises:
        ValueError: If the mode has no meaning.

    >>> preprocess_input([[[0.0, 127.5, 255.0]]], mode="tf").tolist()
    [[[-1.0, 0.0, 1.0]]]
    """
    if mode not in _MODES:
        raise ValueError(f"Expected mode to be one of `caffe`, `tf` or `torch`. Received: mode={mode}")
    first = checked_data_format(data_format) == "channels_first"
    given = x
    x = x.value() if isinstance(x, Variable) else convert(x)
    if not x.dtype.is_floating:
        x = cast(x, settings.floatx)
    rank = x.shape.rank
    axis = rank - 3 if first else rank - 1
    divisor, turned, means, deviations = _MODES[mode]
    if divisor is not None:
        x = x / divisor
    if turned:
        x = reverse(x, axis=(axis,))
    shape = [3 if i == axis else 1 for i in range(rank)]
    x = x - reshape(constant(means, x.dtype), shape)
    if deviations is not None:
        x = x / reshape(constant(deviations, x.dtype), shape)
    return x if isinstance(given, Tensor | Variable) else x.numpy()


_classes: dict[str, list[str]] = {}


def decode_predictions(preds: Any, top: int = 5) -> list[list[tuple[str, str, float]]]:
    """The likeliest classes by name.

    Args:
        preds: Shares of the classes, [batch, 1000].
        top: How many classes. Default 5.

    Returns:
        For each image a list of (number in WordNet, name, share).

    Raises:
        ValueError: If there are not 1000 classes.
        OSError: If the list of names is not there and cannot be loaded.
    """
    values = preds.numpy() if isinstance(preds, Tensor | Variable) else array(preds)
    if values.ndim != 2 or values.shape[1] != 1000:
        raise ValueError(
            "`decode_predictions` expects a batch of predictions (i.e. a 2D array of shape (samples, 1000)). Found"
            f" array with shape: {values.shape}"
        )
    if not _classes:
        path = get_file(
            "imagenet_class_index.json", CLASS_INDEX, cache_subdir="models", file_hash=CLASS_INDEX_HASH
        )
        with open(path, encoding="utf-8") as file:
            _classes.update(json.load(file))
    results = []
    for row in values:
        places = row.argsort()[::-1][: int(top)]
        results.append([(*_classes[str(int(i))], row[i]) for i in places])
    return results


def preprocessing(mode: str, model: str) -> tuple[Any, Any]:
    """The functions `preprocess_input` and `decode_predictions` of a module."""

    def preprocess(x: Any, data_format: str | None = None) -> Any:
        return preprocess_input(x, data_format, mode)

    def decode(preds: Any, top: int = 5) -> Any:
        return decode_predictions(preds, top)

    words = {
        "tf": "values from -1 to 1",
        "torch": "values from 0 to 1, less ImageNet's means, divided by its standard deviations",
        "caffe": "blue first, less the means of ImageNet's channels",
    }[mode]  # fmt: skip
    preprocess.__name__, decode.__name__ = "preprocess_input", "decode_predictions"
    preprocess.__doc__ = (
        f"Images with values from 0 to 255 as {model} wants them: {words}.\n\n    Args:\n"
        "        x: Images [batch, height, width, 3], or one of them: array or tensor.\n"
        '        data_format: "channels_last" (default) or "channels_first".\n\n    Returns:\n'
        "        An array for an array, a tensor for a tensor; `x` stays as it is.\n    "
    )
    decode.__doc__ = (
        "The likeliest classes by name.\n\n    Args:\n        preds: Shares of the classes, [batch, 1000].\n"
        "        top: How many classes. Default 5.\n\n    Returns:\n"
        "        For each image a list of (number in WordNet, name, share).\n    "
    )
    return preprocess, decode
