"""Strings: bytes, and where an encoding is named, characters."""

from __future__ import annotations

import re

import numpy as np

from ..base import dtypes, errors
from ..base.shapes import TensorSpec, broadcast_shapes
from ..core import coerce
from ..core.coerce import Axis, DType, Ints
from ..core.op import elementwise, op
from ..core.tensor import convert
from . import string_hash
from .create import constant
from .ragged import RaggedTensor

TEXTS = "O"


def _each(function, *arrays, dtype=object):
    """A Python function of each element (of broadcast arrays)."""
    grids = np.broadcast_arrays(*arrays) if len(arrays) > 1 else arrays
    out = np.empty(grids[0].shape, dtype)
    flat = out.reshape(-1)
    for i, items in enumerate(zip(*(g.reshape(-1) for g in grids))):
        flat[i] = function(*items)
    return out


def _text(value, encoding="utf-8"):
    return value.decode(encoding, errors="replace")


def _check_encoding(encoding, name):
    if encoding not in ("", "utf-8"):
        raise errors.value_error(
            name, f"only utf-8 or '' (no encoding) is supported for `encoding`, got {encoding!r}."
        )


@elementwise(kinds=TEXTS, differentiable=False, label="StringLower")
def lower(xp, input, *, encoding: str = ""):
    """Capital letters made small ones.

    Args:
        input: String tensor.
        encoding: "" (only ASCII letters, default) or "utf-8".

    Returns:
        String tensor of the shape of `input`.

    >>> lower(["AbC"]).numpy()
    array([b'abc'], dtype=object)
    """
    _check_encoding(encoding, "StringLower")
    return _each(lambda s: _text(s).lower().encode() if encoding else s.lower(), input)


@elementwise(kinds=TEXTS, differentiable=False, label="StringUpper")
def upper(xp, input, *, encoding: str = ""):
    """Small letters made capital ones.

    Args:
        input: String tensor.
        encoding: "" (only ASCII letters, default) or "utf-8".

    Returns:
        String tensor of the shape of `input`.

    >>> upper(["AbC"]).numpy()
    array([b'ABC'], dtype=object)
    """
    _check_encoding(encoding, "StringUpper")
    return _each(lambda s: _text(s).upper().encode() if encoding else s.upper(), input)


@elementwise(kinds=TEXTS, differentiable=False, label="StringStrip")
def strip(xp, input):
    """Strings without white space at both ends.

    Args:
        input: String tensor.

    Returns:
        String tensor of the shape of `input`.

    >>> strip([" a b "]).numpy()
    array([b'a b'], dtype=object)
    """
    return _each(bytes.strip, input)


@elementwise(kinds=TEXTS, differentiable=False, label="StringLength", aliases={"string": "input"})
def length(xp, input, *, unit: str = "BYTE"):
    """Length of each string.

    Args:
        input: String tensor.
        unit: "BYTE" (default) or "UTF8_CHAR".

    Returns:
        int32 tensor of the shape of `input`.

    >>> length(["abc", ""]).numpy()
    array([3, 0], dtype=int32)
    """
    return _each(lambda s: len(_text(s)) if _unit(unit) else len(s), input, dtype=np.int32)


def _unit(unit):
    if unit not in ("BYTE", "UTF8_CHAR"):
        raise ValueError(f"unit must be 'BYTE' or 'UTF8_CHAR', got {unit!r}.")
    return unit == "UTF8_CHAR"


@op(differentiable=False, free=("pos", "len"), label="Substr")
def substr(xp, input, pos, len, *, unit: str = "BYTE"):
    """A part of each string.

    Args:
        input: String tensor.
        pos: Integer tensor: where the part begins, 0-based; negative ones count from the end.
        len: Integer tensor of the shape of `pos`: how long it is at most.
        unit: "BYTE" (default) or "UTF8_CHAR".

    Returns:
        String tensor; all three shapes broadcast.

    Raises:
        InvalidArgumentError: If a part begins outside its string.

    >>> substr(["hello"], 1, 3).numpy()
    array([b'ell'], dtype=object)
    """
    characters = _unit(unit)

    def cut(s, start, count):
        whole = _text(s) if characters else s
        size = whole.__len__()
        if not -size <= start <= size:
            raise errors.index_error("Substr", f"pos {start} out of range for string {s!r}")
        begin = start + size if start < 0 else start
        part = whole[begin : begin + max(int(count), 0)]
        return part.encode() if characters else part

    return _each(cut, input, pos, len)


