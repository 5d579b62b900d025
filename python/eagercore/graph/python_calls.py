"""Python code inside a graph: it runs each time the graph runs, on eager tensors or NumPy arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..autodiff.tape import GradientTape
from ..base import dtypes, errors, nest
from ..base.context import context
from ..base.shapes import TensorSpec
from ..core.op import barrier
from ..core.tensor import EagerTensor, Tensor, convert, to_array
from .ir import graph_op


class PythonCode:
    """A Python function as an attribute of a node.

    Attributes:
        function: The function.
        eager: Whether it is given eager tensors; else it is given NumPy arrays.
        wanted: Whether somebody asked for its gradient.
        tapes: Tapes of the runs whose gradient was not taken yet.
    """

    def __init__(self, function: Callable[..., Any], eager: bool, label: str) -> None:
        self.function = function
        self.eager = eager
        self.label = label
        self.wanted = False
        self.tapes: list[Any] = []

    def __call__(self, arrays: Any, kinds: Any) -> list[np.ndarray]:
        """Run the code; its results as arrays of `kinds`."""
        with plainly():
            if not self.eager:
                return self._checked(self.function(*[_for_numpy(a) for a in arrays]), kinds)
            inputs = [EagerTensor(np.asarray(a)) for a in arrays]
            if not self.wanted:
                return [t._array for t in self._tensors(self.function(*inputs), kinds)]
            with GradientTape(persistent=True) as tape:
                for tensor in inputs:
                    if tensor.dtype.kind in "fc":
                        tape.watch(tensor)
                outputs = self._tensors(self.function(*inputs), kinds)
            self.tapes.append((tape, inputs, outputs))
            return [t._array for t in outputs]

    def _tensors(self, value: Any, kinds: Any) -> list[Any]:
        flat = [] if value is None and not kinds else nest.flatten(value)
        self._count(flat, kinds)
        made = []
        for leaf, kind in zip(flat, kinds, strict=True):
            tensor = (
                convert(leaf)
                if isinstance(leaf, Tensor) or hasattr(leaf, "_read_array")
                else convert(leaf, kind)
            )
            made.append(self._held(tensor, kind))
        return made

    def _held(self, tensor: Any, kind: Any) -> Any:
        if tensor.dtype is not kind:
            raise errors.dtype_error(
                "EagerPyFunc",
                f"{self.label} returned a {tensor.dtype.name} tensor where Tout says {kind.name}: "
                f"cast it, or change Tout.",
            )
        return tensor

    def _checked(self, value: Any, kinds: Any) -> list[np.ndarray]:
        flat = [] if value is None and not kinds else nest.flatten(value)
        self._count(flat, kinds)
        made = []
        for leaf, kind in zip(flat, kinds, strict=True):
            array = leaf._array if isinstance(leaf, EagerTensor) else leaf
            if isinstance(array, np.ndarray | np.generic) and array.dtype.kind not in "SUO":
                array = np.asarray(array)
                if getattr(self.function, "main_thread_only", False):
                    # R has one type of numbers: what was declared is applied to them.
                    array = convert(array, kind)._array
                if array.dtype != kind.numpy_dtype:
                    raise errors.dtype_error(
                        "PyFunc",
                        f"{self.label} returned {array.dtype} where Tout says {kind.name}: "
                        f"result.astype({kind.name!r}).",
                    )
                made.append(np.array(array))
            else:
                made.append(to_array(array, kind))
        return made

    def _count(self, flat: list[Any], kinds: Any) -> None:
        if len(flat) != len(kinds):
            raise errors.value_error(
                "PyFunc",
                f"{self.label} returned {len(flat)} value(s), but Tout names {len(kinds)} dtype(s).",
            )

    def gradient(self, arrays: Any, count: int) -> list[np.ndarray]:
        """Gradients of the latest run's inputs, from the cotangents of its results."""
        with plainly():
            tape, inputs, outputs = self.tapes.pop()
            cotangents = [EagerTensor(np.asarray(a)) for a in arrays[count:]]
            floats = [t for t in inputs if t.dtype.kind in "fc"]
            targets = [
                (o, c) for o, c in zip(outputs, cotangents, strict=True) if o.dtype.kind in "fc"
            ]
            found = (
                tape.gradient([o for o, _ in targets], floats, [c for _, c in targets])
                if targets
                else [None] * len(floats)
            )
            by_input = {id(t): g for t, g in zip(floats, found, strict=True)}
            made = []
            for tensor in inputs:
                gradient = by_input.get(id(tensor))
                made.append(
                    np.zeros_like(tensor._array) if gradient is None else convert(gradient)._array
                )
            return made


def _for_numpy(array: Any) -> Any:
    """An array that the function may change, a scalar or bytes."""
    array = np.asarray(array)
    return array[()] if array.ndim == 0 and array.dtype == object else np.array(array)


@contextmanager
def plainly() -> Iterator[None]:
    """Inside the `with` block Python code runs eagerly, and no tape listens."""
    before = context.graph, context.tapes
    context.graph, context.tapes = None, ()
    try:
        with np.errstate(all="warn"):
            yield
    finally:
        context.graph, context.tapes = before


