"""Words as numbers: Tokenizer and its kin."""

from __future__ import annotations

import hashlib
import json
import math
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from ...core.host import counted_rows
from ...core.tensor import Tensor

FILTERS = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n'


def text_to_word_sequence(
    input_text: Any, filters: str = FILTERS, lower: bool = True, split: str = " "
) -> list[str]:
    """The words of a text.

    Args:
        input_text: The text.
        filters: Characters that count as separators. Default punctuation, tab and newline.
        lower: Whether the text is made lower case. Default True.
        split: Separator of words. Default a space.

    Returns:
        List of words.

    >>> text_to_word_sequence("Good muffins cost $3.88.")
    ['good', 'muffins', 'cost', '3', '88']
    """
    text = _text(input_text)
    if lower:
        text = text.lower()
    text = text.translate({ord(c): split for c in filters})
    return [word for word in text.split(split) if word]


def _text(value: Any) -> str:
    """A text, also when it comes as bytes or as a tensor."""
    if isinstance(value, Tensor):
        value = value.numpy()
    if hasattr(value, "item") and not isinstance(value, str | bytes):
        value = value.item()
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def hashing_trick(
    text: str,
    n: int,
    hash_function: Any = None,
    filters: str = FILTERS,
    lower: bool = True,
    split: str = " ",
    analyzer: Any = None,
) -> list[int]:
    """Words as numbers below `n` by a hash; different words may get the same number.

    Args:
        text: The text.
        n: Numbers are from 1 to n - 1.
        hash_function: "md5", a function of a word, or None for Python's `hash`, which differs from run to run.
        filters: Characters that count as separators.
        lower: Whether the text is made lower case. Default True.
        split: Separator of words. Default a space.
        analyzer: Function that splits a text into words, in place of the above.

    Returns:
        List of numbers.

    >>> hashing_trick("one two one", 50, "md5")
    [9, 19, 9]
    """
    if hash_function is None:
        hash_function = hash
    elif hash_function == "md5":

        def hash_function(word: str) -> int:
            return int(hashlib.md5(word.encode()).hexdigest(), 16)

    words = text_to_word_sequence(text, filters, lower, split) if analyzer is None else analyzer(text)
    return [hash_function(word) % (int(n) - 1) + 1 for word in words]


def one_hot(
    input_text: str,
    n: int,
    filters: str = FILTERS,
    lower: bool = True,
    split: str = " ",
    analyzer: Any = None,
) -> list[int]:
    """Words as numbers below `n` by Python's hash (numbers, in spite of the name).

    Args:
        input_text: The text.
        n: Numbers are from 1 to n - 1.
        filters: Characters that count as separators.
        lower: Whether the text is made lower case. Default True.
        split: Separator of words. Default a space.
        analyzer: Function that splits a text into words, in place of the above.

    Returns:
        List of numbers.

    >>> len(one_hot("one two one", 50))
    3
    """
    return hashing_trick(input_text, n, hash, filters, lower, split, analyzer)


