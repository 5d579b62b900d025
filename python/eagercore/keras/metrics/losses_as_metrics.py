"""Losses, averaged over batches, as metrics."""

from __future__ import annotations

import inspect
from typing import Any

from ...ops.arithmetic import negative
from .. import losses
from .mean import MeanMetricWrapper


def cosine_similarity(y_true: Any, y_pred: Any, axis: Any = -1) -> Any:
    """Cosine of the angle between target and prediction: 1 where they point in the same direction.

    Args:
        y_true: Targets.
        y_pred: Predictions of the same shape.
        axis: Axis of the vectors. Default last.

    >>> cosine_similarity([[1.0, 0.0]], [[2.0, 0.0]]).numpy()
    array([1.], dtype=float32)
    """
    return negative(losses.cosine_similarity(y_true, y_pred, axis))


def _metric(name: str, function: Any, default_name: str) -> type:
    extra = list(inspect.signature(function).parameters.values())[2:]

    keyword = inspect.Parameter.POSITIONAL_OR_KEYWORD
    signature = inspect.Signature(
        [
            inspect.Parameter("self", keyword),
            inspect.Parameter("name", keyword, default=default_name),
            inspect.Parameter("dtype", keyword, default=None),
            *(inspect.Parameter(p.name, keyword, default=p.default) for p in extra),
        ]
    )

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        given = dict(signature.bind(self, *args, **kwargs).arguments)
        given.pop("self")
        MeanMetricWrapper.__init__(
            self, function, given.pop("name", default_name), given.pop("dtype", None), **given
        )

    __init__.__signature__ = signature  # type: ignore[attr-defined]
    lines = [
        f"        {p.name}: See `losses.{function.__name__}`. Default {p.default!r}." for p in extra
    ]
    words = "\n".join([
        f"Mean of `{function.__name__}` over all examples.", "", "    Args:",
        f'        name: Name. Default "{default_name}".',
        "        dtype: Type of the result. Default the default float type.",
        *lines, "", f"    >>> {name}().name", f"    '{default_name}'", "    ",
    ])  # fmt: skip
    made = type(name, (MeanMetricWrapper,), {"__init__": __init__, "__doc__": words})
    made.__module__ = "eagercore.keras.metrics"
    return made


MeanSquaredError: Any = _metric("MeanSquaredError", losses.mean_squared_error, "mean_squared_error")
MeanAbsoluteError: Any = _metric(
    "MeanAbsoluteError", losses.mean_absolute_error, "mean_absolute_error"
)
MeanAbsolutePercentageError: Any = _metric(
    "MeanAbsolutePercentageError",
    losses.mean_absolute_percentage_error,
    "mean_absolute_percentage_error",
)
MeanSquaredLogarithmicError: Any = _metric(
    "MeanSquaredLogarithmicError",
    losses.mean_squared_logarithmic_error,
    "mean_squared_logarithmic_error",
)
BinaryCrossentropy: Any = _metric(
    "BinaryCrossentropy", losses.binary_crossentropy, "binary_crossentropy"
)
CategoricalCrossentropy: Any = _metric(
    "CategoricalCrossentropy", losses.categorical_crossentropy, "categorical_crossentropy"
)
SparseCategoricalCrossentropy: Any = _metric(
    "SparseCategoricalCrossentropy",
    losses.sparse_categorical_crossentropy,
    "sparse_categorical_crossentropy",
)
KLDivergence: Any = _metric("KLDivergence", losses.kl_divergence, "kullback_leibler_divergence")
Hinge: Any = _metric("Hinge", losses.hinge, "hinge")
SquaredHinge: Any = _metric("SquaredHinge", losses.squared_hinge, "squared_hinge")
CategoricalHinge: Any = _metric("CategoricalHinge", losses.categorical_hinge, "categorical_hinge")
CosineSimilarity: Any = _metric("CosineSimilarity", cosine_similarity, "cosine_similarity")
LogCoshError: Any = _metric("LogCoshError", losses.logcosh, "logcosh")
Poisson: Any = _metric("Poisson", losses.poisson, "poisson")
