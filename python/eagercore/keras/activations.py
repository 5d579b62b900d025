"""Activation functions, by name or as functions."""

from __future__ import annotations

from typing import Any

from ..core.tensor import convert
from ..ops import activations as ops
from ..ops import nn
from ..ops.arithmetic import maximum, minimum
from ..ops.exponential import exp
from ..ops.exponential import sigmoid as _sigmoid
from ..ops.exponential import softplus as _softplus
from ..ops.exponential import tanh as _tanh
from ..ops.select import where
from .serialization import get_registered_name, lookup

#: Constants of `selu`, which keeps mean 0 and variance 1.
SELU_ALPHA = 1.6732632423543772
SELU_SCALE = 1.0507009873554805


def linear(x: Any) -> Any:
    """`x` itself.

    >>> linear(2.0)
    2.0
    """
    return x


def relu(x: Any, alpha: float = 0.0, max_value: float | None = None, threshold: float = 0.0) -> Any:
    """`max(x, 0)`, with an optional slope below the threshold and an upper bound.

    Args:
        x: Tensor.
        alpha: Slope below the threshold. Default 0.
        max_value: Upper bound, or None.
        threshold: Below it values are damped. Default 0.

    >>> relu([-1.0, 2.0]).numpy()
    array([0., 2.], dtype=float32)
    """
    if alpha == 0.0 and max_value is None and threshold == 0.0:
        return nn.relu(x)
    x = convert(x)
    if threshold == 0.0 and max_value is None:
        return nn.leaky_relu(x, alpha)
    above = x * 1.0 if threshold == 0.0 else where(x >= threshold, x, x * 0.0)
    if threshold == 0.0:
        above = nn.relu(x)
    if max_value is not None:
        above = minimum(above, max_value)
    if alpha != 0.0:
        above = above + where(x < threshold, alpha * (x - threshold), x * 0.0)
    return above


def sigmoid(x: Any) -> Any:
    """`1 / (1 + exp(-x))`.

    >>> sigmoid([0.0]).numpy()
    array([0.5], dtype=float32)
    """
    return _sigmoid(x)


def hard_sigmoid(x: Any) -> Any:
    """`0.2 x + 0.5`, cut to [0, 1].

    >>> hard_sigmoid([-3.0, 0.0, 3.0]).numpy()
    array([0. , 0.5, 1. ], dtype=float32)
    """
    return maximum(minimum(convert(x) * 0.2 + 0.5, 1.0), 0.0)


def tanh(x: Any) -> Any:
    """Hyperbolic tangent.

    >>> tanh([0.0]).numpy()
    array([0.], dtype=float32)
    """
    return _tanh(x)


def softmax(x: Any, axis: int = -1) -> Any:
    """`exp(x) / sum(exp(x))` along an axis.

    Args:
        x: Tensor of rank 2 at least.
        axis: Axis. Default last.

    Raises:
        ValueError: If the rank is 1.

    >>> softmax([[0.0, 0.0]]).numpy()
    array([[0.5, 0.5]], dtype=float32)
    """
    x = convert(x)
    if x.shape.rank is not None and x.shape.rank < 2:
        raise ValueError(f"Cannot apply softmax to a tensor that is 1D. Received input: {x}")
    return nn.softmax(x, axis=axis)


def log_softmax(x: Any, axis: int = -1) -> Any:
    """`log(softmax(x))` along an axis.

    >>> log_softmax([[0.0, 0.0]]).numpy()
    array([[-0.6931472, -0.6931472]], dtype=float32)
    """
    return nn.log_softmax(x, axis=axis)


def softplus(x: Any) -> Any:
    """`log(1 + exp(x))`.

    >>> softplus([0.0]).numpy()
    array([0.6931472], dtype=float32)
    """
    return _softplus(x)


def softsign(x: Any) -> Any:
    """`x / (1 + |x|)`.

    >>> softsign([1.0]).numpy()
    array([0.5], dtype=float32)
    """
    return ops.softsign(x)


def elu(x: Any, alpha: float = 1.0) -> Any:
    """`x` above zero, `alpha (exp(x) - 1)` below.

    Args:
        x: Tensor.
        alpha: Factor below zero. Default 1.

    >>> elu([1.0]).numpy()
    array([1.], dtype=float32)
    """
    if alpha == 1.0:
        return ops.elu(x)
    return ops.elu(x, alpha=float(alpha))


def selu(x: Any) -> Any:
    """Scaled `elu`, which keeps mean 0 and variance 1 from layer to layer.

    >>> selu([1.0]).numpy()
    array([1.050701], dtype=float32)
    """
    return ops.selu(x)


def exponential(x: Any) -> Any:
    """`exp(x)`.

    >>> exponential([0.0]).numpy()
    array([1.], dtype=float32)
    """
    return exp(x)


def swish(x: Any) -> Any:
    """`x sigmoid(x)`.

    >>> swish([0.0]).numpy()
    array([0.], dtype=float32)
    """
    return ops.silu(x)


silu = swish


def mish(x: Any) -> Any:
    """`x tanh(softplus(x))`.

    >>> mish([0.0]).numpy()
    array([0.], dtype=float32)
    """
    x = convert(x)
    return x * _tanh(_softplus(x))


def gelu(x: Any, approximate: bool = False) -> Any:
    """`x P(X <= x)` for a standard normal X.

    Args:
        x: Tensor.
        approximate: Whether to use the formula with tanh. Default False.

    >>> gelu([0.0]).numpy()
    array([0.], dtype=float32)
    """
    return ops.gelu(x, approximate)


def relu6(x: Any) -> Any:
    """`relu`, never above 6.

    >>> relu6([7.0]).numpy()
    array([6.], dtype=float32)
    """
    return relu(x, max_value=6.0)


OBJECTS: dict[str, Any] = {
    f.__name__: f
    for f in (
        linear, relu, sigmoid, hard_sigmoid, tanh, softmax, log_softmax, softplus, softsign, elu, selu, exponential,
        swish, mish, gelu, relu6,
    )
}  # fmt: skip
OBJECTS["silu"] = swish
#: What the engine's own functions are called in configurations.
_NAMES = {
    id(nn.relu): "relu",
    id(_tanh): "tanh",
    id(_sigmoid): "sigmoid",
    id(nn.softmax): "softmax",
    id(_softplus): "softplus",
}


def get(identifier: Any) -> Any:
    """The activation function that `identifier` stands for.

    Args:
        identifier: Name, function, layer, dictionary, or None for the identity.

    Raises:
        ValueError: If it cannot be understood.

    >>> get("relu")([-1.0]).numpy()
    array([0.], dtype=float32)
    """
    if identifier is None:
        return linear
    return lookup(identifier, OBJECTS, "activation function", instantiate=False)


def serialize(activation: Any) -> Any:
    """Name of an activation function, or the dictionary of a layer."""
    if hasattr(activation, "get_config"):
        return {
            "class_name": get_registered_name(type(activation)),
            "config": activation.get_config(),
        }
    return _NAMES.get(id(activation)) or get_registered_name(activation)


def deserialize(name: Any, custom_objects: Any = None) -> Any:
    """The activation function of this name."""
    from .serialization import deserialize_keras_object

    return deserialize_keras_object(name, OBJECTS, custom_objects, "activation function")
