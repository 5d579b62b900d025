"""How TensorFlow writes windows: strides, paddings and data formats as plain, checked values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..base import errors
from ..base.windows import same_pair
from ..core import coerce
from ..core.tensor import Tensor, convert

FORMATS = {1: ("NWC", "NCW"), 2: ("NHWC", "NCHW"), 3: ("NDHWC", "NCDHW")}


def aliased(op: str, name: str, value: Any, /, **others: Any) -> Any:
    """An argument that has several names: the one that was given.

    Raises:
        TypeError: None was given, or more than one.
    """
    given = {name: value, **others}
    given = {key: value for key, value in given.items() if value is not None}
    if len(given) != 1:
        names = " / ".join([name, *others])
        what = "is missing" if not given else f"was given {len(given)} times"
        raise TypeError(f"{op}() argument '{names}' {what}.")
    return next(iter(given.values()))


def tensors(op: str, **values: Any) -> list[Tensor]:
    """Arguments as tensors; those that are not yet take the dtype of one that is."""
    dtype = next(
        (
            value.dtype
            for value in values.values()
            if isinstance(value, Tensor) or hasattr(value, "_read_array")
        ),
        None,
    )
    made = []
    for value in values.values():
        is_tensor = isinstance(value, Tensor) or hasattr(value, "_read_array")
        made.append(convert(value) if is_tensor else convert(value, dtype))
        dtype = dtype or made[-1].dtype
    return made


def spatial_rank(op: str, tensor: Any, allowed: Sequence[int]) -> int:
    """Number of spatial dimensions of [batch, *spatial, channels]."""
    rank = tensor.shape.rank
    if rank is None or rank - 2 not in allowed:
        wanted = " or ".join(str(count + 2) for count in allowed)
        raise errors.shape_error(
            op,
            f"{op} takes an input of rank {wanted}, got shape {tensor.shape}. It needs a batch "
            "dimension and a channel dimension: add them with tf.expand_dims.",
        )
    return rank - 2


def channels_first(op: str, data_format: str | None, rank: int) -> bool:
    """Whether the channels come before the spatial dimensions."""
    last, first = FORMATS[rank]
    if data_format in (None, last, "channels_last"):
        return False
    if data_format in (first, "channels_first"):
        return True
    raise errors.value_error(
        op,
        f"{op} over {rank} spatial dimension(s) takes data_format '{last}' or '{first}', "
        f"got {data_format!r}.",
    )


def per_dimension(op: str, name: str, value: Any, rank: int, first: bool) -> tuple[int, ...]:
    """One positive int for each spatial dimension.

    Args:
        op: Name of the op, for messages.
        name: Name of the argument, for messages.
        value: None (ones), an int, or a list of 1, `rank` or `rank + 2` ints.
        rank: Number of spatial dimensions.
        first: Whether the channels come first in a list of `rank + 2`.
    """
    if value is None:
        return (1,) * rank
    numbers = coerce.as_ints(value, op, name)
    if len(numbers) == rank + 2:
        outside = (numbers[0], numbers[1] if first else numbers[-1])
        if outside != (1, 1):
            raise errors.value_error(
                op,
                f"{op}: `{name}` must be 1 in the batch and channel dimensions, "
                f"got {list(numbers)}.",
            )
        numbers = numbers[2:] if first else numbers[1:-1]
    elif len(numbers) == 1:
        numbers = numbers * rank
    if len(numbers) != rank or min(numbers) < 1:
        raise errors.value_error(
            op,
            f"{op}: `{name}` must be a positive int, or {rank} or {rank + 2} of them, "
            f"got {value!r}.",
        )
    return tuple(numbers)


def padding_pairs(
    op: str,
    padding: Any,
    sizes: Sequence[int | None],
    window: Sequence[int],
    strides: Sequence[int],
    dilations: Sequence[int],
    first: bool = False,
) -> tuple[Any, ...]:
    """Padding (before, after) for each spatial dimension; None where "SAME" waits for the size."""
    rank = len(strides)
    if isinstance(padding, str):
        kind = padding.upper()
        if kind == "VALID":
            return ((0, 0),) * rank
        if kind == "SAME":
            return tuple(map(_same_or_open, sizes, window, strides, dilations))
    elif isinstance(padding, list | tuple) and len(padding) in (rank, rank + 2):
        pairs = tuple(coerce.as_ints(pair, op, "padding") for pair in padding)
        if len(pairs) == rank + 2:
            outside = (pairs[0], pairs[1] if first else pairs[-1])
            pairs = pairs[2:] if first else pairs[1:-1]
            if outside != ((0, 0), (0, 0)):
                pairs = ()
        if len(pairs) == rank and all(len(pair) == 2 and min(pair) >= 0 for pair in pairs):
            return pairs
    raise errors.value_error(
        op,
        f"{op}: `padding` must be 'SAME', 'VALID' or [before, after] for each dimension with "
        f"[0, 0] for batch and channels, got {padding!r}.",
    )


def _same_or_open(size: int | None, window: int, stride: int, dilation: int) -> Any:
    if size is not None:
        return same_pair(size, window, stride, dilation)
    # With stride 1 the padding does not depend on the size, so long as there is one.
    return same_pair(1 << 30, window, 1, dilation) if stride == 1 else None


def to_channels_last(tensor: Any, first: bool) -> Any:
    """The tensor with its channels moved to the end where they came first."""
    if not first:
        return tensor
    from .shape import transpose

    rank = len(tensor.shape)
    return transpose(tensor, perm=(0, *range(2, rank), 1))


def from_channels_last(tensor: Any, first: bool) -> Any:
    """The tensor with its channels moved back to where the caller has them."""
    if not first:
        return tensor
    from .shape import transpose

    rank = len(tensor.shape)
    return transpose(tensor, perm=(0, rank - 1, *range(1, rank - 1)))