@substr.shape_rule
def substr_rule(input, pos, len, *, unit):
    return TensorSpec(broadcast_shapes(input.shape, pos.shape, len.shape), input.dtype)


@substr.samples
def substr_samples(rng):
    yield (np.array([b"hello", b"world"], object), np.array(1), np.array(3)), {}
    yield (np.array(b"hello", object), np.array([1, -2]), np.array([2, 2])), {}


@op(kinds=TEXTS, differentiable=False, label="StringJoin")
def join_op(xp, *inputs, separator: str = ""):
    """Strings put together, element by element.

    Args:
        inputs: String tensors; scalars stand for any shape.
        separator: What stands between them.

    Returns:
        String tensor.

    >>> join_op([["a"], ["b"]], separator="-").numpy()
    array([b'a-b'], dtype=object)
    """
    between = _bytes(separator)
    return _each(lambda *parts: between.join(parts), *inputs)


def _bytes(text):
    return text.encode() if isinstance(text, str) else bytes(text)


@join_op.samples
def join_samples(rng):
    a = np.array([b"a", b"b"], object)
    yield ([a, np.array(b"x", object), a],), {"separator": "-"}


def join(inputs, separator="", name=None):
    """Strings put together, element by element.

    Args:
        inputs: List of string tensors; scalars stand for any shape.
        separator: What stands between them. Default nothing.
        name: Accepted for TensorFlow's sake.

    Returns:
        String tensor.

    >>> join(["a", ["b", "c"]], separator="-").numpy()
    array([b'a-b', b'a-c'], dtype=object)
    """
    if not inputs:
        return convert("")
    return join_op([convert(i) for i in inputs], separator=separator)


@op(kinds=TEXTS, differentiable=False, label="ReduceJoin")
def reduce_join_op(xp, inputs, *, axis: Axis = None, keepdims: bool = False, separator: str = ""):
    """Strings put together along axes.

    Args:
        inputs: String tensor.
        axis: Axes in the order in which they are joined; default all.
        keepdims: Whether joined axes stay, with size 1.
        separator: What stands between strings.

    Returns:
        String tensor.

    >>> reduce_join_op([["a", "b"], ["c", "d"]]).numpy()
    b'abcd'
    """
    rank = inputs.ndim
    axes = (
        list(range(rank))
        if axis is None
        else [a % rank for a in ((axis,) if isinstance(axis, int) else axis)]
    )
    between = _bytes(separator)
    out = inputs
    for a in reversed(axes):
        moved = np.moveaxis(out, a, -1)
        joined = np.empty(moved.shape[:-1], object)
        for place in np.ndindex(joined.shape):
            joined[place] = between.join(moved[place])
        out = np.expand_dims(joined, a)
    return (
        out if keepdims else out.reshape([d for i, d in enumerate(inputs.shape) if i not in axes])
    )


@reduce_join_op.samples
def reduce_join_samples(rng):
    a = np.array([[b"a", b"b"], [b"c", b"d"]], object)
    yield (a,), {"axis": 0, "separator": "+"}
    yield (a,), {"axis": (1, 0), "keepdims": True}
    yield (a,), {}


