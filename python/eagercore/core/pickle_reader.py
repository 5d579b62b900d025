"""Reads data out of pickles without running anything: numbers, texts, lists, dictionaries and NumPy arrays.

A pickle is a little program that may call whatever it names. Here its instructions are read as
data: what it names stays a name, a call stays a description, and only the descriptions of NumPy arrays are understood.
"""

from __future__ import annotations

import io
import struct
from typing import Any

import numpy as np

from ..base import errors

_MARK = object()


class Named:
    """Something that a pickle names, or a call of it: kept as a description.

    Args:
        name: Module and name.
        args: Arguments, of a call.
    """

    def __init__(self, name: str, args: Any = None) -> None:
        self.name, self.args, self.state = name, args, None


class _Reader:
    def __init__(self, file: Any) -> None:
        self.read, self.readline = file.read, file.readline
        self.stack: list[Any] = []
        self.memo: dict[int, Any] = {}

    def run(self) -> Any:
        """The value that the pickle describes."""
        actions = _ACTIONS
        while True:
            code = self.read(1)
            if code == b".":
                return self.stack.pop()
            action = actions.get(code)
            if action is None:
                raise errors.value_error(
                    "ReadPickle",
                    f"the instruction {code!r} is not understood: this is no plain data.",
                )
            action(self)

    def number(self, form: str, size: int) -> Any:
        return struct.unpack(form, self.read(size))[0]

    def marked(self) -> list[Any]:
        """What lies above the last mark, which is taken away."""
        place = len(self.stack) - 1
        while self.stack[place] is not _MARK:
            place -= 1
        items = self.stack[place + 1 :]
        del self.stack[place:]
        return items

    def line(self) -> str:
        return self.readline()[:-1].decode()

    def push(self, value: Any) -> None:
        self.stack.append(value)

    def call(self) -> None:
        args = self.stack.pop()
        made = self.stack.pop()
        if isinstance(made, Named) and made.name in ("numpy.dtype",):
            self.push(Named("dtype", args))
        elif isinstance(made, Named) and made.name.endswith("_reconstruct"):
            self.push(Named("array", args))
        elif isinstance(made, Named) and made.name.endswith("scalar"):
            self.push(np.frombuffer(_bytes(args[1]), _dtype(args[0]))[0])
        elif isinstance(made, Named) and made.name == "_codecs.encode":
            self.push(args[0].encode("latin1"))
        else:
            name = made.name if isinstance(made, Named) else type(made).__name__
            raise errors.value_error(
                "ReadPickle", f"the file wants to call {name!r}: files hold data, not code."
            )

    def build(self) -> None:
        state = self.stack.pop()
        made = self.stack[-1]
        if not isinstance(made, Named) or made.name not in ("dtype", "array"):
            raise errors.value_error(
                "ReadPickle", "the file wants to build an object: files hold data, not code."
            )
        if made.name == "dtype":
            made.state = state
            return
        _, shape, dtype, fortran, data = state
        self.stack[-1] = _array(shape, _dtype(dtype), fortran, data)
        for key, value in self.memo.items():
            if value is made:
                self.memo[key] = self.stack[-1]

    def set_items(self) -> None:
        items = self.marked()
        self.stack[-1].update(zip(items[::2], items[1::2], strict=True))

    def set_item(self) -> None:
        value = self.stack.pop()
        key = self.stack.pop()
        self.stack[-1][key] = value

    def append(self) -> None:
        value = self.stack.pop()
        self.stack[-1].append(value)

    def extend(self) -> None:
        items = self.marked()
        self.stack[-1].extend(items)

    def tuple_of(self, count: int) -> None:
        items = tuple(self.stack[-count:])
        del self.stack[-count:]
        self.push(items)


def _bytes(value: Any) -> bytes:
    return value.encode("latin1") if isinstance(value, str) else value


def _dtype(described: Any) -> np.dtype[Any]:
    """A plain dtype from its description."""
    code = described.args[0]
    order: Any = described.state[1] if described.state else "|"
    made = np.dtype(code.decode() if isinstance(code, bytes) else code)
    order = order.decode() if isinstance(order, bytes) else order
    return made.newbyteorder(order) if order in "<>" and made.kind != "O" else made


def _array(shape: Any, dtype: Any, fortran: bool, data: Any) -> np.ndarray[Any, Any]:
    if dtype.kind == "O":
        made = np.empty(len(data), dtype=object)
        for i, value in enumerate(data):
            made[i] = value
    else:
        made = np.frombuffer(_bytes(data), dtype).copy()
    return made.reshape(shape, order="F" if fortran else "C")


def _long(reader: _Reader, size: int) -> int:
    return int.from_bytes(reader.read(size), "little", signed=True)


def _text(reader: _Reader, size: int) -> Any:
    return reader.read(size).decode("utf-8", "surrogatepass")


def _old_text(reader: _Reader, size: int) -> str:
    return reader.read(size).decode("latin1")


