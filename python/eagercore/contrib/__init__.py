"""tf.contrib of TensorFlow 1: what eager programs used of it, each part imported when it is first asked for."""

from __future__ import annotations

import importlib
from typing import Any

_PARTS = (
    "checkpoint", "cudnn_rnn", "data", "eager", "framework", "layers", "metrics", "rnn", "signal", "summary",
    "training",
)  # fmt: skip
#: What needs machines or programs that are not there, and what to use.
_ABSENT = {
    "tpu": "there are no TPUs behind it: train as on a CPU",
    "cluster_resolver": "there is no cluster: use tf.distribute's strategies for one machine",
    "estimator": "Estimators are not part of eagercore: use tf.keras",
    "learn": "Estimators are not part of eagercore: use tf.keras",
    "slim": "use tf.keras.layers",
    "tensorrt": "export to ONNX and use its tools",
    "lite": "export to ONNX and use its tools",
}


def __getattr__(name: str) -> Any:
    if name in _PARTS:
        return importlib.import_module("." + name, __name__)
    if name in ("autograph", "distribute", "lookup"):
        import eagercore

        return getattr(eagercore, name)
    if name in _ABSENT:
        raise AttributeError(f"tf.contrib.{name} does not exist here: {_ABSENT[name]}.")
    raise AttributeError(
        f"module 'eagercore.contrib' has no attribute '{name}'. It has: {', '.join(_PARTS)}."
    )


def __dir__() -> list[str]:
    return sorted(_PARTS)
