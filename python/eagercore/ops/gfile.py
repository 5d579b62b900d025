"""tf.io.gfile: files and folders, under TensorFlow's names of both generations."""

from __future__ import annotations

import glob as globbing
import os
import shutil
from collections.abc import Iterator
from typing import Any

from ..base import errors
from .io import opened


def as_text(path: Any) -> str:
    """A path as text: from a string, bytes, a string tensor or a path object."""
    if hasattr(path, "numpy"):
        path = path.numpy()
    if hasattr(path, "__fspath__"):
        path = path.__fspath__()
    return path.decode() if isinstance(path, bytes) else path


class GFile:
    """A file, opened when it is first used.

    Args:
        name: Path.
        mode: "r", "w", "a", with "b" for bytes and "+" for both ways.

    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "a.txt")
    >>> with GFile(path, "w") as file:
    ...     _ = file.write("one\\ntwo\\n")
    >>> GFile(path).readlines()
    ['one\\n', 'two\\n']
    """

    _file: Any = None

    def __init__(self, name: Any, mode: str = "r") -> None:
        if mode not in (
            "r",
            "w",
            "a",
            "r+",
            "w+",
            "a+",
            "rb",
            "wb",
            "ab",
            "r+b",
            "w+b",
            "a+b",
            "rb+",
            "wb+",
            "ab+",
        ):
            raise errors.InvalidArgumentError(
                f"mode is not 'r' or 'w' or 'a' or 'r+' or 'w+' or 'a+' (with 'b' for bytes), got {mode!r}."
            )
        self._name, self._mode = as_text(name), mode

    @property
    def name(self) -> str:
        """Path of the file."""
        return self._name

    @property
    def mode(self) -> str:
        """Mode in which it is opened."""
        return self._mode

    def _opened(self, purpose: str = "r") -> Any:
        if self._file is None:
            if purpose == "r" and self._mode[0] in "wa" and "+" not in self._mode:
                raise errors.PermissionDeniedError("File isn't open for reading")
            self._file = opened(self._name, self._mode)
        return self._file

    def read(self, n: int = -1) -> Any:
        """The next `n` characters or bytes; all that is left by default."""
        return self._opened().read(n)

    def readline(self) -> Any:
        """The next line with its end."""
        return self._opened().readline()

    def readlines(self) -> list[Any]:
        """All lines that are left."""
        return self._opened().readlines()

    def write(self, file_content: Any) -> int:
        """Writes text or bytes."""
        if self._mode in ("r", "rb"):
            raise errors.PermissionDeniedError("File isn't open for writing")
        return self._opened("w").write(file_content)

    def seek(self, offset: Any = None, whence: int = 0, position: Any = None) -> None:
        """Goes to a position."""
        self._opened("w").seek(offset if offset is not None else position, whence)

    def seekable(self) -> bool:
        """True."""
        return True

    def tell(self) -> int:
        """The position."""
        return self._opened("w").tell()

    def size(self) -> int:
        """Size in bytes."""
        return stat(self._name).length

    def flush(self) -> None:
        """Hands what was written to the operating system."""
        if self._file is not None:
            self._file.flush()

    def close(self) -> None:
        """Closes the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __del__(self) -> None:
        # As with TensorFlow's, a file may be read in passing: GFile(path).read().
        self.close()

    def __enter__(self) -> GFile:
        self._opened("w")
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def __iter__(self) -> Iterator[Any]:
        yield from self._opened()

    def __next__(self) -> Any:
        return next(self._opened())

    next = __next__


class FileStatistics:
    """Size, time and kind of a file.

    Attributes:
        length: Size in bytes.
        mtime_nsec: Time of the last change in nanoseconds.
        is_directory: Whether it is a folder.
    """

    def __init__(self, length: int, mtime_nsec: int, is_directory: bool) -> None:
        self.length, self.mtime_nsec, self.is_directory = length, mtime_nsec, is_directory


def _not_found(path: str) -> errors.NotFoundError:
    return errors.NotFoundError(f"{path}; No such file or directory")


def exists(path: Any) -> bool:
    """Whether there is a file or folder of that path."""
    return os.path.exists(as_text(path))


def isdir(path: Any) -> bool:
    """Whether there is a folder of that path."""
    return os.path.isdir(as_text(path))


def listdir(path: Any) -> list[str]:
    """Names in a folder.

    Raises:
        NotFoundError: If there is no such folder.
    """
    where = as_text(path)
    if not os.path.isdir(where):
        raise errors.NotFoundError("Could not find directory " + where)
    return os.listdir(where)


def glob(pattern: Any) -> list[str]:
    """Paths that match a pattern or one of several, sorted."""
    patterns = (
        [pattern] if isinstance(pattern, str | bytes) or hasattr(pattern, "numpy") else pattern
    )
    found: set[str] = set()
    for one in patterns:
        found.update(globbing.glob(as_text(one)))
    return sorted(found)


def mkdir(path: Any) -> None:
    """Makes a folder.

    Raises:
        NotFoundError: If the folder above is not there.
        AlreadyExistsError: If it is there.
    """
    where = as_text(path)
    try:
        os.mkdir(where)
    except FileExistsError:
        raise errors.AlreadyExistsError(f"{where}; File exists") from None
    except FileNotFoundError:
        raise _not_found(where) from None


def makedirs(path: Any) -> None:
    """Makes a folder and those above it, where they are not there."""
    os.makedirs(as_text(path), exist_ok=True)


def remove(path: Any) -> None:
    """Removes a file.

    Raises:
        NotFoundError: If there is none.
    """
    where = as_text(path)
    try:
        os.remove(where)
    except FileNotFoundError:
        raise _not_found(where) from None


def rmtree(path: Any) -> None:
    """Removes a folder and all in it.

    Raises:
        NotFoundError: If there is none.
    """
    where = as_text(path)
    if not os.path.exists(where):
        raise _not_found(where)
    shutil.rmtree(where)


def copy(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Copies a file.

    Raises:
        AlreadyExistsError: If `dst` is there and `overwrite` is False.
        NotFoundError: If `src` is not there.
    """
    source, target = as_text(src), as_text(dst)
    if os.path.exists(target) and not overwrite:
        raise errors.AlreadyExistsError(
            f"file already exists: {target}. Give overwrite=True to replace it."
        )
    try:
        shutil.copyfile(source, target)
    except FileNotFoundError:
        raise _not_found(source if not os.path.exists(source) else target) from None


