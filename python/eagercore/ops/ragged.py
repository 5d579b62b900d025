"""RaggedTensor: rows of different lengths, kept as their joined values and where each row begins."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtypes, errors
from ..base.shapes import TensorShape
from ..core import coerce
from ..core.op import movement
from ..core.tensor import CONVERTERS, convert
from .arithmetic import maximum, multiply
from .create import cast, constant, ones_like, zeros_like
from .index import _whole, gather_op
from .reduce import reduce_sum
from .segment import unsorted_segment_sum
from .shape import concat, reshape, stack
from .sum_to import sum_to_like


@movement(free=("positions",), label="RaggedTensorToTensor")
def place_rows(xp, values, positions, default, *, count: int):
    """`count` copies of `default`, with the rows of `values` at given positions instead.

    Args:
        values: Tensor [n, ...].
        positions: Integer tensor [n], different numbers below `count`; negative ones are left out.
        default: Tensor of the same dtype that broadcasts to the shape of a row.
        count: Number of rows of the result.

    Returns:
        Tensor [count, ...].

    >>> place_rows([1, 2], [0, 2], 9, count=3).numpy()
    array([1, 9, 2], dtype=int32)
    """
    out = np.empty((count, *values.shape[1:]), values.dtype)
    out[...] = default
    keep = positions >= 0
    out[positions[keep]] = values[keep]
    return out


@place_rows.vjp
def place_rows_vjp(dy, _y, _values, positions, _default, *, count, needs):
    first = third = None
    if needs[0]:
        inside = _like_rows(positions >= 0, dy)
        first = multiply(gather_op(dy, maximum(positions, zeros_like(positions)), axis=0), inside)
    if needs[2]:
        hits = unsorted_segment_sum(ones_like(positions), positions, num_segments=count)
        third = sum_to_like(reduce_sum(multiply(dy, _like_rows(hits <= 0, dy)), axis=0), _default)
    return first, None, third


def _like_rows(mask, like):
    """A mask of rows as numbers that broadcast over the rows of `like`."""
    return reshape(cast(mask, like.dtype), (-1, *[1] * (like.shape.rank - 1)))


@place_rows.samples
def place_rows_samples(rng):
    yield (rng.normal(size=(3, 2)), np.array([3, 0, -1]), rng.normal(size=())), {"count": 5}


@place_rows.shape_rule
def place_rows_rule(values, positions, default, *, count):
    from ..base.shapes import TensorSpec

    if values.shape.rank is None:
        return TensorSpec(None, values.dtype)
    return TensorSpec([count if isinstance(count, int) else None, *values.shape[1:]], values.dtype)


class RaggedTensor:
    """A tensor whose rows have different lengths.

    Made by `tf.ragged.constant` and the class methods `from_row_splits`, `from_row_lengths`, `from_value_rowids`,
    `from_tensor` ...

    >>> RaggedTensor.from_row_lengths([1, 2, 3], [2, 0, 1])
    <tf.RaggedTensor [[1, 2], [], [3]]>
    """

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, values: Any, row_splits: Any) -> None:
        self._values, self._row_splits = values, row_splits

    # ------------------------------------------------------------------------------------------------------- making

    @classmethod
    def from_row_splits(
        cls, values: Any, row_splits: Any, name: Any = None, validate: bool = True
    ) -> RaggedTensor:
        """Rows that begin at `row_splits[i]` and end before `row_splits[i + 1]` of the joined values."""
        values, splits = _values(values), _int64(row_splits)
        if validate:
            array = coerce.plain(splits)
            if (
                array.ndim != 1
                or not len(array)
                or array[0] != 0
                or (np.diff(array) < 0).any()
                or array[-1] != _length(values)
            ):
                raise errors.value_error(
                    "RaggedFromRowSplits",
                    f"row_splits must begin with 0, never fall and end with the number of values, {_length(values)}; "
                    f"got {array.tolist()}.",
                )
        return cls(values, splits)

    @classmethod
    def from_row_lengths(
        cls, values: Any, row_lengths: Any, name: Any = None, validate: bool = True
    ) -> RaggedTensor:
        """Rows of given lengths."""
        lengths = np.asarray(coerce.plain(_int64(row_lengths)))
        return cls.from_row_splits(
            values, np.concatenate(([0], np.cumsum(lengths))).astype(np.int64), validate=validate
        )

    @classmethod
    def from_value_rowids(
        cls,
        values: Any,
        value_rowids: Any,
        nrows: Any = None,
        name: Any = None,
        validate: bool = True,
    ) -> RaggedTensor:
        """Rows to which each value says that it belongs; the row numbers never fall."""
        ids = np.asarray(coerce.plain(_int64(value_rowids)))
        count = (int(ids[-1]) + 1 if len(ids) else 0) if nrows is None else int(nrows)
        if validate and len(ids) and ((np.diff(ids) < 0).any() or ids[0] < 0 or ids[-1] >= count):
            raise errors.value_error(
                "RaggedFromValueRowIds", f"value_rowids must not fall and lie in [0, {count})."
            )
        return cls.from_row_lengths(
            values, np.bincount(ids, minlength=count).astype(np.int64), validate=validate
        )

    @classmethod
    def from_row_starts(
        cls, values: Any, row_starts: Any, name: Any = None, validate: bool = True
    ) -> RaggedTensor:
        """Rows that begin at `row_starts[i]`."""
        values = _values(values)
        starts = np.asarray(coerce.plain(_int64(row_starts)))
        return cls.from_row_splits(values, np.append(starts, _length(values)), validate=validate)

    @classmethod
    def from_row_limits(
        cls, values: Any, row_limits: Any, name: Any = None, validate: bool = True
    ) -> RaggedTensor:
        """Rows that end before `row_limits[i]`."""
        limits = np.asarray(coerce.plain(_int64(row_limits)))
        return cls.from_row_splits(values, np.concatenate(([0], limits)), validate=validate)

    @classmethod
    def from_uniform_row_length(
        cls,
        values: Any,
        uniform_row_length: Any,
        nrows: Any = None,
        validate: bool = True,
        name: Any = None,
    ) -> RaggedTensor:
        """Rows of one length."""
        values, length = _values(values), int(uniform_row_length)
        count = int(nrows) if nrows is not None else _length(values) // max(length, 1)
        return cls.from_row_splits(values, np.arange(count + 1) * length, validate=validate)

    @classmethod
    def from_nested_row_splits(
        cls, flat_values: Any, nested_row_splits: Any, name: Any = None, validate: bool = True
    ) -> RaggedTensor:
        """Several levels of rows, the outermost first."""
        made: Any = flat_values
        for splits in reversed(list(nested_row_splits)):
            made = cls.from_row_splits(made, splits, validate=validate)
        return made

    @classmethod
    def from_nested_row_lengths(
        cls, flat_values: Any, nested_row_lengths: Any, name: Any = None, validate: bool = True
    ) -> RaggedTensor:
        """Several levels of rows of given lengths, the outermost first."""
        made: Any = flat_values
        for lengths in reversed(list(nested_row_lengths)):
            made = cls.from_row_lengths(made, lengths, validate=validate)
        return made

    @classmethod
    def from_tensor(
        cls, tensor: Any, lengths: Any = None, padding: Any = None, ragged_rank: int = 1, name: Any = None,
        row_splits_dtype: Any = dtypes.int64,
    ) -> RaggedTensor:  # fmt: skip
        """Rows of a tensor, cut to `lengths` or where only `padding` follows."""
        tensor = convert(tensor)
        rows, width = tensor.shape[0], tensor.shape[1]
        rest = tuple(tensor.shape[2:])
        if lengths is not None and padding is not None:
            raise ValueError("Specify argument `lengths` or `padding`, but not both.")
        if padding is not None:
            filler = coerce.plain(
                convert(padding, tensor.dtype) if not hasattr(padding, "_key") else padding
            )
            other = coerce.plain(tensor) != filler
            other = other.reshape(rows, width, -1).any(axis=-1)
            lengths = np.where(other.any(axis=1), width - np.argmax(other[:, ::-1], axis=1), 0)
        if lengths is None:
            lengths = np.full(rows, width)
        lengths = np.clip(np.asarray(coerce.plain(_int64(lengths))), 0, width)
        keep = np.flatnonzero((np.arange(width) < lengths[:, None]).reshape(-1))
        values: Any = gather_op(reshape(tensor, (-1, *rest)), constant(keep), axis=0)
        if ragged_rank > 1:
            values = cls.from_tensor(values, ragged_rank=ragged_rank - 1)
        return cls.from_row_lengths(values, lengths.astype(np.int64))

    @classmethod
    def from_sparse(
        cls, st_input: Any, name: Any = None, row_splits_dtype: Any = dtypes.int64
    ) -> RaggedTensor:
        """Rows of a sparse matrix whose entries stand at the beginning of each row."""
        indices = np.asarray(st_input.indices)
        rows = int(np.asarray(st_input.dense_shape)[0])
        lengths = (
            np.bincount(indices[:, 0], minlength=rows) if len(indices) else np.zeros(rows, np.int64)
        )
        if (
            len(indices)
            and (indices[:, 1] != np.concatenate([np.arange(n) for n in lengths])).any()
        ):
            raise errors.value_error(
                "RaggedFromSparse",
                "SparseTensor is not right-ragged: rows must be filled from the left.",
            )
        return cls.from_row_lengths(st_input.values, lengths.astype(np.int64))

    # ------------------------------------------------------------------------------------------------------- looking

    @property
    def values(self) -> Any:
        """The rows joined: a tensor, or a ragged tensor where there are more levels."""
        return self._values

    @property
    def flat_values(self) -> Any:
        """The innermost values, joined."""
        return self._values.flat_values if isinstance(self._values, RaggedTensor) else self._values

    @property
    def row_splits(self) -> Any:
        """Where each row begins, and the number of values: int64 [rows + 1]."""
        return self._row_splits

    @property
    def nested_row_splits(self) -> tuple[Any, ...]:
        """`row_splits` of every level, the outermost first."""
        inner = self._values.nested_row_splits if isinstance(self._values, RaggedTensor) else ()
        return (self._row_splits, *inner)

    @property
    def ragged_rank(self) -> int:
        """Number of levels of rows."""
        return len(self.nested_row_splits)

    @property
    def dtype(self) -> Any:
        """Type of the values."""
        return self._values.dtype

    @property
    def shape(self) -> TensorShape:
        """Shape, with None for the ragged axes."""
        rows = len(coerce.plain(self._row_splits)) - 1
        return TensorShape([rows, None, *self._values.shape[1:]])

    def get_shape(self) -> TensorShape:
        """Shape, with None for the ragged axes."""
        return self.shape

    @property
    def uniform_row_length(self) -> None:
        """Length of all rows where it is known to be one: not here."""
        return None

    def _splits(self) -> np.ndarray:
        return np.asarray(coerce.plain(self._row_splits))

    def nrows(self, out_type: Any = None, name: Any = None) -> Any:
        """Number of rows, as a scalar tensor."""
        return constant(len(self._splits()) - 1, out_type or dtypes.int64)

    def nvals(self, out_type: Any = None, name: Any = None) -> Any:
        """Number of values of the outermost level, as a scalar tensor."""
        return constant(int(self._splits()[-1]), out_type or dtypes.int64)

    def row_lengths(self, axis: int = 1, name: Any = None) -> Any:
        """Length of each row, int64 [rows]."""
        if axis > 1 and isinstance(self._values, RaggedTensor):
            return self.with_values(self._values.row_lengths(axis - 1))
        return constant(np.diff(self._splits()))

    def nested_row_lengths(self, name: Any = None) -> tuple[Any, ...]:
        """Lengths of rows of every level, the outermost first."""
        return tuple(constant(np.diff(np.asarray(coerce.plain(s)))) for s in self.nested_row_splits)

    def row_starts(self, name: Any = None) -> Any:
        """Where each row begins."""
        return constant(self._splits()[:-1])

    def row_limits(self, name: Any = None) -> Any:
        """Where each row ends."""
        return constant(self._splits()[1:])

    def value_rowids(self, name: Any = None) -> Any:
        """For each value the row to which it belongs, int64."""
        splits = self._splits()
        return constant(np.repeat(np.arange(len(splits) - 1), np.diff(splits)))

    def bounding_shape(self, axis: Any = None, name: Any = None, out_type: Any = None) -> Any:
        """The smallest shape into which everything fits."""
        splits = self._splits()
        longest = int(np.diff(splits).max(initial=0))
        inner = (
            coerce.plain(self._values.bounding_shape())
            if isinstance(self._values, RaggedTensor)
            else np.array(tuple(self._values.shape))
        )
        whole = np.array([len(splits) - 1, longest, *inner[1:]], np.int64)
        made = whole if axis is None else whole[axis]
        return constant(made, out_type or dtypes.int64)

    # ------------------------------------------------------------------------------------------------------ changing

    def with_values(self, new_values: Any) -> RaggedTensor:
        """The same rows of other values."""
        return RaggedTensor(_values(new_values), self._row_splits)

    def with_flat_values(self, new_values: Any) -> RaggedTensor:
        """The same rows, on all levels, of other values."""
        if isinstance(self._values, RaggedTensor):
            return self.with_values(self._values.with_flat_values(new_values))
        return self.with_values(new_values)

    def merge_dims(self, outer_axis: int, inner_axis: int) -> Any:
        """Two neighbouring axes (0 and 1, say) made one."""
        if outer_axis == inner_axis:
            return self
        if outer_axis > 0:
            return self.with_values(self._values.merge_dims(outer_axis - 1, inner_axis - 1))
        made: Any = self
        for _ in range(inner_axis):
            if isinstance(made, RaggedTensor):
                made = made.values
            else:
                made = reshape(made, (-1, *made.shape[2:]))
        return made

    def to_tensor(self, default_value: Any = None, name: Any = None, shape: Any = None) -> Any:
        """A tensor in which shorter rows are filled up.

        Args:
            default_value: What fills up. Default 0 (or the empty string).
            name: Accepted for TensorFlow's sake.
            shape: Shape wanted; None stands for as large as needed. Longer rows are cut.

        Returns:
            Tensor.
        """
        wanted = (
            []
            if shape is None
            else list(TensorShape(shape) if not hasattr(shape, "_key") else coerce.plain(shape))
        )
        values = self._values
        if isinstance(values, RaggedTensor):
            inner = coerce.plain(values.bounding_shape())
            tail = wanted[2:] if len(wanted) > 2 else []
            full = [
                None,
                *(
                    int(t) if t is not None and t >= 0 else int(d)
                    for t, d in zip([*tail, *[None] * len(inner)], inner[1:])
                ),
            ]
            values = values.to_tensor(default_value, shape=full)
        splits = self._splits()
        lengths = np.diff(splits)
        width = int(lengths.max(initial=0))
        if len(wanted) > 1 and wanted[1] is not None and wanted[1] >= 0:
            width = int(wanted[1])
        rows = len(lengths)
        if wanted and wanted[0] is not None and wanted[0] >= 0:
            rows = int(wanted[0])
        row = np.repeat(np.arange(len(lengths)), lengths)
        column = np.arange(len(row)) - np.repeat(splits[:-1], lengths)
        positions = np.where((column < width) & (row < rows), row * width + column, -1)
        if default_value is None:
            default_value = constant(b"" if self.dtype == dtypes.string else 0, self.dtype)
        filled = place_rows(
            values, constant(positions.astype(np.int64)), default_value, count=rows * width
        )
        return reshape(filled, (rows, width, *values.shape[1:]))

    def to_sparse(self, name: Any = None) -> Any:
        """The values and their places as a `SparseTensor`."""
        from ..core.sparse import SparseTensor

        return SparseTensor(constant(self._places()), self.flat_values, self.bounding_shape())

    def _places(self) -> np.ndarray:
        splits = self._splits()
        lengths = np.diff(splits)
        row = np.repeat(np.arange(len(lengths)), lengths)
        column = np.arange(len(row)) - np.repeat(splits[:-1], lengths)
        outer = np.stack([row, column], axis=1).astype(np.int64)
        if not isinstance(self._values, RaggedTensor):
            return outer
        inner = self._values._places()
        return np.concatenate([outer[inner[:, 0]], inner[:, 1:]], axis=1)

    def to_list(self) -> list[Any]:
        """The rows as nested Python lists."""
        splits = self._splits()
        whole = (
            self._values.to_list()
            if isinstance(self._values, RaggedTensor)
            else coerce.plain(self._values).tolist()
        )
        return [whole[a:b] for a, b in zip(splits[:-1], splits[1:], strict=True)]

    def numpy(self) -> np.ndarray:
        """The rows as an array where all have one length, else as an array of arrays."""
        splits = self._splits()
        whole = (
            self._values.numpy()
            if isinstance(self._values, RaggedTensor)
            else coerce.plain(self._values)
        )
        rows = [whole[a:b] for a, b in zip(splits[:-1], splits[1:], strict=True)]
        if len({r.shape for r in rows}) == 1:
            return np.stack(rows)
        out = np.empty(len(rows), object)
        for i, r in enumerate(rows):
            out[i] = r
        return out

    def consumers(self) -> list[Any]:
        """Empty: eager tensors keep no graph."""
        return []

    # ----------------------------------------------------------------------------------------------------- operators

    def __len__(self) -> int:
        return len(self._splits()) - 1

    def __iter__(self) -> Any:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, key: Any) -> Any:
        key = key if isinstance(key, tuple) else (key,)
        first, rest = key[0], key[1:]
        splits = self._splits()
        if isinstance(first, slice):
            rows = range(*first.indices(len(self)))
            made = self._rows(rows)
            return made if not rest else _inner(made, rest)
        i = int(first)
        if not -len(self) <= i < len(self):
            raise errors.index_error(
                "RaggedGetItem", f"index {i} is out of range: there are {len(self)} rows."
            )
        i %= len(self)
        row = self._values[int(splits[i]) : int(splits[i + 1])]
        return row if not rest else row[rest if len(rest) > 1 else rest[0]]

    def _rows(self, rows: Any) -> RaggedTensor:
        splits = self._splits()
        lengths = np.diff(splits)
        picked = np.array([lengths[i] for i in rows], np.int64)
        order = np.concatenate(
            [np.arange(splits[i], splits[i + 1]) for i in rows] or [np.zeros(0, np.int64)]
        )
        values = (
            self._values._rows([int(o) for o in order])
            if isinstance(self._values, RaggedTensor)
            else gather_op(self._values, constant(order.astype(np.int64)), axis=0)
        )
        return RaggedTensor.from_row_lengths(values, picked)

    # What pipelines ask of a component that is no plain tensor.

    @property
    def _value_spec(self) -> RaggedTensorSpec:
        return RaggedTensorSpec(self.shape, self.dtype, self.ragged_rank)

    def _row(self, place: int) -> Any:
        return self[place]

    @classmethod
    def _stacked(cls, parts: list[Any]) -> RaggedTensor:
        made: RaggedTensor = ragged_stack(parts)
        return made

    def __repr__(self) -> str:
        return f"<tf.RaggedTensor {_shown(self.to_list())}>"

    __str__ = __repr__

    def __bool__(self) -> bool:
        raise TypeError("RaggedTensor may not be used as a boolean.")


def _shown(rows: Any) -> str:
    if isinstance(rows, list):
        return "[" + ", ".join(_shown(r) for r in rows) + "]"
    return repr(rows)


def _inner(ragged: RaggedTensor, rest: tuple[Any, ...]) -> Any:
    """The same part of every row."""
    key = rest[0] if len(rest) == 1 else rest
    rows = [row[key] for row in ragged]
    if isinstance(rest[0], slice):
        return RaggedTensor.from_row_lengths(concat(rows, axis=0), [len(r) for r in rows])
    return stack(rows)


def _values(values: Any) -> Any:
    return values if isinstance(values, RaggedTensor) else convert(values)


def _length(values: Any) -> int:
    return len(values) if isinstance(values, RaggedTensor) else int(values.shape[0])


def _int64(x: Any) -> Any:
    return cast(_whole(convert(x)), dtypes.int64)


def _to_dense(ragged: RaggedTensor, dtype: Any) -> Any:
    lengths = {len(row) for row in ragged.to_list()}
    if len(lengths) > 1:
        raise ValueError(
            "A RaggedTensor of rows of different lengths is no tensor: use to_tensor()."
        )
    made = ragged.to_tensor()
    return made if dtype is None else cast(made, dtype)


CONVERTERS.append((RaggedTensor, _to_dense))
RaggedTensor.__module__ = "eagercore"


class RaggedTensorSpec:
    """What is known of a ragged tensor: shape, dtype and number of levels.

    Args:
        shape: Shape, with None for the ragged axes.
        dtype: Type of the values.
        ragged_rank: Number of levels.
        row_splits_dtype: Type of the row splits.
    """

    def __init__(
        self,
        shape: Any = None,
        dtype: Any = dtypes.float32,
        ragged_rank: int | None = None,
        row_splits_dtype: Any = dtypes.int64,
    ) -> None:
        self.shape = TensorShape(shape)
        self.dtype = dtypes.as_dtype(dtype)
        self.ragged_rank = (
            max((self.shape.rank or 1) - 1, 0) if ragged_rank is None else ragged_rank
        )
        self.row_splits_dtype = dtypes.as_dtype(row_splits_dtype)

    @property
    def value_type(self) -> type:
        """`RaggedTensor`."""
        return RaggedTensor

    def __repr__(self) -> str:
        return f"RaggedTensorSpec({self.shape!r}, {self.dtype!r}, {self.ragged_rank}, {self.row_splits_dtype!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RaggedTensorSpec) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))


RaggedTensorSpec.__module__ = "eagercore"


# --------------------------------------------------------------------------------------------------------- functions


def ragged_constant(
    pylist: Any, dtype: Any = None, ragged_rank: Any = None, inner_shape: Any = None, name: Any = None,
    row_splits_dtype: Any = dtypes.int64,
) -> Any:  # fmt: skip
    """A ragged tensor from nested lists.

    Args:
        pylist: Nested lists of numbers or strings, all of one depth.
        dtype: Type of the values; default by the values.
        ragged_rank: Number of levels of rows; default the depth minus 1.
        inner_shape: Shape of the innermost values, or None.
        name: Accepted for TensorFlow's sake.
        row_splits_dtype: Accepted for TensorFlow's sake.

    Returns:
        `RaggedTensor`, or a tensor where the lists are not nested.

    Raises:
        ValueError: If the lists have different depths.

    >>> ragged_constant([[1, 2], [], [3]])
    <tf.RaggedTensor [[1, 2], [], [3]]>
    """
    depth = _depth(pylist)
    if inner_shape is not None and ragged_rank is None:
        ragged_rank = depth - 1 - len(TensorShape(inner_shape))
    levels = depth - 1 if ragged_rank is None else int(ragged_rank)
    if levels <= 0:
        return constant(pylist, dtype)
    splits, rows = [], list(pylist)
    for _ in range(levels):
        if not all(isinstance(r, list | tuple | np.ndarray) for r in rows):
            raise ValueError(f"all scalar values of {pylist!r} must have the same nesting depth")
        splits.append(np.concatenate(([0], np.cumsum([len(r) for r in rows]))).astype(np.int64))
        rows = [item for r in rows for item in r]
    if any(isinstance(r, list | tuple) for r in rows) and depth - 1 == levels:
        raise ValueError(f"all scalar values of {pylist!r} must have the same nesting depth")
    flat = (
        constant(rows, dtype)
        if rows
        else constant(np.zeros((0,), np.float32), None)
        if dtype is None
        else constant([], dtype)
    )
    return RaggedTensor.from_nested_row_splits(flat, splits, validate=False)


def _depth(value: Any) -> int:
    if isinstance(value, np.ndarray):
        return value.ndim
    if not isinstance(value, list | tuple):
        return 0
    return 1 + max((_depth(v) for v in value), default=0)


def ragged_range(
    starts: Any,
    limits: Any = None,
    deltas: Any = 1,
    dtype: Any = None,
    name: Any = None,
    row_splits_dtype: Any = dtypes.int64,
) -> Any:
    """Rows of ranges of numbers.

    Args:
        starts: First numbers; alone, the limits, and the first numbers are 0.
        limits: Bounds, which are not reached.
        deltas: Steps. Default 1.
        dtype: Type of the result.
        name: Accepted for TensorFlow's sake.
        row_splits_dtype: Accepted for TensorFlow's sake.

    Returns:
        `RaggedTensor`.

    >>> ragged_range([3, 2])
    <tf.RaggedTensor [[0, 1, 2], [0, 1]]>
    """
    if limits is None:
        starts, limits = 0, starts
    parts = [
        coerce.plain(convert(p) if dtype is None else cast(convert(p), dtype))
        for p in (starts, limits, deltas)
    ]
    a, b, c = np.broadcast_arrays(*parts)
    rows = [
        np.arange(x, y, z, dtype=parts[0].dtype)
        for x, y, z in zip(a.reshape(-1), b.reshape(-1), c.reshape(-1), strict=True)
    ]
    flat = np.concatenate(rows) if rows else np.zeros(0, parts[0].dtype)
    return RaggedTensor.from_row_lengths(constant(flat), np.array([len(r) for r in rows], np.int64))


def map_flat_values(op: Any, *args: Any, **kwargs: Any) -> Any:
    """A function of the innermost values, the rows kept.

    Args:
        op: Function.
        *args: Its arguments; ragged ones (which have the same rows) are given by their values.
        **kwargs: Likewise.

    Returns:
        `RaggedTensor`.

    >>> map_flat_values(lambda x: x * 2, ragged_constant([[1, 2], [3]]))
    <tf.RaggedTensor [[2, 4], [6]]>
    """
    found = [a for a in (*args, *kwargs.values()) if isinstance(a, RaggedTensor)]
    made = op(
        *(a.flat_values if isinstance(a, RaggedTensor) else a for a in args),
        **{k: a.flat_values if isinstance(a, RaggedTensor) else a for k, a in kwargs.items()},
    )
    return found[0].with_flat_values(made) if found else made


def boolean_mask(data: Any, mask: Any, name: Any = None) -> Any:
    """The elements of each row where the mask is true.

    Args:
        data: Tensor or `RaggedTensor` [rows, ...].
        mask: Boolean tensor or `RaggedTensor` of the same rows.
        name: Accepted for TensorFlow's sake.

    Returns:
        `RaggedTensor`.

    >>> boolean_mask([[1, 2], [3, 4]], [[True, False], [False, False]])
    <tf.RaggedTensor [[1], []]>
    """
    if not isinstance(data, RaggedTensor):
        data = RaggedTensor.from_tensor(data)
    if not isinstance(mask, RaggedTensor):
        mask = RaggedTensor.from_tensor(mask)
    keep = np.asarray(coerce.plain(mask.flat_values), bool)
    ids = coerce.plain(data.value_rowids())
    values = gather_op(data.values, constant(np.flatnonzero(keep)), axis=0)
    return RaggedTensor.from_value_rowids(values, ids[keep], nrows=len(data))


def ragged_stack(values: Any, axis: int = 0, name: Any = None) -> Any:
    """Tensors of different lengths as the rows of a ragged tensor.

    Args:
        values: List of tensors or ragged tensors.
        axis: 0 (default).
        name: Accepted for TensorFlow's sake.

    Returns:
        `RaggedTensor`.

    >>> ragged_stack([[1, 2], [3]])
    <tf.RaggedTensor [[1, 2], [3]]>
    """
    if axis != 0:
        raise errors.UnimplementedError("tf.ragged.stack works along axis 0.")
    rows = [v if isinstance(v, RaggedTensor) else convert(v) for v in values]
    if any(isinstance(r, RaggedTensor) for r in rows):
        inner = [r if isinstance(r, RaggedTensor) else RaggedTensor.from_tensor(r) for r in rows]
        lengths = np.concatenate([coerce.plain(r.row_lengths()) for r in inner])
        flat = concat([r.values for r in inner], axis=0)
        return RaggedTensor.from_row_lengths(
            RaggedTensor.from_row_lengths(flat, lengths), [len(r) for r in inner]
        )
    return RaggedTensor.from_row_lengths(concat(rows, axis=0), [r.shape[0] for r in rows])


def row_splits_to_segment_ids(splits: Any, name: Any = None, out_type: Any = None) -> Any:
    """For each value the row to which it belongs.

    Args:
        splits: Integer tensor [rows + 1].
        name: Accepted for TensorFlow's sake.
        out_type: Type of the result; default that of `splits`.

    Returns:
        Integer tensor [values].

    >>> row_splits_to_segment_ids([0, 2, 3]).numpy()
    array([0, 0, 1], dtype=int32)
    """
    splits = _whole(splits)
    array = coerce.plain(splits)
    ids = np.repeat(np.arange(len(array) - 1), np.diff(array))
    return constant(ids.astype((dtypes.as_dtype(out_type) if out_type else splits.dtype)._numpy()))


def segment_ids_to_row_splits(
    segment_ids: Any, num_segments: Any = None, out_type: Any = None, name: Any = None
) -> Any:
    """Where each row begins, from the rows to which the values belong.

    Args:
        segment_ids: Integer tensor [values], never falling.
        num_segments: Number of rows; default the largest id plus 1.
        out_type: Type of the result; default that of `segment_ids`.
        name: Accepted for TensorFlow's sake.

    Returns:
        Integer tensor [rows + 1].

    >>> segment_ids_to_row_splits([0, 0, 1]).numpy()
    array([0, 2, 3], dtype=int32)
    """
    ids = _whole(segment_ids)
    array = coerce.plain(ids)
    count = (
        (int(array.max()) + 1 if array.size else 0) if num_segments is None else int(num_segments)
    )
    splits = np.concatenate(([0], np.cumsum(np.bincount(array, minlength=count))))
    return constant(splits.astype((dtypes.as_dtype(out_type) if out_type else ids.dtype)._numpy()))


def stack_dynamic_partitions(
    data: Any, partitions: Any, num_partitions: Any, name: Any = None
) -> Any:
    """The elements of `data` as rows by group.

    Args:
        data: Tensor [n, ...].
        partitions: Integer tensor [n]: the group of each element.
        num_partitions: Number of groups.
        name: Accepted for TensorFlow's sake.

    Returns:
        `RaggedTensor`.

    >>> stack_dynamic_partitions([1, 2, 3], [1, 0, 1], 2)
    <tf.RaggedTensor [[2], [1, 3]]>
    """
    from .partition import dynamic_partition

    parts = dynamic_partition(data, partitions, num_partitions)
    return RaggedTensor.from_row_lengths(concat(parts, axis=0), [p.shape[0] for p in parts])
