"""Lambda: a function as a layer."""

from __future__ import annotations

import inspect
from typing import Any

from ....base.shapes import as_shape
from ..base import Layer


class Lambda(Layer):
    """Calls a function on its input.

    Args:
        function: Function of a tensor (or a structure of tensors).
        output_shape: Shape of the result without the batch, where it cannot be found by running the function.
        mask: Mask of the result, or a function that gives it.
        arguments: Dictionary of further keyword arguments of the function.
        **kwargs: See `Layer`.

    >>> Lambda(lambda x: x * 2.0)([1.0]).numpy()
    array([2.], dtype=float32)
    """

    _casts_inputs = False

    def __init__(
        self,
        function: Any,
        output_shape: Any = None,
        mask: Any = None,
        arguments: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.function = function
        self.arguments = dict(arguments or {})
        self.mask = mask
        self._output_shape = output_shape
        self.supports_masking = mask is not None
        try:
            names = inspect.signature(function).parameters
        except (TypeError, ValueError):
            names = {}
        self._passes = tuple(n for n in ("mask", "training") if n in names)

    def call(self, inputs: Any, mask: Any = None, training: Any = None) -> Any:
        """What the function gives for `inputs`."""
        extra = {"mask": mask, "training": training}
        return self.function(inputs, **self.arguments, **{n: extra[n] for n in self._passes})

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Shape of the result for an input of this shape."""
        given = self._output_shape
        if given is None:
            raise NotImplementedError("The shape is found by running the function.")
        if callable(given):
            return as_shape(given(input_shape))
        first = input_shape if not isinstance(input_shape, list | tuple) else input_shape[0]
        return as_shape([as_shape(first)[0], *as_shape(given)])

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The given mask, or what the given function says."""
        return self.mask(inputs, mask) if callable(self.mask) else self.mask

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one; the function by its name."""
        from ...serialization import get_registered_name

        return {
            **super().get_config(),
            "function": get_registered_name(self.function),
            "output_shape": None if callable(self._output_shape) else self._output_shape,
            "arguments": self.arguments,
        }

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """The layer again; the function must be known as a custom object, for code is never loaded from files.

        Raises:
            ValueError: If the function is not known.
        """
        from ...serialization import get_registered_object

        config = dict(config)
        name = config.pop("function")
        function = get_registered_object(name) if isinstance(name, str) else name
        if function is None:
            raise ValueError(
                f"The function {name!r} of a Lambda layer is not known. Files hold no code: give it by name, as in "
                f"custom_objects={{{name!r}: function}}."
            )
        return cls(function, **config)


Lambda.__module__ = "eagercore.keras.layers"
