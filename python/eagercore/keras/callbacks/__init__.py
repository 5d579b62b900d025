"""Callbacks: what is done at the beginning and end of epochs and batches."""

from __future__ import annotations

from .base import Callback, CallbackList
from .early_stopping import EarlyStopping
from .history import BaseLogger, History
from .learning_rate import LearningRateScheduler, ReduceLROnPlateau
from .model_checkpoint import ModelCheckpoint
from .progress import ProgbarLogger
from .simple import CSVLogger, LambdaCallback, RemoteMonitor, TerminateOnNaN
from .tensorboard import TensorBoard

__all__ = [
    "BaseLogger", "CSVLogger", "Callback", "CallbackList", "EarlyStopping", "History", "LambdaCallback",
    "LearningRateScheduler", "ModelCheckpoint", "ProgbarLogger", "ReduceLROnPlateau", "RemoteMonitor", "TensorBoard",
    "TerminateOnNaN",
]  # fmt: skip
