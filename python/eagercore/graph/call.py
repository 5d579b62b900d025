"""A traced function under a tape: one record, whose gradient is a traced function too.

The forward program gives, beside its results, the intermediate values that the backward graph reads. The backward graph
is traced once for each question (which inputs' gradients, which results' cotangents); it is itself
a traced function, so second order needs nothing more.
"""

from __future__ import annotations

from typing import Any

from ..autodiff.backward import play_backwards
from ..base.context import context
from ..base.shapes import TensorSpec
from ..core.op import op as general
from ..core.slices import IndexedSlices
from ..core.tensor import EagerTensor, convert
from .build import FuncGraph, building
from .execute import Program
from .ir import CONSTANT, PLACEHOLDER, READ


class CallOp:
    """What a tape's record calls an op: the call of a traced function."""

    name = "call"
    label = "PartitionedCall"
    family = general
    outputs = "any"
    keeps_all = keeps_result = wants_needs = takes_none = True
    differentiable = True
    array_gradient = None
    extra: dict[str, Any] = {}

    @staticmethod
    def gradient(dy: Any, result: Any, *inputs: Any, call: Differentiable, needs: Any) -> list[Any]:
        """What goes back through a call."""
        return call.go_back(dy, result, inputs, needs)

    def strip(self, inputs: Any) -> Any:
        """All inputs are kept."""
        return inputs


CALL = CallOp()


class BackwardGraph(FuncGraph):
    """The graph of a gradient: where only a tensor's shape is read, the shape is taken on the way forward."""

    def emit(self, op: Any, args: Any, attrs: dict[str, Any]) -> Any:
        """See `Graph.emit`."""
        if op.name == "shape_op":
            source = args[0]
            if getattr(source, "_is_symbolic", False) and source.graph is self.outer:
                with building(self.outer):
                    made = self.outer.emit(op, args, attrs)
                return self.take(made)
        return super().emit(op, args, attrs)


class Differentiable:
    """What a traced function needs so that gradients flow through its call.

    Args:
        graph: The function's graph.
        jit: Whether XLA compiles it.
    """

    def __init__(self, graph: FuncGraph, jit: bool = False) -> None:
        self.graph = graph
        self.jit = jit
        self.own_inputs = [*graph.inputs, *graph.captures]
        self.constants = [
            (n.attrs["value"], n.outputs[0])
            for n in graph.nodes
            if n.op is CONSTANT and n.outputs[0].dtype.kind in "fc"
        ]
        self.variables = list(graph.tape.variables.values())
        self.saved: list[Any] = []
        self._backwards: dict[Any, Backward] = {}
        self._forward: Program | None = None
        self._ready = False

    # ------------------------------------------------------------------------------------------------------- forward

    def _prepare(self) -> None:
        """Traces the gradient of everything once: what it reads is what the forward program must hand out."""
        self._ready = True
        needs = tuple(t.dtype.kind in "fcv" for t in self.own_inputs) + (True,) * len(
            self.variables
        )
        present = tuple(t.dtype.kind in "fcv" for t in self.graph.outputs)
        if True in needs and True in present:
            self._save(self.backward(needs, present).wanted)
            if any("test" in n.attrs or "then" in n.attrs for n in self.graph.nodes):
                # What the second order reads of branches and bodies must be remembered from the start.
                more = tuple(t.dtype.kind in "fcv" for t in self.saved)
                self._save(self.backward(needs, present + more, (), self.saved).wanted)

    def _save(self, wanted: list[Any]) -> None:
        known = {id(t) for t in (*self.graph.outputs, *self.saved)}
        self.saved.extend(t for t in wanted if id(t) not in known)

    def _keep_random(self) -> None:
        kept = {id(t) for t in self.saved}
        for node in list(self.graph.nodes):
            if (
                not node.op.family.pure
                and node.op not in (PLACEHOLDER, CONSTANT, READ)
                and not node.effect
            ):
                self.saved.extend(t for t in node.outputs if id(t) not in kept)

    def program(self) -> Program:
        """The forward program that also gives what is saved."""
        if not self._ready:
            self._prepare()
            self._keep_random()
        if self._forward is None:
            kind: Any = Program
            if self.jit:
                from .jit import XlaProgram as kind
            self._forward = kind(self.graph, self.own_inputs, [*self.graph.outputs, *self.saved])
        return self._forward

    def __call__(self, tensors: list[EagerTensor]) -> list[EagerTensor]:
        """Runs the function under the tapes that listen."""
        values = [v.value() for v, _ in self.variables]
        constants = [(t, s) for t, s in self.constants if t._key]
        inputs = (*tensors, *values, *(t for t, _ in constants))
        program = self.program()
        count = len(self.graph.outputs)
        made = [EagerTensor(a) for a in program.run(*[t._array for t in tensors])]
        if any(listens(tape, inputs) for tape in context.tapes):
            attrs = {"call": Bound(self, [s for _, s in constants], list(self.saved))}
            for tape in context.tapes:
                tape.record(CALL, inputs, attrs, made)
        return made[:count]

    # ------------------------------------------------------------------------------------------------------ backward

    def backward(
        self,
        needs: tuple[bool, ...],
        present: tuple[bool, ...],
        constants: Any = (),
        saved: Any = (),
    ) -> Backward:
        """The traced gradient for one question."""
        key = (needs, present, tuple(id(s) for s in constants))
        known = self._backwards.get(key)
        if known is None:
            known = self._backwards[key] = Backward(
                self, needs, present, list(constants), list(saved)
            )
        return known


