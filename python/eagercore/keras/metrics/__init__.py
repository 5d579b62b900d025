"""Metrics."""

from __future__ import annotations

from .base import Metric
