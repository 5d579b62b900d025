"""Variable scopes: the names, defaults and sharing of `get_variable`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ...base.context import context
from ...core.variable import Variable

AUTO_REUSE = "AUTO_REUSE"


class VariableScope:
    """The current scope of `get_variable`.

    Args:
        reuse: True to share variables that exist, False or None to make new ones, `AUTO_REUSE` for either.
        name: Prefix of the names.
        initializer: Default initializer.
        regularizer: Default regularizer.
        dtype: Default dtype.
        constraint: Default constraint.
        custom_getter: Function `getter(getter, name, ...)` that every variable passes.
    """

    def __init__(
        self,
        reuse: Any,
        name: str = "",
        initializer: Any = None,
        regularizer: Any = None,
        dtype: Any = None,
        constraint: Any = None,
        custom_getter: Any = None,
    ) -> None:
        self._reuse = reuse
        self._name = name
        self._initializer = initializer
        self._regularizer = regularizer
        self._dtype = dtype
        self._constraint = constraint
        self._custom_getter = custom_getter

    name = property(lambda self: self._name, doc="Prefix of the names.")
    original_name_scope = property(
        lambda self: self._name + "/" if self._name else "", doc="The name scope."
    )
    reuse = property(lambda self: self._reuse or False, doc="Whether variables are shared.")
    initializer = property(lambda self: self._initializer, doc="Default initializer.")
    regularizer = property(lambda self: self._regularizer, doc="Default regularizer.")
    dtype = property(lambda self: self._dtype or "float32", doc="Default dtype.")
    constraint = property(lambda self: self._constraint, doc="Default constraint.")
    custom_getter = property(lambda self: self._custom_getter, doc="What every variable passes.")
    use_resource = True

    def reuse_variables(self) -> None:
        """From here on variables are shared."""
        self._reuse = True

    def set_initializer(self, initializer: Any) -> None:
        """Sets the default initializer."""
        self._initializer = initializer

    def set_regularizer(self, regularizer: Any) -> None:
        """Sets the default regularizer."""
        self._regularizer = regularizer

    def set_dtype(self, dtype: Any) -> None:
        """Sets the default dtype."""
        self._dtype = dtype

    def set_custom_getter(self, custom_getter: Any) -> None:
        """Sets what every variable passes."""
        self._custom_getter = custom_getter

    def set_use_resource(self, use_resource: bool) -> None:
        """Accepted for TensorFlow's sake."""

    def trainable_variables(self) -> list[Variable]:
        """The graph's trainable variables below this scope; in eager execution an empty list."""
        graph = context.graph
        found = [] if graph is None else graph.trainable_variables()
        return [v for v in found if v._name.startswith(self.original_name_scope)]

    def global_variables(self) -> list[Variable]:
        """The graph's variables below this scope; in eager execution an empty list."""
        graph = context.graph
        found = [] if graph is None else graph.global_variables()
        return [v for v in found if v._name.startswith(self.original_name_scope)]

    def get_variable(self, name: str, custom_getter: Any = None, **options: Any) -> Variable:
        """A variable of this scope; see `tf.get_variable`."""
        full = f"{self._name}/{name}" if self._name else name
        getter = custom_getter or self._custom_getter
        if getter is not None:
            return getter(self._plain, full, **options)
        return self._plain(full, **options)

    def _plain(self, name: str, **options: Any) -> Variable:
        store = _store()
        known = None if store is None else store.get(name)
        if (
            known is None
            and store is not None
            and self._reuse is True
            and context.graph is not None
        ):
            raise ValueError(
                f"Variable {name} does not exist, or was not created with tf.get_variable(). "
                "Did you mean to set reuse=tf.AUTO_REUSE in VarScope?"
            )
        if known is None:
            made = self._make(name, **options)
            if store is not None:
                store[name] = made
            return made
        if context.graph is not None and not self._reuse:
            raise ValueError(
                f"Variable {name} already exists, disallowed. Did you mean to set reuse=True or "
                "reuse=tf.AUTO_REUSE in VarScope?"
            )
        _check_same(name, known, options)
        return known

    def _make(
        self,
        name: str,
        shape: Any = None,
        dtype: Any = None,
        initializer: Any = None,
        regularizer: Any = None,
        trainable: bool | None = None,
        constraint: Any = None,
        collections: Any = None,
        **others: Any,
    ) -> Variable:
        from .variables import make_variable

        made = make_variable(
            name, shape, dtype or self._dtype, self._initializer if initializer is None else initializer, trainable,
            self._constraint if constraint is None else constraint, collections=collections,
        )  # fmt: skip
        penalty = self._regularizer if regularizer is None else regularizer
        if (
            penalty is not None
            and context.graph is not None
            and hasattr(context.graph, "add_to_collection")
        ):
            context.graph.add_to_collection("regularization_losses", penalty(made))
        return made


