"""tf.saved_model: functions with their variables in a directory, from which they run without their source.

>>> import tempfile
>>> import eagercore as tf
>>> class Scaled(tf.Module):
...     def __init__(self):
...         self.factor = tf.Variable(3.0)
...     @tf.function(input_signature=[tf.TensorSpec([None])])
...     def __call__(self, x):
...         return self.factor * x
>>> with tempfile.TemporaryDirectory() as folder:
...     tf.saved_model.save(Scaled(), folder)
...     again = tf.saved_model.load(folder)
>>> again(tf.constant([1.0, 2.0])).numpy()
array([3., 6.], dtype=float32)
"""

from __future__ import annotations

from typing import Any

from .read import contains_saved_model, load
from .write import save

SERVING = "serve"
TRAINING = "train"
DEFAULT_SERVING_SIGNATURE_DEF_KEY = "serving_default"


class SaveOptions:
    """Accepted for TensorFlow's sake: what a saved model holds does not depend on options.

    Args:
        **options: TensorFlow's options.
    """

    def __init__(self, **options: Any) -> None:
        self.__dict__.update(options)


class LoadOptions(SaveOptions):
    """Accepted for TensorFlow's sake.

    Args:
        **options: TensorFlow's options.
    """


for _cls in (SaveOptions, LoadOptions):
    _cls.__module__ = "eagercore"

__all__ = [
    "DEFAULT_SERVING_SIGNATURE_DEF_KEY", "LoadOptions", "SERVING", "SaveOptions", "TRAINING", "contains_saved_model",
    "load", "save",
]  # fmt: skip
