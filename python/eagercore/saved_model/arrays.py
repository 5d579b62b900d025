"""Arrays beside the JSON of a saved model: numbers in safetensors' format, strings within the JSON."""

from __future__ import annotations

import base64
import math
from typing import Any

import numpy as np

from ..base import dtypes
from ..core.tensor import EagerTensor

_PAIRS = {"complex64": "float32", "complex128": "float64"}


class Store:
    """Arrays by their names, in the order in which they came.

    Attributes:
        arrays: name -> array, for the file.
    """

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.arrays: dict[str, np.ndarray] = {}
        self._known: dict[int, tuple[Any, Any]] = {}

    def put(self, tensor: EagerTensor, name: str | None = None) -> Any:
        """Keeps a tensor; gives the JSON that stands for it. The same tensor is kept once."""
        known = self._known.get(id(tensor))
        if known is None:
            known = self._known[id(tensor)] = (tensor, self._entry(tensor, name))
        return known[1]

    def _entry(self, tensor: EagerTensor, name: str | None) -> Any:
        array, kind = np.asarray(tensor._array), tensor.dtype.name
        if array.dtype == object:
            items = [
                base64.b64encode(i if isinstance(i, bytes) else str(i).encode()).decode()
                for i in array.reshape(-1)
            ]
            return {"dtype": kind, "dims": list(array.shape), "items": items}
        key = f"{self.prefix}/{len(self.arrays)}" + (f" {name}" if name else "")
        if kind in _PAIRS:
            flat = np.ascontiguousarray(array).reshape(-1)
            self.arrays[key] = flat.view(_PAIRS[kind])
            return {"dtype": kind, "dims": list(array.shape), "pairs": key}
        self.arrays[key] = array
        return {"key": key}


class Shelf:
    """Reads what a `Store` wrote."""

    def __init__(self, arrays: dict[str, np.ndarray]) -> None:
        self.arrays = arrays
        self._made: dict[str, EagerTensor] = {}

    def get(self, entry: Any) -> EagerTensor:
        """The tensor that a piece of JSON stands for.

        Raises:
            ValueError: If the array is not there.
        """
        key = entry.get("key") or entry.get("pairs")
        if key is None:
            return self._strings(entry)
        if key not in self.arrays:
            raise ValueError(f"The saved model is damaged: the array {key!r} is missing.")
        if key not in self._made:
            array = self.arrays[key]
            if "pairs" in entry:
                array = array.view(entry["dtype"]).reshape(entry["dims"])
            self._made[key] = EagerTensor(array)
        return self._made[key]

    @staticmethod
    def _strings(entry: Any) -> EagerTensor:
        items = [base64.b64decode(i) for i in entry["items"]]
        if (
            len(items) != math.prod(entry["dims"])
            or dtypes.as_dtype(entry["dtype"]) is not dtypes.string
        ):
            raise ValueError("The saved model is damaged: strings do not fill their shape.")
        array = np.empty(len(items), object)
        array[:] = items
        return EagerTensor(array.reshape(entry["dims"]))
