"""Mappings of ops that have a counterpart of their own in ONNX, or whose code looks at sizes that may not be known.

A mapping is a function of (writer, step, names of the inputs) that adds nodes and gives the name
of the result (or a list of names).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..base import errors
from ..graph.draft import Value
from .recorded import subscript

MAPS: dict[str, Callable[..., Any]] = {}


def maps(*names: str) -> Callable[[Any], Any]:
    """Declares the mapping of ops."""

    def declare(function: Any) -> Any:
        for name in names:
            MAPS[name] = function
        return function

    return declare


def _axes(axis: Any, rank: int) -> list[int]:
    return list(range(rank)) if axis is None else [axis] if isinstance(axis, int) else list(axis)


def _dims(w: Any, shape: Any) -> str:
    """A shape attribute as a vector of int64: numbers, or tensors that are known when the model runs."""
    if type(shape) is Value:
        return w.cast(w.name_of(shape), np.int64)
    if all(isinstance(d, int) for d in shape):
        return w.ints(*shape)
    parts = []
    for d in shape:
        if type(d) is Value:
            parts.append(w.node("Reshape", [w.cast(w.name_of(d), np.int64), w.ints(1)]))
        else:
            parts.append(w.ints(d))
    return w.node("Concat", parts, axis=0)


# ------------------------------------------------------------------------------------------------------------- shapes


@maps("reshape")
def _reshape(w, s, x):
    shape = s.attrs["shape"]
    if (
        type(shape) is not Value
        and sum(not isinstance(d, int) for d in shape) == 1
        and -1 not in [d for d in shape if isinstance(d, int)]
    ):
        shape = tuple(d if isinstance(d, int) else -1 for d in shape)
    return w.node(
        "Reshape",
        [x, _dims(w, shape)],
        allowzero=1 if isinstance(shape, tuple) and 0 in shape else None,
    )


@maps("broadcast_to")
def _broadcast_to(w, s, x):
    return w.node("Expand", [x, _dims(w, s.attrs["shape"])])


@maps("transpose_op")
def _transpose(w, s, x):
    perm = s.attrs["perm"]
    rank = s.inputs[0].shape.rank
    return w.node(
        "Transpose", [x], perm=list(range(rank))[::-1] if perm is None else [p % rank for p in perm]
    )


@maps("expand_dims")
def _expand_dims(w, s, x):
    return w.node("Unsqueeze", [x, w.ints(*_axes(s.attrs["axis"], 0))])


@maps("squeeze")
def _squeeze(w, s, x):
    axis = s.attrs["axis"]
    if axis is None:
        axis = [i for i, d in enumerate(s.inputs[0].shape) if d == 1]
    axes = _axes(axis, 0)
    return w.node("Squeeze", [x, w.ints(*axes)]) if axes else x


@maps("concat_op")
def _concat(w, s, *values):
    return w.node("Concat", values, axis=_axes(s.attrs["axis"], 0)[0])


@maps("stack_op")
def _stack(w, s, *values):
    axis = _axes(s.attrs["axis"], 0)[0]
    return w.node("Concat", [w.node("Unsqueeze", [v, w.ints(axis)]) for v in values], axis=axis)


@maps("unstack_op")
def _unstack(w, s, x):
    axis = _axes(s.attrs["axis"], 0)[0]
    made = w.several("Split", [x, w.ints(*[1] * len(s.outputs))], len(s.outputs), axis=axis)
    return [w.node("Squeeze", [m, w.ints(axis)]) for m in made]


@maps("split_op")
def _split(w, s, x):
    return w.several("Split", [x, w.ints(*s.attrs["sizes"])], len(s.outputs), axis=s.attrs["axis"])


@maps("tile")
def _tile(w, s, x):
    return w.node("Tile", [x, _dims(w, s.attrs["multiples"])])


@maps("pad_op")
def _pad(w, s, x):
    pairs = s.attrs["paddings"]
    mode = {"CONSTANT": "constant", "REFLECT": "reflect", "SYMMETRIC": None}[s.attrs["mode"]]
    if mode is None:
        raise errors.UnimplementedError("pad_op: ONNX has no symmetric padding.")
    amounts = w.ints(*[p[0] for p in pairs], *[p[1] for p in pairs])
    value = (
        w.constant(np.array(s.attrs["constant_values"], s.outputs[0].dtype.numpy_dtype))
        if mode == "constant"
        else None
    )
    return w.node("Pad", [x, amounts] + ([value] if value else []), mode=mode)


@maps("shape_op")
def _shape(w, s, x):
    return w.cast(w.node("Shape", [x]), s.attrs["out_type"].numpy_dtype)


@maps("strided_slice_op")
def _strided_slice(w, s, x):
    key = []
    for k in s.attrs["key"]:
        if isinstance(k, tuple):
            if any(type(b) is Value for b in k):
                return _moving_slice(w, s, x)
            key.append(slice(k[1], k[2], k[3]))
        elif type(k) is Value:
            return _moving_slice(w, s, x)
        else:
            key.append(None if k == "new" else Ellipsis if k == "..." else k)
    return subscript(w, x, tuple(key), s.inputs[0].shape.rank)


def _moving_slice(w, s, x):
    """One index (or bound) that is known when the model runs, along the first axis."""
    key = s.attrs["key"]
    if len(key) == 1 and type(key[0]) is Value:
        return w.node("Gather", [x, w.name_of(key[0])], axis=0)
    raise errors.UnimplementedError(
        f"strided_slice_op: the slice {key} moves while the model runs; ONNX export takes fixed ones."
    )


@maps("gather_nd_op")
def _gather_nd(w, s, x, indices):
    return w.node("GatherND", [x, w.cast(indices, np.int64)])


@maps("cast_op")
def _cast(w, s, x):
    return w.cast(x, s.attrs["dtype"].numpy_dtype)


@maps("zeros_like_op", "ones_like_op")
def _like(w, s, x):
    number = np.array(int(s.op.name == "ones_like_op"), s.outputs[0].dtype.numpy_dtype)
    return w.node("Expand", [w.constant(number), w.node("Shape", [x])])


@maps("identity", "stop_gradient", "with_gradient", "check_numerics_op", "ensure_shape_op")
def _identity(w, s, *values):
    return list(values[: len(s.outputs)])


@maps("range_op")
def _range(w, s, start, limit, delta):
    return w.node("Range", [start, limit, delta])


@maps("one_hot_op")
def _one_hot(w, s, indices, on, off):
    values = w.node("Concat", [w.node("Reshape", [v, w.ints(1)]) for v in (off, on)], axis=0)
    return w.node(
        "OneHot",
        [w.cast(indices, np.int64), w.ints(s.attrs["depth"]), values],
        axis=s.attrs["axis"],
    )


@maps("select")
def _select(w, s, condition, x, y):
    return w.node("Where", [condition, x, y])


@maps("cumsum_op")
def _cumsum(w, s, x):
    a = s.attrs
    return w.node("CumSum", [x, w.constant(np.array(a["axis"], np.int64))], exclusive=int(a.get("exclusive", 0)),
                  reverse=int(a.get("reverse", 0)))  # fmt: skip


@maps("top_k_op")
def _top_k(w, s, x):
    values, places = w.several("TopK", [x, w.ints(s.attrs["k"])], 2, axis=-1)
    return [values, w.cast(places, s.outputs[1].dtype.numpy_dtype)]


# --------------------------------------------------------------------------------------------------------- reductions


def _reduce(kind: str) -> Callable[..., Any]:
    def write(w, s, x):
        axes = _axes(s.attrs["axis"], s.inputs[0].shape.rank or 0)
        if not axes:
            return x
        return w.node(kind, [x, w.ints(*axes)], keepdims=int(bool(s.attrs["keepdims"])))

    return write


for _name, _kind in {
    "reduce_sum": "ReduceSum", "reduce_mean": "ReduceMean", "reduce_max": "ReduceMax", "reduce_min": "ReduceMin",
    "reduce_prod": "ReduceProd", "reduce_logsumexp": "ReduceLogSumExp",
}.items():  # fmt: skip
    MAPS[_name] = _reduce(_kind)


@maps("reduce_all", "reduce_any")
def _reduce_logical(w, s, x):
    kind = "ReduceMin" if s.op.name == "reduce_all" else "ReduceMax"
    return w.cast(_reduce(kind)(w, s, w.cast(x, np.int32)), bool)


@maps("argmax", "argmin", "argmax_op", "argmin_op")
def _arg(w, s, x):
    kind = "ArgMax" if s.op.name.startswith("argmax") else "ArgMin"
    made = w.node(kind, [x], axis=_axes(s.attrs["axis"], 1)[0], keepdims=0)
    return w.cast(made, s.outputs[0].dtype.numpy_dtype)


# -------------------------------------------------------------------------------------------------------- arithmetic


@maps("matmul_op")
def _matmul(w, s, a, b):
    def turned(name, value):
        rank = value.shape.rank
        return w.node("Transpose", [name], perm=[*range(rank - 2), rank - 1, rank - 2])

    a = turned(a, s.inputs[0]) if s.attrs["transpose_a"] else a
    b = turned(b, s.inputs[1]) if s.attrs["transpose_b"] else b
    return w.node("MatMul", [a, b])


def _plain(kind: str) -> Callable[..., Any]:
    return lambda w, s, *names: w.node(kind, names)


@maps("erfc")
def _erfc(w, s, x):
    return w.node(
        "Sub", [w.constant(np.array(1, s.outputs[0].dtype.numpy_dtype)), w.node("Erf", [x])]
    )


@maps("is_finite")
def _is_finite(w, s, x):
    return w.node("Not", [w.node("Or", [w.node("IsNaN", [x]), w.node("IsInf", [x])])])


@maps("floor", "ceil", "rint")
def _rounded(w, s, x):
    return (
        x
        if s.outputs[0].dtype.is_integer
        else w.node(s.op.name.capitalize() if s.op.name != "rint" else "Round", [x])
    )


@maps("take_along")
def _take_along(w, s, x, indices):
    return w.node("GatherElements", [x, w.cast(indices, np.int64)], axis=s.attrs["axis"])


@maps("argsort_op")
def _argsort(w, s, x):
    axis = s.attrs["axis"]
    size = s.inputs[0].shape[axis]
    if size is None:
        raise errors.UnimplementedError("argsort_op: the size of the axis must be known for ONNX.")
    _, places = w.several(
        "TopK", [x, w.ints(size)], 2, axis=axis, largest=int(s.attrs["descending"])
    )
    return w.cast(places, s.outputs[0].dtype.numpy_dtype)


@maps("scatter_nd_op")
def _scatter_nd(w, s, indices, updates):
    zero = w.constant(np.zeros((), s.outputs[0].dtype.numpy_dtype))
    whole = w.node("Expand", [zero, _dims(w, s.attrs["shape"])])
    return w.node("ScatterND", [whole, w.cast(indices, np.int64), updates], reduction="add")


@maps("tensor_scatter_nd_update", "tensor_scatter_nd_max", "tensor_scatter_nd_min")
def _tensor_scatter(w, s, x, indices, updates):
    how = {"update": "none", "max": "max", "min": "min"}[s.op.name.rpartition("_")[2]]
    return w.node("ScatterND", [x, w.cast(indices, np.int64), updates], reduction=how)


@maps("einsum_op")
def _einsum(w, s, *values):
    return w.node("Einsum", values, equation=s.attrs["equation"])


@maps("det")
def _det(w, s, x):
    return w.node("Det", [x])


@maps("reverse")
def _reverse(w, s, x):
    axes = _axes(s.attrs["axis"], 0)
    far = np.iinfo(np.int64).max
    ends, steps = w.ints(*[-far] * len(axes)), w.ints(*[-1] * len(axes))
    return w.node("Slice", [x, w.ints(*[far] * len(axes)), ends, w.ints(*axes), steps])


for _name, _kind in {
    "sigmoid": "Sigmoid", "softplus": "Softplus", "softsign": "Softsign", "erf": "Erf",
    "bitwise_and": "BitwiseAnd", "bitwise_or": "BitwiseOr", "bitwise_xor": "BitwiseXor",
    "invert": "BitwiseNot", "real_abs": "Abs", "is_nan": "IsNaN", "is_inf": "IsInf",
}.items():  # fmt: skip
    MAPS[_name] = _plain(_kind)


@maps("floormod")
def _floormod(w, s, x, y):
    if s.outputs[0].dtype.is_integer:
        return w.node("Mod", [x, y])
    whole = w.node("Floor", [w.node("Div", [x, y])])
    return w.node("Sub", [x, w.node("Mul", [whole, y])])


@maps("floordiv")
def _floordiv(w, s, x, y):
    if not s.outputs[0].dtype.is_integer:
        return w.node("Floor", [w.node("Div", [x, y])])
    # ONNX divides whole numbers towards zero.
    return w.node("Div", [w.node("Sub", [x, w.node("Mod", [x, y])]), y])


@maps("pow")
def _pow(w, s, x, y):
    kind = np.dtype(s.outputs[0].dtype.numpy_dtype)
    if kind.kind == "f" or kind in (np.int32, np.int64):
        return w.node("Pow", [x, y])
    # Other whole numbers have no power of their own; the lowest bits of a wider one are right.
    return w.cast(w.node("Pow", [w.cast(x, np.int64), w.cast(y, np.int64)]), kind)


@maps("clip_op")
def _clip(w, s, x, low, high):
    return w.node("Min", [w.node("Max", [x, low]), high])


# ----------------------------------------------------------------------------------------------------- neural networks


@maps("relu")
def _relu(w, s, x):
    return w.node("Max", [x, w.constant(np.zeros((), s.outputs[0].dtype.numpy_dtype))])


@maps("gelu_op")
def _gelu(w, s, x):
    kind = s.outputs[0].dtype.numpy_dtype

    def number(value):
        return w.constant(np.array(value, kind))

    if s.attrs["approximate"]:
        cubed = w.node("Mul", [w.node("Mul", [x, x]), x])
        inner = w.node(
            "Mul",
            [
                w.node("Add", [x, w.node("Mul", [cubed, number(0.044715)])]),
                number(np.sqrt(2 / np.pi)),
            ],
        )
        share = w.node("Tanh", [inner])
    else:
        share = w.node("Erf", [w.node("Mul", [x, number(np.sqrt(0.5))])])
    half = w.node("Mul", [x, number(0.5)])
    return w.node("Mul", [half, w.node("Add", [share, number(1)])])


@maps("gelu_gradient")
def _gelu_gradient(w, s, dy, x):
    kind = s.outputs[0].dtype.numpy_dtype

    def number(value):
        return w.constant(np.array(value, kind))

    erf = w.node("Erf", [w.node("Mul", [x, number(np.sqrt(0.5))])])
    share = w.node("Mul", [w.node("Add", [erf, number(1)]), number(0.5)])
    bell = w.node("Exp", [w.node("Mul", [w.node("Mul", [x, x]), number(-0.5)])])
    density = w.node("Mul", [bell, number(1 / np.sqrt(2 * np.pi))])
    return w.node("Mul", [dy, w.node("Add", [share, w.node("Mul", [x, density])])])


@maps("leaky_relu_op")
def _leaky_relu(w, s, x):
    return w.node("LeakyRelu", [x], alpha=float(s.attrs["alpha"]))


@maps("softmax_op", "log_softmax_op")
def _softmax(w, s, x):
    axis = s.attrs["axis"]
    return w.node(
        "Softmax" if s.op.name == "softmax_op" else "LogSoftmax",
        [x],
        axis=axis if isinstance(axis, int) else axis[0],
    )


def _channels(w, name, rank, first):
    order = [0, rank - 1, *range(1, rank - 1)] if first else [0, *range(2, rank), 1]
    return w.node("Transpose", [name], perm=order)


def _pads(pairs):
    if any(p is None for p in pairs):
        return None
    return [p[0] for p in pairs] + [p[1] for p in pairs]


@maps("convolution")
def _convolution(w, s, x, filters):
    a, rank = s.attrs, s.inputs[0].shape.rank
    x = _channels(w, x, rank, True)
    filters = w.node("Transpose", [filters], perm=[rank - 1, rank - 2, *range(rank - 2)])
    pads = _pads(a["padding"])
    y = w.node(
        "Conv", [x, filters], strides=list(a["strides"]), dilations=list(a["dilations"]), group=a["groups"], pads=pads,
        auto_pad=None if pads is not None else "SAME_UPPER",
    )  # fmt: skip
    return _channels(w, y, rank, False)


@maps("convolution_data_gradient")
def _transposed_convolution(w, s, dy, filters):
    a, rank = s.attrs, s.inputs[0].shape.rank
    shape = a["input_shape"]
    sizes = [] if type(shape) is Value else list(shape[1:-1])
    if (
        not sizes
        or any(not isinstance(d, int) for d in sizes)
        or None in s.inputs[0].shape.as_list()[1:-1]
    ):
        raise errors.UnimplementedError(
            "convolution_data_gradient: the spatial sizes must be known for ONNX."
        )
    pads = _pads(a["padding"])
    if pads is None:
        raise errors.UnimplementedError(
            "convolution_data_gradient: the padding must be known for ONNX."
        )
    y = _channels(w, dy, rank, True)
    weights = w.node("Transpose", [filters], perm=[rank - 1, rank - 2, *range(rank - 2)])
    window = s.inputs[1].shape.as_list()[: rank - 2]
    extra = []
    for i, size in enumerate(sizes):
        reach = (window[i] - 1) * a["dilations"][i] + 1
        plain = (s.inputs[0].shape[i + 1] - 1) * a["strides"][i] + reach - sum(a["padding"][i])
        extra.append(size - plain)
    x = w.node(
        "ConvTranspose", [y, weights], strides=list(a["strides"]), dilations=list(a["dilations"]),
        group=a["groups"], pads=pads,
        output_padding=extra,
    )  # fmt: skip
    return _channels(w, x, rank, False)


@maps("max_pool", "avg_pool")
def _pool(w, s, x):
    a, rank = s.attrs, s.inputs[0].shape.rank
    x = _channels(w, x, rank, True)
    pads = _pads(a["padding"])
    options = {"kernel_shape": list(a["window"]), "strides": list(a["strides"]), "pads": pads}
    options["auto_pad"] = None if pads is not None else "SAME_UPPER"
    if s.op.name == "avg_pool":
        options["count_include_pad"] = 0
    return _channels(
        w,
        w.node("MaxPool" if s.op.name == "max_pool" else "AveragePool", [x], **options),
        rank,
        False,
    )


@maps("layer_normalization")
def _layer_normalization(w, s, x, gamma, beta):
    axis = -(s.inputs[1].shape.rank or 1)
    return w.several(
        "LayerNormalization",
        [x, gamma, beta],
        3 if len(s.outputs) > 1 else 1,
        axis=axis,
        epsilon=float(s.attrs["epsilon"]),
    )


# ------------------------------------------------------------------------------------------------------- control flow


@maps("cond_op")
def _cond(w, s, pred, *values):
    border = len(s.attrs["then"].captures)
    bodies = [
        _body(w, s.attrs["then"], values[:border], "then"),
        _body(w, s.attrs["otherwise"], values[border:], "otherwise"),
    ]  # fmt: skip
    return w.several("If", [pred], s.attrs["count"], then_branch=bodies[0], else_branch=bodies[1])


def _body(w, graph, values, name):
    """A branch as a graph of ONNX: it sees the names around it."""
    import onnx

    from ..graph import passes
    from ..graph.draft import Draft
    from .export import write_step

    draft = Draft(graph, [*graph.inputs, *graph.captures], graph.outputs)
    passes.optimize(draft)
    outside, w.nodes = w.nodes, []
    for value, given in zip(draft.inputs, values, strict=True):
        w.names[id(value)] = given
    for step in draft.steps:
        write_step(w, step)
    outputs = []
    for value in draft.outputs:
        final = w.node("Identity", [w.name_of(value)])
        outputs.append(w.value_info(final, value, final))
    nodes, w.nodes = w.nodes, outside
    return onnx.helper.make_graph(nodes, name, [], outputs)


@maps("while_op")
def _while(w, s, *values):
    """ONNX's Loop: the condition is computed before the first turn and at the end of each."""
    import onnx

    a = s.attrs
    count, test, body = a["count"], a["test"], a["body"]
    border = count + len(test.captures)
    for_test, for_body = values[count:border], values[border:]
    first = _inline(w, test, [*values[:count], *for_test])[0]
    outside, w.nodes = w.nodes, []
    kinds = list(body.inputs)
    turn, go_on = w.fresh_name("turn"), w.fresh_name("go_on")
    states = [w.fresh_name("state") for _ in range(count)]
    following = _inline(w, body, [*states, *for_body])
    following = [w.node("Identity", [f]) for f in following]
    again = w.node("Identity", [_inline(w, test, [*following, *for_test])[0]])
    helper = onnx.helper
    inputs = [
        helper.make_tensor_value_info(turn, onnx.TensorProto.INT64, []),
        helper.make_tensor_value_info(go_on, onnx.TensorProto.BOOL, []),
        *(w.value_info(n, t, n) for n, t in zip(states, kinds, strict=True)),
    ]
    outputs = [
        helper.make_tensor_value_info(again, onnx.TensorProto.BOOL, []),
        *(w.value_info(n, t, n) for n, t in zip(following, kinds, strict=True)),
    ]
    nodes, w.nodes = w.nodes, outside
    graph = helper.make_graph(nodes, "body", inputs, outputs)
    most = w.constant(
        np.array(np.iinfo(np.int64).max if a["maximum"] is None else a["maximum"], np.int64)
    )
    return w.several("Loop", [most, first, *values[:count]], count, body=graph)


def _inline(w, graph, values):
    """The nodes of a body, written where it is used."""
    from ..graph import passes
    from ..graph.draft import Draft
    from .export import write_step

    draft = Draft(graph, [*graph.inputs, *graph.captures], graph.outputs)
    passes.optimize(draft)
    for value, given in zip(draft.inputs, values, strict=True):
        w.names[id(value)] = given
    for step in draft.steps:
        write_step(w, step)
    return [w.name_of(v) for v in draft.outputs]
