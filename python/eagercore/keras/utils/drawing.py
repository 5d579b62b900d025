"""Pictures of models, as text in Graphviz's language."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import Any


def model_to_dot(
    model: Any,
    show_shapes: bool = False,
    show_layer_names: bool = True,
    rankdir: str = "TB",
    **kwargs: Any,
) -> str:
    """A model as text in Graphviz's language.

    Args:
        model: The model.
        show_shapes: Whether to show the shapes of results. Default False.
        show_layer_names: Whether to show names. Default True.
        rankdir: "TB" from top to bottom, "LR" from left to right. Default "TB".
        **kwargs: Accepted for Keras's sake.

    >>> from eagercore import keras
    >>> print(model_to_dot(keras.Sequential([keras.layers.Dense(1, input_shape=(2,), name="d")], name="m")))
    digraph "m" {
      rankdir=TB;
      node [shape=record];
      "d_input" [label="d_input: InputLayer"];
      "d" [label="d: Dense"];
      "d_input" -> "d";
    }
    """
    lines = [f'digraph "{model.name}" {{', f"  rankdir={rankdir};", "  node [shape=record];"]
    network = model.__dict__.get("_network")
    layers = network.layers if network is not None else model.layers
    for layer in layers:
        label = (
            f"{layer.name}: {type(layer).__name__}" if show_layer_names else type(layer).__name__
        )
        if show_shapes:
            try:
                label += f" | {layer.output_shape}"
            except (AttributeError, RuntimeError):
                label += " | ?"
        lines.append(f'  "{layer.name}" [label="{label}"];')
    if network is not None:
        for node in network.nodes:
            for tensor in node.inputs:
                lines.append(f'  "{tensor.node.layer.name}" -> "{node.layer.name}";')
    return "\n".join([*lines, "}"])


def plot_model(
    model: Any, to_file: Any = "model.png", show_shapes: bool = False, show_layer_names: bool = True,
    rankdir: str = "TB",
    **kwargs: Any,
) -> str:  # fmt: skip
    """Writes a picture of a model into a file.

    Args:
        model: The model.
        to_file: Path. ".dot" and ".txt" write Graphviz's language; pictures need the program `dot`.
        show_shapes: Whether to show the shapes of results. Default False.
        show_layer_names: Whether to show names. Default True.
        rankdir: "TB" or "LR". Default "TB".
        **kwargs: Accepted for Keras's sake.

    Returns:
        Path of the file that was written: where `dot` is not there, that of a text file beside it.
    """
    text = model_to_dot(model, show_shapes, show_layer_names, rankdir)
    path = os.fspath(to_file)
    kind = os.path.splitext(path)[1].lstrip(".") or "png"
    program = shutil.which("dot")
    if kind in ("dot", "txt", "gv") or program is None:
        if kind not in ("dot", "txt", "gv"):
            path = os.path.splitext(path)[0] + ".dot"
            print(
                f"The program dot (Graphviz) is not there: the model's graph is in {path} as text."
            )
        with open(path, "w", encoding="utf-8") as file:
            file.write(text + "\n")
        return path
    subprocess.run([program, f"-T{kind}", "-o", path], input=text.encode(), check=True)
    return path
