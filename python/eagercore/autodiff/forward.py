"""Forward mode: an observer of the door that carries directional derivatives along with the values.

The derivative of an op along a direction comes from the op's own `vjp`: an elementwise op's Jacobian is diagonal, so
the vjp applied to the direction is the answer; for every other op the vjp, which is linear in its cotangent, is
differentiated with respect to that cotangent.
"""

from __future__ import annotations

import weakref
from typing import Any

from ..base import errors, nest
from ..base.context import context
from ..core.op import elementwise
from ..core.slices import IndexedSlices
from ..core.tensor import NOTHING, Tensor, convert, next_key
from ..core.variable import Variable
from ..ops.arithmetic import add
from ..ops.create import shape_of, zeros_like
from ..ops.index import gather
from ..ops.sum_to import broadcast_to, sum_to_like
from .tape import GradientTape, _wants_zero


class ForwardAccumulator:
    """Computes Jacobian-vector products (directional derivatives) while the function runs.

    Args:
        primals: Tensor or variable, or a structure of these: the point.
        tangents: The direction: values of the shapes and dtypes of `primals`, in the same structure.

    Raises:
        ValueError: If a tangent does not fit its primal.

    >>> x = convert([2.0, 3.0])
    >>> with ForwardAccumulator(primals=x, tangents=[1.0, 0.0]) as accumulator:
    ...     y = x * x
    >>> accumulator.jvp(y).numpy()
    array([4., 0.], dtype=float32)
    """

    _comes_last = True

    def __init__(self, primals: Any, tangents: Any) -> None:
        #: key of a tensor -> (weak reference that forgets the entry with the tensor, its tangent)
        self._tangents: dict[int, tuple[Any, Any]] = {}
        self._variables: dict[int, tuple[Variable, Any]] = {}
        self._recording = False
        for primal, tangent in zip(*_paired(primals, tangents), strict=True):
            self._watch(primal, tangent)

    def _watch(self, primal: Any, tangent: Any) -> None:
        if not isinstance(primal, Tensor | Variable):
            raise ValueError(
                f"ForwardAccumulator: primals must be tensors or variables, got {primal!r} of type "
                f"{type(primal).__name__}. Make a tensor of it first: tf.constant(x)."
            )
        if primal.dtype.kind not in "fc":
            raise errors.dtype_error(
                "ForwardAccumulator",
                f"Trying to watch a tensor of dtype {primal.dtype.name}: primals must be floating. Use tf.cast.",
            )
        tangent = convert(tangent, None if isinstance(tangent, Tensor | Variable) else primal.dtype)
        if tangent.dtype is not primal.dtype:
            raise errors.dtype_error(
                "ForwardAccumulator",
                f"Got a tangent of dtype {tangent.dtype.name} for a primal of dtype {primal.dtype.name}.",
            )
        if not tangent.shape.is_compatible_with(primal.shape):
            raise errors.shape_error(
                "ForwardAccumulator",
                f"Got a tangent of shape {tangent.shape} for a primal of shape {primal.shape}.",
            )
        if isinstance(primal, Variable):
            primal = getattr(primal, "_origin", primal)
            self._variables[id(primal)] = (
                primal,
                self._sum(self._variables.get(id(primal)), tangent),
            )
        else:
            self._set(primal, self._sum(self._tangents.get(primal._key), tangent))

    @staticmethod
    def _sum(known: Any, tangent: Any) -> Any:
        return tangent if known is None else add(known[1], tangent)

    def _set(self, tensor: Any, tangent: Any) -> None:
        if tensor._key == 0:
            tensor._key = next_key()
        key, tangents = tensor._key, self._tangents
        tangents[key] = (weakref.ref(tensor, lambda _: tangents.pop(key, None)), tangent)

    def __enter__(self) -> ForwardAccumulator:
        if self._recording:
            raise ValueError("Accumulator is already recording.")
        context.tapes = (*context.tapes, self)
        self._recording = True
        return self

    def __exit__(self, *exc: Any) -> None:
        context.tapes = tuple(tape for tape in context.tapes if tape is not self)
        self._recording = False

    def leave(self, tensor: Any, how: str) -> None:
        """A value left the engine: nothing to do in forward mode."""

    def read_variable(self, variable: Variable, value: Any) -> None:
        """Called when a variable is read: the value it gives carries the variable's tangent."""
        entry = self._variables.get(id(variable))
        if entry is not None and value._key not in self._tangents:
            self._set(value, entry[1])

    def record(self, op: Any, inputs: Any, attrs: dict[str, Any], result: Any) -> None:
        """Called by the door after every op: computes the tangent of its results."""
        known = self._tangents
        tangents = [known[t._key][1] if t._key in known else None for t in inputs]
        if op.gradient is None or not any(t is not None for t in tangents):
            return
        tapes = context.tapes
        # What is computed here is heard by the tapes and by the accumulators around this one.
        context.tapes = tapes[: tapes.index(self)]
        try:
            if _is_diagonal(op, inputs, tangents, result):
                found = [_diagonal(op, inputs, attrs, result, tangents)]
            else:
                found = _transposed(op, inputs, attrs, result, tangents)
        finally:
            context.tapes = tapes
        for one, tangent in zip(result if type(result) is list else (result,), found, strict=True):
            if tangent is not None:
                self._set(one, tangent)

    def jvp(self, primals: Any, unconnected_gradients: Any = "none") -> Any:
        """Directional derivatives of what was computed inside the `with` block.

        Args:
            primals: Tensor, or structure of tensors.
            unconnected_gradients: "none" gives None and "zero" zeros for what does not depend on the primals.

        Returns:
            Tangents in the structure of `primals`.
        """
        zero = _wants_zero(unconnected_gradients)
        found = []
        for one in nest.flatten(primals):
            tangent = self._tangent(one)
            found.append(zeros_like(one) if tangent is None and zero else tangent)
        return nest.pack_sequence_as(primals, found)

    def _tangent(self, one: Any) -> Any:
        if isinstance(one, IndexedSlices):
            rows = self._tangent(one.values)
            return None if rows is None else IndexedSlices(rows, one.indices, one.dense_shape)
        if isinstance(one, Variable):
            entry = self._variables.get(id(getattr(one, "_origin", one)))
            return None if entry is None else entry[1]
        entry = self._tangents.get(getattr(one, "_key", 0))
        return None if entry is None else entry[1]


