"""Hashing: strings and whole numbers as numbers of bins."""

from __future__ import annotations

from typing import Any

from ....base import dtypes
from ....core.coerce import as_int
from ....ops.compare import equal
from ....ops.create import cast
from ....ops.select import where
from ....ops.strings import as_string, to_hash_bucket_fast, to_hash_bucket_strong
from .base import ElementLayer, encoded
from .discretization import MODES, result_shape


class Hashing(ElementLayer):
    """The number of a bin for each string or whole number, by a hash: the same everywhere and always.

    Args:
        num_bins: Number of bins.
        mask_value: What gets bin 0 for itself, or None.
        salt: A whole number or two, for a hash that nobody else can foretell; or None.
        output_mode: "int" (default), "one_hot", "multi_hot" or "count".
        sparse: Accepted for Keras's sake: results are dense.
        **kwargs: See `Layer`.

    Raises:
        ValueError: If an argument has no meaning.

    >>> import eagercore as tf
    >>> Hashing(num_bins=3)(tf.constant(["A", "B", "C", "D", "E"])).numpy()
    array([1, 0, 1, 1, 2])
    """

    _casts_inputs = False

    def __init__(
        self,
        num_bins: int,
        mask_value: Any = None,
        salt: Any = None,
        output_mode: str = "int",
        sparse: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.num_bins = int(as_int(num_bins, "Hashing", "num_bins") or 0)
        if self.num_bins <= 0:
            raise ValueError(
                f"The `num_bins` for `Hashing` cannot be `None` or non-positive values. Received: num_bins={num_bins}."
            )
        if output_mode not in MODES:
            raise ValueError(f"`output_mode` must be one of {MODES}. Received: {output_mode}")
        self.mask_value, self.output_mode, self.sparse = mask_value, output_mode, bool(sparse)
        if salt is None:
            self.salt: Any = None
        elif isinstance(salt, list | tuple) and len(salt) == 2:
            self.salt = [int(s) for s in salt]
        elif isinstance(salt, int | float):
            self.salt = [int(salt)] * 2
        else:
            raise ValueError(
                "The `salt` argument for `Hashing` can only be a tuple of size 2 integers, or a single integer. "
                "Received: "
                f"salt={salt}."
            )

    def call(self, inputs: Any) -> Any:
        """The result for `inputs`."""
        texts = inputs if inputs.dtype.kind == "S" else as_string(inputs)
        bins = (
            self.num_bins - 1
            if self.mask_value is not None and self.num_bins > 1
            else self.num_bins
        )
        if self.salt is None:
            numbers = to_hash_bucket_fast(texts, num_buckets=bins)
        else:
            numbers = to_hash_bucket_strong(texts, num_buckets=bins, key=tuple(self.salt))
        if self.mask_value is not None:
            numbers = where(
                equal(inputs, self.mask_value), cast(numbers * 0, numbers.dtype), numbers + 1
            )
        if self.output_mode == "int":
            return numbers
        return encoded(numbers, self.output_mode, self.num_bins, self.dtype)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for an input of this shape."""
        return result_shape(input_shape, self.output_mode, self.num_bins)

    def _output_dtype(self, input_dtype: Any) -> Any:
        return dtypes.int64 if self.output_mode == "int" else dtypes.as_dtype(self.dtype)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {
            **super().get_config(), "num_bins": self.num_bins, "mask_value": self.mask_value, "salt": self.salt,
            "output_mode": self.output_mode, "sparse": self.sparse,
        }  # fmt: skip


Hashing.__module__ = "eagercore.keras.layers"
