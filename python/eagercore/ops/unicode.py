"""Strings as characters of Unicode."""

from __future__ import annotations

import unicodedata

import numpy as np

from ..base import errors
from ..core import coerce
from ..core.op import elementwise
from ..core.tensor import convert
from .create import constant
from .ragged import RaggedTensor
from .strings import _each, _objects, _rows_of

CODECS = {
    "UTF-8": "utf-8", "UTF8": "utf-8", "UTF-16-BE": "utf-16-be", "UTF-32-BE": "utf-32-be", "UTF-16": "utf-16",
    "UTF-32": "utf-32", "US-ASCII": "ascii", "ASCII": "ascii", "LATIN1": "latin-1", "ISO-8859-1": "latin-1",
}  # fmt: skip


def _codec(encoding):
    import codecs

    name = CODECS.get(str(encoding).upper(), str(encoding))
    try:
        codecs.lookup(name)
    except LookupError:
        raise errors.value_error(
            "UnicodeTranscode", f"Could not create converter for input encoding: {encoding}"
        ) from None
    return name


def _characters(data, encoding, mode, replacement, control):
    """The characters of a byte string and where each begins."""
    codec = _codec(encoding)
    found, offsets, place = [], [], 0
    text = data.decode(
        codec, errors="surrogateescape" if codec in ("utf-8", "ascii") else "replace"
    )
    for character in text:
        code = ord(character)
        bad = 0xDC80 <= code <= 0xDCFF
        size = 1 if bad else len(character.encode(codec, errors="replace"))
        begin, place = place, place + size
        if bad or character == "\ufffd" and codec not in ("utf-8", "ascii"):
            if mode == "strict":
                raise errors.value_error(
                    "UnicodeDecode", f"Invalid formatting on input string {data!r}"
                )
            if mode == "ignore":
                continue
            code = replacement
        elif control and (code < 32 or 127 <= code < 160):
            code = replacement
        found.append(code)
        offsets.append(begin)
    return found, offsets


def _mode(value):
    if value not in ("strict", "replace", "ignore"):
        raise ValueError(f"errors must be one of 'strict', 'replace', 'ignore', got {value!r}.")
    return value


def unicode_decode(
    input,
    input_encoding,
    errors="replace",
    replacement_char=65533,
    replace_control_characters=False,
    name=None,
):
    """The code points of each string.

    Args:
        input: String tensor.
        input_encoding: Such as "UTF-8", "UTF-16-BE".
        errors: "replace" (default), "ignore" or "strict".
        replacement_char: Code point that stands for what cannot be read. Default 65533.
        replace_control_characters: Whether control characters are replaced too.
        name: Accepted for TensorFlow's sake.

    Returns:
        int32 `RaggedTensor` of one rank more; a tensor for a scalar.

    Raises:
        InvalidArgumentError: If a string cannot be read and `errors` is "strict".

    >>> unicode_decode("abc", "UTF-8").numpy()
    array([97, 98, 99], dtype=int32)
    """
    mode = _mode(errors)
    return _rows_of(
        input,
        lambda s: _characters(
            s, input_encoding, mode, replacement_char, replace_control_characters
        )[0],
        np.int32,
    )


def unicode_decode_with_offsets(
    input,
    input_encoding,
    errors="replace",
    replacement_char=65533,
    replace_control_characters=False,
    name=None,
):
    """The code points of each string, and the bytes where they begin.

    Args:
        input: String tensor.
        input_encoding: Such as "UTF-8", "UTF-16-BE".
        errors: "replace" (default), "ignore" or "strict".
        replacement_char: Code point that stands for what cannot be read. Default 65533.
        replace_control_characters: Whether control characters are replaced too.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tuple (int32 code points, int64 offsets).

    >>> [t.numpy().tolist() for t in unicode_decode_with_offsets("ab", "UTF-8")]
    [[97, 98], [0, 1]]
    """
    mode = _mode(errors)
    attributes = (input_encoding, mode, replacement_char, replace_control_characters)
    return (
        _rows_of(input, lambda s: _characters(s, *attributes)[0], np.int32),
        _rows_of(input, lambda s: _characters(s, *attributes)[1], np.int64),
    )


def unicode_split(input, input_encoding, errors="replace", replacement_char=65533, name=None):
    """The characters of each string, as strings.

    Args:
        input: String tensor.
        input_encoding: Such as "UTF-8".
        errors: "replace" (default), "ignore" or "strict".
        replacement_char: Code point that stands for what cannot be read. Default 65533.
        name: Accepted for TensorFlow's sake.

    Returns:
        String `RaggedTensor` of one rank more; a tensor for a scalar.

    >>> unicode_split("ab", "UTF-8").numpy()
    array([b'a', b'b'], dtype=object)
    """
    mode, codec = _mode(errors), _codec(input_encoding)

    def parts(s):
        return [
            chr(c).encode(codec)
            for c in _characters(s, input_encoding, mode, replacement_char, False)[0]
        ]

    return _rows_of(input, parts)


def unicode_split_with_offsets(
    input, input_encoding, errors="replace", replacement_char=65533, name=None
):
    """The characters of each string, as strings, and the bytes where they begin.

    Args:
        input: String tensor.
        input_encoding: Such as "UTF-8".
        errors: "replace" (default), "ignore" or "strict".
        replacement_char: Code point that stands for what cannot be read. Default 65533.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tuple (strings, int64 offsets).

    >>> [t.numpy().tolist() for t in unicode_split_with_offsets("ab", "UTF-8")]
    [[b'a', b'b'], [0, 1]]
    """
    mode = _mode(errors)
    offsets = _rows_of(
        input, lambda s: _characters(s, input_encoding, mode, replacement_char, False)[1], np.int64
    )
    return unicode_split(input, input_encoding, errors, replacement_char), offsets


