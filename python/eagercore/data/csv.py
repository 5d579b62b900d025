"""Datasets of the records of CSV files."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..base import dtypes
from ..base.shapes import TensorSpec
from ..core import coerce
from ..core.tensor import EagerTensor
from ..ops.csv_text import Column, columns
from . import files
from .dataset import AUTOTUNE, Dataset, _Eager
from .files import names_step, read_lines, text_of
from .step import Run, Step


class CsvRecords(Step):
    """Records of CSV files as tuples of scalars."""

    label = "CsvDatasetV2"
    costly = True

    def __init__(
        self,
        names: Step,
        defaults: list[Column],
        header: bool,
        options: dict[str, Any],
        compression: Any,
    ) -> None:
        super().__init__(names)
        self.defaults, self.header, self.options, self.compression = (
            defaults,
            header,
            options,
            compression,
        )

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass."""
        for name in self.inputs[0].iterate(run):
            yield from self._file(text_of(name))

    def _file(self, path: str) -> Iterator[Any]:
        records = _whole_records(read_lines(path, self.compression), self.options["quotes"])
        for number, record in enumerate(records):
            if number == 0 and self.header or not record.strip():
                continue
            yield tuple(
                EagerTensor(column[0, ...])
                for column in columns([record], self.defaults, **self.options)
            )

    def describe(self) -> Any:
        """Scalars of the columns' dtypes."""
        return tuple(TensorSpec([], column.dtype) for column in self.defaults)


def _whole_records(lines: Iterator[bytes], quotes: bool) -> Iterator[bytes]:
    """Lines, joined where a quoted field goes on over the end of one."""
    held = b""
    for line in lines:
        held = held + b"\n" + line if held else line
        if quotes and held.count(b'"') % 2:
            continue
        yield held
        held = b""
    if held:
        yield held


class CsvDataset(Dataset):
    """The records of CSV files as tuples of scalars.

    Args:
        filenames: Name, list or tensor of names, or dataset of names.
        record_defaults: For each column a dtype (a field must be there) or the default of an empty field.
        compression_type: None, "GZIP" or "ZLIB".
        buffer_size: Accepted for TensorFlow's sake.
        header: Whether the first line of each file is left out.
        field_delim: What stands between fields.
        use_quote_delim: Whether double quotes enclose fields.
        na_value: What else counts as an empty field.
        select_cols: Numbers of the columns to take, ascending; default all.
        exclude_cols: Numbers of the columns to leave out.
    """

    def __init__(
        self, filenames: Any, record_defaults: Any, compression_type: Any = None,
        buffer_size: Any = None, header: bool = False,
        field_delim: str = ",", use_quote_delim: bool = True, na_value: str = "", select_cols: Any = None,
        exclude_cols: Any = None,
    ) -> None:  # fmt: skip
        if select_cols is not None and exclude_cols is not None:
            raise ValueError("CsvDataset takes `select_cols` or `exclude_cols`, not both.")
        with _Eager():
            names = names_step(filenames)
            defaults = [Column(d) for d in record_defaults]
        select = (
            None
            if select_cols is None
            else coerce.as_ints(select_cols, "CsvDataset", "select_cols")
        )
        if exclude_cols is not None:
            without = set(coerce.as_ints(exclude_cols, "CsvDataset", "exclude_cols"))
            select = [i for i in range(len(defaults) + len(without)) if i not in without]
        options = {
            "delimiter": field_delim,
            "quotes": use_quote_delim,
            "na_value": na_value,
            "select": select,
        }
        super().__init__(CsvRecords(names, defaults, header, options, compression_type))


def _first_rows(
    path: str, count: int, delimiter: str, quotes: bool, compression: Any, encoding: str
) -> list[list[str]]:
    lines = []
    for line in _whole_records(read_lines(path, compression), quotes):
        if len(lines) > count:
            break
        lines.append(line.decode(encoding))
    style = csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE
    return list(csv.reader(lines, delimiter=delimiter, quoting=style))


def _infer(fields: list[str], na_value: str) -> Any:
    """The dtype that all fields of a column fit, as a default."""
    for dtype, kind in (
        (dtypes.int32, int),
        (dtypes.int64, int),
        (dtypes.float32, float),
        (dtypes.float64, float),
    ):
        try:
            values = [kind(f) for f in fields if f not in ("", na_value)]
        except ValueError:
            continue
        if dtype is dtypes.int32 and any(not -(2**31) <= v < 2**31 for v in values):
            continue
        if dtype is dtypes.float32 and any(abs(v) > 3.4e38 and v - v == 0 for v in values):
            continue
        return EagerTensor(np.zeros((), dtype.as_numpy_dtype))
    return files.scalar_bytes(b"")


