"""tf.saved_model.load."""

from __future__ import annotations

import inspect
import json
import os
from typing import Any

from ..base.shapes import TensorSpec
from ..core.array_files import read_safetensors
from ..core.variable import Variable
from ..graph import control, dataset_loop, loops
from ..graph.default import init_scope
from ..graph.function import ConcreteFunction
from ..graph.signature import Leaf
from .arrays import Shelf
from .graphs import empty_graph, read_graph
from .restored import Loaded, LoadedFunction, Signature, Signatures
from .values import Decoder
from .write import FILE, VERSION

#: Modules whose ops exist in graphs only: they must be known before nodes are read.
NEEDED = (control, dataset_loop, loops)


def contains_saved_model(export_dir: Any) -> bool:
    """Whether a directory holds what `tf.saved_model.save` wrote.

    Args:
        export_dir: Directory.
    """
    return os.path.isfile(os.path.join(os.fspath(export_dir), FILE))


def load(export_dir: Any, tags: Any = None, options: Any = None) -> Any:
    """Loads what `tf.saved_model.save` wrote; no code of the model is needed.

    Args:
        export_dir: Directory.
        tags: Accepted for TensorFlow's sake.
        options: Accepted for TensorFlow's sake.

    Returns:
        An object with the variables and functions as attributes; it is called like the one that was saved,
        gradients flow through it, and `signatures[name](**tensors)` gives a dictionary.

    Raises:
        OSError: If there is no saved model.
        ValueError: If it is damaged, or was written by a later version.
    """
    path = os.fspath(export_dir)
    document = _document(path)
    with init_scope():
        try:
            return Reader(document, path).root()
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            raise ValueError(
                f"The saved model in {path} is damaged: {type(error).__name__}: {error}."
            ) from error


def _document(path: str) -> dict[str, Any]:
    try:
        with open(os.path.join(path, FILE), encoding="utf-8") as file:
            document = json.load(file)
    except FileNotFoundError:
        more = ""
        if os.path.exists(os.path.join(path, "saved_model.pb")):
            more = " (TensorFlow's own saved_model.pb is not read: exchange the model as ONNX or HDF5.)"
        raise OSError(f"SavedModel file does not exist at: {path}: no {FILE}.{more}") from None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ValueError(
            f"The saved model in {path} is damaged: {FILE} is no JSON ({error})."
        ) from None
    if not isinstance(document, dict) or document.get("format") != "eagercore.saved_model":
        raise ValueError(f"{path}/{FILE} is not a saved model of this engine.")
    if document["version"] > VERSION:
        raise ValueError(
            f"The saved model in {path} has version {document['version']}; this engine reads up to {VERSION}. "
            "Update it."
        )
    return document


def _arrays(path: str, name: str) -> Shelf:
    try:
        with open(os.path.join(path, os.path.basename(name)), "rb") as file:
            return Shelf(read_safetensors(file))
    except FileNotFoundError:
        raise ValueError(
            f"The saved model in {path} is damaged: the file {name} is missing."
        ) from None


class Reader:
    """Makes variables, graphs, functions and objects from a document, each when it is first asked for."""

    def __init__(self, document: dict[str, Any], path: str) -> None:
        self.document = document
        self._values = _arrays(path, document["variables_file"])
        constants = _arrays(path, document["constants_file"])
        self._variables: dict[int, Variable] = {}
        self._graphs: dict[int, Any] = {}
        self._functions: dict[int, LoadedFunction] = {}
        self._objects: dict[int, Any] = {}
        self.decode = Decoder(self.variable, self.graph, constants.get)

    def root(self) -> Any:
        """The object that was saved."""
        made = self.object(self.document["root"])
        if isinstance(made, LoadedFunction):
            function, made = made, Loaded()
            made.__dict__.update({"__call__": function, "_class_name": "function"})
        signatures = {n: self._signature(n, e) for n, e in self.document["signatures"].items()}
        made.__dict__["signatures"] = Signatures(signatures)
        return made

    def variable(self, number: int) -> Variable:
        """A variable by its number."""
        if number not in self._variables:
            entry = self.document["variables"][number]
            made = Variable(
                self._values.get(entry["value"]),
                trainable=entry["trainable"],
                name=entry["name"],
                shape=_shape(entry["shape"]),
            )
            made._name = entry["name"]
            self._variables[number] = made
        return self._variables[number]

    def graph(self, number: int) -> Any:
        """A graph by its number."""
        if number not in self._graphs:
            document = self.document["graphs"][number]
            made = self._graphs[number] = empty_graph(document)
            read_graph(made, document, self.decode)
        return self._graphs[number]

    def _trace(self, entry: Any) -> ConcreteFunction:
        return ConcreteFunction(
            self.graph(entry["graph"]), (self.decode(entry["args"]), self.decode(entry["kwargs"]))
        )

    def function(self, number: int) -> LoadedFunction:
        """A function by its number."""
        if number not in self._functions:
            entry = self.document["functions"][number]
            traces = [self._trace(t) for t in entry["traces"]]
            signature = self._signature_of(entry["parameters"])
            self._functions[number] = LoadedFunction(
                entry["name"], signature, traces, str(entry["lost"]), entry["casts"]
            )
        return self._functions[number]

    def _signature_of(self, parameters: Any) -> inspect.Signature | None:
        if parameters is None:
            return None
        made = []
        for name, kind, *default in parameters:
            value = self.decode(default[0]) if default else inspect.Parameter.empty
            made.append(inspect.Parameter(name, getattr(inspect.Parameter, kind), default=value))
        return inspect.Signature(made)

    def object(self, number: Any) -> Any:
        """An object by its number."""
        if number is None:
            return None
        if number not in self._objects:
            entry = self.document["objects"][number]
            if "variable" in entry:
                self._objects[number] = self.variable(entry["variable"])
            elif "function" in entry:
                self._objects[number] = self.function(entry["function"])
            elif "traces" in entry:
                traces = [self._trace(t) for t in entry["traces"]]
                self._objects[number] = LoadedFunction(entry["name"], None, traces)
            elif "list" in entry:
                items: list[Any] = []
                self._objects[number] = items
                items.extend(self.object(n) for n in entry["list"])
            elif "dict" in entry:
                table: dict[str, Any] = {}
                self._objects[number] = table
                table.update({k: self.object(n) for k, n in entry["dict"].items()})
            else:
                self._objects[number] = Loaded()
                self._fill(self._objects[number], entry)
        return self._objects[number]

    def _fill(self, made: Loaded, entry: Any) -> None:
        fields = made.__dict__
        fields["_class_name"] = str(entry["class"])
        if entry.get("name"):
            fields["name"] = entry["name"]
        for name, number in entry["members"].items():
            fields[name] = self.object(number)

    def _signature(self, name: str, entry: Any) -> Signature:
        graph = self.graph(entry["graph"])
        leaves = [
            Leaf(TensorSpec(t.shape, t.dtype), n)
            for t, n in zip(graph.inputs, entry["inputs"], strict=True)
        ]
        return Signature(graph, leaves, [str(n) for n in entry["outputs"]])


def _shape(entry: Any) -> Any:
    from ..base.shapes import TensorShape

    return TensorShape(entry)
