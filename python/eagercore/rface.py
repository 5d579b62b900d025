"""The Python half of the bridge to R: what an R verb needs in one crossing instead of several.

A crossing costs 30 to 120 microseconds whatever it does, so each R operator, slice and conversion is one call
into this file. Nothing here computes: it finds the engine's op and speaks R's conventions (1-based inclusive
indices, column-major arrays, conditions with fields).
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import functools
import importlib
import inspect
import keyword
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import eagercore as tf

from .base import errors
from .base.context import settings
from .core.tensor import EagerTensor, Tensor

_main_thread = threading.main_thread()


def enter_r_session(
    write: Any = None, warn: Any = None, tell: Any = None, beat: Any = None, bar: Any = None
) -> None:
    """Turns on what holds when R is at the other end.

    Args:
        write: R function that Python's printed output goes through, so that it lands in R's own
            output: in a knitr document, in `capture.output()`, under `sink()`.
        warn: R function that Python's warnings become R warnings by.
        tell: R function that says what is worth a message.
        beat: R function that is called ten times a second between the steps of long loops.
        bar: R function of the number of steps (or None) that opens a progress bar in R's console and gives its
            number, 0 where none is to be drawn. Called as `bar(number, current, text, done)` it draws it.
    """
    settings.whole_floats_are_ints = True
    settings.double_arrays_are_float32 = True
    settings.prints_to_stdout = True
    _ask_no_r_function()
    if write is not None:
        sys.stdout = _RStream(sys.stdout, write)
        atexit.register(_leave_r_session)
    if warn is not None:
        warnings.showwarning = _to_r(warn, warnings.showwarning)
    if tell is not None:
        settings.tell = functools.partial(_call_r, tell)
    if beat is not None:
        settings.between_steps = _Pulse(functools.partial(_call_r, beat))
    if bar is not None:
        settings.drawn_elsewhere = _bars(functools.partial(_call_r, bar))


class _Pulse:
    """Calls R's function ten times a second at most, in R's thread."""

    def __init__(self, beat: Callable[[], Any]) -> None:
        self._beat = beat
        self._due = 0.0

    def __call__(self) -> None:
        if time.monotonic() >= self._due and threading.current_thread() is _main_thread:
            self._due = time.monotonic() + 0.1
            self._beat()


def _bars(
    bar: Callable[..., Any],
) -> Callable[[int | None], Callable[[int, str, bool], None] | None]:
    def opened(target: int | None) -> Callable[[int, str, bool], None] | None:
        if threading.current_thread() is not _main_thread:
            return None
        number = int(bar(0, target, "", False))
        return (lambda current, text, done: bar(number, current, text, done)) if number else None

    return opened


def _leave_r_session() -> None:
    if isinstance(sys.stdout, _RStream):
        sys.stdout = sys.stdout.original


def _to_r(warn: Any, original: Any) -> Callable[..., None]:
    def show(
        message: Any, category: Any, filename: str, lineno: int, file: Any = None, line: Any = None
    ) -> None:
        if threading.current_thread() is _main_thread and file is None:
            _call_r(warn, str(message))
        else:
            original(message, category, filename, lineno, file, line)

    return show


class _RStream:
    """Standard output by R's `cat`; other threads, where R may not be called, write as before."""

    def __init__(self, original: Any, write: Any) -> None:
        self.original = original
        self._write = write

    def write(self, text: str) -> int:
        if not text:
            return 0
        if threading.current_thread() is not _main_thread:
            return int(self.original.write(text) or 0)
        _call_r(self._write, text)
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.original, name)


# ------------------------------------------------------------------------------------------------------- operators


def _xor(x: Any, y: Any) -> Any:
    return tf.math.logical_xor(x, y)


def _and(x: Any, y: Any) -> Any:
    return tf.logical_and(_truth(x), _truth(y))


def _or(x: Any, y: Any) -> Any:
    return tf.logical_or(_truth(x), _truth(y))


def _not(x: Any) -> Any:
    return tf.logical_not(_truth(x))


def _truth(x: Any) -> Any:
    """A bool tensor: numbers are true when they are not zero, as in R."""
    if not _is_tensor(x):
        x = tf.convert_to_tensor(x)
    return x if x.dtype.name == "bool" else tf.cast(x, tf.bool)


def _is_tensor(x: Any) -> bool:
    return isinstance(x, Tensor) or hasattr(x, "_read_array")


def _divide(x: Any, y: Any) -> Any:
    return x / y if _is_tensor(x) or _is_tensor(y) else tf.divide(x, y)


#: R's operators and the engine's functions for them.
OPERATORS: dict[str, str | Callable[..., Any]] = {
    "+": "add",
    "-": "subtract",
    "*": "multiply",
    "/": _divide,
    "^": "pow",
    "%%": "floormod",
    "%/%": "floordiv",
    "==": "equal",
    "!=": "not_equal",
    "<": "less",
    "<=": "less_equal",
    ">": "greater",
    ">=": "greater_equal",
    "&": _and,
    "|": _or,
    "xor": _xor,
}

UNARY: dict[str, str | Callable[..., Any]] = {
    "-": "negative",
    "+": "identity",
    "!": _not,
}


def _log2(x: Any) -> Any:
    return tf.math.log(_floating(x)) / float(np.log(2.0))


def _log10(x: Any) -> Any:
    return tf.math.log(_floating(x)) / float(np.log(10.0))


def _floating(x: Any) -> Any:
    """Integers and logicals as float32: R's Math functions answer with reals."""
    return x if x.dtype.is_floating or x.dtype.is_complex else tf.cast(x, tf.float32)


def _trunc(x: Any) -> Any:
    return tf.sign(x) * tf.floor(tf.abs(x))


def _pi_times(name: str) -> Callable[[Any], Any]:
    return lambda x: _lookup(name)(_floating(x) * float(np.pi))


def _cumulative_extreme(name: str) -> Callable[[Any], Any]:
    def run(x: Any) -> Any:
        function = np.maximum if name == "cummax" else np.minimum
        return tf.constant(function.accumulate(x.numpy().reshape(-1, order="F")), dtype=x.dtype)

    return run


