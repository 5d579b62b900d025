"""Mappings of ops that work with positions: repeating, rolling, searching, segments, diagonals, resizing."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import errors
from ..core.tensor import NOTHING
from ..graph.draft import Value
from ..ops.resize import weights
from .maps import MAPS, maps


def _refuse(step: Any, why: str) -> Any:
    raise errors.UnimplementedError(f"{step.op.name}: {why}.")


def _size(step: Any, position: int, axis: int) -> int:
    """A dimension that must be known."""
    shape = step.inputs[position].shape
    if shape.rank is None or shape[axis] is None:
        _refuse(step, f"the size of axis {axis} must be known for ONNX, got shape {shape}")
    return int(shape[axis])


def _known(step: Any, position: int) -> Any:
    """The value of an input that must be a constant."""
    value = step.inputs[position]
    if value is NOTHING or value.step is None or value.step.constant is None:
        _refuse(step, f"its input {position} must be a constant for ONNX")
    return np.asarray(value.step.constant)


def _number(w: Any, value: Any) -> str:
    """An int attribute, or a tensor that is known when the model runs, as a scalar int64."""
    return (
        w.cast(w.name_of(value), np.int64) if type(value) is Value else w.constant(np.int64(value))
    )


def _zero(w: Any) -> str:
    return w.constant(np.int64(0))


def _size_of(w: Any, name: str, axis: int) -> str:
    """A dimension as a scalar int64."""
    return w.node("Gather", [w.node("Shape", [name]), w.constant(np.int64(axis))], axis=0)


def _range(w: Any, count: str) -> str:
    return w.node("Range", [_zero(w), count, w.constant(np.int64(1))])


@maps("gather_op")
def _gather(w, s, x, indices):
    batch, axis, rank = s.attrs["batch_dims"], s.attrs["axis"], s.inputs[0].shape.rank
    if not batch:
        return w.node("Gather", [x, indices], axis=axis)
    order = [*range(batch), axis, *(i for i in range(batch, rank) if i != axis)]
    moved = w.node("Transpose", [x], perm=order)
    places = w.node("Unsqueeze", [w.cast(indices, np.int64), w.ints(-1)])
    picked = w.node("GatherND", [moved, places], batch_dims=batch)
    inner, between = s.inputs[1].shape.rank - batch, axis - batch
    # The positions stand where the axis stood: behind the axes between batch and axis.
    back = [
        *range(batch),
        *range(batch + inner, batch + inner + between),
        *range(batch, batch + inner),
    ]
    back += range(batch + inner + between, inner + rank - 1)
    return w.node("Transpose", [picked], perm=back)


@maps("repeat_op")
def _repeat(w, s, x, repeats):
    axis = s.attrs["axis"]
    repeats = w.cast(repeats, np.int64)
    count = w.node("Unsqueeze", [_size_of(w, x, axis), w.ints(0)])
    ends = w.node("CumSum", [w.node("Expand", [repeats, count]), _zero(w)])
    total = w.node("ReduceMax", [ends, w.ints(0)], keepdims=0)
    # Element j of the result comes from the first whose end lies behind j.
    numbers = w.node("Unsqueeze", [_range(w, total), w.ints(1)])
    before = w.node("LessOrEqual", [w.node("Unsqueeze", [ends, w.ints(0)]), numbers])
    places = w.node("ReduceSum", [w.cast(before, np.int64), w.ints(1)], keepdims=0)
    return w.node("Gather", [x, places], axis=axis)


@maps("roll")
def _roll(w, s, x):
    for shift, axis in zip(s.attrs["shift"], s.attrs["axis"], strict=True):
        if not isinstance(shift, int):
            _refuse(s, "the shift must be a number for ONNX")
        size = _size(s, 0, axis)
        at = (-shift) % size if size else 0
        front = w.node("Slice", [x, w.ints(at), w.ints(np.iinfo(np.int64).max), w.ints(axis)])
        back = w.node("Slice", [x, w.ints(0), w.ints(at), w.ints(axis)])
        x = w.node("Concat", [front, back], axis=axis)
    return x


@maps("reverse_sequence_op")
def _reverse_sequence(w, s, x, lengths):
    time, batch = s.attrs["seq_axis"], s.attrs["batch_axis"]
    if {time, batch} != {0, 1}:
        _refuse(
            s,
            f"ONNX reverses along the first two axes only, got seq_axis={time}, batch_axis={batch}",
        )
    return w.node(
        "ReverseSequence", [x, w.cast(lengths, np.int64)], time_axis=time, batch_axis=batch
    )


@maps("searchsorted_op")
def _searchsorted(w, s, ordered, values):
    kind = "Less" if s.attrs["side"] == "left" else "LessOrEqual"
    before = w.node(
        kind,
        [w.node("Unsqueeze", [ordered, w.ints(-2)]), w.node("Unsqueeze", [values, w.ints(-1)])],
    )
    found = w.node("ReduceSum", [w.cast(before, np.int64), w.ints(-1)], keepdims=0)
    return w.cast(found, s.attrs["out_type"].numpy_dtype)


@maps("truncatediv")
def _truncatediv(w, s, x, y):
    quotient = w.node("Div", [x, y])
    if s.outputs[0].dtype.kind in "iu":
        return quotient
    return w.node("Mul", [w.node("Sign", [quotient]), w.node("Floor", [w.node("Abs", [quotient])])])


@maps("truncatemod")
def _truncatemod(w, s, x, y):
    return w.node("Mod", [x, y], fmod=1)


@maps("atan2")
def _atan2(w, s, y, x):
    kind = s.outputs[0].dtype.numpy_dtype

    def number(value: float) -> str:
        return w.constant(np.array(value, kind))

    zero = number(0.0)
    nothing = w.node("Equal", [x, zero])
    angle = w.node("Atan", [w.node("Div", [y, w.node("Where", [nothing, number(1.0), x])])])
    turn = w.node("Where", [w.node("Less", [y, zero]), number(-np.pi), number(np.pi)])
    turned = w.node("Add", [angle, w.node("Where", [w.node("Less", [x, zero]), turn, zero])])
    upright = w.node("Mul", [w.node("Sign", [y]), number(np.pi / 2)])
    return w.node("Where", [nothing, upright, turned])


_SEGMENTS = {
    "unsorted_segment_sum": ("add", lambda kind: 0),
    "unsorted_segment_prod": ("mul", lambda kind: 1),
    "unsorted_segment_max": ("max", lambda kind: _lowest(kind)),
    "unsorted_segment_min": ("min", lambda kind: _highest(kind)),
}


def _lowest(kind: Any) -> Any:
    return np.finfo(kind).min if kind.kind == "f" else np.iinfo(kind).min


def _highest(kind: Any) -> Any:
    return np.finfo(kind).max if kind.kind == "f" else np.iinfo(kind).max


@maps(*_SEGMENTS)
def _segments(w, s, data, ids):
    how, first = _SEGMENTS[s.op.name]
    kind = np.dtype(s.outputs[0].dtype.numpy_dtype)
    count = _number(w, s.attrs["num_segments"])
    ids = w.cast(ids, np.int64)
    # Rows with a negative number belong to no segment: they go to one more, which is cut off.
    ids = w.node("Where", [w.node("Less", [ids, _zero(w)]), count, ids])
    more = w.node("Unsqueeze", [w.node("Add", [count, w.constant(np.int64(1))]), w.ints(0)])
    rank = s.inputs[1].shape.rank
    inner = w.node("Slice", [w.node("Shape", [data]), w.ints(rank), w.ints(np.iinfo(np.int64).max)])
    start = w.node(
        "Expand", [w.constant(np.array(first(kind), kind)), w.node("Concat", [more, inner], axis=0)]
    )
    made = w.node("ScatterND", [start, w.node("Unsqueeze", [ids, w.ints(-1)]), data], reduction=how)
    return w.node("Slice", [made, w.ints(0), w.node("Unsqueeze", [count, w.ints(0)]), w.ints(0)])


@maps("sparse_softmax_cross_entropy_op")
def _sparse_cross_entropy(w, s, labels, logits):
    logs = w.node("LogSoftmax", [logits], axis=-1)
    places = w.node("Unsqueeze", [w.cast(labels, np.int64), w.ints(-1)])
    picked = w.node("GatherElements", [logs, places], axis=s.inputs[1].shape.rank - 1)
    losses = w.node("Neg", [w.node("Squeeze", [picked, w.ints(-1)])])
    return [losses, w.node("Exp", [logs])]


@maps("unique_op")
def _unique(w, s, x):
    values, _, places, counts = w.several("Unique", [x], 4, sorted=0)
    kind = s.attrs["out_idx"].numpy_dtype
    return [values, w.cast(places, kind), w.cast(counts, kind)]


@maps("unravel_index")
def _unravel_index(w, s, indices, dims):
    sizes = _known(s, 1).astype(np.int64)
    kind = s.outputs[0].dtype.numpy_dtype
    steps = np.concatenate([np.cumprod(sizes[::-1])[::-1][1:], [1]])
    flat = w.cast(indices, np.int64)
    parts = []
    for size, step in zip(sizes, steps, strict=True):
        place = w.node(
            "Mod", [w.node("Div", [flat, w.constant(np.int64(step))]), w.constant(np.int64(size))]
        )
        parts.append(w.node("Unsqueeze", [place, w.ints(0)]))
    return w.cast(w.node("Concat", parts, axis=0), kind)


@maps("true_positions")
def _true_positions(w, s, condition):
    return w.node("Transpose", [w.node("NonZero", [condition])], perm=[1, 0])


@maps("in_top_k_op")
def _in_top_k(w, s, targets, predictions):
    places = w.node("Unsqueeze", [w.cast(targets, np.int64), w.ints(-1)])
    own = w.node("GatherElements", [predictions, places], axis=1)
    better = w.node(
        "ReduceSum",
        [w.cast(w.node("Greater", [predictions, own]), np.int64), w.ints(1)],
        keepdims=0,
    )
    return w.node("Less", [better, _number(w, s.attrs["k"])])


@maps("invert_permutation")
def _invert_permutation(w, s, x):
    numbers = w.cast(_range(w, _size_of(w, x, 0)), s.outputs[0].dtype.numpy_dtype)
    return w.node("ScatterElements", [x, w.cast(x, np.int64), numbers], axis=0)


@maps("bincount_op")
def _bincount(w, s, values):
    numbers = _range(w, _number(w, s.attrs["size"]))
    hits = w.node("Equal", [w.node("Unsqueeze", [w.cast(values, np.int64), w.ints(-1)]), numbers])
    kind = "ReduceMax" if s.attrs["binary"] else "ReduceSum"
    made = w.node(kind, [w.cast(hits, np.int64), w.ints(-2)], keepdims=0)
    return w.cast(made, s.outputs[0].dtype.numpy_dtype)


@maps("suppress")
def _suppress(w, s, boxes, scores):
    a = s.attrs
    if a["soft_nms_sigma"]:
        _refuse(s, "ONNX has no soft suppression: soft_nms_sigma must be 0")
    single = np.dtype(np.float32)
    inputs = [
        w.node("Unsqueeze", [w.cast(boxes, single), w.ints(0)]),
        w.node("Unsqueeze", [w.cast(scores, single), w.ints(0, 1)]),
        w.node("Unsqueeze", [_number(w, a["max_output_size"]), w.ints(0)]),
        w.constant(np.array([a["iou_threshold"]], np.float32)),
    ]
    if np.isfinite(a["score_threshold"]):
        inputs.append(w.constant(np.array([a["score_threshold"]], np.float32)))
    found = w.node("NonMaxSuppression", inputs)
    chosen = w.node(
        "Squeeze", [w.node("Slice", [found, w.ints(2), w.ints(3), w.ints(1)]), w.ints(1)]
    )
    return [w.cast(chosen, np.int32), w.node("Gather", [scores, chosen], axis=0)]


def _one_diagonal(step: Any) -> int:
    low, high = step.attrs["k"]
    if low != high:
        _refuse(step, f"ONNX export takes one diagonal, got k={step.attrs['k']}")
    return int(low)


def _diagonal_places(rows: int, columns: int, k: int) -> tuple[np.ndarray, np.ndarray]:
    """For each cell of a matrix which element of the diagonal it has, and whether it lies there."""
    i, j = np.indices((rows, columns))
    inside = j - i == k
    return np.where(inside, np.minimum(i, j), 0), inside


@maps("matrix_diag_op")
def _matrix_diag(w, s, diagonal, padding):
    k, size = _one_diagonal(s), _size(s, 0, -1)
    rows, columns = s.attrs["num_rows"], s.attrs["num_cols"]
    if not all(n is None or isinstance(n, int) for n in (rows, columns)):
        _refuse(s, "the numbers of rows and columns must be known for ONNX")
    if rows is None and columns is None:
        rows = columns = size + abs(k)
    rows = size + max(-k, 0) if rows is None else rows
    columns = size + max(k, 0) if columns is None else columns
    places, inside = _diagonal_places(rows, columns, k)
    spread = w.node("Gather", [diagonal, w.constant(places)], axis=s.inputs[0].shape.rank - 1)
    return w.node("Where", [w.constant(inside), spread, padding])


@maps("matrix_diag_part_op")
def _matrix_diag_part(w, s, x, padding):
    k, rows, columns = _one_diagonal(s), _size(s, 0, -2), _size(s, 0, -1)
    _, inside = _diagonal_places(rows, columns, k)
    lead = w.node("Slice", [w.node("Shape", [x]), w.ints(0), w.ints(-2)])
    flat = w.node("Reshape", [x, w.node("Concat", [lead, w.ints(rows * columns)], axis=0)])
    return w.node(
        "Gather", [flat, w.constant(np.flatnonzero(inside))], axis=s.inputs[0].shape.rank - 2
    )


@maps("set_diag_op")
def _set_diag(w, s, x, diagonal):
    k, rows, columns = _one_diagonal(s), _size(s, 0, -2), _size(s, 0, -1)
    places, inside = _diagonal_places(rows, columns, k)
    spread = w.node("Gather", [diagonal, w.constant(places)], axis=s.inputs[1].shape.rank - 1)
    return w.node("Where", [w.constant(inside), spread, x])


@maps("resample")
def _resample(w, s, images):
    a = s.attrs
    options = (a["method"], a["antialias"], a["align_corners"], a["half_pixel_centers"])
    for axis, after in ((1, a["size"][0]), (2, a["size"][1])):
        if not isinstance(after, int):
            _refuse(s, "the new size must be known for ONNX")
        index, share = weights(_size(s, 0, axis), after, *options)
        if options[0] == "nearest":
            images = w.node("Gather", [images, w.constant(index[:, 0])], axis=axis)
            continue
        matrix = np.zeros((after, _size(s, 0, axis)))
        np.add.at(matrix, (np.arange(after)[:, None], index), share)
        # Weighted means along an axis are a product with a matrix, the axis being last but one.
        turn = [0, 2, 1, 3] if axis == 1 else [0, 1, 2, 3]
        moved = w.node("Transpose", [images], perm=turn)
        made = w.node("MatMul", [w.constant(matrix.astype(s.outputs[0].dtype.numpy_dtype)), moved])
        images = w.node("Transpose", [made], perm=turn)
    return images


__all__ = ["MAPS"]
