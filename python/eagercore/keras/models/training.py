"""compile, fit, evaluate, predict."""

from __future__ import annotations


class Training:
    """What a model needs to be trained by itself."""

    def _init_training(self) -> None:
        self.__dict__["optimizer"] = None
