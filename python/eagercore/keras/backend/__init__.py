"""`tf.keras.backend`: Keras's own names for what the engine does, and its settings.

The functions stand in the files of this folder by theme; each file's `__all__` says which of them are public.
"""

from __future__ import annotations

from . import arithmetic, chance, flow, network, recurrence, shaping, values

__all__: list[str] = []
for _part in (arithmetic, chance, flow, network, recurrence, shaping, values):
    for _name in _part.__all__:
        globals()[_name] = getattr(_part, _name)
        __all__ += [_name]