#: R's Math group. A name in `REAL` is given floating numbers only.
MATH: dict[str, str | Callable[..., Any]] = {
    "abs": "abs",
    "sign": "sign",
    "sqrt": "sqrt",
    "floor": "floor",
    "ceiling": "math.ceil",
    "trunc": _trunc,
    "exp": "exp",
    "log": "math.log",
    "log2": _log2,
    "log10": _log10,
    "log1p": "math.log1p",
    "expm1": "math.expm1",
    "cos": "cos",
    "sin": "sin",
    "tan": "tan",
    "acos": "acos",
    "asin": "asin",
    "atan": "atan",
    "cosh": "cosh",
    "sinh": "sinh",
    "tanh": "tanh",
    "acosh": "acosh",
    "asinh": "asinh",
    "atanh": "atanh",
    "cospi": _pi_times("cos"),
    "sinpi": _pi_times("sin"),
    "tanpi": _pi_times("tan"),
    "gamma": lambda x: tf.exp(tf.math.lgamma(x)),
    "lgamma": "math.lgamma",
    "digamma": "math.digamma",
    "cumsum": lambda x: tf.cumsum(column_major(tf.convert_to_tensor(x))),
    "cumprod": lambda x: tf.math.cumprod(column_major(tf.convert_to_tensor(x))),
    "cummax": _cumulative_extreme("cummax"),
    "cummin": _cumulative_extreme("cummin"),
}
KEEPS_INTEGERS = frozenset(("abs", "sign", "cumsum", "cumprod", "cummax", "cummin"))
ROUNDS = frozenset(("floor", "ceiling", "trunc"))

#: R's Summary group: functions of all elements.
SUMMARY: dict[str, str] = {
    "sum": "reduce_sum",
    "prod": "reduce_prod",
    "min": "reduce_min",
    "max": "reduce_max",
    "any": "reduce_any",
    "all": "reduce_all",
}

_found: dict[str, Any] = {}


def _lookup(path: str | Callable[..., Any]) -> Any:
    """The engine's function at a dotted path under `tf`."""
    if not isinstance(path, str):
        return path
    function = _found.get(path)
    if function is None:
        function = tf
        for part in path.split("."):
            function = getattr(function, part)
        _found[path] = function
    return function


def operator(generic: str, x: Any, y: Any) -> Any:
    """R's binary `generic` on x and y; an R value takes the dtype of the tensor beside it."""
    return _lookup(OPERATORS[generic])(x, y)


def unary(generic: str, x: Any) -> Any:
    """R's unary minus, plus and not."""
    return _lookup(UNARY[generic])(x)


def math(generic: str, x: Any) -> Any:
    """A function of R's Math group, element by element."""
    whole = not (x.dtype.is_floating or x.dtype.is_complex)
    if whole and generic in ROUNDS:
        return tf.identity(x)
    if whole and generic not in KEEPS_INTEGERS:
        x = tf.cast(x, tf.float32)
    return _lookup(MATH[generic])(x)


def logarithm(x: Any, base: float) -> Any:
    """R's `log(x, base)`."""
    return tf.math.log(_floating(x)) / float(np.log(base))


def round_digits(x: Any, digits: int) -> Any:
    """R's `round(x, digits)`: half to even."""
    if not x.dtype.is_floating:
        return tf.identity(x)
    if digits == 0:
        return tf.round(x)
    scale = 10.0 ** abs(digits)
    scaled = x * scale if digits > 0 else x / scale
    low, high = tf.floor(scaled), tf.math.ceil(scaled)
    below, above = (v / scale if digits > 0 else v * scale for v in (low, high))
    # The nearer of both that have so many digits, as they are in binary; of two as near the even one.
    down, up = x - below, above - x
    even = tf.equal(tf.math.floormod(low, 2.0), 0.0)
    lower = tf.logical_or(tf.less(down, up), tf.logical_and(tf.equal(down, up), even))
    return tf.where(tf.math.is_finite(x), tf.where(lower, below, above), x)


def significant(x: Any, digits: int) -> Any:
    """R's `signif(x, digits)`."""
    x = _floating(x)
    magnitude = tf.floor(_log10(tf.maximum(tf.abs(x), 1e-37)))
    shift = (digits - 1.0) - magnitude
    # Powers of ten are whole only upwards.
    scale = tf.pow(tf.constant(10.0, x.dtype), tf.abs(shift))
    made = tf.where(
        tf.greater_equal(shift, 0.0), tf.round(x * scale) / scale, tf.round(x / scale) * scale
    )
    return tf.where(tf.logical_or(tf.equal(x, 0.0), tf.math.is_inf(x)), x, made)


def summary(generic: str, parts: list[Any], remove_nan: bool) -> Any:
    """A function of R's Summary group over all elements of all `parts`."""
    values = [part if _is_tensor(part) else tf.convert_to_tensor(part) for part in parts]
    if generic in ("any", "all"):
        values = [_truth(value) for value in values]
    if remove_nan:
        values = [_without_nan(value) for value in values]
    if generic == "range":
        flat = _joined(values)
        return tf.stack([tf.reduce_min(flat), tf.reduce_max(flat)])
    return _lookup(SUMMARY[generic])(values[0] if len(values) == 1 else _joined(values))


def _joined(values: list[Any]) -> Any:
    dtype = values[0].dtype
    return tf.concat([tf.reshape(tf.cast(value, dtype), [-1]) for value in values], axis=0)


def _without_nan(x: Any) -> Any:
    flat = tf.reshape(x, [-1])
    return (
        tf.boolean_mask(flat, tf.logical_not(tf.math.is_nan(flat))) if x.dtype.is_floating else flat
    )


def mean(x: Any, remove_nan: bool = False) -> Any:
    """Mean of all elements: integers and logicals are averaged as reals, as in R."""
    x = tf.convert_to_tensor(x)
    return tf.reduce_mean(_without_nan(_floating(x)) if remove_nan else _floating(x))


def reverse(x: Any) -> Any:
    """R's `rev`: the elements of a vector in reverse; of an array, its elements in R's order, reversed."""
    x = tf.convert_to_tensor(x)
    return tf.reverse(column_major(x), axis=[0])


def column_major(x: Any) -> Any:
    """All elements as a vector in R's order (first index fastest)."""
    rank = x.shape.rank
    return tf.reshape(x if rank < 2 else tf.transpose(x, list(range(rank))[::-1]), [-1])


def repeat_elements(x: Any, positions: Any) -> Any:
    """Elements in R's order at 1-based `positions`: R works out the positions, as for any vector."""
    return tf.gather(
        column_major(tf.convert_to_tensor(x)), np.asarray(positions, np.int64).reshape(-1) - 1
    )


def sort_values(x: Any, decreasing: bool) -> Any:
    """All elements, sorted."""
    flat = column_major(tf.convert_to_tensor(x))
    return tf.sort(flat, direction="DESCENDING" if decreasing else "ASCENDING")


def transpose(x: Any, permutation: list[int] | None = None) -> Any:
    """R's `t` (a vector becomes a row) and `aperm` (0-based here)."""
    x = tf.convert_to_tensor(x)
    if permutation is not None:
        return tf.transpose(x, permutation)
    return tf.reshape(x, [1, -1]) if x.shape.rank == 1 else tf.transpose(x)


