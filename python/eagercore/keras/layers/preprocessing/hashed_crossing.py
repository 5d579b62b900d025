"""HashedCrossing: several features as the number of one bin."""

from __future__ import annotations

from typing import Any

from ....base import dtypes
from ....base.shapes import as_shape
from ....core.coerce import as_int
from ....ops.strings import as_string, join, to_hash_bucket_fast
from ..base import Layer
from .base import encoded


class HashedCrossing(Layer):
    """The number of a bin for each combination of features, by a hash.

    Args:
        num_bins: Number of bins.
        output_mode: "int" (default) or "one_hot".
        sparse: Accepted for Keras's sake: results are dense.
        **kwargs: See `Layer`.

    Inputs are a list of tensors of strings or whole numbers, `[batch]` or `[batch, 1]`.

    Raises:
        ValueError: If an argument has no meaning, or there is only one input.

    >>> import eagercore as tf
    >>> HashedCrossing(5)([tf.constant(["A", "B"]), tf.constant([101, 102])]).shape
    TensorShape([2])
    """

    _casts_inputs = False

    def __init__(self, num_bins: int, output_mode: str = "int", sparse: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.num_bins = int(as_int(num_bins, "HashedCrossing", "num_bins") or 0)
        if self.num_bins <= 0:
            raise ValueError(f"`num_bins` of a HashedCrossing must be positive. Received: num_bins={num_bins}.")
        if output_mode not in ("int", "one_hot"):
            raise ValueError(f"`output_mode` must be 'int' or 'one_hot'. Received: {output_mode}")
        self.output_mode, self.sparse = output_mode, bool(sparse)

    def call(self, inputs: Any) -> Any:
        """The result for a list of features."""
        if not isinstance(inputs, list | tuple) or len(inputs) < 2:
            raise ValueError(
                f"`HashedCrossing` should be called on a list or tuple of at least two inputs. Received: {inputs}"
            )
        texts = [x if x.dtype.kind == "S" else as_string(x) for x in inputs]
        numbers = to_hash_bucket_fast(join(texts, separator="_X_"), num_buckets=self.num_bins)
        return numbers if self.output_mode == "int" else encoded(numbers, "one_hot", self.num_bins, self.dtype)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for inputs of these shapes."""
        shape = as_shape(input_shape[0])
        if self.output_mode == "int":
            return shape
        return as_shape([*(shape[:-1] if len(shape) > 1 and shape[-1] == 1 else shape), self.num_bins])

    def _output_dtype(self, input_dtype: Any) -> Any:
        return dtypes.int64 if self.output_mode == "int" else dtypes.as_dtype(self.dtype)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {
            **super().get_config(),
            "num_bins": self.num_bins,
            "output_mode": self.output_mode,
            "sparse": self.sparse,
        }


HashedCrossing.__module__ = "eagercore.keras.layers"