@graph_op(barrier, free=("values",), label="EagerPyFunc", outputs="kinds", effect=True)
def python_call(xp, *values, code: Any, kinds: Any):
    """What a Python function gives for tensors.

    Args:
        values: Arguments.
        code: The function.
        kinds: Dtypes of its results.
    """
    return tuple(code(values, kinds))


@python_call.shape_rule
def python_call_rule(*specs, code, kinds):
    """The dtypes are told, the shapes are known only when the code ran."""
    return tuple(TensorSpec(None, kind) for kind in kinds)


@python_call.vjp
def python_call_vjp(dy, result, *values, code, kinds):
    """The code's own gradient, when it ran on tensors; none, when on arrays."""
    if not code.eager:
        return [None] * len(values)
    code.wanted = True
    from ..ops.create import zeros_like

    cotangents = [zeros_like(r) if d is None else d for d, r in zip(dy, result, strict=True)]
    made = context.graph.emit(
        python_gradient, (*values, *cotangents), {"code": code, "count": len(values)}
    )
    return [g if v.dtype.kind in "fc" else None for g, v in zip(made, values, strict=True)]


@graph_op(
    barrier,
    free=("values",),
    label="EagerPyFuncGradient",
    outputs="count",
    effect=True,
    differentiable=False,
)
def python_gradient(xp, *values, code: Any, count: int):
    """Gradients of a Python function's arguments.

    Args:
        values: Its arguments, then the cotangents of its results.
        code: The function.
        count: Number of its arguments.
    """
    return tuple(code.gradient(values, count))


@python_gradient.shape_rule
def python_gradient_rule(*specs, code, count):
    """A gradient is like what it belongs to."""
    return tuple(TensorSpec(s.shape, s.dtype) for s in specs[:count])


def _kinds(tout: Any) -> tuple[Any, bool]:
    """Dtypes of the results, and whether there is a list of them."""
    if isinstance(tout, list | tuple):
        return tuple(getattr(t, "dtype", None) or dtypes.as_dtype(t) for t in tout), True
    return (getattr(tout, "dtype", None) or dtypes.as_dtype(tout),), False


def _call(func: Any, inp: Any, tout: Any, eager: bool, what: str) -> Any:
    if not callable(func):
        raise ValueError(
            f"{what} expected func to be callable. Received func={func!r} of type {type(func).__name__}."
        )
    kinds, several = _kinds(tout)
    inputs = list(inp) if isinstance(inp, list | tuple) else [inp]
    label = getattr(func, "__name__", what)
    code = PythonCode(func, eager, label)
    if context.graph is not None:
        made = context.graph.emit(
            python_call, tuple(convert(i) for i in inputs), {"code": code, "kinds": kinds}
        )
        return list(made) if several else made[0] if kinds else None
    if eager:
        tensors = code._tensors(func(*[convert(i) for i in inputs]), kinds)
    else:
        tensors = [EagerTensor(a) for a in code([convert(i)._array for i in inputs], kinds)]
    return tensors if several else tensors[0] if tensors else None


def py_function(
    func: Callable[..., Any] | None = None,
    inp: Any = None,
    Tout: Any = None,
    name: str | None = None,
) -> Any:
    """Calls a Python function with eager tensors, also inside a graph; gradients flow through it.

    Args:
        func: Function of as many tensors as `inp` has; it returns tensors of the dtypes `Tout`.
        inp: List of tensors.
        Tout: Dtype (or `tf.TensorSpec`) of the result, or a list of them.
        name: Accepted for TensorFlow's sake.

    Returns:
        The result, or the list of results where `Tout` is a list.

    Raises:
        InvalidArgumentError: If number or dtypes of the results differ from `Tout`.

    >>> py_function(lambda x: x * 2, [convert(3.0)], "float32").numpy()
    np.float32(6.0)
    """
    return _call(func, inp, Tout, True, "py_function")


def numpy_function(
    func: Callable[..., Any] | None = None,
    inp: Any = None,
    Tout: Any = None,
    stateful: bool = True,
    name: str | None = None,
) -> Any:
    """Calls a Python function with NumPy arrays, also inside a graph; no gradient flows through it.

    Args:
        func: Function of as many arrays as `inp` has; it returns arrays of the dtypes `Tout`.
        inp: List of tensors.
        Tout: Dtype of the result, or a list of them.
        stateful: Accepted for TensorFlow's sake: the function is always called.
        name: Accepted for TensorFlow's sake.

    Returns:
        The result, or the list of results where `Tout` is a list.

    Raises:
        InvalidArgumentError: If number or dtypes of the results differ from `Tout`.

    >>> numpy_function(lambda x: x + 1, [convert([1, 2])], "int32").numpy()
    array([2, 3], dtype=int32)
    """
    return _call(func, inp, Tout, False, "numpy_function")


def py_func(
    func: Callable[..., Any], inp: Any, Tout: Any, stateful: bool = True, name: str | None = None
) -> Any:
    """As `numpy_function`, by TensorFlow 1's name.

    Args:
        func: Function of arrays.
        inp: List of tensors.
        Tout: Dtype of the result, or a list of them.
        stateful: Accepted for TensorFlow's sake.
        name: Accepted for TensorFlow's sake.
    """
    return numpy_function(func, inp, Tout, stateful)
