"""Objects by name: what turns "relu", {"class_name": ..., "config": ...} or a function of one's own into the thing."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

#: Names of one's own, good everywhere (`get_custom_objects()`).
_custom: dict[str, Any] = {}
#: class -> the name it was registered under.
_registered: dict[Any, str] = {}


def get_custom_objects() -> dict[str, Any]:
    """The dictionary of names of one's own: what is put into it is found by every `get` and `from_config`."""
    return _custom


@contextmanager
def custom_object_scope(*objects: Any) -> Iterator[dict[str, Any]]:
    """Inside the `with` block the names in the given dictionaries are known.

    Args:
        *objects: Dictionaries of name and class or function.

    >>> with custom_object_scope({"twice": lambda x: 2 * x}):
    ...     get_custom_objects()["twice"](2)
    4
    """
    before = dict(_custom)
    for one in objects:
        _custom.update(one)
    try:
        yield _custom
    finally:
        _custom.clear()
        _custom.update(before)


CustomObjectScope = custom_object_scope


def register_keras_serializable(
    package: str = "Custom", name: str | None = None
) -> Callable[[Any], Any]:
    """Decorator: makes a class or function known to loading under `package>name`."""

    def register(thing: Any) -> Any:
        key = f"{package}>{name or thing.__name__}"
        _custom[key] = thing
        _registered[thing] = key
        return thing

    return register


def get_registered_name(thing: Any) -> str:
    """The name under which a class or function was registered, else its own."""
    try:
        return _registered.get(thing, thing.__name__)
    except TypeError:
        return thing.__name__


def get_registered_object(name: str, custom_objects: Any = None, module_objects: Any = None) -> Any:
    """The class or function of this name, or None."""
    for table in (custom_objects, _custom, module_objects):
        if table and name in table:
            return table[name]
    return None


def serialize_keras_object(instance: Any) -> Any:
    """A name or a dictionary from which `deserialize_keras_object` makes the object again.

    Raises:
        ValueError: If the object has neither `get_config` nor a name.
    """
    if instance is None:
        return None
    if hasattr(instance, "get_config"):
        return {"class_name": get_registered_name(type(instance)), "config": instance.get_config()}
    if hasattr(instance, "__name__"):
        return get_registered_name(instance)
    raise ValueError(f"Cannot serialize {instance!r}: it has no get_config() and no name.")


def deserialize_keras_object(
    identifier: Any,
    module_objects: Any = None,
    custom_objects: Any = None,
    printable_module_name: str = "object",
) -> Any:
    """The object that a name or a dictionary stands for.

    Args:
        identifier: Name, dictionary with "class_name" and "config", or None.
        module_objects: name -> class or function, of the module that asks.
        custom_objects: name -> class or function of one's own.
        printable_module_name: What it is, for the message.

    Raises:
        ValueError: If the name is not known.
    """
    if identifier is None:
        return None
    if isinstance(identifier, dict):
        return _from_dictionary(identifier, module_objects, custom_objects, printable_module_name)
    if isinstance(identifier, str):
        found = get_registered_object(identifier, custom_objects, module_objects)
        if found is None:
            raise ValueError(_unknown(printable_module_name, identifier, module_objects))
        return found() if isinstance(found, type) else found
    if callable(identifier):
        return identifier
    raise ValueError(f"Could not interpret serialized {printable_module_name}: {identifier!r}")


def _unknown(what: str, name: Any, known: Any) -> str:
    near = difflib.get_close_matches(str(name), [str(k) for k in known or ()], n=2)
    hint = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
    return (
        f"Unknown {what}: {name}.{hint} Please ensure this object is passed to the `custom_objects` argument, or is in "
        "a custom_object_scope."
    )


def _from_dictionary(config: Any, module_objects: Any, custom_objects: Any, what: str) -> Any:
    if "class_name" not in config or "config" not in config:
        raise ValueError(
            f"Improper config format: {config}. A dictionary with 'class_name' and 'config' is expected."
        )
    name = config["class_name"]
    cls = get_registered_object(name, custom_objects, module_objects)
    if cls is None:
        raise ValueError(_unknown(what, name, module_objects))
    inner = config["config"]
    if not isinstance(cls, type):
        return cls
    if custom_objects:
        with custom_object_scope(custom_objects):
            return cls.from_config(inner)
    return cls.from_config(inner)


def lookup(identifier: Any, objects: Any, what: str, instantiate: bool = True) -> Any:
    """What `get` of a module of named things does: None, a name, a dictionary, a class or the thing itself.

    Raises:
        ValueError: If it cannot be understood.
    """
    if identifier is None:
        return None
    if isinstance(identifier, dict | str):
        return deserialize_keras_object(identifier, objects, None, what)
    if isinstance(identifier, type) and instantiate:
        return identifier()
    if callable(identifier):
        return identifier
    raise ValueError(f"Could not interpret {what} identifier: {identifier!r}")
