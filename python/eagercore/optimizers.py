"""`tf.optimizers`: Keras's optimizers under TensorFlow 2's short name."""

from .keras.optimizers import (
    SGD,
    Adadelta,
    Adagrad,
    Adam,
    Adamax,
    AdamW,
    Ftrl,
    Nadam,
    Optimizer,
    RMSprop,
    deserialize,
    get,
    schedules,
    serialize,
)

__all__ = [
    "SGD", "AdamW", "Adadelta", "Adagrad", "Adam", "Adamax", "Ftrl", "Nadam", "Optimizer", "RMSprop",
    "deserialize", "get", "schedules", "serialize",
]  # fmt: skip
