"""tf.gfile of TensorFlow 1 over Python's own files."""

from __future__ import annotations

import glob
import os
import shutil
from collections.abc import Iterator
from typing import Any

from ...base.errors import AlreadyExistsError, NotFoundError


def _path(path: Any) -> str:
    path = path._read_array()[()] if hasattr(path, "_read_array") else path
    path = path.decode("utf-8") if isinstance(path, bytes) else os.fspath(path)
    return path.removeprefix("file://")


class GFile:
    """A file: opened at first use, read and written as text or as bytes.

    Args:
        name: Path.
        mode: Such as "r", "rb", "w", "a".

    Raises:
        NotFoundError: If there is no such file.
    """

    def __init__(self, name: Any, mode: str = "r") -> None:
        self._name = _path(name)
        self._mode = mode
        self._file: Any = None

    name = property(lambda self: self._name, doc="Path.")
    mode = property(lambda self: self._mode, doc="How it is opened.")

    def _opened(self) -> Any:
        if self._file is None:
            encoding = None if "b" in self._mode else "utf-8"
            try:
                self._file = open(self._name, self._mode, encoding=encoding)
            except FileNotFoundError:
                raise NotFoundError(f"{self._name}; No such file or directory") from None
        return self._file

    def read(self, n: int = -1) -> Any:
        """Up to `n` characters (or bytes), all that is left by default."""
        return self._opened().read(n)

    def readline(self) -> Any:
        """The next line, with its end."""
        return self._opened().readline()

    def readlines(self) -> list[Any]:
        """The lines that are left."""
        return self._opened().readlines()

    def write(self, file_content: Any) -> None:
        """Writes text (or bytes)."""
        if isinstance(file_content, bytes) and "b" not in self._mode:
            file_content = file_content.decode("utf-8")
        elif isinstance(file_content, str) and "b" in self._mode:
            file_content = file_content.encode("utf-8")
        self._opened().write(file_content)

    def seek(self, offset: int | None = None, whence: int = 0, position: int | None = None) -> None:
        """Goes to a place in the file."""
        self._opened().seek(offset if offset is not None else position, whence)

    def tell(self) -> int:
        """The place in the file."""
        return self._opened().tell()

    def seekable(self) -> bool:
        """Whether places can be chosen."""
        return True

    def size(self) -> int:
        """Bytes in the file."""
        return stat(self._name).length

    def flush(self) -> None:
        """Hands what was written to the system."""
        if self._file is not None:
            self._file.flush()

    def close(self) -> None:
        """Closes the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> GFile:
        return self

    def __exit__(self, *exc: Any) -> None:
        self.close()

    def __iter__(self) -> Iterator[Any]:
        return iter(self._opened())

    def __next__(self) -> Any:
        return next(self._opened())

    next = __next__


FastGFile = Open = GFile


class FileStatistics:
    """What is known of a file: `length`, `mtime_nsec`, `is_directory`."""

    def __init__(self, length: int, mtime_nsec: int, is_directory: bool) -> None:
        self.length, self.mtime_nsec, self.is_directory = length, mtime_nsec, is_directory


def stat(filename: Any) -> FileStatistics:
    """What is known of a file.

    Args:
        filename: Path.

    Raises:
        NotFoundError: If it does not exist.
    """
    path = _path(filename)
    try:
        found = os.stat(path)
    except FileNotFoundError:
        raise NotFoundError(f"{path}; No such file or directory") from None
    return FileStatistics(found.st_size, found.st_mtime_ns, os.path.isdir(path))


def exists(filename: Any) -> bool:
    """Whether a file or folder exists.

    Args:
        filename: Path.
    """
    return os.path.exists(_path(filename))


def isdir(dirname: Any) -> bool:
    """Whether it is a folder.

    Args:
        dirname: Path.
    """
    return os.path.isdir(_path(dirname))


def listdir(dirname: Any) -> list[str]:
    """What is in a folder.

    Args:
        dirname: Path.

    Raises:
        NotFoundError: If there is no such folder.
    """
    path = _path(dirname)
    if not os.path.isdir(path):
        raise NotFoundError("Could not find directory " + path)
    return os.listdir(path)


def mkdir(dirname: Any) -> None:
    """Makes a folder whose parent exists.

    Args:
        dirname: Path.

    Raises:
        NotFoundError: If the parent does not exist.
        AlreadyExistsError: If it exists.
    """
    path = _path(dirname)
    try:
        os.mkdir(path)
    except FileExistsError:
        raise AlreadyExistsError(f"{path}; File exists") from None
    except FileNotFoundError:
        raise NotFoundError(f"{path}; No such file or directory") from None


def makedirs(dirname: Any) -> None:
    """Makes a folder and those around it; nothing happens where it exists.

    Args:
        dirname: Path.
    """
    os.makedirs(_path(dirname), exist_ok=True)


def remove(filename: Any) -> None:
    """Removes a file.

    Args:
        filename: Path.

    Raises:
        NotFoundError: If it does not exist.
    """
    path = _path(filename)
    try:
        os.remove(path)
    except FileNotFoundError:
        raise NotFoundError(f"{path}; No such file or directory") from None


def rmtree(dirname: Any) -> None:
    """Removes a folder and all that is in it.

    Args:
        dirname: Path.

    Raises:
        NotFoundError: If it does not exist.
    """
    path = _path(dirname)
    if not os.path.isdir(path):
        raise NotFoundError(f"{path}; No such file or directory")
    shutil.rmtree(path)


def rename(oldname: Any, newname: Any, overwrite: bool = False) -> None:
    """Gives a file another name.

    Args:
        oldname: Path.
        newname: New path.
        overwrite: Whether a file of the new name is replaced.

    Raises:
        AlreadyExistsError: If the new name is taken.
    """
    _check_free(newname, overwrite)
    try:
        os.replace(_path(oldname), _path(newname))
    except FileNotFoundError:
        raise NotFoundError(f"{_path(oldname)}; No such file or directory") from None


def copy(oldpath: Any, newpath: Any, overwrite: bool = False) -> None:
    """Copies a file.

    Args:
        oldpath: Path.
        newpath: Path of the copy.
        overwrite: Whether a file there is replaced.

    Raises:
        AlreadyExistsError: If the new path is taken.
        NotFoundError: If there is no such file.
    """
    _check_free(newpath, overwrite)
    try:
        shutil.copyfile(_path(oldpath), _path(newpath))
    except FileNotFoundError:
        raise NotFoundError(f"{_path(oldpath)}; No such file or directory") from None


def _check_free(path: Any, overwrite: bool) -> None:
    if os.path.exists(_path(path)) and not overwrite:
        raise AlreadyExistsError("file already exists: " + _path(path))


def find_files(pattern: Any) -> list[str]:
    """The files that match a pattern (or one of several), sorted.

    Args:
        pattern: Pattern with `*`, `?` and `[...]`, or a list of these.
    """
    patterns = pattern if isinstance(pattern, list | tuple) else [pattern]
    return sorted(found for one in patterns for found in glob.glob(_path(one)))


def walk(top: Any, topdown: bool = True, onerror: Any = None) -> Iterator[tuple[str, list[str], list[str]]]:
    """(folder, folders in it, files in it) for a folder and all below it.

    Args:
        top: Path.
        topdown: Whether a folder comes before those in it.
        onerror: Function that is given errors.
    """
    return os.walk(_path(top), topdown=topdown, onerror=onerror)


Exists, IsDirectory, ListDirectory, MkDir, MakeDirs = exists, isdir, listdir, mkdir, makedirs
Remove, DeleteRecursively, Rename, Copy, Glob, Walk, Stat = remove, rmtree, rename, copy, find_files, walk, stat
