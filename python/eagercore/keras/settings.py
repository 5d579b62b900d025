"""Choices that hold for all layers: the default float type, the small epsilon, the order of image dimensions."""

from __future__ import annotations

from typing import Any


class Settings:
    """Defaults that layers, losses and optimizers read when they are made."""

    floatx: str = "float32"
    epsilon: float = 1e-7
    image_data_format: str = "channels_last"
    #: Name of the global policy of dtypes, or None: see `mixed_precision`.
    policy: str | None = None


settings = Settings()


def floatx() -> str:
    """Name of the default float type.

    >>> floatx()
    'float32'
    """
    return settings.floatx


def set_floatx(value: Any) -> None:
    """Sets the default float type of new layers.

    Args:
        value: "float16", "bfloat16", "float32" or "float64", as a name or a dtype.

    Raises:
        ValueError: If it is something else.
    """
    name = getattr(value, "name", value)
    if name not in ("float16", "bfloat16", "float32", "float64"):
        raise ValueError(
            f"Unknown `floatx` value: {value!r}. Expected one of: 'float16', 'bfloat16', 'float32', 'float64'."
        )
    settings.floatx = name


def epsilon() -> float:
    """The small number that keeps divisions and logarithms from zero.

    >>> epsilon()
    1e-07
    """
    return settings.epsilon


def set_epsilon(value: float) -> None:
    """Sets the small number that `epsilon()` gives."""
    settings.epsilon = float(value)


def image_data_format() -> str:
    """Default order of image dimensions: "channels_last" or "channels_first"."""
    return settings.image_data_format


def set_image_data_format(data_format: str) -> None:
    """Sets the default order of image dimensions.

    Raises:
        ValueError: If it is neither "channels_last" nor "channels_first".
    """
    settings.image_data_format = checked_data_format(data_format)


def checked_data_format(data_format: str | None) -> str:
    """A data format, the default one for None.

    Raises:
        ValueError: If it is neither "channels_last" nor "channels_first".
    """
    if data_format is None:
        return settings.image_data_format
    value = str(data_format).lower()
    if value not in ("channels_last", "channels_first"):
        raise ValueError(
            "The `data_format` argument must be one of 'channels_first', 'channels_last'. "
            f"Received: {data_format!r}"
        )
    return value
