"""tf.train.Example: named lists of numbers and strings as messages, and their parsing into tensors."""

from __future__ import annotations

import base64
import json
from collections import namedtuple
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from ..base import dtypes, errors, wire
from ..base.shapes import as_shape
from ..core.tensor import EagerTensor, convert


class _Message:
    """What all messages can do: to bytes and back, comparing, printing."""

    def SerializeToString(self) -> bytes:
        """The message as bytes."""
        raise NotImplementedError

    def ParseFromString(self, serialized: bytes) -> int:
        """Replaces the content by that of bytes; gives their number.

        Raises:
            DataLossError: If they are no such message.
        """
        self.__init__()  # type: ignore[misc]
        self.MergeFromString(serialized)
        return len(serialized)

    def MergeFromString(self, serialized: Any) -> None:
        """Adds the content of bytes."""
        raise NotImplementedError

    @classmethod
    def FromString(cls, serialized: bytes) -> Any:
        """The message in bytes.

        Raises:
            DataLossError: If they are no such message.
        """
        made = cls()
        made.MergeFromString(serialized)
        return made

    def CopyFrom(self, other: Any) -> None:
        """Replaces the content by that of another message."""
        self.ParseFromString(other.SerializeToString())

    def ByteSize(self) -> int:
        """Number of bytes of the message."""
        return len(self.SerializeToString())

    def Clear(self) -> None:
        """Empties the message."""
        self.__init__()  # type: ignore[misc]

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.SerializeToString() == self.SerializeToString()  # type: ignore[attr-defined]

    __hash__ = None  # type: ignore[assignment]

    def _lines(self) -> Iterator[str]:
        raise NotImplementedError

    def __repr__(self) -> str:
        return "".join(line + "\n" for line in self._lines())


def _indented(name: str, message: _Message) -> Iterator[str]:
    yield f"{name} {{"
    for line in message._lines():
        yield "  " + line
    yield "}"


def _listed(value: Any) -> list[Any]:
    if hasattr(value, "numpy"):
        value = value.numpy()
    if isinstance(value, np.ndarray | np.generic):
        return np.asarray(value).reshape(-1).tolist()
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise TypeError(f"`value` must be a list, got {value!r}: write value=[{value!r}].")
    return list(value)


class BytesList(_Message):
    """List of byte strings.

    Args:
        value: List of bytes.
    """

    def __init__(self, value: Any = ()) -> None:
        self.value: list[Any] = []
        for item in _listed(value):
            if hasattr(item, "numpy"):
                item = item.numpy()
            if not isinstance(item, bytes):
                raise TypeError(
                    f"BytesList takes bytes, got {item!r} of type {type(item).__name__}: use value.encode()."
                )
            self.value.append(item)

    def SerializeToString(self) -> bytes:
        """The message as bytes."""
        writer = wire.Writer()
        for item in self.value:
            writer.block(1, item)
        return writer.finish()

    def MergeFromString(self, serialized: Any) -> None:
        """Adds the content of bytes."""
        self.value += [bytes(value) for number, value in wire.fields(serialized) if number == 1]

    def _lines(self) -> Iterator[str]:
        for item in self.value:
            yield f'value: "{repr(item)[2:-1]}"'


class FloatList(_Message):
    """List of float32 numbers.

    Args:
        value: List of numbers.
    """

    def __init__(self, value: Any = ()) -> None:
        self.value: list[Any] = np.asarray([float(v) for v in _listed(value)], np.float32).tolist()

    def SerializeToString(self) -> bytes:
        """The message as bytes."""
        return wire.Writer().floats(1, self.value).finish()

    def MergeFromString(self, serialized: Any) -> None:
        """Adds the content of bytes."""
        for number, value in wire.fields(serialized):
            if number == 1:
                self.value += wire.unpack_floats(value).tolist()

    def _lines(self) -> Iterator[str]:
        for item in self.value:
            yield f"value: {str(np.float32(item)).removesuffix('.0')}"


