"""Steps that read files: lines, records of one length, TFRecords."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..base import dtypes, errors
from ..base.records import open_for_reading, read_records
from ..base.shapes import TensorSpec
from ..core.tensor import EagerTensor, convert
from .sources import TensorSlices
from .step import Run, Step


def text_of(value: Any) -> str:
    """A file name as a Python string."""
    if hasattr(value, "_read_array"):
        value = value._read_array()
    if isinstance(value, np.ndarray):
        value = value.reshape(()).item()
    if hasattr(value, "__fspath__"):
        value = value.__fspath__()
    return value.decode() if isinstance(value, bytes) else str(value)


def scalar_bytes(value: bytes) -> EagerTensor:
    """A string tensor of no dimensions."""
    array = np.empty((), object)
    array[()] = value
    return EagerTensor(array)


def names_step(filenames: Any) -> Step:
    """A step that gives file names: from a dataset, a string or a list or tensor of strings.

    Raises:
        TypeError: If they are no strings.
    """
    if hasattr(filenames, "_step"):
        return filenames._step
    if hasattr(filenames, "__fspath__"):
        filenames = filenames.__fspath__()
    if isinstance(filenames, list | tuple):
        filenames = [f.__fspath__() if hasattr(f, "__fspath__") else f for f in filenames]
    names = convert(filenames, None if len(np.shape(filenames)) else dtypes.string)
    if names.dtype is not dtypes.string and names._array.size:
        raise TypeError(f"The `filenames` argument must contain strings, got {names.dtype.name}.")
    return TensorSlices(EagerTensor(names._array.reshape(-1).astype(object)))


class FileReader(Step):
    """Strings read from files, one file after the other.

    Args:
        names: Step that gives the names.
        read: Function from a name to the byte strings in that file.
        label: Name of the dataset.
    """

    costly = True

    def __init__(self, names: Step, read: Callable[[str], Iterator[bytes]], label: str) -> None:
        super().__init__(names)
        self.read, self.label = read, label

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass."""
        for name in self.inputs[0].iterate(run):
            for record in self.read(text_of(name)):
                yield scalar_bytes(record)

    def describe(self) -> Any:
        """Spec of a string."""
        return TensorSpec([], dtypes.string)


def read_lines(path: str, compression: Any) -> Iterator[bytes]:
    """The lines of a text file, without their ends."""
    import io

    file: Any = open_for_reading(path, compression)
    if not hasattr(file, "readline"):
        file = io.BytesIO(file.read())
    with file:
        for line in file:
            if line.endswith(b"\n"):
                line = line[:-1]
            yield line[:-1] if line.endswith(b"\r") else line


def read_fixed(
    path: str, record_bytes: int, header: int, footer: int, compression: Any
) -> Iterator[bytes]:
    """Records of one length between a header and a footer.

    Raises:
        InvalidArgumentError: If what is between them is no whole number of records.
    """
    file = open_for_reading(path, compression)
    try:
        body = file.read()
    finally:
        file.close()
    inside = len(body) - header - footer
    if inside < 0 or inside % record_bytes:
        raise errors.value_error(
            "FixedLengthRecordDataset",
            f"Excess bytes in {path}: {inside} bytes between a header of {header} and a "
            f"footer of {footer} are no whole "
            f"number of records of {record_bytes} bytes.",
        )
    for start in range(header, header + inside, record_bytes):
        yield body[start : start + record_bytes]


def records_of(compression: Any) -> Callable[[str], Iterator[bytes]]:
    """Reads the TFRecords of a file."""
    return lambda path: read_records(path, compression)