def bind(parts: list[Any], axis: int) -> Any:
    """R's `rbind` (axis 0) and `cbind` (axis 1): vectors are rows or columns, repeated to the length of the longest."""
    first = next(part for part in parts if _is_tensor(part))
    made = [
        part if _is_tensor(part) else tf.convert_to_tensor(part, first.dtype)
        for part in parts
        if part is not None
    ]
    made = [tf.reshape(value, [1]) if value.shape.rank == 0 else value for value in made]
    wide = [value.shape[1 - axis] for value in made if value.shape.rank > 1]
    length = wide[0] if wide else max(value.shape[0] for value in made)
    return tf.concat([_line(v, length, axis) if v.shape.rank == 1 else v for v in made], axis)


def _line(x: Any, length: Any, axis: int) -> Any:
    """A vector as a row or column of `length`."""
    size = x.shape[0]
    if size and length and size < length:
        x = tf.gather(x, np.arange(length) % size)
    return tf.expand_dims(x, axis)


def matrix_product(generic: str, x: Any, y: Any) -> Any:
    """R's `%*%`, `crossprod` and `tcrossprod`: a vector is a row or a column, whichever fits."""
    x, y = (
        tf.reshape(v, [1]) if v is not None and v.shape.rank == 0 else v
        for v in (_like(x, y), _like(y, x))
    )
    if generic != "%*%":
        # crossprod(x, y) is t(x) %*% y, tcrossprod(x, y) is x %*% t(y).
        y = x if y is None else y
        x, y = (_column(v) if v.shape.rank == 1 else v for v in (x, y))
        first = generic == "crossprod"
        return tf.matmul(x, y, transpose_a=first, transpose_b=not first)
    if x.shape.rank == 1 and y.shape.rank == 1:
        return tf.matmul(_row(x), _column(y)) if x.shape[0] == y.shape[0] else _vectors(x, y)
    if x.shape.rank == 1:
        return tf.matmul(_row(x) if x.shape[0] == y.shape[-2] else _column(x), y)
    if y.shape.rank == 1:
        return tf.matmul(x, _column(y) if x.shape[-1] == y.shape[0] else _row(y))
    return tf.matmul(x, y)


def _vectors(x: Any, y: Any) -> Any:
    return (
        tf.matmul(_column(x), _row(y))
        if 1 in (x.shape[0], y.shape[0])
        else tf.matmul(_row(x), _column(y))
    )


def _row(x: Any) -> Any:
    return tf.reshape(x, [1, -1])


def _column(x: Any) -> Any:
    return tf.reshape(x, [-1, 1])


def _like(x: Any, other: Any) -> Any:
    """An R value as a tensor of the dtype of the tensor beside it."""
    if x is None or _is_tensor(x):
        return x if x is None else tf.convert_to_tensor(x)
    return tf.convert_to_tensor(x, other.dtype)


def outer_pair(x: Any, y: Any) -> list[Any]:
    """Both operands of R's `outer` at the shape of its result: the dimensions of x, then those of y."""
    x, y = _like(x, y), _like(y, x)
    here, there = list(x.shape), list(y.shape)
    wide = tf.reshape(x, here + [1] * len(there))
    return [tf.broadcast_to(wide, here + there), tf.broadcast_to(y, here + there)]


def reduce_dims(generic: str, x: Any, remove_nan: bool, dims: int) -> Any:
    """R's `rowSums`, `colSums`, `rowMeans` and `colMeans`: `dims` says how many dimensions are rows."""
    x = tf.convert_to_tensor(x)
    rank = x.shape.rank
    if rank is None or rank < 2 or not 1 <= dims < rank:
        raise errors.shape_error(
            generic,
            f"{generic}() takes a tensor of more than {max(dims, 1)} dimensions, got shape {x.shape}.",
        )
    x = _floating(x) if generic.endswith("Means") or x.dtype.name == "bool" else x
    axes = list(range(dims, rank)) if generic.startswith("row") else list(range(dims))
    if not remove_nan or not x.dtype.is_floating:
        return (tf.reduce_sum if generic.endswith("Sums") else tf.reduce_mean)(x, axis=axes)
    there = tf.logical_not(tf.math.is_nan(x))
    total = tf.reduce_sum(tf.where(there, x, tf.zeros_like(x)), axis=axes)
    return (
        total
        if generic.endswith("Sums")
        else total / tf.reduce_sum(tf.cast(there, x.dtype), axis=axes)
    )


def extreme(name: str, x: Any, y: Any, remove_nan: bool) -> Any:
    """R's `pmin` and `pmax` of two; the other value where one is NaN when `remove_nan`."""
    x, y = _like(x, y), _like(y, x)
    made = getattr(tf, name)(x, y)
    if remove_nan and x.dtype.is_floating:
        made = tf.where(tf.math.is_nan(x), y, tf.where(tf.math.is_nan(y), x, made))
    return made


def diagonal(x: Any) -> Any:
    """R's `diag`: what is on a matrix's diagonal; the matrix that has a vector there; of a number, of that size."""
    x = tf.convert_to_tensor(x)
    if x.shape.rank == 0:
        return tf.eye(int(x), dtype=x.dtype)
    return tf.linalg.diag(x) if x.shape.rank == 1 else tf.linalg.diag_part(x)


def later_minus_earlier(x: Any, lag: int, kept: int) -> Any:
    """R's `diff`, once."""
    x = tf.convert_to_tensor(x)
    return x[lag : lag + kept] - x[:kept] if x.shape.rank else x[None][:0]


def with_dim(x: Any, extents: list[int]) -> Any:
    """R's `dim<-`: the same elements in R's order (first index fastest)."""
    count = int(np.prod(extents, dtype=np.int64))
    x = tf.convert_to_tensor(x)
    if x.shape.num_elements() != count:
        raise errors.shape_error(
            "Reshape",
            f"dims [product {count}] do not match the {x.shape.num_elements()} elements of the tensor.",
        )
    flat = tf.reshape(column_major(x), extents[::-1])
    return tf.transpose(flat, list(range(len(extents)))[::-1])


# --------------------------------------------------------------------------------------------------------- indexing

#: What R writes, in the order it was written: "" (everything), "start:stop:step" (1-based, inclusive, parts may be
#: missing), "new" (a new axis), "..." (all dimensions between), a number (1-based, drops its dimension) or an array
#: or tensor of 1-based positions, negative positions to leave out, or truth values.
Spec = Any


