"""Ops without a mapping of their own: what their forward does to arrays is written down, call by call.

So an op that is a formula of ufuncs, views and sums can be exported on the day it is declared.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ..core.tensor import NOTHING
from ..graph import lower
from ..graph.draft import values_in
from ..graph.lower import Recorder, Recording, Register, Storage

SAME = {
    np.add: "Add", np.subtract: "Sub", np.multiply: "Mul", np.divide: "Div", np.true_divide: "Div",
    np.negative: "Neg", np.exp: "Exp", np.log: "Log", np.tanh: "Tanh", np.sqrt: "Sqrt",
    np.reciprocal: "Reciprocal", np.absolute: "Abs", np.maximum: "Max", np.minimum: "Min", np.power: "Pow",
    np.sin: "Sin", np.cos: "Cos", np.tan: "Tan", np.arcsin: "Asin", np.arccos: "Acos", np.arctan: "Atan",
    np.sinh: "Sinh", np.cosh: "Cosh", np.arcsinh: "Asinh", np.arccosh: "Acosh", np.arctanh: "Atanh",
    np.floor: "Floor", np.ceil: "Ceil", np.rint: "Round", np.sign: "Sign",
}  # fmt: skip
COMPARE = {
    np.greater: "Greater", np.less: "Less", np.greater_equal: "GreaterOrEqual",
    np.less_equal: "LessOrEqual", np.equal: "Equal",
}  # fmt: skip
LOGICAL = {np.logical_and: "And", np.logical_or: "Or", np.logical_xor: "Xor", np.logical_not: "Not"}
REDUCE = {
    np.add: "ReduceSum",
    np.multiply: "ReduceProd",
    np.maximum: "ReduceMax",
    np.minimum: "ReduceMin",
}


class _CannotWrite(Exception):
    """A call that ONNX has nothing for."""


def write_recorded(writer: Any, step: Any) -> bool:
    """Writes a step as what its forward does; False where that is not possible."""
    if not step.op.family.pure or step.attrs and any(True for _ in values_in(step.attrs.values())):
        return False
    registers = {}
    recording = Recording(step)
    arguments = []
    for value in step.inputs:
        if value is NOTHING:
            arguments.append(None)
            continue
        register = Register(
            None if value.shape.rank is None else tuple(value.shape),
            value.dtype.numpy_dtype,
            Storage(False),
        )
        registers[id(register)] = writer.name_of(value)
        arguments.append(register)
    before = len(writer.nodes)
    try:
        with np.errstate(all="ignore"):
            made = step.op.forward(np, *[recording.take(a) for a in arguments], **step.attrs)
        results = list(made) if isinstance(made, tuple | list) else [made]
        for call in recording.calls:
            registers[id(call.results[0])] = write_call(writer, call, registers)
    except Exception:  # whatever it was: there is no way to write it
        del writer.nodes[before:]
        return False
    for value, result in zip(step.outputs, results, strict=True):
        if type(result) is Recorder:
            writer.names[id(value)] = registers[id(result.register)]
        else:
            writer.names[id(value)] = writer.constant(np.asarray(result, value.dtype.numpy_dtype))
    return True


def write_call(writer: Any, call: Any, registers: dict[int, str]) -> str:
    """One recorded call as nodes."""
    if call.kind == "ufunc":
        return _ufunc(writer, call, registers)
    if call.kind == "view":
        return _view(writer, call, registers)
    return _fresh(writer, call, registers)


def _operand(writer: Any, value: Any, registers: dict[int, str], dtype: Any) -> str:
    """An argument as a tensor of a dtype."""
    if type(value) is Register:
        name = registers[id(value)]
        return name if value.dtype == dtype else writer.cast(name, dtype)
    return writer.constant(np.asarray(value).astype(dtype))


def _ufunc(writer: Any, call: Any, registers: dict[int, str]) -> str:
    function, result = call.function, call.results[0]
    kinds = [a.dtype for a in call.args if type(a) is Register]
    weak = [a for a in call.args if type(a) is not Register]
    common = np.result_type(*kinds, *weak)
    if function in COMPARE or function is np.not_equal:
        inputs = [_operand(writer, a, registers, common) for a in call.args]
        if common.kind == "b" and function not in (np.equal, np.not_equal):
            raise _CannotWrite
        made = writer.node(COMPARE.get(function, "Equal"), inputs)
        return writer.node("Not", [made]) if function is np.not_equal else made
    if function in LOGICAL:
        return writer.node(
            LOGICAL[function], [_operand(writer, a, registers, bool) for a in call.args]
        )
    if function in (np.isnan, np.isinf):
        return writer.node(
            "IsNaN" if function is np.isnan else "IsInf",
            [_operand(writer, call.args[0], registers, kinds[0])],
        )
    dtype = result.dtype
    inputs = [_operand(writer, a, registers, dtype) for a in call.args]
    if function in SAME:
        return writer.node(SAME[function], inputs)
    one = writer.constant(np.array(1, dtype))
    if function is np.square:
        return writer.node("Mul", [inputs[0], inputs[0]])
    if function is np.expm1:
        return writer.node("Sub", [writer.node("Exp", inputs), one])
    if function is np.log1p:
        return writer.node("Log", [writer.node("Add", [inputs[0], one])])
    if function is np.floor_divide and dtype.kind == "f":
        return writer.node("Floor", [writer.node("Div", inputs)])
    if function is np.remainder:
        if dtype.kind in "iu":
            return writer.node("Mod", inputs)
        whole = writer.node("Floor", [writer.node("Div", inputs)])
        return writer.node("Sub", [inputs[0], writer.node("Mul", [whole, inputs[1]])])
    if function is np.conjugate:
        return inputs[0]
    raise _CannotWrite


def _view(writer: Any, call: Any, registers: dict[int, str]) -> str:
    source, rest = call.args[0], call.args[1:]
    name = registers[id(source)]
    rank = len(source.shape)
    function = call.function
    if function is lower._reshape:
        return writer.node("Reshape", [name, writer.ints(*rest[0])])
    if function in (np.transpose, np.swapaxes, np.moveaxis):
        marks = np.broadcast_to(np.int8(0), [i + 2 for i in range(rank)])
        order = [size - 2 for size in function(marks, *rest, **call.kwargs).shape]
        return writer.node("Transpose", [name], perm=order)
    if function is np.expand_dims:
        axes = rest[0] if rest else call.kwargs["axis"]
        axes = (axes,) if isinstance(axes, int) else tuple(axes)
        return writer.node("Unsqueeze", [name, writer.ints(*axes)])
    if function is np.squeeze:
        axes = rest[0] if rest else call.kwargs.get("axis")
        if axes is None:
            axes = [i for i, d in enumerate(source.shape) if d == 1]
        axes = (axes,) if isinstance(axes, int) else tuple(axes)
        return writer.node("Squeeze", [name, writer.ints(*axes)]) if axes else name
    if function is np.broadcast_to:
        return writer.node("Expand", [name, writer.ints(*rest[0])])
    if function is operator.getitem:
        return subscript(writer, name, rest[0], rank)
    raise _CannotWrite


def subscript(writer: Any, name: str, key: Any, rank: int) -> str:
    """A part of a tensor: ints, slices, None and Ellipsis in brackets."""
    parts = list(key) if isinstance(key, tuple) else [key]
    used = sum(k is not None and k is not Ellipsis for k in parts)
    if Ellipsis in [k for k in parts if k is Ellipsis]:
        at = next(i for i, k in enumerate(parts) if k is Ellipsis)
        parts[at : at + 1] = [slice(None)] * (rank - used)
    axis, starts, ends, axes, steps, gone, new = 0, [], [], [], [], [], []
    place = 0
    for k in parts:
        if k is None:
            new.append(place)
            place += 1
            continue
        if isinstance(k, int):
            (
                starts.append(k),
                ends.append(k + 1 if k != -1 else np.iinfo(np.int64).max),
                axes.append(axis),
                steps.append(1),
            )
            gone.append(axis)
        else:
            step = 1 if k.step is None else k.step
            if k.start is not None or k.stop is not None or step != 1:
                far = np.iinfo(np.int64).max
                starts.append((0 if step > 0 else far) if k.start is None else k.start)
                ends.append((far if step > 0 else -far) if k.stop is None else k.stop)
                axes.append(axis), steps.append(step)
            place += 1
        axis += 1
    if starts:
        name = writer.node(
            "Slice",
            [
                name,
                writer.ints(*starts),
                writer.ints(*ends),
                writer.ints(*axes),
                writer.ints(*steps),
            ],
        )
    if gone:
        name = writer.node("Squeeze", [name, writer.ints(*gone)])
    return writer.node("Unsqueeze", [name, writer.ints(*new)]) if new else name


def _fresh(writer: Any, call: Any, registers: dict[int, str]) -> str:
    function = call.function
    if function is np.matmul:
        return writer.node("MatMul", [registers[id(a)] for a in call.args])
    if function is lower._astype:
        return writer.cast(registers[id(call.args[0])], call.args[1])
    if function is np.where:
        dtype = call.results[0].dtype
        condition = _operand(writer, call.args[0], registers, np.dtype(bool))
        return writer.node(
            "Where", [condition, *(_operand(writer, a, registers, dtype) for a in call.args[1:])]
        )
    if isinstance(function, lower._Joined):
        names = [registers[id(a)] for a in call.args]
        axis = function.kwargs.get("axis", 0)
        if function.function is np.stack:
            names = [writer.node("Unsqueeze", [n, writer.ints(axis)]) for n in names]
        return writer.node("Concat", names, axis=axis)
    if function in (np.zeros_like, np.ones_like):
        shape = writer.node("Shape", [registers[id(call.args[0])]])
        number = writer.constant(np.array(int(function is np.ones_like), call.results[0].dtype))
        return writer.node("Expand", [number, shape])
    return _reduction(writer, call, registers)


def _reduction(writer: Any, call: Any, registers: dict[int, str]) -> str:
    ufunc = getattr(call.function, "__self__", None)
    source = call.args[0]
    axis, keep = call.kwargs.get("axis", 0), int(bool(call.kwargs.get("keepdims")))
    axes = (
        range(len(source.shape))
        if axis is None
        else (axis,)
        if isinstance(axis, int | np.integer)
        else axis
    )
    dtype = call.results[0].dtype
    if ufunc in (np.logical_and, np.logical_or):
        name = writer.cast(_operand(writer, source, registers, np.dtype(bool)), np.int32)
        kind = "ReduceMin" if ufunc is np.logical_and else "ReduceMax"
        return writer.cast(writer.node(kind, [name, writer.ints(*axes)], keepdims=keep), bool)
    if ufunc not in REDUCE:
        raise _CannotWrite
    name = _operand(writer, source, registers, dtype)
    if not list(axes):
        return name
    return writer.node(REDUCE[ufunc], [name, writer.ints(*axes)], keepdims=keep)
