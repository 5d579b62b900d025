"""Functions over the rows of tensors: map_fn, scan, foldl, foldr, vectorized_map."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base import dtypes, nest
from ..base.context import context
from ..base.shapes import TensorShape, TensorSpec
from ..core.tensor import convert
from ..ops.create import zeros
from ..ops.shape import shape as shape_of
from ..ops.shape import stack
from .control import while_loop
from .tensor_array import TensorArray


def _rows(elems: Any, what: str) -> tuple[list[Any], Any]:
    """The flat tensors, and the number of their rows: an int where it is known."""
    flat = [convert(e) for e in nest.flatten(elems)]
    if not flat:
        raise ValueError(f"{what}: elems must hold at least one tensor.")
    for tensor in flat:
        if tensor.shape.rank == 0:
            raise ValueError(
                f"{what}: elements in elems must be 1+ dimensional Tensors, not scalars: {tensor!r}."
            )
    known = {t.shape[0] for t in flat if t.shape.rank is not None} - {None}
    if len(known) > 1:
        raise ValueError(
            f"{what}: all of elems must have the same number of rows, got {sorted(known)}."
        )
    return flat, known.pop() if known else None


def _stacked(results: list[Any], like: Any, dtype: Any) -> Any:
    if results:
        return nest.map_structure(lambda *rows: stack([convert(r) for r in rows]), *results)
    return nest.map_structure(
        lambda d: zeros([0], getattr(d, "dtype", d)), like if dtype is None else dtype
    )


def _signature(dtype: Any, elems: Any) -> Any:
    """Dtypes of the results in their structure: as told, else those of the elements."""
    if dtype is None:
        return nest.map_structure(lambda e: convert(e).dtype, elems)
    return nest.map_structure(lambda d: getattr(d, "dtype", None) or dtypes.as_dtype(d), dtype)


def map_fn(
    fn: Callable[..., Any], elems: Any, dtype: Any = None, parallel_iterations: int | None = None,
    back_prop: bool = True,
    swap_memory: bool = False, infer_shape: bool = True, name: str | None = None, fn_output_signature: Any = None,
) -> Any:  # fmt: skip
    """`fn` applied to each row of `elems`, the results stacked.

    Args:
        fn: Function of one row (a structure, where `elems` is one).
        elems: Tensor, or structure of tensors with the same number of rows.
        dtype: Dtype (or structure of dtypes) of the results, where it differs from that of `elems`.
        parallel_iterations: Accepted for TensorFlow's sake.
        back_prop: Whether gradients flow through. Default True.
        swap_memory: Accepted for TensorFlow's sake.
        infer_shape: Whether all results must have one shape.
        name: Accepted for TensorFlow's sake.
        fn_output_signature: Newer name of `dtype`; `tf.TensorSpec`s are good too.

    Returns:
        The results, in the structure in which `fn` returned them.

    >>> map_fn(lambda x: x * x, convert([1, 2, 3])).numpy()
    array([1, 4, 9], dtype=int32)
    """
    told = dtype if fn_output_signature is None else fn_output_signature
    flat, count = _rows(elems, "map_fn")
    if context.graph is None:
        results = [
            fn(nest.pack_sequence_as(elems, [t[i] for t in flat])) for i in range(count or 0)
        ]
        made = _stacked(results, nest.map_structure(convert, elems), _signature(told, elems))
        return made if back_prop else _stopped(made)
    if count is not None and count <= 8 and count > 0:
        results = [fn(nest.pack_sequence_as(elems, [t[i] for t in flat])) for i in range(count)]
        return _stacked(results, None, None)
    return _map_in_graph(fn, elems, flat, count, told, back_prop)


def _stopped(made: Any) -> Any:
    from ..ops.create import stop_gradient

    return nest.map_structure(stop_gradient, made)


def _map_in_graph(
    fn: Any, elems: Any, flat: list[Any], count: Any, told: Any, back_prop: bool
) -> Any:
    number = convert(count) if count is not None else shape_of(flat[0])[0]
    kinds = _signature(told, elems)
    arrays = [TensorArray(k, size=number, infer_shape=False) for k in nest.flatten(kinds)]
    learned: list[TensorShape] = [TensorShape(None)] * len(arrays)

    def body(i: Any, arrays: list[Any]) -> Any:
        value = fn(nest.pack_sequence_as(elems, [t[i] for t in flat]))
        leaves = [convert(v) for v in nest.flatten(value)]
        if len(leaves) != len(arrays):
            raise ValueError(
                f"map_fn: fn returned {len(leaves)} tensors, dtype tells of {len(arrays)}. Give "
                f"`fn_output_signature` in the "
                "structure that fn returns."
            )
        for position, leaf in enumerate(leaves):
            if leaf.dtype is not arrays[position].dtype:
                raise TypeError(
                    f"map_fn: fn returned {leaf.dtype.name}, `fn_output_signature` (or dtype) says "
                    f"{arrays[position].dtype.name}."
                )
            learned[position] = leaf.shape
        return i + 1, [a.write(i, leaf) for a, leaf in zip(arrays, leaves, strict=True)]

    _, final = while_loop(lambda i, _: i < number, body, (convert(0), arrays), back_prop=back_prop)
    made = [_shaped(a, s, count) for a, s in zip(final, learned, strict=True)]
    return nest.pack_sequence_as(kinds, made)


def _shaped(array: TensorArray, element: TensorShape, count: Any) -> Any:
    """An array stacked, with all that is known of its shape."""
    made = array._like(array._items, array._flow, element).stack()
    if element.rank is not None and getattr(made, "_is_symbolic", False):
        made.set_shape(TensorShape([count, *element]))
    return made


def vectorized_map(
    fn: Callable[..., Any], elems: Any, fallback_to_while_loop: bool = True, warn: bool = True
) -> Any:
    """`fn` applied to each row of `elems`; the dtypes of the results are found out.

    Args:
        fn: Function of one row.
        elems: Tensor, or structure of tensors with the same number of rows.
        fallback_to_while_loop: Accepted for TensorFlow's sake.
        warn: Accepted for TensorFlow's sake.

    Returns:
        The results, in the structure in which `fn` returned them.

    >>> vectorized_map(lambda x: x + 1, convert([1, 2])).numpy()
    array([2, 3], dtype=int32)
    """
    flat, count = _rows(elems, "vectorized_map")
    if context.graph is None:
        if count == 0:
            # A row of zeros tells what the function makes.
            row = nest.pack_sequence_as(elems, [zeros(t.shape[1:], t.dtype) for t in flat])
            made = nest.map_structure(convert, fn(row))
            return nest.map_structure(lambda v: zeros([0, *v.shape], v.dtype), made)
        return map_fn(fn, elems, fn_output_signature=None)
    from .build import FuncGraph, building

    probe = FuncGraph("probe", context.graph, "branch")
    with building(probe):
        rows = [probe.add_input(TensorSpec(t.shape[1:], t.dtype), "row") for t in flat]
        kinds = nest.map_structure(
            lambda v: convert(v).dtype, fn(nest.pack_sequence_as(elems, rows))
        )
    return map_fn(fn, elems, fn_output_signature=kinds)


def _first_row(flat: list[Any], count: Any, reverse: bool) -> list[Any]:
    return [t[-1] if reverse else t[0] for t in flat]


def _fold(fn: Any, elems: Any, initializer: Any, back_prop: bool, reverse: bool, what: str) -> Any:
    if not callable(fn):
        raise TypeError(f"{fn!r} provided to {what} must be callable.")
    flat, count = _rows(elems, what)
    number = convert(count) if count is not None else shape_of(flat[0])[0]
    if initializer is None:
        state = nest.pack_sequence_as(elems, _first_row(flat, count, reverse))
        begin = 1
    else:
        state, begin = nest.map_structure(convert, initializer), 0

    def row(i: Any) -> Any:
        at = number - 1 - i if reverse else i
        return nest.pack_sequence_as(elems, [t[at] for t in flat])

    def body(i: Any, state: Any) -> Any:
        return i + 1, fn(state, row(i))

    return while_loop(lambda i, _: i < number, body, (convert(begin), state), back_prop=back_prop)[
        1
    ]


def foldl(
    fn: Callable[..., Any], elems: Any, initializer: Any = None, parallel_iterations: int = 10, back_prop: bool = True,
    swap_memory: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """`fn(fn(fn(initializer, row 0), row 1), row 2) ...`.

    Args:
        fn: Function of (accumulator, row).
        elems: Tensor, or structure of tensors with the same number of rows.
        initializer: First accumulator; default the first row.
        parallel_iterations: Accepted for TensorFlow's sake.
        back_prop: Whether gradients flow through.
        swap_memory: Accepted for TensorFlow's sake.
        name: Accepted for TensorFlow's sake.

    Returns:
        The last accumulator.

    >>> foldl(lambda a, x: a + x, convert([1, 2, 3])).numpy()
    np.int32(6)
    """
    return _fold(fn, elems, initializer, back_prop, False, "foldl")


def foldr(
    fn: Callable[..., Any], elems: Any, initializer: Any = None, parallel_iterations: int = 10, back_prop: bool = True,
    swap_memory: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """As `foldl`, from the last row to the first.

    Args:
        fn: Function of (accumulator, row).
        elems: Tensor, or structure of tensors with the same number of rows.
        initializer: First accumulator; default the last row.
        parallel_iterations: Accepted for TensorFlow's sake.
        back_prop: Whether gradients flow through.
        swap_memory: Accepted for TensorFlow's sake.
        name: Accepted for TensorFlow's sake.

    Returns:
        The last accumulator.

    >>> foldr(lambda a, x: a - x, convert([1, 2, 5])).numpy()
    np.int32(2)
    """
    return _fold(fn, elems, initializer, back_prop, True, "foldr")


def scan(
    fn: Callable[..., Any], elems: Any, initializer: Any = None, parallel_iterations: int = 10, back_prop: bool = True,
    swap_memory: bool = False, infer_shape: bool = True, reverse: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """All accumulators of a fold, stacked.

    Args:
        fn: Function of (accumulator, row).
        elems: Tensor, or structure of tensors with the same number of rows.
        initializer: First accumulator; default the first row, which is then the first result.
        parallel_iterations: Accepted for TensorFlow's sake.
        back_prop: Whether gradients flow through.
        swap_memory: Accepted for TensorFlow's sake.
        infer_shape: Accepted for TensorFlow's sake.
        reverse: Whether to go from the last row to the first; results stand at the rows' places.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor (or structure) of the accumulators: one row for each row of `elems`.

    >>> scan(lambda a, x: a + x, convert([1, 2, 3])).numpy()
    array([1, 3, 6], dtype=int32)
    """
    if not callable(fn):
        raise TypeError(f"{fn!r} provided to scan must be callable.")
    flat, count = _rows(elems, "scan")
    if context.graph is None:
        return _eager_scan(fn, elems, flat, count or 0, initializer, reverse, back_prop)
    return _graph_scan(fn, elems, flat, count, initializer, reverse, back_prop)


def _eager_scan(
    fn: Any,
    elems: Any,
    flat: list[Any],
    count: int,
    initializer: Any,
    reverse: bool,
    back_prop: bool,
) -> Any:
    order = range(count - 1, -1, -1) if reverse else range(count)
    state = None if initializer is None else nest.map_structure(convert, initializer)
    if count == 0 and state is not None:
        return nest.map_structure(lambda s: zeros([0, *s.shape], s.dtype), state)
    results = []
    for i in order:
        row = nest.pack_sequence_as(elems, [t[i] for t in flat])
        state = row if state is None else nest.map_structure(convert, fn(state, row))
        results.append(state)
    made = _stacked(results[::-1] if reverse else results, None, _signature(None, elems))
    return made if back_prop else _stopped(made)


def _graph_scan(
    fn: Any,
    elems: Any,
    flat: list[Any],
    count: Any,
    initializer: Any,
    reverse: bool,
    back_prop: bool,
) -> Any:
    number = convert(count) if count is not None else shape_of(flat[0])[0]
    if initializer is None:
        state: Any = nest.pack_sequence_as(elems, _first_row(flat, count, reverse))
    else:
        state = nest.map_structure(convert, initializer)
    leaves = nest.flatten(state)
    arrays = [
        TensorArray(s.dtype, size=number, element_shape=s.shape, infer_shape=False) for s in leaves
    ]
    begin = 0
    if initializer is None:
        place = number - 1 if reverse else convert(0)
        arrays = [a.write(place, s) for a, s in zip(arrays, leaves, strict=True)]
        begin = 1

    def body(i: Any, state: Any, arrays: list[Any]) -> Any:
        at = number - 1 - i if reverse else i
        state = fn(state, nest.pack_sequence_as(elems, [t[at] for t in flat]))
        made = [convert(s) for s in nest.flatten(state)]
        return (
            i + 1,
            nest.pack_sequence_as(state, made),
            [a.write(at, s) for a, s in zip(arrays, made, strict=True)],
        )

    _, _, final = while_loop(
        lambda i, _s, _a: i < number, body, (convert(begin), state, arrays), back_prop=back_prop
    )
    made = [_shaped(a, s.shape, count) for a, s in zip(final, leaves, strict=True)]
    return nest.pack_sequence_as(state, made)
