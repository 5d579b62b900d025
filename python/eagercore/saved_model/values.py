"""Values as JSON and back: attributes of nodes, arguments of functions, forms of results.

What JSON has no word for becomes an object with one entry that names its kind, such as {"tuple": [1, 2]}. Nothing
that is read is code.
"""

from __future__ import annotations

import base64
import collections
import importlib
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..base import dtypes, errors
from ..base.seeds import Stream
from ..base.shapes import TensorShape, TensorSpec, as_shape
from ..core.slices import IndexedSlices
from ..core.tensor import NOTHING, EagerTensor
from ..core.variable import Variable
from ..graph.ir import Graph
from ..graph.signature import Leaf
from ..ops.csv_text import Column
from ..ops.training import State

_WORDS = {"inf": float("inf"), "-inf": float("-inf"), "nan": float("nan")}


class Unsavable(errors.UnimplementedError):
    """A value that has no form in a file."""


def shape_to_json(shape: Any) -> Any:
    """A shape as a list, None for one of unknown rank."""
    return None if shape.rank is None else list(shape)


def spec_to_json(spec: Any) -> list[Any]:
    """Shape and dtype of a tensor or a spec."""
    return [shape_to_json(as_shape(spec.shape)), spec.dtype.name]


def spec_from_json(entry: Any, name: str | None = None) -> TensorSpec:
    """What `spec_to_json` described."""
    shape, kind = entry
    return TensorSpec(shape, dtypes.as_dtype(kind), name)


class Encoder:
    """Writes values as JSON.

    Args:
        variable: Gives the number of a variable.
        graph: Gives the number of a graph.
        constant: Keeps an array, gives what stands for it.
        at: Gives the place [node, output] of a symbolic tensor.
    """

    def __init__(
        self, variable: Callable[[Any], int], graph: Callable[[Any], int], constant: Callable[[Any], Any],
        at: Callable[[Any], list[int]] | None = None,
    ) -> None:  # fmt: skip
        self.variable, self.graph, self.constant, self.at = variable, graph, constant, at

    def __call__(self, value: Any) -> Any:
        """The JSON of a value.

        Raises:
            UnimplementedError: If it has none.
        """
        if value is None or type(value) in (bool, int, str):
            return value
        if type(value) is float:
            return value if np.isfinite(value) else {"float": repr(value)}
        for kinds, write in _WRITERS:
            if isinstance(value, kinds):
                return write(self, value)
        if getattr(value, "_is_symbolic", False) and self.at is not None:
            return {"at": self.at(value)}
        if hasattr(type(value), "_from_saved_state"):
            # An object of the engine's own that says what it consists of: a table, a vocabulary.
            return {
                "object": [type(value).__module__, type(value).__qualname__],
                "content": self(value._saved_state()),
            }
        raise Unsavable(f"{value!r} of type {type(value).__name__} cannot be stored in a file")

    def several(self, values: Any) -> list[Any]:
        """The JSON of each."""
        return [self(v) for v in values]


def _mapping(write: Encoder, value: Any) -> Any:
    kind = "ordered" if isinstance(value, collections.OrderedDict) else "dict"
    return {kind: [[write(k), write(v)] for k, v in value.items()]}


def _tuple(write: Encoder, value: Any) -> Any:
    fields = getattr(value, "_fields", None)
    if fields is None:
        return {"tuple": write.several(value)}
    return {
        "named": type(value).__name__,
        "fields": [[f, write(v)] for f, v in zip(fields, value, strict=True)],
    }


def _state(write: Encoder, value: Any) -> Any:
    slots = [[write.variable(v) for v in slot] for slot in value.slots]
    return {"state": [[write.variable(v) for v in value.variables], slots]}


_WRITERS: list[tuple[Any, Callable[[Encoder, Any], Any]]] = [
    (bool, lambda w, v: bool(v)),
    (int, lambda w, v: int(v)),
    (str, lambda w, v: str(v)),
    (float, lambda w, v: w(float(v))),
    (bytes, lambda w, v: {"bytes": base64.b64encode(v).decode()}),
    (complex, lambda w, v: {"complex": [w(v.real), w(v.imag)]}),
    (tuple, _tuple),
    (list, lambda w, v: w.several(v)),
    (Mapping, _mapping),
    (Leaf, lambda w, v: {"leaf": [v.name, *spec_to_json(v.spec)]}),
    (TensorSpec, lambda w, v: {"spec": [v.name, *spec_to_json(v)]}),
    (TensorShape, lambda w, v: {"shape": shape_to_json(v)}),
    (dtypes.DType, lambda w, v: {"dtype": v.name}),
    (np.dtype, lambda w, v: {"numpy_dtype": v.str}),
    (np.generic, lambda w, v: w(v.item())),
    (np.ndarray, lambda w, v: {"array": w.constant(EagerTensor(v))}),
    (EagerTensor, lambda w, v: {"constant": w.constant(v)}),
    (Variable, lambda w, v: {"variable": w.variable(v)}),
    (Graph, lambda w, v: {"graph": w.graph(v)}),
    (IndexedSlices, lambda w, v: {"slices": w.several((v._values, v._indices, v._dense_shape))}),
    (slice, lambda w, v: {"slice": w.several((v.start, v.stop, v.step))}),
    (type(Ellipsis), lambda w, v: {"ellipsis": True}),
    (type(NOTHING), lambda w, v: {"nothing": True}),
    (Stream, lambda w, v: {"stream": list(v.seeds)}),
    (State, _state),
    (Column, lambda w, v: {"column": [v.dtype.name, None if v.value is None else w(v.value)]}),
]