def reduce_join(
    inputs,
    axis=None,
    keepdims=None,
    separator="",
    name=None,
    keep_dims=None,
    reduction_indices=None,
):
    """Strings put together along axes.

    Args:
        inputs: String tensor.
        axis: Axes in the order in which they are joined; default all.
        keepdims: Whether joined axes stay, with size 1.
        separator: What stands between strings. Default nothing.
        name: Accepted for TensorFlow's sake.
        keep_dims: TensorFlow 1's name of `keepdims`.
        reduction_indices: TensorFlow 1's name of `axis`.

    Returns:
        String tensor.

    >>> reduce_join([["a", "b"], ["c", "d"]], axis=0).numpy()
    array([b'ac', b'bd'], dtype=object)
    """
    axis = reduction_indices if axis is None else axis
    return reduce_join_op(
        inputs,
        axis=axis,
        keepdims=bool(keep_dims if keepdims is None else keepdims),
        separator=separator,
    )


def unsorted_segment_join(inputs, segment_ids, num_segments, separator="", name=None):
    """Strings put together by segment.

    Args:
        inputs: String tensor [n].
        segment_ids: Integer tensor [n]; negative ones are left out.
        num_segments: Number of segments.
        separator: What stands between strings. Default nothing.
        name: Accepted for TensorFlow's sake.

    Returns:
        String tensor [num_segments].

    >>> unsorted_segment_join(["a", "b", "c"], [0, 1, 0], 2, separator=",").numpy()
    array([b'a,c', b'b'], dtype=object)
    """
    texts, ids = coerce.plain(convert(inputs)), np.asarray(coerce.plain(convert(segment_ids)))
    parts = [[] for _ in range(int(num_segments))]
    for text, i in zip(texts.reshape(-1), ids.reshape(-1), strict=True):
        if i >= 0:
            parts[i].append(text)
    between = _bytes(separator)
    return constant(_objects([between.join(p) for p in parts]))


def _objects(items):
    out = np.empty(len(items), object)
    out[:] = items
    return out


# ---------------------------------------------------------------------------------------------------- numbers, patterns


@elementwise(kinds="iufcbO", differentiable=False, label="AsString")
def as_string_op(
    xp,
    input,
    *,
    precision: int = -1,
    scientific: bool = False,
    shortest: bool = False,
    width: int = -1,
    fill: str = "",
):
    """Numbers as text.

    Args:
        input: Tensor of numbers, bools or strings.
        precision: Digits behind the point of floats.
        scientific: Whether floats are written with an exponent.
        shortest: Whether floats are written as short as they can be.
        width: Least length.
        fill: What fills up on the left.

    Returns:
        String tensor of the shape of `input`.

    >>> as_string_op([1.5, 2.0], precision=1).numpy()
    array([b'1.5', b'2.0'], dtype=object)
    """
    if scientific and shortest:
        raise errors.value_error("AsString", "Cannot select both scientific and shortest notation.")
    form = (
        "%"
        + fill
        + (str(width) if width > -1 else "")
        + (f".{precision}" if precision > -1 else "")
    )
    form += "e" if scientific else "g" if shortest else "f"
    plain = "%" + fill + (str(width) if width > -1 else "")

    def written(value):
        if isinstance(value, bytes):
            return value
        if isinstance(value, bool | np.bool_):
            return (plain + "s").replace("0", "") % ("true" if value else "false")
        if isinstance(value, complex | np.complexfloating):
            return f"({form},{form})" % (value.real, value.imag)
        if isinstance(value, np.integer | int):
            return (plain + "d") % int(value)
        return form % float(value)

    return _each(lambda v: _bytes(written(v)), input)


@as_string_op.samples
def as_string_samples(rng):
    yield (np.array([1.5, 2.25]),), {"precision": 1}
    yield (np.array([True, False]),), {}
    yield (np.array([3, -4], np.int32),), {"width": 4, "fill": "0"}


def as_string(input, precision=-1, scientific=False, shortest=False, width=-1, fill="", name=None):
    """Numbers as text.

    Args:
        input: Tensor of numbers, bools or strings.
        precision: Digits behind the point of floats; default 6.
        scientific: Whether floats are written with an exponent.
        shortest: Whether floats are written as short as they can be.
        width: Least length.
        fill: What fills up on the left: " " or "0".
        name: Accepted for TensorFlow's sake.

    Returns:
        String tensor of the shape of `input`.

    Raises:
        InvalidArgumentError: If both `scientific` and `shortest` are asked for.

    >>> as_string([1.5, 2.0]).numpy()
    array([b'1.500000', b'2.000000'], dtype=object)
    """
    return as_string_op(
        input, precision=precision, scientific=scientific, shortest=shortest, width=width, fill=fill
    )


