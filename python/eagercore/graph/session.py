"""Sessions: they run parts of a graph, and hold the values of its variables."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..base import dtypes, errors, nest, seeds
from ..base.context import context
from ..core.slices import IndexedSlices
from ..core.tensor import EagerTensor, Tensor, to_array
from ..core.variable import Variable
from .default import Graph, get_default_graph
from .execute import Program
from .ir import Node


class _Stack(threading.local):
    sessions: tuple[Any, ...] = ()
    running: Any = None


_stack = _Stack()
MAXIMUM_PROGRAMS = 200
"""Programs that a session keeps; the oldest is forgotten when there are more."""


def default_session() -> Any:
    """The session of the innermost `with session.as_default():`, or None."""
    return _stack.sessions[-1] if _stack.sessions else None


def running_session() -> Any:
    """The session whose operations this thread is running, or None."""
    return _stack.running


def forget_interactive() -> None:
    """Takes interactive sessions off the stack."""
    _stack.sessions = tuple(s for s in _stack.sessions if not isinstance(s, InteractiveSession))


class Session:
    """Runs parts of a graph.

    Args:
        target: Accepted for TensorFlow's sake.
        graph: The graph; default the default graph.
        config: Accepted for TensorFlow's sake.

    >>> graph = Graph()
    >>> from eagercore import constant
    >>> with graph.as_default():
    ...     four = constant(1) + 3
    >>> with Session(graph=graph) as session:
    ...     int(session.run(four))
    4
    """

    def __init__(self, target: str = "", graph: Any = None, config: Any = None) -> None:
        self.graph: Any = get_default_graph() if graph is None else graph
        if not isinstance(self.graph, Graph):
            raise TypeError(
                f"graph must be a tf.Graph, but got {type(self.graph).__name__}: {self.graph!r}."
            )
        self.sess_str = target
        self._closed = False
        self._values: dict[int, tuple[Any, Any]] = {}
        self._programs: dict[Any, Any] = {}
        self._streams = seeds.Streams()
        self._lock = threading.RLock()
        self._contexts: list[Any] = []

    # -------------------------------------------------------------------------------------------------------- running

    def run(
        self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None
    ) -> Any:
        """Runs what `fetches` need and gives their values.

        Args:
            fetches: Tensor, operation, variable, name, or a (nested) list, tuple, named tuple or dictionary of these.
            feed_dict: Values for tensors: any tensor of the graph may be given one, placeholders must.
            options: Accepted for TensorFlow's sake.
            run_metadata: Accepted for TensorFlow's sake.

        Returns:
            Values in the structure of `fetches`: NumPy arrays and scalars, None for an operation.

        Raises:
            RuntimeError: If the session is closed, or the graph is empty.
            TypeError, ValueError: If a fetch or a key of `feed_dict` is nothing of the graph.
            InvalidArgumentError: If a placeholder has no value.
            FailedPreconditionError: If a variable was not initialized.
        """
        if self._closed:
            raise RuntimeError("Attempted to use a closed Session.")
        if not self.graph.nodes:
            raise RuntimeError(
                "The Session graph is empty. Add operations to the graph before calling run(). While execution is "
                "eager no session is needed: a tensor has its value (x.numpy(), in R as.array(x)), and tf.GradientTape "
                "gives gradients."
            )
        with self._lock:
            elements, pack = self._fetches(fetches)
            tensors, arrays = self._feeds(feed_dict)
            program, fed = self._program(elements, tensors)
            if program.missing:
                raise _unfed(program.missing[0])
            self._lend(program.variables)
            before, _stack.running = _stack.running, self
            try:
                with seeds.call_site(()), self._streams.active(), _outside():
                    made = program.run(*[arrays[i] for i in fed])
            finally:
                _stack.running = before
        return pack([_plain(a, e) for a, e in zip(made, elements, strict=True)])

    def _program(self, elements: list[Any], tensors: list[Any]) -> tuple[Program, list[int]]:
        key = (tuple(id(e) for e in elements), tuple(id(t) for t in tensors), len(self.graph.nodes))
        known = self._programs.get(key)
        if known is None:
            while len(self._programs) >= MAXIMUM_PROGRAMS:
                del self._programs[next(iter(self._programs))]
            program = Program(self.graph, tensors, elements, effects=False)
            known = self._programs[key] = (program, list(range(len(tensors))), elements, tensors)
        return known[0], known[1]

    def _lend(self, variables: list[Any]) -> None:
        """Gives variables the values that they have in this session."""
        for variable in variables:
            owner = getattr(variable, "_owner", self)
            if getattr(variable, "_graph", None) is None or owner is self:
                continue
            if owner is not None:
                owner._values[id(variable)] = (variable, variable._value)
            known = self._values.get(id(variable))
            variable._value = None if known is None else known[1]
            variable._owner = self

    def load(self, variable: Any, value: Any) -> None:
        """Gives a variable a value in this session."""
        self._lend([variable])
        array = to_array(value, variable.dtype) if not isinstance(value, Tensor) else value._array
        if not variable.shape.is_compatible_with(array.shape):
            raise variable._mismatch(array.shape)
        variable._value = EagerTensor(array)

    def value_of(self, variable: Any) -> Any:
        """The array that a variable has in this session, or None where it has none."""
        self._lend([variable])
        return None if variable._value is None else variable._value._array

    # -------------------------------------------------------------------------------------------------------- fetches

    def _fetches(self, fetches: Any) -> tuple[list[Any], Any]:
        elements: list[Any] = []
        if fetches is None:
            raise TypeError('Argument `fetch` = None has invalid type "NoneType". Cannot be None')
        form = self._form(fetches, elements)
        return elements, lambda values: _packed(form, values)

    def _form(self, fetch: Any, elements: list[Any]) -> Any:
        if isinstance(fetch, list | tuple):
            items = [self._form(f, elements) for f in fetch]
            return (
                ("named", type(fetch), items)
                if hasattr(fetch, "_fields")
                else ("list", type(fetch), items)
            )
        if isinstance(fetch, dict) or hasattr(fetch, "keys") and hasattr(fetch, "__getitem__"):
            return "dict", list(fetch), [self._form(fetch[k], elements) for k in fetch]
        if isinstance(fetch, IndexedSlices):
            parts = [p for p in (fetch.values, fetch.indices, fetch.dense_shape) if p is not None]
            return "slices", None, [self._form(p, elements) for p in parts]
        pieces = getattr(fetch, "_fetch_pieces", None)
        if pieces is not None:
            parts, build = pieces()
            return "built", build, [self._form(p, elements) for p in parts]
        if fetch is None:
            raise TypeError('Argument `fetch` = None has invalid type "NoneType". Cannot be None')
        elements.append(self._element(fetch))
        return "leaf", len(elements) - 1, None

    def _element(self, fetch: Any) -> Any:
        try:
            if isinstance(fetch, Variable) and getattr(fetch, "_graph", None) is not None:
                self.graph._check_variable(fetch)
                return self._read(fetch)
            return self.graph.as_graph_element(fetch)
        except TypeError as error:
            raise TypeError(
                f'Argument `fetch` = {fetch!r} has invalid type "{type(fetch).__name__}" must be a '
                f"string or Tensor. ({error})"
            ) from None
        except (KeyError, ValueError) as error:
            text = error.args[0] if error.args else error
            raise ValueError(
                f"Argument `fetch` = {fetch} cannot be interpreted as a Tensor. ({text})"
            ) from None

    def _read(self, variable: Any) -> Any:
        """The node that reads a variable at the end of everything that is there."""
        known = variable.__dict__.get("_last_read")
        if known is None:
            finalized, self.graph.finalized = self.graph.finalized, False
            from .build import building

            try:
                with building(self.graph):
                    self.graph.forget_read(variable)
                    known = self.graph.read_variable(variable)
                    self.graph.forget_read(variable)
            finally:
                self.graph.finalized = finalized
            variable._last_read = known
        # The read stands behind every node that was added before: assignments that are fetched with it come first.
        nodes = self.graph.nodes
        if nodes[-1] is not known.node:
            nodes.remove(known.node)
            nodes.append(known.node)
        return known

    # ---------------------------------------------------------------------------------------------------------- feeds

    def _feeds(self, feed_dict: Any) -> tuple[list[Any], list[Any]]:
        if not feed_dict:
            return [], []
        if not hasattr(feed_dict, "items"):
            raise TypeError(f"feed_dict must be a dictionary, got {type(feed_dict).__name__}.")
        tensors, arrays = [], []
        for key, value in _flat_feeds(feed_dict):
            tensor = self._fed(key)
            tensors.append(tensor)
            arrays.append(_fed_array(tensor, value, key))
        return tensors, arrays

    def _fed(self, key: Any) -> Any:
        try:
            if isinstance(key, Variable):
                return self._read(key)
            return self.graph.as_graph_element(key, allow_operation=False)
        except Exception as error:
            text = error.args[0] if error.args else error
            raise TypeError(f"Cannot interpret feed_dict key as Tensor: {text}") from None

    # -------------------------------------------------------------------------------------------------------- the rest

    def make_callable(
        self, fetches: Any, feed_list: Any = None, accept_options: bool = False
    ) -> Any:
        """A function that runs `fetches` and takes the values of `feed_list` as arguments."""
        feeds = list(feed_list or ())

        def call(*values: Any) -> Any:
            return self.run(fetches, dict(zip([_Key(f) for f in feeds], values, strict=True)))

        return call

    @property
    def graph_def(self) -> Any:
        """The graph's nodes."""
        return self.graph.as_graph_def()

    def list_devices(self) -> list[str]:
        """Names of the devices."""
        return ["/job:localhost/replica:0/task:0/device:CPU:0"]

    def reset(self) -> None:
        """Forgets the values of all variables."""
        self._values = {}

    def close(self) -> None:
        """Ends the session; it cannot be used any more."""
        self._closed = True
        self._programs = {}

    @contextmanager
    def as_default(self) -> Iterator[Session]:
        """Inside the `with` block this session is the default one."""
        before = _stack.sessions
        _stack.sessions = (*before, self)
        try:
            yield self
        finally:
            _stack.sessions = before

    def __enter__(self) -> Session:
        opened = [self.graph.as_default(), self.as_default()]
        for one in opened:
            one.__enter__()
        self._contexts.append(opened)
        return self

    def __exit__(self, *exc: Any) -> None:
        for one in reversed(self._contexts.pop()):
            one.__exit__(None, None, None)
        if not self._contexts:
            self.close()


