"""tf.saved_model.save: functions with their variables in a directory, from which they run without their source."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from ..base import errors, nest
from ..core.array_files import write_safetensors, write_whole
from ..core.module import is_trackable
from ..core.tensor import EagerTensor
from ..core.variable import Variable
from ..graph.function import ConcreteFunction, Function
from ..graph.model_trace import input_specs, model_function, takes_training
from ..version import __version__
from .arrays import Store
from .graphs import GraphWriter
from .values import Encoder, Unsavable, shape_to_json

FILE = "saved_model.json"
VERSION = 1
DEFAULT = "serving_default"
_OPTIMIZER = "apply_gradients"


def save(obj: Any, export_dir: Any, signatures: Any = None, options: Any = None) -> None:
    """Saves an object's traced functions and variables in a directory.

    What is saved can be loaded and called without the Python or R code that made it. Files hold JSON and
    arrays, no code.

    Args:
        obj: `tf.Module`, Keras model or any object with variables and `tf.function`s as attributes; also a
            `tf.function` itself. Of each function the traces that exist are saved: call it, give it an
            input_signature, or use get_concrete_function before.
        export_dir: Directory; made if it is not there. A saved model in it is replaced.
        signatures: A `tf.function` with one trace, a trace, or a dictionary name -> these: functions that take and give
            named tensors. Default for a model its inference, for an object with one function and one trace that one.
        options: Accepted for TensorFlow's sake.

    Raises:
        ValueError: If `obj` holds nothing that can be saved.
        UnimplementedError: If a function does what only a Python process can do; names the operation and its line.
    """
    if context_is_graph():
        raise RuntimeError(
            "tf.saved_model.save is not supported inside a tf.function or a tf.Graph: call it eagerly."
        )
    if not is_trackable(obj) and not isinstance(obj, Function | ConcreteFunction):
        raise ValueError(
            f"Expected an object that holds variables or functions, such as tf.Module or a Keras model, for export. "
            f"Got {obj!r} of type {type(obj).__name__}."
        )
    writer = Writer()
    root = writer.object(obj)
    found = signatures if signatures is not None else _default_signatures(obj, writer)
    document = writer.document(root, writer.signatures(found))
    _write(os.fspath(export_dir), document, writer)


def context_is_graph() -> bool:
    """Whether a graph is being built."""
    from ..base.context import context

    return context.graph is not None


def _write(path: str, document: dict[str, Any], writer: Writer) -> None:
    """Arrays first, under names of their own; then the JSON that names them.

    So a reader finds the old model or the new one, and never half of one.
    """
    os.makedirs(path, exist_ok=True)
    before = _files_of(path)
    stamp = secrets.token_hex(4)
    for kind, store in (("variables", writer.values), ("constants", writer.constants)):
        name = f"{kind}.{stamp}.safetensors"
        document[kind + "_file"] = name
        arrays = store.arrays
        write_whole(
            os.path.join(path, name), lambda file, arrays=arrays: write_safetensors(file, arrays)
        )
    text = json.dumps(document, allow_nan=False).encode()
    write_whole(os.path.join(path, FILE), lambda file: file.write(text))
    for name in before:
        if os.path.exists(os.path.join(path, name)):
            os.remove(os.path.join(path, name))


def _files_of(path: str) -> list[str]:
    try:
        with open(os.path.join(path, FILE), encoding="utf-8") as file:
            document = json.load(file)
        return [os.path.basename(document[k]) for k in ("variables_file", "constants_file")]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def functions_of(obj: Any) -> dict[str, Function]:
    """The traced functions that are attributes of an object, or methods of its class."""
    found: dict[str, Function] = {}
    for cls in reversed(type(obj).__mro__):
        for name, value in vars(cls).items():
            if isinstance(value, Function):
                found[name] = getattr(obj, name)
    found.update({k: v for k, v in getattr(obj, "__dict__", {}).items() if isinstance(v, Function)})
    return {k: v for k, v in found.items() if isinstance(v, Function)}


def traces_of(function: Function) -> list[ConcreteFunction]:
    """The traces of a function, each once; with an input signature there is always one."""
    if not function._traces and function.input_signature is not None:
        function.get_concrete_function()
    unique = {id(c): c for c in function._traces.values()}
    return [c for c in unique.values() if not c.graph.captured]


def is_model(obj: Any) -> bool:
    """Whether an object is a layer or a model that is called like one."""
    return hasattr(obj, "call") and hasattr(obj, "layers") and hasattr(obj, "built")


class Writer:
    """Gathers variables, graphs, functions and objects, each once, with numbers."""

    def __init__(self) -> None:
        self.values = Store("variable")
        self.constants = Store("constant")
        self.variables: list[Any] = []
        self.graphs: list[Any] = []
        self.functions: list[Any] = []
        self.objects: list[Any] = []
        #: id -> (value, number): of variables, graphs and functions; and of objects.
        self._known: dict[int, tuple[Any, int]] = {}
        self._placed: dict[int, tuple[Any, int]] = {}
        self.encode = Encoder(self.variable, self.graph, self.constants.put)
        #: Functions that were made for a model: the number of the object -> the function.
        self.made: dict[int, Function] = {}

    def _number(self, value: Any, table: list[Any]) -> tuple[int, bool]:
        known = self._known.get(id(value))
        if known is not None:
            return known[1], False
        table.append(None)
        self._known[id(value)] = (value, len(table) - 1)
        return len(table) - 1, True

    def variable(self, variable: Any) -> int:
        """Number of a variable."""
        variable = getattr(variable, "_origin", variable)
        number, new = self._number(variable, self.variables)
        if new:
            value = EagerTensor(variable._read_array().copy())
            self.variables[number] = {
                "name": variable._name,
                "trainable": variable.trainable,
                "shape": shape_to_json(variable.shape),
                "value": self.values.put(value, variable._name),
            }
        return number

    def graph(self, graph: Any) -> int:
        """Number of a graph."""
        number, new = self._number(graph, self.graphs)
        if new:
            self.graphs[number] = GraphWriter(graph, self.encode).write()
        return number

    def function(self, function: Function) -> int:
        """Number of a function; one without traces is kept as that."""
        number, new = self._number(function, self.functions)
        if new:
            traces, lost = [], ""
            for concrete in traces_of(function):
                try:
                    traces.append(self._trace(concrete))
                except Unsavable as error:
                    # It was traced for an object that lives in this process only: nobody could call it again.
                    lost = error.message
            parameters = function.parameters.signature
            self.functions[number] = {
                "name": function.name,
                "parameters": None
                if parameters is None
                else [self._parameter(p) for p in parameters.parameters.values()],
                "traces": traces,
                "lost": lost,
                "casts": function in self.made.values(),
            }
        return number

    def _parameter(self, parameter: Any) -> list[Any]:
        made = [parameter.name, parameter.kind.name]
        if parameter.default is not parameter.empty:
            with contextlib.suppress(Unsavable):
                made.append(self.encode(parameter.default))
        return made

    def _trace(self, concrete: ConcreteFunction) -> Any:
        args, kwargs = (
            concrete._marked if concrete._marked is not None else (tuple(concrete._leaves), {})
        )
        arguments = [self.encode(tuple(args)), self.encode(dict(kwargs))]
        return {"graph": self.graph(concrete.graph), "args": arguments[0], "kwargs": arguments[1]}

    def object(self, value: Any) -> int | None:
        """Number of an object, a variable, a function or a container of these; None for anything else."""
        if isinstance(value, Variable):
            return self._entry(value, lambda: {"variable": self.variable(value)})
        if isinstance(value, Function):
            return self._entry(value, lambda: {"function": self.function(value)})
        if isinstance(value, ConcreteFunction):
            return self._entry(value, lambda: {"traces": [self._trace(value)], "name": value.name})
        if isinstance(value, list | tuple):
            return self._entry(value, lambda: {"list": [self.object(v) for v in value]})
        if isinstance(value, Mapping):
            return self._entry(
                value, lambda: {"dict": {str(k): self.object(v) for k, v in value.items()}}
            )
        if not is_trackable(value) or hasattr(value, _OPTIMIZER):
            return None
        return self._entry(value, lambda: self._members(value))

    def _entry(self, value: Any, make: Callable[[], Any]) -> int:
        known = self._placed.get(id(value))
        if known is not None:
            return known[1]
        self.objects.append(None)
        number = len(self.objects) - 1
        self._placed[id(value)] = (value, number)
        self.objects[number] = make()
        return number

    def _members(self, value: Any) -> dict[str, Any]:
        members = {name: self.object(child) for name, child in value._checkpoint_children().items()}
        functions = dict(functions_of(value))
        if is_model(value) and "__call__" not in functions:
            made = self._model_call(value)
            if made is not None:
                functions["__call__"] = made
        members.update({name: self.object(f) for name, f in functions.items()})
        return {
            "class": type(value).__name__,
            "name": getattr(value, "name", None)
            if isinstance(getattr(value, "name", None), str)
            else None,
            "members": {k: v for k, v in members.items() if v is not None},
        }

    def _model_call(self, model: Any) -> Function | None:
        """What a model does, traced for inference and, where there is a difference, for training."""
        try:
            specs = input_specs(model)
        except ValueError:
            if self.objects[0] is None:
                raise
            return None
        function = model_function(model)
        function.get_concrete_function(specs)
        if takes_training(model):
            function.get_concrete_function(specs, training=True)
        self.made[id(model)] = function
        return function

    def signatures(self, given: Any) -> dict[str, Any]:
        """The functions of named tensors."""
        if given is None:
            return {}
        if not isinstance(given, Mapping):
            given = {DEFAULT: given}
        return {str(name): self._signature(str(name), function) for name, function in given.items()}

    def _signature(self, name: str, function: Any) -> dict[str, Any]:
        concrete = function
        if isinstance(function, Function):
            traces = traces_of(function)
            if len(traces) != 1:
                raise ValueError(
                    f"The signature {name!r} is a tf.function with {len(traces)} traces: give it an "
                    "input_signature, or pass one trace, function.get_concrete_function(...)."
                )
            concrete = traces[0]
        if not isinstance(concrete, ConcreteFunction):
            raise ValueError(
                f"The signature {name!r} must be a tf.function or one of its traces, got {function!r}. "
                "Decorate it with @tf.function(input_signature=[...])."
            )
        return {
            "graph": self.graph(concrete.graph),
            "inputs": _unique([leaf.name for leaf in concrete._leaves]),
            "outputs": _output_names(name, concrete),
        }

    def document(self, root: int | None, signatures: dict[str, Any]) -> dict[str, Any]:
        """Everything, as JSON."""
        return {
            "format": "eagercore.saved_model",
            "version": VERSION,
            "written_by": __version__,
            "root": root,
            "objects": self.objects,
            "functions": self.functions,
            "signatures": signatures,
            "variables": self.variables,
            "graphs": self.graphs,
        }


def _unique(names: list[str]) -> list[str]:
    made: list[str] = []
    for name in names:
        candidate, count = name, 0
        while candidate in made:
            count += 1
            candidate = f"{name}_{count}"
        made.append(candidate)
    return made


def _output_names(name: str, concrete: ConcreteFunction) -> list[str]:
    structure: Any = concrete.graph.structure
    template = None if structure is None else structure.template
    if structure is not None and any(p != "tensor" for p in structure.parts):
        raise ValueError(
            f"The signature {name!r} must return tensors, or a flat dictionary of tensors; it returns "
            f"{concrete.structured_outputs!r}."
        )
    if isinstance(template, Mapping):
        if any(nest.is_nested(v) for v in template.values()):
            raise ValueError(
                f"The signature {name!r} must return a flat dictionary, got {concrete.structured_outputs!r}."
            )
        return [str(k) for k in nest._keys(template)]
    names = getattr(concrete, "names", None)
    if names and len(names) == len(concrete.graph.outputs):
        return [str(n) for n in names]
    return [f"output_{i}" for i in range(len(concrete.graph.outputs))]


def _default_signatures(obj: Any, writer: Writer) -> Any:
    if is_model(obj):
        function = writer.made.get(id(obj))
        if function is None:
            return None
        concrete = traces_of(function)[0]
        return {DEFAULT: _Named(concrete, getattr(obj, "output_names", None))}
    if isinstance(obj, ConcreteFunction):
        return {DEFAULT: obj} if _fits(obj) else None
    functions = [obj] if isinstance(obj, Function) else list(functions_of(obj).values())
    if len(functions) != 1:
        return None
    traces = traces_of(functions[0])
    return {DEFAULT: traces[0]} if len(traces) == 1 and _fits(traces[0]) else None


def _fits(concrete: ConcreteFunction) -> bool:
    """Whether a trace can be a signature."""
    try:
        _output_names(DEFAULT, concrete)
    except (ValueError, errors.OpError):
        return False
    return True


class _Named(ConcreteFunction):
    """A model's trace, whose results bear the names of the layers that give them."""

    def __init__(self, concrete: ConcreteFunction, names: Any) -> None:
        super().__init__(concrete.graph, concrete._marked)
        self.names = names