@elementwise(kinds=TEXTS, differentiable=False, label="StringToNumber")
def to_number_op(xp, input, *, out_type: DType = dtypes.float32):
    """Text as numbers.

    Args:
        input: String tensor.
        out_type: float32 (default), float64, int32 or int64.

    Returns:
        Tensor of the shape of `input`.

    >>> to_number_op(["1.5"]).numpy()
    array([1.5], dtype=float32)
    """

    def number(text):
        try:
            clean = text.strip().decode()
            if "_" in clean:
                raise ValueError
            value = int(clean) if out_type.is_integer else float(clean)
        except (ValueError, UnicodeDecodeError):
            raise errors.value_error(
                "StringToNumber",
                f"StringToNumberOp could not correctly convert string: {_text(text)} to {out_type.name}.",
            ) from None
        if out_type.is_integer and not out_type.min <= value <= out_type.max:
            raise errors.value_error("StringToNumber", f"{value} does not fit {out_type.name}.")
        return value

    return _each(number, input, dtype=out_type._numpy())


@to_number_op.shape_rule
def to_number_rule(input, *, out_type):
    return TensorSpec(input.shape, out_type)


@to_number_op.samples
def to_number_samples(rng):
    yield (np.array([b"1.5", b" 2 ", b"1e3"], object),), {}
    yield (np.array([b"7"], object),), {"out_type": dtypes.int64}


def to_number(input, out_type=dtypes.float32, name=None, string_tensor=None):
    """Text as numbers.

    Args:
        input: String tensor.
        out_type: float32 (default), float64, int32 or int64.
        name: Accepted for TensorFlow's sake.
        string_tensor: TensorFlow 1's name of `input`.

    Returns:
        Tensor of the shape of `input`.

    Raises:
        InvalidArgumentError: If a string is no number of that type.

    >>> to_number(["1.5", "2"]).numpy()
    array([1.5, 2. ], dtype=float32)
    """
    return to_number_op(input if string_tensor is None else string_tensor, out_type=out_type)


def _pattern(pattern):
    """RE2's syntax as Python's: the same but for `\\C` and `\\z`."""
    text = _text(_bytes(coerce.plain(pattern) if not isinstance(pattern, str) else pattern))
    try:
        return re.compile(text.replace(r"\z", r"\Z"))
    except re.error as error:
        raise errors.value_error(
            "RegexReplace", f"Invalid pattern: {text}, error: {error}"
        ) from None


@elementwise(kinds=TEXTS, differentiable=False, label="RegexFullMatch")
def regex_full_match_op(xp, input, *, pattern: str):
    """Whether each string matches a pattern as a whole.

    Args:
        input: String tensor.
        pattern: Regular expression.

    Returns:
        Boolean tensor of the shape of `input`.

    >>> regex_full_match_op(["ab", "abc"], pattern="ab.").numpy()
    array([False,  True])
    """
    compiled = _pattern(pattern)
    return _each(lambda s: compiled.fullmatch(_text(s)) is not None, input, dtype=bool)


@regex_full_match_op.samples
def regex_full_match_samples(rng):
    yield (np.array([b"ab", b"abc"], object),), {"pattern": "ab."}


def regex_full_match(input, pattern, name=None):
    """Whether each string matches a regular expression as a whole.

    Args:
        input: String tensor.
        pattern: Regular expression.
        name: Accepted for TensorFlow's sake.

    Returns:
        Boolean tensor of the shape of `input`.

    Raises:
        InvalidArgumentError: If the pattern cannot be read.

    >>> regex_full_match(["ab", "abc"], "ab.").numpy()
    array([False,  True])
    """
    return regex_full_match_op(input, pattern=_plain_text(pattern))


