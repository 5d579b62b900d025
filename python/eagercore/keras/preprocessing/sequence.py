"""Sequences of one length, pairs of words, windows of series."""

from __future__ import annotations

import json
import math
import random
from typing import Any

from ...core.host import array, computed, pad_rows, reordered, stacked
from ...core.tensor import Tensor
from ..utils.sequence import Sequence


def pad_sequences(
    sequences: Any,
    maxlen: int | None = None,
    dtype: Any = "int32",
    padding: str = "pre",
    truncating: str = "pre",
    value: Any = 0.0,
) -> Any:
    """Sequences of different lengths as one array.

    Args:
        sequences: List of lists of numbers.
        maxlen: Length of all. Default that of the longest.
        dtype: Type of the result. Default "int32".
        padding: "pre" or "post": where short ones are filled up. Default "pre".
        truncating: "pre" or "post": where long ones are cut. Default "pre".
        value: What fills up. Default 0.

    Returns:
        NumPy array [sequences, maxlen].

    Raises:
        ValueError: If an argument has no meaning, or something in `sequences` is no sequence.

    >>> pad_sequences([[1], [2, 3, 4]], maxlen=2)
    array([[0, 1],
           [3, 4]], dtype=int32)
    """
    if not hasattr(sequences, "__len__"):
        raise ValueError("`sequences` must be iterable.")
    rows = [_row(s) for s in sequences]
    for name, how in (("Padding", padding), ("Truncating", truncating)):
        if how not in ("pre", "post"):
            raise ValueError(f'{name} type "{how}" not understood: it can be "pre" or "post".')
    length = max((len(r) for r in rows), default=0) if maxlen is None else int(maxlen)
    kind = getattr(dtype, "as_numpy_dtype", dtype)
    if array([], kind).dtype.kind not in "UO":
        text = next((item for row in rows for item in row if isinstance(item, str)), None)
        if text is not None:
            raise ValueError(
                f"pad_sequences pads numbers (dtype={dtype}), and `sequences` holds texts such as {text!r}. "
                "Make numbers of them first: Tokenizer.texts_to_sequences."
            )
    if (
        isinstance(value, str)
        and array([value]).dtype.kind == "U"
        and array([], kind).dtype.kind not in "UO"
    ):
        raise ValueError(
            f"`dtype` {dtype} is not compatible with `value`'s type: {type(value)}\nYou should set `dtype=object` for "
            "variable length strings."
        )
    if array([], kind).dtype.kind in "iu" and isinstance(value, float):
        value = int(value)
    return pad_rows(rows, length, kind, value, padding == "pre", truncating == "pre")


def _row(value: Any) -> Any:
    if isinstance(value, Tensor):
        value = value.numpy()
    if not hasattr(value, "__len__"):
        raise ValueError(f"`sequences` must be a list of iterables. Found non-iterable: {value}")
    return value


def make_sampling_table(size: int, sampling_factor: float = 1e-05) -> Any:
    """How likely a word of each rank is to be kept: frequent ones are rather left out.

    Args:
        size: Number of words.
        sampling_factor: The smaller, the more frequent words are left out. Default 1e-5.

    Returns:
        NumPy array [size]: the number at i is for the i-th most frequent word (by Zipf's law).

    >>> make_sampling_table(3).round(5).tolist()
    [0.00315, 0.00315, 0.00548]
    """
    gamma = 0.577
    table = []
    for i in range(int(size)):
        rank = max(i, 1)
        inverse = rank * (math.log(rank) + gamma) + 0.5 - 1.0 / (12.0 * rank)
        share = sampling_factor * inverse
        table.append(min(1.0, share / math.sqrt(share)))
    return array(table, "float64")


def skipgrams(
    sequence: Any,
    vocabulary_size: int,
    window_size: int = 4,
    negative_samples: float = 1.0,
    shuffle: bool = True,
    categorical: bool = False,
    sampling_table: Any = None,
    seed: int | None = None,
) -> tuple[list[list[int]], list[Any]]:
    """Pairs of words that stand near each other, and random pairs.

    Args:
        sequence: A text as a list of word numbers; 0 is no word.
        vocabulary_size: Number of words, with the 0.
        window_size: How far apart the words of a pair may stand. Default 4.
        negative_samples: Random pairs for each true one. Default 1.
        shuffle: Whether the pairs come in random order. Default True.
        categorical: Whether labels are [1, 0] and [0, 1] rather than 0 and 1. Default False.
        sampling_table: How likely each word is kept: see `make_sampling_table`. None keeps all.
        seed: Seed of what is random.

    Returns:
        List of pairs, and list of labels: 1 for pairs that stand near each other.

    >>> couples, labels = skipgrams([1, 2], vocabulary_size=3, negative_samples=0, shuffle=False)
    >>> couples, labels
    ([[1, 2], [2, 1]], [1, 1])
    """
    draw = random.Random(seed) if seed is not None else random.Random(random.randrange(2**63))
    words = [int(w) for w in sequence]
    couples: list[list[int]] = []
    labels: list[Any] = []
    for i, word in enumerate(words):
        if not word or sampling_table is not None and sampling_table[word] < draw.random():
            continue
        for j in range(max(0, i - int(window_size)), min(len(words), i + int(window_size) + 1)):
            if j != i and words[j]:
                couples.append([word, words[j]])
                labels.append([0, 1] if categorical else 1)
    if negative_samples > 0:
        firsts = [couple[0] for couple in couples]
        draw.shuffle(firsts)
        count = int(len(labels) * negative_samples)
        couples += [
            [firsts[i % len(firsts)], draw.randint(1, int(vocabulary_size) - 1)]
            for i in range(count)
        ]
        labels += [[1, 0] if categorical else 0] * count
    if shuffle:
        places = list(range(len(couples)))
        draw.shuffle(places)
        couples, labels = [couples[p] for p in places], [labels[p] for p in places]
    return couples, labels


