"""InputLayer and Input: where a functional model begins."""

from __future__ import annotations

from typing import Any

from ....base import dtypes
from ....base.shapes import as_shape
from ...settings import settings
from ...symbolic import KerasTensor, Node, input_name
from ..base import Layer


class InputLayer(Layer):
    """Entry of a model.

    Args:
        input_shape: Shape of an example.
        batch_size: Number of examples, or None.
        dtype: Type of the elements. Default the default float type.
        input_tensor: A symbolic tensor to take instead of a new one.
        sparse: Accepted for Keras's sake.
        name: Name. Default input_1, input_2 ...
        ragged: Accepted for Keras's sake.
        **kwargs: `batch_input_shape` or `shape`, instead of `input_shape`.

    >>> InputLayer(input_shape=(4,)).output.shape
    TensorShape([None, 4])
    """

    _casts_inputs = False

    def __init__(
        self,
        input_shape: Any = None,
        batch_size: int | None = None,
        dtype: Any = None,
        input_tensor: Any = None,
        sparse: bool = False,
        name: str | None = None,
        ragged: bool = False,
        **kwargs: Any,
    ) -> None:
        full = kwargs.pop("batch_input_shape", kwargs.pop("batch_shape", None))
        shape = kwargs.pop("shape", input_shape)
        if dtype is None and input_tensor is not None:
            dtype = input_tensor.dtype
        super().__init__(
            name=input_name() if name is None else name, dtype=dtype or settings.floatx, **kwargs
        )
        if input_tensor is not None:
            tensor = KerasTensor(input_tensor.shape, dtype, name)
        elif full is not None:
            tensor = KerasTensor(full, dtypes.as_dtype(self.dtype), name)
        else:
            dims = as_shape(() if shape is None else shape)
            tensor = KerasTensor(
                [batch_size, *dims] if dims.rank is not None else None,
                dtypes.as_dtype(self.dtype),
                name,
            )
        self.__dict__["_batch_input_shape"] = (
            None if tensor.shape.rank is None else tuple(tensor.shape)
        )
        self.sparse, self.ragged = sparse, ragged
        self.built = True
        self.is_placeholder = True
        Node(self, (), {}, tensor)

    @property
    def input(self) -> Any:
        """The symbolic input itself."""
        return self._inbound_nodes[0].outputs

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        return {
            "batch_input_shape": self._batch_input_shape, "dtype": self.dtype, "sparse": self.sparse,
            "ragged": self.ragged, "name": self.name,
        }  # fmt: skip


def Input(
    shape: Any = None,
    batch_size: int | None = None,
    name: str | None = None,
    dtype: Any = None,
    sparse: bool = False,
    tensor: Any = None,
    ragged: bool = False,
    **kwargs: Any,
) -> Any:
    """A symbolic tensor: the input of a functional model.

    Args:
        shape: Shape of an example, without the batch; None where an extent is not known.
        batch_size: Number of examples, or None.
        name: Name. Default input_1, input_2 ...
        dtype: Type of the elements. Default the default float type.
        sparse: Accepted for Keras's sake.
        tensor: A symbolic tensor to take shape and dtype from.
        ragged: Accepted for Keras's sake.
        **kwargs: `batch_shape` or `batch_input_shape`: the shape with the batch, instead of `shape`.

    Raises:
        ValueError: If no shape is given, or two are.

    >>> Input((4,)).shape
    TensorShape([None, 4])
    """
    full = kwargs.pop("batch_shape", kwargs.pop("batch_input_shape", None))
    if kwargs:
        raise ValueError(
            f"Unrecognized keyword arguments passed to `Input`: {list(kwargs)}. Please provide `shape` or "
            f"`batch_shape`."
        )
    if full is not None and shape is not None:
        raise ValueError(
            "Only provide the `shape` OR `batch_shape` argument to Input, not both at the same time."
        )
    if full is None and shape is None and tensor is None:
        raise ValueError(
            "Please provide to Input a `shape` argument. Note that `shape` does not include the batch dimension."
        )
    layer = InputLayer(
        input_shape=shape, batch_size=batch_size, name=name, dtype=dtype, sparse=sparse, input_tensor=tensor,
        ragged=ragged, **({} if full is None else {"batch_input_shape": full}),
    )  # fmt: skip
    return layer._inbound_nodes[0].outputs


InputLayer.__module__ = "eagercore.keras.layers"
