"""Functions with a gradient of their own: custom_gradient and recompute_grad.

The function runs as it is, then its results pass through one op that has the function's inputs beside them and whose
gradient is what the user wrote. It is an op like any other, so tapes, forward mode and graphs need to know nothing.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..base import errors, nest
from ..base.context import context
from ..base.shapes import TensorSpec
from ..core.op import op
from ..core.slices import IndexedSlices
from ..core.tensor import EagerTensor, Tensor, convert
from ..core.variable import Variable
from .tape import GradientTape


@op(free=("values",), constant=("values",), outputs="count")
def with_gradient(xp, *values, count: int, backward: Any):
    """The first `count` values, with a gradient of their own.

    Args:
        values: The results of a function, then its inputs.
        count: How many of them are results.
        backward: Function from the results' gradients to a list of the inputs' gradients.

    Returns:
        The results, as a list.

    >>> with_gradient([convert(1.0), convert(2.0)], count=1, backward=None)[0].numpy()
    np.float32(1.0)
    """
    return tuple(values[:count])


@with_gradient.vjp
def with_gradient_vjp(dy, _y, *_values, count, backward):
    """The user's gradients, for the inputs alone."""
    dy = dy if isinstance(dy, _PAIRS) else [dy]
    return [None] * count + _checked(backward, backward(*dy), _values[count:])


@with_gradient.shape_rule
def with_gradient_rule(*specs, count, backward):
    """The results are the first of the values."""
    return tuple(TensorSpec(s.shape, s.dtype) for s in specs[:count])


@with_gradient.samples
def with_gradient_samples(rng):
    """A result and an input that is no floating tensor."""
    yield (rng.normal(size=(2, 3)), np.arange(4)), {"count": 1, "backward": lambda dy: [None]}


def _checked(backward: Any, gradients: list[Any], inputs: Any) -> list[Any]:
    """The user's gradients, held to the shapes and dtypes of the inputs."""
    made = []
    for i, (gradient, value) in enumerate(zip(gradients, inputs, strict=True)):
        if type(gradient) is EagerTensor is type(value):
            given, wanted = gradient._array, value._array
            if (
                given.dtype is wanted.dtype
                and given.shape == wanted.shape
                and given.dtype.kind == "f"
            ):
                made.append(gradient)
                continue
        if gradient is None or type(gradient) is IndexedSlices:
            made.append(gradient)
            continue
        if not isinstance(gradient, Tensor):
            gradient = convert(gradient, None if isinstance(gradient, Variable) else value.dtype)
        if value.dtype.kind not in "fc":
            made.append(None)
            continue
        if not gradient.shape.is_compatible_with(value.shape):
            raise errors.shape_error(
                "CustomGradient",
                f"The gradient function of {backward.function_name} returned a gradient of shape "
                f"{gradient.shape} for {backward.label(i)}, which has shape {value.shape}. A gradient has the "
                "shape of its input: sum it with tf.reduce_sum or reshape it.",
            )
        if gradient.dtype is not value.dtype:
            raise errors.dtype_error(
                "CustomGradient",
                f"The gradient function of {backward.function_name} returned a {gradient.dtype.name} gradient "
                f"for {backward.label(i)}, which is {value.dtype.name}: "
                f"tf.cast(gradient, tf.{value.dtype.name}).",
            )
        made.append(gradient)
    return made


class VariableWatcher:
    """An observer of the door that hears which trainable variables are read."""

    _comes_last = False

    def __init__(self) -> None:
        self.found: dict[int, tuple[Variable, Any]] = {}

    def __enter__(self) -> VariableWatcher:
        self._outer = context.tapes
        self._inner = context.tapes = (self, *self._outer)
        return self

    def __exit__(self, *exc: Any) -> None:
        if context.tapes is self._inner:
            context.tapes = self._outer
        else:
            context.tapes = tuple(tape for tape in context.tapes if tape is not self)

    def record(self, op: Any, inputs: Any, attrs: Any, result: Any) -> None:
        """Ops are none of its business."""

    def leave(self, tensor: Any, how: str) -> None:
        """Nor are values that leave."""

    def read_variable(self, variable: Variable, value: Any) -> None:
        """A variable was read."""
        if variable._trainable and id(variable) not in self.found:
            self.found[id(variable)] = (variable, value)


