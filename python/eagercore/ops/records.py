"""TFRecord files: writing, and reading one record after another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..base.records import RecordWriter, compression_name, read_records
from .gfile import as_text


class TFRecordCompressionType:
    """Kinds of compression."""

    NONE = 0
    ZLIB = 1
    GZIP = 2


class TFRecordOptions:
    """How record files are compressed.

    Args:
        compression_type: "", "GZIP" or "ZLIB", or a `TFRecordCompressionType`.
        flush_mode: Accepted for TensorFlow's sake.
        input_buffer_size: Accepted for TensorFlow's sake.
        output_buffer_size: Accepted for TensorFlow's sake.
        window_bits: Accepted for TensorFlow's sake.
        compression_level: 0 to 9, or None.
        compression_method: Accepted for TensorFlow's sake.
        mem_level: Accepted for TensorFlow's sake.
        compression_strategy: Accepted for TensorFlow's sake.

    Raises:
        ValueError: If the kind is unknown.
    """

    def __init__(
        self, compression_type: Any = None, flush_mode: Any = None, input_buffer_size: Any = None,
        output_buffer_size: Any = None,
        window_bits: Any = None, compression_level: Any = None, compression_method: Any = None, mem_level: Any = None,
        compression_strategy: Any = None,
    ) -> None:  # fmt: skip
        self.compression_type = compression_name(compression_type)
        self.compression_level = compression_level

    @classmethod
    def get_compression_type_string(cls, options: Any) -> str:
        """ "", "GZIP" or "ZLIB"."""
        if not options:
            return ""
        return options.compression_type if isinstance(options, cls) else compression_name(options)


class TFRecordWriter:
    """Writes strings as the records of a file.

    Args:
        path: The file; it is replaced.
        options: `TFRecordOptions`, or a kind of compression.

    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "a.tfrecord")
    >>> with TFRecordWriter(path) as writer:
    ...     writer.write(b"one")
    >>> list(tf_record_iterator(path))
    [b'one']
    """

    def __init__(self, path: Any, options: Any = None) -> None:
        kind = TFRecordOptions.get_compression_type_string(options)
        self._writer = RecordWriter(
            as_text(path), kind, getattr(options, "compression_level", None)
        )
        self._closed = False

    def write(self, record: Any) -> None:
        """Writes one record: bytes, text (as UTF-8) or a string scalar."""
        if hasattr(record, "numpy"):
            record = record.numpy()
        if isinstance(record, str):
            record = record.encode()
        if not isinstance(record, bytes):
            raise TypeError(
                f"TFRecordWriter.write takes bytes, such as example.SerializeToString(), got {record!r}."
            )
        self._writer.write(record)

    def flush(self) -> None:
        """Hands what was written to the operating system."""
        self._writer.flush()

    def close(self) -> None:
        """Closes the file."""
        if not self._closed:
            self._closed = True
            self._writer.close()

    def __enter__(self) -> TFRecordWriter:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()


def tf_record_iterator(path: Any, options: Any = None) -> Iterator[bytes]:
    """The records of a file, as bytes.

    Args:
        path: The file.
        options: `TFRecordOptions`, or a kind of compression.

    Raises:
        DataLossError: If the file is cut short or damaged.
    """
    return read_records(as_text(path), TFRecordOptions.get_compression_type_string(options))


class DatasetRecordWriter:
    """Writes the elements of a dataset of strings as the records of a file.

    Args:
        filename: The file.
        compression_type: None, "GZIP" or "ZLIB".
    """

    def __init__(self, filename: Any, compression_type: Any = None) -> None:
        self._filename, self._compression = filename, compression_type

    def write(self, dataset: Any) -> None:
        """Writes all elements.

        Raises:
            TypeError: If elements are no string scalars.
        """
        with TFRecordWriter(self._filename, self._compression) as writer:
            for element in dataset:
                writer.write(element)


for _cls in (TFRecordCompressionType, TFRecordOptions, TFRecordWriter, DatasetRecordWriter):
    _cls.__module__ = "eagercore"
