"""Words and numbers by a table, and texts as rows of what a rule makes of them: the work of preprocessing layers.

Tables and rules are Python objects that know arrays alone; as attributes of ops they serve in graphs too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtypes
from ..base.shapes import TensorSpec
from ..core.op import op
from .string_hash import fingerprint


class Table:
    """Numbers (or words) by key.

    Args:
        entries: Dictionary of bytes or ints and what belongs to them.
        default: What belongs to other keys; a function of the key, or a value.
        dtype: Dtype of the results.

    >>> Table({b"a": 1}, 0, dtypes.int64).find(np.array([b"a", b"b"], dtype=object)).tolist()
    [1, 0]
    """

    def __init__(self, entries: dict[Any, Any], default: Any, dtype: Any) -> None:
        self.entries, self.default, self.dtype = entries, default, dtypes.as_dtype(dtype)

    def find(self, keys: np.ndarray) -> np.ndarray:
        """What belongs to each key, in the keys' shape."""
        get, default = self.entries.get, self.default
        flat = keys.reshape(-1).tolist()
        if callable(default):
            found = [default(k) if v is None else v for k, v in ((k, get(k)) for k in flat)]
        else:
            found = [get(k, default) for k in flat]
        made = np.empty(len(found), self.dtype._numpy())
        made[:] = found
        return made.reshape(keys.shape)

    def _saved_state(self) -> Any:
        """What a saved model keeps of it."""
        return list(self.entries), list(self.entries.values()), self.default, self.dtype

    @classmethod
    def _from_saved_state(cls, state: Any) -> Table:
        keys, values, default, dtype = state
        return cls(dict(zip(keys, values, strict=True)), default, dtype)


class Bins:
    """Numbers of keys that a table does not have: spread over some bins.

    Args:
        first: Number of the first bin.
        count: How many there are.
    """

    def __init__(self, first: int, count: int) -> None:
        self.first, self.count = first, count

    def __call__(self, key: Any) -> int:
        """The bin of a key."""
        return self.first + (key if isinstance(key, int) else fingerprint(key)) % self.count

    def _saved_state(self) -> Any:
        return self.first, self.count

    @classmethod
    def _from_saved_state(cls, state: Any) -> Bins:
        return cls(*state)


_SAMPLE = Table({1: 5, 2: 6}, 0, dtypes.int64)


@op(differentiable=False)
def find_in_table(xp, keys, *, table: Any):
    """What belongs to each key in a table.

    Args:
        keys: Strings or whole numbers.
        table: A `Table`.

    Returns:
        Tensor in the shape of `keys`.

    >>> find_in_table([1, 2, 9], table=Table({1: 5, 2: 6}, 0, dtypes.int64)).numpy()
    array([5, 6, 0])
    """
    return table.find(np.asarray(keys))


@find_in_table.shape_rule
def find_in_table_rule(keys, *, table):
    return TensorSpec(keys.shape, table.dtype)


@find_in_table.samples
def find_in_table_samples(rng):
    yield (rng.integers(0, 4, size=(2, 3)),), {"table": _SAMPLE}


class Lengths:
    """A rule for `rows_of_texts`: the length of each text in bytes. Serves as an example."""

    dtype, width = dtypes.int64, 1

    def rows(self, texts: list[bytes]) -> np.ndarray:
        """A row for each text."""
        return np.array([[len(t)] for t in texts], np.int64).reshape(-1, 1)

    def _saved_state(self) -> Any:
        return None

    @classmethod
    def _from_saved_state(cls, state: Any) -> Lengths:
        return cls()


@op(differentiable=False, data_dependent=True)
def rows_of_texts(xp, texts, *, rule: Any):
    """A row of numbers (or words) for each text.

    Args:
        texts: Strings.
        rule: An object whose `rows(list of bytes)` gives an array [texts, columns], whose `dtype` is its dtype and
            whose `width` the number of columns, or None where that depends on the texts.

    Returns:
        Tensor in the shape of `texts` with the columns behind.

    >>> rows_of_texts(["a", "abc"], rule=Lengths()).numpy()
    array([[1],
           [3]])
    """
    flat = [
        t if isinstance(t, bytes) else str(t).encode()
        for t in np.asarray(texts).reshape(-1).tolist()
    ]
    made = rule.rows(flat)
    return made.reshape(*texts.shape, made.shape[1])


@rows_of_texts.shape_rule
def rows_of_texts_rule(texts, *, rule):
    if texts.shape.rank is None:
        return TensorSpec(None, rule.dtype)
    return TensorSpec([*texts.shape, rule.width], rule.dtype)


@rows_of_texts.samples
def rows_of_texts_samples(rng):
    yield (np.array([b"a", b"bcd"], dtype=object),), {"rule": Lengths()}
