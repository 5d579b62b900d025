"""StringLookup: words as numbers."""

from __future__ import annotations

from typing import Any

from ....base import dtypes
from ....ops.create import cast
from .index_lookup import IndexLookup


class StringLookup(IndexLookup):
    """Numbers of words by a vocabulary, which `adapt` learns or which is given.

    Args:
        max_tokens: Most words, with mask and unknown ones; None for all.
        num_oov_indices: Numbers for words that are not known. Default 1.
        mask_token: Word that stands for padding and has number 0, or None. Default None.
        oov_token: What stands for unknown words when it goes back. Default "[UNK]".
        vocabulary: List of words, the path of a file with a word a line, or None.
        idf_weights: Weight of each word, for "tf_idf".
        invert: Whether it goes from numbers to words. Default False.
        output_mode: "int" (default), "one_hot", "multi_hot", "count" or "tf_idf".
        sparse: Accepted for Keras's sake: results are dense.
        pad_to_max_tokens: Whether rows are `max_tokens` long. Default False.
        encoding: Encoding of the words. Default "utf-8".
        **kwargs: See `Layer`.

    Raises:
        ValueError: If an argument has no meaning.

    >>> import eagercore as tf
    >>> layer = StringLookup(vocabulary=["a", "b"])
    >>> layer(tf.constant(["b", "c"])).numpy()
    array([2, 0])
    >>> layer.get_vocabulary()
    ['[UNK]', 'a', 'b']
    """

    _key_dtype = dtypes.string

    def __init__(
        self,
        max_tokens: int | None = None,
        num_oov_indices: int = 1,
        mask_token: Any = None,
        oov_token: str = "[UNK]",
        vocabulary: Any = None,
        idf_weights: Any = None,
        invert: bool = False,
        output_mode: str = "int",
        sparse: bool = False,
        pad_to_max_tokens: bool = False,
        encoding: str = "utf-8",
        **kwargs: Any,
    ) -> None:
        self.__dict__["encoding"] = encoding
        super().__init__(
            max_tokens, num_oov_indices, mask_token, oov_token, vocabulary, idf_weights, invert, output_mode, sparse,
            pad_to_max_tokens, **kwargs,
        )  # fmt: skip

    def _key(self, value: Any) -> Any:
        return value if isinstance(value, bytes) else str(value).encode(self.encoding)

    def _shown(self, word: Any) -> Any:
        return word.decode(self.encoding, "replace") if isinstance(word, bytes) else word

    def _prepared(self, inputs: Any) -> Any:
        return cast(inputs, dtypes.int64) if self.invert and inputs.dtype.name != "int64" else inputs

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one, with its vocabulary."""
        return {**super().get_config(), "encoding": self.encoding}


StringLookup.__module__ = "eagercore.keras.layers"
