"""Traces of models: of whatever is called with inputs and, perhaps, with `training`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ..base import nest
from ..base.shapes import TensorSpec, as_shape
from .function import ConcreteFunction, Function


def input_specs(model: Any) -> Any:
    """Specs of a model's inputs: of a functional model's, else those of its first call, for a batch of any size.

    Args:
        model: The model.

    Returns:
        A `tf.TensorSpec` or a structure of them.

    Raises:
        ValueError: If they are not known, because the model was never called.
    """
    inputs = getattr(model, "inputs", None)
    if not inputs:
        first = getattr(model, "_first_inputs", None)
        if first is not None:
            return first
        raise ValueError(
            f"The inputs of {model.name} are not known: call it on data first, or give input_signature, a list of "
            "tf.TensorSpec, one for each input."
        )
    made = []
    for number, tensor in enumerate(inputs if isinstance(inputs, list | tuple) else [inputs]):
        own = (getattr(tensor, "name", None) or f"input_{number}").split(":")[0]
        made.append(TensorSpec(as_shape(tensor.shape), tensor.dtype, own))
    return made[0] if len(made) == 1 else made


def any_batch(inputs: Any) -> Any:
    """Specs of the inputs of a call, for a batch of any size.

    Args:
        inputs: Tensors, or a structure of them.
    """

    def loose(tensor: Any) -> TensorSpec:
        shape = as_shape(tensor.shape)
        rest = list(shape)[1:] if shape.rank else []
        return TensorSpec([None, *rest] if shape.rank else shape, tensor.dtype)

    return nest.map_structure(loose, inputs)


def takes_training(model: Any) -> bool:
    """Whether a model's `call` has the argument `training`."""
    call = getattr(model, "call", model)
    try:
        parameters = inspect.signature(call).parameters
    except (TypeError, ValueError):
        return True
    return "training" in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values())


def model_function(model: Any) -> Function:
    """A traced function `(inputs, training=False)`, or `(inputs)`, that calls a model."""
    name = getattr(model, "name", type(model).__name__)
    plain = _without_training(model)
    written_elsewhere = hasattr(model, "__r_function__") or hasattr(
        getattr(model, "call", None), "__r_function__"
    )
    if not takes_training(model):
        return Function(plain, autograph=not written_elsewhere, name=name)

    def call(inputs: Any, training: bool = False) -> Any:
        try:
            return model(inputs, training=training)
        except TypeError as error:
            if "training" not in str(error):
                raise
            return plain(inputs)

    return Function(call, autograph=not written_elsewhere, name=name)


def _without_training(model: Any) -> Callable[[Any], Any]:
    def call(inputs: Any) -> Any:
        return model(inputs)

    return call


def model_trace(model: Any, specs: Any = None) -> ConcreteFunction:
    """The trace of a model's inference.

    Args:
        model: The model.
        specs: Specs of its inputs in their structure; default `input_specs(model)`.
    """
    return model_function(model).get_concrete_function(
        input_specs(model) if specs is None else specs
    )
