"""Fields of CSV records as typed columns: what decode_csv and the CSV datasets share."""

from __future__ import annotations

import csv
from typing import Any

import numpy as np

from ..base import dtypes, errors
from ..core.tensor import convert
from .debug import get_static_value

_KINDS = {"float32", "float64", "int32", "int64", "string"}


class Column:
    """How a field is read.

    Args:
        default: A dtype (the field must be there), or a value of rank 0 or 1 whose dtype is the
            column's and which stands for an empty field; an empty list of that dtype means that
            it must be there.
    """

    def __init__(self, default: Any) -> None:
        self.value: Any = None
        if isinstance(default, dtypes.DType | type):
            self.dtype = dtypes.as_dtype(default)
        else:
            made = get_static_value(convert(default))
            made = (
                made
                if made is None
                else np.asarray(made, object if isinstance(made, bytes) else None)
            )
            if made is None:
                raise errors.value_error(
                    "DecodeCSV", "a default must be a value that is known when the graph is built."
                )
            self.dtype = dtypes.as_dtype(made.dtype) if made.dtype != object else dtypes.string
            if made.size:
                self.value = made.reshape(-1)[0]
        if self.dtype.name not in _KINDS:
            raise errors.dtype_error(
                "DecodeCSV",
                f"A CSV column can be float32, float64, int32, int64 or string, got {self.dtype.name}.",
            )

    def parse(self, field: str, row: int, place: int, na_value: str) -> Any:
        """The value of a field.

        Raises:
            InvalidArgumentError: If it does not fit the dtype, or is missing without a default.
        """
        if field == "" or field == na_value:
            if self.value is None:
                raise errors.value_error(
                    "DecodeCSV", f"Field {place} is required but missing in record {row}!"
                )
            return self.value
        if self.dtype.kind == "S":
            return field.encode("latin-1")
        try:
            return float(field) if self.dtype.kind == "f" else int(field)
        except ValueError:
            raise errors.value_error(
                "DecodeCSV",
                f"Field {place} in record {row} is not a valid {self.dtype.name}: {field}",
            ) from None


def split(record: bytes, delimiter: str, quotes: bool) -> list[str]:
    """The fields of one record as Latin-1 text, which keeps bytes as they are.

    Raises:
        InvalidArgumentError: If quotes do not close.
    """
    text = record.decode("latin-1")
    if not quotes:
        return text.split(delimiter)
    if '"' not in text:
        return text.rstrip("\r\n").split(delimiter)
    try:
        rows = list(csv.reader([text], delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise errors.value_error(
            "DecodeCSV", f"Quotes in the CSV record {text!r} are wrong: {error}."
        ) from None
    return rows[0] if rows else [""]


def columns(
    records: list[bytes],
    defaults: list[Column],
    delimiter: str,
    quotes: bool,
    na_value: str,
    select: Any = None,
) -> list[np.ndarray]:
    """The columns of records, each an array of its dtype.

    Raises:
        InvalidArgumentError: If a record has another number of fields, or a field does not fit.
    """
    made: list[list[Any]] = [[] for _ in defaults]
    for row, record in enumerate(records):
        parts = split(record, delimiter, quotes)
        if select is None:
            if len(parts) != len(defaults):
                raise errors.value_error(
                    "DecodeCSV",
                    f"Expect {len(defaults)} fields but have {len(parts)} in record {row}",
                )
            chosen = list(range(len(parts)))
        else:
            chosen = list(select)
            if chosen and chosen[-1] >= len(parts):
                raise errors.value_error(
                    "DecodeCSV",
                    f"Expect more than {chosen[-1]} fields but have {len(parts)} in record {row}",
                )
        for place, (column, number) in enumerate(zip(defaults, chosen)):
            made[place].append(column.parse(parts[number], row, number, na_value))
    return [_array(values, column.dtype) for values, column in zip(made, defaults)]


def _array(values: list[Any], dtype: dtypes.DType) -> np.ndarray:
    if dtype.kind != "S":
        return np.array(values, dtype._numpy())
    out = np.empty(len(values), object)
    out[:] = values
    return out