class TimeseriesGenerator(Sequence):
    """Batches of windows of a series, with what follows each.

    Args:
        data: The series: array [time, ...] (or a list).
        targets: What is to be told, in the length of `data`.
        length: Length of a window.
        sampling_rate: Distance of a window's elements. Default 1.
        stride: Distance of windows. Default 1.
        start_index: First time step that is used. Default 0.
        end_index: Last time step that is used. Default the last.
        shuffle: Whether windows come in random order. Default False.
        reverse: Whether a window's elements stand in opposite order. Default False.
        batch_size: Number of windows in a batch. Default 128.

    Raises:
        ValueError: If data and targets differ in length, or there is no window.

    >>> generator = TimeseriesGenerator([[1.0], [2.0], [3.0], [4.0]], [1, 2, 3, 4], length=2, batch_size=2)
    >>> x, y = generator[0]
    >>> x[..., 0].tolist(), y.tolist()
    ([[1.0, 2.0], [2.0, 3.0]], [3, 4])
    """

    def __init__(
        self,
        data: Any,
        targets: Any,
        length: int,
        sampling_rate: int = 1,
        stride: int = 1,
        start_index: int = 0,
        end_index: int | None = None,
        shuffle: bool = False,
        reverse: bool = False,
        batch_size: int = 128,
    ) -> None:
        if len(data) != len(targets):
            raise ValueError(
                f"Data and targets have to be of same length. Data length is {len(data)} while "
                f"target length is {len(targets)}"
            )
        self.data, self.targets = data, targets
        self.length, self.sampling_rate, self.stride = int(length), int(sampling_rate), int(stride)
        self.start_index = int(start_index) + self.length
        self.end_index = len(data) - 1 if end_index is None else int(end_index)
        self.shuffle, self.reverse, self.batch_size = bool(shuffle), bool(reverse), int(batch_size)
        if self.start_index > self.end_index:
            raise ValueError(
                f"`start_index+length={self.start_index} > end_index={self.end_index}` is "
                f"disallowed, as no part of the "
                "sequence would be left to be used as current step."
            )

    def __len__(self) -> int:
        """Number of batches."""
        return (self.end_index - self.start_index + self.batch_size * self.stride) // (
            self.batch_size * self.stride
        )

    def __getitem__(self, index: int) -> Any:
        """Windows and targets of the batch with this number."""
        if self.shuffle:
            rows = [
                random.randint(self.start_index, self.end_index) for _ in range(self.batch_size)
            ]
        else:
            first = self.start_index + self.batch_size * self.stride * index
            last = min(first + self.batch_size * self.stride, self.end_index + 1)
            rows = list(range(first, last, self.stride))
        data, targets = array(self.data), array(self.targets)
        windows = stacked(data[row - self.length : row : self.sampling_rate] for row in rows)
        if self.reverse:
            windows = computed(lambda w: w[:, ::-1], windows)
        return windows, reordered(targets, rows)

    def get_config(self) -> dict[str, Any]:
        """The generator as a dictionary, with data and targets as JSON.

        Raises:
            TypeError: If the data cannot be written as JSON.
        """
        plain = {}
        for name in ("data", "targets"):
            value = getattr(self, name)
            plain[name] = json.dumps(value.tolist() if hasattr(value, "tolist") else value)
        return {
            **plain, "length": self.length, "sampling_rate": self.sampling_rate, "stride": self.stride,
            "start_index": self.start_index - self.length, "end_index": self.end_index, "shuffle": self.shuffle,
            "reverse": self.reverse, "batch_size": self.batch_size,
        }  # fmt: skip

    def to_json(self, **kwargs: Any) -> str:
        """The generator as JSON."""
        return json.dumps(
            {"class_name": type(self).__name__, "config": self.get_config()}, **kwargs
        )


TimeseriesGenerator.__module__ = "eagercore.keras.preprocessing.sequence"