class Tokenizer:
    """Numbers words by how frequent they are, from 1; 0 is left for padding.

    Args:
        num_words: How many of the most frequent words are used (those with numbers below it), or None for all.
        filters: Characters that count as separators. Default punctuation (without the apostrophe), tab and newline.
        lower: Whether texts are made lower case. Default True.
        split: Separator of words. Default a space.
        char_level: Whether every character is a word. Default False.
        oov_token: Stands for words that are not known; its number is 1. None leaves them out.
        analyzer: Function that splits a text into words, in place of the above.
        **kwargs: `document_count`.

    Attributes:
        word_index: Dictionary of word and number; may be assigned into.
        index_word: Dictionary of number and word.
        word_counts: Ordered dictionary of word and how often it came.
        word_docs: Dictionary of word and in how many texts it came.
        document_count: Number of texts.

    Raises:
        TypeError: If a keyword is not understood.

    >>> tokenizer = Tokenizer(oov_token="<unk>")
    >>> tokenizer.fit_on_texts(["the cat", "the dog"])
    >>> tokenizer.word_index
    {'<unk>': 1, 'the': 2, 'cat': 3, 'dog': 4}
    >>> tokenizer.texts_to_sequences(["the bird"])
    [[2, 1]]
    """

    def __init__(
        self,
        num_words: int | None = None,
        filters: str = FILTERS,
        lower: bool = True,
        split: str = " ",
        char_level: bool = False,
        oov_token: str | None = None,
        analyzer: Any = None,
        **kwargs: Any,
    ) -> None:
        document_count = kwargs.pop("document_count", 0)
        kwargs.pop("nb_words", None)
        if kwargs:
            raise TypeError(f"Unrecognized keyword arguments: {kwargs}")
        self.word_counts: OrderedDict[str, int] = OrderedDict()
        self.word_docs: defaultdict[str, int] = defaultdict(int)
        self.index_docs: defaultdict[int, int] = defaultdict(int)
        self.word_index: dict[str, int] = {}
        self.index_word: dict[int, str] = {}
        self.num_words = None if num_words is None else int(num_words)
        self.filters = filters or ""
        self.lower, self.split, self.char_level = bool(lower), split, bool(char_level)
        self.oov_token, self.analyzer = oov_token, analyzer
        self.document_count = int(document_count)

    def _words(self, text: Any) -> Any:
        if isinstance(text, list | tuple) or self.char_level:
            words = text if isinstance(text, list | tuple) else _text(text)
            if self.lower:
                words = [w.lower() for w in words] if isinstance(words, list | tuple) else words.lower()
            return words
        if self.analyzer is not None:
            return self.analyzer(text)
        return text_to_word_sequence(text, self.filters, self.lower, self.split)

    def fit_on_texts(self, texts: Any) -> None:
        """Learns the words of texts; may be called again for more.

        Args:
            texts: List (or iterator) of texts, or of lists of words; or one text.
        """
        for text in _texts(texts):
            self.document_count += 1
            words = self._words(text)
            for word in words:
                self.word_counts[word] = self.word_counts.get(word, 0) + 1
            for word in set(words):
                self.word_docs[word] += 1
        ranked = sorted(self.word_counts.items(), key=lambda pair: pair[1], reverse=True)
        words = [] if self.oov_token is None else [self.oov_token]
        words += [word for word, _ in ranked]
        self.word_index = dict(zip(words, range(1, len(words) + 1), strict=True))
        self.index_word = {number: word for word, number in self.word_index.items()}
        for word, count in self.word_docs.items():
            self.index_docs[self.word_index[word]] = count

    def fit_on_sequences(self, sequences: Any) -> None:
        """Learns how many sequences hold each number, for `sequences_to_matrix`.

        Args:
            sequences: List of lists of numbers.
        """
        self.document_count += len(sequences)
        for sequence in sequences:
            for number in set(sequence):
                self.index_docs[int(number)] += 1

    def texts_to_sequences(self, texts: Any) -> list[list[int]]:
        """Texts as lists of numbers.

        Args:
            texts: List (or iterator) of texts, or of lists of words; or one text.

        Returns:
            List of lists of numbers; words that are not known are left out, or are the out-of-vocabulary token.
        """
        return list(self.texts_to_sequences_generator(texts))

    def texts_to_sequences_generator(self, texts: Any) -> Iterator[list[int]]:
        """`texts_to_sequences`, one text after the other."""
        unknown = self.word_index.get(self.oov_token) if self.oov_token is not None else None
        for text in _texts(texts):
            numbers = []
            for word in self._words(text):
                number = self.word_index.get(word)
                if number is None or self.num_words and number >= self.num_words:
                    number = unknown
                if number is not None:
                    numbers.append(number)
            yield numbers

    def sequences_to_texts(self, sequences: Any) -> list[str]:
        """Lists of numbers as texts.

        Args:
            sequences: List of lists of numbers.

        Returns:
            List of texts, words separated by a space; numbers that are not known are left out, or are the
            out-of-vocabulary token.
        """
        return list(self.sequences_to_texts_generator(sequences))

    def sequences_to_texts_generator(self, sequences: Any) -> Iterator[str]:
        """`sequences_to_texts`, one after the other."""
        unknown = self.word_index.get(self.oov_token) if self.oov_token is not None else None
        for sequence in sequences:
            words = []
            for number in sequence:
                number = int(number)
                word = self.index_word.get(number)
                if word is None or self.num_words and number >= self.num_words:
                    word = self.index_word.get(unknown) if unknown is not None else None
                if word is not None:
                    words.append(word)
            yield " ".join(words)

    def texts_to_matrix(self, texts: Any, mode: str = "binary") -> Any:
        """Texts as rows with a column for each word; see `sequences_to_matrix`.

        Args:
            texts: List of texts.
            mode: "binary", "count", "freq" or "tfidf". Default "binary".

        Returns:
            NumPy array [texts, num_words].
        """
        return self.sequences_to_matrix(self.texts_to_sequences(texts), mode=mode)

    def sequences_to_matrix(self, sequences: Any, mode: str = "binary") -> Any:
        """Lists of numbers as rows with a column for each number.

        Args:
            sequences: List of lists of numbers.
            mode: "binary" for 1 where the number is there, "count" for how often, "freq" for its share, "tfidf" for
                `(1 + log(count)) * log(1 + texts / (1 + texts with it))`. Default "binary".

        Returns:
            NumPy array [sequences, num_words].

        Raises:
            ValueError: If the mode has no meaning, or it is not known how many words there are.
        """
        if self.num_words is None and not self.word_index:
            raise ValueError("Specify a dimension (`num_words` argument), or fit on some text data first.")
        columns = self.num_words or len(self.word_index) + 1
        if mode == "tfidf" and not self.document_count:
            raise ValueError("Fit the Tokenizer on some data before using tfidf mode.")
        weigh = {
            "binary": lambda column, count, length: 1.0,
            "count": lambda column, count, length: count,
            "freq": lambda column, count, length: count / length,
            "tfidf": lambda column, count, length: (1 + math.log(count))
            * math.log(1 + self.document_count / (1 + self.index_docs.get(column, 0))),
        }.get(mode)
        if weigh is None:
            raise ValueError(f"Unknown vectorization mode: {mode!r}. It can be 'binary', 'count', 'freq' or 'tfidf'.")
        return counted_rows([[int(n) for n in s] for s in sequences], columns, weigh)

    def get_config(self) -> dict[str, Any]:
        """The tokenizer as a dictionary; what it learned as JSON inside."""
        return {
            "num_words": self.num_words,
            "filters": self.filters,
            "lower": self.lower,
            "split": self.split,
            "char_level": self.char_level,
            "oov_token": self.oov_token,
            "document_count": self.document_count,
            "word_counts": json.dumps(self.word_counts),
            "word_docs": json.dumps(self.word_docs),
            "index_docs": json.dumps(self.index_docs),
            "index_word": json.dumps(self.index_word),
            "word_index": json.dumps(self.word_index),
        }

    def to_json(self, **kwargs: Any) -> str:
        """The tokenizer as JSON, which `tokenizer_from_json` reads.

        Args:
            **kwargs: Arguments of `json.dumps`.
        """
        return json.dumps({"class_name": type(self).__name__, "config": self.get_config()}, **kwargs)