def slice_(x: Any, keep: bool, *specs: Spec) -> Any:
    """`x[specs]` with R's meaning.

    Args:
        x: Tensor or variable.
        keep: Whether a dimension indexed by one number stays, with extent 1 (R's `drop = FALSE`).
        specs: One for each index that R was given.

    Raises:
        InvalidArgumentError: Too many indices, an index of 0 or one out of bounds (the message names the bound).
    """
    if len(specs) == 1 and _is_symbolic_mask(specs[0]):
        return tf.boolean_mask(tf.transpose(x), tf.transpose(specs[0]))
    chosen = _chosen(x, specs)
    if chosen is not None:
        return tf.gather(column_major(tf.convert_to_tensor(x)), chosen)
    index, gathers = _index(x, keep, specs)
    result = x[tuple(index)] if index else tf.convert_to_tensor(x)
    for axis, positions in gathers:
        result = tf.gather(result, positions, axis=axis)
    return result


def _is_symbolic_mask(spec: Spec) -> bool:
    return (
        isinstance(spec, Tensor)
        and not isinstance(spec, EagerTensor)
        and spec.dtype.name == "bool"
        and spec.shape.rank != 0
    )


def _chosen(x: Any, specs: tuple[Spec, ...]) -> np.ndarray | None:
    """Positions in R's order that one index for all dimensions chooses: a mask of x's shape, or a matrix with a row
    of 1-based indices for each element. None for any other index.
    """
    rank = x.shape.rank
    if (
        len(specs) != 1
        or rank is None
        or rank < 2
        or isinstance(specs[0], str | bool | int | float)
    ):
        return None
    if not hasattr(specs[0], "shape") or len(specs[0].shape) < 2:
        return None
    spec = specs[0]
    values = np.asarray(spec.numpy() if hasattr(spec, "numpy") else spec)
    shape = tuple(x.shape)
    if values.dtype == np.bool_:
        if values.shape != shape:
            raise errors.index_error(
                "BooleanMask",
                f"A mask of shape {values.shape} does not fit a tensor of shape {shape}: it must have the same shape.",
            )
        return np.flatnonzero(values.reshape(-1, order="F"))
    if values.ndim != 2 or values.shape[1] != rank:
        return None
    if (values != np.floor(values)).any() or (values < 1).any() or (values > np.array(shape)).any():
        raise errors.index_error(
            "GatherNd",
            f"A matrix of indices must hold whole numbers from 1 to the extents {shape}.",
        )
    columns = tuple(values.astype(np.int64).T - 1)
    return np.ravel_multi_index(columns, shape, order="F") if values.size else np.zeros(0, np.int64)


def python_slice(x: Any, *specs: Spec) -> Any:
    """`x[specs]` with Python's meaning: 0-based, the stop left out, negative from the end."""
    index: list[Any] = []
    for spec in specs:
        if not isinstance(spec, str):
            index.append(_whole(spec))
        elif spec in ("new", "..."):
            index.append(None if spec == "new" else Ellipsis)
        else:
            index.append(
                slice(*[int(p) if p else None for p in (spec.split(":") if spec else [""])])
            )
    return x[tuple(index)] if index else tf.convert_to_tensor(x)


def _whole(value: Any) -> Any:
    if isinstance(value, float):
        if value != int(value):
            raise errors.value_error(
                "StridedSlice", f"An index must be a whole number, got {value}."
            )
        return int(value)
    return value


def _index(x: Any, keep: bool, specs: tuple[Spec, ...]) -> tuple[list[Any], list[tuple[int, Any]]]:
    shape = x.shape
    used = sum(1 for spec in specs if not (isinstance(spec, str) and spec in ("new", "...")))
    if shape.rank is not None and used > shape.rank:
        raise errors.index_error(
            "StridedSlice",
            f"{used} indices were given for a tensor of {shape.rank} dimensions (shape {shape}).",
        )
    index: list[Any] = []
    gathers: list[tuple[int, Any]] = []
    source = target = 0
    for spec in specs:
        if isinstance(spec, str) and spec == "new":
            index.append(None)
            target += 1
            continue
        if isinstance(spec, str) and spec == "...":
            index.append(Ellipsis)
            skipped = shape.rank - used
            source += skipped
            target += skipped
            continue
        extent = None if shape.rank is None else shape[source]
        source += 1
        one = _one(spec, extent, source)
        if isinstance(one, int) and keep:
            one = slice(one, one + 1)
        if isinstance(one, int | slice) or _is_scalar_tensor(one):
            index.append(one)
            target += isinstance(one, slice)
        else:
            index.append(slice(None))
            gathers.append((target, one))
            target += 1
    return index, gathers


def _is_scalar_tensor(value: Any) -> bool:
    return isinstance(value, Tensor) and value.shape.rank == 0


def _one(spec: Spec, extent: int | None, dimension: int) -> Any:
    """One index in Python's terms: an int, a slice, or positions to gather."""
    if isinstance(spec, str):
        return _range(spec, extent, dimension) if spec else slice(None)
    if isinstance(spec, bool):
        spec = np.array([spec])
    if isinstance(spec, int | float):
        number = _whole(spec)
        if number < 0:
            return _positions(np.array([number]), extent, dimension)
        return _checked(number, extent, dimension) - 1
    if _is_symbolic_mask(spec):
        return tf.reshape(tf.where(spec), [-1])
    if isinstance(spec, Tensor) and not isinstance(spec, EagerTensor):
        return tf.cast(spec, tf.int32) - 1
    if hasattr(spec, "numpy"):
        values = np.asarray(spec.numpy())
        if values.ndim == 0 and values.dtype != np.bool_:
            return _one(values.item(), extent, dimension)
        return _positions(values, extent, dimension)
    return _positions(np.asarray(spec), extent, dimension)


def _positions(values: np.ndarray, extent: int | None, dimension: int) -> Any:
    if values.ndim != 1:
        raise errors.index_error(
            "StridedSlice",
            f"The index of dimension {dimension} must be a vector, not an array of shape {values.shape}.",
        )
    if values.dtype == np.bool_:
        if values.size != extent:
            raise errors.index_error(
                "StridedSlice",
                f"The logical index of dimension {dimension} has length {values.size}, but the dimension has {extent}.",
            )
        return np.flatnonzero(values).astype(np.int32)
    if values.dtype.kind not in "iuf" or (
        values.dtype.kind == "f" and not (values == np.floor(values)).all()
    ):
        raise errors.index_error(
            "StridedSlice", f"The index of dimension {dimension} must hold whole numbers."
        )
    whole = values.astype(np.int64)
    if (whole < 0).any():
        if (whole > 0).any():
            raise errors.index_error(
                "StridedSlice",
                f"The index of dimension {dimension} mixes positive and negative numbers.",
            )
        if extent is None:
            raise errors.index_error(
                "StridedSlice",
                f"Dimension {dimension} has no known extent to leave elements out of.",
            )
        stays = np.ones(extent, np.bool_)
        out = -whole[whole < 0] - 1
        stays[out[out < extent]] = False
        return np.flatnonzero(stays).astype(np.int32)
    for number in (int(whole.min()), int(whole.max())) if whole.size else ():
        _checked(number, extent, dimension)
    return (whole - 1).astype(np.int32)


