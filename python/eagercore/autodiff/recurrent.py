"""Gradients of the gradients of recurrent networks: their steps in plain ops, taped twice.

They are rare (penalties on gradients, Hessians), so they need to be right rather than fast; any order is right, since
what is taped is made of ops that have gradients themselves.
"""

from __future__ import annotations

from typing import Any

from ..core.tensor import NOTHING
from ..ops import rnn
from .tape import GradientTape


def _declare(op: Any, plain: Any) -> None:
    """Declares the gradient of a gradient op.

    Args:
        op: Its inputs are the network's, results of it (and of what it kept), bias and mask, and gradients.
        plain: The network in plain ops.
    """
    names = op.tensor_names
    inputs, given = names.index("sequence"), names.index("bias")
    derived = op.extra["derived"]

    def vjp(dd: Any, _result: Any, *values: Any, **attributes: Any) -> Any:
        def floating(value: Any) -> bool:
            return value is not NOTHING and value.dtype.is_floating

        sources = [
            v for n, v in zip(names, values, strict=True) if n not in derived and floating(v)
        ]
        own = [*values[:inputs], *values[given : given + 2]]
        with GradientTape() as outer:
            outer.watch(sources)
            weights = [v for v in own if floating(v)]
            with GradientTape() as inner:
                inner.watch(weights)
                results = plain(*own, **attributes)
            pairs = zip(results, values[given + 2 :], strict=True)
            chosen = [(r, d) for r, d in pairs if d is not NOTHING]
            found = inner.gradient(
                [r for r, _ in chosen], weights, output_gradients=[d for _, d in chosen]
            )
        wanted = [(g, d) for g, d in zip(found, dd, strict=False) if g is not None]
        back = iter(
            outer.gradient([g for g, _ in wanted], sources, output_gradients=[d for _, d in wanted])
        )
        return tuple(
            next(back) if n not in derived and floating(v) else None
            for n, v in zip(names, values, strict=True)
        )

    op.vjp(vjp)
    op.keeps = [True] * len(names)
    op.keeps_all = False


_declare(rnn.simple_rnn_gradient, rnn.plain_simple_rnn)
_declare(rnn.lstm_gradient, rnn.plain_lstm)
_declare(rnn.gru_gradient, rnn.plain_gru)
