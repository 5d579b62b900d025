"""Models: functional, sequential and subclassed; copies of them, and their files."""

from __future__ import annotations

from .cloning import clone_model
from .configuration import model_from_config, model_from_json, model_from_yaml
from .files import load_model, save_model
from .model import Model
from .sequential import Sequential

__all__ = [
    "Model", "Sequential", "clone_model", "load_model", "model_from_config", "model_from_json", "model_from_yaml",
    "save_model",
]  # fmt: skip