def _checked(number: int, extent: int | None, dimension: int) -> int:
    if number < 1 or (extent is not None and number > extent):
        bound = "its extent" if extent is None else str(extent)
        raise errors.index_error(
            "StridedSlice",
            f"Index {number} is out of bounds: dimension {dimension} is indexed from 1 to {bound}.",
        )
    return number


def _range(spec: str, extent: int | None, dimension: int) -> slice:
    parts = [int(part) if part else None for part in spec.split(":")]
    start, stop, step = parts + [None] * (3 - len(parts))
    step = 1 if step is None else step
    if step < 1:
        raise errors.index_error(
            "StridedSlice",
            f"The step of an index must be positive, got {step} (dimension {dimension}).",
        )
    if start is not None and start > 0:
        _checked(start, extent, dimension)
        start -= 1
    elif start == 0 or stop == 0:
        raise errors.index_error(
            "StridedSlice", f"Dimension {dimension} is indexed from 1: 0 is out of bounds."
        )
    if stop is not None and stop > 0:
        _checked(stop, extent, dimension)
    elif stop is not None:
        # Counted from the end, the last element included: -1 is the last.
        stop = None if stop == -1 else stop + 1
    return slice(start, stop, step)


def assign_slice(x: Any, value: Any, *specs: Spec) -> Any:
    """`x[specs] <- value` with R's meaning: a new tensor; a variable is changed in place and comes back itself."""
    positions = np.arange(int(np.prod(x.shape.as_list()))).reshape(x.shape.as_list())
    picked = _chosen(x, specs)
    if picked is not None:
        positions = positions.reshape(-1, order="F")[picked]
    else:
        index, gathers = _index(x, False, specs)
        positions = positions[tuple(index)] if index else positions
        for axis, chosen in gathers:
            positions = np.take(positions, np.asarray(chosen), axis=axis)
    value = value if _is_tensor(value) else tf.convert_to_tensor(value, x.dtype)
    if value.dtype.name != x.dtype.name:
        raise errors.dtype_error(
            "StridedSliceAssign",
            f"A {value.dtype.name} value cannot be put into a {x.dtype.name} tensor.",
        )
    try:
        np.broadcast_shapes(tuple(value.shape), positions.shape)
        updates = tf.broadcast_to(value, positions.shape)
    except ValueError:
        raise errors.shape_error(
            "StridedSliceAssign",
            f"A value of shape {value.shape} does not fit the place of shape {positions.shape}.",
        ) from None
    ids = positions.reshape(-1, 1)
    flat = tf.reshape(x, [-1])
    changed = tf.tensor_scatter_nd_update(
        flat, tf.constant(ids, tf.int64), tf.reshape(updates, [-1])
    )
    changed = tf.reshape(changed, x.shape)
    if hasattr(x, "assign"):
        x.assign(changed)
        return x
    return changed


# ------------------------------------------------------------------------------------------------------- conversion


def whole_numbers(texts: Any, extents: list[int]) -> Any:
    """An int64 tensor of R's integer64 values, which come as text; a scalar of a single one."""
    values = np.array([int(text) for text in _strings(texts)], np.int64)
    return tf.constant(values[0] if extents == [1] else values.reshape(extents, order="F"))


def dim(x: Any) -> Any:
    """The extents as ints, NA (None) where not known; None when not even the rank is known."""
    shape = x.shape
    return None if shape.rank is None else list(shape)


def dim_of_shape(shape: Any) -> Any:
    """A shape's extents, None where not known; None when not even the rank is known."""
    return None if shape.rank is None else list(shape)


def to_r(x: Any) -> Any:
    """The values as a NumPy array that becomes an R array of the nearest type (strings as text)."""
    value = x.numpy()
    if isinstance(value, bytes | str):
        return _text(value)
    array = np.asarray(value)
    if array.dtype.kind in "OSU":
        return np.array([_text(v) for v in array.reshape(-1)], dtype=object).reshape(array.shape)
    kind = array.dtype.kind
    if kind in "iu" and array.dtype.itemsize > 2 and array.dtype != np.int32:
        if (
            array.dtype.itemsize == 8
            and array.size
            and max(int(array.max()), -int(array.min())) > 2**53
        ):
            text = f"{array.dtype} values beyond 2^53 are not exact as doubles: as.character() gives all digits."
            warnings.showwarning(text, UserWarning, __file__, 0)
        array = array.astype(np.float64)
    elif kind == "V" or array.dtype == np.float16 or kind == "f" and array.dtype.itemsize < 4:
        array = array.astype(np.float32)
    elif array.dtype == np.int32 and array.size and array.min() == np.iinfo(np.int32).min:
        array = array.astype(np.float64)  # the one int32 that is R's NA
    elif kind in "iu" and array.dtype != np.int32:
        array = array.astype(np.int32)
    return array.item() if array.ndim == 0 else array


def to_vector(x: Any) -> Any:
    """All elements in R's order. Few of them travel faster as a list."""
    array = np.asarray(to_r(x))
    flat = array.reshape(-1, order="F")
    return flat.tolist() if flat.size <= 256 else flat


def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def as_text(x: Any) -> list[str]:
    """Each element as the shortest text that tells it from its neighbours, in R's order."""
    value = np.asarray(x.numpy())
    flat = value.reshape(-1, order="F")
    if value.dtype.kind in "OSU":
        return [_text(v) for v in flat]
    if value.dtype.kind == "b":
        return ["TRUE" if v else "FALSE" for v in flat]
    if value.dtype.kind == "f":
        return [_number(v) for v in flat]
    return [str(v) for v in flat]


def _number(value: Any) -> str:
    if np.isnan(value):
        return "NaN"
    if np.isinf(value):
        return "Inf" if value > 0 else "-Inf"
    size = abs(float(value))
    if size == 0:
        return "0"  # R writes no sign before a zero
    if not 1e-5 <= size < 1e15:
        return np.format_float_scientific(value, trim="-", exp_digits=2)
    return np.format_float_positional(value, trim="-")


def text(x: Any) -> str:
    """What `print` shows: values, shape and dtype of a tensor; the repr of anything else."""
    return str(x) if isinstance(x, Tensor) else repr(x)


def brief(x: Any) -> str:
    """One line for `str()`: class, dtype, shape and the first values."""
    kind = "tf.Variable" if hasattr(x, "assign") else "tf.Tensor"
    line = f"{kind} {x.dtype.name} {x.shape}"
    if not hasattr(x, "numpy"):
        return line
    values = np.asarray(x.numpy()).reshape(-1)
    shown = " ".join(str(v) for v in values[:6])
    return f"{line} {shown}{' ...' if values.size > 6 else ''}"


