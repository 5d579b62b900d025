"""compile, fit, evaluate, predict."""

from __future__ import annotations

import inspect
import warnings
from typing import Any

from ...autodiff.tape import GradientTape
from ...base import nest
from ...core.tensor import Tensor
from ...ops.shape import concat
from .. import optimizers
from ..callbacks import CallbackList
from ..tracking import deduplicated
from . import data as sources
from .compiled import CompiledLoss, CompiledMetrics


class Training:
    """What a model needs to be trained by itself: compile, fit, evaluate, predict and their steps."""

    def _init_training(self) -> None:
        fields = self.__dict__
        fields.update(
            optimizer=None, compiled_loss=None, compiled_metrics=None, loss=None, stop_training=False, history=None,
            run_eagerly=True, _is_compiled=False, _compile_config=None,
        )  # fmt: skip

    # -------------------------------------------------------------------------------------------------- compile

    def compile(
        self,
        optimizer: Any = "rmsprop",
        loss: Any = None,
        metrics: Any = None,
        loss_weights: Any = None,
        weighted_metrics: Any = None,
        run_eagerly: bool | None = None,
        steps_per_execution: int | None = None,
        **kwargs: Any,
    ) -> None:
        """Says how the model is to be trained.

        Args:
            optimizer: Optimizer, or its name. Default "rmsprop".
            loss: Loss, its name, or a function of targets and predictions; for several outputs a list
                or dictionary of these.
            metrics: List of metrics, names or functions; for several outputs a list of lists or a dictionary.
            loss_weights: Factors of the losses of several outputs, as a list or dictionary.
            weighted_metrics: As `metrics`, for those that take sample weights into account.
            run_eagerly: Accepted for Keras's sake.
            steps_per_execution: Accepted for Keras's sake.
            **kwargs: `sample_weight_mode`, `target_tensors` and the like: accepted for Keras's sake.

        Raises:
            ValueError: If a name is not known.
        """
        for name in (
            "sample_weight_mode",
            "target_tensors",
            "distribute",
            "jit_compile",
            "auto_scale_loss",
        ):
            kwargs.pop(name, None)
        if kwargs:
            raise TypeError(f"Invalid keyword argument(s) in `compile()`: {tuple(kwargs)}.")
        self.optimizer = optimizers.get(optimizer)
        self.__dict__["loss"] = loss
        names = self.output_names if self.__dict__["_network"] is not None else None
        self.__dict__["compiled_loss"] = CompiledLoss(loss, loss_weights, names)
        self.__dict__["compiled_metrics"] = CompiledMetrics(metrics, weighted_metrics, names)
        self.__dict__["run_eagerly"] = run_eagerly
        self.__dict__["_is_compiled"] = True
        self.__dict__["_compile_config"] = {
            "optimizer": self.optimizer, "loss": loss, "metrics": metrics, "loss_weights": loss_weights,
            "weighted_metrics": weighted_metrics,
        }  # fmt: skip
        for one in nest.flatten(loss):
            if isinstance(one, str):
                from .. import losses

                losses.get(one)

    def _assert_compiled(self) -> None:
        if not self.__dict__["_is_compiled"]:
            raise RuntimeError(
                f"You must compile your model before training/testing. Use `model.compile(optimizer, loss)` "
                f"({self.name})."
            )

    @property
    def metrics(self) -> list[Any]:
        """The means of the loss, the compiled metrics, and those that layers and the model itself hold."""
        found = []
        if self.__dict__["_is_compiled"]:
            found += self.compiled_loss.metrics
            found += self.compiled_metrics.metrics
        for layer in self._walk():
            if layer is not self and isinstance(layer, _metric_class()):
                found.append(layer)
            found += layer.__dict__.get("_metric_by_name", {}).values()
        return deduplicated(found)

    @property
    def metrics_names(self) -> list[str]:
        """Names of the metrics, the loss first."""
        return [m.name for m in self.metrics]

    def reset_metrics(self) -> None:
        """Starts all metrics anew."""
        for metric in self.metrics:
            metric.reset_state()

    # -------------------------------------------------------------------------------------------------- steps

    def compute_loss(
        self, x: Any = None, y: Any = None, y_pred: Any = None, sample_weight: Any = None
    ) -> Any:
        """The loss of a batch: what `compile` was given, and the losses that layers added."""
        return self.compiled_loss(y, y_pred, sample_weight, regularization_losses=self.losses)

    def compute_metrics(self, x: Any, y: Any, y_pred: Any, sample_weight: Any) -> dict[str, Any]:
        """Takes a batch into account, and gives the values of all metrics so far."""
        self.compiled_metrics.update_state(y, y_pred, sample_weight)
        return self.get_metrics_result()

    def get_metrics_result(self) -> dict[str, Any]:
        """Values of all metrics so far, by name."""
        found: dict[str, Any] = {}
        for metric in self.metrics:
            result = metric.result()
            if isinstance(result, dict):
                found.update(result)
            else:
                found[metric.name] = result
        return found

    def train_step(self, data: Any) -> dict[str, Any]:
        """One step of training; may be overridden.

        Args:
            data: A batch: (x,), (x, y) or (x, y, sample_weight).

        Returns:
            Dictionary of metrics' names and values.
        """
        x, y, sample_weight = sources.unpack(data)
        with GradientTape() as tape:
            y_pred = self(x, training=True)
            loss = self.compute_loss(x, y, y_pred, sample_weight)
        self.optimizer.minimize(loss, self.trainable_variables, tape=tape)
        return self.compute_metrics(x, y, y_pred, sample_weight)

    def test_step(self, data: Any) -> dict[str, Any]:
        """One step of evaluation; may be overridden.

        Args:
            data: A batch: (x,), (x, y) or (x, y, sample_weight).

        Returns:
            Dictionary of metrics' names and values.
        """
        x, y, sample_weight = sources.unpack(data)
        y_pred = self(x, training=False)
        self.compute_loss(x, y, y_pred, sample_weight)
        return self.compute_metrics(x, y, y_pred, sample_weight)

    def predict_step(self, data: Any) -> Any:
        """One step of prediction; may be overridden.

        Args:
            data: A batch: (x,), (x, y) or (x, y, sample_weight).
        """
        return self(sources.unpack(data)[0], training=False)

    # -------------------------------------------------------------------------------------------------- fit

    def fit(
        self,
        x: Any = None,
        y: Any = None,
        batch_size: int | None = None,
        epochs: int = 1,
        verbose: Any = "auto",
        callbacks: Any = None,
        validation_split: float = 0.0,
        validation_data: Any = None,
        shuffle: Any = True,
        class_weight: Any = None,
        sample_weight: Any = None,
        initial_epoch: int = 0,
        steps_per_epoch: int | None = None,
        validation_steps: int | None = None,
        validation_batch_size: int | None = None,
        validation_freq: Any = 1,
        max_queue_size: int = 10,
        workers: int = 1,
        use_multiprocessing: bool = False,
        **kwargs: Any,
    ) -> Any:
        """Trains the model for a number of epochs.

        Args:
            x: Inputs: array or tensor, list or dictionary of these; or a dataset, `Sequence` or generator of batches
                (x, y) or (x, y, sample_weight).
            y: Targets, when `x` is arrays.
            batch_size: Examples in a batch, when `x` is arrays. Default 32.
            epochs: Number of the last epoch. Default 1.
            verbose: 0 prints nothing, 1 a progress bar, 2 a line for each epoch. Default "auto": 1 in a
                terminal, else 2.
            callbacks: List of callbacks.
            validation_split: Part of the arrays, at their end, that is kept for validation. Default 0.
            validation_data: (x, y) or (x, y, sample_weight), or a dataset, for validation after each epoch.
            shuffle: Whether to shuffle arrays before each epoch; "batch" shuffles whole batches. Default True.
            class_weight: Dictionary of class number and weight.
            sample_weight: Weights of the examples, when `x` is arrays.
            initial_epoch: Number of epochs already done. Default 0.
            steps_per_epoch: Batches in an epoch. Default all.
            validation_steps: Batches of a validation. Default all.
            validation_batch_size: Examples in a batch of validation. Default `batch_size`.
            validation_freq: Validate every so many epochs, or after the epochs in this list. Default 1.
            max_queue_size: Accepted for Keras's sake.
            workers: Accepted for Keras's sake.
            use_multiprocessing: Accepted for Keras's sake.
            **kwargs: `nb_epoch`: older name of `epochs`.

        Returns:
            A `History`: its `history` is a dictionary of names and one value for each epoch.

        Raises:
            RuntimeError: If the model was not compiled.
            ValueError: If the data does not fit the model or itself.
        """
        epochs = int(kwargs.pop("nb_epoch", epochs))
        if kwargs:
            raise TypeError(
                f"fit() got an unexpected keyword argument {', '.join(map(repr, kwargs))}. It takes: "
                f"{', '.join(list(inspect.signature(Training.fit).parameters)[1:-1])}."
            )
        self._assert_compiled()
        train = sources.batches(x, y, sample_weight, batch_size, shuffle, steps_per_epoch)
        if validation_split and validation_data is None:
            if not isinstance(train, sources.ArrayBatches):
                raise ValueError("`validation_split` is only supported for arrays and tensors.")
            kept, validation_data = train.split(float(validation_split))
            train = sources.batches(*kept, batch_size, shuffle, steps_per_epoch)
        test = self._validation(
            validation_data, validation_batch_size or batch_size, validation_steps
        )
        steps = train.steps if steps_per_epoch is None else int(steps_per_epoch)
        listeners = CallbackList(
            callbacks, model=self, add_history=True, progress=_verbosity(verbose),
            params={
                "epochs": epochs, "steps": steps, "verbose": _verbosity(verbose), "samples": train.samples,
                "batch_size": train.batch_size, "do_validation": test is not None,
            },
        )  # fmt: skip
        self.__dict__["stop_training"] = False
        logs: dict[str, Any] = {}
        listeners.on_train_begin()
        for epoch in range(int(initial_epoch), epochs):
            self.reset_metrics()
            listeners.on_epoch_begin(epoch)
            logs, ended = self._train_epoch(train, steps_per_epoch, class_weight, listeners)
            if test is not None and _validates(epoch, validation_freq):
                found = self._evaluate(test, validation_steps, listeners)
                logs.update({f"val_{name}": value for name, value in found.items()})
            known = listeners.params.setdefault("metrics", [])
            known += [name for name in logs if name not in known]
            listeners.on_epoch_end(epoch, logs)
            train.end_epoch()
            if self.__dict__["stop_training"] or ended:
                break
        listeners.on_train_end(logs)
        return self.__dict__["history"]

    def _validation(self, given: Any, batch_size: Any, steps: Any) -> Any:
        if given is None:
            return None
        if isinstance(given, list | tuple):
            return sources.batches(*sources.unpack(tuple(given)), batch_size, False, steps)
        return sources.batches(given, None, None, batch_size, False, steps)

    def _train_epoch(
        self, train: Any, steps: Any, class_weight: Any, listeners: Any
    ) -> tuple[dict[str, Any], bool]:
        """One epoch: the last logs, and whether the data ended before its time."""
        logs: dict[str, Any] = {}
        count = 0
        for batch in train if steps is None else _first(train, int(steps)):
            listeners.on_train_batch_begin(count)
            logs = self._numbers(self.train_step(_weighted(batch, class_weight)))
            listeners.on_train_batch_end(count, {**logs, "size": _size_of(batch)})
            count += 1
            if self.__dict__["stop_training"]:
                break
        if count == 0 and not logs:
            raise ValueError(
                "Unexpected end of the data: there was no batch. Is the dataset empty, or the generator used up?"
            )
        wanted = steps
        ended = (
            wanted is not None
            and count < int(wanted)
            and train.keeps_place
            and not self.__dict__["stop_training"]
        )
        if ended:
            warnings.warn(
                "Your input ran out of data; interrupting training. Make sure that your dataset or generator "
                "can generate at "
                "least `steps_per_epoch * epochs` batches. You may need to use the repeat() function.",
                stacklevel=3,
            )
        return dict(logs), ended

    @staticmethod
    def _numbers(logs: Any) -> dict[str, Any]:
        """Values of tensors as Python numbers."""
        found: dict[str, Any] = {}
        for name, value in (logs or {}).items():
            if isinstance(value, Tensor):
                found[name] = float(value) if not value.shape.rank else value.numpy()
            else:
                found[name] = value
        return found

    def _evaluate(self, test: Any, steps: Any, listeners: Any) -> dict[str, Any]:
        self.reset_metrics()
        listeners.on_test_begin()
        logs: dict[str, Any] = {}
        for count, batch in enumerate(test if steps is None else _first(test, int(steps))):
            listeners.on_test_batch_begin(count)
            logs = self._numbers(self.test_step(batch))
            listeners.on_test_batch_end(count, {**logs, "size": _size_of(batch)})
        listeners.on_test_end(logs)
        return logs

    def evaluate(
        self,
        x: Any = None,
        y: Any = None,
        batch_size: int | None = None,
        verbose: Any = "auto",
        sample_weight: Any = None,
        steps: int | None = None,
        callbacks: Any = None,
        max_queue_size: int = 10,
        workers: int = 1,
        use_multiprocessing: bool = False,
        return_dict: bool = False,
    ) -> Any:
        """Loss and metrics on data.

        Args:
            x: Inputs, as for `fit`.
            y: Targets, when `x` is arrays.
            batch_size: Examples in a batch, when `x` is arrays. Default 32.
            verbose: 0 prints nothing, 1 a progress bar, 2 a line. Default "auto".
            sample_weight: Weights of the examples, when `x` is arrays.
            steps: Batches to take. Default all.
            callbacks: List of callbacks.
            max_queue_size: Accepted for Keras's sake.
            workers: Accepted for Keras's sake.
            use_multiprocessing: Accepted for Keras's sake.
            return_dict: Whether to give a dictionary. Default False.

        Returns:
            The loss, or a list of the loss and the metrics (see `metrics_names`), or a dictionary.
        """
        self._assert_compiled()
        test = sources.batches(x, y, sample_weight, batch_size, False, steps)
        count = test.steps if steps is None else int(steps)
        listeners = CallbackList(
            callbacks, model=self, progress=_verbosity(verbose),
            params={"steps": count, "verbose": _verbosity(verbose), "samples": test.samples, "epochs": 1},
        )  # fmt: skip
        logs = self._evaluate(test, steps, listeners)
        if not logs:
            raise ValueError("Unexpected end of the data: there was no batch to evaluate.")
        return logs if return_dict else _as_list(logs)

    def predict(
        self,
        x: Any,
        batch_size: int | None = None,
        verbose: Any = 0,
        steps: int | None = None,
        callbacks: Any = None,
        max_queue_size: int = 10,
        workers: int = 1,
        use_multiprocessing: bool = False,
    ) -> Any:
        """Results for inputs, in batches, as NumPy arrays: gradients do not flow through them.

        Args:
            x: Inputs, as for `fit`.
            batch_size: Examples in a batch, when `x` is arrays. Default 32.
            verbose: 0 prints nothing, 1 a progress bar. Default 0.
            steps: Batches to take. Default all.
            callbacks: List of callbacks.
            max_queue_size: Accepted for Keras's sake.
            workers: Accepted for Keras's sake.
            use_multiprocessing: Accepted for Keras's sake.

        Returns:
            NumPy array, or a structure of them.
        """
        from ...base.context import context

        source = sources.batches(x, None, None, batch_size, False, steps)
        count = source.steps if steps is None else int(steps)
        listeners = CallbackList(
            callbacks,
            model=self,
            progress=_verbosity(verbose),
            params={"steps": count, "verbose": _verbosity(verbose)},
        )
        listeners.on_predict_begin()
        parts: list[list[Any]] = []
        structure: Any = None
        tapes, context.tapes = context.tapes, ()
        try:
            for number, batch in enumerate(source if steps is None else _first(source, int(steps))):
                listeners.on_predict_batch_begin(number)
                structure = self.predict_step(batch)
                parts.append(nest.flatten(structure))
                listeners.on_predict_batch_end(number, {"outputs": structure})
        finally:
            context.tapes = tapes
        listeners.on_predict_end()
        if not parts:
            raise ValueError("Unexpected end of the data: there was no batch to predict for.")
        joined = [_joined(list(column)) for column in zip(*parts, strict=True)]
        return nest.pack_sequence_as(structure, joined)

    # -------------------------------------------------------------------------------------------------- single batches

    def train_on_batch(
        self,
        x: Any,
        y: Any = None,
        sample_weight: Any = None,
        class_weight: Any = None,
        reset_metrics: bool = True,
        return_dict: bool = False,
    ) -> Any:
        """One step of training on one batch.

        Args:
            x: Inputs.
            y: Targets.
            sample_weight: Weights of the examples.
            class_weight: Dictionary of class number and weight.
            reset_metrics: Whether metrics are of this batch alone. Default True.
            return_dict: Whether to give a dictionary. Default False.

        Returns:
            The loss, or a list of the loss and the metrics, or a dictionary.
        """
        self._assert_compiled()
        if reset_metrics:
            self.reset_metrics()
        batch = _weighted(_single(x, y, sample_weight), class_weight)
        logs = self._numbers(self.train_step(batch))
        return logs if return_dict else _as_list(logs)

    def test_on_batch(
        self,
        x: Any,
        y: Any = None,
        sample_weight: Any = None,
        reset_metrics: bool = True,
        return_dict: bool = False,
    ) -> Any:
        """Loss and metrics on one batch; see `train_on_batch`."""
        self._assert_compiled()
        if reset_metrics:
            self.reset_metrics()
        logs = self._numbers(self.test_step(_single(x, y, sample_weight)))
        return logs if return_dict else _as_list(logs)

    def predict_on_batch(self, x: Any) -> Any:
        """Results for one batch, as NumPy arrays."""
        found = self.predict_step((sources.tensors(x),))
        return nest.map_structure(lambda t: t.numpy(), found)

    def fit_generator(
        self, generator: Any, steps_per_epoch: int | None = None, epochs: int = 1, **kwargs: Any
    ) -> Any:
        """`fit` on a generator (the older name)."""
        return self.fit(generator, steps_per_epoch=steps_per_epoch, epochs=epochs, **kwargs)

    def evaluate_generator(self, generator: Any, steps: int | None = None, **kwargs: Any) -> Any:
        """`evaluate` on a generator (the older name)."""
        return self.evaluate(generator, steps=steps, **kwargs)

    def predict_generator(self, generator: Any, steps: int | None = None, **kwargs: Any) -> Any:
        """`predict` on a generator (the older name)."""
        return self.predict(generator, steps=steps, **kwargs)

    def predict_classes(self, x: Any, batch_size: int = 32, verbose: int = 0) -> Any:
        """Most likely class of each example: the largest output, or, for a single output, whether it is above 0.5."""
        found = self.predict(x, batch_size=batch_size, verbose=verbose)
        return found.argmax(axis=-1) if found.shape[-1] > 1 else (found > 0.5).astype("int32")

    def predict_proba(self, x: Any, batch_size: int = 32, verbose: int = 0) -> Any:
        """`predict`, under its older name for classifiers."""
        return self.predict(x, batch_size=batch_size, verbose=verbose)


