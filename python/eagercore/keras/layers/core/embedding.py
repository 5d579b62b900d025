"""Embedding: a row of a table for each whole number."""

from __future__ import annotations

from typing import Any

from ....base import dtypes
from ....base.shapes import as_shape
from ....ops.compare import not_equal
from ....ops.create import cast
from ....ops.index import gather_op
from ... import constraints, initializers, regularizers
from ..base import Layer
from .dense import positive_int


class Embedding(Layer):
    """The row of a trainable table for each whole number.

    Args:
        input_dim: Number of rows: numbers are in [0, input_dim).
        output_dim: Length of a row.
        embeddings_initializer: Initializer of the table. Default "uniform".
        embeddings_regularizer: Regularizer of the table, or None.
        activity_regularizer: Regularizer of the output, or None.
        embeddings_constraint: Constraint of the table, or None.
        mask_zero: Whether 0 is padding, to be masked. Default False.
        input_length: Length of the sequences, where it is constant.
        **kwargs: See `Layer`.

    Inputs are `[batch, ...]`, the result is `[batch, ..., output_dim]`. The gradient is `IndexedSlices`.

    Raises:
        InvalidArgumentError: If a number is outside.

    >>> Embedding(5, 2, embeddings_initializer="ones")([[1, 4]]).shape
    TensorShape([1, 2, 2])
    """

    _casts_inputs = False

    def __init__(
        self,
        input_dim: int,
        output_dim: int,
        embeddings_initializer: Any = "uniform",
        embeddings_regularizer: Any = None,
        activity_regularizer: Any = None,
        embeddings_constraint: Any = None,
        mask_zero: bool = False,
        input_length: Any = None,
        **kwargs: Any,
    ) -> None:
        if "input_shape" not in kwargs and "batch_input_shape" not in kwargs:
            if input_length is not None:
                kwargs["input_shape"] = (
                    tuple(input_length)
                    if isinstance(input_length, list | tuple)
                    else (input_length,)
                )
            else:
                kwargs["input_shape"] = (None,)
        dtype = kwargs.pop("dtype", None)
        super().__init__(activity_regularizer=activity_regularizer, dtype=dtype, **kwargs)
        self.input_dim = positive_int("input_dim", input_dim)
        self.output_dim = positive_int("output_dim", output_dim)
        self.embeddings_initializer = initializers.get(embeddings_initializer)
        self.embeddings_regularizer = regularizers.get(embeddings_regularizer)
        self.embeddings_constraint = constraints.get(embeddings_constraint)
        self.mask_zero = bool(mask_zero)
        self.supports_masking = self.mask_zero
        self.input_length = input_length

    def build(self, input_shape: Any) -> None:
        """Makes `embeddings` [input_dim, output_dim]."""
        self.embeddings = self.add_weight(
            "embeddings", shape=(self.input_dim, self.output_dim), initializer=self.embeddings_initializer,
            regularizer=self.embeddings_regularizer, constraint=self.embeddings_constraint,
        )  # fmt: skip
        self.built = True

    def call(self, inputs: Any) -> Any:
        """The rows for `inputs`."""
        if inputs.dtype.name not in ("int32", "int64"):
            inputs = cast(inputs, dtypes.int32)
        return gather_op(self.embeddings, inputs)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """True where the number is not 0, when 0 is padding."""
        if not self.mask_zero:
            return None
        return not_equal(inputs, 0)

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for an input of this shape."""
        return as_shape([*as_shape(input_shape), self.output_dim])

    def _output_dtype(self, input_dtype: Any) -> Any:
        return dtypes.as_dtype(self.dtype)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {
            **super().get_config(),
            "input_dim": self.input_dim,
            "output_dim": self.output_dim,
            "embeddings_initializer": initializers.serialize(self.embeddings_initializer),
            "embeddings_regularizer": regularizers.serialize(self.embeddings_regularizer),
            "activity_regularizer": regularizers.serialize(self.activity_regularizer),
            "embeddings_constraint": constraints.serialize(self.embeddings_constraint),
            "mask_zero": self.mask_zero,
            "input_length": self.input_length,
        }


Embedding.__module__ = "eagercore.keras.layers"
