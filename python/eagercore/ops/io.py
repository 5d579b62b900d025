"""Files and the bytes in them: reading, writing, matching names, raw numbers, base64, CSV, serialised tensors."""

from __future__ import annotations

import base64
import binascii
import glob as globbing
import gzip
import os
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

from ..base import dtypes, errors
from ..base.shapes import TensorShape, TensorSpec
from ..base.tensor_proto import decode_tensor, encode_tensor
from ..core.coerce import DType
from ..core.op import barrier, op
from ..core.tensor import EagerTensor, convert
from . import csv_text


def each(function: Callable[[bytes], Any], strings: Any) -> np.ndarray:
    """`function` of each string, as an array of strings of the same shape."""
    out = np.empty(strings.shape, object)
    flat, source = out.reshape(-1), strings.reshape(-1)
    for place in range(flat.size):
        flat[place] = function(source[place])
    return out


def one_string(value: Any, what: str, op_name: str) -> bytes:
    """The string of a scalar.

    Raises:
        InvalidArgumentError: If it is none.
    """
    if value.size != 1:
        raise errors.shape_error(
            op_name,
            f"`{what}` must be one string, got shape {list(value.shape)}. Use tf.map_fn or Dataset.map for several.",
        )
    return value.reshape(())[()]


@barrier(differentiable=False, kinds="O")
def read_file(xp, filename):
    """The content of a file, as a string.

    Args:
        filename: Name of the file, a string scalar.

    Returns:
        String scalar.

    Raises:
        NotFoundError: If there is no such file.

    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "a.txt")
    >>> write_file(path, "hello")
    >>> read_file(path).numpy()
    b'hello'
    """
    path = one_string(filename, "filename", "ReadFile").decode()
    out = np.empty((), object)
    with opened(path, "rb") as file:
        out[()] = file.read()
    return out


@read_file.shape_rule
def read_file_rule(filename):
    return TensorSpec([], dtypes.string)


@read_file.samples
def read_file_samples(rng):
    yield (_strings(__file__),), {}


def _strings(*values: Any) -> np.ndarray:
    out = np.empty(len(values), object)
    out[:] = [v.encode() if isinstance(v, str) else v for v in values]
    return out.reshape(()) if len(values) == 1 else out


def opened(path: str, mode: str) -> Any:
    """An open file, or the engine's error.

    Raises:
        NotFoundError: If there is no such file or folder.
        FailedPreconditionError: If it is a folder.
        PermissionDeniedError: If the system refuses.
    """
    try:
        return open(path, mode)
    except FileNotFoundError:
        raise errors.NotFoundError(f"{path}; No such file or directory") from None
    except IsADirectoryError:
        raise errors.FailedPreconditionError(f"{path}; Is a directory") from None
    except PermissionError:
        raise errors.PermissionDeniedError(f"{path}; Permission denied") from None


@barrier(differentiable=False, outputs=1, kinds="O")
def write_file_op(xp, filename, contents):
    """Writes a string to a file and gives the number of bytes; folders are made.

    Args:
        filename: Name of the file, a string scalar.
        contents: String scalar.

    Returns:
        int64 scalar.

    >>> import os, tempfile
    >>> write_file_op(os.path.join(tempfile.mkdtemp(), "a"), "abc").numpy()
    np.int64(3)
    """
    path = one_string(filename, "filename", "WriteFile").decode()
    data = one_string(contents, "contents", "WriteFile")
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    temporary = f"{path}.{os.getpid()}.tmp"
    with opened(temporary, "wb") as file:
        file.write(data)
        file.flush()
    os.replace(temporary, path)
    return np.array(len(data), np.int64)


@write_file_op.shape_rule
def write_file_op_rule(filename, contents):
    return TensorSpec([], dtypes.int64)


@write_file_op.samples
def write_file_op_samples(rng):
    import tempfile

    yield (_strings(os.path.join(tempfile.gettempdir(), "eagercore-sample")), _strings("abc")), {}


def write_file(filename, contents, name=None):
    """Writes a string to a file; folders are made.

    Args:
        filename: Name of the file.
        contents: String scalar.
        name: Accepted for TensorFlow's sake.
    """
    made = write_file_op(filename, contents)
    return made if getattr(made, "_is_symbolic", False) else None