def unicode_encode(input, output_encoding, errors="replace", replacement_char=65533, name=None):
    """Code points along the last axis as strings.

    Args:
        input: int32 tensor or `RaggedTensor` [..., n].
        output_encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
        errors: "replace" (default), "ignore" or "strict".
        replacement_char: Code point that stands for what is none. Default 65533.
        name: Accepted for TensorFlow's sake.

    Returns:
        String tensor [...] (or `RaggedTensor`).

    Raises:
        InvalidArgumentError: If a number is no code point and `errors` is "strict".

    >>> unicode_encode([97, 98], "UTF-8").numpy()
    b'ab'
    """
    mode, codec = _mode(errors), _codec(output_encoding)

    def written(codes):
        return "".join(_character(int(c), mode, replacement_char) for c in codes).encode(codec)

    if isinstance(input, RaggedTensor):
        if input.ragged_rank > 1:
            return input.with_values(
                unicode_encode(input.values, output_encoding, errors, replacement_char)
            )
        return constant(_objects([written(row) for row in input.to_list()]))
    array = np.asarray(coerce.plain(convert(input)))
    out = np.empty(array.shape[:-1], object)
    for place in np.ndindex(out.shape):
        out[place] = written(array[place])
    return constant(out) if out.ndim else constant(out[()])


def _character(code, mode, replacement):
    if 0 <= code < 0x110000 and not 0xD800 <= code < 0xE000:
        return chr(code)
    if mode == "strict":
        raise errors.value_error(
            "UnicodeEncode", f"Code point is out of range for Unicode, or a noncharacter: {code}."
        )
    return "" if mode == "ignore" else chr(replacement)


@elementwise(kinds="O", differentiable=False, label="UnicodeTranscode")
def unicode_transcode_op(
    xp, input, *, input_encoding: str = "UTF-8", output_encoding: str = "UTF-8", mode: str = "replace",
    replacement_char: int = 65533, replace_control_characters: bool = False,
):  # fmt: skip
    """Strings in another encoding.

    Args:
        input: String tensor.
        input_encoding: Such as "UTF-8".
        output_encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
        mode: "replace" (default), "ignore" or "strict".
        replacement_char: Code point that stands for what cannot be read. Default 65533.
        replace_control_characters: Whether control characters are replaced too.

    Returns:
        String tensor of the shape of `input`.

    >>> unicode_transcode_op(["a"], output_encoding="UTF-16-BE").numpy()
    array([b'\\x00a'], dtype=object)
    """
    codec = _codec(output_encoding)

    def turned(s):
        codes = _characters(s, input_encoding, mode, replacement_char, replace_control_characters)[
            0
        ]
        return "".join(map(chr, codes)).encode(codec, errors="replace")

    return _each(turned, input)


def unicode_transcode(
    input, input_encoding, output_encoding, errors="replace", replacement_char=65533, replace_control_characters=False,
    name=None,
):  # fmt: skip
    """Strings in another encoding.

    Args:
        input: String tensor.
        input_encoding: Such as "UTF-8".
        output_encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
        errors: "replace" (default), "ignore" or "strict".
        replacement_char: Code point that stands for what cannot be read. Default 65533.
        replace_control_characters: Whether control characters are replaced too.
        name: Accepted for TensorFlow's sake.

    Returns:
        String tensor of the shape of `input`.

    >>> unicode_transcode(["a"], "UTF-8", "UTF-16-BE").numpy()
    array([b'\\x00a'], dtype=object)
    """
    return unicode_transcode_op(
        input, input_encoding=input_encoding, output_encoding=output_encoding, mode=_mode(errors),
        replacement_char=replacement_char, replace_control_characters=replace_control_characters,
    )  # fmt: skip


#: ICU's numbers of scripts, by the first word of a character's name.
SCRIPTS = {
    "LATIN": 25, "GREEK": 14, "CYRILLIC": 8, "ARMENIAN": 3, "HEBREW": 19, "ARABIC": 2, "DEVANAGARI": 10, "BENGALI": 4,
    "GURMUKHI": 16, "GUJARATI": 15, "TAMIL": 35, "TELUGU": 36, "KANNADA": 21, "MALAYALAM": 26, "THAI": 38, "LAO": 24,
    "TIBETAN": 39, "MYANMAR": 28, "GEORGIAN": 12, "HANGUL": 18, "ETHIOPIC": 11, "KHMER": 23, "MONGOLIAN": 27,
    "HIRAGANA": 20, "KATAKANA": 22, "BOPOMOFO": 5, "CJK": 17, "SINHALA": 33, "SYRIAC": 34, "THAANA": 37,
}  # fmt: skip


@elementwise(kinds="i", differentiable=False, label="UnicodeScript")
def unicode_script(xp, input):
    """The script to which each code point belongs, by ICU's numbers.

    Args:
        input: int32 tensor of code points.

    Returns:
        int32 tensor of the shape of `input`: 25 for Latin, 8 for Cyrillic ...; 0 for what many scripts share, -1
        for what is no code point.

    >>> unicode_script([97, 49, 1103]).numpy()
    array([25,  0,  8], dtype=int32)
    """

    def number(code):
        if not 0 <= code < 0x110000:
            return -1
        name = unicodedata.name(chr(int(code)), "")
        letter = unicodedata.category(chr(int(code)))[0] in "LM"
        return SCRIPTS.get(name.split(" ")[0], 0) if letter else 0

    return _each(number, input, dtype=np.int32)
