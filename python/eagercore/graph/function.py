"""tf.function: a Python function that is traced into a graph, once for each kind of call.

`Function` keeps the traces, `ConcreteFunction` is one of them. How a trace is run is the business of `execute.py`, how
gradients flow through it that of `call.py`, and calls inside other graphs are copied there by `inline.py`.
"""

from __future__ import annotations

import functools
import inspect
import threading
import warnings
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from ..base import errors, nest
from ..base.context import Context, context
from ..base.shapes import TensorShape, TensorSpec, relax
from ..core.slices import IndexedSlices
from ..core.tensor import EagerTensor, Tensor, convert
from ..core.variable import Variable
from . import autograph as converter
from .build import FuncGraph, building
from .call import Differentiable
from .execute import Program
from .inline import inline
from .signature import Leaf, Parameters, add_key, fill, why_again, with_leaves

MAXIMUM_TRACES = 100
"""Traces that one function keeps; the oldest is forgotten when there are more."""
RELAX_AFTER = 16
"""Shapes of one argument after which a trace for any shape is tried."""
WARN_AFTER = 5
"""New traces within twice as many calls, for another reason than shapes, after which the user is told."""


class RetracingWarning(UserWarning):
    """A traced function is traced again and again: it would be faster without."""


class ConcreteFunction:
    """One trace of a function: a graph with inputs and outputs that can be called with tensors.

    Attributes:
        graph: The graph.
    """

    def __init__(self, graph: FuncGraph, marked: Any = None, jit: bool = False) -> None:
        self.graph = graph
        self._marked = marked
        self._jit = jit
        self._differentiable: Differentiable | None = None
        self.run: Callable[..., Any] = self._first_run
        #: The program itself where it may simply be tried: what fails in it, `run` runs again, and explains.
        self.straight: Callable[..., Any] | None = None
        self.kept: Any = None

    # -------------------------------------------------------------------------------------------------------- calling

    def _first_run(self, *arrays: Any) -> Any:
        if self._jit:
            from .jit import compiled

            self.run = compiled(self.graph)
        else:
            program = Program(
                self.graph, [*self.graph.inputs, *self.graph.captures], self.graph.outputs
            )
            self.run = program.run
            self.straight = program.straight if program.bare else None
        return self.run(*arrays)

    def flat(self, values: list[Any]) -> list[Any]:
        """Results, as a list of tensors, for tensors in the order of the graph's inputs."""
        if context.graph is not None:
            target = context.graph
            return inline(self.graph, [target.take(v) for v in values], target)
        if context.tapes:
            if self._differentiable is None:
                self._differentiable = Differentiable(self.graph, self._jit)
            return self._differentiable(values)
        return [EagerTensor(a) for a in self.run(*[v._array for v in values])]

    def call_packed(self, tensors: list[Any]) -> Any:
        """Results in the form in which the function returned them."""
        if self.graph.captured:
            tensors = [*tensors, *self.graph.captured]
        return self.pack(self.flat(tensors))

    def pack(self, made: list[Any]) -> Any:
        """A list of results in the form in which the function returned them."""
        structure = self.graph.structure
        if structure is None:
            return made
        return structure.pack(made)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls the trace with tensors for its tensor arguments (Python values are those of the trace).

        Raises:
            TypeError: If a tensor does not fit the trace.
        """
        leaves = self._leaves
        if kwargs or len(args) != len(leaves):
            args = self._by_name(args, kwargs)
        tensors = []
        for leaf, value in zip(leaves, args, strict=True):
            tensor = value if isinstance(value, Tensor) else convert(value, leaf.spec.dtype)
            if not leaf.spec.is_compatible_with(tensor):
                raise TypeError(
                    f"ConcreteFunction {self.name}: argument {leaf.name!r} is {leaf.spec}, got a tensor of shape "
                    f"{tensor.shape} and dtype {tensor.dtype.name}."
                )
            tensors.append(tensor)
        return self.call_packed(tensors)

    @property
    def _leaves(self) -> list[Leaf]:
        if self._marked is None:
            return [Leaf(TensorSpec(t.shape, t.dtype), t.name) for t in self.graph.inputs]
        found: list[Leaf] = []
        for marked in self._marked:
            found.extend(leaf for leaf in _flat(marked) if type(leaf) is Leaf)
        return found

    def _by_name(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        leaves = self._leaves
        flat = [
            v
            for v in _flat(list(args))
            if isinstance(v, Tensor | Variable) or not isinstance(v, str | None)
        ]
        if not kwargs and len(flat) == len(leaves):
            return tuple(flat)
        names = [leaf.name for leaf in leaves]
        values = dict(zip(names, flat, strict=False))
        for key, value in kwargs.items():
            if key not in names:
                raise TypeError(
                    f"ConcreteFunction {self.name} has no tensor argument {key!r}: it takes {', '.join(names)}."
                )
            values[key] = value
        missing = [n for n in names if n not in values]
        if missing or len(flat) > len(names):
            raise TypeError(
                f"ConcreteFunction {self.name} takes {len(names)} tensors ({', '.join(names)}), got {len(flat)}"
                + (f"; missing: {', '.join(missing)}." if missing else ".")
            )
        return tuple(values[n] for n in names)

    # -------------------------------------------------------------------------------------------------- looking inside

    @property
    def name(self) -> str:
        """Name of the function."""
        return self.graph.label

    @property
    def inputs(self) -> list[Any]:
        """Symbolic tensors of the arguments."""
        return list(self.graph.inputs)

    @property
    def outputs(self) -> list[Any]:
        """Symbolic tensors of the results."""
        return list(self.graph.outputs)

    @property
    def variables(self) -> tuple[Any, ...]:
        """Variables that it reads or changes."""
        return tuple(self.graph.variables.values())

    @property
    def trainable_variables(self) -> tuple[Any, ...]:
        """Those of its variables that are trainable."""
        return tuple(v for v in self.variables if v.trainable)

    @property
    def captured_inputs(self) -> list[Any]:
        """Variables and eager tensors that it uses from outside."""
        return [*self.variables, *(t for t, _ in self.graph._constants.values())]

    @property
    def structured_input_signature(self) -> tuple[Any, dict[str, Any]]:
        """Specs of the arguments in their structure."""
        if self._marked is None:
            return tuple(leaf.spec for leaf in self._leaves), {}
        args, kwargs = self._marked
        return tuple(_specs(a) for a in args), {k: _specs(v) for k, v in kwargs.items()}

    @property
    def structured_outputs(self) -> Any:
        """Specs of the results in their structure."""
        specs = [TensorSpec(t.shape, t.dtype) for t in self.graph.outputs]
        return self.graph.structure.pack(specs) if self.graph.structure is not None else specs

    @property
    def output_shapes(self) -> Any:
        """Shapes of the results."""
        return nest.map_structure(
            lambda s: s.shape if s is not None else None, self.structured_outputs
        )

    @property
    def output_dtypes(self) -> Any:
        """Dtypes of the results."""
        return nest.map_structure(
            lambda s: s.dtype if s is not None else None, self.structured_outputs
        )

    def pretty_printed_signature(self, verbose: bool = True) -> str:
        """Name, arguments and results as text."""
        args = ", ".join(f"{leaf.name}: {leaf.spec!r}" for leaf in self._leaves)
        return f"{self.name}({args}) -> {self.structured_outputs!r}"

    def as_graph_def(self) -> Any:
        """What is in the graph, node by node."""
        return self.graph.as_graph_def()

    def __str__(self) -> str:
        return f"ConcreteFunction {self.pretty_printed_signature()}"

    def __repr__(self) -> str:
        args = ", ".join(f"{leaf.name}: {leaf.spec!r}" for leaf in self._leaves)
        return f"<ConcreteFunction ({args}) -> {self.structured_outputs!r} at 0x{id(self):X}>"


def _flat(value: Any) -> list[Any]:
    if isinstance(value, IndexedSlices):
        return [p for p in (value._values, value._indices, value._dense_shape) if p is not None]
    if nest.is_nested(value):
        return [
            leaf
            for item in nest.flatten(value)
            for leaf in (_flat(item) if isinstance(item, IndexedSlices) else [item])
        ]
    return [value]


def _specs(marked: Any) -> Any:
    return nest.map_structure(lambda v: v.spec if type(v) is Leaf else v, marked)


class Structure:
    """The form in which a function returned its results.

    Args:
        value: What it returned.
        graph: The graph; tensors become its outputs.
    """

    def __init__(self, value: Any, graph: FuncGraph) -> None:
        self.single = False
        self.parts: list[Any] = []
        self.template = value
        outputs: list[Any] = []
        leaves = nest.flatten(value)
        for leaf in leaves:
            self.parts.append(self._part(leaf, outputs, graph))
        graph.outputs = outputs
        self.single = not nest.is_nested(value) and self.parts[0] == "tensor"

    def _part(self, leaf: Any, outputs: list[Any], graph: FuncGraph) -> Any:
        if leaf is None:
            return None
        if isinstance(leaf, IndexedSlices):
            parts = [
                leaf.values,
                leaf.indices,
                *([leaf.dense_shape] if leaf.dense_shape is not None else []),
            ]
            outputs.extend(graph.take(convert(p)) for p in parts)
            return len(parts)
        as_tensors = getattr(leaf, "_for_return", None)
        if as_tensors is not None:
            tensors, again = as_tensors()
            outputs.extend(graph.take(convert(t)) for t in tensors)
            return len(tensors), again
        if not isinstance(leaf, Tensor | Variable) and not _convertible(leaf):
            raise TypeError(
                f"{graph.label}: to be compatible with tf.function, Python functions must return zero or more Tensors "
                f"or structures of them; got {leaf!r} of type {type(leaf).__name__}."
            )
        outputs.append(graph.take(convert(leaf)))
        return "tensor"

    def pack(self, made: list[Any]) -> Any:
        """Results in that form."""
        if self.single:
            return made[0]
        source = iter(made)
        leaves = []
        for part in self.parts:
            if part is None:
                leaves.append(None)
            elif part == "tensor":
                leaves.append(next(source))
            elif isinstance(part, tuple):
                leaves.append(part[1]([next(source) for _ in range(part[0])]))
            else:
                leaves.append(IndexedSlices(*[next(source) for _ in range(part)]))
        return nest.pack_sequence_as(self.template, leaves)

    def forget(self) -> None:
        """Lets go of the values: only their form is needed."""
        self.template = nest.map_structure(lambda _: None, self.template)


def _convertible(leaf: Any) -> bool:
    import numpy as np

    return isinstance(leaf, int | float | bool | complex | str | bytes | np.ndarray | np.generic)


class Function:
    """A Python function that is traced into graphs.

    It is called like the function. The first call with tensors of new dtypes or shapes, or with other Python values,
    runs the Python code once to see which ops it calls; every later call of that kind runs the graph alone.

    Args:
        python_function: The function.
        input_signature: Nested sequence of `tf.TensorSpec`: then there is one trace, and other tensors are refused.
        autograph: Whether Python's `if`, `while`, `for` on tensors become part of the graph (needs
            the extra `autograph`).
        jit_compile: Whether graphs are compiled with XLA (needs the extra `xla`).
        reduce_retracing: Whether a second shape leads to a trace for any shape.
        name: Name, default the function's.
    """

    def __init__(
        self,
        python_function: Callable[..., Any],
        input_signature: Any = None,
        autograph: bool = True,
        jit_compile: bool | None = None,
        reduce_retracing: bool = False,
        name: str | None = None,
    ) -> None:
        self._python_function = python_function
        self._autograph = autograph
        self._unconvertible = False
        self._jit = bool(jit_compile)
        self._relax = bool(reduce_retracing)
        self._name = name or getattr(python_function, "__name__", type(python_function).__name__)
        self.parameters = Parameters(python_function)
        self.input_signature = None if input_signature is None else tuple(input_signature)
        self._traces: dict[Any, ConcreteFunction] = {}
        self._general: dict[Any, list[tuple[list[TensorShape], ConcreteFunction]]] = {}
        self._rigid: set[Any] = set()
        self._kinds: dict[Any, int] = {}
        self._count = 0
        self._calls = 0
        self._recent: list[int] = []
        self._told = False
        #: Dtypes and shapes of the latest call that had tensors alone, and its trace.
        self._last: Any = None
        self._lock = threading.RLock()
        self._bound: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()
        self._bound_by_id: dict[int, Any] = {}
        functools.update_wrapper(self, python_function, updated=())
        if self.input_signature is not None:
            self._check_signature()

    def _check_signature(self) -> None:
        signature = self.input_signature or ()
        for leaf in nest.flatten(signature):
            if not isinstance(leaf, TensorSpec) and not hasattr(leaf, "shape"):
                raise TypeError(
                    f"input_signature must be a possibly nested sequence of TensorSpec objects, got {leaf!r} "
                    f"(function {self._name})."
                )
        if self.parameters.signature is not None and not self.parameters.variable:
            most = len([n for n in self.parameters.names if n != "self"])
            if len(signature) > most:
                raise TypeError(
                    f"When input_signature is provided, only pass arguments covered by it: {self._name} takes {most} "
                    f"argument(s), input_signature has {len(signature)}."
                )

    # -------------------------------------------------------------------------------------------------------- calling

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the trace that fits the arguments, tracing first where there is none."""
        if context.functions_eagerly:
            return self._python_function(*args, **kwargs)
        last = self._last
        if last is not None and not kwargs and context.graph is None and not context.tapes:
            # Most calls are like the one before: tensors alone, of the same dtypes and shapes.
            kinds, concrete = last
            if len(args) == len(kinds):
                arrays = []
                for value, (dtype, shape) in zip(args, kinds):
                    if type(value) is not EagerTensor:
                        break
                    array = value._array
                    if array.dtype is not dtype or array.shape != shape:
                        break
                    arrays.append(array)
                else:
                    self._calls += 1
                    try:
                        made = (concrete.straight or concrete.run)(*arrays)
                    except Exception:
                        if concrete.straight is None:
                            raise
                        made = concrete.run(*arrays)
                    structure = concrete.graph.structure
                    if structure.single:
                        return EagerTensor(made[0])
                    return structure.pack([EagerTensor(a) for a in made])
        return self._call(args, kwargs)

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if self._unconvertible and context.graph is None:
            return self._run_as_it_is(args, kwargs)
        if kwargs or len(args) != self.parameters.simple or self.input_signature is not None:
            args, kwargs = self._canonical(args, kwargs)
        key: list[Any] = []
        tensors: list[Any] = []
        for value in args:
            if type(value) is EagerTensor:
                array = value._array
                key.append((array.dtype, array.shape))
                tensors.append(value)
            else:
                add_key(value, key, tensors)
        if kwargs:
            key.append(tuple(kwargs))
            for value in kwargs.values():
                add_key(value, key, tensors)
        final = tuple(key)
        self._calls += 1
        concrete = self._traces.get(final)
        if concrete is None:
            try:
                concrete = self._find(final, args, kwargs)
            except TypeError:
                # A tensor was asked for its value: bool(t), int(t), len(t), iteration.
                if context.graph is not None or not self._may_run_as_it_is():
                    raise
                return self._run_as_it_is(args, kwargs)
        if context.graph is None and not context.tapes and not concrete.graph.captured:
            made = concrete.run(*[t._array for t in tensors])
            if len(tensors) == len(args) and not kwargs and self.input_signature is None:
                self._last = (
                    (final, concrete) if all(type(a) is EagerTensor for a in args) else None
                )
            structure: Any = concrete.graph.structure
            if structure.single:
                return EagerTensor(made[0])
            return structure.pack([EagerTensor(a) for a in made])
        return concrete.call_packed(tensors)

    def _may_run_as_it_is(self) -> bool:
        """Whether control flow was not converted because there is no source to convert (a shell, `exec`)."""
        if (
            not self._autograph
            or converter.load() is None
            or converter.has_source(self._python_function)
        ):
            return False
        self._unconvertible = True
        warnings.warn(
            f"{self._name} decides by the values of tensors, and its source cannot be read (it was "
            f"typed into a shell or made "
            "by exec), so that AutoGraph cannot convert it: it runs as plain Python, at once, from "
            "here on. Put it into a "
            "file, or use tf.cond and tf.while_loop, to have it traced.",
            stacklevel=3,
        )
        return True

    def _run_as_it_is(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        tensors = [convert(a) if isinstance(a, np.ndarray) else a for a in args]
        value = self._python_function(*tensors, **kwargs)
        return nest.map_structure(lambda leaf: None if leaf is None else convert(leaf), value)

    def _canonical(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        args, kwargs = self.parameters.bind(args, kwargs)
        if self.input_signature is None:
            return args, kwargs
        covered = args[: len(self.input_signature)]
        rest = args[len(self.input_signature) :]
        return (*self._fitted(covered), *rest), kwargs

    def _fitted(self, args: tuple[Any, ...]) -> list[Any]:
        made = []
        for position, (value, spec) in enumerate(
            zip(args, self.input_signature or (), strict=False)
        ):
            name = self.parameters.name_of(position)
            made.append(_fit(value, spec, name, args, self))
        if len(args) < len(self.input_signature or ()):
            raise TypeError(
                f"Binding inputs to tf.function failed due to missing arguments. Received args: {args} for signature: "
                f"{self.input_signature}."
            )
        return made

    # -------------------------------------------------------------------------------------------------------- tracing

    def _find(self, key: Any, args: Any, kwargs: Any) -> ConcreteFunction:
        with self._lock:
            concrete = self._traces.get(key)
            if concrete is not None:
                return concrete
            if self.input_signature is not None:
                covered = len(self.input_signature)
                general = ("signature", *_keys_of(args[covered:], kwargs))
                known = self._traces.get(general)
                if known is None:
                    marked = self._marked((*self.input_signature, *args[covered:]), kwargs)
                    known = self._trace(general, marked, (args[covered:], kwargs))
                self._traces[key] = known
                return known
            skeleton, shapes = _skeleton(key)
            found = self._among_general(skeleton, shapes)
            if found is not None:
                self._remember(key, found)
                return found
            relaxed = self._relaxed(skeleton, shapes)
            if relaxed is not None:
                try:
                    return self._trace_general(key, skeleton, relaxed, args, kwargs)
                except Exception:
                    # The Python code needs to know the shape: from here on each one is traced.
                    self._rigid.add(skeleton)
            self._tell(key)
            self._kinds.setdefault(skeleton, 0)
            self._kinds[skeleton] += 1
            return self._trace(key, self._marked(args, kwargs), (args, kwargs))

    def _among_general(self, skeleton: Any, shapes: list[Any]) -> ConcreteFunction | None:
        for wide, concrete in self._general.get(skeleton, ()):
            if all(
                w.is_compatible_with(s) and _covers(w, s) for w, s in zip(wide, shapes, strict=True)
            ):
                return concrete
        return None

    def _relaxed(self, skeleton: Any, shapes: list[Any]) -> list[TensorShape] | None:
        seen = self._kinds.get(skeleton, 0)
        if not seen or skeleton in self._rigid or not (self._relax or seen >= RELAX_AFTER):
            return None
        wide = [TensorShape(s) for s in shapes]
        for key in self._traces:
            other, their = _skeleton(key)
            if other == skeleton:
                wide = [relax(w, TensorShape(s)) for w, s in zip(wide, their, strict=True)]
        return wide if any(not w.is_fully_defined() for w in wide) else None

    def _trace_general(
        self, key: Any, skeleton: Any, wide: list[TensorShape], args: Any, kwargs: Any
    ) -> ConcreteFunction:
        marked = self._marked(args, kwargs)
        leaves = [
            leaf for part in (marked[0], list(marked[1].values())) for leaf in _leaves_of(part)
        ]
        for leaf, shape in zip(leaves, wide, strict=True):
            leaf.spec = TensorSpec(shape, leaf.spec.dtype)
        concrete = self._trace(key, marked, (args, kwargs))
        self._general.setdefault(skeleton, []).append((wide, concrete))
        return concrete

    def _marked(self, args: Any, kwargs: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
        named = [with_leaves(v, self.parameters.name_of(i))[0] for i, v in enumerate(args)]
        return tuple(named), {k: with_leaves(v, k)[0] for k, v in kwargs.items()}

    def _remember(self, key: Any, concrete: ConcreteFunction) -> None:
        if concrete.graph.captured:
            return
        while len(self._traces) >= MAXIMUM_TRACES:
            del self._traces[next(iter(self._traces))]
        self._traces[key] = concrete

    def _trace(self, key: Any, marked: Any, kept: Any) -> ConcreteFunction:
        graph = self._trace_once(marked, may_create=True)
        if graph.created:
            # Variables were made on the way. A second trace must find them there and make none.
            graph = self._trace_once(marked, may_create=False)
        concrete = ConcreteFunction(graph, marked, self._jit)
        # Objects count by identity: they must live as long as the trace does.
        concrete.kept = kept
        self._remember(key, concrete)
        self._count += 1
        return concrete

    def _trace_once(self, marked: Any, may_create: bool) -> FuncGraph:
        outer = context.graph
        graph = FuncGraph(self._name, outer)
        graph.may_create_variables = may_create
        graph.autograph = self._autograph
        function = converter.converted(self._python_function, self._autograph)
        scopes, context.name_scopes = context.name_scopes, ()
        try:
            with building(graph):
                made: dict[int, Any] = {}
                for part in (*marked[0], *marked[1].values()):
                    for leaf in _leaves_of(part):
                        made[id(leaf)] = graph.add_input(leaf.spec, leaf.name)
                args = [fill(v, made) for v in marked[0]]
                kwargs = {k: fill(v, made) for k, v in marked[1].items()}
                with converter.status(self._autograph):
                    value = function(*args, **kwargs)
                structure = Structure(converter.plain_result(value), graph)
        finally:
            context.name_scopes = scopes
        structure.forget()
        graph.structure = structure
        graph._group = graph._pending = None
        return graph

    def _tell(self, key: Any) -> None:
        """Says why the function is traced again, when it happens too often."""
        if self._told or not self._traces:
            return
        reason, only_shapes = min(
            (why_again(old, key) for old in reversed(list(self._traces))),
            key=lambda r: r[0].startswith("the arguments"),
        )
        if only_shapes:
            return
        self._recent = [c for c in self._recent if c > self._calls - 2 * WARN_AFTER] + [self._calls]
        if len(self._recent) < WARN_AFTER:
            return
        self._told = True
        warnings.warn(
            f"{len(self._recent)} of the last {min(self._calls, 2 * WARN_AFTER)} calls to "
            f"{self._name} led to a new trace, "
            f"which costs far more than running one. This time: {reason}. (Told once for each function.)",
            RetracingWarning,
            stacklevel=5,
        )

    # ---------------------------------------------------------------------------------------------------- other doors

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The trace for these arguments (tensors, or `tf.TensorSpec`s in their place), traced if need be."""
        if self.input_signature is not None and not args and not kwargs:
            args = self.input_signature
        if self.input_signature is not None or kwargs or len(args) != self.parameters.simple:
            args, kwargs = self.parameters.bind(args, kwargs)
        key = _keys_of(args, kwargs)
        if self.input_signature is not None:
            with self._lock:
                return self._find(key, args, kwargs)
        concrete = self._traces.get(key)
        if concrete is None:
            with self._lock:
                concrete = self._trace(key, self._marked(args, kwargs), (args, kwargs))
        return concrete

    @property
    def python_function(self) -> Callable[..., Any]:
        """The Python function itself."""
        return self._python_function

    @property
    def graph(self) -> FuncGraph:
        """The graph of the latest trace.

        Raises:
            ValueError: If the function was not traced yet.
        """
        if not self._traces:
            raise ValueError(
                f"{self._name} was not traced yet: call it first, or use get_concrete_function(...).graph."
            )
        return self._traces[next(reversed(self._traces))].graph

    @property
    def function_spec(self) -> Parameters:
        """What is known of the parameters."""
        return self.parameters

    @property
    def name(self) -> str:
        """Name of the function."""
        return self._name

    def experimental_get_tracing_count(self) -> int:
        """How often the Python function was traced."""
        return self._count

    def pretty_printed_concrete_signatures(self, verbose: bool = True) -> str:
        """The signatures of all traces, one a line."""
        unique = {id(c): c for c in self._traces.values()}
        return "\n".join(c.pretty_printed_signature() for c in unique.values())

    def experimental_get_compiler_ir(self, *args: Any, **kwargs: Any) -> Callable[..., str]:
        """A function `(stage="hlo")` that gives the compiler's text for these arguments (needs the extra `xla`)."""
        from .jit import compiler_text

        concrete = self.get_concrete_function(*args, **kwargs)
        return lambda stage="hlo", **_: compiler_text(concrete.graph)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        try:
            bound = self._bound.get(instance)
        except TypeError:
            bound = self._bound_by_id.get(id(instance))
            if bound is not None and bound[0]() is not instance:
                bound = None
            bound = bound[1] if bound is not None else None
        if bound is None:
            bound = self._bind_to(instance, owner)
        return bound

    def _bind_to(self, instance: Any, owner: Any) -> Any:
        weak = _weak(instance)
        bound = type(self)(
            _Method(self._python_function, weak),
            self.input_signature,
            self._autograph,
            self._jit,
            self._relax,
            self._name,
        )
        try:
            self._bound[instance] = bound
        except TypeError:
            self._bound_by_id[id(instance)] = (weak, bound)
            if isinstance(weak, weakref.ref):
                weakref.finalize(instance, self._bound_by_id.pop, id(instance), None)
        return bound

    def __repr__(self) -> str:
        return f"<{type(self).__module__}.{type(self).__qualname__} object at {id(self):#x}>"


Function.__module__ = ConcreteFunction.__module__ = "eagercore"


class _Method:
    """A method of an object that is held weakly: the object owns its traces, not the other way round."""

    def __init__(self, function: Callable[..., Any], weak: Any) -> None:
        self._function = function
        self._weak = weak
        functools.update_wrapper(self, function)
        signature = inspect.signature(function)
        self.__signature__ = signature.replace(parameters=list(signature.parameters.values())[1:])

    @property
    def bound(self) -> Any:
        """The bound method."""
        instance = self._weak()
        if instance is None:
            raise ReferenceError(
                f"The object whose method {self._function.__name__} this is has gone."
            )
        return self._function.__get__(instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.bound(*args, **kwargs)


def _weak(instance: Any) -> Any:
    try:
        return weakref.ref(instance)
    except TypeError:
        return lambda: instance


def _keys_of(args: Any, kwargs: Any) -> tuple[Any, ...]:
    key: list[Any] = []
    tensors: list[Any] = []
    for value in args:
        add_key(value, key, tensors)
    if kwargs:
        key.append(tuple(kwargs))
        for value in kwargs.values():
            add_key(value, key, tensors)
    return tuple(key)


def _leaves_of(value: Any) -> list[Leaf]:
    return [leaf for leaf in _flat(value) if type(leaf) is Leaf]


def _skeleton(key: Any) -> tuple[Any, list[Any]]:
    """A key without its shapes (but with the ranks), and the shapes."""
    import numpy as np

    parts, shapes = [], []
    for part in key:
        if isinstance(part, tuple) and len(part) == 2 and isinstance(part[0], np.dtype):
            parts.append((part[0], len(part[1])))
            shapes.append(part[1])
        else:
            parts.append(part)
    return tuple(parts), shapes


def _covers(wide: TensorShape, shape: Any) -> bool:
    """Whether a wide shape says nothing that `shape` does not bear out."""
    return wide.rank is None or all(w is None or w == s for w, s in zip(wide, shape, strict=True))


def _fit(value: Any, spec: Any, name: str, args: Any, function: Function) -> Any:
    """An argument held to its spec in the signature."""
    if nest.is_nested(spec) and not isinstance(spec, TensorSpec):
        if isinstance(spec, dict):
            return {k: _fit(value[k], s, f"{name}[{k!r}]", args, function) for k, s in spec.items()}
        made = [
            _fit(v, s, f"{name}[{i}]", args, function)
            for i, (v, s) in enumerate(zip(value, spec, strict=True))
        ]
        return type(spec)(made)
    if isinstance(value, TensorSpec):
        tensor: Any = value
    else:
        try:
            tensor = (
                convert(value)
                if isinstance(value, Tensor | Variable)
                else convert(value, spec.dtype)
            )
        except (TypeError, ValueError) as error:
            raise TypeError(_no_fit(value, spec, name, args, function)) from error
    if not spec.is_compatible_with(tensor):
        raise TypeError(_no_fit(tensor, spec, name, args, function))
    return tensor


def _no_fit(value: Any, spec: Any, name: str, args: Any, function: Function) -> str:
    got = (
        TensorSpec(value.shape, value.dtype)
        if hasattr(value, "shape") and hasattr(value, "dtype")
        else repr(value)
    )
    return (
        f"Binding inputs to tf.function failed due to `Can not cast {got} to {spec}` (argument {name!r} of "
        f"{function.name}). Received args: {args} for signature: {function.input_signature}. "
        "Python inputs incompatible with input_signature."
    )


def function(
    func: Callable[..., Any] | None = None,
    input_signature: Any = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    experimental_implements: Any = None,
    experimental_autograph_options: Any = None,
    experimental_attributes: Any = None,
    experimental_relax_shapes: bool | None = None,
    experimental_compile: bool | None = None,
    experimental_follow_type_hints: bool | None = None,
    name: str | None = None,
) -> Any:
    """Makes a function of Python code run as a graph (also a decorator).

    Args:
        func: The function; without it a decorator is returned.
        input_signature: Sequence of `tf.TensorSpec`, one for each argument: then there is one trace only.
        autograph: Whether Python's `if`, `while` and `for` on tensors become part of the graph. Default True.
        jit_compile: Whether graphs are compiled with XLA (needs the extra `xla`).
        reduce_retracing: Whether a second shape of an argument leads to a trace for any shape. Default False.
        experimental_implements: Accepted for TensorFlow's sake.
        experimental_autograph_options: Accepted for TensorFlow's sake.
        experimental_attributes: Accepted for TensorFlow's sake.
        experimental_relax_shapes: Older name of `reduce_retracing`.
        experimental_compile: Older name of `jit_compile`.
        experimental_follow_type_hints: Accepted for TensorFlow's sake.
        name: Name, default the function's.

    Returns:
        A callable like `func`. Arguments that are tensors (or NumPy arrays) count by dtype and shape, Python values by
        their value and type: each new kind of call is traced.

    Raises:
        ValueError: If variables are created in a later call than the first.

    >>> @function
    ... def double(x):
    ...     return x + x
    >>> double(convert(2.0)).numpy()
    np.float32(4.0)
    """
    if experimental_relax_shapes is not None:
        reduce_retracing = experimental_relax_shapes
    if experimental_compile is not None:
        jit_compile = experimental_compile
    if func is not None and not callable(func):
        raise TypeError(f"tf.function takes a callable, got {func!r}.")

    def decorate(inner: Callable[..., Any]) -> Function:
        if isinstance(inner, Function):
            inner = inner.python_function
        return Function(inner, input_signature, autograph, jit_compile, reduce_retracing, name)

    return decorate if func is None else decorate(func)


def trace_callable(fn: Callable[..., Any], autograph: bool = False, **options: Any) -> Function:
    """A traced function of any callable, such as a closure of another language: nothing of its source is needed.

    Args:
        fn: The callable; its tensor arguments arrive as symbolic tensors.
        autograph: Whether Python's control flow is converted. Default False.
        options: Further arguments of `tf.function`.
    """
    return Function(fn, autograph=autograph, **options)


def run_functions_eagerly(run_eagerly: bool) -> None:
    """Whether functions made by `tf.function` run as plain Python, without any graph: for debugging.

    Args:
        run_eagerly: True or False, for the whole process.
    """
    Context.functions_eagerly = bool(run_eagerly)


def functions_run_eagerly() -> bool:
    """Whether functions made by `tf.function` run as plain Python."""
    return bool(context.functions_eagerly)


__all__ = [
    "ConcreteFunction", "Function", "RetracingWarning", "errors", "function", "functions_run_eagerly",
    "run_functions_eagerly", "trace_callable",
]  # fmt: skip
