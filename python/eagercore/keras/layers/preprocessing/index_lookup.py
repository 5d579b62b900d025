"""What lookups of strings and whole numbers share: a vocabulary, learned or given."""

from __future__ import annotations

import math
import os
from typing import Any

from ....base import dtypes
from ....core.host import array
from ....core.tensor import Tensor
from ....ops.arithmetic import multiply
from ....ops.create import constant
from ....ops.vocabulary import Bins, Table, find_in_table
from .base import PreprocessingLayer, encoded
from .discretization import result_shape

MODES = ("int", "one_hot", "multi_hot", "count", "tf_idf")


class IndexLookup(PreprocessingLayer):
    """Base of `StringLookup` and `IntegerLookup`."""

    _key_dtype: Any = None

    def __init__(
        self,
        max_tokens: int | None,
        num_oov_indices: int,
        mask_token: Any,
        oov_token: Any,
        vocabulary: Any,
        idf_weights: Any,
        invert: bool,
        output_mode: str,
        sparse: bool,
        pad_to_max_tokens: bool,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if max_tokens is not None and max_tokens <= 1:
            raise ValueError(f"If set, `max_tokens` must be greater than 1. Received: max_tokens={max_tokens}")
        if num_oov_indices < 0:
            raise ValueError(
                f"`num_oov_indices` must be greater than or equal to 0. Received: num_oov_indices={num_oov_indices}"
            )
        output_mode = {"binary": "multi_hot", "tf-idf": "tf_idf"}.get(output_mode, output_mode)
        if output_mode not in MODES:
            raise ValueError(f"`output_mode` must be one of {MODES}. Received: {output_mode}")
        if invert and output_mode != "int":
            raise ValueError(
                f"`output_mode` must be `'int'` when `invert` is true. Received: output_mode={output_mode}"
            )
        if invert and num_oov_indices > 1:
            raise ValueError(
                f"`num_oov_indices` must be <= 1 when `invert` is True. Received: num_oov_indices={num_oov_indices}"
            )
        self.max_tokens = None if max_tokens is None else int(max_tokens)
        self.num_oov_indices, self.invert = int(num_oov_indices), bool(invert)
        self.mask_token = None if mask_token is None else self._key(mask_token)
        self.oov_token = self._key(oov_token)
        self.output_mode, self.sparse, self.pad_to_max_tokens = output_mode, bool(sparse), bool(pad_to_max_tokens)
        self.input_vocabulary = vocabulary if isinstance(vocabulary, str) else None
        self.__dict__["_words"] = []
        self.__dict__["_idf"] = None
        self.__dict__["_table"] = None
        self.reset_state()
        if vocabulary is not None:
            self.set_vocabulary(vocabulary, idf_weights)

    def _key(self, value: Any) -> Any:
        """A word of the vocabulary as it is kept."""
        raise NotImplementedError

    # -------------------------------------------------------------------------------------------------- vocabulary

    def _special(self) -> list[Any]:
        """What stands before the words: the mask (for whole numbers), then the unknown ones."""
        mask = [self.mask_token] if self.mask_token is not None and self.output_mode == "int" else []
        return mask + [self.oov_token] * self.num_oov_indices

    def get_vocabulary(self, include_special_tokens: bool = True) -> list[Any]:
        """The words in the order of their numbers.

        Args:
            include_special_tokens: Whether mask and unknown words stand before them. Default True.
        """
        words = list(self._words)
        return [self._shown(w) for w in (self._special() + words if include_special_tokens else words)]

    def _shown(self, word: Any) -> Any:
        return word

    def vocabulary_size(self) -> int:
        """Number of words, with mask and unknown ones."""
        return len(self._special()) + len(self._words)

    vocab_size = vocabulary_size

    def set_vocabulary(self, vocabulary: Any, idf_weights: Any = None) -> None:
        """Sets the words.

        Args:
            vocabulary: List of words (mask and unknown ones may stand before them), or the path of a file with a word
            a line. idf_weights: Weight of each word, for "tf_idf".

        Raises:
            ValueError: If a word comes twice, or there are too many.
        """
        if isinstance(vocabulary, str):
            with open(os.path.expanduser(vocabulary), encoding="utf-8") as file:
                vocabulary = [line.rstrip("\r\n") for line in file]
        if isinstance(vocabulary, Tensor) or hasattr(vocabulary, "tolist"):
            vocabulary = array(vocabulary.numpy() if isinstance(vocabulary, Tensor) else vocabulary).tolist()
        words = [self._key(word) for word in vocabulary]
        weights = None if idf_weights is None else [float(w) for w in array(idf_weights).reshape(-1).tolist()]
        special = self._special()
        if special and words[: len(special)] == special:
            words = words[len(special) :]
            weights = weights[len(special) :] if weights is not None and len(weights) > len(words) else weights
        if len(words) != len(set(words)):
            twice = sorted({w for w in words if words.count(w) > 1})
            raise ValueError(
                "The passed vocabulary has at least one repeated term. Please uniquify your dataset. The repeated "
                "terms are "
                f"{[self._shown(w) for w in twice]}"
            )
        for token in (self.mask_token, self.oov_token if self.num_oov_indices else None):
            if token is not None and token in words:
                raise ValueError(
                    f"Found reserved token {self._shown(token)!r} at unexpected location in `vocabulary`: it belongs "
                    "before "
                    "all words, or nowhere."
                )
        if self.max_tokens is not None and len(words) + len(special) > self.max_tokens:
            raise ValueError(
                f"Attempted to set a vocabulary larger than the maximum vocab size. Passed vocab size is "
                f"{len(words) + len(special)}, max vocab size is {self.max_tokens}."
            )
        if self.output_mode == "tf_idf" and weights is None:
            raise ValueError("`idf_weights` must be set if output_mode is 'tf_idf'.")
        if weights is not None and len(weights) != len(words):
            raise ValueError(
                f"`idf_weights` must be the same length as vocabulary. len(idf_weights) is {len(weights)}; "
                "len(vocabulary) is "
                f"{len(words)}"
            )
        self._take(words, weights)

    def _take(self, words: list[Any], weights: Any) -> None:
        fields = self.__dict__
        fields["_words"] = words
        fields["_idf"] = None
        if weights is not None:
            unknown = sum(weights) / max(len(weights), 1)
            fields["_idf"] = [unknown] * self.num_oov_indices + list(weights)
        special = self._special()
        if self.invert:
            entries = dict(enumerate(special + words))
            fields["_table"] = Table(entries, self.oov_token, self._key_dtype)
        else:
            entries = {word: number for number, word in enumerate(words, len(special))}
            if self.mask_token is not None and self.output_mode == "int":
                entries[self.mask_token] = 0
            fields["_table"] = Table(entries, self._unknown(), dtypes.int64)

    def _unknown(self) -> Any:
        """The number of words that are not known."""
        first = 1 if self.mask_token is not None and self.output_mode == "int" else 0
        if self.num_oov_indices == 1:
            return first
        if self.num_oov_indices == 0:

            def refuse(key: Any) -> int:
                raise ValueError(
                    f"When `num_oov_indices=0` all inputs should be in vocabulary, found {self._shown(key)!r}, "
                    "consider setting "
                    "`num_oov_indices=1`."
                )

            return refuse if self.output_mode == "int" else -1
        return Bins(first, self.num_oov_indices)

    # ---------------------------------------------------------------------------------------------------- learning

    def reset_state(self) -> None:
        """Forgets what was counted."""
        self.__dict__["_counts"] = {}
        self.__dict__["_documents"] = {}
        self.__dict__["_texts"] = 0

    def update_state(self, data: Any) -> None:
        """Counts the words of a batch."""
        values = array(data)
        rows = values.reshape(len(values), -1).tolist() if values.ndim > 1 else [[v] for v in
            values.reshape(-1).tolist()]
        self.count_rows([[self._key(v) for v in row] for row in rows])

    def count_rows(self, rows: list[list[Any]]) -> None:
        """Counts the words of lists of them."""
        counts, documents = self._counts, self._documents
        for row in rows:
            for word in row:
                counts[word] = counts.get(word, 0) + 1
            for word in set(row):
                documents[word] = documents.get(word, 0) + 1
        self.__dict__["_texts"] += len(rows)

    def finalize_state(self) -> None:
        """Takes the most frequent words; of equally frequent ones the last of the alphabet first."""
        counts = {w: n for w, n in self._counts.items() if w != self.mask_token and w != self.oov_token}
        words = sorted(counts, key=lambda w: (counts[w], w), reverse=True)
        if self.max_tokens is not None:
            words = words[: self.max_tokens - len(self._special())]
        weights = None
        if self.output_mode == "tf_idf":
            weights = [math.log(1 + self._texts / (1 + self._documents[w])) for w in words]
        self._take(words, weights)

    # ----------------------------------------------------------------------------------------------------- calling

    @property
    def _depth(self) -> int | None:
        if self.pad_to_max_tokens and self.max_tokens is not None:
            return self.max_tokens
        return self.vocabulary_size()

    def call(self, inputs: Any) -> Any:
        """The result for `inputs`."""
        if self._table is None:
            raise RuntimeError(
                f"Layer {self.name} has no vocabulary yet: call `adapt(data)` or `set_vocabulary(words)` first."
            )
        numbers = find_in_table(self._prepared(inputs), table=self._table)
        return numbers if self.invert or self.output_mode == "int" else self.encode(numbers)

    def encode(self, numbers: Any) -> Any:
        """Rows for whole numbers, as the output mode says."""
        mode = "count" if self.output_mode == "tf_idf" else self.output_mode
        made = encoded(numbers, mode, self._depth, self.dtype)
        if self.output_mode != "tf_idf":
            return made
        weights = self._idf + [0.0] * (self._depth - len(self._idf))
        return multiply(made, constant(weights, made.dtype))

    def _prepared(self, inputs: Any) -> Any:
        return inputs

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for an input of this shape."""
        return result_shape(input_shape, "int" if self.invert else self.output_mode, self._depth)

    def _output_dtype(self, input_dtype: Any) -> Any:
        if self.invert:
            return self._key_dtype
        return dtypes.int64 if self.output_mode == "int" else dtypes.as_dtype(self.dtype)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one, with its vocabulary."""
        return {
            **super().get_config(),
            "max_tokens": self.max_tokens,
            "num_oov_indices": self.num_oov_indices,
            "mask_token": None if self.mask_token is None else self._shown(self.mask_token),
            "oov_token": self._shown(self.oov_token),
            "vocabulary": [self._shown(w) for w in self._words] or None,
            "idf_weights": None if self._idf is None else self._idf[self.num_oov_indices :],
            "invert": self.invert,
            "output_mode": self.output_mode,
            "sparse": self.sparse,
            "pad_to_max_tokens": self.pad_to_max_tokens,
        }
