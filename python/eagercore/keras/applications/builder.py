"""What the published models share: their input, their top, their weights."""

from __future__ import annotations

import os
from typing import Any

from ...core.coerce import as_ints
from .. import layers as L
from ..models import Model
from ..settings import settings
from ..utils import get_source_inputs
from ..utils.files import get_file

BASE = "https://storage.googleapis.com/tensorflow/keras-applications/"

ARGUMENTS = '''
    Args:
        include_top: Whether the layers that tell the classes are there. Default True.
        weights: "imagenet" (default) for the published weights, which are loaded once into `~/.keras/models`; the
            path of a file; or None for random ones.
        input_tensor: Symbolic tensor that is the input, or None.
        input_shape: Shape of an image, where there is no top or there are no published weights.
        pooling: None for the last feature maps, "avg" or "max" for their mean or maximum, where there is no top.
        classes: Number of classes. Default 1000.
        classifier_activation: Activation of the top. Default "softmax".

    Returns:
        A functional model.

    Raises:
        ValueError: If an argument has no meaning, or arguments do not fit each other.
        OSError: If the weights are not there and cannot be loaded.
'''


class Builder:
    """Makes one published model.

    Args:
        name: Name of the model.
        include_top: See `ARGUMENTS`.
        weights: See `ARGUMENTS`.
        input_tensor: See `ARGUMENTS`.
        input_shape: See `ARGUMENTS`.
        pooling: See `ARGUMENTS`.
        classes: See `ARGUMENTS`.
        classifier_activation: See `ARGUMENTS`.
        size: Height and width of the images that the weights were learned on.
        smallest: Smallest height and width.
        flattens: Whether the top needs a fixed size.
    """

    def __init__(
        self,
        name: str,
        include_top: bool,
        weights: Any,
        input_tensor: Any,
        input_shape: Any,
        pooling: str | None,
        classes: int,
        classifier_activation: Any,
        size: int,
        smallest: int,
        flattens: bool | None = None,
    ) -> None:
        if weights not in ("imagenet", None) and not os.path.exists(os.path.expanduser(str(weights))):
            raise ValueError(
                "The `weights` argument should be either `None` (random initialization), 'imagenet' (pre-training on "
                f"ImageNet), or the path to the weights file to be loaded. Received: weights={weights}"
            )
        classes = int(classes)
        if weights == "imagenet" and include_top and classes != 1000:
            raise ValueError(
                "If using `weights='imagenet'` with `include_top=True`, `classes` should be 1000. Received classes="
                f"{classes}"
            )
        if pooling not in (None, "avg", "max"):
            raise ValueError(f"`pooling` can be None, 'avg' or 'max', got {pooling!r}.")
        self.name, self.include_top, self.weights = name, bool(include_top), weights
        self.pooling, self.classes, self.classifier_activation = pooling, classes, classifier_activation
        self.first = settings.image_data_format == "channels_first"
        self.axis = 1 if self.first else 3
        self.given = input_tensor
        if input_tensor is not None:
            self.input: Any = input_tensor
            self.input_shape = tuple(input_tensor.shape[1:])
        else:
            fixed = self.include_top if flattens is None else flattens
            self.input_shape = self._shape(input_shape, size, smallest, fixed)
            self.input = L.Input(shape=self.input_shape)

    def _shape(self, shape: Any, size: int, smallest: int, fixed: bool) -> tuple[Any, ...]:
        own = None
        if shape is not None:
            own = tuple(None if n is None else as_ints(n, self.name, "input_shape")[0] for n in shape)
        if own is not None and len(own) != 3:
            raise ValueError(f"`input_shape` must be a tuple of three integers. Received: {shape}")
        channels = 3 if own is None or self.weights == "imagenet" else own[0 if self.first else 2]
        default = (channels, size, size) if self.first else (size, size, channels)
        if own is None:
            if fixed:
                return default
            return (3, None, None) if self.first else (None, None, 3)
        if self.weights == "imagenet":
            if self.include_top and own != default:
                raise ValueError(
                    "When setting `include_top=True` and loading `imagenet` weights, `input_shape` should be "
                    f"{default}. Received: input_shape={shape}"
                )
            if own[0 if self.first else 2] != 3:
                raise ValueError(f"The input must have 3 channels; Received `input_shape={shape}`")
        spatial = own[1:] if self.first else own[:2]
        if any(n is not None and n < smallest for n in spatial):
            raise ValueError(
                f"Input size must be at least {smallest}x{smallest}; Received: input_shape={shape}"
            )
        if fixed and None in own:
            raise ValueError(
                f"If `include_top` is True, you should specify a static `input_shape`. Received: input_shape={shape}"
            )
        return own

    def top(self, x: Any, names: tuple[Any, Any] = ("avg_pool", "max_pool")) -> Any:
        """The mean over the image and the classes; or the pooling that was asked for."""
        if self.include_top:
            x = L.GlobalAveragePooling2D(name=names[0])(x)
            return L.Dense(self.classes, activation=self.classifier_activation, name="predictions")(x)
        if self.pooling == "avg":
            return L.GlobalAveragePooling2D(name=names[0])(x)
        if self.pooling == "max":
            return L.GlobalMaxPooling2D(name=names[1])(x)
        return x

    def model(self, output: Any, folder: str, stem: str, hashes: Any) -> Any:
        """The model, with its weights.

        Args:
            output: Symbolic result.
            folder: Folder of the published weights.
            stem: Beginning of the names of their files.
            hashes: Their checksums: with top, without; None where none are published.
        """
        inputs = self.input if self.given is None else get_source_inputs(self.given)
        made = Model(inputs, output, name=self.name)
        if self.weights == "imagenet":
            file = f"{stem}_weights_tf_dim_ordering_tf_kernels{'' if self.include_top else '_notop'}.h5"
            digest = hashes[0 if self.include_top else 1]
            made.load_weights(get_file(file, f"{BASE}{folder}{file}", cache_subdir="models", file_hash=digest))
        elif self.weights is not None:
            made.load_weights(self.weights)
        return made


def described(function: Any, words: str, example: str = "") -> None:
    """Gives a function that makes a model its docstring."""
    function.__doc__ = f"{words}\n{ARGUMENTS}{example}"
