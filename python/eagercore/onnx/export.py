"""From a traced function to an ONNX model."""

from __future__ import annotations

import os
import tempfile
from typing import Any

import numpy as np

from ..base import errors
from ..base.shapes import TensorSpec
from ..core.tensor import NOTHING
from ..graph import passes
from ..graph.autograph import user_place
from ..graph.draft import Draft
from ..graph.function import ConcreteFunction, Function
from ..graph.ir import ASSIGN, CONSTANT, GROUP, READ
from ..graph.model_trace import model_trace
from .maps_index import MAPS
from .recorded import write_recorded
from .writer import Writer

OPSET = 18
_SILENT = frozenset(("print_op", "assert_op"))


def export(
    model_or_function: Any,
    path: Any = None,
    input_signature: Any = None,
    *,
    opset: int = OPSET,
    name: str | None = None,
) -> Any:
    """Exports a model or a function as ONNX.

    Args:
        model_or_function: Keras model, `tf.function`, one of its traces, or any Python (or R)
            function of tensors. Variables become initializers of the model, with their values of now.
        path: File to write; None only returns the model.
        input_signature: List of `tf.TensorSpec`, one for each input; a dimension None may have any
            size when the model runs. Default the model's own inputs, or the signature of the function.
        opset: Version of ONNX's operators. Default 18.
        name: Name of the graph.

    Returns:
        The `onnx.ModelProto`, checked by `onnx.checker`.

    Raises:
        MissingExtraError: If the package onnx is not installed.
        UnimplementedError: If an operation has no counterpart in ONNX; the message names it.
        ValueError: If no input signature is known.
    """
    model = to_model(model_or_function, input_signature, opset=opset, name=name)
    if path is not None:
        _write(model.SerializeToString(), os.fspath(path))
    return model


def _write(data: bytes, path: str) -> None:
    folder = os.path.dirname(os.path.abspath(path))
    handle, temporary = tempfile.mkstemp(dir=folder, suffix=".onnx")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise


def to_model(
    model_or_function: Any,
    input_signature: Any = None,
    *,
    opset: int = OPSET,
    name: str | None = None,
) -> Any:
    """The ONNX model of a model or a function; see `export` for the arguments."""
    try:
        import onnx
    except ImportError:
        raise errors.missing_extra("onnx", "onnx", "eagercore.onnx.export") from None
    concrete = concrete_of(model_or_function, input_signature)
    writer = Writer(opset)
    graph = concrete.graph
    if graph.captured:
        raise ValueError("A function that uses tensors of a graph around it cannot be exported.")
    for node in graph.nodes:
        for variable in [node.attrs["variable"]] if node.op is ASSIGN else node.writes():
            raise errors.UnimplementedError(
                f"The function changes the variable {variable.name}{user_place(node.where)}: ONNX holds no state. "
                "Export what it does for inference: training=False."
            )
    draft = Draft(graph, graph.inputs, graph.outputs, effects=False)
    passes.optimize(draft)
    inputs = _declare_inputs(writer, draft, concrete)
    for step in draft.steps:
        write_step(writer, step)
    outputs = _declare_outputs(writer, draft)
    made = onnx.helper.make_graph(
        writer.nodes,
        name or graph.label or "graph",
        inputs,
        outputs,
        list(writer.initializers.values()),
    )
    model = onnx.helper.make_model(
        made,
        producer_name="eagercore",
        opset_imports=[onnx.helper.make_opsetid("", opset)],
        ir_version=min(9, onnx.IR_VERSION),
    )
    onnx.checker.check_model(model)
    return model


def concrete_of(what: Any, signature: Any) -> ConcreteFunction:
    """The trace of a model or a function for a signature.

    Raises:
        ValueError: If no signature is known.
    """
    if isinstance(what, ConcreteFunction):
        return what
    if signature is not None:
        signature = [
            s if isinstance(s, TensorSpec) else TensorSpec.from_tensor(s) for s in signature
        ]
    if isinstance(what, Function):
        if signature is None and what.input_signature is None:
            raise ValueError(
                "Give input_signature: a list of tf.TensorSpec, one for each input of the function."
            )
        return what.get_concrete_function(*(signature or ()))
    if hasattr(what, "layers") or hasattr(what, "call"):
        specs = signature if signature is None or len(signature) > 1 else signature[0]
        return model_trace(what, specs)
    if callable(what):
        if signature is None:
            raise ValueError(
                "Give input_signature: a list of tf.TensorSpec, one for each input of the function."
            )
        return Function(what, autograph=not hasattr(what, "__r_function__")).get_concrete_function(
            *signature
        )
    raise TypeError(
        f"Only models and functions can be exported, got {what!r} of type {type(what).__name__}."
    )


def _declare_inputs(writer: Writer, draft: Draft, concrete: ConcreteFunction) -> list[Any]:
    made = []
    for value, leaf in zip(draft.inputs, concrete._leaves, strict=True):
        name = writer.fresh_name(leaf.name)
        writer.names[id(value)] = name
        made.append(writer.value_info(name, value, name))
    return made


def _declare_outputs(writer: Writer, draft: Draft) -> list[Any]:
    made = []
    used: set[str] = set()
    for number, value in enumerate(draft.outputs):
        name = writer.name_of(value)
        wanted = f"output_{number}" if len(draft.outputs) > 1 else "output"
        final = writer.node("Identity", [name], result=writer.fresh_name(wanted))
        used.add(final)
        made.append(writer.value_info(final, value, final))
    return made


def write_step(writer: Writer, step: Any) -> None:
    """Writes one step as nodes.

    Raises:
        UnimplementedError: If it has no counterpart.
    """
    if step.op is CONSTANT:
        writer.names[id(step.outputs[0])] = writer.constant(step.constant, step.outputs[0].name)
        return
    if step.op is READ:
        variable = step.attrs["variable"]
        writer.names[id(step.outputs[0])] = writer.constant(
            np.array(variable._read_array()), variable._name
        )
        return
    if step.op is GROUP or step.op.name in _SILENT:
        return
    own = MAPS.get(step.op.name)
    if own is not None:
        arguments = [None if v is NOTHING else writer.name_of(v) for v in step.inputs]
        made = own(writer, step, *arguments)
        results = made if isinstance(made, list) else [made]
        for value, result in zip(step.outputs, results, strict=False):
            writer.names[id(value)] = result
        return
    if not write_recorded(writer, step):
        place = user_place(step.node.where) if step.node is not None else ""
        raise errors.UnimplementedError(
            f"The operation {step.op.name}{place} has no counterpart in ONNX: {reason(step)}."
        )


def reason(step: Any) -> str:
    """Why an operation cannot be exported."""
    if not step.op.family.pure:
        return "it draws random numbers, has side effects or runs Python code"
    unknown = [v for v in step.inputs if v is not NOTHING and not v.shape.is_fully_defined()]
    if unknown:
        shapes = [str(v.shape) for v in unknown]
        return (
            f"its code asks for dimensions that are not known (inputs {shapes}); give their sizes"
        )
    return (
        "no mapping is written for it, and its array code cannot be written down as calls on arrays"
    )
