"""tf.layers of TensorFlow 1: its classes and functions over the layers of keras.

A class takes its arguments in TensorFlow 1's order. A function makes a fresh layer at each call in eager execution; in
graph mode, in a `tf.make_template` and in a `tfe.EagerVariableStore` the variable scope says whether variables are
shared.
"""

from __future__ import annotations

import importlib
import inspect
from typing import Any

from ...base.context import context
from ...keras.calls import calls
from ...keras.layers.base import Layer
from ...keras.layers.input_spec import InputSpec
from ...keras.naming import get_uid, snake_case, unique_name
from . import scopes

_COMMON = (
    "activation", "use_bias", "kernel_initializer", "bias_initializer", "kernel_regularizer", "bias_regularizer",
    "activity_regularizer", "kernel_constraint", "bias_constraint", "trainable", "name",
)  # fmt: skip
_CONV = ("filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate", *_COMMON)
_CONV_TRANSPOSE = ("filters", "kernel_size", "strides", "padding", "data_format", *_COMMON)
_SEPARABLE = (
    "filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate", "depth_multiplier", "activation",
    "use_bias", "depthwise_initializer", "pointwise_initializer", "bias_initializer", "depthwise_regularizer",
    "pointwise_regularizer", "bias_regularizer", "activity_regularizer", "depthwise_constraint", "pointwise_constraint",
    "bias_constraint", "trainable", "name",
)  # fmt: skip
_POOL = ("pool_size", "strides", "padding", "data_format", "name")
_BATCH_NORMALIZATION = (
    "axis", "momentum", "epsilon", "center", "scale", "beta_initializer", "gamma_initializer",
    "moving_mean_initializer", "moving_variance_initializer", "beta_regularizer", "gamma_regularizer",
    "beta_constraint", "gamma_constraint", "renorm", "renorm_clipping", "renorm_momentum", "fused", "trainable",
    "virtual_batch_size", "adjustment", "name",
)  # fmt: skip
#: Class -> its arguments in TensorFlow 1's order.
ORDER: dict[str, tuple[str, ...]] = {
    "Dense": ("units", *_COMMON),
    "Dropout": ("rate", "noise_shape", "seed", "name"),
    "Flatten": ("data_format", "name"),
    "BatchNormalization": _BATCH_NORMALIZATION,
    "Conv1D": _CONV,
    "Conv2D": _CONV,
    "Conv3D": _CONV,
    "Conv2DTranspose": _CONV_TRANSPOSE,
    "Conv3DTranspose": _CONV_TRANSPOSE,
    "SeparableConv1D": _SEPARABLE,
    "SeparableConv2D": _SEPARABLE,
    "MaxPooling1D": _POOL,
    "MaxPooling2D": _POOL,
    "MaxPooling3D": _POOL,
    "AveragePooling1D": _POOL,
    "AveragePooling2D": _POOL,
    "AveragePooling3D": _POOL,
}
#: Function -> class.
FUNCTIONS = {
    "dense": "Dense", "dropout": "Dropout", "flatten": "Flatten", "batch_normalization": "BatchNormalization",
    "conv1d": "Conv1D", "conv2d": "Conv2D", "conv3d": "Conv3D", "conv2d_transpose": "Conv2DTranspose",
    "conv3d_transpose": "Conv3DTranspose", "separable_conv1d": "SeparableConv1D", "separable_conv2d": "SeparableConv2D",
    "max_pooling1d": "MaxPooling1D", "max_pooling2d": "MaxPooling2D", "max_pooling3d": "MaxPooling3D",
    "average_pooling1d": "AveragePooling1D", "average_pooling2d": "AveragePooling2D",
    "average_pooling3d": "AveragePooling3D",
}  # fmt: skip
#: Arguments that say how TensorFlow computes and change nothing here.
_DROPPED = (
    "renorm",
    "renorm_clipping",
    "renorm_momentum",
    "fused",
    "virtual_batch_size",
    "adjustment",
    "_scope",
)


class _Scoped:
    """What layers of TensorFlow 1 have over those of keras: variables that a variable scope may share."""

    _legacy_reuse: Any = None

    def _first_name(self, name: str | None) -> str:
        if name is not None:
            return str(name)
        # Layers count from 1 and apart from those of keras, their variables from 0: dense_1 has dense/kernel.
        base = snake_case(type(self).__name__)
        self.__dict__["_numbered_name"] = f"{base}_{get_uid('tf.layers ' + base)}"
        return self.__dict__["_numbered_name"]

    @property
    def scope_name(self) -> str:
        """Name under which the variables stand."""
        fields = self.__dict__
        if fields["_name"] != fields.get("_numbered_name"):
            return fields["_name"]
        if "_variables_name" not in fields:
            fields["_variables_name"] = _fresh_name(type(self).__name__)
        return fields["_variables_name"]

    _variables_scope = scope_name

    def add_weight(
        self,
        name: Any = None,
        shape: Any = None,
        dtype: Any = None,
        initializer: Any = None,
        **options: Any,
    ) -> Any:
        """Makes a variable of this layer, or finds the one that the variable scope shares."""
        if scopes._store() is None or not isinstance(name, str):
            return super().add_weight(name, shape, dtype, initializer, **options)  # type: ignore[misc]
        from ...keras import initializers, regularizers

        regularizer = options.pop("regularizer", None)
        kind = dtype or self._variable_dtype()  # type: ignore[attr-defined]
        reuse = self._legacy_reuse
        where = "/".join([*(layer._variables_scope for layer in calls.stack), self.scope_name])
        with scopes.variable_scope(where, reuse=reuse, auxiliary_name_scope=False) as scope:
            variable = scope.get_variable(
                name, shape=shape, dtype=kind, initializer=initializers.get(initializer or "glorot_uniform"),
                trainable=options.get("trainable"), constraint=options.get("constraint"),
            )  # fmt: skip
        if regularizer is not None:
            penalty = regularizers.get(regularizer)
            self.__dict__["_regularizers"].append((variable, penalty))
            if context.graph is not None and hasattr(context.graph, "add_to_collection"):
                context.graph.add_to_collection("regularization_losses", penalty(variable))
        self._track_weight(variable, name)  # type: ignore[attr-defined]
        return variable

    add_variable = add_weight


