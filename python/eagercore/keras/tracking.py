"""Tracking: an object knows the layers and variables that were set on it, also in lists and dictionaries, at any time.

What is set is remembered by the name of the attribute, in order; lists and dictionaries are looked into when somebody
asks, so that what was appended to them later is found too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..core.variable import Variable

_PLAIN = frozenset({int, float, bool, str, bytes, type(None), complex})


class Trackable:
    """Base of layers, models and metrics.

    Attributes:
        _tracked: name -> value of the attributes that are, or may come to hold, layers and variables.
        _own: Variables made by `add_weight` or set as attributes, in the order in which they came.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """Makes the object with the fields of tracking, before any `__init__` runs."""
        made = object.__new__(cls)
        fields = made.__dict__
        fields["_tracked"] = {}
        fields["_own"] = []
        fields["_listener"] = None
        return made

    def __setattr__(self, name: str, value: Any) -> None:
        kind = type(value)
        fields = self.__dict__
        if kind in _PLAIN or kind is tuple and not _holds_trackable(value):
            if name in fields["_tracked"]:
                self._untrack(name)
        elif isinstance(value, Variable):
            self._track_variable(value, name)
        elif isinstance(value, Trackable | list | tuple | dict) or hasattr(
            value, "_checkpoint_children"
        ):
            tracked = fields["_tracked"]
            if tracked.get(name) is not value:
                tracked.pop(name, None)
                tracked[name] = value
                self._tell(name, value)
        elif name in fields["_tracked"]:
            self._untrack(name)
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        if name in self.__dict__["_tracked"]:
            self._untrack(name)
        object.__delattr__(self, name)

    def _untrack(self, name: str) -> None:
        gone = self.__dict__["_tracked"].pop(name)
        if isinstance(gone, Variable):
            self.__dict__["_own"][:] = [v for v in self.__dict__["_own"] if v is not gone]

    def _track_variable(self, variable: Variable, name: str) -> None:
        own = self.__dict__["_own"]
        tracked = self.__dict__["_tracked"]
        if name in tracked and tracked[name] is not variable:
            self._untrack(name)
        if not any(known is variable for known in own):
            own.append(variable)
        if not any(known is variable for known in tracked.values()):
            tracked[name] = variable
            self._tell(name, variable)

    def _tell(self, name: str, value: Any) -> None:
        """Tells a waiting restore that `value` is there now."""
        listener = self.__dict__["_listener"]
        if listener is not None:
            listener(self, name, value)

    def _checkpoint_children(self) -> dict[str, Any]:
        """What a checkpoint saves of this object: name -> variable, layer, list or dictionary."""
        return dict(self._tracked)

    def _sublayers(self) -> list[Trackable]:
        """The layers set on this object, in order, each once (not the layers inside them)."""
        found: list[Trackable] = []
        seen: set[int] = {id(self)}
        for value in self._tracked.values():
            _collect(value, seen, found.append, lambda variable: None)
        return found

    def _own_variables(self) -> list[Variable]:
        """The variables of this object itself, those in its lists and dictionaries last."""
        found = list(self._own)
        seen = {id(v) for v in found}
        for value in self._tracked.values():
            if isinstance(value, list | dict | tuple):
                _collect(value, seen, lambda layer: None, found.append)
        return found

    def _walk(self) -> Iterator[Trackable]:
        """This object and all inside it, each once."""
        stack: list[Trackable] = [self]
        seen: set[int] = set()
        while stack:
            one = stack.pop()
            if id(one) in seen:
                continue
            seen.add(id(one))
            yield one
            stack.extend(reversed(one._sublayers()))


def _holds_trackable(value: Any) -> bool:
    for item in value:
        if isinstance(item, Trackable | Variable):
            return True
        if isinstance(item, list | tuple) and _holds_trackable(item):
            return True
        if isinstance(item, Mapping) and _holds_trackable(item.values()):
            return True
    return False


def _collect(
    value: Any, seen: set[int], layer: Callable[[Any], Any], variable: Callable[[Any], Any]
) -> None:
    """Calls `layer` and `variable` with those that `value` is or holds, each once."""
    if isinstance(value, Trackable):
        if id(value) not in seen:
            seen.add(id(value))
            layer(value)
    elif isinstance(value, Variable):
        if id(value) not in seen:
            seen.add(id(value))
            variable(value)
    elif isinstance(value, list | tuple | dict):
        if id(value) in seen:
            return
        seen.add(id(value))
        for item in value.values() if isinstance(value, dict) else value:
            _collect(item, seen, layer, variable)


def deduplicated(values: Any) -> list[Any]:
    """The values in order, each object once."""
    seen: set[int] = set()
    found = []
    for value in values:
        if id(value) not in seen:
            seen.add(id(value))
            found.append(value)
    return found
