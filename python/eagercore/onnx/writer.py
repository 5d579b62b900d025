"""Nodes, initializers and names of an ONNX graph while it is written."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ..base import errors


class Writer:
    """Collects what an ONNX graph is made of.

    Args:
        opset: Version of ONNX's operators.

    Attributes:
        nodes: The nodes in order.
        initializers: Constants by name.
        names: id of a value of the draft -> name in the ONNX graph.
    """

    def __init__(self, opset: int) -> None:
        self.opset = opset
        self.nodes: list[Any] = []
        self.initializers: dict[str, Any] = {}
        self.names: dict[int, str] = {}
        self._used: dict[str, int] = {}
        self._constants: dict[Any, str] = {}

    def fresh_name(self, base: str) -> str:
        """A name that nothing has yet."""
        base = re.sub(r"[^A-Za-z0-9_/.\-]", "_", base or "t")
        count = self._used.get(base, 0)
        self._used[base] = count + 1
        return base if not count else self.fresh_name(f"{base}_{count}")

    def name_of(self, value: Any) -> str:
        """Name of a value of the draft."""
        return self.names[id(value)]

    def constant(self, array: Any, base: str = "c") -> str:
        """An initializer; equal small ones are shared."""
        import onnx

        array = np.asarray(array)
        if array.dtype.kind in "OUSc":
            raise errors.UnimplementedError(
                f"ONNX export takes numbers and truth values, got a constant of dtype {array.dtype}."
            )
        key = (array.dtype.str, array.shape, array.tobytes()) if array.size <= 64 else None
        if key is not None and key in self._constants:
            return self._constants[key]
        name = self.fresh_name(base)
        self.initializers[name] = onnx.numpy_helper.from_array(
            np.ascontiguousarray(array).reshape(array.shape), name
        )
        if key is not None:
            self._constants[key] = name
        return name

    def ints(self, *values: int) -> str:
        """A vector of int64."""
        return self.constant(np.array(values, np.int64), "ints")

    def node(self, kind: str, inputs: Any, result: str | None = None, **attributes: Any) -> str:
        """Adds a node with one result and gives its name."""
        return self.several(kind, inputs, 1, [result] if result else None, **attributes)[0]

    def several(
        self, kind: str, inputs: Any, count: int, results: Any = None, **attributes: Any
    ) -> list[str]:
        """Adds a node with several results and gives their names."""
        import onnx

        results = results or [self.fresh_name(kind.lower()) for _ in range(count)]
        given = ["" if i is None else i for i in inputs]
        attributes = {k: v for k, v in attributes.items() if v is not None}
        self.nodes.append(
            onnx.helper.make_node(
                kind, given, results, name=self.fresh_name(f"n_{kind}"), **attributes
            )
        )
        return list(results)

    def cast(self, name: str, dtype: Any) -> str:
        """A cast to a NumPy dtype."""
        import onnx

        return self.node("Cast", [name], to=onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype)))

    def value_info(self, name: str, value: Any, base: str) -> Any:
        """The declaration of an input or output; unknown dimensions get names."""
        import onnx

        kind = onnx.helper.np_dtype_to_tensor_dtype(value.dtype.numpy_dtype)
        if value.shape.rank is None:
            return onnx.helper.make_tensor_value_info(name, kind, None)
        dims = [
            ("batch" if i == 0 else f"{base}_{i}") if d is None else d
            for i, d in enumerate(value.shape)
        ]
        return onnx.helper.make_tensor_value_info(name, kind, dims)
