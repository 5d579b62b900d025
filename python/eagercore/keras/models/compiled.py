"""The losses and metrics of a compiled model, output by output."""

from __future__ import annotations

from typing import Any

from ...autodiff.custom_gradient import nothing_recorded
from ...base import nest
from ...core.tensor import Tensor
from ...ops.arithmetic import multiply
from ...ops.create import cast
from .. import losses as losses_module
from .. import masks
from .. import metrics as metrics_module
from ..losses.reduction import fit_weights
from ..metrics.base import divide_no_nan


def by_output(given: Any, names: list[str], what: str) -> list[Any]:
    """What was given for the outputs, one for each: a dictionary by name, a list, or the same for all.

    Raises:
        ValueError: If names or numbers do not fit.
    """
    if isinstance(given, dict):
        unknown = [key for key in given if key not in names]
        if unknown:
            raise ValueError(
                f"Unknown entries in {what} dictionary: {unknown}. Only expected the names of the outputs: {names}."
            )
        return [given.get(name) for name in names]
    if isinstance(given, list | tuple):
        if len(given) == len(names):
            return list(given)
        if len(names) == 1:
            return [given]
        raise ValueError(
            f"When passing a list as {what}, it should have one entry per model output. The model has "
            f"{len(names)} outputs "
            f"({names}), but you passed {len(given)}."
        )
    return [given] * len(names)


class CompiledLoss:
    """Total of the losses of all outputs.

    Args:
        loss: Loss, or a list or dictionary of losses.
        loss_weights: Factors, as a list or dictionary, or None.
        output_names: Names of the outputs, or None to number them.
    """

    def __init__(self, loss: Any, loss_weights: Any = None, output_names: Any = None) -> None:
        self._given, self._weights_given, self._names = loss, loss_weights, output_names
        self._losses: list[Any] | None = None
        self._total = metrics_module.Mean(name="loss")
        self._parts: list[Any] = []

    def build(self, y_pred: Any) -> None:
        """Makes one loss for each output."""
        flat = nest.flatten(y_pred)
        self._names = _names_for(y_pred, flat, self._names)
        self._losses = [_as_loss(one) for one in by_output(self._given, self._names, "loss")]
        weights = [None] * len(flat) if self._weights_given is None else by_output(
            self._weights_given, self._names, "loss_weights"
        )  # fmt: skip
        self._factors = weights
        if len(flat) > 1:
            self._parts = [
                metrics_module.Mean(name=f"{name}_loss") if loss is not None else None
                for name, loss in zip(self._names, self._losses, strict=True)
            ]

    @property
    def metrics(self) -> list[Any]:
        """The means of the total loss and of those of the outputs."""
        return [self._total, *(p for p in self._parts if p is not None)]

    def __call__(
        self, y_true: Any, y_pred: Any, sample_weight: Any = None, regularization_losses: Any = None
    ) -> Any:
        """The total loss of a batch, which is also added to the means."""
        if self._losses is None:
            self.build(y_pred)
        flat = nest.flatten(y_pred)
        targets = _for_outputs(y_true, self._names, len(flat))
        weights = _weights_for(sample_weight, self._names, len(flat))
        total, batch = None, _batch_size(flat)
        parts = self._parts or [None] * len(flat)
        for loss, target, output, weight, factor, part in zip(
            self._losses or [], targets, flat, weights, self._factors, parts, strict=True
        ):
            if loss is None or target is None:
                continue
            value = loss(target, output, _with_mask(output, weight))
            if value.shape.rank:
                from ...ops.reduce import reduce_mean

                value = reduce_mean(value)
            if part is not None:
                with nothing_recorded():
                    part.update_state(value, sample_weight=batch)
            if factor is not None:
                value = multiply(value, float(factor))
            total = value if total is None else total + value
        for one in regularization_losses or ():
            one = one if total is None else cast(one, total.dtype)
            total = one if total is None else total + one
        if total is None:
            raise ValueError(
                "The model has no loss to minimize: give `loss` to compile(), targets to fit(), or call "
                "add_loss() in the "
                "model."
            )
        with nothing_recorded():
            self._total.update_state(total, sample_weight=batch)
        return total


def _batch_size(flat: list[Any]) -> float:
    shape = flat[0].shape
    return float(shape[0] or 1) if shape.rank else 1.0


def _names_for(y_pred: Any, flat: list[Any], names: Any) -> list[str]:
    if isinstance(y_pred, dict):
        return sorted(y_pred)
    if names and len(names) == len(flat):
        return list(names)
    return [f"output_{i + 1}" for i in range(len(flat))]


def _for_outputs(values: Any, names: Any, count: int) -> list[Any]:
    if values is None:
        return [None] * count
    if isinstance(values, dict):
        return [values.get(name) for name in names]
    flat = nest.flatten(values)
    if count == 1 and len(flat) > 1 and not isinstance(values, list | tuple):
        return [values]
    if len(flat) != count:
        raise ValueError(
            f"The model has {count} outputs ({names}), but {len(flat)} targets were given."
        )
    return flat


def _weights_for(values: Any, names: Any, count: int) -> list[Any]:
    if values is None:
        return [None] * count
    if isinstance(values, dict):
        return [values.get(name) for name in names]
    flat = nest.flatten(values)
    return flat if len(flat) == count else flat * count


def _with_mask(output: Any, weight: Any) -> Any:
    """Weights of the examples, with zeros where the output is masked, scaled so that masked ones do not "
    "count at all."""
    mask = masks.get_mask(output) if isinstance(output, Tensor) else None
    if mask is None:
        return weight
    from ...ops.reduce import reduce_sum

    kept = cast(mask, output.dtype)
    total = float(kept.shape.num_elements())
    kept = kept * divide_no_nan(kept * 0.0 + total, kept * 0.0 + reduce_sum(kept))
    return kept if weight is None else kept * fit_weights(kept, weight)