def listens(tape: Any, inputs: Any) -> bool:
    """Whether a tape wants to hear of an op on `inputs`."""
    watched = getattr(tape, "_watched", None)
    return watched is None or not watched.isdisjoint([t._key for t in inputs])


class Bound:
    """A call that a tape recorded: the function, and what the call's further inputs and results stand for."""

    def __init__(self, function: Differentiable, constants: list[Any], saved: list[Any]) -> None:
        self.function = function
        self.constants = constants
        self.saved = saved

    def go_back(self, dy: Any, result: Any, inputs: Any, needs: Any) -> list[Any]:
        """Gradients of all inputs."""
        dy = [convert(d) if type(d) is IndexedSlices else d for d in dy]
        present = tuple(d is not None for d in dy)
        backward = self.function.backward(tuple(needs), present, self.constants, self.saved)
        own = {id(t): v for t, v in zip(self.function.own_inputs, inputs, strict=False)}
        count = len(self.function.graph.outputs)
        own.update((id(t), v) for t, v in zip(self.saved, result[count:], strict=True))
        own.update((id(t), v) for t, v in zip(self.function.graph.outputs, result, strict=False))
        given = [d for d in dy if d is not None]
        return backward(given, own, self.saved)


class Backward:
    """A traced gradient.

    Attributes:
        wanted: Tensors of the forward graph that it reads and that are no inputs.
    """

    def __init__(
        self,
        function: Differentiable,
        needs: Any,
        present: Any,
        constants: list[Any],
        saved: list[Any],
    ) -> None:
        self.function = function
        graph = function.graph
        self.graph = BackwardGraph(f"gradient_of_{graph.label}", graph, "backward")
        self.needs = needs
        self.sources = [*function.own_inputs, *function.variables, *constants]
        targets_all = [*graph.outputs, *saved]
        targets = [t for t, p in zip(targets_all, present, strict=False) if p]
        with building(self.graph):
            seeds = [
                self.graph.add_input(TensorSpec(t.shape, t.dtype), f"cotangent_{i}")
                for i, t in enumerate(targets)
            ]
            groups = [
                (s[1] if isinstance(s, tuple) else [s._key]) if n else []
                for s, n in zip(self.sources, needs, strict=True)
            ]
            found = play_backwards(list(graph.tape.records), targets, seeds, groups)
            self.form = [self._components(g) for g in found]
        self.graph.outputs = [t for parts in self.form if parts for t in parts]
        inputs = {id(t) for t in function.own_inputs}
        self.wanted = [t for t in self.graph.captured if id(t) not in inputs]
        self.concrete: Any = None

    def _components(self, gradient: Any) -> list[Any] | None:
        if gradient is None:
            return None
        if type(gradient) is IndexedSlices:
            parts = [gradient.values, gradient.indices]
            if gradient.dense_shape is not None:
                parts.append(gradient.dense_shape)
            return [self.graph.take(convert(p)) for p in parts]
        return [self.graph.take(gradient)]

    def __call__(self, cotangents: list[Any], own: dict[int, Any], saved: list[Any]) -> list[Any]:
        """Gradients of all sources (None where there is none)."""
        from .function import ConcreteFunction

        if self.concrete is None:
            self.concrete = ConcreteFunction(self.graph, None, self.function.jit)
        values = [*cotangents, *(self._value(t, own) for t in self.graph.captured)]
        made = iter(self.concrete.flat(values))
        result: list[Any] = []
        for parts in self.form:
            if parts is None:
                result.append(None)
            elif len(parts) == 1:
                result.append(next(made))
            else:
                result.append(IndexedSlices(*[next(made) for _ in parts]))
        return result

    def _value(self, tensor: Any, own: dict[int, Any]) -> Any:
        found = own.get(id(tensor))
        if found is not None:
            return found
        return self._again(tensor, own)

    def _again(self, tensor: Any, own: dict[int, Any]) -> Any:
        """A value of the forward pass that was not kept: computed anew, recorded by the tapes that listen."""
        node = tensor.node
        if node.op is READ:
            value = node.attrs["variable"].value()
        else:
            inputs = [
                t if not hasattr(t, "node") else self._forward_value(t, own) for t in node.inputs
            ]
            made = node.op(*_arguments(node.op, inputs), **node.attrs)
            several = made if isinstance(made, list) else [made]
            own.update((id(t), v) for t, v in zip(node.outputs, several, strict=True))
            return own[id(tensor)]
        own[id(tensor)] = value
        return value

    def _forward_value(self, tensor: Any, own: dict[int, Any]) -> Any:
        if tensor.node.op is CONSTANT:
            return tensor.node.attrs["value"]
        return self._value(tensor, own)


def _arguments(op: Any, inputs: list[Any]) -> list[Any]:
    if not op.variadic:
        return inputs
    fixed = len(op.tensor_names) - 1
    return [*inputs[:fixed], inputs[fixed:]]