def _check_same(name: str, known: Variable, options: dict[str, Any]) -> None:
    shape, dtype = options.get("shape"), options.get("dtype")
    if shape is not None and not known.shape.is_compatible_with(shape):
        raise ValueError(
            f"Trying to share variable {name}, but specified shape {shape} and found shape {known.shape}."
        )
    if dtype is not None and known.dtype != dtype:
        raise ValueError(
            f"Trying to share variable {name}, but specified dtype {dtype} and found dtype {known.dtype.name}."
        )


class _Stack(threading.local):
    """The scopes and stores of a thread."""

    def __init__(self) -> None:
        self.scopes: list[VariableScope] = [VariableScope(None)]
        self.stores: list[dict[str, Variable]] = []
        self.counts: dict[str, int] = {}


_stack = _Stack()


def _store() -> dict[str, Variable] | None:
    """Where variables are looked up: an eager store, the graph's own, or (in plain eager execution) nowhere."""
    if _stack.stores:
        return _stack.stores[-1]
    graph = context.graph
    while getattr(graph, "building_function", False):
        graph = graph.outer
    return None if graph is None else graph.__dict__.setdefault("_variable_store", {})


def current_scope() -> VariableScope:
    """The scope that `get_variable` uses now."""
    return _stack.scopes[-1]


get_variable_scope = current_scope


@contextmanager
def storing(store: dict[str, Variable]) -> Iterator[None]:
    """Inside the `with` block `get_variable` shares what is in `store`."""
    _stack.stores.append(store)
    try:
        yield
    finally:
        _stack.stores.pop()


class variable_scope:
    """Context manager: names, defaults and sharing for the `get_variable` calls inside.

    Args:
        name_or_scope: Name, or a `VariableScope` to enter again; None with `default_name`.
        default_name: Name that is made unique, used when `name_or_scope` is None.
        values: Accepted for TensorFlow's sake.
        initializer: Default initializer.
        regularizer: Default regularizer.
        caching_device: Accepted for TensorFlow's sake.
        partitioner: Accepted for TensorFlow's sake.
        custom_getter: Function `getter(getter, name, ...)` that every variable passes.
        reuse: True, False, None or `tf.AUTO_REUSE`.
        dtype: Default dtype.
        use_resource: Accepted for TensorFlow's sake.
        constraint: Default constraint.
        auxiliary_name_scope: Whether ops are named after the scope too.

    >>> with variable_scope("block") as scope:
    ...     print(scope.name)
    block
    """

    def __init__(
        self,
        name_or_scope: Any,
        default_name: str | None = None,
        values: Any = None,
        initializer: Any = None,
        regularizer: Any = None,
        caching_device: Any = None,
        partitioner: Any = None,
        custom_getter: Any = None,
        reuse: Any = None,
        dtype: Any = None,
        use_resource: bool | None = None,
        constraint: Any = None,
        auxiliary_name_scope: bool = True,
    ) -> None:
        if name_or_scope is None and default_name is None:
            raise TypeError("If default_name is None then name_or_scope is required")
        self._name_or_scope, self._default = name_or_scope, default_name
        self._options = {
            "initializer": initializer, "regularizer": regularizer, "custom_getter": custom_getter, "dtype": dtype,
            "constraint": constraint,
        }  # fmt: skip
        self._reuse = reuse
        self._auxiliary = auxiliary_name_scope
        self._names: Any = None

    def __enter__(self) -> VariableScope:
        outer = current_scope()
        base = self._name_or_scope
        if isinstance(base, VariableScope):
            name, parent = base.name, base
        else:
            plain = base if base is not None else _unique(outer.name, str(self._default))
            name, parent = (f"{outer.name}/{plain}" if outer.name else plain), outer
        reuse = self._reuse if self._reuse is not None else parent.reuse
        made = VariableScope(reuse, name)
        for key, value in self._options.items():
            inherited = getattr(parent, "_" + key)
            setattr(made, "_" + key, inherited if value is None else value)
        _stack.scopes.append(made)
        if self._auxiliary:
            from ...graph.build import name_scope

            leaf = name.rsplit("/", 1)[-1]
            self._names = name_scope(leaf if leaf else None)
            self._names.__enter__()
        return made

    def __exit__(self, *exc: Any) -> None:
        if self._names is not None:
            self._names.__exit__(None, None, None)
            self._names = None
        _stack.scopes.pop()

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """As a decorator: the function runs in the scope."""

        def inside(*args: Any, **kwargs: Any) -> Any:
            with variable_scope(
                self._name_or_scope,
                self._default,
                reuse=self._reuse,
                auxiliary_name_scope=self._auxiliary,
                **self._options,
            ):
                return function(*args, **kwargs)

        return inside