def _plain_text(value):
    value = coerce.plain(value)
    if isinstance(value, np.ndarray):
        value = value.reshape(())[()]
    return value if isinstance(value, str) else _text(_bytes(value))


@elementwise(kinds=TEXTS, differentiable=False, label="RegexReplace")
def regex_replace_op(xp, input, *, pattern: str, rewrite: str, replace_global: bool = True):
    """What matches a pattern replaced.

    Args:
        input: String tensor.
        pattern: Regular expression.
        rewrite: What stands instead; `\\1` is the first group.
        replace_global: Whether all matches are replaced, else the first.

    Returns:
        String tensor of the shape of `input`.

    >>> regex_replace_op(["hello"], pattern="l", rewrite="L").numpy()
    array([b'heLLo'], dtype=object)
    """
    compiled = _pattern(pattern)

    def filled(match):
        # As in RE2 nothing is matched where the match before ended.
        nonlocal end
        start, after = match.span()
        if start == after == end:
            return ""
        end = after
        return re.sub(
            r"\\(\d|\\)",
            lambda m: "\\" if m.group(1) == "\\" else match.group(int(m.group(1))) or "",
            rewrite,
        )

    def replaced(text):
        nonlocal end
        end = -1
        return compiled.sub(filled, _text(text), 0 if replace_global else 1).encode()

    end = -1
    return _each(replaced, input)


@regex_replace_op.samples
def regex_replace_samples(rng):
    yield (np.array([b"hello", b"lo"], object),), {"pattern": "(o)", "rewrite": r"<\1>"}


def regex_replace(input, pattern, rewrite, replace_global=True, name=None):
    """What matches a regular expression replaced.

    Args:
        input: String tensor.
        pattern: Regular expression.
        rewrite: What stands instead; `\\\\1` is the first group.
        replace_global: Whether all matches are replaced (default), else the first.
        name: Accepted for TensorFlow's sake.

    Returns:
        String tensor of the shape of `input`.

    Raises:
        InvalidArgumentError: If the pattern cannot be read.

    >>> regex_replace(["hello"], "l", "L").numpy()
    array([b'heLLo'], dtype=object)
    """
    return regex_replace_op(
        input,
        pattern=_plain_text(pattern),
        rewrite=_plain_text(rewrite),
        replace_global=replace_global,
    )


def format(template, inputs, placeholder="{}", summarize=3, name=None):
    """Values written into a template.

    Args:
        template: Text with placeholders.
        inputs: Tensor, or list of tensors, one for each placeholder.
        placeholder: What is replaced. Default "{}".
        summarize: How many elements are shown at either end of each axis; -1 for all.
        name: Accepted for TensorFlow's sake.

    Returns:
        Scalar string tensor.

    Raises:
        ValueError: If there is not one placeholder for each value.

    >>> format("a {} b", [[1, 2]]).numpy()
    b'a [1 2] b'
    """
    from .debug import summary

    values = list(inputs) if isinstance(inputs, list | tuple) else [inputs]
    parts = template.split(placeholder)
    if len(parts) - 1 != len(values):
        raise ValueError(
            f"The template expects {len(parts) - 1} tensors, but there are {len(values)}: the number "
            "of placeholders must be that of the inputs."
        )
    text = parts[0]
    for value, part in zip(values, parts[1:], strict=True):
        text += summary(np.asarray(coerce.plain(convert(value))), summarize) + part
    return constant(text)


# ------------------------------------------------------------------------------------------------------------ hashes


def _hashed(function, label):
    def forward(xp, input, *, num_buckets: int):
        if num_buckets < 1:
            raise errors.value_error(label, f"num_buckets must be at least 1, got {num_buckets}.")
        return _each(lambda s: function(s) % num_buckets, input, dtype=np.int64)

    return forward


def _bucket_samples(rng):
    yield (np.array([b"a", b"bc", b""], object),), {"num_buckets": 7}