@contextmanager
def nothing_recorded() -> Any:
    """Inside the `with` block no tape records; who only listens to variables goes on listening."""
    tapes = context.tapes
    context.tapes = tuple(tape for tape in tapes if type(tape) is VariableWatcher)
    try:
        yield
    finally:
        context.tapes = tapes


class _Backward:
    """The user's gradient function, made to take all results' gradients and give a list for all inputs."""

    def __init__(
        self, name: str, function: Callable[..., Any], inputs: int, variables: list[Any]
    ) -> None:
        self.function_name = name
        self.function = function
        self.inputs = inputs
        self.variables = variables

    def label(self, position: int) -> str:
        """What an error calls the input, or the variable, at a position."""
        if position < self.inputs:
            return f"input {position}"
        return f"variable '{self.variables[position - self.inputs].name}'"

    def __call__(self, *dy: Any) -> list[Any]:
        if not self.variables:
            return self._counted(self.function(*dy), self.inputs, "gradients")
        pair = self.function(*dy, variables=list(self.variables))
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise TypeError(
                f"The gradient function of {self.function_name} is given variables, so it must return two things: "
                "(gradients of the inputs, list of gradients of the variables)."
            )
        of_inputs = self._counted(pair[0], self.inputs, "gradients")
        return of_inputs + self._counted(pair[1], len(self.variables), "gradients of variables")

    def _counted(self, gradients: Any, wanted: int, what: str) -> list[Any]:
        flat = _flat(gradients)
        if len(flat) != wanted:
            raise ValueError(
                f"custom_gradient function expected to return {wanted} {what}, but returned {len(flat)} instead. "
                f"(The gradient function of {self.function_name} must return one for each tensor that "
                f"{self.function_name} takes; None for one that has none.)"
            )
        return flat


def _flat(gradients: Any) -> list[Any]:
    return [gradients] if type(gradients) is EagerTensor else nest.flatten(gradients)


def custom_gradient(f: Callable[..., Any] | None = None) -> Any:
    """Decorator: a function that brings its own gradient.

    Args:
        f: Function `f(*args, **kwargs)` that returns `(value, grad_fn)`. The value is a tensor or a structure of
            tensors; `grad_fn(*upstream)` is given one gradient for each of these and returns one gradient for each
            tensor argument of `f` (None where there is none). Where `f` reads variables, `grad_fn` must take a
            keyword argument `variables` and return `(gradients, gradients of the variables)`. Keyword arguments
            of `f` are passed on and not differentiated.

    Returns:
        Function with the arguments of `f` that returns the value.

    Raises:
        TypeError: If `f` does not return a pair, or reads variables that `grad_fn` cannot take.
        ValueError: If `grad_fn` returns the wrong number of gradients, or one of the wrong shape.

    >>> @custom_gradient
    ... def clip(x):
    ...     return x, lambda dy: dy * 0.5
    >>> x = convert(1.0)
    >>> with GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = clip(x)
    >>> tape.gradient(y, x).numpy()
    np.float32(0.5)
    """
    if f is None:
        return custom_gradient

    @functools.wraps(f)
    def decorated(*args: Any, **kwargs: Any) -> Any:
        return _call(f, args, kwargs)

    decorated.__doc__ = f.__doc__ or ""
    return decorated


def _call(f: Any, args: Any, kwargs: Any) -> Any:
    name = getattr(f, "__name__", type(f).__name__)
    if _ONLY_TENSORS.issuperset(map(type, args)):
        inputs = list(args)
    else:
        leaves = [_as_input(leaf) for leaf in nest.flatten(args)]
        args = nest.pack_sequence_as(args, leaves)
        inputs = [leaf for leaf in leaves if isinstance(leaf, Tensor | Variable)]
    with VariableWatcher() as watcher:
        value, grad_fn = _pair(f(*args, **kwargs), name)
    read = list(watcher.found.values())
    if read:
        own = {id(getattr(i, "_origin", i)) for i in inputs if isinstance(i, Variable)}
        read = [pair for pair in read if id(pair[0]) not in own]
    if read and not _takes_variables(grad_fn):
        raise TypeError(
            f"@tf.custom_gradient grad_fn must accept keyword argument 'variables', since function {name} uses "
            f"variables: {[variable for variable, _ in read]}. Write it as def grad(dy, variables=None) and "
            "return (gradients, [gradient of each variable])."
        )
    for variable, read_value in read:
        # A function whose inside is not recorded (recompute_grad) has read them all the same.
        for tape in context.tapes:
            tape.read_variable(variable, read_value)
    alone = type(value) is EagerTensor
    results = [convert(r) for r in ([value] if alone else nest.flatten(value))]
    backward = _Backward(name, grad_fn, len(inputs), [variable for variable, _ in read])
    made = with_gradient.enter(
        (*results, *[convert(i) for i in inputs], *[v for _, v in read]),
        {"count": len(results), "backward": backward},
    )
    if alone and len(made) == 1:
        return made[0]
    return nest.pack_sequence_as(value, made if isinstance(made, _PAIRS) else [made])


