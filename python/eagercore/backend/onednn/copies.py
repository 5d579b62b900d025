"""Copies of one file in oneDNN's wheel are made one file: ``python -m eagercore.backend.onednn.copies``.

The wheel holds its library of 50 MB under three names (``libdnnl.so``, ``.so.3``, ``.so.3.2``), and pip unpacks three
files, because a wheel cannot hold links. Nothing is lost when the names share one file: each still opens it, its hash
is what pip wrote down, and ``pip uninstall`` removes every name. Where links are not permitted nothing is changed.
"""

from __future__ import annotations

import filecmp
import importlib.metadata
import os
from collections.abc import Iterable
from itertools import combinations

from .library import DISTRIBUTIONS


def link_copies(paths: Iterable[str]) -> int:
    """Make files of the same content names of one file, and return the bytes that this frees.

    Only files in one folder are joined, and only after their contents were compared. Each name is
    replaced in one step, so that at no moment is it missing; what cannot be linked stays as it is.

    >>> import os, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> names = [os.path.join(folder.name, name) for name in ("a", "b")]
    >>> for name in names:
    ...     with open(name, "wb") as file:
    ...         size = file.write(b"the same")
    >>> link_copies(names)
    8
    >>> link_copies(names)
    0
    >>> folder.cleanup()
    """
    freed = 0
    for kept, copy in combinations(sorted(paths), 2):
        if os.path.dirname(kept) != os.path.dirname(copy):
            continue
        if os.path.islink(kept) or os.path.islink(copy):
            continue
        try:
            if os.path.samefile(kept, copy) or not filecmp.cmp(kept, copy, shallow=False):
                continue
            size = os.stat(copy)
            beside = f"{copy}.{os.getpid()}"
            os.link(kept, beside)
        except OSError:
            continue
        try:
            os.replace(beside, copy)
        except OSError:
            os.unlink(beside)
            continue
        freed += size.st_size if size.st_nlink == 1 else 0
    return freed


def wheel_files() -> list[str]:
    """The shared libraries that the wheels of :data:`DISTRIBUTIONS` have put into this environment."""
    found = []
    for name in DISTRIBUTIONS:
        try:
            files = importlib.metadata.files(name) or []
        except importlib.metadata.PackageNotFoundError:
            continue
        paths = [os.path.normpath(str(file.locate())) for file in files if ".so" in str(file)]
        found += [path for path in paths if os.path.exists(path)]
    return found


if __name__ == "__main__":
    freed = link_copies(wheel_files())
    print(f"oneDNN: {freed / 1e6:.0f} MB freed" if freed else "oneDNN: there is nothing to free")
