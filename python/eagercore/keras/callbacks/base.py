"""Callback, and the list of callbacks that training calls."""

from __future__ import annotations

from typing import Any

from ...base.context import settings

HOOKS = (
    "on_epoch_begin", "on_epoch_end", "on_train_batch_begin", "on_train_batch_end", "on_test_batch_begin",
    "on_test_batch_end", "on_predict_batch_begin", "on_predict_batch_end", "on_train_begin", "on_train_end",
    "on_test_begin", "on_test_end", "on_predict_begin", "on_predict_end",
)  # fmt: skip


class Callback:
    """Base of callbacks: write the hooks that are to do something.

    Attributes:
        model: The model that is trained.
        params: Dictionary of what is known of the training: "epochs", "steps", "verbose", "samples", "batch_size".

    >>> class Count(Callback):
    ...     def on_epoch_end(self, epoch, logs=None):
    ...         print(epoch)
    """

    def __init__(self) -> None:
        self.validation_data = None
        self.model: Any = None
        self.params: dict[str, Any] = {}

    def set_params(self, params: dict[str, Any]) -> None:
        """Is told what is known of the training."""
        self.params = params

    def set_model(self, model: Any) -> None:
        """Is told the model."""
        self.model = model

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Before an epoch (counted from 0)."""

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """After an epoch; `logs` holds the metrics, those of validation with "val_" before them."""

    def on_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Before a batch of training (the older name)."""

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """After a batch of training (the older name)."""

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Before a batch of training."""
        self.on_batch_begin(batch, logs=logs)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """After a batch of training; `logs` holds the metrics of the epoch so far."""
        self.on_batch_end(batch, logs=logs)

    def on_test_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Before a batch of evaluation."""

    def on_test_batch_end(self, batch: int, logs: Any = None) -> None:
        """After a batch of evaluation."""

    def on_predict_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Before a batch of prediction."""

    def on_predict_batch_end(self, batch: int, logs: Any = None) -> None:
        """After a batch of prediction; `logs` holds "outputs"."""

    def on_train_begin(self, logs: Any = None) -> None:
        """Before training."""

    def on_train_end(self, logs: Any = None) -> None:
        """After training."""

    def on_test_begin(self, logs: Any = None) -> None:
        """Before evaluation."""

    def on_test_end(self, logs: Any = None) -> None:
        """After evaluation."""

    def on_predict_begin(self, logs: Any = None) -> None:
        """Before prediction."""

    def on_predict_end(self, logs: Any = None) -> None:
        """After prediction."""


def _between_steps(*_: Any) -> None:
    if settings.between_steps is not None:
        settings.between_steps()


class CallbackList:
    """Calls the hooks of all callbacks, in order.

    Args:
        callbacks: Callback, list of callbacks, or None.
        model: The model.
        params: What is known of the training.
        add_history: Whether to add a `History`. Default False.
        progress: Verbosity of a progress bar: 0 for none. Default 0.
        add_progbar: Keras's name of `progress`.
        **extra: More of `params`, as Keras's own list takes them.
    """

    def __init__(
        self, callbacks: Any = None, add_history: bool = False, add_progbar: bool = False, model: Any = None,
        progress: int = 0, params: dict[str, Any] | None = None, **extra: Any,
    ) -> None:  # fmt: skip
        from .history import History
        from .progress import ProgbarLogger

        given = (
            []
            if callbacks is None
            else [callbacks]
            if not isinstance(callbacks, list | tuple)
            else list(callbacks)
        )
        self.callbacks = [
            c for one in given for c in (one if isinstance(one, list | tuple) else [one])
        ]
        self.params = {**(params or {}), **extra}
        if (progress or add_progbar) and not any(
            isinstance(c, ProgbarLogger) for c in self.callbacks
        ):
            self.callbacks.append(ProgbarLogger())
        if add_history:
            known = next((c for c in self.callbacks if isinstance(c, History)), None)
            if known is None:
                known = History()
                self.callbacks.append(known)
            model.__dict__["history"] = known
        self._called = {hook: self._listeners(hook) for hook in HOOKS}
        for callback in self.callbacks:
            if hasattr(callback, "set_params"):
                callback.set_params(self.params)
            if model is not None and hasattr(callback, "set_model"):
                callback.set_model(model)

    def _listeners(self, hook: str) -> list[Any]:
        """The hooks of those callbacks that do something in it."""
        found = []
        older = hook.replace("train_", "") if hook.startswith("on_train_batch") else None
        for callback in self.callbacks:
            names = [hook] if older is None else [hook, older]
            mine = [getattr(callback, name, None) for name in names]
            base = [getattr(Callback, name) for name in names]
            own = [
                m is not None and getattr(m, "__func__", m) is not b
                for m, b in zip(mine, base, strict=True)
            ]
            if any(own):
                found.append(mine[0] if mine[0] is not None else mine[1])
        if settings.between_steps is not None and hook.endswith("_batch_end"):
            found.append(_between_steps)
        return found

    def append(self, callback: Any) -> None:
        """Puts a callback at the end."""
        self.callbacks.append(callback)
        self._called = {hook: self._listeners(hook) for hook in HOOKS}

    def __iter__(self) -> Any:
        return iter(self.callbacks)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in HOOKS:
            raise AttributeError(name)
        listeners = self._called[name]
        numbered = "epoch" in name or "batch" in name

        def call(*args: Any) -> None:
            if len(args) <= numbered:
                # Hooks always get their logs, be they empty.
                args = (*args, {})
            for listener in listeners:
                listener(*args)

        return call


Callback.__module__ = "eagercore.keras.callbacks"
