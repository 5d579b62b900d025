"""Elements of datasets in files: records of tensors, each tensor in TensorFlow's own wire form."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

from ..base import dtypes, errors
from ..base.records import RecordWriter, read_records
from ..base.shapes import TensorSpec
from ..base.tensor_proto import decode_tensor, encode_tensor
from ..base.wire import Writer, fields
from ..core.tensor import EagerTensor
from . import structure
from .step import Run, Step

_END = b"end"


class ElementWriter:
    """Writes elements to a file that only exists when it is complete.

    Args:
        path: The file.
        compression: "" or "GZIP".
    """

    def __init__(self, path: str, compression: str = "") -> None:
        self._path, self._temporary = path, f"{path}.{os.getpid()}.tmp"
        self._writer = RecordWriter(self._temporary, compression)
        self._flatten: Any = None

    def __enter__(self) -> ElementWriter:
        return self

    def write(self, element: Any) -> None:
        """Writes one element; the first also says the structure of all."""
        if self._flatten is None:
            self._flatten = structure.flattener(element)
            self._writer.write(json.dumps(form_of(element)).encode())
        record = Writer()
        for component in self._flatten(element):
            if not isinstance(component, EagerTensor):
                raise TypeError(f"Only tensors can be kept in a file, got {component!r}.")
            record.block(1, encode_tensor(component._array))
        self._writer.write(record.finish())

    def finish(self) -> None:
        """Makes the file good."""
        self._writer.write(_END)
        self._writer.flush()
        self._writer.close()
        os.replace(self._temporary, self._path)

    def __exit__(self, *error: Any) -> None:
        if os.path.exists(self._temporary):
            self._writer.close()
            os.remove(self._temporary)


def read_elements(path: str, template: Any, compression: str = "") -> Iterator[Any]:
    """The elements of a file.

    Args:
        path: The file.
        template: Function that gives the structure where a file cannot tell it (of named tuples).
        compression: "" or "GZIP".

    Raises:
        DataLossError: If the file is cut short or damaged.
    """
    pack = held = None
    for record in read_records(path, compression):
        if held is not None:
            if pack is None:
                form = json.loads(held)
                pack = structure.packer(template() if is_special(form) else template_of(form))
            else:
                yield pack([EagerTensor(decode_tensor(value)) for _, value in fields(held)])
        held = record
    if held != _END:
        raise errors.DataLossError(f"{path} is cut short: remove it, and it is written anew.")


def form_of(element: Any) -> Any:
    """The structure of an element as JSON has it."""
    if isinstance(element, tuple):
        kind = "tuple" if type(element) is tuple else "special"
        return {kind: [form_of(part) for part in element]}
    if structure.is_structure(element):
        return {"dict": [[key, form_of(element[key])] for key in element]}
    return None


def is_special(form: Any) -> bool:
    """Whether a structure has parts that are no plain tuples or dictionaries."""
    return '"special"' in json.dumps(form)


def template_of(form: Any) -> Any:
    """A structure of that form."""
    if form is None:
        return 0
    if "dict" in form:
        return {key: template_of(part) for key, part in form["dict"]}
    return tuple(template_of(part) for part in next(iter(form.values())))


def save(step: Step, path: str, compression: str | None) -> None:
    """Writes all elements of a step to the directory `path`."""
    os.makedirs(path, exist_ok=True)
    name = compression or ""
    with ElementWriter(os.path.join(path, "elements.tfrecord"), name) as writer:
        count = 0
        for element in step.iterate(Run()):
            writer.write(element)
            count += 1
        writer.finish()
    about = {"compression": name, "count": count, "element_spec": _plain(step.spec)}
    temporary = os.path.join(path, f"dataset.json.{os.getpid()}.tmp")
    with open(temporary, "w", encoding="utf-8") as file:
        json.dump(about, file)
    os.replace(temporary, os.path.join(path, "dataset.json"))


def _plain(spec: Any) -> Any:
    if isinstance(spec, tuple):
        return {"tuple": [_plain(part) for part in spec]}
    if structure.is_structure(spec):
        return {"dict": [[key, _plain(spec[key])] for key in spec]}
    return {
        "shape": None if spec.shape.rank is None else spec.shape.as_list(),
        "dtype": spec.dtype.name,
    }


def _spec(plain: Any) -> Any:
    if "tuple" in plain:
        return tuple(_spec(part) for part in plain["tuple"])
    if "dict" in plain:
        return {key: _spec(part) for key, part in plain["dict"]}
    return TensorSpec(plain["shape"], dtypes.as_dtype(plain["dtype"]))


class Saved(Step):
    """The elements that `save` wrote."""

    label = "_LoadDataset"
    costly = True

    def __init__(self, path: str, spec: Any) -> None:
        super().__init__()
        about = os.path.join(path, "dataset.json")
        if not os.path.exists(about):
            raise errors.NotFoundError(
                f"There is no saved dataset in {path}: Dataset.save writes one."
            )
        with open(about, encoding="utf-8") as file:
            self.about = json.load(file)
        self.path = os.path.join(path, "elements.tfrecord")
        self._spec = _spec(self.about["element_spec"]) if spec is None else spec

    def iterate(self, run: Run) -> Iterator[Any]:
        """A new pass."""
        return read_elements(self.path, lambda: self._spec, self.about["compression"])

    def describe(self) -> Any:
        """The specs that were saved."""
        return self._spec

    def cardinality(self) -> int:
        """The number that was saved."""
        return int(self.about["count"])