class Int64List(_Message):
    """List of int64 numbers.

    Args:
        value: List of whole numbers.
    """

    def __init__(self, value: Any = ()) -> None:
        self.value: list[Any] = []
        for item in _listed(value):
            number = int(item)
            if number != item or not -(2**63) <= number < 2**63:
                raise TypeError(f"Int64List takes whole numbers of 64 bits, got {item!r}.")
            self.value.append(number)

    def SerializeToString(self) -> bytes:
        """The message as bytes."""
        return wire.Writer().ints(1, self.value).finish()

    def MergeFromString(self, serialized: Any) -> None:
        """Adds the content of bytes."""
        for number, value in wire.fields(serialized):
            if number == 1:
                self.value += wire.unpack_ints(value)

    def _lines(self) -> Iterator[str]:
        for item in self.value:
            yield f"value: {item}"


class Feature(_Message):
    """One of the three lists.

    Args:
        bytes_list: `BytesList`.
        float_list: `FloatList`.
        int64_list: `Int64List`.
    """

    _KINDS = (
        ("bytes_list", 1, BytesList),
        ("float_list", 2, FloatList),
        ("int64_list", 3, Int64List),
    )

    def __init__(
        self, bytes_list: Any = None, float_list: Any = None, int64_list: Any = None
    ) -> None:
        self._given: dict[str, Any] = {}
        self._read: dict[str, Any] = {}
        for (name, _, kind), given in zip(self._KINDS, (bytes_list, float_list, int64_list)):
            if given is not None:
                if not isinstance(given, kind):
                    raise TypeError(f"`{name}` must be a tf.train.{kind.__name__}, got {given!r}.")
                self._given = {name: given}

    @property
    def _lists(self) -> dict[str, Any]:
        """The list that is set: one that was given, or one that was filled after it was read."""
        return self._given or {name: found for name, found in self._read.items() if found.value}

    def WhichOneof(self, oneof_group: str) -> str | None:
        """Name of the list that is set."""
        return next(iter(self._lists), None)

    def HasField(self, field_name: str) -> bool:
        """Whether that list is set."""
        return field_name in self._lists

    def _list(self, name: str, kind: Any) -> Any:
        if name in self._given:
            return self._given[name]
        return self._read.setdefault(name, kind())

    @property
    def bytes_list(self) -> BytesList:
        """The list of byte strings."""
        return self._list("bytes_list", BytesList)

    @property
    def float_list(self) -> FloatList:
        """The list of float32 numbers."""
        return self._list("float_list", FloatList)

    @property
    def int64_list(self) -> Int64List:
        """The list of int64 numbers."""
        return self._list("int64_list", Int64List)

    def SerializeToString(self) -> bytes:
        """The message as bytes."""
        writer = wire.Writer()
        for name, number, _ in self._KINDS:
            if name in self._lists:
                writer.block(number, self._lists[name].SerializeToString())
        return writer.finish()

    def MergeFromString(self, serialized: Any) -> None:
        """Adds the content of bytes."""
        for number, value in wire.fields(serialized):
            for name, wanted, kind in self._KINDS:
                if number == wanted:
                    self._given = {name: kind.FromString(value)}

    def _lines(self) -> Iterator[str]:
        for name, message in self._lists.items():
            yield from _indented(name, message)


class _MessageMap(dict):
    """Messages by name; one that is not there yet is made when it is asked for."""

    def __init__(self, kind: Any, given: Any) -> None:
        super().__init__()
        self._kind = kind
        for name, message in dict(given or {}).items():
            if not isinstance(message, kind):
                raise TypeError(f"{name!r} must be a tf.train.{kind.__name__}, got {message!r}.")
            self[name.decode() if isinstance(name, bytes) else name] = message

    def __missing__(self, name: str) -> Any:
        made = self[name] = self._kind()
        return made


class _Named(_Message):
    """What Features and FeatureLists share: a map of messages."""

    _kind: Any = None
    _name = ""

    def _map(self) -> _MessageMap:
        return getattr(self, self._name)

    def SerializeToString(self) -> bytes:
        """The message as bytes."""
        writer = wire.Writer()
        for name in sorted(self._map()):
            inner = wire.Writer().text(1, name).block(2, self._map()[name].SerializeToString())
            writer.block(1, inner.finish())
        return writer.finish()

    def MergeFromString(self, serialized: Any) -> None:
        """Adds the content of bytes."""
        for number, value in wire.fields(serialized):
            if number == 1:
                parts = dict(wire.fields(value))
                self._map()[bytes(parts.get(1, b"")).decode()] = self._kind.FromString(
                    parts.get(2, b"")
                )

    def _lines(self) -> Iterator[str]:
        for name in sorted(self._map()):
            yield f"{self._name} {{"
            yield f'  key: "{name}"'
            for line in _indented("value", self._map()[name]):
                yield "  " + line
            yield "}"


