"""What layers that learn from data before training share: `adapt`."""

from __future__ import annotations

from typing import Any

from ....core.host import array
from ....core.sparse import SparseTensor
from ....core.tensor import Tensor
from ....core.variable import Variable
from ....ops.arithmetic import maximum, multiply
from ....ops.create import cast
from ....ops.index import one_hot
from ....ops.ragged import RaggedTensor
from ....ops.reduce import reduce_max, reduce_sum
from ....ops.shape import expand_dims, stack
from ..base import Layer


class ElementLayer(Layer):
    """Base of layers that take ragged and sparse tensors too.

    Args:
        **kwargs: See `Layer`.
    """

    _casts_inputs = False

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """The result for `inputs`; of ragged and sparse ones that of each element, where it works on elements."""
        if isinstance(inputs, RaggedTensor):
            return self._ragged(inputs, *args, **kwargs)
        if isinstance(inputs, SparseTensor) and self._by_element():
            values = super().__call__(inputs.values, *args, **kwargs)
            return SparseTensor(inputs.indices, values, inputs.dense_shape)
        return super().__call__(inputs, *args, **kwargs)

    def _by_element(self) -> bool:
        """Whether each element has a result of its own, whatever is beside it."""
        return getattr(self, "output_mode", None) == "int"

    def _ragged(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        if self._by_element():
            values = super().__call__(inputs.flat_values, *args, **kwargs)
            return inputs.with_flat_values(values)
        # Each row is an example.
        return stack([super(ElementLayer, self).__call__(row, *args, **kwargs) for row in inputs])


class PreprocessingLayer(ElementLayer):
    """Base of the layers with `adapt`: write `reset_state`, `update_state(batch)` and `finalize_state`.

    Args:
        **kwargs: See `Layer`.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.__dict__["_adapted"] = False

    @property
    def is_adapted(self) -> bool:
        """Whether the layer has learned from data."""
        return bool(self.__dict__["_adapted"])

    def adapt(self, data: Any, batch_size: int | None = None, steps: int | None = None) -> None:
        """Learns from data; what was learned before is forgotten.

        Args:
            data: Array, tensor, list, or dataset.
            batch_size: Number of examples looked at together. Default all of an array.
            steps: Number of batches of a dataset; default all.
        """
        self.reset_state()
        for batch in batches(data, batch_size, steps):
            self.update_state(batch)
        self.finalize_state()
        self.__dict__["_adapted"] = True

    def reset_state(self) -> None:
        """Forgets what was learned."""

    def update_state(self, data: Any) -> None:
        """Looks at a batch."""

    def finalize_state(self) -> None:
        """Makes of all that was seen what calls use."""


def batches(data: Any, batch_size: int | None, steps: int | None) -> Any:
    """The batches of an array, a tensor, a list or a dataset, as NumPy arrays."""
    if isinstance(data, Tensor | Variable | list | tuple) or hasattr(data, "__array__"):
        whole = data.numpy() if isinstance(data, Tensor | Variable) else array(data)
        size = len(whole) if not batch_size or not whole.ndim else int(batch_size)
        if not whole.ndim or not len(whole):
            yield whole
            return
        for start in range(0, len(whole), size):
            yield whole[start : start + size]
        return
    for number, batch in enumerate(data):
        if steps is not None and number >= steps:
            return
        first = batch[0] if isinstance(batch, tuple | list) else batch
        yield first.numpy() if hasattr(first, "numpy") else array(first)


def encoded(numbers: Any, mode: str, depth: int, dtype: Any, weights: Any = None) -> Any:
    """Whole numbers as rows.

    Args:
        numbers: Tensor of whole numbers.
        mode: "one_hot", "multi_hot" or "count".
        depth: Length of a row.
        dtype: Type of the result.
        weights: Numbers to count with, in the shape of `numbers`, or None.
    """
    if mode == "one_hot":
        if numbers.shape.rank and numbers.shape[-1] == 1 and numbers.shape.rank > 1:
            numbers = numbers[..., 0]
        return one_hot(numbers, depth, dtype=dtype)
    if numbers.shape.rank == 0:
        numbers = expand_dims(numbers, axis=0)
    rows = one_hot(numbers, depth, dtype=dtype)
    if mode == "multi_hot":
        # A row without any element has nothing of anything.
        return maximum(reduce_max(rows, axis=-2), 0)
    if weights is not None:
        rows = multiply(rows, expand_dims(cast(weights, dtype), axis=-1))
    return reduce_sum(rows, axis=-2)


PreprocessingLayer.__module__ = "eagercore.keras.layers"
