"""What `model.summary()` prints."""

from __future__ import annotations

from typing import Any

from ..tracking import deduplicated


def print_summary(
    model: Any, line_length: Any = None, positions: Any = None, print_fn: Any = None
) -> None:
    """Prints a table of the layers.

    Args:
        model: The model.
        line_length: Characters a line, or None.
        positions: Ends of the columns, as parts of the line, or None.
        print_fn: Function that is given each line, or None for `print`.
    """
    show = print if print_fn is None else print_fn
    linear = _is_linear(model)
    length = int(line_length or (65 if linear else 98))
    ends = [0.45, 0.85, 1.0] if linear else [0.33, 0.55, 0.67, 1.0]
    ends = list(positions or ends)
    if ends[-1] <= 1:
        ends = [int(length * e) for e in ends]
    header = ["Layer (type)", "Output Shape", "Param #"] + ([] if linear else ["Connected to"])
    show(f'Model: "{model.name}"')
    show("_" * length)
    _row(header, ends, show)
    show("=" * length)
    layers = model.layers
    for position, layer in enumerate(layers):
        _layer_rows(model, layer, ends, linear, show)
        show(("=" if position == len(layers) - 1 else "_") * length)
    if not layers:
        show("=" * length)
    trainable, total = _count(model.trainable_weights), _count(model.weights)
    show(f"Total params: {total:,}")
    show(f"Trainable params: {trainable:,}")
    show(f"Non-trainable params: {total - trainable:,}")
    show("_" * length)


def _count(weights: Any) -> int:
    return sum(v.shape.num_elements() for v in deduplicated(weights))


def _is_linear(model: Any) -> bool:
    network = model.__dict__.get("_network")
    if network is None or type(model).__name__ == "Sequential":
        return True
    if len(network.flat_inputs) > 1 or len(network.flat_outputs) > 1:
        return False
    return (
        all(len(node.inputs) == 1 for node in network.nodes)
        and len({id(node.layer) for node in network.nodes}) == len(network.nodes)
        and all(
            sum(any(t is o for t in other.inputs) for other in network.nodes) <= 1
            for node in network.nodes
            for o in [node.outputs]
        )
    )


def _row(fields: list[str], ends: list[int], show: Any) -> None:
    line = ""
    for position, field in enumerate(fields):
        line = line[:-1] + " " if position else line
        line = (line + field)[: ends[position]]
        line += " " * (ends[position] - len(line))
    show(line)


def _layer_rows(model: Any, layer: Any, ends: list[int], linear: bool, show: Any) -> None:
    try:
        shape: Any = layer.output_shape
        shape = (
            [shape] if isinstance(shape, tuple) and type(layer).__name__ == "InputLayer" else shape
        )
    except (AttributeError, RuntimeError):
        shape = "multiple"
    fields = [f"{layer.name} ({type(layer).__name__})", str(shape)]
    if not layer.built and not layer.weights:
        count = "0 (unused)" if model.__dict__.get("_network") is None else "0"
    else:
        count = str(_count(layer.weights))
    fields.append(count)
    if linear:
        _row(fields, ends, show)
        return
    sources = _sources(model, layer)
    _row([*fields, sources[0] if sources else ""], ends, show)
    for source in sources[1:]:
        _row(["", "", "", source], ends, show)


def _sources(model: Any, layer: Any) -> list[str]:
    found = []
    for node in model._network.nodes:
        if node.layer is layer:
            for tensor in node.inputs:
                maker, index, place = tensor._keras_history
                found.append(f"{maker.name}[{index}][{place}]")
    return found
