"""StackedRNNCells: several cells one behind the other, as one cell."""

from __future__ import annotations

from typing import Any

from ....base import nest
from ....base.shapes import as_shape
from ..base import Layer
from ..call_spec import CallSpec
from .wrapper import build_inner


class StackedRNNCells(Layer):
    """Cells one behind the other: the output of each is the input of the next.

    Args:
        cells: List of cells.
        **kwargs: See `Layer`.

    Raises:
        ValueError: If something in the list is not a cell.

    >>> import eagercore as tf
    >>> cell = StackedRNNCells([tf.keras.layers.LSTMCell(2), tf.keras.layers.GRUCell(3)])
    >>> cell.state_size
    [[2, 2], 3]
    """

    def __init__(self, cells: Any, **kwargs: Any) -> None:
        for cell in cells:
            if not hasattr(cell, "call"):
                raise ValueError(
                    f"All cells must have a `call` method. Received cell without one: {cell}"
                )
            if not hasattr(cell, "state_size"):
                raise ValueError(
                    f"All cells must have an attribute `state_size`. Received cell without one: {cell}"
                )
        super().__init__(**kwargs)
        self.cells = list(cells)

    @property
    def state_size(self) -> Any:
        """The state sizes of the cells."""
        return [
            list(c.state_size) if isinstance(c.state_size, list | tuple) else c.state_size
            for c in self.cells
        ]

    @property
    def output_size(self) -> Any:
        """Length of the last cell's output."""
        last = self.cells[-1]
        size = getattr(last, "output_size", None)
        if size is not None:
            return size
        return last.state_size[0] if isinstance(last.state_size, list | tuple) else last.state_size

    def get_initial_state(
        self, inputs: Any = None, batch_size: Any = None, dtype: Any = None
    ) -> Any:
        """States of zeros: a list with the state, or the list of states, of each cell."""
        from .base import _zeros_of

        made = []
        for cell in self.cells:
            own = getattr(cell, "get_initial_state", None)
            given = {"inputs": inputs, "batch_size": batch_size, "dtype": dtype}
            made.append(
                own(**given) if own is not None else _zeros_of(cell.state_size, batch_size, dtype)
            )
        return made

    def call(
        self, inputs: Any, states: Any, constants: Any = None, training: Any = None, **kwargs: Any
    ) -> Any:
        """Output of the last cell, and the new states in the form of `state_size`."""
        sizes = self.state_size
        if len(states) != len(sizes) or any(
            isinstance(size, list) != isinstance(state, list | tuple)
            for size, state in zip(sizes, states, strict=False)
        ):
            states = nest.pack_sequence_as(sizes, nest.flatten(states))
        following = []
        for cell, state in zip(self.cells, states, strict=True):
            spec = CallSpec(cell.call)
            given: dict[str, Any] = {"training": training} if spec.takes_training else {}
            if constants is not None and "constants" in spec.names:
                given["constants"] = constants
            single = not isinstance(cell.state_size, list | tuple)
            inputs, new = cell(inputs, [state] if single else list(state), **given)
            new = list(new) if isinstance(new, list | tuple) else [new]
            following.append(new[0] if single else new)
        return inputs, following

    def build(self, input_shape: Any) -> None:
        """Builds the cells, each for the output of the one before."""
        shape = as_shape(input_shape)
        for cell in self.cells:
            if isinstance(cell, Layer):
                build_inner(cell, shape, self)
            size = getattr(cell, "output_size", None)
            if size is None:
                size = (
                    cell.state_size[0]
                    if isinstance(cell.state_size, list | tuple)
                    else cell.state_size
                )
            shape = as_shape([shape[0], *(size if isinstance(size, list | tuple) else [size])])
        self.built = True

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a cell like this one."""
        from ...serialization import serialize_keras_object

        return {**super().get_config(), "cells": [serialize_keras_object(c) for c in self.cells]}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """The cell that `get_config` described, not built yet."""
        from .. import deserialize

        config = dict(config)
        cells = [deserialize(c, custom_objects) for c in config.pop("cells")]
        return cls(cells, **config)


StackedRNNCells.__module__ = "eagercore.keras.layers"
