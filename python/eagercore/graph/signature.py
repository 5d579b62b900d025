"""When two calls of a traced function may share a trace: the key of a call, and what is said when keys never repeat.

A tensor counts by dtype and shape, a Python value by its type and value (1, 1.0 and True differ), a structure by its
form, any other object by its identity.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..base import dtypes, nest
from ..base.shapes import TensorShape, TensorSpec
from ..core.slices import IndexedSlices
from ..core.tensor import EagerTensor, SymbolicTensor, Tensor, convert
from ..core.variable import Variable

_PLAIN = frozenset(
    (int, float, bool, str, bytes, complex, type(None), type(Ellipsis), dtypes.DType, TensorShape)
)


class Leaf:
    """Stands for a tensor among the arguments of a trace.

    Attributes:
        spec: What is known of the tensor.
        name: Name of the argument.
    """

    __slots__ = ("spec", "name")

    def __init__(self, spec: TensorSpec, name: str) -> None:
        self.spec = spec
        self.name = name


def add_key(value: Any, key: list[Any], tensors: list[Any]) -> None:
    """Adds one argument to the key of a call, and its tensors to the list of tensors."""
    kind = type(value)
    if kind is EagerTensor:
        array = value._array
        key.append((array.dtype, array.shape))
        tensors.append(value)
    elif kind in _PLAIN:
        key.append((kind, value))
    elif kind is tuple or kind is list:
        key.append((kind, len(value)))
        for item in value:
            add_key(item, key, tensors)
    elif kind is dict or isinstance(value, Mapping):
        names = nest._keys(value)
        key.append((kind, tuple(names)))
        for name in names:
            add_key(value[name], key, tensors)
    else:
        _add_other(value, kind, key, tensors)


def _add_other(value: Any, kind: type, key: list[Any], tensors: list[Any]) -> None:
    if isinstance(value, SymbolicTensor):
        key.append((value._dtype, value._shape))
        tensors.append(value)
    elif isinstance(value, Variable):
        origin = getattr(value, "_origin", value)
        key.append(("variable", id(origin)))
    elif isinstance(value, EagerTensor | np.ndarray | np.generic):
        add_key(
            convert(value) if not isinstance(value, Tensor) else EagerTensor(value._array),
            key,
            tensors,
        )
    elif isinstance(value, IndexedSlices):
        key.append(("slices", value.dense_shape is not None))
        for part in (value.values, value.indices, value.dense_shape):
            add_key(part, key, tensors)
    elif isinstance(value, tuple | list):
        key.append((kind, len(value)))
        for item in value:
            add_key(item, key, tensors)
    elif isinstance(value, TensorSpec):
        key.append((value.dtype, value.shape))
        tensors.append(value)
    else:
        key.append(("object", id(value)))


def with_leaves(value: Any, name: str, relaxed: Any = None) -> tuple[Any, list[Leaf]]:
    """An argument in which each tensor is replaced by a `Leaf`, and the leaves in order."""
    leaves: list[Leaf] = []
    return _mark(value, name, leaves, relaxed), leaves


def _mark(value: Any, name: str, leaves: list[Leaf], relaxed: Any) -> Any:
    if isinstance(value, Variable):
        return value
    if isinstance(value, Tensor | np.ndarray | np.generic | TensorSpec):
        if not isinstance(value, Tensor | TensorSpec):
            value = convert(value)
        own = getattr(value, "name", None) if isinstance(value, TensorSpec) else None
        leaves.append(Leaf(TensorSpec(value.shape, value.dtype), own or name))
        return leaves[-1]
    if isinstance(value, IndexedSlices):
        parts = [_mark(p, f"{name}_{k}", leaves, relaxed) if p is not None else None
                 for k, p in (("values", value.values), ("indices", value.indices), ("shape",
                 value.dense_shape))]  # fmt: skip
        return IndexedSlices(*parts)
    if isinstance(value, tuple | list):
        items = [
            _mark(v, f"{name}_{i}" if len(value) > 1 else name, leaves, relaxed)
            for i, v in enumerate(value)
        ]
        return nest._rebuild(value, items) if isinstance(value, tuple) else items
    if isinstance(value, Mapping):
        keys = nest._keys(value)
        return nest._rebuild(value, [_mark(value[k], str(k), leaves, relaxed) for k in keys])
    return value


def fill(value: Any, made: dict[int, Any]) -> Any:
    """A marked argument with each leaf replaced by the tensor that was made for it."""
    if type(value) is Leaf:
        return made[id(value)]
    if isinstance(value, IndexedSlices):
        return IndexedSlices(
            *(fill(p, made) for p in (value._values, value._indices, value._dense_shape))
        )
    if isinstance(value, tuple | list):
        items = [fill(v, made) for v in value]
        return nest._rebuild(value, items) if isinstance(value, tuple) else items
    if isinstance(value, Mapping):
        return nest._rebuild(value, [fill(value[k], made) for k in nest._keys(value)])
    return value


class Parameters:
    """The parameters of a Python function: binds calls, with defaults, to one order.

    Args:
        function: The function; one without a signature takes whatever it is given.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.name = getattr(function, "__name__", type(function).__name__)
        try:
            self.signature: inspect.Signature | None = inspect.signature(function)
        except (TypeError, ValueError):
            self.signature = None
        names: list[str] = []
        #: Number of positional arguments of a call that needs no binding, or -1.
        self.simple = -1
        self.variable = False
        if self.signature is not None:
            parameters = list(self.signature.parameters.values())
            names = [
                p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
            ]
            only = [
                p for p in parameters if p.kind not in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
            ]
            self.variable = any(p.kind is p.VAR_POSITIONAL for p in parameters)
            if not only:
                self.simple = len(names)
        self.names = names

    def bind(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Positional and named arguments in one form, defaults filled in.

        Raises:
            TypeError: If the call does not fit the function.
        """
        if self.signature is None:
            return args, kwargs
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(
                f"Binding inputs to tf.function failed due to `{error}`. Received args: {args} and "
                f"kwargs: {kwargs} for "
                f"signature: {self.signature} of {self.name}."
            ) from None
        bound.apply_defaults()
        return bound.args, bound.kwargs

    def name_of(self, position: int) -> str:
        """Name of a positional argument."""
        return self.names[position] if position < len(self.names) else f"args_{position}"


def why_again(old: tuple[Any, ...], new: tuple[Any, ...]) -> tuple[str, bool]:
    """In what two keys differ, in words; and whether only shapes differ."""
    if len(old) != len(new):
        return "the arguments have another structure", False
    for one, two in zip(old, new, strict=True):
        if one == two and type(one[0]) is type(two[0]):
            continue
        if isinstance(one[0], np.dtype) and isinstance(two[0], np.dtype):
            if one[0] == two[0]:
                return f"a tensor of shape {list(one[1])} came with shape {list(two[1])}", True
            return f"a tensor of dtype {one[0]} came with dtype {two[0]}", False
        if isinstance(one[0], type) and one[0] in _PLAIN:
            if isinstance(two, tuple) and len(two) < 2:
                return "the arguments have another structure", False
            return (
                f"the Python value {one[1]!r} became "
                f"{two[1] if isinstance(two, tuple) else two!r}: each value of a Python "
                "argument is traced anew; pass a tensor (tf.constant) for what changes from call to call"
            ), False
        if one[0] == "object" or two[0] == "object":
            return "another Python object was passed: objects count by identity", False
        if one[0] == "variable":
            return "another variable was passed", False
        return f"{one[0]} became {two[0]}", False
    return "nothing that can be seen changed", False