#: Arguments of these types alone need no look inside.
_ONLY_TENSORS = frozenset((EagerTensor,))


def _as_input(leaf: Any) -> Any:
    """Numbers and arrays become tensors; what no tensor can hold is passed on as it is."""
    if leaf is None or isinstance(leaf, Tensor | Variable | str) or callable(leaf):
        return leaf
    try:
        return convert(leaf)
    except (TypeError, ValueError):
        return leaf


_PAIRS = (list, tuple)


def _pair(made: Any, name: str) -> tuple[Any, Any]:
    if not isinstance(made, _PAIRS) or len(made) != 2 or not callable(made[1]):
        raise TypeError(
            f"@tf.custom_gradient: {name} must return two things, (value, grad_fn), where grad_fn takes the upstream "
            f"gradient; it returned {type(made).__name__}: {made!r}."
        )
    return made[0], made[1]


def _takes_variables(function: Any) -> bool:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return True
    return any(p.name == "variables" or p.kind is p.VAR_KEYWORD for p in parameters)


def recompute_grad(f: Callable[..., Any]) -> Callable[..., Any]:
    """Makes `f` forget what it computed: it is run once more when its gradient is taken (gradient checkpointing).

    Args:
        f: Function of tensors, which may read variables.

    Returns:
        Function with the arguments, values and gradients of `f` that keeps nothing but its inputs for the backward
        pass. Randomness inside `f` must be seeded: it is drawn twice.

    >>> cube = recompute_grad(lambda x: x * x * x)
    >>> x = convert(2.0)
    >>> with GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = cube(x)
    >>> tape.gradient(y, x).numpy()
    np.float32(12.0)
    """

    @functools.wraps(f)
    def decorated(*args: Any, **kwargs: Any) -> Any:
        @functools.wraps(f)
        def inner(*inner_args: Any) -> Any:
            with nothing_recorded():
                value = f(*inner_args, **kwargs)

            def grad(*dy: Any, variables: Any = None) -> Any:
                return _run_again(f, inner_args, kwargs, dy, variables)

            return value, grad

        return _call(inner, args, {})

    return decorated


def _run_again(f: Any, args: Any, kwargs: Any, dy: Any, variables: Any) -> Any:
    inputs = [a for a in nest.flatten(args) if isinstance(a, Tensor | Variable)]
    floating = [a for a in inputs if a.dtype.kind in "fc"]
    sources = [*floating, *(variables or [])]
    with GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(sources)
        value = f(*args, **kwargs)
    flat = nest.flatten(value)
    used = [(v, d) for v, d in zip(flat, dy, strict=True) if v.dtype.kind in "fc"]
    found = tape.gradient([v for v, _ in used], sources, output_gradients=[d for _, d in used])
    of_inputs = iter(found[: len(floating)])
    gradients = [next(of_inputs) if a.dtype.kind in "fc" else None for a in inputs]
    return gradients if variables is None else (gradients, found[len(floating) :])


def grad_pass_through(f: Any) -> Any:
    """Decorator: forward `f` is called, but gradients pass as through the identity.

    Args:
        f: Function whose results have the shapes of its arguments.

    Returns:
        Function of the same arguments.

    >>> from eagercore.autodiff.tape import GradientTape
    >>> x = convert(2.0)
    >>> with GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = grad_pass_through(lambda v: v * v)(x)
    >>> tape.gradient(y, x).numpy()
    np.float32(1.0)
    """

    @custom_gradient
    def passed(*args: Any, **kwargs: Any) -> Any:
        def back(*upstream: Any, variables: Any = None) -> Any:
            own = upstream if len(upstream) > 1 else upstream[0]
            return own if variables is None else (own, [None] * len(variables))

        return f(*args, **kwargs), back

    return functools.wraps(f)(passed)
