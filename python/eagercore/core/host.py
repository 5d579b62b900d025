"""Arrays that are handed to users as they are, for the floors that know no NumPy: padded rows, tables, stacks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def array(value: Any, dtype: Any = None) -> Array:
    """The value as a NumPy array; tensors give theirs.

    >>> array([1, 2], "float32")
    array([1., 2.], dtype=float32)
    """
    return np.asarray(value, None if dtype is None else np.dtype(dtype))


def fresh(value: Any, dtype: Any = None) -> Array:
    """A copy of the value as a NumPy array, that may be written into."""
    return np.array(value, None if dtype is None else np.dtype(dtype))


def full(shape: Any, value: Any, dtype: Any) -> Array:
    """An array of one value."""
    return np.full(tuple(shape), value, np.dtype(dtype))


def stacked(values: Iterable[Any], dtype: Any = None) -> Array:
    """Values of one shape as one array, along a new first axis."""
    return np.asarray([np.asarray(v) for v in values], None if dtype is None else np.dtype(dtype))


def joined(values: Iterable[Any]) -> Array:
    """Arrays one behind the other along their first axis."""
    return np.concatenate([np.asarray(v) for v in values])


def order(count: int, seed: Any = None) -> Array:
    """The numbers below `count` in random order."""
    return np.random.default_rng(seed).permutation(count)


def reordered(value: Any, places: Any) -> Array:
    """The rows of an array at the given places."""
    return np.asarray(value)[np.asarray(places)]


def computed(function: Callable[..., Any], *values: Any) -> Array:
    """What a function of NumPy arrays gives, as an array."""
    return np.asarray(function(*(np.asarray(v) for v in values)))


def pad_rows(
    rows: Sequence[Any], length: int, dtype: Any, value: Any, pad_before: bool, cut_before: bool
) -> Array:
    """Rows of different lengths as one array.

    Args:
        rows: Sequences of numbers (or of arrays of one shape), or of strings with dtype object.
        length: Length that all get.
        dtype: Type of the result.
        value: What fills up.
        pad_before: Whether it is filled up before rather than behind.
        cut_before: Whether what is too long loses its beginning rather than its end.

    Returns:
        Array [rows, length, ...].

    Raises:
        ValueError: If the elements' shapes differ.

    >>> pad_rows([[1], [2, 3, 4]], 2, "int32", 0, True, False)
    array([[0, 1],
           [2, 3]], dtype=int32)
    """
    inner: tuple[int, ...] = ()
    for row in rows:
        if len(row):
            inner = np.asarray(row).shape[1:]
            break
    kind = np.dtype(dtype)
    made = np.full((len(rows), length, *inner), value, kind)
    for i, row in enumerate(rows):
        if not len(row) or not length:
            continue
        kept = np.asarray(row[-length:] if cut_before else row[:length], kind)
        if kept.shape[1:] != inner:
            raise ValueError(
                f"Shape of sample {kept.shape[1:]} of sequence at position {i} is different from expected shape {inner}"
            )
        if pad_before:
            made[i, -len(kept) :] = kept
        else:
            made[i, : len(kept)] = kept
    return made


def counted_rows(
    rows: Sequence[Sequence[int]], columns: int, weigh: Callable[[int, int, int], float]
) -> Array:
    """A row of numbers for each list of columns: what `weigh(column, how often, length of the list)` says.

    >>> counted_rows([[1, 1, 2]], 3, lambda column, count, length: count)
    array([[0., 2., 1.]])
    """
    made = np.zeros((len(rows), columns))
    for i, row in enumerate(rows):
        counts: dict[int, int] = {}
        for column in row:
            if column < columns:
                counts[column] = counts.get(column, 0) + 1
        for column, count in counts.items():
            made[i, column] = weigh(column, count, len(row))
    return made


def shuffled_as_before(count: int, seed: int, rounds: int = 1) -> list[Array]:
    """Orders of `range(count)` as NumPy's first generator draws them: published data sets were split by it."""
    generator = np.random.RandomState(seed)
    made = []
    for _ in range(rounds):
        places = np.arange(count)
        generator.shuffle(places)
        made.append(places)
    return made


def of_lists(values: Sequence[Any]) -> Array:
    """An array of lists."""
    made = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        made[i] = value
    return made


def from_bytes(data: bytes, shape: Any, offset: int = 0) -> Array:
    """Bytes as an array of small whole numbers.

    >>> from_bytes(b"ab", (1, 2)).tolist()
    [[97, 98]]
    """
    return np.frombuffer(data, np.uint8, offset=offset).reshape(shape).copy()
