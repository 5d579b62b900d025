"""What CIFAR-10 and CIFAR-100 share: batches of images in pickles, which are read as data."""

from __future__ import annotations

import os
from typing import Any

from ...core.host import array, joined
from ...core.pickle_reader import read_pickle
from ..settings import settings
from ..utils.files import cache_folder, get_file


def folder(name: str, archive: str, file_hash: str) -> str:
    """The unpacked folder, loaded where it is not there yet."""
    path = os.path.join(cache_folder(), name)
    if not os.path.isdir(path):
        get_file(archive, f"https://www.cs.toronto.edu/~kriz/{archive}", untar=True, file_hash=file_hash)
    return path


def batch(path: str, label_key: str) -> tuple[Any, Any]:
    """Images [images, 3, 32, 32] and labels of a file."""
    with open(path, "rb") as file:
        read = read_pickle(file)
    found = {key.decode() if isinstance(key, bytes) else key: value for key, value in read.items()}
    return found["data"].reshape(-1, 3, 32, 32), array(found[label_key], "uint8")


def arranged(images: Any, labels: Any) -> tuple[Any, Any]:
    """Images in the order of dimensions that is set, labels [images, 1]."""
    images, labels = joined(images), joined(labels)
    if settings.image_data_format == "channels_last":
        images = images.transpose(0, 2, 3, 1)
    return images, labels.reshape(-1, 1)
