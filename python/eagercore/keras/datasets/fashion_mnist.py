"""Fashion-MNIST: pieces of clothing."""

from __future__ import annotations

import gzip
import os
from typing import Any

from ...core.host import from_bytes
from ..utils.files import get_file
from .files import BASE


def load_data() -> Any:
    """60,000 training and 10,000 test images of clothing in ten classes, 28 by 28.

    Returns:
        `(x_train, y_train), (x_test, y_test)`: uint8 arrays [images, 28, 28] and [images].

    Raises:
        OSError: If the files are not there and cannot be loaded.
    """
    parts = []
    for part in ("train", "t10k"):
        labels = from_bytes(_read(f"{part}-labels-idx1-ubyte.gz"), (-1,), 8)
        parts.append((from_bytes(_read(f"{part}-images-idx3-ubyte.gz"), (len(labels), 28, 28), 16), labels))
    return parts[0], parts[1]


def _read(name: str) -> bytes:
    path = get_file(name, BASE + name, cache_subdir=os.path.join("datasets", "fashion-mnist"))
    with gzip.open(path, "rb") as file:
        return file.read()
