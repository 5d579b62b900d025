"""Strings as TensorFlow 1 splits them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.tensor import convert
from ...ops.create import constant


def string_split(
    source: Any = None, sep: str | None = None, skip_empty: bool = True, delimiter: Any = " ", result_type: str =
        "SparseTensor",
    name: str | None = None,
) -> Any:  # fmt: skip
    """Splits each string at a delimiter; the parts stand in a `SparseTensor`.

    Args:
        source: Vector of strings.
        sep: Delimiter (new name).
        skip_empty: Whether empty parts are left out.
        delimiter: Delimiter; each of its characters splits; an empty one gives single bytes.
        result_type: "SparseTensor" or "RaggedTensor".
        name: Accepted for TensorFlow's sake.

    Returns:
        `SparseTensor` [number of strings, most parts] (or `RaggedTensor`).

    Raises:
        ValueError: If `source` is no vector.

    >>> string_split(["a b", "c"]).values.numpy()
    array([b'a', b'b', b'c'], dtype=object)
    """
    given = convert(source)
    if given.shape.rank != 1:
        raise ValueError(f"string_split takes a vector of strings, got shape {given.shape}.")
    separator = delimiter if sep is None else sep
    separator = separator._read_array()[()] if hasattr(separator, "_read_array") else separator
    cut = separator.encode() if isinstance(separator, str) else separator
    rows = [_parts(text, cut, skip_empty) for text in given._read_array()]
    if result_type == "RaggedTensor":
        import eagercore

        return eagercore.ragged.constant(rows, dtype="string")
    import eagercore

    indices = [[i, j] for i, row in enumerate(rows) for j in range(len(row))]
    values = np.array([part for row in rows for part in row] or [b""], object)[: len(indices)]
    return eagercore.sparse.SparseTensor(
        constant(np.array(indices, np.int64).reshape(-1, 2)),
        constant(values),
        [len(rows), max(map(len, rows), default=0)],
    )


def _parts(text: bytes, cut: bytes, skip_empty: bool) -> list[bytes]:
    if not cut:
        parts = [text[i : i + 1] for i in range(len(text))]
    else:
        for byte in cut[1:]:
            text = text.replace(bytes([byte]), cut[:1])
        parts = text.split(cut[:1])
    return [p for p in parts if p] if skip_empty else parts
