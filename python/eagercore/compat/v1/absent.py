"""Parts of TensorFlow 1 that are not here, with what to use in their place; their constants exist."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any


class ModeKeys:
    """What a model is used for."""

    TRAIN = "train"
    EVAL = "eval"
    PREDICT = "infer"


class _Absent:
    """A name space of which only some constants exist."""

    def __init__(self, name: str, remedy: str, **known: Any) -> None:
        self.__dict__.update(known)
        self._name, self._remedy = name, remedy

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise AttributeError(f"{self._name}.{name} does not exist here: {self._remedy}.")


estimator = _Absent(
    "tf.estimator", "Estimators are not part of eagercore, use tf.keras", ModeKeys=ModeKeys
)
user_ops = SimpleNamespace()
ModeKeys.__module__ = "eagercore"