class Features(_Named):
    """Features by name.

    Args:
        feature: name -> `Feature`.
    """

    _kind, _name = Feature, "feature"

    def __init__(self, feature: Any = None) -> None:
        self.feature = _MessageMap(Feature, feature)


class FeatureList(_Message):
    """Features one after the other.

    Args:
        feature: List of `Feature`.
    """

    def __init__(self, feature: Any = ()) -> None:
        self.feature = list(feature)

    def SerializeToString(self) -> bytes:
        """The message as bytes."""
        writer = wire.Writer()
        for one in self.feature:
            writer.block(1, one.SerializeToString())
        return writer.finish()

    def MergeFromString(self, serialized: Any) -> None:
        """Adds the content of bytes."""
        self.feature += [
            Feature.FromString(value) for number, value in wire.fields(serialized) if number == 1
        ]

    def _lines(self) -> Iterator[str]:
        for one in self.feature:
            yield from _indented("feature", one)


class FeatureLists(_Named):
    """Feature lists by name.

    Args:
        feature_list: name -> `FeatureList`.
    """

    _kind, _name = FeatureList, "feature_list"

    def __init__(self, feature_list: Any = None) -> None:
        self.feature_list = _MessageMap(FeatureList, feature_list)


class Example(_Message):
    """Features of one example.

    Args:
        features: `Features`.

    >>> example = Example(features=Features(feature={"age": Feature(int64_list=Int64List(value=[29]))}))
    >>> Example.FromString(example.SerializeToString()).features.feature["age"].int64_list.value
    [29]
    """

    def __init__(self, features: Any = None) -> None:
        self.features = Features() if features is None else features

    def SerializeToString(self) -> bytes:
        """The message as bytes."""
        return wire.Writer().block(1, self.features.SerializeToString()).finish()

    def MergeFromString(self, serialized: Any) -> None:
        """Adds the content of bytes."""
        for number, value in wire.fields(serialized):
            if number == 1:
                self.features.MergeFromString(value)

    def _lines(self) -> Iterator[str]:
        yield from _indented("features", self.features)


class SequenceExample(_Message):
    """An example with features of the whole and features of each step.

    Args:
        context: `Features` of the whole.
        feature_lists: `FeatureLists` of the steps.
    """

    def __init__(self, context: Any = None, feature_lists: Any = None) -> None:
        self.context = Features() if context is None else context
        self.feature_lists = FeatureLists() if feature_lists is None else feature_lists

    def SerializeToString(self) -> bytes:
        """The message as bytes."""
        writer = wire.Writer().block(1, self.context.SerializeToString())
        return writer.block(2, self.feature_lists.SerializeToString()).finish()

    def MergeFromString(self, serialized: Any) -> None:
        """Adds the content of bytes."""
        for number, value in wire.fields(serialized):
            if number == 1:
                self.context.MergeFromString(value)
            elif number == 2:
                self.feature_lists.MergeFromString(value)

    def _lines(self) -> Iterator[str]:
        yield from _indented("context", self.context)
        yield from _indented("feature_lists", self.feature_lists)


def example_from_json(text: bytes) -> Example:
    """The example that JSON text describes.

    Raises:
        InvalidArgumentError: If it describes none.
    """
    try:
        found = json.loads(text)["features"]["feature"]
        made = {}
        for name, feature in found.items():
            if "bytesList" in feature:
                values = [base64.b64decode(v) for v in feature["bytesList"].get("value", [])]
                made[name] = Feature(bytes_list=BytesList(value=values))
            elif "floatList" in feature:
                made[name] = Feature(
                    float_list=FloatList(value=feature["floatList"].get("value", []))
                )
            else:
                numbers = [int(v) for v in feature["int64List"].get("value", [])]
                made[name] = Feature(int64_list=Int64List(value=numbers))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise errors.value_error(
            "DecodeJSONExample", f"Error while parsing JSON example: {error!r}"
        ) from None
    return Example(features=Features(feature=made))


