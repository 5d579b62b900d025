"""Reuters: news in 46 topics, as word numbers."""

from __future__ import annotations

import json
from typing import Any

from ...core.host import reordered, shuffled_as_before
from .files import arrays, cached
from .texts import pair, shorter, with_start, within

LABELS = (
    "cocoa", "grain", "veg-oil", "earn", "acq", "wheat", "copper", "housing", "money-supply", "coffee",
    "sugar", "trade", "reserves", "ship", "cotton", "carcass", "crude", "nat-gas", "cpi", "money-fx",
    "interest", "gnp", "meal-feed", "alum", "oilseed", "gold", "tin", "strategic-metal", "livestock",
    "retail", "ipi", "iron-steel", "rubber", "heat", "jobs", "lei", "bop", "zinc", "orange", "pet-chem",
    "dlr", "gas", "silver", "wpi", "hog", "lead",
)  # fmt: skip


def load_data(
    path: Any = "reuters.npz",
    num_words: int | None = None,
    skip_top: int = 0,
    maxlen: int | None = None,
    test_split: float = 0.2,
    seed: int = 113,
    start_char: int | None = 1,
    oov_char: int | None = 2,
    index_from: int = 3,
    **kwargs: Any,
) -> Any:
    """11,228 news; words are numbered by how frequent they are.

    Args:
        path: Name of the file in `~/.keras/datasets`, or a path of one's own.
        num_words: Words with larger numbers are replaced by `oov_char`; None keeps all.
        skip_top: So are as many of the most frequent words. Default 0.
        maxlen: Longer news are left out; None keeps all.
        test_split: Part that is set aside for tests. Default 0.2.
        seed: Seed of the order. Default 113.
        start_char: Number that stands before each text, or None. Default 1.
        oov_char: Number of the words that are left out; None drops them. Default 2.
        index_from: Words are numbered from here on. Default 3.
        **kwargs: `nb_words`, the older form of `num_words`.

    Returns:
        `(x_train, y_train), (x_test, y_test)`: arrays of lists, and of topics from 0 to 45.

    Raises:
        ValueError: If no text is left.
        OSError: If the file is not there and cannot be loaded.
    """
    num_words = kwargs.pop("nb_words", num_words)
    found = arrays(
        cached(
            path, "reuters.npz", "d6586e694ee56d7a4e65172e12b3e987c03096cb01eab99753921ef915959916"
        )
    )
    places = shuffled_as_before(len(found["x"]), int(seed))[0]
    rows = with_start(reordered(found["x"], places), start_char, index_from)
    rows, labels = shorter(rows, reordered(found["y"], places), maxlen)
    rows = within(rows, num_words, skip_top, oov_char)
    border = int(len(rows) * (1 - test_split))
    return pair(rows[:border], labels[:border]), pair(rows[border:], labels[border:])


def get_word_index(path: Any = "reuters_word_index.json") -> dict[str, int]:
    """Dictionary of words and their numbers (to which `load_data` adds `index_from`).

    Args:
        path: Name of the file in `~/.keras/datasets`, or a path of one's own.
    """
    with open(
        cached(path, "reuters_word_index.json", "4d44cc38712099c9e383dc6e5f11a921"),
        encoding="utf-8",
    ) as file:
        return json.load(file)


def get_label_names() -> tuple[str, ...]:
    """The names of the topics, in the order of their numbers."""
    return LABELS
