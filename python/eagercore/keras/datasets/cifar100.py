"""CIFAR-100: small photographs in a hundred classes."""

from __future__ import annotations

import os
from typing import Any

from .cifar import arranged, batch, folder


def load_data(label_mode: str = "fine") -> Any:
    """50,000 training and 10,000 test photographs, 32 by 32, in a hundred classes.

    Args:
        label_mode: "fine" for the hundred classes, "coarse" for twenty groups of them. Default "fine".

    Returns:
        `(x_train, y_train), (x_test, y_test)`: uint8 arrays [images, 32, 32, 3] and [images, 1].

    Raises:
        ValueError: If `label_mode` has no meaning.
        OSError: If the files are not there and cannot be loaded.
    """
    if label_mode not in ("fine", "coarse"):
        raise ValueError(f'`label_mode` must be one of "fine", "coarse". Received: label_mode={label_mode}.')
    path = folder(
        "cifar-100-python", "cifar-100-python.tar.gz",
        "85cd44d02ba6437773c5bbd22e183051d648de2e7d6b014e1ef29b855ba677a7",
    )  # fmt: skip
    made = []
    for part in ("train", "test"):
        images, labels = batch(os.path.join(path, part), f"{label_mode}_labels")
        made.append(arranged([images], [labels]))
    return made[0], made[1]
