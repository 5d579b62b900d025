"""Named arrays in files: NumPy's .npz and safetensors. Nothing is unpickled; a file is whole or not there."""

from __future__ import annotations

import io
import json
import os
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..base import dtypes, errors

_TYPES = {
    "F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16", "I64": "int64", "I32":
    "int32", "I16": "int16",
    "I8": "int8", "U64": "uint64", "U32": "uint32", "U16": "uint16", "U8": "uint8", "BOOL": "bool",
}  # fmt: skip
_CODES = {name: code for code, name in _TYPES.items()}


def write_whole(path: str, write: Callable[[Any], None]) -> None:
    """Writes a file under a temporary name, and puts it in its place when it is complete.

    Args:
        path: Where the file is to be.
        write: Is given the open binary file.
    """
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with open(temporary, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        if os.path.exists(temporary):
            os.remove(temporary)
        raise


@contextmanager
def reading(path: Any) -> Iterator[None]:
    """Inside the `with` block whatever a damaged file makes its reader raise is a DataLossError that names the file.

    Args:
        path: Path of the file.
    """
    try:
        yield
    except (errors.OpError, FileNotFoundError, PermissionError, IsADirectoryError):
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, OSError, ValueError) as error:
        raise errors.damaged_file(path, error) from error


def _array(value: Any) -> np.ndarray:
    reader = getattr(value, "_read_array", None)
    return np.asarray(value if reader is None else reader())


def write_npz(file: Any, arrays: Mapping[str, Any]) -> None:
    """Writes named arrays into an open file, as NumPy's .npz.

    Args:
        file: Open binary file.
        arrays: name -> array, tensor or variable.
    """
    with zipfile.ZipFile(file, "w") as archive:
        for name, value in arrays.items():
            buffer = io.BytesIO()
            np.lib.format.write_array(
                buffer, np.asarray(_array(value), order="C"), allow_pickle=False
            )
            archive.writestr(f"{name}.npy", buffer.getvalue())


def read_npz(file: Any) -> dict[str, np.ndarray]:
    """Named arrays of an .npz file.

    Args:
        file: Path or open binary file.

    Raises:
        DataLossError: If it is damaged, or holds objects.
    """
    if isinstance(file, str | os.PathLike):
        # Opened here: NumPy leaves a damaged file open.
        with reading(file), open(file, "rb") as opened:
            return read_npz(opened)
    path = getattr(file, "name", "The .npz file")
    with reading(path), np.load(file, allow_pickle=False) as found:
        return {name: found[name] for name in found.files}


def write_safetensors(
    file: Any, arrays: Mapping[str, Any], metadata: Mapping[str, str] | None = None
) -> None:
    """Writes named arrays into an open file, in the safetensors format.

    Args:
        file: Open binary file.
        arrays: name -> array, tensor or variable.
        metadata: Further texts by name, or None.

    Raises:
        ValueError: If the format has no such dtype.
    """
    header: dict[str, Any] = {"__metadata__": dict(metadata)} if metadata else {}
    parts, offset = [], 0
    for name, value in arrays.items():
        array = np.asarray(_array(value), order="C")
        kind = dtypes.of_array(array).name
        if kind not in _CODES:
            raise ValueError(
                f"safetensors holds no {kind} arrays: '{name}' cannot be saved. Save as .npz."
            )
        size = array.nbytes
        header[name] = {
            "dtype": _CODES[kind],
            "shape": list(array.shape),
            "data_offsets": [offset, offset + size],
        }
        parts.append(array)
        offset += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    file.write(len(text).to_bytes(8, "little"))
    file.write(text)
    for array in parts:
        file.write(np.ascontiguousarray(array).tobytes())


def read_safetensors(file: Any) -> dict[str, np.ndarray]:
    """Named arrays of an open safetensors file.

    Args:
        file: Open binary file.

    Raises:
        DataLossError: If it is damaged.
    """
    with reading(getattr(file, "name", "The safetensors file")):
        return _safetensors(file)


def _safetensors(file: Any) -> dict[str, np.ndarray]:
    start = file.read(8)
    length = int.from_bytes(start, "little")
    if len(start) < 8 or length > 100_000_000:
        raise ValueError("the header of a safetensors file is missing")
    header = json.loads(file.read(length))
    header.pop("__metadata__", None)
    body = file.read()
    found = {}
    for name, entry in header.items():
        first, last = entry["data_offsets"]
        kind = dtypes.as_dtype(_TYPES[entry["dtype"]])._numpy()
        if not 0 <= first <= last <= len(body):
            raise ValueError(f"'{name}' is not whole")
        found[name] = np.frombuffer(body[first:last], kind).reshape(entry["shape"]).copy()
    return found


def sniff(path: str) -> str:
    """What kind of file it is: "npz" (any zip), "hdf5", "safetensors", or "unknown".

    Raises:
        FileNotFoundError: If there is none.
    """
    with open(path, "rb") as file:
        start = file.read(9)
    if start[:4] == b"PK\x03\x04" or start[:4] == b"PK\x05\x06":
        return "npz"
    if start[:8] == b"\x89HDF\r\n\x1a\n":
        return "hdf5"
    if start[8:9] == b"{":
        return "safetensors"
    return "unknown"
