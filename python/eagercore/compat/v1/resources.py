"""tf.resource_loader of TensorFlow 1: files beside the program that asks for them."""

from __future__ import annotations

import os
import sys


def _folder() -> str:
    return os.path.dirname(os.path.abspath(sys._getframe(2).f_code.co_filename))


def get_data_files_path() -> str:
    """The folder of the file that calls."""
    return _folder()


def get_path_to_datafile(path: str) -> str:
    """The path of a file in the folder of the file that calls.

    Args:
        path: Path in that folder.
    """
    return os.path.join(_folder(), path)


def load_resource(path: str) -> bytes:
    """The bytes of a file in the folder of the file that calls.

    Args:
        path: Path in that folder.
    """
    with open(os.path.join(_folder(), path), "rb") as file:
        return file.read()


def readahead_file_path(path: str, readahead: str = "128M") -> str:
    """The path itself.

    Args:
        path: Path.
        readahead: Accepted for TensorFlow's sake.
    """
    return path
