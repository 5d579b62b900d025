"""The handwritten digits as TensorFlow 1's tutorials read them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np


class DataSet:
    """Images and labels, given out in batches.

    Args:
        images: Array [n, 784] between 0 and 1.
        labels: Array [n], or [n, 10].
        seed: Seed of the order.
    """

    def __init__(self, images: Any, labels: Any, seed: int | None = None) -> None:
        self.images, self.labels = images, labels
        self.num_examples = len(images)
        self.epochs_completed = 0
        self._next = 0
        self._random = np.random.RandomState(seed)
        self._order = np.arange(self.num_examples)

    def next_batch(
        self, batch_size: int, fake_data: bool = False, shuffle: bool = True
    ) -> tuple[Any, Any]:
        """The next examples; at the end of the data it begins anew.

        Args:
            batch_size: How many.
            fake_data: Accepted for TensorFlow's sake.
            shuffle: Whether each pass has an order of its own.
        """
        if self._next == 0 and self.epochs_completed == 0 and shuffle:
            self._random.shuffle(self._order)
        chosen = list(self._order[self._next : self._next + batch_size])
        self._next += len(chosen)
        if len(chosen) < batch_size:
            self.epochs_completed += 1
            if shuffle:
                self._random.shuffle(self._order)
            self._next = batch_size - len(chosen)
            chosen += list(self._order[: self._next])
        return self.images[chosen], self.labels[chosen]


def read_data_sets(
    train_dir: Any = None, fake_data: bool = False, one_hot: bool = False, dtype: Any = "float32", reshape: bool = True,
    validation_size: int = 5000, seed: int | None = None, source_url: str | None = None,
) -> Any:  # fmt: skip
    """The digits: `train`, `validation` and `test`.

    Args:
        train_dir: Folder with the files, or None for the place where `tf.keras.datasets` keeps them.
        fake_data: Accepted for TensorFlow's sake.
        one_hot: Whether labels are vectors.
        dtype: "float32" gives numbers between 0 and 1, "uint8" bytes.
        reshape: Whether images are vectors of 784.
        validation_size: How many training examples are kept apart.
        seed: Seed of the order.
        source_url: Accepted for TensorFlow's sake.
    """
    import os

    from ....keras.datasets import mnist

    path = "mnist.npz"
    if train_dir is not None and os.path.exists(os.path.join(str(train_dir), "mnist.npz")):
        path = os.path.abspath(os.path.join(str(train_dir), "mnist.npz"))
    (train_x, train_y), (test_x, test_y) = mnist.load_data(path)
    sets = []
    for images, labels in ((train_x, train_y), (test_x, test_y)):
        images = images.reshape(len(images), -1) if reshape else images[..., None]
        images = (
            images.astype(np.float32) / 255
            if str(getattr(dtype, "name", dtype)) == "float32"
            else images
        )
        labels = np.eye(10)[labels] if one_hot else labels
        sets.append((images, labels))
    (images, labels), test = sets
    return SimpleNamespace(
        train=DataSet(images[validation_size:], labels[validation_size:], seed),
        validation=DataSet(images[:validation_size], labels[:validation_size], seed),
        test=DataSet(*test, seed),
    )


DataSet.__module__ = "eagercore"
