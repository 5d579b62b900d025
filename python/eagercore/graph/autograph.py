"""AutoGraph: Python's `if`, `while`, `for` on tensors become control flow of the graph.

The converter is the package diastatic-malt (extra `autograph`): it rewrites a function's source so
that statements become calls, and `ag_operators.py` says what those do. Without it functions are traced as they are.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util  # malt needs it to be imported
import inspect
import logging
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from ..base import errors

_lock = threading.Lock()
_OURS = ("eagercore", "rpytools", "reticulate", "malt", "numpy")


#: (generated file, line) -> (file, line, function) of the user's code that it was made from.
places: dict[tuple[str, int], tuple[str, int, str]] = {}


def user_place(where: Any) -> str:
    """Where a node was made, in words that follow its name; empty where it is not known."""
    if where is None:
        return ""
    file, line, function = places.get((where[0], where[1]), where)
    return (
        f" made in {function}, {file}, line {line}" if function else f" made in {file}, line {line}"
    )


class _State:
    """What was loaded, and what was said."""

    converter: Any = None
    tried = False
    told: set[str] = set()
    verbosity = 0


def load() -> Any:
    """The converter, or None when it is not installed."""
    if not _State.tried:
        with _lock:
            if not _State.tried:
                try:
                    _State.converter = _build()
                except ImportError:
                    _State.converter = None
                _State.tried = True
    return _State.converter


def _build() -> Any:
    assert importlib.util is not None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from .malt_bridge import Converter

        return Converter()


def need() -> Any:
    """The converter.

    Raises:
        MissingExtraError: If it is not installed.
    """
    found = load()
    if found is None:
        raise errors.missing_extra("diastatic-malt", "autograph", "tf.autograph")
    return found


def converted(function: Callable[..., Any], autograph: bool) -> Callable[..., Any]:
    """The function with its control flow converted, or as it is where that is not wanted or not possible."""
    if not autograph:
        return function
    converter = load()
    if converter is None:
        return function
    return converter.wrap(function)  # type: ignore[no-any-return]


def layer_call(method: Callable[..., Any]) -> Callable[..., Any]:
    """A layer's `call` as it is to be run while a graph is built: converted if the function around it is."""
    converter = _State.converter
    return method if converter is None else converter.layer_call(method)  # type: ignore[no-any-return]


def has_source(function: Callable[..., Any]) -> bool:
    """Whether the source of a Python function can be read."""
    try:
        inspect.getsource(inspect.unwrap(getattr(function, "__func__", function)))
    except (OSError, TypeError):
        return False
    return True


@contextlib.contextmanager
def status(autograph: bool) -> Iterator[None]:
    """Inside the `with` block functions that are called are converted, or not."""
    converter = load() if autograph else _State.converter
    if converter is None:
        yield
        return
    with converter.status(autograph):
        yield


def plain_result(value: Any) -> Any:
    """What a converted function returned, without the converter's own objects."""
    return None if type(value).__name__ == "UndefinedReturnValue" else value


def refusal_hint(graph: Any) -> str:
    """What to say where Python asks a graph's tensor for its value."""
    if not getattr(graph, "building_function", False):
        return ""
    if getattr(graph.root(), "autograph", True) is False:
        return (
            " AutoGraph is disabled in this function (autograph=False): use tf.cond, tf.while_loop or tf.where, "
            "which take tensors."
        )
    if load() is None:
        return (
            " Converting Python's `if`, `while` and `for` needs the Python package diastatic-malt, "
            "which is not installed: "
            "pip install 'eagercore[autograph]' (from R: install_eagercore(extras = "
            '"autograph")). Or use tf.cond and '
            "tf.while_loop."
        )
    return (
        " AutoGraph did not convert this code: its source may not be available (a lambda, exec, a "
        "shell), or the value is asked "
        "for inside a function that is not converted. Use tf.cond and tf.while_loop there."
    )


def warn_once(function: Any, reason: Any) -> None:
    """Says once for each function that it runs unconverted."""
    name = getattr(function, "__qualname__", repr(function))
    if name in _State.told:
        return
    _State.told.add(name)
    logging.getLogger("eagercore").warning(
        "AutoGraph could not transform %s and will run it as-is.\nCause: %s\nTo silence this "
        "warning, decorate the function with "
        "@tf.autograph.experimental.do_not_convert",
        name,
        reason,
    )


# --------------------------------------------------------------------------------------------------------------------
# tf.autograph


def to_code(
    entity: Callable[..., Any], recursive: bool = True, experimental_optional_features: Any = None
) -> str:
    """The source code into which a function is converted.

    Args:
        entity: The Python function (of a `tf.function` its `python_function`).
        recursive: Whether functions that it calls are converted too.
        experimental_optional_features: Optional features of the converter, or None.

    Raises:
        ConversionError: If it cannot be converted.
        MissingExtraError: If the converter is not installed.
    """
    import textwrap

    made = to_graph(entity, recursive, experimental_optional_features)
    return textwrap.dedent(inspect.getsource(made))


def to_graph(
    entity: Callable[..., Any], recursive: bool = True, experimental_optional_features: Any = None
) -> Any:
    """A function with its control flow converted.

    Args:
        entity: The Python function.
        recursive: Whether functions that it calls are converted too.
        experimental_optional_features: Optional features of the converter, or None.

    Raises:
        ConversionError: If it cannot be converted.
        MissingExtraError: If the converter is not installed.
    """
    return need().to_graph(entity, recursive, experimental_optional_features)


def do_not_convert(func: Callable[..., Any] | None = None) -> Any:
    """Decorator: the function is never converted.

    Args:
        func: The function; without it a decorator is returned.
    """
    if func is None:
        return do_not_convert

    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with status(False):
            return func(*args, **kwargs)

    wrapper.autograph_info__ = {}  # type: ignore[attr-defined]
    return wrapper


def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """How much the converter tells about its work.

    Args:
        level: 0 (nothing) to 10.
        alsologtostdout: Whether it is printed as well.
    """
    _State.verbosity = int(level)
    converter = load()
    if converter is not None:
        converter.set_verbosity(int(level), alsologtostdout)


def trace(*args: Any) -> None:
    """Prints its arguments while a function is traced."""
    print(*args)


def set_loop_options(
    parallel_iterations: Any = None,
    swap_memory: Any = None,
    maximum_iterations: Any = None,
    shape_invariants: Any = None,
) -> None:
    """Options of the loop around it: the first statement of its body.

    Args:
        parallel_iterations: Accepted for TensorFlow's sake.
        swap_memory: Accepted for TensorFlow's sake.
        maximum_iterations: Most repetitions.
        shape_invariants: List of (tensor, shape): what holds of the tensor's shape in each repetition.
    """


class ConversionError(Exception):
    """A function cannot be converted."""


ConversionError.__module__ = "eagercore"


def _our_module(module: str) -> bool:
    return module.split(".")[0] in _OURS


def is_ours(function: Any) -> bool:
    """Whether a function is the engine's (or a bridge's): it is called as it is."""
    module = getattr(function, "__module__", None) or ""
    if not isinstance(module, str):
        return False
    if module in sys.stdlib_module_names:
        return False
    return _our_module(module)
