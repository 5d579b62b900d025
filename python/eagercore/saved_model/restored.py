"""What a saved model is after loading: objects with variables and functions, without the code that made them."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..base import nest
from ..base.shapes import TensorSpec
from ..core.module import AutoTrackable
from ..core.slices import IndexedSlices
from ..core.tensor import Tensor, convert
from ..core.variable import Variable
from ..graph.function import ConcreteFunction
from ..graph.signature import Leaf, add_key
from ..ops.create import cast


class LoadedFunction:
    """A function of a saved model: it has the traces that were saved, and makes no new ones.

    Attributes:
        name: Name.
        traces: The traces.
        lost: Why others were not saved, or "".
    """

    def __init__(
        self, name: str, signature: inspect.Signature | None, traces: list[ConcreteFunction], lost: str = "",
        casts: bool = False,
    ) -> None:  # fmt: skip
        self.name = self.__name__ = name
        self.traces = traces
        self.lost = lost
        #: Whether numbers of another dtype are cast, as a model casts its inputs.
        self.casts = casts
        self._signature = signature
        self._known: dict[Any, ConcreteFunction] = {}

    @property
    def concrete_functions(self) -> list[ConcreteFunction]:
        """The traces."""
        return list(self.traces)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the trace that fits the arguments.

        Raises:
            ValueError: If none does.
        """
        args, kwargs = self._bound(args, kwargs)
        key: list[Any] = []
        for value in (*args, *kwargs.items()):
            add_key(value, key, [])
        found = self._known.get(tuple(key))
        if found is None:
            found = self._find(args, kwargs)
            if not any(part[0] == "object" for part in key if isinstance(part, tuple) and part):
                self._known[tuple(key)] = found
        marked_args, marked_kwargs = found._marked
        tensors: list[Any] = []
        for marked, value in [
            *zip(marked_args, args, strict=True),
            *((marked_kwargs[k], kwargs[k]) for k in marked_kwargs),
        ]:
            _fits(marked, value, tensors, self.casts)
        return found.call_packed(tensors)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The trace that fits the arguments (tensors or `tf.TensorSpec`s); without arguments the only one.

        Raises:
            ValueError: If none does.
        """
        if not args and not kwargs and len(self.traces) == 1:
            return self.traces[0]
        return self._find(*self._bound(args, kwargs))

    def _bound(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        if self._signature is None:
            return args, kwargs
        try:
            bound = self._signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{self.name}: {error}; it takes {self._signature}.") from None
        bound.apply_defaults()
        return bound.args, bound.kwargs

    def _find(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> ConcreteFunction:
        for casts in (False, True) if self.casts else (False,):
            for concrete in self.traces:
                marked_args, marked_kwargs = concrete._marked
                if len(marked_args) != len(args) or set(marked_kwargs) != set(kwargs):
                    continue
                pairs = [
                    *zip(marked_args, args, strict=True),
                    *((marked_kwargs[k], kwargs[k]) for k in marked_kwargs),
                ]
                if all(_fits(marked, value, [], casts) for marked, value in pairs):
                    return concrete
        raise ValueError(self._none_fits(args, kwargs))

    def _none_fits(self, args: Any, kwargs: Any) -> str:
        if not self.traces and self.lost:
            return f"{self.name} has no trace: those that there were had arguments that are no tensors ({self.lost})."
        if not self.traces:
            return (
                f"{self.name} was never traced before it was saved, and its Python code was not: give it an "
                "input_signature, call it, or use get_concrete_function, and save again."
            )
        options = "\n".join(
            f"  args {a}, kwargs {k}"
            for a, k in (c.structured_input_signature for c in self.traces)
        )
        return (
            f"Could not find matching concrete function to call loaded from the SavedModel. Got: args {args}, kwargs "
            f"{kwargs}. Expected: these arguments to match one of the following {len(self.traces)} "
            f"option(s):\n{options}"
        )

    def __repr__(self) -> str:
        return f"<LoadedFunction {self.name} with {len(self.traces)} trace(s)>"


def _fits(marked: Any, value: Any, tensors: list[Any], casts: bool = False) -> bool:
    """Whether an argument fits the one of a trace; adds its tensors to `tensors`."""
    if type(marked) is Leaf:
        return _fits_tensor(marked, value, tensors, casts)
    if isinstance(marked, Variable):
        return value is marked
    if isinstance(marked, IndexedSlices):
        parts = [
            (m._values, m._indices, m._dense_shape)
            for m in (marked, value)
            if isinstance(m, IndexedSlices)
        ]
        return len(parts) == 2 and all(
            _fits(m, v, tensors, casts) for m, v in zip(*parts, strict=True)
        )
    if isinstance(marked, list | tuple):
        same = isinstance(value, list | tuple) and len(value) == len(marked)
        return same and all(_fits(m, v, tensors, casts) for m, v in zip(marked, value, strict=True))
    if isinstance(marked, Mapping):
        keys = nest._keys(marked)
        same = isinstance(value, Mapping) and nest._keys(value) == keys
        return same and all(_fits(marked[k], value[k], tensors, casts) for k in keys)
    return type(value) is type(marked) and bool(value == marked)


def _fits_tensor(leaf: Leaf, value: Any, tensors: list[Any], casts: bool) -> bool:
    if isinstance(value, TensorSpec):
        return leaf.spec.is_compatible_with(value)
    if value is None:
        return False
    if not isinstance(value, Tensor | Variable | np.ndarray):
        try:
            value = convert(value, leaf.spec.dtype)
        except (TypeError, ValueError):
            return False
    tensor = convert(value)
    if casts and tensor.dtype.kind in "fiub" and leaf.spec.dtype.kind in "fiu":
        tensor = cast(tensor, leaf.spec.dtype)
    if not leaf.spec.is_compatible_with(tensor):
        return False
    tensors.append(tensor)
    return True


class Signature(ConcreteFunction):
    """A function of named tensors: it takes them by name and gives a dictionary."""

    def __init__(self, graph: Any, leaves: list[Leaf], outputs: list[str]) -> None:
        super().__init__(graph, ((), {leaf.name: leaf for leaf in leaves}))
        self._names = outputs

    def pack(self, made: list[Any]) -> dict[str, Any]:
        """The results by their names."""
        return dict(zip(self._names, made, strict=True))

    @property
    def structured_outputs(self) -> dict[str, Any]:
        """Specs of the results by their names."""
        return self.pack(
            [
                TensorSpec(t.shape, t.dtype, n)
                for t, n in zip(self.graph.outputs, self._names, strict=True)
            ]
        )


class Signatures(Mapping[str, Signature]):
    """The functions of named tensors of a saved model, by their names."""

    def __init__(self, made: dict[str, Signature]) -> None:
        self._made = made

    def __getitem__(self, name: str) -> Signature:
        return self._made[name]

    def __iter__(self) -> Any:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)

    def __repr__(self) -> str:
        return f"_SignatureMap({self._made!r})"


class Loaded(AutoTrackable):
    """An object of a saved model: its attributes are variables, functions and other such objects."""

    signatures: Signatures = Signatures({})
    _class_name = ""
    _all: tuple[Any, ...] = ()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs what the object did when it was called.

        Raises:
            TypeError: If it could not be called.
        """
        function = self.__dict__.get("__call__")
        if function is None:
            raise TypeError(
                f"The loaded {self._class_name} cannot be called: its class had no traced __call__. Its functions: "
                f"{', '.join(sorted(k for k, v in vars(self).items() if isinstance(v, LoadedFunction))) or 'none'}."
            )
        return function(*args, **kwargs)

    @property
    def variables(self) -> tuple[Any, ...]:
        """Every variable below this object, each once."""
        found: dict[int, Any] = {}
        _gather(self, found, set())
        return tuple(found.values())

    @property
    def trainable_variables(self) -> tuple[Any, ...]:
        """Those that are trainable."""
        return tuple(v for v in self.variables if v.trainable)

    def __repr__(self) -> str:
        return f"<Loaded {self._class_name} with {', '.join(sorted(vars(self))) or 'nothing'}>"


def _gather(value: Any, found: dict[int, Any], seen: set[int]) -> None:
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, Variable):
        found[id(value)] = value
    elif isinstance(value, Loaded):
        for child in vars(value).values():
            _gather(child, found, seen)
    elif isinstance(value, LoadedFunction):
        for concrete in value.traces:
            for variable in concrete.variables:
                found[id(variable)] = variable
    elif isinstance(value, Mapping):
        for child in value.values():
            _gather(child, found, seen)
    elif isinstance(value, list | tuple):
        for child in value:
            _gather(child, found, seen)


for _cls in (LoadedFunction, Signature, Loaded):
    _cls.__module__ = "eagercore"
