"""What holds while a layer calls its layers: the value of `training`, and whether outputs are only inferred."""

from __future__ import annotations

import threading
from typing import Any


class Calls(threading.local):
    """The running call of layers in this thread.

    Attributes:
        stack: The layers that are being called now, one inside the other.
        training: `training` of the innermost call that has one; layers that are not given it take this.
        inferring: Whether layers are called on symbolic tensors only to learn the shapes of results.
        compute_dtype: Type in which variables are read whose layer computes in another than theirs, or None.
        forward: Number of the outermost call: losses that were added in an older one are stale.
    """

    training: Any = None
    inferring: bool = False
    compute_dtype: Any = None
    forward: int = 0
    #: `keras.backend.set_learning_phase`: what `training` is when nobody says.
    phase: Any = None

    def __init__(self) -> None:
        self.stack: list[Any] = []


calls = Calls()