def _metric_class() -> Any:
    from ..metrics.base import Metric

    return Metric


def _verbosity(verbose: Any) -> int:
    if verbose == "auto" or verbose is None:
        import sys

        return 1 if getattr(sys.stdout, "isatty", lambda: False)() else 2
    return int(verbose)


def _validates(epoch: int, freq: Any) -> bool:
    if isinstance(freq, list | tuple | set):
        return epoch + 1 in {int(f) for f in freq}
    return (epoch + 1) % int(freq) == 0


def _first(source: Any, count: int) -> Any:
    for number, batch in enumerate(source):
        yield batch
        if number + 1 >= count:
            return


def _single(x: Any, y: Any, sample_weight: Any) -> Any:
    parts = tuple(sources.tensors(part) for part in (x, y, sample_weight))
    if parts[2] is not None:
        return parts
    return parts[:2] if parts[1] is not None else parts[:1]


def _weighted(batch: Any, class_weight: Any) -> Any:
    if class_weight is None:
        return batch
    x, y, weight = sources.unpack(batch)
    if y is None or isinstance(y, list | tuple | dict) and len(nest.flatten(y)) != 1:
        raise ValueError("`class_weight` is only supported for models with a single output.")
    by_class = sources.class_weights(class_weight, nest.flatten(y)[0])
    if weight is not None:
        from ..losses.reduction import fit_weights

        by_class = by_class * fit_weights(by_class, weight)
    return x, y, by_class


def _size_of(batch: Any) -> int:
    first = nest.flatten(batch)[0]
    return int(first.shape[0] or 0) if first.shape.rank else 1


def _as_list(logs: dict[str, Any]) -> Any:
    values = list(logs.values())
    return values[0] if len(values) == 1 else values


def _joined(column: list[Any]) -> Any:
    if len(column) == 1:
        return column[0].numpy()
    if not column[0].shape.rank:
        from ...ops.shape import stack

        return stack(column).numpy()
    return concat(column, axis=0).numpy()
