"""Structures of values: lists, tuples, named tuples and dictionaries, in one fixed order of leaves.

Dictionaries are walked in sorted key order, as `tf.nest` does, so that two equal ones flatten alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def is_nested(value: Any) -> bool:
    """Whether `value` is a structure (list, tuple or mapping) rather than a leaf."""
    return isinstance(value, list | tuple | Mapping)


def _keys(mapping: Mapping[Any, Any]) -> list[Any]:
    try:
        return sorted(mapping)
    except TypeError:
        return list(mapping)


def flatten(structure: Any) -> list[Any]:
    """The leaves of `structure` as a list (a bare leaf gives a list of one).

    >>> flatten({"b": [1, 2], "a": (3,)})
    [3, 1, 2]
    """
    if not isinstance(structure, list | tuple | Mapping):
        return [structure]
    leaves: list[Any] = []
    try:
        _collect(structure, leaves)
    except RecursionError:
        raise ValueError(
            f"This {type(structure).__name__} is no structure of values: it contains itself, or is nested too deeply."
        ) from None
    return leaves


def _collect(structure: Any, leaves: list[Any]) -> None:
    if isinstance(structure, list | tuple):
        for item in structure:
            _collect(item, leaves)
    elif isinstance(structure, Mapping):
        for key in _keys(structure):
            _collect(structure[key], leaves)
    else:
        leaves.append(structure)


def _rebuild(template: Any, items: list[Any]) -> Any:
    if isinstance(template, Mapping):
        by_key = dict(zip(_keys(template), items, strict=True))
        ordered = {key: by_key[key] for key in template}
        return ordered if type(template) is dict else _same_mapping(template, ordered)
    if isinstance(template, tuple):
        return type(template)(*items) if hasattr(template, "_fields") else tuple(items)
    return items


def _same_mapping(template: Mapping[Any, Any], ordered: dict[Any, Any]) -> Any:
    try:
        return type(template)(ordered)  # type: ignore[call-arg]
    except TypeError:
        return ordered


def pack_sequence_as(structure: Any, flat_sequence: Any) -> Any:
    """The leaves `flat_sequence` in the form of `structure`.

    Raises:
        ValueError: If the number of leaves does not fit.
    """
    leaves = list(flat_sequence)
    wanted = len(flatten(structure))
    if len(leaves) != wanted:
        raise ValueError(
            f"Could not pack sequence. Structure had {wanted} atoms, but flat_sequence had "
            f"{len(leaves)} items. Structure: {structure}, flat_sequence: {leaves}."
        )
    source = iter(leaves)
    return _pack(structure, source)


def _pack(structure: Any, source: Any) -> Any:
    if isinstance(structure, list | tuple):
        return _rebuild(structure, [_pack(item, source) for item in structure])
    if isinstance(structure, Mapping):
        return _rebuild(structure, [_pack(structure[key], source) for key in _keys(structure)])
    return next(source)


def map_structure(function: Callable[..., Any], *structures: Any, **kwargs: Any) -> Any:
    """Calls `function` on the leaves of structures of one form and gives the results in that form."""
    first = structures[0]
    for other in structures[1:]:
        assert_same_structure(first, other)
    flat = zip(*(flatten(s) for s in structures), strict=True)
    return pack_sequence_as(first, [function(*leaves) for leaves in flat])


def assert_same_structure(nest1: Any, nest2: Any, check_types: bool = True) -> None:
    """Raises ValueError (or TypeError, when only the types differ) unless both have one form."""
    if is_nested(nest1) != is_nested(nest2):
        raise ValueError(
            f"The two structures don't have the same nested structure.\n\nFirst structure: {nest1}\n\n"
            f"Second structure: {nest2}"
        )
    if not is_nested(nest1):
        return
    if check_types and not (
        type(nest1) is type(nest2) or (isinstance(nest1, Mapping) and isinstance(nest2, Mapping))
    ):
        raise TypeError(
            "The two structures don't have the same sequence type. First structure has type "
            f"{type(nest1)}, while second structure has type {type(nest2)}."
        )
    if isinstance(nest1, Mapping) != isinstance(nest2, Mapping) or len(nest1) != len(nest2):
        raise ValueError(
            "The two structures don't have the same number of elements.\n\n"
            f"First structure: {nest1}\n\nSecond structure: {nest2}"
        )
    if isinstance(nest1, Mapping):
        if set(nest1) != set(nest2):
            raise ValueError(
                f"The two dictionaries don't have the same set of keys. First: {list(nest1)}, second: {list(nest2)}."
            )
        for key in nest1:
            assert_same_structure(nest1[key], nest2[key], check_types)
    else:
        for one, two in zip(nest1, nest2, strict=True):
            assert_same_structure(one, two, check_types)
