"""What initializers share."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.shapes import as_shape
from ..settings import settings


class Initializer:
    """Base of initializers: write `__call__(shape, dtype)` and `get_config()`."""

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Any:
        """A tensor of this shape and dtype."""
        raise NotImplementedError(f"{type(self).__name__} must define __call__(shape, dtype).")

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an initializer like this one."""
        return {}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """The initializer that `get_config` described."""
        config = dict(config)
        config.pop("dtype", None)
        return cls(**config)


def float_type(dtype: Any) -> Any:
    """The floating type asked for, or the default one.

    Raises:
        ValueError: If it is no floating type.
    """
    kind = dtypes.as_dtype(settings.floatx if dtype is None else dtype)
    if not (kind.is_floating or kind.is_complex):
        raise ValueError(f"Expected float or integer dtype, got {kind!r}.")
    return kind


def any_type(dtype: Any) -> Any:
    """The type asked for, or the default one."""
    return dtypes.as_dtype(settings.floatx if dtype is None else dtype)


def dims(shape: Any) -> tuple[int, ...]:
    """A shape as a tuple of ints."""
    if hasattr(shape, "_read_array"):
        shape = shape.numpy().tolist()
    return tuple(as_shape(shape))
