"""Gradients of the gradients of recurrent networks: their steps in plain ops, taped.

They are rare (penalties on gradients, Hessians), so they need to be right rather than fast; any order is right, since
what is taped is made of ops that have gradients themselves.
"""

from __future__ import annotations

from typing import Any

from ..core.tensor import NOTHING
from ..ops import rnn
from .tape import GradientTape


def _by_taping(plain: Any) -> Any:
    """A `vjp` that tapes a function of plain ops and goes back through it."""

    def vjp(dd: Any, _result: Any, *inputs: Any, **attributes: Any) -> Any:
        sources = [x for x in inputs if x is not NOTHING and x.dtype.is_floating]
        with GradientTape() as tape:
            tape.watch(sources)
            results = plain(*inputs, **attributes)
        found = iter(tape.gradient(results, sources, output_gradients=list(dd)))
        return tuple(
            next(found) if x is not NOTHING and x.dtype.is_floating else None for x in inputs
        )

    return vjp


def _declare(op: Any, plain: Any) -> None:
    op.vjp(_by_taping(plain))
    op.keeps = [True] * len(op.tensor_names)
    op.keeps_all = False


_declare(rnn.simple_rnn_gradient, rnn.plain_simple_rnn_gradient)
_declare(rnn.lstm_gradient, rnn.plain_lstm_gradient)
_declare(rnn.gru_gradient, rnn.plain_gru_gradient)