@elementwise(kinds=TEXTS, differentiable=False, label="StringToHashBucketFast")
def to_hash_bucket_fast(xp, input, *, num_buckets: int):
    """Each string's number by FarmHash, the same on every machine and in TensorFlow.

    Args:
        input: String tensor.
        num_buckets: Results are below this.

    Returns:
        int64 tensor of the shape of `input`.

    >>> to_hash_bucket_fast(["a", "b"], 10).numpy()
    array([9, 2])
    """
    return _hashed(string_hash.fingerprint, "StringToHashBucketFast")(
        xp, input, num_buckets=num_buckets
    )


@elementwise(
    kinds=TEXTS,
    differentiable=False,
    label="StringToHashBucket",
    aliases={"string_tensor": "input"},
)
def to_hash_bucket(xp, input, *, num_buckets: int):
    """Each string's number by TensorFlow 1's hash; `to_hash_bucket_fast` is better.

    Args:
        input: String tensor.
        num_buckets: Results are below this.

    Returns:
        int64 tensor of the shape of `input`.

    >>> to_hash_bucket(["a"], 1).numpy()
    array([0])
    """
    return _hashed(string_hash.hash64, "StringToHashBucket")(xp, input, num_buckets=num_buckets)


@elementwise(kinds=TEXTS, differentiable=False, label="StringToHashBucketStrong")
def to_hash_bucket_strong(xp, input, *, num_buckets: int, key: Ints):
    """Each string's number by SipHash with a key, which nobody can foresee who does not know it.

    Args:
        input: String tensor.
        num_buckets: Results are below this.
        key: Two integers.

    Returns:
        int64 tensor of the shape of `input`.

    >>> to_hash_bucket_strong(["a"], 1, [1, 2]).numpy()
    array([0])
    """
    if len(key) != 2:
        raise errors.value_error(
            "StringToHashBucketStrong", f"Key must have 2 elements, got {len(key)}."
        )
    return _each(lambda s: string_hash.siphash(s, tuple(key)) % num_buckets, input, dtype=np.int64)


to_hash_bucket_fast.samples(_bucket_samples)
to_hash_bucket.samples(_bucket_samples)


@to_hash_bucket_strong.samples
def to_hash_bucket_strong_samples(rng):
    yield (np.array([b"a", b"bc", b""], object),), {"num_buckets": 7, "key": (1, 2)}


@op(differentiable=False, label="Fingerprint")
def fingerprint_op(xp, data):
    """FarmHash's fingerprint of each row, as 8 bytes.

    Args:
        data: Tensor [rows, ...].

    Returns:
        uint8 tensor [rows, 8].

    >>> fingerprint_op([[1, 2]]).shape
    TensorShape([1, 8])
    """
    rows = []
    for row in np.ascontiguousarray(data).reshape(len(data), -1):
        if row.dtype == object:
            prints = b"".join(string_hash.fingerprint(s).to_bytes(8, "little") for s in row)
            number = (
                string_hash.fingerprint(row[0])
                if len(row) == 1
                else string_hash.fingerprint(prints)
            )
        else:
            number = string_hash.fingerprint(row.tobytes())
        rows.append(np.frombuffer(number.to_bytes(8, "little"), np.uint8))
    return np.array(rows, np.uint8).reshape(len(data), 8)


@fingerprint_op.samples
def fingerprint_samples(rng):
    yield (np.arange(6, dtype=np.int32).reshape(2, 3),), {}


def fingerprint(data, method="farmhash64", name=None):
    """FarmHash's fingerprint of each row, as 8 bytes.

    Args:
        data: Tensor [rows, ...].
        method: "farmhash64".
        name: Accepted for TensorFlow's sake.

    Returns:
        uint8 tensor [rows, 8].

    >>> fingerprint([[1, 2]]).shape
    TensorShape([1, 8])
    """
    if method != "farmhash64":
        raise errors.value_error("Fingerprint", f"Unsupported fingerprint method: {method}")
    return fingerprint_op(data)


# ------------------------------------------------------------------------------------------------------------- parts