Session.__module__ = "eagercore"


class InteractiveSession(Session):
    """A session that is the default one from the start, for notebooks and shells.

    Args:
        target: Accepted for TensorFlow's sake.
        graph: The graph; default the default graph.
        config: Accepted for TensorFlow's sake.
    """

    def __init__(self, target: str = "", graph: Any = None, config: Any = None) -> None:
        super().__init__(target, graph, config)
        _stack.sessions = (*_stack.sessions, self)

    def close(self) -> None:
        """Ends the session; it is no default any more."""
        super().close()
        _stack.sessions = tuple(s for s in _stack.sessions if s is not self)


InteractiveSession.__module__ = "eagercore"


class _Key:
    """A tensor as a key of a dictionary (tensors themselves have no hash)."""

    def __init__(self, tensor: Any) -> None:
        self.tensor = tensor

    def deref(self) -> Any:
        return self.tensor


def _flat_feeds(feed_dict: Any) -> Iterator[tuple[Any, Any]]:
    for key, value in feed_dict.items():
        if hasattr(key, "deref"):
            key = key.deref()
        if isinstance(key, tuple):
            yield from zip(nest.flatten(key), nest.flatten(value), strict=True)
        elif isinstance(key, IndexedSlices):
            yield key.values, value[0]
            yield key.indices, value[1]
        else:
            yield key, value


