"""Batches of elements of about the same length."""

from __future__ import annotations

import bisect
from typing import Any

import numpy as np

from ..core import coerce
from . import structure


def bucket(
    dataset: Any, length_of: Any, boundaries: Any, batch_sizes: Any, padded_shapes: Any, padding_values: Any,
    to_boundary: bool, no_padding: bool, drop_remainder: bool,
) -> Any:  # fmt: skip
    """`Dataset.bucket_by_sequence_length`, which see.

    Raises:
        ValueError: If there is not one batch size more than boundaries.
    """
    op = "Dataset.bucket_by_sequence_length"
    bounds = list(coerce.as_ints(boundaries, op, "bucket_boundaries"))
    sizes = list(coerce.as_ints(batch_sizes, op, "bucket_batch_sizes"))
    if len(sizes) != len(bounds) + 1:
        raise ValueError(
            "`len(bucket_batch_sizes)` must equal `len(bucket_boundaries) + 1` but "
            f"`len(bucket_batch_sizes)={len(sizes)}` "
            f"and `len(bucket_boundaries)={len(bounds)}`."
        )
    if bounds != sorted(set(bounds)):
        raise ValueError(f"`bucket_boundaries` must ascend, got {bounds}.")

    def key_of(*element: Any) -> Any:
        length = int(coerce.plain(length_of(*element)))
        if to_boundary and bounds and length >= bounds[-1]:
            raise ValueError(
                f"When pad_to_bucket_boundary=True, elements must have length < max(bucket_boundaries) = {bounds[-1]}, "
                f"got {length}."
            )
        return np.int64(bisect.bisect_right(bounds, length))

    def batched(key: Any, window: Any) -> Any:
        number = int(key)
        if no_padding:
            return window.batch(sizes[number], drop_remainder=drop_remainder)
        shapes = padded_shapes
        if shapes is None:
            shapes = structure.map_components(lambda s: s.shape, window.element_spec)
            if not to_boundary:
                shapes = structure.map_components(lambda s: [None] * s.rank, shapes)
        if to_boundary:
            limit = bounds[number] - 1 if number < len(bounds) else None
            shapes = _filled(window.element_spec, shapes, limit)
        return window.padded_batch(
            sizes[number], shapes, padding_values, drop_remainder=drop_remainder
        )

    # The key function takes the components of an element as they come.
    key_of.__wrapped__ = length_of  # type: ignore[attr-defined]
    return dataset.group_by_window(key_of, batched, window_size_func=lambda key: sizes[int(key)])


def _filled(spec: Any, shapes: Any, limit: int | None) -> Any:
    """Shapes whose unknown first dimension is the bucket's."""
    found = structure.flatten_up_to(spec, shapes, "padded_shapes")
    made = [[limit if d is None or d == -1 else d for d in shape] for shape in found]
    return structure.packer(spec)(made)
