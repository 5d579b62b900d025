"""Shapes that may be partly unknown, and the description of a tensor before it exists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from . import dtypes


class Dimension(int):
    """One known dimension as TensorFlow 1 spelled it: an int that has `.value`."""

    @property
    def value(self) -> int:
        """The int itself."""
        return int(self)


def as_dimension(value: Any) -> int | None:
    """An int or None from what people write for one dimension."""
    if value is None or type(value) is int:
        return value
    inner = getattr(value, "value", value)
    if inner is None:
        return None
    try:
        whole = int(inner)
        if whole != inner:
            raise TypeError
    except (TypeError, ValueError):
        raise TypeError(
            f"Dimension value must be a whole number or None, got {value!r} of type {type(value).__name__}."
        ) from None
    return whole


class TensorShape:
    """Shape of a tensor: ints, None for a dimension that is not known, or unknown altogether.

    Args:
        dims: Iterable of ints and Nones, an int, another shape, or None when not even the rank is known.
    """

    __slots__ = ("_dims",)

    def __init__(self, dims: Any = None) -> None:
        if dims is None:
            self._dims: tuple[int | None, ...] | None = None
        elif type(dims) is TensorShape:
            self._dims = dims._dims
        elif isinstance(dims, Iterable):
            self._dims = tuple([d if type(d) is int else as_dimension(d) for d in dims])
            for dim in self._dims:
                if dim is not None and dim < 0:
                    raise ValueError(f"Dimension {dim} must be >= 0")
        else:
            self._dims = (as_dimension(dims),)

    @property
    def dims(self) -> list[int | None] | None:
        """The dimensions as a list, or None when the rank is not known."""
        return None if self._dims is None else list(self._dims)

    @property
    def rank(self) -> int | None:
        """Number of dimensions, or None."""
        return None if self._dims is None else len(self._dims)

    ndims = rank

    def as_list(self) -> list[int | None]:
        """The dimensions as a list of ints and Nones."""
        return list(self._known("as_list"))

    def _known(self, what: str) -> tuple[int | None, ...]:
        if self._dims is None:
            raise ValueError(f"{what}() is not defined on an unknown TensorShape.")
        return self._dims

    def as_proto(self) -> dict[str, Any]:
        """The shape as a plain dictionary."""
        return {
            "unknown_rank": self._dims is None,
            "dim": [] if self._dims is None else list(self._dims),
        }

    def num_elements(self) -> int | None:
        """Product of the dimensions, or None when it is not known."""
        if not self.is_fully_defined():
            return None
        total = 1
        for dim in self._dims or ():
            total *= dim or 0
        return total

    def is_fully_defined(self) -> bool:
        """Whether every dimension is known."""
        return self._dims is not None and None not in self._dims

    def assert_is_fully_defined(self) -> None:
        """Raises ValueError unless every dimension is known."""
        if not self.is_fully_defined():
            raise ValueError(f"Shape {self} is not fully defined")

    def is_compatible_with(self, other: Any) -> bool:
        """Whether one tensor could have both shapes."""
        other = as_shape(other)
        if self._dims is None or other._dims is None:
            return True
        return len(self._dims) == len(other._dims) and all(
            a is None or b is None or a == b for a, b in zip(self._dims, other._dims, strict=True)
        )

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raises ValueError unless one tensor could have both shapes."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {as_shape(other)} are incompatible")

    def is_subtype_of(self, other: Any) -> bool:
        """Whether every tensor of this shape has the other shape too."""
        other = as_shape(other)
        if other._dims is None:
            return True
        return (
            self._dims is not None
            and len(self._dims) == len(other._dims)
            and all(b is None or a == b for a, b in zip(self._dims, other._dims, strict=True))
        )

    def assert_has_rank(self, rank: int) -> None:
        """Raises ValueError unless the rank is `rank` or not known."""
        if self.rank not in (None, rank):
            raise ValueError(f"Shape {self} must have rank {rank}")

    def assert_same_rank(self, other: Any) -> None:
        """Raises ValueError when both ranks are known and differ."""
        other = as_shape(other)
        if self.rank is not None and other.rank is not None and self.rank != other.rank:
            raise ValueError(f"Shapes {self} and {other} must have the same rank")

    def merge_with(self, other: Any) -> TensorShape:
        """The shape that knows what either knows; ValueError when they contradict."""
        other = as_shape(other)
        self.assert_is_compatible_with(other)
        if self._dims is None:
            return other
        if other._dims is None:
            return self
        return TensorShape(
            [b if a is None else a for a, b in zip(self._dims, other._dims, strict=True)]
        )

    def most_specific_common_supertype(self, others: Iterable[Any]) -> TensorShape:
        """The narrowest shape that this and all `others` have."""
        result = self
        for other in others:
            result = relax(result, as_shape(other))
        return result

    def concatenate(self, other: Any) -> TensorShape:
        """Dimensions of both, one after the other."""
        other = as_shape(other)
        if self._dims is None or other._dims is None:
            return TensorShape(None)
        return TensorShape(self._dims + other._dims)

    def with_rank(self, rank: int) -> TensorShape:
        """This shape, held to the rank `rank`."""
        if self._dims is None:
            return TensorShape([None] * rank)
        self.assert_has_rank(rank)
        return self

    def with_rank_at_least(self, rank: int) -> TensorShape:
        """This shape; ValueError when its rank is smaller than `rank`."""
        if self.rank is not None and self.rank < rank:
            raise ValueError(f"Shape {self} must have rank at least {rank}")
        return self

    def with_rank_at_most(self, rank: int) -> TensorShape:
        """This shape; ValueError when its rank is larger than `rank`."""
        if self.rank is not None and self.rank > rank:
            raise ValueError(f"Shape {self} must have rank at most {rank}")
        return self

    def __len__(self) -> int:
        if self._dims is None:
            raise ValueError("Cannot take the length of shape with unknown rank.")
        return len(self._dims)

    def __bool__(self) -> bool:
        return self._dims is not None

    def __iter__(self) -> Iterator[int | None]:
        if self._dims is None:
            raise ValueError("Cannot iterate over a shape with unknown rank.")
        return iter(self._dims)

    def __getitem__(self, key: Any) -> Any:
        if self._dims is None:
            return TensorShape(None) if isinstance(key, slice) else None
        if isinstance(key, slice):
            return TensorShape(self._dims[key])
        return self._dims[int(key)]

    def __add__(self, other: Any) -> TensorShape:
        return self.concatenate(other)

    def __radd__(self, other: Any) -> TensorShape:
        return as_shape(other).concatenate(self)

    def __eq__(self, other: object) -> bool:
        try:
            return self._dims == as_shape(other)._dims
        except (TypeError, ValueError):
            return False

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._dims)

    def __str__(self) -> str:
        if self._dims is None:
            return "<unknown>"
        return (
            f"({self._dims[0]},)"
            if len(self._dims) == 1
            else f"({', '.join(map(str, self._dims))})"
        )

    def __repr__(self) -> str:
        return "TensorShape(None)" if self._dims is None else f"TensorShape({list(self._dims)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorShape, (self._dims,)


def as_shape(value: Any) -> TensorShape:
    """`value` as a `TensorShape`."""
    return value if type(value) is TensorShape else TensorShape(value)


def relax(first: TensorShape, second: TensorShape) -> TensorShape:
    """The narrowest shape that covers both: where they differ nothing is known."""
    if first._dims is None or second._dims is None or len(first._dims) != len(second._dims):
        return TensorShape(None)
    return TensorShape(
        [a if a == b else None for a, b in zip(first._dims, second._dims, strict=True)]
    )


def broadcast_shapes(*shapes: TensorShape) -> TensorShape:
    """The shape to which all broadcast, where None stands for a dimension not known.

    Raises:
        ValueError: If two dimensions differ and neither is 1.
    """
    if any(s._dims is None for s in shapes):
        return TensorShape(None)
    rank = max((len(s) for s in shapes), default=0)
    result: list[int | None] = []
    for position in range(-rank, 0):
        found: int | None = 1
        for shape in shapes:
            dims = shape._dims or ()
            if len(dims) < -position:
                continue
            dim = dims[position]
            if dim == 1 or dim == found:
                continue
            if dim is None:
                found = None if found == 1 else found
            elif found == 1 or found is None:
                found = dim
            else:
                raise ValueError(f"Incompatible shapes: {list(shapes[0])} vs. {list(shapes[-1])}")
        result.append(found)
    return TensorShape(result)


class TensorSpec:
    """What is known of a tensor before it exists: shape, dtype and perhaps a name."""

    __slots__ = ("shape", "dtype", "name")

    def __init__(
        self, shape: Any = None, dtype: Any = dtypes.float32, name: str | None = None
    ) -> None:
        self.shape = as_shape(shape)
        self.dtype = dtypes.as_dtype(dtype)
        self.name = name

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> TensorSpec:
        """The spec that describes `tensor`."""
        return cls(tensor.shape, tensor.dtype, name)

    @classmethod
    def from_spec(cls, spec: Any, name: str | None = None) -> TensorSpec:
        """A copy of `spec`, perhaps under another name."""
        return cls(spec.shape, spec.dtype, name or spec.name)

    def is_compatible_with(self, other: Any) -> bool:
        """Whether `other` (a tensor or a spec) could be described by this spec."""
        return self.dtype == other.dtype and self.shape.is_compatible_with(other.shape)

    def most_specific_compatible_type(self, other: TensorSpec) -> TensorSpec:
        """The narrowest spec that describes both."""
        if self.dtype != other.dtype:
            raise ValueError(f"No spec is compatible with both {self} and {other}.")
        return TensorSpec(relax(self.shape, other.shape), self.dtype)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TensorSpec) and (self.shape, self.dtype, self.name) == (
            other.shape,
            other.dtype,
            other.name,
        )

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype))

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r})"


for _cls in (TensorShape, TensorSpec, Dimension):
    _cls.__module__ = "eagercore"