def _unique(outer: str, name: str) -> str:
    counts = _stack.counts
    graph = context.graph
    if graph is not None:
        counts = graph.__dict__.setdefault("_scope_counts", {})
    key = f"{outer}/{name}"
    number = counts.get(key, 0)
    counts[key] = number + 1
    return name if number == 0 else f"{name}_{number}"


def variable_op_scope(
    values: Any, name_or_scope: Any, default_name: str | None = None, **options: Any
) -> Any:
    """`variable_scope` with its arguments in TensorFlow's oldest order."""
    return variable_scope(name_or_scope, default_name, values, **options)


@contextmanager
def no_regularizer() -> Iterator[None]:
    """Inside the `with` block variables have no default regularizer."""
    scope = current_scope()
    before = scope.regularizer
    scope.set_regularizer(None)
    try:
        yield
    finally:
        scope.set_regularizer(before)


def make_template(
    name_: str,
    func_: Callable[..., Any],
    create_scope_now_: bool = False,
    unique_name_: str | None = None,
    custom_getter_: Any = None,
    **kwargs: Any,
) -> Any:
    """A function whose `get_variable` calls share their variables from call to call.

    Args:
        name_: Name of the scope.
        func_: The function.
        create_scope_now_: Accepted for TensorFlow's sake.
        unique_name_: Name that is used as it is.
        custom_getter_: Function `getter(getter, name, ...)` that every variable passes.
        **kwargs: Arguments that are given in each call.

    Returns:
        The function, with `variables`, `trainable_variables` and `weights`.

    >>> from eagercore.compat.v1.variables import get_variable
    >>> line = make_template("line", lambda x: x * get_variable("w", initializer=2.0))
    >>> float(line(1.0)) + float(line(1.0)), len(line.variables)
    (4.0, 1)
    """
    return Template(name_, func_, unique_name_, custom_getter_, kwargs)


class Template:
    """What `make_template` makes."""

    def __init__(
        self, name: str, function: Any, unique: str | None, getter: Any, options: Any
    ) -> None:
        self._name, self._unique = name, unique
        self._function = function
        self._getter = getter
        self._options = options
        self._variables: dict[str, Variable] = {}
        self._scope: VariableScope | None = None

    @property
    def name(self) -> str:
        """Name of the scope."""
        return self._name

    @property
    def variables(self) -> list[Variable]:
        """The variables, in the order in which they were made."""
        return list(self._variables.values())

    weights = global_variables = variables

    @property
    def trainable_variables(self) -> list[Variable]:
        """The trainable variables."""
        return [v for v in self._variables.values() if v.trainable]

    trainable_weights = trainable_variables

    def _checkpoint_children(self) -> dict[str, Any]:
        return dict(self._variables)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls the function with its variables."""
        again = self._scope
        scope = variable_scope(
            again if again is not None else self._unique, None if again is not None else self._name,
            custom_getter=self._getter,
            reuse=AUTO_REUSE if again is not None or context.graph is None else None,
        )  # fmt: skip
        with scope as entered, storing(self._variables):
            made = self._function(*args, **{**self._options, **kwargs})
        if self._scope is None:
            self._scope = entered
        return made


for _cls in (VariableScope, variable_scope, Template):
    _cls.__module__ = "eagercore"
