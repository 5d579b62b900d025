"""Discretization: numbers as numbers of the ranges that they lie in."""

from __future__ import annotations

from typing import Any

from ....base import dtypes
from ....base.shapes import as_shape
from ....core.host import array
from ....ops.create import cast, constant
from ....ops.shape import reshape
from ....ops.sorting import searchsorted
from .base import PreprocessingLayer, encoded

MODES = ("int", "one_hot", "multi_hot", "count")


class Discretization(PreprocessingLayer):
    """The number of the range that each value lies in: 0 below the first border, 1 from it on ...

    Args:
        bin_boundaries: Borders in order, or None to learn them.
        num_bins: Number of ranges to learn: each holds as many of the values.
        epsilon: Accepted for Keras's sake: the learned borders are exact.
        output_mode: "int" (default), "one_hot", "multi_hot" or "count".
        sparse: Accepted for Keras's sake: results are dense.
        **kwargs: See `Layer`.

    Raises:
        ValueError: If neither borders nor a number of ranges are given, or both.

    >>> Discretization([0.0, 1.0])([-5.0, 0.0, 0.5, 7.0]).numpy()
    array([0, 1, 1, 2])
    """

    def __init__(
        self,
        bin_boundaries: Any = None,
        num_bins: int | None = None,
        epsilon: float = 0.01,
        output_mode: str = "int",
        sparse: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if (num_bins is None) == (bin_boundaries is None):
            raise ValueError(
                "You need to set either `num_bins` or `bin_boundaries`, and not both. Received: num_bins="
                f"{num_bins}, bin_boundaries={bin_boundaries}"
            )
        if output_mode not in MODES:
            raise ValueError(f"`output_mode` must be one of {MODES}. Received: {output_mode}")
        self.input_bin_boundaries = None if bin_boundaries is None else [float(b) for b in bin_boundaries]
        self.bin_boundaries = self.input_bin_boundaries or []
        self.num_bins = len(self.bin_boundaries) + 1 if num_bins is None else int(num_bins)
        self.epsilon, self.output_mode, self.sparse = float(epsilon), output_mode, bool(sparse)
        self.reset_state()

    def reset_state(self) -> None:
        """Forgets what was learned."""
        self.__dict__["_seen"] = []

    def update_state(self, data: Any) -> None:
        """Looks at a batch."""
        if self.input_bin_boundaries is not None:
            raise ValueError("Cannot adapt a Discretization layer that has been initialized with `bin_boundaries`.")
        self._seen.extend(array(data, "float64").reshape(-1).tolist())

    def finalize_state(self) -> None:
        """Makes borders of all that was seen."""
        ordered = sorted(self._seen)
        borders = []
        for i in range(1, self.num_bins):
            place = i * (len(ordered) - 1) / self.num_bins
            low = int(place)
            high = min(low + 1, len(ordered) - 1)
            borders.append(ordered[low] + (ordered[high] - ordered[low]) * (place - low))
        self.bin_boundaries = borders

    def call(self, inputs: Any) -> Any:
        """The result for `inputs`."""
        if not self.bin_boundaries and self.num_bins > 1:
            raise RuntimeError(f"Layer {self.name} has not been adapted: call `adapt(data)` first.")
        values = inputs if inputs.dtype.is_floating else cast(inputs, dtypes.float32)
        borders = constant(self.bin_boundaries, values.dtype)
        flat = searchsorted(borders, reshape(values, (-1,)), side="right", out_type=dtypes.int64)
        from ....ops.create import shape_of

        numbers = reshape(flat, shape_of(inputs))
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
        given = self.input_bin_boundaries is not None
        return {
            **super().get_config(),
            "bin_boundaries": self.input_bin_boundaries,
            "num_bins": None if given else self.num_bins,
            "epsilon": self.epsilon,
            "output_mode": self.output_mode,
            "sparse": self.sparse,
        }


def result_shape(input_shape: Any, mode: str, depth: int | None) -> Any:
    """Shape of whole numbers, or of the rows that stand for them."""
    shape = as_shape(input_shape)
    if mode == "int":
        return shape
    if mode == "one_hot":
        return as_shape([*(shape[:-1] if len(shape) > 1 and shape[-1] == 1 else shape), depth])
    return as_shape([*shape[:-1], depth])


Discretization.__module__ = "eagercore.keras.layers"
