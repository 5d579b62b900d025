"""Weights in files."""

from __future__ import annotations


class Saving:
    """What a model needs to be saved."""
