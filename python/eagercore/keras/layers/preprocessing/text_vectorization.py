"""TextVectorization: texts as rows of numbers."""

from __future__ import annotations

import re
from typing import Any

from ....base import dtypes
from ....base.shapes import as_shape
from ....core.host import array, pad_rows
from ....core.tensor import Tensor, convert
from ....ops.create import constant
from ....ops.ragged import RaggedTensor
from ....ops.vocabulary import rows_of_texts
from .base import PreprocessingLayer
from .string_lookup import StringLookup

STANDARDS = ("lower_and_strip_punctuation", "lower", "strip_punctuation", None)
SPLITS = ("whitespace", "character", None)
MODES = ("int", "multi_hot", "count", "tf_idf")
_PUNCTUATION = re.compile(rb'[!"#$%&()\*\+,-\./:;<=>?@\[\\\]^_`{|}~\']')


class _Rule:
    """What `rows_of_texts` does for a layer: the numbers of a text's words, in rows of one length."""

    dtype = dtypes.int64

    def __init__(self, layer: Any, padded: bool) -> None:
        self.layer, self.padded = layer, padded
        self.width = layer._output_length if padded else None

    def rows(self, texts: list[bytes]) -> Any:
        layer = self.layer
        table = layer.lookup._table
        words = [layer.words_of(text) for text in texts]
        numbers = [table.find(array(row, object)).tolist() if row else [] for row in words]
        length = self.width if self.width is not None else max((len(r) for r in numbers), default=0)
        return pad_rows(numbers, length, "int64", 0 if self.padded else -1, False, False)

    def _saved_state(self) -> Any:
        """What a saved model keeps: the layer's arguments, unless they are functions."""
        return self.layer.get_config(), self.padded

    @classmethod
    def _from_saved_state(cls, state: Any) -> _Rule:
        config, padded = state
        return cls(TextVectorization.from_config(config), padded)


