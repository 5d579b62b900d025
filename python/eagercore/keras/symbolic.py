"""Symbolic tensors of functional models: `keras.Input`, and what layers and operations make of it.

A `KerasTensor` knows a shape, a dtype and where it comes from: the node (one call of one layer) that made it. An
operation that is given one (`x + y`, `tf.reduce_mean(x)`) becomes a layer of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..base import dtypes, nest
from ..base.seeds import Stream
from ..base.shapes import TensorShape, TensorSpec, as_shape
from ..core.tensor import NOTHING, Tensor, convert
from ..core.variable import Variable
from .calls import calls
from .naming import get_uid, unique_name


class KerasTensor(Tensor):
    """Stands for a tensor of a functional model before there are values.

    Args:
        shape: Shape with the batch first; None where an extent is not known.
        dtype: Type of the elements. Default float32.
        name: Name shown in messages. Default keras_tensor, keras_tensor_1 ... once a layer gives it out.

    >>> KerasTensor((None, 4))
    <KerasTensor shape=(None, 4), dtype=float32, sparse=False, ragged=False, name=keras_tensor>
    """

    _is_symbolic = True
    _key = 0

    def __init__(self, shape: Any, dtype: Any = dtypes.float32, name: str | None = None) -> None:
        self._shape = as_shape(shape)
        self._dtype = dtypes.as_dtype(dtype)
        self._name = name
        #: (node, position among its results), or None for a tensor that only serves to learn shapes.
        self._origin: tuple[Node, int] | None = None

    @property
    def shape(self) -> TensorShape:
        """What is known of the shape."""
        return self._shape

    @property
    def dtype(self) -> dtypes.DType:
        """Type of the elements."""
        return self._dtype

    @property
    def name(self) -> str:
        """Its own name: that of a named `Input`, else keras_tensor with a number."""
        return self._name or "keras_tensor"

    @property
    def node(self) -> Any:
        """The call of a layer that made it, or None."""
        return None if self._origin is None else self._origin[0]

    @property
    def _keras_history(self) -> Any:
        if self._origin is None:
            return None
        node, position = self._origin
        return node.layer, node.layer._inbound_nodes.index(node), position

    def set_shape(self, shape: Any) -> None:
        """Adds what is known of the shape."""
        self._shape = self._shape.merge_with(shape)

    def _refuse(self, use: str) -> Any:
        return TypeError(
            f"A symbolic KerasTensor cannot be used as {use}: it has no value before the model is called. Use tf "
            f"operations, or put Python code into a Lambda layer. Tensor: {self!r}"
        )

    def __bool__(self) -> bool:
        raise self._refuse("a boolean")

    def __int__(self) -> int:
        raise self._refuse("an int")

    def __float__(self) -> float:
        raise self._refuse("a float")

    def __index__(self) -> int:
        raise self._refuse("an index")

    def __len__(self) -> int:
        raise TypeError(f"len() of a KerasTensor is not defined: use x.shape. Tensor: {self!r}")

    def __iter__(self) -> Iterator[Any]:
        raise TypeError(f"A symbolic KerasTensor cannot be iterated over. Tensor: {self!r}")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        raise self._refuse("a NumPy array")

    def numpy(self) -> Any:
        """Refused: there is no value yet."""
        raise self._refuse("a NumPy array")

    def __repr__(self) -> str:
        return (
            f"<KerasTensor shape={self._shape}, dtype={self._dtype.name}, sparse=False, ragged=False, "
            f"name={self.name}>"
        )

    __str__ = __repr__

    def __copy__(self) -> KerasTensor:
        return self

    def __deepcopy__(self, memo: Any) -> KerasTensor:
        return self

    def _lift(self, op: Any, args: Any, attrs: dict[str, Any]) -> Any:
        """What the door does with an operation that is given symbolic tensors."""
        args = _admitted(op, args)
        made = outputs_of(op, args, attrs)
        if calls.inferring:
            return made
        from .layers.operation import OperationLayer

        # A random operation of a model goes on in a stream of its own from call to call.
        attrs = {k: Stream(v.seeds) if isinstance(v, Stream) else v for k, v in attrs.items()}
        return OperationLayer(op)._connect(args, attrs, made)


def _admitted(op: Any, args: Any) -> tuple[Any, ...]:
    """Arguments as tensors, variables and symbolic tensors: weak values take the dtype of the first strong one."""
    strict = range(len(args)) if op.variadic else op.strict
    strong = [a for i, a in enumerate(args) if i in strict and isinstance(a, Tensor | Variable)]
    wanted = strong[0].dtype if strong else None
    return tuple(
        a
        if isinstance(a, Tensor | Variable) or a is NOTHING
        else convert(a, wanted if i in strict else None)
        for i, a in enumerate(args)
    )


def outputs_of(op: Any, args: Any, attrs: dict[str, Any]) -> Any:
    """Symbolic results of an operation, without a history."""
    specs = [None if a is NOTHING else TensorSpec(a.shape, a.dtype) for a in args]
    found = [KerasTensor(s.shape, s.dtype) for s in op.infer(specs, attrs)]
    return found[0] if op.outputs == 1 and len(found) == 1 else found


class Node:
    """One call of one layer on symbolic tensors.

    Args:
        layer: The layer.
        args: Its positional arguments: structures that hold symbolic tensors.
        kwargs: Its keyword arguments.
        outputs: The symbolic results, or a structure of them.
    """

    def __init__(self, layer: Any, args: Any, kwargs: dict[str, Any], outputs: Any) -> None:
        self.layer, self.args, self.kwargs, self.outputs = layer, args, kwargs, outputs
        self.inputs = [t for t in nest.flatten((args, kwargs)) if isinstance(t, KerasTensor)]
        layer._inbound_nodes.append(self)
        for position, tensor in enumerate(nest.flatten(outputs)):
            tensor._origin = (self, position)
            if tensor._name is None:
                tensor._name = unique_name("keras_tensor")

    @property
    def input_tensors(self) -> Any:
        """The symbolic inputs: one, or a structure of them."""
        if not self.args:
            return self.inputs[0] if len(self.inputs) == 1 else self.inputs
        return self.args[0]

    @property
    def output_tensors(self) -> Any:
        """The symbolic results: one, or a structure of them."""
        return self.outputs

    @property
    def parents(self) -> list[Node]:
        """The nodes that made the inputs."""
        return [t._origin[0] for t in self.inputs if t._origin is not None]


def is_keras_tensor(x: Any) -> bool:
    """Whether `x` is a symbolic tensor of a functional model.

    >>> is_keras_tensor(1.0)
    False
    """
    return isinstance(x, KerasTensor)


def any_symbolic(*structures: Any) -> bool:
    """Whether a symbolic tensor is anywhere in the structures."""
    for structure in structures:
        if isinstance(structure, KerasTensor):
            return True
        if isinstance(structure, list | tuple):
            if any_symbolic(*structure):
                return True
        elif isinstance(structure, dict) and any_symbolic(*structure.values()):
            return True
    return False


def fresh(structure: Any) -> Any:
    """New symbolic tensors without history, of the shapes and dtypes of tensors or specs."""
    return nest.map_structure(
        lambda t: KerasTensor(t.shape, t.dtype) if hasattr(t, "dtype") else t, structure
    )


def input_name() -> str:
    """The next name of an input that was not given one: input_1, input_2 ..."""
    return f"input_{get_uid('input')}"


KerasTensor.__module__ = "eagercore.keras"
