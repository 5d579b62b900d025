"""OperationLayer: an operation on symbolic tensors, such as `x + y`, as a layer of a functional model."""

from __future__ import annotations

from typing import Any

from ...core.op import REGISTRY
from ...core.tensor import NOTHING
from ...core.variable import Variable
from ...ops.create import constant
from .base import Layer


class OperationLayer(Layer):
    """Runs one operation of the engine.

    Args:
        operation: The operation, or its name.
        **kwargs: See `Layer`.
    """

    _casts_inputs = False

    def __init__(self, operation: Any, **kwargs: Any) -> None:
        self.__dict__["_operation"] = (
            REGISTRY[operation] if isinstance(operation, str) else operation
        )
        super().__init__(**kwargs)
        self.built = True

    def _first_name(self, name: str | None) -> str:
        from ..naming import unique_name

        return unique_name(f"tf_op_layer_{self._operation.label}") if name is None else name

    def _connect(self, args: Any, kwargs: dict[str, Any], outputs: Any) -> Any:
        self._variables = [a for a in args if isinstance(a, Variable)]
        return Layer._connect(
            self, tuple(None if a is NOTHING else a for a in args), kwargs, outputs
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The operation's result."""
        operation = self._operation
        if operation.variadic:
            fixed = len(operation.tensor_names) - 1
            args = (*args[:fixed], list(args[fixed:]))
        return operation(*args, **kwargs)

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """The operation's result."""
        return self(*args, **kwargs)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {"name": self.name, "operation": self._operation.name}

    def recreate(self, args: Any, kwargs: dict[str, Any]) -> Any:
        """The operation on new symbolic tensors, when a model is copied or loaded."""
        made = self._operation(
            *(
                constant(a) if isinstance(a, list) and not _symbolic(a) else a
                for a in self._grouped(args)
            ),
            **kwargs,
        )
        return made

    def _grouped(self, args: Any) -> Any:
        if not self._operation.variadic:
            return args
        fixed = len(self._operation.tensor_names) - 1
        return (*args[:fixed], list(args[fixed:]))


def _symbolic(values: Any) -> bool:
    from ..symbolic import any_symbolic

    return any_symbolic(values)


OperationLayer.__module__ = "eagercore.keras.layers"