def _paired(primals: Any, tangents: Any) -> tuple[list[Any], list[Any]]:
    """Primals and tangents as lists; one primal may have a nested list of numbers as tangent."""
    if not nest.is_nested(primals):
        return [primals], [tangents]
    flat = nest.flatten(primals)
    values = list(tangents) if len(flat) == len(tangents) else nest.flatten(tangents)
    if isinstance(primals, dict):
        values = nest.flatten(tangents)
    if len(values) != len(flat):
        raise ValueError(
            f"ForwardAccumulator: {len(flat)} primals, but {len(values)} tangents. Give one tangent for each."
        )
    return flat, values


def _is_diagonal(op: Any, inputs: Any, tangents: list[Any], result: Any) -> bool:
    """Whether the op's Jacobian is diagonal and real, so that its vjp is its jvp."""
    if op.family is not elementwise or type(result) is list:
        return False
    dtype = result.dtype
    return dtype.kind == "f" and all(t is None or t.dtype is dtype for t in tangents)


def _backward(op: Any, inputs: Any, attrs: dict[str, Any], result: Any, dy: Any, needs: Any) -> Any:
    extra = {"needs": needs} if op.wants_needs else {}
    back = op.gradient(dy, result, *inputs, **extra, **attrs)
    return list(back) if isinstance(back, tuple | list) else [back]


def _diagonal(op: Any, inputs: Any, attrs: Any, result: Any, tangents: list[Any]) -> Any:
    total = None
    for i, tangent in enumerate(tangents):
        if tangent is None:
            continue
        if tangent.shape != result.shape:
            tangent = broadcast_to(tangent, shape=shape_of(result))
        needs = tuple(j == i for j in range(len(tangents)))
        part = _backward(op, inputs, attrs, result, tangent, needs)[i]
        if part is not None:
            total = part if total is None else add(total, part)
    return total


def _transposed(op: Any, inputs: Any, attrs: Any, result: Any, tangents: list[Any]) -> list[Any]:
    """The vjp is linear in its cotangent: its own vjp is the jvp."""
    several = type(result) is list
    probes = [zeros_like(one) for one in (result if several else [result])]
    needs = tuple(t is not None for t in tangents)
    with GradientTape() as tape:
        tape.watch([p for p in probes if p.dtype.kind in "fc"])
        back = _backward(op, inputs, attrs, result, probes if several else probes[0], needs)
        targets, seeds = [], []
        for one, tangent, value in zip(back, tangents, inputs, strict=True):
            if one is None or tangent is None or value is NOTHING:
                continue
            if type(one) is IndexedSlices:
                targets.append(one.values)
                seeds.append(gather(tangent, one.indices))
            else:
                targets.append(sum_to_like(one, value) if op.family.broadcasts else one)
                seeds.append(tangent)
    floating = [p for p in probes if p.dtype.kind in "fc"]
    found = iter(
        tape.gradient(targets, floating, output_gradients=seeds)
        if targets
        else [None] * len(floating)
    )
    return [next(found) if p.dtype.kind in "fc" else None for p in probes]


ForwardAccumulator.__module__ = "eagercore"