def _as_loss(given: Any) -> Any:
    """Anything that stands for a loss as a `Loss`."""
    if given is None or isinstance(given, losses_module.Loss):
        return given
    found = losses_module.get(given)
    if isinstance(found, losses_module.Loss):
        return found
    return losses_module.LossFunctionWrapper(found, name=getattr(found, "__name__", "loss"))


class CompiledMetrics:
    """The metrics of all outputs.

    Args:
        metrics: Metric, name or function, or a list (of lists) or dictionary of these; or None.
        weighted_metrics: The same for those that take sample weights into account.
        output_names: Names of the outputs, or None to number them.
    """

    def __init__(
        self, metrics: Any, weighted_metrics: Any = None, output_names: Any = None
    ) -> None:
        self._given, self._weighted_given, self._names = metrics, weighted_metrics, output_names
        self._plain: list[list[Any]] | None = None
        self._weighted: list[list[Any]] = []

    def build(self, y_pred: Any, y_true: Any) -> None:
        """Makes the metrics of each output."""
        flat = nest.flatten(y_pred)
        self._names = _names_for(y_pred, flat, self._names)
        targets = _for_outputs(y_true, self._names, len(flat))
        self._plain = self._made(self._given, flat, targets)
        self._weighted = self._made(self._weighted_given, flat, targets)

    def _made(self, given: Any, outputs: list[Any], targets: list[Any]) -> list[list[Any]]:
        found = []
        for name, one, output, target in zip(
            self._names, self._spread(given, len(outputs)), outputs, targets, strict=True
        ):
            metrics = [_as_metric(m, target, output) for m in one]
            if len(outputs) > 1:
                for metric, raw in zip(metrics, one, strict=True):
                    if not isinstance(raw, metrics_module.Metric):
                        metric.__dict__["_name"] = f"{name}_{metric.name}"
            found.append(metrics)
        return found

    def _spread(self, given: Any, count: int) -> list[list[Any]]:
        if given is None:
            return [[] for _ in range(count)]
        if isinstance(given, dict):
            parts = by_output(given, self._names, "metrics")
        elif count > 1 and isinstance(given, list | tuple) and len(given) == count and any(
            isinstance(g, list | tuple) or g is None for g in given
        ):  # fmt: skip
            parts = list(given)
        elif (
            isinstance(given, list | tuple)
            and count == 1
            and len(given) == 1
            and isinstance(given[0], list | tuple)
        ):
            parts = [given[0]]
        else:
            parts = [given] * count
        return [_listed(part) for part in parts]

    @property
    def metrics(self) -> list[Any]:
        """All metrics, output by output."""
        if self._plain is None:
            return [m for m in nest.flatten(self._given) if isinstance(m, metrics_module.Metric)]
        return [
            m
            for plain, weighted in zip(self._plain, self._weighted, strict=True)
            for m in (*plain, *weighted)
        ]

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Takes a batch into account."""
        if y_true is None:
            return
        if self._plain is None:
            self.build(y_pred, y_true)
        flat = nest.flatten(y_pred)
        targets = _for_outputs(y_true, self._names, len(flat))
        weights = _weights_for(sample_weight, self._names, len(flat))
        for plain, weighted, target, output, weight in zip(
            self._plain or [], self._weighted, targets, flat, weights, strict=True
        ):
            if target is None:
                continue
            mask = masks.get_mask(output) if isinstance(output, Tensor) else None
            kept = None if mask is None else cast(mask, "float32")
            for metric in plain:
                metric.update_state(target, output, sample_weight=kept) if kept is not None else metric.update_state(
                    target, output
                )  # fmt: skip
            for metric in weighted:
                metric.update_state(target, output, sample_weight=_with_mask(output, weight))


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


def _as_metric(given: Any, target: Any, output: Any) -> Any:
    """Anything that stands for a metric as a `Metric`; "accuracy" and "crossentropy" follow the shapes."""
    if isinstance(given, metrics_module.Metric):
        return given
    name = None
    if isinstance(given, str) and given.lower() in ("accuracy", "acc", "crossentropy", "ce"):
        name, given = given, _by_shape(given.lower(), target, output)
    found = metrics_module.get(given) if not callable(given) or isinstance(given, type) else given
    if isinstance(found, metrics_module.Metric):
        return found
    if isinstance(found, losses_module.Loss):
        return metrics_module.MeanMetricWrapper(found.call, name=found.name or "loss")
    if name is None:
        name = given if isinstance(given, str) else _function_name(found)
    return metrics_module.MeanMetricWrapper(found, name=name)


def _function_name(function: Any) -> str:
    return getattr(function, "py_function_name", None) or getattr(
        function, "__name__", type(function).__name__
    )


def _by_shape(name: str, target: Any, output: Any) -> Any:
    binary = output.shape[-1] == 1 if output.shape.rank else True
    sparse = target is not None and (
        target.shape.rank < output.shape.rank or target.shape[-1] == 1 and output.shape[-1] != 1
    )
    if name.startswith("acc"):
        if binary:
            return metrics_module.binary_accuracy
        return (
            metrics_module.sparse_categorical_accuracy
            if sparse
            else metrics_module.categorical_accuracy
        )
    if binary:
        return metrics_module.binary_crossentropy
    return (
        metrics_module.sparse_categorical_crossentropy
        if sparse
        else metrics_module.categorical_crossentropy
    )