@barrier(differentiable=False, kinds="O", data_dependent=True)
def matching_files(xp, pattern):
    """Names of the files that match a pattern, sorted.

    Args:
        pattern: Pattern such as "images/*.jpg", or a vector of patterns.

    Returns:
        String vector.

    >>> matching_files("/no/such/folder/*").shape
    TensorShape([0])
    """
    found: set[str] = set()
    for one in pattern.reshape(-1):
        found.update(globbing.glob(one.decode(), recursive=True))
    out = np.empty(len(found), object)
    out[:] = [name.encode() for name in sorted(found)]
    return out


@matching_files.shape_rule
def matching_files_rule(pattern):
    return TensorSpec([None], dtypes.string)


@matching_files.samples
def matching_files_samples(rng):
    yield (_strings(os.path.join(os.path.dirname(__file__), "i*.py")),), {}


@op(differentiable=False, kinds="O", data_dependent=True, aliases={"bytes": "input_bytes"})
def decode_raw(
    xp, input_bytes, *, out_type: DType, little_endian: bool = True, fixed_length: int | None = None
):
    """The bytes of strings as numbers.

    Args:
        input_bytes: String tensor whose strings are of one length.
        out_type: Type of the numbers.
        little_endian: Whether the first byte of a number is its lowest.
        fixed_length: Bytes to take from each string: longer ones are cut, shorter ones end in zeros.

    Returns:
        Tensor of `out_type` with a dimension more than `input_bytes`.

    Raises:
        InvalidArgumentError: If lengths differ, or are no whole number of elements.

    >>> decode_raw(b"\\x01\\x00\\x02\\x00", "int16").numpy()
    array([1, 2], dtype=int16)
    """
    kind = out_type._numpy().newbyteorder("<" if little_endian else ">")
    items = [bytes(s) for s in input_bytes.reshape(-1)]
    if fixed_length is not None:
        items = [s[:fixed_length].ljust(fixed_length, b"\x00") for s in items]
    lengths = {len(s) for s in items}
    if len(lengths) > 1:
        raise errors.shape_error(
            "DecodeRaw",
            f"DecodeRaw requires input strings to all be the same size, but they have {sorted(lengths)} bytes. "
            "Use `fixed_length`.",
        )
    length = lengths.pop() if lengths else 0
    if length % kind.itemsize:
        raise errors.value_error(
            "DecodeRaw",
            f"Input to DecodeRaw has length {length} that is not a multiple of "
            f"{kind.itemsize}, the size of {out_type.name}",
        )
    flat = np.frombuffer(b"".join(items), kind).astype(kind.newbyteorder("="))
    return flat.reshape(*input_bytes.shape, length // kind.itemsize)


@decode_raw.shape_rule
def decode_raw_rule(input_bytes, *, out_type, little_endian, fixed_length):
    last = None if fixed_length is None else fixed_length // out_type.size
    return TensorSpec(input_bytes.shape.concatenate([last]), out_type)


@decode_raw.samples
def decode_raw_samples(rng):
    yield (_strings(b"\x00\x01\x02\x03", b"\x04\x05\x06\x07"),), {"out_type": dtypes.uint8}
    yield (
        (_strings(b"\x00\x01\x02\x03", b"\x04"),),
        {"out_type": dtypes.int16, "fixed_length": 4, "little_endian": False},
    )


def decode_padded_raw(input_bytes, out_type, fixed_length, little_endian=True, name=None):
    """`decode_raw` with a fixed length.

    Args:
        input_bytes: String tensor.
        out_type: Type of the numbers.
        fixed_length: Bytes of each string that count; shorter ones are filled up with zeros.
        little_endian: Whether the lowest byte comes first. Default True.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor of one rank more.
    """
    return decode_raw(input_bytes, out_type, little_endian, fixed_length)


@op(differentiable=False, kinds="O")
def encode_base64(xp, input, *, pad: bool = False):
    """Strings in web-safe base64.

    Args:
        input: String tensor.
        pad: Whether they end in "=" to a multiple of four characters.

    Returns:
        String tensor of the same shape.

    >>> encode_base64("hello").numpy()
    b'aGVsbG8'
    """
    coded = each(base64.urlsafe_b64encode, input)
    return coded if pad else each(lambda s: s.rstrip(b"="), coded)


@op(differentiable=False, kinds="O")
def decode_base64(xp, input):
    """Strings from web-safe base64, with or without "=" at the end.

    Args:
        input: String tensor.

    Returns:
        String tensor of the same shape.

    Raises:
        InvalidArgumentError: If a string is no base64.

    >>> decode_base64("aGVsbG8").numpy()
    b'hello'
    """
    return each(_decode_one, input)


def _decode_one(text: bytes) -> bytes:
    if set(text) & set(b"+/"):
        raise errors.value_error(
            "DecodeBase64", "Invalid character found in base64: web-safe base64 has '-' and '_'."
        )
    try:
        return base64.b64decode(text + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise errors.value_error("DecodeBase64", f"Input is no base64: {error}.") from None


def _same_strings(input, **attributes):
    return TensorSpec(input.shape, dtypes.string)


for _op in (encode_base64, decode_base64):
    _op.shape_rule(_same_strings)


@encode_base64.samples
def encode_base64_samples(rng):
    yield (_strings("ab", "", "\xff\xfe"),), {}
    yield (_strings("ab"),), {"pad": True}


@decode_base64.samples
def decode_base64_samples(rng):
    yield (_strings("YWI", ""),), {}


@op(differentiable=False, kinds="O")
def decode_compressed(xp, bytes, *, compression_type: str = ""):
    """Strings that were compressed.

    Args:
        bytes: String tensor.
        compression_type: "", "ZLIB" or "GZIP".

    Returns:
        String tensor of the same shape.

    >>> import zlib
    >>> decode_compressed(zlib.compress(b"abc"), "ZLIB").numpy()
    b'abc'
    """
    kinds = {"": lambda s: s, "ZLIB": zlib.decompress, "GZIP": gzip.decompress}
    if compression_type not in kinds:
        raise errors.value_error(
            "DecodeCompressed",
            f"Only '', 'ZLIB' and 'GZIP' are supported, got {compression_type!r}.",
        )
    try:
        return each(kinds[compression_type], bytes)
    except (zlib.error, OSError, EOFError) as error:
        raise errors.DataLossError(
            f"The string is not {compression_type}-compressed: {error}"
        ) from None


@decode_compressed.shape_rule
def decode_compressed_rule(bytes, *, compression_type):
    return TensorSpec(bytes.shape, dtypes.string)


@decode_compressed.samples
def decode_compressed_samples(rng):
    yield (_strings(zlib.compress(b"ab"), zlib.compress(b"")),), {"compression_type": "ZLIB"}


@op(differentiable=False)
def serialize_tensor(xp, tensor):
    """A tensor as a string, for `parse_tensor` (TensorFlow reads it, too).

    Args:
        tensor: Any tensor.

    Returns:
        String scalar.

    >>> parse_tensor(serialize_tensor([1, 2]), "int32").numpy()
    array([1, 2], dtype=int32)
    """
    out = np.empty((), object)
    out[()] = encode_tensor(tensor)
    return out


@serialize_tensor.shape_rule
def serialize_tensor_rule(tensor):
    return TensorSpec([], dtypes.string)


@serialize_tensor.samples
def serialize_tensor_samples(rng):
    yield (rng.normal(size=(2, 3)).astype(np.float32),), {}
    yield (_strings("ab", "c"),), {}


@op(differentiable=False, kinds="O", data_dependent=True)
def parse_tensor(xp, serialized, *, out_type: DType):
    """The tensor in a string that `serialize_tensor` made.

    Args:
        serialized: String scalar.
        out_type: Type that the tensor must have.

    Returns:
        Tensor of `out_type`.

    Raises:
        InvalidArgumentError: If the string is no tensor or of another type.

    >>> parse_tensor(serialize_tensor("a"), "string").numpy()
    b'a'
    """
    array = decode_tensor(one_string(serialized, "serialized", "ParseTensor"))
    found = dtypes.of_array(array)
    if found is not out_type:
        raise errors.dtype_error(
            "ParseTensor",
            f"Type mismatch between parsed tensor ({found.name}) and dtype ({out_type.name})",
        )
    return array


@parse_tensor.shape_rule
def parse_tensor_rule(serialized, *, out_type):
    return TensorSpec(TensorShape(None), out_type)


@parse_tensor.samples
def parse_tensor_samples(rng):
    yield (_strings(encode_tensor(np.arange(6).reshape(2, 3))),), {"out_type": dtypes.int64}


@op(differentiable=False, outputs=None, kinds="O")
def decode_csv_op(
    xp,
    records,
    *,
    defaults,
    field_delim: str,
    use_quote_delim: bool,
    na_value: str,
    select_cols=None,
):
    """Records of CSV text as columns; see `decode_csv`.

    Args:
        records: String tensor.
        defaults: Tuple of `Column`.
        field_delim: What stands between fields.
        use_quote_delim: Whether double quotes enclose fields.
        na_value: What else counts as an empty field.
        select_cols: Numbers of the columns to take, or None.

    Returns:
        A tensor for each column, of the shape of `records`.

    >>> decode_csv_op("1,a", defaults=(csv_text.Column(0),), field_delim=",", use_quote_delim=True, na_value="",
    ...               select_cols=(0,))[0].numpy()
    np.int32(1)
    """
    flat = list(records.reshape(-1))
    found = csv_text.columns(
        flat, list(defaults), field_delim, use_quote_delim, na_value, select_cols
    )
    return tuple(column.reshape(records.shape) for column in found)


@decode_csv_op.shape_rule
def decode_csv_op_rule(records, *, defaults, field_delim, use_quote_delim, na_value, select_cols):
    return tuple(TensorSpec(records.shape, column.dtype) for column in defaults)


@decode_csv_op.samples
def decode_csv_op_samples(rng):
    yield (
        (_strings("1,a", "2,b"),),
        {
            "defaults": (csv_text.Column(0), csv_text.Column("")), "field_delim": ",",
            "use_quote_delim": True, "na_value": "",
            "select_cols": None,
        },
    )  # fmt: skip


def decode_csv(
    records,
    record_defaults,
    field_delim=",",
    use_quote_delim=True,
    na_value="",
    select_cols=None,
    name=None,
):
    """Records of CSV text as columns.

    Args:
        records: String tensor, each string a record.
        record_defaults: For each column the value of an empty field, whose dtype is the column's; an empty tensor or a
            dtype where a field must be there.
        field_delim: What stands between fields.
        use_quote_delim: Whether double quotes enclose fields.
        na_value: What else counts as an empty field.
        select_cols: Numbers of the columns to take, ascending.
        name: Accepted for TensorFlow's sake.

    Returns:
        List of tensors, one for each column, of the shape of `records`.

    Raises:
        InvalidArgumentError: If a record has another number of fields, or a field does not fit.

    >>> [c.numpy().tolist() for c in decode_csv(["1,2.5", "3,"], [[0], [9.0]])]
    [[1, 3], [2.5, 9.0]]
    """
    columns = tuple(csv_text.Column(default) for default in record_defaults)
    if select_cols is not None:
        select_cols = tuple(int(c) for c in select_cols)
        if list(select_cols) != sorted(set(select_cols)):
            raise ValueError(f"`select_cols` must ascend and not repeat, got {list(select_cols)}.")
        if len(select_cols) != len(columns):
            raise ValueError(
                f"`record_defaults` has {len(columns)} columns and `select_cols` {len(select_cols)}."
            )
    made = decode_csv_op(
        records, defaults=columns, field_delim=field_delim, use_quote_delim=use_quote_delim, na_value=na_value,
        select_cols=select_cols,
    )  # fmt: skip
    return made if isinstance(made, list) else [made]


def match_filenames_once(pattern, name=None):
    """Names of the files that match, sorted (in TensorFlow 1 kept in a variable).

    Args:
        pattern: Pattern with `*`, `?` and `[...]`, or several.
        name: Accepted for TensorFlow's sake.

    Returns:
        String tensor.
    """
    return matching_files(pattern)


def decode_json_example(json_examples, name=None):
    """Examples written as JSON, as serialised examples.

    Args:
        json_examples: String tensor.
        name: Accepted for TensorFlow's sake.

    Returns:
        String tensor of the same shape.
    """
    from .example import example_from_json

    texts = convert(json_examples)
    return EagerTensor(each(lambda text: example_from_json(text).SerializeToString(), texts._array))
