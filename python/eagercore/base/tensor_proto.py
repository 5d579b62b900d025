"""Arrays as TensorFlow's TensorProto messages, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import dtypes, errors, wire
from .shapes import TensorShape


def encode_shape(shape: tuple[int, ...]) -> bytes:
    """A TensorShapeProto."""
    writer = wire.Writer()
    for extent in shape:
        writer.block(2, wire.Writer().whole(1, extent).finish() if extent else b"")
    return writer.finish()


def decode_shape(data: Any) -> TensorShape:
    """The shape in a TensorShapeProto."""
    dims: list[int | None] = []
    for number, value in wire.fields(data):
        if number == 3 and value:
            return TensorShape(None)
        if number == 2:
            sizes = [wire.signed(v) for n, v in wire.fields(value) if n == 1]
            dims.append(None if sizes and sizes[0] < 0 else sizes[0] if sizes else 0)
    return TensorShape(dims)


def encode_tensor(array: Any) -> bytes:
    """A TensorProto of an array (strings as bytes in an object array)."""
    dtype = dtypes.of_array(array)
    writer = wire.Writer().whole(1, dtype.as_datatype_enum).block(2, encode_shape(array.shape))
    if dtype.kind == "S":
        for item in array.reshape(-1):
            writer.block(8, item)
    else:
        little = (
            array.astype(array.dtype.newbyteorder("<"), copy=False)
            if array.dtype.kind in "iufc"
            else array
        )
        writer.block(4, np.ascontiguousarray(little).tobytes())
    return writer.finish()


#: Which field holds the values of a type when they are not in one block of bytes.
_REPEATED = {
    "float32": (5, "<f4"), "float64": (6, "<f8"), "complex64": (9, "<f4"), "complex128": (12, "<f8"),
    "int32": (7, None), "int16": (7, None), "int8": (7, None), "uint8": (7, None), "uint16": (7, None),
    "int64": (10, None), "bool": (11, None), "uint32": (16, None), "uint64": (17, None), "float16": (13, None),
    "bfloat16": (13, None),
}  # fmt: skip


def decode_tensor(data: Any) -> Any:
    """The array in a TensorProto.

    Raises:
        InvalidArgumentError: If the message is no tensor.
    """
    dtype: Any = None
    shape = TensorShape([])
    content = None
    strings: list[bytes] = []
    values: dict[int, list[Any]] = {}
    try:
        for number, value in wire.fields(data):
            if number == 1:
                dtype = dtypes.as_dtype(value)
            elif number == 2:
                shape = decode_shape(value)
            elif number == 4:
                content = value
            elif number == 8:
                strings.append(bytes(value))
            else:
                values.setdefault(number, []).append(value)
    except (errors.DataLossError, TypeError, ValueError, AttributeError):
        dtype = None
    if dtype is None or not shape.is_fully_defined():
        raise errors.value_error(
            "ParseTensor", "Could not parse the bytes as a serialized tensor (TensorProto)."
        )
    dims = tuple(d or 0 for d in shape)
    if dtype.kind == "S":
        return _filled(np.array(strings + [b""], dtype=object)[: len(strings)], dims, object)
    if content is not None:
        kind = dtype._numpy()
        try:
            return (
                np.frombuffer(content, kind.newbyteorder("<") if kind.kind in "iufc" else kind)
                .astype(kind)
                .reshape(dims)
            )
        except ValueError as error:
            raise errors.value_error(
                "ParseTensor", f"The serialized tensor is damaged: {error}."
            ) from None
    return _filled(_listed(values, dtype), dims, dtype._numpy())


def _listed(values: dict[int, list[Any]], dtype: dtypes.DType) -> Any:
    number, kind = _REPEATED[dtype.name]
    found = values.get(number, [])
    if kind is not None:
        flat = (
            np.concatenate([np.frombuffer(v, kind) for v in found]) if found else np.zeros(0, kind)
        )
        return flat.view(dtype._numpy()) if dtype.kind == "c" else flat
    ints = [i for v in found for i in wire.unpack_ints(v)]
    if number == 13:
        return np.array(ints, np.uint16).view(dtype._numpy())
    return np.array(ints, np.int64 if dtype.name != "uint64" else object).astype(dtype._numpy())


def _filled(flat: Any, shape: tuple[int, ...], kind: Any) -> Any:
    """The last value stands for all that are left out."""
    count = int(np.prod(shape, dtype=np.int64))
    out = np.empty(count, kind)
    out[: len(flat)] = flat[:count]
    if len(flat) < count:
        out[len(flat) :] = flat[-1] if len(flat) else (b"" if out.dtype == object else 0)
    return out.reshape(shape)
