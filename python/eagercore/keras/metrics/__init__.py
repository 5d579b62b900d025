"""Metrics: numbers that are gathered over batches, and the functions that they are made of."""

from __future__ import annotations

from typing import Any

from ..losses import (
    binary_crossentropy,
    binary_focal_crossentropy,
    categorical_crossentropy,
    categorical_focal_crossentropy,
    categorical_hinge,
    hinge,
    huber,
    kl_divergence,
    logcosh,
    mean_absolute_error,
    mean_absolute_percentage_error,
    mean_squared_error,
    mean_squared_logarithmic_error,
    poisson,
    sparse_categorical_crossentropy,
    squared_hinge,
)
from .accuracy import (
    Accuracy,
    BinaryAccuracy,
    CategoricalAccuracy,
    SparseCategoricalAccuracy,
    SparseTopKCategoricalAccuracy,
    TopKCategoricalAccuracy,
    accuracy,
    binary_accuracy,
    categorical_accuracy,
    sparse_categorical_accuracy,
    sparse_top_k_categorical_accuracy,
    top_k_categorical_accuracy,
)
from .base import Metric
from .confusion import (
    AUC,
    FalseNegatives,
    FalsePositives,
    MeanIoU,
    Precision,
    PrecisionAtRecall,
    Recall,
    RecallAtPrecision,
    SensitivityAtSpecificity,
    SpecificityAtSensitivity,
    TrueNegatives,
    TruePositives,
)
from .losses_as_metrics import (
    BinaryCrossentropy,
    CategoricalCrossentropy,
    CategoricalHinge,
    CosineSimilarity,
    Hinge,
    KLDivergence,
    LogCoshError,
    MeanAbsoluteError,
    MeanAbsolutePercentageError,
    MeanSquaredError,
    MeanSquaredLogarithmicError,
    Poisson,
    SparseCategoricalCrossentropy,
    SquaredHinge,
    cosine_similarity,
)
from .mean import Mean, MeanMetricWrapper, MeanRelativeError, MeanTensor, RootMeanSquaredError, Sum
from .scores import (
    ConcordanceCorrelation,
    F1Score,
    FBetaScore,
    PearsonCorrelation,
    R2Score,
    concordance_correlation,
    pearson_correlation,
)

mse = MSE = mean_squared_error
mae = MAE = mean_absolute_error
mape = MAPE = mean_absolute_percentage_error
msle = MSLE = mean_squared_logarithmic_error
kld = KLD = kullback_leibler_divergence = kl_divergence
cosine_proximity = cosine_similarity

_CLASSES = (
    Accuracy, BinaryAccuracy, CategoricalAccuracy, SparseCategoricalAccuracy, SparseTopKCategoricalAccuracy,
    TopKCategoricalAccuracy, AUC, FalseNegatives, FalsePositives, MeanIoU, Precision, PrecisionAtRecall, Recall,
    RecallAtPrecision, SensitivityAtSpecificity, SpecificityAtSensitivity, TrueNegatives, TruePositives,
    BinaryCrossentropy,
    CategoricalCrossentropy, CategoricalHinge, CosineSimilarity, Hinge, KLDivergence, LogCoshError, MeanAbsoluteError,
    MeanAbsolutePercentageError, MeanSquaredError, MeanSquaredLogarithmicError, Poisson, SparseCategoricalCrossentropy,
    SquaredHinge, Mean, MeanMetricWrapper, MeanRelativeError, MeanTensor, RootMeanSquaredError, Sum,
    ConcordanceCorrelation, F1Score, FBetaScore, PearsonCorrelation, R2Score,
)  # fmt: skip
_FUNCTIONS = (
    accuracy, binary_accuracy, categorical_accuracy, sparse_categorical_accuracy, sparse_top_k_categorical_accuracy,
    top_k_categorical_accuracy, binary_crossentropy, categorical_crossentropy, categorical_hinge, cosine_similarity,
    hinge,
    huber, kl_divergence, logcosh, mean_absolute_error, mean_absolute_percentage_error, mean_squared_error,
    mean_squared_logarithmic_error, poisson, sparse_categorical_crossentropy, squared_hinge, binary_focal_crossentropy,
    categorical_focal_crossentropy, concordance_correlation, pearson_correlation,
)  # fmt: skip
for _cls in _CLASSES:
    _cls.__module__ = "eagercore.keras.metrics"
#: Every name that is understood.
OBJECTS: dict[str, Any] = {
    **{f.__name__: f for f in _FUNCTIONS},
    **{c.__name__: c for c in _CLASSES},
    "mse": mse, "MSE": mse, "mae": mae, "MAE": mae, "mape": mape, "MAPE": mape, "msle": msle, "MSLE": msle, "kld": kld,
    "KLD": kld, "kullback_leibler_divergence": kld, "cosine_proximity": cosine_similarity,
}  # fmt: skip


def get_function(identifier: Any) -> Any:
    """A function of targets and predictions by its name, or a function as it is."""
    from ..serialization import lookup

    return lookup(identifier, OBJECTS, "metric function", instantiate=False)


def get(identifier: Any) -> Any:
    """The metric that `identifier` stands for.

    Args:
        identifier: Name, dictionary, metric, or function of targets and predictions.

    Raises:
        ValueError: If it cannot be understood.

    >>> get("Accuracy").name
    'accuracy'
    """
    from ..serialization import lookup

    return lookup(identifier, OBJECTS, "metric function")


def serialize(metric: Any) -> Any:
    """A name or dictionary from which `deserialize` makes the metric again."""
    from ..serialization import serialize_keras_object

    return serialize_keras_object(metric)


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """The metric that a name or dictionary stands for."""
    from ..serialization import deserialize_keras_object

    return deserialize_keras_object(config, OBJECTS, custom_objects, "metric function")


__all__ = ["Metric", "deserialize", "get", "serialize", *OBJECTS]
