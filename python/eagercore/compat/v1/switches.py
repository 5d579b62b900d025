"""What TensorFlow 1 lets one switch, and a few names that live at its top level."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core.tensor import CONVERTERS, convert
from ...version import __version__

VERSION = GIT_VERSION = COMPILER_VERSION = __version__
GRAPH_DEF_VERSION = 0
QUANTIZED_DTYPES: frozenset[Any] = frozenset()


def enable_eager_execution(
    config: Any = None, device_policy: Any = None, execution_mode: Any = None
) -> None:
    """Ops run when they are called: they do so from the start.

    Args:
        config: Accepted for TensorFlow's sake.
        device_policy: Accepted for TensorFlow's sake.
        execution_mode: Accepted for TensorFlow's sake.

    >>> enable_eager_execution()
    """
    from ...contrib.eager.execution import enable_eager_execution as enable

    enable(config, device_policy, execution_mode)


def _accepted(name: str, words: str) -> Any:
    def switch() -> None:
        return None

    switch.__name__ = switch.__qualname__ = name
    switch.__doc__ = f"Accepted for TensorFlow's sake: {words}"
    return switch


enable_resource_variables = _accepted("enable_resource_variables", "all variables are resources.")
enable_v2_tensorshape = _accepted("enable_v2_tensorshape", "sizes of shapes are ints.")
enable_tensor_equality = _accepted("enable_tensor_equality", "== compares element by element.")
enable_control_flow_v2 = _accepted("enable_control_flow_v2", "there is one kind of control flow.")
enable_v2_behavior = _accepted("enable_v2_behavior", "it is on.")
disable_control_flow_v2 = _accepted("disable_control_flow_v2", "there is one kind of control flow.")
disable_resource_variables = _accepted("disable_resource_variables", "all variables are resources.")
disable_tensor_equality = _accepted("disable_tensor_equality", "== compares element by element.")
disable_v2_tensorshape = _accepted("disable_v2_tensorshape", "sizes of shapes are ints.")


def disable_v2_behavior() -> None:
    """Switches to graph mode, as TensorFlow 1 begins in."""
    from ...graph.v1 import disable_eager_execution

    disable_eager_execution()


def control_flow_v2_enabled() -> bool:
    """Whether control flow is made of functions: always."""
    return True


resource_variables_enabled = control_flow_v2_enabled


def py_func(
    func: Callable[..., Any], inp: Any, Tout: Any, stateful: bool = True, name: str | None = None
) -> Any:
    """Calls a Python function with arrays, in a graph too.

    Args:
        func: Function of NumPy arrays (strings come as bytes).
        inp: List of tensors.
        Tout: Dtype of the result, or a list of these.
        stateful: Whether it may give different results for the same arrays.
        name: Accepted for TensorFlow's sake.

    Returns:
        Tensor or list of tensors; it has no gradient.

    >>> py_func(lambda x: x + 1, [[1.0, 2.0]], "float32").numpy()
    array([2., 3.], dtype=float32)
    """
    import eagercore

    return eagercore.numpy_function(func, inp, Tout)


class RegisterGradient:
    """Refused: an op's gradient stands with the op. `tf.custom_gradient` gives a function its own.

    Args:
        op_type: Name of the op.
    """

    def __init__(self, op_type: str) -> None:
        raise NotImplementedError(
            f"tf.RegisterGradient({op_type!r}): gradients are not registered by name here. Write the function with "
            "@tf.custom_gradient."
        )


def no_gradient(op_type: str) -> None:
    """Accepted for TensorFlow's sake.

    Args:
        op_type: Name of the op.
    """


NoGradient = NotDifferentiable = no_gradient


def register_tensor_conversion_function(
    base_type: Any, conversion_func: Callable[..., Any], priority: int = 100
) -> None:
    """Teaches the engine to make tensors of a class of one's own.

    Args:
        base_type: Class, or tuple of classes.
        conversion_func: Function `f(value, dtype=None, name=None, as_ref=False)` that gives a tensor.
        priority: Accepted for TensorFlow's sake.
    """
    for kind in base_type if isinstance(base_type, tuple) else (base_type,):
        CONVERTERS.append(
            (
                kind,
                lambda value, dtype: conversion_func(value, dtype=dtype, name=None, as_ref=False),
            )
        )


def type_spec_from_value(value: Any) -> Any:
    """The `TensorSpec` of a tensor, or of what converts to one.

    Args:
        value: Anything.
    """
    from ...base.shapes import TensorSpec

    tensor = convert(value)
    return TensorSpec(tensor.shape, tensor.dtype)


RegisterGradient.__module__ = "eagercore"