def make_csv_dataset(
    file_pattern: Any, batch_size: Any, column_names: Any = None, column_defaults: Any = None,
    label_name: str | None = None,
    select_columns: Any = None, field_delim: str = ",", use_quote_delim: bool = True,
    na_value: str = "", header: bool = True,
    num_epochs: Any = None, shuffle: bool = True, shuffle_buffer_size: Any = 10000, shuffle_seed: Any = None,
    prefetch_buffer_size: Any = None, num_parallel_reads: Any = None, sloppy: bool = False,
    num_rows_for_inference: Any = 100,
    compression_type: Any = None, ignore_errors: bool = False, encoding: str = "utf-8",
) -> Dataset:  # fmt: skip
    """Batches of the records of CSV files: dictionaries of columns, or pairs of such a
    dictionary and the label's column.

    Args:
        file_pattern: Pattern of file names, or a list of patterns.
        batch_size: Records in a batch.
        column_names: Names of the columns; default the first line of the first file.
        column_defaults: As `record_defaults` of `CsvDataset`, for the selected columns; default
            found from the first records.
        label_name: Column that is the label.
        select_columns: Names or numbers of the columns to take; default all.
        field_delim: What stands between fields.
        use_quote_delim: Whether double quotes enclose fields.
        na_value: What else counts as an empty field.
        header: Whether the first line of each file names the columns.
        num_epochs: Number of passes; None for without end.
        shuffle: Whether the order is random.
        shuffle_buffer_size: Buffer of the shuffling.
        shuffle_seed: Seed of the order.
        prefetch_buffer_size: Batches to prepare ahead.
        num_parallel_reads: Accepted for TensorFlow's sake.
        sloppy: Accepted for TensorFlow's sake.
        num_rows_for_inference: Records from which dtypes are found; None for all.
        compression_type: None, "GZIP" or "ZLIB".
        ignore_errors: Whether records that do not fit are left out.
        encoding: Encoding of the header.

    Raises:
        ValueError: If the columns cannot be told, or `label_name` is none of them.
    """
    names = Dataset.list_files(file_pattern, shuffle=False)
    first = text_of(next(iter(names)))
    count = (
        2**62
        if num_rows_for_inference is None
        else coerce.as_int(num_rows_for_inference, "make_csv_dataset", "rows")
    )
    rows = _first_rows(first, count, field_delim, use_quote_delim, compression_type, encoding)
    if column_names is None:
        if not header:
            raise ValueError("Cannot infer column names without header line: give `column_names`.")
        column_names = rows[0]
    column_names = [n.decode() if isinstance(n, bytes) else str(n) for n in column_names]
    if len(set(column_names)) != len(column_names):
        raise ValueError(f"Cannot have duplicate column names: {column_names}.")
    chosen = _chosen(select_columns, column_names)
    body = rows[1:] if header else rows
    if column_defaults is None:
        column_defaults = [
            _infer([row[i] for row in body if i < len(row)], na_value) for i in chosen
        ]
    taken = [column_names[i] for i in chosen]
    if label_name is not None and label_name not in taken:
        raise ValueError(
            f"`label_name` provided must be one of the columns, {taken}, got {label_name!r}."
        )
    if shuffle:
        names = names.shuffle(max(len(names), 1), shuffle_seed)
    dataset: Dataset = CsvDataset(
        names,
        column_defaults,
        compression_type,
        None,
        header,
        field_delim,
        use_quote_delim,
        na_value,
        chosen,
    )
    if ignore_errors:
        dataset = dataset.ignore_errors()
    if shuffle:
        dataset = dataset.shuffle(shuffle_buffer_size, shuffle_seed)
    dataset = dataset.repeat(num_epochs).batch(batch_size, drop_remainder=num_epochs is None)

    def named(*values: Any) -> Any:
        record = dict(zip(taken, values))
        return record if label_name is None else (record, record.pop(label_name))

    return dataset.map(named).prefetch(
        AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size
    )


def _chosen(select: Any, names: list[str]) -> list[int]:
    if select is None:
        return list(range(len(names)))
    found = []
    for item in coerce.plain(select) if hasattr(select, "_read_array") else select:
        if isinstance(item, str | bytes):
            text = item.decode() if isinstance(item, bytes) else item
            if text not in names:
                raise ValueError(f"Value {text!r} of `select_columns` is no column: {names}.")
            found.append(names.index(text))
        else:
            found.append(coerce.as_int(item, "make_csv_dataset", "select_columns"))
    return sorted(found)


CsvDataset.__module__ = "eagercore"
