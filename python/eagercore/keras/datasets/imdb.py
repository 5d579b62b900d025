"""IMDB: reviews of films, good and bad, as word numbers."""

from __future__ import annotations

import json
from typing import Any

from ...core.host import reordered, shuffled_as_before
from .files import arrays, cached
from .texts import pair, shorter, with_start, within


def load_data(
    path: Any = "imdb.npz",
    num_words: int | None = None,
    skip_top: int = 0,
    maxlen: int | None = None,
    seed: int = 113,
    start_char: int | None = 1,
    oov_char: int | None = 2,
    index_from: int = 3,
    **kwargs: Any,
) -> Any:
    """25,000 training and 25,000 test reviews; words are numbered by how frequent they are.

    Args:
        path: Name of the file in `~/.keras/datasets`, or a path of one's own.
        num_words: Words with larger numbers are replaced by `oov_char`; None keeps all.
        skip_top: So are as many of the most frequent words. Default 0.
        maxlen: Longer reviews are left out; None keeps all.
        seed: Seed of the order. Default 113.
        start_char: Number that stands before each review, or None. Default 1.
        oov_char: Number of the words that are left out; None drops them. Default 2.
        index_from: Words are numbered from here on. Default 3.
        **kwargs: `nb_words`, the older form of `num_words`.

    Returns:
        `(x_train, y_train), (x_test, y_test)`: arrays of lists, and of 0 and 1.

    Raises:
        ValueError: If no review is left.
        OSError: If the file is not there and cannot be loaded.
    """
    num_words = kwargs.pop("nb_words", num_words)
    found = arrays(
        cached(path, "imdb.npz", "69664113be75683a8fe16e3ed0ab59fda8886cb3cd7ada244f7d9544e4676b9f")
    )
    orders = shuffled_as_before(len(found["x_train"]), int(seed), 2)
    if len(found["x_test"]) != len(found["x_train"]):
        raise ValueError("The file is not the published one: training and test reviews differ in number.")
    made = []
    for part, places in zip(("train", "test"), orders, strict=True):
        rows = with_start(reordered(found[f"x_{part}"], places), start_char, index_from)
        made.append(shorter(rows, reordered(found[f"y_{part}"], places), maxlen))
    border = len(made[0][0])
    rows = within(made[0][0] + made[1][0], num_words, skip_top, oov_char)
    return pair(rows[:border], made[0][1]), pair(rows[border:], made[1][1])


def get_word_index(path: Any = "imdb_word_index.json") -> dict[str, int]:
    """Dictionary of words and their numbers (to which `load_data` adds `index_from`).

    Args:
        path: Name of the file in `~/.keras/datasets`, or a path of one's own.
    """
    with open(cached(path, "imdb_word_index.json", "bfafd718b763782e994055a2d397834f"), encoding="utf-8") as file:
        return json.load(file)
