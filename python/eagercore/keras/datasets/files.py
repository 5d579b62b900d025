"""Where the files of published data sets are, and how they are read."""

from __future__ import annotations

import io
import os
import zipfile
from typing import Any

from ...core.pickle_reader import read_npy
from ..utils.files import get_file

BASE = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/"


def cached(path: Any, name: str, file_hash: str) -> str:
    """Path of a file of the collection, loaded where it is not there yet.

    Args:
        path: Name of the file in the cache, or a path of one's own.
        name: Name in the collection.
        file_hash: Its checksum.
    """
    own = os.path.expanduser(os.fspath(path))
    if os.path.isabs(own) and os.path.exists(own):
        return own
    return get_file(own, BASE + name, file_hash=file_hash)


def arrays(path: str) -> dict[str, Any]:
    """The arrays of an .npz file; lists of numbers in it are read as data, never as code."""
    with zipfile.ZipFile(path) as archive:
        return {
            name.removesuffix(".npy"): read_npy(io.BytesIO(archive.read(name))) for name in archive.namelist()
        }
