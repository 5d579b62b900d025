"""Fashion-MNIST: pieces of clothing."""

from __future__ import annotations

import gzip
import os
from typing import Any

from ...core.host import from_bytes
from ..utils.files import get_file
from .files import BASE

#: MD5 sums, as published with the data set.
_SUMS = {
    "train-images-idx3-ubyte.gz": "8d4fb7e6c68d591d4c3dfef9ec88bf0d",
    "train-labels-idx1-ubyte.gz": "25c81989df183df01b3e8a0aad5dffbe",
    "t10k-images-idx3-ubyte.gz": "bef4ecab320f06d8554ea6380940ec79",
    "t10k-labels-idx1-ubyte.gz": "bb300cfdad3c16e7a12a480ee83cd310",
}


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
    path = get_file(
        name,
        BASE + name,
        file_hash=_SUMS[name],
        cache_subdir=os.path.join("datasets", "fashion-mnist"),
    )
    with gzip.open(path, "rb") as file:
        return file.read()