class Decoder:
    """Reads what an `Encoder` wrote; the arguments give what the numbers stand for."""

    def __init__(
        self, variable: Callable[[int], Any], graph: Callable[[int], Any], constant: Callable[[Any], EagerTensor],
        at: Callable[[Any], Any] | None = None,
    ) -> None:  # fmt: skip
        self.variable, self.graph, self.constant, self.at = variable, graph, constant, at

    def __call__(self, entry: Any) -> Any:
        """The value that a piece of JSON stands for.

        Raises:
            ValueError: If it stands for none.
        """
        if isinstance(entry, list):
            return [self(e) for e in entry]
        if not isinstance(entry, dict):
            return entry
        for kind, read in _READERS.items():
            if kind in entry:
                return read(self, entry[kind], entry)
        raise ValueError(f"The saved model is damaged: {str(entry)[:100]} stands for nothing.")


def _named(read: Decoder, name: str, entry: Any) -> Any:
    fields = [f for f, _ in entry["fields"]]
    if not re.fullmatch(r"[A-Za-z_]\w*", name):
        raise ValueError(f"The saved model is damaged: {name!r} is no name of a tuple.")
    made = collections.namedtuple(name, fields)  # type: ignore[misc]
    return made(*(read(v) for _, v in entry["fields"]))


def _read_state(read: Decoder, parts: Any, entry: Any) -> State:
    variables, slots = parts
    return State(
        [read.variable(i) for i in variables], [[read.variable(i) for i in slot] for slot in slots]
    )


def _read_column(read: Decoder, parts: Any, entry: Any) -> Column:
    kind, value = parts
    made = Column(dtypes.as_dtype(kind))
    made.value = None if value is None else read(value)
    return made


def _read_object(read: Decoder, names: Any, entry: Any) -> Any:
    module, cls = names
    found = getattr(own_module(module), cls, None) if cls.isidentifier() else None
    if not isinstance(found, type) or not hasattr(found, "_from_saved_state"):
        raise ValueError(
            f"The saved model names {module}.{cls}, which this version of the engine does not have."
        )
    return found._from_saved_state(read(entry["content"]))


def own_module(name: str) -> Any:
    """A module of the engine's own by its name, imported if need be; None for any other."""
    if not re.fullmatch(
        r"eagercore\.(ops|graph|keras|autodiff|data|core)(\.[a-z_][a-z0-9_]*)*", str(name)
    ):
        return None
    try:
        return importlib.import_module("." + name.partition(".")[2], __name__.partition(".")[0])
    except ImportError:
        return None


_READERS: dict[str, Callable[[Decoder, Any, Any], Any]] = {
    "tuple": lambda r, v, e: tuple(r(i) for i in v),
    "named": _named,
    "dict": lambda r, v, e: {r(k): r(i) for k, i in v},
    "ordered": lambda r, v, e: collections.OrderedDict((r(k), r(i)) for k, i in v),
    "float": lambda r, v, e: _WORDS[v],
    "bytes": lambda r, v, e: base64.b64decode(v),
    "complex": lambda r, v, e: complex(r(v[0]), r(v[1])),
    "leaf": lambda r, v, e: Leaf(spec_from_json(v[1:]), v[0]),
    "spec": lambda r, v, e: spec_from_json(v[1:], v[0]),
    "shape": lambda r, v, e: TensorShape(v),
    "dtype": lambda r, v, e: dtypes.as_dtype(v),
    "numpy_dtype": lambda r, v, e: np.dtype(v),
    "array": lambda r, v, e: r.constant(v)._array,
    "constant": lambda r, v, e: r.constant(v),
    "variable": lambda r, v, e: r.variable(v),
    "graph": lambda r, v, e: r.graph(v),
    "slices": lambda r, v, e: IndexedSlices(*(r(i) for i in v)),
    "slice": lambda r, v, e: slice(*(r(i) for i in v)),
    "ellipsis": lambda r, v, e: ...,
    "nothing": lambda r, v, e: NOTHING,
    "stream": lambda r, v, e: Stream(tuple(v)),
    "state": _read_state,
    "column": _read_column,
    "object": _read_object,
    "at": lambda r, v, e: r.at(v) if r.at is not None else None,
}
