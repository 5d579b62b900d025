"""Gradients as functions, as the first generation of eager execution had them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ...autodiff.tape import GradientTape
from ...base import nest
from ...core.slices import IndexedSlices
from ...core.tensor import Tensor, convert
from ...core.variable import Variable


def gradients_function(f: Callable[..., Any], params: Any = None) -> Callable[..., Any]:
    """A function that gives the gradients of `f` with respect to its arguments.

    Args:
        f: Function of tensors that returns a tensor or a structure of tensors (whose sum is differentiated).
        params: Positions or names of the arguments that are wanted; default all.

    Returns:
        Function of the arguments of `f` (by position) that returns a list of gradients, None where there is none; its
        keyword `dy` is the upstream gradient.

    Raises:
        ValueError: When called with keywords, or when `f` returns None.
        IndexError: When called with too few arguments.

    >>> square = lambda x: x * x
    >>> [g.numpy() for g in gradients_function(square)(3.0)]
    [np.float32(6.0)]
    """
    both = value_and_gradients_function(f, params)

    def decorated(*args: Any, **kwds: Any) -> list[Any]:
        """Computes the gradient of the decorated function."""
        return both(*args, **kwds)[1]

    return decorated


def value_and_gradients_function(f: Callable[..., Any], params: Any = None) -> Callable[..., Any]:
    """A function that gives the value of `f` and its gradients with respect to its arguments.

    Args:
        f: Function of tensors that returns a tensor or a structure of tensors.
        params: Positions or names of the arguments that are wanted; default all.

    Returns:
        Function of the arguments of `f` that returns (value, list of gradients); see `gradients_function`.

    >>> value, gradients = value_and_gradients_function(lambda x: x * x)(3.0)
    >>> value.numpy(), gradients[0].numpy()
    (np.float32(9.0), np.float32(6.0))
    """

    def decorated(*args: Any, **kwds: Any) -> tuple[Any, list[Any]]:
        """Computes the value and gradient of the decorated function."""
        dy = kwds.pop("dy", None)
        if kwds:
            raise ValueError(
                "Functions to be differentiated cannot receive keyword arguments. Give them by position "
                f"(got {', '.join(kwds)})."
            )
        arguments = [a if isinstance(a, Variable) else convert(a) for a in args]
        positions = _positions(f, params, arguments)
        sources = [arguments[i] for i in positions]
        with GradientTape() as tape:
            tape.watch(sources)
            value = _called(f, arguments)
        return value, tape.gradient(_targets(value), sources, output_gradients=_upstream(value, dy))

    return decorated


def make_vjp(
    f: Callable[..., Any], params: Any = None, persistent: bool = True
) -> Callable[..., Any]:
    """A function that gives the value of `f` and a function from upstream gradients to gradients.

    Args:
        f: Function of tensors.
        params: Positions or names of the arguments that are wanted; default all.
        persistent: Whether the second function may be called more than once.

    Returns:
        Function of the arguments of `f` that returns (value, vjp).

    >>> value, vjp = make_vjp(lambda x: x * x)(3.0)
    >>> vjp(10.0)[0].numpy()
    np.float32(60.0)
    """

    def decorated(*args: Any, **kwds: Any) -> tuple[Any, Callable[..., Any]]:
        """Computes the value and gradient of the decorated function."""
        if kwds:
            raise ValueError(
                "The gradient function can't be differentiated with respect to keyword arguments."
            )
        arguments = [a if isinstance(a, Variable) else convert(a) for a in args]
        sources = [arguments[i] for i in _positions(f, params, arguments)]
        with GradientTape(persistent=persistent) as tape:
            tape.watch(sources)
            value = _called(f, arguments)

        def vjp(dy: Any = None) -> list[Any]:
            return tape.gradient(_targets(value), sources, output_gradients=_upstream(value, dy))

        return value, vjp

    return decorated


def implicit_gradients(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function that gives the gradients of `f` with respect to the trainable variables that it reads.

    Args:
        f: Function that returns a tensor or a structure of tensors (whose sum is differentiated).

    Returns:
        Function of the arguments of `f` that returns a list of (gradient, variable) in the order in which the variables
        were made; the gradient is None where the value does not depend on the variable.

    Raises:
        ValueError: When `f` reads no trainable variable, or returns None.

    >>> v = Variable(2.0)
    >>> [(g.numpy(), v.name) for g, v in implicit_gradients(lambda x: x * v)(3.0)]
    [(np.float32(3.0), 'Variable:0')]
    """
    both = implicit_value_and_gradients(f)

    def grad_fn(*args: Any, **kwds: Any) -> list[Any]:
        """Computes the gradient of the wrapped function."""
        return both(*args, **kwds)[1]

    return grad_fn