class TextVectorization(PreprocessingLayer):
    """Texts as rows of word numbers, or of counts of words, by a vocabulary that `adapt` learns or that is given.

    Args:
        max_tokens: Most words, with padding and unknown ones; None for all.
        standardize: "lower_and_strip_punctuation" (default), "lower", "strip_punctuation", a function of a tensor of
            texts, or None.
        split: "whitespace" (default), "character", a function of a tensor of texts that gives words, or None.
        ngrams: Longest chain of words that counts as a word, or a tuple of lengths; None for single words.
        output_mode: "int" (default), "multi_hot", "count" or "tf_idf".
        output_sequence_length: Length of the rows of "int"; default that of the longest text.
        pad_to_max_tokens: Whether rows of the other modes are `max_tokens` long. Default False.
        vocabulary: List of words, the path of a file with a word a line, or None.
        idf_weights: Weight of each word, for "tf_idf".
        sparse: Accepted for Keras's sake: results are dense.
        ragged: Whether whole numbers come as a RaggedTensor of rows of different lengths. Default False.
        encoding: Encoding of the texts. Default "utf-8".
        **kwargs: See `Layer`.

    Inputs are texts `[batch]` or `[batch, 1]`. With "int" 0 is padding and 1 stands for unknown words.

    Raises:
        ValueError: If an argument has no meaning.

    >>> layer = TextVectorization()
    >>> layer.adapt(["the cat", "the dog!"])
    >>> layer.get_vocabulary()
    ['', '[UNK]', 'the', 'dog', 'cat']
    >>> layer([["A dog, the cat"]]).numpy()
    array([[1, 3, 2, 4]])
    """

    def __init__(
        self,
        max_tokens: int | None = None,
        standardize: Any = "lower_and_strip_punctuation",
        split: Any = "whitespace",
        ngrams: Any = None,
        output_mode: str = "int",
        output_sequence_length: int | None = None,
        pad_to_max_tokens: bool = False,
        vocabulary: Any = None,
        idf_weights: Any = None,
        sparse: bool = False,
        ragged: bool = False,
        encoding: str = "utf-8",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        output_mode = {"binary": "multi_hot", "tf-idf": "tf_idf"}.get(output_mode, output_mode)
        if not callable(standardize) and standardize not in STANDARDS:
            raise ValueError(
                f"`standardize` can be one of {STANDARDS}, or a function. Received: {standardize}"
            )
        if not callable(split) and split not in SPLITS:
            raise ValueError(f"`split` can be one of {SPLITS}, or a function. Received: {split}")
        if output_mode not in MODES:
            raise ValueError(f"`output_mode` must be one of {MODES}. Received: {output_mode}")
        if output_mode != "int" and output_sequence_length is not None:
            raise ValueError(
                "`output_sequence_length` must not be set if `output_mode` is not 'int'. Received "
                "output_sequence_length="
                f"{output_sequence_length}."
            )
        self.max_tokens = None if max_tokens is None else int(max_tokens)
        self.standardize, self.split, self.output_mode = standardize, split, output_mode
        if ngrams is None:
            self.ngrams: Any = None
        elif isinstance(ngrams, list | tuple):
            self.ngrams = tuple(int(n) for n in ngrams)
        else:
            self.ngrams = tuple(range(1, int(ngrams) + 1))
        self.__dict__["_ngrams_given"] = ngrams
        self.__dict__["_output_length"] = (
            None if output_sequence_length is None else int(output_sequence_length)
        )
        self.encoding, self.sparse, self.ragged = encoding, bool(sparse), bool(ragged)
        self.lookup = StringLookup(
            max_tokens=max_tokens, vocabulary=vocabulary, idf_weights=idf_weights, mask_token="",
            pad_to_max_tokens=pad_to_max_tokens, output_mode=output_mode, encoding=encoding, name=f"{self.name}_lookup",
        )  # fmt: skip

    # ------------------------------------------------------------------------------------------------------- texts

    def words_of(self, text: bytes) -> list[bytes]:
        """The words of a text."""
        if callable(self.split):
            words = self._split_by_function([text])[0]
        else:
            plain = self._standardized(text)
            if self.split == "whitespace":
                words = plain.split()
            elif self.split == "character":
                words = [c.encode(self.encoding) for c in plain.decode(self.encoding, "replace")]
            else:
                words = [plain]
        if self.ngrams is None:
            return words
        return [b" ".join(words[i : i + n]) for n in self.ngrams for i in range(len(words) - n + 1)]

    def _standardized(self, text: bytes) -> bytes:
        how = self.standardize
        if how is None or callable(how):
            return text
        # As in TensorFlow letters beyond ASCII keep their case.
        plain = text.lower() if "lower" in how else text
        return _PUNCTUATION.sub(b"", plain) if "strip_punctuation" in how else plain

    def _split_by_function(self, texts: list[bytes]) -> list[list[bytes]]:
        made = self.split(constant([self._standardized(t) for t in texts]))
        rows = made.to_list() if hasattr(made, "to_list") else array(made.numpy()).tolist()
        return [
            [w if isinstance(w, bytes) else str(w).encode(self.encoding) for w in row]
            for row in rows
        ]

    def _prepared(self, inputs: Any) -> Any:
        """Texts as a tensor of one axis, after a function of the user's."""
        if (
            inputs.shape.rank is not None
            and inputs.shape.rank > 1
            and inputs.shape[-1] == 1
            and self.split is not None
        ):
            inputs = inputs[..., 0]
        return self.standardize(inputs) if callable(self.standardize) else inputs

    # ---------------------------------------------------------------------------------------------------- learning

    def reset_state(self) -> None:
        """Forgets what was counted."""
        self.lookup.reset_state()

    def update_state(self, data: Any) -> None:
        """Counts the words of a batch of texts."""
        tensor = convert(data) if not isinstance(data, Tensor) else data
        texts = self._prepared(tensor).numpy()
        flat = texts.reshape(-1).tolist() if hasattr(texts, "reshape") else [texts]
        self.lookup.count_rows(
            [
                self.words_of(t if isinstance(t, bytes) else str(t).encode(self.encoding))
                for t in flat
            ]
        )

    def finalize_state(self) -> None:
        """Takes the most frequent words."""
        self.lookup.finalize_state()

    def get_vocabulary(self, include_special_tokens: bool = True) -> list[str]:
        """The words in the order of their numbers.

        Args:
            include_special_tokens: Whether padding and unknown words stand before them. Default True.
        """
        return self.lookup.get_vocabulary(include_special_tokens)

    def vocabulary_size(self) -> int:
        """Number of words, with padding and unknown ones."""
        return self.lookup.vocabulary_size()

    def set_vocabulary(self, vocabulary: Any, idf_weights: Any = None) -> None:
        """Sets the words; see `StringLookup.set_vocabulary`."""
        self.lookup.set_vocabulary(vocabulary, idf_weights)

    # ----------------------------------------------------------------------------------------------------- calling

    def call(self, inputs: Any) -> Any:
        """The result for `inputs`."""
        if self.lookup._table is None:
            raise RuntimeError(
                f"Layer {self.name} has no vocabulary yet: call `adapt(data)` or `set_vocabulary(words)` first."
            )
        texts = self._prepared(inputs)
        if self.output_mode == "int":
            numbers = rows_of_texts(texts, rule=_Rule(self, True))
            return RaggedTensor.from_tensor(numbers, padding=0) if self.ragged else numbers
        return self.lookup.encode(rows_of_texts(texts, rule=_Rule(self, False)))

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for an input of this shape."""
        shape = as_shape(input_shape)
        lead = (
            shape[:-1]
            if len(shape) > 1 and shape[-1] == 1 and self.split is not None
            else list(shape)
        )
        return as_shape(
            [*lead, self._output_length if self.output_mode == "int" else self.lookup._depth]
        )

    def _output_dtype(self, input_dtype: Any) -> Any:
        return dtypes.int64 if self.output_mode == "int" else dtypes.as_dtype(self.dtype)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one, with its vocabulary."""
        own = self.lookup.get_config()
        return {
            **super().get_config(),
            "max_tokens": self.max_tokens,
            "standardize": self.standardize,
            "split": self.split,
            "ngrams": self._ngrams_given,
            "output_mode": self.output_mode,
            "output_sequence_length": self._output_length,
            "pad_to_max_tokens": own["pad_to_max_tokens"],
            "vocabulary": own["vocabulary"],
            "idf_weights": own["idf_weights"],
            "sparse": self.sparse,
            "ragged": self.ragged,
            "encoding": self.encoding,
        }


TextVectorization.__module__ = "eagercore.keras.layers"
