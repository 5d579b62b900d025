"""What data sets of texts as word numbers share."""

from __future__ import annotations

from typing import Any

from ...core.host import array, of_lists


def with_start(rows: Any, start_char: Any, index_from: int) -> list[list[int]]:
    """Lists of word numbers, moved up by `index_from`, with the number of the start before them."""
    first = [] if start_char is None else [int(start_char)]
    return [first + [int(w) + index_from for w in row] for row in rows]


def shorter(rows: Any, labels: Any, maxlen: int | None) -> tuple[list[Any], list[Any]]:
    """The rows, and their labels, that are shorter than `maxlen`.

    Raises:
        ValueError: If none is left.
    """
    if not maxlen:
        return list(rows), list(labels)
    kept = [(row, label) for row, label in zip(rows, labels, strict=True) if len(row) < maxlen]
    if not kept:
        raise ValueError(
            f"After filtering for sequences shorter than maxlen={maxlen}, no sequence was kept. Increase maxlen."
        )
    return [row for row, _ in kept], [label for _, label in kept]


def within(rows: Any, num_words: int | None, skip_top: int, oov_char: Any) -> list[list[int]]:
    """Lists of word numbers in which rare and frequent words are replaced by `oov_char`, or left out."""
    limit = int(num_words) if num_words else max(max(row) for row in rows) + (1 if oov_char is None else 0)
    if oov_char is not None:
        return [[w if skip_top <= w < limit else oov_char for w in row] for row in rows]
    return [[w for w in row if skip_top <= w < limit] for row in rows]


def pair(rows: Any, labels: Any) -> tuple[Any, Any]:
    """Rows and labels as arrays."""
    return of_lists(rows), array(labels)