def implicit_value_and_gradients(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function that gives the value of `f` and the gradients with respect to the trainable variables that it reads.

    Args:
        f: Function that returns a tensor or a structure of tensors.

    Returns:
        Function of the arguments of `f` that returns (value, list of (gradient, variable)); see `implicit_gradients`.

    >>> v = Variable(2.0)
    >>> value, pairs = implicit_value_and_gradients(lambda x: x * v)(3.0)
    >>> value.numpy(), pairs[0][0].numpy()
    (np.float32(6.0), np.float32(3.0))
    """

    def grad_fn(*args: Any, **kwds: Any) -> tuple[Any, list[Any]]:
        """Computes the value and gradient of the wrapped function."""
        with GradientTape() as tape:
            value = f(*args, **kwds)
        _refuse_none(value, f)
        variables = list(tape.watched_variables())
        if not variables:
            raise ValueError(
                "No trainable variables were accessed while the function was being computed."
            )
        return value, list(zip(tape.gradient(_targets(value), variables), variables, strict=True))

    return grad_fn


def _called(f: Callable[..., Any], arguments: list[Any]) -> Any:
    value = f(*arguments)
    _refuse_none(value, f)
    return value


def _refuse_none(value: Any, f: Any) -> None:
    if value is None:
        raise ValueError(
            "Cannot differentiate a function that returns None; did you forget to return a value from "
            f"{getattr(f, '__name__', f)}?"
        )


def _targets(value: Any) -> list[Any]:
    return [
        v if isinstance(v, Tensor | Variable | IndexedSlices) else convert(v)
        for v in nest.flatten(value)
        if v is not None
    ]


def _upstream(value: Any, dy: Any) -> Any:
    if dy is None:
        return None
    count = len(_targets(value))
    return [dy] if count == 1 else nest.flatten(dy)


def _positions(f: Callable[..., Any], params: Any, arguments: list[Any]) -> list[int]:
    """Which arguments are wanted."""
    names = _names(f)
    if names is not None and len(arguments) < _required(f):
        raise IndexError(
            f"list index out of range: {getattr(f, '__name__', 'the function')} takes the arguments "
            f"{', '.join(names)}, but {len(arguments)} were given."
        )
    if params is None:
        return list(range(len(arguments)))
    params = params if isinstance(params, list | tuple) else [params]
    if all(isinstance(p, str) for p in params):
        unknown = [p for p in params if names is None or p not in names]
        if unknown:
            raise ValueError(
                f"params must be names of arguments ({', '.join(names or [])}), got {unknown}."
            )
        found = [(names or []).index(p) for p in params]
    elif all(not isinstance(p, str) for p in params):
        found = [int(p) for p in params]
    else:
        raise ValueError(f"params must be all strings or all integers; got {params}.")
    for position in found:
        if not 0 <= position < len(arguments):
            raise IndexError(
                f"list index out of range: params names argument {position}, but {len(arguments)} were given."
            )
    if len(set(found)) != len(found):
        raise ValueError(f"params must not repeat an argument, got {params}.")
    return found


def _parameters(f: Callable[..., Any]) -> list[inspect.Parameter] | None:
    try:
        found = list(inspect.signature(f).parameters.values())
    except (TypeError, ValueError):
        return None
    if any(p.kind is p.VAR_POSITIONAL for p in found):
        return None
    return [p for p in found if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]


def _names(f: Callable[..., Any]) -> list[str] | None:
    found = _parameters(f)
    return None if found is None else [p.name for p in found]


def _required(f: Callable[..., Any]) -> int:
    return sum(p.default is p.empty for p in _parameters(f) or [])
