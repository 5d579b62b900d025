"""Losses: functions that give one number for each example, and classes that give one for the batch."""

from __future__ import annotations

from typing import Any

from .base import Loss, LossFunctionWrapper, as_class
from .overlap import (
    CategoricalFocalCrossentropy,
    CategoricalGeneralizedCrossEntropy,
    Circle,
    Dice,
    Tversky,
    categorical_focal_crossentropy,
    categorical_generalized_cross_entropy,
    circle,
    dice,
    tversky,
)
from .probabilistic import (
    binary_crossentropy,
    binary_focal_crossentropy,
    categorical_crossentropy,
    kl_divergence,
    sparse_categorical_crossentropy,
)
from .reduction import Reduction
from .regression import (
    categorical_hinge,
    cosine_similarity,
    hinge,
    huber,
    logcosh,
    mean_absolute_error,
    mean_absolute_percentage_error,
    mean_squared_error,
    mean_squared_logarithmic_error,
    poisson,
    squared_hinge,
)

MeanSquaredError: Any = as_class("MeanSquaredError", mean_squared_error)
MeanAbsoluteError: Any = as_class("MeanAbsoluteError", mean_absolute_error)
MeanAbsolutePercentageError: Any = as_class(
    "MeanAbsolutePercentageError", mean_absolute_percentage_error
)
MeanSquaredLogarithmicError: Any = as_class(
    "MeanSquaredLogarithmicError", mean_squared_logarithmic_error
)
BinaryCrossentropy: Any = as_class("BinaryCrossentropy", binary_crossentropy)
BinaryFocalCrossentropy: Any = as_class("BinaryFocalCrossentropy", binary_focal_crossentropy)
CategoricalCrossentropy: Any = as_class("CategoricalCrossentropy", categorical_crossentropy)
SparseCategoricalCrossentropy: Any = as_class(
    "SparseCategoricalCrossentropy", sparse_categorical_crossentropy
)
KLDivergence: Any = as_class("KLDivergence", kl_divergence)
Hinge: Any = as_class("Hinge", hinge)
SquaredHinge: Any = as_class("SquaredHinge", squared_hinge)
CategoricalHinge: Any = as_class("CategoricalHinge", categorical_hinge)
CosineSimilarity: Any = as_class("CosineSimilarity", cosine_similarity)
LogCosh: Any = as_class("LogCosh", logcosh)
Huber: Any = as_class("Huber", huber)
Poisson: Any = as_class("Poisson", poisson)

mse = MSE = mean_squared_error
mae = MAE = mean_absolute_error
mape = MAPE = mean_absolute_percentage_error
msle = MSLE = mean_squared_logarithmic_error
kld = KLD = kullback_leibler_divergence = kl_divergence
bce = BCE = binary_crossentropy
log_cosh = logcosh
cosine_proximity = cosine = cosine_similarity
huber_loss = huber

_FUNCTIONS = (
    binary_crossentropy, binary_focal_crossentropy, categorical_crossentropy, kl_divergence,
    sparse_categorical_crossentropy, categorical_hinge, cosine_similarity, hinge, huber, logcosh, mean_absolute_error,
    mean_absolute_percentage_error, mean_squared_error, mean_squared_logarithmic_error, poisson, squared_hinge,
    categorical_focal_crossentropy, categorical_generalized_cross_entropy, circle, dice, tversky,
)  # fmt: skip
_CLASSES = (
    MeanSquaredError, MeanAbsoluteError, MeanAbsolutePercentageError, MeanSquaredLogarithmicError, BinaryCrossentropy,
    BinaryFocalCrossentropy, CategoricalCrossentropy, SparseCategoricalCrossentropy, KLDivergence, Hinge, SquaredHinge,
    CategoricalHinge, CosineSimilarity, LogCosh, Huber, Poisson, CategoricalFocalCrossentropy,
    CategoricalGeneralizedCrossEntropy, Circle, Dice, Tversky,
)  # fmt: skip
#: Every name that is understood.
OBJECTS: dict[str, Any] = {
    **{f.__name__: f for f in _FUNCTIONS},
    **{c.__name__: c for c in _CLASSES},
    "mse": mse, "MSE": mse, "mae": mae, "MAE": mae, "mape": mape, "MAPE": mape, "msle": msle, "MSLE": msle, "kld": kld,
    "KLD": kld, "kullback_leibler_divergence": kld, "bce": bce, "BCE": bce, "log_cosh": logcosh,
    "cosine_proximity": cosine_similarity, "cosine": cosine_similarity, "huber_loss": huber,
}  # fmt: skip


def get(identifier: Any) -> Any:
    """The loss that `identifier` stands for.

    Args:
        identifier: Name, dictionary, loss, function of targets and predictions, or None.

    Raises:
        ValueError: If it cannot be understood.

    >>> get("mse") is mean_squared_error
    True
    """
    from ..serialization import lookup

    return lookup(identifier, OBJECTS, "loss function")


def serialize(loss: Any) -> Any:
    """A name or dictionary from which `deserialize` makes the loss again."""
    from ..serialization import serialize_keras_object

    return serialize_keras_object(loss)


def deserialize(name: Any, custom_objects: Any = None) -> Any:
    """The loss that a name or dictionary stands for."""
    from ..serialization import deserialize_keras_object

    return deserialize_keras_object(name, OBJECTS, custom_objects, "loss function")


__all__ = ["Loss", "LossFunctionWrapper", "Reduction", "deserialize", "get", "serialize", *OBJECTS]
