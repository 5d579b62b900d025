"""IntegerLookup: whole numbers as smaller ones."""

from __future__ import annotations

from typing import Any

from ....base import dtypes
from ....ops.create import cast
from .index_lookup import IndexLookup


class IntegerLookup(IndexLookup):
    """Numbers of whole numbers by a vocabulary, which `adapt` learns or which is given.

    Args:
        max_tokens: Most entries, with mask and unknown ones; None for all.
        num_oov_indices: Numbers for entries that are not known. Default 1.
        mask_token: Entry that stands for padding and has number 0, or None. Default None.
        oov_token: What stands for unknown entries when it goes back. Default -1.
        vocabulary: List of whole numbers, the path of a file with one a line, or None.
        vocabulary_dtype: Accepted for Keras's sake.
        idf_weights: Weight of each entry, for "tf_idf".
        invert: Whether it goes back. Default False.
        output_mode: "int" (default), "one_hot", "multi_hot", "count" or "tf_idf".
        sparse: Accepted for Keras's sake: results are dense.
        pad_to_max_tokens: Whether rows are `max_tokens` long. Default False.
        **kwargs: See `Layer`.

    Raises:
        ValueError: If an argument has no meaning.

    >>> IntegerLookup(vocabulary=[12, 36])([[36, 7]]).numpy()
    array([[2, 0]])
    """

    _key_dtype = dtypes.int64

    def __init__(
        self,
        max_tokens: int | None = None,
        num_oov_indices: int = 1,
        mask_token: Any = None,
        oov_token: int = -1,
        vocabulary: Any = None,
        vocabulary_dtype: Any = "int64",
        idf_weights: Any = None,
        invert: bool = False,
        output_mode: str = "int",
        sparse: bool = False,
        pad_to_max_tokens: bool = False,
        **kwargs: Any,
    ) -> None:
        self.__dict__["vocabulary_dtype"] = vocabulary_dtype
        super().__init__(
            max_tokens, num_oov_indices, mask_token, oov_token, vocabulary, idf_weights, invert, output_mode, sparse,
            pad_to_max_tokens, **kwargs,
        )  # fmt: skip

    def _key(self, value: Any) -> Any:
        return int(value)

    def _prepared(self, inputs: Any) -> Any:
        return inputs if inputs.dtype.name == "int64" else cast(inputs, dtypes.int64)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one, with its vocabulary."""
        return {**super().get_config(), "vocabulary_dtype": self.vocabulary_dtype}


IntegerLookup.__module__ = "eagercore.keras.layers"
