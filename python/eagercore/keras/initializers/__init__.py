"""Initializers: what fills a variable at its birth. Each is called with a shape and a dtype."""

from __future__ import annotations

from typing import Any

from ..serialization import lookup, serialize_keras_object
from .base import Initializer
from .constant import Constant, Identity, Ones, Zeros
from .orthogonal import Orthogonal
from .random import RandomNormal, RandomUniform, TruncatedNormal
from .scaling import (
    GlorotNormal,
    GlorotUniform,
    HeNormal,
    HeUniform,
    LecunNormal,
    LecunUniform,
    VarianceScaling,
)

#: Every name that is understood.
OBJECTS: dict[str, Any] = {
    cls.__name__: cls
    for cls in (
        Zeros, Ones, Constant, RandomNormal, RandomUniform, TruncatedNormal, VarianceScaling, Orthogonal, Identity,
        GlorotNormal, GlorotUniform, HeNormal, HeUniform, LecunNormal, LecunUniform,
    )
}  # fmt: skip
OBJECTS.update(
    zeros=Zeros, zero=Zeros, ones=Ones, one=Ones, constant=Constant, random_normal=RandomNormal, normal=RandomNormal,
    random_uniform=RandomUniform, uniform=RandomUniform, truncated_normal=TruncatedNormal,
    variance_scaling=VarianceScaling,
    orthogonal=Orthogonal, identity=Identity, glorot_normal=GlorotNormal, glorot_uniform=GlorotUniform,
    xavier_normal=GlorotNormal, xavier_uniform=GlorotUniform, he_normal=HeNormal, he_uniform=HeUniform,
    lecun_normal=LecunNormal, lecun_uniform=LecunUniform,
)  # fmt: skip
zeros, ones, constant, identity, orthogonal = Zeros, Ones, Constant, Identity, Orthogonal
random_normal, random_uniform, truncated_normal = RandomNormal, RandomUniform, TruncatedNormal
variance_scaling, glorot_normal, glorot_uniform = VarianceScaling, GlorotNormal, GlorotUniform
he_normal, he_uniform, lecun_normal, lecun_uniform = HeNormal, HeUniform, LecunNormal, LecunUniform


def get(identifier: Any) -> Any:
    """The initializer that `identifier` stands for.

    Args:
        identifier: Name, dictionary, class, initializer, function of shape and dtype, tensor, or None.

    Raises:
        ValueError: If it cannot be understood.

    >>> get("zeros")([2]).numpy()
    array([0., 0.], dtype=float32)
    """
    if identifier is not None and (
        hasattr(identifier, "_read_array") or hasattr(identifier, "__array__")
    ):
        return Given(identifier)
    if isinstance(identifier, int | float) and not isinstance(identifier, bool):
        return Constant(identifier)
    found = lookup(identifier, OBJECTS, "initializer")
    if found is None or isinstance(found, Initializer):
        return found
    return _as_initializer(found)


class Given:
    """Initializer that gives a tensor: what `initializer=tensor` means.

    Args:
        value: Tensor or array.
    """

    def __init__(self, value: Any) -> None:
        self.value = value

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Any:
        """The tensor."""
        from ...ops.create import cast, constant

        return (
            cast(constant(self.value, shape=None), dtype)
            if dtype is not None
            else constant(self.value)
        )


def _as_initializer(function: Any) -> Any:
    """A function of one's own: called with shape and dtype, or with the shape alone when that is all it takes."""
    import inspect

    from ...core.tensor import convert

    try:
        names = inspect.signature(function).parameters
    except (TypeError, ValueError):
        names = {"shape": None, "dtype": None}
    takes = "dtype" in names or any(
        getattr(p, "kind", None) is p.VAR_KEYWORD for p in names.values() if p
    )

    def initialize(shape: Any, dtype: Any = None, **kwargs: Any) -> Any:
        value = function(shape, dtype=dtype) if takes else function(shape)
        return convert(value) if hasattr(value, "_read_array") else convert(value, dtype)

    initialize.__name__ = getattr(function, "__name__", "initializer")
    return initialize


def serialize(initializer: Any) -> Any:
    """A dictionary from which `deserialize` makes the initializer again."""
    return serialize_keras_object(initializer)


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """The initializer that a dictionary or name stands for."""
    from ..serialization import deserialize_keras_object

    return deserialize_keras_object(config, OBJECTS, custom_objects, "initializer")