# ---------------------------------------------------------------------------------------------------------- contexts


def enter(context: Any) -> Any:
    """Enters a context manager for R's `with()`."""
    return context.__enter__()


def leave(context: Any, done: bool) -> None:
    """Leaves it, as after a failure when R's block was not done."""
    if done:
        context.__exit__(None, None, None)
    else:
        failure = RuntimeError("The R block did not end.")
        context.__exit__(RuntimeError, failure, None)


# ------------------------------------------------------------------------------------------------------ R functions

_dead: list[int] = []

#: What R's `callback()` gives when R wants to be where none of Python's frames may be jumped over: after an interrupt,
#: or a condition that is handled further out. Its twin is `left_by_jump` in R/convert.R.
_LEFT_BY_JUMP = "(left R by a jump)"


class LeftByJump(BaseException):
    """R wants to be where a jump leads: rethrow() in R/access.R goes on there.

    It passes everybody who catches ordinary exceptions. It is no KeyboardInterrupt: newer versions
    of reticulate make an interrupt of R's of that, which is no error to rethrow.
    """


#: What an interrupt looks like that came while reticulate prepared a call.
_INTERRUPTED = ("(Unknown exception occurred)", "KeyboardInterrupt")


def _r_flag(name: str) -> Any:
    """A variable of R's own, a whole number; one that is always 0 where R is not in this process."""
    try:
        return ctypes.c_int.in_dll(ctypes.CDLL(None), name)
    except (OSError, TypeError, ValueError):
        return ctypes.c_int(0)


#: Whether interrupts wait until R allows them, and whether one has come.
_suspended = _r_flag("R_interrupts_suspended")
_pending = _r_flag("R_interrupts_pending")


def _interrupts_pending(reset: bool) -> bool:
    """What reticulate's handler of Ctrl-C asks: whether Python shall take the interrupt, and that it has."""
    if _suspended.value:
        return False
    if reset:
        _pending.value = 0
        return False
    return bool(_pending.value)


def _ask_no_r_function() -> None:
    """Lets reticulate's handler of Ctrl-C read R's variables instead of calling an R function.

    The function would be evaluated while the interrupt is pending: R takes it then and there, by a
    jump over the frames of the Python code that was running, and sooner or later the process dies.
    Newer versions of reticulate have a handler that does not call R.
    """
    with contextlib.suppress(ImportError):
        handler = importlib.import_module("rpytools.signals")
        handler._callback = _interrupts_pending  # type: ignore[attr-defined]