def _line_number(reader: _Reader) -> Any:
    text = reader.line()
    return {"00": False, "01": True}.get(text) if text in ("00", "01") else int(text.rstrip("L"))


def _quoted(reader: _Reader) -> str:
    text = reader.line()
    return text[1:-1].encode("latin1").decode("unicode_escape")


def _remember(reader: _Reader, key: int) -> None:
    reader.memo[key] = reader.stack[-1]


_ACTIONS: dict[bytes, Any] = {
    b"\x80": lambda r: r.read(1),
    b"\x95": lambda r: r.read(8),
    b"(": lambda r: r.push(_MARK),
    b"0": lambda r: r.stack.pop(),
    b"2": lambda r: r.push(r.stack[-1]),
    b"N": lambda r: r.push(None),
    b"\x88": lambda r: r.push(True),
    b"\x89": lambda r: r.push(False),
    b"I": lambda r: r.push(_line_number(r)),
    b"L": lambda r: r.push(_line_number(r)),
    b"F": lambda r: r.push(float(r.line())),
    b"J": lambda r: r.push(r.number("<i", 4)),
    b"K": lambda r: r.push(r.read(1)[0]),
    b"M": lambda r: r.push(r.number("<H", 2)),
    b"G": lambda r: r.push(r.number(">d", 8)),
    b"\x8a": lambda r: r.push(_long(r, r.read(1)[0])),
    b"\x8b": lambda r: r.push(_long(r, r.number("<i", 4))),
    b"S": lambda r: r.push(_quoted(r)),
    b"T": lambda r: r.push(_old_text(r, r.number("<i", 4))),
    b"U": lambda r: r.push(_old_text(r, r.read(1)[0])),
    b"V": lambda r: r.push(r.readline()[:-1].decode("raw_unicode_escape")),
    b"X": lambda r: r.push(_text(r, r.number("<I", 4))),
    b"\x8c": lambda r: r.push(_text(r, r.read(1)[0])),
    b"\x8d": lambda r: r.push(_text(r, r.number("<Q", 8))),
    b"B": lambda r: r.push(r.read(r.number("<I", 4))),
    b"C": lambda r: r.push(r.read(r.read(1)[0])),
    b"\x8e": lambda r: r.push(r.read(r.number("<Q", 8))),
    b"]": lambda r: r.push([]),
    b"}": lambda r: r.push({}),
    b")": lambda r: r.push(()),
    b"l": lambda r: r.push(r.marked()),
    b"t": lambda r: r.push(tuple(r.marked())),
    b"d": lambda r: r.push((lambda items: dict(zip(items[::2], items[1::2], strict=True)))(r.marked())),
    b"\x85": lambda r: r.tuple_of(1),
    b"\x86": lambda r: r.tuple_of(2),
    b"\x87": lambda r: r.tuple_of(3),
    b"a": _Reader.append,
    b"e": _Reader.extend,
    b"s": _Reader.set_item,
    b"u": _Reader.set_items,
    b"p": lambda r: _remember(r, int(r.line())),
    b"q": lambda r: _remember(r, r.read(1)[0]),
    b"r": lambda r: _remember(r, r.number("<I", 4)),
    b"\x94": lambda r: _remember(r, len(r.memo)),
    b"g": lambda r: r.push(r.memo[int(r.line())]),
    b"h": lambda r: r.push(r.memo[r.read(1)[0]]),
    b"j": lambda r: r.push(r.memo[r.number("<I", 4)]),
    b"c": lambda r: r.push(Named(f"{r.line()}.{r.line()}")),
    b"\x93": lambda r: r.push((lambda name, module: Named(f"{module}.{name}"))(r.stack.pop(), r.stack.pop())),
    b"R": _Reader.call,
    b"b": _Reader.build,
}  # fmt: skip


def read_pickle(file: Any) -> Any:
    """The data in a pickle.

    Args:
        file: An open binary file, or bytes.

    Returns:
        Numbers, texts, lists, tuples, dictionaries and NumPy arrays.

    Raises:
        InvalidArgumentError: If the file wants anything to be called or built other than arrays.

    >>> import pickle
    >>> read_pickle(pickle.dumps({"a": [1, 2.5, "x"]}))
    {'a': [1, 2.5, 'x']}
    """
    if isinstance(file, bytes):
        file = io.BytesIO(file)
    return _Reader(file).run()


def read_npy(file: Any) -> np.ndarray[Any, Any]:
    """An array in NumPy's format, also one of lists (whose pickle is read as data).

    Args:
        file: An open binary file, or bytes.

    Returns:
        The array.
    """
    if isinstance(file, bytes):
        file = io.BytesIO(file)
    version = np.lib.format.read_magic(file)
    read = (
        np.lib.format.read_array_header_1_0
        if version == (1, 0)
        else np.lib.format.read_array_header_2_0
    )
    shape, fortran, dtype = read(file)
    if dtype.hasobject:
        return np.asarray(read_pickle(file)).reshape(shape)
    data = np.frombuffer(file.read(), dtype).copy()
    return data.reshape(shape, order="F" if fortran else "C")
