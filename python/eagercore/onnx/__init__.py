"""Export of traced functions and models as ONNX (extra `onnx`).

>>> from eagercore import onnx
>>> callable(onnx.export)
True
"""

from __future__ import annotations

from .export import export, to_model

__all__ = ["export", "to_model"]