def _fed_array(tensor: Any, value: Any, key: Any) -> np.ndarray:
    if isinstance(value, Tensor) and getattr(value, "_is_symbolic", False):
        raise TypeError(
            "The value of a feed cannot be a tf.Tensor object. Acceptable feed values include "
            "Python scalars, strings, lists, "
            f"numpy ndarrays, or TensorHandles. For reference, the tensor object was {value} which "
            f"was passed to the argument "
            f"`feed_dict` with key {key}."
        )
    dtype = tensor.dtype
    if isinstance(value, EagerTensor):
        array = value._array
    elif dtype.kind == "S":
        array = to_array(value, dtype)
    else:
        if (
            isinstance(value, int)
            and not isinstance(value, bool)
            and dtype.is_integer
            and not dtype.min <= value <= dtype.max
        ):
            raise TypeError(
                f"Type of feed value {value} with type {type(value)} is not compatible with Tensor type {dtype.name}. "
                "Try explicitly setting the type of the feed tensor to a larger type (e.g. int64)."
            )
        array = np.asarray(value, dtype=dtype._numpy())
    if array.dtype != dtype.numpy_dtype and dtype.kind != "S":
        array = array.astype(dtype._numpy())
    if not tensor.shape.is_compatible_with(array.shape):
        raise ValueError(
            f"Cannot feed value of shape {array.shape} for Tensor {tensor.name!r}, which has shape '{tensor.shape}'"
        )
    return array


