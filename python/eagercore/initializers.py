"""tf.initializers: what fills a variable at its birth; the same as tf.keras.initializers."""

from __future__ import annotations

from typing import Any

from .keras import initializers as _initializers


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(name)
    try:
        return getattr(_initializers, name)
    except AttributeError:
        raise AttributeError(f"module 'eagercore.initializers' has no attribute '{name}'.") from None


def __dir__() -> list[str]:
    return sorted(n for n in dir(_initializers) if not n.startswith("_"))
