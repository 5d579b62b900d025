"""Callbacks that change the learning rate."""

from __future__ import annotations

import inspect
from typing import Any

from .base import Callback
from .monitoring import Monitoring


def _rate(optimizer: Any) -> float:
    rate = optimizer.learning_rate
    if not hasattr(rate, "assign"):
        raise ValueError(
            "The optimizer's learning rate is a schedule or a tensor: a callback cannot change it. Give the "
            "optimizer a number."
        )
    return float(rate)


class LearningRateScheduler(Callback):
    """Sets the learning rate before each epoch.

    Args:
        schedule: Function of the epoch (from 0), or of the epoch and the present rate, that gives the new rate.
        verbose: Whether to say so. Default 0.

    >>> LearningRateScheduler(lambda epoch: 0.1 / (epoch + 1)).verbose
    0
    """

    def __init__(self, schedule: Any, verbose: int = 0) -> None:
        super().__init__()
        self.schedule, self.verbose = schedule, verbose

    def _two(self) -> bool:
        try:
            parameters = inspect.signature(self.schedule).parameters.values()
        except (TypeError, ValueError):
            return True
        plain = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        return len(plain) > 1 or any(p.kind is p.VAR_POSITIONAL for p in parameters)

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Sets the rate of this epoch."""
        present = _rate(self.model.optimizer)
        rate = self.schedule(epoch, present) if self._two() else self.schedule(epoch)
        try:
            rate = float(rate)
        except (TypeError, ValueError):
            raise ValueError(
                f'The output of the "schedule" function should be float. Got: {rate!r}'
            ) from None
        self.model.optimizer.learning_rate = rate
        if self.verbose:
            print(f"\nEpoch {epoch + 1}: LearningRateScheduler setting learning rate to {rate}.")

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Puts the rate into the logs."""
        if logs is not None:
            logs["lr"] = _rate(self.model.optimizer)


class ReduceLROnPlateau(Monitoring):
    """Lowers the learning rate when a metric no longer improves.

    Args:
        monitor: Name of the metric. Default "val_loss".
        factor: What the rate is multiplied by, below 1. Default 0.1.
        patience: Epochs without improvement to wait. Default 10.
        verbose: Whether to say so. Default 0.
        mode: "min", "max" or "auto". Default "auto".
        min_delta: Smallest change that counts as better. Default 0.0001.
        cooldown: Epochs to wait after the rate was lowered. Default 0.
        min_lr: Lower bound of the rate. Default 0.
        **kwargs: `epsilon`: older name of `min_delta`.

    Raises:
        ValueError: If `factor` is not below 1.
    """

    def __init__(
        self,
        monitor: str = "val_loss",
        factor: float = 0.1,
        patience: int = 10,
        verbose: int = 0,
        mode: str = "auto",
        min_delta: float = 1e-4,
        cooldown: int = 0,
        min_lr: float = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(monitor, mode)
        if factor >= 1.0:
            raise ValueError(f"ReduceLROnPlateau does not support a factor >= 1.0. Got {factor}")
        self.factor, self.patience, self.verbose = factor, int(patience), verbose
        self.min_delta, self.cooldown, self.min_lr = (
            kwargs.pop("epsilon", min_delta),
            int(cooldown),
            min_lr,
        )
        self.wait, self.cooldown_counter, self.best = 0, 0, self.worst

    def on_train_begin(self, logs: Any = None) -> None:
        """Starts anew."""
        self.wait, self.cooldown_counter, self.best = 0, 0, self.worst

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Lowers the rate when there was no improvement for long enough."""
        optimizer = self.model.optimizer
        if logs is not None:
            logs["lr"] = _rate(optimizer)
        current = self.value(logs)
        if current is None:
            return
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.wait = 0
        if self.better(current, self.best, self.min_delta):
            self.best, self.wait = current, 0
        elif self.cooldown_counter <= 0:
            self.wait += 1
            if self.wait >= self.patience:
                old = _rate(optimizer)
                if old > self.min_lr:
                    new = max(old * self.factor, self.min_lr)
                    optimizer.learning_rate = new
                    if self.verbose:
                        print(
                            f"\nEpoch {epoch + 1}: ReduceLROnPlateau reducing learning rate to {new}."
                        )
                    self.cooldown_counter, self.wait = self.cooldown, 0


LearningRateScheduler.__module__ = ReduceLROnPlateau.__module__ = "eagercore.keras.callbacks"