def _texts(texts: Any) -> Iterable[Any]:
    """A list of texts, also of one text or of a tensor of them."""
    if isinstance(texts, str | bytes):
        return [texts]
    if isinstance(texts, Tensor):
        texts = texts.numpy()
    return texts.reshape(-1).tolist() if hasattr(texts, "reshape") else texts


def tokenizer_from_json(json_string: str) -> Tokenizer:
    """The tokenizer that `Tokenizer.to_json` wrote.

    Args:
        json_string: The JSON.

    >>> tokenizer = Tokenizer()
    >>> tokenizer.fit_on_texts(["a b a"])
    >>> tokenizer_from_json(tokenizer.to_json()).word_index
    {'a': 1, 'b': 2}
    """
    config = dict(json.loads(json_string)["config"])
    learned = {
        name: json.loads(config.pop(name))
        for name in ("word_counts", "word_docs", "index_docs", "index_word", "word_index")
    }
    made = Tokenizer(**config)
    made.word_counts = OrderedDict(learned["word_counts"])
    made.word_docs = defaultdict(int, learned["word_docs"])
    made.index_docs = defaultdict(int, {int(k): v for k, v in learned["index_docs"].items()})
    made.index_word = {int(k): v for k, v in learned["index_word"].items()}
    made.word_index = learned["word_index"]
    return made


Tokenizer.__module__ = "eagercore.keras.preprocessing.text"