def _unfed(tensor: Any) -> errors.InvalidArgumentError:
    shape = (
        ""
        if tensor.shape.rank is None
        else f" and shape [{','.join('?' if d is None else str(d) for d in tensor.shape)}]"
    )
    from .autograph import user_place

    place = user_place(tensor.node.where)
    return errors.value_error(
        None,
        f"You must feed a value for placeholder tensor '{tensor.node.name}' with dtype "
        f"{dtypes.spelling(tensor.dtype)}{shape}\n"
        f"\t [[node {tensor.node.name}{',' if place else ''}{place}]]",
    )


def _plain(array: Any, element: Any) -> Any:
    """A result as the user gets it: an array of his own, a scalar, bytes, or None for an operation."""
    if isinstance(element, Node) or array is None:
        return None
    if array.ndim == 0:
        return array[()]
    return np.array(array)


def _packed(form: Any, values: list[Any]) -> Any:
    kind, what, items = form
    if kind == "leaf":
        return values[what]
    made = [_packed(i, values) for i in items]
    if kind == "named":
        return what(*made)
    if kind == "list":
        return tuple(made) if issubclass(what, tuple) else made
    if kind == "dict":
        return dict(zip(what, made, strict=True))
    if kind == "built":
        return what(made)
    return IndexedSlicesValue(*made)


class IndexedSlicesValue(tuple):
    """What a session gives for `IndexedSlices`: (values, indices, dense_shape)."""

    __slots__ = ()

    def __new__(cls, values: Any, indices: Any, dense_shape: Any = None) -> IndexedSlicesValue:
        """Makes the triple."""
        return super().__new__(cls, (values, indices, dense_shape))

    values = property(lambda self: self[0], doc="The rows.")
    indices = property(lambda self: self[1], doc="Which rows they are.")
    dense_shape = property(lambda self: self[2], doc="Shape of the dense tensor, or None.")


@contextmanager
def _outside() -> Iterator[None]:
    """While a graph runs nothing is added to it: Python code inside it computes at once."""
    before = context.graph, context.tapes
    context.graph, context.tapes = None, ()
    try:
        yield
    finally:
        context.graph, context.tapes = before