def _rows_of(input, function, dtype=object):
    """A list for each string of a tensor, as a ragged tensor (a plain one for a scalar)."""
    if isinstance(input, RaggedTensor):
        return input.with_flat_values(_rows_of(input.flat_values, function, dtype))
    texts = np.asarray(coerce.plain(convert(input)), object)
    found = [function(s) for s in texts.reshape(-1)]
    items = [item for row in found for item in row]
    flat = constant(_objects(items) if dtype is object else np.array(items, dtype))
    if texts.ndim == 0:
        return flat
    made = RaggedTensor.from_row_lengths(flat, [len(row) for row in found])
    for size in reversed(texts.shape[1:]):
        made = RaggedTensor.from_uniform_row_length(made, size)
    return made


def split(input, sep=None, maxsplit=-1, name=None):
    """Strings split at a separator.

    Args:
        input: String tensor or `RaggedTensor`.
        sep: Separator; default white space, of which any run counts as one.
        maxsplit: How often each string is split at most; default as often as there are separators.
        name: Accepted for TensorFlow's sake.

    Returns:
        `RaggedTensor` of one rank more; a tensor for a scalar.

    >>> split(["a b", "c"])
    <tf.RaggedTensor [[b'a', b'b'], [b'c']]>
    """
    between = None if sep is None or sep in ("", b"") else _bytes(sep)
    return _rows_of(input, lambda s: s.split(between, maxsplit))


def bytes_split(input, name=None):
    """Strings split into their bytes.

    Args:
        input: String tensor or `RaggedTensor`.
        name: Accepted for TensorFlow's sake.

    Returns:
        `RaggedTensor` of one rank more; a tensor for a scalar.

    >>> bytes_split(["ab", "c"])
    <tf.RaggedTensor [[b'a', b'b'], [b'c']]>
    """
    return _rows_of(input, lambda s: [s[i : i + 1] for i in range(len(s))])


def ngrams(
    data,
    ngram_width,
    separator=" ",
    pad_values=None,
    padding_width=None,
    preserve_short_sequences=False,
    name=None,
):
    """Neighbouring strings of each row put together.

    Args:
        data: String tensor or `RaggedTensor` [..., n].
        ngram_width: How many are put together: a number, or several.
        separator: What stands between them. Default a space.
        pad_values: String, or pair of strings, put before and after each row; default none.
        padding_width: How many of them; default as many as the n-gram can use.
        preserve_short_sequences: Whether rows that are too short give themselves.
        name: Accepted for TensorFlow's sake.

    Returns:
        `RaggedTensor` (or a tensor for a vector).

    >>> ngrams(["a", "b", "c"], 2).numpy()
    array([b'a b', b'b c'], dtype=object)
    """
    widths = [ngram_width] if isinstance(ngram_width, int) else [int(w) for w in ngram_width]
    between = _bytes(separator)
    left, right = (
        (None, None)
        if pad_values is None
        else (pad_values, pad_values)
        if isinstance(pad_values, str | bytes)
        else pad_values
    )

    def row_of(row):
        made = []
        for width in widths:
            pads = (
                0
                if left is None
                else width - 1
                if padding_width is None
                else min(padding_width, width - 1)
            )
            full = [_bytes(left)] * pads + list(row) + [_bytes(right)] * pads if pads else list(row)
            grams = [between.join(full[i : i + width]) for i in range(len(full) - width + 1)]
            if not grams and preserve_short_sequences and full:
                grams = [between.join(full)]
            made.extend(grams)
        return made

    if not isinstance(data, RaggedTensor):
        data = convert(data)
        if data.shape.rank == 1:
            return constant(_objects(row_of(coerce.plain(data))))
        data = RaggedTensor.from_tensor(data, ragged_rank=data.shape.rank - 1)
    if data.ragged_rank > 1:
        return data.with_values(
            ngrams(
                data.values,
                ngram_width,
                separator,
                pad_values,
                padding_width,
                preserve_short_sequences,
            )
        )
    found = [row_of(row) for row in data.to_list()]
    flat = constant(_objects([g for row in found for g in row]))
    return RaggedTensor.from_row_lengths(flat, [len(row) for row in found])
