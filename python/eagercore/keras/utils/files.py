"""Files from the network, kept in a cache."""

from __future__ import annotations

import hashlib
import os
import shutil
import tarfile
import tempfile
import urllib.error
import urllib.request
import zipfile
from typing import Any


def _hash_of(path: str, algorithm: str) -> str:
    digest = hashlib.new(algorithm)
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


def validate_file(
    fpath: str, file_hash: str, algorithm: str = "auto", chunk_size: int = 65535
) -> bool:
    """Whether a file has this checksum.

    Args:
        fpath: Path.
        file_hash: Checksum, in hexadecimal.
        algorithm: "md5", "sha256", or "auto" to go by its length.
        chunk_size: Accepted for Keras's sake.
    """
    if algorithm in ("auto", None):
        algorithm = "sha256" if len(file_hash) == 64 else "md5"
    return _hash_of(fpath, algorithm) == file_hash.lower()


def cache_folder(cache_dir: Any = None, cache_subdir: str = "datasets") -> str:
    """The folder of cached files: `~/.keras/<subdir>`, the folder of KERAS_HOME, or the one given."""
    base = (
        os.fspath(cache_dir)
        if cache_dir is not None
        else os.environ.get("KERAS_HOME") or os.path.join("~", ".keras")
    )
    return os.path.join(os.path.expanduser(base), cache_subdir)


def get_file(
    fname: Any = None,
    origin: Any = None,
    untar: bool = False,
    md5_hash: str | None = None,
    file_hash: str | None = None,
    cache_subdir: str = "datasets",
    hash_algorithm: str = "auto",
    extract: bool = False,
    archive_format: str = "auto",
    cache_dir: Any = None,
    **kwargs: Any,
) -> str:
    """A file from the network: the cached one, or a new download.

    Args:
        fname: Name of the file in the cache. Default the last part of the address.
        origin: Address.
        untar: Whether to unpack a tar archive (the older form of `extract`). Default False.
        md5_hash: Checksum by MD5 (the older form of `file_hash`).
        file_hash: Checksum; a cached file that does not have it is loaded again, a download that does not is refused.
        cache_subdir: Folder in the cache. Default "datasets".
        hash_algorithm: "md5", "sha256" or "auto". Default "auto".
        extract: Whether to unpack an archive. Default False.
        archive_format: Accepted for Keras's sake: archives are recognized.
        cache_dir: Folder of the cache. Default `~/.keras`.
        **kwargs: `force_download`: whether to load anew.

    Returns:
        Path of the file; of the unpacked folder when `untar`.

    Raises:
        OSError: If it cannot be loaded.
        ValueError: If the checksum is wrong.
    """
    if origin is None:
        raise ValueError("`origin`, the address of the file, is missing.")
    if fname is None:
        fname = os.path.basename(origin.split("?")[0])
    if md5_hash is not None and file_hash is None:
        file_hash, hash_algorithm = md5_hash, "md5"
    folder = cache_folder(cache_dir, cache_subdir)
    os.makedirs(folder, exist_ok=True)
    name = os.fspath(fname)
    target = os.path.join(folder, name)
    archive = target + ".tar.gz" if untar and not name.endswith((".tar", ".gz", ".tgz")) else target
    present = os.path.exists(archive) and not kwargs.get("force_download")
    if present and file_hash is not None and not validate_file(archive, file_hash, hash_algorithm):
        print(
            f"A local file was found, but it seems to be incomplete or outdated: its checksum is not {file_hash}."
        )
        present = False
    if not present:
        _download(origin, archive, file_hash, hash_algorithm)
    if untar or extract:
        _unpack(archive, folder)
    return target


def _download(origin: str, path: str, file_hash: str | None, algorithm: str) -> None:
    temporary = f"{path}.{os.getpid()}.part"
    print(f"Downloading data from {origin}")
    try:
        with urllib.request.urlopen(origin, timeout=60) as source, open(temporary, "wb") as file:
            shutil.copyfileobj(source, file)
            file.flush()
            os.fsync(file.fileno())
        if file_hash is not None and not validate_file(temporary, file_hash, algorithm):
            raise ValueError(
                f"Incomplete or corrupted file detected: the checksum of {origin} is not the expected {file_hash}."
            )
        os.replace(temporary, path)
    except (urllib.error.URLError, OSError) as error:
        raise OSError(
            f"URL fetch failure on {origin}: {error}. If this machine has no network, put the file at {path} by hand."
        ) from error
    finally:
        if os.path.exists(temporary):
            os.remove(temporary)


def _unpack(path: str, folder: str) -> None:
    """Unpacks an archive; nothing lands outside of the folder, and nothing is there before it is whole."""
    with tempfile.TemporaryDirectory(prefix="unpack-", dir=folder) as place:
        _extract(path, place)
        for name in os.listdir(place):
            target = os.path.join(folder, name)
            if os.path.isdir(target):
                shutil.rmtree(target)
            os.replace(os.path.join(place, name), target)


def _extract(path: str, folder: str) -> None:
    if tarfile.is_tarfile(path):
        with tarfile.open(path) as archive:
            for member in archive.getmembers():
                _inside(folder, member.name)
                if member.issym() or member.islnk():
                    raise ValueError(f"{path} holds the link {member.name}: it is not unpacked.")
            # Not every Python 3.10 and 3.11 has the filter, nor extractall() an argument for it.
            archive.extraction_filter = getattr(tarfile, "data_filter", lambda member, _: member)
            archive.extractall(folder)
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                _inside(folder, name)
            archive.extractall(folder)


def _inside(folder: str, name: str) -> None:
    root = os.path.realpath(folder)
    if os.path.commonpath([root, os.path.realpath(os.path.join(root, name))]) != root:
        raise ValueError(
            f"The archive holds {name!r}, which would land outside of {folder}: it is not unpacked."
        )
