"""Models: functional, sequential and subclassed; copies of them, and their files."""

from __future__ import annotations

from .model import Model
from .sequential import Sequential

__all__ = ["Model", "Sequential"]