# ------------------------------------------------------------------------------------------ parsing

FixedLenFeature = namedtuple(
    "FixedLenFeature", ["shape", "dtype", "default_value"], defaults=[None]
)
VarLenFeature = namedtuple("VarLenFeature", ["dtype"])
FixedLenSequenceFeature = namedtuple(
    "FixedLenSequenceFeature",
    ["shape", "dtype", "allow_missing", "default_value"],
    defaults=[False, None],
)
SparseFeature = namedtuple(
    "SparseFeature", ["index_key", "value_key", "dtype", "size", "already_sorted"], defaults=[False]
)
RaggedFeature = namedtuple(
    "RaggedFeature", ["dtype", "value_key", "partitions", "row_splits_dtype", "validate"],
    defaults=[None, (), dtypes.int32, False],
)  # fmt: skip
FixedLenFeature.__doc__ = (
    "A feature of a fixed shape: `shape`, `dtype`, and `default_value` where it may be missing."
)
VarLenFeature.__doc__ = "A feature of any length, parsed as a sparse tensor: `dtype`."
FixedLenSequenceFeature.__doc__ = (
    "A feature whose first dimension is of any length: `shape`, `dtype`, `allow_missing`, "
    "`default_value`."
)
SparseFeature.__doc__ = (
    "A sparse feature in two lists: `index_key`, `value_key`, `dtype`, `size`, `already_sorted`."
)
RaggedFeature.__doc__ = "A feature of any length, parsed as a padded tensor: `dtype`, `value_key`."

_LISTS = {"S": "bytes_list", "f": "float_list", "i": "int64_list"}


def _values(feature: Feature | None, dtype: dtypes.DType, name: str) -> list[Any] | None:
    """The values of a feature, or None where it is missing.

    Raises:
        InvalidArgumentError: If it is of another type.
    """
    kind = None if feature is None else feature.WhichOneof("kind")
    if kind is None:
        return None
    if dtype.name not in ("string", "float32", "int64"):
        raise ValueError(
            f"Feature {name!r}: dtype must be tf.string, tf.float32 or tf.int64, got {dtype!r}."
        )
    if kind != _LISTS[dtype.kind]:
        raise errors.dtype_error(
            "ParseExample",
            f"Key: {name}.  Data types don't match. Data type: {kind} but expected type: {dtype.name}",
        )
    return feature._lists[kind].value  # type: ignore[union-attr]


def _array(values: list[Any], dtype: dtypes.DType, shape: Any) -> np.ndarray:
    if dtype.kind == "S":
        out = np.empty(len(values), object)
        out[:] = values
        return out.reshape(shape)
    return np.array(values, dtype._numpy()).reshape(shape)


def _fixed(examples: list[Mapping[str, Feature]], name: str, spec: Any) -> np.ndarray:
    dtype, shape = dtypes.as_dtype(spec.dtype), as_shape(spec.shape)
    size = shape.num_elements()
    if size is None:
        raise ValueError(
            f"FixedLenFeature {name!r} needs a fully defined shape, got {shape}: use FixedLenSequenceFeature."
        )
    default = (
        None
        if spec.default_value is None
        else convert(spec.default_value, dtype)._array.reshape(-1).tolist()
    )
    rows: list[Any] = []
    for number, example in enumerate(examples):
        values = _values(example.get(name), dtype, name)
        if values is None:
            if default is None:
                raise errors.value_error(
                    "ParseExample",
                    f"Example {number}: Feature: {name} (data type: {dtype.name}) is required but could not be found.",
                )
            values = default * size if len(default) == 1 and size != 1 else default
        if len(values) != size:
            raise errors.shape_error(
                "ParseExample",
                f"Key: {name}.  Number of {dtype.name} values != expected.  Values "
                f"size: {len(values)} but output shape: {shape}",
            )
        rows += values
    return _array(rows, dtype, (len(examples), *shape))


