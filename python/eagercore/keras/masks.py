"""Masks: which time steps of a tensor count. Kept beside the tensors, which cannot carry attributes."""

from __future__ import annotations

import weakref
from typing import Any

from ..base import nest

#: id of a tensor -> (weak reference to it, its mask). Empty unless a layer makes masks.
table: dict[int, tuple[Any, Any]] = {}


def set_mask(tensor: Any, mask: Any) -> None:
    """Remembers the mask of a tensor as long as the tensor lives; None forgets it."""
    key = id(tensor)
    if mask is None:
        table.pop(key, None)
        return
    try:
        table[key] = (weakref.ref(tensor, lambda _: table.pop(key, None)), mask)
    except TypeError:
        return


def get_mask(tensor: Any) -> Any:
    """The mask of a tensor, or None."""
    entry = table.get(id(tensor))
    return entry[1] if entry is not None and entry[0]() is tensor else None


def masks_of(structure: Any) -> Any:
    """The masks of a structure of tensors, in its form; None when there is none at all."""
    if not table:
        return None
    flat = [get_mask(tensor) for tensor in nest.flatten(structure)]
    if all(mask is None for mask in flat):
        return None
    return nest.pack_sequence_as(structure, flat)
