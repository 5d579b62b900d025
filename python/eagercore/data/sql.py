"""Datasets of the rows that a query gives."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any

from ..base import dtypes, errors
from ..base.shapes import TensorSpec
from ..core.tensor import convert
from .dataset import Dataset
from .files import text_of
from .step import Run, Step


class SqlRows(Step):
    """The rows of a query as tuples of scalars."""

    label = "SqlDataset"
    costly = True

    def __init__(self, path: str, query: str, types: tuple[dtypes.DType, ...]) -> None:
        super().__init__()
        self.path, self.query, self.types = path, query, types

    def iterate(self, run: Run) -> Iterator[Any]:
        """Runs the query anew."""
        connection = None
        try:
            connection = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)
            for row in connection.execute(self.query):
                yield self._element(row)
        except sqlite3.Error as error:
            raise errors.InvalidArgumentError(
                f"SqlDataset: {self.query!r} on {self.path} failed: {error}"
            ) from None
        finally:
            if connection is not None:
                connection.close()

    def _element(self, row: tuple[Any, ...]) -> Any:
        if len(row) != len(self.types):
            raise errors.InvalidArgumentError(
                f"SqlDataset: the query gives {len(row)} columns and `output_types` has {len(self.types)}."
            )
        return tuple(_scalar(value, dtype) for value, dtype in zip(row, self.types))

    def describe(self) -> Any:
        """Scalars of the declared types."""
        return tuple(TensorSpec([], dtype) for dtype in self.types)


def _scalar(value: Any, dtype: dtypes.DType) -> Any:
    if value is None:
        value = "" if dtype.kind == "S" else 0
    elif dtype.kind == "S":
        value = value if isinstance(value, bytes) else str(value)
    elif dtype.is_integer:
        value = int(value)
    elif dtype.is_bool:
        value = bool(value)
    else:
        value = float(value)
    return convert(value, dtype)


class SqlDataset(Dataset):
    """The rows of a SQL query as tuples of scalars.

    Args:
        driver_name: "sqlite".
        data_source_name: Path of the database.
        query: The query.
        output_types: Tuple of the columns' dtypes.

    Raises:
        InvalidArgumentError: If the driver is another; while iterating, if the query fails.
    """

    def __init__(
        self, driver_name: Any, data_source_name: Any, query: Any, output_types: Any
    ) -> None:
        if text_of(driver_name) != "sqlite":
            raise errors.InvalidArgumentError(
                f"The database type, {text_of(driver_name)}, is not supported by SqlDataset: it can be 'sqlite'."
            )
        given = output_types if isinstance(output_types, list | tuple) else (output_types,)
        types = tuple(dtypes.as_dtype(t) for t in given)
        super().__init__(SqlRows(text_of(data_source_name), text_of(query), types))


SqlDataset.__module__ = "eagercore"