class _LegacyLayer(_Scoped, Layer):
    """Base class of layers: write `__init__`, `build(input_shape)` and `call(inputs)`.

    Args:
        trainable: Whether the variables are to be trained.
        name: Name.
        dtype: Type of the variables.
        **kwargs: As for `tf.keras.layers.Layer`.
    """

    def __init__(
        self, trainable: bool = True, name: str | None = None, dtype: Any = None, **kwargs: Any
    ) -> None:
        self.__dict__["_legacy_reuse"] = kwargs.pop("_reuse", None)
        kwargs.pop("_scope", None)
        super().__init__(trainable=trainable, name=name, dtype=dtype, **kwargs)


_LegacyLayer.__name__ = _LegacyLayer.__qualname__ = "Layer"
_made: dict[str, Any] = {"Layer": _LegacyLayer, "InputSpec": InputSpec}


def _class(name: str) -> Any:
    """The class of TensorFlow 1 of that name."""
    known = _made.get(name)
    if known is not None:
        return known
    base = getattr(importlib.import_module("eagercore.keras.layers"), name)
    order = ORDER[name]
    taken = set(inspect.signature(base.__init__).parameters)

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        if len(args) > len(order):
            raise TypeError(
                f"tf.layers.{name} takes at most {len(order)} arguments by position ({', '.join(order)})."
            )
        given = {**dict(zip(order, args)), **kwargs}
        repeated = set(kwargs).intersection(order[: len(args)])
        if repeated:
            raise TypeError(
                f"tf.layers.{name} got multiple values for argument '{sorted(repeated)[0]}'."
            )
        self.__dict__["_legacy_reuse"] = given.pop("_reuse", None)
        for key in _DROPPED:
            if key not in taken:
                given.pop(key, None)
        defaults = {
            "kernel_initializer",
            "bias_initializer",
            "depthwise_initializer",
            "pointwise_initializer",
        }
        base.__init__(
            self, **{k: v for k, v in given.items() if v is not None or k not in defaults}
        )

    made = type(name, (_Scoped, base), {"__init__": __init__, "__doc__": _words(name, base, order)})
    made.__module__ = "eagercore"
    __init__.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
        + [
            inspect.Parameter(o, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None)
            for o in order
        ]
        + [inspect.Parameter("kwargs", inspect.Parameter.VAR_KEYWORD)]
    )
    _made[name] = made
    return made


def _words(name: str, base: Any, order: tuple[str, ...]) -> str:
    first = (base.__doc__ or name).strip().split("\n")[0]
    return f"{first}\n\n    `tf.keras.layers.{name}` with the arguments of TensorFlow 1: {', '.join(order)}.\n    "


def _function(name: str) -> Any:
    """The function of TensorFlow 1 of that name: a layer, made and called."""
    cls_name = FUNCTIONS[name]
    order = ORDER[cls_name]
    flags = {"training"} if cls_name in ("Dropout", "BatchNormalization") else set()
    positional = (*order[:-1], "training", "name") if cls_name == "Dropout" else order

    def function(inputs: Any, *args: Any, **kwargs: Any) -> Any:
        given = {**dict(zip(positional, args)), **kwargs}
        call = {key: given.pop(key) for key in flags if key in given}
        reuse = given.pop("reuse", None)
        layer_name = given.get("name") or _fresh_name(cls_name)
        layer = _class(cls_name)(**{**given, "name": layer_name}, _reuse=reuse)
        return layer(inputs, **call)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""`tf.layers.{cls_name}`, made and called on `inputs`.

    In eager execution each call makes new variables: keep the layer (the class) where they are to be trained.

    Args:
        inputs: Tensor.
        *args: Arguments of the class, in its order.
        **kwargs: Arguments of the class; `reuse` to share variables in graph mode.

    Returns:
        The layer's result.
    """
    return function


def _fresh_name(cls_name: str) -> str:
    base = snake_case(cls_name)
    if context.graph is None and not scopes._stack.stores:
        return unique_name(base, "variables of tf.layers ")
    return scopes._unique(scopes.current_scope().name, base)


def __getattr__(name: str) -> Any:
    if name in ORDER or name in _made:
        return _class(name)
    if name in FUNCTIONS:
        value = globals()[name] = _function(name)
        return value
    if name in ("Input", "experimental"):
        return getattr(importlib.import_module("eagercore.keras"), name)
    known = [*ORDER, *FUNCTIONS, "Layer", "InputSpec"]
    raise AttributeError(
        f"module 'eagercore.layers' has no attribute '{name}'. It has: {', '.join(sorted(known))}."
    )


def __dir__() -> list[str]:
    return sorted([*ORDER, *FUNCTIONS, "Layer", "InputSpec"])


_LegacyLayer.__module__ = "eagercore"
