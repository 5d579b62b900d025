"""MNIST: handwritten digits."""

from __future__ import annotations

from typing import Any

from .files import arrays, cached


def load_data(path: Any = "mnist.npz") -> Any:
    """60,000 training and 10,000 test images of digits, 28 by 28.

    Args:
        path: Name of the file in `~/.keras/datasets`, or a path of one's own.

    Returns:
        `(x_train, y_train), (x_test, y_test)`: uint8 arrays [images, 28, 28] and [images].

    Raises:
        OSError: If the file is not there and cannot be loaded.
    """
    found = arrays(
        cached(path, "mnist.npz", "731c5ac602752760c8e48fbffcf8c3b850d9dc2a2aedcf2cc48468fc17b673d1")
    )
    return (found["x_train"], found["y_train"]), (found["x_test"], found["y_test"])