def rename(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Renames or moves a file or folder.

    Raises:
        AlreadyExistsError: If `dst` is there and `overwrite` is False.
        NotFoundError: If `src` is not there.
    """
    source, target = as_text(src), as_text(dst)
    if os.path.exists(target) and not overwrite:
        raise errors.AlreadyExistsError(
            f"file already exists: {target}. Give overwrite=True to replace it."
        )
    if not os.path.exists(source):
        raise _not_found(source)
    os.replace(source, target)


def stat(path: Any) -> FileStatistics:
    """Size, time and kind of a file or folder.

    Raises:
        NotFoundError: If there is none.
    """
    where = as_text(path)
    try:
        found = os.stat(where)
    except FileNotFoundError:
        raise _not_found(where) from None
    return FileStatistics(found.st_size, found.st_mtime_ns, os.path.isdir(where))


def walk(
    top: Any, topdown: bool = True, onerror: Any = None
) -> Iterator[tuple[str, list[str], list[str]]]:
    """(folder, folders in it, files in it), folder by folder."""
    return os.walk(as_text(top), topdown, onerror)


def join(path: Any, *paths: Any) -> str:
    """Parts of a path joined."""
    return os.path.join(as_text(path), *map(as_text, paths))


def get_registered_schemes() -> list[str]:
    """Kinds of file systems that there are."""
    return ["", "file"]


FastGFile = Open = GFile
Copy, DeleteRecursively, Exists, Glob, IsDirectory = copy, rmtree, exists, glob, isdir
ListDirectory, MakeDirs, MkDir, Remove, Rename, Stat, Walk = (
    listdir,
    makedirs,
    mkdir,
    remove,
    rename,
    stat,
    walk,
)

for _cls in (GFile, FileStatistics):
    _cls.__module__ = "eagercore"
