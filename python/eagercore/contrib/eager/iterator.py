"""tfe.Iterator: a loop over a dataset, for the time when datasets were not iterable themselves."""

from __future__ import annotations

from typing import Any


class Iterator:
    """Iterates over the elements of a `tf.data.Dataset`.

    Args:
        dataset: The dataset.

    Raises:
        AttributeError: If it is no dataset.
    """

    def __init__(self, dataset: Any) -> None:
        if isinstance(dataset, list | tuple | dict | str) or not hasattr(dataset, "__iter__"):
            raise AttributeError(
                f"tfe.Iterator takes a tf.data.Dataset, got {type(dataset).__name__}: "
                "tf.data.Dataset.from_tensor_slices makes one of a list or an array."
            )
        self._dataset = dataset
        self._iterator = iter(dataset)

    def __iter__(self) -> Iterator:
        return self

    def __next__(self) -> Any:
        return next(self._iterator)

    def next(self) -> Any:
        """The next element; StopIteration at the end."""
        return next(self._iterator)

    def get_next(self, name: str | None = None) -> Any:
        """The next element.

        Args:
            name: Accepted for TensorFlow's sake.

        Raises:
            OutOfRangeError: At the end.
        """
        from ...base.errors import OutOfRangeError

        try:
            return next(self._iterator)
        except StopIteration:
            raise OutOfRangeError("End of sequence [Op:IteratorGetNextSync]") from None

    @property
    def output_types(self) -> Any:
        """Dtypes of an element."""
        return self._dataset.output_types

    @property
    def output_shapes(self) -> Any:
        """Shapes of an element."""
        return self._dataset.output_shapes


Iterator.__module__ = "eagercore"
