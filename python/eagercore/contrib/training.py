"""tf.contrib.training: named hyperparameters, and waiting for checkpoints."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

from ..train.state import checkpoints_iterator

python = SimpleNamespace(
    training=SimpleNamespace(evaluation=SimpleNamespace(checkpoints_iterator=checkpoints_iterator))
)
evaluation = SimpleNamespace(checkpoints_iterator=checkpoints_iterator)


class HParams:
    """Named hyperparameters, each of one type.

    Args:
        hparam_def: Accepted for TensorFlow's sake.
        model_structure: Accepted for TensorFlow's sake.
        **kwargs: Names and values.

    >>> hparams = HParams(rate=0.1, units=[10, 20])
    >>> hparams.parse("rate=0.5").rate
    0.5
    """

    def __init__(self, hparam_def: Any = None, model_structure: Any = None, **kwargs: Any) -> None:
        self._types: dict[str, tuple[type, bool]] = {}
        self._model_structure = model_structure
        for name, value in kwargs.items():
            self.add_hparam(name, value)

    def add_hparam(self, name: str, value: Any) -> None:
        """Adds a hyperparameter.

        Args:
            name: Name.
            value: Value, or list of values of one type.

        Raises:
            ValueError: If the name is taken, or a list is empty.
        """
        if getattr(self, name, None) is not None:
            raise ValueError(f"Hyperparameter name is reserved: {name}")
        if isinstance(value, list | tuple):
            if not value:
                raise ValueError(f"Multi-valued hyperparameters cannot be empty: {name}")
            self._types[name] = (type(value[0]), True)
        else:
            self._types[name] = (type(value), False)
        setattr(self, name, list(value) if isinstance(value, tuple) else value)

    def set_hparam(self, name: str, value: Any) -> None:
        """Sets a hyperparameter that exists.

        Args:
            name: Name.
            value: Value, of the type of the first one.

        Raises:
            KeyError: If there is none of that name.
            ValueError: If the type is another.
        """
        kind, is_list = self._types[name]
        if isinstance(value, list | tuple) != is_list:
            raise ValueError(
                f"Must {'' if is_list else 'not '}pass a list for the parameter: {name}."
            )
        setattr(
            self, name, [_as(name, kind, v) for v in value] if is_list else _as(name, kind, value)
        )

    def del_hparam(self, name: str) -> None:
        """Removes a hyperparameter."""
        if name in self._types:
            delattr(self, name)
            del self._types[name]

    def parse(self, values: str) -> HParams:
        """Sets hyperparameters from a text such as "rate=0.5,units=[1,2]".

        Args:
            values: The text.

        Raises:
            ValueError: If a name is unknown or a value does not fit.
        """
        for name, text in _assignments(values):
            if name not in self._types:
                raise ValueError(f"Unknown hyperparameter: {name}")
            kind, is_list = self._types[name]
            parts = (
                [_read(name, kind, part) for part in text.strip("[]").split(",")]
                if is_list
                else _read(name, kind, text)
            )
            setattr(self, name, parts)
        return self

    def override_from_dict(self, values_dict: dict[str, Any]) -> HParams:
        """Sets hyperparameters from a dictionary."""
        for name, value in values_dict.items():
            self.set_hparam(name, value)
        return self

    def parse_json(self, values_json: str) -> HParams:
        """Sets hyperparameters from a JSON object."""
        return self.override_from_dict(json.loads(values_json))

    def values(self) -> dict[str, Any]:
        """Names and values."""
        return {name: getattr(self, name) for name in self._types}

    def get(self, key: str, default: Any = None) -> Any:
        """A value, or `default` where there is none of that name."""
        return getattr(self, key) if key in self._types else default

    def to_json(self, indent: Any = None, separators: Any = None, sort_keys: bool = False) -> str:
        """The hyperparameters as a JSON object."""
        known = {k: v for k, v in self.values().items() if not callable(v)}
        return json.dumps(known, indent=indent, separators=separators, sort_keys=sort_keys)

    def __contains__(self, key: str) -> bool:
        return key in self._types

    def __str__(self) -> str:
        return str(sorted(self.values().items()))

    def __repr__(self) -> str:
        return f"HParams({self})"


def _as(name: str, kind: type, value: Any) -> Any:
    if isinstance(value, kind) or value is None or kind is type(None):
        return value
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if kind is int and isinstance(value, float) and value == int(value):
        return int(value)
    raise ValueError(f"Could not cast hparam '{name}' of type '{kind}' from value {value!r}")


def _read(name: str, kind: type, text: str) -> Any:
    text = text.strip()
    if kind is bool:
        if text.lower() in ("true", "1"):
            return True
        if text.lower() in ("false", "0"):
            return False
        raise ValueError(f"Could not parse hparam '{name}' of type 'bool' with value {text!r}")
    try:
        return kind(text.strip("'\"")) if kind is str else kind(text)
    except ValueError:
        raise ValueError(
            f"Could not parse hparam '{name}' of type '{kind.__name__}' with value {text!r}"
        ) from None


def _assignments(text: str) -> list[tuple[str, str]]:
    found, depth, start = [], 0, 0
    for i, letter in enumerate(text + ","):
        depth += (letter == "[") - (letter == "]")
        if letter == "," and depth == 0:
            part = text[start:i].strip()
            start = i + 1
            if part:
                name, equals, value = part.partition("=")
                if not equals:
                    raise ValueError(f"Malformed hyperparameter value: {part}")
                found.append((name.strip(), value.strip()))
    return found


HParams.__module__ = "eagercore"
