"""What the layers share whose cell has an op for the whole sequence."""

from __future__ import annotations

from typing import Any

from ....base.shapes import as_shape
from ....ops.arithmetic import multiply
from ....ops.create import cast
from ....ops.cumulative import cumsum
from ....ops.rearrange import reverse
from ....ops.rnn import FUSED
from ....ops.shape import expand_dims
from ... import activations, regularizers
from ...naming import snake_case
from ..input_spec import InputSpec
from .base import RNN
from .cell import argument_names, arguments_of, dropout_mask
from .loop import exchanged, time_first

OWN = (
    "activity_regularizer", "return_sequences", "return_state", "go_backwards", "stateful", "unroll", "time_major",
)  # fmt: skip
"""Arguments of the layers that their cells do not have."""


class FusedRNN(RNN):
    """Base of the layers whose cell has an op for the whole sequence.

    Args:
        cell: Class of the cell, whose arguments are the layer's too.
        given: The layer's arguments by name.
        kwargs: See `RNN`.
    """

    #: The op that runs over the whole sequence.
    _network: Any = None

    def __init__(self, cell: Any, given: dict[str, Any], kwargs: dict[str, Any]) -> None:
        made = cell(
            **arguments_of(cell, given),
            name=snake_case(cell.__name__),
            dtype=kwargs.get("dtype"),
            trainable=kwargs.get("trainable", True),
        )
        super().__init__(made, **{name: given[name] for name in OWN}, **kwargs)
        self.input_spec = InputSpec(ndim=3)

    def build(self, input_shape: Any) -> None:
        """Builds the cell."""
        super().build(input_shape)
        self.input_spec = InputSpec(ndim=3, axes={-1: as_shape(input_shape)[-1]})

    def call(
        self, inputs: Any, mask: Any = None, training: Any = None, initial_state: Any = None
    ) -> Any:
        """The result for `inputs`."""
        return RNN.call(self, inputs, mask, training, initial_state)

    def _names(self) -> Any:
        """Names of the activation functions, or None where one is not fused."""
        fields = self.__dict__
        functions = [
            getattr(self.cell, name, None) for name in ("activation", "recurrent_activation")
        ]
        known = fields.get("_fused_names")
        if known is None or known[0] != functions:
            names = [getattr(activations, n) for n in FUSED]
            found = [FUSED[names.index(f)] for f in functions if f in names]
            whole = len(found) == len([f for f in functions if f is not None])
            known = fields["_fused_names"] = (functions, found if whole else None)
        return known[1]

    def _run(self, inputs: Any, states: Any, mask: Any, training: Any, constants: Any) -> Any:
        cell, names = self.cell, self._names()
        if names is None or training and cell.recurrent_dropout:
            return RNN._run(self, inputs, states, mask, training, constants)
        if training and cell.dropout:
            inputs = multiply(inputs, self._mask_over_time(inputs, cell.dropout))
        x = inputs if self.time_major else exchanged(inputs)
        if x.shape[0] == 0:
            raise ValueError(
                f"Layer {self.name}: a recurrent layer needs one time step at least, got inputs of "
                f"shape {inputs.shape}."
            )
        mask = None if mask is None else time_first(mask, self.time_major)
        if self.go_backwards:
            x = reverse(x, axis=(0,))
            mask = None if mask is None else reverse(mask, axis=(0,))
        sequence, final = self._fused(x, states, mask, names)
        outputs = sequence if mask is None else self._shown(sequence, mask)
        last = final[0] if outputs is sequence else outputs[-1]
        if self.return_sequences and not self.time_major:
            outputs = exchanged(outputs)
        return last, outputs, final

    def _mask_over_time(self, inputs: Any, part: float) -> Any:
        if self.time_major:
            return exchanged(dropout_mask(exchanged(inputs), part))
        return dropout_mask(inputs, part)

    def _shown(self, sequence: Any, mask: Any) -> Any:
        """Outputs are zero up to the first time step that counts, whatever the first state was."""
        shown = mask if self.zero_output_for_mask else cumsum(cast(mask, "int32"), axis=0) > 0
        return multiply(sequence, expand_dims(cast(shown, sequence.dtype), axis=-1))

    def _fused(self, x: Any, states: Any, mask: Any, names: list[str]) -> Any:
        """All states and the list of the last ones, by the op of the whole sequence."""
        sequence, *last, _ = self._network(
            x, *states, *self.cell.weights_of_step(), mask, **self._attributes(names)
        )
        return sequence, last

    def _attributes(self, names: list[str]) -> dict[str, Any]:
        """The attributes of the op, given the names of the activation functions."""
        return dict(zip(("activation", "recurrent_activation"), names, strict=False))

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a layer like this one."""
        own = self._own_config()
        config = self.cell.get_config()
        for key in ("name", "trainable", "dtype", "batch_input_shape"):
            config.pop(key, None)
        own["activity_regularizer"] = regularizers.serialize(self.activity_regularizer)
        return {**own, **config}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """The layer that `get_config` described, not built yet."""
        return cls(**config)


def forward_to_cell(cls: Any, cell: Any) -> None:
    """Makes a layer show the arguments of its cell as its own."""
    for name in argument_names(cell):
        setattr(
            cls,
            name,
            property(
                lambda self, name=name: getattr(self.cell, name), doc=f"`{name}` of the cell."
            ),
        )


FusedRNN.__module__ = "eagercore.keras.layers"
