"""Readers of files whose names come from a queue, as programs of TensorFlow 1 had them before tf.data."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...base import dtypes, errors
from ...base.context import context
from ...base.shapes import TensorSpec
from ...core.op import barrier
from ...graph.ir import graph_op
from ...graph.session import running_session


class _Place:
    """Where a reader stands, for one session."""

    def __init__(self) -> None:
        self.work: Iterator[tuple[bytes, bytes]] | None = None
        self.produced = self.finished = 0


class ReaderBase:
    """What all readers do: `read(queue)` gives the next key and value of the files that the queue names.

    Args:
        name: Accepted for TensorFlow's sake.

    Raises:
        RuntimeError: In eager execution: use `tf.data`.
    """

    def __init__(self, name: str | None = None) -> None:
        if context.graph is None:
            raise RuntimeError(
                "Readers are not supported when eager execution is enabled. Instead, please use tf.data to get data "
                "into your model."
            )
        self._places: Any = weakref.WeakKeyDictionary()

    supports_serialize = False

    def _records(self, path: str) -> Iterator[tuple[bytes, bytes]]:
        raise NotImplementedError

    def _emit(self, action: str, queue: Any, specs: Any, number: int = 1) -> Any:
        attrs = {
            "reader": self, "action": action, "queue": queue, "number": number, "specs": tuple(specs),
            "count": len(specs), "effect": action == "Reset",
        }  # fmt: skip
        context.graph.suggest(
            {"Read": "ReaderReadV2", "ReadUpTo": "ReaderReadUpToV2"}.get(action, action)
        )
        return context.graph.emit(reader_action, (), attrs)

    def read(self, queue: Any, name: str | None = None) -> tuple[Any, Any]:
        """The next key and value.

        Args:
            queue: Queue of names of files.
            name: Accepted for TensorFlow's sake.

        Raises:
            OutOfRangeError: If the queue is closed and all is read.
        """
        text = TensorSpec([], dtypes.string)
        return tuple(self._emit("Read", queue, (text, text)))

    def read_up_to(self, queue: Any, num_records: int, name: str | None = None) -> tuple[Any, Any]:
        """The next keys and values, `num_records` at most.

        Args:
            queue: Queue of names of files.
            num_records: How many at most.
            name: Accepted for TensorFlow's sake.
        """
        texts = TensorSpec([None], dtypes.string)
        return tuple(self._emit("ReadUpTo", queue, (texts, texts), int(num_records)))

    def num_records_produced(self, name: str | None = None) -> Any:
        """How many records it gave."""
        return self._emit("Produced", None, (TensorSpec([], dtypes.int64),))[0]

    def num_work_units_completed(self, name: str | None = None) -> Any:
        """How many files it read to their end."""
        return self._emit("Completed", None, (TensorSpec([], dtypes.int64),))[0]

    def reset(self, name: str | None = None) -> Any:
        """Sends it back to its beginning."""
        return self._emit("Reset", None, (TensorSpec([], dtypes.bool_),))[0].node

    def run(self, action: str, queue: Any, number: int) -> tuple[Any, ...]:
        """Does what an operation says.

        Args:
            action: Name of the operation.
            queue: Queue of names of files.
            number: How many records at most.
        """
        session = running_session()
        place = self._places.setdefault(session, _Place())
        if action == "Reset":
            self._places[session] = _Place()
            return (np.array(True),)
        if action in ("Produced", "Completed"):
            return (np.array(place.produced if action == "Produced" else place.finished),)
        found = [self._next(place, queue)]
        while len(found) < number and place.work is not None:
            record = next(place.work, None)
            if record is None:
                place.work, place.finished = None, place.finished + 1
            else:
                place.produced += 1
                found.append(record)
        keys, values = (np.array([r[i] for r in found], object) for i in (0, 1))
        return (keys, values) if action == "ReadUpTo" else (keys.reshape(()), values.reshape(()))

    def _next(self, place: _Place, queue: Any) -> tuple[bytes, bytes]:
        while True:
            if place.work is None:
                name = queue.run("Dequeue", (), None)[0].item()
                place.work = self._records(name.decode())
            record = next(place.work, None)
            if record is not None:
                place.produced += 1
                return record
            place.work, place.finished = None, place.finished + 1


class TextLineReader(ReaderBase):
    """Lines of text files; the key is the file's name and the line's number.

    Args:
        skip_header_lines: How many lines at the beginning of each file are left out.
        name: Accepted for TensorFlow's sake.
    """

    def __init__(self, skip_header_lines: int | None = None, name: str | None = None) -> None:
        super().__init__(name)
        self._skipped = int(skip_header_lines or 0)

    def _records(self, path: str) -> Iterator[tuple[bytes, bytes]]:
        with open(path, "rb") as file:
            for number, line in enumerate(file, 1):
                if number > self._skipped:
                    yield f"{path}:{number}".encode(), line.rstrip(b"\n").rstrip(b"\r")


class WholeFileReader(ReaderBase):
    """Whole files; the key is the file's name.

    Args:
        name: Accepted for TensorFlow's sake.
    """

    def _records(self, path: str) -> Iterator[tuple[bytes, bytes]]:
        with open(path, "rb") as file:
            yield path.encode(), file.read()


class IdentityReader(ReaderBase):
    """The queue's own texts, as keys and as values.

    Args:
        name: Accepted for TensorFlow's sake.
    """

    def _records(self, path: str) -> Iterator[tuple[bytes, bytes]]:
        yield path.encode(), path.encode()


class FixedLengthRecordReader(ReaderBase):
    """Records of one length.

    Args:
        record_bytes: Bytes of a record.
        header_bytes: Bytes left out at the beginning of each file.
        footer_bytes: Bytes left out at its end.
        hop_bytes: Bytes from the beginning of a record to that of the next; default `record_bytes`.
        name: Accepted for TensorFlow's sake.
        encoding: "" alone.
    """

    def __init__(
        self, record_bytes: int, header_bytes: int | None = None, footer_bytes: int | None = None,
        hop_bytes: int | None = None, name: str | None = None, encoding: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name)
        if encoding:
            raise errors.value_error(
                "FixedLengthRecordReader",
                f"encoding {encoding!r} is not read: give '' and unpack the files before.",
            )
        self._size, self._header = int(record_bytes), int(header_bytes or 0)
        self._footer, self._hop = int(footer_bytes or 0), int(hop_bytes or 0) or int(record_bytes)

    def _records(self, path: str) -> Iterator[tuple[bytes, bytes]]:
        with open(path, "rb") as file:
            whole = file.read()
        end = len(whole) - self._footer
        starts = range(self._header, end - self._size + 1, self._hop)
        for number, start in enumerate(starts):
            yield f"{path}:{number}".encode(), whole[start : start + self._size]


class TFRecordReader(ReaderBase):
    """Records of TFRecord files; the key is the file's name and the place in it.

    Args:
        name: Accepted for TensorFlow's sake.
        options: `tf.io.TFRecordOptions`, or None.
    """

    def __init__(self, name: str | None = None, options: Any = None) -> None:
        super().__init__(name)
        self._options = options

    def _records(self, path: str) -> Iterator[tuple[bytes, bytes]]:
        import eagercore

        place = 0
        for record in eagercore.compat.v1.io.tf_record_iterator(path, self._options):
            yield f"{path}:{place}".encode(), record
            place += len(record) + 16


@graph_op(barrier, label="Reader", differentiable=False, outputs="count", free=("values",))
def reader_action(
    xp,
    *values,
    reader: Any,
    action: str,
    queue: Any,
    number: int,
    specs: Any,
    count: int,
    effect: bool = False,
):
    """What a reader does when the graph runs.

    Args:
        values: Nothing.
        reader: The reader.
        action: What it does.
        queue: Queue of names of files.
        number: How many records at most.
        specs: What it gives.
        count: How many results that are.
        effect: Whether it runs although nobody reads its results.
    """
    return reader.run(action, queue, number)


@reader_action.shape_rule
def reader_action_rule(*values, reader, action, queue, number, specs, count, effect):
    """Texts, or numbers."""
    return tuple(specs)


for _cls in (
    ReaderBase, TextLineReader, WholeFileReader, IdentityReader, FixedLengthRecordReader, TFRecordReader,
):  # fmt: skip
    _cls.__module__ = "eagercore"