def _call_r(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Calls an R function made by R's `callback()`, which lets R notice interrupts only where it catches them.

    Anywhere else on the way R would leave by a jump across Python's frames.
    """
    before = _suspended.value
    _suspended.value = 1
    try:
        value = function(*args, **kwargs)
    except RuntimeError as error:
        if str(error) in _INTERRUPTED:
            raise LeftByJump from None
        raise
    finally:
        _suspended.value = before
    if isinstance(value, str) and value == _LEFT_BY_JUMP:
        raise LeftByJump
    return value


class RFunction:
    """An R function that Python may call: on the main thread only, with the arguments that it has formals for.

    Args:
        function: reticulate's callable around the R closure.
        number: Its number in R's own register, so that R gets the very closure back.
        names: Names of its formals.
        dots: Whether it has `...`, and so takes any keyword.
        required: Names of the formals that have no default.
    """

    #: Pipelines call functions so marked in the thread that iterates, never in a worker.
    main_thread_only = True

    def __init__(
        self, function: Callable[..., Any], number: int, names: Any, dots: bool, required: Any
    ) -> None:
        self.function = function
        self.number = int(number)
        self.names = _strings(names)
        self.dots = dots
        self.required = _strings(required)
        self.__name__ = self.__qualname__ = "r_function"
        self.__signature__ = self._make_signature()

    def _make_signature(self) -> inspect.Signature:
        parameters = []
        for place, name in enumerate(self.names):
            # `class` and `x.y` are good names in R; here they are only places.
            known = name.isidentifier() and not keyword.iskeyword(name)
            parameters.append(
                inspect.Parameter(
                    name if known else f"_argument_{place}",
                    inspect.Parameter.POSITIONAL_OR_KEYWORD,
                    default=inspect.Parameter.empty if name in self.required else None,
                )
            )
        parameters.sort(key=lambda p: p.default is not p.empty)
        if self.dots:
            parameters.append(inspect.Parameter("_dots", inspect.Parameter.VAR_POSITIONAL))
            parameters.append(inspect.Parameter("_named_dots", inspect.Parameter.VAR_KEYWORD))
        return inspect.Signature(parameters)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls the R function, in R's thread."""
        if threading.current_thread() is not _main_thread:
            raise RuntimeError(
                "An R function was called from a worker thread. R has one thread only: use it without "
                "num_parallel_calls and prefetch workers, or trace it with tf_function() first."
            )
        if self.required and not args and not kwargs:
            names = ", ".join(f"`{name}`" for name in self.required)
            raise TypeError(
                f"An R function of {names} was called without arguments: losses given to minimize(), branches of "
                f"cond() and the like are functions of none. Write function() and use {names} from around it."
            )
        if kwargs:
            # A keyword that was not given keeps the R function's own default.
            kwargs = {
                k: v for k, v in kwargs.items() if (self.dots or k in self.names) and v is not None
            }
        return _call_r(self.function, *args, **kwargs)

    def __del__(self) -> None:
        _dead.append(self.number)

    def __deepcopy__(self, memo: Any) -> RFunction:
        return self


RFunction.__module__ = "eagercore"


def _strings(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value or [])


def forgotten_functions() -> list[int]:
    """Numbers of R functions that Python no longer holds, each told once."""
    numbers = list(_dead)
    _dead.clear()
    return numbers


# ----------------------------------------------------------------------------------------------------------- errors

#: Engine classes of errors and the word for them in R's condition classes.
KINDS: dict[str, str] = {
    "OutOfRangeError": "out_of_range",
    "NotFoundError": "not_found",
    "AlreadyExistsError": "already_exists",
    "PermissionDeniedError": "permission",
    "ResourceExhaustedError": "memory",
    "FailedPreconditionError": "precondition",
    "UnimplementedError": "unimplemented",
    "InternalError": "internal",
    "DataLossError": "data_loss",
    "MissingExtraError": "missing_package",
    "OperatorNotAllowedInGraphError": "graph",
    "InaccessibleTensorError": "graph",
    "AttributeError": "attribute",
    "KeyError": "key",
    "TypeError": "type",
    "ValueError": "value",
    "IndexError": "index",
    "MemoryError": "memory",
    "NotImplementedError": "unimplemented",
    "FileNotFoundError": "not_found",
    "PermissionError": "permission",
    "OSError": "file",
    "ModuleNotFoundError": "missing_package",
    "ImportError": "missing_package",
    "RuntimeError": "runtime",
}


def describe(error: BaseException) -> dict[str, Any]:
    """What R's condition says of a Python exception: message once, kinds from special to general, op."""
    names = [cls.__name__ for cls in type(error).__mro__]
    kinds = []
    kind = getattr(error, "kind", None)
    if isinstance(kind, str) and not (
        kind == "value" and names[0] in KINDS and KINDS[names[0]] != "value"
    ):
        kinds.append(kind)
    kinds += [KINDS[name] for name in names if name in KINDS]
    message = str(error)
    if isinstance(error, KeyError) and error.args:
        message = f"no such key: {error.args[0]!r}"
    notes = getattr(error, "__notes__", None) or []
    return {
        "message": "\n".join([message or type(error).__name__, *notes]).rstrip(),
        "kind": kinds[0] if kinds else "",
        "kinds": list(dict.fromkeys(kinds)),
        "op": getattr(error, "op", None) if isinstance(getattr(error, "op", None), str) else None,
        "layer": getattr(error, "layer", None)
        if isinstance(getattr(error, "layer", None), str)
        else None,
        "shapes": getattr(error, "shapes", None),
        "dtypes": getattr(error, "dtypes", None),
        "python_class": names[0],
        "python_classes": [
            f"python.{name}" for name in names if name not in ("object", "BaseException")
        ],
        "traceback": "".join(traceback.format_tb(error.__traceback__)),
    }


def argument_name(function: Any, position: int) -> str:
    """Name of the argument at a 0-based position, for messages; empty when it cannot be known."""
    try:
        names = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return ""
    return names[position] if position < len(names) else ""


def nearest_names(x: Any, name: str) -> list[str]:
    """Attributes of x that look like `name`."""
    import difflib

    return difflib.get_close_matches(name, dir(x), n=3, cutoff=0.6)


# ----------------------------------------------------------------------------------------------------------- models


def new_model(name: str | None = None) -> Any:
    """An empty model for R's `keras_model_custom`: R sets its layers, and its `call`."""
    return _model_class()(name=name)


def _model_class() -> Any:
    """The class RModel, made at the first use so that this file does not pull Keras in."""
    found = _found.get("RModel")
    if found is not None:
        return found

    class RModel(tf.keras.Model):
        """A model whose layers and forward pass are R's."""

        def call(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
            raise NotImplementedError(f"Model {self.name} has no forward pass yet.")

    RModel.__module__ = "eagercore"
    RModel.__qualname__ = "RModel"
    _found["RModel"] = RModel
    return RModel


def set_seeds(seed: int) -> None:
    """Seeds NumPy's generator and the engine's, and starts layer names anew."""
    np.random.seed(seed % 2**32)
    tf.random.set_seed(seed)
    tf.keras.backend.reset_uids()


def read_npz(path: str) -> dict[str, Any]:
    """The arrays of an .npz file; bytes become R integers."""
    with np.load(path, allow_pickle=False) as arrays:
        return {
            name: arrays[name].astype(np.int32) if arrays[name].dtype.kind in "iu" else arrays[name]
            for name in arrays
        }


# --------------------------------------------------------------------------------------------------------- iterators


def iterator_of(dataset: Any) -> Any:
    """A new iterator over a dataset."""
    return iter(dataset)


def iterator_next(iterator: Any) -> Any:
    """The next element; OutOfRangeError at the end, the name that scripts know."""
    try:
        return _plain(next(iterator))
    except StopIteration:
        raise errors.OutOfRangeError(
            "End of sequence: the iterator has no more elements.", op="IteratorGetNext"
        ) from None


def iterator_next_or_end(iterator: Any) -> list[Any]:
    """A list of the next element, empty at the end."""
    try:
        return [_plain(next(iterator))]
    except (StopIteration, errors.OutOfRangeError):
        return []


def _plain(element: Any) -> Any:
    """Named tuples and the like as what R turns into lists."""
    if isinstance(element, tuple):
        return tuple(_plain(part) for part in element)
    if isinstance(element, dict):
        return {key: _plain(part) for key, part in element.items()}
    return element


def dataset_from(values: Any, whole: bool) -> Any:
    """A dataset of the slices of `values` (one element when `whole`), whose doubles stay float64 as scripts expect."""
    made = _keep_doubles(values)
    dataset = tf.data.Dataset
    return dataset.from_tensors(made) if whole else dataset.from_tensor_slices(made)


def _keep_doubles(value: Any) -> Any:
    if isinstance(value, np.ndarray) and value.dtype == np.float64:
        return tf.convert_to_tensor(value, tf.float64)
    if isinstance(value, dict):
        return {key: _keep_doubles(part) for key, part in value.items()}
    if isinstance(value, tuple):
        return tuple(_keep_doubles(part) for part in value)
    return value


def component_names(dataset: Any) -> list[str]:
    """Names of the components of a dataset's elements; none when they have none."""
    spec = dataset.element_spec
    return [str(name) for name in spec] if isinstance(spec, dict) else []


def name_components(dataset: Any, names: list[str]) -> Any:
    """The elements of a dataset of tuples with their components by name."""
    return dataset.map(lambda *parts: dict(zip(names, parts, strict=True)))


def decode_records(dataset: Any, names: list[str], defaults: list[Any], delimiter: str) -> Any:
    """Lines of fields as dictionaries of columns; each default gives its column's dtype."""

    def record(line: Any) -> Any:
        return dict(
            zip(names, tf.io.decode_csv(line, defaults, field_delim=delimiter), strict=True)
        )

    return dataset.map(record)


def prepare_records(
    dataset: Any, features: list[str], response: list[str], named: bool, named_features: bool
) -> Any:
    """Dictionaries of columns as features, stacked along a last axis unless they keep their names, and response."""

    def prepared(record: Any) -> Any:
        chosen = {name: record[name] for name in features}
        parts = [chosen if named_features else tf.stack(list(chosen.values()), axis=-1)]
        parts += [record[name] for name in response]
        return dict(zip(("x", "y"), parts, strict=False)) if named else tuple(parts)

    return dataset.map(prepared)


# -------------------------------------------------------------------------------------------------------- situation


def situation() -> dict[str, Any]:
    """What `eagercore_sitrep()` prints of the loaded engine: kernels, threads, devices and what is wrong."""
    from . import backend

    problems: list[str] = []
    report = backend.describe()
    if report["kernels"] == "onednn":
        kernels = f"NumPy, and oneDNN {report['version']} ({report['instruction_set']})"
    else:
        kernels = f"NumPy alone: {report.get('reason')}"
        problems.append(
            f'Fast kernels are off ({report.get("reason")}): install_eagercore(extras = "fast") adds them.'
        )
    try:
        devices = [str(device.name) for device in tf.config.list_physical_devices()]
    except (AttributeError, ImportError, RuntimeError) as error:
        devices = []
        problems.append(f"The list of devices could not be made: {error}")
    return {
        "kernels": kernels,
        "threads": str(report["threads"]),
        "devices": devices or ["/physical_device:CPU:0"],
        "problems": problems,
    }


# ------------------------------------------------------------------------------------------------ what models print


def model_summary(model: Any, width: int) -> str:
    """The table of `model.summary()` as text."""
    lines: list[str] = []
    model.summary(line_length=int(width), print_fn=lines.append)
    return "\n".join(lines)


def model_text(model: Any, width: int) -> str:
    """What `print` shows of a model: its table, or one line as long as it has not been built."""
    kind = type(model).__name__
    if not getattr(model, "built", False) and not getattr(model, "layers", None):
        return f"{'Custom' if kind == 'RModel' else kind} model {model.name}: no layers yet"
    try:
        return model_summary(model, width)
    except ValueError:
        names = ", ".join(layer.name for layer in model.layers)
        return f"{'Custom' if kind == 'RModel' else kind} model {model.name}, not called yet. Layers: {names}"


def new_layer(kind: str, **options: Any) -> Any:
    """A layer whose `build` and `call` are R's: R sets them as `r_build` and `r_call`."""
    layer = _layer_class()(**options, **({} if "name" in options else {"name": _unique_name(kind)}))
    layer._r_kind = kind
    return layer


def _unique_name(kind: str) -> str:
    import re

    plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", kind).lower()
    number = tf.keras.backend.get_uid(plain)
    return plain if number == 1 else f"{plain}_{number - 1}"


def _layer_class() -> Any:
    """The class RLayer, made at the first use."""
    found = _found.get("RLayer")
    if found is not None:
        return found

    class RLayer(tf.keras.layers.Layer):
        """A layer whose work is done by R functions."""

        def build(self, input_shape: Any) -> None:
            self.r_build(input_shape)
            self.built = True

        def call(self, inputs: Any, **kwargs: Any) -> Any:
            return self.r_call(inputs, **kwargs)

    RLayer.__module__ = "eagercore"
    RLayer.__qualname__ = "RLayer"
    _found["RLayer"] = RLayer
    return RLayer


def new_callback(hooks: dict[str, Any], set_context: Any) -> Any:
    """A callback whose hooks are R's; `on_batch_*` answer for training batches too, as they always did."""

    class RCallback(tf.keras.callbacks.Callback):
        def set_model(self, model: Any) -> None:
            super().set_model(model)
            set_context(self.params, model)

    callback = RCallback()
    for name, hook in hooks.items():
        setattr(callback, name, _plain_logs(hook))
        old = name.replace("on_batch_", "on_train_batch_")
        if old != name and old not in hooks:
            setattr(callback, old, _plain_logs(hook))
    return callback


def _plain_logs(hook: Any) -> Callable[..., Any]:
    """Logs as plain numbers, so that R sees a named list of them."""

    def call(*args: Any) -> Any:
        return hook(
            *[{k: float(v) for k, v in a.items()} if isinstance(a, dict) else a for a in args]
        )

    return call


# ----------------------------------------------------------------------------------------------------------- parity


def endpoint_signature(path: str) -> dict[str, Any]:
    """What a verb is held against: whether the endpoint exists, its parameters and their defaults.

    Args:
        path: Dotted path under `tf`, such as "keras.layers.Dense".

    Returns:
        `exists`, `names` (in order), `defaults` (those that R has a value for) and `open`, whether
        it takes keywords that it does not name.
    """
    found = tf
    for part in path.split("."):
        try:
            found = getattr(found, part)
        except (AttributeError, ImportError):
            return {"exists": False, "names": [], "defaults": {}, "open": False}
    # Of `__init__`: early releases of Python 3.11 take a class's own signature from `__new__` where there is one.
    initializes = inspect.isclass(found) and inspect.isfunction(found.__init__)
    try:
        parameters = dict(inspect.signature(found.__init__ if initializes else found).parameters)
    except (TypeError, ValueError):
        return {"exists": True, "names": [], "defaults": {}, "open": True}
    if initializes:
        parameters.pop(next(iter(parameters)))
    plain = (bool, int, float, str, type(None))
    return {
        "exists": True,
        "names": [name for name, p in parameters.items() if p.kind is not p.VAR_KEYWORD],
        "defaults": {
            name: {"value": p.default}
            for name, p in parameters.items()
            if p.default is not p.empty and isinstance(p.default, plain)
        },
        "open": any(p.kind is p.VAR_KEYWORD for p in parameters.values()),
    }


# ------------------------------------------------------------------------------------- control flow of traced R code


class Undefined:
    """Stands for an R variable that has no value yet."""

    def __repr__(self) -> str:
        return "undefined"


Undefined.__module__ = "eagercore"
UNDEFINED = Undefined()


def _from_r(function: Callable[..., Any]) -> Callable[..., Any]:
    return functools.partial(_call_r, function)


def if_statement(
    condition: Any, yes: Any, no: Any, get_state: Any, set_state: Any, names: list[str]
) -> None:
    """R's `if` on a tensor of a graph: see `graph.ag_operators.if_stmt`."""
    from .graph import ag_operators

    yes, no, get_state, set_state = map(_from_r, (yes, no, get_state, set_state))
    ag_operators.if_stmt(condition, yes, no, get_state, set_state, tuple(names), len(names))


def while_statement(test: Any, body: Any, get_state: Any, set_state: Any, names: list[str]) -> None:
    """R's `while` on a tensor of a graph."""
    from .graph import ag_operators

    test, body, get_state, set_state = map(_from_r, (test, body, get_state, set_state))
    ag_operators.while_stmt(test, body, get_state, set_state, tuple(names), {})


def for_statement(values: Any, body: Any, get_state: Any, set_state: Any, names: list[str]) -> None:
    """R's `for` over a dataset, an iterator or the rows of a tensor."""
    from .graph import ag_operators

    if isinstance(values, EagerTensor):
        values = [values[i] for i in range(len(values))]
    body, get_state, set_state = map(_from_r, (body, get_state, set_state))
    ag_operators.for_stmt(values, None, body, get_state, set_state, tuple(names), {})


def release_memory() -> None:
    """Gives memory that was freed back to the system where the C library can (glibc)."""
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return
    trim(0)
