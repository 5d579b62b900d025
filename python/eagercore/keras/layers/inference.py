"""Shapes of a layer's results, found by running its `call` without values."""

from __future__ import annotations

from typing import Any

from ...base import nest
from ...base.shapes import TensorSpec
from ...core.tensor import Tensor, convert
from ...ops.create import zeros
from ..symbolic import KerasTensor


def by_running(layer: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Results of `call` on symbolic tensors, or, where the code needs values, on zeros of two batch sizes."""
    kwargs = {k: v for k, v in kwargs.items() if k != "training" or layer._call_spec.takes_training}
    try:
        return layer.call(*args, **kwargs)
    except (TypeError, AttributeError, NotImplementedError) as error:
        first = error
    try:
        small, large = (_with_zeros(layer, args, kwargs, size) for size in (2, 3))
    except Exception:
        raise first from None
    return nest.map_structure(_common, small, large)


def _with_zeros(layer: Any, args: Any, kwargs: dict[str, Any], size: int) -> Any:
    def stand_in(value: Any) -> Any:
        if not isinstance(value, KerasTensor):
            return value
        return zeros([size if d is None else d for d in value.shape], value.dtype)

    args, kwargs = nest.map_structure(stand_in, (tuple(args), kwargs))
    return layer.call(*args, **kwargs)


def _common(one: Any, two: Any) -> Any:
    if not isinstance(one, Tensor):
        if not hasattr(one, "__array__"):
            return one
        one, two = convert(one), convert(two)
    dims = [a if a == b else None for a, b in zip(one.shape, two.shape, strict=True)]
    return TensorSpec(dims, one.dtype)