def _sequence(examples: list[Mapping[str, Feature]], name: str, spec: Any) -> np.ndarray:
    dtype, shape = dtypes.as_dtype(spec.dtype), tuple(as_shape(spec.shape))
    step = int(np.prod(shape, dtype=np.int64))
    found = []
    for number, example in enumerate(examples):
        values = _values(example.get(name), dtype, name)
        if values is None and not spec.allow_missing:
            raise errors.value_error(
                "ParseExample",
                f"Example {number}: Feature: {name} is required but could not be found.",
            )
        if len(values or ()) % step:
            raise errors.shape_error(
                "ParseExample",
                f"Key: {name}, Index: {number}.  Number of values ({len(values or ())}) is no multiple of {step}.",
            )
        found.append(values or [])
    longest = max((len(v) for v in found), default=0)
    filler = (
        spec.default_value if spec.default_value is not None else (b"" if dtype.kind == "S" else 0)
    )
    filler = filler.encode() if isinstance(filler, str) else filler
    rows = [v + [filler] * (longest - len(v)) for v in found]
    return _array(
        [item for row in rows for item in row], dtype, (len(examples), longest // step, *shape)
    )


def _sparse(examples: list[Mapping[str, Feature]], name: str, spec: Any, single: bool) -> Any:
    from ..core import sparse

    dtype = dtypes.as_dtype(spec.dtype)
    indices: list[tuple[int, ...]] = []
    values: list[Any] = []
    longest = 0
    for number, example in enumerate(examples):
        row = _values(example.get(name), dtype, name) or []
        indices += [(place,) if single else (number, place) for place in range(len(row))]
        values += row
        longest = max(longest, len(row))
    shape = [longest] if single else [len(examples), longest]
    made = np.array(indices, np.int64).reshape(len(indices), len(shape))
    return sparse.SparseTensor(
        EagerTensor(made),
        EagerTensor(_array(values, dtype, -1)),
        EagerTensor(np.array(shape, np.int64)),
    )


def _sparse_of_two(
    examples: list[Mapping[str, Feature]], name: str, spec: Any, single: bool
) -> Any:
    from ..core import sparse

    dtype = dtypes.as_dtype(spec.dtype)
    indices, values = [], []
    for number, example in enumerate(examples):
        where = _values(example.get(spec.index_key), dtypes.int64, spec.index_key) or []
        what = _values(example.get(spec.value_key), dtype, spec.value_key) or []
        if len(where) != len(what):
            raise errors.shape_error(
                "ParseExample",
                f"Feature {name}: {len(where)} indices in {spec.index_key} and {len(what)} values in {spec.value_key}.",
            )
        for place, value in sorted(zip(where, what), key=lambda pair: pair[0]):
            indices.append((place,) if single else (number, place))
            values.append(value)
    shape = [spec.size] if single else [len(examples), spec.size]
    made = np.array(indices, np.int64).reshape(len(indices), len(shape))
    return sparse.SparseTensor(
        EagerTensor(made),
        EagerTensor(_array(values, dtype, -1)),
        EagerTensor(np.array(shape, np.int64)),
    )


def _parsed(
    features: list[Mapping[str, Feature]], specs: Mapping[str, Any], single: bool
) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name in sorted(specs):
        spec = specs[name]
        if isinstance(spec, FixedLenFeature):
            array = _fixed(features, name, spec)
        elif isinstance(spec, FixedLenSequenceFeature):
            array = _sequence(features, name, spec)
        elif isinstance(spec, RaggedFeature):
            array = _sequence(
                features, spec.value_key or name, FixedLenSequenceFeature([], spec.dtype, True)
            )
        elif isinstance(spec, VarLenFeature):
            made[name] = _sparse(features, name, spec, single)
            continue
        elif isinstance(spec, SparseFeature):
            made[name] = _sparse_of_two(features, name, spec, single)
            continue
        else:
            raise ValueError(
                f"Feature {name!r} must be described by FixedLenFeature, VarLenFeature, FixedLenSequenceFeature or "
                f"SparseFeature, got {spec!r}."
            )
        made[name] = EagerTensor(array[0, ...] if single else array)
    return made


def _messages(serialized: Any, kind: Any) -> list[Any]:
    strings = convert(serialized)
    if strings.dtype is not dtypes.string:
        raise errors.dtype_error(
            "ParseExample", f"`serialized` must be strings, got {strings.dtype.name}."
        )
    made = []
    for number, text in enumerate(strings._array.reshape(-1)):
        try:
            made.append(kind.FromString(text))
        except (errors.DataLossError, UnicodeDecodeError) as error:
            raise errors.value_error(
                "ParseExample",
                f"Could not parse example input {number}, value: {text[:40]!r}: {error}",
            ) from None
    return made


def parse_example(
    serialized: Any, features: Mapping[str, Any], example_names: Any = None, name: str | None = None
) -> dict[str, Any]:
    """Parses a vector of serialised examples into tensors.

    Args:
        serialized: String vector, each an `Example` (a scalar is parsed as by `parse_single_example`).
        features: name -> `FixedLenFeature`, `VarLenFeature`, `FixedLenSequenceFeature` or `SparseFeature`.
        example_names: Accepted for TensorFlow's sake.
        name: Accepted for TensorFlow's sake.

    Returns:
        name -> tensor with the batch as first dimension, or sparse tensor.

    Raises:
        InvalidArgumentError: If a feature is missing or does not fit.

    >>> example = Example(features=Features(feature={"a": Feature(float_list=FloatList(value=[1.0, 2.0]))}))
    >>> parse_example([example.SerializeToString()], {"a": FixedLenFeature([2], dtypes.float32)})["a"].numpy()
    array([[1., 2.]], dtype=float32)
    """
    if not features:
        raise ValueError("Missing: features was None or empty.")
    strings = convert(serialized)
    found = [m.features.feature for m in _messages(strings, Example)]
    return _parsed(found, features, strings._array.ndim == 0)


def parse_single_example(
    serialized: Any, features: Mapping[str, Any], example_names: Any = None, name: str | None = None
) -> dict[str, Any]:
    """Parses one serialised example into tensors; see `parse_example`.

    Args:
        serialized: String scalar.
        features: As in `parse_example`.
        example_names: Accepted for TensorFlow's sake.
        name: Accepted for TensorFlow's sake.
    """
    strings = convert(serialized)
    if strings._array.ndim:
        raise ValueError(
            f"Shape {strings.shape} must have rank 0: use parse_example for several examples."
        )
    return parse_example(strings, features)


def parse_single_sequence_example(
    serialized: Any,
    context_features: Any = None,
    sequence_features: Any = None,
    example_name: Any = None,
    name: str | None = None,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Parses one serialised `SequenceExample`.

    Args:
        serialized: String scalar.
        context_features: name -> description of the features of the whole.
        sequence_features: name -> `FixedLenSequenceFeature` or `VarLenFeature` of the steps.
        example_name: Accepted for TensorFlow's sake.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensors of the whole by name, and tensors of the steps by name (steps first).
    """
    message = _messages(serialized, SequenceExample)[0]
    whole = _parsed([message.context.feature], context_features, True) if context_features else {}
    steps: dict[str, Any] = {}
    for key in sorted(sequence_features or {}):
        spec = sequence_features[key]
        there = message.feature_lists.feature_list
        if key not in there and not getattr(spec, "allow_missing", True):
            raise errors.value_error(
                "ParseSingleSequenceExample",
                f"Feature list '{key}' is required but could not be found.",
            )
        rows = [{key: feature} for feature in (there[key].feature if key in there else [])]
        if isinstance(spec, VarLenFeature):
            steps[key] = _sparse(rows, key, spec, False)
        else:
            made = _fixed(rows, key, FixedLenFeature(spec.shape, spec.dtype))
            steps[key] = EagerTensor(made)
    return whole, steps


for _cls in (
    BytesList, Example, Feature, FeatureList, FeatureLists, Features, FloatList, Int64List,
    SequenceExample, FixedLenFeature,
    FixedLenSequenceFeature, RaggedFeature, SparseFeature, VarLenFeature,
):  # fmt: skip
    _cls.__module__ = "eagercore"
