"""tf.Module: an object that knows the variables and modules set on it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..base.context import context
from .variable import Variable

#: What lower floors may ask higher ones for, by name: functions that the package's top puts here.
SERVICES: dict[str, Callable[[], Any]] = {}


def is_trackable(value: Any) -> bool:
    """Whether `value` is a variable or an object that says what it holds."""
    return isinstance(value, Variable) or hasattr(value, "_checkpoint_children")


def holds_trackable(value: Any, seen: frozenset[int] = frozenset()) -> bool:
    """Whether `value` is trackable, or a list or dictionary that holds something trackable."""
    if is_trackable(value):
        return True
    if not isinstance(value, list | tuple | Mapping) or id(value) in seen:
        return False
    items = value.values() if isinstance(value, Mapping) else value
    inside = seen | {id(value)}
    return any(holds_trackable(item, inside) for item in items)


class AutoTrackable:
    """An object whose attributes a checkpoint saves: variables, other such objects, lists and dictionaries of them."""

    #: Called as listener(object, name, value) when something trackable is set: a restore may wait for it.
    _listener: Callable[[Any, str, Any], None] | None = None

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)
        listener = self._listener
        if listener is not None and not name.startswith("_listener") and holds_trackable(value):
            listener(self, name, value)

    def _checkpoint_children(self) -> dict[str, Any]:
        """What a checkpoint saves: name -> variable, object, list or dictionary."""
        return {name: value for name, value in vars(self).items() if holds_trackable(value)}


class Module(AutoTrackable):
    """Base of objects that own variables: layers, models, anything that learns.

    Args:
        name: Name; default the class's in lower case with underscores.

    >>> class Linear(Module):
    ...     def __init__(self):
    ...         super().__init__(name="linear")
    ...         self.w = Variable([1.0, 2.0], name="w")
    >>> [v.name for v in Linear().variables]
    ['w:0']
    """

    _TF_MODULE_IGNORED_PROPERTIES = frozenset({"_listener"})

    def __init__(self, name: str | None = None) -> None:
        if name is None:
            name = camel_to_snake(type(self).__name__)
        elif not re.fullmatch(r"[A-Za-z_]\w*", name):
            raise ValueError(
                f"{name!r} is not a valid module name. Module names must be valid Python identifiers."
            )
        self._name = name
        self._scope_name = "/".join([*context.name_scopes, name])

    @property
    def name(self) -> str:
        """Name of the module."""
        return self._name

    @property
    def name_scope(self) -> NameScope:
        """A context in which variables' names begin with the module's."""
        return NameScope(self._scope_name)

    @property
    def variables(self) -> tuple[Variable, ...]:
        """All variables, those of modules inside last."""
        return tuple(self._flatten(predicate=lambda value: isinstance(value, Variable)))

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """The variables that are trained."""
        return tuple(v for v in self.variables if v.trainable)

    @property
    def non_trainable_variables(self) -> tuple[Variable, ...]:
        """The variables that are not trained."""
        return tuple(v for v in self.variables if not v.trainable)

    @property
    def submodules(self) -> tuple[Any, ...]:
        """All modules inside."""
        return tuple(self._flatten(predicate=lambda value: value is not self and _is_module(value)))

    def _flatten(
        self, recursive: bool = True, predicate: Callable[[Any], bool] | None = None,
        attribute_traversal_key: Any = None, with_path: bool = False, expand_composites: bool = False,
    ) -> Iterator[Any]:  # fmt: skip
        """What is set on this module, and then on those inside, each once, in the order of the attributes' names."""
        seen: set[int] = {id(self)}
        queue: list[tuple[tuple[Any, ...], Any]] = [((), self)]
        while queue:
            path, module = queue.pop(0)
            for name, value in _attributes(module, attribute_traversal_key):
                for inner, leaf in _leaves(value, (name,)):
                    if id(leaf) in seen:
                        continue
                    seen.add(id(leaf))
                    if predicate is None or predicate(leaf):
                        yield ((*path, *inner), leaf) if with_path else leaf
                    if recursive and _is_module(leaf):
                        queue.append(((*path, *inner), leaf))

    @classmethod
    def with_name_scope(cls, method: Callable[..., Any]) -> Callable[..., Any]:
        """Decorator: the method runs in the module's `name_scope`."""
        import functools

        @functools.wraps(method)
        def inside(self: Module, *args: Any, **kwargs: Any) -> Any:
            with self.name_scope:
                return method(self, *args, **kwargs)

        return inside


class NameScope:
    """While the block runs, names of new variables begin with `name`."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._before: list[tuple[str, ...]] = []

    @property
    def name(self) -> str:
        """The scope's name."""
        return self._name

    def __enter__(self) -> str:
        self._before.append(context.name_scopes)
        context.name_scopes = tuple(self._name.split("/"))
        return self._name + "/"

    def __exit__(self, *error: Any) -> None:
        context.name_scopes = self._before.pop()


def camel_to_snake(name: str) -> str:
    """A class's name in lower case with underscores."""
    return re.sub(r"((?<=[a-z0-9])[A-Z]|(?!^)[A-Z](?=[a-z]))", r"_\1", name).lower()


def _is_module(value: Any) -> bool:
    return hasattr(value, "_checkpoint_children") and not isinstance(value, Variable)


def _attributes(module: Any, key: Any) -> list[tuple[str, Any]]:
    found = vars(module) if isinstance(module, Module) else module._checkpoint_children()
    ignored = getattr(type(module), "_TF_MODULE_IGNORED_PROPERTIES", ())
    order = (
        sorted((n for n in found if n not in ignored), key=key)
        if isinstance(module, Module)
        else list(found)
    )
    return [(name, found[name]) for name in order]


def _leaves(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(value, list | tuple):
        for place, item in enumerate(value):
            yield from _leaves(item, (*path, place))
    elif isinstance(value, Mapping):
        for key in sorted(value, key=str):
            yield from _leaves(value[key], (*path, key))
    else:
        yield path, value


for _cls in (Module, AutoTrackable):
    _cls.__module__ = "eagercore"
