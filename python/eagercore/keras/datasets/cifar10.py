"""CIFAR-10: small photographs in ten classes."""

from __future__ import annotations

import os
from typing import Any

from .cifar import arranged, batch, folder


def load_data() -> Any:
    """50,000 training and 10,000 test photographs, 32 by 32, in ten classes.

    Returns:
        `(x_train, y_train), (x_test, y_test)`: uint8 arrays [images, 32, 32, 3] and [images, 1].

    Raises:
        OSError: If the files are not there and cannot be loaded.
    """
    path = folder(
        "cifar-10-batches-py", "cifar-10-python.tar.gz",
        "6d958be074577803d12ecdefd02955f39262c83c16fe9348329d7fe0b5c001ce",
    )  # fmt: skip
    parts = [batch(os.path.join(path, f"data_batch_{i}"), "labels") for i in range(1, 6)]
    training = arranged([x for x, _ in parts], [y for _, y in parts])
    images, labels = batch(os.path.join(path, "test_batch"), "labels")
    return training, arranged([images], [labels])
