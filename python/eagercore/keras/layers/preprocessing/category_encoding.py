"""CategoryEncoding: whole numbers as rows."""

from __future__ import annotations

from typing import Any

from ....base import dtypes
from ....core.coerce import as_int
from ....ops.create import cast
from ..base import Layer
from .base import encoded
from .discretization import result_shape

MODES = ("one_hot", "multi_hot", "count")


class CategoryEncoding(Layer):
    """Whole numbers as rows of zeros and ones, or of counts.

    Args:
        num_tokens: Length of a row: numbers are in [0, num_tokens).
        output_mode: "multi_hot" (default): 1 for each number of an example; "one_hot": a row for each number; "count":
            how often each number comes.
        sparse: Accepted for Keras's sake: results are dense.
        **kwargs: See `Layer`.

    Raises:
        ValueError: If an argument has no meaning.

    >>> CategoryEncoding(4)([[0, 3, 3]]).numpy()
    array([[1., 0., 0., 1.]], dtype=float32)
    """

    _casts_inputs = False

    def __init__(
        self, num_tokens: int | None = None, output_mode: str = "multi_hot", sparse: bool = False, **kwargs: Any
    ) -> None:
        num_tokens = kwargs.pop("max_tokens", num_tokens)
        super().__init__(**kwargs)
        output_mode = {"binary": "multi_hot"}.get(output_mode, output_mode)
        if output_mode not in MODES:
            raise ValueError(f"Unknown argument for output_mode: {output_mode}. It can be one of {MODES}.")
        if num_tokens is None:
            raise ValueError("num_tokens must be set to use this layer.")
        self.num_tokens = int(as_int(num_tokens, "CategoryEncoding", "num_tokens"))
        if self.num_tokens < 1:
            raise ValueError(f"`num_tokens` must be >= 1. Received: num_tokens={num_tokens}.")
        self.output_mode, self.sparse = output_mode, bool(sparse)

    def call(self, inputs: Any, count_weights: Any = None) -> Any:
        """The result for `inputs`; `count_weights` are numbers to count with."""
        numbers = inputs if inputs.dtype.name in ("int32", "int64") else cast(inputs, dtypes.int64)
        if count_weights is not None and self.output_mode != "count":
            raise ValueError(
                "`count_weights` is not used when `output_mode` is not `'count'`. Received `count_weights="
                f"{count_weights}`."
            )
        self._check(numbers)
        return encoded(numbers, self.output_mode, self.num_tokens, self.dtype, count_weights)

    def _check(self, numbers: Any) -> None:
        if hasattr(numbers, "_array") and numbers._array.size:
            low, high = int(numbers._array.min()), int(numbers._array.max())
            if low < 0 or high >= self.num_tokens:
                raise ValueError(
                    f"Input values must be in the range 0 <= values < num_tokens with num_tokens={self.num_tokens}, "
                    "got "
                    f"values from {low} to {high}."
                )

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for an input of this shape."""
        return result_shape(input_shape, self.output_mode, self.num_tokens)

    def _output_dtype(self, input_dtype: Any) -> Any:
        return dtypes.as_dtype(self.dtype)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {
            **super().get_config(),
            "num_tokens": self.num_tokens,
            "output_mode": self.output_mode,
            "sparse": self.sparse,
        }


CategoryEncoding.__module__ = "eagercore.keras.layers"
