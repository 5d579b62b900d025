"""Network: the graph of layers between symbolic inputs and outputs, and the order in which it runs."""

from __future__ import annotations

from typing import Any

from ...base import nest
from ...core.tensor import Tensor
from ...ops.create import cast
from ...ops.shape import expand_dims
from ..symbolic import KerasTensor, Node


class Network:
    """What runs when a functional model is called.

    Args:
        inputs: Symbolic tensor, or a structure of them.
        outputs: Symbolic tensor, or a structure of them.
        name: Name of the model, for messages.

    Raises:
        ValueError: If an output does not depend on the inputs alone.
    """

    def __init__(self, inputs: Any, outputs: Any, name: str) -> None:
        self.inputs, self.outputs, self.name = inputs, outputs, name
        self.flat_inputs = [_checked(t, "inputs", name) for t in nest.flatten(inputs)]
        self.flat_outputs = [_checked(t, "outputs", name) for t in nest.flatten(outputs)]
        self.extra: list[tuple[KerasTensor, Any]] = []
        self.arrange()

    def arrange(self) -> None:
        """Finds the nodes, their order, and the order of the layers."""
        targets = [*self.flat_outputs, *(t for t, _ in self.extra)]
        self.nodes, first_seen = _reachable(targets, self.flat_inputs)
        depths = _depths(self.nodes, targets)
        self.layers = _ordered_layers(self.nodes, depths, first_seen, self.flat_inputs)
        self._plan(targets)

    def _plan(self, targets: list[KerasTensor]) -> None:
        places: dict[int, int] = {}
        for tensor in self.flat_inputs:
            places.setdefault(id(tensor), len(places))
        steps = []
        for node in self.nodes:
            outs = []
            for tensor in nest.flatten(node.outputs):
                outs.append(places.setdefault(id(tensor), len(places)))
            steps.append(Step(node, places, outs))
        last: dict[int, Step] = {}
        for step in steps:
            for place in step.reads:
                last[place] = step
        kept = {places[id(t)] for t in targets}
        for place, step in last.items():
            if place not in kept:
                step.frees.append(place)
        self.steps, self.size = steps, len(places)
        self.output_places = [places[id(t)] for t in self.flat_outputs]
        self.extra_places = [places[id(t)] for t, _ in self.extra]

    def run(self, inputs: Any) -> tuple[Any, list[Any]]:
        """Results in the structure of the outputs, and the values of what was added as losses and metrics."""
        values: list[Any] = [None] * self.size
        values[: len(self.flat_inputs)] = self._conformed(inputs)
        for step in self.steps:
            step.run(values)
        found = [values[place] for place in self.output_places]
        made = (
            found[0]
            if isinstance(self.outputs, KerasTensor)
            else nest.pack_sequence_as(self.outputs, found)
        )
        return made, [values[place] for place in self.extra_places]

    def _conformed(self, inputs: Any) -> list[Any]:
        """Inputs as a flat list, each of the rank and kind of number of its symbolic input."""
        flat = self._flat(inputs)
        if len(flat) != len(self.flat_inputs):
            raise ValueError(
                f"Model {self.name} expects {len(self.flat_inputs)} input(s), but it received {len(flat)} "
                f"input tensors: "
                f"{[tuple(t.shape) for t in flat if hasattr(t, 'shape')]}"
            )
        return [
            self._fitting(position, tensor, wanted)
            for position, (tensor, wanted) in enumerate(zip(flat, self.flat_inputs, strict=True))
        ]

    def _flat(self, inputs: Any) -> list[Any]:
        if isinstance(inputs, dict):
            names = [t.node.layer.name for t in self.flat_inputs]
            if isinstance(self.inputs, dict):
                return [inputs[key] for key in sorted(self.inputs)]
            if all(name in inputs for name in names):
                return [inputs[name] for name in names]
        return nest.flatten(inputs)

    def _fitting(self, position: int, tensor: Any, wanted: KerasTensor) -> Any:
        if not isinstance(tensor, Tensor):
            return tensor
        shape, rank = tensor.shape, wanted.shape.rank
        if rank is not None and shape.rank is not None and shape.rank != rank:
            if shape.rank == rank - 1 and wanted.shape[-1] == 1:
                tensor = expand_dims(tensor, axis=-1)
            elif shape.rank == rank + 1 and shape[-1] == 1:
                from ...ops.shape import squeeze

                tensor = squeeze(tensor, axis=-1)
            else:
                self._refuse(position, wanted, shape)
        if not wanted.shape[1:].is_compatible_with(tensor.shape[1:]) if rank else False:
            self._refuse(position, wanted, tensor.shape)
        if tensor.dtype is not wanted.dtype and tensor.dtype.kind in "iufb":
            tensor = cast(tensor, wanted.dtype)
        return tensor

    def _refuse(self, position: int, wanted: KerasTensor, shape: Any) -> None:
        raise ValueError(
            f"Input {position} of layer {self.name} is incompatible with the layer: expected "
            f"shape={tuple(wanted.shape)}, "
            f"found shape={tuple(shape)}"
        )


