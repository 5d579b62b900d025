"""Containers that a checkpoint can walk, and the store that `get_variable` shares variables through."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ...core.variable import Variable
from ...keras.tracking import Trackable


class Checkpointable(Trackable):
    """Base of objects whose attributes (variables, layers, other such objects) belong to a checkpoint.

    >>> class Model(Checkpointable):
    ...     def __init__(self):
    ...         self.w = Variable(1.0)
    >>> list(Model()._checkpoint_children())
    ['w']
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    @property
    def variables(self) -> list[Variable]:
        """The variables of this object and of what is set on it."""
        from ...keras.tracking import deduplicated

        return deduplicated([v for one in self._walk() for v in one._own_variables()])

    @property
    def trainable_variables(self) -> list[Variable]:
        """Those of the variables that are trainable."""
        return [v for v in self.variables if v.trainable]


class List(Checkpointable):
    """A list whose layers and variables belong to the object that holds it.

    Args:
        *args: The items, or one list of them.

    >>> layers = List([Variable(1.0), Variable(2.0)])
    >>> len(layers), len(layers.variables)
    (2, 2)
    """

    def __init__(self, *args: Any) -> None:
        super().__init__()
        given = args[0] if len(args) == 1 and isinstance(args[0], list | tuple) else args
        self.items_ = list(given)

    def append(self, value: Any) -> None:
        """Adds an item at the end."""
        self.items_.append(value)

    def extend(self, values: Iterable[Any]) -> None:
        """Adds items at the end."""
        self.items_.extend(values)

    def insert(self, index: int, value: Any) -> None:
        """Adds an item at a place."""
        self.items_.insert(index, value)

    def __getitem__(self, key: Any) -> Any:
        return self.items_[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        self.items_[key] = value

    def __len__(self) -> int:
        return len(self.items_)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items_)

    def __contains__(self, value: Any) -> bool:
        return any(one is value for one in self.items_)

    def __add__(self, other: Any) -> List:
        return List([*self.items_, *other])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, List | list) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"List({self.items_!r})"

    @property
    def layers(self) -> list[Any]:
        """The items that are layers."""
        return [one for one in self.items_ if hasattr(one, "weights")]

    @property
    def weights(self) -> list[Variable]:
        """The variables."""
        return self.variables

    trainable_weights = Checkpointable.trainable_variables

    def _checkpoint_children(self) -> dict[str, Any]:
        return {
            str(i): one
            for i, one in enumerate(self.items_)
            if isinstance(one, Variable | Trackable)
        }


class Mapping(Checkpointable):
    """A dictionary whose layers and variables belong to the object that holds it.

    Args:
        *args: As for `dict`.
        **kwargs: As for `dict`.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        self.entries_ = dict(*args, **kwargs)

    def __getitem__(self, key: Any) -> Any:
        return self.entries_[key]

    def __setitem__(self, key: str, value: Any) -> None:
        if not isinstance(key, str):
            raise TypeError(f"Mapping accepts only string keys, but got a key {key!r}.")
        self.entries_[key] = value

    def __len__(self) -> int:
        return len(self.entries_)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.entries_)

    def keys(self) -> Any:
        """The keys."""
        return self.entries_.keys()

    def values(self) -> Any:
        """The values."""
        return self.entries_.values()

    def items(self) -> Any:
        """Pairs of key and value."""
        return self.entries_.items()

    def update(self, *args: Any, **kwargs: Any) -> None:
        """Adds entries."""
        self.entries_.update(*args, **kwargs)

    def __repr__(self) -> str:
        return f"Mapping({self.entries_!r})"

    def _checkpoint_children(self) -> dict[str, Any]:
        return {k: v for k, v in self.entries_.items() if isinstance(v, Variable | Trackable)}


class EagerVariableStore:
    """Shares the variables of `tf.get_variable` between calls in eager execution.

    Args:
        store: Accepted for TensorFlow's sake.

    >>> from eagercore.compat.v1.variables import get_variable
    >>> container = EagerVariableStore()
    >>> with container.as_default():
    ...     a, b = get_variable("x", initializer=1.0), get_variable("x")
    >>> a is b
    True
    """

    def __init__(self, store: Any = None) -> None:
        self._store: dict[str, Variable] = {}

    @contextmanager
    def as_default(self) -> Iterator[EagerVariableStore]:
        """Inside the `with` block `get_variable` shares the variables of this store."""
        from ...compat.v1.scopes import storing

        with storing(self._store):
            yield self

    def variables(self) -> list[Variable]:
        """The variables, sorted by name."""
        return sorted(self._store.values(), key=lambda v: v.name)

    def trainable_variables(self) -> list[Variable]:
        """The trainable ones, sorted by name."""
        return [v for v in self.variables() if v.trainable]

    def non_trainable_variables(self) -> list[Variable]:
        """The others, sorted by name."""
        return [v for v in self.variables() if not v.trainable]

    def copy(self) -> EagerVariableStore:
        """A store with copies of the variables."""
        made = EagerVariableStore()
        for name, variable in self._store.items():
            made._store[name] = Variable(
                variable.value(), name=variable._name, trainable=variable.trainable
            )
        return made


def initialize_eager_variables() -> None:
    """Nothing to do: variables have their values from the start."""


for _cls in (Checkpointable, List, Mapping, EagerVariableStore):
    _cls.__module__ = "eagercore"
