"""What a layer demands of its input, and the check of it."""

from __future__ import annotations

from typing import Any

from ...base import dtypes, nest


class InputSpec:
    """Demands on one input of a layer.

    Args:
        dtype: Type of the elements, or None.
        shape: Shape, with None where any extent will do, or None.
        ndim: Number of dimensions, or None.
        max_ndim: Most dimensions, or None.
        min_ndim: Fewest dimensions, or None.
        axes: Dictionary of axis and the extent that it must have, or None.
        allow_last_axis_squeeze: Accepted for Keras's sake.
        name: Name of the input when inputs are given as a dictionary.

    >>> InputSpec(min_ndim=2, axes={-1: 4})
    InputSpec(min_ndim=2, axes={-1: 4})
    """

    def __init__(
        self,
        dtype: Any = None,
        shape: Any = None,
        ndim: int | None = None,
        max_ndim: int | None = None,
        min_ndim: int | None = None,
        axes: Any = None,
        allow_last_axis_squeeze: bool = False,
        name: str | None = None,
    ) -> None:
        self.dtype = None if dtype is None else dtypes.as_dtype(dtype).name
        self.shape = None if shape is None else tuple(shape)
        self.ndim = len(self.shape) if self.shape is not None else ndim
        self.max_ndim, self.min_ndim = max_ndim, min_ndim
        self.axes = {int(axis): size for axis, size in (axes or {}).items()}
        self.allow_last_axis_squeeze = allow_last_axis_squeeze
        self.name = name

    def __repr__(self) -> str:
        parts = {
            "dtype": self.dtype, "shape": self.shape, "ndim": self.ndim, "max_ndim": self.max_ndim,
            "min_ndim": self.min_ndim, "axes": self.axes or None,
        }  # fmt: skip
        return f"InputSpec({', '.join(f'{k}={v}' for k, v in parts.items() if v is not None)})"

    def get_config(self) -> dict[str, Any]:
        """The demands as a dictionary."""
        return {
            "dtype": self.dtype, "shape": self.shape, "ndim": self.ndim, "max_ndim": self.max_ndim,
            "min_ndim": self.min_ndim, "axes": self.axes,
        }  # fmt: skip

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> InputSpec:
        """The spec that `get_config` described."""
        return cls(**config)


def check_inputs(spec: Any, inputs: Any, layer_name: str) -> None:
    """Raises unless `inputs` meet the demands.

    Args:
        spec: An `InputSpec`, or a structure of them.
        inputs: Tensor, or a structure of tensors.
        layer_name: Name of the layer, for the message.

    Raises:
        ValueError: If they do not.
    """
    if isinstance(spec, InputSpec) and not isinstance(inputs, list | tuple | dict):
        _check(spec, inputs, 0, layer_name)
        return
    specs, tensors = nest.flatten(spec), nest.flatten(inputs)
    if len(specs) == 1 and isinstance(spec, InputSpec) and len(tensors) > 1:
        raise ValueError(
            f"Layer {layer_name} expects 1 input(s), but it received {len(tensors)} input tensors. "
            f"Inputs received: {tensors}"
        )
    if len(specs) != len(tensors):
        raise ValueError(
            f"Layer {layer_name} expects {len(specs)} input(s), but it received {len(tensors)} input tensors. "
            f"Inputs received: {tensors}"
        )
    for position, (one, tensor) in enumerate(zip(specs, tensors, strict=True)):
        if one is not None:
            _check(one, tensor, position, layer_name)


def _check(spec: InputSpec, tensor: Any, position: int, layer_name: str) -> None:
    if not hasattr(tensor, "_dims"):
        raise TypeError(
            f"Input {position} of layer {layer_name} must be a tensor or an array, got {type(tensor).__name__}. "
            "Of a dataset or generator a layer takes one batch at a time; model.predict takes all of it."
        )
    dims = tensor._dims()
    if dims is None:
        return
    rank = len(dims)
    if spec.ndim is not None and rank != spec.ndim:
        shape = tensor.shape
        why = f"expected ndim={spec.ndim}, found ndim={rank}. Full shape received: {shape}"
        _fail(layer_name, position, why)
    if spec.max_ndim is not None and rank > spec.max_ndim:
        _fail(layer_name, position, f"expected max_ndim={spec.max_ndim}, found ndim={rank}")
    if spec.min_ndim is not None and rank < spec.min_ndim:
        why = f"expected min_ndim={spec.min_ndim}, found ndim={rank}. Full shape received: {tensor.shape}"
        _fail(layer_name, position, why)
    if spec.dtype is not None and tensor.dtype.name != spec.dtype:
        _fail(layer_name, position, f"expected dtype={spec.dtype}, found dtype={tensor.dtype.name}")
    for axis, size in spec.axes.items():
        found = dims[axis]
        if found != size and size is not None and found is not None:
            _fail(
                layer_name,
                position,
                f"expected axis {axis} of input shape to have value {size} but received input with "
                f"shape {tensor.shape}",
            )
    if spec.shape is not None:
        for wanted, found in zip(spec.shape, dims, strict=True):
            if wanted is not None and found is not None and wanted != found:
                _fail(
                    layer_name, position, f"expected shape={spec.shape}, found shape={tensor.shape}"
                )


def _fail(layer_name: str, position: int, why: str) -> None:
    error = ValueError(
        f"Input {position} of layer {layer_name} is incompatible with the layer: {why}"
    )
    error.layer = layer_name  # type: ignore[attr-defined]
    error.kind = "shape"  # type: ignore[attr-defined]
    raise error


InputSpec.__module__ = "eagercore.keras.layers"