class Step:
    """One call of one layer.

    Args:
        node: The node that was drawn.
        places: id of a symbolic tensor -> its place among the values.
        outs: Places of the results.
    """

    __slots__ = ("frees", "kwargs", "layer", "node", "one", "outs", "places", "reads")

    def __init__(self, node: Node, places: dict[int, int], outs: list[int]) -> None:
        self.node, self.layer, self.outs = node, node.layer, outs
        self.places = places
        self.reads = [places[id(t)] for t in node.inputs]
        self.frees: list[int] = []
        simple = (
            len(node.args) == 1 and isinstance(node.args[0], KerasTensor) and len(node.inputs) == 1
        )
        self.one = self.reads[0] if simple else -1
        self.kwargs = node.kwargs

    def run(self, values: list[Any]) -> None:
        """Calls the layer on the values so far, and puts its results among them."""
        if self.one >= 0:
            result = self.layer(values[self.one], **self.kwargs)
        else:
            args, kwargs = self._filled((list(self.node.args), self.kwargs), values)
            result = self.layer(*args, **kwargs)
        if len(self.outs) == 1 and not isinstance(result, list | tuple | dict):
            values[self.outs[0]] = result
        else:
            for place, value in zip(self.outs, nest.flatten(result), strict=True):
                values[place] = value
        for place in self.frees:
            values[place] = None

    def _filled(self, structure: Any, values: list[Any]) -> Any:
        if isinstance(structure, KerasTensor):
            return values[self.places[id(structure)]]
        if isinstance(structure, list):
            return [self._filled(item, values) for item in structure]
        if isinstance(structure, tuple):
            made = [self._filled(item, values) for item in structure]
            return type(structure)(*made) if hasattr(structure, "_fields") else tuple(made)
        if isinstance(structure, dict):
            return {key: self._filled(item, values) for key, item in structure.items()}
        return structure


def _checked(tensor: Any, what: str, name: str) -> KerasTensor:
    if not isinstance(tensor, KerasTensor) or tensor._origin is None:
        raise ValueError(
            f"`{what}` of model {name} must be symbolic tensors, made by keras.Input and by layers called on it. "
            f"Received: {tensor!r}"
        )
    return tensor


def _reachable(
    targets: list[KerasTensor], inputs: list[KerasTensor]
) -> tuple[list[Node], dict[int, int]]:
    """Nodes between inputs and targets, each behind what it needs; and when each layer was met first."""
    given = {id(t) for t in inputs}
    done: set[int] = set()
    order: list[Node] = []
    first_seen: dict[int, int] = {}
    for target in targets:
        stack: list[tuple[KerasTensor, bool]] = [(target, False)]
        while stack:
            tensor, finished = stack.pop()
            if id(tensor) in given or tensor.node is None:
                if id(tensor) in given:
                    continue
                raise ValueError(f"Graph disconnected: {tensor!r} was not made by a layer.")
            node = tensor.node
            if finished:
                if id(node) not in done:
                    done.add(id(node))
                    order.append(node)
                continue
            if id(node) in done:
                continue
            first_seen.setdefault(id(node.layer), len(first_seen))
            if not node.inputs:
                raise ValueError(
                    f'Graph disconnected: cannot obtain value for tensor {tensor!r} at layer "{node.layer.name}". '
                    f"Output is not connected to the inputs of the model. The following previous layers were accessed "
                    f"without issue: {[n.layer.name for n in order]}"
                )
            stack.append((tensor, True))
            stack.extend((t, False) for t in reversed(node.inputs))
    return order, first_seen


def _depths(nodes: list[Node], targets: list[KerasTensor]) -> dict[int, int]:
    """How far each layer is from the outputs at most."""
    of_node: dict[int, int] = {}
    of_layer: dict[int, int] = {}
    for node in reversed(nodes):
        depth = max(of_node.get(id(node), 0), of_layer.get(id(node.layer), 0))
        of_layer[id(node.layer)] = of_node[id(node)] = depth
        for parent in node.parents:
            of_node[id(parent)] = max(of_node.get(id(parent), 0), depth + 1)
    return of_layer


def _ordered_layers(
    nodes: list[Node], depths: dict[int, int], first_seen: dict[int, int], inputs: list[KerasTensor]
) -> list[Any]:
    layers: dict[int, Any] = {}
    for tensor in inputs:
        layer = tensor.node.layer
        if not tensor.node.inputs:
            layers.setdefault(id(layer), layer)
            first_seen.setdefault(id(layer), len(first_seen))
    deepest = max(depths.values(), default=-1)
    for position, tensor in enumerate(inputs):
        layer = tensor.node.layer
        if id(layer) not in depths:
            users = [depths[id(n.layer)] for n in nodes if any(t is tensor for t in n.inputs)]
            depths[id(layer)] = max(users, default=deepest) + 1
            first_seen[id(layer)] = position - len(inputs)
    for node in nodes:
        layers.setdefault(id(node.layer), node.layer)
    return sorted(layers.values(), key=lambda layer: (-depths[id(layer)], first_seen[id(layer)]))
